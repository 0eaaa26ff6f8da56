/* SPDX-License-Identifier: MIT */
/* The keys of our JSON scene as one table, so that documentation and program cannot differ. Readers
   get the values of an object only through its section of this table: a key that is not in it
   cannot be read. Unknown keys are noted by it, and tests/scene_reference.c prints
   docs/scene-reference.md from it. */
#ifndef VXE_LATTICE_FORMATS_SCENE_SCENE_TABLE_INTERNAL_H
#define VXE_LATTICE_FORMATS_SCENE_SCENE_TABLE_INTERNAL_H

#include <jansson.h>
#include <stddef.h>

#include "common/messages_internal.h"
#include "lattice/design.h"

typedef enum vxe_scene_type {
    VXE_SCENE_NUMBER,  /* into a double */
    VXE_SCENE_NUMBERS, /* an array of `count` numbers, into double[count] */
    VXE_SCENE_WHOLE,   /* an integer from 0, into a uint32_t */
    VXE_SCENE_FLAG,    /* true or false, into a bool */
    VXE_SCENE_TEXT,    /* a string, into char[count]; longer texts are truncated */
    VXE_SCENE_FORMULA, /* a string, into the design's formula number `count` */
    VXE_SCENE_CHOICE,  /* one of the words of `form`; see vxe_scene_choose */
    VXE_SCENE_LIST,    /* an array; `form` describes its items, which the reader reads */
    VXE_SCENE_OBJECT,  /* an object; if `form` is null, its keys are another section */
    VXE_SCENE_ANY      /* `form` describes it; the reader checks the type */
} vxe_scene_type;

/* Instead of an offset: the reader asks for the value by vxe_scene_get and stores it itself. */
#define VXE_SCENE_BY_HAND SIZE_MAX

typedef struct vxe_scene_key {
    const char *key;
    vxe_scene_type type;
    uint32_t count;       /* see vxe_scene_type */
    size_t offset;        /* in the structure that the section fills, or VXE_SCENE_BY_HAND */
    const char *form;     /* items of a list; words of a choice, "box|sphere" */
    const char *unit;     /* null: none */
    double low, high;     /* range of valid values; both 0: `also` describes it */
    uint32_t law_number;  /* from 1: unit, default and range are those of this number of the
                             section's contact model (vxe_scene_law_number); 0: they are here */
    bool needed;          /* an object must have this key */
    const char *standard; /* the default in words; null: the value in a new structure */
    const char *also;     /* further conditions on the value; null: none */
    const char *meaning;
    const char *old; /* an earlier name that is still read; null: none */
} vxe_scene_key;

/* The structure that a section fills, whose defaults are printed in the documentation. */
typedef enum vxe_scene_subject {
    VXE_SCENE_OF_NOTHING, /* all its defaults are in words */
    VXE_SCENE_OF_DESIGN,
    VXE_SCENE_OF_FLOOR,
    VXE_SCENE_OF_FLUID,
    VXE_SCENE_OF_MAGNETICS,
    VXE_SCENE_OF_ACTUATION,
    VXE_SCENE_OF_STOP,
    VXE_SCENE_OF_TIME_STEP,
    VXE_SCENE_OF_MATERIAL,
    VXE_SCENE_OF_REGION,
    VXE_SCENE_OF_BODY,
    VXE_SCENE_OF_SHAPE,
    VXE_SCENE_OF_LAW /* numbers of `law` */
} vxe_scene_subject;

typedef struct vxe_scene_section {
    const char *note; /* name of the object in notes: NOTE: unknown key "..." */
    const char *path; /* path of the object in a scene, for the documentation */
    const vxe_scene_key *keys;
    size_t key_count;
    const struct vxe_scene_section
        *also;    /* section with further keys of the same object, or null */
    bool partial; /* vxe_scene_read does not note unknown keys: the section whose `also` this one is
                     does so, or vxe_scene_note */
    vxe_scene_subject subject;
    int law; /* vxe_contact_kind of law numbers; VXE_CONTACT_KINDS: those of affine bodies */
    const char *about; /* paragraph above the keys in the documentation; null: none */
} vxe_scene_section;

/* Sections in the order of the documentation. */
typedef enum vxe_scene_part {
    VXE_SCENE_ROOT,
    VXE_SCENE_MATERIAL,
    VXE_SCENE_LAYERS,
    VXE_SCENE_FLOOR,
    VXE_SCENE_HEIGHTS,
    VXE_SCENE_FLUID,
    VXE_SCENE_FORCE_FIELD,
    VXE_SCENE_ACTUATION,
    VXE_SCENE_SCHEDULE,
    VXE_SCENE_CONTROLLER,
    VXE_SCENE_STOP,
    VXE_SCENE_TIME_STEP,
    VXE_SCENE_REGION,
    VXE_SCENE_MOTION,
    VXE_SCENE_CONTACT,
    VXE_SCENE_LINEAR,
    VXE_SCENE_HERTZ,
    VXE_SCENE_POWER,
    VXE_SCENE_MAGNETICS,
    VXE_SCENE_FIELD,
    VXE_SCENE_GRADIENT,
    VXE_SCENE_BODY,
    VXE_SCENE_CYLINDER,
    VXE_SCENE_POLYHEDRON,
    VXE_SCENE_BODY_CONTACT,
    VXE_SCENE_WALL,
    VXE_SCENE_OBSERVATION,
    VXE_SCENE_PARTS
} vxe_scene_part;

/* A section. */
const vxe_scene_section *vxe_scene_section_of(vxe_scene_part part);

/* The names of keys in turn, those of a section (`names`) first; a vxe_name_at. */
const char *vxe_scene_key_at(const void *names, unsigned index);

/* Name, unit, default and range of a key that is a number of a contact model; null for others. */
const vxe_law_number *vxe_scene_law_number(const vxe_scene_section *section,
                                           const vxe_scene_key *key);

/* Initial velocity and spin of some voxels, which the section VXE_SCENE_MOTION fills. */
typedef struct vxe_scene_motion {
    double velocity[3]; /* m/s */
    double spin[3];     /* rad/s */
} vxe_scene_motion;

/* An object of a scene while it is read. */
typedef struct vxe_scene_item {
    const vxe_scene_section *section;
    json_t *object;     /* null: the scene does not have it, and nothing is read */
    const char *where;  /* name of the object in messages */
    vxe_design *design; /* where formulas and notes go */
} vxe_scene_item;

/* Returns an item of a section. */
vxe_scene_item vxe_scene_item_of(vxe_design *design, vxe_scene_part part, json_t *object,
                                 const char *where);

/* Reads an object: stores the values of its keys in the structure `into`, whose other members are
   not changed; checks the types of all keys; notes unknown keys. */
vxe_status vxe_scene_read(const vxe_scene_item *item, void *into, vxe_error *error);

/* Notes keys of an object that its section does not have, as mistakes. */
void vxe_scene_note(const vxe_scene_item *item);

/* The value of a key that the reader stores itself, by its present or its earlier name; null if the
   scene does not have it. The section must have the key. */
json_t *vxe_scene_get(const vxe_scene_item *item, const char *key);

/* The index of the word that the scene has among those of a choice; *choice is not changed if the
   key is missing. */
vxe_status vxe_scene_choose(const vxe_scene_item *item, const char *key, uint32_t *choice,
                            vxe_error *error);

/* The word of a choice with that index, and its length; null beyond the last. */
const char *vxe_scene_word(const char *words, uint32_t place, size_t *length);

#endif
