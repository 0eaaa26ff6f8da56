/* SPDX-License-Identifier: MIT */
/* What a world is made of. */
#ifndef VXE_ENGINE_WORLD_INTERNAL_H
#define VXE_ENGINE_WORLD_INTERNAL_H

#include "common/messages_internal.h"
#include "engine/ledger_internal.h"
#include "engine/robot_internal.h"
#include "engine/world.h"

struct vxe_world {
    vxe_robot robot;
    vxe_scratch scratch;
    vxe_ledger ledger;
    bool has_ledger;
    bool diverged;
    vxe_error divergence;
    uint32_t materials;
    vxe_messages warnings;
};

#endif
