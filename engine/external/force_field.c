/* SPDX-License-Identifier: MIT */
/* A force field: formulas of place and time, and forces of single voxels (layer BodyForce) that
   rotate with them. Formulas are evaluated for blocks of voxels, which costs less per voxel. */
#include "engine/external/external.h"

#include <math.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Names of the variables of formulas, in the order of their values. */
static const char *const names[VXE_FIELD_VARIABLES] = {"x", "y", "z", "t"};

void vxe_field_clear(vxe_field *field)
{
    for (int c = 0; c < 3; c++) {
        vxe_expression_clear(&field->force[c]);
    }
    vxe_memory_release(field->own);
    *field = (vxe_field){0};
}

/* Evaluates the formulas at the start and refuses a design where they have no finite value. */
static vxe_status check_start(const vxe_model *model, const vxe_design *design, vxe_error *error)
{
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        double at[VXE_FIELD_VARIABLES] = {0};
        const double *variables[VXE_FIELD_VARIABLES] = {&at[0], &at[1], &at[2], &at[3]};
        const int32_t *cell = design->voxels[v].position;
        for (int c = 0; c < 3; c++) {
            at[c] = (cell[c] + 0.5) * design->voxel_size;
        }
        for (int c = 0; c < 3; c++) {
            double force = 0;
            if (model->field.force[c].count > 0) {
                vxe_expression_run(&model->field.force[c], variables, 1, &force);
            }
            if (!isfinite(force)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT, "%s is %g at voxel (%d, %d, %d)",
                                      vxe_formula_name((vxe_formula)(VXE_FORMULA_FORCE_X + c)),
                                      force, cell[0], cell[1], cell[2]);
            }
        }
    }
    return VXE_OK;
}

/* Copies the layer BodyForce in the order of slots. */
static vxe_status fill_own(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "BodyForce");
    const uint64_t count = 3ull * design->voxel_count;
    if (!layer) {
        return VXE_OK;
    }
    model->field.own = vxe_memory_take(count, sizeof(double));
    if (!model->field.own) {
        return vxe_error_memory(error, count * sizeof(double));
    }
    for (uint64_t i = 0; i < count; i++) {
        model->field.own[i] = layer->values[3ull * model->topology.order[i / 3] + i % 3];
    }
    model->field.acts = true;
    return VXE_OK;
}

vxe_status vxe_model_fill_field(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (int c = 0; c < 3 && !status; c++) {
        const char *text = design->formulas[VXE_FORMULA_FORCE_X + c];
        vxe_error inner;
        if (text && vxe_expression_parse(&model->field.force[c], text, names, VXE_FIELD_VARIABLES,
                                         &inner)) {
            status = vxe_error_fill(error, inner.status, "%s: %s",
                                    vxe_formula_name((vxe_formula)(VXE_FORMULA_FORCE_X + c)),
                                    inner.message);
        }
        model->field.acts = model->field.acts || text;
    }
    status = status || !model->field.acts ? status : check_start(model, design, error);
    return status ? status : fill_own(model, design, error);
}

/* Adds the forces that rotate with their voxels, of count slots from begin on. */
static void add_own(const vxe_model *model, const vxe_state *state, uint32_t begin, uint32_t count,
                    double force[3][VXE_EXPRESSION_BLOCK])
{
    VXE_ASSERT(count <= VXE_EXPRESSION_BLOCK && begin + count <= model->topology.voxel_count);
    for (uint32_t i = 0; i < count; i++) {
        const double *f = model->field.own + 3 * (size_t)(begin + i);
        double q[4];
        for (int c = 0; c < 4; c++) {
            q[c] = vxe_state_orientation(state, c, begin + i);
        }
        /* rotation by the quaternion (w, v): f + 2 w (v x f) + 2 v x (v x f); not in the order of
           vxe_rotate: bits would change */
        const double u[3] = {q[2] * f[2] - q[3] * f[1], q[3] * f[0] - q[1] * f[2],
                             q[1] * f[1] - q[2] * f[0]};
        const double r[3] = {q[2] * u[2] - q[3] * u[1], q[3] * u[0] - q[1] * u[2],
                             q[1] * u[1] - q[2] * u[0]};
        for (int c = 0; c < 3; c++) {
            force[c][i] += f[c] + 2 * (q[0] * u[c] + r[c]);
        }
    }
}

void vxe_field_compute(const vxe_model *model, const vxe_state *state, vxe_reals *const into[3],
                       uint32_t first, uint32_t last, double time)
{
    VXE_ASSERT(first <= last && model->field.acts);
    for (uint32_t begin = first; begin < last; begin += VXE_EXPRESSION_BLOCK) {
        double at[VXE_FIELD_VARIABLES][VXE_EXPRESSION_BLOCK];
        double force[3][VXE_EXPRESSION_BLOCK] = {{0}};
        const double *variables[VXE_FIELD_VARIABLES] = {at[0], at[1], at[2], at[3]};
        const uint32_t count =
            last - begin < VXE_EXPRESSION_BLOCK ? last - begin : VXE_EXPRESSION_BLOCK;
        for (uint32_t i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                at[c][i] = vxe_state_position(state, c, begin + i) + model->origin[c];
            }
            at[3][i] = time;
        }
        for (int c = 0; c < 3; c++) {
            if (model->field.force[c].count > 0) {
                vxe_expression_run(&model->field.force[c], variables, count, force[c]);
            }
        }
        if (model->field.own) {
            add_own(model, state, begin, count, force);
        }
        for (int c = 0; c < 3; c++) {
            const bool acts = model->field.own || model->field.force[c].count > 0;
            for (uint32_t i = 0; i < count && acts; i++) {
                vxe_real_put(model->precision, into[c], begin + i, force[c][i]);
            }
        }
    }
}
