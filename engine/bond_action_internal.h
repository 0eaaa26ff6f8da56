/* SPDX-License-Identifier: MIT */
/* What one bond does to its two voxels, springs and dashpots together, from numbers that the
   schedule has loaded: the body sweep and the robot lanes call this, and so have the same bits. */
#ifndef VXE_ENGINE_BOND_ACTION_INTERNAL_H
#define VXE_ENGINE_BOND_ACTION_INTERNAL_H

#include "engine/bond_law_internal.h"

/* Parts of the law that a kernel computes. */
enum { LAW_ELASTIC = 1, LAW_DAMP = 2, LAW_EVEN = 4, LAW_PEER = 8, LAW_FREE = 16, LAW_BAR = 32 };

typedef struct vxe_bond_ends {
    vxe_chord chord;
    vxe_lane4 q1, q2;     /* orientations */
    vxe_lane3 dv;         /* m/s: v2 - v1 */
    vxe_lane3 w1, w2;     /* rad/s */
    vxe_real_mask exists; /* all bits, or none where there is no bond */
} vxe_bond_ends;

typedef struct vxe_dashes {
    vxe_real axial, shear, torsion, bending;
} vxe_dashes;

/* Force on the lower voxel (the upper has its negative), and the moments a + b on the lower, a - b
 * on the upper. World axes. */
typedef struct vxe_bond_action {
    vxe_lane3 force;
    vxe_lane3 a;
    vxe_lane3 b;
} vxe_bond_action;

/* One beam. failed becomes 1 where it has diverged (laws with springs).

   Source 001's dashpots: axial and shear act on the relative rate, torsion and bending on the
   difference of the spins. Even laws: shear is as axial, in springs and dashpots. */
VXE_INLINE vxe_bond_action beam_action(int axis, int law, const vxe_bond_ends *ends,
                                       vxe_springs springs, vxe_dashes c, vxe_real *failed)
{
    const vxe_lane3 zero = {0, 0, 0};
    const vxe_lane3 half_r = lane_scaled(R(0.5), ends->chord.r);
    const vxe_mid_frame frame = mid_frame(axis, ends->q1, ends->q2, ends->exists);
    vxe_elastic elastic = {zero, zero};
    vxe_lane3 levered = zero; /* the force that makes moments */
    if (law & LAW_ELASTIC) {
        *failed = beyond_bounds(ends->chord.r, ends->chord.length, frame.scalar);
        elastic =
            elastic_response(axis, law & LAW_EVEN, law & LAW_FREE, &frame, &ends->chord, springs);
        levered = elastic.force;
    }
    if (law & LAW_DAMP) {
        const vxe_lane3 rate = relative_rate(half_r, ends->dv, ends->w1, ends->w2);
        const vxe_lane3 spin = lane_sub(ends->w2, ends->w1);
        const vxe_lane3 force =
            law & LAW_EVEN ? lane_scaled(c.axial, rate) : weigh(frame.axis, c.axial, c.shear, rate);
        const vxe_lane3 moment = weigh(frame.axis, c.torsion, c.bending, spin);
        elastic.force = lane_add_scaled(elastic.force, 1, force);
        elastic.moment = lane_add_scaled(elastic.moment, 1, moment);
        levered = law & LAW_PEER ? lane_add_scaled(levered, R(0.5), force) : elastic.force;
    }
    return (vxe_bond_action){elastic.force, lane_cross(half_r, levered), elastic.moment};
}

/* One bar: k_a (|r| - l) along the chord, dashpot along the chord. */
VXE_INLINE vxe_bond_action bar_action(int law, const vxe_bond_ends *ends, vxe_springs springs,
                                      vxe_dashes c, vxe_real *failed)
{
    const vxe_real r2 = lane_dot(ends->chord.r, ends->chord.r);
    vxe_real tension_by_length = 0;
    if (law & LAW_ELASTIC) {
        *failed = beyond_bounds(ends->chord.r, ends->chord.length, 1);
        tension_by_length = springs.axial * (1 - ends->chord.length / vxe_root(r2));
    }
    if (law & LAW_DAMP) {
        tension_by_length += c.axial * (lane_dot(ends->chord.r, ends->dv) / r2);
    }
    const vxe_lane3 zero = {0, 0, 0};
    const vxe_real scale = keep_bits(tension_by_length, ends->exists);
    return (vxe_bond_action){lane_scaled(scale, ends->chord.r), zero, zero};
}

#endif
