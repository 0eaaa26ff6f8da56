/* SPDX-License-Identifier: MIT */
/* Which robots of a team share vectors, and a tick of all of them. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel.h"
#include "common/status_internal.h"
#include "engine/team/team_data.h"

/* Whether a robot may share lanes at all; why not is noted. */
static bool may_share(const vxe_team *team, vxe_team_member *member)
{
    member->alone_because = team->def.schedule == VXE_BATCH_ALONE
                                ? "as asked"
                                : vxe_lanes_refusal(&member->world->simulation.model);
    return !member->alone_because;
}

/* Makes a vector of up to VXE_MAX_LANES robots, and loads it; null where they are faster alone, or
   without memory. place: of the first of them among the `same` robots of their key. */
static vxe_team_vector *make_vector(const vxe_team *team, vxe_robot *const *robots, uint32_t count,
                                    uint32_t place, uint32_t same, bool *complete)
{
    vxe_error error;
    vxe_team_vector *vector = vxe_memory_take(1, sizeof *vector);
    *complete = vector && !vxe_lanes_init(&vector->lanes, team->kernels, &error) &&
                !vxe_lanes_load(&vector->lanes, robots, count, &error);
    if (*complete && (team->def.schedule == VXE_BATCH_LANES ||
                      vxe_lanes_are_worth(&vector->lanes, place, same, team->threads))) {
        return vector;
    }
    if (vector) {
        vxe_lanes_clear(&vector->lanes);
        vxe_memory_release(vector);
    }
    return NULL;
}

/* Puts robots of one key, which are in order, into vectors; some are left to run alone. */
static bool fill_vectors(vxe_team *team, vxe_robot *const *robots, uint32_t count)
{
    const uint32_t width = vxe_lane_kernels_of(team->kernels)->lanes;
    for (uint32_t first = 0; first < count; first += width) {
        const uint32_t part = count - first < width ? count - first : width;
        bool complete = true;
        vxe_team_vector *vector = make_vector(team, robots + first, part, first, count, &complete);
        if (!complete) {
            return false;
        }
        for (uint32_t i = 0; i < part; i++) {
            const uint32_t number = (uint32_t)(robots[first + i] - team->robots);
            vxe_team_member *member = &team->members[number];
            member->vector = vector ? team->vector_count : VXE_NONE;
            member->alone_because = vector ? NULL : "faster alone";
            if (vector) {
                vector->member[vector->count++] = number;
            }
        }
        if (vector) {
            team->vectors[team->vector_count++] = vector;
        }
    }
    return true;
}

/* Robots share lanes where law, passes and steps of a tick are the same. */
static bool are_alike(const vxe_team_member *one, const vxe_team_member *two)
{
    return one->steps == two->steps && vxe_lanes_key(one->robot) == vxe_lanes_key(two->robot) &&
           one->world->simulation.model.precision == two->world->simulation.model.precision;
}

vxe_status vxe_team_form(vxe_team *team, vxe_error *error)
{
    vxe_robot **alike = vxe_memory_take(team->count, sizeof(vxe_robot *));
    bool *done = vxe_memory_take(team->count, sizeof *done);
    team->vectors = vxe_memory_take(team->count, sizeof *team->vectors);
    team->alone = vxe_memory_take(team->count, sizeof *team->alone);
    bool complete = alike && done && team->vectors && team->alone;
    for (uint32_t i = 0; i < team->count && complete; i++) {
        team->members[i].vector = VXE_NONE;
        done[i] = !may_share(team, &team->members[i]);
    }
    for (uint32_t i = 0; i < team->count && complete; i++) {
        uint32_t count = 0;
        for (uint32_t k = i; k < team->count && !done[i]; k++) {
            if (!done[k] && are_alike(&team->members[i], &team->members[k])) {
                alike[count++] = team->members[k].robot;
                done[k] = k != i;
            }
        }
        done[i] = true;
        complete =
            count == 0 ||
            (!vxe_grouping_order(alike, count, vxe_lane_kernels_of(team->kernels)->lanes, error) &&
             fill_vectors(team, alike, count));
    }
    for (uint32_t i = 0; i < team->count && complete; i++) {
        if (team->members[i].vector == VXE_NONE) {
            team->alone[team->alone_count++] = i;
        }
    }
    vxe_memory_release(alike);
    vxe_memory_release(done);
    return complete ? VXE_OK : vxe_error_memory(error, team->count * sizeof(vxe_team_vector));
}

void vxe_team_disband(vxe_team *team)
{
    for (uint32_t v = 0; v < team->vector_count; v++) {
        vxe_lanes_clear(&team->vectors[v]->lanes);
        vxe_memory_release(team->vectors[v]);
    }
    vxe_memory_release(team->vectors);
    vxe_memory_release(team->alone);
    team->vectors = NULL;
    team->alone = NULL;
    team->vector_count = team->alone_count = 0;
}

void vxe_team_halt(vxe_team_member *member, vxe_status status)
{
    member->world->diverged = true;
    member->error = member->world->divergence;
    member->state = status == VXE_ERROR_UNPHYSICAL ? VXE_TEAM_UNPHYSICAL : VXE_TEAM_DIVERGED;
}

/* Takes a robot out of its lane. */
static void leave(vxe_team_vector *vector, uint32_t lane, vxe_team_member *member)
{
    vxe_world *world = member->world;
    vxe_lanes_store_one(&vector->lanes, lane);
    vxe_lanes_release(&vector->lanes, member->robot);
    vector->lane[lane] = VXE_NONE;
    vxe_team_halt(member, vxe_simulation_diverged(&world->simulation, &world->divergence));
}

/* Loads the robots of a vector that run; returns their number. */
static vxe_status load(vxe_team *team, vxe_team_vector *vector, uint32_t *running, vxe_error *error)
{
    vxe_robot *robots[VXE_MAX_LANES];
    *running = 0;
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        vector->lane[lane] = VXE_NONE;
    }
    for (uint32_t i = 0; i < vector->count; i++) {
        vxe_team_member *member = &team->members[vector->member[i]];
        vxe_lanes_release(&vector->lanes, member->robot);
        if (member->state == VXE_TEAM_RUNS) {
            vector->lane[*running] = vector->member[i];
            robots[(*running)++] = member->robot;
        }
    }
    vector->loaded = true;
    return *running > 0 ? vxe_lanes_load(&vector->lanes, robots, *running, error) : VXE_OK;
}

/* Puts the targets of the tick into the lanes; returns the number of robots that run. */
static uint32_t put_targets(vxe_team *team, vxe_team_vector *vector)
{
    uint32_t running = 0;
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        const uint32_t number = vector->lane[lane];
        if (number != VXE_NONE) {
            running++;
            if (team->groups > 0) {
                vxe_team_put_targets(team, number);
                vxe_lanes_put_targets(&vector->lanes, lane);
            }
        }
    }
    return running;
}

/* Advances the robots of a vector by a tick. */
static vxe_status tick_vector(vxe_team *team, vxe_team_vector *vector, vxe_error *error)
{
    uint32_t running = 0;
    if (!vector->loaded && load(team, vector, &running, error)) {
        return error->status;
    }
    running = put_targets(team, vector);
    const uint64_t steps = team->members[vector->member[0]].steps;
    for (uint64_t gone = 0; gone < steps && running > 0;) {
        uint64_t done = 0;
        if (vxe_lanes_guarded_run(&vector->lanes, steps - gone, &done, error)) {
            return error->status;
        }
        gone += done;
        for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
            const uint32_t number = vector->lane[lane];
            if (number != VXE_NONE && team->members[number].world->simulation.failure.kind) {
                leave(vector, lane, &team->members[number]);
                running--;
            }
        }
    }
    vxe_lanes_store(&vector->lanes);
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        const uint32_t number = vector->lane[lane];
        if (number != VXE_NONE) {
            vxe_team_member *member = &team->members[number];
            if (!vxe_state_is_finite(&member->world->simulation.state,
                                     member->world->simulation.model.topology.voxel_count)) {
                leave(vector, lane, member);
            } else {
                vxe_team_read(team, number);
            }
        }
    }
    return VXE_OK;
}

/* Advances a robot that runs alone by a tick. */
static vxe_status tick_alone(vxe_team *team, uint32_t number, vxe_error *error)
{
    vxe_team_member *member = &team->members[number];
    if (member->state != VXE_TEAM_RUNS) {
        return VXE_OK;
    }
    if (team->groups > 0) {
        vxe_team_put_targets(team, number);
    }
    const vxe_status status = vxe_world_advance(member->world, member->steps, error);
    if (vxe_status_is_failure(status)) {
        vxe_team_halt(member, status);
        return VXE_OK;
    }
    if (!status) {
        vxe_team_read(team, number);
    }
    return status;
}

/* A tick of one vector, or of one robot that runs alone. */
static void tick_item(void *context, uint32_t item)
{
    vxe_team *team = context;
    vxe_error error;
    const uint64_t failures = vxe_memory_failures();
    const vxe_status status =
        item < team->vector_count
            ? tick_vector(team, team->vectors[item], &error)
            : tick_alone(team, team->alone[item - team->vector_count], &error);
    if (status || vxe_memory_check(failures, NULL)) {
        atomic_store(&team->short_of_memory, true);
    }
}

vxe_status vxe_team_tick(vxe_team *team, vxe_error *error)
{
    const uint32_t items = team->vector_count + team->alone_count;
    VXE_ASSERT(items > 0 && (team->targets || team->groups == 0 || vxe_team_decides(team)));
    vxe_parallel_each(items, team->threads < items ? team->threads : items, tick_item, team);
    return vxe_team_check_memory(team, error);
}
