/* SPDX-License-Identifier: MIT */
/* What designs consist of: voxels, materials, layers, boundary conditions, tables. */
#include "core.h"

#include <string.h>

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

static PyObject *done_or_raise(core_design *self, vxe_status status, const vxe_error *error)
{
    if (status) {
        return core_raise(self->state, error);
    }
    Py_RETURN_NONE;
}

static PyObject *add_material(PyObject *object, PyObject *argument)
{
    core_design *self = (core_design *)object;
    vxe_error error = {.status = VXE_OK};
    uint32_t index = 0;
    const vxe_material *shown = core_material_of(self->state, argument);
    if (!shown || !core_may_change(self)) {
        return NULL;
    }
    const vxe_material material = *shown; /* may be one of the design's own, which move */
    if (vxe_design_add_material(self->design, &material, &index, &error)) {
        return core_raise(self->state, &error);
    }
    return PyLong_FromUnsignedLong(index);
}

static PyObject *add_voxel(PyObject *object, PyObject *arguments)
{
    core_design *self = (core_design *)object;
    vxe_error error = {.status = VXE_OK};
    int at[3];
    uint32_t material = 0;
    if (!PyArg_ParseTuple(arguments, "iiiO&:add_voxel", &at[0], &at[1], &at[2], core_index,
                          &material) ||
        !core_may_change(self)) {
        return NULL;
    }
    if (material >= self->design->material_count) {
        return PyErr_Format(PyExc_ValueError, "there is no material %lu: the design has %lu",
                            (unsigned long)material, (unsigned long)self->design->material_count);
    }
    return done_or_raise(
        self, vxe_design_add_voxel(self->design, at[0], at[1], at[2], material, &error), &error);
}

/* The name of a layer, which must fit into its place; null with an exception. */
static const char *layer_name(PyObject *name)
{
    Py_ssize_t size = 0;
    const char *text = PyUnicode_AsUTF8AndSize(name, &size);
    if (text && (size < 1 || size >= (Py_ssize_t)sizeof((vxe_layer *)0)->name ||
                 strlen(text) != (size_t)size)) {
        PyErr_Format(PyExc_ValueError, "a layer's name has 1 to %d bytes, not %R",
                     (int)sizeof((vxe_layer *)0)->name - 1, name);
        return NULL;
    }
    return text;
}

/* An array of cells (x, y, z) that becomes voxels. */
typedef struct cells {
    const int64_t *number; /* 0: empty; k: material k - 1 of the palette */
    Py_ssize_t size[3];
    int32_t origin[3];
    uint32_t first;   /* index of the palette's first material in the design */
    int64_t palette;  /* number of its materials */
    uint32_t *filled; /* (voxels) indices into number, in the order of the voxels */
    uint32_t voxels;
} cells;

/* Checks all cells before one of them is added: *voxels and the order of voxels, x fastest. */
static int scan(cells *c)
{
    c->voxels = 0;
    for (Py_ssize_t z = 0; z < c->size[2]; z++) {
        for (Py_ssize_t y = 0; y < c->size[1]; y++) {
            for (Py_ssize_t x = 0; x < c->size[0]; x++) {
                const Py_ssize_t at = (x * c->size[1] + y) * c->size[2] + z;
                if (c->number[at] < 0 || c->number[at] > c->palette) {
                    PyErr_Format(PyExc_ValueError,
                                 "cell (%zd, %zd, %zd) is %lld: expected 0 (empty) to %lld, the "
                                 "number of materials in the palette",
                                 x, y, z, (long long)c->number[at], (long long)c->palette);
                    return -1;
                }
                if (c->number[at] > 0) {
                    c->filled[c->voxels++] = (uint32_t)at;
                }
            }
        }
    }
    return 0;
}

/* Adds the materials of a palette. */
static int add_palette(core_design *self, PyObject *palette, cells *c)
{
    vxe_error error = {.status = VXE_OK};
    c->first = self->design->material_count;
    for (Py_ssize_t i = 0; i < c->palette; i++) {
        PyObject *item = PySequence_GetItem(palette, i);
        const vxe_material *shown = item ? core_material_of(self->state, item) : NULL;
        vxe_status status = VXE_OK;
        if (shown) {
            const vxe_material material = *shown;
            status = vxe_design_add_material(self->design, &material, NULL, &error);
        }
        Py_XDECREF(item);
        if (!shown || status) {
            self->design->material_count = c->first;
            return status ? (core_raise(self->state, &error), -1) : -1;
        }
    }
    return 0;
}

static int add_cells(core_design *self, const cells *c)
{
    vxe_error error = {.status = VXE_OK};
    const uint32_t before = self->design->voxel_count;
    for (uint32_t v = 0; v < c->voxels; v++) {
        const Py_ssize_t at = (Py_ssize_t)c->filled[v];
        const Py_ssize_t z = at % c->size[2];
        const Py_ssize_t y = at / c->size[2] % c->size[1];
        const Py_ssize_t x = at / c->size[2] / c->size[1];
        if (vxe_design_add_voxel(self->design, c->origin[0] + (int32_t)x, c->origin[1] + (int32_t)y,
                                 c->origin[2] + (int32_t)z, c->first + (uint32_t)c->number[at] - 1,
                                 &error)) {
            self->design->voxel_count = before;
            self->design->material_count = c->first;
            (void)core_raise(self->state, &error);
            return -1;
        }
    }
    return 0;
}

/* Looks at the arrays of all layers, of the shape of the cells, before anything is added, and makes
   the layers that are missing. */
static int check_layers(core_design *self, PyObject *layers, const cells *c)
{
    const core_shape shape = {3, {c->size[0], c->size[1], c->size[2]}};
    PyObject *key = NULL;
    PyObject *value = NULL;
    Py_ssize_t place = 0;
    while (PyDict_Next(layers, &place, &key, &value)) {
        Py_buffer view;
        const char *name = layer_name(key);
        if (!name || core_in(value, name, CORE_FLOAT64, &shape, &view)) {
            return -1;
        }
        PyBuffer_Release(&view);
        if (!vxe_design_layer(self->design, name, 1)) {
            const bool wider = vxe_design_find_layer(self->design, name);
            PyErr_Format(wider ? PyExc_ValueError : PyExc_MemoryError,
                         wider ? "layer %s has several numbers for each voxel" : "layer %s", name);
            return -1;
        }
    }
    return 0;
}

/* Fills layers of the voxels that were added behind `before`. */
static int fill_layers(core_design *self, PyObject *layers, const cells *c, uint32_t before)
{
    const core_shape shape = {3, {c->size[0], c->size[1], c->size[2]}};
    PyObject *key = NULL;
    PyObject *value = NULL;
    Py_ssize_t place = 0;
    while (PyDict_Next(layers, &place, &key, &value)) {
        Py_buffer view;
        const char *name = layer_name(key);
        if (!name || core_in(value, name, CORE_FLOAT64, &shape, &view)) {
            return -1;
        }
        const vxe_layer *layer = vxe_design_layer(self->design, name, 1);
        for (uint32_t v = 0; layer && v < c->voxels; v++) {
            layer->values[before + v] = ((const double *)view.buf)[c->filled[v]];
        }
        PyBuffer_Release(&view);
    }
    return 0;
}

static int parse_origin(PyObject *origin, cells *c)
{
    for (int i = 0; i < 3; i++) {
        PyObject *item = PySequence_GetItem(origin, i);
        const long at = item ? PyLong_AsLong(item) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred()) {
            return -1;
        }
        if (at < INT32_MIN || at > INT32_MAX - c->size[i]) {
            PyErr_SetString(PyExc_ValueError, "origin: lattice coordinates are below 2^31");
            return -1;
        }
        c->origin[i] = (int32_t)at;
    }
    return 0;
}

static PyObject *add_array(PyObject *object, PyObject *arguments)
{
    core_design *self = (core_design *)object;
    PyObject *array = NULL;
    PyObject *palette = NULL;
    PyObject *origin = NULL;
    PyObject *layers = NULL;
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "OOOO!:add_array", &array, &palette, &origin, &PyDict_Type,
                          &layers) ||
        core_in(array, "material", CORE_INT64, &(core_shape){3, {-1, -1, -1}}, &view)) {
        return NULL;
    }
    const vxe_limits limits = vxe_limits_default();
    const uint32_t before = self->design->voxel_count;
    const uint64_t count = (uint64_t)view.len / sizeof(int64_t);
    cells c = {.number = view.buf,
               .size = {view.shape[0], view.shape[1], view.shape[2]},
               .palette = PySequence_Check(palette) ? PySequence_Size(palette) : 0};
    int failed = parse_origin(origin, &c);
    if (!failed && count > limits.cells) {
        PyErr_Format(PyExc_ValueError, "material: an array of more than %llu cells",
                     (unsigned long long)limits.cells);
        failed = -1;
    }
    c.filled = failed ? NULL : vxe_memory_take(count + 1, sizeof *c.filled);
    if (!failed && !c.filled) {
        PyErr_NoMemory();
    }
    failed = failed || !c.filled || scan(&c) || !core_may_change(self) ||
             check_layers(self, layers, &c) || add_palette(self, palette, &c) ||
             add_cells(self, &c) || fill_layers(self, layers, &c, before);
    vxe_memory_release(c.filled);
    PyBuffer_Release(&view);
    if (failed) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *positions_of(PyObject *object, PyObject *out)
{
    core_design *self = (core_design *)object;
    const core_shape shape = {2, {(Py_ssize_t)self->design->voxel_count, 3}};
    Py_buffer view;
    PyObject *array = core_out(self->state, out, "positions", CORE_INT32, &shape, &view);
    if (array) {
        for (Py_ssize_t v = 0; v < shape.size[0]; v++) {
            memcpy((int32_t *)view.buf + 3 * v, self->design->voxels[v].position,
                   3 * sizeof(int32_t));
        }
        PyBuffer_Release(&view);
    }
    return array;
}

static PyObject *materials_of(PyObject *object, PyObject *out)
{
    core_design *self = (core_design *)object;
    const core_shape shape = {1, {(Py_ssize_t)self->design->voxel_count}};
    Py_buffer view;
    PyObject *array = core_out(self->state, out, "material", CORE_UINT32, &shape, &view);
    if (array) {
        for (Py_ssize_t v = 0; v < shape.size[0]; v++) {
            ((uint32_t *)view.buf)[v] = self->design->voxels[v].material;
        }
        PyBuffer_Release(&view);
    }
    return array;
}

static PyObject *layer_names(PyObject *object, PyObject *unused)
{
    (void)unused;
    const vxe_design *design = ((core_design *)object)->design;
    PyObject *names = PyTuple_New((Py_ssize_t)design->layer_count);
    for (uint32_t i = 0; names && i < design->layer_count; i++) {
        PyObject *name = core_text(design->layers[i].name);
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name)) {
            Py_CLEAR(names);
        }
    }
    return names;
}

static PyObject *layer_values(PyObject *object, PyObject *argument)
{
    core_design *self = (core_design *)object;
    const char *name = layer_name(argument);
    const vxe_layer *layer = name ? vxe_design_find_layer(self->design, name) : NULL;
    if (!name) {
        return NULL;
    }
    if (!layer) {
        PyErr_SetObject(PyExc_KeyError, argument);
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)self->design->voxel_count;
    const core_shape shape = {layer->width > 1 ? 2 : 1, {voxels, (Py_ssize_t)layer->width}};
    return core_copied(self->state, CORE_FLOAT64, &shape, layer->values);
}

static PyObject *put_layer(PyObject *object, PyObject *arguments)
{
    core_design *self = (core_design *)object;
    PyObject *key = NULL;
    PyObject *array = NULL;
    Py_buffer view;
    uint32_t width = 1;
    if (!PyArg_ParseTuple(arguments, "UO|O&:put_layer", &key, &array, core_index, &width)) {
        return NULL;
    }
    if (width < 1) {
        return PyErr_Format(PyExc_ValueError, "a layer has at least one number for each voxel");
    }
    const char *name = layer_name(key);
    const core_shape shape = {width > 1 ? 2 : 1,
                              {(Py_ssize_t)self->design->voxel_count, (Py_ssize_t)width}};
    if (!name || !core_may_change(self) || core_in(array, name, CORE_FLOAT64, &shape, &view)) {
        return NULL;
    }
    vxe_layer *layer = vxe_design_layer(self->design, name, width);
    if (layer && view.len > 0) {
        memcpy(layer->values, view.buf, (size_t)view.len);
    }
    PyBuffer_Release(&view);
    if (!layer && vxe_design_find_layer(self->design, name)) {
        return PyErr_Format(PyExc_ValueError, "layer %s has another number of numbers per voxel",
                            name);
    }
    return layer ? Py_NewRef(Py_None) : PyErr_NoMemory();
}

/* Degrees of freedom as text: "xyz", "z ry", "all". */
static int parse_freedoms(const char *text, uint32_t *fixed)
{
    *fixed = strcmp(text, "all") == 0 ? VXE_FIX_ALL : 0;
    for (const char *at = *fixed ? "" : text; *at; at++) {
        const bool turns = *at == 'r';
        const char axis = at[turns];
        if (*at == ' ' || *at == ',') {
            continue;
        }
        if (axis < 'x' || axis > 'z') {
            PyErr_Format(PyExc_ValueError,
                         "freedoms are x, y, z, rx, ry and rz together, or all; not '%s'", text);
            return -1;
        }
        *fixed |= (uint32_t)(turns ? VXE_FIX_RX : VXE_FIX_X) << (axis - 'x');
        at += turns;
    }
    return 0;
}

/* Takes three numbers, unless the object is null. */
static int optional_vector(PyObject *object, const char *name, double into[3])
{
    return object && object != Py_None ? core_numbers(object, name, into, 3) : 0;
}

static PyObject *add_region(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"low",    "high",         "fixed",    "force",
                                        "moment", "displacement", "rotation", "table",
                                        "shape",  "radius",       NULL};
    core_design *self = (core_design *)object;
    PyObject *vectors[6] = {NULL};
    PyObject *table = NULL;
    const char *fixed = "";
    int shape = VXE_REGION_BOX;
    vxe_region region = {.shape = VXE_REGION_BOX};
    if (!core_parse(arguments, keywords, "OO|sOOOOOid:add_region", names, &vectors[0], &vectors[1],
                    &fixed, &vectors[2], &vectors[3], &vectors[4], &vectors[5], &table, &shape,
                    &region.radius)) {
        return NULL;
    }
    if (optional_vector(vectors[0], "low", region.low) ||
        optional_vector(vectors[1], "high", region.high) ||
        optional_vector(vectors[2], "force", region.force) ||
        optional_vector(vectors[3], "moment", region.moment) ||
        optional_vector(vectors[4], "displacement", region.displacement) ||
        optional_vector(vectors[5], "rotation", region.rotation) ||
        parse_freedoms(fixed, &region.fixed) || !core_may_change(self)) {
        return NULL;
    }
    region.shape = (vxe_region_shape)shape;
    Py_buffer view = {.obj = NULL};
    if (table && table != Py_None) {
        if (core_in(table, "table", CORE_FLOAT64, &(core_shape){2, {-1, 2}}, &view)) {
            return NULL;
        }
        region.table = view.buf;
        region.table_count = (uint32_t)view.shape[0];
    }
    vxe_error error = {.status = VXE_OK};
    const vxe_status status = vxe_design_add_region(self->design, &region, &error);
    if (view.obj) {
        PyBuffer_Release(&view);
    }
    return done_or_raise(self, status, &error);
}

static PyObject *add_schedule(PyObject *object, PyObject *arguments)
{
    core_design *self = (core_design *)object;
    PyObject *table = NULL;
    uint32_t group = 0;
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "O&O:add_schedule", core_index, &group, &table) ||
        !core_may_change(self) ||
        core_in(table, "table", CORE_FLOAT64, &(core_shape){2, {-1, 2}}, &view)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    const vxe_group_schedule schedule = {group, view.buf, (uint32_t)view.shape[0]};
    const vxe_status status = vxe_design_add_schedule(self->design, &schedule, &error);
    PyBuffer_Release(&view);
    return done_or_raise(self, status, &error);
}

static PyObject *put_stiffening(PyObject *object, PyObject *table)
{
    core_design *self = (core_design *)object;
    Py_buffer view;
    if (!core_may_change(self) ||
        core_in(table, "table", CORE_FLOAT64, &(core_shape){2, {-1, 2}}, &view)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    const vxe_status status =
        vxe_design_set_stiffening(self->design, view.buf, (uint32_t)view.shape[0], &error);
    PyBuffer_Release(&view);
    return done_or_raise(self, status, &error);
}

static PyObject *put_heights(PyObject *object, PyObject *arguments)
{
    core_design *self = (core_design *)object;
    PyObject *heights = NULL;
    vxe_heightfield field = {.columns = 0};
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "Oddd:put_heights", &heights, &field.spacing, &field.origin[0],
                          &field.origin[1]) ||
        !core_may_change(self) ||
        core_in(heights, "heights", CORE_FLOAT64, &(core_shape){2, {-1, -1}}, &view)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    field.rows = (uint32_t)view.shape[0];
    field.columns = (uint32_t)view.shape[1];
    field.heights = view.buf;
    const vxe_status status = vxe_design_set_heights(self->design, &field, &error);
    PyBuffer_Release(&view);
    return done_or_raise(self, status, &error);
}

static PyObject *put_velocity(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"voxel", "linear", "angular", NULL};
    core_design *self = (core_design *)object;
    PyObject *linear = NULL;
    PyObject *angular = NULL;
    uint32_t voxel = 0;
    double rates[2][3] = {{0}};
    if (!core_parse(arguments, keywords, "O&|OO:set_velocity", names, core_index, &voxel, &linear,
                    &angular) ||
        optional_vector(linear, "linear", rates[0]) ||
        optional_vector(angular, "angular", rates[1]) || !core_may_change(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    return done_or_raise(
        self, vxe_design_set_velocity(self->design, voxel, rates[0], rates[1], &error), &error);
}

static PyObject *extrude(PyObject *object, PyObject *argument)
{
    core_design *self = (core_design *)object;
    uint32_t depth = 0;
    if (!core_index(argument, &depth) || !core_may_change(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    return done_or_raise(self, vxe_design_extrude(self->design, depth, &error), &error);
}

static PyObject *add_design(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"other", "at", NULL};
    core_design *self = (core_design *)object;
    core_design *other = NULL;
    int at[3] = {0, 0, 0};
    if (!core_parse(arguments, keywords, "O!|(iii):add", names, self->state->design, &other, &at[0],
                    &at[1], &at[2]) ||
        !core_may_change(self)) {
        return NULL;
    }
    vxe_error error = {.status = VXE_OK};
    const int32_t shift[3] = {at[0], at[1], at[2]};
    return done_or_raise(self, vxe_design_add_design(self->design, other->design, shift, &error),
                         &error);
}

PyMethodDef core_design_body_methods[] = {
    {"add_material", add_material, METH_O,
     "add_material(material) -> int\n\nAppends a copy of a material; returns its index."},
    {"add_voxel", add_voxel, METH_VARARGS,
     "add_voxel(x, y, z, material)\n\nAppends a voxel at lattice coordinates, of the material of "
     "that index."},
    {"add_array", add_array, METH_VARARGS,
     "add_array(material, palette, origin, layers)\n\nAppends the materials of a palette, and a "
     "voxel for each cell of material, (x, y, z) int64, that is not 0: k is material k - 1 of the "
     "palette. layers: {name: (x, y, z) float64}."},
    {"lattice_positions", positions_of, METH_O,
     "lattice_positions(out) -> array\n\n(voxels, 3) int32: lattice coordinates; out may be None."},
    {"voxel_materials", materials_of, METH_O,
     "voxel_materials(out) -> array\n\n(voxels,) uint32: index of the material; out may be None."},
    {"layer_names", layer_names, METH_NOARGS,
     "layer_names() -> (str, ...)\n\nNames of the layers."},
    {"layer_values", layer_values, METH_O,
     "layer_values(name) -> array\n\nA copy of a layer: (voxels,) or (voxels, width) float64, in "
     "the order of the voxels. KeyError where there is none."},
    {"put_layer", put_layer, METH_VARARGS,
     "put_layer(name, values, width=1)\n\nSets a layer, (voxels,) float64 where width is 1, else "
     "(voxels, width); it is made if it is missing."},
    {"add_region", FUNCTION(add_region), KEYWORDS,
     "add_region(low, high, fixed=\"\", force=None, moment=None, displacement=None, rotation=None, "
     "table=None, shape=0, radius=0)\n\nA boundary condition for all voxels whose cube overlaps "
     "the "
     "box from low to high (m). fixed: freedoms such as \"xyz\" or \"all\". force (N) and moment "
     "(N "
     "m): in all, divided equally. displacement (m), rotation (rad): of fixed freedoms, times the "
     "factor of the table, (rows, 2) s and factor. shape 1: a cylinder, 2: a sphere."},
    {"put_controller", core_design_put_controller, METH_VARARGS,
     "put_controller(sensors, layers, weights, interval, least, most, activation)\n\nWhat control "
     "does, with tuples and an array as they are."},
    {"drop_controller", core_design_drop_controller, METH_NOARGS,
     "drop_controller()\n\nTakes the controller away."},
    {"controller_parts", core_design_controller, METH_NOARGS,
     "controller_parts() -> tuple or None\n\nThe arguments of put_controller that the design has."},
    {"add_schedule", add_schedule, METH_VARARGS,
     "add_schedule(group, table)\n\nA factor on the edges of the voxels of a group over time, "
     "(rows, 2) s and factor, linear between the rows; at most one for each group."},
    {"put_stiffening", put_stiffening, METH_O,
     "put_stiffening(table)\n\n(rows, 2): time s, and how far the stiffness has changed towards "
     "the "
     "layer FinalStiffness, 0 to 1."},
    {"put_heights", put_heights, METH_VARARGS,
     "put_heights(heights, spacing, x, y)\n\nHeights of the floor, (rows, columns) m: rows along "
     "y, "
     "columns along x, spacing (m) apart, the first point at x, y (m)."},
    {"set_velocity", FUNCTION(put_velocity), KEYWORDS,
     "set_velocity(voxel, linear=None, angular=None)\n\nInitial velocity (m/s) and spin (rad/s) of "
     "a voxel."},
    {"extrude", extrude, METH_O,
     "extrude(depth)\n\nRepeats a design that is one voxel deep along y, so that it becomes depth "
     "voxels deep."},
    {"add", FUNCTION(add_design), KEYWORDS,
     "add(other, at=(0, 0, 0))\n\nAppends the body of another design, shifted by lattice "
     "coordinates: its materials, voxels, layers, initial velocities, boundary conditions and "
     "contact rules. The world stays that of this design."},
    {NULL, NULL, 0, NULL}};
