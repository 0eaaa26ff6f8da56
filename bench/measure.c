/* SPDX-License-Identifier: MIT */
/* See measure.h. A world is compiled and warmed up first, so that its windows have steps only. A
   batch compiles its designs when it runs, as in evolution, so that its windows include that; each
   robot has enough steps to make it a small part. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "engine/batch.h"
#include "numbers.h"
#include "peaks.h"

enum {
    WORLD_WINDOWS = 7,
    BATCH_WINDOWS = 5,
    MIN_GROUPS = 2,    /* minimum of vectors of robots for each thread of a batch */
    GROUP_ROBOTS = 16, /* robots in the widest vectors */
    MIN_STEPS = 1000,  /* minimum of steps of a robot in a batch */
    GOOD_STEPS = 10000 /* if there is time for more steps, there are more robots instead */
};

static vxe_world_def world_def(const bench_choice *choice)
{
    vxe_world_def def = vxe_world_def_default();
    def.threads = choice->threads;
    def.precision = choice->precision;
    def.damping = choice->damping;
    return def;
}

/* Finds the number of steps of a window by doubling, which also warms up the machine. */
static bool find_window(vxe_world *world, double seconds, uint64_t *window, vxe_error *error)
{
    uint64_t steps = 1;
    double spent = 0;
    while (spent < 0.3 * seconds) {
        steps *= 2;
        const double start = bench_seconds();
        if (vxe_world_advance(world, steps, error)) {
            return false;
        }
        spent = bench_seconds() - start;
    }
    *window = (uint64_t)((double)steps * seconds / spent) + 1;
    return true;
}

static bool time_world(vxe_world *world, double seconds, bench_result *result, vxe_error *error)
{
    double rates[WORLD_WINDOWS]; /* steps/s */
    if (!find_window(world, seconds / WORLD_WINDOWS, &result->steps, error)) {
        return false;
    }
    for (int i = 0; i < WORLD_WINDOWS; i++) {
        const double start = bench_seconds();
        if (vxe_world_advance(world, result->steps, error)) {
            return false;
        }
        rates[i] = (double)result->steps / (bench_seconds() - start);
    }
    const vxe_world_facts facts = vxe_world_describe(world);
    const double fastest = bench_quantile(rates, WORLD_WINDOWS, 1); /* steps/s */
    result->robots = 1;
    result->voxels = facts.voxels;
    result->bonds = (double)facts.bonds;
    result->threads = facts.threads;
    result->precision = facts.precision;
    result->isa = facts.isa;
    result->best = fastest * result->bonds;
    result->median = bench_quantile(rates, WORLD_WINDOWS, 0.5) * result->bonds;
    result->voxel_steps = fastest * result->voxels;
    result->robot_steps = fastest;
    result->dipole_pairs = result->which->law == BENCH_DIPOLES
                               ? fastest * result->voxels * (result->voxels - 1) / 2
                               : 0;
    result->simulated = fastest * facts.time_step;
    result->time_step = facts.time_step;
    result->damping_sweeps = facts.damping_sweeps;
    return true;
}

static bool measure_world(const bench_choice *choice, bench_result *result, vxe_error *error)
{
    const vxe_world_def def = world_def(choice);
    vxe_design *design = bench_case_design(result->which, 0, choice->ratio, error);
    const double start = bench_seconds();
    vxe_world *world = design ? vxe_world_create(design, &def, error) : NULL;
    result->compile_seconds = bench_seconds() - start;
    const bool done = world && time_world(world, choice->seconds, result, error);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return done;
}

/* Time and work of one run of a batch. */
typedef struct batch_window {
    double seconds;
    double bond_updates;
    double voxel_steps;
    double robot_steps;
    double simulated; /* s */
} batch_window;

/* Adds up the results of all robots, and takes their means; false if a robot did not finish. */
static bool take_results(const vxe_batch *batch, batch_window *window, bench_result *result,
                         vxe_error *error)
{
    const uint32_t robots = vxe_batch_count(batch);
    result->voxels = result->bonds = result->time_step = result->damping_sweeps = 0;
    for (uint32_t r = 0; r < robots; r++) {
        const vxe_batch_result one = vxe_batch_result_of(batch, r);
        if (one.status != VXE_ROBOT_DONE) {
            snprintf(error->message, sizeof error->message, "robot %u: %.700s", r, one.message);
            return false;
        }
        window->bond_updates += (double)one.bonds * (double)one.steps;
        window->voxel_steps += (double)one.voxels * (double)one.steps;
        window->robot_steps += (double)one.steps;
        window->simulated += one.time;
        result->voxels += one.voxels;
        result->bonds += (double)one.bonds;
        result->time_step += one.time_step;
        result->damping_sweeps += one.damping_sweeps;
    }
    result->voxels /= robots;
    result->bonds /= robots;
    result->time_step /= robots;
    result->damping_sweeps /= robots;
    const vxe_batch_facts facts = vxe_batch_describe(batch);
    result->threads = facts.threads;
    result->precision = facts.precision;
    result->isa = facts.isa;
    result->robots_in_lanes = facts.robots_in_lanes;
    return true;
}

/* Runs the first `robots` designs for `steps` steps each, from their start. */
static bool run_batch(vxe_design *const *designs, uint32_t robots, uint64_t steps,
                      const bench_choice *choice, batch_window *window, bench_result *result,
                      vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    def.world = world_def(choice);
    def.steps = steps;
    const double start = bench_seconds();
    vxe_batch *batch = vxe_batch_create(&def, error);
    bool good = batch != NULL;
    for (uint32_t r = 0; r < robots && good; r++) {
        good = vxe_batch_add(batch, designs[r], error) == VXE_OK;
    }
    good = good && vxe_batch_run(batch, NULL, NULL, error) == VXE_OK;
    *window = (batch_window){.seconds = bench_seconds() - start};
    good = good && take_results(batch, window, result, error);
    vxe_batch_destroy(batch);
    return good;
}

/* Time (s) that a robot takes. */
typedef struct batch_cost {
    double setup; /* before its first step */
    double step;
} batch_cost;

static bool find_cost(vxe_design *const *designs, uint32_t robots, double seconds,
                      const bench_choice *choice, batch_cost *cost, bench_result *result,
                      vxe_error *error)
{
    batch_window window;
    if (!run_batch(designs, robots, 1, choice, &window, result, error)) {
        return false;
    }
    const double first = window.seconds;
    uint64_t steps = MIN_STEPS / 2;
    do {
        steps *= 2;
        if (!run_batch(designs, robots, steps, choice, &window, result, error)) {
            return false;
        }
    } while (window.seconds < 0.3 * seconds);
    /* with noise, the difference may be too small or even negative */
    const double stepping = window.seconds - first;
    cost->step = (stepping > 0.1 * window.seconds ? stepping : 0.1 * window.seconds) /
                 ((double)steps * robots);
    cost->setup = first / robots;
    return true;
}

/* Number of robots in a window: as few as fill the vectors of all threads, and more if there is
   time for GOOD_STEPS of each. */
static uint32_t window_robots(const bench_case *which, double seconds, const bench_choice *choice,
                              batch_cost cost)
{
    const uint32_t unit = GROUP_ROBOTS * choice->threads;
    const uint32_t min = MIN_GROUPS * unit;
    const double affordable = seconds / (cost.setup + GOOD_STEPS * cost.step);
    uint32_t robots =
        affordable < which->robots ? (uint32_t)affordable / unit * unit : which->robots;
    robots = robots > min ? robots : min;
    return robots < which->robots ? robots : which->robots;
}

static bool time_batch(vxe_design *const *designs, const bench_choice *choice, bench_result *result,
                       vxe_error *error)
{
    const double seconds = choice->seconds / BATCH_WINDOWS;
    const uint32_t max = result->which->robots;
    const uint32_t min = MIN_GROUPS * GROUP_ROBOTS * choice->threads;
    batch_cost cost;
    if (!find_cost(designs, min < max ? min : max, seconds, choice, &cost, result, error)) {
        return false;
    }
    result->robots = window_robots(result->which, seconds, choice, cost);
    const double steps = (seconds / result->robots - cost.setup) / cost.step;
    result->steps = steps > MIN_STEPS ? (uint64_t)steps : MIN_STEPS;
    double rates[BATCH_WINDOWS]; /* bond updates/s */
    batch_window best = {0};
    for (int i = 0; i < BATCH_WINDOWS; i++) {
        batch_window window;
        if (!run_batch(designs, result->robots, result->steps, choice, &window, result, error)) {
            return false;
        }
        rates[i] = window.bond_updates / window.seconds;
        best = i == 0 || window.seconds < best.seconds ? window : best;
    }
    result->best = bench_quantile(rates, BATCH_WINDOWS, 1);
    result->median = bench_quantile(rates, BATCH_WINDOWS, 0.5);
    result->voxel_steps = best.voxel_steps / best.seconds;
    result->robot_steps = best.robot_steps / best.seconds;
    result->simulated = best.simulated / best.seconds;
    result->setup_share = cost.setup * result->robots / best.seconds;
    return true;
}

static bool measure_batch(const bench_choice *choice, bench_result *result, vxe_error *error)
{
    const uint32_t robots = result->which->robots;
    vxe_design **designs = calloc(robots, sizeof *designs);
    bool good = designs != NULL;
    for (uint32_t r = 0; r < robots && good; r++) {
        designs[r] = bench_case_design(result->which, r, choice->ratio, error);
        good = designs[r] != NULL;
    }
    good = good && time_batch(designs, choice, result, error);
    for (uint32_t r = 0; designs && r < robots; r++) {
        vxe_design_destroy(designs[r]);
    }
    free(designs);
    return good;
}

bool bench_measure(const bench_case *which, const bench_choice *choice, bench_result *result,
                   vxe_error *error)
{
    *result = (bench_result){.which = which};
    return which->robots > 1 ? measure_batch(choice, result, error)
                             : measure_world(choice, result, error);
}
