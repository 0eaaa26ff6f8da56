/* SPDX-License-Identifier: MIT */
/* See lane_kernels_internal.h. This file is compiled once per instruction set and precision, see
   real_internal.h; VXE_LANES is the number of robots in a vector. */
#include <stddef.h>
#include <string.h>

#include "engine/bond_action_internal.h"
#include "engine/lane_moves_internal.h"
#include "lattice/design.h"

/* A group's arrays by their type. */
typedef struct lane_fields {
    vxe_real *restrict state;
    vxe_real *restrict carried;
    vxe_real *restrict pull;
    const vxe_real *restrict rows;
    const vxe_real *restrict kinds;
    const vxe_real *restrict numbers;
    vxe_real share;
} lane_fields;

/* What a voxel's own bonds do to it: force, moment, and in the last row how many of them failed. */
enum { FAILED = 6 };
typedef struct sums {
    vxe_real at[(FAILED + 1) * VXE_LANES];
} sums;

VXE_INLINE vxe_real *voxel_at(const lane_fields *g, uint32_t voxel)
{
    return g->state + (ptrdiff_t)voxel * (VXE_LANE_FIELDS * LANES);
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
    const vxe_real torsion =
        law & LAW_EVEN ? number(g, VXE_LANE_TORSION, lane) * axial : k[VXE_TORSION * LANES + lane];
    const vxe_real dash_torsion = law & LAW_EVEN ? number(g, VXE_LANE_DASH_TORSION, lane) * dash
                                                 : g->share * k[VXE_DASH_TORSION * LANES + lane];
    const vxe_springs springs = {axial,   number(g, VXE_LANE_SHEAR, lane) * axial,
                                 torsion, number(g, VXE_LANE_BENDING, lane) * axial,
                                 0,       0};
    const vxe_dashes dashes = {dash, number(g, VXE_LANE_DASH_SHEAR, lane) * dash, dash_torsion,
                               number(g, VXE_LANE_DASH_BENDING, lane) * dash};
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
    vxe_bond_geometry geometry;
    if (law & LAW_ELASTIC) {
        return beam_action(axis, law, &ends, springs, dashes, &geometry, failed);
    }
    const vxe_mid_frame frame = mid_frame(axis, ends.q1, ends.q2, ends.exists);
    geometry = (vxe_bond_geometry){lane_scaled(R(0.5), ends.chord.r), frame.axis};
    return damp_action(law, &geometry, &ends, dashes);
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
    put3(pull, 0, lane, lane_sub(field3(pull, 0, lane), act->force));
    put3(pull, 3, lane, lane_add_scaled(field3(pull, 3, lane), 1, lane_sub(act->a, act->b)));
}

VXE_INLINE own_sum with_bond(int axis, int law, const lane_fields *g, const bond_places *at,
                             ptrdiff_t lane, own_sum sum)
{
    vxe_real failed = 0;
    const vxe_bond_action act =
        lane_bond(axis, law, g, at->lo, at->hi[axis], at->k[axis], lane, &failed);
    pull_upper(&act, at->pull[axis], lane);
    sum.force = lane_add_scaled(sum.force, 1, act.force);
    sum.moment = lane_add_scaled(sum.moment, 1, lane_add_scaled(act.a, 1, act.b));
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
    vxe_real *restrict into = own->at;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const own_sum sum = lane_bonds(axes, law, g, at, lane);
        into[lane] = sum.force.x;
        into[LANES + lane] = sum.force.y;
        into[2 * LANES + lane] = sum.force.z;
        into[3 * LANES + lane] = sum.moment.x;
        into[4 * LANES + lane] = sum.moment.y;
        into[5 * LANES + lane] = sum.moment.z;
        into[FAILED * LANES + lane] = sum.failed;
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

/* What contacts do to a voxel is one more pull. */
static void add_load(vxe_real *restrict pull, const vxe_real *restrict load)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < 6 * LANES; i++) {
        pull[i] += load[i];
    }
}

static void move_voxel(vxe_lane_group *group, const lane_fields *g, const vxe_lane_pass *pass,
                       uint32_t index, const sums *own)
{
    vxe_real here[VXE_LANE_CARRIED * VXE_LANES];
    const ptrdiff_t at_index = (ptrdiff_t)index;
    vxe_real *ground =
        group->ground ? (vxe_real *)group->ground + at_index * (VXE_LANE_TOUCH * LANES) : NULL;
    const voxel_places at = {
        .voxel = voxel_at(g, index),
        .carried = g->carried ? g->carried + at_index * (VXE_LANE_CARRIED * LANES) : here,
        .pull = g->pull + (ptrdiff_t)(index & group->pull_mask) * (6 * LANES),
        .kind = g->kinds + (ptrdiff_t)group->voxel[index].kind * (VXE_LANE_KIND_VALUES * LANES),
        .ground = ground,
        .numbers = g->numbers,
        .h = pass->h,
        .own = own->at};
    if ((pass->kick_flags & VXE_KICK_EXTERNAL) && group->load && group->loaded[index]) {
        add_load(at.pull, (const vxe_real *)group->load + at_index * (6 * LANES));
    }
    if (pass->kick_flags & VXE_KICK_FLOOR) {
        group->touching[index] = touches(at.voxel, at.numbers);
    }
    if ((pass->kick_flags & VXE_KICK_FLOOR) && ground && group->touching[index]) {
        feel_ground(group, at.voxel, ground);
    }
    if (group->touching[index] && ground) {
        move_by_pass(GROUND, pass, group, &at);
    } else if (group->touching[index]) {
        move_by_pass(LEVEL_FLOOR, pass, group, &at);
    } else {
        move_by_pass(CLEAR, pass, group, &at);
    }
    if ((pass->acts & VXE_ACT_RESIZE) && (group->waves || group->sizes)) {
        resize(group, at_index, at.voxel + VXE_LANE_SWELL * LANES);
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
            if (single.at[FAILED * LANES + lane] > 0 && !(failed_lanes >> lane & 1)) {
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
                           .numbers = group->numbers,
                           .share = law & LAW_ELASTIC ? (vxe_real)group->dash_share : R(1)};
    const ptrdiff_t row_values = law & LAW_EVEN ? VXE_EVEN_VALUES : VXE_PROPORTIONAL_VALUES;
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
            at.k[axis] = g.rows + (ptrdiff_t)voxel->row[axis] * (row_values * LANES);
            at.pull[axis] = g.pull + (ptrdiff_t)(up & group->pull_mask) * (6 * LANES);
        }
        sums own;
        any_bonds(axes, law, &g, &at, &own);
        if ((law & LAW_ELASTIC) && any_positive(own.at + FAILED * LANES)) {
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
    case VXE_BOND_ELASTIC_EVEN:
        return run_pass(LAW_ELASTIC | LAW_EVEN, group, pass);
    case VXE_BOND_EXPLICIT:
    case VXE_BOND_SWEPT:
        return run_pass(LAW_ELASTIC | LAW_DAMP, group, pass);
    case VXE_BOND_EXPLICIT_EVEN:
    case VXE_BOND_SWEPT_EVEN:
        return run_pass(LAW_ELASTIC | LAW_DAMP | LAW_EVEN, group, pass);
    case VXE_BOND_DAMP:
        return run_pass(LAW_DAMP, group, pass);
    default:
        return run_pass(LAW_DAMP | LAW_EVEN, group, pass);
    }
}

static void resize_all(vxe_lane_group *group)
{
    for (uint32_t index = 0; index < group->voxels && (group->waves || group->sizes); index++) {
        vxe_real *voxel = (vxe_real *)group->state + (ptrdiff_t)index * (VXE_LANE_FIELDS * LANES);
        resize(group, (ptrdiff_t)index, voxel + VXE_LANE_SWELL * LANES);
    }
}

/* most = max(most, |a|^2) of a vector's three fields. */
static void grow_square(vxe_real *restrict most, const vxe_real *restrict a)
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        const vxe_real x = a[lane];
        const vxe_real y = a[LANES + lane];
        const vxe_real z = a[2 * LANES + lane];
        const vxe_real square = vxe_fma(x, x, vxe_fma(y, y, z * z));
        most[lane] = square > most[lane] ? square : most[lane];
    }
}

static void pace(vxe_lane_group *group, vxe_pace *paces)
{
    vxe_real moved[VXE_LANES] = {0};
    vxe_real turned_by[VXE_LANES] = {0};
    vxe_real grown[VXE_LANES] = {0};
    for (uint32_t index = 0; index < group->voxels; index++) {
        const vxe_real *now =
            (const vxe_real *)group->state + (ptrdiff_t)index * (VXE_LANE_FIELDS * LANES);
        vxe_real *restrict kept = (vxe_real *)group->kept_swell + (ptrdiff_t)index * LANES;
        const vxe_real *restrict swell = now + VXE_LANE_SWELL * LANES;
        grow_square(moved, now + VXE_LANE_V * LANES);
        grow_square(turned_by, now + VXE_LANE_W * LANES);
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const vxe_real more = swell[lane] - kept[lane];
            grown[lane] = more > grown[lane] ? more : grown[lane];
            kept[lane] = swell[lane];
        }
    }
    for (uint32_t lane = 0; lane < VXE_LANES; lane++) {
        paces[lane] = (vxe_pace){sqrt((double)moved[lane]), sqrt((double)turned_by[lane]),
                                 (double)grown[lane]};
    }
}

extern const vxe_lane_kernels VXE_VARIANT(vxe_lane_kernels);

const vxe_lane_kernels VXE_VARIANT(vxe_lane_kernels) = {
    .lanes = VXE_LANES, .pass = pass_of, .pace = pace, .resize = resize_all};
