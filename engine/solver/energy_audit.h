/* SPDX-License-Identifier: MIT */
/* The energy ledger: every joule that a step stores, dissipates or receives, measured from outside
   the kernels. A step is run act by act. The change of kinetic energy over a step is exactly the
   sum over its impulses J of J.(v_start + v_end)/2, whatever their order, so each act's share is
   its impulse times that mean. Slow on purpose, and an independent check of the kernels. */
#ifndef VXE_ENGINE_SOLVER_ENERGY_AUDIT_H
#define VXE_ENGINE_SOLVER_ENERGY_AUDIT_H

#include "engine/solver/measure.h"

/* Acts that change velocities, in order. */
enum {
    VXE_MARK_START,
    VXE_MARK_KICK,
    VXE_MARK_DECAY,
    VXE_MARK_SWEEPS,
    VXE_MARK_DECAY_AGAIN,
    VXE_MARK_FRICTION,
    VXE_MARKS
};

typedef struct vxe_energy_audit {
    vxe_energy energy; /* its ledger part, up to date at energy.time */
    bool started;
    vxe_state mark[VXE_MARKS]; /* velocities at the start of the step and behind each act */
} vxe_energy_audit;

vxe_status vxe_energy_audit_init(vxe_energy_audit *audit, const vxe_model *model, vxe_error *error);
void vxe_energy_audit_clear(vxe_energy_audit *audit);

/* Advances by one step, with the same bits as vxe_workspace_steps, and accounts for it. */
void vxe_energy_audit_step(vxe_energy_audit *audit, vxe_workspace *workspace, vxe_state *state,
                           const vxe_step_plan *plan, vxe_failure *failure);

#endif
