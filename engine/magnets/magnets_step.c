/* SPDX-License-Identifier: MIT */
/* A step of magnets: memory, and the order of the kernels with barriers between threads; see
   magnets.h. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/magnets/dipole_law.h"
#include "engine/magnets/magnets.h"
#include "engine/model/workspace.h"

/* Maximum number of iterations of induced moments, and the maximum change, by the unit, at which
   they have converged. */
#define MAX_ROUNDS 1000
#define REST_MIXED 4e-6
#define REST_DOUBLE 1e-13

/* Minimum number of dipoles for a cell list; for fewer, computing all pairs is faster. */
#define MIN_SORTED 512u

/* Relaxation factor of induced moments. With 1 the iteration overshoots in a lattice, since the
   voxels, which the law takes as spheres of their volume, touch. */
#define PART_TAKEN 0.6

/* Takes zeroed memory as one of the workspace's blocks. */
static void *take(vxe_magnet_workspace *s, uint64_t count, uint32_t bytes, bool *complete)
{
    void *block = *complete ? vxe_memory_take(count, bytes) : NULL;
    *complete = block != NULL;
    VXE_ASSERT(s->blocks < sizeof s->block / sizeof s->block[0]);
    if (block) {
        s->block[s->blocks++] = block;
    }
    return block;
}

/* Takes the arrays of dipoles and loads; false without memory. */
static bool take_dipoles(vxe_magnet_workspace *s, const vxe_model *model)
{
    const vxe_magnets *magnets = model->magnets;
    const uint32_t bytes = vxe_real_bytes(model->precision);
    vxe_dipoles *d = &s->dipoles;
    const uint64_t capacity = d->count + VXE_VECTOR;
    bool complete = true;
    for (int c = 0; c < 3; c++) {
        d->x[c] = take(s, capacity, bytes, &complete);
        d->x_low[c] = take(s, capacity, bytes, &complete);
        d->m[c] = take(s, capacity, bytes, &complete);
        d->own[c] = magnets->induced ? take(s, capacity, bytes, &complete) : NULL;
        d->force[c] = take(s, capacity, bytes, &complete);
        d->field[c] = take(s, capacity, bytes, &complete);
        d->moment[c] = take(s, magnets->count, bytes, &complete);
    }
    d->owner = take(s, capacity, bytes, &complete);
    d->soft = magnets->induced ? take(s, magnets->count, bytes, &complete) : NULL;
    for (int c = 0; c < 6; c++) {
        s->load[c] = take(s, model->slots, bytes, &complete);
    }
    s->loaded = take(s, model->chunks.chunk_count, 1, &complete);
    return complete;
}

/* Takes the arrays of the cell list; false without memory. */
static bool take_grid(vxe_magnet_workspace *s, const vxe_model *model)
{
    const uint32_t bytes = vxe_real_bytes(model->precision);
    const uint64_t boxes = (uint64_t)VXE_MAX_BOXES * VXE_MAX_BOXES * VXE_MAX_BOXES;
    const uint64_t capacity = s->dipoles.count + VXE_VECTOR;
    vxe_dipole_grid *grid = &s->grid;
    bool complete = true;
    for (int c = 0; c < 3; c++) {
        grid->x[c] = take(s, capacity, bytes, &complete);
        grid->x_low[c] = take(s, capacity, bytes, &complete);
        grid->m[c] = take(s, capacity, bytes, &complete);
    }
    grid->owner = take(s, capacity, bytes, &complete);
    grid->box = take(s, capacity, sizeof *grid->box, &complete);
    grid->rank = take(s, capacity, sizeof *grid->rank, &complete);
    grid->first_of = take(s, boxes + 1, sizeof *grid->first_of, &complete);
    s->dipoles.grid = grid;
    return complete;
}

static void put_owner(const vxe_model *model, const vxe_dipoles *d, uint64_t i, int32_t owner)
{
    if (model->precision == VXE_PRECISION_DOUBLE) {
        ((int64_t *)d->owner)[i] = owner;
    } else {
        ((int32_t *)d->owner)[i] = owner;
    }
}

/* Fills the constants of the dipoles. */
static void fill_dipoles(vxe_magnet_workspace *s, const vxe_model *model)
{
    const vxe_magnets *magnets = model->magnets;
    vxe_dipoles *d = &s->dipoles;
    for (uint32_t k = 0; k < magnets->count; k++) {
        for (int c = 0; c < 3; c++) {
            vxe_real_put(model->precision, d->moment[c], k,
                         magnets->moment[3 * (size_t)k + (size_t)c] / (magnets->parts * d->unit));
        }
        if (magnets->induced) {
            vxe_real_put(model->precision, d->soft, k,
                         magnets->soft[k] / magnets->parts * d->field_unit / d->unit);
        }
        VXE_ASSERT(magnets->slot[k] >= 0 && (uint32_t)magnets->slot[k] < model->slots);
        s->loaded[(uint32_t)magnets->slot[k] / model->chunks.chunk_slots] = 1;
    }
    VXE_ASSERT(d->unit > 0 && (uint64_t)magnets->count * magnets->parts == d->count);
    for (uint64_t i = 0; i < d->count + (uint64_t)VXE_VECTOR; i++) {
        put_owner(model, d, i, i < d->count ? (int32_t)(i / magnets->parts) : -1);
    }
}

vxe_status vxe_workspace_magnets_init(vxe_workspace *workspace, vxe_error *error)
{
    const vxe_model *model = workspace->model;
    const vxe_magnets *magnets = model->magnets;
    if (!magnets) {
        return VXE_OK;
    }
    const double k = VXE_MU0 / (2 * VXE_TAU);
    const double cell = model->edge * model->edge * model->edge;
    vxe_magnet_workspace *s = workspace->magnets = vxe_memory_take(1, sizeof *s);
    if (!s) {
        return vxe_error_memory(error, sizeof *s);
    }
    s->dipoles =
        (vxe_dipoles){.count = magnets->count * magnets->parts,
                      .parts = magnets->parts,
                      .divisions = magnets->divisions,
                      .slot = magnets->slot,
                      .by_edge = 1 / model->edge,
                      .cap = magnets->cap,
                      .soft2 = fmax(magnets->soften * magnets->soften, VXE_DIPOLE_TINY),
                      .reach = magnets->reach,
                      .unit = magnets->unit,
                      .field_unit = k * magnets->unit / cell,
                      .force_unit = 3 * k * magnets->unit * magnets->unit / (cell * model->edge)};
    s->change = vxe_memory_take(workspace->partition_count, sizeof *s->change);
    s->too_close = vxe_memory_take(workspace->partition_count, sizeof *s->too_close);
    const bool sorted =
        magnets->pairs && magnets->reach < HUGE_VAL && s->dipoles.count >= MIN_SORTED;
    if (!s->change || !s->too_close || !take_dipoles(s, model) ||
        (sorted && !take_grid(s, model))) {
        return vxe_error_memory(error, 30ull * s->dipoles.count * sizeof(double));
    }
    fill_dipoles(s, model);
    return VXE_OK;
}

void vxe_workspace_magnets_clear(vxe_workspace *workspace)
{
    vxe_magnet_workspace *s = workspace->magnets;
    if (s) {
        for (uint32_t i = 0; i < s->blocks; i++) {
            vxe_memory_release(s->block[i]);
        }
        vxe_memory_release(s->change);
        vxe_memory_release(s->too_close);
    }
    vxe_memory_release(s);
    workspace->magnets = NULL;
}

/* A thread's voxels. */
typedef struct share {
    uint32_t first, last;
    uint32_t thread, threads;
} share;

/* Iterates induced moments until they converge. All threads read all changes, so that they end in
   the same round. */
static void settle(const vxe_workspace *workspace, const vxe_magnet_field *outside,
                   const share *own)
{
    vxe_magnet_workspace *s = workspace->magnets;
    const vxe_dipoles *d = &s->dipoles;
    const vxe_magnet_kernels *kernels = vxe_magnet_kernels_of(workspace->model->kernels);
    const double rest =
        workspace->model->precision == VXE_PRECISION_DOUBLE ? REST_DOUBLE : REST_MIXED;
    double max = HUGE_VAL;
    int rounds = 0;
    for (; rounds < MAX_ROUNDS && max > rest; rounds++) {
        kernels->act(d, own->first * d->parts, own->last * d->parts);
        vxe_parallel_meet(own->threads);
        s->change[own->thread] = kernels->polarise(d, outside, PART_TAKEN, own->first, own->last);
        if (d->grid) {
            vxe_dipole_grid_update(d, workspace->model->precision, own->first * d->parts,
                                   own->last * d->parts);
        }
        vxe_parallel_meet(own->threads);
        max = 0;
        for (uint32_t t = 0; t < own->threads; t++) {
            max = s->change[t] <= max ? max : s->change[t]; /* keeps one that is not a number */
        }
    }
    if (own->thread == 0 && !(max <= rest)) {
        s->unsettled = true;
    }
    vxe_parallel_meet(own->threads);
}

/* Computes the loads of a share of the magnets. times: factor on the loads of dipoles on each
   other; 0 if these do not act in this step. Returns the largest steepness of a pair. */
static double compute_loads(const vxe_workspace *workspace, double times, double time,
                            const share *own)
{
    const vxe_magnets *magnets = workspace->model->magnets;
    const vxe_magnet_kernels *kernels = vxe_magnet_kernels_of(workspace->model->kernels);
    const vxe_dipoles *d = &workspace->magnets->dipoles;
    const vxe_magnet_field outside = vxe_magnets_field_at(magnets, time);
    double steepness = 0;
    kernels->place(&workspace->arrays, d, own->first, own->last);
    const uint32_t waiting = times > 0 ? own->threads : 1;
    vxe_parallel_meet(waiting); /* until the dipoles of all threads are in place */
    if (times > 0 && d->grid) {
        if (own->thread == 0) {
            vxe_dipole_grid_sort(d, workspace->model->precision);
        }
        vxe_parallel_meet(waiting);
    }
    if (magnets->induced && times > 0) {
        settle(workspace, &outside, own);
    } else if (magnets->induced) { /* by the external field alone */
        kernels->polarise(d, &outside, 1, own->first, own->last);
    }
    if (times > 0) {
        steepness = kernels->act(d, own->first * d->parts, own->last * d->parts);
    }
    kernels->collect(d, &outside, times, workspace->magnets->load, own->first, own->last);
    return steepness;
}

void vxe_workspace_magnets(vxe_workspace *workspace, uint64_t step, double time, uint32_t thread,
                           uint32_t threads)
{
    const vxe_magnets *magnets = workspace->model->magnets;
    if (!magnets) {
        return;
    }
    const uint64_t count = magnets->count;
    VXE_ASSERT(thread < threads && threads <= workspace->partition_count && magnets->every > 0);
    const share own = {(uint32_t)(count * thread / threads),
                       (uint32_t)(count * (thread + 1) / threads), thread, threads};
    const bool acts = magnets->pairs && step % magnets->every == 0;
    const double steepness = compute_loads(workspace, acts ? magnets->every : 0, time, &own);
    if (steepness > vxe_magnets_steepest(magnets, workspace->state->time_step)) {
        workspace->magnets->too_close[thread] = 1;
    }
}

bool vxe_workspace_magnets_near(const vxe_workspace *workspace)
{
    bool too_close = false;
    VXE_ASSERT(workspace->magnets);
    for (uint32_t t = 0; t < workspace->partition_count; t++) {
        too_close = too_close || workspace->magnets->too_close[t];
    }
    return too_close;
}

void vxe_magnets_measure(const vxe_workspace *workspace, double time)
{
    const vxe_magnets *magnets = workspace->model->magnets;
    VXE_ASSERT(magnets && workspace->magnets);
    const share all = {0, magnets->count, 0, 1};
    (void)compute_loads(workspace, magnets->pairs ? 1 : 0, time, &all);
}

VXE_KERNELS_BY_PRECISION(vxe_magnet_kernels)
