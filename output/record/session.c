/* SPDX-License-Identifier: MIT */
/* Reads sessions and plays their inputs. README.md beside this file describes the format. */
#include "output/record/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* Largest whole number that JSON's doubles hold exactly. */
#define MAX_WHOLE 9007199254740992.0

typedef enum input_kind { PULL, LET_GO, TUNE, TARGET, KINDS } input_kind;

static const char *const names[KINDS] = {"pull", "let_go", "tune", "target"};

/* Numbers of an input behind its name: hand, voxel and place; hand; none but an object; group and
   factor. */
static const size_t sizes[KINDS] = {5, 1, 1, 2};

typedef struct input {
    uint64_t step;
    input_kind kind;
    double number[5];
    double tuning[7]; /* as in vxe_tuning; NaN: it stays */
} input;

struct vxe_session {
    char release[32];
    vxe_design *design;
    vxe_session_facts facts;
    input *inputs; /* (facts.inputs) in order of their steps */
    uint64_t next;
};

static bool is_whole(double number, double max)
{
    return number >= 0 && number <= max && number == floor(number);
}

/* Reads the object of a tuning. */
static vxe_status read_tuning(json_t *object, uint64_t at, input *into, vxe_error *error)
{
    static const char *const keys[] = {"amplitude", "frequency", "friction", "drag"};
    const char *key = NULL;
    json_t *value = NULL;
    for (int i = 0; i < 7; i++) {
        into->tuning[i] = (double)NAN;
    }
    json_object_foreach(object, key, value)
    {
        const bool gravity = strcmp(key, "gravity") == 0;
        bool good = gravity && json_array_size(value) == 3;
        for (size_t c = 0; c < 3 && good; c++) {
            good = json_is_number(json_array_get(value, c));
            into->tuning[c] = json_number_value(json_array_get(value, c));
        }
        for (int k = 0; k < 4; k++) {
            if (strcmp(key, keys[k]) == 0) {
                good = json_is_number(value);
                into->tuning[3 + k] = json_number_value(value);
            }
        }
        if (!good) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "inputs[%llu]: \"%.40s\" is no number of a tuning: expected "
                                  "gravity (3), amplitude, frequency, friction or drag",
                                  (unsigned long long)at, key);
        }
    }
    return VXE_OK;
}

/* Reads [step, name, ...]. */
static vxe_status read_input(const json_t *list, uint64_t at, input *into, vxe_error *error)
{
    const double step = json_number_value(json_array_get(list, 0));
    const char *name = json_string_value(json_array_get(list, 1));
    into->kind = KINDS;
    for (int k = 0; k < KINDS && name; k++) {
        into->kind = strcmp(name, names[k]) == 0 ? (input_kind)k : into->kind;
    }
    if (!json_is_number(json_array_get(list, 0)) || !is_whole(step, MAX_WHOLE) ||
        into->kind == KINDS || json_array_size(list) != 2 + sizes[into->kind]) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "inputs[%llu]: expected [step, \"pull\", hand, voxel, x, y, z], "
                              "[step, \"let_go\", hand], [step, \"tune\", {...}] or [step, "
                              "\"target\", group, factor]",
                              (unsigned long long)at);
    }
    into->step = (uint64_t)step;
    if (into->kind == TUNE && json_is_object(json_array_get(list, 2))) {
        return read_tuning(json_array_get(list, 2), at, into, error);
    }
    for (size_t i = 0; i < sizes[into->kind]; i++) {
        const json_t *number = json_array_get(list, 2 + i);
        const bool counts = i == 0 || (i == 1 && into->kind == PULL);
        into->number[i] = json_number_value(number);
        if (into->kind == TUNE || !json_is_number(number) ||
            (counts && !is_whole(into->number[i], UINT32_MAX))) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "inputs[%llu]: value %u of \"%s\": %s",
                                  (unsigned long long)at, (unsigned)i + 1, name,
                                  into->kind == TUNE ? "an object is expected"
                                  : counts           ? "a whole number is expected"
                                                     : "a number is expected");
        }
    }
    return VXE_OK;
}

static vxe_status read_inputs(vxe_session *session, const json_t *list, vxe_error *error)
{
    const uint64_t count = json_array_size(list);
    if (!json_is_array(list)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "\"inputs\", a list, is missing");
    }
    session->inputs = vxe_memory_take(count + 1, sizeof *session->inputs);
    if (!session->inputs) {
        return vxe_error_memory(error, count * sizeof *session->inputs);
    }
    vxe_status status = VXE_OK;
    for (uint64_t i = 0; i < count && !status; i++) {
        input *into = &session->inputs[i];
        status = read_input(json_array_get(list, i), i, into, error);
        if (!status &&
            (into->step > session->facts.steps || (i > 0 && into->step < into[-1].step))) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                    "inputs[%llu]: step %llu is behind the last one, or before "
                                    "that of the input before it",
                                    (unsigned long long)i, (unsigned long long)into->step);
        }
    }
    session->facts.inputs = count;
    return status;
}

/* Reads 16 hexadecimal digits; null: there are none. */
static vxe_status read_hash(vxe_session *session, const json_t *text, vxe_error *error)
{
    const char *digits = json_string_value(text);
    uint64_t hash = 0;
    if (!text) {
        return VXE_OK;
    }
    for (size_t i = 0; digits && i < 16; i++) {
        const char *digit = digits[i] ? strchr("0123456789abcdef", digits[i]) : NULL;
        if (!digit) {
            digits = NULL;
            break;
        }
        hash = hash << 4 | (uint64_t)(digit - strchr("0123456789abcdef", '0'));
    }
    if (!digits || digits[16]) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "\"hash\": expected 16 digits of 0 to 9 and a to f");
    }
    session->facts.has_hash = true;
    session->facts.hash = hash;
    return VXE_OK;
}

/* Reads the robot, as any scene is read. */
static vxe_status read_scene(vxe_session *session, const json_t *scene, vxe_error *error)
{
    vxe_error inner = {.status = VXE_OK};
    if (!json_is_object(scene)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "\"scene\", the robot, is missing");
    }
    char *text = json_dumps(scene, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) {
        return vxe_error_memory(error, sizeof *session);
    }
    session->design = vxe_design_read_text(text, strlen(text), "session", &inner);
    free(text);
    return session->design ? VXE_OK
                           : vxe_error_fill(error, inner.status, "its scene: %s", inner.message);
}

static vxe_status read_root(vxe_session *session, const json_t *root, vxe_error *error)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "version");
    const json_t *scale = json_object_get(root, "step_scale");
    const char *release = json_string_value(json_object_get(root, "release"));
    const json_t *last = json_object_get(root, "steps");
    const double steps = json_number_value(last);
    vxe_session_facts *facts = &session->facts;
    if (!format || strcmp(format, "voxelastic session") != 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "not a session: its \"format\" is not \"voxelastic session\"");
    }
    if (version && json_number_value(version) != 1) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a session of version %g; this program reads version 1",
                              json_number_value(version));
    }
    if (!json_is_number(last) || !is_whole(steps, MAX_WHOLE)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "\"steps\", the whole number of steps that it lasts, is missing");
    }
    facts->steps = (uint64_t)steps;
    facts->step_scale = scale ? json_number_value(scale) : 1;
    if (!(facts->step_scale >= 1e-6 && facts->step_scale <= 1e3)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "\"step_scale\": expected a number from 1e-6 to 1000");
    }
    snprintf(session->release, sizeof session->release, "%s", release ? release : "");
    facts->release = session->release;
    vxe_status status = read_inputs(session, json_object_get(root, "inputs"), error);
    status = status ? status : read_hash(session, json_object_get(root, "hash"), error);
    return status ? status : read_scene(session, json_object_get(root, "scene"), error);
}

/* Reads a session from the content of a file. */
static vxe_status parse(vxe_session *session, const vxe_text *source, vxe_error *error)
{
    bool cut = false;
    vxe_error inner = {.status = VXE_OK};
    json_t *root = vxe_json_load(source, &cut, error);
    if (!root) {
        return error->status;
    }
    const vxe_status status = read_root(session, root, &inner);
    json_decref(root);
    return status ? vxe_error_at(error, status, source->file, 0, 0, "%s", inner.message) : VXE_OK;
}

vxe_session *vxe_session_read(const char *path, vxe_error *error)
{
    vxe_text source = {.file = path};
    char *text = NULL;
    vxe_error own = {.status = VXE_OK};
    vxe_error *into = error ? error : &own;
    if (vxe_file_read(path, vxe_limit_for(VXE_LIMIT_DESIGN_BYTES, 0), &text, &source.size, into)) {
        return NULL;
    }
    source.text = text;
    vxe_session *session = vxe_memory_take(1, sizeof *session);
    vxe_status status =
        session ? parse(session, &source, into) : vxe_error_memory(into, sizeof *session);
    vxe_memory_release(text);
    if (status) {
        vxe_session_destroy(session);
        return NULL;
    }
    return session;
}

void vxe_session_destroy(vxe_session *session)
{
    if (session) {
        vxe_design_destroy(session->design);
        vxe_memory_release(session->inputs);
        vxe_memory_release(session);
    }
}

const vxe_design *vxe_session_design(const vxe_session *session)
{
    return session->design;
}

vxe_session_facts vxe_session_describe(const vxe_session *session)
{
    return session->facts;
}

uint64_t vxe_session_next(const vxe_session *session)
{
    return session->next < session->facts.inputs ? session->inputs[session->next].step : UINT64_MAX;
}

static double chosen(double given, double present)
{
    return isnan(given) ? present : given;
}

static vxe_status tune(vxe_world *world, const double given[7], vxe_error *error)
{
    vxe_tuning next = vxe_world_tuning(world);
    for (int c = 0; c < 3; c++) {
        next.gravity[c] = chosen(given[c], next.gravity[c]);
    }
    next.amplitude = chosen(given[3], next.amplitude);
    next.frequency = chosen(given[4], next.frequency);
    next.friction = chosen(given[5], next.friction);
    next.drag = chosen(given[6], next.drag);
    return vxe_world_tune(world, &next, error);
}

/* Lets one input act. */
static vxe_status act(vxe_world *world, const input *one, vxe_error *error)
{
    const uint32_t first = (uint32_t)one->number[0];
    vxe_pull pull;
    switch (one->kind) {
    case PULL:
        pull = vxe_world_pull_default(world, (uint32_t)one->number[1]);
        memcpy(pull.place, one->number + 2, sizeof pull.place);
        return vxe_world_pull(world, first, &pull, error);
    case LET_GO:
        return vxe_world_pull(world, first, NULL, error);
    case TUNE:
        return tune(world, one->tuning, error);
    default:
        return vxe_world_set_target(world, first, one->number[1], error);
    }
}

vxe_status vxe_session_act(vxe_session *session, vxe_world *world, vxe_error *error)
{
    vxe_status status = VXE_OK;
    while (!status && vxe_session_next(session) <= vxe_world_steps(world)) {
        vxe_error inner = {.status = VXE_OK};
        status = act(world, &session->inputs[session->next], &inner);
        if (status) {
            return vxe_error_fill(error, status, "inputs[%llu] of the session, at step %llu: %s",
                                  (unsigned long long)session->next,
                                  (unsigned long long)vxe_world_steps(world), inner.message);
        }
        session->next++;
    }
    return status;
}
