/* SPDX-License-Identifier: MIT */
/* A search: an experiment carried out generation by generation into a folder of its own. The same
   experiment gives the same folder, byte for byte, whatever the threads, and however often it was
   killed and resumed. */
#ifndef VXE_EVOLUTION_SEARCH_H
#define VXE_EVOLUTION_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_search vxe_search;

/* Begins a search: reads an experiment (docs/evolving.md) and makes the folder, which may not
   exist. threads: 0 for all processors. Null and error filled on failure. */
VXE_API vxe_search *vxe_search_create(const char *experiment, const char *folder, uint32_t threads,
                                      vxe_error *error);

/* Takes up the search of a folder where its last checkpoint left it. experiment: null, or a file
   that must say the same as the folder's. */
VXE_API vxe_search *vxe_search_resume(const char *experiment, const char *folder, uint32_t threads,
                                      vxe_error *error);

VXE_API void vxe_search_destroy(vxe_search *search);

/* How far a search is. */
typedef struct vxe_search_facts {
    const char *name;     /* of the experiment */
    uint32_t generation;  /* done so far */
    uint32_t generations; /* to be done */
    uint64_t evaluations; /* individuals judged, in all generations */
    uint64_t runs;       /* simulations since this search was created or resumed; equal bodies share
                            one */
    double bond_updates; /* in these */
    double share;        /* of the generation in work, 0 to 1 */
    uint64_t best;       /* individual; 0: none yet */
    double best_fitness; /* of it */
    uint32_t population; /* alive */
    uint32_t failed;     /* of the last generation, without a fitness */
} vxe_search_facts;

VXE_API vxe_search_facts vxe_search_describe(const vxe_search *search);

/* Called now and then from the calling thread; false leaves the generation undone. */
typedef bool (*vxe_search_watch)(const vxe_search_facts *facts, void *user);

/* Carries out one generation, writes what came of it and, if one is due, a checkpoint. watch may be
   null. Where watch stops it, nothing has happened, and *stopped (may be null) is true. Fails where
   the folder can not be written, or without memory; the last checkpoint stays, and this search
   advances no more. */
VXE_API vxe_status vxe_search_advance(vxe_search *search, vxe_search_watch watch, void *user,
                                      bool *stopped, vxe_error *error);

/* Writes a checkpoint now, between generations, so that a search that is left loses none. */
VXE_API vxe_status vxe_search_checkpoint(vxe_search *search, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
