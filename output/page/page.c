/* SPDX-License-Identifier: MIT */
/* Writes replay pages. A page begins with style and libraries; each robot adds a body and blocks
   of frames (record/frame_codec.h) as base64 elements; the end adds descriptions as JSON, and
   the scripts. */
#include "output/page/page.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/markup.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/scene/scene_internal.h"
#include "output/page/page_parts.h"
#include "output/record/frame_codec.h"
#include "output/view/colors.h"

/* A block ends after so many frames, */
#define BLOCK_FRAMES 32u
/* or so many values, since a browser keeps four decoded blocks of each robot, as 32-bit numbers. */
#define BLOCK_VALUES (1ull << 22)
#define MAX_NUMBER 2147483647.0
/* Characters that are written at once. */
#define BASE64_ROW 4096
/* Voxels of a robot that the studio takes, at most. */
#define STUDIO_VOXELS 64000u
/* Phases are stored in thousandths of a cycle. */
#define PHASE_STEPS 1000

/* Resolutions as parts of a design's scales (vxe_frame_codec_scale_of), as fine as can be seen:
   1/512 of an edge, half a degree; stress is not shown. */
static const double parts[VXE_CODEC_FIELDS] = {1.0 / 512, 1.0 / 256, 1.0 / 256,  1e-3,      0,
                                               1e-5,      1e-5,      1.0 / 4096, 1.0 / 4096};

struct vxe_page {
    vxe_file_writer file;
    json_t *robots; /* facts of each robot */
    json_t *frames; /* of the present robot: number of frames of each block */
    json_t *times;  /* of the present robot: time of each frame, s */
    const vxe_design *design;
    vxe_frame_codec codec;
    vxe_bytes block;
    vxe_bytes packed;
    uint32_t in_block;
    bool fronted; /* a front was put */
    bool has_studio;
    bool lost;              /* there was no memory for a part of the descriptions */
    size_t shown;           /* number of the last robot that is no ghost */
    uint64_t voxels, bytes; /* of all robots; bytes: as written, in base 64 */
};

static void put_text(vxe_page *p, const char *text)
{
    fputs(text, p->file.stream);
}

static void put_script(vxe_page *p, const char *text)
{
    put_text(p, "<script>\n");
    put_text(p, text);
    put_text(p, "\n</script>\n");
}

static void put_base64(vxe_page *p, const uint8_t *data, uint64_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char row[BASE64_ROW];
    size_t length = 0;
    for (uint64_t i = 0; i < size; i += 3) {
        const uint32_t word = (uint32_t)data[i] << 16 |
                              (i + 1 < size ? (uint32_t)data[i + 1] << 8 : 0) |
                              (i + 2 < size ? data[i + 2] : 0);
        row[length++] = digits[word >> 18];
        row[length++] = digits[word >> 12 & 63];
        row[length++] = i + 1 < size ? digits[word >> 6 & 63] : '=';
        row[length++] = i + 2 < size ? digits[word & 63] : '=';
        if (length == sizeof row || i + 3 >= size) {
            fwrite(row, 1, length, p->file.stream);
            length = 0;
        }
    }
}

/* Compresses. Numbers by Huffman codes only: when packed, they hardly ever repeat, and a search for
   repetitions would take longer than the steps between two frames. Returns false without memory. */
static bool deflate_bytes(const vxe_bytes *bytes, bool numbers, uint8_t *into, uLongf *size)
{
    z_stream stream = {.next_in = bytes->data,
                       .avail_in = (uInt)bytes->size,
                       .next_out = into,
                       .avail_out = (uInt)*size};
    if (bytes->size > UINT_MAX || *size > UINT_MAX ||
        deflateInit2(&stream, numbers ? 1 : Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS,
                     MAX_MEM_LEVEL, numbers ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY) != Z_OK) {
        return false;
    }
    const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *size = stream.total_out;
    deflateEnd(&stream);
    return whole;
}

/* Writes bytes, compressed and in base 64, as an element with these attributes. */
static vxe_status put_packed(vxe_page *p, const char *attributes, bool numbers,
                             const vxe_bytes *bytes, vxe_error *error)
{
    uLongf size = compressBound((uLong)bytes->size);
    p->packed.size = 0;
    if (bytes->bad || !vxe_bytes_reserve(&p->packed, size) ||
        !deflate_bytes(bytes, numbers, p->packed.data, &size)) {
        return vxe_error_memory(error, bytes->size);
    }
    p->bytes += 4 * ((size + 2) / 3); /* base 64 */
    if (p->bytes > VXE_PAGE_BYTES) {
        return vxe_error_at(error, VXE_ERROR_UNSUPPORTED, p->file.path, 0, 0,
                            "a page of more than %llu bytes: take fewer frames, or record to "
                            ".vxr",
                            VXE_PAGE_BYTES);
    }
    fprintf(p->file.stream, "<script type=\"text/plain\" %s>", attributes);
    put_base64(p, p->packed.data, size);
    put_text(p, "</script>\n");
    return vxe_file_check(&p->file, error);
}

/* Writes bytes of the last robot, which the page's scripts find by kind, robot and order. */
static vxe_status put_bytes(vxe_page *p, const char *kind, bool numbers, const vxe_bytes *bytes,
                            vxe_error *error)
{
    char attributes[64];
    VXE_ASSERT(json_array_size(p->robots) > 0);
    snprintf(attributes, sizeof attributes, "class=\"%s-%zu\"", kind,
             json_array_size(p->robots) - 1);
    return put_packed(p, attributes, numbers, bytes, error);
}

vxe_page *vxe_page_create(const char *path, const char *title, vxe_error *error)
{
    vxe_page *p = vxe_memory_take(1, sizeof *p);
    if (!p) {
        (void)vxe_error_memory(error, sizeof *p);
        return NULL;
    }
    const uint64_t failures = vxe_json_watch();
    p->robots = json_array();
    if (vxe_memory_check(failures, error) || vxe_file_begin(&p->file, path, error)) {
        vxe_page_abandon(p);
        return NULL;
    }
    put_text(p, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    vxe_markup_put(p->file.stream, title);
    put_text(p, "</title>\n");
    put_text(p, vxe_page_body);
    put_script(p, vxe_page_library);
    put_script(p, vxe_page_controls);
    return p;
}

vxe_status vxe_page_put_front(vxe_page *p, const char *markup, vxe_error *error)
{
    put_text(p, "<div id=\"front\">\n");
    put_text(p, markup);
    put_text(p, "</div>\n");
    p->fronted = true;
    return vxe_file_check(&p->file, error);
}

/* Writes what does not move: cells, materials and phases of voxels, then the corners of each vertex
   and the faces of the surface; faces of affine bodies have their hidden sides behind them. Cells,
   corners, vertices and voxels of faces are stored as differences from the one before. */
static void put_body(const vxe_design *design, const vxe_mesh *mesh, vxe_bytes *bytes)
{
    int64_t cell[3] = {0, 0, 0};
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            vxe_bytes_put_signed(bytes, design->voxels[v].position[c] - cell[c]);
            cell[c] = design->voxels[v].position[c];
        }
        vxe_bytes_put_signed(bytes, design->voxels[v].material);
        vxe_bytes_put_signed(bytes, llrint(PHASE_STEPS * vxe_phase_of(design, v)));
    }
    int64_t before = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        vxe_bytes_put_signed(bytes, mesh->first[i + 1] - mesh->first[i]);
        for (uint32_t k = mesh->first[i]; k < mesh->first[i + 1]; k++) {
            vxe_bytes_put_signed(bytes, mesh->corner[k] - before);
            before = mesh->corner[k];
        }
    }
    int64_t voxel = 0;
    before = 0;
    for (uint32_t i = 0; i < mesh->quad_count; i++) {
        vxe_bytes_put_signed(bytes, (int64_t)mesh->quads[i].voxel - voxel);
        voxel = mesh->quads[i].voxel;
        for (int k = 0; k < 4; k++) {
            vxe_bytes_put_signed(bytes, mesh->quads[i].vertex[k] - before);
            before = mesh->quads[i].vertex[k];
        }
        if (mesh->quads[i].voxel >= design->voxel_count) {
            vxe_bytes_put_signed(bytes, mesh->quads[i].hidden);
        }
    }
}

static json_t *describe_materials(const vxe_design *design, const float *colors)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < design->material_count; i++) {
        const vxe_material *m = &design->materials[i];
        const float *own = colors + 3 * (size_t)i;
        const double color[3] = {(double)own[0], (double)own[1], (double)own[2]};
        json_array_append_new(list,
                              json_pack("{s:o, s:f, s:o, s:b}", "name", vxe_scene_string(m->name),
                                        "density", m->density, "color", vxe_scene_array(color, 3),
                                        "acts", m->thermal_expansion != 0));
    }
    return list;
}

/* Describes affine bodies: name, colour, centroid, mass (kg), and vertices relative to the centroid
   of the undeformed body (m). */
static json_t *describe_bodies(const vxe_design *design, const vxe_mesh *mesh)
{
    json_t *list = json_array();
    for (uint32_t b = 0; b < design->affine_count; b++) {
        const vxe_affine_body *body = &design->affine[b];
        const float *own = vxe_body_color(b);
        const double color[3] = {(double)own[0], (double)own[1], (double)own[2]};
        double moments[9];
        double volume = 0;
        json_t *arms = json_array();
        (void)vxe_affine_shape_moments(&body->shape, &volume, moments, NULL);
        for (uint32_t i = 0; i < mesh->body_vertex_count; i++) {
            for (int c = 0; c < 3 && mesh->body_vertices[i].body == b; c++) {
                json_array_append_new(arms, json_real(mesh->body_vertices[i].arm[c]));
            }
        }
        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o, s:f, s:o}", "name", vxe_scene_string(body->name), "color",
                      vxe_scene_array(color, 3), "center", vxe_scene_array(body->center, 3), "mass",
                      volume * body->number[VXE_AFFINE_DENSITY], "arms", arms));
    }
    return list;
}

/* Densities of voxels of their own, in design order; null where those of the materials hold. */
static json_t *describe_densities(const vxe_design *design)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Density");
    return layer ? vxe_scene_array(layer->values, design->voxel_count) : NULL;
}

static json_t *describe_resolutions(const vxe_frame_codec *codec)
{
    json_t *object = json_object();
    for (int f = 0; f < VXE_CODEC_FIELDS; f++) {
        if (codec->scale.resolution[f] > 0) {
            json_object_set_new(object, vxe_frame_codec_names[f],
                                json_real(codec->scale.resolution[f]));
        }
    }
    return object;
}

/* Notes whether a description is whole that was begun with that number of failures. */
static void end_describing(vxe_page *p, uint64_t failures)
{
    p->lost = p->lost || vxe_memory_check(failures, NULL);
}

/* Describes a robot: all that its frames do not hold. colors: of materials, as shown. */
static json_t *describe(const vxe_page *p, const vxe_design *design, const char *name,
                        const vxe_mesh *mesh, const float *colors)
{
    return json_pack("{s:o, s:i, s:i, s:i, s:f, s:o, s:o*, s:o, s:o, s:o}", "name",
                     vxe_scene_string(name), "voxels", (int)design->voxel_count, "vertices",
                     (int)mesh->vertex_count, "quads", (int)mesh->quad_count, "edge",
                     design->voxel_size, "materials", describe_materials(design, colors),
                     "densities", describe_densities(design), "resolution",
                     describe_resolutions(&p->codec), "floor", vxe_scene_floor(&design->floor),
                     "bodies", describe_bodies(design, mesh));
}

static vxe_status end_block(vxe_page *p, vxe_error *error)
{
    if (p->in_block == 0) {
        return VXE_OK;
    }
    VXE_ASSERT(p->in_block <= BLOCK_FRAMES && p->design);
    const uint64_t failures = vxe_json_watch();
    json_array_append_new(p->frames, json_integer(p->in_block));
    end_describing(p, failures);
    const vxe_status status = put_bytes(p, "block", true, &p->block, error);
    p->in_block = 0;
    p->block.size = 0;
    vxe_frame_codec_restart(&p->codec);
    return status;
}

vxe_status vxe_page_end_robot(vxe_page *p, vxe_error *error)
{
    if (!p->design) {
        return VXE_OK;
    }
    vxe_status status = end_block(p, error);
    if (!status && p->lost) {
        status = vxe_error_memory(error, p->bytes);
    } else if (!status && json_array_size(p->times) == 0) {
        status = vxe_error_fill(error, VXE_ERROR_ARGUMENT, "a robot of the page has no frame");
    }
    const uint64_t failures = vxe_json_watch();
    json_t *last = json_array_get(p->robots, json_array_size(p->robots) - 1);
    json_object_set_new(last, "frames", p->frames);
    json_object_set_new(last, "times", p->times);
    end_describing(p, failures);
    p->frames = NULL;
    p->times = NULL;
    p->design = NULL;
    vxe_frame_codec_clear(&p->codec);
    return status;
}

/* Begins a robot or a ghost. */
static vxe_status begin(vxe_page *p, const vxe_design *design, const char *name, vxe_error *error)
{
    const vxe_frame_codec_scale scale = vxe_frame_codec_scale_of(design, parts);
    vxe_mesh mesh = {0};
    vxe_bytes bytes = {0};
    float *colors = NULL;
    vxe_status status = vxe_page_end_robot(p, error);
    if (!status && p->voxels + design->voxel_count > VXE_PAGE_VOXELS) {
        status =
            vxe_error_at(error, VXE_ERROR_UNSUPPORTED, p->file.path, 0, 0,
                         "a page shows at most %u voxels, not %" PRIu64 ": record to .vxr or .pvd",
                         VXE_PAGE_VOXELS, p->voxels + design->voxel_count);
    }
    status = status ? status : vxe_mesh_init(&mesh, design, false, error);
    status = status ? status : vxe_mesh_add_bodies(&mesh, design, error);
    status = status ? status : vxe_material_colors(design, &colors, error);
    status = status ? status : vxe_frame_codec_begin(&p->codec, design, &scale, error);
    if (!status) {
        p->codec.max = MAX_NUMBER;
        VXE_ASSERT(!p->design && !p->frames && !p->times && p->in_block == 0);
        p->voxels += design->voxel_count;
        p->design = design;
        const uint64_t failures = vxe_json_watch();
        p->frames = json_array();
        p->times = json_array();
        json_array_append_new(p->robots, describe(p, design, name, &mesh, colors));
        status = vxe_memory_check(failures, error);
        put_body(design, &mesh, &bytes);
        status = status ? status : put_bytes(p, "body", true, &bytes, error);
    }
    vxe_memory_release(colors);
    vxe_bytes_clear(&bytes);
    vxe_mesh_clear(&mesh);
    return status;
}

/* Writes the design of a robot as a scene, for the studio, which has no larger ones and none
   without voxels. */
static vxe_status put_scene(vxe_page *p, const vxe_design *design, vxe_error *error)
{
    vxe_bytes text = {0};
    uint64_t size = 0;
    vxe_error inner = {.status = VXE_OK};
    if (design->voxel_count == 0 || design->voxel_count > STUDIO_VOXELS) {
        return VXE_OK;
    }
    char *scene = vxe_design_text(design, &size, &inner);
    if (!scene) { /* what can be shown need not be a design that can be run */
        return inner.status == VXE_ERROR_MEMORY ? vxe_error_memory(error, p->bytes) : VXE_OK;
    }
    vxe_bytes_put(&text, scene, size);
    const vxe_status status = put_bytes(p, "scene", false, &text, error);
    vxe_bytes_clear(&text);
    vxe_memory_release(scene);
    return status;
}

vxe_status vxe_page_put_studio(vxe_page *p, const char *html, uint64_t size, vxe_error *error)
{
    vxe_bytes text = {0};
    if (p->has_studio) {
        return VXE_OK;
    }
    p->has_studio = true;
    vxe_bytes_put(&text, html, size);
    const vxe_status status = put_packed(p, "id=\"studio\"", false, &text, error);
    vxe_bytes_clear(&text);
    return status;
}

vxe_status vxe_page_begin_robot(vxe_page *p, const vxe_design *design, const char *name,
                                vxe_error *error)
{
    vxe_status status = begin(p, design, name, error);
    status = status ? status : put_scene(p, design, error);
    p->shown = status ? p->shown : json_array_size(p->robots) - 1;
    return status;
}

vxe_status vxe_page_begin_ghost(vxe_page *p, const vxe_design *design, const char *name,
                                vxe_error *error)
{
    VXE_ASSERT(json_array_size(p->robots) > 0);
    const vxe_status status = begin(p, design, name, error);
    if (!status) {
        const uint64_t failures = vxe_json_watch();
        json_object_set_new(json_array_get(p->robots, json_array_size(p->robots) - 1), "ghost_of",
                            json_integer((json_int_t)p->shown));
        end_describing(p, failures);
    }
    return status;
}

void vxe_page_note(vxe_page *p, const char *note)
{
    const uint64_t failures = vxe_json_watch();
    json_t *last = json_array_get(p->robots, json_array_size(p->robots) - 1);
    json_object_set_new(last, "note", vxe_scene_string(note));
    end_describing(p, failures);
}

vxe_status vxe_page_add(vxe_page *p, const vxe_frame *frame, vxe_error *error)
{
    if (!p->design) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "a frame before any robot was begun");
    }
    vxe_status status =
        vxe_frame_fits(frame, p->design->voxel_count, p->design->affine_count, error);
    status = status ? status : vxe_frame_codec_put(&p->codec, frame, &p->block, error);
    if (status) {
        return status;
    }
    p->in_block++;
    const uint64_t failures = vxe_json_watch();
    json_array_append_new(p->times, json_real(frame->time));
    end_describing(p, failures);
    return p->in_block == BLOCK_FRAMES || p->in_block * p->codec.values >= BLOCK_VALUES
               ? end_block(p, error)
               : VXE_OK;
}

/* Writes the end of the page, after all robots: their descriptions and the scripts that show
   them. */
static vxe_status put_end(vxe_page *p, vxe_error *error)
{
    if (json_array_size(p->robots) == 0 && !p->fronted) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "the page has no robot");
    }
    const uint64_t failures = vxe_json_watch();
    char *text = json_dumps(p->robots, JSON_COMPACT | JSON_REAL_PRECISION(9));
    end_describing(p, failures);
    if (!text || p->lost) {
        free(text);
        return vxe_error_memory(error, p->bytes);
    }
    put_text(p, "<script type=\"application/json\" id=\"robots\">");
    for (const char *at = text; *at; at++) { /* a name must not end the element */
        if (*at == '<') {
            put_text(p, "\\u003c");
        } else {
            fputc(*at, p->file.stream);
        }
    }
    free(text);
    put_text(p, "</script>\n");
    put_script(p, vxe_page_common);
    put_script(p, vxe_page_robots);
    put_script(p, vxe_page_colors);
    put_script(p, vxe_page_surface);
    put_script(p, vxe_page_scene);
    put_script(p, vxe_page_studio);
    put_script(p, vxe_page_player);
    put_text(p, "</body>\n</html>\n");
    return vxe_file_check(&p->file, error);
}

vxe_status vxe_page_close(vxe_page *p, vxe_error *error)
{
    vxe_status status = vxe_page_end_robot(p, error);
    status = status ? status : put_end(p, error);
    status = status ? status : vxe_file_commit(&p->file, error);
    vxe_page_abandon(p);
    return status;
}

void vxe_page_abandon(vxe_page *p)
{
    if (p) {
        vxe_file_abandon(&p->file);
        json_decref(p->robots);
        json_decref(p->frames);
        json_decref(p->times);
        vxe_frame_codec_clear(&p->codec);
        vxe_bytes_clear(&p->block);
        vxe_bytes_clear(&p->packed);
        vxe_memory_release(p);
    }
}
