/* SPDX-License-Identifier: MIT */
/* Neighbour lists: the pairs of surface voxels that can touch before anything has moved by the
   skin. Pairs that a list holds without need add no force, so that a run does not depend on when
   lists were made. */
#ifndef VXE_ENGINE_CONTACT_NEIGHBOR_LISTS_H
#define VXE_ENGINE_CONTACT_NEIGHBOR_LISTS_H

#include "engine/contact/contact_kernels.h"

/* The lists of a body, and how far its voxels may have moved since they were made. */
typedef struct vxe_contacts {
    const vxe_model *model;
    vxe_neighbor_list neighbors;
    bool made;           /* the lists are valid */
    double skin;         /* m: largest approach of centres before lists are made again */
    double face_skin;    /* m: largest approach of faces before lists are made again */
    double nearer;       /* m: bound of the approach of centres since lists were made */
    double about[3];     /* m/s: the velocity that motion is measured against; close to all */
    double faces_nearer; /* m: bound of the approach of faces since then, turning included */
    double travelled;    /* m: bound of the distance travelled since then */
    double may_travel;   /* m: largest distance for which `slack` still bounds rounding */
    double
        spread_rate; /* m/s: bound of the speed of two voxels against each other in the last step */
    uint32_t *linked; /* (voxels, 6) slots of the bonded neighbours: with spheres those at rest,
                         else    those whose bonds still hold; null where no bond matters */
} vxe_contacts;

/* Takes memory of so many pairs, and of so many words of `touched`; false without memory. */
bool vxe_pairs_take(vxe_pairs *pairs, uint64_t count, uint64_t words);
void vxe_pairs_clear(vxe_pairs *pairs);

/* Puts all bundles of a range into the present slot of the wheel: all are checked next. */
void vxe_pairs_wake(const vxe_neighbor_list *neighbors, const vxe_pairs *pairs,
                    vxe_pair_range *range);

/* Whether two voxels, at most one cell apart along each axis, are not joined closely by bonds, and
   so collide: those of different bodies. */
static inline bool vxe_surface_apart(const vxe_surface *surface, uint32_t one, uint32_t two)
{
    const int32_t *from = surface->cell + 3ull * one;
    const int32_t *to = surface->cell + 3ull * two;
    const int32_t bit = to[0] - from[0] + 1 + 3 * (to[1] - from[1] + 1) + 9 * (to[2] - from[2] + 1);
    VXE_ASSERT(bit >= 0 && bit < 27);
    return surface->apart[one] >> bit & 1;
}

/* Makes the constant lists, of voxels two cells apart, for the parts of a surface; false without
   memory. */
bool vxe_contacts_pair(vxe_neighbor_list *neighbors, vxe_neighbor_part *parts, uint32_t part_count);

/* Sorts a small surface into the order in which it is searched; false without memory. */
bool vxe_contacts_order(vxe_neighbor_list *neighbors);

/* Takes the memory of lists. parts: those into which the surface is cut, in order, one for each
   thread that makes lists. */
vxe_status vxe_contacts_init(vxe_contacts *contacts, const vxe_model *model,
                             vxe_neighbor_part *parts, uint32_t part_count, vxe_error *error);
void vxe_contacts_clear(vxe_contacts *contacts);

/* Opens the faces of bonds that are broken in a state; lists must be made again. */
void vxe_contacts_break(vxe_contacts *contacts, const vxe_state *state);

/* Binds the lists to a body with these properties of voxels; lists must be made again. */
void vxe_contacts_bind(vxe_contacts *contacts, const vxe_body_view *body,
                       const vxe_kernel_arrays *arrays);

/* Takes a snapshot of the body and sorts it; by one thread, before vxe_contacts_list. */
void vxe_contacts_sort(vxe_contacts *contacts, const vxe_body_view *body);

/* Makes the lists of a part from the sorted snapshot. */
void vxe_contacts_list(const vxe_contacts *contacts, vxe_neighbor_part *part);

/* Whether lists are no longer complete after this motion. */
bool vxe_contacts_are_old(const vxe_contacts *contacts, const vxe_motion_bound *motion);

/* Whether a tick of a wheel comes with this motion, so that bundles must be checked. */
bool vxe_contacts_are_due(const vxe_contacts *contacts, const vxe_motion_bound *motion);

/* The motion bound of no voxels, to which others are added. */
vxe_motion_bound vxe_motion_bound_of_none(void);

/* Makes max the motion bound of its own voxels and those of part. */
void vxe_motion_bound_add(vxe_motion_bound *max, const vxe_motion_bound *part);

/* Counts a motion in: advances the clocks, and finds the velocity for `about`. */
void vxe_contacts_spend(vxe_contacts *contacts, const vxe_motion_bound *motion);

#endif
