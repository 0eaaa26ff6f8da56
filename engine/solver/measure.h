/* SPDX-License-Identifier: MIT */
/* Scalar measurements on a bound state, bond by bond in a fixed order: a plain version that
   kernels are checked against. */
#ifndef VXE_ENGINE_SOLVER_MEASURE_H
#define VXE_ENGINE_SOLVER_MEASURE_H

#include "engine/bonds/bond_law.h"
#include "engine/solver/step.h"

/* Position in an iteration over bonds: axis, and index of the lane over all vectors. */
typedef struct vxe_bond_place {
    uint32_t axis;
    uint64_t at;
    uint32_t lower, upper; /* slots */
} vxe_bond_place;

/* Moves to the next bond; false after the last. Start with place zeroed and at = UINT64_MAX. */
bool vxe_bond_next(const vxe_model *model, vxe_bond_place *place);

typedef struct vxe_bond_sample {
    double energy;          /* J */
    bool broken;            /* it carries no load */
    double strain;          /* axial, (rr.e - l)/l */
    double tension;         /* N: k_a (rr.e - l), and the Poisson tension */
    double force[3];        /* on the upper voxel, N, world axes */
    double moment_upper[3]; /* N m */
    double moment_lower[3];
} vxe_bond_sample;

vxe_bond_sample vxe_bond_measure(const vxe_workspace *workspace, const vxe_bond_place *place);

/* The springs of a bond in N/m, N m/rad and N/rad, without the Poisson tension; zeros where it is
   broken. */
vxe_springs vxe_bond_springs(const vxe_workspace *workspace, const vxe_bond_place *place);

/* The part of its strain that the lower voxel has, where Poisson's ratio acts; the upper one has 2
   less that. */
double vxe_bond_lower_part(const vxe_workspace *workspace, const vxe_bond_place *place);

/* Its rest length (m), with growth and permanent strain. */
double vxe_bond_rest(const vxe_workspace *workspace, const vxe_bond_place *place);

bool vxe_bond_is_broken(const vxe_workspace *workspace, const vxe_bond_place *place);

/* Stress (Pa) of a bond: its tension (N) by the lattice's section, limited by the bond's yield
   law at this strain, which takes effect with the next step's forces. */
double vxe_bond_stress(const vxe_workspace *workspace, const vxe_bond_place *place, double tension);

/* Energy (J) of the products of a voxel's strains; call vxe_workspace_poisson before. */
double vxe_energy_across(const vxe_workspace *workspace, uint32_t slot);

/* Force and moments of a bond's dashpots at the velocities of state `rates`, in the bound
   state's poses; energy, strain and tension are 0. */
vxe_bond_sample vxe_bond_dashpot(const vxe_workspace *workspace, const vxe_bond_place *place,
                                 const vxe_state *rates);

/* Kinetic energy (J) of the mean of two sets of velocities. */
double vxe_kinetic_energy(const vxe_model *model, const vxe_state *a, const vxe_state *b);

/* Contact of a voxel with the floor under any law: the Voxelyze family has a floor of its own. */
vxe_floor_contact vxe_floor_contact_measure(const vxe_workspace *workspace, uint32_t slot);

/* Force of the fluid (N) on a voxel that has the velocity of state `rates` in the bound state's
   pose, in a kick of h seconds. */
void vxe_fluid_push(const vxe_workspace *workspace, const vxe_state *rates, uint32_t slot, double h,
                    double push[3]);

/* Position in an iteration over pairs of voxels that may touch or that stick: indices in the
   surface's list, and slots. Start with all zero. */
typedef struct vxe_contact_place {
    uint32_t list, next; /* next entry: there are VXE_PAIRS_KINDS lists for each partition */
    uint32_t first, second;
    uint32_t slot[2];
    const vxe_sticky_link *link;         /* null unless this is a sticky link */
    const vxe_particle_contact *contact; /* null unless this is a contact of particles; slot[1]
                                            is VXE_NONE at the floor */
} vxe_contact_place;

/* Number of lists of all partitions. An iteration that starts after them has only sticky links
   and particles. */
uint32_t vxe_contact_lists(const vxe_workspace *workspace);

/* Moves to the next pair that may touch (call vxe_workspace_contacts_renew before), or to the
   next closed contact of particles (after vxe_particles_measure or a step); false after the
   last. */
bool vxe_contact_next(const vxe_workspace *workspace, vxe_contact_place *place);

/* Measures a pair in the bound state's poses at the velocities of state `rates`, in a kick of h
   seconds. */
vxe_contact_sample vxe_contact_measure(const vxe_workspace *workspace,
                                       const vxe_contact_place *place, const vxe_state *rates,
                                       double h);

typedef struct vxe_potentials {
    double elastic, floor, contact, gravity, magnetic; /* J */
} vxe_potentials;

vxe_potentials vxe_potential_energy(const vxe_workspace *workspace);

#endif
