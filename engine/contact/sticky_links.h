/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Voxels that stick to each other.

   Where two voxels of one sticky material touch, a link holds them in the pose that they have then.
   With p_i = R_i a_i, the place in which voxels i touched, seen from their centres,
       U = k s/2 (|d|^2 + a^2/12 |phi|^2),   d = x_2 + p_2 - x_1 - p_1,
   phi being twice the vector part of the quaternion by which they have turned since, and s the part
   of a face that they shared: over a wall the links add up to what a bond would be (a face that
   bends on a spring k/a^2 has a^2/12 of it). k and the dashpots c are the contact's, c acts on d
   and a^2/12 c on phi, softer than an implicit step of the pair alone has it. The contact's own push
   acts beside. A link lets go where k s |d|, without what presses the voxels together, is above the
   weaker voxel's detach stress times s a^2, and is made anew where the voxels come to share more of
   a face; what it held is dissipated then. Forces are the gradient of U: momentum and angular
   momentum are kept. Links are few, and are computed in double, one by one, by one thread. */
/* clang-format on */
#ifndef VXE_ENGINE_CONTACT_STICKY_LINKS_H
#define VXE_ENGINE_CONTACT_STICKY_LINKS_H

#include "engine/solver/measure.h"

/* What a link does in the bound state's poses at the rates of state `rates`, in a kick of h s. */
vxe_contact_sample vxe_sticky_link_measure(const vxe_workspace *workspace,
                                           const vxe_sticky_link *link, const vxe_state *rates,
                                           double h);

/* Links the sticky voxels that touch by the step's lists, lets those go that are pulled too hard,
 * and adds the loads of the others. */
void vxe_workspace_stick(const vxe_workspace *workspace, double h);

#endif
