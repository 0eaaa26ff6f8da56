/* SPDX-License-Identifier: MIT */
/* See start_vector.h. */
#include "engine/timestep/start_vector.h"

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/model.h"

enum { SIDES = 8 };

static vxe_side side_of(uint32_t number)
{
    VXE_ASSERT(number < SIDES);
    const int8_t x = number & 1 ? -1 : 1;
    const int8_t y = number & 2 ? -1 : 1;
    const int8_t swaps = (number & 4) != 0;
    return (vxe_side){{x, y}, swaps, (int8_t)(x * y * (swaps ? -1 : 1))};
}

/* Bounds of a body, and the hash of it from each side. */
typedef struct body_view {
    int32_t low[3], high[3];
    uint64_t hash[SIDES];
} body_view;

/* Hash of a voxel's place as seen from a side. */
static uint64_t place_hash(const body_view *view, vxe_side side, const int32_t at[3])
{
    const int64_t x = 2 * (int64_t)at[0] - view->low[0] - view->high[0];
    const int64_t y = 2 * (int64_t)at[1] - view->low[1] - view->high[1];
    const int64_t seen[3] = {side.sign[0] * (side.swaps ? y : x),
                             side.sign[1] * (side.swaps ? x : y), (int64_t)at[2] - view->low[2]};
    return vxe_hash_mix(vxe_hash_mix(vxe_hash_mix((uint64_t)seen[0]) + (uint64_t)seen[1]) +
                        (uint64_t)seen[2]);
}

/* What a voxel is made of. */
static uint64_t property_of(const vxe_moduli *moduli, const vxe_densities *densities,
                            uint32_t voxel)
{
    const vxe_design *design = moduli->design;
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    vxe_hash hash = {0};
    vxe_hash_double(&hash, vxe_voxel_modulus(moduli, voxel));
    vxe_hash_double(&hash, vxe_voxel_density(densities, voxel));
    vxe_hash_double(&hash, m->poissons_ratio);
    vxe_hash_double(&hash, m->bond_damping);
    return vxe_hash_mix(hash.value);
}

/* Finds the bounds of all bodies, then their hashes from all sides. The sum of the voxels' hashes
   does not depend on their order. */
static void view_bodies(body_view *views, const vxe_topology *topology, const vxe_design *design)
{
    const vxe_moduli moduli = vxe_moduli_of(design);
    const vxe_densities densities = vxe_densities_of(design);
    for (uint32_t b = 0; b < topology->body_count; b++) {
        views[b] =
            (body_view){{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}, {0}};
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        const int32_t *at = design->voxels[topology->order[i]].position;
        body_view *view = &views[topology->body[i]];
        for (int c = 0; c < 3; c++) {
            view->low[c] = at[c] < view->low[c] ? at[c] : view->low[c];
            view->high[c] = at[c] > view->high[c] ? at[c] : view->high[c];
        }
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        const uint32_t voxel = topology->order[i];
        body_view *view = &views[topology->body[i]];
        const uint64_t property = property_of(&moduli, &densities, voxel);
        for (uint32_t n = 0; n < SIDES; n++) {
            view->hash[n] += vxe_hash_mix(
                place_hash(view, side_of(n), design->voxels[voxel].position) ^ property);
        }
    }
}

vxe_status vxe_start_vector_init(vxe_start_vector *start, const vxe_topology *topology,
                                 const vxe_design *design, vxe_error *error)
{
    body_view *views = vxe_memory_take(topology->body_count, sizeof *views);
    *start = (vxe_start_vector){vxe_memory_take(topology->voxel_count, sizeof *start->key),
                                vxe_memory_take(topology->body_count, sizeof *start->side),
                                topology->body};
    if (!views || !start->key || !start->side) {
        vxe_memory_release(views);
        vxe_start_vector_clear(start);
        return vxe_error_memory(error, 8ull * topology->voxel_count);
    }
    view_bodies(views, topology, design);
    for (uint32_t b = 0; b < topology->body_count; b++) {
        uint32_t best = 0;
        for (uint32_t n = 1; n < SIDES; n++) {
            best = views[b].hash[n] < views[b].hash[best] ? n : best;
        }
        start->side[b] = side_of(best);
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        const uint32_t b = topology->body[i];
        start->key[i] =
            place_hash(&views[b], start->side[b], design->voxels[topology->order[i]].position);
    }
    vxe_memory_release(views);
    return VXE_OK;
}

void vxe_start_vector_clear(vxe_start_vector *start)
{
    vxe_memory_release(start->key);
    vxe_memory_release(start->side);
    *start = (vxe_start_vector){0};
}

void vxe_start_vector_at(const vxe_start_vector *start, uint32_t place, float noise[6])
{
    const vxe_side side = start->side[start->body[place]];
    float seen[6];
    for (uint64_t c = 0; c < 6; c++) {
        const uint64_t bits = vxe_hash_mix(start->key[place] + 0x9e3779b97f4a7c15ULL * (c + 1));
        seen[c] = (float)((double)(bits >> 11) * 0x1p-53 - 0.5);
    }
    for (int c = 0; c < 6; c += 3) {
        const float axial = c == 0 ? 1 : side.mirrors;
        noise[c + side.swaps] = axial * side.sign[0] * seen[c];
        noise[c + 1 - side.swaps] = axial * side.sign[1] * seen[c + 1];
        noise[c + 2] = axial * seen[c + 2];
    }
}
