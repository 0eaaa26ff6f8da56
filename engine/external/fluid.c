/* SPDX-License-Identifier: MIT */
/* Compiles the fluid of a design into the arrays that the kernels read. The force itself is inlined
   in the kick (voxels/voxel_law.h), since it needs each voxel's velocity only. */
#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "engine/external/external.h"

vxe_status vxe_model_fill_fluid(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    if (!design->fluid.enabled) {
        return VXE_OK;
    }
    VXE_ASSERT(model->topology.voxel_count <= model->slots);
    double *faces = vxe_model_array(model);
    if (!faces) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        VXE_ASSERT(model->topology.faces[slot] < 1u << 6);
        faces[slot] = model->topology.faces[slot];
    }
    model->arrays.faces = vxe_reals_of_doubles(model->precision, faces);
    model->arrays.fluid_drag = 0.5 * design->fluid.density * design->fluid.drag_coefficient;
    model->arrays.fluid_lift = design->fluid.buoyancy ? design->fluid.density : 0;
    return VXE_OK;
}
