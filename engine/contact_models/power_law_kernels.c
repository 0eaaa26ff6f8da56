/* SPDX-License-Identifier: MIT */
/* Integral of the power law over a patch by Gauss-Legendre's rule; see power_law.h. This file is
   compiled once per instruction set. Eight points are computed side by side in as many registers as
   they need, and summed in one order, so that the result does not depend on the instruction set. */
#define VXE_WIDE

#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/contact_models/power_law.h"
#include "engine/contact_models/power_law_point.h"
#include "engine/core/real.h"

/* Points side by side, the registers that they take, and the maximum number along a side. */
#define POINTS 8
#define PARTS (POINTS / VXE_NUMBER_LANES)
#define MAX_SIDE 16

/* Sums over points; pushes are along the plane's normal. */
typedef struct sums {
    vxe_number push, push_by_arm[3];
    vxe_number loss[3], loss_by_arm[9];
    vxe_number energy, steep, damped, rubbed, dashpot;
    vxe_number fastest; /* the largest */
} sums;

/* What is equal at all points of a patch. */
typedef struct job {
    const double *numbers;
    const vxe_power_frame *frame;
    const vxe_power_patch *face;
    double n[3];
    double height;   /* m: of the frame's place above the plane */
    double rise;     /* m/s: rate of change of that height */
    double rises[3]; /* 1/s: gradient of the rate of change by the arm */
    vxe_number area; /* m^2: a quarter of the area of a patch without taper */
    bool even;       /* the patch has no taper */
    bool loses;      /* the law has damping or friction */
} job;

_Static_assert(POINTS % VXE_NUMBER_LANES == 0, "points fill registers");
_Static_assert(sizeof(sums) % sizeof(vxe_number) == 0, "sums are read number by number");

/* Fills the rule along a side: (count) positions and weights. */
static void fill_rule(int count, double *places, double *weights)
{
    const double(*rule)[2] = vxe_gauss_points(count);
    VXE_ASSERT(rule && count <= MAX_SIDE);
    for (int i = 0; i < count; i++) {
        places[i] = (i % 2 ? -1 : 1) * rule[i / 2][0];
        weights[i] = rule[i / 2][1];
    }
}

/* m^2: a quarter of the area element at (x, y); the weights add up to 4. */
VXE_INLINE vxe_number area_at(const vxe_power_patch *face, vxe_number x, vxe_number y)
{
    vxe_number a[3];
    vxe_number b[3];
    for (int c = 0; c < 3; c++) {
        a[c] = face->side[0][c] + y * face->taper[c];
        b[c] = face->side[1][c] + x * face->taper[c];
    }
    vxe_number cross[3];
    vxe_cross3(a, b, cross);
    return vxe_square_root(vxe_dot3(cross, cross));
}

/* Adds damping and friction at points with an arm (m) that move away at a speed rise (m/s).
   Friction is a drag, at most Coulomb's bound (other friction rules: floor/friction_law.h). */
VXE_INLINE void add_losses(const job *of, const vxe_number arm[3], vxe_number rise, vxe_number area,
                           const vxe_power_pressures *p, sums *sum)
{
    const double *gradient = of->frame->gradient;
    const double mu = of->numbers[VXE_POWER_FRIC];
    vxe_number along[3];
    for (int c = 0; c < 3; c++) {
        along[c] = gradient[3 * c] * arm[0] + gradient[3 * c + 1] * arm[1] +
                   gradient[3 * c + 2] * arm[2] + of->frame->v[c] - rise * of->n[c];
    }
    const vxe_number slide = vxe_square_root(vxe_dot3(along, along));
    vxe_number friction = p->friction;
    if (mu > 0) {
        const vxe_truth slides = vxe_less(vxe_number_of(0), slide);
        const vxe_number bound = vxe_choose(slides, mu * p->repels / slide, friction);
        friction = vxe_smaller(bound, friction);
    }
    for (int c = 0; c < 3; c++) {
        const vxe_number loss = -area * (p->damping * rise * of->n[c] + friction * along[c]);
        sum->loss[c] += loss;
        for (int d = 0; d < 3; d++) {
            sum->loss_by_arm[3 * c + d] += loss * arm[d];
        }
    }
    sum->damped += area * p->damping * rise * rise;
    sum->rubbed += area * friction * slide * slide;
    sum->dashpot += area * (p->damping + p->friction);
}

/* Adds points (x, y) with their weights. */
VXE_INLINE void add_points(const job *of, vxe_number x, vxe_number y, vxe_number weight, sums *sum)
{
    const vxe_power_patch *face = of->face;
    vxe_number arm[3];
    vxe_number distance = vxe_number_of(of->height);
    vxe_number rise = vxe_number_of(of->rise);
    for (int c = 0; c < 3; c++) {
        arm[c] =
            face->middle[c] + x * face->side[0][c] + y * face->side[1][c] + x * y * face->taper[c];
        distance += of->n[c] * arm[c];
        rise += of->rises[c] * arm[c];
    }
    const vxe_number area = weight * (of->even ? of->area : area_at(face, x, y));
    const vxe_power_pressures p = vxe_power_at(of->numbers, distance);
    const vxe_number push = area * p.push;
    sum->push += push;
    for (int c = 0; c < 3; c++) {
        sum->push_by_arm[c] += push * arm[c];
    }
    sum->energy += area * p.energy;
    sum->steep += area * p.steep;
    sum->fastest = vxe_larger(vxe_magnitude(rise), sum->fastest);
    if (of->loses) {
        add_losses(of, arm, rise, area, &p, sum);
    }
}

/* Sums one member over all parts and lanes, one after the other. */
static double total(const sums *all, size_t which)
{
    double sum = 0;
    for (int part = 0; part < PARTS; part++) {
        const double *lanes = (const double *)((const vxe_number *)&all[part] + which);
        for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
            sum += lanes[lane];
        }
    }
    return sum;
}

#define TOTAL(all, field) total(all, offsetof(sums, field) / sizeof(vxe_number))

/* Adds the totals to a sum. */
static void put_sums(const job *of, const sums *all, vxe_power_sum *sum)
{
    const double push = TOTAL(all, push);
    double by_arm[3];
    for (size_t d = 0; d < 3; d++) {
        by_arm[d] = total(all, offsetof(sums, push_by_arm) / sizeof(vxe_number) + d);
    }
    for (int c = 0; c < 3; c++) {
        sum->push[c] += push * of->n[c];
        for (int d = 0; d < 3; d++) {
            sum->push_by_arm[3 * c + d] += by_arm[d] * of->n[c];
        }
    }
    sum->energy += TOTAL(all, energy);
    sum->stiffness += TOTAL(all, steep);
    for (int part = 0; part < PARTS; part++) {
        const double *fastest = (const double *)&all[part].fastest;
        for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
            sum->fastest = fastest[lane] > sum->fastest ? fastest[lane] : sum->fastest;
        }
    }
    for (size_t c = 0; c < 3 && of->loses; c++) {
        sum->loss[c] += total(all, offsetof(sums, loss) / sizeof(vxe_number) + c);
    }
    for (size_t i = 0; i < 9 && of->loses; i++) {
        sum->loss_by_arm[i] += total(all, offsetof(sums, loss_by_arm) / sizeof(vxe_number) + i);
    }
    if (of->loses) {
        sum->damped += TOTAL(all, damped);
        sum->rubbed += TOTAL(all, rubbed);
        sum->dashpot += TOTAL(all, dashpot);
    }
}

static job job_of(const double *numbers, const vxe_power_frame *frame, const vxe_plane *plane,
                  const vxe_power_patch *face)
{
    const double *taper = face->taper;
    job of = {.numbers = numbers, .frame = frame, .face = face, .height = -plane->level};
    for (int c = 0; c < 3; c++) {
        of.n[c] = plane->n[c];
        of.height += plane->n[c] * frame->place[c];
        of.rise += plane->n[c] * frame->v[c];
        of.rises[c] = plane->n[0] * frame->gradient[c] + plane->n[1] * frame->gradient[3 + c] +
                      plane->n[2] * frame->gradient[6 + c];
    }
    of.area = area_at(face, vxe_number_of(0), vxe_number_of(0));
    of.even = taper[0] == 0 && taper[1] == 0 && taper[2] == 0;
    of.loses = numbers[VXE_POWER_BETA_D] > 0 || numbers[VXE_POWER_BETA_F] > 0;
    return of;
}

static void integrate(const double *numbers, const vxe_power_frame *frame, const vxe_plane *plane,
                      const vxe_power_patch *face, const int points[2], vxe_power_sum *sum)
{
    const job of = job_of(numbers, frame, plane, face);
    double places[2][MAX_SIDE] = {{0}};
    double weights[2][MAX_SIDE] = {{0}};
    sums all[PARTS];
    memset(all, 0, sizeof all);
    for (int side = 0; side < 2; side++) {
        fill_rule(points[side], places[side], weights[side]);
    }
    int i = 0; /* index of the next point along the first side */
    int j = 0; /* index of the next point along the second side */
    while (i < points[0]) {
        for (int part = 0; part < PARTS; part++) {
            vxe_number x = vxe_number_of(0);
            vxe_number y = x;
            vxe_number weight = x; /* lanes after the last point have weight 0 */
            for (int lane = 0; lane < VXE_NUMBER_LANES && i < points[0]; lane++) {
                *vxe_lane(&x, lane) = places[0][i];
                *vxe_lane(&y, lane) = places[1][j];
                *vxe_lane(&weight, lane) = weights[0][i] * weights[1][j];
                j = j + 1 < points[1] ? j + 1 : 0;
                i += j == 0;
            }
            add_points(&of, x, y, weight, &all[part]);
        }
    }
    put_sums(&of, all, sum);
}

const vxe_power_kernels VXE_VARIANT(vxe_power_kernels) = {integrate};
