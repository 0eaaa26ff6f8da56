/* SPDX-License-Identifier: MIT */
/* Text in XML and HTML files. */
#ifndef VXE_COMMON_MARKUP_H
#define VXE_COMMON_MARKUP_H

#include <stddef.h>
#include <stdio.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Length in bytes of the UTF-8 character at text if XML may contain it; 0 if not. */
VXE_API size_t vxe_markup_character(const char *text);

/* Writes text with its markup characters escaped. Bytes that XML may not contain become question
   marks. */
VXE_API void vxe_markup_put(FILE *stream, const char *text);

#ifdef __cplusplus
}
#endif

#endif
