/* SPDX-License-Identifier: MIT */
/* Poisson's ratio at the start of a step: the strains of all bonds, and from those of the other
   axes the tension that each voxel adds to its bonds. A slab computes the bonds that reach into it
   once more, so that no two threads write one voxel's. */
#include <string.h>

#include "common/parallel_internal.h"
#include "engine/step_internal.h"

/* Puts the strains of one vector's bonds to those of their voxels that are in slots [begin, end),
   each by the part that its voxel takes of it. */
static void put_strains(const vxe_scratch *scratch, uint32_t axis, uint32_t vector, uint32_t begin,
                        uint32_t end)
{
    const vxe_model *model = scratch->model;
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const vxe_bond_vectors *bonds = &arrays->bonds[axis];
    const vxe_precision precision = model->precision;
    double room[VXE_VECTOR];
    vxe_reals *strain = room;
    model->kernels->bonds->strain(arrays, (int)axis, vector, strain);
    for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
        const uint32_t lower = bonds->lower[vector] + lane;
        const uint32_t upper = bonds->upper[vector] + lane;
        if (!(bonds->present[vector] >> lane & 1)) {
            continue;
        }
        const uint64_t row = (uint64_t)bonds->row[vector] * arrays->row_values;
        const double part =
            vxe_real_at(precision, arrays->rows, (row + VXE_LOWER_PART) * VXE_VECTOR + lane);
        const bool whole = vxe_real_at(precision, arrays->broken[axis], lower) <= 0;
        const double elastic = whole ? vxe_real_at(precision, strain, lane) -
                                           vxe_real_at(precision, arrays->set[axis], lower)
                                     : 0;
        if (lower >= begin && lower < end) {
            vxe_real_put(precision, arrays->strain_up[axis], lower, part * elastic);
        }
        if (upper >= begin && upper < end) {
            vxe_real_put(precision, arrays->strain_down[axis], upper, (2 - part) * elastic);
        }
    }
}

/* Strains of all bonds of a slab's voxels, and the tensions that follow. */
static void couple_slab(const vxe_scratch *scratch, const vxe_slab *slab)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t begin = schedule->chunk_first[slab->first_chunk];
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (const vxe_slab *from = scratch->slabs; from < slab; from++) {
            for (uint32_t v = from->crossing[axis].first; v < from->crossing[axis].last; v++) {
                put_strains(scratch, axis, v, begin, end);
            }
        }
        const uint32_t *vector_first = schedule->vector_first[axis];
        for (uint32_t v = vector_first[slab->first_chunk]; v < vector_first[slab->last_chunk];
             v++) {
            put_strains(scratch, axis, v, begin, end);
        }
    }
    scratch->model->kernels->voxels->couple(&scratch->arrays, begin, end);
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
