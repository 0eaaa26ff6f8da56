/* SPDX-License-Identifier: MIT */
/* What an experiment says of a fitness from outside: whether its keys fit together, and where its
   paths begin. */
#define _XOPEN_SOURCE 700 /* for realpath */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/status_internal.h"
#include "evolution/experiment/experiment_internal.h"

/* Fails where a key is missing from its task, or is of another one. */
static vxe_status check_key(const char *key, bool given, const char *task, bool is_task,
                            const char *example, vxe_error *error)
{
    if (is_task && !given) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "task: \"%s\" needs a \"%s\", such as %s",
                              task, key, example);
    }
    return is_task || !given ? VXE_OK
                             : vxe_error_fill(error, VXE_ERROR_INPUT,
                                              "task: \"%s\" is for the task \"%s\"", key, task);
}

vxe_status vxe_external_task_check(const vxe_experiment *e, vxe_error *error)
{
    const vxe_task_settings *task = &e->task;
    const bool is_program = task->name == VXE_TASK_PROGRAM;
    const bool is_library = task->name == VXE_TASK_LIBRARY;
    vxe_status status = check_key("command", task->command[0], "program", is_program,
                                  "[\"python3\", \"fitness.py\"]", error);
    status = status ? status
                    : check_key("library", task->library[0], "library", is_library,
                                "\"fitness.so\"", error);
    if (!status && !is_program && task->time_limit > 0) {
        status = check_key("time_limit_s", true, "program", false, "", error);
    }
    if (!status && !is_program && !is_library && task->folder[0]) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "task: \"folder\" is for the tasks \"program\" and \"library\"");
    }
    if (!status && vxe_task_is_external(task) && (e->audit || e->evaluation.copies > 1)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "experiment: \"%s\" is about runs of this program, which a fitness "
                                "from outside has none of",
                                e->audit ? "audit" : "evaluation");
    }
    return status;
}

vxe_status vxe_external_task_place(vxe_task_settings *task, const char *file, vxe_error *error)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    const bool absolute = task->folder[0] == '/';
    char path[VXE_PATH_BYTES + PATH_MAX];
    char found[PATH_MAX];
    if (task->name != VXE_TASK_PROGRAM && task->name != VXE_TASK_LIBRARY) {
        return VXE_OK;
    }
    if (absolute) { /* it may be on another machine */
        return VXE_OK;
    }
    snprintf(path, sizeof path, "%.*s%s%s", slash ? (int)(slash + 1 - file) : 2,
             slash ? file : "./", task->folder, task->folder[0] ? "" : ".");
    if (!realpath(path, found)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "task: there is no folder %.600s", path);
    }
    if (strlen(found) >= sizeof task->folder) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "task: the folder's path is longer than %zu bytes",
                              sizeof task->folder - 1);
    }
    snprintf(task->folder, sizeof task->folder, "%s", found);
    return VXE_OK;
}
