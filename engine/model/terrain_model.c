/* SPDX-License-Identifier: MIT */
/* Numbers of a floor that is not level, in the form that kernels read (terrain_law.h;
   docs/physics.md, Uneven floors). */
#include <math.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/floor/terrain_law.h"
#include "engine/model/model.h"
#include "lattice/floor_internal.h"

/* Largest lift, that of 45 degrees: near a wall a larger one would lift a voxel over the wall's
   top. */
#define STEEPEST_LIFT 1.4142135623730951

/* Slope of the heights at a point along one axis: from both neighbours, or from the only one. */
static double rise_at(const vxe_heightfield *field, uint32_t i, uint32_t count, size_t stride,
                      const double *at)
{
    VXE_ASSERT(i < count && count >= 2 && field->spacing > 0);
    const uint32_t before = i > 0;
    const uint32_t behind = i + 1 < count;
    return (at[behind * stride] - *(at - before * stride)) /
           ((double)(before + behind) * field->spacing);
}

/* Fills in the points: height above the plane, lift and weight by the slope at each. */
static void fill_points(vxe_terrain *terrain, const vxe_floor *floor, const vxe_heightfield *field)
{
    double highest = -HUGE_VAL;
    for (uint32_t j = 0; j < field->rows; j++) {
        for (uint32_t i = 0; i < field->columns; i++) {
            const size_t k = (size_t)j * field->columns + i;
            const double *at = field->heights + k;
            const double x = floor->slope[0] + rise_at(field, i, field->columns, 1, at);
            const double y = floor->slope[1] + rise_at(field, j, field->rows, field->columns, at);
            const double lift = sqrt(1 + x * x + y * y);
            double *point = terrain->points + VXE_TERRAIN_POINT * k;
            point[0] = *at;
            point[1] = fmin(lift, STEEPEST_LIFT);
            point[2] = 1 / lift;
            terrain->max_lift = fmax(terrain->max_lift, point[1]);
            highest = fmax(highest, *at);
        }
    }
    const bool sloped = floor->slope[0] != 0 || floor->slope[1] != 0;
    terrain->top = sloped ? HUGE_VAL : terrain->number[VXE_TERRAIN_LEVEL] + highest;
}

/* Largest slope of the path of a voxel's centre over a cell along one axis, between two
   neighbouring points. */
static double steepest_over(const double *at, const double *next, double slope, double per_point,
                            double half)
{
    const double along = slope + per_point * (next[0] - at[0]);
    return fabs(along) + fabs(per_point * half * (next[1] - at[1]));
}

/* Bounds each cell by its steepest sides and largest weight. The slope of the weight adds only
   terms of the order of the depth over the spacing, which are left out. */
void vxe_terrain_bound(vxe_terrain *terrain, double half)
{
    VXE_ASSERT(terrain->points && half > 0);
    const uint32_t columns = (uint32_t)terrain->number[VXE_TERRAIN_LAST_X] + 1;
    const uint32_t rows = (uint32_t)terrain->number[VXE_TERRAIN_LAST_Y] + 1;
    const double per_point = terrain->number[VXE_TERRAIN_PER_POINT];
    const size_t row = (size_t)VXE_TERRAIN_POINT * columns;
    double max = 1;
    double steepest2 = 0;
    for (uint32_t j = 0; j + 1 < rows; j++) {
        for (uint32_t i = 0; i + 1 < columns; i++) {
            const double *at = terrain->points + j * row + (size_t)VXE_TERRAIN_POINT * i;
            const double *beside = at + VXE_TERRAIN_POINT;
            const double *behind = at + row;
            const double *across = behind + VXE_TERRAIN_POINT;
            const double slope_x = terrain->number[VXE_TERRAIN_SLOPE_X];
            const double slope_y = terrain->number[VXE_TERRAIN_SLOPE_Y];
            const double x = fmax(steepest_over(at, beside, slope_x, per_point, half),
                                  steepest_over(behind, across, slope_x, per_point, half));
            const double y = fmax(steepest_over(at, behind, slope_y, per_point, half),
                                  steepest_over(beside, across, slope_y, per_point, half));
            const double weight = fmax(fmax(at[2], beside[2]), fmax(behind[2], across[2]));
            max = fmax(max, weight * weight * (1 + x * x + y * y));
            steepest2 = fmax(steepest2, x * x + y * y);
        }
    }
    /* K + k n n* is no stiffer than K + k z z* and k times the sine of the angle between n and z
       (Weyl1912) */
    terrain->stiffer = (max - 1) + sqrt(steepest2 / (1 + steepest2));
}

vxe_status vxe_model_fill_terrain(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_floor *floor = &design->floor;
    const double *origin = model->origin;
    double no_heights[4] = {0};
    const vxe_heightfield plane = {2, 2, 1, {0, 0}, no_heights}; /* four equal points */
    const vxe_heightfield *field = floor->heights.columns > 0 ? &floor->heights : &plane;
    const uint64_t count = (uint64_t)field->columns * field->rows;
    if (!floor->enabled || vxe_floor_is_level(floor)) {
        return VXE_OK;
    }
    vxe_terrain *terrain = vxe_memory_take(1, sizeof *terrain);
    model->terrain = terrain;
    if (!terrain ||
        !(terrain->points = vxe_memory_take(count, VXE_TERRAIN_POINT * sizeof *terrain->points))) {
        return vxe_error_memory(error, 24 * count);
    }
    terrain->count = count;
    const double numbers[VXE_TERRAIN_NUMBERS] = {
        [VXE_TERRAIN_LEVEL] =
            floor->height - origin[2] + floor->slope[0] * origin[0] + floor->slope[1] * origin[1],
        [VXE_TERRAIN_SLOPE_X] = floor->slope[0],
        [VXE_TERRAIN_SLOPE_Y] = floor->slope[1],
        [VXE_TERRAIN_FIRST_X] = field->origin[0] - origin[0],
        [VXE_TERRAIN_FIRST_Y] = field->origin[1] - origin[1],
        [VXE_TERRAIN_PER_POINT] = 1 / field->spacing,
        [VXE_TERRAIN_LAST_X] = field->columns - 1.0,
        [VXE_TERRAIN_LAST_Y] = field->rows - 1.0,
        [VXE_TERRAIN_CENTER_X] = floor->center[0] - origin[0],
        [VXE_TERRAIN_CENTER_Y] = floor->center[1] - origin[1],
        [VXE_TERRAIN_DEEPEST] = floor->radius > 0 ? model->edge : HUGE_VAL,
        [VXE_TERRAIN_RADIUS2] = floor->radius > 0 ? floor->radius * floor->radius : HUGE_VAL};
    for (int i = 0; i < VXE_TERRAIN_NUMBERS; i++) {
        terrain->number[i] = numbers[i];
    }
    fill_points(terrain, floor, field);
    vxe_terrain_bound(terrain, 0.5 * model->widest * model->edge);
    model->arrays.terrain = terrain;
    return VXE_OK;
}

void vxe_terrain_release(vxe_terrain *terrain)
{
    if (terrain) {
        vxe_memory_release(terrain->points);
        vxe_memory_release(terrain);
    }
}

uint32_t vxe_model_sunk(const vxe_model *model, const vxe_design *design)
{
    const double half = 0.5 * model->edge;
    uint32_t sunk = 0;
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        double at[3];
        for (int c = 0; c < 3; c++) {
            at[c] = vxe_model_rest(model, design, c, slot);
        }
        double depth = model->arrays.floor_height + half - at[2];
        if (model->terrain) {
            const vxe_terrain_place place = {
                model->terrain->number, 1, model->terrain->points, at[0], at[1], at[2], half};
            depth = terrain_touch(&place).depth;
        }
        sunk += depth > 0.01 * model->edge;
    }
    return sunk;
}
