/* SPDX-License-Identifier: MIT */
/* Poisson's ratio at the start of a step: the strains of all bonds, and from those of the other
   axes the tension that each voxel adds to its bonds (docs/physics.md, Poisson's ratio). A
   partition computes the bonds that reach into it once more, so that no two threads write the
   numbers of one voxel. */
#include "common/assert_internal.h"
#include "common/parallel_internal.h"
#include "engine/solver/step.h"

/* Strains of all bonds of a partition's voxels, and the tensions that follow. */
static void couple_partition(const vxe_workspace *workspace, const vxe_partition *partition)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    const vxe_kernels *kernels = workspace->model->kernels;
    const uint32_t begin = chunks->chunk_first[partition->first_chunk];
    const uint32_t end = chunks->chunk_first[partition->last_chunk];
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (const vxe_partition *from = workspace->partitions; from < partition; from++) {
            vxe_bond_kernels_of(kernels)->part_strains(&workspace->arrays, (int)axis,
                                                       from->halo[axis].first,
                                                       from->halo[axis].last, begin, end);
        }
        const uint32_t *vector_first = chunks->vector_first[axis];
        vxe_bond_kernels_of(kernels)->part_strains(&workspace->arrays, (int)axis,
                                                   vector_first[partition->first_chunk],
                                                   vector_first[partition->last_chunk], begin, end);
    }
    vxe_voxel_kernels_of(kernels)->poisson_coupling(&workspace->arrays, begin, end);
}

void vxe_workspace_poisson(const vxe_workspace *workspace, uint32_t thread, uint32_t threads)
{
    VXE_ASSERT(thread < threads);
    if (!workspace->model->poisson) {
        return;
    }
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        couple_partition(workspace, &workspace->partitions[s]);
    }
    vxe_parallel_meet(threads); /* bonds read the tensions of voxels of other partitions */
}
