/* SPDX-License-Identifier: MIT */
/* Scene files: written and read back without loss; wrong ones are refused. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "lattice/formats/format.h"
#include "lattice/formats/scene/scene_internal.h"
#include "support.h"

static uint64_t hash_of(const vxe_design *design)
{
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 200, &error), VXE_OK);
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

/* A measured curve whose first slope is the material's modulus. */
static void give_curve(vxe_material *m)
{
    m->model = VXE_MATERIAL_MEASURED;
    m->curve_count = 3;
    m->curve_strain[1] = 1.0 / 30;
    m->curve_stress[1] = m->youngs_modulus * m->curve_strain[1];
    m->curve_strain[2] = 0.7;
    m->curve_stress[2] = 1.7 * m->curve_stress[1];
}

/* Each example design, written as a scene and read back, runs to the same bits. */
static void scenes_carry_designs_to_the_last_bit(void **state)
{
    (void)state;
    static const char *const names[5] = {"quadruped", "worm", "hopper", "cantilever", "gripper"};
    for (int i = 0; i < 5; i++) {
        char path[600];
        vxe_error error = {0};
        snprintf(path, sizeof path, "%s/assets/%s.vxa", SOURCE_FOLDER, names[i]);
        vxe_design *first = vxe_design_read(path, &error);
        assert_non_null(first);
        first->materials[0].phase = 1.0 / 3;
        give_curve(&first->materials[0]);
        first->volume_effects = i % 2 == 0;
        first->self_collision = i % 2 == 1;
        const double velocity[3] = {0.1, 1e-17, -1.0 / 7};
        assert_int_equal(vxe_design_set_velocity(first, 3, velocity, velocity, &error), VXE_OK);
        vxe_region clamp = {.shape = VXE_REGION_SPHERE,
                            .low = {0.01, 0.02, 0.03},
                            .radius = 0.004,
                            .fixed = 9,
                            .displacement = {1e-4, 0, 0}};
        double table[4] = {0, 0, 0.5, 1};
        clamp.table = table;
        clamp.table_count = 2;
        assert_int_equal(vxe_design_add_region(first, &clamp, &error), VXE_OK);
        uint64_t size = 0;
        char *text = vxe_design_text(first, &size, &error);
        assert_non_null(text);
        assert_int_equal(strlen(text), size);
        vxe_design *again = vxe_design_read_text(text, size, "text", &error);
        assert_non_null(again);
        assert_true(vxe_design_hash(again) == vxe_design_hash(first));
        vxe_memory_release(text);
        vxe_design_destroy(again);
        if (vxe_design_write(first, "formats_scene_test.json", &error)) {
            fail_msg("%s", error.message);
        }
        vxe_design *second = vxe_design_read("formats_scene_test.json", &error);
        if (!second) {
            fail_msg("%s", error.message);
        }
        assert_string_equal(second->name, first->name);
        assert_int_equal(second->region_count, first->region_count);
        assert_true(second->volume_effects == first->volume_effects);
        assert_true(second->self_collision == first->self_collision);
        assert_int_equal(second->materials[0].curve_count, 3);
        assert_memory_equal(second->materials[0].curve_strain, first->materials[0].curve_strain,
                            sizeof first->materials[0].curve_strain);
        assert_memory_equal(second->materials[0].curve_stress, first->materials[0].curve_stress,
                            sizeof first->materials[0].curve_stress);
        assert_true(hash_of(first) == hash_of(second));
        vxe_design_destroy(first);
        vxe_design_destroy(second);
    }
    unlink("formats_scene_test.json");
}

static const struct {
    const char *text;
    const char *says;
} wrong[] = {
    {"", "JSON"},
    {"{\"voxels\": [", "JSON"},
    {"{}", "not a scene"},
    {"{\"materials\": [], \"voxels\": []}", "no voxels"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0]]}", "[i, j, k, material]"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 1]]}", "material 1 (from 0)"},
    {"{\"materials\": [{}], \"voxels\": [[0.5, 0, 0, 0]]}", "integers"},
    {"{\"materials\": [{}], \"voxels\": [[9e99, 0, 0, 0]]}", "integers"},
    {"{\"materials\": [{\"density_kg_per_m3\": -1}], \"voxels\": [[0, 0, 0, 0]]}", "density"},
    {"{\"materials\": [{\"density_kg_per_m3\": \"heavy\"}], \"voxels\": [[0, 0, 0, 0]]}",
     "a number"},
    {"{\"materials\": [{\"model\": 7}], \"voxels\": [[0, 0, 0, 0]]}", "model"},
    {"{\"materials\": [{\"model\": 3, \"curve\": [0, 1]}], \"voxels\": [[0, 0, 0, 0]]}", "pairs"},
    {"{\"materials\": [{\"model\": 3, \"curve\": [[0, 0], [0.1, 1e4], [0.2, 5e3]]}], \"voxels\": "
     "[[0, 0, 0, 0]]}",
     "must increase"},
    {"{\"materials\": [{\"model\": 2, \"yield_stress_Pa\": 1e4, \"fail_stress_Pa\": 5e3}], "
     "\"voxels\": [[0, 0, 0, 0]]}",
     "above its failure"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"voxel_size_m\": 0}", "voxel size"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"gravity_m_per_s2\": [1, 2]}",
     "3 numbers"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"floor\": {\"enabled\": 1}}",
     "true or false"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"regions\": [{\"shape\": \"cone\"}]}",
     "cone"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"regions\": [{\"fixed\": [\"w\"]}]}",
     "freedoms"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"regions\": [{\"voxels\": [5], \"shape\": "
     "\"voxels\"}]}",
     "voxel 5"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"layers\": {\"PhaseOffset\": []}}",
     "layer"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0], [0, 2, 1, 0]], \"layers\": {\"Density\": "
     "[900, 0]}}",
     "layer Density holds 0 at voxel (0, 2, 1); it must be a density above 0"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"initial_velocities\": [{\"voxels\": "
     "[3]}]}",
     "voxel 3"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"stop\": {\"steps\": -4}}", "steps"},
    {"{\"materials\": [{\"temperature\": {\"amplitude\": 1, \"frequency_hz\": 1}, \"cte\": 1e-3}, "
     "{\"temperature\": {\"amplitude\": 2, "
     "\"frequency_hz\": 1}, \"cte\": 1e-3}], \"voxels_ijk_mat\": [[0, 0, 0, 0]]}",
     "different temperatures"},
    {"{\"materials\": [{}], \"voxels_ijk_mat\": [[0, 0, 0, 0]], \"externals\": [{\"voxels\": [0], "
     "\"prescribed\": {\"dof\": 9}}]}",
     "dof"},
    {"{\"materials\": [{}], \"voxels_ijk_mat\": [[0, 0, 0, 0]], \"externals\": [{\"voxels\": [0], "
     "\"prescribed\": {\"dof\": 1.5}}]}",
     "dof"},
    {"{\"materials\": [{}], \"voxels_ijk_mat\": [[0, 0, 0, 0]], \"externals\": [{\"voxels\": [0], "
     "\"fixed_dof_tx_ty_tz_rx_ry_rz\": [1, 1, 1, 1, 1, 1]}]}",
     "six of true and false"},
    {"{\"materials\": [{}], \"voxels\": [[0, 0, 0, 0]], \"stop\": {\"steps\": 100.5}}",
     "whole number"},
    {"{\"materials\": [{\"color\": [1, \"0.5\", 0]}], \"voxels\": [[0, 0, 0, 0]]}",
     "\"color\" must be 3 or 4 numbers"},
    {"{\"materials\": [{\"color\": [1e308, 0, 0]}], \"voxels\": [[0, 0, 0, 0]]}", "from 0 to 1"},
};

static void wrong_scenes_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        vxe_error error = {0};
        vxe_design *design = vxe_json_read(
            &(vxe_text){"test.json", wrong[i].text, strlen(wrong[i].text), false}, &error);
        print_message("  %s:%u:%u %s\n", error.file, error.line, error.column, error.message);
        assert_null(design);
        assert_string_equal(error.file, "test.json");
        assert_non_null(strstr(error.message, wrong[i].says));
    }
}

static void unknown_keys_are_told_with_the_key_that_may_be_meant(void **state)
{
    (void)state;
    vxe_error error = {0};
    static const char text[] =
        "{\"materials\": [{\"taste\": 1, \"youngs_modulus\": 1, \"density\": 1, \"poisson_ratio\": "
        "0}], \"voxels\": [[-5, 0, 7, 0]], \"weather\": 1}";
    static const char *const notes[] = {
        "materials: unknown key \"taste\"",
        "materials: unknown key \"youngs_modulus\"; did you mean youngs_modulus_Pa?",
        "materials: unknown key \"density\"; did you mean density_kg_per_m3?",
        "materials: unknown key \"poisson_ratio\"; did you mean poissons_ratio?",
        "scene: unknown key \"weather\""};
    vxe_design *design = vxe_json_read(&(vxe_text){"test.json", text, strlen(text), false}, &error);
    assert_non_null(design);
    assert_int_equal(vxe_design_note_count(design), 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(vxe_design_note(design, i), notes[i]);
        assert_true(vxe_design_note_is_mistake(design, i));
    }
    vxe_design_destroy(design);
}

static void only_scenes_are_written(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    vxe_error error = {0};
    assert_int_equal(vxe_design_write(design, "x.vxl", &error), VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_design_write(design, "no/such/folder/x.json", &error), VXE_ERROR_SYSTEM);
    vxe_design_destroy(design);
}

/* Two voxels in a cell, and a density below 0. */
static void what_can_not_be_written_has_no_text(void **state)
{
    (void)state;
    vxe_error error = {0};
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    assert_int_equal(vxe_design_add_voxel(design, 1, 0, 0, 0, &error), VXE_OK);
    assert_null(vxe_design_text(design, NULL, &error));
    assert_int_equal(error.status, VXE_ERROR_INPUT);
    design->voxels[2].position[0] = 2;
    design->materials[0].density = -1;
    assert_null(vxe_design_text(design, NULL, &error));
    assert_int_equal(error.status, VXE_ERROR_INPUT);
    vxe_design_destroy(design);
}

/* A copy stays the same when its original is destroyed. */
static void copies_share_nothing(void **state)
{
    (void)state;
    vxe_error error = {0};
    double table[4] = {0, 1, 0.5, 2};
    double points[6] = {0, 1e-3, 2e-3, 3e-3, 0, 1e-3};
    uint32_t list[2] = {1, 4};
    char path[600];
    snprintf(path, sizeof path, "%s/assets/quadruped.vxa", SOURCE_FOLDER);
    vxe_design *first = vxe_design_read(path, &error);
    assert_non_null(first);
    const vxe_region region = {.shape = VXE_REGION_VOXELS, .voxels = list, .voxel_count = 2};
    const vxe_group_schedule schedule = {.group = 0, .table = table, .table_count = 2};
    const vxe_heightfield field = {
        .columns = 3, .rows = 2, .spacing = 0.1, .origin = {-0.1, 0}, .heights = points};
    give_curve(&first->materials[0]);
    vxe_layer *layer = vxe_design_layer(first, "BodyForce", 3);
    for (uint32_t i = 0; i < 3 * first->voxel_count; i++) {
        layer->values[i] = 1e-6 * i;
    }
    assert_int_equal(vxe_design_add_region(first, &region, &error), VXE_OK);
    assert_int_equal(vxe_design_add_schedule(first, &schedule, &error), VXE_OK);
    assert_int_equal(vxe_design_set_stiffening(first, table, 2, &error), VXE_OK);
    assert_int_equal(vxe_design_set_heights(first, &field, &error), VXE_OK);
    assert_int_equal(vxe_design_set_velocity(first, 2, table, table, &error), VXE_OK);
    assert_int_equal(vxe_design_set_formula(first, VXE_FORMULA_FITNESS, "x", &error), VXE_OK);
    first->fluid = (vxe_fluid){.enabled = true, .density = 1000};
    const uint64_t hash = vxe_design_hash(first);
    const uint32_t notes = vxe_design_note_count(first);
    vxe_design *copy = vxe_design_copy(first, &error);
    assert_non_null(copy);
    assert_true(vxe_design_hash(first) == hash);
    vxe_design_destroy(first);
    assert_true(vxe_design_hash(copy) == hash);
    assert_string_equal(copy->formulas[VXE_FORMULA_FITNESS], "x");
    assert_int_equal(vxe_design_note_count(copy), notes);
    copy->floor.heights.heights[1] += 1;
    assert_true(vxe_design_hash(copy) != hash);
    vxe_design_destroy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_share_nothing),
        cmocka_unit_test(what_can_not_be_written_has_no_text),
        cmocka_unit_test(scenes_carry_designs_to_the_last_bit),
        cmocka_unit_test(wrong_scenes_are_refused),
        cmocka_unit_test(unknown_keys_are_told_with_the_key_that_may_be_meant),
        cmocka_unit_test(only_scenes_are_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
