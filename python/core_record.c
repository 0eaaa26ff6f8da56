/* SPDX-License-Identifier: MIT */
/* Frames, recordings and pictures as objects and functions. */
#include "core.h"

#include <string.h>

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)
/* Frames of a picture, and of one call that writes it. */
#define MAX_PANELS 64

typedef struct core_recorder {
    PyObject_HEAD core_state *state;
    vxe_recorder *recorder; /* null once closed */
    core_design *design;    /* must stay as it is while it is open */
    vxe_frame *frame;
    uint64_t frames;
    bool busy;
} core_recorder;

static PyObject *wrap_frame(core_state *state, vxe_frame *frame)
{
    core_frame *self = (core_frame *)core_allocate(state->frame);
    if (!self) {
        vxe_frame_destroy(frame);
        return NULL;
    }
    self->state = state;
    self->frame = frame;
    return (PyObject *)self;
}

PyObject *core_frame_of(core_state *state, const vxe_world *world)
{
    vxe_error error = {.status = VXE_OK};
    const vxe_world_facts facts = vxe_world_describe(world);
    vxe_frame *frame = vxe_frame_create(facts.voxels, facts.affine, &error);
    if (!frame) {
        return core_raise(state, &error);
    }
    vxe_frame_take(frame, world);
    return wrap_frame(state, frame);
}

static PyObject *make_frame(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    core_state *state = core_state_of(type);
    core_world *world = NULL;
    if (keywords && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "Frame takes a World");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "O!:Frame", state->world, &world) ||
        !core_world_is_free(world)) {
        return NULL;
    }
    return core_frame_of(state, world->world);
}

static void drop_frame(PyObject *self)
{
    vxe_frame_destroy(((core_frame *)self)->frame);
    core_free(self);
}

/* Arrays of a frame. */
typedef struct frame_array {
    size_t offset;
    Py_ssize_t width, depth; /* numbers for each voxel: 1, width, or width x depth */
    bool of_bodies;
} frame_array;

static const frame_array frame_arrays[] = {
    {offsetof(vxe_frame, position), 3, 1, false},  {offsetof(vxe_frame, orientation), 4, 1, false},
    {offsetof(vxe_frame, edge), 1, 1, false},      {offsetof(vxe_frame, strain), 3, 1, false},
    {offsetof(vxe_frame, stress), 3, 1, false},    {offsetof(vxe_frame, energy), 1, 1, false},
    {offsetof(vxe_frame, contact), 1, 1, false},   {offsetof(vxe_frame, place), 3, 1, true},
    {offsetof(vxe_frame, deformation), 3, 3, true}};

static PyObject *array_of(PyObject *object, void *closure)
{
    const core_frame *self = (const core_frame *)object;
    const frame_array *array = &frame_arrays[(uintptr_t)closure];
    const Py_ssize_t rows =
        (Py_ssize_t)(array->of_bodies ? self->frame->bodies : self->frame->voxels);
    const core_shape shape = {array->depth > 1   ? 3
                              : array->width > 1 ? 2
                                                 : 1,
                              {rows, array->width, array->depth}};
    const double *numbers = NULL;
    memcpy(&numbers, (const char *)self->frame + array->offset, sizeof numbers);
    return core_copied(self->state, CORE_FLOAT64, &shape, numbers);
}

static PyObject *time_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(((core_frame *)object)->frame->time);
}

static PyObject *step_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((core_frame *)object)->frame->step);
}

static PyGetSetDef frame_attributes[] = {
    {"time", time_of, NULL, "s", NULL},
    {"step", step_of, NULL, "number of steps so far", NULL},
    {"positions", array_of, NULL, "(voxels, 3) m: a copy", (void *)0},
    {"orientations", array_of, NULL, "(voxels, 4): unit quaternions w x y z, a copy", (void *)1},
    {"edges", array_of, NULL, "(voxels,) m: present edges, a copy", (void *)2},
    {"strains", array_of, NULL, "(voxels, 3): strain along the voxel's own axes, a copy",
     (void *)3},
    {"stresses", array_of, NULL, "(voxels, 3) Pa, a copy", (void *)4},
    {"energies", array_of, NULL, "(voxels,) J: elastic energy, a copy", (void *)5},
    {"contacts", array_of, NULL, "(voxels,) N: contact force, a copy", (void *)6},
    {"places", array_of, NULL, "(bodies, 3) m: centroids of affine bodies, a copy", (void *)7},
    {"deformations", array_of, NULL, "(bodies, 3, 3): of affine bodies, a copy", (void *)8},
    {NULL, NULL, NULL, NULL, NULL}};

/* Whether a recorder can be used. */
static bool is_open(const core_recorder *self)
{
    if (!self->recorder) {
        PyErr_SetString(PyExc_ValueError, "the recorder is closed");
    } else if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the recorder is in use by another thread: one thread at a time");
    }
    return self->recorder && !self->busy;
}

/* Lets go of the design and the frame. */
static void release(core_recorder *self)
{
    self->recorder = NULL;
    vxe_frame_destroy(self->frame);
    self->frame = NULL;
    if (self->design) {
        self->design->readers--;
        Py_CLEAR(self->design);
    }
}

static PyObject *make_recorder(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"design", "path", NULL};
    core_state *state = core_state_of(type);
    core_design *design = NULL;
    PyObject *path = NULL;
    if (!core_parse(arguments, keywords, "O!O&:Recorder", names, state->design, &design,
                    PyUnicode_FSConverter, &path)) {
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    core_recorder *self = NULL;
    if (!vxe_recorder_knows(name)) {
        PyErr_Format(PyExc_ValueError,
                     "%R: recordings are .html, .vxr, .pvd, .glb and .history files", path);
    } else if ((self = (core_recorder *)core_allocate(type))) {
        vxe_error error = {.status = VXE_OK};
        const vxe_design *of = design->design;
        self->state = state;
        self->design = (core_design *)Py_NewRef((PyObject *)design);
        design->readers++;
        self->frame = vxe_frame_create(of->voxel_count, of->affine_count, &error);
        self->recorder = self->frame ? vxe_recorder_create(of, name, &error) : NULL;
        if (!self->recorder) {
            (void)core_raise(state, &error);
            Py_CLEAR(self);
        }
    }
    Py_DECREF(path);
    return (PyObject *)self;
}

static int clear_recorder(PyObject *object)
{
    core_recorder *self = (core_recorder *)object;
    vxe_recorder_abandon(self->recorder);
    release(self);
    return 0;
}

static int visit_recorder(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT((PyObject *)((core_recorder *)object)->design);
    return 0;
}

/* Tells that a recorder was forgotten, as Python does of files: it leaves none. */
static void tell_forgotten(void)
{
    PyObject *type = NULL;
    PyObject *exception = NULL;
    PyObject *trace = NULL;
    PyErr_Fetch(&type, &exception, &trace);
    if (PyErr_WarnEx(PyExc_ResourceWarning, "a recorder was never closed: it leaves no file", 1)) {
        PyErr_WriteUnraisable(NULL);
    }
    PyErr_Restore(type, exception, trace);
}

static void drop_recorder(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    if (((core_recorder *)object)->recorder) {
        tell_forgotten();
    }
    (void)clear_recorder(object);
    core_free(object);
}

static PyObject *add(PyObject *object, PyObject *what)
{
    core_recorder *self = (core_recorder *)object;
    const vxe_frame *frame = self->frame;
    if (!is_open(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    if (PyObject_TypeCheck(what, self->state->frame)) {
        frame = ((core_frame *)what)->frame;
    } else if (PyObject_TypeCheck(what, self->state->world)) {
        const core_world *world = (const core_world *)what;
        if (!core_world_is_free(world)) {
            return NULL;
        }
        const vxe_world_facts facts = vxe_world_describe(world->world);
        if (vxe_frame_fits(self->frame, facts.voxels, facts.affine, &error)) {
            return core_raise(self->state, &error);
        }
        vxe_frame_take(self->frame, world->world);
    } else {
        return PyErr_Format(PyExc_TypeError, "expected a World or a Frame, not %R", what);
    }
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_recorder_add(self->recorder, frame, &error);
    PyEval_RestoreThread(thread);
    self->busy = false;
    if (status) {
        return core_raise(self->state, &error);
    }
    self->frames++;
    Py_RETURN_NONE;
}

static PyObject *note(PyObject *object, PyObject *argument)
{
    core_recorder *self = (core_recorder *)object;
    const char *text = PyUnicode_AsUTF8AndSize(argument, NULL);
    if (!text || !is_open(self)) {
        return NULL;
    }
    vxe_recorder_note(self->recorder, text);
    Py_RETURN_NONE;
}

static PyObject *close_recorder(PyObject *object, PyObject *unused)
{
    core_recorder *self = (core_recorder *)object;
    (void)unused;
    if (!self->recorder) {
        Py_RETURN_NONE;
    }
    if (!is_open(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    self->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_recorder_close(self->recorder, &error); /* frees it in any case */
    PyEval_RestoreThread(thread);
    self->busy = false;
    release(self);
    if (status) {
        return core_raise(self->state, &error);
    }
    Py_RETURN_NONE;
}

static PyObject *abandon(PyObject *object, PyObject *unused)
{
    core_recorder *self = (core_recorder *)object;
    (void)unused;
    if (self->recorder && !is_open(self)) {
        return NULL;
    }
    (void)clear_recorder(object);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return is_open((core_recorder *)self) ? Py_NewRef(self) : NULL;
}

/* What an exception leaves unfinished is no recording. */
static PyObject *leave(PyObject *self, PyObject *arguments)
{
    PyObject *exception = PyTuple_GetItem(arguments, 0);
    if (!exception) {
        return NULL;
    }
    return exception == Py_None ? close_recorder(self, NULL) : abandon(self, NULL);
}

static PyObject *frames_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((core_recorder *)object)->frames);
}

static PyObject *closed_of(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((core_recorder *)object)->recorder == NULL);
}

static PyGetSetDef recorder_attributes[] = {
    {"frames", frames_of, NULL, "number of frames so far", NULL},
    {"closed", closed_of, NULL, "whether the recorder was closed or abandoned", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef recorder_methods[] = {
    {"add", add, METH_O,
     "add(what)\n\nAdds the present state of a World of the design, or a Frame, as a frame."},
    {"note", note, METH_O,
     "note(text)\n\nAdds a note on how the run ended, such as \"diverged\". Pages show it; other "
     "formats ignore it."},
    {"close", close_recorder, METH_NOARGS, "close()\n\nCompletes the file."},
    {"abandon", abandon, METH_NOARGS, "abandon()\n\nEnds the recording, and leaves no file."},
    {"__enter__", enter, METH_NOARGS, "The recorder itself."},
    {"__exit__", leave, METH_VARARGS,
     "Completes the file; where an exception ended the block, leaves none."},
    {NULL, NULL, 0, NULL}};

static PyObject *picture(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    core_state *state = PyModule_GetState(module);
    core_design *design = NULL;
    PyObject *list = NULL;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OO&:picture", state->design, &design, &list,
                          PyUnicode_FSConverter, &path)) {
        return NULL;
    }
    const vxe_frame *frames[MAX_PANELS];
    const Py_ssize_t count = PyTuple_Check(list) ? PyTuple_Size(list) : -1;
    vxe_picture_def def = vxe_picture_def_default();
    void *const structures[2] = {&def, NULL};
    const core_section *const sections[2] = {&core_sections[CORE_PICTURE_DEF], NULL};
    int failed = core_take_keywords(keywords, "picture", structures, sections);
    if (!failed && (count < 1 || count > MAX_PANELS)) {
        PyErr_Format(PyExc_ValueError, "a picture shows a tuple of 1 to %d frames", MAX_PANELS);
        failed = -1;
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *item = PyTuple_GetItem(list, i);
        if (!PyObject_TypeCheck(item, state->frame)) {
            PyErr_Format(PyExc_TypeError, "expected a Frame, not %R", item);
            failed = -1;
        } else {
            frames[i] = ((core_frame *)item)->frame;
        }
    }
    vxe_error error = {.status = VXE_OK};
    const char *name = PyBytes_AsString(path);
    if (!failed) {
        design->readers++;
        PyThreadState *thread = PyEval_SaveThread();
        const vxe_status status =
            vxe_picture_write(design->design, frames, (uint32_t)count, &def, name, &error);
        PyEval_RestoreThread(thread);
        design->readers--;
        if (status) {
            (void)core_raise(state, &error);
            failed = -1;
        }
    }
    Py_DECREF(path);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *draw(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    core_state *state = PyModule_GetState(module);
    core_design *design = NULL;
    core_frame *frame = NULL;
    vxe_picture_def def = vxe_picture_def_default();
    void *const structures[2] = {&def, NULL};
    const core_section *const sections[2] = {&core_sections[CORE_PICTURE_DEF], NULL};
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "O!O!:draw", state->design, &design, state->frame, &frame) ||
        core_take_keywords(keywords, "draw", structures, sections)) {
        return NULL;
    }
    const core_shape shape = {3, {(Py_ssize_t)def.height, (Py_ssize_t)def.width, 3}};
    PyObject *pixels = core_out(state, NULL, "pixels", CORE_UINT8, &shape, &view);
    if (!pixels) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    design->readers++;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status =
        vxe_picture_draw(design->design, frame->frame, &def, view.buf, &error);
    PyEval_RestoreThread(thread);
    design->readers--;
    PyBuffer_Release(&view);
    if (status) {
        Py_DECREF(pixels);
        return core_raise(state, &error);
    }
    return pixels;
}

/* All frames of a record; null with an exception. */
static PyObject *frames_in(core_state *state, vxe_vxr *record)
{
    const vxe_design *design = vxe_vxr_design(record);
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; list && i < vxe_vxr_frame_count(record); i++) {
        vxe_error error = {.status = VXE_OK};
        vxe_frame *frame = vxe_frame_create(design->voxel_count, design->affine_count, &error);
        if (!frame || vxe_vxr_read(record, i, frame, &error)) {
            vxe_frame_destroy(frame);
            (void)core_raise(state, &error);
            Py_CLEAR(list);
            break;
        }
        PyObject *object = wrap_frame(state, frame);
        if (!object || PyList_Append(list, object)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(object);
    }
    return list;
}

static PyObject *read_record(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    PyTypeObject *type = NULL;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O&:read_record", &PyType_Type, &type, PyUnicode_FSConverter,
                          &path)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    if (!PyType_IsSubtype(type, state->design)) {
        PyErr_SetString(PyExc_TypeError, "read_record takes a subclass of Design");
        Py_DECREF(path);
        return NULL;
    }
    vxe_vxr *record = vxe_vxr_open(PyBytes_AsString(path), &error);
    Py_DECREF(path);
    if (!record) {
        return core_raise(state, &error);
    }
    vxe_design *copy = vxe_design_copy(vxe_vxr_design(record), &error);
    PyObject *design = copy ? core_design_wrap(type, copy) : core_raise(state, &error);
    PyObject *frames = design ? frames_in(state, record) : NULL;
    const bool cut = vxe_vxr_is_cut(record);
    vxe_vxr_destroy(record);
    PyObject *all =
        frames ? Py_BuildValue("(OOO)", design, frames, cut ? Py_True : Py_False) : NULL;
    Py_XDECREF(design);
    Py_XDECREF(frames);
    return all;
}

PyMethodDef core_record_functions[] = {
    {"picture", FUNCTION(picture), KEYWORDS,
     "picture(design, frames, path, **choices)\n\nDraws up to 64 frames of a design side by side, "
     "as .png or .svg. width, height: pixels of each panel; coloring: material, strain, phase, "
     "contact or energy; range: end of the colour scale; azimuth, elevation: degrees; edges, "
     "caption: whether they are drawn."},
    {"draw", FUNCTION(draw), KEYWORDS,
     "draw(design, frame, **choices) -> array\n\n(height, width, 3) uint8: a frame as a picture, "
     "red, green and blue, from the top. Choices: those of picture."},
    {"read_record", read_record, METH_VARARGS,
     "read_record(kind, path) -> (design, frames, cut)\n\nReads a record (.vxr). cut: whether the "
     "end of the file is missing or damaged."},
    {NULL, NULL, 0, NULL}};

int core_add_records(PyObject *module, core_state *state)
{
    PyType_Slot frame[] = {
        {Py_tp_doc, CORE_DOC("Frame(world)\n\nWhat recordings keep of a run at one instant: pose, "
                             "edge and load of each voxel, and the pose of each affine body. Its "
                             "arrays are copies.")},
        {Py_tp_new, (void *)make_frame},
        {Py_tp_dealloc, (void *)drop_frame},
        {Py_tp_getset, frame_attributes},
        {0, NULL}};
    PyType_Slot recorder[] = {
        {Py_tp_doc,
         CORE_DOC("Recorder(design, path)\n\nRecords a run in the format that the name of the file "
                  "asks for: .html (replay page), .vxr (record), .pvd (ParaView), .glb (animated "
                  "glTF), .history (voxcraft's viewer). The file appears when the recorder is "
                  "closed; the design can not be changed until then. Use it in a `with` block.")},
        {Py_tp_new, (void *)make_recorder},
        {Py_tp_dealloc, (void *)drop_recorder},
        {Py_tp_traverse, (void *)visit_recorder},
        {Py_tp_clear, (void *)clear_recorder},
        {Py_tp_getset, recorder_attributes},
        {Py_tp_methods, recorder_methods},
        {0, NULL}};
    state->frame = core_add_type(module, "voxelastic.Frame", sizeof(core_frame), 0, frame, NULL);
    state->recorder = core_add_type(module, "voxelastic.Recorder", sizeof(core_recorder),
                                    Py_TPFLAGS_HAVE_GC, recorder, NULL);
    return state->frame && state->recorder ? 0 : -1;
}
