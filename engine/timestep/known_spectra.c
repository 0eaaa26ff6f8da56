/* SPDX-License-Identifier: MIT */
/* See known_spectra.h. */
#include "engine/timestep/known_spectra.h"

#include <string.h>

#include "common/memory.h"
#include "common/spin_lock_internal.h"

/* Bodies that are remembered: comparing with all of them takes some microseconds. */
#define KNOWN 8u

struct vxe_known_spectra {
    vxe_spin_lock lock;
    vxe_bytes key[KNOWN]; /* empty: none */
    vxe_spectrum found[KNOWN];
    uint32_t next; /* the place of the next one */
    uint64_t hits;
};

vxe_known_spectra *vxe_known_spectra_create(void)
{
    vxe_known_spectra *known = vxe_memory_take(1, sizeof *known);
    if (known) {
        vxe_spin_lock_release(&known->lock);
    }
    return known;
}

void vxe_known_spectra_destroy(vxe_known_spectra *known)
{
    for (uint32_t i = 0; known && i < KNOWN; i++) {
        vxe_bytes_clear(&known->key[i]);
    }
    vxe_memory_release(known);
}

/* An array that may be null. */
static void put_array(vxe_bytes *key, const void *array, uint64_t count, uint64_t size)
{
    vxe_bytes_put_u64(key, array ? count : 0);
    if (array && count > 0) {
        vxe_bytes_put(key, array, count * size);
    }
}

static void put_bonds(vxe_bytes *key, const vxe_bond_vectors *bonds)
{
    put_array(key, bonds->lower, bonds->count, sizeof *bonds->lower);
    put_array(key, bonds->upper, bonds->count, sizeof *bonds->upper);
    put_array(key, bonds->row, bonds->count, sizeof *bonds->row);
    put_array(key, bonds->present, bonds->count, sizeof *bonds->present);
}

void vxe_spectrum_body_key(const vxe_spectrum_body *body, vxe_bytes *key)
{
    const uint64_t voxels = body->voxels;
    const uint64_t rows = (uint64_t)body->row_count * body->row_values * VXE_VECTOR;
    const double *of_voxels[] = {body->mass,
                                 body->inverse[0],
                                 body->inverse[1],
                                 body->inverse[2],
                                 body->inverse[3],
                                 body->inverse[4],
                                 body->inverse[5],
                                 body->gyration,
                                 body->floor_stiffness,
                                 body->floor_dashpot,
                                 body->contact_stiffness,
                                 body->contact_dashpot,
                                 body->detach_stress,
                                 body->drag,
                                 body->spin_drag};
    const double numbers[] = {body->ratios.shear,
                              body->ratios.torsion,
                              body->ratios.bending,
                              body->ratios.dash_shear,
                              body->ratios.dash_torsion,
                              body->ratios.dash_bending,
                              body->edge,
                              body->tolerance};
    const uint32_t counts[] = {body->voxels,     body->row_count,   body->row_values,
                               body->iterations, body->bars,        body->contact_spheres,
                               body->damped,     body->bonds_alone, body->dashpots_all};
    put_array(key, numbers, sizeof numbers / sizeof *numbers, sizeof *numbers);
    put_array(key, counts, sizeof counts / sizeof *counts, sizeof *counts);
    for (int axis = 0; axis < 3; axis++) {
        put_bonds(key, &body->bonds[axis]);
    }
    put_array(key, body->chunks->chunk_first, body->chunks->chunk_count + 1ull,
              sizeof *body->chunks->chunk_first);
    put_array(key, body->rows, rows, sizeof *body->rows);
    for (size_t i = 0; i < sizeof of_voxels / sizeof *of_voxels; i++) {
        const bool again = i > 0 && of_voxels[i] == of_voxels[i - 1];
        vxe_bytes_put_u32(key, again);
        put_array(key, of_voxels[i], again ? 0 : voxels, sizeof *of_voxels[i]);
    }
    put_array(key, body->faces, voxels, sizeof *body->faces);
    put_array(key, body->start->key, voxels, sizeof *body->start->key);
    for (uint64_t i = 0; i < voxels; i++) {
        const vxe_side *side = &body->start->side[body->start->body[i]];
        vxe_bytes_put(key, side, sizeof *side);
    }
}

bool vxe_known_spectra_find(vxe_known_spectra *known, const vxe_bytes *key, vxe_spectrum *found)
{
    bool is_known = false;
    vxe_spin_lock_take(&known->lock);
    for (uint32_t i = 0; i < KNOWN && !is_known; i++) {
        is_known = !key->bad && known->key[i].size == key->size && key->size > 0 &&
                   memcmp(known->key[i].data, key->data, key->size) == 0;
        *found = is_known ? known->found[i] : *found;
    }
    known->hits += is_known;
    vxe_spin_lock_release(&known->lock);
    return is_known;
}

uint64_t vxe_known_spectra_hits(const vxe_known_spectra *known)
{
    return known->hits;
}

void vxe_known_spectra_keep(vxe_known_spectra *known, vxe_bytes *key, const vxe_spectrum *found)
{
    if (key->bad) {
        return;
    }
    vxe_spin_lock_take(&known->lock);
    const uint32_t at = known->next;
    const vxe_bytes before = known->key[at];
    known->key[at] = *key;
    known->found[at] = *found;
    known->next = (at + 1) % KNOWN;
    vxe_spin_lock_release(&known->lock);
    *key = before;
    vxe_bytes_clear(key);
}
