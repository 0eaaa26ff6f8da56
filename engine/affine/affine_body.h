/* SPDX-License-Identifier: MIT */
/* Constants, state, load and stress of an affine body. All are vxe_number: one body's, or those of
   several bodies in the lanes of a register (wide_internal.h), so that scalar and vector code share
   types and law and compute the same bits. Matrices are stored row after row. Notation:
   docs/affine-bodies.md, Equations (Contento2009). */
#ifndef VXE_ENGINE_AFFINE_AFFINE_BODY_H
#define VXE_ENGINE_AFFINE_AFFINE_BODY_H

#include <stddef.h>

#include "common/expression_internal.h"
#include "common/matrix_internal.h"
#include "lattice/affine.h"

/* Properties that bodies must have in common to be advanced in the lanes of one register. */
typedef struct vxe_affine_traits {
    bool rigid, isochoric, pinned, hold_center, hold_deformation;
    bool keeps_volume; /* det F = 1 exactly */
    bool grows;        /* growth G is given by formulas */
    bool driven;       /* growth is driven by a stress */
    bool viscous;
    bool forced; /* a force is given by formulas */
} vxe_affine_traits;

/* Constants of a body that its own motion needs: first VXE_AFFINE_OWN_NUMBERS numbers. */
typedef struct vxe_affine_own {
    vxe_number mass; /* kg */
    vxe_number inverse_mass;
    vxe_number volume;           /* m^3: V0 */
    vxe_number inverse_euler[9]; /* 1/(kg m^2): J^-1, J the Euler tensor about the centroid */
    vxe_number number[VXE_AFFINE_NUMBERS];
    vxe_number axes[9];            /* principal axes in columns, about the pin if there is one */
    vxe_number inverse_moments[3]; /* 1/(kg m^2): inverse moments of inertia about these axes */
    vxe_number arm[3];             /* m: from the pin to the centroid, in the body's own axes */
    vxe_number pivot[3];           /* m: position of the pin, design coordinates */
    vxe_number gravity[3];         /* m/s^2 */
    vxe_number part_scale;         /* factor on the length of parts */
    const vxe_expression *formulas[VXE_NUMBER_LANES]; /* (VXE_AFFINE_FORMULAS) of each body */
    vxe_affine_traits is;
} vxe_affine_own;

#define VXE_AFFINE_OWN_NUMBERS (offsetof(vxe_affine_own, formulas) / sizeof(vxe_number))

/* The state of a body. It holds numbers alone, since the state's hash is taken over its bytes. */
typedef struct vxe_affine_state {
    vxe_number place[3];       /* m: of the centroid, design coordinates */
    vxe_number v[3];           /* m/s */
    vxe_number deformation[9]; /* P */
    vxe_number rate[9];        /* 1/s: of P */
    vxe_number spin[3]; /* kg m^2/s: a rigid body's angular momentum, about its pin if it has one */
    vxe_number growth[9];  /* G */
    vxe_number pressure;   /* Pa: that kept the volume in the last part */
    vxe_number viscous;    /* J: dissipated by viscosity since the start */
    vxe_number remodelled; /* J: dissipated by growth viscosity since the start */
    vxe_number damped;     /* J: dissipated by contact damping since the start */
    vxe_number rubbed;     /* J: dissipated by contact friction since the start */
    vxe_number driven;     /* J: work of growth since the start */
    vxe_number worked;     /* J: work of force formulas, and of contact on widening faces */
} vxe_affine_state;

#define VXE_AFFINE_STATE_NUMBERS (sizeof(vxe_affine_state) / sizeof(vxe_number))

/* The external load of a body, without gravity. */
typedef struct vxe_affine_load {
    vxe_number force[3];  /* N */
    vxe_number by_arm[9]; /* N m: sum of force by reference arm from the centroid */
    vxe_number torque[3]; /* N m about the centroid */
    vxe_number given[3];  /* N: the share of the force that comes from its formula */
    vxe_number energy, damped, rubbed, stiffness, dashpot, nearest, fastest; /* as vxe_power_sum */
    vxe_number widened; /* W: power that the contact energy gains where loaded faces widen */
} vxe_affine_load;

/* Stresses of a deforming body. */
typedef struct vxe_affine_stress {
    vxe_number stress[9]; /* Pa: first Piola stress, conjugate to P, per reference volume */
    vxe_number still[9];  /* Pa: its elastic share, which does not depend on rates */
    vxe_number drive[9];  /* Pa: stress that acts on growth, F^T S G^T - det G phi */
    vxe_number viscous;   /* W/m^3 */
} vxe_affine_stress;

/* Why a body cannot go on. */
typedef enum vxe_affine_fate {
    VXE_AFFINE_GOES_ON = 0,
    VXE_AFFINE_COLLAPSED,
    VXE_AFFINE_TOO_MANY_PARTS,
    VXE_AFFINE_PUSHED_THROUGH
} vxe_affine_fate;

/* State, load and stress at one end of a part of a step. */
typedef struct vxe_affine_end {
    vxe_affine_state state;
    vxe_affine_load load;
    vxe_affine_stress stress;
    vxe_number flow[9];     /* 1/s: of growth, G' G^-1 */
    vxe_number inverse[9];  /* P^-T */
    vxe_number determinant; /* of P */
    vxe_number way[9];      /* 1/(kg m^2): P^-T J^-1, direction of the volume constraint */
    vxe_number change[9];   /* 1/s^2: P'' by everything but the volume constraint */
    vxe_number time;        /* s */
} vxe_affine_end;

_Static_assert(sizeof(vxe_affine_state) % sizeof(vxe_number) == 0,
               "a state is copied number by number");
_Static_assert(sizeof(vxe_affine_end) % sizeof(vxe_number) == 0,
               "an end is copied number by number");
_Static_assert(offsetof(vxe_affine_own, formulas) % sizeof(vxe_number) == 0,
               "constants are copied number by number");

#endif
