/* SPDX-License-Identifier: MIT */
/* Contact models (docs/contact-models.md) that a design chooses for two materials, or for a
   material and the floor, instead of the penalty contact. Each model has numbers with names; the
   forces are computed in engine/contact_models/. */
#ifndef VXE_MATERIALS_CONTACT_LAW_H
#define VXE_MATERIALS_CONTACT_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* linear: springs, dashpots and Coulomb friction (LinearDipole, CundallStrack1979). hertz: elastic
 * spheres with the moduli of their materials (Hertz1882, Mindlin1949). powerlaw: repulsion,
 * damping, friction and adhesion by powers of the distance, integrated over the faces of a voxel
 * near the floor (Contento2009). */
typedef enum vxe_contact_kind {
    VXE_CONTACT_LINEAR = 0,
    VXE_CONTACT_HERTZ = 1,
    VXE_CONTACT_POWER = 2,
    VXE_CONTACT_KINDS
} vxe_contact_kind;

/* Numbers of the model linear. */
enum {
    VXE_LINEAR_KN,        /* N/m */
    VXE_LINEAR_KS,        /* N/m, tangential */
    VXE_LINEAR_FRIC,      /* mu */
    VXE_LINEAR_RGAP,      /* m: reference gap, at which the springs are at rest */
    VXE_LINEAR_MODE,      /* 0: force from the overlap; 1: from its increments */
    VXE_LINEAR_DP_NRATIO, /* beta_n: 1 is critical */
    VXE_LINEAR_DP_SRATIO, /* beta_s */
    VXE_LINEAR_DP_MODE, /* 0: both dashpots always act; 1: spring and normal dashpot together never
                           pull; 2: the tangential dashpot does not act in slip; 3: 1 and 2 */
    VXE_LINEAR_EMOD,    /* Pa: E, from which kn = A E/L; 0: kn and ks are given */
    VXE_LINEAR_KRATIO,  /* kn/ks with emod; 0: ks is 0 */
    VXE_LINEAR_USER_AREA, /* m^2: A with emod; 0: pi r^2 of the smaller sphere */
    VXE_LINEAR_BOX,       /* 1: cubes touch by their faces; 0: as spheres */
    VXE_LINEAR_NUMBERS
};

/* Numbers of the model hertz. */
enum {
    VXE_HERTZ_FRIC,        /* mu */
    VXE_HERTZ_C_N,         /* c_n of the dashpot */
    VXE_HERTZ_RESTITUTION, /* e, from which c_n follows (without dp_mode 1); 0: c_n is given */
    VXE_HERTZ_DP_SRATIO,   /* beta of the tangential dashpot */
    VXE_HERTZ_DP_MODE,     /* see VXE_LINEAR_DP_MODE */
    VXE_HERTZ_NUMBERS
};

/* Numbers of the model powerlaw. Its pressures (Pa) depend on D = d/d0, where d (m) is the distance
   from the floor. Away from the floor, repulsion is alpha_r D^-nu_r, damping -beta_d D^-nu_d times
   the speed along the floor's normal, and adhesion -beta_a (D^-nu_aa - D^-nu_ar). Along the floor,
   friction is -beta_f D^-nu_f times the speed along it. */
enum {
    VXE_POWER_ALPHA_R, /* Pa */
    VXE_POWER_BETA_D,  /* Pa s/m */
    VXE_POWER_BETA_F,  /* Pa s/m */
    VXE_POWER_BETA_A,  /* Pa */
    VXE_POWER_NU_R,
    VXE_POWER_NU_D,
    VXE_POWER_NU_F,
    VXE_POWER_NU_AA,
    VXE_POWER_NU_AR,
    VXE_POWER_D0,     /* m */
    VXE_POWER_FRIC,   /* mu: friction is at most mu times the repulsion (Coulomb); 0: no limit */
    VXE_POWER_FACING, /* 1: only faces that point towards the floor; 0: all free faces */
    VXE_POWER_NUMBERS
};

#define VXE_MAX_LAW_NUMBERS 12

typedef struct vxe_contact_law {
    vxe_contact_kind kind;
    double number[VXE_MAX_LAW_NUMBERS]; /* indices: the enumeration of the model */
} vxe_contact_law;

/* Description of one number of a model. */
typedef struct vxe_law_number {
    const char *name;
    const char *unit;
    double standard; /* value if none is given */
    double min, max; /* range */
    bool whole;      /* an integer: 0, 1, 2, ... */
} vxe_law_number;

/* "linear", "hertz" or "powerlaw"; null for an unknown model. */
VXE_API const char *vxe_contact_kind_name(vxe_contact_kind kind);

/* Descriptions of the numbers of a model, (count); null for an unknown model. */
VXE_API const vxe_law_number *vxe_contact_law_numbers(vxe_contact_kind kind, uint32_t *count);

/* A contact model with its standard numbers. */
VXE_API vxe_contact_law vxe_contact_law_default(vxe_contact_kind kind);

/* VXE_ERROR_INPUT for a number out of its range, which the message names with the range, and for
 * numbers that contradict each other. */
VXE_API vxe_status vxe_contact_law_check(const vxe_contact_law *law, vxe_error *error);

/* The contact of two pieces that have one linear model each: kn and ks in series (0 if one is 0),
   the smaller fric, dp_nratio and dp_sratio; numbers that are not inherited are those of the first
   piece. LinearDipole, contact property inheritance. */
VXE_API vxe_contact_law vxe_linear_inherited(const vxe_contact_law *one,
                                             const vxe_contact_law *two);

/* kn and ks (N/m) of two spheres in the model linear; radius[1] is 0 for a wall. LinearDipole,
   deformability method. */
VXE_API void vxe_linear_stiffness(const vxe_contact_law *law, const double radius[2],
                                  double stiffness[2]);

/* c_n for a coefficient of restitution 0 < e <= 1: (10^1/2/3) |ln e|/(pi^2 + ln^2 e)^1/2
   (AntypovElliott2011). */
VXE_API double vxe_hertz_damping(double restitution);

#ifdef __cplusplus
}
#endif

#endif
