/* SPDX-License-Identifier: MIT */
/* The material of voxels. All numbers are in SI units. The tags of .vxa and .vxd files from which
 * numbers are read stand in brackets. */
#ifndef VXE_MATERIALS_MATERIAL_H
#define VXE_MATERIALS_MATERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum of points of a measured curve, the origin included. */
#define VXE_CURVE_POINTS 32

/* The constitutive law (MatModel): linear; linear until it breaks; elastic-plastic with two moduli;
 * a measured curve. materials/yield_break_law.h computes the last three. */
typedef enum vxe_material_model {
    VXE_MATERIAL_LINEAR = 0,
    VXE_MATERIAL_LINEAR_FAILING = 1,
    VXE_MATERIAL_BILINEAR = 2,
    VXE_MATERIAL_MEASURED = 3
} vxe_material_model;

/* Pa: larger moduli are refused. It is far beyond any matter, and no product of such numbers
 * overflows. */
#define VXE_STIFFEST 1e15
/* kg/m^3: smaller and larger densities are refused. */
#define VXE_THINNEST 1e-9
#define VXE_DENSEST 1e15

typedef struct vxe_material {
    uint32_t cookie;          /* set by vxe_material_default; vxe_material_check asks for it */
    char name[64];            /* free text */
    float color[4];           /* red, green, blue, alpha, 0..1; for display */
    double youngs_modulus;    /* Pa, >= 0; 0: no stiffness (Elastic_Mod) */
    double density;           /* kg/m^3, > 0 (Density) */
    double poissons_ratio;    /* -1 < nu <= 0.5; acts on torsion, on shear with VXE_SHEAR_BULK, and
                                 on all strains if the design has volume effects (Poissons_Ratio) */
    double static_friction;   /* coefficient, >= 0 (uStatic) */
    double dynamic_friction;  /* coefficient, >= 0 (uDynamic) */
    double bond_damping;      /* xi in c = xi sqrt(m k), >= 0; 1 is 0.707 of the critical damping of
                                 a pair (BondDampingZ) */
    double collision_damping; /* ratio, >= 0, of the normal dashpot at the floor and in contacts
                                 (ColDampingZ) */
    double global_damping;    /* ratio, >= 0, of the drag against the frame of the world
                                 (SlowDampingZ) */
    double thermal_expansion; /* 1/K, relative change of the edge; negative: a muscle that is
                                 opposite in phase (CTE) */
    double phase;             /* rad, added to the phase of the temperature (MaterialTempPhase) */
    vxe_material_model model; /* (MatModel) */
    double plastic_modulus;   /* Pa: slope beyond the yield stress; bilinear only (Plastic_Mod) */
    double yield_stress;      /* Pa; bilinear only (Yield_Stress) */
    double fail_stress;       /* Pa in tension, of all models but linear; 0: none (Fail_Stress) */
    double fail_strain;       /* in tension, of all models but linear; 0: none (Fail_Strain) */
    uint32_t curve_count;     /* points of a measured curve; the first is (0, 0) (SSData) */
    double curve_strain[VXE_CURVE_POINTS]; /* increasing; E is the slope to the second point */
    double curve_stress[VXE_CURVE_POINTS]; /* Pa, increasing, nowhere steeper than at first */
    bool sticky;          /* two voxels of it stick where they touch, with self-collision
                             (Sticky) */
    double detach_stress; /* Pa: normal or shear stress at which sticky voxels let go; 0: never */
    double magnetization[3]; /* A/m, along the axes of the voxel, which rotate with it; its moment
                                is this times the volume of a lattice cell */
    double susceptibility;   /* chi, >= 0: fields magnetise the voxel too, if the design allows
                                induction, by chi times the field inside a sphere */
    bool sphere;     /* its voxels are spheres whose diameter is the edge: never bonded, with the
                        mass and inertia of a sphere */
    bool target;     /* its voxels are the targets of fitness and stop formulas (isTarget) */
    bool unmeasured; /* formulas leave its voxels out where they measure the body (isMeasured 0) */
} vxe_material;

/* A soft rubber: 1 MPa, 1000 kg/m^3, nu 0.3, friction 1 (static) and 0.5 (dynamic), xi 1, contact
 * damping ratio 0.8, no drag, no thermal expansion. */
VXE_API vxe_material vxe_material_default(void);

/* Returns VXE_ERROR_INPUT for a number out of its range. The error has a message only; the caller
 * adds the place. */
VXE_API vxe_status vxe_material_check(const vxe_material *material, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
