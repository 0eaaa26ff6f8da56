/* SPDX-License-Identifier: MIT */
#include "engine/contact/sticky_links.h"

#include <math.h>
#include <string.h>

#include "engine/contact/penalty_law.h"
#include "engine/core/state_vec.h"

/* Springs in a face that bends: the mean square of the distance from its middle, in edges. */
#define BENDING (1.0 / 12)
/* How much more easily a voxel's surface gives way than its centre: half an edge's turning, I = m
 * a^2/6, comes on top. */
#define AT_SURFACE 2.5
/* A link's dashpot takes at most one part in so many of a rate in a step: a voxel with links on six
   faces so loses half. */
#define STEADY 12
/* A link is renewed where the pair shares so many times as much of a face as it did. */
#define RENEWED 1.25

static vxe_lane4 times(vxe_lane4 p, vxe_lane4 q)
{
    return (vxe_lane4){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                       p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                       p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
                       p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x};
}

static vxe_lane4 conjugate(vxe_lane4 q)
{
    return (vxe_lane4){q.w, -q.x, -q.y, -q.z};
}

static vxe_lane3 three(const double a[3])
{
    return (vxe_lane3){a[0], a[1], a[2]};
}

/* The pair of a link as it stands. */
typedef struct stance {
    uint32_t slot[2];
    vxe_lane3 arm[2]; /* m: from the centres to where they touched */
    vxe_lane3 d;      /* m */
    vxe_lane4 turned; /* by which voxel 2 has turned against voxel 1, in its own axes */
    double spring;    /* N/m */
    double dashpot;   /* N s/m */
    double inverse;   /* 1/kg */
} stance;

static stance stance_of(const vxe_scratch *scratch, const vxe_link *link)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_precision precision = scratch->model->precision;
    stance now;
    for (int i = 0; i < 2; i++) {
        now.slot[i] = scratch->model->surface.slot[link->place[i]];
        now.arm[i] =
            turned_by(vxe_lane_orientation(scratch->state, now.slot[i]), 1, three(link->anchor[i]));
    }
    const vxe_lane3 r = lane_sub(vxe_lane_position(scratch->state, now.slot[1]),
                                 vxe_lane_position(scratch->state, now.slot[0]));
    now.d = lane_add(r, lane_sub(now.arm[1], now.arm[0]));
    const vxe_lane4 rest = {link->rest[0], link->rest[1], link->rest[2], link->rest[3]};
    const vxe_lane4 between = times(conjugate(vxe_lane_orientation(scratch->state, now.slot[0])),
                                    vxe_lane_orientation(scratch->state, now.slot[1]));
    now.turned = times(conjugate(rest), between);
    now.spring =
        link->share * pair_spring(1 / vxe_real_at(precision, s->contact_stiffness, now.slot[0]),
                                  1 / vxe_real_at(precision, s->contact_stiffness, now.slot[1]));
    now.dashpot = pair_dashpot(link->share, vxe_real_at(precision, s->contact_dashpot, now.slot[0]),
                               vxe_real_at(precision, s->contact_dashpot, now.slot[1]));
    now.inverse = vxe_freest(scratch, now.slot[0]) + vxe_freest(scratch, now.slot[1]);
    return now;
}

/* A force on voxel 2 at the ends of the arms, and a moment on it. */
static vxe_contact_share share_of(const vxe_lane3 arm[2], vxe_lane3 force, vxe_lane3 moment)
{
    vxe_contact_share share;
    vxe_lane_put(share.force, force);
    vxe_lane_put(share.moment[0], lane_scaled(-1, lane_add(moment, lane_cross(arm[0], force))));
    vxe_lane_put(share.moment[1], lane_add(moment, lane_cross(arm[1], force)));
    return share;
}

vxe_contact_sample vxe_link_measure(const vxe_scratch *scratch, const vxe_link *link,
                                    const vxe_state *rates, double h)
{
    const stance now = stance_of(scratch, link);
    const double a2 = scratch->model->edge * scratch->model->edge;
    const double bending = BENDING * a2 * now.spring;
    const vxe_lane3 u = {now.turned.x, now.turned.y, now.turned.z};
    const vxe_lane4 q = vxe_lane_orientation(scratch->state, now.slot[1]);
    const vxe_lane3 spring = lane_scaled(-now.spring, now.d);
    const vxe_lane3 unbend = turned_by(q, 1, lane_scaled(-2 * bending * now.turned.w, u));
    const vxe_lane3 spin[2] = {vxe_lane_spin(rates, now.slot[0]),
                               vxe_lane_spin(rates, now.slot[1])};
    /* to one point for both: what is not along d would turn the pair otherwise */
    const vxe_lane3 middle[2] = {lane_add_scaled(now.arm[0], 0.5, now.d),
                                 lane_add_scaled(now.arm[1], -0.5, now.d)};
    const vxe_lane3 drift =
        lane_sub(vxe_lane_velocity(rates, now.slot[1]), vxe_lane_velocity(rates, now.slot[0]));
    const vxe_lane3 rate =
        lane_add(drift, lane_sub(lane_cross(spin[1], middle[1]), lane_cross(spin[0], middle[0])));
    const double c = now.dashpot / (1 + h * now.dashpot * STEADY * AT_SURFACE * now.inverse);
    const double turning = now.dashpot / (1 + h * now.dashpot * STEADY * 6 * BENDING * now.inverse);
    const vxe_lane3 unspin = lane_scaled(-BENDING * a2 * turning, lane_sub(spin[1], spin[0]));
    const vxe_lane3 none = {0, 0, 0};
    return (vxe_contact_sample){.energy = 0.5 * now.spring * lane_dot(now.d, now.d) +
                                          2 * bending * lane_dot(u, u),
                                .spring = share_of(now.arm, spring, unbend),
                                .dashpot = share_of(middle, lane_scaled(-c, rate), unspin),
                                .friction = share_of(middle, none, none)};
}

/* Where a pair's link is among those of a state, or would be. */
static uint32_t find_link(const vxe_state *state, uint32_t one, uint32_t two, bool *found)
{
    uint32_t low = 0;
    uint32_t high = state->link_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t *place = state->links[middle].place;
        if (place[0] < one || (place[0] == one && place[1] < two)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *found = low < state->link_count && state->links[low].place[0] == one &&
             state->links[low].place[1] == two;
    return low;
}

/* A link of two voxels as they stand: half way between their centres. */
static vxe_link link_between(const vxe_scratch *scratch, const vxe_contact_place *pair,
                             double share)
{
    vxe_link link = {.place = {pair->first, pair->second}, .share = share};
    vxe_lane4 q[2];
    for (int i = 0; i < 2; i++) {
        q[i] = vxe_lane_orientation(scratch->state, pair->slot[i]);
    }
    const vxe_lane3 half =
        lane_scaled(0.5, lane_sub(vxe_lane_position(scratch->state, pair->slot[1]),
                                  vxe_lane_position(scratch->state, pair->slot[0])));
    vxe_lane_put(link.anchor[0], turned_by(q[0], -1, half));
    vxe_lane_put(link.anchor[1], turned_by(q[1], -1, lane_scaled(-1, half)));
    const vxe_lane4 rest = times(conjugate(q[0]), q[1]);
    memcpy(link.rest, (const double[4]){rest.w, rest.x, rest.y, rest.z}, sizeof link.rest);
    return link;
}

static void add_share(const vxe_scratch *scratch, const vxe_link *link,
                      const vxe_contact_share *share, double part)
{
    for (int end = 0; end < 2; end++) {
        double six[6];
        for (int c = 0; c < 3; c++) {
            six[c] = part * (end == 0 ? -share->force[c] : share->force[c]);
            six[3 + c] = part * share->moment[end][c];
        }
        vxe_scratch_contacts_load(scratch, link->place[end], six);
    }
}

/* A link ends: what it holds is dissipated. Its last kick is half of the time before it and half of
 * that behind. */
static void release(const vxe_scratch *scratch, const vxe_link *link,
                    const vxe_contact_sample *sample)
{
    scratch->state->released += sample->energy;
    add_share(scratch, link, &sample->spring, 0.5);
}

/* Links a pair that touches, if both voxels are of one sticky material and not linked yet, or by
 * less of a face. */
static void attach(const vxe_scratch *scratch, const vxe_contact_place *pair, double h)
{
    const uint32_t *glue = scratch->model->glue;
    vxe_state *state = scratch->state;
    bool linked = false;
    if (glue[pair->slot[0]] == VXE_NONE || glue[pair->slot[0]] != glue[pair->slot[1]]) {
        return;
    }
    const uint32_t at = find_link(state, pair->first, pair->second, &linked);
    const vxe_contact_sample sample = vxe_contact_measure(scratch, pair, state, h);
    if (!(sample.energy > 0) || (linked && sample.share < RENEWED * state->links[at].share)) {
        return;
    }
    if (linked) {
        const vxe_contact_sample old = vxe_link_measure(scratch, &state->links[at], state, h);
        release(scratch, &state->links[at], &old);
        state->links[at] = link_between(scratch, pair, sample.share);
        return;
    }
    if (state->link_count == state->link_room) {
        scratch->contacts->links_full = true;
        return;
    }
    memmove(state->links + at + 1, state->links + at,
            (state->link_count - at) * sizeof *state->links);
    state->links[at] = link_between(scratch, pair, sample.share);
    state->link_count++;
}

/* Pairs that the step's lists say touch. */
static void attach_touching(const vxe_scratch *scratch, const vxe_pairs *pairs,
                            const vxe_pair_range *range, uint32_t first, double h)
{
    const vxe_surface *surface = &scratch->model->surface;
    for (uint32_t p = 0; (p = vxe_pair_touching(pairs, range, p)) < range->count; p++) {
        const uint32_t one = pairs->of[0][range->first + p];
        const uint32_t two = pairs->of[1][range->first + p];
        const vxe_contact_place pair = {
            .first = one, .second = two, .slot = {surface->slot[one], surface->slot[two]}};
        if (one >= first) { /* else another slab has it as well */
            attach(scratch, &pair, h);
        }
    }
}

/* Whether a link is pulled harder than it holds. */
static bool lets_go(const vxe_scratch *scratch, const vxe_link *link,
                    const vxe_contact_sample *sample)
{
    const vxe_surface *surface = &scratch->model->surface;
    const double *detach_stress = scratch->model->detach_stress;
    const double holds = fmin(detach_stress[surface->slot[link->place[0]]],
                              detach_stress[surface->slot[link->place[1]]]);
    const vxe_lane3 r = lane_sub(vxe_lane_position(scratch->state, surface->slot[link->place[1]]),
                                 vxe_lane_position(scratch->state, surface->slot[link->place[0]]));
    const vxe_lane3 f = three(sample->spring.force);
    const double r2 = lane_dot(r, r);
    const double pressed = r2 > 0 && lane_dot(f, r) > 0 ? lane_dot(f, r) / r2 : 0;
    const vxe_lane3 pull = lane_add_scaled(f, -pressed, r); /* or shear: what presses holds */
    return sqrt(lane_dot(pull, pull)) >
           holds * link->share * scratch->model->edge * scratch->model->edge;
}

void vxe_scratch_stick(const vxe_scratch *scratch, double h)
{
    const vxe_contact_scratch *contacts = scratch->contacts;
    const vxe_near *near = &contacts->lists.near;
    vxe_state *state = scratch->state;
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        const vxe_near_part *part = &contacts->parts[s];
        for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
            attach_touching(scratch, &near->pairs[kind], &part->pairs[kind], part->first, h);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->link_count; i++) {
        const vxe_link link = state->links[i];
        const vxe_contact_sample sample = vxe_link_measure(scratch, &link, state, h);
        if (lets_go(scratch, &link, &sample)) {
            release(scratch, &link, &sample);
            continue;
        }
        state->links[kept++] = link;
        add_share(scratch, &link, &sample.spring, 1);
        add_share(scratch, &link, &sample.dashpot, 1);
    }
    state->link_count = kept;
}
