/* SPDX-License-Identifier: MIT */
/* The option --actions: groups of voxels that move by a table, or by a wave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/run/run.h"

/* s between rows where nothing is said. */
#define INTERVAL 0.1
#define PERIOD 1.0
#define AMPLITUDE 0.2
/* Periods of a wave where nothing else ends the run. */
#define PERIODS 10
#define WAVE "sine"

/* Whether the text is a wave; reads its numbers. */
static bool is_wave(const char *text, double *period, double *amplitude)
{
    const size_t name = strlen(WAVE);
    if (strncmp(text, WAVE, name) != 0 || (text[name] && text[name] != ':')) {
        return false;
    }
    const char *at = text + name;
    double *const numbers[2] = {period, amplitude};
    for (int i = 0; i < 2 && *at; i++) {
        char number[64];
        const size_t length = strcspn(at + 1, ":");
        snprintf(number, sizeof number, "%.*s", (int)(length < 63 ? length : 63), at + 1);
        if (vxe_number_read(number, numbers[i])) {
            *numbers[i] = (double)NAN;
        }
        at += 1 + length;
    }
    *period = *at ? (double)NAN : *period;
    return true;
}

vxe_status run_take_actions(run *r, vxe_error *error)
{
    const run_options *options = r->options;
    vxe_stop *stop = &r->design->stop;
    double period = PERIOD;
    double amplitude = AMPLITUDE;
    double end = 0;
    vxe_status status = VXE_OK;
    if (r->design->controller.interval > 0) {
        *error = (vxe_error){.status = VXE_ERROR_UNSUPPORTED,
                             .message = "its controller moves the groups of this design: leave out "
                                        "--actions, or the controller (--set controller=null)"};
        return error->status;
    }
    const bool waves = is_wave(options->actions, &period, &amplitude);
    if (isnan(period) || isnan(amplitude)) {
        *error = (vxe_error){.status = VXE_ERROR_ARGUMENT};
        snprintf(error->message, sizeof error->message,
                 "--actions '%s': expected a file, sine, or sine:PERIOD:AMPLITUDE",
                 options->actions);
        return error->status;
    }
    if (waves) {
        const vxe_run_limits limits =
            vxe_run_limits_of(r->design, options->duration, options->steps);
        end = isfinite(limits.time) ? limits.time : PERIODS * period;
        status = vxe_design_swing(r->design, period, amplitude, end, error);
    } else {
        const double interval = options->action_interval > 0 ? options->action_interval : INTERVAL;
        status = vxe_design_read_actions(r->design, options->actions, interval, &end, error);
    }
    const vxe_run_limits limits = vxe_run_limits_of(r->design, options->duration, options->steps);
    if (!status && !vxe_run_limits_end(&limits, r->design)) {
        stop->duration = end;
    }
    return status;
}
