/* SPDX-License-Identifier: MIT */
/* A contact model is a table of functions; this file declares it, and the force along the surfaces
   and the dashpots that models share (docs/contact-models.md, Signs and geometry). n is the unit
   normal from piece 1 to piece 2, the floor being piece 2. Forces are those on piece 2,
   F = -F_n n + F_s with F_n below 0 in compression (LinearDipole, sign of forces). */
#ifndef VXE_ENGINE_CONTACT_MODELS_MODEL_INTERFACE_H
#define VXE_ENGINE_CONTACT_MODELS_MODEL_INTERFACE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/matrix_internal.h"
#include "engine/contact_models/power_law.h"
#include "engine/core/state.h"
#include "materials/contact_law.h"

struct vxe_contact_force_model;

/* The contact model of two materials, or of a material and the floor. */
typedef struct vxe_particle_pair {
    const struct vxe_contact_force_model *law;
    vxe_contact_law numbers;
    double modulus; /* Pa: E*, the effective modulus of the two */
    double shear;   /* Pa: G*, the effective shear modulus */
} vxe_particle_pair;

/* Relative position and motion of two pieces. */
typedef struct vxe_contact_geometry {
    double gap;       /* m between the surfaces, below 0 where they overlap */
    double n[3];      /* unit, from 1 to 2 */
    double arm[2][3]; /* m: from the centres to the point of contact */
    double rate[3];   /* m/s: velocity of 2 relative to 1 at the point of contact */
    double spin;      /* rad/s: mean of both about n */
    double radius[2]; /* m; 0 for the floor */
    double mass;      /* kg, reduced; that of 1 at the floor */
    double h;         /* s: step since the last positions */
} vxe_contact_geometry;

/* Force of a contact at the end of a step. */
typedef struct vxe_contact_force {
    bool active;
    bool slips;
    double normal;      /* N: F_n of the spring */
    double dash_normal; /* N: of the dashpot */
    double shear[3];    /* N: F_s of the spring */
    double dash_shear[3];
    double shear_stiffness; /* N/m */
    double tangent;         /* N/m: tangent stiffness of the normal spring */
    double energy;          /* J */
    double lost;            /* J: by slipping in this step */
} vxe_contact_force;

/* Maximum stiffnesses (N/m) and dashpots (N s/m) that a contact is expected to have. */
typedef struct vxe_contact_bounds {
    double stiffness[2]; /* normal, along the surfaces */
    double dashpot[2];
} vxe_contact_bounds;

typedef struct vxe_contact_force_model {
    const char *name;
    /* Computes the force of a contact. before is its history, null if it was open. Fills all of
     * force. */
    void (*act)(const vxe_particle_pair *pair, const vxe_contact_geometry *m,
                const vxe_contact_memory *before, vxe_contact_force *force);
    /* Computes the load on a cube at the floor, of a model that acts over faces. Exactly one of act
     * and over_faces is not null. */
    vxe_face_load (*over_faces)(const vxe_power_kernels *kernels, const double *numbers,
                                const vxe_cube *cube, const vxe_plane *plane);
    /* Bounds for pieces of given radii (as in vxe_contact_geometry) and reduced mass (kg) that
     * collide at a speed (m/s) or carry a load (N). */
    vxe_contact_bounds (*bounds)(const vxe_particle_pair *pair, const double radius[2], double mass,
                                 double speed, double load);
} vxe_contact_force_model;

extern const vxe_contact_force_model vxe_contact_model_linear;
extern const vxe_contact_force_model vxe_contact_model_hertz;
extern const vxe_contact_force_model vxe_contact_model_power;

/* Bits of a dashpot's mode, see VXE_LINEAR_DP_MODE: no pull along the normal; no force along the
   surfaces while they slip. */
enum { VXE_DASHPOT_NO_PULL = 1, VXE_DASHPOT_NO_SLIP = 2 };

/* Fraction of this step's motion during which the surfaces touched: motion before a contact closes
 * makes no force (LinearDipole, relative displacement increment). */
static inline double vxe_contact_part(const vxe_contact_geometry *m, double gap, bool was_open)
{
    const double closed = -vxe_dot3(m->rate, m->n) * m->h;
    const bool met = was_open && closed > 0 && gap + closed > 0;
    return met ? fmin(-gap / closed, 1) : 1;
}

/* Adds the dashpots to a force whose springs are filled. */
static inline void vxe_contact_dashpots(const vxe_contact_geometry *m, const double dashpot[2],
                                        int mode, vxe_contact_force *force)
{
    const double opening = vxe_dot3(m->rate, m->n);
    const double normal = dashpot[0] * opening;
    force->dash_normal = mode & VXE_DASHPOT_NO_PULL ? fmin(normal, -force->normal) : normal;
    const double along = mode & VXE_DASHPOT_NO_SLIP && force->slips ? 0 : dashpot[1];
    for (int c = 0; c < 3; c++) {
        force->dash_shear[c] = -along * (m->rate[c] - opening * m->n[c]);
    }
}

/* Advances the force along the surfaces: the old force is rotated into the present tangent plane
   with its length, and with the pieces about n; the spring changes it by the slip of this step; it
   is capped at limit, N (CundallStrack1979; docs/contact-models.md, Force along the surfaces).
   part: fraction of this step's motion. scale: factor on the old force. */
void vxe_contact_slide(const vxe_contact_geometry *m, const vxe_contact_memory *before,
                       double stiffness, double limit, double part, double scale,
                       vxe_contact_force *force);

/* x^(1/n) for x >= 0: the same bits with every libm. */
double vxe_contact_root(double x, int n);

#endif
