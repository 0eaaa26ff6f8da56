/* SPDX-License-Identifier: MIT */
/* Fitness from outside, of either kind. */
#include "evolution/external/external_internal.h"

#include <math.h>
#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"

struct vxe_external {
    vxe_program *program; /* one of the two */
    vxe_loaded *loaded;
};

vxe_status vxe_external_create(const vxe_experiment *experiment, uint32_t threads,
                               vxe_external **made, vxe_error *error)
{
    const vxe_task_settings *task = &experiment->task;
    *made = NULL;
    if (task->name != VXE_TASK_PROGRAM && task->name != VXE_TASK_LIBRARY) {
        return VXE_OK;
    }
    vxe_external *external = vxe_memory_take(1, sizeof *external);
    if (!external) {
        return vxe_error_memory(error, sizeof *external);
    }
    vxe_error inner = {.status = VXE_OK};
    if (task->name == VXE_TASK_PROGRAM) {
        external->program = vxe_program_create(task, threads, &inner);
    } else {
        external->loaded = vxe_loaded_create(task, &inner);
    }
    if (inner.status) {
        if (error) {
            *error = inner;
        }
        vxe_external_destroy(external);
        return inner.status;
    }
    *made = external;
    return VXE_OK;
}

void vxe_external_destroy(vxe_external *external)
{
    if (external) {
        vxe_program_destroy(external->program);
        vxe_loaded_destroy(external->loaded);
        vxe_memory_release(external);
    }
}

vxe_outcome vxe_external_outcome(double fitness)
{
    const bool has_fitness = isfinite(fitness);
    return (vxe_outcome){.verdict = has_fitness ? VXE_VERDICT_DONE : VXE_VERDICT_UNDEFINED,
                         .fitness = has_fitness ? fitness : (double)NAN};
}

vxe_status vxe_external_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                            uint32_t count, vxe_outcome *outcomes, bool *stopped,
                            vxe_effort *effort, vxe_error *error)
{
    const vxe_external *external = runner->external;
    *stopped = false;
    if (!external) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the task \"told\" has no fitness of its own: bodies are asked for, "
                              "and their fitness is told, by vxe_search_tell or Search in Python");
    }
    const vxe_status status = external->program
                                  ? vxe_program_run(external->program, runner, individuals, count,
                                                    outcomes, stopped, error)
                                  : vxe_loaded_run(external->loaded, runner, individuals, count,
                                                   outcomes, stopped, error);
    effort->runs += status ? 0 : count;
    return status;
}
