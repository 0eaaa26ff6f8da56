/* SPDX-License-Identifier: MIT */
/* The manager's side of a cluster. */
#ifndef VXE_EVOLUTION_CLUSTER_INTERNAL_H
#define VXE_EVOLUTION_CLUSTER_INTERNAL_H

#include "evolution/cluster.h"
#include "evolution/experiment/evaluation_internal.h"

/* Processes that serve; 0: this one runs everything. */
uint32_t vxe_cluster_workers(void);

/* Tells the workers what a search is about, and that it has ended. */
vxe_status vxe_cluster_share(const vxe_experiment *experiment, vxe_error *error);
void vxe_cluster_dismiss(void);

/* As vxe_run_here, by the workers, each with its own threads. */
vxe_status vxe_cluster_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                           uint32_t count, vxe_outcome *outcomes, bool *stopped, vxe_effort *effort,
                           vxe_error *error);

#endif
