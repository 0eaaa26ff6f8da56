/* SPDX-License-Identifier: MIT */
/* One bond of a body in a lane of a vector: loads its numbers from the arrays of its voxels and
   from a row of coefficients, and computes its force. Used by the kernels of bonds in vectors of
   consecutive slots (bond_kernels.c) and of packed bonds (bond_kernels_packed.c). Loops over
   lanes have a constant length, so that each becomes straight vector code. */
#ifndef VXE_ENGINE_BONDS_BOND_GATHER_H
#define VXE_ENGINE_BONDS_BOND_GATHER_H

#include <stddef.h>

#include "engine/bonds/bond_force_law.h"

#define LANES ((ptrdiff_t)VXE_VECTOR)

/* The fields that bonds read, as typed pointers: they stay in registers, whatever is stored
   meanwhile. */
typedef struct fields {
    const vxe_real *x[3];
    const vxe_real *x_low[3];
    const vxe_real *q[4];
    const vxe_real *v[3];
    const vxe_real *w[3];
    const vxe_real *edge_growth;
    const vxe_real *permanent_strain[3];
    const vxe_real *broken[3];
    const vxe_real *poisson_tension[3];
    vxe_coordinate edge; /* m: of the lattice */
} fields;

VXE_INLINE fields load_fields(const vxe_kernel_arrays *s)
{
    return (fields){REALS_3(s->x),
                    REALS_3(s->x_low),
                    REALS_4(s->q),
                    REALS_3(s->v),
                    REALS_3(s->w),
                    reals(s->edge_growth),
                    REALS_3(s->permanent_strain),
                    REALS_3(s->broken),
                    REALS_3(s->poisson_tension),
                    place_of(s->edge)};
}

VXE_INLINE vxe_vec3 load3(const vxe_real *const field[3], ptrdiff_t slot)
{
    return (vxe_vec3){field[0][slot], field[1][slot], field[2][slot]};
}

VXE_INLINE vxe_quat load4(const vxe_real *const field[4], ptrdiff_t slot)
{
    return (vxe_quat){field[0][slot], field[1][slot], field[2][slot], field[3][slot]};
}

VXE_INLINE vxe_chord load_chord(int axis, int law, const fields *s, ptrdiff_t lo, ptrdiff_t hi)
{
    vxe_chord chord = {.r = vec_sub(load3(s->x, hi), load3(s->x, lo))};
    if (law & VXE_BOND_SPRINGS) {
        /* subtract the lattice's edge first: the rest is small, and keeps its digits */
        const vxe_real edge_growth = R(0.5) * (s->edge_growth[lo] + s->edge_growth[hi]);
        chord.length = s->edge.high + edge_growth;
        chord.excess = (component(axis, chord.r) - s->edge.high) - edge_growth;
    }
#ifdef VXE_MIXED
    const vxe_vec3 low = vec_sub(load3(s->x_low, hi), load3(s->x_low, lo));
    chord.r = vec_add(chord.r, low);
    chord.excess += component(axis, low) - s->edge.low;
#endif
    if ((law & VXE_BOND_YIELDING) && (law & VXE_BOND_SPRINGS)) {
        const vxe_real permanent_strain = s->permanent_strain[axis][lo] * s->edge.high;
        chord.length += permanent_strain;
        chord.excess -= permanent_strain;
    }
    return chord;
}

/* The springs, or zero where mask is 0. */
/* Springs of a bond that holds in part, or +0 where mask is 0. */
VXE_INLINE vxe_springs keep_springs(vxe_springs k, vxe_real part, vxe_real_mask mask)
{
    return (vxe_springs){
        keep_bits(part * k.axial, mask),   keep_bits(part * k.shear, mask),
        keep_bits(part * k.torsion, mask), keep_bits(part * k.bending, mask),
        keep_bits(part * k.couple, mask),  keep_bits(part * k.poisson_tension, mask)};
}

VXE_INLINE vxe_dashes keep_dashes(vxe_dashes c, vxe_real part, vxe_real_mask mask)
{
    return (vxe_dashes){keep_bits(part * c.axial, mask), keep_bits(part * c.shear, mask),
                        keep_bits(part * c.torsion, mask), keep_bits(part * c.bending, mask)};
}

VXE_INLINE vxe_bond_ends load_ends(int axis, int law, const fields *s, ptrdiff_t lo, ptrdiff_t hi)
{
    vxe_bond_ends ends = {.dv = {0, 0, 0}};
    if (law & (VXE_BOND_SPRINGS | VXE_BOND_BARS)) {
        ends.chord = load_chord(axis, law, s, lo, hi);
    }
    if ((law & VXE_BOND_SPRINGS) && !(law & VXE_BOND_BARS)) {
        ends.q1 = load4(s->q, lo);
        ends.q2 = load4(s->q, hi);
    }
    if (law & VXE_BOND_DASHPOTS) {
        ends.dv = vec_sub(load3(s->v, hi), load3(s->v, lo));
        ends.w1 = load3(s->w, lo);
        ends.w2 = load3(s->w, hi);
    }
    return ends;
}

VXE_INLINE vxe_multiples load_multiples(const vxe_kernel_arrays *s)
{
    const vxe_bond_ratios *by = &s->ratios;
    return (vxe_multiples){(vxe_real)by->shear,        (vxe_real)by->torsion,
                           (vxe_real)by->bending,      (vxe_real)by->dash_shear,
                           (vxe_real)by->dash_torsion, (vxe_real)by->dash_bending};
}

/* Whether a kernel writes or reads the bonds' geometry; bars have none. */
VXE_INLINE int has_geometry(int law)
{
    return (law & VXE_BOND_KEEP) || !(law & (VXE_BOND_SPRINGS | VXE_BOND_BARS));
}

/* Force of the bond in one lane; zero where the bond does not exist. */
VXE_INLINE vxe_bond_force one_bond(int axis, int law, const fields *f, const vxe_multiples *by,
                                   const vxe_real *k, vxe_real *kept, ptrdiff_t lane, ptrdiff_t lo,
                                   ptrdiff_t hi, vxe_real *failed)
{
    vxe_bond_ends ends = load_ends(axis, law, f, lo, hi);
    vxe_springs springs = springs_of_row(law, k, LANES, by);
    vxe_dashes dashes = dashes_of_row(law, k, LANES, by);
    const vxe_real some = k[(law & VXE_BOND_SPRINGS ? VXE_AXIAL : VXE_DASH_AXIAL) * LANES];
    ends.exists = -(vxe_real_mask)(some > 0);
    if (law & VXE_BOND_YIELDING) {
        const vxe_real holds = 1 - f->broken[axis][lo];
        ends.exists &= -(vxe_real_mask)(holds > 0);
        const vxe_real part = k[VXE_LOWER_PART * LANES];
        springs.poisson_tension =
            bond_tension_across(part, f->poisson_tension[axis][lo], f->poisson_tension[axis][hi]);
        springs = keep_springs(springs, holds, ends.exists);
        dashes = keep_dashes(dashes, holds, ends.exists);
    }
    if (law & VXE_BOND_BARS) {
        return bar_action(law, &ends, springs, dashes, failed);
    }
    if (!(law & VXE_BOND_SPRINGS)) {
        const vxe_bond_geometry geometry = load_geometry(kept + lane, LANES);
        return damp_action(law, &geometry, &ends, dashes);
    }
    vxe_bond_geometry geometry;
    const vxe_bond_force act = beam_action(axis, law, &ends, springs, dashes, &geometry, failed);
    if (law & VXE_BOND_KEEP) {
        store_geometry(&geometry, kept + lane, LANES);
    }
    return act;
}

/* Address of a row of coefficients. The law says how many values a row has, so that the compiler
   knows the stride. */
VXE_INLINE const vxe_real *row_at(int law, const vxe_kernel_arrays *s, uint32_t row)
{
    const ptrdiff_t values = law & VXE_BOND_FREE || law & VXE_BOND_BARS ? (ptrdiff_t)s->row_values
                             : law & VXE_BOND_EVEN                      ? VXE_EVEN_VALUES
                                                                        : VXE_PROPORTIONAL_VALUES;
    return reals_const(s->rows) + (ptrdiff_t)row * (values * LANES);
}

/* Address of the geometry that is kept of a vector's bonds; null for laws without geometry. */
VXE_INLINE vxe_real *geometry_at(int axis, int law, const vxe_kernel_arrays *s, uint32_t vector)
{
    const uint32_t place = vector - s->geometry_first[axis];
    return has_geometry(law)
               ? reals(s->geometry[axis]) + (ptrdiff_t)place * (VXE_GEOMETRY_VALUES * LANES)
               : NULL;
}

/* OF_AXES defines a function for each axis, which calls run with axis and law as constants;
   THREE lists the three of them. */
#define OF_AXES(name, run, law, parameters, ...)                                                   \
    static uint32_t name##_x parameters                                                            \
    {                                                                                              \
        return run(0, law, __VA_ARGS__);                                                           \
    }                                                                                              \
    static uint32_t name##_y parameters                                                            \
    {                                                                                              \
        return run(1, law, __VA_ARGS__);                                                           \
    }                                                                                              \
    static uint32_t name##_z parameters                                                            \
    {                                                                                              \
        return run(2, law, __VA_ARGS__);                                                           \
    }
#define THREE(name)                                                                                \
    {                                                                                              \
        name##_x, name##_y, name##_z                                                               \
    }

#endif
