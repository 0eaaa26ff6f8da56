/* SPDX-License-Identifier: MIT */
/* voxcraft's formulas, which are trees of tags (mtADD, mtSIN, mtVAR ...), as text of ours. */
#ifndef VXE_LATTICE_FORMATS_MATH_TREE_INTERNAL_H
#define VXE_LATTICE_FORMATS_MATH_TREE_INTERNAL_H

#include "lattice/formats/vxa/xml_tree_internal.h"

/* A variable there, and what it is here: a formula in brackets, or a name. */
typedef struct vxe_math_name {
    const char *theirs;
    const char *ours;
} vxe_math_name;

/* The one formula inside node, in *text, which the caller releases; null where there is none (node
 * may be null). */
vxe_status vxe_math_tree_read(vxe_xml_node *node, const vxe_math_name *names, uint32_t name_count,
                              char **text, vxe_error *error);

/* If a formula is `variable - number`, as most rules to stop are, that number; else fallback. */
double vxe_math_tree_crossing(vxe_xml_node *node, const char *variable, double fallback);

#endif
