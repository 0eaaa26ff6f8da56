/* SPDX-License-Identifier: MIT */
/* Animated surfaces as glTF 2.0 in one binary file (.glb), which 3D programs and browsers open:
   each voxel is a joint, and a vertex follows in equal parts those that meet in it (at most eight),
   which is how we draw deformed voxels. Metres, y up. Source: GLTF, glTF 2.0 Specification
   (2021), 3.7 and 4. */
#ifndef VXE_OUTPUT_VIEW_GLTF_H
#define VXE_OUTPUT_VIEW_GLTF_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_gltf vxe_gltf;

/* Starts a recording of up to 65535 voxels and 1 GiB, which is held in memory; the file appears
   under path when it is closed. The design is to live as long. Null and error filled on failure. */
VXE_API vxe_gltf *vxe_gltf_create(const vxe_design *design, const char *path, vxe_error *error);

/* Adds a frame of the design's voxels. */
VXE_API vxe_status vxe_gltf_add(vxe_gltf *recording, const vxe_frame *frame, vxe_error *error);

/* Writes the file; the recording is gone whatever the result. Fails without a frame. */
VXE_API vxe_status vxe_gltf_close(vxe_gltf *recording, vxe_error *error);

/* Gives up: no file is left. recording may be null. */
VXE_API void vxe_gltf_abandon(vxe_gltf *recording);

#ifdef __cplusplus
}
#endif

#endif
