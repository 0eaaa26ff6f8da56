/* SPDX-License-Identifier: MIT */
/* The public header of external/: forces from outside the body, by formulas (force_field.c;
   docs/physics.md, Force fields) and by a fluid (fluid.c; docs/physics.md, Fluid). */
#ifndef VXE_ENGINE_EXTERNAL_EXTERNAL_H
#define VXE_ENGINE_EXTERNAL_EXTERNAL_H

#include "engine/model/workspace.h"

/* Fills free faces, drag and buoyancy of a design's fluid into the model's arrays. */
vxe_status vxe_model_fill_fluid(vxe_model *model, const vxe_design *design, vxe_error *error);

/* Compiles the force field of a design: formulas, and the layer BodyForce. */
vxe_status vxe_model_fill_field(vxe_model *model, const vxe_design *design, vxe_error *error);
void vxe_field_clear(vxe_field *field);

/* Computes the forces (N) of the model's field on slots [first, last) of a state at a time (s). A
 * component without formula and layer is not written. */
void vxe_field_compute(const vxe_model *model, const vxe_state *state, vxe_reals *const into[3],
                       uint32_t first, uint32_t last, double time);

#endif
