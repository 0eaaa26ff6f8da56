/* SPDX-License-Identifier: MIT */
/* What a world is made of. */
#ifndef VXE_ENGINE_WORLD_WORLD_DATA_H
#define VXE_ENGINE_WORLD_WORLD_DATA_H

#include "common/messages_internal.h"
#include "engine/affine/affine.h"
#include "engine/solver/solver.h"
#include "engine/world.h"
#include "engine/world/fitness_variables.h"

/* Energies (J) of affine bodies and their contacts, and what they have lost less what was given. */
typedef struct vxe_affine_account {
    vxe_affine_energy stored;
    double spent;
} vxe_affine_account;

struct vxe_world {
    vxe_simulation simulation;
    vxe_workspace workspace;
    vxe_energy_audit audit;
    bool has_audit;
    bool diverged;
    vxe_error divergence;
    uint32_t materials;
    vxe_messages warnings;
    vxe_affine_group affine;
    vxe_affine_voxels couplings; /* of voxels with them */
    vxe_observers observers;
    vxe_affine_account affine_start; /* at the start, */
    vxe_affine_account
        affine_before; /* and a step ago, as the energy audit of the lattice has it */
};

/* Affine bodies of a world: what they do before steps, how many of these they can go at once, their
 * part of the steps that have just been counted, and what they add to what is told. Steps that
 * fail leave bodies that go alone where they were. */
vxe_status vxe_world_affine_start(vxe_world *world, vxe_error *error);
void vxe_world_affine_before(vxe_world *world);
uint64_t vxe_world_affine_stride(const vxe_world *world, uint64_t steps);
vxe_status vxe_world_affine_steps(vxe_world *world, uint64_t steps, vxe_error *error);
void vxe_world_affine_facts(const vxe_world *world, vxe_world_facts *facts);
/* Mass (kg) times place and velocity, and mass, are added. */
void vxe_world_affine_center(const vxe_world *world, double *mass, double position[3],
                             double velocity[3]);
void vxe_world_affine_momentum(const vxe_world *world, double linear[3], double angular[3]);
void vxe_world_affine_energy(const vxe_world *world, vxe_energy *energy);
uint64_t vxe_world_affine_hash(const vxe_world *world, uint64_t lattice);

#endif
