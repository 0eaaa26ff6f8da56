/* SPDX-License-Identifier: MIT */
/* The public header of contact_models/. Particles are voxels whose contacts follow a model that the
   design chooses (materials/contact_law.h): as spheres as wide as their edges, or as cubes by their
   faces; the floor is a wall of such a model. In each step a neighbour list has the pairs that may
   touch, the model of each pair computes its force, and each particle sums the forces of its pairs
   in the order of their partners, so that the result does not depend on the number of threads. The
   history of contacts is stored in the state. */
#ifndef VXE_ENGINE_CONTACT_MODELS_CONTACT_MODELS_H
#define VXE_ENGINE_CONTACT_MODELS_CONTACT_MODELS_H

#include "engine/contact_models/model_interface.h"
#include "engine/core/arrays.h"
#include "engine/world.h"
#include "lattice/design.h"

struct vxe_model;
struct vxe_workspace;
struct vxe_messages;

/* Capacity for contacts, per particle. Twelve equal spheres fit around a sphere. */
#define VXE_MAX_PARTICLE_CONTACTS 16u
/* Capacity of the neighbour list, per particle; each pair counts with its first particle. */
#define VXE_MAX_PARTICLE_PAIRS 48u

/* The constants of a design's particles. */
typedef struct vxe_particles {
    uint32_t count;     /* N */
    uint32_t *slot;     /* (N) ascending */
    uint32_t *material; /* (N) materials */
    int32_t *cell;      /* (N, 3) of the lattice */
    uint8_t *round;     /* (N) 1 for spheres */
    uint8_t *faces;     /* (N) free faces: +x -x +y -y +z -z, a bit each */
    uint32_t *body;     /* (N) bodies: neighbours within one body are bonded */
    uint32_t sides;     /* sides that a rule can name: the materials, then the floor */
    uint32_t *pair_of;  /* (sides, sides) index in pairs, or VXE_NONE without a rule */
    vxe_particle_pair *pairs;
    uint32_t pair_count;
    bool boxes;      /* some cubes touch by their faces */
    double reach;    /* m: maximum gap at which a model acts */
    bool over_faces; /* some model acts over faces */
    double lambda_k; /* 1/s^2: maximum that springs add to the largest eigenvalue */
    double lambda_c; /* 1/s: the same of dashpots, which are always integrated explicitly */
    double longest;  /* s: maximum step that resolves a collision */
} vxe_particles;

/* A pair of particles that may touch, or a particle and the floor (VXE_NONE), with the forces of
   its last step. */
typedef struct vxe_particle_contact {
    uint32_t particle[2]; /* indices, the lower first; VXE_NONE for the floor */
    const vxe_particle_pair *pair;
    bool active, slips;
    bool stiff;          /* too stiff for the step to be stable */
    bool passed;         /* a cube is in the floor, where the power law has no value */
    uint8_t events;      /* bits 1 << vxe_contact_event_kind */
    double arm[2][3];    /* m */
    double spring[3];    /* N: on the second */
    double dashpot[3];   /* N: on the second */
    double couple[2][3]; /* N m: moments of the spring on both, in addition to arm x force */
    double faces[6];     /* N and N m on the first: mean load of a model over faces */
    double energy;       /* J */
    double lost;         /* J: by slipping in this step */
    double damped;       /* J: by damping in this step, of a model over faces */
    vxe_contact_memory memory;
} vxe_particle_contact;

/* Correction of the pose of a contact's first particle: where the parts of its step lead, minus
   where a drift of the whole step at its last velocity leads. */
typedef struct vxe_pose_correction {
    bool moves;
    double way[3];      /* m */
    double rotation[4]; /* w x y z */
} vxe_pose_correction;

/* Energy and moments of the potential of two cubes that touch by their faces, divided by the
   stiffness of the spring. */
typedef struct vxe_particle_faces {
    double energy;       /* m^2 */
    double couple[2][3]; /* m^2: moment on each, in addition to that of the force at the middle */
} vxe_particle_faces;

typedef struct vxe_particle_workspace {
    vxe_particle_contact *contact; /* (contact_capacity) neighbour list, sorted by particles */
    uint32_t contact_count, contact_capacity;
    vxe_pose_correction
        *correction;    /* (contact_capacity) likewise; null if no model acts over faces */
    uint32_t *first_of; /* (N + 1) first index in `in` of a particle's contacts */
    uint32_t *in;  /* (2 contact_capacity) contacts of each particle: 2 index + end, end 0 or 1 */
    double *place; /* (N, 4) m: centres and radii when the list was made */
    int64_t *box;  /* (N, 3) cell of each particle */
    uint32_t buckets;       /* number of hash buckets of cells, a power of two */
    uint32_t *bucket;       /* (N) hash bucket of each particle */
    uint32_t *bucket_first; /* (buckets + 1) first index in `sorted` of a bucket */
    uint32_t *sorted;       /* (N) particles, bucket by bucket */
    double skin;            /* m: the list stays valid until a centre has moved by half of it */
    bool made;              /* the list has been made for this state */
    uint8_t *moved;         /* (threads) 1 if a particle has moved too far */
    bool full;              /* the list or the state had no capacity for a pair */
    bool stiff;             /* a contact is too stiff for the step to be stable */
    bool passed;            /* a cube is in the floor, where the power law has no value */
    vxe_reals *load[6];     /* (6, S) N and N m on the voxels */
    uint8_t *loaded;        /* (chunks) 1 if a voxel of the chunk is a particle */
    vxe_contact_listener *listener; /* may be null */
    void *user;
} vxe_particle_workspace;

/* Compiles the particles of a design; without contact rules there are none. */
vxe_status vxe_model_fill_particles(struct vxe_model *model, const vxe_design *design,
                                    struct vxe_messages *warnings, vxe_error *error);
void vxe_particles_release(vxe_particles *particles);

/* Takes, releases and resets the memory of particles in a workspace; nothing if there are none. */
vxe_status vxe_workspace_particles_init(struct vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_particles_clear(struct vxe_workspace *workspace);
void vxe_workspace_particles_bind(const struct vxe_workspace *workspace);

/* Makes the neighbour list again if a particle has moved by half the skin. Called by all threads of
 * a team. */
void vxe_particles_list(const struct vxe_workspace *workspace, uint32_t thread, uint32_t threads);

/* Computes the loads of a step of h seconds from a time (s) on, and the new history of contacts.
 * Called by all threads; the results are complete after the next barrier. */
void vxe_workspace_particles(const struct vxe_workspace *workspace, double h, double time,
                             uint32_t thread, uint32_t threads);

/* Computes a contact whose model acts over the faces of a cube. before is its history, null without
 * one. correction may be null: then the load is computed and nothing moves. */
void vxe_particle_over_faces(const struct vxe_workspace *workspace, vxe_particle_contact *contact,
                             const vxe_contact_memory *before, vxe_pose_correction *correction,
                             double h);

/* Applies the pose corrections after the drift. Called by all threads. */
void vxe_workspace_particles_correct(const struct vxe_workspace *workspace, uint32_t thread,
                                     uint32_t threads);

/* Computes contact[] at the present poses, as the next step will; nothing else changes. */
void vxe_particles_measure(const struct vxe_workspace *workspace);

/* Whether a contact is one of cubes by their faces, or of such a cube and the floor. */
bool vxe_particles_are_boxes(const struct vxe_workspace *workspace,
                             const vxe_particle_contact *contact);

/* Geometry of two cubes that touch by their faces: fills gap, n and arms; radii must be filled. */
void vxe_particles_box_geometry(const struct vxe_workspace *workspace, const uint32_t particle[2],
                                vxe_contact_geometry *m, vxe_particle_faces *faces);

/* Whether two particles are farther apart than the reach of any model; false for the floor. */
bool vxe_particles_are_far(const struct vxe_workspace *workspace,
                           const vxe_particle_contact *contact);

/* Centre of a particle (m); returns its radius (m). */
double vxe_particle_pose(const struct vxe_workspace *workspace, uint32_t particle,
                         double center[3]);

#endif
