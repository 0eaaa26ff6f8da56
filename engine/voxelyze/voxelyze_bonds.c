/* SPDX-License-Identifier: MIT */
/* Bonds of the Voxelyze family outside a step: their layout, evaluating the law without applying
   forces, and resetting history when a caller moves a voxel. */
#include <string.h>

#include "common/assert_internal.h"
#include "engine/model/workspace.h"
#include "engine/voxelyze/voxelyze.h"

bool vxe_voxelyze_packs(const vxe_model *model)
{
    const vxe_packed_bonds *packed = model->arrays.packed;
    return model->voxelyze && packed[0].count + packed[1].count + packed[2].count > 0;
}

vxe_voxelyze_lanes vxe_voxelyze_lanes_of(const vxe_kernel_arrays *arrays, int axis)
{
    const vxe_packed_bonds *packed = &arrays->packed[axis];
    return packed->count > 0
               ? (vxe_voxelyze_lanes){.vectors = packed->count, .width = VXE_VOXELYZE_WIDTH}
               : (vxe_voxelyze_lanes){.vectors = arrays->bonds[axis].count, .width = VXE_VECTOR};
}

bool vxe_voxelyze_ends_of(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, uint32_t lane,
                          vxe_voxelyze_ends *ends)
{
    VXE_ASSERT(axis >= 0 && axis < 3);
    const vxe_packed_bonds *packed = &arrays->packed[axis];
    const vxe_bond_vectors *rows = &arrays->bonds[axis];
    if (packed->count > 0) {
        const uint64_t at = (uint64_t)vector * VXE_VOXELYZE_WIDTH + lane;
        *ends = (vxe_voxelyze_ends){packed->lower[vector] + packed->lower_at[at],
                                    packed->upper[vector] + packed->upper_at[at]};
        return lane < packed->lanes[vector];
    }
    *ends = (vxe_voxelyze_ends){rows->lower[vector] + lane, rows->upper[vector] + lane};
    return rows->present[vector] >> lane & 1;
}

uint32_t vxe_voxelyze_search(const vxe_model *model, const vxe_kernel_arrays *arrays, int axis,
                             uint32_t vector, bool remembers)
{
    double discarded[12][VXE_VECTOR] = {{0}};
    vxe_bond_target target = {.contiguous = true, .contiguous_first = vector, .probe = !remembers};
    for (int c = 0; c < 6; c++) {
        target.lower_force[c] = vxe_reals_of_doubles(model->precision, discarded[c]);
        target.upper_force[c] = vxe_reals_of_doubles(model->precision, discarded[c + 6]);
    }
    VXE_ASSERT(axis >= 0 && axis < 3 && model->voxelyze->law < VXE_VOXELYZE_LAWS);
    VXE_ASSERT(vector < vxe_voxelyze_lanes_of(arrays, axis).vectors);
    const vxe_kernels *kernels = model->kernels;
    const vxe_voxelyze_law law = model->voxelyze->law;
    return arrays->packed[axis].count > 0
               ? vxe_voxelyze_packed_kernels_of(kernels)->run[law][axis](arrays, &target, 0)
               : vxe_voxelyze_kernels_of(kernels)->run[law][axis](arrays, &target, vector,
                                                                  vector + 1);
}

/* Whether the bond in a lane of a vector joins a slot. */
static bool is_of(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, uint32_t lane,
                  uint32_t slot)
{
    vxe_voxelyze_ends ends;
    return vxe_voxelyze_ends_of(arrays, axis, vector, lane, &ends) &&
           (ends.lower == slot || ends.upper == slot);
}

/* Resets the history of the bonds of a slot in a vector to their present pose. The law is run
 * twice, since the first run may change the mode and then writes the mode only. */
static void remember_again(const vxe_workspace *workspace, int axis, uint32_t vector,
                           uint32_t width, uint32_t slot)
{
    double *now =
        workspace->state->voxelyze->bonds[axis] + (uint64_t)vector * VXE_VOXELYZE_MEMORY * width;
    VXE_ASSERT(width <= VXE_VECTOR);
    double before[VXE_VOXELYZE_MEMORY * VXE_VECTOR];
    memcpy(before, now, VXE_VOXELYZE_MEMORY * width * sizeof *now);
    vxe_voxelyze_search(workspace->model, &workspace->arrays, axis, vector, true);
    vxe_voxelyze_search(workspace->model, &workspace->arrays, axis, vector, true);
    for (uint32_t lane = 0; lane < width; lane++) {
        const bool own = is_of(&workspace->arrays, axis, vector, lane, slot);
        for (uint32_t i = lane; i < VXE_VOXELYZE_MEMORY * width && !own; i += width) {
            now[i] = before[i];
        }
    }
}

void vxe_voxelyze_placed(vxe_workspace *workspace, uint32_t slot)
{
    if (!workspace->voxelyze) {
        return;
    }
    VXE_ASSERT(slot < workspace->model->topology.voxel_count);
    workspace->state->voxelyze->listed = false;
    for (int axis = 0; axis < 3; axis++) {
        const vxe_voxelyze_lanes lanes = vxe_voxelyze_lanes_of(&workspace->arrays, axis);
        for (uint32_t vector = 0; vector < lanes.vectors; vector++) {
            bool own = false;
            for (uint32_t lane = 0; lane < lanes.width; lane++) {
                own = own || is_of(&workspace->arrays, axis, vector, lane, slot);
            }
            if (own) {
                remember_again(workspace, axis, vector, lanes.width, slot);
            }
        }
    }
}

VXE_KERNELS_IN_DOUBLE(vxe_voxelyze_kernels)

VXE_KERNELS_IN_DOUBLE(vxe_voxelyze_packed_kernels)

VXE_KERNELS_IN_DOUBLE(vxe_fluid_mesh_kernels)
