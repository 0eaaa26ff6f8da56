/* SPDX-License-Identifier: MIT */
/* Memory that ends while files are read and written, and while robots run: each allocation of the
   library or of jansson fails in its turn, once or with all that follow. What is returned is then
   VXE_ERROR_MEMORY, and what is there of files and results is as it would have been. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "support.h"

#define MOST 100000

static struct {
    long number; /* of the allocation so far */
    long at;     /* the number that fails; 0: none */
    bool on;     /* all that follow fail, too */
} script;

static bool fails(void)
{
    script.number++;
    return script.at > 0 && (script.on ? script.number >= script.at : script.number == script.at);
}

static void *take(uint64_t size, uint64_t alignment, void *user)
{
    (void)user;
    return fails() ? NULL : aligned_alloc((size_t)alignment, (size_t)size);
}

static void give(void *block, void *user)
{
    (void)user;
    free(block);
}

static void *take_for_json(size_t size)
{
    return fails() ? NULL : malloc(size);
}

static int make_memory_fail(void **state)
{
    static const vxe_memory_hooks hooks = {take, give, NULL};
    (void)state;
    vxe_memory_use(&hooks);
    json_set_alloc_funcs(take_for_json, free);
    return 0;
}

/* Runs a job with each of its allocations failing. It returns VXE_OK or another status, and checks
   for itself what it did. */
static void with_failing_memory(vxe_status (*job)(vxe_error *error))
{
    for (int on = 0; on < 2; on++) {
        vxe_status status = VXE_ERROR_MEMORY;
        long refused = 0;
        script.on = on;
        for (script.at = 1; status && script.at < MOST; script.at++) {
            vxe_error error = {.status = VXE_OK};
            script.number = 0;
            status = job(&error);
            if (status) {
                refused++;
                if (status != VXE_ERROR_MEMORY) {
                    print_message("allocation %ld: %s\n", script.at, error.message);
                }
                assert_int_equal(status, VXE_ERROR_MEMORY);
                assert_int_equal(error.status, VXE_ERROR_MEMORY);
            } else if (script.number >= script.at) {
                print_message("allocation %ld of %ld failed, and nobody was told\n", script.at,
                              script.number);
                fail();
            }
        }
        script.at = 0;
        print_message("    %ld allocations failed%s\n", refused, on ? ", and all behind them" : "");
        assert_true(refused > 5 && script.at < MOST);
    }
}

static const char scene[] =
    "{\"format\": \"voxelastic scene\", \"version\": 1, \"name\": \"walker\", \"voxel_size_m\": "
    "0.01, \"unknown\": 3, \"materials\": [{\"name\": \"muscle\", \"youngs_modulus_Pa\": 1e7, "
    "\"density_kg_per_m3\": 1e6, \"thermal_expansion_per_K\": 0.01}], \"stop\": {\"steps\": 20}, "
    "\"voxels\": [[0,0,0,0],[1,0,0,0],[1,0,1,0]], \"layers\": {\"PhaseOffset\": [0, 0.5, 1]}}";

static vxe_status read_scene(vxe_error *error)
{
    vxe_design *design = vxe_design_read_text(scene, sizeof scene - 1, "scene.json", error);
    if (!design) {
        return error->status;
    }
    assert_int_equal(design->voxel_count, 3);
    assert_int_equal(design->layer_count, 1);
    assert_int_equal(vxe_design_note_count(design), 1);
    vxe_design_destroy(design);
    return VXE_OK;
}

static void a_reader_without_memory_blames_no_file(void **state)
{
    (void)state;
    with_failing_memory(read_scene);
}

static const char *written; /* the file of the present job */

/* The design of the scene, read while memory lasts. */
static vxe_design *design_of_scene(void)
{
    const long at = script.at;
    script.at = 0;
    vxe_design *design = vxe_design_read_text(scene, sizeof scene - 1, "scene.json", NULL);
    assert_non_null(design);
    script.at = at;
    script.number = 0;
    return design;
}

static void put_old(void)
{
    FILE *file = fopen(written, "wb");
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
}

static bool is_old(void)
{
    char text[8] = "";
    FILE *file = fopen(written, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    return strcmp(text, "old") == 0;
}

static vxe_status write_design(vxe_error *error)
{
    vxe_design *design = design_of_scene();
    put_old();
    const vxe_status status = vxe_design_write(design, written, error);
    vxe_design_destroy(design);
    assert_true(is_old() == (status != VXE_OK));
    return status;
}

static void a_design_is_written_whole_or_not_at_all(void **state)
{
    static const char *const names[] = {"memory.json", "memory.vxl.json"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        written = names[i];
        with_failing_memory(write_design);
    }
}

/* The hash of a design, while memory lasts. */
static uint64_t hash_of(const vxe_design *design)
{
    const long at = script.at;
    script.at = 0;
    const uint64_t hash = vxe_design_hash(design);
    script.at = at;
    return hash;
}

/* Values in the scene without voxels, and in the whole one. */
static vxe_status set_values(vxe_error *error)
{
    static const vxe_setting settings[] = {{"materials.muscle.density_kg_per_m3", "900"},
                                           {"fitness", "x"},
                                           {"layers.PhaseOffset", "0.25"}};
    vxe_status status = VXE_OK;
    for (uint32_t count = 2; count <= 3 && !status; count++) {
        vxe_design *design = design_of_scene();
        const uint64_t before = hash_of(design);
        script.number = 0;
        status = vxe_design_set(design, settings, count, error);
        if (!status && script.at > 0 && script.number >= script.at) {
            fail_msg("allocation %ld failed, and nobody was told", script.at);
        }
        script.number = 0;
        assert_true((hash_of(design) == before) == (status != VXE_OK));
        assert_int_equal(design->voxel_count, 3);
        assert_int_equal(vxe_design_note_count(design), 1);
        const vxe_layer *layer = vxe_design_find_layer(design, "PhaseOffset");
        assert_non_null(layer);
        assert_true(layer->values[2] == (status || count == 2 ? 1 : 0.25));
        vxe_design_destroy(design);
    }
    return status;
}

static void values_are_set_all_or_none(void **state)
{
    (void)state;
    with_failing_memory(set_values);
}

static vxe_status take_text(vxe_error *error)
{
    uint64_t size = 0;
    vxe_design *design = design_of_scene();
    char *text = vxe_design_text(design, &size, error);
    const vxe_status status = text ? VXE_OK : error->status;
    assert_true(!text || (size > 100 && text[size - 1] == '}'));
    vxe_memory_release(text);
    vxe_design_destroy(design);
    return status;
}

static void a_text_is_whole_or_none(void **state)
{
    (void)state;
    with_failing_memory(take_text);
}

/* Adds a design to one like it, with a region and velocities. */
static vxe_status add_another(vxe_error *error)
{
    const long at = script.at;
    script.at = 0;
    uint32_t list[1] = {1};
    const double velocity[3] = {1, 0, 0};
    vxe_design *design = design_of_scene();
    const vxe_region region = {.shape = VXE_REGION_VOXELS, .voxels = list, .voxel_count = 1};
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
    assert_int_equal(vxe_design_set_velocity(design, 0, velocity, NULL, NULL), VXE_OK);
    vxe_design *other = vxe_design_copy(design, NULL);
    vxe_design_layer(other, "Amplitude", 1);
    const uint64_t hash = vxe_design_hash(design);
    script.at = at;
    script.number = 0;
    const vxe_status status =
        vxe_design_add_design(design, other, (const int32_t[3]){5, 0, 0}, error);
    script.at = 0;
    const vxe_layer *made = vxe_design_find_layer(design, "Amplitude");
    if (status && made) { /* it may have been made before, and says nothing */
        assert_true(made == &design->layers[design->layer_count - 1]);
        vxe_memory_release(made->values);
        design->layer_count--;
    }
    assert_true(!status || vxe_design_hash(design) == hash);
    assert_true(status || design->voxel_count == 6);
    vxe_design_destroy(other);
    vxe_design_destroy(design);
    script.at = at;
    return status;
}

static void a_design_has_all_of_another_or_nothing(void **state)
{
    (void)state;
    with_failing_memory(add_another);
}

/* Records two frames by functions of one kind of file. */
static vxe_status record(vxe_error *error)
{
    vxe_design *design = design_of_scene();
    put_old();
    const vxe_world_def def = vxe_world_def_default();
    vxe_frame *frame = NULL;
    vxe_recorder *recorder = NULL;
    vxe_world *world = vxe_world_create(design, &def, error);
    vxe_status status = world ? VXE_OK : error->status;
    frame = status ? NULL : vxe_frame_create(design->voxel_count, 0, error);
    recorder = frame ? vxe_recorder_create(design, written, error) : NULL;
    status = recorder ? VXE_OK : error->status;
    for (int i = 0; i < 2 && !status; i++) {
        vxe_frame_take(frame, world);
        status = vxe_recorder_add(recorder, frame, error);
        status = status ? status : vxe_world_advance(world, 1, error);
    }
    if (status) {
        vxe_recorder_abandon(recorder);
    } else {
        status = vxe_recorder_close(recorder, error);
    }
    vxe_frame_destroy(frame);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    assert_true(is_old() == (status != VXE_OK));
    return status;
}

static void a_recording_is_written_whole_or_not_at_all(void **state)
{
    static const char *const names[] = {"memory.vxr", "memory.glb", "memory.html"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        written = names[i];
        with_failing_memory(record);
    }
}

static vxe_status run_batch(vxe_error *error)
{
    vxe_design *design = design_of_scene();
    vxe_batch_def def = vxe_batch_def_default();
    def.world.threads = 1;
    vxe_batch *batch = vxe_batch_create(&def, error);
    vxe_status status = batch ? VXE_OK : error->status;
    for (int i = 0; i < 2 && !status; i++) {
        status = vxe_batch_add(batch, design, error);
    }
    status = status ? status : vxe_batch_run(batch, NULL, NULL, error);
    for (uint32_t i = 0; i < 2 && !status; i++) {
        assert_int_equal(vxe_batch_result_of(batch, i).status, VXE_ROBOT_DONE);
    }
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
    return status;
}

static void a_robot_without_memory_is_not_refused(void **state)
{
    (void)state;
    with_failing_memory(run_batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_reader_without_memory_blames_no_file),
                                       cmocka_unit_test(a_design_is_written_whole_or_not_at_all),
                                       cmocka_unit_test(values_are_set_all_or_none),
                                       cmocka_unit_test(a_text_is_whole_or_none),
                                       cmocka_unit_test(a_design_has_all_of_another_or_nothing),
                                       cmocka_unit_test(a_recording_is_written_whole_or_not_at_all),
                                       cmocka_unit_test(a_robot_without_memory_is_not_refused)};
    return cmocka_run_group_tests(tests, make_memory_fail, NULL);
}
