/* SPDX-License-Identifier: MIT */
/* A world: a design compiled, its state, and the threads that advance it. This is the whole
   simulation interface for ordinary users. A world may be used by one thread at a time; different
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
    uint32_t cookie;            /* set by vxe_world_def_default, checked by vxe_world_create */
    const char *conventions;    /* name, see engine/conventions.h; "native" */
    vxe_precision precision;    /* MIXED */
    uint32_t threads;           /* 0: chosen from the size of the body and the machine; one where
                                   robots of the conventions of the Voxelyze family have their bonds packed */
    vxe_step_rule step_rule;    /* AUTO: as the conventions say */
    double step_seconds;        /* s, with VXE_STEP_SECONDS */
    double step_scale;          /* factor on the step of the rules; 1 */
    vxe_damping_scheme damping; /* AUTO: as the conventions say */
    int torsion;                /* a vxe_torsion, or -1: as the conventions say */
    vxe_composite composite;
    vxe_shear shear;
    vxe_damping_form damping_form;
    vxe_bond_kind bond_kind;
    bool audit; /* account dissipation and work each step (slower); see vxe_world_energy */
} vxe_world_def;

VXE_API vxe_world_def vxe_world_def_default(void);

/* Compiles a design; it is copied as far as it is needed and may be destroyed. Null and error
 * filled on failure. */
VXE_API vxe_world *vxe_world_create(const vxe_design *design, const vxe_world_def *def,
                                    vxe_error *error);

VXE_API void vxe_world_destroy(vxe_world *world);

/* Advances by a number of steps. VXE_ERROR_DIVERGED when a bond left 0.1 to 4 rest lengths or
   turned past 174 degrees, or a number is not finite: error names the step, the time and the
   voxels, and the state stays at the end of that step. */
VXE_API vxe_status vxe_world_advance(vxe_world *world, uint64_t steps, vxe_error *error);

/* Advances until time (s) is reached: the first step at or past it. */
VXE_API vxe_status vxe_world_advance_to(vxe_world *world, double time, vxe_error *error);

/* What is fixed about a world. */
typedef struct vxe_world_facts {
    uint32_t voxels;
    uint64_t bonds;
    uint32_t bodies;
    uint32_t surface_voxels;
    uint32_t materials;
    uint32_t particles; /* voxels on the surface that have contact models */
    uint32_t magnets;   /* voxels that have a magnetic moment, or may be given one */
    uint32_t affine;    /* affine bodies */
    uint32_t threads;
    double mass;              /* kg */
    double voxel_size;        /* m */
    double extent[3];         /* m, at the start */
    double time_step;         /* s */
    double highest_frequency; /* rad/s, w_max of the rest state (an estimate from below, within
                                 about 1 %, 2 % for large bodies) */
    double source_frequency;  /* rad/s, w0 = max sqrt(k_a/m) */
    uint32_t damping_sweeps;  /* per step; 0 with explicit damping */
    vxe_damping_scheme damping;
    vxe_step_rule step_rule;
    const char *conventions;
    const char *precision; /* name */
    const char *isa;
} vxe_world_facts;

VXE_API vxe_world_facts vxe_world_describe(const vxe_world *world);

VXE_API double vxe_world_time(const vxe_world *world); /* s */
VXE_API double vxe_world_time_at(const vxe_world *world,
                                 uint64_t step);          /* s, if steps stay as long */
VXE_API uint64_t vxe_world_steps(const vxe_world *world); /* done so far */

/* Mass-weighted centre (m) and its velocity (m/s) in design coordinates. velocity may be null. */
VXE_API void vxe_world_center_of_mass(const vxe_world *world, double position[3],
                                      double velocity[3]);

/* A body: voxels that bonds connect at the start. */
typedef struct vxe_body {
    uint32_t voxels;
    double mass;        /* kg */
    double center[3];   /* m: of mass, design coordinates */
    double velocity[3]; /* m/s, of that */
} vxe_body;

/* All bodies, (facts.bodies), by their first voxel: z slowest, x fastest. */
VXE_API void vxe_world_bodies(const vxe_world *world, vxe_body *bodies);

/* An affine body as it is now: the point X of it (m from its centroid, as it was made) is at center
   + deformation X. Matrices row after row. */
typedef struct vxe_affine_pose {
    char name[64];
    double mass;             /* kg */
    double center[3];        /* m, design coordinates */
    double velocity[3];      /* m/s */
    double deformation[9];   /* P; a rigid body's turn */
    double rate[9];          /* 1/s: of P */
    double growth[9];        /* G: F = P G^-1 is what elasticity sees */
    double angular[3];       /* N m s: angular momentum about its center */
    double pressure;         /* Pa: what keeps its volume; 0 where nothing does */
    double contact_force[3]; /* N: of all that it touches */
} vxe_affine_pose;

/* Where all affine bodies are (facts.affine, 3) m, and how they are deformed (facts.affine, 9). */
VXE_API void vxe_world_affine_poses(const vxe_world *world, double *places, double *deformations);

/* An affine body, 0 to facts.affine - 1, in the order of the design. */
VXE_API void vxe_world_affine(const vxe_world *world, uint32_t body, vxe_affine_pose *pose);

/* Peaks that an observation keeps; later ones are counted only. */
#define VXE_MAX_PEAKS 64

/* What an observation of the design tells so far. */
typedef struct vxe_observed {
    char name[64];
    vxe_observation_kind gives;
    double value;       /* NaN where there is nothing to tell yet, and of peaks */
    uint32_t peaks;     /* how many there were */
    const double *peak; /* the first of them, at most VXE_MAX_PEAKS, until the world advances */
} vxe_observed;

/* How many the design has, and one of them. */
VXE_API uint32_t vxe_world_observation_count(const vxe_world *world);
VXE_API void vxe_world_observed(const vxe_world *world, uint32_t index, vxe_observed *observed);

/* Linear momentum (N s) and angular momentum about the origin of the design (N m s), spins
 * included. */
VXE_API void vxe_world_momentum(const vxe_world *world, double linear[3], double angular[3]);

/* Copies per voxel, in design order: (voxels, 3), (voxels, 4) w x y z, (voxels, 3), (voxels, 3).
 * Any pointer may be null. */
VXE_API void vxe_world_poses(const vxe_world *world, double *positions, double *orientations);
VXE_API void vxe_world_velocities(const vxe_world *world, double *linear, double *angular);

/* Volume (m^3) of the convex hull of the corners of voxels, as cubes of their present edges, to
   1e-7 of the cube of its extent; of those whose entry in which (voxels) is not 0, or of all where
   it is null. NaN without memory. */
VXE_API double vxe_world_hull_volume(const vxe_world *world, const double *which);

/* Puts a voxel somewhere: position (m), orientation (unit quaternion w x y z), velocity (m/s) and
   spin (rad/s); any may be null. Orientations of bonded voxels must stay on the same side: q1.q2 >
   0. Velocities of fixed freedoms stay as they are. */
VXE_API vxe_status vxe_world_place(vxe_world *world, uint32_t voxel, const double position[3],
                                   const double orientation[4], const double linear[3],
                                   const double angular[3], vxe_error *error);

/* Groups of voxels that the design's layer Group makes: one more than its largest number. */
VXE_API uint32_t vxe_world_group_count(const vxe_world *world);

/* Sets the target of a group: its voxels' edges are factor times what actuation, growth and
   schedule make them, at once and from now on; 1 at the start, 0.1 to 10 with all that. A target
   that makes voxels larger than any before shortens the time step where the rule is `auto`, which
   changes what vxe_world_describe says; with other rules a step that is too long now is warned of.
 */
VXE_API vxe_status vxe_world_set_target(vxe_world *world, uint32_t group, double factor,
                                        vxe_error *error);

/* Sensors, per voxel in design order; any pointer may be null. */
typedef struct vxe_sensors {
    double *edge;    /* (voxels) m, now */
    double *strain;  /* (voxels, 3) mean axial strain of the bonds along each of the voxel's axes; 0
                        where it has none */
    double *stress;  /* (voxels, 3) Pa: likewise, tension by the lattice's section */
    double *energy;  /* (voxels) J: half of what its bonds hold */
    double *floor;   /* (voxels) N: the floor's spring pushes so hard; 0 where it does not touch */
    double *contact; /* (voxels) N: that and the springs of other voxels, sizes summed; of the floor
                        alone with the Voxelyze family's own steps */
    uint8_t *touched; /* (voxels) 1 where another voxel pushes */
} vxe_sensors;

VXE_API void vxe_world_sense(const vxe_world *world, const vxe_sensors *into);

/* What happens to contacts by laws of the design (vxe_contact_rule). */
typedef enum vxe_contact_event_kind {
    VXE_CONTACT_ACTIVATED = 0,
    VXE_CONTACT_SLIP_BEGAN = 1,
    VXE_CONTACT_SLIP_ENDED = 2,
    VXE_CONTACT_EVENTS
} vxe_contact_event_kind;

typedef struct vxe_contact_event {
    vxe_contact_event_kind kind;
    uint32_t voxel[2]; /* design order; the second is VXE_CONTACT_FLOOR at the floor */
    double time;       /* s: of the step's start */
} vxe_contact_event;

typedef void vxe_contact_listener(void *user, const vxe_contact_event *event);

/* Calls listener with every event of a step, in the order of the voxels' places, from one of the
   world's threads while it advances; the world must be left alone meanwhile. Null: nobody. */
VXE_API void vxe_world_listen(vxe_world *world, vxe_contact_listener *listener, void *user);

/* How often each kind of event has happened. */
VXE_API void vxe_world_contact_events(const vxe_world *world, uint64_t counts[VXE_CONTACT_EVENTS]);

/* Contacts by laws of the design that are closed now. */
VXE_API uint32_t vxe_world_contacts(const vxe_world *world);

/* Pairs of voxels that stick to each other now. */
VXE_API uint32_t vxe_world_stuck_pairs(const vxe_world *world);

/* Force (N) and moment (N m) of the bonds on every voxel in the present state, (voxels, 3) each,
 * dashpots not included. */
VXE_API void vxe_world_elastic_forces(const vxe_world *world, double *forces, double *moments);

/* Axial strain (rr.e - l)/l and tension k_a (rr.e - l)/a^2 (Pa) of the bond between two
 * neighbouring voxels (design order). */
VXE_API vxe_status vxe_world_bond_strain(const vxe_world *world, uint32_t first, uint32_t second,
                                         double *strain, double *stress, vxe_error *error);

/* Largest |axial strain| over all bonds that hold. */
VXE_API double vxe_world_max_strain(const vxe_world *world);

/* Energies in J. The first group is always there; dissipation and work count from the start and
 * need def.energy audit. */
typedef struct vxe_energy {
    double kinetic;      /* translation and rotation, of the velocities at hand (half a step behind
                            positions) */
    double kinetic_sync; /* with the mean of the velocities before and after the last kick: pairs
                            with the potentials of `time` */
    double elastic;      /* bonds */
    double floor;        /* floor springs */
    double contact;      /* springs between voxels that touch, and all of contact models */
    double gravity;      /* -m g.x */
    double magnetic;     /* dipoles in each other's fields and in the external one */
    double time;         /* s: when the potentials _sync were taken (energy audit only) */
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
    double dissipated_viscous; /* within affine bodies, */
    double dissipated_growth;  /* and by their growth */
    double given_to_fluid;     /* by drag, and by rising in it */
    double work_actuation;
    double work_external; /* loads, prescribed motion, external fields that change */
    double balance;       /* sync kinetic + potentials + dissipation - work: constant up to the
                             integrator's ripple (energy audit only) */
    double balance_start; /* balance of the first step: the difference is the integrator's error */
} vxe_energy;

VXE_API vxe_energy vxe_world_energy(const vxe_world *world);

/* Hash of the state: equal bits, equal hash. See the determinism promise in README.md. */
VXE_API uint64_t vxe_world_hash(const vxe_world *world);

/* Warnings of compiling and running: what of the design does not act, and what was assumed. */
VXE_API uint32_t vxe_world_warning_count(const vxe_world *world);
VXE_API const char *vxe_world_warning(const vxe_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
