/* SPDX-License-Identifier: MIT */
/* Particles: voxels whose contacts follow laws of the design's choice (materials/contact_law.h), as
   spheres as wide as their edges or by their faces, and the floor as such a law's wall. Each step:
   pairs that may touch are kept in a list (search), each pair's law acts (act), every particle sums
   what its pairs do to it in the order of their partners, so that threads change no bit, and what
   contacts remember goes to the state. */
#ifndef VXE_ENGINE_CONTACT_MODELS_CONTACT_MODELS_H
#define VXE_ENGINE_CONTACT_MODELS_CONTACT_MODELS_H

#include "engine/contact_models/contact_model.h"
#include "engine/core/arrays.h"
#include "engine/world.h"
#include "lattice/design.h"

struct vxe_model;
struct vxe_workspace;
struct vxe_messages;

/* Contacts that there is room for, per particle: a sphere has room for 12 like it around it. */
#define VXE_MAX_PARTICLE_CONTACTS 16u
/* Pairs that may touch, likewise; each counts with its first particle. */
#define VXE_MAX_PARTICLE_PAIRS 48u

/* What of a design's particles does not change. */
typedef struct vxe_particles {
    uint32_t count;    /* N */
    uint32_t *slot;    /* (N) ascending */
    uint32_t *kind;    /* (N) materials */
    int32_t *cell;     /* (N, 3) of the lattice */
    uint8_t *round;    /* (N) 1 of spheres */
    uint8_t *faces;    /* (N) free ones, a bit each */
    uint32_t *body;    /* (N) bodies: particles of one that are neighbours are bonded */
    uint32_t kinds;    /* materials, and the floor behind them */
    uint32_t *pair_of; /* (kinds, kinds) place in pairs, or VXE_NONE */
    vxe_particle_pair *pairs;
    uint32_t pair_count;
    bool boxes;      /* some cubes touch by their faces */
    double reach;    /* m: the widest gap at which a law acts */
    bool over_faces; /* some law acts over faces */
    double lambda_k; /* 1/s^2: what springs add to the largest eigenvalue at most */
    double lambda_c; /* 1/s: likewise dashpots, which stay forces */
    double longest;  /* s: step that follows a collision */
} vxe_particles;

/* Two particles that may touch, or one and the floor (VXE_NONE), and what their law did last. */
typedef struct vxe_particle_contact {
    uint32_t particle[2]; /* places in the list, the lower first */
    const vxe_particle_pair *pair;
    bool active, slips;
    bool stiff;       /* stiffer than the step holds */
    bool passed;      /* a cube is where the law has no value */
    uint8_t events;   /* bits 1 << vxe_contact_event_kind */
    double arm[2][3]; /* m */
    double spring[3]; /* N, on the second */
    double dashpot[3];
    double couple[2][3]; /* N m on both, of the spring: beside that of its arms */
    double faces[6];     /* N and N m on the first: of a law over faces, mean of the step */
    double energy;       /* J */
    double lost;         /* J by slipping, */
    double damped;       /* J and by damping within the step */
    vxe_contact_memory memory;
} vxe_particle_contact;

/* Where parts of a step bring the first of a touch, beyond its velocity at their end. */
typedef struct vxe_pose_correction {
    bool moves;
    double way[3];      /* m */
    double rotation[4]; /* w x y z */
} vxe_pose_correction;

/* Two cubes that touch by their faces: what their potential adds to the force at the middle. */
typedef struct vxe_particle_faces {
    double energy;       /* m^2, by the spring */
    double couple[2][3]; /* m^2, likewise, on each */
} vxe_particle_faces;

typedef struct vxe_particle_workspace {
    vxe_particle_contact *contact; /* (contact_capacity), by particles */
    uint32_t contact_count, contact_capacity;
    vxe_pose_correction
        *correction;    /* (contact_capacity) likewise; null where no law acts over faces */
    uint32_t *first_of; /* (N + 1) a particle's places in `in` */
    uint32_t *in;  /* (2 contact_capacity) touches of each particle, twice the index and its end */
    double *place; /* (N, 4) m: centres and radii as the list was made */
    int64_t *box;  /* (N, 3) */
    uint32_t buckets;       /* that boxes are hashed to, a power of two */
    uint32_t *bucket;       /* (N) of each particle */
    uint32_t *bucket_first; /* (buckets + 1) in sorted */
    uint32_t *sorted;       /* (N) particles, bucket by bucket */
    double skin;            /* m: centres may move half of it before the list is made again */
    bool made;
    uint8_t *moved;                 /* (threads) 1 where a particle has, too far */
    bool full;                      /* no room for a pair or contact */
    bool stiff;                     /* a contact is stiffer than the step holds */
    bool passed;                    /* a cube is where the power law has no value */
    vxe_reals *load[6];             /* (6, S) N and N m on the voxels */
    uint8_t *loaded;                /* (chunks) 1 where some voxel is a particle */
    vxe_contact_listener *listener; /* may be null */
    void *user;
} vxe_particle_workspace;

/* Particles of a design; none where it has no rules of contacts. */
vxe_status vxe_model_fill_particles(struct vxe_model *model, const vxe_design *design,
                                    struct vxe_messages *warnings, vxe_error *error);
void vxe_particles_release(vxe_particles *particles);

vxe_status vxe_workspace_particles_init(struct vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_particles_clear(struct vxe_workspace *workspace);
void vxe_workspace_particles_bind(const struct vxe_workspace *workspace);

/* Lists the pairs that may touch until a particle has moved by half the skin, if one has. By all
 * threads of a team. */
void vxe_particles_list(const struct vxe_workspace *workspace, uint32_t thread, uint32_t threads);

/* Loads of a step of h seconds from a time (s) on, and what contacts remember then. By all threads;
 * done when all have met. */
void vxe_workspace_particles(const struct vxe_workspace *workspace, double h, double time,
                             uint32_t thread, uint32_t threads);

/* A touch whose law acts over the faces of a cube. before is what it remembers, null if nothing;
 * shift may be null. */
void vxe_particle_over_faces(const struct vxe_workspace *workspace, vxe_particle_contact *contact,
                             const vxe_contact_memory *before, vxe_pose_correction *correction,
                             double h);

/* Puts particles where parts of a step have brought them, behind its drift. By all threads. */
void vxe_workspace_particles_correct(const struct vxe_workspace *workspace, uint32_t thread,
                                     uint32_t threads);

/* What the laws do at these poses in touch[], as the next step will have it; nothing else changes.
 */
void vxe_particles_measure(const struct vxe_workspace *workspace);

/* Whether two particles touch by their faces, or one with the floor; */
bool vxe_particles_are_boxes(const struct vxe_workspace *workspace,
                             const vxe_particle_contact *contact);

/* and how: gap, n and arms of a meeting whose radii are there. */
void vxe_particles_meet_boxes(const struct vxe_workspace *workspace, const uint32_t particle[2],
                              vxe_contact_geometry *m, vxe_particle_faces *faces);

/* Whether two particles are farther apart than any law reaches. Never of the floor. */
bool vxe_particles_are_far(const struct vxe_workspace *workspace,
                           const vxe_particle_contact *contact);

/* Where a particle is now and how wide, m. */
double vxe_particle_pose(const struct vxe_workspace *workspace, uint32_t particle,
                         double center[3]);

#endif
