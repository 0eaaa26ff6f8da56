/* SPDX-License-Identifier: MIT */
/* Analysis of finished searches: curves over seeds with their uncertainty, the ancestors of a
   champion, and a rank test of two sets of searches. */
#ifndef VXE_EVOLUTION_ANALYSIS_H
#define VXE_EVOLUTION_ANALYSIS_H

#include <stdint.h>

#include "engine/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tables of several searches of one experiment with different seeds. */
typedef struct vxe_analysis vxe_analysis;

/* Reads generations.csv and individuals.csv of each folder. Returns null, and fills error, where a
   table is damaged or holds no generation. */
VXE_API vxe_analysis *vxe_analysis_open(const char *const *folders, uint32_t count,
                                        vxe_error *error);
VXE_API void vxe_analysis_close(vxe_analysis *analysis);

VXE_API uint32_t vxe_analysis_runs(const vxe_analysis *analysis);

/* Number of generations that all searches have completed. */
VXE_API uint32_t vxe_analysis_generations(const vxe_analysis *analysis);

/* The unit of the fitness, by the experiments in the folders; empty where they differ or one can
   not be read. */
VXE_API vxe_unit vxe_analysis_unit(const vxe_analysis *analysis);

typedef enum vxe_curve {
    VXE_CURVE_BEST,   /* best fitness so far */
    VXE_CURVE_MEDIAN, /* median fitness of the survivors */
    VXE_CURVE_CELLS,  /* filled cells of the archive */
    VXE_CURVE_FAILED, /* individuals of the generation without a fitness */
    VXE_CURVES
} vxe_curve;

/* Median over the searches, and the 95 % interval of its bootstrap distribution (2000 resamples,
   always the same ones). NaN where a search has no value. */
typedef struct vxe_band {
    double median, low, high;
} vxe_band;

VXE_API vxe_band vxe_analysis_band(const vxe_analysis *analysis, vxe_curve curve,
                                   uint32_t generation);

/* Value of one search in one generation. */
VXE_API double vxe_analysis_value(const vxe_analysis *analysis, vxe_curve curve, uint32_t run,
                                  uint32_t generation);

/* An individual, from its row in the table. */
typedef struct vxe_ancestor {
    uint64_t id;
    uint64_t parent; /* 0: no parent */
    uint32_t generation;
    double fitness; /* NaN: no fitness */
    uint32_t voxels;
} vxe_ancestor;

/* Ancestors of a search's champion, the first one first and the champion last. *count: how many.
   The array belongs to the analysis. Null where there is no champion. */
VXE_API const vxe_ancestor *vxe_analysis_lineage(const vxe_analysis *analysis, uint32_t run,
                                                 uint32_t *count);

/* Two-sided rank test of Mann and Whitney (MannWhitney1947): exact without ties and up to 400
   pairs, otherwise by the normal distribution, corrected for ties and continuity. */
typedef struct vxe_comparison {
    double u;      /* number of pairs in which the first set's value is larger; a tie counts one
                      half */
    double effect; /* u divided by the number of pairs: A of VarghaDelaney2000, 0.5 for equal
                      sets */
    double p;
} vxe_comparison;

VXE_API vxe_comparison vxe_compare(const double *first, uint32_t first_count, const double *second,
                                   uint32_t second_count);

#ifdef __cplusplus
}
#endif

#endif
