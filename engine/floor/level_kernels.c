/* SPDX-License-Identifier: MIT */
/* Loops over voxels on a level floor: contact and friction. terrain_kernels.c has those of other
   floors. This file is compiled once per instruction set and precision, see real.h. */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/core/real.h"
#include "engine/floor/floor.h"
#include "engine/floor/floor_law.h"
#include "engine/floor/friction_law.h"

/* Arrays and numbers that the floor's laws read, from the first voxel of a range on. */
typedef struct range {
    vxe_coordinate level;
    vxe_real edge, pulls;
    const vxe_real *restrict z;
    const vxe_real *restrict z_low;
    const vxe_real *restrict edge_growth;
    const vxe_real *restrict stiffness;
    const vxe_real *restrict dashpot;
    const vxe_real *restrict inverse;
    const vxe_real *restrict stuck;
    vxe_real *restrict vz;
    vxe_real *restrict before; /* m/s: vz before the kick */
    vxe_real *restrict impulse;
} range;

VXE_INLINE range range_from(const vxe_kernel_arrays *s, uint32_t first)
{
    range r = {.level = place_of(s->floor_height + 0.5 * s->edge),
               .edge = (vxe_real)s->edge,
               .pulls = (vxe_real)s->floor_rule,
               .z = from(s->x[2], first),
               .edge_growth = from(s->edge_growth, first),
               .stiffness = from_const(s->floor_stiffness, first),
               .dashpot = from_const(s->floor_dashpot, first),
               .inverse = from_const(s->inverse_mass[2], first),
               .stuck = from(s->stuck[0], first),
               .vz = from(s->v[2], first),
               .before = from(s->before_off, first),
               .impulse = from(s->normal_impulse, first)};
#ifdef VXE_MIXED
    r.z_low = from(s->x_low[2], first);
#endif
    return r;
}

VXE_INLINE vxe_real depth_at(const range *r, ptrdiff_t i)
{
    vxe_coordinate z = {.high = r->z[i]};
#ifdef VXE_MIXED
    z.low = r->z_low[i];
#endif
    return floor_depth(r->level, z, r->edge_growth[i]);
}

/* What of voxel i the floor pushes in a kick in which all other forces add up to `sum` (N, along
 * z).
 */
VXE_INLINE vxe_on_floor pushed_at(const range *r, ptrdiff_t i, vxe_real sum, vxe_real h)
{
    return (vxe_on_floor){depth_at(r, i), r->vz[i], h * r->inverse[i] * sum, r->inverse[i],
                          r->edge};
}

/* Whether a voxel of the range may touch the floor in this step, or is stuck to it. */
VXE_INLINE bool any_touches(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count, vxe_real h)
{
    const range r = range_from(s, first);
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < count; i++) {
        any |= floor_is_near(depth_at(&r, i), r.vz[i], r.edge, h) | (r.stuck[i] > 0);
    }
    return any != 0;
}

/* The floor's mean force of the step on voxels beside each other, along z, is added to that of all
   others. Stores the normal impulse. */
VXE_INLINE void push_floor(const vxe_kernel_arrays *s, vxe_real *restrict sum, uint32_t first,
                           ptrdiff_t count, vxe_real h)
{
    const range r = range_from(s, first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_on_floor of = pushed_at(&r, i, sum[i], h);
        const vxe_floor_push push = floor_push(of, r.stiffness[i], r.dashpot[i], r.pulls, h);
        sum[i] += push.force;
        r.impulse[i] = push.impulse;
    }
}

/* The floor's force on VXE_VECTOR voxels where all of the way of the step, or none of it, is in
   contact; else nothing is done, and false comes back. */
static bool push_simply(const vxe_kernel_arrays *s, vxe_real *restrict sum, uint32_t first,
                        vxe_real h)
{
    const range r = range_from(s, first);
    vxe_real force[VXE_VECTOR];
    vxe_real sure = 1;
#pragma omp simd reduction(min : sure)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)VXE_VECTOR; i++) {
        const vxe_impact_try found =
            floor_tried(pushed_at(&r, i, sum[i], h), r.stiffness[i], r.dashpot[i], h);
        sure = found.sure < sure ? found.sure : sure;
        force[i] = found.force;
    }
    if (!(sure > 0)) {
        return false;
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < (ptrdiff_t)VXE_VECTOR; i++) {
        sum[i] += force[i];
        r.impulse[i] = h * force[i];
    }
    return true;
}

/* Whether one of VXE_VECTOR voxels may have touched the floor in this step. */
VXE_INLINE bool any_was_near(const vxe_kernel_arrays *s, uint32_t first, vxe_real h)
{
    const range r = range_from(s, first);
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)VXE_VECTOR; i++) {
        any |= floor_is_near(depth_at(&r, i), r.before[i], r.edge, h);
    }
    return any != 0;
}

/* What of voxel i the floor pushes behind damping iterations. */
VXE_INLINE vxe_on_floor behind_at(const range *r, ptrdiff_t i)
{
    return (vxe_on_floor){depth_at(r, i), r->before[i], r->vz[i] - r->before[i], r->inverse[i],
                          r->edge};
}

/* What the floor's mean force is more than what the kick took of it. */
VXE_INLINE void push_behind(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count, vxe_real h)
{
    const range r = range_from(s, first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_on_floor of = behind_at(&r, i);
        const vxe_floor_push more =
            floor_push_behind(of, r.impulse[i], r.stiffness[i], r.dashpot[i], r.pulls, h);
        r.vz[i] = vxe_fma(more.impulse, r.inverse[i], r.vz[i]);
        r.impulse[i] += more.impulse;
    }
}

/* Stores the velocities off the floor before the kick, for the floor behind damping iterations. */
static void keep_before(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count)
{
    memcpy(from(s->before_off, first), from(s->v[2], first), (size_t)count * sizeof(vxe_real));
}

/* Voxels that are at rest where the floor pushes them hold. */
static void settle(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count)
{
    const vxe_real *restrict impulse = from(s->normal_impulse, first);
    const vxe_real *restrict vx = from(s->v[0], first);
    const vxe_real *restrict vy = from(s->v[1], first);
    vxe_real *restrict stuck = from(s->stuck[0], first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        stuck[i] = friction_rests(impulse[i], vx[i], vy[i], stuck[i]);
    }
}

/* Friction's impulse in the kick, before damping iterations. */
static void predict_friction(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count)
{
    const vxe_real bond_pull = (vxe_real)s->bond_pull;
    const vxe_real *restrict mass = from_const(s->mass, first);
    const vxe_real *restrict impulse = from(s->normal_impulse, first);
    const vxe_real *restrict mu_d = from_const(s->floor_friction[1], first);
    const vxe_real *restrict vx = from(s->v[0], first);
    const vxe_real *restrict vy = from(s->v[1], first);
    const vxe_real *restrict stuck = from(s->stuck[0], first);
    vxe_real *restrict rubbed_x = from(s->rubbed[0], first);
    vxe_real *restrict rubbed_y = from(s->rubbed[1], first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real slows =
            friction_predicted(impulse[i], mass[i], mu_d[i], bond_pull, vx[i], vy[i], stuck[i]);
        rubbed_x[i] = slows * vx[i];
        rubbed_y[i] = slows * vy[i];
    }
}

/* The mean force is found where voxels are near the floor: most of a range that touches are not,
   and nothing reads what was before at those. */
void VXE_VARIANT(vxe_level_push)(const vxe_kernel_arrays *s, vxe_real *restrict sum, uint32_t first,
                                 ptrdiff_t count, vxe_real h, bool iterated)
{
    memset(from(s->normal_impulse, first), 0, (size_t)count * sizeof(vxe_real));
    for (ptrdiff_t i = 0; i < count; i += VXE_VECTOR) {
        const uint32_t at = first + (uint32_t)i;
        if (count - i < (ptrdiff_t)VXE_VECTOR) {
            keep_before(s, at, count - i);
            push_floor(s, sum + i, at, count - i, h);
            settle(s, at, count - i);
        } else if (any_touches(s, at, VXE_VECTOR, h)) {
            keep_before(s, at, VXE_VECTOR);
            if (s->floor_rule || !push_simply(s, sum + i, at, h)) {
                push_floor(s, sum + i, at, VXE_VECTOR, h);
            }
            settle(s, at, VXE_VECTOR);
        }
    }
    if (iterated) {
        predict_friction(s, first, count);
    }
}

bool VXE_VARIANT(vxe_level_touches)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                                    vxe_real h)
{
    return any_touches(s, first, count, h);
}

/* The same on VXE_VECTOR voxels where all of the way of the step, or none of it, is in contact;
   else nothing is done, and false comes back. */
static bool behind_simply(const vxe_kernel_arrays *s, uint32_t first, vxe_real h)
{
    const range r = range_from(s, first);
    vxe_real more[VXE_VECTOR];
    vxe_real sure = 1;
#pragma omp simd reduction(min : sure)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)VXE_VECTOR; i++) {
        const vxe_on_floor of = behind_at(&r, i);
        const vxe_impact_try found =
            floor_tried(floor_without(of, r.impulse[i]), r.stiffness[i], r.dashpot[i], h);
        sure = found.sure < sure ? found.sure : sure;
        more[i] = h * found.force - r.impulse[i];
    }
    if (!(sure > 0)) {
        return false;
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < (ptrdiff_t)VXE_VECTOR; i++) {
        r.vz[i] = vxe_fma(more[i], r.inverse[i], r.vz[i]);
        r.impulse[i] += more[i];
    }
    return true;
}

void VXE_VARIANT(vxe_level_behind)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                                   vxe_real h)
{
    for (ptrdiff_t i = 0; i < count; i += VXE_VECTOR) {
        const uint32_t at = first + (uint32_t)i;
        if (count - i < (ptrdiff_t)VXE_VECTOR) {
            push_behind(s, at, count - i, h);
        } else if (any_was_near(s, at, h) && (s->floor_rule || !behind_simply(s, at, h))) {
            push_behind(s, at, VXE_VECTOR, h);
        }
    }
}

void VXE_VARIANT(vxe_level_hold)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count)
{
    const vxe_real *restrict stuck = from(s->stuck[0], first);
    for (int c = 0; c < 2; c++) {
        const vxe_real *restrict inverse = from_const(s->inverse_mass[c], first);
        vxe_real *restrict v = from(s->v[c], first);
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            const vxe_real held = stuck[i] > 0 ? R(0) : v[i];
            v[i] = inverse[i] > 0 ? held : v[i];
        }
    }
}

/* Friction on voxels beside each other. `iterated` is a constant where this is compiled. */
VXE_INLINE void rub(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count, bool iterated)
{
    const vxe_real bond_pull = (vxe_real)s->bond_pull;
    const vxe_real *restrict mass = from_const(s->mass, first);
    const vxe_real *restrict free_x = from_const(s->inverse_mass[0], first);
    const vxe_real *restrict free_y = from_const(s->inverse_mass[1], first);
    const vxe_real *restrict impulse = from(s->normal_impulse, first);
    const vxe_real *restrict rubbed_x = from(s->rubbed[0], first);
    const vxe_real *restrict rubbed_y = from(s->rubbed[1], first);
    const vxe_real *restrict mu_s = from_const(s->floor_friction[0], first);
    const vxe_real *restrict mu_d = from_const(s->floor_friction[1], first);
    vxe_real *restrict vx = from(s->v[0], first);
    vxe_real *restrict vy = from(s->v[1], first);
    vxe_real *restrict stuck = from(s->stuck[0], first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real x_rate = iterated ? vxe_fma(-free_x[i], rubbed_x[i], vx[i]) : vx[i];
        const vxe_real y_rate = iterated ? vxe_fma(-free_y[i], rubbed_y[i], vy[i]) : vy[i];
        const vxe_slide slide = friction_slide(impulse[i], mass[i], mu_s[i], mu_d[i], bond_pull,
                                               x_rate, y_rate, stuck[i]);
        vx[i] = free_x[i] > 0 ? slide.factor * x_rate : vx[i];
        vy[i] = free_y[i] > 0 ? slide.factor * y_rate : vy[i];
        stuck[i] = slide.stuck;
    }
}

/* Whether the floor pushes one of VXE_VECTOR voxels in this step, holds it, or has rubbed it in the
   kick. */
VXE_INLINE bool any_rubs(const vxe_kernel_arrays *s, uint32_t first, bool iterated)
{
    const vxe_real *restrict impulse = from(s->normal_impulse, first);
    const vxe_real *restrict stuck = from(s->stuck[0], first);
    const vxe_real *restrict x = from(s->rubbed[0], first);
    const vxe_real *restrict y = from(s->rubbed[1], first);
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)VXE_VECTOR; i++) {
        any |= (impulse[i] > 0) | (stuck[i] > 0) | (iterated & ((x[i] != 0) | (y[i] != 0)));
    }
    return any != 0;
}

/* Where the floor does not push, and has not, friction leaves all as it is. */
void VXE_VARIANT(vxe_level_friction)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                                     bool iterated)
{
    for (ptrdiff_t i = 0; i < count; i += VXE_VECTOR) {
        const uint32_t at = first + (uint32_t)i;
        const bool whole = count - i >= (ptrdiff_t)VXE_VECTOR;
        const ptrdiff_t some = whole ? (ptrdiff_t)VXE_VECTOR : count - i;
        if (whole && !any_rubs(s, at, iterated)) {
            continue;
        }
        if (iterated) {
            rub(s, at, some, true);
        } else {
            rub(s, at, some, false);
        }
    }
}
