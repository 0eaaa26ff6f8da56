/* SPDX-License-Identifier: MIT */
/* Jobs from memory, for fuzzing. */
#ifndef VXE_LATTICE_FORMATS_JOB_INTERNAL_H
#define VXE_LATTICE_FORMATS_JOB_INTERNAL_H

#include "lattice/formats/job.h"
#include "lattice/formats/text_internal.h"

/* As vxe_job_read, for a text in memory that ends with a zero byte. */
vxe_status vxe_job_scan(vxe_job *job, const vxe_text *source, vxe_error *error);

#endif
