/* SPDX-License-Identifier: MIT */
/* Numbers end where they end: 10 000 damaged numbers (some of them still numbers) in each reader of
 * text are read as C's strtod reads the whole of them, or refused with the file and, in XML, the
 * place and the tag. None is cut. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/number.h"
#include "common/status_internal.h"
#include "evolution/experiment/experiment_internal.h"
#include "evolution/storage/search_table_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/task.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "output/foreign/simulator_results_parse.h"
#include "output/foreign/voxcraft_history_parse.h"
#include "support.h"

#define MUTANTS 10000
/* Characters of the longest damaged number: a base of at most 9 and 4 more. */
#define LONGEST 16

/* Puts a number into a document, reads that, and stores what became of the number. Returns false
   and fills the error where the reader refuses. */
typedef bool reader(const char *number, double *value, vxe_error *error);

static vxe_text text_of(const char *file, const char *before, const char *number,
                        const char *behind)
{
    static char document[4000];
    const int length = snprintf(document, sizeof document, "%s%s%s", before, number, behind);
    assert_true(length > 0 && (size_t)length < sizeof document);
    return (vxe_text){file, document, (uint64_t)length, false};
}

#define MECHANICAL "<Mechanical><Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density>"
#define PALETTE(cte)                                                                               \
    "<Palette><Material>" MECHANICAL "<CTE>" cte "</CTE></Mechanical></Material></Palette>"
#define CELLS "<X_Voxels>3</X_Voxels><Data><Layer>111</Layer></Data>"
#define STRUCTURE "<Structure Compression=\"ASCII_READABLE\">" CELLS "</Structure>"
#define WITH_GRAVITY "<Environment><Gravity><GravEnabled>1</GravEnabled><GravAcc>"
#define OBJECT "<VXC>" PALETTE("0.01") STRUCTURE "</VXC>"

/* Takes a number out of a design, and destroys it. */
static bool gravity_of(vxe_design *design, double *value)
{
    *value = design ? design->gravity[2] : 0;
    vxe_design_destroy(design);
    return design != NULL;
}

static bool expansion_of(vxe_design *design, double *value)
{
    *value = design ? design->materials[0].thermal_expansion : 0;
    vxe_design_destroy(design);
    return design != NULL;
}

static bool vxa_tag(const char *number, double *value, vxe_error *error)
{
    const vxe_text source = text_of("t.vxa", "<VXA>" WITH_GRAVITY, number,
                                    "</GravAcc></Gravity></Environment>" OBJECT "</VXA>");
    return gravity_of(vxe_vxa_read(&source, error), value);
}

static bool vxa_layer(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("t.vxa",
                "<VXC>" PALETTE("0") "<Structure Compression=\"ASCII_READABLE\">" CELLS
                                     "<PhaseOffset><Layer>0.5, ",
                number, " ,0.25,</Layer></PhaseOffset></Structure></VXC>");
    vxe_design *design = vxe_vxa_read(&source, error);
    const vxe_layer *layer = design ? vxe_design_find_layer(design, "PhaseOffset") : NULL;
    if (layer) {
        *value = layer->values[1];
        assert_true(layer->values[0] == 0.5 && layer->values[2] == 0.25);
    }
    vxe_design_destroy(design);
    return layer != NULL;
}

static bool vxc_tag(const char *number, double *value, vxe_error *error)
{
    const vxe_text source = text_of("t.vxc", "<VXC><Palette><Material>" MECHANICAL "<CTE>", number,
                                    "</CTE></Mechanical></Material></Palette>" STRUCTURE "</VXC>");
    return expansion_of(vxe_vxa_read(&source, error), value);
}

static bool vxd_tag(const char *number, double *value, vxe_error *error)
{
    static const char base[] =
        "<VXA>" WITH_GRAVITY "1</GravAcc></Gravity></Environment>" OBJECT "</VXA>";
    const vxe_text below = {"base.vxa", base, sizeof base - 1, false};
    const vxe_text above =
        text_of("t.vxd", "<VXD><GravAcc replace=\"VXA.Environment.Gravity.GravAcc\">", number,
                "</GravAcc></VXD>");
    return gravity_of(vxe_vxd_read(&below, &above, error), value);
}

static bool vxl_key(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("t.json", "{\"voxelSize\": 0.01, \"materials\": [{\"CTE\": ", number,
                "}], \"voxels\": [0, 0, 0, 0]}");
    return expansion_of(vxe_json_read(&source, error), value);
}

static bool scene_key(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("t.json", "{\"materials\": [{\"thermal_expansion_per_K\": ", number,
                "}], \"voxels\": [[0, 0, 0, 0]]}");
    return expansion_of(vxe_json_read(&source, error), value);
}

static bool reference_key(const char *number, double *value, vxe_error *error)
{
    const vxe_text source = text_of("t.json",
                                    "{\"voxel_size_m\": 0.01, \"materials\": [{\"E\": 1e6, "
                                    "\"rho\": 1000, \"cte\": ",
                                    number, "}], \"voxels_ijk_mat\": [[0, 0, 0, 0]]}");
    return expansion_of(vxe_json_read(&source, error), value);
}

/* The number is the cell of a voxel in a row of 4 096. */
static bool evogym_cell(const char *number, double *value, vxe_error *error)
{
    const vxe_text source = text_of("t.json",
                                    "{\"grid_width\": 4096, \"grid_height\": 1, \"objects\": "
                                    "{\"a\": {\"indices\": [",
                                    number, "], \"types\": [2]}}}");
    vxe_design *design = vxe_json_read(&source, error);
    *value = design ? design->voxels[0].position[0] + 4096. * design->voxels[0].position[2] : 0;
    vxe_design_destroy(design);
    return design != NULL;
}

static bool materials_key(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("m.json",
                "{\"materials\": [{\"name\": \"a\", \"thermal_expansion_per_K\": ", number, "}]}");
    vxe_material material = vxe_material_default();
    snprintf(material.name, sizeof material.name, "a");
    vxe_design *design = vxe_design_create();
    assert_int_equal(vxe_design_add_material(design, &material, NULL, error), VXE_OK);
    const bool read = vxe_materials_read(design, &source, error) == VXE_OK;
    return expansion_of(design, value) && read;
}

static bool experiment_key(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("e.json",
                "{\"format\": \"voxelastic experiment\", \"version\": 1, \"size\": [2, 2, 2], "
                "\"world\": {\"materials\": [{\"thermal_expansion_per_K\": 0.01}], \"actuation\": "
                "{\"enabled\": true, \"amplitude_K\": 10, \"period_s\": 0.5}}, "
                "\"task\": {\"name\": \"walk\", \"settle_time_s\": 0, \"duration_s\": ",
                number, "}}");
    vxe_experiment *e = vxe_experiment_parse(source.file, source.text, source.size, error);
    *value = e ? e->task.duration : 0;
    vxe_experiment_destroy(e);
    return e != NULL;
}

static bool result_tag(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("r.xml", "<R><Fitness><NormFinalDist>", number, "</NormFinalDist></Fitness></R>");
    vxe_scores *scores = vxe_scores_scan(&source, error);
    const bool found = scores && scores->count == 1;
    *value = found ? vxe_scores_find(scores, "", "NormFinalDist", 0) : 0;
    if (scores && !found) { /* words are left out */
        (void)vxe_error_at(error, VXE_ERROR_INPUT, source.file, 1, 1,
                           "<NormFinalDist> holds a word");
    }
    vxe_scores_destroy(scores);
    return found;
}

/* Returns whether a history of one frame has nothing that was left out. */
static vxe_history_reader *whole_history(const vxe_text *source, vxe_error *error)
{
    vxe_history_reader *r = vxe_history_reader_scan(source, error);
    if (r && r->left_out == 0) {
        return r;
    }
    vxe_history_reader_destroy(r);
    (void)vxe_error_at(error, VXE_ERROR_INPUT, source->file, 1, 1, "left out");
    return NULL;
}

#define POSE "2,3,90,0,0,0.7,-5,-5,-5,5,5,5,3,0.5,;"

static bool history_record(const char *number, double *value, vxe_error *error)
{
    const vxe_text source = text_of("h.history", "<<<Step1 Time:0>>>", number, "," POSE "<<<>>>\n");
    vxe_history_reader *r = whole_history(&source, error);
    const bool found = r && r->voxel_count == 1;
    *value = found ? r->voxels[0].place[0] : 0;
    vxe_history_reader_destroy(r);
    return found;
}

static bool history_time(const char *number, double *value, vxe_error *error)
{
    const vxe_text source =
        text_of("h.history", "<<<Step1 Time:0>>><<<>>>\n<<<Step2 Time:", number, ">>><<<>>>\n");
    vxe_history_reader *r = whole_history(&source, error);
    const bool found = r && r->frame_count == 2;
    *value = found ? r->frames[1].time : 0;
    vxe_history_reader_destroy(r);
    return found;
}

/* The readers: what they read, the tag of an XML file, and from where to where their numbers must
   be, so that a number outside may be refused. */
static const struct {
    const char *name;
    reader *read;
    const char *tag;
    bool json;
    double min, max;
    bool whole;
    bool records; /* a semicolon or a new line ends a record, and another begins */
} readers[] = {
    {"VXA, a tag", vxa_tag, "<GravAcc> holds", false, -1e6, 1e6, false, false},
    {"VXA, a layer", vxa_layer, "a layer of <PhaseOffset>", false, -1e6, 1e6, false, false},
    {"VXC", vxc_tag, "<CTE> holds", false, -1e6, 1e6, false, false},
    {"VXD", vxd_tag, "<GravAcc> holds", false, -1e6, 1e6, false, false},
    {"VXL", vxl_key, NULL, true, -1e6, 1e6, false, false},
    {"scene", scene_key, NULL, true, -1e6, 1e6, false, false},
    {"reference scene", reference_key, NULL, true, -1e6, 1e6, false, false},
    {"EvoGym", evogym_cell, NULL, true, 0, (1 << 24) - 1, true, false},
    {"materials", materials_key, NULL, true, -1e6, 1e6, false, false},
    {"experiment", experiment_key, NULL, true, 1e-6, 1e6, false, false},
    {"result", result_tag, "<NormFinalDist> holds", false, -1e6, 1e6, false, false},
    {"history, a voxel", history_record, NULL, false, -1e6, 1e6, false, true},
    {"history, a time", history_time, NULL, false, -1e6, 1e6, false, true}};
#define READERS (sizeof readers / sizeof readers[0])

static const char blanks[] = " \t\r\n";

/* What a text is as a number: strtod's value of the whole of it in the C locale, without
   hexadecimal digits, infinities and nan. */
static bool strict_number(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && end[strspn(end, blanks)] == '\0' && isfinite(*value) &&
           !strpbrk(text, "xXnNiI");
}

/* Whether a number is written as JSON allows: no plus, no zero before other digits, and digits on
   both sides of a point. */
static bool is_json_number(const char *text)
{
    text += strspn(text, blanks);
    text += *text == '-';
    const size_t whole = strspn(text, "0123456789");
    const bool fraction = text[whole] == '.';
    return whole > 0 && (text[0] != '0' || whole == 1) &&
           (!fraction || isdigit((unsigned char)text[whole + 1]));
}

/* The same numbers on every machine. */
static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Inserts, appends, replaces or removes one to three characters of a number. */
static void mutate(uint64_t *state, char text[LONGEST])
{
    static const char *const bases[] = {"12.5",   "-0.025", "1e-3", "1000000", ".35",
                                        "1e+006", "3",      "0.9",  "41",      "-7.25E2"};
    static const char letters[] = "00123456789..,,+-eEEfFdDxXaAnNiIpPmk_' \t\n;:%$TrueFals";
    snprintf(text, LONGEST, "%s", bases[next_random(state) % (sizeof bases / sizeof bases[0])]);
    for (uint32_t i = next_random(state) % 3 + 1; i > 0; i--) {
        const size_t length = strlen(text);
        const char letter = letters[next_random(state) % (sizeof letters - 1)];
        const size_t at = length ? next_random(state) % length : 0;
        switch (next_random(state) % 4) {
        case 0:
            memmove(text + at + 1, text + at, length + 1 - at);
            text[at] = letter;
            break;
        case 1:
            text[length] = letter;
            text[length + 1] = '\0';
            break;
        case 2:
            text[at] = length ? letter : '\0';
            break;
        default:
            memmove(text + at, text + at + 1, length - at);
        }
    }
}

/* Reads one number with one reader, and checks what became of it. Returns whether it was read. */
static bool check(size_t r, const char *number)
{
    double want = 0;
    double value = 0;
    vxe_error error = {0};
    const bool good = strict_number(number, &want);
    const bool read = readers[r].read(number, &value, &error);
    const bool fits = want >= readers[r].min && want <= readers[r].max &&
                      (!readers[r].whole || want == floor(want)) &&
                      (!readers[r].records || !strpbrk(number, ";\n"));
    if (read && !(good && value == want) && !(readers[r].records && strpbrk(number, ";\n"))) {
        fail_msg("%s: '%s' was read as %.17g", readers[r].name, number, value);
    }
    if (!read && good && fits && (!readers[r].json || is_json_number(number))) {
        fail_msg("%s: '%s' was refused: %s", readers[r].name, number, error.message);
    }
    if (!read && (!error.status || !error.message[0] || !error.file[0])) {
        fail_msg("%s: '%s' was refused without a file", readers[r].name, number);
    }
    if (!read && !good && readers[r].tag && (error.line != 1 || error.column == 0)) {
        fail_msg("%s: '%s' was refused without a place", readers[r].name, number);
    }
    if (!read && !good && readers[r].tag && !strstr(error.message, readers[r].tag) &&
        !strstr(error.message, "numbers, expected")) {
        fail_msg("%s: '%s': %s", readers[r].name, number, error.message);
    }
    return read;
}

static void damaged_numbers_are_read_whole_or_refused(void **state)
{
    (void)state;
    for (size_t r = 0; r < READERS; r++) {
        uint64_t random = 20240614;
        uint32_t read = 0;
        for (int i = 0; i < MUTANTS; i++) {
            char number[LONGEST];
            mutate(&random, number);
            read += check(r, number);
        }
        print_message("  %s: %u of %d read\n", readers[r].name, read, MUTANTS);
        assert_in_range(read, readers[r].whole ? 500 : 1000, MUTANTS - 3000);
    }
}

static void well_known_mistakes_are_refused(void **state)
{
    (void)state;
    static const char *const mistakes[] = {
        "1,000,000", "0,025", "0.9f", "1e-3 m", "True",     "False", "true",  "yes",    "",
        " ",         "0x10",  "inf",  "nan",    "-inf",     "1e999", "1 2",   "--1",    "1e",
        "1e+",       ".",     "+",    "1.5.5",  "1'000",    "1_000", "50%",   "1-2",    "1+2",
        "1e5.5",     "٣",     "1;",   "- 1",    "infinity", "0x1p3", "1e-3m", "1.5e3e", "1..5"};
    for (size_t r = 0; r < READERS; r++) {
        for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
            double value = 0;
            vxe_error error = {0};
            if (readers[r].read == result_tag &&
                (strchr(mistakes[i], ';') || strpbrk(mistakes[i], "in") == mistakes[i] ||
                 strcmp(mistakes[i], "-inf") == 0)) {
                continue; /* simulators print inf and nan, and lists end with semicolons */
            }
            if (readers[r].read(mistakes[i], &value, &error)) {
                fail_msg("%s: '%s' was read as %.17g", readers[r].name, mistakes[i], value);
            }
        }
    }
    double value = 7;
    vxe_error error = {0};
    assert_false(vxa_tag("1,000,000", &value, &error));
    assert_string_equal(error.message, "<GravAcc> holds \"1,000,000\": expected a number");
    assert_string_equal(error.file, "t.vxa");
    assert_int_equal(error.column, 56);
    assert_false(vxa_tag("", &value, &error));
    assert_string_equal(error.message, "<GravAcc> holds \"\": expected a number");
    assert_false(vxa_tag("1e999", &value, &error));
    assert_string_equal(error.message,
                        "<GravAcc> holds \"1e999\": expected a number below 1.8e308");
    assert_false(vxa_layer("1,", &value, &error));
    assert_string_equal(error.message,
                        "a layer of <PhaseOffset>: number 3 is \"\": expected a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_numbers_are_read_whole_or_refused),
                                       cmocka_unit_test(well_known_mistakes_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
