/* SPDX-License-Identifier: MIT */
/* What an affine body is by itself, and how it stands and moves: numbers alone, one body's or those
   of several side by side (wide_internal.h). Matrices row after row. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_BODY_H
#define VXE_ENGINE_AFFINE_AFFINE_BODY_H

#include <stddef.h>

#include "common/expression_internal.h"
#include "common/matrix_internal.h"
#include "lattice/affine.h"

/* What bodies that stand side by side have in common. */
typedef struct vxe_affine_traits {
    bool rigid, isochoric, pinned, hold_center, hold_deformation;
    bool keeps_volume; /* exactly */
    bool grows;        /* by formulas */
    bool driven;
    bool viscous;
    bool forced; /* by formulas */
} vxe_affine_traits;

/* Of a body as it does not change: first its numbers, as many as VXE_AFFINE_OWN_NUMBERS. */
typedef struct vxe_affine_own {
    vxe_number mass; /* kg */
    vxe_number inverse_mass;
    vxe_number volume;           /* m^3: V0 */
    vxe_number inverse_euler[9]; /* 1/(kg m^2): of J, of the mass about the centroid */
    vxe_number number[VXE_AFFINE_NUMBERS];
    vxe_number axes[9]; /* a rigid body's principal axes, in columns, about its pin if it has
                           one, */
    vxe_number inverse_moments[3]; /* 1/(kg m^2): by moments of inertia about them */
    vxe_number arm[3];             /* m: the centroid from there, the body's own axes */
    vxe_number pivot[3];           /* m: where the pin is */
    vxe_number gravity[3];         /* m/s^2 */
    vxe_number part_scale;         /* on the parts of steps */
    const vxe_expression *formulas[VXE_NUMBER_LANES]; /* (VXE_AFFINE_FORMULAS) each body's */
    vxe_affine_traits is;
} vxe_affine_own;

#define VXE_AFFINE_OWN_NUMBERS (offsetof(vxe_affine_own, formulas) / sizeof(vxe_number))

/* As it is now: numbers alone, which are the state's hash. */
typedef struct vxe_affine_state {
    vxe_number place[3];       /* m: of the centroid, design coordinates */
    vxe_number v[3];           /* m/s */
    vxe_number deformation[9]; /* P */
    vxe_number rate[9];        /* 1/s: of P */
    vxe_number spin[3]; /* kg m^2/s: a rigid body's angular momentum, about its pin if it has one */
    vxe_number growth[9];  /* G */
    vxe_number pressure;   /* Pa: what kept the volume, in the part before */
    vxe_number viscous;    /* J: dissipated within the body, */
    vxe_number remodelled; /* by growth, */
    vxe_number damped;     /* by contact's damping, */
    vxe_number rubbed;     /* and friction, since the start */
    vxe_number driven;     /* J: given by what makes it grow, */
    vxe_number worked;     /* by its force, and by contact as its faces widen */
} vxe_affine_state;

#define VXE_AFFINE_STATE_NUMBERS (sizeof(vxe_affine_state) / sizeof(vxe_number))

/* What acts from outside, gravity apart. */
typedef struct vxe_affine_load {
    vxe_number force[3];  /* N */
    vxe_number by_arm[9]; /* N m: sum of force by reference arm from the centroid */
    vxe_number torque[3]; /* N m about the centroid */
    vxe_number given[3];  /* N: of the force, what its formula gives */
    vxe_number energy, damped, rubbed, stiffness, dashpot, nearest, fastest; /* as vxe_power_sum */
    vxe_number widened; /* W: what contact's energy gains as faces widen that it presses on */
} vxe_affine_load;

/* Stresses at a deformation that changes. */
typedef struct vxe_affine_stress {
    vxe_number stress[9]; /* Pa: first Piola, conjugate to P, per volume before all */
    vxe_number still[9];  /* Pa: of that, what is there without any rates */
    vxe_number drive[9];  /* Pa: of what grows, F^T S G^T - det G phi: what that does to growth */
    vxe_number viscous;   /* W/m^3 */
} vxe_affine_stress;

/* Why a body could not go on. */
typedef enum vxe_affine_fate {
    VXE_AFFINE_GOES_ON = 0,
    VXE_AFFINE_COLLAPSED,
    VXE_AFFINE_TOO_MANY_PARTS,
    VXE_AFFINE_PUSHED_THROUGH
} vxe_affine_fate;

/* One end of a part of a step. */
typedef struct vxe_affine_end {
    vxe_affine_state state;
    vxe_affine_load load;
    vxe_affine_stress stress;
    vxe_number flow[9];     /* of growth, 1/s */
    vxe_number inverse[9];  /* P^-T */
    vxe_number determinant; /* of P */
    vxe_number way[9];      /* P^-T J^-1, 1/(kg m^2): the way in which volume is kept */
    vxe_number change[9];   /* 1/s^2: of the rates, by all but that */
    vxe_number time;
} vxe_affine_end;

#endif
