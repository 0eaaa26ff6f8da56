/* SPDX-License-Identifier: MIT */
/* A job of voxcraft's worker (.vxt): robots of a folder, over a base. */
#ifndef VXE_LATTICE_FORMATS_JOB_H
#define VXE_LATTICE_FORMATS_JOB_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_job {
    char *base;      /* vxa: a file, by the working directory or the folder */
    char *folder;    /* input_dir */
    char **overlays; /* (overlay_count) vxd: names of files in the folder */
    uint32_t overlay_count;
} vxe_job;

/* Fails where the file can not be read, is no XML, or names no base or no robot. Clear it with
 * vxe_job_clear. */
VXE_API vxe_status vxe_job_read(vxe_job *job, const char *path, vxe_error *error);
VXE_API void vxe_job_clear(vxe_job *job);

#ifdef __cplusplus
}
#endif

#endif
