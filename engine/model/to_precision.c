/* SPDX-License-Identifier: MIT */
/* Conversion of a model to the precision of a run. A model is compiled in double; with mixed
   precision it then keeps only floats. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/model.h"

vxe_reals *vxe_model_narrowed(const vxe_reals *from, uint64_t count)
{
    VXE_ASSERT(from || count == 0);
    vxe_reals *to = vxe_memory_take(count, vxe_real_bytes(VXE_PRECISION_MIXED));
    for (uint64_t i = 0; i < count && to; i++) {
        vxe_real_put(VXE_PRECISION_MIXED, to, i, vxe_real_at(VXE_PRECISION_DOUBLE, from, i));
    }
    return to;
}

/* Points every array of the model that is `old` to `new`: some arrays are shared. */
static void replace(vxe_kernel_arrays *a, const vxe_reals *old, const vxe_reals *new)
{
#define ONE(name, reader, unit) a->name = a->name == old ? new : a->name;
#define MANY(name, count, reader, unit)                                                            \
    for (int c = 0; c < (count); c++) {                                                            \
        a->name[c] = a->name[c] == old ? new : a->name[c];                                         \
    }
    VXE_MODEL_ARRAYS(ONE, MANY)
#undef ONE
#undef MANY
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
    vxe_reals *rows = vxe_model_narrowed(model->rows, values);
    if (!rows) {
        return vxe_error_memory(error, 4 * values);
    }
    vxe_memory_release(model->rows);
    model->rows = rows;
    model->arrays.rows = rows;
    model->precision = precision;
    return vxe_stiffening_narrow(model->stiffening, model->slots, values, error);
}
