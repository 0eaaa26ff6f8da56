/* SPDX-License-Identifier: MIT */
/* The door of tuners without an engine behind it. Reading an experiment asks a tuner whether its
   robots can learn, which makes a world; that is no part of reading bytes, and a fuzzer would run
   worlds instead of readers. So here no robot can. */
#include <stddef.h>

#include "common/status_internal.h"
#include "evolution/tuning.h"

vxe_tuner_def vxe_tuner_def_default(void)
{
    return (vxe_tuner_def){.copies = 1};
}

vxe_tuner *vxe_tuner_create(const vxe_design *design, const vxe_tuner_def *def, vxe_error *error)
{
    (void)design;
    (void)def;
    vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "there is no engine here");
    return NULL;
}

void vxe_tuner_destroy(vxe_tuner *tuner)
{
    (void)tuner;
}
