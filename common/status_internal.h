/* SPDX-License-Identifier: MIT */
/* Functions that fill a vxe_error. error may be null. All return the status, so that one statement
   fills the error and returns. */
#ifndef VXE_COMMON_STATUS_INTERNAL_H
#define VXE_COMMON_STATUS_INTERNAL_H

#include <inttypes.h>

#include "common/status.h"

#if defined(__GNUC__)
#define VXE_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define VXE_PRINTF(text, first)
#endif

/* Fills an error without a place; status is not VXE_OK. */
vxe_status vxe_error_fill(vxe_error *error, vxe_status status, const char *format, ...)
    VXE_PRINTF(3, 4);

/* Fills an error with a place in a file; file may be null, line and column 0. */
vxe_status vxe_error_at(vxe_error *error, vxe_status status, const char *file, uint32_t line,
                        uint32_t column, const char *format, ...) VXE_PRINTF(6, 7);

/* Fills an error about an allocation of that many bytes. Inline, so that compilers and analysers
   see that it never returns VXE_OK. */
static inline vxe_status vxe_error_memory(vxe_error *error, uint64_t bytes)
{
    (void)vxe_error_fill(error, VXE_ERROR_MEMORY, "could not allocate %" PRIu64 " bytes", bytes);
    return VXE_ERROR_MEMORY;
}

#endif
