/* SPDX-License-Identifier: MIT */
/* What searches have found: curves over seeds with their uncertainty, the line of a champion, and
   whether one set of searches is better than another. */
#ifndef VXE_EVOLUTION_ANALYSIS_H
#define VXE_EVOLUTION_ANALYSIS_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tables of some searches of one experiment, whose seeds differ. */
typedef struct vxe_analysis vxe_analysis;

/* Reads generations.csv and individuals.csv of folders. Null and error filled on failure: a table
   is damaged, or holds no generation. */
VXE_API vxe_analysis *vxe_analysis_open(const char *const *folders, uint32_t count,
                                        vxe_error *error);
VXE_API void vxe_analysis_close(vxe_analysis *analysis);

VXE_API uint32_t vxe_analysis_runs(const vxe_analysis *analysis);

/* That all searches have done. */
VXE_API uint32_t vxe_analysis_generations(const vxe_analysis *analysis);

typedef enum vxe_curve {
    VXE_CURVE_BEST,   /* fitness so far */
    VXE_CURVE_MEDIAN, /* fitness of those that live on */
    VXE_CURVE_CELLS,  /* of the archive that are filled */
    VXE_CURVE_FAILED, /* of the generation's individuals */
    VXE_CURVES
} vxe_curve;

/* Median over the searches, and the 95 % of its bootstrap distribution (2000 resamples, the same
   each time); NaN where a search has no value. */
typedef struct vxe_band {
    double median, low, high;
} vxe_band;

VXE_API vxe_band vxe_analysis_band(const vxe_analysis *analysis, vxe_curve curve,
                                   uint32_t generation);

/* Of one search, in one generation. */
VXE_API double vxe_analysis_value(const vxe_analysis *analysis, vxe_curve curve, uint32_t run,
                                  uint32_t generation);

/* An individual as its row tells. */
typedef struct vxe_ancestor {
    uint64_t id;
    uint64_t parent; /* 0: none */
    uint32_t generation;
    double fitness; /* NaN: none */
    uint32_t voxels;
} vxe_ancestor;

/* The line of a search's champion, from its first ancestor; *count of them, owned by the analysis.
   Null where there is no champion. */
VXE_API const vxe_ancestor *vxe_analysis_lineage(const vxe_analysis *analysis, uint32_t run,
                                                 uint32_t *count);

/* Two-sided test of Mann and Whitney (MannWhitney1947): exact without ties and up to
   400 pairs, else by the normal distribution with corrections for ties and continuity. */
typedef struct vxe_comparison {
    double u;      /* pairs in which the first set's is larger, ties by half */
    double effect; /* u over all pairs: A of VarghaDelaney2000, 0.5 where the sets are alike */
    double p;
} vxe_comparison;

VXE_API vxe_comparison vxe_compare(const double *first, uint32_t first_count, const double *second,
                                   uint32_t second_count);

#ifdef __cplusplus
}
#endif

#endif
