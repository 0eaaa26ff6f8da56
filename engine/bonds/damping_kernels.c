/* SPDX-License-Identifier: MIT */
/* Damping sweeps over chunks whose bonds stand block by block, see kernels_internal.h. This file is
   compiled once per instruction set and precision; the shift by a lane that carries what bonds in x
   do from block to block is what AVX-512 has for floats. Elsewhere sweeps go axis by axis. */
#include "engine/bonds/bond_gather.h"
#include "engine/core/slots.h"

extern const vxe_sweep_kernels VXE_VARIANT(vxe_sweep_kernels);

#if defined(__AVX512F__) && defined(VXE_MIXED)
#include <immintrin.h>

/* What a loop over blocks reads and writes. */
typedef struct sweep {
    fields f;
    vxe_multiples by;
    vxe_real *own[6];
    vxe_real *pull[6];
    vxe_real *rate[6];
    const vxe_real *base[6];
    vxe_real *middle[6]; /* null where nothing is to be put there */
    const vxe_real *inverse[6];
} sweep;

VXE_INLINE sweep begin_sweep(const vxe_kernel_arrays *s, const vxe_bond_target *target)
{
    sweep it = {.f = load_fields(s), .by = load_multiples(s)};
    for (int c = 0; c < 6; c++) {
        it.own[c] = (vxe_real *)target->own[c] - (ptrdiff_t)target->own_first;
        it.pull[c] = (vxe_real *)target->pull[c] - (ptrdiff_t)target->pull_first;
    }
    for (int c = 0; c < 3; c++) {
        it.rate[c] = s->v[c];
        it.rate[c + 3] = s->w[c];
        it.inverse[c] = s->inverse_mass[c];
        it.inverse[c + 3] = s->inverse_inertia[c];
    }
    return it;
}

/* What kicks start from, by their flags. */
VXE_INLINE void start_from(sweep *it, const vxe_kernel_arrays *s, uint32_t flags)
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

/* What the dashpots of one bond do; axis is a constant. */
VXE_INLINE vxe_bond_action dash_at(int axis, int law, const fields *f, const vxe_multiples *by,
                                   const vxe_real *k, vxe_real *kept, ptrdiff_t lane, ptrdiff_t lo,
                                   ptrdiff_t hi)
{
    vxe_real failed = 0;
    return one_bond(axis, law, f, by, k + lane, kept, lane, lo, hi, &failed);
}

VXE_INLINE void pull_at(vxe_real *const pull[6], ptrdiff_t at, vxe_bond_action act)
{
    pull[0][at] -= act.force.x;
    pull[1][at] -= act.force.y;
    pull[2][at] -= act.force.z;
    pull[3][at] += act.a.x - act.b.x;
    pull[4][at] += act.a.y - act.b.y;
    pull[5][at] += act.a.z - act.b.z;
}

VXE_INLINE vxe_own_sum own_at(vxe_real *const own[6], ptrdiff_t at)
{
    return (vxe_own_sum){{own[0][at], own[1][at], own[2][at]},
                         {own[3][at], own[4][at], own[5][at]}};
}

VXE_INLINE void put_own(vxe_real *const own[6], ptrdiff_t at, vxe_own_sum sum)
{
    own[0][at] = sum.force.x;
    own[1][at] = sum.force.y;
    own[2][at] = sum.force.z;
    own[3][at] = sum.moment.x;
    own[4][at] = sum.moment.y;
    own[5][at] = sum.moment.z;
}

/* Vector z, and vector y if there is one: of the same block. axes has a bit for each. */
VXE_INLINE void sweep_block(int axes, int law, const sweep *it, const vxe_kernel_arrays *s,
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
        vxe_own_sum sum = own_at(it->own, lower + lane);
        if (axes & 4) {
            const vxe_bond_action act =
                dash_at(2, law, &it->f, &it->by, k_z, kept_z, lane, lower + lane, above + lane);
            sum = with_action(sum, act);
            pull_at(it->pull, above + lane, act);
        }
        if (axes & 2) {
            const vxe_bond_action act =
                dash_at(1, law, &it->f, &it->by, k_y, kept_y, lane, lower + lane, behind + lane);
            sum = with_action(sum, act);
            pull_at(it->pull, behind + lane, act);
        }
        put_own(it->own, lower + lane, sum);
    }
}

VXE_INLINE void across(int law, const vxe_kernel_arrays *s, const vxe_bond_target *target,
                       const vxe_sweep_range *range)
{
    const sweep it = begin_sweep(s, target);
    const uint32_t *lower_z = s->bonds[2].lower;
    const uint32_t *lower_y = s->bonds[1].lower;
    uint32_t z = range->vector[2].first;
    uint32_t y = range->vector[1].first;
    while (z < range->vector[2].last && y < range->vector[1].last) {
        const ptrdiff_t apart = (ptrdiff_t)s->bonds[2].upper[z] - (ptrdiff_t)s->bonds[1].upper[y];
        /* lanes of a loop must not pull at the same voxel */
        if (lower_z[z] == lower_y[y] && (apart >= LANES || apart <= -LANES)) {
            sweep_block(6, law, &it, s, z++, y++);
        } else if (lower_z[z] <= lower_y[y]) {
            sweep_block(4, law, &it, s, z++, y);
        } else {
            sweep_block(2, law, &it, s, z, y++);
        }
    }
    while (z < range->vector[2].last) {
        sweep_block(4, law, &it, s, z++, y);
    }
    while (y < range->vector[1].last) {
        sweep_block(2, law, &it, s, z, y++);
    }
}

/* Bonds in x, where law is not 0, and the kick of a block. carry: what the last bond does to the
 * voxel behind it. */
VXE_INLINE void close_block(int law, const sweep *it, const vxe_kernel_arrays *s, uint32_t x,
                            ptrdiff_t first, vxe_real h, __m512 carry[6])
{
    const vxe_real *k = law ? row_at(law, s, s->bonds[0].row[x]) : NULL;
    vxe_real *kept = law ? geometry_at(0, law, s, x) : NULL;
    vxe_real own[6][VXE_VECTOR];
    vxe_real up[6][VXE_VECTOR];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const ptrdiff_t at = first + lane;
        vxe_own_sum sum = own_at(it->own, at);
        vxe_bond_action act = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        if (law) {
            act = dash_at(0, law, &it->f, &it->by, k, kept, lane, at, at + 1);
            sum = with_action(sum, act);
        }
        own[0][lane] = sum.force.x;
        own[1][lane] = sum.force.y;
        own[2][lane] = sum.force.z;
        own[3][lane] = sum.moment.x;
        own[4][lane] = sum.moment.y;
        own[5][lane] = sum.moment.z;
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
        const __m512 others = _mm512_loadu_ps(it->pull[c] + first);
        const __m512 pull =
            c < 3 ? _mm512_sub_ps(others, from_below) : _mm512_add_ps(others, from_below);
        const __m512 sum = _mm512_add_ps(_mm512_loadu_ps(own[c]), pull);
        const __m512 gain =
            _mm512_mul_ps(_mm512_set1_ps(h), _mm512_loadu_ps(it->inverse[c] + first));
        carry[c] = now;
        const __m512 base = _mm512_loadu_ps(it->base[c] + first);
        if (it->middle[c]) {
            _mm512_storeu_ps(it->middle[c] + first, base);
        }
        _mm512_storeu_ps(it->rate[c] + first, _mm512_fmadd_ps(gain, sum, base));
        _mm512_storeu_ps(it->own[c] + first, _mm512_setzero_ps());
        _mm512_storeu_ps(it->pull[c] + first, _mm512_setzero_ps());
    }
}

VXE_INLINE void close_along(int law, const vxe_kernel_arrays *s, const vxe_bond_target *target,
                            const vxe_sweep_range *range, double step, uint32_t flags)
{
    sweep it = begin_sweep(s, target);
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
        vxe_real *behind = it.pull[c] + range->last;
        *behind = c < 3 ? *behind - last[VXE_VECTOR - 1] : *behind + last[VXE_VECTOR - 1];
    }
}

#define SWEEP_KERNEL(name, law)                                                                    \
    static void name##_across(const vxe_kernel_arrays *s, const vxe_bond_target *target,           \
                              const vxe_sweep_range *range)                                        \
    {                                                                                              \
        across(law, s, target, range);                                                             \
    }                                                                                              \
    static void name##_close(const vxe_kernel_arrays *s, const vxe_bond_target *target,            \
                             const vxe_sweep_range *range, double h, uint32_t flags)               \
    {                                                                                              \
        close_along(law, s, target, range, h, flags);                                              \
    }

SWEEP_KERNEL(damp, LAW_DAMP)
SWEEP_KERNEL(damp_free, LAW_DAMP | LAW_FREE)
SWEEP_KERNEL(damp_even, LAW_DAMP | LAW_EVEN)

const vxe_sweep_kernels VXE_VARIANT(vxe_sweep_kernels) = {
    .across = {damp_across, damp_free_across, damp_even_across},
    .close = {damp_close, damp_free_close, damp_even_close}};

#else

const vxe_sweep_kernels VXE_VARIANT(vxe_sweep_kernels) = {.across = {NULL}};

#endif
