/* SPDX-License-Identifier: MIT */
#include "engine/state_internal.h"

#include <string.h>

#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

#define COMPONENTS(name, components, unit) +(components)
enum { ARRAYS = 0 VXE_STATE_FIELDS(COMPONENTS) };

vxe_status vxe_state_init(vxe_state *state, uint32_t slots, vxe_error *error)
{
    /* arrays start on cache lines, and are set apart so that equal slots do not share a cache set
     */
    const uint64_t stride = ((uint64_t)slots + 7) / 8 * 8 + 8;
    *state = (vxe_state){.slots = slots};
    state->block = vxe_memory_take(ARRAYS * stride, sizeof *state->block);
    if (!state->block) {
        return vxe_error_memory(error, ARRAYS * stride * sizeof *state->block);
    }
    double *next = state->block;
#define PLACE(name, components, unit)                                                              \
    for (int c = 0; c < (components); c++) {                                                       \
        state->name[c] = next;                                                                     \
        next += stride;                                                                            \
    }
    VXE_STATE_FIELDS(PLACE)
#undef PLACE
    for (uint32_t i = 0; i < slots; i++) {
        state->q[0][i] = 1;
    }
    return VXE_OK;
}

void vxe_state_clear(vxe_state *state)
{
    vxe_memory_release(state->block);
    *state = (vxe_state){0};
}

void vxe_state_copy(vxe_state *to, const vxe_state *from)
{
    const size_t bytes = from->slots * sizeof(double);
#define COPY(name, components, unit)                                                               \
    for (int c = 0; c < (components); c++) {                                                       \
        memcpy(to->name[c], from->name[c], bytes);                                                 \
    }
    VXE_STATE_FIELDS(COPY)
#undef COPY
    to->step = from->step;
    to->base_step = from->base_step;
    to->base_time = from->base_time;
    to->time_step = from->time_step;
}

double vxe_state_time(const vxe_state *state)
{
    return vxe_state_time_at(state, state->step);
}

double vxe_state_time_at(const vxe_state *state, uint64_t step)
{
    return state->base_time + (double)(step - state->base_step) * state->time_step;
}

uint64_t vxe_state_hash(const vxe_state *state, const uint32_t *order, uint32_t voxels)
{
    vxe_hash hash = {0};
    for (uint32_t v = 0; v < voxels; v++) {
        const uint32_t i = order[v];
#define HASH(name, components, unit)                                                               \
    for (int c = 0; c < (components); c++) {                                                       \
        vxe_hash_double(&hash, state->name[c][i]);                                                 \
    }
        VXE_STATE_FIELDS(HASH)
#undef HASH
    }
    vxe_hash_word(&hash, state->step);
    return vxe_hash_end(&hash);
}
