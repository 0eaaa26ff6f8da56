/* SPDX-License-Identifier: MIT */
/* The parts of a replay page that are the same in all of them, as they lie in this folder. */
#ifndef VXE_OUTPUT_PAGE_PAGE_PARTS_H
#define VXE_OUTPUT_PAGE_PAGE_PARTS_H

/* Texts, ended by a zero byte. */
extern const char vxe_page_body[];     /* page.html: style and controls */
extern const char vxe_page_library[];  /* three.js, see the licence at its head */
extern const char vxe_page_controls[]; /* its orbit controls */
extern const char vxe_page_tracks[];   /* page_tracks.js: robots out of their bytes */
extern const char vxe_page_scene[];    /* page_scene.js: what is seen of them */
extern const char vxe_page_player[];   /* page_player.js: time, controls, plot */

#endif
