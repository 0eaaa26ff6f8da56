/* SPDX-License-Identifier: MIT */
/* Members of structures of the library: read and written as objects, given as keyword arguments, or
   shown as named tuples. All go by the tables of core_fields.h, which are made from the headers. */
#include "core.h"

#include <stdio.h>
#include <string.h>

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
    [CORE_SETTLED] =
        FACTS("voxelastic.Settled", settled, "What an equilibrium took (World.settle)."),
    [CORE_ENERGY] = FACTS("voxelastic.Energy", energy,
                          "Energies in J. The potentials are always there; `time`, what ends in "
                          "`_sync`, dissipation, work and balance need audit=True, and count from "
                          "the start."),
    [CORE_BATCH_RESULT] = FACTS("voxelastic.RobotResult", batch_result,
                                "The result of a robot. Use numbers of robots that are DONE only."),
    [CORE_BATCH_FACTS] = FACTS("voxelastic.BatchFacts", batch_facts,
                               "What a batch computes with, and its work so far."),
    [CORE_PROGRESS] = FACTS("voxelastic.Progress", batch_progress, "How far a batch is."),
    [CORE_TEAM_FACTS] = FACTS("voxelastic.TeamFacts", team_facts, "What a team computes with."),
    [CORE_TEAM_ROBOT] =
        FACTS("voxelastic.TeamRobot", team_robot, "What does not change about a robot of a team."),
    [CORE_SEARCH_FACTS] =
        FACTS("voxelastic.SearchFacts", search_facts, "How far a search is, and its best."),
    [CORE_GRADIENT_FACTS] = FACTS("voxelastic.GradientFacts", gradient_facts,
                                  "What a run was like, and what its gradient is worth."),
    [CORE_WORLD_DEF] = CHOICES("World", world_def),
    [CORE_BATCH_DEF] = CHOICES("Batch", batch_def),
    [CORE_TEAM_DEF] = CHOICES("Team", team_def),
    [CORE_GRADIENT_DEF] = CHOICES("Gradient", gradient_def),
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

const core_field *core_find_field(const core_section *section, const char *name)
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
        const core_field *field = core_find_field(sections[0], name);
        const int which = field ? 0 : 1;
        field = field ? field : core_find_field(sections[1], name);
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
