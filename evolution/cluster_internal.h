/* SPDX-License-Identifier: MIT */
/* The manager's interface to a cluster. */
#ifndef VXE_EVOLUTION_CLUSTER_INTERNAL_H
#define VXE_EVOLUTION_CLUSTER_INTERNAL_H

#include "evolution/cluster.h"
#include "evolution/experiment/evaluation_internal.h"

/* Number of processes that serve; 0: this process runs everything. */
uint32_t vxe_cluster_workers(void);

/* Sends the workers the experiment of a search, and tells them that the search has ended. */
vxe_status vxe_cluster_share(const vxe_experiment *experiment, vxe_error *error);
void vxe_cluster_dismiss(void);

/* Like vxe_run_here, but the workers run the bodies, each with its own threads. */
vxe_status vxe_cluster_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                           uint32_t count, vxe_outcome *outcomes, vxe_genome *learned,
                           bool *stopped, vxe_effort *effort, vxe_error *error);

#endif
