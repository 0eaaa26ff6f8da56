/* SPDX-License-Identifier: MIT */
/* A surrogate: one affine body that stands for a voxel design, with the same mass and Euler tensor
   and fitted stiffness, damping and floor. It is much cheaper to simulate; the report says how well
   it agrees with the design. */
#ifndef VXE_ENGINE_SURROGATE_H
#define VXE_ENGINE_SURROGATE_H

#include "common/status.h"
#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Virtual experiments on the design, or on the body that stands for it. sag and drop are NaN where
   the design has no floor or no weight. */
typedef struct vxe_surrogate_motion {
    double breathing; /* Hz: oscillation of the height after a small stretch, without damping */
    double decay;     /* damping ratio of breathing with the design's damping; 0 without */
    double sag;       /* m: how much nearer the centre is to the bottom under the body's weight */
    double drop;      /* m: height of the centre above standing, after a fall from half the body's
                         height */
} vxe_surrogate_motion;

/* The constants of the body, and how it compares with the design. */
typedef struct vxe_surrogate_report {
    double mass;      /* kg */
    double euler[9];  /* kg m^2: Euler tensor about the centre, row after row */
    double size[3];   /* m: edges of a box with this tensor, along its principal axes */
    double modulus;   /* Pa: E of the body */
    double viscosity; /* Pa s */
    double growth[3]; /* factor on the edges by the design's actuation: mean, sine and cosine of the
                         first harmonic */
    double period;    /* s: of the actuation; 0: none */
    vxe_surrogate_motion lattice; /* experiments on the design */
    vxe_surrogate_motion body;    /* experiments on the body */
} vxe_surrogate_report;

/* Makes a design of one affine body that stands for the voxels of a design, with the same floor and
   gravity. E is chosen such that breathing and sag deviate by the same part: a bar of N voxels
   breathes like a body of uniform strain with pi^2/12 of its modulus, and its centre sags like one
   with 3/4 of it (N large), so that both come out 3 % too large. The floor's reach or damping is
   fitted to the bounce after a fall. The body has the part of the actuation that all voxels share;
   gaits by phases are lost. Null and error filled where the design does not run or does not swing.
 */
VXE_API vxe_design *vxe_surrogate_create(const vxe_design *design, vxe_surrogate_report *report,
                                         vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
