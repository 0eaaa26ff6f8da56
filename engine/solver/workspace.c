/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/core/accumulators.h"
#include "engine/solver/step.h"

/* Arrays that the list of them gets room for at a time. */
#define MORE_ARRAYS 32u

/* An array of so many numbers; null if there is no memory. */
static vxe_reals *take_numbers(vxe_scratch *scratch, uint64_t count)
{
    const uint32_t room = scratch->array_room;
    if (scratch->array_count == room) {
        vxe_reals **more = vxe_memory_grow(scratch->array, room, room + MORE_ARRAYS, sizeof *more);
        if (!more) {
            return NULL;
        }
        scratch->array = more;
        scratch->array_room = room + MORE_ARRAYS;
    }
    vxe_reals *array = vxe_memory_take(count, vxe_real_bytes(scratch->model->precision));
    if (array) {
        scratch->array[scratch->array_count++] = array;
    }
    return array;
}

vxe_reals *vxe_scratch_take(vxe_scratch *scratch)
{
    return take_numbers(scratch, scratch->model->slots);
}

void vxe_scratch_clear(vxe_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->array_count; i++) {
        vxe_memory_release(scratch->array[i]);
    }
    vxe_memory_release(scratch->array);
    for (uint32_t s = 0; s < scratch->slab_count && scratch->slabs; s++) {
        vxe_memory_release(scratch->slabs[s].own_block);
        vxe_memory_release(scratch->slabs[s].pull_block);
        for (int axis = 0; axis < 3; axis++) {
            vxe_memory_release(scratch->slabs[s].crossing[axis].own_block);
            vxe_memory_release(scratch->slabs[s].crossing[axis].pull_block);
        }
    }
    vxe_fronts_clear(scratch);
    vxe_scratch_contacts_clear(scratch);
    vxe_scratch_grains_clear(scratch);
    vxe_memory_release(scratch->guests.loaded);
    vxe_scratch_magnets_clear(scratch);
    vxe_peer_scratch_clear(scratch);
    vxe_memory_release(scratch->rows);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(scratch->yielding[axis]);
        vxe_memory_release(scratch->strain[axis]);
    }
    vxe_memory_release(scratch->slabs);
    vxe_memory_release(scratch->touching);
    vxe_memory_release(scratch->factors);
    *scratch = (vxe_scratch){0};
}

/* Cuts the chunks into slabs of about equal size. Some may be empty. */
static void cut_slabs(vxe_scratch *scratch)
{
    const uint64_t chunks = scratch->model->schedule.chunk_count;
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        scratch->slabs[s].first_chunk = (uint32_t)(chunks * s / scratch->slab_count);
        scratch->slabs[s].last_chunk = (uint32_t)(chunks * (s + 1) / scratch->slab_count);
    }
}

/* How far the bonds of a chunk reach up, and the 16 slots in which woven ones are added. */
static uint32_t find_reach(const vxe_model *model)
{
    uint32_t reach = VXE_WINDOW;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *vector_first = model->schedule.vector_first[axis];
        for (uint32_t chunk = 0; chunk < model->schedule.chunk_count; chunk++) {
            const uint32_t first = model->schedule.chunk_first[chunk];
            for (uint32_t v = vector_first[chunk]; v < vector_first[chunk + 1]; v++) {
                const uint32_t end = model->arrays.bonds[axis].upper[v] + 2 * VXE_VECTOR - first;
                reach = end > reach ? end : reach;
            }
        }
    }
    return reach;
}

/* The vectors of a slab from the first one with a lane (used or not) beyond its end: no thread may
 * touch another's slots later on. */
static vxe_status find_crossing(vxe_scratch *scratch, vxe_slab *slab, int axis, vxe_error *error)
{
    const vxe_model *model = scratch->model;
    const vxe_schedule *schedule = &model->schedule;
    const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    vxe_crossing *crossing = &slab->crossing[axis];
    crossing->last = schedule->vector_first[axis][slab->last_chunk];
    crossing->first = crossing->last;
    if (end < model->topology.voxel_count) {
        crossing->first = schedule->vector_first[axis][slab->first_chunk];
        while (crossing->first < crossing->last &&
               bonds->upper[crossing->first] + VXE_VECTOR <= end &&
               bonds->lower[crossing->first] + VXE_VECTOR <= end) {
            crossing->first++;
        }
    }
    const uint64_t size = (uint64_t)(crossing->last - crossing->first) * VXE_VECTOR;
    const uint32_t bytes = vxe_real_bytes(model->precision);
    vxe_status status = vxe_six_take(size, bytes, &crossing->own_block, crossing->own, error);
    return status ? status
                  : vxe_six_take(size, bytes, &crossing->pull_block, crossing->pull, error);
}

/* What the damping sweeps need beside. */
static bool take_for_sweeps(vxe_scratch *scratch, const vxe_scratch_def *def)
{
    vxe_kernel_arrays *arrays = &scratch->arrays;
    const vxe_model *model = scratch->model;
    bool complete = true;
    const vxe_fronts *fronts = &scratch->fronts;
    /* of the whole body, or a ring for each thread */
    const uint64_t held = (uint64_t)def->slabs * fronts->held;
    const uint64_t slots = held ? held * model->schedule.chunk_slots : model->slots;
    /* from three sweeps on; targets of groups may ask for more sweeps than there are now */
    const bool middle = def->sweeps > 2 || model->group_count > 0;
    for (int c = 0; c < 6; c++) {
        complete = complete && (arrays->kept[c] = take_numbers(scratch, slots));
        complete = complete && (!middle || (arrays->middle[c] = take_numbers(scratch, slots)));
    }
    for (int axis = 0; axis < 3; axis++) {
        const uint64_t vectors =
            held ? held * fronts->held_vectors[axis] : arrays->bonds[axis].count;
        complete = complete &&
                   (arrays->geometry[axis] = take_numbers(scratch, 6ull * VXE_VECTOR * vectors));
    }
    if (arrays->floor_stiffness) {
        complete = complete && (arrays->floor_decay = vxe_scratch_take(scratch));
    }
    if (arrays->drag) {
        complete = complete && (arrays->drag_decay = vxe_scratch_take(scratch)) &&
                   (arrays->spin_decay = vxe_scratch_take(scratch));
    }
    return complete;
}

/* What bonds that are not simply elastic need beside. What only some of them have is zero for the
 * others. */
static bool take_for_set(vxe_scratch *scratch)
{
    vxe_kernel_arrays *arrays = &scratch->arrays;
    const vxe_model *model = scratch->model;
    const bool yields = model->yield.law_count > 0;
    if (!yields && !model->poisson) {
        return true;
    }
    vxe_reals *zero = vxe_scratch_take(scratch);
    bool complete = zero != NULL;
    if (yields && arrays->faces) {
        complete = complete && (scratch->faces = vxe_scratch_take(scratch));
        arrays->faces = scratch->faces;
    }
    for (int axis = 0; axis < 3 && yields; axis++) {
        scratch->yielding[axis] = vxe_memory_take(arrays->bonds[axis].count, 1);
        scratch->strain[axis] = vxe_memory_take(model->slots, sizeof *scratch->strain[axis]);
        complete = complete && scratch->yielding[axis] && scratch->strain[axis];
    }
    for (int axis = 0; axis < 3 && complete; axis++) {
        arrays->set[axis] = arrays->broken[axis] = zero; /* until a state is bound */
        arrays->range[axis] = yields ? vxe_scratch_take(scratch) : zero;
        arrays->strain_up[axis] = model->poisson ? vxe_scratch_take(scratch) : zero;
        arrays->strain_down[axis] = model->poisson ? vxe_scratch_take(scratch) : zero;
        arrays->across[axis] = model->poisson ? vxe_scratch_take(scratch) : zero;
        complete = arrays->range[axis] && arrays->strain_up[axis] && arrays->strain_down[axis] &&
                   arrays->across[axis];
    }
    return complete;
}

vxe_status vxe_scratch_init(vxe_scratch *scratch, const vxe_model *model,
                            const vxe_scratch_def *def, vxe_error *error)
{
    const uint32_t slabs = vxe_peer_weaves(model) ? 1 : def->slabs; /* see vxe_model_threads */
    *scratch = (vxe_scratch){.model = model, .arrays = model->arrays};
    vxe_kernel_arrays *arrays = &scratch->arrays;
    scratch->pull_reach = find_reach(model);
    scratch->pull_room = vxe_sums_room(scratch->pull_reach, model->slots);
    vxe_fronts_plan(&scratch->fronts, model, def, scratch->pull_reach);
    bool complete = (arrays->swell = vxe_scratch_take(scratch)) != NULL;
    for (int c = 0; c < 3 && model->field.acts; c++) {
        complete = complete && (arrays->field[c] = vxe_scratch_take(scratch));
    }
    for (int c = 0; c < 3 && arrays->ground; c++) {
        complete = complete && (arrays->ground_normal[c] = vxe_scratch_take(scratch));
    }
    if (arrays->ground) {
        complete = complete && (arrays->ground_depth = vxe_scratch_take(scratch)) &&
                   (arrays->ground_gain = vxe_scratch_take(scratch));
    }
    if (arrays->floor_stiffness) {
        complete = complete && (arrays->normal_impulse = vxe_scratch_take(scratch)) &&
                   (arrays->before[0] = vxe_scratch_take(scratch)) &&
                   (arrays->before[1] = vxe_scratch_take(scratch));
    }
    complete = complete && (def->sweeps == 0 || take_for_sweeps(scratch, def));
    complete = complete && take_for_set(scratch);
    scratch->factors = vxe_memory_take(model->group_count + 1ull, sizeof *scratch->factors);
    scratch->touching = vxe_memory_take(model->schedule.chunk_count, 1);
    scratch->slabs = vxe_memory_take(slabs, sizeof *scratch->slabs);
    if (!complete || !scratch->factors || !scratch->touching || !scratch->slabs) {
        vxe_scratch_clear(scratch);
        return vxe_error_memory(error, 20ull * model->slots * vxe_real_bytes(model->precision));
    }
    scratch->factors[0] = 1; /* without groups all voxels are of that one */
    scratch->slab_count = slabs;
    cut_slabs(scratch);
    const uint32_t bytes = vxe_real_bytes(model->precision);
    vxe_status status = VXE_OK;
    for (uint32_t s = 0; s < slabs && !status; s++) {
        vxe_slab *slab = &scratch->slabs[s];
        slab->sums.ahead = &slab->ahead;
        status = vxe_six_take(VXE_WINDOW, bytes, &slab->own_block, slab->sums.own, error);
        status = status ? status
                        : vxe_six_take(scratch->pull_room, bytes, &slab->pull_block,
                                       slab->sums.pull, error);
        for (int axis = 0; axis < 3 && !status; axis++) {
            status = find_crossing(scratch, slab, axis, error);
        }
    }
    status = status ? status : vxe_scratch_contacts_init(scratch, error);
    status = status ? status : vxe_scratch_grains_init(scratch, error);
    status = status ? status : vxe_scratch_magnets_init(scratch, error);
    status = status ? status : vxe_scratch_stiffening_init(scratch, error);
    status = status ? status : vxe_peer_scratch_init(scratch, error);
    status = status ? status : vxe_fronts_take(scratch, error);
    if (status) {
        vxe_scratch_clear(scratch);
    }
    return status;
}

vxe_status vxe_scratch_invite(vxe_scratch *scratch, vxe_error *error)
{
    vxe_guests *guests = &scratch->guests;
    bool complete = true;
    for (int c = 0; c < 6; c++) {
        guests->load[c] = c < 4 ? vxe_scratch_take(scratch) : guests->load[3]; /* no moments */
        complete = complete && guests->load[c];
    }
    guests->loaded = vxe_memory_take(scratch->model->schedule.chunk_count, 1);
    return complete && guests->loaded ? VXE_OK
                                      : vxe_error_memory(error, 32ull * scratch->model->slots);
}

vxe_status vxe_scratch_init_forces(vxe_scratch *scratch, const vxe_model *model, vxe_state *state,
                                   vxe_error *error)
{
    *scratch = (vxe_scratch){.model = model, .arrays = model->arrays, .slab_count = 1};
    scratch->arrays.swell = vxe_scratch_take(scratch);
    vxe_status status =
        scratch->arrays.swell ? VXE_OK : vxe_error_memory(error, 8ull * model->slots);
    status = status ? status : vxe_scratch_grains_init(scratch, error);
    status = status ? status : vxe_scratch_magnets_init(scratch, error);
    if (status) {
        vxe_scratch_clear(scratch);
        return status;
    }
    vxe_scratch_bind(scratch, state);
    return VXE_OK;
}

void vxe_scratch_bind(vxe_scratch *scratch, vxe_state *state)
{
    scratch->state = state;
    for (int c = 0; c < 3; c++) {
        scratch->arrays.x[c] = state->x[c];
        scratch->arrays.x_low[c] = state->x_low[c];
        scratch->arrays.v[c] = state->v[c];
        scratch->arrays.w[c] = state->w[c];
    }
    for (int c = 0; c < 4; c++) {
        scratch->arrays.q[c] = state->q[c];
    }
    scratch->arrays.stuck = state->stuck[0];
    vxe_scratch_contacts_bind(scratch);
    vxe_scratch_grains_bind(scratch);
    if (scratch->magnets) {
        scratch->magnets->unsettled = false;
    }
    vxe_scratch_yield_bind(scratch);
    vxe_peer_scratch_bind(scratch, state);
    vxe_streams_find(&scratch->streams, scratch);
}

vxe_decay_factors vxe_decay_factors_of(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                       uint32_t slot, double time_step)
{
    const double by_mass = -0.5 * time_step / vxe_real_at(precision, arrays->mass, slot);
    const double by_inertia = arrays->gyration ? by_mass / vxe_gyration(precision, arrays, slot)
                                               : by_mass * 6 / (arrays->edge * arrays->edge);
    vxe_decay_factors factors = {1, 1, 1};
    if (arrays->drag) {
        factors.drag = vxe_exponential(by_mass * vxe_real_at(precision, arrays->drag, slot));
        factors.spin =
            vxe_exponential(by_inertia * vxe_real_at(precision, arrays->spin_drag, slot));
    }
    if (arrays->floor_stiffness) {
        factors.floor =
            vxe_exponential(by_mass * vxe_real_at(precision, arrays->floor_dashpot, slot));
    }
    return factors;
}

void vxe_scratch_set_decay(vxe_scratch *scratch, double time_step)
{
    const vxe_model *model = scratch->model;
    vxe_kernel_arrays *arrays = &scratch->arrays;
    if (!arrays->drag_decay && !arrays->floor_decay) {
        return;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const vxe_decay_factors factors =
            vxe_decay_factors_of(model->precision, arrays, i, time_step);
        if (arrays->drag_decay) {
            vxe_real_put(model->precision, arrays->drag_decay, i, factors.drag);
            vxe_real_put(model->precision, arrays->spin_decay, i, factors.spin);
        }
        if (arrays->floor_decay) {
            vxe_real_put(model->precision, arrays->floor_decay, i, factors.floor);
        }
    }
}

void vxe_scratch_set_factors(const vxe_scratch *scratch, double time)
{
    const vxe_model *model = scratch->model;
    for (uint32_t g = 0; g < model->group_count; g++) {
        scratch->factors[g] =
            scratch->state->target[g] * vxe_time_table_at(&model->programmes[g], time);
    }
}

void vxe_scratch_resize(vxe_scratch *scratch, double time)
{
    const vxe_model *model = scratch->model;
    if (scratch->peer) {
        scratch->peer->view.by_step = 1 / scratch->state->time_step;
    }
    if (model->peer && model->peer->steps) { /* sizes are of the state: they may be held */
        return;
    }
    if (vxe_model_resizes(model)) {
        double clock[VXE_CLOCK_NUMBERS];
        vxe_model_clock(model, time, clock);
        vxe_scratch_set_factors(scratch, time);
        if (model->kernels->voxels->resize(&scratch->arrays, 0, model->topology.voxel_count, clock,
                                           scratch->factors) > 0) {
            vxe_scratch_contacts_forget(scratch);
        }
    }
    vxe_scratch_stiffen(scratch, time);
}
