/* SPDX-License-Identifier: MIT */
/* The best that a search has found for each kind of body: by two descriptors, as MAP-Elites has
   them, of a search by any algorithm. */
#ifndef VXE_EVOLUTION_ELITES_H
#define VXE_EVOLUTION_ELITES_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_elite {
    uint64_t id; /* 0: nobody */
    double fitness;
} vxe_elite;

typedef struct vxe_elites {
    uint32_t bins[2];
    const char *descriptors[2]; /* "voxels", ...; see docs/evolving.md */
    vxe_elite *cells;           /* (bins[1], bins[0]) */
} vxe_elites;

/* Reads the config.json and individuals.csv of a folder. Null and error filled on failure. */
VXE_API vxe_elites *vxe_elites_read(const char *folder, vxe_error *error);
VXE_API void vxe_elites_destroy(vxe_elites *elites);

#ifdef __cplusplus
}
#endif

#endif
