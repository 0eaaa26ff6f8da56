/* SPDX-License-Identifier: MIT */
/* The affine bodies of a world: their part of a step, their coupling with voxels, and what they add
   to facts, momentum, energies and hash. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/affine/affine.h"
#include "engine/world/world_data.h"

/* Largest h^2 k/m of the stiffest contact: stability ends at 4. */
#define STIFFEST 3.5

/* Steps that affine bodies take in one call, at most. */
#define MAX_STEPS (1u << 20)

/* Voxels may start within a body by this part of their radius. */
#define DEEPEST_START 0.5

/* What one thread does for affine bodies in a step. It is run as a team of one, so that numbers
   that are almost 0 become 0, as for voxels. */
typedef struct step_job {
    vxe_world *world;
    uint64_t steps;
    vxe_error *error;
    vxe_status status;
} step_job;

/* The energies of affine bodies and their contacts now. */
static vxe_affine_account account_of(const vxe_world *world)
{
    const vxe_affine_group *group = &world->affine;
    const vxe_coupling_energy *couplings = &world->couplings.energy;
    const double time = vxe_world_time(world);
    vxe_affine_account sum = {.stored = {.contact = couplings->contact},
                              .spent = couplings->damped + couplings->rubbed - couplings->moved -
                                       couplings->swelled};
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine_state *state = &group->states[b];
        const vxe_affine_energy own = vxe_affine_energy_of(group, b, time);
        sum.stored.kinetic += own.kinetic;
        sum.stored.elastic += own.elastic;
        sum.stored.contact += own.contact;
        sum.stored.gravity += own.gravity;
        sum.spent += state->viscous + state->remodelled + state->damped + state->rubbed -
                     state->driven - state->worked;
    }
    return sum;
}

static void run_start(void *context, uint32_t thread, uint32_t threads)
{
    step_job *job = context;
    vxe_world *world = job->world;
    (void)thread;
    (void)threads;
    if (world->couplings.count > 0) {
        vxe_affine_voxels_load(&world->couplings, &world->affine, &world->workspace,
                               world->simulation.state.time_step, true);
    }
    vxe_observers_take(&world->observers, &world->affine, 0);
    world->affine_start = world->affine_before = account_of(world);
}

vxe_status vxe_world_affine_start(vxe_world *world, vxe_error *error)
{
    step_job job = {world, 0, error, VXE_OK};
    VXE_ASSERT(world->affine.count > 0);
    if (world->couplings.count > 0) {
        job.status = vxe_workspace_take_external_loads(&world->workspace, error);
    }
    if (!job.status) {
        vxe_parallel_run(1, run_start, &job);
    }
    if (!job.status && world->couplings.deepest > DEEPEST_START) {
        job.status =
            vxe_error_fill(error, VXE_ERROR_INPUT, "a voxel starts within affine body '%s'",
                           world->affine.bodies[world->couplings.inside].name);
    }
    return job.status;
}

void vxe_world_affine_before(vxe_world *world)
{
    if (world->has_audit) {
        world->affine_before = account_of(world);
    }
}

/* One step of affine bodies, with half of the coupling's kick before it and half behind it. The
   lattice has taken its side of the first half in its own step already. */
static vxe_status step_coupling(vxe_world *world, double time, double end, vxe_error *error)
{
    vxe_affine_group *group = &world->affine;
    vxe_affine_voxels *couplings = &world->couplings;
    const double h = end - time;
    VXE_ASSERT(h > 0);
    if (couplings->count > 0) {
        const double lost = vxe_affine_voxels_lose(couplings, group, &world->workspace, h);
        world->affine_before.spent += 0.5 * lost; /* up to the middle of the kick */
        vxe_affine_voxels_kick(couplings, group, time, h);
    }
    const vxe_status status = vxe_affine_group_advance(group, time, h, error);
    if (status || couplings->count == 0) {
        return status;
    }
    vxe_affine_voxels_load(couplings, group, &world->workspace, h, false);
    vxe_affine_voxels_kick(couplings, group, end, h);
    if (couplings->full) {
        return vxe_error_fill(
            error, VXE_ERROR_DIVERGED,
            "diverged at t = %.6g s: a voxel touches more than two affine bodies at once", end);
    }
    if (!(h * h * couplings->stiffest < STIFFEST)) {
        return vxe_error_fill(
            error, VXE_ERROR_DIVERGED,
            "diverged at t = %.6g s: voxels press on an affine body that is too light for a "
            "step of %.4g s; choose one below %.4g s",
            end, h, sqrt(STIFFEST / couplings->stiffest));
    }
    return VXE_OK;
}

static void run_steps(void *context, uint32_t thread, uint32_t threads)
{
    step_job *job = context;
    vxe_world *world = job->world;
    const vxe_state *state = &world->simulation.state;
    const double end = vxe_state_time_at(state, state->step);
    (void)thread;
    (void)threads;
    VXE_ASSERT(job->steps >= 1 && job->steps <= state->step);
    VXE_ASSERT(world->affine.ways || job->steps == 1);
    if (world->affine.ways) {
        const vxe_affine_clock clock = {state->base_time, state->time_step, state->base_step};
        job->status = vxe_affine_advance_alone(&world->affine, &clock, state->step - job->steps,
                                               state->step, job->error);
    } else {
        job->status =
            step_coupling(world, vxe_state_time_at(state, state->step - 1), end, job->error);
    }
    if (!job->status) {
        vxe_observers_take(&world->observers, &world->affine, end);
    }
}

uint64_t vxe_world_affine_stride(const vxe_world *world, uint64_t steps)
{
    const bool alone = world->affine.ways && world->simulation.model.topology.voxel_count == 0;
    if (!alone || world->has_audit || world->observers.count > 0) {
        return 1;
    }
    return steps < MAX_STEPS ? steps : MAX_STEPS;
}

vxe_status vxe_world_affine_steps(vxe_world *world, uint64_t steps, vxe_error *error)
{
    step_job job = {world, steps, error, VXE_OK};
    vxe_parallel_run(1, run_steps, &job);
    return job.status;
}

uint32_t vxe_world_observation_count(const vxe_world *world)
{
    return world->observers.count;
}

void vxe_world_observed(const vxe_world *world, uint32_t index, vxe_observed *observed)
{
    if (index >= world->observers.count) {
        *observed = (vxe_observed){.value = (double)NAN};
        return;
    }
    const vxe_observer *observer = &world->observers.items[index];
    *observed = (vxe_observed){
        .gives = observer->gives,
        .value = observer->gives == VXE_OBSERVE_PEAKS ? (double)NAN : vxe_observer_value(observer),
        .peaks = observer->peak_count,
        .peak = observer->peaks};
    memcpy(observed->name, observer->name, sizeof observed->name);
}

void vxe_world_affine_facts(const vxe_world *world, vxe_world_facts *facts)
{
    const vxe_affine_group *group = &world->affine;
    facts->affine = group->count;
    for (uint32_t b = 0; b < group->count; b++) {
        facts->mass += group->bodies[b].own.mass;
    }
    for (int c = 0; c < 3 && facts->voxels == 0; c++) {
        facts->extent[c] = group->extent[c];
    }
}

void vxe_world_affine_center(const vxe_world *world, double *mass, double position[3],
                             double velocity[3])
{
    const vxe_affine_group *group = &world->affine;
    for (uint32_t b = 0; b < group->count; b++) {
        *mass += group->bodies[b].own.mass;
        for (int c = 0; c < 3; c++) {
            position[c] += group->bodies[b].own.mass * group->states[b].place[c];
            velocity[c] += group->bodies[b].own.mass * group->states[b].v[c];
        }
    }
}

/* N m s: angular momentum of a body about its centre, 2 axial(skw(P' J P^T)). */
static void angular_momentum_of(const vxe_affine *body, const vxe_affine_state *state,
                                double angular[3])
{
    double moved[9];
    double h[9];
    vxe_m3_times(state->rate, body->euler, moved);
    vxe_m3_times_transposed(moved, state->deformation, h);
    vxe_m3_axial(h, angular);
    if (body->own.is.rigid && !body->own.is.pinned) { /* a free rigid body stores it */
        memcpy(angular, state->spin, sizeof state->spin);
    }
}

void vxe_world_affine_momentum(const vxe_world *world, double linear[3], double angular[3])
{
    const vxe_affine_group *group = &world->affine;
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine_state *state = &group->states[b];
        const double mass = group->bodies[b].own.mass;
        double own[3];
        double lever[3];
        angular_momentum_of(&group->bodies[b], state, own);
        vxe_cross3(state->place, state->v, lever);
        for (int c = 0; c < 3; c++) {
            linear[c] += mass * state->v[c];
            angular[c] += own[c] + mass * lever[c];
        }
    }
}

void vxe_world_affine_poses(const vxe_world *world, double *places, double *deformations)
{
    for (size_t b = 0; b < world->affine.count; b++) {
        const vxe_affine_state *state = &world->affine.states[b];
        memcpy(places + 3 * b, state->place, sizeof state->place);
        memcpy(deformations + 9 * b, state->deformation, sizeof state->deformation);
    }
}

void vxe_world_affine(const vxe_world *world, uint32_t body, vxe_affine_pose *pose)
{
    if (body >= world->affine.count) {
        *pose = (vxe_affine_pose){.mass = 0};
        return;
    }
    const vxe_affine *of = &world->affine.bodies[body];
    const vxe_affine_state *state = &world->affine.states[body];
    vxe_affine_load load;
    *pose = (vxe_affine_pose){.mass = of->own.mass,
                              .pressure = of->own.is.keeps_volume ? state->pressure : 0};
    vxe_affine_load_of(&world->affine, body, vxe_world_time(world), &load);
    memcpy(pose->name, of->name, sizeof pose->name);
    memcpy(pose->center, state->place, sizeof pose->center);
    memcpy(pose->velocity, state->v, sizeof pose->velocity);
    memcpy(pose->deformation, state->deformation, sizeof pose->deformation);
    memcpy(pose->rate, state->rate, sizeof pose->rate);
    memcpy(pose->growth, state->growth, sizeof pose->growth);
    angular_momentum_of(of, state, pose->angular);
    for (int c = 0; c < 3; c++) {
        pose->contact_force[c] = load.force[c] - load.given[c];
    }
}

double vxe_world_affine_sum(const vxe_world *world)
{
    const vxe_affine_account now = account_of(world);
    return now.stored.kinetic + now.stored.elastic + now.stored.contact + now.stored.gravity +
           now.spent;
}

void vxe_world_affine_energy(const vxe_world *world, vxe_energy *energy)
{
    const vxe_affine_group *group = &world->affine;
    if (group->count == 0) {
        return;
    }
    const vxe_affine_account now = account_of(world);
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine_state *state = &group->states[b];
        energy->dissipated_viscous += state->viscous;
        energy->dissipated_growth += state->remodelled;
        energy->dissipated_contact += state->damped;
        energy->dissipated_friction += state->rubbed;
        energy->work_actuation += state->driven;
        energy->work_external += state->worked;
    }
    energy->dissipated_contact += world->couplings.energy.damped;
    energy->dissipated_friction += world->couplings.energy.rubbed;
    energy->work_external += world->couplings.energy.moved;
    energy->work_actuation += world->couplings.energy.swelled;
    energy->kinetic += now.stored.kinetic;
    energy->elastic += now.stored.elastic;
    energy->contact += now.stored.contact;
    energy->gravity += now.stored.gravity;
    const bool alone = world->simulation.model.topology.voxel_count == 0;
    if (alone || world->has_audit) {
        const vxe_affine_account *sync = alone ? &now : &world->affine_before;
        const vxe_affine_account *start = &world->affine_start;
        const vxe_affine_energy *stored[2] = {&sync->stored, &start->stored};
        double total[2];
        for (int i = 0; i < 2; i++) {
            total[i] =
                stored[i]->kinetic + stored[i]->elastic + stored[i]->contact + stored[i]->gravity;
        }
        energy->time = alone ? vxe_world_time(world) : energy->time;
        energy->kinetic_sync += sync->stored.kinetic;
        energy->elastic_sync += sync->stored.elastic;
        energy->contact_sync += sync->stored.contact;
        energy->gravity_sync += sync->stored.gravity;
        energy->work_gravity += start->stored.gravity - sync->stored.gravity;
        energy->balance += total[0] + sync->spent;
        energy->balance_start += total[1] + start->spent;
    }
}

uint64_t vxe_world_affine_hash(const vxe_world *world, uint64_t lattice)
{
    const vxe_affine_group *group = &world->affine;
    vxe_hash hash = {0};
    if (group->count == 0) {
        return lattice;
    }
    vxe_hash_word(&hash, lattice);
    _Static_assert(sizeof(vxe_affine_state) % sizeof(double) == 0, "a state is doubles only");
    for (uint32_t b = 0; b < group->count; b++) {
        const double *numbers = (const double *)&group->states[b];
        for (size_t i = 0; i < sizeof group->states[b] / sizeof *numbers; i++) {
            vxe_hash_double(&hash, numbers[i]);
        }
    }
    return vxe_hash_end(&hash);
}
