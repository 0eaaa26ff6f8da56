/* SPDX-License-Identifier: MIT */
/* See power_law_internal.h. Faces are planes, above which the distance is affine; they are
   integrated by Gauss-Legendre's rule, with 2, 4, 8, 16 or 32 points along a side whose ends are
   within 1.02, 1.5, 3, 6 or 12 of each other in distance (errors below 1e-3, mostly far below), and
   cut at the geometric mean where they are not. */
#include <math.h>

#include "common/trig_internal.h"
#include "engine/grains/grain_law_internal.h"

/* Cuts of a face, each of which leaves the root of the ratio: more than any distances need. */
#define MOST_CUTS 16
/* Parts of a face that feel no more than so much of what is felt are left out. */
#define NOTHING 1e-9

double vxe_inverse_power(double x, double nu)
{
    if (nu != floor(nu)) {
        return vxe_exponential(-nu * vxe_logarithm(x));
    }
    const double by = 1 / x;
    double square = by;
    double product = 1;
    for (uint32_t n = (uint32_t)nu; n > 0; n /= 2) {
        product *= n % 2 ? square : 1;
        square *= square;
    }
    return product;
}

/* D^(1 - nu)/(nu - 1), which ends in -ln D. */
static double potential(double d, double nu)
{
    return nu == 1 ? -vxe_logarithm(d) : vxe_inverse_power(d, nu - 1) / (nu - 1);
}

/* What faces are integrated with. */
typedef struct job {
    const double *numbers;
    const vxe_power_frame *frame;
    const vxe_plane *plane;
    vxe_power_sum *sum;
} job;

/* Velocity of a point at an arm from the centre. */
static void velocity_at(const vxe_power_frame *frame, const double arm[3], double v[3])
{
    vxe_m3_apply(frame->gradient, arm, v);
    for (int c = 0; c < 3; c++) {
        v[c] += frame->v[c];
    }
}

/* Pressures at a distance, Pa and Pa s/m. */
typedef struct pressures {
    double push;   /* of repulsion, and adhesion below 0 */
    double repels; /* of repulsion alone */
    double damping;
    double friction;
    double steep;  /* Pa/m: sum of the sizes of nu q/d */
    double energy; /* J/m^2 */
} pressures;

static pressures at_distance(const double *numbers, double distance)
{
    const double d0 = numbers[VXE_POWER_D0];
    const double d = distance / d0;
    pressures p = {0};
    double known = 0; /* a power that others share */
    double of_known = 1;
    if (numbers[VXE_POWER_ALPHA_R] > 0) {
        const double nu = numbers[VXE_POWER_NU_R];
        known = nu;
        of_known = vxe_inverse_power(d, nu);
        p.repels = numbers[VXE_POWER_ALPHA_R] * of_known;
        p.push = p.repels;
        p.steep = nu * p.repels / distance;
        p.energy = numbers[VXE_POWER_ALPHA_R] * d0 * potential(d, nu);
    }
    if (numbers[VXE_POWER_BETA_A] > 0) {
        const double far = numbers[VXE_POWER_NU_AA];
        const double near = numbers[VXE_POWER_NU_AR];
        const double pulls = numbers[VXE_POWER_BETA_A] * vxe_inverse_power(d, far);
        const double parts = numbers[VXE_POWER_BETA_A] * vxe_inverse_power(d, near);
        p.push += parts - pulls;
        p.steep += (far * pulls + near * parts) / distance;
        p.energy -= numbers[VXE_POWER_BETA_A] * d0 * (potential(d, far) - potential(d, near));
    }
    if (numbers[VXE_POWER_BETA_D] > 0) {
        const double nu = numbers[VXE_POWER_NU_D];
        const double power = nu == known ? of_known : vxe_inverse_power(d, nu);
        p.damping = numbers[VXE_POWER_BETA_D] * power;
    }
    if (numbers[VXE_POWER_BETA_F] > 0) {
        const double nu = numbers[VXE_POWER_NU_F];
        const double power = nu == known ? of_known : vxe_inverse_power(d, nu);
        p.friction = numbers[VXE_POWER_BETA_F] * power;
    }
    return p;
}

/* Adds what an area (m^2) at an arm from the centre feels. */
static void add_point(const job *of, const double arm[3], double area)
{
    const double *n = of->plane->n;
    vxe_power_sum *sum = of->sum;
    double v[3];
    const double distance = vxe_dot3(of->frame->place, n) - of->plane->level + vxe_dot3(arm, n);
    sum->nearest = distance < sum->nearest ? distance : sum->nearest;
    if (!(distance > 0)) {
        return;
    }
    const pressures p = at_distance(of->numbers, distance);
    velocity_at(of->frame, arm, v);
    const double rise = vxe_dot3(v, n);
    double along[3];
    for (int c = 0; c < 3; c++) {
        along[c] = v[c] - rise * n[c];
    }
    const double slide = sqrt(vxe_dot3(along, along));
    const double mu = of->numbers[VXE_POWER_FRIC];
    const double bound = slide > 0 ? mu * p.repels / slide : p.friction;
    const double friction = mu > 0 ? fmin(p.friction, bound) : p.friction;
    for (int c = 0; c < 3; c++) {
        const double push = area * p.push * n[c];
        const double loss = -area * (p.damping * rise * n[c] + friction * along[c]);
        sum->push[c] += push;
        sum->loss[c] += loss;
        for (int d = 0; d < 3; d++) {
            sum->push_by_arm[3 * c + d] += push * arm[d];
            sum->loss_by_arm[3 * c + d] += loss * arm[d];
        }
    }
    sum->energy += area * p.energy;
    sum->damped += area * p.damping * rise * rise;
    sum->rubbed += area * friction * slide * slide;
    sum->stiffness += area * p.steep;
    sum->dashpot += area * (p.damping + p.friction);
    sum->fastest = fabs(rise) > sum->fastest ? fabs(rise) : sum->fastest;
}

/* Points along a side whose ends are in such a ratio of distances. */
static int points_for(double ratio)
{
    return ratio < 1.02 ? 2 : ratio < 1.5 ? 4 : ratio < 3 ? 8 : ratio < 6 ? 16 : 32;
}

/* m^2 of a quarter of a patch, as it is at (x, y): weights add up to 4. */
static double area_at(const vxe_power_patch *face, double x, double y)
{
    double a[3];
    double b[3];
    for (int c = 0; c < 3; c++) {
        a[c] = face->side[0][c] + y * face->taper[c];
        b[c] = face->side[1][c] + x * face->taper[c];
    }
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
    return sqrt(vxe_dot3(cross, cross));
}

static void integrate(const job *of, const vxe_power_patch *face, const double ratio[2])
{
    const int points[2] = {points_for(ratio[0]), points_for(ratio[1])};
    const double(*first)[2] = vxe_gauss_points(points[0]);
    const double(*second)[2] = vxe_gauss_points(points[1]);
    for (int i = 0; i < points[0]; i++) {
        for (int j = 0; j < points[1]; j++) {
            const double x = (i % 2 ? -1 : 1) * first[i / 2][0];
            const double y = (j % 2 ? -1 : 1) * second[j / 2][0];
            double arm[3];
            for (int c = 0; c < 3; c++) {
                arm[c] = face->middle[c] + x * face->side[0][c] + y * face->side[1][c] +
                         x * y * face->taper[c];
            }
            add_point(of, arm, area_at(face, x, y) * first[i / 2][1] * second[j / 2][1]);
        }
    }
}

/* Cuts a patch across one of its sides, such that the distances at the ends of both parts have one
 * ratio: the far one and the near one. steep: of the distance along half of that side, where it is
 * least. */
static void cut(const vxe_power_patch *whole, int side, double steep, double least,
                vxe_power_patch parts[2])
{
    const double high = least + 2 * fabs(steep);
    const double share = (sqrt(least * high) - least) / (high - least); /* of the near part */
    const double near = steep > 0 ? share : 1 - share;                  /* of that at the start */
    vxe_power_patch *start = &parts[steep > 0];
    vxe_power_patch *end = &parts[!(steep > 0)];
    *start = *end = *whole;
    for (int c = 0; c < 3; c++) {
        const double along = whole->side[side][c];
        const double taper = whole->taper[c];
        start->side[side][c] = near * along;
        end->side[side][c] = (1 - near) * along;
        start->middle[c] -= (1 - near) * along;
        end->middle[c] += near * along;
        start->side[1 - side][c] -= (1 - near) * taper;
        end->side[1 - side][c] += near * taper;
        start->taper[c] = near * taper;
        end->taper[c] = (1 - near) * taper;
    }
}

/* How a patch stands above the plane, by halves of its sides. */
typedef struct slopes {
    double steep[2]; /* m: where they are steepest */
    double low[2];   /* m: of each along the edge that is nearer to the plane */
    double least;    /* m: distance of the nearest corner */
} slopes;

static slopes slopes_of(const job *of, const vxe_power_patch *face)
{
    const double *n = of->plane->n;
    const double a = vxe_dot3(face->side[0], n);
    const double b = vxe_dot3(face->side[1], n);
    const double taper = vxe_dot3(face->taper, n);
    const double middle =
        vxe_dot3(of->frame->place, n) - of->plane->level + vxe_dot3(face->middle, n);
    const double near = fmin(-fabs(a + b) + taper, -fabs(a - b) - taper); /* of two corners each */
    return (slopes){
        .steep = {fmax(fabs(a + taper), fabs(a - taper)), fmax(fabs(b + taper), fabs(b - taper))},
        .low = {b > 0 ? a - taper : a + taper, a > 0 ? b - taper : b + taper},
        .least = middle + near};
}

/* Whether all that a patch can feel is nothing beside what is there. */
static bool is_idle(const job *of, const vxe_power_patch *face, double least)
{
    const vxe_power_sum *sum = of->sum;
    const pressures p = at_distance(of->numbers, least);
    const double *taper = face->taper;
    const double more = fabs(taper[0]) + fabs(taper[1]) + fabs(taper[2]);
    const double area = 4 * area_at(face, 0, 0) * (more > 0 ? 4 : 1);
    double pushed = 0;
    for (int c = 0; c < 3; c++) {
        pushed = fmax(pushed, fabs(sum->push[c]));
    }
    /* adhesion may have the better of repulsion farther away */
    const double pulls = of->numbers[VXE_POWER_BETA_A] > 0 ? p.steep * least : 0;
    return area * (fabs(p.push) + pulls) < NOTHING * pushed &&
           area * (p.damping + p.friction) <= NOTHING * sum->dashpot &&
           area * p.steep < NOTHING * sum->stiffness;
}

/* Each cut leaves its far part for later. */
void vxe_power_add_patch(const double *numbers, const vxe_power_frame *frame,
                         const vxe_plane *plane, const vxe_power_patch *face, vxe_power_sum *sum)
{
    const job of = {numbers, frame, plane, sum};
    vxe_power_patch stack[MOST_CUTS + 1];
    int cuts[MOST_CUTS + 1] = {0};
    int count = 1;
    stack[0] = *face;
    while (count > 0) {
        const vxe_power_patch now = stack[--count];
        const int done = cuts[count];
        const slopes s = slopes_of(&of, &now);
        const double ratio[2] = {1 + 2 * s.steep[0] / s.least, 1 + 2 * s.steep[1] / s.least};
        const int side = ratio[1] > ratio[0];
        sum->nearest = fmin(sum->nearest, s.least);
        if (!(s.least > 0)) {
            return;
        }
        if (done > 0 && is_idle(&of, &now, s.least)) {
            continue;
        }
        if (ratio[side] < 12 || done == MOST_CUTS) {
            integrate(&of, &now, ratio);
        } else {
            cut(&now, side, s.low[side], s.least, &stack[count]);
            cuts[count] = cuts[count + 1] = done + 1;
            count += 2;
        }
    }
}
