/* SPDX-License-Identifier: MIT */
/* Teams as objects. A team keeps its designs, which can not be changed until it is closed. It fills
   the same two arrays for ever: obs, what was observed, and status. A tick takes targets from an
   array of the caller's as it is, so that nothing is made for it. */
#include "core_team.h"

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

bool core_team_is_free(const core_team *self)
{
    if (!self->team) {
        PyErr_SetString(PyExc_ValueError, "the team is closed");
    } else if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the team is in use by another thread: one thread at a time");
    }
    return self->team && !self->busy;
}

/* Lets go of the designs, which may be changed from now on. */
static void release_designs(core_team *self)
{
    for (size_t i = 0; i < self->held; i++) {
        self->designs[i]->readers--;
        Py_DECREF((PyObject *)self->designs[i]);
    }
    PyMem_Free(self->designs);
    self->designs = NULL;
    self->held = 0;
}

static void release_arrays(core_team *self)
{
    if (self->obs) {
        PyBuffer_Release(&self->obs_view);
    }
    if (self->status) {
        PyBuffer_Release(&self->status_view);
    }
    Py_CLEAR(self->obs);
    Py_CLEAR(self->status);
}

static int clear(PyObject *object)
{
    core_team *self = (core_team *)object;
    vxe_team_destroy(self->team);
    self->team = NULL;
    release_designs(self);
    release_arrays(self);
    return 0;
}

static int visit_all(PyObject *object, visitproc visit, void *arg)
{
    core_team *self = (core_team *)object;
    Py_VISIT(Py_TYPE(object));
    for (size_t i = 0; i < self->held; i++) {
        Py_VISIT((PyObject *)self->designs[i]);
    }
    Py_VISIT(self->obs);
    Py_VISIT(self->status);
    return 0;
}

static void drop(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    core_free(self);
}

/* Takes hold of the designs of a tuple. */
static int hold_designs(core_team *self, PyObject *designs)
{
    const Py_ssize_t count = PyTuple_Size(designs);
    self->designs = PyMem_Calloc((size_t)count + 1, sizeof *self->designs);
    if (!self->designs) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *design = PyTuple_GetItem(designs, i);
        if (!PyObject_TypeCheck(design, self->state->design)) {
            PyErr_Format(PyExc_TypeError, "robot %zd: expected a Design, not %R", i, design);
            return -1;
        }
        self->designs[self->held++] = (core_design *)Py_NewRef(design);
        ((core_design *)design)->readers++;
    }
    return 0;
}

/* Makes the team in C, with the lock let go of. */
static int create(core_team *self, const vxe_team_def *def)
{
    vxe_error error = {.status = VXE_OK};
    const vxe_design **designs = PyMem_Calloc(self->held + 1, sizeof *designs);
    if (!designs) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < self->held; i++) {
        designs[i] = self->designs[i]->design;
    }
    PyThreadState *thread = PyEval_SaveThread();
    self->team = vxe_team_create(designs, (uint32_t)self->held, def, &error);
    PyEval_RestoreThread(thread);
    PyMem_Free(designs);
    if (!self->team) {
        (void)core_raise(self->state, &error);
    }
    return self->team ? 0 : -1;
}

/* Chooses what is observed, by a tuple of names. */
static int observe(core_team *self, PyObject *names)
{
    vxe_sensor_kind sensors[VXE_SENSOR_KINDS];
    vxe_error error = {.status = VXE_OK};
    const int count = core_sensors(names, "observe", sensors);
    if (count < 0) {
        return -1;
    }
    if (vxe_team_observe(self->team, sensors, (uint32_t)count, NULL, &error)) {
        (void)core_raise(self->state, &error);
        return -1;
    }
    return 0;
}

void core_team_report(core_team *self)
{
    vxe_team_report(self->team, self->obs_view.buf, self->status_view.buf);
}

/* An array for ever: a view, which does not own its memory, so that it can not be resized. */
static PyObject *lasting(core_team *self, core_element element, const core_shape *shape,
                         Py_buffer *memory)
{
    PyObject *owner = core_out(self->state, NULL, "array", element, shape, memory);
    PyObject *array = owner ? PyObject_CallMethod(owner, "view", NULL) : NULL;
    if (owner && !array) {
        PyBuffer_Release(memory);
    }
    Py_XDECREF(owner);
    return array;
}

static int make_arrays(core_team *self)
{
    self->facts = vxe_team_describe(self->team);
    const core_shape rows = {2, {(Py_ssize_t)self->facts.robots, (Py_ssize_t)self->facts.width}};
    self->obs = lasting(self, CORE_FLOAT32, &rows, &self->obs_view);
    self->status =
        self->obs ? lasting(self, CORE_UINT8, &(core_shape){1, {rows.size[0]}}, &self->status_view)
                  : NULL;
    if (!self->status) {
        return -1;
    }
    core_team_report(self);
    return 0;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    core_state *state = core_state_of(type);
    PyObject *designs = NULL;
    PyObject *names = NULL;
    vxe_team_def def = vxe_team_def_default();
    void *const structures[2] = {&def, &def.world};
    const core_section *const sections[2] = {&core_sections[CORE_TEAM_DEF],
                                             &core_sections[CORE_WORLD_DEF]};
    if (!PyArg_ParseTuple(arguments, "O!O!:Team", &PyTuple_Type, &designs, &PyTuple_Type, &names) ||
        core_take_keywords(keywords, "Team", structures, sections) ||
        core_tell_orphan(state, def.world.threads)) {
        return NULL;
    }
    if (def.world.threads == 0) { /* OpenMP may have counted when it was loaded */
        def.world.threads = core_processors();
    }
    if (def.world.step_seconds > 0 && !PyDict_GetItemString(keywords, "step_rule")) {
        def.world.step_rule = VXE_STEP_SECONDS;
    }
    core_team *self = (core_team *)core_allocate(type);
    if (!self) {
        return NULL;
    }
    self->state = state;
    if (hold_designs(self, designs) || create(self, &def) || observe(self, names) ||
        make_arrays(self)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *close_team(PyObject *object, PyObject *unused)
{
    core_team *self = (core_team *)object;
    (void)unused;
    if (self->team && !core_team_is_free(self)) {
        return NULL;
    }
    vxe_team_destroy(self->team);
    self->team = NULL;
    release_designs(self);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_team_is_free((core_team *)self) ? Py_NewRef(self) : NULL;
}

/* Looks at the targets of a tick, or of of any number of them. Returns 0, or -1 with an exception.
 */
static int look_at_targets(const core_team *self, PyObject *given, bool many, Py_buffer *view)
{
    const Py_ssize_t robots = (Py_ssize_t)self->facts.robots;
    const Py_ssize_t groups = (Py_ssize_t)self->facts.groups;
    const core_shape one = {2, {robots, groups}};
    const core_shape all = {3, {-1, robots, groups}};
    return core_in(given, "targets", CORE_FLOAT32, many ? &all : &one, view);
}

static PyObject *step(PyObject *object, PyObject *targets)
{
    core_team *self = (core_team *)object;
    Py_buffer view = {.obj = NULL};
    vxe_error error = {.status = VXE_OK};
    const bool none = targets == Py_None && (self->facts.groups == 0 || self->decides);
    if (!none && look_at_targets(self, targets, false, &view)) {
        return NULL;
    }
    if (!core_team_is_free(self)) { /* asked last: targets may be an object of any kind */
        if (!none) {
            PyBuffer_Release(&view);
        }
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status =
        vxe_team_step(self->team, view.buf, self->obs_view.buf, self->status_view.buf, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    if (!none) {
        PyBuffer_Release(&view);
    }
    return status ? core_raise(self->state, &error) : Py_NewRef(self->obs);
}

static bool look(uint32_t ticks, void *user)
{
    (void)ticks;
    return core_watch_look(user, NULL); /* nobody is told */
}

/* Runs ticks; the arrays are then of the last one. Returns 0, or -1 with an exception. */
static int run_ticks(core_team *self, uint32_t ticks, const float *targets, float *observations)
{
    vxe_error error = {.status = VXE_OK};
    core_watch w;
    self->busy = true;
    core_watch_begin(&w, self->state, CORE_SECTIONS, NULL);
    const vxe_status status = vxe_team_run(self->team, ticks, targets, observations,
                                           self->status_view.buf, look, &w, &error);
    core_watch_end(&w);
    self->busy = false;
    if (status && !w.raised) {
        (void)core_raise(self->state, &error);
    }
    core_team_report(self);
    return status || w.raised ? -1 : 0;
}

/* Looks at what run is given: targets of ticks, or a number of them where networks make the
   targets. Returns 0, or -1 with an exception. */
static int look_at_ticks(const core_team *self, PyObject *given, Py_buffer *view, uint32_t *ticks)
{
    if (PyLong_Check(given) && (self->facts.groups == 0 || self->decides)) {
        return core_index(given, ticks) ? 0 : -1;
    }
    if (look_at_targets(self, given, true, view)) {
        return -1;
    }
    if (view->shape[0] >= (Py_ssize_t)UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "targets: at most 2^32 - 2 ticks");
        PyBuffer_Release(view);
        return -1;
    }
    *ticks = (uint32_t)view->shape[0];
    return 0;
}

static PyObject *run(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"targets", "out", NULL};
    core_team *self = (core_team *)object;
    PyObject *given = NULL;
    PyObject *out = NULL;
    Py_buffer targets = {.obj = NULL};
    Py_buffer view;
    uint32_t ticks = 0;
    if (!core_parse(arguments, keywords, "O|$O:run", names, &given, &out) ||
        !core_team_is_free(self) || look_at_ticks(self, given, &targets, &ticks)) {
        return NULL;
    }
    const core_shape shape = {
        3, {(Py_ssize_t)ticks, (Py_ssize_t)self->facts.robots, (Py_ssize_t)self->facts.width}};
    PyObject *seen = core_out(self->state, out, "out", CORE_FLOAT32, &shape, &view);
    if (seen) {
        if (!core_team_is_free(self) || run_ticks(self, ticks, targets.buf, view.buf)) {
            Py_CLEAR(seen);
        }
        PyBuffer_Release(&view);
    }
    PyBuffer_Release(&targets); /* of no object: nothing */
    return seen;
}

static Py_ssize_t length(PyObject *object)
{
    const core_team *self = (const core_team *)object;
    return core_team_is_free(self) ? (Py_ssize_t)self->facts.robots : -1;
}

static PyObject *facts_of(PyObject *object, void *closure)
{
    (void)closure;
    core_team *self = (core_team *)object;
    return core_team_is_free(self) ? core_named_tuple(self->state, CORE_TEAM_FACTS, &self->facts)
                                   : NULL;
}

/* obs, or status where closure is not null. */
static PyObject *array_of(PyObject *object, void *closure)
{
    const core_team *self = (const core_team *)object;
    PyObject *array = closure ? self->status : self->obs;
    if (!array) { /* the garbage collector has it already */
        PyErr_SetString(PyExc_ValueError, "the team is closed");
    }
    return Py_XNewRef(array);
}

static PyObject *closed_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((core_team *)object)->team == NULL);
}

static PyGetSetDef attributes[] = {
    {"facts", facts_of, NULL, "TeamFacts: what the team computes with", NULL},
    {"obs", array_of, NULL,
     "(robots, width) float32: what was observed last; the same array for ever, filled by each "
     "tick and reset",
     NULL},
    {"status", array_of, NULL,
     "(robots,) uint8: 0 runs, 1 diverged, 2 its energy rose by more than was put in; the same "
     "array for ever",
     (void *)1},
    {"closed", closed_of, NULL, "whether the team was closed", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef own_methods[] = {
    {"step", step, METH_O,
     "step(targets) -> obs\n\nOne tick. targets: (robots, groups) float32 in C order, factors on "
     "the edges of each group's voxels; None where no robot has a group, or networks make them. "
     "Fills obs and status. A "
     "robot that diverges stands still until it is reset, and its row stays as it was. Targets out "
     "of bounds, or NaN, of robots that run: InvalidInput, and nothing has moved."},
    {"run", FUNCTION(run), KEYWORDS,
     "run(targets, *, out=None) -> array\n\nSo many ticks in one call: targets (ticks, robots, "
     "groups) float32, or the number of ticks where networks make them, which gives (ticks, "
     "robots, width) float32. obs and status are those of the "
     "last tick. Ctrl-C ends it between two ticks."},
    {"close", close_team, METH_NOARGS,
     "close()\n\nReleases the memory of the team, and its designs. The arrays obs and status stay "
     "as they are."},
    {"__enter__", enter, METH_NOARGS, "The team itself."},
    {"__exit__", close_team, METH_VARARGS, "Closes the team."},
    {NULL, NULL, 0, NULL}};

int core_add_team(PyObject *module, core_state *state)
{
    PyType_Slot slots[] = {
        {Py_tp_doc,
         CORE_DOC("Team(designs, observe, *, interval=1/60, min_target=0.6, max_target=1.6, "
                  "settle=0, threads=0, schedule=\"auto\", **choices)\n\nRobots in closed loop: "
                  "designs and observe are tuples. voxelastic.Team is easier to use.")},
        {Py_tp_new, (void *)make},
        {Py_tp_dealloc, (void *)drop},
        {Py_tp_traverse, (void *)visit_all},
        {Py_tp_clear, (void *)clear},
        {Py_sq_length, (void *)length},
        {Py_tp_getset, attributes},
        {Py_tp_methods, own_methods},
        {0, NULL}};
    state->team =
        core_add_type(module, "voxelastic._core.Team", sizeof(core_team),
                      Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots, core_team_state_methods);
    return state->team ? 0 : -1;
}
