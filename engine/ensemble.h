/* SPDX-License-Identifier: MIT */
/* An ensemble: copies of one design that differ by less than anyone could measure, run side by
   side. Their spread is the error bar of a score: a displacement that tiny differences change is
   one draw from a distribution. Half of the copies start turned and shifted by a millionth of a
   voxel; the others take steps that differ by a thousandth, too. */
#ifndef VXE_ENGINE_ENSEMBLE_H
#define VXE_ENGINE_ENSEMBLE_H

#include "engine/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Choices of an ensemble. Take one from vxe_ensemble_def_default and change what you need. */
typedef struct vxe_ensemble_def {
    vxe_batch_def batch; /* of every copy; its samples are chosen by the ensemble */
    uint32_t copies;     /* at least 1, at most VXE_MAX_COPIES; the first is the design as it is */
    double start_spread; /* starts are shifted by up to so many edges along each axis, and turned by
                            up to as many rad */
    double step_spread;  /* factors on the step are up to so far from 1 */
    uint64_t seed;       /* of the differences */
} vxe_ensemble_def;

#define VXE_MAX_COPIES 1024u

/* 16 copies, starts by 1e-6, steps by 1e-3. */
VXE_API vxe_ensemble_def vxe_ensemble_def_default(void);

/* A number over the copies that got to their end. */
typedef struct vxe_spread {
    double mean;
    double deviation; /* standard deviation (of count - 1); 0 of a single copy */
    double min, max;
} vxe_spread;

/* What an ensemble says. */
typedef enum vxe_trust {
    VXE_TRUST_ROBUST = 0, /* none of the below */
    VXE_TRUST_STILL,      /* it moves by less than a twentieth of a voxel */
    VXE_TRUST_CURVED,     /* it goes more than twice as far along its path as it gets */
    VXE_TRUST_CHAOTIC,    /* copies whose starts differ end further apart than a hundredth of the
                               way, or than the hundredth of a voxel */
    VXE_TRUST_FAILED      /* a copy diverged, became unphysical or was refused */
} vxe_trust;

VXE_API const char *vxe_trust_name(vxe_trust verdict);

typedef struct vxe_ensemble_facts {
    uint32_t copies, done;   /* those that failed are not in any mean */
    vxe_spread displacement; /* edges: from the end of settling to the end, horizontal */
    vxe_spread way;          /* edges: along the path, taken once in a period of actuation */
    vxe_spread turned;       /* rad: by which the heading turns on the way, counterclockwise */
    vxe_spread speed;        /* edges per second along the path */
    double apart;  /* edges: rms distance of ends of the copies whose starts alone differ, from
                      that of the first */
    double growth; /* 1/s: rate at which these part, by least squares of its logarithm until they
                      are a twentieth of an edge apart; 0 where they never are ten times as far
                      apart as they start */
    vxe_trust verdict;
    double time_step;    /* s, of the first copy */
    double time;         /* s, at its end */
    uint64_t steps;      /* of the first copy */
    uint32_t in_lanes;   /* copies that ran in lanes */
    const char *message; /* of the first copy that failed; else empty */
} vxe_ensemble_facts;

typedef struct vxe_ensemble vxe_ensemble;

/* Runs the copies of a design to their ends. watch may be null; where it stops the run there is no
   ensemble, and error says so. Null and error filled on failure. */
VXE_API vxe_ensemble *vxe_ensemble_run(const vxe_design *design, const vxe_ensemble_def *def,
                                       vxe_batch_watch watch, void *user, vxe_error *error);
VXE_API void vxe_ensemble_destroy(vxe_ensemble *ensemble);

VXE_API vxe_ensemble_facts vxe_ensemble_describe(const vxe_ensemble *ensemble);

/* The result of a copy. */
VXE_API vxe_batch_result vxe_ensemble_result(const vxe_ensemble *ensemble, uint32_t copy);

/* A copy at its start, as a world (vxe_batch_world). The design must still be there. */
VXE_API vxe_world *vxe_ensemble_world(const vxe_ensemble *ensemble, uint32_t copy,
                                      vxe_error *error);

/* Samples of each path, beside its start. */
VXE_API uint32_t vxe_ensemble_samples(const vxe_ensemble *ensemble);

#ifdef __cplusplus
}
#endif

#endif
