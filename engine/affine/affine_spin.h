/* SPDX-License-Identifier: MIT */
/* Rotation of rigid bodies, one or several in lanes. The state is the angular momentum, so that it
   is kept exactly. The free top is split into rotations about one principal axis after another and
   back, each of which has an exact solution (McLachlan1993; docs/affine-bodies.md, Integration). */
#ifndef VXE_ENGINE_AFFINE_AFFINE_SPIN_H
#define VXE_ENGINE_AFFINE_AFFINE_SPIN_H

#include "common/sincos_internal.h"
#include "engine/affine/affine_body.h"

/* Angular velocity (rad/s, world axes) of a rigid body from its angular momentum. */
VXE_NUMBER_INLINE void vxe_rigid_spin(const vxe_affine_own *body, const vxe_affine_state *state,
                                      vxe_number spin[3])
{
    vxe_number axes[9];
    vxe_number own[3];
    vxe_m3_times(state->deformation, body->axes, axes);
    vxe_m3_apply_transposed(axes, state->spin, own);
    for (int c = 0; c < 3; c++) {
        own[c] *= body->inverse_moments[c];
    }
    vxe_m3_apply(axes, own, spin);
}

/* Updates what follows from rotation and angular momentum: the rates, and centroid and velocity of
   a pinned body. */
VXE_NUMBER_INLINE void vxe_rigid_update(const vxe_affine_own *body, vxe_affine_state *state)
{
    vxe_number w[3];
    vxe_rigid_spin(body, state, w);
    const vxe_number none = vxe_number_of(0);
    const vxe_number turning[9] = {none, -w[2], w[1], w[2], none, -w[0], -w[1], w[0], none};
    vxe_m3_times(turning, state->deformation, state->rate);
    if (body->is.pinned) {
        vxe_number arm[3];
        vxe_m3_apply(state->deformation, body->arm, arm);
        vxe_m3_apply(turning, arm, state->v);
        for (int c = 0; c < 3; c++) {
            state->place[c] = body->pivot[c] + arm[c];
        }
    }
}

/* Accelerates a rigid body by a load for h seconds. vxe_rigid_update must follow before rates are
   read. */
VXE_NUMBER_INLINE void vxe_rigid_kick(const vxe_affine_own *body, vxe_affine_state *state,
                                      const vxe_affine_load *load, vxe_number h)
{
    vxe_number force[3];
    vxe_number arm[3];
    vxe_m3_apply(state->deformation, body->arm, arm);
    for (int c = 0; c < 3; c++) {
        force[c] = load->force[c] + body->mass * body->gravity[c];
    }
    vxe_number lever[3];
    vxe_cross3(arm, force, lever);
    for (int c = 0; c < 3; c++) {
        if (!body->is.hold_center && !body->is.pinned) {
            state->v[c] += h * force[c] * body->inverse_mass;
        }
        if (!body->is.hold_deformation) {
            const vxe_number more = body->is.pinned ? lever[c] : vxe_number_of(0);
            state->spin[c] += h * (load->torque[c] + more);
        }
    }
}

/* Rotates and moves a rigid body for h seconds; likewise. */
VXE_NUMBER_INLINE void vxe_rigid_drift(const vxe_affine_own *body, vxe_affine_state *state,
                                       vxe_number h)
{
    static const int order[5] = {0, 1, 2, 1, 0};
    const vxe_number full = h * (1 / VXE_TAU); /* converts rad/s to turns in h */
    vxe_number axes[9];
    vxe_m3_times(state->deformation, body->axes, axes);
    for (int i = 0; i < 5; i++) {
        const int k = order[i];
        const vxe_number own =
            axes[k] * state->spin[0] + axes[k + 3] * state->spin[1] + axes[k + 6] * state->spin[2];
        const vxe_number turns = (i == 2 ? full : 0.5 * full) * own * body->inverse_moments[k];
        vxe_number sine;
        vxe_number cosine;
        vxe_sincos_of(turns, &sine, &cosine);
        vxe_m3_turn_columns(axes, (k + 1) % 3, (k + 2) % 3, sine, cosine);
    }
    /* a Newton step towards an orthogonal matrix, so that rounding does not add up */
    vxe_number square[9];
    vxe_number straight[9];
    vxe_m3_transposed_times(axes, axes, square);
    for (int i = 0; i < 9; i++) {
        square[i] = (i % 4 == 0 ? 1.5 : 0.0) - 0.5 * square[i];
    }
    vxe_m3_times(axes, square, straight);
    vxe_m3_times_transposed(straight, body->axes, state->deformation);
    for (int c = 0; c < 3; c++) {
        state->place[c] += h * state->v[c];
    }
}

#endif
