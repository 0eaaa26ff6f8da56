/* SPDX-License-Identifier: MIT */
/* An affine body's faces where they are now, and how far points are from them. Deformed by one
   matrix it stays convex, so that every point outside has one nearest point of it, the distance to
   it is a convex function, and above each face it is the height above its plane. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_HULL_H
#define VXE_ENGINE_AFFINE_AFFINE_HULL_H

#include <stdint.h>

#include "common/status.h"
#include "engine/contact_models/power_law.h"

struct vxe_affine;
struct vxe_affine_state;

typedef struct vxe_affine_hull {
    vxe_power_frame frame;    /* of the body's centroid */
    double radius;            /* m: of a ball about it that holds the body */
    uint32_t count;           /* patches */
    vxe_power_patch *patches; /* (count) */
    double (*corner)[4][3];   /* (count) m from the place, around the normal */
    double (*normal)[3];      /* (count) unit, outwards */
    double *level;            /* (count) m: of the patch's plane from the place, along it */
    const uint32_t *face;     /* (count) of which the patch is a part */
} vxe_affine_hull;

/* The nearest point of a hull. */
typedef struct vxe_hull_point {
    double distance; /* m, below 0 inside */
    double n[3];     /* unit, outwards */
} vxe_hull_point;

/* Room for a body's faces. */
vxe_status vxe_hull_init(vxe_affine_hull *hull, const struct vxe_affine *body, vxe_error *error);
void vxe_hull_clear(vxe_affine_hull *hull);

/* Where they are as the body stands and moves. */
void vxe_hull_put(vxe_affine_hull *hull, const struct vxe_affine *body,
                  const struct vxe_affine_state *state);

/* Velocity of what is at x (m, design coordinates) and moves with the body. */
void vxe_hull_velocity(const vxe_affine_hull *hull, const double x[3], double v[3]);

/* x likewise. */
void vxe_hull_nearest(const vxe_affine_hull *hull, const double x[3], vxe_hull_point *nearest);

#endif
