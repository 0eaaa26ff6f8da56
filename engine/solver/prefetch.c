/* SPDX-License-Identifier: MIT */
/* Chooses the arrays that are prefetched while a chunk is computed, and where (prefetch.h). */
#include "engine/core/prefetch.h"

#include "common/assert_internal.h"
#include "engine/solver/step.h"

/* Adds arrays, each once. Memory is fetched shift bytes beyond the current chunk's first slot. */
static void add_arrays(vxe_prefetch_arrays *prefetch_arrays, const vxe_reals *const *arrays,
                       uint32_t count, uintptr_t shift)
{
    for (uint32_t i = 0; i < count && prefetch_arrays->count < VXE_MAX_PREFETCH_ARRAYS; i++) {
        const bool again = i > 0 && arrays[i] == arrays[i - 1];
        if (arrays[i] && !again) {
            prefetch_arrays->first[prefetch_arrays->count++] = (uintptr_t)arrays[i] + shift;
        }
    }
}

/* Adds velocities: bonds read them where dashpots are explicit, otherwise only voxels do. */
static void add_rates(vxe_prefetch_arrays *prefetch_arrays, const vxe_kernel_arrays *a,
                      uintptr_t shift)
{
    const vxe_reals *rates[] = {a->v[0], a->v[1], a->v[2], a->w[0], a->w[1], a->w[2]};
    add_arrays(prefetch_arrays, rates, 6, shift);
}

/* Adds the arrays that bonds read. */
static void add_of_bonds(vxe_prefetch_arrays *prefetch_arrays, const vxe_kernel_arrays *a,
                         uintptr_t shift)
{
    const vxe_reals *poses[] = {a->x[0], a->x[1], a->x[2], a->x_low[0], a->x_low[1],   a->x_low[2],
                                a->q[0], a->q[1], a->q[2], a->q[3],     a->edge_growth};
    add_arrays(prefetch_arrays, poses, sizeof poses / sizeof poses[0], shift);
    for (int axis = 0; axis < 3; axis++) {
        const vxe_reals *set[] = {a->permanent_strain[axis], a->broken[axis],
                                  a->poisson_tension[axis]};
        add_arrays(prefetch_arrays, set, 3, shift);
    }
}

/* Adds the other arrays that voxels read. */
static void add_of_voxels(vxe_prefetch_arrays *prefetch_arrays, const vxe_kernel_arrays *a,
                          uintptr_t shift)
{
    const vxe_reals *alone[] = {a->mass,
                                a->floor_stiffness ? a->stuck : NULL,
                                a->edge_growth_sine,
                                a->edge_growth_cosine,
                                a->drag,
                                a->spin_drag,
                                a->faces};
    add_arrays(prefetch_arrays, alone, sizeof alone / sizeof alone[0], shift);
    add_arrays(prefetch_arrays, a->inverse_mass, 3, shift);
    add_arrays(prefetch_arrays, a->inverse_inertia, 3, shift);
    add_arrays(prefetch_arrays, a->load, 6, shift);
    add_arrays(prefetch_arrays, a->size, VXE_ACTUATION_VALUES, shift);
}

void vxe_prefetch_arrays_find(vxe_prefetch_arrays *prefetch_arrays, const vxe_workspace *workspace)
{
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_chunks *chunks = &workspace->model->chunks;
    const uintptr_t bytes = vxe_real_bytes(workspace->model->precision);
    const uintptr_t reach = workspace->upper_reach * bytes;
    const uintptr_t next = chunks->chunk_slots * bytes;
    const bool damping_iterations = arrays->kept[0] != NULL;
    *prefetch_arrays = (vxe_prefetch_arrays){.count = 0};
    if (!vxe_chunks_are_large(chunks)) {
        return;
    }
    while ((VXE_PREFETCH_BLOCK << prefetch_arrays->blocks_log) < next) {
        prefetch_arrays->blocks_log++;
    }
    VXE_ASSERT(next % VXE_PREFETCH_BLOCK == 0);
    add_of_bonds(prefetch_arrays, arrays, reach);
    if (!damping_iterations) {
        add_rates(prefetch_arrays, arrays, reach);
    }
    VXE_ASSERT(prefetch_arrays->count <= VXE_MAX_PREFETCH_ARRAYS);
    prefetch_arrays->upper_count = prefetch_arrays->count;
    if (damping_iterations) {
        add_rates(prefetch_arrays, arrays, next);
    }
    add_of_voxels(prefetch_arrays, arrays, next);
}

void vxe_prefetch_begin(vxe_prefetch *prefetch, const vxe_workspace *workspace, uint32_t chunk,
                        uint32_t end)
{
    VXE_ASSERT(chunk < end && end <= workspace->model->chunks.chunk_count);
    const vxe_prefetch_arrays *prefetch_arrays = &workspace->prefetch_arrays;
    const vxe_chunks *chunks = &workspace->model->chunks;
    const uint32_t bytes = vxe_real_bytes(workspace->model->precision);
    const uint64_t reached = (uint64_t)chunks->chunk_first[chunk] + workspace->upper_reach;
    const uint32_t blocks_log = prefetch_arrays->blocks_log;
    const bool beyond = reached + chunks->chunk_slots > chunks->chunk_first[end];
    *prefetch = (vxe_prefetch){.first = prefetch_arrays->first,
                               .block = (beyond ? prefetch_arrays->upper_count : 0) << blocks_log,
                               .end = (chunk + 1 < end ? prefetch_arrays->count : 0) << blocks_log,
                               .blocks_log = blocks_log,
                               .offset = (uintptr_t)chunks->chunk_first[chunk] * bytes};
}
