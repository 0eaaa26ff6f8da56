/* SPDX-License-Identifier: MIT */
/* Robots sorted into groups, and groups into rounds: as many groups as threads go forwards, the
   objective is asked of their robots, and they go back. */
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#include <string.h>
#include <time.h>

#include "common/memory.h"
#include "common/parallel.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/gradient/gradient_data.h"

/* Groups that run at the same time. */
typedef struct gradient_round {
    vxe_gradient *gradient;
    vxe_gradient_group **groups; /* (threads) */
    uint32_t count;
    bool *done;                                         /* (robots) are in a group */
    uint32_t first;                                     /* robots before it are done */
    vxe_gradient_robot **robots;                        /* (lanes) of a group */
    void (*part)(vxe_gradient_group *group, bool asks); /* forwards, or backwards */
    atomic_uint at_end;                                 /* threads, but the first, that are done */
} gradient_round;

bool vxe_gradient_goes_on(vxe_gradient *gradient, bool asks)
{
    if (asks && gradient->watch && !atomic_load(&gradient->stopped) &&
        !gradient->watch(gradient->watcher)) {
        atomic_store(&gradient->stopped, true);
    }
    return !atomic_load(&gradient->stopped);
}

/* Puts robot i back to its start; compiles it where numbers were put. One that cannot be compiled
   says why, and does not run. */
static void rewind_one(void *user, uint32_t i)
{
    const gradient_round *round = user;
    vxe_gradient_robot *robot = &round->gradient->robots[i];
    vxe_simulation *simulation = &robot->simulation;
    robot->error = (vxe_error){.status = VXE_OK};
    robot->facts = (vxe_gradient_facts){0};
    if (robot->changed) {
        robot->changed = vxe_gradient_compile(round->gradient, robot, &robot->error);
    }
    round->done[i] = robot->error.status;
    if (!robot->error.status) {
        simulation->failure = (vxe_failure){0};
        robot->robot = (vxe_robot){.simulation = simulation};
        vxe_state_copy(&simulation->state, &robot->start);
        vxe_gradient_control_rewind(robot);
    }
}

/* Takes the next robots of one key, at most as many as lanes. */
static uint32_t next_robots(gradient_round *round)
{
    vxe_gradient *gradient = round->gradient;
    const uint32_t lanes = vxe_lane_kernels_of(gradient->kernels)->lanes;
    uint32_t count = 0;
    while (round->first < gradient->count && round->done[round->first]) {
        round->first++;
    }
    for (uint32_t i = round->first; i < gradient->count && count < lanes; i++) {
        vxe_gradient_robot *robot = &gradient->robots[i];
        if (!round->done[i] && (count == 0 || vxe_lanes_key(&robot->robot) ==
                                                  vxe_lanes_key(&round->robots[0]->robot))) {
            round->robots[count++] = robot;
            round->done[i] = true;
        }
    }
    return count;
}

/* One thread of a part. The first, which is that of the caller, asks the watch until the others are
   done, too. */
static void run_groups(void *context, uint32_t thread, uint32_t threads)
{
    const struct timespec moment = {.tv_nsec = 200000}; /* how much later the part may end */
    gradient_round *round = context;
    for (uint32_t i = thread; i < round->count; i += threads) {
        round->part(round->groups[i], thread == 0);
    }
    if (thread > 0) {
        atomic_fetch_add(&round->at_end, 1);
    }
    while (thread == 0 && round->gradient->watch && atomic_load(&round->at_end) + 1 < threads) {
        (void)vxe_gradient_goes_on(round->gradient, true);
        nanosleep(&moment, NULL);
    }
}

/* Carries out a part of a run in all groups of a round. Returns whether the run goes on. */
static bool run_part(gradient_round *round, void (*part)(vxe_gradient_group *group, bool asks))
{
    round->part = part;
    atomic_store(&round->at_end, 0);
    vxe_parallel_run(round->count > 0 ? round->count : 1, run_groups, round);
    return vxe_gradient_goes_on(round->gradient, true);
}

/* Runs the next groups; *more: there were some, and the run goes on. */
static vxe_status run_round(gradient_round *round, vxe_objective objective, void *user, bool *more,
                            vxe_error *error)
{
    vxe_gradient *gradient = round->gradient;
    vxe_status status = VXE_OK;
    uint32_t robots = 1;
    const uint32_t groups = gradient->policy.act ? 1 : gradient->threads; /* it is asked here */
    round->count = 0;
    while (round->count < groups && robots > 0 && !status) {
        robots = next_robots(round);
        if (robots > 0) {
            vxe_gradient_group *group = vxe_gradient_group_create(
                gradient, &gradient->stores[round->count], round->robots, robots, error);
            status = group ? VXE_OK : VXE_ERROR_MEMORY;
            round->groups[round->count] = group;
            round->count += group != NULL;
        }
    }
    const bool ran = round->count > 0 && !status && run_part(round, vxe_gradient_group_forwards);
    for (uint32_t i = 0; i < round->count && ran; i++) {
        vxe_gradient_group_ask(round->groups[i], objective, user);
    }
    *more = ran && vxe_gradient_goes_on(gradient, true) &&
            run_part(round, vxe_gradient_group_backwards);
    for (uint32_t i = 0; i < round->count; i++) {
        vxe_gradient_group_destroy(round->groups[i]);
    }
    return status;
}

/* Runs all rounds. Where one fails or the run is given up, no robot has numbers. */
static vxe_status run_rounds(gradient_round *round, vxe_objective objective, void *user,
                             vxe_error *error)
{
    vxe_gradient *gradient = round->gradient;
    vxe_status status = VXE_OK;
    vxe_parallel_each(gradient->count, gradient->threads, rewind_one, round);
    for (bool more = true; more && !status;) {
        status = run_round(round, objective, user, &more, error);
    }
    for (uint32_t i = 0; i < gradient->count && (status || atomic_load(&gradient->stopped)); i++) {
        vxe_gradient_await(gradient, i);
    }
    return status;
}

vxe_status vxe_gradient_run(vxe_gradient *gradient, vxe_objective objective, void *user,
                            vxe_error *error)
{
    return vxe_gradient_run_watched(gradient, objective, NULL, user, error);
}

vxe_status vxe_gradient_run_watched(vxe_gradient *gradient, vxe_objective objective,
                                    vxe_gradient_watch watch, void *user, vxe_error *error)
{
    const uint32_t lanes = vxe_lane_kernels_of(gradient->kernels)->lanes;
    gradient_round round = {.gradient = gradient};
    round.groups = vxe_memory_take(gradient->threads, sizeof(vxe_gradient_group *));
    round.done = vxe_memory_take(gradient->count, sizeof *round.done);
    round.robots = vxe_memory_take(lanes, sizeof(vxe_gradient_robot *));
    vxe_status status = round.groups && round.done && round.robots
                            ? VXE_OK
                            : vxe_error_memory(error, gradient->count);
    gradient->watch = watch;
    gradient->watcher = user;
    atomic_store(&gradient->stopped, false);
    status = status ? status : run_rounds(&round, objective, user, error);
    vxe_memory_release(round.groups);
    vxe_memory_release(round.done);
    vxe_memory_release(round.robots);
    return status;
}
