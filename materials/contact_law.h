/* SPDX-License-Identifier: MIT */
/* Contact models (docs/contact-models.md), which a design chooses for pairs of materials,
   or a material and the floor, instead of the penalty contact. Each has numbers by name; what the
   laws do is in engine/particles/. */
#ifndef VXE_MATERIALS_CONTACT_LAW_H
#define VXE_MATERIALS_CONTACT_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* linear: springs, dashpots and Coulomb friction (LinearDipole, CundallStrack1979); hertz:
 * Hertz-Mindlin of elastic spheres (Hertz1882, Mindlin1949), by the moduli of the materials;
 * powerlaw: repulsion, damping, friction and adhesion by powers of the distance, over the faces of
 * a voxel at the floor (Contento2009). */
typedef enum vxe_contact_kind {
    VXE_CONTACT_LINEAR = 0,
    VXE_CONTACT_HERTZ = 1,
    VXE_CONTACT_POWER = 2,
    VXE_CONTACT_KINDS
} vxe_contact_kind;

/* Numbers of the linear law. */
enum {
    VXE_LINEAR_KN,        /* N/m */
    VXE_LINEAR_KS,        /* N/m, along the surfaces */
    VXE_LINEAR_FRIC,      /* mu */
    VXE_LINEAR_RGAP,      /* m: reference gap, at which the springs are at rest */
    VXE_LINEAR_MODE,      /* 0: force by overlap; 1: by increments of it */
    VXE_LINEAR_DP_NRATIO, /* beta_n: 1 is critical */
    VXE_LINEAR_DP_SRATIO, /* beta_s */
    VXE_LINEAR_DP_MODE,   /* 0: both whole; 1: no pull with the spring; 2: along the surfaces none
                             while it slips; 3: 1 and 2 */
    VXE_LINEAR_EMOD,      /* Pa: E, from which kn = A E/L; 0: kn and ks as they are */
    VXE_LINEAR_KRATIO,    /* kn/ks with emod; 0: no ks */
    VXE_LINEAR_USER_AREA, /* m^2: A with emod; 0: pi r^2 of the smaller piece */
    VXE_LINEAR_BOX,       /* 1: cubes touch by their faces; 0: as spheres */
    VXE_LINEAR_NUMBERS
};

/* Numbers of Hertz-Mindlin's. */
enum {
    VXE_HERTZ_FRIC,        /* mu */
    VXE_HERTZ_C_N,         /* c_n of the dashpot */
    VXE_HERTZ_RESTITUTION, /* e, from which c_n follows (without dp_mode 1); 0: c_n as it is */
    VXE_HERTZ_DP_SRATIO,   /* beta of the dashpot along the surfaces */
    VXE_HERTZ_DP_MODE,     /* as the linear law's */
    VXE_HERTZ_NUMBERS
};

/* Numbers of the power law, pressures by D = d/d0, d (m) the distance from the floor:
   alpha_r D^-nu_r away from it; -beta_d D^-nu_d times the speed along its normal; -beta_f D^-nu_f
   times that along it; -beta_a (D^-nu_aa - D^-nu_ar) towards it. */
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
    VXE_POWER_FRIC,   /* mu that bounds friction by the repulsion (Coulomb); 0: nothing does */
    VXE_POWER_FACING, /* 1: faces that look at the floor alone; 0: all that are free */
    VXE_POWER_NUMBERS
};

#define VXE_MAX_LAW_NUMBERS 12

typedef struct vxe_contact_law {
    vxe_contact_kind kind;
    double number[VXE_MAX_LAW_NUMBERS]; /* by the law's enumeration */
} vxe_contact_law;

/* A number of a law. */
typedef struct vxe_law_number {
    const char *name;
    const char *unit;
    double standard; /* where nothing is said */
    double min, max; /* range */
    bool whole;      /* 0, 1, 2, ... */
} vxe_law_number;

/* "linear", "hertz", "powerlaw"; null if there is no such. */
VXE_API const char *vxe_contact_kind_name(vxe_contact_kind kind);

/* The numbers of a law, (count). */
VXE_API const vxe_law_number *vxe_contact_law_numbers(vxe_contact_kind kind, uint32_t *count);

/* A law with its standard numbers. */
VXE_API vxe_contact_law vxe_contact_law_default(vxe_contact_kind kind);

/* VXE_ERROR_INPUT for a number out of its range, named with the range, and where the numbers are at
 * odds. */
VXE_API vxe_status vxe_contact_law_check(const vxe_contact_law *law, vxe_error *error);

/* What two pieces make of one linear law each: kn and ks in series (0 where one is), the smaller
   fric, dp_nratio and dp_sratio; what is not inherited is the first one's. LinearDipole, contact
   property inheritance. */
VXE_API vxe_contact_law vxe_linear_inherited(const vxe_contact_law *one,
                                             const vxe_contact_law *two);

/* kn and ks (N/m) of two spheres by the linear law; radius[1] is 0 for a wall. LinearDipole,
 * deformability method. */
VXE_API void vxe_linear_stiffness(const vxe_contact_law *law, const double radius[2],
                                  double stiffness[2]);

/* c_n for a coefficient of restitution 0 < e <= 1: (10^1/2/3) |ln e|/(pi^2 + ln^2 e)^1/2. */
VXE_API double vxe_hertz_damping(double restitution);

#ifdef __cplusplus
}
#endif

#endif
