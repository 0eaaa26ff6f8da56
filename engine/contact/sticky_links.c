/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Sticky links: springs that hold two voxels in the pose in which they touched (docs/physics.md,
   Sticky links).

   Where two voxels of one sticky material touch, a sticky link holds them in their present pose. With
   p_i = R_i a_i the place where voxel i touched, seen from its centre,
       U = k s/2 (|d|^2 + a^2/12 |phi|^2),   d = x_2 + p_2 - x_1 - p_1,
   where phi is twice the vector part of the quaternion by which they have turned since, and s the part
   of a face that they shared. Over a wall the links add up to what a bond would be (a face that bends
   on springs k/a^2 per area has a bending stiffness of a^2/12 k). k and the dashpots c are those of the
   contact; c acts on d and a^2/12 c on phi, weaker than in an implicit step of the pair alone. The
   contact itself acts in addition. A link is released where k s |d|, without the part that presses the
   voxels together, exceeds the weaker voxel's detach stress times s a^2. It is renewed where the voxels
   come to share more of a face. The energy of a link that ends is dissipated. Forces are the gradient
   of U, so that momentum and angular momentum are kept. Links are few: one thread computes them one by
   one, in double. */
/* clang-format on */
#include "engine/contact/contact.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/contact/penalty_law.h"
#include "engine/core/state_vec.h"

/* Mean square distance of the springs of a face from its middle line, in edges squared. */
#define BENDING (1.0 / 12)
/* The dashpot of a link takes at most 1/STEADY of a rate in a step, so that a voxel with links on
   six faces loses at most half. */
#define STEADY 12
/* A link is renewed where the pair shares this many times as much of a face as before. */
#define RENEWED 1.25

/* p q; not in the order of vxe_quaternion_times: the bits of links would change. */
static vxe_quat product(vxe_quat p, vxe_quat q)
{
    return (vxe_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                      p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                      p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
                      p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x};
}

static vxe_quat conjugate(vxe_quat q)
{
    return (vxe_quat){q.w, -q.x, -q.y, -q.z};
}

static vxe_vec3 three(const double a[3])
{
    return (vxe_vec3){a[0], a[1], a[2]};
}

/* The two voxels of a link in their present pose. */
typedef struct stance {
    uint32_t slot[2];
    vxe_vec3 arm[2]; /* m: from the centres to the places that touched */
    vxe_vec3 d;      /* m: gap between these places */
    vxe_quat
        turned;     /* rotation of voxel 2 against voxel 1 since they touched, in axes of voxel 2 */
    double spring;  /* N/m */
    double dashpot; /* N s/m */
    double inverse; /* 1/kg */
} stance;

static stance stance_of(const vxe_workspace *workspace, const vxe_sticky_link *link)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    stance now;
    VXE_ASSERT(link->place[0] < link->place[1] &&
               link->place[1] < workspace->model->surface.count && link->share > 0);
    for (int i = 0; i < 2; i++) {
        now.slot[i] = workspace->model->surface.slot[link->place[i]];
        now.arm[i] = turned_by(vxe_vec_orientation(workspace->state, now.slot[i]), 1,
                               three(link->anchor[i]));
    }
    const vxe_vec3 r = vec_sub(vxe_vec_position(workspace->state, now.slot[1]),
                               vxe_vec_position(workspace->state, now.slot[0]));
    now.d = vec_add(r, vec_sub(now.arm[1], now.arm[0]));
    const vxe_quat rest = {link->rest[0], link->rest[1], link->rest[2], link->rest[3]};
    const vxe_quat between = product(conjugate(vxe_vec_orientation(workspace->state, now.slot[0])),
                                     vxe_vec_orientation(workspace->state, now.slot[1]));
    now.turned = product(conjugate(rest), between);
    now.spring =
        link->share * pair_spring(1 / vxe_real_at(precision, s->contact_stiffness, now.slot[0]),
                                  1 / vxe_real_at(precision, s->contact_stiffness, now.slot[1]));
    now.dashpot = pair_dashpot(link->share, vxe_real_at(precision, s->contact_dashpot, now.slot[0]),
                               vxe_real_at(precision, s->contact_dashpot, now.slot[1]));
    now.inverse =
        vxe_max_inverse_mass(workspace, now.slot[0]) + vxe_max_inverse_mass(workspace, now.slot[1]);
    return now;
}

/* Force and moments of a force (N) on voxel 2 at the ends of the arms, and of a moment (N m) on it.
 */
static vxe_contact_share share_of(const vxe_vec3 arm[2], vxe_vec3 force, vxe_vec3 moment)
{
    vxe_contact_share share;
    vxe_vec_put(share.force, force);
    vxe_vec_put(share.moment[0], vec_scaled(-1, vec_add(moment, vec_cross(arm[0], force))));
    vxe_vec_put(share.moment[1], vec_add(moment, vec_cross(arm[1], force)));
    return share;
}

vxe_contact_sample vxe_sticky_link_measure(const vxe_workspace *workspace,
                                           const vxe_sticky_link *link, const vxe_state *rates,
                                           double h)
{
    const stance now = stance_of(workspace, link);
    const double a2 = workspace->model->edge * workspace->model->edge;
    const double bending = BENDING * a2 * now.spring;
    const vxe_vec3 u = {now.turned.x, now.turned.y, now.turned.z};
    const vxe_quat q = vxe_vec_orientation(workspace->state, now.slot[1]);
    const vxe_vec3 spring = vec_scaled(-now.spring, now.d);
    const vxe_vec3 unbend = turned_by(q, 1, vec_scaled(-2 * bending * now.turned.w, u));
    const vxe_vec3 spin[2] = {vxe_vec_spin(rates, now.slot[0]), vxe_vec_spin(rates, now.slot[1])};
    /* the dashpot acts at one point for both voxels: a force that is not along d would otherwise
       turn the pair */
    const vxe_vec3 middle[2] = {vec_add_scaled(now.arm[0], 0.5, now.d),
                                vec_add_scaled(now.arm[1], -0.5, now.d)};
    const vxe_vec3 drift =
        vec_sub(vxe_vec_velocity(rates, now.slot[1]), vxe_vec_velocity(rates, now.slot[0]));
    const vxe_vec3 rate =
        vec_add(drift, vec_sub(vec_cross(spin[1], middle[1]), vec_cross(spin[0], middle[0])));
    const double c = now.dashpot / (1 + h * now.dashpot * STEADY * AT_SURFACE * now.inverse);
    const double turning = now.dashpot / (1 + h * now.dashpot * STEADY * 6 * BENDING * now.inverse);
    const vxe_vec3 unspin = vec_scaled(-BENDING * a2 * turning, vec_sub(spin[1], spin[0]));
    const vxe_vec3 none = {0, 0, 0};
    return (vxe_contact_sample){.energy = 0.5 * now.spring * vec_dot(now.d, now.d) +
                                          2 * bending * vec_dot(u, u),
                                .spring = share_of(now.arm, spring, unbend),
                                .dashpot = share_of(middle, vec_scaled(-c, rate), unspin),
                                .friction = share_of(middle, none, none)};
}

/* The place of a pair's link among the sorted links of a state, or the place where it belongs. */
static uint32_t find_sticky_link(const vxe_state *state, uint32_t one, uint32_t two, bool *found)
{
    uint32_t low = 0;
    uint32_t high = state->sticky_link_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t *place = state->sticky_links[middle].place;
        if (place[0] < one || (place[0] == one && place[1] < two)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *found = low < state->sticky_link_count && state->sticky_links[low].place[0] == one &&
             state->sticky_links[low].place[1] == two;
    return low;
}

/* Two voxels that touch. */
typedef struct voxel_pair {
    uint32_t first, second; /* places in the surface's list */
    uint32_t slot[2];
} voxel_pair;

/* A new link of two voxels in their present pose; they touch half way between their centres. */
static vxe_sticky_link sticky_link_between(const vxe_workspace *workspace, const voxel_pair *pair,
                                           double share)
{
    vxe_sticky_link link = {.place = {pair->first, pair->second}, .share = share};
    vxe_quat q[2];
    for (int i = 0; i < 2; i++) {
        q[i] = vxe_vec_orientation(workspace->state, pair->slot[i]);
    }
    const vxe_vec3 half =
        vec_scaled(0.5, vec_sub(vxe_vec_position(workspace->state, pair->slot[1]),
                                vxe_vec_position(workspace->state, pair->slot[0])));
    vxe_vec_put(link.anchor[0], turned_by(q[0], -1, half));
    vxe_vec_put(link.anchor[1], turned_by(q[1], -1, vec_scaled(-1, half)));
    const vxe_quat rest = product(conjugate(q[0]), q[1]);
    memcpy(link.rest, (const double[4]){rest.w, rest.x, rest.y, rest.z}, sizeof link.rest);
    return link;
}

/* Adds a part of force and moments of a link to the loads of both voxels. */
static void add_share(const vxe_workspace *workspace, const vxe_sticky_link *link,
                      const vxe_contact_share *share, double part)
{
    for (int end = 0; end < 2; end++) {
        double six[6];
        for (int c = 0; c < 3; c++) {
            six[c] = part * (end == 0 ? -share->force[c] : share->force[c]);
            six[3 + c] = part * share->moment[end][c];
        }
        vxe_workspace_contacts_load(workspace, link->place[end], six);
    }
}

/* Ends a link: its energy is dissipated. It still gives half of a kick: a kick covers half of the
   time before it and half of the time behind it, and the link has held for the first half. */
static void release(const vxe_workspace *workspace, const vxe_sticky_link *link,
                    const vxe_contact_sample *sample)
{
    workspace->state->released += sample->energy;
    add_share(workspace, link, &sample->spring, 0.5);
}

/* Links a pair that touches, if both voxels are of one sticky material and are not linked yet, or
   share clearly less of a face by their link. */
static void attach(const vxe_workspace *workspace, const voxel_pair *pair, double h)
{
    const uint32_t *sticky_material = workspace->model->sticky_material;
    vxe_state *state = workspace->state;
    bool linked = false;
    if (sticky_material[pair->slot[0]] == VXE_NONE ||
        sticky_material[pair->slot[0]] != sticky_material[pair->slot[1]]) {
        return;
    }
    const uint32_t at = find_sticky_link(state, pair->first, pair->second, &linked);
    const vxe_contact_sample sample =
        vxe_contact_pair_measure(workspace, pair->first, pair->second, state, h);
    if (!(sample.share > 0) || (linked && sample.share < RENEWED * state->sticky_links[at].share)) {
        return;
    }
    if (linked) {
        const vxe_contact_sample old =
            vxe_sticky_link_measure(workspace, &state->sticky_links[at], state, h);
        release(workspace, &state->sticky_links[at], &old);
        state->sticky_links[at] = sticky_link_between(workspace, pair, sample.share);
        return;
    }
    if (state->sticky_link_count == state->sticky_link_capacity) {
        workspace->contacts->sticky_links_full = true;
        return;
    }
    VXE_ASSERT(state->sticky_link_count < state->sticky_link_capacity &&
               at <= state->sticky_link_count);
    memmove(state->sticky_links + at + 1, state->sticky_links + at,
            (state->sticky_link_count - at) * sizeof *state->sticky_links);
    state->sticky_links[at] = sticky_link_between(workspace, pair, sample.share);
    state->sticky_link_count++;
}

/* Links the pairs of a range that may touch in this step. first: the first voxel of the part. */
static void attach_touching(const vxe_workspace *workspace, const vxe_pairs *pairs,
                            const vxe_pair_range *range, uint32_t first, double h)
{
    const vxe_surface *surface = &workspace->model->surface;
    for (uint32_t p = 0; (p = vxe_pair_touching(pairs, range, p)) < range->count; p++) {
        const uint32_t one = pairs->of[0][range->first + p];
        const uint32_t two = pairs->of[1][range->first + p];
        const voxel_pair pair = {
            .first = one, .second = two, .slot = {surface->slot[one], surface->slot[two]}};
        VXE_ASSERT(one < two && two < surface->count);
        if (one >= first) { /* else another partition handles the pair */
            attach(workspace, &pair, h);
        }
    }
}

/* Whether a link is pulled harder than the weaker voxel's detach stress allows. */
static bool lets_go(const vxe_workspace *workspace, const vxe_sticky_link *link,
                    const vxe_contact_sample *sample)
{
    const vxe_surface *surface = &workspace->model->surface;
    const double *detach_stress = workspace->model->detach_stress;
    const double holds = fmin(detach_stress[surface->slot[link->place[0]]],
                              detach_stress[surface->slot[link->place[1]]]);
    const vxe_vec3 r = vec_sub(vxe_vec_position(workspace->state, surface->slot[link->place[1]]),
                               vxe_vec_position(workspace->state, surface->slot[link->place[0]]));
    const vxe_vec3 f = three(sample->spring.force);
    const double r2 = vec_dot(r, r);
    const double pressed = r2 > 0 && vec_dot(f, r) > 0 ? vec_dot(f, r) / r2 : 0;
    const vxe_vec3 pull = vec_add_scaled(f, -pressed, r); /* tension and shear, without pressure */
    return sqrt(vec_dot(pull, pull)) >
           holds * link->share * workspace->model->edge * workspace->model->edge;
}

void vxe_workspace_stick(const vxe_workspace *workspace, double h)
{
    const vxe_contact_workspace *contacts = workspace->contacts;
    const vxe_neighbor_list *neighbors = &contacts->lists.neighbors;
    vxe_state *state = workspace->state;
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        const vxe_neighbor_part *part = &contacts->parts[s];
        for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
            attach_touching(workspace, &neighbors->pairs[kind], &part->pairs[kind], part->first, h);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->sticky_link_count; i++) {
        const vxe_sticky_link link = state->sticky_links[i];
        const vxe_contact_sample sample = vxe_sticky_link_measure(workspace, &link, state, h);
        if (lets_go(workspace, &link, &sample)) {
            release(workspace, &link, &sample);
            continue;
        }
        state->sticky_links[kept++] = link;
        add_share(workspace, &link, &sample.spring, 1);
        add_share(workspace, &link, &sample.dashpot, 1);
    }
    state->sticky_link_count = kept;
}
