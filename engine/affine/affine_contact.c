/* SPDX-License-Identifier: MIT */
/* What walls and formulas do to a body: the power law over its deformed faces. */
#include <math.h>
#include <string.h>

#include "engine/affine/affine_internal.h"

/* Faces look at a wall that lean towards it by more than so much, rad. */
#define EDGEWISE 1e-6

/* A face as it is now. */
static void deform(const double p[9], const vxe_power_patch *face, vxe_power_patch *now)
{
    vxe_m3_apply(p, face->middle, now->middle);
    vxe_m3_apply(p, face->side[0], now->side[0]);
    vxe_m3_apply(p, face->side[1], now->side[1]);
    vxe_m3_apply(p, face->taper, now->taper);
}

/* How fast the area of a face grows, 1/s, whose normal is out: tr L - n.L n. */
static double widening(const double gradient[9], const double out[3])
{
    double moved[3];
    vxe_m3_apply(gradient, out, moved);
    return vxe_m3_trace(gradient) - vxe_dot3(out, moved) / vxe_dot3(out, out);
}

/* Adds what a wall does. Pressures are by the area as it is now, whatever it was: where a face
   widens that it presses on, contact's energy grows though nothing has pushed (widened, W). */
static void touch(const vxe_affine *body, const vxe_power_frame *frame, const double p[9],
                  const vxe_plane *plane, vxe_power_sum *sum, double *widened)
{
    double turned[9]; /* takes normals along (Nanson) */
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
        const double before = sum->energy;
        deform(p, &body->patches[i], &now);
        vxe_power_add_patch(body->contact, frame, plane, &now, sum);
        *widened += (sum->energy - before) * widening(frame->gradient, out);
    }
}

void vxe_affine_load_of(const vxe_affine *body, const vxe_affine_state *state, double time,
                        vxe_affine_load *load)
{
    const double *p = state->deformation;
    const double *variables[1] = {&time};
    double inverse[9];
    double by_arm[9];
    vxe_power_sum sum = {.nearest = HUGE_VAL};
    *load = (vxe_affine_load){.nearest = HUGE_VAL};
    for (int c = 0; c < 3; c++) {
        const vxe_expression *formula = &body->formulas[VXE_AFFINE_FORCE + c];
        if (formula->count > 0) {
            vxe_expression_run(formula, variables, 1, &load->given[c]);
        }
        load->force[c] = load->given[c];
    }
    if (body->plane_count == 0) {
        return;
    }
    vxe_power_frame frame;
    memcpy(frame.place, state->place, sizeof frame.place);
    memcpy(frame.v, state->v, sizeof frame.v);
    vxe_m3_inverse_transposed(p, inverse);
    vxe_m3_times_transposed(state->rate, inverse, frame.gradient);
    for (uint32_t i = 0; i < body->plane_count; i++) {
        touch(body, &frame, p, &body->planes[i], &sum, &load->widened);
    }
    for (int i = 0; i < 9; i++) {
        by_arm[i] = sum.push_by_arm[i] + sum.loss_by_arm[i];
    }
    vxe_m3_times(by_arm, inverse, load->by_arm);
    vxe_m3_axial(by_arm, load->torque);
    for (int c = 0; c < 3; c++) {
        load->force[c] += sum.push[c] + sum.loss[c];
    }
    load->energy = sum.energy;
    load->damped = sum.damped;
    load->rubbed = sum.rubbed;
    load->stiffness = sum.stiffness;
    load->dashpot = sum.dashpot;
    load->nearest = sum.nearest;
    load->fastest = sum.fastest;
}
