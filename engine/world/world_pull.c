/* SPDX-License-Identifier: MIT */
/* Hands that pull at voxels: a spring and a dashpot each, from the centre of a voxel and those that
   it is bonded to, to a place. They act as external loads, computed anew before every step. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/status_internal.h"
#include "engine/world/world_data.h"

/* The usual pull: a frequency of the whole body on the spring (Hz), a part of critical damping, and
   times the body's weight on earth. */
#define USUAL_FREQUENCY 5.0
#define USUAL_DAMPING 0.7
#define USUAL_WEIGHTS 20.0
#define EARTH 9.80665
#define TWO_PI 6.283185307179586
/* Dashpots take at most this part of a velocity in a step, together; and the part of what the step
   allows that the usual pull has at most, so that there is room for ten hands. */
#define MAX_LOSS 0.5
#define USUAL_PART 0.095

/* Places (voxels by slot) of a hand: the voxel, and those that it is bonded to. */
static void hold(const vxe_topology *topology, uint32_t slot, vxe_hand *hand)
{
    hand->count = 0;
    hand->slots[hand->count++] = slot;
    for (int c = 0; c < 3; c++) {
        if (topology->up[c][slot] != VXE_NONE) {
            hand->slots[hand->count++] = topology->up[c][slot];
        }
    }
    for (uint32_t other = 0; other < topology->voxel_count; other++) {
        for (int c = 0; c < 3; c++) {
            if (topology->up[c][other] == slot) {
                hand->slots[hand->count++] = other;
            }
        }
    }
    VXE_ASSERT(hand->count <= VXE_HELD);
}

/* kg: mass of the lightest voxel that a hand holds. */
static double lightest(const vxe_model *model, const vxe_hand *hand)
{
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < hand->count; i++) {
        lowest = fmin(lowest, vxe_real_at(model->precision, model->arrays.mass, hand->slots[i]));
    }
    return lowest;
}

/* N/m and N s/m: the most that the present step h allows a hand, apart from others: with springs
   h^2 lambda_k + 2 h lambda_c stays below what springs may take at the limit H. Where there are
   explicit dashpots, that sum grows at least as h/H; without, as (h/H)^2. */
static double stiffest(const vxe_world *world, const vxe_hand *hand)
{
    const vxe_model *model = &world->simulation.model;
    const vxe_step_plan *plan = &world->simulation.plan;
    const double h = plan->time_step;
    const double part = h / plan->stable_step;
    const bool dashpots = (plan->damping_iterations == 0 && plan->lambda_c_all > 0) ||
                          (model->particles && model->particles->lambda_c > 0);
    const double left = fmax(1 - (dashpots ? part : part * part), 0);
    return hand->count * lightest(model, hand) * plan->for_springs * left / (h * h);
}

static double max_damping(const vxe_world *world, const vxe_hand *hand)
{
    return MAX_LOSS * hand->count * lightest(&world->simulation.model, hand) /
           world->simulation.plan.time_step;
}

vxe_pull vxe_world_pull_default(const vxe_world *world, uint32_t voxel)
{
    const vxe_model *model = &world->simulation.model;
    const double rate = TWO_PI * USUAL_FREQUENCY;
    vxe_pull pull = {.voxel = voxel,
                     .stiffness = model->total_mass * rate * rate,
                     .damping = 2 * USUAL_DAMPING * model->total_mass * rate,
                     .max_force = USUAL_WEIGHTS * EARTH * model->total_mass};
    if (voxel < model->topology.voxel_count) {
        vxe_hand hand;
        hold(&model->topology, model->topology.place[voxel], &hand);
        vxe_world_held(world, &hand, pull.place, NULL);
        pull.stiffness = fmin(pull.stiffness, USUAL_PART * stiffest(world, &hand));
        pull.damping = fmin(pull.damping, USUAL_PART * max_damping(world, &hand));
    }
    return pull;
}

void vxe_world_held(const vxe_world *world, const vxe_hand *hand, double place[3],
                    double velocity[3])
{
    const vxe_state *state = &world->simulation.state;
    for (int c = 0; c < 3; c++) {
        double at = 0;
        double speed = 0;
        for (uint32_t i = 0; i < hand->count; i++) {
            at += vxe_state_position(state, c, hand->slots[i]);
            speed += vxe_state_velocity(state, c, hand->slots[i]);
        }
        place[c] = at / hand->count + world->simulation.model.origin[c];
        if (velocity) {
            velocity[c] = speed / hand->count;
        }
    }
}

static vxe_status check_numbers(const vxe_world *world, uint32_t number, const vxe_pull *pull,
                                vxe_error *error)
{
    const vxe_model *model = &world->simulation.model;
    if (number >= VXE_HANDS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "there is no hand %u; 0 to %u", number,
                              VXE_HANDS - 1);
    }
    if (world->affine.count > 0 || model->voxelyze) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "hands pull at worlds of voxels alone, under our own law");
    }
    if (pull && pull->voxel >= model->topology.voxel_count) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "there is no voxel %u: the design has %u, counted from 0",
                              pull->voxel, model->topology.voxel_count);
    }
    bool good = true;
    for (int c = 0; c < 3 && pull; c++) {
        good = good && fabs(pull->place[c]) < 1e9;
    }
    good = !pull || (good && pull->stiffness > 0 && pull->stiffness < 1e15 && pull->damping >= 0 &&
                     pull->damping < 1e15 && pull->max_force > 0 && pull->max_force < 1e15);
    return good ? VXE_OK
                : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                 "a pull needs a place below 1e9 m, a stiffness and a largest "
                                 "force above 0 and below 1e15, and a damping from 0 on");
}

/* The part of what the step allows that a hand takes: of springs, or of dashpots. */
static double part_of(const vxe_world *world, const vxe_hand *hand, bool dashpot)
{
    return dashpot ? hand->pull.damping / max_damping(world, hand)
                   : hand->pull.stiffness / stiffest(world, hand);
}

/* The part that all hands but one leave. */
static double left_beside(const vxe_world *world, const vxe_hand *hand, bool dashpot)
{
    double left = 1;
    for (uint32_t i = 0; i < VXE_HANDS; i++) {
        const vxe_hand *other = &world->hands[i];
        left -= other->count > 0 && other != hand ? part_of(world, other, dashpot) : 0;
    }
    return left;
}

double vxe_world_hands_leave(const vxe_world *world)
{
    return left_beside(world, NULL, false);
}

/* Refuses a hand that would make the present step unstable, with all others and a tuned drag. */
static vxe_status check_step(const vxe_world *world, const vxe_hand *hand, vxe_error *error)
{
    const double h = world->simulation.plan.time_step;
    const double springs = left_beside(world, hand, false) - vxe_world_drag_part(world);
    const double max = fmax(springs, 0) * stiffest(world, hand);
    if (!(hand->pull.stiffness <= max)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a pull of %g N/m is too stiff for the time step of %g s; at most %g "
                              "beside other hands and drag",
                              hand->pull.stiffness, h, max);
    }
    const double max_dashpot = fmax(left_beside(world, hand, true), 0) * max_damping(world, hand);
    return hand->pull.damping <= max_dashpot
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "a damping of %g N s/m is too large for the time step of %g s; at "
                                "most %g beside other hands",
                                hand->pull.damping, h, max_dashpot);
}

/* Clears the loads of what a hand has held. */
static void unload(vxe_world *world, const vxe_hand *hand)
{
    const vxe_precision precision = world->simulation.model.precision;
    const vxe_external_loads *loads = &world->workspace.external_loads;
    for (uint32_t i = 0; i < hand->count; i++) {
        for (int c = 0; c < 3; c++) {
            vxe_real_put(precision, loads->load[c], hand->slots[i], 0);
        }
        loads->loaded[hand->slots[i] / world->simulation.model.chunks.chunk_slots] = 0;
    }
}

vxe_status vxe_world_pull(vxe_world *world, uint32_t number, const vxe_pull *pull, vxe_error *error)
{
    if (check_numbers(world, number, pull, error)) {
        return error ? error->status : VXE_ERROR_ARGUMENT;
    }
    const vxe_topology *topology = &world->simulation.model.topology;
    vxe_hand *hand = &world->hands[number];
    vxe_hand next = {.count = 0};
    if (pull) {
        next.pull = *pull;
        hold(topology, topology->place[pull->voxel], &next);
        const vxe_hand before = *hand;
        *hand = next; /* so that the check counts it once */
        const vxe_status status = check_step(world, hand, error);
        *hand = before;
        if (status) {
            return status;
        }
    }
    vxe_external_loads *loads = &world->workspace.external_loads;
    if (!loads->loaded && vxe_workspace_take_external_loads(&world->workspace, error)) {
        return VXE_ERROR_MEMORY;
    }
    loads->by_hand = true;
    unload(world, hand);
    world->hand_count -= hand->count > 0;
    world->hand_count += next.count > 0;
    *hand = next;
    return VXE_OK;
}

/* N: the force of a hand. */
static void force_of(const vxe_world *world, const vxe_hand *hand, double force[3])
{
    const vxe_pull *pull = &hand->pull;
    double place[3];
    double velocity[3];
    double spring = 0;
    vxe_world_held(world, hand, place, velocity);
    for (int c = 0; c < 3; c++) {
        force[c] = pull->stiffness * (pull->place[c] - place[c]);
        spring += force[c] * force[c];
    }
    spring = sqrt(spring);
    const double part = spring > pull->max_force ? pull->max_force / spring : 1;
    for (int c = 0; c < 3; c++) {
        force[c] = part * force[c] - pull->damping * velocity[c];
    }
}

void vxe_world_hands_load(vxe_world *world)
{
    const vxe_model *model = &world->simulation.model;
    const vxe_external_loads *loads = &world->workspace.external_loads;
    if (world->hand_count == 0) {
        return;
    }
    for (uint32_t number = 0; number < VXE_HANDS; number++) {
        unload(world, &world->hands[number]);
    }
    for (uint32_t number = 0; number < VXE_HANDS; number++) {
        vxe_hand *hand = &world->hands[number];
        if (hand->count == 0) {
            continue;
        }
        force_of(world, hand, hand->force);
        vxe_world_held(world, hand, hand->from, NULL);
        for (uint32_t i = 0; i < hand->count; i++) {
            const uint32_t slot = hand->slots[i];
            loads->loaded[slot / model->chunks.chunk_slots] = 1;
            for (int c = 0; c < 3; c++) {
                const double before = vxe_real_at(model->precision, loads->load[c], slot);
                vxe_real_put(model->precision, loads->load[c], slot,
                             before + hand->force[c] / hand->count);
            }
        }
    }
}

void vxe_world_hands_moved(vxe_world *world)
{
    for (uint32_t number = 0; number < VXE_HANDS && world->hand_count > 0; number++) {
        const vxe_hand *hand = &world->hands[number];
        double place[3];
        if (hand->count == 0) {
            continue;
        }
        vxe_world_held(world, hand, place, NULL);
        for (int c = 0; c < 3; c++) {
            world->hand_work += hand->force[c] * (place[c] - hand->from[c]);
        }
    }
}

uint64_t vxe_world_hands_hash(const vxe_world *world, uint64_t rest)
{
    vxe_hash hash = {0};
    if (world->hand_count == 0) {
        return rest;
    }
    vxe_hash_word(&hash, rest);
    for (uint32_t number = 0; number < VXE_HANDS; number++) {
        const vxe_hand *hand = &world->hands[number];
        if (hand->count > 0) {
            vxe_hash_word(&hash, (uint64_t)number << 32 | hand->pull.voxel);
            for (int c = 0; c < 3; c++) {
                vxe_hash_double(&hash, hand->pull.place[c]);
            }
            vxe_hash_double(&hash, hand->pull.stiffness);
            vxe_hash_double(&hash, hand->pull.damping);
            vxe_hash_double(&hash, hand->pull.max_force);
        }
    }
    return vxe_hash_end(&hash);
}
