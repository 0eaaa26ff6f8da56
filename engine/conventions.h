/* SPDX-License-Identifier: MIT */
/* The conventions under which a design is run: ours, or another simulator's, so that published
   results can be compared. One row each; nothing else in the code branches on another simulator's
   name. */
#ifndef VXE_ENGINE_CONVENTIONS_H
#define VXE_ENGINE_CONVENTIONS_H

#include <stdbool.h>

#include "materials/bond_constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the time step is chosen: rule of the highest frequency, 1/(2 pi w0) (Hiller2014) times
 * the design's fraction, or given. */
typedef enum vxe_step_rule {
    VXE_STEP_AUTO = 0,
    VXE_STEP_SOURCE = 1,
    VXE_STEP_SECONDS = 2
} vxe_step_rule;

/* How dashpots enter a step: as forces of the kick, as polynomial damping iterations behind it, or
 * whichever simulates more time per work. */
typedef enum vxe_damping_scheme {
    VXE_DAMPING_AUTO = 0,
    VXE_DAMPING_EXPLICIT = 1,
    VXE_DAMPING_SWEEP = 2
} vxe_damping_scheme;

/* Ours: a frame midway between both voxels. The Voxelyze family's: the lower voxel's own, in
 * double, of bonds that are simply elastic (engine/voxelyze/); alone, as Voxelyze has it, or as
 * evosoro does, in steps of its order with its floor and contact. */
typedef enum vxe_bond_law {
    VXE_LAW_MID_FRAME = 0,
    VXE_LAW_NODE_FRAME,
    VXE_LAW_EVOSORO
} vxe_bond_law;

/* What FluidEnvironment does: drag on free faces; nothing; drag on a mesh of them without gravity
 * and floor; that drag alone. */
typedef enum vxe_fluid_rule {
    VXE_FLUID_FACES = 0,
    VXE_FLUID_IGNORED,
    VXE_FLUID_FLOATS,
    VXE_FLUID_DRAGS
} vxe_fluid_rule;

typedef struct vxe_conventions {
    const char *name;
    const char *summary; /* one line for people */

    vxe_bond_law law;
    vxe_torsion torsion;
    vxe_step_rule step_rule;
    vxe_damping_scheme damping;
    bool voxelyze_dashpots; /* Voxelyze's dashpots: half on moments, weaker bending and torsion */
    double floor_stiffness; /* of a voxel, in E a */
    bool floor_pulls; /* the floor's dashpot may pull, and friction sees the spring part alone */
    bool yields_in_tension;  /* plastic bonds yield in tension alone */
    bool contact_spheres;    /* voxels collide as spheres of 0.625 edges, */
    int contact_bonds;       /* not within so many bonds, at most 5 */
    bool actuation_fades_in; /* over a quarter period from the end of settling */
    bool stop_by_cycle;      /* formulas of the stop see the places of the last whole period */
    bool cold_only; /* temperatures above the base do not act, but where a design makes room */
    /* of the Voxelyze family's law alone */
    double pi;                 /* as it is there */
    double widest;             /* edges never grow beyond so many nominal ones: steps that would are
                                  dropped; 0: no bound */
    bool grows;                /* growth layers act */
    bool starts_later;         /* ActuationStartTime acts, */
    bool bounded;              /* and ContractOnly and ExpandOnly */
    bool layer_stiffens_bonds; /* the layer Stiffness acts on bonds, and not on floor, contact and
                                  drag alone */
    bool floor_sticks, floor_slopes, floor_ends; /* StickyFloor, FloorSlope, FloorRadius act */
    vxe_fluid_rule fluid;
} vxe_conventions;

/* The row of that name, or null. */
VXE_API const vxe_conventions *vxe_conventions_find(const char *name);

/* Row by index, null past the last. */
VXE_API const vxe_conventions *vxe_conventions_at(unsigned index);

#ifdef __cplusplus
}
#endif

#endif
