/* SPDX-License-Identifier: MIT */
/* The energy ledger: every joule that a step stores, dissipates or receives, measured from outside the kernels: a step is run act by act,
   and each act's change of kinetic energy is taken where it is exact. Slow on purpose, and an independent check. */
#ifndef VXE_ENGINE_LEDGER_INTERNAL_H
#define VXE_ENGINE_LEDGER_INTERNAL_H

#include "engine/measure_internal.h"

typedef struct vxe_ledger {
    vxe_energy energy;   /* its ledger part, up to date at energy.time */
    vxe_state start;     /* the state before the step */
    vxe_state before;    /* the state before the act at hand */
    double *old_size;    /* (S) m */
} vxe_ledger;

vxe_status vxe_ledger_init(vxe_ledger *ledger, const vxe_model *model, vxe_error *error);
void vxe_ledger_clear(vxe_ledger *ledger);

/* Advances by one step, with the same bits as vxe_scratch_steps, and accounts for it. */
void vxe_ledger_step(vxe_ledger *ledger, vxe_scratch *scratch, vxe_state *state, const vxe_step_plan *plan, vxe_failure *failure);

#endif
