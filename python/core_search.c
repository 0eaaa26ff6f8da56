/* SPDX-License-Identifier: MIT */
/* Searches as objects. A generation runs with the interpreter lock let go of, and comes back some
   twenty times a second as a batch does; or its bodies are asked for, as copies, and their fitness
   is told. */
#include "core.h"

#include <string.h>

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

typedef struct core_search {
    PyObject_HEAD core_state *state;
    vxe_search *search; /* null once closed */
    bool busy;
} core_search;

static bool is_free(const core_search *self)
{
    if (!self->search) {
        PyErr_SetString(PyExc_ValueError, "the search is closed");
    } else if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the search is in use by another thread: one thread at a time");
    }
    return self->search && !self->busy;
}

/* What a search is made of. */
typedef struct request {
    PyObject *path, *folder; /* bytes; path: null, or of the experiment's file */
    const char *text;        /* the experiment itself, or null */
    Py_ssize_t size;
    uint32_t threads;
    int resume;
} request;

static vxe_search *begin(const request *r, vxe_error *error)
{
    const char *path = r->path ? PyBytes_AsString(r->path) : NULL;
    const char *folder = PyBytes_AsString(r->folder);
    const uint64_t size = (uint64_t)r->size;
    vxe_search *search = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    if (r->text) {
        search = (r->resume ? vxe_search_resume_text : vxe_search_create_text)(
            r->text, size, "experiment", folder, r->threads, error);
    } else {
        search =
            (r->resume ? vxe_search_resume : vxe_search_create)(path, folder, r->threads, error);
    }
    PyEval_RestoreThread(thread);
    return search;
}

/* Makes the object of a request, and warns where the materials are doubtful. */
static PyObject *make_of(PyTypeObject *type, const request *r)
{
    core_state *state = core_state_of(type);
    vxe_error error = {.status = VXE_OK};
    char doubt[240];
    core_search *self = (core_search *)core_allocate(type);
    if (!self) {
        return NULL;
    }
    self->state = state;
    self->search = begin(r, &error);
    if (!self->search) {
        (void)core_raise(state, &error);
    }
    if (!self->search ||
        (vxe_search_doubt(self->search, doubt, sizeof doubt) && core_warn(state, doubt))) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"experiment", "text", "folder", "threads", "resume", NULL};
    PyObject *experiment = NULL;
    PyObject *made = NULL;
    request r = {.threads = 0};
    if (!core_parse(arguments, keywords, "Oz#O&|O&p:Search", names, &experiment, &r.text, &r.size,
                    PyUnicode_FSConverter, &r.folder, core_index, &r.threads, &r.resume)) {
        Py_XDECREF(r.folder);
        return NULL;
    }
    if (!r.text && !r.resume && experiment == Py_None) {
        PyErr_SetString(PyExc_TypeError, "which experiment? None is for a search that is resumed");
    } else if ((experiment == Py_None || PyUnicode_FSConverter(experiment, &r.path)) &&
               !core_tell_orphan(core_state_of(type), r.threads)) {
        r.threads = r.threads ? r.threads : core_processors();
        made = make_of(type, &r);
    }
    Py_XDECREF(r.path);
    Py_DECREF(r.folder);
    return made;
}

static int clear(PyObject *object)
{
    core_search *self = (core_search *)object;
    vxe_search_destroy(self->search);
    self->search = NULL;
    return 0;
}

static int visit_all(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void drop(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    core_free(self);
}

static PyObject *close_search(PyObject *object, PyObject *unused)
{
    core_search *self = (core_search *)object;
    (void)unused;
    if (self->search && !is_free(self)) {
        return NULL;
    }
    (void)clear(object);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return is_free((core_search *)self) ? Py_NewRef(self) : NULL;
}

/* A class of designs that was given as an argument; null with an exception. */
static PyTypeObject *kind_of(const core_search *self, PyObject *kind)
{
    PyObject *base = (PyObject *)self->state->design;
    const int is_kind = PyType_Check(kind) ? PyObject_IsSubclass(kind, base) : 0;
    if (is_kind == 0) {
        PyErr_Format(PyExc_TypeError, "expected a class of designs, not %R", kind);
    }
    return is_kind > 0 ? (PyTypeObject *)kind : NULL;
}

/* Copies of all bodies that were asked for. */
static PyObject *copy_asked(const core_search *self, PyTypeObject *kind, uint32_t count)
{
    vxe_error error = {.status = VXE_OK};
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list && i < count; i++) {
        vxe_design *copy = vxe_design_copy(vxe_search_asked(self->search, i), &error);
        PyObject *design = copy ? core_design_wrap(kind, copy) : core_raise(self->state, &error);
        if (!design || PyList_SetItem(list, (Py_ssize_t)i, design)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *ask(PyObject *object, PyObject *argument)
{
    core_search *self = (core_search *)object;
    PyTypeObject *kind = kind_of(self, argument);
    vxe_error error = {.status = VXE_OK};
    uint32_t count = 0;
    if (!kind || !is_free(self)) {
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_search_ask(self->search, &count, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    if (status) {
        return core_raise(self->state, &error);
    }
    PyObject *list = copy_asked(self, kind, count);
    if (!list) {
        vxe_search_withdraw(self->search);
    }
    return list;
}

static PyObject *tell(PyObject *object, PyObject *numbers)
{
    core_search *self = (core_search *)object;
    const core_shape shape = {1, {-1}};
    Py_buffer view;
    vxe_error error = {.status = VXE_OK};
    if (core_in(numbers, "fitness", CORE_FLOAT64, &shape, &view)) {
        return NULL;
    }
    if (view.shape[0] >= (Py_ssize_t)UINT32_MAX || !is_free(self)) {
        PyBuffer_Release(&view);
        return PyErr_Occurred() ? NULL
                                : PyErr_Format(PyExc_ValueError, "fitness: too many numbers");
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status =
        vxe_search_tell(self->search, view.buf, (uint32_t)view.shape[0], &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    PyBuffer_Release(&view);
    return status ? core_raise(self->state, &error) : Py_NewRef(Py_None);
}

static PyObject *withdraw(PyObject *object, PyObject *unused)
{
    core_search *self = (core_search *)object;
    (void)unused;
    if (!is_free(self)) {
        return NULL;
    }
    vxe_search_withdraw(self->search);
    Py_RETURN_NONE;
}

static bool look(const vxe_search_facts *facts, void *user)
{
    return core_watch_look(user, facts);
}

static PyObject *advance(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"progress", NULL};
    core_search *self = (core_search *)object;
    PyObject *progress = NULL;
    if (!core_parse(arguments, keywords, "|O:advance", names, &progress) || !is_free(self) ||
        !core_watch_takes(progress)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    core_watch w;
    bool stopped = false;
    self->busy = true;
    core_watch_begin(&w, self->state, CORE_SEARCH_FACTS, progress);
    const vxe_status status = vxe_search_advance(self->search, look, &w, &stopped, &error);
    core_watch_end(&w);
    self->busy = false;
    if (w.raised) {
        return NULL;
    }
    return status ? core_raise(self->state, &error) : PyBool_FromLong(!stopped);
}

static PyObject *checkpoint(PyObject *object, PyObject *unused)
{
    core_search *self = (core_search *)object;
    vxe_error error = {.status = VXE_OK};
    (void)unused;
    if (!is_free(self)) {
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_search_checkpoint(self->search, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    return status ? core_raise(self->state, &error) : Py_NewRef(Py_None);
}

static PyObject *extend(PyObject *object, PyObject *argument)
{
    core_search *self = (core_search *)object;
    vxe_error error = {.status = VXE_OK};
    const unsigned long long generations = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred() || !is_free(self)) {
        return NULL;
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_search_extend(self->search, generations, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    return status ? core_raise(self->state, &error) : Py_NewRef(Py_None);
}

static PyObject *best(PyObject *object, PyObject *argument)
{
    core_search *self = (core_search *)object;
    PyTypeObject *kind = kind_of(self, argument);
    vxe_error error = {.status = VXE_OK};
    vxe_design *design = NULL;
    if (!kind || !is_free(self)) {
        return NULL;
    }
    if (vxe_search_best(self->search, &design, &error)) {
        return core_raise(self->state, &error);
    }
    return design ? core_design_wrap(kind, design) : Py_NewRef(Py_None);
}

static PyObject *facts_of(PyObject *object, void *closure)
{
    core_search *self = (core_search *)object;
    (void)closure;
    if (!is_free(self)) {
        return NULL;
    }
    const vxe_search_facts facts = vxe_search_describe(self->search);
    return core_named_tuple(self->state, CORE_SEARCH_FACTS, &facts);
}

static PyObject *unit_of(PyObject *object, void *closure)
{
    const core_search *self = (const core_search *)object;
    (void)closure;
    return is_free(self) ? core_text(vxe_search_describe(self->search).unit.name) : NULL;
}

static PyObject *closed_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((core_search *)object)->search == NULL);
}

static PyGetSetDef attributes[] = {
    {"facts", facts_of, NULL, "SearchFacts: how far the search is, and its best", NULL},
    {"fitness_unit", unit_of, NULL, "unit of the fitness by the experiment's task, or \"\"", NULL},
    {"closed", closed_of, NULL, "whether the search was closed", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"ask_bodies", ask, METH_O,
     "ask_bodies(kind) -> list\n\nWhat ask does, with the class of the designs."},
    {"tell_numbers", tell, METH_O,
     "tell_numbers(fitness)\n\nWhat tell does, of an array (bodies,) of float64."},
    {"withdraw", withdraw, METH_NOARGS,
     "withdraw()\n\nGives up the generation that was asked for, if any. The next one has the same "
     "bodies."},
    {"advance", FUNCTION(advance), KEYWORDS,
     "advance(progress=None) -> bool\n\nCarries out one generation by the experiment's own task, "
     "and writes its rows. progress: called with SearchFacts now and then; where it returns False "
     "the generation is given up, and so is the answer. Ctrl-C gives it up too. The next one then "
     "has the same bodies."},
    {"checkpoint", checkpoint, METH_NOARGS,
     "checkpoint()\n\nWrites a checkpoint now, from which the search is resumed; without, it is "
     "from the last multiple of the experiment's checkpoint_interval."},
    {"extend", extend, METH_O,
     "extend(generations)\n\nPlans more generations behind those that were planned: a complete "
     "search goes on, as if it had been planned so from the start."},
    {"best_design", best, METH_O,
     "best_design(kind) -> Design or None\n\nWhat best is, with the class of the design."},
    {"close", close_search, METH_NOARGS, "close()\n\nLets go of the folder, which can be resumed."},
    {"__enter__", enter, METH_NOARGS, "The search itself."},
    {"__exit__", close_search, METH_VARARGS, "Closes the search."},
    {NULL, NULL, 0, NULL}};

int core_add_search(PyObject *module, core_state *state)
{
    PyType_Slot slots[] = {
        {Py_tp_doc,
         CORE_DOC("Search(experiment, text, folder, threads=0, resume=False)\n\nA search for "
                  "designs: an experiment by its path, or by its text. voxelastic.Search is easier "
                  "to use.")},
        {Py_tp_new, (void *)make},
        {Py_tp_dealloc, (void *)drop},
        {Py_tp_traverse, (void *)visit_all},
        {Py_tp_clear, (void *)clear},
        {Py_tp_getset, attributes},
        {Py_tp_methods, methods},
        {0, NULL}};
    state->search = core_add_type(module, "voxelastic._core.Search", sizeof(core_search),
                                  Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots, NULL);
    return state->search ? 0 : -1;
}
