/* SPDX-License-Identifier: MIT */
/* Who touches whom: the scan order of a design's voxels, their upward neighbours, surface and
   connected bodies. Time and memory follow the voxels, not the box around them. */
#ifndef VXE_LATTICE_TOPOLOGY_INTERNAL_H
#define VXE_LATTICE_TOPOLOGY_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "lattice/design.h"

typedef struct vxe_topology {
    uint32_t voxel_count;
    uint64_t bond_count;    /* pairs of voxels of one part that share a face */
    uint32_t body_count;    /* sets of voxels connected by bonds */
    uint32_t surface_count; /* voxels with a free face */
    int32_t low[3];         /* smallest and largest lattice coordinates */
    int32_t high[3];
    uint8_t axes[3]; /* of the scan, the slowest first: z, y, x unless it was asked for
                        otherwise */
    uint32_t *order; /* (V) design index of the voxel at each place of the scan */
    uint32_t *place; /* (V) its inverse */
    uint32_t *rank;  /* (V) by place: the place in a scan of z, y, x; null where that is the scan */
    uint32_t *up[3]; /* (3, V) by place: place of the neighbour in +x, +y, +z, or VXE_NONE */
    uint32_t
        *body; /* (V) by place: number of the connected body, from 0 by its first voxel's rank */
    uint8_t *faces; /* (V) by place: the free faces, a bit each: +x -x +y -y +z -z */
} vxe_topology;

/* Fails with VXE_ERROR_INPUT where two voxels share a cell. Clear it with vxe_topology_clear. */
vxe_status vxe_topology_init(vxe_topology *topology, const vxe_design *design, vxe_error *error);

/* The same of another scan. Along every axis a voxel comes behind its lower neighbour in any. */
vxe_status vxe_topology_init_along(vxe_topology *topology, const vxe_design *design,
                                   const uint8_t axes[3], vxe_error *error);

/* A place's place in a scan of z, y, x, by which bodies are counted. */
static inline uint32_t vxe_topology_rank(const vxe_topology *topology, uint32_t place)
{
    return topology->rank ? topology->rank[place] : place;
}

/* Whether a cell comes ahead of another in a scan. */
static inline bool vxe_scan_ahead(const uint8_t axes[3], const int32_t cell[3],
                                  const int64_t other[3])
{
    for (int k = 0; k < 3; k++) {
        if (cell[axes[k]] != other[axes[k]]) {
            return cell[axes[k]] < other[axes[k]];
        }
    }
    return false;
}

void vxe_topology_clear(vxe_topology *topology);

/* (V, 6) by place: places of those bonded to each voxel at first, up and down each axis, or
 * VXE_NONE; the caller's. Null without memory. */
uint32_t *vxe_topology_neighbours(const vxe_topology *topology);

/* The most bonds that are looked along; how wide that is in cells, and how many voxels that are. */
enum { VXE_MAX_BONDS = 5, VXE_BONDED_WIDTH = 2 * VXE_MAX_BONDS + 1, VXE_MAX_BONDED = 231 };

/* A voxel that bonds lead to, and its cell as seen from the one they start at, whose own is
 * VXE_MAX_BONDS along each axis. */
typedef struct vxe_bonded_voxel {
    uint32_t place;
    int32_t cell[3];
} vxe_bonded_voxel;

/* Voxels within some bonds of one. */
typedef struct vxe_bonded {
    uint32_t count;
    vxe_bonded_voxel voxel[VXE_MAX_BONDED]; /* that one first, the nearest next */
    bool at[VXE_BONDED_WIDTH][VXE_BONDED_WIDTH][VXE_BONDED_WIDTH]; /* by cell, likewise */
} vxe_bonded;

/* Finds the voxels within so many bonds, at most VXE_MAX_BONDS, of the one at a place. linked: as
 * vxe_topology_neighbours gives them, VXE_NONE also where a bond is to be ignored. */
void vxe_bonded_find(vxe_bonded *found, const uint32_t *linked, uint32_t place, int bonds);

#endif
