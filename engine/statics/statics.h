/* SPDX-License-Identifier: MIT */
/* The interface of statics/: the equilibrium of a body, and its vibrations about it. */
#ifndef VXE_ENGINE_STATICS_STATICS_H
#define VXE_ENGINE_STATICS_STATICS_H

#include "engine/statics.h"
#include "engine/statics/static_body.h"

/* Moves a body to its equilibrium. stiffest: the largest eigenvalue of its matrix over the masses
   (rad^2/s^2), roughly. */
vxe_status vxe_static_body_settle(vxe_static_body *body, const vxe_settle_def *def, double stiffest,
                                  vxe_settled *settled, vxe_error *error);

/* The lowest vibrations of a body about its present poses: squares of angular frequencies (count),
   and shapes (count, voxels, VXE_FREEDOMS) in edges and rad, of unit modal mass. */
vxe_status vxe_static_body_modes(const vxe_static_body *body, uint32_t count, double stiffest,
                                 double *squares, double *shapes, vxe_error *error);

#endif
