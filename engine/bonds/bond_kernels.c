/* SPDX-License-Identifier: MIT */
/* Kernels of bonds in vectors of consecutive slots (arrays.h): forces, strains, sensors and
   Poisson strains. Each combination of law flags is compiled as a function of its own, so that
   inner loops have no branches. This file is compiled once per instruction set and precision,
   see real.h. */
#include "common/assert_internal.h"
#include "engine/bonds/bond_gather.h"
#include "engine/core/prefetch.h"

VXE_INLINE uint32_t bond_range(int axis, int law, const vxe_kernel_arrays *s,
                               const vxe_bond_target *target, uint32_t first, uint32_t last)
{
    const vxe_bond_vectors *bonds = &s->bonds[axis];
    const fields f = load_fields(s);
    const vxe_multiples by = load_multiples(s);
    VXE_ASSERT(first <= last && last <= bonds->count);
    VXE_ASSERT(first == last || law & (VXE_BOND_FREE | VXE_BOND_BARS) ||
               s->row_values ==
                   (uint32_t)(law & VXE_BOND_EVEN ? VXE_EVEN_VALUES : VXE_PROPORTIONAL_VALUES));
    vxe_real *restrict lower_force[6];
    vxe_real *upper_sum[6];
    for (int c = 0; c < 6; c++) {
        lower_force[c] = reals(target->lower_force[c]);
        upper_sum[c] = reals(target->upper_force[c]);
    }
    vxe_real failures[VXE_VECTOR] = {0};
    for (uint32_t v = first; v < last; v++) {
        vxe_prefetch_issue(target->prefetch);
        const vxe_real *k = row_at(law, s, bonds->row[v]);
        vxe_real *kept = geometry_at(axis, law, s, v);
        const ptrdiff_t lower = bonds->lower[v];
        const ptrdiff_t upper = bonds->upper[v];
        VXE_ASSERT(target->contiguous
                       ? v >= target->contiguous_first
                       : lower >= target->lower_first && upper >= target->upper_first);
        const ptrdiff_t to = target->contiguous ? ((ptrdiff_t)v - target->contiguous_first) * LANES
                                                : lower - target->lower_first;
        const ptrdiff_t upper_force = target->contiguous ? to : upper - target->upper_first;
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            vxe_real failed = 0;
            const vxe_bond_force act = one_bond(axis, law, &f, &by, k + lane, kept, lane,
                                                lower + lane, upper + lane, &failed);
            failures[lane] += failed;
            lower_force[0][to + lane] += act.force.x;
            lower_force[1][to + lane] += act.force.y;
            lower_force[2][to + lane] += act.force.z;
            lower_force[3][to + lane] += act.a.x + act.b.x;
            lower_force[4][to + lane] += act.a.y + act.b.y;
            lower_force[5][to + lane] += act.a.z + act.b.z;
            upper_sum[0][upper_force + lane] -= act.force.x;
            upper_sum[1][upper_force + lane] -= act.force.y;
            upper_sum[2][upper_force + lane] -= act.force.z;
            upper_sum[3][upper_force + lane] += act.a.x - act.b.x;
            upper_sum[4][upper_force + lane] += act.a.y - act.b.y;
            upper_sum[5][upper_force + lane] += act.a.z - act.b.z;
        }
    }
    return failed_lanes(failures, VXE_VECTOR);
}

#define BOND_KERNEL(name, law)                                                                     \
    OF_AXES(name, bond_range, law,                                                                 \
            (const vxe_kernel_arrays *s, const vxe_bond_target *target, uint32_t first,            \
             uint32_t last),                                                                       \
            s, target, first, last)

BOND_KERNEL(elastic, VXE_BOND_SPRINGS)
BOND_KERNEL(elastic_free, VXE_BOND_SPRINGS | VXE_BOND_FREE)
BOND_KERNEL(elastic_even, VXE_BOND_SPRINGS | VXE_BOND_EVEN)
BOND_KERNEL(full, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS)
BOND_KERNEL(full_free, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE)
BOND_KERNEL(full_even, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_EVEN)
BOND_KERNEL(keep, VXE_BOND_SPRINGS | VXE_BOND_KEEP)
BOND_KERNEL(keep_free, VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_KEEP)
BOND_KERNEL(keep_even, VXE_BOND_SPRINGS | VXE_BOND_EVEN | VXE_BOND_KEEP)
BOND_KERNEL(damp, VXE_BOND_DASHPOTS)
BOND_KERNEL(damp_free, VXE_BOND_DASHPOTS | VXE_BOND_FREE)
BOND_KERNEL(damp_even, VXE_BOND_DASHPOTS | VXE_BOND_EVEN)
BOND_KERNEL(elastic_yielding, VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_YIELDING)
BOND_KERNEL(full_yielding, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE | VXE_BOND_YIELDING)
BOND_KERNEL(keep_yielding, VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_KEEP | VXE_BOND_YIELDING)
BOND_KERNEL(damp_yielding, VXE_BOND_DASHPOTS | VXE_BOND_FREE | VXE_BOND_YIELDING)
BOND_KERNEL(bar_elastic, VXE_BOND_SPRINGS | VXE_BOND_BARS)
BOND_KERNEL(bar_full, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_BARS)
BOND_KERNEL(bar_damp, VXE_BOND_DASHPOTS | VXE_BOND_BARS)
/* Dashpots of the simulators whose laws need double precision, which small builds leave out. */
#ifndef VXE_WITHOUT_DOUBLE
BOND_KERNEL(full_free_voxelyze,
            VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE | VXE_BOND_HALF_MOMENT)
BOND_KERNEL(full_voxelyze, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_HALF_MOMENT)
BOND_KERNEL(full_yielding_voxelyze, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE |
                                        VXE_BOND_HALF_MOMENT | VXE_BOND_YIELDING)
#define OF_VOXELYZE(name) THREE(name)
#else
#define OF_VOXELYZE(name)                                                                          \
    {                                                                                              \
        NULL                                                                                       \
    }
#endif

VXE_INLINE vxe_real strain_at(int axis, const fields *f, vxe_real by_edge, ptrdiff_t lo,
                              ptrdiff_t hi)
{
    const vxe_chord chord = load_chord(axis, VXE_BOND_SPRINGS, f, lo, hi);
    const vxe_mid_frame frame = mid_frame(axis, load4(f->q, lo), load4(f->q, hi), -1);
    return axial_strain(axis, &frame, &chord, by_edge);
}

/* Strains of one vector; axis is a constant. */
VXE_INLINE bool strain_along(int axis, const vxe_kernel_arrays *s, uint32_t vector,
                             vxe_real *restrict strain)
{
    const fields f = load_fields(s);
    const vxe_bond_vectors *bonds = &s->bonds[axis];
    const ptrdiff_t lower = bonds->lower[vector];
    const ptrdiff_t upper = bonds->upper[vector];
    const vxe_real *restrict range = reals_const(s->range[axis]) + lower;
    const vxe_real by_edge = 1 / f.edge.high;
    vxe_real beyond = 0;
#pragma omp simd reduction(max : beyond)
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_real along = strain_at(axis, &f, by_edge, lower + lane, upper + lane);
        const vxe_real elastic = along - f.permanent_strain[axis][lower + lane];
        const vxe_real size = elastic < 0 ? -elastic : elastic;
        strain[lane] = along;
        beyond = size >= range[lane] ? R(1) : beyond;
    }
    return beyond > 0;
}

static bool strain_of(const vxe_kernel_arrays *s, int axis, uint32_t vector, vxe_reals *strain)
{
    VXE_ASSERT(axis >= 0 && axis < 3 && vector < s->bonds[axis].count);
    return axis == 0   ? strain_along(0, s, vector, reals(strain))
           : axis == 1 ? strain_along(1, s, vector, reals(strain))
                       : strain_along(2, s, vector, reals(strain));
}

typedef struct sampled_bond {
    vxe_real strain, tension, energy;
} sampled_bond;

/* Strain, tension and energy of the bond in one lane; k points at that lane of its row. */
VXE_INLINE sampled_bond sampled_at(int axis, int law, const fields *f, const vxe_multiples *by,
                                   const vxe_real *k, ptrdiff_t lo, ptrdiff_t hi)
{
    const vxe_chord chord = load_chord(axis, law, f, lo, hi);
    const vxe_springs springs = springs_of_row(law, k, LANES, by);
    const vxe_real permanent =
        law & VXE_BOND_YIELDING ? f->permanent_strain[axis][lo] * f->edge.high : 0;
    const vxe_real by_rest = 1 / (chord.length - permanent);
    if (law & VXE_BOND_BARS) {
        const vxe_real stretch = vxe_root(vec_dot(chord.r, chord.r)) - chord.length;
        const vxe_real tension = springs.axial * stretch;
        return (sampled_bond){stretch * by_rest, tension, R(0.5) * tension * stretch};
    }
    const vxe_mid_frame frame = mid_frame(axis, load4(f->q, lo), load4(f->q, hi), -1);
    const vxe_real stretch = vec_dot(deformation(axis, &frame, &chord), frame.axis);
    vxe_real tension = springs.axial * stretch;
    if (law & VXE_BOND_YIELDING) {
        tension += bond_tension_across(k[VXE_LOWER_PART * LANES], f->poisson_tension[axis][lo],
                                       f->poisson_tension[axis][hi]);
    }
    return (sampled_bond){(stretch + permanent) * by_rest, tension,
                          elastic_energy(axis, &frame, &chord, springs)};
}

/* Samples one vector; axis and law are constants. */
VXE_INLINE void sample_along(int axis, int law, const vxe_kernel_arrays *s, uint32_t vector,
                             vxe_bond_vector_sample *restrict into)
{
    const fields f = load_fields(s);
    const vxe_bond_vectors *bonds = &s->bonds[axis];
    const vxe_multiples by = load_multiples(s);
    const vxe_real *k =
        reals_const(s->rows) + (ptrdiff_t)bonds->row[vector] * s->row_values * LANES;
    const ptrdiff_t lower = bonds->lower[vector];
    const ptrdiff_t upper = bonds->upper[vector];
    vxe_real strain[VXE_VECTOR];
    vxe_real tension[VXE_VECTOR];
    vxe_real energy[VXE_VECTOR];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const sampled_bond sampled =
            sampled_at(axis, law, &f, &by, k + lane, lower + lane, upper + lane);
        strain[lane] = sampled.strain;
        tension[lane] = sampled.tension;
        energy[lane] = sampled.energy;
    }
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        into->strain[lane] = (double)strain[lane];
        into->tension[lane] = (double)tension[lane];
        into->energy[lane] = (double)energy[lane];
    }
}

VXE_INLINE void sample_by_law(int axis, const vxe_kernel_arrays *s, uint32_t vector, int law,
                              vxe_bond_vector_sample *into)
{
    switch (law) {
    case VXE_BOND_SPRINGS | VXE_BOND_BARS:
        sample_along(axis, VXE_BOND_SPRINGS | VXE_BOND_BARS, s, vector, into);
        return;
    case VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_YIELDING:
        sample_along(axis, VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_YIELDING, s, vector, into);
        return;
    case VXE_BOND_SPRINGS | VXE_BOND_FREE:
        sample_along(axis, VXE_BOND_SPRINGS | VXE_BOND_FREE, s, vector, into);
        return;
    case VXE_BOND_SPRINGS | VXE_BOND_EVEN:
        sample_along(axis, VXE_BOND_SPRINGS | VXE_BOND_EVEN, s, vector, into);
        return;
    case VXE_BOND_SPRINGS:
        sample_along(axis, VXE_BOND_SPRINGS, s, vector, into);
        return;
    default:
        VXE_ASSERT(false);
    }
}

static void sample(const vxe_kernel_arrays *s, int axis, uint32_t vector, bool bars,
                   vxe_bond_vector_sample *into)
{
    VXE_ASSERT(axis >= 0 && axis < 3 && vector < s->bonds[axis].count);
    const int law =
        VXE_BOND_SPRINGS | (bars                               ? VXE_BOND_BARS
                            : s->permanent_strain[axis]        ? VXE_BOND_FREE | VXE_BOND_YIELDING
                            : s->row_values == VXE_FREE_VALUES ? VXE_BOND_FREE
                            : s->row_values == VXE_EVEN_VALUES ? VXE_BOND_EVEN
                                                               : 0);
    if (axis == 0) {
        sample_by_law(0, s, vector, law, into);
    } else if (axis == 1) {
        sample_by_law(1, s, vector, law, into);
    } else {
        sample_by_law(2, s, vector, law, into);
    }
}

/* Strains of the bonds of vectors [first, last) to their voxels in slots [begin, end); axis is a
   constant. Lanes of absent bonds belong to other vectors and are left alone. */
VXE_INLINE void part_along(int axis, const vxe_kernel_arrays *s, uint32_t first, uint32_t last,
                           uint32_t begin, uint32_t end)
{
    const fields f = load_fields(s);
    const vxe_bond_vectors *bonds = &s->bonds[axis];
    const ptrdiff_t row_values = (ptrdiff_t)s->row_values;
    const vxe_real by_edge = 1 / f.edge.high;
    vxe_real *up = reals(s->strain_up[axis]);
    vxe_real *down = reals(s->strain_down[axis]);
    for (uint32_t v = first; v < last; v++) {
        const vxe_real *k = reals_const(s->rows) + (ptrdiff_t)bonds->row[v] * (row_values * LANES);
        const ptrdiff_t lower = bonds->lower[v];
        const ptrdiff_t upper = bonds->upper[v];
        const int lower_force = (int)begin - (int)lower; /* lanes from here on have their lower
                                                            voxel within the range */
        const int own_end = (int)end - (int)lower;
        const int other = (int)begin - (int)upper;
        const int other_end = (int)end - (int)upper;
#pragma omp simd
        for (int lane = 0; lane < (int)LANES; lane++) {
            const vxe_real strain = strain_at(axis, &f, by_edge, lower + lane, upper + lane);
            /* ends of a broken bond may face each other, where a strain is no number */
            const vxe_real elastic = f.broken[axis][lower + lane] > 0
                                         ? R(0)
                                         : strain - f.permanent_strain[axis][lower + lane];
            const vxe_real part = k[VXE_LOWER_PART * LANES + lane];
            const int exists = k[VXE_AXIAL * LANES + lane] > 0;
            if (exists & (lane >= lower_force) & (lane < own_end)) {
                up[lower + lane] = part * elastic;
            }
            if (exists & (lane >= other) & (lane < other_end)) {
                down[upper + lane] = (2 - part) * elastic;
            }
        }
    }
}

static void part_strains(const vxe_kernel_arrays *s, int axis, uint32_t first, uint32_t last,
                         uint32_t begin, uint32_t end)
{
    VXE_ASSERT(axis >= 0 && axis < 3 && first <= last && last <= s->bonds[axis].count &&
               begin <= end);
    if (axis == 0) {
        part_along(0, s, first, last, begin, end);
    } else if (axis == 1) {
        part_along(1, s, first, last, begin, end);
    } else {
        part_along(2, s, first, last, begin, end);
    }
}

/* sum += value over a vector. */
VXE_INLINE void add_vector(vxe_real *restrict sum, const vxe_real *restrict value)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        sum[lane] += value[lane];
    }
}

static void add_lower(const vxe_bond_vectors *bonds, const vxe_bond_target *contiguous,
                      uint32_t first, uint32_t last, const vxe_bond_target *sums)
{
    VXE_ASSERT(contiguous->contiguous && first >= contiguous->contiguous_first &&
               last <= bonds->count);
    for (uint32_t v = first; v < last; v++) {
        const ptrdiff_t from = ((ptrdiff_t)v - contiguous->contiguous_first) * LANES;
        const ptrdiff_t to = (ptrdiff_t)bonds->lower[v] - sums->lower_first;
        for (int c = 0; c < 6; c++) {
            add_vector(reals(sums->lower_force[c]) + to,
                       reals_const(contiguous->lower_force[c]) + from);
        }
    }
}

/* Adds lane by lane, for a vector that has voxels inside and outside of [begin, end). */
static void add_upper_within(const vxe_bond_vectors *bonds, uint32_t v,
                             const vxe_bond_target *contiguous, ptrdiff_t from,
                             const vxe_bond_target *sums, uint32_t begin, uint32_t end)
{
    for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
        const uint32_t slot = bonds->upper[v] + lane;
        if ((bonds->present[v] >> lane & 1) && slot >= begin && slot < end) {
            for (int c = 0; c < 6; c++) {
                reals(sums->upper_force[c])[slot - sums->upper_first] +=
                    reals_const(contiguous->upper_force[c])[from + lane];
            }
        }
    }
}

static void add_upper(const vxe_bond_vectors *bonds, const vxe_bond_target *contiguous,
                      uint32_t first, uint32_t last, const vxe_bond_target *sums, uint32_t begin,
                      uint32_t end)
{
    VXE_ASSERT(contiguous->contiguous && first >= contiguous->contiguous_first &&
               last <= bonds->count);
    for (uint32_t v = first; v < last; v++) {
        const uint32_t upper = bonds->upper[v];
        const ptrdiff_t from = ((ptrdiff_t)v - contiguous->contiguous_first) * LANES;
        if (upper >= end || upper + VXE_VECTOR <= begin) {
            continue;
        }
        if (upper < begin || upper + VXE_VECTOR > end) {
            add_upper_within(bonds, v, contiguous, from, sums, begin, end);
            continue;
        }
        const ptrdiff_t to = (ptrdiff_t)upper - sums->upper_first;
        for (int c = 0; c < 6; c++) {
            add_vector(reals(sums->upper_force[c]) + to,
                       reals_const(contiguous->upper_force[c]) + from);
        }
    }
}

extern const vxe_bond_kernels VXE_VARIANT(vxe_bond_kernels);

const vxe_bond_kernels VXE_VARIANT(vxe_bond_kernels) = {
    .run = {[VXE_BOND_SPRINGS] = THREE(elastic),
            [VXE_BOND_SPRINGS | VXE_BOND_FREE] = THREE(elastic_free),
            [VXE_BOND_SPRINGS | VXE_BOND_EVEN] = THREE(elastic_even),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS] = THREE(full),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE] = THREE(full_free),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE |
                VXE_BOND_HALF_MOMENT] = OF_VOXELYZE(full_free_voxelyze),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_EVEN] = THREE(full_even),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS |
                VXE_BOND_HALF_MOMENT] = OF_VOXELYZE(full_voxelyze),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP] = THREE(keep),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP | VXE_BOND_FREE] = THREE(keep_free),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP | VXE_BOND_EVEN] = THREE(keep_even),
            [VXE_BOND_DASHPOTS] = THREE(damp),
            [VXE_BOND_DASHPOTS | VXE_BOND_FREE] = THREE(damp_free),
            [VXE_BOND_DASHPOTS | VXE_BOND_EVEN] = THREE(damp_even),
            [VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_YIELDING] = THREE(elastic_yielding),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE |
                VXE_BOND_YIELDING] = THREE(full_yielding),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE | VXE_BOND_YIELDING |
                VXE_BOND_HALF_MOMENT] = OF_VOXELYZE(full_yielding_voxelyze),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP | VXE_BOND_FREE |
                VXE_BOND_YIELDING] = THREE(keep_yielding),
            [VXE_BOND_DASHPOTS | VXE_BOND_FREE | VXE_BOND_YIELDING] = THREE(damp_yielding),
            [VXE_BOND_BARS | VXE_BOND_SPRINGS] = THREE(bar_elastic),
            [VXE_BOND_BARS | VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS] = THREE(bar_full),
            [VXE_BOND_BARS | VXE_BOND_DASHPOTS] = THREE(bar_damp)},
    .strain = strain_of,
    .sample = sample,
    .part_strains = part_strains,
    .add_lower = add_lower,
    .add_upper = add_upper};
