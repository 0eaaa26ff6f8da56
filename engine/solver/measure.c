/* SPDX-License-Identifier: MIT */
#include "engine/solver/measure.h"

#include <stddef.h>

#include "engine/core/state_vec.h"
#include "engine/floor/terrain_law.h"

/* of a bond that exists */
#define ALL_BITS ((vxe_real_mask)-1)

bool vxe_bond_next(const vxe_model *model, vxe_bond_place *place)
{
    const uint32_t lanes = VXE_VECTOR;
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

/* What a bond remembers. */
static vxe_yield_state memory_of(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    const vxe_state *state = scratch->state;
    if (!state->yields) {
        return (vxe_yield_state){0};
    }
    return (vxe_yield_state){
        .set = vxe_real_at(state->precision, state->set[place->axis], place->lower),
        .worn = vxe_real_at(state->precision, state->worn[place->axis], place->lower),
        .broken = vxe_real_at(state->precision, state->broken[place->axis], place->lower) > 0};
}

static vxe_chord chord_of(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    const vxe_precision precision = scratch->model->precision;
    const vxe_reals *swell = scratch->arrays.swell;
    vxe_chord chord = {.r = lane_sub(vxe_lane_position(scratch->state, place->upper),
                                     vxe_lane_position(scratch->state, place->lower)),
                       .length = scratch->arrays.edge +
                                 0.5 * (vxe_real_at(precision, swell, place->lower) +
                                        vxe_real_at(precision, swell, place->upper))};
    chord.length += memory_of(scratch, place).set * scratch->arrays.edge;
    chord.excess = component((int)place->axis, chord.r) - chord.length;
    return chord;
}

typedef struct coefficients {
    double at[VXE_FREE_VALUES];
} coefficients;

/* A bond's coefficients, all of them also where rows hold only the first two or four. */
static coefficients coefficients_of(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const uint64_t row = s->bonds[place->axis].row[place->at / VXE_VECTOR];
    coefficients k = {{0}};
    if (memory_of(scratch, place).broken) {
        return k;
    }
    for (uint32_t c = 0; c < s->row_values; c++) {
        k.at[c] = vxe_real_at(scratch->model->precision, s->rows,
                              (row * s->row_values + c) * VXE_VECTOR + place->at % VXE_VECTOR);
    }
    if (s->row_values == VXE_EVEN_VALUES) {
        k.at[VXE_TORSION] = s->ratios.torsion * k.at[VXE_AXIAL];
        k.at[VXE_DASH_TORSION] = s->ratios.dash_torsion * k.at[VXE_DASH_AXIAL];
    }
    if (s->row_values != VXE_FREE_VALUES) {
        k.at[VXE_SHEAR] = s->ratios.shear * k.at[VXE_AXIAL];
        k.at[VXE_BENDING] = s->ratios.bending * k.at[VXE_AXIAL];
        k.at[VXE_DASH_SHEAR] = s->ratios.dash_shear * k.at[VXE_DASH_AXIAL];
        k.at[VXE_DASH_BENDING] = s->ratios.dash_bending * k.at[VXE_DASH_AXIAL];
    }
    return k;
}

/* Bars: the chord alone. */
static vxe_bond_sample measure_bar(vxe_lane3 r, double length, double axial)
{
    vxe_bond_sample sample = {0};
    const double reach = sqrt(lane_dot(r, r));
    const double stretch = reach - length;
    sample.energy = 0.5 * axial * stretch * stretch;
    sample.strain = stretch / length;
    sample.tension = axial * stretch;
    vxe_lane_put(sample.force,
                 (vxe_lane3){-sample.tension * r.x / reach, -sample.tension * r.y / reach,
                             -sample.tension * r.z / reach});
    return sample;
}

/* Tension from strains across a bond; none in a broken one, whose part is 0. */
static double across_of(const vxe_scratch *scratch, const vxe_bond_place *place, double lower_part)
{
    const vxe_precision precision = scratch->model->precision;
    const vxe_reals *across = scratch->arrays.across[place->axis];
    return scratch->model->poisson && lower_part > 0
               ? lower_part * vxe_real_at(precision, across, place->lower) +
                     (2 - lower_part) * vxe_real_at(precision, across, place->upper)
               : 0;
}

vxe_bond_sample vxe_bond_measure(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    const coefficients k = coefficients_of(scratch, place);
    const vxe_springs springs = {
        k.at[VXE_AXIAL],   k.at[VXE_SHEAR],  k.at[VXE_TORSION],
        k.at[VXE_BENDING], k.at[VXE_COUPLE], across_of(scratch, place, k.at[VXE_LOWER_PART])};
    const vxe_chord chord = chord_of(scratch, place);
    const vxe_lane3 r = chord.r;
    const double length = chord.length;
    if (scratch->model->bars) {
        return measure_bar(r, length, springs.axial);
    }
    const vxe_mid_frame frame =
        mid_frame((int)place->axis, vxe_lane_orientation(scratch->state, place->lower),
                  vxe_lane_orientation(scratch->state, place->upper), ALL_BITS);
    const vxe_elastic elastic = elastic_response((int)place->axis, 0, 1, &frame, &chord, springs);
    const vxe_lane3 turn = lane_cross(r, elastic.force);
    const double along = lane_dot(r, frame.axis);
    vxe_bond_sample sample = {.broken = memory_of(scratch, place).broken};
    sample.energy = elastic_energy((int)place->axis, &frame, &chord, springs);
    const double rest = length - memory_of(scratch, place).set * scratch->arrays.edge;
    sample.strain = along / rest - 1;
    sample.tension = springs.axial * (along - length) + springs.across;
    vxe_lane_put(sample.force, lane_scaled(-1, elastic.force));
    vxe_lane_put(sample.moment_lower, lane_add_scaled(elastic.moment, 0.5, turn));
    vxe_lane_put(sample.moment_upper, lane_add_scaled(lane_scaled(-1, elastic.moment), 0.5, turn));
    return sample;
}

bool vxe_bond_is_broken(const vxe_scratch *scratch, const vxe_bond_place *place)
{
    return memory_of(scratch, place).broken;
}

double vxe_bond_stress(const vxe_scratch *scratch, const vxe_bond_place *place, double tension)
{
    const vxe_model *model = scratch->model;
    const double stress = tension / (model->edge * model->edge);
    const uint32_t law =
        model->yield.law_count > 0 ? model->yield.law_of[place->axis][place->lower] : VXE_NONE;
    if (law == VXE_NONE || model->poisson || model->yield.laws[law].modulus <= 0) {
        return stress;
    }
    const vxe_yield_law *yields = &model->yield.laws[law];
    vxe_yield_state next = memory_of(scratch, place);
    const double strain = stress / yields->modulus + next.set;
    vxe_yield_update(yields, strain, &next);
    return next.broken ? 0 : yields->modulus * (strain - next.set);
}

vxe_bond_sample vxe_bond_dashpot(const vxe_scratch *scratch, const vxe_bond_place *place,
                                 const vxe_state *rates)
{
    const coefficients k = coefficients_of(scratch, place);
    const vxe_lane3 zero = {0, 0, 0};
    const vxe_lane3 r = chord_of(scratch, place).r;
    const vxe_lane3 dv =
        lane_sub(vxe_lane_velocity(rates, place->upper), vxe_lane_velocity(rates, place->lower));
    vxe_bond_sample sample = {0};
    if (scratch->model->bars) {
        const double c = -k.at[VXE_DASH_AXIAL] * lane_dot(r, dv) / lane_dot(r, r);
        vxe_lane_put(sample.force, lane_add_scaled(zero, c, r));
        return sample;
    }
    const vxe_lane3 w1 = vxe_lane_spin(rates, place->lower);
    const vxe_lane3 w2 = vxe_lane_spin(rates, place->upper);
    const vxe_lane3 half_r = {0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
    const vxe_mid_frame frame =
        mid_frame((int)place->axis, vxe_lane_orientation(scratch->state, place->lower),
                  vxe_lane_orientation(scratch->state, place->upper), ALL_BITS);
    const vxe_lane3 force = weigh(frame.axis, -k.at[VXE_DASH_AXIAL], -k.at[VXE_DASH_SHEAR],
                                  relative_rate(half_r, dv, w1, w2));
    const vxe_lane3 moment =
        weigh(frame.axis, -k.at[VXE_DASH_TORSION], -k.at[VXE_DASH_BENDING], lane_sub(w2, w1));
    const double lever = scratch->model->conventions.peer_dashpots ? -0.25 : -0.5;
    const vxe_lane3 turn = lane_cross(r, force);
    vxe_lane_put(sample.force, force);
    vxe_lane_put(sample.moment_upper, lane_add_scaled(moment, lever, turn));
    vxe_lane_put(sample.moment_lower, lane_add_scaled(lane_scaled(-1, moment), lever, turn));
    return sample;
}

double vxe_kinetic_energy(const vxe_model *model, const vxe_state *a, const vxe_state *b)
{
    double twice = 0;
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        double v2 = 0;
        double w2 = 0;
        for (int c = 0; c < 3; c++) {
            const double v = 0.5 * (vxe_state_velocity(a, c, i) + vxe_state_velocity(b, c, i));
            const double w = 0.5 * (vxe_state_spin(a, c, i) + vxe_state_spin(b, c, i));
            v2 += v * v;
            w2 += w * w;
        }
        twice += vxe_real_at(model->precision, model->arrays.mass, i) *
                 (v2 + vxe_gyration(model->precision, &model->arrays, i) * w2);
    }
    return 0.5 * twice;
}

vxe_footing vxe_footing_of(const vxe_scratch *scratch, uint32_t slot)
{
    const vxe_ground *ground = scratch->model->ground;
    const vxe_lane3 at = vxe_lane_position(scratch->state, slot);
    const double half = 0.5 * (scratch->arrays.edge +
                               vxe_real_at(scratch->model->precision, scratch->arrays.swell, slot));
    vxe_footing footing = {
        scratch->arrays.floor_height + half - at.z,
        {0, 0, 1},
        vxe_real_at(scratch->model->precision, scratch->arrays.floor_stiffness, slot)};
    if (scratch->model->peer && scratch->model->peer->steps) {
        footing.depth = vxe_peer_depth(scratch, slot);
    }
    if (ground) {
        const vxe_touch touch =
            ground_touch(ground->number, 1, ground->points, at.x, at.y, at.z, half);
        footing.depth = touch.depth;
        footing.stiffness *= touch.gain;
        vxe_lane_put(footing.normal, touch.normal);
    }
    return footing;
}

void vxe_fluid_push(const vxe_scratch *scratch, const vxe_state *rates, uint32_t slot, double h,
                    double push[3])
{
    const vxe_kernel_arrays *s = &scratch->arrays;
    const vxe_precision precision = scratch->model->precision;
    const vxe_fluid_law law = {
        s->fluid_drag, s->fluid_lift, {s->gravity[0], s->gravity[1], s->gravity[2]}};
    vxe_lane_put(push, fluid_force(law, vxe_real_at(precision, s->faces, slot),
                                   vxe_lane_orientation(scratch->state, slot),
                                   vxe_lane_velocity(rates, slot),
                                   s->edge + vxe_real_at(precision, s->swell, slot),
                                   vxe_real_at(precision, s->mass, slot) / h));
}

/* a^3 C s s, the coupling being a^2/2 C */
double vxe_energy_across(const vxe_scratch *scratch, uint32_t slot)
{
    if (!scratch->model->poisson) {
        return 0;
    }
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const vxe_precision precision = scratch->model->precision;
    double s[3];
    double energy = 0;
    for (int c = 0; c < 3; c++) {
        s[c] = 0.5 * (vxe_real_at(precision, arrays->strain_up[c], slot) +
                      vxe_real_at(precision, arrays->strain_down[c], slot));
    }
    for (int c = 0; c < 3; c++) {
        energy += 2 * arrays->edge * vxe_real_at(precision, arrays->couple[c], slot) *
                  s[(c + 1) % 3] * s[(c + 2) % 3];
    }
    return energy;
}

vxe_potentials vxe_potential_energy(const vxe_scratch *scratch)
{
    const vxe_model *model = scratch->model;
    const vxe_kernel_arrays *s = &scratch->arrays;
    vxe_potentials sum = {0};
    vxe_scratch_poisson(scratch, 0, 1);
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        sum.elastic += vxe_bond_measure(scratch, &place).energy;
    }
    vxe_contact_place pair = {0};
    vxe_scratch_contacts_renew(scratch);
    vxe_grains_measure(scratch);
    while (vxe_contact_next(scratch, &pair)) {
        sum.contact += vxe_contact_measure(scratch, &pair, scratch->state, 1).energy;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double mass = vxe_real_at(model->precision, s->mass, i);
        sum.elastic += vxe_energy_across(scratch, i);
        for (int c = 0; c < 3; c++) {
            sum.gravity -= mass * s->gravity[c] *
                           (vxe_state_position(scratch->state, c, i) + model->origin[c]);
        }
        if (s->floor_stiffness) {
            const vxe_footing footing = vxe_footing_of(scratch, i);
            const double depth = fmax(footing.depth, 0);
            sum.floor += 0.5 * footing.stiffness * depth * depth;
        }
    }
    const vxe_magnet_energy magnets = vxe_magnets_energy(scratch, vxe_state_time(scratch->state));
    sum.magnetic = magnets.pairs + magnets.outside;
    return sum;
}

double vxe_stored_energy(const vxe_scratch *scratch)
{
    const vxe_potentials potentials = vxe_potential_energy(scratch);
    return potentials.elastic + potentials.floor + potentials.contact;
}
