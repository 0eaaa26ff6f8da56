/* SPDX-License-Identifier: MIT */
/* Takes a frame from a world. This stands in a file of its own so that programs that only read
   records need not link the engine. */
#include "common/assert_internal.h"
#include "output/record/frame.h"

void vxe_frame_take(vxe_frame *frame, const vxe_world *world)
{
    VXE_ASSERT(frame->voxels == vxe_world_describe(world).voxels &&
               frame->bodies == vxe_world_describe(world).affine);
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
