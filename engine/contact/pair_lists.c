/* SPDX-License-Identifier: MIT */
/* Lists of pairs, and those of a surface's voxels that are two cells apart in the lattice. Those
   are near each other as long as the body holds together, and most of what a search would find: so
   they are listed once. */
#include <string.h>

#include "common/memory.h"
#include "engine/contact/neighbor_lists.h"

#define CELLS VXE_CELLS_APART

void vxe_pairs_clear(vxe_pairs *pairs)
{
    vxe_memory_release(pairs->of[0]);
    vxe_memory_release(pairs->of[1]);
    vxe_memory_release(pairs->next);
    vxe_memory_release(pairs->touch);
    vxe_memory_release(pairs->touched);
    *pairs = (vxe_pairs){.next = NULL};
}

bool vxe_pairs_take(vxe_pairs *pairs, uint64_t count, uint64_t words)
{
    for (int i = 0; i < 2; i++) {
        pairs->of[i] = vxe_memory_take(count, sizeof *pairs->of[i]);
    }
    const uint64_t bundles = count / VXE_BUNDLE + 1;
    pairs->next = vxe_memory_take(bundles, sizeof *pairs->next);
    pairs->touch = vxe_memory_take(bundles, sizeof *pairs->touch);
    pairs->touched = vxe_memory_take(words, sizeof *pairs->touched);
    return pairs->of[0] && pairs->of[1] && pairs->next && pairs->touch && pairs->touched;
}

static void clear_wheel(const vxe_neighbor_list *neighbors, vxe_pair_range *range)
{
    for (uint32_t n = 0; n < VXE_APPROACHES * VXE_WHEEL_TICKS; n++) {
        range->wheel[n] = VXE_NONE;
    }
    for (int approach = 0; approach < VXE_APPROACHES; approach++) {
        range->done[approach] =
            neighbors->turn[approach] - 1; /* the tick that has come is yet to be seen */
    }
}

/* The last bundle is filled up with the last pair. */
static void fill_up(const vxe_pairs *pairs, const vxe_pair_range *range)
{
    for (uint32_t i = range->count; i < vxe_bundles_of(range) * VXE_BUNDLE; i++) {
        for (int end = 0; end < 2; end++) {
            pairs->of[end][range->first + i] = pairs->of[end][range->first + range->count - 1];
        }
    }
}

void vxe_pairs_wake(const vxe_neighbor_list *neighbors, const vxe_pairs *pairs,
                    vxe_pair_range *range)
{
    clear_wheel(neighbors, range);
    fill_up(pairs, range);
    for (uint32_t bundle = 0; bundle < vxe_bundles_of(range); bundle++) {
        vxe_bundle_to_tick(neighbors, pairs, range, bundle, VXE_APPROACH_FACES, 0);
    }
}

/* The first voxel of a surface at or behind a cell in the scan. */
static uint32_t find_cell(const vxe_surface *surface, const int64_t cell[3])
{
    uint32_t low = 0;
    uint32_t high = surface->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (vxe_scan_ahead(surface->axes, surface->cell + 3ull * middle, cell)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Where pairs go, by their kinds; they are counted alone where there are no lists yet. */
typedef struct into {
    const vxe_pairs *pairs;
    vxe_pair_range *ranges;
} into;

static void put(into where, vxe_pairs_kind kind, uint32_t one, uint32_t two)
{
    vxe_pair_range *range = &where.ranges[kind];
    if (where.pairs) {
        const size_t at = range->first + range->count;
        where.pairs[kind].of[0][at] = one < two ? one : two;
        where.pairs[kind].of[1][at] = one < two ? two : one;
    }
    range->count++;
}

/* The kind of a pair that is so many cells apart. */
static vxe_pairs_kind kind_of(int64_t x, int64_t y, int64_t z)
{
    const bool far[3] = {x == CELLS || x == -CELLS, y == CELLS || y == -CELLS,
                         z == CELLS || z == -CELLS};
    if (far[0] + far[1] + far[2] > 1) {
        return VXE_PAIRS_DIAGONAL;
    }
    return far[0] + far[1] + far[2] == 1 && x != 0 && y != 0 && z != 0 ? VXE_PAIRS_SLANTING
                                                                       : VXE_PAIRS_FACING;
}

/* Puts the pairs of a voxel with those of [first, last) that are two cells from it along one axis
   or more, and no farther; closer ones too where they are of different parts. */
static void put_pairs(const vxe_surface *surface, uint32_t one, uint32_t first, uint32_t last,
                      into where)
{
    const int32_t *own = surface->cell + 3ull * one;
    if (surface->faces[one] == 0) {
        return;
    }
    const int slow = surface->axes[0];
    const int next = surface->axes[1];
    const int fast = surface->axes[2];
    for (int64_t row = 0; row < (2 * CELLS + 1) * (2 * CELLS + 1); row++) {
        const int64_t y = row % (2 * CELLS + 1) - CELLS;
        const int64_t z = row / (2 * CELLS + 1) - CELLS;
        int64_t begin[3];
        begin[fast] = (int64_t)own[fast] - CELLS;
        begin[next] = own[next] + y;
        begin[slow] = own[slow] + z;
        const bool whole = y == CELLS || y == -CELLS || z == CELLS || z == -CELLS;
        uint32_t two = find_cell(surface, begin);
        two = two > first ? two : first;
        for (; two < last; two++) {
            const int32_t *cell = surface->cell + 3ull * two;
            const int64_t x = (int64_t)cell[fast] - own[fast];
            if (cell[next] != begin[next] || cell[slow] != begin[slow] || x > CELLS) {
                break;
            }
            if (surface->faces[two] != 0 &&
                (whole || x == CELLS || x == -CELLS || vxe_surface_parted(surface, one, two))) {
                put(where, kind_of(x, y, z), one, two);
            }
        }
    }
}

/* A part's pairs: with voxels below it, then with those above each. */
static void fill_part(const vxe_surface *surface, const vxe_neighbor_part *part, into where)
{
    for (uint32_t k = part->first; k < part->last && part->first > 0; k++) {
        put_pairs(surface, k, 0, part->first, where);
    }
    for (uint32_t k = part->first; k < part->last; k++) {
        put_pairs(surface, k, k + 1, surface->count, where);
    }
}

bool vxe_contacts_pair(vxe_neighbor_list *neighbors, vxe_neighbor_part *parts, uint32_t part_count)
{
    size_t capacity[VXE_PAIRS_LISTED] = {0};
    size_t words[VXE_PAIRS_LISTED] = {0};
    for (uint32_t p = 0; p < part_count; p++) {
        vxe_pair_range *ranges = parts[p].pairs;
        fill_part(neighbors->surface, &parts[p], (into){NULL, ranges});
        for (int kind = 0; kind < VXE_PAIRS_LISTED; kind++) {
            ranges[kind].first = capacity[kind];
            ranges[kind].touched = words[kind];
            capacity[kind] += (size_t)vxe_bundles_of(&ranges[kind]) * VXE_BUNDLE;
            words[kind] += vxe_words_of_touched(ranges[kind].count);
            ranges[kind].count = 0;
        }
    }
    bool complete = true;
    for (int kind = 0; kind < VXE_PAIRS_LISTED; kind++) {
        complete = complete && vxe_pairs_take(&neighbors->pairs[kind], capacity[kind], words[kind]);
    }
    for (uint32_t p = 0; p < part_count && complete; p++) {
        fill_part(neighbors->surface, &parts[p], (into){neighbors->pairs, parts[p].pairs});
    }
    return complete;
}
