/* SPDX-License-Identifier: MIT */
/* Records a run in the format that the name of the file asks for: .html (replay page), .vxr
   (record), .pvd (ParaView), .glb (animated glTF), .history (voxcraft's viewer). */
#ifndef VXE_OUTPUT_VIEW_RECORDER_H
#define VXE_OUTPUT_VIEW_RECORDER_H

#include <stdbool.h>

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_recorder vxe_recorder;

/* True where the name ends in one of these. */
VXE_API bool vxe_recorder_knows(const char *path);

/* True where that format holds affine bodies too. */
VXE_API bool vxe_recorder_holds_bodies(const char *path);

/* True where that format is a page, which may hold the studio. */
VXE_API bool vxe_recorder_is_page(const char *path);

/* Starts a recording. The file appears under `path` when the recorder is closed. The design must
   outlive the recorder. Returns null, and fills error, on failure. */
VXE_API vxe_recorder *vxe_recorder_create(const vxe_design *design, const char *path,
                                          vxe_error *error);

/* Adds a frame of the design. */
VXE_API vxe_status vxe_recorder_add(vxe_recorder *recorder, const vxe_frame *frame,
                                    vxe_error *error);

/* Puts the studio into a page (vxe_page_put_studio); other formats ignore it. */
VXE_API vxe_status vxe_recorder_put_studio(vxe_recorder *recorder, const char *html, uint64_t size,
                                           vxe_error *error);

/* Adds a note on how the run ended, such as "diverged". Pages show it; other formats ignore it. */
VXE_API void vxe_recorder_note(vxe_recorder *recorder, const char *note);

/* Completes the file. The recorder is freed even on failure. */
VXE_API vxe_status vxe_recorder_close(vxe_recorder *recorder, vxe_error *error);

/* Frees the recorder and leaves no file. recorder may be null. */
VXE_API void vxe_recorder_abandon(vxe_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
