/* SPDX-License-Identifier: MIT */
/* Reads and writes the controller of a scene. */
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

static vxe_status read_sensors(const vxe_scene_item *item, vxe_controller *c, vxe_error *error)
{
    const json_t *list = vxe_scene_get(item, "sensors");
    const size_t count = json_array_size(list);
    if (count < 1 || count > VXE_SENSOR_KINDS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"sensors\" must list 1 to %u names",
                              item->where, (unsigned)VXE_SENSOR_KINDS);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        const vxe_sensor_kind sensor = name ? vxe_sensor_find(name) : VXE_SENSOR_KINDS;
        if (sensor == VXE_SENSOR_KINDS) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s: \"sensors\" has \"%s\", which is none; such as \"velocity\" "
                                  "or \"group_place\"",
                                  item->where, name ? name : "(no text)");
        }
        c->sensors[c->sensor_count++] = sensor;
    }
    return VXE_OK;
}

static vxe_status read_layers(const vxe_scene_item *item, vxe_network *network, vxe_error *error)
{
    const json_t *list = vxe_scene_get(item, "layers");
    const size_t count = json_array_size(list);
    bool good = count >= 2 && count <= VXE_NETWORK_LAYERS;
    for (size_t i = 0; good && i < count; i++) {
        const json_t *width = json_array_get(list, i);
        const json_int_t value = json_integer_value(width);
        good = json_is_integer(width) && value >= 1 && value <= (json_int_t)VXE_NETWORK_WIDTH;
        network->width[i] = good ? (uint32_t)value : 0;
    }
    network->layers = (uint32_t)count;
    return good ? VXE_OK
                : vxe_error_fill(error, VXE_ERROR_INPUT,
                                 "%s: \"layers\" must be 2 to %u whole numbers from 1 to %u",
                                 item->where, VXE_NETWORK_LAYERS, VXE_NETWORK_WIDTH);
}

/* Reads as many weights as the network has, into a new block. */
static vxe_status read_weights(const vxe_scene_item *item, vxe_controller *c, vxe_error *error)
{
    const json_t *list = vxe_scene_get(item, "weights");
    const uint64_t count = vxe_network_weights(&c->network);
    if (json_array_size(list) != count) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: there are %zu \"weights\"; \"layers\" ask for %u", item->where,
                              json_array_size(list), (unsigned)count);
    }
    c->weights = vxe_memory_take(count, sizeof *c->weights);
    if (!c->weights) {
        return vxe_error_memory(error, count * sizeof *c->weights);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *weight = json_array_get(list, i);
        if (!json_is_number(weight)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: weight %zu is no number",
                                  item->where, i);
        }
        c->weights[i] = (float)json_number_value(weight);
    }
    return VXE_OK;
}

vxe_status vxe_scene_read_controller(vxe_design *design, json_t *object, vxe_error *error)
{
    vxe_controller c = {.interval = 1.0 / 60, .min_target = 0.6, .max_target = 1.6};
    uint32_t activation = 0;
    if (!object) {
        return VXE_OK;
    }
    const vxe_scene_item item =
        vxe_scene_item_of(design, VXE_SCENE_CONTROLLER, object, "controller");
    vxe_status status = vxe_scene_read(&item, &c, error);
    status = status ? status : vxe_scene_choose(&item, "activation", &activation, error);
    c.network.activation = (vxe_activation)activation;
    status = status ? status : read_sensors(&item, &c, error);
    status = status ? status : read_layers(&item, &c.network, error);
    status = status ? status : read_weights(&item, &c, error);
    status = status ? status : vxe_design_set_controller(design, &c, error);
    vxe_memory_release(c.weights);
    return status;
}

json_t *vxe_scene_controller(const vxe_controller *c)
{
    static const char *const activations[] = {"tanh", "relu"};
    const uint64_t count = vxe_network_weights(&c->network);
    json_t *object = json_object();
    json_t *sensors = json_array();
    json_t *layers = json_array();
    json_t *weights = json_array();
    for (uint32_t i = 0; i < c->sensor_count; i++) {
        json_array_append_new(sensors, json_string(vxe_sensor_name(c->sensors[i])));
    }
    for (uint32_t i = 0; i < c->network.layers; i++) {
        json_array_append_new(layers, json_integer((json_int_t)c->network.width[i]));
    }
    for (uint64_t i = 0; i < count; i++) {
        json_array_append_new(weights, json_real((double)c->weights[i]));
    }
    json_object_set_new(object, "interval_s", json_real(c->interval));
    json_object_set_new(object, "least_target", json_real(c->min_target));
    json_object_set_new(object, "most_target", json_real(c->max_target));
    json_object_set_new(object, "sensors", sensors);
    json_object_set_new(object, "layers", layers);
    json_object_set_new(object, "activation", json_string(activations[c->network.activation]));
    json_object_set_new(object, "weights", weights);
    return object;
}
