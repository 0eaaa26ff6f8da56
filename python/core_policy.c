/* SPDX-License-Identifier: MIT */
/* Policies of gradients: two functions of Python, which are called with the interpreter lock, on
   the thread that called run. An exception of one gives the whole run up. */
#include "core.h"

#include <string.h>

void core_policy_clear(core_policy *policy)
{
    Py_CLEAR(policy->act);
    Py_CLEAR(policy->back);
}

int core_policy_visit(const core_policy *policy, visitproc visit, void *arg)
{
    Py_VISIT(policy->act);
    Py_VISIT(policy->back);
    return 0;
}

bool core_policy_take(core_policy *policy, PyObject *act, PyObject *back)
{
    const bool none = act == Py_None && back == Py_None;
    if (!none && !(PyCallable_Check(act) && PyCallable_Check(back))) {
        PyErr_Format(PyExc_TypeError,
                     "a policy is two functions, act and back, or None; not %R and %R", act, back);
        return false;
    }
    core_policy before = *policy; /* dropped last: that may run code */
    policy->act = none ? NULL : Py_NewRef(act);
    policy->back = none ? NULL : Py_NewRef(back);
    core_policy_clear(&before);
    return true;
}

/* Calls one of both with the robots, their ticks, what they sensed and, on the way back, what comes
   from their outputs; copies what it returns, `bytes` in all. 0, or -1 with an exception. */
static int call(const core_policy *policy, const vxe_gradient_ticks *ticks,
                const double *by_outputs, const char *name, core_element element,
                const core_shape *shape, void *into, size_t bytes)
{
    core_state *state = policy->state;
    const Py_ssize_t count = (Py_ssize_t)ticks->count;
    const core_shape row = {1, {count}};
    const core_shape inputs = {2, {count, (Py_ssize_t)ticks->inputs}};
    const core_shape outputs = {2, {count, (Py_ssize_t)ticks->outputs}};
    PyObject *robots = core_copied(state, CORE_UINT32, &row, ticks->robots);
    PyObject *numbers = robots ? core_copied(state, CORE_UINT32, &row, ticks->ticks) : NULL;
    PyObject *sensed = numbers ? core_copied(state, CORE_FLOAT32, &inputs, ticks->sensed) : NULL;
    PyObject *by =
        sensed && by_outputs ? core_copied(state, CORE_FLOAT64, &outputs, by_outputs) : NULL;
    PyObject *answer = NULL;
    if (sensed && (by || !by_outputs)) { /* null ends the arguments */
        answer = PyObject_CallFunctionObjArgs(by_outputs ? policy->back : policy->act, robots,
                                              numbers, sensed, by, NULL);
    }
    Py_buffer view;
    int failed = answer ? 0 : -1;
    if (answer && !(by_outputs && answer == Py_None)) {
        failed = core_in(answer, name, element, shape, &view);
        if (!failed) {
            memcpy(into, view.buf, bytes);
            PyBuffer_Release(&view);
        }
    }
    Py_XDECREF(answer);
    Py_XDECREF(by);
    Py_XDECREF(sensed);
    Py_XDECREF(numbers);
    Py_XDECREF(robots);
    return failed ? -1 : 0;
}

static bool act(void *user, const vxe_gradient_ticks *ticks, float *outputs)
{
    core_policy *policy = user;
    const core_shape shape = {2, {(Py_ssize_t)ticks->count, (Py_ssize_t)ticks->outputs}};
    if (!policy->watch->raised) {
        PyEval_RestoreThread(policy->watch->thread);
        policy->watch->raised = call(policy, ticks, NULL, "outputs", CORE_FLOAT32, &shape, outputs,
                                     (size_t)ticks->count * ticks->outputs * sizeof *outputs) != 0;
        policy->watch->thread = PyEval_SaveThread();
    }
    return !policy->watch->raised;
}

static bool back(void *user, const vxe_gradient_ticks *ticks, const double *by_outputs,
                 double *by_sensed)
{
    core_policy *policy = user;
    const core_shape shape = {2, {(Py_ssize_t)ticks->count, (Py_ssize_t)ticks->inputs}};
    if (!policy->watch->raised) {
        PyEval_RestoreThread(policy->watch->thread);
        policy->watch->raised =
            call(policy, ticks, by_outputs, "by_sensed", CORE_FLOAT64, &shape, by_sensed,
                 (size_t)ticks->count * ticks->inputs * sizeof *by_sensed) != 0;
        policy->watch->thread = PyEval_SaveThread();
    }
    return !policy->watch->raised;
}

void core_policy_put(core_policy *policy, core_state *state, core_watch *watch,
                     vxe_gradient *gradient)
{
    const vxe_gradient_policy functions = {act, back, policy};
    policy->state = state;
    policy->watch = watch;
    vxe_gradient_set_policy(gradient, policy->act ? &functions : NULL);
}
