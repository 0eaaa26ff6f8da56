/* SPDX-License-Identifier: MIT */
/* What the springs of a world hold now, computed when it is asked for: forces and strains of bonds,
   energies, and what these say of the run. */
#include <math.h>
#include <string.h>

#include "common/status_internal.h"
#include "engine/world/world_data.h"

/* The largest part of what was put in that an audited run may gain. */
#define MAX_GAIN 0.01

void vxe_world_elastic_forces(const vxe_world *world, double *forces, double *moments)
{
    const vxe_model *model = &world->simulation.model;
    const size_t values = 3 * (size_t)model->topology.voxel_count;
    memset(forces, 0, values * sizeof *forces);
    memset(moments, 0, values * sizeof *moments);
    vxe_workspace_poisson(&world->workspace, 0, 1);
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        const vxe_bond_sample bond = vxe_bond_measure(&world->workspace, &place);
        const size_t lower = model->topology.order[place.lower];
        const size_t upper = model->topology.order[place.upper];
        for (size_t c = 0; c < 3; c++) {
            forces[3 * upper + c] += bond.force[c];
            forces[3 * lower + c] -= bond.force[c];
            moments[3 * upper + c] += bond.moment_upper[c];
            moments[3 * lower + c] += bond.moment_lower[c];
        }
    }
}

vxe_status vxe_world_bond_strain(const vxe_world *world, uint32_t first, uint32_t second,
                                 double *strain, double *stress, vxe_error *error)
{
    const vxe_model *model = &world->simulation.model;
    vxe_workspace_poisson(&world->workspace, 0, 1);
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        const uint32_t lower = model->topology.order[place.lower];
        const uint32_t upper = model->topology.order[place.upper];
        if ((lower == first && upper == second) || (lower == second && upper == first)) {
            const vxe_bond_sample bond = vxe_bond_measure(&world->workspace, &place);
            *strain = bond.strain;
            *stress = vxe_bond_stress(&world->workspace, &place, bond.tension);
            return VXE_OK;
        }
    }
    return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "voxels %u and %u are not bonded", first,
                          second);
}

double vxe_world_max_strain(const vxe_world *world)
{
    double largest = 0;
    vxe_workspace_poisson(&world->workspace, 0, 1);
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(&world->simulation.model, &place)) {
        const vxe_bond_sample bond = vxe_bond_measure(&world->workspace, &place);
        largest = bond.broken ? largest : fmax(largest, fabs(bond.strain));
    }
    return largest;
}

double vxe_energy_gain(const vxe_energy *e)
{
    const double drift = e->balance - e->balance_start;
    const double works[4] = {e->work_actuation, e->work_external, e->work_gravity,
                             e->work_magnetic};
    double out = e->kinetic + e->elastic + e->floor + e->contact + e->dissipated_bonds +
                 e->dissipated_plastic + e->dissipated_global + e->dissipated_contact +
                 e->dissipated_friction + e->dissipated_viscous + e->dissipated_growth +
                 fmax(e->given_to_fluid, 0);
    double put_in = 0;
    for (int i = 0; i < 4; i++) {
        put_in += fmax(works[i], 0);
        out += fmax(-works[i], 0);
    }
    const double all = fmax(fmax(put_in, out - drift), 1e-3 * out);
    return all > 0 ? drift / all : 0;
}

vxe_energy vxe_world_energy(const vxe_world *world)
{
    vxe_energy energy = world->has_audit ? world->audit.energy : (vxe_energy){0};
    const vxe_potentials potentials = vxe_potential_energy(&world->workspace);
    energy.kinetic = vxe_kinetic_energy(&world->simulation.model, &world->simulation.state,
                                        &world->simulation.state);
    energy.elastic = potentials.elastic;
    energy.floor = potentials.floor;
    energy.contact = potentials.contact;
    energy.gravity = potentials.gravity;
    energy.magnetic = potentials.magnetic;
    const vxe_model *model = &world->simulation.model;
    energy.rounding = model->topology.voxel_count > 0 ? vxe_guard_rounding(model) : 0;
    vxe_world_affine_energy(world, &energy);
    return energy;
}

vxe_status vxe_world_judge(const vxe_world *world, vxe_error *error)
{
    if (!world->has_audit) {
        return VXE_OK;
    }
    const vxe_energy energy = vxe_world_energy(world);
    const double gain = vxe_energy_gain(&energy);
    const double rise = energy.balance - energy.balance_start;
    return gain > MAX_GAIN && rise > energy.rounding
               ? vxe_error_fill(error, VXE_ERROR_UNPHYSICAL,
                                "unphysical: by the energy audit %.3g J came from nothing in "
                                "%.6g s, %.3g %% of what was put in; the step is too long for "
                                "this design",
                                rise, energy.time, 100 * gain)
               : VXE_OK;
}
