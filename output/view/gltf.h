/* SPDX-License-Identifier: MIT */
/* Writes an animated surface as binary glTF 2.0 (.glb) for 3D programs and browsers. Each voxel of
   the surface is a joint; a vertex follows, with equal weights, the voxels that share it (at most
   eight). That is how deformed voxels are drawn in pictures too. Metres, y up. Source: GLTF,
   sections 3.7 and 4. */
#ifndef VXE_OUTPUT_VIEW_GLTF_H
#define VXE_OUTPUT_VIEW_GLTF_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_gltf vxe_gltf;

/* Starts a recording of up to 65535 surface voxels and 1 GiB, which is kept in memory. The file
   appears under `path` when the recording is closed. The design must outlive the recording. Returns
   null, and fills error, on failure. */
VXE_API vxe_gltf *vxe_gltf_create(const vxe_design *design, const char *path, vxe_error *error);

/* Adds a frame of the design's voxels. */
VXE_API vxe_status vxe_gltf_add(vxe_gltf *recording, const vxe_frame *frame, vxe_error *error);

/* Writes the file. The recording is freed even on failure. Fails where no frame was added. */
VXE_API vxe_status vxe_gltf_close(vxe_gltf *recording, vxe_error *error);

/* Frees the recording and leaves no file. recording may be null. */
VXE_API void vxe_gltf_abandon(vxe_gltf *recording);

#ifdef __cplusplus
}
#endif

#endif
