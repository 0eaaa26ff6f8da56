/* SPDX-License-Identifier: MIT */
/* Bodies for tests of statics, and a direct solution with the textbook's stiffness matrix of a beam
   (Przemieniecki1968, 5.6), assembled and factorised here, apart from the engine. */
#ifndef VXE_TESTS_STATIC_BODIES_H
#define VXE_TESTS_STATIC_BODIES_H

#include "engine/statics.h"
#include "support.h"

/* Of the standard material: Pa, m^4 and 1. */
#define MODULUS 1e6
#define SECOND_MOMENT (EDGE * EDGE * EDGE * EDGE / 12)
#define RATIO 0.3

/* Settles a world, which must succeed. */
vxe_settled settle_world(vxe_world *world, bool linear);

/* A bar of n voxels along axis, first voxel fixed; force and moment on the last. */
vxe_design *bar_design(const vxe_material *m, int n, int axis, const double force[3],
                       const double moment[3]);

/* The same of the standard material. */
vxe_design *clamped_bar(int n, int axis, const double force[3], const double moment[3]);

/* A body of voxels of two materials, one five times as stiff, that grows at random from its foot,
   which is fixed. */
vxe_design *irregular_body(uint32_t voxels, uint64_t seed);

/* A portal: two columns of h voxels and a beam over w, loaded in its middle and pushed aside. */
vxe_design *portal_frame(int w, int h, double load);

/* The direct solution of a design whose voxels all have the mass MASS. */
typedef struct direct {
    const vxe_design *design;
    size_t n;
    double *matrix; /* (6 n, 6 n) */
    uint8_t *fixed; /* (n) a bit for each freedom */
} direct;

direct direct_of(const vxe_design *design);
bool direct_is_fixed(const direct *d, size_t freedom);

/* Solves for displacements and rotations under the loads (6 n), which x holds at first. The matrix
   is overwritten. */
void direct_solve(direct *d, double *x);
void direct_release(direct *d);

#endif
