/* SPDX-License-Identifier: MIT */
/* A team: robots in closed loop. In a tick every robot gets targets for the edges of its groups of
   voxels, moves on by an interval of time, and is observed: arrays in, arrays out. Robots run side
   by side in the lanes of vectors where that is faster, else alone; a robot has the same bits
   either way, whatever its neighbours. One that diverges stands still until it is reset, and does
   not affect the others.

   Arrays are row after row, one row for each robot: targets (robots, groups) and observations
   (robots, width), of float. A robot with fewer groups than others ignores the rest of its row.

   A team may be used by one thread at a time. */
#ifndef VXE_ENGINE_TEAM_H
#define VXE_ENGINE_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/batch.h"
#include "engine/network.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_team vxe_team;

/* Choices of a team. Take one from vxe_team_def_default and change what you need. */
typedef struct vxe_team_def {
    uint32_t cookie;     /* set by vxe_team_def_default, checked by vxe_team_create */
    vxe_world_def world; /* of every robot; its threads are those of the team (0: all processors)
                            and its energy audit must be off */
    double interval;     /* s: length of a tick, 1/60 by default. Each robot's own step is shortened
                            so that a whole number of steps makes it */
    double min_target;   /* smallest factor on the edges of a group, 0.6 by default */
    double max_target;   /* largest one, 1.6 by default; the step is planned for both, and never
                            changes */
    double settle;       /* s at targets of 1 before the start state is taken, to which resets lead;
                            rounded up to whole ticks; 0 by default */
    vxe_batch_schedule schedule;
} vxe_team_def;

/* The default choices. */
VXE_API vxe_team_def vxe_team_def_default(void);

/* Makes a team of designs, at its start. The designs must stay as they are for as long as the team
   does. Null and error filled on failure: where a design cannot run or diverges while it settles,
   error names the robot, from 0. Designs with affine bodies are refused. Formulas of stop and
   fitness, and controllers, are not read. */
VXE_API vxe_team *vxe_team_create(const vxe_design *const *designs, uint32_t count,
                                  const vxe_team_def *def, vxe_error *error);
VXE_API void vxe_team_destroy(vxe_team *team);

/* Numbers of a sensor in a row of observations. */
VXE_API uint32_t vxe_team_sensor_width(const vxe_team *team, vxe_sensor_kind sensor);

/* Chooses what is observed: sensors one behind another in each row, at most VXE_SENSOR_KINDS. A new
   team observes nothing. Returns the width of a row by *width, which may be null. */
VXE_API vxe_status vxe_team_observe(vxe_team *team, const vxe_sensor_kind *sensors, uint32_t count,
                                    uint32_t *width, vxe_error *error);

/* Gives the robots a network each, of one shape: in ticks without targets it makes them from the
   last observations. The first layer has the width of a row of observations, the last one the most
   groups of a robot; its numbers, -1 to 1, become targets from the smallest to the largest.
   weights: (robots, vxe_network_weights), copied. Null network: no more networks.
   vxe_team_observe takes the networks away. VXE_ERROR_ARGUMENT where the shape does not fit, or a
   weight is no number below 1e9. */
VXE_API vxe_status vxe_team_set_network(vxe_team *team, const vxe_network *network,
                                        const float *weights, vxe_error *error);

/* A policy: from what was observed last of a robot (width) to numbers from -1 to 1 for all groups
   (groups), which become targets as those of a network do; beyond counts as the nearest, what is no
   number as 0. It is called by the threads of the team, for several robots at once. */
typedef void (*vxe_team_policy)(uint32_t robot, const float *observations, float *outputs,
                                void *user);

/* Gives the team a policy that makes the targets in ticks without them, instead of networks. Null:
   none. */
VXE_API void vxe_team_set_policy(vxe_team *team, vxe_team_policy policy, void *user);

/* One tick. targets: (robots, groups), null where no robot has a group, or where networks or a
   policy make them. observations: (robots, width) and status: (robots), of vxe_team_state, each may
   be null. Rows of robots that stand still keep what was last observed. Targets out of bounds are
   refused, before anything moves; those of robots that stand still are ignored. */
VXE_API vxe_status vxe_team_step(vxe_team *team, const float *targets, float *observations,
                                 uint8_t *status, vxe_error *error);

/* Called before each tick but the first, from the calling thread; false ends vxe_team_run. */
typedef bool (*vxe_team_watch)(uint32_t ticks, void *user);

/* So many ticks with targets that are known before: targets (ticks, robots, groups), or null where
   networks or a policy make them, observations (ticks, robots, width) or null, status (robots) at
   the end or null. watch may be null. */
VXE_API vxe_status vxe_team_run(vxe_team *team, uint32_t ticks, const float *targets,
                                float *observations, uint8_t *status, vxe_team_watch watch,
                                void *user, vxe_error *error);

/* How a robot starts otherwise than its start state. */
typedef struct vxe_team_start {
    double shift[3]; /* m */
    double turn[3];  /* rad: a rotation vector about the centre of mass, shorter than 1 */
    double push[3];  /* m/s: added to the velocity of each voxel that is free */
} vxe_team_start;

/* Resets robots to their start states. which: (robots) not 0 for those that are reset; null: all.
   starts: (robots), null: as they are. observations: (robots, width) of all robots, or null. */
VXE_API vxe_status vxe_team_reset(vxe_team *team, const uint8_t *which,
                                  const vxe_team_start *starts, float *observations,
                                  vxe_error *error);

/* What was observed last, (robots, width), and whether the robots run, (robots); each may be null.
 */
VXE_API void vxe_team_report(const vxe_team *team, float *observations, uint8_t *status);

/* Whether a robot moves. */
typedef enum vxe_team_state {
    VXE_TEAM_RUNS = 0,
    VXE_TEAM_DIVERGED = 1,
    VXE_TEAM_UNPHYSICAL = 2 /* its energy rose by more than was put in */
} vxe_team_state;

/* Bytes of the states of all robots. */
VXE_API uint64_t vxe_team_saved_bytes(const vxe_team *team);

/* Copies the states of all robots into vxe_team_saved_bytes bytes, and takes them from there again,
   in this team or one made of the same designs and choices; VXE_ERROR_INPUT where they are none of
   such a team. Bits go on as they would have; energy guards begin anew; vxe_team_report has what is
   then observed. */
VXE_API void vxe_team_save(const vxe_team *team, void *into);
VXE_API vxe_status vxe_team_load(vxe_team *team, const void *from, uint64_t bytes,
                                 vxe_error *error);

/* A robot of the team, as a world at its present state: to be looked at, sensed or recorded. It is
   the team's, and must not be advanced; its numbers are those of the last tick or reset, until the
   next one. */
VXE_API const vxe_world *vxe_team_world(vxe_team *team, uint32_t robot);

/* Why a robot stands still; empty where it does not. Lives as long as the team. */
VXE_API const char *vxe_team_message(const vxe_team *team, uint32_t robot);

/* Hash of a robot's state: that of a world with the same step that had the same targets. */
VXE_API uint64_t vxe_team_hash(const vxe_team *team, uint32_t robot);

/* What does not change about a robot. */
typedef struct vxe_team_robot {
    uint32_t groups;
    uint32_t parts;
    uint32_t voxels;
    uint32_t steps;             /* of a tick */
    double time_step;           /* s */
    vxe_damping_scheme damping; /* EXPLICIT or SWEEP */
    bool in_lanes;
    const char *alone_because; /* why it does not run in lanes, or null where it does */
} vxe_team_robot;

VXE_API vxe_team_robot vxe_team_describe_robot(const vxe_team *team, uint32_t robot);

/* What a team computes with. */
typedef struct vxe_team_facts {
    uint32_t robots;
    uint32_t groups; /* most groups of a robot */
    uint32_t parts;  /* most parts of a robot */
    uint32_t voxels; /* most voxels of a robot */
    uint32_t width;  /* of a row of observations */
    uint32_t threads;
    uint32_t robots_in_lanes;
    uint32_t lanes;        /* robots of a vector */
    double interval;       /* s */
    const char *precision; /* "mixed" or "double" */
    const char *isa;       /* instruction set, such as "x86-64-v4" */
} vxe_team_facts;

VXE_API vxe_team_facts vxe_team_describe(const vxe_team *team);

#ifdef __cplusplus
}
#endif

#endif
