/* SPDX-License-Identifier: MIT */
/* The power law of source 003 (physics 4) over the faces of a cube above a plane. */
#ifndef VXE_ENGINE_GRAINS_POWER_LAW_INTERNAL_H
#define VXE_ENGINE_GRAINS_POWER_LAW_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

/* A cube as it stands and moves. */
typedef struct vxe_cube {
    double place[3]; /* m above the plane along n, and anything across: only differences count */
    double turn[4];  /* w x y z */
    double v[3];     /* m/s */
    double w[3];     /* rad/s */
    double half;     /* m: of an edge */
    uint32_t faces;  /* free ones: +x -x +y -y +z -z, a bit each */
} vxe_cube;

/* A plane: unit normal, and where it is along it, m. */
typedef struct vxe_plane {
    double n[3];
    double level;
} vxe_plane;

/* What the law does to a cube. */
typedef struct vxe_face_load {
    double push[6];   /* N and N m about the centre: of repulsion and adhesion, */
    double loss[6];   /* and of damping and friction */
    double energy;    /* J: of repulsion and adhesion */
    double damped;    /* W that damping takes, */
    double rubbed;    /* and friction */
    double stiffness; /* N/m: sum of nu q/d over the faces, sizes added */
    double dashpot;   /* N s/m: likewise of damping and friction */
    double nearest;   /* m: least distance at a point; 0 or less: the law has no value there */
    double fastest;   /* m/s: of a point, along the normal */
} vxe_face_load;

/* x^-nu for x > 0: by products where nu is whole; the same bits with every libm. */
double vxe_inverse_power(double x, double nu);

/* Points of Gauss-Legendre on [-1, 1], n of 2, 4, 8, 16 or 32: x of the upper half, and weights. */
const double (*vxe_gauss_points(int n))[2];

#endif
