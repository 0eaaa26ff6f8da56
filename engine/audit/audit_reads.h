/* SPDX-License-Identifier: MIT */
/* What the parts of the energy audit read: velocities, inertias and shares of contacts. */
#ifndef VXE_ENGINE_AUDIT_AUDIT_READS_H
#define VXE_ENGINE_AUDIT_AUDIT_READS_H

#include "common/assert_internal.h"
#include "engine/audit/audit.h"

/* One of a voxel's six velocity components. */
static inline double rate(const vxe_state *state, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 6);
    return c < 3 ? vxe_state_velocity(state, c, slot) : vxe_state_spin(state, c - 3, slot);
}

/* A number of one of the kernels' arrays. */
static inline double at(const vxe_workspace *workspace, const vxe_reals *array, uint32_t slot)
{
    return vxe_real_at(workspace->model->precision, array, slot);
}

/* Mean of a velocity component at the start and the end of the step's velocity changes. */
static inline double mean_rate(const vxe_energy_audit *audit, int c, uint32_t slot)
{
    return 0.5 * (rate(&audit->mark[VXE_MARK_START], c, slot) +
                  rate(&audit->mark[VXE_MARK_END], c, slot));
}

static inline double inertia_of(const vxe_workspace *workspace, int c, uint32_t slot)
{
    return at(workspace, workspace->arrays.mass, slot) *
           (c < 3 ? 1 : vxe_gyration(workspace->model->precision, &workspace->arrays, slot));
}

static inline bool is_free(const vxe_workspace *workspace, int c, uint32_t slot)
{
    return at(workspace,
              c < 3 ? workspace->arrays.inverse_mass[c] : workspace->arrays.inverse_inertia[c - 3],
              slot) > 0;
}

/* Whether the work of magnets is external: capped dipoles have no potential, and neither have the
   impulses of dipoles that act in every k-th step. */
static inline bool pulls_without_potential(const vxe_workspace *workspace)
{
    const vxe_magnets *magnets = workspace->model->magnets;
    return magnets && magnets->pairs && (magnets->cap > 0 || magnets->every > 1);
}

/* Force or moment of a part of a contact on one of its ends, in one degree of freedom. */
static inline double load_of(const vxe_contact_share *share, int end, int c)
{
    const double force = end == 0 ? -share->force[c % 3] : share->force[c % 3];
    return c < 3 ? force : share->moment[end][c - 3];
}

#endif
