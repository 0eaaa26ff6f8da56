/* SPDX-License-Identifier: MIT */
/* Wake-up checks, for narrow_phase.c. Most listed pairs are apart for long, and computing their
   distance in every step would cost more than the contacts themselves. So each bundle of pairs
   waits on a timing wheel until motion could have closed its smallest gap; then it is checked, its
   pairs that may touch are marked, and it waits again for the gap of the others. */
#ifndef VXE_ENGINE_CONTACT_PAIR_WAKEUP_H
#define VXE_ENGINE_CONTACT_PAIR_WAKEUP_H

#include "engine/contact/contact_gather.h"
#include "engine/contact/contact_kernels.h"

VXE_INLINE vxe_real largest_component(vxe_vec3 a)
{
    return largest3(magnitude(a.x), magnitude(a.y), magnitude(a.z));
}

/* How far the pairs of a bundle are from touching. */
typedef struct gap {
    float apart; /* m: smallest gap of its pairs, by faces or by centres, whichever is larger */
    float by_distance; /* m: smallest gap of its pairs by centres alone */
    uint32_t close;    /* a bit for each pair that may touch; those are not in the gaps above */
} gap;

/* m: a gap beyond any wheel. */
#define NEVER 1e30f

/* The gaps of a bundle. spheres: a constant where this is compiled. */
VXE_INLINE gap find_gap(const row *restrict one, const row *restrict two,
                        const vxe_neighbor_list *neighbors, vxe_real edge, bool spheres)
{
    const vxe_real by_length = spheres ? R(VXE_SPHERE) : R(VXE_CORNERS);
    const vxe_real faceless = spheres ? R(1e30) : R(0);
    const vxe_real arm = (vxe_real)neighbors->arm;
    const float close_by = neighbors->slack + neighbors->close;
    float min = NEVER;
    float least_distance = NEVER;
    uint32_t close = 0;
#pragma omp simd reduction(min : min, least_distance) reduction(| : close)
    for (uint32_t i = 0; i < VXE_BUNDLE; i++) {
        const vxe_vec3 r = vec_sub(three(&two[i], AT_X), three(&one[i], AT_X));
        const vxe_real length = mean_edge(&one[i], &two[i], edge);
        const vxe_real by_one = largest_component(turned_by(orientation_of(&one[i]), -1, r));
        const vxe_real by_two = largest_component(turned_by(orientation_of(&two[i]), -1, r));
        const vxe_real above = (by_one < by_two ? by_one : by_two) - length - faceless;
        const vxe_real distance = vxe_root(vec_dot(r, r));
        const float by_faces = (float)(arm - distance < above ? arm - distance : above);
        const float by_distance = (float)(distance - by_length * length);
        const float apart = by_faces > by_distance ? by_faces : by_distance;
        const bool waits = apart > close_by; /* false too where `apart` is not a number */
        const float counted = waits ? apart : NEVER;
        const float counted_distance = waits ? by_distance : NEVER;
        min = counted < min ? counted : min;
        least_distance = counted_distance < least_distance ? counted_distance : least_distance;
        close |= (waits ? 0u : 1u) << i;
    }
    return (gap){min, least_distance, close};
}

/* m: the smallest gap of a bundle by the distance of centres alone. */
VXE_INLINE float least_distance(const row *restrict one, const row *restrict two, vxe_real edge)
{
    float min = NEVER;
#pragma omp simd reduction(min : min)
    for (uint32_t i = 0; i < VXE_BUNDLE; i++) {
        const vxe_vec3 r = vec_sub(three(&two[i], AT_X), three(&one[i], AT_X));
        const vxe_real length = mean_edge(&one[i], &two[i], edge);
        const float apart = (float)(vxe_root(vec_dot(r, r)) - R(VXE_CORNERS) * length);
        min = apart < min ? apart : min;
    }
    return min;
}

/* If a bundle could not wait for so many ticks by distance alone, faces are checked as well. */
#define LONG_ENOUGH 10u

/* Lets a bundle wait by the distance of centres alone, which is nearly always enough for pairs that
   are diagonal in the lattice; false if it would have to be checked again soon. No pair of the
   bundle can touch while it waits. */
static bool waits_by_distance(const vxe_contact_job *job, const vxe_pairs *pairs,
                              vxe_pair_range *range, uint32_t bundle, const row *one,
                              const row *two)
{
    const vxe_neighbor_list *neighbors = job->neighbors;
    const float min = least_distance(one, two, (vxe_real)job->model->edge);
    const uint32_t ahead = vxe_ticks_ahead(neighbors, VXE_APPROACH_DISTANCE, min);
    if (ahead < LONG_ENOUGH) {
        return false;
    }
    vxe_bundle_touches(pairs, range, bundle, 0);
    vxe_bundle_to_tick(neighbors, pairs, range, bundle, VXE_APPROACH_DISTANCE, ahead);
    return true;
}

/* The full check of a bundle: marks its pairs that may touch, and puts it onto the wheel on which
   it waits longer for the others. one, two: poses of its voxels. */
static void check_pairs(const vxe_contact_job *job, const vxe_pairs *pairs, vxe_pair_range *range,
                        uint32_t bundle, const row *one, const row *two)
{
    const vxe_neighbor_list *neighbors = job->neighbors;
    const vxe_real edge = (vxe_real)job->model->edge;
    const gap found = neighbors->surface->spheres ? find_gap(one, two, neighbors, edge, true)
                                                  : find_gap(one, two, neighbors, edge, false);
    vxe_bundle_touches(pairs, range, bundle, found.close);
    const bool by_distance = found.by_distance > neighbors->slack + neighbors->close &&
                             found.by_distance * neighbors->rate_ratio > found.apart;
    const vxe_approach approach = by_distance ? VXE_APPROACH_DISTANCE : VXE_APPROACH_FACES;
    vxe_bundle_to_tick(
        neighbors, pairs, range, bundle, approach,
        vxe_ticks_ahead(neighbors, approach, by_distance ? found.by_distance : found.apart));
}

/* Bundles whose rows are copied before the first of them is checked: rows that have just been
   written number by number cannot be read back as vectors at once without a stall. */
#define BUNDLES 8u

/* Checks bundles of a part, at most BUNDLES. */
static void check_bundles(const vxe_contact_job *job, vxe_neighbor_part *part,
                          const vxe_woken *those, uint32_t count)
{
    VXE_ASSERT(count > 0 && count <= BUNDLES);
    const row *poses = job->neighbors->pose;
    row ends[2][BUNDLES * VXE_BUNDLE];
    for (uint32_t b = 0; b < count; b++) {
        VXE_ASSERT(those[b].kind < VXE_PAIRS_KINDS);
        VXE_ASSERT(those[b].bundle < vxe_bundles_of(&part->pairs[those[b].kind]));
        const vxe_pairs *pairs = &job->neighbors->pairs[those[b].kind];
        const size_t p = part->pairs[those[b].kind].first + (size_t)those[b].bundle * VXE_BUNDLE;
        for (uint32_t i = 0; i < VXE_BUNDLE; i++) {
            ends[0][b * VXE_BUNDLE + i] = poses[pairs->of[0][p + i]];
            ends[1][b * VXE_BUNDLE + i] = poses[pairs->of[1][p + i]];
        }
    }
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t kind = those[b].kind;
        const vxe_pairs *pairs = &job->neighbors->pairs[kind];
        vxe_pair_range *range = &part->pairs[kind];
        const row *one = ends[0] + (size_t)b * VXE_BUNDLE;
        const row *two = ends[1] + (size_t)b * VXE_BUNDLE;
        const bool slants = kind == VXE_PAIRS_SLANTING || kind == VXE_PAIRS_DIAGONAL;
        if (!slants || !waits_by_distance(job, pairs, range, those[b].bundle, one, two)) {
            check_pairs(job, pairs, range, those[b].bundle, one, two);
        }
    }
}

/* Moves the bundles of a kind whose ticks have come from the wheels into woken, which has `count`
   bundles already; returns the new count. */
static uint32_t wake(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part, uint32_t kind,
                     vxe_woken *woken, uint32_t count)
{
    vxe_pair_range *range = &part->pairs[kind];
    const size_t first = range->first / VXE_BUNDLE;
    const uint32_t *next = neighbors->pairs[kind].next;
    for (uint32_t approach = 0; approach < VXE_APPROACHES; approach++) {
        VXE_ASSERT(neighbors->turn[approach] + 1 >= range->done[approach] + 1);
        uint32_t *wheel = range->wheel + (size_t)approach * VXE_WHEEL_TICKS;
        const uint64_t passed = neighbors->turn[approach] - range->done[approach];
        const uint64_t ticks = passed < VXE_WHEEL_TICKS ? passed : VXE_WHEEL_TICKS;
        for (uint64_t n = 1; n <= ticks; n++) {
            uint32_t *head = &wheel[(range->done[approach] + n) % VXE_WHEEL_TICKS];
            for (uint32_t at = *head; at != VXE_NONE; at = next[first + at]) {
                VXE_ASSERT(at < vxe_bundles_of(range));
                woken[count++] = (vxe_woken){at, kind};
            }
            *head = VXE_NONE;
        }
        range->done[approach] = neighbors->turn[approach];
    }
    return count;
}

/* Checks all bundles of a part whose ticks have come. */
static void check_due_bundles(const vxe_contact_job *job, vxe_neighbor_part *part)
{
    size_t first = 0;
    uint32_t count = 0;
    if (!job->neighbors->due) {
        return;
    }
    for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        first += part->pairs[kind].first / VXE_BUNDLE;
    }
    vxe_woken *woken = job->neighbors->woken + first;
    for (uint32_t kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        count = wake(job->neighbors, part, kind, woken, count);
    }
    for (uint32_t i = 0; i < count; i += BUNDLES) {
        check_bundles(job, part, woken + i, count - i < BUNDLES ? count - i : BUNDLES);
    }
}

#endif
