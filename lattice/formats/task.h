/* SPDX-License-Identifier: MIT */
/* What a driver of evosoro or reconfigurable_organisms asks of a run in its VXA beside the design:
   where the result goes, and how distances are scored. */
#ifndef VXE_LATTICE_FORMATS_TASK_H
#define VXE_LATTICE_FORMATS_TASK_H

#include <stdbool.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_task {
    char result_file[1024]; /* FitnessFileName: by the working directory; "": none */
    double stop_value;      /* StopConditionValue */
    double afterlife;       /* s behind it (AfterlifeTime) */
    bool by_volume;         /* NormDistByVol: distance by volume to the power of exponent */
    double exponent;
    bool traces;           /* SaveTraces */
    double trace_interval; /* s (TimeBetweenTraces); 0: every step */
    bool needle;           /* NeedleInHaystack */
    bool falls;            /* FallingProhibited */
    bool freezes;          /* MidLifeFreezeTime */
} vxe_task;

/* Reads a .vxa; what it does not say is 0, the exponent 1. Fails where the file can not be read, is
 * no XML, or FitnessFileName is longer than result_file. */
VXE_API vxe_status vxe_task_read(vxe_task *task, const char *path, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
