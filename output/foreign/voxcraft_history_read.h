/* SPDX-License-Identifier: MIT */
/* Reads back a history (.history, .hist) that voxcraft or this program wrote. */
#ifndef VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_READ_H
#define VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_READ_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A voxel in a frame, in the coordinates of the file; lengths in m. */
typedef struct vxe_recorded_voxel {
    double place[3];
    double orientation[4];  /* unit quaternion, w x y z */
    double low[3], high[3]; /* two opposite corners relative to `place`, in the voxel's own axes */
    uint32_t material;      /* counted from 1 */
    double signal;
} vxe_recorded_voxel;

typedef struct vxe_recorded_bond {
    double end[2][3]; /* m */
} vxe_recorded_bond;

typedef struct vxe_recorded_frame {
    uint64_t number;
    double time;                  /* s */
    uint64_t first_voxel, voxels; /* range in `voxels` of the history */
    uint64_t first_bond, bonds;
} vxe_recorded_frame;

typedef struct vxe_recorded_color {
    uint32_t material;
    float rgba[4];
} vxe_recorded_color;

typedef struct vxe_history_reader {
    double voxel_size;          /* m; 0 where the file does not state it */
    vxe_recorded_frame *frames; /* (frame_count) */
    uint64_t frame_count;
    vxe_recorded_voxel *voxels; /* (voxel_count) of all frames */
    uint64_t voxel_count;
    vxe_recorded_bond *bonds; /* (bond_count) of all frames */
    uint64_t bond_count;
    vxe_recorded_color *colors; /* (color_count) */
    uint32_t color_count;
    uint64_t left_out; /* voxels, bonds and settings that could not be read, and frames that were
                          cut short or whose number or time could not be read */
} vxe_history_reader;

/* Reads a history (its size is bounded: lattice/formats/limits.h). Lines that are neither settings
   nor frames are skipped, as voxcraft's viewer does. Returns null, and fills error, where the file
   cannot be read or holds no frame. */
VXE_API vxe_history_reader *vxe_history_reader_read(const char *path, vxe_error *error);
VXE_API void vxe_history_reader_destroy(vxe_history_reader *history);

#ifdef __cplusplus
}
#endif

#endif
