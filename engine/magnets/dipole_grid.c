/* SPDX-License-Identifier: MIT */
/* Cell list of dipoles that interact within a reach only: dipoles are sorted by boxes (a counting
   sort), so that those near each other are contiguous in memory and vectors can read them. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/cell_list_internal.h"
#include "engine/magnets/magnets.h"

/* Index of a box along an axis; clamped, since positions of a diverging run may be anywhere or not
   a number. */
static uint32_t box_along(double at, double low, double width, uint32_t sides)
{
    const double box = floor((at - low) / width);
    return box > 0 ? (box < sides ? (uint32_t)box : sides - 1) : 0;
}

/* m: coordinate of a dipole's voxel; the reach is measured between centres of voxels. */
static double place_of(const vxe_dipoles *d, vxe_precision precision, int c, uint32_t i)
{
    return vxe_real_at(precision, d->x[c], i);
}

/* Finds the boxes of all dipoles. Returns the number of boxes. */
static uint64_t find_boxes(const vxe_dipoles *d, vxe_precision precision)
{
    vxe_dipole_grid *grid = d->grid;
    const double reach = d->reach / d->by_edge;
    memset(grid->box, 0, d->count * sizeof *grid->box);
    for (int c = 2; c >= 0; c--) {
        double low = HUGE_VAL;
        double high = -HUGE_VAL;
        for (uint32_t i = 0; i < d->count; i++) {
            const double at = place_of(d, precision, c, i);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        const double across = high - low;
        const double width = fmax(reach, across / VXE_MAX_BOXES);
        const double sides = floor(across / width) + 1;
        grid->sides[c] = sides >= 1 && sides < VXE_MAX_BOXES ? (uint32_t)sides : VXE_MAX_BOXES;
        for (uint32_t i = 0; i < d->count; i++) {
            const double at = place_of(d, precision, c, i);
            grid->box[i] =
                grid->box[i] * grid->sides[c] + box_along(at, low, width, grid->sides[c]);
        }
    }
    const uint64_t boxes = (uint64_t)grid->sides[0] * grid->sides[1] * grid->sides[2];
    VXE_ASSERT(boxes <= (uint64_t)VXE_MAX_BOXES * VXE_MAX_BOXES * VXE_MAX_BOXES);
    return boxes;
}

/* Copies one number of a run's precision. */
static void copy_real(vxe_precision precision, vxe_reals *to, uint32_t rank, const vxe_reals *from,
                      uint32_t i)
{
    memcpy(vxe_reals_at(precision, to, rank), vxe_reals_at_const(precision, from, i),
           vxe_real_bytes(precision));
}

void vxe_dipole_grid_update(const vxe_dipoles *d, vxe_precision precision, uint32_t first,
                            uint32_t last)
{
    VXE_ASSERT(d->grid && first <= last && last <= d->count);
    for (uint32_t i = first; i < last; i++) {
        for (int c = 0; c < 3; c++) {
            copy_real(precision, d->grid->m[c], d->grid->rank[i], d->m[c], i);
        }
    }
}

void vxe_dipole_grid_sort(const vxe_dipoles *d, vxe_precision precision)
{
    vxe_dipole_grid *grid = d->grid;
    const uint64_t boxes = find_boxes(d, precision);
    vxe_cell_list_sort(grid->box, d->count, boxes, grid->first_of, NULL, grid->rank);
    for (uint32_t i = 0; i < d->count; i++) {
        const uint32_t rank = grid->rank[i];
        for (int c = 0; c < 3; c++) {
            copy_real(precision, grid->x[c], rank, d->x[c], i);
            copy_real(precision, grid->x_low[c], rank, d->x_low[c], i);
        }
        copy_real(precision, grid->owner, rank, d->owner, i);
    }
    vxe_dipole_grid_update(d, precision, 0, d->count);
}
