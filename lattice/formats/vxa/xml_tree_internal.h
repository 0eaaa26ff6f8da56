/* SPDX-License-Identifier: MIT */
/* An XML file as a tree in which each tag knows its line and column, for readers that look tags up
 * by name. Tags are marked when they are read, so that the others can be reported as ignored.
 * Limits: depth 200, 256 attributes of a tag, 64 bytes of tree for each byte of the file. */
#ifndef VXE_LATTICE_FORMATS_VXA_XML_TREE_INTERNAL_H
#define VXE_LATTICE_FORMATS_VXA_XML_TREE_INTERNAL_H

#include <stdbool.h>

#include "common/arena_internal.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"

/* Maximum depth of nested tags. */
#define VXE_XML_DEEPEST 200u

typedef struct vxe_xml_node vxe_xml_node;

struct vxe_xml_node {
    const char *name;
    const char *text; /* text and CDATA directly inside, joined, without blanks at both ends */
    uint64_t length;  /* length of text */
    const char **attributes; /* name, value, ..., null */
    vxe_xml_node *parent;
    vxe_xml_node *first_child;
    vxe_xml_node *next; /* next sibling */
    const char *file;   /* name of the file, as given to vxe_xml_tree_init */
    uint32_t line, column;
    bool used; /* a reader has asked for it */
};

typedef struct vxe_xml_tree {
    vxe_arena arena;
    vxe_xml_node *root;
} vxe_xml_tree;

/* Parses a text; if it is not UTF-8 it is read as Latin-1. file is its name in errors. */
vxe_status vxe_xml_tree_init(vxe_xml_tree *tree, const char *file, const char *text, uint64_t size,
                             vxe_error *error);

/* Releases the tree. */
void vxe_xml_tree_clear(vxe_xml_tree *tree);

/* First child of that name, or null. Marks the child used. node may be null. */
vxe_xml_node *vxe_xml_child(vxe_xml_node *node, const char *name);

/* Next sibling of the same name, or null. Marks the sibling used. */
vxe_xml_node *vxe_xml_next(const vxe_xml_node *node);

/* Value of an attribute, or null. */
const char *vxe_xml_attribute(const vxe_xml_node *node, const char *name);

/* Fills an error with the place of a node. Returns the status. */
vxe_status vxe_xml_error(vxe_error *error, vxe_status status, const vxe_xml_node *node,
                         const char *format, ...) VXE_PRINTF(4, 5);

/* Replaces elements of base by the children of overlay that have an attribute replace="A.B.C", as
   voxcraft's VXD does. The path begins with the name of the root; missing elements of a path are
   created. The replaced element keeps its name. Both trees are needed as long as base is used.
   Other children of overlay are not marked used. */
vxe_status vxe_xml_overlay(vxe_xml_tree *base, vxe_xml_node *overlay, vxe_error *error);

/* The number in a node; fallback if the node is missing (null). Text that is no number (see
   vxe_number_read), or none, fills *wrong with the place of the node, unless a value before it did:
   whoever reads a file checks wrong->status once, behind everything that it reads. */
double vxe_xml_value(const vxe_xml_node *node, double fallback, vxe_error *wrong);

/* The number in a child, likewise. */
double vxe_xml_number(vxe_xml_node *node, const char *name, double fallback, vxe_error *wrong);

/* The whole number from 0 to max in a child, likewise. */
double vxe_xml_whole(vxe_xml_node *node, const char *name, double fallback, double max,
                     vxe_error *wrong);

/* Whether a child holds 1 or "true", and not 0 or "false", likewise. */
bool vxe_xml_flag(vxe_xml_node *node, const char *name, bool fallback, vxe_error *wrong);

/* Adds a note for each tag that is not marked used, with its path. */
void vxe_xml_note_unused(const vxe_xml_node *node, vxe_messages *notes);

/* Marks a subtree used: its tags are known and have no effect on the physics. */
void vxe_xml_mark(vxe_xml_node *node);

#endif
