/* SPDX-License-Identifier: MIT */
/* What a voxel is made of. SI units; the field's file tags are named where a value comes from one.
 */
#ifndef VXE_MATERIALS_MATERIAL_H
#define VXE_MATERIALS_MATERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The constitutive law that a file asks for (MatModel). Only the linear law acts so far; the others
 * are kept and reported. */
typedef enum vxe_material_model {
    VXE_MATERIAL_LINEAR = 0,
    VXE_MATERIAL_LINEAR_FAILING = 1,
    VXE_MATERIAL_BILINEAR = 2,
    VXE_MATERIAL_MEASURED = 3
} vxe_material_model;

/* Pa: moduli above are refused. Far beyond any matter, and such that no product overflows. */
#define VXE_STIFFEST 1e15
/* kg/m^3: likewise. */
#define VXE_DENSEST 1e15

typedef struct vxe_material {
    uint32_t cookie;         /* set by vxe_material_default, checked by every user */
    char name[64];           /* free text */
    float color[4];          /* red, green, blue, alpha, 0..1; for display */
    double youngs_modulus;   /* Pa, >= 0; 0: no stiffness (Elastic_Mod) */
    double density;          /* kg/m^3, > 0 (Density) */
    double poissons_ratio;   /* -1 < nu < 0.5; acts on torsion, and on shear where asked
                                (Poissons_Ratio) */
    double static_friction;  /* coefficient, >= 0 (uStatic) */
    double dynamic_friction; /* coefficient, >= 0 (uDynamic) */
    double
        bond_damping; /* xi of physics source 001, >= 0; 1: the text's "critical" (BondDampingZ) */
    double collision_damping; /* ratio, >= 0, for the floor's and contacts' normal dashpot
                                 (ColDampingZ) */
    double global_damping;    /* ratio, >= 0, drag to the ground (SlowDampingZ) */
    double
        thermal_expansion; /* 1/K, relative change of the edge; negative: antiphase muscle (CTE) */
    double phase;          /* rad, added to the temperature's phase (MaterialTempPhase) */
    vxe_material_model
        model; /* kept from the file: acts with a later release unless linear (MatModel) */
    double plastic_modulus; /* Pa (Plastic_Mod), kept */
    double yield_stress;    /* Pa (Yield_Stress), kept */
    double fail_stress;     /* Pa (Fail_Stress), kept; 0: none */
    double fail_strain;     /* (Fail_Strain), kept; 0: none */
} vxe_material;

/* A soft rubber: 1 MPa, 1000 kg/m^3, nu 0.3, friction 1/0.5, xi 1, contact ratio 0.8, no drag, no
 * expansion. */
VXE_API vxe_material vxe_material_default(void);

/* Fills error (message only; the caller adds the place) and returns VXE_ERROR_INPUT for a number
 * that can not be. */
VXE_API vxe_status vxe_material_check(const vxe_material *material, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
