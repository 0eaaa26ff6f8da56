/* SPDX-License-Identifier: MIT */
/* What changes in a simulation, and nothing else: exactly what a checkpoint would hold. Structure
   of arrays, one slot per voxel in scan order, from one field table that drives allocation, copy
   and hash. */
#ifndef VXE_ENGINE_STATE_INTERNAL_H
#define VXE_ENGINE_STATE_INTERNAL_H

#include <stdint.h>

#include "common/status.h"

/* F(name, components, unit): each component is an array of S doubles. */
#define VXE_STATE_FIELDS(F)                                                                        \
    F(x, 3, "m about the body's origin")                                                           \
    F(q, 4, "quaternion w x y z, body to world")                                                   \
    F(v, 3, "m/s, world axes, half a step behind x")                                               \
    F(w, 3, "rad/s, world axes")                                                                   \
    F(stuck, 1, "1 while static friction holds")

typedef struct vxe_state {
    uint32_t slots; /* S: voxels and padding */
#define VXE_STATE_MEMBER(name, components, unit) double *name[components]; /* (components, S) */
    VXE_STATE_FIELDS(VXE_STATE_MEMBER)
#undef VXE_STATE_MEMBER
    uint64_t step;      /* steps done */
    uint64_t base_step; /* the step at which time_step was set, and its time: time = base_time +
                           (step - base_step) time_step */
    double base_time;   /* s */
    double time_step;   /* s */
    double *block;      /* the memory of all fields */
} vxe_state;

/* All voxels at zero with unit orientation. */
vxe_status vxe_state_init(vxe_state *state, uint32_t slots, vxe_error *error);
void vxe_state_clear(vxe_state *state);

/* Copies everything; both must have the same number of slots. */
void vxe_state_copy(vxe_state *to, const vxe_state *from);

double vxe_state_time(const vxe_state *state);

/* Time (s) at which a step begins. */
double vxe_state_time_at(const vxe_state *state, uint64_t step);

/* Hash over the voxels in the order given (slot of each), fields in table order, then the step
 * count. */
uint64_t vxe_state_hash(const vxe_state *state, const uint32_t *order, uint32_t voxels);

#endif
