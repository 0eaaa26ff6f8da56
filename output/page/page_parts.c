/* SPDX-License-Identifier: MIT */
#include "output/page/page_parts.h"

/* The assembler includes the files: C17 has no #embed, and arrays of numbers would be millions of
   tokens for the compiler. CMake defines the paths. */
#define PART(name, path)                                                                           \
    __asm__(".section .rodata\n"                                                                   \
            ".global " #name "\n"                                                                  \
            ".hidden " #name "\n" #name ":\n"                                                      \
            ".incbin \"" path "\"\n"                                                               \
            ".byte 0\n"                                                                            \
            ".previous\n")

PART(vxe_page_body, VXE_VIEW_FOLDER "/page.html");
PART(vxe_page_library, VXE_THREE_LIBRARY);
PART(vxe_page_controls, VXE_THREE_CONTROLS);
PART(vxe_page_common, VXE_VIEW_FOLDER "/page_common.js");
PART(vxe_page_robots, VXE_VIEW_FOLDER "/page_robots.js");
PART(vxe_page_colors, VXE_VIEW_FOLDER "/page_colors.js");
PART(vxe_page_surface, VXE_VIEW_FOLDER "/page_surface.js");
PART(vxe_page_studio, VXE_VIEW_FOLDER "/page_studio.js");
PART(vxe_page_scene, VXE_VIEW_FOLDER "/page_scene.js");
PART(vxe_page_player, VXE_VIEW_FOLDER "/page_player.js");
