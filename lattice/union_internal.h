/* SPDX-License-Identifier: MIT */
/* Disjoint sets (union-find with path halving): parent[i] is i for the smallest member of a set,
   and a smaller member of the same set for the others. */
#ifndef VXE_LATTICE_UNION_INTERNAL_H
#define VXE_LATTICE_UNION_INTERNAL_H

#include <stdint.h>

#include "common/assert_internal.h"

/* The smallest member of the set of i. */
static inline uint32_t vxe_union_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        VXE_ASSERT(parent[i] < i);
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Joins the sets of two members. */
static inline void vxe_union_join(uint32_t *parent, uint32_t one, uint32_t two)
{
    const uint32_t a = vxe_union_root(parent, one);
    const uint32_t b = vxe_union_root(parent, two);
    parent[a < b ? b : a] = a < b ? a : b;
}

#endif
