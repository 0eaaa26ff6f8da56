/* SPDX-License-Identifier: MIT */
/* The exports of the module. */
#include "web/module/web.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#define TAU 6.283185307179586

/* Numbers of a tuning. */
enum { GRAVITY = 3, TUNINGS = 7 };

/* All that there is at a time. */
static struct {
    char message[VXE_ERROR_TEXT];
    char *result;
    uint64_t result_size;
    char *lines; /* each ends with a line feed */
    vxe_design *design;
    double step_scale;
    bool native;
    vxe_world *world;
    vxe_trial *trial; /* null: no fitness, or ended */
    double fitness;
    vxe_surface *surface;
    vxe_frame *frame;
    float *corners;
    float *values;
    double facts[VXW_FACTS];
    double numbers[VXW_NUMBERS];
    double tuning[TUNINGS];
    uint32_t failed[2];
} now;

/* Keeps the text of an error. Returns its status. */
static int fail(const vxe_error *error)
{
    vxe_error_text(error, now.message, sizeof now.message);
    return error->status;
}

void *vxw_take(uint32_t size)
{
    return vxe_memory_take(size, 1);
}

void vxw_release(void *block)
{
    vxe_memory_release(block);
}

const char *vxw_message(void)
{
    return now.message;
}

const char *vxw_version(void)
{
    return VXE_VERSION;
}

const char *vxw_result(void)
{
    return now.result;
}

uint32_t vxw_result_size(void)
{
    return (uint32_t)now.result_size;
}

const char *vxw_lines(void)
{
    return now.lines ? now.lines : "";
}

/* Adds a line; where memory is lacking, it is left out. */
static void add_line(void *user, const char *text)
{
    const uint64_t had = now.lines ? strlen(now.lines) + 1 : 0;
    const uint64_t more = strlen(text) + 1;
    char *lines = vxe_memory_grow(now.lines, had, had + more + !had, 1);
    (void)user;
    if (lines) {
        now.lines = lines;
        snprintf(lines + (had ? had - 1 : 0), more + 1, "%s\n", text);
    }
}

static void clear_result(void)
{
    vxe_memory_release(now.result);
    vxe_memory_release(now.lines);
    now.result = NULL;
    now.result_size = 0;
    now.lines = NULL;
    now.message[0] = '\0';
}

int vxw_read(const char *name, const void *bytes, uint32_t size)
{
    vxe_error error = {.status = VXE_OK};
    clear_result();
    vxe_design *design = vxe_design_read_bytes(bytes, size, name, &error);
    if (!design) {
        return fail(&error);
    }
    now.result = vxe_design_text(design, &now.result_size, &error);
    for (uint32_t i = 0; now.result && i < vxe_design_note_count(design); i++) {
        add_line(NULL, vxe_design_note(design, i));
    }
    vxe_design_destroy(design);
    return now.result ? VXE_OK : fail(&error);
}

int vxw_write(const char *name, const char *scene, uint32_t size)
{
    vxe_error error = {.status = VXE_OK};
    clear_result();
    vxe_design *design = vxe_design_read_text(scene, size, "scene", &error);
    vxe_status status = design ? VXE_OK : error.status;
    status = status ? status
                    : vxe_design_write_bytes(design, name, &now.result, &now.result_size, &error);
    vxe_design *again =
        status ? NULL : vxe_design_read_bytes(now.result, now.result_size, name, &error);
    status = status || again ? status : error.status;
    status = status ? status : vxe_design_differences(design, again, add_line, NULL, &error);
    vxe_design_destroy(again);
    vxe_design_destroy(design);
    return status ? fail(&error) : VXE_OK;
}

static void close_world(void)
{
    vxe_trial_destroy(now.trial);
    vxe_world_destroy(now.world);
    now.trial = NULL;
    now.world = NULL;
}

static void close_all(void)
{
    close_world();
    vxe_surface_destroy(now.surface);
    vxe_frame_destroy(now.frame);
    vxe_memory_release(now.corners);
    vxe_memory_release(now.values);
    vxe_design_destroy(now.design);
    now.surface = NULL;
    now.frame = NULL;
    now.corners = NULL;
    now.values = NULL;
    now.design = NULL;
}

/* Compiles the world, and starts the trial that computes fitness. Where the law of another
   simulator needs double precision, our own takes its place. */
static vxe_status start(vxe_error *error)
{
    vxe_world_def def = vxe_world_def_default();
    close_world();
    def.threads = 1;
    def.step_scale = now.step_scale;
    now.native = false;
    now.fitness = (double)NAN;
    now.world = vxe_world_create(now.design, &def, error);
    if (!now.world && error->status == VXE_ERROR_UNSUPPORTED &&
        strcmp(now.design->written_for, "native") != 0) {
        def.conventions = "native";
        now.native = true;
        now.world = vxe_world_create(now.design, &def, error);
    }
    if (!now.world) {
        return error->status;
    }
    if (now.design->formulas[VXE_FORMULA_FITNESS]) {
        now.trial = vxe_trial_create(now.design, now.world, error);
        return now.trial ? VXE_OK : error->status;
    }
    return VXE_OK;
}

static void fill_facts(void)
{
    const vxe_world_facts facts = vxe_world_describe(now.world);
    now.facts[VXW_VOXELS] = facts.voxels;
    now.facts[VXW_BONDS] = (double)facts.bonds;
    now.facts[VXW_BODIES] = (double)facts.bodies + facts.affine;
    now.facts[VXW_MASS] = facts.mass;
    now.facts[VXW_STEP] = facts.time_step;
    now.facts[VXW_EDGE] = facts.voxel_size;
    now.facts[VXW_GROUPS] = vxe_world_group_count(now.world);
    now.facts[VXW_QUADS] = vxe_surface_quads(now.surface);
    now.facts[VXW_NATIVE] = now.native;
}

/* Takes the memory of surface and frames. */
static vxe_status prepare_frames(vxe_error *error)
{
    const vxe_design *design = now.design;
    now.surface = vxe_surface_create(design, error);
    now.frame =
        now.surface ? vxe_frame_create(design->voxel_count, design->affine_count, error) : NULL;
    if (!now.frame) {
        return error->status;
    }
    now.corners = vxe_memory_take(vxe_surface_quads(now.surface), 12 * sizeof *now.corners);
    now.values = vxe_memory_take(design->voxel_count, sizeof *now.values);
    if (!now.corners || !now.values) {
        *error = (vxe_error){.status = VXE_ERROR_MEMORY, .message = "out of memory"};
        return error->status;
    }
    return VXE_OK;
}

int vxw_open(const char *scene, uint32_t size, double step_scale)
{
    vxe_error error = {.status = VXE_OK};
    clear_result();
    close_all();
    now.step_scale = step_scale;
    now.design = vxe_design_read_text(scene, size, "scene", &error);
    if (!now.design) {
        return fail(&error);
    }
    vxe_status status = start(&error);
    status = status ? status : prepare_frames(&error);
    if (status) {
        close_all();
        return fail(&error);
    }
    for (uint32_t i = 0; i < vxe_world_warning_count(now.world); i++) {
        add_line(NULL, vxe_world_warning(now.world, i));
    }
    if (now.native) {
        char line[sizeof now.design->written_for + 128];
        snprintf(line, sizeof line,
                 "plays by Voxelastic's own law: '%s' needs double precision, which is not here",
                 now.design->written_for);
        add_line(NULL, line);
    }
    return VXE_OK;
}

int vxw_rest(void)
{
    vxe_error error = {.status = VXE_OK};
    if (!start(&error)) {
        return VXE_OK;
    }
    close_all();
    return fail(&error);
}

const double *vxw_facts(void)
{
    fill_facts();
    return now.facts;
}

const uint32_t *vxw_quad_voxels(void)
{
    return vxe_surface_voxels(now.surface);
}

/* Steps of a trial until it ends; then the world goes on without. */
static vxe_status advance_trial(uint32_t steps, vxe_error *error)
{
    const uint64_t end = vxe_world_steps(now.world) + steps;
    vxe_status status = vxe_trial_advance(now.trial, steps, error);
    if (!status && vxe_trial_ended(now.trial)) {
        now.fitness = vxe_trial_fitness(now.trial);
        vxe_trial_destroy(now.trial);
        now.trial = NULL;
        status = vxe_world_advance(now.world, end - vxe_world_steps(now.world), error);
    }
    return status;
}

int vxw_advance(uint32_t steps)
{
    vxe_error error = {.status = VXE_OK};
    const vxe_status status =
        now.trial ? advance_trial(steps, &error) : vxe_world_advance(now.world, steps, &error);
    return status ? fail(&error) : VXE_OK;
}

const uint32_t *vxw_failed(void)
{
    const vxe_world_failure failure = vxe_world_failed(now.world);
    memcpy(now.failed, failure.voxels, sizeof now.failed);
    return now.failed;
}

/* Of three numbers, the one of largest magnitude. */
static double largest(const double *of)
{
    double max = of[0];
    for (int c = 1; c < 3; c++) {
        max = fabs(of[c]) > fabs(max) ? of[c] : max;
    }
    return max;
}

static double phase_of(const vxe_layer *offsets, uint32_t voxel)
{
    const vxe_material *material = &now.design->materials[now.design->voxels[voxel].material];
    const double own = offsets ? offsets->values[(size_t)voxel * offsets->width] : 0;
    const double phase = material->phase / TAU + own;
    return phase - floor(phase);
}

static void fill_values(vxw_values values)
{
    const vxe_frame *frame = now.frame;
    const vxe_layer *offsets = vxe_design_find_layer(now.design, "PhaseOffset");
    vxe_sensors sensors = {.strain = values == VXW_STRAIN ? frame->strain : NULL,
                           .stress = values == VXW_STRESS ? frame->stress : NULL,
                           .energy = values == VXW_ENERGY ? frame->energy : NULL,
                           .contact = values == VXW_CONTACT ? frame->contact : NULL};
    vxe_world_sense(now.world, &sensors);
    for (uint32_t i = 0; i < frame->voxels; i++) {
        const double value = values == VXW_STRAIN    ? largest(frame->strain + 3 * (size_t)i)
                             : values == VXW_STRESS  ? largest(frame->stress + 3 * (size_t)i)
                             : values == VXW_CONTACT ? frame->contact[i]
                             : values == VXW_ENERGY  ? frame->energy[i]
                                                     : phase_of(offsets, i);
        now.values[i] = (float)value;
    }
}

const double *vxw_frame(int values)
{
    const vxe_energy energy = vxe_world_energy(now.world);
    const uint64_t numbers = 12ull * vxe_surface_quads(now.surface);
    double lowest = HUGE_VAL;
    vxe_surface_place(now.surface, now.world, now.corners);
    for (uint64_t i = 2; i < numbers; i += 3) {
        lowest = fmin(lowest, (double)now.corners[i]);
    }
    if (values != VXW_NONE) {
        fill_values((vxw_values)values);
    }
    vxe_world_center_of_mass(now.world, now.numbers + VXW_CENTER_X, NULL);
    now.numbers[VXW_TIME] = vxe_world_time(now.world);
    now.numbers[VXW_STEPS] = (double)vxe_world_steps(now.world);
    now.numbers[VXW_LOWEST] = lowest;
    now.numbers[VXW_KINETIC] = energy.kinetic;
    now.numbers[VXW_ELASTIC] = energy.elastic;
    now.numbers[VXW_FITNESS] = now.trial ? vxe_trial_fitness(now.trial) : now.fitness;
    return now.numbers;
}

const float *vxw_corners(void)
{
    return now.corners;
}

const float *vxw_voxel_values(void)
{
    return now.values;
}

int vxw_pull(uint32_t hand, uint32_t voxel, double x, double y, double z)
{
    vxe_error error = {.status = VXE_OK};
    vxe_pull pull = vxe_world_pull_default(now.world, voxel);
    pull.place[0] = x;
    pull.place[1] = y;
    pull.place[2] = z;
    return vxe_world_pull(now.world, hand, &pull, &error) ? fail(&error) : VXE_OK;
}

int vxw_let_go(uint32_t hand)
{
    vxe_error error = {.status = VXE_OK};
    return vxe_world_pull(now.world, hand, NULL, &error) ? fail(&error) : VXE_OK;
}

double *vxw_tuning(void)
{
    const vxe_tuning tuning = vxe_world_tuning(now.world);
    memcpy(now.tuning, tuning.gravity, sizeof tuning.gravity);
    now.tuning[GRAVITY] = tuning.amplitude;
    now.tuning[GRAVITY + 1] = tuning.frequency;
    now.tuning[GRAVITY + 2] = tuning.friction;
    now.tuning[GRAVITY + 3] = tuning.drag;
    return now.tuning;
}

int vxw_tune(const double *numbers)
{
    vxe_error error = {.status = VXE_OK};
    const vxe_tuning tuning = {.gravity = {numbers[0], numbers[1], numbers[2]},
                               .amplitude = numbers[GRAVITY],
                               .frequency = numbers[GRAVITY + 1],
                               .friction = numbers[GRAVITY + 2],
                               .drag = numbers[GRAVITY + 3]};
    return vxe_world_tune(now.world, &tuning, &error) ? fail(&error) : VXE_OK;
}

int vxw_target(uint32_t group, double factor)
{
    vxe_error error = {.status = VXE_OK};
    return vxe_world_set_target(now.world, group, factor, &error) ? fail(&error) : VXE_OK;
}

uint32_t vxw_hash(int upper)
{
    const uint64_t hash = vxe_world_hash(now.world);
    return (uint32_t)(upper ? hash >> 32 : hash);
}
