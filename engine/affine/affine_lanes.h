/* SPDX-License-Identifier: MIT */
/* Independent bodies, that is those without contact, in the lanes of a register, each at its own
   step and time. The results are those of vxe_affine_group_advance, to the same bits. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_LANES_H
#define VXE_ENGINE_AFFINE_AFFINE_LANES_H

#include "engine/core/dispatch.h"
#include <stdint.h>

#include "engine/affine/affine_body.h"

/* Clock of a world: step i is at base_time + (i - base_step) step_time. */
typedef struct vxe_affine_clock {
    double base_time; /* s */
    double step_time; /* s */
    uint64_t base_step;
} vxe_affine_clock;

/* The run of one body from a step to another. */
typedef struct vxe_affine_way {
    const double *own;              /* (VXE_AFFINE_OWN_NUMBERS) */
    const vxe_expression *formulas; /* (VXE_AFFINE_FORMULAS) */
    vxe_affine_traits is;
    double *state; /* (VXE_AFFINE_STATE_NUMBERS) at step before the run, at until after it */
    vxe_affine_clock clock;
    uint64_t step;  /* current step; if the body failed, the end of the step that failed */
    uint64_t until; /* last step, above step */
    uint32_t body;  /* index of the body in its group */
    uint32_t owner; /* index of the group, for callers that run several groups */
    vxe_affine_fate fate;
    double time;    /* s: when it could not go on */
    uint64_t parts; /* parts of steps that it took */
} vxe_affine_way;

typedef struct vxe_affine_kernels {
    /* Advances bodies of the same traits from their steps to their ends. */
    void (*run)(vxe_affine_way *ways, uint32_t count);
} vxe_affine_kernels;

struct vxe_affine_group;

/* Whether nothing but their own formulas acts on the bodies of a group. */
bool vxe_affine_go_alone(const struct vxe_affine_group *group);

/* Fills the runs (group->count) of the bodies of a group from a step to another. */
void vxe_affine_set_out(const struct vxe_affine_group *group, vxe_affine_way *ways,
                        const vxe_affine_clock *clock, uint64_t step, uint64_t until);

/* Advances the independent bodies of a group. If one fails, VXE_ERROR_DIVERGED has the reason of
   the first failure, and all states stay as they were. */
vxe_status vxe_affine_advance_alone(const struct vxe_affine_group *group,
                                    const vxe_affine_clock *clock, uint64_t step, uint64_t until,
                                    vxe_error *error);

/* Runs bodies of any traits; the order of ways changes. */
void vxe_affine_run_ways(const vxe_affine_kernels *kernels, vxe_affine_way *ways, uint32_t count);

const vxe_affine_kernels *vxe_affine_kernels_of(const vxe_kernels *kernels);

#endif
