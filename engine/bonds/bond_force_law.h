/* SPDX-License-Identifier: MIT */
/* The force and moments of one bond on its two voxels, springs and dashpots together, from
   numbers that the caller has loaded. The single-body solver and robots in lanes call the same
   functions, and so have the same bits. Source: docs/physics.md, Beam bonds and Dashpots. */
#ifndef VXE_ENGINE_BONDS_BOND_FORCE_LAW_H
#define VXE_ENGINE_BONDS_BOND_FORCE_LAW_H

#include <stddef.h>

#include "engine/bonds/bond_law.h"
#include "engine/bonds/bonds.h"

/* What dashpots need of the poses: the same in all damping iterations of a step. */
typedef struct vxe_bond_geometry {
    vxe_vec3 half_r; /* m: (x2 - x1)/2 */
    vxe_vec3 axis;   /* the bond's lattice axis, rotated with the bond */
} vxe_bond_geometry;

/* The geometry that springs have kept of a bond, its numbers stride apart. */
VXE_INLINE vxe_bond_geometry load_geometry(const vxe_real *from, ptrdiff_t stride)
{
    return (vxe_bond_geometry){{from[0], from[stride], from[2 * stride]},
                               {from[3 * stride], from[4 * stride], from[5 * stride]}};
}

VXE_INLINE void store_geometry(const vxe_bond_geometry *geometry, vxe_real *to, ptrdiff_t stride)
{
    to[0] = geometry->half_r.x;
    to[stride] = geometry->half_r.y;
    to[2 * stride] = geometry->half_r.z;
    to[3 * stride] = geometry->axis.x;
    to[4 * stride] = geometry->axis.y;
    to[5 * stride] = geometry->axis.z;
}

typedef struct vxe_bond_ends {
    vxe_chord chord;
    vxe_quat q1, q2;      /* orientations */
    vxe_vec3 dv;          /* m/s: v2 - v1 */
    vxe_vec3 w1, w2;      /* rad/s */
    vxe_real_mask exists; /* all bits, or none where there is no bond */
} vxe_bond_ends;

typedef struct vxe_dashes {
    vxe_real axial, shear, torsion, bending;
} vxe_dashes;

/* The numbers of vxe_bond_ratios. */
typedef struct vxe_multiples {
    vxe_real shear, torsion, bending, dash_shear, dash_torsion, dash_bending;
} vxe_multiples;

/* Springs of a bond from its row, whose values stand stride apart. The Poisson tension is not in
   rows. */
VXE_INLINE vxe_springs springs_of_row(int law, const vxe_real *k, ptrdiff_t stride,
                                      const vxe_multiples *by)
{
    const vxe_real axial = k[VXE_AXIAL * stride];
    if (law & VXE_BOND_BARS) { /* rows of bars may hold no more */
        return (vxe_springs){.axial = axial};
    }
    if (law & VXE_BOND_FREE) {
        return (vxe_springs){axial,
                             k[VXE_SHEAR * stride],
                             k[VXE_TORSION * stride],
                             k[VXE_BENDING * stride],
                             k[VXE_COUPLE * stride],
                             0};
    }
    const vxe_real torsion = law & VXE_BOND_EVEN ? by->torsion * axial : k[VXE_TORSION * stride];
    return (vxe_springs){axial, by->shear * axial, torsion, by->bending * axial, 0, 0};
}

VXE_INLINE vxe_dashes dashes_of_row(int law, const vxe_real *k, ptrdiff_t stride,
                                    const vxe_multiples *by)
{
    const vxe_real axial = k[VXE_DASH_AXIAL * stride];
    if (law & VXE_BOND_BARS) {
        return (vxe_dashes){axial, 0, 0, 0};
    }
    const vxe_real torsion =
        law & VXE_BOND_EVEN ? by->dash_torsion * axial : k[VXE_DASH_TORSION * stride];
    if (law & VXE_BOND_FREE) {
        return (vxe_dashes){axial, k[VXE_DASH_SHEAR * stride], torsion,
                            k[VXE_DASH_BENDING * stride]};
    }
    return (vxe_dashes){axial, by->dash_shear * axial, torsion, by->dash_bending * axial};
}

/* Force on the lower voxel (the upper has its negative), and the moments a + b on the lower, a -
   b on the upper, in world axes. A bond that does not exist gives zero: its coefficients are
   zero, and mid_frame keeps finite what they are multiplied with. */
typedef struct vxe_bond_force {
    vxe_vec3 force;
    vxe_vec3 a;
    vxe_vec3 b;
} vxe_bond_force;

/* Sum of the forces and moments of the bonds that reach up from a voxel. */
typedef struct vxe_force_sum {
    vxe_vec3 force;
    vxe_vec3 moment;
} vxe_force_sum;

VXE_INLINE vxe_force_sum with_action(vxe_force_sum sum, vxe_bond_force act)
{
    return (vxe_force_sum){vec_add(sum.force, act.force),
                           vec_add(sum.moment, vec_add(act.a, act.b))};
}

/* Force and moment part B of the dashpots on voxel 1 (docs/physics.md, Dashpots): axial and
   shear act on the relative rate, torsion and bending on the difference of the spins. In even
   laws shear equals axial. */
VXE_INLINE vxe_elastic dash_response(int law, const vxe_bond_geometry *geometry,
                                     const vxe_bond_ends *ends, vxe_dashes c)
{
    const vxe_vec3 e = geometry->axis;
    const vxe_vec3 rate = relative_rate(geometry->half_r, ends->dv, ends->w1, ends->w2);
    const vxe_vec3 spin = vec_sub(ends->w2, ends->w1);
    return (vxe_elastic){law & VXE_BOND_EVEN ? vec_scaled(c.axial, rate)
                                             : weigh(e, c.axial, c.shear, rate),
                         weigh(e, c.torsion, c.bending, spin)};
}

/* Dashpots of one beam, without its springs. */
VXE_INLINE vxe_bond_force damp_action(int law, const vxe_bond_geometry *geometry,
                                      const vxe_bond_ends *ends, vxe_dashes c)
{
    const vxe_elastic dash = dash_response(law, geometry, ends, c);
    return (vxe_bond_force){dash.force, vec_cross(geometry->half_r, dash.force), dash.moment};
}

/* One beam: springs, and dashpots where law has them. failed becomes 1 where the bond has
   diverged. */
VXE_INLINE vxe_bond_force beam_action(int axis, int law, const vxe_bond_ends *ends,
                                      vxe_springs springs, vxe_dashes c,
                                      vxe_bond_geometry *geometry, vxe_real *failed)
{
    const vxe_mid_frame frame = mid_frame(axis, ends->q1, ends->q2, ends->exists);
    *geometry = (vxe_bond_geometry){vec_scaled(R(0.5), ends->chord.r), frame.axis};
    *failed =
        keep_bits(beyond_bounds(ends->chord.r, ends->chord.length, frame.scalar), ends->exists);
    const vxe_elastic spring = elastic_response(axis, law & VXE_BOND_EVEN, law & VXE_BOND_FREE,
                                                &frame, &ends->chord, springs);
    if (!(law & VXE_BOND_DASHPOTS)) {
        return (vxe_bond_force){spring.force, vec_cross(geometry->half_r, spring.force),
                                spring.moment};
    }
    const vxe_elastic dash = dash_response(law, geometry, ends, c);
    const vxe_vec3 force = vec_add(spring.force, dash.force);
    /* in the Voxelyze family dashpots have half the moment */
    const vxe_vec3 levered =
        law & VXE_BOND_HALF_MOMENT ? vec_add_scaled(spring.force, R(0.5), dash.force) : force;
    return (vxe_bond_force){force, vec_cross(geometry->half_r, levered),
                            vec_add(spring.moment, dash.moment)};
}

/* One bar: a spring k_a (|r| - l) and a dashpot, both along the chord. */
VXE_INLINE vxe_bond_force bar_action(int law, const vxe_bond_ends *ends, vxe_springs springs,
                                     vxe_dashes c, vxe_real *failed)
{
    const vxe_real r2 = vec_dot(ends->chord.r, ends->chord.r);
    vxe_real tension_by_length = 0;
    if (law & VXE_BOND_SPRINGS) {
        *failed = keep_bits(beyond_bounds(ends->chord.r, ends->chord.length, 1), ends->exists);
        tension_by_length = springs.axial * (1 - ends->chord.length / vxe_root(r2));
    }
    if (law & VXE_BOND_DASHPOTS) {
        tension_by_length += c.axial * (vec_dot(ends->chord.r, ends->dv) / r2);
    }
    const vxe_vec3 zero = {0, 0, 0};
    const vxe_real scale = keep_bits(tension_by_length, ends->exists);
    return (vxe_bond_force){vec_scaled(scale, ends->chord.r), zero, zero};
}

#endif
