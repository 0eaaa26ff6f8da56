/* SPDX-License-Identifier: MIT */
/* Gradients as objects. A gradient has copies of its designs. While it runs, the interpreter lock
   is let go of; the objective is called with it, on the thread that called run, and so are signals
   looked at, some twenty times a second. An exception of the objective gives the whole run up. */
#include "core.h"

#include <math.h>
#include <string.h>

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

/* What a gradient is by, as Python names it; numbers of a voxel follow from the width. */
static const char *const by_names[] = {[VXE_BY_AMPLITUDE] = "amplitude",
                                       [VXE_BY_PHASE] = "phase",
                                       [VXE_BY_LOAD] = "load",
                                       [VXE_BY_START] = "start",
                                       [VXE_BY_STIFFNESS] = "stiffness",
                                       [VXE_BY_DENSITY] = "density",
                                       [VXE_BY_FRICTION] = "friction",
                                       [VXE_BY_BOND_DAMPING] = "bond_damping",
                                       [VXE_BY_FLOOR_DAMPING] = "floor_damping",
                                       [VXE_BY_FREQUENCY] = "frequency",
                                       [VXE_BY_WEIGHTS] = "weights"};
_Static_assert(sizeof by_names / sizeof by_names[0] == VXE_GRADIENT_BYS, "a name for each");

typedef struct core_gradient {
    PyObject_HEAD core_state *state;
    vxe_gradient *gradient; /* null once closed */
    uint32_t count;         /* of robots */
    core_policy policy;
    bool busy;
} core_gradient;

/* A run, for its callbacks. */
typedef struct run_call {
    core_watch watch;
    core_state *state;
    PyObject *objective;
} run_call;

static bool is_free(const core_gradient *self)
{
    if (!self->gradient) {
        PyErr_SetString(PyExc_ValueError, "the gradient is closed");
    } else if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the gradient is in use by another thread: one thread at a time");
    }
    return self->gradient && !self->busy;
}

/* What a gradient is by, from its name; false with an exception. */
static bool by_of(const char *name, vxe_gradient_by *by)
{
    char names[160] = "";
    for (int i = 0; i < VXE_GRADIENT_BYS; i++) {
        if (strcmp(name, by_names[i]) == 0) {
            *by = (vxe_gradient_by)i;
            return true;
        }
        PyOS_snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                      by_names[i]);
    }
    PyErr_Format(PyExc_ValueError, "there is no gradient by '%s'; there are %s", name, names);
    return false;
}

/* Adds what one name stands for to a mask; false with an exception. */
static bool add_name(PyObject *name, uint32_t *mask)
{
    vxe_gradient_by by = VXE_BY_AMPLITUDE;
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "by: expected names, not %R", name);
        return false;
    }
    const char *text = NULL;
    if (!PyArg_Parse(name, "s", &text) || !by_of(text, &by)) {
        return false;
    }
    *mask |= 1u << by;
    return true;
}

/* The mask of names, a sequence of them or one; false with an exception. */
static bool mask_of(PyObject *names, uint32_t *mask)
{
    *mask = 0;
    if (PyUnicode_Check(names)) {
        return add_name(names, mask);
    }
    const Py_ssize_t size = PySequence_Check(names) ? PySequence_Size(names) : -1;
    if (size < 1) {
        PyErr_Clear();
        PyErr_Format(size ? PyExc_TypeError : PyExc_ValueError,
                     "by: expected a name or a sequence of names, not %R", names);
        return false;
    }
    bool good = true;
    for (Py_ssize_t i = 0; i < size && good; i++) {
        PyObject *name = PySequence_GetItem(names, i);
        good = name && add_name(name, mask);
        Py_XDECREF(name);
    }
    return good;
}

/* Reads all choices of a gradient; `by` comes as names. False with an exception. */
static bool take_choices(PyObject *keywords, vxe_gradient_def *def)
{
    void *const structures[2] = {def, &def->world};
    const core_section *const sections[2] = {&core_sections[CORE_GRADIENT_DEF],
                                             &core_sections[CORE_WORLD_DEF]};
    PyObject *others = keywords ? PyDict_Copy(keywords) : PyDict_New();
    PyObject *names = others ? PyDict_GetItemString(others, "by") : NULL; /* which others hold */
    const bool good =
        others && (!names || (mask_of(names, &def->by) && !PyDict_DelItemString(others, "by"))) &&
        !core_take_keywords(others, "Gradient", structures, sections);
    Py_XDECREF(others);
    return good;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    core_state *state = core_state_of(type);
    vxe_gradient_def def = vxe_gradient_def_default();
    if (PyTuple_Size(arguments) > 0) {
        PyErr_SetString(PyExc_TypeError, "Gradient takes keyword arguments only");
        return NULL;
    }
    if (!take_choices(keywords, &def) || core_tell_orphan(state, def.world.threads)) {
        return NULL;
    }
    if (def.world.threads == 0) { /* OpenMP may have counted when it was loaded */
        def.world.threads = core_processors();
    }
    core_gradient *self = (core_gradient *)core_allocate(type);
    if (!self) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    self->state = state;
    self->gradient = vxe_gradient_create(&def, &error);
    if (!self->gradient) {
        Py_DECREF(self);
        return core_raise(state, &error);
    }
    return (PyObject *)self;
}

static int clear(PyObject *object)
{
    core_gradient *self = (core_gradient *)object;
    vxe_gradient_destroy(self->gradient);
    self->gradient = NULL;
    core_policy_clear(&self->policy);
    return 0;
}

static int visit_all(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    return core_policy_visit(&((core_gradient *)object)->policy, visit, arg);
}

static void drop(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    core_free(self);
}

static PyObject *close_gradient(PyObject *object, PyObject *unused)
{
    core_gradient *self = (core_gradient *)object;
    (void)unused;
    if (self->gradient && !is_free(self)) {
        return NULL;
    }
    (void)clear(object);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return is_free((core_gradient *)self) ? Py_NewRef(self) : NULL;
}

static PyObject *add(PyObject *object, PyObject *argument)
{
    core_gradient *self = (core_gradient *)object;
    if (!PyObject_TypeCheck(argument, self->state->design)) {
        return PyErr_Format(PyExc_TypeError, "expected a Design, not %R", argument);
    }
    if (!is_free(self)) {
        return NULL;
    }
    core_design *design = (core_design *)argument;
    vxe_error error = {.status = VXE_OK};
    uint32_t robot = 0;
    self->busy = true;
    design->readers++;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_gradient_add(self->gradient, design->design, &robot, &error);
    PyEval_RestoreThread(thread);
    design->readers--;
    self->busy = false;
    if (status) {
        return core_raise(self->state, &error);
    }
    self->count++;
    return PyLong_FromUnsignedLong(robot);
}

/* The index of a robot of an open gradient; false with an exception. */
static bool robot_of(const core_gradient *self, PyObject *argument, uint32_t *robot)
{
    PyObject *whole = PyNumber_Index(argument);
    const unsigned long index = whole ? PyLong_AsUnsignedLong(whole) : 0;
    Py_XDECREF(whole);
    if (!whole || !is_free(self)) {
        return false;
    }
    if (PyErr_Occurred() || index >= self->count) {
        PyErr_Clear();
        PyErr_Format(PyExc_IndexError, "there is no robot %R: the gradient has %lu", argument,
                     (unsigned long)self->count);
        return false;
    }
    *robot = (uint32_t)index;
    return true;
}

/* The shape of a gradient: (voxels,), (voxels, numbers) or (weights,). */
static core_shape shape_of(const core_gradient *self, uint32_t robot, vxe_gradient_by by)
{
    const Py_ssize_t voxels =
        (Py_ssize_t)vxe_gradient_width(self->gradient, robot, VXE_BY_AMPLITUDE);
    const Py_ssize_t width = (Py_ssize_t)vxe_gradient_width(self->gradient, robot, by);
    return width == voxels || by == VXE_BY_WEIGHTS ? (core_shape){1, {width}}
                                                   : (core_shape){2, {voxels, width / voxels}};
}

static PyObject *put(PyObject *object, PyObject *arguments)
{
    core_gradient *self = (core_gradient *)object;
    PyObject *index = NULL;
    PyObject *values = NULL;
    const char *name = NULL;
    uint32_t robot = 0;
    vxe_gradient_by by = VXE_BY_AMPLITUDE;
    Py_buffer view;
    vxe_error error = {.status = VXE_OK};
    if (!PyArg_ParseTuple(arguments, "OsO:put_numbers", &index, &name, &values) ||
        !by_of(name, &by) || !robot_of(self, index, &robot)) {
        return NULL;
    }
    const core_shape shape = shape_of(self, robot, by);
    if (core_in(values, name, CORE_FLOAT64, &shape, &view)) {
        return NULL;
    }
    const vxe_status status =
        is_free(self) ? vxe_gradient_put(self->gradient, robot, by, view.buf, &error) : VXE_OK;
    PyBuffer_Release(&view);
    if (status) {
        return core_raise(self->state, &error);
    }
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* A column of samples as a new array: (count,) or (count, width). */
static PyObject *column(core_state *state, const vxe_gradient_sample *samples, uint32_t count,
                        size_t offset, Py_ssize_t width)
{
    Py_buffer view;
    const core_shape shape = {width > 1 ? 2 : 1, {(Py_ssize_t)count, width}};
    PyObject *array = core_out(state, NULL, "samples", CORE_FLOAT64, &shape, &view);
    if (!array) {
        return NULL;
    }
    const size_t bytes = (size_t)width * sizeof(double);
    for (uint32_t i = 0; i < count; i++) {
        memcpy((char *)view.buf + i * bytes, (const char *)&samples[i] + offset, bytes);
    }
    PyBuffer_Release(&view);
    return array;
}

/* Reads weights of the objective, an array (count, 3) or None, into a column. */
static int take_weights(PyObject *given, const char *name, vxe_gradient_sample *weights,
                        uint32_t count, size_t offset)
{
    Py_buffer view;
    const core_shape shape = {2, {(Py_ssize_t)count, 3}};
    if (given == Py_None) {
        return 0;
    }
    if (core_in(given, name, CORE_FLOAT64, &shape, &view)) {
        return -1;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy((char *)&weights[i] + offset, (const double *)view.buf + 3 * (size_t)i,
               3 * sizeof(double));
    }
    PyBuffer_Release(&view);
    return 0;
}

/* Calls the objective. Returns 0, or -1 with an exception. */
static int call_objective(run_call *run, uint32_t robot, const vxe_gradient_sample *samples,
                          uint32_t count, vxe_gradient_sample *weights, double *value)
{
    core_state *state = run->state;
    PyObject *number = PyLong_FromUnsignedLong(robot);
    PyObject *time = column(state, samples, count, offsetof(vxe_gradient_sample, time), 1);
    PyObject *center = column(state, samples, count, offsetof(vxe_gradient_sample, center), 3);
    PyObject *velocity = column(state, samples, count, offsetof(vxe_gradient_sample, velocity), 3);
    PyObject *answer =
        number && time && center && velocity
            ? PyObject_CallFunctionObjArgs(run->objective, number, time, center, velocity, NULL)
            : NULL;
    PyObject *by_center = NULL;
    PyObject *by_velocity = NULL;
    int failed = -1;
    if (answer && PyTuple_Check(answer)) {
        failed = !PyArg_ParseTuple(answer, "dOO;expected a number and two arrays or None", value,
                                   &by_center, &by_velocity) ||
                 take_weights(by_center, "by_center", weights, count,
                              offsetof(vxe_gradient_sample, center)) ||
                 take_weights(by_velocity, "by_velocity", weights, count,
                              offsetof(vxe_gradient_sample, velocity));
    } else if (answer) {
        PyErr_Format(PyExc_TypeError, "the objective must return a tuple, not %R", answer);
    }
    Py_XDECREF(answer);
    Py_XDECREF(velocity);
    Py_XDECREF(center);
    Py_XDECREF(time);
    Py_XDECREF(number);
    return failed ? -1 : 0;
}

static double ask(void *user, uint32_t robot, const vxe_gradient_sample *samples, uint32_t count,
                  vxe_gradient_sample *weights)
{
    run_call *run = user;
    double value = (double)NAN;
    if (!run->watch.raised) {
        PyEval_RestoreThread(run->watch.thread);
        run->watch.raised = call_objective(run, robot, samples, count, weights, &value) != 0;
        run->watch.thread = PyEval_SaveThread();
    }
    return value;
}

static bool look(void *user)
{
    run_call *run = user;
    return !run->watch.raised && core_watch_look(&run->watch, NULL); /* nobody is told */
}

/* (robots,) what the objective said; NaN of robots that have no gradient. */
static PyObject *values_of(const core_gradient *self)
{
    Py_buffer view;
    const core_shape shape = {1, {(Py_ssize_t)self->count}};
    PyObject *array = core_out(self->state, NULL, "values", CORE_FLOAT64, &shape, &view);
    if (!array) {
        return NULL;
    }
    double *values = view.buf;
    for (uint32_t robot = 0; robot < self->count; robot++) {
        values[robot] = (double)NAN;
        (void)vxe_gradient_value(self->gradient, robot, &values[robot], NULL);
    }
    PyBuffer_Release(&view);
    return array;
}

static PyObject *run(PyObject *object, PyObject *objective)
{
    core_gradient *self = (core_gradient *)object;
    if (!PyCallable_Check(objective)) {
        return PyErr_Format(PyExc_TypeError, "the objective must be a function, not %R", objective);
    }
    if (!is_free(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    run_call call = {.state = self->state, .objective = objective};
    self->busy = true;
    core_policy_put(&self->policy, self->state, &call.watch, self->gradient);
    core_watch_begin(&call.watch, self->state, CORE_SECTIONS, NULL);
    const vxe_status status = vxe_gradient_run_watched(self->gradient, ask, look, &call, &error);
    core_watch_end(&call.watch);
    self->busy = false;
    if (call.watch.raised) {
        return NULL;
    }
    return status ? core_raise(self->state, &error) : values_of(self);
}

static PyObject *put_policy(PyObject *object, PyObject *arguments)
{
    core_gradient *self = (core_gradient *)object;
    PyObject *act = NULL;
    PyObject *back = NULL;
    if (!PyArg_ParseTuple(arguments, "OO:put_policy", &act, &back) || !is_free(self) ||
        !core_policy_take(&self->policy, act, back)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *value(PyObject *object, PyObject *argument)
{
    core_gradient *self = (core_gradient *)object;
    vxe_error error = {.status = VXE_OK};
    uint32_t robot = 0;
    double number = 0;
    if (!robot_of(self, argument, &robot)) {
        return NULL;
    }
    return vxe_gradient_value(self->gradient, robot, &number, &error)
               ? core_raise(self->state, &error)
               : PyFloat_FromDouble(number);
}

static PyObject *gradient_by(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"robot", "by", "out", NULL};
    core_gradient *self = (core_gradient *)object;
    PyObject *index = NULL;
    PyObject *out = NULL;
    const char *name = NULL;
    uint32_t robot = 0;
    vxe_gradient_by by = VXE_BY_AMPLITUDE;
    Py_buffer view;
    vxe_error error = {.status = VXE_OK};
    if (!core_parse(arguments, keywords, "Os|$O:by", names, &index, &name, &out) ||
        !by_of(name, &by) || !robot_of(self, index, &robot)) {
        return NULL;
    }
    const core_shape shape = shape_of(self, robot, by);
    PyObject *array = core_out(self->state, out, "out", CORE_FLOAT64, &shape, &view);
    if (!array) {
        return NULL;
    }
    const bool free = is_free(self); /* asked again: out may be an object of any kind */
    const vxe_status status =
        free ? vxe_gradient_of(self->gradient, robot, by, view.buf, &error) : VXE_OK;
    PyBuffer_Release(&view);
    if (status) {
        (void)core_raise(self->state, &error);
    }
    if (status || !free) {
        Py_CLEAR(array);
    }
    return array;
}

static PyObject *facts(PyObject *object, PyObject *argument)
{
    core_gradient *self = (core_gradient *)object;
    vxe_error error = {.status = VXE_OK};
    uint32_t robot = 0;
    double number = 0;
    if (!robot_of(self, argument, &robot)) {
        return NULL;
    }
    if (vxe_gradient_value(self->gradient, robot, &number, &error)) {
        return core_raise(self->state, &error);
    }
    const vxe_gradient_facts row = vxe_gradient_describe(self->gradient, robot);
    return core_named_tuple(self->state, CORE_GRADIENT_FACTS, &row);
}

static Py_ssize_t length(PyObject *object)
{
    const core_gradient *self = (const core_gradient *)object;
    return is_free(self) ? (Py_ssize_t)self->count : -1;
}

static PyObject *closed_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((core_gradient *)object)->gradient == NULL);
}

static PyGetSetDef attributes[] = {
    {"closed", closed_of, NULL, "whether the gradient was closed", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"add", add, METH_O,
     "add(design) -> int\n\nAdds a robot, a copy of the design; robots count from 0 in the order "
     "added. Unsupported where there is no gradient through what the design has."},
    {"put_numbers", put, METH_VARARGS,
     "put_numbers(robot, by, values)\n\nWhat put does, of an array of float64."},
    {"put_policy", put_policy, METH_VARARGS,
     "put_policy(act, back)\n\nWhat set_policy does; act returns an array of float32, back one of "
     "float64 or None."},
    {"run_objective", run, METH_O,
     "run_objective(objective) -> array\n\nWhat run does; the objective returns a tuple of a "
     "number "
     "and two arrays of float64 or None."},
    {"value", value, METH_O,
     "value(robot) -> float\n\nWhat the objective said of a robot in the last run. Diverged where "
     "the robot did, InvalidInput where it has not run or the objective said no finite numbers."},
    {"by", FUNCTION(gradient_by), KEYWORDS,
     "by(robot, by, *, out=None) -> array\n\nThe gradient of a robot of the last run, float64: "
     "what "
     "the value changes with each number. by: \"amplitude\" (voxels,); \"phase\" (voxels,), by "
     "cycles; \"load\" (voxels, 3), by N along the axes of the world; \"start\" (voxels, 12), by "
     "the "
     "start of each voxel: its place (m), a small turn about the world's axes (rad), its velocity "
     "(m/s) and spin (rad/s); \"stiffness\" (voxels,), by Pa; \"density\" (voxels,), by kg/m^3; "
     "\"friction\", the dynamic one, \"bond_damping\" and \"floor_damping\" (voxels,), by ratios; "
     "\"frequency\" (voxels,), in those of the actuation; \"weights\" (weights,) of the network of "
     "the controller, none without one. "
     "Voxels are in the order of the design. Fails as value does, and where Gradient(by=...) did "
     "not ask for it."},
    {"facts", facts, METH_O,
     "facts(robot) -> GradientFacts\n\nWhat the last run of a robot was like, and what its "
     "gradient "
     "is worth. Fails as value does."},
    {"close", close_gradient, METH_NOARGS, "close()\n\nReleases the memory of the gradient."},
    {"__enter__", enter, METH_NOARGS, "The gradient itself."},
    {"__exit__", close_gradient, METH_VARARGS, "Closes the gradient."},
    {NULL, NULL, 0, NULL}};

/* All names, in the order of the enumeration. */
static PyObject *all_names(void)
{
    PyObject *names = PyTuple_New(VXE_GRADIENT_BYS);
    for (int i = 0; names && i < VXE_GRADIENT_BYS; i++) {
        PyObject *name = core_text(by_names[i]);
        if (!name || PyTuple_SetItem(names, i, name)) {
            Py_CLEAR(names);
        }
    }
    return names;
}

int core_add_gradient(PyObject *module, core_state *state)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, CORE_DOC("Gradient(*, step_seconds, steps, by=..., sample_every=0, forget=0, "
                             "threads=0, **choices)\n\nHow a number that is told of a run changes "
                             "with the numbers of its design. voxelastic.Gradient is easier to "
                             "use.")},
        {Py_tp_new, (void *)make},
        {Py_tp_dealloc, (void *)drop},
        {Py_tp_traverse, (void *)visit_all},
        {Py_tp_clear, (void *)clear},
        {Py_sq_length, (void *)length},
        {Py_tp_getset, attributes},
        {Py_tp_methods, methods},
        {0, NULL}};
    state->gradient = core_add_type(module, "voxelastic._core.Gradient", sizeof(core_gradient),
                                    Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots, NULL);
    PyObject *names = state->gradient ? all_names() : NULL;
    const int failed =
        names ? PyObject_SetAttrString((PyObject *)state->gradient, "names", names) : -1;
    Py_XDECREF(names);
    return failed;
}
