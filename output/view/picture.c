/* SPDX-License-Identifier: MIT */
/* Checks the settings of a picture and draws it: mesh, legend, one projection per frame, then .png
   or .svg. */
#include "output/view/picture.h"

#include <math.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "output/picture/legend.h"
#include "output/picture/projection.h"
#include "output/view/colors.h"

#define MIN_SIDE 16u
#define MAX_SIDE 8192u
#define MAX_PANELS 64u
#define MAX_PIXELS (1ull << 26)

vxe_picture_def vxe_picture_def_default(void)
{
    return (vxe_picture_def){.width = 960,
                             .height = 720,
                             .azimuth = -50,
                             .elevation = 25,
                             .edges = true,
                             .caption = true};
}

bool vxe_picture_is_one(const char *path)
{
    return vxe_file_has_ending(path, ".png") || vxe_file_has_ending(path, ".svg");
}

vxe_status vxe_picture_look(const vxe_design *design, const vxe_frame *frame,
                            vxe_picture_bounds *bounds, vxe_error *error)
{
    vxe_mesh mesh = {0};
    vxe_status status = vxe_frame_fits(frame, design->voxel_count, design->affine_count, error);
    status = status ? status : vxe_mesh_init(&mesh, design, false, error);
    status = status ? status : vxe_mesh_add_bodies(&mesh, design, error);
    if (!status) {
        double low[3];
        double high[3];
        vxe_view view = {
            .strain = bounds->strain, .energy = bounds->energy, .contact = bounds->contact};
        const double half = 0.5 * vxe_view_box(&mesh, frame, low, high);
        const bool first = bounds->frames++ == 0;
        for (int c = 0; c < 3; c++) {
            bounds->low[c] = first ? low[c] - half : fmin(bounds->low[c], low[c] - half);
            bounds->high[c] = first ? high[c] + half : fmax(bounds->high[c], high[c] + half);
        }
        vxe_view_raise(&view, frame);
        bounds->strain = view.strain;
        bounds->energy = view.energy;
        bounds->contact = view.contact;
    }
    vxe_mesh_clear(&mesh);
    return status;
}

double vxe_picture_radius(const vxe_picture_bounds *bounds)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double half = 0.5 * (bounds->high[c] - bounds->low[c]);
        square += half * half;
    }
    return sqrt(square);
}

void vxe_picture_hold(const vxe_picture_bounds *bounds, double radius, vxe_picture_def *def)
{
    const double largest = def->coloring == VXE_COLOR_STRAIN    ? bounds->strain
                           : def->coloring == VXE_COLOR_CONTACT ? bounds->contact
                           : def->coloring == VXE_COLOR_ENERGY  ? bounds->energy
                                                                : 0;
    for (int c = 0; c < 3; c++) {
        def->middle[c] = 0.5 * (bounds->low[c] + bounds->high[c]);
    }
    def->reach = vxe_view_reach(radius, def->width, def->height);
    def->range = def->range > 0 ? def->range : largest;
}

static vxe_status check(const vxe_design *design, const vxe_frame *const *frames, uint32_t count,
                        const vxe_picture_def *def, vxe_error *error)
{
    if (def->width < MIN_SIDE || def->width > MAX_SIDE || def->height < MIN_SIDE ||
        def->height > MAX_SIDE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a picture of %u x %u pixels: expected %u to %u", def->width,
                              def->height, MIN_SIDE, MAX_SIDE);
    }
    if (def->coloring >= VXE_COLORINGS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "coloring %d: expected 0 to %d",
                              (int)def->coloring, VXE_COLORINGS - 1);
    }
    if (!(def->elevation >= -90 && def->elevation <= 90 && def->range >= 0 &&
          def->azimuth >= -3600 && def->azimuth <= 3600)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a camera %g degrees above the horizon and %g about z: expected -90 "
                              "to 90 and -3600 to 3600",
                              def->elevation, def->azimuth);
    }
    const double *middle = def->middle;
    if (!(def->reach >= 0 && isfinite(def->reach) && isfinite(middle[0]) && isfinite(middle[1]) &&
          isfinite(middle[2]))) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "reach %g m about (%g, %g, %g): expected 0 or more, and a place",
                              def->reach, middle[0], middle[1], middle[2]);
    }
    if (count == 0 || count > MAX_PANELS ||
        (uint64_t)count * def->width * def->height > MAX_PIXELS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "%u panels of %u x %u pixels: 1 to %u, %llu pixels in all", count,
                              def->width, def->height, MAX_PANELS, MAX_PIXELS);
    }
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        status = vxe_frame_fits(frames[i], design->voxel_count, design->affine_count, error);
    }
    return status;
}

/* Where a picture goes: a path, a stream or an array; the others are null. */
typedef struct place {
    const char *path;
    FILE *stream;
    uint8_t *pixels;
} place;

static vxe_status put_svg(const vxe_album *album, const place *to, vxe_error *error)
{
    vxe_file_writer file;
    if (to->stream) {
        vxe_svg_put(album, to->stream);
        return VXE_OK;
    }
    const vxe_status status = vxe_file_begin(&file, to->path, error);
    if (status) {
        return status;
    }
    vxe_svg_put(album, file.stream);
    return vxe_file_commit(&file, error);
}

static vxe_status draw(const vxe_design *design, const vxe_frame *const *frames, uint32_t count,
                       const vxe_picture_def *def, const place *to, vxe_error *error)
{
    VXE_ASSERT(count > 0 && count <= MAX_PANELS);
    VXE_ASSERT(!to->path + !to->stream + !to->pixels == 2);
    vxe_view view = {0};
    vxe_legend legend = {0};
    vxe_mesh mesh = {0};
    vxe_projection projections[MAX_PANELS] = {0};
    vxe_status status = vxe_mesh_init(&mesh, design, false, error);
    status = status ? status : vxe_mesh_add_bodies(&mesh, design, error);
    if (!status) {
        view = vxe_view_of(&mesh, frames, count);
        status = vxe_material_colors(design, &view.materials, error);
    }
    if (def->reach > 0) {
        view.reach = def->reach;
        view.is_asked = true;
    }
    if (def->range > 0) {
        view.strain = view.energy = view.contact = def->range;
    }
    status = status ? status : vxe_legend_init(&legend, design, &view, def, count, error);
    const uint32_t size[2] = {def->width, def->height - legend.height};
    for (uint32_t i = 0; i < count && !status; i++) {
        status =
            vxe_projection_take(&projections[i], design, &mesh, frames[i], &view, def, size, error);
    }
    if (!status) {
        const vxe_album album = {projections, count, frames, design->name, &legend, def};
        const bool png = to->path && vxe_file_has_ending(to->path, ".png");
        status = to->pixels ? vxe_pixels_put(&album, to->pixels, error)
                 : png      ? vxe_png_write(&album, to->path, error)
                            : put_svg(&album, to, error);
    }
    for (uint32_t i = 0; i < count; i++) {
        vxe_projection_clear(&projections[i]);
    }
    vxe_legend_clear(&legend);
    vxe_memory_release(view.materials);
    vxe_mesh_clear(&mesh);
    return status;
}

vxe_status vxe_picture_write(const vxe_design *design, const vxe_frame *const *frames,
                             uint32_t count, const vxe_picture_def *def, const char *path,
                             vxe_error *error)
{
    if (!vxe_picture_is_one(path)) {
        return vxe_error_at(error, VXE_ERROR_ARGUMENT, path, 0, 0,
                            "expected a name in .png or .svg");
    }
    const vxe_status wrong = check(design, frames, count, def, error);
    return wrong ? wrong : draw(design, frames, count, def, &(place){.path = path}, error);
}

vxe_status vxe_picture_draw(const vxe_design *design, const vxe_frame *frame,
                            const vxe_picture_def *def, uint8_t *pixels, vxe_error *error)
{
    const vxe_status wrong = check(design, &frame, 1, def, error);
    return wrong ? wrong : draw(design, &frame, 1, def, &(place){.pixels = pixels}, error);
}

vxe_status vxe_picture_put(const vxe_design *design, const vxe_frame *frame,
                           const vxe_picture_def *def, FILE *stream, vxe_error *error)
{
    const vxe_status wrong = check(design, &frame, 1, def, error);
    return wrong ? wrong : draw(design, &frame, 1, def, &(place){.stream = stream}, error);
}
