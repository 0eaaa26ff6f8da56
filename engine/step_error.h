/* SPDX-License-Identifier: MIT */
/* How far a run's time step is from short enough, told by the run itself. A shadow is a second
   world of the same design with half of the step. Some periods of the actuation, an eighth of a
   long run and a quarter of a short one, are run again by the shadow, each from the state that the
   run had; how differently the centre of mass moves in them gives the error of the step
   (Richardson1911). It shows what the step does to the gait that the robot has. It cannot show that
   with a shorter step the robot would have found another gait: engine/ensemble.h and shorter runs
   do. Bodies that nothing drives, and runs of fewer than eight periods, have no gait to be judged
   by. */
#ifndef VXE_ENGINE_STEP_ERROR_H
#define VXE_ENGINE_STEP_ERROR_H

#include "engine/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_step_shadow vxe_step_shadow;

/* A shadow of a world, `run`, that is about to run from its start to limits; design and def are
   those that it was made of. finer: steps of the shadow in one of the run, 2 as a rule, at most 64;
   with 1 the shadow does what the run does, to the bit. The design may be destroyed afterwards.
   Null and error filled on failure; VXE_ERROR_UNSUPPORTED where no period can be run again: fewer
   than eight of them, an end that is not known, affine bodies, steps that a published simulator
   prescribes. */
VXE_API vxe_step_shadow *vxe_step_shadow_create(const vxe_world *run, const vxe_design *design,
                                                const vxe_world_def *def,
                                                const vxe_run_limits *limits, uint32_t finer,
                                                vxe_error *error);
VXE_API void vxe_step_shadow_destroy(vxe_step_shadow *shadow);

/* The step of the run at which a period begins or ends next; UINT64_MAX: none. The run must stop
   there. */
VXE_API uint64_t vxe_step_shadow_next(const vxe_step_shadow *shadow);

/* Follows the run, which has advanced to that step or less far: takes over its state where a period
   begins, and catches up within one. A period in which the shadow fails counts for nothing. */
VXE_API void vxe_step_shadow_follow(vxe_step_shadow *shadow, const vxe_world *run);

/* What the periods that have ended say. */
typedef struct vxe_step_error {
    uint32_t periods; /* run again */
    double way;  /* m: mean distance by which the run's centre of mass moves in one, horizontal */
    double part; /* size of the mean difference to a step that is short enough, along the motion and
                    across it, as a part of way */
    double deviation; /* its standard error; infinite for one period */
} vxe_step_error;

VXE_API vxe_step_error vxe_step_shadow_describe(const vxe_step_shadow *shadow);

#ifdef __cplusplus
}
#endif

#endif
