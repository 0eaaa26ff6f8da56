/* SPDX-License-Identifier: MIT */
/* A world: a compiled design, its state, and the threads that advance it. This is the whole
   simulation interface for most programs. A world may be used by one thread at a time; different
   worlds are independent. */
#ifndef VXE_ENGINE_WORLD_H
#define VXE_ENGINE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "engine/conventions.h"
#include "engine/precision.h"
#include "lattice/design.h"
#include "materials/bond_constants.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_world vxe_world;

/* Whether bonds are beams (12 degrees of freedom) or bars (force along the chord only). */
typedef enum vxe_bond_kind { VXE_BOND_BEAM = 0, VXE_BOND_BAR = 1 } vxe_bond_kind;

/* Choices of a run. Take one from vxe_world_def_default and change what you need. */
typedef struct vxe_world_def {
    uint32_t cookie;         /* set by vxe_world_def_default, checked by vxe_world_create */
    const char *conventions; /* compatibility preset and switches (engine/conventions.h); null or
                                "auto", the default: what the design says of itself */
    vxe_precision precision; /* MIXED by default */
    uint32_t threads;        /* 0: chosen by the size of the body and the machine; one thread where
                                a preset of the Voxelyze family runs with packed bonds */
    vxe_step_rule step_rule; /* AUTO: as the preset says */
    double step_seconds;     /* s, with VXE_STEP_SECONDS */
    double step_scale;       /* factor on the step of the rules; 1 by default */
    vxe_accuracy accuracy;   /* of the rule AUTO; other rules refuse all but NORMAL */
    vxe_damping_scheme damping; /* AUTO: as the preset says */
    int torsion;                /* a vxe_torsion, or -1: as the preset says */
    vxe_composite composite;
    vxe_shear shear;
    vxe_damping_form damping_form;
    vxe_bond_kind bond_kind;
    bool audit; /* energy audit: account for dissipation and work in each step (much slower); see
                   vxe_world_energy */
} vxe_world_def;

/* The default choices. */
VXE_API vxe_world_def vxe_world_def_default(void);

/* Compiles a design. The design may be destroyed afterwards. Null and error filled on failure. */
VXE_API vxe_world *vxe_world_create(const vxe_design *design, const vxe_world_def *def,
                                    vxe_error *error);

VXE_API void vxe_world_destroy(vxe_world *world);

/* Advances by a number of steps. VXE_ERROR_DIVERGED when a bond is shorter than 0.1 or longer than
   4 rest lengths or turned past 174 degrees, or a number is not finite: error names the step, the
   time and the voxels, and the state stays at the end of that step. */
VXE_API vxe_status vxe_world_advance(vxe_world *world, uint64_t steps, vxe_error *error);

/* Advances until time (s) is reached: the first step at or past it. */
VXE_API vxe_status vxe_world_advance_to(vxe_world *world, double time, vxe_error *error);

/* How a world failed. */
typedef struct vxe_world_failure {
    vxe_status status;  /* VXE_OK while it has not failed */
    uint64_t step;      /* in which it failed, as error says; counted from 0 */
    double time;        /* s: start of that step */
    uint32_t voxels[2]; /* design order: whose bond left its bounds, or where else it was seen;
                           VXE_NONE where it has no place, or one only */
} vxe_world_failure;

VXE_API vxe_world_failure vxe_world_failed(const vxe_world *world);

/* Says at which step the run will end, so that the energy guard looks at its last step too; without
   it up to 256 steps lie behind the last look. Changes no bit of the state. */
VXE_API void vxe_world_ends_at(vxe_world *world, uint64_t step);

/* What does not change about a world. */
typedef struct vxe_world_facts {
    uint32_t voxels;
    uint64_t bonds;
    uint32_t bodies;
    uint32_t surface_voxels;
    uint32_t materials;
    uint32_t particles; /* voxels on the surface that have contact models */
    uint32_t magnets;   /* voxels that have a magnetic moment, or may get one by induction */
    uint32_t affine;    /* affine bodies */
    uint32_t threads;
    double mass;              /* kg */
    double voxel_size;        /* m */
    double extent[3];         /* m, at the start */
    double time_step;         /* s */
    double highest_frequency; /* rad/s: w_max of the rest state, estimated from below within about
                                 1 %, for large bodies within 3 % */
    double source_frequency;  /* rad/s: w0 = max sqrt(k_a/m) */
    double actuation_full;    /* s: time from which the actuation's wave acts in full; 0: no wave */
    uint32_t damping_sweeps;  /* damping iterations of a step; 0 with explicit damping */
    vxe_damping_scheme damping;
    vxe_step_rule step_rule;
    const char *conventions;      /* preset and switches; lives as long as the world */
    const vxe_conventions *rules; /* the same, choice by choice; likewise */
    const char *precision;        /* "mixed" or "double" */
    const char *isa;              /* instruction set, such as "x86-64-v4" */
} vxe_world_facts;

VXE_API vxe_world_facts vxe_world_describe(const vxe_world *world);

VXE_API double vxe_world_time(const vxe_world *world); /* s */
VXE_API double vxe_world_time_at(const vxe_world *world,
                                 uint64_t step);          /* s, if the step keeps its length */
VXE_API uint64_t vxe_world_steps(const vxe_world *world); /* steps so far */

/* Centre of mass (m) and its velocity (m/s) in design coordinates. velocity may be null. */
VXE_API void vxe_world_center_of_mass(const vxe_world *world, double position[3],
                                      double velocity[3]);

/* A body: voxels that bonds connect at the start. */
typedef struct vxe_body {
    uint32_t voxels;
    double mass;        /* kg */
    double center[3];   /* m: of mass, design coordinates */
    double velocity[3]; /* m/s: of the centre */
} vxe_body;

/* All bodies (facts.bodies), ordered by their first voxel in the scan with z slowest and x fastest.
 */
VXE_API void vxe_world_bodies(const vxe_world *world, vxe_body *bodies);

/* The present state of an affine body: its point X (m from its centroid, undeformed) is at center +
   deformation X. Matrices are row after row. */
typedef struct vxe_affine_pose {
    char name[64];
    double mass;             /* kg */
    double center[3];        /* m, design coordinates */
    double velocity[3];      /* m/s */
    double deformation[9];   /* P; of a rigid body its rotation */
    double rate[9];          /* 1/s: rate of P */
    double growth[9];        /* G: elasticity acts on F = P G^-1 */
    double angular[3];       /* N m s: angular momentum about its centre */
    double pressure;         /* Pa: the pressure that keeps its volume; 0 where nothing keeps it */
    double contact_force[3]; /* N: total force of all contacts */
} vxe_affine_pose;

/* Centres (facts.affine, 3) m and deformations (facts.affine, 9) of all affine bodies. */
VXE_API void vxe_world_affine_poses(const vxe_world *world, double *places, double *deformations);

/* An affine body, 0 to facts.affine - 1, in the order of the design. */
VXE_API void vxe_world_affine(const vxe_world *world, uint32_t body, vxe_affine_pose *pose);

/* Peaks that an observation stores; later ones are only counted. */
#define VXE_MAX_PEAKS 64

/* The present result of an observation. */
typedef struct vxe_observed {
    char name[64];
    vxe_observation_kind gives;
    double value;       /* NaN where there is none yet, and for observations of peaks */
    uint32_t peaks;     /* number of peaks so far */
    const double *peak; /* the first peaks, at most VXE_MAX_PEAKS; valid until the world advances */
} vxe_observed;

/* The number of observations of the design, and the present result of one. */
VXE_API uint32_t vxe_world_observation_count(const vxe_world *world);
VXE_API void vxe_world_observed(const vxe_world *world, uint32_t index, vxe_observed *observed);

/* Linear momentum (N s) and angular momentum about the origin of the design (N m s), rotation of
   voxels included. */
VXE_API void vxe_world_momentum(const vxe_world *world, double linear[3], double angular[3]);

/* Copies numbers of all voxels, in design order: positions (voxels, 3) m and orientations (voxels,
   4) w x y z; linear (voxels, 3) m/s and angular (voxels, 3) rad/s velocities. Any pointer may be
   null. */
VXE_API void vxe_world_poses(const vxe_world *world, double *positions, double *orientations);
VXE_API void vxe_world_velocities(const vxe_world *world, double *linear, double *angular);

/* Volume (m^3) of the convex hull of the corners of voxels, taken as cubes of their present edges,
   accurate to 1e-7 of the cube of its extent. which: (voxels) not 0 for voxels that count; null:
   all count. NaN without memory. */
VXE_API double vxe_world_hull_volume(const vxe_world *world, const double *which);

/* Sets position (m), orientation (unit quaternion w x y z), velocity (m/s) and angular velocity
   (rad/s) of a voxel; any may be null. Orientations of bonded voxels must stay on the same side:
   q1.q2 > 0. Velocities of fixed degrees of freedom stay as they are. */
VXE_API vxe_status vxe_world_place(vxe_world *world, uint32_t voxel, const double position[3],
                                   const double orientation[4], const double linear[3],
                                   const double angular[3], vxe_error *error);

/* Hands, at most. */
#define VXE_HANDS 10u

/* What a hand does: a spring and a dashpot from the mean place of a voxel and those that it is
   bonded to, to a place in the world. */
typedef struct vxe_pull {
    uint32_t voxel;
    double place[3];  /* m, design coordinates: where the hand is */
    double stiffness; /* N/m, above 0 */
    double damping;   /* N s/m, on the velocity of what is held */
    double max_force; /* N: the spring pulls no harder */
} vxe_pull;

/* A usual pull at a voxel, with the hand where that is now: the whole body swings at 5 Hz on the
   spring with 0.7 of critical damping, less where the time step needs it, and the spring pulls with
   at most 20 times its weight. */
VXE_API vxe_pull vxe_world_pull_default(const vxe_world *world, uint32_t voxel);

/* Pulls by a hand, from the next step on; null: lets go. What hands hold is part of the hash. Their
   work is external work of the energy audit. VXE_ERROR_ARGUMENT where the spring or the dashpot is
   too stiff for the time step, and VXE_ERROR_UNSUPPORTED beside affine bodies and under published
   laws. Steps run one by one meanwhile. */
VXE_API vxe_status vxe_world_pull(vxe_world *world, uint32_t hand, const vxe_pull *pull,
                                  vxe_error *error);

/* What a caller may change while a world runs. */
typedef struct vxe_tuning {
    double gravity[3]; /* m/s^2 */
    double amplitude;  /* factor on the amplitude of the actuation's wave, 0 to 10 */
    double frequency;  /* factor on its frequency, 0 (it stands still) to 100 */
    double friction;   /* factor on all coefficients of friction, 0 to 1000 */
    double drag;       /* 1/s: rate at which all motion decays, besides the design's own damping */
} vxe_tuning;

/* The present tuning: at the start the design's gravity, factors of 1 and no drag. */
VXE_API vxe_tuning vxe_world_tuning(const vxe_world *world);

/* Changes what acts from the next step on. The wave goes on where it is: only its rate changes with
   the frequency. A tuning that makes voxels wider or the wave faster than ever before shortens the
   time step where the rule is `auto`, as targets do. It is part of the hash from the first call on;
   the energy audit counts what it puts in as work. VXE_ERROR_ARGUMENT where a number is out of
   range, makes edges too short or too long, or is too large a drag for explicit dashpots;
   VXE_ERROR_UNSUPPORTED beside affine bodies, under published laws, and where the design's contact
   models, magnets, changing stiffness or controller rest on what would change. Nothing changes
   then. A shadow of the step (engine/step_error.h) does not follow. */
VXE_API vxe_status vxe_world_tune(vxe_world *world, const vxe_tuning *tuning, vxe_error *error);

/* The number of groups of voxels, by the design's layer Group: its largest number plus one. */
VXE_API uint32_t vxe_world_group_count(const vxe_world *world);

/* Sets the target of a group, 1 at the start: from now on the edges of its voxels are `factor`
   times what actuation, growth and schedule make them. With all that an edge must be 0.1 to 10
   nominal ones. A target that makes voxels larger than ever before shortens the time step where the
   rule is `auto`, and vxe_world_describe changes accordingly; with other rules there is a warning
   if the step is now too long. */
VXE_API vxe_status vxe_world_set_target(vxe_world *world, uint32_t group, double factor,
                                        vxe_error *error);

/* Sensors, per voxel in design order; any pointer may be null. */
typedef struct vxe_sensors {
    double *edge;   /* (voxels) m: present edge */
    double *strain; /* (voxels, 3) mean axial strain of the bonds along each of the voxel's axes; 0
                       where it has none */
    double
        *stress; /* (voxels, 3) Pa: mean tension of these bonds over the lattice's cross-section */
    double *energy;  /* (voxels) J: half of the energy of its bonds */
    double *floor;   /* (voxels) N: force of the floor's spring; 0 where it does not touch */
    double *contact; /* (voxels) N: that and the sizes of the spring forces of other voxels, summed;
                        only that of the floor where a preset has steps of its own (evosoro) */
    uint8_t *touched; /* (voxels) 1 where another voxel pushes */
} vxe_sensors;

/* Computes sensors of the present state. */
VXE_API void vxe_world_sense(const vxe_world *world, const vxe_sensors *into);

/* Events of contacts by contact models of the design (vxe_contact_rule). */
typedef enum vxe_contact_event_kind {
    VXE_CONTACT_ACTIVATED = 0,
    VXE_CONTACT_SLIP_BEGAN = 1,
    VXE_CONTACT_SLIP_ENDED = 2,
    VXE_CONTACT_EVENTS
} vxe_contact_event_kind;

/* One event. */
typedef struct vxe_contact_event {
    vxe_contact_event_kind kind;
    uint32_t voxel[2]; /* design order; the second is VXE_CONTACT_FLOOR for the floor */
    double time;       /* s: start of the step */
} vxe_contact_event;

/* Called with an event. user: as given to vxe_world_listen. */
typedef void vxe_contact_listener(void *user, const vxe_contact_event *event);

/* Calls listener with every event of a step, in the order of the voxels' places, from one of the
   world's threads while it advances; the listener must not use the world. Null: no listener. */
VXE_API void vxe_world_listen(vxe_world *world, vxe_contact_listener *listener, void *user);

/* The number of events of each kind so far. */
VXE_API void vxe_world_contact_events(const vxe_world *world, uint64_t counts[VXE_CONTACT_EVENTS]);

/* The number of contacts by contact models of the design that are closed now. */
VXE_API uint32_t vxe_world_contacts(const vxe_world *world);

/* The number of pairs of voxels that stick to each other now. */
VXE_API uint32_t vxe_world_stuck_pairs(const vxe_world *world);

/* Force (N) and moment (N m) of the bonds on every voxel in the present state, (voxels, 3) each,
   without dashpots. */
VXE_API void vxe_world_elastic_forces(const vxe_world *world, double *forces, double *moments);

/* Axial strain (rr.e - l)/l and tension k_a (rr.e - l)/a^2 (Pa) of the bond between two
 * neighbouring voxels (design order). */
VXE_API vxe_status vxe_world_bond_strain(const vxe_world *world, uint32_t first, uint32_t second,
                                         double *strain, double *stress, vxe_error *error);

/* Largest |axial strain| over all bonds that are not broken. */
VXE_API double vxe_world_max_strain(const vxe_world *world);

/* Energies in J. The potentials are always there. What is marked `_sync`, dissipation, work and
   balance need the energy audit (`audit` of vxe_world_def) and count from the start. */
typedef struct vxe_energy {
    double kinetic;      /* translation and rotation, by the present velocities (half a step behind
                            positions) */
    double kinetic_sync; /* after half of the last kick, by the forces that have a potential:
                            belongs to the potentials at `time` */
    double ripple;       /* part of kinetic_sync that comes and goes with the phase of vibrations
                            against the step: F^2 h^2/(8 m) (energy audit only) */
    double elastic;      /* bonds */
    double floor;        /* floor springs */
    double contact;      /* springs between voxels that touch, and contact models */
    double gravity;      /* -m g.x */
    double magnetic;     /* dipoles in each other's fields and in the external one */
    double time;         /* s: time of the potentials `_sync` (energy audit only) */
    double elastic_sync;
    double floor_sync;
    double contact_sync;
    double gravity_sync;
    double magnetic_sync;
    double dissipated_bonds;
    double dissipated_plastic; /* bonds that yield and break */
    double dissipated_global;
    double dissipated_contact;
    double dissipated_friction;
    double dissipated_viscous; /* viscosity of affine bodies */
    double dissipated_growth;  /* growth of affine bodies */
    double given_to_fluid;     /* by drag and buoyancy */
    double work_actuation;
    double work_external; /* loads, prescribed motion, external fields that change */
    double work_gravity;  /* what `gravity_sync` has fallen by since the first step */
    double work_magnetic; /* what `magnetic_sync` has fallen by; 0 where the magnets' law has no
                             potential, and their work is external */
    double balance; /* kinetic_sync - ripple + potentials `_sync` + dissipation - work: constant,
                       whatever the step, where all springs are linear (energy audit only) */
    double balance_start; /* balance of the first step: the difference is the integrator's error */
    double rounding;      /* a rise of the balance within this is not judged: the energy of the
                             whole body at a strain of 1e-5 */
} vxe_energy;

/* The energies now. */
VXE_API vxe_energy vxe_world_energy(const vxe_world *world);

/* The rise of the balance as a part of what was put in (energy audit only): of positive works, or
   where it is more, of all that is held, was lost or given, also to weight and magnets, less the
   rise itself. Below 0 where the balance fell. */
VXE_API double vxe_energy_gain(const vxe_energy *energy);

/* Judges a run by its energy audit: VXE_ERROR_UNPHYSICAL where the balance rose by more than a
   hundredth of what was put in, and by more than rounding; error names both. VXE_OK otherwise, and
   without the audit. */
VXE_API vxe_status vxe_world_judge(const vxe_world *world, vxe_error *error);

/* Hash of the state: equal bits give equal hashes (docs/accuracy.md, Determinism). */
VXE_API uint64_t vxe_world_hash(const vxe_world *world);

/* Warnings of compiling and running: what of the design does not act, and what was assumed. */
VXE_API uint32_t vxe_world_warning_count(const vxe_world *world);
VXE_API const char *vxe_world_warning(const vxe_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
