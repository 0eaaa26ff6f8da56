/* SPDX-License-Identifier: MIT */
/* Measurements of bonds, voxels and energies in double, one by one, from the same laws as the
   kernels. They serve sensors, the energy audit and tests. */
#include "engine/solver/measure.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/core/state_vec.h"
#include "engine/voxels/voxel_law.h"

/* mask of a bond that exists */
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

/* History of a bond. */
static vxe_yield_state memory_of(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    VXE_ASSERT(place->axis < 3 && place->lower < workspace->model->slots);
    const vxe_state *state = workspace->state;
    if (!state->yields) {
        return (vxe_yield_state){0};
    }
    return (vxe_yield_state){
        .permanent_strain =
            vxe_real_at(state->precision, state->permanent_strain[place->axis], place->lower),
        .plastic_strain =
            vxe_real_at(state->precision, state->plastic_strain[place->axis], place->lower),
        .broken = vxe_real_at(state->precision, state->broken[place->axis], place->lower) > 0};
}

static vxe_chord chord_of(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const vxe_precision precision = workspace->model->precision;
    const vxe_reals *edge_growth = workspace->arrays.edge_growth;
    vxe_chord chord = {.r = vec_sub(vxe_vec_position(workspace->state, place->upper),
                                    vxe_vec_position(workspace->state, place->lower)),
                       .length = workspace->arrays.edge +
                                 0.5 * (vxe_real_at(precision, edge_growth, place->lower) +
                                        vxe_real_at(precision, edge_growth, place->upper))};
    chord.length += memory_of(workspace, place).permanent_strain * workspace->arrays.edge;
    chord.excess = component((int)place->axis, chord.r) - chord.length;
    return chord;
}

typedef struct coefficients {
    double at[VXE_FREE_VALUES];
} coefficients;

/* The part of its dashpots' forces that a bond has in this step: a half in the one that it breaks
   in. */
static double holds_of(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const vxe_state *state = workspace->state;
    return state->yields
               ? 1 - vxe_real_at(state->precision, state->broken[place->axis], place->lower)
               : 1;
}

/* All coefficients of a bond that holds in part, also where rows hold only the first two or four.
 */
static coefficients coefficients_of(const vxe_workspace *workspace, const vxe_bond_place *place,
                                    double holds)
{
    VXE_ASSERT(place->at / VXE_VECTOR < workspace->arrays.bonds[place->axis].count);
    const vxe_kernel_arrays *s = &workspace->arrays;
    const uint64_t row = s->bonds[place->axis].row[place->at / VXE_VECTOR];
    coefficients k = {{0}};
    for (uint32_t c = 0; c < s->row_values; c++) {
        k.at[c] =
            holds * vxe_real_at(workspace->model->precision, s->rows,
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

/* A bar: its spring acts along the chord only. */
static vxe_bond_sample measure_bar(vxe_vec3 r, double length, double axial)
{
    vxe_bond_sample sample = {0};
    const double reach = sqrt(vec_dot(r, r));
    const double stretch = reach - length;
    sample.energy = 0.5 * axial * stretch * stretch;
    sample.strain = stretch / length;
    sample.tension = axial * stretch;
    vxe_vec_put(sample.force,
                (vxe_vec3){-sample.tension * r.x / reach, -sample.tension * r.y / reach,
                           -sample.tension * r.z / reach});
    return sample;
}

/* A broken bond has no load, and a strain by the distance of its ends alone: they may be turned by
   any angle. */
static vxe_bond_sample measure_broken(const vxe_workspace *workspace, const vxe_bond_place *place,
                                      const vxe_chord *chord)
{
    const double rest =
        chord->length - memory_of(workspace, place).permanent_strain * workspace->arrays.edge;
    return (vxe_bond_sample){.broken = true,
                             .strain = sqrt(vec_dot(chord->r, chord->r)) / rest - 1};
}

/* Poisson tension of a bond. */
static double across_of(const vxe_workspace *workspace, const vxe_bond_place *place,
                        double lower_part)
{
    const vxe_precision precision = workspace->model->precision;
    const vxe_reals *across = workspace->arrays.poisson_tension[place->axis];
    return workspace->model->poisson
               ? lower_part * vxe_real_at(precision, across, place->lower) +
                     (2 - lower_part) * vxe_real_at(precision, across, place->upper)
               : 0;
}

vxe_springs vxe_bond_springs(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const coefficients k =
        coefficients_of(workspace, place, memory_of(workspace, place).broken ? 0 : 1);
    return (vxe_springs){k.at[VXE_AXIAL],   k.at[VXE_SHEAR],  k.at[VXE_TORSION],
                         k.at[VXE_BENDING], k.at[VXE_COUPLE], 0};
}

double vxe_bond_lower_part(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    return coefficients_of(workspace, place, 1).at[VXE_LOWER_PART];
}

double vxe_bond_rest(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    return chord_of(workspace, place).length;
}

vxe_bond_sample vxe_bond_measure(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    const vxe_chord chord = chord_of(workspace, place);
    if (memory_of(workspace, place).broken) {
        return measure_broken(workspace, place, &chord);
    }
    const coefficients k = coefficients_of(workspace, place, 1);
    vxe_springs springs = vxe_bond_springs(workspace, place);
    springs.poisson_tension = across_of(workspace, place, k.at[VXE_LOWER_PART]);
    const vxe_vec3 r = chord.r;
    const double length = chord.length;
    if (workspace->model->bars) {
        return measure_bar(r, length, springs.axial);
    }
    const vxe_mid_frame frame =
        mid_frame((int)place->axis, vxe_vec_orientation(workspace->state, place->lower),
                  vxe_vec_orientation(workspace->state, place->upper), ALL_BITS);
    const vxe_elastic elastic = elastic_response((int)place->axis, 0, 1, &frame, &chord, springs);
    const vxe_vec3 turn = vec_cross(r, elastic.force);
    const double along = vec_dot(r, frame.axis);
    vxe_bond_sample sample = {0};
    sample.energy = elastic_energy((int)place->axis, &frame, &chord, springs);
    const double rest =
        length - memory_of(workspace, place).permanent_strain * workspace->arrays.edge;
    sample.strain = along / rest - 1;
    sample.tension = springs.axial * (along - length) + springs.poisson_tension;
    vxe_vec_put(sample.force, vec_scaled(-1, elastic.force));
    vxe_vec_put(sample.moment_lower, vec_add_scaled(elastic.moment, 0.5, turn));
    vxe_vec_put(sample.moment_upper, vec_add_scaled(vec_scaled(-1, elastic.moment), 0.5, turn));
    return sample;
}

bool vxe_bond_is_broken(const vxe_workspace *workspace, const vxe_bond_place *place)
{
    return memory_of(workspace, place).broken;
}

double vxe_bond_stress(const vxe_workspace *workspace, const vxe_bond_place *place, double tension)
{
    const vxe_model *model = workspace->model;
    const double stress = tension / (model->edge * model->edge);
    const uint32_t law =
        model->yield.law_count > 0 ? model->yield.law_of[place->axis][place->lower] : VXE_NONE;
    if (law == VXE_NONE || model->poisson || model->yield.laws[law].modulus <= 0) {
        return stress;
    }
    VXE_ASSERT(law < model->yield.law_count);
    const vxe_yield_law *yields = &model->yield.laws[law];
    vxe_yield_state next = memory_of(workspace, place);
    const double strain = stress / yields->modulus + next.permanent_strain;
    vxe_yield_update(yields, strain, &next);
    return next.broken ? 0 : yields->modulus * (strain - next.permanent_strain);
}

vxe_bond_sample vxe_bond_dashpot(const vxe_workspace *workspace, const vxe_bond_place *place,
                                 const vxe_state *rates)
{
    const double holds = holds_of(workspace, place);
    if (holds == 0) { /* broken: its ends may be turned by any angle */
        return (vxe_bond_sample){.broken = true};
    }
    const coefficients k = coefficients_of(workspace, place, holds);
    const vxe_vec3 zero = {0, 0, 0};
    const vxe_vec3 r = chord_of(workspace, place).r;
    const vxe_vec3 dv =
        vec_sub(vxe_vec_velocity(rates, place->upper), vxe_vec_velocity(rates, place->lower));
    vxe_bond_sample sample = {0};
    if (workspace->model->bars) {
        const double c = -k.at[VXE_DASH_AXIAL] * vec_dot(r, dv) / vec_dot(r, r);
        vxe_vec_put(sample.force, vec_add_scaled(zero, c, r));
        return sample;
    }
    const vxe_vec3 w1 = vxe_vec_spin(rates, place->lower);
    const vxe_vec3 w2 = vxe_vec_spin(rates, place->upper);
    const vxe_vec3 half_r = {0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
    const vxe_mid_frame frame =
        mid_frame((int)place->axis, vxe_vec_orientation(workspace->state, place->lower),
                  vxe_vec_orientation(workspace->state, place->upper), ALL_BITS);
    const vxe_vec3 force = weigh(frame.axis, -k.at[VXE_DASH_AXIAL], -k.at[VXE_DASH_SHEAR],
                                 relative_rate(half_r, dv, w1, w2));
    const vxe_vec3 moment =
        weigh(frame.axis, -k.at[VXE_DASH_TORSION], -k.at[VXE_DASH_BENDING], vec_sub(w2, w1));
    const double lever = workspace->model->conventions.voxelyze_dashpots ? -0.25 : -0.5;
    const vxe_vec3 turn = vec_cross(r, force);
    vxe_vec_put(sample.force, force);
    vxe_vec_put(sample.moment_upper, vec_add_scaled(moment, lever, turn));
    vxe_vec_put(sample.moment_lower, vec_add_scaled(vec_scaled(-1, moment), lever, turn));
    return sample;
}

double vxe_kinetic_energy(const vxe_model *model, const vxe_state *a, const vxe_state *b)
{
    VXE_ASSERT(a->slots == model->slots && b->slots == model->slots);
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

vxe_floor_contact vxe_floor_contact_measure(const vxe_workspace *workspace, uint32_t slot)
{
    vxe_floor_contact floor_contact = vxe_floor_contact_of(workspace, slot);
    if (workspace->model->voxelyze && workspace->model->voxelyze->steps) {
        floor_contact.depth = vxe_voxelyze_depth(workspace, slot);
    }
    return floor_contact;
}

void vxe_fluid_push(const vxe_workspace *workspace, const vxe_state *rates, uint32_t slot, double h,
                    double push[3])
{
    VXE_ASSERT(workspace->arrays.faces && h > 0);
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    const vxe_fluid_law law = {
        s->fluid_drag, s->fluid_lift, {s->gravity[0], s->gravity[1], s->gravity[2]}};
    vxe_vec_put(push, fluid_force(law, vxe_real_at(precision, s->faces, slot),
                                  vxe_vec_orientation(workspace->state, slot),
                                  vxe_vec_velocity(rates, slot),
                                  s->edge + vxe_real_at(precision, s->edge_growth, slot),
                                  vxe_real_at(precision, s->mass, slot) / h));
}

/* a^3 C s s, where the coupling is a^2/2 C */
double vxe_energy_across(const vxe_workspace *workspace, uint32_t slot)
{
    if (!workspace->model->poisson) {
        return 0;
    }
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    double s[3];
    double energy = 0;
    for (int c = 0; c < 3; c++) {
        s[c] = 0.5 * (vxe_real_at(precision, arrays->strain_up[c], slot) +
                      vxe_real_at(precision, arrays->strain_down[c], slot));
    }
    for (int c = 0; c < 3; c++) {
        energy += 2 * arrays->edge * vxe_real_at(precision, arrays->poisson_coupling[c], slot) *
                  s[(c + 1) % 3] * s[(c + 2) % 3];
    }
    return energy;
}

vxe_potentials vxe_potential_energy(const vxe_workspace *workspace)
{
    const vxe_model *model = workspace->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    vxe_potentials sum = {0};
    vxe_workspace_poisson(workspace, 0, 1);
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        sum.elastic += vxe_bond_measure(workspace, &place).energy;
    }
    vxe_contact_place pair = {0};
    vxe_workspace_contacts_renew(workspace);
    vxe_particles_measure(workspace);
    while (vxe_contact_next(workspace, &pair)) {
        sum.contact += vxe_contact_measure(workspace, &pair, workspace->state, 1).energy;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double mass = vxe_real_at(model->precision, s->mass, i);
        sum.elastic += vxe_energy_across(workspace, i);
        for (int c = 0; c < 3; c++) {
            sum.gravity -= mass * s->gravity[c] *
                           (vxe_state_position(workspace->state, c, i) + model->origin[c]);
        }
        if (s->floor_stiffness) {
            const vxe_floor_contact floor_contact = vxe_floor_contact_measure(workspace, i);
            const double depth = fmax(floor_contact.depth, 0);
            sum.floor += 0.5 * floor_contact.stiffness * depth * depth;
        }
    }
    const vxe_magnet_energy magnets =
        vxe_magnets_energy(workspace, vxe_state_time(workspace->state));
    sum.magnetic = magnets.pairs + magnets.outside;
    return sum;
}
