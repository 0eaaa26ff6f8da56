/* SPDX-License-Identifier: MIT */
/* Chunks of slots, and the bonds of each chunk packed into vectors whose lower and upper voxels
   both stand in a row. Because voxels are stored in scan order without gaps, a plane of a full body
   is one long run in y and z whatever its width: vectors cross rows. */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model_internal.h"

/* Slots after which a chunk ends at the next start of a row. */
#define CHUNK_AIM 64u

void vxe_schedule_clear(vxe_schedule *schedule)
{
    vxe_memory_release(schedule->chunk_first);
    vxe_memory_release(schedule->starts_row);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(schedule->vector_first[axis]);
    }
    *schedule = (vxe_schedule){0};
}

/* True where slot has a neighbour below in x: then it is the slot before. */
static bool continues_row(const vxe_topology *topology, uint32_t slot)
{
    return slot > 0 && topology->up[0][slot - 1] == slot;
}

static vxe_status cut_chunks(vxe_schedule *schedule, const vxe_topology *topology, vxe_error *error)
{
    const uint32_t most = topology->voxel_count / CHUNK_AIM + 2;
    schedule->chunk_first = vxe_memory_take(most + 1, sizeof *schedule->chunk_first);
    schedule->starts_row = vxe_memory_take(most, sizeof *schedule->starts_row);
    bool complete = schedule->chunk_first && schedule->starts_row;
    for (int axis = 0; axis < 3; axis++) {
        schedule->vector_first[axis] =
            vxe_memory_take(most + 1, sizeof *schedule->vector_first[axis]);
        complete = complete && schedule->vector_first[axis];
    }
    if (!complete) {
        return vxe_error_memory(error, most * 17ull);
    }
    uint32_t first = 0;
    while (first < topology->voxel_count) {
        uint32_t last = first + CHUNK_AIM;
        while (last < first + VXE_CHUNK_SLOTS && last < topology->voxel_count &&
               continues_row(topology, last)) {
            last++;
        }
        last = last < topology->voxel_count ? last : topology->voxel_count;
        schedule->starts_row[schedule->chunk_count] = !continues_row(topology, first);
        schedule->chunk_first[schedule->chunk_count++] = first;
        first = last;
    }
    schedule->chunk_first[schedule->chunk_count] = topology->voxel_count;
    return VXE_OK;
}

/* Packs the bonds of one chunk and axis behind vector at of bonds; with bonds null only counts. A
   lane takes part when its voxel's neighbour stands where the vector's first lane says and no
   vector before has it. Returns the number of vectors. */
static uint32_t pack_chunk(const vxe_topology *topology, int axis, uint32_t first, uint32_t last,
                           uint32_t lanes, vxe_bond_vectors *bonds, uint32_t at)
{
    const uint32_t *up = topology->up[axis];
    bool done[VXE_CHUNK_SLOTS] = {false};
    uint32_t count = 0;
    for (uint32_t slot = first; slot < last; slot++) {
        if (up[slot] == VXE_NONE || done[slot - first]) {
            continue;
        }
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < lanes && slot + lane < last; lane++) {
            bool *taken = &done[slot + lane - first];
            if (!*taken && up[slot + lane] == up[slot] + lane) {
                *taken = true;
                mask |= 1u << lane;
            }
        }
        if (bonds) {
            bonds->lower[at + count] = slot;
            bonds->upper[at + count] = up[slot];
            bonds->present[at + count] = mask;
        }
        count++;
    }
    return count;
}

static vxe_status take_vectors(vxe_bond_vectors *bonds, uint32_t count, vxe_error *error)
{
    bonds->count = count;
    bonds->lower = vxe_memory_take(count, sizeof *bonds->lower);
    bonds->upper = vxe_memory_take(count, sizeof *bonds->upper);
    bonds->present = vxe_memory_take(count, sizeof *bonds->present);
    return bonds->lower && bonds->upper && bonds->present ? VXE_OK
                                                          : vxe_error_memory(error, count * 12ull);
}

vxe_status vxe_schedule_init(vxe_model *model, vxe_error *error)
{
    vxe_schedule *schedule = &model->schedule;
    const vxe_topology *topology = &model->topology;
    vxe_status status = cut_chunks(schedule, topology, error);
    for (int axis = 0; axis < 3 && !status; axis++) {
        uint32_t *vector_first = schedule->vector_first[axis];
        vxe_bond_vectors *bonds = NULL;
        for (int pass = 0; pass < 2 && !status; pass++) {
            vector_first[0] = 0;
            for (uint32_t chunk = 0; chunk < schedule->chunk_count; chunk++) {
                vector_first[chunk + 1] =
                    vector_first[chunk] + pack_chunk(topology, axis, schedule->chunk_first[chunk],
                                                     schedule->chunk_first[chunk + 1],
                                                     model->kernels->lanes, bonds,
                                                     vector_first[chunk]);
            }
            if (!bonds) {
                bonds = &model->arrays.bonds[axis];
                status = take_vectors(bonds, vector_first[schedule->chunk_count], error);
            }
        }
    }
    return status;
}
