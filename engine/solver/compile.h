/* SPDX-License-Identifier: MIT */
/* A design compiled into a model. */
#ifndef VXE_ENGINE_SOLVER_COMPILE_H
#define VXE_ENGINE_SOLVER_COMPILE_H

#include "engine/model/model.h"

vxe_status vxe_model_init(vxe_model *model, const vxe_design *design, const vxe_world_def *def,
                          vxe_messages *warnings, vxe_error *error);
void vxe_model_clear(vxe_model *model);

/* How large states of the model are. */
vxe_state_size vxe_model_state_size(const vxe_model *model);

/* Threads that run a body: as many as are wanted, or, where the caller leaves it open (0), as are
 * worth having; one where the peers' law weaves its bonds, whatever is wanted. */
uint32_t vxe_model_threads(const vxe_model *model, uint32_t wanted);

#endif
