/* SPDX-License-Identifier: MIT */
/* Writes animated surfaces as binary glTF (gltf.h). Frames are collected in memory; the file is
   composed when the recording is closed, because glTF has counts and sizes at its head. */
#include "output/view/gltf.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/bytes_internal.h"
#include "common/file_internal.h"
#include "common/float_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/topology_internal.h"
#include "output/view/colors.h"
#include "output/view/mesh.h"

#define MAX_JOINTS 65535u
#define MAX_BYTES (1ull << 30)
/* Floats of a joint in a frame: translation, rotation, scale; where each begins, and how many there
   are. */
enum { PLACE = 0, TURN = 3, SIZE = 7, NUMBERS = 10 };
/* Constants of the glTF specification (GLTF). */
enum { MAGIC = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942 };
enum { U16 = 5123, U32 = 5125, FLOAT = 5126, VERTICES = 34962, INDICES = 34963 };

struct vxe_gltf {
    const vxe_design *design;
    vxe_file_writer file;
    vxe_mesh mesh;
    vxe_material_faces faces;
    float *colors;      /* (materials, 3) */
    uint32_t *joint_of; /* (voxels) joint of each voxel; VXE_NONE for voxels inside the body */
    uint32_t *voxel_of; /* (joint_count) voxel of each joint */
    uint32_t joint_count;
    uint64_t frames;
    vxe_bytes moves;  /* (frames, joints, NUMBERS) floats */
    vxe_bytes times;  /* (frames) floats */
    vxe_bytes binary; /* binary chunk of the file */
    json_t *views, *accessors;
    float first_time, last_time;
};

/* Gives a joint to each voxel that has a corner on the surface. */
static vxe_status find_joints(vxe_gltf *g, vxe_error *error)
{
    const uint32_t voxels = g->design->voxel_count;
    g->joint_of = vxe_memory_take(voxels, sizeof *g->joint_of);
    g->voxel_of = vxe_memory_take(voxels, sizeof *g->voxel_of);
    if (!g->joint_of || !g->voxel_of) {
        return vxe_error_memory(error, 8ull * voxels);
    }
    for (uint32_t v = 0; v < voxels; v++) {
        bool outer = false;
        for (int k = 0; k < 8; k++) {
            outer = outer || g->mesh.vertex_of[8 * (size_t)v + (size_t)k] != VXE_NONE;
        }
        g->joint_of[v] = outer ? g->joint_count : VXE_NONE;
        if (outer) {
            g->voxel_of[g->joint_count++] = v;
        }
    }
    return g->joint_count <= MAX_JOINTS
               ? VXE_OK
               : vxe_error_at(error, VXE_ERROR_UNSUPPORTED, g->file.path, 0, 0,
                              "a surface of %u voxels: a .glb has at most %u joints",
                              g->joint_count, MAX_JOINTS);
}

vxe_gltf *vxe_gltf_create(const vxe_design *design, const char *path, vxe_error *error)
{
    vxe_gltf *g = vxe_memory_take(1, sizeof *g);
    if (!g) {
        (void)vxe_error_memory(error, sizeof *g);
        return NULL;
    }
    g->design = design;
    const uint64_t failures = vxe_json_watch();
    g->views = json_array();
    g->accessors = json_array();
    if (vxe_material_colors(design, &g->colors, error) || vxe_memory_check(failures, error) ||
        vxe_file_begin(&g->file, path, error) || vxe_mesh_init(&g->mesh, design, false, error) ||
        vxe_mesh_sort_faces(&g->mesh, design, &g->faces, error) || find_joints(g, error)) {
        vxe_gltf_abandon(g);
        return NULL;
    }
    return g;
}

vxe_status vxe_gltf_add(vxe_gltf *g, const vxe_frame *frame, vxe_error *error)
{
    const vxe_status wrong =
        vxe_frame_fits(frame, g->design->voxel_count, g->design->affine_count, error);
    if (wrong) {
        return wrong;
    }
    if (g->moves.size + 4ull * NUMBERS * g->joint_count > MAX_BYTES) {
        return vxe_error_at(error, VXE_ERROR_UNSUPPORTED, g->file.path, 0, 0,
                            "a .glb of more than %llu bytes: take fewer frames", MAX_BYTES);
    }
    for (uint32_t j = 0; j < g->joint_count; j++) {
        const size_t v = g->voxel_of[j];
        const double *q = frame->orientation + 4 * v;
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (size_t c = 0; c < 3; c++) {
            vxe_bytes_put_float(&g->moves, frame->position[3 * v + c]);
        }
        for (int c = 1; c <= 4; c++) { /* glTF has the order x y z w */
            vxe_bytes_put_float(&g->moves, q[c % 4] / length);
        }
        for (int c = 0; c < 3; c++) {
            vxe_bytes_put_float(&g->moves, frame->edge[v] / g->design->voxel_size);
        }
    }
    vxe_bytes_put_float(&g->times, frame->time);
    g->first_time = g->frames == 0 ? (float)frame->time : g->first_time;
    g->last_time = (float)frame->time;
    g->frames++;
    return g->moves.bad || g->times.bad ? vxe_error_memory(error, g->moves.size) : VXE_OK;
}

/* Describes the bytes of the binary chunk from `from` to its end as a buffer view. Returns its
   index. */
static json_int_t end_view(vxe_gltf *g, uint64_t from, int target)
{
    VXE_ASSERT(from <= g->binary.size);
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)from,
                             "byteLength", (json_int_t)(g->binary.size - from));
    if (target) {
        json_object_set_new(view, "target", json_integer(target));
    }
    json_array_append_new(g->views, view);
    return (json_int_t)json_array_size(g->views) - 1;
}

static json_int_t add_accessor(vxe_gltf *g, json_int_t view, uint64_t offset, int type,
                               const char *kind, uint64_t count)
{
    VXE_ASSERT(offset % 4 == 0); /* of components of four bytes */
    json_array_append_new(g->accessors, json_pack("{s:I, s:I, s:i, s:s, s:I}", "bufferView", view,
                                                  "byteOffset", (json_int_t)offset, "componentType",
                                                  type, "type", kind, "count", (json_int_t)count));
    return (json_int_t)json_array_size(g->accessors) - 1;
}

/* Sets the smallest and the largest values of an accessor. */
static void bound(const vxe_gltf *g, json_int_t accessor, const double *low, const double *high,
                  size_t count)
{
    json_t *object = json_array_get(g->accessors, (size_t)accessor); /* null without memory */
    json_object_set_new(object, "min", vxe_scene_array(low, count));
    json_object_set_new(object, "max", vxe_scene_array(high, count));
}

/* Centre of a voxel's cell along an axis, m. */
static double cell_middle(const vxe_design *design, uint32_t voxel, int axis)
{
    return (design->voxels[voxel].position[axis] + 0.5) * design->voxel_size;
}

/* Writes the vertices at rest. They are rounded to float first, since the bounds of the accessor
   must be exact. */
static json_int_t put_places(vxe_gltf *g)
{
    const uint64_t from = g->binary.size;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < g->mesh.vertex_count; i++) {
        const uint32_t corner = g->mesh.corner[g->mesh.first[i]];
        for (int c = 0; c < 3; c++) {
            const double half = (corner >> c & 1 ? 0.5 : -0.5) * g->design->voxel_size;
            const double at = vxe_as_float(cell_middle(g->design, corner / 8, c) + half);
            low[c] = fmin(low[c], at);
            high[c] = fmax(high[c], at);
            vxe_bytes_put_float(&g->binary, at);
        }
    }
    const json_int_t accessor =
        add_accessor(g, end_view(g, from, VERTICES), 0, FLOAT, "VEC3", g->mesh.vertex_count);
    bound(g, accessor, low, high, 3);
    return accessor;
}

/* Writes, for each vertex, four of the up to eight joints that move it, or their weights. Set 0 has
   the first four, set 1 the others. */
static json_int_t put_influences(vxe_gltf *g, uint32_t set, bool weights)
{
    const uint64_t from = g->binary.size;
    for (uint32_t i = 0; i < g->mesh.vertex_count; i++) {
        const uint32_t first = g->mesh.first[i];
        const uint32_t count = g->mesh.first[i + 1] - first;
        VXE_ASSERT(count > 0 && count <= 8);
        for (uint32_t k = 4 * set; k < 4 * set + 4; k++) {
            const bool there = k < count;
            if (weights) {
                vxe_bytes_put_float(&g->binary, there ? 1.0 / count : 0);
            } else {
                const uint32_t joint = there ? g->joint_of[g->mesh.corner[first + k] / 8] : 0;
                VXE_ASSERT(joint < g->joint_count);
                const uint8_t bytes[2] = {(uint8_t)joint, (uint8_t)(joint >> 8)};
                vxe_bytes_put(&g->binary, bytes, 2);
            }
        }
    }
    return add_accessor(g, end_view(g, from, VERTICES), 0, weights ? FLOAT : U16, "VEC4",
                        g->mesh.vertex_count);
}

/* Writes the inverse bind matrices, by columns: they take a vertex at rest into the frame of its
   joint. */
static json_int_t put_rest(vxe_gltf *g)
{
    const uint64_t from = g->binary.size;
    for (uint32_t j = 0; j < g->joint_count; j++) {
        for (int k = 0; k < 16; k++) {
            const int c = k - 12;
            vxe_bytes_put_float(&g->binary, k % 5 == 0 ? 1
                                            : c >= 0 && c < 3
                                                ? -cell_middle(g->design, g->voxel_of[j], c)
                                                : 0);
        }
    }
    return add_accessor(g, end_view(g, from, 0), 0, FLOAT, "MAT4", g->joint_count);
}

/* Writes the triangles of a material. Returns -1 where it has none. */
static json_int_t put_faces(vxe_gltf *g, uint32_t material)
{
    static const int corners[6] = {0, 1, 2, 0, 2, 3};
    const uint64_t from = g->binary.size;
    for (uint32_t i = g->faces.first[material]; i < g->faces.first[material + 1]; i++) {
        const vxe_quad *quad = &g->mesh.quads[g->faces.face[i]];
        for (int k = 0; k < 6; k++) {
            vxe_bytes_put_u32(&g->binary, quad->vertex[corners[k]]);
        }
    }
    const uint64_t count = (g->binary.size - from) / 4;
    return count > 0 ? add_accessor(g, end_view(g, from, INDICES), 0, U32, "SCALAR", count) : -1;
}

/* Converts a colour channel of a design (sRGB) to linear light, as glTF has it, by the power
   2.2. */
static double light_of(float screen)
{
    return pow(fmin(fmax((double)screen, 0), 1), 2.2);
}

static json_t *describe_material(const vxe_material *m, const float color[3])
{
    return json_pack("{s:o, s:{s:[f,f,f,f], s:f, s:f}}", "name", vxe_scene_string(m->name),
                     "pbrMetallicRoughness", "baseColorFactor", light_of(color[0]),
                     light_of(color[1]), light_of(color[2]), 1.0, "metallicFactor", 0.0,
                     "roughnessFactor", 0.8);
}

static json_t *describe_mesh(vxe_gltf *g, json_t *materials)
{
    json_t *parts = json_array();
    const json_int_t places = put_places(g);
    const json_int_t joints[2] = {put_influences(g, 0, false), put_influences(g, 1, false)};
    const json_int_t weights[2] = {put_influences(g, 0, true), put_influences(g, 1, true)};
    for (uint32_t m = 0; m < g->design->material_count; m++) {
        const json_int_t faces = put_faces(g, m);
        if (faces >= 0) {
            json_array_append_new(
                parts, json_pack("{s:{s:I, s:I, s:I, s:I, s:I}, s:I, s:i}", "attributes",
                                 "POSITION", places, "JOINTS_0", joints[0], "JOINTS_1", joints[1],
                                 "WEIGHTS_0", weights[0], "WEIGHTS_1", weights[1], "indices", faces,
                                 "material", (int)json_array_size(materials)));
            json_array_append_new(
                materials, describe_material(&g->design->materials[m], g->colors + 3 * (size_t)m));
        }
    }
    return json_pack("[{s:o}]", "primitives", parts);
}

/* Writes a joint's translation, rotation or scale in all frames: `count` floats from `place` on.
   Returns the accessor. */
static json_int_t put_moves(vxe_gltf *g, json_int_t view, uint64_t start, uint32_t joint,
                            uint32_t place, uint32_t count)
{
    VXE_ASSERT(joint < g->joint_count && place + count <= NUMBERS && (count == 3 || count == 4));
    const uint64_t from = g->binary.size;
    for (uint64_t k = 0; k < g->frames; k++) {
        const uint64_t at = 4 * ((k * g->joint_count + joint) * NUMBERS + place);
        vxe_bytes_put(&g->binary, g->moves.data + at, 4ull * count);
    }
    return add_accessor(g, view, from - start, FLOAT, count == 4 ? "VEC4" : "VEC3", g->frames);
}

static json_t *describe_animation(vxe_gltf *g)
{
    static const char *const paths[3] = {"translation", "rotation", "scale"};
    static const uint32_t places[4] = {PLACE, TURN, SIZE, NUMBERS};
    json_t *samplers = json_array();
    json_t *channels = json_array();
    const double low = (double)g->first_time;
    const double high = (double)g->last_time;
    uint64_t from = g->binary.size;
    vxe_bytes_put(&g->binary, g->times.data, g->times.size);
    const json_int_t times = add_accessor(g, end_view(g, from, 0), 0, FLOAT, "SCALAR", g->frames);
    bound(g, times, &low, &high, 1);
    from = g->binary.size;
    const json_int_t view = (json_int_t)json_array_size(g->views); /* the view is ended below,
                                                                      behind the data of all
                                                                      joints */
    for (uint32_t j = 0; j < g->joint_count; j++) {
        for (int path = 0; path < 3; path++) {
            const json_int_t moves =
                put_moves(g, view, from, j, places[path], places[path + 1] - places[path]);
            json_array_append_new(channels, json_pack("{s:i, s:{s:i, s:s}}", "sampler",
                                                      (int)json_array_size(samplers), "target",
                                                      "node", (int)j + 1, "path", paths[path]));
            json_array_append_new(samplers,
                                  json_pack("{s:I, s:I}", "input", times, "output", moves));
        }
    }
    (void)end_view(g, from, 0);
    return json_pack("[{s:o, s:o}]", "samplers", samplers, "channels", channels);
}

static json_t *numbers_of(const vxe_gltf *g, uint32_t joint, uint32_t place, uint32_t count)
{
    VXE_ASSERT(joint < g->joint_count && count <= 4 && place + count <= NUMBERS);
    double values[4];
    for (uint32_t c = 0; c < count; c++) {
        float value = 0;
        memcpy(&value, g->moves.data + 4ull * (joint * NUMBERS + place + c), sizeof value);
        values[c] = (double)value;
    }
    return vxe_scene_array(values, count);
}

/* Lists the nodes: one that turns z up into y up and holds the joints, the joints as in the first
   frame, and the mesh. */
static json_t *describe_nodes(const vxe_gltf *g, json_t *joints)
{
    json_t *nodes = json_array();
    for (uint32_t j = 0; j < g->joint_count; j++) {
        json_array_append_new(joints, json_integer((json_int_t)j + 1));
    }
    json_array_append_new(nodes, json_pack("{s:s, s:[f,f,f,f], s:O}", "name", "z up", "rotation",
                                           -sqrt(0.5), 0.0, 0.0, sqrt(0.5), "children", joints));
    for (uint32_t j = 0; j < g->joint_count; j++) {
        json_array_append_new(nodes, json_pack("{s:o, s:o, s:o}", "translation",
                                               numbers_of(g, j, PLACE, 3), "rotation",
                                               numbers_of(g, j, TURN, 4), "scale",
                                               numbers_of(g, j, SIZE, 3)));
    }
    json_array_append_new(nodes,
                          json_pack("{s:o, s:i, s:i}", "name", vxe_scene_string(g->design->name),
                                    "mesh", 0, "skin", 0));
    return nodes;
}

static json_t *describe(vxe_gltf *g)
{
    json_t *materials = json_array();
    json_t *joints = json_array();
    json_t *root = json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i,i]}]}", "asset", "version", "2.0",
                             "generator", "Voxelastic " VXE_RELEASE, "scene", 0, "scenes", "nodes",
                             0, (int)g->joint_count + 1);
    json_object_set_new(root, "meshes", describe_mesh(g, materials));
    json_object_set_new(root, "materials", materials);
    json_object_set_new(root, "nodes", describe_nodes(g, joints));
    json_object_set_new(root, "skins",
                        json_pack("[{s:o, s:I, s:i}]", "joints", joints, "inverseBindMatrices",
                                  put_rest(g), "skeleton", 0));
    if (g->frames > 1) {
        json_object_set_new(root, "animations", describe_animation(g));
    }
    json_object_set(root, "bufferViews", g->views);
    json_object_set(root, "accessors", g->accessors);
    json_object_set_new(root, "buffers",
                        json_pack("[{s:I}]", "byteLength", (json_int_t)g->binary.size));
    return root;
}

/* Writes the file: header, JSON chunk and binary chunk. The JSON is padded to a multiple of four
   bytes; the binary data are one already. */
static vxe_status write_parts(vxe_gltf *g, const char *text, vxe_error *error)
{
    const size_t length = strlen(text);
    const size_t spaces = (4 - length % 4) % 4;
    VXE_ASSERT(g->binary.size % 4 == 0);
    vxe_bytes head = {0};
    vxe_bytes middle = {0};
    vxe_bytes_put_u32(&head, MAGIC);
    vxe_bytes_put_u32(&head, 2); /* version */
    vxe_bytes_put_u32(&head, (uint32_t)(12 + 8 + length + spaces + 8 + g->binary.size));
    vxe_bytes_put_u32(&head, (uint32_t)(length + spaces));
    vxe_bytes_put_u32(&head, JSON_CHUNK);
    vxe_bytes_put(&middle, "   ", spaces);
    vxe_bytes_put_u32(&middle, (uint32_t)g->binary.size);
    vxe_bytes_put_u32(&middle, BINARY_CHUNK);
    vxe_status status = head.bad || middle.bad ? vxe_error_memory(error, 64) : VXE_OK;
    if (!status) {
        fwrite(head.data, 1, head.size, g->file.stream);
        fwrite(text, 1, length, g->file.stream);
        fwrite(middle.data, 1, middle.size, g->file.stream);
        fwrite(g->binary.data, 1, g->binary.size, g->file.stream);
        status = vxe_file_commit(&g->file, error);
    }
    vxe_bytes_clear(&head);
    vxe_bytes_clear(&middle);
    return status;
}

vxe_status vxe_gltf_close(vxe_gltf *g, vxe_error *error)
{
    vxe_status status = VXE_OK;
    if (g->frames == 0) {
        status = vxe_error_fill(error, VXE_ERROR_ARGUMENT, "the .glb has no frame");
    } else {
        const uint64_t failures = vxe_json_watch();
        json_t *root = describe(g);
        char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
        status = text ? vxe_memory_check(failures, error) : vxe_error_memory(error, g->binary.size);
        status = status ? status : write_parts(g, text, error);
        free(text);
        json_decref(root);
    }
    vxe_gltf_abandon(g);
    return status;
}

void vxe_gltf_abandon(vxe_gltf *g)
{
    if (g) {
        vxe_file_abandon(&g->file);
        vxe_mesh_clear(&g->mesh);
        vxe_mesh_clear_faces(&g->faces);
        vxe_memory_release(g->colors);
        vxe_memory_release(g->joint_of);
        vxe_memory_release(g->voxel_of);
        vxe_bytes_clear(&g->moves);
        vxe_bytes_clear(&g->times);
        vxe_bytes_clear(&g->binary);
        json_decref(g->views);
        json_decref(g->accessors);
        vxe_memory_release(g);
    }
}
