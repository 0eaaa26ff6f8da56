/* SPDX-License-Identifier: MIT */
/* Sums of a look of the energy guard: kinetic energy, potential of weight and loads, energy of the
   level floor and of bonds, and the most work that edges can have done. This file is compiled once
   per instruction set and precision, see real.h. */
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/core/real.h"
#include "engine/guard/guard_kernels.h"

#define LANES ((ptrdiff_t)VXE_VECTOR)

/* Stands for the tension (N) of a bond that was broken already. */
#define BROKEN 1e30

extern const vxe_bond_kernels VXE_VARIANT(vxe_bond_kernels);

static double sum_of(const double part[VXE_VECTOR])
{
    double sum = 0;
    for (int lane = 0; lane < (int)VXE_VECTOR; lane++) {
        sum += part[lane];
    }
    return sum;
}

VXE_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

VXE_INLINE double size_of(double a)
{
    return a < 0 ? -a : a;
}

/* One component of the velocity: adds what it contributes to both kinetic energies. */
VXE_INLINE void add_component(const vxe_real *restrict inertia, const vxe_real *restrict gyration,
                              double constant, const vxe_real *restrict inverse,
                              const vxe_real *restrict before, const vxe_real *restrict now,
                              ptrdiff_t count, double *restrict product, double *restrict first,
                              double *restrict last)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < count; lane++) {
        const double by = gyration ? (double)gyration[lane] : constant;
        const double m = inverse[lane] > 0 ? (double)inertia[lane] * by : 0;
        const double v0 = (double)before[lane];
        const double v1 = (double)now[lane];
        product[lane] += m * (v0 * v1);
        first[lane] += m * (v0 * v0);
        last[lane] += m * (v1 * v1);
    }
}

static void kinetic(const vxe_kernel_arrays *s, vxe_reals *const kept[6], uint32_t first,
                    uint32_t last, double twice[3])
{
    VXE_ASSERT(first <= last);
    double product[VXE_VECTOR] = {0};
    double old[VXE_VECTOR] = {0};
    double new[VXE_VECTOR] = {0};
    for (ptrdiff_t at = (ptrdiff_t)first; at < (ptrdiff_t)last; at += LANES) {
        const ptrdiff_t left = (ptrdiff_t)last - at;
        const ptrdiff_t count = left < LANES ? left : LANES;
        for (int c = 0; c < 6; c++) {
            const vxe_real *inverse =
                reals_const(c < 3 ? s->inverse_mass[c] : s->inverse_inertia[c - 3]) + at;
            const vxe_real *now = reals(c < 3 ? s->v[c] : s->w[c - 3]) + at;
            const vxe_real *gyration = c >= 3 && s->gyration ? reals_const(s->gyration) + at : NULL;
            const double constant = c < 3 ? 1 : s->edge * s->edge / 6;
            add_component(reals_const(s->mass) + at, gyration, constant, inverse,
                          reals(kept[c]) + at, now, count, product, old, new);
        }
    }
    twice[0] += sum_of(product);
    twice[1] += sum_of(old);
    twice[2] += sum_of(new);
}

/* Force (N) that is constant in time and place on a voxel: weight and its load. */
VXE_INLINE double steady(const vxe_kernel_arrays *s, int c, ptrdiff_t i)
{
    const double load = s->load[c] ? (double)reals_const(s->load[c])[i] : 0;
    return (double)reals_const(s->mass)[i] * s->gravity[c] + load;
}

static void places(const vxe_kernel_arrays *s, const vxe_guard_past *past, bool level,
                   uint32_t first, uint32_t last, double sums[3])
{
    VXE_ASSERT(first <= last && (!level || s->floor_stiffness));
    const vxe_real *edge_growth = reals(s->edge_growth);
    double potential[VXE_VECTOR] = {0};
    double floor[VXE_VECTOR] = {0};
    double work[VXE_VECTOR] = {0};
    for (ptrdiff_t at = (ptrdiff_t)first; at < (ptrdiff_t)last; at += LANES) {
        const ptrdiff_t left = (ptrdiff_t)last - at;
        const ptrdiff_t count = left < LANES ? left : LANES;
        for (ptrdiff_t lane = 0; lane < count; lane++) {
            const ptrdiff_t i = at + lane;
            double x = 0;
            for (int c = 0; c < 3; c++) {
                x = (double)reals(s->x[c])[i] + (s->x_low[c] ? (double)reals(s->x_low[c])[i] : 0);
                potential[lane] -= steady(s, c, i) * x;
            }
            const double half = 0.5 * (s->edge + (double)edge_growth[i]);
            const double depth = level ? larger(s->floor_height + half - x, 0) : 0;
            const double k = level ? (double)reals_const(s->floor_stiffness)[i] : 0;
            const double grown = (double)edge_growth[i] - (double)reals(past->growth)[i];
            const double way = larger(size_of(grown), past->way ? past->way[i] : 0);
            floor[lane] += 0.5 * k * depth * depth;
            work[lane] += depth > 0 ? k * way * (depth + 0.25 * way) : 0;
        }
    }
    sums[0] += sum_of(potential);
    sums[1] += sum_of(floor);
    sums[2] += sum_of(work);
}

/* Most work (J) of an edge that goes one way by `way`, at tensions t0 before and t1 behind: less
   the tension times the way, at the tension that gives more; and half of k way^2 where it jumps. */
VXE_INLINE double work_one_way(double k, double t0, double t1, double way)
{
    return larger(larger(-t0 * way, -t1 * way), 0) + 0.5 * k * way * way;
}

/* Most work of an edge that goes to and fro over a path: at the larger of the tensions at both ends
   and that of a bond with its share of the energy; and what one way of the edge alone stores. */
VXE_INLINE double work_to_and_fro(double k, double t0, double t1, double path, double reach,
                                  double share)
{
    const double tension = larger(larger(size_of(t0), size_of(t1)), sqrt(2 * k * share));
    const double way = path < reach ? path : reach;
    return tension * path + 0.5 * k * way * way;
}

static void bonds(const vxe_kernel_arrays *s, int axis, bool bars, const vxe_guard_past *past,
                  uint32_t first, uint32_t last, double sums[2])
{
    const vxe_bond_vectors *of = &s->bonds[axis];
    const vxe_real *edge_growth = reals(s->edge_growth);
    const vxe_real *before = reals(past->growth);
    double energy[VXE_VECTOR] = {0};
    double work[VXE_VECTOR] = {0};
    const bool yields = s->broken[axis] != NULL;
    VXE_ASSERT(axis >= 0 && axis < 3 && first <= last && last <= of->count);
    for (uint32_t v = first; v < last; v++) {
        const ptrdiff_t lower = of->lower[v];
        const ptrdiff_t upper = of->upper[v];
        const vxe_real *k = reals_const(s->rows) + (ptrdiff_t)of->row[v] * s->row_values * LANES;
        vxe_real *restrict tension = reals(past->tension[axis]) + (ptrdiff_t)v * LANES;
        vxe_bond_vector_sample now;
        VXE_VARIANT(vxe_bond_kernels).sample(s, axis, v, bars, &now);
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            if (!(of->present[v] >> lane & 1)) {
                continue;
            }
            const bool broken = yields && reals(s->broken[axis])[lower + lane] > 0;
            const double by = (double)k[VXE_AXIAL * LANES + lane];
            const double t0 = (double)tension[lane];
            const double t1 = broken ? 0 : now.tension[lane];
            const double way =
                0.5 * ((double)edge_growth[lower + lane] - (double)before[lower + lane] +
                       (double)edge_growth[upper + lane] - (double)before[upper + lane]);
            energy[lane] += broken ? 0 : now.energy[lane];
            if (past->way) {
                const double path = 0.5 * (past->way[lower + lane] + past->way[upper + lane]);
                const double reach = 0.5 * (past->reach[lower + lane] + past->reach[upper + lane]);
                work[lane] +=
                    t0 < BROKEN ? work_to_and_fro(by, t0, t1, path, reach, past->share) : 0;
            } else if (yields) { /* it may have held more meanwhile */
                const double path = size_of(way);
                work[lane] +=
                    t0 < BROKEN ? work_to_and_fro(by, t0, t1, path, path, past->share) : 0;
            } else {
                work[lane] += work_one_way(by, t0, t1, way);
            }
            tension[lane] = broken ? (vxe_real)BROKEN : (vxe_real)t1;
        }
    }
    sums[0] += sum_of(energy);
    sums[1] += sum_of(work);
}

extern const vxe_guard_kernels VXE_VARIANT(vxe_guard_kernels);

const vxe_guard_kernels VXE_VARIANT(vxe_guard_kernels) = {
    .kinetic = kinetic, .places = places, .bonds = bonds};
