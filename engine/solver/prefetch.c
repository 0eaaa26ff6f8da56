/* SPDX-License-Identifier: MIT */
/* See ahead_internal.h. */
#include "engine/core/prefetch.h"

#include "engine/solver/step.h"

/* Adds arrays, each once, so that what is for a chunk's first slot is fetched at shift bytes beyond
 * where the chunk begins. */
static void add_streams(vxe_streams *streams, const vxe_reals *const *arrays, uint32_t count,
                        uintptr_t shift)
{
    for (uint32_t i = 0; i < count && streams->count < VXE_MOST_STREAMS; i++) {
        const bool again = i > 0 && arrays[i] == arrays[i - 1];
        if (arrays[i] && !again) {
            streams->first[streams->count++] = (uintptr_t)arrays[i] + shift;
        }
    }
}

/* What bonds read where they are damped, and otherwise only voxels. */
static void add_rates(vxe_streams *streams, const vxe_kernel_arrays *a, uintptr_t shift)
{
    const vxe_reals *rates[] = {a->v[0], a->v[1], a->v[2], a->w[0], a->w[1], a->w[2]};
    add_streams(streams, rates, 6, shift);
}

/* What bonds read. */
static void add_of_bonds(vxe_streams *streams, const vxe_kernel_arrays *a, uintptr_t shift)
{
    const vxe_reals *poses[] = {a->x[0], a->x[1], a->x[2], a->x_low[0], a->x_low[1], a->x_low[2],
                                a->q[0], a->q[1], a->q[2], a->q[3],     a->swell};
    add_streams(streams, poses, sizeof poses / sizeof poses[0], shift);
    for (int axis = 0; axis < 3; axis++) {
        const vxe_reals *set[] = {a->set[axis], a->broken[axis], a->across[axis]};
        add_streams(streams, set, 3, shift);
    }
}

/* What voxels read beside. */
static void add_of_voxels(vxe_streams *streams, const vxe_kernel_arrays *a, uintptr_t shift)
{
    const vxe_reals *alone[] = {a->mass,       a->floor_stiffness ? a->stuck : NULL,
                                a->swell_sine, a->swell_cosine,
                                a->drag,       a->spin_drag,
                                a->faces};
    add_streams(streams, alone, sizeof alone / sizeof alone[0], shift);
    add_streams(streams, a->inverse_mass, 3, shift);
    add_streams(streams, a->inverse_inertia, 3, shift);
    add_streams(streams, a->load, 6, shift);
    add_streams(streams, a->size, VXE_SIZE_VALUES, shift);
}

void vxe_streams_find(vxe_streams *streams, const vxe_scratch *scratch)
{
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uintptr_t bytes = vxe_real_bytes(scratch->model->precision);
    const uintptr_t reach = scratch->pull_reach * bytes;
    const uintptr_t next = schedule->chunk_slots * bytes;
    const bool sweeps = arrays->kept[0] != NULL;
    *streams = (vxe_streams){.count = 0};
    if (!vxe_schedule_is_large(schedule)) {
        return;
    }
    while ((VXE_AHEAD_PIECE << streams->pieces_log) < next) {
        streams->pieces_log++;
    }
    add_of_bonds(streams, arrays, reach);
    if (!sweeps) {
        add_rates(streams, arrays, reach);
    }
    streams->upper_count = streams->count;
    if (sweeps) {
        add_rates(streams, arrays, next);
    }
    add_of_voxels(streams, arrays, next);
}

void vxe_ahead_begin(vxe_ahead *ahead, const vxe_scratch *scratch, uint32_t chunk, uint32_t end)
{
    const vxe_streams *streams = &scratch->streams;
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t bytes = vxe_real_bytes(scratch->model->precision);
    const uint64_t reached = (uint64_t)schedule->chunk_first[chunk] + scratch->pull_reach;
    const uint32_t pieces_log = streams->pieces_log;
    const bool beyond = reached + schedule->chunk_slots > schedule->chunk_first[end];
    *ahead = (vxe_ahead){.first = streams->first,
                         .piece = (beyond ? streams->upper_count : 0) << pieces_log,
                         .end = (chunk + 1 < end ? streams->count : 0) << pieces_log,
                         .pieces_log = pieces_log,
                         .offset = (uintptr_t)schedule->chunk_first[chunk] * bytes};
}
