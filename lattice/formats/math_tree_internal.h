/* SPDX-License-Identifier: MIT */
/* Converts voxcraft's formulas, which are trees of tags (mtADD, mtSIN, mtVAR ...), into the text of
   our formulas. */
#ifndef VXE_LATTICE_FORMATS_MATH_TREE_INTERNAL_H
#define VXE_LATTICE_FORMATS_MATH_TREE_INTERNAL_H

#include "lattice/formats/vxa/xml_tree_internal.h"

/* A variable of voxcraft, and what it is in our formulas: a name, or a formula in brackets. */
typedef struct vxe_math_name {
    const char *theirs;
    const char *ours;
} vxe_math_name;

/* Converts the one formula inside node into *text, which the caller releases; *text is null if
 * there is none. node may be null. */
vxe_status vxe_math_tree_read(vxe_xml_node *node, const vxe_math_name *names, uint32_t name_count,
                              char **text, vxe_error *error);

/* The number of a formula `variable - number`, which most stop conditions are; else fallback. */
double vxe_math_tree_crossing(vxe_xml_node *node, const char *variable, double fallback);

#endif
