/* SPDX-License-Identifier: MIT */
/* What robots sense of themselves, and controllers that act on it, tick by tick. */
#ifndef VXE_ENGINE_CONTROL_CONTROL_H
#define VXE_ENGINE_CONTROL_CONTROL_H

#include "engine/guard/guard.h"
#include "engine/network.h"
#include "engine/solver/solver.h"
#include "engine/world.h"

/* Computes sensors of voxels from the present state; see vxe_world_sense. */
void vxe_voxels_sense(const vxe_simulation *simulation, const vxe_workspace *workspace,
                      const vxe_sensors *into);

/* What sensors need to know of a robot, a bit each. */
enum {
    VXE_SENSES_TURNS = 1,    /* orientations and angular velocities of voxels */
    VXE_SENSES_EDGES = 2,    /* present edges */
    VXE_SENSES_STRAIN = 4,   /* of bonds */
    VXE_SENSES_CONTACTS = 8, /* forces of floor and other voxels */
    VXE_SENSES_TOUCH = 16    /* whether they push */
};

/* A robot as its sensors see it. G and P are its groups and parts. */
typedef struct vxe_sensing {
    const vxe_simulation *simulation;
    vxe_workspace *workspace;
    const vxe_floor *floor;
    double start_time;                       /* s: where VXE_SENSOR_CLOCK counts from */
    uint32_t *group;                         /* (voxels) by slot; null without groups */
    uint32_t *part_voxels;                   /* (parts) voxels of each */
    vxe_sensor_kind kinds[VXE_SENSOR_KINDS]; /* that are read */
    uint32_t count;
    uint32_t needs; /* what they need, a bit each */
    /* memory of what is measured */
    double *groups; /* (G, numbers of a group) sums over voxels */
    double *parts;  /* (P, numbers of a part) sums over voxels */
    vxe_sensors by; /* (voxels, ...) where a chosen sensor reads them, else null */
    void *block;    /* the memory of these */
} vxe_sensing;

/* Begins to sense a robot; all that is given must outlive it. No sensor is read yet. */
vxe_status vxe_sensing_init(vxe_sensing *sensing, const vxe_simulation *simulation,
                            vxe_workspace *workspace, const vxe_floor *floor, vxe_error *error);
void vxe_sensing_clear(vxe_sensing *sensing);

/* Chooses the sensors that are read, of known kinds, at most VXE_SENSOR_KINDS. */
vxe_status vxe_sensing_choose(vxe_sensing *sensing, const vxe_sensor_kind *kinds, uint32_t count,
                              vxe_error *error);

/* Reads the sensors into a row with room for so many groups, parts and voxels. */
void vxe_sensing_read(vxe_sensing *sensing, uint32_t groups, uint32_t parts, uint32_t voxels,
                      float *row);

/* Points of VXE_SENSOR_FLOOR_AHEAD, one edge apart, the middle one below the centre. */
#define VXE_FLOOR_POINTS 11

/* Sensors backwards: memory, and what they give. U: the robot, its parts and its groups. */
typedef struct vxe_sensor_adjoints {
    uint64_t units;     /* U */
    double *by_unit;    /* (U, 15) */
    double *weight;     /* (U) */
    uint32_t *voxels;   /* (U) */
    double *directions; /* (U, 6) */
    double *by_voxel;   /* (voxels, 12) by slot: what a number changes with places (m), small turns
                           about the world's axes (rad), velocities (m/s) and spins (rad/s) */
    double *by_target;  /* (groups) and with targets */
} vxe_sensor_adjoints;

vxe_status vxe_sensor_adjoints_init(vxe_sensor_adjoints *adjoints, const vxe_sensing *sensing,
                                    vxe_error *error);
void vxe_sensor_adjoints_clear(vxe_sensor_adjoints *adjoints);

/* A chosen sensor that has no way back; VXE_SENSOR_KINDS: all have one, on a level floor. */
vxe_sensor_kind vxe_sensing_without_way_back(const vxe_sensing *sensing);

/* From what a number changes with a row that was read at the present state, for so many outputs, to
   by_voxel and by_target. */
void vxe_sensing_backwards(const vxe_sensing *sensing, const double *by_row, uint32_t outputs,
                           vxe_sensor_adjoints *into);

/* Turns outputs of so many groups into targets, in place: -1 into the smallest, 1 into the largest.
   Outputs beyond count as these, one that is no number as 0. */
void vxe_outputs_to_targets(float min, float max, uint32_t groups, float *outputs);

/* Takes over targets of all groups, within the bounds that the step is planned for. Edges follow
   when the robot advances. */
void vxe_take_targets(vxe_state *state, vxe_energy_guard *guard, const float *targets);

/* The controller of a robot while it runs. */
typedef struct vxe_control {
    vxe_controller settings; /* targets rounded to float; its weights are the control's own */
    vxe_floor floor;         /* of the design; its heights are the control's own */
    vxe_sensing sensing;
    uint32_t steps; /* of a tick */
    uint64_t next;  /* step of the next tick */
    float *inputs;  /* (width of the first layer) */
    float *targets; /* (outputs, or groups if these are more) */
} vxe_control;

/* Prepares the control of a robot that has not moved, by the controller of its design, which need
   not stay. The simulation must be controlled, and its step planned. Fails where the network does
   not fit the robot. */
vxe_status vxe_control_init(vxe_control *control, const vxe_design *design,
                            const vxe_simulation *simulation, vxe_workspace *workspace,
                            vxe_error *error);
void vxe_control_clear(vxe_control *control);

/* A tick, which must be due: senses, and sets targets. */
void vxe_control_tick(vxe_control *control, vxe_state *state, vxe_energy_guard *guard);

/* Its parts, for outputs that something else than the network makes: senses into `inputs`; turns
   the outputs that were put into `targets` into targets, and sets them. */
void vxe_control_sense(vxe_control *control);
void vxe_control_act(vxe_control *control, vxe_state *state, vxe_energy_guard *guard);

/* Numbers that a controller makes in a tick. */
uint32_t vxe_control_outputs(const vxe_control *control);

#endif
