/* SPDX-License-Identifier: MIT */
/* The level floor: a spring and a dashpot under each voxel that reaches below it (penalty
   contact; docs/physics.md, Floor), as their mean force over a step (floor/impact_law.h). Each
   function is one lane of a vector loop; single bodies and robots in lanes share them, and so have
   the same bits. Friction: friction_law.h; floors that are not level: terrain_law.h. */
#ifndef VXE_ENGINE_FLOOR_FLOOR_LAW_H
#define VXE_ENGINE_FLOOR_FLOOR_LAW_H

#include <stdbool.h>

#include "engine/core/arrays.h"
#include "engine/core/vec.h"
#include "engine/floor/impact_law.h"

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

/* Voxels that are farther above the floor than this many edges, and the way of a step, do not touch
   it in the step. */
#define FLOOR_REACH R(0.125)

/* m: above 0 where a voxel at this depth (m) may touch the floor within a step that goes so far (m,
   at its first speed). */
VXE_INLINE vxe_real floor_nearness(vxe_real depth, vxe_real way, vxe_real edge)
{
    return depth + vxe_fma(FLOOR_REACH, edge, way);
}

/* Whether a voxel may touch the floor within a step that begins at the speed `off` (m/s, away from
   it). */
VXE_INLINE bool floor_is_near(vxe_real depth, vxe_real off, vxe_real edge, vxe_real h)
{
    return floor_nearness(depth, h * magnitude(off), edge) > 0;
}

typedef struct vxe_floor_push {
    vxe_real force;   /* N, up */
    vxe_real impulse; /* N s: normal impulse for friction */
} vxe_floor_push;

/* What of a voxel the floor pushes. */
typedef struct vxe_on_floor {
    vxe_real depth;   /* m */
    vxe_real off;     /* m/s: speed away from the floor, before the kick */
    vxe_real others;  /* m/s that it gains in the kick by all other forces */
    vxe_real inverse; /* 1/kg */
    vxe_real edge;    /* m */
} vxe_on_floor;

/* The floor's force where the step begins, and the impulse that friction feels of it, by the rules
   beside the native one. rule: a vxe_floor_rule. */
VXE_INLINE vxe_floor_push floor_push_at_start(vxe_on_floor of, vxe_real stiffness, vxe_real dashpot,
                                              vxe_real rule, vxe_real h)
{
    const vxe_real spring = of.depth > 0 ? stiffness * of.depth : R(0);
    const vxe_real dash = of.depth > 0 ? dashpot * of.off : R(0);
    const vxe_real force = spring - dash;
    const vxe_real pushes = force > 0 ? force : R(0);
    const vxe_real seen = rule == R(VXE_FLOOR_PULLS_WHOLE) ? pushes : spring;
    return (vxe_floor_push){rule == R(VXE_FLOOR_SPRING_FRICTION) ? pushes : force, h * seen};
}

/* The floor's mean force in a kick of h seconds. */
VXE_INLINE vxe_floor_push floor_push(vxe_on_floor of, vxe_real stiffness, vxe_real dashpot,
                                     vxe_real rule, vxe_real h)
{
    const vxe_impact mean =
        impact_of_step(of.depth, -of.off, -of.others, stiffness, dashpot, of.inverse, h);
    const vxe_real pushed =
        floor_is_near(of.depth, of.off, of.edge, h) && stiffness > 0 ? mean.force : R(0);
    const vxe_floor_push start = floor_push_at_start(of, stiffness, dashpot, rule, h);
    return rule > 0 ? start : (vxe_floor_push){pushed, h * pushed};
}

/* The same where it needs no iterations; `sure` is above 0 there. */
VXE_INLINE vxe_impact_try floor_tried(vxe_on_floor of, vxe_real stiffness, vxe_real dashpot,
                                      vxe_real h)
{
    const vxe_impact_try first =
        impact_tried(of.depth, -of.off, -of.others, stiffness, dashpot, of.inverse, h);
    const bool pushes = floor_is_near(of.depth, of.off, of.edge, h) && stiffness > 0;
    return (vxe_impact_try){pushes ? first.force : R(0), pushes ? first.sure : R(1)};
}

/* The same without an impulse (N s) of the floor that is part of `others`. */
VXE_INLINE vxe_on_floor floor_without(vxe_on_floor of, vxe_real impulse)
{
    of.others = vxe_fma(-impulse, of.inverse, of.others);
    return of;
}

/* N s: what a mean force (N) gives in a step more than an impulse that was given already. */
VXE_INLINE vxe_real floor_more(vxe_real force, vxe_real impulse, vxe_real h)
{
    return h * force - impulse;
}

/* Damping iterations change velocities between the kick, which takes the mean force that there
   would be without them, and the end of the step: then comes what the mean force is more.
   of.others: with what the iterations gave; impulse: N s that the kick has had. */
VXE_INLINE vxe_floor_push floor_push_behind(vxe_on_floor of, vxe_real impulse, vxe_real stiffness,
                                            vxe_real dashpot, vxe_real rule, vxe_real h)
{
    const vxe_floor_push mean = floor_push(floor_without(of, impulse), stiffness, dashpot, 0, h);
    const vxe_real more = floor_more(mean.force, impulse, h);
    return (vxe_floor_push){rule > 0 ? R(0) : more / h, rule > 0 ? R(0) : more};
}

#endif
