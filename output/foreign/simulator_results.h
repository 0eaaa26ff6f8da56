/* SPDX-License-Identifier: MIT */
/* Reads result files of other simulators, and of the drop-in programs: fitness files of evosoro and
   related programs (softbotsOutput), and reports of voxcraft. */
#ifndef VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_H
#define VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One number of one robot. */
typedef struct vxe_score_entry {
    const char *robot; /* name in a report; "" where the file has one robot */
    const char *tag;   /* such as NormFinalDist, fitness_score, currentCenterOfMass/x */
    double value;
} vxe_score_entry;

typedef struct vxe_scores {
    vxe_score_entry *entries; /* (count) in the order of the file */
    uint32_t count;
    struct vxe_arena *names;         /* holds the texts of all entries */
    const vxe_score_entry **by_name; /* (count) the entries by robot, tag and place in the file */
} vxe_scores;

/* Reads a file (its size is bounded: lattice/formats/limits.h); traces are left out. A robot is
   named as its file is, even where XML forbids that name. Tags that hold words or lists are left
   out; nan and inf are kept, since simulators write them. Returns null, and fills error, where the
   file cannot be read, is not a result, or holds a number with something behind it, such as 1,000.
 */
VXE_API vxe_scores *vxe_scores_read(const char *path, vxe_error *error);
VXE_API void vxe_scores_destroy(vxe_scores *scores);

/* Returns the value of a robot's tag; `fallback` where it has none. */
VXE_API double vxe_scores_find(const vxe_scores *scores, const char *robot, const char *tag,
                               double fallback);

#ifdef __cplusplus
}
#endif

#endif
