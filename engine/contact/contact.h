/* SPDX-License-Identifier: MIT */
/* The door of contact/: voxels that collide, from the surface that may touch to the loads of a
 * step. */
#ifndef VXE_ENGINE_CONTACT_CONTACT_H
#define VXE_ENGINE_CONTACT_CONTACT_H

#include "engine/contact/contact_kernels.h"
#include "engine/contact/neighbor_lists.h"
#include "engine/model/workspace.h"

/* What contacts need. */
typedef struct vxe_contact_workspace {
    vxe_contacts lists;
    vxe_neighbor_part *parts; /* (partitions) of the surface */
    bool sticky_links_full;   /* voxels would stick for which there is no link left */
    vxe_body_view body;
    double *pressed; /* (N) N of the surface's list: how hard others push, once that was asked */
} vxe_contact_workspace;

/* The voxels that can collide, where the design asks for it. */
vxe_status vxe_model_fill_surface(vxe_model *model, const vxe_design *design, vxe_error *error);
void vxe_surface_clear(vxe_surface *surface);

/* Memory of contacts, and pointing them at the bound state. */
vxe_status vxe_workspace_contacts_init(vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_contacts_clear(vxe_workspace *workspace);
void vxe_workspace_contacts_bind(vxe_workspace *workspace);

/* Makes new lists when they are needed next: something was moved by hand, or has
 * grown between steps. */
void vxe_workspace_contacts_forget(const vxe_workspace *workspace);

/* Lists of the pairs that are near each other in the bound state. */
void vxe_workspace_contacts_renew(const vxe_workspace *workspace);

/* How hard the springs of contacts push at the voxels of the surface's list in the bound state,
   N. */
const double *vxe_workspace_contacts_sample(const vxe_workspace *workspace);

/* Adds a load (N, N m) to what contacts do to a voxel of the surface, by its place in the list; by
 * one thread, behind vxe_workspace_contacts. */
void vxe_workspace_contacts_load(const vxe_workspace *workspace, uint32_t place,
                                 const double six[6]);

/* Counts in what voxels of a chunk of a partition have done in a drift of h seconds. */
void vxe_workspace_contacts_moved(const vxe_workspace *workspace, vxe_partition *partition,
                                  uint32_t chunk, double h);

/* Loads of contacts for a step whose kick is h seconds; by every thread of a team, before a pass
 * whose threads meet before they move anything. */
void vxe_workspace_contacts(const vxe_workspace *workspace, uint32_t thread, uint32_t threads,
                            double h);

/* A force (N) on the second voxel, its opposite on the first, and the moments (N m) on both. */
typedef struct vxe_contact_share {
    double force[3];
    double moment[2][3];
} vxe_contact_share;

typedef struct vxe_contact_sample {
    double energy; /* J */
    double share;  /* of a face that they share; 0 of a link */
    vxe_contact_share spring, dashpot, friction;
} vxe_contact_sample;

/* 1/kg of a voxel in its most mobile direction; 0 if all are fixed. */
double vxe_max_inverse_mass(const vxe_workspace *workspace, uint32_t slot);

/* A pair of the surface's list that may touch, by places in it, as the penalty law has it in the
 * bound state's poses at the rates of state `rates`, in a kick of h seconds. */
vxe_contact_sample vxe_contact_pair_measure(const vxe_workspace *workspace, uint32_t first,
                                            uint32_t second, const vxe_state *rates, double h);

/* What a link does in the bound state's poses at the rates of state `rates`, in a kick of h s. */
vxe_contact_sample vxe_sticky_link_measure(const vxe_workspace *workspace,
                                           const vxe_sticky_link *link, const vxe_state *rates,
                                           double h);

/* Links the sticky voxels that touch by the step's lists, lets those go that are pulled too hard,
 * and adds the loads of the others. */
void vxe_workspace_stick(const vxe_workspace *workspace, double h);

const vxe_contact_kernels *vxe_contact_kernels_of(const vxe_kernels *kernels);
const vxe_broad_phase_kernels *vxe_broad_phase_kernels_of(const vxe_kernels *kernels);

#endif
