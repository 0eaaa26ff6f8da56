/* SPDX-License-Identifier: MIT */
/* The way of bodies through a step, part by part; see affine_internal.h. Those that may meet go
   through the same parts. */
#include <math.h>
#include <string.h>

#include "common/status_internal.h"
#include "engine/affine/affine_internal.h"

/* Parts of a step, beside those of what is within the body: of 2/w, w from the contact's steepness;
 * of what the nearest point would take to the wall; of m/c, c from contact's damping. */
#define OF_PERIOD 0.05
#define OF_WAY 0.02
#define OF_DECAY 0.1
/* Of a rigid body's turn, rad. */
#define OF_TURN 0.02
/* Parts that a step may have, and halvings of one that ends in a wall. */
#define MOST_PARTS 100000u
#define MOST_HALVINGS 60
/* Newton's steps for the volume, and rounds for what is felt of the rates at the end of a part. */
#define MOST_STEPS 30
#define ROUNDS 3
/* Volumes are kept to that part of them. */
#define EXACT 2e-15
/* or where rounding or folding does not let them, to that one */
#define NEARLY 1e-9

typedef vxe_affine_end end;

/* The longest part that follows what acts. */
static double part_for(const vxe_affine *body, const end *now)
{
    const vxe_affine_load *load = &now->load;
    double part = HUGE_VAL;
    if (body->kind == VXE_AFFINE_RIGID) {
        double w[3];
        vxe_rigid_spin(body, &now->state, w);
        const double spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        part = spin > 0 ? OF_TURN / spin : part;
    } else if (!body->hold_deformation || body->driven) {
        part = vxe_affine_inner_part(body, &now->state, now->flow);
    }
    const double steep = load->stiffness * body->mobility;
    const double decay = load->dashpot * body->mobility;
    part = steep > 0 ? fmin(part, OF_PERIOD * 2 / sqrt(steep)) : part;
    part = decay > 0 ? fmin(part, OF_DECAY / decay) : part;
    part = load->fastest > 0 ? fmin(part, OF_WAY * load->nearest / load->fastest) : part;
    return body->part_scale * part;
}

/* What the rates change by in a second: (M - V0 S) J^-1. */
static void acceleration(const vxe_affine *body, const end *at, double into[9])
{
    double sum[9];
    for (int i = 0; i < 9; i++) {
        sum[i] = at->load.by_arm[i] - body->volume * at->stress.stress[i];
    }
    vxe_m3_times(sum, body->inverse_euler, into);
}

/* The way in which volume is kept: P^-T J^-1; P^-T into inverse. */
static void constraint(const vxe_affine *body, const double p[9], double inverse[9], double way[9])
{
    vxe_m3_inverse_transposed(p, inverse);
    vxe_m3_times(inverse, body->inverse_euler, way);
}

/* Goes from p for h seconds such that the volume is what growth makes it; what that takes of the
 * way, 1/s. */
static double drift_in_volume(const vxe_affine *body, vxe_affine_state *state, double h,
                              double volume)
{
    double inverse[9];
    double way[9];
    double next[9];
    double taken = 0;
    double error = HUGE_VAL;
    constraint(body, state->deformation, inverse, way);
    for (int step = 0; step < MOST_STEPS; step++) {
        for (int i = 0; i < 9; i++) {
            next[i] = state->deformation[i] + h * (state->rate[i] + taken * way[i]);
        }
        const double determinant = vxe_m3_inverse_transposed(next, inverse);
        const double slope = determinant * h * vxe_m3_dot(inverse, way);
        error = determinant - volume;
        if (!(fabs(error) > EXACT * volume)) {
            break;
        }
        taken -= error / slope;
    }
    vxe_m3_add(state->rate, taken, way);
    memcpy(state->deformation, next, sizeof next);
    if (!(fabs(error) <= NEARLY * volume)) { /* which ends the run */
        state->deformation[0] = (double)NAN;
    }
    return taken;
}

/* Makes the rates keep the volume but for growth's; what that takes, 1/s. */
static double project(const vxe_affine *body, vxe_affine_state *state, const double flow[9])
{
    double inverse[9];
    double way[9];
    constraint(body, state->deformation, inverse, way);
    const double taken =
        (vxe_m3_trace(flow) - vxe_m3_dot(inverse, state->rate)) / vxe_m3_dot(inverse, way);
    vxe_m3_add(state->rate, taken, way);
    return taken;
}

void vxe_affine_impulse(const vxe_affine *body, vxe_affine_state *state, const vxe_power_sum *push,
                        double time, double h)
{
    vxe_affine_load load = {.energy = 0};
    double by_arm[9];
    for (int c = 0; c < 3; c++) {
        load.force[c] = push->push[c] + push->loss[c] - body->mass * body->gravity[c];
    }
    for (int i = 0; i < 9; i++) {
        by_arm[i] = push->push_by_arm[i] + push->loss_by_arm[i];
    }
    if (body->kind == VXE_AFFINE_RIGID) {
        vxe_m3_axial(by_arm, load.torque);
        vxe_rigid_kick(body, state, &load, h);
        return;
    }
    for (int c = 0; c < 3 && !body->hold_center; c++) {
        state->v[c] += h * (push->push[c] + push->loss[c]) / body->mass;
    }
    if (!body->hold_deformation) {
        double inverse[9];
        double own[9];
        double by[9];
        double way[9];
        constraint(body, state->deformation, inverse, way);
        vxe_m3_times(by_arm, inverse, own);
        vxe_m3_times(own, body->inverse_euler, by);
        const double kept =
            body->keeps_volume ? vxe_m3_dot(inverse, by) / vxe_m3_dot(inverse, way) : 0;
        vxe_m3_add(by, -kept, way);
        vxe_m3_add(state->rate, h, by);
        if (body->grows && body->keeps_volume) { /* what keeps it works on what grows */
            double growth[9];
            double flow[9];
            vxe_affine_growth_at(body, time, growth, flow);
            state->driven -= h * kept * vxe_m3_trace(flow);
        }
    }
}

/* Flow and stresses of a deformable body. */
static void strain(const vxe_affine *body, end *at)
{
    double growth[9];
    if (body->grows) {
        vxe_affine_growth_at(body, at->time, growth, at->flow);
        memcpy(at->state.growth, growth, sizeof growth);
    } else if (body->driven) {
        vxe_affine_driven_flow(body, &at->state, at->time, at->flow);
    }
    vxe_affine_stress_of(body, &at->state, at->flow, &at->stress);
}

/* What a part has dissipated and been given, by the powers at its ends; contact's are those of the
 * velocities in its middle. */
static void account(const vxe_affine *body, const end *before, end *after, double h)
{
    const end *ends[2] = {before, after};
    const double half = 0.5 * h;
    vxe_affine_state *sum = &after->state;
    for (int e = 0; e < 2; e++) {
        const end *at = ends[e];
        sum->damped += half * at->load.damped;
        sum->rubbed += half * at->load.rubbed;
        sum->worked += half * at->load.widened;
        for (int c = 0; c < 3; c++) {
            sum->worked += half * at->load.given[c] * at->state.v[c];
        }
        if (body->kind == VXE_AFFINE_RIGID) {
            continue;
        }
        sum->viscous += half * body->volume * at->stress.viscous;
        if (body->driven) {
            const double slow = body->number[VXE_AFFINE_GROWTH_VISCOSITY];
            double drive[9];
            vxe_affine_drive_at(body, at->time, drive);
            sum->driven += half * body->volume * vxe_m3_dot(drive, at->flow);
            sum->remodelled += half * body->volume * slow * vxe_m3_dot(at->flow, at->flow);
        } else if (body->grows) { /* what gives the flow that is told */
            const double pressure = body->keeps_volume ? after->state.pressure : 0;
            sum->driven +=
                half * body->volume *
                (pressure * vxe_m3_trace(at->flow) - vxe_m3_dot(at->stress.drive, at->flow));
        }
    }
}

static void kick_center(const vxe_affine *body, end *at, double h)
{
    for (int c = 0; c < 3 && !body->hold_center; c++) {
        at->state.v[c] += h * (body->gravity[c] + at->load.force[c] / body->mass);
    }
}

/* Growth at the end of a driven part, by its flow in the middle. */
static void grow(const vxe_affine *body, const end *before, end *after, double h)
{
    vxe_affine_state middle = after->state;
    double flow[9];
    memcpy(flow, before->flow, sizeof flow);
    vxe_affine_grow(middle.growth, flow, 0.5 * h);
    vxe_m3_add(middle.deformation, 0.5 * h, after->state.rate);
    vxe_affine_driven_flow(body, &middle, before->time + 0.5 * h, flow);
    vxe_affine_grow(after->state.growth, flow, h);
}

static double grown_volume(const vxe_affine *body, const end *after)
{
    double growth[9];
    double flow[9];
    if (body->grows) {
        vxe_affine_growth_at(body, after->time, growth, flow);
        return vxe_m3_determinant(growth);
    }
    return vxe_m3_determinant(after->state.growth);
}

/* What a part does before what acts at its end is known: half a kick, growth and the drift. Of the
 * way that keeps the volume, what the drift took (1/s). */
static double begin_deformable(const vxe_affine *body, const end *before, end *after, double h)
{
    double by[9];
    vxe_affine_state *state = &after->state;
    acceleration(body, before, by);
    if (!body->hold_deformation) {
        vxe_m3_add(state->rate, 0.5 * h, by);
    }
    kick_center(body, after, 0.5 * h);
    if (body->driven) {
        grow(body, before, after, h);
    }
    after->time = before->time + h;
    for (int c = 0; c < 3; c++) {
        state->place[c] += h * state->v[c];
    }
    if (body->keeps_volume && !body->hold_deformation) {
        return drift_in_volume(body, state, h, grown_volume(body, after));
    }
    vxe_m3_add(state->deformation, h, state->rate);
    return 0;
}

/* And the other half of the kick, with the rates that are felt at its end. */
static void end_deformable(const vxe_affine *body, end *after, double h, double taken)
{
    double by[9];
    double start[9];
    vxe_affine_state *state = &after->state;
    kick_center(body, after, 0.5 * h);
    memcpy(start, state->rate, sizeof start);
    double projected = 0;
    for (int round = 0; round < ROUNDS; round++) {
        strain(body, after);
        if (body->hold_deformation) {
            break;
        }
        acceleration(body, after, by);
        memcpy(state->rate, start, sizeof start);
        vxe_m3_add(state->rate, 0.5 * h, by);
        projected = body->keeps_volume ? project(body, state, after->flow) : 0;
    }
    state->pressure = (taken + projected) / (h * body->volume);
}

/* Bodies that go together. */
typedef struct company {
    const vxe_affine_group *group;
    const uint32_t *members; /* (count) */
    uint32_t count;
} company;

/* A part of h seconds from now to next; the least distance at its end. */
static double run_part(const company *of, double h)
{
    const vxe_affine_group *group = of->group;
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        const vxe_affine *body = &group->bodies[b];
        end *next = &group->next[b];
        *next = group->now[b];
        if (body->kind == VXE_AFFINE_RIGID) {
            vxe_rigid_kick(body, &next->state, &next->load, 0.5 * h);
            vxe_rigid_drift(body, &next->state, h);
            next->time += h;
        } else {
            group->taken[b] = begin_deformable(body, &group->now[b], next, h);
        }
    }
    vxe_affine_feel(group, of->members, of->count, group->next);
    for (uint32_t i = 0; i < of->count; i++) {
        nearest = fmin(nearest, group->next[of->members[i]].load.nearest);
    }
    for (uint32_t i = 0; i < of->count && nearest > 0; i++) {
        const uint32_t b = of->members[i];
        const vxe_affine *body = &group->bodies[b];
        if (body->kind == VXE_AFFINE_RIGID) {
            vxe_rigid_kick(body, &group->next[b].state, &group->next[b].load, 0.5 * h);
        } else {
            end_deformable(body, &group->next[b], h, group->taken[b]);
        }
    }
    return nearest;
}

static bool is_finite(const vxe_affine_state *state)
{
    bool finite = true;
    for (int i = 0; i < 9; i++) {
        finite = finite && isfinite(state->deformation[i]) && isfinite(state->rate[i]) &&
                 isfinite(state->growth[i]);
    }
    for (int c = 0; c < 3; c++) {
        finite = finite && isfinite(state->place[c]) && isfinite(state->v[c]);
    }
    return finite && vxe_m3_determinant(state->deformation) > 0;
}

static bool is_done(const vxe_affine_end *at)
{
    return is_finite(&at->state) && at->load.nearest > 0;
}

/* Why a body cannot go on from now, if it cannot. */
static vxe_status complain(const company *of, bool too_many, vxe_error *error)
{
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        const end *next = &of->group->next[b];
        if (!is_done(next) || too_many) {
            return vxe_error_fill(
                error, VXE_ERROR_DIVERGED, "diverged at t = %.6g s: affine body '%s' %s",
                of->group->now[b].time, of->group->bodies[b].name,
                !(next->load.nearest > 0) ? "was pushed through a wall or another body"
                : too_many ? "asks for too many parts of a step (a stiff wall, a fast spin?)"
                           : "has collapsed");
        }
    }
    return VXE_OK;
}

static void start_step(const company *of, double time)
{
    const vxe_affine_group *group = of->group;
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        group->now[b] = (end){.state = group->states[b], .time = time};
    }
    vxe_affine_feel(group, of->members, of->count, group->now);
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        if (group->bodies[b].kind != VXE_AFFINE_RIGID) {
            strain(&group->bodies[b], &group->now[b]);
        }
    }
}

/* Bodies that go together, from a time on by h seconds. */
static vxe_status advance(const company *of, double time, double h, vxe_error *error)
{
    const vxe_affine_group *group = of->group;
    const uint32_t *members = of->members;
    const uint32_t count = of->count;
    vxe_status status = VXE_OK;
    double left = h;
    start_step(of, time);
    for (uint32_t parts = 0; left > 0 && !status; parts++) {
        double part = left;
        for (uint32_t i = 0; i < count; i++) {
            part = fmin(part, part_for(&group->bodies[members[i]], &group->now[members[i]]));
        }
        part = 2 * part > left && part < left ? 0.5 * left : part; /* no last one that is tiny */
        double nearest = run_part(of, part);
        for (int halved = 0; !(nearest > 0) && halved < MOST_HALVINGS; halved++) {
            part *= 0.5;
            nearest = run_part(of, part);
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t b = members[i];
            account(&group->bodies[b], &group->now[b], &group->next[b], part);
        }
        status = complain(of, parts == MOST_PARTS, error);
        for (uint32_t i = 0; i < count; i++) {
            group->now[members[i]] = group->next[members[i]];
        }
        left -= part;
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        group->states[members[i]] = group->now[members[i]].state;
    }
    return status;
}

/* Whether two bodies may meet within h seconds: twice as far as they go. */
static bool may_meet(const vxe_affine_group *group, uint32_t a, uint32_t b, double h)
{
    double way = 0;
    for (int i = 0; i < 2; i++) {
        const vxe_hull *hull = &group->hulls[i == 0 ? a : b];
        const double *turning = hull->frame.gradient;
        way += sqrt(vxe_dot3(hull->frame.v, hull->frame.v)) +
               hull->radius * sqrt(vxe_m3_dot(turning, turning));
    }
    const double reach = fmax(group->bodies[a].reach, group->bodies[b].reach);
    return vxe_affine_gap(group, a, b) < reach + 2 * h * way;
}

/* Each body's cluster is the first body of those that it may meet, or they, and so on. */
static void find_clusters(const vxe_affine_group *group, double h)
{
    for (uint32_t b = 0; b < group->count; b++) {
        group->cluster[b] = b;
        if (group->hulls) {
            vxe_hull_put(&group->hulls[b], &group->bodies[b], &group->states[b]);
        }
    }
    for (uint32_t a = 0; a < group->count && group->hulls; a++) {
        for (uint32_t b = a + 1; b < group->count; b++) {
            const uint32_t one = group->cluster[a];
            const uint32_t other = group->cluster[b];
            if (one == other || !may_meet(group, a, b, h)) {
                continue;
            }
            for (uint32_t c = 0; c < group->count; c++) {
                if (group->cluster[c] == (one > other ? one : other)) {
                    group->cluster[c] = one > other ? other : one;
                }
            }
        }
    }
}

vxe_status vxe_affine_group_advance(const vxe_affine_group *group, double time, double h,
                                    vxe_error *error)
{
    vxe_status status = VXE_OK;
    find_clusters(group, h);
    for (uint32_t first = 0; first < group->count && !status; first++) {
        uint32_t count = 0;
        for (uint32_t b = first; b < group->count; b++) {
            group->members[count] = b;
            count += group->cluster[b] == first;
        }
        if (count > 0) {
            const company of = {group, group->members, count};
            status = advance(&of, time, h, error);
        }
    }
    return status;
}

vxe_affine_energy vxe_affine_energy_of(const vxe_affine_group *group, uint32_t b, double time)
{
    const vxe_affine *body = &group->bodies[b];
    const vxe_affine_state *state = &group->states[b];
    vxe_affine_energy energy = {0};
    vxe_affine_load load;
    for (int c = 0; c < 3; c++) {
        energy.kinetic += 0.5 * body->mass * state->v[c] * state->v[c];
        energy.gravity -= body->mass * body->gravity[c] * state->place[c];
    }
    if (body->kind == VXE_AFFINE_RIGID) {
        double w[3];
        vxe_rigid_spin(body, state, w);
        const double turning =
            0.5 * (w[0] * state->spin[0] + w[1] * state->spin[1] + w[2] * state->spin[2]);
        energy.kinetic = turning + (body->pinned ? 0 : energy.kinetic);
    } else {
        double moved[9];
        vxe_affine_stress stress;
        static const double still[9] = {0};
        vxe_m3_times(state->rate, body->euler, moved);
        energy.kinetic += 0.5 * vxe_m3_dot(moved, state->rate);
        vxe_affine_stress_of(body, state, still, &stress);
        energy.elastic = body->volume * stress.energy;
    }
    vxe_affine_load_of(group, b, time, &load);
    energy.contact = load.energy;
    return energy;
}
