/* SPDX-License-Identifier: MIT */
/* Contacts of the robots of a group: each has lists of its own, and is seen as a body whose numbers
   stand a vector apart. */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes_internal.h"

/* Fields of a voxel that lists depend on, in the order in which they are kept. */
static const uint32_t kept_fields[VXE_LANE_WERE] = {VXE_LANE_X,     VXE_LANE_X + 1, VXE_LANE_X + 2,
                                                    VXE_LANE_Q,     VXE_LANE_Q + 1, VXE_LANE_Q + 2,
                                                    VXE_LANE_Q + 3, VXE_LANE_SWELL};

static uint64_t vector_bytes(const vxe_lanes *lanes)
{
    return (uint64_t)lanes->kernels->lanes->lanes * vxe_real_bytes(lanes->kernels->precision);
}

/* Field c of a lane's first voxel among vectors of so many fields. */
static vxe_reals *field_of(const vxe_lanes *lanes, vxe_reals *base, uint64_t c, uint32_t lane)
{
    return (char *)base + c * vector_bytes(lanes) +
           (uint64_t)lane * vxe_real_bytes(lanes->kernels->precision);
}

/* A robot of the group as contacts want it. */
static vxe_body_view view_of(const vxe_lanes *lanes, uint32_t lane)
{
    const uint32_t count = lanes->kernels->lanes->lanes;
    const bool mixed = lanes->kernels->precision == VXE_PRECISION_MIXED;
    vxe_reals *state = lanes->group.state;
    vxe_body_view body = {.swell = field_of(lanes, state, VXE_LANE_SWELL, lane),
                          .loaded = lanes->group.loaded,
                          .place = lanes->place[lane],
                          .stride = (size_t)VXE_LANE_FIELDS * count,
                          .load_stride = (size_t)6 * count};
    for (uint32_t c = 0; c < 3; c++) {
        body.x[c] = field_of(lanes, state, VXE_LANE_X + c, lane);
        body.x_low[c] = mixed ? field_of(lanes, state, VXE_LANE_X_LOW + c, lane) : NULL;
        body.v[c] = field_of(lanes, state, VXE_LANE_V + c, lane);
        body.w[c] = field_of(lanes, state, VXE_LANE_W + c, lane);
    }
    for (uint32_t c = 0; c < 4; c++) {
        body.q[c] = field_of(lanes, state, VXE_LANE_Q + c, lane);
    }
    for (uint32_t c = 0; c < 6; c++) {
        body.load[c] = field_of(lanes, lanes->group.load, c, lane);
    }
    return body;
}

void vxe_lanes_contacts_clear(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < VXE_MOST_LANES; lane++) {
        vxe_contacts_clear(&lanes->contacts[lane]);
    }
    vxe_memory_release(lanes->group.load);
    vxe_memory_release(lanes->group.loaded);
    vxe_memory_release(lanes->group.were);
    lanes->group.load = NULL;
    lanes->group.loaded = NULL;
    lanes->group.were = NULL;
}

vxe_status vxe_lanes_contacts_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint64_t voxels = lanes->group.voxels;
    vxe_status status = VXE_OK;
    bool any = false;
    vxe_lanes_contacts_clear(lanes);
    for (uint32_t lane = 0; lane < VXE_MOST_LANES && !status; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot && robot->model.surface.count > 0) {
            any = true;
            status = vxe_contacts_init(&lanes->contacts[lane], &robot->model, error);
        }
    }
    if (!any || status) {
        return status;
    }
    lanes->group.load = vxe_memory_take(6 * voxels, vector_bytes(lanes));
    lanes->group.were = vxe_memory_take(VXE_LANE_WERE * voxels, vector_bytes(lanes));
    lanes->group.loaded = vxe_memory_take(voxels, 1);
    return lanes->group.load && lanes->group.were && lanes->group.loaded
               ? VXE_OK
               : vxe_error_memory(error, 15 * voxels * vector_bytes(lanes));
}

/* Makes the lists of a lane's robot; what it keeps of the state is the same as the body sweep's. */
static void renew_lists(vxe_lanes *lanes, uint32_t lane, const vxe_body_view *body)
{
    const vxe_precision precision = lanes->kernels->precision;
    const uint32_t count = lanes->kernels->lanes->lanes;
    vxe_robot *robot = lanes->robot[lane];
    vxe_contacts *contacts = &lanes->contacts[lane];
    for (uint64_t v = 0; v < lanes->group.voxels; v++) {
        for (uint64_t f = 0; f < VXE_LANE_WERE; f++) {
            const double now = vxe_real_at(precision, lanes->group.state,
                                           (v * VXE_LANE_FIELDS + kept_fields[f]) * count + lane);
            vxe_real_put(precision, lanes->group.were, (v * VXE_LANE_WERE + f) * count + lane, now);
        }
        for (uint64_t c = 0; c < 6; c++) {
            vxe_real_put(precision, lanes->group.load, (v * 6 + c) * count + lane, 0);
        }
    }
    vxe_contacts_sort(contacts, body);
    const uint32_t crowded = vxe_contacts_list(contacts, 0, robot->model.surface.count);
    if (crowded != VXE_NONE) {
        robot->failure = (vxe_failure){
            .failed = true, .crowded = true, .lower = robot->model.surface.slot[crowded]};
    }
}

uint32_t vxe_lanes_contacts(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = lanes->kernels->lanes;
    uint32_t crowded = 0;
    if (!lanes->group.load) {
        return 0;
    }
    vxe_stray strays[VXE_MOST_LANES];
    kernels->stray(&lanes->group, strays);
    memset(lanes->group.loaded, 0, lanes->group.voxels);
    for (uint32_t lane = 0; lane < kernels->lanes; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        vxe_contacts *contacts = &lanes->contacts[lane];
        if (!robot || !contacts->model) {
            continue;
        }
        const vxe_body_view body = view_of(lanes, lane);
        if (vxe_contacts_are_old(contacts, &strays[lane])) {
            renew_lists(lanes, lane, &body);
            crowded |= (uint32_t)robot->failure.crowded << lane;
        }
        const vxe_contact_job job = {.model = &robot->model.arrays,
                                     .near = &contacts->near,
                                     .body = &body,
                                     .ends = contacts->ends,
                                     .h = robot->plan.time_step};
        lanes->kernels->contacts->fill(&job, 0, robot->model.surface.count);
        lanes->kernels->contacts->push(&job, 0, robot->model.surface.count);
    }
    return crowded;
}
