/* SPDX-License-Identifier: MIT */
/* The contact model `powerlaw` (Contento2009; docs/contact-models.md, powerlaw) over faces above a
 * plane, and those of a cube. */
#ifndef VXE_ENGINE_CONTACT_MODELS_POWER_LAW_H
#define VXE_ENGINE_CONTACT_MODELS_POWER_LAW_H

#include "engine/core/dispatch.h"
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

/* What faces belong to: a point that they are measured from, and how what is around it moves. */
typedef struct vxe_power_frame {
    double place[3];    /* m, as of a cube */
    double v[3];        /* m/s */
    double gradient[9]; /* 1/s: of velocity by place, row after row */
} vxe_power_frame;

/* A face or part of one, a plane with four corners: its middle (m) from the frame's place, halves
   of its sides, and how they differ: the points middle + x side0 + y side1 + x y taper for x and y
   from -1 to 1. Two of the corners may be one. */
typedef struct vxe_power_patch {
    double middle[3], side[2][3], taper[3];
} vxe_power_patch;

/* What the law does over patches; by_arm: sums of force by arm from the place, row after row. */
typedef struct vxe_power_sum {
    double push[3], loss[3]; /* N: of repulsion and adhesion; of damping and friction */
    double push_by_arm[9], loss_by_arm[9]; /* N m */
    double energy, damped, rubbed;         /* J, W and W, as of a cube, as all below */
    double stiffness, dashpot;             /* N/m, N s/m */
    double nearest;                        /* m; start from infinity */
    double fastest;                        /* m/s */
} vxe_power_sum;

typedef struct vxe_power_kernels {
    /* Adds what a patch feels of a plane that no point of it touches, by the rule with so many
       points along its sides; numbers as VXE_POWER_*. */
    void (*integrate)(const double *numbers, const vxe_power_frame *frame, const vxe_plane *plane,
                      const vxe_power_patch *face, const int points[2], vxe_power_sum *sum);
} vxe_power_kernels;

/* Adds what a patch feels of a plane; numbers as VXE_POWER_*. */
void vxe_power_add_patch(const vxe_power_kernels *kernels, const double *numbers,
                         const vxe_power_frame *frame, const vxe_plane *plane,
                         const vxe_power_patch *face, vxe_power_sum *sum);

/* Whether what an area (m^2) feels at a distance and farther is nothing beside what is there. */
bool vxe_power_is_idle(const double *numbers, double min, double area, const vxe_power_sum *sum);

/* Velocity of what is at an arm from a frame's place. */
void vxe_power_velocity(const vxe_power_frame *frame, const double arm[3], double v[3]);

/* A point of a patch. */
void vxe_power_place(const vxe_power_patch *face, double x, double y, double at[3]);

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

/* Points of Gauss-Legendre on [-1, 1], n of 2, 4, 8 or 16: x of the upper half, and weights. */
const double (*vxe_gauss_points(int n))[2];

const vxe_power_kernels *vxe_power_kernels_of(const vxe_kernels *kernels);

#endif
