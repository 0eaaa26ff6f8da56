/* SPDX-License-Identifier: MIT */
/* What the fluid of a design needs of its bodies: which faces are free. */
#include "common/status_internal.h"
#include "engine/model_internal.h"

vxe_status vxe_model_fill_fluid(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    if (!design->fluid.enabled) {
        return VXE_OK;
    }
    double *faces = vxe_model_array(model);
    if (!faces) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        faces[slot] = 63; /* all six; each bond takes one of both its ends */
    }
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
            const uint32_t up = topology->up[axis][slot];
            if (up != VXE_NONE) {
                faces[slot] -= 1 << 2 * axis;
                faces[up] -= 2 << 2 * axis;
            }
        }
    }
    model->arrays.faces = faces;
    model->arrays.fluid_drag = 0.5 * design->fluid.density * design->fluid.drag_coefficient;
    model->arrays.fluid_lift = design->fluid.buoyancy ? design->fluid.density : 0;
    return VXE_OK;
}
