/* SPDX-License-Identifier: MIT */
/* Kernels of voxels: kick, decay, friction, drift, edges and Poisson tensions, each a loop over
   a range of slots. The laws come from the *_law.h files. This file is compiled once per
   instruction set and precision, see real.h. */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/bonds/bond_law.h"
#include "engine/core/real.h"
#include "engine/floor/floor.h"
#include "engine/voxels/actuation_law.h"
#include "engine/voxels/dither_law.h"
#include "engine/voxels/rotation_law.h"
#include "engine/voxels/voxel_law.h"
#include "engine/voxels/voxels.h"

static vxe_real *rate_of(const vxe_kernel_arrays *s, int c, uint32_t first)
{
    return from(c < 3 ? s->v[c] : s->w[c - 3], first);
}

static const vxe_real *inverse_of(const vxe_kernel_arrays *s, int c, uint32_t first)
{
    return from_const(c < 3 ? s->inverse_mass[c] : s->inverse_inertia[c - 3], first);
}

/* Arrays of one of the six velocity components, from the first slot of a range on. */
typedef struct channel {
    vxe_real *restrict lower_force;
    vxe_real *restrict upper_force;
    vxe_real *rate;
    const vxe_real *base; /* velocities that the kick starts from: the current ones, the kept or
                             the middle ones */
    const vxe_real *restrict inverse;
} channel;

static channel channel_of(const vxe_kernel_arrays *s, const vxe_bond_target *sums, int c,
                          uint32_t first, uint32_t flags)
{
    vxe_real *rate = rate_of(s, c, first);
    const uint32_t kept = first - s->kept_first;
    return (channel){.lower_force = from(sums->lower_force[c], first - sums->lower_first),
                     .upper_force = from(sums->upper_force[c], first - sums->upper_first),
                     .rate = rate,
                     .base = flags & VXE_KICK_FROM_KEPT     ? from(s->kept[c], kept)
                             : flags & VXE_KICK_FROM_MIDDLE ? from(s->middle[c], kept)
                                                            : rate,
                     .inverse = inverse_of(s, c, first)};
}

/* Adds the upper force accumulator to the lower one, and clears the upper one. */
static void sum_bonds(const channel *it, ptrdiff_t count)
{
    vxe_real *restrict sum = it->lower_force;
    vxe_real *restrict upper_force = it->upper_force;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        sum[i] += upper_force[i];
        upper_force[i] = 0;
    }
}

static void add_weight(const vxe_kernel_arrays *s, vxe_real *restrict sum, int c, uint32_t first,
                       ptrdiff_t count)
{
    const vxe_real *restrict mass = from_const(s->mass, first);
    const vxe_real g = (vxe_real)s->gravity[c];
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        sum[i] = vxe_fma(mass[i], g, sum[i]);
    }
}

static void copy_velocities(const vxe_kernel_arrays *s, vxe_reals *const to[6], uint32_t first,
                            uint32_t last)
{
    VXE_ASSERT(first <= last && to[0] && first >= s->kept_first);
    for (int c = 0; c < 6; c++) {
        memcpy(from(to[c], first - s->kept_first), rate_of(s, c, first),
               (last - first) * sizeof(vxe_real));
    }
}

static void keep_velocities(const vxe_kernel_arrays *s, uint32_t first, uint32_t last)
{
    copy_velocities(s, s->kept, first, last);
}

static vxe_real *kept_of(const vxe_kernel_arrays *s, int c, uint32_t first)
{
    return from(s->kept[c], first - s->kept_first);
}

/* Whether a kick of component c needs the dither: where something from outside pushes in every
   step. Gravity is along z unless a model has `dithers`. */
static bool dithers(const vxe_kernel_arrays *s, int c, uint32_t flags)
{
    return (flags & VXE_KICK_EXTERNAL) && (s->dithers || c == 2);
}

/* The kick by the sum in the lower force accumulator, which is cleared. */
VXE_INLINE void kick_summed(const channel *it, ptrdiff_t count, vxe_real h, const vxe_dither *by)
{
    vxe_real *restrict sum = it->lower_force;
    vxe_real *rate = it->rate;
    const vxe_real *base = it->base;
    const vxe_real *restrict inverse = it->inverse;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        rate[i] = dithered(by, base[i], h * inverse[i], sum[i]);
        sum[i] = 0;
    }
}

/* The kick by bonds and, with mass, weight, and with rubbed, friction (N s) only: sum_bonds,
   add_weight, add_rubbed and kick_summed in one loop, and with kept halving as well. Whether mass,
   rubbed, kept and by are null is known at compile time. */
VXE_INLINE void kick_at_once(const channel *it, vxe_real *restrict kept,
                             const vxe_real *restrict mass, vxe_real g,
                             const vxe_real *restrict rubbed, ptrdiff_t count, vxe_real h,
                             const vxe_dither *by)
{
    vxe_real *restrict lower_force = it->lower_force;
    vxe_real *restrict upper_force = it->upper_force;
    vxe_real *rate = it->rate;
    const vxe_real *base = it->base;
    const vxe_real *restrict inverse = it->inverse;
    const vxe_real by_h = 1 / h;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real bonds = lower_force[i] + upper_force[i];
        const vxe_real weighed = mass ? vxe_fma(mass[i], g, bonds) : bonds;
        const vxe_real sum = rubbed ? vxe_fma(by_h, rubbed[i], weighed) : weighed;
        const vxe_real now = dithered(by, base[i], h * inverse[i], sum);
        if (kept) {
            rate[i] = halfway(base[i], now);
            kept[i] = now;
        } else {
            rate[i] = now;
        }
        lower_force[i] = 0;
        upper_force[i] = 0;
    }
}

static void add_array(vxe_real *restrict sum, const vxe_real *restrict more, ptrdiff_t count)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        sum[i] += more[i];
    }
}

static void add_loads(const vxe_kernel_arrays *s, vxe_real *const sums[6], uint32_t first,
                      ptrdiff_t count)
{
    for (int c = 0; c < 6 && s->load[c]; c++) {
        add_array(sums[c], from_const(s->load[c], first), count);
    }
    for (int c = 0; c < 3 && s->field[c]; c++) {
        add_array(sums[c], from(s->field[c], first), count);
    }
}

static void add_drag(const vxe_kernel_arrays *s, vxe_real *const sums[6], uint32_t first,
                     ptrdiff_t count)
{
    for (int c = 0; c < 6; c++) {
        vxe_real *restrict sum = sums[c];
        const vxe_real *restrict drag = from_const(c < 3 ? s->drag : s->spin_drag, first);
        const vxe_real *restrict rate = rate_of(s, c, first);
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            sum[i] = dragged(drag[i], rate[i], sum[i]);
        }
    }
}

static void add_fluid(const vxe_kernel_arrays *s, vxe_real *const sums[6], uint32_t first,
                      ptrdiff_t count, vxe_real h)
{
    const vxe_fluid_law law = {
        (vxe_real)s->fluid_drag,
        (vxe_real)s->fluid_lift,
        {(vxe_real)s->gravity[0], (vxe_real)s->gravity[1], (vxe_real)s->gravity[2]}};
    const vxe_real edge = place_of(s->edge).high;
    const vxe_real by_h = 1 / h;
    const vxe_real *restrict faces = from_const(s->faces, first);
    const vxe_real *restrict mass = from_const(s->mass, first);
    const vxe_real *restrict edge_growth = from(s->edge_growth, first);
    const vxe_real *restrict q[4];
    const vxe_real *restrict v[3];
    vxe_real *restrict sum[3];
    for (int c = 0; c < 4; c++) {
        q[c] = from(s->q[c], first);
    }
    for (int c = 0; c < 3; c++) {
        v[c] = from(s->v[c], first);
        sum[c] = sums[c];
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_vec3 force = fluid_force(
            law, faces[i], (vxe_quat){q[0][i], q[1][i], q[2][i], q[3][i]},
            (vxe_vec3){v[0][i], v[1][i], v[2][i]}, edge + edge_growth[i], by_h * mass[i]);
        sum[0][i] += force.x;
        sum[1][i] += force.y;
        sum[2][i] += force.z;
    }
}

static void floor_behind(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double step)
{
    VXE_ASSERT(first <= last && s->normal_impulse && s->before_off);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    if (s->terrain) {
        VXE_VARIANT(vxe_terrain_behind)(s, first, count, (vxe_real)step);
    } else {
        VXE_VARIANT(vxe_level_behind)(s, first, count, (vxe_real)step);
    }
}

/* Whether only bonds, weight and a level floor act on a range of voxels. */
static bool only_weighs(const vxe_kernel_arrays *s, uint32_t flags)
{
    const bool loaded = s->load[0] || s->field[0] || s->faces;
    return !(flags & VXE_KICK_EXTERNAL && loaded) && !(flags & VXE_KICK_EXPLICIT_DRAG && s->drag) &&
           !(flags & VXE_KICK_FLOOR && s->floor_stiffness && s->terrain);
}

/* The kick of one component where only_weighs; kept, mass and rubbed may be null. rubbed is not
   given with kept, and with mass alone. */
VXE_INLINE void kick_one(const channel *it, vxe_real *kept, const vxe_real *mass, vxe_real g,
                         const vxe_real *rubbed, ptrdiff_t count, vxe_real h, const vxe_dither *by)
{
    VXE_ASSERT(!rubbed || (mass && !kept));
    if (rubbed) {
        kick_at_once(it, NULL, mass, g, rubbed, count, h, by);
    } else if (kept && mass) {
        kick_at_once(it, kept, mass, g, NULL, count, h, by);
    } else if (kept) {
        kick_at_once(it, kept, NULL, 0, NULL, count, h, by);
    } else if (mass) {
        kick_at_once(it, NULL, mass, g, NULL, count, h, by);
    } else {
        kick_at_once(it, NULL, NULL, 0, NULL, count, h, by);
    }
}

/* Adds friction's impulse in a kick of h seconds to the forces of a component. */
static void add_rubbed(const vxe_kernel_arrays *s, vxe_real *restrict sum, int c, uint32_t first,
                       ptrdiff_t count, vxe_real h)
{
    const vxe_real *restrict rubbed = from(s->rubbed[c], first);
    const vxe_real by_h = 1 / h;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        sum[i] = vxe_fma(by_h, rubbed[i], sum[i]);
    }
}

/* The kick where only_weighs: z first, as friction needs the other velocities from before it;
   and where the floor decays velocities they can not be halved yet. */
static uint32_t kick_simply(const vxe_kernel_arrays *s, const vxe_bond_target *sums, uint32_t first,
                            ptrdiff_t count, vxe_real h, uint32_t flags, vxe_dither by)
{
    static const int order[6] = {2, 0, 1, 3, 4, 5};
    const bool iterated = !(flags & VXE_KICK_EXPLICIT_DRAG);
    bool touching = false;
    bool halves = flags & VXE_KICK_HALVE;
    for (int i = 0; i < 6; i++) {
        const int c = order[i];
        const bool weighs = c < 3 && (flags & VXE_KICK_EXTERNAL);
        const channel it = channel_of(s, sums, c, first, flags);
        if (c == 2 && (flags & VXE_KICK_FLOOR) && s->floor_stiffness &&
            VXE_VARIANT(vxe_level_touches)(s, first, count, h)) {
            touching = true;
            if (halves) {
                keep_velocities(s, first, first + (uint32_t)count);
                halves = false;
            }
            sum_bonds(&it, count);
            if (weighs) {
                add_weight(s, it.lower_force, c, first, count);
            }
            VXE_VARIANT(vxe_level_push)(s, it.lower_force, first, count, h, iterated);
            kick_summed(&it, count, h, &by); /* along z: the floor is no part of an iteration */
            continue;
        }
        vxe_real *kept = halves ? kept_of(s, c, first) : NULL;
        const vxe_real *mass = weighs ? from_const(s->mass, first) : NULL;
        const vxe_real g = weighs ? (vxe_real)s->gravity[c] : 0;
        const vxe_real *rubbed = touching && iterated && c < 2 ? from(s->rubbed[c], first) : NULL;
        if (dithers(s, c, flags)) {
            kick_one(&it, kept, mass, g, rubbed, count, h, &by);
        } else {
            kick_one(&it, kept, mass, g, rubbed, count, h, NULL);
        }
    }
    return (touching ? VXE_KICKED_TOUCHING : 0u) | (halves ? VXE_KICKED_HALVED : 0u);
}

/* Adds the force of the floor and, before damping iterations, its friction. Returns whether a voxel
   may touch it or is stuck to it; where none does nothing is written. */
static bool push_of_floor(const vxe_kernel_arrays *s, vxe_real *const sums[6], uint32_t first,
                          ptrdiff_t count, vxe_real h, bool iterated)
{
    if (s->terrain) {
        return VXE_VARIANT(vxe_terrain_push)(s, sums, first, count, h, iterated);
    }
    if (!VXE_VARIANT(vxe_level_touches)(s, first, count, h)) {
        return false;
    }
    VXE_VARIANT(vxe_level_push)(s, sums[2], first, count, h, iterated);
    for (int c = 0; c < 2 && iterated; c++) {
        add_rubbed(s, sums[c], c, first, count, h);
    }
    return true;
}

static uint32_t kick(const vxe_kernel_arrays *s, const vxe_bond_target *sums, uint32_t first,
                     uint32_t last, double step, uint32_t flags, double dither)
{
    VXE_ASSERT(first <= last && first >= sums->lower_first && first >= sums->upper_first);
    VXE_ASSERT(!(flags & ~(uint32_t)(VXE_KICK_EXTERNAL | VXE_KICK_FLOOR | VXE_KICK_EXPLICIT_DRAG |
                                     VXE_KICK_ITERATION | VXE_KICK_HALVE)) &&
               step > 0);
    channel it[6];
    vxe_real *lower_force[6];
    const ptrdiff_t count = (ptrdiff_t)last - first;
    const vxe_real h = (vxe_real)step;
    const vxe_dither by = dither_at(vxe_dithers(s) ? dither : 0);
    bool touching = false;
    if (flags & VXE_KICK_TO_MIDDLE) {
        copy_velocities(s, s->middle, first, last);
    }
    if (only_weighs(s, flags)) {
        return kick_simply(s, sums, first, count, h, flags, by);
    }
    if (flags & VXE_KICK_HALVE) {
        keep_velocities(s, first, last);
    }
    for (int c = 0; c < 6; c++) {
        it[c] = channel_of(s, sums, c, first, flags);
        lower_force[c] = it[c].lower_force;
        sum_bonds(&it[c], count);
        if (c < 3 && (flags & VXE_KICK_EXTERNAL)) {
            add_weight(s, it[c].lower_force, c, first, count);
        }
    }
    if (flags & VXE_KICK_EXTERNAL) {
        add_loads(s, lower_force, first, count);
    }
    if ((flags & VXE_KICK_EXTERNAL) && s->faces) {
        add_fluid(s, lower_force, first, count, h);
    }
    if ((flags & VXE_KICK_EXPLICIT_DRAG) && s->drag) {
        add_drag(s, lower_force, first, count);
    }
    if ((flags & VXE_KICK_FLOOR) && s->floor_stiffness) {
        touching =
            push_of_floor(s, lower_force, first, count, h, !(flags & VXE_KICK_EXPLICIT_DRAG));
    }
    for (int c = 0; c < 6; c++) {
        if (dithers(s, c, flags)) {
            kick_summed(&it[c], count, h, &by);
        } else {
            kick_summed(&it[c], count, h, NULL);
        }
    }
    return touching ? VXE_KICKED_TOUCHING : 0;
}

static void halve_velocities(const vxe_kernel_arrays *s, uint32_t first, uint32_t last)
{
    VXE_ASSERT(first <= last && s->kept[0] && first >= s->kept_first);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    for (int c = 0; c < 6; c++) {
        vxe_real *restrict kept = from(s->kept[c], first - s->kept_first);
        vxe_real *restrict rate = rate_of(s, c, first);
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            const vxe_real now = rate[i];
            rate[i] = halfway(kept[i], now);
            kept[i] = now;
        }
    }
}

static void decay(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double dither)
{
    VXE_ASSERT(first <= last);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    const vxe_dither by = dither_at(dither);
    for (int c = 0; c < 6 && s->drag; c++) {
        vxe_real *restrict rate = rate_of(s, c, first);
        const vxe_real *restrict inverse = inverse_of(s, c, first);
        const vxe_real *restrict change = from(c < 3 ? s->drag_decay : s->spin_decay, first);
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            rate[i] = inverse[i] > 0 ? decayed_by(&by, rate[i], change[i]) : rate[i];
        }
    }
}

static void hold(const vxe_kernel_arrays *s, uint32_t first, uint32_t last)
{
    VXE_ASSERT(first <= last && s->stuck[0]);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    if (s->terrain) {
        VXE_VARIANT(vxe_terrain_hold)(s, first, count);
    } else {
        VXE_VARIANT(vxe_level_hold)(s, first, count);
    }
}

static void friction(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, bool iterated)
{
    VXE_ASSERT(first <= last && s->normal_impulse && s->rubbed[0]);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    if (s->terrain) {
        VXE_VARIANT(vxe_terrain_friction)(s, first, count, iterated);
    } else {
        VXE_VARIANT(vxe_level_friction)(s, first, count, iterated);
    }
}

static void bend(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double step)
{
    VXE_ASSERT(first <= last && s->terrain && s->before_along[0]);
    VXE_VARIANT(vxe_terrain_bend)(s, first, (ptrdiff_t)last - first, step);
}

/* x += h v; q <- exp(h w) q */
static void drift(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, double step,
                  double dither)
{
    VXE_ASSERT(first <= last && step > 0);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    const vxe_real h = (vxe_real)step;
    for (int c = 0; c < 3; c++) {
        vxe_real *restrict x = from(s->x[c], first);
        const vxe_real *restrict v = from(s->v[c], first);
#ifdef VXE_MIXED
        vxe_real *restrict low = from(s->x_low[c], first);
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            const vxe_coordinate place = {x[i], low[i]};
            const vxe_coordinate moved = coordinate_moved(place, h, v[i]);
            x[i] = moved.high;
            low[i] = moved.low;
        }
#else
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            const vxe_coordinate place = {x[i]};
            x[i] = coordinate_moved(place, h, v[i]).high;
        }
#endif
    }
    const vxe_dither by = dither_at(dither);
    if (s->dithers) {
        turn_voxels(s, first, count, (vxe_real)(0.5 * step), &by);
    } else {
        turn_voxels(s, first, count, (vxe_real)(0.5 * step), NULL);
    }
}

/* Edges of voxels that have numbers of their own. */
static vxe_real resize_each(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                            const double *clock, const double *factors)
{
    vxe_real *restrict edge_growth = from(s->edge_growth, first);
    const vxe_real *law[VXE_ACTUATION_VALUES];
    for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
        law[c] = from_const(s->size[c], first);
    }
    vxe_real grown = 0;
#pragma omp simd reduction(max : grown)
    for (ptrdiff_t i = 0; i < count; i++) {
        const double factor = factors[(int32_t)law[VXE_SIZE_GROUP][i]];
        const vxe_real now = edge_growth_at(law, i, clock, 1, factor);
        const vxe_real more = now - edge_growth[i];
        grown = more > grown ? more : grown;
        edge_growth[i] = now;
    }
    return grown;
}

static double resize(const vxe_kernel_arrays *s, uint32_t first, uint32_t last, const double *clock,
                     const double *factors)
{
    VXE_ASSERT(first <= last && clock && (s->edge_growth_sine || (factors && s->size[0])));
    const ptrdiff_t count = (ptrdiff_t)last - first;
    if (!s->edge_growth_sine) {
        return (double)resize_each(s, first, count, clock, factors);
    }
    vxe_real *restrict edge_growth = from(s->edge_growth, first);
    const vxe_real *restrict by_sine = from_const(s->edge_growth_sine, first);
    const vxe_real *restrict by_cosine = from_const(s->edge_growth_cosine, first);
    const vxe_real a = (vxe_real)clock[VXE_CLOCK_SINE];
    const vxe_real b = (vxe_real)clock[VXE_CLOCK_COSINE];
    vxe_real grown = 0;
#pragma omp simd reduction(max : grown)
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real now = edge_growth_of_wave(by_sine[i], by_cosine[i], a, b);
        const vxe_real more = now - edge_growth[i];
        grown = more > grown ? more : grown;
        edge_growth[i] = now;
    }
    return (double)grown;
}

static void poisson_coupling(const vxe_kernel_arrays *s, uint32_t first, uint32_t last)
{
    VXE_ASSERT(first <= last && s->strain_up[0] && s->strain_down[0]);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        /* the coupling of a and b is stored under the third axis, c */
        const vxe_real *restrict with_b = from_const(s->poisson_coupling[c], first);
        const vxe_real *restrict with_c = from_const(s->poisson_coupling[b], first);
        const vxe_real *restrict up_b = from(s->strain_up[b], first);
        const vxe_real *restrict down_b = from(s->strain_down[b], first);
        const vxe_real *restrict up_c = from(s->strain_up[c], first);
        const vxe_real *restrict down_c = from(s->strain_down[c], first);
        vxe_real *restrict across = from(s->poisson_tension[a], first);
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            across[i] =
                tension_across(with_b[i], up_b[i] + down_b[i], with_c[i], up_c[i] + down_c[i]);
        }
    }
}

extern const vxe_voxel_kernels VXE_VARIANT(vxe_voxel_kernels);

const vxe_voxel_kernels VXE_VARIANT(vxe_voxel_kernels) = {.kick = kick,
                                                          .keep = keep_velocities,
                                                          .halve = halve_velocities,
                                                          .decay = decay,
                                                          .floor = floor_behind,
                                                          .hold = hold,
                                                          .friction = friction,
                                                          .bend = bend,
                                                          .drift = drift,
                                                          .poisson_coupling = poisson_coupling,
                                                          .resize = resize};
