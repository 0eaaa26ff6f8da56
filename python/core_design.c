/* SPDX-License-Identifier: MIT */
/* Designs as objects: made, read, written, copied, and what is true of a design as a whole. */
#include "core.h"

#include <string.h>

bool core_may_change(const core_design *design)
{
    if (design->readers > 0) {
        PyErr_SetString(
            PyExc_RuntimeError,
            "the design is in use, by a batch, a team, a recorder or another thread: change a "
            "copy of it, or close what uses it");
        return false;
    }
    return true;
}

PyObject *core_design_wrap(PyTypeObject *type, vxe_design *design)
{
    core_design *self = (core_design *)core_allocate(type);
    if (!self) {
        vxe_design_destroy(design);
        return NULL;
    }
    self->state = core_state_of(type);
    self->design = design;
    return (PyObject *)self;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"voxel_size", NULL};
    double size = 0;
    vxe_design *design = vxe_design_create();
    if (!design) {
        return PyErr_NoMemory();
    }
    size = design->voxel_size;
    if (!core_parse(arguments, keywords, "|d:Design", names, &size)) {
        vxe_design_destroy(design);
        return NULL;
    }
    design->voxel_size = size;
    return core_design_wrap(type, design);
}

static void drop(PyObject *self)
{
    vxe_design_destroy(((core_design *)self)->design);
    core_free(self);
}

/* Tells of keys that no reader knows: likely mistakes in a file of ours. */
static int tell_mistakes(core_state *state, const vxe_design *design)
{
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        if (vxe_design_note_is_mistake(design, i) && core_warn(state, vxe_design_note(design, i))) {
            return -1;
        }
    }
    return 0;
}

/* Makes an object of a design that was read; null with an exception where there is none. */
static PyObject *take(PyTypeObject *type, vxe_design *design, const vxe_error *error)
{
    if (!design) {
        return core_raise(core_state_of(type), error);
    }
    PyObject *self = core_design_wrap(type, design);
    if (self && tell_mistakes(core_state_of(type), design)) {
        Py_CLEAR(self);
    }
    return self;
}

static PyObject *read_file(PyObject *type, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"path", "lenient", NULL};
    PyObject *path = NULL;
    int lenient = 0;
    if (!core_parse(arguments, keywords, "O&|p:read", names, PyUnicode_FSConverter, &path,
                    &lenient)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    vxe_design *design =
        lenient ? vxe_design_read_leniently(name, &error) : vxe_design_read(name, &error);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    return take((PyTypeObject *)type, design, &error);
}

static PyObject *read_text(PyObject *type, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"text", "name", NULL};
    const char *text = NULL;
    const char *name = "<text>";
    Py_ssize_t size = 0;
    if (!core_parse(arguments, keywords, "s#|s:read_text", names, &text, &size, &name)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    vxe_design *design = vxe_design_read_text(text, (uint64_t)size, name, &error);
    return take((PyTypeObject *)type, design, &error);
}

static PyObject *from_bytes(PyObject *type, PyObject *arguments)
{
    Py_buffer view;
    const char *name = NULL;
    if (!PyArg_ParseTuple(arguments, "y*s:from_bytes", &view, &name)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    vxe_design *design = vxe_design_read_bytes(view.buf, (uint64_t)view.len, name, &error);
    PyBuffer_Release(&view);
    return take((PyTypeObject *)type, design, &error);
}

static PyObject *to_bytes(PyObject *self, PyObject *name)
{
    core_design *design = (core_design *)self;
    const char *kind = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    vxe_error error = {.status = VXE_OK};
    uint64_t size = 0;
    char *bytes = NULL;
    if (!kind) {
        PyErr_SetString(PyExc_TypeError, "to_bytes: expected a name, such as \"robot.vxa\"");
        return NULL;
    }
    if (vxe_design_write_bytes(design->design, kind, &bytes, &size, &error)) {
        return core_raise(design->state, &error);
    }
    PyObject *made = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    vxe_memory_release(bytes);
    return made;
}

static PyObject *text_of(PyObject *self, PyObject *unused)
{
    (void)unused;
    core_design *design = (core_design *)self;
    vxe_error error = {.status = VXE_OK};
    uint64_t size = 0;
    char *text = vxe_design_text(design->design, &size, &error);
    if (!text) {
        return core_raise(design->state, &error);
    }
    PyObject *made = PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace");
    vxe_memory_release(text);
    return made;
}

static PyObject *write_file(PyObject *self, PyObject *argument)
{
    core_design *design = (core_design *)self;
    PyObject *path = NULL;
    if (!PyUnicode_FSConverter(argument, &path)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    const char *name = PyBytes_AsString(path);
    design->readers++;
    PyThreadState *thread = PyEval_SaveThread();
    const vxe_status status = vxe_design_write(design->design, name, &error);
    PyEval_RestoreThread(thread);
    design->readers--;
    Py_DECREF(path);
    if (status) {
        return core_raise(design->state, &error);
    }
    Py_RETURN_NONE;
}

static PyObject *copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    core_design *design = (core_design *)self;
    vxe_error error = {.status = VXE_OK};
    vxe_design *made = vxe_design_copy(design->design, &error);
    return made ? core_design_wrap(Py_TYPE(self), made) : core_raise(design->state, &error);
}

static PyObject *check(PyObject *self, PyObject *unused)
{
    (void)unused;
    core_design *design = (core_design *)self;
    vxe_error error = {.status = VXE_OK};
    if (vxe_design_check(design->design, &error)) {
        return core_raise(design->state, &error);
    }
    Py_RETURN_NONE;
}

static const struct {
    const char *name;
    vxe_formula which;
} formulas[VXE_FORMULAS] = {
    {"force_x", VXE_FORMULA_FORCE_X},         {"force_y", VXE_FORMULA_FORCE_Y},
    {"force_z", VXE_FORMULA_FORCE_Z},         {"stop", VXE_FORMULA_STOP},
    {"fitness", VXE_FORMULA_FITNESS},         {"field_x", VXE_FORMULA_FIELD_X},
    {"field_y", VXE_FORMULA_FIELD_Y},         {"field_z", VXE_FORMULA_FIELD_Z},
    {"gradient_xx", VXE_FORMULA_GRADIENT_XX}, {"gradient_yy", VXE_FORMULA_GRADIENT_YY},
    {"gradient_xy", VXE_FORMULA_GRADIENT_XY}, {"gradient_xz", VXE_FORMULA_GRADIENT_XZ},
    {"gradient_yz", VXE_FORMULA_GRADIENT_YZ}};

/* Sets one formula, if it can be read; else the one before stays. */
static int set_formula(core_design *design, vxe_formula which, const char *text)
{
    vxe_error error = {.status = VXE_OK};
    vxe_design *trial = vxe_design_create();
    if (!trial) {
        PyErr_NoMemory();
        return -1;
    }
    vxe_status status = vxe_design_set_formula(trial, which, text, &error);
    const bool judges = which == VXE_FORMULA_STOP || which == VXE_FORMULA_FITNESS;
    if (!status && text && judges) { /* worlds check the others */
        status = vxe_design_formula_check(trial, which, &error);
    }
    vxe_design_destroy(trial);
    status = status ? status : vxe_design_set_formula(design->design, which, text, &error);
    if (status) {
        (void)core_raise(design->state, &error);
    }
    return status ? -1 : 0;
}

static PyObject *put_formulas(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    core_design *design = (core_design *)self;
    PyObject *key = NULL;
    PyObject *value = NULL;
    Py_ssize_t at = 0;
    if (PyTuple_Size(arguments) > 0) {
        PyErr_SetString(PyExc_TypeError, "formula takes keyword arguments only");
        return NULL;
    }
    if (!core_may_change(design)) {
        return NULL;
    }
    while (keywords && PyDict_Next(keywords, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        int i = 0;
        while (name && i < VXE_FORMULAS && strcmp(formulas[i].name, name) != 0) {
            i++;
        }
        if (!name || i == VXE_FORMULAS) {
            return name ? PyErr_Format(PyExc_TypeError, "there is no formula '%s'", name) : NULL;
        }
        const char *text = NULL;
        if (value != Py_None && !(text = PyUnicode_AsUTF8AndSize(value, NULL))) {
            return NULL;
        }
        if (set_formula(design, formulas[i].which, text)) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *formulas_of(PyObject *self, void *closure)
{
    (void)closure;
    const vxe_design *design = ((core_design *)self)->design;
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < VXE_FORMULAS; i++) {
        const char *text = design->formulas[formulas[i].which];
        PyObject *value = text ? core_text(text) : NULL;
        if (text && (!value || PyDict_SetItemString(all, formulas[i].name, value))) {
            Py_CLEAR(all);
        }
        Py_XDECREF(value);
    }
    return all;
}

static PyObject *hash_of(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(vxe_design_hash(((core_design *)self)->design));
}

static PyObject *notes_of(PyObject *self, void *closure)
{
    (void)closure;
    const vxe_design *design = ((core_design *)self)->design;
    const uint32_t count = vxe_design_note_count(design);
    PyObject *notes = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; notes && i < count; i++) {
        PyObject *note = core_text(vxe_design_note(design, i));
        if (!note || PyTuple_SetItem(notes, (Py_ssize_t)i, note)) {
            Py_CLEAR(notes);
        }
    }
    return notes;
}

static PyObject *conventions_of(PyObject *self, void *closure)
{
    (void)closure;
    return core_text(((core_design *)self)->design->written_for);
}

static int put_conventions(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    core_design *design = (core_design *)self;
    vxe_error error = {.status = VXE_OK};
    vxe_conventions rules;
    const char *text =
        value && PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    if (!text) {
        PyErr_SetString(PyExc_TypeError, "Design: conventions must be a text");
        return -1;
    }
    if (!core_may_change(design)) {
        return -1;
    }
    if (vxe_conventions_parse(text, &rules, &error)) {
        (void)core_raise(design->state, &error);
        return -1;
    }
    vxe_design_mark(design->design, rules.name, "the program that made it says so", false);
    return 0;
}

static PyObject *voxels_of(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(((core_design *)self)->design->voxel_count);
}

static PyObject *unit_of(PyObject *self, void *closure)
{
    (void)closure;
    return core_text(vxe_design_fitness_unit(((core_design *)self)->design).name);
}

static PyObject *materials_of(PyObject *self, void *closure)
{
    (void)closure;
    core_design *design = (core_design *)self;
    PyObject *views = PyTuple_New((Py_ssize_t)design->design->material_count);
    for (uint32_t i = 0; views && i < design->design->material_count; i++) {
        PyObject *view = core_view_of(design, CORE_MATERIAL, i);
        if (!view || PyTuple_SetItem(views, (Py_ssize_t)i, view)) {
            Py_CLEAR(views);
        }
    }
    return views;
}

static PyObject *part_of(PyObject *self, void *closure)
{
    return core_view_of((core_design *)self, (core_section_index)(uintptr_t)closure, 0);
}

static const core_field plain[] = {
    {"name", CORE_TEXT, offsetof(vxe_design, name), sizeof((vxe_design *)0)->name, {NULL}},
    {"voxel_size", CORE_DOUBLE, offsetof(vxe_design, voxel_size), 1, {NULL}},
    {"gravity", CORE_DOUBLE, offsetof(vxe_design, gravity), 3, {NULL}},
    {"volume_effects", CORE_BOOL, offsetof(vxe_design, volume_effects), 1, {NULL}},
    {"self_collision", CORE_BOOL, offsetof(vxe_design, self_collision), 1, {NULL}},
    {"pair_distance", CORE_DOUBLE, offsetof(vxe_design, pair_distance), 1, {NULL}},
    {"file_origin", CORE_DOUBLE, offsetof(vxe_design, file_origin), 3, {NULL}}};

static PyObject *value_of(PyObject *self, void *closure)
{
    return core_field_read(((core_design *)self)->design, &plain[(uintptr_t)closure]);
}

static int put_value(PyObject *self, PyObject *value, void *closure)
{
    core_design *design = (core_design *)self;
    const core_field *field = &plain[(uintptr_t)closure];
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "Design: %s can not be deleted", field->name);
        return -1;
    }
    return core_may_change(design) ? core_field_write(design->design, field, "Design", value) : -1;
}

static PyGetSetDef attributes[] = {
    {"name", value_of, put_value, "text: the name of the design, which does not act", (void *)0},
    {"voxel_size", value_of, put_value, "a, m: the lattice's edge", (void *)1},
    {"gravity", value_of, put_value, "(x, y, z) m/s^2", (void *)2},
    {"volume_effects", value_of, put_value,
     "whether Poisson's ratio couples the bonds of a voxel; else it acts on torsion only",
     (void *)3},
    {"self_collision", value_of, put_value,
     "whether voxels that are not neighbours at rest push each other apart", (void *)4},
    {"pair_distance", value_of, put_value,
     "in edges of the lattice: formulas count two targets as a pair if they are closer; 0: none",
     (void *)5},
    {"file_origin", value_of, put_value,
     "(x, y, z) m: design coordinates minus this are coordinates of the file", (void *)6},
    {"conventions", conventions_of, put_conventions,
     "the rules of the simulator that the design was made for, which a run follows where its "
     "caller chooses none; \"native\": ours",
     NULL},
    {"voxels", voxels_of, NULL, "number of voxels", NULL},
    {"materials", materials_of, NULL, "(Material, ...): what is assigned to them is assigned here",
     NULL},
    {"floor", part_of, NULL, "Floor", (void *)CORE_FLOOR},
    {"fluid", part_of, NULL, "Fluid", (void *)CORE_FLUID},
    {"magnetics", part_of, NULL, "Magnetics", (void *)CORE_MAGNETICS},
    {"actuation", part_of, NULL, "Actuation; actuation(period=0.25, amplitude=10) switches it on",
     (void *)CORE_ACTUATION},
    {"stop", part_of, NULL, "Stop: when a run of it ends", (void *)CORE_STOP},
    {"time_step", part_of, NULL, "TimeStep", (void *)CORE_TIME_STEP},
    {"formulas", formulas_of, NULL, "{name: text} of the formulas that are set; see formula", NULL},
    {"fitness_unit", unit_of, NULL, "unit of the fitness, as far as its formula tells, or \"\"",
     NULL},
    {"hash", hash_of, NULL,
     "a hash of everything but the notes: equal for equal designs, on every machine", NULL},
    {"notes", notes_of, NULL, "(text, ...): what was ignored or assumed when its file was read",
     NULL},
    {NULL, NULL, NULL, NULL, NULL}};

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

static PyMethodDef own_methods[] = {
    {"read", FUNCTION(read_file), METH_CLASS | KEYWORDS,
     "read(path, lenient=False) -> Design\n\nReads a design: .vxa, .vxc, .vxd, .json, .vox, .npy "
     "or "
     ".npz. What was ignored in the file is in `notes`. lenient: voxels whose material is not in "
     "the palette are left out."},
    {"read_text", FUNCTION(read_text), METH_CLASS | KEYWORDS,
     "read_text(text, name=\"<text>\") -> Design\n\nReads a design from the text of a .vxa or .vxc "
     "file, or of a .json file of any format; messages name it by name."},
    {"from_bytes", from_bytes, METH_CLASS | METH_VARARGS,
     "from_bytes(data, name) -> Design\n\nReads a design from the bytes of a file, of the kind "
     "that "
     "the name ends in, such as \"robot.vxa\"; messages name it by name."},
    {"to_bytes", to_bytes, METH_O,
     "to_bytes(name) -> bytes\n\nThe bytes of the file that write would write under that name."},
    {"text", text_of, METH_NOARGS,
     "text() -> str\n\nThe design as a scene in JSON, which read_text reads: all of it to the last "
     "bit, but for notes."},
    {"write", write_file, METH_O,
     "write(path)\n\nWrites the design: a scene (.json) has all of it; .vxa, .vxc, .vxl.json, "
     ".evogym.json and .vox what these formats can express."},
    {"copy", copy, METH_NOARGS, "copy() -> Design\n\nA deep copy."},
    {"check", check, METH_NOARGS,
     "check()\n\nRaises InvalidInput where a number of the design or of a material is out of its "
     "range."},
    {"formula", FUNCTION(put_formulas), KEYWORDS,
     "formula(**formulas)\n\nSets formulas, as text; None removes one. force_x, force_y, force_z: "
     "N "
     "on each voxel, of x, y, z (m) and t (s); stop: a run ends when it is above 0; fitness; "
     "field_x ... and gradient_xx ...: the external magnetic field, T and T/m, of t."},
    {NULL, NULL, 0, NULL}};

int core_add_design(PyObject *module, core_state *state)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, CORE_DOC("Design(voxel_size=0.01)\n\nA design: the description of what is "
                             "simulated. Voxel (i, j, k) has its centre at ((i+1/2)a, (j+1/2)a, "
                             "(k+1/2)a) with a = voxel_size (m); the floor is z = 0 unless its "
                             "height says otherwise. Gravity is 9.81 m/s^2 down.")},
        {Py_tp_new, (void *)make},
        {Py_tp_dealloc, (void *)drop},
        {Py_tp_getset, attributes},
        {Py_tp_methods, own_methods},
        {0, NULL}};
    state->design = core_add_type(module, "voxelastic._core.Design", sizeof(core_design),
                                  Py_TPFLAGS_BASETYPE, slots, core_design_body_methods);
    return state->design ? 0 : -1;
}
