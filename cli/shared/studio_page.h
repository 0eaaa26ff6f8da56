/* SPDX-License-Identifier: MIT */
/* The page of the studio, as it is installed or built; and replay pages that hold it. */
#ifndef VXE_CLI_SHARED_STUDIO_PAGE_H
#define VXE_CLI_SHARED_STUDIO_PAGE_H

#include <voxelastic/voxelastic.h>

/* Behind this the page takes its design. */
#define STUDIO_BODY "</main>"

/* The page; vxe_memory_release takes it. Null, and error filled, where there is none. */
char *studio_page_read(vxe_error *error);

/* Puts the studio into a replay page, or into a recording that is one. Without a studio in this
   build nothing happens: the page's button saves designs then. */
vxe_status studio_page_give(vxe_page *page, vxe_error *error);
vxe_status studio_page_give_recorder(vxe_recorder *recorder, vxe_error *error);

#endif
