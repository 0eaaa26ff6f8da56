/* SPDX-License-Identifier: MIT */
/* A moment of a run, as recordings keep it: how each voxel stands, what it bears, and how affine
   bodies stand. */
#ifndef VXE_OUTPUT_RECORD_FRAME_H
#define VXE_OUTPUT_RECORD_FRAME_H

#include <stdint.h>

#include "common/status.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Voxels and affine bodies in design order; arrays as those of vxe_world_poses, vxe_sensors and
   vxe_world_affine_poses. */
typedef struct vxe_frame {
    uint32_t voxels;
    uint32_t bodies; /* affine ones */
    uint64_t step;
    double time;         /* s */
    double *position;    /* (voxels, 3) m, design frame */
    double *orientation; /* (voxels, 4) unit quaternion w x y z */
    double *edge;        /* (voxels) m */
    double *strain;      /* (voxels, 3) along the voxel's own axes */
    double *stress;      /* (voxels, 3) Pa */
    double *energy;      /* (voxels) J */
    double *contact;     /* (voxels) N */
    double *place;       /* (bodies, 3) m: of their centroids */
    double *deformation; /* (bodies, 9) row after row */
} vxe_frame;

/* A frame with its arrays, all 0. Null and error filled without memory. */
VXE_API vxe_frame *vxe_frame_create(uint32_t voxels, uint32_t bodies, vxe_error *error);
VXE_API void vxe_frame_destroy(vxe_frame *frame);

/* VXE_ERROR_ARGUMENT where a frame is not of so many voxels and bodies. */
VXE_API vxe_status vxe_frame_fits(const vxe_frame *frame, uint32_t voxels, uint32_t bodies,
                                  vxe_error *error);

/* The world's present; it has as many voxels and bodies as the frame. */
VXE_API void vxe_frame_take(vxe_frame *frame, const vxe_world *world);

#ifdef __cplusplus
}
#endif

#endif
