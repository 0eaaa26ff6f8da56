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
    vxe_memory_release(lanes->group.surface_at);
    lanes->group.kept_edge_growth = NULL;
    lanes->group.surface_at = NULL;
}

/* Writes where the surface of a lane's robot is in the union. */
static void place_surface(const vxe_lanes *lanes, uint32_t lane)
{
    const vxe_surface *surface = &lanes->robot[lane]->simulation->model.surface;
    for (uint32_t k = 0; k < surface->count; k++) {
        const uint32_t place = lanes->place[lane][surface->slot[k]];
        lanes->group.surface_at[(size_t)place * VXE_MAX_LANES + lane] = k;
    }
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
    const uint64_t places = VXE_MAX_LANES * voxels;
    lanes->group.kept_edge_growth = vxe_memory_take(voxels, vxe_lanes_vector_bytes(lanes));
    lanes->group.surface_at = vxe_memory_take(places, sizeof *lanes->group.surface_at);
    if (!lanes->group.kept_edge_growth || !lanes->group.surface_at) {
        return vxe_error_memory(error, voxels * vxe_lanes_vector_bytes(lanes));
    }
    for (uint64_t i = 0; i < places; i++) {
        lanes->group.surface_at[i] = VXE_NONE;
    }
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        if (lanes->robot[lane]) {
            place_surface(lanes, lane);
        }
    }
    return vxe_lanes_take_load(lanes, VXE_LANE_CONTACTS, error);
}

void vxe_lanes_contacts_forget(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        lanes->contacts[lane].made = false;
    }
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

/* Whether contacts act on a lane's robot. */
static bool collides(const vxe_lanes *lanes, uint32_t lane)
{
    return lanes->robot[lane] && lanes->contacts[lane].model;
}

/* Counts the motion of the last step in, and makes lists again where they are old. */
static void spend_motion(vxe_lanes *lanes, uint32_t lane, vxe_motion_bound motion)
{
    vxe_contacts *contacts = &lanes->contacts[lane];
    const vxe_simulation *simulation = lanes->robot[lane]->simulation;
    const double h = simulation->plan.time_step;
    VXE_ASSERT(lanes->neighbors[lane].first == 0 &&
               lanes->neighbors[lane].last == simulation->model.surface.count);
    motion.moved *= h;
    motion.turned *= h;
    motion.travelled = vxe_motion_bound_travel(&motion, h);
    const bool old = vxe_contacts_are_old(contacts, &motion);
    vxe_contacts_spend(contacts, &motion);
    if (old) {
        const vxe_body_view body = view_of(lanes, lane);
        renew_lists(lanes, lane, &body);
    }
}

/* Computes the loads of a lane's robot; returns whether that failed. */
static bool push_robot(vxe_lanes *lanes, uint32_t lane)
{
    vxe_robot *robot = lanes->robot[lane];
    const vxe_contacts *contacts = &lanes->contacts[lane];
    vxe_state *state = &robot->simulation->state;
    const vxe_model *model = &robot->simulation->model;
    const vxe_body_view body = view_of(lanes, lane);
    const vxe_contact_job job = {.model = &model->arrays,
                                 .neighbors = &contacts->neighbors,
                                 .body = &body,
                                 .before = &state->kept_contacts[state->step & 1],
                                 .after = &state->kept_contacts[~state->step & 1],
                                 .number = state->step,
                                 .h = robot->simulation->plan.time_step,
                                 .step = state->time_step,
                                 .spread = contacts->spread_rate * state->time_step,
                                 .sound = model->voxel_w0 * model->edge,
                                 .apart = vxe_contact_apart(model),
                                 .opens = state->step == 0};
    vxe_contact_kernels_of(lanes->kernels)->push(&job, &lanes->neighbors[lane]);
    const vxe_failure failure = vxe_contacts_failure(&model->surface, &lanes->neighbors[lane]);
    if (failure.kind) {
        robot->simulation->failure = failure;
    }
    return failure.kind != VXE_FAILURE_NONE;
}

uint32_t vxe_lanes_contacts(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = vxe_lane_kernels_of(lanes->kernels);
    uint32_t failed = 0;
    bool due = false;
    if (!lanes->group.load[VXE_LANE_CONTACTS]) {
        return 0;
    }
    vxe_motion_bound motions[VXE_MAX_LANES];
    vxe_reals *poses[VXE_MAX_LANES] = {NULL};
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
        if (collides(lanes, lane)) {
            const vxe_neighbor_list *neighbors = &lanes->contacts[lane].neighbors;
            spend_motion(lanes, lane, motions[lane]);
            poses[lane] = neighbors->due ? neighbors->pose : NULL;
            due = due || neighbors->due;
        }
    }
    if (due) {
        kernels->stand(&lanes->group, poses);
    }
    for (uint32_t lane = 0; lane < kernels->lanes; lane++) {
        failed |= (uint32_t)(collides(lanes, lane) && push_robot(lanes, lane)) << lane;
    }
    return failed;
}
