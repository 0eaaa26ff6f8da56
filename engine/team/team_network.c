/* SPDX-License-Identifier: MIT */
/* Networks, or a policy of the caller, that make the targets of a team from what was observed
   last. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/team/team_data.h"

void vxe_team_forget_network(vxe_team *team)
{
    vxe_memory_release(team->weights);
    team->weights = NULL;
    team->network = (vxe_network){.layers = 0};
}

/* Refuses weights that are none. */
static vxe_status check_weights(const vxe_team *team, const vxe_network *network,
                                const float *weights, vxe_error *error)
{
    const uint64_t each = vxe_network_weights(network);
    for (uint64_t i = 0; i < team->count * each; i++) {
        if (!vxe_is_weight(weights[i])) {
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
    if (!copy) {
        return vxe_error_memory(error, count * sizeof *copy);
    }
    memcpy(copy, weights, count * sizeof *copy);
    vxe_team_forget_network(team);
    team->network = *network;
    team->weights = copy;
    return VXE_OK;
}

void vxe_team_set_policy(vxe_team *team, vxe_team_policy policy, void *user)
{
    team->policy = policy;
    team->policy_user = user;
}

bool vxe_team_decides(const vxe_team *team)
{
    return team->policy || team->network.layers > 0;
}

/* Makes the targets of a robot, by the policy or else by its network. */
static const float *make_targets(vxe_team *team, uint32_t robot)
{
    const vxe_network *network = &team->network;
    const float *seen = team->observations + (size_t)robot * team->width;
    float *made = team->made + (size_t)robot * team->groups;
    if (team->policy) {
        team->policy(robot, seen, made, team->policy_user);
    } else {
        VXE_ASSERT(network->layers > 0);
        vxe_network_run(network, team->weights + robot * (size_t)vxe_network_weights(network), seen,
                        made);
    }
    vxe_outputs_to_targets((float)team->def.min_target, (float)team->def.max_target, team->groups,
                           made);
    return made;
}

void vxe_team_put_targets(vxe_team *team, uint32_t robot)
{
    vxe_world *world = team->members[robot].world;
    vxe_take_targets(&world->simulation.state, &world->guard,
                     team->targets ? team->targets + (size_t)robot * team->groups
                                   : make_targets(team, robot));
}
