/* SPDX-License-Identifier: MIT */
/* A controller: a small dense network that makes the targets of a robot's groups of voxels from
   what the robot senses, tick by tick. It is part of a design, so that whatever runs the design
   runs it. */
#ifndef VXE_LATTICE_CONTROLLER_H
#define VXE_LATTICE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/export.h"
#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sensors. G, P and V are the groups, parts and voxels of a robot (in a team: the most of a robot
   of the team; numbers that a robot lacks are 0). A part is a set of voxels that bonds connect at
   the start: the bodies of vxe_world_bodies, in their order. Centres and velocities of robots and
   parts are those of mass; those of groups are means over voxels, like directions. */
typedef enum vxe_sensor_kind {
    VXE_SENSOR_CENTER = 0,         /* (3) m: centre of all voxels, design coordinates */
    VXE_SENSOR_VELOCITY = 1,       /* (3) m/s: of the centre */
    VXE_SENSOR_SPIN = 2,           /* (3) rad/s: mean angular velocity of voxels */
    VXE_SENSOR_UP = 3,             /* (3) direction of the voxels' own z axes */
    VXE_SENSOR_HEADING = 4,        /* (3) direction of the voxels' own x axes */
    VXE_SENSOR_CLOCK = 5,          /* (3) s since the first tick; sine and cosine of the phase of
                                      the design's actuation, 0 and 1 without any */
    VXE_SENSOR_TARGETS = 6,        /* (G) targets of the last tick */
    VXE_SENSOR_GROUP_PLACE = 7,    /* (G, 3) m: from the robot's centre to that of a group */
    VXE_SENSOR_GROUP_VELOCITY = 8, /* (G, 3) m/s: of a group, less that of the robot */
    VXE_SENSOR_GROUP_EDGE = 9,     /* (G) mean edge, in edges of the lattice */
    VXE_SENSOR_GROUP_STRAIN = 10,  /* (G, 3) mean axial strain along the voxels' own axes */
    VXE_SENSOR_GROUP_LOAD = 11,    /* (G) N: sum of what floor and other voxels push */
    VXE_SENSOR_GROUP_TOUCH = 12,   /* (G) part of its voxels that touch the floor or other voxels */
    VXE_SENSOR_VOXEL_PLACE = 13,   /* (V, 3) m: from the robot's centre, voxels in design order */
    VXE_SENSOR_VOXEL_VELOCITY = 14, /* (V, 3) m/s: less that of the robot */
    VXE_SENSOR_FLOOR_AHEAD = 15,    /* (11) m: height of the floor less that of the centre, 5 edges
                                       behind the centre in x to 5 ahead of it; 0 without a floor */
    VXE_SENSOR_PART_CENTER = 16,    /* (P, 3) m, design coordinates */
    VXE_SENSOR_PART_VELOCITY = 17,  /* (P, 3) m/s */
    VXE_SENSOR_PART_UP = 18,        /* (P, 3) as UP, for each part */
    VXE_SENSOR_PART_HEADING = 19,   /* (P, 3) as HEADING */
    VXE_SENSOR_KINDS
} vxe_sensor_kind;

/* Name of a sensor, such as "group_place", and the sensor of a name; VXE_SENSOR_KINDS: none. */
VXE_API const char *vxe_sensor_name(vxe_sensor_kind sensor);
VXE_API vxe_sensor_kind vxe_sensor_find(const char *name);

/* Numbers of a sensor of a robot with so many groups, parts and voxels. */
VXE_API uint32_t vxe_sensor_width(vxe_sensor_kind sensor, uint32_t groups, uint32_t parts,
                                  uint32_t voxels);

/* Layers of a network, inputs and outputs included, and numbers of a layer, at most. */
#define VXE_NETWORK_LAYERS 8u
#define VXE_NETWORK_WIDTH 4096u

/* What a number of a hidden layer is of its sum. */
typedef enum vxe_activation {
    VXE_ACTIVATION_TANH = 0,
    VXE_ACTIVATION_RELU = 1 /* the sum where it is above 0, else 0 */
} vxe_activation;

/* The shape of a network. Outputs are the tanh of their sums, from -1 to 1. */
typedef struct vxe_network {
    uint32_t layers;                    /* 2 or more: inputs, hidden layers, outputs */
    uint32_t width[VXE_NETWORK_LAYERS]; /* numbers of each layer, 1 or more */
    vxe_activation activation;          /* of hidden layers */
} vxe_network;

/* VXE_ERROR_ARGUMENT if a number of the shape is out of range. */
VXE_API vxe_status vxe_network_check(const vxe_network *network, vxe_error *error);

/* Number of weights: for each layer but the first (width before + 1) x width. They stand layer by
   layer; in a layer first the biases (width), then the weights of the first number of the layer
   before (width), of the second, and so on. */
VXE_API uint64_t vxe_network_weights(const vxe_network *network);

/* Weights are smaller, so that sums of usual numbers are numbers. */
#define VXE_LARGEST_WEIGHT 1e9f
static inline bool vxe_is_weight(float weight)
{
    return weight > -VXE_LARGEST_WEIGHT && weight < VXE_LARGEST_WEIGHT;
}

/* s: the shortest interval of a tick. */
#define VXE_SHORTEST_TICK 1e-9

/* The controller of a design. Ticks begin where settling ends, an interval apart. In a tick the
   network takes the numbers of the sensors, one behind another; its outputs, -1 to 1, become
   targets of the first groups from the smallest to the largest, which hold until the next tick.
   Sensors tell of these groups alone; the others keep their size. */
typedef struct vxe_controller {
    double interval;   /* s: from tick to tick; 0: the design has no controller. A run's own step is
                          shortened so that a whole number of steps makes it */
    double min_target; /* factor on the edges of a group at the output -1: above 0, at most 1 */
    double max_target; /* at 1: from 1 to 10 */
    vxe_sensor_kind sensors[VXE_SENSOR_KINDS]; /* (sensor_count) */
    uint32_t sensor_count;
    vxe_network network; /* the first layer is as wide as the sensors together, the last one moves
                            so many groups */
    float *weights;      /* (vxe_network_weights), below VXE_LARGEST_WEIGHT */
} vxe_controller;

/* VXE_ERROR_INPUT if a number is out of range, or there are no weights. */
VXE_API vxe_status vxe_controller_check(const vxe_controller *controller, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
