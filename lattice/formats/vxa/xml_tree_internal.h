/* SPDX-License-Identifier: MIT */
/* An XML file as a tree with places, for formats whose readers look tags up by name. Bounded: depth
 * 200, 256 attributes per tag. */
#ifndef VXE_LATTICE_FORMATS_VXA_XML_TREE_INTERNAL_H
#define VXE_LATTICE_FORMATS_VXA_XML_TREE_INTERNAL_H

#include <stdbool.h>

#include "common/arena_internal.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"

/* Tags in each other. */
#define VXE_XML_DEEPEST 200u

typedef struct vxe_xml_node vxe_xml_node;

struct vxe_xml_node {
    const char *name;
    const char *text; /* all text and CDATA directly inside, joined; blanks at both ends removed */
    uint64_t length;  /* of text */
    const char **attributes; /* name, value, ..., null */
    vxe_xml_node *parent;
    vxe_xml_node *first_child;
    vxe_xml_node *next; /* sibling */
    const char *file;   /* as given to vxe_xml_tree_init */
    uint32_t line, column;
    bool used; /* some reader asked for it */
};

typedef struct vxe_xml_tree {
    vxe_arena arena;
    vxe_xml_node *root;
} vxe_xml_tree;

/* Parses text; bytes that are not UTF-8 are taken as Latin-1. file names the source in errors. */
vxe_status vxe_xml_tree_init(vxe_xml_tree *tree, const char *file, const char *text, uint64_t size,
                             vxe_error *error);
void vxe_xml_tree_clear(vxe_xml_tree *tree);

/* First child of that name, or null; node may be null. Marks it used. */
vxe_xml_node *vxe_xml_child(vxe_xml_node *node, const char *name);

/* Next sibling of the same name, or null. Marks it used. */
vxe_xml_node *vxe_xml_next(const vxe_xml_node *node);

/* Value of an attribute, or null. */
const char *vxe_xml_attribute(const vxe_xml_node *node, const char *name);

/* Fills an error at a node's place. Returns the status. */
vxe_status vxe_xml_error(vxe_error *error, vxe_status status, const vxe_xml_node *node,
                         const char *format, ...) VXE_PRINTF(4, 5);

/* Puts the children of overlay that carry replace="A.B.C" in the place of the base's elements at
   those dotted paths, which begin with the root's name; what is missing of a path is made. The
   element there keeps its name and takes all else (voxcraft's VXD). Both trees must live on. Other
   children of overlay are left unused. */
vxe_status vxe_xml_overlay(vxe_xml_tree *base, vxe_xml_node *overlay, vxe_error *error);

/* The number in a node, as C's atof reads it: leading blanks, trailing junk. fallback where the
   node is missing (null) or empty; text that holds no number is 0, with a note. */
double vxe_xml_value(const vxe_xml_node *node, double fallback, vxe_messages *notes);

/* The same of a child. */
double vxe_xml_number(vxe_xml_node *node, const char *name, double fallback, vxe_messages *notes);

/* True where the number is not 0, or the text is "true". */
bool vxe_xml_flag(vxe_xml_node *node, const char *name, bool fallback, vxe_messages *notes);

/* Lists tags that nobody asked for, by path. */
void vxe_xml_note_unused(const vxe_xml_node *node, vxe_messages *notes);

/* Marks a subtree used: known, and without effect on physics. */
void vxe_xml_mark(vxe_xml_node *node);

#endif
