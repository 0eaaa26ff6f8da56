/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/step_internal.h"

static double *take(vxe_scratch *scratch)
{
    double *array = vxe_memory_take(scratch->model->slots, sizeof *array);
    if (array) {
        scratch->array[scratch->array_count++] = array;
    }
    return array;
}

void vxe_scratch_clear(vxe_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->array_count; i++) {
        vxe_memory_release(scratch->array[i]);
    }
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        vxe_memory_release(scratch->slabs[s].window);
        for (int axis = 0; axis < 3; axis++) {
            vxe_memory_release(scratch->slabs[s].crossing[axis].block);
        }
    }
    vxe_memory_release(scratch->slabs);
    vxe_memory_release(scratch->touching);
    *scratch = (vxe_scratch){0};
}

/* Cuts the chunks into slabs of about equal size that start at rows. Later slabs may be empty. */
static void cut_slabs(vxe_scratch *scratch)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    uint32_t chunk = 0;
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        vxe_slab *slab = &scratch->slabs[s];
        uint32_t last = (uint32_t)((uint64_t)schedule->chunk_count * (s + 1) / scratch->slab_count);
        last = last < chunk ? chunk : last;
        while (last < schedule->chunk_count && !schedule->starts_row[last]) {
            last++;
        }
        slab->first_chunk = chunk;
        slab->last_chunk = last;
        chunk = last;
    }
}

/* The vectors of a slab from the first one with a lane (used or not) beyond its end: no thread may
 * touch another's slots later on. */
static vxe_status find_crossing(vxe_scratch *scratch, vxe_slab *slab, int axis, vxe_error *error)
{
    const vxe_model *model = scratch->model;
    const vxe_schedule *schedule = &model->schedule;
    const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
    const uint32_t lanes = model->kernels->lanes;
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    vxe_crossing *crossing = &slab->crossing[axis];
    crossing->last = schedule->vector_first[axis][slab->last_chunk];
    crossing->first = crossing->last;
    if (end < model->topology.voxel_count) {
        crossing->first = schedule->vector_first[axis][slab->first_chunk];
        while (crossing->first < crossing->last && bonds->upper[crossing->first] + lanes <= end &&
               bonds->lower[crossing->first] + lanes <= end) {
            crossing->first++;
        }
    }
    const uint64_t size = (uint64_t)(crossing->last - crossing->first) * lanes;
    crossing->block = vxe_memory_take(12 * size, sizeof(double));
    if (!crossing->block) {
        return vxe_error_memory(error, 12 * size * sizeof(double));
    }
    for (int c = 0; c < 6; c++) {
        crossing->own[c] = crossing->block + (uint64_t)c * size;
        crossing->pull[c] = crossing->block + (uint64_t)(c + 6) * size;
    }
    return VXE_OK;
}

vxe_status vxe_scratch_init(vxe_scratch *scratch, const vxe_model *model, uint32_t slabs,
                            vxe_error *error)
{
    *scratch = (vxe_scratch){.model = model, .arrays = model->arrays};
    vxe_kernel_arrays *arrays = &scratch->arrays;
    arrays->dash_share = 1;
    bool complete = (arrays->size = take(scratch)) != NULL;
    for (int axis = 1; axis < 3; axis++) {
        for (int c = 0; c < 6; c++) {
            complete = complete && (arrays->pull[axis][c] = take(scratch));
        }
    }
    if (arrays->floor_stiffness) {
        complete = complete && (arrays->normal_impulse = take(scratch)) &&
                   (arrays->before[0] = take(scratch)) && (arrays->before[1] = take(scratch)) &&
                   (arrays->floor_decay = take(scratch));
    }
    for (int c = 0; c < 6 && model->most_ratio > 0; c++) {
        complete = complete && (arrays->kept[c] = take(scratch));
    }
    if (arrays->drag) {
        complete = complete && (arrays->drag_decay = take(scratch)) &&
                   (arrays->spin_decay = take(scratch));
    }
    scratch->touching = vxe_memory_take(model->schedule.chunk_count, 1);
    scratch->slabs = vxe_memory_take(slabs, sizeof *scratch->slabs);
    if (!complete || !scratch->touching || !scratch->slabs) {
        vxe_scratch_clear(scratch);
        return vxe_error_memory(error, 20ull * model->slots * sizeof(double));
    }
    scratch->slab_count = slabs;
    memcpy(arrays->size, arrays->base_size, model->slots * sizeof(double));
    cut_slabs(scratch);
    vxe_status status = VXE_OK;
    for (uint32_t s = 0; s < slabs && !status; s++) {
        scratch->slabs[s].window = vxe_memory_take(1, sizeof *scratch->slabs[s].window);
        status = scratch->slabs[s].window
                     ? VXE_OK
                     : vxe_error_memory(error, sizeof *scratch->slabs[s].window);
        for (int axis = 0; axis < 3 && !status; axis++) {
            status = find_crossing(scratch, &scratch->slabs[s], axis, error);
        }
    }
    if (status) {
        vxe_scratch_clear(scratch);
    }
    return status;
}

void vxe_scratch_bind(vxe_scratch *scratch, const vxe_state *state)
{
    for (int c = 0; c < 3; c++) {
        scratch->arrays.x[c] = state->x[c];
        scratch->arrays.v[c] = state->v[c];
        scratch->arrays.w[c] = state->w[c];
    }
    for (int c = 0; c < 4; c++) {
        scratch->arrays.q[c] = state->q[c];
    }
    scratch->arrays.stuck = state->stuck[0];
}

void vxe_scratch_set_decay(vxe_scratch *scratch, double time_step)
{
    vxe_kernel_arrays *arrays = &scratch->arrays;
    const double half = 0.5 * time_step;
    for (uint32_t i = 0; i < scratch->model->topology.voxel_count; i++) {
        if (arrays->drag) {
            arrays->spin_decay[i] =
                vxe_exponential(-half * arrays->spin_drag[i] * 6 /
                                (arrays->mass[i] * scratch->model->edge * scratch->model->edge));
            arrays->drag_decay[i] = vxe_exponential(-half * arrays->drag[i] / arrays->mass[i]);
        }
        if (arrays->floor_stiffness) {
            arrays->floor_decay[i] =
                vxe_exponential(-half * arrays->floor_dashpot[i] / arrays->mass[i]);
        }
    }
}

void vxe_scratch_resize(vxe_scratch *scratch, double time)
{
    if (scratch->arrays.size_sine) {
        double sine = 0;
        double cosine = 0;
        vxe_actuation_waveform(scratch->model, time, &sine, &cosine);
        scratch->model->kernels->resize(&scratch->arrays, 0, scratch->model->topology.voxel_count,
                                        sine, cosine);
    }
}
