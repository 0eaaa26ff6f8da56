/* SPDX-License-Identifier: MIT */
/* Sets that grow together (union-find): parent[i] is i, or one on the way to the smallest of its
   set. */
#ifndef VXE_LATTICE_UNION_INTERNAL_H
#define VXE_LATTICE_UNION_INTERNAL_H

#include <stdint.h>

static inline uint32_t vxe_union_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static inline void vxe_union_join(uint32_t *parent, uint32_t one, uint32_t two)
{
    const uint32_t a = vxe_union_root(parent, one);
    const uint32_t b = vxe_union_root(parent, two);
    parent[a < b ? b : a] = a < b ? a : b;
}

#endif
