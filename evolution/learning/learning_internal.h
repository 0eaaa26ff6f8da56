/* SPDX-License-Identifier: MIT */
/* Inner learning: an individual's body is tuned by gradients through its runs before it is judged.

   body -> tuner (many in one gradient) -> numbers of voxels -> body again, or genome and body

   What is learned follows from the genome and the experiment alone: neither from who learns at the
   same time nor from threads. */
#ifndef VXE_EVOLUTION_LEARNING_LEARNING_INTERNAL_H
#define VXE_EVOLUTION_LEARNING_LEARNING_INTERNAL_H

#include <jansson.h>

#include "evolution/experiment/evaluation_internal.h"
#include "evolution/tuning.h"

/* learning_settings.c: reads the section "learn" (object may be null), and writes it; null where
   memory is lacking. */
vxe_status vxe_learning_read(json_t *object, vxe_learning_settings *into, vxe_error *error);
json_t *vxe_learning_object(const vxe_learning_settings *from);

/* Fails where nothing can be learned in an experiment, whose ground must be there. */
vxe_status vxe_learning_check(const vxe_experiment *experiment, vxe_error *error);

/* The choices of the tuners of an experiment. */
vxe_tuner_def vxe_learning_tuner(const vxe_experiment *experiment);

/* learned_numbers.c: numbers of a design's voxels, (kinds that are learned, V). */
vxe_status vxe_learned_read(const vxe_experiment *experiment, const vxe_design *design,
                            vxe_genome *numbers, vxe_error *error);

/* The genome that an individual has when it inherits these numbers of its own body. */
vxe_status vxe_learned_inherit(const vxe_experiment *experiment, const vxe_genome *genome,
                               const vxe_genome *numbers, vxe_genome *inherited, vxe_error *error);

/* learning.c: what an individual learned. */
typedef struct vxe_lesson {
    vxe_design *bodies[2]; /* the best that its tuner has seen, and the last; null: none */
    vxe_genome learned[2]; /* as vxe_individual.learned, or where it is inherited a genome */
    double runs;           /* cost so far, in runs */
} vxe_lesson;

/* Lets individuals learn, each from its own body. lessons: (count) zero, for vxe_lessons_clear.
   Where the watch stops it, *stopped is true. */
vxe_status vxe_learn(const vxe_runner *runner, const vxe_individual *const *individuals,
                     uint32_t count, vxe_lesson *lessons, bool *stopped, vxe_error *error);
void vxe_lessons_clear(vxe_lesson *lessons, uint32_t count);

/* evaluation of individuals that learn: before, learning, and after; the best counts. */
vxe_status vxe_learn_and_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                             uint32_t count, vxe_outcome *outcomes, vxe_genome *learned,
                             bool *stopped, vxe_effort *effort, vxe_error *error);

#endif
