/* SPDX-License-Identifier: MIT */
/* Loops over voxels on a floor that is not level: contact, dashpots and friction.
   voxel_kernels.c has those of a level floor. This file is compiled once per instruction set and
   precision, see real.h. */
#include "common/assert_internal.h"
#include "engine/floor/floor.h"
#include "engine/floor/floor_law.h"
#include "engine/floor/friction_law.h"

#include "engine/core/real.h"
#include "engine/floor/terrain_law.h"

/* Arrays from the first slot of a range on. */
typedef struct range {
    vxe_real *restrict depth;
    vxe_real *restrict gain;
    vxe_real *restrict normal[3];
    vxe_real *restrict v[3];
    vxe_real *restrict impulse;
    vxe_real *restrict before[3]; /* along the tangents and off the floor */
    vxe_real *restrict rubbed[3];
    vxe_real *restrict stuck;
    const vxe_real *restrict inverse[3];
    const vxe_real *restrict mass;
    const vxe_real *restrict stiffness;
    const vxe_real *restrict dashpot;
    const vxe_real *restrict friction[2];
} range;

static range range_from(const vxe_kernel_arrays *s, uint32_t first)
{
    VXE_ASSERT(s->terrain && s->terrain_depth && s->terrain_gain && s->normal_impulse);
    range r = {.depth = from(s->terrain_depth, first),
               .gain = from(s->terrain_gain, first),
               .impulse = from(s->normal_impulse, first),
               .stuck = from(s->stuck[0], first),
               .mass = from_const(s->mass, first),
               .stiffness = from_const(s->floor_stiffness, first),
               .dashpot = from_const(s->floor_dashpot, first)};
    for (int c = 0; c < 3; c++) {
        r.before[c] = from(c < 2 ? s->before_along[c] : s->before_off, first);
        r.rubbed[c] = from(s->rubbed[c], first);
        r.normal[c] = from(s->terrain_normal[c], first);
        r.v[c] = from(s->v[c], first);
        r.inverse[c] = from_const(s->inverse_mass[c], first);
    }
    for (int c = 0; c < 2; c++) {
        r.friction[c] = from_const(s->floor_friction[c], first);
    }
    return r;
}

VXE_INLINE vxe_vec3 normal_at(const range *r, ptrdiff_t i)
{
    return (vxe_vec3){r->normal[0][i], r->normal[1][i], r->normal[2][i]};
}

VXE_INLINE vxe_vec3 velocity_at(const range *r, ptrdiff_t i)
{
    return (vxe_vec3){r->v[0][i], r->v[1][i], r->v[2][i]};
}

/* Whether some voxel is below the highest place where one can touch in this step, or stuck. */
static bool any_is_low(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count, vxe_real h)
{
    const vxe_real *restrict v[3] = {from(s->v[0], first), from(s->v[1], first),
                                     from(s->v[2], first)};
    const vxe_real *restrict z = from(s->x[2], first);
    const vxe_real *restrict edge_growth = from(s->edge_growth, first);
    const vxe_real *restrict stuck = from(s->stuck[0], first);
    /* a whole edge instead of half: the margin covers rounding */
    const vxe_real lift = (vxe_real)s->terrain->max_lift;
    const vxe_real edge = (vxe_real)s->edge;
    const vxe_real top = (vxe_real)s->terrain->top;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_vec3 speed = {v[0][i], v[1][i], v[2][i]};
        const vxe_real way = h * vxe_root(vec_dot(speed, speed));
        any |= (z[i] - lift * (edge + edge_growth[i] + way) < top) | (stuck[i] > 0);
    }
    return any != 0;
}

/* Where the voxels of a range are. */
typedef struct places {
    const vxe_terrain *terrain;
    double edge; /* m, rounded as in robots in lanes */
    const vxe_real *restrict x[3];
    const vxe_real *restrict low[3];
    const vxe_real *restrict edge_growth;
} places;

static places places_from(const vxe_kernel_arrays *s, uint32_t first)
{
    places p = {.terrain = s->terrain,
                .edge = terrain_place_whole(place_of(s->edge)),
                .edge_growth = from(s->edge_growth, first)};
    for (int c = 0; c < 3; c++) {
        p.x[c] = from(s->x[c], first);
#ifdef VXE_MIXED
        p.low[c] = from(s->x_low[c], first);
#else
        p.low[c] = p.x[c];
#endif
    }
    return p;
}

VXE_INLINE vxe_terrain_place place_at(const places *p, ptrdiff_t i)
{
    return (vxe_terrain_place){p->terrain->number,
                               1,
                               p->terrain->points,
                               terrain_place(p->x[0][i], p->low[0][i]),
                               terrain_place(p->x[1][i], p->low[1][i]),
                               terrain_place(p->x[2][i], p->low[2][i]),
                               0.5 * (p->edge + (double)p->edge_growth[i])};
}

/* Depth, normal and stiffness factor of the voxels of a range; returns whether one may touch in a
   step of h seconds, or is stuck. */
static bool sample(const vxe_kernel_arrays *s, const range *r, uint32_t first, ptrdiff_t count,
                   vxe_real h)
{
    const places p = places_from(s, first);
    const vxe_real lift = (vxe_real)s->terrain->max_lift;
    const vxe_real edge = (vxe_real)s->edge;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_terrain_place place = place_at(&p, i);
        const vxe_touch touch = terrain_touch(&place);
        r->depth[i] = touch.depth;
        r->gain[i] = touch.gain;
        r->normal[0][i] = touch.normal.x;
        r->normal[1][i] = touch.normal.y;
        r->normal[2][i] = touch.normal.z;
        any |= (terrain_nearness(touch.depth, velocity_at(r, i), lift, edge, h) > 0) |
               (r->stuck[i] > 0);
    }
    return any != 0;
}

/* `iterated` is a constant where this is compiled. */
VXE_INLINE void push_range(const vxe_kernel_arrays *s, const range *r, vxe_real *const sums[6],
                           ptrdiff_t count, vxe_real h, bool iterated)
{
    vxe_real *restrict sum[3] = {sums[0], sums[1], sums[2]};
    const vxe_real edge = (vxe_real)s->edge;
    const vxe_real pulls = (vxe_real)s->floor_rule;
    const vxe_real bond_pull = (vxe_real)s->bond_pull;
    const vxe_real by_h = 1 / h;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_vec3 normal = normal_at(r, i);
        const vxe_vec3 v = velocity_at(r, i);
        const vxe_slip slip = terrain_slip(normal, v);
        const vxe_vec3 gives = {r->inverse[0][i], r->inverse[1][i], r->inverse[2][i]};
        const vxe_vec3 others = {h * gives.x * sum[0][i], h * gives.y * sum[1][i],
                                 h * gives.z * sum[2][i]};
        const vxe_on_floor of = terrain_pushes(r->depth[i], normal, v, others, gives, edge);
        const vxe_floor_push push =
            floor_push(of, r->gain[i] * r->stiffness[i], r->dashpot[i], pulls, h);
        sum[0][i] = vxe_fma(push.force, normal.x, sum[0][i]);
        sum[1][i] = vxe_fma(push.force, normal.y, sum[1][i]);
        sum[2][i] = vxe_fma(push.force, normal.z, sum[2][i]);
        r->stuck[i] = friction_rests(push.impulse, slip.x, slip.y, r->stuck[i]);
        if (iterated) {
            const vxe_real slows = friction_predicted(push.impulse, r->mass[i], r->friction[1][i],
                                                      bond_pull, slip.x, slip.y, r->stuck[i]);
            const vxe_vec3 rubs = terrain_along(&slip, slows * slip.x, slows * slip.y);
            sum[0][i] = vxe_fma(by_h, rubs.x, sum[0][i]);
            sum[1][i] = vxe_fma(by_h, rubs.y, sum[1][i]);
            sum[2][i] = vxe_fma(by_h, rubs.z, sum[2][i]);
            r->rubbed[0][i] = rubs.x;
            r->rubbed[1][i] = rubs.y;
            r->rubbed[2][i] = rubs.z;
        }
        r->impulse[i] = push.impulse;
        r->before[0][i] = slip.x;
        r->before[1][i] = slip.y;
        r->before[2][i] = of.off;
    }
}

bool VXE_VARIANT(vxe_terrain_push)(const vxe_kernel_arrays *s, vxe_real *const sums[6],
                                   uint32_t first, ptrdiff_t count, vxe_real h, bool iterated)
{
    const range r = range_from(s, first);
    if (!any_is_low(s, first, count, h) || !sample(s, &r, first, count, h)) {
        return false;
    }
    if (iterated) {
        push_range(s, &r, sums, count, h, true);
    } else {
        push_range(s, &r, sums, count, h, false);
    }
    return true;
}

void VXE_VARIANT(vxe_terrain_hold)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count)
{
    const range r = range_from(s, first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_slip slip = terrain_slip(normal_at(&r, i), velocity_at(&r, i));
        const vxe_vec3 lost = terrain_slid(slip, r.stuck[i] > 0 ? R(0) : R(1));
        r.v[0][i] += r.inverse[0][i] > 0 ? lost.x : R(0);
        r.v[1][i] += r.inverse[1][i] > 0 ? lost.y : R(0);
        r.v[2][i] += r.inverse[2][i] > 0 ? lost.z : R(0);
    }
}

void VXE_VARIANT(vxe_terrain_behind)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                                     vxe_real h)
{
    const range r = range_from(s, first);
    const vxe_real pulls = (vxe_real)s->floor_rule;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_vec3 normal = normal_at(&r, i);
        const vxe_vec3 gives = {r.inverse[0][i], r.inverse[1][i], r.inverse[2][i]};
        const vxe_real off = r.before[2][i];
        vxe_on_floor of = terrain_pushes(r.depth[i], normal, velocity_at(&r, i),
                                         (vxe_vec3){0, 0, 0}, gives, (vxe_real)s->edge);
        of.others = of.off - off;
        of.off = off;
        const vxe_floor_push more =
            floor_push_behind(of, r.impulse[i], r.gain[i] * r.stiffness[i], r.dashpot[i], pulls, h);
        r.v[0][i] = vxe_fma(more.impulse * r.inverse[0][i], normal.x, r.v[0][i]);
        r.v[1][i] = vxe_fma(more.impulse * r.inverse[1][i], normal.y, r.v[1][i]);
        r.v[2][i] = vxe_fma(more.impulse * r.inverse[2][i], normal.z, r.v[2][i]);
        r.impulse[i] += more.impulse;
    }
}

/* `iterated` is a constant where this is compiled. */
VXE_INLINE void rub(const vxe_kernel_arrays *s, const range *r, ptrdiff_t count, bool iterated)
{
    const vxe_real bond_pull = (vxe_real)s->bond_pull;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_vec3 gives = {r->inverse[0][i], r->inverse[1][i], r->inverse[2][i]};
        vxe_vec3 v = velocity_at(r, i);
        if (iterated) {
            v = (vxe_vec3){vxe_fma(-gives.x, r->rubbed[0][i], v.x),
                           vxe_fma(-gives.y, r->rubbed[1][i], v.y),
                           vxe_fma(-gives.z, r->rubbed[2][i], v.z)};
        }
        const vxe_slip slip = terrain_slip(normal_at(r, i), v);
        const vxe_slide slide =
            friction_slide(r->impulse[i], r->mass[i], r->friction[0][i], r->friction[1][i],
                           bond_pull, slip.x, slip.y, r->stuck[i]);
        const vxe_vec3 lost = terrain_slid(slip, slide.factor);
        r->v[0][i] = gives.x > 0 ? v.x + lost.x : v.x;
        r->v[1][i] = gives.y > 0 ? v.y + lost.y : v.y;
        r->v[2][i] = gives.z > 0 ? v.z + lost.z : v.z;
        r->stuck[i] = slide.stuck;
    }
}

void VXE_VARIANT(vxe_terrain_friction)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                                       bool iterated)
{
    const range r = range_from(s, first);
    if (iterated) {
        rub(s, &r, count, true);
    } else {
        rub(s, &r, count, false);
    }
}

/* Whether some of count voxels from one on may have touched in the step. */
static bool any_bends(const vxe_kernel_arrays *s, const range *r, ptrdiff_t begin, ptrdiff_t count,
                      vxe_real h)
{
    const vxe_real lift = (vxe_real)s->terrain->max_lift;
    const vxe_real edge = (vxe_real)s->edge;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = begin; i < begin + count; i++) {
        const vxe_vec3 before = {r->before[0][i], r->before[1][i], r->before[2][i]};
        any |= terrain_nearness(r->depth[i], before, lift, edge, h) > 0;
    }
    return any != 0;
}

void VXE_VARIANT(vxe_terrain_bend)(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                                   double h)
{
    const range r = range_from(s, first);
    const places p = places_from(s, first);
    const ptrdiff_t block = (ptrdiff_t)VXE_VECTOR;
    for (ptrdiff_t at = 0; at < count && !s->floor_rule; at += block) {
        const ptrdiff_t some = count - at < block ? count - at : block;
        if (!any_bends(s, &r, at, some, (vxe_real)h)) {
            continue;
        }
#pragma omp simd
        for (ptrdiff_t i = at; i < at + some; i++) {
            const vxe_terrain_place place = place_at(&p, i);
            const vxe_touch touch = {r.depth[i], normal_at(&r, i), r.gain[i]};
            const vxe_vec3 gives = {r.inverse[0][i], r.inverse[1][i], r.inverse[2][i]};
            const vxe_vec3 before =
                terrain_velocity(touch.normal, r.before[0][i], r.before[1][i], r.before[2][i]);
            const vxe_vec3 v = terrain_mended(&place, &touch, before, velocity_at(&r, i), gives,
                                              r.stiffness[i], h);
            r.v[0][i] = v.x;
            r.v[1][i] = v.y;
            r.v[2][i] = v.z;
        }
    }
}
