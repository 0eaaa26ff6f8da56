/* SPDX-License-Identifier: MIT */
/* Networks that make the targets of a team from what was observed last. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/team/team_data.h"

void vxe_team_forget_network(vxe_team *team)
{
    vxe_memory_release(team->weights);
    vxe_memory_release(team->made);
    team->weights = NULL;
    team->made = NULL;
    team->network = (vxe_network){.layers = 0};
}

/* Refuses weights that are none. */
static vxe_status check_weights(const vxe_team *team, const vxe_network *network,
                                const float *weights, vxe_error *error)
{
    const uint64_t each = vxe_network_weights(network);
    for (uint64_t i = 0; i < team->count * each; i++) {
        if (!(weights[i] > -VXE_LARGEST_WEIGHT && weights[i] < VXE_LARGEST_WEIGHT)) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "robot %u: weight %u is %g; it must be a number below 1e9",
                                  (unsigned)(i / each), (unsigned)(i % each), (double)weights[i]);
        }
    }
    return VXE_OK;
}

/* Refuses networks whose shape does not fit observations and groups. */
static vxe_status check(const vxe_team *team, const vxe_network *network, vxe_error *error)
{
    if (vxe_network_check(network, error)) {
        return error->status;
    }
    const uint32_t outputs = network->width[network->layers - 1];
    return network->width[0] == team->width && outputs == team->groups
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "the network goes from %u numbers to %u; observations of this team "
                                "have %u, and its robots up to %u groups",
                                network->width[0], outputs, team->width, team->groups);
}

vxe_status vxe_team_set_network(vxe_team *team, const vxe_network *network, const float *weights,
                                vxe_error *error)
{
    if (!network) {
        vxe_team_forget_network(team);
        return VXE_OK;
    }
    if (check(team, network, error) || check_weights(team, network, weights, error)) {
        return error->status;
    }
    const uint64_t count = team->count * vxe_network_weights(network);
    float *copy = vxe_memory_take(count, sizeof *copy);
    float *made = vxe_memory_take((uint64_t)team->count * team->groups, sizeof *made);
    if (!copy || !made) {
        vxe_memory_release(copy);
        vxe_memory_release(made);
        return vxe_error_memory(error, count * sizeof *copy);
    }
    memcpy(copy, weights, count * sizeof *copy);
    vxe_team_forget_network(team);
    team->network = *network;
    team->weights = copy;
    team->made = made;
    return VXE_OK;
}

void vxe_team_put_targets(vxe_team *team, uint32_t robot)
{
    const vxe_network *network = &team->network;
    vxe_world *world = team->members[robot].world;
    const size_t row = (size_t)robot * team->groups;
    const float *targets = team->targets ? team->targets + row : team->made + row;
    if (!team->targets) {
        VXE_ASSERT(network->layers > 0);
        vxe_network_targets(network, team->weights + robot * (size_t)vxe_network_weights(network),
                            team->observations + (size_t)robot * team->width,
                            (float)team->def.min_target, (float)team->def.max_target, team->groups,
                            team->made + row);
    }
    vxe_take_targets(&world->simulation.state, &world->guard, targets);
}
