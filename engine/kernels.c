/* SPDX-License-Identifier: MIT */
/* See kernels_internal.h. This file is compiled once per instruction set, with VXE_KERNELS naming
   the table and VXE_LANES the doubles of one vector. Loops over lanes have a constant length, so
   that each becomes straight vector code. */
#include "engine/kernels_internal.h"

#include <stddef.h>
#include <string.h>

#include "engine/bond_law_internal.h"

#define LANES VXE_LANES

enum { LAW_ELASTIC = 1, LAW_DAMP = 2, LAW_EVEN = 4, LAW_PEER = 8, LAW_CONDENSED = 16 };

/* What one bond does: force on the lower voxel (the upper has its negative), and the moments a + b
   on the lower, a - b on the upper. World axes. */
typedef struct action {
    vxe_lane3 force;
    vxe_lane3 a;
    vxe_lane3 b;
} action;

VXE_INLINE vxe_lane3 load3(double *const *field, ptrdiff_t slot)
{
    return (vxe_lane3){field[0][slot], field[1][slot], field[2][slot]};
}

VXE_INLINE vxe_lane4 load4(double *const *field, ptrdiff_t slot)
{
    return (vxe_lane4){field[0][slot], field[1][slot], field[2][slot], field[3][slot]};
}

/* Source 001's dashpots. Axial and shear act on the relative rate, torsion and bending on the
   difference of the spins: in world axes c_b dw + (c_t - c_b) (dw.e) e, whose second part joins the
   mid frame's axial moment. */
typedef struct dashing {
    vxe_lane3 rate; /* m/s, world */
    vxe_lane3 spin; /* rad/s, world */
    double along;   /* (c_t - c_b) dw.e, N m */
} dashing;

VXE_INLINE dashing dash_rates(int axis, const vxe_kernel_arrays *s, const double *k, ptrdiff_t lo,
                              ptrdiff_t hi, double share, vxe_lane3 half_r,
                              const vxe_mid_frame *frame)
{
    const vxe_lane3 w1 = load3(s->w, lo);
    const vxe_lane3 w2 = load3(s->w, hi);
    dashing d;
    d.rate = relative_rate(half_r, lane_sub(load3(s->v, hi), load3(s->v, lo)), w1, w2);
    d.spin = lane_sub(w2, w1);
    d.along = share * (k[VXE_DASH_TORSION * LANES] - k[VXE_DASH_BENDING * LANES]) *
              lane_dot(frame->column[axis], d.spin);
    return d;
}

VXE_INLINE vxe_lane3 add_along(int axis, vxe_lane3 a, double along)
{
    return (vxe_lane3){axis == 0 ? a.x + along : a.x, axis == 1 ? a.y + along : a.y,
                       axis == 2 ? a.z + along : a.z};
}

/* One beam bond of one lane. */
VXE_INLINE action beam(int axis, int law, const vxe_kernel_arrays *s, const double *k, ptrdiff_t lo,
                       ptrdiff_t hi, double *failed)
{
    const vxe_lane3 zero = {0, 0, 0};
    const vxe_lane3 r = lane_sub(load3(s->x, hi), load3(s->x, lo));
    const vxe_lane3 half_r = {0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
    const vxe_mid_frame frame = mid_frame(load4(s->q, lo), load4(s->q, hi));
    vxe_elastic mid = {zero, zero};
    if (law & LAW_ELASTIC) {
        const double length = 0.5 * (s->size[lo] + s->size[hi]);
        const vxe_springs springs = {k[VXE_AXIAL * LANES], k[VXE_SHEAR * LANES],
                                     k[VXE_TORSION * LANES], k[VXE_BENDING * LANES],
                                     law & LAW_CONDENSED ? k[VXE_COUPLE * LANES] : 0};
        *failed = beyond_bounds(r, length, frame.scalar);
        mid = elastic_response(axis, law & LAW_CONDENSED, &frame, into_frame(&frame, r), length,
                               springs);
    }
    vxe_lane3 world_force = zero;
    vxe_lane3 world_moment = zero;
    vxe_lane3 no_lever = zero; /* part of the force that makes no moment */
    if (law & LAW_DAMP) {
        const double share = law & LAW_ELASTIC ? s->dash_share : 1.0;
        const dashing d = dash_rates(axis, s, k, lo, hi, share, half_r, &frame);
        const double bend = share * k[VXE_DASH_BENDING * LANES];
        world_moment = (vxe_lane3){bend * d.spin.x, bend * d.spin.y, bend * d.spin.z};
        mid.moment = add_along(axis, mid.moment, d.along);
        if (law & LAW_EVEN) {
            const double c = share * k[VXE_DASH_AXIAL * LANES];
            world_force = (vxe_lane3){c * d.rate.x, c * d.rate.y, c * d.rate.z};
        } else {
            const vxe_lane3 f =
                weigh(axis, share * k[VXE_DASH_AXIAL * LANES], share * k[VXE_DASH_SHEAR * LANES],
                      into_frame(&frame, d.rate));
            mid.force = (vxe_lane3){mid.force.x + f.x, mid.force.y + f.y, mid.force.z + f.z};
            if (law & LAW_PEER) {
                no_lever = out_of_frame(&frame, (vxe_lane3){0.5 * f.x, 0.5 * f.y, 0.5 * f.z}, zero);
            }
        }
    }
    action out;
    if ((law & (LAW_ELASTIC | LAW_EVEN)) == LAW_EVEN) {
        const vxe_lane3 e =
            frame.column[axis]; /* no springs: the mid frame holds the axial moment alone */
        out.force = world_force;
        out.b = lane_add_scaled(world_moment,
                                axis == 0   ? mid.moment.x
                                : axis == 1 ? mid.moment.y
                                            : mid.moment.z,
                                e);
    } else {
        out.force = out_of_frame(&frame, mid.force, world_force);
        out.b = out_of_frame(&frame, mid.moment, world_moment);
    }
    out.a = lane_cross(half_r, law & LAW_PEER ? lane_sub(out.force, no_lever) : out.force);
    return out;
}

/* One bar: k_a (|r| - l) along the chord, dashpot along the chord. */
VXE_INLINE action bar(int axis, int law, const vxe_kernel_arrays *s, const double *k, ptrdiff_t lo,
                      ptrdiff_t hi, double *failed)
{
    (void)axis;
    const vxe_lane3 r = lane_sub(load3(s->x, hi), load3(s->x, lo));
    const double r2 = lane_dot(r, r);
    double tension_by_length = 0;
    if (law & LAW_ELASTIC) {
        const double length = 0.5 * (s->size[lo] + s->size[hi]);
        *failed = beyond_bounds(r, length, 1.0);
        tension_by_length = k[VXE_AXIAL * LANES] * (1 - length / sqrt(r2));
    }
    if (law & LAW_DAMP) {
        const vxe_lane3 dv = lane_sub(load3(s->v, hi), load3(s->v, lo));
        const double share = law & LAW_ELASTIC ? s->dash_share : 1.0;
        tension_by_length += share * k[VXE_DASH_AXIAL * LANES] * (lane_dot(r, dv) / r2);
    }
    const vxe_lane3 zero = {0, 0, 0};
    return (action){
        {tension_by_length * r.x, tension_by_length * r.y, tension_by_length * r.z}, zero, zero};
}

/* value, or +0 where mask is 0: by bits, since an absent bond's numbers may be anything. */
VXE_INLINE double keep(double value, int64_t mask)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= mask;
    memcpy(&value, &bits, sizeof value);
    return value;
}

VXE_INLINE double bond_range(int axis, int law, int is_bar, const vxe_kernel_arrays *s,
                             const vxe_bond_target *target, uint32_t first, uint32_t last)
{
    const vxe_bond_vectors *bonds = &s->bonds[axis];
    double failures[LANES] = {0};
    for (uint32_t vector = first; vector < last; vector++) {
        const double *k = bonds->coefficients + (ptrdiff_t)vector * (VXE_COEFFICIENTS * LANES);
        const ptrdiff_t lower = bonds->lower[vector];
        const ptrdiff_t upper = bonds->upper[vector];
        const ptrdiff_t own =
            target->packed ? ((ptrdiff_t)vector - first) * LANES : lower - target->own_first;
        const ptrdiff_t pull = target->packed ? own : upper - target->pull_first;
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            double failed = 0;
            const action act =
                is_bar ? bar(axis, law, s, k + lane, lower + lane, upper + lane, &failed)
                       : beam(axis, law, s, k + lane, lower + lane, upper + lane, &failed);
            const int64_t exists =
                -(int64_t)(k[(law & LAW_ELASTIC ? VXE_AXIAL : VXE_DASH_AXIAL) * LANES + lane] > 0);
            const vxe_lane3 force = {keep(act.force.x, exists), keep(act.force.y, exists),
                                     keep(act.force.z, exists)};
            failures[lane] += keep(failed, exists);
            target->own[0][own + lane] += force.x;
            target->own[1][own + lane] += force.y;
            target->own[2][own + lane] += force.z;
            target->own[3][own + lane] += keep(act.a.x + act.b.x, exists);
            target->own[4][own + lane] += keep(act.a.y + act.b.y, exists);
            target->own[5][own + lane] += keep(act.a.z + act.b.z, exists);
            target->pull[0][pull + lane] -= force.x;
            target->pull[1][pull + lane] -= force.y;
            target->pull[2][pull + lane] -= force.z;
            target->pull[3][pull + lane] += keep(act.a.x - act.b.x, exists);
            target->pull[4][pull + lane] += keep(act.a.y - act.b.y, exists);
            target->pull[5][pull + lane] += keep(act.a.z - act.b.z, exists);
        }
    }
    double total = 0;
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        total += failures[lane];
    }
    return total;
}

#define BOND_KERNEL(name, law, is_bar)                                                             \
    static double name##_x(const vxe_kernel_arrays *s, const vxe_bond_target *target,              \
                           uint32_t first, uint32_t last)                                          \
    {                                                                                              \
        return bond_range(0, law, is_bar, s, target, first, last);                                 \
    }                                                                                              \
    static double name##_y(const vxe_kernel_arrays *s, const vxe_bond_target *target,              \
                           uint32_t first, uint32_t last)                                          \
    {                                                                                              \
        return bond_range(1, law, is_bar, s, target, first, last);                                 \
    }                                                                                              \
    static double name##_z(const vxe_kernel_arrays *s, const vxe_bond_target *target,              \
                           uint32_t first, uint32_t last)                                          \
    {                                                                                              \
        return bond_range(2, law, is_bar, s, target, first, last);                                 \
    }

BOND_KERNEL(elastic, LAW_ELASTIC, 0)
BOND_KERNEL(elastic_condensed, LAW_ELASTIC | LAW_CONDENSED, 0)
BOND_KERNEL(full, LAW_ELASTIC | LAW_DAMP, 0)
BOND_KERNEL(full_condensed, LAW_ELASTIC | LAW_DAMP | LAW_CONDENSED, 0)
BOND_KERNEL(full_even, LAW_ELASTIC | LAW_DAMP | LAW_EVEN, 0)
BOND_KERNEL(full_peer, LAW_ELASTIC | LAW_DAMP | LAW_PEER, 0)
BOND_KERNEL(damp, LAW_DAMP, 0)
BOND_KERNEL(damp_even, LAW_DAMP | LAW_EVEN, 0)
BOND_KERNEL(bar_elastic, LAW_ELASTIC, 1)
BOND_KERNEL(bar_full, LAW_ELASTIC | LAW_DAMP, 1)
BOND_KERNEL(bar_damp, LAW_DAMP, 1)

/* Sums a voxel's six bonds in the fixed order (own +x +y +z, then -x, -y, -z) into the window's
 * acc, and clears the rest. */
static void sum_bonds(const vxe_kernel_arrays *s, vxe_window *window, uint32_t first,
                      ptrdiff_t count)
{
    for (int c = 0; c < 6; c++) {
        double *restrict acc = window->acc[c];
        double *restrict x_pull = window->x_pull[c];
        double *restrict y_pull = s->pull[1][c] + first;
        double *restrict z_pull = s->pull[2][c] + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            acc[i] = ((acc[i] + x_pull[i]) + y_pull[i]) + z_pull[i];
            x_pull[i] = 0;
            y_pull[i] = 0;
            z_pull[i] = 0;
        }
        /* the neighbour across the chunk's end keeps what its lower bond gave it */
        x_pull[0] = x_pull[count];
        x_pull[count] = 0;
    }
}

static void add_external(const vxe_kernel_arrays *s, vxe_window *window, uint32_t first,
                         ptrdiff_t count)
{
    const double *restrict mass = s->mass + first;
    for (int c = 0; c < 3; c++) {
        double *restrict sum = window->acc[c];
        const double g = s->gravity[c];
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            sum[i] = fma(mass[i], g, sum[i]);
        }
    }
    for (int c = 0; c < 6 && s->load[c]; c++) {
        double *restrict sum = window->acc[c];
        const double *restrict load = s->load[c] + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            sum[i] += load[i];
        }
    }
}

static void add_drag(const vxe_kernel_arrays *s, vxe_window *window, uint32_t first,
                     ptrdiff_t count)
{
    for (int c = 0; c < 6; c++) {
        double *restrict sum = window->acc[c];
        const double *restrict drag = (c < 3 ? s->drag : s->spin_drag) + first;
        const double *restrict rate = (c < 3 ? s->v[c] : s->w[c - 3]) + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            sum[i] = fma(-drag[i], rate[i], sum[i]);
        }
    }
}

/* The floor's spring, and with dash_share 1 its dashpot; remembers the normal impulse and the
 * tangential velocity for friction. */
static double add_floor(const vxe_kernel_arrays *s, vxe_window *window, uint32_t first,
                        ptrdiff_t count, double h, double dash_share)
{
    const double *restrict z = s->x[2] + first;
    const double *restrict size = s->size + first;
    const double *restrict stiffness = s->floor_stiffness + first;
    const double *restrict dashpot = s->floor_dashpot + first;
    const double *restrict vx = s->v[0] + first;
    const double *restrict vy = s->v[1] + first;
    const double *restrict vz = s->v[2] + first;
    const double *restrict stuck = s->stuck + first;
    double *restrict impulse = s->normal_impulse + first;
    double *restrict before_x = s->before[0] + first;
    double *restrict before_y = s->before[1] + first;
    double *restrict sum = window->acc[2];
    double touches[VXE_WINDOW];
    const double height = s->floor_height;
    const double pulls = s->floor_pulls ? 1.0 : 0.0;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const double depth = fma(0.5, size[i], height - z[i]);
        const double spring = depth > 0 ? stiffness[i] * depth : 0.0;
        const double dash = depth > 0 ? dash_share * (dashpot[i] * vz[i]) : 0.0;
        const double total = spring - dash;
        const double pushed = total > 0 ? total : 0.0;
        sum[i] += pulls > 0 ? total : pushed;
        impulse[i] = h * (pulls > 0 ? spring : pushed);
        before_x[i] = vx[i];
        before_y[i] = vy[i];
        touches[i] = depth > 0 ? 1.0 : stuck[i];
    }
    double touching = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        touching += touches[i];
    }
    return touching;
}

static double kick(const vxe_kernel_arrays *s, vxe_window *window, uint32_t first, uint32_t last,
                   double h, uint32_t flags)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    double touching = 0;
    sum_bonds(s, window, first, count);
    if (flags & VXE_KICK_EXTERNAL) {
        add_external(s, window, first, count);
    }
    if ((flags & VXE_KICK_EXPLICIT_DRAG) && s->drag) {
        add_drag(s, window, first, count);
    }
    if ((flags & VXE_KICK_FLOOR) && s->floor_stiffness) {
        touching =
            add_floor(s, window, first, count, h, flags & VXE_KICK_EXPLICIT_DRAG ? 1.0 : 0.0);
    }
    for (int c = 0; c < 6; c++) {
        double *rate = (c < 3 ? s->v[c] : s->w[c - 3]) + first;
        const double *base = flags & VXE_KICK_FROM_KEPT ? s->kept[c] + first : rate;
        const double *restrict inverse =
            (c < 3 ? s->inverse_mass[c] : s->inverse_inertia[c - 3]) + first;
        double *restrict sum = window->acc[c];
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            rate[i] = fma(h * inverse[i], sum[i], base[i]);
            sum[i] = 0;
        }
    }
    return touching;
}

static void keep_velocities(const vxe_kernel_arrays *s, uint32_t first, uint32_t last)
{
    for (int c = 0; c < 6; c++) {
        memcpy(s->kept[c] + first, (c < 3 ? s->v[c] : s->w[c - 3]) + first,
               (last - first) * sizeof(double));
    }
}

static void decay_floor(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count, double h)
{
    const double *restrict z = s->x[2] + first;
    const double *restrict size = s->size + first;
    const double *restrict mass = s->mass + first;
    const double *restrict inverse = s->inverse_mass[2] + first;
    const double *restrict stiffness = s->floor_stiffness + first;
    const double *restrict factor = s->floor_decay + first;
    double *restrict vz = s->v[2] + first;
    double *restrict total = s->normal_impulse + first;
    const double height = s->floor_height;
    const double half = 0.5 * h;
    const double pulls = s->floor_pulls ? 1.0 : 0.0;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const double depth = fma(0.5, size[i], height - z[i]);
        const double wanted = mass[i] * (vz[i] * factor[i] - vz[i]);
        /* the floor never pulls: half a step's dashpot may take back half of the spring's impulse
         * at most */
        const double least = -(half * (stiffness[i] * depth));
        const double limited = wanted > least ? wanted : least;
        const double impulse = depth > 0 ? (pulls > 0 ? wanted : limited) : 0.0;
        vz[i] = fma(impulse, inverse[i], vz[i]);
        total[i] += pulls > 0 ? 0.0 : impulse;
    }
}

static void decay(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double h,
                  bool touching)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    for (int c = 0; c < 6 && s->drag; c++) {
        double *restrict rate = (c < 3 ? s->v[c] : s->w[c - 3]) + first;
        const double *restrict inverse =
            (c < 3 ? s->inverse_mass[c] : s->inverse_inertia[c - 3]) + first;
        const double *restrict factor = (c < 3 ? s->drag_decay : s->spin_decay) + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            rate[i] = inverse[i] > 0 ? rate[i] * factor[i] : rate[i];
        }
    }
    if (touching) {
        decay_floor(s, first, count, h);
    }
}

/* Coulomb's law as an impulse. A voxel holds when it held before or was slow enough for dynamic
   friction to stop it within the step (the halting threshold mu_d F_n dt/m), and both its momentum
   and the other tangential forces are within mu_s F_n. */
static void friction(const vxe_kernel_arrays *s, uint32_t first, uint32_t last)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    const double *restrict z = s->x[2] + first;
    const double *restrict size = s->size + first;
    const double *restrict mass = s->mass + first;
    const double *restrict free_x = s->inverse_mass[0] + first;
    const double *restrict free_y = s->inverse_mass[1] + first;
    const double *restrict impulse = s->normal_impulse + first;
    const double *restrict before_x = s->before[0] + first;
    const double *restrict before_y = s->before[1] + first;
    const double *restrict mu_s = s->static_friction + first;
    const double *restrict mu_d = s->dynamic_friction + first;
    double *restrict vx = s->v[0] + first;
    double *restrict vy = s->v[1] + first;
    double *restrict stuck = s->stuck + first;
    const double height = s->floor_height;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const double m = mass[i];
        const double depth = fma(0.5, size[i], height - z[i]);
        const double normal = ((depth > 0) & (impulse[i] > 0)) ? impulse[i] : 0.0;
        const double holds = mu_s[i] * normal;
        const double slides = mu_d[i] * normal;
        const double px = m * vx[i];
        const double py = m * vy[i];
        const double ox = m * before_x[i];
        const double oy = m * before_y[i];
        const double p2 = fma(px, px, py * py);
        const double o2 = fma(ox, ox, oy * oy);
        const double jx = px - ox;
        const double jy = py - oy;
        const double j2 = fma(jx, jx, jy * jy);
        const int slow = (stuck[i] > 0) | (o2 <= slides * slides);
        const int sticks = (normal > 0) & slow & (p2 <= holds * holds) & (j2 <= holds * holds);
        const double p = sqrt(p2);
        const double left = slides < p ? 1.0 - slides / p : 0.0;
        const double sliding = normal > 0 ? left : 1.0;
        const double factor = sticks ? 0.0 : sliding;
        vx[i] = free_x[i] > 0 ? factor * vx[i] : vx[i];
        vy[i] = free_y[i] > 0 ? factor * vy[i] : vy[i];
        stuck[i] = sticks ? 1.0 : 0.0;
    }
}

/* q <- exp(2 half w) q, normalised. sin and cos of half the angle by Taylor series, good to 1e-12
 * below 1 rad of half angle. */
static void turn(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count, double half)
{
    double *restrict qw = s->q[0] + first;
    double *restrict qx = s->q[1] + first;
    double *restrict qy = s->q[2] + first;
    double *restrict qz = s->q[3] + first;
    const double *restrict wx = s->w[0] + first;
    const double *restrict wy = s->w[1] + first;
    const double *restrict wz = s->w[2] + first;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const double ax = half * wx[i];
        const double ay = half * wy[i];
        const double az = half * wz[i];
        const double z = fma(ax, ax, fma(ay, ay, az * az));
        double sine = 1.0 / 6227020800.0;
        sine = fma(-sine, z, 1.0 / 39916800.0);
        sine = fma(-sine, z, 1.0 / 362880.0);
        sine = fma(-sine, z, 1.0 / 5040.0);
        sine = fma(-sine, z, 1.0 / 120.0);
        sine = fma(-sine, z, 1.0 / 6.0);
        sine = fma(-sine, z, 1.0); /* sin(a)/a */
        double cosine = 1.0 / 479001600.0;
        cosine = fma(-cosine, z, 1.0 / 3628800.0);
        cosine = fma(-cosine, z, 1.0 / 40320.0);
        cosine = fma(-cosine, z, 1.0 / 720.0);
        cosine = fma(-cosine, z, 1.0 / 24.0);
        cosine = fma(-cosine, z, 0.5);
        cosine = fma(-cosine, z, 1.0);
        const double ex = sine * ax;
        const double ey = sine * ay;
        const double ez = sine * az;
        const double w = fma(cosine, qw[i], -fma(ex, qx[i], fma(ey, qy[i], ez * qz[i])));
        const double x = fma(cosine, qx[i], fma(ex, qw[i], fma(ey, qz[i], -(ez * qy[i]))));
        const double y = fma(cosine, qy[i], fma(ey, qw[i], fma(ez, qx[i], -(ex * qz[i]))));
        const double zz = fma(cosine, qz[i], fma(ez, qw[i], fma(ex, qy[i], -(ey * qx[i]))));
        const double scale = 1 / sqrt(fma(w, w, fma(x, x, fma(y, y, zz * zz))));
        qw[i] = w * scale;
        qx[i] = x * scale;
        qy[i] = y * scale;
        qz[i] = zz * scale;
    }
}

/* x += h v; q <- exp(h w) q */
static void drift(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double h)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    for (int c = 0; c < 3; c++) {
        double *restrict x = s->x[c] + first;
        const double *restrict v = s->v[c] + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            x[i] = fma(h, v[i], x[i]);
        }
    }
    turn(s, first, count, 0.5 * h);
}

static void resize(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double sine,
                   double cosine)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    double *restrict size = s->size + first;
    const double *restrict by_sine = s->size_sine + first;
    const double *restrict by_cosine = s->size_cosine + first;
    const double *restrict base = s->base_size + first;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        size[i] = fma(by_sine[i], sine, fma(by_cosine[i], cosine, base[i]));
    }
}

#define THREE(name)                                                                                \
    {                                                                                              \
        name##_x, name##_y, name##_z                                                               \
    }

const vxe_kernels VXE_KERNELS = {.isa = VXE_KERNEL_ISA,
                                 .lanes = LANES,
                                 .bonds = {[VXE_BOND_ELASTIC] = THREE(elastic),
                                           [VXE_BOND_ELASTIC_CONDENSED] = THREE(elastic_condensed),
                                           [VXE_BOND_EXPLICIT] = THREE(full),
                                           [VXE_BOND_EXPLICIT_CONDENSED] = THREE(full_condensed),
                                           [VXE_BOND_EXPLICIT_EVEN] = THREE(full_even),
                                           [VXE_BOND_EXPLICIT_PEER] = THREE(full_peer),
                                           [VXE_BOND_DAMP] = THREE(damp),
                                           [VXE_BOND_DAMP_EVEN] = THREE(damp_even),
                                           [VXE_BOND_BAR_ELASTIC] = THREE(bar_elastic),
                                           [VXE_BOND_BAR_EXPLICIT] = THREE(bar_full),
                                           [VXE_BOND_BAR_DAMP] = THREE(bar_damp)},
                                 .kick = kick,
                                 .keep = keep_velocities,
                                 .decay = decay,
                                 .friction = friction,
                                 .drift = drift,
                                 .resize = resize};
