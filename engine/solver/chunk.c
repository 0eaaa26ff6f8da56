/* SPDX-License-Identifier: MIT */
/* One chunk of a pass: its bonds are added to the force accumulators, then its voxels are
   changed (step.h draws the order). */
#include <string.h>

#include "common/assert_internal.h"
#include "engine/bonds/bonds.h"
#include "engine/core/accumulators.h"
#include "engine/core/state_vec.h"
#include "engine/external/external.h"
#include "engine/solver/step.h"

/* Runs the kernel of a law over bond vectors [first, last) of an axis; returns the lanes that
   failed. */
static uint32_t run_kernel(const vxe_workspace *workspace, vxe_bond_parts law,
                           const vxe_bond_target *target, uint32_t axis, uint32_t first,
                           uint32_t last)
{
    const vxe_kernels *kernels = workspace->model->kernels;
    if (law == VXE_BOND_VOXELYZE) {
        return vxe_voxelyze_kernels_of(kernels)->run[workspace->model->voxelyze->law][axis](
            &workspace->arrays, target, first, last);
    }
    VXE_ASSERT(law < VXE_BOND_LAWS && vxe_bond_kernels_of(kernels)->run[law][axis]);
    return vxe_bond_kernels_of(kernels)->run[law][axis](&workspace->arrays, target, first, last);
}

/* Records a failed bond, unless one with a lower rank of its lower voxel is recorded already. */
static void keep_failure(const vxe_workspace *workspace, uint32_t axis, uint32_t lower,
                         uint32_t upper, vxe_failure *failure)
{
    VXE_ASSERT(axis < 3 && lower < upper && upper < workspace->model->topology.voxel_count);
    const vxe_topology *topology = &workspace->model->topology;
    if (failure->kind <= VXE_FAILURE_BOND &&
        (!failure->kind ||
         vxe_topology_rank(topology, lower) < vxe_topology_rank(topology, failure->lower) ||
         (lower == failure->lower && axis < failure->axis))) {
        *failure =
            (vxe_failure){.kind = VXE_FAILURE_BOND, .axis = axis, .lower = lower, .upper = upper};
    }
}

/* Finds the first failed bond among vectors [first, last), in the state before the pass changes
   it: runs a kernel of the same law again, vector by vector, into a target that is thrown away. */
static void find_failure(const vxe_workspace *workspace, const vxe_pass *pass, uint32_t axis,
                         uint32_t first, uint32_t last, vxe_failure *failure)
{
    const vxe_bond_vectors *bonds = &workspace->arrays.bonds[axis];
    double away[12][VXE_VECTOR] = {{0}};
    vxe_bond_target target = {.contiguous = true};
    for (int c = 0; c < 6; c++) {
        target.lower_force[c] = vxe_reals_in(away[c]);
        target.upper_force[c] = vxe_reals_in(away[c + 6]);
    }
    for (uint32_t vector = first; vector < last; vector++) {
        target.contiguous_first = vector;
        const uint32_t failed = run_kernel(workspace, pass->law & ~(vxe_bond_parts)VXE_BOND_KEEP,
                                           &target, axis, vector, vector + 1);
        for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
            if (failed >> lane & 1) {
                keep_failure(workspace, axis, bonds->lower[vector] + lane,
                             bonds->upper[vector] + lane, failure);
            }
        }
    }
}

/* The same under the law of the Voxelyze family. */
static void find_voxelyze_failure(const vxe_workspace *workspace, uint32_t axis, uint32_t first,
                                  uint32_t last, vxe_failure *failure)
{
    for (uint32_t vector = first; vector < last; vector++) {
        const uint32_t failed =
            vxe_voxelyze_search(workspace->model, &workspace->arrays, (int)axis, vector, false);
        for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
            vxe_voxelyze_ends ends;
            if ((failed >> lane & 1) &&
                vxe_voxelyze_ends_of(&workspace->arrays, (int)axis, vector, lane, &ends)) {
                keep_failure(workspace, axis, ends.lower, ends.upper, failure);
            }
        }
    }
}

/* Adds the forces of bond vectors [first, last) of an axis to target, and records failures. */
static void run_bonds(const vxe_workspace *workspace, vxe_partition *partition,
                      const vxe_pass *pass, const vxe_bond_target *target, uint32_t axis,
                      uint32_t first, uint32_t last)
{
    VXE_ASSERT(axis < 3 && first <= last && last <= workspace->arrays.bonds[axis].count);
    vxe_failure *failure = &partition->failure[pass->number & 1];
    if (!run_kernel(workspace, pass->law, target, axis, first, last)) {
        return;
    }
    if (pass->law == VXE_BOND_VOXELYZE) {
        find_voxelyze_failure(workspace, axis, first, last, failure);
    } else {
        find_failure(workspace, pass, axis, first, last, failure);
    }
}

/* Adds the forces of a chunk's packed bonds to target, and records failures. */
static void run_packed(const vxe_workspace *workspace, vxe_partition *partition,
                       const vxe_pass *pass, const vxe_bond_target *target, uint32_t axis,
                       uint32_t chunk)
{
    VXE_ASSERT(axis < 3 && !target->contiguous && workspace->arrays.packed[axis].count > 0);
    const vxe_model *model = workspace->model;
    const vxe_kernels *kernels = model->kernels;
    vxe_failure *failure = &partition->failure[pass->number & 1];
    if (pass->law == VXE_BOND_VOXELYZE) {
        const uint32_t *first = workspace->arrays.packed[axis].first;
        if (vxe_voxelyze_packed_kernels_of(kernels)->run[model->voxelyze->law][axis](
                &workspace->arrays, target, chunk)) {
            find_voxelyze_failure(workspace, axis, first[chunk], first[chunk + 1], failure);
        }
    } else if (vxe_packed_kernels_of(kernels)->run[pass->law][axis](&workspace->arrays, target,
                                                                    chunk)) {
        const uint32_t *first = model->chunks.vector_first[axis];
        find_failure(workspace, pass, axis, first[chunk], first[chunk + 1], failure);
    }
}

/* A target for the halo bonds of a partition on one axis. */
static vxe_bond_target contiguous_sums(const vxe_halo_bonds *halo)
{
    vxe_bond_target target = {.contiguous = true, .contiguous_first = halo->first};
    memcpy(target.lower_force, halo->lower_force, sizeof target.lower_force);
    memcpy(target.upper_force, halo->upper_force, sizeof target.upper_force);
    return target;
}

void vxe_partition_compute_halo(const vxe_workspace *workspace, vxe_partition *partition,
                                const vxe_pass *pass)
{
    const uint64_t bytes = 6ull * VXE_VECTOR * vxe_real_bytes(workspace->model->precision);
    for (uint32_t axis = 0; axis < 3; axis++) {
        vxe_halo_bonds *halo = &partition->halo[axis];
        VXE_ASSERT(halo->first <= halo->last && halo->last <= workspace->arrays.bonds[axis].count);
        if (halo->first == halo->last) { /* a single-partition body has no halo bonds; skip for
                                            speed */
            continue;
        }
        const vxe_bond_target target = contiguous_sums(halo);
        memset(halo->lower_block, 0, bytes * (halo->last - halo->first));
        memset(halo->upper_block, 0, bytes * (halo->last - halo->first));
        run_bonds(workspace, partition, pass, &target, axis, halo->first, halo->last);
    }
}

/* Adds the forces of halo bonds of earlier partitions to upper voxels of this one. A voxel's
   lower neighbours in z, y and x follow each other in the scan: those in earlier partitions come
   first, in that order, which keeps the order of summation. */
void vxe_partition_add_halo(const vxe_workspace *workspace, const vxe_partition *partition)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    const uint32_t begin = chunks->chunk_first[partition->first_chunk];
    const uint32_t end = chunks->chunk_first[partition->last_chunk];
    for (int axis = 2; axis >= 0; axis--) {
        for (const vxe_partition *from = workspace->partitions; from < partition; from++) {
            const vxe_halo_bonds *halo = &from->halo[axis];
            const vxe_bond_target contiguous = contiguous_sums(halo);
            vxe_bond_kernels_of(workspace->model->kernels)
                ->add_upper(&workspace->arrays.bonds[axis], &contiguous, halo->first, halo->last,
                            &partition->sums, begin, end);
        }
    }
}

/* Adds a chunk's halo bonds [first, last): to their lower voxels, and to those upper voxels that
   are in this partition. */
static void add_chunk_halo(const vxe_workspace *workspace, const vxe_partition *partition,
                           const vxe_bond_target *sums, uint32_t axis, uint32_t first,
                           uint32_t last)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    const vxe_bond_kernels *kernels = vxe_bond_kernels_of(workspace->model->kernels);
    const vxe_bond_vectors *bonds = &workspace->arrays.bonds[axis];
    const vxe_bond_target contiguous = contiguous_sums(&partition->halo[axis]);
    kernels->add_lower(bonds, &contiguous, first, last, sums);
    kernels->add_upper(bonds, &contiguous, first, last, sums, 0,
                       chunks->chunk_first[partition->last_chunk]);
}

bool vxe_partition_is_packed(const vxe_workspace *workspace, const vxe_partition *partition,
                             const vxe_pass *pass, uint32_t axis)
{
    return partition->last_chunk - partition->first_chunk == workspace->model->chunks.chunk_count &&
           workspace->arrays.packed[axis].count > 0 &&
           (pass->law == VXE_BOND_VOXELYZE ||
            vxe_packed_runs(workspace->model->kernels, pass->law));
}

/* Moves the windows of the accumulators to a chunk. */
static void slide_sums(const vxe_workspace *workspace, vxe_bond_target *sums, uint32_t chunk)
{
    VXE_ASSERT(chunk < workspace->model->chunks.chunk_count);
    sums->lower_first = workspace->model->chunks.chunk_first[chunk];
    vxe_sums_slide(sums, sums->lower_first, workspace->upper_reach, workspace->upper_capacity,
                   workspace->model->slots, workspace->model->precision);
}

/* Bonds of a chunk, axis by axis in the order in which every voxel sums them: z, y, x. */
static void chunk_bonds(vxe_workspace *workspace, vxe_partition *partition, vxe_bond_target *sums,
                        const vxe_pass *pass, uint32_t chunk)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    slide_sums(workspace, sums, chunk);
    for (uint32_t axis = 2; axis < 3; axis--) {
        if (vxe_partition_is_packed(workspace, partition, pass, axis)) {
            run_packed(workspace, partition, pass, sums, axis, chunk);
            continue;
        }
        const uint32_t first = chunks->vector_first[axis][chunk];
        const uint32_t last = chunks->vector_first[axis][chunk + 1];
        const uint32_t halo = partition->halo[axis].first;
        const uint32_t inside = halo < first ? first : halo < last ? halo : last;
        VXE_ASSERT(first <= inside && inside <= last);
        run_bonds(workspace, partition, pass, sums, axis, first, inside);
        if (inside < last) {
            add_chunk_halo(workspace, partition, sums, axis, inside, last);
        }
    }
}

/* Whether a chunk's bonds of all axes stand in blocks, are not packed, and are no halo bonds. */
static bool is_in_blocks(const vxe_workspace *workspace, const vxe_partition *partition,
                         const vxe_pass *pass, uint32_t chunk)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (!(chunks->in_blocks[chunk] >> axis & 1) ||
            partition->halo[axis].first < chunks->vector_first[axis][chunk + 1] ||
            vxe_partition_is_packed(workspace, partition, pass, axis)) {
            return false;
        }
    }
    return true;
}

/* Index of the kernel of a damping iteration over a chunk in blocks; VXE_DAMPING_LAWS where it
   goes axis by axis. */
static uint32_t damping_law(const vxe_workspace *workspace, const vxe_partition *partition,
                            const vxe_pass *pass, uint32_t chunk)
{
    const uint32_t law = vxe_damping_law_of(pass->law);
    const bool known = law < VXE_DAMPING_LAWS &&
                       vxe_damping_kernels_of(workspace->model->kernels)->close[law] &&
                       (pass->kick_flags | VXE_KICK_ITERATION) == VXE_KICK_ITERATION;
    return known && is_in_blocks(workspace, partition, pass, chunk) ? law : VXE_DAMPING_LAWS;
}

/* Bonds and kick of a damping iteration over a chunk in blocks. */
static void damping_chunk(vxe_workspace *workspace, vxe_partition *partition, vxe_bond_target *sums,
                          const vxe_pass *pass, uint32_t law, uint32_t chunk)
{
    VXE_ASSERT(law < VXE_DAMPING_LAWS && pass->h > 0);
    const vxe_model *model = workspace->model;
    const vxe_chunks *chunks = &model->chunks;
    const vxe_damping_kernels *kernels = vxe_damping_kernels_of(model->kernels);
    const uint32_t last = chunks->chunk_first[chunk + 1];
    vxe_damping_range range = {.first = chunks->chunk_first[chunk]};
    for (int axis = 0; axis < 3; axis++) {
        range.vector[axis].first = chunks->vector_first[axis][chunk];
        range.vector[axis].last = chunks->vector_first[axis][chunk + 1];
    }
    const uint32_t rest = (last - range.first) % VXE_VECTOR;
    range.last = last - rest;
    slide_sums(workspace, sums, chunk);
    kernels->across[law](&workspace->arrays, sums, &range);
    uint32_t *x_last = &range.vector[0].last;
    if (rest > 0 && *x_last > range.vector[0].first &&
        workspace->arrays.bonds[0].lower[*x_last - 1] == range.last) {
        --*x_last; /* the vector of the incomplete last block runs by itself */
        run_bonds(workspace, partition, pass, sums, 0, *x_last, *x_last + 1);
    }
    kernels->close[law](&workspace->arrays, sums, &range, pass->h, pass->kick_flags);
    if (rest > 0) {
        vxe_voxel_kernels_of(model->kernels)
            ->kick(&workspace->arrays, sums, range.last, last, pass->h, pass->kick_flags,
                   pass->dither);
    }
}

/* Velocities of prescribed degrees of freedom, such that this step's drift ends on the
   prescribed motion at the end of the step. */
static void drive(const vxe_workspace *workspace, const vxe_pass *pass, uint32_t chunk)
{
    VXE_ASSERT(pass->step > 0 && pass->end >= pass->time);
    const vxe_model *model = workspace->model;
    const uint32_t first = model->driven_first[chunk];
    vxe_driven_factors factors = {0};
    for (uint32_t i = first; i < model->driven_first[chunk + 1]; i++) {
        const vxe_driven_freedom *driven = &model->driven[i];
        VXE_ASSERT(driven->slot >= model->chunks.chunk_first[chunk] &&
                   driven->slot < model->chunks.chunk_first[chunk + 1]);
        if (i == first || driven->region != driven[-1].region) {
            factors = vxe_driven_factors_of(&model->tables[driven->region], pass->number,
                                            pass->time, pass->end, pass->step);
        }
        const int c = (int)driven->freedom;
        if (c < 3) {
            const double place = vxe_state_position(workspace->state, c, driven->slot);
            vxe_state_put_velocity(workspace->state, c, driven->slot,
                                   vxe_driven_rate(driven, &factors, place));
        } else {
            vxe_state_put_spin(workspace->state, c - 3, driven->slot,
                               vxe_driven_rate(driven, &factors, 0));
        }
    }
}

/* Changes a chunk's voxels under the law of the Voxelyze family, after their bonds. */
static void move_as_voxelyze(vxe_workspace *workspace, vxe_bond_target *sums, const vxe_pass *pass,
                             uint32_t chunk)
{
    const vxe_model *model = workspace->model;
    const vxe_voxelyze_kernels *kernels = vxe_voxelyze_kernels_of(model->kernels);
    const uint32_t first = model->chunks.chunk_first[chunk];
    const uint32_t last = model->chunks.chunk_first[chunk + 1];
    const vxe_voxelyze_clock clock = vxe_voxelyze_clock_at(model, pass->time);
    if (model->driven_first) {
        drive(workspace, pass, chunk);
    }
    kernels->advance(&workspace->arrays, sums, first, last, pass->step);
    kernels->resize(&workspace->arrays, first, last, &clock);
}

/* Adds the loads of contacts, contact models, affine bodies and magnets on the voxels of a
   chunk. */
static void add_loads(const vxe_workspace *workspace, const vxe_bond_target *sums, uint32_t chunk)
{
    const vxe_model *model = workspace->model;
    const uint32_t first = model->chunks.chunk_first[chunk];
    const uint32_t last = model->chunks.chunk_first[chunk + 1];
    const vxe_contact_workspace *contacts = workspace->contacts;
    const vxe_particle_workspace *particles = workspace->particles;
    const vxe_external_loads *external_loads = &workspace->external_loads;
    const vxe_magnet_workspace *magnets = workspace->magnets;
    if (contacts && contacts->body.loaded[chunk]) {
        vxe_contact_kernels_of(model->kernels)->add(contacts->body.load, sums, first, last);
    }
    if (particles && particles->loaded[chunk]) {
        vxe_contact_kernels_of(model->kernels)->add(particles->load, sums, first, last);
    }
    if (external_loads->loaded && external_loads->loaded[chunk]) {
        vxe_contact_kernels_of(model->kernels)->add(external_loads->load, sums, first, last);
    }
    if (magnets && magnets->loaded[chunk]) {
        vxe_contact_kernels_of(model->kernels)->add(magnets->load, sums, first, last);
    }
}

/* Whether a kick may keep and halve velocities in one loop: then only the floor comes between. */
static bool halves_at_once(const vxe_workspace *workspace, const vxe_pass *pass)
{
    return (pass->stages & VXE_STAGE_KEEP) && (pass->stages & VXE_STAGE_HALVE) && !pass->no_bonds &&
           !workspace->model->driven_first && !workspace->arrays.drag;
}

/* What the floor does to velocities at the end of a step. */
static void end_on_floor(const vxe_workspace *workspace, const vxe_pass *pass, uint32_t chunk)
{
    const vxe_voxel_kernels *kernels = vxe_voxel_kernels_of(workspace->model->kernels);
    const uint32_t first = workspace->model->chunks.chunk_first[chunk];
    const uint32_t last = workspace->model->chunks.chunk_first[chunk + 1];
    if ((pass->stages & VXE_STAGE_FLOOR) && workspace->touching[chunk]) {
        kernels->floor(&workspace->arrays, first, last, pass->step);
    }
    if ((pass->stages & VXE_STAGE_FRICTION) && workspace->touching[chunk]) {
        kernels->friction(&workspace->arrays, first, last, pass->kick_flags & VXE_KICK_FROM_KEPT);
    }
    if ((pass->stages & VXE_STAGE_BEND) && workspace->touching[chunk] &&
        workspace->model->terrain) {
        kernels->bend(&workspace->arrays, first, last, pass->step);
    }
}

void vxe_partition_chunk(vxe_workspace *workspace, vxe_partition *partition, vxe_bond_target *sums,
                         const vxe_pass *pass, uint32_t chunk, const double *clock)
{
    VXE_ASSERT(chunk >= partition->first_chunk && chunk < partition->last_chunk);
    VXE_ASSERT(pass->stages < 2 * VXE_STAGE_HOLD && (pass->law <= VXE_BOND_LAWS));
    const vxe_model *model = workspace->model;
    const vxe_voxel_kernels *kernels = vxe_voxel_kernels_of(model->kernels);
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    const uint32_t first = model->chunks.chunk_first[chunk];
    const uint32_t last = model->chunks.chunk_first[chunk + 1];
    if (pass->stages & VXE_STAGE_VOXELYZE) {
        chunk_bonds(workspace, partition, sums, pass, chunk);
        move_as_voxelyze(workspace, sums, pass, chunk);
        return;
    }
    const bool at_once = halves_at_once(workspace, pass);
    uint32_t kicked = 0;
    if ((pass->stages & VXE_STAGE_KEEP) && !at_once) {
        kernels->keep(arrays, first, last);
    }
    const uint32_t law =
        pass->no_bonds ? VXE_DAMPING_LAWS : damping_law(workspace, partition, pass, chunk);
    if (law < VXE_DAMPING_LAWS) {
        damping_chunk(workspace, partition, sums, pass, law, chunk);
    } else if (!pass->no_bonds) {
        chunk_bonds(workspace, partition, sums, pass, chunk);
        if ((pass->kick_flags & VXE_KICK_EXTERNAL) && model->field.acts) {
            vxe_field_compute(model, workspace->state, arrays->field, first, last, pass->time);
        }
        if (pass->kick_flags & VXE_KICK_EXTERNAL) {
            add_loads(workspace, sums, chunk);
        }
        kicked = kernels->kick(arrays, sums, first, last, pass->h,
                               pass->kick_flags | (at_once ? VXE_KICK_HALVE : 0u), pass->dither);
        if (pass->kick_flags & VXE_KICK_FLOOR) {
            workspace->touching[chunk] = kicked & VXE_KICKED_TOUCHING;
        }
    }
    if ((pass->stages & VXE_STAGE_DRIVE) && model->driven_first) {
        drive(workspace, pass, chunk);
    }
    if (pass->stages & VXE_STAGE_DECAY) {
        kernels->decay(arrays, first, last, pass->dither);
    }
    if ((pass->stages & VXE_STAGE_HALVE) && !(kicked & VXE_KICKED_HALVED)) {
        kernels->halve(arrays, first, last);
    }
    if ((pass->stages & VXE_STAGE_HOLD) && workspace->touching[chunk]) {
        kernels->hold(arrays, first, last);
    }
    end_on_floor(workspace, pass, chunk);
    if (pass->stages & VXE_STAGE_DRIFT) {
        kernels->drift(arrays, first, last, pass->step, pass->dither);
        VXE_ASSERT(vxe_vec_is_unit(workspace->state, first, pass->step) &&
                   vxe_vec_is_unit(workspace->state, last - 1, pass->step));
        vxe_workspace_contacts_moved(workspace, partition, chunk, pass->step);
    }
    if ((pass->stages & VXE_STAGE_RESIZE) && vxe_model_resizes(model)) {
        const double grown = kernels->resize(arrays, first, last, clock, workspace->factors);
        VXE_ASSERT(vxe_edge_is_bounded(workspace, first) &&
                   vxe_edge_is_bounded(workspace, last - 1));
        partition->motion.grown = grown > partition->motion.grown ? grown : partition->motion.grown;
    }
}
