/* SPDX-License-Identifier: MIT */
/* Names and widths of sensors, shapes of networks, and what a valid controller is. */
#include "lattice/controller.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/status_internal.h"

/* What a sensor has numbers for. */
typedef enum sensed { OF_ROBOT, OF_GROUPS, OF_VOXELS, OF_PARTS } sensed;

static const struct {
    const char *name;
    sensed of;
    uint32_t numbers; /* for each */
} sensors[VXE_SENSOR_KINDS] = {
    [VXE_SENSOR_CENTER] = {"center", OF_ROBOT, 3},
    [VXE_SENSOR_VELOCITY] = {"velocity", OF_ROBOT, 3},
    [VXE_SENSOR_SPIN] = {"spin", OF_ROBOT, 3},
    [VXE_SENSOR_UP] = {"up", OF_ROBOT, 3},
    [VXE_SENSOR_HEADING] = {"heading", OF_ROBOT, 3},
    [VXE_SENSOR_CLOCK] = {"clock", OF_ROBOT, 3},
    [VXE_SENSOR_TARGETS] = {"targets", OF_GROUPS, 1},
    [VXE_SENSOR_GROUP_PLACE] = {"group_place", OF_GROUPS, 3},
    [VXE_SENSOR_GROUP_VELOCITY] = {"group_velocity", OF_GROUPS, 3},
    [VXE_SENSOR_GROUP_EDGE] = {"group_edge", OF_GROUPS, 1},
    [VXE_SENSOR_GROUP_STRAIN] = {"group_strain", OF_GROUPS, 3},
    [VXE_SENSOR_GROUP_LOAD] = {"group_load", OF_GROUPS, 1},
    [VXE_SENSOR_GROUP_TOUCH] = {"group_touch", OF_GROUPS, 1},
    [VXE_SENSOR_VOXEL_PLACE] = {"voxel_place", OF_VOXELS, 3},
    [VXE_SENSOR_VOXEL_VELOCITY] = {"voxel_velocity", OF_VOXELS, 3},
    [VXE_SENSOR_FLOOR_AHEAD] = {"floor_ahead", OF_ROBOT, 11},
    [VXE_SENSOR_PART_CENTER] = {"part_center", OF_PARTS, 3},
    [VXE_SENSOR_PART_VELOCITY] = {"part_velocity", OF_PARTS, 3},
    [VXE_SENSOR_PART_UP] = {"part_up", OF_PARTS, 3},
    [VXE_SENSOR_PART_HEADING] = {"part_heading", OF_PARTS, 3},
};

const char *vxe_sensor_name(vxe_sensor_kind sensor)
{
    return sensor < VXE_SENSOR_KINDS ? sensors[sensor].name : "";
}

vxe_sensor_kind vxe_sensor_find(const char *name)
{
    uint32_t sensor = 0;
    while (sensor < VXE_SENSOR_KINDS && strcmp(sensors[sensor].name, name) != 0) {
        sensor++;
    }
    return (vxe_sensor_kind)sensor;
}

uint32_t vxe_sensor_width(vxe_sensor_kind sensor, uint32_t groups, uint32_t parts, uint32_t voxels)
{
    const uint32_t each[] = {
        [OF_ROBOT] = 1, [OF_GROUPS] = groups, [OF_VOXELS] = voxels, [OF_PARTS] = parts};
    return sensor < VXE_SENSOR_KINDS ? sensors[sensor].numbers * each[sensors[sensor].of] : 0;
}

vxe_status vxe_network_check(const vxe_network *network, vxe_error *error)
{
    if (network->layers < 2 || network->layers > VXE_NETWORK_LAYERS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the network has %u layers; inputs and outputs count: 2 to %u",
                              network->layers, VXE_NETWORK_LAYERS);
    }
    for (uint32_t layer = 0; layer < network->layers; layer++) {
        if (network->width[layer] < 1 || network->width[layer] > VXE_NETWORK_WIDTH) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "layer %u of the network has %u numbers; it must be 1 to %u",
                                  layer, network->width[layer], VXE_NETWORK_WIDTH);
        }
    }
    return network->activation <= VXE_ACTIVATION_RELU
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "the network's activation is %d; it must be 0 to %d",
                                (int)network->activation, VXE_ACTIVATION_RELU);
}

uint64_t vxe_network_weights(const vxe_network *network)
{
    uint64_t weights = 0;
    for (uint32_t layer = 1; layer < network->layers; layer++) {
        weights += (network->width[layer - 1] + 1ull) * network->width[layer];
    }
    return weights;
}

/* Checks the numbers that are not weights. */
static vxe_status check_settings(const vxe_controller *c, vxe_error *error)
{
    if (!(c->interval >= VXE_SHORTEST_TICK && c->interval < 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the controller's interval is %g s; it must be 1e-9 to below 1e6",
                              c->interval);
    }
    if (!(c->min_target > 0 && c->min_target <= 1 && c->max_target >= 1 && c->max_target <= 10)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the controller's targets are %g to %g; they must be above 0, at "
                              "most 10, and hold 1",
                              c->min_target, c->max_target);
    }
    bool known = c->sensor_count >= 1 && c->sensor_count <= VXE_SENSOR_KINDS;
    for (uint32_t i = 0; known && i < c->sensor_count; i++) {
        known = c->sensors[i] < VXE_SENSOR_KINDS;
    }
    return known ? VXE_OK
                 : vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "the controller needs 1 to %u sensors, each of a known kind",
                                  (unsigned)VXE_SENSOR_KINDS);
}

vxe_status vxe_controller_check(const vxe_controller *c, vxe_error *error)
{
    if (check_settings(c, error)) {
        return VXE_ERROR_INPUT;
    }
    if (vxe_network_check(&c->network, error)) {
        if (error) {
            error->status = VXE_ERROR_INPUT;
        }
        return VXE_ERROR_INPUT;
    }
    const uint64_t count = vxe_network_weights(&c->network);
    for (uint64_t i = 0; i < count && c->weights; i++) {
        if (!vxe_is_weight(c->weights[i])) {
            return vxe_error_fill(
                error, VXE_ERROR_INPUT,
                "weight %u of the controller is %g; it must be a number below 1e9", (unsigned)i,
                (double)c->weights[i]);
        }
    }
    return c->weights ? VXE_OK
                      : vxe_error_fill(error, VXE_ERROR_INPUT, "the controller has no weights");
}
