/* SPDX-License-Identifier: MIT */
/* Scalar measurements on a bound state, bond by bond in a fixed order: the naive twin of the
 * kernels. */
#ifndef VXE_ENGINE_MEASURE_INTERNAL_H
#define VXE_ENGINE_MEASURE_INTERNAL_H

#include "engine/step_internal.h"

/* A bond's place: axis, and index of its lane over all vectors. */
typedef struct vxe_bond_place {
    uint32_t axis;
    uint64_t at;
    uint32_t lower, upper; /* slots */
} vxe_bond_place;

/* Moves to the next bond (start with place zeroed and at = UINT64_MAX); false behind the last. */
bool vxe_bond_next(const vxe_model *model, vxe_bond_place *place);

typedef struct vxe_bond_sample {
    double energy;          /* J */
    double strain;          /* axial, (rr.e - l)/l */
    double tension;         /* k_a (rr.e - l), N */
    double force[3];        /* on the upper voxel, N, world axes */
    double moment_upper[3]; /* N m */
    double moment_lower[3];
} vxe_bond_sample;

vxe_bond_sample vxe_bond_measure(const vxe_scratch *scratch, const vxe_bond_place *place);

/* Force and moments of a bond's dashpots at the rates of state `rates` (its velocities) in the
   bound state's poses; energy, strain and tension are 0. */
vxe_bond_sample vxe_bond_dashpot(const vxe_scratch *scratch, const vxe_bond_place *place,
                                 const vxe_state *rates);

/* Kinetic energy (J) of the mean of two sets of velocities. */
double vxe_kinetic_energy(const vxe_model *model, const vxe_state *a, const vxe_state *b);

/* How deep a voxel's lower face is in the floor now (m); negative above it. */
double vxe_floor_depth(const vxe_scratch *scratch, uint32_t slot);

/* What the fluid does to a voxel (N) that has the velocity of state `rates` in the bound state's
 * pose, in a kick of h seconds. */
void vxe_fluid_push(const vxe_scratch *scratch, const vxe_state *rates, uint32_t slot, double h,
                    double push[3]);

typedef struct vxe_potentials {
    double elastic, floor, gravity; /* J */
} vxe_potentials;

vxe_potentials vxe_potential_energy(const vxe_scratch *scratch);

#endif
