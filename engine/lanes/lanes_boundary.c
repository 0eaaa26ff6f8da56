/* SPDX-License-Identifier: MIT */
/* Boundary conditions of the robots of a group. Voxels that are held in all directions need none of
   this: they have no inverse mass. The others, which some robot holds along single directions,
   loads or moves as prescribed, are bound: they have numbers of their own (bound_voxels.c). */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"

void vxe_lanes_boundary_clear(vxe_lanes *lanes)
{
    vxe_memory_release(lanes->group.bound_at);
    vxe_memory_release(lanes->group.bound);
    vxe_memory_release(lanes->group.driven);
    vxe_memory_release(lanes->group.driven_first);
    lanes->group.bound_at = NULL;
    lanes->group.bound = NULL;
    lanes->group.driven = NULL;
    lanes->group.driven_first = NULL;
    for (uint32_t k = 0; k < VXE_MAX_LANE_PASSES; k++) {
        vxe_memory_release(lanes->factors[k]);
        lanes->factors[k] = NULL;
    }
}

/* Component c, of six, of a voxel's inverse mass and inertia. */
static double inverse_at(const vxe_model *model, uint32_t c, uint32_t slot)
{
    const vxe_kernel_arrays *a = &model->arrays;
    return vxe_real_at(model->precision, c < 3 ? a->inverse_mass[c] : a->inverse_inertia[c - 3],
                       slot);
}

static double load_at(const vxe_model *model, uint32_t c, uint32_t slot)
{
    const vxe_reals *load = model->arrays.load[c];
    return load ? vxe_real_at(model->precision, load, slot) : 0;
}

/* Whether a voxel is held along some of its directions, or some of its rotations, or has a load. */
static bool is_bound(const vxe_model *model, uint32_t slot)
{
    bool bound = false;
    for (uint32_t c = 0; c < 6; c++) {
        bound = bound || load_at(model, c, slot) != 0 ||
                inverse_at(model, c, slot) != inverse_at(model, c < 3 ? 0 : 3, slot);
    }
    return bound;
}

/* What there is of boundary conditions in a group. */
typedef struct conditions {
    uint32_t bound;  /* voxels of the union */
    uint32_t driven; /* freedoms of all robots */
    uint32_t tables; /* of all robots whose motion is prescribed */
} conditions;

/* Numbers the bound voxels of the union, and the tables of all lanes. */
static conditions find_conditions(vxe_lanes *lanes)
{
    uint32_t *bound_at = lanes->group.bound_at;
    conditions all = {0};
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        bound_at[v] = VXE_NONE;
    }
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        const vxe_model *model = robot ? &robot->simulation->model : NULL;
        const uint32_t *place = lanes->place[lane];
        for (uint32_t slot = 0; model && slot < model->topology.voxel_count; slot++) {
            bound_at[place[slot]] = is_bound(model, slot) ? 0 : bound_at[place[slot]];
        }
        const uint32_t driven = model ? model->driven_count : 0;
        for (uint32_t i = 0; i < driven; i++) {
            bound_at[place[model->driven[i].slot]] = 0;
        }
        lanes->table_first[lane] = all.tables;
        all.driven += driven;
        all.tables += driven > 0 ? model->table_count : 0;
    }
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        if (bound_at[v] != VXE_NONE) {
            bound_at[v] = all.bound++;
        }
    }
    return all;
}

static vxe_status take(vxe_lanes *lanes, const conditions *all, vxe_error *error)
{
    vxe_lane_group *group = &lanes->group;
    const uint64_t numbers = (uint64_t)VXE_BOUND_VALUES * all->bound;
    group->bound = vxe_memory_take(numbers, vxe_lanes_vector_bytes(lanes));
    bool complete = group->bound != NULL;
    if (all->driven > 0) {
        group->driven = vxe_memory_take(all->driven, sizeof *group->driven);
        group->driven_first = vxe_memory_take(all->bound + 1ull, sizeof *group->driven_first);
        complete = complete && group->driven && group->driven_first;
    }
    for (uint32_t k = 0; k < VXE_MAX_LANE_PASSES && all->driven > 0; k++) {
        lanes->factors[k] = vxe_memory_take(all->tables, sizeof *lanes->factors[k]);
        complete = complete && lanes->factors[k];
    }
    return complete ? VXE_OK
                    : vxe_error_memory(error, numbers * vxe_lanes_vector_bytes(lanes) +
                                                  all->driven * sizeof *group->driven);
}

/* Sets number `at` of a bound voxel, in a lane. */
static void put(const vxe_lanes *lanes, uint32_t bound, uint32_t at, uint32_t lane, double value)
{
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    vxe_real_put(lanes->kernels->precision, lanes->group.bound,
                 ((uint64_t)bound * VXE_BOUND_VALUES + at) * width + lane, value);
}

/* Puts inverse masses and loads of a lane's robot into the lane. A robot without loads has -0: a
   sum with it keeps its sign even where it is 0. */
static void put_numbers(const vxe_lanes *lanes, uint32_t lane)
{
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        for (uint32_t c = 0; c < 6 && lanes->group.bound_at[v] != VXE_NONE; c++) {
            put(lanes, lanes->group.bound_at[v], VXE_BOUND_LOAD + c, lane, -0.0);
        }
    }
    const vxe_robot *robot = lanes->robot[lane];
    const vxe_model *model = robot ? &robot->simulation->model : NULL;
    for (uint32_t slot = 0; model && slot < model->topology.voxel_count; slot++) {
        const uint32_t bound = lanes->group.bound_at[lanes->place[lane][slot]];
        for (uint32_t c = 0; c < 6 && bound != VXE_NONE; c++) {
            put(lanes, bound, VXE_BOUND_INVERSE + c, lane, inverse_at(model, c, slot));
            if (model->arrays.load[c]) {
                put(lanes, bound, VXE_BOUND_LOAD + c, lane, load_at(model, c, slot));
            }
        }
    }
}

/* The voxel of the union, by its index among the bound ones, that a robot's freedom moves. */
static uint32_t bound_of(const vxe_lanes *lanes, uint32_t lane, const vxe_driven_freedom *freedom)
{
    const uint32_t bound = lanes->group.bound_at[lanes->place[lane][freedom->slot]];
    VXE_ASSERT(bound != VXE_NONE && freedom->freedom < 6);
    return bound;
}

/* Sorts the prescribed freedoms of all robots by bound voxel: counts those of each, adds the counts
   up to where each begins, and puts them there. */
static void put_driven(vxe_lanes *lanes, uint32_t bound)
{
    uint32_t *first = lanes->group.driven_first;
    for (int puts = 0; puts < 2; puts++) {
        for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
            const vxe_robot *robot = lanes->robot[lane];
            const vxe_model *model = robot ? &robot->simulation->model : NULL;
            for (uint32_t i = 0; model && i < model->driven_count; i++) {
                const vxe_driven_freedom *freedom = &model->driven[i];
                const uint32_t at = bound_of(lanes, lane, freedom);
                if (!puts) {
                    first[at]++;
                    continue;
                }
                lanes->group.driven[--first[at]] =
                    (vxe_lane_driven){*freedom, lane, lanes->table_first[lane] + freedom->region};
                put(lanes, at, VXE_BOUND_DRIVEN + freedom->freedom, lane, 1);
            }
        }
        for (uint32_t at = 0; at < bound && !puts; at++) {
            first[at + 1] += first[at]; /* the end of each, from which it is filled down */
        }
    }
    VXE_ASSERT(first[0] == 0);
}

vxe_status vxe_lanes_boundary_load(vxe_lanes *lanes, vxe_error *error)
{
    vxe_lanes_boundary_clear(lanes);
    lanes->group.bound_at = vxe_memory_take(lanes->group.voxels, sizeof *lanes->group.bound_at);
    if (!lanes->group.bound_at) {
        return vxe_error_memory(error, lanes->group.voxels * sizeof *lanes->group.bound_at);
    }
    const conditions all = find_conditions(lanes);
    if (all.bound == 0) {
        vxe_lanes_boundary_clear(lanes);
        return VXE_OK;
    }
    const vxe_status status = take(lanes, &all, error);
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes && !status; lane++) {
        put_numbers(lanes, lane);
    }
    if (all.driven > 0 && !status) {
        put_driven(lanes, all.bound);
    }
    return status;
}

void vxe_lanes_boundary_factors(const vxe_lanes *lanes, uint64_t ahead, uint32_t k)
{
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (!robot || robot->simulation->model.driven_count == 0) {
            continue;
        }
        const vxe_simulation *simulation = robot->simulation;
        const uint64_t number = simulation->state.step + ahead;
        const double time = vxe_state_time_at(&simulation->state, number);
        const double end = vxe_state_time_at(&simulation->state, number + 1);
        for (uint32_t i = 0; i < simulation->model.table_count; i++) {
            lanes->factors[k][lanes->table_first[lane] + i] = vxe_driven_factors_of(
                &simulation->model.tables[i], number, time, end, simulation->plan.time_step);
        }
    }
}
