/* SPDX-License-Identifier: MIT */
/* Values of a design that are set by their keys: the design is what a scene with these values is
   read as, and a setting that is refused changes nothing. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "lattice/formats/format.h"
#include "support.h"

static vxe_design *asset(const char *name)
{
    char path[1024];
    vxe_error error;
    snprintf(path, sizeof path, "%s/assets/%s", SOURCE_FOLDER, name);
    vxe_design *design = vxe_design_read(path, &error);
    if (!design) {
        fail_msg("%s: %s", path, error.message);
    }
    return design;
}

static void set(vxe_design *design, const char *key, const char *value)
{
    const vxe_setting setting = {key, value};
    vxe_error error;
    if (vxe_design_set(design, &setting, 1, &error)) {
        fail_msg("%s=%s: %s", key, value, error.message);
    }
}

/* Refused, with these words, and without a change. */
static void check_refusal(vxe_design *design, const char *key, const char *value, const char *says)
{
    const vxe_setting setting = {key, value};
    const uint64_t before = vxe_design_hash(design);
    const uint32_t notes = vxe_design_note_count(design);
    vxe_error error = {0};
    assert_int_not_equal(vxe_design_set(design, &setting, 1, &error), VXE_OK);
    if (!strstr(error.message, says)) {
        fail_msg("%s=%s: '%s' is not in: %s", key, value, says, error.message);
    }
    assert_true(vxe_design_hash(design) == before);
    assert_int_equal(vxe_design_note_count(design), notes);
}

static void told(void *user, const char *text)
{
    fail_msg("%s: %s", (const char *)user, text);
}

/* A design of which a value is set to what it is, in the scene without voxels and in the whole one.
 */
static void check_unchanged(char *name)
{
    static const char *const keys[] = {"gravity_m_per_s2", "initial_velocities"};
    for (int whole = 0; whole < 2; whole++) {
        vxe_design *design = asset(name);
        vxe_error error;
        vxe_design *copy = vxe_design_copy(design, &error);
        char value[128];
        const double *g = design->gravity;
        snprintf(value, sizeof value, "[%.17g, %.17g, %.17g]", g[0], g[1], g[2]);
        if (!whole || !design->velocity) {
            set(design, keys[whole], whole ? "[]" : value);
        }
        assert_true(vxe_design_hash(design) == vxe_design_hash(copy));
        assert_int_equal(vxe_design_differences(copy, design, told, name, &error), VXE_OK);
        assert_string_equal(design->name, copy->name);
        assert_string_equal(design->written_for, copy->written_for);
        assert_string_equal(design->written_for_by, copy->written_for_by);
        assert_true(design->written_for_guessed == copy->written_for_guessed);
        assert_int_equal(vxe_design_note_count(design), vxe_design_note_count(copy));
        for (uint32_t i = 0; i < vxe_design_note_count(copy); i++) {
            assert_string_equal(vxe_design_note(design, i), vxe_design_note(copy, i));
        }
        vxe_design_destroy(copy);
        vxe_design_destroy(design);
    }
}

/* Nothing else changes: all designs that come with the program, of every kind. */
static void the_rest_of_a_design_stays(void **state)
{
    static const char *const folders[] = {"", "benchmark/"};
    int count = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/assets/%s", SOURCE_FOLDER, folders[i]);
        DIR *entries = opendir(path);
        assert_non_null(entries);
        for (const struct dirent *entry = NULL; (entry = readdir(entries));) {
            char name[512];
            snprintf(name, sizeof name, "%s%.255s", folders[i], entry->d_name);
            if (vxe_design_is_readable(name)) {
                check_unchanged(name);
                count++;
            }
        }
        closedir(entries);
    }
    assert_true(count > 20);
}

static void values_are_set_by_their_keys(void **state)
{
    (void)state;
    vxe_design *design = asset("quadruped.vxa");
    const uint32_t voxels = design->voxel_count;
    assert_int_equal(design->material_count, 2);
    set(design, "gravity_m_per_s2", "[0, 0.5, -3.7]");
    assert_true(design->gravity[1] == 0.5 && design->gravity[2] == -3.7);
    set(design, "gravity_m_per_s2.1", "0.25");
    assert_true(design->gravity[1] == 0.25 && design->gravity[2] == -3.7);
    set(design, "materials.*.dynamic_friction", "0.3");
    set(design, "materials.1.static_friction", "0.7");
    set(design, "materials.soft.density_kg_per_m3", "1234");
    assert_true(design->materials[0].dynamic_friction == 0.3);
    assert_true(design->materials[1].dynamic_friction == 0.3);
    assert_true(design->materials[1].static_friction == 0.7);
    assert_string_equal(design->materials[0].name, "soft");
    assert_true(design->materials[0].density == 1234);
    assert_true(design->materials[1].density != 1234);
    assert_false(design->fluid.enabled);
    set(design, "fluid.density_kg_per_m3", "998");
    set(design, "fluid.enabled", "true");
    assert_true(design->fluid.enabled && design->fluid.density == 998);
    set(design, "fitness", "distance_x / t");
    assert_string_equal(design->formulas[VXE_FORMULA_FITNESS], "distance_x / t");
    set(design, "fitness", "null");
    assert_null(design->formulas[VXE_FORMULA_FITNESS]);
    set(design, "self_collision", "true");
    assert_true(design->self_collision);
    set(design, "name", "a walker");
    assert_string_equal(design->name, "a walker");
    set(design, "layers.Stiffness", "2e5");
    const vxe_layer *layer = vxe_design_find_layer(design, "Stiffness");
    assert_non_null(layer);
    assert_int_equal(design->voxel_count, voxels);
    for (uint32_t v = 0; v < voxels; v++) {
        assert_true(layer->values[v] == 2e5);
    }
    set(design, "layers.Stiffness.7", "1e5");
    layer = vxe_design_find_layer(design, "Stiffness");
    assert_true(layer->values[7] == 1e5 && layer->values[6] == 2e5);
    set(design, "layers.Stiffness", "null");
    assert_null(vxe_design_find_layer(design, "Stiffness"));
    set(design, "layers.BodyForce", "[0, 0, 0.5]");
    layer = vxe_design_find_layer(design, "BodyForce");
    assert_int_equal(layer->width, 3);
    assert_true(layer->values[3 * voxels - 1] == 0.5 && layer->values[3 * voxels - 2] == 0);
    set(design, "materials.0.density_kg_per_m3", ".5e3");
    assert_true(design->materials[0].density == 500);
    set(design, "materials.0.name", "rubber");
    assert_string_equal(design->materials[0].name, "rubber");
    set(design, "materials.0.name", "null"); /* the default of a scene */
    assert_string_equal(design->materials[0].name, "soft");
    set(design, "materials.0.name", "unnamed");
    assert_string_equal(design->materials[0].name, "unnamed");
    set(design, "conventions", "native+floor_pulls");
    assert_string_equal(design->written_for, "native+floor_pulls");
    vxe_design_destroy(design);
}

/* Values that are only valid together are set together. */
static void settings_act_at_once(void **state)
{
    static const vxe_setting both[] = {{"materials.0.yield_stress_Pa", "4e4"},
                                       {"materials.0.fail_stress_Pa", "5e4"}};
    (void)state;
    vxe_error error;
    vxe_design *design = asset("quadruped.vxa");
    set(design, "materials.0.model", "2");
    set(design, "materials.0.fail_stress_Pa", "3e4");
    check_refusal(design, both[0].key, both[0].value, "fail");
    assert_int_equal(vxe_design_set(design, both, 2, &error), VXE_OK);
    assert_true(design->materials[0].yield_stress == 4e4);
    assert_true(design->materials[0].fail_stress == 5e4);
    assert_int_equal(vxe_design_set(design, NULL, 0, &error), VXE_OK);
    assert_true(design->materials[0].fail_stress == 5e4);
    vxe_design_destroy(design);
}

/* A list that is given to all items is a list of each. */
static void items_share_no_values(void **state)
{
    static const vxe_setting settings[] = {{"materials.*.color", "[0, 0, 1]"},
                                           {"materials.0.color.0", "0.5"},
                                           {"materials.1.color.1", "0.25"}};
    (void)state;
    vxe_error error;
    vxe_design *design = asset("quadruped.vxa");
    assert_int_equal(vxe_design_set(design, settings, 3, &error), VXE_OK);
    const float *first = design->materials[0].color;
    const float *second = design->materials[1].color;
    assert_true(first[0] == 0.5f && first[1] == 0 && first[2] == 1);
    assert_true(second[0] == 0 && second[1] == 0.25f && second[2] == 1);
    vxe_design_destroy(design);
}

static void mistakes_are_told_and_change_nothing(void **state)
{
    static const char *const wrong[][3] = {
        {"gravty_m_per_s2", "[0, 0, 1]", "did you mean gravity_m_per_s2?"},
        {"gravity_m_per_s2", "1", "must be an array of 3 numbers"},
        {"gravity_m_per_s2.z", "1", "'z' is none of 3 items"},
        {"gravity_m_per_s2.3", "1", "'3' is none of 3 items"},
        {"gravity_m_per_s2.0.0", "1", "nothing within 'gravity_m_per_s2.0'"},
        {"materials.stone.density_kg_per_m3", "1", "'stone' is none of 2 items"},
        {"materials.0.density", "1", "did you mean density_kg_per_m3?"},
        {"materials.0.density_kg_per_m3", "-1", "must be above 0"},
        {"materials.0.density_kg_per_m3", "heavy", "must be a number"},
        {"materials.0.density_kg_per_m3", "nan", "must be a number"},
        {"materials.0.density_kg_per_m3", "1e400", "must be a number"},
        {"flor.slope", "[0, 0]", "did you mean floor?"},
        {"layers.PhaseOfset", "0.5", "did you mean PhaseOffset?"},
        {"layers.PhaseOffset", "[1, 2]", "has 2 numbers per voxel"},
        {"layers.PhaseOffset", "[1, 2, 3, 4, 5]", "holds 5 numbers"},
        {"layers.Stiffness.7", "1e5", "there is no layer \"Stiffness\""},
        {"layers.Stifness.7", "1e5", "did you mean Stiffness?"},
        {"gravity_m_per_s2", "[0, 0, 1", "neither JSON"},
        {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a", "1", "is no key"},
        {"layers.PhaseOffset", "1e9", "PhaseOffset"},
        {"voxels", "[]", "empty"},
        {"version", "7", "version 7"},
        {"programmes", "[]", "earlier name"},
        {"", "1", "is no key"},
        {".", "1", "is no key"},
        {"floor.", "1", "is no key"},
        {"floor..slope", "1", "is no key"},
        {"name", "\xff", "plain text"}};
    (void)state;
    vxe_design *design = asset("quadruped.vxa");
    set(design, "layers.PhaseOffset", "0.25");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_refusal(design, wrong[i][0], wrong[i][1], wrong[i][2]);
    }
    vxe_design_destroy(design);
}

/* A material's name that is not UTF-8, as old VXA have, is not lost. */
static void other_encodings_of_names_stay(void **state)
{
    (void)state;
    vxe_design *design = asset("quadruped.vxa");
    snprintf(design->materials[1].name, sizeof design->materials[1].name, "m\xfcskel");
    snprintf(design->name, sizeof design->name, "l\xe4ufer");
    set(design, "materials.0.density_kg_per_m3", "900");
    assert_string_equal(design->materials[1].name, "m\xfcskel");
    assert_string_equal(design->name, "l\xe4ufer");
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_rest_of_a_design_stays),
                                       cmocka_unit_test(values_are_set_by_their_keys),
                                       cmocka_unit_test(settings_act_at_once),
                                       cmocka_unit_test(items_share_no_values),
                                       cmocka_unit_test(mistakes_are_told_and_change_nothing),
                                       cmocka_unit_test(other_encodings_of_names_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
