/* SPDX-License-Identifier: MIT */
/* Looks of the energy guard, and what follows from them. The balance is a one-sided cumulative sum:
   what the energy rises beyond the most that can have been put in is added up, what it falls short
   of that is taken off, down to 0; so a loss long ago does not hide a gain now. */
#include "engine/guard/guard.h"

#include <math.h>

#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"

/* Excess that is allowed, as a part of what the body holds or has held of late. */
#define ALLOWED 0.2
/* What the body holds counts so far after a look. */
#define MEMORY 0.9
/* A bond may hold so many times its share of the energy while edges go to and fro. */
#define SHARES 4
/* Strain at which a body of one material would hold the energy that counts as rounding. */
#define SMALLEST_STRAIN 1e-5

double vxe_guard_rounding(const vxe_model *model)
{
    const double frequency = fmax(model->w0, sqrt(fmax(model->spectrum.lambda_k, 0)));
    const double speed = SMALLEST_STRAIN * model->edge * frequency;
    return model->total_mass * speed * speed;
}

vxe_status vxe_energy_guard_init(vxe_energy_guard *guard, const vxe_model *model, vxe_error *error)
{
    const uint64_t reals = vxe_real_bytes(model->precision);
    *guard = (vxe_energy_guard){.model = NULL};
    if (model->topology.voxel_count == 0) {
        return VXE_OK;
    }
    guard->model = model;
    if (model->voxelyze || model->conventions.voxelyze_dashpots || model->arrays.floor_rule ||
        (model->magnets && model->magnets->cap > 0)) {
        return VXE_OK; /* laws that have no potential */
    }
    const uint64_t vectors = model->arrays.bonds[0].count + model->arrays.bonds[1].count +
                             (uint64_t)model->arrays.bonds[2].count;
    const uint64_t slots = model->slots;
    const uint64_t ways = vxe_model_resizes(model) ? 3 * slots : 0;
    const uint64_t carried = model->driven_count > 0 ? 2 * slots : 0;
    const uint64_t doubles =
        model->group_count + ways + carried + (uint64_t)VXE_GUARD_FORMS * model->chunks.chunk_count;
    const uint64_t bytes = 8 * doubles + reals * (7 * slots + VXE_VECTOR * vectors);
    double *at = vxe_memory_take(1, bytes);
    if (!at) {
        return vxe_error_memory(error, bytes);
    }
    guard->block = at;
    guard->sums = (double(*)[VXE_GUARD_FORMS])at;
    at += (uint64_t)VXE_GUARD_FORMS * model->chunks.chunk_count;
    guard->target_way = at;
    at += model->group_count;
    guard->way = ways ? at : NULL;
    guard->reach = ways ? at + slots : NULL;
    guard->swelled = ways ? at + 2 * slots : NULL;
    guard->carried = carried ? at + ways : NULL;
    vxe_reals *next = vxe_reals_in(at + ways + carried);
    for (int c = 0; c < 6; c++) {
        guard->kept[c] = vxe_reals_at(model->precision, next, (uint64_t)c * slots);
    }
    guard->past.growth = vxe_reals_at(model->precision, next, 6 * slots);
    next = vxe_reals_at(model->precision, next, 7 * slots);
    for (int axis = 0; axis < 3; axis++) {
        guard->past.tension[axis] = next;
        next = vxe_reals_at(model->precision, next,
                            (uint64_t)VXE_VECTOR * model->arrays.bonds[axis].count);
    }
    guard->rounding = vxe_guard_rounding(model);
    guard->weighs = true;
    return VXE_OK;
}

void vxe_energy_guard_clear(vxe_energy_guard *guard)
{
    vxe_memory_release(guard->block);
    *guard = (vxe_energy_guard){.model = NULL};
}

void vxe_energy_guard_forget(vxe_energy_guard *guard)
{
    guard->based = false;
    guard->risen = guard->given = 0;
}

void vxe_energy_guard_restart(vxe_energy_guard *guard)
{
    vxe_energy_guard_forget(guard);
    guard->open = false;
    guard->before = guard->now = (vxe_guard_look){.step = 0};
    guard->base = guard->scale = 0;
    if (guard->weighs && guard->model->group_count > 0) {
        memset(guard->target_way, 0, guard->model->group_count * sizeof *guard->target_way);
    }
}

void vxe_energy_guard_retarget(vxe_energy_guard *guard, uint32_t group, double change)
{
    if (guard->weighs) {
        VXE_ASSERT(group < guard->model->group_count);
        guard->target_way[group] += fabs(change);
    }
}

uint64_t vxe_energy_guard_stride(const vxe_energy_guard *guard, uint64_t step, uint64_t steps)
{
    uint64_t next =
        step < VXE_GUARD_STEPS ? VXE_GUARD_FIRST : (step / VXE_GUARD_STEPS + 1) * VXE_GUARD_STEPS;
    while (next <= step) {
        next *= 2;
    }
    if (guard->end > step + 1 && guard->end - 1 < next) {
        next = guard->end - 1;
    }
    const uint64_t largest = vxe_energy_guard_opens(guard, step) ? 1 : next - step;
    return guard->model && largest < steps ? largest : steps;
}

typedef struct look_job {
    vxe_energy_guard *guard;
    vxe_workspace *workspace;
    bool closes;
} look_job;

/* Floor that is not level: one voxel at a time. */
static void add_terrain(const vxe_workspace *workspace, uint32_t first, uint32_t last,
                        double *energy)
{
    for (uint32_t i = first; i < last; i++) {
        const vxe_floor_contact touch = vxe_floor_contact_measure(workspace, i);
        *energy += touch.depth > 0 ? 0.5 * touch.stiffness * touch.depth * touch.depth : 0;
    }
}

/* First half of a look on one chunk. */
static void open_chunk(const vxe_energy_guard *guard, const vxe_workspace *workspace,
                       uint32_t chunk, double sums[VXE_GUARD_FORMS])
{
    const vxe_model *model = guard->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_guard_kernels *kernels = vxe_guard_kernels_of(model->kernels);
    const uint32_t first = model->chunks.chunk_first[chunk];
    const uint32_t last = model->chunks.chunk_first[chunk + 1];
    double bonds[2] = {0};
    double places[3] = {0};
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *vector = model->chunks.vector_first[axis];
        kernels->bonds(s, axis, model->bars, &guard->past, vector[chunk], vector[chunk + 1], bonds);
    }
    kernels->places(s, &guard->past, s->floor_stiffness && !model->terrain, first, last, places);
    if (s->floor_stiffness && model->terrain) {
        add_terrain(workspace, first, last, &places[1]);
    }
    for (uint32_t i = first; i < last && model->poisson; i++) {
        bonds[0] += vxe_energy_across(workspace, i);
    }
    sums[VXE_GUARD_ELASTIC] = bonds[0];
    sums[VXE_GUARD_KINETIC] = bonds[1] + places[2]; /* work, until kinetic energy is known */
    sums[VXE_GUARD_PLACE] = places[0];
    sums[VXE_GUARD_FLOOR] = places[1];
    const uint64_t bytes = vxe_real_bytes(model->precision) * (last - first);
    for (int c = 0; c < 6; c++) {
        vxe_reals *now = c < 3 ? workspace->state->v[c] : workspace->state->w[c - 3];
        memcpy(vxe_reals_at(model->precision, guard->kept[c], first),
               vxe_reals_at(model->precision, now, first), bytes);
    }
}

static void run_look(void *context, uint32_t thread, uint32_t threads)
{
    const look_job *job = context;
    const vxe_model *model = job->guard->model;
    if (!job->closes) {
        vxe_workspace_poisson(job->workspace, thread, threads);
    }
    for (uint32_t c = thread; c < model->chunks.chunk_count; c += threads) {
        double *sums = job->guard->sums[c];
        memset(sums, 0, sizeof job->guard->sums[c]);
        if (job->closes) {
            vxe_guard_kernels_of(model->kernels)
                ->kinetic(&job->workspace->arrays, job->guard->kept, model->chunks.chunk_first[c],
                          model->chunks.chunk_first[c + 1], sums);
        } else {
            open_chunk(job->guard, job->workspace, c, sums);
        }
    }
}

/* Energies of pairs in contact, and the most work of edges against them. */
static void add_contacts(vxe_energy_guard *guard, vxe_workspace *workspace)
{
    const vxe_precision precision = guard->model->precision;
    vxe_contact_place pair = {0};
    vxe_workspace_contacts_renew(workspace);
    vxe_particles_measure(workspace);
    while (vxe_contact_next(workspace, &pair)) {
        const vxe_contact_sample touch =
            vxe_contact_measure(workspace, &pair, workspace->state, workspace->state->time_step);
        double force2 = 0;
        double way = 0;
        for (int c = 0; c < 3; c++) {
            force2 += touch.spring.force[c] * touch.spring.force[c];
        }
        for (int end = 0; end < 2; end++) {
            const uint32_t i = pair.slot[end];
            if (i != VXE_NONE) {
                const double grown = vxe_real_at(precision, workspace->arrays.edge_growth, i) -
                                     vxe_real_at(precision, guard->past.growth, i);
                way += fmax(fabs(grown), guard->past.way ? guard->past.way[i] : 0);
                way += guard->carried ? 2 * guard->carried[2 * (size_t)i] : 0;
            }
        }
        guard->now.energy[VXE_GUARD_CONTACT] += touch.energy;
        guard->now.put_in += sqrt(force2) * way;
    }
}

static void run_beside(void *context, uint32_t thread, uint32_t threads)
{
    const look_job *job = context;
    vxe_energy_guard *guard = job->guard;
    (void)thread;
    (void)threads;
    add_contacts(guard, job->workspace);
    vxe_magnet_workspace *magnetic = job->workspace->magnets;
    const bool unsettled = magnetic && magnetic->unsettled;
    const vxe_magnet_energy magnets = vxe_magnets_energy(job->workspace, guard->now.time);
    guard->now.energy[VXE_GUARD_MAGNETIC] = magnets.pairs + magnets.outside;
    guard->now.uncertain = vxe_guard_uncertain(guard, job->workspace);
    if (magnetic) { /* the step itself finds out, where its dipoles act */
        magnetic->unsettled = unsettled;
    }
}

void vxe_energy_guard_open(vxe_energy_guard *guard, vxe_workspace *workspace, double affine,
                           double beside)
{
    const vxe_model *model = guard->model;
    const vxe_state *state = workspace->state;
    vxe_guard_look *now = &guard->now;
    VXE_ASSERT(model == workspace->model && vxe_energy_guard_opens(guard, state->step));
    look_job job = {guard, workspace, false};
    *now = (vxe_guard_look){.step = state->step,
                            .time = vxe_state_time(state),
                            .energy[VXE_GUARD_AFFINE] = affine,
                            .beside = beside,
                            .stiffened = workspace->stiffened};
    guard->open = true;
    if (!guard->weighs) {
        return;
    }
    vxe_workspace_resize(workspace, now->time);
    guard->past.share = SHARES * guard->scale / fmax((double)model->topology.bond_count, 1);
    vxe_guard_ways(guard, workspace);
    if (guard->carried) {
        vxe_guard_find_carried(guard);
    }
    vxe_parallel_run(workspace->partition_count, run_look, &job);
    for (uint32_t c = 0; c < model->chunks.chunk_count; c++) {
        now->put_in += guard->sums[c][VXE_GUARD_KINETIC];
        now->energy[VXE_GUARD_ELASTIC] += guard->sums[c][VXE_GUARD_ELASTIC];
        now->energy[VXE_GUARD_FLOOR] += guard->sums[c][VXE_GUARD_FLOOR];
        now->energy[VXE_GUARD_PLACE] += guard->sums[c][VXE_GUARD_PLACE];
    }
    vxe_parallel_run(1, run_beside, &job);
    memcpy(guard->past.growth, workspace->arrays.edge_growth,
           vxe_real_bytes(model->precision) * model->slots);
    if (model->group_count > 0) {
        memset(guard->target_way, 0, model->group_count * sizeof *guard->target_way);
    }
}

static double total_of(const vxe_guard_look *look)
{
    double sum = 0;
    for (int form = 0; form < VXE_GUARD_FORMS; form++) {
        sum += look->energy[form];
    }
    return sum;
}

static double stored_of(const vxe_guard_look *look)
{
    double sum = 0;
    for (int form = 0; form < VXE_GUARD_STORED; form++) {
        sum += look->energy[form];
    }
    return sum + fabs(look->energy[VXE_GUARD_AFFINE]) + look->beside;
}

/* The two voxels that hold most of a form: by kinetic energy, or the ends of a bond. */
static void find_most(const vxe_energy_guard *guard, const vxe_workspace *workspace,
                      vxe_failure *failure)
{
    const vxe_model *model = guard->model;
    double largest[2] = {-1, -1};
    if (failure->form == VXE_GUARD_ELASTIC) {
        vxe_bond_place place = {.at = UINT64_MAX};
        while (vxe_bond_next(model, &place)) {
            const double energy = vxe_bond_measure(workspace, &place).energy;
            if (energy > largest[0]) {
                largest[0] = energy;
                failure->lower = place.lower;
                failure->upper = place.upper;
            }
        }
        return;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        double v2 = 0;
        for (int c = 0; c < 3; c++) {
            const double v = vxe_state_velocity(workspace->state, c, i);
            const double w = vxe_state_spin(workspace->state, c, i);
            v2 += v * v + vxe_gyration(model->precision, &model->arrays, i) * w * w;
        }
        const double energy = vxe_real_at(model->precision, model->arrays.mass, i) * v2;
        if (energy > largest[0]) {
            largest[1] = largest[0];
            failure->upper = largest[0] < 0 ? i : failure->lower;
            largest[0] = energy;
            failure->lower = i;
        } else if (energy > largest[1]) {
            largest[1] = energy;
            failure->upper = i;
        }
    }
}

/* Fills the failure: the form of energy that rose most since the look before. */
static void fail(const vxe_energy_guard *guard, const vxe_workspace *workspace, double risen,
                 double given, vxe_failure *failure)
{
    uint32_t form = VXE_GUARD_KINETIC;
    double largest = -HUGE_VAL;
    for (uint32_t f = 0; f < VXE_GUARD_FORMS; f++) {
        const double rise = guard->now.energy[f] - (guard->based ? guard->before.energy[f] : 0);
        form = rise > largest ? f : form;
        largest = fmax(rise, largest);
    }
    *failure =
        (vxe_failure){.kind = VXE_FAILURE_ENERGY, .form = form, .risen = risen, .given = given};
    find_most(guard, workspace, failure);
}

/* Compares a look with those before. Its energy is known within bounds: at least that with the
   kinetic energy between the velocities, which undamped springs conserve exactly; at most that with
   the larger of both velocities, since dashpots act within the step. */
static void judge(vxe_energy_guard *guard, vxe_workspace *workspace, vxe_failure *failure)
{
    vxe_guard_look *now = &guard->now;
    const double smallest = total_of(now) - now->uncertain;
    const double springs = stored_of(now) - now->energy[VXE_GUARD_KINETIC];
    const double largest =
        total_of(now) - now->energy[VXE_GUARD_KINETIC] + now->largest_kinetic + now->uncertain;
    guard->scale = fmax(fmax(stored_of(now), 0), MEMORY * guard->scale);
    if (guard->based) {
        now->put_in += vxe_guard_work_beside(guard, workspace);
        guard->given += now->put_in;
        guard->risen = smallest - guard->base;
        if (!(guard->risen - guard->given <= ALLOWED * guard->scale + guard->rounding)) {
            fail(guard, workspace, guard->risen, guard->given, failure);
        }
    } else {
        guard->scale = fmax(guard->scale, springs + now->largest_kinetic);
    }
    if (!guard->based || largest < guard->base + guard->given) {
        guard->base = largest;
        guard->risen = guard->given = 0;
    }
}

/* Whether no bond holds a voxel: those of bonds are checked at every step. */
static bool is_loose(const vxe_workspace *workspace, uint32_t voxel)
{
    bool loose = vxe_topology_is_alone(&workspace->model->topology, voxel);
    if (!loose && workspace->state->yields) {
        vxe_bond_place place = {.at = UINT64_MAX};
        loose = true;
        while (loose && vxe_bond_next(workspace->model, &place)) {
            const bool of_voxel = place.lower == voxel || place.upper == voxel;
            loose = !of_voxel || vxe_bond_is_broken(workspace, &place);
        }
    }
    return loose;
}

/* Looks for a loose voxel, the first by number, that turns further in a step than the rotation law
   holds. */
static void find_fast_turn(const vxe_workspace *workspace, vxe_failure *failure)
{
    const vxe_topology *topology = &workspace->model->topology;
    const double max = VXE_MAX_TURN / workspace->state->time_step;
    uint32_t voxel = topology->voxel_count;
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        double square = 0;
        for (int c = 0; c < 3; c++) {
            const double w = vxe_state_spin(workspace->state, c, i);
            square += w * w;
        }
        if (square > max * max && topology->order[i] < voxel && is_loose(workspace, i)) {
            voxel = topology->order[i];
        }
    }
    if (voxel < topology->voxel_count) {
        *failure = (vxe_failure){.kind = VXE_FAILURE_TURN, .lower = topology->place[voxel]};
    }
}

void vxe_energy_guard_close(vxe_energy_guard *guard, vxe_workspace *workspace, vxe_failure *failure)
{
    const vxe_model *model = guard->model;
    vxe_guard_look *now = &guard->now;
    look_job job = {guard, workspace, true};
    VXE_ASSERT(vxe_energy_guard_closes(guard, workspace->state->step));
    guard->open = false;
    if (!guard->weighs) {
        const bool finite = vxe_state_is_finite(workspace->state, model->topology.voxel_count);
        failure->kind = finite ? VXE_FAILURE_NONE : VXE_FAILURE_NUMBER;
        return;
    }
    vxe_parallel_run(workspace->partition_count, run_look, &job);
    double either[2] = {0};
    for (uint32_t c = 0; c < model->chunks.chunk_count; c++) {
        now->energy[VXE_GUARD_KINETIC] += 0.5 * guard->sums[c][0];
        either[0] += 0.5 * guard->sums[c][1];
        either[1] += 0.5 * guard->sums[c][2];
    }
    now->largest_kinetic = fmax(either[0], either[1]);
    if (!isfinite(total_of(now) + now->put_in)) {
        *failure = (vxe_failure){.kind = VXE_FAILURE_NUMBER};
        return;
    }
    find_fast_turn(workspace, failure);
    if (failure->kind) {
        return;
    }
    judge(guard, workspace, failure);
    guard->before = *now;
    guard->based = true;
}

void vxe_guarded_steps(vxe_energy_guard *guard, vxe_workspace *workspace,
                       vxe_simulation *simulation, uint64_t steps)
{
    vxe_state *state = &simulation->state;
    for (uint64_t done = 0; done < steps && !simulation->failure.kind;) {
        const uint64_t stride = vxe_energy_guard_stride(guard, state->step, steps - done);
        if (vxe_energy_guard_opens(guard, state->step)) {
            vxe_energy_guard_open(guard, workspace, 0, 0);
        }
        vxe_workspace_steps(workspace, state, &simulation->plan, stride, &simulation->failure);
        if (!simulation->failure.kind && vxe_energy_guard_closes(guard, state->step)) {
            vxe_energy_guard_close(guard, workspace, &simulation->failure);
        }
        done += stride;
    }
}

VXE_KERNELS_BY_PRECISION(vxe_guard_kernels)
