/* SPDX-License-Identifier: MIT */
/* Replay pages: one HTML file with the motion of one or several robots side by side. It plays in
   any browser, without a network. */
#ifndef VXE_OUTPUT_PAGE_PAGE_H
#define VXE_OUTPUT_PAGE_PAGE_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of voxels that a page shows, and of bytes of motion that it holds. */
#define VXE_PAGE_VOXELS 200000u
#define VXE_PAGE_BYTES (256ull << 20)

typedef struct vxe_page vxe_page;

/* Starts a page. The file appears under `path` when the page is closed. Returns null, and fills
   error, on failure. */
VXE_API vxe_page *vxe_page_create(const char *path, const char *title, vxe_error *error);

/* Adds a front, HTML of the caller, which is shown first; call it between or after robots. An
   element with data-robot="N" replays robot N, counted from 0, when it is clicked; one with
   data-robot="N M" replays several side by side. */
VXE_API vxe_status vxe_page_put_front(vxe_page *page, const char *markup, vxe_error *error);

/* Puts the whole studio into the page, from the bytes of its file (`voxelastic studio`): a button
   then opens a robot in it. Once for a page, between or after robots; without it the button saves
   the design. */
VXE_API vxe_status vxe_page_put_studio(vxe_page *page, const char *html, uint64_t size,
                                       vxe_error *error);

/* Begins a robot, shown under `name`; the frames that follow are its own. The design must live
   until the robot is ended. Returns VXE_ERROR_UNSUPPORTED where the page would become too large. */
VXE_API vxe_status vxe_page_begin_robot(vxe_page *page, const vxe_design *design, const char *name,
                                        vxe_error *error);

/* Begins a ghost of the last robot that is none: another run of it, which is drawn through it,
   transparent, at the same times and in the same place. */
VXE_API vxe_status vxe_page_begin_ghost(vxe_page *page, const vxe_design *design, const char *name,
                                        vxe_error *error);

/* Adds a note to the robot that was begun last, such as "diverged". The page shows it. */
VXE_API void vxe_page_note(vxe_page *page, const char *note);

/* Adds a frame of the robot. Positions are stored to 1e-3 of an edge, strains to 0.1 %. */
VXE_API vxe_status vxe_page_add(vxe_page *page, const vxe_frame *frame, vxe_error *error);

/* Ends the robot. Beginning the next one, or closing the page, does this too. Fails where the robot
   has no frame. */
VXE_API vxe_status vxe_page_end_robot(vxe_page *page, vxe_error *error);

/* Completes the file. The page is freed even on failure. Fails where there is neither a
   robot nor a front, or a robot without a frame. */
VXE_API vxe_status vxe_page_close(vxe_page *page, vxe_error *error);

/* Frees the page and leaves no file. page may be null. */
VXE_API void vxe_page_abandon(vxe_page *page);

#ifdef __cplusplus
}
#endif

#endif
