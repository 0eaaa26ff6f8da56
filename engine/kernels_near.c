/* SPDX-License-Identifier: MIT */
/* Which voxels of a surface are near each other. See contact_kernels_internal.h. This file is
   compiled once per instruction set, with floats: what is near is asked with a margin. */
#include <stddef.h>

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
    float skin;
    int32_t lists_all; /* those that touch at rest too, see contacts.c */
    int32_t spheres;
} asker;

static asker asker_of(const vxe_near *near, uint32_t one, uint32_t at)
{
    return (asker){one,
                   {near->cell[0][at], near->cell[1][at], near->cell[2][at]},
                   near->x[0][at],
                   near->x[1][at],
                   near->x[2][at],
                   {near->q[0][at], near->q[1][at], near->q[2][at], near->q[3][at]},
                   0.5f * near->size[at],
                   near->reach * near->reach,
                   near->skin,
                   near->surface->spheres || near->surface->breaks,
                   near->surface->spheres};
}

/* Whether a cell is the asker's or beside it along an axis. Cells far apart may wind round: they
 * are not near either. */
VXE_INLINE int32_t is_beside(int32_t cell, int32_t own)
{
    return (uint32_t)cell - (uint32_t)own + 1 <= 2;
}

/* Of a batch of candidates those within reach that may collide, as 1; whether there is one. */
VXE_INLINE int32_t within_reach(const vxe_near *near, const asker *one, uint32_t begin,
                                int32_t *close)
{
    const float *x = near->x[0] + begin;
    const float *y = near->x[1] + begin;
    const float *z = near->x[2] + begin;
    const int32_t *cell[3] = {near->cell[0] + begin, near->cell[1] + begin, near->cell[2] + begin};
    const int32_t *open = near->open + begin;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (uint32_t i = 0; i < BATCH; i++) { /* the arrays go on that far */
        const float rx = x[i] - one->x;
        const float ry = y[i] - one->y;
        const float rz = z[i] - one->z;
        const float d2 = rx * rx + ry * ry + rz * rz;
        const int32_t bonded = is_beside(cell[0][i], one->cell[0]) &
                               is_beside(cell[1][i], one->cell[1]) &
                               is_beside(cell[2][i], one->cell[2]);
        close[i] = open[i] & (d2 < one->reach2) & (one->lists_all | !bonded);
        any |= close[i];
    }
    return any;
}

/* Clears those of a batch that could not touch if they came closer by the skin; whether one is
 * left.
 */
VXE_INLINE int32_t keep_near(const vxe_near *near, const asker *one, uint32_t begin, int32_t *close)
{
    const float *x[3] = {near->x[0] + begin, near->x[1] + begin, near->x[2] + begin};
    const float *q[4] = {near->q[0] + begin, near->q[1] + begin, near->q[2] + begin,
                         near->q[3] + begin};
    const float *size = near->size + begin;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (uint32_t i = 0; i < BATCH; i++) {
        const float rx = x[0][i] - one->x;
        const float ry = x[1][i] - one->y;
        const float rz = x[2][i] - one->z;
        const float length = one->half_size + 0.5f * size[i];
        const float by_one =
            farthest_component(one->q[0], one->q[1], one->q[2], one->q[3], rx, ry, rz);
        const float by_two = farthest_component(q[0][i], q[1][i], q[2][i], q[3][i], rx, ry, rz);
        const float by_faces = by_one < by_two ? by_one : by_two;
        close[i] &= one->spheres | (by_faces < length + one->skin);
        any |= close[i];
    }
    return any;
}

/* Puts a voxel into a list, in order. One that is full has a count beyond its room from then on. */
static void insert(const vxe_near *near, uint32_t one, uint32_t two)
{
    uint32_t *list = near->list + (size_t)one * VXE_MOST_NEAR;
    uint32_t at = near->count[one];
    if (at >= VXE_MOST_NEAR) {
        near->count[one] = VXE_MOST_NEAR + 1;
        return;
    }
    for (; at > 0 && list[at - 1] > two; at--) {
        list[at] = list[at - 1];
    }
    list[at] = two;
    near->count[one]++;
}

/* Inserts the pairs that a voxel of [first, last) makes with those near it in a batch, of which the
   range where allows: of each pair of that range's voxels the one that the lower finds, into both
   lists. */
static void insert_pairs(const vxe_near *near, const asker *one, uint32_t begin, range where,
                         const int32_t *close, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        if (!close[i] || begin + i < where.first || begin + i >= where.last) {
            continue;
        }
        const uint32_t two = near->sorted[begin + i];
        if (two > one->index || two < first) {
            insert(near, one->index, two);
            if (two > one->index && two < last) {
                insert(near, two, one->index);
            }
        }
    }
}

/* Looks at the candidates of a range, batch by batch. */
static void search_range(const vxe_near *near, const asker *one, range where, uint32_t first,
                         uint32_t last)
{
    for (uint32_t begin = where.first; begin < where.last; begin += BATCH) {
        int32_t close[BATCH];
        if (within_reach(near, one, begin, close) && keep_near(near, one, begin, close)) {
            insert_pairs(near, one, begin, where, close, first, last);
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
            const float *x = near->x[c] + b * BATCH;
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
static void search_all(const vxe_near *near, const asker *one, uint32_t first, uint32_t last)
{
    const range parts[2] = {{0, first}, {one->index + 1, near->surface->count}};
    for (int part = 0; part < 2; part++) {
        const range where = parts[part];
        int32_t close[BATCH];
        for (uint32_t begin = where.first / BATCH * BATCH; begin < where.last; begin += BATCH) {
            const uint32_t batch = begin / BATCH;
            if (begin < where.first + BATCH || batch % BATCH == 0) {
                bounds_within_reach(near, one, batch / BATCH * BATCH, close);
            }
            if (close[batch % BATCH]) {
                search_range(near, one,
                             (range){begin > where.first ? begin : where.first,
                                     begin + BATCH < where.last ? begin + BATCH : where.last},
                             first, last);
            }
        }
    }
}

/* The first voxel of a range whose list is not complete; lists end where their room does. */
static uint32_t find_crowded(const vxe_near *near, uint32_t first, uint32_t last)
{
    uint32_t crowded = VXE_NONE;
    for (uint32_t one = last; one-- > first;) {
        if (near->count[one] > VXE_MOST_NEAR) {
            near->count[one] = VXE_MOST_NEAR;
            crowded = one;
        }
    }
    return crowded;
}

static uint32_t search(const vxe_near *near, uint32_t first, uint32_t last)
{
    for (uint32_t one = first; one < last; one++) {
        near->count[one] = 0;
    }
    for (uint32_t one = first; one < last; one++) {
        if (near->faces[one] == 0) {
            continue;
        }
        const uint32_t at = near->place[one];
        const asker asks = asker_of(near, one, at);
        if (near->side == 1) {
            search_all(near, &asks, first, last);
            continue;
        }
        range ranges[MOST_RANGES];
        const uint32_t range_count = find_ranges(near, at, ranges);
        for (uint32_t r = 0; r < range_count; r++) {
            search_range(near, &asks, ranges[r], first, last);
        }
    }
    return find_crowded(near, first, last);
}

extern const vxe_near_kernels VXE_VARIANT(vxe_near_kernels);

const vxe_near_kernels VXE_VARIANT(vxe_near_kernels) = {.search = search, .bound = bound_batches};
