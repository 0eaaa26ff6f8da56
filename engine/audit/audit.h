/* SPDX-License-Identifier: MIT */
/* The energy audit: every joule that a step stores, dissipates or receives, measured from
   outside the kernels. A step is run stage by stage. The change of kinetic energy over a step is
   exactly the sum over its impulses J of J.(v_start + v_end)/2, whatever their order, so each
   stage's share is its impulse times that mean (docs/physics.md, Energy audit; derived there).
   It is slow on purpose, and an independent check of the kernels. */
#ifndef VXE_ENGINE_AUDIT_AUDIT_H
#define VXE_ENGINE_AUDIT_AUDIT_H

#include "engine/solver/solver.h"

/* Marks: copies of the velocities at the start, and after each stage that changes them, in
   order. VXE_MARK_DAMPING is the one after the damping iterations; VXE_MARK_END after what the
   floor takes where it bends. */
enum {
    VXE_MARK_START,
    VXE_MARK_KICK,
    VXE_MARK_DECAY,
    VXE_MARK_DAMPING,
    VXE_MARK_DECAY_AGAIN,
    VXE_MARK_FLOOR,
    VXE_MARK_FRICTION,
    VXE_MARK_END,
    VXE_MARKS
};

typedef struct vxe_energy_audit {
    vxe_energy energy; /* the audit's part of it, up to date at energy.time */
    bool started;
    double freed[2];           /* J: less the potentials of weight and magnets in the first step */
    double *force;             /* (S, 6) N and N m: sum of the forces that have a potential */
    vxe_state mark[VXE_MARKS]; /* the state at the start of the step and after each stage */
} vxe_energy_audit;

vxe_status vxe_energy_audit_init(vxe_energy_audit *audit, const vxe_model *model, vxe_error *error);
void vxe_energy_audit_clear(vxe_energy_audit *audit);

/* J: kinetic energy and springs as the balance counts them, at the bound state between two steps of
   h seconds. What a program changes there adds its difference. */
double vxe_energy_audit_held(vxe_energy_audit *audit, vxe_workspace *workspace, double h);

/* Advances by one step, with the same bits as vxe_workspace_steps, and accounts for it. */
void vxe_energy_audit_step(vxe_energy_audit *audit, vxe_workspace *workspace, vxe_state *state,
                           const vxe_step_plan *plan, vxe_failure *failure);

#endif
