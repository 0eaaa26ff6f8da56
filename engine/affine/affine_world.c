/* SPDX-License-Identifier: MIT */
/* Affine bodies of a world, as it tells of them. */
#include <math.h>
#include <string.h>

#include "common/hash_internal.h"
#include "common/parallel_internal.h"
#include "engine/world_internal.h"

typedef struct step_job {
    vxe_world *world;
    vxe_error *error;
    vxe_status status;
} step_job;

static void run_step(void *context, uint32_t thread, uint32_t threads)
{
    step_job *job = context;
    vxe_affine_group *group = &job->world->affine;
    const vxe_state *state = &job->world->robot.state;
    const double time = vxe_state_time_at(state, state->step - 1);
    const double end = vxe_state_time_at(state, state->step);
    (void)thread;
    (void)threads;
    job->status = vxe_affine_group_advance(group, time, end - time, job->error);
    if (!job->status) {
        vxe_observers_take(&job->world->observers, group, end);
    }
}

vxe_status vxe_world_affine_step(vxe_world *world, vxe_error *error)
{
    step_job job = {world, error, VXE_OK};
    vxe_parallel_run(1, run_step, &job); /* numbers that are almost 0 are 0, as for voxels */
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
        facts->mass += group->bodies[b].mass;
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
        *mass += group->bodies[b].mass;
        for (int c = 0; c < 3; c++) {
            position[c] += group->bodies[b].mass * group->states[b].place[c];
            velocity[c] += group->bodies[b].mass * group->states[b].v[c];
        }
    }
}

/* Angular momentum of a body about its center: 2 axial(skw(P' J P^T)). */
static void angular_of(const vxe_affine *body, const vxe_affine_state *state, double angular[3])
{
    double moved[9];
    double h[9];
    vxe_m3_times(state->rate, body->euler, moved);
    vxe_m3_times_transposed(moved, state->deformation, h);
    vxe_m3_axial(h, angular);
    if (body->kind == VXE_AFFINE_RIGID && !body->pinned) { /* is what is kept */
        memcpy(angular, state->spin, sizeof state->spin);
    }
}

void vxe_world_affine_momentum(const vxe_world *world, double linear[3], double angular[3])
{
    const vxe_affine_group *group = &world->affine;
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine_state *state = &group->states[b];
        const double mass = group->bodies[b].mass;
        double own[3];
        angular_of(&group->bodies[b], state, own);
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3;
            const int e = (c + 2) % 3;
            linear[c] += mass * state->v[c];
            angular[c] +=
                own[c] + mass * (state->place[d] * state->v[e] - state->place[e] * state->v[d]);
        }
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
    *pose = (vxe_affine_pose){.mass = of->mass, .pressure = of->keeps_volume ? state->pressure : 0};
    vxe_affine_load_of(&world->affine, body, vxe_world_time(world), &load);
    memcpy(pose->name, of->name, sizeof pose->name);
    memcpy(pose->center, state->place, sizeof pose->center);
    memcpy(pose->velocity, state->v, sizeof pose->velocity);
    memcpy(pose->deformation, state->deformation, sizeof pose->deformation);
    memcpy(pose->rate, state->rate, sizeof pose->rate);
    memcpy(pose->growth, state->growth, sizeof pose->growth);
    angular_of(of, state, pose->angular);
    for (int c = 0; c < 3; c++) {
        pose->contact_force[c] = load.force[c] - load.given[c];
    }
}

void vxe_world_affine_energy(const vxe_world *world, vxe_energy *energy)
{
    const vxe_affine_group *group = &world->affine;
    const double time = vxe_world_time(world);
    vxe_affine_energy sum = {0};
    double spent = 0;
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine_state *state = &group->states[b];
        const vxe_affine_energy own = vxe_affine_energy_of(group, b, time);
        sum.kinetic += own.kinetic;
        sum.elastic += own.elastic;
        sum.contact += own.contact;
        sum.gravity += own.gravity;
        energy->dissipated_viscous += state->viscous;
        energy->dissipated_growth += state->remodelled;
        energy->dissipated_contact += state->damped;
        energy->dissipated_friction += state->rubbed;
        energy->work_actuation += state->driven;
        energy->work_external += state->worked;
        spent += state->viscous + state->remodelled + state->damped + state->rubbed -
                 state->driven - state->worked;
    }
    energy->kinetic += sum.kinetic;
    energy->elastic += sum.elastic;
    energy->contact += sum.contact;
    energy->gravity += sum.gravity;
    const bool alone = world->robot.model.topology.voxel_count == 0;
    if (group->count > 0 && (alone || world->has_ledger)) {
        /* parts of steps end with velocities in time with places; those of voxels are half behind
         */
        energy->time = alone ? time : energy->time;
        energy->kinetic_sync += sum.kinetic;
        energy->elastic_sync += sum.elastic;
        energy->contact_sync += sum.contact;
        energy->gravity_sync += sum.gravity;
        energy->balance += sum.kinetic + sum.elastic + sum.contact + sum.gravity + spent;
        energy->balance_start += world->affine_start;
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
    for (uint32_t b = 0; b < group->count; b++) {
        const double *numbers = (const double *)&group->states[b];
        for (size_t i = 0; i < sizeof group->states[b] / sizeof *numbers; i++) {
            vxe_hash_double(&hash, numbers[i]);
        }
    }
    return vxe_hash_end(&hash);
}
