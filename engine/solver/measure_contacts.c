/* SPDX-License-Identifier: MIT */
/* Pairs of voxels in contact, measured in double, one by one: voxels that push, sticky links,
   and particles. */
#include <math.h>

#include "common/assert_internal.h"
#include "engine/contact/contact.h"
#include "engine/solver/measure.h"

/* Moves to the next pair of a range that may touch; skips those that another partition lists as
   well. */
static bool next_of(const vxe_workspace *workspace, const vxe_pairs *pairs,
                    const vxe_pair_range *range, uint32_t first, vxe_contact_place *place)
{
    const vxe_surface *surface = &workspace->model->surface;
    for (uint32_t at = place->next; (at = vxe_pair_touching(pairs, range, at)) < range->count;
         at++) {
        place->first = pairs->of[0][range->first + at];
        place->second = pairs->of[1][range->first + at];
        VXE_ASSERT(place->first < surface->count && place->second < surface->count);
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

/* Moves to the next closed contact of particles. */
static bool next_particles(const vxe_workspace *workspace, vxe_contact_place *place)
{
    const vxe_particle_workspace *s = workspace->particles;
    const vxe_particle_contact *next = place->contact ? place->contact + 1 : s ? s->contact : NULL;
    for (; s && next < s->contact + s->contact_count; next++) {
        if (next->active) {
            *place = (vxe_contact_place){.list = place->list,
                                         .next = place->next,
                                         .contact = next,
                                         .slot = {next->memory.slot[0], next->memory.slot[1]}};
            return true;
        }
    }
    return false;
}

uint32_t vxe_contact_lists(const vxe_workspace *workspace)
{
    return VXE_PAIRS_KINDS * workspace->partition_count;
}

bool vxe_contact_next(const vxe_workspace *workspace, vxe_contact_place *place)
{
    const uint32_t lists = vxe_contact_lists(workspace);
    for (; workspace->contacts && place->list < lists; place->list++) {
        const vxe_neighbor_list *neighbors = &workspace->contacts->lists.neighbors;
        const vxe_neighbor_part *part = &workspace->contacts->parts[place->list / VXE_PAIRS_KINDS];
        const uint32_t kind = place->list % VXE_PAIRS_KINDS;
        if (next_of(workspace, &neighbors->pairs[kind], &part->pairs[kind], part->first, place)) {
            return true;
        }
    }
    if (workspace->contacts && place->next < workspace->state->sticky_link_count) {
        place->link = &workspace->state->sticky_links[place->next++];
        for (int end = 0; end < 2; end++) {
            place->slot[end] = workspace->model->surface.slot[place->link->place[end]];
        }
        return true;
    }
    return next_particles(workspace, place);
}

/* A contact of particles as it was computed last; energy lost by slipping is in the state. */
static vxe_contact_sample sample_of_particles(const vxe_particle_contact *contact)
{
    vxe_contact_sample sample = {.energy = contact->energy, .share = 1};
    for (int end = 0; end < 2; end++) {
        const double sign = end ? 1 : -1;
        double spring[3];
        double dashpot[3];
        vxe_cross3(contact->arm[end], contact->spring, spring);
        vxe_cross3(contact->arm[end], contact->dashpot, dashpot);
        for (int c = 0; c < 3; c++) {
            sample.spring.moment[end][c] = sign * spring[c];
            sample.dashpot.moment[end][c] = sign * dashpot[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        sample.spring.force[c] = contact->spring[c];
        sample.dashpot.force[c] = contact->dashpot[c];
    }
    for (int c = 0; c < 3; c++) { /* loads of contact models over faces; a share's force acts on
                                     the second voxel */
        sample.spring.force[c] -= contact->faces[c];
        sample.spring.moment[0][c] += contact->faces[c + 3] + contact->couple[0][c];
        sample.spring.moment[1][c] += contact->couple[1][c];
    }
    return sample;
}

vxe_contact_sample vxe_contact_measure(const vxe_workspace *workspace,
                                       const vxe_contact_place *place, const vxe_state *rates,
                                       double h)
{
    VXE_ASSERT(h > 0 && rates->slots == workspace->model->slots);
    if (place->contact) {
        return sample_of_particles(place->contact);
    }
    if (place->link) {
        return vxe_sticky_link_measure(workspace, place->link, rates, h);
    }
    return vxe_contact_pair_measure(workspace, place->first, place->second, rates, h);
}
