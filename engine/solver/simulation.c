/* SPDX-License-Identifier: MIT */
/* One simulation: a model, its state and the plan of its step; targets of groups, and what is
   said of a run that failed. */
#include "engine/solver/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/assert_internal.h"
#include "common/float_internal.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"

/* Steps of an interval, at most. */
#define MAX_PARTS 1e6

vxe_status vxe_simulation_plan_for(vxe_simulation *simulation, double widest,
                                   double shortest_period, vxe_error *error)
{
    VXE_ASSERT(widest >= simulation->model.widest);
    vxe_state *state = &simulation->state;
    vxe_step_plan plan = simulation->plan;
    const double before[2] = {simulation->model.widest, simulation->model.shortest_period};
    const vxe_damping_scheme damping = simulation->model.conventions.damping;
    simulation->model.widest = widest;
    simulation->model.shortest_period = shortest_period;
    if (simulation->model.terrain) {
        vxe_terrain_bound(simulation->model.terrain, 0.5 * widest * simulation->model.edge);
    }
    simulation->model.conventions.damping = simulation->plan.damping;
    const vxe_status status =
        vxe_step_plan_make(&plan, &simulation->model, &simulation->choice, error);
    simulation->model.conventions.damping = damping;
    if (status) {
        simulation->model.widest = before[0];
        simulation->model.shortest_period = before[1];
        if (simulation->model.terrain) {
            vxe_terrain_bound(simulation->model.terrain, 0.5 * before[0] * simulation->model.edge);
        }
        return status;
    }
    VXE_ASSERT(plan.time_step > 0 && plan.damping_iterations <= VXE_MAX_DAMPING_ITERATIONS);
    state->base_time = vxe_state_time(state);
    state->base_step = state->step;
    state->time_step = plan.time_step;
    simulation->plan = plan;
    return VXE_OK;
}

static vxe_status widen(vxe_simulation *simulation, double widest, vxe_error *error)
{
    return vxe_simulation_plan_for(simulation, widest, simulation->model.shortest_period, error);
}

/* Refuses a target that makes edges of a group too short or too long. */
static vxe_status check_target(const vxe_model *model, uint32_t group, double factor,
                               vxe_error *error)
{
    const double min = model->bounds[group].min * factor;
    const double max = model->bounds[group].max * factor;
    return min >= VXE_SMALLEST_SIZE && max <= VXE_LARGEST_SIZE
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "target %g of group %u makes edges %g to %g times the lattice's; "
                                "they must stay between 0.1 and 10",
                                factor, group, min, max);
}

vxe_status vxe_simulation_set_target(vxe_simulation *simulation, uint32_t group, double factor,
                                     vxe_error *error)
{
    vxe_model *model = &simulation->model;
    if (group >= model->group_count) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "there is no group %u: the design has %u",
                              group, model->group_count);
    }
    const double max = model->bounds[group].max * factor;
    vxe_status status = check_target(model, group, factor, error);
    status = status || max <= model->widest ? status : widen(simulation, max, error);
    if (!status) {
        VXE_ASSERT(group < simulation->state.groups);
        simulation->state.target[group] = factor;
    }
    return status;
}

/* The number of steps of an interval that is so many of the longest steps: 1 to 32, then rounded
   up by less than 6 %, so that more robots have equally many and may share lanes. */
static uint32_t whole_parts(double parts)
{
    const double fewest = ceil(parts * (1 - 1e-6)); /* a step is rounded to its precision */
    const uint32_t steps = fewest > 1 ? (uint32_t)fewest : 1;
    uint32_t multiple = 1;
    while (steps >= 32 * multiple) {
        multiple *= 2;
    }
    return (steps + multiple - 1) / multiple * multiple;
}

/* The widest edges at the largest target. Refuses targets that are out of bounds. */
static vxe_status find_widest(const vxe_model *model, double min_target, double max_target,
                              double *widest, vxe_error *error)
{
    *widest = model->widest;
    for (uint32_t g = 0; g < model->group_count; g++) {
        vxe_status status = check_target(model, g, min_target, error);
        status = status ? status : check_target(model, g, max_target, error);
        if (status) {
            return status;
        }
        *widest = fmax(*widest, max_target * model->bounds[g].max);
    }
    return VXE_OK;
}

/* Divides an interval (s) into steps. */
static vxe_status divide(vxe_simulation *simulation, double interval, uint32_t *steps,
                         vxe_error *error)
{
    vxe_model *model = &simulation->model;
    const double parts = interval / simulation->plan.time_step;
    if (!(parts <= MAX_PARTS)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "an interval of %g s is more than %g steps of %g s", interval,
                              MAX_PARTS, simulation->plan.time_step);
    }
    *steps = whole_parts(parts);
    simulation->choice = (vxe_step_choice){interval / *steps, 1, VXE_ACCURACY_NORMAL};
    model->conventions.step_rule = VXE_STEP_SECONDS;
    model->conventions.damping = simulation->plan.damping;
    const vxe_status status =
        vxe_step_plan_make(&simulation->plan, model, &simulation->choice, error);
    simulation->state.time_step = simulation->plan.time_step;
    return status;
}

vxe_status vxe_simulation_divide(vxe_simulation *simulation, double min_target, double max_target,
                                 double interval, uint32_t *steps, vxe_error *error)
{
    double widest = 0;
    VXE_ASSERT(interval > 0 && simulation->state.step == 0);
    vxe_status status = find_widest(&simulation->model, min_target, max_target, &widest, error);
    if (!status && widest > simulation->model.widest) {
        status = widen(simulation, widest, error);
    }
    return status ? status : divide(simulation, interval, steps, error);
}

/* Plans the step and makes the state. */
static vxe_status start(vxe_simulation *simulation, const vxe_world_def *def, vxe_error *error)
{
    vxe_model *model = &simulation->model;
    simulation->choice = (vxe_step_choice){def->step_seconds, def->step_scale, def->accuracy};
    vxe_status status = vxe_step_plan_make(&simulation->plan, model, &simulation->choice, error);
    status = status ? status
                    : vxe_state_init(&simulation->state, model->precision,
                                     vxe_model_state_size(model), error);
    if (!status) {
        vxe_model_rest_state(model, simulation->design, &simulation->state);
        simulation->state.time_step = simulation->plan.time_step;
    }
    return status;
}

/* The same for targets and ticks of the design's controller. Rules and choices stay as they were,
   for another start. */
static vxe_status start_controlled(vxe_simulation *simulation, const vxe_world_def *def,
                                   vxe_error *error)
{
    const vxe_controller *c = &simulation->design->controller;
    vxe_model *model = &simulation->model;
    const vxe_conventions rules = model->conventions;
    double widest = 0;
    vxe_status status = find_widest(model, vxe_as_float(c->min_target), vxe_as_float(c->max_target),
                                    &widest, error);
    if (!status && widest > model->widest) {
        model->widest = widest;
        if (model->terrain) {
            vxe_terrain_bound(model->terrain, 0.5 * widest * model->edge);
        }
    }
    status = status ? status : start(simulation, def, error);
    const vxe_step_rule rule = simulation->plan.rule;
    status = status ? status : divide(simulation, c->interval, &simulation->tick, error);
    model->conventions = rules;
    simulation->plan.rule = rule;
    return status;
}

vxe_status vxe_simulation_start(vxe_simulation *simulation, const vxe_world_def *def,
                                vxe_error *error)
{
    vxe_error inner = {.status = VXE_OK};
    if (!simulation->controlled) {
        return start(simulation, def, error);
    }
    const vxe_status status = start_controlled(simulation, def, &inner);
    if (status == VXE_ERROR_ARGUMENT) { /* of numbers in the design */
        return vxe_error_fill(error, VXE_ERROR_INPUT, "the controller: %s", inner.message);
    }
    if (status && error) {
        *error = inner;
    }
    return status;
}

void vxe_simulation_clear(vxe_simulation *simulation)
{
    vxe_state_clear(&simulation->state);
    vxe_model_clear(&simulation->model);
    *simulation = (vxe_simulation){0};
}

/* Writes what went wrong as text. */
static void describe(const vxe_simulation *simulation, char *text, size_t size)
{
    const vxe_failure *failure = &simulation->failure;
    const uint32_t *order = simulation->model.topology.order;
    switch (failure->kind) {
    case VXE_FAILURE_TURN:
        snprintf(text, size, "voxel %u turned by more than %g rad in a step", order[failure->lower],
                 VXE_MAX_TURN);
        break;
    case VXE_FAILURE_UNSETTLED:
        snprintf(text, size, "induced magnetic moments do not converge (lower the susceptibility)");
        break;
    case VXE_FAILURE_NEAR:
        snprintf(text, size,
                 "magnets came nearer than %.2g edges: pull beyond contact (stiffen, or "
                 "dipole_soften_m)",
                 pow(vxe_magnets_steepest(simulation->model.magnets, simulation->state.time_step),
                     -0.1));
        break;
    case VXE_FAILURE_PASSED:
        snprintf(text, size, "a voxel was pushed through the floor of the power law");
        break;
    case VXE_FAILURE_STIFF:
        snprintf(text, size, "a contact became stiffer than the time step allows");
        break;
    case VXE_FAILURE_PARTICLES:
        snprintf(text, size, "more than %u contacts or %u near pairs for each particle",
                 VXE_MAX_PARTICLE_CONTACTS, VXE_MAX_PARTICLE_PAIRS);
        break;
    case VXE_FAILURE_FULL:
        if (simulation->state.voxelyze) {
            snprintf(text, size, "too many voxels are near each other");
        } else {
            snprintf(text, size, "more than %u sticky links for each voxel of the surface",
                     VXE_MAX_STICKY_LINKS);
        }
        break;
    case VXE_FAILURE_CROWD:
        snprintf(text, size, "more than %u voxels are within reach of voxel %u", VXE_MAX_NEIGHBORS,
                 order[failure->lower]);
        break;
    case VXE_FAILURE_CROSSED:
        if (failure->lower == failure->upper) {
            snprintf(text, size,
                     "voxels are too fast for contacts: they move by %d edges in a step",
                     VXE_MISSED_EDGES);
        } else {
            snprintf(text, size, "voxels %u and %u went through each other", order[failure->lower],
                     order[failure->upper]);
        }
        break;
    default:
        snprintf(text, size, "the bond in %c between voxels %u and %u left its bounds",
                 "xyz"[failure->axis], order[failure->lower], order[failure->upper]);
    }
}

/* Reports energy from nothing. */
static vxe_status tell_unphysical(const vxe_simulation *simulation, vxe_error *error)
{
    static const char *const forms[] = {"kinetic",     "elastic",          "of the floor's spring",
                                        "of contacts", "of affine bodies", "magnetic",
                                        "of weight"};
    const vxe_failure *failure = &simulation->failure;
    const vxe_state *state = &simulation->state;
    const uint32_t *order = simulation->model.topology.order;
    VXE_ASSERT(failure->form < sizeof forms / sizeof forms[0]);
    return vxe_error_fill(
        error, VXE_ERROR_UNPHYSICAL,
        "unphysical at step %" PRIu64 ", t = %.6g s: energy rose by %.3g J where at most %.3g J "
        "were put in; most of it %s, at voxels %u and %u",
        state->step - 1, vxe_state_time(state) - state->time_step, failure->risen, failure->given,
        forms[failure->form], order[failure->lower], order[failure->upper]);
}

vxe_status vxe_simulation_diverged(const vxe_simulation *simulation, vxe_error *error)
{
    const vxe_state *state = &simulation->state;
    if (simulation->failure.kind == VXE_FAILURE_ENERGY) {
        return tell_unphysical(simulation, error);
    }
    if (simulation->failure.kind && simulation->failure.kind != VXE_FAILURE_NUMBER) {
        char what[96];
        describe(simulation, what, sizeof what);
        return vxe_error_fill(error, VXE_ERROR_DIVERGED,
                              "diverged at step %" PRIu64 ", t = %.6g s: %s", state->step - 1,
                              vxe_state_time(state) - state->time_step, what);
    }
    return vxe_error_fill(error, VXE_ERROR_DIVERGED,
                          "diverged before step %" PRIu64 ", t = %.6g s: a number is not finite",
                          state->step, vxe_state_time(state));
}

void vxe_simulation_center(const vxe_simulation *simulation, double position[3], double velocity[3])
{
    const vxe_model *model = &simulation->model;
    for (int c = 0; c < 3; c++) {
        double x = 0;
        double v = 0;
        double total = 0; /* sum of the masses as rounded to the run's precision */
        for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
            const double mass = vxe_real_at(model->precision, model->arrays.mass, i);
            total += mass;
            x += mass * vxe_state_position(&simulation->state, c, i);
            v += mass * vxe_state_velocity(&simulation->state, c, i);
        }
        VXE_ASSERT(total > 0);
        position[c] = model->origin[c] + x / total;
        if (velocity) {
            velocity[c] = v / total;
        }
    }
}

void vxe_simulation_displace(vxe_simulation *simulation, const double turn[3],
                             const double shift[3])
{
    double center[3];
    vxe_state *state = &simulation->state;
    const double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    if (angle == 0 && shift[0] == 0 && shift[1] == 0 && shift[2] == 0) {
        return;
    }
    double sine = 0;
    double cosine = 1;
    vxe_sincos_cycles(0.5 * angle / VXE_TAU, &sine, &cosine);
    const double by = angle > 0 ? sine / angle : 0;
    const double q[4] = {cosine, by * turn[0], by * turn[1], by * turn[2]};
    vxe_simulation_center(simulation, center, NULL);
    for (uint32_t i = 0; i < simulation->model.topology.voxel_count; i++) {
        double at[3];
        double was[4];
        double turned[4];
        for (int c = 0; c < 3; c++) {
            at[c] = vxe_state_position(state, c, i) + simulation->model.origin[c] - center[c];
        }
        for (int c = 0; c < 4; c++) {
            was[c] = vxe_state_orientation(state, c, i);
        }
        vxe_rotate(q, at, at);
        vxe_quaternion_times(q, was, turned);
        for (int c = 0; c < 3; c++) {
            vxe_state_put_position(state, c, i,
                                   at[c] + center[c] - simulation->model.origin[c] + shift[c]);
        }
        for (int c = 0; c < 4; c++) {
            vxe_state_put_orientation(state, c, i, turned[c]);
        }
    }
}
