/* SPDX-License-Identifier: MIT */
/* The start of Lanczos' iteration: noise that turns with the body. Each connected body is looked at
   from the side, of its eight turns about z and mirror images, from which it has the smallest hash;
   the noise of a voxel depends on its place as seen from there. So a design, its turns, its mirror
   images and its copies side by side have the same estimates but for rounding, and the same time
   step. */
#ifndef VXE_ENGINE_TIMESTEP_START_VECTOR_H
#define VXE_ENGINE_TIMESTEP_START_VECTOR_H

#include <stdint.h>

#include "common/status.h"
#include "lattice/topology_internal.h"

/* A turn about z by a multiple of a right angle, or a mirror image: x' = sign[0] x, y' = sign[1] y,
   of x and y swapped first where `swaps`. */
typedef struct vxe_side {
    int8_t sign[2];
    int8_t swaps;
    int8_t mirrors; /* -1 for mirror images, else 1: the sign of axial vectors */
} vxe_side;

typedef struct vxe_start_vector {
    uint64_t *key;  /* (V) by place: hash of the voxel's place in its body, seen from its side */
    vxe_side *side; /* (bodies) */
    const uint32_t *body;
} vxe_start_vector;

/* Fails without memory only. */
vxe_status vxe_start_vector_init(vxe_start_vector *start, const vxe_topology *topology,
                                 const vxe_design *design, vxe_error *error);

void vxe_start_vector_clear(vxe_start_vector *start);

/* Noise in [-1/2, 1/2) for the freedoms of the voxel at a place: velocity, then spin. */
void vxe_start_vector_at(const vxe_start_vector *start, uint32_t place, float noise[6]);

#endif
