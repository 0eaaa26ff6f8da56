/* SPDX-License-Identifier: MIT */
/* Affine-voxel coupling (docs/affine-bodies.md, Contact). A voxel touches an affine body as it
   touches the floor: as a sphere of its edge's diameter, loaded at its centre. The normal force is
   that of the spring U = k p^2/2, with the floor stiffness k = E a at the start and p the depth of
   the sphere in the body's hull, less that of the floor dashpot, which never pulls. Friction is a
   spring k along the surface, which sticks up to mu_s times the normal force and carries mu_d times
   the normal force while it slips (CundallStrack1979). The reaction acts on the body: that of the
   normal spring at its nearest point, that of all else at the voxel's centre, where rates are
   taken. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_VOXELS_H
#define VXE_ENGINE_AFFINE_AFFINE_VOXELS_H

#include "engine/affine/affine_group.h"
#include "engine/model/model.h"
#include "engine/solver/solver.h"

/* A voxel that may touch a body. */
typedef struct vxe_coupling_voxel {
    uint32_t slot;
    vxe_voxel_face face;
    double inverse; /* 1/kg */
    double radius;  /* m: when forces were last computed */
} vxe_coupling_voxel;

/* Energy audit of the coupling, J. */
typedef struct vxe_coupling_energy {
    double contact; /* energy of the present contacts */
    double damped;  /* lost in dashpots since the start */
    double rubbed;  /* lost by friction since the start */
    double moved;   /* work of prescribed motion of voxels since the start */
    double swelled; /* work of changes of size of voxels in contact since the start */
} vxe_coupling_energy;

/* A contact of a voxel and a body. */
typedef struct vxe_coupling {
    const vxe_coupling_voxel *voxel;
    uint32_t body;
    double at[3];     /* m: its centre */
    double v[3];      /* m/s: its velocity before the step */
    double depth;     /* m */
    double n[3];      /* unit, out of the body */
    double rate[3];   /* m/s: of the voxel against the body */
    double inverse;   /* 1/kg: mobility of both */
    double radius;    /* m: of the voxel */
    double spring;    /* N: force of the normal spring on the voxel */
    double dash;      /* N: force of the normal dashpot, which reduces that of the spring */
    double across[3]; /* N: force along the surface on the voxel */
    double shear[3];  /* N: share of across that the spring along the surface remembers */
    bool slips;
} vxe_coupling;

typedef struct vxe_affine_voxels {
    vxe_coupling_voxel *voxels; /* (count) with a free face, by slot; all voxels if bonds break */
    uint32_t count;
    uint32_t *touching; /* (bodies) number of voxels in contact when forces were last computed */
    vxe_coupling_energy energy;
    double stiffest;         /* 1/s^2: maximum eigenvalue estimate of the present contacts */
    vxe_coupling *couplings; /* (capacity) present contacts, sorted by body and voxel */
    vxe_coupling *before;    /* (capacity) contacts of the last step, sorted likewise */
    uint32_t coupling_count, before_count, capacity;
    bool full;       /* the list of contacts was full and one is missing */
    double deepest;  /* maximum depth of a voxel in a body, relative to its radius */
    uint32_t inside; /* the body of that voxel */
} vxe_affine_voxels;

/* Prepares the coupling; it is empty if bodies have no hulls. */
vxe_status vxe_affine_voxels_init(vxe_affine_voxels *of, vxe_affine_group *group,
                                  const vxe_model *model, const vxe_design *design,
                                  vxe_error *error);
void vxe_affine_voxels_clear(vxe_affine_voxels *of);

/* 1/s^2: bound on what these contacts add to the largest eigenvalue (Weyl1912). */
double vxe_affine_voxels_lambda(const vxe_affine_voxels *of, const vxe_affine_group *group,
                                const vxe_model *model);

/* Computes the contact loads at the end of a step of h seconds (first: before any step) into the
 * lattice's external loads and group->by_voxels. */
void vxe_affine_voxels_load(vxe_affine_voxels *of, const vxe_affine_group *group,
                            vxe_workspace *workspace, double h, bool first);

/* Energy (J) that contacts lose in a step of h seconds, after the voxels' step and before the
 * bodies', by the velocities in the middle of the kick. Also adds half of the works to energy. */
double vxe_affine_voxels_lose(vxe_affine_voxels *of, const vxe_affine_group *group,
                              const vxe_workspace *workspace, double h);

/* Half a kick of the bodies at a time by the contact loads; h is the whole step (s). */
void vxe_affine_voxels_kick(const vxe_affine_voxels *of, const vxe_affine_group *group, double time,
                            double h);

#endif
