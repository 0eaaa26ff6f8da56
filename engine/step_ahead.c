/* SPDX-License-Identifier: MIT */
/* See ahead_internal.h. */
#include "engine/ahead_internal.h"

#include "engine/step_internal.h"

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

void vxe_streams_find(vxe_streams *streams, const vxe_scratch *scratch)
{
    const vxe_kernel_arrays *a = &scratch->arrays;
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uintptr_t bytes = vxe_real_bytes(scratch->model->precision);
    const vxe_reals *bonds[] = {
        a->x[0],      a->x[1],     a->x[2],      a->x_low[0],  a->x_low[1],  a->x_low[2],
        a->q[0],      a->q[1],     a->q[2],      a->q[3],      a->v[0],      a->v[1],
        a->v[2],      a->w[0],     a->w[1],      a->w[2],      a->swell,     a->set[0],
        a->set[1],    a->set[2],   a->broken[0], a->broken[1], a->broken[2], a->across[0],
        a->across[1], a->across[2]};
    const vxe_reals *voxels[] = {a->mass,
                                 a->inverse_mass[0],
                                 a->inverse_mass[1],
                                 a->inverse_mass[2],
                                 a->inverse_inertia[0],
                                 a->inverse_inertia[1],
                                 a->inverse_inertia[2],
                                 a->floor_stiffness ? a->stuck : NULL,
                                 a->swell_sine,
                                 a->swell_cosine,
                                 a->load[0],
                                 a->load[1],
                                 a->load[2],
                                 a->load[3],
                                 a->load[4],
                                 a->load[5],
                                 a->drag,
                                 a->spin_drag,
                                 a->faces};
    *streams = (vxe_streams){.count = 0};
    if (!vxe_schedule_is_large(schedule)) {
        return;
    }
    add_streams(streams, bonds, sizeof bonds / sizeof bonds[0], scratch->pull_reach * bytes);
    streams->upper_count = streams->count;
    add_streams(streams, voxels, sizeof voxels / sizeof voxels[0], schedule->chunk_slots * bytes);
    add_streams(streams, a->size, VXE_SIZE_VALUES, schedule->chunk_slots * bytes);
}

void vxe_ahead_begin(vxe_ahead *ahead, const vxe_scratch *scratch, uint32_t chunk, uint32_t end)
{
    const vxe_streams *streams = &scratch->streams;
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t bytes = vxe_real_bytes(scratch->model->precision);
    const uint64_t reached = (uint64_t)schedule->chunk_first[chunk] + scratch->pull_reach;
    uint32_t pieces_log = 0;
    while ((VXE_AHEAD_PIECE << pieces_log) < schedule->chunk_slots * bytes) {
        pieces_log++;
    }
    const bool beyond = reached + schedule->chunk_slots > schedule->chunk_first[end];
    *ahead = (vxe_ahead){.first = streams->first,
                         .piece = (beyond ? streams->upper_count : 0) << pieces_log,
                         .end = (chunk + 1 < end ? streams->count : 0) << pieces_log,
                         .pieces_log = pieces_log,
                         .offset = (uintptr_t)schedule->chunk_first[chunk] * bytes};
}
