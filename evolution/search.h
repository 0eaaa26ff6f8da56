/* SPDX-License-Identifier: MIT */
/* A search carries out an experiment, generation by generation, into a folder. The same experiment
   gives the same folder, byte for byte, whatever the number of threads and however often it was
   killed and resumed. */
#ifndef VXE_EVOLUTION_SEARCH_H
#define VXE_EVOLUTION_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_search vxe_search;

/* Begins a search: reads an experiment (docs/evolving.md) and makes the folder, which must not
   exist. threads: 0 for all processors. Returns null, and fills error, on failure. */
VXE_API vxe_search *vxe_search_create(const char *experiment, const char *folder, uint32_t threads,
                                      vxe_error *error);

/* Continues the search of a folder from its last checkpoint. experiment: null, or a file that must
   say the same as the folder's config.json. */
VXE_API vxe_search *vxe_search_resume(const char *experiment, const char *folder, uint32_t threads,
                                      vxe_error *error);

/* The same of an experiment in memory, whose text of `size` bytes messages call `name`. */
VXE_API vxe_search *vxe_search_create_text(const char *text, uint64_t size, const char *name,
                                           const char *folder, uint32_t threads, vxe_error *error);
VXE_API vxe_search *vxe_search_resume_text(const char *text, uint64_t size, const char *name,
                                           const char *folder, uint32_t threads, vxe_error *error);

VXE_API void vxe_search_destroy(vxe_search *search);

/* Progress of a search. */
typedef struct vxe_search_facts {
    const char *name;     /* of the experiment */
    uint32_t generation;  /* generations completed */
    uint32_t generations; /* generations planned */
    uint64_t evaluations; /* individuals evaluated in all generations */
    uint64_t runs;        /* simulations, or answers of a program or library, since this search was
                             created or resumed; equal bodies share one */
    double bond_updates;  /* bond updates of these simulations */
    double learning_runs; /* cost of inner learning, in runs, beside these; likewise since then */
    uint64_t unable;      /* bodies that could not learn, and were evaluated as they are */
    double share;         /* part of the present generation that is done, 0 to 1 */
    uint64_t best;        /* id of the best individual; 0: none yet */
    double best_fitness;  /* fitness of the best individual */
    vxe_unit unit;        /* of the fitness */
    uint32_t population;  /* number of survivors */
    uint32_t failed;      /* individuals of the last generation without a fitness */
    uint32_t asked;       /* bodies that were asked for and wait for their fitness */
} vxe_search_facts;

VXE_API vxe_search_facts vxe_search_describe(const vxe_search *search);

/* Makes the design of the best individual, for vxe_design_destroy; null where there is none yet.
   Fails only where memory is lacking. */
VXE_API vxe_status vxe_search_best(const vxe_search *search, vxe_design **best, vxe_error *error);

/* The same as vxe_design_doubt, of the materials of the experiment. */
VXE_API bool vxe_search_doubt(const vxe_search *search, char *text, uint64_t size);

/* Called from time to time from the calling thread. Where it returns false, the generation is given
   up. */
typedef bool (*vxe_search_watch)(const vxe_search_facts *facts, void *user);

/* Carries out one generation, writes its rows and, where one is due, a checkpoint. watch may be
   null. Where watch stops the generation, the search is as before and *stopped (may be null) is
   true. Fails where the folder cannot be written or memory is lacking; the last checkpoint stays,
   and this search cannot advance any more. */
VXE_API vxe_status vxe_search_advance(vxe_search *search, vxe_search_watch watch, void *user,
                                      bool *stopped, vxe_error *error);

/* A generation in two halves, for a fitness that comes from elsewhere.

   vxe_search_ask breeds a generation; *count is the number of different bodies in it whose fitness
   is not known yet. It may be 0. vxe_search_tell takes a finite number for each of them, the larger
   the better, or NaN where a body has no fitness, and concludes the generation as
   vxe_search_advance does. A fitness must follow from the body alone: equal bodies are asked for
   once, but again by a search that was resumed.

   Between the two the search is as it was before: it can be destroyed or checkpointed, and no other
   generation can begin. A tell that is refused, by VXE_ERROR_ARGUMENT, changes nothing. With
   "audit" a tell runs the would-be champions. */
VXE_API vxe_status vxe_search_ask(vxe_search *search, uint32_t *count, vxe_error *error);

/* A body that was asked for, which lives until the tell; null beyond the last. Bodies are always
   asked for in the same order. */
VXE_API const vxe_design *vxe_search_asked(const vxe_search *search, uint32_t body);

VXE_API vxe_status vxe_search_tell(vxe_search *search, const double *fitness, uint32_t count,
                                   vxe_error *error);

/* Gives up the generation that was asked for. The next one has the same bodies. */
VXE_API void vxe_search_withdraw(vxe_search *search);

/* Writes a checkpoint now, between generations, so that no generation is lost. */
VXE_API vxe_status vxe_search_checkpoint(vxe_search *search, vxe_error *error);

/* Plans more generations, behind those that were planned; between generations. A complete search
   goes on: with the same results, to the last bit, as if it had been planned so from the start. The
   folder's config.json says so. There are at most 10^9 in all. */
VXE_API vxe_status vxe_search_extend(vxe_search *search, uint64_t generations, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
