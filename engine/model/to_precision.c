/* SPDX-License-Identifier: MIT */
/* Conversion of a model to the precision of a run. A model is compiled in double; with mixed
   precision it then keeps only floats. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/model.h"

float *vxe_model_narrowed(const double *from, uint64_t count)
{
    VXE_ASSERT(from || count == 0);
    float *to = vxe_memory_take(count, sizeof *to);
    for (uint64_t i = 0; i < count && to; i++) {
        to[i] = (float)from[i];
    }
    return to;
}

/* Points every field that pointed at the old array at the new one. */
static void replace(vxe_kernel_arrays *a, const vxe_reals *old, const vxe_reals *new)
{
    const vxe_reals **fields[] = {&a->mass,
                                  &a->inverse_mass[0],
                                  &a->inverse_mass[1],
                                  &a->inverse_mass[2],
                                  &a->inverse_inertia[0],
                                  &a->inverse_inertia[1],
                                  &a->inverse_inertia[2],
                                  &a->gyration,
                                  &a->edge_growth_sine,
                                  &a->edge_growth_cosine,
                                  &a->load[0],
                                  &a->load[1],
                                  &a->load[2],
                                  &a->load[3],
                                  &a->load[4],
                                  &a->load[5],
                                  &a->drag,
                                  &a->spin_drag,
                                  &a->floor_stiffness,
                                  &a->floor_dashpot,
                                  &a->floor_friction[0],
                                  &a->floor_friction[1],
                                  &a->poisson_coupling[0],
                                  &a->poisson_coupling[1],
                                  &a->poisson_coupling[2],
                                  &a->contact_stiffness,
                                  &a->contact_dashpot,
                                  &a->static_friction,
                                  &a->dynamic_friction,
                                  &a->faces};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        *fields[i] = *fields[i] == old ? new : *fields[i];
    }
    for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
        a->size[c] = a->size[c] == old ? new : a->size[c];
    }
}

vxe_status vxe_model_narrow(vxe_model *model, vxe_precision precision, vxe_error *error)
{
    VXE_ASSERT(model->precision == VXE_PRECISION_DOUBLE);
    if (precision == VXE_PRECISION_DOUBLE) {
        return VXE_OK;
    }
    for (uint32_t i = 0; i < model->voxel_arrays; i++) {
        vxe_reals *old = model->voxel[i];
        vxe_reals *new = vxe_model_narrowed(old, model->slots);
        if (!new) {
            return vxe_error_memory(error, 4ull * model->slots);
        }
        replace(&model->arrays, old, new);
        vxe_memory_release(old);
        model->voxel[i] = new;
    }
    const uint64_t values = (uint64_t)model->row_count * model->arrays.row_values * VXE_VECTOR;
    float *rows = vxe_model_narrowed(model->rows, values);
    if (!rows) {
        return vxe_error_memory(error, 4 * values);
    }
    vxe_memory_release(model->rows);
    model->rows = rows;
    model->arrays.rows = rows;
    model->precision = precision;
    return vxe_stiffening_narrow(model->stiffening, model->slots, values, error);
}
