/* SPDX-License-Identifier: MIT */
/* Which voxels of a surface are near each other. See contact_kernels_internal.h. This file is
   compiled once per instruction set, with floats: what is near is asked with a margin. */
#include <stddef.h>

#ifdef __AVX512F__
#include <immintrin.h> /* a packed store of some lanes, which C has no word for */
#endif

#include "engine/contact_kernels_internal.h"
#include "engine/real_internal.h"

/* Candidates looked at together. */
#define BATCH 16u
/* Most voxels within reach that are looked at one by one: far more than can lie there uncrushed. */
#define MOST_HITS 1024u
/* Rows of boxes about a voxel, each in two parts where it is wound round the grid. */
#define MOST_RANGES 18u

typedef struct range {
    uint32_t first, last;
} range;

/* Ranges of the sorted voxels that may be near one; where nothing is sorted, those that nobody else
 * finds. */
static uint32_t find_ranges(const vxe_near *near, uint32_t at, uint32_t first, range *ranges)
{
    if (near->side == 1) {
        ranges[0] = (range){0, first};
        ranges[1] = (range){at + 1, near->surface->count};
        return 2;
    }
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
    float x, y, z, q[4], half_size;
    float reach2; /* m^2 */
    float skin;
    int spheres;
} asker;

static asker asker_of(const vxe_near *near, uint32_t at)
{
    return (asker){near->x[0][at],
                   near->x[1][at],
                   near->x[2][at],
                   {near->q[0][at], near->q[1][at], near->q[2][at], near->q[3][at]},
                   0.5f * near->size[at],
                   near->reach * near->reach,
                   near->skin,
                   near->surface->spheres};
}

/* Adds to the hits those of a batch that are within reach; returns how many there are then. */
VXE_INLINE uint32_t add_hits(const float *distance2, float reach2, uint32_t begin, uint32_t end,
                             uint32_t *hits, uint32_t count)
{
#ifdef __AVX512F__
    const __mmask16 close =
        _mm512_cmp_ps_mask(_mm512_loadu_ps(distance2), _mm512_set1_ps(reach2), _CMP_LT_OQ) &
        (__mmask16)((1u << end) - 1);
    const __m512i ladder = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    _mm512_mask_compressstoreu_epi32(hits + count, close,
                                     _mm512_add_epi32(ladder, _mm512_set1_epi32((int)begin)));
    return count + (uint32_t)__builtin_popcount(close);
#else
    for (uint32_t i = 0; i < end; i++) {
        hits[count] = begin + i;
        count += distance2[i] < reach2;
    }
    return count;
#endif
}

/* Adds those of a range that are within reach to the count there are, until there is no room for
 * another batch. */
static uint32_t within_reach(const vxe_near *near, const asker *one, range where, uint32_t *hits,
                             uint32_t count)
{
    for (uint32_t begin = where.first; begin < where.last && count <= MOST_HITS - BATCH;
         begin += BATCH) {
        float distance2[BATCH];
        const float *x = near->x[0] + begin;
        const float *y = near->x[1] + begin;
        const float *z = near->x[2] + begin;
        float least = 3e38f;
#pragma omp simd reduction(min : least)
        for (uint32_t i = 0; i < BATCH; i++) { /* the arrays go on that far */
            const float rx = x[i] - one->x;
            const float ry = y[i] - one->y;
            const float rz = z[i] - one->z;
            const float d2 = rx * rx + ry * ry + rz * rz;
            distance2[i] = d2;
            least = d2 < least ? d2 : least;
        }
        if (least < one->reach2) {
            const uint32_t end = where.last - begin < BATCH ? where.last - begin : BATCH;
            count = add_hits(distance2, one->reach2, begin, end, hits, count);
        }
    }
    return count;
}

/* Keeps of the hits those that could touch once they come closer by the skin. */
static uint32_t keep_near(const vxe_near *near, const asker *one, uint32_t *hits, uint32_t count)
{
    uint32_t kept = 0;
    const float *x[3] = {near->x[0], near->x[1], near->x[2]};
    const float *q[4] = {near->q[0], near->q[1], near->q[2], near->q[3]};
    const float *size = near->size;
    for (uint32_t begin = 0; begin < count; begin += BATCH) {
        const uint32_t here = count - begin < BATCH ? count - begin : BATCH;
        uint32_t which[BATCH];
        float room[BATCH]; /* below 0: near */
        for (uint32_t i = 0; i < BATCH; i++) {
            which[i] = hits[begin + (i < here ? i : 0)];
        }
#pragma omp simd
        for (uint32_t i = 0; i < BATCH; i++) {
            const uint32_t j = which[i];
            const float rx = x[0][j] - one->x;
            const float ry = x[1][j] - one->y;
            const float rz = x[2][j] - one->z;
            const float length = one->half_size + 0.5f * size[j];
            const float by_one =
                farthest_component(one->q[0], one->q[1], one->q[2], one->q[3], rx, ry, rz);
            const float by_two = farthest_component(q[0][j], q[1][j], q[2][j], q[3][j], rx, ry, rz);
            const float by_faces = by_one < by_two ? by_one : by_two;
            room[i] = by_faces - (length + one->skin);
        }
        for (uint32_t i = 0; i < here; i++) {
            hits[kept] = which[i];
            kept += one->spheres || room[i] < 0;
        }
    }
    return kept;
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

/* Voxels that touch at rest never collide, by the native law. */
static bool touch_at_rest(const vxe_near *near, uint32_t one, uint32_t two)
{
    const int32_t *a = near->surface->cell + 3 * (size_t)one;
    const int32_t *b = near->surface->cell + 3 * (size_t)two;
    uint32_t beyond = 0;
    for (int c = 0; c < 3; c++) { /* cells far apart may wind round: they are not near either */
        const uint32_t apart = (uint32_t)b[c] - (uint32_t)a[c] + 1;
        beyond |= (uint32_t)(apart > 2);
    }
    return beyond == 0;
}

/* Keeps of the hits those that may collide, of each pair of a range's voxels the one that the lower
 * finds. */
static uint32_t keep_colliding(const vxe_near *near, uint32_t one, uint32_t first, uint32_t *hits,
                               uint32_t count)
{
    const bool lists_all = near->surface->spheres || near->surface->breaks; /* see contacts.c */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t two = near->sorted[hits[i]];
        hits[kept] = hits[i];
        kept += (two > one || two < first) && near->faces[two] != 0 &&
                (lists_all || !touch_at_rest(near, one, two));
    }
    return kept;
}

/* Inserts the pairs that a voxel of [first, last) makes with the hits, into both lists if both are
 * of that range. */
static void insert_pairs(const vxe_near *near, uint32_t one, const uint32_t *hits, uint32_t count,
                         uint32_t last)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t two = near->sorted[hits[i]];
        insert(near, one, two);
        if (two > one && two < last) {
            insert(near, two, one);
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
    uint32_t hits[MOST_HITS];
    for (uint32_t one = first; one < last; one++) {
        near->count[one] = 0;
    }
    for (uint32_t one = first; one < last; one++) {
        if (near->faces[one] == 0) {
            continue;
        }
        range ranges[MOST_RANGES];
        const uint32_t at = near->place[one];
        const asker asks = asker_of(near, at);
        const uint32_t range_count = find_ranges(near, at, first, ranges);
        uint32_t count = 0;
        for (uint32_t r = 0; r < range_count; r++) {
            count = within_reach(near, &asks, ranges[r], hits, count);
        }
        if (count > MOST_HITS - BATCH) {
            near->count[one] = VXE_MOST_NEAR + 1;
        }
        count = keep_colliding(near, one, first, hits, count);
        count = keep_near(near, &asks, hits, count);
        insert_pairs(near, one, hits, count, last);
    }
    return find_crowded(near, first, last);
}

extern const vxe_near_kernels VXE_VARIANT(vxe_near_kernels);

const vxe_near_kernels VXE_VARIANT(vxe_near_kernels) = {.search = search};
