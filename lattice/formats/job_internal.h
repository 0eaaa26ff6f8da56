/* SPDX-License-Identifier: MIT */
#ifndef VXE_LATTICE_FORMATS_JOB_INTERNAL_H
#define VXE_LATTICE_FORMATS_JOB_INTERNAL_H

#include "lattice/formats/job.h"
#include "lattice/formats/text_internal.h"

/* As vxe_job_read, of a text in memory, behind which a zero stands. */
vxe_status vxe_job_scan(vxe_job *job, const vxe_text *source, vxe_error *error);

#endif
