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

/* What a step is reversed from, and what it adds to. V: voxels of the union. */
typedef struct vxe_reverse_step {
    const vxe_lane_group *group;
    vxe_bond_parts law;
    const vxe_reals *now;     /* (V, VXE_LANE_FIELDS, lanes) state at its start */
    const vxe_reals *next;    /* the same at its end */
    const vxe_reals *impulse; /* (V, lanes) N s of the floor in the step */
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
    double *by_wave;          /* (V, 2, lanes) sums by m, of the wave's sine and cosine */
    vxe_reals *by_bond;       /* (V, 3, VXE_BOND_SLOPES, lanes) sums of the bonds upwards; null, as
                                 the next, where they are not asked for */
    vxe_reals *by_voxel;      /* (V, VXE_VOXEL_SLOPES, lanes) sums */
} vxe_reverse_step;

/* The kernels of reverse_kernels.c, for each instruction set and precision. */
typedef struct vxe_reverse_kernels {
    void (*reverse)(const vxe_reverse_step *step);
    void (*reverse_with_slopes)(const vxe_reverse_step *step); /* by_bond and by_voxel too */
} vxe_reverse_kernels;

const vxe_reverse_kernels *vxe_reverse_kernels_of(const vxe_kernels *kernels);

#endif
