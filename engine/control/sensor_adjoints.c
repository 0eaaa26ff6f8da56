/* SPDX-License-Identifier: MIT */
/* Sensors backwards: from what a number changes with the numbers that were sensed to what it
   changes with the poses and velocities of voxels (docs/glossary.md, Adjoint). robot_sensors.c has
   the way forwards. Rounding to float counts as nothing. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "engine/control/control.h"

/* Means of a unit that sensors tell of, three numbers each. */
enum { PLACE, VELOCITY = 3, SPIN = 6, UP = 9, HEADING = 12, MEANS = 15 };

/* What a sensor tells of. */
typedef enum told_of {
    OF_NOTHING,
    OF_ROBOT,
    OF_PARTS,
    OF_GROUPS,
    OF_VOXELS,
    OF_TARGETS,
    OF_FLOOR,
    NO_WAY_BACK
} told_of;

static const struct {
    told_of of;
    int mean;
    bool relative; /* less that of the robot */
} table[VXE_SENSOR_KINDS] = {
    [VXE_SENSOR_CENTER] = {OF_ROBOT, PLACE, false},
    [VXE_SENSOR_VELOCITY] = {OF_ROBOT, VELOCITY, false},
    [VXE_SENSOR_SPIN] = {OF_ROBOT, SPIN, false},
    [VXE_SENSOR_UP] = {OF_ROBOT, UP, false},
    [VXE_SENSOR_HEADING] = {OF_ROBOT, HEADING, false},
    [VXE_SENSOR_CLOCK] = {OF_NOTHING, 0, false},
    [VXE_SENSOR_TARGETS] = {OF_TARGETS, 0, false},
    [VXE_SENSOR_GROUP_PLACE] = {OF_GROUPS, PLACE, true},
    [VXE_SENSOR_GROUP_VELOCITY] = {OF_GROUPS, VELOCITY, true},
    [VXE_SENSOR_GROUP_EDGE] = {NO_WAY_BACK, 0, false},
    [VXE_SENSOR_GROUP_STRAIN] = {NO_WAY_BACK, 0, false},
    [VXE_SENSOR_GROUP_LOAD] = {NO_WAY_BACK, 0, false},
    [VXE_SENSOR_GROUP_TOUCH] = {NO_WAY_BACK, 0, false},
    [VXE_SENSOR_VOXEL_PLACE] = {OF_VOXELS, PLACE, true},
    [VXE_SENSOR_VOXEL_VELOCITY] = {OF_VOXELS, VELOCITY, true},
    [VXE_SENSOR_FLOOR_AHEAD] = {OF_FLOOR, 0, false},
    [VXE_SENSOR_PART_CENTER] = {OF_PARTS, PLACE, false},
    [VXE_SENSOR_PART_VELOCITY] = {OF_PARTS, VELOCITY, false},
    [VXE_SENSOR_PART_UP] = {OF_PARTS, UP, false},
    [VXE_SENSOR_PART_HEADING] = {OF_PARTS, HEADING, false},
};

vxe_sensor_kind vxe_sensing_without_way_back(const vxe_sensing *sensing)
{
    for (uint32_t i = 0; i < sensing->count; i++) {
        if (table[sensing->kinds[i]].of == NO_WAY_BACK) {
            return sensing->kinds[i];
        }
    }
    return VXE_SENSOR_KINDS;
}

vxe_status vxe_sensor_adjoints_init(vxe_sensor_adjoints *adjoints, const vxe_sensing *sensing,
                                    vxe_error *error)
{
    const vxe_model *model = &sensing->simulation->model;
    const uint64_t voxels = model->topology.voxel_count;
    const uint64_t units = 1ull + model->topology.body_count + model->group_count;
    *adjoints = (vxe_sensor_adjoints){.units = units};
    adjoints->by_unit = vxe_memory_take(MEANS * units, sizeof *adjoints->by_unit);
    adjoints->weight = vxe_memory_take(units, sizeof *adjoints->weight);
    adjoints->voxels = vxe_memory_take(units, sizeof *adjoints->voxels);
    adjoints->directions = vxe_memory_take(6 * units, sizeof *adjoints->directions);
    adjoints->by_voxel = vxe_memory_take(12 * voxels, sizeof *adjoints->by_voxel);
    adjoints->by_target = vxe_memory_take(model->group_count, sizeof *adjoints->by_target);
    if (!adjoints->by_unit || !adjoints->weight || !adjoints->voxels || !adjoints->directions ||
        !adjoints->by_voxel || !adjoints->by_target) {
        vxe_sensor_adjoints_clear(adjoints);
        return vxe_error_memory(error, 8 * (12 * voxels + 23 * units));
    }
    return VXE_OK;
}

void vxe_sensor_adjoints_clear(vxe_sensor_adjoints *adjoints)
{
    vxe_memory_release(adjoints->by_unit);
    vxe_memory_release(adjoints->weight);
    vxe_memory_release(adjoints->voxels);
    vxe_memory_release(adjoints->directions);
    vxe_memory_release(adjoints->by_voxel);
    vxe_memory_release(adjoints->by_target);
    *adjoints = (vxe_sensor_adjoints){.units = 0};
}

/* The units that a voxel belongs to: the robot, its part, and its group if there is one. */
static uint32_t units_of(const vxe_sensing *sensing, uint32_t slot, uint32_t units[3])
{
    const vxe_model *model = &sensing->simulation->model;
    units[0] = 0;
    units[1] = 1 + model->topology.body[slot];
    units[2] = 1 + model->topology.body_count + sensing->group[slot];
    return model->group_count > 0 ? 3 : 2;
}

/* Directions of a voxel's own z and x axes. */
static void directions_of(const vxe_state *state, uint32_t slot, double directions[6])
{
    static const double x[3] = {1, 0, 0};
    static const double z[3] = {0, 0, 1};
    double q[4];
    for (int c = 0; c < 4; c++) {
        q[c] = vxe_state_orientation(state, c, slot);
    }
    vxe_rotate(q, z, directions);
    vxe_rotate(q, x, directions + 3);
}

/* Weights, numbers of voxels, and sums of directions of all units. Those of groups weigh all voxels
   alike. */
static void measure(const vxe_sensing *sensing, vxe_sensor_adjoints *into)
{
    const vxe_model *model = &sensing->simulation->model;
    const uint64_t units = into->units;
    memset(into->weight, 0, units * sizeof *into->weight);
    memset(into->voxels, 0, units * sizeof *into->voxels);
    memset(into->directions, 0, 6 * units * sizeof *into->directions);
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        uint32_t of[3];
        double directions[6];
        const uint32_t count = units_of(sensing, slot, of);
        const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
        directions_of(&sensing->simulation->state, slot, directions);
        for (uint32_t i = 0; i < count; i++) {
            into->weight[of[i]] += i < 2 ? mass : 1;
            into->voxels[of[i]]++;
            for (int c = 0; c < 6; c++) {
                into->directions[6 * of[i] + (uint32_t)c] += directions[c];
            }
        }
    }
}

/* Passes on what the numbers of a sensor got to units, voxels and targets. told: groups that
   sensors tell of. */
static void take_back(const vxe_sensing *sensing, vxe_sensor_kind kind, const double *by,
                      uint32_t told, vxe_sensor_adjoints *into)
{
    const vxe_model *model = &sensing->simulation->model;
    const told_of of = table[kind].of;
    const uint32_t first = of == OF_ROBOT ? 0 : of == OF_PARTS ? 1 : 1 + model->topology.body_count;
    const uint32_t counts[] = {[OF_NOTHING] = 0,
                               [OF_ROBOT] = 1,
                               [OF_PARTS] = model->topology.body_count,
                               [OF_GROUPS] = told,
                               [OF_VOXELS] = model->topology.voxel_count,
                               [OF_TARGETS] = told,
                               [OF_FLOOR] = VXE_FLOOR_POINTS,
                               [NO_WAY_BACK] = 0};
    double *robot = into->by_unit + table[kind].mean;
    for (uint32_t i = 0; i < counts[of]; i++) {
        if (of == OF_TARGETS) {
            into->by_target[i] += by[i];
            continue;
        }
        if (of == OF_FLOOR) { /* the floor is level: its height less that of the centre */
            into->by_unit[PLACE + 2] -= sensing->floor->enabled ? by[i] : 0;
            continue;
        }
        if (of == OF_GROUPS && into->voxels[first + i] == 0) {
            continue;
        }
        double *to = of == OF_VOXELS
                         ? into->by_voxel + (size_t)12 * model->topology.place[i] +
                               (table[kind].mean == PLACE ? 0 : 6)
                         : into->by_unit + (size_t)MEANS * (first + i) + table[kind].mean;
        for (uint32_t c = 0; c < 3; c++) {
            to[c] += by[3 * i + c];
            robot[c] -= table[kind].relative ? by[3 * i + c] : 0;
        }
    }
}

/* From adjoints of a direction to those of the sum that it has the direction of, in place. */
static void unscale(const double *sum, double *by)
{
    const double length = sqrt(vxe_dot3(sum, sum));
    const double by_length = length > 0 ? 1 / length : 0;
    const double along = vxe_dot3(sum, by) * by_length * by_length;
    for (int c = 0; c < 3; c++) {
        by[c] = by_length * (by[c] - along * sum[c]);
    }
}

/* Adds what a voxel gets of a unit. share: of its weight. */
static void share_out(const double *unit, double share, double by_voxels,
                      const double directions[6], double *into)
{
    for (int c = 0; c < 3; c++) {
        into[c] += share * unit[PLACE + c];
        into[6 + c] += share * unit[VELOCITY + c];
        into[9 + c] += by_voxels * unit[SPIN + c];
    }
    for (int d = 0; d < 2; d++) { /* a turn t changes a direction e by t x e */
        double turns[3];
        vxe_cross3(directions + 3 * d, unit + UP + 3 * d, turns);
        for (int c = 0; c < 3; c++) {
            into[3 + c] += turns[c];
        }
    }
}

void vxe_sensing_backwards(const vxe_sensing *sensing, const double *by_row, uint32_t outputs,
                           vxe_sensor_adjoints *into)
{
    const vxe_model *model = &sensing->simulation->model;
    const uint32_t voxels = model->topology.voxel_count;
    const uint32_t told = outputs < model->group_count ? outputs : model->group_count;
    memset(into->by_unit, 0, MEANS * into->units * sizeof *into->by_unit);
    memset(into->by_voxel, 0, (size_t)12 * voxels * sizeof *into->by_voxel);
    memset(into->by_target, 0, model->group_count * sizeof *into->by_target);
    measure(sensing, into);
    for (uint32_t i = 0; i < sensing->count; i++) {
        take_back(sensing, sensing->kinds[i], by_row, told, into);
        by_row += vxe_sensor_width(sensing->kinds[i], outputs, model->topology.body_count, voxels);
    }
    for (uint64_t unit = 0; unit < into->units; unit++) {
        unscale(into->directions + 6 * unit, into->by_unit + MEANS * unit + UP);
        unscale(into->directions + 6 * unit + 3, into->by_unit + MEANS * unit + HEADING);
    }
    for (uint32_t slot = 0; slot < voxels; slot++) {
        uint32_t of[3];
        double directions[6];
        const uint32_t count = units_of(sensing, slot, of);
        const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
        directions_of(&sensing->simulation->state, slot, directions);
        for (uint32_t i = 0; i < count; i++) {
            share_out(into->by_unit + (size_t)MEANS * of[i],
                      (i < 2 ? mass : 1) / into->weight[of[i]], 1.0 / into->voxels[of[i]],
                      directions, into->by_voxel + (size_t)12 * slot);
        }
    }
}
