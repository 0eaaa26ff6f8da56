/* SPDX-License-Identifier: MIT */
/* Histories, written and read, and results of other simulators. The texts are made here. */
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/foreign/simulator_results_parse.h"
#include "output/foreign/voxcraft_history_parse.h"
#include "output/foreign/voxcraft_history_write.h"
#include "support.h"

static vxe_history_reader *recording_of(const char *text)
{
    vxe_error error = {0};
    vxe_history_reader *r =
        vxe_history_reader_scan(&(vxe_text){"test.history", text, strlen(text), false}, &error);
    if (!r) {
        fail_msg("%s", error.message);
    }
    return r;
}

/* Writes three frames of a world between other output, under a locale with decimal commas if there
 * is one, and reads them back. */
static vxe_history_reader *written_and_read(vxe_design *design, vxe_world *world)
{
    vxe_error error = {0};
    FILE *out = fopen("records_test.history", "wb");
    assert_non_null(out);
    const bool german = setlocale(LC_ALL, "de_DE.UTF-8") != NULL; /* where there is one */
    vxe_history *history = vxe_history_create(design, true, true, out, &error);
    assert_non_null(history);
    for (int frame = 0; frame < 3; frame++) {
        assert_int_equal(vxe_world_advance(world, 200, &error), VXE_OK);
        fputs("something else\n", out);
        assert_int_equal(vxe_history_add(history, world, (uint64_t)(199 + 200 * frame), &error),
                         VXE_OK);
    }
    vxe_history_destroy(history);
    fclose(out);
    vxe_history_reader *r = vxe_history_reader_read("records_test.history", &error);
    setlocale(LC_ALL, "C");
    print_message("  decimal commas: %s\n", german ? "yes" : "no");
    unlink("records_test.history");
    return r;
}

/* The poses of a frame are those of the world, within the decimals of the file. */
static void check_poses(const vxe_history_reader *r, const vxe_recorded_frame *last,
                        const vxe_world *world)
{
    double *place = calloc(72, 3 * sizeof *place);
    double *turn = calloc(72, 4 * sizeof *turn);
    assert_non_null(place);
    assert_non_null(turn);
    vxe_world_poses(world, place, turn);
    double apart = 0;
    double turned = 0;
    double max = 0;
    for (size_t v = 0; v < 72; v++) {
        const vxe_recorded_voxel *got = &r->voxels[last->first_voxel + v];
        for (size_t c = 0; c < 3; c++) {
            apart = fmax(apart, fabs(got->place[c] + 0.5 * EDGE - place[3 * v + c]));
            max = fmax(max, fabs(turn[4 * v + 1 + c]));
            /* corners coincide with those of the neighbours: near half an edge */
            apart = fmax(apart, fabs(got->high[c] - 0.5 * EDGE) - 0.1 * EDGE);
            apart = fmax(apart, fabs(got->low[c] + 0.5 * EDGE) - 0.1 * EDGE);
        }
        for (size_t c = 0; c < 4; c++) {
            turned = fmax(turned, fabs(got->orientation[c] - turn[4 * v + c]));
        }
        assert_int_equal(got->material, 1);
    }
    assert_true(max > 0.05);
    check_below("places, m", apart, 0.051e-3);
    check_below("orientations", turned, 0.006);
    const vxe_recorded_bond *bond = &r->bonds[last->first_bond];
    check_near("first bond, m", bond->end[0][0] + 0.5 * EDGE, place[0], 0.51e-4);
    free(place);
    free(turn);
}

/* A bent and twisted bar is read back within the decimals of the file: 0.05 mm, 0.05 degrees and
 * 0.005 of a quaternion, 0.05 mm of bonds. */
static void a_history_comes_back(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    const double force[3] = {0, 0.2, -0.3};
    const double moment[3] = {2e-3, 0, 0};
    const double none[3] = {0, 0, 0};
    vxe_design *design = block_design(&m, 12, 2, 3);
    hold_plane(design, 0, 0, VXE_FIX_ALL, none, none);
    hold_plane(design, 0, 11, 0, force, moment);
    design->file_origin[0] = design->file_origin[1] = design->file_origin[2] = 0.5 * EDGE;
    vxe_world *world = make_world(design, NULL);
    vxe_history_reader *r = written_and_read(design, world);
    assert_non_null(r);
    assert_int_equal(r->frame_count, 3);
    assert_int_equal(r->left_out, 0);
    assert_int_equal(r->color_count, 1);
    check_near("voxel size, m", r->voxel_size, EDGE, 1e-12);
    const vxe_recorded_frame *last = &r->frames[2];
    assert_int_equal(last->number, 599);
    assert_int_equal(last->voxels, 12 * 2 * 3 - 0); /* two voxels wide: all are on the surface */
    assert_int_equal(last->bonds, 11 * 6 + 12 * 3 + 24 * 2);
    check_near("time, s", last->time, vxe_world_time(world), 1e-6);
    check_poses(r, last, world);
    vxe_history_reader_destroy(r);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

#define VOXEL "1.0,2.0,3.0,90.0,0.00,0.00,0.71,-5.0,-5.1,-5.2,5.0,5.1,5.2,3,"

static void dialects_are_read(void **state)
{
    (void)state;
    vxe_history_reader *r =
        recording_of("1 GPU found.\n\033[0;32m0) Simulation\n"
                     "{{{setting}}}<rescale>0.001</rescale>\r\n"
                     "{{{setting}}}<voxel_size>0.02</voxel_size>\n"
                     "{{{setting}}}<matcolor><id>3</id><r>1.00</r><g>0.50</g>"
                     "<b>0.25</b><a>0.75</a></matcolor>\n"
                     "{{{setting}}}<cylinder><x>1</x></cylinder>\n"
                     "<<<Step42 Time:0.25>>>" VOXEL "0.5,;" VOXEL ";1,2,3;nan,;"
                     "<<<>>>\n"
                     "<<<Step43 Time:0.5>>><<<>>>|[[[43]]]0,0,0,1,2,3,;1,2;[[[]]]\n"
                     "<<<Step44 Time:0.75>>>" VOXEL "0.5,;");
    assert_int_equal(r->frame_count, 2);
    assert_int_equal(r->left_out, 4); /* two voxels, a bond, a truncated frame */
    assert_int_equal(r->frames[0].number, 42);
    assert_int_equal(r->frames[0].voxels, 2);
    assert_int_equal(r->frames[1].voxels, 0);
    assert_int_equal(r->frames[1].bonds, 1);
    check_near("size, m", r->voxel_size, 0.02, 0);
    check_near("place, m", r->voxels[0].place[2], 3e-3, 1e-18);
    check_near("corner, m", r->voxels[0].low[1], -5.1e-3, 1e-18);
    check_near("quarter turn", r->voxels[0].orientation[3], sqrt(0.5), 1e-15);
    check_near("signal", r->voxels[0].signal, 0.5, 0);
    check_near("no signal", r->voxels[1].signal, 0, 0);
    check_near("bond, m", r->bonds[0].end[1][1], 2, 0);
    assert_int_equal(r->colors[0].material, 3);
    check_near("green", (double)r->colors[0].rgba[1], 0.5, 0);
    vxe_history_reader_destroy(r);
    static const char *const wrong[] = {"", "nothing\n", "<<<Step1 Time:0>>>", "<<<Step1<<<>>>",
                                        "<<<Step1 >>> Time:<<<>>>"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        vxe_error error = {0};
        assert_null(
            vxe_history_reader_scan(&(vxe_text){"w", wrong[i], strlen(wrong[i]), false}, &error));
        assert_non_null(strstr(error.message, "no frame"));
    }
}

static vxe_scores *scores_of(const char *text)
{
    vxe_error error = {0};
    vxe_scores *scores = vxe_scores_scan(&(vxe_text){"t.xml", text, strlen(text), false}, &error);
    if (!scores) {
        fail_msg("%s", error.message);
    }
    return scores;
}

#define FITNESS                                                                                    \
    "<?xml version=\"1.0\" ?>\n<Voxelyze_Sim_Result Version=\"1.0\">\n<Fitness>\n"                 \
    "<NormFinalDist>1.5e-05</NormFinalDist>\n<Lifetime>5.25</Lifetime>\n<Peer>evosoro</Peer>\n"    \
    "<CMTrace><TraceStep><Time>1</Time></TraceStep></CMTrace>\n</Fitness></Voxelyze_Sim_Result>"
#define REPORT                                                                                     \
    "<report><inputdir>.</inputdir><bestfit><filename>5.vxd</filename></bestfit><detail><5>"       \
    "<fitness_score>-0.25</fitness_score><currentCenterOfMass><x>2</x></currentCenterOfMass>"      \
    "<pos>1,2,3;</pos></5><bot_1><fitness_score>7</fitness_score></bot_1></detail></report>"

static void results_are_read(void **state)
{
    (void)state;
    vxe_scores *scores = scores_of(FITNESS);
    check_near("NormFinalDist", vxe_scores_find(scores, "", "NormFinalDist", 9), 1.5e-5, 0);
    check_near("Lifetime", vxe_scores_find(scores, "", "Lifetime", 9), 5.25, 0);
    assert_int_equal(scores->count, 2);
    vxe_scores_destroy(scores);
    scores = scores_of(REPORT);
    check_near("fitness of 5", vxe_scores_find(scores, "5", "fitness_score", 9), -0.25, 0);
    check_near("its x", vxe_scores_find(scores, "5", "currentCenterOfMass/x", 9), 2, 0);
    check_near("fitness of bot_1", vxe_scores_find(scores, "bot_1", "fitness_score", 9), 7, 0);
    check_near("of nobody", vxe_scores_find(scores, "6", "fitness_score", 9), 9, 0);
    assert_int_equal(scores->count, 3);
    vxe_scores_destroy(scores);
    scores =
        scores_of("<report a=\"1\"><!-- c --><detail><my robot (1)><fitness_score>2</fitness_score>"
                  "</my robot (1)><-1><fitness_score>3</fitness_score></-1><a:20b><x/>"
                  "<fitness_score>4</fitness_score></a:20b></detail></report>");
    check_near("a name with blanks", vxe_scores_find(scores, "my robot (1)", "fitness_score", 9), 2,
               0);
    check_near("a name with a sign", vxe_scores_find(scores, "-1", "fitness_score", 9), 3, 0);
    check_near("a name with a mark", vxe_scores_find(scores, "a:20b", "fitness_score", 9), 4, 0);
    vxe_scores_destroy(scores);
    scores = scores_of("<bestfit><filename>a.vxd</filename><distance>3.25</distance></bestfit>");
    check_near("distance", vxe_scores_find(scores, "", "distance", 9), 3.25, 0);
    vxe_scores_destroy(scores);
    vxe_error error = {0};
    assert_null(vxe_scores_scan(&(vxe_text){"t.xml", "<VXA/>", 6, false}, &error));
    assert_non_null(strstr(error.message, "not a result of a simulator"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_history_comes_back),
                                       cmocka_unit_test(dialects_are_read),
                                       cmocka_unit_test(results_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
