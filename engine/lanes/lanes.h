/* SPDX-License-Identifier: MIT */
/* Robots side by side in the lanes of vectors: loaded from their states, advanced together, stored
   back. Between two visits robots may leave and new ones may be loaded. README.md of this folder
   has drawings of the union of robots and of the wavefront. */
#ifndef VXE_ENGINE_LANES_LANES_H
#define VXE_ENGINE_LANES_LANES_H

#include "engine/contact/contact.h"
#include "engine/core/unique_rows.h"
#include "engine/lanes/grouping.h"
#include "engine/lanes/lane_kernels.h"
#include "engine/lanes/robot.h"

/* Contact models and magnets of a lane's robot. */
typedef struct vxe_lane_forces {
    bool stages; /* the robot has contact models or magnets */
    vxe_workspace workspace;
    vxe_gather_map gather_map[VXE_LANE_LOADS]; /* by kind of load */
} vxe_lane_forces;

/* Passes in flight, at most; see VXE_LANE_TURN for how far each advances before the next one.
   Measured with bond_throughput on batch_cube_10: two passes are 4 % faster than one (8 % with
   damping iterations), three and four no faster than two; turns of 16, 48 and 128 voxels are alike.
 */
#define VXE_MAX_LANE_PASSES 2u

/* Temporal blocking for groups that do not fit the nearest large cache: passes over the voxels
   advance as a wavefront, each behind the one before by as far as bonds reach, so that a voxel is
   loaded once and used by all. The passes are those of one step, or of several steps where nothing
   needs the robots between steps. */
typedef struct vxe_lane_wavefront {
    uint32_t depth;    /* passes in flight; 1: each pass runs by itself */
    uint32_t lag;      /* voxels from one pass to the next: as far as bonds reach in scan order */
    bool spans_steps;  /* passes of several steps are in flight together */
    uint32_t capacity; /* voxels of a ring of accumulators */
    double *clock[VXE_MAX_LANE_PASSES];          /* (VXE_CLOCK_NUMBERS, lanes) for each pass */
    vxe_reals *dither[VXE_MAX_LANE_PASSES];      /* (2, lanes) for each pass */
    vxe_reals *upper_force[VXE_MAX_LANE_PASSES]; /* (capacity, 6, lanes) for each pass: a ring */
    vxe_reals *before; /* copy of the group's state, restored if a bond fails; null until needed */
} vxe_lane_wavefront;

/* A group of robots in lanes, and its memory. V is the number of voxels of the union. */
typedef struct vxe_lanes {
    const vxe_kernels *kernels;
    vxe_lane_group group;
    vxe_robot *robot[VXE_MAX_LANES];            /* null in an idle lane */
    vxe_contacts contacts[VXE_MAX_LANES];       /* empty where a robot does not collide */
    vxe_neighbor_part neighbors[VXE_MAX_LANES]; /* the whole surface of each robot */
    vxe_lane_forces forces[VXE_MAX_LANES];
    uint32_t *place[VXE_MAX_LANES]; /* (slots) index in the union of each slot of a robot */
    uint64_t *cells;                /* (2 V) cells of the union in scan order; then free memory */
    vxe_lane_voxel *voxel;          /* (V) */
    uint32_t row_values;            /* numbers of a bond, as in the models */
    uint32_t max_row_values;        /* largest row_values for which there is memory */
    void *vectors;               /* one block of memory for state and carried numbers of the group,
                                    waves, bond_values and property_values */
    vxe_reals *waves;            /* (V, 2, lanes) */
    vxe_reals *bond_values;      /* (V, 3, row_values, lanes), then the unique rows of bonds */
    vxe_reals *property_values;  /* (V, VXE_LANE_PROPERTY_VALUES, lanes), then the unique rows */
    vxe_reals *sizes;            /* (V, VXE_ACTUATION_VALUES, lanes); null until needed */
    vxe_reals *poisson_coupling; /* (V, 3, lanes); null until needed */
    vxe_reals *poisson_tension;  /* (V, 3, lanes); null until needed */
    vxe_reals *kicks;            /* (VXE_MAX_PASSES, lanes) s */
    uint32_t table_first[VXE_MAX_LANES]; /* index of a robot's first table, where its motion is
                                            prescribed, among those of all lanes */
    vxe_driven_factors *factors[VXE_MAX_LANE_PASSES]; /* (tables of all lanes) for each pass */
    vxe_unique_rows rows;
    vxe_unique_rows property_rows;
    vxe_lane_wavefront wavefront;
    uint32_t capacity; /* largest V for which there is memory */
    uint32_t pass_count;
    vxe_pass passes[VXE_MAX_PASSES];
} vxe_lanes;

/* Why a robot cannot run in lanes, or null where it can. */
const char *vxe_lanes_refusal(const vxe_model *model);

/* The group key: robots with equal keys have the same passes and the same law, and may share a
 * group. */
uint32_t vxe_lanes_key(const vxe_robot *robot);

/* Fills a number for each cell of a robot, relative to its lowest corner, by rank; equal numbers
   mean equal cells, and the numbers ascend. */
void vxe_lanes_cells(const vxe_model *model, const vxe_design *design, uint64_t *cells);

/* Takes the memory that does not depend on the robots. */
vxe_status vxe_lanes_init(vxe_lanes *lanes, const vxe_kernels *kernels, vxe_error *error);
void vxe_lanes_clear(vxe_lanes *lanes);

/* Loads robots of one key into the lanes, as their states are now; at most one for each lane
   (vxe_lane_kernels_of(kernels)->lanes). */
vxe_status vxe_lanes_load(vxe_lanes *lanes, vxe_robot *const *robots, uint32_t count,
                          vxe_error *error);

/* Bytes of a voxel of the union that passes go over. */
uint64_t vxe_lanes_voxel_bytes(const vxe_lanes *lanes);

/* The part of lanes that hold a bond, 0 to 1, over all bonds of the union. */
double vxe_lanes_use(const vxe_lanes *lanes);

/* Whether the loaded robots are faster side by side than one by one. place: of one of them among
   the `count` robots of their key, in the order in which groups are formed and threads take them.
 */
bool vxe_lanes_are_worth(const vxe_lanes *lanes, uint32_t place, uint32_t count, uint32_t threads);

/* The lane of a loaded robot; VXE_NONE: it is in none. */
uint32_t vxe_lanes_lane_of(const vxe_lanes *lanes, const vxe_robot *robot);

/* Removes a robot from its lane, which is idle until the next load. */
void vxe_lanes_release(vxe_lanes *lanes, const vxe_robot *robot);

/* Sets edges to what the robots' present steps and targets make of them, as vxe_lanes_run does
   first. */
void vxe_lanes_resize(vxe_lanes *lanes);

/* Advances all robots by `steps`, or to the first step in which something failed; returns how many.
   Step counts of the robots are updated at once, the rest of their states by vxe_lanes_store.
   Failures are written into the robots. */
uint64_t vxe_lanes_run(vxe_lanes *lanes, uint64_t steps);

/* The same, with the looks of the robots' energy guards on the way. *done: steps of each robot.
   Fails without memory only. */
vxe_status vxe_lanes_guarded_run(vxe_lanes *lanes, uint64_t steps, uint64_t *done,
                                 vxe_error *error);

/* Plans the wavefront of the loaded group, and takes its memory. */
vxe_status vxe_lanes_wavefront_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_wavefront_clear(vxe_lanes *lanes);

/* Bytes of a vector: one number of every lane. */
static inline uint64_t vxe_lanes_vector_bytes(const vxe_lanes *lanes)
{
    return (uint64_t)vxe_lane_kernels_of(lanes->kernels)->lanes *
           vxe_real_bytes(lanes->kernels->precision);
}

/* Vector `index` of an array and those behind it. */
static inline vxe_reals *vxe_lanes_vectors_at(const vxe_lanes *lanes, vxe_reals *array,
                                              uint64_t index)
{
    return vxe_reals_at(lanes->kernels->precision, array,
                        index * vxe_lane_kernels_of(lanes->kernels)->lanes);
}

/* Takes the memory of one kind of load (VXE_LANE_CONTACTS and so on). */
vxe_status vxe_lanes_take_load(vxe_lanes *lanes, uint32_t kind, vxe_error *error);

/* Releases the memory of all kinds of loads. */
void vxe_lanes_loads_clear(vxe_lanes *lanes);

/* Prepares contact models and magnets of the loaded robots. */
vxe_status vxe_lanes_forces_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_forces_clear(vxe_lanes *lanes);

/* Computes the loads of contact models and magnets at the start of a step; returns the lanes in
   which that failed, a bit each. */
uint32_t vxe_lanes_forces(vxe_lanes *lanes);

/* Copies the loads that magnets of a lane's robot had in the last step into another workspace of
   it. */
void vxe_lanes_show_magnets(const vxe_lanes *lanes, uint32_t lane, vxe_workspace *into);

/* Applies the pose corrections of contact models that act over faces, after the drift. */
void vxe_lanes_correct(vxe_lanes *lanes);

/* Prepares contacts of the loaded robots. */
vxe_status vxe_lanes_contacts_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_contacts_clear(vxe_lanes *lanes);

/* Marks neighbour lists as no longer valid, where a state is not the one behind the last step. */
void vxe_lanes_contacts_forget(vxe_lanes *lanes);

/* Puts the properties of a lane's robot, and its decay factors, into the lane. */
void vxe_lanes_put_properties(vxe_lanes *lanes, uint32_t lane);

/* Puts the targets of the groups of a lane's robot, as its state has them, into the lane; does
   nothing where edges follow one wave. */
void vxe_lanes_put_targets(vxe_lanes *lanes, uint32_t lane);

/* Loads the Poisson coupling of the robots. */
vxe_status vxe_lanes_poisson_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_poisson_clear(vxe_lanes *lanes);

/* Loads the numbers that edges follow: waves, or numbers of each voxel. */
vxe_status vxe_lanes_sizes_load(vxe_lanes *lanes, vxe_error *error);

/* Loads boundary conditions beside voxels that are held as a whole. */
vxe_status vxe_lanes_boundary_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_boundary_clear(vxe_lanes *lanes);

/* Finds the factors of prescribed motions, `ahead` steps after the robots' present step, for pass k
   in flight. */
void vxe_lanes_boundary_factors(const vxe_lanes *lanes, uint64_t ahead, uint32_t k);

/* Loads floors that are not level. */
vxe_status vxe_lanes_terrain_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_terrain_clear(vxe_lanes *lanes);

/* Computes the loads of contacts at the start of a step; returns the lanes in which that failed, a
   bit each. */
uint32_t vxe_lanes_contacts(vxe_lanes *lanes);

/* Writes the states of the lanes back to the robots. */
void vxe_lanes_store(vxe_lanes *lanes);

/* Writes the state of one lane back to its robot. */
void vxe_lanes_store_one(vxe_lanes *lanes, uint32_t lane);

#endif
