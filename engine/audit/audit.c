/* SPDX-License-Identifier: MIT */
/* Runs a step stage by stage with a copy of the velocities after each, and gives every stage its
   share of the energy (audit.h; docs/physics.md, Energy audit; derived there). */
#include "engine/audit/audit.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/audit/audit_parts.h"
#include "engine/audit/audit_reads.h"

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
        }
        const uint32_t middle = p == 0 ? VXE_STAGE_HALVE | VXE_STAGE_HOLD : VXE_STAGE_HOLD;
        if (p + 1 < count) {
            run_stages(workspace, &passes[p], middle);
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
    run_stages(workspace, last, VXE_STAGE_BEND);
    vxe_state_copy(&audit->mark[VXE_MARK_END], state);
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

/* What edges can change (J), with what contacts remember at the end of the step. ends: the floor's
   energy is at the ends of ways, else where its force is. */
static double stored(const vxe_energy_audit *audit, vxe_workspace *workspace, bool ends, double h)
{
    workspace->state->step++; /* contacts remember by step, and none opens by edges alone */
    const vxe_potentials now = vxe_potential_energy(workspace);
    workspace->state->step--;
    double floor = now.floor;
    if (!workspace->arrays.floor_rule) {
        const vxe_state *rates = &audit->mark[VXE_MARK_END];
        floor = ends ? 2 * vxe_audit_floor_energy(workspace, rates, h) : 0;
    }
    return now.elastic + now.contact + floor;
}

/* Runs drift and new edges. The work of actuation is the gain of the potentials by the edges at
   fixed positions, and that of prescribed degrees of freedom the forces of bonds against them:
   both are the mean of before and after the drift, which is of second order like the step. The
   floor's energy gains between one way and the next. */
static void run_drift(vxe_energy_audit *audit, vxe_workspace *workspace, const vxe_pass *last)
{
    const bool moves = vxe_model_resizes(workspace->model) || workspace->model->stiffening;
    const double h = last->step;
    double work = 0;
    vxe_audit_driven(audit, workspace, 0.5 * h, last->time);
    double field_work = work_of_fields(workspace, last);
    if (moves) {
        work -= stored(audit, workspace, false, h);
        vxe_workspace_resize(workspace, last->end);
        work += stored(audit, workspace, false, h);
        vxe_workspace_resize(workspace, last->time);
    }
    run_stages(workspace, last, VXE_STAGE_DRIFT);
    vxe_audit_driven(audit, workspace, 0.5 * h, last->end);
    field_work += work_of_fields(workspace, last);
    if (moves) {
        work -= stored(audit, workspace, true, h);
        vxe_workspace_resize(workspace, last->end);
        work += stored(audit, workspace, true, h);
    }
    audit->energy.work_actuation += 0.5 * work;
    audit->energy.work_external += 0.5 * field_work;
}

/* Elastic energy of all bonds, and the power of their forces at the mean velocities on the degrees
   of freedom that answer to forces, and on the others. */
typedef struct bond_totals {
    double energy, on_free, on_driven;
} bond_totals;

/* What a bond has in `broken` where it breaks in this step; else 0. */
static double breaking_part(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const vxe_state *state = workspace->state;
    const double broken =
        state->yields ? at(workspace, state->broken[place->axis], place->lower) : 0;
    return broken < 1 ? broken : 0;
}

vxe_bond_sample vxe_audit_bond(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const vxe_state *state = workspace->state;
    const double broken = breaking_part(workspace, place);
    if (broken == 0) {
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
            after ? vxe_audit_bond(workspace, &place) : vxe_bond_measure(workspace, &place);
        total.energy += bond.energy;
        total.on_free += vxe_audit_bond_power(audit, workspace, &place, &bond, true);
        total.on_driven += vxe_audit_bond_power(audit, workspace, &place, &bond, false);
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
   this step and the last, times the permanent elongation that came. What a bond that breaks holds
   is lost too; it gives half of its kick yet, and so the loss is less by half of the work of its
   force over what the kick adds to the velocities. */
static void run_yielding(vxe_energy_audit *audit, vxe_workspace *workspace, const vxe_state *state,
                         double h)
{
    if (workspace->model->yield.law_count == 0) {
        return;
    }
    vxe_state_copy(&audit->mark[VXE_MARK_START], state); /* velocities of that drift */
    vxe_state_copy(&audit->mark[VXE_MARK_END], state);
    const bond_totals before = total_of_bonds(audit, workspace, false);
    vxe_workspace_yield(workspace, state->step, 0, 1);
    const bond_totals after = total_of_bonds(audit, workspace, true);
    const double half = audit->started ? 0.5 * h : 0;
    const double given = half * (before.on_driven - after.on_driven);
    audit->energy.work_external += given;
    audit->energy.dissipated_plastic +=
        before.energy - after.energy + half * (before.on_free - after.on_free) + given;
}

/* Power (W) at the mean velocities of the bonds that break in this step. */
static double power_of_breaking(const vxe_energy_audit *audit, const vxe_workspace *workspace)
{
    double power = 0;
    vxe_bond_place place = {.at = UINT64_MAX};
    while (workspace->model->yield.law_count > 0 && vxe_bond_next(workspace->model, &place)) {
        if (breaking_part(workspace, &place) > 0) {
            const vxe_bond_sample bond = vxe_audit_bond(workspace, &place);
            power += vxe_audit_bond_power(audit, workspace, &place, &bond, true);
        }
    }
    return power;
}

static double spent(const vxe_energy *e)
{
    return e->dissipated_plastic + e->dissipated_bonds + e->dissipated_global +
           e->dissipated_contact + e->dissipated_friction + e->given_to_fluid - e->work_actuation -
           e->work_external;
}

double vxe_energy_audit_held(vxe_energy_audit *audit, vxe_workspace *workspace, double h)
{
    const vxe_energy told = audit->energy;
    const vxe_potentials now = vxe_potential_energy(workspace);
    vxe_audit_kinetic(audit, workspace, workspace->state, h, now.floor);
    const double kinetic = audit->energy.kinetic_sync - audit->energy.ripple;
    audit->energy = told;
    return kinetic + now.elastic + now.floor + now.contact;
}

void vxe_energy_audit_step(vxe_energy_audit *audit, vxe_workspace *workspace, vxe_state *state,
                           const vxe_step_plan *plan, vxe_failure *failure)
{
    VXE_ASSERT(workspace->state == state && !workspace->model->voxelyze);
    vxe_pass passes[VXE_MAX_PASSES];
    const uint32_t count = vxe_workspace_plan(workspace, plan, passes);
    vxe_energy *energy = &audit->energy;
    vxe_passes_begin(passes, count, state, state->step);
    vxe_workspace_resize(workspace, passes[0].time);
    run_yielding(audit, workspace, state, passes[count - 1].step);
    const double spent_before = spent(energy);
    const vxe_potentials potentials = vxe_potential_energy(workspace);
    vxe_audit_kinetic(audit, workspace, state, passes[0].step, potentials.floor);
    passes[0].yielded = true;
    vxe_state_copy(&audit->mark[VXE_MARK_START], state);
    vxe_state_copy(&audit->mark[VXE_MARK_END], state);
    const double breaking = power_of_breaking(audit, workspace);
    run_velocities(audit, workspace, state, passes, count);
    energy->dissipated_plastic -=
        0.5 * passes[0].h * (power_of_breaking(audit, workspace) - breaking);
    *failure = vxe_workspace_failure(workspace, state->step);
    vxe_audit_velocities(audit, workspace, passes, count);
    VXE_ASSERT(!audit->started || passes[0].time >= energy->time);
    energy->time = passes[0].time;
    energy->elastic_sync = potentials.elastic;
    energy->floor_sync = potentials.floor;
    energy->contact_sync = potentials.contact;
    energy->gravity_sync = potentials.gravity;
    energy->magnetic_sync = potentials.magnetic;
    energy->balance = energy->kinetic_sync - energy->ripple + potentials.elastic +
                      potentials.floor + potentials.contact + potentials.gravity + spent_before +
                      (pulls_without_potential(workspace) ? 0 : potentials.magnetic);
    energy->work_gravity = -potentials.gravity;
    energy->work_magnetic = pulls_without_potential(workspace) ? 0 : -potentials.magnetic;
    if (!audit->started) {
        audit->started = true;
        audit->freed[0] = energy->work_gravity;
        audit->freed[1] = energy->work_magnetic;
        energy->balance_start = energy->balance;
    }
    energy->work_gravity -= audit->freed[0];
    energy->work_magnetic -= audit->freed[1];
    run_drift(audit, workspace, &passes[count - 1]);
    state->step++;
}
