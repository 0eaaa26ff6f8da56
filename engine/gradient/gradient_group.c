/* SPDX-License-Identifier: MIT */
/* A group of robots: its memory, its run forwards, in which a state is kept at the start of every
   segment, and what the objective says. gradient_backwards.c has the way back. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/gradient/gradient_data.h"

/* Steps of a segment, at least and at most; and bytes of its states, which nearer caches hold. */
#define SHORTEST 8u
#define LONGEST 64u
#define SEGMENT_BYTES (4ull << 20)
/* Bytes of the states that a group keeps, where the definition does not say. */
#define USUAL_MEMORY (1ull << 30)

/* States of a run of so many steps in segments of such a length. */
static uint64_t states_of(uint64_t steps, uint64_t segment)
{
    return (steps + segment - 1) / segment + segment + 1;
}

/* Steps of a segment: what nearer caches hold, and more where the states that are kept would take
   too much memory, down to the fewest that there can be. Bits do not depend on it. */
static uint64_t segment_of(const vxe_gradient_group *run)
{
    const vxe_gradient_def *def = &run->gradient->def;
    const uint64_t memory = def->memory > 0 ? def->memory : USUAL_MEMORY;
    uint64_t segment = SEGMENT_BYTES / run->state_bytes;
    segment = segment < SHORTEST ? SHORTEST : segment > LONGEST ? LONGEST : segment;
    while (states_of(def->steps, segment) > memory / run->state_bytes &&
           states_of(def->steps, 2 * segment) < states_of(def->steps, segment)) {
        segment *= 2;
    }
    return segment;
}

void vxe_gradient_group_destroy(vxe_gradient_group *run)
{
    vxe_memory_release(run->tape);
    vxe_memory_release(run->touching);
    vxe_memory_release(run->clock);
    vxe_memory_release(run->sources);
    vxe_memory_release(run->keeps);
    vxe_memory_release(run->adjoint);
    vxe_memory_release(run->moves);
    vxe_memory_release(run->changes);
    vxe_memory_release(run->by_load);
    vxe_memory_release(run->by_growth);
    vxe_memory_release(run->by_bond);
    vxe_memory_release(run->by_voxel);
    vxe_memory_release(run->within);
    vxe_memory_release(run->middle);
    vxe_memory_release(run->force);
    vxe_gradient_contacts_clear(run);
    vxe_memory_release(run->policy_numbers);
    vxe_memory_release(run->policy_adjoints);
    if (run->lanes) {
        vxe_lanes_clear(run->lanes);
    }
    vxe_memory_release(run->lanes);
    vxe_memory_release(run);
}

/* The memory for states; larger than before where that is too small. */
static vxe_status take_states(vxe_gradient_group *run, vxe_gradient_store *store, vxe_error *error)
{
    const uint64_t count = states_of(run->gradient->def.steps, run->segment);
    const uint64_t size = count * run->state_bytes;
    if (store->size < size) {
        vxe_memory_release(store->data);
        store->data = vxe_memory_take_huge(count, run->state_bytes);
        store->size = store->data ? size : 0;
    }
    if (!store->data) {
        return vxe_error_memory(error, size);
    }
    run->states = store->data;
    run->kept = store->data + (run->segment + 1) * run->state_bytes;
    return VXE_OK;
}

static vxe_status take(vxe_gradient_group *run, vxe_gradient_store *store, vxe_error *error)
{
    const uint64_t vector = vxe_lanes_vector_bytes(run->lanes);
    const uint64_t voxels = run->lanes->group.voxels;
    const uint64_t width = run->width;
    run->state_bytes = VXE_LANE_FIELDS * voxels * vector;
    run->segment = segment_of(run);
    run->iterations = run->robots[0]->simulation.plan.damping_iterations;
    run->tape_numbers = run->iterations > 0 ? VXE_TAPE_ITERATED : VXE_TAPE_EXPLICIT;
    run->tape = vxe_memory_take(run->segment * voxels * run->tape_numbers, vector);
    run->touching = vxe_memory_take(run->segment, voxels);
    run->clock = vxe_memory_take(VXE_CLOCK_NUMBERS * width, sizeof *run->clock);
    run->sources = vxe_memory_take(6, vector);
    run->keeps = vxe_memory_take(1, vector);
    run->adjoint = vxe_memory_take(VXE_ADJOINT_NUMBERS * voxels, vector);
    run->moves = vxe_memory_take(6 * voxels, vector);
    run->changes = vxe_memory_take(1, vector);
    run->by_load = vxe_memory_take(3 * voxels * width, sizeof *run->by_load);
    run->by_growth = vxe_memory_take(VXE_GROWTH_SUMS * voxels * width, sizeof *run->by_growth);
    bool complete = run->tape && run->touching && run->clock && run->sources && run->keeps &&
                    run->adjoint && run->moves && run->changes && run->by_load && run->by_growth;
    if (vxe_gradient_needs_slopes(run->gradient)) {
        run->by_bond = vxe_memory_take(3 * VXE_BOND_SLOPES * voxels, vector);
        run->by_voxel = vxe_memory_take(VXE_VOXEL_SLOPES * voxels, vector);
        complete = complete && run->by_bond && run->by_voxel;
    }
    if (run->iterations > 0) {
        run->within = vxe_memory_take(VXE_ITERATION_NUMBERS * voxels, vector);
        run->middle = vxe_memory_take(6 * voxels * run->iterations, vector);
        run->force = vxe_memory_take(6 * voxels, vector);
        complete = complete && run->within && run->middle && run->force;
    }
    if (!complete) {
        return vxe_error_memory(error, run->segment * voxels * vector);
    }
    vxe_status status = vxe_gradient_contacts_take(run, error);
    status = status ? status : vxe_gradient_policy_take(run, error);
    return status ? status : take_states(run, store, error);
}

/* Where a run is next looked at: at a sample, a tick or the start of a segment. */
static uint64_t next_look(const vxe_gradient_group *run, uint64_t step)
{
    const vxe_gradient *gradient = run->gradient;
    const uint64_t every = gradient->def.sample_every;
    const uint64_t segment = (step / run->segment + 1) * run->segment;
    const uint64_t sample = every > 0 ? (step / every + 1) * every : gradient->def.steps;
    const uint64_t tick = vxe_gradient_next_tick(run, step + 1);
    const uint64_t look = segment < sample ? segment : sample;
    const uint64_t next = look < tick ? look : tick;
    return next < gradient->def.steps ? next : gradient->def.steps;
}

uint32_t vxe_gradient_sample_at(const vxe_gradient *gradient, uint64_t step)
{
    const uint64_t every = gradient->def.sample_every;
    if (step == gradient->def.steps) {
        return gradient->sample_count - 1;
    }
    const bool sampled = every > 0 ? step % every == 0 : step == 0;
    return sampled ? (uint32_t)(every > 0 ? step / every : 0) : VXE_NONE;
}

static void take_samples(vxe_gradient_group *run, uint64_t step)
{
    const uint32_t sample = vxe_gradient_sample_at(run->gradient, step);
    for (uint32_t i = 0; i < run->count && sample != VXE_NONE; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        vxe_gradient_sample *into = &robot->samples[sample];
        vxe_lanes_store_one(run->lanes, i);
        into->time = vxe_state_time(&robot->simulation.state);
        vxe_simulation_center(&robot->simulation, into->center, into->velocity);
    }
}

/* The robots that failed, or have numbers that are not finite, leave their lanes. */
static void leave(vxe_gradient_group *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        vxe_lanes_store_one(run->lanes, i);
        if (run->lanes->robot[i] &&
            (robot->simulation.failure.kind ||
             !vxe_state_is_finite(&robot->simulation.state,
                                  robot->simulation.model.topology.voxel_count))) {
            vxe_simulation_diverged(&robot->simulation, &robot->error);
            vxe_lanes_release(run->lanes, &robot->robot);
        }
    }
}

bool vxe_gradient_any_left(const vxe_gradient_group *run)
{
    bool left = false;
    for (uint32_t i = 0; i < run->count; i++) {
        left = left || run->lanes->robot[i];
    }
    return left;
}

void vxe_gradient_group_forwards(vxe_gradient_group *run, bool asks)
{
    vxe_gradient *gradient = run->gradient;
    uint64_t step = 0;
    take_samples(run, 0);
    while (step < gradient->def.steps && vxe_gradient_any_left(run) &&
           vxe_gradient_goes_on(gradient, asks)) {
        vxe_gradient_take_ticks(run, step);
        if (step % run->segment == 0) {
            memcpy(run->kept + step / run->segment * run->state_bytes, run->lanes->group.state,
                   run->state_bytes);
            vxe_gradient_keep_contacts(run, step);
        }
        const uint64_t to = next_look(run, step);
        while (step < to && vxe_gradient_any_left(run)) {
            const uint64_t done = vxe_lanes_run(run->lanes, to - step);
            step += done;
            if (step < to || step == gradient->def.steps) {
                leave(run);
            }
        }
        take_samples(run, step);
    }
}

bool vxe_gradient_all_finite(const double *numbers, uint64_t count)
{
    bool finite = true;
    for (uint64_t i = 0; i < count; i++) {
        finite = finite && isfinite(numbers[i]);
    }
    return finite;
}

/* Looks at what the objective said of a robot. */
static void check_answer(vxe_gradient_robot *robot, uint32_t number, uint32_t count)
{
    bool finite = true;
    for (uint32_t i = 0; i < count; i++) {
        const vxe_gradient_sample *weight = &robot->weights[i];
        finite = finite && vxe_gradient_all_finite(weight->center, 3) &&
                 vxe_gradient_all_finite(weight->velocity, 3);
    }
    if (!isfinite(robot->value)) {
        vxe_error_fill(&robot->error, VXE_ERROR_ARGUMENT,
                       "robot %u: the objective is %g, which is no finite number", number,
                       robot->value);
    } else if (!finite) {
        vxe_error_fill(&robot->error, VXE_ERROR_ARGUMENT,
                       "robot %u: a weight of the objective is no finite number", number);
    }
}

/* Asks the objective of the robots that got to their ends. One of which it says no numbers has no
   gradient, and leaves its lane. */
void vxe_gradient_group_ask(vxe_gradient_group *run, vxe_objective objective, void *user)
{
    const uint32_t count = run->gradient->sample_count;
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        if (run->lanes->robot[i]) {
            const uint32_t number = (uint32_t)(robot - run->gradient->robots);
            memset(robot->weights, 0, count * sizeof *robot->weights);
            robot->value = objective(user, number, robot->samples, count, robot->weights);
            check_answer(robot, number, count);
            if (robot->error.status) {
                vxe_lanes_release(run->lanes, &robot->robot);
            }
        }
    }
}

vxe_gradient_group *vxe_gradient_group_create(vxe_gradient *gradient, vxe_gradient_store *store,
                                              vxe_gradient_robot *const *robots, uint32_t count,
                                              vxe_error *error)
{
    vxe_robot *loaded[VXE_MAX_LANES];
    vxe_gradient_group *run = vxe_memory_take(1, sizeof *run);
    vxe_lanes *lanes = vxe_memory_take(1, sizeof *lanes);
    if (!run || !lanes) {
        vxe_memory_release(run);
        vxe_memory_release(lanes);
        vxe_error_memory(error, sizeof *run + sizeof *lanes);
        return NULL;
    }
    run->gradient = gradient;
    run->count = count;
    run->lanes = lanes;
    run->width = vxe_lane_kernels_of(gradient->kernels)->lanes;
    for (uint32_t i = 0; i < count; i++) {
        run->robots[i] = robots[i];
        loaded[i] = &robots[i]->robot;
    }
    vxe_status status = vxe_lanes_init(lanes, gradient->kernels, error);
    status = status ? status : vxe_lanes_load(lanes, loaded, count, error);
    status = status ? status : take(run, store, error);
    if (status) {
        vxe_gradient_group_destroy(run);
    }
    return status ? NULL : run;
}
