/* SPDX-License-Identifier: MIT */
/* Bonds under the peers' law: where they stand, and looking at them outside a step. */
#include <string.h>

#include "engine/solver/step.h"

bool vxe_peer_weaves(const vxe_model *model)
{
    const vxe_woven_bonds *woven = model->arrays.woven;
    return model->peer && woven[0].count + woven[1].count + woven[2].count > 0;
}

vxe_peer_lanes vxe_peer_lanes_of(const vxe_kernel_arrays *arrays, int axis)
{
    const vxe_woven_bonds *woven = &arrays->woven[axis];
    return woven->count > 0
               ? (vxe_peer_lanes){.vectors = woven->count, .width = VXE_PEER_WIDTH}
               : (vxe_peer_lanes){.vectors = arrays->bonds[axis].count, .width = VXE_VECTOR};
}

bool vxe_peer_ends_of(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, uint32_t lane,
                      vxe_peer_ends *ends)
{
    const vxe_woven_bonds *woven = &arrays->woven[axis];
    const vxe_bond_vectors *rows = &arrays->bonds[axis];
    if (woven->count > 0) {
        const uint64_t at = (uint64_t)vector * VXE_PEER_WIDTH + lane;
        *ends = (vxe_peer_ends){woven->lower[vector] + woven->lower_at[at],
                                woven->upper[vector] + woven->upper_at[at]};
        return lane < woven->lanes[vector];
    }
    *ends = (vxe_peer_ends){rows->lower[vector] + lane, rows->upper[vector] + lane};
    return rows->present[vector] >> lane & 1;
}

uint32_t vxe_peer_look(const vxe_model *model, const vxe_kernel_arrays *arrays, int axis,
                       uint32_t vector, bool remembers)
{
    double away[12][VXE_VECTOR] = {{0}};
    vxe_bond_target target = {.packed = true, .packed_first = vector, .probe = !remembers};
    for (int c = 0; c < 6; c++) {
        target.own[c] = away[c];
        target.pull[c] = away[c + 6];
    }
    const vxe_kernels *kernels = model->kernels;
    const vxe_peer_law law = model->peer->law;
    return arrays->woven[axis].count > 0
               ? kernels->peer_woven->run[law][axis](arrays, &target, 0)
               : kernels->peer->run[law][axis](arrays, &target, vector, vector + 1);
}

/* Whether a lane of a vector has a bond of a slot. */
static bool is_of(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, uint32_t lane,
                  uint32_t slot)
{
    vxe_peer_ends ends;
    return vxe_peer_ends_of(arrays, axis, vector, lane, &ends) &&
           (ends.lower == slot || ends.upper == slot);
}

/* Bonds of a slot in a vector remember the pose that they are in, whatever their mode was: the law
 * is run twice. */
static void remember_again(const vxe_scratch *scratch, int axis, uint32_t vector, uint32_t width,
                           uint32_t slot)
{
    double *now = scratch->state->peer->bonds[axis] + (uint64_t)vector * VXE_PEER_MEMORY * width;
    double before[VXE_PEER_MEMORY * VXE_VECTOR];
    memcpy(before, now, VXE_PEER_MEMORY * width * sizeof *now);
    vxe_peer_look(scratch->model, &scratch->arrays, axis, vector, true);
    vxe_peer_look(scratch->model, &scratch->arrays, axis, vector, true);
    for (uint32_t lane = 0; lane < width; lane++) {
        const bool own = is_of(&scratch->arrays, axis, vector, lane, slot);
        for (uint32_t i = lane; i < VXE_PEER_MEMORY * width && !own; i += width) {
            now[i] = before[i];
        }
    }
}

void vxe_peer_placed(vxe_scratch *scratch, uint32_t slot)
{
    if (!scratch->peer) {
        return;
    }
    scratch->state->peer->listed = false;
    for (int axis = 0; axis < 3; axis++) {
        const vxe_peer_lanes lanes = vxe_peer_lanes_of(&scratch->arrays, axis);
        for (uint32_t vector = 0; vector < lanes.vectors; vector++) {
            bool own = false;
            for (uint32_t lane = 0; lane < lanes.width; lane++) {
                own = own || is_of(&scratch->arrays, axis, vector, lane, slot);
            }
            if (own) {
                remember_again(scratch, axis, vector, lanes.width, slot);
            }
        }
    }
}
