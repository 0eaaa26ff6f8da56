/* SPDX-License-Identifier: MIT */
/* The neighbour list of particles. Testing all pairs would take quadratic time, so particles are
   hashed into boxes as wide as the reach of the widest pair, and each is paired with those of its
   own box and the 26 around it. The list contains pairs within reach plus a skin, and stays valid
   until some particle has moved by half of the skin. */
#include <stdlib.h>

#include "common/assert_internal.h"
#include "common/cell_list_internal.h"
#include "common/parallel_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/model/workspace.h"

/* Skin of the list, as a fraction of the maximum radius. */
#define SKIN 0.2
/* Circumscribed radius of a cube by half its edge: the root of 3. */
#define CORNERS 1.7320508075688773

double vxe_particle_pose(const vxe_workspace *workspace, uint32_t particle, double center[3])
{
    VXE_ASSERT(particle < workspace->model->particles->count);
    const uint32_t slot = workspace->model->particles->slot[particle];
    for (int c = 0; c < 3; c++) {
        center[c] = vxe_state_position(workspace->state, c, slot);
    }
    return 0.5 * (workspace->arrays.edge +
                  vxe_real_at(workspace->model->precision, workspace->arrays.edge_growth, slot));
}

bool vxe_particles_are_far(const vxe_workspace *workspace, const vxe_particle_contact *contact)
{
    const vxe_particles *particles = workspace->model->particles;
    double here[3];
    double there[3];
    if (contact->particle[1] == VXE_NONE) {
        return false;
    }
    const double radii = vxe_particle_pose(workspace, contact->particle[0], here) +
                         vxe_particle_pose(workspace, contact->particle[1], there);
    const double way[3] = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
    const double reach = radii * (particles->boxes ? CORNERS : 1) + particles->reach;
    return vxe_dot3(way, way) > reach * reach;
}

/* Whether one of the particles [first, last) has moved too far, or there is no list yet. */
static bool have_moved(const vxe_workspace *workspace, uint32_t first, uint32_t last)
{
    const vxe_particle_workspace *s = workspace->particles;
    bool moved = !s->made;
    for (uint32_t i = first; i < last && !moved; i++) {
        const double *was = s->place + 4 * (size_t)i;
        double now[3];
        const double radius = vxe_particle_pose(workspace, i, now);
        const double way[3] = {now[0] - was[0], now[1] - was[1], now[2] - was[2]};
        const double capacity = 0.5 * s->skin - fmax(radius - was[3], 0);
        moved = !(capacity > 0 && vxe_dot3(way, way) < capacity * capacity);
    }
    return moved;
}

/* Hash bucket of a box. */
static uint32_t bucket_of(const vxe_particle_workspace *s, const int64_t box[3])
{
    uint64_t key = (uint64_t)box[0] * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 29 ^ (uint64_t)box[1]) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 31 ^ (uint64_t)box[2]) * 0x94d049bb133111ebu;
    return (uint32_t)(key >> 33) & (s->buckets - 1);
}

/* Stores the positions of all particles and sorts them into boxes; fills the boxes' width (m).
   Returns false if a position is not finite or too large. */
static bool sort_into_boxes(const vxe_workspace *workspace, double *width)
{
    const vxe_particles *particles = workspace->model->particles;
    vxe_particle_workspace *s = workspace->particles;
    double widest = 0;
    for (uint32_t i = 0; i < particles->count; i++) {
        double *place = s->place + 4 * (size_t)i;
        place[3] = vxe_particle_pose(workspace, i, place);
        widest = fmax(widest, place[3]);
    }
    s->skin = SKIN * widest;
    *width = 2 * widest * (particles->boxes ? CORNERS : 1) + s->skin + particles->reach;
    for (uint32_t i = 0; i < particles->count; i++) {
        for (int c = 0; c < 3; c++) {
            const double at = s->place[4 * (size_t)i + (size_t)c] / *width;
            if (!(fabs(at) < 1e15)) {
                return false;
            }
            s->box[3 * (size_t)i + (size_t)c] = (int64_t)floor(at);
        }
        s->bucket[i] = bucket_of(s, s->box + 3 * (size_t)i);
    }
    vxe_cell_list_sort(s->bucket, particles->count, s->buckets, s->bucket_first, s->sorted, NULL);
    return true;
}

/* Whether two particles are neighbours in one body and so make no contact: those across a face are
   bonded; as cubes those across an edge or a corner count too, since they touch at rest. */
static bool are_bonded(const vxe_particles *particles, uint32_t a, uint32_t b)
{
    const int32_t *one = particles->cell + 3 * (size_t)a;
    const int32_t *two = particles->cell + 3 * (size_t)b;
    int64_t apart = 0;
    int64_t max = 0;
    for (int c = 0; c < 3; c++) {
        const int64_t way = llabs((int64_t)one[c] - two[c]);
        apart += way;
        max = way > max ? way : max;
    }
    return particles->body[a] == particles->body[b] && (particles->boxes ? max == 1 : apart == 1);
}

/* Appends a pair to the list; sets full if there is no capacity. */
static void add_pair(vxe_particle_workspace *s, const vxe_particles *particles, uint32_t a,
                     uint32_t b, uint32_t pair)
{
    VXE_ASSERT(pair < particles->pair_count && (b == VXE_NONE || a < b));
    if (s->contact_count == s->contact_capacity) {
        s->full = true;
        return;
    }
    s->contact[s->contact_count++] =
        (vxe_particle_contact){.particle = {a, b}, .pair = &particles->pairs[pair]};
}

/* Adds the pairs of a particle with particles of higher index, sorted by that index, and with the
   floor. */
static void find_pairs(const vxe_workspace *workspace, uint32_t a)
{
    const vxe_particles *particles = workspace->model->particles;
    vxe_particle_workspace *s = workspace->particles;
    const double *here = s->place + 4 * (size_t)a;
    const uint32_t first = s->contact_count;
    for (int k = 0; k < 27; k++) {
        const int64_t *own = s->box + 3 * (size_t)a;
        const int64_t box[3] = {own[0] + k % 3 - 1, own[1] + k / 3 % 3 - 1, own[2] + k / 9 - 1};
        const uint32_t bucket = bucket_of(s, box);
        for (uint32_t at = s->bucket_first[bucket]; at < s->bucket_first[bucket + 1]; at++) {
            const uint32_t b = s->sorted[at];
            const int64_t *other = s->box + 3 * (size_t)b;
            const uint32_t pair =
                particles->pair_of[(size_t)particles->material[a] * particles->sides +
                                   particles->material[b]];
            const double *there = s->place + 4 * (size_t)b;
            const double way[3] = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
            const double reach = (here[3] + there[3]) * (particles->boxes ? CORNERS : 1) + s->skin +
                                 particles->reach;
            if (b > a && pair != VXE_NONE && other[0] == box[0] && other[1] == box[1] &&
                other[2] == box[2] && vxe_dot3(way, way) < reach * reach &&
                !are_bonded(particles, a, b)) {
                add_pair(s, particles, a, b, pair);
            }
        }
    }
    for (uint32_t i = first + 1; i < s->contact_count; i++) { /* insertion sort: they are few */
        const vxe_particle_contact contact = s->contact[i];
        uint32_t at = i;
        for (; at > first && s->contact[at - 1].particle[1] > contact.particle[1]; at--) {
            s->contact[at] = s->contact[at - 1];
        }
        s->contact[at] = contact;
    }
    const uint32_t floor =
        particles
            ->pair_of[(size_t)particles->material[a] * particles->sides + particles->sides - 1];
    if (floor != VXE_NONE) { /* the floor is last, since VXE_NONE is the highest index */
        add_pair(s, particles, a, VXE_NONE, floor);
    }
}

/* Lists the contacts of each particle: a counting sort by particle. */
static void index_contacts(vxe_particle_workspace *s, uint32_t count)
{
    for (uint32_t i = 0; i <= count; i++) {
        s->first_of[i] = 0;
    }
    for (uint32_t end = 0; end < 2; end++) {
        for (uint32_t t = 0; t < s->contact_count; t++) {
            const uint32_t particle = s->contact[t].particle[end];
            s->first_of[particle == VXE_NONE ? count : particle]++;
        }
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t own = i < count ? s->first_of[i] : 0;
        s->first_of[i] = sum;
        sum += own;
    }
    /* the list is sorted by first particle, so each particle's partners come in ascending order */
    for (uint32_t t = 0; t < s->contact_count; t++) {
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t particle = s->contact[t].particle[end];
            if (particle != VXE_NONE) {
                s->in[s->first_of[particle]++] = 2 * t + end;
            }
        }
    }
    for (uint32_t i = count; i > 0; i--) {
        s->first_of[i] = s->first_of[i - 1];
    }
    s->first_of[0] = 0;
}

/* Makes the list. */
static void make_list(const vxe_workspace *workspace)
{
    vxe_particle_workspace *s = workspace->particles;
    const uint32_t count = workspace->model->particles->count;
    double width = 0;
    s->contact_count = 0;
    const bool sorted = sort_into_boxes(workspace, &width);
    for (uint32_t i = 0; i < count && sorted; i++) {
        find_pairs(workspace, i);
    }
    VXE_ASSERT(s->contact_count <= s->contact_capacity);
    index_contacts(s, count);
    s->made = true;
}

void vxe_particles_list(const vxe_workspace *workspace, uint32_t thread, uint32_t threads)
{
    vxe_particle_workspace *s = workspace->particles;
    VXE_ASSERT(s && thread < threads && threads <= workspace->partition_count);
    const uint64_t count = workspace->model->particles->count;
    s->moved[thread] = have_moved(workspace, (uint32_t)(count * thread / threads),
                                  (uint32_t)(count * (thread + 1) / threads));
    vxe_parallel_meet(threads);
    bool moved = false;
    for (uint32_t t = 0; t < threads; t++) {
        moved = moved || s->moved[t];
    }
    vxe_parallel_meet(threads); /* no thread may change moved[] before all have read it */
    if (moved && thread == 0) {
        make_list(workspace);
    }
    if (moved) {
        vxe_parallel_meet(threads);
    }
}
