/* SPDX-License-Identifier: MIT */
/* A recording of a run in the format that its name says: .html (a replay page), .vxr (our own
   record), .pvd (ParaView), .glb (glTF, animated), .history (voxcraft's viewer). */
#ifndef VXE_OUTPUT_VIEW_RECORDER_H
#define VXE_OUTPUT_VIEW_RECORDER_H

#include <stdbool.h>

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_recorder vxe_recorder;

/* Whether a name ends as those of recordings do. */
VXE_API bool vxe_recorder_knows(const char *path);

/* And whether affine bodies are in it beside voxels. */
VXE_API bool vxe_recorder_holds_bodies(const char *path);

/* Starts a recording; the file appears under path when it is closed. The design is to live as long
   as the recorder. Null and error filled on failure. */
VXE_API vxe_recorder *vxe_recorder_create(const vxe_design *design, const char *path,
                                          vxe_error *error);

/* Adds a frame of the design. */
VXE_API vxe_status vxe_recorder_add(vxe_recorder *recorder, const vxe_frame *frame,
                                    vxe_error *error);

/* What a viewer should know of how it ended, such as "diverged": pages say it, other formats have
   no place for it. */
VXE_API void vxe_recorder_note(vxe_recorder *recorder, const char *note);

/* Finishes the file; the recorder is gone whatever the result. */
VXE_API vxe_status vxe_recorder_close(vxe_recorder *recorder, vxe_error *error);

/* Gives up: no file is left. recorder may be null. */
VXE_API void vxe_recorder_abandon(vxe_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
