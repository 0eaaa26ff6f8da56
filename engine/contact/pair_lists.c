/* SPDX-License-Identifier: MIT */
/* Memory of lists of pairs, and the constant lists: pairs of surface voxels that are two cells
   apart in the lattice. These stay within reach as long as the body holds together, and are most of
   what a search would find, so they are listed once. */
#include <string.h>

#include "common/assert_internal.h"
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

/* Empties the wheels of a range. */
static void clear_wheel(const vxe_neighbor_list *neighbors, vxe_pair_range *range)
{
    for (uint32_t n = 0; n < VXE_APPROACHES * VXE_WHEEL_TICKS; n++) {
        range->wheel[n] = VXE_NONE;
    }
    for (int approach = 0; approach < VXE_APPROACHES; approach++) {
        range->done[approach] =
            neighbors->turn[approach] - 1; /* the present tick is still to be handled */
    }
}

/* Fills the last bundle of a range up by repeating its last pair. */
static void fill_up(const vxe_pairs *pairs, const vxe_pair_range *range)
{
    VXE_ASSERT(range->first % VXE_BUNDLE == 0);
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

/* Where pairs are put, by kind. */
typedef struct into {
    const vxe_pairs *pairs; /* null: pairs are only counted */
    vxe_pair_range *ranges;
} into;

/* Puts a pair, the lower voxel first. */
static void put(into where, vxe_pairs_kind kind, uint32_t one, uint32_t two)
{
    vxe_pair_range *range = &where.ranges[kind];
    VXE_ASSERT(kind < VXE_PAIRS_LISTED && one != two);
    if (where.pairs) {
        const size_t at = range->first + range->count;
        where.pairs[kind].of[0][at] = one < two ? one : two;
        where.pairs[kind].of[1][at] = one < two ? two : one;
    }
    range->count++;
}

/* The list of a pair whose voxels are (x, y, z) cells apart. */
static vxe_pairs_kind kind_of(int64_t x, int64_t y, int64_t z)
{
    VXE_ASSERT(x >= -CELLS && x <= CELLS && y >= -CELLS && y <= CELLS && z >= -CELLS && z <= CELLS);
    const bool far[3] = {x == CELLS || x == -CELLS, y == CELLS || y == -CELLS,
                         z == CELLS || z == -CELLS};
    if (far[0] + far[1] + far[2] > 1) {
        return VXE_PAIRS_DIAGONAL;
    }
    return far[0] + far[1] + far[2] == 1 && x != 0 && y != 0 && z != 0 ? VXE_PAIRS_SLANTING
                                                                       : VXE_PAIRS_FACING;
}

/* Rows of cells around a voxel in which pairs may be; that of the voxel itself is in the middle,
   and rows before it hold lower voxels, those behind it higher ones. */
#define ROWS ((2 * CELLS + 1) * (2 * CELLS + 1))
#define OWN_ROW (ROWS / 2)

/* For each row, the first voxel of the surface that is not before the row's begin. A row's begin
   moves up with the voxel, in scan order, so that none is looked at twice. */
typedef struct row_begins {
    uint32_t at[ROWS];
} row_begins;

/* Puts the pairs of a voxel with voxels [of[0], of[1]) that are in rows [rows[0], rows[1]), and two
   cells from it along at least one axis and not farther along any; closer voxels too if bonds do
   not join them closely. */
static void put_pairs(const vxe_surface *surface, uint32_t one, const uint32_t of[2],
                      const int rows[2], row_begins *begins, into where)
{
    const int32_t *own = surface->cell + 3ull * one;
    const int slow = surface->axes[0];
    const int next = surface->axes[1];
    const int fast = surface->axes[2];
    for (int row = rows[0]; row < rows[1] && surface->faces[one] != 0; row++) {
        const int64_t y = row % (2 * CELLS + 1) - CELLS;
        const int64_t z = row / (2 * CELLS + 1) - CELLS;
        int64_t begin[3];
        begin[fast] = (int64_t)own[fast] - CELLS;
        begin[next] = own[next] + y;
        begin[slow] = own[slow] + z;
        const bool whole = y == CELLS || y == -CELLS || z == CELLS || z == -CELLS;
        uint32_t two = begins->at[row];
        while (two < surface->count &&
               vxe_scan_ahead(surface->axes, surface->cell + 3ull * two, begin)) {
            two++;
        }
        begins->at[row] = two;
        for (two = two > of[0] ? two : of[0]; two < of[1]; two++) {
            const int32_t *cell = surface->cell + 3ull * two;
            const int64_t x = (int64_t)cell[fast] - own[fast];
            if (cell[next] != begin[next] || cell[slow] != begin[slow] || x > CELLS) {
                break;
            }
            if (surface->faces[two] != 0 &&
                (whole || x == CELLS || x == -CELLS || vxe_surface_apart(surface, one, two))) {
                put(where, kind_of(x, y, z), one, two);
            }
        }
    }
}

/* Puts the pairs of a part: first those with voxels below the part, then those of each voxel with
   higher ones. */
static void fill_part(const vxe_surface *surface, const vxe_neighbor_part *part, into where)
{
    row_begins begins = {{0}};
    for (uint32_t k = part->first; k < part->last && part->first > 0; k++) {
        put_pairs(surface, k, (uint32_t[2]){0, part->first}, (int[2]){0, OWN_ROW + 1}, &begins,
                  where);
    }
    begins = (row_begins){{0}};
    for (uint32_t k = part->first; k < part->last; k++) {
        put_pairs(surface, k, (uint32_t[2]){k + 1, surface->count}, (int[2]){OWN_ROW, ROWS},
                  &begins, where);
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
    VXE_ASSERT(part_count > 0 && parts[0].first == 0);
    bool complete = true;
    for (int kind = 0; kind < VXE_PAIRS_LISTED; kind++) {
        complete = complete && vxe_pairs_take(&neighbors->pairs[kind], capacity[kind], words[kind]);
    }
    for (uint32_t p = 0; p < part_count && complete; p++) {
        fill_part(neighbors->surface, &parts[p], (into){neighbors->pairs, parts[p].pairs});
    }
    return complete;
}
