/* SPDX-License-Identifier: MIT */
/* voxcraft's files: formulas as trees, the rules of a run in them, and jobs. The texts are made
 * here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/expression_internal.h"
#include "common/memory.h"
#include "lattice/formats/format.h"
#include "lattice/formats/job.h"
#include "lattice/formats/math_tree_internal.h"
#include "lattice/formats/task.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "support.h"

#define BODY                                                                                       \
    "<VXC><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice><Palette>"                             \
    "<Material><Mechanical><Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density>"                   \
    "<isTarget>1</isTarget></Mechanical></Material>"                                               \
    "<Material><Mechanical><Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density>"                   \
    "<isMeasured>0</isMeasured><Fixed>1</Fixed></Mechanical></Material></Palette>"                 \
    "<Structure><X_Voxels>3</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels><Data>"          \
    "<Layer>AQIC</Layer></Data></Structure></VXC>"
#define VXA(simulator) "<VXA><Simulator>" simulator "</Simulator>" BODY "</VXA>"

/* The value of a tree for x = 0.7, t = 2.5. */
static double value_of(const char *tree)
{
    static const vxe_math_name names[] = {{"x", "(x - 1)"}, {"t", "t"}};
    static const char *const variables[] = {"x", "t"};
    const double x = 1.7;
    const double t = 2.5;
    const double *values[] = {&x, &t};
    char file[20000];
    char *text = NULL;
    double value = 0;
    vxe_error error = {0};
    vxe_xml_tree xml;
    vxe_expression formula;
    snprintf(file, sizeof file, "<f>%s</f>", tree);
    assert_int_equal(vxe_xml_tree_init(&xml, "tree", file, strlen(file), &error), VXE_OK);
    if (vxe_math_tree_read(xml.root, names, 2, &text, &error)) {
        fail_msg("%s: %s", tree, error.message);
    }
    if (vxe_expression_parse(&formula, text, variables, 2, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    vxe_expression_run(&formula, values, 1, &value);
    vxe_expression_clear(&formula);
    vxe_memory_release(text);
    vxe_xml_tree_clear(&xml);
    return value;
}

#define X "<mtVAR>x</mtVAR>"
#define T "<mtVAR>t \n</mtVAR>"
#define C(number) "<mtCONST>" number "</mtCONST>"
#define TWO(tag, a, b) "<" tag ">" a b "</" tag ">"
#define ONE(tag, a) "<" tag ">" a "</" tag ">"

static void trees_have_their_values(void **state)
{
    (void)state;
    const double x = 0.7;
    const double t = 2.5;
    const struct {
        const char *tree;
        double value;
    } cases[] = {{C("1.5"), 1.5},
                 {C(" -2e-3 "), -2e-3},
                 {X, x},
                 {"<mtE/>", exp(1)},
                 {"<mtPI/>", PI},
                 {ONE("mtSIN", X), sin(x)},
                 {ONE("mtCOS", X), cos(x)},
                 {ONE("mtTAN", X), tan(x)},
                 {ONE("mtATAN", T), atan(t)},
                 {ONE("mtATAN", C("-0.3")), atan(-0.3)},
                 {ONE("mtLOG", T), log(t)},
                 {ONE("mtINT", T), 2},
                 {ONE("mtINT", C("-3.5")), -4},
                 {ONE("mtABS", C("-3.5")), 3.5},
                 {ONE("mtNOT", X), 0},
                 {ONE("mtNOT", C("0")), 1},
                 {ONE("mtSQRT", T), sqrt(t)},
                 {ONE("mtNORMALCDF", X), 0.5 * erfc(-x / sqrt(2))},
                 {ONE("mtNORMALCDF", C("-5")), 0.5 * erfc(5 / sqrt(2))},
                 {TWO("mtADD", X, T), x + t},
                 {TWO("mtSUB", X, T), x - t},
                 {TWO("mtMUL", X, T), x * t},
                 {TWO("mtDIV", X, T), x / t},
                 {TWO("mtPOW", X, T), pow(x, t)},
                 {TWO("mtPOW", C("-2"), C("3")), -8},
                 {TWO("mtGREATERTHAN", X, T), 0},
                 {TWO("mtLESSTHAN", X, T), 1},
                 {TWO("mtAND", X, C("0")), 0},
                 {TWO("mtAND", X, T), 1},
                 {TWO("mtOR", C("0"), T), 1},
                 {TWO("mtOR", C("0"), C("0")), 0},
                 /* the first operand is the left one, whatever it is itself */
                 {TWO("mtSUB", TWO("mtSUB", X, T), TWO("mtSUB", T, C("1"))), x - t - (t - 1)},
                 {TWO("mtDIV", C("8"), TWO("mtDIV", C("4"), C("2"))), 4},
                 {TWO("mtPOW", TWO("mtSUB", C("0"), X), C("2")), x * x},
                 {TWO("mtMUL", TWO("mtLESSTHAN", X, T), "<!-- then -->" C("-7")), -7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* formulas are exact to 1e-15 of their largest intermediate value */
        check_near(cases[i].tree, value_of(cases[i].tree), cases[i].value,
                   4e-15 * fmax(1, fabs(cases[i].value)));
    }
}

/* The error of a file with that formula as its fitness. */
static void refused(const char *tree, const char *why)
{
    char *text = malloc(200000);
    vxe_error error = {0};
    assert_non_null(text);
    snprintf(text, 200000, VXA("<FitnessFunction>\n%s</FitnessFunction>"), tree);
    if (read_vxa_text(text, &error)) {
        fail_msg("%s was read", tree);
    }
    if (!strstr(error.message, why)) {
        fail_msg("%s: %s", tree, error.message);
    }
    assert_true(error.line >= 2 || strstr(why, "more than one"));
    free(text);
}

static void wrong_trees_are_refused(void **state)
{
    (void)state;
    refused("<mtADD>" X "</mtADD>", "<mtADD> takes 2 values, not 1");
    refused("<mtADD>" X X T "</mtADD>", "<mtADD> takes 2 values, not 3");
    refused("<mtSIN/>", "<mtSIN> takes 1 value, not 0");
    refused("<mtPI>" X "</mtPI>", "<mtPI> takes 0 values, not 1");
    refused("<mtSin>" X "</mtSin>", "<mtSin> is no part of a formula");
    refused(C("two"), "<mtCONST> holds \"two\": expected a number");
    refused(C("2 3"), "holds \"2 3\": expected a number");
    refused(C("inf"), "holds \"inf\": expected a number");
    refused("<mtVAR>velocity</mtVAR>", "no variable \"velocity\" is known here");
    refused(X T, "holds more than one formula");
}

/* A full binary tree of that height in *at. */
static char *full_tree(char *at, int height)
{
    if (height == 0) {
        return at + sprintf(at, X);
    }
    at += sprintf(at, "<mtADD>");
    at = full_tree(at, height - 1);
    at = full_tree(at, height - 1);
    return at + sprintf(at, "</mtADD>");
}

/* A sum of x so deep on one side: at most as deep as tags may nest. */
static void deep_trees_are_read(void **state)
{
    (void)state;
    enum { DEEP = 190 };
    for (int right = 0; right < 2; right++) {
        char tree[DEEP * 60] = "";
        char *at = tree;
        for (int i = 0; i < DEEP; i++) {
            at += sprintf(at, right ? "<mtADD>" X : "<mtADD>");
        }
        at += sprintf(at, X);
        for (int i = 0; i < DEEP; i++) {
            at += sprintf(at, right ? "</mtADD>" : X "</mtADD>");
        }
        check_relative(right ? "deep on the right" : "deep on the left", value_of(tree),
                       0.7 * (DEEP + 1), 1e-13);
    }
}

static void long_trees_have_a_limit(void **state)
{
    (void)state;
    char *text = malloc(200000);
    assert_non_null(text);
    *full_tree(text, 10) = '\0'; /* 2047 tags */
    refused(text, "a formula of more than 1024 tags");
    *full_tree(text, 9) = '\0'; /* 1023 */
    char *file = malloc(200000);
    assert_non_null(file);
    snprintf(file, 200000, VXA("<FitnessFunction>%s</FitnessFunction>"), text);
    vxe_design *design = readable_vxa(file);
    vxe_design_destroy(design);
    free(file);
    free(text);
}

static void rules_to_stop(void **state)
{
    (void)state;
    vxe_design *design = readable_vxa(
        VXA("<StopCondition><StopConditionType>2</StopConditionType>"
            "<StopConditionValue>9</StopConditionValue><StopConditionFormula>" TWO(
                "mtSUB", "<mtVAR>t</mtVAR>", C("0.5")) "</StopConditionFormula></StopCondition>"));
    assert_true(design->stop.duration == 0.5);
    assert_null(design->formulas[VXE_FORMULA_STOP]);
    assert_string_equal(design->written_for, "voxcraft");
    vxe_design_destroy(design);
    design = readable_vxa(VXA("<StopCondition><StopConditionFormula>" TWO(
        "mtSUB", X, C("0.5")) "</StopConditionFormula></StopCondition>"));
    assert_true(design->stop.duration == 0);
    assert_string_equal(design->formulas[VXE_FORMULA_STOP], "((center_x - 0.005) - 0.5)");
    vxe_design_destroy(design);
    /* the older rule, used if there is no other */
    design = readable_vxa(VXA("<StopCondition><StopConditionType>2</StopConditionType>"
                              "<StopConditionValue>9</StopConditionValue></StopCondition>"));
    assert_true(design->stop.duration == 9);
    vxe_design_destroy(design);
}

static void fields_speak_our_frame(void **state)
{
    (void)state;
    vxe_design *design = readable_vxa(VXA("<ForceField><x_forcefield>" TWO(
        "mtMUL", X,
        C("2")) "</x_forcefield>"
                "<y_forcefield>" C(
                    "0") "</y_forcefield>"
                         "<z_force_field>" C(
                             "-3") "</z_force_field></ForceField>"
                                   "<MaxDistInVoxelLengthsToCountAsPair>1.5</"
                                   "MaxDistInVoxelLengthsToCountAsPair>"
                                   "<SecondaryExperiment>1</SecondaryExperiment>"
                                   "<ReinitializeInitialPositionAfterThisManySeconds>4"
                                   "</ReinitializeInitialPositionAfterThisManySeconds>"));
    assert_string_equal(design->formulas[VXE_FORMULA_FORCE_X], "((x - 0.005)*2)");
    assert_null(design->formulas[VXE_FORMULA_FORCE_Y]);
    assert_string_equal(design->formulas[VXE_FORMULA_FORCE_Z], "(-3)");
    assert_true(design->pair_distance == 1.5 && design->stop.reference_time == 4);
    assert_true(design->file_origin[0] == 0.005 && design->file_origin[2] == 0.005);
    assert_true(design->materials[0].target && !design->materials[0].unmeasured);
    assert_true(!design->materials[1].target && design->materials[1].unmeasured);
    assert_int_equal(design->region_count, 1); /* Fixed */
    assert_int_equal(design->regions[0].voxel_count, 2);
    assert_int_equal(design->regions[0].voxels[0], 1);
    assert_int_equal(design->regions[0].fixed, VXE_FIX_ALL);
    vxe_design_destroy(design);
}

/* Voxel (1, 1, 0) of a plate of 3 x 3 x 3 is inside; its neighbours are not. Two materials, one of
 * which has cilia. */
static void cilia_push_the_surface(void **state)
{
    (void)state;
    static const char text[] =
        "<VXA><Simulator><EnableCilia>%d</EnableCilia></Simulator><VXC><Lattice><Lattice_Dim>0.01"
        "</Lattice_Dim></Lattice><Palette><Material><Mechanical><Elastic_Mod>1e5</Elastic_Mod>"
        "<Density>1e3</Density><Cilia>0.5</Cilia></Mechanical></Material><Material><Mechanical>"
        "<Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density></Mechanical></Material></Palette>"
        "<Structure Compression=\"ASCII_READABLE\"><X_Voxels>3</X_Voxels><Y_Voxels>3</Y_Voxels>"
        "<Z_Voxels>3</Z_Voxels><Data><Layer>111111111</Layer><Layer>111111111</Layer>"
        "<Layer>111111112</Layer></Data><BaseCiliaForce>%s</BaseCiliaForce></Structure></VXC></"
        "VXA>";
    char forces[4000] = "";
    char file[8000];
    for (int z = 0; z < 3; z++) {
        strcat(forces, "<Layer>");
        for (int cell = 0; cell < 9; cell++) {
            strcat(forces, "0.1, -0.2, 0.4, ");
        }
        strcat(forces, "</Layer>");
    }
    for (int enabled = 0; enabled < 2; enabled++) {
        snprintf(file, sizeof file, text, enabled, forces);
        vxe_design *design = readable_vxa(file);
        const vxe_layer *own = vxe_design_find_layer(design, "BodyForce");
        assert_int_equal(own != NULL, enabled);
        for (int v = 0; v < 27 && own; v++) {
            const double want = v == 13 || v == 26 ? 0 : 0.5;
            check_near("force along x, N", own->values[3 * v], want * 0.1, 1e-17);
            check_near("force along z, N", own->values[3 * v + 2], want * 0.4, 1e-17);
        }
        vxe_design_destroy(design);
    }
}

static void put_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static void tasks_are_read_over_a_base(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_task task;
    put_file("voxcraft_test.vxa", "<VXA><RawPrint>a base</RawPrint><Simulator><RecordHistory>"
                                  "<RecordStepSize>100</RecordStepSize></RecordHistory>"
                                  "</Simulator></VXA>");
    put_file("voxcraft_test.vxd",
             "<VXD><a replace=\"VXA.Simulator.RecordHistory.RecordStepSize\">250</a>"
             "<b replace=\"VXA.Simulator.RecordHistory.RecordLink\">1</b>"
             "<RawPrint replace=\"VXA.RawPrint\"><![CDATA[{{{setting}}}<a/>]]></RawPrint></VXD>");
    assert_int_equal(vxe_task_read(&task, NULL, "voxcraft_test.vxa", &error), VXE_OK);
    assert_string_equal(task.raw_print, "a base");
    check_near("frames, s", task.frame_interval, 0.01, 1e-17);
    assert_true(task.records_voxels && !task.records_bonds && !task.places);
    vxe_task_clear(&task);
    assert_int_equal(vxe_task_read(&task, "voxcraft_test.vxa", "voxcraft_test.vxd", &error),
                     VXE_OK);
    assert_string_equal(task.raw_print, "{{{setting}}}<a/>");
    check_near("frames, s", task.frame_interval, 0.025, 1e-17);
    assert_true(task.records_bonds);
    vxe_task_clear(&task);
    assert_int_equal(vxe_task_read(&task, "voxcraft_test.vxa", "nowhere.vxd", &error),
                     VXE_ERROR_SYSTEM);
    vxe_task_clear(&task);
    put_file("voxcraft_test.vxa", "<VXA><Simulator><RecordHistory>\n<RecordStepSize>1,000"
                                  "</RecordStepSize></RecordHistory></Simulator></VXA>");
    assert_int_equal(vxe_task_read(&task, NULL, "voxcraft_test.vxa", &error), VXE_ERROR_INPUT);
    assert_string_equal(error.message, "<RecordStepSize> holds \"1,000\": expected a number");
    assert_int_equal(error.line, 2);
    vxe_task_clear(&task);
    put_file("voxcraft_test.vxa", "<VXA><Simulator><RecordHistory><RecordLink>True</RecordLink>"
                                  "</RecordHistory></Simulator></VXA>");
    assert_int_equal(vxe_task_read(&task, NULL, "voxcraft_test.vxa", &error), VXE_ERROR_INPUT);
    assert_string_equal(error.message, "<RecordLink> holds \"True\": expected 0 or 1");
    vxe_task_clear(&task);
    unlink("voxcraft_test.vxa");
    unlink("voxcraft_test.vxd");
}

static void jobs_are_read(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_job job;
    put_file("voxcraft_test.vxt", "<?xml version=\"1.0\"?>\n<x><vxa>base.vxa</vxa>"
                                  "<input_dir> data </input_dir><vxd><f>a.vxd</f><f>b.vxd</f></vxd>"
                                  "</x>");
    assert_int_equal(vxe_job_read(&job, "voxcraft_test.vxt", &error), VXE_OK);
    assert_string_equal(job.base, "base.vxa");
    assert_string_equal(job.folder, "data");
    assert_int_equal(job.overlay_count, 2);
    assert_string_equal(job.overlays[1], "b.vxd");
    vxe_job_clear(&job);
    static const char *const wrong[] = {"", "<x>", "<x><vxa>b</vxa><vxd/></x>",
                                        "<x><vxd><f>a</f></vxd></x>"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        put_file("voxcraft_test.vxt", wrong[i]);
        assert_int_not_equal(vxe_job_read(&job, "voxcraft_test.vxt", &error), VXE_OK);
    }
    unlink("voxcraft_test.vxt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_have_their_values),
                                       cmocka_unit_test(wrong_trees_are_refused),
                                       cmocka_unit_test(deep_trees_are_read),
                                       cmocka_unit_test(long_trees_have_a_limit),
                                       cmocka_unit_test(rules_to_stop),
                                       cmocka_unit_test(fields_speak_our_frame),
                                       cmocka_unit_test(cilia_push_the_surface),
                                       cmocka_unit_test(tasks_are_read_over_a_base),
                                       cmocka_unit_test(jobs_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
