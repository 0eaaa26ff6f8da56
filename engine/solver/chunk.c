/* SPDX-License-Identifier: MIT */
/* A chunk of a pass: its bonds into the sums, and then its voxels. */
#include <string.h>

#include "engine/core/accumulators.h"
#include "engine/core/bond_packing.h"
#include "engine/external/force_field.h"
#include "engine/solver/step.h"

/* A kernel's law over bonds [first, last) of an axis; returns the lanes that failed. */
static uint32_t run_kernel(const vxe_scratch *scratch, vxe_bond_kernel kernel,
                           const vxe_bond_target *target, uint32_t axis, uint32_t first,
                           uint32_t last)
{
    const vxe_kernels *kernels = scratch->model->kernels;
    return kernel == VXE_BOND_PEER
               ? kernels->peer->run[scratch->model->peer->law][axis](&scratch->arrays, target,
                                                                     first, last)
               : kernels->bonds->run[kernel][axis](&scratch->arrays, target, first, last);
}

/* One that finds the same failures, and keeps nothing of the bonds it looks at. */
static vxe_bond_kernel looking(vxe_bond_kernel kernel)
{
    switch (kernel) {
    case VXE_BOND_SWEPT:
        return VXE_BOND_ELASTIC;
    case VXE_BOND_SWEPT_FREE:
        return VXE_BOND_ELASTIC_FREE;
    case VXE_BOND_SWEPT_EVEN:
        return VXE_BOND_ELASTIC_EVEN;
    case VXE_BOND_SWEPT_SET:
        return VXE_BOND_ELASTIC_SET;
    default:
        return kernel;
    }
}

/* Keeps a failed bond, where there is none before it by its lower voxel's rank. */
static void keep_failure(const vxe_scratch *scratch, uint32_t axis, uint32_t lower, uint32_t upper,
                         vxe_failure *failure)
{
    const vxe_topology *topology = &scratch->model->topology;
    if (failure->kind <= VXE_FAILURE_BOND &&
        (!failure->kind ||
         vxe_topology_rank(topology, lower) < vxe_topology_rank(topology, failure->lower) ||
         (lower == failure->lower && axis < failure->axis))) {
        *failure =
            (vxe_failure){.kind = VXE_FAILURE_BOND, .axis = axis, .lower = lower, .upper = upper};
    }
}

/* First failed bond among vectors [first, last), in the state before the pass changes it: a kernel
 * of the same law again, vector by vector, into a throw-away target. */
static void find_failure(const vxe_scratch *scratch, const vxe_pass *pass, uint32_t axis,
                         uint32_t first, uint32_t last, vxe_failure *failure)
{
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    double away[12][VXE_VECTOR] = {{0}};
    vxe_bond_target target = {.packed = true};
    for (int c = 0; c < 6; c++) {
        target.own[c] = away[c];
        target.pull[c] = away[c + 6];
    }
    for (uint32_t vector = first; vector < last; vector++) {
        target.packed_first = vector;
        const uint32_t failed =
            run_kernel(scratch, looking(pass->kernel), &target, axis, vector, vector + 1);
        for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
            if (failed >> lane & 1) {
                keep_failure(scratch, axis, bonds->lower[vector] + lane,
                             bonds->upper[vector] + lane, failure);
            }
        }
    }
}

/* Likewise under the peers' law. */
static void find_peer_failure(const vxe_scratch *scratch, uint32_t axis, uint32_t first,
                              uint32_t last, vxe_failure *failure)
{
    for (uint32_t vector = first; vector < last; vector++) {
        const uint32_t failed =
            vxe_peer_look(scratch->model, &scratch->arrays, (int)axis, vector, false);
        for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
            vxe_peer_ends ends;
            if ((failed >> lane & 1) &&
                vxe_peer_ends_of(&scratch->arrays, (int)axis, vector, lane, &ends)) {
                keep_failure(scratch, axis, ends.lower, ends.upper, failure);
            }
        }
    }
}

/* Bonds [first, last) of an axis into target; failures are found and kept. */
static void run_bonds(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass,
                      const vxe_bond_target *target, uint32_t axis, uint32_t first, uint32_t last)
{
    vxe_failure *failure = &slab->failure[pass->number & 1];
    if (!run_kernel(scratch, pass->kernel, target, axis, first, last)) {
        return;
    }
    if (pass->kernel == VXE_BOND_PEER) {
        find_peer_failure(scratch, axis, first, last, failure);
    } else {
        find_failure(scratch, pass, axis, first, last, failure);
    }
}

/* Woven bonds of a chunk, likewise. */
static void run_woven(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass,
                      const vxe_bond_target *target, uint32_t axis, uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    const vxe_kernels *kernels = model->kernels;
    vxe_failure *failure = &slab->failure[pass->number & 1];
    if (pass->kernel == VXE_BOND_PEER) {
        const uint32_t *first = scratch->arrays.woven[axis].first;
        if (kernels->peer_woven->run[model->peer->law][axis](&scratch->arrays, target, chunk)) {
            find_peer_failure(scratch, axis, first[chunk], first[chunk + 1], failure);
        }
    } else if (kernels->woven->run[pass->kernel][axis](&scratch->arrays, target, chunk)) {
        const uint32_t *first = model->schedule.vector_first[axis];
        find_failure(scratch, pass, axis, first[chunk], first[chunk + 1], failure);
    }
}

/* Where a slab's crossing bonds of an axis are, as kernels want it. */
static vxe_bond_target packed_sums(const vxe_crossing *crossing)
{
    vxe_bond_target target = {.packed = true, .packed_first = crossing->first};
    memcpy(target.own, crossing->own, sizeof target.own);
    memcpy(target.pull, crossing->pull, sizeof target.pull);
    return target;
}

void vxe_slab_cross(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass)
{
    const uint64_t bytes = 6ull * VXE_VECTOR * vxe_real_bytes(scratch->model->precision);
    for (uint32_t axis = 0; axis < 3; axis++) {
        vxe_crossing *crossing = &slab->crossing[axis];
        if (crossing->first ==
            crossing->last) { /* a body of one slab has none, and is in a hurry */
            continue;
        }
        const vxe_bond_target target = packed_sums(crossing);
        memset(crossing->own_block, 0, bytes * (crossing->last - crossing->first));
        memset(crossing->pull_block, 0, bytes * (crossing->last - crossing->first));
        run_bonds(scratch, slab, pass, &target, axis, crossing->first, crossing->last);
    }
}

/* Adds what crossing bonds of earlier slabs do to upper voxels of this one. A voxel's lower
   neighbours in z, y and x follow each other in the scan: those in earlier slabs come first, and in
   that order. */
void vxe_slab_absorb(const vxe_scratch *scratch, const vxe_slab *slab)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t begin = schedule->chunk_first[slab->first_chunk];
    const uint32_t end = schedule->chunk_first[slab->last_chunk];
    for (int axis = 2; axis >= 0; axis--) {
        for (const vxe_slab *from = scratch->slabs; from < slab; from++) {
            const vxe_crossing *crossing = &from->crossing[axis];
            const vxe_bond_target packed = packed_sums(crossing);
            scratch->model->kernels->bonds->add_upper(&scratch->arrays.bonds[axis], &packed,
                                                      crossing->first, crossing->last, &slab->sums,
                                                      begin, end);
        }
    }
}

/* Adds crossing bonds [first, last) of a chunk: own parts, and the upper voxels in this slab. */
static void add_crossing(const vxe_scratch *scratch, const vxe_slab *slab,
                         const vxe_bond_target *sums, uint32_t axis, uint32_t first, uint32_t last)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const vxe_bond_kernels *kernels = scratch->model->kernels->bonds;
    const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
    const vxe_bond_target packed = packed_sums(&slab->crossing[axis]);
    kernels->add_lower(bonds, &packed, first, last, sums);
    kernels->add_upper(bonds, &packed, first, last, sums, 0,
                       schedule->chunk_first[slab->last_chunk]);
}

bool vxe_slab_is_woven(const vxe_scratch *scratch, const vxe_slab *slab, const vxe_pass *pass,
                       uint32_t axis)
{
    return slab->last_chunk - slab->first_chunk == scratch->model->schedule.chunk_count &&
           scratch->arrays.woven[axis].count > 0 &&
           (pass->kernel == VXE_BOND_PEER ||
            vxe_woven_runs(scratch->model->kernels->woven, pass->kernel));
}

/* Makes sums those of a chunk. */
static void slide_sums(const vxe_scratch *scratch, vxe_bond_target *sums, uint32_t chunk)
{
    sums->own_first = scratch->model->schedule.chunk_first[chunk];
    vxe_sums_slide(sums, sums->own_first, scratch->pull_reach, scratch->pull_room,
                   scratch->model->slots, vxe_real_bytes(scratch->model->precision));
}

/* Axes in the order that every voxel sums its bonds in: z, y, x. */
static void chunk_bonds(vxe_scratch *scratch, vxe_slab *slab, vxe_bond_target *sums,
                        const vxe_pass *pass, uint32_t chunk)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    slide_sums(scratch, sums, chunk);
    for (uint32_t axis = 2; axis < 3; axis--) {
        if (vxe_slab_is_woven(scratch, slab, pass, axis)) {
            run_woven(scratch, slab, pass, sums, axis, chunk);
            continue;
        }
        const uint32_t first = schedule->vector_first[axis][chunk];
        const uint32_t last = schedule->vector_first[axis][chunk + 1];
        const uint32_t crossing = slab->crossing[axis].first;
        const uint32_t inside = crossing < first ? first : crossing < last ? crossing : last;
        run_bonds(scratch, slab, pass, sums, axis, first, inside);
        if (inside < last) {
            add_crossing(scratch, slab, sums, axis, inside, last);
        }
    }
}

/* Whether a chunk's bonds of all axes stand in blocks and are run by rows, by this slab alone. */
static bool is_in_blocks(const vxe_scratch *scratch, const vxe_slab *slab, const vxe_pass *pass,
                         uint32_t chunk)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (!(schedule->in_blocks[chunk] >> axis & 1) ||
            slab->crossing[axis].first < schedule->vector_first[axis][chunk + 1] ||
            vxe_slab_is_woven(scratch, slab, pass, axis)) {
            return false;
        }
    }
    return true;
}

/* The kernel of a damping sweep over a chunk in blocks; VXE_SWEEP_LAWS where it goes axis by axis.
 */
static uint32_t sweep_law(const vxe_scratch *scratch, const vxe_slab *slab, const vxe_pass *pass,
                          uint32_t chunk)
{
    const uint32_t law = (uint32_t)pass->kernel - VXE_BOND_DAMP;
    const bool known = law < VXE_SWEEP_LAWS && scratch->model->kernels->sweep->close[law] &&
                       (pass->kick_flags | VXE_KICK_SWEEP) == VXE_KICK_SWEEP;
    return known && is_in_blocks(scratch, slab, pass, chunk) ? law : VXE_SWEEP_LAWS;
}

/* Bonds and kick of a damping sweep over a chunk in blocks. */
static void sweep_chunk(vxe_scratch *scratch, vxe_slab *slab, vxe_bond_target *sums,
                        const vxe_pass *pass, uint32_t law, uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    const vxe_schedule *schedule = &model->schedule;
    const vxe_sweep_kernels *kernels = model->kernels->sweep;
    const uint32_t last = schedule->chunk_first[chunk + 1];
    vxe_sweep_range range = {.first = schedule->chunk_first[chunk]};
    for (int axis = 0; axis < 3; axis++) {
        range.vector[axis].first = schedule->vector_first[axis][chunk];
        range.vector[axis].last = schedule->vector_first[axis][chunk + 1];
    }
    const uint32_t rest = (last - range.first) % VXE_VECTOR;
    range.last = last - rest;
    slide_sums(scratch, sums, chunk);
    kernels->across[law](&scratch->arrays, sums, &range);
    uint32_t *x_last = &range.vector[0].last;
    if (rest > 0 && *x_last > range.vector[0].first &&
        scratch->arrays.bonds[0].lower[*x_last - 1] == range.last) {
        --*x_last; /* of the block that is not whole */
        run_bonds(scratch, slab, pass, sums, 0, *x_last, *x_last + 1);
    }
    kernels->close[law](&scratch->arrays, sums, &range, pass->h, pass->kick_flags);
    if (rest > 0) {
        model->kernels->voxels->kick(&scratch->arrays, sums, range.last, last, pass->h,
                                     pass->kick_flags);
    }
}

/* Velocities of prescribed freedoms, such that this step's drift ends where the motion is at its
 * end. */
static void drive(const vxe_scratch *scratch, const vxe_pass *pass, uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    for (uint32_t i = model->driven_first[chunk]; i < model->driven_first[chunk + 1]; i++) {
        const vxe_driven_freedom *driven = &model->driven[i];
        const vxe_time_table *table = &model->tables[driven->region];
        const double after = vxe_time_table_at(table, pass->end) * driven->amount;
        if (driven->freedom < 3) {
            const int c = (int)driven->freedom;
            const double at = vxe_state_position(scratch->state, c, driven->slot);
            vxe_state_put_velocity(scratch->state, c, driven->slot,
                                   (driven->rest + after - at) / pass->step);
        } else {
            const double before =
                pass->number ? vxe_time_table_at(table, pass->time) * driven->amount : 0;
            vxe_state_put_spin(scratch->state, (int)driven->freedom - 3, driven->slot,
                               (after - before) / pass->step);
        }
    }
}

/* A chunk's voxels under the peers' law, behind their bonds. */
static void move_as_peers(vxe_scratch *scratch, vxe_bond_target *sums, const vxe_pass *pass,
                          uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    const vxe_peer_kernels *kernels = model->kernels->peer;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    const vxe_peer_clock clock = vxe_peer_clock_at(model, pass->time);
    if (model->driven_first) {
        drive(scratch, pass, chunk);
    }
    kernels->advance(&scratch->arrays, sums, first, last, pass->step);
    kernels->resize(&scratch->arrays, first, last, &clock);
}

/* Adds what contacts, laws of contact, guests and magnets do to the voxels of a chunk. */
static void add_loads(const vxe_scratch *scratch, const vxe_bond_target *sums, uint32_t chunk)
{
    const vxe_model *model = scratch->model;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    const vxe_contact_scratch *contacts = scratch->contacts;
    const vxe_grain_scratch *grains = scratch->grains;
    const vxe_guests *guests = &scratch->guests;
    const vxe_magnet_scratch *magnets = scratch->magnets;
    if (contacts && contacts->body.loaded[chunk]) {
        model->kernels->contacts->add(contacts->body.load, sums, first, last);
    }
    if (grains && grains->loaded[chunk]) {
        model->kernels->contacts->add(grains->load, sums, first, last);
    }
    if (guests->loaded && guests->loaded[chunk]) {
        model->kernels->contacts->add(guests->load, sums, first, last);
    }
    if (magnets && magnets->loaded[chunk]) {
        model->kernels->contacts->add(magnets->load, sums, first, last);
    }
}

/* Whether a kick may keep and halve velocities by itself: nothing but the floor is to come between.
 */
static bool halves_at_once(const vxe_scratch *scratch, const vxe_pass *pass)
{
    return (pass->acts & VXE_ACT_KEEP) && (pass->acts & VXE_ACT_HALVE) && !pass->no_bonds &&
           !scratch->model->driven_first && !scratch->arrays.drag;
}

void vxe_slab_chunk(vxe_scratch *scratch, vxe_slab *slab, vxe_bond_target *sums,
                    const vxe_pass *pass, uint32_t chunk, const double *clock)
{
    const vxe_model *model = scratch->model;
    const vxe_voxel_kernels *kernels = model->kernels->voxels;
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const uint32_t first = model->schedule.chunk_first[chunk];
    const uint32_t last = model->schedule.chunk_first[chunk + 1];
    if (pass->acts & VXE_ACT_PEER) {
        chunk_bonds(scratch, slab, sums, pass, chunk);
        move_as_peers(scratch, sums, pass, chunk);
        return;
    }
    const bool at_once = halves_at_once(scratch, pass);
    uint32_t kicked = 0;
    if ((pass->acts & VXE_ACT_KEEP) && !at_once) {
        kernels->keep(arrays, first, last);
    }
    const uint32_t law = pass->no_bonds ? VXE_SWEEP_LAWS : sweep_law(scratch, slab, pass, chunk);
    if (law < VXE_SWEEP_LAWS) {
        sweep_chunk(scratch, slab, sums, pass, law, chunk);
    } else if (!pass->no_bonds) {
        chunk_bonds(scratch, slab, sums, pass, chunk);
        if ((pass->kick_flags & VXE_KICK_EXTERNAL) && model->field.acts) {
            vxe_field_compute(model, scratch->state, arrays->field, first, last, pass->time);
        }
        if (pass->kick_flags & VXE_KICK_EXTERNAL) {
            add_loads(scratch, sums, chunk);
        }
        kicked = kernels->kick(arrays, sums, first, last, pass->h,
                               pass->kick_flags | (at_once ? VXE_KICK_HALVE : 0u));
        if (pass->kick_flags & VXE_KICK_FLOOR) {
            scratch->touching[chunk] = kicked & VXE_KICKED_TOUCHING;
        }
    }
    if ((pass->acts & VXE_ACT_DRIVE) && model->driven_first) {
        drive(scratch, pass, chunk);
    }
    if (pass->acts & VXE_ACT_DECAY) {
        kernels->decay(arrays, first, last, pass->step, scratch->touching[chunk]);
    }
    if ((pass->acts & VXE_ACT_HALVE) && !(kicked & VXE_KICKED_HALVED)) {
        kernels->halve(arrays, first, last);
    }
    if ((pass->acts & VXE_ACT_FRICTION) && scratch->touching[chunk]) {
        kernels->friction(arrays, first, last);
    }
    if (pass->acts & VXE_ACT_DRIFT) {
        kernels->drift(arrays, first, last, pass->step);
        vxe_scratch_contacts_moved(scratch, slab, chunk, pass->step);
    }
    if ((pass->acts & VXE_ACT_RESIZE) && vxe_model_resizes(model)) {
        const double grown = kernels->resize(arrays, first, last, clock, scratch->factors);
        slab->pace.grown = grown > slab->pace.grown ? grown : slab->pace.grown;
    }
}
