/* SPDX-License-Identifier: MIT */
/* Batches of pairs that may touch, for narrow_phase.c: what the law reads of their voxels, what
   they remember and what it gives. */
#ifndef VXE_ENGINE_CONTACT_PAIR_BATCH_H
#define VXE_ENGINE_CONTACT_PAIR_BATCH_H

#include "engine/contact/contact_gather.h"
#include "engine/contact/contact_kernels.h"
#include "engine/contact/penalty_law.h"

/* Pairs whose rows are gathered before the first of them is computed: rows that have just been
   written number by number cannot be read back as vectors at once without a stall. */
#define VIEW (4 * VXE_NEIGHBOR_BATCH)

/* Pairs that may touch and are computed together. Index 2 is the end of a pair. */
typedef struct batch {
    row pose[2][VXE_NEIGHBOR_BATCH];
    row motion[2][VXE_NEIGHBOR_BATCH];
    row properties[2][VXE_NEIGHBOR_BATCH];
    vxe_real_mask faces[2][VXE_NEIGHBOR_BATCH];
    vxe_real_mask were[2][VXE_NEIGHBOR_BATCH];         /* those of the step before */
    vxe_real memory[MEMORY_WIDTH][VXE_NEIGHBOR_BATCH]; /* of the step before; then of this one */
    vxe_real load[2][6][VXE_NEIGHBOR_BATCH];           /* N, N m */
    vxe_real energy[VXE_NEIGHBOR_BATCH];               /* J */
} batch;

/* Up to VIEW pairs that may touch. */
typedef struct touching {
    uint32_t count;
    uint32_t recalled;     /* contacts of the step before that are behind */
    uint32_t of[2][VIEW];  /* places in the surface's list */
    uint32_t number[VIEW]; /* which pair of the lists, see number_of_pair */
    batch batches[VIEW / VXE_NEIGHBOR_BATCH];
} touching;

/* Batches of so many pairs; the last one may be filled up with pairs that do not count. */
VXE_INLINE uint32_t batches_of(uint32_t pairs)
{
    return (pairs + VXE_NEIGHBOR_BATCH - 1) / VXE_NEIGHBOR_BATCH;
}

/* One voxel of pair i of a batch. */
VXE_INLINE vxe_contact_end end_at(const batch *restrict pairs, int end, uint32_t i)
{
    const row *motion = &pairs->motion[end][i];
    const row *properties = &pairs->properties[end][i];
    return (vxe_contact_end){.q = orientation_of(&pairs->pose[end][i]),
                             .v = three(motion, AT_V),
                             .w = three(motion, AT_W),
                             .faces = pairs->faces[end][i],
                             .were = pairs->were[end][i],
                             .z = pairs->pose[end][i].at[AT_X + 2],
                             .inverse = properties->at[AT_INVERSE],
                             .softness = properties->at[AT_SOFTNESS],
                             .dashpot = properties->at[AT_DASHPOT],
                             .static_friction = properties->at[AT_STATIC],
                             .dynamic_friction = properties->at[AT_DYNAMIC]};
}

/* m: the vector from the first to the second voxel of pair i, low parts included. */
VXE_INLINE vxe_vec3 chord_at(const batch *restrict pairs, uint32_t i)
{
    const row *low1 = &pairs->motion[0][i];
    const row *low2 = &pairs->motion[1][i];
    const vxe_vec3 r = vec_sub(three(&pairs->pose[1][i], AT_X), three(&pairs->pose[0][i], AT_X));
    const vxe_vec3 low = {
        low2->at[AT_X_LOW] - low1->at[AT_X_LOW], low2->at[AT_X_LOW + 1] - low1->at[AT_X_LOW + 1],
        pairs->properties[1][i].at[AT_Z_LOW] - pairs->properties[0][i].at[AT_Z_LOW]};
    return vec_add(r, low);
}

/* What pair i remembers. */
VXE_INLINE vxe_touch_memory memory_at(const batch *restrict pairs, uint32_t i)
{
    const vxe_vec3 shear = {pairs->memory[AT_SHEAR][i], pairs->memory[AT_SHEAR + 1][i],
                            pairs->memory[AT_SHEAR + 2][i]};
    return (vxe_touch_memory){pairs->memory[AT_KNOWN][i], pairs->memory[AT_SHARE][i],
                              pairs->memory[AT_KEPT_REST][i], pairs->memory[AT_AGE][i], shear};
}

VXE_INLINE void put_memory(batch *restrict pairs, uint32_t i, vxe_touch_memory memory)
{
    pairs->memory[AT_KNOWN][i] = memory.known;
    pairs->memory[AT_SHARE][i] = memory.share;
    pairs->memory[AT_KEPT_REST][i] = memory.rest;
    pairs->memory[AT_AGE][i] = memory.age;
    pairs->memory[AT_SHEAR][i] = memory.shear.x;
    pairs->memory[AT_SHEAR + 1][i] = memory.shear.y;
    pairs->memory[AT_SHEAR + 2][i] = memory.shear.z;
}

/* Stores the load of one end of pair i. */
VXE_INLINE void put_load(batch *pairs, int end, uint32_t i, vxe_contact_load load)
{
    pairs->load[end][0][i] = load.force.x;
    pairs->load[end][1][i] = load.force.y;
    pairs->load[end][2][i] = load.force.z;
    pairs->load[end][3][i] = load.moment.x;
    pairs->load[end][4][i] = load.moment.y;
    pairs->load[end][5][i] = load.moment.z;
}

/* Gathers the present state and the properties of voxel k for one end of pair i. */
VXE_INLINE void take_end(const vxe_contact_job *job, uint32_t k, int end, uint32_t i, batch *into)
{
    const vxe_neighbor_list *neighbors = job->neighbors;
    const vxe_body_view *body = job->body;
    const size_t state_index = (size_t)neighbors->state_index[k];
    row *restrict motion = &into->motion[end][i];
    row *restrict properties = &into->properties[end][i];
    into->faces[end][i] = neighbors->faces[k];
    take_poses(body, state_index, &into->pose[end][i], 1);
    *properties = rows_of(neighbors->rest)[k];
    for (int c = 0; c < 3; c++) {
        motion->at[AT_V + c] = reals_const(body->v[c])[state_index];
        motion->at[AT_W + c] = reals_const(body->w[c])[state_index];
    }
#ifdef VXE_MIXED
    motion->at[AT_X_LOW] = reals_const(body->x_low[0])[state_index];
    motion->at[AT_X_LOW + 1] = reals_const(body->x_low[1])[state_index];
    properties->at[AT_Z_LOW] = reals_const(body->x_low[2])[state_index];
#else
    motion->at[AT_X_LOW] = 0;
    motion->at[AT_X_LOW + 1] = 0;
#endif
}

/* The batch that holds pair i. */
static const batch *batch_of(const touching *pairs, uint32_t i)
{
    return &pairs->batches[i / VXE_NEIGHBOR_BATCH];
}

/* Fills a batch of `count` pairs up by repeating its first pair. */
static void fill_batch(batch *pairs, uint32_t count)
{
    VXE_ASSERT(count > 0 && count < VXE_NEIGHBOR_BATCH);
    for (int end = 0; end < 2; end++) {
        for (uint32_t i = count; i < VXE_NEIGHBOR_BATCH; i++) {
            pairs->pose[end][i] = pairs->pose[end][0];
            pairs->motion[end][i] = pairs->motion[end][0];
            pairs->properties[end][i] = pairs->properties[end][0];
            pairs->faces[end][i] = pairs->faces[end][0];
            pairs->were[end][i] = pairs->were[end][0];
        }
    }
}

#endif
