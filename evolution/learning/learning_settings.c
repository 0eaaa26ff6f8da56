/* SPDX-License-Identifier: MIT */
/* What an experiment says of inner learning, and whether its robots can learn at all: asked of a
   tuner, with a small body of all materials, before the search begins. */
#include <stdio.h>
#include <string.h>

#include "common/closest_name.h"
#include "common/status_internal.h"
#include "evolution/experiment/experiment_fields_internal.h"
#include "evolution/learning/learning_internal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const vxe_field learning_fields[] = {
    {"iterations", VXE_FIELD_WHOLE, offsetof(vxe_learning_settings, iterations), 1, 1000, NULL},
    {"by", VXE_FIELD_WORDS, offsetof(vxe_learning_settings, words), 0, VXE_LEARNED_BYTES, NULL},
    {"inherit", VXE_FIELD_FLAG, offsetof(vxe_learning_settings, inherit), 0, 0, NULL},
    {"forget_s", VXE_FIELD_NUMBER, offsetof(vxe_learning_settings, forget), 0, 1e6, NULL}};

/* The kinds that can be learned: all before occupancy, which would be another body. */
static const char *kind_at(const void *names, unsigned index)
{
    (void)names;
    return index < VXE_TUNED_OCCUPANCY ? vxe_tuned_name(index) : NULL;
}

/* Finds the kind of a word. */
static vxe_status add_kind(const char *word, uint32_t *by, vxe_error *error)
{
    for (uint32_t kind = 0; kind < VXE_TUNED_OCCUPANCY; kind++) {
        if (strcmp(word, vxe_tuned_name(kind)) == 0) {
            *by |= 1u << kind;
            return VXE_OK;
        }
    }
    if (strcmp(word, vxe_tuned_name(VXE_TUNED_OCCUPANCY)) == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "learn: \"occupancy\" can not be learned: which voxels there are is "
                              "what the search finds");
    }
    const char *nearest = vxe_closest_name(word, kind_at, NULL);
    return vxe_error_fill(error, VXE_ERROR_INPUT, "learn: \"by\" has \"%.60s\"%s%s%s", word,
                          nearest ? "; did you mean \"" : "; expected phase, amplitude, stiffness",
                          nearest ? nearest : "", nearest ? "\"?" : "");
}

vxe_status vxe_learning_read(json_t *object, vxe_learning_settings *into, vxe_error *error)
{
    *into = (vxe_learning_settings){.words = "phase\0", .forget = -1};
    if (!object) {
        return VXE_OK;
    }
    vxe_status status =
        vxe_fields_read(object, "learn", learning_fields, COUNT(learning_fields), into, error);
    if (!status && into->iterations == 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "learn: \"iterations\" are missing: a whole number from 1 to 1000");
    }
    if (!status && !into->words[0]) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "learn: \"by\" names nothing: expected phase, amplitude, "
                                "stiffness");
    }
    for (const char *word = into->words; *word && !status; word += strlen(word) + 1) {
        status = add_kind(word, &into->by, error);
    }
    return status;
}

json_t *vxe_learning_object(const vxe_learning_settings *from)
{
    json_t *object = vxe_fields_write(learning_fields, COUNT(learning_fields), from);
    if (from->forget < 0) { /* left to the tuner */
        json_object_del(object, "forget_s");
    }
    return object;
}

static bool learns(const vxe_experiment *e, vxe_tuned kind)
{
    return e->learning.by >> kind & 1;
}

/* Moduli of the world's materials, the smallest and the largest. */
static void find_moduli(const vxe_experiment *e, double *min, double *max)
{
    *min = *max = e->world->materials[0].youngs_modulus;
    for (uint32_t i = 1; i < e->world->material_count; i++) {
        const double modulus = e->world->materials[i].youngs_modulus;
        *min = modulus < *min ? modulus : *min;
        *max = modulus > *max ? modulus : *max;
    }
}

vxe_tuner_def vxe_learning_tuner(const vxe_experiment *e)
{
    vxe_tuner_def def = vxe_tuner_def_default();
    double min;
    double max;
    def.by = e->learning.by;
    def.forget = e->learning.forget;
    def.formula = e->ground->formulas[VXE_FORMULA_FITNESS];
    def.world.threads = 1;
    find_moduli(e, &min, &max);
    if (e->encoding.max_stiffness > 0 && min > 0) { /* no stiffness that a genome could not have */
        def.kind[VXE_TUNED_STIFFNESS].low = e->encoding.min_stiffness / max;
        def.kind[VXE_TUNED_STIFFNESS].high = e->encoding.max_stiffness / min;
    }
    return def;
}

/* Why what is learned can not go back into genomes; null where it can. */
static const char *why_not_inherited(const vxe_experiment *e)
{
    const vxe_encoding_settings *encoding = &e->encoding;
    const bool direct = encoding->name == VXE_ENCODING_DIRECT;
    const bool given = encoding->name == VXE_ENCODING_CONTROLLER;
    double min;
    double max;
    find_moduli(e, &min, &max);
    return encoding->name == VXE_ENCODING_CPPN
               ? "the encoding \"cppn\" has no numbers of voxels in its genomes"
           : learns(e, VXE_TUNED_AMPLITUDE) ? "no genome has an amplitude"
           : encoding->symmetry != VXE_SYMMETRY_NONE
               ? "with \"symmetry\" a number of a genome is that of several voxels"
           : given && vxe_design_find_layer(e->world, "Group")
               ? "with a layer \"Group\" a phase of a genome is that of several voxels"
           : given && learns(e, VXE_TUNED_STIFFNESS)
               ? "the encoding \"controller\" has no stiffness in its genomes"
           : direct && learns(e, VXE_TUNED_PHASE) && !encoding->phase
               ? "genomes have phases where the encoding says \"phase\": true"
           : direct && learns(e, VXE_TUNED_STIFFNESS) && !(encoding->max_stiffness > 0)
               ? "genomes have a stiffness where the encoding says \"least_stiffness_Pa\" and "
                 "\"most_stiffness_Pa\""
           : learns(e, VXE_TUNED_STIFFNESS) && min < max
               ? "stiffness is learned in parts of a material's, and the materials differ in "
                 "theirs: some would leave the encoding's range"
           : e->algorithm.name == VXE_ALGORITHM_CMA_ES
               ? "\"cma-es\" adapts to the genomes that it drew"
               : NULL;
}

/* The ground with a row of voxels, one of each material, or with the given body. */
static vxe_design *make_probe(const vxe_experiment *e, vxe_error *error)
{
    vxe_design *probe = vxe_design_copy(e->ground, error);
    const uint32_t materials = probe && probe->voxel_count == 0 ? probe->material_count : 0;
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < materials && !status; i++) {
        status = vxe_design_add_voxel(probe, (int32_t)i, 0, 0, i, error);
    }
    if (status) {
        vxe_design_destroy(probe);
        return NULL;
    }
    return probe;
}

/* Asks a tuner whether it takes the probe. */
static vxe_status try_probe(const vxe_experiment *e, vxe_error *error)
{
    const vxe_tuner_def def = vxe_learning_tuner(e);
    vxe_error why = {.status = VXE_OK};
    vxe_design *probe = make_probe(e, error);
    if (!probe) {
        return VXE_ERROR_MEMORY;
    }
    vxe_tuner *tuner = vxe_tuner_create(probe, &def, &why);
    const bool able = tuner != NULL;
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(probe);
    return able ? VXE_OK
           : why.status == VXE_ERROR_MEMORY
               ? vxe_error_fill(error, why.status, "%s", why.message)
               : vxe_error_fill(error, VXE_ERROR_INPUT, "learn: %s", why.message);
}

vxe_status vxe_learning_check(const vxe_experiment *e, vxe_error *error)
{
    if (e->learning.iterations == 0) {
        return VXE_OK;
    }
    if (e->task.name != VXE_TASK_WALK && e->task.name != VXE_TASK_FORMULA) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "learn: there is no gradient of the task \"%s\": expected \"walk\", "
                              "or \"formula\" with a fitness of x, y, z and t",
                              vxe_task_label(e->task.name));
    }
    if (e->network.sensor_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "learn: there is no gradient through a \"network\"");
    }
    const char *why = e->learning.inherit ? why_not_inherited(e) : NULL;
    return why ? vxe_error_fill(error, VXE_ERROR_INPUT, "learn: \"inherit\": %s", why)
               : try_probe(e, error);
}
