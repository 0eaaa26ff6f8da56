/* SPDX-License-Identifier: MIT */
/* Integrals of the power law over a face; see power_law.h. The integrand is steep: D^-8 and more.
   A face is integrated by Gauss-Legendre's rule with 2, 4, 8 or 16 points along a side whose ends
   are within a ratio of distances of 1.02, 1.5, 3 or 4 (errors below 1e-3, mostly far below). Where
   the ratio is larger, the face is cut at the geometric mean of the distances, and far parts whose
   load is negligible beside the near ones are skipped. */
#include <math.h>

#include "common/assert_internal.h"
#include "engine/contact_models/model_interface.h"
#include "engine/contact_models/power_law_point.h"

/* Maximum number of cuts of a face. Each cut takes the root of the ratio of distances, so 16 are
   more than any ratio needs. */
#define MAX_CUTS 16
/* Maximum ratio of distances along a side that is integrated without a cut. */
#define EVEN 4

/* Parts of a face are skipped whose load is at most this fraction of the sum so far. */
#define NOTHING 1e-9

/* Arguments of an integration. */
typedef struct job {
    const double *numbers;
    const vxe_power_frame *frame;
    const vxe_plane *plane;
    vxe_power_sum *sum;
} job;

void vxe_power_velocity(const vxe_power_frame *frame, const double arm[3], double v[3])
{
    vxe_m3_apply(frame->gradient, arm, v);
    for (int c = 0; c < 3; c++) {
        v[c] += frame->v[c];
    }
}

/* Number of points along a side by the ratio of the distances of its ends. */
static int points_for(double ratio)
{
    return ratio < 1.02 ? 2 : ratio < 1.5 ? 4 : ratio < 3 ? 8 : 16;
}

/* m^2: a quarter of a patch's area, by the sides at its middle. */
static double middle_area(const vxe_power_patch *face)
{
    const double *a = face->side[0];
    const double *b = face->side[1];
    double cross[3];
    vxe_cross3(a, b, cross);
    return sqrt(vxe_dot3(cross, cross));
}

void vxe_power_place(const vxe_power_patch *face, double x, double y, double at[3])
{
    for (int c = 0; c < 3; c++) {
        at[c] =
            face->middle[c] + x * face->side[0][c] + y * face->side[1][c] + x * y * face->taper[c];
    }
}

/* Splits a patch in two across one of its sides; the first part has the given share of the side. */
static void split(const vxe_power_patch *whole, int side, double share, vxe_power_patch parts[2])
{
    parts[0] = parts[1] = *whole;
    for (int c = 0; c < 3; c++) {
        const double along = whole->side[side][c];
        const double taper = whole->taper[c];
        parts[0].side[side][c] = share * along;
        parts[1].side[side][c] = (1 - share) * along;
        parts[0].middle[c] -= (1 - share) * along;
        parts[1].middle[c] += share * along;
        parts[0].side[1 - side][c] -= (1 - share) * taper;
        parts[1].side[1 - side][c] += share * taper;
        parts[0].taper[c] = share * taper;
        parts[1].taper[c] = (1 - share) * taper;
    }
}

/* Heights of a patch above the plane. The height is bilinear over the patch, so the ratio of the
   ends of any line along a side is at most that of one of the two edges along it. */
typedef struct heights {
    double min;      /* m: of the nearest corner */
    double ratio[2]; /* of the ends of the more uneven edge along each side, 1 or more */
    double from[2];  /* m: height of the first end of that edge */
    double to[2];    /* m: height of its second end */
} heights;

static heights heights_of(const job *of, const vxe_power_patch *face)
{
    const double *n = of->plane->n;
    const double a = vxe_dot3(face->side[0], n);
    const double b = vxe_dot3(face->side[1], n);
    const double taper = vxe_dot3(face->taper, n);
    const double middle =
        vxe_dot3(of->frame->place, n) - of->plane->level + vxe_dot3(face->middle, n);
    const double corner[4] = {middle - a - b + taper, middle + a - b - taper,
                              middle - a + b - taper, middle + a + b + taper};
    heights h = {.min = fmin(fmin(corner[0], corner[1]), fmin(corner[2], corner[3])),
                 .ratio = {0, 0}};
    for (int side = 0; side < 2; side++) {
        for (int edge = 0; edge < 2; edge++) {
            const double from = corner[edge * (2 - side)];
            const double to = corner[edge * (2 - side) + 1 + side];
            const double ratio = fmax(from, to) / fmin(from, to);
            if (ratio > h.ratio[side]) {
                h.ratio[side] = ratio;
                h.from[side] = from;
                h.to[side] = to;
            }
        }
    }
    return h;
}

/* Cuts a patch across one of its sides at the geometric mean of the distances at its ends, into the
 * far part and the near part. */
static void cut(const vxe_power_patch *whole, int side, double from, double to,
                vxe_power_patch parts[2])
{
    VXE_ASSERT(from > 0 && to > 0 && from != to);
    const double mean = sqrt(from * to);
    vxe_power_patch halves[2];
    split(whole, side, (mean - from) / (to - from), halves);
    parts[to > from] = halves[0];
    parts[!(to > from)] = halves[1];
}

bool vxe_power_is_idle(const double *numbers, double min, double area, const vxe_power_sum *sum)
{
    const vxe_power_pressures p = vxe_power_at(numbers, min);
    double pushed = 0;
    for (int c = 0; c < 3; c++) {
        pushed = fmax(pushed, fabs(sum->push[c]));
    }
    /* the sum of repulsion and adhesion may cancel here and not farther away */
    const double pulls = numbers[VXE_POWER_BETA_A] > 0 ? p.steep * min : 0;
    return area * (fabs(p.push) + pulls) < NOTHING * pushed &&
           area * (p.damping + p.friction) <= NOTHING * sum->dashpot &&
           area * p.steep < NOTHING * sum->stiffness;
}

/* Whether the load of a whole patch is negligible beside the sum so far. */
static bool is_idle(const job *of, const vxe_power_patch *face, double min)
{
    const double *taper = face->taper;
    const double more = fabs(taper[0]) + fabs(taper[1]) + fabs(taper[2]);
    const double area = 4 * middle_area(face) * (more > 0 ? 4 : 1);
    return vxe_power_is_idle(of->numbers, min, area, of->sum);
}

/* Each cut puts the far part below the near part on a stack, so that near parts are summed first
   and far parts can be skipped. */
void vxe_power_add_patch(const vxe_power_kernels *kernels, const double *numbers,
                         const vxe_power_frame *frame, const vxe_plane *plane,
                         const vxe_power_patch *face, vxe_power_sum *sum)
{
    const job of = {numbers, frame, plane, sum};
    vxe_power_patch stack[MAX_CUTS + 1];
    int cuts[MAX_CUTS + 1] = {0};
    int count = 1;
    stack[0] = *face;
    while (count > 0) {
        const vxe_power_patch now = stack[--count];
        const int done = cuts[count];
        const heights h = heights_of(&of, &now);
        sum->nearest = fmin(sum->nearest, h.min);
        if (!(h.min > 0)) {
            return;
        }
        if (done > 0 && is_idle(&of, &now, h.min)) {
            continue;
        }
        const int side = h.ratio[1] > h.ratio[0];
        if (h.ratio[side] < EVEN || done == MAX_CUTS) {
            const int points[2] = {points_for(h.ratio[0]), points_for(h.ratio[1])};
            kernels->integrate(numbers, frame, plane, &now, points, sum);
        } else {
            VXE_ASSERT(count + 1 < MAX_CUTS + 1);
            cut(&now, side, h.from[side], h.to[side], &stack[count]);
            cuts[count] = cuts[count + 1] = done + 1;
            count += 2;
        }
    }
}
