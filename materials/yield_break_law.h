/* SPDX-License-Identifier: MIT */
/* Yielding and breaking of the axial spring of a bond. The spring acts on the strain minus a
   permanent strain. Beyond the yield stress, stress follows the curve of the material while the
   strain grows, and the first slope, E, while it shrinks. This is return mapping with isotropic
   hardening (SimoHughes1998): a bond that has yielded in tension yields later in compression, too.
   A bond of two materials is two halves in series, each with the plastic strain of its own curve at
   their common stress. */
#ifndef VXE_MATERIALS_YIELD_BREAK_LAW_H
#define VXE_MATERIALS_YIELD_BREAK_LAW_H

#include "materials/material.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum of points of a bond: those of both materials' curves. */
#define VXE_YIELD_POINTS (2 * VXE_CURVE_POINTS)

/* Yield stress as a function of the accumulated plastic strain, linear between points and beyond
 * the last one. */
typedef struct vxe_yield_law {
    double modulus;                          /* Pa, of the bond */
    uint64_t count;                          /* points; 0: the bond never yields */
    double plastic_strain[VXE_YIELD_POINTS]; /* from 0 on, not decreasing */
    double stress[VXE_YIELD_POINTS];         /* Pa, not decreasing */
    double hardening;                        /* Pa: slope beyond the last point */
    double fail_stress;  /* Pa in tension that breaks the bond; infinite if none */
    double fail_strain;  /* in tension; infinite if none */
    double tension_only; /* 1: the bond yields in tension only, as in the Voxelyze family; else 0 */
} vxe_yield_law;

/* History of a bond. */
typedef struct vxe_yield_state {
    double permanent_strain; /* signed */
    double plastic_strain;   /* accumulated: tension and compression both add */
    bool broken;
} vxe_yield_state;

/* Whether a material can yield or break. */
VXE_API bool vxe_material_yields(const vxe_material *material);

/* Yield law of a bond between voxels of two materials, each with its modulus (Pa). */
VXE_API vxe_yield_law vxe_yield_law_of(const vxe_material *first, double first_modulus,
                                       const vxe_material *second, double second_modulus,
                                       bool tension_only);

/* Moves a bond to a total strain (elongation divided by the lattice's edge). Returns whether its
 * history changed. */
VXE_API bool vxe_yield_update(const vxe_yield_law *law, double strain, vxe_yield_state *state);

/* The bond's history cannot change while |strain - permanent strain| is below this; infinite for a
 * broken bond. */
VXE_API double vxe_yield_range(const vxe_yield_law *law, const vxe_yield_state *state);

#ifdef __cplusplus
}
#endif

#endif
