/* SPDX-License-Identifier: MIT */
/* See power_law_internal.h. Faces are planes, above which the distance is affine; they are
   integrated by Gauss-Legendre's rule, with 2, 4, 8, 16 or 32 points along a side whose ends are
   within 1.02, 1.5, 3, 6 or 12 of each other in distance (errors below 1e-3, mostly far below), and
   cut at the geometric mean where they are not. */
#include "engine/grains/power_law_internal.h"

#include <math.h>

#include "common/rotation_internal.h"
#include "common/trig_internal.h"
#include "engine/grains/grain_law_internal.h"

/* Cuts of a face, each of which leaves the root of the ratio: more than any distances need. */
#define MOST_CUTS 16

/* Faces look at the floor that lean towards it by more than so much, rad. */
#define EDGEWISE 1e-6

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
    const vxe_cube *cube;
    const vxe_plane *plane;
    vxe_face_load *sum;
} job;

/* A parallelogram: its middle from the cube's centre, and halves of its sides, m. */
typedef struct patch {
    double middle[3], side[2][3];
} patch;

/* Velocity of a point of the cube at an arm from its centre. */
static void velocity_at(const vxe_cube *cube, const double arm[3], double v[3])
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        v[c] = cube->v[c] + cube->w[d] * arm[e] - cube->w[e] * arm[d];
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
    if (numbers[VXE_POWER_ALPHA_R] > 0) {
        const double nu = numbers[VXE_POWER_NU_R];
        p.repels = numbers[VXE_POWER_ALPHA_R] * vxe_inverse_power(d, nu);
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
        p.damping = numbers[VXE_POWER_BETA_D] * vxe_inverse_power(d, numbers[VXE_POWER_NU_D]);
    }
    if (numbers[VXE_POWER_BETA_F] > 0) {
        p.friction = numbers[VXE_POWER_BETA_F] * vxe_inverse_power(d, numbers[VXE_POWER_NU_F]);
    }
    return p;
}

/* Adds what an area (m^2) at an arm from the centre feels. */
static void add_point(const job *of, const double arm[3], double area)
{
    const double *n = of->plane->n;
    vxe_face_load *sum = of->sum;
    double v[3];
    const double distance = vxe_dot3(of->cube->place, n) - of->plane->level + vxe_dot3(arm, n);
    sum->nearest = fmin(sum->nearest, distance);
    if (!(distance > 0)) {
        return;
    }
    const pressures p = at_distance(of->numbers, distance);
    velocity_at(of->cube, arm, v);
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
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        const double lever = area * (arm[d] * n[e] - arm[e] * n[d]);
        sum->push[c] += area * p.push * n[c];
        sum->push[c + 3] += p.push * lever;
        sum->loss[c] -= area * (p.damping * rise * n[c] + friction * along[c]);
        sum->loss[c + 3] -=
            p.damping * rise * lever + area * friction * (arm[d] * along[e] - arm[e] * along[d]);
    }
    sum->energy += area * p.energy;
    sum->damped += area * p.damping * rise * rise;
    sum->rubbed += area * friction * slide * slide;
    sum->stiffness += area * p.steep;
    sum->dashpot += area * (p.damping + p.friction);
    sum->fastest = fmax(sum->fastest, fabs(rise));
}

/* Points along a side whose ends are in such a ratio of distances. */
static int points_for(double ratio)
{
    return ratio < 1.02 ? 2 : ratio < 1.5 ? 4 : ratio < 3 ? 8 : ratio < 6 ? 16 : 32;
}

static void integrate(const job *of, const patch *face, const double ratio[2])
{
    const int points[2] = {points_for(ratio[0]), points_for(ratio[1])};
    const double(*first)[2] = vxe_gauss_points(points[0]);
    const double(*second)[2] = vxe_gauss_points(points[1]);
    const double *a = face->side[0];
    const double *b = face->side[1];
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
    const double area = sqrt(vxe_dot3(cross, cross)); /* of a quarter: weights add up to 4 */
    for (int i = 0; i < points[0]; i++) {
        for (int j = 0; j < points[1]; j++) {
            const double x = (i % 2 ? -1 : 1) * first[i / 2][0];
            const double y = (j % 2 ? -1 : 1) * second[j / 2][0];
            double arm[3];
            for (int c = 0; c < 3; c++) {
                arm[c] = face->middle[c] + x * a[c] + y * b[c];
            }
            add_point(of, arm, area * first[i / 2][1] * second[j / 2][1]);
        }
    }
}

/* Cuts a patch across one of its sides, such that the distances at the ends of both parts have one
 * ratio. steep: of the distance along half of that side. */
static void cut(const patch *whole, int side, double steep, double least, patch parts[2])
{
    const double high = least + 2 * fabs(steep);
    const double share = (sqrt(least * high) - least) / (high - least); /* of the near part */
    const double near = steep > 0 ? share : 1 - share;                  /* of that at the start */
    parts[0] = parts[1] = *whole;
    for (int c = 0; c < 3; c++) {
        const double along = whole->side[side][c];
        parts[0].side[side][c] = near * along;
        parts[1].side[side][c] = (1 - near) * along;
        parts[0].middle[c] -= (1 - near) * along;
        parts[1].middle[c] += near * along;
    }
}

/* Each cut leaves one part for later. */
static void add_face(const job *of, const patch *face)
{
    const double *n = of->plane->n;
    patch stack[MOST_CUTS + 1];
    int cuts[MOST_CUTS + 1] = {0};
    int count = 1;
    stack[0] = *face;
    while (count > 0) {
        const patch now = stack[--count];
        const int done = cuts[count];
        const double steep[2] = {vxe_dot3(now.side[0], n), vxe_dot3(now.side[1], n)};
        const double least = vxe_dot3(of->cube->place, n) - of->plane->level +
                             vxe_dot3(now.middle, n) - fabs(steep[0]) - fabs(steep[1]);
        const double ratio[2] = {1 + 2 * fabs(steep[0]) / least, 1 + 2 * fabs(steep[1]) / least};
        const int side = ratio[1] > ratio[0];
        of->sum->nearest = fmin(of->sum->nearest, least);
        if (!(least > 0)) {
            return;
        }
        if (ratio[side] < 12 || done == MOST_CUTS) {
            integrate(of, &now, ratio);
        } else {
            cut(&now, side, steep[side], least, &stack[count]);
            cuts[count] = cuts[count + 1] = done + 1;
            count += 2;
        }
    }
}

static vxe_face_load over_faces(const double *numbers, const vxe_cube *cube, const vxe_plane *plane)
{
    vxe_face_load sum = {.nearest = HUGE_VAL};
    const job of = {numbers, cube, plane, &sum};
    for (int face = 0; face < 6; face++) {
        double axis[3][3] = {{0}};
        const int a = face / 2;
        axis[0][a] = face % 2 ? -cube->half : cube->half;
        axis[1][(a + 1) % 3] = cube->half;
        axis[2][(a + 2) % 3] = cube->half;
        patch one;
        vxe_rotate(cube->turn, axis[0], one.middle);
        vxe_rotate(cube->turn, axis[1], one.side[0]);
        vxe_rotate(cube->turn, axis[2], one.side[1]);
        const bool looks_away = numbers[VXE_POWER_FACING] > 0 &&
                                vxe_dot3(one.middle, plane->n) > -EDGEWISE * cube->half;
        if (cube->faces >> face & 1 && !looks_away) {
            add_face(&of, &one);
        }
    }
    return sum;
}

/* For how long a step may be; a cube goes through it in parts, so that stability asks nothing. */
static vxe_grain_bounds bounds(const vxe_grain_pair *pair, const double radius[2], double mass,
                               double speed, double load)
{
    const double *numbers = pair->numbers.number;
    const double area = 4 * radius[0] * radius[0];
    const double by = area / numbers[VXE_POWER_D0];
    (void)mass;
    (void)speed;
    /* at rest under its load, and where D is 1 */
    const double nu = numbers[VXE_POWER_NU_R];
    const double alpha = numbers[VXE_POWER_ALPHA_R];
    const double at_one = by * (nu * alpha + numbers[VXE_POWER_NU_AR] * numbers[VXE_POWER_BETA_A]);
    const double pressed = alpha > 0 ? load / (alpha * area) : 0; /* D^-nu at rest */
    const double at_rest = pressed > 1 ? nu * load / numbers[VXE_POWER_D0] *
                                             vxe_exponential(vxe_logarithm(pressed) / nu)
                                       : 0;
    return (vxe_grain_bounds){.stiffness = {fmax(at_one, at_rest), 0}};
}

const vxe_grain_law vxe_grain_power = {
    .name = "powerlaw", .over_faces = over_faces, .bounds = bounds};
