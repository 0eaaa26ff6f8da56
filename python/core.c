/* SPDX-License-Identifier: MIT */
/* The module voxelastic._core: its state, its exceptions, and what all of its types need. */
#define _GNU_SOURCE /* CPU_COUNT */
#include "core.h"

#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

/* s between two looks of the watcher of a long call. */
#define LOOK_SECONDS 0.05

int core_parse(PyObject *arguments, PyObject *keywords, const char *format,
               const char *const names[], ...)
{
    va_list places;
    char **list = NULL;
    memcpy(&list, &names, sizeof list); /* Python does not write to them, either */
    va_start(places, names);
    const int parsed = PyArg_VaParseTupleAndKeywords(arguments, keywords, format, list, places);
    va_end(places);
    return parsed;
}

uint32_t core_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t may;
    if (sched_getaffinity(0, sizeof may, &may) == 0) {
        return (uint32_t)CPU_COUNT(&may);
    }
#endif
    return 0;
}

double core_clock(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool core_watch_takes(PyObject *progress)
{
    if (progress && progress != Py_None && !PyCallable_Check(progress)) {
        PyErr_Format(PyExc_TypeError, "progress must be a function, not %R", progress);
        return false;
    }
    return true;
}

void core_watch_begin(core_watch *watch, core_state *state, core_section_index row,
                      PyObject *progress)
{
    *watch = (core_watch){.state = state,
                          .row = row,
                          .progress = progress == Py_None ? NULL : progress,
                          .last = core_clock()};
    watch->thread = PyEval_SaveThread();
}

void core_watch_end(core_watch *watch)
{
    PyEval_RestoreThread(watch->thread);
}

/* Tells the caller how far the call is. Returns whether to go on. */
static bool tell(core_watch *watch, const void *facts)
{
    PyObject *row = core_named_tuple(watch->state, watch->row, facts);
    PyObject *answer = row ? PyObject_CallFunctionObjArgs(watch->progress, row, NULL) : NULL;
    const bool go_on = answer != Py_False;
    watch->raised = !answer;
    Py_XDECREF(row);
    Py_XDECREF(answer);
    return go_on && !watch->raised;
}

bool core_watch_look(core_watch *watch, const void *facts)
{
    const double now = core_clock();
    if (now - watch->last < LOOK_SECONDS) {
        return true;
    }
    watch->last = now;
    PyEval_RestoreThread(watch->thread);
    watch->raised = PyErr_CheckSignals() != 0;
    const bool go_on = !watch->raised && (!watch->progress || tell(watch, facts));
    watch->thread = PyEval_SaveThread();
    return go_on;
}

/* Subclasses made in Python have no module: the state is that of the first base which has one. */
core_state *core_state_of(PyTypeObject *type)
{
    core_state *state = NULL;
    while (type && !(state = PyType_GetModuleState(type))) {
        PyErr_Clear();
        type = PyType_GetSlot(type, Py_tp_base);
    }
    return state;
}

PyObject *core_allocate(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void core_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyObject *core_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

int core_index(PyObject *object, void *number)
{
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        return 0;
    }
    const unsigned long value = PyLong_AsUnsignedLong(index);
    Py_DECREF(index);
    if (PyErr_Occurred() || value >= VXE_NONE) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "expected a whole number from 0 to 2^32 - 2, not %R",
                     object);
        return 0;
    }
    *(uint32_t *)number = (uint32_t)value;
    return 1;
}

int core_warn(core_state *state, const char *text)
{
    return PyErr_WarnEx(state->warning, text, 1);
}

/* Adds methods to a type that was made. */
static int add_methods(PyTypeObject *type, PyMethodDef *methods)
{
    for (PyMethodDef *method = methods; method->ml_name; method++) {
        PyObject *made = PyDescr_NewMethod(type, method);
        const int failed =
            made ? PyObject_SetAttrString((PyObject *)type, method->ml_name, made) : -1;
        Py_XDECREF(made);
        if (failed) {
            return -1;
        }
    }
    return 0;
}

PyTypeObject *core_add_type(PyObject *module, const char *name, size_t size, unsigned flags,
                            PyType_Slot *slots, PyMethodDef *more)
{
    PyType_Spec spec = {
        .name = name, .basicsize = (int)size, .flags = Py_TPFLAGS_DEFAULT | flags, .slots = slots};
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (type && ((more && add_methods(type, more)) ||
                 PyModule_AddObjectRef(module, strrchr(name, '.') + 1, (PyObject *)type))) {
        Py_CLEAR(type);
    }
    return type;
}

int core_tell_orphan(core_state *state, uint32_t threads)
{
    if (threads == 1 || state->orphan_told || !vxe_parallel_is_orphaned()) {
        return 0;
    }
    state->orphan_told = true;
    return core_warn(state,
                     "this process was forked from one that had started threads: all runs on "
                     "one thread here; multiprocessing's method \"spawn\" has all of them");
}

/* Sets the attribute of an exception and takes over the value. */
static int put(PyObject *exception, const char *name, PyObject *value)
{
    const int failed = value ? PyObject_SetAttrString(exception, name, value) : -1;
    Py_XDECREF(value);
    return failed;
}

static PyObject *class_of(const core_state *state, vxe_status status)
{
    switch (status) {
    case VXE_ERROR_ARGUMENT:
    case VXE_ERROR_INPUT:
        return state->invalid_input;
    case VXE_ERROR_UNSUPPORTED:
        return state->unsupported;
    case VXE_ERROR_DIVERGED:
        return state->diverged;
    case VXE_ERROR_UNPHYSICAL:
        return state->unphysical;
    case VXE_ERROR_SYSTEM:
        return state->system_failure;
    default:
        return state->error;
    }
}

PyObject *core_raise(core_state *state, const vxe_error *error)
{
    char text[VXE_ERROR_TEXT];
    vxe_error_text(error, text, sizeof text);
    if (error->status == VXE_ERROR_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, text);
        return NULL;
    }
    PyObject *kind = class_of(state, error->status);
    PyObject *message = core_text(text);
    PyObject *exception = message ? PyObject_CallFunctionObjArgs(kind, message, NULL) : NULL;
    if (exception && !put(exception, "status", core_text(vxe_status_name(error->status))) &&
        (!error->file[0] || !put(exception, "file", core_text(error->file))) &&
        (!error->line || !put(exception, "line", PyLong_FromUnsignedLong(error->line))) &&
        (!error->column || !put(exception, "column", PyLong_FromUnsignedLong(error->column)))) {
        PyErr_SetObject(kind, exception);
    }
    Py_XDECREF(exception);
    Py_XDECREF(message);
    return NULL;
}

/* Takes an attribute of a module; null with an exception. */
static PyObject *attribute_of(const char *module, const char *name)
{
    PyObject *from = PyImport_ImportModule(module);
    PyObject *value = from ? PyObject_GetAttrString(from, name) : NULL;
    Py_XDECREF(from);
    return value;
}

static int find_classes(core_state *state)
{
    static const char *const names[CORE_ELEMENTS] = {"float64", "float32", "int64", "int32",
                                                     "uint32",  "uint8",   "bool"};
    const struct {
        PyObject **into;
        const char *name;
    } classes[] = {{&state->error, "Error"},
                   {&state->invalid_input, "InvalidInput"},
                   {&state->unsupported, "Unsupported"},
                   {&state->diverged, "Diverged"},
                   {&state->unphysical, "Unphysical"},
                   {&state->system_failure, "SystemFailure"},
                   {&state->warning, "VoxelasticWarning"}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (!(*classes[i].into = attribute_of("voxelastic.errors", classes[i].name))) {
            return -1;
        }
    }
    state->empty = attribute_of("numpy", "empty");
    PyObject *dtype = attribute_of("numpy", "dtype");
    for (int i = 0; dtype && i < CORE_ELEMENTS; i++) {
        state->dtypes[i] = PyObject_CallFunction(dtype, "s", names[i]);
        if (!state->dtypes[i]) {
            Py_DECREF(dtype);
            return -1;
        }
    }
    Py_XDECREF(dtype);
    return state->empty && dtype ? 0 : -1;
}

static PyObject *instruction_set(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return core_text(vxe_instruction_set(VXE_PRECISION_MIXED));
}

static PyObject *layer_acts(PyObject *module, PyObject *name)
{
    (void)module;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    return text ? PyBool_FromLong(vxe_layer_acts(text)) : NULL;
}

/* [(name, summary)] of the presets, or of the switches. */
static PyObject *list_conventions(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (unsigned i = 0; list && vxe_conventions_at(i); i++) {
        const vxe_conventions *rules = vxe_conventions_at(i);
        PyObject *row = Py_BuildValue("(ss)", rules->name, rules->summary);
        if (!row || PyList_Append(list, row)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(row);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"instruction_set", instruction_set, METH_NOARGS,
     "instruction_set() -> str\n\nThe instruction set that runs use on this machine, such as "
     "\"x86-64-v4\"."},
    {"layer_acts", layer_acts, METH_O,
     "layer_acts(name) -> bool\n\nWhether layers of that name have an effect."},
    {"conventions", list_conventions, METH_NOARGS,
     "conventions() -> list\n\n[(name, summary), ...]: the rules of simulators that a run can "
     "follow."},
    {NULL, NULL, 0, NULL}};

static int execute(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    if (find_classes(state) || core_add_views(module, state) || core_add_design(module, state) ||
        core_add_world(module, state) || core_add_batch(module, state) ||
        core_add_team(module, state) || core_add_search(module, state) ||
        core_add_gradient(module, state) || core_add_records(module, state) ||
        PyModule_AddFunctions(module, core_record_functions)) {
        return -1;
    }
    return PyModule_AddStringConstant(module, "__version__", VXE_VERSION);
}

/* All objects that the state holds, for the garbage collector. */
static int visit_state(core_state *state, visitproc visit, void *arg)
{
    PyObject *const held[] = {state->error,
                              state->invalid_input,
                              state->unsupported,
                              state->diverged,
                              state->unphysical,
                              state->system_failure,
                              state->warning,
                              state->empty,
                              (PyObject *)state->design,
                              (PyObject *)state->world,
                              (PyObject *)state->batch,
                              (PyObject *)state->team,
                              (PyObject *)state->search,
                              (PyObject *)state->gradient,
                              (PyObject *)state->frame,
                              (PyObject *)state->recorder};
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
        Py_VISIT(held[i]);
    }
    for (int i = 0; i < CORE_ELEMENTS; i++) {
        Py_VISIT(state->dtypes[i]);
    }
    for (int i = 0; i < CORE_SHOWN; i++) {
        Py_VISIT(state->shown[i]);
    }
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    return visit_state(PyModule_GetState(module), visit, arg);
}

static int clear(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    PyObject **const held[] = {&state->error,    &state->invalid_input, &state->unsupported,
                               &state->diverged, &state->unphysical,    &state->system_failure,
                               &state->warning,  &state->empty};
    PyTypeObject **const types[] = {&state->design, &state->world,   &state->batch,
                                    &state->team,   &state->search,  &state->gradient,
                                    &state->frame,  &state->recorder};
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
        Py_CLEAR(*held[i]);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        Py_CLEAR(*types[i]);
    }
    for (int i = 0; i < CORE_ELEMENTS; i++) {
        Py_CLEAR(state->dtypes[i]);
    }
    for (int i = 0; i < CORE_SHOWN; i++) {
        Py_CLEAR(state->shown[i]);
    }
    return 0;
}

static void release(void *module)
{
    (void)clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "voxelastic._core",
    .m_doc =
        "The library in C, for the package voxelastic. Names are those of C; numbers are in SI "
        "units.",
    .m_size = sizeof(core_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
