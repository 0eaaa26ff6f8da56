/* SPDX-License-Identifier: MIT */
/* Contacts of the robots of a group. Each robot has neighbour lists of its own; the kernels of
   contact/ see it as a body whose numbers are one vector apart, so that a robot has the same bits
   as alone. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"

/* Address of field c of the first voxel, in a lane. */
static vxe_reals *field_of(const vxe_lanes *lanes, vxe_reals *base, uint64_t c, uint32_t lane)
{
    return vxe_reals_at(lanes->kernels->precision, vxe_lanes_vectors_at(lanes, base, c), lane);
}

/* A lane's robot as the kernels of contact/ see it. */
static vxe_body_view view_of(const vxe_lanes *lanes, uint32_t lane)
{
    const uint32_t count = vxe_lane_kernels_of(lanes->kernels)->lanes;
    VXE_ASSERT(lane < count && lanes->place[lane] && lanes->group.loaded);
    const bool mixed = lanes->kernels->precision == VXE_PRECISION_MIXED;
    vxe_reals *state = lanes->group.state;
    vxe_body_view body = {.edge_growth = field_of(lanes, state, VXE_LANE_EDGE_GROWTH, lane),
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
        body.load[c] = field_of(lanes, lanes->group.load[VXE_LANE_CONTACTS], c, lane);
    }
    return body;
}

void vxe_lanes_contacts_clear(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        vxe_contacts_clear(&lanes->contacts[lane]);
    }
    vxe_memory_release(lanes->group.kept_edge_growth);
    lanes->group.kept_edge_growth = NULL;
}

vxe_status vxe_lanes_contacts_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint64_t voxels = lanes->group.voxels;
    vxe_status status = VXE_OK;
    bool any = false;
    vxe_lanes_contacts_clear(lanes);
    for (uint32_t lane = 0; lane < VXE_MAX_LANES && !status; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot && robot->simulation->model.surface.count > 0) {
            any = true;
            lanes->neighbors[lane] = (vxe_neighbor_part){
                .last = robot->simulation->model.surface.count, .crowded = VXE_NONE};
            status = vxe_contacts_init(&lanes->contacts[lane], &robot->simulation->model,
                                       &lanes->neighbors[lane], 1, error);
        }
    }
    if (!any || status) {
        return status;
    }
    lanes->group.kept_edge_growth = vxe_memory_take(voxels, vxe_lanes_vector_bytes(lanes));
    return lanes->group.kept_edge_growth
               ? vxe_lanes_take_load(lanes, VXE_LANE_CONTACTS, error)
               : vxe_error_memory(error, voxels * vxe_lanes_vector_bytes(lanes));
}

/* Makes the neighbour lists of a lane's robot. */
static void renew_lists(vxe_lanes *lanes, uint32_t lane, const vxe_body_view *body)
{
    vxe_robot *robot = lanes->robot[lane];
    vxe_neighbor_part *part = &lanes->neighbors[lane];
    if (!lanes->contacts[lane].made) { /* the robot has just been loaded */
        vxe_contacts_bind(&lanes->contacts[lane], body, &robot->simulation->model.arrays);
    }
    vxe_contacts_sort(&lanes->contacts[lane], body);
    vxe_contacts_list(&lanes->contacts[lane], part);
}

uint32_t vxe_lanes_contacts(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = vxe_lane_kernels_of(lanes->kernels);
    uint32_t failed = 0;
    if (!lanes->group.load[VXE_LANE_CONTACTS]) {
        return 0;
    }
    vxe_motion_bound motions[VXE_MAX_LANES];
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        for (int c = 0; c < 3; c++) {
            lanes->group.about[c][lane] = lanes->contacts[lane].about[c];
        }
    }
    kernels->motion(&lanes->group, motions);
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        lanes->group.loaded[v] &= (uint8_t)~VXE_LOADED_BY_CONTACTS;
    }
    for (uint32_t lane = 0; lane < kernels->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        vxe_contacts *contacts = &lanes->contacts[lane];
        if (!robot || !contacts->model) {
            continue;
        }
        vxe_state *state = &robot->simulation->state;
        const vxe_body_view body = view_of(lanes, lane);
        const double h = robot->simulation->plan.time_step;
        VXE_ASSERT(lanes->neighbors[lane].first == 0 &&
                   lanes->neighbors[lane].last == robot->simulation->model.surface.count);
        vxe_motion_bound motion = motions[lane];
        motion.moved *= h;
        motion.turned *= h;
        motion.travelled = vxe_motion_bound_travel(&motion, h);
        const bool old = vxe_contacts_are_old(contacts, &motion);
        vxe_contacts_spend(contacts, &motion);
        if (old) {
            renew_lists(lanes, lane, &body);
        }
        const vxe_contact_job job = {.model = &robot->simulation->model.arrays,
                                     .neighbors = &contacts->neighbors,
                                     .body = &body,
                                     .before = &state->kept_contacts[state->step & 1],
                                     .after = &state->kept_contacts[~state->step & 1],
                                     .number = state->step,
                                     .h = h,
                                     .step = state->time_step,
                                     .spread = contacts->spread_rate * state->time_step,
                                     .sound = robot->simulation->model.voxel_w0 *
                                              robot->simulation->model.edge,
                                     .apart = vxe_contact_apart(&robot->simulation->model),
                                     .opens = state->step == 0};
        if (contacts->neighbors.due) {
            vxe_contact_kernels_of(lanes->kernels)
                ->stand(&contacts->neighbors, &body, 0, lanes->neighbors[lane].last);
        }
        vxe_contact_kernels_of(lanes->kernels)->push(&job, &lanes->neighbors[lane]);
        const vxe_failure failure =
            vxe_contacts_failure(&robot->simulation->model.surface, &lanes->neighbors[lane]);
        if (failure.kind) {
            robot->simulation->failure = failure;
            failed |= 1u << lane;
        }
    }
    return failed;
}
