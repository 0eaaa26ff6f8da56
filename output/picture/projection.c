/* SPDX-License-Identifier: MIT */
/* Projects a body and its floor with a perspective camera (cglm). */
#include "output/picture/projection.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "output/view/colors.h"

/* Brightness of a face that looks away from the light, of 1. */
#define SHADE 0.55f
/* Cells of the floor's grid along each direction. */
#define GRID 24
/* Half the height of a picture as a multiple of the largest body radius, and the vertical field of
   view of the camera in degrees. */
#define MARGIN 1.15
#define FIELD_OF_VIEW 30.0f

const float vxe_paper[3] = {0.957f, 0.961f, 0.969f};
const float vxe_floor_line[3] = {0.72f, 0.75f, 0.80f};
const float vxe_edge_line[3] = {0.12f, 0.14f, 0.17f};
const float vxe_ink[3] = {0.28f, 0.33f, 0.40f};

/* A camera that looks at the middle of the body, and its transform from places relative to that
   middle to the picture. */
typedef struct camera {
    mat4 projection;
    vec3 eye; /* m, relative to the middle */
    double middle[3];
    float width, height; /* pixels */
    float nearest;       /* m: what is not further away is not drawn */
} camera;

double vxe_view_box(const vxe_mesh *mesh, const vxe_frame *frame, double low[3], double high[3])
{
    double edge = 0;
    for (size_t c = 0; c < 3; c++) {
        low[c] = HUGE_VAL;
        high[c] = -HUGE_VAL;
    }
    for (size_t v = 0; v < frame->voxels; v++) {
        for (size_t c = 0; c < 3; c++) {
            low[c] = fmin(low[c], frame->position[3 * v + c]);
            high[c] = fmax(high[c], frame->position[3 * v + c]);
        }
        edge = fmax(edge, frame->edge[v]);
    }
    for (size_t i = 0; i < mesh->body_vertex_count; i++) {
        double place[3];
        vxe_mesh_place_body(&mesh->body_vertices[i], frame, place);
        for (size_t c = 0; c < 3; c++) {
            low[c] = fmin(low[c], place[c]);
            high[c] = fmax(high[c], place[c]);
        }
    }
    return edge;
}

/* Computes the middle and the radius of the box around all voxels and affine bodies. */
static void find_middle(const vxe_mesh *mesh, const vxe_frame *frame, double middle[3],
                        double *radius)
{
    double low[3];
    double high[3];
    const double edge = vxe_view_box(mesh, frame, low, high);
    double square = 0;
    for (size_t c = 0; c < 3; c++) {
        middle[c] = 0.5 * (low[c] + high[c]);
        const double half = 0.5 * (high[c] - low[c] + edge);
        square += half * half;
    }
    *radius = sqrt(square);
}

void vxe_view_raise(vxe_view *view, const vxe_frame *frame)
{
    for (uint32_t v = 0; v < frame->voxels; v++) {
        view->strain = fmax(view->strain, fabs(vxe_largest_strain(frame, v)));
        view->energy = fmax(view->energy, frame->energy[v]);
        view->contact = fmax(view->contact, frame->contact[v]);
    }
}

vxe_view vxe_view_of(const vxe_mesh *mesh, const vxe_frame *const *frames, uint32_t count)
{
    vxe_view view = {0};
    for (uint32_t i = 0; i < count; i++) {
        double middle[3];
        double radius = 0;
        find_middle(mesh, frames[i], middle, &radius);
        view.reach = fmax(view.reach, MARGIN * radius);
        vxe_view_raise(&view, frames[i]);
    }
    view.strain = view.strain > 0 ? view.strain : 1;
    view.energy = view.energy > 0 ? view.energy : 1;
    view.contact = view.contact > 0 ? view.contact : 1;
    return view;
}

double vxe_view_reach(double radius, double width, double height)
{
    const double half = (double)glm_rad(FIELD_OF_VIEW) / 2;
    return MARGIN * radius / cos(half) / fmin(width / height, 1);
}

/* m: from the camera to the middle. In a narrow picture, the width limits what must be seen. */
static float distance_of(const vxe_view *view, const uint32_t size[2])
{
    if (view->is_asked) {
        return (float)view->reach / tanf(glm_rad(FIELD_OF_VIEW) / 2);
    }
    const float aspect = (float)size[0] / (float)size[1];
    return (float)view->reach / sinf(glm_rad(FIELD_OF_VIEW) / 2) / fminf(aspect, 1);
}

double vxe_view_pixels_per_meter(const vxe_view *view, const uint32_t size[2])
{
    const float high = 2 * distance_of(view, size) * tanf(glm_rad(FIELD_OF_VIEW) / 2);
    return (double)((float)size[1] / high);
}

static void aim(camera *cam, const vxe_mesh *mesh, const vxe_frame *frame, const vxe_view *view,
                const vxe_picture_def *def, const uint32_t size[2])
{
    VXE_ASSERT(size[0] > 0 && size[1] > 0);
    double radius = 0;
    mat4 look;
    mat4 lens;
    const float field = glm_rad(FIELD_OF_VIEW);
    const float around = glm_rad((float)def->azimuth);
    const float above = glm_rad((float)def->elevation);
    const float aspect = (float)size[0] / (float)size[1];
    const float far = distance_of(view, size);
    find_middle(mesh, frame, cam->middle, &radius);
    if (view->is_asked) {
        memcpy(cam->middle, def->middle, sizeof cam->middle);
    }
    cam->nearest = view->is_asked ? far / 100 : 0; /* a whole body is never so close */
    cam->width = (float)size[0];
    cam->height = (float)size[1];
    glm_vec3_copy((vec3){far * cosf(above) * cosf(around), far * cosf(above) * sinf(around),
                         far * sinf(above)},
                  cam->eye);
    /* this up vector works for a camera straight above too */
    glm_lookat(cam->eye, (vec3){0, 0, 0},
               (vec3){-sinf(above) * cosf(around), -sinf(above) * sinf(around), cosf(above)}, look);
    glm_perspective(field, aspect, far / 100, far * 20, lens);
    glm_mat4_mul(lens, look, cam->projection);
}

/* Projects a place to pixels. Returns false where it is behind the camera or close to it. */
static bool project(camera *cam, const double place[3], vxe_point *point)
{
    vec4 at = {(float)(place[0] - cam->middle[0]), (float)(place[1] - cam->middle[1]),
               (float)(place[2] - cam->middle[2]), 1};
    vec4 seen;
    glm_mat4_mulv(cam->projection, at, seen);
    if (!(seen[3] > cam->nearest)) {
        return false;
    }
    point->x = 0.5f * cam->width * (1 + seen[0] / seen[3]);
    point->y = 0.5f * cam->height * (1 - seen[1] / seen[3]);
    point->depth = seen[2] / seen[3];
    return true;
}

/* Brightness of a face. The light comes from above and from the left of the camera. */
static float light_on(const camera *cam, const double *places, const vxe_quad *quad)
{
    vec3 u;
    vec3 v;
    vec3 normal;
    vec3 sun;
    for (int c = 0; c < 3; c++) {
        u[c] = (float)(places[3 * (size_t)quad->vertex[2] + (size_t)c] -
                       places[3 * (size_t)quad->vertex[0] + (size_t)c]);
        v[c] = (float)(places[3 * (size_t)quad->vertex[3] + (size_t)c] -
                       places[3 * (size_t)quad->vertex[1] + (size_t)c]);
    }
    glm_vec3_crossn(u, v, normal);
    glm_vec3_copy((vec3){cam->eye[0] + 0.7f * cam->eye[1], cam->eye[1] - 0.7f * cam->eye[0],
                         1.6f * hypotf(hypotf(cam->eye[0], cam->eye[1]), cam->eye[2])},
                  sun);
    glm_vec3_normalize(sun);
    const float part = glm_vec3_dot(normal, sun);
    return SHADE + (1 - SHADE) * fmaxf(part, 0);
}

/* Twice the area of a patch in the picture; the sign tells the sense of rotation. */
static float area_of(const vxe_point corner[4])
{
    return (corner[2].x - corner[0].x) * (corner[3].y - corner[1].y) -
           (corner[2].y - corner[0].y) * (corner[3].x - corner[1].x);
}

static int farther_first(const void *one, const void *two)
{
    const vxe_patch *a = one;
    const vxe_patch *b = two;
    if (a->depth < b->depth || a->depth > b->depth) {
        return a->depth < b->depth ? 1 : -1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Projects the faces that look at the camera and sorts them, the farthest first. */
static vxe_status take_patches(vxe_projection *projection, camera *cam, const vxe_design *design,
                               const vxe_mesh *mesh, const vxe_frame *frame, const vxe_view *view,
                               vxe_coloring coloring, vxe_error *error)
{
    double *places = vxe_memory_take(3ull * mesh->vertex_count, sizeof *places);
    projection->patches = vxe_memory_take(mesh->quad_count, sizeof *projection->patches);
    if (!places || !projection->patches) {
        vxe_memory_release(places);
        return vxe_error_memory(error, mesh->quad_count * sizeof *projection->patches);
    }
    vxe_mesh_place(mesh, frame, places);
    for (uint32_t i = 0; i < mesh->quad_count; i++) {
        const vxe_quad *quad = &mesh->quads[i];
        vxe_patch patch = {.hidden = quad->hidden};
        bool seen = true;
        for (int k = 0; k < 4; k++) {
            seen = project(cam, places + 3 * (size_t)quad->vertex[k], &patch.corner[k]) && seen;
            patch.depth += 0.25f * patch.corner[k].depth;
        }
        if (seen && area_of(patch.corner) < 0) { /* since y grows downwards, a counter-clockwise
                                                    patch has a negative area */
            const float light = light_on(cam, places, quad);
            vxe_color_of(design, frame, view, coloring, quad->voxel, patch.color);
            glm_vec3_scale(patch.color, light, patch.color);
            patch.number = projection->patch_count;
            projection->patches[projection->patch_count++] = patch;
        }
    }
    vxe_memory_release(places);
    qsort(projection->patches, projection->patch_count, sizeof *projection->patches, farther_first);
    return VXE_OK;
}

/* Rounds up to 1, 2 or 5 times a power of ten. */
static double round_up(double number)
{
    const double power = pow(10, floor(log10(number)));
    const double part = number / power;
    return power * (part <= 1.0001 ? 1 : part <= 2.0001 ? 2 : part <= 5.0001 ? 5 : 10);
}

double vxe_view_spacing(const vxe_view *view)
{
    return round_up(view->reach / 4);
}

/* Adds a piece of a grid line, where there is floor below both its ends. */
static void put_stroke(vxe_projection *projection, camera *cam, const vxe_floor *floor,
                       const double from[2], const double to[2])
{
    const double a[3] = {from[0], from[1], vxe_floor_level(floor, from[0], from[1])};
    const double b[3] = {to[0], to[1], vxe_floor_level(floor, to[0], to[1])};
    vxe_stroke stroke;
    if (isfinite(a[2]) && isfinite(b[2]) && project(cam, a, &stroke.end[0]) &&
        project(cam, b, &stroke.end[1])) {
        VXE_ASSERT(projection->stroke_count < 2 * (GRID + 1) * GRID);
        projection->strokes[projection->stroke_count++] = stroke;
    }
}

/* Adds the lines of the floor's grid at multiples of a round spacing, so that they stay in place
   from frame to frame. */
static vxe_status take_floor(vxe_projection *projection, camera *cam, const vxe_floor *floor_,
                             const vxe_view *view, vxe_error *error)
{
    const double spacing = vxe_view_spacing(view);
    const double first[2] = {floor(cam->middle[0] / spacing) - GRID / 2.0,
                             floor(cam->middle[1] / spacing) - GRID / 2.0};
    projection->strokes = vxe_memory_take(2ull * (GRID + 1) * GRID, sizeof *projection->strokes);
    if (!projection->strokes) {
        return vxe_error_memory(error, 2ull * GRID * GRID * sizeof *projection->strokes);
    }
    for (int i = 0; i <= GRID; i++) {
        for (int k = 0; k < GRID; k++) {
            const double along[2][2] = {{spacing * (first[0] + i), spacing * (first[1] + k)},
                                        {spacing * (first[0] + i), spacing * (first[1] + k + 1)}};
            const double across[2][2] = {{spacing * (first[0] + k), spacing * (first[1] + i)},
                                         {spacing * (first[0] + k + 1), spacing * (first[1] + i)}};
            put_stroke(projection, cam, floor_, along[0], along[1]);
            put_stroke(projection, cam, floor_, across[0], across[1]);
        }
    }
    return VXE_OK;
}

vxe_status vxe_projection_take(vxe_projection *projection, const vxe_design *design,
                               const vxe_mesh *mesh, const vxe_frame *frame, const vxe_view *view,
                               const vxe_picture_def *def, const uint32_t size[2], vxe_error *error)
{
    camera cam;
    *projection = (vxe_projection){0};
    aim(&cam, mesh, frame, view, def, size);
    vxe_status status =
        take_patches(projection, &cam, design, mesh, frame, view, def->coloring, error);
    if (!status && design->floor.enabled) {
        status = take_floor(projection, &cam, &design->floor, view, error);
    }
    if (status) {
        vxe_projection_clear(projection);
    }
    return status;
}

void vxe_projection_clear(vxe_projection *projection)
{
    vxe_memory_release(projection->patches);
    vxe_memory_release(projection->strokes);
    *projection = (vxe_projection){0};
}
