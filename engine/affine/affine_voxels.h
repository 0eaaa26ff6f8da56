/* SPDX-License-Identifier: MIT */
/* Voxels of the lattice that meet affine bodies. A voxel touches one as it touches the ground: as a
   ball of its edge's diameter, pushed at its centre, by U = k p^2/2 with its floor stiffness at the
   start k = E a and p how deep the ball is in the body's hull; by its floor dashpot, as long as
   that does not pull; and by Coulomb's friction with a spring k along the surface, which holds up
   to mu_s times the push and carries mu_d times as long as it slips (CundallStrack1979). The body
   feels the opposite: of the spring along the normal at its nearest point, of all else at the
   voxel's centre, where rates are taken. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_VOXELS_H
#define VXE_ENGINE_AFFINE_AFFINE_VOXELS_H

#include "engine/affine/affine_group.h"
#include "engine/model/model.h"
#include "engine/solver/solver.h"

/* A voxel that may meet a body. */
typedef struct vxe_coupling_voxel {
    uint32_t slot;
    vxe_voxel_face face;
    double inverse; /* 1/kg */
    double radius;  /* m: when forces were last computed */
} vxe_coupling_voxel;

/* Energy (J) of what touches now, what has been lost by dashpots and friction, and what was given
   by prescribed motion and by changes of size of the voxels that touch. */
typedef struct vxe_coupling_energy {
    double contact, damped, rubbed, moved, swelled;
} vxe_coupling_energy;

/* A voxel and a body that it touches. */
typedef struct vxe_coupling {
    const vxe_coupling_voxel *voxel;
    uint32_t body;
    double at[3];     /* m: its centre */
    double v[3];      /* m/s: its velocity before the step */
    double depth;     /* m */
    double n[3];      /* unit, out of the body */
    double rate[3];   /* m/s: of the voxel against the body */
    double inverse;   /* 1/kg of both */
    double radius;    /* m: the voxel's */
    double spring;    /* N on the voxel along the normal, */
    double dash;      /* N, less, by the dashpot, */
    double across[3]; /* N, and along the surface */
    double held[3];   /* N of that, which the spring there remembers */
    bool slips;
} vxe_coupling;

typedef struct vxe_affine_voxels {
    vxe_coupling_voxel *voxels; /* (count) by slot: those with a free face; all where bonds break */
    uint32_t count;
    uint32_t *touching; /* (bodies) voxels that did when forces were last computed */
    vxe_coupling_energy energy;
    double stiffest;         /* 1/s^2: the steepest body there, with what it meets */
    vxe_coupling *couplings; /* (room) that were felt last, by body and voxel; */
    vxe_coupling *before;    /* (room) and before those */
    uint32_t coupling_count, before_count, capacity;
    bool full;       /* there was no room for one */
    double deepest;  /* how far a voxel is within a body, of its radius, at most */
    uint32_t inside; /* the body */
} vxe_affine_voxels;

/* None where no body touches anything. */
vxe_status vxe_affine_voxels_init(vxe_affine_voxels *of, vxe_affine_group *group,
                                  const vxe_model *model, const vxe_design *design,
                                  vxe_error *error);
void vxe_affine_voxels_clear(vxe_affine_voxels *of);

/* 1/s^2: what such contacts add to the largest eigenvalue, at most. */
double vxe_affine_voxels_lambda(const vxe_affine_voxels *of, const vxe_affine_group *group,
                                const vxe_model *model);

/* What they do to each other as they stand, behind a step of h seconds (first: before any): loads
 * of the lattice's external loads, and pushes of bodies. */
void vxe_affine_voxels_load(vxe_affine_voxels *of, const vxe_affine_group *group,
                            vxe_workspace *workspace, double h, bool first);

/* What is lost (J) in a step of h seconds that voxels have done and bodies are about to, by their
 * velocities in the middle of the kick; and half of what was given in it. */
double vxe_affine_voxels_lose(vxe_affine_voxels *of, const vxe_affine_group *group,
                              const vxe_workspace *workspace, double h);

/* Half a kick (h seconds: the step) of the bodies at a time by what was felt. */
void vxe_affine_voxels_kick(const vxe_affine_voxels *of, const vxe_affine_group *group, double time,
                            double h);

#endif
