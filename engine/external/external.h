/* SPDX-License-Identifier: MIT */
/* The door of external/: forces from outside the body, by formulas (force_field.c) and of a fluid
   (fluid.c). */
#ifndef VXE_ENGINE_EXTERNAL_EXTERNAL_H
#define VXE_ENGINE_EXTERNAL_EXTERNAL_H

#include "engine/model/workspace.h"

/* Free faces and the fluid's numbers. */
vxe_status vxe_model_fill_fluid(vxe_model *model, const vxe_design *design, vxe_error *error);

/* Formulas of a field of force. */
vxe_status vxe_model_fill_field(vxe_model *model, const vxe_design *design, vxe_error *error);
void vxe_field_clear(vxe_field *field);

/* Forces (N) of the model's field on slots [first, last) of a state at a time (s); what has no
 * formula stays as it is. */
void vxe_field_compute(const vxe_model *model, const vxe_state *state, vxe_reals *const into[3],
                       uint32_t first, uint32_t last, double time);

#endif
