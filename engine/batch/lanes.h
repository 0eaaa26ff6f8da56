/* SPDX-License-Identifier: MIT */
/* Robots side by side in the lanes of vectors: loaded from their states, advanced together, stored
 * back. Between two visits a robot may leave and others take its lane. */
#ifndef VXE_ENGINE_BATCH_LANES_H
#define VXE_ENGINE_BATCH_LANES_H

#include "engine/batch/lane_kernels.h"
#include "engine/batch/robot.h"
#include "engine/contact/contact.h"
#include "engine/core/unique_rows.h"

/* Contact models and magnets of a lane's robot. */
typedef struct vxe_lane_forces {
    bool stages; /* the robot has contact models or magnets */
    vxe_workspace workspace;
    vxe_gather_map gather_map[VXE_LANE_LOADS]; /* for each kind of load */
} vxe_lane_forces;

/* Passes under way at once at most, and voxels that one goes on before the next has its turn.
   Measured with bond_throughput on batch_cube_10: two are 4 % faster than one (8 in damping
   iterations), three and four no faster than two; turns of 16, 48 and 128 voxels are alike. */
#define VXE_MAX_LANE_PASSES 2u
#define VXE_LANE_TURN 16u

/* Passes that follow each other over a group that the nearest large cache does not hold: a voxel is
   moved by the next as soon as the one before has moved all that the voxel's bonds look at, while
   they still are there. They are those of a step, and of several steps where nothing looks at a
   robot between two. */
typedef struct vxe_lane_wavefront {
    uint32_t depth;    /* passes in flight at once; 1: one after another */
    uint32_t lag;      /* voxels between two: as far as bonds reach in scan order */
    bool spans_steps;  /* passes of several steps are in flight together */
    uint32_t capacity; /* voxels that the ring of upper accumulators holds */
    double *clock[VXE_MAX_LANE_PASSES];          /* (VXE_CLOCK_NUMBERS, lanes) */
    vxe_reals *upper_force[VXE_MAX_LANE_PASSES]; /* (room, 6, lanes) */
    vxe_reals *before; /* the group's state before the block of steps, restored if a bond fails;
                          null until needed */
} vxe_lane_wavefront;

typedef struct vxe_lanes {
    const vxe_kernels *kernels;
    vxe_lane_group group;
    vxe_robot *robot[VXE_MAX_LANES];            /* null in an idle lane */
    vxe_contacts contacts[VXE_MAX_LANES];       /* empty where a robot does not collide */
    vxe_neighbor_part neighbors[VXE_MAX_LANES]; /* its whole surface */
    vxe_lane_forces forces[VXE_MAX_LANES];
    uint32_t *place[VXE_MAX_LANES]; /* (slots) index in the union of each slot of a robot */
    uint64_t *cells;                /* (V) the union's lattice cells in scan order */
    vxe_lane_voxel *voxel;          /* (V) */
    uint32_t row_values;            /* as the models' */
    uint32_t max_row_values;        /* that fit */
    void *vectors;                  /* memory of the group's state, of what it carries, and of */
    vxe_reals *waves;               /* (V, 2, lanes), */
    vxe_reals *bond_values;         /* (V, 3, row_values, lanes) and */
    vxe_reals *property_values;  /* (V, VXE_LANE_PROPERTY_VALUES, lanes) before rows are shared */
    vxe_reals *sizes;            /* (V, VXE_ACTUATION_VALUES, lanes); null until needed */
    vxe_reals *poisson_coupling; /* (V, 3, lanes); null until needed, as across */
    vxe_reals *poisson_tension;  /* (V, 3, lanes) */
    vxe_reals *kicks;            /* (VXE_MAX_PASSES, lanes) s */
    vxe_unique_rows rows;
    vxe_unique_rows property_rows;
    vxe_lane_wavefront wavefront;
    uint32_t capacity; /* voxels that fit */
    uint32_t pass_count;
    vxe_pass passes[VXE_MAX_PASSES];
} vxe_lanes;

/* Why a robot can not run in lanes, or null where it can. */
const char *vxe_lanes_refusal(const vxe_model *model);

/* Robots with equal keys may share a group: same passes, same law. */
uint32_t vxe_lanes_key(const vxe_robot *robot);

/* Numbers of a robot's cells by rank, which makes them rise, about its lowest corner; equal
 * numbers, equal cells. */
void vxe_lanes_cells(const vxe_model *model, const vxe_design *design, uint64_t *cells);

vxe_status vxe_lanes_init(vxe_lanes *lanes, const vxe_kernels *kernels, vxe_error *error);
void vxe_lanes_clear(vxe_lanes *lanes);

/* Puts robots of one key, at most vxe_lane_kernels_of(kernels)->lanes, into the lanes as their
 * states stand. */
vxe_status vxe_lanes_load(vxe_lanes *lanes, vxe_robot *const *robots, uint32_t count,
                          vxe_error *error);

/* The part of the lanes of the union's bonds in which robots have a bond, 0 to 1. */
double vxe_lanes_use(const vxe_lanes *lanes);

/* Forgets a robot: its lane idles until the next load. */
void vxe_lanes_release(vxe_lanes *lanes, const vxe_robot *robot);

/* Advances all by at most steps, less where a bond failed; their step counts follow at once, the
   rest of their states when they are stored. Failures are put into the robots. */
void vxe_lanes_run(vxe_lanes *lanes, uint64_t steps);

/* How many passes over the group that is loaded follow each other, and their memory. */
vxe_status vxe_lanes_wavefront_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_wavefront_clear(vxe_lanes *lanes);

/* Of one number of every lane. */
static inline uint64_t vxe_lanes_vector_bytes(const vxe_lanes *lanes)
{
    return (uint64_t)vxe_lane_kernels_of(lanes->kernels)->lanes *
           vxe_real_bytes(lanes->kernels->precision);
}

/* Memory of loads of a kind; and all of it. */
vxe_status vxe_lanes_take_load(vxe_lanes *lanes, uint32_t kind, vxe_error *error);
void vxe_lanes_loads_clear(vxe_lanes *lanes);

/* Contact models and magnets, of the robots that are loaded, */
vxe_status vxe_lanes_forces_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_forces_clear(vxe_lanes *lanes);
/* and their loads at the start of a step; the lanes in which that failed, a bit each. */
uint32_t vxe_lanes_forces(vxe_lanes *lanes);
/* Puts voxels where laws over faces bring them, behind the drift. */
void vxe_lanes_correct(vxe_lanes *lanes);

/* Memory of contacts, for the robots that are loaded. */
vxe_status vxe_lanes_contacts_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_contacts_clear(vxe_lanes *lanes);

/* Puts count numbers of each voxel of a lane's robot, values[number][slot], into an array of
 * (V, count, lanes). */
void vxe_lanes_put_values(const vxe_lanes *lanes, uint32_t lane, const vxe_reals *const *values,
                          uint32_t count, vxe_reals *into);

/* What couples the strains of the robots that are loaded. */
vxe_status vxe_lanes_poisson_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_poisson_clear(vxe_lanes *lanes);

/* What sizes follow, of the robots that are loaded. */
vxe_status vxe_lanes_sizes_load(vxe_lanes *lanes, vxe_error *error);

/* Floors that are not level, of the robots that are loaded. */
vxe_status vxe_lanes_terrain_load(vxe_lanes *lanes, vxe_error *error);
void vxe_lanes_terrain_clear(vxe_lanes *lanes);

/* Loads of contacts at the start of a step; the lanes in which voxels crowd, a bit each. */
uint32_t vxe_lanes_contacts(vxe_lanes *lanes);

/* Writes the states back. */
void vxe_lanes_store(vxe_lanes *lanes);

#endif
