/* SPDX-License-Identifier: MIT */
/* Robots of a batch that consist of affine bodies which touch nothing: the bodies of many robots
   are advanced side by side, in the lanes of vectors. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/affine/affine.h"
#include "engine/batch/batch_data.h"
#include "engine/world/world_data.h"

/* Robots that are advanced together: many more than lanes, so that lanes stay full to the end. */
#define MAX_TOGETHER 256u
/* Parts of steps in a visit, which take some tens of milliseconds, so that a watcher can stop the
   batch. A visit has at least one step, and the first visit has one. */
#define VISIT_PARTS 250000.0

/* One of the robots that are advanced together. */
typedef struct member {
    vxe_robot *robot; /* null: it is at its end */
    vxe_world *world;
    uint64_t until;         /* step at which this visit ends */
    double start_time;      /* s: displacement counts from here */
    double start_center[3]; /* m: centre of mass then */
} member;

/* The robots that are advanced together. */
typedef struct together {
    member *members; /* (MAX_TOGETHER) */
    uint32_t count;
    uint32_t bodies;      /* affine bodies of all members */
    uint64_t visit;       /* steps of a member in the next visit, at most */
    vxe_affine_way *ways; /* (bodies) */
} together;

/* Removes a member that is at its end. */
static void leave(member *m)
{
    vxe_world_destroy(m->world);
    *m = (member){.robot = NULL};
}

/* Takes robots from the queue and makes their worlds. */
static vxe_status gather(together *c, vxe_batch_worker *worker, vxe_batch_queue *queue,
                         vxe_error *error)
{
    vxe_batch *batch = worker->batch;
    c->count = c->bodies = 0;
    c->visit = 1;
    while (c->count < MAX_TOGETHER) {
        vxe_robot *robot = vxe_batch_take(queue);
        if (!robot) {
            break;
        }
        vxe_batch_entry *entry = &batch->entries[robot->run->index];
        vxe_world_def def = batch->def.world;
        def.threads = 1;
        vxe_world *world = vxe_world_create(robot->simulation->design, &def, &entry->error);
        if (world) {
            c->members[c->count++] = (member){.robot = robot, .world = world};
            c->bodies += world->affine.count;
        } else if (entry->error.status == VXE_ERROR_MEMORY) {
            *error = entry->error;
            return VXE_ERROR_MEMORY;
        } else {
            (void)vxe_batch_refuse(batch, robot, entry->error.status);
        }
    }
    VXE_ASSERT(c->count <= MAX_TOGETHER);
    vxe_memory_release(c->ways);
    c->ways = c->bodies > 0 ? vxe_memory_take(c->bodies, sizeof *c->ways) : NULL;
    return c->ways || c->bodies == 0 ? VXE_OK
                                     : vxe_error_memory(error, c->bodies * sizeof *c->ways);
}

/* Prepares the ways of all bodies, to the next event of their robot or to the end of the visit.
   Returns the number of ways. */
static uint32_t set_out(together *c)
{
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        member *m = &c->members[i];
        if (!m->robot) {
            continue;
        }
        const vxe_state *state = &m->world->simulation.state;
        const vxe_affine_clock clock = {state->base_time, state->time_step, state->base_step};
        if (state->step == m->robot->run->start_step) {
            m->start_time = vxe_world_time(m->world);
            vxe_world_center_of_mass(m->world, m->start_center, NULL);
        }
        const uint64_t event = state->step < m->robot->run->start_step ? m->robot->run->start_step
                                                                       : m->robot->run->last_step;
        VXE_ASSERT(event >= state->step && c->visit > 0);
        const uint64_t due = event - state->step;
        m->until = state->step + (due < c->visit ? due : c->visit);
        if (due > 0) {
            vxe_affine_set_out(&m->world->affine, c->ways + bodies, &clock, state->step, m->until);
            for (uint32_t b = 0; b < m->world->affine.count; b++) {
                c->ways[bodies + b].owner = i;
            }
            bodies += m->world->affine.count;
            VXE_ASSERT(bodies <= c->bodies);
        }
    }
    return bodies;
}

/* Ends a visit: writes the results of robots that are at their ends. A robot that could not go on
   runs again from its start alone, which gives the reason. Returns whether any robot is left. */
static bool arrive(together *c, vxe_batch_worker *worker, uint32_t bodies, vxe_status *status,
                   vxe_error *error)
{
    bool any = false;
    for (uint32_t w = 0; w < bodies && !*status; w++) {
        VXE_ASSERT(c->ways[w].owner < c->count);
        member *m = &c->members[c->ways[w].owner];
        if (m->robot && c->ways[w].fate != VXE_AFFINE_GOES_ON) {
            vxe_robot *robot = m->robot;
            leave(m);
            *status = vxe_batch_run_trial(worker, robot, error);
        }
    }
    for (uint32_t i = 0; i < c->count && !*status; i++) {
        member *m = &c->members[i];
        if (!m->robot) {
            continue;
        }
        m->world->simulation.state.step = m->until;
        if (m->until >= m->robot->run->last_step) {
            vxe_batch_result *result = &worker->batch->entries[m->robot->run->index].result;
            if (m->until == m->robot->run->start_step) { /* it ends when it has settled */
                m->start_time = vxe_world_time(m->world);
                vxe_world_center_of_mass(m->world, m->start_center, NULL);
            }
            vxe_batch_tell(m->world, m->start_time, m->start_center, VXE_OK, result);
            result->in_lanes = true;
            atomic_fetch_add(&worker->batch->finished, 1);
            leave(m);
        }
        any = any || m->robot;
    }
    return any;
}

/* Chooses the steps of the next visit, by the number of parts that this one took. */
static void plan_visit(together *c, uint32_t bodies)
{
    double parts = 1;
    for (uint32_t w = 0; w < bodies; w++) {
        parts += (double)c->ways[w].parts;
    }
    const double steps = (double)c->visit * VISIT_PARTS / parts;
    c->visit = steps < 1 ? 1 : steps < 8.0 * (double)c->visit ? (uint64_t)steps : 8 * c->visit;
}

vxe_status vxe_batch_run_bodies(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error)
{
    together c = {.members = vxe_memory_take(MAX_TOGETHER, sizeof *c.members)};
    vxe_status status =
        c.members ? VXE_OK : vxe_error_memory(error, MAX_TOGETHER * sizeof *c.members);
    bool more = !status;
    while (more && !status && !vxe_batch_is_stopped(worker)) {
        status = gather(&c, worker, queue, error);
        more = c.count > 0;
        bool any = more && !status;
        while (any && !vxe_batch_is_stopped(worker)) {
            const uint32_t bodies = set_out(&c);
            vxe_affine_run_ways(vxe_affine_kernels_of(worker->batch->kernels), c.ways, bodies);
            plan_visit(&c, bodies);
            any = arrive(&c, worker, bodies, &status, error) && !status;
        }
        for (uint32_t i = 0; i < c.count; i++) {
            leave(&c.members[i]);
        }
    }
    vxe_memory_release(c.members);
    vxe_memory_release(c.ways);
    return status;
}
