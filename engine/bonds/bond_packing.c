/* SPDX-License-Identifier: MIT */
/* Packs the bonds of an axis chunk by chunk: consecutive bonds fill a vector as long as their
   voxels stay within one window of slots on either side. */
#include "engine/bonds/bond_packing.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Bonds of a chunk in the order of their lower voxels. That is the order of the upper ones as
   well: a step along an axis keeps the order of a scan. */
typedef struct bonds {
    uint32_t count;
    uint32_t lower[VXE_CHUNK_SLOTS];
    uint32_t upper[VXE_CHUNK_SLOTS];
} bonds;

static void list_bonds(const uint32_t *up, uint32_t first, uint32_t last, bonds *list)
{
    VXE_ASSERT(first <= last && last - first <= VXE_CHUNK_SLOTS);
    list->count = 0;
    for (uint32_t slot = first; slot < last; slot++) {
        if (up[slot] != VXE_NONE) {
            VXE_ASSERT(up[slot] > slot);
            list->lower[list->count] = slot;
            list->upper[list->count++] = up[slot];
        }
    }
}

/* First slot of a window that holds a slot: the slot itself, or earlier where the window would
   leave the arrays. */
static uint32_t window_of(uint32_t slot, uint32_t window, uint32_t voxels)
{
    VXE_ASSERT(window <= voxels + VXE_SLOT_PADDING);
    const uint32_t max = voxels + VXE_SLOT_PADDING - window;
    return slot < max ? slot : max;
}

/* Writes vector `at` from `count` bonds of the list, beginning with bond `first`. */
static void put_vector(const bonds *list, uint32_t first, uint32_t count, uint32_t voxels,
                       vxe_packed_bonds *into, uint32_t at)
{
    VXE_ASSERT(count > 0 && count <= into->width && first + count <= list->count);
    const uint32_t lower = window_of(list->lower[first], 2 * into->width, voxels);
    const uint32_t upper = window_of(list->upper[first], 2 * into->width, voxels);
    into->lower[at] = lower;
    into->upper[at] = upper;
    into->bond[at] = (uint16_t)first;
    into->lanes[at] = (uint8_t)count;
    for (uint32_t lane = 0; lane < into->width; lane++) {
        const uint32_t bond = lane < count ? first + lane : first;
        VXE_ASSERT(list->lower[bond] - lower < 2 * into->width &&
                   list->upper[bond] - upper < 2 * into->width);
        into->lower_at[(uint64_t)at * into->width + lane] = (uint8_t)(list->lower[bond] - lower);
        into->upper_at[(uint64_t)at * into->width + lane] = (uint8_t)(list->upper[bond] - upper);
    }
}

/* Packs a chunk's bonds into vectors from `at` on; only counts where no memory has been taken.
   Returns their number. */
static uint32_t pack(const bonds *list, uint32_t voxels, vxe_packed_bonds *into, uint32_t at)
{
    const uint32_t window = 2 * into->width;
    uint32_t vectors = 0;
    for (uint32_t next = 0; next < list->count; vectors++) {
        const uint32_t first = next;
        const uint32_t lower = window_of(list->lower[first], window, voxels);
        const uint32_t upper = window_of(list->upper[first], window, voxels);
        while (next < list->count && next < first + into->width &&
               list->lower[next] < lower + window && list->upper[next] < upper + window) {
            next++;
        }
        if (into->lanes) {
            put_vector(list, first, next - first, voxels, into, at + vectors);
        }
    }
    return vectors;
}

/* Groups the slots of a chunk's bonds by 16, beginning at multiples of 16, into groups from `at`
   on; with into null only counts. Returns the number of groups. */
static uint32_t group_slots(const uint32_t *slots, uint32_t count, vxe_packed_sums *into,
                            uint32_t at)
{
    uint32_t groups = 0;
    for (uint32_t next = 0; next < count; groups++) {
        const uint32_t first = next;
        const uint32_t begin = slots[first] / VXE_VECTOR * VXE_VECTOR;
        uint32_t mask = 0;
        while (next < count && slots[next] < begin + VXE_VECTOR) {
            VXE_ASSERT(slots[next] >= begin);
            mask |= 1u << (slots[next++] - begin);
        }
        if (into) {
            into->slot[at + groups] = begin;
            into->bond[at + groups] = (uint16_t)first;
            into->mask[at + groups] = (uint16_t)mask;
        }
    }
    return groups;
}

static bool take_sums(vxe_packed_sums *sums, uint32_t chunks, uint32_t groups)
{
    sums->slot = vxe_memory_take(groups, sizeof *sums->slot);
    sums->bond = vxe_memory_take(groups, sizeof *sums->bond);
    sums->mask = vxe_memory_take(groups, sizeof *sums->mask);
    sums->first = vxe_memory_take(chunks + 1ull, sizeof *sums->first);
    return sums->slot && sums->bond && sums->mask && sums->first;
}

static bool take_vectors(vxe_packed_bonds *packed, uint32_t chunks)
{
    const uint32_t count = packed->count;
    packed->first = vxe_memory_take(chunks + 1ull, sizeof *packed->first);
    packed->lower = vxe_memory_take(count, sizeof *packed->lower);
    packed->upper = vxe_memory_take(count, sizeof *packed->upper);
    packed->row = vxe_memory_take(count, sizeof *packed->row);
    packed->bond = vxe_memory_take(count, sizeof *packed->bond);
    packed->lanes = vxe_memory_take(count, sizeof *packed->lanes);
    packed->lower_at = vxe_memory_take(count, packed->width);
    packed->upper_at = vxe_memory_take(count, packed->width);
    return packed->first && packed->lower && packed->upper && packed->row && packed->bond &&
           packed->lanes && packed->lower_at && packed->upper_at;
}

static void clear_sums(vxe_packed_sums *sums)
{
    vxe_memory_release(sums->first);
    vxe_memory_release(sums->slot);
    vxe_memory_release(sums->bond);
    vxe_memory_release(sums->mask);
}

void vxe_packed_clear(vxe_packed_bonds *packed)
{
    vxe_memory_release(packed->first);
    vxe_memory_release(packed->lower);
    vxe_memory_release(packed->upper);
    vxe_memory_release(packed->row);
    vxe_memory_release(packed->bond);
    vxe_memory_release(packed->lanes);
    vxe_memory_release(packed->lower_at);
    vxe_memory_release(packed->upper_at);
    clear_sums(&packed->lower_force);
    clear_sums(&packed->upper_force);
    *packed = (vxe_packed_bonds){0};
}

static void fill(vxe_packed_bonds *packed, const vxe_chunks *layout, const uint32_t *up,
                 uint32_t voxels)
{
    VXE_ASSERT(packed->count > 0 && packed->first);
    bonds list;
    for (uint32_t chunk = 0; chunk < layout->chunk_count; chunk++) {
        const uint32_t vector = packed->first[chunk];
        const uint32_t lower_force = packed->lower_force.first[chunk];
        const uint32_t upper_force = packed->upper_force.first[chunk];
        list_bonds(up, layout->chunk_first[chunk], layout->chunk_first[chunk + 1], &list);
        packed->first[chunk + 1] = vector + pack(&list, voxels, packed, vector);
        packed->lower_force.first[chunk + 1] =
            lower_force + group_slots(list.lower, list.count, &packed->lower_force, lower_force);
        packed->upper_force.first[chunk + 1] =
            upper_force + group_slots(list.upper, list.count, &packed->upper_force, upper_force);
    }
}

vxe_status vxe_packed_init(vxe_packed_bonds *packed, const vxe_chunks *layout,
                           const vxe_topology *topology, int axis, const vxe_packing *packing,
                           vxe_error *error)
{
    VXE_ASSERT(packing->width > 0 && axis >= 0 && axis < 3);
    const uint32_t voxels = topology->voxel_count;
    const uint32_t chunks = layout->chunk_count;
    const uint32_t *up = topology->up[axis];
    *packed = (vxe_packed_bonds){.width = packing->width};
    if (voxels < 2 * packing->width || vxe_chunks_are_large(layout)) {
        return VXE_OK;
    }
    bonds list;
    uint32_t lower_force = 0;
    uint32_t upper_force = 0;
    uint32_t count = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        list_bonds(up, layout->chunk_first[chunk], layout->chunk_first[chunk + 1], &list);
        count += pack(&list, voxels, packed, 0);
        lower_force += group_slots(list.lower, list.count, NULL, 0);
        upper_force += group_slots(list.upper, list.count, NULL, 0);
    }
    if (count >= packing->max) {
        return VXE_OK;
    }
    packed->count = count;
    if (!take_vectors(packed, chunks) || !take_sums(&packed->lower_force, chunks, lower_force) ||
        !take_sums(&packed->upper_force, chunks, upper_force)) {
        vxe_packed_clear(packed);
        return vxe_error_memory(error, 50ull * count + 8ull * (lower_force + upper_force));
    }
    fill(packed, layout, up, voxels);
    return VXE_OK;
}
