/* SPDX-License-Identifier: MIT */
/* A trace: a table of a run over time, as CSV or as an array of numpy. Numbers of CSV have 9 digits
   and a decimal point, whatever the locale; those of an array are doubles, to the last bit. */
#ifndef VXE_OUTPUT_TRACE_TRACE_H
#define VXE_OUTPUT_TRACE_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_trace vxe_trace;

/* What rows are of. Columns begin with t (s), and, but for VXE_TRACE_DESIGN, the number of the body
   or voxel; then x, y, z (m, design coordinates) and vx, vy, vz (m/s). */
typedef enum vxe_trace_subject {
    VXE_TRACE_DESIGN, /* its centre of mass; kinetic_J, elastic_J, max_strain */
    VXE_TRACE_BODIES, /* a row for each body: the centre of mass. Bodies of voxels are in the order
                         of vxe_world_bodies, affine ones behind them in that of the design */
    VXE_TRACE_VOXELS  /* a row for each voxel: qw, qx, qy, qz (orientation); wx, wy, wz (rad/s);
                         edge_m; strain_x, strain_y, strain_z (along its own axes) */
} vxe_trace_subject;

typedef struct vxe_trace_def {
    vxe_trace_subject subject;
    const uint32_t *voxels; /* (voxel_count) in design order; null: all */
    uint32_t voxel_count;
} vxe_trace_def;

/* Starts a trace of a world. The file appears under `path` when the trace is closed: an array of
   numpy where that ends with .npy, whose fields are the columns, of the shape (times) or (times,
   bodies or voxels); else CSV. Null, and error filled, on failure (VXE_ERROR_ARGUMENT: a voxel that
   is not there). */
VXE_API vxe_trace *vxe_trace_create(const char *path, const vxe_trace_def *def,
                                    const vxe_world *world, vxe_error *error);

/* Starts a trace as CSV on a stream of the caller's, which stays open: each row goes out as it is
   added. */
VXE_API vxe_trace *vxe_trace_create_on(FILE *stream, const vxe_trace_def *def,
                                       const vxe_world *world, vxe_error *error);

/* Adds the present state of the world. */
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
