/* SPDX-License-Identifier: MIT */
/* What comes before and behind the motion of a voxel in a pass: whether it may touch the floor, and
   its edge. For lane_kernels.c. */
#ifndef VXE_ENGINE_LANES_LANE_ENDS_H
#define VXE_ENGINE_LANES_LANE_ENDS_H

#include "engine/lanes/lane_forces.h"
#include "engine/voxels/actuation_law.h"

/* Computes depth, normal and gain of a voxel on the terrain, for all lanes. Returns whether it may
   touch in this step, or is stuck, in some lane. */
static bool sample_ground(const vxe_lane_group *group, const vxe_real *restrict voxel,
                          vxe_real *restrict touches)
{
    const vxe_real *restrict numbers = reals_const(group->numbers);
    vxe_real max[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_terrain_place place = ground_place(group, voxel, lane);
        const vxe_touch touch = terrain_touch(&place);
        touches[lane] = touch.depth;
        put3(touches, 1, lane, touch.normal);
        touches[4 * LANES + lane] = touch.gain;
        const vxe_real stuck = voxel[VXE_LANE_STUCK * LANES + lane];
        const vxe_real close = terrain_nearness(
            touch.depth, field3(voxel, VXE_LANE_V, lane), numbers[VXE_LANE_LIFT * LANES + lane],
            numbers[VXE_LANE_EDGE * LANES + lane], numbers[VXE_LANE_STEP * LANES + lane]);
        max[lane] = close > stuck ? close : stuck;
    }
    return any_positive(max);
}

/* Whether the voxel may touch the floor in this step, or is stuck to it, in some lane; above a
   terrain, whether it is low enough that it may. */
static bool touches(const vxe_real *restrict voxel, const vxe_real *restrict numbers)
{
    vxe_real max[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_vec3 v = field3(voxel, VXE_LANE_V, lane);
        const vxe_real speed = magnitude(v.x) + magnitude(v.y) + magnitude(v.z); /* at most */
        const vxe_real way = numbers[VXE_LANE_STEP * LANES + lane] * speed;
        const vxe_real close = floor_nearness(depth_of(voxel, numbers, lane),
                                              numbers[VXE_LANE_LIFT * LANES + lane] * way,
                                              numbers[VXE_LANE_EDGE * LANES + lane]);
        const vxe_real stuck = voxel[VXE_LANE_STUCK * LANES + lane];
        max[lane] = close > stuck ? close : stuck;
    }
    return any_positive(max);
}

/* Sets the edge growth of a voxel to that of a clock, all lanes. */
static void resize(const vxe_lane_group *group, const double *restrict clock, ptrdiff_t index,
                   vxe_real *restrict edge_growth)
{
    if (group->sizes) {
        const vxe_real *values = reals_const(group->sizes) + index * (VXE_ACTUATION_VALUES * LANES);
        const vxe_real *law[VXE_ACTUATION_VALUES];
        for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
            law[c] = values + c * LANES;
        }
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            const double target = (double)law[VXE_SIZE_GROUP][lane]; /* lanes have no group */
            edge_growth[lane] = edge_growth_at(law, lane, clock + lane, LANES, target);
        }
        return;
    }
    const vxe_real *restrict waves = reals_const(group->waves) + index * (2 * LANES);
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        edge_growth[lane] = edge_growth_of_wave(waves[lane], waves[LANES + lane],
                                                (vxe_real)clock[VXE_CLOCK_SINE * LANES + lane],
                                                (vxe_real)clock[VXE_CLOCK_COSINE * LANES + lane]);
    }
}

/* Sets the edge growth of all voxels to that of a clock. */
static void resize_all(vxe_lane_group *group, const double *clock)
{
    for (uint32_t index = 0; index < group->voxels && (group->waves || group->sizes); index++) {
        vxe_real *voxel = state_of(group, index);
        resize(group, clock, (ptrdiff_t)index, voxel + VXE_LANE_EDGE_GROWTH * LANES);
    }
}

#endif
