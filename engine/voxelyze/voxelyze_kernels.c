/* SPDX-License-Identifier: MIT */
/* Kernels of the Voxelyze family: bonds in rows, the step of voxels with floor and friction, sizes,
   and points near one; see voxelyze.h. This file is compiled once per instruction set, in double.
 */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/core/real.h"
#include "engine/voxels/actuation_law.h"
#include "engine/voxels/rotation_law.h"
#include "engine/voxelyze/voxelyze_bond.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define LANES ((ptrdiff_t)VXE_VECTOR)

/* Lanes that are computed at once. It is less than a vector, since most vectors of a robot have few
   bonds and groups without any are skipped. */
#define GROUP ((ptrdiff_t)VXE_VOXELYZE_WIDTH)

/* Arguments of a group of lanes. */
typedef struct group {
    const vxe_real *row;
    vxe_real *memory;
    ptrdiff_t lower, upper;    /* first slots of lower and upper voxels */
    ptrdiff_t to, upper_force; /* indices in the sums of lower and upper forces */
} group;

_Static_assert(VXE_VECTOR % VXE_VOXELYZE_WIDTH == 0, "a vector has whole groups");
_Static_assert(VXE_VOXELYZE_WIDTH == 8, "AVX-512 kernels have eight lanes");

/* Runs the bonds of a group and adds their forces to the sums. */
VXE_INLINE void run_group(sort is, const fields *f, const group *g, vxe_reals *const sums[6],
                          vxe_reals *const pulls[6], vxe_real *restrict failures)
{
    vxe_real *restrict lower_force[6];
    vxe_real *pulled[6];
    for (int c = 0; c < 6; c++) {
        lower_force[c] = reals(sums[c]) + g->to;
        pulled[c] = reals(pulls[c]) + g->upper_force;
    }
    const vxe_real *row = g->row;
    vxe_real *memory = g->memory;
    const ptrdiff_t lower = g->lower;
    const ptrdiff_t upper = g->upper;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < GROUP; lane++) {
        vxe_real failed = 0;
        const both_ends act =
            one_bond(is, f, row + lane, memory + lane, lower + lane, upper + lane, &failed);
        failures[lane] += failed;
        lower_force[0][lane] += act.force[0].x;
        lower_force[1][lane] += act.force[0].y;
        lower_force[2][lane] += act.force[0].z;
        lower_force[3][lane] += act.moment[0].x;
        lower_force[4][lane] += act.moment[0].y;
        lower_force[5][lane] += act.moment[0].z;
        pulled[0][lane] -= act.force[1].x;
        pulled[1][lane] -= act.force[1].y;
        pulled[2][lane] -= act.force[1].z;
        pulled[3][lane] += act.moment[1].x;
        pulled[4][lane] += act.moment[1].y;
        pulled[5][lane] += act.moment[1].z;
    }
}

/* Runs the bonds of vectors [first, last); returns the lanes that failed. */
VXE_INLINE uint32_t bond_range(sort is, const vxe_kernel_arrays *s, const vxe_bond_target *target,
                               uint32_t first, uint32_t last)
{
    VXE_ASSERT(first <= last && last <= s->bonds[is.axis].count);
    const vxe_voxelyze_arrays *view = s->voxelyze;
    const vxe_bond_vectors *bonds = &s->bonds[is.axis];
    const fields f = load_fields(s);
    vxe_real failures[VXE_VECTOR] = {0};
    vxe_real discarded[VXE_VOXELYZE_MEMORY * VXE_VECTOR]; /* history of a probe */
    for (uint32_t v = first; v < last; v++) {
        vxe_real *memory = view->memory[is.axis] + (ptrdiff_t)v * (VXE_VOXELYZE_MEMORY * LANES);
        if (target->probe) {
            memcpy(discarded, memory, sizeof discarded);
            memory = discarded;
        }
        const ptrdiff_t contiguous = ((ptrdiff_t)v - target->contiguous_first) * LANES;
        for (ptrdiff_t begin = 0; begin < LANES; begin += GROUP) {
            const ptrdiff_t lower = (ptrdiff_t)bonds->lower[v] + begin;
            const ptrdiff_t upper = (ptrdiff_t)bonds->upper[v] + begin;
            const group g = {view->row[is.axis] + (ptrdiff_t)v * (VXE_VOXELYZE_ROW * LANES) + begin,
                             memory + begin,
                             lower,
                             upper,
                             target->contiguous ? contiguous + begin : lower - target->lower_first,
                             target->contiguous ? contiguous + begin : upper - target->upper_first};
            if ((uint32_t)bonds->present[v] >> begin & ((1u << GROUP) - 1)) {
                run_group(is, &f, &g, target->lower_force, target->upper_force, failures + begin);
            }
        }
    }
    return failed_lanes(failures, VXE_VECTOR);
}

#define ROWS_KERNELS(name, law)                                                                    \
    VOXELYZE_KERNELS(name, bond_range, law, true, LANES,                                           \
                     (const vxe_kernel_arrays *s, const vxe_bond_target *target, uint32_t first,   \
                      uint32_t last),                                                              \
                     s, target, first, last)

ROWS_KERNELS(voxelyze, VXE_VOXELYZE_ORIGINAL)
ROWS_KERNELS(evosoro, VXE_VOXELYZE_EVOSORO)

/* lower_force += upper_force + more (may be null); clears upper_force. */
static void gather(vxe_real *restrict lower_force, vxe_real *restrict upper_force,
                   const vxe_real *restrict more, ptrdiff_t count)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        lower_force[i] += upper_force[i];
        upper_force[i] = 0;
    }
    if (more) {
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            lower_force[i] += more[i];
        }
    }
}

/* Effect of floor friction on a voxel under a floor force (push, N): a factor on its horizontal
   force and momentum (0: it stops), and a drag on its velocity (N s/m). A sliding voxel has the
   friction mu_d push, and stops if that exceeds its momentum in a step. A voxel at rest stays at
   rest while the horizontal force is below mu_s push. The family's own rule (other friction rules:
   floor/friction_law.h). */
typedef struct friction_effect {
    vxe_real keeps, drag;
} friction_effect;

VXE_INLINE friction_effect friction_of(vxe_real push, vxe_real speed, vxe_real momentum,
                                       vxe_real force, vxe_real mu_s, vxe_real mu_d,
                                       vxe_real sticky, vxe_real h)
{
    const vxe_real friction = mu_d * push;
    const vxe_real stays = force < mu_s * push ? R(0.0) : R(1.0);
    const vxe_real slides = friction * h < momentum ? R(1.0) : R(0.0);
    const vxe_real moves = speed > 0 ? slides : stays;
    const vxe_real freed = sticky > 0 ? R(0.0) : moves;
    const vxe_real by_speed = speed > 0 ? 1 / speed : R(0.0);
    return (friction_effect){push > 0 ? freed : R(1.0), slides * friction * by_speed};
}

/* v += h F/m with floor and friction, x += h v, for count slots from first on. */
static void advance_places(const vxe_kernel_arrays *s, vxe_real *const lower_force[6],
                           uint32_t first, ptrdiff_t count, vxe_real h)
{
    const vxe_voxelyze_floor ground = s->voxelyze->ground;
    const bool floored = s->floor_stiffness != NULL;
    const vxe_real sticky = ground.sticky ? R(1.0) : R(0.0);
    const vxe_real pulls = ground.pulls ? R(1.0) : R(0.0);
    const vxe_real by_spring = ground.by_spring ? R(1.0) : R(0.0);
    const vxe_real rim2 = floored ? ground.rim2 : R(-1.0); /* no voxel is within a negative rim */
    const vxe_real half_edge = R(0.5) * s->edge;
    const vxe_real g[3] = {s->gravity[0], s->gravity[1], s->gravity[2]};
    const vxe_real dragged = s->drag ? R(1.0) : R(0.0);
    const vxe_real *restrict mass = from_const(s->mass, first);
    const vxe_real *restrict edge_growth = from(s->edge_growth, first);
    const vxe_real *restrict spring = from_const(floored ? s->floor_stiffness : s->mass, first);
    const vxe_real *restrict dash = from_const(floored ? s->floor_dashpot : s->mass, first);
    const vxe_real *restrict mu_s = from_const(floored ? s->floor_friction[0] : s->mass, first);
    const vxe_real *restrict mu_d = from_const(floored ? s->floor_friction[1] : s->mass, first);
    const vxe_real *restrict drag = from_const(s->drag ? s->drag : s->mass, first);
    const vxe_real *restrict free_x = from_const(s->inverse_mass[0], first);
    const vxe_real *restrict free_y = from_const(s->inverse_mass[1], first);
    const vxe_real *restrict free_z = from_const(s->inverse_mass[2], first);
    const vxe_real *restrict sum_x = lower_force[0];
    const vxe_real *restrict sum_y = lower_force[1];
    const vxe_real *restrict sum_z = lower_force[2];
    vxe_real *restrict x = from(s->x[0], first);
    vxe_real *restrict y = from(s->x[1], first);
    vxe_real *restrict z = from(s->x[2], first);
    vxe_real *restrict vx = from(s->v[0], first);
    vxe_real *restrict vy = from(s->v[1], first);
    vxe_real *restrict vz = from(s->v[2], first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real loss = dragged * drag[i];
        const vxe_real fx = vxe_fma(-loss, vx[i], vxe_fma(mass[i], g[0], sum_x[i]));
        const vxe_real fy = vxe_fma(-loss, vy[i], vxe_fma(mass[i], g[1], sum_y[i]));
        const vxe_real fz = vxe_fma(-loss, vz[i], vxe_fma(mass[i], g[2], sum_z[i]));
        const vxe_real to_x = x[i] - ground.center[0];
        const vxe_real to_y = y[i] - ground.center[1];
        const vxe_real level = vxe_fma(ground.slope, x[i] + ground.origin_x, s->floor_height);
        const vxe_real deep = vxe_fma(R(0.5), edge_growth[i], half_edge) - (z[i] - level);
        const vxe_real under = vxe_fma(to_x, to_x, to_y * to_y) <= rim2 ? deep : R(0.0);
        const vxe_real depth = under > 0 ? under : R(0.0);
        const vxe_real push = spring[i] * depth;
        const vxe_real damp = depth > 0 ? dash[i] : R(0.0);
        const vxe_real whole = vxe_fma(-damp, vz[i], push);
        const vxe_real clamped = whole > 0 ? whole : R(0.0);
        const vxe_real normal = by_spring > 0 ? push : clamped;
        const vxe_real speed = vxe_root(vxe_fma(vx[i], vx[i], vy[i] * vy[i]));
        const vxe_real force = vxe_root(vxe_fma(fx, fx, fy * fy));
        const friction_effect at =
            friction_of(normal, speed, mass[i] * speed, force, mu_s[i], mu_d[i], sticky, h);
        const vxe_real next_x =
            at.keeps * vxe_fma(h * free_x[i], vxe_fma(-at.drag, vx[i], fx), vx[i]);
        const vxe_real next_y =
            at.keeps * vxe_fma(h * free_y[i], vxe_fma(-at.drag, vy[i], fy), vy[i]);
        vx[i] = free_x[i] > 0 ? next_x : vx[i];
        vy[i] = free_y[i] > 0 ? next_y : vy[i];
        vz[i] = vxe_fma(h * free_z[i], fz + (pulls > 0 ? whole : clamped), vz[i]);
        x[i] = vxe_fma(h, vx[i], x[i]);
        y[i] = vxe_fma(h, vy[i], y[i]);
        z[i] = vxe_fma(h, vz[i], z[i]);
    }
}

/* w <- (w + h M/I)(1 - f c h/I), f = spin_drag, q <- exp(h w) q, for count slots from first on;
 * clears M. */
static void advance_turns(const vxe_kernel_arrays *s, vxe_real *const lower_force[6],
                          uint32_t first, ptrdiff_t count, vxe_real h)
{
    const vxe_real *restrict drag = s->spin_drag ? from_const(s->spin_drag, first) : NULL;
    const vxe_real factor = -s->voxelyze->spin_drag;
    for (int c = 0; c < 3; c++) {
        const vxe_real *restrict inverse = from_const(s->inverse_inertia[c], first);
        vxe_real *restrict w = from(s->w[c], first);
        vxe_real *restrict m = lower_force[3 + c];
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            w[i] = vxe_fma(h * inverse[i], m[i], w[i]);
            m[i] = 0;
        }
        if (drag) {
#pragma omp simd
            for (ptrdiff_t i = 0; i < count; i++) {
                w[i] = vxe_fma(factor * h * drag[i] * inverse[i], w[i], w[i]);
            }
        }
    }
    turn_voxels(s, first, count, R(0.5) * h, NULL);
}

/* The step of slots [first, last). */
static void advance(const vxe_kernel_arrays *s, const vxe_bond_target *sums, uint32_t first,
                    uint32_t last, double h)
{
    VXE_ASSERT(first <= last && first >= sums->lower_first && first >= sums->upper_first);
    const ptrdiff_t count = (ptrdiff_t)last - first;
    vxe_real *lower_force[6];
    for (int c = 0; c < 6; c++) {
        lower_force[c] = from(sums->lower_force[c], first - sums->lower_first);
        gather(lower_force[c], from(sums->upper_force[c], first - sums->upper_first),
               s->load[c] ? from_const(s->load[c], first) : NULL, count);
    }
    for (int c = 0; c < 3 && s->voxelyze->push[c]; c++) {
        gather(lower_force[c], s->voxelyze->push[c] + first, NULL, count);
    }
    advance_places(s, lower_force, first, count, h);
    for (int c = 0; c < 3; c++) {
        memset(lower_force[c], 0, (size_t)count * sizeof(vxe_real));
    }
    advance_turns(s, lower_force, first, count, h);
}

/* New edge growth (m), or the old one if the voxel would shrink below the minimum size or grow to
   above the maximum size. */
VXE_INLINE vxe_real resized(const vxe_voxelyze_arrays *view, vxe_real edge, vxe_real edge_growth,
                            vxe_real more)
{
    const vxe_real next = edge * more;
    const vxe_real above = next > edge_growth ? edge_growth : next;
    const vxe_real bounded = more > view->max - 1 ? above : next;
    return more < view->min - 1 ? edge_growth : bounded;
}

/* Sizes of slots [first, last): actuation, and growth if there is any. */
static void resize(const vxe_kernel_arrays *s, uint32_t first, uint32_t last,
                   const vxe_voxelyze_clock *clock)
{
    const vxe_voxelyze_arrays view = *s->voxelyze;
    const ptrdiff_t count = (ptrdiff_t)last - first;
    const vxe_real *restrict strain = view.strain + first;
    const vxe_real *restrict phase = view.phase + first;
    vxe_real *restrict edge_growth = from(s->edge_growth, first);
    const vxe_real edge = s->edge;
    const vxe_real waves = clock->waves;
    const vxe_real cycles = clock->cycles;
    const vxe_real turn = clock->turn;
    if (!view.growth[0]) {
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            const vxe_real more = waves * strain[i] * wave((cycles + phase[i]) * turn);
            edge_growth[i] = resized(&view, edge, edge_growth[i], more);
        }
        return;
    }
    const vxe_real *restrict at_first = view.growth[0] + first;
    const vxe_real *restrict grown = view.growth[1] + first;
    const vxe_real *restrict start = view.growth[2] + first;
    const vxe_real *restrict rate = view.growth[3] + first;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real age = within((clock->time - start[i]) * rate[i], 0, 1);
        const vxe_real more = vxe_fma(clock->born, vxe_fma(grown[i], age, at_first[i]),
                                      waves * strain[i] * wave((cycles + phase[i]) * turn));
        edge_growth[i] = resized(&view, edge, edge_growth[i], more);
    }
}

/* Maximum squared speed (m^2/s^2) of the first count slots. */
static double fastest(const vxe_kernel_arrays *s, uint32_t count)
{
    const vxe_real *restrict vx = reals(s->v[0]);
    const vxe_real *restrict vy = reals(s->v[1]);
    const vxe_real *restrict vz = reals(s->v[2]);
    vxe_real max = 0;
#pragma omp simd reduction(max : max)
    for (uint32_t i = 0; i < count; i++) {
        const vxe_real speed2 = vxe_fma(vx[i], vx[i], vxe_fma(vy[i], vy[i], vz[i] * vz[i]));
        max = speed2 > max ? speed2 : max;
    }
    return max;
}

#ifdef __AVX512F__

/* Points of higher index than one within reach, see vxe_voxelyze_kernels; eight at a time. */
static uint32_t near(const vxe_voxelyze_points *points, uint32_t one, double reach, uint32_t *found)
{
    const __m512d x = _mm512_set1_pd(points->x[0][one]);
    const __m512d y = _mm512_set1_pd(points->x[1][one]);
    const __m512d z = _mm512_set1_pd(points->x[2][one]);
    const __m512d reach2 = _mm512_set1_pd(reach * reach);
    const __m256i step = _mm256_set1_epi32(GROUP);
    __m256i places =
        _mm256_add_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)one));
    uint32_t count = 0;
    for (uint32_t first = one + 1; first < points->count; first += GROUP) {
        const uint32_t left = points->count - first;
        const __mmask8 lanes = left < GROUP ? (__mmask8)((1u << left) - 1) : (__mmask8)0xff;
        const __m512d dx = _mm512_sub_pd(_mm512_maskz_loadu_pd(lanes, points->x[0] + first), x);
        const __m512d dy = _mm512_sub_pd(_mm512_maskz_loadu_pd(lanes, points->x[1] + first), y);
        const __m512d dz = _mm512_sub_pd(_mm512_maskz_loadu_pd(lanes, points->x[2] + first), z);
        const __m512d d2 = _mm512_fmadd_pd(dx, dx, _mm512_fmadd_pd(dy, dy, _mm512_mul_pd(dz, dz)));
        const __mmask8 within = _mm512_mask_cmp_pd_mask(lanes, d2, reach2, _CMP_LT_OQ);
        _mm256_storeu_si256((__m256i *)(void *)(found + count),
                            _mm256_maskz_compress_epi32(within, places));
        count += (uint32_t)__builtin_popcount(within);
        places = _mm256_add_epi32(places, step);
    }
    return count;
}

#else

/* The same; a vector's indices are written only if its closest point is within reach. */
static uint32_t near(const vxe_voxelyze_points *points, uint32_t one, double reach, uint32_t *found)
{
    const vxe_real at[3] = {points->x[0][one], points->x[1][one], points->x[2][one]};
    const vxe_real reach2 = reach * reach;
    uint32_t count = 0;
    for (uint32_t first = one + 1; first < points->count; first += VXE_VECTOR) {
        const uint32_t left = points->count - first;
        const uint32_t lanes = left < VXE_VECTOR ? left : VXE_VECTOR;
        vxe_real apart[VXE_VECTOR];
        vxe_real closest = HUGE_VAL;
#pragma omp simd reduction(min : closest)
        for (uint32_t i = 0; i < lanes; i++) {
            const vxe_real dx = points->x[0][first + i] - at[0];
            const vxe_real dy = points->x[1][first + i] - at[1];
            const vxe_real dz = points->x[2][first + i] - at[2];
            apart[i] = vxe_fma(dx, dx, vxe_fma(dy, dy, dz * dz));
            closest = apart[i] < closest ? apart[i] : closest;
        }
        for (uint32_t i = 0; i < lanes && closest < reach2; i++) {
            found[count] = first + i;
            count += apart[i] < reach2;
        }
    }
    return count;
}

#endif

extern const vxe_voxelyze_kernels VXE_VARIANT(vxe_voxelyze_kernels);

const vxe_voxelyze_kernels VXE_VARIANT(vxe_voxelyze_kernels) = {
    .run = {{voxelyze_x, voxelyze_y, voxelyze_z}, {evosoro_x, evosoro_y, evosoro_z}},
    .advance = advance,
    .resize = resize,
    .fastest = fastest,
    .near = near};
