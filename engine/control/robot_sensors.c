/* SPDX-License-Identifier: MIT */
/* What is observed of a robot: sums over its voxels, groups and parts, and the sensors that take
   their numbers from these. A new sensor is a line in the table, and a function. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/control/control.h"

/* Sums over the voxels of a part, or of all; and over those of a group. */
enum { MASS, PLACE, VELOCITY = PLACE + 3, SPIN = VELOCITY + 3, UP = SPIN + 3, HEADING = UP + 3 };
enum { PART_SUMS = HEADING + 3 };
enum { VOXELS, EDGE = VELOCITY + 3, STRAIN, LOAD = STRAIN + 3, TOUCH, GROUP_SUMS };

_Static_assert((int)VOXELS == (int)MASS, "place and velocity stand in the same order in both");

/* What sensors of a robot take their numbers from. */
typedef struct reading {
    const vxe_sensing *sensing;
    const vxe_model *model;
    const vxe_state *state;
    uint32_t groups;       /* that are told of */
    double all[PART_SUMS]; /* means over the robot, but for the mass */
} reading;

/* From sums to means: places (m, design coordinates) and velocities by mass, directions to unit
   length. weight: of the sums. */
static void to_means(double *sums, const double origin[3], double weight, double voxels)
{
    for (int c = 0; c < 3; c++) {
        sums[PLACE + c] = sums[PLACE + c] / weight + origin[c];
        sums[VELOCITY + c] /= weight;
        sums[SPIN + c] /= voxels;
    }
    for (int direction = UP; direction <= HEADING; direction += 3) {
        double *d = sums + direction;
        const double length = sqrt(vxe_dot3(d, d));
        for (int c = 0; c < 3; c++) {
            d[c] = length > 0 ? d[c] / length : 0;
        }
    }
}

/* Adds a voxel to the sums of its part. */
static void add_to_part(const reading *r, uint32_t slot, double mass, double *sums)
{
    const vxe_state *state = r->state;
    sums[MASS] += mass;
    for (int c = 0; c < 3; c++) {
        sums[PLACE + c] += mass * vxe_state_position(state, c, slot);
        sums[VELOCITY + c] += mass * vxe_state_velocity(state, c, slot);
    }
    if (r->sensing->needs & VXE_SENSES_TURNS) {
        static const double x[3] = {1, 0, 0};
        static const double z[3] = {0, 0, 1};
        double q[4];
        double up[3];
        double heading[3];
        for (int c = 0; c < 4; c++) {
            q[c] = vxe_state_orientation(state, c, slot);
        }
        vxe_rotate(q, z, up);
        vxe_rotate(q, x, heading);
        for (int c = 0; c < 3; c++) {
            sums[SPIN + c] += vxe_state_spin(state, c, slot);
            sums[UP + c] += up[c];
            sums[HEADING + c] += heading[c];
        }
    }
}

/* Adds a voxel to the sums of its group. by: what was sensed of voxels, in design order. */
static void add_to_group(const reading *r, uint32_t slot, double *sums)
{
    const vxe_sensors *by = &r->sensing->by;
    const vxe_model *model = r->model;
    const size_t voxel = model->topology.order[slot];
    sums[VOXELS]++;
    for (int c = 0; c < 3; c++) {
        sums[PLACE + c] += vxe_state_position(r->state, c, slot) + model->origin[c];
        sums[VELOCITY + c] += vxe_state_velocity(r->state, c, slot);
        sums[STRAIN + c] += by->strain ? by->strain[3 * voxel + (size_t)c] : 0;
    }
    sums[EDGE] += by->edge ? by->edge[voxel] / model->edge : 0;
    sums[LOAD] += by->contact ? by->contact[voxel] : 0;
    const bool touches = by->touched && (by->touched[voxel] || by->floor[voxel] > 0);
    sums[TOUCH] += touches ? 1 : 0;
}

/* Sums over parts, groups and the whole robot. */
static void measure(reading *r)
{
    const vxe_sensing *sensing = r->sensing;
    const vxe_model *model = r->model;
    const uint32_t groups = r->state->groups;
    const uint32_t parts = model->topology.body_count;
    memset(sensing->parts, 0, (size_t)parts * PART_SUMS * sizeof(double));
    memset(sensing->groups, 0, (size_t)groups * GROUP_SUMS * sizeof(double));
    if (sensing->by.edge) { /* what follows from the state: it may have been advanced elsewhere */
        vxe_workspace_contacts_forget(sensing->workspace);
        vxe_workspace_resize(sensing->workspace, vxe_state_time(r->state));
        vxe_voxels_sense(sensing->simulation, sensing->workspace, &sensing->by);
    }
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
        add_to_part(r, slot, mass, sensing->parts + (size_t)model->topology.body[slot] * PART_SUMS);
        if (groups > 0) {
            VXE_ASSERT(sensing->group[slot] < groups);
            add_to_group(r, slot, sensing->groups + (size_t)sensing->group[slot] * GROUP_SUMS);
        }
    }
    for (uint32_t part = 0; part < parts; part++) {
        double *sums = sensing->parts + (size_t)part * PART_SUMS;
        for (int i = 0; i < PART_SUMS; i++) {
            r->all[i] += sums[i];
        }
        to_means(sums, model->origin, sums[MASS], sensing->part_voxels[part]);
    }
    to_means(r->all, model->origin, r->all[MASS], model->topology.voxel_count);
}

static void put(float *into, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        into[i] = (float)values[i];
    }
}

static void put_center(const reading *r, float *into)
{
    put(into, r->all + PLACE, 3);
}

static void put_velocity(const reading *r, float *into)
{
    put(into, r->all + VELOCITY, 3);
}

static void put_spin(const reading *r, float *into)
{
    put(into, r->all + SPIN, 3);
}

static void put_up(const reading *r, float *into)
{
    put(into, r->all + UP, 3);
}

static void put_heading(const reading *r, float *into)
{
    put(into, r->all + HEADING, 3);
}

static void put_clock(const reading *r, float *into)
{
    const vxe_actuation *heat = &r->model->actuation;
    const double time = vxe_state_time(r->state);
    double clock[3] = {time - r->sensing->start_time, 0, 1};
    if (heat->enabled && heat->period > 0) {
        vxe_sincos_cycles(vxe_model_cycles(r->model, time), &clock[1], &clock[2]);
    }
    put(into, clock, 3);
}

static void put_targets(const reading *r, float *into)
{
    put(into, r->state->target, (int)r->groups);
}

/* Means of a group's sums from `at` on, `count` of them, less those of the robot, if any. */
static void put_groups(const reading *r, int at, int count, const double *less, float *into)
{
    for (uint32_t g = 0; g < r->groups; g++) {
        const double *sums = r->sensing->groups + (size_t)g * GROUP_SUMS;
        for (int c = 0; c < count; c++) { /* a group without voxels has zeros */
            const double mean = sums[VOXELS] > 0 ? sums[at + c] / sums[VOXELS] : 0;
            *into++ = (float)(mean - (less && sums[VOXELS] > 0 ? less[c] : 0));
        }
    }
}

static void put_group_place(const reading *r, float *into)
{
    put_groups(r, PLACE, 3, r->all + PLACE, into);
}

static void put_group_velocity(const reading *r, float *into)
{
    put_groups(r, VELOCITY, 3, r->all + VELOCITY, into);
}

static void put_group_edge(const reading *r, float *into)
{
    put_groups(r, EDGE, 1, NULL, into);
}

static void put_group_strain(const reading *r, float *into)
{
    put_groups(r, STRAIN, 3, NULL, into);
}

static void put_group_load(const reading *r, float *into)
{
    for (uint32_t g = 0; g < r->groups; g++) {
        put(into + g, r->sensing->groups + (size_t)g * GROUP_SUMS + LOAD, 1);
    }
}

static void put_group_touch(const reading *r, float *into)
{
    put_groups(r, TOUCH, 1, NULL, into);
}

static void put_voxel_place(const reading *r, float *into)
{
    const vxe_model *model = r->model;
    for (uint32_t v = 0; v < model->topology.voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            const double at = vxe_state_position(r->state, c, model->topology.place[v]);
            *into++ = (float)(at + model->origin[c] - r->all[PLACE + c]);
        }
    }
}

static void put_voxel_velocity(const reading *r, float *into)
{
    const vxe_topology *topology = &r->model->topology;
    for (uint32_t v = 0; v < topology->voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            const double velocity = vxe_state_velocity(r->state, c, topology->place[v]);
            *into++ = (float)(velocity - r->all[VELOCITY + c]);
        }
    }
}

static void put_floor_ahead(const reading *r, float *into)
{
    const vxe_floor *floor = r->sensing->floor;
    for (int i = 0; i < VXE_FLOOR_POINTS; i++) {
        const double x = r->all[PLACE] + (i - VXE_FLOOR_POINTS / 2) * r->model->edge;
        const double level = floor->enabled ? vxe_floor_level(floor, x, r->all[PLACE + 1]) : 0;
        into[i] = floor->enabled && isfinite(level) ? (float)(level - r->all[PLACE + 2]) : 0;
    }
}

static void put_parts(const reading *r, int at, float *into)
{
    for (uint32_t part = 0; part < r->model->topology.body_count; part++) {
        put(into + (size_t)3 * part, r->sensing->parts + (size_t)part * PART_SUMS + at, 3);
    }
}

static void put_part_center(const reading *r, float *into)
{
    put_parts(r, PLACE, into);
}

static void put_part_velocity(const reading *r, float *into)
{
    put_parts(r, VELOCITY, into);
}

static void put_part_up(const reading *r, float *into)
{
    put_parts(r, UP, into);
}

static void put_part_heading(const reading *r, float *into)
{
    put_parts(r, HEADING, into);
}

/* What a sensor needs to know, and what puts its numbers into a row. */
typedef struct sensor_row {
    uint32_t needs;
    void (*put)(const reading *r, float *into);
} sensor_row;

static const sensor_row table[VXE_SENSOR_KINDS] = {
    [VXE_SENSOR_CENTER] = {0, put_center},
    [VXE_SENSOR_VELOCITY] = {0, put_velocity},
    [VXE_SENSOR_SPIN] = {VXE_SENSES_TURNS, put_spin},
    [VXE_SENSOR_UP] = {VXE_SENSES_TURNS, put_up},
    [VXE_SENSOR_HEADING] = {VXE_SENSES_TURNS, put_heading},
    [VXE_SENSOR_CLOCK] = {0, put_clock},
    [VXE_SENSOR_TARGETS] = {0, put_targets},
    [VXE_SENSOR_GROUP_PLACE] = {0, put_group_place},
    [VXE_SENSOR_GROUP_VELOCITY] = {0, put_group_velocity},
    [VXE_SENSOR_GROUP_EDGE] = {VXE_SENSES_EDGES, put_group_edge},
    [VXE_SENSOR_GROUP_STRAIN] = {VXE_SENSES_STRAIN, put_group_strain},
    [VXE_SENSOR_GROUP_LOAD] = {VXE_SENSES_CONTACTS, put_group_load},
    [VXE_SENSOR_GROUP_TOUCH] = {VXE_SENSES_TOUCH, put_group_touch},
    [VXE_SENSOR_VOXEL_PLACE] = {0, put_voxel_place},
    [VXE_SENSOR_VOXEL_VELOCITY] = {0, put_voxel_velocity},
    [VXE_SENSOR_FLOOR_AHEAD] = {0, put_floor_ahead},
    [VXE_SENSOR_PART_CENTER] = {0, put_part_center},
    [VXE_SENSOR_PART_VELOCITY] = {0, put_part_velocity},
    [VXE_SENSOR_PART_UP] = {VXE_SENSES_TURNS, put_part_up},
    [VXE_SENSOR_PART_HEADING] = {VXE_SENSES_TURNS, put_part_heading},
};

void vxe_sensing_read(vxe_sensing *sensing, uint32_t groups, uint32_t parts, uint32_t voxels,
                      float *row)
{
    const vxe_state *state = &sensing->simulation->state;
    reading r = {.sensing = sensing,
                 .model = &sensing->simulation->model,
                 .state = state,
                 .groups = groups < state->groups ? groups : state->groups};
    if (sensing->count == 0) {
        return;
    }
    measure(&r);
    for (uint32_t i = 0; i < sensing->count; i++) {
        table[sensing->kinds[i]].put(&r, row);
        row += vxe_sensor_width(sensing->kinds[i], groups, parts, voxels);
    }
}

vxe_status vxe_sensing_init(vxe_sensing *sensing, const vxe_simulation *simulation,
                            vxe_workspace *workspace, const vxe_floor *floor, vxe_error *error)
{
    const vxe_model *model = &simulation->model;
    const uint32_t voxels = model->topology.voxel_count;
    *sensing = (vxe_sensing){.simulation = simulation, .workspace = workspace, .floor = floor};
    sensing->group = vxe_memory_take(voxels, sizeof *sensing->group);
    sensing->part_voxels =
        vxe_memory_take(model->topology.body_count, sizeof *sensing->part_voxels);
    if (!sensing->group || !sensing->part_voxels) {
        vxe_sensing_clear(sensing);
        return vxe_error_memory(error, voxels * sizeof *sensing->group);
    }
    for (uint32_t slot = 0; slot < voxels; slot++) {
        sensing->part_voxels[model->topology.body[slot]]++;
        if (model->group_count > 0) {
            sensing->group[slot] =
                (uint32_t)vxe_real_at(model->precision, model->arrays.size[VXE_SIZE_GROUP], slot);
        }
    }
    return VXE_OK;
}

/* Releases the memory of what is measured. */
static void forget(vxe_sensing *sensing)
{
    vxe_memory_release(sensing->block);
    vxe_memory_release(sensing->by.touched);
    sensing->block = NULL;
    sensing->by = (vxe_sensors){.edge = NULL};
    sensing->groups = sensing->parts = NULL;
    sensing->count = 0;
}

void vxe_sensing_clear(vxe_sensing *sensing)
{
    forget(sensing);
    vxe_memory_release(sensing->group);
    vxe_memory_release(sensing->part_voxels);
    *sensing = (vxe_sensing){.simulation = NULL};
}

vxe_status vxe_sensing_choose(vxe_sensing *sensing, const vxe_sensor_kind *kinds, uint32_t count,
                              vxe_error *error)
{
    const vxe_model *model = &sensing->simulation->model;
    const uint64_t voxels = model->topology.voxel_count;
    const uint64_t parts = (uint64_t)model->topology.body_count * PART_SUMS;
    const uint64_t groups = (uint64_t)model->group_count * GROUP_SUMS;
    uint32_t needs = 0;
    VXE_ASSERT(count <= VXE_SENSOR_KINDS);
    for (uint32_t i = 0; i < count; i++) {
        VXE_ASSERT(kinds[i] < VXE_SENSOR_KINDS);
        needs |= table[kinds[i]].needs;
    }
    const bool samples = needs & ~(uint32_t)VXE_SENSES_TURNS;
    forget(sensing);
    double *at = vxe_memory_take(parts + groups + (samples ? 6 * voxels : 0), sizeof *at);
    uint8_t *touched = needs & VXE_SENSES_TOUCH ? vxe_memory_take(voxels, 1) : NULL;
    sensing->block = at;
    sensing->by.touched = touched;
    if (!at || (!touched && (needs & VXE_SENSES_TOUCH))) {
        forget(sensing);
        return vxe_error_memory(error, 8 * (parts + groups + 6 * voxels));
    }
    sensing->parts = at;
    sensing->groups = at + parts;
    at += parts + groups;
    if (samples) {
        sensing->by.edge = at;
        sensing->by.strain = needs & VXE_SENSES_STRAIN ? at + voxels : NULL;
        sensing->by.contact = needs & VXE_SENSES_CONTACTS ? at + 4 * voxels : NULL;
        sensing->by.floor = touched ? at + 5 * voxels : NULL;
    }
    sensing->needs = needs;
    sensing->count = count;
    if (count > 0) {
        memcpy(sensing->kinds, kinds, count * sizeof *kinds);
    }
    return VXE_OK;
}
