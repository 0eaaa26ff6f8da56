/* SPDX-License-Identifier: MIT */
/* The section "network" of an experiment: what the controllers of robots sense, and the shape of
   their networks. */
#include <string.h>

#include "common/status_internal.h"
#include "evolution/algorithms/cma_internal.h"
#include "evolution/experiment/experiment_fields_internal.h"
#include "evolution/experiment/experiment_internal.h"
#include "lattice/topology_internal.h"

/* Groups along an axis, at most. */
#define MAX_GROUPS 64

static const char *const activations[] = {"tanh", "relu", NULL};

static const vxe_field fields[] = {
    {"interval_s", VXE_FIELD_NUMBER, offsetof(vxe_network_settings, interval), 1e-6, 1e5, NULL},
    {"least_target", VXE_FIELD_NUMBER, offsetof(vxe_network_settings, min_target), 0.1, 1, NULL},
    {"most_target", VXE_FIELD_NUMBER, offsetof(vxe_network_settings, max_target), 1, 10, NULL},
    {"activation", VXE_FIELD_CHOICE, offsetof(vxe_network_settings, activation), 0, 0, activations},
    {"weight_deviation", VXE_FIELD_NUMBER, offsetof(vxe_network_settings, deviation), 1e-6, 1e3,
     NULL}};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Reads a list of so many whole numbers from 1 on. */
static vxe_status read_list(const json_t *list, const char *key, uint32_t low, uint32_t high,
                            uint32_t max, uint32_t *into, uint32_t *count, vxe_error *error)
{
    const size_t given = json_array_size(list);
    bool good = json_is_array(list) && given >= low && given <= high;
    for (size_t i = 0; good && i < given; i++) {
        const json_t *item = json_array_get(list, i);
        const json_int_t value = json_integer_value(item);
        good = json_is_integer(item) && value >= 1 && value <= (json_int_t)max;
        into[i] = good ? (uint32_t)value : 0;
    }
    *count = (uint32_t)given;
    return good
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "network: \"%s\" must be a list of %s%u whole numbers from 1 to %u",
                                key, low < high ? "at most " : "", high, max);
}

static vxe_status read_sensors(const json_t *list, vxe_network_settings *into, vxe_error *error)
{
    const size_t count = json_array_size(list);
    if (count < 1 || count > VXE_SENSOR_KINDS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "network: \"sensors\" must list 1 to %u names, such as \"velocity\"",
                              (unsigned)VXE_SENSOR_KINDS);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        into->sensors[i] = name ? vxe_sensor_find(name) : VXE_SENSOR_KINDS;
        if (into->sensors[i] == VXE_SENSOR_KINDS) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "network: there is no sensor \"%s\"; such as \"velocity\", "
                                  "\"group_place\"",
                                  name ? name : "(no text)");
        }
    }
    into->sensor_count = (uint32_t)count;
    return VXE_OK;
}

vxe_status vxe_network_read(json_t *object, vxe_network_settings *into, vxe_error *error)
{
    static const char *const lists[] = {"sensors", "hidden", "groups"};
    static const char *const known[] = {"sensors",    "hidden",           "groups",
                                        "interval_s", "least_target",     "most_target",
                                        "activation", "weight_deviation", NULL};
    if (!object) {
        return VXE_OK;
    }
    if (vxe_fields_known(object, "network", known, error)) {
        return error->status;
    }
    json_t *plain = json_is_object(object) ? json_copy(object) : json_incref(object);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        json_object_del(plain, lists[i]);
    }
    const json_t *hidden = json_object_get(object, "hidden");
    const json_t *groups = json_object_get(object, "groups");
    uint32_t count = 0;
    vxe_status status = vxe_fields_read(plain, "network", fields, FIELDS, into, error);
    json_decref(plain);
    status = status ? status : read_sensors(json_object_get(object, "sensors"), into, error);
    status = status || !hidden
                 ? status
                 : read_list(hidden, "hidden", 0, VXE_NETWORK_LAYERS - 2, VXE_NETWORK_WIDTH,
                             into->hidden, &into->hidden_count, error);
    return status || !groups
               ? status
               : read_list(groups, "groups", 3, 3, MAX_GROUPS, into->groups, &count, error);
}

/* A JSON list of whole numbers. */
static json_t *list_of(const uint32_t *numbers, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(list, json_integer((json_int_t)numbers[i]));
    }
    return list;
}

json_t *vxe_network_object(const vxe_network_settings *from)
{
    json_t *object = vxe_fields_write(fields, FIELDS, from);
    json_t *sensors = json_array();
    for (uint32_t i = 0; i < from->sensor_count; i++) {
        json_array_append_new(sensors, json_string(vxe_sensor_name(from->sensors[i])));
    }
    json_object_set_new(object, "sensors", sensors);
    json_object_set_new(object, "hidden", list_of(from->hidden, from->hidden_count));
    json_object_set_new(object, "groups", list_of(from->groups, 3));
    return object;
}

/* Refuses sensors of voxels and of parts where bodies are searched: their number would change. */
static vxe_status check_sensors(const vxe_experiment *e, vxe_error *error)
{
    const bool given = e->encoding.name == VXE_ENCODING_CONTROLLER;
    for (uint32_t i = 0; i < e->network.sensor_count && !given; i++) {
        const vxe_sensor_kind sensor = e->network.sensors[i];
        if (vxe_sensor_width(sensor, 1, 1, 1) == vxe_sensor_width(sensor, 1, 2, 2)) {
            continue;
        }
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "network: \"%s\" has numbers for each voxel or part, of which bodies "
                              "that are searched have any number",
                              vxe_sensor_name(sensor));
    }
    return VXE_OK;
}

/* Refuses a given body of which no voxel moves, and a world that has a controller already. */
static vxe_status check_body(const vxe_experiment *e, vxe_error *error)
{
    bool moves = e->encoding.name != VXE_ENCODING_CONTROLLER || e->network.by_layer;
    for (uint32_t v = 0; v < e->world->voxel_count; v++) {
        moves = moves || e->world->materials[e->world->voxels[v].material].thermal_expansion != 0;
    }
    if (e->world->controller.interval > 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "world: a \"controller\" is not allowed there: the weights of "
                              "\"network\" are searched");
    }
    return moves ? VXE_OK
                 : vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "network: nothing of the body moves: no voxel is of a material "
                                  "with \"thermal_expansion_per_K\", and there is no layer "
                                  "\"Group\"");
}

/* Groups that move, and all of them: what does not move has the last one. */
static void count_groups(vxe_experiment *e)
{
    const vxe_layer *layer = vxe_design_find_layer(e->world, "Group");
    const bool given = e->encoding.name == VXE_ENCODING_CONTROLLER && layer;
    uint32_t count = given ? 0 : e->network.groups[0] * e->network.groups[1] * e->network.groups[2];
    for (uint32_t v = 0; v < e->world->voxel_count && given; v++) {
        const uint32_t group = (uint32_t)layer->values[v] + 1;
        count = group > count ? group : count;
    }
    e->network.by_layer = given;
    e->network.moved = count;
}

vxe_status vxe_network_prepare(vxe_experiment *e, vxe_error *error)
{
    vxe_network_settings *settings = &e->network;
    uint64_t inputs = 0;
    if (settings->sensor_count == 0) {
        return VXE_OK;
    }
    if (check_sensors(e, error)) {
        return error->status;
    }
    if (e->ground->affine_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "network: a world with affine bodies can have no controller");
    }
    if (e->encoding.name == VXE_ENCODING_CONTROLLER) {
        vxe_topology scan;
        if (vxe_topology_init(&scan, e->ground, error)) {
            return error->status;
        }
        settings->parts = scan.body_count;
        vxe_topology_clear(&scan);
    }
    count_groups(e);
    if (check_body(e, error)) {
        return error->status;
    }
    for (uint32_t i = 0; i < settings->sensor_count; i++) {
        inputs += vxe_sensor_width(settings->sensors[i], settings->moved, settings->parts,
                                   e->ground->voxel_count);
    }
    vxe_network *shape = &settings->shape;
    shape->layers = settings->hidden_count + 2;
    shape->activation = (vxe_activation)settings->activation;
    memcpy(shape->width + 1, settings->hidden, settings->hidden_count * sizeof *settings->hidden);
    shape->width[0] = inputs < UINT32_MAX ? (uint32_t)inputs : UINT32_MAX;
    shape->width[shape->layers - 1] = settings->moved;
    if (vxe_network_check(shape, error)) {
        error->status = VXE_ERROR_INPUT;
        return VXE_ERROR_INPUT;
    }
    return e->algorithm.name == VXE_ALGORITHM_CMA_ES && vxe_network_weights(shape) > VXE_CMA_MAX
               ? vxe_error_fill(error, VXE_ERROR_INPUT,
                                "algorithm: \"cma-es\" is for at most %u numbers, and the network "
                                "has %u weights; \"es\" has no limit",
                                VXE_CMA_MAX, (unsigned)vxe_network_weights(shape))
               : VXE_OK;
}
