/* SPDX-License-Identifier: MIT */
/* Processes that search together, over MPI: one manages, the others run bodies. Without MPI in this
   build, or without mpirun, there is the manager alone. The answer is the same, to the last bit. */
#ifndef VXE_EVOLUTION_CLUSTER_H
#define VXE_EVOLUTION_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Joins the processes; before anything is searched, once. False in those that must serve. */
VXE_API bool vxe_cluster_join(void);

/* Runs bodies for the manager until it leaves. threads: 0 for all processors. */
VXE_API vxe_status vxe_cluster_serve(uint32_t threads, vxe_error *error);

/* Ends all processes at once, with that exit status: for a worker that can not go on. */
VXE_API void vxe_cluster_abort(int status);

/* Ends it; in the manager behind all its searches. */
VXE_API void vxe_cluster_leave(void);

#ifdef __cplusplus
}
#endif

#endif
