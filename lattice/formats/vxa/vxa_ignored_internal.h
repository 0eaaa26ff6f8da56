/* SPDX-License-Identifier: MIT */
/* Why tags of VXA files have no effect. */
#ifndef VXE_LATTICE_FORMATS_VXA_VXA_IGNORED_INTERNAL_H
#define VXE_LATTICE_FORMATS_VXA_VXA_IGNORED_INTERNAL_H

/* In words; null where nothing is known of the tag. The string is constant. */
const char *vxe_vxa_why_ignored(const char *tag);

#endif
