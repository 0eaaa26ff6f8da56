/* SPDX-License-Identifier: MIT */
/* Allocation, copy, access and hash of a state, all driven by the field table of state.h. The
   hash covers every bit that decides how a run goes on (docs/accuracy.md, Determinism). */
#include "engine/core/state.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Spans of memory of a state, at most. */
#define MAX_SPANS 32u

/* Number of components of a field in a precision. */
static int components_of(vxe_precision precision, int in_double, int in_mixed)
{
    return precision == VXE_PRECISION_DOUBLE ? in_double : in_mixed;
}

static uint64_t bytes_of_kept_contacts(uint64_t touching)
{
    return touching * (sizeof(uint32_t) + VXE_MAX_KEPT_CONTACTS * sizeof(vxe_kept_contact));
}

/* Takes the memory of contacts, all of which are open; false without memory. */
static bool kept_contacts_take(vxe_state *state)
{
    bool complete = true;
    for (int parity = 0; parity < 2; parity++) {
        vxe_kept_contacts *kept = &state->kept_contacts[parity];
        const uint64_t count = state->touching;
        kept->first = vxe_memory_take(count, sizeof *kept->first);
        kept->entry = vxe_memory_take(count * VXE_MAX_KEPT_CONTACTS, sizeof *kept->entry);
        complete = complete && kept->first && kept->entry;
        for (uint64_t k = 0; k < count && kept->first; k++) {
            kept->first[k] = VXE_NONE;
        }
    }
    return complete;
}

/* Copies what pairs in contact remember of the present step. */
static void kept_contacts_copy(vxe_state *to, const vxe_state *from)
{
    VXE_ASSERT(to->touching == from->touching);
    const vxe_kept_contacts *kept = &from->kept_contacts[from->step & 1];
    vxe_kept_contacts *copy = &to->kept_contacts[from->step & 1];
    for (uint32_t k = 0; k < from->touching; k++) {
        copy->first[k] = kept->first[k];
        for (uint32_t at = kept->first[k]; at != VXE_NONE; at = kept->entry[at].next) {
            copy->entry[at] = kept->entry[at];
        }
    }
}

static void kept_contacts_hash(const vxe_state *state, vxe_hash *hash)
{
    const vxe_kept_contacts *kept = &state->kept_contacts[state->step & 1];
    for (uint32_t k = 0; k < state->touching; k++) {
        for (uint32_t at = kept->first[k]; at != VXE_NONE; at = kept->entry[at].next) {
            const vxe_kept_contact *touch = &kept->entry[at];
            vxe_hash_word(hash, (uint64_t)k << 32 | touch->upper);
            vxe_hash_double(hash, (double)touch->share);
            vxe_hash_double(hash, (double)touch->rest);
            vxe_hash_double(hash, (double)touch->age);
            vxe_hash_word(hash, (uint64_t)touch->faces[0] << 32 | touch->faces[1]);
            for (int c = 0; c < 3; c++) {
                vxe_hash_double(hash, (double)touch->shear[c]);
            }
        }
    }
}

/* Bytes from one array to the next: arrays start on cache lines, and are set apart so that equal
   slots do not share a cache set. */
static uint64_t stride_of(vxe_precision precision, uint64_t slots)
{
    return (slots * vxe_real_bytes(precision) + 63) / 64 * 64 + 64;
}

/* Number of arrays of a state. */
static uint64_t arrays_of(vxe_precision precision, bool yields)
{
    uint64_t arrays = 0;
#define COUNT(name, NAME, in_double, in_mixed, reader, unit)                                       \
    arrays += (uint64_t)components_of(precision, in_double, in_mixed);
    VXE_STATE_FIELDS(COUNT)
#undef COUNT
#define COUNT(name, reader, unit) arrays += yields ? 3 : 0;
    VXE_STATE_BOND_FIELDS(COUNT)
#undef COUNT
    return arrays;
}

uint64_t vxe_state_block_bytes(const vxe_state *state)
{
    return arrays_of(state->precision, state->yields) * stride_of(state->precision, state->slots);
}

vxe_status vxe_state_init(vxe_state *state, vxe_precision precision, vxe_state_size size,
                          vxe_error *error)
{
    VXE_ASSERT(precision == VXE_PRECISION_MIXED || precision == VXE_PRECISION_DOUBLE);
    const uint32_t slots = size.slots;
    const bool yields = size.yields;
    const uint64_t bytes = vxe_real_bytes(precision);
    const uint64_t stride = stride_of(precision, slots);
    const uint64_t arrays = arrays_of(precision, yields);
    *state = (vxe_state){.precision = precision,
                         .slots = slots,
                         .yields = yields,
                         .groups = size.groups,
                         .sticky_link_capacity = size.sticky_links,
                         .particle_capacity = size.particles,
                         .touching = size.touching};
    state->block = vxe_memory_take(arrays, stride);
    state->target = vxe_memory_take(size.groups, sizeof *state->target);
    state->sticky_links = vxe_memory_take(size.sticky_links, sizeof *state->sticky_links);
    state->particles = vxe_memory_take(size.particles, sizeof *state->particles);
    state->voxelyze = size.voxelyze.needed ? vxe_voxelyze_memory_take(&size.voxelyze) : NULL;
    const bool complete = kept_contacts_take(state);
    if (!complete || !state->block || !state->target || !state->sticky_links || !state->particles ||
        (size.voxelyze.needed && !state->voxelyze)) {
        vxe_state_clear(state);
        return vxe_error_memory(error, arrays * stride + size.groups * sizeof *state->target +
                                           size.sticky_links * sizeof *state->sticky_links +
                                           size.particles * sizeof *state->particles +
                                           2 * bytes_of_kept_contacts(size.touching));
    }
    for (uint32_t g = 0; g < size.groups; g++) {
        state->target[g] = 1;
    }
    vxe_reals *next = state->block;
#define PLACE(name, NAME, in_double, in_mixed, reader, unit)                                       \
    for (int c = 0; c < components_of(precision, in_double, in_mixed); c++) {                      \
        state->name[c] = next;                                                                     \
        next = vxe_reals_at(precision, next, stride / bytes);                                      \
    }
    VXE_STATE_FIELDS(PLACE)
#undef PLACE
#define PLACE(name, reader, unit)                                                                  \
    for (int c = 0; c < 3 && yields; c++) {                                                        \
        state->name[c] = next;                                                                     \
        next = vxe_reals_at(precision, next, stride / bytes);                                      \
    }
    VXE_STATE_BOND_FIELDS(PLACE)
#undef PLACE
    for (uint32_t i = 0; i < slots; i++) {
        vxe_state_put_orientation(state, 0, i, 1);
    }
    return VXE_OK;
}

void vxe_state_clear(vxe_state *state)
{
    vxe_memory_release(state->block);
    vxe_memory_release(state->target);
    vxe_memory_release(state->sticky_links);
    vxe_memory_release(state->particles);
    for (int parity = 0; parity < 2; parity++) {
        vxe_memory_release(state->kept_contacts[parity].first);
        vxe_memory_release(state->kept_contacts[parity].entry);
    }
    vxe_voxelyze_memory_release(state->voxelyze);
    *state = (vxe_state){0};
}

void vxe_state_copy_slots(vxe_state *to, const vxe_state *from, uint32_t first, uint32_t last)
{
    VXE_ASSERT(to->precision == from->precision && to->slots == from->slots);
    VXE_ASSERT(to->yields == from->yields && first <= last && last <= from->slots);
    const size_t size = (size_t)(last - first) * vxe_real_bytes(from->precision);
#define COPY(name, NAME, in_double, in_mixed, reader, unit)                                        \
    for (int c = 0; c < components_of(from->precision, in_double, in_mixed); c++) {                \
        memcpy(vxe_reals_at(from->precision, to->name[c], first),                                  \
               vxe_reals_at(from->precision, from->name[c], first), size);                         \
    }
    VXE_STATE_FIELDS(COPY)
#undef COPY
#define COPY(name, reader, unit)                                                                   \
    for (int c = 0; c < 3 && from->yields; c++) {                                                  \
        memcpy(vxe_reals_at(from->precision, to->name[c], first),                                  \
               vxe_reals_at(from->precision, from->name[c], first), size);                         \
    }
    VXE_STATE_BOND_FIELDS(COPY)
#undef COPY
}

void vxe_state_copy_beside(vxe_state *to, const vxe_state *from)
{
    VXE_ASSERT(to->groups == from->groups && !to->voxelyze == !from->voxelyze);
    VXE_ASSERT(from->sticky_link_count <= to->sticky_link_capacity);
    VXE_ASSERT(from->particle_count <= to->particle_capacity);
    memcpy(to->target, from->target, from->groups * sizeof *to->target);
    memcpy(to->sticky_links, from->sticky_links,
           from->sticky_link_count * sizeof *to->sticky_links);
    if (from->voxelyze) {
        vxe_voxelyze_memory_copy(to->voxelyze, from->voxelyze);
    }
    memcpy(to->particles, from->particles, from->particle_count * sizeof *to->particles);
    memcpy(to->particle_events, from->particle_events, sizeof to->particle_events);
    to->particle_count = from->particle_count;
    to->slipped = from->slipped;
    to->damped = from->damped;
    to->sticky_link_count = from->sticky_link_count;
    to->released = from->released;
    to->step = from->step;
    to->base_step = from->base_step;
    to->base_time = from->base_time;
    to->time_step = from->time_step;
    kept_contacts_copy(to, from);
}

void vxe_state_copy(vxe_state *to, const vxe_state *from)
{
    vxe_state_copy_slots(to, from, 0, from->slots);
    vxe_state_copy_beside(to, from);
}

double vxe_state_time(const vxe_state *state)
{
    return vxe_state_time_at(state, state->step);
}

double vxe_state_time_at(const vxe_state *state, uint64_t step)
{
    VXE_ASSERT(step >= state->base_step);
    return state->base_time + (double)(step - state->base_step) * state->time_step;
}

double vxe_state_velocity(const vxe_state *state, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < state->slots);
    return vxe_real_at(state->precision, state->v[c], slot);
}

double vxe_state_spin(const vxe_state *state, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < state->slots);
    return vxe_real_at(state->precision, state->w[c], slot);
}

void vxe_state_put_position(vxe_state *state, int c, uint32_t slot, double value)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < state->slots);
    vxe_real_put(state->precision, state->x[c], slot, value);
    if (state->x_low[c]) {
        vxe_real_put(state->precision, state->x_low[c], slot,
                     value - vxe_real_at(state->precision, state->x[c], slot));
    }
}

void vxe_state_put_orientation(vxe_state *state, int c, uint32_t slot, double value)
{
    VXE_ASSERT(c >= 0 && c < 4 && slot < state->slots);
    vxe_real_put(state->precision, state->q[c], slot, value);
}

void vxe_state_put_velocity(vxe_state *state, int c, uint32_t slot, double value)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < state->slots);
    vxe_real_put(state->precision, state->v[c], slot, value);
}

void vxe_state_put_spin(vxe_state *state, int c, uint32_t slot, double value)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < state->slots);
    vxe_real_put(state->precision, state->w[c], slot, value);
}

/* Whether all numbers are finite: 0 times an infinity or NaN is NaN, and a sum with one is not
   0. */
static bool all_finite(vxe_precision precision, const vxe_reals *array, uint32_t count)
{
    float check = 0;
    double full_check = 0;
    if (precision == VXE_PRECISION_MIXED) {
        const float *single = vxe_floats_const(precision, array);
#pragma omp simd reduction(+ : check)
        for (uint32_t i = 0; i < count; i++) {
            check += 0 * single[i];
        }
    } else {
        const double *full = vxe_doubles_const(precision, array);
#pragma omp simd reduction(+ : full_check)
        for (uint32_t i = 0; i < count; i++) {
            full_check += 0 * full[i];
        }
    }
    return check == 0 && full_check == 0;
}

bool vxe_state_is_finite(const vxe_state *state, uint32_t voxels)
{
    VXE_ASSERT(voxels <= state->slots);
    bool finite = true;
#define CHECK(name, NAME, in_double, in_mixed, reader, unit)                                       \
    for (int c = 0; c < components_of(state->precision, in_double, in_mixed); c++) {               \
        finite = finite && all_finite(state->precision, state->name[c], voxels);                   \
    }
    VXE_STATE_FIELDS(CHECK)
#undef CHECK
    return finite;
}

uint64_t vxe_state_hash(const vxe_state *state, const uint32_t *order, uint32_t voxels)
{
    VXE_ASSERT(voxels <= state->slots);
    vxe_hash hash = {0};
    for (uint32_t v = 0; v < voxels; v++) {
        const uint32_t i = order[v];
        VXE_ASSERT(i < state->slots);
#define HASH(name, NAME, in_double, in_mixed, reader, unit)                                        \
    for (int c = 0; c < components_of(state->precision, in_double, in_mixed); c++) {               \
        vxe_hash_double(&hash, vxe_real_at(state->precision, state->name[c], i));                  \
    }
        VXE_STATE_FIELDS(HASH)
#undef HASH
#define HASH(name, reader, unit)                                                                   \
    for (int c = 0; c < 3 && state->yields; c++) {                                                 \
        vxe_hash_double(&hash, vxe_real_at(state->precision, state->name[c], i));                  \
    }
        VXE_STATE_BOND_FIELDS(HASH)
#undef HASH
    }
    for (uint32_t g = 0; g < state->groups; g++) {
        vxe_hash_double(&hash, state->target[g]);
    }
    for (uint32_t i = 0; i < state->sticky_link_count; i++) {
        const vxe_sticky_link *link = &state->sticky_links[i];
        vxe_hash_word(&hash, (uint64_t)link->place[0] << 32 | link->place[1]);
        vxe_hash_double(&hash, link->share);
        for (int c = 0; c < 3; c++) {
            vxe_hash_double(&hash, link->anchor[0][c]);
            vxe_hash_double(&hash, link->anchor[1][c]);
        }
        for (int c = 0; c < 4; c++) {
            vxe_hash_double(&hash, link->rest[c]);
        }
    }
    for (uint32_t i = 0; i < state->particle_count; i++) {
        const vxe_contact_memory *particle = &state->particles[i];
        vxe_hash_word(&hash, (uint64_t)particle->slot[0] << 32 | particle->slot[1]);
        vxe_hash_word(&hash, particle->slips);
        vxe_hash_double(&hash, particle->normal);
        vxe_hash_double(&hash, particle->stiffness);
        for (int c = 0; c < 6; c++) {
            vxe_hash_double(&hash, particle->mean[c]);
            vxe_hash_double(&hash, particle->others[c]);
            vxe_hash_double(&hash, particle->left[c]);
        }
        for (int c = 0; c < 3; c++) {
            vxe_hash_double(&hash, particle->shear[c]);
        }
    }
    kept_contacts_hash(state, &hash);
    if (state->voxelyze) {
        vxe_voxelyze_memory_hash(state->voxelyze, &hash);
    }
    vxe_hash_word(&hash, state->step);
    return vxe_hash_end(&hash);
}

/* A span of memory. */
typedef struct span {
    void *at;
    uint64_t bytes;
} span;

/* All spans of memory of a state; returns their number. Their sizes never change. */
static uint32_t spans_of(const vxe_state *state, span spans[MAX_SPANS])
{
    vxe_state *s = (vxe_state *)(uintptr_t)state; /* who packs only reads */
    vxe_voxelyze_memory *v = state->voxelyze;
    const uint64_t entries = (uint64_t)VXE_MAX_KEPT_CONTACTS * s->touching;
    const span all[] = {
        {s->block, vxe_state_block_bytes(s)},
        {s->target, s->groups * sizeof *s->target},
        {s->sticky_links, s->sticky_link_capacity * sizeof *s->sticky_links},
        {s->particles, s->particle_capacity * sizeof *s->particles},
        {s->kept_contacts[0].first, s->touching * sizeof(uint32_t)},
        {s->kept_contacts[1].first, s->touching * sizeof(uint32_t)},
        {s->kept_contacts[0].entry, entries * sizeof(vxe_kept_contact)},
        {s->kept_contacts[1].entry, entries * sizeof(vxe_kept_contact)},
        {&s->step, sizeof s->step},
        {&s->base_step, sizeof s->base_step},
        {&s->base_time, sizeof s->base_time},
        {&s->time_step, sizeof s->time_step},
        {&s->sticky_link_count, sizeof s->sticky_link_count},
        {&s->particle_count, sizeof s->particle_count},
        {&s->slipped, sizeof s->slipped},
        {&s->damped, sizeof s->damped},
        {&s->released, sizeof s->released},
        {s->particle_events, sizeof s->particle_events},
        {v ? v->bonds[0] : NULL, v ? vxe_voxelyze_bond_bytes(v, 0) : 0},
        {v ? v->bonds[1] : NULL, v ? vxe_voxelyze_bond_bytes(v, 1) : 0},
        {v ? v->bonds[2] : NULL, v ? vxe_voxelyze_bond_bytes(v, 2) : 0},
        {v ? v->edge_growth : NULL, v ? v->slots * sizeof *v->edge_growth : 0},
        {v ? v->pairs : NULL, v ? 2 * v->pair_capacity * sizeof *v->pairs : 0},
        {v ? &v->pair_count : NULL, v ? sizeof v->pair_count : 0},
        {v ? &v->moved : NULL, v ? sizeof v->moved : 0},
        {v ? &v->listed : NULL, v ? sizeof v->listed : 0},
        {v ? &v->full : NULL, v ? sizeof v->full : 0},
    };
    _Static_assert(sizeof all / sizeof all[0] <= MAX_SPANS, "all spans fit");
    memcpy(spans, all, sizeof all);
    return sizeof all / sizeof all[0];
}

uint64_t vxe_state_bytes(const vxe_state *state)
{
    span spans[MAX_SPANS];
    uint64_t bytes = 0;
    const uint32_t count = spans_of(state, spans);
    for (uint32_t i = 0; i < count; i++) {
        bytes += spans[i].bytes;
    }
    return bytes;
}

void vxe_state_pack(const vxe_state *state, uint8_t *into)
{
    span spans[MAX_SPANS];
    const uint32_t count = spans_of(state, spans);
    for (uint32_t i = 0; i < count; i++) {
        if (spans[i].bytes > 0) {
            memcpy(into, spans[i].at, spans[i].bytes);
            into += spans[i].bytes;
        }
    }
}

void vxe_state_unpack(vxe_state *state, const uint8_t *from)
{
    span spans[MAX_SPANS];
    const uint32_t count = spans_of(state, spans);
    for (uint32_t i = 0; i < count; i++) {
        if (spans[i].bytes > 0) {
            memcpy(spans[i].at, from, spans[i].bytes);
            from += spans[i].bytes;
        }
    }
}
