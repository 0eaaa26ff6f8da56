/* SPDX-License-Identifier: MIT */
/* Search by several processes over MPI: one manages, the others run bodies. Without mpirun, or in a
   build without MPI, there is only the manager. The results are the same to the last bit. */
#ifndef VXE_EVOLUTION_CLUSTER_H
#define VXE_EVOLUTION_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Joins the processes. Call it once, before any search. Returns false in the processes that must
   serve. */
VXE_API bool vxe_cluster_join(void);

/* Runs bodies for the manager until the manager leaves. threads: 0 for all processors. */
VXE_API vxe_status vxe_cluster_serve(uint32_t threads, vxe_error *error);

/* Ends all processes at once with this exit status; for a worker that cannot go on. */
VXE_API void vxe_cluster_abort(int status);

/* Leaves the cluster; in the manager, call it after all its searches. */
VXE_API void vxe_cluster_leave(void);

#ifdef __cplusplus
}
#endif

#endif
