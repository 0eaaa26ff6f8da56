/* SPDX-License-Identifier: MIT */
/* Recordings for ParaView: NAME.pvd lists the moments, each a file of its own in the folder
   NAME.frames: unstructured grids of hexahedra (.vtu, compressed) with material, strain (3),
   stress (3, Pa), energy (J), contact (N) and edge (m) of each voxel.
   Source: VTKFormats: XML formats, appended data. */
#ifndef VXE_OUTPUT_VIEW_PARAVIEW_H
#define VXE_OUTPUT_VIEW_PARAVIEW_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_paraview vxe_paraview;

/* Starts a recording at path (.pvd); its folder is made. The design is to live as long as the
   recording. Null and error filled on failure. */
VXE_API vxe_paraview *vxe_paraview_create(const vxe_design *design, const char *path,
                                          vxe_error *error);

/* Writes a frame of the design's voxels. */
VXE_API vxe_status vxe_paraview_add(vxe_paraview *recording, const vxe_frame *frame,
                                    vxe_error *error);

/* Writes the list; the recording is gone whatever the result. */
VXE_API vxe_status vxe_paraview_close(vxe_paraview *recording, vxe_error *error);

/* Gives up: its files are removed. recording may be null. */
VXE_API void vxe_paraview_abandon(vxe_paraview *recording);

#ifdef __cplusplus
}
#endif

#endif
