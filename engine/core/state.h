/* SPDX-License-Identifier: MIT */
/* What changes in a simulation, and nothing else: exactly what a checkpoint would hold. A
   structure of arrays, one slot per voxel in scan order; the lists of array_lists.h drive its
   allocation, copy and hash. */
#ifndef VXE_ENGINE_CORE_STATE_H
#define VXE_ENGINE_CORE_STATE_H

#include "common/assert_internal.h"
#include "common/status.h"
#include "engine/core/array_lists.h"
#include "engine/core/real_array.h"
#include "engine/core/voxelyze_state.h"

/* Two voxels that stick to each other (contact/sticky_links.c). */
typedef struct vxe_sticky_link {
    uint32_t place[2];   /* indices in the surface's list, the lower one first */
    double share;        /* part of a face that they share */
    double anchor[2][3]; /* m: point of contact, in each voxel's own axes */
    double rest[4];      /* orientation of the second in the axes of the first, when they touched */
} vxe_sticky_link;

/* History of a contact of two particles (contact_models/). */
typedef struct vxe_contact_memory {
    uint32_t slot[2];    /* the lower first; VXE_NONE for the floor */
    uint32_t slips;      /* 1 while the contact slips */
    uint32_t over_faces; /* 1 where the contact model acts over faces */
    double normal;       /* N */
    double shear[3];     /* N on the second, world axes */
    double stiffness;    /* N/m: stiffness along the surfaces in the step before */
    /* Of a contact model over faces: the mean acceleration that it caused in the step before
       (m/s^2 and rad/s^2), the acceleration of the first voxel by everything else of late (same
       units), and the velocity that it left (m/s and rad/s). */
    double mean[6], others[6], left[6];
} vxe_contact_memory;

/* What a pair of voxels in contact remembers from step to step (contact/penalty_law.h). */
typedef struct vxe_kept_contact {
    uint32_t upper;   /* the higher voxel, by its place in the surface's list */
    uint32_t next;    /* index of the next entry of the same lower voxel, or VXE_NONE */
    float share;      /* part of a face that they shared */
    float rest;       /* m: overlap at which the contact begins to push */
    float age;        /* s since it began */
    float shear[3];   /* m: elongation of the spring of friction, world axes */
    uint8_t faces[2]; /* free faces of both voxels, a bit each */
} vxe_kept_contact;

/* Contacts that a lower voxel of the surface remembers, at most, in the mean over a partition. */
#define VXE_MAX_KEPT_CONTACTS 12u

/* The pairs of voxels that were in contact in a step. Those of one lower voxel are linked. */
typedef struct vxe_kept_contacts {
    uint32_t *first; /* (touching) index of the first entry of each lower voxel, or VXE_NONE */
    vxe_kept_contact
        *entry; /* (touching, VXE_MAX_KEPT_CONTACTS) those of a partition follow each other */
} vxe_kept_contacts;

/* The contact of two voxels (places in the surface's list) among those that are kept; null if there
   is none. */
static inline const vxe_kept_contact *vxe_kept_contact_find(const vxe_kept_contacts *kept,
                                                            uint32_t lower, uint32_t upper)
{
    uint32_t at = kept->first[lower];
    while (at != VXE_NONE && kept->entry[at].upper != upper) {
        at = kept->entry[at].next;
    }
    return at == VXE_NONE ? NULL : &kept->entry[at];
}

typedef struct vxe_state {
    vxe_precision precision;
    uint32_t slots; /* S: voxels and padding */
    bool yields;    /* whether it has the fields of bonds */
#define VXE_STATE_MEMBER(name, NAME, in_double, in_mixed, reader, unit)                            \
    vxe_reals *name[in_mixed]; /* (components, S) */
    VXE_STATE_FIELDS(VXE_STATE_MEMBER)
#undef VXE_STATE_MEMBER
#define VXE_STATE_MEMBER(name, reader, unit) vxe_reals *name[3]; /* (3, S) */
    VXE_STATE_BOND_FIELDS(VXE_STATE_MEMBER)
#undef VXE_STATE_MEMBER
    uint64_t step;      /* steps done */
    uint64_t base_step; /* the step at which time_step was set; time = base_time + (step -
                           base_step) time_step */
    double base_time;   /* s */
    double time_step;   /* s */
    uint32_t groups;
    double *target;                /* (groups) factors that the caller sets on the edges of a
                                      group's voxels */
    vxe_sticky_link *sticky_links; /* (sticky_link_capacity), sorted by place */
    uint32_t sticky_link_count, sticky_link_capacity;
    vxe_contact_memory *particles; /* (particle_capacity), sorted by slot */
    uint32_t particle_count, particle_capacity;
    double slipped;              /* J: dissipated by slipping of particles */
    double damped;               /* J: dissipated by damping of the power law */
    uint64_t particle_events[3]; /* (by vxe_contact_event_kind) counts of events */
    double released;             /* J: energy of sticky links that have let go */
    uint32_t touching;           /* voxels of the surface; 0 where contacts remember nothing */
    vxe_kept_contacts
        kept_contacts[2]; /* by parity of the step: a step reads one and writes the other */
    vxe_voxelyze_memory *voxelyze; /* under the law of the Voxelyze family, else null */
    void *block;                   /* the memory of all fields */
} vxe_state;

/* Sizes of a state. */
typedef struct vxe_state_size {
    uint32_t slots;
    bool yields; /* whether it has the fields of bonds */
    uint32_t groups;
    uint32_t sticky_links; /* capacity */
    uint32_t particles;    /* capacity for contacts of particles */
    uint32_t touching;     /* voxels of the surface, where contacts remember something */
    vxe_voxelyze_size voxelyze;
} vxe_state_size;

/* Makes a state with all voxels at zero, unit orientations and all targets 1. */
vxe_status vxe_state_init(vxe_state *state, vxe_precision precision, vxe_state_size size,
                          vxe_error *error);
void vxe_state_clear(vxe_state *state);

/* Copies everything; both must have been made with the same sizes. vxe_state_copy_slots copies
   the arrays of slots [first, last), vxe_state_copy_beside all that is not by slot. */
void vxe_state_copy(vxe_state *to, const vxe_state *from);
void vxe_state_copy_slots(vxe_state *to, const vxe_state *from, uint32_t first, uint32_t last);
void vxe_state_copy_beside(vxe_state *to, const vxe_state *from);

double vxe_state_time(const vxe_state *state);

/* Time (s) at which a step begins. */
double vxe_state_time_at(const vxe_state *state, uint64_t step);

/* Component c of a voxel's position about the body's origin (m), of its quaternion w x y z, of
   its velocity (m/s) and of its angular velocity (rad/s). */
static inline double vxe_state_position(const vxe_state *state, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < state->slots);
    const double x = vxe_real_at(state->precision, state->x[c], slot);
    return state->x_low[c] ? x + vxe_real_at(state->precision, state->x_low[c], slot) : x;
}

static inline double vxe_state_orientation(const vxe_state *state, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 4 && slot < state->slots);
    return vxe_real_at(state->precision, state->q[c], slot);
}

double vxe_state_velocity(const vxe_state *state, int c, uint32_t slot);
double vxe_state_spin(const vxe_state *state, int c, uint32_t slot);

void vxe_state_put_position(vxe_state *state, int c, uint32_t slot, double value);
void vxe_state_put_orientation(vxe_state *state, int c, uint32_t slot, double value);
void vxe_state_put_velocity(vxe_state *state, int c, uint32_t slot, double value);
void vxe_state_put_spin(vxe_state *state, int c, uint32_t slot, double value);

/* Whether all numbers of the first `voxels` slots are finite. */
bool vxe_state_is_finite(const vxe_state *state, uint32_t voxels);

/* Bytes of the block of all fields. */
uint64_t vxe_state_block_bytes(const vxe_state *state);

/* The whole state as bytes: so many, for all states made with the same sizes; written; and read
   into such a state. */
uint64_t vxe_state_bytes(const vxe_state *state);
void vxe_state_pack(const vxe_state *state, uint8_t *into);
void vxe_state_unpack(vxe_state *state, const uint8_t *from);

/* Hash over the voxels in the order given (slot of each), fields in table order, then everything
   that is not by slot, and the step count. */
uint64_t vxe_state_hash(const vxe_state *state, const uint32_t *order, uint32_t voxels);

#endif
