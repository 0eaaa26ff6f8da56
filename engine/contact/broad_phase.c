/* SPDX-License-Identifier: MIT */
/* The broad phase: lists the pairs of a surface that may touch before the lists are made again.

   A large surface is sorted into a grid of boxes as wide as the reach, and each voxel is compared
   with those of the 27 boxes about it. A small one is searched in batches of 16 voxels along a
   Z-curve, which are skipped by their bounds. A pair is kept if its centres are within reach and
   its faces could touch after an approach by face_reach.

   This file is compiled once per instruction set, always with floats: the margins of the lists
   cover what floats round away (slack in contact_kernels.h). */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/contact/contact_kernels.h"
#include "engine/core/real.h"

/* Candidates that are compared together. */
#define BATCH VXE_NEIGHBOR_BATCH
/* The 9 rows of boxes about a voxel, each in two ranges where it wraps round the grid. */
#define MAX_RANGES 18u

_Static_assert(BATCH <= 32 && VXE_MAX_WITHOUT_GRID <= 32 * BATCH,
               "a bit for each candidate of a batch, and for each batch of a small surface");
_Static_assert(VXE_MAX_NEIGHBORS < UINT8_MAX, "pairs of a voxel are counted in bytes");

typedef struct range {
    uint32_t first, last;
} range;

/* The ranges of sorted voxels in the 27 boxes about one: at most MAX_RANGES; returns their number.
 */
static uint32_t find_ranges(const vxe_neighbor_list *neighbors, uint32_t at, range *ranges)
{
    uint32_t count = 0;
    const uint32_t wrap = neighbors->side - 1;
    const uint32_t x = (uint32_t)neighbors->box[0][at] & wrap;
    for (int32_t way = 0; way < 9; way++) {
        const uint32_t y = (uint32_t)(neighbors->box[1][at] + way % 3 - 1) & wrap;
        const uint32_t z = (uint32_t)(neighbors->box[2][at] + way / 3 - 1) & wrap;
        const uint32_t *row =
            neighbors->first_of + ((size_t)z * neighbors->side + y) * neighbors->side;
        if (x > 0 && x < wrap) {
            ranges[count++] = (range){row[x - 1], row[x + 2]};
        } else { /* the row wraps: two boxes at one end of the grid and one at the other */
            ranges[count++] =
                x == 0 ? (range){row[0], row[2]} : (range){row[wrap - 1], row[wrap + 1]};
            ranges[count++] = x == 0 ? (range){row[wrap], row[wrap + 1]} : (range){row[0], row[1]};
        }
    }
    VXE_ASSERT(count <= MAX_RANGES);
    return count;
}

/* Largest component of r (m) in the axes of a voxel of orientation q. */
VXE_INLINE float farthest_component(float w, float x, float y, float z, float rx, float ry,
                                    float rz)
{
    const float tx = 2 * (y * rz - z * ry);
    const float ty = 2 * (z * rx - x * rz);
    const float tz = 2 * (x * ry - y * rx);
    const float a = fabsf(rx - w * tx + (y * tz - z * ty));
    const float b = fabsf(ry - w * ty + (z * tx - x * tz));
    const float c = fabsf(rz - w * tz + (x * ty - y * tx));
    const float ab = a > b ? a : b;
    return ab > c ? ab : c;
}

/* The voxel whose neighbours are searched, with the bounds that candidates must meet. */
typedef struct query {
    uint32_t index; /* in the surface's list */
    int32_t cell[3];
    float x, y, z, q[4], half_size; /* m */
    float reach2;                   /* m^2 */
    float face_reach;               /* m */
    int32_t lists_all; /* 1: pairs are listed however close in the lattice, see neighbor_lists.c */
    float faceless;    /* m: a large number where voxels are spheres, so that faces do not count */
} query;

/* The query of voxel `one` of the surface's list, which is at place `at` of the sorted voxels. */
static query query_of(const vxe_neighbor_list *neighbors, uint32_t one, uint32_t at)
{
    const vxe_surface_snapshot *s = &neighbors->sorted;
    return (query){one,
                   {s->cell[0][at], s->cell[1][at], s->cell[2][at]},
                   s->x[0][at],
                   s->x[1][at],
                   s->x[2][at],
                   {s->q[0][at], s->q[1][at], s->q[2][at], s->q[3][at]},
                   0.5f * s->size[at],
                   neighbors->reach * neighbors->reach,
                   neighbors->face_reach,
                   neighbors->surface->spheres || neighbors->surface->breaks,
                   neighbors->surface->spheres ? 1e30f : 0};
}

/* Whether a cell is within VXE_CELLS_APART of the query's along an axis. Differences of cells that
   are very far apart may overflow; such voxels are out of reach anyway. */
VXE_INLINE int32_t is_close(int32_t cell, int32_t own)
{
    return (uint32_t)cell - (uint32_t)own + VXE_CELLS_APART <= 2 * VXE_CELLS_APART;
}

/* Sets close to 1 for each candidate of a batch that is within reach and may collide, else to 0;
   returns whether there is one. */
VXE_INLINE int32_t within_reach(const vxe_surface_snapshot *s, const query *one, uint32_t begin,
                                int32_t *close)
{
    const float *x = s->x[0] + begin;
    const float *y = s->x[1] + begin;
    const float *z = s->x[2] + begin;
    const int32_t *cell[3] = {s->cell[0] + begin, s->cell[1] + begin, s->cell[2] + begin};
    const int32_t *open = s->open + begin;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (uint32_t i = 0; i < BATCH; i++) { /* arrays are padded by a batch */
        const float rx = x[i] - one->x;
        const float ry = y[i] - one->y;
        const float rz = z[i] - one->z;
        const float d2 = rx * rx + ry * ry + rz * rz;
        const int32_t beside = is_close(cell[0][i], one->cell[0]) &
                               is_close(cell[1][i], one->cell[1]) &
                               is_close(cell[2][i], one->cell[2]);
        close[i] = open[i] & (d2 < one->reach2) & (one->lists_all | !beside);
        any |= close[i];
    }
    return any;
}

/* A bit for each close candidate of a batch that could touch after an approach by face_reach. */
VXE_INLINE uint32_t keep_reachable(const vxe_neighbor_list *neighbors, const query *one,
                                   uint32_t begin, const int32_t *close)
{
    const vxe_surface_snapshot *s = &neighbors->sorted;
    const float *x[3] = {s->x[0] + begin, s->x[1] + begin, s->x[2] + begin};
    const float *q[4] = {s->q[0] + begin, s->q[1] + begin, s->q[2] + begin, s->q[3] + begin};
    const float *size = s->size + begin;
    uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (uint32_t i = 0; i < BATCH; i++) {
        const float rx = x[0][i] - one->x;
        const float ry = x[1][i] - one->y;
        const float rz = x[2][i] - one->z;
        const float length = one->half_size + 0.5f * size[i];
        const float by_one =
            farthest_component(one->q[0], one->q[1], one->q[2], one->q[3], rx, ry, rz);
        const float by_two = farthest_component(q[0][i], q[1][i], q[2][i], q[3][i], rx, ry, rz);
        const float by_faces = (by_one < by_two ? by_one : by_two) - length;
        bits |= (uint32_t)(close[i] & (by_faces - one->faceless < one->face_reach)) << i;
    }
    return bits;
}

/* The lists of a part while they grow: pairs with higher voxels fill the memory of the part from
   its beginning upwards, and pairs with voxels below the part fill it from its end downwards. */
typedef struct growing {
    const vxe_neighbor_list *neighbors;
    size_t first, last;             /* free places: [first, last) */
    size_t query_first, query_last; /* first and last when the query began */
} growing;

/* Stores a pair at a place of the lists. */
static void put_pair(const vxe_neighbor_list *neighbors, size_t at, uint32_t one, uint32_t two)
{
    neighbors->pairs[VXE_PAIRS_LISTED].of[0][at] = one;
    neighbors->pairs[VXE_PAIRS_LISTED].of[1][at] = two;
}

/* Copies a pair from one place of the lists to another. */
static void move_pair(const vxe_neighbor_list *neighbors, size_t to, size_t from)
{
    const vxe_pairs *pairs = &neighbors->pairs[VXE_PAIRS_LISTED];
    put_pair(neighbors, to, pairs->of[0][from], pairs->of[1][from]);
}

/* Inserts the pair of the query and a higher voxel; the pairs of a query stay sorted by these. */
static void insert_above(growing *lists, uint32_t own, uint32_t above)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    VXE_ASSERT(lists->first < lists->last && own < above);
    size_t at = lists->first++;
    for (; at > lists->query_first && neighbors->pairs[VXE_PAIRS_LISTED].of[1][at - 1] > above;
         at--) {
        move_pair(neighbors, at, at - 1);
    }
    put_pair(neighbors, at, own, above);
}

/* Inserts the pair of the query and a voxel below the part, sorted likewise, but downwards. */
static void insert_below(growing *lists, uint32_t own, uint32_t below)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    VXE_ASSERT(lists->first < lists->last && below < own);
    size_t at = --lists->last;
    for (; at + 1 < lists->query_last && neighbors->pairs[VXE_PAIRS_LISTED].of[0][at + 1] > below;
         at++) {
        move_pair(neighbors, at, at + 1);
    }
    put_pair(neighbors, at, below, own);
}

/* Counts one more pair of a voxel; false if it has VXE_MAX_NEIGHBORS already. */
static bool count_pair(const vxe_neighbor_list *neighbors, uint32_t k)
{
    VXE_ASSERT(k < neighbors->surface->count);
    neighbors->count[k] =
        (uint8_t)(neighbors->count[k] + (neighbors->count[k] <= VXE_MAX_NEIGHBORS));
    return neighbors->count[k] <= VXE_MAX_NEIGHBORS;
}

/* Lists the pairs of a query with the candidates in `bits`: those with higher voxels, and those
   with voxels below the part. Pairs with lower voxels of the part are listed by these. */
static void insert_pairs(growing *lists, const query *one, uint32_t begin, uint32_t bits,
                         const vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    for (; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        const uint32_t two = neighbors->from[begin + i];
        const bool above = two > one->index;
        if (!above && two >= part->first) {
            continue;
        }
        const bool inside = above && two < part->last;
        const bool counted = count_pair(neighbors, one->index);
        if ((inside && !count_pair(neighbors, two)) || !counted) {
            continue;
        }
        if (above) {
            insert_above(lists, one->index, two);
        } else {
            insert_below(lists, one->index, two);
        }
    }
}

/* Compares a query with the candidates of a range, batch by batch. */
static void search_range(growing *lists, const query *one, range where,
                         const vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    for (uint32_t begin = where.first; begin < where.last; begin += BATCH) {
        int32_t close[BATCH];
        if (within_reach(&neighbors->sorted, one, begin, close)) {
            const uint32_t left = where.last - begin;
            const uint32_t valid = left < BATCH ? (1u << left) - 1 : UINT32_MAX;
            insert_pairs(lists, one, begin, valid & keep_reachable(neighbors, one, begin, close),
                         part);
        }
    }
}

/* Bounds of each batch of candidates, where there is no grid: skipping 16 batches by their bounds
   takes as long as comparing with one. */
static void bound_batches(const vxe_neighbor_list *neighbors)
{
    for (uint32_t b = 0; b * BATCH < neighbors->stood; b++) {
        const uint32_t left = neighbors->stood - b * BATCH;
        for (int c = 0; c < 3; c++) {
            const float *x = neighbors->sorted.x[c] + b * BATCH;
            float low = x[0];
            float high = x[0];
            for (uint32_t i = 1; i < BATCH && i < left; i++) {
                low = x[i] < low ? x[i] : low;
                high = x[i] > high ? x[i] : high;
            }
            neighbors->low[c][b] = low;
            neighbors->high[c][b] = high;
        }
    }
}

/* m: gap between two intervals; 0 where they overlap. */
VXE_INLINE float gap(float low, float high, float other_low, float other_high)
{
    const float below = other_low - high;
    const float above = low - other_high;
    const float out = below > above ? below : above;
    return out > 0 ? out : 0;
}

/* A bit for each of the batches [begin, begin + BATCH) whose bounds are within reach of batch own.
 */
VXE_INLINE uint32_t bounds_within_reach(const vxe_neighbor_list *neighbors, uint32_t own,
                                        uint32_t begin)
{
    const float *low[3] = {neighbors->low[0] + begin, neighbors->low[1] + begin,
                           neighbors->low[2] + begin};
    const float *high[3] = {neighbors->high[0] + begin, neighbors->high[1] + begin,
                            neighbors->high[2] + begin};
    const float from[3] = {neighbors->low[0][own], neighbors->low[1][own], neighbors->low[2][own]};
    const float to[3] = {neighbors->high[0][own], neighbors->high[1][own], neighbors->high[2][own]};
    const float reach2 = neighbors->reach * neighbors->reach;
    uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (uint32_t i = 0; i < BATCH; i++) {
        const float x = gap(low[0][i], high[0][i], from[0], to[0]);
        const float y = gap(low[1][i], high[1][i], from[1], to[1]);
        const float z = gap(low[2][i], high[2][i], from[2], to[2]);
        bits |= (uint32_t)(x * x + y * y + z * z < reach2) << i;
    }
    return bits;
}

VXE_INLINE uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Sets `bit` in marks for each query of a batch that has a candidate of another batch within reach.
   Lanes are queries; candidates follow one after another. */
VXE_INLINE void mark_batch(const vxe_surface_snapshot *s, uint32_t queries, uint32_t candidates,
                           float reach2, bool lists_all, uint32_t bit, uint32_t *restrict marks)
{
    const float *x[3] = {s->x[0] + queries, s->x[1] + queries, s->x[2] + queries};
    uint32_t beside[3][BATCH]; /* the lowest cells that are within VXE_CELLS_APART */
    float nearest[BATCH];
    for (uint32_t i = 0; i < BATCH; i++) {
        nearest[i] = reach2;
        for (int c = 0; c < 3; c++) {
            beside[c][i] = (uint32_t)s->cell[c][queries + i] - VXE_CELLS_APART;
        }
    }
    for (uint32_t j = candidates; j < candidates + BATCH; j++) { /* arrays are padded by a batch */
        const float at[3] = {s->x[0][j], s->x[1][j], s->x[2][j]};
        const uint32_t in[3] = {(uint32_t)s->cell[0][j], (uint32_t)s->cell[1][j],
                                (uint32_t)s->cell[2][j]};
#pragma omp simd
        for (uint32_t i = 0; i < BATCH; i++) {
            const float rx = at[0] - x[0][i];
            const float ry = at[1] - x[1][i];
            const float rz = at[2] - x[2][i];
            const float d2 = vxe_fma(rx, rx, vxe_fma(ry, ry, rz * rz));
            const uint32_t apart =
                larger(in[0] - beside[0][i], larger(in[1] - beside[1][i], in[2] - beside[2][i]));
            const float counted = !lists_all && apart <= 2 * VXE_CELLS_APART ? reach2 : d2;
            nearest[i] = counted < nearest[i] ? counted : nearest[i];
        }
    }
#pragma omp simd
    for (uint32_t i = 0; i < BATCH; i++) {
        marks[i] |= nearest[i] < reach2 ? bit : 0;
    }
}

/* For each query of batch own, a bit for each batch, from own on, that has a candidate for it. */
static void mark_batches(const vxe_neighbor_list *neighbors, uint32_t own, uint32_t *marks)
{
    VXE_ASSERT(own * BATCH < neighbors->stood && neighbors->stood <= VXE_MAX_WITHOUT_GRID);
    const float reach2 = neighbors->reach * neighbors->reach;
    const bool lists_all = neighbors->surface->spheres || neighbors->surface->breaks;
    uint32_t wanted = 0;
    for (uint32_t b = 0; b * BATCH < neighbors->stood; b += BATCH) {
        wanted |= bounds_within_reach(neighbors, own, b) << b;
    }
    wanted &= (2u << (neighbors->stood - 1) / BATCH) - 1; /* bits beyond the last batch are void */
    memset(marks, 0, BATCH * sizeof *marks);
    for (wanted &= UINT32_MAX << own; wanted; wanted &= wanted - 1) {
        const uint32_t b = (uint32_t)__builtin_ctz(wanted);
        if (lists_all) {
            mark_batch(&neighbors->sorted, own * BATCH, b * BATCH, reach2, true, 1u << b, marks);
        } else {
            mark_batch(&neighbors->sorted, own * BATCH, b * BATCH, reach2, false, 1u << b, marks);
        }
    }
}

/* The pairs of a part in the order in which they are found. */
typedef struct found {
    const vxe_neighbor_list *neighbors;
    const vxe_neighbor_part *part;
    uint32_t *of[2]; /* (2, count) the lower voxel first */
    uint32_t count;
} found;

/* Adds the pairs of a query with the candidates in `bits`, as far as they belong to the part. */
static void add_found(found *pairs, const query *one, uint32_t begin, uint32_t bits)
{
    const vxe_neighbor_list *neighbors = pairs->neighbors;
    const vxe_neighbor_part *part = pairs->part;
    for (; bits; bits &= bits - 1) {
        const uint32_t two = neighbors->from[begin + (uint32_t)__builtin_ctz(bits)];
        const uint32_t lower = one->index < two ? one->index : two;
        const uint32_t upper = one->index < two ? two : one->index;
        const bool has_lower = lower >= part->first && lower < part->last;
        const bool has_upper = upper >= part->first && upper < part->last;
        const bool lower_fits = !has_lower || count_pair(neighbors, lower);
        const bool upper_fits = !has_upper || count_pair(neighbors, upper);
        if ((has_lower || has_upper) && lower_fits && upper_fits) {
            VXE_ASSERT(lower < upper && pairs->count < (neighbors->surface->count - part->first) *
                                                           VXE_MAX_NEIGHBORS);
            pairs->of[0][pairs->count] = lower;
            pairs->of[1][pairs->count++] = upper;
        }
    }
}

/* Finds the pairs of a query in the batches that are marked for it, behind its own place. */
static void find_in_marked(found *pairs, const query *one, uint32_t at, uint32_t marks)
{
    const vxe_neighbor_list *neighbors = pairs->neighbors;
    for (; marks; marks &= marks - 1) {
        const uint32_t begin = (uint32_t)__builtin_ctz(marks) * BATCH;
        const uint32_t behind = begin <= at ? UINT32_MAX << (at - begin) << 1 : UINT32_MAX;
        int32_t close[BATCH];
        within_reach(&neighbors->sorted, one, begin, close);
        add_found(pairs, one, begin, behind & keep_reachable(neighbors, one, begin, close));
    }
}

/* Sorts the pairs that were found by their lower and then their upper voxels, into a part's list.
 */
static void sort_found(const found *pairs, vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = pairs->neighbors;
    vxe_pair_range *listed = &part->pairs[VXE_PAIRS_LISTED];
    uint32_t first_of[VXE_MAX_WITHOUT_GRID + 1] = {0};
    for (uint32_t i = 0; i < pairs->count; i++) {
        first_of[pairs->of[0][i] + 1]++;
    }
    for (uint32_t k = 0; k < neighbors->surface->count; k++) {
        first_of[k + 1] += first_of[k];
    }
    listed->first = (size_t)part->first * VXE_MAX_NEIGHBORS;
    listed->count = pairs->count;
    VXE_ASSERT(neighbors->surface->count <= VXE_MAX_WITHOUT_GRID);
    VXE_ASSERT(listed->count <= (part->last - part->first) * VXE_MAX_NEIGHBORS);
    uint32_t *lower = neighbors->pairs[VXE_PAIRS_LISTED].of[0] + listed->first;
    uint32_t *upper = neighbors->pairs[VXE_PAIRS_LISTED].of[1] + listed->first;
    uint32_t put[VXE_MAX_WITHOUT_GRID] = {0};
    for (uint32_t i = 0; i < pairs->count; i++) {
        const uint32_t one = pairs->of[0][i];
        const uint32_t two = pairs->of[1][i];
        uint32_t at = first_of[one] + put[one]++;
        for (; at > first_of[one] && upper[at - 1] > two; at--) {
            upper[at] = upper[at - 1];
        }
        upper[at] = two;
        lower[first_of[one] + put[one] - 1] = one;
    }
}

/* Makes the list of a part of a small surface, without a grid. */
static void search_batches(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part)
{
    const size_t capacity = (size_t)part->first * VXE_MAX_NEIGHBORS;
    found pairs = {
        neighbors, part, {neighbors->found[0] + capacity, neighbors->found[1] + capacity}, 0};
    for (uint32_t at = 0; at < neighbors->stood; at += BATCH) {
        uint32_t marks[BATCH];
        mark_batches(neighbors, at / BATCH, marks);
        for (uint32_t i = 0; i < BATCH && at + i < neighbors->stood; i++) {
            const uint32_t one = neighbors->from[at + i];
            if (marks[i] != 0 && neighbors->faces[one] != 0) {
                const query subject = query_of(neighbors, one, at + i);
                find_in_marked(&pairs, &subject, at + i, marks[i]);
            }
        }
    }
    sort_found(&pairs, part);
}

/* Reverses the order of the pairs [begin, end) of the lists. */
static void reverse(const vxe_neighbor_list *neighbors, size_t begin, size_t end)
{
    for (; begin + 1 < end; begin++) {
        end--;
        const uint32_t one = neighbors->pairs[VXE_PAIRS_LISTED].of[0][begin];
        const uint32_t two = neighbors->pairs[VXE_PAIRS_LISTED].of[1][begin];
        move_pair(neighbors, begin, end);
        put_pair(neighbors, end, one, two);
    }
}

/* Moves the pairs with voxels below a part in front of its other pairs. */
static void finish_lists(const growing *lists, vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    vxe_pair_range *listed = &part->pairs[VXE_PAIRS_LISTED];
    const size_t begin = (size_t)part->first * VXE_MAX_NEIGHBORS;
    const size_t halo = (size_t)part->last * VXE_MAX_NEIGHBORS - lists->last;
    for (size_t i = 0; i < halo; i++) {
        move_pair(neighbors, lists->first + i, lists->last + i);
    }
    if (halo > 0) { /* the part's own pairs, then the halo backwards: two reversals swap them */
        reverse(neighbors, begin, lists->first + halo);
        reverse(neighbors, begin + halo, lists->first + halo);
    }
    listed->first = begin;
    listed->count = (uint32_t)(lists->first + halo - begin);
    VXE_ASSERT(listed->count <= (part->last - part->first) * VXE_MAX_NEIGHBORS);
}

/* The first voxel of a part with too many neighbours, or VXE_NONE. */
static uint32_t find_crowded(const vxe_neighbor_list *neighbors, const vxe_neighbor_part *part)
{
    uint32_t k = part->first;
    while (k < part->last && neighbors->count[k] <= VXE_MAX_NEIGHBORS) {
        k++;
    }
    return k < part->last ? k : VXE_NONE;
}

/* Makes the list of a part of a surface that is sorted into a grid. */
static void search_boxes(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part)
{
    growing lists = {neighbors, (size_t)part->first * VXE_MAX_NEIGHBORS,
                     (size_t)part->last * VXE_MAX_NEIGHBORS, 0, 0};
    for (uint32_t one = part->first; one < part->last; one++) {
        if (neighbors->faces[one] == 0) {
            continue;
        }
        range ranges[MAX_RANGES];
        const query subject = query_of(neighbors, one, neighbors->place[one]);
        const uint32_t count = find_ranges(neighbors, neighbors->place[one], ranges);
        lists.query_first = lists.first;
        lists.query_last = lists.last;
        for (uint32_t r = 0; r < count; r++) {
            search_range(&lists, &subject, ranges[r], part);
        }
    }
    finish_lists(&lists, part);
}

/* Makes the list of a part, and finds whether one of its voxels is in a crowd. */
static void search(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part)
{
    VXE_ASSERT(part->first <= part->last && part->last <= neighbors->surface->count);
    VXE_ASSERT(neighbors->reach > 0 && (neighbors->side & (neighbors->side - 1)) == 0);
    memset(neighbors->count + part->first, 0, part->last - part->first);
    if (part->first == part->last) {
        part->pairs[VXE_PAIRS_LISTED].count = 0;
    } else if (neighbors->side == 1) {
        search_batches(neighbors, part);
    } else {
        search_boxes(neighbors, part);
    }
    part->crowded = find_crowded(neighbors, part);
    part->kept_in = UINT64_MAX;
}

extern const vxe_broad_phase_kernels VXE_VARIANT(vxe_broad_phase_kernels);

const vxe_broad_phase_kernels VXE_VARIANT(vxe_broad_phase_kernels) = {.search = search,
                                                                      .bound = bound_batches};
