/* SPDX-License-Identifier: MIT */
/* The penalty law of one pair of voxels, in double and term by term: for measurements, the energy
   audit and sticky links, which need the single terms that narrow_phase.c only adds up. */
#include <math.h>

#include "common/assert_internal.h"
#include "engine/contact/contact.h"
#include "engine/contact/penalty_law.h"
#include "engine/core/state_vec.h"

double vxe_max_inverse_mass(const vxe_workspace *workspace, uint32_t slot)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    return fmax(vxe_real_at(precision, s->inverse_mass[0], slot),
                fmax(vxe_real_at(precision, s->inverse_mass[1], slot),
                     vxe_real_at(precision, s->inverse_mass[2], slot)));
}

/* One voxel of a pair, by its place in the surface's list. were: its faces in the step before;
   null: those of now. */
static vxe_contact_end end_of(const vxe_workspace *workspace, const vxe_state *rates, uint32_t k,
                              const uint8_t *were)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    const uint32_t slot = workspace->model->surface.slot[k];
    const uint8_t faces = workspace->contacts->lists.neighbors.faces[k];
    return (vxe_contact_end){.q = vxe_vec_orientation(workspace->state, slot),
                             .v = vxe_vec_velocity(rates, slot),
                             .w = vxe_vec_spin(rates, slot),
                             .faces = faces,
                             .were = were ? *were : faces,
                             .z = vxe_vec_position(workspace->state, slot).z,
                             .inverse = vxe_max_inverse_mass(workspace, slot),
                             .softness = 1 / vxe_real_at(precision, s->contact_stiffness, slot),
                             .dashpot = vxe_real_at(precision, s->contact_dashpot, slot),
                             .static_friction = vxe_real_at(precision, s->static_friction, slot),
                             .dynamic_friction = vxe_real_at(precision, s->dynamic_friction, slot)};
}

/* Force and moments of a force that acts in the middle of the chord r (m). */
static vxe_contact_share share_at_middle(vxe_vec3 r, vxe_vec3 force)
{
    vxe_contact_share share;
    vxe_vec_put(share.force, force);
    for (int end = 0; end < 2; end++) {
        vxe_vec_put(share.moment[end], vec_scaled(R(-0.5), vec_cross(r, force)));
    }
    return share;
}

/* Force and moments of the springs; the moment of a voxel's faces is on that voxel. */
static vxe_contact_share spring_share(vxe_vec3 r, const vxe_contact_push *push)
{
    vxe_contact_share share;
    vxe_vec_put(share.force, vec_add(push->first, push->second));
    vxe_vec_put(share.moment[0], vec_scaled(-1, vec_cross(r, push->first)));
    vxe_vec_put(share.moment[1], vec_scaled(-1, vec_cross(r, push->second)));
    return share;
}

/* What a pair of the native law has kept; null: nothing. */
static const vxe_kept_contact *kept_of(const vxe_state *state, uint32_t lower, uint32_t upper)
{
    const vxe_kept_contacts *kept = &state->kept_contacts[state->step & 1];
    return lower < state->touching ? vxe_kept_contact_find(kept, lower, upper) : NULL;
}

vxe_contact_sample vxe_contact_pair_measure(const vxe_workspace *workspace, uint32_t first,
                                            uint32_t second, const vxe_state *rates, double h)
{
    const vxe_surface *surface = &workspace->model->surface;
    VXE_ASSERT(first < surface->count && second < surface->count && first != second);
    const uint32_t slot[2] = {surface->slot[first], surface->slot[second]};
    const vxe_reals *edge_growth = workspace->arrays.edge_growth;
    const vxe_precision precision = workspace->model->precision;
    const vxe_vec3 r = vec_sub(vxe_vec_position(workspace->state, slot[1]),
                               vxe_vec_position(workspace->state, slot[0]));
    const double length =
        workspace->arrays.edge + 0.5 * (vxe_real_at(precision, edge_growth, slot[0]) +
                                        vxe_real_at(precision, edge_growth, slot[1]));
    const vxe_kept_contact *kept = kept_of(rates, first, second);
    const vxe_contact_end one = end_of(workspace, rates, first, kept ? &kept->faces[0] : NULL);
    const vxe_contact_end two = end_of(workspace, rates, second, kept ? &kept->faces[1] : NULL);
    const bool opens = vxe_workspace_contacts_open(workspace, rates->step);
    const vxe_contact_when when = {.h = h,
                                   .step = rates->time_step,
                                   .opens = opens,
                                   .averages = surface->loose,
                                   .ground = vxe_contact_ground(&workspace->arrays)};
    const vxe_contact_push push = workspace->model->surface.spheres
                                      ? contact_by_spheres(r, length, one, two)
                                      : contact_by_faces(r, length, one, two, when, recalled(kept));
    return (vxe_contact_sample){.energy = push.energy,
                                .share = push.share,
                                .spring = spring_share(r, &push),
                                .dashpot = share_at_middle(r, push.dashpot),
                                .friction = share_at_middle(r, push.friction)};
}
