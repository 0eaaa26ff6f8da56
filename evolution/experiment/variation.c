/* SPDX-License-Identifier: MIT */
/* See variation.h. */
#include "evolution/experiment/variation.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "evolution/statistics_internal.h"

/* Numbers that a copy has one of; the phases have one for each voxel. */
enum { DRAW_FRICTION, DRAW_STIFFNESS, DRAW_SLOPE_X, DRAW_SLOPE_Y, DRAW_STEP, DRAWS, DRAW_PHASE };

/* The numbers of a copy, uniform in [-1, 1): a Latin hypercube (McKay1979). Each number's range is
   cut into as many strata as there are copies; each copy has another one, by chance. */
static void draw_numbers(uint64_t seed, uint64_t hash, uint32_t copy, uint32_t copies,
                         double numbers[DRAWS])
{
    for (uint32_t n = 0; n < DRAWS; n++) {
        vxe_stream order = vxe_stream_open(seed, (uint32_t)hash, (uint32_t)(hash >> 32), n);
        double keys[VXE_MAX_EVALUATION_COPIES];
        uint32_t stratum = 0;
        VXE_ASSERT(copy < copies && copies <= VXE_MAX_EVALUATION_COPIES);
        for (uint32_t k = 0; k < copies; k++) {
            keys[k] = vxe_stream_unit(&order);
        }
        for (uint32_t k = 0; k < copies; k++) {
            stratum += keys[k] < keys[copy] || (keys[k] == keys[copy] && k < copy);
        }
        double within = 0;
        for (uint32_t k = 0; k <= copy; k++) {
            within = vxe_stream_unit(&order);
        }
        numbers[n] = 2 * (stratum + within) / copies - 1;
    }
}

static void vary_materials(vxe_design *design, double grips, double holds)
{
    static const char *const moduli[] = {"Stiffness", "FinalStiffness"};
    for (uint32_t i = 0; i < design->material_count; i++) {
        vxe_material *m = &design->materials[i];
        m->static_friction *= grips;
        m->dynamic_friction *= grips;
        m->youngs_modulus *= holds;
        m->plastic_modulus *= holds;
    }
    for (uint32_t k = 0; k < design->layer_count; k++) {
        for (size_t i = 0; i < sizeof moduli / sizeof moduli[0]; i++) {
            vxe_layer *layer = &design->layers[k];
            const bool scaled = strcmp(layer->name, moduli[i]) == 0;
            for (uint32_t v = 0; v < design->voxel_count && scaled; v++) {
                layer->values[v] *= holds;
            }
        }
    }
}

/* Tilts the world: gravity turns, and keeps its size. */
static void tilt(vxe_design *design, double along_x, double along_y)
{
    double *g = design->gravity;
    const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double tilted[3] = {g[0] + size * along_x, g[1] + size * along_y, g[2]};
    const double now = sqrt(tilted[0] * tilted[0] + tilted[1] * tilted[1] + tilted[2] * tilted[2]);
    for (int c = 0; c < 3 && now > 0; c++) {
        g[c] = tilted[c] * size / now;
    }
}

vxe_design *vxe_vary(const vxe_experiment *experiment, const vxe_design *body, uint32_t copy,
                     vxe_batch_variant *variant, vxe_error *error)
{
    const vxe_evaluation_settings *settings = &experiment->evaluation;
    const uint64_t hash = vxe_design_hash(body);
    double numbers[DRAWS];
    draw_numbers(experiment->seed, hash, copy, (uint32_t)settings->copies, numbers);
    vxe_design *design = vxe_design_copy(body, error);
    if (!design) {
        return NULL;
    }
    *variant = (vxe_batch_variant){.step = 1 + settings->step * numbers[DRAW_STEP]};
    vary_materials(design, 1 + settings->friction * numbers[DRAW_FRICTION],
                   1 + settings->stiffness * numbers[DRAW_STIFFNESS]);
    tilt(design, settings->slope * numbers[DRAW_SLOPE_X], settings->slope * numbers[DRAW_SLOPE_Y]);
    if (settings->phase > 0) {
        vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
        if (!phase) {
            vxe_design_destroy(design);
            (void)vxe_error_memory(error, 8ull * body->voxel_count);
            return NULL;
        }
        vxe_stream stream = vxe_stream_open(experiment->seed, (uint32_t)hash,
                                            (uint32_t)(hash >> 32), DRAW_PHASE + copy);
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            phase->values[v] += vxe_stream_around(&stream, settings->phase);
        }
    }
    return design;
}

double vxe_score_of(const vxe_evaluation_settings *settings, double *values, uint32_t count,
                    double *deviation)
{
    VXE_ASSERT(count > 0);
    double mean = 0;
    double square = 0;
    const double median = vxe_median(values, count); /* sorts them */
    for (uint32_t i = 0; i < count; i++) {
        mean += values[i] / count;
    }
    for (uint32_t i = 0; i < count; i++) {
        square += (values[i] - mean) * (values[i] - mean);
    }
    *deviation = count > 1 ? sqrt(square / (count - 1)) : 0;
    switch (settings->score) {
    case VXE_SCORE_MEAN:
        return mean;
    case VXE_SCORE_WORST:
        return values[0];
    case VXE_SCORE_LOWER_QUARTILE:
        return vxe_quantile(values, count, 0.25);
    default:
        return median;
    }
}
