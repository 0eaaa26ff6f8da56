/* SPDX-License-Identifier: MIT */
/* The arrays that a workspace owns: a list that grows, so that any force can take what it needs. */
#include "common/memory.h"
#include "engine/model/workspace.h"

/* Arrays that the list of them gets room for at a time. */
#define MORE_ARRAYS 32u

/* An array of so many numbers; null if there is no memory. */
vxe_reals *vxe_workspace_take_numbers(vxe_workspace *workspace, uint64_t count)
{
    const uint32_t capacity = workspace->array_capacity;
    if (workspace->array_count == capacity) {
        vxe_reals **more =
            vxe_memory_grow(workspace->array, capacity, capacity + MORE_ARRAYS, sizeof *more);
        if (!more) {
            return NULL;
        }
        workspace->array = more;
        workspace->array_capacity = capacity + MORE_ARRAYS;
    }
    vxe_reals *array = vxe_memory_take(count, vxe_real_bytes(workspace->model->precision));
    if (array) {
        workspace->array[workspace->array_count++] = array;
    }
    return array;
}

vxe_reals *vxe_workspace_take(vxe_workspace *workspace)
{
    return vxe_workspace_take_numbers(workspace, workspace->model->slots);
}
