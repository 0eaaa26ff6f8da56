/* SPDX-License-Identifier: MIT */
/* The door of tuning: checks of a tuner's choices, its making, and what it tells. */
#include "evolution/tuning.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/trial.h"
#include "evolution/tuning/tuning_internal.h"

#define COOKIE 0x74756e65u /* "tune" */
#define MAX_TUNED_COPIES 1024u

vxe_tuner_def vxe_tuner_def_default(void)
{
    vxe_tuner_def def = {.cookie = COOKIE,
                         .world = vxe_world_def_default(),
                         .by = 1u << VXE_TUNED_PHASE,
                         .forget = -1,
                         .copies = 1,
                         .kept = {0.8, 0.99}};
    def.kind[VXE_TUNED_PHASE] = (vxe_tuner_kind){.low = 0, .high = 1, .rate = 0.05, .spread = 0.03};
    def.kind[VXE_TUNED_AMPLITUDE] = def.kind[VXE_TUNED_PHASE];
    def.kind[VXE_TUNED_OCCUPANCY] = def.kind[VXE_TUNED_PHASE];
    def.kind[VXE_TUNED_STIFFNESS] =
        (vxe_tuner_kind){.low = 0.1, .high = 3, .rate = 0.03, .spread = 0.03};
    return def;
}

/* Whether a kind's numbers can be: the logarithm of a stiffness has no 0, and no voxel is there
   more than wholly. */
static bool is_kind_usable(const vxe_tuner_def *def, uint32_t which)
{
    const vxe_tuner_kind *kind = &def->kind[which];
    const bool bounded = which == VXE_TUNED_STIFFNESS   ? kind->low > 0
                         : which == VXE_TUNED_OCCUPANCY ? kind->high <= 1
                                                        : true;
    return bounded && kind->low >= 0 && kind->low < kind->high && kind->high < 1e6 &&
           kind->rate > 0 && kind->rate <= 1 && kind->spread >= 0 && kind->spread <= 1;
}

static vxe_status check(const vxe_tuner_def *def, vxe_error *error)
{
    if (def->cookie != COOKIE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the tuner's definition did not start from vxe_tuner_def_default()");
    }
    if (def->by == 0 || def->by >> VXE_TUNED_KINDS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "`by` names no kind of numbers, or "
                              "kinds that there are not");
    }
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        if (!is_kind_usable(def, kind)) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "%s: a range from %g to %g, a rate of %g and a spread of %g: "
                                  "expected 0 <= low < high%s, a rate above 0 and at most 1, and a "
                                  "spread of 0 to 1",
                                  vxe_tuned_name(kind), def->kind[kind].low, def->kind[kind].high,
                                  def->kind[kind].rate, def->kind[kind].spread,
                                  kind == VXE_TUNED_STIFFNESS   ? " (low above 0)"
                                  : kind == VXE_TUNED_OCCUPANCY ? " <= 1"
                                                                : "");
        }
    }
    const bool keeps =
        def->kept[0] >= 0 && def->kept[0] < 1 && def->kept[1] >= 0 && def->kept[1] < 1;
    if (!keeps || def->copies == 0 || def->copies > MAX_TUNED_COPIES || !(def->forget < 1e300) ||
        !(def->seconds >= 0 && def->seconds < 1e300)) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            "a tuner needs 1 to %u copies, seconds and `forget` that are numbers, "
            "and what Adam keeps from 0 to below 1",
            MAX_TUNED_COPIES);
    }
    return VXE_OK;
}

/* Copies the design without what ends its run or judges it. */
static vxe_status take_design(vxe_tuner *tuner, const vxe_design *design, vxe_error *error)
{
    if (design->formulas[VXE_FORMULA_STOP]) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a formula ends the run of this design: tuning needs runs of one "
                              "length");
    }
    if (!(tuner->def.seconds > 0)) {
        const vxe_run_limits limits = vxe_run_limits_of(design, 0, 0);
        if (!isfinite(limits.time)) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "this design says no time at which its run ends: say how many "
                                  "seconds a run has (`--time` of tune)");
        }
        tuner->def.seconds = limits.time;
    }
    tuner->reference = fmax(design->stop.settle_time, design->stop.reference_time);
    tuner->design = vxe_design_copy(design, error);
    if (!tuner->design) {
        return VXE_ERROR_MEMORY;
    }
    tuner->design->stop.duration = tuner->def.seconds;
    tuner->design->stop.steps = 0;
    tuner->design->stop.periods = 0;
    return vxe_design_check(tuner->design, error);
}

static vxe_status take_memory(vxe_tuner *tuner, vxe_error *error)
{
    const uint32_t voxels = tuner->design->voxel_count;
    const uint32_t count = tuner->numbers.count;
    tuner->place = vxe_memory_take(count, sizeof *tuner->place);
    tuner->by_copy = vxe_memory_take(count, sizeof *tuner->by_copy);
    tuner->by_number = vxe_memory_take(count, sizeof *tuner->by_number);
    bool complete = tuner->place && tuner->by_copy && tuner->by_number;
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS; f++) {
        tuner->field[f] = vxe_memory_take(voxels, sizeof(double));
        tuner->by_field[f] = vxe_memory_take(voxels, sizeof(double));
        complete = complete && tuner->field[f] && tuner->by_field[f];
    }
    for (uint32_t k = 0; k < VXE_TUNER_KEPT; k++) {
        tuner->best[k].value = vxe_memory_take(count, sizeof(double));
        complete = complete && tuner->best[k].value;
    }
    return complete ? VXE_OK : vxe_error_memory(error, 16ull * (voxels + count));
}

vxe_gradient_def vxe_tuner_gradient_def(const vxe_tuner *tuner)
{
    vxe_gradient_def def = vxe_gradient_def_default();
    def.world = tuner->def.world;
    def.steps = tuner->steps;
    def.sample_every = tuner->sample_every;
    def.forget = tuner->forget;
    def.by = 0;
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS; f++) {
        const bool fills = vxe_tuned_fills(tuner->def.by, (vxe_tuned_field)f);
        def.by |= fills ? 1u << vxe_tuned_by((vxe_tuned_field)f) : 0;
    }
    return def;
}

bool vxe_tuner_same_clock(const vxe_tuner *a, const vxe_tuner *b)
{
    return a->def.world.step_seconds == b->def.world.step_seconds && a->steps == b->steps &&
           a->sample_every == b->sample_every && a->forget == b->forget;
}

vxe_status vxe_tuner_enter(vxe_tuner *tuner, vxe_gradient *gradient, vxe_error *error)
{
    vxe_status status = VXE_OK;
    tuner->gradient = gradient;
    for (uint32_t copy = 0; copy < tuner->def.copies && !status; copy++) {
        uint32_t robot;
        status = vxe_gradient_add(tuner->gradient, tuner->design, &robot, error);
        tuner->robot = copy == 0 && !status ? robot : tuner->robot;
    }
    return status;
}

static vxe_status take_gradient(vxe_tuner *tuner, vxe_error *error)
{
    const vxe_gradient_def def = vxe_tuner_gradient_def(tuner);
    vxe_gradient *gradient = vxe_gradient_create(&def, error);
    return gradient ? vxe_tuner_enter(tuner, gradient, error) : VXE_ERROR_ARGUMENT;
}

static vxe_tuner *create(const vxe_design *design, const vxe_tuner_def *def, bool shares,
                         vxe_error *error)
{
    if (check(def, error)) {
        return NULL;
    }
    vxe_tuner *tuner = vxe_memory_take(1, sizeof *tuner);
    if (!tuner) {
        vxe_error_memory(error, sizeof *tuner);
        return NULL;
    }
    tuner->def = *def;
    tuner->shares = shares;
    if (tuner->def.world.damping == VXE_DAMPING_AUTO) {
        tuner->def.world.damping = VXE_DAMPING_EXPLICIT;
    }
    vxe_status status = take_design(tuner, design, error);
    status = status ? status : vxe_tuner_parse(tuner, error);
    status =
        status ? status
               : vxe_design_set_formula(tuner->design, VXE_FORMULA_FITNESS, tuner->formula, error);
    status = status ? status : vxe_tuned_list(&tuner->numbers, tuner->design, &tuner->def, error);
    status = status ? status : take_memory(tuner, error);
    status = status ? status : vxe_tuner_set_clock(tuner, error);
    status = status || shares ? status : take_gradient(tuner, error);
    if (status) {
        vxe_tuner_destroy(tuner);
        return NULL;
    }
    return tuner;
}

vxe_tuner *vxe_tuner_create(const vxe_design *design, const vxe_tuner_def *def, vxe_error *error)
{
    return create(design, def, false, error);
}

vxe_tuner *vxe_tuner_create_sharing(const vxe_design *design, const vxe_tuner_def *def,
                                    vxe_error *error)
{
    return create(design, def, true, error);
}

void vxe_tuner_destroy(vxe_tuner *tuner)
{
    if (!tuner) {
        return;
    }
    if (!tuner->shares) {
        vxe_gradient_destroy(tuner->gradient);
    }
    vxe_design_destroy(tuner->design);
    vxe_expression_clear(&tuner->expression);
    vxe_tuned_clear(&tuner->numbers);
    for (uint32_t f = 0; f < VXE_TUNED_FIELDS; f++) {
        vxe_memory_release(tuner->field[f]);
        vxe_memory_release(tuner->by_field[f]);
    }
    for (uint32_t k = 0; k < VXE_TUNER_KEPT; k++) {
        vxe_memory_release(tuner->best[k].value);
    }
    vxe_memory_release(tuner->place);
    vxe_memory_release(tuner->by_copy);
    vxe_memory_release(tuner->by_number);
    vxe_memory_release(tuner->rows);
    vxe_memory_release(tuner->formula);
    vxe_memory_release(tuner);
}

vxe_tuner_facts vxe_tuner_describe(const vxe_tuner *tuner)
{
    const uint32_t done = tuner->iterations;
    return (vxe_tuner_facts){.numbers = tuner->numbers.count,
                             .time_step = tuner->def.world.step_seconds,
                             .steps = tuner->steps,
                             .seconds = tuner->def.seconds,
                             .forget = tuner->forget,
                             .iterations = done,
                             .runs = done > 0 ? tuner->rows[done - 1].runs : 0,
                             .diverged = tuner->diverged,
                             .kept = tuner->kept,
                             .best = tuner->kept > 0 ? tuner->best[0].score : (double)NAN,
                             .best_at = tuner->kept > 0 ? tuner->best[0].iteration : 0,
                             .precision = vxe_precision_name(tuner->def.world.precision)};
}

vxe_tuner_row vxe_tuner_row_of(const vxe_tuner *tuner, uint32_t iteration)
{
    VXE_ASSERT(iteration >= 1 && iteration <= tuner->iterations);
    return tuner->rows[iteration - 1];
}

vxe_status vxe_tuner_before(const vxe_tuner *tuner, vxe_design **design, vxe_error *error)
{
    vxe_design *made = vxe_design_copy(tuner->design, error);
    *design = made ? made : *design;
    return made ? VXE_OK : VXE_ERROR_MEMORY;
}

vxe_status vxe_tuner_design(const vxe_tuner *tuner, uint32_t rank, vxe_design **design,
                            double *score, uint32_t *iteration, vxe_error *error)
{
    if (rank >= tuner->kept) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "design %u of %u that were kept", rank,
                              tuner->kept);
    }
    const vxe_tuned_best *best = &tuner->best[rank];
    if (score) {
        *score = best->score;
    }
    if (iteration) {
        *iteration = best->iteration;
    }
    vxe_design *made = vxe_tuned_design(tuner, best->value, error);
    *design = made ? made : *design;
    return made ? VXE_OK : VXE_ERROR_MEMORY;
}

vxe_unit vxe_tuner_unit(const vxe_tuner *tuner)
{
    return vxe_design_fitness_unit(tuner->design);
}

vxe_world_def vxe_tuner_world(const vxe_tuner *tuner)
{
    return tuner->def.world;
}
