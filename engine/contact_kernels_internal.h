/* SPDX-License-Identifier: MIT */
/* Contacts between voxels, for a body of either schedule: pairs near each other are few and lie
   anywhere, so they are computed one by one, with the same bits in both. */
#ifndef VXE_ENGINE_CONTACT_KERNELS_INTERNAL_H
#define VXE_ENGINE_CONTACT_KERNELS_INTERNAL_H

#include <stddef.h>

#include "engine/kernels_internal.h"

/* Most voxels near one: those of uncrushed bodies are fewer than 16. */
#define VXE_MOST_NEAR 64u

/* The voxels of a body that can collide: those with a free face, or with one once a bond breaks. */
typedef struct vxe_surface {
    uint32_t count; /* N; 0 where nothing collides */
    bool spheres;   /* the peer's law */
    bool breaks;    /* bonds may break, and open faces */
    uint32_t *slot; /* (N) ascending */
    int32_t *cell;  /* (N, 3) of the lattice */
    uint8_t *faces; /* (N) free ones at rest: +x -x +y -y +z -z, a bit each */
} vxe_surface;

/* How far a body has moved: the largest square of a displacement (m), of the change of a quaternion
   (length), and of an edge (m). */
typedef struct vxe_stray {
    double moved, turned, swollen;
} vxe_stray;

/* Where the numbers of a body's voxels are: a field's at place * stride, its loads at place *
 * load_stride. */
typedef struct vxe_body_view {
    vxe_reals *x[3];
    vxe_reals *x_low[3]; /* with mixed precision */
    vxe_reals *q[4];
    vxe_reals *v[3];
    vxe_reals *w[3];
    vxe_reals *swell;
    vxe_reals *load[6];    /* N and N m of contacts */
    uint8_t *loaded;       /* 1 where a voxel of places [n << shift, (n + 1) << shift) has a load */
    const uint32_t *place; /* by slot; null: the slot itself */
    size_t stride;
    size_t load_stride;
    uint32_t shift;
} vxe_body_view;

/* Voxels that are looked at together. */
#define VXE_NEAR_BATCH 16u

/* A surface as it stood at some time, sorted into a grid, and the lists that were made then. */
typedef struct vxe_near {
    const vxe_surface *surface; /* N voxels */
    uint8_t *faces;             /* (N) free ones now */
    float skin;                 /* m */
    float reach;                /* m: no voxel farther away than that is near */
    float *x[3];                /* (3, N) m about the body's first voxel; sorted, as what follows */
    float *q[4];                /* (4, N) */
    float *size;                /* (N) m: edges */
    int32_t *cell[3];           /* (3, N) of the lattice */
    int32_t *open;              /* (N) 1 where a face is free now */
    int32_t *box[3];            /* (3, N) of a grid whose boxes are reach wide */
    float *low[3]; /* (3, batches) m: bounds of each VXE_NEAR_BATCH of them; where there
                      is no grid */
    float *high[3];
    uint32_t *sorted; /* (N) places in the surface's list */
    uint32_t *place;  /* (N) where a voxel of that list is sorted to */
    uint32_t side;    /* boxes along each side of the grid, a power of two; boxes beyond wind round
                         it. 1: there is no grid, and nothing is sorted */
    uint32_t *first_of; /* (side^3 + 1) first sorted voxel of a box */
    uint8_t *count;     /* (N) by place in the surface's list */
    uint32_t *list;     /* (N, VXE_MOST_NEAR) places there, ascending */
} vxe_near;

typedef struct vxe_near_kernels {
    /* Fills the bounds of batches, where there is no grid. */
    void (*bound)(const vxe_near *near);
    /* Makes the lists of voxels [first, last) of the surface. Returns the first one that has more
       others near it than its list can hold, or VXE_NONE. */
    uint32_t (*search)(const vxe_near *near, uint32_t first, uint32_t last);
} vxe_near_kernels;

typedef struct vxe_contact_job {
    const vxe_kernel_arrays *model; /* its arrays of the voxels' properties, by slot */
    const vxe_near *near;           /* its lists */
    const vxe_body_view *body;
    void *ends; /* (N, end_bytes) what each voxel brings into its pairs */
    double h;   /* s of the kick */
} vxe_contact_job;

typedef struct vxe_contact_kernels {
    uint32_t end_bytes;
    /* Fills the ends of voxels [first, last) of the surface that have others near; push needs those
     * of all. */
    void (*fill)(const vxe_contact_job *job, uint32_t first, uint32_t last);
    /* Writes the loads of voxels [first, last) of the surface that have others near, and sets
     * loaded. */
    void (*push)(const vxe_contact_job *job, uint32_t first, uint32_t last);
    /* How far slots [first, last) have moved from where they were: x, q, swell. */
    vxe_stray (*stray)(const vxe_kernel_arrays *arrays, vxe_reals *const were[8], uint32_t first,
                       uint32_t last);
    /* Adds the loads of slots [first, last) to what pulls at them. */
    void (*add)(vxe_reals *const load[6], const vxe_bond_target *sums, uint32_t first,
                uint32_t last);
} vxe_contact_kernels;

#endif
