/* SPDX-License-Identifier: MIT */
/* A step is a list of passes; a pass goes over the body once, chunk by chunk: bonds of the chunk,
   then its voxels.

   In place: a voxel changes only after all its bonds are done. Within a slab that holds because
   neighbours below come earlier in the scan; bonds that reach into another slab are computed by
   every slab before any voxel changes (first half of a pass), then the threads meet, then the
   chunks are swept. No slot is written by two threads between two meetings. */
#include <string.h>

#include "common/parallel_internal.h"
#include "engine/solver/step.h"

vxe_failure_kind vxe_scratch_forces_failure(const vxe_scratch *scratch)
{
    const vxe_grain_scratch *grains = scratch->grains;
    if (scratch->magnets && scratch->magnets->unsettled) {
        return VXE_FAILURE_UNSETTLED;
    }
    if (grains && (grains->passed || grains->stiff)) {
        return grains->passed ? VXE_FAILURE_PASSED : VXE_FAILURE_STIFF;
    }
    return grains && grains->full ? VXE_FAILURE_GRAINS : VXE_FAILURE_NONE;
}

/* What has gone wrong in a slab, whatever the bonds do. */
static vxe_failure failure_beside_bonds(const vxe_scratch *scratch, uint32_t slab)
{
    const vxe_contact_scratch *contacts = scratch->contacts;
    const uint32_t place = contacts ? contacts->parts[slab].crowded : VXE_NONE;
    vxe_failure failure = {.kind = VXE_FAILURE_NONE};
    if (place != VXE_NONE) {
        failure =
            (vxe_failure){.kind = VXE_FAILURE_CROWD, .lower = scratch->model->surface.slot[place]};
    }
    if (slab == 0) { /* its thread is the one that fills them */
        const bool no_link = contacts && contacts->links_full;
        const bool no_pair = scratch->state->peer && scratch->state->peer->full;
        const vxe_failure_kind forces = vxe_scratch_forces_failure(scratch);
        failure.kind = no_link || no_pair ? VXE_FAILURE_FULL : failure.kind;
        failure.kind = forces ? forces : failure.kind;
    }
    return failure;
}

static bool has_springs(vxe_bond_kernel kernel)
{
    return kernel != VXE_BOND_DAMP && kernel != VXE_BOND_DAMP_FREE &&
           kernel != VXE_BOND_DAMP_EVEN && kernel != VXE_BOND_DAMP_SET &&
           kernel != VXE_BOND_BAR_DAMP;
}

/* What acts on the body at the start of a step, before any voxel moves. */
static void begin_step(vxe_scratch *scratch, const vxe_pass *pass, uint32_t thread,
                       uint32_t threads)
{
    if ((pass->acts & VXE_ACT_PEER) && thread == 0) {
        vxe_peer_push(scratch, pass->step);
    }
    if (!(pass->kick_flags & VXE_KICK_EXTERNAL) || pass->no_bonds) {
        return;
    }
    if (scratch->model->stiffening) {
        if (thread == 0) {
            vxe_scratch_stiffen(scratch, pass->time);
        }
        vxe_parallel_meet(threads);
    }
    if (!pass->yielded) {
        vxe_scratch_yield(scratch, thread, threads);
    }
    vxe_scratch_poisson(scratch, thread, threads);
    vxe_scratch_contacts(scratch, thread, threads, pass->h);
    vxe_scratch_grains(scratch, pass->h, pass->time, thread, threads);
    vxe_scratch_magnets(scratch, pass->number, pass->time, thread, threads);
}

/* One pass by one thread of a team: the slabs thread, thread + threads, ... */
static void run_pass(vxe_scratch *scratch, const vxe_pass *pass, uint32_t thread, uint32_t threads)
{
    begin_step(scratch, pass, thread, threads);
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        if (has_springs(pass->kernel) && !pass->no_bonds) {
            scratch->slabs[s].failure[pass->number & 1] = failure_beside_bonds(scratch, s);
        }
        if (!pass->no_bonds) {
            vxe_slab_cross(scratch, &scratch->slabs[s], pass);
        }
    }
    double clock[VXE_CLOCK_NUMBERS] = {0};
    if ((pass->acts & VXE_ACT_RESIZE) && vxe_model_resizes(scratch->model)) {
        vxe_model_clock(scratch->model, pass->end, clock);
        if (thread == 0) {
            vxe_scratch_set_factors(scratch, pass->end);
        }
    }
    const bool fetches = scratch->streams.count > 0 && has_springs(pass->kernel);
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        vxe_slab *slab = &scratch->slabs[s];
        slab->sums.pull_first = scratch->model->schedule.chunk_first[slab->first_chunk];
        if (!pass->no_bonds && scratch->slab_count > 1) {
            vxe_slab_absorb(scratch, slab);
        }
        for (uint32_t chunk = slab->first_chunk; chunk < slab->last_chunk; chunk++) {
            if (fetches) {
                vxe_ahead_begin(&slab->ahead, scratch, chunk, slab->last_chunk);
            }
            vxe_slab_chunk(scratch, slab, &slab->sums, pass, chunk, clock);
        }
    }
    vxe_parallel_meet(threads);
    if (pass->acts & VXE_ACT_DRIFT) {
        vxe_scratch_grains_shift(scratch, thread, threads);
    }
}

/* The passes of a step: one after the other, or one close behind the other by one thread. */
static void run_step(vxe_scratch *scratch, const vxe_pass *passes, uint32_t count, uint32_t thread,
                     uint32_t threads)
{
    if (scratch->fronts.held == 0) {
        for (uint32_t i = 0; i < count; i++) {
            run_pass(scratch, &passes[i], thread, threads);
        }
        return;
    }
    if (thread == 0) {
        begin_step(scratch, &passes[0], 0, 1);
        scratch->slabs[0].failure[passes[0].number & 1] = failure_beside_bonds(scratch, 0);
        vxe_fronts_step(scratch, passes, count);
        vxe_scratch_grains_shift(scratch, 0, 1);
    }
    vxe_parallel_meet(threads);
}

vxe_failure vxe_scratch_failure(const vxe_scratch *scratch, uint64_t step)
{
    vxe_failure first = {0};
    for (uint32_t s = scratch->slab_count; s-- > 0;) { /* they stand in the order of slots */
        const vxe_failure *failure = &scratch->slabs[s].failure[step & 1];
        if (failure->kind > VXE_FAILURE_BOND || (failure->kind && first.kind <= VXE_FAILURE_BOND)) {
            first = *failure;
        }
    }
    return first;
}

/* A kernel by what the rows of coefficients hold, or the one for bonds that are not simply
 * elastic. */
static vxe_bond_kernel by_rows(const vxe_model *model, vxe_bond_kernel even,
                               vxe_bond_kernel proportional, vxe_bond_kernel free_ones,
                               vxe_bond_kernel with_set)
{
    if (model->yield.law_count > 0 || model->poisson) {
        return with_set;
    }
    switch (model->arrays.row_values) {
    case VXE_EVEN_VALUES:
        return even;
    case VXE_PROPORTIONAL_VALUES:
        return proportional;
    default:
        return free_ones;
    }
}

vxe_bond_kernel vxe_spring_kernel(const vxe_model *model, bool dashpots, bool swept)
{
    const bool damped = dashpots && model->most_ratio > 0;
    if (model->peer) {
        return VXE_BOND_PEER;
    }
    if (model->bars) {
        return damped && !swept ? VXE_BOND_BAR_EXPLICIT : VXE_BOND_BAR_ELASTIC;
    }
    if (!damped) {
        return by_rows(model, VXE_BOND_ELASTIC_EVEN, VXE_BOND_ELASTIC, VXE_BOND_ELASTIC_FREE,
                       VXE_BOND_ELASTIC_SET);
    }
    if (model->conventions.peer_dashpots) { /* never even */
        return by_rows(model, VXE_BOND_EXPLICIT_PEER, VXE_BOND_EXPLICIT_PEER,
                       VXE_BOND_EXPLICIT_FREE_PEER, VXE_BOND_EXPLICIT_SET_PEER);
    }
    return swept ? by_rows(model, VXE_BOND_SWEPT_EVEN, VXE_BOND_SWEPT, VXE_BOND_SWEPT_FREE,
                           VXE_BOND_SWEPT_SET)
                 : by_rows(model, VXE_BOND_EXPLICIT_EVEN, VXE_BOND_EXPLICIT, VXE_BOND_EXPLICIT_FREE,
                           VXE_BOND_EXPLICIT_SET);
}

static vxe_bond_kernel sweep_kernel(const vxe_model *model)
{
    return model->bars ? VXE_BOND_BAR_DAMP
                       : by_rows(model, VXE_BOND_DAMP_EVEN, VXE_BOND_DAMP, VXE_BOND_DAMP_FREE,
                                 VXE_BOND_DAMP_SET);
}

/* What sweep j of so many starts from: the first finds the middle velocities at hand, and puts them
 * by where more than the next want them; the last starts from where the whole kick has led. */
static uint32_t start_of_sweep(uint32_t j, uint32_t sweeps)
{
    if (j == sweeps) {
        return VXE_KICK_FROM_KEPT;
    }
    if (j > 1) {
        return VXE_KICK_FROM_MIDDLE;
    }
    return sweeps > 2 ? VXE_KICK_TO_MIDDLE : 0;
}

uint32_t vxe_step_passes(const vxe_model *model, const vxe_step_plan *plan,
                         vxe_pass passes[VXE_MOST_PASSES])
{
    const uint32_t end = VXE_ACT_FRICTION | VXE_ACT_DRIFT | VXE_ACT_RESIZE;
    const bool sweeps = plan->sweeps > 0;
    if (model->peer && model->peer->steps) {
        passes[0] =
            (vxe_pass){.kernel = VXE_BOND_PEER, .acts = VXE_ACT_PEER, .step = plan->time_step};
        return 1;
    }
    passes[0] =
        (vxe_pass){.kernel = vxe_spring_kernel(model, true, sweeps),
                   .kick_flags = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR |
                                 (sweeps ? 0u : (uint32_t)VXE_KICK_EXPLICIT_DRAG),
                   .acts = sweeps ? VXE_ACT_KEEP | VXE_ACT_DRIVE | VXE_ACT_DECAY | VXE_ACT_HALVE
                                  : VXE_ACT_DRIVE | end,
                   .h = plan->time_step,
                   .step = plan->time_step};
    for (uint32_t j = 1; j <= plan->sweeps; j++) {
        const bool last = j == plan->sweeps;
        passes[j] =
            (vxe_pass){.kernel = sweep_kernel(model),
                       .kick_flags = start_of_sweep(j, plan->sweeps),
                       .acts = last ? VXE_ACT_DECAY | end : 0,
                       .h = (last ? 1 : 0.5) * plan->time_step * plan->nested[plan->sweeps - j],
                       .step = plan->time_step};
    }
    return plan->sweeps + 1;
}

void vxe_passes_begin(vxe_pass *passes, uint32_t count, const vxe_state *state, uint64_t number)
{
    for (uint32_t i = 0; i < count; i++) {
        passes[i].number = number;
        passes[i].time = vxe_state_time_at(state, number);
        passes[i].end = vxe_state_time_at(state, number + 1);
    }
}

typedef struct steps_job {
    vxe_scratch *scratch;
    const vxe_state *state;
    const vxe_pass *passes;
    uint32_t pass_count;
    uint64_t steps;
    uint64_t done;
} steps_job;

static void run_steps(void *context, uint32_t thread, uint32_t threads)
{
    steps_job *job = context;
    const vxe_state *state = job->state;
    uint64_t done = 0;
    bool failed = false;
    while (done < job->steps && !failed) {
        const uint64_t number = state->step + done;
        vxe_pass passes[VXE_MOST_PASSES];
        memcpy(passes, job->passes, job->pass_count * sizeof *passes);
        vxe_passes_begin(passes, job->pass_count, state, number);
        run_step(job->scratch, passes, job->pass_count, thread, threads);
        failed = vxe_scratch_failure(job->scratch, number).kind != VXE_FAILURE_NONE;
        done++;
    }
    if (thread == 0) {
        job->done = done;
    }
}

void vxe_scratch_steps(vxe_scratch *scratch, vxe_state *state, const vxe_step_plan *plan,
                       uint64_t steps, vxe_failure *failure)
{
    vxe_pass passes[VXE_MOST_PASSES];
    const uint32_t count = vxe_step_passes(scratch->model, plan, passes);
    vxe_scratch_resize(scratch, vxe_state_time(state));
    const uint64_t ahead = vxe_fronts_steps(scratch, state, passes, count, steps);
    steps_job job = {scratch, state, passes, count, steps - ahead, 0};
    *failure = (vxe_failure){0};
    if (job.steps > 0) {
        vxe_parallel_run(scratch->slab_count, run_steps, &job);
        state->step += job.done;
        *failure = vxe_scratch_failure(scratch, state->step - 1);
    }
    vxe_scratch_stiffen(scratch, vxe_state_time(state));
}

typedef struct pass_job {
    vxe_scratch *scratch;
    const vxe_pass *pass;
} pass_job;

static void run_one_pass(void *context, uint32_t thread, uint32_t threads)
{
    pass_job *job = context;
    run_pass(job->scratch, job->pass, thread, threads);
}

void vxe_scratch_pass(vxe_scratch *scratch, const vxe_pass *pass)
{
    pass_job job = {scratch, pass};
    vxe_parallel_run(scratch->slab_count, run_one_pass, &job);
}
