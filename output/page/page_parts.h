/* SPDX-License-Identifier: MIT */
/* Parts that all replay pages share: files of this folder, and three.js, put into the library when
   it is built. */
#ifndef VXE_OUTPUT_PAGE_PAGE_PARTS_H
#define VXE_OUTPUT_PAGE_PAGE_PARTS_H

/* Texts that end with a zero byte. */
extern const char vxe_page_body[];     /* page.html: style and controls */
extern const char vxe_page_library[];  /* three.js; its licence is at its head */
extern const char vxe_page_controls[]; /* orbit controls of three.js */
extern const char vxe_page_common[];   /* page_common.js: what the studio uses as well */
extern const char vxe_page_robots[];   /* page_robots.js: decodes robots and their frames */
extern const char vxe_page_colors[];   /* page_colors.js: colour modes and their scales */
extern const char vxe_page_surface[];  /* page_surface.js: quads with colours, and their edges */
extern const char vxe_page_scene[];    /* page_scene.js: draws robots and the floor */
extern const char vxe_page_studio[];   /* page_studio.js: the way to the studio */
extern const char vxe_page_player[];   /* page_player.js: time, controls, plot */

#endif
