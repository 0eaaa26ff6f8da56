/* SPDX-License-Identifier: MIT */
/* Six arrays side by side, and the sums of a sweep over chunks that slide along with it. */
#ifndef VXE_ENGINE_CORE_ACCUMULATORS_H
#define VXE_ENGINE_CORE_ACCUMULATORS_H

#include "common/status.h"
#include "engine/core/arrays.h"

/* Six zeroed arrays of size numbers of so many bytes, in one block that the caller releases. */
vxe_status vxe_six_take(uint64_t size, uint32_t bytes, void **block, vxe_reals *six[6],
                        vxe_error *error);

/* Room for the sums of the upper voxels of chunks whose bonds reach up that far, in slots: what
   slides is moved once in a while. Never more than a body's. */
uint32_t vxe_sums_capacity(uint32_t reach, uint32_t slots);

/* Moves the sums for upper voxels to the front where those of the chunk from slot first on would
   reach beyond the room. */
void vxe_sums_slide(vxe_bond_target *sums, uint32_t first, uint32_t reach, uint32_t capacity,
                    uint32_t slots, uint32_t bytes);

#endif
