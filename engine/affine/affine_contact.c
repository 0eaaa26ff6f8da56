/* SPDX-License-Identifier: MIT */
/* External loads of affine bodies: walls and other bodies by the power law over the deformed faces
   (Contento2009; docs/affine-bodies.md, Contact), and forces by formulas. The cofactors of P carry
   normals and areas of faces along (Nanson's formula, GurtinFriedAnand2010). Friction is
   that of the power law (contact_models/power_law_kernels.c). */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/affine/affine_group.h"
#include "engine/affine/affine_law.h"

/* rad: a face counts as facing a wall if it leans towards the wall by more than this angle. */
#define EDGEWISE 1e-6

void vxe_affine_frame_of(const vxe_affine_state *state, vxe_power_frame *frame)
{
    double inverse[9];
    memcpy(frame->place, state->place, sizeof frame->place);
    memcpy(frame->v, state->v, sizeof frame->v);
    vxe_m3_inverse_transposed(state->deformation, inverse);
    vxe_m3_times_transposed(state->rate, inverse, frame->gradient);
}

void vxe_affine_make_patch(const double *const corner[4], vxe_power_patch *patch)
{
    for (int c = 0; c < 3; c++) {
        const double a = corner[0][c];
        const double b = corner[1][c];
        const double d = corner[2][c];
        const double e = corner[3][c];
        patch->middle[c] = 0.25 * (a + b + d + e);
        patch->side[0][c] = 0.25 * (b + d - a - e);
        patch->side[1][c] = 0.25 * (d + e - a - b);
        patch->taper[c] = 0.25 * (a + d - b - e);
    }
}

void vxe_affine_deform(const double p[9], const vxe_power_patch *face, vxe_power_patch *now)
{
    VXE_ASSERT(face != now); /* products of matrices may not be computed in place */
    vxe_m3_apply(p, face->middle, now->middle);
    vxe_m3_apply(p, face->side[0], now->side[0]);
    vxe_m3_apply(p, face->side[1], now->side[1]);
    vxe_m3_apply(p, face->taper, now->taper);
}

double vxe_affine_widening(const double gradient[9], const double out[3])
{
    double moved[3];
    vxe_m3_apply(gradient, out, moved);
    return vxe_m3_trace(gradient) - vxe_dot3(out, moved) / vxe_dot3(out, out);
}

/* Adds the contact load of a wall to a body's push. */
static void add_wall(const vxe_power_kernels *kernels, const vxe_affine *body,
                     const vxe_power_frame *frame, const double p[9], const vxe_plane *plane,
                     vxe_affine_push *push)
{
    double turned[9]; /* carries normals along (Nanson) */
    VXE_ASSERT(fabs(vxe_dot3(plane->n, plane->n) - 1) < 1e-3);
    vxe_m3_cofactors(p, turned);
    for (uint32_t i = 0; i < body->patch_count; i++) {
        vxe_power_patch now;
        double out[3];
        vxe_m3_apply(turned, body->normals + 3 * (size_t)i, out);
        const double towards = -vxe_dot3(out, plane->n);
        if (body->contact[VXE_POWER_FACING] > 0 &&
            !(towards > EDGEWISE * sqrt(vxe_dot3(out, out)))) {
            continue;
        }
        const double before = push->sum.energy;
        vxe_affine_deform(p, &body->patches[i], &now);
        vxe_power_add_patch(kernels, body->contact, frame, plane, &now, &push->sum);
        push->widened += (push->sum.energy - before) * vxe_affine_widening(frame->gradient, out);
    }
}

/* Clears a body's push and puts its hull where the body is. */
static void place(const vxe_affine_group *group, uint32_t b, const vxe_affine_state *state)
{
    VXE_ASSERT(b < group->count);
    group->pushes[b] = (vxe_affine_push){.sum = {.nearest = HUGE_VAL}};
    if (group->hulls) {
        vxe_hull_put(&group->hulls[b], &group->bodies[b], state);
    }
}

/* Starts the sum of a body's contact loads with those of floor and walls. */
static void begin(const vxe_affine_group *group, uint32_t b, const vxe_affine_state *state)
{
    const vxe_affine *body = &group->bodies[b];
    vxe_affine_push *push = &group->pushes[b];
    vxe_power_frame frame;
    place(group, b, state);
    if (body->patch_count == 0) {
        return;
    }
    vxe_affine_frame_of(state, &frame);
    for (uint32_t i = 0; i < group->plane_count; i++) {
        add_wall(vxe_power_kernels_of(group->kernels), body, &frame, state->deformation,
                 &group->planes[i], push);
    }
}

/* Adds the contact load of two bodies on each other if they are within reach. */
static void add_pair(const vxe_affine_group *group, uint32_t a, uint32_t b)
{
    VXE_ASSERT(a < b && b < group->count); /* pairs are summed in one order */
    const vxe_affine *const body[2] = {&group->bodies[a], &group->bodies[b]};
    if (group->hulls && vxe_affine_gap(group, a, b) < fmax(body[0]->reach, body[1]->reach)) {
        const vxe_affine_hull *const hull[2] = {&group->hulls[a], &group->hulls[b]};
        vxe_affine_push *const push[2] = {&group->pushes[a], &group->pushes[b]};
        vxe_affine_push_pair(vxe_power_kernels_of(group->kernels), body, hull, push);
    }
}

double vxe_affine_gap(const vxe_affine_group *group, uint32_t a, uint32_t b)
{
    VXE_ASSERT(group->hulls && a < group->count && b < group->count);
    const vxe_affine_hull *one = &group->hulls[a];
    const vxe_affine_hull *other = &group->hulls[b];
    if (one->count == 0 || other->count == 0) {
        return HUGE_VAL;
    }
    double way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = other->frame.place[c] - one->frame.place[c];
    }
    return sqrt(vxe_dot3(way, way)) - one->radius - other->radius;
}

/* Converts a body's summed contact load to the load that its motion uses, and adds its formulas. */
static void finish(const vxe_affine_group *group, uint32_t b, const vxe_affine_state *state,
                   double time, vxe_affine_load *load)
{
    const vxe_affine *body = &group->bodies[b];
    const vxe_affine_push *push = &group->pushes[b];
    const vxe_power_sum *sum = &push->sum;
    double inverse[9];
    double by_arm[9];
    *load = (vxe_affine_load){.energy = sum->energy,
                              .damped = sum->damped,
                              .rubbed = sum->rubbed,
                              .stiffness = sum->stiffness,
                              .dashpot = sum->dashpot,
                              .nearest = sum->nearest,
                              .fastest = sum->fastest,
                              .widened = push->widened};
    vxe_affine_run_formulas(&body->own, VXE_AFFINE_FORCE, 3, time, load->given);
    memcpy(load->force, load->given, sizeof load->force);
    if (body->patch_count == 0 || (group->plane_count == 0 && !group->hulls)) {
        return;
    }
    vxe_m3_inverse_transposed(state->deformation, inverse);
    for (int i = 0; i < 9; i++) {
        by_arm[i] = sum->push_by_arm[i] + sum->loss_by_arm[i];
    }
    vxe_m3_times(by_arm, inverse, load->by_arm);
    vxe_m3_axial(by_arm, load->torque);
    for (int c = 0; c < 3; c++) {
        load->force[c] += sum->push[c] + sum->loss[c];
    }
}

void vxe_affine_sample_load(const vxe_affine_group *group, const uint32_t *members, uint32_t count,
                            vxe_affine_end *ends)
{
    for (uint32_t i = 0; i < count; i++) {
        begin(group, members[i], &ends[members[i]].state);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = i + 1; k < count; k++) {
            add_pair(group, members[i], members[k]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        vxe_affine_end *end = &ends[members[i]];
        finish(group, members[i], &end->state, end->time, &end->load);
    }
}

void vxe_affine_load_of(const vxe_affine_group *group, uint32_t b, double time,
                        vxe_affine_load *load)
{
    begin(group, b, &group->states[b]);
    for (uint32_t other = 0; other < group->count && group->hulls; other++) {
        if (other != b) { /* the lower index first, as in a step, so that the bits agree */
            place(group, other, &group->states[other]);
            add_pair(group, b < other ? b : other, b < other ? other : b);
        }
    }
    finish(group, b, &group->states[b], time, load);
    for (int c = 0; c < 3 && group->by_voxels; c++) {
        load->force[c] += group->by_voxels[b].push[c] + group->by_voxels[b].loss[c];
    }
}
