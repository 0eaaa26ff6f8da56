/* SPDX-License-Identifier: MIT */
/* Contact of two affine bodies (docs/affine-bodies.md, Contact). Each body contributes half of its
   power law over its own faces, with the distance to the other body replaced by the height above
   that face plane of the other body which is farthest below; the reaction acts at the foot. Between
   parallel faces of equal bodies this equals the load by a wall. Near an edge of the other body the
   height is less than the distance; the heights above two planes are equal on a plane through their
   common edge, so a face is cut there, and each piece uses the law of walls above one face of the
   other body. Momentum and angular momentum are kept, and so is energy, since the height is
   continuous. All faces count, wherever they face. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/affine/affine_group.h"

/* Maximum number of corners of a part of a patch: its own, and one more by each cut. */
#define MAX_CORNERS (4 + (int)VXE_MAX_COUPLING_FACES)
/* Fraction of the sliding speed that counts as approach where a face passes an edge. */
#define SLIDING 0.5

/* Load of one body's faces by another body. */
typedef struct side {
    const vxe_power_kernels *kernels;
    const double *numbers;
    const vxe_affine_hull *own, *other;
    vxe_power_sum sum;
    double reaction[3]; /* N: on the other body */
    double by_arm[9];   /* N m: sum of the reaction by arm from the other body's centroid */
    double quick;       /* 1/s: maximum rate of change of heights, relative to them */
} side;

/* sum += times one; nearest and fastest are extremes, not sums. */
static void add(vxe_power_sum *sum, double times, const vxe_power_sum *one)
{
    for (int c = 0; c < 3; c++) {
        sum->push[c] += times * one->push[c];
        sum->loss[c] += times * one->loss[c];
    }
    vxe_m3_add(sum->push_by_arm, times, one->push_by_arm);
    vxe_m3_add(sum->loss_by_arm, times, one->loss_by_arm);
    sum->energy += times * one->energy;
    sum->damped += times * one->damped;
    sum->rubbed += times * one->rubbed;
    sum->stiffness += times * one->stiffness;
    sum->dashpot += times * one->dashpot;
    sum->nearest = fmin(sum->nearest, one->nearest);
    sum->fastest = fmax(sum->fastest, one->fastest);
}

/* Vector (m) from the other body's centroid to the foot of the own centroid on a plane. The foot of
   any point is at this vector plus the component of the point's arm along the plane. */
static void foot_of(const side *s, const vxe_plane *plane, double foot[3])
{
    const double *place = s->own->frame.place;
    const double height = vxe_dot3(place, plane->n) - plane->level;
    for (int c = 0; c < 3; c++) {
        foot[c] = place[c] - s->other->frame.place[c] - height * plane->n[c];
    }
}

/* Adds the load of a plane of the other body on some of the own faces, and the reaction. Pushes
   react at the feet, as the gradient of the energy demands; losses, which have components along
   the plane, react where the own faces are, so that angular momentum is kept. */
static void take(side *s, const vxe_plane *plane, const vxe_power_sum *one)
{
    const double *place = s->own->frame.place;
    double foot[3];
    double across[3]; /* push_by_arm n */
    foot_of(s, plane, foot);
    vxe_m3_apply(one->push_by_arm, plane->n, across);
    for (int c = 0; c < 3; c++) {
        s->reaction[c] -= one->push[c] + one->loss[c];
        for (int d = 0; d < 3; d++) {
            const double arm = place[d] - s->other->frame.place[d];
            s->by_arm[3 * c + d] -=
                one->push[c] * foot[d] + one->push_by_arm[3 * c + d] - across[c] * plane->n[d];
            s->by_arm[3 * c + d] -= one->loss[c] * arm + one->loss_by_arm[3 * c + d];
        }
    }
    add(&s->sum, 1, one);
}

/* The own frame relative to the motion of the other body. */
static vxe_power_frame seen_from(const side *s)
{
    vxe_power_frame seen = s->own->frame;
    double v[3];
    vxe_hull_velocity(s->other, seen.place, v);
    for (int c = 0; c < 3; c++) {
        seen.v[c] -= v[c];
    }
    vxe_m3_add(seen.gradient, -1, s->other->frame.gradient);
    return seen;
}

/* A convex part of a face: corners (m) from the own centroid, all round. */
typedef struct polygon {
    double corner[MAX_CORNERS][3];
    int count;
} polygon;

/* m: height of a corner above a plane of the other body. */
static double height_above(const side *s, uint32_t plane, const double corner[3])
{
    VXE_ASSERT(plane < s->other->count);
    const vxe_affine_hull *other = s->other;
    double height = -other->level[plane];
    for (int c = 0; c < 3; c++) {
        height +=
            other->normal[plane][c] * (s->own->frame.place[c] + corner[c] - other->frame.place[c]);
    }
    return height;
}

/* m: height of the lowest corner of a part above a plane of the other body. */
static double lowest_above(const side *s, uint32_t plane, const polygon *part)
{
    double min = HUGE_VAL;
    for (int k = 0; k < part->count; k++) {
        min = fmin(min, height_above(s, plane, part->corner[k]));
    }
    return min;
}

/* Clips a part to where it is at least as high above one plane as above another one. */
static void clip(const side *s, uint32_t one, uint32_t another, const polygon *part, polygon *left)
{
    double above[MAX_CORNERS];
    VXE_ASSERT(part->count <= MAX_CORNERS && part != left);
    for (int i = 0; i < part->count; i++) {
        above[i] =
            height_above(s, one, part->corner[i]) - height_above(s, another, part->corner[i]);
    }
    left->count = 0;
    for (int i = 0; i < part->count && left->count + 1 < MAX_CORNERS; i++) {
        const int next = (i + 1) % part->count;
        if (above[i] >= 0) {
            memcpy(left->corner[left->count++], part->corner[i], sizeof part->corner[i]);
        }
        if ((above[i] >= 0) != (above[next] >= 0)) {
            const double share = above[i] / (above[i] - above[next]);
            double *cut = left->corner[left->count++];
            for (int c = 0; c < 3; c++) {
                cut[c] = part->corner[i][c] + share * (part->corner[next][c] - part->corner[i][c]);
            }
        }
    }
}

/* m/s: speed of a corner relative to the other body. */
static double speed_of(const vxe_power_frame *seen, const double corner[3])
{
    double v[3];
    vxe_power_velocity(seen, corner, v);
    return sqrt(vxe_dot3(v, v));
}

/* Adds the law of walls over a part above one plane, cut into patches of four corners. whole: the
   part is a whole patch, which passes no edge. */
static void push_part(side *s, uint32_t plane, const polygon *part, bool whole)
{
    vxe_plane wall;
    vxe_power_sum one = {.nearest = HUGE_VAL};
    memcpy(wall.n, s->other->normal[plane], sizeof wall.n);
    wall.level = vxe_dot3(wall.n, s->other->frame.place) + s->other->level[plane];
    const vxe_power_frame seen = seen_from(s);
    double sliding = 0;
    for (int i = 1; i + 1 < part->count; i += 2) {
        const int last = i + 2 < part->count ? i + 2 : i + 1;
        const double *const corner[4] = {part->corner[0], part->corner[i], part->corner[i + 1],
                                         part->corner[last]};
        vxe_power_patch patch;
        vxe_affine_make_patch(corner, &patch);
        vxe_power_add_patch(s->kernels, s->numbers, &seen, &wall, &patch, &one);
    }
    for (int i = 0; i < part->count && !whole; i++) {
        sliding = fmax(sliding, SLIDING * speed_of(&seen, part->corner[i]));
    }
    s->quick = fmax(s->quick, fmax(sliding, one.fastest) / one.nearest);
    take(s, &wall, &one);
}

/* Planes of the other body. */
typedef struct planes {
    uint32_t index[VXE_MAX_COUPLING_FACES];
    uint32_t count;
} planes;

/* Lists the planes that may be farthest below some point of a patch: the plane whose lowest height
   is the maximum, and the planes above which some corner is higher than above that one. All patches
   of a face share a plane, so only the first of them is listed. */
static void list_planes(const side *s, const polygon *patch, planes *list)
{
    const vxe_affine_hull *other = s->other;
    uint32_t top = 0;
    double highest = -HUGE_VAL;
    for (uint32_t i = 0; i < other->count; i++) {
        const double min = lowest_above(s, i, patch);
        top = min > highest ? i : top;
        highest = fmax(highest, min);
    }
    list->index[0] = top;
    list->count = 1;
    for (uint32_t i = 0; i < other->count; i++) {
        const bool same_face = i > 0 && other->face[i] == other->face[i - 1];
        bool counts = false;
        for (int k = 0; k < patch->count && !same_face && other->face[i] != other->face[top]; k++) {
            counts = counts ||
                     height_above(s, i, patch->corner[k]) > height_above(s, top, patch->corner[k]);
        }
        if (counts) {
            VXE_ASSERT(list->count < VXE_MAX_COUPLING_FACES);
            list->index[list->count++] = i;
        }
    }
}

/* m^2: area of a part. */
static double area_of(const polygon *part)
{
    double area = 0;
    for (int i = 1; i + 1 < part->count; i++) {
        double a[3];
        double b[3];
        for (int c = 0; c < 3; c++) {
            a[c] = part->corner[i][c] - part->corner[0][c];
            b[c] = part->corner[i + 1][c] - part->corner[0][c];
        }
        double cross[3];
        vxe_cross3(a, b, cross);
        area += 0.5 * sqrt(vxe_dot3(cross, cross));
    }
    return area;
}

/* Adds the load of the other body on one patch, cut where the plane farthest below changes. */
static void over_patch(side *s, uint32_t patch)
{
    planes list;
    polygon whole;
    polygon buffer[2]; /* a cut reads one and writes the other */
    memcpy(whole.corner, s->own->corner[patch], sizeof s->own->corner[patch]);
    whole.count = 4;
    list_planes(s, &whole, &list);
    for (uint32_t i = 0; i < list.count; i++) {
        const uint32_t plane = list.index[i];
        const polygon *part = &whole;
        for (uint32_t k = 0; k < list.count && part->count > 2; k++) {
            if (k != i) {
                polygon *into = &buffer[part == &buffer[0]];
                clip(s, plane, list.index[k], part, into);
                part = into;
            }
        }
        if (part->count < 3) {
            continue;
        }
        const double min = lowest_above(s, plane, part);
        s->sum.nearest = fmin(s->sum.nearest, min);
        if (!(min > 0)) {
            return;
        }
        if (!vxe_power_is_idle(s->numbers, min, area_of(part), &s->sum)) {
            push_part(s, plane, part, list.count == 1);
        }
    }
}

/* The patch whose middle is lowest. It is summed first, since the load of the others may be
   negligible beside it and is then skipped. */
static uint32_t first_patch(const side *s)
{
    uint32_t first = 0;
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < s->own->count; i++) {
        double height = -HUGE_VAL;
        for (uint32_t plane = 0; plane < s->other->count; plane++) {
            height = fmax(height, height_above(s, plane, s->own->patches[i].middle));
        }
        first = height < lowest ? i : first;
        lowest = fmin(lowest, height);
    }
    return first;
}

/* Adds half of the load of one body's faces by another body. mobility: of own and other. */
static void push_one_side(const vxe_power_kernels *kernels, const double *numbers,
                          const vxe_affine_hull *own, const vxe_affine_hull *other,
                          const double mobility[2], vxe_affine_push *on_own,
                          vxe_affine_push *on_other)
{
    side s = {.kernels = kernels,
              .numbers = numbers,
              .own = own,
              .other = other,
              .sum = {.nearest = HUGE_VAL}};
    const uint32_t first = first_patch(&s);
    for (uint32_t i = 0; i < own->count; i++) {
        const uint32_t patch = i == 0 ? first : i <= first ? i - 1 : i;
        const double before = s.sum.energy;
        over_patch(&s, patch);
        on_own->widened += 0.5 * (s.sum.energy - before) *
                           vxe_affine_widening(own->frame.gradient, own->normal[patch]);
    }
    s.sum.fastest = s.quick * s.sum.nearest;
    /* both bodies yield: stiffness and dashpot count against the sum of both mobilities */
    vxe_power_sum reacts = {.stiffness =
                                s.sum.stiffness * (mobility[0] + mobility[1]) / mobility[1],
                            .dashpot = s.sum.dashpot * (mobility[0] + mobility[1]) / mobility[1],
                            .nearest = s.sum.nearest,
                            .fastest = s.sum.fastest};
    memcpy(reacts.push, s.reaction, sizeof reacts.push);
    memcpy(reacts.push_by_arm, s.by_arm, sizeof reacts.push_by_arm);
    s.sum.stiffness *= (mobility[0] + mobility[1]) / mobility[0];
    s.sum.dashpot *= (mobility[0] + mobility[1]) / mobility[0];
    add(&on_own->sum, 0.5, &s.sum);
    add(&on_other->sum, 0.5, &reacts);
}

void vxe_affine_push_pair(const vxe_power_kernels *kernels, const vxe_affine *const body[2],
                          const vxe_affine_hull *const hull[2], vxe_affine_push *const push[2])
{
    for (int end = 0; end < 2; end++) {
        const int other = 1 - end;
        VXE_ASSERT(hull[end]->count > 0 && body[end]->mobility > 0);
        const double mobility[2] = {body[end]->mobility, body[other]->mobility};
        push_one_side(kernels, body[end]->contact, hull[end], hull[other], mobility, push[end],
                      push[other]);
    }
}
