/* SPDX-License-Identifier: MIT */
/* Lists of voxels as boxes of cells, since a VXA's regions are shapes. */
#ifndef VXE_LATTICE_FORMATS_VXA_VXA_BOXES_INTERNAL_H
#define VXE_LATTICE_FORMATS_VXA_VXA_BOXES_INTERNAL_H

#include "lattice/design.h"
#include "lattice/topology_internal.h"

typedef struct vxe_cell_box {
    int32_t low[3], high[3]; /* its first and its last cell */
    uint32_t voxels;         /* in it */
} vxe_cell_box;

/* The boxes of all lists of a design: those of region i are boxes[first[i]] to boxes[first[i + 1] -
   1], none for a region with a shape. */
typedef struct vxe_list_boxes {
    vxe_cell_box *boxes;
    uint32_t *first; /* (regions + 1) */
} vxe_list_boxes;

/* Covers each list by boxes that contain each of its voxels once and no other voxel; cells without
   a voxel may be in them. scan goes by z, y, x. Time grows with regions times voxels. */
vxe_status vxe_list_boxes_init(vxe_list_boxes *lists, const vxe_design *design,
                               const vxe_topology *scan, vxe_error *error);

/* Releases the boxes. */
void vxe_list_boxes_clear(vxe_list_boxes *lists);

#endif
