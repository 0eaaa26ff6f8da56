/* SPDX-License-Identifier: MIT */
/* What is observed of a team: which sensors, and the rows of their numbers. */
#include <string.h>

#include "common/memory.h"
#include "common/parallel.h"
#include "common/status_internal.h"
#include "engine/team/team_data.h"

uint32_t vxe_team_sensor_width(const vxe_team *team, vxe_sensor_kind sensor)
{
    return vxe_sensor_width(sensor, team->groups, team->parts, team->voxels);
}

void vxe_team_read(vxe_team *team, uint32_t robot)
{
    vxe_sensing_read(&team->members[robot].sensing, team->groups, team->parts, team->voxels,
                     team->observations + (size_t)robot * team->width);
}

/* Reads a robot that runs; rows of others stay zeros. */
static void read_one(void *context, uint32_t robot)
{
    vxe_team *team = context;
    if (team->members[robot].state == VXE_TEAM_RUNS) {
        vxe_team_read(team, robot);
    }
}

vxe_status vxe_team_observe(vxe_team *team, const vxe_sensor_kind *sensors, uint32_t count,
                            uint32_t *width, vxe_error *error)
{
    uint64_t sum = 0;
    if (count > VXE_SENSOR_KINDS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%u sensors are asked for; there are %u",
                              count, (unsigned)VXE_SENSOR_KINDS);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sensors[i] >= VXE_SENSOR_KINDS) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "there is no sensor %u; 0 to %u",
                                  (unsigned)sensors[i], (unsigned)VXE_SENSOR_KINDS - 1);
        }
        sum += vxe_team_sensor_width(team, sensors[i]);
    }
    float *observations =
        sum <= UINT32_MAX ? vxe_memory_take(team->count * sum, sizeof *observations) : NULL;
    if (!observations && sum > 0) {
        return vxe_error_memory(error, team->count * sum * sizeof *observations);
    }
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < team->count && !status; i++) {
        status = vxe_sensing_choose(&team->members[i].sensing, sensors, count, error);
    }
    for (uint32_t i = 0; i < team->count && status; i++) { /* without memory: nothing is observed */
        (void)vxe_sensing_choose(&team->members[i].sensing, NULL, 0, NULL);
    }
    vxe_team_forget_network(team);
    vxe_memory_release(team->observations);
    team->observations = observations;
    team->width = status ? 0 : (uint32_t)sum;
    if (width) {
        *width = team->width;
    }
    if (!status) {
        vxe_parallel_each(team->count, team->threads, read_one, team);
        status = vxe_team_check_memory(team, error);
    }
    return status;
}
