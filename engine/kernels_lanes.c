/* SPDX-License-Identifier: MIT */
/* See lane_kernels_internal.h. This file is compiled once per instruction set and precision, see
   real_internal.h; VXE_LANES is the number of robots in a vector. */
#include <stddef.h>
#include <string.h>

#include "engine/bond_action_internal.h"
#include "engine/lane_kernels_internal.h"
#include "engine/voxel_law_internal.h"
#include "lattice/design.h"

#define LANES ((ptrdiff_t)VXE_LANES)

/* A group's arrays by their type. */
typedef struct lane_fields {
    vxe_real *restrict state;
    vxe_real *restrict carried;
    vxe_real *restrict pull;
    const vxe_real *restrict rows;
    const vxe_real *restrict kinds;
    const vxe_real *restrict waves;
    const vxe_real *restrict numbers;
    vxe_real share;
} lane_fields;

/* What acts on a voxel from its own bonds, and then altogether. */
typedef struct sums {
    vxe_real at[6][VXE_LANES];
    vxe_real failed[VXE_LANES]; /* how many of the bonds */
} sums;

VXE_INLINE vxe_real *voxel_at(const lane_fields *g, uint32_t voxel)
{
    return g->state + (ptrdiff_t)voxel * (VXE_LANE_FIELDS * LANES);
}

VXE_INLINE vxe_lane3 field3(const vxe_real *voxel, int field, ptrdiff_t lane)
{
    return (vxe_lane3){voxel[field * LANES + lane], voxel[(field + 1) * LANES + lane],
                       voxel[(field + 2) * LANES + lane]};
}

VXE_INLINE vxe_lane4 orientation(const vxe_real *voxel, ptrdiff_t lane)
{
    const vxe_real *q = voxel + VXE_LANE_Q * LANES + lane;
    return (vxe_lane4){q[0], q[LANES], q[2 * LANES], q[3 * LANES]};
}

VXE_INLINE vxe_real number(const lane_fields *g, int which, ptrdiff_t lane)
{
    return g->numbers[which * LANES + lane];
}

VXE_INLINE vxe_chord lane_chord(int axis, int law, const lane_fields *g, const vxe_real *lo,
                                const vxe_real *hi, ptrdiff_t lane)
{
    vxe_chord chord = {.r = lane_sub(field3(hi, VXE_LANE_X, lane), field3(lo, VXE_LANE_X, lane))};
    if (law & LAW_ELASTIC) {
        const vxe_real swell =
            R(0.5) * (lo[VXE_LANE_SWELL * LANES + lane] + hi[VXE_LANE_SWELL * LANES + lane]);
        const vxe_real edge = number(g, VXE_LANE_EDGE, lane);
        chord.length = edge + swell;
        chord.excess = (component(axis, chord.r) - edge) - swell;
    }
#ifdef VXE_MIXED
    const vxe_lane3 low =
        lane_sub(field3(hi, VXE_LANE_X_LOW, lane), field3(lo, VXE_LANE_X_LOW, lane));
    chord.r = lane_add_scaled(chord.r, 1, low);
    chord.excess += component(axis, low) - number(g, VXE_LANE_EDGE + 1, lane);
#endif
    return chord;
}

VXE_INLINE vxe_bond_action lane_bond(int axis, int law, const lane_fields *g, const vxe_real *lo,
                                     const vxe_real *hi, const vxe_real *k, ptrdiff_t lane,
                                     vxe_real *failed)
{
    const vxe_real axial = k[VXE_AXIAL * LANES + lane];
    const vxe_real dash = g->share * k[VXE_DASH_AXIAL * LANES + lane];
    const vxe_springs springs = {axial, number(g, VXE_LANE_RATIO, lane) * axial,
                                 k[VXE_TORSION * LANES + lane],
                                 number(g, VXE_LANE_RATIO + 1, lane) * axial, 0};
    const vxe_dashes dashes = {dash, number(g, VXE_LANE_RATIO + 2, lane) * dash,
                               g->share * k[VXE_DASH_TORSION * LANES + lane],
                               number(g, VXE_LANE_RATIO + 3, lane) * dash};
    const vxe_real some = law & LAW_ELASTIC ? axial : k[VXE_DASH_AXIAL * LANES + lane];
    vxe_bond_ends ends = {.chord = lane_chord(axis, law, g, lo, hi, lane),
                          .q1 = orientation(lo, lane),
                          .q2 = orientation(hi, lane),
                          .exists = -(vxe_real_mask)(some > 0)};
    if (law & LAW_DAMP) {
        ends.dv = lane_sub(field3(hi, VXE_LANE_V, lane), field3(lo, VXE_LANE_V, lane));
        ends.w1 = field3(lo, VXE_LANE_W, lane);
        ends.w2 = field3(hi, VXE_LANE_W, lane);
    }
    const vxe_bond_action act = beam_action(axis, law, &ends, springs, dashes, failed);
    *failed = keep_bits(*failed, ends.exists);
    return act;
}

/* Pointers of a voxel's bonds. */
typedef struct bond_places {
    const vxe_real *lo;
    const vxe_real *hi[3];
    const vxe_real *k[3];
    vxe_real *pull[3];
} bond_places;

/* What a voxel's own bonds do to it, and whether one failed. */
typedef struct own_sum {
    vxe_lane3 force;
    vxe_lane3 moment;
    vxe_real failed;
} own_sum;

VXE_INLINE void pull_upper(const vxe_bond_action *act, vxe_real *pull, ptrdiff_t lane)
{
    pull[lane] -= act->force.x;
    pull[LANES + lane] -= act->force.y;
    pull[2 * LANES + lane] -= act->force.z;
    pull[3 * LANES + lane] += act->a.x - act->b.x;
    pull[4 * LANES + lane] += act->a.y - act->b.y;
    pull[5 * LANES + lane] += act->a.z - act->b.z;
}

VXE_INLINE own_sum with_bond(int axis, int law, const lane_fields *g, const bond_places *at,
                             ptrdiff_t lane, own_sum sum)
{
    vxe_real failed = 0;
    const vxe_bond_action act =
        lane_bond(axis, law, g, at->lo, at->hi[axis], at->k[axis], lane, &failed);
    pull_upper(&act, at->pull[axis], lane);
    sum.force = lane_add_scaled(sum.force, 1, act.force);
    sum.moment.x += act.a.x + act.b.x;
    sum.moment.y += act.a.y + act.b.y;
    sum.moment.z += act.a.z + act.b.z;
    sum.failed += failed;
    return sum;
}

/* The bonds of one lane in z, y and x, as far as axes has their bit. */
VXE_INLINE own_sum lane_bonds(int axes, int law, const lane_fields *g, const bond_places *at,
                              ptrdiff_t lane)
{
    own_sum sum = {{0, 0, 0}, {0, 0, 0}, 0};
    if (axes & 4) {
        sum = with_bond(2, law, g, at, lane, sum);
    }
    if (axes & 2) {
        sum = with_bond(1, law, g, at, lane, sum);
    }
    if (axes & 1) {
        sum = with_bond(0, law, g, at, lane, sum);
    }
    return sum;
}

/* A voxel's own bonds of axes into own, which is written. */
VXE_INLINE void bonds_of(int axes, int law, const lane_fields *g, const bond_places *at, sums *own)
{
    vxe_real *restrict into = &own->at[0][0];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const own_sum sum = lane_bonds(axes, law, g, at, lane);
        into[lane] = sum.force.x;
        into[LANES + lane] = sum.force.y;
        into[2 * LANES + lane] = sum.force.z;
        into[3 * LANES + lane] = sum.moment.x;
        into[4 * LANES + lane] = sum.moment.y;
        into[5 * LANES + lane] = sum.moment.z;
        into[6 * LANES + lane] = sum.failed;
    }
}

VXE_INLINE void any_bonds(uint32_t axes, int law, const lane_fields *g, const bond_places *at,
                          sums *own)
{
    switch (axes) {
    case 1:
        bonds_of(1, law, g, at, own);
        break;
    case 2:
        bonds_of(2, law, g, at, own);
        break;
    case 3:
        bonds_of(3, law, g, at, own);
        break;
    case 4:
        bonds_of(4, law, g, at, own);
        break;
    case 5:
        bonds_of(5, law, g, at, own);
        break;
    case 6:
        bonds_of(6, law, g, at, own);
        break;
    case 7:
        bonds_of(7, law, g, at, own);
        break;
    default:
        memset(own, 0, sizeof *own);
    }
}

static bool any_positive(const vxe_real *values)
{
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        any |= values[lane] > 0;
    }
    return any != 0;
}

/* Everything about a voxel that its lanes read and write behind the bonds. */
typedef struct voxel_places {
    vxe_real *restrict voxel;
    vxe_real *restrict carried;
    vxe_real *restrict pull;
    const vxe_real *restrict kind;
    const vxe_real *restrict waves;
    const vxe_real *restrict numbers;
    const vxe_real *restrict h;
    const vxe_real *restrict own;
} voxel_places;

typedef struct rates {
    vxe_lane3 v;
    vxe_lane3 w;
} rates;

VXE_INLINE vxe_place z_of(const vxe_real *voxel, ptrdiff_t lane)
{
    vxe_place z = {.high = voxel[(VXE_LANE_X + 2) * LANES + lane]};
#ifdef VXE_MIXED
    z.low = voxel[(VXE_LANE_X_LOW + 2) * LANES + lane];
#endif
    return z;
}

VXE_INLINE vxe_real depth_of(const vxe_real *voxel, const vxe_real *numbers, ptrdiff_t lane)
{
    vxe_place level = {.high = numbers[VXE_LANE_LEVEL * LANES + lane]};
#ifdef VXE_MIXED
    level.low = numbers[(VXE_LANE_LEVEL + 1) * LANES + lane];
#endif
    return floor_depth(level, z_of(voxel, lane), voxel[VXE_LANE_SWELL * LANES + lane]);
}

static bool touches(const vxe_real *restrict voxel, const vxe_real *restrict numbers)
{
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        any |= (depth_of(voxel, numbers, lane) > 0) | (voxel[VXE_LANE_STUCK * LANES + lane] > 0);
    }
    return any != 0;
}

VXE_INLINE vxe_real kind_value(const voxel_places *at, int which, ptrdiff_t lane)
{
    return at->kind[which * LANES + lane];
}

/* The sum of a voxel's bonds, and of what else acts on it but the floor. */
VXE_INLINE rates total_force(uint32_t flags, const voxel_places *at, ptrdiff_t lane)
{
    rates sum = {field3(at->own, 0, lane), field3(at->own, 3, lane)};
    sum.v = lane_add_scaled(sum.v, 1, field3(at->pull, 0, lane));
    sum.w = lane_add_scaled(sum.w, 1, field3(at->pull, 3, lane));
    if (flags & VXE_KICK_EXTERNAL) {
        sum.v = lane_add_scaled(sum.v, kind_value(at, VXE_LANE_MASS, lane),
                                field3(at->numbers, VXE_LANE_GRAVITY, lane));
    }
    if (flags & VXE_KICK_EXPLICIT_DRAG) {
        sum.v = lane_add_scaled(sum.v, -kind_value(at, VXE_LANE_DRAG, lane),
                                field3(at->voxel, VXE_LANE_V, lane));
        sum.w = lane_add_scaled(sum.w, -kind_value(at, VXE_LANE_SPIN_DRAG, lane),
                                field3(at->voxel, VXE_LANE_W, lane));
    }
    return sum;
}

/* The floor's push, and what friction needs of it. */
VXE_INLINE vxe_real push_of_floor(uint32_t flags, const voxel_places *at, vxe_real depth,
                                  ptrdiff_t lane)
{
    const vxe_floor_push push = floor_push(
        depth, kind_value(at, VXE_LANE_FLOOR_STIFFNESS, lane),
        kind_value(at, VXE_LANE_FLOOR_DASHPOT, lane), at->voxel[(VXE_LANE_V + 2) * LANES + lane],
        flags & VXE_KICK_EXPLICIT_DRAG ? R(1) : R(0), 0, at->h[lane]);
    at->carried[VXE_LANE_IMPULSE * LANES + lane] = push.impulse;
    at->carried[VXE_LANE_BEFORE * LANES + lane] = at->voxel[VXE_LANE_V * LANES + lane];
    at->carried[(VXE_LANE_BEFORE + 1) * LANES + lane] = at->voxel[(VXE_LANE_V + 1) * LANES + lane];
    return push.force;
}

VXE_INLINE rates kicked(uint32_t flags, const voxel_places *at, rates force, ptrdiff_t lane)
{
    const vxe_real *base = flags & VXE_KICK_FROM_KEPT ? at->carried + VXE_LANE_KEPT * LANES
                                                      : at->voxel + VXE_LANE_V * LANES;
    const vxe_real by_mass = at->h[lane] * kind_value(at, VXE_LANE_INVERSE_MASS, lane);
    const vxe_real by_inertia = at->h[lane] * kind_value(at, VXE_LANE_INVERSE_INERTIA, lane);
    return (rates){lane_add_scaled(field3(base, 0, lane), by_mass, force.v),
                   lane_add_scaled(field3(base, 3, lane), by_inertia, force.w)};
}

/* Half a step of exact decay. */
VXE_INLINE rates decayed(int touching, const voxel_places *at, rates rate, vxe_real depth,
                         ptrdiff_t lane)
{
    const vxe_real inverse = kind_value(at, VXE_LANE_INVERSE_MASS, lane);
    rate.v = lane_scaled(kind_value(at, VXE_LANE_DRAG_DECAY, lane), rate.v);
    rate.w = lane_scaled(kind_value(at, VXE_LANE_SPIN_DECAY, lane), rate.w);
    if (touching) {
        const vxe_floor_decay by_floor = floor_decayed(
            depth, kind_value(at, VXE_LANE_FLOOR_STIFFNESS, lane),
            kind_value(at, VXE_LANE_FLOOR_DECAY, lane), kind_value(at, VXE_LANE_MASS, lane),
            inverse, rate.v.z, 0, R(0.5) * at->numbers[VXE_LANE_STEP * LANES + lane]);
        rate.v.z = by_floor.vz;
        at->carried[VXE_LANE_IMPULSE * LANES + lane] += by_floor.impulse;
    }
    return rate;
}

VXE_INLINE rates rubbed(const voxel_places *at, rates rate, vxe_real depth, ptrdiff_t lane)
{
    vxe_real *stuck = at->voxel + VXE_LANE_STUCK * LANES;
    const vxe_slide slide =
        friction_slide(depth, at->carried[VXE_LANE_IMPULSE * LANES + lane],
                       kind_value(at, VXE_LANE_MASS, lane),
                       kind_value(at, VXE_LANE_STATIC_FRICTION, lane),
                       kind_value(at, VXE_LANE_DYNAMIC_FRICTION, lane), rate.v.x, rate.v.y,
                       at->carried[VXE_LANE_BEFORE * LANES + lane],
                       at->carried[(VXE_LANE_BEFORE + 1) * LANES + lane], stuck[lane]);
    stuck[lane] = slide.stuck;
    rate.v.x *= slide.factor;
    rate.v.y *= slide.factor;
    return rate;
}

VXE_INLINE void put3(vxe_real *array, int field, ptrdiff_t lane, vxe_lane3 value)
{
    array[field * LANES + lane] = value.x;
    array[(field + 1) * LANES + lane] = value.y;
    array[(field + 2) * LANES + lane] = value.z;
}

VXE_INLINE void move_coordinate(const voxel_places *at, int c, vxe_real v, ptrdiff_t lane)
{
    vxe_place place = {.high = at->voxel[(VXE_LANE_X + c) * LANES + lane]};
#ifdef VXE_MIXED
    place.low = at->voxel[(VXE_LANE_X_LOW + c) * LANES + lane];
#endif
    const vxe_place moved = place_moved(place, at->numbers[VXE_LANE_STEP * LANES + lane], v);
    at->voxel[(VXE_LANE_X + c) * LANES + lane] = moved.high;
#ifdef VXE_MIXED
    at->voxel[(VXE_LANE_X_LOW + c) * LANES + lane] = moved.low;
#endif
}

VXE_INLINE void drift(const voxel_places *at, rates rate, ptrdiff_t lane)
{
    vxe_real *q = at->voxel + VXE_LANE_Q * LANES + lane;
    move_coordinate(at, 0, rate.v.x, lane);
    move_coordinate(at, 1, rate.v.y, lane);
    move_coordinate(at, 2, rate.v.z, lane);
    const vxe_turned before = {q[0], q[LANES], q[2 * LANES], q[3 * LANES]};
    const vxe_turned after = turned(before, rate.w.x, rate.w.y, rate.w.z,
                                    R(0.5) * at->numbers[VXE_LANE_STEP * LANES + lane]);
    q[0] = after.w;
    q[LANES] = after.x;
    q[2 * LANES] = after.y;
    q[3 * LANES] = after.z;
}

/* All that happens to a voxel behind its bonds, of one lane; flags, acts and touching are constants.
 */
VXE_INLINE void move_lane(uint32_t flags, uint32_t acts, int touching, const voxel_places *at,
                          ptrdiff_t lane)
{
    const vxe_real depth = touching ? depth_of(at->voxel, at->numbers, lane) : R(0);
    rates force = total_force(flags, at, lane);
    if ((flags & VXE_KICK_FLOOR) && touching) {
        force.v.z += push_of_floor(flags, at, depth, lane);
    }
    rates rate = kicked(flags, at, force, lane);
    if (acts & VXE_ACT_DECAY) {
        rate = decayed(touching, at, rate, depth, lane);
    }
    if (acts & VXE_ACT_KEEP) {
        put3(at->carried, VXE_LANE_KEPT, lane, rate.v);
        put3(at->carried, VXE_LANE_KEPT + 3, lane, rate.w);
    }
    if ((acts & VXE_ACT_FRICTION) && touching) {
        rate = rubbed(at, rate, depth, lane);
    }
    put3(at->voxel, VXE_LANE_V, lane, rate.v);
    put3(at->voxel, VXE_LANE_W, lane, rate.w);
    if (acts & VXE_ACT_DRIFT) {
        drift(at, rate, lane);
    }
    put3(at->pull, 0, lane, (vxe_lane3){0, 0, 0});
    put3(at->pull, 3, lane, (vxe_lane3){0, 0, 0});
}

VXE_INLINE void move_lanes(uint32_t flags, uint32_t acts, int touching, const voxel_places *at)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        move_lane(flags, acts, touching, at, lane);
    }
}

/* The passes that a step is made of: the whole step with explicit dashpots; the springs, a sweep,
 * and the last sweep, with implicit ones. */
#define END (VXE_ACT_FRICTION | VXE_ACT_DRIFT | VXE_ACT_RESIZE)
enum {
    WHOLE_FLAGS = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR | VXE_KICK_EXPLICIT_DRAG,
    WHOLE_ACTS = END,
    SPRINGS_FLAGS = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR,
    SPRINGS_ACTS = VXE_ACT_DECAY | VXE_ACT_KEEP,
    SWEEP_FLAGS = VXE_KICK_FROM_KEPT,
    LAST_ACTS = VXE_ACT_DECAY | END
};

static void move_touching(const vxe_lane_pass *pass, const voxel_places *at)
{
    if (pass->kick_flags == WHOLE_FLAGS) {
        move_lanes(WHOLE_FLAGS, WHOLE_ACTS, 1, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS) {
        move_lanes(SPRINGS_FLAGS, SPRINGS_ACTS, 1, at);
    } else if (pass->acts & VXE_ACT_DRIFT) {
        move_lanes(SWEEP_FLAGS, LAST_ACTS, 1, at);
    } else {
        move_lanes(SWEEP_FLAGS, 0, 0, at);
    }
}

static void move_free(const vxe_lane_pass *pass, const voxel_places *at)
{
    if (pass->kick_flags == WHOLE_FLAGS) {
        move_lanes(WHOLE_FLAGS, WHOLE_ACTS, 0, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS) {
        move_lanes(SPRINGS_FLAGS, SPRINGS_ACTS, 0, at);
    } else if (pass->acts & VXE_ACT_DRIFT) {
        move_lanes(SWEEP_FLAGS, LAST_ACTS, 0, at);
    } else {
        move_lanes(SWEEP_FLAGS, 0, 0, at);
    }
}

static void resize(const voxel_places *at)
{
    const vxe_real *restrict sine = at->numbers + VXE_LANE_SINE * LANES;
    const vxe_real *restrict cosine = at->numbers + VXE_LANE_COSINE * LANES;
    const vxe_real *restrict waves = at->waves;
    vxe_real *restrict swell = at->voxel + VXE_LANE_SWELL * LANES;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        swell[lane] = swelled(waves[lane], waves[LANES + lane], sine[lane], cosine[lane]);
    }
}

static void move_voxel(vxe_lane_group *group, const lane_fields *g, const vxe_lane_pass *pass,
                       uint32_t index, const sums *own)
{
    vxe_real here[VXE_LANE_CARRIED * VXE_LANES];
    const ptrdiff_t at_index = (ptrdiff_t)index;
    const voxel_places at = {
        .voxel = voxel_at(g, index),
        .carried = g->carried ? g->carried + at_index * (VXE_LANE_CARRIED * LANES) : here,
        .pull = g->pull + (ptrdiff_t)(index & group->pull_mask) * (6 * LANES),
        .kind = g->kinds + (ptrdiff_t)group->voxel[index].kind * (VXE_LANE_KIND_VALUES * LANES),
        .waves = g->waves ? g->waves + at_index * (2 * LANES) : NULL,
        .numbers = g->numbers,
        .h = pass->h,
        .own = &own->at[0][0]};
    if (pass->kick_flags & VXE_KICK_FLOOR) {
        group->touching[index] = touches(at.voxel, at.numbers);
    }
    if (group->touching[index]) {
        move_touching(pass, &at);
    } else {
        move_free(pass, &at);
    }
    if ((pass->acts & VXE_ACT_RESIZE) && g->waves) {
        resize(&at);
    }
}

/* Which bond of the voxel failed, lane by lane, where none has failed before: axis by axis again,
 * with the pulls thrown away. */
VXE_INLINE uint32_t note_failures(int law, vxe_lane_group *group, const lane_fields *g,
                                  const bond_places *places, uint32_t axes, uint32_t index,
                                  uint32_t known)
{
    uint32_t failed_lanes = known;
    vxe_real away[6 * VXE_LANES];
    bond_places at = *places;
    at.pull[0] = at.pull[1] = at.pull[2] = away;
    for (uint32_t axis = 0; axis < 3; axis++) {
        sums single;
        memset(away, 0, sizeof away);
        any_bonds(axes & 1u << axis, law, g, &at, &single);
        for (uint32_t lane = 0; lane < VXE_LANES; lane++) {
            if (single.failed[lane] > 0 && !(failed_lanes >> lane & 1)) {
                group->failure[lane] = (vxe_lane_failure){index, axis};
                failed_lanes |= 1u << lane;
            }
        }
    }
    return failed_lanes;
}

VXE_INLINE uint32_t run_pass(int law, vxe_lane_group *group, const vxe_lane_pass *pass)
{
    const lane_fields g = {.state = group->state,
                           .carried = group->carried,
                           .pull = group->pull,
                           .rows = group->rows,
                           .kinds = group->kinds,
                           .waves = group->waves,
                           .numbers = group->numbers,
                           .share = law & LAW_ELASTIC ? (vxe_real)group->dash_share : R(1)};
    uint32_t failed = 0;
    for (uint32_t index = 0; index < group->voxels; index++) {
        const vxe_lane_voxel *voxel = &group->voxel[index];
        bond_places at = {.lo = voxel_at(&g, index)};
        uint32_t axes = 0;
        for (int axis = 0; axis < 3; axis++) {
            const bool exists = voxel->up[axis] != VXE_NONE;
            const uint32_t up = exists ? voxel->up[axis] : index;
            axes |= (uint32_t)exists << axis;
            at.hi[axis] = voxel_at(&g, up);
            at.k[axis] =
                g.rows + (ptrdiff_t)voxel->row[axis] * (VXE_PROPORTIONAL_VALUES * LANES);
            at.pull[axis] = g.pull + (ptrdiff_t)(up & group->pull_mask) * (6 * LANES);
        }
        sums own;
        any_bonds(axes, law, &g, &at, &own);
        if ((law & LAW_ELASTIC) && any_positive(own.failed)) {
            failed = note_failures(law, group, &g, &at, axes, index, failed);
        }
        move_voxel(group, &g, pass, index, &own);
    }
    return failed;
}

static uint32_t pass_of(vxe_lane_group *group, const vxe_lane_pass *pass)
{
    switch (pass->kernel) {
    case VXE_BOND_ELASTIC:
        return run_pass(LAW_ELASTIC, group, pass);
    case VXE_BOND_EXPLICIT:
        return run_pass(LAW_ELASTIC | LAW_DAMP, group, pass);
    case VXE_BOND_EXPLICIT_EVEN:
        return run_pass(LAW_ELASTIC | LAW_DAMP | LAW_EVEN, group, pass);
    case VXE_BOND_DAMP:
        return run_pass(LAW_DAMP, group, pass);
    default:
        return run_pass(LAW_DAMP | LAW_EVEN, group, pass);
    }
}

static void resize_all(vxe_lane_group *group)
{
    for (uint32_t index = 0; index < group->voxels && group->waves; index++) {
        const ptrdiff_t at_index = (ptrdiff_t)index;
        const voxel_places at = {
            .voxel = (vxe_real *)group->state + at_index * (VXE_LANE_FIELDS * LANES),
            .waves = (const vxe_real *)group->waves + at_index * (2 * LANES),
            .numbers = group->numbers};
        resize(&at);
    }
}

extern const vxe_lane_kernels VXE_VARIANT(vxe_lane_kernels);

const vxe_lane_kernels VXE_VARIANT(vxe_lane_kernels) = {
    .lanes = VXE_LANES, .pass = pass_of, .resize = resize_all};
