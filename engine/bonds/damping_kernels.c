/* SPDX-License-Identifier: MIT */
/* One damping iteration over chunks whose bonds stand block by block (bonds.h). Bonds in x carry
   their force from block to block by a shift of one lane, which AVX-512 has for floats;
   elsewhere iterations go axis by axis. This file is compiled once per instruction set and
   precision. */
#include "engine/bonds/bond_gather.h"
#include "engine/core/real.h"

extern const vxe_damping_kernels VXE_VARIANT(vxe_damping_kernels);

#if defined(__AVX512F__) && defined(VXE_MIXED)
#include <immintrin.h>

/* What a loop over blocks reads and writes. */
typedef struct damping {
    fields f;
    vxe_multiples by;
    vxe_real *lower_force[6];
    vxe_real *upper_force[6];
    vxe_real *rate[6];
    const vxe_real *base[6];
    vxe_real *middle[6]; /* null where the middle velocity is not stored */
    const vxe_real *inverse[6];
} damping;

VXE_INLINE damping begin_damping(const vxe_kernel_arrays *s, const vxe_bond_target *target)
{
    damping it = {.f = load_fields(s), .by = load_multiples(s)};
    for (int c = 0; c < 6; c++) {
        it.lower_force[c] = (vxe_real *)target->lower_force[c] - (ptrdiff_t)target->lower_first;
        it.upper_force[c] = (vxe_real *)target->upper_force[c] - (ptrdiff_t)target->upper_first;
    }
    for (int c = 0; c < 3; c++) {
        it.rate[c] = s->v[c];
        it.rate[c + 3] = s->w[c];
        it.inverse[c] = s->inverse_mass[c];
        it.inverse[c + 3] = s->inverse_inertia[c];
    }
    return it;
}

/* Chooses the velocities from which kicks start, by their flags. */
VXE_INLINE void start_from(damping *it, const vxe_kernel_arrays *s, uint32_t flags)
{
    for (int c = 0; c < 6; c++) {
        vxe_real *middle =
            s->middle[c] ? (vxe_real *)s->middle[c] - (ptrdiff_t)s->kept_first : NULL;
        it->base[c] = flags & VXE_KICK_FROM_KEPT
                          ? (const vxe_real *)s->kept[c] - (ptrdiff_t)s->kept_first
                      : flags & VXE_KICK_FROM_MIDDLE ? middle
                                                     : it->rate[c];
        it->middle[c] = flags & VXE_KICK_TO_MIDDLE ? middle : NULL;
    }
}

/* Forces of the dashpots of one bond; axis is a constant. */
VXE_INLINE vxe_bond_force dash_at(int axis, int law, const fields *f, const vxe_multiples *by,
                                  const vxe_real *k, vxe_real *kept, ptrdiff_t lane, ptrdiff_t lo,
                                  ptrdiff_t hi)
{
    vxe_real failed = 0;
    return one_bond(axis, law, f, by, k + lane, kept, lane, lo, hi, &failed);
}

VXE_INLINE void add_upper_force(vxe_real *const upper_force[6], ptrdiff_t at, vxe_bond_force act)
{
    upper_force[0][at] -= act.force.x;
    upper_force[1][at] -= act.force.y;
    upper_force[2][at] -= act.force.z;
    upper_force[3][at] += act.a.x - act.b.x;
    upper_force[4][at] += act.a.y - act.b.y;
    upper_force[5][at] += act.a.z - act.b.z;
}

VXE_INLINE vxe_force_sum lower_force_at(vxe_real *const lower_force[6], ptrdiff_t at)
{
    return (vxe_force_sum){{lower_force[0][at], lower_force[1][at], lower_force[2][at]},
                           {lower_force[3][at], lower_force[4][at], lower_force[5][at]}};
}

VXE_INLINE void put_lower_force(vxe_real *const lower_force[6], ptrdiff_t at, vxe_force_sum sum)
{
    lower_force[0][at] = sum.force.x;
    lower_force[1][at] = sum.force.y;
    lower_force[2][at] = sum.force.z;
    lower_force[3][at] = sum.moment.x;
    lower_force[4][at] = sum.moment.y;
    lower_force[5][at] = sum.moment.z;
}

/* One block's vector z of bonds in z, vector y of bonds in y, or both: axes has a bit for each. */
VXE_INLINE void damping_block(int axes, int law, const damping *it, const vxe_kernel_arrays *s,
                              uint32_t z, uint32_t y)
{
    const vxe_bond_vectors *bonds = s->bonds;
    const ptrdiff_t lower = axes & 4 ? bonds[2].lower[z] : bonds[1].lower[y];
    const ptrdiff_t above = axes & 4 ? bonds[2].upper[z] : 0;
    const ptrdiff_t behind = axes & 2 ? bonds[1].upper[y] : 0;
    const vxe_real *k_z = axes & 4 ? row_at(law, s, bonds[2].row[z]) : NULL;
    const vxe_real *k_y = axes & 2 ? row_at(law, s, bonds[1].row[y]) : NULL;
    vxe_real *kept_z = axes & 4 ? geometry_at(2, law, s, z) : NULL;
    vxe_real *kept_y = axes & 2 ? geometry_at(1, law, s, y) : NULL;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        vxe_force_sum sum = lower_force_at(it->lower_force, lower + lane);
        if (axes & 4) {
            const vxe_bond_force act =
                dash_at(2, law, &it->f, &it->by, k_z, kept_z, lane, lower + lane, above + lane);
            sum = with_action(sum, act);
            add_upper_force(it->upper_force, above + lane, act);
        }
        if (axes & 2) {
            const vxe_bond_force act =
                dash_at(1, law, &it->f, &it->by, k_y, kept_y, lane, lower + lane, behind + lane);
            sum = with_action(sum, act);
            add_upper_force(it->upper_force, behind + lane, act);
        }
        put_lower_force(it->lower_force, lower + lane, sum);
    }
}

VXE_INLINE void across(int law, const vxe_kernel_arrays *s, const vxe_bond_target *target,
                       const vxe_damping_range *range)
{
    const damping it = begin_damping(s, target);
    const uint32_t *lower_z = s->bonds[2].lower;
    const uint32_t *lower_y = s->bonds[1].lower;
    uint32_t z = range->vector[2].first;
    uint32_t y = range->vector[1].first;
    while (z < range->vector[2].last && y < range->vector[1].last) {
        const ptrdiff_t apart = (ptrdiff_t)s->bonds[2].upper[z] - (ptrdiff_t)s->bonds[1].upper[y];
        /* lanes of a loop must not add to the same upper voxel */
        if (lower_z[z] == lower_y[y] && (apart >= LANES || apart <= -LANES)) {
            damping_block(6, law, &it, s, z++, y++);
        } else if (lower_z[z] <= lower_y[y]) {
            damping_block(4, law, &it, s, z++, y);
        } else {
            damping_block(2, law, &it, s, z, y++);
        }
    }
    while (z < range->vector[2].last) {
        damping_block(4, law, &it, s, z++, y);
    }
    while (y < range->vector[1].last) {
        damping_block(2, law, &it, s, z, y++);
    }
}

/* Bonds in x, where law is not 0, and the kick of a block. carry: forces of the block's bonds,
   of which the last acts on the first voxel of the next block. */
VXE_INLINE void close_block(int law, const damping *it, const vxe_kernel_arrays *s, uint32_t x,
                            ptrdiff_t first, vxe_real h, __m512 carry[6])
{
    const vxe_real *k = law ? row_at(law, s, s->bonds[0].row[x]) : NULL;
    vxe_real *kept = law ? geometry_at(0, law, s, x) : NULL;
    vxe_real lower_force[6][VXE_VECTOR];
    vxe_real up[6][VXE_VECTOR];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const ptrdiff_t at = first + lane;
        vxe_force_sum sum = lower_force_at(it->lower_force, at);
        vxe_bond_force act = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        if (law) {
            act = dash_at(0, law, &it->f, &it->by, k, kept, lane, at, at + 1);
            sum = with_action(sum, act);
        }
        lower_force[0][lane] = sum.force.x;
        lower_force[1][lane] = sum.force.y;
        lower_force[2][lane] = sum.force.z;
        lower_force[3][lane] = sum.moment.x;
        lower_force[4][lane] = sum.moment.y;
        lower_force[5][lane] = sum.moment.z;
        up[0][lane] = act.force.x;
        up[1][lane] = act.force.y;
        up[2][lane] = act.force.z;
        up[3][lane] = act.a.x - act.b.x;
        up[4][lane] = act.a.y - act.b.y;
        up[5][lane] = act.a.z - act.b.z;
    }
    for (int c = 0; c < 6; c++) {
        const __m512 now = _mm512_loadu_ps(up[c]);
        const __m512 from_below = _mm512_castsi512_ps(
            _mm512_alignr_epi32(_mm512_castps_si512(now), _mm512_castps_si512(carry[c]), 15));
        const __m512 others = _mm512_loadu_ps(it->upper_force[c] + first);
        const __m512 upper_force =
            c < 3 ? _mm512_sub_ps(others, from_below) : _mm512_add_ps(others, from_below);
        const __m512 sum = _mm512_add_ps(_mm512_loadu_ps(lower_force[c]), upper_force);
        const __m512 gain =
            _mm512_mul_ps(_mm512_set1_ps(h), _mm512_loadu_ps(it->inverse[c] + first));
        carry[c] = now;
        const __m512 base = _mm512_loadu_ps(it->base[c] + first);
        if (it->middle[c]) {
            _mm512_storeu_ps(it->middle[c] + first, base);
        }
        _mm512_storeu_ps(it->rate[c] + first, _mm512_fmadd_ps(gain, sum, base));
        _mm512_storeu_ps(it->lower_force[c] + first, _mm512_setzero_ps());
        _mm512_storeu_ps(it->upper_force[c] + first, _mm512_setzero_ps());
    }
}

VXE_INLINE void close_along(int law, const vxe_kernel_arrays *s, const vxe_bond_target *target,
                            const vxe_damping_range *range, double step, uint32_t flags)
{
    damping it = begin_damping(s, target);
    start_from(&it, s, flags);
    const vxe_real h = (vxe_real)step;
    __m512 carry[6];
    for (int c = 0; c < 6; c++) {
        carry[c] = _mm512_setzero_ps();
    }
    uint32_t x = range->vector[0].first;
    for (uint32_t slot = range->first; slot < range->last; slot += VXE_VECTOR) {
        if (x < range->vector[0].last && s->bonds[0].lower[x] == slot) {
            close_block(law, &it, s, x++, slot, h, carry);
        } else {
            close_block(0, &it, s, x, slot, h, carry);
        }
    }
    for (int c = 0; c < 6; c++) {
        vxe_real last[VXE_VECTOR];
        _mm512_storeu_ps(last, carry[c]);
        vxe_real *behind = it.upper_force[c] + range->last;
        *behind = c < 3 ? *behind - last[VXE_VECTOR - 1] : *behind + last[VXE_VECTOR - 1];
    }
}

#define ITERATION_KERNEL(name, law)                                                                \
    static void name##_across(const vxe_kernel_arrays *s, const vxe_bond_target *target,           \
                              const vxe_damping_range *range)                                      \
    {                                                                                              \
        across(law, s, target, range);                                                             \
    }                                                                                              \
    static void name##_close(const vxe_kernel_arrays *s, const vxe_bond_target *target,            \
                             const vxe_damping_range *range, double h, uint32_t flags)             \
    {                                                                                              \
        close_along(law, s, target, range, h, flags);                                              \
    }

ITERATION_KERNEL(damp, VXE_BOND_DASHPOTS)
ITERATION_KERNEL(damp_free, VXE_BOND_DASHPOTS | VXE_BOND_FREE)
ITERATION_KERNEL(damp_even, VXE_BOND_DASHPOTS | VXE_BOND_EVEN)

const vxe_damping_kernels VXE_VARIANT(vxe_damping_kernels) = {
    .across = {damp_across, damp_free_across, damp_even_across},
    .close = {damp_close, damp_free_close, damp_even_close}};

#else

const vxe_damping_kernels VXE_VARIANT(vxe_damping_kernels) = {.across = {NULL}};

#endif
