/* SPDX-License-Identifier: MIT */
/* An experiment, as its file describes it: what is searched, for which task, and how. */
#ifndef VXE_EVOLUTION_EXPERIMENT_EXPERIMENT_INTERNAL_H
#define VXE_EVOLUTION_EXPERIMENT_EXPERIMENT_INTERNAL_H

#include <stdbool.h>

#include "common/status.h"
#include "lattice/design.h"

/* Bytes of texts, including the zero at the end. */
#define VXE_NAME_BYTES 80
#define VXE_FITNESS_BYTES 1000
#define VXE_PATH_BYTES 800
#define VXE_COMMAND_BYTES 2000

/* Tasks of robots; see docs/evolving.md. */
typedef enum vxe_task_name {
    VXE_TASK_WALK,    /* horizontal distance */
    VXE_TASK_CLIMB,   /* height gained on stairs */
    VXE_TASK_ROUGH,   /* horizontal distance on rough ground */
    VXE_TASK_SWIM,    /* distance in a fluid */
    VXE_TASK_JUMP,    /* rise of the centre of mass */
    VXE_TASK_FLIP,    /* upside down at the end */
    VXE_TASK_TURN,    /* rotation about the vertical */
    VXE_TASK_TALL,    /* height of the highest voxel at the end */
    VXE_TASK_VOLUME,  /* volume of the convex hull at the end */
    VXE_TASK_PUSH,    /* distance of an object in front of the robot */
    VXE_TASK_CARRY,   /* distance of an object on top, as long as it stays off the floor */
    VXE_TASK_THROW,   /* distance of an object on top */
    VXE_TASK_GATHER,  /* closeness of four objects */
    VXE_TASK_FORMULA, /* formula in the file */
    VXE_TASK_PROGRAM, /* answer of a program */
    VXE_TASK_LIBRARY, /* answer of a function in a shared object */
    VXE_TASK_TOLD     /* told by who asks for the bodies */
} vxe_task_name;

enum { VXE_DIRECTION_ANY, VXE_DIRECTION_X, VXE_DIRECTION_Y };

typedef struct vxe_task_settings {
    uint32_t name;
    uint32_t direction;
    double duration;       /* s, including settling */
    double settle_time;    /* s */
    double step_height;    /* m, of stairs; 0: half a voxel */
    double step_depth;     /* m; 0: three voxels */
    uint64_t steps;        /* number of stairs */
    double roughness;      /* m, height of rough ground from its lowest to its highest point; 0: one
                              voxel */
    double spacing;        /* m, between points of rough ground; 0: two voxels */
    uint64_t object_size;  /* edge of the object, cells */
    double object_density; /* kg/m^3; 0: that of the first material */
    char fitness[VXE_FITNESS_BYTES]; /* for VXE_TASK_FORMULA */
    char command[VXE_COMMAND_BYTES]; /* for VXE_TASK_PROGRAM: words, each ended by a zero byte, and
                                        an empty one */
    char library[VXE_PATH_BYTES];    /* for VXE_TASK_LIBRARY: path of the shared object */
    char folder[VXE_PATH_BYTES];     /* for both: absolute; where paths begin */
    double time_limit;               /* s, for VXE_TASK_PROGRAM: for an answer; 0: none */
} vxe_task_settings;

enum { VXE_SYMMETRY_NONE, VXE_SYMMETRY_X, VXE_SYMMETRY_Y, VXE_SYMMETRY_XY };

typedef enum vxe_encoding_name {
    VXE_ENCODING_DIRECT,
    VXE_ENCODING_CPPN,
    VXE_ENCODING_CONTROLLER
} vxe_encoding_name;

typedef struct vxe_encoding_settings {
    uint32_t name;                       /* vxe_encoding_name */
    bool phase;                          /* each voxel has its own phase offset */
    double min_stiffness, max_stiffness; /* Pa, range of each voxel's own stiffness; both 0: that of
                                            the material */
    uint32_t symmetry;
    uint64_t attempts;       /* largest number of attempts to find a body that is allowed and new */
    double filled;           /* direct: part of the cells that are filled at first */
    double mutated_cells;    /* direct: mean number of cells that a mutation draws again */
    uint64_t first_changes;  /* cppn: structural mutations of a new network */
    double weight_deviation; /* cppn: standard deviation of mutations of weights */
} vxe_encoding_settings;

/* Controllers of robots: networks whose weights are searched. */
typedef struct vxe_network_settings {
    vxe_sensor_kind sensors[VXE_SENSOR_KINDS];
    uint32_t sensor_count;               /* 0: robots have no controllers */
    uint32_t hidden[VXE_NETWORK_LAYERS]; /* width of each hidden layer */
    uint32_t hidden_count;
    uint32_t groups[3];            /* along x, y, z, into which the box is divided */
    double interval;               /* s: of a tick */
    double min_target, max_target; /* of groups */
    uint32_t activation;           /* vxe_activation */
    double deviation;              /* of the first weights, and of a mutation of one */
    /* what follows */
    vxe_network shape;
    bool by_layer;  /* the given body has groups of its own */
    uint32_t moved; /* groups that move; the one behind them has what does not */
    uint32_t parts; /* of the given body; 1 where bodies are searched */
} vxe_network_settings;

enum {
    VXE_DESCRIPTOR_VOXELS,   /* part of the cells that are filled */
    VXE_DESCRIPTOR_ACTUATED, /* part of the voxels that are actuated */
    VXE_DESCRIPTOR_LENGTH,   /* extent along x, as part of the box */
    VXE_DESCRIPTOR_WIDTH,    /* extent along y, as part of the box */
    VXE_DESCRIPTOR_HEIGHT    /* extent along z, as part of the box */
};

typedef enum vxe_algorithm_name {
    VXE_ALGORITHM_AFPO,
    VXE_ALGORITHM_GA,
    VXE_ALGORITHM_CLIMBER,
    VXE_ALGORITHM_RANDOM,
    VXE_ALGORITHM_MAP_ELITES,
    VXE_ALGORITHM_NSGA2,
    VXE_ALGORITHM_CMA_ES,
    VXE_ALGORITHM_ES
} vxe_algorithm_name;

enum { VXE_OBJECTIVE_VOXELS, VXE_OBJECTIVE_ACTUATED };

/* Most generations of a search. */
#define VXE_MAX_GENERATIONS 1000000000u

typedef struct vxe_algorithm_settings {
    uint32_t name; /* vxe_algorithm_name */
    uint64_t population;
    uint64_t generations;
    uint64_t newcomers;        /* afpo: random individuals in each generation */
    uint64_t tournament;       /* ga and nsga2: size of the tournament for a parent */
    uint32_t second_objective; /* nsga2: what should be few */
    uint32_t first_descriptor, second_descriptor; /* map-elites */
    uint64_t first_bins, second_bins;
} vxe_algorithm_settings;

enum { VXE_PIECES_LARGEST, VXE_PIECES_REJECT, VXE_PIECES_ALL };

typedef struct vxe_constraint_settings {
    uint32_t pieces; /* what happens to a body that is not connected: its largest piece is kept, it
                        is rejected, or all pieces are kept */
    uint64_t min_voxels;
    double min_actuated; /* part of the voxels */
} vxe_constraint_settings;

enum { VXE_SCORE_MEDIAN, VXE_SCORE_MEAN, VXE_SCORE_WORST, VXE_SCORE_LOWER_QUARTILE };

/* A body runs at most so often. */
#define VXE_MAX_EVALUATION_COPIES 64

/* How often a body runs, and how its copies differ; each part is the largest one. */
typedef struct vxe_evaluation_settings {
    uint64_t copies;  /* 1: the body runs as it is, once */
    uint32_t score;   /* what of the copies' fitness counts */
    double friction;  /* part of both coefficients of friction */
    double stiffness; /* part of all moduli */
    double phase;     /* cycles, of each voxel */
    double slope;     /* by which the world is tilted along x and y */
    double step;      /* part of the time step */
} vxe_evaluation_settings;

/* Bytes of the names of what is learned. */
#define VXE_LEARNED_BYTES 80

/* Inner learning; see evolution/learning. */
typedef struct vxe_learning_settings {
    uint64_t iterations;           /* of each individual's tuner; 0: individuals do not learn */
    char words[VXE_LEARNED_BYTES]; /* names of what is learned, each ended by a zero byte, and an
                                      empty one */
    uint32_t by;                   /* the same: 1 << vxe_tuned, or'ed */
    bool inherit;  /* what was learned goes into the genome (Lamarck); else it only counts (Baldwin)
                    */
    double forget; /* s: gradients look back so far; 0: without end; below 0: as tuners do */
} vxe_learning_settings;

typedef struct vxe_experiment {
    char name[VXE_NAME_BYTES];
    uint64_t seed;
    uint32_t size[3];   /* cells */
    vxe_design *world;  /* as in the file: materials and environment, without voxels */
    vxe_design *ground; /* what bodies are put into: the world with the changes, the stop rule and
                           the fitness of the task */
    uint64_t checkpoint_interval; /* generations */
    bool audit;                   /* runs champions at half the time step too */
    vxe_task_settings task;
    vxe_encoding_settings encoding;
    vxe_network_settings network;
    vxe_algorithm_settings algorithm;
    vxe_constraint_settings constraints;
    vxe_evaluation_settings evaluation;
    vxe_learning_settings learning;
} vxe_experiment;

/* Name of a task, such as "walk". */
const char *vxe_task_label(uint32_t task);

/* Name of a descriptor, such as "voxels". */
const char *vxe_descriptor_name(uint32_t descriptor);

/* Reads a file. Returns null, and fills error, on failure. */
vxe_experiment *vxe_experiment_read(const char *path, vxe_error *error);

/* Reads a text in memory; messages call the file `path`. */
vxe_experiment *vxe_experiment_parse(const char *path, const char *text, uint64_t size,
                                     vxe_error *error);
void vxe_experiment_destroy(vxe_experiment *experiment);

/* Writes the experiment as text, with all defaults. It ends with a zero byte; release it with free.
   Null where memory is lacking. */
char *vxe_experiment_text(const vxe_experiment *experiment);

/* Finds the shape of the networks, after the ground. */
vxe_status vxe_network_prepare(vxe_experiment *experiment, vxe_error *error);

/* The same without the place of the experiment's file: what two files of one experiment have in
   common, wherever they are. */
char *vxe_experiment_identity(const vxe_experiment *experiment);

/* Whether the fitness of a task is not ours. */
static inline bool vxe_task_is_external(const vxe_task_settings *task)
{
    return task->name == VXE_TASK_PROGRAM || task->name == VXE_TASK_LIBRARY ||
           task->name == VXE_TASK_TOLD;
}

/* Checks the keys of such a task, which others must not have. */
vxe_status vxe_external_task_check(const vxe_experiment *experiment, vxe_error *error);

/* Makes the folder of such a task absolute: it is relative to the folder of the experiment's file,
   or, where file is null, to the working directory. */
vxe_status vxe_external_task_place(vxe_task_settings *task, const char *file, vxe_error *error);

/* Makes `ground` from `world` for the task. */
vxe_status vxe_task_prepare(vxe_experiment *experiment, vxe_error *error);

static inline uint32_t vxe_cell_count(const vxe_experiment *experiment)
{
    return experiment->size[0] * experiment->size[1] * experiment->size[2];
}

#endif
