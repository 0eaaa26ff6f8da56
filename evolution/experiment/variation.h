/* SPDX-License-Identifier: MIT */
/* Copies of a body that differ as real ones do, and what their scores say together: a body whose
   score depends on luck has a worse one than a body that always does well. */
#ifndef VXE_EVOLUTION_EXPERIMENT_VARIATION_H
#define VXE_EVOLUTION_EXPERIMENT_VARIATION_H

#include "engine/batch.h"
#include "evolution/experiment/experiment_internal.h"

/* Makes copy number `copy` of a body: its materials, phases and world, and its time step, differ by
   random parts that depend on the experiment's seed, the body and the number alone. Of each number
   the copies of a body have one in every stratum, so that their mean varies less. Null,
   and error filled, without memory. */
vxe_design *vxe_vary(const vxe_experiment *experiment, const vxe_design *body, uint32_t copy,
                     vxe_batch_variant *variant, vxe_error *error);

/* The score of count fitness values, which are sorted by this; their standard deviation is written
   to *deviation. */
double vxe_score_of(const vxe_evaluation_settings *settings, double *values, uint32_t count,
                    double *deviation);

#endif
