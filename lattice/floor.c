/* SPDX-License-Identifier: MIT */
/* The floor of a design: a level or sloped plane, with or without an end, and a heightfield on it.
 */
#include "lattice/floor_internal.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Maximum of points of a heightfield: 2 GiB. */
#define MAX_POINTS (1ull << 28)
/* Maximum slope, rise over run. Steeper walls can be made of fixed voxels. */
#define STEEPEST 1e3

static vxe_status refuse_size(const vxe_heightfield *field, vxe_error *error)
{
    return vxe_error_fill(error, VXE_ERROR_INPUT,
                          "heightfield of %u x %u points: it must have at least 2 along each side, "
                          "and at most 2^28 in all",
                          field->columns, field->rows);
}

vxe_status vxe_design_set_heights(vxe_design *design, const vxe_heightfield *field,
                                  vxe_error *error)
{
    const uint64_t count = (uint64_t)field->columns * field->rows;
    if (field->columns < 2 || field->rows < 2 || count > MAX_POINTS) {
        return refuse_size(field, error);
    }
    double *heights = vxe_memory_take(count, sizeof *heights);
    if (!heights) {
        return vxe_error_memory(error, count * sizeof *heights);
    }
    memcpy(heights, field->heights, count * sizeof *heights);
    vxe_memory_release(design->floor.heights.heights);
    design->floor.heights = *field;
    design->floor.heights.heights = heights;
    return VXE_OK;
}

/* The cell of a grid of last + 1 points that contains a position, in distances of points; *part is
   the position in the cell, 0 to 1. Positions outside are moved to the edge of the grid. */
static uint32_t cell_of(double points, double last, double *part)
{
    const double at = points > 0 ? (points < last ? points : last) : 0;
    const uint32_t cell = (uint32_t)(at < last ? at : last - 1);
    *part = at - cell;
    VXE_ASSERT(cell < last && *part >= 0 && *part <= 1);
    return cell;
}

static double height_at(const vxe_heightfield *field, double x, double y)
{
    double e = 0;
    double f = 0;
    VXE_ASSERT(field->columns >= 2 && field->rows >= 2 && field->heights && field->spacing > 0);
    const uint32_t i = cell_of((x - field->origin[0]) / field->spacing, field->columns - 1.0, &e);
    const uint32_t j = cell_of((y - field->origin[1]) / field->spacing, field->rows - 1.0, &f);
    const double *low = field->heights + (size_t)j * field->columns + i;
    const double *high = low + field->columns;
    const double below = low[0] + e * (low[1] - low[0]);
    return below + f * (high[0] + e * (high[1] - high[0]) - below);
}

double vxe_floor_level(const vxe_floor *floor, double x, double y)
{
    const double away[2] = {x - floor->center[0], y - floor->center[1]};
    if (floor->radius > 0 && hypot(away[0], away[1]) > floor->radius) {
        return -HUGE_VAL;
    }
    const double plane = floor->height + floor->slope[0] * x + floor->slope[1] * y;
    return floor->heights.columns > 0 ? plane + height_at(&floor->heights, x, y) : plane;
}

bool vxe_floor_is_level(const vxe_floor *floor)
{
    return floor->slope[0] == 0 && floor->slope[1] == 0 && floor->radius == 0 &&
           floor->heights.columns == 0;
}

/* Checks that a heightfield is finite and nowhere steeper than STEEPEST. */
static vxe_status check_heights(const vxe_heightfield *field, vxe_error *error)
{
    if (!(field->spacing > 1e-12 && field->spacing < 1e12 && isfinite(field->origin[0]) &&
          isfinite(field->origin[1]))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "heightfield from (%g, %g) m with %g m between its points: these "
                              "must be finite, and the distance above 0",
                              field->origin[0], field->origin[1], field->spacing);
    }
    if (field->columns < 2 || field->rows < 2 || !field->heights ||
        (uint64_t)field->columns * field->rows > MAX_POINTS) {
        return refuse_size(field, error);
    }
    const double max = STEEPEST * field->spacing;
    for (uint32_t j = 0; j < field->rows; j++) {
        for (uint32_t i = 0; i < field->columns; i++) {
            const double *at = field->heights + (size_t)j * field->columns + i;
            const double along = i > 0 ? at[0] - at[-1] : 0;
            const double sideways = j > 0 ? at[0] - *(at - field->columns) : 0;
            if (!(isfinite(*at) && fabs(along) <= max && fabs(sideways) <= max)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "heightfield has %g m at column %u of row %u (from 0): "
                                      "heights must be finite, and no steeper than 1000 to 1",
                                      *at, i, j);
            }
        }
    }
    return VXE_OK;
}

vxe_status vxe_floor_check(const vxe_floor *floor, vxe_error *error)
{
    if (!(fabs(floor->slope[0]) <= STEEPEST && fabs(floor->slope[1]) <= STEEPEST &&
          isfinite(floor->height) && floor->radius >= 0 && floor->radius < 1e300 &&
          isfinite(floor->center[0]) && isfinite(floor->center[1]))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "floor at height %g m, slope (%g, %g), radius %g m about (%g, %g) m: "
                              "these must be finite, the slope at most 1000, and the radius 0 (no "
                              "end) or above",
                              floor->height, floor->slope[0], floor->slope[1], floor->radius,
                              floor->center[0], floor->center[1]);
    }
    return floor->heights.columns > 0 || floor->heights.rows > 0
               ? check_heights(&floor->heights, error)
               : VXE_OK;
}
