/* SPDX-License-Identifier: MIT */
/* A trace: a table of a run over time, as CSV. Columns: t (s), x, y, z (m, centre of mass in design
   coordinates), vx, vy, vz (m/s), kinetic_J, elastic_J, max_strain. Numbers have 9 digits and a
   decimal point, whatever the locale. */
#ifndef VXE_OUTPUT_RECORD_TRACE_H
#define VXE_OUTPUT_RECORD_TRACE_H

#include <stdio.h>

#include "common/status.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_trace vxe_trace;

/* Starts a trace. The file appears under `path` when the trace is closed. Returns null, and fills
   error, on failure. */
VXE_API vxe_trace *vxe_trace_create(const char *path, vxe_error *error);

/* Starts a trace on a stream of the caller's, which stays open: each row goes out as it is added.
 */
VXE_API vxe_trace *vxe_trace_create_on(FILE *stream, vxe_error *error);

/* Adds the present state of the world as a row. */
VXE_API vxe_status vxe_trace_add(vxe_trace *trace, const vxe_world *world, vxe_error *error);

/* Completes the file, or looks whether the stream has failed. The trace is freed even on failure.
 */
VXE_API vxe_status vxe_trace_close(vxe_trace *trace, vxe_error *error);

/* Frees the trace and leaves no file of it. trace may be null. */
VXE_API void vxe_trace_abandon(vxe_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
