/* SPDX-License-Identifier: MIT */
/* A step is a list of passes; a pass goes over the body once, chunk by chunk: bonds of the
   chunk, then its voxels (drawn in step.h).

   Voxels are changed in place, so a voxel may change only after all its bonds are done. Within a
   partition that holds because lower neighbours come earlier in the scan. Halo bonds, which
   reach into another partition, are computed by every partition before any voxel changes (first
   half of a pass); then the threads meet at a barrier, and the chunks follow. No slot is written
   by two threads between two barriers. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/parallel_internal.h"
#include "engine/solver/step.h"
#include "engine/voxels/dither_law.h"

vxe_failure_kind vxe_workspace_forces_failure(const vxe_workspace *workspace)
{
    const vxe_particle_workspace *particles = workspace->particles;
    if (workspace->magnets && workspace->magnets->unsettled) {
        return VXE_FAILURE_UNSETTLED;
    }
    if (workspace->magnets && vxe_workspace_magnets_near(workspace)) {
        return VXE_FAILURE_NEAR;
    }
    if (particles && (particles->passed || particles->stiff)) {
        return particles->passed ? VXE_FAILURE_PASSED : VXE_FAILURE_STIFF;
    }
    return particles && particles->full ? VXE_FAILURE_PARTICLES : VXE_FAILURE_NONE;
}

/* Failures of a partition other than those of bonds. */
static vxe_failure failure_beside_bonds(const vxe_workspace *workspace, uint32_t partition)
{
    const vxe_contact_workspace *contacts = workspace->contacts;
    vxe_failure failure = {.kind = VXE_FAILURE_NONE};
    if (contacts) {
        failure = vxe_contacts_failure(&workspace->model->surface, &contacts->parts[partition]);
    }
    if (partition == 0) { /* the thread of partition 0 is the one that fills these lists */
        const bool no_link = contacts && contacts->sticky_links_full;
        const bool no_pair = workspace->state->voxelyze && workspace->state->voxelyze->full;
        const vxe_failure_kind forces = vxe_workspace_forces_failure(workspace);
        failure.kind = no_link || no_pair ? VXE_FAILURE_FULL : failure.kind;
        failure.kind = forces ? forces : failure.kind;
    }
    return failure;
}

static bool has_springs(vxe_bond_parts law)
{
    return law & (VXE_BOND_SPRINGS | VXE_BOND_VOXELYZE);
}

/* Computes everything that acts on the body at the start of a step, before any voxel moves. */
static void begin_step(vxe_workspace *workspace, const vxe_pass *pass, uint32_t thread,
                       uint32_t threads)
{
    if ((pass->stages & VXE_STAGE_VOXELYZE) && thread == 0) {
        vxe_voxelyze_step(workspace, pass->step);
    }
    if (!(pass->kick_flags & VXE_KICK_EXTERNAL) || pass->no_bonds) {
        return;
    }
    if (workspace->model->stiffening) {
        if (thread == 0) {
            vxe_workspace_stiffen(workspace, pass->time);
        }
        vxe_parallel_meet(threads);
    }
    if (!pass->yielded) {
        vxe_workspace_yield(workspace, pass->number, thread, threads);
    }
    vxe_workspace_poisson(workspace, thread, threads);
    vxe_workspace_contacts(workspace, thread, threads, pass->number, pass->h);
    vxe_workspace_particles(workspace, pass->h, pass->time, thread, threads);
    vxe_workspace_magnets(workspace, pass->number, pass->time, thread, threads);
}

/* One pass by one thread of a team: it has the partitions thread, thread + threads, ... */
static void run_pass(vxe_workspace *workspace, const vxe_pass *pass, uint32_t thread,
                     uint32_t threads)
{
    VXE_ASSERT(thread < threads && pass->end >= pass->time);
    begin_step(workspace, pass, thread, threads);
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        if (has_springs(pass->law) && !pass->no_bonds) {
            workspace->partitions[s].failure[pass->number & 1] = failure_beside_bonds(workspace, s);
        }
        if (!pass->no_bonds) {
            vxe_partition_compute_halo(workspace, &workspace->partitions[s], pass);
        }
    }
    double clock[VXE_CLOCK_NUMBERS] = {0};
    if ((pass->stages & VXE_STAGE_RESIZE) && vxe_model_resizes(workspace->model)) {
        vxe_model_clock(workspace->model, pass->end, clock);
        if (thread == 0) {
            vxe_workspace_set_factors(workspace, pass->end);
        }
    }
    const bool fetches = workspace->prefetch_arrays.count > 0 && has_springs(pass->law);
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        vxe_partition *partition = &workspace->partitions[s];
        partition->sums.upper_first = workspace->model->chunks.chunk_first[partition->first_chunk];
        if (!pass->no_bonds && workspace->partition_count > 1) {
            vxe_partition_add_halo(workspace, partition);
        }
        for (uint32_t chunk = partition->first_chunk; chunk < partition->last_chunk; chunk++) {
            if (fetches) {
                vxe_prefetch_begin(&partition->prefetch, workspace, chunk, partition->last_chunk);
            }
            vxe_partition_chunk(workspace, partition, &partition->sums, pass, chunk, clock);
        }
    }
    vxe_parallel_meet(threads);
    if (pass->stages & VXE_STAGE_DRIFT) {
        vxe_workspace_particles_correct(workspace, thread, threads);
    }
}

/* The passes of a step: one after another, or as a wavefront by one thread. */
static void run_step(vxe_workspace *workspace, const vxe_pass *passes, uint32_t count,
                     uint32_t thread, uint32_t threads)
{
    VXE_ASSERT(count >= 1 && count <= VXE_MAX_PASSES);
    if (workspace->wavefront.window_chunks == 0) {
        for (uint32_t i = 0; i < count; i++) {
            run_pass(workspace, &passes[i], thread, threads);
        }
        return;
    }
    if (thread == 0) {
        begin_step(workspace, &passes[0], 0, 1);
        workspace->partitions[0].failure[passes[0].number & 1] = failure_beside_bonds(workspace, 0);
        vxe_wavefront_step(workspace, passes, count);
        vxe_workspace_particles_correct(workspace, 0, 1);
    }
    vxe_parallel_meet(threads);
}

vxe_failure vxe_workspace_failure(const vxe_workspace *workspace, uint64_t step)
{
    VXE_ASSERT(workspace->partition_count > 0);
    vxe_failure first = {0};
    for (uint32_t s = workspace->partition_count; s-- > 0;) { /* backwards, so that the partition
                                                                 with the lowest slots is last */
        const vxe_failure *failure = &workspace->partitions[s].failure[step & 1];
        if (failure->kind > VXE_FAILURE_BOND || (failure->kind && first.kind <= VXE_FAILURE_BOND)) {
            first = *failure;
        }
    }
    return first;
}

/* The flags of a law that follow from what the rows of coefficients hold, and from bonds that
   are not simply elastic. */
static vxe_bond_parts by_rows(const vxe_model *model)
{
    if (model->bars) {
        return VXE_BOND_BARS;
    }
    if (model->yield.law_count > 0 || model->poisson) {
        return VXE_BOND_FREE | VXE_BOND_YIELDING;
    }
    switch (model->arrays.row_values) {
    case VXE_EVEN_VALUES:
        return VXE_BOND_EVEN;
    case VXE_PROPORTIONAL_VALUES:
        return 0;
    default:
        VXE_ASSERT(model->arrays.row_values == VXE_FREE_VALUES);
        return VXE_BOND_FREE;
    }
}

vxe_bond_parts vxe_spring_law(const vxe_model *model, bool dashpots, bool swept)
{
    const bool damped = dashpots && model->max_ratio > 0;
    if (model->voxelyze) {
        return VXE_BOND_VOXELYZE;
    }
    if (!damped) {
        return VXE_BOND_SPRINGS | by_rows(model);
    }
    if (swept) {
        return VXE_BOND_SPRINGS | (model->bars ? 0u : (vxe_bond_parts)VXE_BOND_KEEP) |
               by_rows(model);
    }
    if (model->conventions.voxelyze_dashpots && !model->bars) {
        VXE_ASSERT(by_rows(model) != VXE_BOND_EVEN);
        return VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_HALF_MOMENT | by_rows(model);
    }
    return VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | by_rows(model);
}

/* The velocities that damping iteration j starts from: the first one finds the middle velocities
   in place, and stores them where later ones need them; the last one starts from the velocities
   after the whole kick. */
static uint32_t start_of_iteration(uint32_t j, uint32_t damping_iterations)
{
    VXE_ASSERT(j >= 1 && j <= damping_iterations);
    if (j == damping_iterations) {
        return VXE_KICK_FROM_KEPT;
    }
    if (j > 1) {
        return VXE_KICK_FROM_MIDDLE;
    }
    return damping_iterations > 2 ? VXE_KICK_TO_MIDDLE : 0;
}

uint32_t vxe_step_passes(const vxe_model *model, const vxe_step_plan *plan,
                         vxe_pass passes[VXE_MAX_PASSES])
{
    VXE_ASSERT(plan->damping_iterations <= VXE_MAX_DAMPING_ITERATIONS && plan->time_step > 0);
    const uint32_t end = VXE_STAGE_FRICTION | VXE_STAGE_BEND | VXE_STAGE_DRIFT | VXE_STAGE_RESIZE;
    const bool damping_iterations = plan->damping_iterations > 0;
    if (model->voxelyze && model->voxelyze->steps) {
        passes[0] = (vxe_pass){
            .law = VXE_BOND_VOXELYZE, .stages = VXE_STAGE_VOXELYZE, .step = plan->time_step};
        return 1;
    }
    passes[0] = (vxe_pass){
        .law = vxe_spring_law(model, true, damping_iterations),
        .kick_flags = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR |
                      (damping_iterations ? 0u : (uint32_t)VXE_KICK_EXPLICIT_DRAG),
        .stages = damping_iterations ? VXE_STAGE_KEEP | VXE_STAGE_DRIVE | VXE_STAGE_DECAY |
                                           VXE_STAGE_HALVE | VXE_STAGE_HOLD
                                     : VXE_STAGE_DRIVE | end,
        .h = plan->time_step,
        .step = plan->time_step};
    for (uint32_t j = 1; j <= plan->damping_iterations; j++) {
        const bool last = j == plan->damping_iterations;
        VXE_ASSERT(plan->coefficient[plan->damping_iterations - j] > 0);
        passes[j] = (vxe_pass){.law = VXE_BOND_DASHPOTS | by_rows(model),
                               .kick_flags = start_of_iteration(j, plan->damping_iterations),
                               .stages = last ? VXE_STAGE_DECAY | VXE_STAGE_FLOOR | end
                                              : (uint32_t)VXE_STAGE_HOLD,
                               .h = (last ? 1 : 0.5) * plan->time_step *
                                    plan->coefficient[plan->damping_iterations - j],
                               .step = plan->time_step};
    }
    return plan->damping_iterations + 1;
}

uint32_t vxe_workspace_plan(vxe_workspace *workspace, const vxe_step_plan *plan,
                            vxe_pass passes[VXE_MAX_PASSES])
{
    workspace->arrays.bond_pull = plan->bond_pull;
    return vxe_step_passes(workspace->model, plan, passes);
}

void vxe_passes_begin(vxe_pass *passes, uint32_t count, const vxe_state *state, uint64_t number)
{
    VXE_ASSERT(count <= VXE_MAX_PASSES && number >= state->step);
    for (uint32_t i = 0; i < count; i++) {
        passes[i].number = number;
        passes[i].dither = vxe_dither_phase(number);
        passes[i].time = vxe_state_time_at(state, number);
        passes[i].end = vxe_state_time_at(state, number + 1);
    }
}

typedef struct steps_job {
    vxe_workspace *workspace;
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
        vxe_pass passes[VXE_MAX_PASSES];
        memcpy(passes, job->passes, job->pass_count * sizeof *passes);
        vxe_passes_begin(passes, job->pass_count, state, number);
        run_step(job->workspace, passes, job->pass_count, thread, threads);
        failed = vxe_workspace_failure(job->workspace, number).kind != VXE_FAILURE_NONE;
        done++;
    }
    if (thread == 0) {
        job->done = done;
    }
}

void vxe_workspace_steps(vxe_workspace *workspace, vxe_state *state, const vxe_step_plan *plan,
                         uint64_t steps, vxe_failure *failure)
{
    VXE_ASSERT(workspace->state == state && state->time_step == plan->time_step);
    vxe_pass passes[VXE_MAX_PASSES];
    const uint32_t count = vxe_workspace_plan(workspace, plan, passes);
    vxe_workspace_resize(workspace, vxe_state_time(state));
    const uint64_t ahead = vxe_wavefront_steps(workspace, state, passes, count, steps);
    VXE_ASSERT(ahead <= steps);
    steps_job job = {workspace, state, passes, count, steps - ahead, 0};
    *failure = (vxe_failure){0};
    if (job.steps > 0) {
        vxe_parallel_run(workspace->partition_count, run_steps, &job);
        state->step += job.done;
        *failure = vxe_workspace_failure(workspace, state->step - 1);
    }
    vxe_workspace_stiffen(workspace, vxe_state_time(state));
}

typedef struct pass_job {
    vxe_workspace *workspace;
    const vxe_pass *pass;
} pass_job;

static void run_one_pass(void *context, uint32_t thread, uint32_t threads)
{
    pass_job *job = context;
    run_pass(job->workspace, job->pass, thread, threads);
}

void vxe_workspace_pass(vxe_workspace *workspace, const vxe_pass *pass)
{
    pass_job job = {workspace, pass};
    vxe_parallel_run(workspace->partition_count, run_one_pass, &job);
}
