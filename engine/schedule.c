/* SPDX-License-Identifier: MIT */
/* Chunks of slots, and the bonds of each chunk packed into vectors whose lower and upper voxels
   both stand in a row. Because voxels are stored in scan order without gaps, a plane of a full body
   is one long run in y and z whatever its width: vectors cross rows. */
#include "engine/schedule_internal.h"

#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"

/* Bodies of so many voxels have larger chunks: they come from memory, some forty streams of them,
 * and long pieces of each come faster. Measured on cubes from 10 to 200 voxels wide: where a core
 * has 1 MiB of cache, chunks of 512 slots run a fifth to a third faster than those of 128; bodies
 * that stay in a cache do not care, and with 1024 they lose. */
#define LARGE_BODY 65536u

void vxe_schedule_clear(vxe_schedule *schedule)
{
    vxe_memory_release(schedule->chunk_first);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(schedule->vector_first[axis]);
    }
    *schedule = (vxe_schedule){0};
}

void vxe_bond_vectors_clear(vxe_bond_vectors bonds[3])
{
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(bonds[axis].lower);
        vxe_memory_release(bonds[axis].upper);
        vxe_memory_release(bonds[axis].row);
        vxe_memory_release(bonds[axis].present);
        bonds[axis] = (vxe_bond_vectors){0};
    }
}

static vxe_status cut_chunks(vxe_schedule *schedule, uint32_t voxels, vxe_error *error)
{
    const uint32_t slots = voxels < LARGE_BODY ? VXE_CHUNK_SLOTS : VXE_LARGE_CHUNK_SLOTS;
    schedule->chunk_slots = slots;
    schedule->chunk_count = (voxels + slots - 1) / slots;
    const uint64_t places = schedule->chunk_count + 1ull;
    schedule->chunk_first = vxe_memory_take(places, sizeof *schedule->chunk_first);
    bool complete = schedule->chunk_first != NULL;
    for (int axis = 0; axis < 3; axis++) {
        schedule->vector_first[axis] =
            vxe_memory_take(places, sizeof *schedule->vector_first[axis]);
        complete = complete && schedule->vector_first[axis];
    }
    if (!complete) {
        return vxe_error_memory(error, places * 16);
    }
    for (uint32_t chunk = 0; chunk < schedule->chunk_count; chunk++) {
        schedule->chunk_first[chunk] = chunk * slots;
    }
    schedule->chunk_first[schedule->chunk_count] = voxels;
    return VXE_OK;
}

/* Packs the bonds of one chunk and axis behind vector at of bonds; with bonds null only counts. A
   lane takes part when its voxel's neighbour stands where the vector's first lane says and no
   vector before has it. Returns the number of vectors. */
static uint32_t pack_chunk(const uint32_t *up, uint32_t first, uint32_t last,
                           vxe_bond_vectors *bonds, uint32_t at)
{
    bool done[VXE_LARGE_CHUNK_SLOTS] = {false};
    uint32_t count = 0;
    for (uint32_t slot = first; slot < last; slot++) {
        if (up[slot] == VXE_NONE || done[slot - first]) {
            continue;
        }
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < VXE_VECTOR && slot + lane < last; lane++) {
            bool *taken = &done[slot + lane - first];
            if (!*taken && up[slot + lane] == up[slot] + lane) {
                *taken = true;
                mask |= 1u << lane;
            }
        }
        if (bonds) {
            bonds->lower[at + count] = slot;
            bonds->upper[at + count] = up[slot];
            bonds->present[at + count] = (uint16_t)mask;
        }
        count++;
    }
    return count;
}

uint32_t vxe_schedule_vectors(const vxe_topology *topology)
{
    uint32_t vectors = 0;
    for (int axis = 0; axis < 3; axis++) {
        vectors += pack_chunk(topology->up[axis], 0, topology->voxel_count, NULL, 0);
    }
    return vectors;
}

static vxe_status take_vectors(vxe_bond_vectors *bonds, uint32_t count, vxe_error *error)
{
    bonds->count = count;
    bonds->lower = vxe_memory_take(count, sizeof *bonds->lower);
    bonds->upper = vxe_memory_take(count, sizeof *bonds->upper);
    bonds->row = vxe_memory_take(count, sizeof *bonds->row);
    bonds->present = vxe_memory_take(count, sizeof *bonds->present);
    return bonds->lower && bonds->upper && bonds->row && bonds->present
               ? VXE_OK
               : vxe_error_memory(error, count * 14ull);
}

vxe_status vxe_schedule_init(vxe_schedule *schedule, vxe_bond_vectors bonds[3],
                             const vxe_topology *topology, vxe_error *error)
{
    vxe_status status = cut_chunks(schedule, topology->voxel_count, error);
    for (int axis = 0; axis < 3 && !status; axis++) {
        uint32_t *vector_first = schedule->vector_first[axis];
        vxe_bond_vectors *into = NULL;
        for (int pass = 0; pass < 2 && !status; pass++) {
            vector_first[0] = 0;
            for (uint32_t chunk = 0; chunk < schedule->chunk_count; chunk++) {
                vector_first[chunk + 1] =
                    vector_first[chunk] +
                    pack_chunk(topology->up[axis], schedule->chunk_first[chunk],
                               schedule->chunk_first[chunk + 1], into, vector_first[chunk]);
            }
            if (!into) {
                into = &bonds[axis];
                status = take_vectors(into, vector_first[schedule->chunk_count], error);
            }
        }
    }
    return status;
}
