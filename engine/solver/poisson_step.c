/* SPDX-License-Identifier: MIT */
/* Poisson's ratio at the start of a step: the strains of all bonds, and from those of the other
   axes the tension that each voxel adds to its bonds. A slab computes the bonds that reach into it
   once more, so that no two threads write one voxel's. */
#include "common/parallel_internal.h"
#include "engine/solver/step.h"

/* Strains of all bonds of a slab's voxels, and the tensions that follow. */
static void couple_slab(const vxe_scratch *scratch, const vxe_slab *slab)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const vxe_kernels *kernels = scratch->model->kernels;
    const uint32_t begin = schedule->chunk_first[slab->first_chunk];
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (const vxe_slab *from = scratch->slabs; from < slab; from++) {
            kernels->bonds->part_strains(&scratch->arrays, (int)axis, from->crossing[axis].first,
                                         from->crossing[axis].last, begin, end);
        }
        const uint32_t *vector_first = schedule->vector_first[axis];
        kernels->bonds->part_strains(&scratch->arrays, (int)axis, vector_first[slab->first_chunk],
                                     vector_first[slab->last_chunk], begin, end);
    }
    kernels->voxels->couple(&scratch->arrays, begin, end);
}

void vxe_scratch_poisson(const vxe_scratch *scratch, uint32_t thread, uint32_t threads)
{
    if (!scratch->model->poisson) {
        return;
    }
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        couple_slab(scratch, &scratch->slabs[s]);
    }
    vxe_parallel_meet(threads); /* a slab's bonds read the tensions of voxels of others */
}
