/* SPDX-License-Identifier: MIT */
/* Periods of a run, run again with a shorter step from the run's own states. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/step_error.h"
#include "engine/world/world_data.h"

/* A run of at least so many periods has a gait. */
#define FEWEST_PERIODS 8
/* One period in so many is run again: of a long run, and of a short one; between them, as many that
   three are. */
#define SPARSE 8
#define DENSE 4
#define WANTED 3
/* Periods that are run again begin at different phases: by parts of the golden ratio, which spread
   evenly however many there are (Knuth1997, 6.4). */
#define GOLDEN 0.6180339887498949
/* The error goes with the step or with its square; the former is the larger estimate. */
#define FIRST_ORDER 2.0
#define MAX_FINER 64u

struct vxe_step_shadow {
    vxe_world *world;
    uint32_t finer;
    uint64_t length; /* steps of the run in a period */
    uint64_t window; /* steps in which one period is run again */
    uint64_t first;  /* step at which the first window begins */
    uint64_t last;   /* step at which the run ends */
    uint64_t number; /* of the present window */
    bool within;     /* the shadow follows the run */
    uint64_t from;   /* step of the run at which it began to */
    double start[3]; /* m: centre of mass there */
    uint32_t periods;
    double way;         /* m: sum of the run's distances */
    double off[2];      /* m: sums of differences along and across the run's motion */
    double off_squares; /* m^2: sum of their squares */
};

/* Plans which periods of a run are run again. False where it has no gait. */
static bool plan(vxe_step_shadow *shadow, const vxe_world *run, const vxe_design *design,
                 const vxe_run_limits *limits)
{
    const double step = run->simulation.plan.time_step;
    const double period = design->actuation.enabled ? design->actuation.period : 0;
    shadow->first = vxe_run_step_at(design->stop.settle_time, step, VXE_ARRIVAL_AT);
    shadow->last = vxe_run_last_step(limits, step, VXE_ARRIVAL_AT);
    if (!(period > step) || shadow->last == UINT64_MAX || shadow->last <= shadow->first) {
        return false;
    }
    const uint64_t steps = shadow->last - shadow->first;
    shadow->length = (uint64_t)(period / step + 0.5);
    const uint64_t periods = steps / shadow->length;
    const uint64_t every = periods / WANTED;
    shadow->window = shadow->length * (every < DENSE ? DENSE : every > SPARSE ? SPARSE : every);
    return periods >= FEWEST_PERIODS;
}

/* Plans, and makes the shadow's world, which takes as long as that of the run, where there is
   something to do for it. */
static vxe_status prepare(vxe_step_shadow *shadow, const vxe_world *run, const vxe_design *design,
                          const vxe_world_def *def, const vxe_run_limits *limits, vxe_error *error)
{
    vxe_world_def shorter = *def;
    shorter.step_scale /= shadow->finer;
    shorter.audit = false;
    const vxe_model *model = &run->simulation.model;
    if (design->affine_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "affine bodies have no shadow");
    }
    if (run->control) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a run with a controller has no shadow: its gait is not periodic");
    }
    if (model->voxelyze && model->voxelyze->steps) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "the step is part of the published rules");
    }
    if (!plan(shadow, run, design, limits)) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "the run has fewer than %d periods of actuation", FEWEST_PERIODS);
    }
    shadow->world = vxe_world_create(design, &shorter, error);
    return shadow->world ? VXE_OK : error->status;
}

vxe_step_shadow *vxe_step_shadow_create(const vxe_world *run, const vxe_design *design,
                                        const vxe_world_def *def, const vxe_run_limits *limits,
                                        uint32_t finer, vxe_error *error)
{
    VXE_ASSERT(finer >= 1 && finer <= MAX_FINER);
    vxe_step_shadow *shadow = vxe_memory_take(1, sizeof *shadow);
    if (!shadow) {
        vxe_error_memory(error, sizeof *shadow);
        return NULL;
    }
    shadow->finer = finer;
    if (prepare(shadow, run, design, def, limits, error)) {
        vxe_step_shadow_destroy(shadow);
        return NULL;
    }
    return shadow;
}

void vxe_step_shadow_destroy(vxe_step_shadow *shadow)
{
    if (shadow) {
        vxe_world_destroy(shadow->world);
        vxe_memory_release(shadow);
    }
}

uint64_t vxe_step_shadow_next(const vxe_step_shadow *shadow)
{
    if (shadow->within) {
        return shadow->from + shadow->length;
    }
    const double phase = fmod(GOLDEN * ((double)shadow->number + 0.5), 1);
    const uint64_t at = shadow->first + shadow->number * shadow->window +
                        (uint64_t)(phase * (double)(shadow->window - shadow->length));
    return at + shadow->length <= shadow->last ? at : UINT64_MAX;
}

/* Gives the shadow the state of the run, at its time. What was remembered of other states is
   forgotten. */
static void take_over(vxe_world *shadow, const vxe_world *run)
{
    vxe_state *state = &shadow->simulation.state;
    const double step = shadow->simulation.plan.time_step;
    vxe_state_copy(state, &run->simulation.state);
    if (step != state->time_step) { /* with the same step the clock has the same bits */
        state->base_time = vxe_state_time(&run->simulation.state);
        state->base_step = state->step;
        state->time_step = step;
    }
    vxe_world_restate(shadow);
}

/* Adds how differently both have moved since the period began. */
static void add(vxe_step_shadow *shadow, const vxe_world *run)
{
    double now[3];
    double other[3];
    vxe_world_center_of_mass(run, now, NULL);
    vxe_world_center_of_mass(shadow->world, other, NULL);
    const double moved[2] = {now[0] - shadow->start[0], now[1] - shadow->start[1]};
    const double off[2] = {other[0] - now[0], other[1] - now[1]};
    const double way = hypot(moved[0], moved[1]);
    const double heading[2] = {way > 0 ? moved[0] / way : 1, way > 0 ? moved[1] / way : 0};
    const double parts[2] = {off[0] * heading[0] + off[1] * heading[1],
                             off[1] * heading[0] - off[0] * heading[1]};
    shadow->periods++;
    shadow->way += way;
    for (int c = 0; c < 2; c++) {
        shadow->off[c] += parts[c];
        shadow->off_squares += parts[c] * parts[c];
    }
}

void vxe_step_shadow_follow(vxe_step_shadow *shadow, const vxe_world *run)
{
    const uint64_t step = vxe_world_steps(run);
    VXE_ASSERT(step <= vxe_step_shadow_next(shadow));
    vxe_error unwanted;
    if (shadow->within) {
        const uint64_t behind =
            shadow->finer * (step - shadow->from) - (vxe_world_steps(shadow->world) - shadow->from);
        (void)vxe_world_advance(shadow->world, behind, &unwanted);
        if (step < vxe_step_shadow_next(shadow)) {
            return;
        }
        if (!shadow->world->diverged) {
            add(shadow, run);
        }
        shadow->within = false;
        shadow->number++;
    }
    if (step == vxe_step_shadow_next(shadow)) {
        take_over(shadow->world, run);
        vxe_world_center_of_mass(run, shadow->start, NULL);
        shadow->from = step;
        shadow->within = true;
    }
}

vxe_step_error vxe_step_shadow_describe(const vxe_step_shadow *shadow)
{
    const double n = shadow->periods;
    if (!(shadow->way > 0)) {
        return (vxe_step_error){.periods = shadow->periods};
    }
    const double mean = hypot(shadow->off[0], shadow->off[1]) / n;
    const double variance = fmax(shadow->off_squares / n - mean * mean, 0);
    const double way = shadow->way / n;
    return (vxe_step_error){.periods = shadow->periods,
                            .way = way,
                            .part = FIRST_ORDER * mean / way,
                            .deviation =
                                n > 1 ? FIRST_ORDER * sqrt(variance / (n - 1)) / way : HUGE_VAL};
}
