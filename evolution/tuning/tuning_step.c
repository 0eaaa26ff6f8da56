/* SPDX-License-Identifier: MIT */
/* An iteration of a tuner: copies beside the design, one gradient through the runs of all, and a
   step of Adam. */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "engine/batch.h"
#include "evolution/tuning/tuning_internal.h"

/* Puts the values of a copy into place: the first copy is the design itself. */
static void place_copy(vxe_tuner *tuner, uint32_t copy)
{
    const vxe_tuned_numbers *numbers = &tuner->numbers;
    vxe_stream stream = vxe_stream_open(tuner->def.seed, tuner->iterations, copy, 0);
    for (uint32_t i = 0; i < numbers->count; i++) {
        const double by = copy > 0 ? tuner->def.kind[numbers->kind[i]].spread * numbers->unit[i] *
                                         vxe_stream_normal(&stream)
                                   : 0;
        tuner->place[i] = vxe_tuned_bound(numbers, i, numbers->value[i] + by);
    }
}

/* Gives all copies their numbers. */
static vxe_status put_copies(vxe_tuner *tuner, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t copy = 0; copy < tuner->def.copies && !status; copy++) {
        place_copy(tuner, copy);
        vxe_tuned_fill(&tuner->numbers, tuner->design, tuner->place, tuner->field);
        for (uint32_t f = 0; f < VXE_TUNED_FIELDS && !status; f++) {
            if (vxe_tuned_fills(tuner->def.by, (vxe_tuned_field)f)) {
                status = vxe_gradient_put(tuner->gradient, tuner->robot + copy,
                                          vxe_tuned_by((vxe_tuned_field)f), tuner->field[f], error);
            }
        }
    }
    return status;
}

/* The gradient of a copy by fields; *finite: whether all of its numbers are. */
static vxe_status fetch_copy(const vxe_tuner *tuner, uint32_t copy, bool *finite, vxe_error *error)
{
    vxe_status status = VXE_OK;
    *finite = true;
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS && !status; f++) {
        if (vxe_tuned_fills(tuner->def.by, (vxe_tuned_field)f)) {
            status = vxe_gradient_of(tuner->gradient, tuner->robot + copy,
                                     vxe_tuned_by((vxe_tuned_field)f), tuner->by_field[f], error);
            for (uint32_t v = 0; v < tuner->design->voxel_count && !status; v++) {
                *finite = *finite && isfinite(tuner->by_field[f][v]);
            }
        }
    }
    return status;
}

/* Adds the gradient of a copy, which is in by_copy, to the sum. Of several, the numbers of each
   kind have the length 1: a gradient through a chaotic run can be a thousand times as long as that
   of a copy beside it, and the sum would be it alone. */
static void add_copy(vxe_tuner *tuner)
{
    const vxe_tuned_numbers *numbers = &tuner->numbers;
    double scale[VXE_TUNED_KINDS] = {0};
    for (uint32_t i = 0; i < numbers->count; i++) {
        scale[numbers->kind[i]] += tuner->by_copy[i] * tuner->by_copy[i];
    }
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        const double length = sqrt(scale[kind]);
        scale[kind] = tuner->def.copies == 1 ? 1 : length > 0 ? 1 / length : 0;
    }
    for (uint32_t i = 0; i < numbers->count; i++) {
        tuner->by_number[i] += scale[numbers->kind[i]] * tuner->by_copy[i];
    }
}

/* The mean gradient by numbers, of the copies that got to their ends; the row learns of them.
   error: why the last other one did not. */
static vxe_status average(vxe_tuner *tuner, vxe_tuner_row *row, vxe_error *error)
{
    memset(tuner->by_number, 0, tuner->numbers.count * sizeof *tuner->by_number);
    for (uint32_t copy = 0; copy < tuner->def.copies; copy++) {
        bool finite;
        vxe_status status = fetch_copy(tuner, copy, &finite, error);
        if (!status && !finite) {
            status = vxe_error_fill(error, VXE_ERROR_DIVERGED,
                                    "derivatives through the run are no finite numbers");
        }
        if (status && !vxe_status_is_failure(status)) {
            return status;
        }
        if (status) {
            row->diverged++;
            continue;
        }
        const vxe_gradient_facts facts =
            vxe_gradient_describe(tuner->gradient, tuner->robot + copy);
        row->growth += facts.growth;
        row->branch_changes += (double)facts.branch_changes;
        place_copy(tuner, copy);
        memset(tuner->by_copy, 0, tuner->numbers.count * sizeof *tuner->by_copy);
        vxe_tuned_chain(&tuner->numbers, tuner->design, tuner->place, tuner->field, tuner->by_field,
                        tuner->by_copy);
        add_copy(tuner);
    }
    const double left = tuner->def.copies - row->diverged;
    for (uint32_t i = 0; i < tuner->numbers.count && left > 0; i++) {
        tuner->by_number[i] /= left;
    }
    row->growth = left > 0 ? row->growth / left : (double)NAN;
    row->branch_changes = left > 0 ? row->branch_changes / left : (double)NAN;
    return VXE_OK;
}

/* Keeps the design as it is, where its score is among the best. */
static void keep(vxe_tuner *tuner, double score)
{
    const uint32_t places = tuner->kept;
    uint32_t rank = places;
    while (rank > 0 && score > tuner->best[rank - 1].score) {
        rank--;
    }
    if (isnan(score) || rank == VXE_TUNER_KEPT) {
        return;
    }
    const uint32_t last = places < VXE_TUNER_KEPT ? places : VXE_TUNER_KEPT - 1;
    double *values = tuner->best[last].value;
    for (uint32_t k = last; k > rank; k--) {
        tuner->best[k] = tuner->best[k - 1];
    }
    memcpy(values, tuner->numbers.value, tuner->numbers.count * sizeof *values);
    tuner->best[rank] = (vxe_tuned_best){score, tuner->iterations + 1, values};
    tuner->kept = last + 1;
}

/* Goes back beside the best design, without what Adam has gathered: from where all copies diverged
   no gradient leads on. */
static void go_back(vxe_tuner *tuner)
{
    vxe_tuned_numbers *numbers = &tuner->numbers;
    memcpy(numbers->value, tuner->best[0].value, numbers->count * sizeof *numbers->value);
    place_copy(tuner, tuner->def.copies);
    memcpy(numbers->value, tuner->place, numbers->count * sizeof *numbers->value);
    memset(numbers->mean, 0, numbers->count * sizeof *numbers->mean);
    memset(numbers->square, 0, numbers->count * sizeof *numbers->square);
    tuner->moments = 0;
}

/* Makes a place for one more row. */
static vxe_status reserve_row(vxe_tuner *tuner, vxe_error *error)
{
    if (tuner->iterations < tuner->row_capacity) {
        return VXE_OK;
    }
    const uint32_t capacity = tuner->row_capacity > 0 ? 2 * tuner->row_capacity : 64;
    vxe_tuner_row *rows = vxe_memory_grow(tuner->rows, tuner->iterations, capacity, sizeof *rows);
    if (!rows) {
        return vxe_error_memory(error, capacity * sizeof *rows);
    }
    tuner->rows = rows;
    tuner->row_capacity = capacity;
    return VXE_OK;
}

/* The score of the body that occupancies stand for, by a plain run; NaN where there is none, or
   where it diverges. */
static vxe_status score_body(const vxe_tuner *tuner, double *score, vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    vxe_error none;
    def.world = tuner->def.world;
    def.world.threads = 1;
    *score = (double)NAN;
    vxe_design *design = vxe_tuned_design(tuner, tuner->numbers.value, &none);
    if (!design) {
        return none.status == VXE_ERROR_INPUT ? VXE_OK : vxe_error_memory(error, sizeof *design);
    }
    vxe_batch *batch = vxe_batch_create(&def, error);
    vxe_status status = batch ? VXE_OK : error ? error->status : VXE_ERROR_MEMORY;
    status = status ? status : vxe_batch_add(batch, design, error);
    status = status ? status : vxe_batch_run(batch, NULL, NULL, error);
    if (!status) {
        const vxe_batch_result result = vxe_batch_result_of(batch, 0);
        *score = result.status == VXE_ROBOT_DONE ? result.fitness : (double)NAN;
    }
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
    return status;
}

vxe_status vxe_tuner_put(vxe_tuner *tuner, vxe_error *error)
{
    const vxe_status status = reserve_row(tuner, error);
    return status ? status : put_copies(tuner, error);
}

double vxe_tuned_cost(uint32_t by)
{
    return vxe_tuned_fills(by, VXE_FIELD_STIFFNESS) ? VXE_GRADIENT_RUNS_MATERIALS
                                                    : VXE_GRADIENT_RUNS;
}

vxe_status vxe_tuner_take(vxe_tuner *tuner, vxe_error *error)
{
    const vxe_tuner_facts before = vxe_tuner_describe(tuner);
    vxe_tuner_row row = {.runs = before.runs + vxe_tuned_cost(tuner->def.by) * tuner->def.copies};
    if (vxe_gradient_value(tuner->gradient, tuner->robot, &row.smooth, NULL)) {
        row.smooth = (double)NAN;
    }
    row.score = row.smooth;
    vxe_status status = average(tuner, &row, error);
    if (!status && tuner->def.by >> VXE_TUNED_OCCUPANCY & 1) {
        row.runs += 1;
        status = score_body(tuner, &row.score, error);
    }
    if (status) {
        return status;
    }
    keep(tuner, row.score);
    if (row.diverged == tuner->def.copies && tuner->kept == 0) {
        return VXE_ERROR_DIVERGED; /* and there is nothing to go back to */
    }
    tuner->diverged += row.diverged;
    if (row.diverged == tuner->def.copies) {
        go_back(tuner);
    } else {
        vxe_adam_step(&tuner->numbers, tuner->by_number, &tuner->def, ++tuner->moments);
    }
    row.best = vxe_tuner_describe(tuner).best;
    tuner->rows[tuner->iterations++] = row;
    return VXE_OK;
}

vxe_status vxe_tuner_step(vxe_tuner *tuner, vxe_error *error)
{
    vxe_status status = vxe_tuner_put(tuner, error);
    status = status ? status : vxe_gradient_run(tuner->gradient, vxe_tuner_objective, tuner, error);
    return status ? status : vxe_tuner_take(tuner, error);
}
