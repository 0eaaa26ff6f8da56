/* SPDX-License-Identifier: MIT */
/* The bond law linearised at rest, for the spectrum. With d = u2 - u1 - (t1 + t2)/2 x l e and
   phi = t2 - t1 the energy is that of bond_law_internal.h, and its gradient at the lower voxel
   (-f, -m - l e x f / 2), at the upper one (f, m - l e x f / 2). This file is compiled once per
   instruction set. */
#include <stddef.h>

#include "engine/bond_law_internal.h"
#include "engine/kernels_internal.h"

#define LANES ((ptrdiff_t)VXE_VECTOR)

typedef struct channels {
    vxe_real axial, shear, torsion, bending, couple;
} channels;

VXE_INLINE channels load_channels(const vxe_linear_bonds *matrix, uint32_t row_values,
                                  const vxe_real *k)
{
    const int dash = matrix->dashpots;
    const vxe_bond_ratios *by = &matrix->ratios;
    const vxe_real axial = k[(dash ? VXE_DASH_AXIAL : VXE_AXIAL) * LANES];
    if (matrix->bars) {
        return (channels){axial, 0, 0, 0, 0};
    }
    const vxe_real torsion = row_values == VXE_EVEN_VALUES
                                 ? (vxe_real)(dash ? by->dash_torsion : by->torsion) * axial
                                 : k[(dash ? VXE_DASH_TORSION : VXE_TORSION) * LANES];
    if (row_values != VXE_FREE_VALUES) {
        return (channels){axial, (vxe_real)(dash ? by->dash_shear : by->shear) * axial, torsion,
                          (vxe_real)(dash ? by->dash_bending : by->bending) * axial, 0};
    }
    return (channels){axial, k[(dash ? VXE_DASH_SHEAR : VXE_SHEAR) * LANES], torsion,
                      k[(dash ? VXE_DASH_BENDING : VXE_BENDING) * LANES],
                      dash ? 0 : k[VXE_COUPLE * LANES]};
}

/* along on the lattice axis, across on the other two */
VXE_INLINE vxe_lane3 weigh_axis(int axis, vxe_real along, vxe_real across, vxe_lane3 a)
{
    return (vxe_lane3){(axis == 0 ? along : across) * a.x, (axis == 1 ? along : across) * a.y,
                       (axis == 2 ? along : across) * a.z};
}

/* l e x a */
VXE_INLINE vxe_lane3 axis_cross(int axis, vxe_real l, vxe_lane3 a)
{
    return axis == 0   ? (vxe_lane3){0, -l * a.z, l * a.y}
           : axis == 1 ? (vxe_lane3){l * a.z, 0, -l * a.x}
                       : (vxe_lane3){-l * a.y, l * a.x, 0};
}

VXE_INLINE void add_vector(vxe_real *restrict sum, const vxe_real *restrict value)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < LANES; i++) {
        sum[i] += value[i];
    }
}

VXE_INLINE void apply_axis(int axis, uint32_t row_values, const vxe_linear_bonds *matrix,
                           vxe_real *const u[6], vxe_real *const out[6], uint32_t out_first,
                           uint32_t first, uint32_t last)
{
    const vxe_bond_vectors *bonds = &matrix->bonds[axis];
    const vxe_real l = (vxe_real)matrix->edge;
    for (uint32_t vector = first; vector < last; vector++) {
        const vxe_real *k =
            matrix->rows + (ptrdiff_t)bonds->row[vector] * ((ptrdiff_t)row_values * LANES);
        const ptrdiff_t lo = bonds->lower[vector];
        const ptrdiff_t hi = bonds->upper[vector];
        vxe_real at_lower[6][VXE_VECTOR];
        vxe_real at_upper[6][VXE_VECTOR];
#pragma omp simd
        for (ptrdiff_t i = 0; i < LANES; i++) {
            const channels c = load_channels(matrix, row_values, k + i);
            const vxe_lane3 sum = {u[3][lo + i] + u[3][hi + i], u[4][lo + i] + u[4][hi + i],
                                   u[5][lo + i] + u[5][hi + i]};
            const vxe_lane3 phi = {u[3][hi + i] - u[3][lo + i], u[4][hi + i] - u[4][lo + i],
                                   u[5][hi + i] - u[5][lo + i]};
            /* - (t1 + t2)/2 x l e = l e x (t1 + t2)/2 */
            const vxe_lane3 lever = axis_cross(axis, R(0.5) * l, sum);
            const vxe_lane3 d = {u[0][hi + i] - u[0][lo + i] + lever.x,
                                 u[1][hi + i] - u[1][lo + i] + lever.y,
                                 u[2][hi + i] - u[2][lo + i] + lever.z};
            const vxe_lane3 f = lane_add_scaled(weigh_axis(axis, c.axial, c.shear, d), -c.couple,
                                                axis_cross(axis, 1, phi));
            const vxe_lane3 m = lane_add_scaled(weigh_axis(axis, c.torsion, c.bending, phi),
                                                c.couple, axis_cross(axis, 1, d));
            const vxe_lane3 turn = axis_cross(axis, R(0.5) * l, f);
            at_lower[0][i] = -f.x;
            at_lower[1][i] = -f.y;
            at_lower[2][i] = -f.z;
            at_lower[3][i] = -(turn.x + m.x);
            at_lower[4][i] = -(turn.y + m.y);
            at_lower[5][i] = -(turn.z + m.z);
            at_upper[0][i] = f.x;
            at_upper[1][i] = f.y;
            at_upper[2][i] = f.z;
            at_upper[3][i] = m.x - turn.x;
            at_upper[4][i] = m.y - turn.y;
            at_upper[5][i] = m.z - turn.z;
        }
        /* one after the other: along x they overlap */
        for (int c = 0; c < 6; c++) {
            add_vector(out[c] + (lo - out_first), at_lower[c]);
            add_vector(out[c] + (hi - out_first), at_upper[c]);
        }
    }
}

VXE_INLINE void apply_rows(uint32_t row_values, const vxe_linear_bonds *matrix, int axis,
                           vxe_real *const u[6], vxe_real *const out[6], uint32_t out_first,
                           uint32_t first, uint32_t last)
{
    if (axis == 0) {
        apply_axis(0, row_values, matrix, u, out, out_first, first, last);
    } else if (axis == 1) {
        apply_axis(1, row_values, matrix, u, out, out_first, first, last);
    } else {
        apply_axis(2, row_values, matrix, u, out, out_first, first, last);
    }
}

static void apply(const vxe_linear_bonds *matrix, int axis, vxe_real *const u[6],
                  vxe_real *const out[6], uint32_t out_first, uint32_t first, uint32_t last)
{
    switch (matrix->row_values) {
    case VXE_EVEN_VALUES:
        apply_rows(VXE_EVEN_VALUES, matrix, axis, u, out, out_first, first, last);
        break;
    case VXE_PROPORTIONAL_VALUES:
        apply_rows(VXE_PROPORTIONAL_VALUES, matrix, axis, u, out, out_first, first, last);
        break;
    default:
        apply_rows(VXE_FREE_VALUES, matrix, axis, u, out, out_first, first, last);
    }
}

extern const vxe_linear_kernels VXE_VARIANT(vxe_linear_kernels);

const vxe_linear_kernels VXE_VARIANT(vxe_linear_kernels) = {.apply = apply};
