/* SPDX-License-Identifier: MIT */
/* A step of affine bodies, part by part; see affine_group.h. Bodies that may touch within the step
   form a cluster and share the same parts, since each needs the loads of the others at both ends of
   a part. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "engine/affine/affine_group.h"
#include "engine/affine/affine_motion.h"

/* Maximum part by contact, as a fraction of 2/w with w from the contact stiffness. */
#define OF_PERIOD 0.05
/* Likewise, of the time in which the nearest point would reach the wall. */
#define OF_WAY 0.02
/* Likewise, of m/c with c from the contact damping. */
#define OF_DECAY 0.1
/* Maximum number of halvings of a part that ends in a wall. */
#define MAX_HALVINGS 60

/* Maximum part (s) that resolves a body's own motion and its contacts. */
static double part_for(const vxe_affine *body, const vxe_affine_end *now)
{
    const vxe_affine_load *load = &now->load;
    const double steep = load->stiffness * body->mobility;
    const double decay = load->dashpot * body->mobility;
    double part = vxe_affine_own_part(&body->own, now);
    part = steep > 0 ? fmin(part, OF_PERIOD * 2 / sqrt(steep)) : part;
    part = decay > 0 ? fmin(part, OF_DECAY / decay) : part;
    part = load->fastest > 0 ? fmin(part, OF_WAY * load->nearest / load->fastest) : part;
    return body->own.part_scale * part;
}

void vxe_affine_impulse(const vxe_affine *body, vxe_affine_state *state, const vxe_power_sum *push,
                        double time, double h)
{
    vxe_affine_load load = {.energy = 0};
    double by_arm[9];
    for (int c = 0; c < 3; c++) {
        load.force[c] = push->push[c] + push->loss[c] - body->own.mass * body->own.gravity[c];
    }
    for (int i = 0; i < 9; i++) {
        by_arm[i] = push->push_by_arm[i] + push->loss_by_arm[i];
    }
    if (body->own.is.rigid) {
        vxe_m3_axial(by_arm, load.torque);
        vxe_rigid_kick(&body->own, state, &load, h);
        vxe_rigid_update(&body->own, state);
        return;
    }
    for (int c = 0; c < 3 && !body->own.is.hold_center; c++) {
        state->v[c] += h * (push->push[c] + push->loss[c]) / body->own.mass;
    }
    if (!body->own.is.hold_deformation) {
        double inverse[9];
        double own[9];
        double by[9];
        double way[9];
        vxe_m3_inverse_transposed(state->deformation, inverse);
        vxe_m3_times(inverse, body->own.inverse_euler, way);
        vxe_m3_times(by_arm, inverse, own);
        vxe_m3_times(own, body->own.inverse_euler, by);
        const double kept =
            body->own.is.keeps_volume ? vxe_m3_dot(inverse, by) / vxe_m3_dot(inverse, way) : 0;
        vxe_m3_add(by, -kept, way);
        vxe_m3_add(state->rate, h, by);
        if (body->own.is.grows &&
            body->own.is.keeps_volume) { /* the pressure of the constraint works on growth */
            double growth[9];
            double flow[9];
            vxe_affine_growth_at(&body->own, time, growth, flow);
            state->driven -= h * kept * vxe_m3_trace(flow);
        }
    }
}

/* Adds losses and work of contact in a part, by the trapezoidal rule over the powers at its ends;
   these use the velocities in the middle of the part. */
static void account_contact(const vxe_affine_end *before, vxe_affine_end *after, double h)
{
    const vxe_affine_load *loads[2] = {&before->load, &after->load};
    vxe_affine_state *sum = &after->state;
    for (int e = 0; e < 2; e++) {
        sum->damped += 0.5 * h * loads[e]->damped;
        sum->rubbed += 0.5 * h * loads[e]->rubbed;
        sum->worked += 0.5 * h * loads[e]->widened;
    }
}

/* The bodies of one cluster. */
typedef struct together {
    const vxe_affine_group *group;
    const uint32_t *members; /* (count) */
    uint32_t count;
} together;

/* Advances a cluster by a part of h seconds from now to next; returns the minimum distance (m) at
   its end. If it is not above 0, the part is not finished and must be tried again, shorter. */
static double run_part(const together *of, double h)
{
    const vxe_affine_group *group = of->group;
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        group->taken[b] =
            vxe_affine_begin(&group->bodies[b].own, &group->now[b], &group->next[b], h);
        if (group->bodies[b].own.is.rigid) { /* contact damping reads its velocities */
            vxe_rigid_update(&group->bodies[b].own, &group->next[b].state);
        }
    }
    vxe_affine_sample_load(group, of->members, of->count, group->next);
    for (uint32_t i = 0; i < of->count; i++) {
        nearest = fmin(nearest, group->next[of->members[i]].load.nearest);
    }
    for (uint32_t i = 0; i < of->count && nearest > 0; i++) {
        const uint32_t b = of->members[i];
        vxe_affine_finish(&group->bodies[b].own, &group->next[b], h, group->taken[b]);
    }
    return nearest;
}

vxe_status vxe_affine_complain(const vxe_affine *body, double time, vxe_affine_fate fate,
                               vxe_error *error)
{
    return vxe_error_fill(
        error, VXE_ERROR_DIVERGED, "diverged at t = %.6g s: affine body '%s' %s", time, body->name,
        fate == VXE_AFFINE_PUSHED_THROUGH ? "was pushed through a wall or another body"
        : fate == VXE_AFFINE_TOO_MANY_PARTS
            ? "needs too many parts of a step: its contact is too stiff or it rotates too fast"
            : "has collapsed");
}

/* VXE_ERROR_DIVERGED with the reason if some body of a cluster cannot go on; else VXE_OK. */
static vxe_status complain(const together *of, bool too_many, vxe_error *error)
{
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        const vxe_affine_end *next = &of->group->next[b];
        const vxe_affine_fate fate = !(next->load.nearest > 0) ? VXE_AFFINE_PUSHED_THROUGH
                                     : too_many                ? VXE_AFFINE_TOO_MANY_PARTS
                                     : vxe_affine_is_whole(&of->group->bodies[b].own, next)
                                         ? VXE_AFFINE_GOES_ON
                                         : VXE_AFFINE_COLLAPSED;
        if (fate != VXE_AFFINE_GOES_ON) {
            return vxe_affine_complain(&of->group->bodies[b], of->group->now[b].time, fate, error);
        }
    }
    return VXE_OK;
}

/* Starts a step: loads, growth and stresses of a cluster at its first end. */
static void start_step(const together *of, double time)
{
    const vxe_affine_group *group = of->group;
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        group->now[b] = (vxe_affine_end){.state = group->states[b], .time = time};
    }
    vxe_affine_sample_load(group, of->members, of->count, group->now);
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t b = of->members[i];
        if (!group->bodies[b].own.is.rigid) {
            vxe_affine_grow_by_formulas(&group->bodies[b].own, &group->now[b]);
            vxe_affine_measure(&group->now[b]);
            vxe_affine_stand(&group->bodies[b].own, &group->now[b]);
            vxe_affine_strain(&group->bodies[b].own, &group->now[b], false);
        }
    }
}

/* Advances a cluster from a time on by h seconds. */
static vxe_status advance(const together *of, double time, double h, vxe_error *error)
{
    const vxe_affine_group *group = of->group;
    const uint32_t *members = of->members;
    const uint32_t count = of->count;
    VXE_ASSERT(h > 0 && count > 0 && count <= group->count);
    vxe_status status = VXE_OK;
    double left = h;
    start_step(of, time);
    for (uint32_t parts = 0; left > 0 && !status; parts++) {
        double part = left;
        for (uint32_t i = 0; i < count; i++) {
            part = fmin(part, part_for(&group->bodies[members[i]], &group->now[members[i]]));
        }
        /* the rest is halved rather than leaving a tiny last part */
        part = 2 * part > left && part < left ? 0.5 * left : part;
        double nearest = run_part(of, part);
        for (int halved = 0; !(nearest > 0) && halved < MAX_HALVINGS; halved++) {
            part *= 0.5;
            nearest = run_part(of, part);
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t b = members[i];
            account_contact(&group->now[b], &group->next[b], part);
            vxe_affine_account(&group->bodies[b].own, &group->now[b], &group->next[b], part);
        }
        status = complain(of, parts == VXE_AFFINE_MAX_PARTS, error);
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

/* Whether two bodies may touch within h seconds: their gap is tested against the reach and twice
   the distance that both move at their present speeds. */
static bool may_meet(const vxe_affine_group *group, uint32_t a, uint32_t b, double h)
{
    double way = 0;
    for (int i = 0; i < 2; i++) {
        const vxe_affine_hull *hull = &group->hulls[i == 0 ? a : b];
        const double *turning = hull->frame.gradient;
        way += sqrt(vxe_dot3(hull->frame.v, hull->frame.v)) +
               hull->radius * sqrt(vxe_m3_dot(turning, turning));
    }
    const double reach = fmax(group->bodies[a].reach, group->bodies[b].reach);
    return vxe_affine_gap(group, a, b) < reach + 2 * h * way;
}

/* Finds clusters: connected components of the graph of bodies that may touch within h. Each is
   named by its first body. */
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
        VXE_ASSERT(count <= group->count - first);
        if (count > 0) {
            const together of = {group, group->members, count};
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
        energy.kinetic += 0.5 * body->own.mass * state->v[c] * state->v[c];
        energy.gravity -= body->own.mass * body->own.gravity[c] * state->place[c];
    }
    if (body->own.is.rigid) {
        double w[3];
        vxe_rigid_spin(&body->own, state, w);
        const double turning =
            0.5 * (w[0] * state->spin[0] + w[1] * state->spin[1] + w[2] * state->spin[2]);
        energy.kinetic = turning + (body->own.is.pinned ? 0 : energy.kinetic);
    } else {
        double moved[9];
        vxe_m3_times(state->rate, body->euler, moved);
        energy.kinetic += 0.5 * vxe_m3_dot(moved, state->rate);
        energy.elastic = body->own.volume * vxe_affine_stored(&body->own, state);
    }
    vxe_affine_load_of(group, b, time, &load);
    energy.contact = load.energy;
    return energy;
}
