/* SPDX-License-Identifier: MIT */
#include "engine/ledger_internal.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"

vxe_status vxe_ledger_init(vxe_ledger *ledger, const vxe_model *model, vxe_error *error)
{
    *ledger = (vxe_ledger){0};
    ledger->old_size = vxe_memory_take(model->slots, sizeof *ledger->old_size);
    if (!ledger->old_size) {
        return vxe_error_memory(error, model->slots * sizeof *ledger->old_size);
    }
    vxe_status status = vxe_state_init(&ledger->start, model->slots, error);
    return status ? status : vxe_state_init(&ledger->before, model->slots, error);
}

void vxe_ledger_clear(vxe_ledger *ledger)
{
    vxe_state_clear(&ledger->start);
    vxe_state_clear(&ledger->before);
    vxe_memory_release(ledger->old_size);
    *ledger = (vxe_ledger){0};
}

/* Work of drag, floor dashpots, loads and prescribed freedoms over a kick of h seconds, from the velocities before and after it. */
static void account_kick(vxe_ledger *ledger, const vxe_scratch *scratch, const vxe_state *state, uint32_t flags, double h)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_state *old = &ledger->before;
    const bool drags = (flags & VXE_KICK_EXPLICIT_DRAG) != 0;
    for (uint32_t i = 0; i < scratch->model->topology.voxel_count; i++) {
        for (int c = 0; c < 6; c++) {
            const double before = c < 3 ? old->v[c][i] : old->w[c - 3][i];
            const double after = c < 3 ? state->v[c][i] : state->w[c - 3][i];
            const double mean = 0.5 * (before + after);
            const double inverse = c < 3 ? s->inverse_mass[c][i] : s->inverse_inertia[c - 3][i];
            if (inverse > 0 && s->load[c]) {
                ledger->energy.work_external += s->load[c][i] * mean * h;
            }
            if (inverse > 0 && drags && s->drag) {
                ledger->energy.dissipated_global += (c < 3 ? s->drag : s->spin_drag)[i] * before * mean * h;
            }
        }
        const double depth = s->floor_stiffness ? s->floor_height + 0.5 * s->size[i] - state->x[2][i] : 0;
        if (depth > 0 && drags && s->inverse_mass[2][i] > 0) {
            const double spring = s->floor_stiffness[i] * depth;
            const double total = spring - s->floor_dashpot[i] * old->v[2][i];
            const double dash = (s->floor_pulls ? total : fmax(total, 0)) - spring;
            ledger->energy.dissipated_contact -= dash * 0.5 * (old->v[2][i] + state->v[2][i]) * h;
        }
    }
}

/* Work that the bonds take from freedoms that do not answer to forces (prescribed ones): what the outside must give. The dashpots' share
   is left to vxe_bond_dissipation, which sees the prescribed rates. */
static void account_driven(vxe_ledger *ledger, const vxe_scratch *scratch, const vxe_state *state, double h)
{
    const vxe_model *model = scratch->model;
    if (model->driven_count == 0) {
        return;
    }
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        const vxe_bond_sample bond = vxe_bond_measure(scratch, &place);
        for (int end = 0; end < 2; end++) {
            const uint32_t i = end ? place.upper : place.lower;
            const double *moment = end ? bond.moment_upper : bond.moment_lower;
            for (int c = 0; c < 3; c++) {
                const double force = end ? bond.force[c] : -bond.force[c];
                if (scratch->arrays.inverse_mass[c][i] == 0) {
                    ledger->energy.work_external -= force * state->v[c][i] * h;
                }
                if (scratch->arrays.inverse_inertia[c][i] == 0) {
                    ledger->energy.work_external -= moment[c] * state->w[c][i] * h;
                }
            }
        }
    }
}

static double kinetic_now(const vxe_scratch *scratch, const vxe_state *state)
{
    return vxe_kinetic_energy(scratch->model, state, state);
}

/* Runs an act on its own and returns the kinetic energy that it took away. */
static double taken_by(vxe_ledger *ledger, vxe_scratch *scratch, vxe_state *state, const vxe_pass *pass, uint32_t acts)
{
    const double before = kinetic_now(scratch, state);
    vxe_state_copy(&ledger->before, state);
    vxe_pass act = *pass;
    act.no_bonds = true;
    act.acts = acts;
    vxe_scratch_pass(scratch, &act);
    return before - kinetic_now(scratch, state);
}

/* Exact decay takes drag and floor dashpots at once: the drag's part is what the tangential and angular velocities and the voxels off the
   floor lose, the rest of the vertical loss belongs to the floor. */
static void account_decay(vxe_ledger *ledger, vxe_scratch *scratch, vxe_state *state, const vxe_pass *pass)
{
    const double taken = taken_by(ledger, scratch, state, pass, VXE_ACT_DECAY);
    const vxe_kernel_arrays *s = &scratch->arrays;
    double global = 0;
    for (uint32_t i = 0; i < scratch->model->topology.voxel_count && s->drag; i++) {
        for (int c = 0; c < 3; c++) {
            const double v = ledger->before.v[c][i];
            const double w = ledger->before.w[c][i];
            const double inertia = s->mass[i] * scratch->model->edge * scratch->model->edge / 6;
            const double kept_v = s->drag_decay[i] * s->drag_decay[i];
            const double kept_w = s->spin_decay[i] * s->spin_decay[i];
            global += s->inverse_mass[c][i] > 0 ? 0.5 * s->mass[i] * v * v * (1 - kept_v) : 0;
            global += s->inverse_inertia[c][i] > 0 ? 0.5 * inertia * w * w * (1 - kept_w) : 0;
        }
    }
    ledger->energy.dissipated_global += global;
    ledger->energy.dissipated_contact += taken - global;
}

/* The kick of one pass: bonds and what its flags add; that part of the dashpots acts. */
static void run_kick(vxe_ledger *ledger, vxe_scratch *scratch, vxe_state *state, const vxe_pass *pass,
                     double dashpots)
{
    vxe_state_copy(&ledger->before, state);
    vxe_pass kick = *pass;
    kick.acts = 0;
    vxe_scratch_pass(scratch, &kick);
    account_kick(ledger, scratch, state, pass->kick_flags, pass->h);
    vxe_bond_place place = {.at = UINT64_MAX};
    while (dashpots > 0 && vxe_bond_next(scratch->model, &place)) {
        ledger->energy.dissipated_bonds += dashpots * vxe_bond_dissipation(scratch, &place, &ledger->before, pass->h);
    }
}

/* Edges for the next step: the work of actuation is what the potentials gain at fixed positions. */
static void account_resize(vxe_ledger *ledger, vxe_scratch *scratch, const vxe_pass *pass)
{
    if (!scratch->arrays.size_sine) {
        return;
    }
    const vxe_potentials old = vxe_potential_energy(scratch);
    vxe_pass resize = *pass;
    resize.no_bonds = true;
    resize.acts = VXE_ACT_RESIZE;
    vxe_scratch_pass(scratch, &resize);
    const vxe_potentials now = vxe_potential_energy(scratch);
    ledger->energy.work_actuation += now.elastic - old.elastic + now.floor - old.floor;
}

static double spent(const vxe_energy *e)
{
    return e->dissipated_bonds + e->dissipated_global + e->dissipated_contact + e->dissipated_friction - e->work_actuation -
           e->work_external;
}

void vxe_ledger_step(vxe_ledger *ledger, vxe_scratch *scratch, vxe_state *state, const vxe_step_plan *plan, vxe_failure *failure)
{
    vxe_pass passes[VXE_MOST_PASSES];
    const uint32_t count = vxe_step_passes(scratch->model, plan, passes);
    const double time = vxe_state_time(state);
    vxe_energy *energy = &ledger->energy;
    const double spent_before = spent(energy);
    scratch->arrays.dash_share = vxe_dash_share(plan);
    vxe_scratch_resize(scratch, time);
    const vxe_potentials potentials = vxe_potential_energy(scratch);
    vxe_state_copy(&ledger->start, state);
    for (uint32_t p = 0; p < count; p++) {
        passes[p].number = state->step;
        passes[p].time = time;
        const uint32_t acts = passes[p].acts;
        run_kick(ledger, scratch, state, &passes[p], p > 0 ? 1 : count == 1 || plan->joined ? vxe_dash_share(plan) : 0);
        if (acts & VXE_ACT_DRIVE) {
            vxe_pass drive = passes[p];
            drive.no_bonds = true;
            drive.acts = VXE_ACT_DRIVE;
            vxe_scratch_pass(scratch, &drive);
            account_driven(ledger, scratch, state, plan->time_step);
        }
        if (acts & VXE_ACT_DECAY) {
            account_decay(ledger, scratch, state, &passes[p]);
        }
        if (acts & VXE_ACT_FRICTION) {
            energy->dissipated_friction += taken_by(ledger, scratch, state, &passes[p], VXE_ACT_FRICTION);
        }
    }
    *failure = vxe_scratch_failure(scratch, state->step);
    energy->time = time;
    energy->elastic_sync = potentials.elastic;
    energy->floor_sync = potentials.floor;
    energy->gravity_sync = potentials.gravity;
    energy->kinetic_sync = vxe_kinetic_energy(scratch->model, &ledger->start, state);
    /* dissipation and work up to the middle of this step's kick */
    energy->balance = energy->kinetic_sync + potentials.elastic + potentials.floor + potentials.gravity +
                      0.5 * (spent_before + spent(energy));
    (void)taken_by(ledger, scratch, state, &passes[count - 1], VXE_ACT_DRIFT);
    account_resize(ledger, scratch, &passes[count - 1]);
    state->step++;
}
