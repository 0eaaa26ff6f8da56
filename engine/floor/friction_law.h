/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Static and dynamic Coulomb friction of a voxel on the floor, as the impulse of a step, which is safe
   at any step (docs/physics.md, Friction; Hiller2014 for the two states). One lane of a vector loop,
   shared by single bodies, robots in lanes and level and uneven floors.

   The engine has six friction rules; no two compute the same:
     impulse       here: floors; remembers whether a voxel holds
     shear spring  contact/penalty_law.h (friction_of): two voxels; remembers the spring's length
     shear spring  contact_models/shear_spring.c (vxe_contact_slide): contact models of particles;
                   remembers the spring's force
     capped drag   contact_models/power_law_kernels.c (add_losses): the power law, thus cubes on a
                   plane, and affine bodies with walls and each other
     held spring   affine/affine_voxels.c (add_friction): a voxel on an affine body; remembers the
                   spring's force and whether it slips
     hold          voxelyze/voxelyze_kernels.c (friction_of): floors of the Voxelyze family, as there */
/* clang-format on */
#ifndef VXE_ENGINE_FLOOR_FRICTION_LAW_H
#define VXE_ENGINE_FLOOR_FRICTION_LAW_H

#include "engine/core/real.h"

typedef struct vxe_slide {
    vxe_real factor; /* on the tangential velocity */
    vxe_real stuck;
} vxe_slide;

/* Coulomb's law as an impulse. A voxel holds if it held before or was slow enough for dynamic
   friction to stop it within the step (the halting threshold mu_d F_n dt/m), and if both its
   momentum and the impulse of the other tangential forces are within mu_s F_n dt. before:
   velocity before the kick. */
VXE_INLINE vxe_slide friction_slide(vxe_real impulse, vxe_real mass, vxe_real mu_s, vxe_real mu_d,
                                    vxe_real vx, vxe_real vy, vxe_real before_x, vxe_real before_y,
                                    vxe_real stuck)
{
    /* nested choices: compilers vectorise these, but not every mix of conditions */
    const vxe_real normal = impulse > 0 ? impulse : R(0);
    const vxe_real holds = mu_s * normal;
    const vxe_real slides = mu_d * normal;
    const vxe_real px = mass * vx;
    const vxe_real py = mass * vy;
    const vxe_real ox = mass * before_x;
    const vxe_real oy = mass * before_y;
    const vxe_real p2 = vxe_fma(px, px, py * py);
    const vxe_real o2 = vxe_fma(ox, ox, oy * oy);
    const vxe_real jx = px - ox;
    const vxe_real jy = py - oy;
    const vxe_real j2 = vxe_fma(jx, jx, jy * jy);
    const vxe_real slow = o2 <= slides * slides ? R(1) : stuck;
    const vxe_real max = p2 > j2 ? p2 : j2;
    const vxe_real held = max <= holds * holds ? slow : R(0);
    const vxe_real sticks = normal > 0 ? held : R(0);
    const vxe_real p = vxe_root(p2);
    const vxe_real left = slides < p ? 1 - slides / p : R(0);
    const vxe_real sliding = normal > 0 ? left : R(1);
    return (vxe_slide){sticks > 0 ? R(0) : sliding, sticks};
}

#endif
