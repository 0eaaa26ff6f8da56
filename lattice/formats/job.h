/* SPDX-License-Identifier: MIT */
/* A job of voxcraft's worker (.vxt): a base, and robots in a folder that are overlays of it. */
#ifndef VXE_LATTICE_FORMATS_JOB_H
#define VXE_LATTICE_FORMATS_JOB_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_job {
    char *base;      /* vxa: a path, relative to the working directory or to the folder */
    char *folder;    /* input_dir */
    char **overlays; /* (overlay_count) vxd: names of files in the folder */
    uint32_t overlay_count;
} vxe_job;

/* Reads a job; release it with vxe_job_clear. Fails if the file cannot be read, is no XML, or names
 * no base or no robot. */
VXE_API vxe_status vxe_job_read(vxe_job *job, const char *path, vxe_error *error);
VXE_API void vxe_job_clear(vxe_job *job);

#ifdef __cplusplus
}
#endif

#endif
