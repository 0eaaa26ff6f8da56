/* SPDX-License-Identifier: MIT */
/* Structures of the library as objects: materials and other parts of a design as views whose
   attributes are read and written, results as named tuples, choices of a run as keyword arguments.
   All go by the tables of core_fields.h, which are made from the headers. */
#include "core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static PyObject *core_view_value(PyObject *self, void *closure);
static int core_view_assign(PyObject *self, PyObject *value, void *closure);
static PyObject *core_material_curve(PyObject *self, void *closure);
static int core_material_set_curve(PyObject *self, PyObject *value, void *closure);

#include "core_fields.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
#define VIEW(name, key, at, about)                                                                 \
    {                                                                                              \
        name, about, core_##key##_fields, COUNT(core_##key##_fields), core_##key##_getset, NULL,   \
            at, sizeof(vxe_##key)                                                                  \
    }
#define FACTS(name, key, about)                                                                    \
    {                                                                                              \
        name, about, core_##key##_fields, COUNT(core_##key##_fields), NULL, core_##key##_names, 0, \
            0                                                                                      \
    }
#define CHOICES(name, key)                                                                         \
    {                                                                                              \
        name, NULL, core_##key##_fields, COUNT(core_##key##_fields), NULL, NULL, 0, 0              \
    }

const core_section core_sections[CORE_SECTIONS] = {
    [CORE_MATERIAL] =
        VIEW("voxelastic.Material", material, 0,
             "Material(**numbers)\n\nThe material of voxels: a soft rubber, but for the numbers "
             "that are given as keyword arguments. Those of a design, `design.materials`, are part "
             "of it: what is assigned to them changes the design. Numbers are checked here, and "
             "again where a design is simulated or written."),
    [CORE_FLOOR] =
        VIEW("voxelastic.Floor", floor, offsetof(vxe_design, floor),
             "The floor of a design: z = height + slope[0] x + slope[1] y + heights(x, "
             "y). Called with keyword arguments it sets several numbers, and is enabled."),
    [CORE_FLUID] = VIEW("voxelastic.Fluid", fluid, offsetof(vxe_design, fluid),
                        "A fluid at rest around the bodies. The drag on a free face that moves "
                        "along its outward normal is rho C_d A v_n^2/2 against the normal. Called "
                        "with keyword arguments it sets several numbers, and is enabled."),
    [CORE_MAGNETICS] = VIEW("voxelastic.Magnetics", magnetics, offsetof(vxe_design, magnetics),
                            "Magnets: voxels with a magnetic moment are dipoles at their centres. "
                            "Called with keyword arguments it sets several numbers, and is "
                            "enabled."),
    [CORE_ACTUATION] =
        VIEW("voxelastic.Actuation", actuation, offsetof(vxe_design, actuation),
             "Actuation by temperature: T(t) = base + amplitude sin(2 pi t / period + phase). The "
             "expansion of a voxel is its coefficient of expansion times T - base. Called with "
             "keyword arguments it sets several numbers, and is enabled."),
    [CORE_STOP] = VIEW("voxelastic.Stop", stop, offsetof(vxe_design, stop),
                       "When a run ends: at the first condition that is met. Called with keyword "
                       "arguments it sets several numbers."),
    [CORE_TIME_STEP] = VIEW("voxelastic.TimeStep", time_step, offsetof(vxe_design, time_step),
                            "What the design says of the time step. Called with keyword arguments "
                            "it sets several numbers."),
    [CORE_WORLD_FACTS] =
        FACTS("voxelastic.WorldFacts", world_facts, "What does not change about a world."),
    [CORE_ENERGY] = FACTS("voxelastic.Energy", energy,
                          "Energies in J. The potentials are always there; `time`, what ends in "
                          "`_sync`, dissipation, work and balance need audit=True, and count from "
                          "the start."),
    [CORE_BATCH_RESULT] = FACTS("voxelastic.RobotResult", batch_result,
                                "The result of a robot. Use numbers of robots that are DONE only."),
    [CORE_BATCH_FACTS] = FACTS("voxelastic.BatchFacts", batch_facts,
                               "What a batch computes with, and its work so far."),
    [CORE_PROGRESS] = FACTS("voxelastic.Progress", batch_progress, "How far a batch is."),
    [CORE_WORLD_DEF] = CHOICES("World", world_def),
    [CORE_BATCH_DEF] = CHOICES("Batch", batch_def),
    [CORE_PICTURE_DEF] = CHOICES("picture", picture_def)};

/* One number of a member; i counts within an array. */
static PyObject *read_one(const char *at, const core_field *field, size_t i)
{
    int value = 0;
    switch (field->kind) {
    case CORE_DOUBLE:
        return PyFloat_FromDouble(((const double *)(const void *)at)[i]);
    case CORE_FLOAT:
        return PyFloat_FromDouble((double)((const float *)(const void *)at)[i]);
    case CORE_U32:
        return PyLong_FromUnsignedLong(((const uint32_t *)(const void *)at)[i]);
    case CORE_U64:
        return PyLong_FromUnsignedLongLong(((const uint64_t *)(const void *)at)[i]);
    case CORE_BOOL:
        return PyBool_FromLong(((const bool *)(const void *)at)[i]);
    case CORE_TEXT:
        return core_text(at);
    case CORE_POINTER: {
        const char *text = *(const char *const *)(const void *)at;
        return core_text(text ? text : "");
    }
    case CORE_INTEGER:
    case CORE_CHOICE:
    case CORE_SIGNED:
        memcpy(&value, at, sizeof value);
        break;
    }
    if (field->kind == CORE_INTEGER) {
        return PyLong_FromLong(value);
    }
    value += field->kind == CORE_SIGNED;
    const bool known = value >= 0 && value < CORE_MAX_WORDS && field->words[value];
    return known ? core_text(field->words[value]) : PyLong_FromLong(value);
}

PyObject *core_field_read(const void *structure, const core_field *field)
{
    const char *at = (const char *)structure + field->offset;
    if (field->count == 1 || field->kind == CORE_TEXT) {
        return read_one(at, field, 0);
    }
    PyObject *tuple = PyTuple_New((Py_ssize_t)field->count);
    for (size_t i = 0; tuple && i < field->count; i++) {
        PyObject *value = read_one(at, field, i);
        if (!value || PyTuple_SetItem(tuple, (Py_ssize_t)i, value)) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

/* Says what was expected of a value, in the place of whatever Python said. */
static int refuse(const char *owner, const core_field *field, const char *expected, PyObject *value,
                  PyObject *exception)
{
    PyErr_Clear();
    PyErr_Format(exception, "%s: %s must be %s, not %R", owner, field->name, expected, value);
    return -1;
}

static int write_whole(char *at, const core_field *field, const char *owner, PyObject *value)
{
    const unsigned long long max = field->kind == CORE_U32 ? UINT32_MAX : UINT64_MAX;
    PyObject *index = PyNumber_Index(value);
    if (!index) {
        return refuse(owner, field, "a whole number", value, PyExc_TypeError);
    }
    const unsigned long long number = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (PyErr_Occurred() || number > max) {
        return refuse(owner, field,
                      field->kind == CORE_U32 ? "from 0 to 2^32 - 1" : "from 0 to 2^64 - 1", value,
                      PyExc_ValueError);
    }
    if (field->kind == CORE_U32) {
        *(uint32_t *)(void *)at = (uint32_t)number;
    } else {
        *(uint64_t *)(void *)at = number;
    }
    return 0;
}

static int write_word(char *at, const core_field *field, const char *owner, PyObject *value)
{
    char expected[128] = "one of";
    size_t used = strlen(expected);
    const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    for (int i = 0; i < CORE_MAX_WORDS && field->words[i]; i++) {
        if (text && strcmp(text, field->words[i]) == 0) {
            const int number = i - (field->kind == CORE_SIGNED);
            memcpy(at, &number, sizeof number);
            return 0;
        }
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s \"%s\"", i ? "," : "",
                                 field->words[i]);
    }
    return refuse(owner, field, expected, value,
                  PyUnicode_Check(value) ? PyExc_ValueError : PyExc_TypeError);
}

static int write_text(char *at, const core_field *field, const char *owner, PyObject *value)
{
    Py_ssize_t size = 0;
    const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
    if (!text || strlen(text) != (size_t)size) {
        return refuse(owner, field, "a text without null characters", value,
                      PyUnicode_Check(value) ? PyExc_ValueError : PyExc_TypeError);
    }
    if (field->kind == CORE_POINTER) {
        *(const char **)(void *)at = text; /* as long as the caller keeps the object */
        return 0;
    }
    if ((size_t)size >= field->count) {
        char expected[64];
        snprintf(expected, sizeof expected, "shorter than %zu bytes", field->count);
        return refuse(owner, field, expected, value, PyExc_ValueError);
    }
    memset(at, 0, field->count);
    memcpy(at, text, (size_t)size);
    return 0;
}

static int write_real(char *at, const core_field *field, size_t i, const char *owner,
                      PyObject *value)
{
    const double number = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) {
        return refuse(owner, field, "a number", value, PyExc_TypeError);
    }
    if (field->kind == CORE_FLOAT) {
        ((float *)(void *)at)[i] = (float)number;
    } else {
        ((double *)(void *)at)[i] = number;
    }
    return 0;
}

static int write_truth(char *at, const core_field *field, const char *owner, PyObject *value)
{
    const int truth = PyUnicode_Check(value) ? -1 : PyObject_IsTrue(value);
    if (truth < 0) {
        return refuse(owner, field, "True or False", value, PyExc_TypeError);
    }
    *(bool *)(void *)at = truth;
    return 0;
}

/* An array of numbers; all of them or none. */
static int write_array(char *at, const core_field *field, const char *owner, PyObject *value)
{
    double numbers[4];
    char expected[64];
    snprintf(expected, sizeof expected, "%zu numbers", field->count);
    const Py_ssize_t size = PySequence_Check(value) ? PySequence_Size(value) : -1;
    if (size != (Py_ssize_t)field->count) {
        return refuse(owner, field, expected, value, size < 0 ? PyExc_TypeError : PyExc_ValueError);
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        numbers[i] = item ? PyFloat_AsDouble(item) : 0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) {
            return refuse(owner, field, expected, value, PyExc_TypeError);
        }
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        if (field->kind == CORE_FLOAT) {
            ((float *)(void *)at)[i] = (float)numbers[i];
        } else {
            ((double *)(void *)at)[i] = numbers[i];
        }
    }
    return 0;
}

int core_field_write(void *structure, const core_field *field, const char *owner, PyObject *value)
{
    char *at = (char *)structure + field->offset;
    switch (field->kind) {
    case CORE_DOUBLE:
    case CORE_FLOAT:
        return field->count > 1 ? write_array(at, field, owner, value)
                                : write_real(at, field, 0, owner, value);
    case CORE_U32:
    case CORE_U64:
        return write_whole(at, field, owner, value);
    case CORE_BOOL:
        return write_truth(at, field, owner, value);
    case CORE_TEXT:
    case CORE_POINTER:
        return write_text(at, field, owner, value);
    default:
        return write_word(at, field, owner, value);
    }
}

static const core_field *find_field(const core_section *section, const char *name)
{
    for (uint32_t i = 0; section && i < section->count; i++) {
        if (strcmp(section->fields[i].name, name) == 0) {
            return &section->fields[i];
        }
    }
    return NULL;
}

/* A vxe_name_at over the members of one or two sections. */
static const char *name_at(const void *names, unsigned index)
{
    const core_section *const *sections = names;
    for (int s = 0; s < 2 && sections[s]; s++) {
        if (index < sections[s]->count) {
            return sections[s]->fields[index].name;
        }
        index -= sections[s]->count;
    }
    return NULL;
}

int core_take_keywords(PyObject *keywords, const char *owner, void *const structures[2],
                       const core_section *const sections[2])
{
    PyObject *key = NULL;
    PyObject *value = NULL;
    Py_ssize_t at = 0;
    while (keywords && PyDict_Next(keywords, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        if (!name) {
            return -1;
        }
        const core_field *field = find_field(sections[0], name);
        const int which = field ? 0 : 1;
        field = field ? field : find_field(sections[1], name);
        if (!field) {
            const char *near = vxe_closest_name(name, name_at, sections);
            PyErr_Format(PyExc_TypeError, "%s has no keyword argument '%s'%s%s%s", owner, name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
            return -1;
        }
        if (core_field_write(structures[which], field, owner, value)) {
            return -1;
        }
    }
    return 0;
}

PyObject *core_named_tuple(core_state *state, core_section_index which, const void *structure)
{
    const core_section *section = &core_sections[which];
    PyObject *tuple = PyStructSequence_New(state->shown[which]);
    for (uint32_t i = 0; tuple && i < section->count; i++) {
        PyObject *value = core_field_read(structure, &section->fields[i]);
        if (!value) {
            Py_CLEAR(tuple);
            break;
        }
        PyStructSequence_SetItem(tuple, (Py_ssize_t)i, value);
    }
    return tuple;
}

/* A copy of what a view shows. */
typedef union shown {
    vxe_material material;
    vxe_floor floor;
    vxe_fluid fluid;
    vxe_magnetics magnetics;
    vxe_actuation actuation;
    vxe_stop stop;
    vxe_time_step time_step;
} shown;

/* What a view shows. */
static void *shown_by(core_view *view)
{
    if (!view->design) {
        return &view->own;
    }
    vxe_design *design = view->design->design;
    return view->section == &core_sections[CORE_MATERIAL]
               ? (void *)&design->materials[view->index]
               : (void *)((char *)design + view->section->offset);
}

static bool may_change(const core_view *view)
{
    return !view->design || core_may_change(view->design);
}

/* The name of a type without its module. */
static const char *short_name(const core_section *section)
{
    return strrchr(section->name, '.') + 1;
}

static PyObject *core_view_value(PyObject *self, void *closure)
{
    core_view *view = (core_view *)self;
    return core_field_read(shown_by(view), &view->section->fields[(uintptr_t)closure]);
}

static int core_view_assign(PyObject *self, PyObject *value, void *closure)
{
    core_view *view = (core_view *)self;
    const core_field *field = &view->section->fields[(uintptr_t)closure];
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "%s: %s can not be deleted", short_name(view->section),
                     field->name);
        return -1;
    }
    shown changed; /* written to first: what a number is made of may do anything to the design */
    memcpy(&changed, shown_by(view), view->section->size);
    if (core_field_write(&changed, field, short_name(view->section), value) || !may_change(view)) {
        return -1;
    }
    memcpy(shown_by(view), &changed, view->section->size);
    return 0;
}

static PyObject *core_material_curve(PyObject *self, void *closure)
{
    (void)closure;
    const vxe_material *material = shown_by((core_view *)self);
    PyObject *points = PyTuple_New((Py_ssize_t)material->curve_count);
    for (uint32_t i = 0; points && i < material->curve_count; i++) {
        PyObject *point =
            Py_BuildValue("(dd)", material->curve_strain[i], material->curve_stress[i]);
        if (!point || PyTuple_SetItem(points, (Py_ssize_t)i, point)) {
            Py_CLEAR(points);
        }
    }
    return points;
}

static int core_material_set_curve(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    double points[VXE_CURVE_POINTS][2];
    const Py_ssize_t count = value && PySequence_Check(value) ? PySequence_Size(value) : -1;
    if (count < 0 || count > VXE_CURVE_POINTS) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "Material: curve must be at most %d pairs of numbers",
                     VXE_CURVE_POINTS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *point = PySequence_GetItem(value, i);
        const int failed = point ? core_numbers(point, "a point of curve", points[i], 2) : -1;
        Py_XDECREF(point);
        if (failed) {
            return -1;
        }
    }
    if (!may_change((core_view *)self)) {
        return -1;
    }
    vxe_material *material = shown_by((core_view *)self);
    material->curve_count = (uint32_t)count;
    for (Py_ssize_t i = 0; i < VXE_CURVE_POINTS; i++) {
        material->curve_strain[i] = i < count ? points[i][0] : 0;
        material->curve_stress[i] = i < count ? points[i][1] : 0;
    }
    return 0;
}

/* {name: value} of all attributes. */
static PyObject *numbers_of(PyObject *self, PyObject *unused)
{
    (void)unused;
    core_view *view = (core_view *)self;
    PyObject *all = PyDict_New();
    for (uint32_t i = 0; all && i < view->section->count; i++) {
        PyObject *value = core_field_read(shown_by(view), &view->section->fields[i]);
        if (!value || PyDict_SetItemString(all, view->section->fields[i].name, value)) {
            Py_CLEAR(all);
        }
        Py_XDECREF(value);
    }
    if (all && view->section == &core_sections[CORE_MATERIAL]) {
        PyObject *curve = core_material_curve(self, NULL);
        if (!curve || PyDict_SetItemString(all, "curve", curve)) {
            Py_CLEAR(all);
        }
        Py_XDECREF(curve);
    }
    return all;
}

/* Name(a=1, b=2): of materials what differs from the default ones. */
static PyObject *represent(PyObject *self)
{
    core_view *view = (core_view *)self;
    const vxe_material standard = vxe_material_default();
    const bool brief = view->section == &core_sections[CORE_MATERIAL];
    PyObject *parts = PyList_New(0);
    PyObject *all = parts ? numbers_of(self, NULL) : NULL;
    PyObject *key = NULL;
    PyObject *value = NULL;
    Py_ssize_t at = 0;
    while (all && PyDict_Next(all, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const core_field *field = find_field(view->section, name);
        PyObject *usual = brief && field ? core_field_read(&standard, field) : NULL;
        const bool plain = usual ? PyObject_RichCompareBool(usual, value, Py_EQ) == 1
                                 : brief && PyObject_Size(value) == 0;
        Py_XDECREF(usual);
        PyObject *part = plain ? NULL : PyUnicode_FromFormat("%s=%R", name, value);
        if (!plain && (!part || PyList_Append(parts, part))) {
            Py_CLEAR(all);
        }
        Py_XDECREF(part);
    }
    PyObject *comma = all ? core_text(", ") : NULL;
    PyObject *text = comma ? PyUnicode_Join(comma, parts) : NULL;
    PyObject *whole = text ? PyUnicode_FromFormat("%s(%U)", short_name(view->section), text) : NULL;
    Py_XDECREF(text);
    Py_XDECREF(comma);
    Py_XDECREF(all);
    Py_XDECREF(parts);
    return whole;
}

/* Views are equal where all of their numbers are. */
static PyObject *compare(PyObject *self, PyObject *other, int operation)
{
    const core_view *one = (core_view *)self;
    if ((operation != Py_EQ && operation != Py_NE) ||
        !PyObject_TypeCheck(other, one->state->shown[one->section - core_sections])) {
        return Py_NewRef(Py_NotImplemented);
    }
    PyObject *mine = numbers_of(self, NULL);
    PyObject *theirs = mine ? numbers_of(other, NULL) : NULL;
    PyObject *answer = theirs ? PyObject_RichCompare(mine, theirs, operation) : NULL;
    Py_XDECREF(mine);
    Py_XDECREF(theirs);
    return answer;
}

/* Sets several numbers, all or none, and enables what can be. */
static PyObject *call(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    core_view *view = (core_view *)self;
    shown changed;
    const core_field *switched = find_field(view->section, "enabled");
    if (PyTuple_Size(arguments) > 0) {
        PyErr_Format(PyExc_TypeError, "%s takes keyword arguments only", short_name(view->section));
        return NULL;
    }
    memcpy(&changed, shown_by(view), view->section->size);
    if (switched) {
        *((bool *)((char *)&changed + switched->offset)) = true;
    }
    void *const structures[2] = {&changed, NULL};
    const core_section *const sections[2] = {view->section, NULL};
    if (core_take_keywords(keywords, short_name(view->section), structures, sections) ||
        !may_change(view)) {
        return NULL;
    }
    memcpy(shown_by(view), &changed, view->section->size);
    Py_RETURN_NONE;
}

static PyObject *make_material(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    core_state *state = core_state_of(type);
    if (PyTuple_Size(arguments) > 0) {
        PyErr_SetString(PyExc_TypeError, "Material takes keyword arguments only");
        return NULL;
    }
    core_view *view = (core_view *)core_allocate(type);
    if (!view) {
        return NULL;
    }
    view->state = state;
    view->section = &core_sections[CORE_MATERIAL];
    view->own = vxe_material_default();
    PyObject *others = keywords ? PyDict_Copy(keywords) : NULL;
    PyObject *curve = others ? PyDict_GetItemString(others, "curve") : NULL;
    int failed = keywords && !others ? -1 : 0;
    if (!failed && curve) {
        failed = core_material_set_curve((PyObject *)view, curve, NULL);
        failed = failed ? failed : PyDict_DelItemString(others, "curve");
    }
    void *const structures[2] = {&view->own, NULL};
    const core_section *const sections[2] = {view->section, NULL};
    failed = failed ? failed : core_take_keywords(others, "Material", structures, sections);
    Py_XDECREF(others);
    vxe_error error = {.status = VXE_OK};
    if (!failed && vxe_material_check(&view->own, &error)) {
        (void)core_raise(state, &error);
        failed = -1;
    }
    if (failed) {
        Py_DECREF(view);
        return NULL;
    }
    return (PyObject *)view;
}

PyObject *core_view_of(core_design *design, core_section_index which, uint32_t index)
{
    core_view *view = (core_view *)core_allocate(design->state->shown[which]);
    if (view) {
        view->state = design->state;
        view->section = &core_sections[which];
        view->design = (core_design *)Py_NewRef((PyObject *)design);
        view->index = index;
    }
    return (PyObject *)view;
}

const vxe_material *core_material_of(core_state *state, PyObject *object)
{
    if (!PyObject_TypeCheck(object, state->shown[CORE_MATERIAL])) {
        PyErr_Format(PyExc_TypeError, "expected a Material, not %R", object);
        return NULL;
    }
    return shown_by((core_view *)object);
}

static int visit_view(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)((core_view *)self)->design);
    return 0;
}

static int clear_view(PyObject *self)
{
    Py_CLEAR(((core_view *)self)->design);
    return 0;
}

static void free_view(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear_view(self);
    core_free(self);
}

static PyMethodDef view_methods[] = {
    {"numbers", numbers_of, METH_NOARGS,
     "numbers() -> dict\n\nAll attributes, {name: value}; what Material(**numbers) is made of."},
    {NULL, NULL, 0, NULL}};

static PyTypeObject *make_view(PyObject *module, core_section_index which)
{
    const core_section *section = &core_sections[which];
    const bool own = which == CORE_MATERIAL;
    PyType_Slot slots[] = {
        {Py_tp_doc, CORE_DOC(section->doc)},
        {Py_tp_getset, section->getset},
        {Py_tp_methods, view_methods},
        {Py_tp_repr, (void *)represent},
        {Py_tp_richcompare, (void *)compare},
        {Py_tp_hash, (void *)PyObject_HashNotImplemented},
        {Py_tp_traverse, (void *)visit_view},
        {Py_tp_clear, (void *)clear_view},
        {Py_tp_dealloc, (void *)free_view},
        {own ? Py_tp_new : Py_tp_call, own ? (void *)make_material : (void *)call},
        {0, NULL}};
    const unsigned flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | (own ? 0u : Py_TPFLAGS_DISALLOW_INSTANTIATION);
    PyType_Spec spec = {
        .name = section->name, .basicsize = (int)sizeof(core_view), .flags = flags, .slots = slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

int core_add_views(PyObject *module, core_state *state)
{
    for (int i = 0; i < CORE_SHOWN; i++) {
        const core_section *section = &core_sections[i];
        if (i < CORE_VIEWS) {
            state->shown[i] = make_view(module, (core_section_index)i);
        } else {
            PyStructSequence_Desc about = {section->name, section->doc, section->names,
                                           (int)section->count};
            state->shown[i] = PyStructSequence_NewType(&about);
        }
        if (!state->shown[i] ||
            PyModule_AddObjectRef(module, short_name(section), (PyObject *)state->shown[i])) {
            return -1;
        }
    }
    return 0;
}
