/* SPDX-License-Identifier: MIT */
/* A session: what a user did to a running robot in the studio, step by step, with the robot and the
   hash of the last state. Since every input acts at a step, it replays bit for bit. */
#ifndef VXE_OUTPUT_RECORD_SESSION_H
#define VXE_OUTPUT_RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "engine/world.h"
#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_session vxe_session;

/* Reads a session (JSON; output/record/README.md). Null, and error filled, where it is none. */
VXE_API vxe_session *vxe_session_read(const char *path, vxe_error *error);
VXE_API void vxe_session_destroy(vxe_session *session);

/* The robot; lives as long as the session. */
VXE_API const vxe_design *vxe_session_design(const vxe_session *session);

/* What does not change about a session. */
typedef struct vxe_session_facts {
    const char *release; /* of the program that made it; "" where it does not say */
    uint64_t steps;      /* that it lasts */
    uint64_t inputs;     /* number of inputs */
    double step_scale;   /* of its world (vxe_world_def) */
    bool has_hash;       /* it tells the hash of its last state: */
    uint64_t hash;       /* that of x86-64 without fma and of a browser, in mixed precision */
} vxe_session_facts;

VXE_API vxe_session_facts vxe_session_describe(const vxe_session *session);

/* The step at which the next inputs act; UINT64_MAX behind the last. */
VXE_API uint64_t vxe_session_next(const vxe_session *session);

/* Gives a world of the session's design the inputs of its present step. Fails where the world
   refuses one. */
VXE_API vxe_status vxe_session_act(vxe_session *session, vxe_world *world, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
