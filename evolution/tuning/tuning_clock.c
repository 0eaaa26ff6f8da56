/* SPDX-License-Identifier: MIT */
/* The time step of a tuner, which may not change with the numbers that are tuned, and when samples
   are taken. */
#include <math.h>
#include <stddef.h>

#include "common/status_internal.h"
#include "engine/trial.h"
#include "evolution/tuning/tuning_internal.h"

/* Part of the step that the rule gives to the design at the ends of its ranges. */
#define SAFETY 0.9

/* Samples in a period of the actuation, or in the whole run where there is none: the sum of
   velocities is then the way to within a hundredth or so, and few steps are looked at. */
#define SAMPLES_IN_PERIOD 50.0

/* Steps of tuners that share a gradient, from one power of two to the next: so few that many have
   the same. */
#define RUNGS 4.0

/* What forgetting takes where the caller leaves it open, in periods of the actuation: half to one
   period is best in spec and study (bench/tune_study.py). */
#define FORGOTTEN_PERIODS 0.75

/* The longest step that tuners may share and that is no longer than h: it follows from h alone, not
   from who the others are. */
static double shared_step(double h)
{
    int exponent;
    const double part = frexp(h, &exponent); /* 0.5 to 1 */
    return ldexp(floor(2 * RUNGS * part) / (2 * RUNGS), exponent);
}

/* Makes a world of the design at the upper bounds of all numbers, which shows that all of the
   ranges can run, and what step the rule gives there: no design within them needs a shorter one. */
static vxe_status find_step(vxe_tuner *tuner, vxe_error *error)
{
    vxe_world_def def = tuner->def.world;
    def.threads = 1;
    if (def.step_rule != VXE_STEP_AUTO && def.step_rule != VXE_STEP_SECONDS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "tuning needs the time step auto, or seconds");
    }
    double *const highest = tuner->place;
    for (uint32_t i = 0; i < tuner->numbers.count; i++) {
        const double high = tuner->numbers.high[i];
        highest[i] = isfinite(high) ? high : tuner->numbers.value[i];
    }
    vxe_design *design = vxe_tuned_design(tuner, highest, error);
    vxe_world *world = design ? vxe_world_create(design, &def, error) : NULL;
    const bool made = world != NULL;
    if (made && def.step_rule == VXE_STEP_AUTO) {
        tuner->def.world.step_rule = VXE_STEP_SECONDS;
        const double h = SAFETY * vxe_world_describe(world).time_step;
        tuner->def.world.step_seconds = tuner->shares ? shared_step(h) : h;
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return made ? VXE_OK : error ? error->status : VXE_ERROR_INPUT;
}

/* Takes over what a world of this step has, which may round it. */
static vxe_status round_step(vxe_tuner *tuner, vxe_error *error)
{
    vxe_world_def def = tuner->def.world;
    def.threads = 1;
    vxe_world *world = vxe_world_create(tuner->design, &def, error);
    if (!world) {
        return error ? error->status : VXE_ERROR_INPUT;
    }
    tuner->def.world.step_seconds = vxe_world_describe(world).time_step;
    tuner->def.world.step_scale = 1;
    vxe_world_destroy(world);
    return VXE_OK;
}

vxe_status vxe_tuner_set_clock(vxe_tuner *tuner, vxe_error *error)
{
    const double period = tuner->design->actuation.period;
    vxe_status status = find_step(tuner, error);
    status = status ? status : round_step(tuner, error);
    if (status) {
        return status;
    }
    const double h = tuner->def.world.step_seconds;
    const uint64_t reference = vxe_run_step_at(tuner->reference, h, VXE_ARRIVAL_AT);
    tuner->steps = vxe_run_step_at(tuner->def.seconds, h, VXE_ARRIVAL_AT);
    if (tuner->steps <= reference) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a run of %g s is over before its score begins to count, at %g s, "
                              "where the design has settled: say more seconds for a run (`--time` "
                              "of tune)",
                              tuner->def.seconds, tuner->reference);
    }
    if (tuner->steps > 1ull << 32) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a run of %g s has more than 2^32 time steps of %g s",
                              tuner->def.seconds, h);
    }
    const double between = (period > 0 ? period : tuner->def.seconds) / SAMPLES_IN_PERIOD;
    uint64_t every = (uint64_t)fmin(fmax(between / h, 1), (double)tuner->steps);
    while (reference % every > 0) { /* one sample is at the reference */
        every--;
    }
    tuner->sample_every = every;
    tuner->first_sample = (uint32_t)(reference / every);
    tuner->forget = tuner->def.forget >= 0 ? tuner->def.forget : FORGOTTEN_PERIODS * period;
    return VXE_OK;
}
