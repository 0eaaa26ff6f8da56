/* SPDX-License-Identifier: MIT */
/* A voxel's numbers in a state as the vectors of the laws, in double, for code that measures
   from outside the kernels. */
#ifndef VXE_ENGINE_CORE_STATE_VEC_H
#define VXE_ENGINE_CORE_STATE_VEC_H

#include "engine/core/state.h"
#include "engine/core/vec.h"

static inline vxe_vec3 vxe_vec_position(const vxe_state *s, uint32_t slot)
{
    return (vxe_vec3){vxe_state_position(s, 0, slot), vxe_state_position(s, 1, slot),
                      vxe_state_position(s, 2, slot)};
}

static inline vxe_quat vxe_vec_orientation(const vxe_state *s, uint32_t slot)
{
    return (vxe_quat){vxe_state_orientation(s, 0, slot), vxe_state_orientation(s, 1, slot),
                      vxe_state_orientation(s, 2, slot), vxe_state_orientation(s, 3, slot)};
}

static inline vxe_vec3 vxe_vec_velocity(const vxe_state *s, uint32_t slot)
{
    return (vxe_vec3){vxe_state_velocity(s, 0, slot), vxe_state_velocity(s, 1, slot),
                      vxe_state_velocity(s, 2, slot)};
}

static inline vxe_vec3 vxe_vec_spin(const vxe_state *s, uint32_t slot)
{
    return (vxe_vec3){vxe_state_spin(s, 0, slot), vxe_state_spin(s, 1, slot),
                      vxe_state_spin(s, 2, slot)};
}

/* Whether a voxel's quaternion has unit length, for checks after a drift of step seconds. True as
   well where the voxel rotates so fast that the rotation law does not hold, or its length is far
   off: such a run diverges. */
static inline bool vxe_vec_is_unit(const vxe_state *s, uint32_t slot, double step)
{
    const vxe_quat q = vxe_vec_orientation(s, slot);
    const vxe_vec3 w = vxe_vec_spin(s, slot);
    const double off = fabs((double)(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) - 1);
    return !(0.25 * step * step * (double)vec_dot(w, w) < 0.5) || !(off > 2e-3 && off < 0.5);
}

static inline void vxe_vec_put(double out[3], vxe_vec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

#endif
