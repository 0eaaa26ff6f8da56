/* SPDX-License-Identifier: MIT */
/* Voxels that stick on contact until they are pulled too hard. Expected numbers: closed forms of
 * springs; a sticky link of two standard voxels has the spring E a, beside the contact's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define PAIR_MASS (MASS / 2)

static vxe_material sticky_material(double detach_stress)
{
    vxe_material m = standard_material();
    m.sticky = true;
    m.detach_stress = detach_stress;
    m.collision_damping = 0;
    return m;
}

static vxe_design *sticky(const vxe_material *material, int nx, int ny, int nz)
{
    vxe_design *design = block_design(material, nx, ny, nz);
    design->self_collision = true;
    return design;
}

static void move(vxe_design *design, uint32_t first, uint32_t last, const double velocity[3],
                 const double spin[3])
{
    vxe_error error;
    for (uint32_t v = first; v < last; v++) {
        assert_int_equal(vxe_design_set_velocity(design, v, velocity, spin, &error), VXE_OK);
    }
}

static double distance_between(const vxe_world *world, uint32_t one, uint32_t two)
{
    double a[3];
    double b[3];
    position_of(world, one, a);
    position_of(world, two, b);
    return sqrt(pow(b[0] - a[0], 2) + pow(b[1] - a[1], 2) + pow(b[2] - a[2], 2));
}

/* Two voxels collide and stay together: apart, only the sticky link pulls; together, the contact
 * pushes as well. The period is pi (sqrt(m/k) + sqrt(m/2k)) except for the overlap within the step
 * of first contact; with 1/2000 of the period per step: 1e-3. */
static void voxels_that_touch_stay_together(void **state)
{
    (void)state;
    const vxe_material m = sticky_material(0);
    vxe_design *design = sticky(&m, 1, 1, 1);
    add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
    move(design, 0, 1, (const double[3]){0.05, 0, 0}, (const double[3]){0, 0, 0});
    move(design, 1, 2, (const double[3]){-0.05, 0, 0}, (const double[3]){0, 0, 0});
    const double period = PI * sqrt(PAIR_MASS / STIFFNESS) * (1 + sqrt(0.5));
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = period / 2000;
    vxe_world *world = make_world(design, &def);
    vxe_error error;
    double beside[3];
    position_of(world, 0, beside);
    beside[0] += 1.001 * EDGE;
    assert_int_equal(vxe_world_place(world, 1, beside, NULL, NULL, NULL, &error), VXE_OK);
    uint32_t turns = 0;
    double first = 0;
    double last = 0;
    double before = distance_between(world, 0, 1);
    for (int n = 0; n < 30000 && turns <= 5; n++) {
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        const double now = distance_between(world, 0, 1);
        if (before > EDGE && now <= EDGE) {
            const double at =
                vxe_world_time(world) - def.step_seconds * (EDGE - now) / (before - now);
            first = turns == 0 ? at : first;
            last = at;
            turns++;
        }
        before = now;
    }
    assert_int_equal(turns, 6);
    check_relative("period of two voxels that stick, s", (last - first) / 5, period, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A voxel is moved to another that is held, and away again: the sticky link breaks at detach stress
 * times a^2, and its energy, stress^2 a^3/2E, is dissipated. The stretch changes by less than 1e-3
 * of that per step. */
static void sticky_links_break_at_their_stress(void **state)
{
    (void)state;
    const double stress = 2e4;
    const vxe_material m = sticky_material(stress);
    vxe_design *design = sticky(&m, 1, 1, 1);
    add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
    double table[8] = {0, 0, 0.05, -0.999, 0.15, -1.001, 0.25, -0.97};
    vxe_region held = {.shape = VXE_REGION_BOX, .high = {EDGE, EDGE, EDGE}, .fixed = VXE_FIX_ALL};
    vxe_region led = {.shape = VXE_REGION_BOX,
                      .low = {2 * EDGE, 0, 0},
                      .high = {3 * EDGE, EDGE, EDGE},
                      .fixed = VXE_FIX_ALL,
                      .displacement = {EDGE, 0, 0},
                      .table = table,
                      .table_count = 4};
    vxe_error error;
    assert_int_equal(vxe_design_add_region(design, &held, &error), VXE_OK);
    assert_int_equal(vxe_design_add_region(design, &led, &error), VXE_OK);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 2e-5;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.152, &error), VXE_OK);
    assert_int_equal(vxe_world_stuck_pairs(world), 1);
    while (vxe_world_stuck_pairs(world) == 1 && vxe_world_time(world) < 0.25) {
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    }
    const double stretch = stress * EDGE / m.youngs_modulus;
    check_relative("stretch at which the sticky link breaks", distance_between(world, 0, 1) - EDGE,
                   stretch, 2e-3);
    check_relative("what it held, J", vxe_world_energy(world).dissipated_contact,
                   0.5 * STIFFNESS * stretch * stretch, 2e-3);
    check_relative("work, J", vxe_world_energy(world).work_external,
                   0.5 * STIFFNESS * stretch * stretch, 5e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Relative angular velocity about x of two voxels that stick and twist (rad/s). */
static double twist_rate(const vxe_world *world)
{
    double spin[6];
    vxe_world_velocities(world, NULL, spin);
    return spin[3] - spin[0];
}

/* Two voxels that stick by a whole face, of a collision damping, twist against each other about the
 * line between their centres. A face on springs k/a^2 per area has the stiffness a^2/12 k against
 * that, and half the inertia of a voxel is m a^2/12: the period is 2 pi sqrt(m/k). The dashpot of
 * the pair, 2 zeta sqrt(m/2 k), acts likewise: amplitudes fall by exp(-c t/(2 m)). Tolerance: the
 * dashpot is weakened by STEADY h c/m, 1.2e-3 of it here, twice over a period; first order in a
 * step of 1/4000 of the period. */
static void sticky_links_resist_twisting(void **state)
{
    (void)state;
    const double damping[2] = {0, 0.05};
    for (int i = 0; i < 2; i++) {
        vxe_material m = sticky_material(1e9);
        m.collision_damping = damping[i];
        vxe_design *design = sticky(&m, 1, 1, 1);
        add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
        const double period = 2 * PI * sqrt(MASS / STIFFNESS);
        vxe_world_def def = vxe_world_def_default();
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = period / 4000;
        vxe_world *world = make_world(design, &def);
        double x[3];
        vxe_error error;
        position_of(world, 0, x);
        x[0] += EDGE * (1 - 1e-6);
        assert_int_equal(vxe_world_place(world, 1, x, NULL, NULL, NULL, &error), VXE_OK);
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        assert_int_equal(vxe_world_stuck_pairs(world), 1);
        const double rest[3] = {0, 0, 0};
        const double spins[2][3] = {{-0.1, 0, 0}, {0.1, 0, 0}};
        for (uint32_t v = 0; v < 2; v++) {
            assert_int_equal(vxe_world_place(world, v, NULL, NULL, rest, spins[v], &error), VXE_OK);
        }
        double first = 0;
        double last = 0;
        double peak[2] = {0, 0};
        double before = twist_rate(world);
        int crossings = 0;
        for (int n = 0; n < 12000 && crossings < 5; n++) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            const double now = twist_rate(world);
            if (now * before < 0) {
                last = vxe_world_time(world);
                first = crossings == 0 ? last : first;
                crossings++;
            }
            peak[0] = crossings == 1 ? fmax(peak[0], -now) : peak[0];
            peak[1] = crossings == 3 ? fmax(peak[1], -now) : peak[1];
            before = now;
        }
        const double rate = damping[i] * sqrt(STIFFNESS / (2 * MASS));
        const double damped = period / sqrt(1 - rate * rate * MASS / STIFFNESS);
        check_relative("period of twisting, s", (last - first) / 2, damped, 1e-3);
        check_near("decrement", log(peak[0] / peak[1]), rate * damped, 5e-3 * rate * damped + 1e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Two voxels that the test moves. */
static vxe_world *held_pair(double detach_stress)
{
    const vxe_material m = sticky_material(detach_stress);
    vxe_design *design = sticky(&m, 1, 1, 1);
    add_block(design, (const int[3]){0, 0, 2}, (const int[3]){1, 1, 1}, 0);
    vxe_region held = {
        .shape = VXE_REGION_BOX, .high = {EDGE, EDGE, 3 * EDGE}, .fixed = VXE_FIX_ALL};
    vxe_error error;
    assert_int_equal(vxe_design_add_region(design, &held, &error), VXE_OK);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world(design, &def);
    vxe_design_destroy(design);
    return world;
}

/* Places the second voxel beside the first and above it (edges), for a step. */
static void put_beside(vxe_world *world, double aside, double above)
{
    double x[3];
    vxe_error error;
    position_of(world, 0, x);
    x[0] += aside * EDGE;
    x[2] += above * EDGE;
    assert_int_equal(vxe_world_place(world, 1, x, NULL, NULL, NULL, &error), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
}

/* A contact that begins at an edge and then slides in sticks by the whole face. Shared part W of
 * the face: 1 when one voxel is above the other. */
static void sticky_links_scale_with_the_face(void **state)
{
    (void)state;
    vxe_world *world = held_pair(0);
    put_beside(world, 0.9, 0.999);
    assert_int_equal(vxe_world_stuck_pairs(world), 1);
    put_beside(world, 0, 0.999);
    put_beside(world, 0, 1.001);
    check_relative("energy of a sticky link of a whole face, J", vxe_world_energy(world).contact,
                   0.5 * STIFFNESS * pow(0.002 * EDGE, 2), by_precision(1e-9, 1e-3));
    vxe_world_destroy(world);
}

/* A weak sticky link holds under compression, and breaks under a shear of the same size. */
static void pressing_does_not_part(void **state)
{
    (void)state;
    vxe_world *world = held_pair(1e4);
    put_beside(world, 0, 0.999);
    put_beside(world, 0, 0.9);
    assert_int_equal(vxe_world_stuck_pairs(world), 1);
    check_near("energy dissipated by sticky links, J", vxe_world_energy(world).dissipated_contact,
               0, 0);
    put_beside(world, 0.1, 1.001);
    assert_int_equal(vxe_world_stuck_pairs(world), 0);
    vxe_world_destroy(world);
}

/* Sticky links are included in the time step: a lone voxel may have contacts of 2 k on the two
 * faces of an axis, and links worth 6 k on all six. */
static void time_step_includes_sticky_links(void **state)
{
    (void)state;
    const vxe_material m = sticky_material(0);
    vxe_design *design = sticky(&m, 1, 1, 1);
    vxe_world *world = make_world(design, NULL);
    check_relative("highest frequency, rad/s", vxe_world_describe(world).highest_frequency,
                   W0 * sqrt(2 * 2 + 6 * 6), 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Two blocks that approach each other off centre, one spinning. */
static vxe_design *two_blocks(double detach_stress, double damping)
{
    vxe_material m = sticky_material(detach_stress);
    m.collision_damping = damping;
    m.bond_damping = damping;
    vxe_design *design = sticky(&m, 3, 3, 3);
    add_block(design, (const int[3]){5, 1, 1}, (const int[3]){3, 3, 3}, 0);
    move(design, 0, 27, (const double[3]){0.3, 0.03, 0}, (const double[3]){0, 0, 0});
    move(design, 27, 54, (const double[3]){-0.3, 0, -0.03}, (const double[3]){0, 0, 0});
    return design;
}

/* They stick and rotate about each other: momentum, angular momentum and the balance of energy are
 * conserved. Damped, so that they come to rest against each other. */
static void blocks_that_touch_become_one(void **state)
{
    (void)state;
    vxe_design *design = two_blocks(0, 0.3);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.2; /* contacts begin within a step: an error of first order */
    vxe_world *world = make_world(design, &def);
    double before[2][3];
    vxe_world_momentum(world, before[0], before[1]);
    check_audit("blocks that stick", world, 8000, 3e-4);
    const double scale[2] = {27 * MASS * 0.3, 27 * MASS * 0.3 * 0.04};
    check_momentum(world, before, scale, by_precision(1e-12, 2e-6));
    print_message("  %u pairs stick\n", vxe_world_stuck_pairs(world));
    assert_true(vxe_world_stuck_pairs(world) >= 4); /* 2 x 2 of a face are opposite */
    const double apart = distance_between(world, 0, 53);
    vxe_error error;
    assert_int_equal(vxe_world_advance_to(world, vxe_world_time(world) + 0.1, &error), VXE_OK);
    check_near("how far they come apart in 0.1 s, edges",
               (distance_between(world, 0, 53) - apart) / EDGE, 0, 2e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Unlike materials do not stick, whatever their stickiness. */
static void unlike_voxels_do_not_stick(void **state)
{
    (void)state;
    vxe_design *design = two_blocks(0, 0.1);
    const vxe_material other = sticky_material(0);
    vxe_error error;
    assert_int_equal(vxe_design_add_material(design, &other, NULL, &error), VXE_OK);
    for (uint32_t v = 27; v < 54; v++) {
        design->voxels[v].material = 1;
    }
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_advance_to(world, 0.3, &error), VXE_OK);
    assert_int_equal(vxe_world_stuck_pairs(world), 0);
    assert_true(distance_between(world, 0, 53) > 9 * EDGE);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Weak links break: the blocks separate again, more slowly. */
static void weak_sticky_links_cost_energy(void **state)
{
    (void)state;
    vxe_design *design = two_blocks(8e3, 0);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.1;
    vxe_world *world = make_world(design, &def);
    check_audit("blocks that stick weakly", world, 12000, 1e-4);
    assert_true(vxe_world_energy(world).dissipated_contact > 0);
    const double apart = distance_between(world, 0, 53);
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 6000, &error), VXE_OK);
    assert_int_equal(vxe_world_stuck_pairs(world), 0);
    assert_true(distance_between(world, 0, 53) > apart + 0.3 * EDGE);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void sticking_has_the_same_bits_in_any_batch(void **state)
{
    (void)state;
    vxe_design *design = two_blocks(2e4, 0.1);
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 800, &error), VXE_OK);
    assert_true(vxe_world_stuck_pairs(world) > 0);
    check_single_body(design, 800);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void wrong_stickiness_is_refused(void **state)
{
    (void)state;
    vxe_material m = sticky_material(-1);
    vxe_error error;
    assert_int_equal(vxe_material_check(&m, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "detach stress"));
    m.detach_stress = 0;
    vxe_design *design = sticky(&m, 2, 1, 1);
    design->self_collision = false;
    vxe_world *world = make_world(design, NULL);
    bool warned = false;
    for (uint32_t i = 0; i < vxe_world_warning_count(world); i++) {
        warned = warned || strstr(vxe_world_warning(world, i), "sticky");
    }
    assert_true(warned);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(voxels_that_touch_stay_together),
                                       cmocka_unit_test(sticky_links_break_at_their_stress),
                                       cmocka_unit_test(sticky_links_resist_twisting),
                                       cmocka_unit_test(sticky_links_scale_with_the_face),
                                       cmocka_unit_test(pressing_does_not_part),
                                       cmocka_unit_test(time_step_includes_sticky_links),
                                       cmocka_unit_test(blocks_that_touch_become_one),
                                       cmocka_unit_test(unlike_voxels_do_not_stick),
                                       cmocka_unit_test(weak_sticky_links_cost_energy),
                                       cmocka_unit_test(sticking_has_the_same_bits_in_any_batch),
                                       cmocka_unit_test(wrong_stickiness_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
