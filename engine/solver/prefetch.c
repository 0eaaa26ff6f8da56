/* SPDX-License-Identifier: MIT */
/* Chooses the arrays that are prefetched while a chunk is computed, and where (prefetch.h). */
#include "engine/core/prefetch.h"

#include "common/assert_internal.h"
#include "engine/solver/step.h"

/* Adds an array, unless it is the one before again. Memory is fetched shift bytes beyond the
   current chunk's first slot. */
static void add_array(vxe_prefetch_arrays *prefetch_arrays, const vxe_reals *array, uintptr_t shift)
{
    const uint32_t count = prefetch_arrays->count;
    const uintptr_t first = (uintptr_t)array + shift;
    const bool again = count > 0 && prefetch_arrays->first[count - 1] == first;
    if (array && !again && count < VXE_MAX_PREFETCH_ARRAYS) {
        prefetch_arrays->first[prefetch_arrays->count++] = first;
    }
}

/* Adds the arrays that a loop reads, in the order of array_lists.h. */
static void add_read_by(vxe_prefetch_arrays *prefetch_arrays, const vxe_kernel_arrays *a,
                        vxe_array_reader which, uintptr_t shift)
{
#define ADD(array, count, reader)                                                                  \
    for (int c = 0; c < (count) && VXE_READER_##reader == which; c++) {                            \
        add_array(prefetch_arrays, array, shift);                                                  \
    }
#define FIELD(name, NAME, in_double, in_mixed, reader, unit) ADD(a->name[c], in_mixed, reader)
#define BOND_FIELD(name, reader, unit) ADD(a->name[c], 3, reader)
#define ONE(name, reader, unit) ADD(a->name, 1, reader)
#define MANY(name, count, reader, unit) ADD(a->name[c], count, reader)
#define OWN_ONE(name, need, reader, unit) ADD(a->name, 1, reader)
#define OWN_MANY(name, count, need, reader, unit) ADD(a->name[c], count, reader)
    VXE_STATE_FIELDS(FIELD)
    VXE_STATE_BOND_FIELDS(BOND_FIELD)
    VXE_WORKSPACE_ARRAYS(OWN_ONE, OWN_MANY)
    VXE_MODEL_ARRAYS(ONE, MANY)
#undef ADD
#undef FIELD
#undef BOND_FIELD
#undef ONE
#undef MANY
#undef OWN_ONE
#undef OWN_MANY
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
    add_read_by(prefetch_arrays, arrays, VXE_READER_BONDS, reach);
    if (!damping_iterations) {
        add_read_by(prefetch_arrays, arrays, VXE_READER_RATES, reach);
    }
    VXE_ASSERT(prefetch_arrays->count <= VXE_MAX_PREFETCH_ARRAYS);
    prefetch_arrays->upper_count = prefetch_arrays->count;
    if (damping_iterations) {
        add_read_by(prefetch_arrays, arrays, VXE_READER_RATES, next);
    }
    add_read_by(prefetch_arrays, arrays, VXE_READER_VOXELS, next);
    if (arrays->floor_stiffness) {
        add_read_by(prefetch_arrays, arrays, VXE_READER_FLOOR, next);
    }
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
