/* SPDX-License-Identifier: MIT */
/* Bond history, edges and contact pairs of a state under the law of the Voxelyze family. They
   decide how a run goes on as much as positions do, so they are copied and hashed with the
   state. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "engine/core/voxelyze_state.h"

void vxe_voxelyze_memory_release(vxe_voxelyze_memory *memory)
{
    if (memory) {
        for (int axis = 0; axis < 3; axis++) {
            vxe_memory_release(memory->bonds[axis]);
        }
        vxe_memory_release(memory->edge_growth);
        vxe_memory_release(memory->pairs);
        vxe_memory_release(memory);
    }
}

static uint64_t numbers_of(const vxe_voxelyze_memory *memory, int axis)
{
    return memory->lanes[axis] * VXE_VOXELYZE_MEMORY;
}

vxe_voxelyze_memory *vxe_voxelyze_memory_take(const vxe_voxelyze_size *size)
{
    vxe_voxelyze_memory *memory = vxe_memory_take(1, sizeof *memory);
    if (!memory) {
        return NULL;
    }
    memory->slots = size->slots;
    memory->pair_capacity = size->pairs;
    memory->edge_growth = vxe_memory_take(size->slots, sizeof *memory->edge_growth);
    memory->pairs = vxe_memory_take(size->pairs, 2 * sizeof *memory->pairs);
    bool complete = memory->edge_growth && memory->pairs;
    for (int axis = 0; axis < 3; axis++) {
        memory->lanes[axis] = size->lanes[axis];
        memory->bonds[axis] = vxe_memory_take(numbers_of(memory, axis), sizeof(double));
        complete = complete && memory->bonds[axis];
    }
    if (!complete) {
        vxe_voxelyze_memory_release(memory);
        return NULL;
    }
    return memory;
}

uint64_t vxe_voxelyze_bond_bytes(const vxe_voxelyze_memory *memory, int axis)
{
    return numbers_of(memory, axis) * sizeof(double);
}

void vxe_voxelyze_memory_copy(vxe_voxelyze_memory *to, const vxe_voxelyze_memory *from)
{
    VXE_ASSERT(to->slots == from->slots && from->pair_count <= to->pair_capacity);
    for (int axis = 0; axis < 3; axis++) {
        memcpy(to->bonds[axis], from->bonds[axis], numbers_of(from, axis) * sizeof(double));
    }
    memcpy(to->edge_growth, from->edge_growth, from->slots * sizeof *to->edge_growth);
    memcpy(to->pairs, from->pairs, 2 * from->pair_count * sizeof *to->pairs);
    to->pair_count = from->pair_count;
    to->moved = from->moved;
    to->listed = from->listed;
    to->full = from->full;
}

void vxe_voxelyze_memory_hash(const vxe_voxelyze_memory *memory, vxe_hash *hash)
{
    for (int axis = 0; axis < 3; axis++) {
        for (uint64_t i = 0; i < numbers_of(memory, axis); i++) {
            vxe_hash_double(hash, memory->bonds[axis][i]);
        }
    }
    for (uint32_t slot = 0; slot < memory->slots; slot++) {
        vxe_hash_double(hash, memory->edge_growth[slot]);
    }
    for (uint64_t pair = 0; pair < memory->pair_count; pair++) {
        vxe_hash_word(hash, (uint64_t)memory->pairs[2 * pair] << 32 | memory->pairs[2 * pair + 1]);
    }
    vxe_hash_double(hash, memory->moved);
    vxe_hash_word(hash, memory->listed);
}
