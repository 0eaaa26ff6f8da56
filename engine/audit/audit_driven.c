/* SPDX-License-Identifier: MIT */
/* What moves voxels as prescribed does against springs, weight and magnets. */
#include <math.h>

#include "engine/audit/audit_parts.h"
#include "engine/audit/audit_reads.h"

/* Work of prescribed degrees of freedom against the springs of contacts, at this step's last
   velocities. */
static void account_driven_contacts(vxe_energy_audit *audit, const vxe_workspace *workspace,
                                    double h)
{
    const vxe_state *now = &audit->mark[VXE_MARK_END];
    vxe_contact_place pair = {0};
    vxe_workspace_contacts_renew(workspace);
    while (vxe_contact_next(workspace, &pair)) {
        const vxe_contact_sample sample = vxe_contact_measure(workspace, &pair, now, h);
        for (int end = 0; end < 2; end++) {
            for (int c = 0; c < 6 && pair.slot[end] != VXE_NONE; c++) {
                const uint32_t slot = pair.slot[end];
                audit->energy.work_external -=
                    is_free(workspace, c, slot)
                        ? 0
                        : load_of(&sample.spring, end, c) * rate(now, c, slot) * h;
            }
        }
    }
}

/* Work of prescribed translations against weight, and a floor that pulls: else audit_floor.c has
   the floor's. */
static void account_driven_weight(vxe_energy_audit *audit, const vxe_workspace *workspace, double h)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_state *now = &audit->mark[VXE_MARK_END];
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        double force[3];
        for (int c = 0; c < 3; c++) {
            force[c] = at(workspace, s->mass, i) * s->gravity[c];
        }
        if (s->floor_stiffness && s->floor_rule) {
            const vxe_floor_contact floor_contact = vxe_floor_contact_measure(workspace, i);
            for (int c = 0; c < 3; c++) {
                force[c] += floor_contact.stiffness * fmax(floor_contact.depth, 0) *
                            floor_contact.normal[c];
            }
        }
        for (int c = 0; c < 3; c++) {
            audit->energy.work_external -=
                is_free(workspace, c, i) ? 0 : force[c] * rate(now, c, i) * h;
        }
    }
}

/* Work of prescribed degrees of freedom against magnets. */
static void account_driven_magnets(vxe_energy_audit *audit, const vxe_workspace *workspace,
                                   double h, double time)
{
    if (!workspace->magnets || pulls_without_potential(workspace)) {
        return;
    }
    const vxe_state *now = &audit->mark[VXE_MARK_END];
    vxe_magnets_measure(workspace, time);
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count; i++) {
        for (int c = 0; c < 6; c++) {
            audit->energy.work_external -=
                is_free(workspace, c, i)
                    ? 0
                    : at(workspace, workspace->magnets->load[c], i) * rate(now, c, i) * h;
        }
    }
}

void vxe_audit_driven(vxe_energy_audit *audit, const vxe_workspace *workspace, double h,
                      double time)
{
    vxe_bond_place place = {.at = UINT64_MAX};
    if (workspace->model->driven_count > 0) {
        account_driven_contacts(audit, workspace, h);
        account_driven_weight(audit, workspace, h);
        account_driven_magnets(audit, workspace, h, time);
        vxe_workspace_poisson(workspace, 0, 1);
    }
    while (workspace->model->driven_count && vxe_bond_next(workspace->model, &place)) {
        const vxe_bond_sample bond = vxe_bond_measure(workspace, &place);
        for (int c = 0; c < 6; c++) {
            const double upper = c < 3 ? bond.force[c] : bond.moment_upper[c - 3];
            const double lower = c < 3 ? -bond.force[c] : bond.moment_lower[c - 3];
            const vxe_state *now = &audit->mark[VXE_MARK_END];
            audit->energy.work_external -=
                is_free(workspace, c, place.upper) ? 0 : upper * rate(now, c, place.upper) * h;
            audit->energy.work_external -=
                is_free(workspace, c, place.lower) ? 0 : lower * rate(now, c, place.lower) * h;
        }
    }
}
