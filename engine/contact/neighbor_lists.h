/* SPDX-License-Identifier: MIT */
/* Which voxels may touch: those with a free face, and of their pairs those that are near each
   other. The lists hold all pairs that can touch until something has moved by the skin. What they
   hold too much adds nothing, so that a run does not depend on when they were made. */
#ifndef VXE_ENGINE_CONTACT_NEIGHBOR_LISTS_H
#define VXE_ENGINE_CONTACT_NEIGHBOR_LISTS_H

#include "engine/contact/contact_kernels.h"

typedef struct vxe_contacts {
    const vxe_model *model;
    vxe_neighbor_list neighbors;
    bool made;           /* there are lists */
    double skin;         /* m: by what centres may come closer before lists are made again */
    double face_skin;    /* m: likewise faces */
    double nearer;       /* m: the most that centres may have come closer by since then */
    double about[3];     /* m/s: a velocity common to all, from which theirs differ little */
    double faces_nearer; /* m: likewise what faces may have, by turning as well */
    double travelled;    /* m: how far something may have come since then in all */
    double may_travel;   /* m: how far it may before more of its place is rounded away than is
                            counted on */
    uint32_t *linked;    /* (voxels, 6) slots of the neighbours at rest; null where nobody asks */
    uint32_t *joined;    /* (voxels, 6) of those still bonded; null where no bond can break */
} vxe_contacts;

/* Memory of pairs, and of so many words that note which bundles have some that may touch. */
bool vxe_pairs_take(vxe_pairs *pairs, uint64_t count, uint64_t words);
void vxe_pairs_clear(vxe_pairs *pairs);

/* Puts all of a range to the tick that has come: it is looked at, whatever was known of it. */
void vxe_pairs_wake(const vxe_neighbor_list *neighbors, const vxe_pairs *pairs,
                    vxe_pair_range *range);

/* Whether two voxels of a surface were never bonded, however close their cells are. */
static inline bool vxe_surface_parted(const vxe_surface *surface, uint32_t one, uint32_t two)
{
    return surface->part && surface->part[one] != surface->part[two];
}

/* Lists the pairs of voxels two cells apart, for the parts into which a surface is cut; false
 * without memory. */
bool vxe_contacts_pair(vxe_neighbor_list *neighbors, vxe_neighbor_part *parts, uint32_t part_count);

/* Sorts a surface into the order in which it is searched; false without memory. */
bool vxe_contacts_order(vxe_neighbor_list *neighbors);

/* parts: into which the surface is cut, in order; their lists are begun. */
vxe_status vxe_contacts_init(vxe_contacts *contacts, const vxe_model *model,
                             vxe_neighbor_part *parts, uint32_t part_count, vxe_error *error);
void vxe_contacts_clear(vxe_contacts *contacts);

/* Opens the faces of broken bonds. */
void vxe_contacts_break(vxe_contacts *contacts, const vxe_state *state);

/* Contacts of a body from now on, with these properties of its voxels; there are no lists of it
 * yet. */
void vxe_contacts_bind(vxe_contacts *contacts, const vxe_body_view *body,
                       const vxe_kernel_arrays *arrays);

/* Takes the voxels' places from the body and sorts them. */
void vxe_contacts_sort(vxe_contacts *contacts, const vxe_body_view *body);

/* Makes a part's lists, after the sort. */
void vxe_contacts_list(const vxe_contacts *contacts, vxe_neighbor_part *part);

/* Whether lists hold no more once voxels have moved at this pace. */
bool vxe_contacts_are_old(const vxe_contacts *contacts, const vxe_motion_bound *motion);

/* Whether bundles are to be looked at once voxels have moved at this pace, even if lists hold. */
bool vxe_contacts_are_due(const vxe_contacts *contacts, const vxe_motion_bound *motion);

/* The pace of voxels of which these are parts; of none yet, it would be no pace at all. */
vxe_motion_bound vxe_motion_bound_of_none(void);
void vxe_motion_bound_add(vxe_motion_bound *max, const vxe_motion_bound *part);

/* Counts that in, and what velocity was common. */
void vxe_contacts_spend(vxe_contacts *contacts, const vxe_motion_bound *motion);

#endif
