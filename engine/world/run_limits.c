/* SPDX-License-Identifier: MIT */
/* When a run ends by time or by steps: one rule for run, batch, trials and the drop-in programs. */
#include <math.h>

#include "engine/trial.h"

/* A time counts as reached if less than this fraction of a step is missing, for rounding. */
#define SLACK 1e-6

/* Limits beyond this step count as none. */
#define MAX_STEPS 1e18

uint64_t vxe_run_step_at(double time, double time_step, vxe_run_arrival arrival)
{
    const double steps = time / time_step;
    const double step = arrival == VXE_ARRIVAL_PAST ? floor(steps) + 1 : ceil(steps - SLACK);
    if (!(step < MAX_STEPS)) {
        return UINT64_MAX;
    }
    return step >= 1 ? (uint64_t)step : 0;
}

vxe_run_limits vxe_run_limits_of(const vxe_design *design, double duration, uint64_t steps)
{
    const vxe_stop *rule = &design->stop;
    const vxe_stop given = {.duration = duration, .steps = steps};
    const vxe_stop *stop = duration > 0 || steps > 0 ? &given : rule;
    const double period = design->actuation.period;
    const double time = stop->duration > 0                ? stop->duration
                        : stop->periods > 0 && period > 0 ? stop->periods * period
                                                          : HUGE_VAL;
    return (vxe_run_limits){.time = time, .steps = stop->steps > 0 ? stop->steps : UINT64_MAX};
}

bool vxe_run_limits_end(const vxe_run_limits *limits, const vxe_design *design)
{
    return isfinite(limits->time) || limits->steps != UINT64_MAX ||
           design->formulas[VXE_FORMULA_STOP];
}

uint64_t vxe_run_last_step(const vxe_run_limits *limits, double time_step, vxe_run_arrival arrival)
{
    const uint64_t by_time = vxe_run_step_at(limits->time, time_step, arrival);
    const bool past = arrival == VXE_ARRIVAL_PAST && limits->steps != UINT64_MAX;
    const uint64_t by_steps = past ? limits->steps + 1 : limits->steps;
    return by_time < by_steps ? by_time : by_steps;
}
