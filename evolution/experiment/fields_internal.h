/* SPDX-License-Identifier: MIT */
/* Sections of an experiment's file as tables: each key's place in a structure, its kind and what it
   may be. One table reads a section, strictly, and writes it with all that was left to defaults. */
#ifndef VXE_EVOLUTION_EXPERIMENT_FIELDS_INTERNAL_H
#define VXE_EVOLUTION_EXPERIMENT_FIELDS_INTERNAL_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

typedef enum vxe_field_kind {
    VXE_FIELD_NUMBER, /* double */
    VXE_FIELD_WHOLE,  /* uint64_t */
    VXE_FIELD_FLAG,   /* bool */
    VXE_FIELD_CHOICE, /* uint32_t, the place among the choices */
    VXE_FIELD_TEXT    /* char[most] */
} vxe_field_kind;

typedef struct vxe_field {
    const char *key;
    vxe_field_kind kind;
    size_t offset;
    double min, max;            /* of numbers, both allowed */
    const char *const *choices; /* ended by null */
} vxe_field;

/* Fills a structure, which holds the defaults, from an object (null: they stay). where names it in
 * messages; unknown keys are errors. */
vxe_status vxe_fields_read(json_t *object, const char *where, const vxe_field *fields, size_t count,
                           void *into, vxe_error *error);

/* Likewise, whatever else is in the object. */
vxe_status vxe_fields_fill(const json_t *object, const char *where, const vxe_field *fields,
                           size_t count, void *into, vxe_error *error);

/* The object that is read back as the same; null for want of memory. */
json_t *vxe_fields_write(const vxe_field *fields, size_t count, const void *from);

/* Fails at the first key of an object that is not among the known ones, which end with null. */
vxe_status vxe_fields_known(json_t *object, const char *where, const char *const known[],
                            vxe_error *error);

#endif
