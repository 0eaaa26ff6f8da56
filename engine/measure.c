/* SPDX-License-Identifier: MIT */
#include "engine/measure_internal.h"

#include <stddef.h>

#include "engine/bond_law_internal.h"

bool vxe_bond_next(const vxe_model *model, vxe_bond_place *place)
{
    const uint32_t lanes = model->kernels->lanes;
    for (; place->axis < 3; place->axis++, place->at = UINT64_MAX) {
        const vxe_bond_vectors *bonds = &model->arrays.bonds[place->axis];
        while (++place->at < (uint64_t)bonds->count * lanes) {
            const uint32_t vector = (uint32_t)(place->at / lanes);
            const uint32_t lane = (uint32_t)(place->at % lanes);
            if (bonds->present[vector] >> lane & 1) {
                place->lower = bonds->lower[vector] + lane;
                place->upper = bonds->upper[vector] + lane;
                return true;
            }
        }
    }
    return false;
}

static vxe_lane3 at3(double *const *field, uint32_t slot)
{
    return (vxe_lane3){field[0][slot], field[1][slot], field[2][slot]};
}

static vxe_mid_frame frame_of(const vxe_kernel_arrays *s, const vxe_bond_place *place)
{
    const vxe_lane4 q1 = {s->q[0][place->lower], s->q[1][place->lower], s->q[2][place->lower],
                          s->q[3][place->lower]};
    const vxe_lane4 q2 = {s->q[0][place->upper], s->q[1][place->upper], s->q[2][place->upper],
                          s->q[3][place->upper]};
    return mid_frame(q1, q2);
}

static double component(vxe_lane3 a, uint32_t axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static void put(double out[3], vxe_lane3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* A bond's coefficients: entry c is c * lanes behind. */
static const double *coefficients(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    const uint32_t lanes = scratch->model->kernels->lanes;
    return scratch->arrays.bonds[place->axis].coefficients +
           place->at / lanes * VXE_COEFFICIENTS * lanes + place->at % lanes;
}

/* Bars: the chord alone. */
static vxe_bond_sample measure_bar(vxe_lane3 r, double length, double axial)
{
    vxe_bond_sample sample = {0};
    const double chord = sqrt(lane_dot(r, r));
    const double stretch = chord - length;
    sample.energy = 0.5 * axial * stretch * stretch;
    sample.strain = stretch / length;
    sample.tension = axial * stretch;
    put(sample.force, (vxe_lane3){-sample.tension * r.x / chord, -sample.tension * r.y / chord,
                                  -sample.tension * r.z / chord});
    return sample;
}

vxe_bond_sample vxe_bond_measure(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const uint32_t lanes = scratch->model->kernels->lanes;
    const double *k = coefficients(scratch, place);
    const vxe_springs springs = {k[VXE_AXIAL * lanes], k[VXE_SHEAR * lanes], k[VXE_TORSION * lanes],
                                 k[VXE_BENDING * lanes], k[VXE_COUPLE * lanes]};
    const double length = 0.5 * (s->size[place->lower] + s->size[place->upper]);
    const vxe_lane3 r = lane_sub(at3(s->x, place->upper), at3(s->x, place->lower));
    if (scratch->model->bars) {
        return measure_bar(r, length, springs.axial);
    }
    const vxe_mid_frame frame = frame_of(s, place);
    const vxe_lane3 rr = into_frame(&frame, r);
    const vxe_elastic elastic = elastic_response((int)place->axis, 1, &frame, rr, length, springs);
    const vxe_lane3 zero = {0, 0, 0};
    const vxe_lane3 lower = out_of_frame(&frame, elastic.force, zero);
    const vxe_lane3 moment = out_of_frame(&frame, elastic.moment, zero);
    const vxe_lane3 turn = lane_cross(r, lower);
    vxe_bond_sample sample;
    sample.energy = elastic_energy((int)place->axis, &frame, rr, length, springs);
    sample.strain = component(rr, place->axis) / length - 1;
    sample.tension = springs.axial * (component(rr, place->axis) - length);
    put(sample.force, (vxe_lane3){-lower.x, -lower.y, -lower.z});
    put(sample.moment_lower, lane_add_scaled(moment, 0.5, turn));
    put(sample.moment_upper,
        lane_add_scaled((vxe_lane3){-moment.x, -moment.y, -moment.z}, 0.5, turn));
    return sample;
}

vxe_bond_sample vxe_bond_dashpot(const vxe_scratch *scratch, const vxe_bond_place *place,
                                 const vxe_state *rates)
{
    const uint32_t lanes = scratch->model->kernels->lanes;
    const double *k = coefficients(scratch, place);
    const vxe_kernel_arrays *s = &scratch->arrays;
    const int axis = (int)place->axis;
    const vxe_lane3 zero = {0, 0, 0};
    const vxe_lane3 r = lane_sub(at3(s->x, place->upper), at3(s->x, place->lower));
    const vxe_lane3 dv = lane_sub(at3(rates->v, place->upper), at3(rates->v, place->lower));
    vxe_bond_sample sample = {0};
    if (scratch->model->bars) {
        const double c = -k[VXE_DASH_AXIAL * lanes] * lane_dot(r, dv) / lane_dot(r, r);
        put(sample.force, lane_add_scaled(zero, c, r));
        return sample;
    }
    const vxe_lane3 w1 = at3(rates->w, place->lower);
    const vxe_lane3 w2 = at3(rates->w, place->upper);
    const vxe_lane3 half_r = {0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
    const vxe_mid_frame frame = frame_of(s, place);
    const vxe_lane3 stretch = into_frame(&frame, relative_rate(half_r, dv, w1, w2));
    const vxe_lane3 turn_rate = into_frame(&frame, lane_sub(w2, w1));
    const vxe_lane3 force =
        weigh(axis, -k[VXE_DASH_AXIAL * lanes], -k[VXE_DASH_SHEAR * lanes], stretch);
    const vxe_lane3 moment =
        weigh(axis, -k[VXE_DASH_TORSION * lanes], -k[VXE_DASH_BENDING * lanes], turn_rate);
    const vxe_lane3 world = out_of_frame(&frame, force, zero);
    const vxe_lane3 world_moment = out_of_frame(&frame, moment, zero);
    const double lever = scratch->model->conventions.peer_dashpots ? -0.25 : -0.5;
    const vxe_lane3 turn = lane_cross(r, world);
    put(sample.force, world);
    put(sample.moment_upper, lane_add_scaled(world_moment, lever, turn));
    put(sample.moment_lower,
        lane_add_scaled((vxe_lane3){-world_moment.x, -world_moment.y, -world_moment.z}, lever,
                        turn));
    return sample;
}

double vxe_kinetic_energy(const vxe_model *model, const vxe_state *a, const vxe_state *b)
{
    double twice = 0;
    const double inertia_by_mass = model->edge * model->edge / 6;
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        double v2 = 0;
        double w2 = 0;
        for (int c = 0; c < 3; c++) {
            const double v = 0.5 * (a->v[c][i] + b->v[c][i]);
            const double w = 0.5 * (a->w[c][i] + b->w[c][i]);
            v2 += v * v;
            w2 += w * w;
        }
        twice += model->arrays.mass[i] * (v2 + inertia_by_mass * w2);
    }
    return 0.5 * twice;
}

vxe_potentials vxe_potential_energy(const vxe_scratch *scratch)
{
    const vxe_model *model = scratch->model;
    const vxe_kernel_arrays *s = &scratch->arrays;
    vxe_potentials sum = {0};
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        sum.elastic += vxe_bond_measure(scratch, &place).energy;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        for (int c = 0; c < 3; c++) {
            sum.gravity -= s->mass[i] * s->gravity[c] * (s->x[c][i] + model->origin[c]);
        }
        if (s->floor_stiffness) {
            const double depth = s->floor_height + 0.5 * s->size[i] - s->x[2][i];
            sum.floor += depth > 0 ? 0.5 * s->floor_stiffness[i] * depth * depth : 0;
        }
    }
    return sum;
}

bool vxe_state_is_finite(const vxe_state *state, uint32_t voxels)
{
    double check = 0;
#define CHECK(name, components, unit)                                                              \
    for (int c = 0; c < (components); c++) {                                                       \
        for (uint32_t i = 0; i < voxels; i++) {                                                    \
            check += 0 * state->name[c][i]; /* not a number from any infinity or NaN */            \
        }                                                                                          \
    }
    VXE_STATE_FIELDS(CHECK)
#undef CHECK
    return check == 0;
}
