/* SPDX-License-Identifier: MIT */
/* Six arrays in one block, and the sliding window of the upper force accumulators. A pass adds
   to upper voxels at most one plane of voxels above the chunk, so only a window of that length
   is kept; it is moved rarely, because a move copies what is still live. */
#include "engine/core/accumulators.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Smallest number of slots that a window advances before it is moved. */
#define SLIDE_SLOTS 4096u

vxe_status vxe_six_take(uint64_t size, uint32_t bytes, void **block, vxe_reals *six[6],
                        vxe_error *error)
{
    VXE_ASSERT(block && six && (bytes == sizeof(float) || bytes == sizeof(double)));
    char *next = vxe_memory_take(6 * size, bytes);
    if (!next) {
        return vxe_error_memory(error, 6 * size * bytes);
    }
    *block = next;
    for (uint64_t c = 0; c < 6; c++) {
        six[c] = next + c * size * bytes;
    }
    return VXE_OK;
}

uint32_t vxe_sums_capacity(uint32_t reach, uint32_t slots)
{
    const uint64_t capacity = 2ull * reach + SLIDE_SLOTS;
    return capacity < slots ? (uint32_t)capacity : slots;
}

void vxe_sums_slide(vxe_bond_target *sums, uint32_t first, uint32_t reach, uint32_t capacity,
                    uint32_t slots, uint32_t bytes)
{
    VXE_ASSERT(first >= sums->upper_first && capacity <= slots);
    const uint64_t passed = first - sums->upper_first;
    if (passed + reach <= capacity || capacity == slots) {
        return;
    }
    const uint64_t live = capacity - passed;
    VXE_ASSERT(passed <= capacity);
    for (int c = 0; c < 6; c++) {
        char *upper_force = sums->upper_force[c];
        memmove(upper_force, upper_force + passed * bytes, live * bytes);
        memset(upper_force + live * bytes, 0, passed * bytes);
    }
    sums->upper_first = first;
}
