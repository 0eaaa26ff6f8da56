/* SPDX-License-Identifier: MIT */
/* Bodies that touch nothing and nobody, side by side: each in a lane of a register, each at its own
   step and time. What is computed of one is what vxe_affine_group_advance does of it alone, to the
   same bits. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_LANES_H
#define VXE_ENGINE_AFFINE_AFFINE_LANES_H

#include "engine/core/dispatch.h"
#include <stdint.h>

#include "engine/affine/affine_body.h"

/* Step i is at base_time + (i - base_step) step_time. */
typedef struct vxe_affine_clock {
    double base_time; /* s */
    double step_time; /* s */
    uint64_t base_step;
} vxe_affine_clock;

/* One body's way from a step to another. */
typedef struct vxe_affine_way {
    const double *own;              /* (VXE_AFFINE_OWN_NUMBERS) */
    const vxe_expression *formulas; /* (VXE_AFFINE_FORMULAS) */
    vxe_affine_traits is;
    double *state; /* (VXE_AFFINE_STATE_NUMBERS) as it stands at step; at until, behind */
    vxe_affine_clock clock;
    uint64_t step;  /* where it stands, or the end of the step that it could not make */
    uint64_t until; /* above step */
    uint32_t body;  /* of its group, */
    uint32_t owner; /* which may be one of many */
    vxe_affine_fate fate;
    double time;    /* s: where it could not go on */
    uint64_t parts; /* of steps that it took */
} vxe_affine_way;

typedef struct vxe_affine_kernels {
    /* Ways of bodies of the same traits, from their steps to their ends. */
    void (*run)(vxe_affine_way *ways, uint32_t count);
} vxe_affine_kernels;

struct vxe_affine_group;

/* Whether the bodies of a group feel nothing but what their own formulas say. */
bool vxe_affine_go_alone(const struct vxe_affine_group *group);

/* The ways (group->count) of the bodies of a group from a step to another. */
void vxe_affine_set_out(const struct vxe_affine_group *group, vxe_affine_way *ways,
                        const vxe_affine_clock *clock, uint64_t step, uint64_t until);

/* Advances the bodies of a group, which go alone; VXE_ERROR_DIVERGED says why one could not, and
   leaves them where they were. */
vxe_status vxe_affine_advance_alone(const struct vxe_affine_group *group,
                                    const vxe_affine_clock *clock, uint64_t step, uint64_t until,
                                    vxe_error *error);

/* Ways of any bodies, whose order changes. */
void vxe_affine_run_ways(const vxe_affine_kernels *kernels, vxe_affine_way *ways, uint32_t count);

const vxe_affine_kernels *vxe_affine_kernels_of(const vxe_kernels *kernels);

#endif
