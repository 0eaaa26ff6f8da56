/* SPDX-License-Identifier: MIT */
/* A team from its creation to its destruction: a world for each robot, vectors for those that share
   lanes, and its ticks. */
#include "engine/team.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/float_internal.h"
#include "common/memory.h"
#include "common/parallel.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/team/team_data.h"

#define COOKIE 0x7465616du /* "team" */
/* Ticks of settling, at most. */
#define MAX_SETTLE 1e6

vxe_team_def vxe_team_def_default(void)
{
    return (vxe_team_def){.cookie = COOKIE,
                          .world = vxe_world_def_default(),
                          .interval = 1.0 / 60,
                          .min_target = 0.6,
                          .max_target = 1.6};
}

static vxe_status check(const vxe_team_def *def, uint32_t count, vxe_error *error)
{
    if (def->cookie != COOKIE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the team's definition did not start from vxe_team_def_default()");
    }
    if (count == 0) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "a team needs at least one robot");
    }
    if (vxe_world_def_check(&def->world, error)) {
        return error->status;
    }
    if (def->world.audit) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a team keeps no energy audit: switch it off");
    }
    if (!(def->interval >= VXE_SHORTEST_TICK && def->interval < 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the team's interval is %g s; it must be 1e-9 to below 1e6",
                              def->interval);
    }
    if (!(def->min_target > 0 && def->min_target <= 1 && def->max_target >= 1 &&
          def->max_target <= 10)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the team's targets are %g to %g; they must be above 0, at most 10, "
                              "and hold 1",
                              def->min_target, def->max_target);
    }
    if (!(def->settle >= 0 && def->settle <= MAX_SETTLE * def->interval)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the team settles for %g s; it must be 0 to %g", def->settle,
                              MAX_SETTLE * def->interval);
    }
    return def->schedule <= VXE_BATCH_ALONE
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "the team's schedule is %d; it must be 0 to %d", (int)def->schedule,
                                VXE_BATCH_ALONE);
}

/* Compiles a robot. */
static vxe_status prepare(const vxe_team_def *def, vxe_team_member *member, vxe_error *error)
{
    if (member->design->affine_count > 0 || member->design->voxel_count == 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "robots of a team are made of voxels alone, without affine bodies");
    }
    member->world = vxe_world_make(member->design, &def->world, false, error);
    if (!member->world) {
        return error->status;
    }
    vxe_simulation *simulation = &member->world->simulation;
    simulation->design = member->design; /* it stays for as long as the team does */
    *member->robot =
        (vxe_robot){simulation, &member->world->guard, &member->world->workspace, .run = NULL};
    vxe_status status = vxe_world_divide(member->world, def->min_target, def->max_target,
                                         def->interval, &member->steps, error);
    status = status ? status
                    : vxe_sensing_init(&member->sensing, simulation, &member->world->workspace,
                                       &member->design->floor, error);
    return status ? status
                  : vxe_state_init(&member->start, simulation->model.precision,
                                   vxe_model_state_size(&simulation->model), error);
}

static void prepare_one(void *context, uint32_t robot)
{
    vxe_team *team = context;
    vxe_team_member *member = &team->members[robot];
    vxe_team_def def = team->def;
    def.world.threads = 1;
    const uint64_t failures = vxe_memory_failures();
    (void)prepare(&def, member, &member->error);
    if (vxe_memory_check(failures, NULL)) {
        atomic_store(&team->short_of_memory, true);
    }
}

vxe_status vxe_team_check_memory(vxe_team *team, vxe_error *error)
{
    return atomic_exchange(&team->short_of_memory, false)
               ? vxe_error_fill(error, VXE_ERROR_MEMORY, "out of memory")
               : VXE_OK;
}

/* Fails where a robot could not be compiled, or diverged while it settled: names the first. */
static vxe_status find_failed(const vxe_team *team, vxe_error *error)
{
    for (uint32_t i = 0; i < team->count; i++) {
        const vxe_error *why = &team->members[i].error;
        if (why->status) {
            return vxe_error_fill(error, why->status, "robot %u: %s", i, why->message);
        }
    }
    return VXE_OK;
}

/* Notes what the members have most of, and a hash of what their states fit. */
static void summarise(vxe_team *team)
{
    vxe_hash identity = {0};
    for (uint32_t i = 0; i < team->count; i++) {
        const vxe_team_member *member = &team->members[i];
        const vxe_simulation *simulation = &member->world->simulation;
        const vxe_model *model = &simulation->model;
        team->groups = model->group_count > team->groups ? model->group_count : team->groups;
        const uint32_t parts = model->topology.body_count;
        team->parts = parts > team->parts ? parts : team->parts;
        team->voxels =
            model->topology.voxel_count > team->voxels ? model->topology.voxel_count : team->voxels;
        vxe_hash_word(&identity, vxe_design_hash(member->design));
        vxe_hash_word(&identity, model->slots);
        vxe_hash_word(&identity, model->precision);
        vxe_hash_double(&identity, simulation->plan.time_step);
    }
    team->identity = vxe_hash_end(&identity);
}

/* Lets all robots settle, and takes their start states. */
static vxe_status settle(vxe_team *team, vxe_error *error)
{
    const double ticks = ceil(team->def.settle / team->def.interval * (1 - 1e-9));
    const uint64_t numbers = (uint64_t)team->count * team->groups;
    float *ones = vxe_memory_take(numbers, sizeof *ones);
    vxe_status status = ones ? VXE_OK : vxe_error_memory(error, numbers * sizeof *ones);
    for (uint64_t i = 0; i < numbers && ones; i++) {
        ones[i] = 1;
    }
    team->targets = ones;
    for (double tick = 0; tick < ticks && !status; tick++) {
        status = vxe_team_tick(team, error);
        status = status ? status : find_failed(team, error);
    }
    for (uint32_t i = 0; i < team->count && !status; i++) {
        vxe_team_member *member = &team->members[i];
        vxe_state_copy(&member->start, &member->world->simulation.state);
        member->sensing.start_time = vxe_state_time(&member->start);
    }
    team->targets = NULL;
    vxe_memory_release(ones);
    return status ? status : vxe_team_reset(team, NULL, NULL, NULL, error);
}

static vxe_status make(vxe_team *team, const vxe_design *const *designs, uint32_t count,
                       vxe_error *error)
{
    team->count = count;
    team->members = vxe_memory_take(count, sizeof *team->members);
    team->robots = vxe_memory_take(count, sizeof *team->robots);
    if (!team->members || !team->robots) {
        return vxe_error_memory(error, count * sizeof *team->members);
    }
    for (uint32_t i = 0; i < count; i++) {
        team->members[i].design = designs[i];
        team->members[i].robot = &team->robots[i];
    }
    vxe_parallel_each(count, team->threads, prepare_one, team);
    vxe_status status = vxe_team_check_memory(team, error);
    status = status ? status : find_failed(team, error);
    if (status) {
        return status;
    }
    summarise(team);
    const uint64_t targets = (uint64_t)count * team->groups;
    team->made = vxe_memory_take(targets, sizeof *team->made);
    status = team->made ? vxe_team_form(team, error)
                        : vxe_error_memory(error, targets * sizeof *team->made);
    return status ? status : settle(team, error);
}

vxe_team *vxe_team_create(const vxe_design *const *designs, uint32_t count, const vxe_team_def *def,
                          vxe_error *error)
{
    const char *why = NULL;
    if (check(def, count, error)) {
        return NULL;
    }
    const vxe_kernels *kernels = vxe_kernels_for_voxels(def->world.precision, &why);
    if (!kernels) {
        vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
        return NULL;
    }
    vxe_team *team = vxe_memory_take(1, sizeof *team);
    if (!team) {
        vxe_error_memory(error, sizeof *team);
        return NULL;
    }
    team->def = *def;
    team->def.min_target = vxe_as_float(def->min_target);
    team->def.max_target = vxe_as_float(def->max_target);
    team->kernels = kernels;
    team->threads = def->world.threads ? def->world.threads : vxe_parallel_available();
    if (make(team, designs, count, error)) {
        vxe_team_destroy(team);
        return NULL;
    }
    return team;
}

void vxe_team_destroy(vxe_team *team)
{
    if (!team) {
        return;
    }
    vxe_team_disband(team);
    for (uint32_t i = 0; i < team->count && team->members; i++) {
        vxe_team_member *member = &team->members[i];
        vxe_sensing_clear(&member->sensing);
        vxe_state_clear(&member->start);
        vxe_world_destroy(member->world);
    }
    vxe_team_forget_network(team);
    vxe_memory_release(team->made);
    vxe_memory_release(team->members);
    vxe_memory_release(team->robots);
    vxe_memory_release(team->observations);
    vxe_memory_release(team);
}

/* Refuses targets out of bounds, of robots that run. */
static vxe_status check_targets(const vxe_team *team, const float *targets, vxe_error *error)
{
    const float min = (float)team->def.min_target;
    const float max = (float)team->def.max_target;
    if (!targets && team->groups > 0 && !vxe_team_decides(team)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a tick needs targets: robots of this team have groups");
    }
    for (uint32_t i = 0; i < team->count && targets; i++) {
        const vxe_team_member *member = &team->members[i];
        const uint32_t groups = member->world->simulation.state.groups;
        for (uint32_t g = 0; g < groups && member->state == VXE_TEAM_RUNS; g++) {
            const float target = targets[(size_t)i * team->groups + g];
            if (!(target >= min && target <= max)) {
                return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                      "robot %u, group %u: the target is %g; it must be %g to %g",
                                      i, g, (double)target, team->def.min_target,
                                      team->def.max_target);
            }
        }
    }
    return VXE_OK;
}

void vxe_team_report(const vxe_team *team, float *observations, uint8_t *status)
{
    if (observations && team->width > 0) {
        memcpy(observations, team->observations,
               (size_t)team->count * team->width * sizeof *observations);
    }
    for (uint32_t i = 0; i < team->count && status; i++) {
        status[i] = (uint8_t)team->members[i].state;
    }
}

vxe_status vxe_team_step(vxe_team *team, const float *targets, float *observations, uint8_t *status,
                         vxe_error *error)
{
    if (check_targets(team, targets, error)) {
        return error->status;
    }
    team->targets = targets;
    const vxe_status ended = vxe_team_tick(team, error);
    team->targets = NULL;
    if (!ended) {
        vxe_team_report(team, observations, status);
    }
    return ended;
}

vxe_status vxe_team_run(vxe_team *team, uint32_t ticks, const float *targets, float *observations,
                        uint8_t *status, vxe_team_watch watch, void *user, vxe_error *error)
{
    const size_t row = (size_t)team->count * team->groups;
    const size_t seen = (size_t)team->count * team->width;
    vxe_status ended = VXE_OK;
    for (uint32_t tick = 0; tick < ticks && !ended; tick++) {
        if (tick > 0 && watch && !watch(tick, user)) {
            break;
        }
        ended = vxe_team_step(team, targets ? targets + tick * row : NULL,
                              observations ? observations + tick * seen : NULL, NULL, error);
    }
    vxe_team_report(team, NULL, status);
    return ended;
}

const vxe_world *vxe_team_world(vxe_team *team, uint32_t robot)
{
    VXE_ASSERT(robot < team->count);
    vxe_world_renew(team->members[robot].world);
    return team->members[robot].world;
}

const char *vxe_team_message(const vxe_team *team, uint32_t robot)
{
    VXE_ASSERT(robot < team->count);
    const vxe_team_member *member = &team->members[robot];
    return member->state == VXE_TEAM_RUNS ? "" : member->error.message;
}

uint64_t vxe_team_hash(const vxe_team *team, uint32_t robot)
{
    VXE_ASSERT(robot < team->count);
    return vxe_world_hash(team->members[robot].world);
}

vxe_team_robot vxe_team_describe_robot(const vxe_team *team, uint32_t robot)
{
    VXE_ASSERT(robot < team->count);
    const vxe_team_member *member = &team->members[robot];
    const vxe_simulation *simulation = &member->world->simulation;
    return (vxe_team_robot){.groups = simulation->state.groups,
                            .parts = simulation->model.topology.body_count,
                            .voxels = simulation->model.topology.voxel_count,
                            .steps = member->steps,
                            .time_step = simulation->plan.time_step,
                            .damping = simulation->plan.damping,
                            .in_lanes = !member->alone_because,
                            .alone_because = member->alone_because};
}

vxe_team_facts vxe_team_describe(const vxe_team *team)
{
    return (vxe_team_facts){.robots = team->count,
                            .groups = team->groups,
                            .parts = team->parts,
                            .voxels = team->voxels,
                            .width = team->width,
                            .threads = team->threads,
                            .robots_in_lanes = team->count - team->alone_count,
                            .lanes = vxe_lane_kernels_of(team->kernels)->lanes,
                            .interval = team->def.interval,
                            .precision = vxe_precision_name(team->kernels->precision),
                            .isa = team->kernels->isa};
}
