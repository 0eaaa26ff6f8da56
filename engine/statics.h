/* SPDX-License-Identifier: MIT */
/* Statics: where a body rests under its weight, its loads and its fixed regions, and how it
   vibrates about that, found by solving equations instead of by running until motion dies away.

   The forces are those of a run: the bond law, weight, loads and fixed or prescribed freedoms of
   regions, the level floor, growth and actuation as they stand at one time. Friction, dashpots and
   drag hold nothing at rest and do not act; voxels that touch each other do not push. What a model
   has beyond that is refused (VXE_ERROR_UNSUPPORTED): affine bodies, published bond laws, bars,
   floors that are not level, magnets, contact models, force fields, buoyancy. */
#ifndef VXE_ENGINE_STATICS_H
#define VXE_ENGINE_STATICS_H

#include <stdbool.h>

#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an equilibrium is sought. */
typedef struct vxe_settle_def {
    double time;      /* s: of growth, actuation, schedules and prescribed motion; NaN, the default:
                         the world's present time */
    double tolerance; /* 1e-12: the forces that may be left, as a part of all loads, or of bonds'
                         forces where these are larger */
    bool linear;      /* small displacements: one linear solution from the present poses */
    uint32_t steps;   /* Newton's steps at most, 1000 */
} vxe_settle_def;

VXE_API vxe_settle_def vxe_settle_def_default(void);

/* What an equilibrium took. */
typedef struct vxe_settled {
    uint32_t steps;         /* of Newton's method, those that were taken back included */
    uint64_t iterations;    /* of conjugate gradients, in all of them */
    double residual;        /* forces that are left, as tolerance counts them; of a linear solution
                               those of its equations */
    double largest_move;    /* m: of a voxel from where it was */
    uint32_t largest_voxel; /* which one, in design order */
} vxe_settled;

/* Moves a world to an equilibrium near its present poses, all at rest there. A body that nothing
   holds goes down to the floor first. VXE_ERROR_UNPHYSICAL where none is found, and the world is as
   it was then: loads that nothing balances, or a bond that would be stretched, crushed or turned
   beyond its law. settled may be null. Yielding and breaking stay as they are. */
VXE_API vxe_status vxe_world_settle(vxe_world *world, const vxe_settle_def *def,
                                    vxe_settled *settled, vxe_error *error);

/* Forces (N) and moments (N m) that hold fixed and prescribed freedoms in the present poses,
   (voxels, 3) each in design order, 0 elsewhere; loads that stand on them included. Refuses what
   vxe_world_settle does. */
VXE_API vxe_status vxe_world_reactions(const vxe_world *world, double *forces, double *moments,
                                       vxe_error *error);

/* The `count` lowest vibrations about the present poses, which should be an equilibrium:
   frequencies (count) Hz, ascending, 0 for motions of a whole body that nothing holds; and shapes
   (count, voxels, 6) in design order: displacements (m) and rotation vectors (rad) whose largest
   displacement is one edge; null: not wanted. count is at most the number of freedoms that are not
   fixed, VXE_ERROR_ARGUMENT else. Accurate to 1e-8 of a frequency, and to rounding of the highest
   one; below 0 (Hz) where the body is not stable: minus the root of the square's size. Refuses what
   vxe_world_settle does. */
VXE_API vxe_status vxe_world_modes(const vxe_world *world, uint32_t count, double *frequencies,
                                   double *shapes, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
