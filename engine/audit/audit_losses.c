/* SPDX-License-Identifier: MIT */
/* What dashpots, friction, drag, loads and the fluid take or give in a step. */
#include "engine/audit/audit_parts.h"
#include "engine/audit/audit_reads.h"

/* Energy that the impulses between two marks take out. */
static double taken_between(const vxe_energy_audit *audit, const vxe_workspace *workspace, int from,
                            int to)
{
    VXE_ASSERT(from >= 0 && from < to && to < VXE_MARKS);
    double taken = 0;
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        for (int c = 0; c < 6; c++) {
            const double impulse = inertia_of(workspace, c, i) *
                                   (rate(&audit->mark[to], c, i) - rate(&audit->mark[from], c, i));
            taken -= impulse * mean_rate(audit, c, i);
        }
    }
    return taken;
}

/* Work on prescribed degrees of freedom, and of everything that acts as a force in the kick:
   loads, magnets without a potential, the fluid, floor dashpots and, with explicit damping, drag.
 */
static void account_kick(vxe_energy_audit *audit, const vxe_workspace *workspace,
                         const vxe_pass *pass)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_state *old = &audit->mark[VXE_MARK_START];
    const bool drags = (pass->kick_flags & VXE_KICK_EXPLICIT_DRAG) != 0;
    const bool pulled = pulls_without_potential(workspace);
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        for (int c = 0; c < 6; c++) {
            const bool free_one = is_free(workspace, c, i);
            const double way = free_one ? mean_rate(audit, c, i) * pass->h : 0;
            const double sped = rate(&audit->mark[VXE_MARK_END], c, i) - rate(old, c, i);
            audit->energy.work_external +=
                free_one ? 0 : inertia_of(workspace, c, i) * sped * mean_rate(audit, c, i);
            if (s->load[c]) {
                audit->energy.work_external += at(workspace, s->load[c], i) * way;
            }
            if (pulled) {
                audit->energy.work_external += at(workspace, workspace->magnets->load[c], i) * way;
            }
            if (c < 3 && workspace->external_loads.by_hand) {
                audit->energy.work_external +=
                    at(workspace, workspace->external_loads.load[c], i) * way;
            }
            if (c < 3 && s->field[c]) {
                audit->energy.work_external += at(workspace, s->field[c], i) * way;
            }
            if (drags && s->drag) {
                audit->energy.dissipated_global +=
                    at(workspace, c < 3 ? s->drag : s->spin_drag, i) * rate(old, c, i) * way;
            }
        }
        double push[3] = {0};
        if (s->faces) {
            vxe_fluid_push(workspace, old, i, pass->h, push);
        }
        for (int c = 0; c < 3; c++) {
            audit->energy.given_to_fluid -=
                is_free(workspace, c, i) ? push[c] * mean_rate(audit, c, i) * pass->h : 0;
        }
        if (s->floor_stiffness) {
            vxe_audit_floor(audit, workspace, i, pass->h);
        }
    }
}

double vxe_audit_bond_power(const vxe_energy_audit *audit, const vxe_workspace *workspace,
                            const vxe_bond_place *place, const vxe_bond_sample *bond, bool on_free)
{
    double power = 0;
    for (int c = 0; c < 3; c++) {
        const double upper[2] = {bond->force[c], bond->moment_upper[c]};
        const double lower[2] = {-bond->force[c], bond->moment_lower[c]};
        for (int k = 0; k < 2; k++) {
            const int freedom = c + 3 * k;
            power += is_free(workspace, freedom, place->upper) == on_free
                         ? upper[k] * mean_rate(audit, freedom, place->upper)
                         : 0;
            power += is_free(workspace, freedom, place->lower) == on_free
                         ? lower[k] * mean_rate(audit, freedom, place->lower)
                         : 0;
        }
    }
    return power;
}

/* Losses by dashpots. Explicit ones are forces at the velocities of the start. Damping
   iterations act by impulses, which the marks show; on prescribed degrees of freedom no impulse
   shows, and the dashpots' force at the mean velocities takes its place. */
static void account_dashpots(vxe_energy_audit *audit, const vxe_workspace *workspace, bool swept,
                             double h)
{
    if (workspace->model->max_ratio == 0) {
        return;
    }
    double taken = 0;
    double given = 0;
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(workspace->model, &place)) {
        const vxe_bond_sample start =
            vxe_bond_dashpot(workspace, &place, &audit->mark[VXE_MARK_START]);
        const vxe_bond_sample end = vxe_bond_dashpot(workspace, &place, &audit->mark[VXE_MARK_END]);
        const double from_start = vxe_audit_bond_power(audit, workspace, &place, &start, false);
        taken -= swept ? 0 : h * vxe_audit_bond_power(audit, workspace, &place, &start, true);
        given -=
            swept ? 0.5 * h *
                        (from_start + vxe_audit_bond_power(audit, workspace, &place, &end, false))
                  : h * from_start;
    }
    audit->energy.dissipated_bonds += taken + given;
    audit->energy.work_external += given;
}

/* Power of a part of a contact at the mean velocities, on the degrees of freedom that answer to
   forces or on those that do not. */
static double share_power(const vxe_energy_audit *audit, const vxe_workspace *workspace,
                          const vxe_contact_place *pair, const vxe_contact_share *share,
                          bool on_free)
{
    double power = 0;
    for (int end = 0; end < 2; end++) {
        const uint32_t slot = pair->slot[end];
        for (int c = 0; c < 6 && slot != VXE_NONE; c++) { /* the floor does no work */
            power += is_free(workspace, c, slot) == on_free
                         ? load_of(share, end, c) * mean_rate(audit, c, slot)
                         : 0;
        }
    }
    return power;
}

/* Losses by sticky links that let go, by dashpots and by friction of contacts, and the part of
   them that prescribed motion supplies. */
static void account_contacts(vxe_energy_audit *audit, const vxe_workspace *workspace, double h)
{
    vxe_contact_place pair = {0};
    vxe_energy *energy = &audit->energy;
    energy->dissipated_contact += workspace->state->released - audit->mark[VXE_MARK_START].released;
    energy->dissipated_contact += workspace->state->damped - audit->mark[VXE_MARK_START].damped;
    energy->dissipated_friction += workspace->state->slipped - audit->mark[VXE_MARK_START].slipped;
    vxe_workspace_contacts_renew(workspace);
    while (vxe_contact_next(workspace, &pair)) {
        const vxe_contact_sample sample =
            vxe_contact_measure(workspace, &pair, &audit->mark[VXE_MARK_START], h);
        const vxe_contact_share *shares[2] = {&sample.dashpot, &sample.friction};
        double *lost[2] = {&energy->dissipated_contact, &energy->dissipated_friction};
        for (int i = 0; i < 2; i++) {
            const double given = -h * share_power(audit, workspace, &pair, shares[i], false);
            *lost[i] += given - h * share_power(audit, workspace, &pair, shares[i], true);
            energy->work_external += given;
        }
    }
}

/* What friction took in the kick, before damping iterations: the marks show only what came behind
   them, less this. */
static double taken_in_kick(const vxe_energy_audit *audit, const vxe_workspace *workspace)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    const vxe_kernel_arrays *s = &workspace->arrays;
    double taken = 0;
    for (uint32_t chunk = 0; s->floor_stiffness && chunk < chunks->chunk_count; chunk++) {
        const uint32_t end = workspace->touching[chunk] ? chunks->chunk_first[chunk + 1] : 0;
        for (uint32_t i = chunks->chunk_first[chunk]; i < end; i++) {
            for (int c = 0; c < (s->terrain ? 3 : 2); c++) {
                taken -= is_free(workspace, c, i)
                             ? at(workspace, s->rubbed[c], i) * mean_rate(audit, c, i)
                             : 0;
            }
        }
    }
    return taken;
}

void vxe_audit_velocities(vxe_energy_audit *audit, const vxe_workspace *workspace,
                          const vxe_pass *passes, uint32_t count)
{
    vxe_energy *energy = &audit->energy;
    account_kick(audit, workspace, &passes[0]);
    account_contacts(audit, workspace, passes[0].h);
    account_dashpots(audit, workspace, count > 1, passes[0].step);
    energy->dissipated_bonds += taken_between(audit, workspace, VXE_MARK_DECAY, VXE_MARK_DAMPING);
    energy->dissipated_global +=
        taken_between(audit, workspace, VXE_MARK_KICK, VXE_MARK_DECAY) +
        taken_between(audit, workspace, VXE_MARK_DAMPING, VXE_MARK_DECAY_AGAIN);
    energy->dissipated_friction +=
        taken_between(audit, workspace, VXE_MARK_FLOOR, VXE_MARK_FRICTION) +
        (count > 1 ? taken_in_kick(audit, workspace) : 0);
}
