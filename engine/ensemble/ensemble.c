/* SPDX-License-Identifier: MIT */
/* Runs copies of a design in one batch, and measures how far their paths part. */
#include "engine/ensemble.h"

#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "engine/trial.h"

/* Samples of a path: one in each period of the actuation, or in so many periods that there are no
   more of them; where the run has few periods or none, so many. */
#define MAX_SAMPLES 64u
#define FEW_SAMPLES 16u
/* edges: copies are followed until they are so far apart. */
#define APART 0.05
/* Copies have forgotten how they start when they are so many times as far apart. */
#define FORGETS 10.0
/* edges: steps of the path that are shorter have no heading. */
#define SHORTEST 1e-3
/* edges: what moves by less stands still. */
#define STILL 0.05
/* Ends that are further apart than this part of the way, or as many edges, are chaotic. */
#define CHAOTIC 0.01
/* A path that is so many times as long as the way is curved. */
#define CURVED 2.0

struct vxe_ensemble {
    vxe_batch *batch;
    double edge; /* m */
    uint32_t copies;
    uint32_t samples;
    uint32_t starts; /* the first so many copies differ in their starts alone */
};

vxe_ensemble_def vxe_ensemble_def_default(void)
{
    return (vxe_ensemble_def){
        .batch = vxe_batch_def_default(), .copies = 16, .start_spread = 1e-6, .step_spread = 1e-3};
}

const char *vxe_trust_name(vxe_trust verdict)
{
    static const char *const names[] = {"robust", "still", "curved path", "chaotic", "failed"};
    VXE_ASSERT((size_t)verdict < sizeof names / sizeof names[0]);
    return names[verdict];
}

/* Number of samples of a path: see MAX_SAMPLES. */
static uint32_t samples_for(const vxe_design *design, const vxe_batch_def *def)
{
    const vxe_run_limits limits = vxe_run_limits_of(design, def->duration, def->steps);
    const double period = design->actuation.enabled ? design->actuation.period : 0;
    const double periods = period > 0 && isfinite(limits.time) ? limits.time / period : 0;
    const double every = ceil(periods / MAX_SAMPLES);
    return periods >= 4 ? (uint32_t)(periods / every + 0.5) : FEW_SAMPLES;
}

/* How a copy differs. */
static vxe_batch_variant variant_of(const vxe_ensemble *e, const vxe_ensemble_def *def,
                                    uint32_t copy)
{
    vxe_stream stream = vxe_stream_open(def->seed, copy, 0, 0);
    vxe_batch_variant variant = {.step = 1};
    for (int c = 0; c < 3 && copy > 0; c++) {
        variant.shift[c] = vxe_stream_around(&stream, def->start_spread * e->edge);
        variant.turn[c] = vxe_stream_around(&stream, def->start_spread);
    }
    variant.step = copy < e->starts ? 1 : 1 + vxe_stream_around(&stream, def->step_spread);
    return variant;
}

static vxe_status check(const vxe_ensemble_def *def, vxe_error *error)
{
    if (def->copies < 1 || def->copies > VXE_MAX_COPIES) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "an ensemble of %u copies: at least 1, at most %u", def->copies,
                              VXE_MAX_COPIES);
    }
    if (!(def->start_spread >= 0 && def->start_spread < 0.1) ||
        !(def->step_spread >= 0 && def->step_spread < 0.5)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "spreads of %g and %g: starts differ by less than 0.1, steps by less "
                              "than 0.5",
                              def->start_spread, def->step_spread);
    }
    return VXE_OK;
}

/* Adds the copies to the batch and runs it. */
static vxe_status run(vxe_ensemble *e, const vxe_design *design, const vxe_ensemble_def *def,
                      vxe_batch_watch watch, void *user, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < e->copies && !status; i++) {
        const vxe_batch_variant variant = variant_of(e, def, i);
        status = vxe_batch_add_variant(e->batch, design, &variant, error);
    }
    status = status ? status : vxe_batch_run(e->batch, watch, user, error);
    for (uint32_t i = 0; i < e->copies && !status; i++) {
        if (vxe_batch_result_of(e->batch, i).status == VXE_ROBOT_WAITING) {
            status = vxe_error_fill(error, VXE_ERROR_ARGUMENT, "the ensemble was stopped");
        }
    }
    return status;
}

vxe_ensemble *vxe_ensemble_run(const vxe_design *design, const vxe_ensemble_def *def,
                               vxe_batch_watch watch, void *user, vxe_error *error)
{
    if (check(def, error)) {
        return NULL;
    }
    vxe_ensemble *e = vxe_memory_take(1, sizeof *e);
    if (!e) {
        vxe_error_memory(error, sizeof *e);
        return NULL;
    }
    vxe_batch_def batch = def->batch;
    batch.samples = e->samples = samples_for(design, &def->batch);
    e->edge = design->voxel_size;
    e->copies = def->copies;
    e->starts = (def->copies + 1) / 2;
    e->batch = vxe_batch_create(&batch, error);
    if (!e->batch || run(e, design, def, watch, user, error)) {
        vxe_ensemble_destroy(e);
        return NULL;
    }
    return e;
}

void vxe_ensemble_destroy(vxe_ensemble *ensemble)
{
    if (ensemble) {
        vxe_batch_destroy(ensemble->batch);
        vxe_memory_release(ensemble);
    }
}

vxe_batch_result vxe_ensemble_result(const vxe_ensemble *ensemble, uint32_t copy)
{
    return vxe_batch_result_of(ensemble->batch, copy);
}

vxe_world *vxe_ensemble_world(const vxe_ensemble *ensemble, uint32_t copy, vxe_error *error)
{
    return vxe_batch_world(ensemble->batch, copy, error);
}

uint32_t vxe_ensemble_samples(const vxe_ensemble *ensemble)
{
    return ensemble->samples;
}

/* A path as numbers. */
typedef struct path_measures {
    double way;    /* m */
    double turned; /* rad */
} path_measures;

/* Length and turn of a path in the plane of the floor, from the last sample before the end of
   settling. */
static path_measures measure(const vxe_ensemble *e, const vxe_batch_result *result)
{
    path_measures m = {0, 0};
    double heading[2] = {0, 0};
    for (uint32_t k = 0; result->path && k < e->samples; k++) {
        const double *at = result->path + 3 * (size_t)k;
        const double step[2] = {at[3] - at[0], at[4] - at[1]};
        const double length = hypot(step[0], step[1]);
        if (result->time * (k + 1) <= result->start_time * e->samples) {
            continue;
        }
        m.way += length;
        if (length < SHORTEST * e->edge || result->time * k < result->start_time * e->samples) {
            continue;
        }
        if (heading[0] != 0 || heading[1] != 0) {
            m.turned += atan2(heading[0] * step[1] - heading[1] * step[0],
                              heading[0] * step[0] + heading[1] * step[1]);
        }
        heading[0] = step[0];
        heading[1] = step[1];
    }
    return m;
}

/* Mean, deviation and bounds of count numbers. */
static vxe_spread spread_of(const double *values, uint32_t count)
{
    vxe_spread s = {0};
    for (uint32_t i = 0; i < count; i++) {
        s.mean += values[i] / count;
        s.min = i == 0 ? values[i] : fmin(s.min, values[i]);
        s.max = i == 0 ? values[i] : fmax(s.max, values[i]);
    }
    for (uint32_t i = 0; i < count && count > 1; i++) {
        s.deviation += (values[i] - s.mean) * (values[i] - s.mean) / (count - 1);
    }
    s.deviation = sqrt(s.deviation);
    return s;
}

/* Edges: rms distance in the plane, at a sample, of the copies whose starts alone differ from the
   first; 0 where fewer than two got to their end. */
static double distance_at(const vxe_ensemble *e, uint32_t sample)
{
    const double *first = vxe_batch_result_of(e->batch, 0).path;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 1; i < e->starts && first; i++) {
        const double *path = vxe_batch_result_of(e->batch, i).path;
        if (path) {
            const double *a = first + 3 * (size_t)sample;
            const double *b = path + 3 * (size_t)sample;
            sum += (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
            count++;
        }
    }
    return count > 0 ? sqrt(sum / count) / e->edge : 0;
}

/* 1/s: slope of the logarithm of the distance, by least squares over the samples from `first` on.
 */
static double slope_from(const vxe_ensemble *e, uint32_t first, double time)
{
    double n = 0;
    double t = 0;
    double y = 0;
    double tt = 0;
    double ty = 0;
    bool close = true;
    for (uint32_t k = first; k <= e->samples && close; k++) {
        const double distance = distance_at(e, k);
        const double at = time * k / e->samples;
        close = distance <= APART;
        if (distance > 0) {
            n += 1;
            t += at;
            y += log(distance);
            tt += at * at;
            ty += at * log(distance);
        }
    }
    const double scale = n * tt - t * t;
    return n > 1 && scale > 0 ? fmax((n * ty - t * y) / scale, 0) : 0;
}

/* 1/s: rate at which the copies part. How they start is forgotten when they are ten times as far
   apart; where they are within a sample of being apart, the start counts. */
static double growth_of(const vxe_ensemble *e, double time)
{
    uint32_t first = 0;
    while (first < e->samples && distance_at(e, first) < FORGETS * distance_at(e, 0)) {
        first++;
    }
    if (first >= e->samples) {
        return 0;
    }
    return slope_from(e, distance_at(e, first) <= APART ? first : first - (first > 0), time);
}

static vxe_trust judge(const vxe_ensemble_facts *f)
{
    if (f->done < f->copies) {
        return VXE_TRUST_FAILED;
    }
    if (f->apart > CHAOTIC && f->apart > CHAOTIC * f->displacement.mean) {
        return VXE_TRUST_CHAOTIC;
    }
    if (f->displacement.mean < STILL) {
        return VXE_TRUST_STILL;
    }
    return f->way.mean > CURVED * f->displacement.mean ? VXE_TRUST_CURVED : VXE_TRUST_ROBUST;
}

/* Numbers of the copies that got to their end; count of them. values: (4, copies). */
static uint32_t collect(const vxe_ensemble *e, vxe_ensemble_facts *f, double *values)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->copies; i++) {
        const vxe_batch_result result = vxe_batch_result_of(e->batch, i);
        f->in_lanes += result.in_lanes;
        if (result.status != VXE_ROBOT_DONE) {
            f->message = f->message[0] ? f->message : result.message;
            continue;
        }
        const path_measures path = measure(e, &result);
        const double lasts = result.time - result.start_time;
        values[count] = result.displacement / e->edge;
        values[e->copies + count] = path.way / e->edge;
        values[2 * e->copies + count] = path.turned;
        values[3 * e->copies + count] = lasts > 0 ? path.way / e->edge / lasts : 0;
        count++;
    }
    return count;
}

vxe_ensemble_facts vxe_ensemble_describe(const vxe_ensemble *ensemble)
{
    const vxe_batch_result first = vxe_batch_result_of(ensemble->batch, 0);
    vxe_ensemble_facts f = {.copies = ensemble->copies,
                            .time_step = first.time_step,
                            .time = first.time,
                            .steps = first.steps,
                            .message = ""};
    double values[4 * VXE_MAX_COPIES];
    f.done = collect(ensemble, &f, values);
    f.displacement = spread_of(values, f.done);
    f.way = spread_of(values + ensemble->copies, f.done);
    f.turned = spread_of(values + 2 * (size_t)ensemble->copies, f.done);
    f.speed = spread_of(values + 3 * (size_t)ensemble->copies, f.done);
    f.apart = distance_at(ensemble, ensemble->samples);
    f.growth = growth_of(ensemble, first.time);
    f.verdict = judge(&f);
    return f;
}
