/* SPDX-License-Identifier: MIT */
/* Sessions: their inputs act at their steps, as a program's own calls do; what is none is refused
 * with a place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "lattice/formats/format.h"
#include "output/record/session.h"
#include "support.h"

#define FILE_NAME "engine_session.json"

/* Writes a session of a body with a muscle and one group: its members behind the scene. */
static vxe_design *write_session(const char *members)
{
    vxe_design *design = bare_walker(0.3, 1, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){5, 3, 2}, 0);
    assert_non_null(vxe_design_layer(design, "Group", 1));
    vxe_error error;
    char *scene = vxe_design_text(design, NULL, &error);
    FILE *file = fopen(FILE_NAME, "w");
    assert_true(scene && file);
    fprintf(file, "{\"format\": \"voxelastic session\", \"scene\": %s, %s}\n", scene, members);
    fclose(file);
    vxe_memory_release(scene);
    return design;
}

static const char *const usual =
    "\"release\": \"1.2.3\", \"steps\": 400, \"hash\": \"00f0000000000abc\", \"inputs\": ["
    "[16, \"pull\", 3, 7, 0.01, 0.02, 0.06], [48, \"tune\", {\"gravity\": [0, 1, -5], \"drag\": "
    "0.5}], [48, \"target\", 0, 1.1], [96, \"let_go\", 3], [112, \"tune\", {\"frequency\": 2}]]";

/* The same by a program's own calls. */
static uint64_t hash_by_hand(const vxe_design *design)
{
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_advance(world, 16, NULL), VXE_OK);
    vxe_pull pull = vxe_world_pull_default(world, 7);
    memcpy(pull.place, (const double[3]){0.01, 0.02, 0.06}, sizeof pull.place);
    assert_int_equal(vxe_world_pull(world, 3, &pull, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 32, NULL), VXE_OK);
    vxe_tuning tuning = vxe_world_tuning(world);
    tuning.gravity[1] = 1;
    tuning.gravity[2] = -5;
    tuning.drag = 0.5;
    assert_int_equal(vxe_world_tune(world, &tuning, NULL), VXE_OK);
    assert_int_equal(vxe_world_set_target(world, 0, 1.1, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 48, NULL), VXE_OK);
    assert_int_equal(vxe_world_pull(world, 3, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 16, NULL), VXE_OK);
    tuning.frequency = 2;
    assert_int_equal(vxe_world_tune(world, &tuning, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 288, NULL), VXE_OK);
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

static void inputs_act_at_their_steps(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = write_session(usual);
    vxe_session *session = vxe_session_read(FILE_NAME, &error);
    if (!session) {
        fail_msg("%s", error.message);
    }
    const vxe_session_facts facts = vxe_session_describe(session);
    assert_string_equal(facts.release, "1.2.3");
    assert_true(facts.steps == 400 && facts.inputs == 5 && facts.has_hash &&
                facts.hash == 0x00f0000000000abcu && facts.step_scale == 1);
    vxe_world *world = make_world(vxe_session_design(session), NULL);
    while (vxe_world_steps(world) < facts.steps) {
        if (vxe_session_act(session, world, &error)) {
            fail_msg("%s", error.message);
        }
        const uint64_t next = vxe_session_next(session);
        const uint64_t end = next < facts.steps ? next : facts.steps;
        assert_int_equal(vxe_world_advance(world, end - vxe_world_steps(world), &error), VXE_OK);
    }
    assert_true(vxe_world_hash(world) == hash_by_hand(design));
    vxe_world_destroy(world);
    vxe_session_destroy(session);
    vxe_design_destroy(design);
    unlink(FILE_NAME);
}

static void what_is_no_session_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"\"inputs\": []", "\"steps\""},
        {"\"steps\": 1.5, \"inputs\": []", "\"steps\""},
        {"\"steps\": 10", "\"inputs\", a list, is missing"},
        {"\"steps\": 10, \"inputs\": [], \"version\": 2", "version 2"},
        {"\"steps\": 10, \"inputs\": [], \"step_scale\": 0", "step_scale"},
        {"\"steps\": 10, \"inputs\": [], \"hash\": \"12\"", "16 digits"},
        {"\"steps\": 10, \"inputs\": [], \"hash\": \"0123456789abcdefg\"", "16 digits"},
        {"\"steps\": 10, \"inputs\": [7]", "inputs[0]: expected"},
        {"\"steps\": 10, \"inputs\": [[0, \"push\", 1]]", "inputs[0]: expected"},
        {"\"steps\": 10, \"inputs\": [[0, \"pull\", 0, 1, 0, 0]]", "inputs[0]: expected"},
        {"\"steps\": 10, \"inputs\": [[0, \"pull\", 0.5, 1, 0, 0, 0]]", "a whole number"},
        {"\"steps\": 10, \"inputs\": [[0, \"pull\", 0, 1, 0, 0, \"up\"]]", "a number is expected"},
        {"\"steps\": 10, \"inputs\": [[0, \"tune\", 3]]", "an object is expected"},
        {"\"steps\": 10, \"inputs\": [[0, \"tune\", {\"gravity\": 3}]]", "\"gravity\""},
        {"\"steps\": 10, \"inputs\": [[0, \"tune\", {\"colour\": 3}]]", "\"colour\""},
        {"\"steps\": 10, \"inputs\": [[8, \"let_go\", 0], [4, \"let_go\", 0]]", "inputs[1]"},
        {"\"steps\": 10, \"inputs\": [[11, \"let_go\", 0]]", "step 11"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        vxe_error error = {0};
        vxe_design_destroy(write_session(wrong[i][0]));
        assert_null(vxe_session_read(FILE_NAME, &error));
        if (!strstr(error.message, wrong[i][1])) {
            fail_msg("%s: %s", wrong[i][0], error.message);
        }
        assert_string_equal(error.file, FILE_NAME);
    }
    unlink(FILE_NAME);
}

/* What the world refuses is told with its place in the session. */
static void a_refused_input_is_told(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = write_session("\"steps\": 9, \"inputs\": [[0, \"let_go\", 1], "
                                       "[0, \"pull\", 0, 99, 0, 0, 0]]");
    vxe_session *session = vxe_session_read(FILE_NAME, &error);
    assert_non_null(session);
    vxe_world *world = make_world(vxe_session_design(session), NULL);
    assert_int_equal(vxe_session_act(session, world, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(
        strstr(error.message, "inputs[1] of the session, at step 0: there is no voxel"));
    vxe_world_destroy(world);
    vxe_session_destroy(session);
    vxe_design_destroy(design);
    unlink(FILE_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inputs_act_at_their_steps),
                                       cmocka_unit_test(what_is_no_session_is_refused),
                                       cmocka_unit_test(a_refused_input_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
