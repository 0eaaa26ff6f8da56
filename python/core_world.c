/* SPDX-License-Identifier: MIT */
/* Worlds as objects: made of a design, advanced, changed between steps. A long run lets go of the
   interpreter lock, and comes back some twenty times a second to see whether it is interrupted. */
#include "core.h"

#include <math.h>
#include <string.h>

/* s: a slice of a run between two looks at signals; and bond updates of the first one. */
#define SLICE_SECONDS 0.05
#define FIRST_SLICE 1e6
/* Runs of so many steps end with a look of the energy guard, which is the interval of its looks. */
#define LONG_RUN 256u

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

bool core_world_is_free(const core_world *world)
{
    if (!world->world) {
        PyErr_SetString(PyExc_ValueError, "the world is closed");
    } else if (world->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the world is in use by another thread: one thread at a time");
    }
    return world->world && !world->busy;
}

/* Tells the warnings that have come since the last time. What is called meanwhile can not close the
   world. */
static int tell_warnings(core_world *self)
{
    int failed = 0;
    self->busy = true;
    while (!failed && self->warnings < vxe_world_warning_count(self->world)) {
        failed = core_warn(self->state, vxe_world_warning(self->world, self->warnings++));
    }
    self->busy = false;
    return failed;
}

static uint64_t first_slice(const vxe_world *world)
{
    const double bonds = fmax((double)vxe_world_describe(world).bonds, 1);
    return (uint64_t)fmax(FIRST_SLICE / bonds, 1);
}

PyObject *core_world_wrap(core_state *state, vxe_world *world)
{
    core_world *self = (core_world *)core_allocate(state->world);
    if (!self) {
        vxe_world_destroy(world);
        return NULL;
    }
    self->state = state;
    self->world = world;
    self->slice = first_slice(world);
    if (tell_warnings(self)) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    core_state *state = core_state_of(type);
    core_design *design = NULL;
    if (!PyArg_ParseTuple(arguments, "O!:World", state->design, &design)) {
        return NULL;
    }
    vxe_world_def def = vxe_world_def_default();
    void *const structures[2] = {&def, NULL};
    const core_section *const sections[2] = {&core_sections[CORE_WORLD_DEF], NULL};
    def.threads = 1;
    if (core_take_keywords(keywords, "World", structures, sections)) {
        return NULL;
    }
    if (core_tell_orphan(state, def.threads)) {
        return NULL;
    }
    if (def.step_seconds > 0 && !PyDict_GetItemString(keywords, "step_rule")) {
        def.step_rule = VXE_STEP_SECONDS;
    }
    vxe_error error = {.status = VXE_OK};
    design->readers++;
    PyThreadState *thread = PyEval_SaveThread();
    vxe_world *world = vxe_world_create(design->design, &def, &error);
    PyEval_RestoreThread(thread);
    design->readers--;
    return world ? core_world_wrap(state, world) : core_raise(state, &error);
}

static void drop(PyObject *self)
{
    vxe_world_destroy(((core_world *)self)->world);
    core_free(self);
}

static PyObject *close_world(PyObject *object, PyObject *unused)
{
    core_world *self = (core_world *)object;
    (void)unused;
    if (self->world && !core_world_is_free(self)) {
        return NULL;
    }
    vxe_world_destroy(self->world);
    self->world = NULL;
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_world_is_free((core_world *)self) ? Py_NewRef(self) : NULL;
}

static PyObject *leave(PyObject *self, PyObject *unused)
{
    (void)unused;
    return close_world(self, NULL);
}

/* Sets the attribute of the exception that is raised now, and takes over the value. */
static void add_to_exception(const char *name, PyObject *value)
{
    PyObject *type = NULL;
    PyObject *exception = NULL;
    PyObject *trace = NULL;
    PyErr_Fetch(&type, &exception, &trace);
    PyErr_NormalizeException(&type, &exception, &trace);
    if (!value || !exception || PyObject_SetAttrString(exception, name, value)) {
        PyErr_Clear();
    }
    Py_XDECREF(value);
    PyErr_Restore(type, exception, trace);
}

/* Raises what a run returned; of a simulation that failed also where and when. */
static PyObject *raise_failure(core_world *self, const vxe_error *error)
{
    (void)core_raise(self->state, error);
    if (vxe_status_is_failure(error->status)) {
        const vxe_world_failure failure = vxe_world_failed(self->world);
        PyObject *voxels = failure.voxels[0] == VXE_NONE ? PyTuple_New(0)
                           : failure.voxels[1] == failure.voxels[0] || failure.voxels[1] == VXE_NONE
                               ? Py_BuildValue("(k)", (unsigned long)failure.voxels[0])
                               : Py_BuildValue("(kk)", (unsigned long)failure.voxels[0],
                                               (unsigned long)failure.voxels[1]);
        add_to_exception("step", PyLong_FromUnsignedLongLong(failure.step));
        add_to_exception("time", PyFloat_FromDouble(failure.time));
        add_to_exception("voxels", voxels);
    }
    return NULL;
}

/* Advances slice by slice. Returns 0, or -1 with an exception. */
static int run_slices(core_world *self, uint64_t steps)
{
    vxe_error error = {.status = VXE_OK};
    for (uint64_t done = 0; done < steps;) {
        const uint64_t slice = steps - done < self->slice ? steps - done : self->slice;
        double spent = core_clock();
        PyThreadState *thread = PyEval_SaveThread();
        const vxe_status status = vxe_world_advance(self->world, slice, &error);
        PyEval_RestoreThread(thread);
        spent = core_clock() - spent;
        done += slice;
        if (status) {
            (void)raise_failure(self, &error);
            return -1;
        }
        if (slice == self->slice && spent < 0.5 * SLICE_SECONDS && slice < UINT32_MAX) {
            self->slice = 2 * slice;
        } else if (spent > 2 * SLICE_SECONDS && slice > 1) {
            self->slice = slice / 2;
        }
        if (PyErr_CheckSignals()) {
            return -1;
        }
    }
    return 0;
}

static int run(core_world *self, uint64_t steps)
{
    if (steps >= LONG_RUN) {
        vxe_world_ends_at(self->world, vxe_world_steps(self->world) + steps);
    }
    self->busy = true; /* also while a signal is handled */
    const int failed = run_slices(self, steps);
    self->busy = false;
    return failed ? failed : tell_warnings(self);
}

static PyObject *advance(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"steps", "until", NULL};
    core_world *self = (core_world *)object;
    PyObject *count = NULL;
    PyObject *until = NULL;
    if (!core_parse(arguments, keywords, "|O$O:advance", names, &count, &until)) {
        return NULL;
    }
    if (count && count != Py_None && until && until != Py_None) {
        PyErr_SetString(PyExc_TypeError, "advance takes steps or until, not both");
        return NULL;
    }
    uint64_t steps = 1;
    if (until && until != Py_None) {
        const double time = PyFloat_AsDouble(until);
        if (PyErr_Occurred() || !core_world_is_free(self)) {
            return NULL;
        }
        steps = vxe_run_step_at(time - vxe_world_time(self->world),
                                vxe_world_describe(self->world).time_step, VXE_ARRIVAL_AT);
        if (steps == UINT64_MAX) {
            return PyErr_Format(PyExc_ValueError,
                                "until=%R: more than 1e18 steps away, or not a number", until);
        }
    } else if (count && count != Py_None) {
        PyObject *index = PyNumber_Index(count);
        steps = index ? PyLong_AsUnsignedLongLong(index) : 0;
        Py_XDECREF(index);
        if (PyErr_Occurred()) {
            return index ? PyErr_Format(PyExc_ValueError,
                                        "steps must be a whole number from 0 to 2^64 - 1, not %R",
                                        count)
                         : NULL;
        }
    }
    if (!core_world_is_free(self) || run(self, steps)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *pull(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"voxel",     "place", "stiffness", "damping",
                                        "max_force", "hand",  NULL};
    core_world *self = (core_world *)object;
    PyObject *place = NULL;
    PyObject *given[3] = {NULL};
    uint32_t voxel = 0;
    uint32_t hand = 0;
    vxe_error error = {.status = VXE_OK};
    if (!core_parse(arguments, keywords, "O&O|$OOOO&:pull", names, core_index, &voxel, &place,
                    &given[0], &given[1], &given[2], core_index, &hand)) {
        return NULL;
    }
    if (!core_world_is_free(self)) {
        return NULL;
    }
    vxe_pull how = vxe_world_pull_default(self->world, voxel);
    if (core_numbers(place, "place", how.place, 3) || core_take_number(given[0], &how.stiffness) ||
        core_take_number(given[1], &how.damping) || core_take_number(given[2], &how.max_force)) {
        return NULL;
    }
    if (!core_world_is_free(self)) { /* asked last: numbers may be objects of any kind */
        return NULL;
    }
    return vxe_world_pull(self->world, hand, &how, &error) ? core_raise(self->state, &error)
                                                           : Py_NewRef(Py_None);
}

static PyObject *let_go(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"hand", NULL};
    core_world *self = (core_world *)object;
    uint32_t hand = 0;
    vxe_error error = {.status = VXE_OK};
    if (!core_parse(arguments, keywords, "|O&:let_go", names, core_index, &hand) ||
        !core_world_is_free(self)) {
        return NULL;
    }
    return vxe_world_pull(self->world, hand, NULL, &error) ? core_raise(self->state, &error)
                                                           : Py_NewRef(Py_None);
}

static PyObject *tune(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"gravity",  "amplitude", "frequency",
                                        "friction", "drag",      NULL};
    core_world *self = (core_world *)object;
    PyObject *gravity = NULL;
    PyObject *given[4] = {NULL};
    vxe_error error = {.status = VXE_OK};
    if (!core_parse(arguments, keywords, "|$OOOOO:tune", names, &gravity, &given[0], &given[1],
                    &given[2], &given[3]) ||
        !core_world_is_free(self)) {
        return NULL;
    }
    vxe_tuning next = vxe_world_tuning(self->world);
    const bool turns = gravity && gravity != Py_None;
    if ((turns && core_numbers(gravity, "gravity", next.gravity, 3)) ||
        core_take_number(given[0], &next.amplitude) ||
        core_take_number(given[1], &next.frequency) || core_take_number(given[2], &next.friction) ||
        core_take_number(given[3], &next.drag)) {
        return NULL;
    }
    if (!core_world_is_free(self)) { /* asked last: numbers may be objects of any kind */
        return NULL;
    }
    return vxe_world_tune(self->world, &next, &error) ? core_raise(self->state, &error)
                                                      : Py_NewRef(Py_None);
}

static PyObject *target(PyObject *object, PyObject *arguments)
{
    core_world *self = (core_world *)object;
    vxe_error error = {.status = VXE_OK};
    uint32_t group = 0;
    double factor = 0;
    if (!PyArg_ParseTuple(arguments, "O&d:target", core_index, &group, &factor) ||
        !core_world_is_free(self)) {
        return NULL;
    }
    if (vxe_world_set_target(self->world, group, factor, &error)) {
        return core_raise(self->state, &error);
    }
    return tell_warnings(self) ? NULL : Py_NewRef(Py_None);
}

static PyObject *place(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"voxel",    "position", "orientation",
                                        "velocity", "spin",     NULL};
    static const Py_ssize_t sizes[4] = {3, 4, 3, 3};
    core_world *self = (core_world *)object;
    PyObject *given[4] = {NULL};
    double numbers[4][4];
    const double *use[4] = {NULL};
    uint32_t voxel = 0;
    if (!core_parse(arguments, keywords, "O&|OOOO:place", names, core_index, &voxel, &given[0],
                    &given[1], &given[2], &given[3])) {
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        if (given[i] && given[i] != Py_None) {
            if (core_numbers(given[i], names[i + 1], numbers[i], sizes[i])) {
                return NULL;
            }
            use[i] = numbers[i];
        }
    }
    vxe_error error = {.status = VXE_OK};
    if (!core_world_is_free(self)) { /* asked last: numbers may be objects of any kind */
        return NULL;
    }
    if (vxe_world_place(self->world, voxel, use[0], use[1], use[2], use[3], &error)) {
        return core_raise(self->state, &error);
    }
    Py_RETURN_NONE;
}

static PyObject *energy(PyObject *object, PyObject *unused)
{
    core_world *self = (core_world *)object;
    (void)unused;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    const vxe_energy now = vxe_world_energy(self->world);
    return core_named_tuple(self->state, CORE_ENERGY, &now);
}

static PyObject *judge(PyObject *object, PyObject *unused)
{
    core_world *self = (core_world *)object;
    vxe_error error = {.status = VXE_OK};
    (void)unused;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    if (vxe_world_judge(self->world, &error)) {
        return core_raise(self->state, &error);
    }
    Py_RETURN_NONE;
}

static PyObject *time_of(PyObject *object, void *closure)
{
    (void)closure;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyFloat_FromDouble(vxe_world_time(self->world)) : NULL;
}

static PyObject *steps_of(PyObject *object, void *closure)
{
    (void)closure;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyLong_FromUnsignedLongLong(vxe_world_steps(self->world))
                                    : NULL;
}

static PyObject *hash_of(PyObject *object, void *closure)
{
    (void)closure;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyLong_FromUnsignedLongLong(vxe_world_hash(self->world))
                                    : NULL;
}

static PyObject *facts_of(PyObject *object, void *closure)
{
    (void)closure;
    core_world *self = (core_world *)object;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    const vxe_world_facts facts = vxe_world_describe(self->world);
    return core_named_tuple(self->state, CORE_WORLD_FACTS, &facts);
}

static PyObject *groups_of(PyObject *object, void *closure)
{
    (void)closure;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyLong_FromUnsignedLong(vxe_world_group_count(self->world))
                                    : NULL;
}

static PyObject *strain_of(PyObject *object, void *closure)
{
    (void)closure;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyFloat_FromDouble(vxe_world_max_strain(self->world)) : NULL;
}

/* Centre of mass, or its velocity where closure is not null. */
static PyObject *center_of(PyObject *object, void *closure)
{
    core_world *self = (core_world *)object;
    double center[2][3] = {{0}};
    if (!core_world_is_free(self)) {
        return NULL;
    }
    vxe_world_center_of_mass(self->world, center[0], center[1]);
    return core_copied(self->state, CORE_FLOAT64, &(core_shape){1, {3}}, center[closure != NULL]);
}

static PyObject *closed_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((core_world *)object)->world == NULL);
}

static PyObject *represent(PyObject *object)
{
    const core_world *self = (const core_world *)object;
    if (!self->world || self->busy) {
        return core_text(self->world ? "<voxelastic.World, running>"
                                     : "<voxelastic.World, closed>");
    }
    const vxe_world_facts facts = vxe_world_describe(self->world);
    PyObject *time = PyFloat_FromDouble(vxe_world_time(self->world));
    PyObject *text =
        time ? PyUnicode_FromFormat(
                   "<voxelastic.World of %lu voxels, %s, %s precision, at t = %R s>",
                   (unsigned long)facts.voxels, facts.conventions, facts.precision, time)
             : NULL;
    Py_XDECREF(time);
    return text;
}

static PyGetSetDef attributes[] = {
    {"time", time_of, NULL, "s", NULL},
    {"steps", steps_of, NULL, "number of steps so far", NULL},
    {"center", center_of, NULL, "(3,) float64, m: centre of mass, design coordinates", NULL},
    {"velocity", center_of, NULL, "(3,) float64, m/s: of the centre of mass", (void *)1},
    {"facts", facts_of, NULL, "WorldFacts: what does not change about a world", NULL},
    {"groups", groups_of, NULL,
     "number of groups of voxels, by the design's layer Group: its largest number plus one", NULL},
    {"max_strain", strain_of, NULL, "largest |axial strain| over all bonds that are not broken",
     NULL},
    {"hash", hash_of, NULL, "hash of the state: equal bits give equal hashes", NULL},
    {"closed", closed_of, NULL, "whether the world was closed", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef own_methods[] = {
    {"advance", FUNCTION(advance), KEYWORDS,
     "advance(steps=1, *, until=None)\n\nAdvances by a number of steps, or until a time (s) is "
     "reached: the first step at or past it. Raises Diverged where a bond is shorter than 0.1 or "
     "longer than 4 rest lengths or turned past 174 degrees, or a number is not finite, Unphysical "
     "where energy rose by more than was put in; the state stays at the end of that step. Ctrl-C "
     "interrupts it between two steps."},
    {"target", target, METH_VARARGS,
     "target(group, factor)\n\nSets the target of a group, 1 at the start: from now on the edges "
     "of "
     "its voxels are `factor` times what actuation, growth and schedule make them. With all that "
     "an "
     "edge must be 0.1 to 10 nominal ones."},
    {"pull", FUNCTION(pull), KEYWORDS,
     "pull(voxel, place, *, stiffness=None, damping=None, max_force=None, hand=0)\n\nPulls at a "
     "voxel and those that it is bonded to by a spring (N/m) and a dashpot (N s/m), from the next "
     "step on: place (x, y, z) m is where the hand is. The spring pulls with at most max_force "
     "(N). "
     "Without numbers the whole body swings at 5 Hz, and the force is at most 20 times its weight. "
     "hand: 0 to 9."},
    {"tune", FUNCTION(tune), KEYWORDS,
     "tune(*, gravity=None, amplitude=None, frequency=None, friction=None, drag=None)\n\nChanges "
     "what acts from the next step on: gravity (3) m/s^2, factors on the actuation's "
     "amplitude\nand "
     "frequency and on all friction, a drag (1/s) by which all motion decays. What is not given "
     "stays.\nThe wave goes on where it is."},
    {"let_go", FUNCTION(let_go), KEYWORDS, "let_go(hand=0)\n\nThe hand pulls no more."},
    {"place", FUNCTION(place), KEYWORDS,
     "place(voxel, position=None, orientation=None, velocity=None, spin=None)\n\nSets position "
     "(m), "
     "orientation (unit quaternion w x y z), velocity (m/s) and angular velocity (rad/s) of a "
     "voxel. Velocities of fixed degrees of freedom stay as they are."},
    {"energy", energy, METH_NOARGS, "energy() -> Energy\n\nThe energies now, J."},
    {"judge", judge, METH_NOARGS,
     "judge()\n\nWith audit=True: raises Unphysical where the balance of energy rose by more than "
     "a "
     "hundredth of what was put in."},
    {"close", close_world, METH_NOARGS, "close()\n\nReleases the memory of the world."},
    {"__enter__", enter, METH_NOARGS, "The world itself."},
    {"__exit__", leave, METH_VARARGS, "Closes the world."},
    {NULL, NULL, 0, NULL}};

int core_add_world(PyObject *module, core_state *state)
{
    PyType_Slot slots[] = {
        {Py_tp_doc,
         CORE_DOC(
             "World(design, *, conventions=\"auto\", precision=\"mixed\", threads=1, "
             "**choices)\n\n"
             "A compiled design, its state, and the threads that advance it. The design may "
             "change afterwards. Worlds may run in several threads at once, each in one. "
             "conventions: \"auto\", what the design says of itself, or the rules of a "
             "simulator, such as \"native\". threads: 0 chooses by the size of the body. "
             "step_seconds: the time step, s. Others: step_rule, step_scale, accuracy, damping, "
             "torsion, composite, shear, damping_form, bond_kind, audit (energy audit).")},
        {Py_tp_new, (void *)make},
        {Py_tp_dealloc, (void *)drop},
        {Py_tp_repr, (void *)represent},
        {Py_tp_getset, attributes},
        {Py_tp_methods, own_methods},
        {0, NULL}};
    state->world = core_add_type(module, "voxelastic.World", sizeof(core_world), 0, slots,
                                 core_world_array_methods);
    return state->world ? 0 : -1;
}
