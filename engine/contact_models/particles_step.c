/* SPDX-License-Identifier: MIT */
/* A step of particles: geometry and force of each pair, sums per particle, history and events
   (docs/contact-models.md). */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/model/workspace.h"

/* Maximum of h^2 k/m of a contact; stability ends at 4. */
#define STIFFEST 3.5

vxe_status vxe_workspace_particles_init(vxe_workspace *workspace, vxe_error *error)
{
    const vxe_model *model = workspace->model;
    const vxe_particles *particles = model->particles;
    if (!particles) {
        return VXE_OK;
    }
    vxe_particle_workspace *s = workspace->particles = vxe_memory_take(1, sizeof *s);
    if (!s) {
        return vxe_error_memory(error, sizeof *s);
    }
    const uint64_t count = particles->count;
    s->contact_capacity = (uint32_t)(count * VXE_MAX_PARTICLE_PAIRS);
    s->buckets = 16;
    while (s->buckets < 2 * count) {
        s->buckets *= 2;
    }
    s->contact = vxe_memory_take(s->contact_capacity, sizeof *s->contact);
    s->first_of = vxe_memory_take(count + 1, sizeof *s->first_of);
    s->in = vxe_memory_take(2ull * s->contact_capacity, sizeof *s->in);
    s->place = vxe_memory_take(4 * count, sizeof *s->place);
    s->box = vxe_memory_take(3 * count, sizeof *s->box);
    s->bucket = vxe_memory_take(count, sizeof *s->bucket);
    s->bucket_first = vxe_memory_take(s->buckets + 1ull, sizeof *s->bucket_first);
    s->sorted = vxe_memory_take(count, sizeof *s->sorted);
    s->moved = vxe_memory_take(workspace->partition_count, sizeof *s->moved);
    s->loaded = vxe_memory_take(model->chunks.chunk_count, sizeof *s->loaded);
    s->correction =
        particles->over_faces ? vxe_memory_take(s->contact_capacity, sizeof *s->correction) : NULL;
    bool complete = (s->correction || !particles->over_faces) && s->contact && s->first_of &&
                    s->in && s->place && s->box && s->bucket && s->bucket_first && s->sorted &&
                    s->moved && s->loaded;
    for (int c = 0; c < 6 && complete; c++) {
        complete = (s->load[c] = vxe_workspace_take(workspace)) != NULL;
    }
    if (!complete) {
        return vxe_error_memory(error, s->contact_capacity * sizeof *s->contact);
    }
    for (uint32_t i = 0; i < count; i++) {
        s->loaded[particles->slot[i] / model->chunks.chunk_slots] = 1;
    }
    return VXE_OK;
}

void vxe_workspace_particles_clear(vxe_workspace *workspace)
{
    vxe_particle_workspace *s = workspace->particles;
    if (s) {
        vxe_memory_release(s->contact);
        vxe_memory_release(s->correction);
        vxe_memory_release(s->first_of);
        vxe_memory_release(s->in);
        vxe_memory_release(s->place);
        vxe_memory_release(s->box);
        vxe_memory_release(s->bucket);
        vxe_memory_release(s->bucket_first);
        vxe_memory_release(s->sorted);
        vxe_memory_release(s->moved);
        vxe_memory_release(s->loaded);
    }
    vxe_memory_release(s);
    workspace->particles = NULL;
}

void vxe_workspace_particles_bind(const vxe_workspace *workspace)
{
    vxe_particle_workspace *s = workspace->particles;
    if (!s) {
        return;
    }
    s->made = s->full = s->stiff = s->passed = false;
}

/* Velocity (m/s) and spin (rad/s) of a particle. */
static void rates_of(const vxe_workspace *workspace, uint32_t particle, double v[3], double w[3])
{
    const uint32_t slot = workspace->model->particles->slot[particle];
    for (int c = 0; c < 3; c++) {
        v[c] = vxe_state_velocity(workspace->state, c, slot);
        w[c] = vxe_state_spin(workspace->state, c, slot);
    }
}

static void add_cross(double into[3], double times, const double a[3], const double b[3])
{
    double across[3];
    vxe_cross3(a, b, across);
    for (int c = 0; c < 3; c++) {
        into[c] += times * across[c];
    }
}

/* Geometry of a particle above the floor, which is piece 2. Cubes do not roll: the floor acts at
 * their centres. */
static void geometry_at_floor(const vxe_workspace *workspace, uint32_t particle, bool box,
                              vxe_contact_geometry *m)
{
    VXE_ASSERT(particle < workspace->model->particles->count);
    const uint32_t slot = workspace->model->particles->slot[particle];
    const vxe_floor_contact floor_contact = vxe_floor_contact_of(workspace, slot);
    double center[3];
    double v[3];
    double w[3];
    m->radius[0] = vxe_particle_pose(workspace, particle, center);
    m->radius[1] = 0;
    m->gap = -floor_contact.depth;
    m->mass = vxe_real_at(workspace->model->precision, workspace->arrays.mass, slot);
    rates_of(workspace, particle, v, w);
    for (int c = 0; c < 3; c++) {
        m->n[c] = -floor_contact.normal[c];
        m->arm[0][c] = box ? 0 : (m->radius[0] + 0.5 * m->gap) * m->n[c];
        m->arm[1][c] = 0;
        m->rate[c] = -v[c];
    }
    add_cross(m->rate, -1, w, m->arm[0]);
    m->spin = 0.5 * vxe_dot3(w, m->n);
}

/* Geometry of two particles; faces is null for spheres. */
static void geometry_of_pair(const vxe_workspace *workspace, const uint32_t particle[2],
                             vxe_particle_faces *faces, vxe_contact_geometry *m)
{
    const vxe_particles *particles = workspace->model->particles;
    double center[2][3];
    double v[2][3];
    double w[2][3];
    double mass[2];
    for (int end = 0; end < 2; end++) {
        m->radius[end] = vxe_particle_pose(workspace, particle[end], center[end]);
        mass[end] = vxe_real_at(workspace->model->precision, workspace->arrays.mass,
                                particles->slot[particle[end]]);
        rates_of(workspace, particle[end], v[end], w[end]);
    }
    double way[3] = {center[1][0] - center[0][0], center[1][1] - center[0][1],
                     center[1][2] - center[0][2]};
    const double distance = sqrt(vxe_dot3(way, way));
    m->gap = distance - m->radius[0] - m->radius[1];
    m->mass = mass[0] * mass[1] / (mass[0] + mass[1]);
    for (int c = 0; c < 3; c++) {
        m->n[c] =
            distance > 0 ? way[c] / distance : (c == 2); /* coincident centres: any direction */
        m->arm[0][c] = (m->radius[0] + 0.5 * m->gap) * m->n[c];
        m->arm[1][c] = m->arm[0][c] - way[c];
        m->rate[c] = v[1][c] - v[0][c];
    }
    if (faces) {
        vxe_particles_box_geometry(workspace, particle, m, faces);
    }
    add_cross(m->rate, 1, w[1], m->arm[1]);
    add_cross(m->rate, -1, w[0], m->arm[0]);
    m->spin = 0.5 * (vxe_dot3(w[0], m->n) + vxe_dot3(w[1], m->n));
}

/* Slots of a contact, by which the state's histories are sorted. */
static void slots_of(const vxe_particles *particles, const vxe_particle_contact *contact,
                     uint32_t slots[2])
{
    for (int end = 0; end < 2; end++) {
        slots[end] =
            contact->particle[end] == VXE_NONE ? VXE_NONE : particles->slot[contact->particle[end]];
    }
}

/* Order of histories: below 0, 0 or above 0. */
static int compare(const uint32_t a[2], const uint32_t b[2])
{
    const int first = a[0] < b[0] ? -1 : a[0] > b[0];
    return first ? first : a[1] < b[1] ? -1 : a[1] > b[1];
}

/* History of a contact by binary search; null if it was open. */
static const vxe_contact_memory *memory_of(const vxe_state *state, const uint32_t slots[2])
{
    uint32_t low = 0;
    uint32_t high = state->particle_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = compare(state->particles[middle].slot, slots);
        if (order == 0) {
            return &state->particles[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

/* Events of a contact in this step, bits 1 << vxe_contact_event_kind. */
static uint8_t events_of(const vxe_contact_memory *before, const vxe_contact_force *force)
{
    const bool slipped = before && before->slips;
    return (uint8_t)((force->active && !before ? 1u << VXE_CONTACT_ACTIVATED : 0u) |
                     (force->slips && !slipped ? 1u << VXE_CONTACT_SLIP_BEGAN : 0u) |
                     (slipped && !force->slips ? 1u << VXE_CONTACT_SLIP_ENDED : 0u));
}

/* Computes a contact. correction is for models over faces; null if nothing shall move. */
static void act(const vxe_workspace *workspace, vxe_particle_contact *contact,
                vxe_pose_correction *correction, double h)
{
    vxe_contact_geometry m = {.h = h};
    vxe_particle_faces faces = {0};
    vxe_contact_force force;
    const bool boxes = vxe_particles_are_boxes(workspace, contact);
    uint32_t slots[2];
    slots_of(workspace->model->particles, contact, slots);
    const vxe_contact_memory *before = memory_of(workspace->state, slots);
    if (contact->pair->law->over_faces) {
        contact->memory = (vxe_contact_memory){.slot = {slots[0], slots[1]}, .over_faces = 1};
        vxe_particle_over_faces(workspace, contact, before, correction, h);
        return;
    }
    if (!before && vxe_particles_are_far(workspace, contact)) { /* true for most of the list */
        contact->active = contact->stiff = false;
        contact->events = 0;
        contact->lost = 0;
        return;
    }
    if (contact->particle[1] == VXE_NONE) {
        geometry_at_floor(workspace, contact->particle[0], boxes, &m);
    } else {
        geometry_of_pair(workspace, contact->particle, boxes ? &faces : NULL, &m);
    }
    VXE_ASSERT(contact->pair->law->act && m.mass > 0);
    contact->pair->law->act(contact->pair, &m, before, &force);
    if (!force.active && before &&
        before->stiffness > 0) { /* it opens: the spring's energy is lost */
        force.lost += 0.5 * vxe_dot3(before->shear, before->shear) / before->stiffness;
    }
    contact->active = force.active;
    contact->slips = force.slips;
    contact->events = events_of(before, &force);
    contact->stiff = !(force.tangent * h * h <= STIFFEST * m.mass);
    contact->energy = force.energy;
    if (boxes && force.active && contact->particle[1] != VXE_NONE) {
        contact->energy += force.tangent * (faces.energy - 0.5 * m.gap * m.gap);
    }
    contact->lost = force.lost;
    memcpy(contact->arm, m.arm, sizeof m.arm);
    contact->memory = (vxe_contact_memory){.slot = {slots[0], slots[1]},
                                           .slips = force.slips,
                                           .normal = force.normal,
                                           .stiffness = force.shear_stiffness};
    for (int c = 0; c < 3; c++) {
        contact->spring[c] = force.shear[c] - force.normal * m.n[c];
        contact->dashpot[c] = force.dash_shear[c] - force.dash_normal * m.n[c];
        contact->memory.shear[c] = force.shear[c];
        contact->couple[0][c] = force.tangent * faces.couple[0][c];
        contact->couple[1][c] = force.tangent * faces.couple[1][c];
    }
}

/* Sums force and moment of a particle over its contacts, in the order of their partners. */
static void sum(const vxe_workspace *workspace, uint32_t particle)
{
    const vxe_particle_workspace *s = workspace->particles;
    const uint32_t slot = workspace->model->particles->slot[particle];
    double six[6] = {0, 0, 0, 0, 0, 0};
    for (uint32_t i = s->first_of[particle]; i < s->first_of[particle + 1]; i++) {
        VXE_ASSERT(s->in[i] / 2 < s->contact_count);
        const vxe_particle_contact *contact = &s->contact[s->in[i] / 2];
        const uint32_t end = s->in[i] % 2;
        double force[3];
        if (!contact->active) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            force[c] = (end ? 1 : -1) * (contact->spring[c] + contact->dashpot[c]);
            six[c] += force[c];
        }
        add_cross(six + 3, 1, contact->arm[end], force);
        for (int c = 0; c < 3; c++) {
            six[c + 3] += contact->couple[end][c];
        }
        for (int c = 0; c < 6 && end == 0; c++) {
            six[c] += contact->faces[c];
        }
    }
    for (int c = 0; c < 6; c++) {
        vxe_real_put(workspace->model->precision, s->load[c], slot, six[c]);
    }
}

/* Counts the events of a contact and reports them to the listener. */
static void report_events(const vxe_workspace *workspace, const vxe_particle_contact *contact,
                          double time)
{
    const vxe_particle_workspace *s = workspace->particles;
    const uint32_t *order = workspace->model->topology.order;
    vxe_contact_event event = {.time = time};
    for (int end = 0; end < 2; end++) {
        const uint32_t slot = contact->memory.slot[end];
        event.voxel[end] = slot == VXE_NONE ? VXE_CONTACT_FLOOR : order[slot];
    }
    for (int kind = 0; kind < VXE_CONTACT_EVENTS; kind++) {
        if (contact->events >> kind & 1) {
            workspace->state->particle_events[kind]++;
            event.kind = (vxe_contact_event_kind)kind;
            if (s->listener) {
                s->listener(s->user, &event);
            }
        }
    }
}

/* Stores histories and losses of contacts in the state, and reports their events. The list is
   sorted, so the histories are too. */
static void keep(const vxe_workspace *workspace, vxe_particle_workspace *s, double time)
{
    vxe_state *state = workspace->state;
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->contact_count; t++) {
        const vxe_particle_contact *contact = &s->contact[t];
        state->slipped += contact->lost;
        state->damped += contact->damped;
        s->passed = s->passed || contact->passed;
        s->stiff = s->stiff || (contact->active && contact->stiff);
        if (contact->events) {
            report_events(workspace, contact, time);
        }
        if (contact->active && count < state->particle_capacity) {
            VXE_ASSERT(count == 0 ||
                       compare(state->particles[count - 1].slot, contact->memory.slot) < 0);
            state->particles[count++] = contact->memory;
        } else if (contact->active) {
            s->full = true;
        }
    }
    state->particle_count = count;
}

void vxe_workspace_particles(const vxe_workspace *workspace, double h, double time, uint32_t thread,
                             uint32_t threads)
{
    const vxe_particles *particles = workspace->model->particles;
    vxe_particle_workspace *s = workspace->particles;
    if (!particles) {
        return;
    }
    VXE_ASSERT(s && h > 0 && thread < threads);
    vxe_particles_list(workspace, thread, threads);
    const uint64_t contacts = s->contact_count;
    for (uint64_t t = contacts * thread / threads; t < contacts * (thread + 1) / threads; t++) {
        act(workspace, &s->contact[t], s->correction ? &s->correction[t] : NULL, h);
    }
    vxe_parallel_meet(threads);
    const uint64_t count = particles->count;
    for (uint64_t i = count * thread / threads; i < count * (thread + 1) / threads; i++) {
        sum(workspace, (uint32_t)i);
    }
    if (thread == 0) {
        keep(workspace, s, time);
    }
}

void vxe_particles_measure(const vxe_workspace *workspace)
{
    vxe_particle_workspace *s = workspace->particles;
    if (!s) {
        return;
    }
    vxe_particles_list(workspace, 0, 1);
    for (uint32_t t = 0; t < s->contact_count; t++) {
        act(workspace, &s->contact[t], NULL, workspace->state->time_step);
    }
}
