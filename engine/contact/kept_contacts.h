/* SPDX-License-Identifier: MIT */
/* What pairs in contact remember from one step to the next, for narrow_phase.c. A part keeps its
   contacts in the order of its lists, so that the next step finds them one after another. */
#ifndef VXE_ENGINE_CONTACT_KEPT_CONTACTS_H
#define VXE_ENGINE_CONTACT_KEPT_CONTACTS_H

#include <string.h>

#include "engine/contact/pair_batch.h"

/* Finds the contacts of the step before that are these pairs, or null. Where lists are the same as
   then, the contacts of a part follow each other as its pairs do. */
static void find_kept(const vxe_contact_job *job, const vxe_neighbor_part *part, touching *pairs,
                      const vxe_kept_contact *kept[VIEW])
{
    const uint32_t parity = job->number & 1;
    const uint32_t first = VXE_MAX_KEPT_CONTACTS * part->first;
    const uint32_t *number = job->neighbors->kept_pair[parity] + first;
    const uint32_t count = part->kept[parity];
    const bool in_order = part->kept_in == job->number;
    uint32_t at = pairs->recalled;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!in_order || pairs->of[0][i] < part->first) {
            kept[i] = vxe_kept_contact_find(job->before, pairs->of[0][i], pairs->of[1][i]);
            continue;
        }
        while (at < count && number[at] < pairs->number[i]) {
            at++;
        }
        const bool is_kept = at < count && number[at] == pairs->number[i];
        kept[i] = is_kept ? &job->before->entry[first + at] : NULL;
        at += is_kept ? 1 : 0;
        VXE_ASSERT(kept[i] == vxe_kept_contact_find(job->before, pairs->of[0][i], pairs->of[1][i]));
    }
    pairs->recalled = at;
}

/* Recalls what pairs remember of the step before. */
static void recall(const vxe_contact_job *job, const vxe_neighbor_part *part,
                   touching *restrict pairs)
{
    const vxe_kept_contact *kept[VIEW];
    find_kept(job, part, pairs, kept);
    for (uint32_t i = 0; i < pairs->count; i++) {
        batch *into = &pairs->batches[i / VXE_NEIGHBOR_BATCH];
        const uint32_t at = i % VXE_NEIGHBOR_BATCH;
        put_memory(into, at, recalled(kept[i]));
        for (int end = 0; end < 2; end++) {
            into->were[end][at] = kept[i] ? kept[i]->faces[end] : into->faces[end][at];
        }
    }
}

/* Keeps what pair i, which is in contact, remembers, in the part that its lower voxel belongs to.
 */
static void keep(const vxe_contact_job *job, vxe_neighbor_part *part, const touching *pairs,
                 uint32_t i)
{
    const uint32_t lower = pairs->of[0][i];
    const uint32_t parity = ~job->number & 1;
    const uint32_t capacity = VXE_MAX_KEPT_CONTACTS * (part->last - part->first);
    if (part->kept[parity] == capacity) {
        part->crowded = part->crowded < lower ? part->crowded : lower;
        return;
    }
    const uint32_t at = VXE_MAX_KEPT_CONTACTS * part->first + part->kept[parity]++;
    const vxe_touch_memory memory = memory_at(batch_of(pairs, i), i % VXE_NEIGHBOR_BATCH);
    job->neighbors->kept_pair[parity][at] = pairs->number[i];
    job->after->entry[at] = (vxe_kept_contact){
        .upper = pairs->of[1][i],
        .next = job->after->first[lower],
        .share = (float)memory.share,
        .rest = (float)memory.rest,
        .age = (float)memory.age,
        .shear = {(float)memory.shear.x, (float)memory.shear.y, (float)memory.shear.z},
        .faces = {job->neighbors->faces[lower], job->neighbors->faces[pairs->of[1][i]]}};
    job->after->first[lower] = at;
}

_Static_assert(VXE_NONE == UINT32_MAX, "all bytes are 0xff");

/* Forgets what the step before the last one has kept of a part. */
static void forget(const vxe_contact_job *job, vxe_neighbor_part *part)
{
    part->kept[~job->number & 1] = 0;
    memset(job->after->first + part->first, 0xff,
           (part->last - part->first) * sizeof *job->after->first);
}

#endif
