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
    vxe_real factor; /* on the tangential velocity that a voxel would have without friction */
    vxe_real stuck;
} vxe_slide;

/* Coulomb's law as an impulse. A voxel that slides goes on, slowed by dynamic friction, or stops
   where that is enough to stop it within the step, and then holds; it holds as long as static
   friction can. Nothing here asks how slow is slow: that would depend on the step. vx, vy: m/s, as
   without friction. bond_pull: 0, or behind damping iterations in which a voxel that holds was at
   rest the part h c/(2 m) of the dashpots c of its bonds. They have pulled it as if it stayed where
   it is, and so a voxel that lets go takes only the part of its momentum that the midpoint rule
   gives it. */
VXE_INLINE vxe_slide friction_slide(vxe_real impulse, vxe_real mass, vxe_real mu_s, vxe_real mu_d,
                                    vxe_real bond_pull, vxe_real vx, vxe_real vy, vxe_real stuck)
{
    /* nested choices: compilers vectorise these, but not every mix of conditions */
    const vxe_real normal = impulse > 0 ? impulse : R(0);
    const vxe_real slides = mu_d * normal;
    const vxe_real p = mass * vxe_root(vxe_fma(vx, vx, vy * vy));
    const vxe_real max = stuck > 0 ? mu_s * normal : slides;
    const vxe_real held = p <= max ? R(1) : R(0);
    const vxe_real sticks = normal > 0 ? held : R(0);
    const vxe_real left = slides < p ? 1 - slides / p : R(0);
    const vxe_real lets_go = stuck > 0 ? left / (1 + bond_pull) : left;
    const vxe_real sliding = normal > 0 ? lets_go : R(1);
    return (vxe_slide){sticks > 0 ? R(0) : sliding, sticks};
}

/* Whether a voxel holds when a step begins: it held, or it is at rest where the floor pushes. */
VXE_INLINE vxe_real friction_rests(vxe_real impulse, vxe_real vx, vxe_real vy, vxe_real stuck)
{
    const vxe_real still = vxe_fma(vx, vx, vy * vy) > 0 ? stuck : R(1);
    return impulse > 0 ? still : stuck;
}

/* Damping iterations spread momentum over the body. Friction behind them alone would find a voxel
   that its neighbours drag along, and bonds whose dashpots pull less at a voxel on the floor, by
   a part that grows with the step. So it acts before them: on voxels that slide by the impulse that
   this returns, as a factor (kg) on the velocity, and voxels that hold are at rest in them. The
   rest comes behind them, by friction_slide. impulse: N s, an estimate. vx, vy: m/s, before the
   kick. No more is taken than stops a voxel whose neighbours pull it at its speed. */
VXE_INLINE vxe_real friction_predicted(vxe_real impulse, vxe_real mass, vxe_real mu_d,
                                       vxe_real bond_pull, vxe_real vx, vxe_real vy, vxe_real stuck)
{
    const vxe_real normal = impulse > 0 ? impulse : R(0);
    const vxe_real speed = vxe_root(vxe_fma(vx, vx, vy * vy));
    const vxe_real stops = mass * vxe_fma(2, bond_pull, 1);
    const vxe_real slides = mu_d * normal;
    const vxe_real slows = slides < stops * speed ? slides / speed : stops;
    const vxe_real pushed = normal > 0 ? -slows : R(0);
    return stuck > 0 ? R(0) : pushed;
}

#endif
