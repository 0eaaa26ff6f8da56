/* SPDX-License-Identifier: MIT */
/* Stiffness that changes in time, from the first one to the layer FinalStiffness: coefficients
   of bonds and voxels at both ends, between which a run interpolates linearly. The model itself
   has the largest stiffness of both ends. As every coefficient lies between those of the ends,
   the time step holds for everything between them (docs/physics.md, Actuation and growth). */
#include <math.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/model.h"
#include "engine/model/modulus.h"

/* The model's arrays that follow the stiffness: springs of faces, dashpots, drag and drag of
   spins. */
static const double *array_of(const vxe_model *model, int which)
{
    VXE_ASSERT(which >= 0 && which < VXE_STIFFENING_ARRAYS);
    const vxe_kernel_arrays *a = &model->arrays;
    const vxe_reals *arrays[VXE_STIFFENING_ARRAYS] = {
        a->floor_stiffness ? a->floor_stiffness : a->contact_stiffness,
        a->floor_dashpot ? a->floor_dashpot : a->contact_dashpot, a->drag, a->spin_drag};
    return arrays[which];
}

/* Springs are proportional to the modulus, dashpots and drag to its root. */
static void fill_array(const vxe_model *model, const vxe_design *design, int which,
                       vxe_stiffness_stage stage, double *values)
{
    vxe_moduli here = vxe_moduli_of(design);
    const vxe_moduli max = here;
    here.stage = stage;
    const double *from = array_of(model, which);
    for (uint32_t slot = 0; slot < model->slots; slot++) {
        const uint32_t voxel = model->topology.order[slot < model->topology.voxel_count ? slot : 0];
        const double all = vxe_voxel_modulus(&max, voxel);
        const double part = all > 0 ? vxe_voxel_modulus(&here, voxel) / all : 0;
        VXE_ASSERT(part >= 0 && part <= 1);
        values[slot] = from[slot] * (which == 0 ? part : sqrt(part));
    }
}

vxe_status vxe_model_fill_stiffening(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    vxe_stiffening *s = model->stiffening;
    if (!s) {
        return VXE_OK;
    }
    if (model->poisson || model->yield.law_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "stiffness that changes in time needs linear materials and no volume "
                              "effects");
    }
    for (int which = 0; which < VXE_STIFFENING_ARRAYS; which++) {
        for (int end = 0; end < 2 && array_of(model, which); end++) {
            double *values = vxe_memory_take(model->slots, sizeof *values);
            if (!values) {
                return vxe_error_memory(error, 8ull * model->slots);
            }
            s->voxel[which][end] = values;
            fill_array(model, design, which, end == 0 ? VXE_STIFFNESS_FIRST : VXE_STIFFNESS_LAST,
                       values);
        }
    }
    return vxe_time_table_copy(&s->course, design->stiffening, design->stiffening_count, error);
}

vxe_status vxe_stiffening_narrow(vxe_stiffening *s, uint64_t slots, uint64_t row_values,
                                 vxe_error *error)
{
    for (int i = 0; s && i < 2 * (VXE_STIFFENING_ARRAYS + 1); i++) {
        const bool rows = i / 2 == VXE_STIFFENING_ARRAYS;
        vxe_reals **array = rows ? &s->rows[i % 2] : &s->voxel[i / 2][i % 2];
        const uint64_t count = rows ? row_values : slots;
        if (*array) {
            float *narrow = vxe_model_narrowed(*array, count);
            if (!narrow) {
                return vxe_error_memory(error, 4 * count);
            }
            vxe_memory_release(*array);
            *array = narrow;
        }
    }
    return VXE_OK;
}

void vxe_stiffening_release(vxe_stiffening *s)
{
    if (s) {
        vxe_time_table_clear(&s->course);
        for (int end = 0; end < 2; end++) {
            vxe_memory_release(s->rows[end]);
            for (int which = 0; which < VXE_STIFFENING_ARRAYS; which++) {
                vxe_memory_release(s->voxel[which][end]);
            }
        }
    }
    vxe_memory_release(s);
}
