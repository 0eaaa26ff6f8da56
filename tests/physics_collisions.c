/* SPDX-License-Identifier: MIT */
/* Collisions of affine bodies with each other: closed forms of the power law
 * (docs/contact-models.md, powerlaw), and what every contact model between two bodies must
 * conserve. */
#include <math.h>
#include <string.h>

#include "affine.h"

#define ALPHA 200.0
#define D0 1e-3

static vxe_affine_pose pose(const vxe_world *world, uint32_t body)
{
    vxe_affine_pose of;
    vxe_world_affine(world, body, &of);
    return of;
}

/* A block rests on an equal one that is held. The pressure on faces that point at each other is
 * that at D = d/d0; for the sides, the nearest points are on edges, a height h below: alpha (a^2
 * D^-8 + 4 a d0 D^-7/7) = m g. Tolerance: quadrature (docs/contact-models.md, powerlaw: below 1e-3
 * of pressures), an eighth of it in the gap. */
static void block_lies_on_block(void **state)
{
    (void)state;
    const double a = 0.05;
    vxe_affine_body lower = vxe_affine_body_default();
    lower.kind = VXE_AFFINE_RIGID;
    for (int c = 0; c < 3; c++) {
        lower.shape.size[c] = a;
    }
    add_contact(&lower, ALPHA, D0);
    lower.contact.number[VXE_POWER_BETA_D] = 2000;
    vxe_affine_body upper = lower;
    const double weight = lower.number[VXE_AFFINE_DENSITY] * a * a * a * 9.81;
    lower.hold_center = lower.hold_deformation = true;
    double gap = 0.7 * D0;
    for (int i = 0; i < 50; i++) {
        const double d = gap / D0;
        const double f = ALPHA * (a * a * pow(d, -8) + 4 * a * D0 * pow(d, -7) / 7) - weight;
        const double slope = ALPHA * (-8 * a * a * pow(d, -9) - 4 * a * D0 * pow(d, -8)) / D0;
        gap -= f / slope;
    }
    upper.center[2] = a + 1.02 * gap;
    vxe_design *design = affine_design(&lower, 9.81);
    add_body(design, &upper);
    vxe_world *world = affine_world(design, 1e-3);
    advance_steps(world, 1500);
    const vxe_affine_pose on = pose(world, 1);
    check_relative("gap, m", on.center[2] - a, gap, 1e-4);
    check_relative("force, N", on.contact_force[2], weight, 1e-6);
    check_relative("force on the lower one, N", pose(world, 0).contact_force[2], -weight, 1e-6);
    vxe_world_destroy(world);
}

/* Two bodies that approach each other off their centres, without gravity. */
static vxe_world *collision(const vxe_affine_body *one, const vxe_affine_body *other)
{
    vxe_design *design = affine_design(one, 0);
    add_body(design, other);
    return affine_world(design, 1e-3);
}

static vxe_affine_body flying(vxe_affine_kind kind)
{
    vxe_affine_body body = vxe_affine_body_default();
    static const double size[3] = {0.05, 0.04, 0.03};
    body.kind = kind;
    memcpy(body.shape.size, size, sizeof size);
    add_contact(&body, ALPHA, D0);
    body.contact.number[VXE_POWER_FACING] = 0;
    return body;
}

/* Moves along -x at 0.4 m/s, rotated and rotating, past the centre of the body at the origin. */
static vxe_affine_body coming(vxe_affine_kind kind, double aside)
{
    static const double turn[4] = {0.8, 0.4, 0.2, 0.4};
    static const double spin[3] = {1, -2, 3};
    vxe_affine_body body = flying(kind);
    body.center[0] = 0.07;
    body.center[1] = aside;
    body.velocity[0] = -0.4;
    memcpy(body.orientation, turn, sizeof turn);
    memcpy(body.spin, spin, sizeof spin);
    return body;
}

/* Runs a collision: momenta are kept to rounding, the balance of energy closes within 1e-3 of the
 * largest energy exchanged (required of every scene), and the bodies separate again. */
static void run_collision(vxe_world *world, uint64_t steps, double momentum)
{
    double linear[2][3];
    double angular[2][3];
    vxe_world_momentum(world, linear[0], angular[0]);
    const vxe_affine_pose before = pose(world, 1);
    check_below("balance strays by, of what is exchanged", balance_drift(world, steps), 1e-3);
    vxe_world_momentum(world, linear[1], angular[1]);
    const vxe_affine_pose after = pose(world, 1);
    check_below("less its change of speed, m/s", -fabs(after.velocity[0] - before.velocity[0]),
                -0.1);
    for (int c = 0; c < 3; c++) {
        check_near("momentum, kg m/s", linear[1][c], linear[0][c], 1e-12 * momentum);
        check_near("angular momentum, N m s", angular[1][c], angular[0][c], 1e-13 * momentum);
    }
    vxe_world_destroy(world);
}

static void rigid_ones_collide(void **state)
{
    (void)state;
    const vxe_affine_body one = flying(VXE_AFFINE_RIGID);
    for (int i = 0; i < 3; i++) {
        const vxe_affine_body other = coming(VXE_AFFINE_RIGID, 0.012 * i - 0.01);
        run_collision(collision(&one, &other), 150, 0.024);
    }
}

/* An elastic body and a viscous one that keeps its volume; damping and friction act. */
static void soft_ones_collide(void **state)
{
    (void)state;
    vxe_affine_body one = flying(VXE_AFFINE_ELASTIC);
    vxe_affine_body other = coming(VXE_AFFINE_ELASTIC, 0.005);
    one.number[VXE_AFFINE_BULK] = 1e5;
    other.number[VXE_AFFINE_VISCOSITY] = 5;
    for (int i = 0; i < 2; i++) {
        vxe_affine_body *body = i == 0 ? &one : &other;
        body->contact.number[VXE_POWER_BETA_D] = 20;
        body->contact.number[VXE_POWER_BETA_F] = 20;
    }
    run_collision(collision(&one, &other), 150, 0.024);
}

/* A disk, whose faces are divided into many parts, and a tetrahedron. */
static void other_shapes_collide(void **state)
{
    (void)state;
    static double vertices[12] = {0.03,  0.03, 0.03,  -0.03, -0.03, 0.03,
                                  -0.03, 0.03, -0.03, 0.03,  -0.03, -0.03};
    static uint32_t corners[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    static uint32_t sizes[4] = {3, 3, 3, 3};
    vxe_affine_body disk = flying(VXE_AFFINE_RIGID);
    vxe_affine_body other = coming(VXE_AFFINE_RIGID, 0.004);
    other.center[0] = 0.09;
    disk.shape.kind = VXE_AFFINE_CYLINDER;
    disk.shape.sides = 24;
    other.shape = (vxe_affine_shape){.kind = VXE_AFFINE_POLYHEDRON,
                                     .vertices = vertices,
                                     .vertex_count = 4,
                                     .corners = corners,
                                     .face_sizes = sizes,
                                     .corner_count = 12,
                                     .face_count = 4};
    run_collision(collision(&disk, &other), 150, 0.024);
}

/* A body out of reach does not change a bit of the others. */
static void far_ones_change_nothing(void **state)
{
    (void)state;
    const vxe_affine_body one = flying(VXE_AFFINE_RIGID);
    const vxe_affine_body other = coming(VXE_AFFINE_RIGID, 0.01);
    vxe_affine_body far = one;
    vxe_affine_pose ends[2];
    far.center[2] = 5;
    far.velocity[2] = 1;
    for (int crowded = 0; crowded < 2; crowded++) {
        vxe_design *design = affine_design(&one, 0);
        add_body(design, &other);
        if (crowded) {
            add_body(design, &far);
        }
        vxe_world *world = affine_world(design, 1e-3);
        advance_steps(world, 120);
        ends[crowded] = pose(world, 1);
        vxe_world_destroy(world);
    }
    assert_memory_equal(&ends[0], &ends[1], sizeof ends[0]);
}

/* Running in a batch does not change a bit either. */
static void batches_change_nothing(void **state)
{
    (void)state;
    const vxe_affine_body one = flying(VXE_AFFINE_ELASTIC);
    const vxe_affine_body other = coming(VXE_AFFINE_RIGID, 0.01);
    vxe_design *design = affine_design(&one, 0);
    add_body(design, &other);
    check_single_body(design, 80);
    vxe_design_destroy(design);
}

static void overlapping_ones_are_refused(void **state)
{
    (void)state;
    const vxe_affine_body one = flying(VXE_AFFINE_RIGID);
    vxe_affine_body other = one;
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    other.center[0] = 0.049;
    vxe_design *design = affine_design(&one, 0);
    add_body(design, &other);
    assert_null(vxe_world_create(design, &def, &error));
    assert_non_null(strstr(error.message, "another body"));
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_lies_on_block),
        cmocka_unit_test(rigid_ones_collide),
        cmocka_unit_test(soft_ones_collide),
        cmocka_unit_test(other_shapes_collide),
        cmocka_unit_test(far_ones_change_nothing),
        cmocka_unit_test(batches_change_nothing),
        cmocka_unit_test(overlapping_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
