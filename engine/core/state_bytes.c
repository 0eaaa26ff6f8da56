/* SPDX-License-Identifier: MIT */
/* A state as bytes: for copies that the caller keeps. */
#include <stddef.h>
#include <string.h>

#include "engine/core/state.h"

/* Pieces of memory of a state, at most. */
#define MAX_PIECES 32u

/* A piece of memory. */
typedef struct piece {
    void *at;
    uint64_t bytes;
} piece;

/* All pieces of memory of a state; returns their number. Their sizes never change. */
static uint32_t pieces_of(const vxe_state *state, piece pieces[MAX_PIECES])
{
    vxe_state *s = (vxe_state *)(uintptr_t)state; /* who packs only reads */
    vxe_voxelyze_memory *v = state->voxelyze;
    const uint64_t entries = (uint64_t)VXE_MAX_KEPT_CONTACTS * s->touching;
    const piece all[] = {
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
    _Static_assert(sizeof all / sizeof all[0] <= MAX_PIECES, "all pieces fit");
    memcpy(pieces, all, sizeof all);
    return sizeof all / sizeof all[0];
}

uint64_t vxe_state_bytes(const vxe_state *state)
{
    piece pieces[MAX_PIECES];
    uint64_t bytes = 0;
    const uint32_t count = pieces_of(state, pieces);
    for (uint32_t i = 0; i < count; i++) {
        bytes += pieces[i].bytes;
    }
    return bytes;
}

void vxe_state_pack(const vxe_state *state, uint8_t *into)
{
    piece pieces[MAX_PIECES];
    const uint32_t count = pieces_of(state, pieces);
    for (uint32_t i = 0; i < count; i++) {
        if (pieces[i].bytes > 0) {
            memcpy(into, pieces[i].at, pieces[i].bytes);
            into += pieces[i].bytes;
        }
    }
}

void vxe_state_unpack(vxe_state *state, const uint8_t *from)
{
    piece pieces[MAX_PIECES];
    const uint32_t count = pieces_of(state, pieces);
    for (uint32_t i = 0; i < count; i++) {
        if (pieces[i].bytes > 0) {
            memcpy(pieces[i].at, from, pieces[i].bytes);
            from += pieces[i].bytes;
        }
    }
}
