/* SPDX-License-Identifier: MIT */
/* Contact models with many bodies: conservation laws, threads, lattices beside spheres, files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lattice/formats/format.h"
#include "particles.h"

/* Two spinning spheres collide off the line of their centres: momentum and angular momentum are
 * conserved. */
static void pairs_keep_momentum(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    for (int law = 0; law < 2; law++) {
        vxe_design *design = balls(&material, 1, 1, 1, -1);
        const double v[3] = {0.1, -0.2, -0.5};
        const double w[3] = {3, 40, -7};
        double before[2][3];
        vxe_error error;
        assert_int_equal(vxe_design_add_voxel(design, 0, 0, 1, 0, &error), VXE_OK);
        assert_int_equal(vxe_design_set_velocity(design, 1, v, w, &error), VXE_OK);
        add_rule(design, 0, 0, law ? hertz(0.1, 0.4) : linear(1e4, 5e3, 0.4));
        design->contact_rules[0].law.number[law ? VXE_HERTZ_DP_SRATIO : VXE_LINEAR_DP_SRATIO] = 0.3;
        vxe_world *world = world_of_step(design, 1e-6);
        const double off[3] = {RADIUS + 0.004, RADIUS, 2.9 * RADIUS};
        assert_int_equal(vxe_world_place(world, 1, off, NULL, NULL, NULL, &error), VXE_OK);
        vxe_world_momentum(world, before[0], before[1]);
        assert_int_equal(vxe_world_advance(world, 5000, &error), VXE_OK);
        uint64_t events[VXE_CONTACT_EVENTS];
        vxe_world_contact_events(world, events);
        assert_int_equal(events[VXE_CONTACT_ACTIVATED], 1);
        assert_int_equal(vxe_world_contacts(world), 0);
        const double mass = vxe_world_describe(world).mass / 2;
        const double scale[2] = {mass * 0.55, mass * 0.55 * RADIUS};
        /* required: 1e-12; floats round each of some hundred impulses by up to 6e-8 */
        check_momentum(world, before, scale, by_precision(1e-12, 1e-5));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A heap that collapses and slides. */
static vxe_design *heap(int law, int nx, int ny, int nz)
{
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, nx, ny, nz, 0.002);
    uint64_t seed = 11;
    design->gravity[2] = -9.81;
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        const double v[3] = {0.3 * random_unit(&seed), 0.3 * random_unit(&seed),
                             0.3 * random_unit(&seed)};
        const double w[3] = {10 * random_unit(&seed), 10 * random_unit(&seed),
                             10 * random_unit(&seed)};
        vxe_error error;
        assert_int_equal(vxe_design_set_velocity(design, i, v, w, &error), VXE_OK);
    }
    vxe_contact_law of = law ? hertz(0.2, 0.4) : linear(5e3, 3e3, 0.4);
    if (!law) {
        of.number[VXE_LINEAR_DP_NRATIO] = 0.2;
        of.number[VXE_LINEAR_DP_SRATIO] = 0.1;
        of.number[VXE_LINEAR_DP_MODE] = 3;
    }
    add_rule(design, VXE_CONTACT_ANY, VXE_CONTACT_ANY, of);
    add_rule(design, VXE_CONTACT_ANY, VXE_CONTACT_FLOOR, of);
    return design;
}

/* A block that bursts: its voxels fly apart and collide with the faces that open. Far from it there
 * are some spheres, which come before it in the lattice. */
static vxe_design *bursting_block(int spheres)
{
    vxe_material m = standard_material();
    vxe_error error;
    m.model = VXE_MATERIAL_LINEAR_FAILING;
    m.fail_stress = 1e3;
    vxe_design *design = block_design(&m, 4, 4, 4);
    const vxe_material ball = ball_material();
    uint64_t seed = 5;
    design->self_collision = true;
    for (uint32_t i = 0; i < 64; i++) {
        const double v[3] = {3 * random_unit(&seed), 3 * random_unit(&seed),
                             3 * random_unit(&seed)};
        assert_int_equal(vxe_design_set_velocity(design, i, v, (const double[3]){0, 0, 0}, &error),
                         VXE_OK);
    }
    if (spheres > 0) {
        assert_int_equal(vxe_design_add_material(design, &ball, NULL, &error), VXE_OK);
        add_rule(design, 1, 1, linear(1e4, 5e3, 0.4));
    }
    for (int i = 0; i < spheres; i++) {
        assert_int_equal(vxe_design_add_voxel(design, 2 * i, -300, -300, 1, &error), VXE_OK);
    }
    return design;
}

/* Faces that open where bonds break belong to voxels; spheres have no faces. Loads may be added in
 * another order, because the lattice is longer: 10^-17 m each, 10^-13 m after some collisions
 * (10^-8 m in float); a missing face would make 10^-4 m. */
static void spheres_do_not_change_what_breaks(void **state)
{
    (void)state;
    vxe_design *designs[2] = {bursting_block(0), bursting_block(12)};
    vxe_world *worlds[2];
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    def.precision = VXE_PRECISION_DOUBLE;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 2e-5;
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_world(designs[i], &def);
        assert_int_equal(vxe_world_advance(worlds[i], 300, &error), VXE_OK);
        assert_true(vxe_world_max_strain(worlds[i]) == 0);
    }
    assert_true(vxe_world_energy(worlds[0]).contact > 0);
    double max = 0;
    for (uint32_t v = 0; v < 64; v++) {
        double places[2][3];
        for (int i = 0; i < 2; i++) {
            position_of(worlds[i], v, places[i]);
        }
        for (int c = 0; c < 3; c++) {
            max = fmax(max, fabs(places[0][c] - places[1][c]));
        }
    }
    print_message("  places differ by %.1e m\n", max);
    assert_true(max < by_precision(1e-12, 1e-6));
    for (int i = 0; i < 2; i++) {
        vxe_world_destroy(worlds[i]);
        vxe_design_destroy(designs[i]);
    }
}

static void energy_is_accounted_for(void **state)
{
    (void)state;
    for (int law = 0; law < 3; law++) {
        vxe_design *design = heap(law % 2, 3, 2, 2);
        design->contact_rules[0].law.number[VXE_LINEAR_MODE] = law == 2;
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.step_scale = 0.2;
        vxe_world *world = make_world(design, &def);
        check_audit(law % 2 ? "hertz" : "linear", world, 8000, 1e-3);
        const vxe_energy energy = vxe_world_energy(world);
        assert_true(energy.dissipated_friction > 0 && energy.dissipated_contact > 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static vxe_design *some_heap(int index)
{
    return index < 2 ? heap(index, 6, 6, 6) : heap(index % 2, 3, index % 3 + 1, index % 5 + 1);
}

static void threads_and_batches_change_nothing(void **state)
{
    (void)state;
    check_same_bits(some_heap, 7, 1500);
}

/* A beam of voxels bends over a sphere that lies on the floor: bonded voxels do not collide, others
 * do, and the floor's own springs act where no contact model is given for the floor. */
static void beams_lie_on_spheres(void **state)
{
    (void)state;
    vxe_material beam = standard_material();
    beam.youngs_modulus = 1e6;
    beam.bond_damping = 1;
    beam.collision_damping = 1;
    vxe_material ball = ball_material();
    vxe_design *design = block_design(&beam, 9, 1, 1);
    uint32_t second = 0;
    vxe_error error;
    assert_int_equal(vxe_design_add_material(design, &ball, &second, &error), VXE_OK);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        design->voxels[v].position[2] = 1;
    }
    assert_int_equal(vxe_design_add_voxel(design, 4, 0, 0, second, &error), VXE_OK);
    hold_plane(design, 0, 4, VXE_FIX_ALL & ~VXE_FIX_Z, NULL,
               NULL); /* otherwise it would roll off */
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    design->materials[second].density = 20 * 1000;
    add_rule(design, 0, second, linear(1e3, 1e3, 0.5));
    add_rule(design, second, VXE_CONTACT_FLOOR, linear(1e4, 1e3, 0.5));
    for (uint32_t i = 0; i < 2; i++) {
        design->contact_rules[i].law.number[VXE_LINEAR_DP_NRATIO] = 1;
        design->contact_rules[i].law.number[VXE_LINEAR_DP_SRATIO] = 1;
    }
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_describe(world).particles, 10);
    check_audit("beam on a sphere", world, 4000, 1e-3);
    assert_int_equal(vxe_world_advance_to(world, 2, &error), VXE_OK);
    double x[3];
    double y[3];
    position_of(world, 4, x);
    position_of(world, 9, y);
    /* the sphere carries the beam's weight of nine voxels, and the floor carries both */
    const double weight = 9 * MASS * 9.81;
    check_relative("gap to the sphere, m", EDGE - (x[2] - y[2]), weight / 1e3, 1e-3);
    const double own = 20000 * PI / 6 * EDGE * EDGE * EDGE * 9.81;
    check_relative("depth of the sphere, m", EDGE / 2 - y[2], (weight + own) / 1e4, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Two free cubes that collide face to face, half beside each other; the potential of both faces is
 * kn p^2/2 times the shared part, W(1/2) = 1/2 (penalty_law.h), as long as they do not slide aside.
 */
static void boxes_push_by_their_faces(void **state)
{
    (void)state;
    vxe_material material = standard_material();
    for (int aside = 0; aside < 2; aside++) {
        vxe_design *design = block_design(&material, 1, 1, 1);
        const double v[3] = {0, 0, -0.1};
        const double w[3] = {0, 0, 0};
        vxe_error error;
        assert_int_equal(vxe_design_add_voxel(design, 0, 0, 2, 0, &error), VXE_OK);
        assert_int_equal(vxe_design_set_velocity(design, 1, v, w, &error), VXE_OK);
        add_rule(design, 0, 0, linear(1000, 500, 0.3));
        design->contact_rules[0].law.number[VXE_LINEAR_BOX] = 1;
        if (aside) {
            hold_plane(design, 0, 0, VXE_FIX_ALL & ~VXE_FIX_Z, NULL, NULL);
        }
        vxe_world *world = world_of_step(design, 1e-6);
        const double above[3] = {aside ? EDGE : EDGE / 2, EDGE / 2, 1.5 * EDGE + 1e-5};
        assert_int_equal(vxe_world_place(world, 1, above, NULL, NULL, NULL, &error), VXE_OK);
        double min = 1;
        double most = 0;
        double x[6];
        double rates[6];
        do {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            vxe_world_poses(world, x, NULL);
            vxe_world_velocities(world, rates, NULL);
            min = fmin(min, x[5] - x[2] - EDGE);
            most = fmax(most, vxe_world_energy(world).contact_sync);
        } while (rates[5] - rates[2] < 0 || x[5] - x[2] < EDGE);
        const double k = aside ? 500 : 1000;
        check_relative("overlap, m", -min, 0.1 * sqrt(0.5 * MASS / k), 1e-3);
        check_relative("energy at the deepest, J", most, 0.25 * MASS * 0.1 * 0.1, 1e-3);
        check_relative("speed apart, m/s", rates[5] - rates[2], 0.1, 1e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Spheres with the linear model (ks 800 N/m) that overlap by a tenth of a radius: one on the floor,
 * or two along x. */
#define KS 800.0

static vxe_world *pressed_balls(bool floor, double dashpot_ratio, double step)
{
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, floor ? 1 : 2, 1, 1, floor ? 0 : -1);
    vxe_contact_law law = linear(1000, KS, 10);
    law.number[VXE_LINEAR_DP_SRATIO] = dashpot_ratio;
    add_rule(design, 0, floor ? VXE_CONTACT_FLOOR : 0, law);
    vxe_world *world = world_of_step(design, step);
    const double on_floor[3] = {RADIUS, RADIUS, 0.9 * RADIUS};
    const double beside[3] = {2.9 * RADIUS, RADIUS, RADIUS};
    assert_int_equal(
        vxe_world_place(world, floor ? 0 : 1, floor ? on_floor : beside, NULL, NULL, NULL, NULL),
        VXE_OK);
    vxe_design_destroy(design);
    return world;
}

/* The point of contact is in the middle of the overlap: a ball that spins at w has the speed w (R -
 * d/2) there, against which spring and dashpot act, 2 ratio sqrt(m* ks). */
static void forces_act_in_the_middle_of_the_overlap(void **state)
{
    (void)state;
    const double step = 1e-6;
    const double mass = 1200 * 4.0 / 3 * PI * RADIUS * RADIUS * RADIUS;
    for (int floor = 0; floor < 2; floor++) {
        vxe_world *world = pressed_balls(floor, 0.1, step);
        const double spin[3] = {0, floor ? 5 : 0, floor ? 0 : 5};
        double v[6];
        vxe_error error;
        assert_int_equal(vxe_world_place(world, 0, NULL, NULL, NULL, spin, NULL), VXE_OK);
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        vxe_world_velocities(world, v, NULL);
        const double speed = 5 * 0.95 * RADIUS;
        const double dashpot = 2 * 0.1 * sqrt((floor ? mass : mass / 2) * KS);
        const double wanted = step * (KS * step + dashpot) * speed / mass;
        check_relative("speed by a spin, m/s", floor ? v[0] : -v[1], wanted,
                       by_precision(1e-9, 1e-5));
        vxe_world_destroy(world);
    }
}

/* The force along the surfaces turns by the mean of both spins about the normal. The first ball's
 * spin across makes a force F along y in the first step, which grows to 2 F in the second, while
 * its first half turns to z: the second ball goes there at a third of that angle. Meanwhile the
 * force has changed the spins by 5e-3. */
static void forces_turn_by_the_mean_spin(void **state)
{
    (void)state;
    const double step = 1e-4;
    for (uint32_t one = 0; one < 2; one++) {
        double v[6];
        vxe_error error;
        vxe_world *world = pressed_balls(false, 0, step);
        for (uint32_t i = 0; i < 2; i++) {
            const double spin[3] = {i == one ? 100 : 0, 0, i == 0 ? 10 : 0};
            assert_int_equal(vxe_world_place(world, i, NULL, NULL, NULL, spin, NULL), VXE_OK);
        }
        assert_int_equal(vxe_world_advance(world, 2, &error), VXE_OK);
        vxe_world_velocities(world, v, NULL);
        check_relative("a third of the angle by half of 100 rad/s, rad", v[5] / v[4],
                       0.5 * 100 * step / 3, 1e-2);
        vxe_world_destroy(world);
    }
}

/* The rule auto takes a fiftieth of the shortest collision, pi sqrt(m/kn) at the floor. */
static void steps_are_a_fiftieth_of_a_collision(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    const double mass = 1200 * 4.0 / 3 * PI * RADIUS * RADIUS * RADIUS;
    vxe_design *design = balls(&material, 1, 1, 1, 0);
    add_rule(design, 0, VXE_CONTACT_FLOOR, linear(1000, 0, 0));
    vxe_world *world = make_world(design, NULL);
    check_relative("step, s", vxe_world_describe(world).time_step, PI * sqrt(mass / 1000) / 50,
                   by_precision(1e-12, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Cubes that collide with each other and the floor while they rotate: momentum in the air, and
 * energy. */
static void boxes_keep_their_laws(void **state)
{
    (void)state;
    vxe_material material = standard_material();
    for (int falls = 0; falls < 2; falls++) {
        vxe_design *design = block_design(&material, falls ? 3 : 2, falls ? 2 : 1, 1);
        vxe_layer *part = vxe_design_layer(design, "Part", 1);
        uint64_t seed = 5;
        vxe_error error;
        double before[2][3];
        for (uint32_t i = 0; i < design->voxel_count; i++) {
            part->values[i] = i;
            for (int c = 0; c < 3; c++) { /* apart, and not in one line */
                design->voxels[i].position[c] *= 2;
            }
            design->voxels[i].position[2] += 1 + 2 * (int)(i % 2) * falls;
            const double v[3] = {falls ? 0.1 * random_unit(&seed) : (i ? -0.3 : 0.3),
                                 0.05 * random_unit(&seed), 0.05 * random_unit(&seed)};
            const double w[3] = {20 * random_unit(&seed), 20 * random_unit(&seed),
                                 20 * random_unit(&seed)};
            assert_int_equal(vxe_design_set_velocity(design, i, v, w, &error), VXE_OK);
        }
        vxe_contact_law law = linear(1000, 500, 0.4);
        law.number[VXE_LINEAR_BOX] = 1;
        law.number[VXE_LINEAR_DP_NRATIO] = falls ? 0.1 : 0;
        add_rule(design, 0, 0, law);
        add_rule(design, 0, VXE_CONTACT_FLOOR, law);
        design->floor.enabled = falls;
        design->gravity[2] = falls ? -9.81 : 0;
        vxe_world *world = world_of_step(design, 1e-5);
        vxe_world_momentum(world, before[0], before[1]);
        check_audit(falls ? "falling" : "flying", world, 8000, 1e-3);
        uint64_t events[VXE_CONTACT_EVENTS];
        vxe_world_contact_events(world, events);
        assert_true(events[VXE_CONTACT_ACTIVATED] > 0);
        if (!falls) {
            const double scale[2] = {MASS * 0.3, MASS * 0.3 * EDGE};
            check_momentum(world, before, scale, by_precision(1e-12, 1e-5));
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

typedef struct heard {
    uint64_t count[VXE_CONTACT_EVENTS];
    double last;
} heard;

static void on_contact(void *user, const vxe_contact_event *event)
{
    heard *of = user;
    of->count[event->kind]++;
    assert_int_equal(event->voxel[0], 0);
    assert_true(event->voxel[1] == VXE_CONTACT_FLOOR);
    of->last = event->time;
}

/* A ball that bounces without loss touches the floor once in 2 (2 h/g)^1/2. */
static void events_are_reported(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, 1, 1, 1, 0.05);
    design->gravity[2] = -9.81;
    add_rule(design, 0, VXE_CONTACT_FLOOR, hertz(0, 0));
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    heard of = {{0}, 0};
    vxe_error error;
    vxe_world_listen(world, on_contact, &of);
    const double period = 2 * sqrt(2 * 0.05 / 9.81);
    assert_int_equal(vxe_world_advance_to(world, 4.2 * period, &error), VXE_OK);
    uint64_t events[VXE_CONTACT_EVENTS];
    vxe_world_contact_events(world, events);
    assert_int_equal(of.count[VXE_CONTACT_ACTIVATED], 4);
    assert_memory_equal(of.count, events, sizeof events);
    /* three collisions lie between the first touch and the last, each as long as Hertz's law says
     * (case hertz-collision of docs/accuracy.md) for 0.99 m/s */
    const double mass = vxe_world_describe(world).mass;
    const double modulus = 1e7 / (1 - 0.3 * 0.3);
    const double time =
        2.868266 * pow(mass * mass / (RADIUS * modulus * modulus * sqrt(2 * 9.81 * 0.05)), 0.2);
    check_near("last touch, s", of.last, 3.5 * period + 3 * time, 1e-3 * period);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void laws_are_written_and_read(void **state)
{
    (void)state;
    vxe_design *design = heap(0, 2, 2, 2);
    differences told;
    add_rule(design, 0, VXE_CONTACT_PIECE, linear(1e4, 1e3, 0.3));
    add_rule(design, 0, 0, hertz(0, 0.3));
    design->contact_rules[3].law.number[VXE_HERTZ_RESTITUTION] = 0.8;
    vxe_design *back = write_and_read(design, "particles.json", &told);
    assert_int_equal(told.count, 0);
    assert_int_equal(back->contact_rule_count, 4);
    assert_true(back->materials[0].sphere);
    vxe_error error;
    vxe_design *copy = vxe_design_copy(design, &error);
    assert_true(vxe_design_hash(copy) == vxe_design_hash(design));
    vxe_design_destroy(copy);
    vxe_design_destroy(back);
    vxe_design_destroy(design);
}

static void wrong_laws_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        vxe_design *design = heap(i % 2, 2, 1, 1);
        vxe_contact_rule *rule = &design->contact_rules[0];
        const char *says = "";
        switch (i) {
        case 0:
            rule->law.number[VXE_LINEAR_FRIC] = -0.1;
            says = "law linear: fric is -0.1; it must be from 0 to 1e+06";
            break;
        case 1:
            rule->law.number[VXE_HERTZ_RESTITUTION] = 1.5;
            says = "law hertz: restitution is 1.5; it must be from 0 to 1";
            break;
        case 2:
            rule->law.number[VXE_LINEAR_KN] = rule->law.number[VXE_LINEAR_KS] = 0;
            says = "kn and ks are both 0";
            break;
        case 3:
            rule->law.number[VXE_HERTZ_DP_MODE] = 1.5;
            says = "dp_mode is 1.5; it must be a whole number from 0 to 3";
            break;
        case 4:
            rule->law.number[VXE_LINEAR_EMOD] = 1e5;
            says = "emod 100000 Pa makes kn and ks";
            break;
        case 5:
            rule->second = VXE_CONTACT_PIECE;
            says = "pieces inherit the law linear alone";
            break;
        case 6:
            design->contact_rules[1].law = hertz(0.1, 0.2);
            design->materials[0].youngs_modulus = 0;
            says = "law hertz between 'ball' and the floor: Young's moduli must be above 0";
            break;
        default:
            rule->first = 7;
            says = "between a material that there is (1)";
        }
        check_refused(design, says);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_keep_momentum),
        cmocka_unit_test(spheres_do_not_change_what_breaks),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(threads_and_batches_change_nothing),
        cmocka_unit_test(beams_lie_on_spheres),
        cmocka_unit_test(boxes_push_by_their_faces),
        cmocka_unit_test(boxes_keep_their_laws),
        cmocka_unit_test(forces_act_in_the_middle_of_the_overlap),
        cmocka_unit_test(forces_turn_by_the_mean_spin),
        cmocka_unit_test(steps_are_a_fiftieth_of_a_collision),
        cmocka_unit_test(events_are_reported),
        cmocka_unit_test(laws_are_written_and_read),
        cmocka_unit_test(wrong_laws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
