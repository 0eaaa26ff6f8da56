/* SPDX-License-Identifier: MIT */
/* An experiment: what is searched, for what, and how, as its file says it. */
#ifndef VXE_EVOLUTION_EXPERIMENT_EXPERIMENT_INTERNAL_H
#define VXE_EVOLUTION_EXPERIMENT_EXPERIMENT_INTERNAL_H

#include <stdbool.h>

#include "common/status.h"
#include "lattice/design.h"

/* Bytes of texts, with the zero behind them. */
#define VXE_NAME_ROOM 80
#define VXE_FITNESS_ROOM 1000

/* What robots are asked to do; see docs/evolving.md. */
typedef enum vxe_task_name {
    VXE_TASK_WALK,   /* horizontal distance */
    VXE_TASK_CLIMB,  /* height gained on stairs */
    VXE_TASK_ROUGH,  /* horizontal distance on rough ground */
    VXE_TASK_SWIM,   /* distance in a fluid */
    VXE_TASK_JUMP,   /* how high the centre rises */
    VXE_TASK_FLIP,   /* upside down at the end */
    VXE_TASK_TURN,   /* about the vertical */
    VXE_TASK_TALL,   /* the highest voxel at the end */
    VXE_TASK_VOLUME, /* of the convex hull at the end */
    VXE_TASK_PUSH,   /* distance of an object that lies ahead */
    VXE_TASK_CARRY,  /* distance of an object on top that stays off the floor */
    VXE_TASK_THROW,  /* distance of an object on top */
    VXE_TASK_GATHER, /* how near four objects come to each other */
    VXE_TASK_FORMULA /* what the file says */
} vxe_task_name;

enum { VXE_DIRECTION_ANY, VXE_DIRECTION_X, VXE_DIRECTION_Y };

typedef struct vxe_task_settings {
    uint32_t name;
    uint32_t direction;
    double duration;    /* s, settling included */
    double settle_time; /* s */
    double step_height; /* m, of stairs; 0: half a voxel */
    double step_depth;  /* m; 0: three voxels */
    uint64_t steps;     /* of stairs */
    double roughness;   /* m, of rough ground from its lowest to its highest point; 0: one voxel */
    double spacing;     /* m, of its points; 0: two voxels */
    uint64_t object_size;           /* cells along each edge of the object */
    double object_density;          /* kg/m^3; 0: the first material's */
    char fitness[VXE_FITNESS_ROOM]; /* with VXE_TASK_FORMULA */
} vxe_task_settings;

enum { VXE_SYMMETRY_NONE, VXE_SYMMETRY_X, VXE_SYMMETRY_Y, VXE_SYMMETRY_XY };

typedef enum vxe_encoding_name {
    VXE_ENCODING_DIRECT,
    VXE_ENCODING_CPPN,
    VXE_ENCODING_CONTROLLER
} vxe_encoding_name;

typedef struct vxe_encoding_settings {
    uint32_t name;                       /* vxe_encoding_name */
    bool phase;                          /* each voxel has a phase offset of its own */
    double min_stiffness, max_stiffness; /* Pa, of each voxel's own; both 0: its material's */
    uint32_t symmetry;
    uint64_t attempts;       /* at most, to find a body that is allowed, and new */
    double filled;           /* direct: part of the cells that are filled at first */
    double mutated_cells;    /* direct: how many cells are drawn anew, in the mean */
    uint64_t first_changes;  /* cppn: structural mutations of a new network */
    double weight_deviation; /* cppn */
} vxe_encoding_settings;

enum {
    VXE_DESCRIPTOR_VOXELS,   /* part of the cells that are filled */
    VXE_DESCRIPTOR_ACTUATED, /* part of the voxels that are actuated */
    VXE_DESCRIPTOR_LENGTH,   /* part of the box along x, */
    VXE_DESCRIPTOR_WIDTH,    /* y, */
    VXE_DESCRIPTOR_HEIGHT    /* and z */
};

typedef enum vxe_algorithm_name {
    VXE_ALGORITHM_AFPO,
    VXE_ALGORITHM_GA,
    VXE_ALGORITHM_CLIMBER,
    VXE_ALGORITHM_RANDOM,
    VXE_ALGORITHM_MAP_ELITES,
    VXE_ALGORITHM_NSGA2,
    VXE_ALGORITHM_CMA_ES
} vxe_algorithm_name;

enum { VXE_OBJECTIVE_VOXELS, VXE_OBJECTIVE_ACTUATED };

typedef struct vxe_algorithm_settings {
    uint32_t name; /* vxe_algorithm_name */
    uint64_t population;
    uint64_t generations;
    uint64_t newcomers;        /* afpo: of each generation */
    uint64_t tournament;       /* ga and nsga2: among how many a parent is the best */
    uint32_t second_objective; /* nsga2: of what fewer are better */
    uint32_t first_descriptor, second_descriptor; /* map-elites */
    uint64_t first_bins, second_bins;
} vxe_algorithm_settings;

enum { VXE_PIECES_LARGEST, VXE_PIECES_REJECT, VXE_PIECES_ALL };

typedef struct vxe_constraint_settings {
    uint32_t pieces; /* of a body that is not connected: the largest is kept, it is rejected, or all
                        are kept */
    uint64_t least_voxels;
    double least_actuated; /* part of the voxels */
} vxe_constraint_settings;

typedef struct vxe_experiment {
    char name[VXE_NAME_ROOM];
    uint64_t seed;
    uint32_t size[3];   /* cells */
    vxe_design *world;  /* as the file says it: materials and world, no voxels */
    vxe_design *ground; /* what bodies are put into: the world as the task makes it, its end and its
                           fitness */
    uint64_t checkpoint_interval; /* generations */
    bool audit;                   /* champions are run at half the step as well */
    vxe_task_settings task;
    vxe_encoding_settings encoding;
    vxe_algorithm_settings algorithm;
    vxe_constraint_settings constraints;
} vxe_experiment;

/* "voxels", ...: a descriptor of the algorithm. */
const char *vxe_descriptor_name(uint32_t descriptor);

/* Reads a file; null and error filled on failure. */
vxe_experiment *vxe_experiment_read(const char *path, vxe_error *error);

/* Likewise from memory; path stands for the file in messages. */
vxe_experiment *vxe_experiment_parse(const char *path, const char *text, uint64_t size,
                                     vxe_error *error);
void vxe_experiment_destroy(vxe_experiment *experiment);

/* Text of the file that says the same, with all that was left to defaults; ended by zero, released
 * with free. Null for want of memory. */
char *vxe_experiment_text(const vxe_experiment *experiment);

/* Makes `ground` of `world` by the task. */
vxe_status vxe_task_prepare(vxe_experiment *experiment, vxe_error *error);

static inline uint32_t vxe_cell_count(const vxe_experiment *experiment)
{
    return experiment->size[0] * experiment->size[1] * experiment->size[2];
}

#endif
