/* SPDX-License-Identifier: MIT */
/* The kinetic energy that belongs to the potentials of a time, and the part of it that comes and
 * goes. */
#include <math.h>
#include <string.h>

#include "engine/audit/audit_parts.h"
#include "engine/audit/audit_reads.h"

/* Adds a force or moment in one degree of freedom to the forces that have a potential. */
static void add_force(vxe_energy_audit *audit, uint32_t slot, int c, double force)
{
    VXE_ASSERT(slot < audit->mark[0].slots && c >= 0 && c < 6);
    audit->force[6 * (size_t)slot + (size_t)c] += force;
}

/* N: force of the floor's spring on a voxel, where it is. */
static void floor_spring(const vxe_workspace *workspace, uint32_t slot, double force[3])
{
    const vxe_floor_contact touch = vxe_floor_contact_measure(workspace, slot);
    for (int c = 0; c < 3; c++) {
        force[c] = touch.stiffness * fmax(touch.depth, 0) * touch.normal[c];
    }
}

/* Adds weight, magnets and external loads on a voxel, and a floor that pulls. */
static void add_voxel_forces(vxe_energy_audit *audit, const vxe_workspace *workspace, uint32_t slot)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const bool has_potential = workspace->magnets && !pulls_without_potential(workspace);
    const double mass = at(workspace, s->mass, slot);
    double floor[3] = {0};
    if (s->floor_rule) {
        floor_spring(workspace, slot, floor);
    }
    for (int c = 0; c < 6; c++) {
        const vxe_external_loads *loads = &workspace->external_loads;
        const vxe_reals *external = loads->by_hand ? NULL : loads->load[c];
        double force = c < 3 ? mass * s->gravity[c] + floor[c] : 0;
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
        const vxe_bond_sample bond = vxe_audit_bond(workspace, &place);
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
    load += c < 3 && workspace->external_loads.by_hand
                ? at(workspace, workspace->external_loads.load[c], slot)
                : 0;
    return load;
}

/* Kinetic energy at the time of the potentials: half a kick after the velocities before it, by the
   forces F that have a potential, v.F h/2 + F.(F + L) h^2/(8 m). Dashpots, friction and loads L
   have their share in what was spent, so that impulses of theirs of any size are no gain or loss.
   The last term is none where a load is at rest on springs. Without it the kinetic energy is the
   product of the velocities before and after a kick, with which springs keep the energy exactly,
   whatever the step; the floor keeps it with its energy at the ends of ways. The rest comes and
   goes (docs/physics.md, Energy audit). */
void vxe_audit_kinetic(vxe_energy_audit *audit, const vxe_workspace *workspace,
                       const vxe_state *state, double h, double floor)
{
    VXE_ASSERT(h > 0);
    const bool floor_apart = workspace->arrays.floor_stiffness && !workspace->arrays.floor_rule;
    double kept = vxe_audit_floor_energy(workspace, state, h) - floor;
    double kinetic = 0;
    sum_forces(audit, workspace, state, h);
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        double spring[3] = {0};
        if (floor_apart) {
            floor_spring(workspace, i, spring);
        }
        for (int c = 0; c < 6; c++) {
            const double inertia = inertia_of(workspace, c, i);
            const double speed = rate(state, c, i);
            const double moving = 0.5 * inertia * speed * speed;
            kept += moving;
            kinetic += moving;
            if (is_free(workspace, c, i)) {
                const double other = audit->force[6 * (size_t)i + (size_t)c];
                const double force = other + (c < 3 ? spring[c] : 0);
                const double all = force + load_on(workspace, i, c);
                kept += 0.5 * h * other * speed;
                kinetic += 0.5 * h * force * speed + 0.125 * h * h * force * all / inertia;
            }
        }
    }
    audit->energy.kinetic_sync = kinetic;
    audit->energy.ripple = kinetic - kept;
}
