/* SPDX-License-Identifier: MIT */
/* Networks in closed loop: controllers of designs, and networks of teams. */
#include <string.h>

#include "core_team.h"

/* Reads sensors by a tuple of names. Returns how many, or -1 with an exception. */
int core_sensors(PyObject *names, const char *owner, vxe_sensor_kind sensors[VXE_SENSOR_KINDS])
{
    const Py_ssize_t count = PyTuple_Size(names);
    if (count > VXE_SENSOR_KINDS) {
        PyErr_Format(PyExc_ValueError, "%s: at most %d sensors", owner, (int)VXE_SENSOR_KINDS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(names, i);
        const char *name = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        sensors[i] = name ? vxe_sensor_find(name) : VXE_SENSOR_KINDS;
        if (sensors[i] == VXE_SENSOR_KINDS) {
            PyErr_Format(PyExc_ValueError, "%s: there is no sensor %R", owner, item);
            return -1;
        }
    }
    return (int)count;
}

/* Reads the shape of a network from a tuple of widths and a word. Returns 0, or -1 with an
   exception. */
static int read_shape(core_state *state, PyObject *layers, const char *activation,
                      vxe_network *network)
{
    const Py_ssize_t count = PyTuple_Size(layers);
    vxe_error error = {.status = VXE_OK};
    const bool relu = strcmp(activation, "relu") == 0;
    if (!relu && strcmp(activation, "tanh") != 0) {
        PyErr_Format(PyExc_ValueError, "activation: expected \"tanh\" or \"relu\", not \"%s\"",
                     activation);
        return -1;
    }
    *network = (vxe_network){.layers = count > 1000 ? 1000u : (uint32_t)count,
                             .activation = relu ? VXE_ACTIVATION_RELU : VXE_ACTIVATION_TANH};
    for (Py_ssize_t i = 0; i < count && i < (Py_ssize_t)VXE_NETWORK_LAYERS; i++) {
        if (!core_index(PyTuple_GetItem(layers, i), &network->width[i])) {
            return -1;
        }
    }
    if (vxe_network_check(network, &error)) {
        (void)core_raise(state, &error);
        return -1;
    }
    return 0;
}

PyObject *core_design_put_controller(PyObject *object, PyObject *arguments)
{
    core_design *self = (core_design *)object;
    vxe_controller c = {.interval = 0};
    vxe_error error = {.status = VXE_OK};
    PyObject *names = NULL;
    PyObject *layers = NULL;
    PyObject *weights = NULL;
    const char *activation = NULL;
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "O!O!Oddds:put_controller", &PyTuple_Type, &names,
                          &PyTuple_Type, &layers, &weights, &c.interval, &c.min_target,
                          &c.max_target, &activation)) {
        return NULL;
    }
    const int count = core_sensors(names, "sensors", c.sensors);
    if (count < 0 || read_shape(self->state, layers, activation, &c.network)) {
        return NULL;
    }
    c.sensor_count = (uint32_t)count;
    const core_shape shape = {1, {(Py_ssize_t)vxe_network_weights(&c.network)}};
    if (core_in(weights, "weights", CORE_FLOAT32, &shape, &view)) {
        return NULL;
    }
    c.weights = view.buf;
    const vxe_status status = core_may_change(self)
                                  ? vxe_design_set_controller(self->design, &c, &error)
                                  : VXE_ERROR_ARGUMENT;
    PyBuffer_Release(&view);
    if (status && error.status) {
        return core_raise(self->state, &error);
    }
    return status ? NULL : Py_NewRef(Py_None);
}

PyObject *core_design_drop_controller(PyObject *object, PyObject *unused)
{
    core_design *self = (core_design *)object;
    (void)unused;
    if (!core_may_change(self)) {
        return NULL;
    }
    (void)vxe_design_set_controller(self->design, NULL, NULL);
    Py_RETURN_NONE;
}

/* A tuple of whole numbers. */
static PyObject *widths_of(const vxe_network *network)
{
    PyObject *widths = PyTuple_New((Py_ssize_t)network->layers);
    for (uint32_t i = 0; widths && i < network->layers; i++) {
        PyObject *width = PyLong_FromUnsignedLong(network->width[i]);
        if (!width || PyTuple_SetItem(widths, (Py_ssize_t)i, width)) {
            Py_CLEAR(widths);
        }
    }
    return widths;
}

PyObject *core_design_controller(PyObject *object, PyObject *unused)
{
    const core_design *self = (const core_design *)object;
    const vxe_controller *c = &self->design->controller;
    (void)unused;
    if (!(c->interval > 0)) {
        Py_RETURN_NONE;
    }
    PyObject *names = PyTuple_New((Py_ssize_t)c->sensor_count);
    for (uint32_t i = 0; names && i < c->sensor_count; i++) {
        PyObject *name = core_text(vxe_sensor_name(c->sensors[i]));
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name)) {
            Py_CLEAR(names);
        }
    }
    PyObject *widths = names ? widths_of(&c->network) : NULL;
    const core_shape shape = {1, {(Py_ssize_t)vxe_network_weights(&c->network)}};
    PyObject *weights = widths ? core_copied(self->state, CORE_FLOAT32, &shape, c->weights) : NULL;
    PyObject *parts =
        weights ? Py_BuildValue("(OOOddds)", names, widths, weights, c->interval, c->min_target,
                                c->max_target,
                                c->network.activation == VXE_ACTIVATION_RELU ? "relu" : "tanh")
                : NULL;
    Py_XDECREF(names);
    Py_XDECREF(widths);
    Py_XDECREF(weights);
    return parts;
}

PyObject *core_team_put_networks(PyObject *object, PyObject *arguments)
{
    core_team *self = (core_team *)object;
    vxe_error error = {.status = VXE_OK};
    vxe_network network;
    PyObject *layers = NULL;
    PyObject *weights = NULL;
    const char *activation = NULL;
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "O!Os:put_networks", &PyTuple_Type, &layers, &weights,
                          &activation)) {
        return NULL;
    }
    if (!core_team_is_free(self)) {
        return NULL;
    }
    if (weights == Py_None) {
        (void)vxe_team_set_network(self->team, NULL, NULL, &error);
        self->decides = false;
        Py_RETURN_NONE;
    }
    if (read_shape(self->state, layers, activation, &network)) {
        return NULL;
    }
    const core_shape shape = {
        2, {(Py_ssize_t)self->facts.robots, (Py_ssize_t)vxe_network_weights(&network)}};
    if (core_in(weights, "weights", CORE_FLOAT32, &shape, &view)) {
        return NULL;
    }
    if (!core_team_is_free(self)) { /* asked last: weights may be an object of any kind */
        PyBuffer_Release(&view);
        return NULL;
    }
    const vxe_status status = vxe_team_set_network(self->team, &network, view.buf, &error);
    self->decides = !status || self->decides;
    PyBuffer_Release(&view);
    return status ? core_raise(self->state, &error) : Py_NewRef(Py_None);
}
