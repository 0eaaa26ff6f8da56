/* SPDX-License-Identifier: MIT */
/* Writes a flat design as an EvoGym world (Bhatia2021): each connected body is an object, and the
   type of a cell follows from the name of its material. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/others/evogym_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* The type of cells of a material, by its name; 0 if no type has that name. */
static int type_of(const vxe_material *material)
{
    for (int type = VXE_EVOGYM_RIGID; type < VXE_EVOGYM_TYPES; type++) {
        if (strcmp(material->name, vxe_evogym_types[type]) == 0) {
            return type;
        }
    }
    return 0;
}

/* Size of the grid, and the lattice cell (x, z) in its corner: (0, 0), or less if voxels are there.
 */
typedef struct grid {
    int64_t size[2];
    int64_t low[2];
} grid;

/* Finds the grid around a design; fails if the design is not flat or has materials of no type. */
static vxe_status find_grid(const vxe_design *design, const vxe_topology *scan, grid *g,
                            vxe_error *error)
{
    const int64_t *size = g->size;
    for (int c = 0; c < 2; c++) {
        g->low[c] = scan->low[2 * c] < 0 ? scan->low[2 * c] : 0;
        g->size[c] = scan->high[2 * c] - g->low[c] + 1;
    }
    if (scan->low[1] != scan->high[1]) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "an EvoGym world is one voxel deep along y, the design %" PRId64,
                              (int64_t)scan->high[1] - scan->low[1] + 1);
    }
    if (size[0] > VXE_EVOGYM_MAX_SIDE || size[1] > VXE_EVOGYM_MAX_SIDE ||
        size[0] * size[1] > VXE_EVOGYM_MAX_CELLS) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a grid of %" PRId64 " x %" PRId64 " cells; at most %d each, and "
                              "2^24 in all",
                              size[0], size[1], VXE_EVOGYM_MAX_SIDE);
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_material *m = &design->materials[design->voxels[v].material];
        if (!type_of(m)) {
            return vxe_error_fill(
                error, VXE_ERROR_UNSUPPORTED,
                "EvoGym has no type of cells for material '%s'; rename it: rigid, "
                "soft, horizontal actuator, vertical actuator or fixed",
                m->name);
        }
    }
    return VXE_OK;
}

/* Adds each of two cells to the list of neighbours of the other. */
static void put_neighbors(json_t *neighbors, int64_t one, int64_t two)
{
    const int64_t cells[2] = {one, two};
    for (int i = 0; i < 2; i++) {
        char key[24];
        snprintf(key, sizeof key, "%" PRId64, cells[i]);
        json_array_append_new(json_object_get(neighbors, key), json_integer(cells[1 - i]));
    }
}

/* The connected bodies as objects, in the order of their first voxels. */
static json_t *body_objects(const vxe_design *design, const vxe_topology *scan, const grid *g)
{
    const int64_t width = g->size[0];
    json_t *objects = json_object();
    for (int pass = 0; pass < 2;
         pass++) { /* the first pass creates all lists, the second fills them */
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            const vxe_voxel *voxel = &design->voxels[v];
            const uint32_t slot = scan->place[v];
            const int64_t cell =
                (voxel->position[2] - g->low[1]) * width + voxel->position[0] - g->low[0];
            VXE_ASSERT(cell >= 0 && cell < width * g->size[1]);
            char name[32];
            char key[24];
            snprintf(name, sizeof name, "body %" PRIu32, scan->body[slot]);
            snprintf(key, sizeof key, "%" PRId64, cell);
            json_t *object = json_object_get(objects, name);
            if (!object) {
                object = json_pack("{s:[], s:[], s:{}}", "indices", "types", "neighbors");
                json_object_set_new(objects, name, object);
            }
            json_t *neighbors = json_object_get(object, "neighbors");
            if (pass == 0) {
                json_array_append_new(json_object_get(object, "indices"), json_integer(cell));
                json_array_append_new(json_object_get(object, "types"),
                                      json_integer(type_of(&design->materials[voxel->material])));
                json_object_set_new(neighbors, key, json_array());
                continue;
            }
            if (scan->up[0][slot] != VXE_NONE) {
                put_neighbors(neighbors, cell, cell + 1);
            }
            if (scan->up[2][slot] != VXE_NONE) {
                put_neighbors(neighbors, cell, cell + width);
            }
        }
    }
    return objects;
}

vxe_status vxe_evogym_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                            vxe_error *error)
{
    grid g = {.size = {0, 0}};
    const vxe_status status = find_grid(design, scan, &g, error);
    if (status) {
        return status;
    }
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_pack("{s:I, s:I, s:o}", "grid_width", (json_int_t)g.size[0], "grid_height",
                             (json_int_t)g.size[1], "objects", body_objects(design, scan, &g));
    return vxe_json_put(root, failures, sink, error);
}
