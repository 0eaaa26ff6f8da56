/* SPDX-License-Identifier: MIT */
/* Kernels of magnets: positions of dipoles, their fields and forces on each other, induced moments,
   loads on voxels; see magnets.h and dipole_law.h. This file is compiled once per instruction set
   and precision, see real.h. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/core/real.h"
#include "engine/magnets/dipole_law.h"
#include "engine/magnets/magnets.h"

#define LANES ((ptrdiff_t)VXE_VECTOR)

VXE_INLINE vxe_vec3 get3(vxe_reals *const array[3], ptrdiff_t i)
{
    return (vxe_vec3){from_const(array[0], 0)[i], from_const(array[1], 0)[i],
                      from_const(array[2], 0)[i]};
}

VXE_INLINE void put3(vxe_reals *const array[3], ptrdiff_t i, vxe_vec3 value)
{
    from(array[0], 0)[i] = value.x;
    from(array[1], 0)[i] = value.y;
    from(array[2], 0)[i] = value.z;
}

/* Position of one of a voxel's dipoles from its centre, in edges along the voxel's own axes. */
VXE_INLINE vxe_vec3 arm_of(uint32_t part, uint32_t divisions)
{
    const vxe_real by = 1 / (vxe_real)divisions;
    const vxe_real middle = R(0.5) * (vxe_real)(divisions - 1);
    const uint32_t row = part / divisions;
    const uint32_t layer = row / divisions;
    return (vxe_vec3){by * ((vxe_real)(part % divisions) - middle),
                      by * ((vxe_real)(row % divisions) - middle), by * ((vxe_real)layer - middle)};
}

static void place(const vxe_kernel_arrays *body, const vxe_dipoles *d, uint32_t first,
                  uint32_t last)
{
    VXE_ASSERT((uint64_t)last * d->parts <= d->count);
    const vxe_real edge = (vxe_real)body->edge;
    for (uint32_t k = first; k < last; k++) {
        const ptrdiff_t slot = d->slot[k];
        const vxe_quat q = {from(body->q[0], 0)[slot], from(body->q[1], 0)[slot],
                            from(body->q[2], 0)[slot], from(body->q[3], 0)[slot]};
        const vxe_vec3 m = turned_by(q, 1, get3(d->moment, k));
        const vxe_vec3 at = get3(body->x, slot);
#ifdef VXE_MIXED
        const vxe_vec3 rest = get3(body->x_low, slot);
#else
        const vxe_vec3 rest = {0, 0, 0};
#endif
        for (uint32_t part = 0; part < d->parts; part++) {
            const ptrdiff_t i = (ptrdiff_t)k * d->parts + part;
            const vxe_vec3 arm = turned_by(q, 1, arm_of(part, d->divisions));
            put3(d->x, i, at);
            put3(d->x_low, i, vec_add_scaled(rest, edge, arm));
            put3(d->m, i, m);
            if (d->own[0]) {
                put3(d->own, i, m);
            }
        }
    }
}

/* Lane sums of force and field at one dipole, and the largest steepness. */
typedef struct lane_sums {
    vxe_real force[3][VXE_VECTOR];
    vxe_real field[3][VXE_VECTOR];
    vxe_real steepness[VXE_VECTOR];
} lane_sums;

/* Arrays of dipoles as numbers of the run's precision. */
typedef struct dipole_arrays {
    const vxe_real *restrict x[3];
    const vxe_real *restrict x_low[3];
    const vxe_real *restrict m[3];
    const vxe_real_mask *restrict owner;
} dipole_arrays;

/* Owners are numbers of voxels in as many bits as the build's type has. */
VXE_INLINE const vxe_real_mask *owners_of(const vxe_reals *array)
{
    return (const vxe_real_mask *)array;
}

VXE_INLINE dipole_arrays arrays_of(vxe_reals *const x[3], vxe_reals *const x_low[3],
                                   vxe_reals *const m[3], const vxe_reals *owner)
{
    dipole_arrays d = {.owner = owners_of(owner)};
    for (int c = 0; c < 3; c++) {
        d.x[c] = reals(x[c]);
        d.x_low[c] = reals(x_low[c]);
        d.m[c] = reals(m[c]);
    }
    return d;
}

/* One dipole. */
typedef struct one_dipole {
    vxe_vec3 x, low, m;
    vxe_real_mask owner;
} one_dipole;

/* Adds force and field of a vector of dipoles, from j on to at most `end`, at one dipole. limited:
 * a compile-time constant; if true, pairs beyond the reach do not interact. */
VXE_INLINE void add_vector(const dipole_arrays *d, const vxe_dipoles *all, const one_dipole *one,
                           ptrdiff_t j, ptrdiff_t end, bool limited, lane_sums *restrict sums)
{
    const vxe_real by_edge = (vxe_real)all->by_edge;
    const vxe_real cap = (vxe_real)all->cap;
    const vxe_real by_cap = cap > 0 ? 1 / cap : 0;
    const vxe_real soft2 = (vxe_real)all->soft2;
    const vxe_real reach = (vxe_real)(all->reach / all->by_edge);
    const vxe_real reach2 = limited ? reach * reach : 0;
    const int lanes = end - j < LANES ? (int)(end - j) : (int)LANES;
    const one_dipole self = *one;
#pragma omp simd
    for (int lane = 0; lane < (int)LANES; lane++) {
        const ptrdiff_t k = j + lane;
        const vxe_vec3 apart = {(self.x.x - d->x[0][k]) + (self.low.x - d->x_low[0][k]),
                                (self.x.y - d->x[1][k]) + (self.low.y - d->x_low[1][k]),
                                (self.x.z - d->x[2][k]) + (self.low.z - d->x_low[2][k])};
        const vxe_vec3 r = vec_scaled(by_edge, apart);
        vxe_real_mask keep =
            -(vxe_real_mask)(d->owner[k] != self.owner) & -(vxe_real_mask)(lane < lanes);
        if (limited) { /* the reach is measured between centres of voxels */
            const vxe_vec3 centers = {self.x.x - d->x[0][k], self.x.y - d->x[1][k],
                                      self.x.z - d->x[2][k]};
            keep &= -(vxe_real_mask)(vec_dot(centers, centers) <= reach2);
        }
        const vxe_vec3 other = {d->m[0][k], d->m[1][k], d->m[2][k]};
        const vxe_dipole_push push = dipole_push(r, self.m, other, cap * cap, by_cap, soft2, keep);
        sums->force[0][lane] += push.force.x;
        sums->force[1][lane] += push.force.y;
        sums->force[2][lane] += push.force.z;
        sums->field[0][lane] += push.field.x;
        sums->field[1][lane] += push.field.y;
        sums->field[2][lane] += push.field.z;
        const vxe_real max = sums->steepness[lane];
        sums->steepness[lane] = push.steepness > max ? push.steepness : max;
    }
}

_Static_assert(VXE_VECTOR == 16, "sum_lanes adds 16 lanes");

/* Sum of lanes in one order, which does not depend on the width of registers. */
VXE_INLINE vxe_real sum_lanes(const vxe_real *lanes)
{
    vxe_real half[8];
    for (int i = 0; i < 8; i++) {
        half[i] = lanes[i] + lanes[i + 8];
    }
    return ((half[0] + half[4]) + (half[2] + half[6])) +
           ((half[1] + half[5]) + (half[3] + half[7]));
}

VXE_INLINE one_dipole dipole_at(const vxe_dipoles *d, ptrdiff_t i)
{
    return (one_dipole){get3(d->x, i), get3(d->x_low, i), get3(d->m, i), owners_of(d->owner)[i]};
}

/* Stores the sums of a dipole. Returns the larger one of its steepness and of that before. */
VXE_INLINE double put_sums(const vxe_dipoles *d, ptrdiff_t i, const lane_sums *sums, double before)
{
    double max = before;
    for (int c = 0; c < 3; c++) {
        from(d->force[c], 0)[i] = sum_lanes(sums->force[c]);
        from(d->field[c], 0)[i] = sum_lanes(sums->field[c]);
    }
    for (int lane = 0; lane < (int)LANES; lane++) {
        const double steepness = (double)sums->steepness[lane];
        max = steepness > max ? steepness : max;
    }
    return max;
}

/* Force and field at dipoles [first, last) by all dipoles. */
VXE_INLINE double act_on_range(const vxe_dipoles *all, uint32_t first, uint32_t last, bool limited)
{
    const dipole_arrays d = arrays_of(all->x, all->x_low, all->m, all->owner);
    double steepness = 0;
    for (ptrdiff_t i = first; i < (ptrdiff_t)last; i++) {
        const one_dipole one = dipole_at(all, i);
        lane_sums sums = {{{0}}, {{0}}, {0}};
        for (ptrdiff_t j = 0; j < (ptrdiff_t)all->count; j += LANES) {
            add_vector(&d, all, &one, j, all->count, limited, &sums);
        }
        steepness = put_sums(all, i, &sums, steepness);
    }
    return steepness;
}

/* Force and field at dipoles [first, last) by those in the 27 boxes around each: nine rows of up to
   three boxes, which are contiguous in memory. */
static double act_on_grid(const vxe_dipoles *all, uint32_t first, uint32_t last)
{
    const vxe_dipole_grid *grid = all->grid;
    const uint32_t *sides = grid->sides;
    const dipole_arrays d = arrays_of(grid->x, grid->x_low, grid->m, grid->owner);
    double steepness = 0;
    for (ptrdiff_t i = first; i < (ptrdiff_t)last; i++) {
        const one_dipole one = dipole_at(all, i);
        const uint32_t x = grid->box[i] % sides[0];
        const uint32_t y = grid->box[i] / sides[0] % sides[1];
        const uint32_t z = grid->box[i] / sides[0] / sides[1];
        lane_sums sums = {{{0}}, {{0}}, {0}};
        for (uint32_t row = 0; row < 9; row++) {
            const uint32_t by =
                y + row % 3; /* index of the row plus 1, so that it is not negative */
            const uint32_t bz = z + row / 3;
            if (by < 1 || by > sides[1] || bz < 1 || bz > sides[2]) {
                continue;
            }
            const uint32_t at = ((bz - 1) * sides[1] + by - 1) * sides[0];
            const uint32_t end = grid->first_of[at + (x + 1 < sides[0] ? x + 2 : sides[0])];
            for (ptrdiff_t j = grid->first_of[at + (x > 0 ? x - 1 : 0)]; j < (ptrdiff_t)end;
                 j += LANES) {
                add_vector(&d, all, &one, j, end, true, &sums);
            }
        }
        steepness = put_sums(all, i, &sums, steepness);
    }
    return steepness;
}

static double act(const vxe_dipoles *all, uint32_t first, uint32_t last)
{
    VXE_ASSERT(first <= last && last <= all->count);
    if (all->grid) {
        return act_on_grid(all, first, last);
    }
    return all->reach < HUGE_VAL ? act_on_range(all, first, last, true)
                                 : act_on_range(all, first, last, false);
}

/* The external field in the run's precision. */
typedef struct outside_field {
    vxe_vec3 uniform, row[3], reference;
} outside_field;

/* Converts the external field to the run's precision. */
VXE_INLINE outside_field load_outside(const vxe_magnet_field *f)
{
    outside_field o;
    o.uniform =
        (vxe_vec3){(vxe_real)f->uniform[0], (vxe_real)f->uniform[1], (vxe_real)f->uniform[2]};
    o.reference =
        (vxe_vec3){(vxe_real)f->reference[0], (vxe_real)f->reference[1], (vxe_real)f->reference[2]};
    for (int c = 0; c < 3; c++) {
        o.row[c] = (vxe_vec3){(vxe_real)f->gradient[c][0], (vxe_real)f->gradient[c][1],
                              (vxe_real)f->gradient[c][2]};
    }
    return o;
}

/* Product of the gradient and a vector. */
VXE_INLINE vxe_vec3 by_gradient(const outside_field *o, vxe_vec3 a)
{
    return (vxe_vec3){vec_dot(o->row[0], a), vec_dot(o->row[1], a), vec_dot(o->row[2], a)};
}

/* T: external field at a dipole. */
VXE_INLINE vxe_vec3 outside_at(const outside_field *o, const vxe_dipoles *d, ptrdiff_t i)
{
    const vxe_vec3 way = vec_add(vec_sub(get3(d->x, i), o->reference), get3(d->x_low, i));
    return vec_add(o->uniform, by_gradient(o, way));
}

static double polarise(const vxe_dipoles *d, const vxe_magnet_field *outside, double part,
                       uint32_t first, uint32_t last)
{
    const vxe_real part_taken = (vxe_real)part;
    const outside_field o = load_outside(outside);
    const vxe_real by_unit = (vxe_real)(1 / d->field_unit);
    vxe_real max = 0;
    for (uint32_t k = first; k < last; k++) {
        const vxe_real soft = from_const(d->soft, 0)[k];
        for (uint32_t p = 0; p < d->parts; p++) {
            const ptrdiff_t i = (ptrdiff_t)k * d->parts + p;
            const vxe_vec3 b = vec_add_scaled(get3(d->field, i), by_unit, outside_at(&o, d, i));
            const vxe_vec3 now = get3(d->m, i);
            const vxe_vec3 target = vec_add_scaled(get3(d->own, i), soft, b);
            const vxe_vec3 change = vec_scaled(part_taken, vec_sub(target, now));
            const vxe_vec3 m = vec_add(now, change);
            const vxe_real size = vec_dot(change, change);
            max = size <= max ? max : size; /* keeps a size that is not a number */
            put3(d->m, i, m);
        }
    }
    return (double)vxe_root(max);
}

static void collect(const vxe_dipoles *d, const vxe_magnet_field *outside, double times,
                    vxe_reals *const load[6], uint32_t first, uint32_t last)
{
    const outside_field o = load_outside(outside);
    const vxe_real by_field = (vxe_real)(times * d->field_unit);
    const vxe_real by_force = (vxe_real)(times * d->force_unit);
    const vxe_real unit = (vxe_real)d->unit;
    for (uint32_t k = first; k < last; k++) {
        const ptrdiff_t slot = d->slot[k];
        vxe_vec3 force = {0, 0, 0};
        vxe_vec3 moment = {0, 0, 0};
        vxe_vec3 low = {0, 0, 0};
        for (uint32_t part = 0; part < d->parts; part++) {
            const ptrdiff_t i = (ptrdiff_t)k * d->parts + part;
            low = vec_add_scaled(low, 1 / (vxe_real)d->parts, get3(d->x_low, i));
        }
        for (uint32_t part = 0; part < d->parts; part++) {
            const ptrdiff_t i = (ptrdiff_t)k * d->parts + part;
            const vxe_vec3 m = vec_scaled(unit, get3(d->m, i));
            const vxe_vec3 arm = vec_sub(get3(d->x_low, i), low);
            const vxe_vec3 b = vec_add_scaled(outside_at(&o, d, i), by_field, get3(d->field, i));
            const vxe_vec3 f = vec_add_scaled(by_gradient(&o, m), by_force, get3(d->force, i));
            force = vec_add(force, f);
            moment = vec_add(moment, vec_cross(m, b));
            moment = vec_add(moment, vec_cross(arm, f));
        }
        put3(load, slot, force);
        put3(load + 3, slot, moment);
    }
}

extern const vxe_magnet_kernels VXE_VARIANT(vxe_magnet_kernels);

const vxe_magnet_kernels VXE_VARIANT(vxe_magnet_kernels) = {
    .place = place, .act = act, .polarise = polarise, .collect = collect};
