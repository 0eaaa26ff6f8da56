/* SPDX-License-Identifier: MIT */
/* The interface of voxels/: what a pass may do to voxels, and the table through which solvers
   reach the kernels. The laws are in the *_law.h files. */
#ifndef VXE_ENGINE_VOXELS_VOXELS_H
#define VXE_ENGINE_VOXELS_VOXELS_H

#include "engine/bonds/bonds.h"

/* rad: largest turn of a voxel in a step for which the series of rotation_law.h are right. */
#define VXE_MAX_TURN 3.0

/* What a kick has found and done. */
enum {
    VXE_KICKED_TOUCHING = 1, /* a voxel may touch the floor or is stuck to it */
    VXE_KICKED_HALVED = 2
};

/* What a pass does to its voxels. Before their bonds velocities are kept; after them come
   prescribed motion (drive), decay, halving, what the floor holds comes to rest (hold), the floor
   behind damping iterations, friction, bends of the floor, drift and resizing. VXE_STAGE_VOXELYZE
   is the whole step of the Voxelyze family. */
enum {
    VXE_STAGE_DRIVE = 1,
    VXE_STAGE_DECAY = 2,
    VXE_STAGE_FRICTION = 4,
    VXE_STAGE_DRIFT = 8,
    VXE_STAGE_RESIZE = 16,
    VXE_STAGE_KEEP = 32,
    VXE_STAGE_HALVE = 64,
    VXE_STAGE_VOXELYZE = 128,
    VXE_STAGE_FLOOR = 256,
    VXE_STAGE_BEND = 512,
    VXE_STAGE_HOLD = 1024
};

typedef struct vxe_voxel_kernels {
    /* Changes v and w of slots [first, last) over h seconds by the lower and upper force
       accumulators, which are cleared. dither: vxe_dither_phase of the step, for changes that may
       be below an ulp at every step. Returns a bit for each of VXE_KICKED_TOUCHING and
       VXE_KICKED_HALVED. */
    uint32_t (*kick)(const vxe_kernel_arrays *arrays, const vxe_bond_target *sums, uint32_t first,
                     uint32_t last, double h, uint32_t flags, double dither);
    /* Stores v and w as the kept velocities. */
    void (*keep)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Sets v and w to the mean of the kept velocities and themselves, and keeps what they were. */
    void (*halve)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Exact decay of v and w by global drag, over half a step. */
    void (*decay)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double dither);
    /* What the floor's mean force over the step, h, is more than what the kick took of it. */
    void (*floor)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double h);
    /* Voxels that the floor holds are at rest in damping iterations (floor/friction_law.h). */
    void (*hold)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Coulomb friction of the floor, as the impulse of the step. iterated: some of it has acted in
       the kick, as before damping iterations. */
    void (*friction)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, bool iterated);
    /* What a floor that is not level takes where it bends on the way of a step. */
    void (*bend)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double step);
    void (*drift)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double h,
                  double dither);
    /* Poisson tensions from the strains of the other axes. */
    void (*poisson_coupling)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Sets the edge growth for a time, whose numbers (VXE_CLOCK_) and factors by group are
       given. Returns the largest growth of an edge, m. */
    double (*resize)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last,
                     const double *clock, const double *factors);
} vxe_voxel_kernels;

const vxe_voxel_kernels *vxe_voxel_kernels_of(const vxe_kernels *kernels);

#endif
