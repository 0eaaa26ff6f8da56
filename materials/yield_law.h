/* SPDX-License-Identifier: MIT */
/* When the axial spring of a bond yields and breaks. A permanent strain is taken off the strain
   that the spring sees; stress follows the curve of the material while the strain grows, and the
   first slope, E, while it shrinks (return mapping with isotropic hardening: what has yielded in
   tension yields later in compression as well). Two materials are two halves in series: at a stress
   each half has yielded as its own curve says. */
#ifndef VXE_MATERIALS_YIELD_LAW_H
#define VXE_MATERIALS_YIELD_LAW_H

#include "materials/material.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points of two materials' curves together. */
#define VXE_YIELD_POINTS (2 * VXE_CURVE_POINTS)

/* Stress as a function of the plastic strain done so far, linear between points and beyond the
 * last.
 */
typedef struct vxe_yield_law {
    double modulus;                          /* Pa, of the bond */
    uint64_t count;                          /* points; 0: it never yields */
    double plastic_strain[VXE_YIELD_POINTS]; /* plastic strain, from 0, not decreasing */
    double stress[VXE_YIELD_POINTS];         /* Pa, not decreasing */
    double hardening;                        /* Pa: slope beyond the last point */
    double fail_stress;  /* Pa in tension that breaks the bond; infinite if none */
    double fail_strain;  /* likewise */
    double tension_only; /* 1: it yields in tension alone, as in Voxelyze
                            it; or 0 */
} vxe_yield_law;

/* What a bond remembers. */
typedef struct vxe_yield_state {
    double permanent_strain; /* permanent strain */
    double plastic_strain;   /* plastic strain done, both ways added up */
    bool broken;
} vxe_yield_state;

/* Whether a material can yield or break. */
VXE_API bool vxe_material_yields(const vxe_material *material);

/* The law of a bond between voxels of two materials with moduli (Pa) of their own. */
VXE_API vxe_yield_law vxe_yield_law_of(const vxe_material *first, double first_modulus,
                                       const vxe_material *second, double second_modulus,
                                       bool tension_only);

/* Takes a bond to a strain (elongation by the lattice's edge, permanent strain included). True
 * where that changed what it remembers. */
VXE_API bool vxe_yield_update(const vxe_yield_law *law, double strain, vxe_yield_state *state);

/* Strain less permanent strain, either way, below which nothing can happen to a bond; infinite if
 * it is broken. */
VXE_API double vxe_yield_range(const vxe_yield_law *law, const vxe_yield_state *state);

#ifdef __cplusplus
}
#endif

#endif
