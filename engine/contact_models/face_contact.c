/* SPDX-License-Identifier: MIT */
/* Two cubes that touch by their faces: geometry and potential of self-collision
   (contact/penalty_law.h; docs/physics.md, Self-collision) with the spring of a contact model in
   place of the material's. */
#include "common/assert_internal.h"
#include "engine/contact/penalty_law.h"
#include "engine/contact_models/contact_models.h"
#include "engine/core/state_vec.h"
#include "engine/model/workspace.h"

bool vxe_particles_are_boxes(const vxe_workspace *workspace, const vxe_particle_contact *contact)
{
    const uint8_t *round = workspace->model->particles->round;
    return contact->pair->numbers.kind == VXE_CONTACT_LINEAR &&
           contact->pair->numbers.number[VXE_LINEAR_BOX] > 0 && !round[contact->particle[0]] &&
           (contact->particle[1] == VXE_NONE || !round[contact->particle[1]]);
}

void vxe_particles_box_geometry(const vxe_workspace *workspace, const uint32_t particle[2],
                                vxe_contact_geometry *m, vxe_particle_faces *faces)
{
    const vxe_particles *particles = workspace->model->particles;
    VXE_ASSERT(particle[0] < particles->count && particle[1] < particles->count);
    VXE_ASSERT(!(m->radius[0] + m->radius[1] <= 0));
    const vxe_state *state = workspace->state;
    const uint32_t slot[2] = {particles->slot[particle[0]], particles->slot[particle[1]]};
    const vxe_vec3 r = vec_sub(vxe_vec_position(state, slot[1]), vxe_vec_position(state, slot[0]));
    const double length = m->radius[0] + m->radius[1];
    const vxe_quat q[2] = {vxe_vec_orientation(state, slot[0]),
                           vxe_vec_orientation(state, slot[1])};
    const vxe_face_place at_first =
        place_at_faces(q[0], particles->faces[particle[0]], r, length, 1 / length);
    const vxe_face_place at_second =
        place_at_faces(q[1], particles->faces[particle[1]], vec_scaled(-1, r), length, 1 / length);
    const vxe_face_push first = push_at_present(q[0], &at_first, 0);
    const vxe_face_push second = push_at_present(q[1], &at_second, 0);
    const vxe_vec3 part[2] = {vec_scaled(0.5, first.force), vec_scaled(-0.5, second.force)};
    const vxe_vec3 whole = vec_add(part[0], part[1]);
    const double depth = sqrt(vec_dot(whole, whole));
    m->gap = depth > 0 ? -depth : HUGE_VAL;
    if (depth > 0) {
        vxe_vec_put(m->n, vec_scaled(1 / depth, whole));
    }
    vxe_vec_put(m->arm[0], vec_scaled(0.5, r));
    vxe_vec_put(m->arm[1], vec_scaled(-0.5, r));
    faces->energy = 0.5 * (first.energy + second.energy);
    for (int end = 0; end < 2; end++) { /* moment minus that of the whole force at the middle */
        vxe_vec_put(faces->couple[end], vec_cross(vec_add_scaled(part[end], -0.5, whole), r));
    }
}
