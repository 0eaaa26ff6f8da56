/* SPDX-License-Identifier: MIT */
/* Statics of a world: equilibrium, reactions and vibrations. They let go of the interpreter lock
   and can not be interrupted. */
#include "core.h"

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
        core_take_number(time, &def.time) || core_take_number(tolerance, &def.tolerance) ||
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

PyObject *core_world_reactions(PyObject *object, PyObject *unused)
{
    static const char *const names[2] = {"forces", "moments"};
    core_world *self = (core_world *)object;
    vxe_error error = {.status = VXE_OK};
    core_pair both;
    (void)unused;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    const core_shape shapes[2] = {{2, {voxels, 3}}, {2, {voxels, 3}}};
    if (!core_pair_begin(&both, self->state, names, shapes)) {
        return NULL;
    }
    (void)vxe_world_reactions(self->world, both.views[0].buf, both.views[1].buf, &error);
    return core_pair_end(&both, &error);
}

PyObject *core_world_modes(PyObject *object, PyObject *arguments)
{
    static const char *const names[2] = {"frequencies", "shapes"};
    core_world *self = (core_world *)object;
    vxe_error error = {.status = VXE_OK};
    uint32_t count = 0;
    core_pair both;
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
    if (!core_pair_begin(&both, self->state, names, shapes)) {
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    (void)vxe_world_modes(self->world, count, both.views[0].buf, both.views[1].buf, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    return core_pair_end(&both, &error);
}
