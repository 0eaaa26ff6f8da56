/* SPDX-License-Identifier: MIT */
/* The order in which the voxels of a small surface are searched: along a Z-curve through the
   lattice, so that a batch of consecutive voxels is compact and most batches are skipped by their
   bounds. Source: Morton1966. */
#include <stdlib.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "engine/contact/neighbor_lists.h"

/* A voxel of a surface and its place on the curve. */
typedef struct ordered {
    uint64_t along; /* place on the curve */
    uint32_t k;     /* place in the surface's list */
} ordered;

/* Bits of each coordinate. Cells that differ in higher bits only share a place on the curve, which
   costs time but no correctness. */
#define DEPTH 21

_Static_assert(3 * DEPTH <= 64, "bits of a place on the curve");

/* The place of a cell on the curve: the bits of its coordinates, interleaved. */
static uint64_t place_on_curve(const int32_t cell[3])
{
    uint64_t along = 0;
    for (uint32_t bit = 0; bit < DEPTH; bit++) {
        for (uint32_t c = 0; c < 3; c++) {
            along |= (uint64_t)((uint32_t)cell[c] >> bit & 1) << (3 * bit + c);
        }
    }
    return along;
}

static int compare(const void *one, const void *two)
{
    const ordered *a = one;
    const ordered *b = two;
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    return a->k < b->k ? -1 : a->k > b->k;
}

bool vxe_contacts_order(vxe_neighbor_list *neighbors)
{
    const vxe_surface *surface = neighbors->surface;
    ordered *all = vxe_memory_take(surface->count, sizeof *all);
    if (!all) {
        return false;
    }
    neighbors->stood = 0;
    for (uint32_t k = 0; k < surface->count; k++) {
        if (surface->faces[k] || surface->breaks) {
            all[neighbors->stood++] = (ordered){place_on_curve(surface->cell + 3ull * k), k};
        }
    }
    VXE_ASSERT(neighbors->stood > 0); /* some voxel has a free face */
    qsort(all, neighbors->stood, sizeof *all, compare);
    for (uint32_t at = 0; at < neighbors->stood; at++) {
        neighbors->from[at] = all[at].k;
    }
    vxe_memory_release(all);
    return true;
}
