/* SPDX-License-Identifier: MIT */
/* Independent affine bodies in lanes: which bodies qualify, and groups of equal traits, which one
   vector kernel can advance together; see affine_lanes.h. */
#include "engine/affine/affine_lanes.h"
#include "common/assert_internal.h"
#include "engine/affine/affine_group.h"

bool vxe_affine_go_alone(const vxe_affine_group *group)
{
    bool alone = !group->hulls;
    for (uint32_t b = 0; b < group->count && group->plane_count > 0; b++) {
        alone = alone && group->bodies[b].patch_count == 0;
    }
    return alone;
}

void vxe_affine_set_out(const vxe_affine_group *group, vxe_affine_way *ways,
                        const vxe_affine_clock *clock, uint64_t step, uint64_t until)
{
    VXE_ASSERT(step < until);
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine *body = &group->bodies[b];
        ways[b] = (vxe_affine_way){.own = (const double *)&body->own,
                                   .formulas = body->formulas,
                                   .is = body->own.is,
                                   .state = (double *)&group->states[b],
                                   .clock = *clock,
                                   .step = step,
                                   .until = until,
                                   .body = b};
    }
}

static bool are_alike(const vxe_affine_traits *a, const vxe_affine_traits *b)
{
    return a->rigid == b->rigid && a->isochoric == b->isochoric && a->pinned == b->pinned &&
           a->hold_center == b->hold_center && a->hold_deformation == b->hold_deformation &&
           a->keeps_volume == b->keeps_volume && a->grows == b->grows && a->driven == b->driven &&
           a->viscous == b->viscous && a->forced == b->forced;
}

void vxe_affine_run_ways(const vxe_affine_kernels *kernels, vxe_affine_way *ways, uint32_t count)
{
    uint32_t first = 0;
    while (first < count) {
        uint32_t end = first + 1;
        for (uint32_t i = end; i < count; i++) {
            if (are_alike(&ways[first].is, &ways[i].is)) {
                const vxe_affine_way way = ways[end];
                ways[end++] = ways[i];
                ways[i] = way;
            }
        }
        VXE_ASSERT(first < end && end <= count);
        kernels->run(ways + first, end - first);
        first = end;
    }
}

vxe_status vxe_affine_advance_alone(const vxe_affine_group *group, const vxe_affine_clock *clock,
                                    uint64_t step, uint64_t until, vxe_error *error)
{
    const vxe_affine_way *failed = NULL;
    VXE_ASSERT(group->count == 0 || group->ways);
    for (uint32_t b = 0; b < group->count; b++) {
        group->now[b].state = group->states[b];
    }
    vxe_affine_set_out(group, group->ways, clock, step, until);
    vxe_affine_run_ways(vxe_affine_kernels_of(group->kernels), group->ways, group->count);
    for (uint32_t i = 0; i < group->count; i++) {
        const vxe_affine_way *way = &group->ways[i];
        VXE_ASSERT(way->body < group->count);
        if (way->fate != VXE_AFFINE_GOES_ON &&
            (!failed || way->step < failed->step ||
             (way->step == failed->step && way->body < failed->body))) {
            failed = way;
        }
    }
    for (uint32_t b = 0; b < group->count && failed; b++) {
        group->states[b] = group->now[b].state;
    }
    return failed ? vxe_affine_complain(&group->bodies[failed->body], failed->time, failed->fate,
                                        error)
                  : VXE_OK;
}

VXE_KERNELS_BY_ISA(vxe_affine_kernels)
