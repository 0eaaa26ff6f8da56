/* SPDX-License-Identifier: MIT */
/* Two cubes that touch by their faces: the geometry and the potential of contact_law_internal.h,
   for the springs of a law. */
#include "engine/contact/penalty_law.h"
#include "engine/contact_models/particles.h"
#include "engine/core/state_vec.h"
#include "engine/solver/step.h"

bool vxe_grains_are_boxes(const vxe_scratch *scratch, const vxe_grain_touch *touch)
{
    const uint8_t *round = scratch->model->grains->round;
    return touch->pair->numbers.kind == VXE_CONTACT_LINEAR &&
           touch->pair->numbers.number[VXE_LINEAR_BOX] > 0 && !round[touch->grain[0]] &&
           (touch->grain[1] == VXE_NONE || !round[touch->grain[1]]);
}

void vxe_grains_meet_boxes(const vxe_scratch *scratch, const uint32_t grain[2],
                           vxe_grain_meeting *m, vxe_grain_faces *faces)
{
    const vxe_grains *grains = scratch->model->grains;
    const vxe_state *state = scratch->state;
    const uint32_t slot[2] = {grains->slot[grain[0]], grains->slot[grain[1]]};
    const vxe_lane3 r =
        lane_sub(vxe_lane_position(state, slot[1]), vxe_lane_position(state, slot[0]));
    const double length = m->radius[0] + m->radius[1];
    const vxe_face_push first = push_of_faces(vxe_lane_orientation(state, slot[0]),
                                              grains->faces[grain[0]], r, length, 1 / length);
    const vxe_face_push second =
        push_of_faces(vxe_lane_orientation(state, slot[1]), grains->faces[grain[1]],
                      lane_scaled(-1, r), length, 1 / length);
    const vxe_lane3 part[2] = {lane_scaled(0.5, first.force), lane_scaled(-0.5, second.force)};
    const vxe_lane3 whole = lane_add(part[0], part[1]);
    const double depth = sqrt(lane_dot(whole, whole));
    m->gap = depth > 0 ? -depth : HUGE_VAL;
    if (depth > 0) {
        vxe_lane_put(m->n, lane_scaled(1 / depth, whole));
    }
    vxe_lane_put(m->arm[0], lane_scaled(0.5, r));
    vxe_lane_put(m->arm[1], lane_scaled(-0.5, r));
    faces->energy = 0.5 * (first.energy + second.energy);
    for (int end = 0; end < 2; end++) { /* beside that of the whole at the middle */
        vxe_lane_put(faces->couple[end], lane_cross(lane_add_scaled(part[end], -0.5, whole), r));
    }
}
