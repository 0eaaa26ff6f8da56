/* SPDX-License-Identifier: MIT */
/* Pairs in contact, measured in double, one by one. */
#include <math.h>

#include "engine/contact/penalty_law.h"
#include "engine/contact/sticky_links.h"
#include "engine/core/state_vec.h"
#include "engine/solver/measure.h"

/* Moves to the next pair of a range that may touch, and is not another slab's as well. */
static bool next_of(const vxe_scratch *scratch, const vxe_pairs *pairs, const vxe_pair_range *range,
                    uint32_t first, vxe_contact_place *place)
{
    const vxe_surface *surface = &scratch->model->surface;
    for (uint32_t at = place->next; (at = vxe_pair_touching(pairs, range, at)) < range->count;
         at++) {
        place->first = pairs->of[0][range->first + at];
        place->second = pairs->of[1][range->first + at];
        place->slot[0] = surface->slot[place->first];
        place->slot[1] = surface->slot[place->second];
        if (place->first >= first) {
            place->next = at + 1;
            return true;
        }
    }
    place->next = 0;
    return false;
}

/* The next touch of grains that is closed. */
static bool next_grains(const vxe_scratch *scratch, vxe_contact_place *place)
{
    const vxe_grain_scratch *s = scratch->grains;
    const vxe_grain_touch *next = place->touch ? place->touch + 1 : s ? s->touch : NULL;
    for (; s && next < s->touch + s->touch_count; next++) {
        if (next->active) {
            *place = (vxe_contact_place){.list = place->list,
                                         .next = place->next,
                                         .touch = next,
                                         .slot = {next->memory.slot[0], next->memory.slot[1]}};
            return true;
        }
    }
    return false;
}

uint32_t vxe_contact_lists(const vxe_scratch *scratch)
{
    return VXE_PAIRS_KINDS * scratch->slab_count;
}

bool vxe_contact_next(const vxe_scratch *scratch, vxe_contact_place *place)
{
    const uint32_t lists = vxe_contact_lists(scratch);
    for (; scratch->contacts && place->list < lists; place->list++) {
        const vxe_near *near = &scratch->contacts->lists.near;
        const vxe_near_part *part = &scratch->contacts->parts[place->list / VXE_PAIRS_KINDS];
        const uint32_t kind = place->list % VXE_PAIRS_KINDS;
        if (next_of(scratch, &near->pairs[kind], &part->pairs[kind], part->first, place)) {
            return true;
        }
    }
    if (scratch->contacts && place->next < scratch->state->link_count) {
        place->link = &scratch->state->links[place->next++];
        for (int end = 0; end < 2; end++) {
            place->slot[end] = scratch->model->surface.slot[place->link->place[end]];
        }
        return true;
    }
    return next_grains(scratch, place);
}

double vxe_freest(const vxe_scratch *scratch, uint32_t slot)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_precision precision = scratch->model->precision;
    return fmax(vxe_real_at(precision, s->inverse_mass[0], slot),
                fmax(vxe_real_at(precision, s->inverse_mass[1], slot),
                     vxe_real_at(precision, s->inverse_mass[2], slot)));
}

static vxe_contact_end end_of(const vxe_scratch *scratch, const vxe_state *rates, uint32_t k)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_precision precision = scratch->model->precision;
    const uint32_t slot = scratch->model->surface.slot[k];
    return (vxe_contact_end){.q = vxe_lane_orientation(scratch->state, slot),
                             .v = vxe_lane_velocity(rates, slot),
                             .w = vxe_lane_spin(rates, slot),
                             .faces = scratch->contacts->lists.near.faces[k],
                             .inverse = vxe_freest(scratch, slot),
                             .softness = 1 / vxe_real_at(precision, s->contact_stiffness, slot),
                             .dashpot = vxe_real_at(precision, s->contact_dashpot, slot),
                             .static_friction = vxe_real_at(precision, s->static_friction, slot),
                             .dynamic_friction = vxe_real_at(precision, s->dynamic_friction, slot)};
}

/* A force that acts at the middle of the chord r. */
static vxe_contact_share share_at_middle(vxe_lane3 r, vxe_lane3 force)
{
    vxe_contact_share share;
    vxe_lane_put(share.force, force);
    for (int end = 0; end < 2; end++) {
        vxe_lane_put(share.moment[end], lane_scaled(R(-0.5), lane_cross(r, force)));
    }
    return share;
}

static vxe_contact_share spring_share(vxe_lane3 r, const vxe_contact_push *push)
{
    vxe_contact_share share;
    vxe_lane_put(share.force, lane_add(push->first, push->second));
    vxe_lane_put(share.moment[0], lane_scaled(-1, lane_cross(r, push->first)));
    vxe_lane_put(share.moment[1], lane_scaled(-1, lane_cross(r, push->second)));
    return share;
}

/* A touch of grains as it was computed last; what slips is in the state. */
static vxe_contact_sample sample_of_grains(const vxe_grain_touch *touch)
{
    vxe_contact_sample sample = {.energy = touch->energy, .share = 1};
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        sample.spring.force[c] = touch->spring[c];
        sample.dashpot.force[c] = touch->dashpot[c];
        for (int end = 0; end < 2; end++) {
            const double *arm = touch->arm[end];
            const double sign = end ? 1 : -1;
            sample.spring.moment[end][c] =
                sign * (arm[d] * touch->spring[e] - arm[e] * touch->spring[d]);
            sample.dashpot.moment[end][c] =
                sign * (arm[d] * touch->dashpot[e] - arm[e] * touch->dashpot[d]);
        }
    }
    for (int c = 0; c < 3; c++) { /* of laws over faces; a share's force is on the second */
        sample.spring.force[c] -= touch->faces[c];
        sample.spring.moment[0][c] += touch->faces[c + 3] + touch->couple[0][c];
        sample.spring.moment[1][c] += touch->couple[1][c];
    }
    return sample;
}

vxe_contact_sample vxe_contact_measure(const vxe_scratch *scratch, const vxe_contact_place *place,
                                       const vxe_state *rates, double h)
{
    if (place->touch) {
        return sample_of_grains(place->touch);
    }
    if (place->link) {
        return vxe_link_measure(scratch, place->link, rates, h);
    }
    const vxe_reals *swell = scratch->arrays.swell;
    const vxe_precision precision = scratch->model->precision;
    const vxe_lane3 r = lane_sub(vxe_lane_position(scratch->state, place->slot[1]),
                                 vxe_lane_position(scratch->state, place->slot[0]));
    const double length =
        scratch->arrays.edge + 0.5 * (vxe_real_at(precision, swell, place->slot[0]) +
                                      vxe_real_at(precision, swell, place->slot[1]));
    const vxe_contact_end one = end_of(scratch, rates, place->first);
    const vxe_contact_end two = end_of(scratch, rates, place->second);
    const vxe_contact_push push = scratch->model->surface.spheres
                                      ? contact_by_spheres(r, length, one, two)
                                      : contact_by_faces(r, length, one, two, h);
    return (vxe_contact_sample){.energy = push.energy,
                                .share = push.share,
                                .spring = spring_share(r, &push),
                                .dashpot = share_at_middle(r, push.dashpot),
                                .friction = share_at_middle(r, push.friction)};
}
