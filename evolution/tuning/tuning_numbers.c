/* SPDX-License-Identifier: MIT */
/* From numbers that are tuned to layers of a design, and from derivatives by these to derivatives
   by the numbers. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "evolution/tuning/tuning_internal.h"

/* Stiffness and density of a voxel that is not there, as parts of those of one that is
   (Matthews2023): it hardly acts, and moves no faster than the others, so that the step may stay.
 */
#define EMPTY_STIFFNESS 0.01
#define EMPTY_DENSITY 0.05

/* Occupancy where a design has no layer of it: all are there, and none for sure. */
#define USUAL_OCCUPANCY 0.5

/* A kind: its name, and the fields in which it acts, 1 << vxe_tuned_field or'ed. The first is that
   of its layer. */
static const struct {
    const char *name;
    vxe_tuned_field own;
    uint32_t fields;
} kinds[VXE_TUNED_KINDS] = {
    [VXE_TUNED_PHASE] = {"phase", VXE_FIELD_PHASE, 1u << VXE_FIELD_PHASE},
    [VXE_TUNED_AMPLITUDE] = {"amplitude", VXE_FIELD_AMPLITUDE, 1u << VXE_FIELD_AMPLITUDE},
    [VXE_TUNED_STIFFNESS] = {"stiffness", VXE_FIELD_STIFFNESS, 1u << VXE_FIELD_STIFFNESS},
    [VXE_TUNED_OCCUPANCY] = {"occupancy", VXE_FIELD_DENSITY,
                             1u << VXE_FIELD_AMPLITUDE | 1u << VXE_FIELD_STIFFNESS |
                                 1u << VXE_FIELD_DENSITY}};

static const struct {
    const char *layer;
    vxe_gradient_by by;
} fields[VXE_TUNED_FIELDS] = {[VXE_FIELD_PHASE] = {"PhaseOffset", VXE_BY_PHASE},
                              [VXE_FIELD_AMPLITUDE] = {"Amplitude", VXE_BY_AMPLITUDE},
                              [VXE_FIELD_STIFFNESS] = {"Stiffness", VXE_BY_STIFFNESS},
                              [VXE_FIELD_DENSITY] = {"Density", VXE_BY_DENSITY}};

const char *vxe_tuned_name(uint32_t kind)
{
    return kind < VXE_TUNED_KINDS ? kinds[kind].name : NULL;
}

const char *vxe_tuned_layer(uint32_t kind)
{
    VXE_ASSERT(kind < VXE_TUNED_KINDS && kind != VXE_TUNED_OCCUPANCY);
    return fields[kinds[kind].own].layer;
}

vxe_gradient_by vxe_tuned_by(vxe_tuned_field field)
{
    VXE_ASSERT(field < VXE_TUNED_FIELDS);
    return fields[field].by;
}

bool vxe_tuned_fills(uint32_t by, vxe_tuned_field field)
{
    bool fills = false;
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        fills = fills || (by >> kind & 1 && kinds[kind].fields >> field & 1);
    }
    return fills;
}

/* What a voxel of the design has in a field. */
static double own_value(const vxe_design *design, vxe_tuned_field field, uint32_t voxel)
{
    const vxe_layer *layer = vxe_design_find_layer(design, fields[field].layer);
    const vxe_material *material = &design->materials[design->voxels[voxel].material];
    return layer                          ? layer->values[voxel]
           : field == VXE_FIELD_AMPLITUDE ? 1
           : field == VXE_FIELD_STIFFNESS ? material->youngs_modulus
           : field == VXE_FIELD_DENSITY   ? material->density
                                          : 0;
}

static double largest_amplitude(const vxe_design *design)
{
    double largest = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        largest = fmax(largest, fabs(own_value(design, VXE_FIELD_AMPLITUDE, v)));
    }
    return largest;
}

static vxe_status take(vxe_tuned_numbers *numbers, uint32_t count, vxe_error *error)
{
    double **const arrays[] = {&numbers->low,   &numbers->high, &numbers->unit,
                               &numbers->value, &numbers->mean, &numbers->square};
    numbers->kind = vxe_memory_take(count, sizeof *numbers->kind);
    numbers->voxel = vxe_memory_take(count, sizeof *numbers->voxel);
    bool complete = numbers->kind && numbers->voxel;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = vxe_memory_take(count, sizeof(double));
        complete = complete && *arrays[i];
    }
    return complete ? VXE_OK : vxe_error_memory(error, 53ull * count);
}

void vxe_tuned_clear(vxe_tuned_numbers *numbers)
{
    vxe_memory_release(numbers->kind);
    vxe_memory_release(numbers->voxel);
    vxe_memory_release(numbers->low);
    vxe_memory_release(numbers->high);
    vxe_memory_release(numbers->unit);
    vxe_memory_release(numbers->value);
    vxe_memory_release(numbers->mean);
    vxe_memory_release(numbers->square);
    *numbers = (vxe_tuned_numbers){0};
}

double vxe_tuned_bound(const vxe_tuned_numbers *numbers, uint32_t i, double value)
{
    return fmin(fmax(value, numbers->low[i]), numbers->high[i]);
}

/* Sets the value of number i and its bounds. largest: amplitude of the design. */
static void set_number(vxe_tuned_numbers *numbers, uint32_t i, const vxe_design *design,
                       const vxe_tuner_kind *how, double largest)
{
    const uint32_t kind = numbers->kind[i];
    const uint32_t voxel = numbers->voxel[i];
    const vxe_layer *occupancy = vxe_design_find_layer(design, "Occupancy");
    const double modulus = design->materials[design->voxels[voxel].material].youngs_modulus;
    const double own = own_value(design, kinds[kind].own, voxel);
    numbers->low[i] = how->low;
    numbers->high[i] = how->high;
    numbers->value[i] = own;
    if (kind == VXE_TUNED_PHASE) {
        numbers->low[i] = -HUGE_VAL;
        numbers->high[i] = HUGE_VAL;
    } else if (kind == VXE_TUNED_AMPLITUDE) {
        numbers->low[i] *= largest;
        numbers->high[i] *= largest;
    } else if (kind == VXE_TUNED_STIFFNESS) {
        numbers->low[i] = vxe_logarithm(how->low * modulus);
        numbers->high[i] = vxe_logarithm(how->high * modulus);
        numbers->value[i] = vxe_logarithm(own);
    } else {
        numbers->value[i] = occupancy ? occupancy->values[voxel] : USUAL_OCCUPANCY;
    }
    numbers->unit[i] = kind == VXE_TUNED_PHASE ? 1 : numbers->high[i] - numbers->low[i];
}

/* Appends the number of a kind of a voxel, which must be within its bounds. */
static vxe_status append(vxe_tuned_numbers *numbers, const vxe_design *design,
                         const vxe_tuner_def *def, uint32_t kind, uint32_t voxel, double largest,
                         vxe_error *error)
{
    const uint32_t i = numbers->count++;
    numbers->kind[i] = (uint8_t)kind;
    numbers->voxel[i] = voxel;
    set_number(numbers, i, design, &def->kind[kind], largest);
    const double value = numbers->value[i];
    if (value == vxe_tuned_bound(numbers, i, value) && isfinite(value)) {
        return VXE_OK;
    }
    const bool is_log = kind == VXE_TUNED_STIFFNESS;
    return vxe_error_fill(error, VXE_ERROR_INPUT,
                          "voxel %u has a number for %s of %g, which is outside of the range of "
                          "%g to %g in which it is tuned",
                          voxel, vxe_tuned_name(kind), is_log ? vxe_exponential(value) : value,
                          is_log ? vxe_exponential(numbers->low[i]) : numbers->low[i],
                          is_log ? vxe_exponential(numbers->high[i]) : numbers->high[i]);
}

/* Whether numbers of a kind of a voxel do anything: phases and amplitudes only in muscles. */
static bool is_tunable(const vxe_design *design, uint32_t kind, uint32_t voxel)
{
    const vxe_material *material = &design->materials[design->voxels[voxel].material];
    return kind == VXE_TUNED_STIFFNESS || kind == VXE_TUNED_OCCUPANCY ||
           material->thermal_expansion != 0;
}

vxe_status vxe_tuned_list(vxe_tuned_numbers *numbers, const vxe_design *design,
                          const vxe_tuner_def *def, vxe_error *error)
{
    const double largest = largest_amplitude(design);
    const bool waves = design->actuation.enabled && design->actuation.period > 0 && largest > 0;
    const uint32_t most = VXE_TUNED_KINDS * design->voxel_count;
    vxe_status status = take(numbers, most > 0 ? most : 1, error);
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        const uint32_t before = numbers->count;
        const bool moved = kind == VXE_TUNED_PHASE || kind == VXE_TUNED_AMPLITUDE;
        for (uint32_t v = 0; v < design->voxel_count && def->by >> kind & 1 && !status; v++) {
            if (is_tunable(design, kind, v)) {
                status = append(numbers, design, def, kind, v, largest, error);
            }
        }
        if (def->by >> kind & 1 && !status && (numbers->count == before || (moved && !waves))) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                    "nothing to tune: this design has no voxels%s",
                                    moved ? " that a wave moves" : "");
        }
    }
    return status;
}

/* Occupancies (V) of these values; null where they are not tuned. They are the last numbers, one of
   every voxel. */
static const double *occupancies_of(const vxe_tuned_numbers *numbers, const vxe_design *design,
                                    const double *value)
{
    const bool tuned =
        numbers->count > 0 && numbers->kind[numbers->count - 1] == VXE_TUNED_OCCUPANCY;
    return tuned ? value + (numbers->count - design->voxel_count) : NULL;
}

/* Fields of a design that is there with all of its voxels. */
static void fill_whole(const vxe_tuned_numbers *numbers, const vxe_design *design,
                       const double *value, double *const *field)
{
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS; f++) {
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            field[f][v] = own_value(design, (vxe_tuned_field)f, v);
        }
    }
    for (uint32_t i = 0; i < numbers->count; i++) {
        const uint32_t kind = numbers->kind[i];
        double *into = &field[kinds[kind].own][numbers->voxel[i]];
        if (kind == VXE_TUNED_PHASE) {
            *into = value[i] - floor(value[i]); /* 1.2 cycles are 0.2 */
        } else if (kind == VXE_TUNED_AMPLITUDE) {
            *into = value[i];
        } else if (kind == VXE_TUNED_STIFFNESS) {
            *into = vxe_exponential(value[i]);
        }
    }
}

/* What is left of the stiffness and the density of a voxel of occupancy s. */
static double stiffness_of(double s)
{
    return EMPTY_STIFFNESS + (1 - EMPTY_STIFFNESS) * s * s * s;
}

static double density_of(double s)
{
    return EMPTY_DENSITY + (1 - EMPTY_DENSITY) * s;
}

void vxe_tuned_fill(const vxe_tuned_numbers *numbers, const vxe_design *design, const double *value,
                    double *const *field)
{
    const double *occupancy = occupancies_of(numbers, design, value);
    fill_whole(numbers, design, value, field);
    for (uint32_t v = 0; v < design->voxel_count && occupancy; v++) {
        field[VXE_FIELD_AMPLITUDE][v] *= occupancy[v];
        field[VXE_FIELD_STIFFNESS][v] *= stiffness_of(occupancy[v]);
        field[VXE_FIELD_DENSITY][v] *= density_of(occupancy[v]);
    }
}

void vxe_tuned_chain(const vxe_tuned_numbers *numbers, const vxe_design *design,
                     const double *value, double *const *whole, double *const *by_field,
                     double *by_number)
{
    const double *occupancy = occupancies_of(numbers, design, value);
    fill_whole(numbers, design, value, whole);
    for (uint32_t i = 0; i < numbers->count; i++) {
        const uint32_t kind = numbers->kind[i];
        const uint32_t v = numbers->voxel[i];
        const double s = occupancy ? occupancy[v] : 1;
        const double by_stiffness =
            by_field[VXE_FIELD_STIFFNESS][v] * whole[VXE_FIELD_STIFFNESS][v];
        if (kind == VXE_TUNED_PHASE) {
            by_number[i] += by_field[VXE_FIELD_PHASE][v];
        } else if (kind == VXE_TUNED_AMPLITUDE) {
            by_number[i] += by_field[VXE_FIELD_AMPLITUDE][v] * s;
        } else if (kind == VXE_TUNED_STIFFNESS) {
            by_number[i] += by_stiffness * (occupancy ? stiffness_of(s) : 1);
        } else {
            by_number[i] +=
                by_field[VXE_FIELD_AMPLITUDE][v] * whole[VXE_FIELD_AMPLITUDE][v] +
                by_stiffness * 3 * (1 - EMPTY_STIFFNESS) * s * s +
                by_field[VXE_FIELD_DENSITY][v] * whole[VXE_FIELD_DENSITY][v] * (1 - EMPTY_DENSITY);
        }
    }
}

/* Writes the fields that numbers have by themselves into layers. */
static vxe_status write_layers(const vxe_tuner *tuner, vxe_design *design, vxe_error *error)
{
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        if (kind == VXE_TUNED_OCCUPANCY || !(tuner->def.by >> kind & 1)) {
            continue;
        }
        const vxe_layer *layer = vxe_design_layer(design, fields[kinds[kind].own].layer, 1);
        if (!layer) {
            return vxe_error_memory(error, design->voxel_count * sizeof(double));
        }
        memcpy(layer->values, tuner->field[kinds[kind].own], design->voxel_count * sizeof(double));
    }
    return VXE_OK;
}

vxe_design *vxe_tuned_design(const vxe_tuner *tuner, const double *value, vxe_error *error)
{
    const double *occupancy = occupancies_of(&tuner->numbers, tuner->design, value);
    vxe_design *design = vxe_design_copy(tuner->design, error);
    if (!design) {
        return NULL;
    }
    fill_whole(&tuner->numbers, tuner->design, value, tuner->field);
    vxe_status status = write_layers(tuner, design, error);
    status = status || !occupancy ? status : vxe_tuned_carve(design, occupancy, error);
    if (status) {
        vxe_design_destroy(design);
        return NULL;
    }
    return design;
}
