/* SPDX-License-Identifier: MIT */
/* The parts of the energy audit. Each adds its share of a step to audit->energy. */
#ifndef VXE_ENGINE_AUDIT_AUDIT_PARTS_H
#define VXE_ENGINE_AUDIT_AUDIT_PARTS_H

#include "engine/audit/audit.h"

/* Losses and works of the kick and of damping iterations, by the marks of a step. */
void vxe_audit_velocities(vxe_energy_audit *audit, const vxe_workspace *workspace,
                          const vxe_pass *passes, uint32_t count);

/* What the floor takes from a voxel beside its spring, in a kick of h seconds. */
void vxe_audit_floor(vxe_energy_audit *audit, const vxe_workspace *workspace, uint32_t slot,
                     double h);

/* J: held by the floor's springs where the ways of steps of h seconds end, the last of which has
   led here at these velocities. */
double vxe_audit_floor_energy(const vxe_workspace *workspace, const vxe_state *rates, double h);

/* Work of prescribed motion against all springs in h seconds, by the forces of these poses. */
void vxe_audit_driven(vxe_energy_audit *audit, const vxe_workspace *workspace, double h,
                      double time);

/* Power (W) of a bond's force and moments at the step's mean velocities, on the freedoms that
   answer to forces or on those that do not. */
double vxe_audit_bond_power(const vxe_energy_audit *audit, const vxe_workspace *workspace,
                            const vxe_bond_place *place, const vxe_bond_sample *bond, bool on_free);

/* A bond with the force that it has until the time of the potentials. One that breaks in this step
   has all of it, since it still gives half of its kick, and no energy any more. */
vxe_bond_sample vxe_audit_bond(const vxe_workspace *workspace, const vxe_bond_place *place);

/* Fills kinetic_sync and ripple, before a step of h seconds. floor: J held by the floor's springs
   at these poses. */
void vxe_audit_kinetic(vxe_energy_audit *audit, const vxe_workspace *workspace,
                       const vxe_state *state, double h, double floor);

#endif
