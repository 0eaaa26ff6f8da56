/* SPDX-License-Identifier: MIT */
/* The sums over voxels and bonds that a look of the energy guard takes, as kernels; measure.c has
   the same energies one by one. Every sum is in double over VXE_VECTOR partial sums, so that it has
   the same bits in all instruction sets and on any number of threads. */
#ifndef VXE_ENGINE_GUARD_GUARD_KERNELS_H
#define VXE_ENGINE_GUARD_GUARD_KERNELS_H

#include "engine/bonds/bonds.h"

/* What the look before has kept, and how far edges have gone since. */
typedef struct vxe_guard_past {
    vxe_reals *tension[3]; /* (3, vectors, VXE_VECTOR) N; rewritten by the kernel */
    vxe_reals *growth;     /* (S) m: growth of edges */
    const double *way;     /* (S) m: path of an edge since; null where edges go one way */
    const double *reach;   /* (S) m: how far from its mean an edge goes on that path */
    double share;          /* J: a bond's share of what the body stored, and more */
} vxe_guard_past;

typedef struct vxe_guard_kernels {
    /* Adds twice the kinetic energy of slots [first, last) to twice: by the product of the kept
       velocities and the present ones, and by either. Prescribed freedoms have none.
     */
    void (*kinetic)(const vxe_kernel_arrays *arrays, vxe_reals *const kept[6], uint32_t first,
                    uint32_t last, double twice[3]);
    /* Adds the potential of weight and of constant loads, the energy of a level floor, and the most
       work of edges against that floor. */
    void (*places)(const vxe_kernel_arrays *arrays, const vxe_guard_past *past, bool level,
                   uint32_t first, uint32_t last, double sums[3]);
    /* Adds the energy of bonds of vectors [first, last) of an axis, and the most work of edges on
       them since the look before; keeps their tensions. */
    void (*bonds)(const vxe_kernel_arrays *arrays, int axis, bool bars, const vxe_guard_past *past,
                  uint32_t first, uint32_t last, double sums[2]);
} vxe_guard_kernels;

const vxe_guard_kernels *vxe_guard_kernels_of(const vxe_kernels *kernels);

#endif
