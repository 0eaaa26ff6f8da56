/* SPDX-License-Identifier: MIT */
#include "engine/contact_law_internal.h"
#include "engine/measure_internal.h"

bool vxe_contact_next(const vxe_scratch *scratch, vxe_contact_place *place)
{
    const vxe_surface *surface = &scratch->model->surface;
    const vxe_near *near = scratch->contacts ? &scratch->contacts->lists.near : NULL;
    for (; near && place->first < surface->count; place->first++, place->near = 0) {
        while (place->near < near->count[place->first]) {
            const uint32_t other =
                near->list[(uint64_t)place->first * VXE_MOST_NEAR + place->near++];
            if (other > place->first) { /* every pair is in two lists */
                place->second = other;
                place->slot[0] = surface->slot[place->first];
                place->slot[1] = surface->slot[other];
                return true;
            }
        }
    }
    return false;
}

static vxe_contact_end end_of(const vxe_scratch *scratch, const vxe_state *rates, uint32_t k)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_precision precision = scratch->model->precision;
    const vxe_state *poses = scratch->state;
    const uint32_t slot = scratch->model->surface.slot[k];
    return (vxe_contact_end){
        .q = {vxe_state_orientation(poses, 0, slot), vxe_state_orientation(poses, 1, slot),
              vxe_state_orientation(poses, 2, slot), vxe_state_orientation(poses, 3, slot)},
        .v = {vxe_state_velocity(rates, 0, slot), vxe_state_velocity(rates, 1, slot),
              vxe_state_velocity(rates, 2, slot)},
        .w = {vxe_state_spin(rates, 0, slot), vxe_state_spin(rates, 1, slot),
              vxe_state_spin(rates, 2, slot)},
        .faces = scratch->contacts->lists.near.faces[k],
        .inverse = vxe_real_at(precision, s->inverse_mass[0], slot),
        .softness = 1 / vxe_real_at(precision, s->contact_stiffness, slot),
        .dashpot = vxe_real_at(precision, s->contact_dashpot, slot),
        .static_friction = vxe_real_at(precision, s->static_friction, slot),
        .dynamic_friction = vxe_real_at(precision, s->dynamic_friction, slot)};
}

static void put(double out[3], vxe_lane3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* Force on the second voxel and moments of one that acts at the middle of the chord r. */
static void put_loss(vxe_contact_loss *loss, vxe_lane3 r, vxe_lane3 force)
{
    put(loss->force, force);
    put(loss->moment, lane_scaled(R(-0.5), lane_cross(r, force)));
}

vxe_contact_sample vxe_contact_measure(const vxe_scratch *scratch, const vxe_contact_place *place,
                                       const vxe_state *rates, double h)
{
    const vxe_reals *swell = scratch->arrays.swell;
    const vxe_precision precision = scratch->model->precision;
    vxe_real chord[3];
    for (int c = 0; c < 3; c++) {
        chord[c] = vxe_state_position(scratch->state, c, place->slot[1]) -
                   vxe_state_position(scratch->state, c, place->slot[0]);
    }
    const vxe_lane3 r = {chord[0], chord[1], chord[2]};
    const double length =
        scratch->arrays.edge + 0.5 * (vxe_real_at(precision, swell, place->slot[0]) +
                                      vxe_real_at(precision, swell, place->slot[1]));
    const vxe_contact_end one = end_of(scratch, rates, place->first);
    const vxe_contact_end two = end_of(scratch, rates, place->second);
    const vxe_contact_push push = scratch->model->surface.spheres
                                      ? contact_by_spheres(r, length, &one, &two)
                                      : contact_by_faces(r, length, &one, &two, h);
    vxe_contact_sample sample = {.energy = push.energy};
    put_loss(&sample.dashpot, r, push.dashpot);
    put_loss(&sample.friction, r, push.friction);
    return sample;
}
