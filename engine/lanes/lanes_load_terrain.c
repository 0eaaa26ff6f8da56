/* SPDX-License-Identifier: MIT */
/* Loads the floors of a group whose robots all have a floor that is not level. Equal heightfields
   are stored once: most robots of a batch share one world. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"

void vxe_lanes_terrain_clear(vxe_lanes *lanes)
{
    vxe_memory_release(lanes->group.terrain);
    vxe_memory_release(lanes->group.terrain_numbers);
    vxe_memory_release(lanes->group.terrain_points);
    lanes->group.terrain = NULL;
    lanes->group.terrain_numbers = NULL;
    lanes->group.terrain_points = NULL;
}

/* Whether two floors have the same points. */
static bool have_equal_points(const vxe_terrain *one, const vxe_terrain *two)
{
    return one->count == two->count &&
           memcmp(one->points, two->points, VXE_TERRAIN_POINT * one->count * sizeof *one->points) ==
               0;
}

/* The floor of a lane's robot; an idle lane has that of the first lane. */
static const vxe_terrain *terrain_of(const vxe_lanes *lanes, uint32_t lane)
{
    const vxe_robot *robot = lanes->robot[lane] ? lanes->robot[lane] : lanes->robot[0];
    return robot ? robot->simulation->model.terrain : NULL;
}

/* Finds where the points of every lane begin, equal floors sharing theirs; returns the number of
   points. */
static uint64_t place_points(const vxe_lanes *lanes, uint64_t begin[VXE_MAX_LANES])
{
    uint64_t total = 0;
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        uint32_t same = 0;
        while (same < lane &&
               !have_equal_points(terrain_of(lanes, same), terrain_of(lanes, lane))) {
            same++;
        }
        begin[lane] = same < lane ? begin[same] : total;
        total += same < lane ? 0 : terrain_of(lanes, lane)->count;
    }
    return total;
}

vxe_status vxe_lanes_terrain_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint32_t count = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const uint64_t vector = (uint64_t)count * vxe_real_bytes(lanes->kernels->precision);
    vxe_lane_group *group = &lanes->group;
    uint64_t begin[VXE_MAX_LANES];
    vxe_lanes_terrain_clear(lanes);
    if (!terrain_of(lanes, 0)) {
        return VXE_OK;
    }
    const uint64_t points = place_points(lanes, begin);
    group->terrain = vxe_memory_take((uint64_t)VXE_LANE_TOUCH * group->voxels, vector);
    group->terrain_numbers =
        vxe_memory_take((uint64_t)VXE_TERRAIN_NUMBERS * count, sizeof *group->terrain_numbers);
    group->terrain_points =
        vxe_memory_take(points, VXE_TERRAIN_POINT * sizeof *group->terrain_points);
    if (!group->terrain || !group->terrain_numbers || !group->terrain_points) {
        return vxe_error_memory(error, 24 * points + VXE_LANE_TOUCH * group->voxels * vector);
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        const vxe_terrain *terrain = terrain_of(lanes, lane);
        VXE_ASSERT(terrain && begin[lane] + terrain->count <= points);
        for (uint32_t i = 0; i < VXE_TERRAIN_NUMBERS; i++) {
            group->terrain_numbers[i * count + lane] = terrain->number[i];
        }
        group->terrain_numbers[VXE_TERRAIN_BEGIN * count + lane] = (double)begin[lane];
        memcpy(group->terrain_points + VXE_TERRAIN_POINT * begin[lane], terrain->points,
               VXE_TERRAIN_POINT * terrain->count * sizeof *terrain->points);
    }
    return VXE_OK;
}
