/* SPDX-License-Identifier: MIT */
/* State of a tuner, and what its files share.

   numbers -> fields of voxels -> gradient (robots in lanes) -> by fields -> by numbers -> Adam

   A number is in a unit of its own, in which its bounds and Adam's steps are; a field holds what a
   layer of the design gets, one number of each voxel. */
#ifndef VXE_EVOLUTION_TUNING_TUNING_INTERNAL_H
#define VXE_EVOLUTION_TUNING_TUNING_INTERNAL_H

#include "common/expression_internal.h"
#include "engine/gradient.h"
#include "evolution/tuning.h"

/* What is put into robots. V: voxels. */
typedef enum vxe_tuned_field {
    VXE_FIELD_PHASE,
    VXE_FIELD_AMPLITUDE,
    VXE_FIELD_STIFFNESS,
    VXE_FIELD_DENSITY,
    VXE_TUNED_FIELDS
} vxe_tuned_field;

/* The numbers that are tuned, N of them, kind by kind. */
typedef struct vxe_tuned_numbers {
    uint32_t count;
    uint8_t *kind;      /* (N) a vxe_tuned */
    uint32_t *voxel;    /* (N) */
    double *low, *high; /* (N) bounds; infinite where there are none */
    double *unit;       /* (N) what rates and spreads are parts of */
    double *value;      /* (N) */
    double *mean;       /* (N) Adam's of gradients */
    double *square;     /* (N) Adam's of their squares */
} vxe_tuned_numbers;

/* A design that is kept. */
typedef struct vxe_tuned_best {
    double score;
    uint32_t iteration;
    double *value; /* (N) */
} vxe_tuned_best;

struct vxe_tuner {
    vxe_tuner_def def; /* formula: that of the tuner, below */
    char *formula;
    vxe_expression expression;
    vxe_design *design; /* as it was given, but for its stop rule and formulas */
    double reference;   /* s: ways count from here */
    uint64_t steps;
    uint64_t sample_every;
    uint32_t first_sample;  /* at the reference time */
    double forget;          /* s */
    vxe_gradient *gradient; /* of its own, or shared */
    bool shares;            /* the gradient with other tuners, whose step is one of few */
    uint32_t robot;         /* in the gradient: the first of its copies */
    vxe_tuned_numbers numbers;
    double *field[VXE_TUNED_FIELDS];    /* (V) */
    double *by_field[VXE_TUNED_FIELDS]; /* (V) */
    double *place;                      /* (N) of a copy */
    double *by_copy;                    /* (N) gradient of a copy */
    double *by_number;                  /* (N) mean gradient */
    uint32_t moments;    /* iterations in Adam's means, since they were last forgotten */
    vxe_tuner_row *rows; /* (iterations) */
    uint32_t iterations, row_capacity;
    uint64_t diverged;
    vxe_tuned_best best[VXE_TUNER_KEPT]; /* (kept) best first */
    uint32_t kept;
};

/* tuning.c: tuners that share a gradient, in which designs of many fill its vectors. Such a tuner
   is made without one. Those that have one clock may enter the same gradient, made by the choices
   of one of them. */
vxe_tuner *vxe_tuner_create_sharing(const vxe_design *design, const vxe_tuner_def *def,
                                    vxe_error *error);
bool vxe_tuner_same_clock(const vxe_tuner *a, const vxe_tuner *b);
vxe_gradient_def vxe_tuner_gradient_def(const vxe_tuner *tuner);
vxe_status vxe_tuner_enter(vxe_tuner *tuner, vxe_gradient *gradient, vxe_error *error);

/* tuning_step.c: what is before a run of the gradient in an iteration, and what is behind it. */
vxe_status vxe_tuner_put(vxe_tuner *tuner, vxe_error *error);
vxe_status vxe_tuner_take(vxe_tuner *tuner, vxe_error *error);

/* What an iteration of a copy costs, in runs. */
double vxe_tuned_cost(uint32_t by);

/* tuning_numbers.c */

/* The layer into which numbers of a kind go. */
const char *vxe_tuned_layer(uint32_t kind);

/* Lists the numbers of a design, at their values there. */
vxe_status vxe_tuned_list(vxe_tuned_numbers *numbers, const vxe_design *design,
                          const vxe_tuner_def *def, vxe_error *error);
void vxe_tuned_clear(vxe_tuned_numbers *numbers);

/* What a gradient is by, for a field. */
vxe_gradient_by vxe_tuned_by(vxe_tuned_field field);

/* Whether numbers of the kinds `by` act in a field. */
bool vxe_tuned_fills(uint32_t by, vxe_tuned_field field);

/* Fields (V each) of a design whose numbers have these values (N). */
void vxe_tuned_fill(const vxe_tuned_numbers *numbers, const vxe_design *design, const double *value,
                    double *const *field);

/* Adds to by_number (N) what follows from by_field (V each) where the numbers have these values;
   whole (V each): workspace. */
void vxe_tuned_chain(const vxe_tuned_numbers *numbers, const vxe_design *design,
                     const double *value, double *const *whole, double *const *by_field,
                     double *by_number);

/* Brings a value within the bounds of number i. */
double vxe_tuned_bound(const vxe_tuned_numbers *numbers, uint32_t i, double value);

/* A copy of the design with numbers of these values; where occupancies are tuned, the body that
   they stand for. Null, and error filled, on failure: VXE_ERROR_INPUT where there is no such body.
 */
vxe_design *vxe_tuned_design(const vxe_tuner *tuner, const double *value, vxe_error *error);

/* tuning_body.c: leaves the largest piece of the voxels whose occupancy (V) is a half or more.
   VXE_ERROR_INPUT, and no voxels, where there are none. */
vxe_status vxe_tuned_carve(vxe_design *design, const double *occupancy, vxe_error *error);

/* adam.c: moves the numbers by a gradient (N). */
void vxe_adam_step(vxe_tuned_numbers *numbers, const double *by_number, const vxe_tuner_def *def,
                   uint32_t moments);

/* tuning_objective.c */

/* Parses the formula of a tuner, or makes that of the mean speed. */
vxe_status vxe_tuner_parse(vxe_tuner *tuner, vxe_error *error);

/* The objective of gradients; user is the tuner. */
double vxe_tuner_objective(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                           uint32_t count, vxe_gradient_sample *weights);

/* tuning_clock.c: finds the step, the samples and what is forgotten. */
vxe_status vxe_tuner_set_clock(vxe_tuner *tuner, vxe_error *error);

#endif
