/* SPDX-License-Identifier: MIT */
/* Batches as objects. A batch keeps its designs, which can not be changed until it is closed. While
   it runs, the watcher comes back for the interpreter lock some twenty times a second: signals are
   looked at, and the caller is told how far the batch is. */
#include "core.h"

#include <string.h>

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

typedef struct core_batch {
    PyObject_HEAD core_state *state;
    vxe_batch *batch;      /* null once closed */
    PyObject *choices;     /* dict: keeps the texts that the batch points to */
    core_design **designs; /* (capacity) of which `held` are there; no list, which the garbage
                              collector might empty before they are let go of */
    size_t held, capacity;
    uint32_t samples; /* of each robot's path */
    bool busy;
} core_batch;

static bool is_free(const core_batch *self)
{
    if (!self->batch) {
        PyErr_SetString(PyExc_ValueError, "the batch is closed");
    } else if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the batch is in use by another thread: one thread at a time");
    }
    return self->batch && !self->busy;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    core_state *state = core_state_of(type);
    vxe_batch_def def = vxe_batch_def_default();
    void *const structures[2] = {&def, &def.world};
    const core_section *const sections[2] = {&core_sections[CORE_BATCH_DEF],
                                             &core_sections[CORE_WORLD_DEF]};
    if (PyTuple_Size(arguments) > 0) {
        PyErr_SetString(PyExc_TypeError, "Batch takes keyword arguments only");
        return NULL;
    }
    if (core_take_keywords(keywords, "Batch", structures, sections)) {
        return NULL;
    }
    if (core_tell_orphan(state, def.world.threads)) {
        return NULL;
    }
    if (def.world.threads == 0) { /* OpenMP may have counted when it was loaded */
        def.world.threads = core_processors();
    }
    if (def.world.step_seconds > 0 && !PyDict_GetItemString(keywords, "step_rule")) {
        def.world.step_rule = VXE_STEP_SECONDS;
    }
    core_batch *self = (core_batch *)core_allocate(type);
    if (!self) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    self->state = state;
    self->samples = def.samples;
    self->choices = keywords ? PyDict_Copy(keywords) : PyDict_New();
    self->batch = self->choices ? vxe_batch_create(&def, &error) : NULL;
    if (!self->batch) {
        if (error.status) {
            (void)core_raise(state, &error);
        }
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* Lets go of the designs, which may be changed from now on. */
static void release_designs(core_batch *self)
{
    for (size_t i = 0; i < self->held; i++) {
        self->designs[i]->readers--;
        Py_DECREF((PyObject *)self->designs[i]);
    }
    PyMem_Free(self->designs);
    self->designs = NULL;
    self->held = self->capacity = 0;
}

static int clear(PyObject *object)
{
    core_batch *self = (core_batch *)object;
    vxe_batch_destroy(self->batch);
    self->batch = NULL;
    release_designs(self);
    Py_CLEAR(self->choices);
    return 0;
}

static int visit_all(PyObject *object, visitproc visit, void *arg)
{
    core_batch *self = (core_batch *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->choices);
    for (size_t i = 0; i < self->held; i++) {
        Py_VISIT((PyObject *)self->designs[i]);
    }
    return 0;
}

static void drop(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    core_free(self);
}

static PyObject *close_batch(PyObject *object, PyObject *unused)
{
    core_batch *self = (core_batch *)object;
    (void)unused;
    if (self->batch && !is_free(self)) {
        return NULL;
    }
    (void)clear(object);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return is_free((core_batch *)self) ? Py_NewRef(self) : NULL;
}

static PyObject *add(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"design", "step", "shift", "turn", NULL};
    core_batch *self = (core_batch *)object;
    core_design *design = NULL;
    PyObject *shift = NULL;
    PyObject *turn = NULL;
    vxe_batch_variant variant = {.step = 1};
    if (!core_parse(arguments, keywords, "O!|dOO:add", names, self->state->design, &design,
                    &variant.step, &shift, &turn) ||
        (shift && core_numbers(shift, "shift", variant.shift, 3)) ||
        (turn && core_numbers(turn, "turn", variant.turn, 3)) || !is_free(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    if (self->held == self->capacity) {
        const size_t capacity = self->capacity ? 2 * self->capacity : 64;
        core_design **larger = PyMem_Realloc(self->designs, capacity * sizeof *larger);
        if (!larger) {
            return PyErr_NoMemory();
        }
        self->designs = larger;
        self->capacity = capacity;
    }
    if (vxe_batch_add_variant(self->batch, design->design, &variant, &error)) {
        return core_raise(self->state, &error);
    }
    self->designs[self->held++] = (core_design *)Py_NewRef((PyObject *)design);
    design->readers++;
    return PyLong_FromUnsignedLong(vxe_batch_count(self->batch) - 1);
}

static bool look(const vxe_batch_progress *progress, void *user)
{
    return core_watch_look(user, progress);
}

static PyObject *run(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"progress", NULL};
    core_batch *self = (core_batch *)object;
    PyObject *progress = NULL;
    if (!core_parse(arguments, keywords, "|O:run", names, &progress) || !is_free(self) ||
        !core_watch_takes(progress)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    core_watch w;
    self->busy = true;
    core_watch_begin(&w, self->state, CORE_PROGRESS, progress);
    const vxe_status status = vxe_batch_run(self->batch, look, &w, &error);
    core_watch_end(&w);
    self->busy = false;
    if (w.raised) {
        return NULL;
    }
    if (status) {
        return core_raise(self->state, &error);
    }
    Py_RETURN_NONE;
}

/* The index of a robot of an open batch; false with an exception. */
static bool robot_of(const core_batch *self, PyObject *argument, uint32_t *robot)
{
    PyObject *whole = PyNumber_Index(argument);
    const unsigned long index = whole ? PyLong_AsUnsignedLong(whole) : 0;
    Py_XDECREF(whole);
    if (!whole || !is_free(self)) {
        return false;
    }
    if (PyErr_Occurred() || index >= vxe_batch_count(self->batch)) {
        PyErr_Clear();
        PyErr_Format(PyExc_IndexError, "there is no robot %R: the batch has %lu", argument,
                     (unsigned long)vxe_batch_count(self->batch));
        return false;
    }
    *robot = (uint32_t)index;
    return true;
}

static PyObject *result(PyObject *object, PyObject *argument)
{
    core_batch *self = (core_batch *)object;
    uint32_t robot = 0;
    if (!robot_of(self, argument, &robot)) {
        return NULL;
    }
    const vxe_batch_result row = vxe_batch_result_of(self->batch, robot);
    return core_named_tuple(self->state, CORE_BATCH_RESULT, &row);
}

static PyObject *path(PyObject *object, PyObject *argument)
{
    core_batch *self = (core_batch *)object;
    uint32_t robot = 0;
    if (!robot_of(self, argument, &robot)) {
        return NULL;
    }
    const double *way = vxe_batch_result_of(self->batch, robot).path;
    if (!way) {
        Py_RETURN_NONE;
    }
    const core_shape shape = {2, {(Py_ssize_t)self->samples + 1, 3}};
    return core_copied(self->state, CORE_FLOAT64, &shape, way);
}

static PyObject *world(PyObject *object, PyObject *argument)
{
    core_batch *self = (core_batch *)object;
    uint32_t robot = 0;
    if (!robot_of(self, argument, &robot)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    vxe_world *made = vxe_batch_world(self->batch, robot, &error);
    return made ? core_world_wrap(self->state, made) : core_raise(self->state, &error);
}

static Py_ssize_t length(PyObject *object)
{
    const core_batch *self = (const core_batch *)object;
    return is_free(self) ? (Py_ssize_t)vxe_batch_count(self->batch) : -1;
}

static PyObject *facts_of(PyObject *object, void *closure)
{
    (void)closure;
    core_batch *self = (core_batch *)object;
    if (!is_free(self)) {
        return NULL;
    }
    const vxe_batch_facts facts = vxe_batch_describe(self->batch);
    return core_named_tuple(self->state, CORE_BATCH_FACTS, &facts);
}

static PyGetSetDef attributes[] = {{"facts", facts_of, NULL,
                                    "BatchFacts: what the batch computes with, and its work so far",
                                    NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"add", FUNCTION(add), KEYWORDS,
     "add(design, step=1, shift=(0, 0, 0), turn=(0, 0, 0)) -> int\n\nAdds a robot; robots count "
     "from 0 in the order added. step: a factor on its time step; shift (m) and turn (rad, a "
     "rotation vector): how it starts. The design can not be changed until the batch is closed."},
    {"run", FUNCTION(run), KEYWORDS,
     "run(progress=None)\n\nRuns all robots that have not run yet. progress: called with a "
     "Progress "
     "now and then; where it returns False the batch stops. What happens to a robot is in its "
     "result."},
    {"result", result, METH_O, "result(robot) -> RobotResult\n\nWhat became of a robot."},
    {"path", path, METH_O,
     "path(robot) -> array or None\n\n(samples + 1, 3) m: centre of mass at equal times from the "
     "start to the end; None where the robot did not get there, or the batch takes no samples."},
    {"world", world, METH_O,
     "world(robot) -> World\n\nA robot at its start, as a world of one thread that runs it as the "
     "batch has done, retries included."},
    {"close", close_batch, METH_NOARGS,
     "close()\n\nReleases the memory of the batch, and its designs."},
    {"__enter__", enter, METH_NOARGS, "The batch itself."},
    {"__exit__", close_batch, METH_VARARGS, "Closes the batch."},
    {NULL, NULL, 0, NULL}};

int core_add_batch(PyObject *module, core_state *state)
{
    PyType_Slot slots[] = {
        {Py_tp_doc,
         CORE_DOC("Batch(*, duration=0, steps=0, threads=0, retries=0, schedule=\"auto\", "
                  "samples=0, max_duration=0, max_steps=0, **choices)\n\nMany designs simulated in "
                  "one call, each with its own step, duration and materials. A robot's result has "
                  "the same bits in whatever company. duration (s) or steps of every robot; 0: as "
                  "its design says. threads: 0 stands for all processors that the process may use. "
                  "retries: how often one that diverges is run again with half the step. Other "
                  "choices: those of World.")},
        {Py_tp_new, (void *)make},
        {Py_tp_dealloc, (void *)drop},
        {Py_tp_traverse, (void *)visit_all},
        {Py_tp_clear, (void *)clear},
        {Py_sq_length, (void *)length},
        {Py_tp_getset, attributes},
        {Py_tp_methods, methods},
        {0, NULL}};
    state->batch = core_add_type(module, "voxelastic._core.Batch", sizeof(core_batch),
                                 Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots, NULL);
    return state->batch ? 0 : -1;
}
