/* SPDX-License-Identifier: MIT */
/* Chunks of slots, and the bonds of each chunk arranged in vectors whose lower voxels are
   consecutive slots, and whose upper voxels are too. Because voxels are stored in scan order
   without gaps, a plane of a full body is one long run in y and z whatever its width: vectors
   cross rows. */
#include "engine/core/chunks.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Bodies of at least this many voxels have larger chunks. They do not fit a cache and are read
   from memory as some forty arrays side by side; longer stretches of each array come faster.
   Measured on cubes from 10 to 200 voxels wide: where a core has 1 MiB of cache, chunks of 512
   slots run a fifth to a third faster than those of 128; bodies that stay in a cache do not
   care, and with 1024 they lose. */
#define LARGE_BODY 65536u
/* Vectors that begin at multiples of 16 slots are loaded faster. One more vector in this many is
   accepted for it. */
#define MORE_BY_BLOCKS 8u

void vxe_chunks_clear(vxe_chunks *chunks)
{
    vxe_memory_release(chunks->chunk_first);
    vxe_memory_release(chunks->in_blocks);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(chunks->vector_first[axis]);
    }
    *chunks = (vxe_chunks){0};
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

static vxe_status cut_chunks(vxe_chunks *chunks, uint32_t voxels, vxe_error *error)
{
    const uint32_t slots = voxels < LARGE_BODY ? VXE_CHUNK_SLOTS : VXE_LARGE_CHUNK_SLOTS;
    chunks->chunk_slots = slots;
    chunks->chunk_count = (voxels + slots - 1) / slots;
    const uint64_t places = chunks->chunk_count + 1ull;
    chunks->chunk_first = vxe_memory_take(places, sizeof *chunks->chunk_first);
    chunks->in_blocks = vxe_memory_take(chunks->chunk_count, 1);
    bool complete = chunks->chunk_first && chunks->in_blocks;
    for (int axis = 0; axis < 3; axis++) {
        chunks->vector_first[axis] = vxe_memory_take(places, sizeof *chunks->vector_first[axis]);
        complete = complete && chunks->vector_first[axis];
    }
    if (!complete) {
        return vxe_error_memory(error, places * 16);
    }
    for (uint32_t chunk = 0; chunk < chunks->chunk_count; chunk++) {
        chunks->chunk_first[chunk] = chunk * slots;
    }
    chunks->chunk_first[chunks->chunk_count] = voxels;
    return VXE_OK;
}

/* Bonds of one chunk and axis. */
typedef struct chunk_bonds {
    const uint32_t *up;
    uint32_t first, last; /* slots */
} chunk_bonds;

/* Arranges the chunk's bonds in vectors from `at` on; with bonds null only counts. A lane takes
   part when its voxel's neighbour stands as far away as the vector's first bond says and no
   vector before has it. A vector begins with a bond or, with by_blocks, with the block of 16
   slots that the bond is in. Returns the number of vectors. */
static uint32_t pack(const chunk_bonds *chunk, bool by_blocks, vxe_bond_vectors *bonds, uint32_t at)
{
    VXE_ASSERT(chunk->first <= chunk->last && chunk->last - chunk->first <= VXE_LARGE_CHUNK_SLOTS);
    bool done[VXE_LARGE_CHUNK_SLOTS] = {false};
    uint32_t count = 0;
    for (uint32_t slot = chunk->first; slot < chunk->last; slot++) {
        if (chunk->up[slot] == VXE_NONE || done[slot - chunk->first]) {
            continue;
        }
        const uint32_t lower = by_blocks ? slot - (slot - chunk->first) % VXE_VECTOR : slot;
        VXE_ASSERT(chunk->up[slot] > slot);
        const uint32_t reach = chunk->up[slot] - slot;
        VXE_ASSERT(!bonds || at + count < bonds->count);
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < VXE_VECTOR && lower + lane < chunk->last; lane++) {
            bool *taken = &done[lower + lane - chunk->first];
            if (!*taken && chunk->up[lower + lane] == lower + lane + reach) {
                *taken = true;
                mask |= 1u << lane;
            }
        }
        if (bonds) {
            bonds->lower[at + count] = lower;
            bonds->upper[at + count] = lower + reach;
            bonds->present[at + count] = (uint16_t)mask;
        }
        count++;
    }
    return count;
}

/* Blocks of a chunk in which a bond begins. */
static uint32_t count_blocks(const chunk_bonds *chunk)
{
    uint32_t count = 0;
    uint32_t last = VXE_NONE;
    for (uint32_t slot = chunk->first; slot < chunk->last; slot++) {
        const uint32_t block = (slot - chunk->first) / VXE_VECTOR;
        if (chunk->up[slot] != VXE_NONE && block != last) {
            last = block;
            count++;
        }
    }
    return count;
}

uint32_t vxe_chunks_vectors(const vxe_topology *topology)
{
    VXE_ASSERT(topology->voxel_count <= VXE_CHUNK_SLOTS);
    uint32_t vectors = 0;
    for (int axis = 0; axis < 3; axis++) {
        const chunk_bonds all = {topology->up[axis], 0, topology->voxel_count};
        vectors += pack(&all, false, NULL, 0);
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

/* Counts the vectors of an axis and decides which chunks use blocks; given bonds, fills them
   accordingly. */
static uint32_t pack_axis(vxe_chunks *chunks, const vxe_topology *topology, int axis,
                          vxe_bond_vectors *bonds)
{
    uint32_t *vector_first = chunks->vector_first[axis];
    const uint8_t bit = (uint8_t)(1u << axis);
    /* the kernels over blocks assume that the neighbour in x is the next slot */
    const bool usual = topology->axes[0] == 2 && topology->axes[1] == 1 && topology->axes[2] == 0;
    for (uint32_t i = 0; i < chunks->chunk_count; i++) {
        const chunk_bonds chunk = {topology->up[axis], chunks->chunk_first[i],
                                   chunks->chunk_first[i + 1]};
        if (bonds) {
            pack(&chunk, chunks->in_blocks[i] & bit, bonds, vector_first[i]);
            continue;
        }
        const uint32_t count = pack(&chunk, false, NULL, 0);
        const uint32_t blocks = count_blocks(&chunk);
        const bool by_blocks = usual && blocks <= count + count / MORE_BY_BLOCKS &&
                               pack(&chunk, true, NULL, 0) == blocks;
        chunks->in_blocks[i] = (uint8_t)(chunks->in_blocks[i] | (by_blocks ? bit : 0));
        vector_first[i + 1] = vector_first[i] + (by_blocks ? blocks : count);
    }
    return vector_first[chunks->chunk_count];
}

vxe_status vxe_chunks_init(vxe_chunks *chunks, vxe_bond_vectors bonds[3],
                           const vxe_topology *topology, vxe_error *error)
{
    VXE_ASSERT(!chunks->chunk_first && !chunks->in_blocks);
    vxe_status status = cut_chunks(chunks, topology->voxel_count, error);
    for (int axis = 0; axis < 3 && !status; axis++) {
        const uint32_t count = pack_axis(chunks, topology, axis, NULL);
        status = take_vectors(&bonds[axis], count, error);
        if (!status) {
            pack_axis(chunks, topology, axis, &bonds[axis]);
        }
    }
    return status;
}
