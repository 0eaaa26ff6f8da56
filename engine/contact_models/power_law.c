/* SPDX-License-Identifier: MIT */
/* The contact model `powerlaw` of a cube at the floor: the integrals of its free faces; see
   power_law.h. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/rotation_internal.h"
#include "common/trig_internal.h"
#include "engine/contact_models/model_interface.h"

/* rad: a face counts as facing the floor if it leans towards the floor by more than this angle. */
#define EDGEWISE 1e-6

/* Force and moment from a force and its sum by arm. */
static void with_moment(const double force[3], const double by_arm[9], double six[6])
{
    for (int c = 0; c < 3; c++) {
        six[c] = force[c];
    }
    vxe_m3_axial(by_arm, six + 3);
}

/* Load of the floor on a cube. */
static vxe_face_load over_faces(const vxe_power_kernels *kernels, const double *numbers,
                                const vxe_cube *cube, const vxe_plane *plane)
{
    const double *w = cube->w;
    VXE_ASSERT(cube->faces < 1u << 6);
    vxe_power_sum sum = {.nearest = HUGE_VAL};
    vxe_power_frame frame = {.gradient = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0}};
    for (int c = 0; c < 3; c++) {
        frame.place[c] = cube->place[c];
        frame.v[c] = cube->v[c];
    }
    for (int face = 0; face < 6; face++) {
        double axis[3][3] = {{0}};
        const int a = face / 2;
        axis[0][a] = face % 2 ? -cube->half : cube->half;
        axis[1][(a + 1) % 3] = cube->half;
        axis[2][(a + 2) % 3] = cube->half;
        vxe_power_patch one = {.taper = {0}};
        vxe_rotate(cube->turn, axis[0], one.middle);
        vxe_rotate(cube->turn, axis[1], one.side[0]);
        vxe_rotate(cube->turn, axis[2], one.side[1]);
        const bool faces_away = numbers[VXE_POWER_FACING] > 0 &&
                                vxe_dot3(one.middle, plane->n) > -EDGEWISE * cube->half;
        if (cube->faces >> face & 1 && !faces_away) {
            vxe_power_add_patch(kernels, numbers, &frame, plane, &one, &sum);
        }
    }
    vxe_face_load load = {.energy = sum.energy,
                          .damped = sum.damped,
                          .rubbed = sum.rubbed,
                          .stiffness = sum.stiffness,
                          .dashpot = sum.dashpot,
                          .nearest = sum.nearest,
                          .fastest = sum.fastest};
    with_moment(sum.push, sum.push_by_arm, load.push);
    with_moment(sum.loss, sum.loss_by_arm, load.loss);
    return load;
}

/* Bounds for the maximum step. Cubes substep by themselves, so these follow from the stiffness at
   rest and not from stability: mass, speed and friction do not count. */
static vxe_contact_bounds bounds(const vxe_particle_pair *pair, const double radius[2], double mass,
                                 double speed, double load)
{
    VXE_ASSERT(pair->numbers.kind == VXE_CONTACT_POWER);
    const double *numbers = pair->numbers.number;
    const double area = 4 * radius[0] * radius[0];
    const double by = area / numbers[VXE_POWER_D0];
    (void)mass;
    (void)speed;
    /* the stiffness at rest under the load, and that at D = 1 */
    const double nu = numbers[VXE_POWER_NU_R];
    const double alpha = numbers[VXE_POWER_ALPHA_R];
    const double at_one = by * (nu * alpha + numbers[VXE_POWER_NU_AR] * numbers[VXE_POWER_BETA_A]);
    const double pressed = alpha > 0 ? load / (alpha * area) : 0; /* D^-nu at rest */
    const double at_rest = pressed > 1 ? nu * load / numbers[VXE_POWER_D0] *
                                             vxe_exponential(vxe_logarithm(pressed) / nu)
                                       : 0;
    return (vxe_contact_bounds){.stiffness = {fmax(at_one, at_rest), 0}};
}

const vxe_contact_force_model vxe_contact_model_power = {
    .name = "powerlaw", .over_faces = over_faces, .bounds = bounds};

VXE_KERNELS_BY_ISA(vxe_power_kernels)
