/* SPDX-License-Identifier: MIT */
/* Data of a team, and what its files share. README.md of this folder has a drawing of a tick. */
#ifndef VXE_ENGINE_TEAM_TEAM_DATA_H
#define VXE_ENGINE_TEAM_TEAM_DATA_H

#include <stdatomic.h>

#include "engine/control/control.h"
#include "engine/lanes/lanes.h"
#include "engine/team.h"
#include "engine/world/world_data.h"

/* A robot of a team. */
typedef struct vxe_team_member {
    const vxe_design *design;
    vxe_world *world;
    vxe_robot *robot; /* what lanes know of it: one of team->robots */
    vxe_state start;  /* the state that resets lead to */
    uint32_t steps;   /* of a tick */
    vxe_team_state state;
    vxe_error error;           /* why it stands still */
    const char *alone_because; /* null: it runs in lanes */
    uint32_t vector;           /* that it belongs to; VXE_NONE: alone */
    vxe_sensing sensing;
} vxe_team_member;

/* Robots that share the lanes of a vector. They stay in it: it is loaded again where one of them
   was reset. */
typedef struct vxe_team_vector {
    uint32_t member[VXE_MAX_LANES]; /* (count) */
    uint32_t count;
    uint32_t lane[VXE_MAX_LANES]; /* by lane: the member that is loaded, or VXE_NONE */
    bool loaded;
    vxe_lanes lanes;
} vxe_team_vector;

struct vxe_team {
    vxe_team_def def; /* its bounds of targets rounded to float */
    const vxe_kernels *kernels;
    uint32_t threads;
    vxe_team_member *members; /* (count) */
    vxe_robot *robots;        /* (count); their parts are those of the worlds */
    uint32_t count;
    uint32_t groups, parts, voxels; /* most of a robot */
    vxe_team_vector **vectors;      /* (vector_count) */
    uint32_t vector_count;
    uint32_t *alone; /* (alone_count) members that run alone */
    uint32_t alone_count;
    uint32_t width;
    float *observations;    /* (count, width) */
    vxe_network network;    /* of all robots; no layers: none */
    float *weights;         /* (count, weights of the network) */
    float *made;            /* (count, groups) targets that networks or the policy make */
    vxe_team_policy policy; /* null: none */
    void *policy_user;
    uint64_t identity; /* of designs and steps: states fit teams of one identity */
    /* arguments of the present call, for the threads */
    const float *targets;
    const uint8_t *which;
    const vxe_team_start *starts;
    atomic_bool short_of_memory;
};

/* Sorts the robots into vectors, and those that run alone. */
vxe_status vxe_team_form(vxe_team *team, vxe_error *error);

/* Releases the vectors. */
void vxe_team_disband(vxe_team *team);

/* Advances all robots that run by a tick; team->targets are checked. */
vxe_status vxe_team_tick(vxe_team *team, vxe_error *error);

/* Notes why a robot stands still from now on. */
void vxe_team_halt(vxe_team_member *member, vxe_status status);

/* Gives a robot its targets of this tick: those of the caller, or those that its network makes. */
void vxe_team_put_targets(vxe_team *team, uint32_t robot);

/* Whether ticks need no targets: networks or a policy make them. */
bool vxe_team_decides(const vxe_team *team);

/* Takes the networks away. */
void vxe_team_forget_network(vxe_team *team);

/* Observes a robot: fills its row of team->observations. */
void vxe_team_read(vxe_team *team, uint32_t robot);

/* Fails where memory was short in a thread since the last call. */
vxe_status vxe_team_check_memory(vxe_team *team, vxe_error *error);

#endif
