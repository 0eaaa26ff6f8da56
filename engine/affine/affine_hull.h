/* SPDX-License-Identifier: MIT */
/* The faces of an affine body at its current state, and distances of points from them. A convex
   body that is deformed by one matrix stays convex: every point outside has one nearest point on
   the body, the distance is a convex function, and above a face it is the height above its plane.
 */
#ifndef VXE_ENGINE_AFFINE_AFFINE_HULL_H
#define VXE_ENGINE_AFFINE_AFFINE_HULL_H

#include <stdint.h>

#include "common/status.h"
#include "engine/contact_models/power_law.h"

struct vxe_affine;
struct vxe_affine_state;

typedef struct vxe_affine_hull {
    vxe_power_frame frame;    /* of the body's centroid */
    double radius;            /* m: of the bounding sphere about the centroid */
    uint32_t count;           /* patches */
    vxe_power_patch *patches; /* (count) */
    double (*corner)[4][3];   /* (count) m from frame.place, all round the normal */
    double (*normal)[3];      /* (count) unit, outwards */
    double *level;            /* (count) m: of the patch's plane along its normal, from place */
    const uint32_t *face;     /* (count) face that the patch is a part of */
} vxe_affine_hull;

/* The nearest point of a hull. */
typedef struct vxe_hull_point {
    double distance; /* m, below 0 inside */
    double n[3];     /* unit, outwards */
} vxe_hull_point;

/* Takes memory for a body's faces. */
vxe_status vxe_hull_init(vxe_affine_hull *hull, const struct vxe_affine *body, vxe_error *error);
void vxe_hull_clear(vxe_affine_hull *hull);

/* Puts the faces where they are at a state of the body. */
void vxe_hull_put(vxe_affine_hull *hull, const struct vxe_affine *body,
                  const struct vxe_affine_state *state);

/* Velocity of the body's material at x (m, design coordinates). */
void vxe_hull_velocity(const vxe_affine_hull *hull, const double x[3], double v[3]);

/* Finds the point of the hull that is nearest to x (m, design coordinates). The hull has faces. */
void vxe_hull_nearest(const vxe_affine_hull *hull, const double x[3], vxe_hull_point *nearest);

#endif
