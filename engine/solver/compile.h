/* SPDX-License-Identifier: MIT */
/* Compiles a design into a model. */
#ifndef VXE_ENGINE_SOLVER_COMPILE_H
#define VXE_ENGINE_SOLVER_COMPILE_H

#include "engine/model/model.h"

vxe_status vxe_model_init(vxe_model *model, const vxe_design *design, const vxe_world_def *def,
                          vxe_messages *warnings, vxe_error *error);

struct vxe_known_spectra;

/* The same for one of many designs, whose spectra may be known; known may be null. */
vxe_status vxe_model_init_among(vxe_model *model, const vxe_design *design,
                                const vxe_world_def *def, struct vxe_known_spectra *known,
                                vxe_messages *warnings, vxe_error *error);
void vxe_model_clear(vxe_model *model);

/* Sizes of the states of a model. */
vxe_state_size vxe_model_state_size(const vxe_model *model);

/* Threads that run a body: as many as are wanted or, where the caller leaves it open (0), as
   many as pay; one where bonds of the Voxelyze family are packed, whatever is wanted. */
uint32_t vxe_model_threads(const vxe_model *model, uint32_t wanted);

#endif
