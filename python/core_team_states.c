/* SPDX-License-Identifier: MIT */
/* Resets of a team, its states as bytes, and what is known of one of its robots. */
#include "core_team.h"

#include <string.h>

/* Reads how robots start: arrays (robots, 3), each may be None. Null with an exception. */
static vxe_team_start *read_starts(const core_team *self, PyObject *const given[3])
{
    static const char *const names[3] = {"shift", "turn", "push"};
    static const size_t places[3] = {offsetof(vxe_team_start, shift),
                                     offsetof(vxe_team_start, turn),
                                     offsetof(vxe_team_start, push)};
    const core_shape shape = {2, {(Py_ssize_t)self->facts.robots, 3}};
    vxe_team_start *starts = PyMem_Calloc(self->facts.robots, sizeof *starts);
    if (!starts) {
        PyErr_NoMemory();
    }
    for (int i = 0; i < 3 && starts; i++) {
        Py_buffer view;
        if (given[i] == Py_None) {
            continue;
        }
        if (core_in(given[i], names[i], CORE_FLOAT64, &shape, &view)) {
            PyMem_Free(starts);
            return NULL;
        }
        for (uint32_t robot = 0; robot < self->facts.robots; robot++) {
            memcpy((char *)&starts[robot] + places[i], (const double *)view.buf + 3 * (size_t)robot,
                   3 * sizeof(double));
        }
        PyBuffer_Release(&view);
    }
    return starts;
}

static int reset_now(core_team *self, const uint8_t *which, const vxe_team_start *starts)
{
    vxe_error error = {.status = VXE_OK};
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_team_reset(self->team, which, starts, NULL, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    core_team_report(self);
    if (status) {
        (void)core_raise(self->state, &error);
    }
    return status ? -1 : 0;
}

static PyObject *reset(PyObject *object, PyObject *arguments)
{
    core_team *self = (core_team *)object;
    PyObject *mask = NULL;
    PyObject *given[3] = {NULL};
    Py_buffer which = {.obj = NULL};
    if (!PyArg_ParseTuple(arguments, "OOOO:reset_robots", &mask, &given[0], &given[1], &given[2]) ||
        !core_team_is_free(self)) {
        return NULL;
    }
    const core_shape shape = {1, {(Py_ssize_t)self->facts.robots}};
    if (mask != Py_None && core_in(mask, "mask", CORE_TRUTH, &shape, &which)) {
        return NULL;
    }
    const bool moved = given[0] != Py_None || given[1] != Py_None || given[2] != Py_None;
    vxe_team_start *starts = moved ? read_starts(self, given) : NULL;
    int failed = (moved && !starts) || !core_team_is_free(self) ? -1 : 0;
    failed = failed ? failed : reset_now(self, which.buf, starts);
    PyMem_Free(starts);
    if (mask != Py_None) {
        PyBuffer_Release(&which);
    }
    return failed ? NULL : Py_NewRef(self->obs);
}

static PyObject *save(PyObject *object, PyObject *unused)
{
    core_team *self = (core_team *)object;
    (void)unused;
    if (!core_team_is_free(self)) {
        return NULL;
    }
    const uint64_t size = vxe_team_saved_bytes(self->team);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes) {
        vxe_team_save(self->team, PyBytes_AsString(bytes));
    }
    return bytes;
}

static PyObject *load(PyObject *object, PyObject *argument)
{
    core_team *self = (core_team *)object;
    Py_buffer view;
    vxe_error error = {.status = VXE_OK};
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE)) {
        return NULL;
    }
    if (!core_team_is_free(self)) { /* asked last: the argument may be an object of any kind */
        PyBuffer_Release(&view);
        return NULL;
    }
    const vxe_status status = vxe_team_load(self->team, view.buf, (uint64_t)view.len, &error);
    PyBuffer_Release(&view);
    if (status) {
        return core_raise(self->state, &error);
    }
    core_team_report(self);
    return Py_NewRef(self->obs);
}

/* The index of a robot of an open team; false with an exception. */
static bool robot_of(const core_team *self, PyObject *argument, uint32_t *robot)
{
    PyObject *whole = PyNumber_Index(argument);
    const unsigned long index = whole ? PyLong_AsUnsignedLong(whole) : 0;
    Py_XDECREF(whole);
    if (!whole || (!PyErr_Occurred() && !core_team_is_free(self))) {
        return false;
    }
    if (PyErr_Occurred() || index >= self->facts.robots) {
        PyErr_Clear();
        PyErr_Format(PyExc_IndexError, "there is no robot %R: the team has %lu", argument,
                     (unsigned long)self->facts.robots);
        return false;
    }
    *robot = (uint32_t)index;
    return true;
}

static PyObject *hash_of(PyObject *object, PyObject *argument)
{
    core_team *self = (core_team *)object;
    uint32_t robot = 0;
    return robot_of(self, argument, &robot)
               ? PyLong_FromUnsignedLongLong(vxe_team_hash(self->team, robot))
               : NULL;
}

static PyObject *message_of(PyObject *object, PyObject *argument)
{
    core_team *self = (core_team *)object;
    uint32_t robot = 0;
    return robot_of(self, argument, &robot) ? core_text(vxe_team_message(self->team, robot)) : NULL;
}

static PyObject *describe_robot(PyObject *object, PyObject *argument)
{
    core_team *self = (core_team *)object;
    uint32_t robot = 0;
    if (!robot_of(self, argument, &robot)) {
        return NULL;
    }
    const vxe_team_robot facts = vxe_team_describe_robot(self->team, robot);
    return core_named_tuple(self->state, CORE_TEAM_ROBOT, &facts);
}

static PyObject *design_of(PyObject *object, PyObject *argument)
{
    core_team *self = (core_team *)object;
    uint32_t robot = 0;
    return robot_of(self, argument, &robot) ? Py_NewRef((PyObject *)self->designs[robot]) : NULL;
}

static PyObject *frame_of(PyObject *object, PyObject *argument)
{
    core_team *self = (core_team *)object;
    uint32_t robot = 0;
    return robot_of(self, argument, &robot)
               ? core_frame_of(self->state, vxe_team_world(self->team, robot))
               : NULL;
}

static PyObject *hull_volumes(PyObject *object, PyObject *out)
{
    core_team *self = (core_team *)object;
    Py_buffer view;
    const core_shape shape = {1, {(Py_ssize_t)self->facts.robots}};
    PyObject *array = core_out(self->state, out, "out", CORE_FLOAT64, &shape, &view);
    if (!array) {
        return NULL;
    }
    if (!core_team_is_free(self)) {
        PyBuffer_Release(&view);
        Py_DECREF(array);
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    for (uint32_t robot = 0; robot < self->facts.robots; robot++) {
        ((double *)view.buf)[robot] =
            vxe_world_hull_volume(vxe_team_world(self->team, robot), NULL);
    }
    PyEval_RestoreThread(thread);
    self->busy = false;
    PyBuffer_Release(&view);
    return array;
}

static PyObject *sensor_widths(PyObject *object, PyObject *unused)
{
    core_team *self = (core_team *)object;
    (void)unused;
    PyObject *widths = core_team_is_free(self) ? PyDict_New() : NULL;
    for (int i = 0; widths && i < VXE_SENSOR_KINDS; i++) {
        const vxe_sensor_kind sensor = (vxe_sensor_kind)i;
        PyObject *width = PyLong_FromUnsignedLong(vxe_team_sensor_width(self->team, sensor));
        if (!width || PyDict_SetItemString(widths, vxe_sensor_name(sensor), width)) {
            Py_CLEAR(widths);
        }
        Py_XDECREF(width);
    }
    return widths;
}

PyMethodDef core_team_state_methods[] = {
    {"reset_robots", reset, METH_VARARGS,
     "reset_robots(mask, shift, turn, push) -> obs\n\nWhat reset does, with arrays as they are: "
     "mask (robots,) bool, shift (m), turn (rad), push (m/s) (robots, 3) float64; each may be "
     "None."},
    {"put_networks", core_team_put_networks, METH_VARARGS,
     "put_networks(layers, weights, activation)\n\nWhat networks does: layers a tuple, weights "
     "(robots, n) float32 or None."},
    {"save", save, METH_NOARGS,
     "save() -> bytes\n\nThe states of all robots, which load takes back."},
    {"load", load, METH_O,
     "load(states) -> obs\n\nTakes states that save gave, of this team or one of the same designs "
     "and choices. Bits go on as they would have; InvalidInput where they are none of such a "
     "team."},
    {"hash", hash_of, METH_O,
     "hash(robot) -> int\n\nHash of a robot's state: that of a World with the same step that had "
     "the same targets."},
    {"message", message_of, METH_O,
     "message(robot) -> str\n\nWhy a robot stands still; empty where it does not."},
    {"robot", describe_robot, METH_O,
     "robot(robot) -> TeamRobot\n\nWhat does not change about a robot, such as its time step (s)."},
    {"design", design_of, METH_O, "design(robot) -> Design\n\nThe design of a robot."},
    {"frame", frame_of, METH_O,
     "frame(robot) -> Frame\n\nThe present state of a robot, as a copy: positions (m), strains and "
     "more. A Recorder takes it."},
    {"hull_volumes", hull_volumes, METH_O,
     "hull_volumes(out) -> array\n\n(robots,) float64, m^3: volumes of the convex hulls of the "
     "corners of all voxels. out: an array to fill, or None."},
    {"sensor_widths", sensor_widths, METH_NOARGS,
     "sensor_widths() -> dict\n\n{name: numbers in a row} of all sensors, observed or not."},
    {NULL, NULL, 0, NULL}};
