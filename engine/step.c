/* SPDX-License-Identifier: MIT */
/* A step is a list of passes; a pass goes over the body once, chunk by chunk: bonds of the chunk,
   then its voxels.

   In place: a voxel changes only after all its bonds are done. Within a slab that holds because
   neighbours below come earlier in the scan; bonds that reach into another slab are computed by
   every slab before any voxel changes (first half of a pass), then the threads meet, then the
   chunks are swept. No slot is written by two threads between two meetings. */
#include <string.h>

#include "common/parallel_internal.h"
#include "engine/field_internal.h"
#include "engine/step_internal.h"
#include "engine/sums_internal.h"
#include "engine/woven_internal.h"

/* A kernel's law over bonds [first, last) of an axis; returns the lanes that failed. */
static uint32_t run_kernel(const vxe_scratch *scratch, vxe_bond_kernel kernel,
                           const vxe_bond_target *target, uint32_t axis, uint32_t first,
                           uint32_t last)
{
    const vxe_kernels *kernels = scratch->model->kernels;
    return kernel == VXE_BOND_PEER
               ? kernels->peer->run[scratch->model->peer->law][axis](&scratch->arrays, target,
                                                                     first, last)
               : kernels->bonds->run[kernel][axis](&scratch->arrays, target, first, last);
}

/* One that finds the same failures, and keeps nothing of the bonds it looks at. */
static vxe_bond_kernel looking(vxe_bond_kernel kernel)
{
    switch (kernel) {
    case VXE_BOND_SWEPT:
        return VXE_BOND_EXPLICIT;
    case VXE_BOND_SWEPT_FREE:
        return VXE_BOND_EXPLICIT_FREE;
    case VXE_BOND_SWEPT_EVEN:
        return VXE_BOND_EXPLICIT_EVEN;
    case VXE_BOND_SWEPT_SET:
        return VXE_BOND_EXPLICIT_SET;
    default:
        return kernel;
    }
}

/* First failed bond (by its lower voxel's rank) among vectors [first, last), in the state before
 * the pass changes it: a kernel of the same law again, vector by vector, into a throw-away target.
 */
static void find_failure(const vxe_scratch *scratch, const vxe_pass *pass, uint32_t axis,
                         uint32_t first, uint32_t last, vxe_failure *failure)
{
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    const vxe_topology *topology = &scratch->model->topology;
    double away[12][VXE_VECTOR] = {{0}};
    vxe_bond_target target = {.packed = true, .probe = true};
    for (int c = 0; c < 6; c++) {
        target.own[c] = away[c];
        target.pull[c] = away[c + 6];
    }
    for (uint32_t vector = first; vector < last; vector++) {
        target.packed_first = vector;
        const uint32_t failed =
            run_kernel(scratch, looking(pass->kernel), &target, axis, vector, vector + 1);
        for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
            const uint32_t lo = bonds->lower[vector] + lane;
            if ((failed >> lane & 1) && failure->kind <= VXE_FAILURE_BOND &&
                (!failure->kind ||
                 vxe_topology_rank(topology, lo) < vxe_topology_rank(topology, failure->lower) ||
                 (lo == failure->lower && axis < failure->axis))) {
                *failure = (vxe_failure){.kind = VXE_FAILURE_BOND,
                                         .axis = axis,
                                         .lower = lo,
                                         .upper = bonds->upper[vector] + lane};
            }
        }
    }
}

static bool has_springs(vxe_bond_kernel kernel)
{
    return kernel != VXE_BOND_DAMP && kernel != VXE_BOND_DAMP_FREE &&
           kernel != VXE_BOND_DAMP_EVEN && kernel != VXE_BOND_DAMP_SET &&
           kernel != VXE_BOND_BAR_DAMP;
}

/* Bonds [first, last) of an axis into target; failures are found and kept. */
static void run_bonds(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass,
                      const vxe_bond_target *target, uint32_t axis, uint32_t first, uint32_t last)
{
    const uint32_t failed = run_kernel(scratch, pass->kernel, target, axis, first, last);
    if (failed) {
        find_failure(scratch, pass, axis, first, last, &slab->failure[pass->number & 1]);
    }
}

/* Where a slab's crossing bonds of an axis are, as kernels want it. */
static vxe_bond_target packed_sums(const vxe_crossing *crossing)
{
    vxe_bond_target target = {.packed = true, .packed_first = crossing->first};
    memcpy(target.own, crossing->own, sizeof target.own);
    memcpy(target.pull, crossing->pull, sizeof target.pull);
    return target;
}

static void compute_crossing(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass)
{
    const uint64_t bytes = 6ull * VXE_VECTOR * vxe_real_bytes(scratch->model->precision);
    for (uint32_t axis = 0; axis < 3; axis++) {
        vxe_crossing *crossing = &slab->crossing[axis];
        if (crossing->first ==
            crossing->last) { /* a body of one slab has none, and is in a hurry */
            continue;
        }
        const vxe_bond_target target = packed_sums(crossing);
        memset(crossing->own_block, 0, bytes * (crossing->last - crossing->first));
        memset(crossing->pull_block, 0, bytes * (crossing->last - crossing->first));
        run_bonds(scratch, slab, pass, &target, axis, crossing->first, crossing->last);
    }
}

/* Adds what crossing bonds of earlier slabs do to upper voxels of this one. A voxel's lower
   neighbours in z, y and x follow each other in the scan: those in earlier slabs come first, and in
   that order. */
static void absorb_crossing(const vxe_scratch *scratch, const vxe_slab *slab)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t begin = schedule->chunk_first[slab->first_chunk];
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    for (int axis = 2; axis >= 0; axis--) {
        for (const vxe_slab *from = scratch->slabs; from < slab; from++) {
            const vxe_crossing *crossing = &from->crossing[axis];
            const vxe_bond_target packed = packed_sums(crossing);
            scratch->model->kernels->bonds->add_upper(&scratch->arrays.bonds[axis], &packed,
                                                      crossing->first, crossing->last, &slab->sums,
                                                      begin, end);
        }
    }
}

/* Adds crossing bonds [first, last) of a chunk: own parts, and the upper voxels in this slab. */
static void add_crossing(const vxe_scratch *scratch, const vxe_slab *slab, uint32_t axis,
                         uint32_t first, uint32_t last)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const vxe_bond_kernels *kernels = scratch->model->kernels->bonds;
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    const vxe_bond_target packed = packed_sums(&slab->crossing[axis]);
    kernels->add_lower(bonds, &packed, first, last, &slab->sums);
    kernels->add_upper(bonds, &packed, first, last, &slab->sums, 0,
                       schedule->chunk_first[slab->last_chunk]);
}

/* Whether bonds of an axis are run as woven ones: by one slab alone, as which of them cross slabs
   is not worked out. */
static bool is_woven(const vxe_scratch *scratch, const vxe_pass *pass, uint32_t axis)
{
    return scratch->slab_count == 1 && scratch->arrays.woven[axis].count > 0 &&
           vxe_woven_runs(scratch->model->kernels->woven, pass->kernel);
}

/* Axes in the order that every voxel sums its bonds in: z, y, x. */
static void chunk_bonds(vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass, uint32_t chunk)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    slab->sums.own_first = schedule->chunk_first[chunk];
    vxe_sums_slide(&slab->sums, slab->sums.own_first, scratch->pull_reach, scratch->pull_room,
                   scratch->model->slots, vxe_real_bytes(scratch->model->precision));
    for (uint32_t axis = 2; axis < 3; axis--) {
        const uint32_t first = schedule->vector_first[axis][chunk];
        const uint32_t last = schedule->vector_first[axis][chunk + 1];
        if (is_woven(scratch, pass, axis)) {
            const vxe_woven_kernels *kernels = scratch->model->kernels->woven;
            if (kernels->run[pass->kernel][axis](&scratch->arrays, &slab->sums, chunk)) {
                find_failure(scratch, pass, axis, first, last, &slab->failure[pass->number & 1]);
            }
            continue;
        }
        const uint32_t crossing = slab->crossing[axis].first;
        const uint32_t inside = crossing < first ? first : crossing < last ? crossing : last;
        run_bonds(scratch, slab, pass, &slab->sums, axis, first, inside);
        if (inside < last) {
            add_crossing(scratch, slab, axis, inside, last);
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
        const vxe_time_table *table = &model->tables[driven->region];
        const double after = vxe_time_table_at(table, pass->end) * driven->amount;
        if (driven->freedom < 3) {
            const int c = (int)driven->freedom;
            const double at = vxe_state_position(scratch->state, c, driven->slot);
            vxe_state_put_velocity(scratch->state, c, driven->slot,
                                   (driven->rest + after - at) / pass->step);
        } else {
            const double before =
                pass->number ? vxe_time_table_at(table, pass->time) * driven->amount : 0;
            vxe_state_put_spin(scratch->state, (int)driven->freedom - 3, driven->slot,
                               (after - before) / pass->step);
        }
    }
}

/* A chunk's voxels under the peers' law, behind their bonds. */
static void move_as_peers(vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass,
                          uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    const vxe_peer_kernels *kernels = model->kernels->peer;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    const vxe_peer_clock clock = vxe_peer_clock_at(model, pass->time);
    if (model->driven_first) {
        drive(scratch, pass, chunk);
    }
    kernels->advance(&scratch->arrays, &slab->sums, first, last, pass->step);
    kernels->resize(&scratch->arrays, first, last, &clock);
}

/* Adds what contacts, laws of contact, guests and magnets do to the voxels of a chunk. */
static void add_loads(const vxe_scratch *scratch, vxe_slab *slab, uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    const vxe_contact_scratch *contacts = scratch->contacts;
    const vxe_grain_scratch *grains = scratch->grains;
    const vxe_guests *guests = &scratch->guests;
    const vxe_magnet_scratch *magnets = scratch->magnets;
    if (contacts && contacts->body.loaded[chunk]) {
        model->kernels->contacts->add(contacts->body.load, &slab->sums, first, last);
    }
    if (grains && grains->loaded[chunk]) {
        model->kernels->contacts->add(grains->load, &slab->sums, first, last);
    }
    if (guests->loaded && guests->loaded[chunk]) {
        model->kernels->contacts->add(guests->load, &slab->sums, first, last);
    }
    if (magnets && magnets->loaded[chunk]) {
        model->kernels->contacts->add(magnets->load, &slab->sums, first, last);
    }
}

static void sweep_chunk(vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass, uint32_t chunk,
                        const double *clock)
{
    const vxe_model *model = scratch->model;
    const vxe_voxel_kernels *kernels = model->kernels->voxels;
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    if (pass->acts & VXE_ACT_PEER) {
        chunk_bonds(scratch, slab, pass, chunk);
        move_as_peers(scratch, slab, pass, chunk);
        return;
    }
    if (!pass->no_bonds) {
        chunk_bonds(scratch, slab, pass, chunk);
        if ((pass->kick_flags & VXE_KICK_EXTERNAL) && model->field.acts) {
            vxe_field_compute(model, scratch->state, arrays->field, first, last, pass->time);
        }
        if (pass->kick_flags & VXE_KICK_EXTERNAL) {
            add_loads(scratch, slab, chunk);
        }
        const bool touching =
            kernels->kick(arrays, &slab->sums, first, last, pass->h, pass->kick_flags);
        if (pass->kick_flags & VXE_KICK_FLOOR) {
            scratch->touching[chunk] = touching;
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
        vxe_scratch_contacts_moved(scratch, slab, chunk, pass->step);
    }
    if ((pass->acts & VXE_ACT_RESIZE) && vxe_model_resizes(model)) {
        const double grown = kernels->resize(arrays, first, last, clock, scratch->factors);
        slab->pace.grown = grown > slab->pace.grown ? grown : slab->pace.grown;
    }
}

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

/* One pass by one thread of a team: the slabs thread, thread + threads, ... */
static void run_pass(vxe_scratch *scratch, const vxe_pass *pass, uint32_t thread, uint32_t threads)
{
    if ((pass->acts & VXE_ACT_PEER) && thread == 0) {
        vxe_peer_push(scratch, pass->step);
    }
    if (pass->kick_flags & VXE_KICK_EXTERNAL && !pass->no_bonds) {
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
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        if (has_springs(pass->kernel) && !pass->no_bonds) {
            scratch->slabs[s].failure[pass->number & 1] = failure_beside_bonds(scratch, s);
        }
        if (!pass->no_bonds) {
            compute_crossing(scratch, &scratch->slabs[s], pass);
        }
    }
    double clock[VXE_CLOCK_NUMBERS] = {0};
    if ((pass->acts & VXE_ACT_RESIZE) && vxe_model_resizes(scratch->model)) {
        vxe_model_clock(scratch->model, pass->end, clock);
        if (thread == 0) {
            vxe_scratch_set_factors(scratch, pass->end);
        }
    }
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        vxe_slab *slab = &scratch->slabs[s];
        slab->sums.pull_first = scratch->model->schedule.chunk_first[slab->first_chunk];
        if (!pass->no_bonds && scratch->slab_count > 1) {
            absorb_crossing(scratch, slab);
        }
        for (uint32_t chunk = slab->first_chunk; chunk < slab->last_chunk; chunk++) {
            sweep_chunk(scratch, slab, pass, chunk, clock);
        }
    }
    vxe_parallel_meet(threads);
    if (pass->acts & VXE_ACT_DRIFT) {
        vxe_scratch_grains_shift(scratch, thread, threads);
    }
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
        return damped ? VXE_BOND_BAR_EXPLICIT : VXE_BOND_BAR_ELASTIC;
    }
    if (!damped) {
        return by_rows(model, VXE_BOND_ELASTIC_EVEN, VXE_BOND_ELASTIC, VXE_BOND_ELASTIC_FREE,
                       VXE_BOND_ELASTIC_SET);
    }
    if (model->conventions.peer_dashpots) { /* never even */
        return by_rows(model, VXE_BOND_EXPLICIT_PEER, VXE_BOND_EXPLICIT_PEER,
                       VXE_BOND_EXPLICIT_FREE_PEER, VXE_BOND_EXPLICIT_SET_PEER);
    }
    /* dashpots act whole with the springs, or in part and then in sweeps */
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
    passes[0] = (vxe_pass){.kernel = vxe_spring_kernel(model, true, sweeps),
                           .kick_flags = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR |
                                         (sweeps ? 0u : (uint32_t)VXE_KICK_EXPLICIT_DRAG),
                           .acts = sweeps ? VXE_ACT_DRIVE | VXE_ACT_DECAY | VXE_ACT_KEEP
                                          : VXE_ACT_DRIVE | end,
                           .h = plan->time_step,
                           .step = plan->time_step};
    for (uint32_t j = 1; j <= plan->sweeps; j++) {
        passes[j] = (vxe_pass){.kernel = sweep_kernel(model),
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
    scratch->arrays.dash_share = vxe_dash_share(plan);
    steps_job job = {scratch, state, passes, vxe_step_passes(scratch->model, plan, passes),
                     steps,   0};
    vxe_scratch_resize(scratch, vxe_state_time(state));
    vxe_parallel_run(scratch->slab_count, run_steps, &job);
    state->step += job.done;
    vxe_scratch_stiffen(scratch, vxe_state_time(state));
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
