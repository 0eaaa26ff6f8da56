/* SPDX-License-Identifier: MIT */
/* What the files of other simulators ask of a run besides the design. For evosoro and its
   relatives: where the result goes, and how distances are scored. For voxcraft: what is recorded.
 */
#ifndef VXE_LATTICE_FORMATS_TASK_H
#define VXE_LATTICE_FORMATS_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_task {
    char result_file[1024]; /* FitnessFileName, relative to the working directory; "": none */
    double stop_value;      /* StopConditionValue */
    double afterlife;       /* s after that (AfterlifeTime) */
    bool by_volume;         /* NormDistByVol: distance divided by volume^exponent */
    double exponent;        /* NormalizationExponent */
    bool traces;            /* SaveTraces */
    double trace_interval;  /* s (TimeBetweenTraces); 0: every step */
    bool needle;            /* NeedleInHaystack */
    bool falls;             /* FallingProhibited */
    uint32_t block;         /* BlockMaterial of BlockPushing, from 1; 0: none */
    bool freezes;           /* MidLifeFreezeTime */
    char *raw_print;        /* RawPrint: text for the history; null: none */
    double frame_interval;  /* s (RecordStepSize, in files in 0.1 ms); 0: nothing is recorded */
    bool records_voxels;    /* RecordVoxel */
    bool records_bonds;     /* RecordLink */
    bool places;            /* SavePositionOfAllVoxels */
    bool signals;           /* EnableSignals */
} vxe_task;

/* Reads the task of a .vxa, or of a .vxd over a base (base is null for a .vxa); release it with
   vxe_task_clear. What the files do not say is 0, and the exponent 1. Fails if a file cannot be
   read or is no XML, or if FitnessFileName is longer than result_file. */
VXE_API vxe_status vxe_task_read(vxe_task *task, const char *base, const char *path,
                                 vxe_error *error);
VXE_API void vxe_task_clear(vxe_task *task);

#ifdef __cplusplus
}
#endif

#endif
