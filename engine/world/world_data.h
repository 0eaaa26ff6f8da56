/* SPDX-License-Identifier: MIT */
/* What a world is made of, for the files of world/ and for batch/. */
#ifndef VXE_ENGINE_WORLD_WORLD_DATA_H
#define VXE_ENGINE_WORLD_WORLD_DATA_H

#include "common/messages_internal.h"
#include "engine/affine/affine.h"
#include "engine/audit/audit.h"
#include "engine/control/control.h"
#include "engine/guard/guard.h"
#include "engine/solver/solver.h"
#include "engine/world.h"
#include "engine/world/fitness_variables.h"

/* Energies (J) of affine bodies and their contacts. */
typedef struct vxe_affine_account {
    vxe_affine_energy stored;
    double spent; /* lost so far, less the work that was done on them */
} vxe_affine_account;

/* Voxels that a hand holds, at most: one and those that it is bonded to. */
#define VXE_HELD 7u

typedef struct vxe_hand {
    vxe_pull pull;
    uint32_t slots[VXE_HELD]; /* (count) what it holds */
    uint32_t count;           /* 0: it holds nothing */
    double force[3];          /* N, in the present step */
    double from[3];           /* m: mean place of what it holds at the start of the step */
} vxe_hand;

/* Arrays of a model that a tuning changes: coefficients of friction, then drag (N s/m) and drag of
   spin (N m s). */
enum { VXE_TUNED_DRAG = 4, VXE_TUNED_SPIN, VXE_TUNED_ARRAYS };

/* What vxe_world_tune has changed, and what the design says. */
typedef struct vxe_tuned {
    double friction, drag;               /* a factor; 1/s */
    bool acts;                           /* some tuning was not refused */
    vxe_reals *design[VXE_TUNED_ARRAYS]; /* (S) null where the design has none */
    vxe_size_bounds *bounds;             /* (groups) of the design */
    bool dithers;                        /* of the design */
    double shortest_period;              /* s: of the design; 0: no voxel has a wave */
} vxe_tuned;

struct vxe_world {
    vxe_simulation simulation;
    vxe_workspace workspace;
    vxe_energy_audit audit;
    vxe_energy_guard guard;
    bool has_audit;
    bool diverged;
    vxe_error divergence; /* why, where it has diverged or become unphysical */
    uint32_t materials;   /* of the design */
    bool controlled;      /* the controller of its design moves it */
    vxe_control *control; /* null: the design has no controller */
    vxe_messages warnings;
    vxe_hand hands[VXE_HANDS];
    uint32_t hand_count; /* hands that hold something */
    double hand_work;    /* J: done by all hands so far */
    vxe_tuned *tuned;    /* null until it is tuned */
    vxe_affine_group affine;
    vxe_affine_voxels couplings; /* between voxels and affine bodies */
    vxe_observers observers;
    vxe_affine_account affine_start;  /* energies at the start */
    vxe_affine_account affine_before; /* energies before the last step: the time that the energy
                                         audit of the lattice refers to */
};

/* Refuses choices that are none: what did not start from vxe_world_def_default, and numbers out of
   range. */
vxe_status vxe_world_def_check(const vxe_world_def *def, vxe_error *error);

/* Warns where the time step is above the limit of stability. */
void vxe_world_warn_of_step(vxe_world *world);

/* Makes a world; controlled: the controller of its design, if there is one, moves it. */
vxe_world *vxe_world_make(const vxe_design *design, const vxe_world_def *def, bool controlled,
                          vxe_error *error);

/* Plans the step of a new world without affine bodies for targets between two bounds, so that a
   whole number of steps makes an interval (s). */
vxe_status vxe_world_divide(vxe_world *world, double min_target, double max_target, double interval,
                            uint32_t *steps, vxe_error *error);

/* Mean place (m, design coordinates) and velocity (m/s, may be null) of what a hand holds. */
void vxe_world_held(const vxe_world *world, const vxe_hand *hand, double place[3],
                    double velocity[3]);

/* Computes the loads of hands, before a step, and their work, behind it. */
void vxe_world_hands_load(vxe_world *world);
void vxe_world_hands_moved(vxe_world *world);

/* A hash of the rest of the state and of what hands hold; that of the rest where they hold nothing.
 */
uint64_t vxe_world_hands_hash(const vxe_world *world, uint64_t rest);

/* The part of what the step allows that hands leave, and the part that a tuned drag takes. */
double vxe_world_hands_leave(const vxe_world *world);
double vxe_world_drag_part(const vxe_world *world);

void vxe_world_release_tuned(vxe_tuned *tuned);

/* A hash of the rest of the state and of what is tuned; that of the rest where nothing ever was. */
uint64_t vxe_world_tuning_hash(const vxe_world *world, uint64_t rest);

/* Gives a new world the controller of its design, if there is one. */
vxe_status vxe_world_take_control(vxe_world *world, const vxe_design *design, vxe_error *error);
void vxe_world_release_control(vxe_world *world);

/* Takes the tick of the controller that is due, if any; returns how many of the next steps, at most
   `steps`, there are until another one is. */
uint64_t vxe_world_control(vxe_world *world, uint64_t steps);

/* Forgets which bonds have broken lately: faces and neighbour lists are made anew where bonds
   break at all. */
void vxe_world_reopen(vxe_world *world);

/* What follows from the state is computed anew: the state has been advanced elsewhere. */
void vxe_world_renew(vxe_world *world);

/* The same after another state has taken the place of the present one: the world has not diverged,
   and its energy guard begins anew. */
void vxe_world_restate(vxe_world *world);

/* Prepares the affine bodies of a new world: external loads, observations, energies. Refuses a
   voxel that starts deep within a body. */
vxe_status vxe_world_affine_start(vxe_world *world, vxe_error *error);

/* Keeps the energies of before a step; call it before the lattice advances. */
void vxe_world_affine_before(vxe_world *world);

/* How many of the next steps affine bodies can take in one call: 1, unless they are alone. */
uint64_t vxe_world_affine_stride(const vxe_world *world, uint64_t steps);

/* Advances affine bodies by the steps that the state has just counted. If this fails, bodies that
   are alone stay where they were. */
vxe_status vxe_world_affine_steps(vxe_world *world, uint64_t steps, vxe_error *error);

/* What affine bodies add to the facts of a world. */
void vxe_world_affine_facts(const vxe_world *world, vxe_world_facts *facts);

/* Adds the mass (kg) of affine bodies, and mass times place and mass times velocity. */
void vxe_world_affine_center(const vxe_world *world, double *mass, double position[3],
                             double velocity[3]);

/* Adds their linear (N s) and angular (N m s) momentum. */
void vxe_world_affine_momentum(const vxe_world *world, double linear[3], double angular[3]);

/* Their energies and what they have lost less the work done on them (J): a sum that stays. */
double vxe_world_affine_sum(const vxe_world *world);

/* Adds their energies (J). */
void vxe_world_affine_energy(const vxe_world *world, vxe_energy *energy);

/* The hash of the lattice's hash and their states; that of the lattice where there are none. */
uint64_t vxe_world_affine_hash(const vxe_world *world, uint64_t lattice);

#endif
