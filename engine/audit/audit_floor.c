/* SPDX-License-Identifier: MIT */
/* The level and the uneven floor in the energy audit. Its force is the mean over the way of a step,
   from half a step before its place to half a step behind (floor/impact_law.h), and so its energy
   is that at the ends of ways: there it changes by exactly the work that the force does. */
#include <math.h>

#include "common/assert_internal.h"
#include "engine/audit/audit_parts.h"
#include "engine/audit/audit_reads.h"
#include "engine/floor/impact_law.h"

double vxe_audit_floor_energy(const vxe_workspace *workspace, const vxe_state *rates, double h)
{
    VXE_ASSERT(h > 0 && rates->slots == workspace->model->slots);
    const double back = workspace->arrays.floor_rule ? 0 : -0.5 * h;
    const bool has_floor = workspace->arrays.floor_stiffness != NULL;
    double energy = 0;
    for (uint32_t i = 0; i < workspace->model->topology.voxel_count && has_floor; i++) {
        double move[3];
        for (int c = 0; c < 3; c++) {
            move[c] = back * rate(rates, c, i);
        }
        energy += vxe_floor_energy_of(workspace, i, move);
    }
    return energy;
}

/* By other rules than the native one the floor has its force at the step's place, and its dashpot
   in contact alone. */
static void account_at_start(vxe_energy_audit *audit, const vxe_workspace *workspace, uint32_t slot,
                             const vxe_floor_contact *touch, double h)
{
    const double dashpot = at(workspace, workspace->arrays.floor_dashpot, slot);
    double speed = 0;
    double way = 0;
    for (int c = 0; c < 3; c++) {
        speed += rate(&audit->mark[VXE_MARK_START], c, slot) * touch->normal[c];
        way += is_free(workspace, c, slot) ? mean_rate(audit, c, slot) * touch->normal[c] * h : 0;
    }
    const double spring = touch->stiffness * touch->depth;
    const double dash = workspace->arrays.floor_rule == VXE_FLOOR_SPRING_FRICTION
                            ? fmin(dashpot * speed, spring)
                            : dashpot * speed;
    audit->energy.dissipated_contact += touch->depth > 0 ? dash * way : 0;
}

/* The loss is what the floor's force takes beside its spring; on prescribed freedoms the force acts
   against what moves them. */
static void account_touch(vxe_energy_audit *audit, const vxe_workspace *workspace, uint32_t slot,
                          const vxe_floor_contact *touch, double h)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const double k = touch->stiffness;
    const double dashpot = at(workspace, s->floor_dashpot, slot);
    double speed[3] = {0}; /* before, after the floor's force, at the end of the step */
    double way[2] = {0};   /* m: of prescribed freedoms, of free ones */
    double inverse = 0;
    for (int c = 0; c < 3; c++) {
        const double along = touch->normal[c];
        speed[0] += rate(&audit->mark[VXE_MARK_START], c, slot) * along;
        speed[1] += rate(&audit->mark[VXE_MARK_FLOOR], c, slot) * along;
        speed[2] += rate(&audit->mark[VXE_MARK_END], c, slot) * along;
        way[is_free(workspace, c, slot)] += mean_rate(audit, c, slot) * along * h;
        inverse += at(workspace, s->inverse_mass[c], slot) * along * along;
    }
    const double force =
        impact_of_way(touch->depth, -speed[0], -speed[1], k, dashpot, inverse, h).force;
    const double spring =
        impact_of_way(touch->depth, -speed[0], -speed[2], k, dashpot, inverse, h).spring;
    audit->energy.dissipated_contact -= (force - spring) * (way[0] + way[1]);
    audit->energy.work_external -= force * way[0];
}

void vxe_audit_floor(vxe_energy_audit *audit, const vxe_workspace *workspace, uint32_t slot,
                     double h)
{
    const vxe_floor_contact touch = vxe_floor_contact_measure(workspace, slot);
    if (workspace->arrays.floor_rule) {
        account_at_start(audit, workspace, slot, &touch, h);
    } else {
        account_touch(audit, workspace, slot, &touch, h);
    }
}
