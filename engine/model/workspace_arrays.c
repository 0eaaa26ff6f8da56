/* SPDX-License-Identifier: MIT */
/* The arrays that a workspace owns: a list that grows, so that any force can take what it needs. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "engine/model/workspace.h"

/* Growth of the list's capacity, in arrays. */
#define MORE_ARRAYS 32u

vxe_reals *vxe_workspace_take_numbers(vxe_workspace *workspace, uint64_t count)
{
    VXE_ASSERT(workspace->model && workspace->array_count <= workspace->array_capacity);
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
