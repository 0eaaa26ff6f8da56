/* SPDX-License-Identifier: MIT */
/* Numbers of all voxels of a world as arrays: copies, into arrays that the caller keeps or new
   ones. */
#include "core.h"

#include <string.h>

#define KEYWORDS (METH_VARARGS | METH_KEYWORDS)
#define FUNCTION(f) (PyCFunction)(void (*)(void))(f)

typedef enum whole_array { POSITIONS, ORIENTATIONS, VELOCITIES, SPINS, WHOLE_ARRAYS } whole_array;

static const struct {
    const char *name;
    Py_ssize_t width;
} whole[WHOLE_ARRAYS] = {[POSITIONS] = {"positions", 3},
                         [ORIENTATIONS] = {"orientations", 4},
                         [VELOCITIES] = {"velocities", 3},
                         [SPINS] = {"spins", 3}};

static void fill(const vxe_world *world, whole_array which, double *numbers)
{
    switch (which) {
    case POSITIONS:
        vxe_world_poses(world, numbers, NULL);
        break;
    case ORIENTATIONS:
        vxe_world_poses(world, NULL, numbers);
        break;
    case VELOCITIES:
        vxe_world_velocities(world, numbers, NULL);
        break;
    default:
        vxe_world_velocities(world, NULL, numbers);
    }
}

static PyObject *whole_array_of(PyObject *object, PyObject *arguments, PyObject *keywords,
                                whole_array which)
{
    static const char *const names[] = {"out", NULL};
    core_world *self = (core_world *)object;
    PyObject *out = NULL;
    if (!core_parse(arguments, keywords, "|O", names, &out) || !core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    Py_buffer view;
    PyObject *array = core_out(self->state, out, whole[which].name, CORE_FLOAT64,
                               &(core_shape){2, {voxels, whole[which].width}}, &view);
    if (!array) {
        return NULL;
    }
    const bool open = core_world_is_free(self); /* still, whatever the array is */
    if (open && voxels > 0) {
        fill(self->world, which, view.buf);
    }
    PyBuffer_Release(&view);
    if (!open) {
        Py_CLEAR(array);
    }
    return array;
}

static PyObject *positions(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return whole_array_of(self, arguments, keywords, POSITIONS);
}

static PyObject *orientations(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return whole_array_of(self, arguments, keywords, ORIENTATIONS);
}

static PyObject *velocities(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return whole_array_of(self, arguments, keywords, VELOCITIES);
}

static PyObject *spins(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return whole_array_of(self, arguments, keywords, SPINS);
}

/* Sensors by name. */
static const struct {
    const char *name;
    size_t offset; /* of the pointer in vxe_sensors */
    Py_ssize_t width;
    core_element element;
} sensors[] = {{"edge", offsetof(vxe_sensors, edge), 1, CORE_FLOAT64},
               {"strain", offsetof(vxe_sensors, strain), 3, CORE_FLOAT64},
               {"stress", offsetof(vxe_sensors, stress), 3, CORE_FLOAT64},
               {"energy", offsetof(vxe_sensors, energy), 1, CORE_FLOAT64},
               {"floor", offsetof(vxe_sensors, floor), 1, CORE_FLOAT64},
               {"contact", offsetof(vxe_sensors, contact), 1, CORE_FLOAT64},
               {"touched", offsetof(vxe_sensors, touched), 1, CORE_UINT8}};
#define SENSORS ((Py_ssize_t)(sizeof sensors / sizeof sensors[0]))

static int find_sensor(PyObject *name)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    for (int i = 0; text && i < SENSORS; i++) {
        if (strcmp(sensors[i].name, text) == 0) {
            return i;
        }
    }
    PyErr_Format(text ? PyExc_ValueError : PyExc_TypeError,
                 "there is no sensor %R: edge, strain, stress, energy, floor, contact, touched",
                 name);
    return -1;
}

/* Arrays of a call of sense, and their buffers. */
typedef struct sensed {
    vxe_sensors into;
    PyObject *arrays; /* tuple */
    Py_buffer views[sizeof sensors / sizeof sensors[0]];
    Py_ssize_t count;
} sensed;

static int add_sensor(core_world *self, sensed *s, PyObject *name, PyObject *out)
{
    const int which = find_sensor(name);
    if (which < 0) {
        return -1;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    const core_shape shape = {sensors[which].width > 1 ? 2 : 1, {voxels, sensors[which].width}};
    PyObject *array = core_out(self->state, out, sensors[which].name, sensors[which].element,
                               &shape, &s->views[s->count]);
    if (!array) {
        return -1;
    }
    void *at = s->views[s->count].buf;
    memcpy((char *)&s->into + sensors[which].offset, &at, sizeof at);
    return PyTuple_SetItem(s->arrays, s->count++, array);
}

static PyObject *sense(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    core_world *self = (core_world *)object;
    PyObject *outs = keywords ? PyDict_GetItemString(keywords, "out") : NULL;
    const Py_ssize_t count = PyTuple_Size(arguments);
    if (!core_world_is_free(self)) {
        return NULL;
    }
    if (keywords && PyDict_Size(keywords) > (outs ? 1 : 0)) {
        PyErr_SetString(PyExc_TypeError, "sense takes names of sensors, and out");
        return NULL;
    }
    outs = outs == Py_None ? NULL : outs;
    const bool tuple = outs && PyTuple_Check(outs);
    if (count < 1 || count > SENSORS || (outs && count > 1 && !tuple) ||
        (tuple && PyTuple_Size(outs) != count)) {
        PyErr_Format(PyExc_ValueError,
                     "sense takes 1 to %d names of sensors, and out as one array, or as a tuple of "
                     "as many as there are names",
                     (int)SENSORS);
        return NULL;
    }
    sensed s = {.arrays = PyTuple_New(count)};
    int failed = s.arrays ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        failed = add_sensor(self, &s, PyTuple_GetItem(arguments, i),
                            tuple ? PyTuple_GetItem(outs, i) : outs);
    }
    failed = failed || !core_world_is_free(self);
    if (!failed && vxe_world_describe(self->world).voxels > 0) {
        vxe_world_sense(self->world, &s.into);
    }
    for (Py_ssize_t i = 0; i < s.count; i++) {
        PyBuffer_Release(&s.views[i]);
    }
    PyObject *answer = NULL;
    if (!failed) {
        answer = Py_NewRef(count == 1 ? PyTuple_GetItem(s.arrays, 0) : s.arrays);
    }
    Py_XDECREF(s.arrays);
    return answer;
}

static PyObject *hull_volume(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static const char *const names[] = {"which", NULL};
    core_world *self = (core_world *)object;
    PyObject *which = NULL;
    Py_buffer view = {.obj = NULL};
    if (!core_parse(arguments, keywords, "|O:hull_volume", names, &which) ||
        !core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    if (which && which != Py_None &&
        core_in(which, "which", CORE_FLOAT64, &(core_shape){1, {voxels}}, &view)) {
        return NULL;
    }
    const bool open = core_world_is_free(self);
    const double volume = open ? vxe_world_hull_volume(self->world, view.obj ? view.buf : NULL) : 0;
    if (view.obj) {
        PyBuffer_Release(&view);
    }
    return open ? PyFloat_FromDouble(volume) : NULL;
}

/* Two new arrays that are filled together. */
static PyObject *pair_of(core_world *self, const char *const names[2], const core_shape shapes[2],
                         void (*fill_both)(const vxe_world *world, double *one, double *two))
{
    static const vxe_error none = {.status = VXE_OK};
    core_pair both;
    if (!core_pair_begin(&both, self->state, names, shapes)) {
        return NULL;
    }
    if (shapes[0].size[0] > 0) {
        fill_both(self->world, both.views[0].buf, both.views[1].buf);
    }
    return core_pair_end(&both, &none);
}

static PyObject *elastic_forces(PyObject *object, PyObject *unused)
{
    static const char *const names[2] = {"forces", "moments"};
    core_world *self = (core_world *)object;
    (void)unused;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t voxels = (Py_ssize_t)vxe_world_describe(self->world).voxels;
    const core_shape shapes[2] = {{2, {voxels, 3}}, {2, {voxels, 3}}};
    return pair_of(self, names, shapes, vxe_world_elastic_forces);
}

static PyObject *affine_poses(PyObject *object, PyObject *unused)
{
    static const char *const names[2] = {"places", "deformations"};
    core_world *self = (core_world *)object;
    (void)unused;
    if (!core_world_is_free(self)) {
        return NULL;
    }
    const Py_ssize_t bodies = (Py_ssize_t)vxe_world_describe(self->world).affine;
    const core_shape shapes[2] = {{2, {bodies, 3}}, {3, {bodies, 3, 3}}};
    return pair_of(self, names, shapes, vxe_world_affine_poses);
}

#define OUT "\n\nout: an array to fill, float64 in C order; a new one without."

PyMethodDef core_world_array_methods[] = {
    {"positions", FUNCTION(positions), KEYWORDS,
     "positions(out=None) -> array\n\n(voxels, 3) m: centres, in the order of the design." OUT},
    {"orientations", FUNCTION(orientations), KEYWORDS,
     "orientations(out=None) -> array\n\n(voxels, 4): unit quaternions w x y z." OUT},
    {"velocities", FUNCTION(velocities), KEYWORDS,
     "velocities(out=None) -> array\n\n(voxels, 3) m/s." OUT},
    {"spins", FUNCTION(spins), KEYWORDS,
     "spins(out=None) -> array\n\n(voxels, 3) rad/s: angular velocities." OUT},
    {"elastic_forces", elastic_forces, METH_NOARGS,
     "elastic_forces() -> (forces, moments)\n\n(voxels, 3) N and (voxels, 3) N m: of the bonds on "
     "every voxel, without dashpots."},
    {"sense", FUNCTION(sense), KEYWORDS,
     "sense(*names, out=None) -> array, or a tuple of them\n\nSensors of the present state, one "
     "for "
     "each voxel: edge (m); strain (voxels, 3), mean axial strain along each of the voxel's axes; "
     "stress (voxels, 3), Pa; energy (J), half of that of its bonds; floor (N), force of the "
     "floor's spring; contact (N), that and those of other voxels; touched, uint8, 1 where another "
     "voxel pushes. out: an array to fill, or a tuple of as many as there are names."},
    {"hull_volume", FUNCTION(hull_volume), KEYWORDS,
     "hull_volume(which=None) -> float\n\nm^3: volume of the convex hull of the corners of voxels. "
     "which: (voxels,) float64, not 0 for voxels that count."},
    {"affine_poses", affine_poses, METH_NOARGS,
     "affine_poses() -> (places, deformations)\n\n(bodies, 3) m and (bodies, 3, 3) of all affine "
     "bodies."},
    {"settle", FUNCTION(core_world_settle), KEYWORDS,
     "settle(*, time=None, tolerance=1e-12, linear=False, steps=1000) -> Settled\n\nMoves the "
     "world "
     "to an equilibrium near its present poses, all at rest there, by solving equations. time (s): "
     "of growth, actuation, schedules and prescribed motion; the present one without. Raises "
     "Unphysical where there is none, Unsupported for what statics can not do; the world is as it "
     "was then."},
    {"reactions", core_world_reactions, METH_NOARGS,
     "reactions() -> (forces, moments)\n\n(voxels, 3) N and (voxels, 3) N m that hold fixed and "
     "prescribed freedoms in the present poses."},
    {"modes", core_world_modes, METH_VARARGS,
     "modes(count) -> (frequencies, shapes)\n\nThe lowest vibrations about the present poses: "
     "(count,) Hz, 0 for motions of a whole body, below 0 where not stable; (count, voxels, 6), "
     "displacements (m) and rotation vectors (rad), the largest displacement an edge."},
    {NULL, NULL, 0, NULL}};
