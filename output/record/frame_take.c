/* SPDX-License-Identifier: MIT */
/* Of worlds: what only reads records does without them. */
#include "output/record/frame.h"

void vxe_frame_take(vxe_frame *frame, const vxe_world *world)
{
    frame->step = vxe_world_steps(world);
    frame->time = vxe_world_time(world);
    vxe_world_poses(world, frame->position, frame->orientation);
    vxe_world_affine_poses(world, frame->place, frame->deformation);
    vxe_world_sense(world, &(vxe_sensors){.edge = frame->edge,
                                          .strain = frame->strain,
                                          .stress = frame->stress,
                                          .energy = frame->energy,
                                          .contact = frame->contact});
}
