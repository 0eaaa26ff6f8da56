/* SPDX-License-Identifier: MIT */
/* Pairs in contact, measured in double, one by one. */
#include <math.h>

#include "engine/contact/penalty_law.h"
#include "engine/contact/sticky_links.h"
#include "engine/core/state_vec.h"
#include "engine/solver/measure.h"

/* Moves to the next pair of a range that may touch, and is not another slab's as well. */
static bool next_of(const vxe_workspace *workspace, const vxe_pairs *pairs,
                    const vxe_pair_range *range, uint32_t first, vxe_contact_place *place)
{
    const vxe_surface *surface = &workspace->model->surface;
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

double vxe_max_inverse_mass(const vxe_workspace *workspace, uint32_t slot)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    return fmax(vxe_real_at(precision, s->inverse_mass[0], slot),
                fmax(vxe_real_at(precision, s->inverse_mass[1], slot),
                     vxe_real_at(precision, s->inverse_mass[2], slot)));
}

static vxe_contact_end end_of(const vxe_workspace *workspace, const vxe_state *rates, uint32_t k)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    const uint32_t slot = workspace->model->surface.slot[k];
    return (vxe_contact_end){.q = vxe_vec_orientation(workspace->state, slot),
                             .v = vxe_vec_velocity(rates, slot),
                             .w = vxe_vec_spin(rates, slot),
                             .faces = workspace->contacts->lists.neighbors.faces[k],
                             .inverse = vxe_max_inverse_mass(workspace, slot),
                             .softness = 1 / vxe_real_at(precision, s->contact_stiffness, slot),
                             .dashpot = vxe_real_at(precision, s->contact_dashpot, slot),
                             .static_friction = vxe_real_at(precision, s->static_friction, slot),
                             .dynamic_friction = vxe_real_at(precision, s->dynamic_friction, slot)};
}

/* A force that acts at the middle of the chord r. */
static vxe_contact_share share_at_middle(vxe_vec3 r, vxe_vec3 force)
{
    vxe_contact_share share;
    vxe_vec_put(share.force, force);
    for (int end = 0; end < 2; end++) {
        vxe_vec_put(share.moment[end], vec_scaled(R(-0.5), vec_cross(r, force)));
    }
    return share;
}

static vxe_contact_share spring_share(vxe_vec3 r, const vxe_contact_push *push)
{
    vxe_contact_share share;
    vxe_vec_put(share.force, vec_add(push->first, push->second));
    vxe_vec_put(share.moment[0], vec_scaled(-1, vec_cross(r, push->first)));
    vxe_vec_put(share.moment[1], vec_scaled(-1, vec_cross(r, push->second)));
    return share;
}

/* A touch of grains as it was computed last; what slips is in the state. */
static vxe_contact_sample sample_of_particles(const vxe_particle_contact *contact)
{
    vxe_contact_sample sample = {.energy = contact->energy, .share = 1};
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        sample.spring.force[c] = contact->spring[c];
        sample.dashpot.force[c] = contact->dashpot[c];
        for (int end = 0; end < 2; end++) {
            const double *arm = contact->arm[end];
            const double sign = end ? 1 : -1;
            sample.spring.moment[end][c] =
                sign * (arm[d] * contact->spring[e] - arm[e] * contact->spring[d]);
            sample.dashpot.moment[end][c] =
                sign * (arm[d] * contact->dashpot[e] - arm[e] * contact->dashpot[d]);
        }
    }
    for (int c = 0; c < 3; c++) { /* of laws over faces; a share's force is on the second */
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
    if (place->contact) {
        return sample_of_particles(place->contact);
    }
    if (place->link) {
        return vxe_sticky_link_measure(workspace, place->link, rates, h);
    }
    const vxe_reals *edge_growth = workspace->arrays.edge_growth;
    const vxe_precision precision = workspace->model->precision;
    const vxe_vec3 r = vec_sub(vxe_vec_position(workspace->state, place->slot[1]),
                               vxe_vec_position(workspace->state, place->slot[0]));
    const double length =
        workspace->arrays.edge + 0.5 * (vxe_real_at(precision, edge_growth, place->slot[0]) +
                                        vxe_real_at(precision, edge_growth, place->slot[1]));
    const vxe_contact_end one = end_of(workspace, rates, place->first);
    const vxe_contact_end two = end_of(workspace, rates, place->second);
    const vxe_contact_push push = workspace->model->surface.spheres
                                      ? contact_by_spheres(r, length, one, two)
                                      : contact_by_faces(r, length, one, two, h);
    return (vxe_contact_sample){.energy = push.energy,
                                .share = push.share,
                                .spring = spring_share(r, &push),
                                .dashpot = share_at_middle(r, push.dashpot),
                                .friction = share_at_middle(r, push.friction)};
}
