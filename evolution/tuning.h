/* SPDX-License-Identifier: MIT */
/* A tuner improves numbers of a design, such as the phases of its voxels, by gradients through
   whole runs (engine/gradient.h) and Adam (Kingma2015). It keeps everything in memory: a design
   goes in, iterations are made one by one, and the best designs come out. Results depend neither on
   the number of threads nor on how often the tuner was saved and restored.

   A tuner may be used by one thread at a time. */
#ifndef VXE_EVOLUTION_TUNING_H
#define VXE_EVOLUTION_TUNING_H

#include <stdint.h>

#include "engine/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_tuner vxe_tuner;

/* What is tuned, of each voxel. */
typedef enum vxe_tuned {
    VXE_TUNED_PHASE,     /* cycles, layer PhaseOffset; without bounds */
    VXE_TUNED_AMPLITUDE, /* layer Amplitude */
    VXE_TUNED_STIFFNESS, /* layer Stiffness; steps are of its logarithm */
    VXE_TUNED_OCCUPANCY, /* whether the voxel is there: s, 0 to 1. It has the amplitude times s, the
                            stiffness times 0.01 + 0.99 s^3 and the density times 0.05 + 0.95 s. A
                            design that comes out has the voxels of s >= 0.5 alone, of these the
                            largest piece. A layer Occupancy says where to begin; else at 0.5 */
    VXE_TUNED_KINDS
} vxe_tuned;

/* The name of a kind, such as "phase"; null beyond the last. */
VXE_API const char *vxe_tuned_name(uint32_t kind);

/* What a gradient costs, in runs (docs/gradients.md): by phases and amplitudes, and by stiffness
   and occupancy too. */
#define VXE_GRADIENT_RUNS 5.0
#define VXE_GRADIENT_RUNS_MATERIALS 6.0

/* Designs that a tuner keeps: those of its best iterations. */
#define VXE_TUNER_KEPT 5u

/* How numbers of a kind are tuned. */
typedef struct vxe_tuner_kind {
    double low, high; /* bounds. Phases have none. Amplitudes: parts of the largest one in the
                         design, 0 and 1 by default. Stiffness: parts of the material's, 0.1 and 3.
                         Occupancies: 0 and 1 */
    double rate;      /* Adam's rate: about how far a number goes in an iteration, in cycles or as a
                         part of its range */
    double spread;    /* standard deviation of copies, likewise */
} vxe_tuner_kind;

/* Choices of a tuner. Take one from vxe_tuner_def_default and change what you need. */
typedef struct vxe_tuner_def {
    uint32_t cookie;     /* set by vxe_tuner_def_default, checked by vxe_tuner_create */
    vxe_world_def world; /* of every run. Dashpots are explicit, if `damping` is AUTO; with
                            damping iterations only phases and amplitudes can be tuned. The step
                            rule is AUTO, of which the
                            tuner takes a step that suits all of the ranges, or SECONDS */
    double seconds;      /* s, of a run; 0: as the design says */
    uint32_t by;         /* 1 << VXE_TUNED_..., or'ed: what is tuned */
    const char *formula; /* what is made large: a formula of x, y, z (m, way of the centre of mass
                            since the design's reference time) and t (s, time at the end); null: the
                            mean speed along x. It is copied */
    double forget;       /* s: gradients look back so far (vxe_gradient_def); 0: without end; below
                            0, the default: three quarters of the actuation's period */
    uint32_t copies;     /* of which the gradient is the mean: the design, and others beside it that
                            differ by spread; 1 by default. Each counts as much as any other,
                            however long its gradient is */
    vxe_tuner_kind kind[VXE_TUNED_KINDS];
    double kept[2]; /* what Adam keeps of its means of gradients and of their squares from iteration
                       to iteration */
    uint64_t seed;  /* of the copies */
} vxe_tuner_def;

VXE_API vxe_tuner_def vxe_tuner_def_default(void);

/* Begins to tune a design, which is copied. Null, and error filled, on failure: also where the
   design has something through which there is no gradient. */
VXE_API vxe_tuner *vxe_tuner_create(const vxe_design *design, const vxe_tuner_def *def,
                                    vxe_error *error);
VXE_API void vxe_tuner_destroy(vxe_tuner *tuner);

/* An iteration: the design as it is now and its copies are run and reversed, and its numbers move
   by their mean gradient. Copies that diverge are left out and counted. Where all diverge, the
   numbers go back beside the best ones; it fails where there are none yet. After a failure the
   tuner is as it was before. */
VXE_API vxe_status vxe_tuner_step(vxe_tuner *tuner, vxe_error *error);

/* What does not change about a tuner, and how far it is. */
typedef struct vxe_tuner_facts {
    uint32_t numbers;      /* that are tuned */
    double time_step;      /* s */
    uint64_t steps;        /* of a run */
    double seconds;        /* s, of a run */
    double forget;         /* s; 0: never */
    uint32_t iterations;   /* done */
    double runs;           /* cost so far, in runs */
    uint64_t diverged;     /* copies, in all iterations */
    uint32_t kept;         /* designs that vxe_tuner_design has */
    double best;           /* score of the best; NaN: none yet */
    uint32_t best_at;      /* its iteration, from 1 */
    const char *precision; /* "mixed" or "double" */
} vxe_tuner_facts;

VXE_API vxe_tuner_facts vxe_tuner_describe(const vxe_tuner *tuner);

/* The unit of scores. */
VXE_API vxe_unit vxe_tuner_unit(const vxe_tuner *tuner);

/* An iteration. */
typedef struct vxe_tuner_row {
    double score;  /* of the design as it was before its numbers moved; NaN: it diverged. With
                      occupancies: of the body that they stand for, by a run of its own */
    double smooth; /* what the gradient is of: the same without occupancies */
    double best;   /* score so far; NaN: none yet */
    double growth; /* 1/s, of adjoints, mean over copies: vxe_gradient_facts */
    double branch_changes; /* mean over copies */
    uint32_t diverged;     /* copies */
    double runs;           /* cost so far, in runs */
} vxe_tuner_row;

/* An iteration, from 1 to vxe_tuner_facts.iterations. */
VXE_API vxe_tuner_row vxe_tuner_row_of(const vxe_tuner *tuner, uint32_t iteration);

/* Makes a design that was kept, for vxe_design_destroy: 0 is the best. Its run ends after the
   tuner's seconds, and its formula of fitness is what was made large: run by the tuner's step
   (seconds) and damping it has that score. score and iteration may be null. */
VXE_API vxe_status vxe_tuner_design(const vxe_tuner *tuner, uint32_t rank, vxe_design **design,
                                    double *score, uint32_t *iteration, vxe_error *error);

/* The same of the design as it was before it was tuned. */
VXE_API vxe_status vxe_tuner_before(const vxe_tuner *tuner, vxe_design **design, vxe_error *error);

/* The choices by which worlds and batches run as the tuner does. */
VXE_API vxe_world_def vxe_tuner_world(const vxe_tuner *tuner);

/* All that a tuner has found, as bytes: *size of them, for vxe_memory_release. Null, and error
   filled, without memory. */
VXE_API char *vxe_tuner_save(const vxe_tuner *tuner, uint64_t *size, vxe_error *error);

/* Puts that into a tuner of the same design and choices, which then goes on with the same bits. A
   tuner of others, or of another release, refuses it. */
VXE_API vxe_status vxe_tuner_restore(vxe_tuner *tuner, const char *bytes, uint64_t size,
                                     vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
