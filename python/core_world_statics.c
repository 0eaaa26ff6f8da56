/* SPDX-License-Identifier: MIT */
/* Statics of a world: equilibrium, reactions and vibrations. They let go of the interpreter lock
   and can not be interrupted. */
#include "core.h"

/* Reads a number, unless it was not given or is None. Returns 0, or -1 with an exception. */
static int take_double(PyObject *given, double *number)
{
    if (given && given != Py_None) {
        *number = PyFloat_AsDouble(given);
    }
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *core_world_settle(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"time", "tolerance", "linear", "steps", NULL};
    core_world *self = (core_world *)object;
    PyObject *time = NULL;
    PyObject *tolerance = NULL;
    int linear = 0;
    vxe_settle_def def = vxe_settle_def_default();
    vxe_settled settled;
    vxe_error error = {.status = VXE_OK};
    if (!core_parse(arguments, keywords, "|$OOpO&:settle", names, &time, &tolerance, &linear,
                    core_index, &def.steps) ||
        take_double(time, &def.time) || take_double(tolerance, &def.tolerance) ||
        !core_world_is_free(self)) {
        return NULL;
    }
    def.linear = linear;
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_world_settle(self->world, &def, &settled, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    return status ? core_raise(self->state, &error)
                  : core_named_tuple(self->state, CORE_SETTLED, &settled);
}

/* Two new arrays that are filled together, of numbers from a call that may fail. */
typedef struct pair {
    core_world *world;
    PyObject *arrays[2];
    Py_buffer views[2];
} pair;

static bool pair_begin(pair *p, core_world *world, const char *const names[2],
                       const core_shape shapes[2])
{
    *p = (pair){.world = world};
    for (int i = 0; i < 2; i++) {
        p->arrays[i] =
            core_out(world->state, NULL, names[i], CORE_FLOAT64, &shapes[i], &p->views[i]);
        if (!p->arrays[i]) {
            if (i > 0) {
                PyBuffer_Release(&p->views[0]);
                Py_CLEAR(p->arrays[0]);
            }
            return false;
        }
    }
    return true;
}

/* Returns the pair, or null with the exception of a failure. */
static PyObject *pair_end(pair *p, const vxe_error *error)
{
    PyObject *both = NULL;
    for (int i = 0; i < 2; i++) {
        PyBuffer_Release(&p->views[i]);
    }
    if (error->status) {
        (void)core_raise(p->world->state, error);
    } else {
        both = Py_BuildValue("(OO)", p->arrays[0], p->arrays[1]);
    }
    Py_DECREF(p->arrays[0]);
    Py_DECREF(p->arrays[1]);
    return both;
}

PyObject *core_world_reactions(PyObject *object, PyObject *unused)
{
    static const char *const names[2] = {"forces", "moments"};
    core_world *self = (core_world *)object;
    vxe_error error = {.status = VXE_OK};
    pair both;
    (void)unused;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    const core_shape shapes[2] = {{2, {voxels, 3}}, {2, {voxels, 3}}};
    if (!pair_begin(&both, self, names, shapes)) {
        return NULL;
    }
    (void)vxe_world_reactions(self->world, both.views[0].buf, both.views[1].buf, &error);
    return pair_end(&both, &error);
}

PyObject *core_world_modes(PyObject *object, PyObject *arguments)
{
    static const char *const names[2] = {"frequencies", "shapes"};
    core_world *self = (core_world *)object;
    vxe_error error = {.status = VXE_OK};
    uint32_t count = 0;
    pair both;
    if (!PyArg_ParseTuple(arguments, "O&:modes", core_index, &count) || !core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    if (count > 6u * (uint64_t)voxels) {
        return PyErr_Format(PyExc_ValueError,
                            "%u vibrations of a world that has %zd freedoms at most", count,
                            6 * voxels);
    }
    const core_shape shapes[2] = {{1, {count}}, {3, {count, voxels, 6}}};
    if (!pair_begin(&both, self, names, shapes)) {
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    (void)vxe_world_modes(self->world, count, both.views[0].buf, both.views[1].buf, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    return pair_end(&both, &error);
}
