/* SPDX-License-Identifier: MIT */
/* Edges of voxels over time: actuation, growth, and the schedules of groups (docs/physics.md,
   Actuation and growth). Computes the numbers of each voxel that kernels need, checks that edges
   stay within bounds, and gives the numbers of a moment. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/model/model.h"

/* 1/s: rate of growth that is complete at once. */
#define AT_ONCE 1e30
/* Steps in which a voxel grows, at least. */
#define STEPS_OF_GROWTH 50.0

/* Whether temperatures above the base temperature have no effect. */
static bool is_cold(const vxe_model *model)
{
    return model->conventions.cold_only && model->actuation.room == 0;
}

/* The layers of a design from which edges follow; null where the design has none. */
typedef struct size_layers {
    const vxe_layer *phase, *amplitude, *frequency;
    const vxe_layer *initial, *final, *start, *time;
    const vxe_layer *group;
} size_layers;

static size_layers layers_of(const vxe_design *design)
{
    return (size_layers){.phase = vxe_design_find_layer(design, "PhaseOffset"),
                         .amplitude = vxe_design_find_layer(design, "Amplitude"),
                         .frequency = vxe_design_find_layer(design, "Frequency"),
                         .initial = vxe_design_find_layer(design, "InitialSize"),
                         .final = vxe_design_find_layer(design, "FinalSize"),
                         .start = vxe_design_find_layer(design, "GrowthStart"),
                         .time = vxe_design_find_layer(design, "GrowthTime"),
                         .group = vxe_design_find_layer(design, "Group")};
}

static double value_of(const vxe_layer *layer, uint32_t voxel, double otherwise)
{
    return layer ? layer->values[voxel] : otherwise;
}

/* The numbers of one voxel. */
typedef struct voxel_size {
    double value[VXE_ACTUATION_VALUES];
    vxe_size_bounds bounds; /* without the factor of its group */
} voxel_size;

/* Bounds of an edge that a wave of this strain and growth change. */
static vxe_size_bounds bounds_of(const vxe_actuation *heat, double strain, double initial,
                                 double final)
{
    const bool bounded = heat->enabled && heat->max > 0;
    const double widest = bounded ? fmin(1 + fabs(strain), heat->max) : 1 + fabs(strain);
    const double narrowest = fmax(1 - fabs(strain), heat->enabled ? heat->min : 0);
    return (vxe_size_bounds){fmin(1, fmin(initial, final)) * narrowest,
                             fmax(1, fmax(initial, final)) * widest};
}

/* The numbers of a voxel (Hiller2014 for the thermal law): l_i(t) = a (1 + alpha_i (T_i(t) -
   T_0)) with T_i - T_0 = A_i sin(2 pi nu_i t + phase_i). A is the design's amplitude times the
   layer Amplitude, nu one over its period times the layer Frequency, phase the material's (rad)
   plus the layer PhaseOffset (cycles). */
static voxel_size size_of(const vxe_design *design, const size_layers *layers, uint32_t voxel)
{
    const vxe_actuation *heat = &design->actuation;
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const bool waves = heat->enabled && heat->period > 0;
    const double initial = value_of(layers->initial, voxel, 1);
    const double final = value_of(layers->final, voxel, initial);
    const double time = value_of(layers->time, voxel, 0);
    const double strain =
        waves ? m->thermal_expansion * heat->amplitude * value_of(layers->amplitude, voxel, 1) : 0;
    return (voxel_size){
        .value = {[VXE_SIZE_STRAIN] = strain,
                  [VXE_SIZE_FREQUENCY] = waves ? value_of(layers->frequency, voxel, 1) : 0,
                  [VXE_SIZE_PHASE] = m->phase / VXE_TAU + value_of(layers->phase, voxel, 0),
                  [VXE_SIZE_INITIAL] = initial - 1,
                  [VXE_SIZE_GROWTH] = final - initial,
                  [VXE_SIZE_START] = value_of(layers->start, voxel, 0),
                  [VXE_SIZE_RATE] = time > 0 ? 1 / time : AT_ONCE,
                  [VXE_SIZE_GROUP] = value_of(layers->group, voxel, 0)},
        .bounds = bounds_of(heat, strain, initial, final)};
}

static bool changes_size(const voxel_size *size)
{
    return size->value[VXE_SIZE_STRAIN] != 0 || size->value[VXE_SIZE_INITIAL] != 0 ||
           size->value[VXE_SIZE_GROWTH] != 0;
}

static vxe_status check_size(const vxe_design *design, uint32_t voxel, vxe_size_bounds bounds,
                             vxe_error *error)
{
    const int32_t *at = design->voxels[voxel].position;
    return bounds.min >= VXE_SMALLEST_SIZE * (1 - 1e-12) && bounds.max <= VXE_LARGEST_SIZE
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "actuation of material '%s', growth and schedules make the edge "
                                "of voxel (%d, %d, %d) %g to %g times the lattice's: at least 0.1, "
                                "at most 10",
                                design->materials[design->voxels[voxel].material].name, at[0],
                                at[1], at[2], bounds.min, bounds.max);
}

/* Counts the groups, and copies the schedules that some of them have. */
static vxe_status fill_groups(vxe_model *model, const vxe_design *design, const vxe_layer *group,
                              vxe_messages *warnings, vxe_error *error)
{
    for (uint32_t v = 0; v < design->voxel_count && group; v++) {
        const uint32_t groups = (uint32_t)group->values[v] + 1;
        model->group_count = groups > model->group_count ? groups : model->group_count;
    }
    if (!group && design->schedule_count > 0) {
        vxe_messages_add(warnings,
                         "schedules of groups (`programmes`) have no effect without a layer Group");
        return VXE_OK;
    }
    model->schedules = vxe_memory_take(model->group_count, sizeof *model->schedules);
    model->bounds = vxe_memory_take(model->group_count, sizeof *model->bounds);
    if (!model->schedules || !model->bounds) {
        return vxe_error_memory(error, model->group_count * sizeof *model->schedules);
    }
    for (uint32_t i = 0; i < design->schedule_count; i++) {
        const vxe_group_schedule *schedule = &design->schedules[i];
        if (schedule->group >= model->group_count) {
            vxe_messages_add(warnings, "group %u has a schedule (`programmes`) but no voxel",
                             schedule->group);
            continue;
        }
        if (vxe_time_table_copy(&model->schedules[schedule->group], schedule->table,
                                schedule->table_count, error)) {
            return VXE_ERROR_MEMORY;
        }
        model->has_schedules = true;
    }
    return VXE_OK;
}

/* Bounds of a voxel's edge with the schedule of its group; widens those of the group. of_groups:
   (group_count) 0 where no voxel was met yet. */
static vxe_size_bounds bound(const vxe_model *model, vxe_size_bounds own, double group,
                             vxe_size_bounds *of_groups)
{
    if (model->group_count == 0) {
        return own;
    }
    const uint32_t number = (uint32_t)group;
    VXE_ASSERT(number < model->group_count && own.min <= own.max);
    double min = 1;
    double max = 1;
    vxe_time_table_bounds(&model->schedules[number], &min, &max);
    const vxe_size_bounds bounds = {own.min * min, own.max * max};
    vxe_size_bounds *all = &of_groups[number];
    all->min = all->min > 0 ? fmin(all->min, bounds.min) : bounds.min;
    all->max = fmax(all->max, bounds.max);
    return bounds;
}

/* Numbers of groups that no voxel has. */
static void bound_empty_groups(const vxe_model *model, vxe_size_bounds *of_groups)
{
    for (uint32_t g = 0; g < model->group_count; g++) {
        if (!(of_groups[g].max > 0)) {
            of_groups[g] = (vxe_size_bounds){1, 1};
        }
    }
}

/* Whether all voxels follow one wave, so that a step needs two numbers for all of them. */
static bool is_one_wave(const vxe_design *design, const size_layers *layers)
{
    const vxe_actuation *heat = &design->actuation;
    return !layers->frequency && !layers->initial && !layers->final && !layers->group &&
           (!heat->enabled || (heat->min == 0 && heat->max == 0));
}

/* Amplitudes of the edge growth where all follow one wave, split into its sine and cosine. */
static vxe_status fill_wave(vxe_model *model, const vxe_design *design, const size_layers *layers,
                            vxe_error *error)
{
    VXE_ASSERT(!model->arrays.size[0] && design->voxel_count <= model->slots);
    double *by_sine = vxe_model_array(model);
    double *by_cosine = vxe_model_array(model);
    if (!by_sine || !by_cosine) {
        return vxe_error_memory(error, 16ull * model->slots);
    }
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        const voxel_size size = size_of(design, layers, model->topology.order[i]);
        double sine = 0;
        double cosine = 0;
        vxe_sincos_cycles(size.value[VXE_SIZE_PHASE], &sine, &cosine);
        by_sine[i] = model->edge * size.value[VXE_SIZE_STRAIN] * cosine;
        by_cosine[i] = model->edge * size.value[VXE_SIZE_STRAIN] * sine;
    }
    model->arrays.edge_growth_sine = vxe_reals_of_doubles(model->precision, by_sine);
    model->arrays.edge_growth_cosine = vxe_reals_of_doubles(model->precision, by_cosine);
    return VXE_OK;
}

/* All numbers of every voxel. */
static vxe_status fill_each(vxe_model *model, const vxe_design *design, const size_layers *layers,
                            vxe_error *error)
{
    VXE_ASSERT(!model->arrays.edge_growth_sine && design->voxel_count <= model->slots);
    double *values[VXE_ACTUATION_VALUES];
    for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
        values[c] = vxe_model_array(model);
        if (!values[c]) {
            return vxe_error_memory(error, 8ull * model->slots);
        }
        model->arrays.size[c] = vxe_reals_of_doubles(model->precision, values[c]);
    }
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        const voxel_size size = size_of(design, layers, model->topology.order[i]);
        for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
            values[c][i] = size.value[c];
        }
        values[VXE_SIZE_PHASE][i] -=
            floor(values[VXE_SIZE_PHASE][i]); /* whole cycles would cost a float its digits */
    }
    return VXE_OK;
}

vxe_status vxe_model_fill_actuation(vxe_model *model, const vxe_design *design,
                                    vxe_messages *warnings, vxe_error *error)
{
    const vxe_actuation *heat = &design->actuation;
    const size_layers layers = layers_of(design);
    vxe_status status = fill_groups(model, design, layers.group, warnings, error);
    bool changes = layers.group != NULL;
    double fastest = 0;
    model->widest = 1;
    model->narrowest = model->group_count > 0 ? VXE_SMALLEST_SIZE : 1;
    for (uint32_t v = 0; v < design->voxel_count && !status; v++) {
        const voxel_size size = size_of(design, &layers, v);
        const vxe_size_bounds bounds =
            bound(model, size.bounds, size.value[VXE_SIZE_GROUP], model->bounds);
        changes = changes || changes_size(&size);
        model->widest = fmax(model->widest, bounds.max);
        model->narrowest = fmin(model->narrowest, bounds.min);
        fastest =
            fmax(fastest, size.value[VXE_SIZE_STRAIN] != 0 ? size.value[VXE_SIZE_FREQUENCY] : 0);
        if (size.value[VXE_SIZE_GROWTH] != 0 && size.value[VXE_SIZE_RATE] < AT_ONCE) {
            model->longest_step =
                fmin(model->longest_step, 1 / (STEPS_OF_GROWTH * size.value[VXE_SIZE_RATE]));
        }
        status = check_size(design, v, bounds, error);
    }
    if (!status) {
        bound_empty_groups(model, model->bounds);
    }
    model->shortest_period = fastest > 0 ? heat->period / fastest : 0;
    if (heat->enabled && heat->period <= 0 && heat->amplitude != 0) {
        vxe_messages_add(warnings, "actuation has period 0: it has no effect");
    }
    if (layers.initial && design->stop.settle_time <= 0) {
        vxe_messages_add(warnings,
                         "voxels have their initial size from the start, and push each other "
                         "apart: a settling time lets them reach it gradually");
    }
    if (status || !changes) {
        return status;
    }
    VXE_ASSERT(model->widest >= 1);
    return is_one_wave(design, &layers) && !is_cold(model)
               ? fill_wave(model, design, &layers, error)
               : fill_each(model, design, &layers, error);
}

/* Time (s) from which the actuation's wave acts. */
static double start_of(const vxe_model *model)
{
    return fmax(model->stop.settle_time, model->actuation.start);
}

double vxe_model_actuation_full(const vxe_model *model)
{
    const vxe_actuation *heat = &model->actuation;
    if (!heat->enabled || heat->period <= 0) {
        return 0;
    }
    return start_of(model) + (model->conventions.actuation_fades_in ? heat->period / 4 : 0);
}

double vxe_model_cycles(const vxe_model *model, double time)
{
    const vxe_wave_tuning *tuned = &model->tuned;
    VXE_ASSERT(model->actuation.period > 0);
    return tuned->base_cycles +
           (time - tuned->base_time) * tuned->frequency / model->actuation.period;
}

static double number_at(const vxe_model *model, const vxe_reals *array, uint32_t slot)
{
    return array ? vxe_real_at(model->precision, array, slot) : 0;
}

vxe_size_bounds vxe_model_bounds_at(const vxe_model *model, double amplitude,
                                    vxe_size_bounds *of_groups)
{
    const vxe_kernel_arrays *a = &model->arrays;
    vxe_size_bounds all = {1, 1};
    for (uint32_t g = 0; g < model->group_count; g++) {
        of_groups[g] = (vxe_size_bounds){0, 0};
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double sine = number_at(model, a->edge_growth_sine, i) / model->edge;
        const double cosine = number_at(model, a->edge_growth_cosine, i) / model->edge;
        const double strain = a->size[0] ? number_at(model, a->size[VXE_SIZE_STRAIN], i)
                                         : sqrt(sine * sine + cosine * cosine);
        const double initial = 1 + number_at(model, a->size[VXE_SIZE_INITIAL], i);
        const double final = initial + number_at(model, a->size[VXE_SIZE_GROWTH], i);
        const vxe_size_bounds own =
            bound(model, bounds_of(&model->actuation, amplitude * strain, initial, final),
                  number_at(model, a->size[VXE_SIZE_GROUP], i), of_groups);
        all = (vxe_size_bounds){fmin(all.min, own.min), fmax(all.max, own.max)};
    }
    bound_empty_groups(model, of_groups);
    return all;
}

void vxe_model_clock(const vxe_model *model, double time, double clock[VXE_CLOCK_NUMBERS])
{
    VXE_ASSERT(model->edge > 0 && time >= 0);
    const vxe_actuation *heat = &model->actuation;
    const double start = start_of(model);
    const double settle = model->stop.settle_time;
    double sine = 0;
    double cosine = 0;
    double envelope = 0;
    const double cycles = heat->period > 0 ? vxe_model_cycles(model, time) : 0;
    if (heat->period > 0 && time >= start &&
        !(model->conventions.actuation_fades_in && time == start)) {
        const double faded = 4 * (time - start) / heat->period;
        envelope = model->conventions.actuation_fades_in && faded < 1 ? faded : 1;
        envelope *= model->tuned.amplitude;
        vxe_sincos_cycles(cycles, &sine, &cosine);
    }
    clock[VXE_CLOCK_SINE] = envelope * sine;
    clock[VXE_CLOCK_COSINE] = envelope * cosine;
    clock[VXE_CLOCK_TIME] = time;
    clock[VXE_CLOCK_CYCLES] = cycles;
    clock[VXE_CLOCK_ENVELOPE] = envelope;
    clock[VXE_CLOCK_MIN] = heat->enabled ? heat->min : 0;
    clock[VXE_CLOCK_MAX] = heat->enabled && heat->max > 0 ? heat->max : HUGE_VAL;
    clock[VXE_CLOCK_WARMEST] = is_cold(model) ? 0 : HUGE_VAL;
    clock[VXE_CLOCK_BORN] = time < 0.5 * settle ? 2 * time / settle : 1;
    clock[VXE_CLOCK_EDGE] = model->edge;
}

bool vxe_model_resizes(const vxe_model *model)
{
    return model->arrays.edge_growth_sine || model->arrays.size[0];
}
