/* SPDX-License-Identifier: MIT */
/* Arrays by the buffer protocol: those of a caller are looked at before they are touched, and a
   message says what was expected and what came. Formats are compared by class: which letter stands
   for an integer of 8 bytes differs between platforms. */
#include "core.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    char kind; /* f float, i signed, u unsigned */
    Py_ssize_t size;
} elements[CORE_ELEMENTS] = {
    [CORE_FLOAT64] = {"float64", 'f', 8}, [CORE_FLOAT32] = {"float32", 'f', 4},
    [CORE_INT64] = {"int64", 'i', 8},     [CORE_INT32] = {"int32", 'i', 4},
    [CORE_UINT32] = {"uint32", 'u', 4},   [CORE_UINT8] = {"uint8", 'u', 1},
    [CORE_TRUTH] = {"bool", 'b', 1}};

/* The class of a format: f, i, u, b (truth), or ? for what is none of these or not in the order of
   bytes of this machine. */
static char class_of(const char *format)
{
    if (!format) {
        return 'u'; /* bytes */
    }
    const uint16_t probe = 1;
    const bool little = *(const unsigned char *)&probe == 1;
    if (*format == '@' || *format == '=' || *format == (little ? '<' : '>')) {
        format++;
    }
    if (!format[0] || format[1]) {
        return '?';
    }
    return strchr("efdg", *format)     ? 'f'
           : strchr("bhilqn", *format) ? 'i'
           : strchr("BHILQN", *format) ? 'u'
           : *format == '?'            ? 'b'
                                       : '?';
}

/* Writes a shape such as (226, 3). */
static void write_shape(char *text, size_t size, int dimensions, const Py_ssize_t *shape)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (int i = 0; i < dimensions && used + 1 < size; i++) {
        used += (size_t)snprintf(text + used, size - used, shape[i] < 0 ? "%sany" : "%s%zd",
                                 i ? ", " : "", shape[i]);
    }
    if (used + 1 < size) {
        snprintf(text + used, size - used, dimensions == 1 ? ",)" : ")");
    }
}

static bool fits(const Py_buffer *view, const core_shape *shape)
{
    bool same = view->ndim == shape->dimensions;
    for (int i = 0; same && i < shape->dimensions; i++) {
        same = shape->size[i] < 0 || view->shape[i] == shape->size[i];
    }
    return same;
}

/* Compares an array with what is expected. Returns 0, or -1 with an exception. */
static int check(const Py_buffer *view, const char *name, core_element element,
                 const core_shape *shape, bool writable)
{
    const char kind = class_of(view->format);
    const bool ordered = PyBuffer_IsContiguous(view, 'C');
    if (kind == elements[element].kind && view->itemsize == elements[element].size && ordered &&
        fits(view, shape) && !(writable && view->readonly)) {
        return 0;
    }
    char expected[96];
    char came[96];
    write_shape(expected, sizeof expected, shape->dimensions, shape->size);
    write_shape(came, sizeof came, view->ndim, view->shape);
    const char *kinds = kind == 'f' ? "float" : kind == 'i' ? "int" : kind == 'u' ? "uint" : "bool";
    char dtype[64];
    if (kind == '?') {
        snprintf(dtype, sizeof dtype, "format '%.40s'", view->format);
    } else if (kind == 'b') {
        snprintf(dtype, sizeof dtype, "bool");
    } else {
        snprintf(dtype, sizeof dtype, "%s%zd", kinds, 8 * view->itemsize);
    }
    PyErr_Format(PyExc_ValueError,
                 "%s: expected a%s array of %s and shape %s in C order, not %s of shape %s%s%s",
                 name, writable ? " writable" : "n", elements[element].name, expected, dtype, came,
                 ordered ? "" : ", not in C order",
                 writable && view->readonly ? ", read-only" : "");
    return -1;
}

static int look(PyObject *array, const char *name, core_element element, const core_shape *shape,
                bool writable, Py_buffer *view)
{
    if (PyObject_GetBuffer(array, view, PyBUF_FULL_RO)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected an array of %s, not %R", name,
                     elements[element].name, array);
        return -1;
    }
    if (check(view, name, element, shape, writable)) {
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

int core_in(PyObject *array, const char *name, core_element element, const core_shape *shape,
            Py_buffer *view)
{
    return look(array, name, element, shape, false, view);
}

PyObject *core_out(core_state *state, PyObject *out, const char *name, core_element element,
                   const core_shape *shape, Py_buffer *view)
{
    if (out && out != Py_None) {
        return look(out, name, element, shape, true, view) ? NULL : Py_NewRef(out);
    }
    PyObject *sizes = PyTuple_New(shape->dimensions);
    for (int i = 0; sizes && i < shape->dimensions; i++) {
        PyObject *size = PyLong_FromSsize_t(shape->size[i]);
        if (!size || PyTuple_SetItem(sizes, i, size)) {
            Py_CLEAR(sizes);
        }
    }
    PyObject *array =
        sizes ? PyObject_CallFunctionObjArgs(state->empty, sizes, state->dtypes[element], NULL)
              : NULL;
    Py_XDECREF(sizes);
    if (array && look(array, name, element, shape, true, view)) {
        Py_CLEAR(array);
    }
    return array;
}

PyObject *core_copied(core_state *state, core_element element, const core_shape *shape,
                      const void *numbers)
{
    Py_buffer view;
    PyObject *array = core_out(state, NULL, "array", element, shape, &view);
    if (array) {
        if (view.len > 0) {
            memcpy(view.buf, numbers, (size_t)view.len);
        }
        PyBuffer_Release(&view);
    }
    return array;
}

int core_numbers(PyObject *sequence, const char *name, double *numbers, Py_ssize_t count)
{
    const Py_ssize_t size = PySequence_Check(sequence) ? PySequence_Size(sequence) : -1;
    if (size != count) {
        PyErr_Clear();
        PyErr_Format(size < 0 ? PyExc_TypeError : PyExc_ValueError,
                     "%s must be %zd numbers, not %R", name, count, sequence);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        numbers[i] = item ? PyFloat_AsDouble(item) : 0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s must be %zd numbers, not %R", name, count, sequence);
            return -1;
        }
    }
    return 0;
}

bool core_pair_begin(core_pair *pair, core_state *state, const char *const names[2],
                     const core_shape shapes[2])
{
    *pair = (core_pair){.state = state};
    for (int i = 0; i < 2; i++) {
        pair->arrays[i] =
            core_out(state, NULL, names[i], CORE_FLOAT64, &shapes[i], &pair->views[i]);
        if (!pair->arrays[i]) {
            if (i > 0) {
                PyBuffer_Release(&pair->views[0]);
                Py_CLEAR(pair->arrays[0]);
            }
            return false;
        }
    }
    return true;
}

PyObject *core_pair_end(core_pair *pair, const vxe_error *error)
{
    PyObject *both = NULL;
    for (int i = 0; i < 2; i++) {
        PyBuffer_Release(&pair->views[i]);
    }
    if (error->status) {
        (void)core_raise(pair->state, error);
    } else {
        both = Py_BuildValue("(OO)", pair->arrays[0], pair->arrays[1]);
    }
    Py_DECREF(pair->arrays[0]);
    Py_DECREF(pair->arrays[1]);
    return both;
}

int core_take_number(PyObject *given, double *number)
{
    if (given && given != Py_None) {
        *number = PyFloat_AsDouble(given);
    }
    return PyErr_Occurred() ? -1 : 0;
}
