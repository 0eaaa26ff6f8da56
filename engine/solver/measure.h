/* SPDX-License-Identifier: MIT */
/* Scalar measurements on a bound state, bond by bond in a fixed order: the naive twin of the
 * kernels. */
#ifndef VXE_ENGINE_SOLVER_MEASURE_H
#define VXE_ENGINE_SOLVER_MEASURE_H

#include "engine/solver/step.h"

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
    bool broken;            /* it carries nothing */
    double strain;          /* axial, (rr.e - l)/l */
    double tension;         /* k_a (rr.e - l) and what strains across add, N */
    double force[3];        /* on the upper voxel, N, world axes */
    double moment_upper[3]; /* N m */
    double moment_lower[3];
} vxe_bond_sample;

vxe_bond_sample vxe_bond_measure(const vxe_workspace *workspace, const vxe_bond_place *place);

bool vxe_bond_is_broken(const vxe_workspace *workspace, const vxe_bond_place *place);

/* Tension (N) of a bond by the lattice's section, Pa, as the bond's law has it at this strain: it
 * yields or breaks with the next step's forces. */
double vxe_bond_stress(const vxe_workspace *workspace, const vxe_bond_place *place, double tension);

/* Energy (J) of the products of a voxel's strains; behind vxe_workspace_poisson. */
double vxe_energy_across(const vxe_workspace *workspace, uint32_t slot);

/* Force and moments of a bond's dashpots at the rates of state `rates` (its velocities) in the
   bound state's poses; energy, strain and tension are 0. */
vxe_bond_sample vxe_bond_dashpot(const vxe_workspace *workspace, const vxe_bond_place *place,
                                 const vxe_state *rates);

/* Kinetic energy (J) of the mean of two sets of velocities. */
double vxe_kinetic_energy(const vxe_model *model, const vxe_state *a, const vxe_state *b);

/* Likewise under any law: that of the Voxelyze family has a floor of its own. */
vxe_floor_contact vxe_floor_contact_measure(const vxe_workspace *workspace, uint32_t slot);

/* What the fluid does to a voxel (N) that has the velocity of state `rates` in the bound state's
 * pose, in a kick of h seconds. */
void vxe_fluid_push(const vxe_workspace *workspace, const vxe_state *rates, uint32_t slot, double h,
                    double push[3]);

/* A pair of voxels that may touch, or that sticks: places in the surface's list, and slots. Start
 * with all zero. */
typedef struct vxe_contact_place {
    uint32_t list, next; /* where to go on: VXE_PAIRS_KINDS lists of each slab */
    uint32_t first, second;
    uint32_t slot[2];
    const vxe_sticky_link *link;         /* null where voxels only touch */
    const vxe_particle_contact *contact; /* null but of grains; slot[1] is VXE_NONE at the floor */
} vxe_contact_place;

/* The lists of all slabs: a place that starts behind them has links and grains alone. */
uint32_t vxe_contact_lists(const vxe_workspace *workspace);

/* Moves to the next pair that may touch now, behind vxe_workspace_contacts_renew, or of grains that
 * do, behind vxe_particles_measure or a step; false behind the last. */
bool vxe_contact_next(const vxe_workspace *workspace, vxe_contact_place *place);

/* A pair in the bound state's poses at the rates of state `rates`, in a kick of h seconds. */
vxe_contact_sample vxe_contact_measure(const vxe_workspace *workspace,
                                       const vxe_contact_place *place, const vxe_state *rates,
                                       double h);

typedef struct vxe_potentials {
    double elastic, floor, contact, gravity, magnetic; /* J */
} vxe_potentials;

vxe_potentials vxe_potential_energy(const vxe_workspace *workspace);

/* All of them that springs hold (J). */
double vxe_stored_energy(const vxe_workspace *workspace);

#endif
