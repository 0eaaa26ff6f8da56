/* SPDX-License-Identifier: MIT */
/* Bounds on what is made of a file. A small file can stand for much: compressed layers, one model
   that is placed many times, a list of names. Readers know how much before they make it, and refuse
   (VXE_ERROR_INPUT) what is beyond these bounds; the message names the bound. With the defaults any
   file below 10^6 bytes takes less than 2 s and 512 MB to look at, or is refused.

   Where a bound says "or B for each byte", a file of 10^6 bytes or more may hold that many, if it
   is more: what a plain format states one by one is never refused for its number there. */
#ifndef VXE_LATTICE_FORMATS_LIMITS_H
#define VXE_LATTICE_FORMATS_LIMITS_H

#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_limits {
    uint64_t design_bytes;   /* of a design's file or a history; 2^29 */
    uint64_t result_bytes;   /* of a result, a job or an experiment; 2^26 */
    uint64_t record_bytes;   /* of a record; 2^34 */
    uint64_t unpacked_bytes; /* of a compressed part, unpacked: an array in an .npz, a part of a
                                record; 2^23, or 8 for each byte */
    uint64_t cells;          /* of the box of a body, empty ones too, or in all models that a .vox
                                places; 2^26, or 1 for each byte */
    uint64_t voxels;         /* of a design; 2^19, or 1 for each byte */
    uint64_t numbers;        /* in all layers of a design; 2^22, or 1 for each byte */
    uint64_t layers;         /* of a design; 1024 */
    uint64_t materials;      /* of a design; 2^14 */
    uint64_t bodies;         /* affine bodies of a design, its walls, or its observations; 2048 */
    uint64_t references;     /* nodes that are visited to place models, in a .vox; 2^16 */
    uint64_t replacements;   /* elements of a .vxd that replace one; 1024 */
    uint64_t region_voxels;  /* voxels times regions: each is looked for in each; 2^27 */
    uint64_t contact_pairs;  /* pairs of materials (the floor is one) times contact rules, which
                                count as 64 at least: each is looked up in each; 2^26 */
} vxe_limits;

/* The bounds that hold unless others are used. */
VXE_API vxe_limits vxe_limits_default(void);

/* Replaces the bounds for the whole process; null restores the defaults. Not while a file is being
   read. */
VXE_API void vxe_limits_use(const vxe_limits *limits);

/* Replaces some bounds by those in a text such as "voxels=4e6,cells=1e9": names of the structure
   above, whole numbers from 0 to 1e18. Fails with VXE_ERROR_ARGUMENT at anything else, and limits
   is as before. */
VXE_API vxe_status vxe_limits_parse(vxe_limits *limits, const char *text, vxe_error *error);

/* The name of a bound, by its place in the structure; null behind the last one. */
VXE_API const char *vxe_limits_name(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
