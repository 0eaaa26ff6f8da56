/* SPDX-License-Identifier: MIT */
/* Tables that describe the sections of an experiment's file: for each key its place in a structure,
   its type and its range. One table reads a section strictly, and writes it with all defaults. */
#ifndef VXE_EVOLUTION_EXPERIMENT_EXPERIMENT_FIELDS_INTERNAL_H
#define VXE_EVOLUTION_EXPERIMENT_EXPERIMENT_FIELDS_INTERNAL_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "evolution/experiment/experiment_internal.h"

typedef enum vxe_field_kind {
    VXE_FIELD_NUMBER, /* double */
    VXE_FIELD_WHOLE,  /* uint64_t */
    VXE_FIELD_FLAG,   /* bool */
    VXE_FIELD_CHOICE, /* uint32_t, index among the choices */
    VXE_FIELD_TEXT,   /* char[max] */
    VXE_FIELD_WORDS   /* char[max]: a list of texts, none of them empty, each ended by a zero byte;
                         behind the last another zero */
} vxe_field_kind;

typedef struct vxe_field {
    const char *key;
    vxe_field_kind kind;
    size_t offset;
    double min, max; /* range of numbers, inclusive; of texts and words, max is the size in
                        bytes */
    const char *const *choices; /* ends with null */
} vxe_field;

/* Reads an object into a structure that holds the defaults; where the object is null, they stay.
   Messages name the object `where`. Unknown keys are errors. */
vxe_status vxe_fields_read(json_t *object, const char *where, const vxe_field *fields, size_t count,
                           void *into, vxe_error *error);

/* The same, but ignores other keys of the object. */
vxe_status vxe_fields_fill(const json_t *object, const char *where, const vxe_field *fields,
                           size_t count, void *into, vxe_error *error);

/* Writes the object that reads back as the same. Null where memory is lacking. */
json_t *vxe_fields_write(const vxe_field *fields, size_t count, const void *from);

/* Reads the section "network" (object may be null); and its object, null where memory is
   lacking. */
vxe_status vxe_network_read(json_t *object, vxe_network_settings *into, vxe_error *error);
json_t *vxe_network_object(const vxe_network_settings *from);

/* Fails at the first key of an object that is not in the list of known keys, which ends with
   null. */
vxe_status vxe_fields_known(json_t *object, const char *where, const char *const known[],
                            vxe_error *error);

#endif
