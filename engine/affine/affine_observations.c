/* SPDX-License-Identifier: MIT */
/* Observations of affine bodies, sampled after each step; see docs/affine-bodies.md, Observations.
 */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/affine/affine_observations.h"

/* A maximum counts once the value has fallen from it by this fraction of its range so far; smaller
   falls are noise. */
#define FALL 0.1

vxe_status vxe_observers_init(vxe_observers *observers, const vxe_design *design, vxe_error *error)
{
    const uint32_t count = design->observation_count;
    vxe_status status = VXE_OK;
    *observers = (vxe_observers){.count = count};
    if (count == 0) {
        return VXE_OK;
    }
    observers->items = vxe_memory_take(count, sizeof *observers->items);
    if (!observers->items) {
        return vxe_error_memory(error, count * (uint64_t)sizeof *observers->items);
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        const vxe_observation *from = &design->observations[i];
        VXE_ASSERT(from->body < design->affine_count);
        VXE_ASSERT(from->gives < VXE_OBSERVATION_KINDS);
        vxe_observer *into = &observers->items[i];
        memcpy(into->name, from->name, sizeof into->name);
        into->gives = from->gives;
        into->body = from->body;
        status =
            vxe_expression_parse(&into->of, from->of, vxe_observation_variables(), VXE_SEEN, error);
        if (!status && from->when) {
            status = vxe_expression_parse(&into->when, from->when, vxe_observation_variables(),
                                          VXE_SEEN, error);
        }
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        vxe_observer *o = &observers->items[i];
        for (uint32_t c = VXE_SEEN_FORCE; c < VXE_SEEN_FORCE + 3; c++) {
            o->reads_load = o->reads_load || vxe_expression_reads(&o->of, c) ||
                            vxe_expression_reads(&o->when, c);
        }
    }
    return status;
}

void vxe_observers_clear(vxe_observers *observers)
{
    for (uint32_t i = 0; i < observers->count && observers->items; i++) {
        vxe_expression_clear(&observers->items[i].of);
        vxe_expression_clear(&observers->items[i].when);
    }
    vxe_memory_release(observers->items);
    *observers = (vxe_observers){.count = 0};
}

/* Height (m) of the lowest corner above the first wall; infinite if there is no wall. */
static double gap_of(const vxe_affine_group *group, uint32_t b)
{
    const vxe_affine *body = &group->bodies[b];
    const vxe_affine_state *state = &group->states[b];
    double min = HUGE_VAL;
    for (uint32_t i = 0; i < body->patch_count && group->plane_count > 0; i++) {
        for (int corner = 0; corner < 4; corner++) {
            double at[3];
            double now[3];
            vxe_power_place(&body->patches[i], corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, at);
            vxe_m3_apply(state->deformation, at, now);
            double height = -group->planes[0].level;
            for (int c = 0; c < 3; c++) {
                height += group->planes[0].n[c] * (state->place[c] + now[c]);
            }
            min = fmin(min, height);
        }
    }
    return min;
}

/* Computes all variables of an observation's formulas. azimuth: that of the last sample (rad), from
   which the new one is counted on. */
static void sample(const vxe_affine_group *group, uint32_t body, double time, double azimuth,
                   bool reads_load, double seen[VXE_SEEN])
{
    const vxe_affine_state *state = &group->states[body];
    const double *p = state->deformation;
    double inverse[9];
    double velocity[9];
    vxe_affine_load load = {.force = {0, 0, 0}};
    if (reads_load) {
        vxe_affine_load_of(group, body, time, &load);
    }
    vxe_m3_inverse_transposed(p, inverse);
    vxe_m3_times_transposed(state->rate, inverse, velocity);
    seen[VXE_SEEN_T] = time;
    vxe_m3_axial(velocity, seen + VXE_SEEN_W);
    for (int c = 0; c < 3; c++) {
        seen[VXE_SEEN_X + c] = state->place[c];
        seen[VXE_SEEN_V + c] = state->v[c];
        seen[VXE_SEEN_W + c] *= 0.5;
        seen[VXE_SEEN_LENGTH + c] = sqrt(p[c] * p[c] + p[c + 3] * p[c + 3] + p[c + 6] * p[c + 6]);
        seen[VXE_SEEN_FORCE + c] = load.force[c] - load.given[c];
    }
    double *axis = seen + VXE_SEEN_AXIS;
    for (int c = 0; c < 3; c++) {
        axis[c] = p[3 * c + 2] / seen[VXE_SEEN_LENGTH + 2];
    }
    const double turned = vxe_angle_of(axis[0], axis[1]) - azimuth;
    seen[VXE_SEEN_TILT] = vxe_angle_of(axis[2], sqrt(axis[0] * axis[0] + axis[1] * axis[1]));
    seen[VXE_SEEN_AZIMUTH] = azimuth + turned - VXE_TAU * floor(turned / VXE_TAU + 0.5);
    seen[VXE_SEEN_GAP] = gap_of(group, body);
}

/* Counts maxima that are high enough above what follows them. */
static void count_peaks(vxe_observer *o, double time, double value)
{
    const double fall = FALL * (o->max - o->min);
    if (o->falling) {
        o->turning = fmin(o->turning, value);
        o->falling = !(value - o->turning > fall && fall > 0);
        if (!o->falling) {
            o->top = value;
            o->top_time = time;
        }
    } else if (value >= o->top || o->samples == 1) {
        o->top = value;
        o->top_time = time;
    } else if (o->top - value > fall && fall > 0) {
        o->falling = true;
        o->turning = value;
        if (o->peak_count < VXE_MAX_PEAKS) {
            o->peaks[o->peak_count] = o->top;
        }
        o->first_peak = o->peak_count == 0 ? o->top_time : o->first_peak;
        o->last_peak = o->top_time;
        o->peak_count++;
    }
}

/* Adds a value to what an observer collects. */
static void take(vxe_observer *o, double time, double value)
{
    VXE_ASSERT(o->samples == 0 || !(time < o->last_time));
    if (o->gives == VXE_OBSERVE_FIRST && o->samples > 0) {
        return;
    }
    if (o->samples == 0) {
        o->first = o->max = o->min = value;
        o->first_time = time;
    }
    o->samples++;
    o->max = fmax(o->max, value);
    o->min = fmin(o->min, value);
    o->sum += value;
    o->last = value;
    o->last_time = time;
    count_peaks(o, time, value);
}

void vxe_observers_take(vxe_observers *observers, const vxe_affine_group *group, double time)
{
    for (uint32_t i = 0; i < observers->count; i++) {
        vxe_observer *o = &observers->items[i];
        VXE_ASSERT(o->body < group->count);
        double seen[VXE_SEEN];
        const double *variables[VXE_SEEN];
        double value;
        double when = 1;
        sample(group, o->body, time, o->azimuth, o->reads_load, seen);
        o->azimuth = seen[VXE_SEEN_AZIMUTH];
        for (int v = 0; v < VXE_SEEN; v++) {
            variables[v] = &seen[v];
        }
        if (o->when.count > 0) {
            vxe_expression_run(&o->when, variables, 1, &when);
        }
        if (when != 0) {
            vxe_expression_run(&o->of, variables, 1, &value);
            take(o, time, value);
        }
    }
}

double vxe_observer_value(const vxe_observer *o)
{
    const double span = o->last_time - o->first_time;
    if (o->samples == 0) {
        return (double)NAN;
    }
    switch (o->gives) {
    case VXE_OBSERVE_MAX:
        return o->max;
    case VXE_OBSERVE_MIN:
        return o->min;
    case VXE_OBSERVE_MEAN:
        return o->sum / (double)o->samples;
    case VXE_OBSERVE_RATE:
        return span > 0 ? (o->last - o->first) / span : (double)NAN;
    case VXE_OBSERVE_PERIOD:
        return o->peak_count > 1 ? (o->last_peak - o->first_peak) / (o->peak_count - 1)
                                 : (double)NAN;
    case VXE_OBSERVE_FIRST:
        return o->first;
    case VXE_OBSERVE_LAST:
        return o->last;
    default: /* peaks are a list, not a value */
        VXE_ASSERT(o->gives == VXE_OBSERVE_PEAKS);
        return o->last;
    }
}
