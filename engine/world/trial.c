/* SPDX-License-Identifier: MIT */
/* A trial advances a world and evaluates the design's formulas of stop and fitness. A formula of
   the stop that depends on time alone, or on what changes only now and then, is evaluated for a
   block of steps in advance, so that the world advances many steps per call; a formula that reads
   what every step changes is evaluated after each step. */
#include "engine/trial.h"

#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/contact/contact.h"
#include "engine/world/fitness_variables.h"
#include "lattice/topology_internal.h"

struct vxe_trial {
    vxe_world *world;
    vxe_expression stop, fitness;
    uint64_t reference_step; /* displacement counts from the end of this step */
    uint64_t cycle;          /* steps from one sample of the centre to the next; 0: no samples */
    bool by_cycle;           /* the stop sees the centre of the last sample */
    bool watches;            /* the stop reads what every step changes */
    bool counts;             /* some formula reads hits */
    double pair_distance;    /* m */
    uint32_t voxels;
    vxe_posture posture;      /* its arrays; orientations are filled where a formula reads them */
    bool sees_posture, peaks; /* some formula reads the posture, or peak */
    double highest;           /* m: of the centre, since the reference time */
    double *edge;             /* (voxels) m */
    int32_t *cell;            /* (voxels, 3) */
    uint32_t *target;         /* (target_count) all targets, those on the surface first */
    uint32_t *other;          /* (other_count) voxels on the surface that are no targets */
    uint32_t target_count, other_count;
    uint32_t outer_count;      /* targets on the surface */
    double sample[3], last[3]; /* m: centre at the last sample, and its displacement before */
    double seen[3];            /* m: the centre that the stop sees */
    vxe_trial_facts facts;
    bool ended;
};

/* Measures places of voxels, their centre, and the distance that they have come. */
static void measure(vxe_trial *trial)
{
    vxe_trial_facts *f = &trial->facts;
    vxe_center_sum sum = {0, {0, 0, 0}};
    vxe_world_poses(trial->world, trial->posture.place,
                    trial->sees_posture ? trial->posture.orientation : NULL);
    f->distance = 0;
    for (uint32_t v = 0; v < trial->voxels; v++) {
        const double *at = trial->posture.place + 3 * (size_t)v;
        double way2 = 0;
        for (int c = 0; c < 3; c++) {
            const double way = at[c] - trial->posture.start[3 * (size_t)v + (size_t)c];
            way2 += way * way;
        }
        vxe_center_add(&sum, trial->posture.mass[v], at);
        f->distance += trial->posture.mass[v] > 0 ? sqrt(way2) : 0;
    }
    vxe_center_of(&sum, f->center);
}

/* The reference time: displacement, posture and peak count from here. */
static void start_reference(vxe_trial *trial)
{
    measure(trial);
    for (size_t i = 0; i < 3 * (size_t)trial->voxels; i++) {
        trial->posture.start[i] = trial->posture.place[i];
    }
    for (int c = 0; c < 3; c++) {
        trial->facts.start[c] = trial->facts.center[c];
    }
    trial->highest = trial->facts.center[2];
    trial->facts.distance = 0;
}

/* m^2: squared distance of two voxels, in the places measured last. */
static double distance2_of(const vxe_trial *trial, uint32_t a, uint32_t b)
{
    VXE_ASSERT(a < trial->voxels && b < trial->voxels && a != b);
    const double *p = trial->posture.place + 3 * (size_t)a;
    const double *q = trial->posture.place + 3 * (size_t)b;
    return (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
           (p[2] - q[2]) * (p[2] - q[2]);
}

/* Closeness and close pairs of targets, in the places measured last. */
static void find_pairs(vxe_trial *trial)
{
    vxe_trial_facts *f = &trial->facts;
    const double max = trial->pair_distance * trial->pair_distance;
    f->closeness = 0;
    f->close_pairs = 0;
    for (uint32_t i = 0; i < trial->target_count && max > 0; i++) {
        for (uint32_t k = i + 1; k < trial->target_count; k++) {
            const double distance2 = distance2_of(trial, trial->target[i], trial->target[k]);
            f->closeness += 1 / sqrt(distance2);
            f->close_pairs += distance2 < max;
        }
    }
}

/* Whether the cells of two voxels share a face. */
static bool are_neighbours(const vxe_trial *trial, uint32_t a, uint32_t b)
{
    const int32_t *p = trial->cell + 3 * (size_t)a;
    const int32_t *q = trial->cell + 3 * (size_t)b;
    int64_t steps = 0;
    for (int c = 0; c < 3; c++) {
        const int64_t way = (int64_t)p[c] - q[c];
        steps += way < 0 ? -way : way;
    }
    return steps == 1;
}

/* Adds the pairs of a target and another voxel that touch now. */
static void count_hits(vxe_trial *trial)
{
    VXE_ASSERT(trial->outer_count <= trial->target_count);
    vxe_world_sense(trial->world, &(vxe_sensors){.edge = trial->edge});
    for (uint32_t i = 0; i < trial->outer_count; i++) {
        const uint32_t a = trial->target[i];
        for (uint32_t k = 0; k < trial->other_count; k++) {
            const uint32_t b = trial->other[k];
            const double reach = 0.5 * (double)VXE_SPHERE * (trial->edge[a] + trial->edge[b]);
            trial->facts.hits +=
                distance2_of(trial, a, b) < reach * reach && !are_neighbours(trial, a, b);
        }
    }
}

/* rad: angle between two vectors; 0 where one of them is zero. */
static double angle_between(const double a[3], const double b[3])
{
    const double la = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    const double lb = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    double apart = 0;
    double along = 0;
    for (int c = 0; c < 3; c++) {
        const double difference = a[c] * lb - b[c] * la;
        const double sum = a[c] * lb + b[c] * la;
        apart += difference * difference;
        along += sum * sum;
    }
    return apart > 0 ? 2 * vxe_arc_tangent(sqrt(apart) / sqrt(along)) : 0;
}

/* Takes a sample of the centre, and the angle between its last two displacements. */
static void take_sample(vxe_trial *trial)
{
    vxe_trial_facts *f = &trial->facts;
    double way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = f->center[c] - trial->sample[c];
        trial->sample[c] = f->center[c];
        trial->seen[c] = f->center[c];
    }
    f->angle = f->angle_samples > 0 ? angle_between(trial->last, way) : 0;
    f->angle_samples++;
    for (int c = 0; c < 3; c++) {
        trial->last[c] = way[c];
    }
}

/* Fills all variables of a formula but the time. */
static void fill(const vxe_trial *trial, const vxe_expression *formula, const double center[3],
                 double values[VXE_FITNESS_VARIABLES])
{
    const vxe_trial_facts *f = &trial->facts;
    vxe_fitness_read_places(values, f->start, center);
    values[VXE_READ_HIT] = f->hits;
    values[VXE_READ_ANGLE] = f->angle;
    values[VXE_READ_CLOSENESS] = f->closeness;
    values[VXE_READ_PAIRS] = f->close_pairs;
    values[VXE_READ_VOXELS] = trial->voxels;
    values[VXE_READ_TOP] = values[VXE_READ_TURN] = values[VXE_READ_UP] = 0;
    values[VXE_READ_PEAK] = trial->highest - f->start[2];
    values[VXE_READ_VOLUME] = vxe_expression_reads(formula, VXE_READ_VOLUME)
                                  ? vxe_world_hull_volume(trial->world, trial->posture.mass)
                                  : 0;
    if (vxe_formula_sees_posture(formula)) {
        vxe_fitness_read_posture(values, &trial->posture, f->start, f->center);
    }
}

/* The value of a formula now, by what was measured last; 0 where there is none. */
static double value_now(const vxe_trial *trial, const vxe_expression *formula,
                        const double center[3])
{
    double values[VXE_FITNESS_VARIABLES];
    fill(trial, formula, center, values);
    values[VXE_READ_T] = vxe_world_time(trial->world);
    return vxe_formula_value(formula, values);
}

/* m: the centre that the formula of the stop reads. */
static const double *stop_center(const vxe_trial *trial)
{
    return trial->by_cycle ? trial->seen : trial->facts.center;
}

/* The number of steps until the formula of the stop is above 0 for the first time, if everything
   but the time stays as it is. Where it stays at or below 0: all steps, and *found is false. */
static uint32_t steps_to_stop(const vxe_trial *trial, uint32_t steps, bool *found)
{
    double held[VXE_FITNESS_VARIABLES];
    double block[VXE_FITNESS_VARIABLES][VXE_EXPRESSION_BLOCK];
    double values[VXE_EXPRESSION_BLOCK];
    const double *variables[VXE_FITNESS_VARIABLES];
    const uint64_t now = vxe_world_steps(trial->world);
    VXE_ASSERT(steps >= 1 && steps <= VXE_EXPRESSION_BLOCK);
    fill(trial, &trial->stop, stop_center(trial), held);
    for (int v = 0; v < VXE_FITNESS_VARIABLES; v++) {
        variables[v] = block[v];
        for (uint32_t i = 0; i < steps; i++) {
            block[v][i] = v == VXE_READ_T ? vxe_world_time_at(trial->world, now + i + 1) : held[v];
        }
    }
    vxe_expression_run(&trial->stop, variables, steps, values);
    for (uint32_t i = 0; i < steps; i++) {
        if (values[i] > 0) {
            *found = true;
            return i + 1;
        }
    }
    *found = false;
    return steps;
}

/* Steps until the next sample, reference or peak is due, at most max. */
static uint64_t steps_to_event(const vxe_trial *trial, uint64_t max)
{
    const uint64_t now = vxe_world_steps(trial->world);
    uint64_t steps = max;
    if (trial->cycle > 0 && trial->cycle - now % trial->cycle < steps) {
        steps = trial->cycle - now % trial->cycle;
    }
    if (now < trial->reference_step && trial->reference_step - now < steps) {
        steps = trial->reference_step - now;
    }
    if (trial->peaks && VXE_PEAK_STEPS - now % VXE_PEAK_STEPS < steps) {
        steps = VXE_PEAK_STEPS - now % VXE_PEAK_STEPS;
    }
    return trial->counts || trial->watches ? 1 : steps;
}

/* Takes what is due after a step: samples, peaks, hits, pairs, the reference. */
static void take_due(vxe_trial *trial)
{
    const uint64_t now = vxe_world_steps(trial->world);
    const bool samples = trial->cycle > 0 && now % trial->cycle == 0;
    const bool peaks = trial->peaks && now % VXE_PEAK_STEPS == 0;
    if (samples || peaks || trial->counts || trial->watches) {
        measure(trial);
    }
    if (peaks) {
        trial->highest = fmax(trial->highest, trial->facts.center[2]);
    }
    if (trial->counts) {
        count_hits(trial);
    }
    if (trial->watches) {
        find_pairs(trial);
    }
    if (now == trial->reference_step) {
        start_reference(trial);
    }
    if (samples) {
        take_sample(trial);
    }
}

/* Whether the formula of the stop reads what every step changes. Under a compatibility preset by
   cycles, the centre is not among that. */
static bool reads_live(const vxe_trial *trial)
{
    bool live = false;
    for (uint32_t v = 0; v < VXE_FITNESS_VARIABLES; v++) {
        const bool place = v >= VXE_READ_X && v <= VXE_READ_CENTER_Z;
        const bool other = v == VXE_READ_CLOSENESS || v == VXE_READ_PAIRS || v >= VXE_READ_TOP;
        live = live ||
               ((other || (place && !trial->by_cycle)) && vxe_expression_reads(&trial->stop, v));
    }
    return live;
}

vxe_status vxe_trial_advance(vxe_trial *trial, uint64_t steps, vxe_error *error)
{
    const uint64_t end = vxe_world_steps(trial->world) + steps;
    vxe_status status = VXE_OK;
    while (!status && !trial->ended && vxe_world_steps(trial->world) < end) {
        uint64_t next = steps_to_event(trial, end - vxe_world_steps(trial->world));
        VXE_ASSERT(next >= 1);
        bool stops = false;
        const bool ahead = trial->stop.count > 0 && !trial->counts && !trial->watches;
        if (ahead) {
            next = next < VXE_EXPRESSION_BLOCK ? next : VXE_EXPRESSION_BLOCK;
            next = steps_to_stop(trial, (uint32_t)next, &stops);
        }
        status = vxe_world_advance(trial->world, next, error);
        if (!status) {
            take_due(trial);
        }
        if (!ahead) { /* evaluated after the step */
            stops = value_now(trial, &trial->stop, stop_center(trial)) > 0;
        }
        trial->ended = !status && stops;
    }
    return status;
}

bool vxe_trial_ended(const vxe_trial *trial)
{
    return trial->ended;
}

vxe_trial_facts vxe_trial_describe(vxe_trial *trial)
{
    measure(trial);
    find_pairs(trial);
    return trial->facts;
}

double vxe_trial_fitness(vxe_trial *trial)
{
    const vxe_trial_facts facts = vxe_trial_describe(trial);
    return value_now(trial, &trial->fitness, facts.center);
}

const double *vxe_trial_starts(const vxe_trial *trial)
{
    return trial->posture.start;
}

/* Fills masses and cells of voxels, and the lists of those that may hit each other. */
static vxe_status fill_voxels(vxe_trial *trial, const vxe_design *design, vxe_error *error)
{
    vxe_topology scan;
    const vxe_status status = vxe_topology_init(&scan, design, error);
    if (status) {
        return status;
    }
    for (uint32_t pass = 0; pass < 2; pass++) { /* targets on the surface come first */
        for (uint32_t v = 0; v < trial->voxels; v++) {
            const vxe_material *m = &design->materials[design->voxels[v].material];
            const bool outer = scan.faces[scan.place[v]] != 0;
            if (m->target && outer == (pass == 0)) {
                trial->target[trial->target_count++] = v;
            }
            if (!m->target && outer && pass == 0) {
                trial->other[trial->other_count++] = v;
            }
        }
        trial->outer_count = pass == 0 ? trial->target_count : trial->outer_count;
    }
    const vxe_densities densities = vxe_densities_of(design);
    for (uint32_t v = 0; v < trial->voxels; v++) {
        const vxe_material *m = &design->materials[design->voxels[v].material];
        trial->posture.mass[v] = vxe_measured_mass(&densities, v);
        trial->facts.measured += !m->unmeasured;
        for (int c = 0; c < 3; c++) {
            trial->cell[3 * (size_t)v + (size_t)c] = design->voxels[v].position[c];
        }
    }
    VXE_ASSERT(trial->target_count <= trial->voxels && trial->other_count <= trial->voxels);
    vxe_topology_clear(&scan);
    return VXE_OK;
}

/* The arrays of a trial. */
static vxe_status take_memory(vxe_trial *trial, vxe_error *error)
{
    const uint64_t count = trial->voxels;
    trial->posture.mass = vxe_memory_take(count, sizeof *trial->posture.mass);
    trial->edge = vxe_memory_take(count, sizeof *trial->edge);
    trial->posture.place = vxe_memory_take(3 * count, sizeof *trial->posture.place);
    trial->posture.start = vxe_memory_take(3 * count, sizeof *trial->posture.start);
    trial->posture.orientation = vxe_memory_take(4 * count, sizeof *trial->posture.orientation);
    trial->posture.voxels = trial->voxels;
    trial->cell = vxe_memory_take(3 * count, sizeof *trial->cell);
    trial->target = vxe_memory_take(count, sizeof *trial->target);
    trial->other = vxe_memory_take(count, sizeof *trial->other);
    return trial->posture.mass && trial->edge && trial->posture.place && trial->posture.start &&
                   trial->posture.orientation && trial->cell && trial->target && trial->other
               ? VXE_OK
               : vxe_error_memory(error, 120 * count);
}

/* Plans when samples and the reference are due, and what has to be measured. */
static void plan(vxe_trial *trial, const vxe_design *design)
{
    const vxe_world_facts facts = vxe_world_describe(trial->world);
    /* a step that divides the period but for rounding does divide it */
    const double cycle = (1 + 1e-6) * design->actuation.period / facts.time_step;
    trial->reference_step =
        vxe_run_step_at(vxe_reference_time(design), facts.time_step, VXE_ARRIVAL_AT);
    if (design->actuation.enabled && cycle < 1e18) {
        trial->cycle = cycle < 1 ? (uint64_t)(cycle > 0) : (uint64_t)cycle;
    }
    VXE_ASSERT(facts.time_step > 0 && facts.rules);
    trial->by_cycle = facts.rules->stop_by_cycle;
    trial->pair_distance = design->pair_distance * design->voxel_size;
    trial->watches = reads_live(trial);
    trial->sees_posture =
        vxe_formula_sees_posture(&trial->stop) || vxe_formula_sees_posture(&trial->fitness);
    trial->peaks = vxe_expression_reads(&trial->stop, VXE_READ_PEAK) ||
                   vxe_expression_reads(&trial->fitness, VXE_READ_PEAK);
    trial->counts = vxe_expression_reads(&trial->stop, VXE_READ_HIT) ||
                    vxe_expression_reads(&trial->fitness, VXE_READ_HIT);
    trial->counts = trial->counts && trial->outer_count > 0 && trial->other_count > 0;
}

vxe_trial *vxe_trial_create(const vxe_design *design, vxe_world *world, vxe_error *error)
{
    vxe_trial *trial = vxe_memory_take(1, sizeof *trial);
    if (!trial) {
        (void)vxe_error_memory(error, sizeof *trial);
        return NULL;
    }
    trial->world = world;
    trial->voxels = design->voxel_count;
    vxe_status status = vxe_formula_parse(&trial->stop, design, VXE_FORMULA_STOP, error);
    status =
        status ? status : vxe_formula_parse(&trial->fitness, design, VXE_FORMULA_FITNESS, error);
    status = status ? status : take_memory(trial, error);
    status = status ? status : fill_voxels(trial, design, error);
    if (status) {
        vxe_trial_destroy(trial);
        return NULL;
    }
    plan(trial, design);
    start_reference(trial);
    for (int c = 0; c < 3; c++) {
        trial->sample[c] = trial->facts.center[c];
        trial->seen[c] = trial->facts.center[c];
    }
    return trial;
}

void vxe_trial_destroy(vxe_trial *trial)
{
    if (!trial) {
        return;
    }
    vxe_expression_clear(&trial->stop);
    vxe_expression_clear(&trial->fitness);
    vxe_memory_release(trial->posture.mass);
    vxe_memory_release(trial->edge);
    vxe_memory_release(trial->posture.place);
    vxe_memory_release(trial->posture.start);
    vxe_memory_release(trial->posture.orientation);
    vxe_memory_release(trial->cell);
    vxe_memory_release(trial->target);
    vxe_memory_release(trial->other);
    vxe_memory_release(trial);
}
