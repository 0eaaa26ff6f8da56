/* SPDX-License-Identifier: MIT */
/* Designs written as VXA: what a VXA can say is read back, and for the rest there are notes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "lattice/formats/format.h"
#include "lattice/region_internal.h"
#include "support.h"

static void expect_told(const differences *told, const char *const *lines, int count)
{
    for (int i = 0; i < told->count; i++) {
        print_message("  told: %s\n", told->lines[i]);
    }
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int k = 0; k < told->count; k++) {
            found = found || strstr(told->lines[k], lines[i]);
        }
        if (!found) {
            fail_msg("not told: %s", lines[i]);
        }
    }
    assert_int_equal(told->count, count);
}

/* All that a VXA can say. */
static vxe_design *common_design(void)
{
    vxe_material m = standard_material();
    vxe_error error;
    m.poissons_ratio = 1.0 / 3;
    m.thermal_expansion = 0.1;
    m.phase = 2.0 / 3;
    m.static_friction = 1.1;
    m.dynamic_friction = 0.7;
    m.bond_damping = 0.3;
    m.collision_damping = 0.6;
    m.global_damping = 0.01;
    snprintf(m.name, sizeof m.name, "%s", "soft & \"wet\" <1>");
    vxe_design *design = block_design(&m, 3, 2, 2);
    m.model = VXE_MATERIAL_MEASURED;
    m.curve_count = 3;
    m.curve_strain[1] = 0.1;
    m.curve_stress[1] = 0.1 * m.youngs_modulus;
    m.curve_strain[2] = 0.3;
    m.curve_stress[2] = 0.15 * m.youngs_modulus;
    m.youngs_modulus = m.curve_stress[1] / m.curve_strain[1];
    snprintf(m.name, sizeof m.name, "%s", "curved");
    assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
    design->voxels[3].material = 1;
    vxe_layer *layer = vxe_design_layer(design, "PhaseOffset", 1);
    vxe_layer *amplitude = vxe_design_layer(design, "Amplitude", 1);
    vxe_layer *initial = vxe_design_layer(design, "InitialSize", 1);
    vxe_layer *start = vxe_design_layer(design, "GrowthStart", 1);
    vxe_layer *time = vxe_design_layer(design, "GrowthTime", 1);
    assert_non_null(time);
    amplitude = vxe_design_layer(design, "Amplitude", 1);
    initial = vxe_design_layer(design, "InitialSize", 1);
    start = vxe_design_layer(design, "GrowthStart", 1);
    layer = vxe_design_layer(design, "PhaseOffset", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        layer->values[v] = v / 7.0;
        amplitude->values[v] = 1 - v / 30.0;
        initial->values[v] = 0.8 + v / 40.0;
        start->values[v] = 0.7 + v / 10.0;
        time->values[v] = 0.3 * v;
    }
    design->gravity[2] = -9.81;
    design->floor.enabled = design->floor.sticky = true;
    design->self_collision = true;
    design->actuation = (vxe_actuation){.enabled = true,
                                        .base = 25,
                                        .amplitude = 14.3,
                                        .period = 0.3,
                                        .start = 0.1,
                                        .max = 1,
                                        .room = 0.5};
    design->stop.duration = 3;
    design->stop.settle_time = 0.7;
    design->time_step.fraction = 0.8;
    const vxe_region region = {.shape = VXE_REGION_CYLINDER,
                               .low = {0.005, 0.005, 0},
                               .high = {0.005, 0.005, 0.02},
                               .radius = 0.007,
                               .fixed = VXE_FIX_X | VXE_FIX_RZ,
                               .force = {0, 0.3, 0}};
    assert_int_equal(vxe_design_add_region(design, &region, &error), VXE_OK);
    return design;
}

static void what_a_vxa_says_comes_back(void **state)
{
    (void)state;
    static differences told;
    vxe_design *design = common_design();
    vxe_design *again = write_and_read(design, "written.vxa", &told);
    expect_told(&told, NULL, 0);
    assert_string_equal(again->materials[0].name, design->materials[0].name);
    vxe_design_destroy(again);
    vxe_design_destroy(design);
    design = benchmark_design("quad6.vxa");
    vxe_design_destroy(write_and_read(design, "written.vxa", &told));
    expect_told(&told, NULL, 0);
    vxe_design_destroy(design);
}

static void what_it_can_not_say_is_reported(void **state)
{
    (void)state;
    static differences told;
    vxe_error error;
    vxe_design *design = common_design();
    double heights[4] = {0, 0, 0, 0.01};
    double table[4] = {0, 1, 1, 1.1};
    const double course[2] = {0, 1};
    uint32_t listed[2] = {4, 5};
    const vxe_region driven = {.shape = VXE_REGION_VOXELS,
                               .voxels = listed,
                               .voxel_count = 2,
                               .fixed = VXE_FIX_Z,
                               .table = table,
                               .table_count = 2};
    design->gravity[0] = 1;
    design->floor.slope[1] = 0.1;
    design->floor.height = -0.01;
    design->fluid =
        (vxe_fluid){.enabled = true, .buoyancy = true, .density = 800, .drag_coefficient = 1.5};
    design->actuation.max = 1.1;
    design->time_step.seconds = 1e-4;
    design->stop.periods = 4;
    design->materials[1].bond_damping = 0.9;
    vxe_design_mark(design, "evosoro+both_ways", "a test says so", false); /* is written */
    assert_int_equal(vxe_design_set_formula(design, VXE_FORMULA_FORCE_Y, "1e-3*x", &error), VXE_OK);
    assert_int_equal(
        vxe_design_set_heights(
            design, &(vxe_heightfield){.columns = 2, .rows = 2, .spacing = 0.1, .heights = heights},
            &error),
        VXE_OK);
    assert_int_equal(vxe_design_add_schedule(design, &(vxe_group_schedule){0, table, 2}, &error),
                     VXE_OK);
    assert_int_equal(vxe_design_set_stiffening(design, course, 1, &error), VXE_OK);
    assert_int_equal(vxe_design_add_region(design, &driven, &error), VXE_OK);
    assert_non_null(vxe_design_layer(design, "no tag", 1));
    assert_int_equal(vxe_design_set_velocity(design, 1, (const double[3]){0, 0, 1},
                                             (const double[3]){0, 0, 0}, &error),
                     VXE_OK);
    vxe_design *again = write_and_read(design, "written.vxa", &told);
    static const char *const lines[] = {"gravity along x",
                                        "periods: 4 is 0",
                                        "time step, s",
                                        "buoyancy: on is off",
                                        "height of the floor",
                                        "slope along y",
                                        "heights of the floor",
                                        "density of the fluid",
                                        "drag coefficient: 1.5 is 1.2",
                                        "most size",
                                        "force field along y",
                                        "schedules",
                                        "stiffening",
                                        "'curved': bond damping: 0.9 is 0.3",
                                        "layer no tag",
                                        "region 2",
                                        "initial velocities"};
    expect_told(&told, lines, (int)(sizeof lines / sizeof lines[0]));
    vxe_design_destroy(again);
    vxe_design_destroy(design);
}

/* Densities of voxels come back from a scene to the last bit, and from a VXA by their name; a VXL
 * has none, and that is told. */
static void densities_go_through_files(void **state)
{
    (void)state;
    static const char *const names[] = {"written.json", "written.vxa", "written.vxc",
                                        "written.vxl.json"};
    static differences told;
    for (int i = 0; i < 4; i++) {
        const vxe_material m = standard_material();
        vxe_design *design = block_design(&m, 3, 2, 1);
        vxe_layer *layer = vxe_design_layer(design, "Density", 1);
        for (int v = 0; v < 6; v++) {
            layer->values[v] = 1000.0 / (v + 3);
        }
        vxe_design *again = write_and_read(design, names[i], &told);
        const vxe_layer *read = vxe_design_find_layer(again, "Density");
        bool is_told = false;
        for (int k = 0; k < told.count; k++) {
            is_told = is_told || strstr(told.lines[k], "layer Density");
        }
        assert_true(is_told == (i == 3));
        if (i < 3) {
            assert_non_null(read);
            assert_memory_equal(read->values, layer->values, 6 * sizeof *layer->values);
        } else {
            assert_null(read);
        }
        vxe_design_destroy(again);
        vxe_design_destroy(design);
    }
}

/* A body of about so many of 7 x 5 x 4 cells, left of the frame or not, of which some voxels are
 * listed: planes, or any. */
static vxe_design *listed_body(uint64_t *seed, double filled, uint32_t *listed, uint32_t *count)
{
    const vxe_material m = standard_material();
    vxe_error error;
    vxe_design *design = block_design(&m, 1, 1, 1);
    for (int cell = 1; cell < 7 * 5 * 4; cell++) {
        if (random_unit(seed) < filled) {
            assert_int_equal(vxe_design_add_voxel(design, cell % 7, cell / 7 % 5 - (cell % 7 > 3),
                                                  cell / 35, 0, &error),
                             VXE_OK);
        }
    }
    *count = 0;
    const int plane = (int)(3 * (random_unit(seed) + 1));
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const int32_t *at = design->voxels[v].position;
        if (plane < 3 ? at[plane] < 2 : random_unit(seed) < 0.3) {
            listed[(*count)++] = v;
        }
    }
    return design;
}

/* Whether a region of a design contains a voxel. */
static bool contains(const vxe_design *design, uint32_t region, const int32_t at[3])
{
    const double edge = design->voxel_size;
    const double center[3] = {(at[0] + 0.5) * edge, (at[1] + 0.5) * edge, (at[2] + 0.5) * edge};
    return vxe_region_touches(&design->regions[region], center, edge);
}

/* Whether the voxel of a cell is listed, or the one below along y in a body that was shifted up. */
static bool is_listed(const vxe_design *design, const uint32_t *listed, uint32_t count,
                      const int32_t at[3])
{
    int32_t shift = 0;
    bool found = false;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        shift = design->voxels[v].position[1] < 0 ? 1 : shift;
    }
    for (uint32_t i = 0; i < count; i++) {
        const int32_t *here = design->voxels[listed[i]].position;
        found = found || (here[0] == at[0] && here[1] + shift == at[1] && here[2] == at[2]);
    }
    return found;
}

/* Lists become boxes: each voxel of the list is in one of them and no other voxel is in any, and
 * the loads are shared by how many voxels each has. No difference is told then. */
static void lists_become_boxes_of_the_same_voxels(void **state)
{
    (void)state;
    static differences told;
    uint64_t seed = 7;
    uint32_t boxes = 0;
    uint32_t voxels = 0;
    for (int trial = 0; trial < 200; trial++) {
        static uint32_t listed[7 * 5 * 4];
        uint32_t count = 0;
        vxe_error error;
        vxe_design *design = listed_body(&seed, trial % 3 - 0.5, listed, &count);
        const vxe_region region = {.shape = VXE_REGION_VOXELS,
                                   .voxels = listed,
                                   .voxel_count = count,
                                   .fixed = VXE_FIX_X | VXE_FIX_RY,
                                   .force = {1, 0, -3},
                                   .moment = {0, 0.25, 0},
                                   .displacement = {0.002, 0, 0}};
        assert_int_equal(vxe_design_add_region(design, &region, &error), VXE_OK);
        vxe_design *again = write_and_read(design, "written.vxa", &told);
        for (int i = 0; i < told.count; i++) {
            assert_null(strstr(told.lines[i], "region"));
        }
        double force = 0;
        for (uint32_t r = 0; r < again->region_count; r++) {
            force += again->regions[r].force[2];
        }
        check_near("force of all boxes, N", force, count ? -3 : 0, 1e-12);
        for (uint32_t v = 0; v < again->voxel_count; v++) {
            uint32_t in = 0;
            for (uint32_t r = 0; r < again->region_count; r++) {
                in += contains(again, r, again->voxels[v].position);
            }
            assert_int_equal(in, is_listed(design, listed, count, again->voxels[v].position));
            voxels += in;
        }
        boxes += again->region_count;
        vxe_design_destroy(again);
        vxe_design_destroy(design);
    }
    print_message("  %u boxes for %u voxels\n", boxes, voxels);
    assert_in_range(boxes, 200, voxels / 2);
}

static void count_one(void *user, const char *text)
{
    print_message("  told: %s\n", text);
    ++*(uint32_t *)user;
}

/* Shapes that lack one voxel of a list, or have one more, or another load, are a difference. */
static void other_boxes_than_a_list_are_told(void **state)
{
    (void)state;
    static const struct {
        double high, force;
        bool same;
    } rows[] = {{0.02, 2, true}, {0.01, 2, false}, {0.03, 2, false}, {0.02, 2.5, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const vxe_material m = standard_material();
        vxe_error error;
        uint32_t listed[3] = {0, 1, 3};
        const vxe_region list = {
            .shape = VXE_REGION_VOXELS, .voxels = listed, .voxel_count = 3, .force = {3, 0, 0}};
        const vxe_region boxes[2] = {
            {.high = {rows[i].high * 0.9, 0.01, 0.01}, .force = {rows[i].force, 0, 0}},
            {.low = {0.031, 0, 0}, .high = {1, 1, 1}, .force = {1, 0, 0}}};
        vxe_design *a = block_design(&m, 4, 1, 1);
        vxe_design *b = block_design(&m, 4, 1, 1);
        a->voxel_size = b->voxel_size = 0.01;
        assert_int_equal(vxe_design_add_region(a, &list, &error), VXE_OK);
        assert_int_equal(vxe_design_add_region(b, &boxes[0], &error), VXE_OK);
        assert_int_equal(vxe_design_add_region(b, &boxes[1], &error), VXE_OK);
        uint32_t told = 0;
        assert_int_equal(vxe_design_differences(a, b, count_one, &told, &error), VXE_OK);
        assert_int_equal(told, rows[i].same ? 0 : 1);
        vxe_design_destroy(a);
        vxe_design_destroy(b);
    }
}

/* A body of so many materials, in arbitrary order, part of it left of the frame. Three of its cells
 * would be characters that end their element if cells were written as characters. */
static void write_body(uint32_t count)
{
    static differences told;
    vxe_error error = {0};
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(m.name, sizeof m.name, "m%u", i);
        assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
        assert_int_equal(vxe_design_add_voxel(design, 5 - (int32_t)i % 11, (int32_t)i / 11 - 3, 2,
                                              i % 11 < 2 ? 44u % count : i + 1, &error),
                         VXE_OK);
    }
    vxe_design *again = write_and_read(design, "written.vxa", &told);
    static const char *const lines[] = {"shifted by (5, 3, 0)"};
    expect_told(&told, lines, 1);
    vxe_design_destroy(again);
    if (count > 100) {
        vxe_design_destroy(design);
        return;
    }
    design->floor.enabled = true;
    design->voxels[7].position[2] = -1;
    assert_int_equal(vxe_design_write(design, "written.vxa", &error), VXE_ERROR_UNSUPPORTED);
    design->floor.enabled = false;
    design->voxels[7].position[0] = 2000000000;
    assert_int_equal(vxe_design_write(design, "written.vxa", &error), VXE_ERROR_UNSUPPORTED);
    assert_true(access("written.vxa", F_OK) != 0);
    vxe_design_destroy(design);
}

/* Order, frame and number of materials do not matter. */
static void any_body_is_written(void **state)
{
    (void)state;
    for (uint32_t count = 40; count < 600; count *= 3) { /* characters, bytes, numbers */
        write_body(count);
    }
}

/* The bytes in memory are those of the file, for every kind, and read back as the file does. */
static void bytes_are_those_of_files(void **state)
{
    (void)state;
    static const char *const names[] = {"a.vxa",      "a.vxc",         "a.json",
                                        "a.vxl.json", "a.evogym.json", "a.vox"};
    const vxe_material material = standard_material();
    vxe_error error;
    vxe_design *design = block_design(&material, 3, 1, 2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = NULL;
        char *bytes = NULL;
        uint64_t length = 0;
        uint64_t size = 0;
        assert_int_equal(vxe_design_write(design, names[i], &error), VXE_OK);
        assert_int_equal(vxe_file_read(names[i], 1000000, &text, &length, &error), VXE_OK);
        assert_int_equal(vxe_design_write_bytes(design, names[i], &bytes, &size, &error), VXE_OK);
        assert_int_equal(size, length);
        assert_memory_equal(bytes, text, length + 1);
        vxe_design *read = vxe_design_read(names[i], &error);
        vxe_design *taken = vxe_design_read_bytes(bytes, size, names[i], &error);
        assert_non_null(read);
        assert_true(vxe_design_hash(read) == vxe_design_hash(taken));
        assert_null(vxe_design_read_bytes(bytes, size / 2, names[i], &error));
        assert_string_equal(error.file, names[i]);
        vxe_design_destroy(read);
        vxe_design_destroy(taken);
        vxe_memory_release(bytes);
        vxe_memory_release(text);
        assert_int_equal(unlink(names[i]), 0);
    }
    char *bytes = NULL;
    uint64_t size = 0;
    assert_int_equal(vxe_design_write_bytes(design, "a.stl", &bytes, &size, &error),
                     VXE_ERROR_ARGUMENT);
    assert_null(bytes);
    assert_null(vxe_design_read_bytes("x", 1, "a.stl", &error));
    assert_null(vxe_design_read_bytes("x", 1, "a.vxd", &error));
    assert_null(vxe_design_read_bytes(NULL, 0, "a.json", &error));
    design->voxels[1].position[0] = design->voxels[0].position[0];
    assert_int_equal(vxe_design_write_bytes(design, "a.vxa", &bytes, &size, &error),
                     VXE_ERROR_INPUT);
    assert_null(bytes);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_vxa_says_comes_back),
                                       cmocka_unit_test(densities_go_through_files),
                                       cmocka_unit_test(what_it_can_not_say_is_reported),
                                       cmocka_unit_test(lists_become_boxes_of_the_same_voxels),
                                       cmocka_unit_test(other_boxes_than_a_list_are_told),
                                       cmocka_unit_test(bytes_are_those_of_files),
                                       cmocka_unit_test(any_body_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
