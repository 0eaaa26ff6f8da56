/* SPDX-License-Identifier: MIT */
/* Affine bodies, compiled and moving (Contento2009; docs/affine-bodies.md). Elasticity and contacts
   are far stiffer than a step of the world can resolve, so a body goes through each step in parts
   of its own: velocity Verlet, that is half a kick, the drift, half a kick. A constraint of volume
   is kept by impulses along its gradient at both ends of a part (RATTLE, Andersen1983), which
   change no angular momentum. A rigid body rotates about its principal axes, one after another,
   which keeps its angular momentum to rounding (McLachlan1993). */
#ifndef VXE_ENGINE_AFFINE_AFFINE_GROUP_H
#define VXE_ENGINE_AFFINE_AFFINE_GROUP_H

#include "common/messages_internal.h"
#include "engine/affine/affine_body.h"
#include "engine/affine/affine_hull.h"
#include "engine/contact_models/power_law.h"
#include "engine/core/arrays.h"
#include "engine/core/dispatch.h"
#include "lattice/design.h"

/* Maximum number of faces of a body that can touch other bodies or voxels: those of a cylinder. */
#define VXE_MAX_COUPLING_FACES (VXE_MAX_SIDES + 2)

/* The constants of a body. */
typedef struct vxe_affine {
    char name[64];
    vxe_affine_own own;
    double euler[9];          /* kg m^2: J, of the mass about the centroid */
    double moments[3];        /* kg m^2: of inertia, about the principal axes */
    double mobility;          /* 1/kg: maximum acceleration by a unit force at any of its points */
    vxe_power_patch *patches; /* (patch_count) faces, from the centroid */
    double *normals;          /* (patch_count, 3) outward normals, of any length */
    uint32_t *face_of;        /* (patch_count) face that the patch is a part of, ascending */
    uint32_t patch_count;     /* 0 for a body without contact */
    double contact[VXE_POWER_NUMBERS];
    double reach; /* m: maximum distance at which another body acts on it */
    vxe_expression formulas[VXE_AFFINE_FORMULAS];
} vxe_affine;

/* The contact load of a body. */
typedef struct vxe_affine_push {
    vxe_power_sum sum;
    /* W: pressures act on the current area. When a loaded face widens, the contact energy grows
       although nothing moves along the normal; this is that power. */
    double widened;
} vxe_affine_push;

struct vxe_affine_way; /* affine_lanes.h */

/* All bodies of a world. */
typedef struct vxe_affine_group {
    vxe_affine *bodies;       /* (count) */
    vxe_affine_state *states; /* (count) */
    uint32_t count;
    vxe_affine_hull *hulls;      /* (count) current faces; null if bodies touch walls only */
    vxe_affine_push *pushes;     /* (count) contact loads while they are summed */
    vxe_power_sum *by_voxels;    /* (count) loads by voxels; null if no voxel can touch a body */
    vxe_affine_end *now, *next;  /* (count) the two ends of a part */
    double *taken;               /* (count) 1/s: multiplier of the volume constraint, by drifts */
    uint32_t *members;           /* (count) bodies of the cluster that is advanced, ascending */
    uint32_t *cluster;           /* (count) first body of the cluster that the body is in */
    struct vxe_affine_way *ways; /* (count) runs of independent bodies; null if some interact */
    const vxe_kernels *kernels;
    vxe_plane *planes; /* (plane_count) */
    uint32_t plane_count;
    double extent[3]; /* m: bounding box of all bodies at the start */
    double step;      /* s: step of a world of affine bodies alone */
} vxe_affine_group;

/* Compiles the bodies of a design and sets their initial states; a design may have none.
   part_scale multiplies the step and all parts of steps. */
vxe_status vxe_affine_group_init(vxe_affine_group *group, const vxe_design *design,
                                 double part_scale, vxe_messages *warnings, vxe_error *error);
void vxe_affine_group_clear(vxe_affine_group *group);

/* Fills the error of a body that cannot go on: VXE_ERROR_DIVERGED, with the reason. */
vxe_status vxe_affine_complain(const vxe_affine *body, double time, vxe_affine_fate fate,
                               vxe_error *error);

/* Advances all bodies from a time by h seconds. Bodies that may touch within h share the same
 * parts. Returns VXE_ERROR_DIVERGED with the reason. */
vxe_status vxe_affine_group_advance(const vxe_affine_group *group, double time, double h,
                                    vxe_error *error);

/* Applies push and loss of a load, with their moments, to a body for h seconds. */
void vxe_affine_impulse(const vxe_affine *body, vxe_affine_state *state, const vxe_power_sum *push,
                        double time, double h);

/* Fills ends[member].load for the bodies of one cluster: walls, other bodies and formulas. nearest
 * is 0 or less where the contact model has no value, that is, where faces overlap. */
void vxe_affine_sample_load(const vxe_affine_group *group, const uint32_t *members, uint32_t count,
                            vxe_affine_end *ends);

/* Computes the load of one body at the group's states, loads by voxels included. */
void vxe_affine_load_of(const vxe_affine_group *group, uint32_t body, double time,
                        vxe_affine_load *load);

/* Distance (m) between the bounding spheres of two bodies whose hulls are in place; infinite if one
 * of them has no contact. */
double vxe_affine_gap(const vxe_affine_group *group, uint32_t a, uint32_t b);

/* Adds the contact load of two bodies on each other to both pushes. */
void vxe_affine_push_pair(const vxe_power_kernels *kernels, const vxe_affine *const body[2],
                          const vxe_affine_hull *const hull[2], vxe_affine_push *const push[2]);

/* Fills a frame with the centroid of a body, its velocity and its velocity gradient. */
void vxe_affine_frame_of(const vxe_affine_state *state, vxe_power_frame *frame);

/* Makes a patch from four corners, all round; the last two may coincide (a triangle). */
void vxe_affine_make_patch(const double *const corner[4], vxe_power_patch *patch);

/* Deforms a patch by the matrix p. */
void vxe_affine_deform(const double p[9], const vxe_power_patch *face, vxe_power_patch *now);

/* Relative rate of growth (1/s) of the area of a face with normal out: tr L - n.L n, with L the
 * velocity gradient (GurtinFriedAnand2010). */
double vxe_affine_widening(const double gradient[9], const double out[3]);

/* Principal axes (in columns, right-handed) and values of a symmetric matrix, by Jacobi rotations
   (GolubVanLoan2013). */
void vxe_principal_axes(const double matrix[9], double axes[9], double values[3]);

/* Computes a rigid body's moments of inertia about its pin and their principal axes. */
void vxe_rigid_prepare(vxe_affine *body, const double pin[3]);

/* Energies (J) of a body at its current state. */
typedef struct vxe_affine_energy {
    double kinetic, elastic, contact, gravity;
} vxe_affine_energy;

vxe_affine_energy vxe_affine_energy_of(const vxe_affine_group *group, uint32_t body, double time);

#endif
