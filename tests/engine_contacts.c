/* SPDX-License-Identifier: MIT */
/* Neighbour lists contain each pair in contact, however voxels moved: worlds that rebuild their
 * lists in each step have the same bits as worlds that rebuild them only when needed. Placing a
 * voxel discards the lists, even at the place where it is. */
#include <math.h>

#include "support.h"

static vxe_design *colliding(const vxe_material *material, int nx, int ny, int nz)
{
    vxe_design *design = block_design(material, nx, ny, nz);
    design->self_collision = true;
    return design;
}

static void add_bar(vxe_design *design, int x, int y, int z, int length)
{
    vxe_error error;
    for (int i = 0; i < length; i++) {
        assert_int_equal(vxe_design_add_voxel(design, x + i, y, z, 0, &error), VXE_OK);
    }
}

/* How a body is run. beside: start position of the second voxel relative to the first, or null. */
typedef struct course {
    const char *conventions;
    uint64_t steps;
    const double *beside;
} course;

/* Returns the hash at the end and the number of steps with a contact. */
static uint64_t run(const vxe_design *design, vxe_damping_scheme damping, bool anew,
                    const course *by, uint64_t *touches)
{
    vxe_world_def def = vxe_world_def_default();
    def.threads = 1;
    def.damping = damping;
    def.conventions = by->conventions;
    vxe_world *world = make_world(design, &def);
    vxe_error error;
    *touches = 0;
    if (by->beside) {
        double at[3];
        position_of(world, 0, at);
        for (int c = 0; c < 3; c++) {
            at[c] += by->beside[c];
        }
        assert_int_equal(vxe_world_place(world, 1, at, NULL, NULL, NULL, &error), VXE_OK);
    }
    for (uint64_t i = 0; i < by->steps; i++) {
        if (anew) {
            assert_int_equal(vxe_world_place(world, 0, NULL, NULL, NULL, NULL, &error), VXE_OK);
            *touches += i % 10 == 0 && vxe_world_energy(world).contact > 0;
        }
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    }
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

static void check_course(const char *what, vxe_design *design, const course *by)
{
    const vxe_damping_scheme schemes[2] = {VXE_DAMPING_AUTO, VXE_DAMPING_EXPLICIT};
    for (int i = 0; i < 2; i++) {
        uint64_t touches = 0;
        const uint64_t always = run(design, schemes[i], true, by, &touches);
        print_message("  %s: in contact at %u of %u looks\n", what, (unsigned)touches,
                      (unsigned)(by->steps / 10));
        assert_true(touches > 0);
        assert_true(run(design, schemes[i], false, by, &touches) == always);
    }
    vxe_design_destroy(design);
}

static void check_lists(const char *what, vxe_design *design, uint64_t steps, const double *beside)
{
    check_course(what, design, &(course){"native", steps, beside});
}

/* A body that folds, bends and jumps: voxels two cells apart come into contact. */
static void walking_bodies_find_their_contacts(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad10.vxa");
    design->self_collision = true;
    check_lists("quadruped", design, 1500, NULL);
}

/* Voxels two cells apart that are in different threads' parts of a body. */
static void folding_bodies_find_contacts_across_threads(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad10.vxa");
    design->self_collision = true;
    uint64_t hash[4];
    for (uint32_t threads = 1; threads <= 4; threads++) {
        vxe_world_def def = vxe_world_def_default();
        def.threads = threads;
        vxe_world *world = make_world(design, &def);
        assert_int_equal(vxe_world_advance(world, 3000, NULL), VXE_OK);
        assert_true(vxe_world_energy(world).contact > 0);
        hash[threads - 1] = vxe_world_hash(world);
        vxe_world_destroy(world);
    }
    assert_true(hash[1] == hash[0] && hash[2] == hash[0] && hash[3] == hash[0]);
    vxe_design_destroy(design);
}

/* Two spinning bars side by side: their tips collide. */
static vxe_design *spinning_bars(int apart)
{
    vxe_material m = standard_material();
    m.collision_damping = 0.3;
    vxe_design *design = colliding(&m, 7, 1, 1);
    add_bar(design, 0, apart, 0, 7);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const double spin = 40;
        const double arm = (design->voxels[v].position[0] - 3) * EDGE;
        vxe_error error;
        assert_int_equal(vxe_design_set_velocity(design, v, (const double[3]){0, spin * arm, 0},
                                                 (const double[3]){0, 0, spin}, &error),
                         VXE_OK);
    }
    return design;
}

static void turning_bodies_find_their_contacts(void **state)
{
    (void)state;
    for (int apart = 2; apart < 5; apart++) {
        check_lists("spinning bars", spinning_bars(apart), 2000, NULL);
    }
}

/* Spheres, under the preset voxelyze: faces are no obstacle for them. */
static void spheres_find_their_contacts(void **state)
{
    (void)state;
    for (int apart = 2; apart < 5; apart++) {
        check_course("bars of spheres", spinning_bars(apart), &(course){"voxelyze", 2000, NULL});
    }
}

/* Two single voxels with one empty cell between them: one spins in place, the other approaches
 * slowly. */
static vxe_design *spinning_voxel(double speed)
{
    vxe_material m = standard_material();
    m.collision_damping = 0.3;
    vxe_design *design = colliding(&m, 1, 1, 1);
    add_bar(design, 2, 0, 0, 1);
    const double still[3] = {0, 0, 0};
    vxe_error error;
    assert_int_equal(vxe_design_set_velocity(design, 0, still, (const double[3]){0, 0, 20}, &error),
                     VXE_OK);
    assert_int_equal(
        vxe_design_set_velocity(design, 1, (const double[3]){-speed, 0, 0}, still, &error), VXE_OK);
    return design;
}

/* The initial distance is smaller than the reach of the corners. */
static void turning_voxels_find_their_contacts(void **state)
{
    (void)state;
    check_lists("spinning voxel", spinning_voxel(0), 1000,
                (const double[3]){1.2 * EDGE, 0.1 * EDGE, 0});
}

/* Two single voxels two cells apart along one axis or more, which approach each other and drift
 * together along x. */
static vxe_design *coupling_voxels(const int apart[3], double glide)
{
    vxe_material m = standard_material();
    vxe_design *design = colliding(&m, 1, 1, 1);
    add_bar(design, apart[0], apart[1], apart[2], 1);
    for (uint32_t v = 0; v < 2;
         v++) { /* move both, so that no bound of their approach is too wide */
        double speed[3];
        vxe_error error;
        for (int c = 0; c < 3; c++) {
            speed[c] = (v == 0 ? 0.15 : -0.15) * apart[c];
        }
        speed[0] += glide;
        assert_int_equal(
            vxe_design_set_velocity(design, v, speed, (const double[3]){0, 0, 0}, &error), VXE_OK);
    }
    return design;
}

/* Pairs for which each rule of waiting applies. */
static void voxels_two_cells_apart_find_their_contacts(void **state)
{
    (void)state;
    const int apart[][3] = {{2, 0, 0}, {2, 1, 0}, {1, 2, 1}, {2, 2, 0}, {1, 2, 2}, {2, 2, 2}};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        check_lists("meeting voxels", coupling_voxels(apart[i], 0), 600, NULL);
    }
}

/* The voxels drift to 9 km from where the lists were made. There floats round positions by some
 * hundredths of an edge, so that the initial margin is not enough. */
static void voxels_find_their_contacts_far_from_where_they_were(void **state)
{
    (void)state;
    vxe_design *design = coupling_voxels((const int[3]){2, 0, 0}, 9e5);
    uint64_t met = 0;
    for (int i = 0; i < 40; i++) {
        const double beside[3] = {(1.4 + 0.007 * i) * EDGE, 0, 0};
        const course by = {"native", 600, beside};
        uint64_t touches = 0;
        const uint64_t always = run(design, VXE_DAMPING_AUTO, true, &by, &touches);
        met += touches;
        assert_true(run(design, VXE_DAMPING_AUTO, false, &by, &touches) == always);
    }
    print_message("  gliding voxels: in contact at %u looks\n", (unsigned)met);
    assert_true(met > 0);
    vxe_design_destroy(design);
}

/* Two plates that collide face to face: each is one batch of the pair search. */
static void plates_find_their_contacts(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = colliding(&m, 1, 4, 4);
    for (int i = 0; i < 16; i++) {
        add_bar(design, 8, i % 4, i / 4, 1);
    }
    for (uint32_t v = 0; v < 32; v++) {
        const double speed[3] = {v < 16 ? 4 : -4, 0, 0};
        vxe_error error;
        assert_int_equal(
            vxe_design_set_velocity(design, v, speed, (const double[3]){0, 0, 0}, &error), VXE_OK);
    }
    check_lists("plates", design, 200, NULL);
}

/* The largest number of surface voxels that is searched without a grid. */
#define CLOUD 512u

/* Single voxels three cells apart with different velocities, and further voxels at rest far away.
 */
static vxe_design *cloud(int resting)
{
    vxe_material m = standard_material();
    vxe_design *design = colliding(&m, 1, 1, 1);
    for (int i = 1; i < (int)CLOUD; i++) {
        add_bar(design, 3 * (i % 8), 3 * (i / 8 % 8), 3 * (i / 64), 1);
    }
    for (uint32_t v = 0; v < CLOUD; v++) {
        double speed[3];
        vxe_error error;
        for (uint32_t c = 0; c < 3; c++) {
            speed[c] = (double)((v * 2654435761u + c * 40503u * (v + 7)) % 1000) / 1000 - 0.5;
        }
        assert_int_equal(
            vxe_design_set_velocity(design, v, speed, (const double[3]){0, 0, 0}, &error), VXE_OK);
    }
    for (int i = 0; i < resting; i++) {
        add_bar(design, 0, 200 + 3 * (i % 20), 3 * (i / 20), 1);
    }
    return design;
}

/* Largest distance between the positions of one voxel in two worlds. */
static double difference(vxe_world *const worlds[2], uint32_t voxel)
{
    double places[2][3];
    position_of(worlds[0], voxel, places[0]);
    position_of(worlds[1], voxel, places[1]);
    return fmax(fabs(places[0][0] - places[1][0]),
                fmax(fabs(places[0][1] - places[1][1]), fabs(places[0][2] - places[1][2])));
}

/* Whether a voxel has left the straight path of its initial velocity. */
static bool was_turned_away(const vxe_design *design, const vxe_world *world, uint32_t voxel)
{
    double place[3];
    double away = 0;
    position_of(world, voxel, place);
    for (uint32_t c = 0; c < 3; c++) {
        away = fmax(away, fabs(place[c] - (design->voxels[voxel].position[c] + 0.5) * EDGE -
                               design->velocity[6ull * voxel + c] * vxe_world_time(world)));
    }
    return away > 0.1 * EDGE;
}

/* A small surface is searched batch by batch, a large one by a grid: both find the same pairs in
 * the same order. A missed contact would shift a voxel by 10^-3 m. Positions in float are rounded
 * by 10^-8 m here, relative to different origins, which collisions amplify to 10^-7 m. */
static void either_search_finds_the_same(void **state)
{
    (void)state;
    vxe_design *designs[2] = {cloud(0), cloud(300)};
    vxe_world *worlds[2];
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    def.precision = VXE_PRECISION_DOUBLE;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 2e-4;
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_world(designs[i], &def);
        assert_int_equal(vxe_world_advance(worlds[i], 400, &error), VXE_OK);
    }
    uint32_t met = 0;
    double max = 0;
    for (uint32_t v = 0; v < CLOUD; v++) {
        max = fmax(max, difference(worlds, v));
        met += was_turned_away(designs[0], worlds[0], v);
    }
    print_message("  %u of %u voxels met others, and differ by %.1e m\n", met, CLOUD, max);
    assert_true(met > CLOUD / 4 && max <= by_precision(0, 1e-6));
    for (int i = 0; i < 2; i++) {
        vxe_world_destroy(worlds[i]);
        vxe_design_destroy(designs[i]);
    }
}

/* Bars with some empty cells between their ends, which lengthen until they collide. */
static vxe_design *growing_bars(int gap)
{
    vxe_material m = standard_material();
    m.thermal_expansion = 0.02;
    vxe_design *design = colliding(&m, 8, 1, 1);
    add_bar(design, 8 + gap, 0, 0, 8);
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 20, .period = 0.3};
    return design;
}

static void growing_bodies_find_their_contacts(void **state)
{
    (void)state;
    for (int gap = 1; gap < 3; gap++) {
        check_lists("swelling bars", growing_bars(gap), 2500, NULL);
    }
}

static vxe_design *some_body(int i)
{
    if (i % 3 == 2) {
        vxe_design *design = benchmark_design("quad6.vxa");
        design->self_collision = true;
        return design;
    }
    return i % 3 == 1 ? spinning_voxel(0.01 * (5 + i)) : growing_bars(1 + i % 2);
}

static void bodies_find_their_contacts_in_any_batch(void **state)
{
    (void)state;
    check_same_bits(some_body, 6, 2500);
}

/* A surface larger than what is searched without a grid. */
static void large_bodies_find_their_contacts(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = colliding(&m, 8, 8, 8);
    const uint32_t voxels = design->voxel_count;
    for (int z = 0; z < 8; z++) {
        for (int y = 0; y < 8; y++) {
            add_bar(design, 11, y + 3, z + 2, 8);
        }
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const double speed[3] = {v < voxels ? 5 : -5, 0, 0};
        vxe_error error;
        assert_int_equal(
            vxe_design_set_velocity(design, v, speed, (const double[3]){0, 0, 0}, &error), VXE_OK);
    }
    check_lists("large blocks", design, 300, NULL);
}

/* A block whose bonds all break: each voxel has open faces, and no voxel exceeds the largest number
 * of neighbours. */
static void shattered_blocks_stay_below_the_neighbour_limit(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.model = VXE_MATERIAL_LINEAR_FAILING;
    m.fail_stress = 1e3;
    vxe_design *design = colliding(&m, 6, 6, 6);
    vxe_error error;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        double speed[3];
        for (int c = 0; c < 3; c++) {
            speed[c] = 20 * (design->voxels[v].position[c] - 2.5) * EDGE;
        }
        assert_int_equal(
            vxe_design_set_velocity(design, v, speed, (const double[3]){0, 0, 0}, &error), VXE_OK);
    }
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_advance(world, 200, &error), VXE_OK);
    assert_true(vxe_world_max_strain(world) == 0); /* of unbroken bonds: there are none */
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A brick of 2 x 2 x 2 lies on a plate on the floor, in contact with the plate at rest and not
 * bonded. */
static vxe_design *brick_on_plate(int breaks)
{
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.collision_damping = 1;
    m.global_damping = 0.01;
    if (breaks) { /* with it, neighbour lists hold voxels of any lattice distance */
        m.model = VXE_MATERIAL_LINEAR_FAILING;
        m.fail_strain = 0.5;
    }
    vxe_design *design = colliding(&m, 4, 4, 1);
    for (int i = 0; i < 4; i++) {
        add_bar(design, 1, 1 + i % 2, 1 + i / 2, 2);
    }
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    assert_non_null(part);
    for (uint32_t v = 16; v < design->voxel_count; v++) {
        part->values[v] = 7;
    }
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    return design;
}

/* Voxels of different parts interact by contact only: stiffness E a for each aligned pair, which
 * carries a column of two voxels. Nothing holds them when they are pulled apart. */
static void parts_touch_and_part(void **state)
{
    (void)state;
    for (int breaks = 0; breaks < 2; breaks++) {
        vxe_design *design = brick_on_plate(breaks);
        vxe_world *world = make_world(design, NULL);
        double plate[3];
        double brick[3];
        settle(world, 0.1, 1e-9);
        position_of(world, 5, plate);
        position_of(world, 16, brick);
        /* settled to 1e-9 m of 2e-6 m */
        check_relative("depth of the contact, m", EDGE - (brick[2] - plate[2]),
                       2 * MASS * 9.81 / STIFFNESS, 2e-3);
        vxe_world_destroy(world);
        for (uint32_t v = 16; v < design->voxel_count; v++) {
            vxe_error error;
            assert_int_equal(vxe_design_set_velocity(design, v, (const double[3]){0, 0, 1.5},
                                                     (const double[3]){0, 0, 0}, &error),
                             VXE_OK);
        }
        world = make_world(design, NULL);
        vxe_error error;
        while (vxe_world_time(world) < 0.04) {
            assert_int_equal(vxe_world_advance(world, 10, &error), VXE_OK);
        }
        position_of(world, 16, brick);
        assert_true(brick[2] > 2.5 * EDGE); /* the drag lets it rise by 20 mm */
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static void parts_touch_in_any_batch(void **state)
{
    (void)state;
    check_same_bits(brick_on_plate, 1, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walking_bodies_find_their_contacts),
        cmocka_unit_test(folding_bodies_find_contacts_across_threads),
        cmocka_unit_test(spheres_find_their_contacts),
        cmocka_unit_test(turning_bodies_find_their_contacts),
        cmocka_unit_test(turning_voxels_find_their_contacts),
        cmocka_unit_test(voxels_two_cells_apart_find_their_contacts),
        cmocka_unit_test(voxels_find_their_contacts_far_from_where_they_were),
        cmocka_unit_test(plates_find_their_contacts),
        cmocka_unit_test(either_search_finds_the_same),
        cmocka_unit_test(growing_bodies_find_their_contacts),
        cmocka_unit_test(bodies_find_their_contacts_in_any_batch),
        cmocka_unit_test(shattered_blocks_stay_below_the_neighbour_limit),
        cmocka_unit_test(large_bodies_find_their_contacts),
        cmocka_unit_test(parts_touch_and_part),
        cmocka_unit_test(parts_touch_in_any_batch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
