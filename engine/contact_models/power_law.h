/* SPDX-License-Identifier: MIT */
/* The contact model `powerlaw` (Contento2009; docs/contact-models.md, powerlaw): pressures on faces
   above a plane, which depend on powers of the distance, are integrated over a face. Affine bodies
   and cubes of the lattice use it. */
#ifndef VXE_ENGINE_CONTACT_MODELS_POWER_LAW_H
#define VXE_ENGINE_CONTACT_MODELS_POWER_LAW_H

#include "engine/core/dispatch.h"
#include <stdbool.h>
#include <stdint.h>

/* Pose and motion of a cube. */
typedef struct vxe_cube {
    double place[3]; /* m: centre; only its distance from the plane matters */
    double turn[4];  /* unit quaternion w x y z */
    double v[3];     /* m/s */
    double w[3];     /* rad/s */
    double half;     /* m: of an edge */
    uint32_t faces;  /* free faces: +x -x +y -y +z -z, a bit each */
} vxe_cube;

/* A plane: unit normal, and its position along the normal, m. */
typedef struct vxe_plane {
    double n[3];
    double level;
} vxe_plane;

/* Frame of the faces of a body: the point that they are measured from, and the motion of the body
   around it. */
typedef struct vxe_power_frame {
    double place[3];    /* m */
    double v[3];        /* m/s */
    double gradient[9]; /* 1/s: velocity gradient, row after row */
} vxe_power_frame;

/* A face or a part of one, plane with four corners. Its points are middle + x side0 + y side1
   + x y taper for x and y from -1 to 1, in m from the frame's place: middle, halves of the sides,
   and by how much opposite sides differ. Two corners may coincide. */
typedef struct vxe_power_patch {
    double middle[3], side[2][3], taper[3];
} vxe_power_patch;

/* Integrals over patches. by_arm: sums of force by arm from the frame's place, row after row. */
typedef struct vxe_power_sum {
    double push[3], loss[3]; /* N: of repulsion and adhesion; of damping and friction */
    double push_by_arm[9], loss_by_arm[9]; /* N m */
    double energy, damped, rubbed;         /* J, W and W; these and the rest as in vxe_face_load */
    double stiffness, dashpot;             /* N/m, N s/m */
    double nearest;                        /* m; initialised with infinity */
    double fastest;                        /* m/s */
} vxe_power_sum;

typedef struct vxe_power_kernels {
    /* Adds the load of a plane on a patch that lies above it, by Gauss-Legendre's rule with given
       numbers of points (2, 4, 8 or 16) along its two sides; numbers as VXE_POWER_*. */
    void (*integrate)(const double *numbers, const vxe_power_frame *frame, const vxe_plane *plane,
                      const vxe_power_patch *face, const int points[2], vxe_power_sum *sum);
} vxe_power_kernels;

/* Adds the load of a plane on a patch; numbers as VXE_POWER_*. If a corner is at or below the
   plane, sum->nearest is 0 or less and the integral is not complete. */
void vxe_power_add_patch(const vxe_power_kernels *kernels, const double *numbers,
                         const vxe_power_frame *frame, const vxe_plane *plane,
                         const vxe_power_patch *face, vxe_power_sum *sum);

/* Whether the load on an area (m^2) at a distance (m) or farther is negligible beside a sum. */
bool vxe_power_is_idle(const double *numbers, double min, double area, const vxe_power_sum *sum);

/* Velocity (m/s) of the body at an arm (m) from its frame's place. */
void vxe_power_velocity(const vxe_power_frame *frame, const double arm[3], double v[3]);

/* Point (m) of a patch at x and y from -1 to 1. */
void vxe_power_place(const vxe_power_patch *face, double x, double y, double at[3]);

/* Load of the floor on a cube. */
typedef struct vxe_face_load {
    double push[6];   /* N and N m about the centre: of repulsion and adhesion */
    double loss[6];   /* N and N m about the centre: of damping and friction */
    double energy;    /* J: of repulsion and adhesion */
    double damped;    /* W: power lost by damping */
    double rubbed;    /* W: power lost by friction */
    double stiffness; /* N/m: integral of the sizes of nu q/d over the faces */
    double dashpot;   /* N s/m: integral of the factors of damping and friction */
    double nearest;   /* m: minimum distance; where it is 0 or less the law has no value */
    double fastest;   /* m/s: maximum speed of a point along the normal */
} vxe_face_load;

/* Gauss-Legendre's rule on [-1, 1] with n of 2, 4, 8 or 16 points: positions of the upper half and
   their weights (AbramowitzStegun1964, chapter 25). */
const double (*vxe_gauss_points(int n))[2];

/* The kernels of an instruction set. */
const vxe_power_kernels *vxe_power_kernels_of(const vxe_kernels *kernels);

#endif
