/* SPDX-License-Identifier: MIT */
/* What grains do in a step. */
#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/contact_models/particles.h"
#include "engine/solver/measure.h"

/* Most of h^2 k/m of a contact: stability ends at 4. */
#define STIFFEST 3.5

vxe_status vxe_scratch_grains_init(vxe_scratch *scratch, vxe_error *error)
{
    const vxe_model *model = scratch->model;
    const vxe_grains *grains = model->grains;
    if (!grains) {
        return VXE_OK;
    }
    vxe_grain_scratch *s = scratch->grains = vxe_memory_take(1, sizeof *s);
    if (!s) {
        return vxe_error_memory(error, sizeof *s);
    }
    const uint64_t count = grains->count;
    s->touch_room = (uint32_t)(count * VXE_MOST_GRAIN_PAIRS);
    s->heads = 16;
    while (s->heads < 2 * count) {
        s->heads *= 2;
    }
    s->touch = vxe_memory_take(s->touch_room, sizeof *s->touch);
    s->first_of = vxe_memory_take(count + 1, sizeof *s->first_of);
    s->in = vxe_memory_take(2ull * s->touch_room, sizeof *s->in);
    s->place = vxe_memory_take(4 * count, sizeof *s->place);
    s->box = vxe_memory_take(3 * count, sizeof *s->box);
    s->next = vxe_memory_take(count, sizeof *s->next);
    s->head = vxe_memory_take(s->heads, sizeof *s->head);
    s->moved = vxe_memory_take(scratch->slab_count, sizeof *s->moved);
    s->loaded = vxe_memory_take(model->schedule.chunk_count, sizeof *s->loaded);
    s->shift = grains->over_faces ? vxe_memory_take(s->touch_room, sizeof *s->shift) : NULL;
    bool complete = (s->shift || !grains->over_faces) && s->touch && s->first_of && s->in &&
                    s->place && s->box && s->next && s->head && s->moved && s->loaded;
    for (int c = 0; c < 6 && complete; c++) {
        complete = (s->load[c] = vxe_scratch_take(scratch)) != NULL;
    }
    if (!complete) {
        return vxe_error_memory(error, s->touch_room * sizeof *s->touch);
    }
    for (uint32_t i = 0; i < count; i++) {
        s->loaded[grains->slot[i] / model->schedule.chunk_slots] = 1;
    }
    return VXE_OK;
}

void vxe_scratch_grains_clear(vxe_scratch *scratch)
{
    vxe_grain_scratch *s = scratch->grains;
    if (s) {
        vxe_memory_release(s->touch);
        vxe_memory_release(s->shift);
        vxe_memory_release(s->first_of);
        vxe_memory_release(s->in);
        vxe_memory_release(s->place);
        vxe_memory_release(s->box);
        vxe_memory_release(s->next);
        vxe_memory_release(s->head);
        vxe_memory_release(s->moved);
        vxe_memory_release(s->loaded);
    }
    vxe_memory_release(s);
    scratch->grains = NULL;
}

void vxe_scratch_grains_bind(const vxe_scratch *scratch)
{
    vxe_grain_scratch *s = scratch->grains;
    if (!s) {
        return;
    }
    s->made = s->full = s->stiff = s->passed = false;
}

/* Velocity (m/s) and spin (rad/s) of a grain. */
static void rates_of(const vxe_scratch *scratch, uint32_t grain, double v[3], double w[3])
{
    const uint32_t slot = scratch->model->grains->slot[grain];
    for (int c = 0; c < 3; c++) {
        v[c] = vxe_state_velocity(scratch->state, c, slot);
        w[c] = vxe_state_spin(scratch->state, c, slot);
    }
}

static void add_cross(double into[3], double times, const double a[3], const double b[3])
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        into[c] += times * (a[d] * b[e] - a[e] * b[d]);
    }
}

/* A grain above the floor, which is piece 2. Cubes do not roll on it: it pushes at their centres.
 */
static void meet_floor(const vxe_scratch *scratch, uint32_t grain, bool box, vxe_grain_meeting *m)
{
    const uint32_t slot = scratch->model->grains->slot[grain];
    const vxe_footing footing = vxe_footing_of(scratch, slot);
    double center[3];
    double v[3];
    double w[3];
    m->radius[0] = vxe_grain_stand(scratch, grain, center);
    m->radius[1] = 0;
    m->gap = -footing.depth;
    m->mass = vxe_real_at(scratch->model->precision, scratch->arrays.mass, slot);
    rates_of(scratch, grain, v, w);
    for (int c = 0; c < 3; c++) {
        m->n[c] = -footing.normal[c];
        m->arm[0][c] = box ? 0 : (m->radius[0] + 0.5 * m->gap) * m->n[c];
        m->arm[1][c] = 0;
        m->rate[c] = -v[c];
    }
    add_cross(m->rate, -1, w, m->arm[0]);
    m->spin = 0.5 * vxe_dot3(w, m->n);
}

/* Two grains; faces: null of spheres. */
static void meet_grain(const vxe_scratch *scratch, const uint32_t grain[2], vxe_grain_faces *faces,
                       vxe_grain_meeting *m)
{
    const vxe_grains *grains = scratch->model->grains;
    double center[2][3];
    double v[2][3];
    double w[2][3];
    double mass[2];
    for (int end = 0; end < 2; end++) {
        m->radius[end] = vxe_grain_stand(scratch, grain[end], center[end]);
        mass[end] =
            vxe_real_at(scratch->model->precision, scratch->arrays.mass, grains->slot[grain[end]]);
        rates_of(scratch, grain[end], v[end], w[end]);
    }
    double way[3] = {center[1][0] - center[0][0], center[1][1] - center[0][1],
                     center[1][2] - center[0][2]};
    const double distance = sqrt(vxe_dot3(way, way));
    m->gap = distance - m->radius[0] - m->radius[1];
    m->mass = mass[0] * mass[1] / (mass[0] + mass[1]);
    for (int c = 0; c < 3; c++) {
        m->n[c] = distance > 0 ? way[c] / distance : (c == 2); /* of one place: any way apart */
        m->arm[0][c] = (m->radius[0] + 0.5 * m->gap) * m->n[c];
        m->arm[1][c] = m->arm[0][c] - way[c];
        m->rate[c] = v[1][c] - v[0][c];
    }
    if (faces) {
        vxe_grains_meet_boxes(scratch, grain, m, faces);
    }
    add_cross(m->rate, 1, w[1], m->arm[1]);
    add_cross(m->rate, -1, w[0], m->arm[0]);
    m->spin = 0.5 * (vxe_dot3(w[0], m->n) + vxe_dot3(w[1], m->n));
}

/* Slots of a touch, in the order of what the state remembers. */
static void slots_of(const vxe_grains *grains, const vxe_grain_touch *touch, uint32_t slots[2])
{
    for (int end = 0; end < 2; end++) {
        slots[end] = touch->grain[end] == VXE_NONE ? VXE_NONE : grains->slot[touch->grain[end]];
    }
}

static int compare(const uint32_t a[2], const uint32_t b[2])
{
    const int first = a[0] < b[0] ? -1 : a[0] > b[0];
    return first ? first : a[1] < b[1] ? -1 : a[1] > b[1];
}

/* What a contact remembers; null if it was open. */
static const vxe_grain_memory *memory_of(const vxe_state *state, const uint32_t slots[2])
{
    uint32_t low = 0;
    uint32_t high = state->grain_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = compare(state->grains[middle].slot, slots);
        if (order == 0) {
            return &state->grains[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

static uint8_t events_of(const vxe_grain_memory *before, const vxe_grain_force *force)
{
    const bool slipped = before && before->slips;
    return (uint8_t)((force->active && !before ? 1u << VXE_CONTACT_ACTIVATED : 0u) |
                     (force->slips && !slipped ? 1u << VXE_CONTACT_SLIP_BEGAN : 0u) |
                     (slipped && !force->slips ? 1u << VXE_CONTACT_SLIP_ENDED : 0u));
}

/* shift is where a law over faces goes; null where nothing shall move. */
static void act(const vxe_scratch *scratch, vxe_grain_touch *touch, vxe_grain_shift *shift,
                double h)
{
    vxe_grain_meeting m = {.h = h};
    vxe_grain_faces faces = {0};
    vxe_grain_force force;
    const bool boxes = vxe_grains_are_boxes(scratch, touch);
    uint32_t slots[2];
    slots_of(scratch->model->grains, touch, slots);
    const vxe_grain_memory *before = memory_of(scratch->state, slots);
    if (touch->pair->law->over_faces) {
        touch->memory = (vxe_grain_memory){.slot = {slots[0], slots[1]}, .over_faces = 1};
        vxe_grain_over_faces(scratch, touch, before, shift, h);
        return;
    }
    if (!before && vxe_grains_are_far(scratch, touch)) { /* most of the list */
        touch->active = touch->stiff = false;
        touch->events = 0;
        touch->lost = 0;
        return;
    }
    if (touch->grain[1] == VXE_NONE) {
        meet_floor(scratch, touch->grain[0], boxes, &m);
    } else {
        meet_grain(scratch, touch->grain, boxes ? &faces : NULL, &m);
    }
    touch->pair->law->act(touch->pair, &m, before, &force);
    if (!force.active && before && before->stiffness > 0) { /* what its spring held is lost */
        force.lost += 0.5 * vxe_dot3(before->shear, before->shear) / before->stiffness;
    }
    touch->active = force.active;
    touch->slips = force.slips;
    touch->events = events_of(before, &force);
    touch->stiff = !(force.tangent * h * h <= STIFFEST * m.mass);
    touch->energy = force.energy;
    if (boxes && force.active && touch->grain[1] != VXE_NONE) {
        touch->energy += force.tangent * (faces.energy - 0.5 * m.gap * m.gap);
    }
    touch->lost = force.lost;
    memcpy(touch->arm, m.arm, sizeof m.arm);
    touch->memory = (vxe_grain_memory){.slot = {slots[0], slots[1]},
                                       .slips = force.slips,
                                       .normal = force.normal,
                                       .stiffness = force.shear_stiffness};
    for (int c = 0; c < 3; c++) {
        touch->spring[c] = force.shear[c] - force.normal * m.n[c];
        touch->dashpot[c] = force.dash_shear[c] - force.dash_normal * m.n[c];
        touch->memory.shear[c] = force.shear[c];
        touch->couple[0][c] = force.tangent * faces.couple[0][c];
        touch->couple[1][c] = force.tangent * faces.couple[1][c];
    }
}

/* Force and moment on a grain: its touches in the order of their partners. */
static void sum(const vxe_scratch *scratch, uint32_t grain)
{
    const vxe_grain_scratch *s = scratch->grains;
    const uint32_t slot = scratch->model->grains->slot[grain];
    double six[6] = {0, 0, 0, 0, 0, 0};
    for (uint32_t i = s->first_of[grain]; i < s->first_of[grain + 1]; i++) {
        const vxe_grain_touch *touch = &s->touch[s->in[i] / 2];
        const uint32_t end = s->in[i] % 2;
        double force[3];
        if (!touch->active) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            force[c] = (end ? 1 : -1) * (touch->spring[c] + touch->dashpot[c]);
            six[c] += force[c];
        }
        add_cross(six + 3, 1, touch->arm[end], force);
        for (int c = 0; c < 3; c++) {
            six[c + 3] += touch->couple[end][c];
        }
        for (int c = 0; c < 6 && end == 0; c++) {
            six[c] += touch->faces[c];
        }
    }
    for (int c = 0; c < 6; c++) {
        vxe_real_put(scratch->model->precision, s->load[c], slot, six[c]);
    }
}

static void tell(const vxe_scratch *scratch, const vxe_grain_touch *touch, double time)
{
    const vxe_grain_scratch *s = scratch->grains;
    const uint32_t *order = scratch->model->topology.order;
    vxe_contact_event event = {.time = time};
    for (int end = 0; end < 2; end++) {
        const uint32_t slot = touch->memory.slot[end];
        event.voxel[end] = slot == VXE_NONE ? VXE_CONTACT_FLOOR : order[slot];
    }
    for (int kind = 0; kind < VXE_CONTACT_EVENTS; kind++) {
        if (touch->events >> kind & 1) {
            scratch->state->grain_events[kind]++;
            event.kind = (vxe_contact_event_kind)kind;
            if (s->listener) {
                s->listener(s->user, &event);
            }
        }
    }
}

/* What contacts remember from now on. */
static void keep(const vxe_scratch *scratch, vxe_grain_scratch *s, double time)
{
    vxe_state *state = scratch->state;
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->touch_count; t++) {
        const vxe_grain_touch *touch = &s->touch[t];
        state->slipped += touch->lost;
        state->damped += touch->damped;
        s->passed = s->passed || touch->passed;
        s->stiff = s->stiff || (touch->active && touch->stiff);
        if (touch->events) {
            tell(scratch, touch, time);
        }
        if (touch->active && count < state->grain_room) {
            state->grains[count++] = touch->memory;
        } else if (touch->active) {
            s->full = true;
        }
    }
    state->grain_count = count;
}

void vxe_scratch_grains(const vxe_scratch *scratch, double h, double time, uint32_t thread,
                        uint32_t threads)
{
    const vxe_grains *grains = scratch->model->grains;
    vxe_grain_scratch *s = scratch->grains;
    if (!grains) {
        return;
    }
    vxe_grains_list(scratch, thread, threads);
    const uint64_t touches = s->touch_count;
    for (uint64_t t = touches * thread / threads; t < touches * (thread + 1) / threads; t++) {
        act(scratch, &s->touch[t], s->shift ? &s->shift[t] : NULL, h);
    }
    vxe_parallel_meet(threads);
    const uint64_t count = grains->count;
    for (uint64_t i = count * thread / threads; i < count * (thread + 1) / threads; i++) {
        sum(scratch, (uint32_t)i);
    }
    if (thread == 0) {
        keep(scratch, s, time);
    }
}

void vxe_grains_measure(const vxe_scratch *scratch)
{
    vxe_grain_scratch *s = scratch->grains;
    if (!s) {
        return;
    }
    vxe_grains_list(scratch, 0, 1);
    for (uint32_t t = 0; t < s->touch_count; t++) {
        act(scratch, &s->touch[t], NULL, scratch->state->time_step);
    }
}
