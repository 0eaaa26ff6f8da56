/* SPDX-License-Identifier: MIT */
/* A moment of a run, as recordings keep it: how each voxel stands, and what it bears. */
#ifndef VXE_ENGINE_RECORD_FRAME_H
#define VXE_ENGINE_RECORD_FRAME_H

#include <stdint.h>

#include "common/status.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Voxels in design order; arrays as those of vxe_world_poses and vxe_sensors. */
typedef struct vxe_frame {
    uint32_t voxels;
    uint64_t step;
    double time;         /* s */
    double *position;    /* (voxels, 3) m, design frame */
    double *orientation; /* (voxels, 4) unit quaternion w x y z */
    double *edge;        /* (voxels) m */
    double *strain;      /* (voxels, 3) along the voxel's own axes */
    double *stress;      /* (voxels, 3) Pa */
    double *energy;      /* (voxels) J */
    double *contact;     /* (voxels) N */
} vxe_frame;

/* A frame with its arrays, all 0. Null and error filled without memory. */
VXE_API vxe_frame *vxe_frame_create(uint32_t voxels, vxe_error *error);
VXE_API void vxe_frame_destroy(vxe_frame *frame);

/* The world's present; it has as many voxels as the frame. */
VXE_API void vxe_frame_take(vxe_frame *frame, const vxe_world *world);

#ifdef __cplusplus
}
#endif

#endif
