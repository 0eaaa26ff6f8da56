/* SPDX-License-Identifier: MIT */
/* Result files of other simulators, and of ours in their place: evosoro's and its
   relatives' (softbotsOutput), and voxcraft's reports. */
#ifndef VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_H
#define VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number of a robot. */
typedef struct vxe_score_entry {
    const char *robot; /* its name in a report; "" where a file is of one */
    const char *tag;   /* such as NormFinalDist, fitness_score, currentCenterOfMass/x */
    double value;
} vxe_score_entry;

typedef struct vxe_scores {
    vxe_score_entry *entries; /* (count) in the order of the file */
    uint32_t count;
    struct vxe_arena *names; /* where they are */
} vxe_scores;

/* Null and error filled where the file can not be read, or is no result. Traces are left out. Files
   up to 64 MiB. Robots are called as their files, though XML forbid such a name. */
VXE_API vxe_scores *vxe_scores_read(const char *path, vxe_error *error);
VXE_API void vxe_scores_destroy(vxe_scores *scores);

/* The value of a robot's tag; fallback where it has none. */
VXE_API double vxe_scores_find(const vxe_scores *scores, const char *robot, const char *tag,
                               double fallback);

#ifdef __cplusplus
}
#endif

#endif
