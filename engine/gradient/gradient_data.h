/* SPDX-License-Identifier: MIT */
/* Data of gradients, and what their files share. README.md of this folder has a drawing. */
#ifndef VXE_ENGINE_GRADIENT_GRADIENT_DATA_H
#define VXE_ENGINE_GRADIENT_GRADIENT_DATA_H

#include <stdatomic.h>

#include "engine/control/control.h"
#include "engine/gradient.h"
#include "engine/gradient/reverse_kernels.h"
#include "engine/lanes/lanes.h"

/* Memory for the states of a group, which stays from run to run. */
typedef struct vxe_gradient_store {
    char *data; /* (size) */
    uint64_t size;
} vxe_gradient_store;

/* The controller of a robot, what its ticks were, and what they get backwards. G: groups of the
   robot. */
typedef struct vxe_gradient_control {
    vxe_control control;
    vxe_sensor_adjoints adjoints;
    uint64_t first;     /* step of the first tick */
    uint32_t ticks;     /* of a run */
    uint32_t asked;     /* ticks for which a policy was asked */
    uint32_t inputs;    /* of the network */
    float *sensed;      /* (ticks, inputs) */
    float *targets;     /* (ticks, G) */
    double *by_targets; /* (G) of the tick that is in force */
    double *by_outputs; /* (outputs) */
    double *by_inputs;  /* (inputs) */
} vxe_gradient_control;

/* A robot, its samples and its gradients. V: voxels of its design. */
typedef struct vxe_gradient_robot {
    vxe_design *design; /* a copy, with what was put */
    vxe_simulation simulation;
    vxe_state start; /* of every run */
    vxe_robot robot;
    vxe_gradient_control *control; /* null without a controller */
    vxe_gradient_sample *samples;  /* (sample_count) */
    vxe_gradient_sample *weights;  /* (sample_count) */
    double value;
    double *by[VXE_GRADIENT_BYS];
    double *of_bonds; /* (V, 3, VXE_BOND_SLOPES) by slot, of bonds upwards; null, as the next, where
                         nothing asks for it */
    double *of_voxels; /* (V, VXE_VOXEL_SLOPES) by slot */
    vxe_gradient_facts facts;
    bool changed;    /* numbers were put since it was compiled */
    vxe_error error; /* why it did not get to its end; status VXE_OK where it did */
} vxe_gradient_robot;

struct vxe_gradient {
    vxe_gradient_def def;
    const vxe_kernels *kernels;
    vxe_gradient_robot *robots; /* (count) */
    uint32_t count, capacity;
    uint32_t sample_count;
    uint32_t threads;           /* at least 1 */
    vxe_gradient_store *stores; /* (threads) one for each group that runs at the same time */
    vxe_gradient_watch watch;   /* of the run, or null */
    void *watcher;              /* what the watch is passed */
    vxe_gradient_policy policy; /* in place of networks; empty: none */
    atomic_bool stopped;        /* the watch gave the run up */
};

/* Says of a robot that it has no numbers: it was added, or its run was given up. */
void vxe_gradient_await(vxe_gradient *gradient, uint32_t robot);

/* Whether the run goes on. asks: this is the calling thread, which asks the watch. */
bool vxe_gradient_goes_on(vxe_gradient *gradient, bool asks);

/* Compiles a robot's design as it is now. */
vxe_status vxe_gradient_compile(const vxe_gradient *gradient, vxe_gradient_robot *robot,
                                vxe_error *error);

/* Sums of a line through the logarithm of the size of adjoints over time. */
typedef struct adjoint_growth {
    double count, t, t2, l, tl;
} adjoint_growth;

/* Lists of pairs in contact, one behind the other. */
typedef struct vxe_touch_lists {
    vxe_reverse_touch *touch; /* (capacity) */
    uint64_t capacity;
    uint64_t *first; /* (lists + 1) where each begins */
} vxe_touch_lists;

/* Robots of one key, at most as many as lanes, and the memory of their run. V: voxels of the
   union. */
typedef struct vxe_gradient_group {
    vxe_gradient *gradient;
    vxe_gradient_robot *robots[VXE_MAX_LANES]; /* (count) by lane */
    uint32_t count;
    vxe_lanes *lanes;
    uint32_t width;        /* lanes of a vector */
    uint64_t state_bytes;  /* of a state of the group */
    uint64_t segment;      /* steps between two states that are kept of the run forwards */
    char *kept;            /* (segments) states at their starts */
    char *states;          /* (segment + 1) states of a segment */
    uint32_t iterations;   /* of damping */
    uint64_t tape_numbers; /* VXE_TAPE_... */
    vxe_reals *tape;       /* (segment, V, tape_numbers, lanes) */
    uint8_t *touching;     /* (segment, V) */
    double *clock;         /* (VXE_CLOCK_NUMBERS, lanes) */
    vxe_reals *sources;    /* (6, lanes) */
    vxe_reals *keeps;      /* (lanes) */
    vxe_reals *adjoint;    /* (V, VXE_ADJOINT_NUMBERS, lanes) */
    vxe_reals *moves;      /* (V, 6, lanes) */
    vxe_reals *changes;    /* (lanes) of branches, in SUMMED_STEPS */
    double *by_load;       /* (V, 3, lanes) */
    double *by_growth;     /* (V, VXE_GROWTH_SUMS, lanes) */
    vxe_reals *by_bond;    /* (V, 3, VXE_BOND_SLOPES, lanes) sums of SUMMED_STEPS; null, as the
                              next, where nothing asks for them */
    vxe_reals *by_voxel;   /* (V, VXE_VOXEL_SLOPES, lanes) */
    vxe_reals *within;     /* as in vxe_reverse_step; null, as the next, without iterations */
    vxe_reals *middle;
    vxe_reals *force;
    vxe_touch_lists kept_touches; /* (segments) pairs at their starts; empty, as the next, where
                                     nothing collides */
    vxe_touch_lists touches;      /* (segment + 1) pairs at the states of a segment */
    float *policy_numbers;   /* (lanes, most inputs and outputs) rows of a policy; null without */
    double *policy_adjoints; /* the same of their adjoints */
    adjoint_growth growth[VXE_MAX_LANES];
} vxe_gradient_group;

/* Null, and error filled, without memory. robots: (count) copied. store: its own until it is
   destroyed. */
vxe_gradient_group *vxe_gradient_group_create(vxe_gradient *gradient, vxe_gradient_store *store,
                                              vxe_gradient_robot *const *robots, uint32_t count,
                                              vxe_error *error);
void vxe_gradient_group_destroy(vxe_gradient_group *group);

/* The three parts of a run: robots go to their ends, the objective is asked, and they go back. The
   second is for one thread; different groups may do the others at the same time. Where the run is
   given up they end early. asks: as of vxe_gradient_goes_on. */
void vxe_gradient_group_forwards(vxe_gradient_group *group, bool asks);
void vxe_gradient_group_ask(vxe_gradient_group *group, vxe_objective objective, void *user);
void vxe_gradient_group_backwards(vxe_gradient_group *group, bool asks);

/* The sample of a step, or VXE_NONE. */
uint32_t vxe_gradient_sample_at(const vxe_gradient *gradient, uint64_t step);

/* Whether a robot of a group is left in its lane. */
bool vxe_gradient_any_left(const vxe_gradient_group *run);

bool vxe_gradient_all_finite(const double *numbers, uint64_t count);

/* Numbers of a robot's gradient. */
uint32_t vxe_gradient_width_of(const vxe_gradient_robot *robot, vxe_gradient_by by);

/* Whether a gradient is by numbers of materials. */
bool vxe_gradient_needs_slopes(const vxe_gradient *gradient);

/* Turns the sums of a voxel's growth into the gradients by its amplitude, phase and frequency. */
void vxe_gradient_chain_growth(vxe_gradient_robot *robot, uint32_t voxel,
                               const double sums[VXE_GROWTH_SUMS]);

/* Makes the control of a robot that was compiled, for a run of so many steps; there is none without
   a controller. */
vxe_status vxe_gradient_control_init(vxe_gradient_robot *robot, uint64_t steps, vxe_error *error);
void vxe_gradient_control_clear(vxe_gradient_robot *robot);

/* Prepares it for the next run. */
void vxe_gradient_control_rewind(vxe_gradient_robot *robot);

/* The step of the first tick of a group's robots from `step` on, or UINT64_MAX. */
uint64_t vxe_gradient_next_tick(const vxe_gradient_group *run, uint64_t step);

/* Forwards: takes the ticks that are due at a step, and keeps what was sensed and chosen. */
void vxe_gradient_take_ticks(vxe_gradient_group *run, uint64_t step);

/* Sets the targets that are in force in a step, and edges by them; all: else those of robots with a
   tick at it. */
void vxe_gradient_put_targets(vxe_gradient_group *run, uint64_t step, bool all);

/* Takes ticks at a step back, from the adjoints at its start. now: the group's state there. */
void vxe_gradient_reverse_ticks(vxe_gradient_group *run, uint64_t step, const char *now);

/* Takes the memory of a policy, where there is one and robots have controllers. */
vxe_status vxe_gradient_policy_take(vxe_gradient_group *run, vxe_error *error);

/* Ticks of a group at a step, with a policy of the caller. Asks for the outputs of robots that have
   sensed, into their targets; a robot that gets what is no number leaves its lane. */
void vxe_gradient_ask_policy(vxe_gradient_group *run, uint64_t step);

/* Whether a policy was asked for a tick at a step, also of robots that have left since. */
bool vxe_gradient_policy_ticks(const vxe_gradient_group *run, uint64_t step);

/* The way back: from by_outputs to by_inputs of these robots. */
void vxe_gradient_ask_policy_back(vxe_gradient_group *run, uint64_t step);

/* The tick of a robot at a step, from 0; VXE_NONE: there is none. */
uint32_t vxe_gradient_tick_at(const vxe_gradient_control *of, uint64_t step);

/* Takes the memory of contacts, where robots of a loaded group collide. */
vxe_status vxe_gradient_contacts_take(vxe_gradient_group *run, vxe_error *error);
void vxe_gradient_contacts_clear(vxe_gradient_group *run);

/* Forwards: keeps the pairs in contact at the start of a segment. Without memory, here and where
   they are noted, all robots say so and leave their lanes. */
void vxe_gradient_keep_contacts(vxe_gradient_group *run, uint64_t step);

/* Backwards: goes back to the pairs at the start of a segment, and notes them. */
void vxe_gradient_recall_contacts(vxe_gradient_group *run, uint64_t first);

/* Notes the pairs at state `at` of a segment, behind those before it. */
void vxe_gradient_note_contacts(vxe_gradient_group *run, uint64_t at);

/* Takes the adjoints of what pairs remember at the end of a segment, which the one behind it has
   left at its start. */
void vxe_gradient_begin_contacts(vxe_gradient_group *run, uint64_t last);
void vxe_gradient_end_contacts(vxe_gradient_group *run, uint64_t first);

/* Fills in the pairs of a step, number `at` of its segment. */
void vxe_gradient_show_contacts(const vxe_gradient_group *run, uint64_t at, uint64_t step,
                                vxe_reverse_step *into);

/* Sets what coefficients of bonds and properties of voxels got to zero. */
void vxe_gradient_clear_slopes(vxe_gradient_robot *robot);

/* Adds what masses get by the means over voxels in a sample; the robot's state is the sample's. */
void vxe_gradient_add_sample_masses(vxe_gradient_robot *robot, uint32_t sample);

/* Turns what coefficients of bonds and properties of voxels got into the gradients by the numbers
   of voxels from which they follow. */
void vxe_gradient_chain_materials(vxe_gradient_robot *robot);

#endif
