/* SPDX-License-Identifier: MIT */
/* Runs a step stage by stage with a copy of the velocities after each, and gives every stage its
   share of the energy (energy_audit.h; docs/physics.md, Energy audit; derived there). */
#include "engine/solver/energy_audit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/floor/impact_law.h"

vxe_status vxe_energy_audit_init(vxe_energy_audit *audit, const vxe_model *model, vxe_error *error)
{
    *audit = (vxe_energy_audit){0};
    vxe_status status = VXE_OK;
    for (int i = 0; i < VXE_MARKS && !status; i++) {
        status =
            vxe_state_init(&audit->mark[i], model->precision, vxe_model_state_size(model), error);
    }
    if (!status && !(audit->force = vxe_memory_take(6 * model->slots, sizeof *audit->force))) {
        status = vxe_error_memory(error, 6 * model->slots * sizeof *audit->force);
    }
    return status;
}

void vxe_energy_audit_clear(vxe_energy_audit *audit)
{
    vxe_memory_release(audit->force);
    for (int i = 0; i < VXE_MARKS; i++) {
        vxe_state_clear(&audit->mark[i]);
    }
    *audit = (vxe_energy_audit){0};
}

/* One of a voxel's six velocity components. */
static double rate(const vxe_state *state, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 6);
    return c < 3 ? vxe_state_velocity(state, c, slot) : vxe_state_spin(state, c - 3, slot);
}

/* A number of one of the kernels' arrays. */
static double at(const vxe_workspace *workspace, const vxe_reals *array, uint32_t slot)
{
    return vxe_real_at(workspace->model->precision, array, slot);
}

/* Mean of a velocity component at the start and the end of the step's velocity changes. */
static double mean_rate(const vxe_energy_audit *audit, int c, uint32_t slot)
{
    return 0.5 * (rate(&audit->mark[VXE_MARK_START], c, slot) +
                  rate(&audit->mark[VXE_MARK_FRICTION], c, slot));
}

static double inertia_of(const vxe_workspace *workspace, int c, uint32_t slot)
{
    return at(workspace, workspace->arrays.mass, slot) *
           (c < 3 ? 1 : vxe_gyration(workspace->model->precision, &workspace->arrays, slot));
}

static bool is_free(const vxe_workspace *workspace, int c, uint32_t slot)
{
    return at(workspace,
              c < 3 ? workspace->arrays.inverse_mass[c] : workspace->arrays.inverse_inertia[c - 3],
              slot) > 0;
}

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

/* The loss by a voxel's floor dashpot, on the degrees of freedom that answer to forces: what the
   floor's force takes beside its spring (impact_law.h). */
static void account_floor_dashpot(vxe_energy_audit *audit, const vxe_workspace *workspace,
                                  uint32_t slot, double h)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_floor_contact floor_contact = vxe_floor_contact_measure(workspace, slot);
    const double dashpot = at(workspace, s->floor_dashpot, slot);
    double speed = 0;
    double after = 0;
    double way = 0;
    double inverse = 0;
    for (int c = 0; c < 3; c++) {
        const double along = floor_contact.normal[c];
        speed += rate(&audit->mark[VXE_MARK_START], c, slot) * along;
        after += rate(&audit->mark[VXE_MARK_FLOOR], c, slot) * along;
        way += is_free(workspace, c, slot) ? mean_rate(audit, c, slot) * along * h : 0;
        inverse += at(workspace, s->inverse_mass[c], slot) * along * along;
    }
    if (s->floor_pulls) {
        audit->energy.dissipated_contact += floor_contact.depth > 0 ? dashpot * speed * way : 0;
        return;
    }
    const vxe_impact mean = impact_of_way(floor_contact.depth, -speed, -after,
                                          floor_contact.stiffness, dashpot, inverse, h);
    audit->energy.dissipated_contact -= (mean.force - mean.spring) * way;
}

/* Whether the work of magnets is external: capped dipoles have no potential, and neither have the
   impulses of dipoles that act in every k-th step. */
static bool pulls_without_potential(const vxe_workspace *workspace)
{
    const vxe_magnets *magnets = workspace->model->magnets;
    return magnets && magnets->pairs && (magnets->cap > 0 || magnets->every > 1);
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
            const double sped = rate(&audit->mark[VXE_MARK_FRICTION], c, i) - rate(old, c, i);
            audit->energy.work_external +=
                free_one ? 0 : inertia_of(workspace, c, i) * sped * mean_rate(audit, c, i);
            if (s->load[c]) {
                audit->energy.work_external += at(workspace, s->load[c], i) * way;
            }
            if (pulled) {
                audit->energy.work_external += at(workspace, workspace->magnets->load[c], i) * way;
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
            account_floor_dashpot(audit, workspace, i, pass->h);
        }
    }
}

/* Power of a bond's force and moments at the mean velocities, on the degrees of freedom that
   answer to forces or on those that do not. */
static double bond_power(const vxe_energy_audit *audit, const vxe_workspace *workspace,
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
        const vxe_bond_sample end =
            vxe_bond_dashpot(workspace, &place, &audit->mark[VXE_MARK_FRICTION]);
        const double from_start = bond_power(audit, workspace, &place, &start, false);
        taken -= swept ? 0 : h * bond_power(audit, workspace, &place, &start, true);
        given -= swept ? 0.5 * h * (from_start + bond_power(audit, workspace, &place, &end, false))
                       : h * from_start;
    }
    audit->energy.dissipated_bonds += taken + given;
    audit->energy.work_external += given;
}

/* Force or moment of a part of a contact on one of its ends, in one degree of freedom. */
static double load_of(const vxe_contact_share *share, int end, int c)
{
    const double force = end == 0 ? -share->force[c % 3] : share->force[c % 3];
    return c < 3 ? force : share->moment[end][c - 3];
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

/* Work of prescribed degrees of freedom against the springs of contacts, at this step's last
   velocities. */
static void account_driven_contacts(vxe_energy_audit *audit, const vxe_workspace *workspace,
                                    double h)
{
    const vxe_state *now = &audit->mark[VXE_MARK_FRICTION];
    vxe_contact_place pair = {0};
    vxe_workspace_contacts_renew(workspace);
    while (vxe_contact_next(workspace, &pair)) {
        const vxe_contact_sample sample = vxe_contact_measure(workspace, &pair, now, h);
        for (int end = 0; end < 2; end++) {
            for (int c = 0; c < 6 && pair.slot[end] != VXE_NONE; c++) {
                const uint32_t slot = pair.slot[end];
                audit->energy.work_external -=
                    is_free(workspace, c, slot)
                        ? 0
                        : load_of(&sample.spring, end, c) * rate(now, c, slot) * h;
            }
        }
    }
}

/* Work of prescribed translations against weight and the floor's spring. */
static void account_driven_weight(vxe_energy_audit *audit, const vxe_workspace *workspace, double h)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_state *now = &audit->mark[VXE_MARK_FRICTION];
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        double force[3];
        for (int c = 0; c < 3; c++) {
            force[c] = at(workspace, s->mass, i) * s->gravity[c];
        }
        if (s->floor_stiffness) {
            const vxe_floor_contact floor_contact = vxe_floor_contact_measure(workspace, i);
            for (int c = 0; c < 3; c++) {
                force[c] += floor_contact.stiffness * fmax(floor_contact.depth, 0) *
                            floor_contact.normal[c];
            }
        }
        for (int c = 0; c < 3; c++) {
            audit->energy.work_external -=
                is_free(workspace, c, i) ? 0 : force[c] * rate(now, c, i) * h;
        }
    }
}

/* Work of prescribed degrees of freedom against magnets. */
static void account_driven_magnets(vxe_energy_audit *audit, const vxe_workspace *workspace,
                                   double h, double time)
{
    if (!workspace->magnets || pulls_without_potential(workspace)) {
        return;
    }
    const vxe_state *now = &audit->mark[VXE_MARK_FRICTION];
    vxe_magnets_measure(workspace, time);
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        for (int c = 0; c < 6; c++) {
            audit->energy.work_external -=
                is_free(workspace, c, i)
                    ? 0
                    : at(workspace, workspace->magnets->load[c], i) * rate(now, c, i) * h;
        }
    }
}

/* Work of prescribed degrees of freedom against the springs of bonds. */
static void account_driven(vxe_energy_audit *audit, const vxe_workspace *workspace, double h,
                           double time)
{
    vxe_bond_place place = {.at = UINT64_MAX};
    if (workspace->model->driven_count > 0) {
        account_driven_contacts(audit, workspace, h);
        account_driven_weight(audit, workspace, h);
        account_driven_magnets(audit, workspace, h, time);
        vxe_workspace_poisson(workspace, 0, 1);
    }
    while (workspace->model->driven_count && vxe_bond_next(workspace->model, &place)) {
        const vxe_bond_sample bond = vxe_bond_measure(workspace, &place);
        for (int c = 0; c < 6; c++) {
            const double upper = c < 3 ? bond.force[c] : bond.moment_upper[c - 3];
            const double lower = c < 3 ? -bond.force[c] : bond.moment_lower[c - 3];
            const vxe_state *now = &audit->mark[VXE_MARK_FRICTION];
            audit->energy.work_external -=
                is_free(workspace, c, place.upper) ? 0 : upper * rate(now, c, place.upper) * h;
            audit->energy.work_external -=
                is_free(workspace, c, place.lower) ? 0 : lower * rate(now, c, place.lower) * h;
        }
    }
}

/* Runs stages of a pass without its bonds. */
static void run_stages(vxe_workspace *workspace, const vxe_pass *pass, uint32_t stages)
{
    vxe_pass act = *pass;
    act.no_bonds = true;
    act.stages = stages;
    vxe_workspace_pass(workspace, &act);
}

/* Runs all stages that change velocities, with a mark after each. */
static void run_velocities(vxe_energy_audit *audit, vxe_workspace *workspace,
                           const vxe_state *state, const vxe_pass *passes, uint32_t count)
{
    VXE_ASSERT(count >= 1 && count <= VXE_MAX_PASSES);
    const vxe_pass *last = &passes[count - 1];
    vxe_state_copy(&audit->mark[VXE_MARK_START], state);
    if (count > 1) {
        run_stages(workspace, &passes[0], VXE_STAGE_KEEP);
    }
    for (uint32_t p = 0; p < count; p++) {
        vxe_pass kick = passes[p];
        kick.stages = 0;
        vxe_workspace_pass(workspace, &kick);
        if (p == 0) {
            run_stages(workspace, &passes[0], VXE_STAGE_DRIVE);
            vxe_state_copy(&audit->mark[VXE_MARK_KICK], state);
            if (count > 1) {
                run_stages(workspace, &passes[0], VXE_STAGE_DECAY);
            }
            vxe_state_copy(&audit->mark[VXE_MARK_DECAY], state);
            if (count > 1) {
                run_stages(workspace, &passes[0], VXE_STAGE_HALVE);
            }
        }
    }
    vxe_state_copy(&audit->mark[VXE_MARK_DAMPING], state);
    if (count > 1) {
        run_stages(workspace, last, VXE_STAGE_DECAY);
    }
    vxe_state_copy(&audit->mark[VXE_MARK_DECAY_AGAIN], state);
    if (count > 1) {
        run_stages(workspace, last, VXE_STAGE_FLOOR);
    }
    vxe_state_copy(&audit->mark[VXE_MARK_FLOOR], state);
    run_stages(workspace, last, VXE_STAGE_FRICTION);
    vxe_state_copy(&audit->mark[VXE_MARK_FRICTION], state);
}

static void account_velocities(vxe_energy_audit *audit, const vxe_workspace *workspace,
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
        taken_between(audit, workspace, VXE_MARK_FLOOR, VXE_MARK_FRICTION);
}

/* Energy that dipoles gain from an external field that changes in a step, at these poses. */
static double work_of_fields(const vxe_workspace *workspace, const vxe_pass *last)
{
    if (pulls_without_potential(workspace)) {
        return 0;
    }
    const vxe_magnet_energy after = vxe_magnets_energy(workspace, last->end);
    const vxe_magnet_energy before = vxe_magnets_energy(workspace, last->time);
    return after.pairs + after.outside - before.pairs - before.outside;
}

/* Runs drift and new edges. The work of actuation is the gain of the potentials by the edges at
   fixed positions, and that of prescribed degrees of freedom the forces of bonds against them:
   both are the mean of before and after the drift, which is of second order like the step. */
static void run_drift(vxe_energy_audit *audit, vxe_workspace *workspace, const vxe_pass *last)
{
    const bool moves = vxe_model_resizes(workspace->model) || workspace->model->stiffening;
    double work = 0;
    account_driven(audit, workspace, 0.5 * last->step, last->time);
    double field_work = work_of_fields(workspace, last);
    if (moves) {
        work -= vxe_stored_energy(workspace);
        vxe_workspace_resize(workspace, last->end);
        work += vxe_stored_energy(workspace);
        vxe_workspace_resize(workspace, last->time);
    }
    run_stages(workspace, last, VXE_STAGE_DRIFT);
    account_driven(audit, workspace, 0.5 * last->step, last->end);
    field_work += work_of_fields(workspace, last);
    if (moves) {
        work -= vxe_stored_energy(workspace);
        vxe_workspace_resize(workspace, last->end);
        work += vxe_stored_energy(workspace);
    }
    audit->energy.work_actuation += 0.5 * work;
    audit->energy.work_external += 0.5 * field_work;
}

/* Elastic energy of all bonds, and the power of their forces at the mean velocities on the degrees
   of freedom that answer to forces, and on the others. */
typedef struct bond_totals {
    double energy, on_free, on_driven;
} bond_totals;

/* A bond with the force that it has until the time of the potentials. One that breaks in this step
   has all of it, since it still gives half of its kick, and no energy any more. */
static vxe_bond_sample bond_until_now(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const vxe_state *state = workspace->state;
    const double broken =
        state->yields ? at(workspace, state->broken[place->axis], place->lower) : 0;
    if (!(broken > 0 && broken < 1)) {
        return vxe_bond_measure(workspace, place);
    }
    vxe_real_put(state->precision, state->broken[place->axis], place->lower, 0);
    vxe_bond_sample bond = vxe_bond_measure(workspace, place);
    vxe_real_put(state->precision, state->broken[place->axis], place->lower, broken);
    bond.energy = 0;
    return bond;
}

/* after: bonds have yielded and broken in this step. */
static bond_totals total_of_bonds(const vxe_energy_audit *audit, const vxe_workspace *workspace,
                                  bool after)
{
    bond_totals total = {0};
    vxe_bond_place place = {.at = UINT64_MAX};
    vxe_workspace_poisson(workspace, 0, 1);
    while (vxe_bond_next(workspace->model, &place)) {
        const vxe_bond_sample bond =
            after ? bond_until_now(workspace, &place) : vxe_bond_measure(workspace, &place);
        total.energy += bond.energy;
        total.on_free += bond_power(audit, workspace, &place, &bond, true);
        total.on_driven += bond_power(audit, workspace, &place, &bond, false);
    }
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        total.energy += vxe_energy_across(workspace, i);
    }
    return total;
}

/* Runs yielding and breaking, which come before the step. h: s of the drift before it. The bonds'
   work in that drift is the mean of its first and last forces times the way, and the last forces
   are those after yielding. So the loss is the energy that yielding takes at fixed positions, less
   half of what it takes from the forces times the way: for one bond, the mean of its tensions in
   this step and the last, times the permanent elongation that came. */
static void run_yielding(vxe_energy_audit *audit, vxe_workspace *workspace, const vxe_state *state,
                         double h)
{
    if (workspace->model->yield.law_count == 0) {
        return;
    }
    vxe_state_copy(&audit->mark[VXE_MARK_START], state); /* velocities of that drift */
    vxe_state_copy(&audit->mark[VXE_MARK_FRICTION], state);
    const bond_totals before = total_of_bonds(audit, workspace, false);
    vxe_workspace_yield(workspace, state->step, 0, 1);
    const bond_totals after = total_of_bonds(audit, workspace, true);
    const double half = audit->started ? 0.5 * h : 0;
    const double given = half * (before.on_driven - after.on_driven);
    audit->energy.work_external += given;
    audit->energy.dissipated_plastic +=
        before.energy - after.energy + half * (before.on_free - after.on_free) + given;
}

/* Adds a force or moment in one degree of freedom to the forces that have a potential. */
static void add_force(vxe_energy_audit *audit, uint32_t slot, int c, double force)
{
    VXE_ASSERT(slot < audit->mark[0].slots && c >= 0 && c < 6);
    audit->force[6 * (size_t)slot + (size_t)c] += force;
}

/* Adds weight, the floor's spring, magnets and external loads on a voxel. */
static void add_voxel_forces(vxe_energy_audit *audit, const vxe_workspace *workspace, uint32_t slot)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const bool has_potential = workspace->magnets && !pulls_without_potential(workspace);
    const double mass = at(workspace, s->mass, slot);
    vxe_floor_contact floor_contact = {0};
    if (s->floor_stiffness) {
        floor_contact = vxe_floor_contact_measure(workspace, slot);
    }
    const double spring = floor_contact.stiffness * fmax(floor_contact.depth, 0);
    for (int c = 0; c < 6; c++) {
        const vxe_reals *external = workspace->external_loads.load[c];
        double force = c < 3 ? mass * s->gravity[c] + spring * floor_contact.normal[c] : 0;
        force += has_potential ? at(workspace, workspace->magnets->load[c], slot) : 0;
        force += external ? at(workspace, external, slot) : 0;
        add_force(audit, slot, c, force);
    }
}

/* Sums the forces that have a potential. h: s of a step. */
static void sum_forces(vxe_energy_audit *audit, const vxe_workspace *workspace,
                       const vxe_state *state, double h)
{
    const uint32_t count = workspace->model->topology.voxel_count;
    vxe_bond_place place = {.at = UINT64_MAX};
    vxe_contact_place pair = {0};
    memset(audit->force, 0, 6 * (size_t)count * sizeof *audit->force);
    while (vxe_bond_next(workspace->model, &place)) {
        const vxe_bond_sample bond = bond_until_now(workspace, &place);
        for (int c = 0; c < 3; c++) {
            add_force(audit, place.upper, c, bond.force[c]);
            add_force(audit, place.lower, c, -bond.force[c]);
            add_force(audit, place.upper, c + 3, bond.moment_upper[c]);
            add_force(audit, place.lower, c + 3, bond.moment_lower[c]);
        }
    }
    while (vxe_contact_next(workspace, &pair)) {
        const vxe_contact_sample sample = vxe_contact_measure(workspace, &pair, state, h);
        for (int c = 0; c < 12; c++) {
            if (pair.slot[c / 6] != VXE_NONE) {
                add_force(audit, pair.slot[c / 6], c % 6, load_of(&sample.spring, c / 6, c % 6));
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        add_voxel_forces(audit, workspace, i);
    }
}

/* Loads on a voxel that are external work. */
static double load_on(const vxe_workspace *workspace, uint32_t slot, int c)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    double load = s->load[c] ? at(workspace, s->load[c], slot) : 0;
    load += c < 3 && s->field[c] ? at(workspace, s->field[c], slot) : 0;
    load +=
        pulls_without_potential(workspace) ? at(workspace, workspace->magnets->load[c], slot) : 0;
    return load;
}

/* Kinetic energy at the time of the potentials: half a kick after the velocities before it, by the
   forces F that have a potential, v.F h/2 + F.(F + L) h^2/(8 m). Dashpots, friction and loads L
   have their share in what was spent, so that impulses of theirs of any size are no gain or loss.
   The last term is the usual ripple, and none where a load is at rest on springs. */
static double kinetic_between(const vxe_energy_audit *audit, const vxe_workspace *workspace,
                              const vxe_state *state, double h)
{
    double energy = 0;
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        for (int c = 0; c < 6; c++) {
            const double inertia = inertia_of(workspace, c, i);
            const double speed = rate(state, c, i);
            energy += 0.5 * inertia * speed * speed;
            if (is_free(workspace, c, i)) {
                const double force = audit->force[6 * (size_t)i + (size_t)c];
                const double all = force + load_on(workspace, i, c);
                energy += 0.5 * h * force * speed + 0.125 * h * h * force * all / inertia;
            }
        }
    }
    return energy;
}

static double spent(const vxe_energy *e)
{
    return e->dissipated_plastic + e->dissipated_bonds + e->dissipated_global +
           e->dissipated_contact + e->dissipated_friction + e->given_to_fluid - e->work_actuation -
           e->work_external;
}

void vxe_energy_audit_step(vxe_energy_audit *audit, vxe_workspace *workspace, vxe_state *state,
                           const vxe_step_plan *plan, vxe_failure *failure)
{
    VXE_ASSERT(workspace->state == state && !workspace->model->voxelyze);
    vxe_pass passes[VXE_MAX_PASSES];
    const uint32_t count = vxe_step_passes(workspace->model, plan, passes);
    vxe_energy *energy = &audit->energy;
    vxe_passes_begin(passes, count, state, state->step);
    vxe_workspace_resize(workspace, passes[0].time);
    run_yielding(audit, workspace, state, passes[count - 1].step);
    const double spent_before = spent(energy);
    const vxe_potentials potentials = vxe_potential_energy(workspace);
    sum_forces(audit, workspace, state, passes[0].step);
    energy->kinetic_sync = kinetic_between(audit, workspace, state, passes[0].step);
    passes[0].yielded = true;
    run_velocities(audit, workspace, state, passes, count);
    *failure = vxe_workspace_failure(workspace, state->step);
    account_velocities(audit, workspace, passes, count);
    VXE_ASSERT(!audit->started || passes[0].time >= energy->time);
    energy->time = passes[0].time;
    energy->elastic_sync = potentials.elastic;
    energy->floor_sync = potentials.floor;
    energy->contact_sync = potentials.contact;
    energy->gravity_sync = potentials.gravity;
    energy->magnetic_sync = potentials.magnetic;
    energy->balance = energy->kinetic_sync + potentials.elastic + potentials.floor +
                      potentials.contact + potentials.gravity + spent_before +
                      (pulls_without_potential(workspace) ? 0 : potentials.magnetic);
    if (!audit->started) {
        audit->started = true;
        energy->balance_start = energy->balance;
    }
    run_drift(audit, workspace, &passes[count - 1]);
    state->step++;
}
