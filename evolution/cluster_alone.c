/* SPDX-License-Identifier: MIT */
/* A cluster of one process, for builds without MPI. */
#include "evolution/cluster_internal.h"

bool vxe_cluster_join(void)
{
    return true;
}

vxe_status vxe_cluster_serve(uint32_t threads, vxe_error *error)
{
    (void)threads;
    (void)error;
    return VXE_OK;
}

void vxe_cluster_abort(int status)
{
    (void)status;
}

void vxe_cluster_leave(void)
{
}

uint32_t vxe_cluster_workers(void)
{
    return 0;
}

vxe_status vxe_cluster_share(const vxe_experiment *experiment, vxe_error *error)
{
    (void)experiment;
    (void)error;
    return VXE_OK;
}

void vxe_cluster_dismiss(void)
{
}

vxe_status vxe_cluster_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                           uint32_t count, vxe_outcome *outcomes, vxe_genome *learned,
                           bool *stopped, vxe_effort *effort, vxe_error *error)
{
    return vxe_run_here(runner, individuals, count, outcomes, learned, stopped, effort, error);
}
