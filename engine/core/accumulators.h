/* SPDX-License-Identifier: MIT */
/* Six arrays side by side, and the force accumulators of a pass over chunks, whose window slides
   along with the pass. */
#ifndef VXE_ENGINE_CORE_ACCUMULATORS_H
#define VXE_ENGINE_CORE_ACCUMULATORS_H

#include "common/status.h"
#include "engine/core/arrays.h"

/* Takes six zeroed arrays of `size` numbers of `bytes` bytes, in one block that the caller
   releases. */
vxe_status vxe_six_take(uint64_t size, uint32_t bytes, void **block, vxe_reals *six[6],
                        vxe_error *error);

/* Capacity, in slots, of the upper force accumulators of a pass over chunks whose bonds reach up
   by `reach` slots. It is larger than that reach, so that the window is moved only once in a
   while, and never larger than the body. */
uint32_t vxe_sums_capacity(uint32_t reach, uint32_t slots);

/* Moves the upper force accumulators to the start of their window where those of the chunk that
   begins at slot `first` would exceed the capacity. */
void vxe_sums_slide(vxe_bond_target *sums, uint32_t first, uint32_t reach, uint32_t capacity,
                    uint32_t slots, uint32_t bytes);

#endif
