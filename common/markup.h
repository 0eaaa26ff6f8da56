/* SPDX-License-Identifier: MIT */
/* Text in files of XML and HTML. */
#ifndef VXE_COMMON_MARKUP_H
#define VXE_COMMON_MARKUP_H

#include <stddef.h>
#include <stdio.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the character at text (UTF-8) if XML may hold it; 0 if not. */
VXE_API size_t vxe_markup_character(const char *text);

/* Puts text so that it is no markup; what is no character there (names may hold any bytes) becomes
   a question mark. */
VXE_API void vxe_markup_put(FILE *stream, const char *text);

#ifdef __cplusplus
}
#endif

#endif
