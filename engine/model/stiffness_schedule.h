/* SPDX-License-Identifier: MIT */
/* Stiffness that changes in time; see stiffness_schedule.c. */
#ifndef VXE_ENGINE_MODEL_STIFFNESS_SCHEDULE_H
#define VXE_ENGINE_MODEL_STIFFNESS_SCHEDULE_H

#include "common/status.h"
#include "engine/core/real_array.h"
#include "engine/model/time_table.h"

/* Number of voxel arrays that change: stiffness and dashpots of faces, drag and drag of spins. */
#define VXE_STIFFENING_ARRAYS 4

typedef struct vxe_stiffening {
    vxe_time_table course;                      /* progress from the first to the last stiffness,
                                                   by time */
    vxe_reals *rows[2];                         /* (2, as the model's rows) coefficients at the
                                                   first and at the last stiffness */
    vxe_reals *voxel[VXE_STIFFENING_ARRAYS][2]; /* (arrays, 2, S); null where a model has none */
} vxe_stiffening;

vxe_status vxe_stiffening_narrow(vxe_stiffening *s, uint64_t slots, uint64_t row_values,
                                 vxe_error *error);
void vxe_stiffening_release(vxe_stiffening *s);

#endif
