/* SPDX-License-Identifier: MIT */
/* What a trace is of. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/run/run.h"

static int misused(const char *text)
{
    return command_misused("run",
                           "--trace-of '%s': expected bodies, voxels, or numbers of voxels from 0 "
                           "with commas between them: 0,5,17",
                           text);
}

/* Reads numbers of voxels. Returns 0 or an exit status. */
static int take_voxels(vxe_trace_def *traced, const char *text)
{
    uint32_t *voxels = calloc(strlen(text) + 1, sizeof *voxels);
    if (!voxels) {
        return command_starved();
    }
    traced->subject = VXE_TRACE_VOXELS;
    traced->voxels = voxels;
    traced->voxel_count = 0;
    for (const char *at = text;; at++) {
        char *end = NULL;
        const unsigned long long number = strtoull(at, &end, 10);
        if (at[0] < '0' || at[0] > '9' || number > UINT32_MAX || (end[0] && end[0] != ',')) {
            return misused(text);
        }
        voxels[traced->voxel_count++] = (uint32_t)number;
        at = end;
        if (!at[0]) {
            return 0;
        }
    }
}

int run_take_traced(vxe_trace_def *traced, const char *text)
{
    run_clear_traced(traced);
    if (strcmp(text, "bodies") == 0 || strcmp(text, "voxels") == 0) {
        traced->subject = text[0] == 'b' ? VXE_TRACE_BODIES : VXE_TRACE_VOXELS;
        return 0;
    }
    return text[0] >= '0' && text[0] <= '9' ? take_voxels(traced, text) : misused(text);
}

void run_clear_traced(vxe_trace_def *traced)
{
    free((uint32_t *)(uintptr_t)traced->voxels);
    *traced = (vxe_trace_def){.subject = VXE_TRACE_DESIGN};
}
