/* SPDX-License-Identifier: MIT */
/* Bonds that yield and break, at the start of a step: every bond that is stretched beyond its
   range follows its material's curve, so that the step's forces are those of the curve
   (docs/physics.md, Plasticity and breaking; materials/yield_break_law.c). A bond belongs to the
   partition of its lower voxel. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/parallel_internal.h"
#include "engine/solver/step.h"

static vxe_yield_state yield_state_of(const vxe_state *state, uint32_t axis, uint32_t slot)
{
    return (vxe_yield_state){
        .permanent_strain = vxe_real_at(state->precision, state->permanent_strain[axis], slot),
        .plastic_strain = vxe_real_at(state->precision, state->plastic_strain[axis], slot),
        .broken = vxe_real_at(state->precision, state->broken[axis], slot) > 0};
}

/* Of a bond that broke in this step: it still gives half of its kick. A kick covers half of the
   time before it and half of the time behind it, and the bond has held for the first half. Not so
   where it is stretched FAR_BEYOND times its range: it cannot have held so far. */
#define BREAKING 0.5
#define FAR_BEYOND 2

static bool is_breaking(const vxe_state *state, uint32_t axis, uint32_t slot)
{
    return vxe_real_at(state->precision, state->broken[axis], slot) == BREAKING;
}

/* Strain at which a bond's history is looked at: at any where it is breaking. */
static void put_range(vxe_workspace *workspace, uint32_t axis, uint32_t slot)
{
    VXE_ASSERT(axis < 3 && slot < workspace->model->slots);
    const vxe_yield *yield = &workspace->model->yield;
    const vxe_yield_state now = yield_state_of(workspace->state, axis, slot);
    const uint32_t law = yield->law_of[axis][slot];
    const double range = law == VXE_NONE ? HUGE_VAL : vxe_yield_range(&yield->laws[law], &now);
    vxe_real_put(workspace->model->precision, workspace->arrays.range[axis], slot,
                 is_breaking(workspace->state, axis, slot) ? -1 : range);
}

/* Opens the faces of broken bonds to the fluid. */
static void open_faces(const vxe_workspace *workspace)
{
    const vxe_model *model = workspace->model;
    const vxe_precision precision = model->precision;
    const uint32_t count = model->topology.voxel_count;
    for (uint32_t slot = 0; slot < count; slot++) {
        vxe_real_put(precision, workspace->faces, slot, model->topology.faces[slot]);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t slot = 0; slot < count; slot++) {
            const uint32_t up = model->topology.up[axis][slot];
            if (up != VXE_NONE &&
                vxe_real_at(precision, workspace->state->broken[axis], slot) > 0) {
                const uint32_t lower = (uint32_t)vxe_real_at(precision, workspace->faces, slot);
                const uint32_t upper = (uint32_t)vxe_real_at(precision, workspace->faces, up);
                vxe_real_put(precision, workspace->faces, slot, lower | 1u << 2 * axis);
                vxe_real_put(precision, workspace->faces, up, upper | 2u << 2 * axis);
            }
        }
    }
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        workspace->partitions[s].opened = false;
    }
}

static bool any_opened(const vxe_workspace *workspace)
{
    bool opened = false;
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        opened = opened || workspace->partitions[s].opened;
    }
    return opened;
}

void vxe_workspace_yield_bind(vxe_workspace *workspace)
{
    const vxe_model *model = workspace->model;
    if (workspace->faces) {
        open_faces(workspace);
    }
    for (uint32_t axis = 0; axis < 3 && model->yield.law_count > 0; axis++) {
        for (uint32_t slot = 0; slot < model->slots; slot++) {
            put_range(workspace, axis, slot);
        }
    }
}

/* Updates the history of one bond for a strain; true where it breaks. */
static bool yield_bond(vxe_workspace *workspace, uint32_t axis, uint32_t slot, double strain)
{
    VXE_ASSERT(axis < 3 && slot < workspace->model->topology.voxel_count);
    const vxe_yield *yield = &workspace->model->yield;
    vxe_state *state = workspace->state;
    vxe_yield_state now = yield_state_of(state, axis, slot);
    const uint32_t law = yield->law_of[axis][slot];
    if (is_breaking(state, axis, slot)) {
        vxe_real_put(state->precision, state->broken[axis], slot, 1);
        put_range(workspace, axis, slot);
        return false;
    }
    if (law == VXE_NONE) {
        return false;
    }
    const double elastic = fabs(strain - now.permanent_strain);
    const double breaking =
        elastic < FAR_BEYOND * vxe_yield_range(&yield->laws[law], &now) ? BREAKING : 1;
    if (!vxe_yield_update(&yield->laws[law], strain, &now)) {
        return false;
    }
    vxe_real_put(state->precision, state->permanent_strain[axis], slot, now.permanent_strain);
    vxe_real_put(state->precision, state->plastic_strain[axis], slot, now.plastic_strain);
    vxe_real_put(state->precision, state->broken[axis], slot, now.broken ? breaking : 0);
    put_range(workspace, axis, slot);
    return now.broken;
}

/* Strains of a partition's bonds, for vectors in which one is beyond its range. Vectors read
   beyond their partition: no thread may change bond history meanwhile. */
static void find_strains(const vxe_workspace *workspace, const vxe_partition *partition)
{
    const vxe_model *model = workspace->model;
    double strain[VXE_VECTOR]; /* large enough for either precision */
    for (uint32_t axis = 0; axis < 3; axis++) {
        const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
        const uint32_t *vector_first = model->chunks.vector_first[axis];
        for (uint32_t v = vector_first[partition->first_chunk];
             v < vector_first[partition->last_chunk]; v++) {
            const bool beyond =
                vxe_bond_kernels_of(model->kernels)
                    ->strain(&workspace->arrays, (int)axis, v, vxe_reals_in(strain));
            workspace->yielding[axis][v] = beyond;
            for (uint32_t lane = 0; lane < VXE_VECTOR && beyond; lane++) {
                if (bonds->present[v] >> lane & 1) {
                    VXE_ASSERT(bonds->lower[v] + lane < model->topology.voxel_count);
                    workspace->strain[axis][bonds->lower[v] + lane] =
                        vxe_real_at(model->precision, vxe_reals_in(strain), lane);
                }
            }
        }
    }
}

/* Updates the history of a partition's bonds for these strains. */
static void yield_partition(vxe_workspace *workspace, vxe_partition *partition, uint64_t step)
{
    const vxe_model *model = workspace->model;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
        const uint32_t *vector_first = model->chunks.vector_first[axis];
        for (uint32_t v = vector_first[partition->first_chunk];
             v < vector_first[partition->last_chunk]; v++) {
            for (uint32_t lane = 0; lane < VXE_VECTOR && workspace->yielding[axis][v]; lane++) {
                const uint32_t slot = bonds->lower[v] + lane;
                const bool breaks =
                    (bonds->present[v] >> lane & 1) &&
                    yield_bond(workspace, axis, slot, workspace->strain[axis][slot]);
                partition->broke = breaks || partition->broke;
                partition->opened = breaks || partition->opened;
                partition->broke_in = breaks ? step + 1 : partition->broke_in;
            }
        }
    }
}

void vxe_workspace_yield(vxe_workspace *workspace, uint64_t step, uint32_t thread, uint32_t threads)
{
    VXE_ASSERT(thread < threads && workspace->state);
    if (workspace->model->yield.law_count == 0) {
        return;
    }
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        find_strains(workspace, &workspace->partitions[s]);
    }
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        yield_partition(workspace, &workspace->partitions[s], step);
    }
    vxe_parallel_meet(threads); /* bonds read the history of bonds of other partitions */
    if (workspace->faces && any_opened(workspace)) {
        vxe_parallel_meet(threads); /* all threads have seen that faces opened */
        if (thread == 0) {
            open_faces(workspace);
        }
        vxe_parallel_meet(threads);
    }
}
