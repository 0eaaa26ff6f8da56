/* SPDX-License-Identifier: MIT */
/* From numbers that are tuned to layers of a design, and from derivatives by these to derivatives
   by the numbers. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/tuning/tuning_internal.h"

const char *vxe_tuned_name(uint32_t kind)
{
    static const char *const names[VXE_TUNED_KINDS] = {
        [VXE_TUNED_PHASE] = "phase", [VXE_TUNED_AMPLITUDE] = "amplitude"};
    return kind < VXE_TUNED_KINDS ? names[kind] : NULL;
}

const char *vxe_tuned_layer(vxe_tuned_field field)
{
    static const char *const layers[VXE_TUNED_FIELDS] = {
        [VXE_FIELD_PHASE] = "PhaseOffset", [VXE_FIELD_AMPLITUDE] = "Amplitude"};
    VXE_ASSERT(field < VXE_TUNED_FIELDS);
    return layers[field];
}

vxe_gradient_by vxe_tuned_by(vxe_tuned_field field)
{
    static const vxe_gradient_by bys[VXE_TUNED_FIELDS] = {
        [VXE_FIELD_PHASE] = VXE_BY_PHASE, [VXE_FIELD_AMPLITUDE] = VXE_BY_AMPLITUDE};
    VXE_ASSERT(field < VXE_TUNED_FIELDS);
    return bys[field];
}

/* The field into which numbers of a kind go. */
static vxe_tuned_field field_of(uint32_t kind)
{
    return kind == VXE_TUNED_PHASE ? VXE_FIELD_PHASE : VXE_FIELD_AMPLITUDE;
}

bool vxe_tuned_fills(uint32_t by, vxe_tuned_field field)
{
    bool fills = false;
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        fills = fills || (by >> kind & 1 && field_of(kind) == field);
    }
    return fills;
}

/* What a voxel of the design has in a field. */
static double own_value(const vxe_design *design, vxe_tuned_field field, uint32_t voxel)
{
    const vxe_layer *layer = vxe_design_find_layer(design, vxe_tuned_layer(field));
    return layer ? layer->values[voxel] : field == VXE_FIELD_AMPLITUDE ? 1 : 0;
}

static double largest_amplitude(const vxe_design *design)
{
    double largest = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        largest = fmax(largest, fabs(own_value(design, VXE_FIELD_AMPLITUDE, v)));
    }
    return largest;
}

static bool is_muscle(const vxe_design *design, uint32_t voxel)
{
    const vxe_material *material = &design->materials[design->voxels[voxel].material];
    return material->thermal_expansion != 0;
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
    return complete ? VXE_OK : vxe_error_memory(error, 48ull * count);
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

/* Appends the number of a kind of a voxel, which must be within its bounds. */
static vxe_status append(vxe_tuned_numbers *numbers, const vxe_design *design,
                         const vxe_tuner_kind *how, uint32_t kind, uint32_t voxel, double largest,
                         vxe_error *error)
{
    const uint32_t i = numbers->count++;
    const bool bounded = kind == VXE_TUNED_AMPLITUDE;
    numbers->kind[i] = (uint8_t)kind;
    numbers->voxel[i] = voxel;
    numbers->low[i] = bounded ? how->low * largest : -HUGE_VAL;
    numbers->high[i] = bounded ? how->high * largest : HUGE_VAL;
    numbers->unit[i] = bounded ? (how->high - how->low) * largest : 1;
    numbers->value[i] = own_value(design, field_of(kind), voxel);
    return numbers->value[i] == vxe_tuned_bound(numbers, i, numbers->value[i])
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "voxel %u has an %s of %g, which is outside of the range of %g to "
                                "%g in which it is tuned",
                                voxel, vxe_tuned_name(kind), numbers->value[i], numbers->low[i],
                                numbers->high[i]);
}

vxe_status vxe_tuned_list(vxe_tuned_numbers *numbers, const vxe_design *design,
                          const vxe_tuner_def *def, vxe_error *error)
{
    const double largest = largest_amplitude(design);
    const uint32_t most = VXE_TUNED_KINDS * design->voxel_count;
    vxe_status status = take(numbers, most > 0 ? most : 1, error);
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        for (uint32_t v = 0; v < design->voxel_count && def->by >> kind & 1 && !status; v++) {
            if (is_muscle(design, v)) {
                status = append(numbers, design, &def->kind[kind], kind, v, largest, error);
            }
        }
    }
    if (!status && (numbers->count == 0 || !design->actuation.enabled ||
                    !(design->actuation.period > 0) || !(largest > 0))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "nothing to tune: no voxel of this design is moved by a wave");
    }
    return status;
}

double vxe_tuned_bound(const vxe_tuned_numbers *numbers, uint32_t i, double value)
{
    return fmin(fmax(value, numbers->low[i]), numbers->high[i]);
}

void vxe_tuned_fill(const vxe_tuned_numbers *numbers, const vxe_design *design, const double *value,
                    double *const *field)
{
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS; f++) {
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            field[f][v] = own_value(design, (vxe_tuned_field)f, v);
        }
    }
    for (uint32_t i = 0; i < numbers->count; i++) {
        const bool turns = numbers->kind[i] == VXE_TUNED_PHASE; /* 1.2 cycles are 0.2 */
        field[field_of(numbers->kind[i])][numbers->voxel[i]] =
            turns ? value[i] - floor(value[i]) : value[i];
    }
}

void vxe_tuned_chain(const vxe_tuned_numbers *numbers, double *const *by_field, double *by_number)
{
    for (uint32_t i = 0; i < numbers->count; i++) {
        by_number[i] += by_field[field_of(numbers->kind[i])][numbers->voxel[i]];
    }
}

vxe_design *vxe_tuned_design(const vxe_tuner *tuner, const double *value, vxe_error *error)
{
    vxe_design *design = vxe_design_copy(tuner->design, error);
    if (!design) {
        return NULL;
    }
    vxe_tuned_fill(&tuner->numbers, tuner->design, value, tuner->field);
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS; f++) {
        const char *name = vxe_tuned_layer((vxe_tuned_field)f);
        vxe_layer *layer = vxe_tuned_fills(tuner->def.by, (vxe_tuned_field)f)
                               ? vxe_design_layer(design, name, 1)
                               : NULL;
        if (layer) {
            memcpy(layer->values, tuner->field[f], design->voxel_count * sizeof(double));
        } else if (vxe_tuned_fills(tuner->def.by, (vxe_tuned_field)f)) {
            vxe_design_destroy(design);
            vxe_error_memory(error, tuner->design->voxel_count * sizeof(double));
            return NULL;
        }
    }
    return design;
}
