/* SPDX-License-Identifier: MIT */
/* What the sources of the Python module `voxelastic._core` share. The module is built under the
   limited API of Python 3.11, so that one binary serves every later Python, and knows NumPy by the
   buffer protocol alone. All that is kept for a process is in core_state, one for each interpreter.

   A method that lets go of the interpreter lock marks its object first: a second thread that uses
   the same world, batch or recorder gets a RuntimeError. A design that something reads meanwhile,
   or must still be as it was, counts its readers, and refuses to be changed. */
#ifndef VXE_PYTHON_CORE_H
#define VXE_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "voxelastic/voxelastic.h"

/* How a member of a structure is stored. */
typedef enum core_kind {
    CORE_DOUBLE,
    CORE_FLOAT,
    CORE_U32,
    CORE_U64,
    CORE_BOOL,
    CORE_TEXT,    /* an array of char */
    CORE_POINTER, /* const char * that lives elsewhere */
    CORE_CHOICE,  /* an enumeration from 0, one word for each value */
    CORE_SIGNED,  /* the same, from -1 */
    CORE_INTEGER  /* an enumeration that stays a number */
} core_kind;

#define CORE_MAX_WORDS 6

typedef struct core_field {
    const char *name;
    core_kind kind;
    size_t offset;
    size_t count; /* numbers of an array, 1 for a scalar; bytes of a CORE_TEXT */
    const char *words[CORE_MAX_WORDS];
} core_field;

/* Types of Python objects that show one structure each. */
typedef enum core_section_index {
    CORE_MATERIAL,
    CORE_FLOOR,
    CORE_FLUID,
    CORE_MAGNETICS,
    CORE_ACTUATION,
    CORE_STOP,
    CORE_TIME_STEP,
    CORE_VIEWS, /* what stands above are views, below named tuples, then keyword arguments */
    CORE_WORLD_FACTS = CORE_VIEWS,
    CORE_ENERGY,
    CORE_SETTLED,
    CORE_BATCH_RESULT,
    CORE_BATCH_FACTS,
    CORE_PROGRESS,
    CORE_TEAM_FACTS,
    CORE_TEAM_ROBOT,
    CORE_SEARCH_FACTS,
    CORE_GRADIENT_FACTS,
    CORE_SHOWN,
    CORE_WORLD_DEF = CORE_SHOWN,
    CORE_BATCH_DEF,
    CORE_TEAM_DEF,
    CORE_GRADIENT_DEF,
    CORE_PICTURE_DEF,
    CORE_SECTIONS
} core_section_index;

typedef struct core_section {
    const char *name, *doc;
    const core_field *fields;
    uint32_t count;
    PyGetSetDef *getset;           /* of a view */
    PyStructSequence_Field *names; /* of a named tuple */
    size_t offset;                 /* of a view that is part of a design */
    size_t size;
} core_section;

extern const core_section core_sections[CORE_SECTIONS];

/* Elements of arrays. */
typedef enum core_element {
    CORE_FLOAT64,
    CORE_FLOAT32,
    CORE_INT64,
    CORE_INT32,
    CORE_UINT32,
    CORE_UINT8,
    CORE_TRUTH,
    CORE_ELEMENTS
} core_element;

typedef struct core_state {
    PyObject *error, *invalid_input, *unsupported, *diverged, *unphysical, *system_failure;
    PyObject *warning;
    PyObject *empty;                 /* numpy.empty */
    PyObject *dtypes[CORE_ELEMENTS]; /* of numpy */
    PyTypeObject *shown[CORE_SHOWN];
    PyTypeObject *design, *world, *batch, *team, *search, *gradient, *frame, *recorder;
    bool orphan_told; /* that a fork has left one thread */
} core_state;

/* A design, and how many readers it has. */
typedef struct core_design {
    PyObject_HEAD core_state *state;
    vxe_design *design;
    uint32_t readers;
} core_design;

/* A material of a design, one of its own, or another part of a design. */
typedef struct core_view {
    PyObject_HEAD core_state *state;
    const core_section *section;
    core_design *design; /* null: a material of its own */
    uint32_t index;      /* of a material */
    vxe_material own;
} core_view;

typedef struct core_world {
    PyObject_HEAD core_state *state;
    vxe_world *world;  /* null once closed */
    bool busy;         /* a thread is in a call that has let go of the interpreter lock */
    uint64_t slice;    /* steps between two looks at signals */
    uint32_t warnings; /* that were told */
} core_world;

typedef struct core_frame {
    PyObject_HEAD core_state *state;
    vxe_frame *frame;
} core_frame;

/* A text that does not change, for a table that holds pointers to anything. */
#define CORE_DOC(text) ((void *)(uintptr_t)(text))

/* core.c */
/* As PyArg_ParseTupleAndKeywords, with names that do not change. */
int core_parse(PyObject *arguments, PyObject *keywords, const char *format,
               const char *const names[], ...);
core_state *core_state_of(PyTypeObject *type);
PyObject *core_allocate(PyTypeObject *type);
void core_free(PyObject *self);
PyObject *core_raise(core_state *state, const vxe_error *error);
PyObject *core_text(const char *text);
int core_warn(core_state *state, const char *text);
/* For the format O&: an index or a count, as a uint32_t, from anything that is a whole number. */
int core_index(PyObject *object, void *number);
/* Warns once where several threads are asked for, and a fork has left one. */
int core_tell_orphan(core_state *state, uint32_t threads);
/* Makes a type and adds it to the module by the last word of its name. more: methods of another
   source, or null. Null with an exception. */
PyTypeObject *core_add_type(PyObject *module, const char *name, size_t size, unsigned flags,
                            PyType_Slot *slots, PyMethodDef *more);
/* Number of processors that this process may use now; 0 where it can not be told. */
uint32_t core_processors(void);
/* s, of a clock that only goes forwards. */
double core_clock(void);

/* What the watcher of a long call knows. The call begins by core_watch_begin, which lets go of the
   interpreter lock, and ends by core_watch_end, which takes it again. */
typedef struct core_watch {
    core_state *state;
    core_section_index row; /* the named tuple that progress is told, if there is one */
    PyThreadState *thread;  /* of the caller, while the interpreter lock is not held */
    PyObject *progress;     /* to be called, or null */
    double last;            /* s: when it looked */
    bool raised;            /* an exception waits for the end of the call */
} core_watch;

/* Checks what was given as progress, a function or None. False with an exception. */
bool core_watch_takes(PyObject *progress);
void core_watch_begin(core_watch *watch, core_state *state, core_section_index row,
                      PyObject *progress);
void core_watch_end(core_watch *watch);
/* A look, some twenty times a second: at signals, and the caller is told how far it is. facts: the
   structure of the row. Returns whether to go on. */
bool core_watch_look(core_watch *watch, const void *facts);

/* core_policy.c: the policy of a gradient, two functions or none */
typedef struct core_policy {
    PyObject *act, *back; /* or null */
    core_state *state;
    core_watch *watch; /* of a run */
} core_policy;

/* Takes functions, or None for both. False with a TypeError. */
bool core_policy_take(core_policy *policy, PyObject *act, PyObject *back);
void core_policy_clear(core_policy *policy);
int core_policy_visit(const core_policy *policy, visitproc visit, void *arg);
/* Gives it to a gradient for a run that is watched; a gradient without functions has none. */
void core_policy_put(core_policy *policy, core_state *state, core_watch *watch,
                     vxe_gradient *gradient);

/* core_fields.c */
PyObject *core_field_read(const void *structure, const core_field *field);
/* Returns 0, or -1 with an exception that names `owner` and the field. */
int core_field_write(void *structure, const core_field *field, const char *owner, PyObject *value);
/* Sets members of up to two structures by keyword arguments; the name of an unknown one is in the
   exception, with the closest that exists. */
int core_take_keywords(PyObject *keywords, const char *owner, void *const structures[2],
                       const core_section *const sections[2]);
/* The member of that name; null where there is none, or no section. */
const core_field *core_find_field(const core_section *section, const char *name);
PyObject *core_named_tuple(core_state *state, core_section_index which, const void *structure);

/* core_views.c */
/* Attributes of views, for their tables; closure is the place of the member. */
PyObject *core_view_value(PyObject *self, void *closure);
int core_view_assign(PyObject *self, PyObject *value, void *closure);
PyObject *core_material_curve(PyObject *self, void *unused);
int core_material_set_curve(PyObject *self, PyObject *value, void *unused);
int core_add_views(PyObject *module, core_state *state);
PyObject *core_view_of(core_design *design, core_section_index which, uint32_t index);
/* The material that an object shows; null with a TypeError for anything else. */
const vxe_material *core_material_of(core_state *state, PyObject *object);

/* core_arrays.c */
typedef struct core_shape {
    int dimensions;
    Py_ssize_t size[3];
} core_shape;

/* A new array, or the caller's `out` (None: a new one) after its element, shape, order and
   writability have been checked. *view must be released. Null with an exception. */
PyObject *core_out(core_state *state, PyObject *out, const char *name, core_element element,
                   const core_shape *shape, Py_buffer *view);
/* Looks at an array of the caller's; a size below 0 stands for any. Returns 0, or -1 with an
   exception that says what was expected and what came. */
int core_in(PyObject *array, const char *name, core_element element, const core_shape *shape,
            Py_buffer *view);
/* A new array with a copy of the numbers. */
PyObject *core_copied(core_state *state, core_element element, const core_shape *shape,
                      const void *numbers);
/* Two new arrays of float64 that are filled together, through their views. begin: false with an
   exception. end: the tuple of both, or null with the exception of an error that is one. */
typedef struct core_pair {
    core_state *state;
    PyObject *arrays[2];
    Py_buffer views[2];
} core_pair;

bool core_pair_begin(core_pair *pair, core_state *state, const char *const names[2],
                     const core_shape shapes[2]);
PyObject *core_pair_end(core_pair *pair, const vxe_error *error);

/* Changes a number by what was given, unless that is nothing or None. Returns 0, or -1 with an
   exception. */
int core_take_number(PyObject *given, double *number);
/* Reads a sequence of so many numbers. */
int core_numbers(PyObject *sequence, const char *name, double *numbers, Py_ssize_t count);

/* core_design.c */
int core_add_design(PyObject *module, core_state *state);
/* Whether a design may be changed; else an exception is set. */
bool core_may_change(const core_design *design);
PyObject *core_design_wrap(PyTypeObject *type, vxe_design *design);
/* core_design_body.c: methods that read and write voxels and layers */
extern PyMethodDef core_design_body_methods[];

/* core_control.c: methods of designs, and names of sensors */
PyObject *core_design_put_controller(PyObject *self, PyObject *arguments);
PyObject *core_design_drop_controller(PyObject *self, PyObject *unused);
PyObject *core_design_controller(PyObject *self, PyObject *unused);
int core_sensors(PyObject *names, const char *owner, vxe_sensor_kind sensors[VXE_SENSOR_KINDS]);

/* core_world.c, core_world_arrays.c */
int core_add_world(PyObject *module, core_state *state);
bool core_world_is_free(const core_world *world);
extern PyMethodDef core_world_array_methods[];

/* core_world_statics.c: methods for that table */
PyObject *core_world_settle(PyObject *object, PyObject *arguments, PyObject *keywords);
PyObject *core_world_reactions(PyObject *object, PyObject *unused);
PyObject *core_world_modes(PyObject *object, PyObject *arguments);
PyObject *core_world_wrap(core_state *state, vxe_world *world);

/* core_batch.c, core_team.c, core_search.c, core_gradient.c, core_record.c */
int core_add_batch(PyObject *module, core_state *state);
int core_add_team(PyObject *module, core_state *state);
int core_add_search(PyObject *module, core_state *state);
int core_add_gradient(PyObject *module, core_state *state);
/* A new Frame of the present state of a world; null with an exception. */
PyObject *core_frame_of(core_state *state, const vxe_world *world);
int core_add_records(PyObject *module, core_state *state);
extern PyMethodDef core_record_functions[];

#endif
