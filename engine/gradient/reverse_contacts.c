/* SPDX-License-Identifier: MIT */
/* Contacts of a step backwards. The pairs of all lanes are gathered into batches, computed side by
   side, and added to their voxels one by one in the order of the list, in which those of a lane
   follow each other: a robot's sums have one order, whatever runs beside it.

   This file is compiled once per instruction set and precision, see real.h. */
#include <string.h>

#include "engine/contact/penalty_adjoint_law.h"
#include "engine/gradient/reverse_lanes.h"

extern const vxe_reverse_contacts VXE_VARIANT(vxe_reverse_contacts);

/* Pairs that are computed side by side. */
#define WIDTH 16

/* m: larger than any overlap. */
#define ANY_OVERLAP R(1e30)

/* Numbers of one voxel of a pair. */
enum {
    OF_X,
    OF_X_LOW = OF_X + 3,
    OF_Q = OF_X_LOW + 3,
    OF_V = OF_Q + 4,
    OF_W = OF_V + 3,
    OF_GROWTH = OF_W + 3,
    OF_SIDED, /* 1 where a face is free and the one across is not */
    OF_MOVE,
    OF_INVERSE = OF_MOVE + 6, /* the rest are properties */
    OF_SOFTNESS,
    OF_DASHPOT,
    OF_STATIC_FRICTION,
    OF_DYNAMIC_FRICTION,
    OF_VOXEL
};

/* Numbers of a pair. */
enum {
    OF_KNOWN,
    OF_SHARE,
    OF_REST,
    OF_SHEAR,
    OF_BEHIND = OF_SHEAR + 3,
    OF_EDGE = OF_BEHIND + VXE_TOUCH_ADJOINTS,
    OF_STEP,
    OF_PAIR
};

/* What a pair gives back. */
enum {
    GOT_PLACE,
    GOT_V = GOT_PLACE + 3,
    GOT_TURN1 = GOT_V + 3,
    GOT_TURN2 = GOT_TURN1 + 3,
    GOT_SPIN = GOT_TURN2 + 3,
    GOT_GROWTH = GOT_SPIN + 3,
    GOT_BEFORE,
    GOT_SLOPES = GOT_BEFORE + VXE_TOUCH_ADJOINTS, /* mass, stiffness, dashpot, friction of both */
    GOT = GOT_SLOPES + 8
};

/* Pairs side by side. */
typedef struct touch_batch {
    vxe_real voxel[2][OF_VOXEL * WIDTH];
    vxe_real_mask faces[2][WIDTH];
    vxe_real pair[OF_PAIR * WIDTH];
    vxe_real got[GOT * WIDTH];
} touch_batch;

/* What kernels read and write, with its type. */
typedef struct contact_fields {
    const vxe_real *restrict now;
    const vxe_real *restrict numbers;
    const vxe_real *restrict keeps;
    const vxe_real *restrict moves;
    vxe_real *restrict adjoint;
    vxe_real *restrict by_voxel; /* null where not asked for */
} contact_fields;

/* Numbers of a voxel, or of a pair, in column i. */
VXE_INLINE vxe_vec3 column3(const vxe_real *restrict rows, int first, int i)
{
    return (vxe_vec3){rows[first * WIDTH + i], rows[(first + 1) * WIDTH + i],
                      rows[(first + 2) * WIDTH + i]};
}

VXE_INLINE void put_column3(vxe_real *restrict rows, int first, int i, vxe_vec3 of)
{
    rows[first * WIDTH + i] = of.x;
    rows[(first + 1) * WIDTH + i] = of.y;
    rows[(first + 2) * WIDTH + i] = of.z;
}

/* rest: its row of properties. */
static void take_voxel(const contact_fields *f, uint32_t at, uint32_t lane, const vxe_real *rest,
                       vxe_real into[OF_VOXEL * WIDTH], int i)
{
    const ptrdiff_t voxel = (ptrdiff_t)at;
    const vxe_real *now = f->now + voxel * (VXE_LANE_FIELDS * LANES) + lane;
    const vxe_real *move = f->moves + voxel * (6 * LANES) + lane;
    for (int c = 0; c < 3; c++) {
        into[(OF_X + c) * WIDTH + i] = now[(VXE_LANE_X + c) * LANES];
#ifdef VXE_MIXED
        into[(OF_X_LOW + c) * WIDTH + i] = now[(VXE_LANE_X_LOW + c) * LANES];
#else
        into[(OF_X_LOW + c) * WIDTH + i] = 0;
#endif
        into[(OF_V + c) * WIDTH + i] = now[(VXE_LANE_V + c) * LANES];
        into[(OF_W + c) * WIDTH + i] = now[(VXE_LANE_W + c) * LANES];
    }
    for (int c = 0; c < 4; c++) {
        into[(OF_Q + c) * WIDTH + i] = now[(VXE_LANE_Q + c) * LANES];
    }
    into[OF_GROWTH * WIDTH + i] = now[VXE_LANE_EDGE_GROWTH * LANES];
    for (int c = 0; c < 6; c++) {
        into[(OF_MOVE + c) * WIDTH + i] = move[c * LANES];
    }
    into[OF_INVERSE * WIDTH + i] = rest[VXE_REST_INVERSE];
    into[OF_SOFTNESS * WIDTH + i] = rest[VXE_REST_SOFTNESS];
    into[OF_DASHPOT * WIDTH + i] = rest[VXE_REST_DASHPOT];
    into[OF_STATIC_FRICTION * WIDTH + i] = rest[VXE_REST_STATIC_FRICTION];
    into[OF_DYNAMIC_FRICTION * WIDTH + i] = rest[VXE_REST_DYNAMIC_FRICTION];
}

/* Gathers a pair; in the first step it begins to push where it is. */
static void take_pair(const vxe_reverse_step *step, const contact_fields *f,
                      const vxe_reverse_touch *touch, touch_batch *into, int i)
{
    static const vxe_kept_contact nothing = {0};
    const bool known = touch->before != VXE_NONE;
    const vxe_kept_contact *before = known ? &step->touched[touch->before].kept : &nothing;
    for (int end = 0; end < 2; end++) {
        const vxe_real *rest =
            reals_const(step->contact_rows[touch->lane]) + (size_t)VXE_ROW * touch->place[end];
        take_voxel(f, touch->at[end], touch->lane, rest, into->voxel[end], i);
        into->faces[end][i] = touch->kept.faces[end];
        into->voxel[end][OF_SIDED * WIDTH + i] = one_sided(touch->kept.faces[end]);
    }
    into->pair[OF_KNOWN * WIDTH + i] = known ? R(1) : R(0);
    into->pair[OF_SHARE * WIDTH + i] = (vxe_real)before->share;
    into->pair[OF_REST * WIDTH + i] = step->opens ? ANY_OVERLAP : (vxe_real)before->rest;
    for (int c = 0; c < 3; c++) {
        into->pair[(OF_SHEAR + c) * WIDTH + i] = (vxe_real)before->shear[c];
    }
    for (int c = 0; c < VXE_TOUCH_ADJOINTS; c++) {
        into->pair[(OF_BEHIND + c) * WIDTH + i] = f->keeps[touch->lane] * (vxe_real)touch->by[c];
    }
    into->pair[OF_EDGE * WIDTH + i] = f->numbers[VXE_LANE_EDGE * LANES + touch->lane];
    into->pair[OF_STEP * WIDTH + i] = f->numbers[VXE_LANE_STEP * LANES + touch->lane];
}

VXE_INLINE vxe_contact_end end_of(const touch_batch *of, int end, int i)
{
    const vxe_real *rows = of->voxel[end];
    return (vxe_contact_end){.q = {rows[OF_Q * WIDTH + i], rows[(OF_Q + 1) * WIDTH + i],
                                   rows[(OF_Q + 2) * WIDTH + i], rows[(OF_Q + 3) * WIDTH + i]},
                             .v = column3(rows, OF_V, i),
                             .w = column3(rows, OF_W, i),
                             .faces = of->faces[end][i],
                             .were = of->faces[end][i],
                             .inverse = rows[OF_INVERSE * WIDTH + i],
                             .softness = rows[OF_SOFTNESS * WIDTH + i],
                             .dashpot = rows[OF_DASHPOT * WIDTH + i],
                             .static_friction = rows[OF_STATIC_FRICTION * WIDTH + i],
                             .dynamic_friction = rows[OF_DYNAMIC_FRICTION * WIDTH + i]};
}

/* What the properties of one voxel of a pair get. by: those of the pair. */
VXE_INLINE void put_slopes(touch_batch *into, int end, int i, vxe_contact_end one,
                           vxe_contact_end other, vxe_contact_adjoint by)
{
    const vxe_real k1 = 1 / into->voxel[end][OF_SOFTNESS * WIDTH + i];
    const vxe_real k2 = 1 / into->voxel[1 - end][OF_SOFTNESS * WIDTH + i];
    const vxe_real part = k1 + k2 > 0 ? 2 * k2 / (k1 + k2) : R(0); /* dk/dk1 = part^2/2 */
    const vxe_real sum = one.dashpot + other.dashpot;
    const vxe_real in_series = sum > 0 ? other.dashpot / sum : R(0);
    const vxe_real equal = one.dynamic_friction < other.dynamic_friction ? R(1) : R(0.5);
    const vxe_real is_smaller =
        one.dynamic_friction > other.dynamic_friction ? R(0) : equal; /* half where both are */
    into->got[(GOT_SLOPES + 4 * end) * WIDTH + i] = -by.inverse * one.inverse * one.inverse;
    into->got[(GOT_SLOPES + 4 * end + 1) * WIDTH + i] = R(0.5) * by.k * part * part;
    into->got[(GOT_SLOPES + 4 * end + 2) * WIDTH + i] = by.c * ROOT_OF_2 * in_series * in_series;
    into->got[(GOT_SLOPES + 4 * end + 3) * WIDTH + i] = by.mu_d * is_smaller;
}

/* Takes the pairs of a batch back. slopes: a constant here. */
VXE_INLINE void reverse_pairs(bool slopes, touch_batch *restrict of)
{
#pragma omp simd
    for (int i = 0; i < WIDTH; i++) {
        const vxe_contact_end one = end_of(of, 0, i);
        const vxe_contact_end two = end_of(of, 1, i);
        const vxe_vec3 r = vec_add(
            vec_sub(column3(of->voxel[1], OF_X, i), column3(of->voxel[0], OF_X, i)),
            vec_sub(column3(of->voxel[1], OF_X_LOW, i), column3(of->voxel[0], OF_X_LOW, i)));
        const vxe_real length = vxe_fma(
            R(0.5), of->voxel[0][OF_GROWTH * WIDTH + i] + of->voxel[1][OF_GROWTH * WIDTH + i],
            of->pair[OF_EDGE * WIDTH + i]);
        const vxe_touch_memory before = {
            of->pair[OF_KNOWN * WIDTH + i], of->pair[OF_SHARE * WIDTH + i],
            of->pair[OF_REST * WIDTH + i], 0, column3(of->pair, OF_SHEAR, i)};
        const vxe_touch_adjoint behind = {of->pair[(OF_BEHIND + VXE_BY_TOUCH_SHARE) * WIDTH + i],
                                          of->pair[(OF_BEHIND + VXE_BY_TOUCH_REST) * WIDTH + i],
                                          column3(of->pair, OF_BEHIND + VXE_BY_TOUCH_SHEAR, i)};
        const vxe_pair_sides sided = {of->voxel[0][OF_SIDED * WIDTH + i],
                                      of->voxel[1][OF_SIDED * WIDTH + i]};
        const vxe_pair_moves y = {
            vec_sub(column3(of->voxel[1], OF_MOVE, i), column3(of->voxel[0], OF_MOVE, i)),
            column3(of->voxel[0], OF_MOVE + 3, i), column3(of->voxel[1], OF_MOVE + 3, i)};
        const vxe_contact_adjoint got = contact_adjoint(
            r, length, one, two, sided, of->pair[OF_STEP * WIDTH + i], before, y, behind);
        put_column3(of->got, GOT_PLACE, i, got.place);
        put_column3(of->got, GOT_V, i, got.v);
        put_column3(of->got, GOT_TURN1, i, got.turn1);
        put_column3(of->got, GOT_TURN2, i, got.turn2);
        put_column3(of->got, GOT_SPIN, i, got.spin);
        of->got[GOT_GROWTH * WIDTH + i] = R(0.5) * got.length;
        of->got[(GOT_BEFORE + VXE_BY_TOUCH_SHARE) * WIDTH + i] = got.before.share;
        of->got[(GOT_BEFORE + VXE_BY_TOUCH_REST) * WIDTH + i] = got.before.rest;
        put_column3(of->got, GOT_BEFORE + VXE_BY_TOUCH_SHEAR, i, got.before.shear);
        if (slopes) {
            put_slopes(of, 0, i, one, two, got);
            put_slopes(of, 1, i, two, one, got);
        }
    }
}

/* Adds what pair i gives to one of its voxels. */
static void give_voxel(const contact_fields *f, const vxe_reverse_touch *touch, int end,
                       const touch_batch *from, int i)
{
    const ptrdiff_t voxel = (ptrdiff_t)touch->at[end];
    const vxe_real side = end ? R(1) : R(-1);
    const int turn = end ? GOT_TURN2 : GOT_TURN1;
    vxe_real *adjoint = f->adjoint + voxel * (VXE_ADJOINT_NUMBERS * LANES) + touch->lane;
    for (int c = 0; c < 3; c++) {
        adjoint[(VXE_ADJOINT_PLACE + c) * LANES] += side * from->got[(GOT_PLACE + c) * WIDTH + i];
        adjoint[(VXE_ADJOINT_TURN + c) * LANES] += from->got[(turn + c) * WIDTH + i];
        adjoint[(VXE_ADJOINT_V + c) * LANES] += side * from->got[(GOT_V + c) * WIDTH + i];
        adjoint[(VXE_ADJOINT_W + c) * LANES] += from->got[(GOT_SPIN + c) * WIDTH + i];
    }
    adjoint[VXE_ADJOINT_GROWTH * LANES] += from->got[GOT_GROWTH * WIDTH + i];
    if (f->by_voxel) {
        static const int slope[4] = {VXE_SLOPE_MASS, VXE_SLOPE_FLOOR_STIFFNESS,
                                     VXE_SLOPE_FLOOR_DASHPOT, VXE_SLOPE_DYNAMIC_FRICTION};
        vxe_real *sums = f->by_voxel + voxel * (VXE_VOXEL_SLOPES * LANES) + touch->lane;
        for (int n = 0; n < 4; n++) {
            sums[slope[n] * LANES] += from->got[(GOT_SLOPES + 4 * end + n) * WIDTH + i];
        }
    }
}

/* The pairs [first, first + count) of a step. */
static void reverse_batch(const vxe_reverse_step *step, const contact_fields *f, uint32_t first,
                          int count)
{
    touch_batch batch;
    for (int i = 0; i < WIDTH; i++) { /* filled up with the first pair, which counts once */
        take_pair(step, f, &step->touches[first + (uint32_t)(i < count ? i : 0)], &batch, i);
    }
    if (f->by_voxel) {
        reverse_pairs(true, &batch);
    } else {
        reverse_pairs(false, &batch);
    }
    for (int i = 0; i < count; i++) {
        const vxe_reverse_touch *touch = &step->touches[first + (uint32_t)i];
        give_voxel(f, touch, 0, &batch, i);
        give_voxel(f, touch, 1, &batch, i);
        for (int c = 0; c < VXE_TOUCH_ADJOINTS && touch->before != VXE_NONE; c++) {
            step->touched[touch->before].by[c] = (double)batch.got[(GOT_BEFORE + c) * WIDTH + i];
        }
    }
}

static void reverse(const vxe_reverse_step *step)
{
    const contact_fields fields = {
        reals_const(step->now),   reals_const(step->group->numbers),
        reals_const(step->keeps), reals_const(step->moves),
        reals(step->adjoint),     step->by_voxel ? reals(step->by_voxel) : NULL};
    for (uint32_t first = 0; first < step->touch_count; first += WIDTH) {
        const uint32_t left = step->touch_count - first;
        reverse_batch(step, &fields, first, left < WIDTH ? (int)left : WIDTH);
    }
}

const vxe_reverse_contacts VXE_VARIANT(vxe_reverse_contacts) = {.reverse = reverse};
