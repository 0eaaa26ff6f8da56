/* SPDX-License-Identifier: MIT */
/* Macros by which the rows of the table of keys are written, and the two halves of the table. */
#ifndef VXE_LATTICE_FORMATS_SCENE_SCENE_KEYS_INTERNAL_H
#define VXE_LATTICE_FORMATS_SCENE_SCENE_KEYS_INTERNAL_H

#include "lattice/formats/scene/scene_table_internal.h"

/* Keys that are stored in a member of a structure; their defaults are those of a new structure.
   ALSO and UNIT may be null. */
#define NUMBER(TYPE, MEMBER, KEY, UNIT, LOW, HIGH, ALSO, MEANING)                                  \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_NUMBER, .offset = offsetof(TYPE, MEMBER), .unit = UNIT,      \
        .low = LOW, .high = HIGH, .also = ALSO, .meaning = MEANING                                 \
    }
#define NUMBERS(TYPE, MEMBER, COUNT, KEY, UNIT, ALSO, MEANING)                                     \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_NUMBERS, .count = COUNT, .offset = offsetof(TYPE, MEMBER),   \
        .unit = UNIT, .also = ALSO, .meaning = MEANING                                             \
    }
#define WHOLE(TYPE, MEMBER, KEY, HIGH, MEANING)                                                    \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_WHOLE, .offset = offsetof(TYPE, MEMBER), .high = HIGH,       \
        .meaning = MEANING                                                                         \
    }
#define FLAG(TYPE, MEMBER, KEY, MEANING)                                                           \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_FLAG, .offset = offsetof(TYPE, MEMBER), .meaning = MEANING   \
    }
#define TEXT(TYPE, MEMBER, KEY, MEANING)                                                           \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_TEXT, .count = sizeof((TYPE *)0)->MEMBER,                    \
        .offset = offsetof(TYPE, MEMBER), .meaning = MEANING                                       \
    }
/* A number of the section's contact model, which has its unit, default and range. */
#define LAW(TYPE, MEMBER, INDEX, KEY, MEANING)                                                     \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_NUMBER,                                                      \
        .offset = offsetof(TYPE, MEMBER) + (INDEX) * sizeof(double), .law_number = (INDEX) + 1,    \
        .meaning = MEANING                                                                         \
    }
#define FORMULA(WHICH, KEY, UNIT, STANDARD, MEANING)                                               \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_FORMULA, .count = WHICH, .offset = VXE_SCENE_BY_HAND,        \
        .unit = UNIT, .standard = STANDARD, .meaning = MEANING                                     \
    }
/* Keys whose value the reader asks for and stores itself. */
#define BY_HAND(TYPE, KEY, FORM, STANDARD, MEANING)                                                \
    {                                                                                              \
        .key = KEY, .type = TYPE, .offset = VXE_SCENE_BY_HAND, .form = FORM, .standard = STANDARD, \
        .meaning = MEANING                                                                         \
    }

#define KEYS(ARRAY) .keys = ARRAY, .key_count = sizeof(ARRAY) / sizeof((ARRAY)[0])

/* The sections before VXE_SCENE_CONTACT, and those from it on, which is the first of its array. */
extern const vxe_scene_section vxe_scene_world_sections[];
extern const vxe_scene_section vxe_scene_body_sections[];

#endif
