/* SPDX-License-Identifier: MIT */
/* From the numbers that kernels read to those of a design: the chain rule, in double, once at the
   end of a reverse run. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/trig_internal.h"
#include "engine/gradient/gradient_data.h"
#include "materials/bond_variation.h"

#define TURN 6.28318530717958647693

/* Where all follow one wave, edges grow by A (cos(p) sin(wt) + sin(p) cos(wt)), with A = a alpha
   amplitude layer and p the phases of material (rad) and layer (cycles); else see
   voxels/actuation_law.h. Both: model/actuation_model.c. */
void vxe_gradient_chain_growth(vxe_gradient_robot *robot, uint32_t voxel,
                               const double sums[VXE_GROWTH_SUMS])
{
    const vxe_design *design = robot->design;
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    const vxe_layer *amplitude = vxe_design_find_layer(design, "Amplitude");
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const bool waves = design->actuation.enabled && design->actuation.period > 0;
    const double strain = waves ? m->thermal_expansion * design->actuation.amplitude : 0;
    const double whole = robot->simulation.model.edge * strain;
    const double part = amplitude ? amplitude->values[voxel] : 1;
    const double cycles = m->phase / TURN + (phase ? phase->values[voxel] : 0);
    double sine;
    double cosine;
    if (robot->simulation.model.arrays.size[0]) {
        robot->by[VXE_BY_AMPLITUDE][voxel] = strain * sums[VXE_GROWTH_STRAIN];
        robot->by[VXE_BY_PHASE][voxel] = sums[VXE_GROWTH_PHASE];
        robot->by[VXE_BY_FREQUENCY][voxel] = waves ? sums[VXE_GROWTH_FREQUENCY] : 0;
        return;
    }
    vxe_sincos_cycles(cycles, &sine, &cosine);
    robot->by[VXE_BY_AMPLITUDE][voxel] =
        whole * (sums[VXE_GROWTH_SINE] * cosine + sums[VXE_GROWTH_COSINE] * sine);
    robot->by[VXE_BY_PHASE][voxel] =
        TURN * whole * part * (sums[VXE_GROWTH_COSINE] * cosine - sums[VXE_GROWTH_SINE] * sine);
    robot->by[VXE_BY_FREQUENCY][voxel] =
        TURN * whole * part *
        (sums[VXE_GROWTH_COSINE_CYCLES] * cosine - sums[VXE_GROWTH_SINE_CYCLES] * sine);
}

void vxe_gradient_clear_slopes(vxe_gradient_robot *robot)
{
    const uint64_t voxels = robot->design->voxel_count;
    if (robot->of_bonds) {
        memset(robot->of_bonds, 0, 3 * VXE_BOND_SLOPES * voxels * sizeof *robot->of_bonds);
        memset(robot->of_voxels, 0, VXE_VOXEL_SLOPES * voxels * sizeof *robot->of_voxels);
    }
}

/* The centre of mass is sum m x/M: it changes with the mass of a voxel by (x - centre)/M, and its
   velocity likewise. */
void vxe_gradient_add_sample_masses(vxe_gradient_robot *robot, uint32_t sample)
{
    const vxe_simulation *simulation = &robot->simulation;
    const vxe_gradient_sample *of = &robot->samples[sample];
    const vxe_gradient_sample *weight = &robot->weights[sample];
    const double total = simulation->model.total_mass;
    for (uint32_t v = 0; v < robot->design->voxel_count; v++) {
        const uint32_t slot = simulation->model.topology.place[v];
        double place[3];
        double sum = 0;
        vxe_simulation_place(simulation, v, place);
        for (int c = 0; c < 3; c++) {
            const double velocity = vxe_state_velocity(&simulation->state, c, slot);
            sum += weight->center[c] * (place[c] - of->center[c]) +
                   weight->velocity[c] * (velocity - of->velocity[c]);
        }
        robot->of_voxels[(size_t)VXE_VOXEL_SLOPES * slot + VXE_SLOPE_MASS] += sum / total;
    }
}

/* What a gradient's numbers of voxels get. */
static void add(vxe_gradient_robot *robot, vxe_gradient_by by, uint32_t voxel, double value)
{
    robot->by[by][voxel] += value;
}

/* What a bond's coefficients got, times their change. */
static double weighed(const double *of, const vxe_bond_constants *change)
{
    const vxe_bond_stiffness *k = &change->stiffness;
    const vxe_bond_dashpots *c = &change->dashpots;
    return of[VXE_SLOPE_AXIAL] * k->axial + of[VXE_SLOPE_SHEAR] * k->shear +
           of[VXE_SLOPE_TORSION] * k->torsion + of[VXE_SLOPE_BENDING] * k->bending +
           of[VXE_SLOPE_COUPLE] * k->couple + of[VXE_SLOPE_DASH_AXIAL] * c->axial +
           of[VXE_SLOPE_DASH_SHEAR] * c->shear + of[VXE_SLOPE_DASH_TORSION] * c->torsion +
           of[VXE_SLOPE_DASH_BENDING] * c->bending;
}

/* What a bond gives to the numbers of its voxels; see pair_of of model/bond_model.c. */
static void chain_bond(vxe_gradient_robot *robot, int axis, uint32_t lower, uint32_t upper)
{
    const vxe_design *design = robot->design;
    const vxe_model *model = &robot->simulation.model;
    const vxe_moduli moduli = vxe_bond_moduli_of(design, &model->conventions);
    const vxe_densities densities = vxe_densities_of(design);
    const uint32_t voxels[2] = {model->topology.order[lower], model->topology.order[upper]};
    const double *of = robot->of_bonds + (size_t)VXE_BOND_SLOPES * (3 * lower + (uint32_t)axis);
    const double volume = model->edge * model->edge * model->edge;
    const vxe_bond_rules rules = {model->edge, model->conventions.torsion, model->composite,
                                  model->shear, model->damping_form};
    const vxe_material *m[2];
    vxe_bond_numbers at;
    for (int end = 0; end < 2; end++) {
        m[end] = &design->materials[design->voxels[voxels[end]].material];
        at.modulus[end] = vxe_voxel_modulus(&moduli, voxels[end]);
        at.mass[end] = volume * vxe_voxel_density(&densities, voxels[end]);
    }
    at.ratio = 0.5 * (m[0]->bond_damping + m[1]->bond_damping);
    for (int end = 0; end < 2; end++) {
        vxe_bond_numbers by[3] = {{.ratio = 0}, {.ratio = 0}, {.ratio = 0.5}};
        by[0].modulus[end] = 1;
        by[1].mass[end] = volume;
        const vxe_gradient_by numbers[3] = {VXE_BY_STIFFNESS, VXE_BY_DENSITY, VXE_BY_BOND_DAMPING};
        for (int i = 0; i < 3; i++) {
            const vxe_bond_constants change = vxe_bond_variation(m[0], m[1], &rules, &at, &by[i]);
            add(robot, numbers[i], voxels[end], weighed(of, &change));
        }
    }
}

/* What the properties of a voxel give to its numbers; see model/voxel_model.c. */
static void chain_voxel(vxe_gradient_robot *robot, uint32_t voxel)
{
    const vxe_design *design = robot->design;
    const vxe_model *model = &robot->simulation.model;
    const vxe_moduli moduli = vxe_moduli_of(design);
    const vxe_densities densities = vxe_densities_of(design);
    const uint32_t slot = model->topology.place[voxel];
    const double *of = robot->of_voxels + (size_t)VXE_VOXEL_SLOPES * slot;
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const double modulus = vxe_voxel_modulus(&moduli, voxel);
    const double density = vxe_voxel_density(&densities, voxel);
    const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
    const double a = model->edge;
    const double inertia = mass * a * a / 6; /* that of the arrays, but where it is held */
    const double spin = vxe_spin_factor_of(&model->conventions);
    const double face = sqrt(mass * modulus * a);
    const double by_face = of[VXE_SLOPE_FLOOR_DASHPOT] * 2 * m->collision_damping * face +
                           of[VXE_SLOPE_DRAG] * 2 * m->global_damping * face;
    const double by_spin = of[VXE_SLOPE_SPIN_DRAG] * spin * 2 * m->global_damping *
                           sqrt(inertia * modulus * a * a * a);
    const double by_floor = of[VXE_SLOPE_FLOOR_STIFFNESS] * model->conventions.floor_stiffness * a;
    const double dashes = 0.5 * (by_face + by_spin); /* roots of modulus and mass */
    add(robot, VXE_BY_STIFFNESS, voxel, by_floor + (modulus > 0 ? dashes / modulus : 0));
    add(robot, VXE_BY_DENSITY, voxel,
        (of[VXE_SLOPE_MASS] * mass + of[VXE_SLOPE_INERTIA] * inertia + dashes) / density);
    add(robot, VXE_BY_FRICTION, voxel, of[VXE_SLOPE_DYNAMIC_FRICTION]);
    add(robot, VXE_BY_FLOOR_DAMPING, voxel, of[VXE_SLOPE_FLOOR_DASHPOT] * 2 * face);
}

void vxe_gradient_chain_materials(vxe_gradient_robot *robot)
{
    const vxe_topology *topology = &robot->simulation.model.topology;
    for (uint32_t by = VXE_BY_STIFFNESS; by <= VXE_BY_FLOOR_DAMPING; by++) {
        memset(robot->by[by], 0, robot->design->voxel_count * sizeof *robot->by[by]);
    }
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        chain_voxel(robot, topology->order[slot]);
        for (int axis = 0; axis < 3; axis++) {
            if (topology->up[axis][slot] != VXE_NONE) {
                chain_bond(robot, axis, slot, topology->up[axis][slot]);
            }
        }
    }
}
