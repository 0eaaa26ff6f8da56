/* SPDX-License-Identifier: MIT */
/* The bond law linearised at rest (linearized.h). With d = u2 - u1 - (t1 + t2)/2 x l e and
   phi = t2 - t1 the energy is that of bond_law.h, and its gradient at the lower voxel
   (-f, -m - l e x f / 2), at the upper one (f, m - l e x f / 2). This file is compiled once per
   instruction set. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/bonds/bond_law.h"
#include "engine/bonds/linearized.h"

#define LANES ((ptrdiff_t)VXE_VECTOR)

typedef struct channels {
    vxe_real axial, shear, torsion, bending, couple;
} channels;

/* How a bond's coefficients follow from its row. */
typedef struct channel_source {
    ptrdiff_t axial, torsion, shear, bending; /* places in a row */
    vxe_real shear_ratio, torsion_ratio, bending_ratio;
    vxe_real coupled; /* 1 where the row has a coupling */
} channel_source;

static channel_source source_of(const vxe_linear_bonds *matrix)
{
    static const ptrdiff_t springs[4] = {VXE_AXIAL, VXE_TORSION, VXE_SHEAR, VXE_BENDING};
    static const ptrdiff_t dashpots[4] = {VXE_DASH_AXIAL, VXE_DASH_TORSION, VXE_DASH_SHEAR,
                                          VXE_DASH_BENDING};
    const vxe_bond_ratios *by = &matrix->ratios;
    const int dash = matrix->dashpots;
    const ptrdiff_t *at = dash ? dashpots : springs;
    return (channel_source){at[0] * LANES,
                            at[1] * LANES,
                            at[2] * LANES,
                            at[3] * LANES,
                            (vxe_real)(dash ? by->dash_shear : by->shear),
                            (vxe_real)(dash ? by->dash_torsion : by->torsion),
                            (vxe_real)(dash ? by->dash_bending : by->bending),
                            dash ? R(0) : R(1)};
}

VXE_INLINE channels load_channels(const channel_source *from, uint32_t row_values,
                                  const vxe_real *k)
{
    const vxe_real axial = k[from->axial];
    if (row_values == VXE_EVEN_VALUES) {
        return (channels){axial, from->shear_ratio * axial, from->torsion_ratio * axial,
                          from->bending_ratio * axial, 0};
    }
    if (row_values == VXE_PROPORTIONAL_VALUES) {
        return (channels){axial, from->shear_ratio * axial, k[from->torsion],
                          from->bending_ratio * axial, 0};
    }
    return (channels){axial, k[from->shear], k[from->torsion], k[from->bending],
                      from->coupled * k[VXE_COUPLE * LANES]};
}

/* a with its component on the lattice axis times `along` and the other two times `across`. */
VXE_INLINE vxe_vec3 weigh_axis(int axis, vxe_real along, vxe_real across, vxe_vec3 a)
{
    return (vxe_vec3){(axis == 0 ? along : across) * a.x, (axis == 1 ? along : across) * a.y,
                      (axis == 2 ? along : across) * a.z};
}

/* l e x a */
VXE_INLINE vxe_vec3 axis_cross(int axis, vxe_real l, vxe_vec3 a)
{
    return axis == 0   ? (vxe_vec3){0, -l * a.z, l * a.y}
           : axis == 1 ? (vxe_vec3){l * a.z, 0, -l * a.x}
                       : (vxe_vec3){-l * a.y, l * a.x, 0};
}

VXE_INLINE void apply_axis(int axis, uint32_t row_values, const vxe_linear_bonds *matrix,
                           vxe_real *const u[6], const vxe_bond_target *target, uint32_t first,
                           uint32_t last)
{
    const vxe_bond_vectors *bonds = &matrix->bonds[axis];
    const channel_source from = source_of(matrix);
    vxe_real *restrict lower_force[6];
    vxe_real *upper_force[6];
    for (int c = 0; c < 6; c++) {
        lower_force[c] = target->lower_force[c];
        upper_force[c] = target->upper_force[c];
    }
    for (uint32_t vector = first; vector < last; vector++) {
        const vxe_real *k =
            matrix->rows + (ptrdiff_t)bonds->row[vector] * ((ptrdiff_t)row_values * LANES);
        const ptrdiff_t lo = bonds->lower[vector];
        const ptrdiff_t hi = bonds->upper[vector];
        const ptrdiff_t to = lo - target->lower_first;
        const ptrdiff_t up = hi - target->upper_first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < LANES; i++) {
            const channels c = load_channels(&from, row_values, k + i);
            const vxe_vec3 sum = {u[3][lo + i] + u[3][hi + i], u[4][lo + i] + u[4][hi + i],
                                  u[5][lo + i] + u[5][hi + i]};
            const vxe_vec3 phi = {u[3][hi + i] - u[3][lo + i], u[4][hi + i] - u[4][lo + i],
                                  u[5][hi + i] - u[5][lo + i]};
            /* - (t1 + t2)/2 x l e = l e x (t1 + t2)/2 */
            const vxe_vec3 lever = axis_cross(axis, R(0.5), sum);
            const vxe_vec3 d = {u[0][hi + i] - u[0][lo + i] + lever.x,
                                u[1][hi + i] - u[1][lo + i] + lever.y,
                                u[2][hi + i] - u[2][lo + i] + lever.z};
            const vxe_vec3 f = vec_add_scaled(weigh_axis(axis, c.axial, c.shear, d), -c.couple,
                                              axis_cross(axis, 1, phi));
            const vxe_vec3 m = vec_add_scaled(weigh_axis(axis, c.torsion, c.bending, phi), c.couple,
                                              axis_cross(axis, 1, d));
            const vxe_vec3 turn = axis_cross(axis, R(0.5), f);
            lower_force[0][to + i] -= f.x;
            lower_force[1][to + i] -= f.y;
            lower_force[2][to + i] -= f.z;
            lower_force[3][to + i] -= turn.x + m.x;
            lower_force[4][to + i] -= turn.y + m.y;
            lower_force[5][to + i] -= turn.z + m.z;
            upper_force[0][up + i] += f.x;
            upper_force[1][up + i] += f.y;
            upper_force[2][up + i] += f.z;
            upper_force[3][up + i] += m.x - turn.x;
            upper_force[4][up + i] += m.y - turn.y;
            upper_force[5][up + i] += m.z - turn.z;
        }
    }
}

VXE_INLINE void apply_rows(uint32_t row_values, const vxe_linear_bonds *matrix, int axis,
                           vxe_real *const u[6], const vxe_bond_target *target, uint32_t first,
                           uint32_t last)
{
    if (axis == 0) {
        apply_axis(0, row_values, matrix, u, target, first, last);
    } else if (axis == 1) {
        apply_axis(1, row_values, matrix, u, target, first, last);
    } else {
        apply_axis(2, row_values, matrix, u, target, first, last);
    }
}

static void apply(const vxe_linear_bonds *matrix, int axis, vxe_real *const u[6],
                  const vxe_bond_target *target, uint32_t first, uint32_t last)
{
    switch (matrix->row_values) {
    case VXE_EVEN_VALUES:
        apply_rows(VXE_EVEN_VALUES, matrix, axis, u, target, first, last);
        break;
    case VXE_PROPORTIONAL_VALUES:
        apply_rows(VXE_PROPORTIONAL_VALUES, matrix, axis, u, target, first, last);
        break;
    default:
        VXE_ASSERT(matrix->row_values == VXE_FREE_VALUES);
        apply_rows(VXE_FREE_VALUES, matrix, axis, u, target, first, last);
    }
}

/* Adds lanes by halves, whatever the instruction set, so that the order is always the same. */
VXE_INLINE double sum_of_lanes(const vxe_real *lanes)
{
    double sum[VXE_VECTOR];
    for (ptrdiff_t i = 0; i < LANES; i++) {
        sum[i] = (double)lanes[i];
    }
    for (ptrdiff_t half = LANES / 2; half > 0; half /= 2) {
        for (ptrdiff_t i = 0; i < half; i++) {
            sum[i] += sum[i + half];
        }
    }
    return sum[0];
}

static void advance(const vxe_krylov *krylov, uint32_t first, uint32_t last, vxe_real alpha,
                    vxe_real inverse_beta, vxe_real previous, vxe_krylov_products *products)
{
    VXE_ASSERT(first % VXE_VECTOR == 0 && first <= last);
    for (int c = 0; c < 6; c++) {
        vxe_real *restrict basis = krylov->basis[c];
        vxe_real *restrict image = krylov->image[c];
        vxe_real *restrict plain = krylov->plain[c];
        const vxe_real *restrict root = krylov->root[c];
        vxe_real square[VXE_VECTOR] = {0};
        for (ptrdiff_t at = first; at < (ptrdiff_t)last; at += LANES) {
#pragma omp simd
            for (ptrdiff_t i = 0; i < LANES; i++) {
                const vxe_real old = basis[at + i];
                const vxe_real next = inverse_beta * vxe_fma(-alpha, old, image[at + i]);
                image[at + i] = next;
                basis[at + i] = previous * old;
                plain[at + i] = root[at + i] * next;
                square[i] = vxe_fma(next, next, square[i]);
            }
        }
        products->basis_basis += sum_of_lanes(square);
    }
}

VXE_INLINE void gather_component(int has_diagonal, const vxe_krylov *krylov,
                                 const vxe_bond_target *sums, int c, uint32_t first, uint32_t last,
                                 vxe_real unit, vxe_krylov_products *products)
{
    const vxe_real *restrict basis = krylov->basis[c];
    vxe_real *restrict image = krylov->image[c];
    const vxe_real *restrict root = krylov->root[c];
    const vxe_real *restrict diagonal = krylov->diagonal[c];
    vxe_real *restrict lower_force = sums->lower_force[c];
    vxe_real *restrict upper_force = sums->upper_force[c];
    vxe_real product[VXE_VECTOR] = {0};
    vxe_real square[VXE_VECTOR] = {0};
    for (ptrdiff_t at = first; at < (ptrdiff_t)last; at += LANES) {
        const ptrdiff_t to = at - sums->lower_first;
        const ptrdiff_t up = at - sums->upper_first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < LANES; i++) {
            vxe_real value = root[at + i] * (lower_force[to + i] + upper_force[up + i]);
            if (has_diagonal) {
                value = vxe_fma(diagonal[at + i], basis[at + i], value);
            }
            const vxe_real sum = vxe_fma(unit, value, image[at + i]);
            image[at + i] = sum;
            product[i] = vxe_fma(sum, basis[at + i], product[i]);
            square[i] = vxe_fma(sum, sum, square[i]);
            lower_force[to + i] = 0;
            upper_force[up + i] = 0;
        }
    }
    products->image_basis += sum_of_lanes(product);
    products->image_image += sum_of_lanes(square);
}

static void gather(const vxe_krylov *krylov, const vxe_bond_target *sums, uint32_t first,
                   uint32_t last, vxe_real unit, vxe_krylov_products *products)
{
    VXE_ASSERT(first % VXE_VECTOR == 0 && first <= last);
    for (int c = 0; c < 6; c++) {
        if (krylov->diagonal[c]) {
            gather_component(1, krylov, sums, c, first, last, unit, products);
        } else {
            gather_component(0, krylov, sums, c, first, last, unit, products);
        }
    }
}

extern const vxe_linear_kernels VXE_VARIANT(vxe_linear_kernels);

const vxe_linear_kernels VXE_VARIANT(vxe_linear_kernels) = {
    .apply = apply, .advance = advance, .gather = gather};
