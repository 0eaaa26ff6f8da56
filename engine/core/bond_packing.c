/* SPDX-License-Identifier: MIT */
#include "engine/core/bond_packing.h"

#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"

/* Bonds of a chunk in the order of their lower voxels, which is that of the upper ones as well: a
   step along an axis keeps the order of a scan. */
typedef struct bonds {
    uint32_t count;
    uint32_t lower[VXE_CHUNK_SLOTS];
    uint32_t upper[VXE_CHUNK_SLOTS];
} bonds;

static void list_bonds(const uint32_t *up, uint32_t first, uint32_t last, bonds *list)
{
    list->count = 0;
    for (uint32_t slot = first; slot < last; slot++) {
        if (up[slot] != VXE_NONE) {
            list->lower[list->count] = slot;
            list->upper[list->count++] = up[slot];
        }
    }
}

/* Where a window begins that holds a slot: there, but never so that it leaves the arrays. */
static uint32_t window_of(uint32_t slot, uint32_t window, uint32_t voxels)
{
    const uint32_t most = voxels + VXE_SLOT_PADDING - window;
    return slot < most ? slot : most;
}

/* Writes the vector at of bonds from the first one on, so many of a list. */
static void put_vector(const bonds *list, uint32_t first, uint32_t count, uint32_t voxels,
                       vxe_woven_bonds *into, uint32_t at)
{
    const uint32_t lower = window_of(list->lower[first], 2 * into->width, voxels);
    const uint32_t upper = window_of(list->upper[first], 2 * into->width, voxels);
    into->lower[at] = lower;
    into->upper[at] = upper;
    into->bond[at] = (uint16_t)first;
    into->lanes[at] = (uint8_t)count;
    for (uint32_t lane = 0; lane < into->width; lane++) {
        const uint32_t bond = lane < count ? first + lane : first;
        into->lower_at[(uint64_t)at * into->width + lane] = (uint8_t)(list->lower[bond] - lower);
        into->upper_at[(uint64_t)at * into->width + lane] = (uint8_t)(list->upper[bond] - upper);
    }
}

/* Weaves a chunk's bonds behind vector at; without room for vectors only counts. Returns their
 * number. */
static uint32_t weave(const bonds *list, uint32_t voxels, vxe_woven_bonds *into, uint32_t at)
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

/* Groups the slots of a chunk's bonds by 16, which begin at multiples of 16, behind
 * group at; with into null only counts. Returns the number of groups. */
static uint32_t group_slots(const uint32_t *slots, uint32_t count, vxe_woven_sums *into,
                            uint32_t at)
{
    uint32_t groups = 0;
    for (uint32_t next = 0; next < count; groups++) {
        const uint32_t first = next;
        const uint32_t begin = slots[first] / VXE_VECTOR * VXE_VECTOR;
        uint32_t mask = 0;
        while (next < count && slots[next] < begin + VXE_VECTOR) {
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

static bool take_sums(vxe_woven_sums *sums, uint32_t chunks, uint32_t groups)
{
    sums->slot = vxe_memory_take(groups, sizeof *sums->slot);
    sums->bond = vxe_memory_take(groups, sizeof *sums->bond);
    sums->mask = vxe_memory_take(groups, sizeof *sums->mask);
    sums->first = vxe_memory_take(chunks + 1ull, sizeof *sums->first);
    return sums->slot && sums->bond && sums->mask && sums->first;
}

static bool take_vectors(vxe_woven_bonds *woven, uint32_t chunks)
{
    const uint32_t count = woven->count;
    woven->first = vxe_memory_take(chunks + 1ull, sizeof *woven->first);
    woven->lower = vxe_memory_take(count, sizeof *woven->lower);
    woven->upper = vxe_memory_take(count, sizeof *woven->upper);
    woven->row = vxe_memory_take(count, sizeof *woven->row);
    woven->bond = vxe_memory_take(count, sizeof *woven->bond);
    woven->lanes = vxe_memory_take(count, sizeof *woven->lanes);
    woven->lower_at = vxe_memory_take(count, woven->width);
    woven->upper_at = vxe_memory_take(count, woven->width);
    return woven->first && woven->lower && woven->upper && woven->row && woven->bond &&
           woven->lanes && woven->lower_at && woven->upper_at;
}

static void clear_sums(vxe_woven_sums *sums)
{
    vxe_memory_release(sums->first);
    vxe_memory_release(sums->slot);
    vxe_memory_release(sums->bond);
    vxe_memory_release(sums->mask);
}

void vxe_woven_clear(vxe_woven_bonds *woven)
{
    vxe_memory_release(woven->first);
    vxe_memory_release(woven->lower);
    vxe_memory_release(woven->upper);
    vxe_memory_release(woven->row);
    vxe_memory_release(woven->bond);
    vxe_memory_release(woven->lanes);
    vxe_memory_release(woven->lower_at);
    vxe_memory_release(woven->upper_at);
    clear_sums(&woven->own);
    clear_sums(&woven->pull);
    *woven = (vxe_woven_bonds){0};
}

static void fill(vxe_woven_bonds *woven, const vxe_schedule *schedule, const uint32_t *up,
                 uint32_t voxels)
{
    bonds list;
    for (uint32_t chunk = 0; chunk < schedule->chunk_count; chunk++) {
        const uint32_t vector = woven->first[chunk];
        const uint32_t own = woven->own.first[chunk];
        const uint32_t pull = woven->pull.first[chunk];
        list_bonds(up, schedule->chunk_first[chunk], schedule->chunk_first[chunk + 1], &list);
        woven->first[chunk + 1] = vector + weave(&list, voxels, woven, vector);
        woven->own.first[chunk + 1] = own + group_slots(list.lower, list.count, &woven->own, own);
        woven->pull.first[chunk + 1] =
            pull + group_slots(list.upper, list.count, &woven->pull, pull);
    }
}

vxe_status vxe_woven_init(vxe_woven_bonds *woven, const vxe_schedule *schedule,
                          const vxe_topology *topology, int axis, const vxe_weft *weft,
                          vxe_error *error)
{
    const uint32_t voxels = topology->voxel_count;
    const uint32_t chunks = schedule->chunk_count;
    const uint32_t *up = topology->up[axis];
    *woven = (vxe_woven_bonds){.width = weft->width};
    if (voxels < 2 * weft->width || vxe_schedule_is_large(schedule)) {
        return VXE_OK;
    }
    bonds list;
    uint32_t own = 0;
    uint32_t pull = 0;
    uint32_t count = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        list_bonds(up, schedule->chunk_first[chunk], schedule->chunk_first[chunk + 1], &list);
        count += weave(&list, voxels, woven, 0);
        own += group_slots(list.lower, list.count, NULL, 0);
        pull += group_slots(list.upper, list.count, NULL, 0);
    }
    if (count >= weft->most) {
        return VXE_OK;
    }
    woven->count = count;
    if (!take_vectors(woven, chunks) || !take_sums(&woven->own, chunks, own) ||
        !take_sums(&woven->pull, chunks, pull)) {
        vxe_woven_clear(woven);
        return vxe_error_memory(error, 50ull * count + 8ull * (own + pull));
    }
    fill(woven, schedule, up, voxels);
    return VXE_OK;
}
