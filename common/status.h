/* SPDX-License-Identifier: MIT */
/* What functions return: whether they succeeded. Everything that files, callers and the system can
   cause (a bad file, a full disk, a simulation that diverges) is a status; asserts are for faults
   of the library. A call that fails leaves its output objects as they were. */
#ifndef VXE_COMMON_STATUS_H
#define VXE_COMMON_STATUS_H

#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vxe_status {
    VXE_OK = 0,
    VXE_ERROR_ARGUMENT = 1,    /* the caller passed an invalid argument */
    VXE_ERROR_INPUT = 2,       /* a design or a file is wrong */
    VXE_ERROR_UNSUPPORTED = 3, /* understood, but this build or machine can not do it */
    VXE_ERROR_DIVERGED = 4,    /* the simulation diverged; the state is that of the failing step */
    VXE_ERROR_SYSTEM = 5,      /* the operating system refused */
    VXE_ERROR_MEMORY = 6,      /* out of memory, or beyond a stated limit */
    VXE_ERROR_UNPHYSICAL = 7   /* energy rose by more than was put in; the state is that of the
                                  step in which it was seen */
} vxe_status;

/* What went wrong and where. line and column count from 1 and are 0 if there is none. file is empty
 * if there is none. */
typedef struct vxe_error {
    vxe_status status;
    uint32_t line;
    uint32_t column;
    char file[512];
    char message[768];
} vxe_error;

/* Bytes of the longest text of an error. */
#define VXE_ERROR_TEXT 1400

/* Writes "file:line:column: message", as far as these are known, into text (size bytes), always
 * terminated. Returns text. */
VXE_API char *vxe_error_text(const vxe_error *error, char *text, uint64_t size);

/* Names the file in an error about a design or a file (VXE_ERROR_INPUT, VXE_ERROR_UNSUPPORTED) that
   names none. error may be null. */
VXE_API void vxe_error_name_file(vxe_error *error, const char *file);

/* Whether a status says that a simulation failed: it diverged or became unphysical. */
static inline int vxe_status_is_failure(vxe_status status)
{
    return status == VXE_ERROR_DIVERGED || status == VXE_ERROR_UNPHYSICAL;
}

/* One word for a status, for example "diverged". Never null. */
VXE_API const char *vxe_status_name(vxe_status status);

#ifdef __cplusplus
}
#endif

#endif
