/* SPDX-License-Identifier: MIT */
/* Which pairs may touch, for kernels_contacts.c: bundles of them that are looked at when their
   notches come. */
#ifndef VXE_ENGINE_CONTACT_PAIR_WAKEUP_H
#define VXE_ENGINE_CONTACT_PAIR_WAKEUP_H

#include "engine/contact/contact_gather.h"
#include "engine/contact/contact_kernels.h"

VXE_INLINE vxe_real largest_component(vxe_lane3 a)
{
    return largest3(magnitude(a.x), magnitude(a.y), magnitude(a.z));
}

/* How far the pairs of a bundle are from touching. */
typedef struct room {
    float apart;       /* m: the least by which faces or centres keep one apart */
    float by_distance; /* m: the least by which centres alone do */
    uint32_t close;    /* a bit each for those that may touch, which are not counted above */
} room;

/* m: more than any wheel has. */
#define NEVER 1e30f

VXE_INLINE room find_room(const row *restrict one, const row *restrict two, const vxe_near *near,
                          vxe_real edge, bool spheres)
{
    const vxe_real by_length = spheres ? R(VXE_SPHERE) : R(VXE_CORNERS);
    const vxe_real faceless = spheres ? R(1e30) : R(0);
    const vxe_real arm = (vxe_real)near->arm;
    const float close_by = near->slack + near->close;
    float least = NEVER;
    float least_distance = NEVER;
    uint32_t close = 0;
#pragma omp simd reduction(min : least, least_distance) reduction(| : close)
    for (uint32_t i = 0; i < VXE_BUNDLE; i++) {
        const vxe_lane3 r = lane_sub(three(&two[i], AT_X), three(&one[i], AT_X));
        const vxe_real length = mean_edge(&one[i], &two[i], edge);
        const vxe_real by_one = largest_component(turned_by(turn_of(&one[i]), -1, r));
        const vxe_real by_two = largest_component(turned_by(turn_of(&two[i]), -1, r));
        const vxe_real above = (by_one < by_two ? by_one : by_two) - length - faceless;
        const vxe_real distance = vxe_root(lane_dot(r, r));
        const float by_faces = (float)(arm - distance < above ? arm - distance : above);
        const float by_distance = (float)(distance - by_length * length);
        const float apart = by_faces > by_distance ? by_faces : by_distance;
        const bool sleeps = apart > close_by; /* not so what is not a number */
        const float counted = sleeps ? apart : NEVER;
        const float counted_distance = sleeps ? by_distance : NEVER;
        least = counted < least ? counted : least;
        least_distance = counted_distance < least_distance ? counted_distance : least_distance;
        close |= (sleeps ? 0u : 1u) << i;
    }
    return (room){least, least_distance, close};
}

/* The least by which centres alone keep pairs of a bundle apart, m. */
VXE_INLINE float least_distance(const row *restrict one, const row *restrict two, vxe_real edge)
{
    float least = NEVER;
#pragma omp simd reduction(min : least)
    for (uint32_t i = 0; i < VXE_BUNDLE; i++) {
        const vxe_lane3 r = lane_sub(three(&two[i], AT_X), three(&one[i], AT_X));
        const vxe_real length = mean_edge(&one[i], &two[i], edge);
        const float apart = (float)(vxe_root(lane_dot(r, r)) - R(VXE_CORNERS) * length);
        least = apart < least ? apart : least;
    }
    return least;
}

/* Notches that a bundle must sleep by distance alone, or its faces are asked as well. */
#define LONG_ENOUGH 10u

/* Lets a bundle sleep whose pairs slant, whose distance nearly always tells enough; false if not
   so. None of its pairs can touch before it wakes. */
static bool sleeps_by_distance(const vxe_contact_job *job, const vxe_pairs *pairs,
                               vxe_pair_range *range, uint32_t bundle, const row *one,
                               const row *two)
{
    const vxe_near *near = job->near;
    const float least = least_distance(one, two, (vxe_real)job->model->edge);
    const uint32_t ahead = vxe_notches_ahead(near, VXE_CLOCK_DISTANCE, least);
    if (ahead < LONG_ENOUGH) {
        return false;
    }
    vxe_bundle_touches(pairs, range, bundle, 0);
    vxe_bundle_to_notch(near, pairs, range, bundle, VXE_CLOCK_DISTANCE, ahead);
    return true;
}

/* Looks at a bundle of a range, whose voxels stand so: marks those that may touch, and lets it
   sleep until another one may. */
static void judge(const vxe_contact_job *job, const vxe_pairs *pairs, vxe_pair_range *range,
                  uint32_t bundle, const row *one, const row *two)
{
    const vxe_near *near = job->near;
    const vxe_real edge = (vxe_real)job->model->edge;
    const room found = near->surface->spheres ? find_room(one, two, near, edge, true)
                                              : find_room(one, two, near, edge, false);
    vxe_bundle_touches(pairs, range, bundle, found.close);
    const bool by_distance = found.by_distance > near->slack + near->close &&
                             found.by_distance * near->haste > found.apart;
    const vxe_clock clock = by_distance ? VXE_CLOCK_DISTANCE : VXE_CLOCK_FACES;
    vxe_bundle_to_notch(
        near, pairs, range, bundle, clock,
        vxe_notches_ahead(near, clock, by_distance ? found.by_distance : found.apart));
}

/* Bundles whose rows are taken before one of them is judged: what has just been written is read
   back as vectors only after a while. */
#define BUNDLES 8u

/* Looks at bundles of a part, BUNDLES at most. */
static void look(const vxe_contact_job *job, vxe_near_part *part, const vxe_woken *those,
                 uint32_t count)
{
    const row *poses = job->near->pose;
    row ends[2][BUNDLES * VXE_BUNDLE];
    for (uint32_t b = 0; b < count; b++) {
        const vxe_pairs *pairs = &job->near->pairs[those[b].kind];
        const size_t p = part->pairs[those[b].kind].first + (size_t)those[b].bundle * VXE_BUNDLE;
        for (uint32_t i = 0; i < VXE_BUNDLE; i++) {
            ends[0][b * VXE_BUNDLE + i] = poses[pairs->of[0][p + i]];
            ends[1][b * VXE_BUNDLE + i] = poses[pairs->of[1][p + i]];
        }
    }
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t kind = those[b].kind;
        const vxe_pairs *pairs = &job->near->pairs[kind];
        vxe_pair_range *range = &part->pairs[kind];
        const row *one = ends[0] + (size_t)b * VXE_BUNDLE;
        const row *two = ends[1] + (size_t)b * VXE_BUNDLE;
        const bool slants = kind == VXE_PAIRS_SLANTING || kind == VXE_PAIRS_DIAGONAL;
        if (!slants || !sleeps_by_distance(job, pairs, range, those[b].bundle, one, two)) {
            judge(job, pairs, range, those[b].bundle, one, two);
        }
    }
}

/* Takes the bundles of a kind whose notches have come off their wheels; returns how many woken
   ones there are then. */
static uint32_t wake(const vxe_near *near, vxe_near_part *part, uint32_t kind, vxe_woken *woken,
                     uint32_t count)
{
    vxe_pair_range *range = &part->pairs[kind];
    const size_t first = range->first / VXE_BUNDLE;
    const uint32_t *next = near->pairs[kind].next;
    for (uint32_t clock = 0; clock < VXE_CLOCKS; clock++) {
        uint32_t *wheel = range->wheel + (size_t)clock * VXE_NOTCHES;
        const uint64_t passed = near->turn[clock] - range->done[clock];
        const uint64_t notches = passed < VXE_NOTCHES ? passed : VXE_NOTCHES;
        for (uint64_t n = 1; n <= notches; n++) {
            uint32_t *head = &wheel[(range->done[clock] + n) % VXE_NOTCHES];
            for (uint32_t at = *head; at != VXE_NONE; at = next[first + at]) {
                woken[count++] = (vxe_woken){at, kind};
            }
            *head = VXE_NONE;
        }
        range->done[clock] = near->turn[clock];
    }
    return count;
}

/* Looks at all bundles of a part whose notches have come. */
static void look_around(const vxe_contact_job *job, vxe_near_part *part)
{
    size_t first = 0;
    uint32_t count = 0;
    if (!job->near->due) {
        return;
    }
    for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        first += part->pairs[kind].first / VXE_BUNDLE;
    }
    vxe_woken *woken = job->near->woken + first;
    for (uint32_t kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        count = wake(job->near, part, kind, woken, count);
    }
    for (uint32_t i = 0; i < count; i += BUNDLES) {
        look(job, part, woken + i, count - i < BUNDLES ? count - i : BUNDLES);
    }
}

#endif
