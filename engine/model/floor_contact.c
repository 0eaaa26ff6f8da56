/* SPDX-License-Identifier: MIT */
/* Contact of a voxel with the floor, level or not, in double: a plain version that kernels are
   checked against. */
#include <math.h>

#include "common/assert_internal.h"
#include "engine/core/state_vec.h"
#include "engine/floor/terrain_law.h"
#include "engine/model/workspace.h"

/* Half of a voxel's edge (m). */
static double half_edge(const vxe_workspace *workspace, uint32_t slot)
{
    return 0.5 * (workspace->arrays.edge +
                  vxe_real_at(workspace->model->precision, workspace->arrays.edge_growth, slot));
}

static vxe_terrain_place terrain_place_of(const vxe_workspace *workspace, uint32_t slot)
{
    const vxe_terrain *terrain = workspace->model->terrain;
    const vxe_vec3 at = vxe_vec_position(workspace->state, slot);
    return (vxe_terrain_place){terrain->number,           1, terrain->points, at.x, at.y, at.z,
                               half_edge(workspace, slot)};
}

vxe_floor_contact vxe_floor_contact_of(const vxe_workspace *workspace, uint32_t slot)
{
    VXE_ASSERT(slot < workspace->model->slots && workspace->arrays.floor_stiffness);
    vxe_floor_contact floor_contact = {
        workspace->arrays.floor_height + half_edge(workspace, slot) -
            vxe_vec_position(workspace->state, slot).z,
        {0, 0, 1},
        vxe_real_at(workspace->model->precision, workspace->arrays.floor_stiffness, slot)};
    if (workspace->model->terrain) {
        const vxe_terrain_place place = terrain_place_of(workspace, slot);
        const vxe_touch touch = terrain_touch(&place);
        floor_contact.depth = touch.depth;
        floor_contact.stiffness *= touch.gain;
        vxe_vec_put(floor_contact.normal, touch.normal);
    }
    return floor_contact;
}

double vxe_floor_energy_of(const vxe_workspace *workspace, uint32_t slot, const double move[3])
{
    VXE_ASSERT(slot < workspace->model->slots && workspace->arrays.floor_stiffness);
    const double stiffness =
        vxe_real_at(workspace->model->precision, workspace->arrays.floor_stiffness, slot);
    if (workspace->model->terrain) {
        const vxe_terrain_place place = terrain_place_of(workspace, slot);
        const vxe_terrain_place moved =
            terrain_moved(&place, (vxe_vec3){move[0], move[1], move[2]}, 1);
        return 0.5 * stiffness * fmax(terrain_held(&moved), 0);
    }
    const double depth = fmax(vxe_floor_contact_of(workspace, slot).depth - move[2], 0);
    return 0.5 * stiffness * depth * depth;
}
