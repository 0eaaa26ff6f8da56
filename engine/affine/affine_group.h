/* SPDX-License-Identifier: MIT */
/* Affine bodies, compiled and moving (docs/affine-bodies.md). A body goes through a step of the
   world in parts that follow its elasticity, growth and contacts, by velocity Verlet: half a kick,
   the drift, half a kick. What keeps its volume does so by impulses along the gradient of the
   constraint at both ends (RATTLE, Andersen1983), which give and take no angular momentum; a rigid
   body drifts by turns about its principal axes, which keep it exactly. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_GROUP_H
#define VXE_ENGINE_AFFINE_AFFINE_GROUP_H

#include "common/messages_internal.h"
#include "engine/affine/affine_body.h"
#include "engine/affine/affine_hull.h"
#include "engine/contact_models/power_law.h"
#include "engine/core/arrays.h"
#include "engine/core/dispatch.h"
#include "lattice/design.h"

/* Faces that a body may have which meets others: a cylinder's. */
#define VXE_MAX_COUPLING_FACES (VXE_MAX_SIDES + 2)

/* A body as it does not change. */
typedef struct vxe_affine {
    char name[64];
    vxe_affine_own own;
    double euler[9];          /* kg m^2: J, of the mass about the centroid */
    double moments[3];        /* kg m^2: of inertia, about the principal axes */
    double mobility;          /* 1/kg: at most, how a push at a point moves it */
    vxe_power_patch *patches; /* (patch_count) faces, from the centroid */
    double *normals;          /* (patch_count, 3) out of them, of any length */
    uint32_t *face_of;        /* (patch_count) */
    uint32_t patch_count;     /* 0 of what touches nothing */
    double contact[VXE_POWER_NUMBERS];
    double reach; /* m: the farthest that it feels another body */
    vxe_expression formulas[VXE_AFFINE_FORMULAS];
} vxe_affine;

/* What contact does to a body. */
typedef struct vxe_affine_push {
    vxe_power_sum sum;
    /* W: pressures are by the area as it is now, whatever it was. Where a face widens that it
       presses on, contact's energy grows though nothing has pushed. */
    double widened;
} vxe_affine_push;

struct vxe_affine_way; /* affine_lanes.h */

/* All bodies of a world. */
typedef struct vxe_affine_group {
    vxe_affine *bodies;       /* (count) */
    vxe_affine_state *states; /* (count) */
    uint32_t count;
    vxe_affine_hull *hulls;      /* (count) for meeting others; null where none can */
    vxe_affine_push *pushes;     /* (count) while loads are summed */
    vxe_power_sum *by_voxels;    /* (count) pushes alone; null where there are none */
    vxe_affine_end *now, *next;  /* (count) ends of a part */
    double *taken;               /* (count) 1/s: of the way that keeps volumes, by drifts */
    uint32_t *members;           /* (count) bodies that go together */
    uint32_t *cluster;           /* (count) the first body of those that it goes with */
    struct vxe_affine_way *ways; /* (count) of those that go alone; null where some do not */
    const vxe_kernels *kernels;
    vxe_plane *planes; /* (plane_count) */
    uint32_t plane_count;
    double extent[3]; /* m: of all of them at the start */
    double step;      /* s that suits them, where no lattice says another */
} vxe_affine_group;

/* Bodies of a design as they start, none where it has none. part_scale: on the parts of steps. */
vxe_status vxe_affine_group_init(vxe_affine_group *group, const vxe_design *design,
                                 double part_scale, vxe_messages *warnings, vxe_error *error);
void vxe_affine_group_clear(vxe_affine_group *group);

/* VXE_ERROR_DIVERGED, with the reason. */
vxe_status vxe_affine_complain(const vxe_affine *body, double time, vxe_affine_fate fate,
                               vxe_error *error);

/* Advances all bodies from a time by h seconds; those that may meet within it go together.
 * VXE_ERROR_DIVERGED says why. */
vxe_status vxe_affine_group_advance(const vxe_affine_group *group, double time, double h,
                                    vxe_error *error);

/* A push at a time that lasts h seconds, of which pushes and losses count. */
void vxe_affine_impulse(const vxe_affine *body, vxe_affine_state *state, const vxe_power_sum *push,
                        double time, double h);

/* What acts from outside on bodies that go together, at ends[member]; nearest is 0 or less where
 * the contact model has no value. */
void vxe_affine_sample_load(const vxe_affine_group *group, const uint32_t *members, uint32_t count,
                            vxe_affine_end *ends);

/* And on one body as all stand in the group's states. */
void vxe_affine_load_of(const vxe_affine_group *group, uint32_t body, double time,
                        vxe_affine_load *load);

/* m between balls around two bodies whose hulls are in place; infinite where one touches nothing.
 */
double vxe_affine_gap(const vxe_affine_group *group, uint32_t a, uint32_t b);

/* Adds what two bodies do to each other. */
void vxe_affine_push_pair(const vxe_power_kernels *kernels, const vxe_affine *const body[2],
                          const vxe_affine_hull *const hull[2], vxe_affine_push *const push[2]);

/* Where a body is, and how what is around it moves. */
void vxe_affine_frame_of(const vxe_affine_state *state, vxe_power_frame *frame);

/* Four corners as a patch, of which the last two may be one. */
void vxe_affine_make_patch(const double *const corner[4], vxe_power_patch *patch);

/* A face of a body deformed by p. */
void vxe_affine_deform(const double p[9], const vxe_power_patch *face, vxe_power_patch *now);

/* How fast the area of a face grows, 1/s, whose normal is out: tr L - n.L n. */
double vxe_affine_widening(const double gradient[9], const double out[3]);

/* Principal axes (in columns, right-handed) and values of a symmetric matrix, by Jacobi's turns. */
void vxe_principal_axes(const double matrix[9], double axes[9], double values[3]);

/* A rigid body's moments about its pin, and their principal axes. */
void vxe_rigid_prepare(vxe_affine *body, const double pin[3]);

/* Energies (J) of a body now. */
typedef struct vxe_affine_energy {
    double kinetic, elastic, contact, gravity;
} vxe_affine_energy;

vxe_affine_energy vxe_affine_energy_of(const vxe_affine_group *group, uint32_t body, double time);

#endif
