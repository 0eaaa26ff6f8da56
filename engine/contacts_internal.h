/* SPDX-License-Identifier: MIT */
/* Which voxels may touch: those with a free face, and for each of them the others near it. The
   lists hold all pairs that can touch until something has moved by the skin. What they hold too
   much adds nothing, so that a run does not depend on when they were made. */
#ifndef VXE_ENGINE_CONTACTS_INTERNAL_H
#define VXE_ENGINE_CONTACTS_INTERNAL_H

#include "engine/model_internal.h"

typedef struct vxe_contacts {
    const vxe_model *model;
    vxe_near near;
    bool made;        /* there are lists */
    float *about[3];  /* (3, N) m: where voxels were about the first one, in the surface's order */
    void *ends;       /* see vxe_contact_job */
    uint32_t *linked; /* (voxels, 6) slots of the neighbours at rest; null where nobody asks */
    uint32_t *joined; /* (voxels, 6) of those still bonded; null where no bond can break */
} vxe_contacts;

vxe_status vxe_contacts_init(vxe_contacts *contacts, const vxe_model *model, vxe_error *error);
void vxe_contacts_clear(vxe_contacts *contacts);

/* Opens the faces of broken bonds. */
void vxe_contacts_break(vxe_contacts *contacts, const vxe_state *state);

/* Takes the voxels' places from a body and sorts them. */
void vxe_contacts_sort(vxe_contacts *contacts, const vxe_body_view *body);

/* Makes the lists of voxels [first, last) of the surface, after the sort. Returns the first one
   that has more others near it than its list can hold, or VXE_NONE. */
uint32_t vxe_contacts_list(vxe_contacts *contacts, uint32_t first, uint32_t last);

/* Whether a body may have moved by the skin since its lists were made. */
bool vxe_contacts_are_old(const vxe_contacts *contacts, const vxe_stray *stray);

#endif
