/* SPDX-License-Identifier: MIT */
/* Replay pages: one HTML file with the motion of a few robots side by side, which shows itself in
   any browser, without a network. */
#ifndef VXE_OUTPUT_PAGE_PAGE_H
#define VXE_OUTPUT_PAGE_PAGE_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most voxels that a page shows, and most bytes that it holds. */
#define VXE_PAGE_VOXELS 200000u
#define VXE_PAGE_BYTES (256ull << 20)

typedef struct vxe_page vxe_page;

/* Starts a page; the file appears under path when it is closed. Null and error filled on failure.
 */
VXE_API vxe_page *vxe_page_create(const char *path, const char *title, vxe_error *error);

/* Puts a front between robots or behind them: markup of the caller's that is shown first. Of its
   elements with data-robot="N" each replays robot N, from 0, when it is chosen, and only that. */
VXE_API vxe_status vxe_page_put_front(vxe_page *page, const char *markup, vxe_error *error);

/* A robot begins, by the name under which it is shown: frames that follow are its own, up to its
   end. The design is to live until then. VXE_ERROR_UNSUPPORTED where the page would become too
   large. */
VXE_API vxe_status vxe_page_begin_robot(vxe_page *page, const vxe_design *design, const char *name,
                                        vxe_error *error);

/* What a viewer should know of the robot that was begun last, such as "diverged". */
VXE_API void vxe_page_note(vxe_page *page, const char *note);

/* Adds a frame of the robot: places to 1e-3 of an edge, strains to 0.1 %. */
VXE_API vxe_status vxe_page_add(vxe_page *page, const vxe_frame *frame, vxe_error *error);

/* The robot has all its frames; the next one or the end of the page says so, too. Fails where it
   has none. */
VXE_API vxe_status vxe_page_end_robot(vxe_page *page, vxe_error *error);

/* Finishes the file; the page is gone whatever the result. Fails where a robot has no frame. */
VXE_API vxe_status vxe_page_close(vxe_page *page, vxe_error *error);

/* Gives up: no file is left. page may be null. */
VXE_API void vxe_page_abandon(vxe_page *page);

#ifdef __cplusplus
}
#endif

#endif
