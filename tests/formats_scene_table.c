/* SPDX-License-Identifier: MIT */
/* The table of a scene's keys: for each key it agrees with the reader and the check of designs. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lattice/formats/format.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"
#include "support.h"

/* A scene with an object of each section, and the path to it: keys and indices of lists. */
#define BLOCK "\"materials\": [{\"model\": 1}], \"voxels\": [[0, 0, 0, 0], [1, 0, 0, 0]]"
static const struct {
    const char *text;
    const char *way[3];
} scenes[VXE_SCENE_PARTS] = {
    [VXE_SCENE_ROOT] = {"{" BLOCK "}", {NULL}},
    [VXE_SCENE_MATERIAL] = {"{" BLOCK "}", {"materials", "0"}},
    [VXE_SCENE_LAYERS] = {"{" BLOCK ", \"layers\": {}}", {"layers"}},
    [VXE_SCENE_FLOOR] = {"{" BLOCK ", \"floor\": {}}", {"floor"}},
    [VXE_SCENE_HEIGHTS] = {"{" BLOCK ", \"floor\": {\"heights_m\": [[0, 0], [0, 0]]}}", {"floor"}},
    [VXE_SCENE_FLUID] = {"{" BLOCK ", \"fluid\": {\"density_kg_per_m3\": 1000}}", {"fluid"}},
    [VXE_SCENE_FORCE_FIELD] = {"{" BLOCK ", \"force_field\": {}}", {"force_field"}},
    [VXE_SCENE_ACTUATION] = {"{" BLOCK ", \"actuation\": {\"enabled\": true}}", {"actuation"}},
    [VXE_SCENE_SCHEDULE] = {"{" BLOCK ", \"schedules\": [{\"group\": 0, \"table\": [[0, 1]]}]}",
                            {"schedules", "0"}},
    [VXE_SCENE_CONTROLLER] = {"{" BLOCK
                              ", \"controller\": {\"sensors\": [\"up\"], \"layers\": [3, 1], "
                              "\"weights\": [0, 0, 0, 0]}}",
                              {"controller"}},
    [VXE_SCENE_STOP] = {"{" BLOCK ", \"stop\": {}}", {"stop"}},
    [VXE_SCENE_TIME_STEP] = {"{" BLOCK ", \"time_step\": {}}", {"time_step"}},
    [VXE_SCENE_REGION] = {"{" BLOCK ", \"regions\": [{}]}", {"regions", "0"}},
    [VXE_SCENE_MOTION] = {"{" BLOCK ", \"initial_velocities\": [{\"voxels\": [0]}]}",
                          {"initial_velocities", "0"}},
    [VXE_SCENE_CONTACT] =
        {"{" BLOCK
         ", \"contacts\": [{\"between\": [0, 0], \"law\": \"linear\", \"kn\": 1, \"ks\": 1}]}",
         {"contacts", "0"}},
    [VXE_SCENE_LINEAR] =
        {"{" BLOCK
         ", \"contacts\": [{\"between\": [0, 0], \"law\": \"linear\", \"kn\": 1, \"ks\": 1}]}",
         {"contacts", "0"}},
    [VXE_SCENE_HERTZ] = {"{" BLOCK ", \"contacts\": [{\"between\": [0, 0], \"law\": \"hertz\"}]}",
                         {"contacts", "0"}},
    [VXE_SCENE_POWER] = {"{" BLOCK ", \"contacts\": [{\"between\": [0, \"floor\"], \"law\": "
                         "\"powerlaw\", \"alpha_r\": 1}]}",
                         {"contacts", "0"}},
    [VXE_SCENE_MAGNETICS] = {"{" BLOCK ", \"magnetics\": {}}", {"magnetics"}},
    [VXE_SCENE_FIELD] = {"{" BLOCK ", \"magnetics\": {\"field_T\": {}}}", {"magnetics", "field_T"}},
    [VXE_SCENE_GRADIENT] = {"{" BLOCK ", \"magnetics\": {\"gradient_T_per_m\": {}}}",
                            {"magnetics", "gradient_T_per_m"}},
    [VXE_SCENE_BODY] = {"{\"affine_bodies\": [{\"box_m\": [1, 1, 1]}]}", {"affine_bodies", "0"}},
    [VXE_SCENE_CYLINDER] =
        {"{\"affine_bodies\": [{\"cylinder_m\": {\"diameter\": 1, \"height\": 1}}]}",
         {"affine_bodies", "0", "cylinder_m"}},
    [VXE_SCENE_POLYHEDRON] = {"{\"affine_bodies\": [{\"polyhedron\": {\"vertices_m\": [[0, 0, 0], "
                              "[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"faces\": [[0, 2, 1], [0, 1, 3], "
                              "[0, 3, 2], [1, 2, 3]]}}]}",
                              {"affine_bodies", "0", "polyhedron"}},
    [VXE_SCENE_BODY_CONTACT] = {"{\"affine_bodies\": [{\"box_m\": [1, 1, 1], \"contact\": "
                                "{\"alpha_r\": 1}}]}",
                                {"affine_bodies", "0", "contact"}},
    [VXE_SCENE_WALL] = {"{" BLOCK ", \"walls\": [{}]}", {"walls", "0"}},
    [VXE_SCENE_OBSERVATION] = {"{\"affine_bodies\": [{\"box_m\": [1, 1, 1]}], \"observations\": "
                               "[{\"gives\": \"last\", \"of\": \"x\"}]}",
                               {"observations", "0"}}};

static json_t *scene_of(vxe_scene_part part, json_t **object)
{
    json_error_t trouble;
    json_t *root = json_loads(scenes[part].text, 0, &trouble);
    if (!root) {
        fail_msg("scene of part %d: %s", (int)part, trouble.text);
    }
    *object = root;
    for (int i = 0; i < 3 && scenes[part].way[i]; i++) {
        *object = json_is_array(*object) ? json_array_get(*object, 0)
                                         : json_object_get(*object, scenes[part].way[i]);
    }
    assert_true(json_is_object(*object));
    return root;
}

/* Reads a scene and destroys it; null and an error if it is refused. */
static vxe_design *read_scene(json_t *root, vxe_error *error)
{
    char *text = json_dumps(root, 0);
    json_decref(root);
    assert_non_null(text);
    vxe_design *design = vxe_design_read_text(text, strlen(text), "scene.json", error);
    free(text);
    return design;
}

static void each_section_has_a_scene(void **state)
{
    (void)state;
    for (int part = 0; part < VXE_SCENE_PARTS; part++) {
        json_t *object = NULL;
        vxe_error error;
        vxe_design *design = read_scene(scene_of((vxe_scene_part)part, &object), &error);
        if (!design) {
            fail_msg("%s: %s", vxe_scene_section_of((vxe_scene_part)part)->path, error.message);
        }
        assert_int_equal(vxe_design_note_count(design), 0);
        vxe_design_destroy(design);
    }
}

static void check_key(const vxe_scene_section *section, size_t i)
{
    const vxe_scene_key *key = &section->keys[i];
    const vxe_law_number *number = vxe_scene_law_number(section, key);
    assert_true(key->meaning && key->meaning[0]);
    assert_false(strchr(key->meaning, '|'));
    assert_true(key->type != VXE_SCENE_CHOICE || key->offset == VXE_SCENE_BY_HAND);
    if (key->law_number > 0 && strcmp(number->name, key->key) != 0) {
        fail_msg("%s: \"%s\" is the law's %s", section->path, key->key, number->name);
    }
    for (const vxe_scene_section *s = section; s; s = s->also) {
        for (size_t k = 0; k < s->key_count; k++) {
            if (&s->keys[k] != key && strcmp(s->keys[k].key, key->key) == 0) {
                fail_msg("%s: \"%s\" is there twice", section->path, key->key);
            }
        }
    }
}

static void keys_are_said_once_and_in_full(void **state)
{
    (void)state;
    for (int part = 0; part < VXE_SCENE_PARTS; part++) {
        const vxe_scene_section *section = vxe_scene_section_of((vxe_scene_part)part);
        uint32_t numbers = 0;
        for (size_t i = 0; i < section->key_count; i++) {
            check_key(section, i);
            numbers += section->keys[i].law_number > 0;
        }
        uint32_t count = VXE_AFFINE_NUMBERS;
        if (section->subject == VXE_SCENE_OF_LAW) {
            (void)vxe_contact_law_numbers((vxe_contact_kind)section->law, &count);
        }
        if (section->subject == VXE_SCENE_OF_LAW || section->subject == VXE_SCENE_OF_BODY) {
            assert_int_equal(numbers, count);
        }
    }
}

typedef const char *name_of(uint32_t place);

static const char *law_name(uint32_t place)
{
    return vxe_contact_kind_name((vxe_contact_kind)place);
}

static const char *body_kind_name(uint32_t place)
{
    return vxe_affine_kind_name((vxe_affine_kind)place);
}

static const char *observation_name(uint32_t place)
{
    return vxe_observation_kind_name((vxe_observation_kind)place);
}

/* The words of a choice are the names of the enumeration, in their order. */
static void choices_are_the_names_of_what_there_is(void **state)
{
    (void)state;
    static const struct {
        vxe_scene_part part;
        const char *key;
        name_of *name;
    } choices[] = {{VXE_SCENE_CONTACT, "law", law_name},
                   {VXE_SCENE_BODY, "kind", body_kind_name},
                   {VXE_SCENE_OBSERVATION, "gives", observation_name}};
    for (size_t c = 0; c < sizeof choices / sizeof choices[0]; c++) {
        const vxe_scene_section *section = vxe_scene_section_of(choices[c].part);
        const vxe_scene_key *key = section->keys;
        while (strcmp(key->key, choices[c].key) != 0) {
            key++;
        }
        for (uint32_t i = 0; choices[c].name(i); i++) {
            size_t length = 0;
            const char *word = vxe_scene_word(key->form, i, &length);
            assert_non_null(word);
            assert_int_equal(length, strlen(choices[c].name(i)));
            assert_memory_equal(word, choices[c].name(i), length);
            assert_true(choices[c].name(i + 1) || !vxe_scene_word(key->form, i + 1, &length));
        }
    }
}

/* Sets a number of an object; for a layer, the value of each voxel. */
static void put(json_t *object, const vxe_scene_key *key, double value)
{
    const bool listed = key->type == VXE_SCENE_LIST;
    json_t *item = listed ? json_array() : json_real(value);
    if (listed) {
        for (uint32_t i = 0; i < 2 * key->count; i++) {
            json_array_append_new(item, json_real(value));
        }
    }
    assert_int_equal(json_object_set_new(object, key->key, item), 0);
}

/* Whether a scene with this number can be read; its hash in *hash. */
static bool holds(vxe_scene_part part, const vxe_scene_key *key, double value, uint64_t *hash)
{
    json_t *object = NULL;
    vxe_error error;
    json_t *root = scene_of(part, &object);
    put(object, key, value);
    vxe_design *design = read_scene(root, &error);
    *hash = design ? vxe_design_hash(design) : 0;
    vxe_design_destroy(design);
    return design;
}

/* Whether the range of a number depends on other numbers. */
static bool is_bound_to_others(const char *key)
{
    return strcmp(key, "emod") == 0 || strcmp(key, "growth_viscosity_Pa_s") == 0 ||
           strcmp(key, "alpha_r") == 0;
}

static void check_bounds(vxe_scene_part part, const vxe_scene_key *key, double low, double high)
{
    const char *path = vxe_scene_section_of(part)->path;
    uint64_t hash[2] = {0, 0};
    uint64_t unwanted = 0;
    const double below = low > 0 ? 0.99 * low : low < 0 ? 1.01 * low : -1e-9;
    if (holds(part, key, below, &unwanted) || holds(part, key, 1.01 * high + 1e-9, &unwanted)) {
        fail_msg("%s: \"%s\" is not from %g to %g", path, key->key, low, high);
    }
    if (is_bound_to_others(key->key)) {
        return;
    }
    if (!holds(part, key, high, &hash[0]) || (!key->also && !holds(part, key, low, &hash[1]))) {
        fail_msg("%s: \"%s\" can not be %g or %g", path, key->key, low, high);
    }
    if (hash[0] == hash[1]) {
        fail_msg("%s: \"%s\" does nothing to the design", path, key->key);
    }
}

/* A number outside the range on the page is refused; at the ends of the range it is read, and
 * changes the design. */
static void ranges_are_those_that_designs_are_checked_by(void **state)
{
    (void)state;
    int checked = 0;
    for (int part = 0; part < VXE_SCENE_PARTS; part++) {
        const vxe_scene_section *section = vxe_scene_section_of((vxe_scene_part)part);
        for (size_t i = 0; i < section->key_count; i++) {
            const vxe_scene_key *key = &section->keys[i];
            const vxe_law_number *number = vxe_scene_law_number(section, key);
            const double low = number ? number->min : key->low;
            const double high = number ? number->max : key->high;
            if (low < high) {
                check_bounds((vxe_scene_part)part, key, low, high);
                checked++;
            }
        }
    }
    print_message("  ranges of %d keys\n", checked);
    assert_true(checked > 80);
}

/* Each layer of the table has an effect, with as many numbers per voxel as the table says. */
static void layers_of_the_table_act(void **state)
{
    (void)state;
    const vxe_scene_section *section = vxe_scene_section_of(VXE_SCENE_LAYERS);
    for (size_t i = 0; i < section->key_count; i++) {
        uint64_t hash = 0;
        vxe_scene_key wider = section->keys[i];
        assert_true(vxe_layer_acts(wider.key));
        wider.count = wider.count == 1 ? 3 : 1;
        assert_false(holds(VXE_SCENE_LAYERS, &wider, wider.high, &hash));
    }
}

static void unknown_keys_are_mistakes_in_every_object(void **state)
{
    (void)state;
    for (int part = 0; part < VXE_SCENE_PARTS; part++) {
        json_t *object = NULL;
        vxe_error error;
        char note[120];
        json_t *root = scene_of((vxe_scene_part)part, &object);
        snprintf(note, sizeof note, "%s: unknown key \"unknown\"",
                 vxe_scene_section_of((vxe_scene_part)part)->note);
        json_object_set_new(object, "unknown", json_integer(1));
        if (part == VXE_SCENE_LAYERS) { /* keys here are arbitrary names */
            json_decref(root);
            continue;
        }
        vxe_design *design = read_scene(root, &error);
        assert_non_null(design);
        assert_int_equal(vxe_design_note_count(design), 1);
        assert_string_equal(vxe_design_note(design, 0), note);
        assert_true(vxe_design_note_is_mistake(design, 0));
        vxe_design_destroy(design);
    }
}

/* A key under its earlier name has the same meaning; beside its present name it is a
 * mistake. */
static void earlier_names_are_read(void **state)
{
    (void)state;
    vxe_error error;
    json_t *object = NULL;
    json_t *root = scene_of(VXE_SCENE_SCHEDULE, &object);
    json_t *old = json_deep_copy(root);
    json_object_set(old, "programmes", json_object_get(old, "schedules"));
    json_t *both = json_deep_copy(old);
    json_object_del(old, "schedules");
    vxe_design *designs[3] = {read_scene(root, &error), read_scene(old, &error),
                              read_scene(both, &error)};
    for (int i = 0; i < 3; i++) {
        assert_non_null(designs[i]);
        assert_int_equal(designs[i]->schedule_count, 1);
        assert_int_equal(vxe_design_note_count(designs[i]), i == 2);
    }
    assert_string_equal(
        vxe_design_note(designs[2], 0),
        "scene: \"programmes\" is not read: it is the earlier name of \"schedules\", which "
        "is there too");
    assert_true(vxe_design_note_is_mistake(designs[2], 0));
    for (int i = 0; i < 3; i++) {
        vxe_design_destroy(designs[i]);
    }
}

/* Every scene of a folder, written and read back, uses only keys of the table. */
static int check_folder(const char *path)
{
    DIR *folder = opendir(path);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[1000];
        vxe_error error;
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json") != 0) {
            continue;
        }
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        vxe_design *design = vxe_design_read(name, &error);
        if (!design) {
            continue; /* damaged on purpose */
        }
        assert_int_equal(vxe_design_write(design, "table.json", &error), VXE_OK);
        vxe_design *again = vxe_design_read("table.json", &error);
        assert_non_null(again);
        assert_int_equal(vxe_design_note_count(again), 0);
        assert_true(vxe_design_hash(design) == vxe_design_hash(again));
        vxe_design_destroy(design);
        vxe_design_destroy(again);
        count++;
    }
    closedir(folder);
    return count;
}

static void what_is_written_is_in_the_table(void **state)
{
    (void)state;
    const int count = check_folder(SOURCE_FOLDER "/assets") +
                      check_folder(SOURCE_FOLDER "/tests/fuzz/corpus/json");
    print_message("  %d scenes\n", count);
    assert_true(count > 15);
    remove("table.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_section_has_a_scene),
        cmocka_unit_test(keys_are_said_once_and_in_full),
        cmocka_unit_test(choices_are_the_names_of_what_there_is),
        cmocka_unit_test(ranges_are_those_that_designs_are_checked_by),
        cmocka_unit_test(layers_of_the_table_act),
        cmocka_unit_test(unknown_keys_are_mistakes_in_every_object),
        cmocka_unit_test(earlier_names_are_read),
        cmocka_unit_test(what_is_written_is_in_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
