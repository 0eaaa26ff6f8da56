/* SPDX-License-Identifier: MIT */
#ifndef VXE_ENGINE_EXTERNAL_FORCE_FIELD_H
#define VXE_ENGINE_EXTERNAL_FORCE_FIELD_H

#include "engine/model/model.h"

/* Forces (N) of the model's field on slots [first, last) of a state at a time (s); what has no
 * formula stays as it is. */
void vxe_field_compute(const vxe_model *model, const vxe_state *state, vxe_reals *const into[3],
                       uint32_t first, uint32_t last, double time);

#endif
