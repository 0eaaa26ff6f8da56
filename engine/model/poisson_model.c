/* SPDX-License-Identifier: MIT */
/* Poisson's ratio of a model: the coupling of the strains of a voxel's axes (docs/physics.md,
   Poisson's ratio). */
#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "engine/model/model.h"
#include "engine/model/modulus.h"

bool vxe_design_has_poisson(const vxe_design *design)
{
    bool any = false;
    for (uint32_t v = 0; v < design->voxel_count && design->volume_effects && !any; v++) {
        any = design->materials[design->voxels[v].material].poissons_ratio != 0;
    }
    return any;
}

vxe_poisson_law vxe_model_poisson_law(const vxe_model *model, const vxe_design *design,
                                      uint32_t slot)
{
    VXE_ASSERT(model->clamped_faces && slot < model->topology.voxel_count);
    const vxe_moduli moduli = vxe_moduli_of(design);
    const uint32_t voxel = model->topology.order[slot];
    const uint32_t faces = model->topology.faces[slot];
    uint32_t bonds[3];
    uint32_t open[3];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t missing = (faces >> 2 * axis & 1) + (faces >> (2 * axis + 1) & 1);
        const bool is_plane = (model->clamped_faces[slot] & VXE_CLAMPED_PLANE << axis) != 0;
        const bool is_cut = model->clamped_faces[slot] >> axis & 1;
        bonds[axis] = is_plane ? 2 : 2 - missing; /* a held plane counts as bonds without strain */
        open[axis] = is_plane || is_cut ? 0 : missing;
    }
    return vxe_poisson_law_of(vxe_voxel_modulus(&moduli, voxel),
                              design->materials[design->voxels[voxel].material].poissons_ratio,
                              bonds, open);
}

vxe_status vxe_model_fill_poisson(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const double half_section = 0.5 * model->edge * model->edge;
    for (int axis = 0; axis < 3 && model->poisson; axis++) {
        double *coupling = vxe_model_array(model);
        if (!coupling) {
            return vxe_error_memory(error, 8ull * model->slots);
        }
        for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
            coupling[slot] = half_section * vxe_model_poisson_law(model, design, slot).couple[axis];
        }
        model->arrays.poisson_coupling[axis] = coupling;
    }
    return VXE_OK;
}
