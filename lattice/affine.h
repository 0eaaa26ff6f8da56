/* SPDX-License-Identifier: MIT */
/* Affine bodies (Contento2009; docs/affine-bodies.md): each moves as x0 + P (X - X0), with twelve
   numbers: the position of its centroid and its deformation P. Rigid bodies only rotate; elastic
   ones are Mooney-Rivlin solids; contractile ones also grow by G, and their elastic energy depends
   on F = P G^-1. */
#ifndef VXE_LATTICE_AFFINE_H
#define VXE_LATTICE_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "materials/contact_law.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vxe_affine_kind {
    VXE_AFFINE_RIGID = 0,
    VXE_AFFINE_ELASTIC = 1,
    VXE_AFFINE_CONTRACTILE = 2,
    VXE_AFFINE_KINDS
} vxe_affine_kind;

typedef enum vxe_affine_shape_kind {
    VXE_AFFINE_BOX = 0,
    VXE_AFFINE_CYLINDER = 1,
    VXE_AFFINE_POLYHEDRON = 2
} vxe_affine_shape_kind;

#define VXE_MAX_SIDES 256u
#define VXE_MAX_AFFINE_CORNERS 4096u

/* A box of edges size[0..2] about its centroid; a cylinder of diameter size[0] and height size[2]
   along z, whose contacts are those of a prism with that many sides; or a convex polyhedron. */
typedef struct vxe_affine_shape {
    vxe_affine_shape_kind kind;
    double size[3]; /* m */
    uint32_t sides;
    double *vertices; /* (vertex_count, 3) m, relative to any point: the centroid of the shape is
                         moved to the body's center */
    uint32_t vertex_count;
    uint32_t *corners;    /* (corner_count) vertices of the faces, face after face, in order around
                             each */
    uint32_t *face_sizes; /* (face_count) number of corners of each face */
    uint32_t corner_count;
    uint32_t face_count;
} vxe_affine_shape;

/* Numbers of a body. */
enum {
    VXE_AFFINE_DENSITY,   /* kg/m^3 */
    VXE_AFFINE_C1,        /* Pa: energy c1 (i1 - 3) + c2 (i2 - 3) per volume */
    VXE_AFFINE_C2,        /* Pa */
    VXE_AFFINE_VISCOSITY, /* Pa s: mu, power mu D:D per volume */
    VXE_AFFINE_BULK,      /* Pa: kappa, energy kappa/2 (det F - 1)^2; 0: the volume is constant */
    VXE_AFFINE_GROWTH_VISCOSITY, /* Pa s: mu_gamma of driven growth */
    VXE_AFFINE_NUMBERS
};

/* Formulas of a body, functions of the time t (s): the nine numbers of growth by rows; or nine
   numbers (Pa), by rows, that drive growth; and a force (N) at its center. */
enum {
    VXE_AFFINE_GROWTH = 0,
    VXE_AFFINE_DRIVE = 9,
    VXE_AFFINE_FORCE = 18,
    VXE_AFFINE_FORMULAS = 21
};

typedef struct vxe_affine_body {
    char name[64];
    vxe_affine_kind kind;
    vxe_affine_shape shape;
    double number[VXE_AFFINE_NUMBERS];
    bool isochoric;                      /* driven growth keeps the volume */
    bool pinned;                         /* the pin of a rigid body does not move */
    bool hold_center;                    /* the center does not move */
    bool hold_deformation;               /* P does not change */
    bool touches;                        /* it has contact with the floor, walls, bodies, voxels */
    double center[3];                    /* m: position of the centroid */
    double orientation[4];               /* unit quaternion w x y z */
    double deformation[9];               /* P before this rotation, by rows; det P > 0 */
    double velocity[3];                  /* m/s */
    double spin[3];                      /* rad/s, world axes */
    double rate[9];                      /* 1/s: rate of P in addition to the spin */
    double pin[3];                       /* m: from the centroid, along the body's axes */
    char *formulas[VXE_AFFINE_FORMULAS]; /* null: the identity for growth, 0 for the others */
    vxe_contact_law contact;             /* a powerlaw */
} vxe_affine_body;

/* A half space, besides the floor, that affine bodies cannot enter. */
typedef struct vxe_wall {
    double point[3];  /* m, on its surface */
    double normal[3]; /* unit, outwards */
} vxe_wall;

/* What a run reports of an affine body. A formula, of, is computed in each step. The report is its
   last, largest or smallest value, its mean, its mean change per second (rate), the mean time
   between its maxima (period), a list of its maxima (peaks), or its value in the first step in
   which another formula, when, is not 0. For the others, only steps with when not 0 count. */
typedef enum vxe_observation_kind {
    VXE_OBSERVE_LAST = 0,
    VXE_OBSERVE_MAX = 1,
    VXE_OBSERVE_MIN = 2,
    VXE_OBSERVE_MEAN = 3,
    VXE_OBSERVE_RATE = 4,
    VXE_OBSERVE_PERIOD = 5,
    VXE_OBSERVE_PEAKS = 6,
    VXE_OBSERVE_FIRST = 7,
    VXE_OBSERVATION_KINDS
} vxe_observation_kind;

/* Variables of these formulas: the time t (s); position x y z (m) and velocity vx vy vz (m/s) of
   the center; the spin wx wy wz (rad/s); the body's z axis ax ay az (unit), its tilt from the
   world's z axis (rad) and its azimuth (rad, continued beyond pi); the stretches of its axes lx ly
   lz; the contact force fx fy fz (N); the height gap (m) of its lowest corner above the first
   wall. */
typedef struct vxe_observation {
    char name[64];
    vxe_observation_kind gives;
    uint32_t body;
    char *of;
    char *when; /* null: always */
} vxe_observation;

enum {
    VXE_SEEN_T,
    VXE_SEEN_X,
    VXE_SEEN_V = VXE_SEEN_X + 3,
    VXE_SEEN_W = VXE_SEEN_V + 3,
    VXE_SEEN_AXIS = VXE_SEEN_W + 3,
    VXE_SEEN_TILT = VXE_SEEN_AXIS + 3,
    VXE_SEEN_AZIMUTH,
    VXE_SEEN_LENGTH,
    VXE_SEEN_FORCE = VXE_SEEN_LENGTH + 3,
    VXE_SEEN_GAP = VXE_SEEN_FORCE + 3,
    VXE_SEEN
};

/* "last", "most" and so on, as files have it; null for an unknown one. */
VXE_API const char *vxe_observation_kind_name(vxe_observation_kind kind);

/* Names of the variables, (VXE_SEEN). */
VXE_API const char *const *vxe_observation_variables(void);

/* VXE_ERROR_INPUT if an observation is wrong; bodies is the number of affine bodies. */
VXE_API vxe_status vxe_observation_check(const vxe_observation *observation, uint32_t bodies,
                                         vxe_error *error);

/* "rigid", "elastic" or "contractile"; null for an unknown one. */
VXE_API const char *vxe_affine_kind_name(vxe_affine_kind kind);

/* Names, units and ranges of the numbers of a body, (VXE_AFFINE_NUMBERS). */
VXE_API const vxe_law_number *vxe_affine_numbers(void);

/* An elastic cube of 0.1 m at the origin, with E = 6e4 Pa and 1000 kg/m^3. */
VXE_API vxe_affine_body vxe_affine_body_default(void);

/* VXE_ERROR_INPUT if a body is wrong. */
VXE_API vxe_status vxe_affine_body_check(const vxe_affine_body *body, vxe_error *error);

/* Converts a shape into a polyhedron about its centroid whose faces are counter-clockwise from
 * outside; the caller releases it with vxe_affine_shape_release. VXE_ERROR_INPUT if a polyhedron is
 * not closed and convex. */
VXE_API vxe_status vxe_affine_shape_faces(const vxe_affine_shape *shape, vxe_affine_shape *faces,
                                          vxe_error *error);
VXE_API void vxe_affine_shape_release(vxe_affine_shape *shape);

/* Volume (m^3) and second moments (m^5, by rows: the integral of X X^T about the centroid). */
VXE_API vxe_status vxe_affine_shape_moments(const vxe_affine_shape *shape, double *volume,
                                            double moments[9], vxe_error *error);

/* Makes a deep copy. */
VXE_API vxe_status vxe_affine_body_copy(const vxe_affine_body *body, vxe_affine_body *copy,
                                        vxe_error *error);

/* Releases the arrays and formulas of a body. */
VXE_API void vxe_affine_body_release(vxe_affine_body *body);

#ifdef __cplusplus
}
#endif

#endif
