/* SPDX-License-Identifier: MIT */
/* What a world is made of. */
#ifndef VXE_ENGINE_WORLD_INTERNAL_H
#define VXE_ENGINE_WORLD_INTERNAL_H

#include "common/messages_internal.h"
#include "engine/affine/observe_internal.h"
#include "engine/ledger_internal.h"
#include "engine/robot_internal.h"
#include "engine/world.h"

struct vxe_world {
    vxe_robot robot;
    vxe_scratch scratch;
    vxe_ledger ledger;
    bool has_ledger;
    bool diverged;
    vxe_error divergence;
    uint32_t materials;
    vxe_messages warnings;
    vxe_affine_group affine;
    vxe_observers observers;
    double affine_start; /* J: balance of those bodies at the start */
};

/* Affine bodies of a world: their part of the step that has just been counted, and what they add to
 * what is told. */
vxe_status vxe_world_affine_step(vxe_world *world, vxe_error *error);
void vxe_world_affine_facts(const vxe_world *world, vxe_world_facts *facts);
/* Mass (kg) times place and velocity, and mass, are added. */
void vxe_world_affine_center(const vxe_world *world, double *mass, double position[3],
                             double velocity[3]);
void vxe_world_affine_momentum(const vxe_world *world, double linear[3], double angular[3]);
void vxe_world_affine_energy(const vxe_world *world, vxe_energy *energy);
uint64_t vxe_world_affine_hash(const vxe_world *world, uint64_t lattice);

#endif
