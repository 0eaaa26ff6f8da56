/* SPDX-License-Identifier: MIT */
/* Voxels that a boundary condition of some robot binds: single directions that are held, loads, and
   prescribed motion. They are few, and compiled apart from all others, whose loops stay as they
   are.

   This file is compiled once per instruction set and precision, see real.h. */
#include "engine/lanes/lane_voxels.h"

VOXEL_MOVES(VOXEL_MOVE_FUNCTIONS, BOUND)

static voxel_mover *const movers[MOVES][GROUND + 1] = {VOXEL_MOVES(VOXEL_MOVERS, BOUND)};

/* Finds the rates of prescribed motion in the step that the voxel is in. */
static void find_rates(const vxe_lane_pass *pass, const vxe_lane_group *group,
                       const voxel_places *at, uint32_t bound)
{
    for (uint32_t i = group->driven_first[bound]; i < group->driven_first[bound + 1]; i++) {
        const vxe_lane_driven *driven = &group->driven[i];
        const uint32_t c = driven->freedom.freedom;
        VXE_ASSERT(c < 6 && driven->lane < VXE_LANES);
        const double place =
            c < 3 ? terrain_place(at->voxel[(VXE_LANE_X + c) * LANES + driven->lane],
                                  at->voxel[(VXE_LANE_X_LOW + c) * LANES + driven->lane])
                  : 0;
        at->bound[(VXE_BOUND_RATE + c) * LANES + driven->lane] =
            (vxe_real)vxe_driven_rate(&driven->freedom, &pass->factors[driven->table], place);
    }
}

void VXE_VARIANT(vxe_lanes_move_bound)(int floor, const vxe_lane_pass *pass,
                                       const vxe_lane_group *group, voxel_places at, uint32_t bound)
{
    at.bound = reals(group->bound) + (ptrdiff_t)bound * (VXE_BOUND_VALUES * LANES);
    if ((pass->stages & VXE_STAGE_DRIVE) && group->driven) {
        VXE_ASSERT(pass->kick_flags & VXE_KICK_EXTERNAL);
        find_rates(pass, group, &at, bound);
    }
    movers[move_of(pass, group)][floor](&at);
}
