/* SPDX-License-Identifier: MIT */
/* What a driver asks of a run in its files beside the design: of evosoro and its relatives,
   where the result goes, and how distances are scored; of voxcraft, what is recorded. */
#ifndef VXE_LATTICE_FORMATS_TASK_H
#define VXE_LATTICE_FORMATS_TASK_H

#include <stdbool.h>
#include <stdint.h>

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
    uint32_t block;        /* BlockMaterial of BlockPushing, from 1; 0: none */
    bool freezes;          /* MidLifeFreezeTime */
    char *raw_print;       /* RawPrint: for the history; null: none */
    double frame_interval; /* s (RecordStepSize, there in 0.1 ms); 0: nothing is recorded */
    bool records_voxels;   /* RecordVoxel */
    bool records_bonds;    /* RecordLink */
    bool places;           /* SavePositionOfAllVoxels */
    bool signals;          /* EnableSignals */
} vxe_task;

/* Reads a .vxa, or a .vxd over a base (null: path is no .vxd); what they do not say is 0, the
   exponent 1. Fails where a file can not be read, is no XML, or FitnessFileName is longer than
   result_file. Clear it with vxe_task_clear. */
VXE_API vxe_status vxe_task_read(vxe_task *task, const char *base, const char *path,
                                 vxe_error *error);
VXE_API void vxe_task_clear(vxe_task *task);

#ifdef __cplusplus
}
#endif

#endif
