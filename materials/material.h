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

/* Most points of a measured curve, the origin included. */
#define VXE_CURVE_POINTS 32

/* The constitutive law (MatModel): linear; linear until it breaks; elastic-plastic with two moduli;
 * a measured curve. How they act: materials/yield_law.h. */
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
    double poissons_ratio;   /* -1 < nu <= 0.5; acts on torsion, on shear where asked, and on all
                                strains where the design asks for volume effects (Poissons_Ratio) */
    double static_friction;  /* coefficient, >= 0 (uStatic) */
    double dynamic_friction; /* coefficient, >= 0 (uDynamic) */
    double bond_damping; /* xi in c = xi sqrt(m k), >= 0; 1 is 0.707 of a pair's critical damping
                            (BondDampingZ) */
    double collision_damping; /* ratio, >= 0, for the floor's and contacts' normal dashpot
                                 (ColDampingZ) */
    double global_damping;    /* ratio, >= 0, drag to the ground (SlowDampingZ) */
    double
        thermal_expansion; /* 1/K, relative change of the edge; negative: antiphase muscle (CTE) */
    double phase;          /* rad, added to the temperature's phase (MaterialTempPhase) */
    vxe_material_model model; /* (MatModel) */
    double plastic_modulus; /* Pa: slope behind the yield stress, of bilinear ones (Plastic_Mod) */
    double yield_stress;    /* Pa, of bilinear ones (Yield_Stress) */
    double fail_stress;     /* Pa in tension, of all but linear ones; 0: none (Fail_Stress) */
    double fail_strain;     /* likewise (Fail_Strain) */
    uint32_t curve_count;   /* points of a measured curve; the first is (0, 0) (SSData) */
    double curve_strain[VXE_CURVE_POINTS]; /* increasing; E is the slope to the second point */
    double curve_stress[VXE_CURVE_POINTS]; /* Pa, increasing, nowhere steeper than at first */
    bool sticky;          /* where two voxels of it touch they stick, if voxels collide (Sticky) */
    double detach_stress; /* Pa: pulled or sheared harder, they let go; 0: never */
    double magnetization[3]; /* A/m, along the voxel's own axes, which turn with it: its moment is
                                that times the lattice's cell */
    double susceptibility;   /* chi, >= 0: fields magnetise it as well, where the design lets them
                                induce; by chi times the field inside, the voxel taken as a sphere */
    bool sphere;     /* its voxels are spheres as wide as their edges: never bonded, with a sphere's
                        mass and inertia */
    bool target;     /* what formulas of fitness and stop call one (isTarget) */
    bool unmeasured; /* does not count where they measure the body (isMeasured 0) */
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
