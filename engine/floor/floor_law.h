/* SPDX-License-Identifier: MIT */
/* The level floor: a spring and a dashpot under each voxel that reaches below it (penalty
   contact; docs/physics.md, Floor). Each function is one lane of a vector loop; single bodies
   and robots in lanes share them, and so have the same bits. Friction: friction_law.h; floors
   that are not level: terrain_law.h. */
#ifndef VXE_ENGINE_FLOOR_FLOOR_LAW_H
#define VXE_ENGINE_FLOOR_FLOOR_LAW_H

#include "engine/core/vec.h"

/* Depth (m) of a voxel's lower face in the floor. level: height of the centre of a voxel that
   rests on the floor without edge growth. */
VXE_INLINE vxe_real floor_depth(vxe_coordinate level, vxe_coordinate z, vxe_real edge_growth)
{
    vxe_real above = level.high - z.high;
#ifdef VXE_MIXED
    above += level.low - z.low;
#endif
    return vxe_fma(R(0.5), edge_growth, above);
}

typedef struct vxe_floor_push {
    vxe_real force;   /* N, up */
    vxe_real impulse; /* N s: normal impulse for friction */
} vxe_floor_push;

/* The floor's spring, and its dashpot with dash_share 1. pulls: the floor of the Voxelyze
   family. */
VXE_INLINE vxe_floor_push floor_push(vxe_real depth, vxe_real stiffness, vxe_real dashpot,
                                     vxe_real vz, vxe_real dash_share, vxe_real pulls, vxe_real h)
{
    const vxe_real spring = depth > 0 ? stiffness * depth : R(0);
    const vxe_real dash = depth > 0 ? dash_share * (dashpot * vz) : R(0);
    const vxe_real total = spring - dash;
    const vxe_real pushed = total > 0 ? total : R(0);
    return (vxe_floor_push){pulls > 0 ? total : pushed, h * (pulls > 0 ? spring : pushed)};
}

typedef struct vxe_floor_decay {
    vxe_real impulse; /* N s, up */
    vxe_real seen;    /* N s to add to the normal impulse for friction */
} vxe_floor_decay;

/* Half a step's exact decay, by the floor's dashpot, of the speed v normal to the floor. The
   floor never pulls: the dashpot takes back at most half of the spring's impulse. */
VXE_INLINE vxe_floor_decay floor_decayed(vxe_real depth, vxe_real stiffness, vxe_real factor,
                                         vxe_real mass, vxe_real v, vxe_real pulls, vxe_real half_h)
{
    const vxe_real wanted = mass * (v * factor - v);
    const vxe_real min = -(half_h * (stiffness * depth));
    const vxe_real limited = wanted > min ? wanted : min;
    const vxe_real impulse = depth > 0 ? (pulls > 0 ? wanted : limited) : R(0);
    return (vxe_floor_decay){impulse, pulls > 0 ? R(0) : impulse};
}

#endif
