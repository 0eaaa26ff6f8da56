/* SPDX-License-Identifier: MIT */
/* Makes the workspace of a body: cuts it into partitions, takes the memory of every stage and
   force, and points the kernels at a state. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/core/accumulators.h"
#include "engine/solver/step.h"

void vxe_workspace_clear(vxe_workspace *workspace)
{
    for (uint32_t i = 0; i < workspace->array_count; i++) {
        vxe_memory_release(workspace->array[i]);
    }
    vxe_memory_release(workspace->array);
    for (uint32_t s = 0; s < workspace->partition_count && workspace->partitions; s++) {
        vxe_memory_release(workspace->partitions[s].lower_block);
        vxe_memory_release(workspace->partitions[s].upper_block);
        for (int axis = 0; axis < 3; axis++) {
            vxe_memory_release(workspace->partitions[s].halo[axis].lower_block);
            vxe_memory_release(workspace->partitions[s].halo[axis].upper_block);
        }
    }
    vxe_wavefront_clear(workspace);
    vxe_workspace_contacts_clear(workspace);
    vxe_workspace_particles_clear(workspace);
    vxe_memory_release(workspace->external_loads.loaded);
    vxe_workspace_magnets_clear(workspace);
    vxe_voxelyze_workspace_clear(workspace);
    vxe_memory_release(workspace->rows);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(workspace->yielding[axis]);
        vxe_memory_release(workspace->strain[axis]);
    }
    vxe_memory_release(workspace->partitions);
    vxe_memory_release(workspace->touching);
    vxe_memory_release(workspace->factors);
    *workspace = (vxe_workspace){0};
}

/* Cuts the chunks into partitions of about equal size. Some may be empty. */
static void cut_partitions(vxe_workspace *workspace)
{
    const uint64_t chunks = workspace->model->chunks.chunk_count;
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        VXE_ASSERT(chunks > 0);
        workspace->partitions[s].first_chunk = (uint32_t)(chunks * s / workspace->partition_count);
        workspace->partitions[s].last_chunk =
            (uint32_t)(chunks * (s + 1) / workspace->partition_count);
    }
}

/* Largest distance, in slots, from the start of a chunk to the end of what its bonds write to
   upper voxels, including the groups of 16 slots in which packed bonds are added. */
static uint32_t find_reach(const vxe_model *model)
{
    uint32_t reach = VXE_WINDOW;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *vector_first = model->chunks.vector_first[axis];
        for (uint32_t chunk = 0; chunk < model->chunks.chunk_count; chunk++) {
            const uint32_t first = model->chunks.chunk_first[chunk];
            for (uint32_t v = vector_first[chunk]; v < vector_first[chunk + 1]; v++) {
                const uint32_t end = model->arrays.bonds[axis].upper[v] + 2 * VXE_VECTOR - first;
                reach = end > reach ? end : reach;
            }
        }
    }
    return reach;
}

/* Finds the halo bonds of a partition: all vectors from the first one with a lane (used or not)
   beyond its end, since no thread may write another's slots later on. Takes the memory of their
   forces. */
static vxe_status find_halo(vxe_workspace *workspace, vxe_partition *partition, int axis,
                            vxe_error *error)
{
    const vxe_model *model = workspace->model;
    const vxe_chunks *chunks = &model->chunks;
    const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
    const uint32_t end = chunks->chunk_first[partition->last_chunk];
    vxe_halo_bonds *halo = &partition->halo[axis];
    halo->last = chunks->vector_first[axis][partition->last_chunk];
    halo->first = halo->last;
    if (end < model->topology.voxel_count) {
        halo->first = chunks->vector_first[axis][partition->first_chunk];
        while (halo->first < halo->last && bonds->upper[halo->first] + VXE_VECTOR <= end &&
               bonds->lower[halo->first] + VXE_VECTOR <= end) {
            halo->first++;
        }
    }
    const uint64_t size = (uint64_t)(halo->last - halo->first) * VXE_VECTOR;
    VXE_ASSERT(halo->first >= chunks->vector_first[axis][partition->first_chunk] &&
               halo->first <= halo->last);
    vxe_status status =
        vxe_six_take(size, model->precision, &halo->lower_block, halo->lower_force, error);
    return status
               ? status
               : vxe_six_take(size, model->precision, &halo->upper_block, halo->upper_force, error);
}

/* Takes one array, or several, that a step of this workspace needs; `zero` stands in for what only
   other bonds of its kernel need. */
static bool take_needed(vxe_workspace *workspace, const bool needed[VXE_NEEDS], vxe_array_need need,
                        vxe_reals *zero, vxe_reals **arrays, int count)
{
    const bool of_history = need == VXE_NEED_YIELD || need == VXE_NEED_POISSON;
    bool complete = true;
    for (int c = 0; c < count; c++) {
        arrays[c] = needed[need] ? vxe_workspace_take(workspace) : of_history ? zero : NULL;
        complete = complete && (arrays[c] || !needed[need]);
    }
    return complete;
}

/* Takes the arrays by voxel that the lists of array_lists.h give a workspace. */
static bool take_arrays(vxe_workspace *workspace, const vxe_workspace_def *def)
{
    const vxe_model *model = workspace->model;
    vxe_kernel_arrays *arrays = &workspace->arrays;
    const bool damping = def->damping_iterations > 0;
    const bool needed[VXE_NEEDS] = {
        [VXE_NEED_ALWAYS] = true,
        [VXE_NEED_FIELD] = model->field.acts,
        [VXE_NEED_FLOOR] = arrays->floor_stiffness != NULL,
        [VXE_NEED_TERRAIN] = arrays->terrain != NULL,
        [VXE_NEED_DRAG_DECAY] = damping && arrays->drag,
        [VXE_NEED_YIELD] = model->yield.law_count > 0,
        [VXE_NEED_POISSON] = model->poisson,
    };
    const bool history = needed[VXE_NEED_YIELD] || needed[VXE_NEED_POISSON];
    vxe_reals *zero = history ? vxe_workspace_take(workspace) : NULL;
    bool complete = !history || zero != NULL;
#define ZERO(name, reader, unit) arrays->name[0] = arrays->name[1] = arrays->name[2] = zero;
    VXE_STATE_BOND_FIELDS(ZERO) /* until a state that has them is bound */
#undef ZERO
#define ONE(name, need, reader, unit)                                                              \
    complete = take_needed(workspace, needed, VXE_NEED_##need, zero, &arrays->name, 1) && complete;
#define MANY(name, count, need, reader, unit)                                                      \
    complete =                                                                                     \
        take_needed(workspace, needed, VXE_NEED_##need, zero, arrays->name, count) && complete;
    VXE_WORKSPACE_ARRAYS(ONE, MANY)
#undef ONE
#undef MANY
    return complete;
}

/* Takes the additional memory of damping iterations. */
static bool take_for_damping(vxe_workspace *workspace, const vxe_workspace_def *def)
{
    vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_model *model = workspace->model;
    bool complete = true;
    const vxe_wavefront *wavefront = &workspace->wavefront;
    /* for the whole body, or a ring for each thread */
    const uint64_t window_chunks = (uint64_t)def->partitions * wavefront->window_chunks;
    const uint64_t slots = window_chunks ? window_chunks * model->chunks.chunk_slots : model->slots;
    /* from three iterations on; a step planned anew for targets of groups may need more of them */
    const bool middle = def->damping_iterations > 2 || model->group_count > 0;
    for (int c = 0; c < 6; c++) {
        complete = complete && (arrays->kept[c] = vxe_workspace_take_numbers(workspace, slots));
        complete = complete &&
                   (!middle || (arrays->middle[c] = vxe_workspace_take_numbers(workspace, slots)));
    }
    for (int axis = 0; axis < 3; axis++) {
        const uint64_t vectors = window_chunks ? window_chunks * wavefront->window_vectors[axis]
                                               : arrays->bonds[axis].count;
        complete = complete && (arrays->geometry[axis] = vxe_workspace_take_numbers(
                                    workspace, 6ull * VXE_VECTOR * vectors));
    }
    return complete;
}

/* Takes the additional memory of bonds that yield or break. */
static bool take_for_yielding(vxe_workspace *workspace)
{
    vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_model *model = workspace->model;
    if (model->yield.law_count == 0) {
        return true;
    }
    bool complete = true;
    if (arrays->faces) {
        complete = (workspace->faces = vxe_workspace_take(workspace)) != NULL;
        arrays->faces = workspace->faces;
    }
    for (int axis = 0; axis < 3; axis++) {
        workspace->yielding[axis] = vxe_memory_take(arrays->bonds[axis].count, 1);
        workspace->strain[axis] = vxe_memory_take(model->slots, sizeof *workspace->strain[axis]);
        complete = complete && workspace->yielding[axis] && workspace->strain[axis];
    }
    return complete;
}

vxe_status vxe_workspace_init(vxe_workspace *workspace, const vxe_model *model,
                              const vxe_workspace_def *def, vxe_error *error)
{
    VXE_ASSERT(def->partitions >= 1 && def->damping_iterations <= VXE_MAX_DAMPING_ITERATIONS);
    const uint32_t partitions =
        vxe_voxelyze_packs(model) ? 1 : def->partitions; /* see vxe_model_threads */
    *workspace = (vxe_workspace){.model = model, .arrays = model->arrays};
    workspace->upper_reach = find_reach(model);
    workspace->upper_capacity = vxe_sums_capacity(workspace->upper_reach, model->slots);
    vxe_wavefront_plan(&workspace->wavefront, model, def, workspace->upper_reach);
    bool complete = take_arrays(workspace, def);
    complete = complete && (def->damping_iterations == 0 || take_for_damping(workspace, def));
    complete = complete && take_for_yielding(workspace);
    workspace->factors = vxe_memory_take(model->group_count + 1ull, sizeof *workspace->factors);
    workspace->touching = vxe_memory_take(model->chunks.chunk_count, 1);
    workspace->partitions = vxe_memory_take(partitions, sizeof *workspace->partitions);
    if (!complete || !workspace->factors || !workspace->touching || !workspace->partitions) {
        vxe_workspace_clear(workspace);
        return vxe_error_memory(error, 20ull * model->slots * vxe_real_bytes(model->precision));
    }
    workspace->factors[0] = 1; /* without groups all voxels have this factor */
    workspace->partition_count = partitions;
    cut_partitions(workspace);
    vxe_status status = VXE_OK;
    for (uint32_t s = 0; s < partitions && !status; s++) {
        vxe_partition *partition = &workspace->partitions[s];
        partition->sums.prefetch = &partition->prefetch;
        status = vxe_six_take(VXE_WINDOW, model->precision, &partition->lower_block,
                              partition->sums.lower_force, error);
        status = status ? status
                        : vxe_six_take(workspace->upper_capacity, model->precision,
                                       &partition->upper_block, partition->sums.upper_force, error);
        for (int axis = 0; axis < 3 && !status; axis++) {
            status = find_halo(workspace, partition, axis, error);
        }
    }
    status = status ? status : vxe_workspace_contacts_init(workspace, error);
    status = status ? status : vxe_workspace_particles_init(workspace, error);
    status = status ? status : vxe_workspace_magnets_init(workspace, error);
    status = status ? status : vxe_workspace_stiffening_init(workspace, error);
    status = status ? status : vxe_voxelyze_workspace_init(workspace, error);
    status = status ? status : vxe_wavefront_take(workspace, error);
    if (status) {
        vxe_workspace_clear(workspace);
    }
    return status;
}

vxe_status vxe_workspace_take_external_loads(vxe_workspace *workspace, vxe_error *error)
{
    vxe_external_loads *external_loads = &workspace->external_loads;
    workspace->arrays.dithers = true;

    bool complete = true;
    for (int c = 0; c < 6; c++) {
        external_loads->load[c] =
            c < 4 ? vxe_workspace_take(workspace)
                  : external_loads->load[3]; /* affine bodies make no moments on voxels */
        complete = complete && external_loads->load[c];
    }
    external_loads->loaded = vxe_memory_take(workspace->model->chunks.chunk_count, 1);
    return complete && external_loads->loaded
               ? VXE_OK
               : vxe_error_memory(error, 32ull * workspace->model->slots);
}

vxe_status vxe_workspace_init_forces(vxe_workspace *workspace, const vxe_model *model,
                                     vxe_state *state, vxe_error *error)
{
    *workspace = (vxe_workspace){.model = model, .arrays = model->arrays, .partition_count = 1};
    workspace->arrays.edge_growth = vxe_workspace_take(workspace);
    vxe_status status =
        workspace->arrays.edge_growth ? VXE_OK : vxe_error_memory(error, 8ull * model->slots);
    status = status ? status : vxe_workspace_particles_init(workspace, error);
    status = status ? status : vxe_workspace_magnets_init(workspace, error);
    if (status) {
        vxe_workspace_clear(workspace);
        return status;
    }
    vxe_workspace_bind(workspace, state);
    return VXE_OK;
}

void vxe_workspace_bind(vxe_workspace *workspace, vxe_state *state)
{
    VXE_ASSERT(state->precision == workspace->model->precision &&
               state->slots == workspace->model->slots);
    VXE_ASSERT(!state->x_low[0] == (state->precision == VXE_PRECISION_DOUBLE) &&
               state->groups == workspace->model->group_count);
    workspace->state = state;
#define BIND(name, NAME, in_double, in_mixed, reader, unit)                                        \
    for (int c = 0; c < (in_mixed); c++) {                                                         \
        workspace->arrays.name[c] = state->name[c];                                                \
    }
    VXE_STATE_FIELDS(BIND)
#undef BIND
#define BIND(name, reader, unit)                                                                   \
    for (int c = 0; c < 3 && state->yields; c++) {                                                 \
        workspace->arrays.name[c] = state->name[c];                                                \
    }
    VXE_STATE_BOND_FIELDS(BIND)
#undef BIND
    vxe_workspace_contacts_bind(workspace);
    vxe_workspace_particles_bind(workspace);
    if (workspace->magnets) {
        workspace->magnets->unsettled = false;
    }
    vxe_workspace_yield_bind(workspace);
    vxe_voxelyze_workspace_bind(workspace, state);
    vxe_prefetch_arrays_find(&workspace->prefetch_arrays, workspace);
}

/* exp(x) - 1, to full relative accuracy. */
static double exponential_less_one(double x)
{
    return fabs(x) < 1e-4 ? x * (1 + x * (0.5 + x * (1.0 / 6 + x / 24))) : vxe_exponential(x) - 1;
}

vxe_decay_factors vxe_decay_factors_of(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                       uint32_t slot, double time_step)
{
    const double by_mass = -0.5 * time_step / vxe_real_at(precision, arrays->mass, slot);
    const double by_inertia = arrays->gyration ? by_mass / vxe_gyration(precision, arrays, slot)
                                               : by_mass * 6 / (arrays->edge * arrays->edge);
    vxe_decay_factors factors = {0, 0};
    if (arrays->drag) {
        factors.drag = exponential_less_one(by_mass * vxe_real_at(precision, arrays->drag, slot));
        factors.spin =
            exponential_less_one(by_inertia * vxe_real_at(precision, arrays->spin_drag, slot));
    }
    return factors;
}

void vxe_workspace_set_decay(vxe_workspace *workspace, double time_step)
{
    VXE_ASSERT(time_step > 0);
    const vxe_model *model = workspace->model;
    vxe_kernel_arrays *arrays = &workspace->arrays;
    if (!arrays->drag_decay) {
        return;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const vxe_decay_factors factors =
            vxe_decay_factors_of(model->precision, arrays, i, time_step);
        vxe_real_put(model->precision, arrays->drag_decay, i, factors.drag);
        vxe_real_put(model->precision, arrays->spin_decay, i, factors.spin);
    }
}

void vxe_workspace_set_factors(const vxe_workspace *workspace, double time)
{
    VXE_ASSERT(workspace->state && workspace->state->groups == workspace->model->group_count);
    const vxe_model *model = workspace->model;
    for (uint32_t g = 0; g < model->group_count; g++) {
        workspace->factors[g] =
            workspace->state->target[g] * vxe_time_table_at(&model->schedules[g], time);
    }
}

void vxe_workspace_resize(vxe_workspace *workspace, double time)
{
    const vxe_model *model = workspace->model;
    if (workspace->voxelyze) {
        workspace->voxelyze->view.by_step = 1 / workspace->state->time_step;
    }
    if (model->voxelyze && model->voxelyze->steps) { /* under this law edges belong to the state */
        return;
    }
    if (vxe_model_resizes(model)) {
        double clock[VXE_CLOCK_NUMBERS];
        vxe_model_clock(model, time, clock);
        vxe_workspace_set_factors(workspace, time);
        if (vxe_voxel_kernels_of(model->kernels)
                ->resize(&workspace->arrays, 0, model->topology.voxel_count, clock,
                         workspace->factors) > 0) {
            vxe_workspace_contacts_forget(workspace);
        }
    }
    vxe_workspace_stiffen(workspace, time);
}
