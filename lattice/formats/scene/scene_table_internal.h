/* SPDX-License-Identifier: MIT */
/* The keys of our JSON scene as one table. A reader gets at the values of an object through its
   section of this table and in no other way: a key that does not stand here can not be read. Notes
   on unknown keys go by it, and tests/scene_reference.c prints docs/scene-reference.md from it. */
#ifndef VXE_LATTICE_FORMATS_SCENE_SCENE_TABLE_INTERNAL_H
#define VXE_LATTICE_FORMATS_SCENE_SCENE_TABLE_INTERNAL_H

#include <jansson.h>
#include <stddef.h>

#include "common/messages_internal.h"
#include "lattice/design.h"

typedef enum vxe_scene_type {
    VXE_SCENE_NUMBER,  /* into a double */
    VXE_SCENE_NUMBERS, /* an array of `count` numbers, into double[count] */
    VXE_SCENE_WHOLE,   /* a whole number from 0, into a uint32_t */
    VXE_SCENE_FLAG,    /* true or false, into a bool */
    VXE_SCENE_TEXT,    /* into char[count]; what is longer is cut */
    VXE_SCENE_FORMULA, /* text, into the design's formula number `count` */
    VXE_SCENE_CHOICE,  /* one of the words of `form`, read by vxe_scene_choose */
    VXE_SCENE_LIST,    /* an array of what `form` says, read by the code of its reader */
    VXE_SCENE_OBJECT,  /* an object; its keys are a section of their own, if `form` is null */
    VXE_SCENE_ANY      /* what `form` says; the reader checks its type */
} vxe_scene_type;

/* In place of an offset: the reader asks for the value (vxe_scene_get) and stores it itself. */
#define VXE_SCENE_BY_HAND SIZE_MAX

typedef struct vxe_scene_key {
    const char *key;
    vxe_scene_type type;
    uint32_t count;       /* see vxe_scene_type */
    size_t offset;        /* in the structure that the section fills, or VXE_SCENE_BY_HAND */
    const char *form;     /* what a list holds; the words of a choice, "box|sphere" */
    const char *unit;     /* null: none */
    double low, high;     /* least and largest value of a valid design; both 0: see `also` */
    uint32_t law_number;  /* from 1: unit, default and bounds are this number's of the section's law
                             (vxe_scene_law_number); 0: they stand here */
    bool needed;          /* where the object is there, this key must be */
    const char *standard; /* the default in words; null: what a new structure holds there */
    const char *also;     /* what else a value must be; null: nothing */
    const char *meaning;
    const char *old; /* an earlier name that is still read; null: none */
} vxe_scene_key;

/* What a section fills: whose defaults stand in the page. */
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
    const char *note; /* names the object in notes: "ignored: NOTE/key" */
    const char *path; /* of the object in a scene, for the page */
    const vxe_scene_key *keys;
    size_t key_count;
    const struct vxe_scene_section *also; /* the same object has these keys as well; null: no */
    bool partial; /* vxe_scene_read does not note unknown keys: another section's does, whose `also`
                     this one is, or vxe_scene_note */
    vxe_scene_subject subject;
    int law; /* vxe_contact_kind of law numbers; VXE_CONTACT_KINDS: those of affine bodies */
    const char *about; /* a paragraph above the keys; null: none */
} vxe_scene_section;

/* Sections in the order of the page. */
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

const vxe_scene_section *vxe_scene_section_of(vxe_scene_part part);

/* Name, unit, default and range of a key that is a law's number; null for other keys. */
const vxe_law_number *vxe_scene_law_number(const vxe_scene_section *section,
                                           const vxe_scene_key *key);

/* Initial velocity and spin that some voxels share, as the section VXE_SCENE_MOTION fills it. */
typedef struct vxe_scene_motion {
    double velocity[3]; /* m/s */
    double spin[3];     /* rad/s */
} vxe_scene_motion;

/* An object of a scene while it is read. */
typedef struct vxe_scene_item {
    const vxe_scene_section *section;
    json_t *object;     /* null: the scene has none, nothing is read and nothing is wrong */
    const char *where;  /* names the object in messages */
    vxe_design *design; /* gets formulas and notes */
} vxe_scene_item;

vxe_scene_item vxe_scene_item_of(vxe_design *design, vxe_scene_part part, json_t *object,
                                 const char *where);

/* Reads an object: fills the places that its keys have in `into`, and leaves alone what the scene
   does not say; checks the types of its other keys; notes what the table does not know. */
vxe_status vxe_scene_read(const vxe_scene_item *item, void *into, vxe_error *error);

/* Notes the keys of an object that its section lacks. */
void vxe_scene_note(const vxe_scene_item *item);

/* The value of a key that the reader stores itself, by its present or its earlier name; null where
   the scene says nothing, or where the section has no such key, which is a programmer's error. */
json_t *vxe_scene_get(const vxe_scene_item *item, const char *key);

/* The place of a word among those of a choice; *choice stays where the scene says nothing. */
vxe_status vxe_scene_choose(const vxe_scene_item *item, const char *key, uint32_t *choice,
                            vxe_error *error);

/* A word of a choice by its place, its length in *length; null: there are not so many. */
const char *vxe_scene_word(const char *words, uint32_t place, size_t *length);

#endif
