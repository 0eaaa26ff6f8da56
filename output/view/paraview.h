/* SPDX-License-Identifier: MIT */
/* Writes a run for ParaView (VTKFormats). NAME.pvd lists the times. The folder NAME.frames holds
   one compressed unstructured grid (.vtu) for each: hexahedra with material, strain (3), stress (3,
   Pa), energy (J), contact (N) and edge (m) of each voxel; affine bodies are polyhedra. */
#ifndef VXE_OUTPUT_VIEW_PARAVIEW_H
#define VXE_OUTPUT_VIEW_PARAVIEW_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_paraview vxe_paraview;

/* Starts a recording at `path` (.pvd) and makes its folder. The design must outlive the recording.
   Returns null, and fills error, on failure. */
VXE_API vxe_paraview *vxe_paraview_create(const vxe_design *design, const char *path,
                                          vxe_error *error);

/* Writes a frame of the design's voxels. */
VXE_API vxe_status vxe_paraview_add(vxe_paraview *recording, const vxe_frame *frame,
                                    vxe_error *error);

/* Writes the list of frames. The recording is freed even on failure. */
VXE_API vxe_status vxe_paraview_close(vxe_paraview *recording, vxe_error *error);

/* Frees the recording and removes its files. recording may be null. */
VXE_API void vxe_paraview_abandon(vxe_paraview *recording);

#ifdef __cplusplus
}
#endif

#endif
