/* SPDX-License-Identifier: MIT */
/* Coefficients of a step where stiffness changes in time: interpolated between both ends, and
   kept in the workspace (model/stiffness_schedule.c). */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/solver/step.h"

static uint64_t values_of(const vxe_model *model)
{
    return (uint64_t)model->row_count * model->arrays.row_values * VXE_VECTOR;
}

vxe_status vxe_workspace_stiffening_init(vxe_workspace *workspace, vxe_error *error)
{
    const vxe_model *model = workspace->model;
    vxe_kernel_arrays *a = &workspace->arrays;
    if (!model->stiffening) {
        return VXE_OK;
    }
    workspace->stiffened = -1;
    workspace->rows = vxe_memory_take(values_of(model), vxe_real_bytes(model->precision));
    bool complete = workspace->rows != NULL;
    for (int which = 0; which < VXE_STIFFENING_ARRAYS && complete; which++) {
        if (model->stiffening->voxel[which][0]) {
            workspace->stiffness[which] = vxe_workspace_take(workspace);
            complete = workspace->stiffness[which] != NULL;
        }
    }
    if (!complete) {
        return vxe_error_memory(error, 8 * values_of(model) + 32ull * model->slots);
    }
    a->rows = workspace->rows;
    a->floor_stiffness = a->floor_stiffness ? workspace->stiffness[0] : NULL;
    a->contact_stiffness = a->contact_stiffness ? workspace->stiffness[0] : NULL;
    a->floor_dashpot = a->floor_dashpot ? workspace->stiffness[1] : NULL;
    a->contact_dashpot = a->contact_dashpot ? workspace->stiffness[1] : NULL;
    a->drag = workspace->stiffness[2];
    a->spin_drag = workspace->stiffness[3];
    return VXE_OK;
}

/* to = (1 - part) from[0] + part from[1] */
static void go_between(vxe_precision precision, vxe_reals *to, vxe_reals *const from[2],
                       uint64_t count, double part)
{
    VXE_ASSERT(to && from[0] && from[1]);
    for (uint64_t i = 0; i < count; i++) {
        const double first = vxe_real_at(precision, from[0], i);
        const double last = vxe_real_at(precision, from[1], i);
        vxe_real_put(precision, to, i, (1 - part) * first + part * last);
    }
}

void vxe_workspace_stiffen(vxe_workspace *workspace, double time)
{
    const vxe_model *model = workspace->model;
    const vxe_stiffening *s = model->stiffening;
    const double part = s ? vxe_time_table_at(&s->course, time) : 0;
    if (!s || part == workspace->stiffened) {
        return;
    }
    workspace->stiffened = part;
    go_between(model->precision, workspace->rows, s->rows, values_of(model), part);
    for (int which = 0; which < VXE_STIFFENING_ARRAYS; which++) {
        if (workspace->stiffness[which]) {
            go_between(model->precision, workspace->stiffness[which], s->voxel[which], model->slots,
                       part);
        }
    }
    vxe_workspace_set_decay(workspace, workspace->state->time_step);
}
