/* SPDX-License-Identifier: MIT */
/* Reads and writes experiments. Tables describe the sections (experiment_fields_internal.h);
   "world" and "size" have readers of their own. */
#include "common/assert_internal.h"
#include "evolution/experiment/experiment_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/algorithms/cma_internal.h"
#include "evolution/experiment/experiment_fields_internal.h"
#include "evolution/genomes/genome_internal.h"
#include "evolution/learning/learning_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"

#define MAX_CELLS (1u << 20)

#define NUMBER(type, key, member, min, max)                                                        \
    {                                                                                              \
        key, VXE_FIELD_NUMBER, offsetof(type, member), min, max, NULL                              \
    }
#define WHOLE(type, key, member, min, max)                                                         \
    {                                                                                              \
        key, VXE_FIELD_WHOLE, offsetof(type, member), min, max, NULL                               \
    }
#define CHOICE(type, key, member, names)                                                           \
    {                                                                                              \
        key, VXE_FIELD_CHOICE, offsetof(type, member), 0, 0, names                                 \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const task_names[] = {
    "walk", "climb", "rough", "swim",   "jump",    "flip",    "turn",    "tall", "volume",
    "push", "carry", "throw", "gather", "formula", "program", "library", "told", NULL};
static const char *const directions[] = {"any", "x", "y", NULL};
static const char *const encodings[] = {"direct", "cppn", "controller", NULL};
static const char *const symmetries[] = {"none", "x", "y", "xy", NULL};
static const char *const algorithms[] = {"afpo",  "ga",     "climber", "random", "map-elites",
                                         "nsga2", "cma-es", "es",      NULL};
static const char *const objectives[] = {"fewer_voxels", "fewer_actuated", NULL};
static const char *const descriptors[] = {"voxels", "actuated", "length", "width", "height", NULL};
static const char *const pieces[] = {"largest", "reject", "all", NULL};
_Static_assert(COUNT(task_names) - 1 == VXE_TASK_TOLD + 1, "one word per task");
_Static_assert(COUNT(directions) - 1 == VXE_DIRECTION_Y + 1, "one word per direction");
_Static_assert(COUNT(encodings) - 1 == VXE_ENCODING_CONTROLLER + 1, "one word per encoding");
_Static_assert(COUNT(symmetries) - 1 == VXE_SYMMETRY_XY + 1, "one word per symmetry");
_Static_assert(COUNT(algorithms) - 1 == VXE_ALGORITHM_ES + 1, "one word per algorithm");
_Static_assert(COUNT(objectives) - 1 == VXE_OBJECTIVE_ACTUATED + 1, "one word per objective");
_Static_assert(COUNT(descriptors) - 1 == VXE_DESCRIPTOR_HEIGHT + 1, "one word per descriptor");
_Static_assert(COUNT(pieces) - 1 == VXE_PIECES_ALL + 1, "one word per rule for pieces");

const char *vxe_task_label(uint32_t task)
{
    return task < COUNT(task_names) - 1 ? task_names[task] : "";
}

const char *vxe_descriptor_name(uint32_t descriptor)
{
    return descriptor < COUNT(descriptors) - 1 ? descriptors[descriptor] : "";
}

static const vxe_field task_fields[] = {
    CHOICE(vxe_task_settings, "name", name, task_names),
    CHOICE(vxe_task_settings, "direction", direction, directions),
    NUMBER(vxe_task_settings, "duration_s", duration, 1e-6, 1e6),
    NUMBER(vxe_task_settings, "settle_time_s", settle_time, 0, 1e6),
    NUMBER(vxe_task_settings, "step_height_m", step_height, 0, 1e3),
    NUMBER(vxe_task_settings, "step_depth_m", step_depth, 0, 1e3),
    WHOLE(vxe_task_settings, "steps", steps, 1, 1000),
    NUMBER(vxe_task_settings, "roughness_m", roughness, 0, 1e3),
    NUMBER(vxe_task_settings, "spacing_m", spacing, 0, 1e3),
    WHOLE(vxe_task_settings, "object_size", object_size, 1, 100),
    NUMBER(vxe_task_settings, "object_density_kg_per_m3", object_density, 0, 1e12),
    {"fitness", VXE_FIELD_TEXT, offsetof(vxe_task_settings, fitness), 0, VXE_FITNESS_BYTES, NULL},
    {"command", VXE_FIELD_WORDS, offsetof(vxe_task_settings, command), 0, VXE_COMMAND_BYTES, NULL},
    {"library", VXE_FIELD_TEXT, offsetof(vxe_task_settings, library), 0, VXE_PATH_BYTES, NULL},
    NUMBER(vxe_task_settings, "time_limit_s", time_limit, 0, 1e9),
    {"folder", VXE_FIELD_TEXT, offsetof(vxe_task_settings, folder), 0, VXE_PATH_BYTES, NULL}};

static const vxe_field encoding_fields[] = {
    CHOICE(vxe_encoding_settings, "name", name, encodings),
    {"phase", VXE_FIELD_FLAG, offsetof(vxe_encoding_settings, phase), 0, 0, NULL},
    NUMBER(vxe_encoding_settings, "least_stiffness_Pa", min_stiffness, 0, 1e15),
    NUMBER(vxe_encoding_settings, "most_stiffness_Pa", max_stiffness, 0, 1e15),
    CHOICE(vxe_encoding_settings, "symmetry", symmetry, symmetries),
    WHOLE(vxe_encoding_settings, "attempts", attempts, 1, 10000),
    NUMBER(vxe_encoding_settings, "filled", filled, 0, 1),
    NUMBER(vxe_encoding_settings, "mutated_cells", mutated_cells, 1e-3, 1e6),
    WHOLE(vxe_encoding_settings, "first_changes", first_changes, 0, 1000),
    NUMBER(vxe_encoding_settings, "weight_deviation", weight_deviation, 1e-6, 1e3)};

static const vxe_field algorithm_fields[] = {
    CHOICE(vxe_algorithm_settings, "name", name, algorithms),
    WHOLE(vxe_algorithm_settings, "population", population, 1, 1000000),
    WHOLE(vxe_algorithm_settings, "generations", generations, 1, VXE_MAX_GENERATIONS),
    WHOLE(vxe_algorithm_settings, "newcomers", newcomers, 0, 1000000),
    WHOLE(vxe_algorithm_settings, "tournament", tournament, 1, 1000000),
    CHOICE(vxe_algorithm_settings, "second_objective", second_objective, objectives),
    CHOICE(vxe_algorithm_settings, "first_descriptor", first_descriptor, descriptors),
    CHOICE(vxe_algorithm_settings, "second_descriptor", second_descriptor, descriptors),
    WHOLE(vxe_algorithm_settings, "first_bins", first_bins, 1, 1000),
    WHOLE(vxe_algorithm_settings, "second_bins", second_bins, 1, 1000)};

static const vxe_field constraint_fields[] = {
    CHOICE(vxe_constraint_settings, "pieces", pieces, pieces),
    WHOLE(vxe_constraint_settings, "least_voxels", min_voxels, 1, MAX_CELLS),
    NUMBER(vxe_constraint_settings, "least_actuated", min_actuated, 0, 1)};

static const char *const scores[] = {"median", "mean", "worst", "lower_quartile", NULL};
_Static_assert(COUNT(scores) - 1 == VXE_SCORE_LOWER_QUARTILE + 1, "one word per score");

static const vxe_field evaluation_fields[] = {
    WHOLE(vxe_evaluation_settings, "copies", copies, 1, VXE_MAX_EVALUATION_COPIES),
    CHOICE(vxe_evaluation_settings, "score", score, scores)};

/* The object "vary" in "evaluation". */
static const vxe_field vary_fields[] = {
    NUMBER(vxe_evaluation_settings, "friction", friction, 0, 0.9),
    NUMBER(vxe_evaluation_settings, "stiffness", stiffness, 0, 0.9),
    NUMBER(vxe_evaluation_settings, "phase", phase, 0, 1),
    NUMBER(vxe_evaluation_settings, "slope", slope, 0, 1),
    NUMBER(vxe_evaluation_settings, "step", step, 0, 0.1)};

static const vxe_field root_fields[] = {
    {"name", VXE_FIELD_TEXT, offsetof(vxe_experiment, name), 0, VXE_NAME_BYTES, NULL},
    WHOLE(vxe_experiment, "seed", seed, 0, 9007199254740992.0),
    {"audit", VXE_FIELD_FLAG, offsetof(vxe_experiment, audit), 0, 0, NULL},
    WHOLE(vxe_experiment, "checkpoint_interval", checkpoint_interval, 1, 1e9)};

/* Sections that tables describe. */
static const struct {
    const char *key;
    const vxe_field *fields;
    size_t count;
    size_t offset;
} sections[] = {
    {"task", task_fields, COUNT(task_fields), offsetof(vxe_experiment, task)},
    {"encoding", encoding_fields, COUNT(encoding_fields), offsetof(vxe_experiment, encoding)},
    {"algorithm", algorithm_fields, COUNT(algorithm_fields), offsetof(vxe_experiment, algorithm)},
    {"constraints", constraint_fields, COUNT(constraint_fields),
     offsetof(vxe_experiment, constraints)}};

static void set_defaults(vxe_experiment *e)
{
    e->checkpoint_interval = 1;
    e->task = (vxe_task_settings){.duration = 5, .settle_time = 0.5, .steps = 20, .object_size = 2};
    e->encoding = (vxe_encoding_settings){.name = 1,
                                          .attempts = 50,
                                          .filled = 0.5,
                                          .mutated_cells = 4,
                                          .first_changes = 10,
                                          .weight_deviation = 0.5};
    e->algorithm = (vxe_algorithm_settings){.population = 50,
                                            .generations = 100,
                                            .newcomers = 1,
                                            .tournament = 2,
                                            .first_descriptor = VXE_DESCRIPTOR_VOXELS,
                                            .second_descriptor = VXE_DESCRIPTOR_ACTUATED,
                                            .first_bins = 10,
                                            .second_bins = 10};
    e->constraints = (vxe_constraint_settings){.min_voxels = 2};
    e->evaluation.copies = 1;
    e->network = (vxe_network_settings){.groups = {2, 2, 1},
                                        .interval = 1.0 / 60,
                                        .min_target = 0.6,
                                        .max_target = 1.6,
                                        .deviation = 0.5,
                                        .parts = 1};
}

/* Size of the box for a body that is given: up to its farthest voxel. It must have no cell below
   0. */
static vxe_status size_of_body(const json_t *root, vxe_experiment *e, vxe_error *error)
{
    if (json_object_get(root, "size")) {
        return vxe_error_fill(
            error, VXE_ERROR_INPUT,
            "experiment: \"size\" is for bodies that are searched; here the body is "
            "given by the world's voxels");
    }
    if (e->world->voxel_count > 0 && vxe_design_check(e->world, error)) {
        return error->status;
    }
    if (e->world->voxel_count == 0 ||
        (e->network.sensor_count == 0 && vxe_controller_size(e) == 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "world: the encoding \"controller\" needs a body: \"voxels\", "
                              "some of them of a material with \"thermal_expansion_per_K\"");
    }
    for (uint32_t v = 0; v < e->world->voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            const int32_t at = e->world->voxels[v].position[c];
            if (at < 0 || at >= (int32_t)MAX_CELLS) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "world: voxel %u has a coordinate below 0, or too large", v);
            }
            e->size[c] = (uint32_t)at + 1 > e->size[c] ? (uint32_t)at + 1 : e->size[c];
        }
    }
    return VXE_OK;
}

static vxe_status read_size(const json_t *root, vxe_experiment *e, vxe_error *error)
{
    const json_t *size = json_object_get(root, "size");
    double cells = 1;
    bool good = json_is_array(size) && json_array_size(size) == 3;
    for (size_t c = 0; c < 3 && good; c++) {
        const json_t *item = json_array_get(size, c);
        const json_int_t count = json_integer_value(item);
        good = json_is_integer(item) && count >= 1 && count <= MAX_CELLS;
        e->size[c] = good ? (uint32_t)count : 0;
        cells *= (double)count;
    }
    return good && cells <= MAX_CELLS
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "experiment: \"size\" must be three whole numbers of cells from 1, "
                                "such as [8, 8, 7], whose product is at most %u",
                                MAX_CELLS);
}

/* Keys of a scene that "world" must not have. */
static const struct {
    const char *key;
    bool bodily; /* allowed for the encoding controller, whose world holds the body */
    const char *why;
} not_worldly[] = {{"voxels", true, "bodies are searched"},
                   {"layers", true, "bodies are searched"},
                   {"initial_velocities", true, "bodies are searched"},
                   {"stop", false, "the task states the duration"},
                   {"fitness", false, "the task states the fitness"},
                   {"name", false, "it is written into the designs that are found"},
                   {"file_origin_m", false, "it is written into the designs that are found"}};

static bool is_worldly(const vxe_experiment *e, size_t i)
{
    return not_worldly[i].bodily && e->encoding.name == VXE_ENCODING_CONTROLLER;
}

/* Reads the scene into which bodies are put. What a scene would only note is an error here. */
static vxe_status read_world(json_t *root, vxe_experiment *e, vxe_error *error)
{
    json_t *world = json_object_get(root, "world");
    if (!json_is_object(world)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "experiment: \"world\" must be an object: a scene without voxels");
    }
    for (size_t i = 0; i < COUNT(not_worldly); i++) {
        if (json_object_get(world, not_worldly[i].key) && !is_worldly(e, i)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "world: \"%s\" is not allowed there: %s",
                                  not_worldly[i].key, not_worldly[i].why);
        }
    }
    if (!json_object_get(world, "voxels") && json_object_set_new(world, "voxels", json_array())) {
        return vxe_error_memory(error, sizeof *e->world);
    }
    vxe_status status = vxe_scene_fill(e->world, world, error);
    if (!status && vxe_design_note_count(e->world) > 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "world: %s", vxe_design_note(e->world, 0));
    }
    if (!status && e->world->material_count == 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "world: \"materials\" are missing");
    }
    return status;
}

/* Reads how often a body runs, and how its copies differ. */
static vxe_status read_evaluation(const json_t *root, vxe_evaluation_settings *into,
                                  vxe_error *error)
{
    json_t *given = json_object_get(root, "evaluation");
    json_t *plain = json_is_object(given) ? json_copy(given) : json_incref(given);
    json_t *vary = json_incref(json_object_get(given, "vary"));
    json_object_del(plain, "vary");
    vxe_status status = vxe_fields_read(plain, "evaluation", evaluation_fields,
                                        COUNT(evaluation_fields), into, error);
    status = status ? status
                    : vxe_fields_read(vary, "evaluation: vary", vary_fields, COUNT(vary_fields),
                                      into, error);
    json_decref(plain);
    json_decref(vary);
    const bool varies = into->friction > 0 || into->stiffness > 0 || into->phase > 0 ||
                        into->slope > 0 || into->step > 0;
    if (!status && (into->copies > 1) != varies) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                varies ? "evaluation: \"vary\" has no effect on one copy: "
                                         "\"copies\" says how many there are"
                                       : "evaluation: \"copies\" that do not differ: \"vary\" says "
                                         "in what they do");
    }
    return status;
}

/* The section that read_evaluation reads. */
static json_t *evaluation_object(const vxe_evaluation_settings *from)
{
    json_t *object = vxe_fields_write(evaluation_fields, COUNT(evaluation_fields), from);
    json_t *vary = vxe_fields_write(vary_fields, COUNT(vary_fields), from);
    if (!object || json_object_set_new(object, "vary", vary)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static vxe_status check_together(const vxe_experiment *e, vxe_error *error)
{
    VXE_ASSERT(e->size[0] > 0 && e->size[1] > 0 && e->size[2] > 0);
    if (!(e->task.settle_time < e->task.duration)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "task: \"settle_time_s\" (%g) must be below \"duration_s\" (%g)",
                              e->task.settle_time, e->task.duration);
    }
    if (e->encoding.min_stiffness > e->encoding.max_stiffness ||
        (e->encoding.max_stiffness > 0 && !(e->encoding.min_stiffness > 0))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "encoding: \"least_stiffness_Pa\" (%g) must be above 0 and at most "
                              "\"most_stiffness_Pa\" (%g)",
                              e->encoding.min_stiffness, e->encoding.max_stiffness);
    }
    if (e->constraints.min_voxels > vxe_cell_count(e)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "constraints: \"least_voxels\" is above the %u cells of the box",
                              vxe_cell_count(e));
    }
    const bool controller = e->encoding.name == VXE_ENCODING_CONTROLLER;
    const bool networks = e->network.sensor_count > 0;
    if (e->algorithm.name == VXE_ALGORITHM_CMA_ES &&
        (!controller || (!networks && vxe_controller_size(e) > VXE_CMA_MAX))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "algorithm: \"cma-es\" is for the encoding \"controller\" of at most "
                              "%u numbers",
                              VXE_CMA_MAX);
    }
    if (!(controller && networks) && e->algorithm.name == VXE_ALGORITHM_ES) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "algorithm: \"es\" is for the encoding \"controller\" with a "
                              "\"network\"");
    }
    if (controller && e->algorithm.name == VXE_ALGORITHM_MAP_ELITES) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "algorithm: \"map-elites\" is for bodies that are searched: those of "
                              "controllers look alike");
    }
    if (e->algorithm.newcomers > e->algorithm.population) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "algorithm: more \"newcomers\" than the \"population\"");
    }
    return vxe_external_task_check(e, error);
}

static vxe_status read_root(json_t *root, vxe_experiment *e, vxe_error *error)
{
    static const char *const known[] = {"format",
                                        "version",
                                        "name",
                                        "seed",
                                        "size",
                                        "audit",
                                        "checkpoint_interval",
                                        "world",
                                        "task",
                                        "encoding",
                                        "network",
                                        "algorithm",
                                        "constraints",
                                        "evaluation",
                                        "learn",
                                        NULL};
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "version");
    if (!json_is_object(root) || !format || strcmp(format, "voxelastic experiment") != 0 ||
        !json_is_integer(version) || json_integer_value(version) != 1) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "not an experiment: \"format\": \"voxelastic experiment\" and "
                              "\"version\": 1 are missing");
    }
    vxe_status status = vxe_fields_known(root, "experiment", known, error);
    status = status
                 ? status
                 : vxe_fields_fill(root, "experiment", root_fields, COUNT(root_fields), e, error);
    for (size_t i = 0; i < COUNT(sections) && !status; i++) {
        status = vxe_fields_read(json_object_get(root, sections[i].key), sections[i].key,
                                 sections[i].fields, sections[i].count,
                                 (char *)e + sections[i].offset, error);
    }
    status = status ? status : read_evaluation(root, &e->evaluation, error);
    status =
        status ? status : vxe_network_read(json_object_get(root, "network"), &e->network, error);
    status =
        status ? status : vxe_learning_read(json_object_get(root, "learn"), &e->learning, error);
    status = status ? status : read_world(root, e, error);
    status = status                                        ? status
             : e->encoding.name == VXE_ENCODING_CONTROLLER ? size_of_body(root, e, error)
                                                           : read_size(root, e, error);
    return status ? status : check_together(e, error);
}

/* file: null, or from whose folder on paths count. */
static vxe_experiment *parse(const vxe_text *source, const char *file, vxe_error *error)
{
    bool cut = false;
    json_t *root = vxe_json_load(source, &cut, error);
    if (!root) {
        return NULL;
    }
    vxe_error inner = {0};
    const uint64_t failures = vxe_memory_failures();
    vxe_experiment *e = vxe_memory_take(1, sizeof *e);
    vxe_status status = VXE_OK;
    if (!e || !(e->world = vxe_design_create())) {
        status = vxe_error_memory(&inner, sizeof *e);
    } else {
        set_defaults(e);
        status = read_root(root, e, &inner);
        status = status ? status : vxe_external_task_place(&e->task, file, &inner);
        status = status ? status : vxe_task_prepare(e, &inner);
        status = status ? status : vxe_network_prepare(e, &inner);
        status = status ? status : vxe_learning_check(e, &inner);
    }
    json_decref(root);
    status = vxe_memory_check(failures, &inner) ? VXE_ERROR_MEMORY : status;
    if (status) {
        vxe_error_at(error, status, source->file, 0, 0, "%s", inner.message);
        vxe_experiment_destroy(e);
        return NULL;
    }
    return e;
}

vxe_experiment *vxe_experiment_parse(const char *path, const char *text, uint64_t size,
                                     vxe_error *error)
{
    return parse(&(vxe_text){.file = path, .text = text, .size = size}, NULL, error);
}

vxe_experiment *vxe_experiment_read(const char *path, vxe_error *error)
{
    char *text = NULL;
    uint64_t size = 0;
    if (vxe_file_read(path, vxe_limit_for(VXE_LIMIT_RESULT_BYTES, 0), &text, &size, error)) {
        return NULL;
    }
    vxe_experiment *experiment =
        parse(&(vxe_text){.file = path, .text = text, .size = size}, path, error);
    vxe_memory_release(text);
    return experiment;
}

void vxe_experiment_destroy(vxe_experiment *experiment)
{
    if (experiment) {
        vxe_design_destroy(experiment->world);
        vxe_design_destroy(experiment->ground);
        vxe_memory_release(experiment);
    }
}

/* The scene of the world, without the keys that it must not have. */
static json_t *world_object(const vxe_experiment *e)
{
    json_t *world = vxe_scene_object(e->world);
    for (size_t i = 0; i < COUNT(not_worldly) && world; i++) {
        if (!is_worldly(e, i)) {
            json_object_del(world, not_worldly[i].key);
        }
    }
    json_object_del(world, "format"); /* the experiment has its own */
    json_object_del(world, "version");
    return world;
}

/* Deletes the keys of a fitness from outside where it is ours, or the place of the file. */
static void trim_task(json_t *root, const vxe_experiment *e, bool placed)
{
    static const char *const keys[] = {"folder", "command", "library", "time_limit_s"};
    json_t *task = json_object_get(root, "task");
    const size_t count = !vxe_task_is_external(&e->task) ? COUNT(keys) : placed ? 0 : 1;
    for (size_t i = 0; i < count; i++) {
        json_object_del(task, keys[i]);
    }
}

/* placed: with the place of the experiment's file, where it matters. */
static char *write_text(const vxe_experiment *e, bool placed)
{
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_object();
    json_t *plain = vxe_fields_write(root_fields, COUNT(root_fields), e);
    bool good = root && plain;
    good = good && json_object_set_new(root, "format", json_string("voxelastic experiment")) == 0 &&
           json_object_set_new(root, "version", json_integer(1)) == 0 &&
           json_object_update(root, plain) == 0;
    if (good && e->encoding.name != VXE_ENCODING_CONTROLLER) {
        json_t *size = json_pack("[iii]", (int)e->size[0], (int)e->size[1], (int)e->size[2]);
        good = json_object_set_new(root, "size", size) == 0;
    }
    for (size_t i = 0; i < COUNT(sections) && good; i++) {
        good = json_object_set_new(root, sections[i].key,
                                   vxe_fields_write(sections[i].fields, sections[i].count,
                                                    (const char *)e + sections[i].offset)) == 0;
    }
    trim_task(root, e, placed);
    if (good && e->evaluation.copies > 1) {
        good = json_object_set_new(root, "evaluation", evaluation_object(&e->evaluation)) == 0;
    }
    if (good && e->learning.iterations > 0) {
        good = json_object_set_new(root, "learn", vxe_learning_object(&e->learning)) == 0;
    }
    if (good && e->network.sensor_count > 0) {
        good = json_object_set_new(root, "network", vxe_network_object(&e->network)) == 0;
    }
    good = good && json_object_set_new(root, "world", world_object(e)) == 0;
    char *text = good ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    json_decref(plain);
    if (vxe_memory_check(failures, NULL)) {
        free(text);
        return NULL;
    }
    return text;
}

char *vxe_experiment_text(const vxe_experiment *e)
{
    return write_text(e, true);
}

char *vxe_experiment_identity(const vxe_experiment *e)
{
    return write_text(e, false);
}
