/* SPDX-License-Identifier: MIT */
/* Materials and other parts of a design as objects: what is assigned to their attributes is written
   into the design. */
#include "core.h"

#include <string.h>

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

static size_t size_of(const core_field *field)
{
    switch (field->kind) {
    case CORE_DOUBLE:
    case CORE_U64:
        return 8 * field->count;
    case CORE_BOOL:
        return sizeof(bool);
    case CORE_TEXT:
        return field->count;
    case CORE_POINTER:
        return sizeof(char *);
    default:
        return 4 * field->count;
    }
}

/* Writes the members of a section from a copy; what else the structure has stays as it is now. */
static void put_back(core_view *view, const shown *changed)
{
    char *into = shown_by(view);
    for (uint32_t i = 0; i < view->section->count; i++) {
        const core_field *field = &view->section->fields[i];
        memcpy(into + field->offset, (const char *)changed + field->offset, size_of(field));
    }
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

PyObject *core_view_value(PyObject *self, void *closure)
{
    core_view *view = (core_view *)self;
    return core_field_read(shown_by(view), &view->section->fields[(uintptr_t)closure]);
}

int core_view_assign(PyObject *self, PyObject *value, void *closure)
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
    put_back(view, &changed);
    return 0;
}

PyObject *core_material_curve(PyObject *self, void *closure)
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

int core_material_set_curve(PyObject *self, PyObject *value, void *closure)
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
        const core_field *field = core_find_field(view->section, name);
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
    const core_field *switched = core_find_field(view->section, "enabled");
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
    put_back(view, &changed);
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
