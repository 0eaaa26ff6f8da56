/* SPDX-License-Identifier: MIT */
/* What a contact model is, and what all of them do with the force along the surfaces, which they
   remember. n leads from piece 1 to piece 2, the floor being piece 2; forces are those on piece 2,
   F = -F_n n + F_s with F_n below 0 in compression (LinearDipole, sign of forces). */
#ifndef VXE_ENGINE_CONTACT_MODELS_CONTACT_MODEL_H
#define VXE_ENGINE_CONTACT_MODELS_CONTACT_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/matrix_internal.h"
#include "engine/contact_models/power_law.h"
#include "engine/core/state.h"
#include "materials/contact_law.h"

struct vxe_contact_force_model;

/* What two kinds of pieces do to each other. */
typedef struct vxe_particle_pair {
    const struct vxe_contact_force_model *law;
    vxe_contact_law numbers;
    double modulus; /* Pa: E* of the two */
    double shear;   /* Pa: G* */
} vxe_particle_pair;

/* How two pieces stand to each other. */
typedef struct vxe_contact_geometry {
    double gap;       /* m between the surfaces, below 0 where they overlap */
    double n[3];      /* unit, from 1 to 2 */
    double arm[2][3]; /* m: from the centres to the place of contact */
    double rate[3];   /* m/s: of 2 against 1 there */
    double spin;      /* rad/s: mean of both about n */
    double radius[2]; /* m; 0 of the floor */
    double mass;      /* kg, reduced; that of 1 at the floor */
    double h;         /* s since they stood otherwise */
} vxe_contact_geometry;

typedef struct vxe_contact_force {
    bool active;
    bool slips;
    double normal;      /* N: F_n of the spring */
    double dash_normal; /* N: of the dashpot */
    double shear[3];    /* N: F_s of the spring */
    double dash_shear[3];
    double shear_stiffness; /* N/m */
    double tangent;         /* N/m: of the normal spring, as it is now */
    double energy;          /* J */
    double lost;            /* J: by slipping, in this step */
} vxe_contact_force;

/* The largest stiffnesses (N/m) and dashpots (N s/m) that a contact is expected to have. */
typedef struct vxe_contact_bounds {
    double stiffness[2]; /* normal, along the surfaces */
    double dashpot[2];
} vxe_contact_bounds;

typedef struct vxe_contact_force_model {
    const char *name;
    /* before is what the contact remembers, null if it was open. Fills all of force. */
    void (*act)(const vxe_particle_pair *pair, const vxe_contact_geometry *m,
                const vxe_contact_memory *before, vxe_contact_force *force);
    /* As a law that acts over the faces of a cube does in a step, at the floor; else null, and act
     * is there. */
    vxe_face_load (*over_faces)(const vxe_power_kernels *kernels, const double *numbers,
                                const vxe_cube *cube, const vxe_plane *plane);
    /* For pieces of such radii (as in a meeting) and reduced mass (kg) that meet at such a speed
     * (m/s) and carry such a load (N). */
    vxe_contact_bounds (*bounds)(const vxe_particle_pair *pair, const double radius[2], double mass,
                                 double speed, double load);
} vxe_contact_force_model;

extern const vxe_contact_force_model vxe_contact_model_linear;
extern const vxe_contact_force_model vxe_contact_model_hertz;
extern const vxe_contact_force_model vxe_contact_model_power;

/* What dashpots do by their modes, see VXE_LINEAR_DP_MODE. */
enum { VXE_DASHPOT_NO_PULL = 1, VXE_DASHPOT_NO_SLIP = 2 };

/* The part of this step's motion that was in touch: where the surfaces met within it, what came
 * before they did made no force (LinearDipole, relative displacement increment). */
static inline double vxe_contact_part(const vxe_contact_geometry *m, double gap, bool was_open)
{
    const double closed = -vxe_dot3(m->rate, m->n) * m->h;
    const bool met = was_open && closed > 0 && gap + closed > 0;
    return met ? fmin(-gap / closed, 1) : 1;
}

/* The dashpots beside springs that are there. */
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

/* Takes the force along the surfaces on from what it was: turned into the tangent plane as it is
   now, with its length, and about n with the pieces; changed by the spring; at most limit (source
   000, 2.2 and 2.6). part: of this step's motion. scale: of the old force, as it is turned. */
void vxe_contact_slide(const vxe_contact_geometry *m, const vxe_contact_memory *before,
                       double stiffness, double limit, double part, double scale,
                       vxe_contact_force *force);

/* x^(1/n) for x >= 0: the same bits with every libm. */
double vxe_contact_root(double x, int n);

#endif
