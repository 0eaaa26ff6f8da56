/* SPDX-License-Identifier: MIT */
/* A frame is what recordings keep of a run at one instant: pose, edge and load of each voxel, and
   the pose of each affine body. Every recording format is made from frames. */
#ifndef VXE_OUTPUT_RECORD_FRAME_H
#define VXE_OUTPUT_RECORD_FRAME_H

#include <stdint.h>

#include "common/status.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Voxels and affine bodies are in design order. The arrays have the layout of vxe_world_poses,
   vxe_sensors and vxe_world_affine_poses. */
typedef struct vxe_frame {
    uint32_t voxels;
    uint32_t bodies; /* affine bodies */
    uint64_t step;
    double time;         /* s */
    double *position;    /* (voxels, 3) m, design frame */
    double *orientation; /* (voxels, 4) unit quaternion w x y z */
    double *edge;        /* (voxels) m */
    double *strain;      /* (voxels, 3) strain along the voxel's own axes */
    double *stress;      /* (voxels, 3) stress, Pa */
    double *energy;      /* (voxels) elastic energy, J */
    double *contact;     /* (voxels) contact force, N */
    double *place;       /* (bodies, 3) centroids, m */
    double *deformation; /* (bodies, 9) deformation matrices, row by row */
} vxe_frame;

/* Makes a frame whose arrays are all 0. Returns null, and fills error, where memory is lacking. */
VXE_API vxe_frame *vxe_frame_create(uint32_t voxels, uint32_t bodies, vxe_error *error);
VXE_API void vxe_frame_destroy(vxe_frame *frame);

/* Returns VXE_ERROR_ARGUMENT unless the frame has exactly this many voxels and bodies. */
VXE_API vxe_status vxe_frame_fits(const vxe_frame *frame, uint32_t voxels, uint32_t bodies,
                                  vxe_error *error);

/* Copies the present state of the world into the frame. The frame must have as many voxels and
   bodies as the world. */
VXE_API void vxe_frame_take(vxe_frame *frame, const vxe_world *world);

#ifdef __cplusplus
}
#endif

#endif
