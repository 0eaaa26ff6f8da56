/* SPDX-License-Identifier: MIT */
/* States of the robots of a team: resets to the start, and copies for the caller. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/parallel.h"
#include "common/status_internal.h"
#include "engine/team/team_data.h"

/* m or m/s: the largest component of a shift or a push. */
#define LARGEST 1e6

/* Refuses a start that is none. */
static vxe_status check_start(const vxe_team_start *start, uint32_t robot, vxe_error *error)
{
    bool good = true;
    double turn2 = 0;
    for (int c = 0; c < 3; c++) {
        good = good && fabs(start->shift[c]) < LARGEST && fabs(start->push[c]) < LARGEST;
        turn2 += start->turn[c] * start->turn[c];
    }
    return good && turn2 < 1
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "robot %u: a start's shift and push must be numbers below 1e6, its "
                                "turn shorter than 1 rad",
                                robot);
}

/* Adds a velocity (m/s) to all voxels that are free. */
static void push(vxe_simulation *simulation, const double by[3])
{
    const vxe_model *model = &simulation->model;
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        for (int c = 0; c < 3; c++) {
            if (vxe_real_at(model->precision, model->arrays.inverse_mass[c], slot) > 0) {
                vxe_state_put_velocity(&simulation->state, c, slot,
                                       vxe_state_velocity(&simulation->state, c, slot) + by[c]);
            }
        }
    }
}

/* A robot has another state: it runs, and its vector is loaded again before the next tick. */
static void begin(vxe_team *team, uint32_t robot)
{
    vxe_team_member *member = &team->members[robot];
    vxe_world_restate(member->world);
    member->state = VXE_TEAM_RUNS;
    member->error = (vxe_error){.status = VXE_OK};
    vxe_team_read(team, robot);
}

static void reset_one(void *context, uint32_t robot)
{
    vxe_team *team = context;
    if (team->which && !team->which[robot]) {
        return;
    }
    vxe_team_member *member = &team->members[robot];
    vxe_state_copy(&member->world->simulation.state, &member->start);
    if (team->starts) {
        const vxe_team_start *start = &team->starts[robot];
        vxe_simulation_displace(&member->world->simulation, start->turn, start->shift);
        push(&member->world->simulation, start->push);
    }
    begin(team, robot);
}

/* The vectors of robots that were reset are loaded again. */
static void reload(vxe_team *team)
{
    for (uint32_t i = 0; i < team->count; i++) {
        const uint32_t vector = team->members[i].vector;
        if (vector != VXE_NONE && (!team->which || team->which[i])) {
            team->vectors[vector]->loaded = false;
        }
    }
}

vxe_status vxe_team_reset(vxe_team *team, const uint8_t *which, const vxe_team_start *starts,
                          float *observations, vxe_error *error)
{
    for (uint32_t i = 0; i < team->count && starts; i++) {
        if ((!which || which[i]) && check_start(&starts[i], i, error)) {
            return error->status;
        }
    }
    team->which = which;
    team->starts = starts;
    vxe_parallel_each(team->count, team->threads, reset_one, team);
    reload(team);
    team->which = NULL;
    team->starts = NULL;
    vxe_team_report(team, observations, NULL);
    return vxe_team_check_memory(team, error);
}

/* What stands before the states in saved bytes, and behind it that of each robot. */
typedef struct saved_head {
    uint64_t identity; /* of the team */
    uint64_t bytes;
    uint64_t checksum; /* of what is behind the head */
} saved_head;

/* Hash of bytes, a multiple of eight. */
static uint64_t sum_of(const uint8_t *bytes, uint64_t count)
{
    vxe_hash hash = {0};
    VXE_ASSERT(count % sizeof(uint64_t) == 0);
    for (uint64_t at = 0; at < count; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, sizeof word);
        vxe_hash_word(&hash, word);
    }
    return vxe_hash_end(&hash);
}

/* Bytes of a robot: whether it runs, and its state; a multiple of eight. */
static uint64_t bytes_of(const vxe_team_member *member)
{
    const uint64_t bytes = vxe_state_bytes(&member->world->simulation.state);
    return sizeof(uint64_t) + (bytes + 7) / 8 * 8;
}

uint64_t vxe_team_saved_bytes(const vxe_team *team)
{
    uint64_t bytes = sizeof(saved_head);
    for (uint32_t i = 0; i < team->count; i++) {
        bytes += bytes_of(&team->members[i]);
    }
    return bytes;
}

void vxe_team_save(const vxe_team *team, void *into)
{
    saved_head head = {team->identity, vxe_team_saved_bytes(team), 0};
    uint8_t *at = (uint8_t *)into + sizeof head;
    memset(at, 0, head.bytes - sizeof head);
    for (uint32_t i = 0; i < team->count; i++) {
        const uint64_t state = team->members[i].state;
        memcpy(at, &state, sizeof state);
        vxe_state_pack(&team->members[i].world->simulation.state, at + sizeof state);
        at += bytes_of(&team->members[i]);
    }
    head.checksum = sum_of((uint8_t *)into + sizeof head, head.bytes - sizeof head);
    memcpy(into, &head, sizeof head);
}

/* Takes over the state of a robot. */
static void load_one(vxe_team *team, uint32_t robot, const uint8_t *from)
{
    vxe_team_member *member = &team->members[robot];
    uint64_t state = 0;
    memcpy(&state, from, sizeof state);
    vxe_state_unpack(&member->world->simulation.state, from + sizeof state);
    begin(team, robot);
    if (state != VXE_TEAM_RUNS) {
        vxe_error_fill(&member->world->divergence,
                       state == VXE_TEAM_UNPHYSICAL ? VXE_ERROR_UNPHYSICAL : VXE_ERROR_DIVERGED,
                       "stood still when the team was saved");
        vxe_team_halt(member, member->world->divergence.status);
    }
}

vxe_status vxe_team_load(vxe_team *team, const void *from, uint64_t bytes, vxe_error *error)
{
    saved_head head = {0};
    const uint8_t *at = (const uint8_t *)from + sizeof head;
    if (bytes >= sizeof head) {
        memcpy(&head, from, sizeof head);
    }
    if (head.identity != team->identity || head.bytes != bytes ||
        bytes != vxe_team_saved_bytes(team)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "these are no states of a team of the same designs and choices");
    }
    if (sum_of(at, bytes - sizeof head) != head.checksum) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "the states of the team are damaged");
    }
    for (uint32_t i = 0; i < team->count; i++) {
        load_one(team, i, at);
        at += bytes_of(&team->members[i]);
    }
    reload(team);
    return vxe_team_check_memory(team, error);
}
