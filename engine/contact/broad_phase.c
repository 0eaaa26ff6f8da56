/* SPDX-License-Identifier: MIT */
/* Which voxels of a surface are near each other. See contact_kernels.h. This file is
   compiled once per instruction set, with floats: what is near is asked with a margin. */
#include <stddef.h>
#include <string.h>

#include "engine/contact/contact_kernels.h"
#include "engine/core/real.h"

/* Candidates looked at together. */
#define BATCH VXE_NEIGHBOR_BATCH
/* Rows of boxes about a voxel, each in two parts where it is wound round the grid. */
#define MAX_RANGES 18u

typedef struct range {
    uint32_t first, last;
} range;

/* Ranges of the sorted voxels that may be near one. */
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
        } else { /* two boxes at one end and one at the other */
            ranges[count++] =
                x == 0 ? (range){row[0], row[2]} : (range){row[wrap - 1], row[wrap + 1]};
            ranges[count++] = x == 0 ? (range){row[wrap], row[wrap + 1]} : (range){row[0], row[1]};
        }
    }
    return count;
}

/* Largest component of r in the axes of a voxel that is turned by q. */
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

/* What near asks of candidates, by the voxel that asks. */
typedef struct query {
    uint32_t index; /* in the surface's list */
    int32_t cell[3];
    float x, y, z, q[4], half_size;
    float reach2; /* m^2 */
    float face_reach;
    int32_t lists_all; /* however close in the lattice, see neighbor_lists.c */
    float faceless;    /* m: what takes faces out of account where spheres touch */
} query;

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

/* Whether a cell is so close to the query's along an axis. Cells far apart may wind round: they are
 * not near either. */
VXE_INLINE int32_t is_close(int32_t cell, int32_t own)
{
    return (uint32_t)cell - (uint32_t)own + VXE_CELLS_APART <= 2 * VXE_CELLS_APART;
}

/* Of a batch of candidates those within reach that may collide, as 1; whether there is one. */
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
    for (uint32_t i = 0; i < BATCH; i++) { /* the arrays go on that far */
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

/* Of the close ones of a batch those that could touch if they came closer by what voxels may: a bit
 * each. */
VXE_INLINE uint32_t keep_near(const vxe_neighbor_list *neighbors, const query *one, uint32_t begin,
                              const int32_t *close)
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

/* A part's lists as they grow: pairs with voxels above from the beginning of their room upwards,
   and those with voxels below the part from its end downwards. */
typedef struct growing {
    const vxe_neighbor_list *neighbors;
    size_t first, last;             /* room left: [first, last) */
    size_t query_first, query_last; /* as they were when the query began */
} growing;

static void put_pair(const vxe_neighbor_list *neighbors, size_t at, uint32_t one, uint32_t two)
{
    neighbors->pairs[VXE_PAIRS_LISTED].of[0][at] = one;
    neighbors->pairs[VXE_PAIRS_LISTED].of[1][at] = two;
}

static void move_pair(const vxe_neighbor_list *neighbors, size_t to, size_t from)
{
    const vxe_pairs *pairs = &neighbors->pairs[VXE_PAIRS_LISTED];
    put_pair(neighbors, to, pairs->of[0][from], pairs->of[1][from]);
}

/* Puts the query and a voxel above into the list, by the order of those above. */
static void insert_above(growing *lists, uint32_t own, uint32_t above)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    size_t at = lists->first++;
    for (; at > lists->query_first && neighbors->pairs[VXE_PAIRS_LISTED].of[1][at - 1] > above;
         at--) {
        move_pair(neighbors, at, at - 1);
    }
    put_pair(neighbors, at, own, above);
}

static void insert_below(growing *lists, uint32_t own, uint32_t below)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    size_t at = --lists->last;
    for (; at + 1 < lists->query_last && neighbors->pairs[VXE_PAIRS_LISTED].of[0][at + 1] > below;
         at++) {
        move_pair(neighbors, at, at + 1);
    }
    put_pair(neighbors, at, below, own);
}

/* Counts a voxel's pairs; whether there is room for one more. */
static bool count_pair(const vxe_neighbor_list *neighbors, uint32_t k)
{
    neighbors->count[k] =
        (uint8_t)(neighbors->count[k] + (neighbors->count[k] <= VXE_MAX_NEIGHBORS));
    return neighbors->count[k] <= VXE_MAX_NEIGHBORS;
}

/* Lists the pairs that a voxel of a part makes with candidates that are near it: those above, and
   those below the part. */
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

/* Looks at the candidates of a range, batch by batch. */
static void search_range(growing *lists, const query *one, range where,
                         const vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    for (uint32_t begin = where.first; begin < where.last; begin += BATCH) {
        int32_t close[BATCH];
        if (within_reach(&neighbors->sorted, one, begin, close)) {
            const uint32_t left = where.last - begin;
            const uint32_t those = left < BATCH ? (1u << left) - 1 : UINT32_MAX;
            insert_pairs(lists, one, begin, those & keep_near(neighbors, one, begin, close), part);
        }
    }
}

/* Bounds of each batch of candidates, where there is no grid: 16 batches are as soon passed over as
   one is looked at. */
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

VXE_INLINE float gap(float low, float high, float other_low, float other_high)
{
    const float below = other_low - high;
    const float above = low - other_high;
    const float out = below > above ? below : above;
    return out > 0 ? out : 0;
}

/* Of batches [begin, begin + BATCH) those that come within reach of another one: a bit each. */
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

/* Of a batch of queries those that have a candidate of another batch within reach: marks the bit of
   that batch. Lanes are queries: candidates are passed by one after the other. */
VXE_INLINE void mark_batch(const vxe_surface_snapshot *s, uint32_t queries, uint32_t candidates,
                           float reach2, bool lists_all, uint32_t bit, uint32_t *restrict marks)
{
    const float *x[3] = {s->x[0] + queries, s->x[1] + queries, s->x[2] + queries};
    uint32_t beside[3][BATCH]; /* the first cells that are */
    float nearest[BATCH];
    for (uint32_t i = 0; i < BATCH; i++) {
        nearest[i] = reach2;
        for (int c = 0; c < 3; c++) {
            beside[c][i] = (uint32_t)s->cell[c][queries + i] - VXE_CELLS_APART;
        }
    }
    for (uint32_t j = candidates; j < candidates + BATCH; j++) { /* the arrays go on that far */
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

/* The batches in which each of a batch finds something, from its own on: a bit each. */
static void mark_batches(const vxe_neighbor_list *neighbors, uint32_t own, uint32_t *marks)
{
    const float reach2 = neighbors->reach * neighbors->reach;
    const bool lists_all = neighbors->surface->spheres || neighbors->surface->breaks;
    uint32_t wanted = 0;
    for (uint32_t b = 0; b * BATCH < neighbors->stood; b += BATCH) {
        wanted |= bounds_within_reach(neighbors, own, b) << b;
    }
    wanted &= (2u << (neighbors->stood - 1) / BATCH) - 1; /* there are no others */
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

/* Pairs of a part as they are found. */
typedef struct found {
    const vxe_neighbor_list *neighbors;
    const vxe_neighbor_part *part;
    uint32_t *of[2]; /* the lower one first */
    uint32_t count;
} found;

/* Adds the pairs of an query with some candidates of a batch, if they are the part's. */
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
            pairs->of[0][pairs->count] = lower;
            pairs->of[1][pairs->count++] = upper;
        }
    }
}

/* Finds the pairs of an query in the batches that are marked for it. */
static void find_in_marked(found *pairs, const query *one, uint32_t at, uint32_t marks)
{
    const vxe_neighbor_list *neighbors = pairs->neighbors;
    for (; marks; marks &= marks - 1) {
        const uint32_t begin = (uint32_t)__builtin_ctz(marks) * BATCH;
        const uint32_t behind = begin <= at ? UINT32_MAX << (at - begin) << 1 : UINT32_MAX;
        int32_t close[BATCH];
        within_reach(&neighbors->sorted, one, begin, close);
        add_found(pairs, one, begin, behind & keep_near(neighbors, one, begin, close));
    }
}

/* Sorts what was found by the lower voxels, and then the upper ones, into a part's list. */
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

/* Makes a part's list of a surface that has no grid. */
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
                const query asks = query_of(neighbors, one, at + i);
                find_in_marked(&pairs, &asks, at + i, marks[i]);
            }
        }
    }
    sort_found(&pairs, part);
}

/* Turns the pairs [begin, end) of the lists round. */
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

/* Puts the pairs with voxels below a part ahead of its own. */
static void finish_lists(const growing *lists, vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = lists->neighbors;
    vxe_pair_range *listed = &part->pairs[VXE_PAIRS_LISTED];
    const size_t begin = (size_t)part->first * VXE_MAX_NEIGHBORS;
    const size_t halo = (size_t)part->last * VXE_MAX_NEIGHBORS - lists->last;
    for (size_t i = 0; i < halo; i++) {
        move_pair(neighbors, lists->first + i, lists->last + i);
    }
    if (halo > 0) { /* now own ones, then crossing ones backwards */
        reverse(neighbors, begin, lists->first + halo);
        reverse(neighbors, begin + halo, lists->first + halo);
    }
    listed->first = begin;
    listed->count = (uint32_t)(lists->first + halo - begin);
}

static uint32_t find_crowded(const vxe_neighbor_list *neighbors, const vxe_neighbor_part *part)
{
    uint32_t k = part->first;
    while (k < part->last && neighbors->count[k] <= VXE_MAX_NEIGHBORS) {
        k++;
    }
    return k < part->last ? k : VXE_NONE;
}

/* Makes a part's list of a surface that is sorted into a grid. */
static void search_boxes(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part)
{
    growing lists = {neighbors, (size_t)part->first * VXE_MAX_NEIGHBORS,
                     (size_t)part->last * VXE_MAX_NEIGHBORS, 0, 0};
    for (uint32_t one = part->first; one < part->last; one++) {
        if (neighbors->faces[one] == 0) {
            continue;
        }
        range ranges[MAX_RANGES];
        const query asks = query_of(neighbors, one, neighbors->place[one]);
        const uint32_t count = find_ranges(neighbors, neighbors->place[one], ranges);
        lists.query_first = lists.first;
        lists.query_last = lists.last;
        for (uint32_t r = 0; r < count; r++) {
            search_range(&lists, &asks, ranges[r], part);
        }
    }
    finish_lists(&lists, part);
}

static void search(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part)
{
    memset(neighbors->count + part->first, 0, part->last - part->first);
    if (part->first == part->last) {
        part->pairs[VXE_PAIRS_LISTED].count = 0;
    } else if (neighbors->side == 1) {
        search_batches(neighbors, part);
    } else {
        search_boxes(neighbors, part);
    }
    part->crowded = find_crowded(neighbors, part);
}

extern const vxe_broad_phase_kernels VXE_VARIANT(vxe_broad_phase_kernels);

const vxe_broad_phase_kernels VXE_VARIANT(vxe_broad_phase_kernels) = {.search = search,
                                                                      .bound = bound_batches};
