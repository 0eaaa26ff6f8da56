/* SPDX-License-Identifier: MIT */
/* What is observed of a robot: sums over its voxels, groups and parts, and the sensors that take
   their numbers from these. A new sensor is a line in the table, and a function. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/parallel.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/team/team_data.h"

/* Points of VXE_TEAM_FLOOR_AHEAD, one edge apart, the middle one below the centre. */
#define FLOOR_POINTS 11

/* Sums over the voxels of a part, or of all; and over those of a group. */
enum { MASS, PLACE, VELOCITY = PLACE + 3, SPIN = VELOCITY + 3, UP = SPIN + 3, HEADING = UP + 3 };
enum { PART_SUMS = HEADING + 3 };
enum { VOXELS, EDGE = VELOCITY + 3, STRAIN, LOAD = STRAIN + 3, TOUCH, GROUP_SUMS };

_Static_assert((int)VOXELS == (int)MASS, "place and velocity stand in the same order in both");

/* What sensors of a robot take their numbers from. */
typedef struct reading {
    const vxe_team *team;
    const vxe_team_member *member;
    const vxe_state *state;
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
    if (r->team->reads & VXE_TEAM_READS_TURNS) {
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
    const vxe_sensors *by = &r->member->measured.by;
    const vxe_model *model = &r->member->world->simulation.model;
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
    const vxe_team_measured *measured = &r->member->measured;
    vxe_world *world = r->member->world;
    const vxe_model *model = &world->simulation.model;
    const uint32_t groups = r->state->groups;
    const uint32_t parts = r->member->parts;
    memset(measured->parts, 0, (size_t)parts * PART_SUMS * sizeof(double));
    memset(measured->groups, 0, (size_t)groups * GROUP_SUMS * sizeof(double));
    if (measured->by.edge) {
        vxe_world_renew(world);
        vxe_world_sense(world, &measured->by);
    }
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
        add_to_part(r, slot, mass,
                    measured->parts + (size_t)model->topology.body[slot] * PART_SUMS);
        if (groups > 0) {
            VXE_ASSERT(r->member->group[slot] < groups);
            add_to_group(r, slot, measured->groups + (size_t)r->member->group[slot] * GROUP_SUMS);
        }
    }
    for (uint32_t part = 0; part < parts; part++) {
        double *sums = measured->parts + (size_t)part * PART_SUMS;
        for (int i = 0; i < PART_SUMS; i++) {
            r->all[i] += sums[i];
        }
        to_means(sums, model->origin, sums[MASS], r->member->part_voxels[part]);
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
    const vxe_actuation *heat = &r->member->world->simulation.model.actuation;
    const double time = vxe_state_time(r->state);
    double clock[3] = {time - vxe_state_time(&r->member->start), 0, 1};
    if (heat->enabled && heat->period > 0) {
        vxe_sincos_cycles(time / heat->period, &clock[1], &clock[2]);
    }
    put(into, clock, 3);
}

static void put_targets(const reading *r, float *into)
{
    put(into, r->state->target, (int)r->state->groups);
}

/* Means of a group's sums from `at` on, `count` of them, less those of the robot, if any. */
static void put_groups(const reading *r, int at, int count, const double *less, float *into)
{
    for (uint32_t g = 0; g < r->state->groups; g++) {
        const double *sums = r->member->measured.groups + (size_t)g * GROUP_SUMS;
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
    for (uint32_t g = 0; g < r->state->groups; g++) {
        put(into + g, r->member->measured.groups + (size_t)g * GROUP_SUMS + LOAD, 1);
    }
}

static void put_group_touch(const reading *r, float *into)
{
    put_groups(r, TOUCH, 1, NULL, into);
}

static void put_voxel_place(const reading *r, float *into)
{
    const vxe_model *model = &r->member->world->simulation.model;
    for (uint32_t v = 0; v < model->topology.voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            const double at = vxe_state_position(r->state, c, model->topology.place[v]);
            *into++ = (float)(at + model->origin[c] - r->all[PLACE + c]);
        }
    }
}

static void put_voxel_velocity(const reading *r, float *into)
{
    const vxe_topology *topology = &r->member->world->simulation.model.topology;
    for (uint32_t v = 0; v < topology->voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            const double velocity = vxe_state_velocity(r->state, c, topology->place[v]);
            *into++ = (float)(velocity - r->all[VELOCITY + c]);
        }
    }
}

static void put_floor_ahead(const reading *r, float *into)
{
    const vxe_design *design = r->member->design;
    for (int i = 0; i < FLOOR_POINTS; i++) {
        const double x = r->all[PLACE] + (i - FLOOR_POINTS / 2) * design->voxel_size;
        const double level =
            design->floor.enabled ? vxe_floor_level(&design->floor, x, r->all[PLACE + 1]) : 0;
        into[i] = design->floor.enabled && isfinite(level) ? (float)(level - r->all[PLACE + 2]) : 0;
    }
}

static void put_parts(const reading *r, int at, float *into)
{
    for (uint32_t part = 0; part < r->member->parts; part++) {
        put(into + (size_t)3 * part, r->member->measured.parts + (size_t)part * PART_SUMS + at, 3);
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

/* What a sensor has numbers for. */
typedef enum sensed { OF_ROBOT, OF_GROUPS, OF_VOXELS, OF_PARTS } sensed;

/* A sensor: so many numbers for each, what it needs to know, and what puts them into a row. */
typedef struct sensor_row {
    const char *name;
    sensed of;
    uint32_t numbers;
    uint32_t reads;
    void (*put)(const reading *r, float *into);
} sensor_row;

/* clang-format off */
static const sensor_row table[VXE_TEAM_SENSORS] = {
    [VXE_TEAM_CENTER] = {"center", OF_ROBOT, 3, 0, put_center},
    [VXE_TEAM_VELOCITY] = {"velocity", OF_ROBOT, 3, 0, put_velocity},
    [VXE_TEAM_SPIN] = {"spin", OF_ROBOT, 3, VXE_TEAM_READS_TURNS, put_spin},
    [VXE_TEAM_UP] = {"up", OF_ROBOT, 3, VXE_TEAM_READS_TURNS, put_up},
    [VXE_TEAM_HEADING] = {"heading", OF_ROBOT, 3, VXE_TEAM_READS_TURNS, put_heading},
    [VXE_TEAM_CLOCK] = {"clock", OF_ROBOT, 3, 0, put_clock},
    [VXE_TEAM_TARGETS] = {"targets", OF_GROUPS, 1, 0, put_targets},
    [VXE_TEAM_GROUP_PLACE] = {"group_place", OF_GROUPS, 3, 0, put_group_place},
    [VXE_TEAM_GROUP_VELOCITY] = {"group_velocity", OF_GROUPS, 3, 0, put_group_velocity},
    [VXE_TEAM_GROUP_EDGE] = {"group_edge", OF_GROUPS, 1, VXE_TEAM_READS_EDGES, put_group_edge},
    [VXE_TEAM_GROUP_STRAIN] = {"group_strain", OF_GROUPS, 3, VXE_TEAM_READS_STRAIN, put_group_strain},
    [VXE_TEAM_GROUP_LOAD] = {"group_load", OF_GROUPS, 1, VXE_TEAM_READS_CONTACTS, put_group_load},
    [VXE_TEAM_GROUP_TOUCH] = {"group_touch", OF_GROUPS, 1, VXE_TEAM_READS_TOUCH, put_group_touch},
    [VXE_TEAM_VOXEL_PLACE] = {"voxel_place", OF_VOXELS, 3, 0, put_voxel_place},
    [VXE_TEAM_VOXEL_VELOCITY] = {"voxel_velocity", OF_VOXELS, 3, 0, put_voxel_velocity},
    [VXE_TEAM_FLOOR_AHEAD] = {"floor_ahead", OF_ROBOT, FLOOR_POINTS, 0, put_floor_ahead},
    [VXE_TEAM_PART_CENTER] = {"part_center", OF_PARTS, 3, 0, put_part_center},
    [VXE_TEAM_PART_VELOCITY] = {"part_velocity", OF_PARTS, 3, 0, put_part_velocity},
    [VXE_TEAM_PART_UP] = {"part_up", OF_PARTS, 3, VXE_TEAM_READS_TURNS, put_part_up},
    [VXE_TEAM_PART_HEADING] = {"part_heading", OF_PARTS, 3, VXE_TEAM_READS_TURNS, put_part_heading},
};
/* clang-format on */

const char *vxe_team_sensor_name(vxe_team_sensor sensor)
{
    return sensor < VXE_TEAM_SENSORS ? table[sensor].name : "";
}

vxe_team_sensor vxe_team_sensor_find(const char *name)
{
    uint32_t sensor = 0;
    while (sensor < VXE_TEAM_SENSORS && strcmp(table[sensor].name, name) != 0) {
        sensor++;
    }
    return (vxe_team_sensor)sensor;
}

uint32_t vxe_team_sensor_width(const vxe_team *team, vxe_team_sensor sensor)
{
    if (sensor >= VXE_TEAM_SENSORS) {
        return 0;
    }
    const uint32_t each[] = {[OF_ROBOT] = 1,
                             [OF_GROUPS] = team->groups,
                             [OF_VOXELS] = team->voxels,
                             [OF_PARTS] = team->parts};
    return table[sensor].numbers * each[table[sensor].of];
}

void vxe_team_read(vxe_team *team, uint32_t robot)
{
    vxe_team_member *member = &team->members[robot];
    float *row = team->observations + (size_t)robot * team->width;
    reading r = {team, member, &member->world->simulation.state, {0}};
    if (team->width == 0) {
        return;
    }
    measure(&r);
    for (uint32_t i = 0; i < team->sensor_count; i++) {
        table[team->sensors[i]].put(&r, row);
        row += vxe_team_sensor_width(team, team->sensors[i]);
    }
}

void vxe_team_measured_clear(vxe_team_measured *measured)
{
    vxe_memory_release(measured->block);
    vxe_memory_release(measured->by.touched);
    *measured = (vxe_team_measured){.block = NULL};
}

/* Takes the memory of what sensors of a robot need. */
static vxe_status take(vxe_team_member *member, uint32_t reads, vxe_error *error)
{
    vxe_team_measured *measured = &member->measured;
    const vxe_model *model = &member->world->simulation.model;
    const uint64_t voxels = model->topology.voxel_count;
    const bool samples_voxels = reads & (VXE_TEAM_READS_EDGES | VXE_TEAM_READS_STRAIN |
                                         VXE_TEAM_READS_CONTACTS | VXE_TEAM_READS_TOUCH);
    const uint64_t parts = (uint64_t)member->parts * PART_SUMS;
    const uint64_t groups = (uint64_t)model->group_count * GROUP_SUMS;
    vxe_team_measured_clear(measured);
    double *at = vxe_memory_take(parts + groups + (samples_voxels ? 6 * voxels : 0), sizeof *at);
    uint8_t *touched = reads & VXE_TEAM_READS_TOUCH ? vxe_memory_take(voxels, 1) : NULL;
    measured->block = at;
    measured->by.touched = touched;
    if (!at || (!touched && (reads & VXE_TEAM_READS_TOUCH))) {
        vxe_team_measured_clear(measured);
        return vxe_error_memory(error, 8 * (parts + groups + 6 * voxels));
    }
    measured->parts = at;
    measured->groups = at + parts;
    at += parts + groups;
    if (samples_voxels) {
        measured->by.edge = at;
        measured->by.strain = reads & VXE_TEAM_READS_STRAIN ? at + voxels : NULL;
        measured->by.contact = reads & VXE_TEAM_READS_CONTACTS ? at + 4 * voxels : NULL;
        measured->by.floor = touched ? at + 5 * voxels : NULL;
    }
    return VXE_OK;
}

/* Reads a robot that runs, and clears the row of one that does not. */
static void read_one(void *context, uint32_t robot)
{
    vxe_team *team = context;
    if (team->members[robot].state == VXE_TEAM_RUNS) {
        vxe_team_read(team, robot);
    }
}

vxe_status vxe_team_observe(vxe_team *team, const vxe_team_sensor *sensors, uint32_t count,
                            uint32_t *width, vxe_error *error)
{
    uint64_t sum = 0;
    uint32_t reads = 0;
    if (count > VXE_TEAM_SENSORS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%u sensors are asked for; there are %u",
                              count, (unsigned)VXE_TEAM_SENSORS);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sensors[i] >= VXE_TEAM_SENSORS) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "there is no sensor %u; 0 to %u",
                                  (unsigned)sensors[i], (unsigned)VXE_TEAM_SENSORS - 1);
        }
        sum += vxe_team_sensor_width(team, sensors[i]);
        reads |= table[sensors[i]].reads;
    }
    float *observations =
        sum <= UINT32_MAX ? vxe_memory_take(team->count * sum, sizeof *observations) : NULL;
    if (!observations && sum > 0) {
        return vxe_error_memory(error, team->count * sum * sizeof *observations);
    }
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < team->count && !status; i++) {
        status = take(&team->members[i], reads, error);
    }
    vxe_team_forget_network(team);
    vxe_memory_release(team->observations);
    team->observations = observations;
    team->width = status ? 0 : (uint32_t)sum;
    team->sensor_count = status ? 0 : count;
    team->reads = reads;
    if (team->sensor_count > 0) {
        memcpy(team->sensors, sensors, team->sensor_count * sizeof *sensors);
    }
    if (width) {
        *width = team->width;
    }
    if (!status) {
        vxe_parallel_each(team->count, team->threads, read_one, team);
        status = vxe_team_check_memory(team, error);
    }
    return status;
}
