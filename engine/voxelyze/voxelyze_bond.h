/* SPDX-License-Identifier: MIT */
/* One bond of the Voxelyze family's law as one lane of a kernel: it reads the poses of its voxels,
   runs the law (voxelyze_law.h), updates its history and returns forces and moments on both.
   Kernels over rows and over packed bonds share this code. */
#ifndef VXE_ENGINE_VOXELYZE_VOXELYZE_BOND_H
#define VXE_ENGINE_VOXELYZE_VOXELYZE_BOND_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/voxelyze/voxelyze_law.h"

/* Compile-time constants of a kernel. */
typedef struct sort {
    vxe_voxelyze_law law;
    int axis;
    ptrdiff_t width; /* lanes per vector in coefficients and history */
    bool gaps;       /* lanes may have no bond; their voxels may hold any numbers */
} sort;

/* The arrays that bonds read, as pointers in registers. */
typedef struct fields {
    const vxe_real *x[3], *q[4], *edge_growth;
    vxe_real edge;
    vxe_real by_step; /* 1/s */
    vxe_voxelyze_bounds enter, leave;
} fields;

/* Loads the pointers. */
VXE_INLINE fields load_fields(const vxe_kernel_arrays *s)
{
    return (fields){REALS_3(s->x),        REALS_4(s->q),      reals(s->edge_growth), s->edge,
                    s->voxelyze->by_step, s->voxelyze->enter, s->voxelyze->leave};
}

/* Orientation of a voxel in axes in which bonds of an axis point along x. */
VXE_INLINE vxe_quat orientation(int axis, const fields *f, ptrdiff_t slot)
{
    const vxe_vec3 v = to_bond(axis, (vxe_vec3){f->q[1][slot], f->q[2][slot], f->q[3][slot]});
    return (vxe_quat){f->q[0][slot], v.x, v.y, v.z};
}

/* One number if the lane has a bond (its spring is above 0), else another. */
VXE_INLINE vxe_real where(sort is, vxe_real spring, vxe_real there, vxe_real otherwise)
{
    return !is.gaps || spring > 0 ? there : otherwise;
}

/* A quaternion if the lane has a bond, else 1. */
VXE_INLINE vxe_quat where_turned(sort is, vxe_real spring, vxe_quat q)
{
    return (vxe_quat){where(is, spring, q.w, 1), where(is, spring, q.x, 0),
                      where(is, spring, q.y, 0), where(is, spring, q.z, 0)};
}

/* Relative pose of a lane's voxels; a lane without a bond has that of a bond at rest. */
VXE_INLINE vxe_voxelyze_view view_of(sort is, const fields *f, vxe_quat q1, ptrdiff_t lo,
                                     ptrdiff_t hi, vxe_real spring)
{
    const vxe_quat q = seen_from(q1, orientation(is.axis, f, hi));
    const vxe_vec3 d = turned_back(
        q1, to_bond(is.axis, (vxe_vec3){f->x[0][hi] - f->x[0][lo], f->x[1][hi] - f->x[1][lo],
                                        f->x[2][hi] - f->x[2][lo]}));
    const vxe_real edge_growth = R(0.5) * (f->edge_growth[lo] + f->edge_growth[hi]);
    return (vxe_voxelyze_view){
        {where(is, spring, d.x, f->edge), where(is, spring, d.y, 0), where(is, spring, d.z, 0)},
        where_turned(is, spring, q),
        f->edge + where(is, spring, edge_growth, 0)};
}

/* Reads a bond's history. */
VXE_INLINE vxe_voxelyze_pose recall(const vxe_real *memory, ptrdiff_t width)
{
    const vxe_real *place = memory + VXE_VOXELYZE_PLACE * width;
    const vxe_real *tilt = memory + VXE_VOXELYZE_TILT * width;
    const vxe_real *turn = memory + VXE_VOXELYZE_TURN * width;
    return (vxe_voxelyze_pose){memory[VXE_VOXELYZE_LARGE * width],
                               {place[0], place[width], place[2 * width]},
                               {0, tilt[0], tilt[width]},
                               {turn[0], turn[width], turn[2 * width]}};
}

/* Writes a bond's history. In a step that changes the mode only the mode is written. stays: 0 in
 * such a step, else 1. */
VXE_INLINE void remember(vxe_real *memory, ptrdiff_t width, const vxe_voxelyze_pose *now,
                         const vxe_voxelyze_pose *before, vxe_real stays)
{
    vxe_real *place = memory + VXE_VOXELYZE_PLACE * width;
    vxe_real *tilt = memory + VXE_VOXELYZE_TILT * width;
    vxe_real *turn = memory + VXE_VOXELYZE_TURN * width;
    memory[VXE_VOXELYZE_LARGE * width] = now->large;
    place[0] = stays > 0 ? now->place.x : before->place.x;
    place[width] = stays > 0 ? now->place.y : before->place.y;
    place[2 * width] = stays > 0 ? now->place.z : before->place.z;
    tilt[0] = stays > 0 ? now->tilt.y : before->tilt.y;
    tilt[width] = stays > 0 ? now->tilt.z : before->tilt.z;
    turn[0] = stays > 0 ? now->turn.x : before->turn.x;
    turn[width] = stays > 0 ? now->turn.y : before->turn.y;
    turn[2 * width] = stays > 0 ? now->turn.z : before->turn.z;
}

/* Rate of change of a bond's coordinates, by_step in 1/s. */
VXE_INLINE vxe_voxelyze_pose rate_of(const vxe_voxelyze_pose *now, const vxe_voxelyze_pose *before,
                                     vxe_real by_step)
{
    return (vxe_voxelyze_pose){0, vec_scaled(by_step, vec_sub(now->place, before->place)),
                               vec_scaled(by_step, vec_sub(now->tilt, before->tilt)),
                               vec_scaled(by_step, vec_sub(now->turn, before->turn))};
}

/* Moment of springs plus half of that of dashpots. */
VXE_INLINE vxe_vec3 damped(vxe_vec3 moment, vxe_vec3 rate, vxe_real dash, vxe_real twist)
{
    return (vxe_vec3){vxe_fma(R(0.5) * twist, rate.x, moment.x),
                      vxe_fma(R(0.5) * dash, rate.y, moment.y),
                      vxe_fma(R(0.5) * dash, rate.z, moment.z)};
}

/* Forces and moments on the lower and the upper voxel. */
typedef struct both_ends {
    vxe_vec3 force[2], moment[2]; /* world axes */
} both_ends;

/* Runs the law on one bond. k and memory: coefficients and history of its lane. failed: 1 if the
   bond has diverged, else 0. */
VXE_INLINE both_ends one_bond(sort is, const fields *f, const vxe_real *k, vxe_real *memory,
                              ptrdiff_t lo, ptrdiff_t hi, vxe_real *failed)
{
    const vxe_real spring = k[VXE_VOXELYZE_SPRING * is.width];
    const vxe_quat q1 = where_turned(is, spring, orientation(is.axis, f, lo));
    const vxe_voxelyze_view view = view_of(is, f, q1, lo, hi, spring);
    const vxe_voxelyze_pose before = recall(memory, is.width);
    vxe_tilt align;
    const vxe_voxelyze_pose now =
        voxelyze_pose(is.law, &view, before.large, f->enter, f->leave, &align);
    /* arithmetic in place of a comparison, so that compilers vectorise the loop */
    const vxe_real apart = now.large - before.large;
    const vxe_real stays = 1 - apart * apart;
    remember(memory, is.width, &now, &before, is.law == VXE_VOXELYZE_ORIGINAL ? R(1.0) : stays);
    *failed = is.law == VXE_VOXELYZE_ORIGINAL ? beyond_bounds(view.d, view.length, view.q.w)
                                              : out_of_reach(view.d, view.length);
    const vxe_real axial = is.law == VXE_VOXELYZE_ORIGINAL ? f->edge / view.length : R(1.0);
    const vxe_voxelyze_force act =
        voxelyze_action(&now, spring, axial, k[VXE_VOXELYZE_TWIST * is.width], f->edge);
    const vxe_voxelyze_pose rate = rate_of(&now, &before, stays * f->by_step);
    const vxe_voxelyze_force dash = voxelyze_action(&rate, 1, 1, 1, f->edge);
    const vxe_real c1 = k[VXE_VOXELYZE_DASH_LOWER * is.width];
    const vxe_real c2 = k[VXE_VOXELYZE_DASH_UPPER * is.width];
    const vxe_columns frame = columns_of(q1, align);
    const vxe_vec3 force1 = vec_add_scaled(act.force, c1, dash.force);
    const vxe_vec3 force2 = vec_add_scaled(act.force, c2, dash.force);
    const vxe_vec3 moment1 =
        damped(act.lower, dash.lower, c1, k[VXE_VOXELYZE_TWIST_LOWER * is.width]);
    const vxe_vec3 moment2 =
        damped(act.upper, dash.upper, c2, k[VXE_VOXELYZE_TWIST_UPPER * is.width]);
    return (both_ends){{from_bond(is.axis, along_columns(&frame, force1)),
                        from_bond(is.axis, along_columns(&frame, force2))},
                       {from_bond(is.axis, along_columns(&frame, moment1)),
                        from_bond(is.axis, along_columns(&frame, moment2))}};
}

/* Define a kernel for one axis, and for each axis, that calls run with the compile-time constants.
 */
#define VOXELYZE_KERNEL(name, run, law, axis, gaps, width, head, ...)                              \
    static uint32_t name head                                                                      \
    {                                                                                              \
        return run((sort){law, axis, width, gaps}, __VA_ARGS__);                                   \
    }
#define VOXELYZE_KERNELS(name, run, law, gaps, width, head, ...)                                   \
    VOXELYZE_KERNEL(name##_x, run, law, 0, gaps, width, head, __VA_ARGS__)                         \
    VOXELYZE_KERNEL(name##_y, run, law, 1, gaps, width, head, __VA_ARGS__)                         \
    VOXELYZE_KERNEL(name##_z, run, law, 2, gaps, width, head, __VA_ARGS__)

#endif
