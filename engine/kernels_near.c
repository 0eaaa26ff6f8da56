/* SPDX-License-Identifier: MIT */
/* Which voxels of a surface are near each other. See contact_kernels_internal.h. This file is
   compiled once per instruction set, with floats: what is near is asked with a margin. */
#include <stddef.h>
#include <string.h>

#include "engine/contact_kernels_internal.h"
#include "engine/real_internal.h"

/* Candidates looked at together. */
#define BATCH VXE_NEAR_BATCH
/* Rows of boxes about a voxel, each in two parts where it is wound round the grid. */
#define MOST_RANGES 18u

typedef struct range {
    uint32_t first, last;
} range;

/* Ranges of the sorted voxels that may be near one. */
static uint32_t find_ranges(const vxe_near *near, uint32_t at, range *ranges)
{
    uint32_t count = 0;
    const uint32_t wrap = near->side - 1;
    const uint32_t x = (uint32_t)near->box[0][at] & wrap;
    for (int32_t way = 0; way < 9; way++) {
        const uint32_t y = (uint32_t)(near->box[1][at] + way % 3 - 1) & wrap;
        const uint32_t z = (uint32_t)(near->box[2][at] + way / 3 - 1) & wrap;
        const uint32_t *row = near->first_of + ((size_t)z * near->side + y) * near->side;
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
typedef struct asker {
    uint32_t index; /* in the surface's list */
    int32_t cell[3];
    float x, y, z, q[4], half_size;
    float reach2; /* m^2 */
    float face_reach, arm;
    int32_t lists_all; /* however close in the lattice, see contacts.c */
    float by_length;   /* edges within which two may touch */
    float faceless;    /* m: what takes faces out of account where spheres touch */
} asker;

static asker asker_of(const vxe_near *near, uint32_t one, uint32_t at)
{
    const vxe_standing *s = &near->sorted;
    return (asker){one,
                   {s->cell[0][at], s->cell[1][at], s->cell[2][at]},
                   s->x[0][at],
                   s->x[1][at],
                   s->x[2][at],
                   {s->q[0][at], s->q[1][at], s->q[2][at], s->q[3][at]},
                   0.5f * s->size[at],
                   near->reach * near->reach,
                   near->face_reach,
                   near->arm,
                   near->surface->spheres || near->surface->breaks,
                   near->surface->spheres ? VXE_SPHERE : VXE_CORNERS,
                   near->surface->spheres ? 1e30f : 0};
}

/* Whether a cell is so close to the asker's along an axis. Cells far apart may wind round: they are
 * not near either. */
VXE_INLINE int32_t is_close(int32_t cell, int32_t own)
{
    return (uint32_t)cell - (uint32_t)own + VXE_CELLS_APART <= 2 * VXE_CELLS_APART;
}

/* Of a batch of candidates those within reach that may collide, as 1; whether there is one. */
VXE_INLINE int32_t within_reach(const vxe_standing *s, const asker *one, uint32_t begin,
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
 * each. notches: for their wheels. */
VXE_INLINE uint32_t keep_near(const vxe_near *near, const asker *one, uint32_t begin,
                              const int32_t *close, uint32_t *notches)
{
    const vxe_standing *s = &near->sorted;
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
        const float distance = sqrtf(rx * rx + ry * ry + rz * rz);
        const float by_distance = distance - one->by_length * length;
        const float left = one->arm - distance;
        const float apart = by_faces - one->faceless;
        const float in_arm = apart < left ? apart : left;
        notches[i] = vxe_notch_of(near, in_arm, by_distance);
        bits |= (uint32_t)(close[i] & (apart < one->face_reach)) << i;
    }
    return bits;
}

/* A part's lists as they grow: pairs with voxels above from the beginning of their room upwards,
   and those with voxels below the part from its end downwards. */
typedef struct growing {
    const vxe_near *near;
    size_t first, last;             /* room left: [first, last) */
    size_t asker_first, asker_last; /* as they were when the asker began */
} growing;

/* Puts a pair and its notch into the list. */
static void put_pair(const vxe_near *near, size_t at, uint32_t one, uint32_t two, uint32_t notch)
{
    near->listed.of[0][at] = one;
    near->listed.of[1][at] = two;
    near->listed.next[at] = notch;
}

static void move_pair(const vxe_near *near, size_t to, size_t from)
{
    const vxe_pairs *pairs = &near->listed;
    put_pair(near, to, pairs->of[0][from], pairs->of[1][from], pairs->next[from]);
}

/* Puts the asker and a voxel above into the list, by the order of those above. */
static void insert_above(growing *lists, uint32_t own, uint32_t above, uint32_t notch)
{
    const vxe_near *near = lists->near;
    size_t at = lists->first++;
    for (; at > lists->asker_first && near->listed.of[1][at - 1] > above; at--) {
        move_pair(near, at, at - 1);
    }
    put_pair(near, at, own, above, notch);
}

static void insert_below(growing *lists, uint32_t own, uint32_t below, uint32_t notch)
{
    const vxe_near *near = lists->near;
    size_t at = --lists->last;
    for (; at + 1 < lists->asker_last && near->listed.of[0][at + 1] > below; at++) {
        move_pair(near, at, at + 1);
    }
    put_pair(near, at, below, own, notch);
}

/* Counts a voxel's pairs; whether there is room for one more. */
static bool count_pair(const vxe_near *near, uint32_t k)
{
    near->count[k] = (uint8_t)(near->count[k] + (near->count[k] <= VXE_MOST_NEAR));
    return near->count[k] <= VXE_MOST_NEAR;
}

/* Lists the pairs that a voxel of a part makes with candidates that are near it: those above, and
   those below the part. */
static void insert_pairs(growing *lists, const asker *one, uint32_t begin, uint32_t bits,
                         const uint32_t *notches, const vxe_near_part *part)
{
    const vxe_near *near = lists->near;
    for (; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        const uint32_t two = near->from[begin + i];
        const bool above = two > one->index;
        if (!above && two >= part->first) {
            continue;
        }
        const bool inside = above && two < part->last;
        const bool counted = count_pair(near, one->index);
        if ((inside && !count_pair(near, two)) || !counted) {
            continue;
        }
        if (above) {
            insert_above(lists, one->index, two, notches[i]);
        } else {
            insert_below(lists, one->index, two, notches[i]);
        }
    }
}

/* Looks at the candidates of a range, batch by batch. */
static void search_range(growing *lists, const asker *one, range where, const vxe_near_part *part)
{
    const vxe_near *near = lists->near;
    for (uint32_t begin = where.first; begin < where.last; begin += BATCH) {
        int32_t close[BATCH];
        uint32_t notches[BATCH];
        if (within_reach(&near->sorted, one, begin, close)) {
            const uint32_t left = where.last - begin;
            const uint32_t those = left < BATCH ? (1u << left) - 1 : UINT32_MAX;
            insert_pairs(lists, one, begin, those & keep_near(near, one, begin, close, notches),
                         notches, part);
        }
    }
}

/* Bounds of each batch of candidates, where nothing is sorted: 16 batches are as soon passed over
   as one is looked at. */
static void bound_batches(const vxe_near *near)
{
    for (uint32_t b = 0; b * BATCH < near->surface->count; b++) {
        const uint32_t left = near->surface->count - b * BATCH;
        for (int c = 0; c < 3; c++) {
            const float *x = near->sorted.x[c] + b * BATCH;
            float low = x[0];
            float high = x[0];
            for (uint32_t i = 1; i < BATCH && i < left; i++) {
                low = x[i] < low ? x[i] : low;
                high = x[i] > high ? x[i] : high;
            }
            near->low[c][b] = low;
            near->high[c][b] = high;
        }
    }
}

/* Of batches [begin, begin + BATCH) those that come within reach, as 1. */
VXE_INLINE void bounds_within_reach(const vxe_near *near, const asker *one, uint32_t begin,
                                    int32_t *close)
{
    const float at[3] = {one->x, one->y, one->z};
#pragma omp simd
    for (uint32_t i = 0; i < BATCH; i++) {
        float d2 = 0;
        for (int c = 0; c < 3; c++) {
            const float below = near->low[c][begin + i] - at[c];
            const float above = at[c] - near->high[c][begin + i];
            const float out = below > above ? below : above;
            d2 += out > 0 ? out * out : 0;
        }
        close[i] = d2 < one->reach2;
    }
}

/* Looks at all candidates of [0, first) and behind the asker, where nothing is sorted. */
static void search_all(growing *lists, const asker *one, const vxe_near_part *part)
{
    const vxe_near *near = lists->near;
    const range parts[2] = {{0, part->first}, {one->index + 1, near->surface->count}};
    for (int p = 0; p < 2; p++) {
        int32_t close[BATCH];
        range where = parts[p];
        for (bool begun = false; where.first < where.last; begun = true) {
            const uint32_t batch = where.first / BATCH;
            const uint32_t end = (batch + 1) * BATCH;
            if (!begun || batch % BATCH == 0) {
                bounds_within_reach(near, one, batch / BATCH * BATCH, close);
            }
            if (close[batch % BATCH]) {
                const range here = {where.first, end < where.last ? end : where.last};
                search_range(lists, one, here, part);
            }
            where.first = end;
        }
    }
}

/* Turns the pairs [begin, end) of the lists round. */
static void reverse(const vxe_near *near, size_t begin, size_t end)
{
    for (; begin + 1 < end; begin++) {
        end--;
        const uint32_t one = near->listed.of[0][begin];
        const uint32_t two = near->listed.of[1][begin];
        const uint32_t notch = near->listed.next[begin];
        move_pair(near, begin, end);
        put_pair(near, end, one, two, notch);
    }
}

/* Puts the pairs with voxels below a part ahead of its own. */
static void finish_lists(const growing *lists, vxe_near_part *part)
{
    const vxe_near *near = lists->near;
    vxe_pair_range *listed = &part->listed;
    const size_t begin = (size_t)part->first * VXE_MOST_NEAR;
    const size_t crossing = (size_t)part->last * VXE_MOST_NEAR - lists->last;
    for (size_t i = 0; i < crossing; i++) {
        move_pair(near, lists->first + i, lists->last + i);
    }
    if (crossing > 0) { /* now own ones, then crossing ones backwards */
        reverse(near, begin, lists->first + crossing);
        reverse(near, begin + crossing, lists->first + crossing);
    }
    listed->first = begin;
    listed->count = (uint32_t)(lists->first + crossing - begin);
}

static uint32_t find_crowded(const vxe_near *near, const vxe_near_part *part)
{
    uint32_t k = part->first;
    while (k < part->last && near->count[k] <= VXE_MOST_NEAR) {
        k++;
    }
    return k < part->last ? k : VXE_NONE;
}

static void search(const vxe_near *near, vxe_near_part *part)
{
    growing lists = {near, (size_t)part->first * VXE_MOST_NEAR, (size_t)part->last * VXE_MOST_NEAR,
                     0, 0};
    memset(near->count + part->first, 0, part->last - part->first);
    for (uint32_t one = part->first; one < part->last; one++) {
        if (near->faces[one] == 0) {
            continue;
        }
        const uint32_t at = near->place[one];
        const asker asks = asker_of(near, one, at);
        lists.asker_first = lists.first;
        lists.asker_last = lists.last;
        if (near->side == 1) {
            search_all(&lists, &asks, part);
            continue;
        }
        range ranges[MOST_RANGES];
        const uint32_t range_count = find_ranges(near, at, ranges);
        for (uint32_t r = 0; r < range_count; r++) {
            search_range(&lists, &asks, ranges[r], part);
        }
    }
    finish_lists(&lists, part);
    part->crowded = find_crowded(near, part);
}

extern const vxe_near_kernels VXE_VARIANT(vxe_near_kernels);

const vxe_near_kernels VXE_VARIANT(vxe_near_kernels) = {.search = search, .bound = bound_batches};
