/* SPDX-License-Identifier: MIT */
/* One step of robots in lanes backwards: from the adjoints behind it to those before it, and what
   the parameters get (docs/glossary.md, Adjoint). */
#ifndef VXE_ENGINE_GRADIENT_REVERSE_KERNELS_H
#define VXE_ENGINE_GRADIENT_REVERSE_KERNELS_H

#include "engine/lanes/lanes.h"

/* Adjoints of a voxel, each a vector of lanes: three numbers each, and the edge growth. */
enum {
    VXE_ADJOINT_PLACE,
    VXE_ADJOINT_TURN = VXE_ADJOINT_PLACE + 3,
    VXE_ADJOINT_V = VXE_ADJOINT_TURN + 3,
    VXE_ADJOINT_W = VXE_ADJOINT_V + 3,
    VXE_ADJOINT_GROWTH = VXE_ADJOINT_W + 3, /* of the step that is being reversed */
    VXE_ADJOINT_NUMBERS
};

/* What a step tells of a voxel, each a vector of lanes: with explicit dashpots the floor's impulse
   (N s) alone; with damping iterations the numbers that lanes carry up to and with VXE_LANE_KICKED.
 */
enum { VXE_TAPE_EXPLICIT = 1, VXE_TAPE_ITERATED = VXE_LANE_KICKED + 1 };

/* What coefficients of a bond get, each a vector of lanes: springs and dashpots in the order of
   vxe_bond_constants. */
enum {
    VXE_SLOPE_AXIAL,
    VXE_SLOPE_SHEAR,
    VXE_SLOPE_TORSION,
    VXE_SLOPE_BENDING,
    VXE_SLOPE_COUPLE,
    VXE_SLOPE_DASH_AXIAL,
    VXE_SLOPE_DASH_SHEAR,
    VXE_SLOPE_DASH_TORSION,
    VXE_SLOPE_DASH_BENDING,
    VXE_BOND_SLOPES
};

/* What properties of a voxel get, likewise. */
enum {
    VXE_SLOPE_MASS, /* inertia, drag and the floor's numbers count as given */
    VXE_SLOPE_INERTIA,
    VXE_SLOPE_DRAG,
    VXE_SLOPE_SPIN_DRAG,
    VXE_SLOPE_FLOOR_STIFFNESS,
    VXE_SLOPE_FLOOR_DASHPOT,
    VXE_SLOPE_DYNAMIC_FRICTION,
    VXE_VOXEL_SLOPES
};

/* Sums over steps of what the growth of a voxel's edge got, by m. Where all voxels follow one wave:
   times its sine and cosine, and these times its cycles; else times what growth changes with
   numbers of the voxel's own, and with the target of its group, which begin anew with each target.
 */
enum {
    VXE_GROWTH_SINE,
    VXE_GROWTH_COSINE,
    VXE_GROWTH_SINE_CYCLES,
    VXE_GROWTH_COSINE_CYCLES,
    VXE_GROWTH_SUMS,
    VXE_GROWTH_STRAIN = VXE_GROWTH_SINE,
    VXE_GROWTH_PHASE,
    VXE_GROWTH_FREQUENCY,
    VXE_GROWTH_TARGET
};

/* Adjoints of what a pair in contact remembers. */
enum { VXE_BY_TOUCH_SHARE, VXE_BY_TOUCH_REST, VXE_BY_TOUCH_SHEAR, VXE_TOUCH_ADJOINTS = 5 };

/* Two voxels of a lane's robot that were in contact in a step, and what they remember of it. */
typedef struct vxe_reverse_touch {
    uint32_t lane;
    uint32_t place[2]; /* in the list of the robot's surface, the lower one first */
    uint32_t at[2];    /* in the union */
    uint32_t before;   /* number of the pair among those of the step before, or VXE_NONE */
    vxe_kept_contact kept;
    double by[VXE_TOUCH_ADJOINTS];
} vxe_reverse_touch;

/* What a step is reversed from, and what it adds to. V: voxels of the union. */
typedef struct vxe_reverse_step {
    const vxe_lane_group *group;
    vxe_bond_parts law;
    const vxe_reals *now;     /* (V, VXE_LANE_FIELDS, lanes) state at its start */
    const vxe_reals *next;    /* the same at its end */
    const vxe_reals *tape;    /* (V, VXE_TAPE_..., lanes) */
    const uint8_t *touching;  /* (V) as in vxe_lane_group */
    const vxe_reals *sources; /* (6, lanes) by m and m/s, for each kg: adjoints that the objective
                                 adds to place and velocity at its end */
    const vxe_reals *keeps;   /* (lanes) factor on the adjoints behind the step: 1, or less where
                                 sensitivities are forgotten */
    const double *clock;      /* (VXE_CLOCK_NUMBERS, lanes) at its start */
    vxe_reals *adjoint;       /* (V, VXE_ADJOINT_NUMBERS, lanes) */
    vxe_reals *moves;         /* (V, 6, lanes) virtual displacement of the kick */
    vxe_reals *changes;       /* (lanes) how often voxels began or ceased to stick */
    double *by_load;          /* (V, 3, lanes) sums by N */
    double *by_growth;        /* (V, VXE_GROWTH_SUMS, lanes) */
    bool by_frequency;        /* the sums by cycles of one wave are asked for */
    vxe_reals *by_bond;       /* (V, 3, VXE_BOND_SLOPES, lanes) sums of the bonds upwards; null, as
                                 the next, where they are not asked for */
    vxe_reals *by_voxel;      /* (V, VXE_VOXEL_SLOPES, lanes) sums */
    const vxe_reverse_touch *touches; /* (touch_count) pairs in contact in the step */
    vxe_reverse_touch *touched;       /* those of the step before */
    uint32_t touch_count;
    bool opens; /* it is the first step: pairs begin to push where they are */
    const vxe_reals *contact_rows[VXE_MAX_LANES]; /* (surface, VXE_ROW) VXE_REST_..., of each lane's
 robot */
    uint32_t iterations;                          /* of damping; the rest is for these alone */
    const vxe_reals *kicks; /* (iterations + 1, lanes) s: of the passes of a step */
    vxe_reals *within;      /* (V, VXE_ITERATION_NUMBERS, lanes) */
    vxe_reals *middle;      /* (iterations, V, 6, lanes) m/s, rad/s */
    vxe_reals *force;       /* (V, 6, lanes) N, N m */
} vxe_reverse_step;

/* Adjoints within a step with damping iterations, of a voxel. */
enum { VXE_ITERATION_NUMBERS = 21 };

/* The kernels of reverse_kernels.c, for each instruction set and precision. */
typedef struct vxe_reverse_kernels {
    void (*reverse)(const vxe_reverse_step *step);
    void (*reverse_with_slopes)(const vxe_reverse_step *step); /* by_bond and by_voxel too */
    /* Adds to by_load and by_growth, behind either or iterations. */
    void (*add_parameters)(const vxe_reverse_step *step);
} vxe_reverse_kernels;

const vxe_reverse_kernels *vxe_reverse_kernels_of(const vxe_kernels *kernels);

/* Those of reverse_contacts.c. */
typedef struct vxe_reverse_contacts {
    /* Adds what contacts give to adjoints and properties, and sets the adjoints of what pairs
       remembered of the step before; behind `reverse` of either of the others. */
    void (*reverse)(const vxe_reverse_step *step);
} vxe_reverse_contacts;

const vxe_reverse_contacts *vxe_reverse_contacts_of(const vxe_kernels *kernels);

/* Those of reverse_iterations.c. */
typedef struct vxe_reverse_iterations {
    void (*reverse)(const vxe_reverse_step *step);
} vxe_reverse_iterations;

const vxe_reverse_iterations *vxe_reverse_iterations_of(const vxe_kernels *kernels);

#endif
