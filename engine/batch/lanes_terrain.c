/* SPDX-License-Identifier: MIT */
/* Floors of a group whose robots all stand on one that is not level. */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/lanes.h"

void vxe_lanes_ground_clear(vxe_lanes *lanes)
{
    vxe_memory_release(lanes->group.ground);
    vxe_memory_release(lanes->group.ground_numbers);
    vxe_memory_release(lanes->group.ground_points);
    lanes->group.ground = NULL;
    lanes->group.ground_numbers = NULL;
    lanes->group.ground_points = NULL;
}

static bool have_equal_points(const vxe_ground *one, const vxe_ground *two)
{
    return one->count == two->count &&
           memcmp(one->points, two->points, VXE_GROUND_POINT * one->count * sizeof *one->points) ==
               0;
}

/* The floor of a lane's robot; an idle lane has that of the first one. */
static const vxe_ground *ground_of(const vxe_lanes *lanes, uint32_t lane)
{
    const vxe_robot *robot = lanes->robot[lane] ? lanes->robot[lane] : lanes->robot[0];
    return robot ? robot->model.ground : NULL;
}

/* Where every lane's points begin: most robots of a batch share one world, whose points are kept
 * once. Returns how many there are. */
static uint64_t place_points(const vxe_lanes *lanes, uint64_t begin[VXE_MOST_LANES])
{
    uint64_t total = 0;
    for (uint32_t lane = 0; lane < lanes->kernels->lanes->lanes; lane++) {
        uint32_t same = 0;
        while (same < lane && !have_equal_points(ground_of(lanes, same), ground_of(lanes, lane))) {
            same++;
        }
        begin[lane] = same < lane ? begin[same] : total;
        total += same < lane ? 0 : ground_of(lanes, lane)->count;
    }
    return total;
}

vxe_status vxe_lanes_ground_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint32_t count = lanes->kernels->lanes->lanes;
    const uint64_t vector = (uint64_t)count * vxe_real_bytes(lanes->kernels->precision);
    vxe_lane_group *group = &lanes->group;
    uint64_t begin[VXE_MOST_LANES];
    vxe_lanes_ground_clear(lanes);
    if (!ground_of(lanes, 0)) {
        return VXE_OK;
    }
    const uint64_t points = place_points(lanes, begin);
    group->ground = vxe_memory_take((uint64_t)VXE_LANE_TOUCH * group->voxels, vector);
    group->ground_numbers =
        vxe_memory_take((uint64_t)VXE_GROUND_NUMBERS * count, sizeof *group->ground_numbers);
    group->ground_points = vxe_memory_take(points, VXE_GROUND_POINT * sizeof *group->ground_points);
    if (!group->ground || !group->ground_numbers || !group->ground_points) {
        return vxe_error_memory(error, 24 * points + VXE_LANE_TOUCH * group->voxels * vector);
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        const vxe_ground *ground = ground_of(lanes, lane);
        for (uint32_t i = 0; i < VXE_GROUND_NUMBERS; i++) {
            group->ground_numbers[i * count + lane] = ground->number[i];
        }
        group->ground_numbers[VXE_GROUND_BEGIN * count + lane] = (double)begin[lane];
        memcpy(group->ground_points + VXE_GROUND_POINT * begin[lane], ground->points,
               VXE_GROUND_POINT * ground->count * sizeof *ground->points);
    }
    return VXE_OK;
}
