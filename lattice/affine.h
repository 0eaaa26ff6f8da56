/* SPDX-License-Identifier: MIT */
/* Affine bodies (Contento2009; docs/affine-bodies.md): each moves as x0 + P (X - X0), with twelve
   numbers: the place of its centroid, and its deformation P. Rigid ones only turn; elastic ones are
   Mooney-Rivlin; contractile ones grow by G, F = P G^-1 being what their elasticity sees. */
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
   along z, which meets others as a prism of so many sides; or a convex polyhedron. */
typedef struct vxe_affine_shape {
    vxe_affine_shape_kind kind;
    double size[3]; /* m */
    uint32_t sides;
    double
        *vertices; /* (vertex_count, 3) m, about any point: the body's centroid goes to its center
                    */
    uint32_t vertex_count;
    uint32_t *corners; /* (corner_count) vertices of the faces, face after face, each all round */
    uint32_t *face_sizes; /* (face_count) corners of each */
    uint32_t corner_count;
    uint32_t face_count;
} vxe_affine_shape;

/* Numbers of a body. */
enum {
    VXE_AFFINE_DENSITY,   /* kg/m^3 */
    VXE_AFFINE_C1,        /* Pa: energy c1 (i1 - 3) + c2 (i2 - 3) per volume */
    VXE_AFFINE_C2,        /* Pa */
    VXE_AFFINE_VISCOSITY, /* Pa s: mu, power mu D:D per volume */
    VXE_AFFINE_BULK,      /* Pa: kappa, energy kappa/2 (det F - 1)^2; 0: volume stays exactly */
    VXE_AFFINE_GROWTH_VISCOSITY, /* Pa s: mu_gamma, of growth that is driven */
    VXE_AFFINE_NUMBERS
};

/* Formulas of a body, of the time t (s): nine numbers of growth, row after row; nine (Pa) of what
   drives it instead; a force (N) at its center. */
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
    bool isochoric;                      /* growth that is driven keeps its volume */
    bool pinned;                         /* a rigid body's pin stays where it is */
    bool hold_center;                    /* the center stays */
    bool hold_deformation;               /* P stays */
    bool touches;                        /* the floor, walls and other bodies by contact; voxels */
    double center[3];                    /* m: of the centroid */
    double orientation[4];               /* unit quaternion w x y z */
    double deformation[9];               /* P before it is turned so, row after row; det P > 0 */
    double velocity[3];                  /* m/s */
    double spin[3];                      /* rad/s, world axes */
    double rate[9];                      /* 1/s: of P, beside the spin's */
    double pin[3];                       /* m: from the centroid, along the body's own axes */
    char *formulas[VXE_AFFINE_FORMULAS]; /* null: of growth those of 1, of others 0 */
    vxe_contact_law contact;             /* a power law */
} vxe_affine_body;

/* Half space that affine bodies stay out of, beside the floor. */
typedef struct vxe_wall {
    double point[3];  /* m, on its face */
    double normal[3]; /* unit, out of it */
} vxe_wall;

/* What a run tells of an affine body, step by step: of a formula (of), its largest and least value,
   mean and last one, its change per second (rate), the mean time between its maxima (period), these
   (peaks), or its value when another formula (when) is first not 0. With when, others count only
   while it is not 0. */
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

/* Variables of such formulas: t; the center x y z (m) and vx vy vz; the spin wx wy wz (rad/s); the
   body's own z axis ax ay az (unit), its tilt from the world's (rad) and its azimuth (rad, counted
   on); lengths of its own axes lx ly lz; the force of all that it touches fx fy fz (N); the height
   of its lowest corner above the first wall, gap (m). */
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

/* "last", "most" and so on; and the variables' names, (VXE_SEEN). */
VXE_API const char *vxe_observation_kind_name(vxe_observation_kind kind);
VXE_API const char *const *vxe_observation_variables(void);

/* VXE_ERROR_INPUT with what is wrong; bodies: how many there are. */
VXE_API vxe_status vxe_observation_check(const vxe_observation *observation, uint32_t bodies,
                                         vxe_error *error);

/* "rigid", "elastic", "contractile". */
VXE_API const char *vxe_affine_kind_name(vxe_affine_kind kind);

/* Numbers of a body by name, with their ranges, (VXE_AFFINE_NUMBERS). */
VXE_API const vxe_law_number *vxe_affine_numbers(void);

/* A box of 0.1 m, of E = 6e4 Pa and 1000 kg/m^3, at the origin. */
VXE_API vxe_affine_body vxe_affine_body_default(void);

/* VXE_ERROR_INPUT with what is wrong. */
VXE_API vxe_status vxe_affine_body_check(const vxe_affine_body *body, vxe_error *error);

/* Its faces as a polyhedron's about its centroid, turned outwards; to be given back with
 * vxe_affine_shape_release. VXE_ERROR_INPUT where a polyhedron is not closed and convex. */
VXE_API vxe_status vxe_affine_shape_faces(const vxe_affine_shape *shape, vxe_affine_shape *faces,
                                          vxe_error *error);
VXE_API void vxe_affine_shape_release(vxe_affine_shape *shape);

/* Volume (m^3) and second moments (m^5, row after row: the integral of X X^T about the centroid).
 */
VXE_API vxe_status vxe_affine_shape_moments(const vxe_affine_shape *shape, double *volume,
                                            double moments[9], vxe_error *error);

/* A copy that shares nothing; and what it holds is let go. */
VXE_API vxe_status vxe_affine_body_copy(const vxe_affine_body *body, vxe_affine_body *copy,
                                        vxe_error *error);
VXE_API void vxe_affine_body_release(vxe_affine_body *body);

#ifdef __cplusplus
}
#endif

#endif
