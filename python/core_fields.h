/* SPDX-License-Identifier: MIT */
/* Members of the public structures, as tables. make_fields.py writes this file from the
   headers: change those, and run it. */
/* clang-format off */
#ifndef VXE_PYTHON_CORE_FIELDS_H
#define VXE_PYTHON_CORE_FIELDS_H

#include "core.h"

static const core_field core_material_fields[] = {
    {"name", CORE_TEXT, offsetof(vxe_material, name), sizeof((vxe_material *)0)->name, {NULL}},
    {"color", CORE_FLOAT, offsetof(vxe_material, color), 4, {NULL}},
    {"youngs_modulus", CORE_DOUBLE, offsetof(vxe_material, youngs_modulus), 1, {NULL}},
    {"density", CORE_DOUBLE, offsetof(vxe_material, density), 1, {NULL}},
    {"poissons_ratio", CORE_DOUBLE, offsetof(vxe_material, poissons_ratio), 1, {NULL}},
    {"static_friction", CORE_DOUBLE, offsetof(vxe_material, static_friction), 1, {NULL}},
    {"dynamic_friction", CORE_DOUBLE, offsetof(vxe_material, dynamic_friction), 1, {NULL}},
    {"bond_damping", CORE_DOUBLE, offsetof(vxe_material, bond_damping), 1, {NULL}},
    {"collision_damping", CORE_DOUBLE, offsetof(vxe_material, collision_damping), 1, {NULL}},
    {"global_damping", CORE_DOUBLE, offsetof(vxe_material, global_damping), 1, {NULL}},
    {"thermal_expansion", CORE_DOUBLE, offsetof(vxe_material, thermal_expansion), 1, {NULL}},
    {"phase", CORE_DOUBLE, offsetof(vxe_material, phase), 1, {NULL}},
    {"model", CORE_CHOICE, offsetof(vxe_material, model), 1, {"linear", "linear_failing", "bilinear", "measured"}},
    {"plastic_modulus", CORE_DOUBLE, offsetof(vxe_material, plastic_modulus), 1, {NULL}},
    {"yield_stress", CORE_DOUBLE, offsetof(vxe_material, yield_stress), 1, {NULL}},
    {"fail_stress", CORE_DOUBLE, offsetof(vxe_material, fail_stress), 1, {NULL}},
    {"fail_strain", CORE_DOUBLE, offsetof(vxe_material, fail_strain), 1, {NULL}},
    {"sticky", CORE_BOOL, offsetof(vxe_material, sticky), 1, {NULL}},
    {"detach_stress", CORE_DOUBLE, offsetof(vxe_material, detach_stress), 1, {NULL}},
    {"magnetization", CORE_DOUBLE, offsetof(vxe_material, magnetization), 3, {NULL}},
    {"susceptibility", CORE_DOUBLE, offsetof(vxe_material, susceptibility), 1, {NULL}},
    {"sphere", CORE_BOOL, offsetof(vxe_material, sphere), 1, {NULL}},
    {"target", CORE_BOOL, offsetof(vxe_material, target), 1, {NULL}},
    {"unmeasured", CORE_BOOL, offsetof(vxe_material, unmeasured), 1, {NULL}},
};
static PyGetSetDef core_material_getset[] = {
    {"name", core_view_value, core_view_assign, "free text", (void *)0},
    {"color", core_view_value, core_view_assign, "red, green, blue, alpha, 0..1; for display", (void *)1},
    {"youngs_modulus", core_view_value, core_view_assign, "Pa, >= 0; 0: no stiffness", (void *)2},
    {"density", core_view_value, core_view_assign, "kg/m^3, > 0", (void *)3},
    {"poissons_ratio", core_view_value, core_view_assign, "-1 < nu <= 0.5; acts on torsion, on shear with bulk, and on all strains if the design has volume effects", (void *)4},
    {"static_friction", core_view_value, core_view_assign, "coefficient, >= 0", (void *)5},
    {"dynamic_friction", core_view_value, core_view_assign, "coefficient, >= 0", (void *)6},
    {"bond_damping", core_view_value, core_view_assign, "xi in c = xi sqrt(m k), >= 0; 1 is 0.707 of the critical damping of a pair", (void *)7},
    {"collision_damping", core_view_value, core_view_assign, "ratio, >= 0, of the normal dashpot at the floor and in contacts", (void *)8},
    {"global_damping", core_view_value, core_view_assign, "ratio, >= 0, of the drag against the frame of the world", (void *)9},
    {"thermal_expansion", core_view_value, core_view_assign, "1/K, relative change of the edge; negative: a muscle that is opposite in phase", (void *)10},
    {"phase", core_view_value, core_view_assign, "rad, added to the phase of the temperature", (void *)11},
    {"model", core_view_value, core_view_assign, " [linear, linear_failing, bilinear, measured]", (void *)12},
    {"plastic_modulus", core_view_value, core_view_assign, "Pa: slope beyond the yield stress; bilinear only", (void *)13},
    {"yield_stress", core_view_value, core_view_assign, "Pa; bilinear only", (void *)14},
    {"fail_stress", core_view_value, core_view_assign, "Pa in tension, of all models but linear; 0: none", (void *)15},
    {"fail_strain", core_view_value, core_view_assign, "in tension, of all models but linear; 0: none", (void *)16},
    {"sticky", core_view_value, core_view_assign, "two voxels of it stick where they touch, with self-collision", (void *)17},
    {"detach_stress", core_view_value, core_view_assign, "Pa: normal or shear stress at which sticky voxels let go; 0: never", (void *)18},
    {"magnetization", core_view_value, core_view_assign, "A/m, along the axes of the voxel, which rotate with it; its moment is this times the volume of a lattice cell", (void *)19},
    {"susceptibility", core_view_value, core_view_assign, "chi, >= 0: fields magnetise the voxel too, if the design allows induction, by chi times the field inside a sphere", (void *)20},
    {"sphere", core_view_value, core_view_assign, "its voxels are spheres whose diameter is the edge: never bonded, with the mass and inertia of a sphere", (void *)21},
    {"target", core_view_value, core_view_assign, "its voxels are the targets of fitness and stop formulas", (void *)22},
    {"unmeasured", core_view_value, core_view_assign, "formulas leave its voxels out where they measure the body", (void *)23},
    {"curve", core_material_curve, core_material_set_curve, "((strain, stress Pa), ...): the measured curve, from (0, 0) on; empty without one", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_floor_fields[] = {
    {"enabled", CORE_BOOL, offsetof(vxe_floor, enabled), 1, {NULL}},
    {"sticky", CORE_BOOL, offsetof(vxe_floor, sticky), 1, {NULL}},
    {"height", CORE_DOUBLE, offsetof(vxe_floor, height), 1, {NULL}},
    {"slope", CORE_DOUBLE, offsetof(vxe_floor, slope), 2, {NULL}},
    {"radius", CORE_DOUBLE, offsetof(vxe_floor, radius), 1, {NULL}},
    {"center", CORE_DOUBLE, offsetof(vxe_floor, center), 2, {NULL}},
};
static PyGetSetDef core_floor_getset[] = {
    {"enabled", core_view_value, core_view_assign, "whether it acts", (void *)0},
    {"sticky", core_view_value, core_view_assign, "voxels that touch it do not slide", (void *)1},
    {"height", core_view_value, core_view_assign, "m, at x = y = 0 of the design's frame", (void *)2},
    {"slope", core_view_value, core_view_assign, "rise over run along x and y", (void *)3},
    {"radius", core_view_value, core_view_assign, "m: the floor ends at this distance from its centre; 0: it has no end", (void *)4},
    {"center", core_view_value, core_view_assign, "m: x and y of its centre", (void *)5},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_fluid_fields[] = {
    {"enabled", CORE_BOOL, offsetof(vxe_fluid, enabled), 1, {NULL}},
    {"buoyancy", CORE_BOOL, offsetof(vxe_fluid, buoyancy), 1, {NULL}},
    {"density", CORE_DOUBLE, offsetof(vxe_fluid, density), 1, {NULL}},
    {"drag_coefficient", CORE_DOUBLE, offsetof(vxe_fluid, drag_coefficient), 1, {NULL}},
};
static PyGetSetDef core_fluid_getset[] = {
    {"enabled", core_view_value, core_view_assign, "whether it acts", (void *)0},
    {"buoyancy", core_view_value, core_view_assign, "the weight of the fluid that a voxel displaces lifts it", (void *)1},
    {"density", core_view_value, core_view_assign, "rho, kg/m^3", (void *)2},
    {"drag_coefficient", core_view_value, core_view_assign, "C_d", (void *)3},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_magnetics_fields[] = {
    {"enabled", CORE_BOOL, offsetof(vxe_magnetics, enabled), 1, {NULL}},
    {"alone", CORE_BOOL, offsetof(vxe_magnetics, alone), 1, {NULL}},
    {"induces", CORE_BOOL, offsetof(vxe_magnetics, induces), 1, {NULL}},
    {"dipole_cap", CORE_DOUBLE, offsetof(vxe_magnetics, dipole_cap), 1, {NULL}},
    {"dipole_soften", CORE_DOUBLE, offsetof(vxe_magnetics, dipole_soften), 1, {NULL}},
    {"dipole_d", CORE_DOUBLE, offsetof(vxe_magnetics, dipole_d), 1, {NULL}},
    {"divisions", CORE_U32, offsetof(vxe_magnetics, divisions), 1, {NULL}},
    {"every", CORE_U32, offsetof(vxe_magnetics, every), 1, {NULL}},
    {"reference", CORE_DOUBLE, offsetof(vxe_magnetics, reference), 3, {NULL}},
};
static PyGetSetDef core_magnetics_getset[] = {
    {"enabled", core_view_value, core_view_assign, "whether it acts", (void *)0},
    {"alone", core_view_value, core_view_assign, "only the external field acts on dipoles, not other dipoles", (void *)1},
    {"induces", core_view_value, core_view_assign, "fields magnetise voxels by their susceptibility", (void *)2},
    {"dipole_cap", core_view_value, core_view_assign, "m: the force of closer pairs is that at this distance; 0: no limit", (void *)3},
    {"dipole_soften", core_view_value, core_view_assign, "m: e; forces of a pair are those at the distance (r^2 + e^2)^1/2, which limits them and keeps a potential; 0: at r", (void *)4},
    {"dipole_d", core_view_value, core_view_assign, "m: pairs with a wider gap (distance minus an edge) do not act on each other; 0: all pairs act", (void *)5},
    {"divisions", core_view_value, core_view_assign, "n: the moment of a voxel is divided over n^3 dipoles; 0 means 1", (void *)6},
    {"every", core_view_value, core_view_assign, "n: the force between dipoles acts in every n-th step, n times as large; 0 means 1", (void *)7},
    {"reference", core_view_value, core_view_assign, "m, design frame: the point where the gradient adds nothing", (void *)8},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_actuation_fields[] = {
    {"enabled", CORE_BOOL, offsetof(vxe_actuation, enabled), 1, {NULL}},
    {"base", CORE_DOUBLE, offsetof(vxe_actuation, base), 1, {NULL}},
    {"amplitude", CORE_DOUBLE, offsetof(vxe_actuation, amplitude), 1, {NULL}},
    {"period", CORE_DOUBLE, offsetof(vxe_actuation, period), 1, {NULL}},
    {"start", CORE_DOUBLE, offsetof(vxe_actuation, start), 1, {NULL}},
    {"min", CORE_DOUBLE, offsetof(vxe_actuation, min), 1, {NULL}},
    {"max", CORE_DOUBLE, offsetof(vxe_actuation, max), 1, {NULL}},
    {"room", CORE_DOUBLE, offsetof(vxe_actuation, room), 1, {NULL}},
};
static PyGetSetDef core_actuation_getset[] = {
    {"enabled", core_view_value, core_view_assign, "whether it acts", (void *)0},
    {"base", core_view_value, core_view_assign, "degrees Celsius; only T - base matters", (void *)1},
    {"amplitude", core_view_value, core_view_assign, "K", (void *)2},
    {"period", core_view_value, core_view_assign, "s; 0: the temperature stays at base", (void *)3},
    {"start", core_view_value, core_view_assign, "s: actuation begins at this time", (void *)4},
    {"min", core_view_value, core_view_assign, "minimum of 1 + expansion", (void *)5},
    {"max", core_view_value, core_view_assign, "maximum of 1 + expansion; 0: none", (void *)6},
    {"room", core_view_value, core_view_assign, "with compatibility presets in which voxels only contract, the maximum of 1 + expansion is 1 + room", (void *)7},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_stop_fields[] = {
    {"duration", CORE_DOUBLE, offsetof(vxe_stop, duration), 1, {NULL}},
    {"steps", CORE_U64, offsetof(vxe_stop, steps), 1, {NULL}},
    {"periods", CORE_DOUBLE, offsetof(vxe_stop, periods), 1, {NULL}},
    {"settle_time", CORE_DOUBLE, offsetof(vxe_stop, settle_time), 1, {NULL}},
    {"reference_time", CORE_DOUBLE, offsetof(vxe_stop, reference_time), 1, {NULL}},
};
static PyGetSetDef core_stop_getset[] = {
    {"duration", core_view_value, core_view_assign, "s; 0: not set; a formula may end a run too", (void *)0},
    {"steps", core_view_value, core_view_assign, "0: not set", (void *)1},
    {"periods", core_view_value, core_view_assign, "actuation periods; 0: not set", (void *)2},
    {"settle_time", core_view_value, core_view_assign, "s without actuation at the start", (void *)3},
    {"reference_time", core_view_value, core_view_assign, "s: displacement counts from this time, or from the end of settling if that is later", (void *)4},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_time_step_fields[] = {
    {"fraction", CORE_DOUBLE, offsetof(vxe_time_step, fraction), 1, {NULL}},
    {"seconds", CORE_DOUBLE, offsetof(vxe_time_step, seconds), 1, {NULL}},
};
static PyGetSetDef core_time_step_getset[] = {
    {"fraction", core_view_value, core_view_assign, "of the step 1/(2 pi w0) of Hiller2014, for the rule `source`", (void *)0},
    {"seconds", core_view_value, core_view_assign, "s: the step that the file asks for; 0: none", (void *)1},
    {NULL, NULL, NULL, NULL, NULL}};

static const core_field core_world_facts_fields[] = {
    {"voxels", CORE_U32, offsetof(vxe_world_facts, voxels), 1, {NULL}},
    {"bonds", CORE_U64, offsetof(vxe_world_facts, bonds), 1, {NULL}},
    {"bodies", CORE_U32, offsetof(vxe_world_facts, bodies), 1, {NULL}},
    {"surface_voxels", CORE_U32, offsetof(vxe_world_facts, surface_voxels), 1, {NULL}},
    {"materials", CORE_U32, offsetof(vxe_world_facts, materials), 1, {NULL}},
    {"particles", CORE_U32, offsetof(vxe_world_facts, particles), 1, {NULL}},
    {"magnets", CORE_U32, offsetof(vxe_world_facts, magnets), 1, {NULL}},
    {"affine", CORE_U32, offsetof(vxe_world_facts, affine), 1, {NULL}},
    {"threads", CORE_U32, offsetof(vxe_world_facts, threads), 1, {NULL}},
    {"mass", CORE_DOUBLE, offsetof(vxe_world_facts, mass), 1, {NULL}},
    {"voxel_size", CORE_DOUBLE, offsetof(vxe_world_facts, voxel_size), 1, {NULL}},
    {"extent", CORE_DOUBLE, offsetof(vxe_world_facts, extent), 3, {NULL}},
    {"time_step", CORE_DOUBLE, offsetof(vxe_world_facts, time_step), 1, {NULL}},
    {"highest_frequency", CORE_DOUBLE, offsetof(vxe_world_facts, highest_frequency), 1, {NULL}},
    {"source_frequency", CORE_DOUBLE, offsetof(vxe_world_facts, source_frequency), 1, {NULL}},
    {"actuation_full", CORE_DOUBLE, offsetof(vxe_world_facts, actuation_full), 1, {NULL}},
    {"damping_sweeps", CORE_U32, offsetof(vxe_world_facts, damping_sweeps), 1, {NULL}},
    {"damping", CORE_CHOICE, offsetof(vxe_world_facts, damping), 1, {"auto", "explicit", "sweep"}},
    {"step_rule", CORE_CHOICE, offsetof(vxe_world_facts, step_rule), 1, {"auto", "source", "seconds"}},
    {"conventions", CORE_POINTER, offsetof(vxe_world_facts, conventions), 1, {NULL}},
    {"precision", CORE_POINTER, offsetof(vxe_world_facts, precision), 1, {NULL}},
    {"isa", CORE_POINTER, offsetof(vxe_world_facts, isa), 1, {NULL}},
};
static PyStructSequence_Field core_world_facts_names[] = {
    {"voxels", "number of voxels"},
    {"bonds", "number of bonds"},
    {"bodies", "number of bodies"},
    {"surface_voxels", "voxels on the surface"},
    {"materials", "number of materials"},
    {"particles", "voxels on the surface that have contact models"},
    {"magnets", "voxels that have a magnetic moment, or may get one by induction"},
    {"affine", "affine bodies"},
    {"threads", "number of threads"},
    {"mass", "kg"},
    {"voxel_size", "m"},
    {"extent", "m, at the start"},
    {"time_step", "s"},
    {"highest_frequency", "rad/s: w_max of the rest state, estimated from below within about 1 %, for large bodies within 3 %"},
    {"source_frequency", "rad/s: w0 = max sqrt(k_a/m)"},
    {"actuation_full", "s: time from which the actuation's wave acts in full; 0: no wave"},
    {"damping_sweeps", "damping iterations of a step; 0 with explicit damping"},
    {"damping", "how dashpots enter a step [auto, explicit, sweep]"},
    {"step_rule", "how the time step is chosen [auto, source, seconds]"},
    {"conventions", "preset and switches"},
    {"precision", "\"mixed\" or \"double\""},
    {"isa", "instruction set, such as \"x86-64-v4\""},
    {NULL, NULL}};

static const core_field core_energy_fields[] = {
    {"kinetic", CORE_DOUBLE, offsetof(vxe_energy, kinetic), 1, {NULL}},
    {"kinetic_sync", CORE_DOUBLE, offsetof(vxe_energy, kinetic_sync), 1, {NULL}},
    {"ripple", CORE_DOUBLE, offsetof(vxe_energy, ripple), 1, {NULL}},
    {"elastic", CORE_DOUBLE, offsetof(vxe_energy, elastic), 1, {NULL}},
    {"floor", CORE_DOUBLE, offsetof(vxe_energy, floor), 1, {NULL}},
    {"contact", CORE_DOUBLE, offsetof(vxe_energy, contact), 1, {NULL}},
    {"gravity", CORE_DOUBLE, offsetof(vxe_energy, gravity), 1, {NULL}},
    {"magnetic", CORE_DOUBLE, offsetof(vxe_energy, magnetic), 1, {NULL}},
    {"time", CORE_DOUBLE, offsetof(vxe_energy, time), 1, {NULL}},
    {"elastic_sync", CORE_DOUBLE, offsetof(vxe_energy, elastic_sync), 1, {NULL}},
    {"floor_sync", CORE_DOUBLE, offsetof(vxe_energy, floor_sync), 1, {NULL}},
    {"contact_sync", CORE_DOUBLE, offsetof(vxe_energy, contact_sync), 1, {NULL}},
    {"gravity_sync", CORE_DOUBLE, offsetof(vxe_energy, gravity_sync), 1, {NULL}},
    {"magnetic_sync", CORE_DOUBLE, offsetof(vxe_energy, magnetic_sync), 1, {NULL}},
    {"dissipated_bonds", CORE_DOUBLE, offsetof(vxe_energy, dissipated_bonds), 1, {NULL}},
    {"dissipated_plastic", CORE_DOUBLE, offsetof(vxe_energy, dissipated_plastic), 1, {NULL}},
    {"dissipated_global", CORE_DOUBLE, offsetof(vxe_energy, dissipated_global), 1, {NULL}},
    {"dissipated_contact", CORE_DOUBLE, offsetof(vxe_energy, dissipated_contact), 1, {NULL}},
    {"dissipated_friction", CORE_DOUBLE, offsetof(vxe_energy, dissipated_friction), 1, {NULL}},
    {"dissipated_viscous", CORE_DOUBLE, offsetof(vxe_energy, dissipated_viscous), 1, {NULL}},
    {"dissipated_growth", CORE_DOUBLE, offsetof(vxe_energy, dissipated_growth), 1, {NULL}},
    {"given_to_fluid", CORE_DOUBLE, offsetof(vxe_energy, given_to_fluid), 1, {NULL}},
    {"work_actuation", CORE_DOUBLE, offsetof(vxe_energy, work_actuation), 1, {NULL}},
    {"work_external", CORE_DOUBLE, offsetof(vxe_energy, work_external), 1, {NULL}},
    {"work_gravity", CORE_DOUBLE, offsetof(vxe_energy, work_gravity), 1, {NULL}},
    {"work_magnetic", CORE_DOUBLE, offsetof(vxe_energy, work_magnetic), 1, {NULL}},
    {"balance", CORE_DOUBLE, offsetof(vxe_energy, balance), 1, {NULL}},
    {"balance_start", CORE_DOUBLE, offsetof(vxe_energy, balance_start), 1, {NULL}},
    {"rounding", CORE_DOUBLE, offsetof(vxe_energy, rounding), 1, {NULL}},
};
static PyStructSequence_Field core_energy_names[] = {
    {"kinetic", "J: translation and rotation, by the present velocities (half a step behind positions)"},
    {"kinetic_sync", "J: after half of the last kick, by the forces that have a potential: belongs to the potentials at `time`"},
    {"ripple", "J: part of kinetic_sync that comes and goes with the phase of vibrations against the step: F^2 h^2/(8 m) (energy audit only)"},
    {"elastic", "J: bonds"},
    {"floor", "J: floor springs"},
    {"contact", "J: springs between voxels that touch, and contact models"},
    {"gravity", "J: -m g.x"},
    {"magnetic", "J: dipoles in each other's fields and in the external one"},
    {"time", "s: time of the potentials `_sync` (energy audit only)"},
    {"elastic_sync", "J: bonds"},
    {"floor_sync", "J: floor springs"},
    {"contact_sync", "J: contacts"},
    {"gravity_sync", "J: weight"},
    {"magnetic_sync", "J: magnets"},
    {"dissipated_bonds", "J: dashpots of bonds"},
    {"dissipated_plastic", "J: bonds that yield and break"},
    {"dissipated_global", "J: global damping"},
    {"dissipated_contact", "J: dashpots of contacts"},
    {"dissipated_friction", "J: friction"},
    {"dissipated_viscous", "J: viscosity of affine bodies"},
    {"dissipated_growth", "J: growth of affine bodies"},
    {"given_to_fluid", "J: by drag and buoyancy"},
    {"work_actuation", "J: work of actuation"},
    {"work_external", "J: loads, prescribed motion, external fields that change"},
    {"work_gravity", "J: what `gravity_sync` has fallen by since the first step"},
    {"work_magnetic", "J: what `magnetic_sync` has fallen by; 0 where the magnets' law has no potential, and their work is external"},
    {"balance", "J: kinetic_sync - ripple + potentials `_sync` + dissipation - work: constant, whatever the step, where all springs are linear (energy audit only)"},
    {"balance_start", "J: balance of the first step: the difference is the integrator's error"},
    {"rounding", "J: a rise of the balance within this is not judged: the energy of the whole body at a strain of 1e-5"},
    {NULL, NULL}};

static const core_field core_settled_fields[] = {
    {"steps", CORE_U32, offsetof(vxe_settled, steps), 1, {NULL}},
    {"iterations", CORE_U64, offsetof(vxe_settled, iterations), 1, {NULL}},
    {"residual", CORE_DOUBLE, offsetof(vxe_settled, residual), 1, {NULL}},
    {"largest_move", CORE_DOUBLE, offsetof(vxe_settled, largest_move), 1, {NULL}},
    {"largest_voxel", CORE_U32, offsetof(vxe_settled, largest_voxel), 1, {NULL}},
};
static PyStructSequence_Field core_settled_names[] = {
    {"steps", "of Newton's method, those that were taken back included"},
    {"iterations", "of conjugate gradients, in all of them"},
    {"residual", "forces that are left, as tolerance counts them; of a linear solution those of its equations"},
    {"largest_move", "m: of a voxel from where it was"},
    {"largest_voxel", "which one, in design order"},
    {NULL, NULL}};

static const core_field core_batch_result_fields[] = {
    {"status", CORE_INTEGER, offsetof(vxe_batch_result, status), 1, {NULL}},
    {"reason", CORE_INTEGER, offsetof(vxe_batch_result, reason), 1, {NULL}},
    {"message", CORE_POINTER, offsetof(vxe_batch_result, message), 1, {NULL}},
    {"conventions", CORE_POINTER, offsetof(vxe_batch_result, conventions), 1, {NULL}},
    {"in_lanes", CORE_BOOL, offsetof(vxe_batch_result, in_lanes), 1, {NULL}},
    {"retries", CORE_U32, offsetof(vxe_batch_result, retries), 1, {NULL}},
    {"voxels", CORE_U32, offsetof(vxe_batch_result, voxels), 1, {NULL}},
    {"bonds", CORE_U64, offsetof(vxe_batch_result, bonds), 1, {NULL}},
    {"mass", CORE_DOUBLE, offsetof(vxe_batch_result, mass), 1, {NULL}},
    {"steps", CORE_U64, offsetof(vxe_batch_result, steps), 1, {NULL}},
    {"time", CORE_DOUBLE, offsetof(vxe_batch_result, time), 1, {NULL}},
    {"time_step", CORE_DOUBLE, offsetof(vxe_batch_result, time_step), 1, {NULL}},
    {"damping_sweeps", CORE_U32, offsetof(vxe_batch_result, damping_sweeps), 1, {NULL}},
    {"start_time", CORE_DOUBLE, offsetof(vxe_batch_result, start_time), 1, {NULL}},
    {"start_center", CORE_DOUBLE, offsetof(vxe_batch_result, start_center), 3, {NULL}},
    {"center", CORE_DOUBLE, offsetof(vxe_batch_result, center), 3, {NULL}},
    {"displacement", CORE_DOUBLE, offsetof(vxe_batch_result, displacement), 1, {NULL}},
    {"body_lengths_per_second", CORE_DOUBLE, offsetof(vxe_batch_result, body_lengths_per_second), 1, {NULL}},
    {"fitness", CORE_DOUBLE, offsetof(vxe_batch_result, fitness), 1, {NULL}},
    {"hash", CORE_U64, offsetof(vxe_batch_result, hash), 1, {NULL}},
};
static PyStructSequence_Field core_batch_result_names[] = {
    {"status", "what became of it, see Status"},
    {"reason", "ok, diverged, unphysical, or why it was refused"},
    {"message", "where and when it diverged or became unphysical, or why it was refused; else empty"},
    {"conventions", "preset and switches that it ran under"},
    {"in_lanes", "all or most of its steps ran in lanes"},
    {"retries", "earlier runs, with longer steps, that diverged"},
    {"voxels", "number of voxels"},
    {"bonds", "number of bonds"},
    {"mass", "kg"},
    {"steps", "number of steps"},
    {"time", "s"},
    {"time_step", "s"},
    {"damping_sweeps", "damping iterations of a step"},
    {"start_time", "s: displacement counts from here (end of settling)"},
    {"start_center", "m: centre of mass then, design coordinates"},
    {"center", "m: centre of mass at the end"},
    {"displacement", "m, horizontal"},
    {"body_lengths_per_second", "horizontal speed over the larger horizontal extent"},
    {"fitness", "by the design's formula, with the bits of trial_fitness; NaN: no formula"},
    {"hash", "of the state: equal to that of a world that took as many steps"},
    {NULL, NULL}};

static const core_field core_batch_facts_fields[] = {
    {"threads", CORE_U32, offsetof(vxe_batch_facts, threads), 1, {NULL}},
    {"precision", CORE_POINTER, offsetof(vxe_batch_facts, precision), 1, {NULL}},
    {"isa", CORE_POINTER, offsetof(vxe_batch_facts, isa), 1, {NULL}},
    {"bond_updates", CORE_DOUBLE, offsetof(vxe_batch_facts, bond_updates), 1, {NULL}},
    {"robots_in_lanes", CORE_U32, offsetof(vxe_batch_facts, robots_in_lanes), 1, {NULL}},
};
static PyStructSequence_Field core_batch_facts_names[] = {
    {"threads", "number of threads"},
    {"precision", "\"mixed\" or \"double\"; robots under another bond law than the native one run in double"},
    {"isa", "instruction set, such as \"x86-64-v4\""},
    {"bond_updates", "so far"},
    {"robots_in_lanes", "robots whose result has in_lanes"},
    {NULL, NULL}};

static const core_field core_batch_progress_fields[] = {
    {"finished", CORE_U32, offsetof(vxe_batch_progress, finished), 1, {NULL}},
    {"robots", CORE_U32, offsetof(vxe_batch_progress, robots), 1, {NULL}},
    {"bond_updates", CORE_DOUBLE, offsetof(vxe_batch_progress, bond_updates), 1, {NULL}},
    {"bond_updates_expected", CORE_DOUBLE, offsetof(vxe_batch_progress, bond_updates_expected), 1, {NULL}},
};
static PyStructSequence_Field core_batch_progress_names[] = {
    {"finished", "robots that are at their ends"},
    {"robots", "all robots"},
    {"bond_updates", "so far"},
    {"bond_updates_expected", "in all; robots that are not compiled yet count as the mean of the others"},
    {NULL, NULL}};

static const core_field core_world_def_fields[] = {
    {"conventions", CORE_POINTER, offsetof(vxe_world_def, conventions), 1, {NULL}},
    {"precision", CORE_CHOICE, offsetof(vxe_world_def, precision), 1, {"mixed", "double"}},
    {"threads", CORE_U32, offsetof(vxe_world_def, threads), 1, {NULL}},
    {"step_rule", CORE_CHOICE, offsetof(vxe_world_def, step_rule), 1, {"auto", "source", "seconds"}},
    {"step_seconds", CORE_DOUBLE, offsetof(vxe_world_def, step_seconds), 1, {NULL}},
    {"step_scale", CORE_DOUBLE, offsetof(vxe_world_def, step_scale), 1, {NULL}},
    {"accuracy", CORE_CHOICE, offsetof(vxe_world_def, accuracy), 1, {"normal", "fast", "fine"}},
    {"damping", CORE_CHOICE, offsetof(vxe_world_def, damping), 1, {"auto", "explicit", "sweep"}},
    {"torsion", CORE_SIGNED, offsetof(vxe_world_def, torsion), 1, {"auto", "stvenant", "polar"}},
    {"composite", CORE_CHOICE, offsetof(vxe_world_def, composite), 1, {"harmonic", "condensed"}},
    {"shear", CORE_CHOICE, offsetof(vxe_world_def, shear), 1, {"beam", "bulk"}},
    {"damping_form", CORE_CHOICE, offsetof(vxe_world_def, damping_form), 1, {"source", "pair", "voxelyze"}},
    {"bond_kind", CORE_CHOICE, offsetof(vxe_world_def, bond_kind), 1, {"beam", "bar"}},
    {"audit", CORE_BOOL, offsetof(vxe_world_def, audit), 1, {NULL}},
};

static const core_field core_batch_def_fields[] = {
    {"duration", CORE_DOUBLE, offsetof(vxe_batch_def, duration), 1, {NULL}},
    {"steps", CORE_U64, offsetof(vxe_batch_def, steps), 1, {NULL}},
    {"max_duration", CORE_DOUBLE, offsetof(vxe_batch_def, max_duration), 1, {NULL}},
    {"max_steps", CORE_U64, offsetof(vxe_batch_def, max_steps), 1, {NULL}},
    {"schedule", CORE_CHOICE, offsetof(vxe_batch_def, schedule), 1, {"auto", "lanes", "alone"}},
    {"samples", CORE_U32, offsetof(vxe_batch_def, samples), 1, {NULL}},
    {"retries", CORE_U32, offsetof(vxe_batch_def, retries), 1, {NULL}},
};

static const core_field core_team_facts_fields[] = {
    {"robots", CORE_U32, offsetof(vxe_team_facts, robots), 1, {NULL}},
    {"groups", CORE_U32, offsetof(vxe_team_facts, groups), 1, {NULL}},
    {"parts", CORE_U32, offsetof(vxe_team_facts, parts), 1, {NULL}},
    {"voxels", CORE_U32, offsetof(vxe_team_facts, voxels), 1, {NULL}},
    {"width", CORE_U32, offsetof(vxe_team_facts, width), 1, {NULL}},
    {"threads", CORE_U32, offsetof(vxe_team_facts, threads), 1, {NULL}},
    {"robots_in_lanes", CORE_U32, offsetof(vxe_team_facts, robots_in_lanes), 1, {NULL}},
    {"lanes", CORE_U32, offsetof(vxe_team_facts, lanes), 1, {NULL}},
    {"interval", CORE_DOUBLE, offsetof(vxe_team_facts, interval), 1, {NULL}},
    {"precision", CORE_POINTER, offsetof(vxe_team_facts, precision), 1, {NULL}},
    {"isa", CORE_POINTER, offsetof(vxe_team_facts, isa), 1, {NULL}},
};
static PyStructSequence_Field core_team_facts_names[] = {
    {"robots", "number of robots"},
    {"groups", "most groups of a robot"},
    {"parts", "most parts of a robot"},
    {"voxels", "most voxels of a robot"},
    {"width", "of a row of observations"},
    {"threads", "number of threads"},
    {"robots_in_lanes", "robots that run side by side in lanes"},
    {"lanes", "robots of a vector"},
    {"interval", "s"},
    {"precision", "\"mixed\" or \"double\""},
    {"isa", "instruction set, such as \"x86-64-v4\""},
    {NULL, NULL}};

static const core_field core_team_robot_fields[] = {
    {"groups", CORE_U32, offsetof(vxe_team_robot, groups), 1, {NULL}},
    {"parts", CORE_U32, offsetof(vxe_team_robot, parts), 1, {NULL}},
    {"voxels", CORE_U32, offsetof(vxe_team_robot, voxels), 1, {NULL}},
    {"steps", CORE_U32, offsetof(vxe_team_robot, steps), 1, {NULL}},
    {"time_step", CORE_DOUBLE, offsetof(vxe_team_robot, time_step), 1, {NULL}},
    {"damping", CORE_CHOICE, offsetof(vxe_team_robot, damping), 1, {"auto", "explicit", "sweep"}},
    {"in_lanes", CORE_BOOL, offsetof(vxe_team_robot, in_lanes), 1, {NULL}},
    {"alone_because", CORE_POINTER, offsetof(vxe_team_robot, alone_because), 1, {NULL}},
};
static PyStructSequence_Field core_team_robot_names[] = {
    {"groups", "number of groups"},
    {"parts", "number of parts"},
    {"voxels", "number of voxels"},
    {"steps", "of a tick"},
    {"time_step", "s"},
    {"damping", "explicit or sweep [auto, explicit, sweep]"},
    {"in_lanes", "whether it runs side by side with others in lanes"},
    {"alone_because", "why it does not run in lanes, or empty where it does"},
    {NULL, NULL}};

static const core_field core_search_facts_fields[] = {
    {"name", CORE_POINTER, offsetof(vxe_search_facts, name), 1, {NULL}},
    {"generation", CORE_U32, offsetof(vxe_search_facts, generation), 1, {NULL}},
    {"generations", CORE_U32, offsetof(vxe_search_facts, generations), 1, {NULL}},
    {"evaluations", CORE_U64, offsetof(vxe_search_facts, evaluations), 1, {NULL}},
    {"runs", CORE_U64, offsetof(vxe_search_facts, runs), 1, {NULL}},
    {"bond_updates", CORE_DOUBLE, offsetof(vxe_search_facts, bond_updates), 1, {NULL}},
    {"learning_runs", CORE_DOUBLE, offsetof(vxe_search_facts, learning_runs), 1, {NULL}},
    {"unable", CORE_U64, offsetof(vxe_search_facts, unable), 1, {NULL}},
    {"share", CORE_DOUBLE, offsetof(vxe_search_facts, share), 1, {NULL}},
    {"best", CORE_U64, offsetof(vxe_search_facts, best), 1, {NULL}},
    {"best_fitness", CORE_DOUBLE, offsetof(vxe_search_facts, best_fitness), 1, {NULL}},
    {"population", CORE_U32, offsetof(vxe_search_facts, population), 1, {NULL}},
    {"failed", CORE_U32, offsetof(vxe_search_facts, failed), 1, {NULL}},
    {"asked", CORE_U32, offsetof(vxe_search_facts, asked), 1, {NULL}},
};
static PyStructSequence_Field core_search_facts_names[] = {
    {"name", "of the experiment"},
    {"generation", "generations completed"},
    {"generations", "generations planned"},
    {"evaluations", "individuals evaluated in all generations"},
    {"runs", "simulations, or answers of a program or library, since this search was created or resumed; equal bodies share one"},
    {"bond_updates", "bond updates of these simulations"},
    {"learning_runs", "cost of inner learning, in runs, beside these since then"},
    {"unable", "bodies that could not learn, and were evaluated as they are"},
    {"share", "part of the present generation that is done, 0 to 1"},
    {"best", "id of the best individual; 0: none yet"},
    {"best_fitness", "fitness of the best individual"},
    {"population", "number of survivors"},
    {"failed", "individuals of the last generation without a fitness"},
    {"asked", "bodies that were asked for and wait for their fitness"},
    {NULL, NULL}};

static const core_field core_team_def_fields[] = {
    {"interval", CORE_DOUBLE, offsetof(vxe_team_def, interval), 1, {NULL}},
    {"min_target", CORE_DOUBLE, offsetof(vxe_team_def, min_target), 1, {NULL}},
    {"max_target", CORE_DOUBLE, offsetof(vxe_team_def, max_target), 1, {NULL}},
    {"settle", CORE_DOUBLE, offsetof(vxe_team_def, settle), 1, {NULL}},
    {"schedule", CORE_CHOICE, offsetof(vxe_team_def, schedule), 1, {"auto", "lanes", "alone"}},
};

static const core_field core_gradient_facts_fields[] = {
    {"growth", CORE_DOUBLE, offsetof(vxe_gradient_facts, growth), 1, {NULL}},
    {"branch_changes", CORE_U64, offsetof(vxe_gradient_facts, branch_changes), 1, {NULL}},
};
static PyStructSequence_Field core_gradient_facts_names[] = {
    {"growth", "1/s: how fast the adjoints of velocities grew from the end to the start, a fit of their logarithm. Above some e-folds in a run, what a small change does is chaotic and the gradient of little worth: forget"},
    {"branch_changes", "how often a voxel began or ceased to stick to the floor; where static friction is above the dynamic one the gradient misses those jumps. What voxels do against each other is not counted"},
    {NULL, NULL}};

static const core_field core_gradient_def_fields[] = {
    {"steps", CORE_U64, offsetof(vxe_gradient_def, steps), 1, {NULL}},
    {"sample_every", CORE_U64, offsetof(vxe_gradient_def, sample_every), 1, {NULL}},
    {"forget", CORE_DOUBLE, offsetof(vxe_gradient_def, forget), 1, {NULL}},
    {"memory", CORE_U64, offsetof(vxe_gradient_def, memory), 1, {NULL}},
};

static const core_field core_picture_def_fields[] = {
    {"width", CORE_U32, offsetof(vxe_picture_def, width), 1, {NULL}},
    {"height", CORE_U32, offsetof(vxe_picture_def, height), 1, {NULL}},
    {"coloring", CORE_CHOICE, offsetof(vxe_picture_def, coloring), 1, {"material", "strain", "phase", "contact", "energy"}},
    {"range", CORE_DOUBLE, offsetof(vxe_picture_def, range), 1, {NULL}},
    {"azimuth", CORE_DOUBLE, offsetof(vxe_picture_def, azimuth), 1, {NULL}},
    {"elevation", CORE_DOUBLE, offsetof(vxe_picture_def, elevation), 1, {NULL}},
    {"middle", CORE_DOUBLE, offsetof(vxe_picture_def, middle), 3, {NULL}},
    {"reach", CORE_DOUBLE, offsetof(vxe_picture_def, reach), 1, {NULL}},
    {"edges", CORE_BOOL, offsetof(vxe_picture_def, edges), 1, {NULL}},
    {"caption", CORE_BOOL, offsetof(vxe_picture_def, caption), 1, {NULL}},
};

#endif
