/* SPDX-License-Identifier: MIT */
/* Text in files of XML and HTML. */
#ifndef VXE_COMMON_MARKUP_INTERNAL_H
#define VXE_COMMON_MARKUP_INTERNAL_H

#include <stdio.h>

/* Puts text so that it is no markup; what is no character there (names may hold any bytes) becomes
   a question mark. */
void vxe_markup_put(FILE *stream, const char *text);

#endif
