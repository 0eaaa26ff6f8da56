/* SPDX-License-Identifier: MIT */
/* Contact of a voxel with the floor, level or not, in double: a plain version that kernels are
   checked against. */
#include "common/assert_internal.h"
#include "engine/core/state_vec.h"
#include "engine/floor/terrain_law.h"
#include "engine/model/workspace.h"

vxe_floor_contact vxe_floor_contact_of(const vxe_workspace *workspace, uint32_t slot)
{
    VXE_ASSERT(slot < workspace->model->slots && workspace->arrays.floor_stiffness);
    const vxe_terrain *terrain = workspace->model->terrain;
    const vxe_vec3 at = vxe_vec_position(workspace->state, slot);
    const double half =
        0.5 * (workspace->arrays.edge +
               vxe_real_at(workspace->model->precision, workspace->arrays.edge_growth, slot));
    vxe_floor_contact floor_contact = {
        workspace->arrays.floor_height + half - at.z,
        {0, 0, 1},
        vxe_real_at(workspace->model->precision, workspace->arrays.floor_stiffness, slot)};
    if (terrain) {
        const vxe_touch touch =
            terrain_touch(terrain->number, 1, terrain->points, at.x, at.y, at.z, half);
        floor_contact.depth = touch.depth;
        floor_contact.stiffness *= touch.gain;
        vxe_vec_put(floor_contact.normal, touch.normal);
    }
    return floor_contact;
}
