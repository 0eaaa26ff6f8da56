/* SPDX-License-Identifier: MIT */
/* Topology of a design's voxels: scan order, neighbours, surface and connected bodies. Time and
   memory depend on the number of voxels, not on their bounding box. */
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
    uint8_t axes[3]; /* axes of the scan, the slowest first; z, y, x by default */
    uint32_t *order; /* (V) design index of the voxel at each place of the scan */
    uint32_t *place; /* (V) its inverse: place of each voxel of the design */
    uint32_t *rank;  /* (V) by place: the place in a scan of z, y, x; null if the scan is that */
    uint32_t *up[3]; /* (3, V) by place: place of the neighbour in +x, +y, +z, or VXE_NONE */
    uint32_t *body;  /* (V) by place: number of the connected body, from 0, in the order of the
                        bodies' smallest ranks */
    uint8_t *faces;  /* (V) by place: a bit for each free face: +x -x +y -y +z -z */
} vxe_topology;

/* Finds the topology of a design; release it with vxe_topology_clear. VXE_ERROR_INPUT if two voxels
 * share a cell. */
vxe_status vxe_topology_init(vxe_topology *topology, const vxe_design *design, vxe_error *error);

/* The same with another order of axes. In every scan, a voxel comes behind its lower neighbours. */
vxe_status vxe_topology_init_along(vxe_topology *topology, const vxe_design *design,
                                   const uint8_t axes[3], vxe_error *error);

/* Rank of a place: the place in a scan of z, y, x. */
static inline uint32_t vxe_topology_rank(const vxe_topology *topology, uint32_t place)
{
    return topology->rank ? topology->rank[place] : place;
}

/* Whether no bond joins a voxel to others: all six faces are free. */
static inline bool vxe_topology_is_alone(const vxe_topology *topology, uint32_t place)
{
    return topology->faces[place] == 63;
}

/* Whether a cell comes before another in a scan. */
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

/* Removes the bonds between marked voxels; marked: (V) by place. The faces there are free then;
   bodies stay as they were. */
void vxe_topology_unbond(vxe_topology *topology, const uint8_t *marked);

/* Releases the arrays. */
void vxe_topology_clear(vxe_topology *topology);

/* Returns (V, 6) by place: places of the neighbours bonded to each voxel, up and down along each
 * axis, or VXE_NONE. The caller releases the array. Null without memory. */
uint32_t *vxe_topology_neighbours(const vxe_topology *topology);

/* Largest distance in bonds of vxe_bonded_find; width of that region in cells, and its number of
   cells: (2 n + 1)(2 n^2 + 2 n + 3) / 3 within n bonds. */
enum { VXE_MAX_BONDS = 5, VXE_BONDED_WIDTH = 2 * VXE_MAX_BONDS + 1, VXE_MAX_BONDED = 231 };

/* A voxel that was found, and its cell relative to the start, which has VXE_MAX_BONDS along each
   axis. */
typedef struct vxe_bonded_voxel {
    uint32_t place;
    int32_t cell[3];
} vxe_bonded_voxel;

/* The voxels within some number of bonds of one voxel. */
typedef struct vxe_bonded {
    uint32_t count;
    vxe_bonded_voxel voxel[VXE_MAX_BONDED]; /* nearest first, from the voxel itself */
    bool at[VXE_BONDED_WIDTH][VXE_BONDED_WIDTH][VXE_BONDED_WIDTH]; /* the same by cell */
} vxe_bonded;

/* Finds the voxels within `bonds` bonds (at most VXE_MAX_BONDS) of the voxel at a place, by
   breadth-first search. linked: as vxe_topology_neighbours gives them, with VXE_NONE where a bond
   is to be ignored. */
void vxe_bonded_find(vxe_bonded *found, const uint32_t *linked, uint32_t place, int bonds);

#endif
