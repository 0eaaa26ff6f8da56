/* SPDX-License-Identifier: MIT */
/* Filling a vxe_error from inside the library. error may be null. All return the status, so that a
 * failing call is one line. */
#ifndef VXE_COMMON_STATUS_INTERNAL_H
#define VXE_COMMON_STATUS_INTERNAL_H

#include <inttypes.h>

#include "common/status.h"

#if defined(__GNUC__)
#define VXE_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define VXE_PRINTF(text, first)
#endif

vxe_status vxe_error_fill(vxe_error *error, vxe_status status, const char *format, ...)
    VXE_PRINTF(3, 4);

/* As above, at a place in a file; file may be null. */
vxe_status vxe_error_at(vxe_error *error, vxe_status status, const char *file, uint32_t line,
                        uint32_t column, const char *format, ...) VXE_PRINTF(6, 7);

/* Inline, so that readers and analysers see that it never returns VXE_OK. */
static inline vxe_status vxe_error_memory(vxe_error *error, uint64_t bytes)
{
    (void)vxe_error_fill(error, VXE_ERROR_MEMORY, "could not allocate %" PRIu64 " bytes", bytes);
    return VXE_ERROR_MEMORY;
}

#endif
