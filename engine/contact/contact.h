/* SPDX-License-Identifier: MIT */
/* The door of contact/: voxels that collide, from the surface of a body to the loads of a step. */
#ifndef VXE_ENGINE_CONTACT_CONTACT_H
#define VXE_ENGINE_CONTACT_CONTACT_H

#include "engine/contact/contact_kernels.h"
#include "engine/contact/neighbor_lists.h"
#include "engine/model/workspace.h"

/* The workspace of contacts. */
typedef struct vxe_contact_workspace {
    vxe_contacts lists;
    vxe_neighbor_part *parts; /* (partitions) of the surface */
    bool sticky_links_full;   /* voxels would stick, but all sticky links are in use */
    vxe_body_view body;
    double *pressed; /* (N) N by the surface's list: sizes of contact forces, when last sampled */
} vxe_contact_workspace;

/* Finds the voxels that can collide, if the design has self-collision. */
vxe_status vxe_model_fill_surface(vxe_model *model, const vxe_design *design, vxe_error *error);
void vxe_surface_clear(vxe_surface *surface);

/* Takes the memory of contacts. */
vxe_status vxe_workspace_contacts_init(vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_contacts_clear(vxe_workspace *workspace);

/* Points contacts at the bound state. */
void vxe_workspace_contacts_bind(vxe_workspace *workspace);

/* Marks the lists as no longer valid: call it after a voxel was placed by hand or has grown between
   steps. */
void vxe_workspace_contacts_forget(const vxe_workspace *workspace);

/* Renews the lists of the bound state where needed, and checks bundles that are due. */
void vxe_workspace_contacts_renew(const vxe_workspace *workspace);

/* N: sizes of the spring forces of contacts at the voxels of the surface's list, in the bound
   state. */
const double *vxe_workspace_contacts_sample(const vxe_workspace *workspace);

/* Adds a load (N, N m) to the contact loads of a voxel, by its place in the surface's list. By one
   thread, after vxe_workspace_contacts. */
void vxe_workspace_contacts_load(const vxe_workspace *workspace, uint32_t place,
                                 const double six[6]);

/* Adds the motion of a chunk's voxels in a drift of h seconds to the motion bound of a partition.
 */
void vxe_workspace_contacts_moved(const vxe_workspace *workspace, vxe_partition *partition,
                                  uint32_t chunk, double h);

/* Computes the loads of contacts for the step of this number, whose kick is h seconds. Called by
   every thread of a team; the pass after it must have a barrier before any voxel moves. */
void vxe_workspace_contacts(const vxe_workspace *workspace, uint32_t thread, uint32_t threads,
                            uint64_t step, double h);

/* Whether pairs may come into contact in the step of this number other than by moving: it is the
   first one, or bonds have broken in it. */
bool vxe_workspace_contacts_open(const vxe_workspace *workspace, uint64_t step);

/* What has failed in a part of a surface in this step. */
vxe_failure vxe_contacts_failure(const vxe_surface *surface, const vxe_neighbor_part *part);

/* A force (N) on the second voxel, its opposite on the first, and the moments (N m) on both. */
typedef struct vxe_contact_share {
    double force[3];
    double moment[2][3];
} vxe_contact_share;

/* Energy and forces of one contact, or of one sticky link. */
typedef struct vxe_contact_sample {
    double energy; /* J */
    double share;  /* part of a face that the voxels share; 0 of a sticky link */
    vxe_contact_share spring, dashpot, friction;
} vxe_contact_sample;

/* 1/kg of a voxel in its most mobile direction; 0 if all are fixed. */
double vxe_max_inverse_mass(const vxe_workspace *workspace, uint32_t slot);

/* The penalty law of one pair, given by places in the surface's list, at the poses of the bound
   state and the rates of state `rates`, for a kick of h seconds. */
vxe_contact_sample vxe_contact_pair_measure(const vxe_workspace *workspace, uint32_t first,
                                            uint32_t second, const vxe_state *rates, double h);

/* The forces of one sticky link at the poses of the bound state and the rates of state `rates`, for
   a kick of h seconds. */
vxe_contact_sample vxe_sticky_link_measure(const vxe_workspace *workspace,
                                           const vxe_sticky_link *link, const vxe_state *rates,
                                           double h);

/* Links sticky voxels that touch in this step, releases links that are pulled too hard, and adds
   the loads of the others. */
void vxe_workspace_stick(const vxe_workspace *workspace, double h);

/* The kernels of this folder in the instruction set (and precision) of `kernels`. */
const vxe_contact_kernels *vxe_contact_kernels_of(const vxe_kernels *kernels);
const vxe_broad_phase_kernels *vxe_broad_phase_kernels_of(const vxe_kernels *kernels);

#endif
