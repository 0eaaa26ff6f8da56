/* SPDX-License-Identifier: MIT */
/* A run that replays a session of the studio: see run.h. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

/* The instruction set whose bits are those of a browser: it has no fused multiply-add either. */
#define BASELINE "x86-64"

/* Chooses the instruction set of sessions, unless the user has chosen one or this build lacks it.
 */
static void choose_baseline(void)
{
#if defined(__x86_64__)
    const char *chosen = getenv("VOXELASTIC_ISA");
    if (chosen && *chosen) {
        return;
    }
    setenv("VOXELASTIC_ISA", BASELINE, 1);
    if (strcmp(vxe_instruction_set(VXE_PRECISION_MIXED), BASELINE) != 0) {
        unsetenv("VOXELASTIC_ISA");
    }
#endif
}

vxe_status run_open_session(run *r, vxe_error *error)
{
    r->session = vxe_session_read(r->options->session, error);
    r->design = r->session ? vxe_design_copy(vxe_session_design(r->session), error) : NULL;
    if (!r->design) {
        return error->status;
    }
    choose_baseline();
    const vxe_session_facts facts = vxe_session_describe(r->session);
    r->def.step_scale *= facts.step_scale;
    r->limits = (vxe_run_limits){.time = (double)INFINITY, .steps = facts.steps};
    return vxe_design_set_formula(r->design, VXE_FORMULA_STOP, NULL, error);
}

vxe_status run_check_session(const run *r, vxe_error *error)
{
    const vxe_session_facts facts = vxe_session_describe(r->session);
    const vxe_world_facts world = vxe_world_describe(r->world);
    const uint64_t hash = vxe_world_hash(r->world);
    if (!facts.has_hash || vxe_world_steps(r->world) < facts.steps) {
        return VXE_OK;
    }
    if (hash == facts.hash) {
        if (!r->options->quiet) {
            printf("session: %llu inputs, the same bits as in the browser (%016llx)\n",
                   (unsigned long long)facts.inputs, (unsigned long long)hash);
        }
        return VXE_OK;
    }
    *error = (vxe_error){.status = VXE_ERROR_INPUT};
    snprintf(error->message, sizeof error->message,
             "the last state has the hash %016llx, and %016llx in the session%s%.31s; this ran %s "
             "precision on %s%s",
             (unsigned long long)hash, (unsigned long long)facts.hash,
             *facts.release ? " of release " : "", facts.release, world.precision, world.isa,
             strcmp(world.isa, BASELINE) == 0 ? "" : ", whose bits are not those of a browser");
    return error->status;
}
