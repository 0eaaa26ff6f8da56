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

VXE_API void vxe_search_destroy(vxe_search *search);

/* Progress of a search. */
typedef struct vxe_search_facts {
    const char *name;     /* of the experiment */
    uint32_t generation;  /* generations completed */
    uint32_t generations; /* generations planned */
    uint64_t evaluations; /* individuals evaluated in all generations */
    uint64_t runs;       /* simulations since this search was created or resumed; equal bodies share
                            one */
    double bond_updates; /* bond updates of these simulations */
    double share;        /* part of the present generation that is done, 0 to 1 */
    uint64_t best;       /* id of the best individual; 0: none yet */
    double best_fitness; /* fitness of the best individual */
    vxe_unit unit;       /* of the fitness */
    uint32_t population; /* number of survivors */
    uint32_t failed;     /* individuals of the last generation without a fitness */
} vxe_search_facts;

VXE_API vxe_search_facts vxe_search_describe(const vxe_search *search);

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

/* Writes a checkpoint now, between generations, so that no generation is lost. */
VXE_API vxe_status vxe_search_checkpoint(vxe_search *search, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
