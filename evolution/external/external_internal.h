/* SPDX-License-Identifier: MIT */
/* Fitness from outside: bodies are evaluated by a program or a shared object that the experiment
   names, instead of by runs of ours. */
#ifndef VXE_EVOLUTION_EXTERNAL_EXTERNAL_INTERNAL_H
#define VXE_EVOLUTION_EXTERNAL_EXTERNAL_INTERNAL_H

#include "evolution/experiment/evaluation_internal.h"

/* Starts a first worker, or loads the shared object, so that a wrong one is known at once. *made is
   null where the experiment needs none. */
vxe_status vxe_external_create(const vxe_experiment *experiment, uint32_t threads,
                               vxe_external **made, vxe_error *error);
void vxe_external_destroy(vxe_external *external);

/* As vxe_run_here. */
vxe_status vxe_external_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                            uint32_t count, vxe_outcome *outcomes, bool *stopped,
                            vxe_effort *effort, vxe_error *error);

/* The outcome of a fitness, which is finite or NaN. */
vxe_outcome vxe_external_outcome(double fitness);

/* Worker processes of a program. */
typedef struct vxe_program vxe_program;
vxe_program *vxe_program_create(const vxe_task_settings *task, uint32_t threads, vxe_error *error);
void vxe_program_destroy(vxe_program *program);
vxe_status vxe_program_run(vxe_program *program, const vxe_runner *runner,
                           const vxe_individual *const *individuals, uint32_t count,
                           vxe_outcome *outcomes, bool *stopped, vxe_error *error);

/* A shared object. */
typedef struct vxe_loaded vxe_loaded;
vxe_loaded *vxe_loaded_create(const vxe_task_settings *task, vxe_error *error);
void vxe_loaded_destroy(vxe_loaded *loaded);
vxe_status vxe_loaded_run(const vxe_loaded *loaded, const vxe_runner *runner,
                          const vxe_individual *const *individuals, uint32_t count,
                          vxe_outcome *outcomes, bool *stopped, vxe_error *error);

#endif
