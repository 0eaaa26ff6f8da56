/* SPDX-License-Identifier: MIT */
/* The best individual of each kind of body in a search by any algorithm. Kinds are cells of two
   descriptors, as in MAP-Elites. */
#ifndef VXE_EVOLUTION_ELITES_H
#define VXE_EVOLUTION_ELITES_H

#include <stdint.h>

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_elite {
    uint64_t id; /* 0: empty cell */
    double fitness;
} vxe_elite;

typedef struct vxe_elites {
    uint32_t bins[2];
    const char *descriptors[2]; /* "voxels" and others; see docs/evolving.md */
    vxe_elite *cells;           /* (bins[1], bins[0]) */
} vxe_elites;

/* Reads config.json and individuals.csv of a search's folder. Returns null, and fills error, on
   failure. */
VXE_API vxe_elites *vxe_elites_read(const char *folder, vxe_error *error);
VXE_API void vxe_elites_destroy(vxe_elites *elites);

#ifdef __cplusplus
}
#endif

#endif
