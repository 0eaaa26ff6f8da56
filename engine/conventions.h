/* SPDX-License-Identifier: MIT */
/* Compatibility presets: the rules under which a design is run, either Voxelastic's own ("native")
   or those of another simulator, so that published results can be compared (docs/accuracy.md). A
   preset is one row of choices; nothing else in the code branches on a simulator's name. Each
   choice that presets differ in can be made alone, by a switch: "native+floor_pulls". */
#ifndef VXE_ENGINE_CONVENTIONS_H
#define VXE_ENGINE_CONVENTIONS_H

#include <stdbool.h>

#include "common/status.h"
#include "materials/bond_constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the time step is chosen. */
typedef enum vxe_step_rule {
    VXE_STEP_AUTO = 0,   /* by the highest natural frequency */
    VXE_STEP_SOURCE = 1, /* 1/(2 pi w0) (Hiller2014) times the design's fraction */
    VXE_STEP_SECONDS = 2 /* as given */
} vxe_step_rule;

/* How much shorter than stability asks for the step of the rule `auto` is. */
typedef enum vxe_accuracy {
    VXE_ACCURACY_NORMAL = 0, /* impacts on the floor leave at the speed that their damping says,
                                within 3 %, and a period of actuation has 100 steps */
    VXE_ACCURACY_FAST,       /* as long as is stable; a period has 25 steps */
    VXE_ACCURACY_FINE        /* a quarter of the normal step */
} vxe_accuracy;

/* How dashpots enter a step. */
typedef enum vxe_damping_scheme {
    VXE_DAMPING_AUTO = 0,     /* whichever simulates more time per work */
    VXE_DAMPING_EXPLICIT = 1, /* as forces of the kick */
    VXE_DAMPING_SWEEP = 2     /* by the polynomial damping iteration after the kick */
} vxe_damping_scheme;

/* The frame in which the bond law is stated. The last two are those of the Voxelyze family: in
   double, for bonds that are simply elastic (engine/voxelyze/). */
typedef enum vxe_bond_law {
    VXE_LAW_MID_FRAME = 0, /* native: midway between both voxels */
    VXE_LAW_NODE_FRAME,    /* Voxelyze: the frame of the lower voxel */
    VXE_LAW_EVOSORO        /* the same, with evosoro's order of a step, floor and contact */
} vxe_bond_law;

/* What FluidEnvironment of a design does. */
typedef enum vxe_fluid_rule {
    VXE_FLUID_FACES = 0, /* drag on free faces */
    VXE_FLUID_IGNORED,   /* nothing */
    VXE_FLUID_FLOATS,    /* drag on a mesh of the free faces (on the faces under other bond laws),
                            without gravity and floor */
    VXE_FLUID_DRAGS      /* drag on that mesh, with gravity and floor */
} vxe_fluid_rule;

/* Capacity for the name of a preset and its switches. */
#define VXE_CONVENTIONS_NAME 192

/* One compatibility preset, with switches or without. */
typedef struct vxe_conventions {
    char name[VXE_CONVENTIONS_NAME]; /* "NAME" or "NAME+SWITCH+SWITCH" */
    const char *summary;             /* one line for users */
    const char *cost;                /* what a run costs beside a native one, for users */

    vxe_bond_law law;
    vxe_torsion torsion;
    vxe_step_rule step_rule;
    vxe_damping_scheme damping;
    bool voxelyze_dashpots; /* Voxelyze's dashpots: half on moments, weaker bending and torsion */
    double floor_stiffness; /* of a voxel, in E a */
    bool floor_pulls;       /* the floor's dashpot may pull */
    bool spring_friction;   /* friction on the floor depends on the floor's spring only */
    double spin_drag;       /* factor on the global damping of rotation */
    bool yields_in_tension; /* plastic bonds yield in tension only */
    bool contact_spheres;   /* voxels collide as spheres of radius 0.625 edges */
    int contact_bonds; /* spheres within so many bonds of each other do not collide; at most 5 */
    bool actuation_fades_in; /* over a quarter period from the end of settling */
    bool stop_by_cycle;      /* formulas of the stop read the places of the last whole period */
    bool cold_only; /* temperatures above the base do not act, except where a design allows it */
    /* the following matter to laws of the Voxelyze family only */
    double pi;         /* the value of pi that the simulator uses */
    double widest;     /* largest edge in nominal ones: steps that would make an edge larger are
                          dropped; 0: no bound */
    bool grows;        /* growth layers act */
    bool starts_later; /* ActuationStartTime acts */
    bool bounded;      /* ContractOnly and ExpandOnly act */
    bool layer_stiffens_bonds; /* the layer Stiffness acts on bonds too, not only on floor, contact
                                  and drag */
    bool fixed_unbonded;       /* no bonds between voxels that are fixed in all freedoms */
    bool floor_sticks, floor_slopes, floor_ends; /* StickyFloor, FloorSlope, FloorRadius act */
    vxe_fluid_rule fluid;
} vxe_conventions;

/* A choice that can be made alone. */
typedef struct vxe_convention_switch {
    const char *name;
    const char *summary; /* one line for users */
} vxe_convention_switch;

/* The preset of a name, without switches, or null. */
VXE_API const vxe_conventions *vxe_conventions_find(const char *name);

/* The preset of an index, or null past the last. */
VXE_API const vxe_conventions *vxe_conventions_at(unsigned index);

/* The switch of an index, or null past the last. Those that exclude each other make the same choice
   and stand side by side. */
VXE_API const vxe_convention_switch *vxe_convention_switch_at(unsigned index);

/* Makes the rules that a text asks for: "NAME" or "NAME+SWITCH+...". Returns VXE_ERROR_ARGUMENT,
   and fills error with the nearest name that exists, where there is no such preset or switch, where
   two switches make the same choice, or where the preset's own step cannot follow a switch. */
VXE_API vxe_status vxe_conventions_parse(const char *text, vxe_conventions *rules,
                                         vxe_error *error);

/* The same for what a caller asks for (null or "auto": what the design says of itself, written_for
   of vxe_design). */
VXE_API vxe_status vxe_conventions_choose(const char *wanted, const char *written_for,
                                          vxe_conventions *rules, vxe_error *error);

/* Whether rules make the choice of a switch already. */
VXE_API bool vxe_convention_is_on(const vxe_conventions *rules, unsigned index);

/* True where a caller leaves the choice to the design. */
VXE_API bool vxe_conventions_left_open(const char *wanted);

#ifdef __cplusplus
}
#endif

#endif
