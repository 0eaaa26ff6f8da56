/* SPDX-License-Identifier: MIT */
/* The cheapest stand-in for a voxel design: one affine body of the same mass and Euler tensor, soft
   as the design is, with how well it stands in. */
#ifndef VXE_ENGINE_SURROGATE_H
#define VXE_ENGINE_SURROGATE_H

#include "common/status.h"
#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was measured of the design and of the body in its stead; NaN where the design has no floor
   or no weight. */
typedef struct vxe_surrogate_motion {
    double breathing; /* Hz: of height, let go from a small stretch, without damping */
    double decay;     /* damping ratio of that with the design's own damping; 0 without */
    double sag;       /* m: what its centre comes nearer to its bottom under its weight */
    double drop;      /* m: how high its centre comes above standing after a fall from half its
                         height */
} vxe_surrogate_motion;

typedef struct vxe_surrogate_report {
    double mass;      /* kg */
    double euler[9];  /* kg m^2, row after row, about the centre */
    double size[3];   /* m, of the box that has it, along its own axes */
    double modulus;   /* Pa: E of the body */
    double viscosity; /* Pa s */
    double growth[3]; /* of its edges by the design's actuation: mean, and sine and cosine of its
                         first harmonic */
    double period;    /* s, of that; 0: none */
    vxe_surrogate_motion lattice;
    vxe_surrogate_motion body;
} vxe_surrogate_report;

/* A design of one affine body in the place of the voxels of another one, with its floor and
   gravity. E is such that breathing and sag are off by the same part: a bar of N voxels breathes as
   a body of one strain does with pi^2/12 of its modulus, and its centre sags as that of 3/4 of it
   (N large), so that both come out 3 % too large. The floor reaches as far, or damps as much, as a
   fall asks. Of the actuation the body has what all voxels share; gaits by phases are lost. Null
   and error filled where the design does not run or does not swing. */
VXE_API vxe_design *vxe_surrogate_create(const vxe_design *design, vxe_surrogate_report *report,
                                         vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
