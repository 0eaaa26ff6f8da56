/* SPDX-License-Identifier: MIT */
/* A step is a list of passes; a pass goes over the body once, chunk by chunk: bonds of the chunk,
   then its voxels.

   In place: a voxel changes only after all its bonds are done. Within a slab that holds because
   neighbours below come earlier in the scan; bonds that reach into another slab are computed by
   every slab before any voxel changes (first half of a pass), then the threads meet, then the
   chunks are swept. No slot is written by two threads between two meetings. */
#include <string.h>

#include "common/parallel_internal.h"
#include "engine/bond_law_internal.h"
#include "engine/step_internal.h"

/* What the kernels found, again: by the same arithmetic, or a bond on the bound could be counted
 * and not named. */
static bool has_diverged(const vxe_scratch *scratch, uint32_t lo, uint32_t hi)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_lane3 r = {s->x[0][hi] - s->x[0][lo], s->x[1][hi] - s->x[1][lo],
                         s->x[2][hi] - s->x[2][lo]};
    const vxe_lane4 q1 = {s->q[0][lo], s->q[1][lo], s->q[2][lo], s->q[3][lo]};
    const vxe_lane4 q2 = {s->q[0][hi], s->q[1][hi], s->q[2][hi], s->q[3][hi]};
    const double cosine = scratch->model->bars ? 1 : mid_frame(q1, q2).scalar;
    return beyond_bounds(r, 0.5 * (s->size[lo] + s->size[hi]), cosine) > 0;
}

/* First failed bond among vectors [first, last), in the state before the pass changes it. */
static void find_failure(const vxe_scratch *scratch, uint32_t axis, uint32_t first, uint32_t last,
                         vxe_failure *failure)
{
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    const uint32_t lanes = scratch->model->kernels->lanes;
    for (uint64_t at = (uint64_t)first * lanes; at < (uint64_t)last * lanes; at++) {
        const uint32_t vector = (uint32_t)(at / lanes);
        const uint32_t lo = bonds->lower[vector] + (uint32_t)(at % lanes);
        const uint32_t hi = bonds->upper[vector] + (uint32_t)(at % lanes);
        if (!(bonds->present[vector] >> (at % lanes) & 1) ||
            (failure->failed &&
             (failure->lower < lo || (failure->lower == lo && failure->axis <= axis)))) {
            continue;
        }
        if (has_diverged(scratch, lo, hi)) {
            *failure = (vxe_failure){true, axis, lo, hi};
        }
    }
}

static bool has_springs(vxe_bond_kernel kernel)
{
    return kernel != VXE_BOND_DAMP && kernel != VXE_BOND_DAMP_EVEN && kernel != VXE_BOND_BAR_DAMP;
}

static void compute_crossing(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass)
{
    const uint32_t lanes = scratch->model->kernels->lanes;
    for (uint32_t axis = 0; axis < 3; axis++) {
        vxe_crossing *crossing = &slab->crossing[axis];
        vxe_bond_target target = {.packed = true};
        memcpy(target.own, crossing->own, sizeof target.own);
        memcpy(target.pull, crossing->pull, sizeof target.pull);
        memset(crossing->block, 0,
               12ull * (crossing->last - crossing->first) * lanes * sizeof(double));
        const double failures = scratch->model->kernels->bonds[pass->kernel][axis](
            &scratch->arrays, &target, crossing->first, crossing->last);
        if (failures > 0) {
            find_failure(scratch, axis, crossing->first, crossing->last,
                         &slab->failure[pass->number & 1]);
        }
    }
}

/* Adds what the crossing bonds of one slab and axis do to upper voxels in [begin, end). */
static void absorb_from(vxe_scratch *scratch, const vxe_crossing *crossing, int axis,
                        uint32_t begin, uint32_t end)
{
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    const uint32_t lanes = scratch->model->kernels->lanes;
    for (uint32_t vector = crossing->first; vector < crossing->last; vector++) {
        for (uint32_t lane = 0; lane < lanes; lane++) {
            const uint32_t slot = bonds->upper[vector] + lane;
            if (!(bonds->present[vector] >> lane & 1) || slot < begin || slot >= end) {
                continue;
            }
            const uint64_t at = (uint64_t)(vector - crossing->first) * lanes + lane;
            for (int c = 0; c < 6; c++) {
                scratch->arrays.pull[axis][c][slot] += crossing->pull[c][at];
            }
        }
    }
}

/* Adds what crossing bonds in y and z, of any slab, do to upper voxels of this slab. */
static void absorb_crossing(vxe_scratch *scratch, const vxe_slab *slab)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t begin = schedule->chunk_first[slab->first_chunk];
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    for (int axis = 1; axis < 3; axis++) {
        for (const vxe_slab *from = scratch->slabs; from <= slab; from++) {
            absorb_from(scratch, &from->crossing[axis], axis, begin, end);
        }
    }
}

/* Adds crossing bonds [first, last) of a chunk to its window: own parts, and in x the upper voxels,
 * which are in the same slab. */
static void add_crossing(const vxe_scratch *scratch, vxe_slab *slab, uint32_t axis, uint32_t first,
                         uint32_t last, uint32_t chunk_first)
{
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    const uint32_t lanes = scratch->model->kernels->lanes;
    for (uint32_t vector = first; vector < last; vector++) {
        for (uint32_t lane = 0; lane < lanes; lane++) {
            if (!(bonds->present[vector] >> lane & 1)) {
                continue;
            }
            const uint64_t at = (uint64_t)(vector - slab->crossing[axis].first) * lanes + lane;
            for (int c = 0; c < 6; c++) {
                slab->window->acc[c][bonds->lower[vector] + lane - chunk_first] +=
                    slab->crossing[axis].own[c][at];
                if (axis == 0) {
                    slab->window->x_pull[c][bonds->upper[vector] + lane - chunk_first] +=
                        slab->crossing[axis].pull[c][at];
                }
            }
        }
    }
}

static void chunk_bonds(vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass, uint32_t chunk)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t chunk_first = schedule->chunk_first[chunk];
    vxe_bond_target target = {.own_first = chunk_first};
    for (int c = 0; c < 6; c++) {
        target.own[c] = slab->window->acc[c];
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (int c = 0; c < 6; c++) {
            target.pull[c] = axis == 0 ? slab->window->x_pull[c] : scratch->arrays.pull[axis][c];
        }
        target.pull_first = axis == 0 ? chunk_first : 0;
        const uint32_t first = schedule->vector_first[axis][chunk];
        const uint32_t last = schedule->vector_first[axis][chunk + 1];
        const uint32_t crossing = slab->crossing[axis].first;
        const uint32_t inside = crossing < first ? first : crossing < last ? crossing : last;
        const double failures = scratch->model->kernels->bonds[pass->kernel][axis](
            &scratch->arrays, &target, first, inside);
        if (failures > 0) {
            find_failure(scratch, axis, first, inside, &slab->failure[pass->number & 1]);
        }
        if (inside < last) {
            add_crossing(scratch, slab, axis, inside, last, chunk_first);
        }
    }
}

/* Velocities of prescribed freedoms, such that this step's drift ends where the motion is at its
 * end. */
static void drive(const vxe_scratch *scratch, const vxe_pass *pass, uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    for (uint32_t i = model->driven_first[chunk]; i < model->driven_first[chunk + 1]; i++) {
        const vxe_driven_freedom *driven = &model->driven[i];
        const vxe_motion_table *table = &model->tables[driven->region];
        const double after = vxe_motion_factor(table, pass->end) * driven->amount;
        if (driven->freedom < 3) {
            const double at = scratch->arrays.x[driven->freedom][driven->slot];
            scratch->arrays.v[driven->freedom][driven->slot] =
                (driven->rest + after - at) / pass->step;
        } else {
            const double before =
                pass->number ? vxe_motion_factor(table, pass->time) * driven->amount : 0;
            scratch->arrays.w[driven->freedom - 3][driven->slot] = (after - before) / pass->step;
        }
    }
}

static void sweep_chunk(vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass, uint32_t chunk,
                        double sine, double cosine)
{
    const vxe_model *model = scratch->model;
    const vxe_kernels *kernels = model->kernels;
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    if (!pass->no_bonds) {
        chunk_bonds(scratch, slab, pass, chunk);
        const double touching =
            kernels->kick(arrays, slab->window, first, last, pass->h, pass->kick_flags);
        if (pass->kick_flags & VXE_KICK_FLOOR) {
            scratch->touching[chunk] = touching > 0;
        }
    }
    if ((pass->acts & VXE_ACT_DRIVE) && model->driven_first) {
        drive(scratch, pass, chunk);
    }
    if (pass->acts & VXE_ACT_DECAY) {
        kernels->decay(arrays, first, last, pass->step, scratch->touching[chunk]);
    }
    if (pass->acts & VXE_ACT_KEEP) {
        kernels->keep(arrays, first, last);
    }
    if ((pass->acts & VXE_ACT_FRICTION) && scratch->touching[chunk]) {
        kernels->friction(arrays, first, last);
    }
    if (pass->acts & VXE_ACT_DRIFT) {
        kernels->drift(arrays, first, last, pass->step);
    }
    if ((pass->acts & VXE_ACT_RESIZE) && arrays->size_sine) {
        kernels->resize(arrays, first, last, sine, cosine);
    }
}

static void meet(const vxe_scratch *scratch)
{
    if (scratch->slab_count > 1) {
        vxe_parallel_barrier();
    }
}

/* One pass by one thread of a team: the slabs thread, thread + threads, ... */
static void run_pass(vxe_scratch *scratch, const vxe_pass *pass, uint32_t thread, uint32_t threads)
{
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        if (has_springs(pass->kernel)) {
            scratch->slabs[s].failure[pass->number & 1].failed = false;
        }
        if (!pass->no_bonds) {
            compute_crossing(scratch, &scratch->slabs[s], pass);
        }
    }
    meet(scratch);
    double sine = 0;
    double cosine = 0;
    if ((pass->acts & VXE_ACT_RESIZE) && scratch->arrays.size_sine) {
        vxe_actuation_waveform(scratch->model, pass->end, &sine, &cosine);
    }
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        vxe_slab *slab = &scratch->slabs[s];
        if (!pass->no_bonds && scratch->slab_count > 1) {
            absorb_crossing(scratch, slab);
        }
        for (uint32_t chunk = slab->first_chunk; chunk < slab->last_chunk; chunk++) {
            sweep_chunk(scratch, slab, pass, chunk, sine, cosine);
        }
    }
    meet(scratch);
}

vxe_failure vxe_scratch_failure(const vxe_scratch *scratch, uint64_t step)
{
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        const vxe_failure *failure = &scratch->slabs[s].failure[step & 1];
        if (failure->failed) {
            return *failure; /* slabs stand in the order of slots */
        }
    }
    return (vxe_failure){0};
}

vxe_bond_kernel vxe_bond_kernel_for(const vxe_model *model, bool springs, bool dashpots)
{
    if (model->bars) {
        return springs && dashpots ? VXE_BOND_BAR_EXPLICIT
               : springs           ? VXE_BOND_BAR_ELASTIC
                                   : VXE_BOND_BAR_DAMP;
    }
    if (!springs) {
        return model->even_dashpots ? VXE_BOND_DAMP_EVEN : VXE_BOND_DAMP;
    }
    if (!dashpots || model->most_ratio == 0) {
        return model->condensed ? VXE_BOND_ELASTIC_CONDENSED : VXE_BOND_ELASTIC;
    }
    if (model->condensed) {
        return VXE_BOND_EXPLICIT_CONDENSED;
    }
    if (model->conventions.peer_dashpots) {
        return VXE_BOND_EXPLICIT_PEER;
    }
    return model->even_dashpots ? VXE_BOND_EXPLICIT_EVEN : VXE_BOND_EXPLICIT;
}

uint32_t vxe_step_passes(const vxe_model *model, const vxe_step_plan *plan,
                         vxe_pass passes[VXE_MOST_PASSES])
{
    const uint32_t end = VXE_ACT_FRICTION | VXE_ACT_DRIFT | VXE_ACT_RESIZE;
    const bool sweeps = plan->sweeps > 0;
    passes[0] = (vxe_pass){.kernel = vxe_bond_kernel_for(model, true, true),
                           .kick_flags = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR |
                                         (sweeps ? 0u : (uint32_t)VXE_KICK_EXPLICIT_DRAG),
                           .acts = sweeps ? VXE_ACT_DRIVE | VXE_ACT_DECAY | VXE_ACT_KEEP
                                          : VXE_ACT_DRIVE | end,
                           .h = plan->time_step,
                           .step = plan->time_step};
    for (uint32_t j = 1; j <= plan->sweeps; j++) {
        passes[j] = (vxe_pass){.kernel = vxe_bond_kernel_for(model, false, true),
                               .kick_flags = VXE_KICK_FROM_KEPT,
                               .acts = j == plan->sweeps ? VXE_ACT_DECAY | end : 0,
                               .h = 0.5 * plan->time_step * plan->nested[plan->sweeps - j],
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

double vxe_dash_share(const vxe_step_plan *plan)
{
    return plan->sweeps > 0 ? 0.5 : 1;
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
        for (uint32_t i = 0; i < job->pass_count; i++) {
            vxe_pass pass = job->passes[i];
            vxe_passes_begin(&pass, 1, state, number);
            run_pass(job->scratch, &pass, thread, threads);
        }
        failed = vxe_scratch_failure(job->scratch, number).failed;
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
    scratch->arrays.dash_share = vxe_dash_share(plan);
    steps_job job = {scratch, state, passes, vxe_step_passes(scratch->model, plan, passes),
                     steps,   0};
    vxe_scratch_resize(scratch, vxe_state_time(state));
    vxe_parallel_run(scratch->slab_count, run_steps, &job);
    state->step += job.done;
    *failure = job.done ? vxe_scratch_failure(scratch, state->step - 1) : (vxe_failure){0};
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
