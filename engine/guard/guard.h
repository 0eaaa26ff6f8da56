/* SPDX-License-Identifier: MIT */
/* The energy guard: a look at the energy of a run at steps 0, 16, 32, 64, 128, 256, then at every
   VXE_GUARD_STEPS-th step, and in the last step of a run whose end is known. Energy may not rise by
   more than what edges, fields and prescribed motion can have put in, plus a part of what the body
   holds; a run in which it does ends as unphysical (docs/physics.md, Energy guard).

   A look takes one step:

       at step n               energies of springs and places, the most work since the look before;
            |                  velocities are kept
            v  one step
       at step n + 1           kinetic energy between the kept velocities and the present ones

   Since looks are at fixed numbers of steps, they do not depend on how a run is cut into calls, on
   threads, or on whether robots share lanes. A look reads; it never changes a bit of a state. */
#ifndef VXE_ENGINE_GUARD_GUARD_H
#define VXE_ENGINE_GUARD_GUARD_H

#include "engine/guard/guard_kernels.h"
#include "engine/solver/solver.h"

/* Steps from one look to the next, and the first look behind that at the start: each of the next
   ones is at twice its step, so that a short run is looked at too. */
#define VXE_GUARD_STEPS 256u
#define VXE_GUARD_FIRST 16u

/* Forms of energy; the potential of weight stands last. */
enum {
    VXE_GUARD_KINETIC,
    VXE_GUARD_ELASTIC,
    VXE_GUARD_FLOOR,
    VXE_GUARD_CONTACT,
    VXE_GUARD_STORED, /* forms before this one are never below 0 */
    VXE_GUARD_AFFINE = VXE_GUARD_STORED,
    VXE_GUARD_MAGNETIC,
    VXE_GUARD_PLACE,
    VXE_GUARD_FORMS
};

/* One look. */
typedef struct vxe_guard_look {
    uint64_t step;
    double time;                    /* s */
    double energy[VXE_GUARD_FORMS]; /* J */
    double largest_kinetic;         /* J: of the velocities before or after, the larger */
    double put_in;                  /* J: at most so much since the look before */
    double uncertain;               /* J: what magnets that act in some steps alone leave open */
    double beside;                  /* J: held by contacts with affine bodies */
    double stiffened;               /* progress of a stiffness that changes */
    double forcing;                 /* N^2/kg: sum of F^2/m of a force field, at most */
} vxe_guard_look;

typedef struct vxe_energy_guard {
    const vxe_model *model; /* null where there are no voxels */
    uint64_t end;           /* step at which the run ends; 0 or UINT64_MAX: unknown */
    bool weighs;            /* looks compare energies; else they look for numbers alone */
    bool open;              /* the first half of a look is done */
    bool based;             /* `before` holds a look that this one may be compared with */
    vxe_guard_look before, now;
    double base;         /* J: energy of the look that the rise counts from, at most */
    double risen;        /* J: rise of energy since then */
    double given;        /* J: the most that was put in since then */
    double scale;        /* J: what the body has held of late */
    double rounding;     /* J: energies below this are of the size of rounding */
    double *target_way;  /* (groups) how far targets went since the look before */
    double *way, *reach; /* (S) m, see vxe_guard_past; null unless edges move */
    double *swelled;     /* (S) m: ways of faces; null unless edges move */
    double *carried;     /* (S, 2) m and rad: ways of prescribed motion; null where there is none */
    vxe_reals *kept[6];  /* (6, S) velocities before the step of a look */
    vxe_guard_past past;
    double (*sums)[VXE_GUARD_FORMS]; /* (chunks, ...) */
    void *block;
} vxe_energy_guard;

/* Takes the memory of a guard. Under the laws of the Voxelyze family it looks for numbers that are
   not finite alone: those laws do not conserve energy, and their runs end as their simulators' do.
 */
vxe_status vxe_energy_guard_init(vxe_energy_guard *guard, const vxe_model *model, vxe_error *error);

/* J: energy of a body at a strain so small that it counts as rounding. */
double vxe_guard_rounding(const vxe_model *model);

void vxe_energy_guard_clear(vxe_energy_guard *guard);

/* Forgets the look before: the caller has moved a voxel. */
void vxe_energy_guard_forget(vxe_energy_guard *guard);

/* Begins anew: another state has taken the place of the one that the guard has looked at. */
void vxe_energy_guard_restart(vxe_energy_guard *guard);

/* Counts a change of a group's target as a way of its edges. */
void vxe_energy_guard_retarget(vxe_energy_guard *guard, uint32_t group, double change);

/* How many of the next steps may run at once, from a step on: up to the next look, and the one step
   of a look alone. */
uint64_t vxe_energy_guard_stride(const vxe_energy_guard *guard, uint64_t step, uint64_t steps);

/* What is to be done at a step: the first or the second half of a look. */
static inline bool vxe_energy_guard_opens(const vxe_energy_guard *guard, uint64_t step)
{
    const bool early = step >= VXE_GUARD_FIRST && step < VXE_GUARD_STEPS && !(step & (step - 1));
    return guard->model && (early || step % VXE_GUARD_STEPS == 0 || step + 1 == guard->end);
}

static inline bool vxe_energy_guard_closes(const vxe_energy_guard *guard, uint64_t step)
{
    return guard->open && guard->now.step + 1 == step;
}

/* First half of a look, at the bound state. affine: J that affine bodies hold, less what was put
   into them; beside: J held by their contacts with voxels. */
void vxe_energy_guard_open(vxe_energy_guard *guard, vxe_workspace *workspace, double affine,
                           double beside);

/* Second half, one step later: fills the failure where the energy rose too far, or a number is not
   finite. */
void vxe_energy_guard_close(vxe_energy_guard *guard, vxe_workspace *workspace,
                            vxe_failure *failure);

/* Advances by up to `steps` steps with looks on the way; stops after a step in which something
   failed. */
void vxe_guarded_steps(vxe_energy_guard *guard, vxe_workspace *workspace,
                       vxe_simulation *simulation, uint64_t steps);

/* The most work (J) since the look before of everything beside edges: fields that act on voxels or
   magnets, prescribed motion, stiffness that changes. */
double vxe_guard_work_beside(vxe_energy_guard *guard, vxe_workspace *workspace);

/* Fills the ways (m and rad) of prescribed freedoms since the look before, by slot. */
void vxe_guard_find_carried(const vxe_energy_guard *guard);

/* J: how far the energy of magnets may be from that of their poses: where they act in some steps
   alone, where pairs cross their reach, and by rounding. Call it after they are measured. */
double vxe_guard_uncertain(const vxe_energy_guard *guard, const vxe_workspace *workspace);

/* Ways of edges for models whose edges do not go one way between two looks. */
void vxe_guard_ways(vxe_energy_guard *guard, const vxe_workspace *workspace);

#endif
