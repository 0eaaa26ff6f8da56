/* SPDX-License-Identifier: MIT */
/* Sensors: strain, stress, energy, edges and contacts of every voxel, computed from the present
   state on request. A step does not need them, so that runs without sensors pay nothing. Bonds are
   sampled a vector at a time, by the same law that a step uses. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/matrix_internal.h"
#include "engine/control/control.h"

/* The robot whose voxels are sensed. */
typedef struct sensed {
    const vxe_simulation *simulation;
    const vxe_workspace *workspace;
} sensed;

/* A vector of bonds and the samples of its lanes. */
typedef struct sampled_vector {
    vxe_bond_place place; /* of the first lane */
    vxe_bond_vector_sample sample;
} sampled_vector;

/* The bond in a lane of a vector. */
static vxe_bond_place lane_of(const sampled_vector *vector, uint32_t lane)
{
    VXE_ASSERT(lane < VXE_VECTOR);
    const vxe_bond_place *first = &vector->place;
    return (vxe_bond_place){first->axis, first->at + lane, first->lower + lane,
                            first->upper + lane};
}

/* Sets the samples of broken bonds to zero, and turns tensions (N) into stresses (Pa). present: a
   bit for each lane that has a bond. */
static void sample_yielding(const sensed *of, sampled_vector *vector, uint32_t present)
{
    for (uint32_t left = present; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const vxe_bond_place place = lane_of(vector, lane);
        const bool broken = vxe_bond_is_broken(of->workspace, &place);
        double *tension = &vector->sample.tension[lane];
        *tension = broken ? 0 : vxe_bond_stress(of->workspace, &place, *tension);
        vector->sample.strain[lane] = broken ? 0 : vector->sample.strain[lane];
        vector->sample.energy[lane] = broken ? 0 : vector->sample.energy[lane];
    }
}

/* Adds strain, stress (Pa) and energy (J) of a bond to one of its voxels. A voxel with two bonds
   along the axis takes half of each, so that the sum is their mean. */
static inline void sample_at(const vxe_topology *topology, const vxe_sensors *into, uint32_t slot,
                             uint32_t axis, const double sampled[3])
{
    static const double parts[4] = {0.5, 1, 1, 1};
    const double part = parts[topology->faces[slot] >> 2 * axis & 3];
    const size_t voxel = topology->order[slot];
    VXE_ASSERT(slot < topology->voxel_count && axis < 3);
    if (into->strain) {
        into->strain[3 * voxel + axis] += part * sampled[0];
    }
    if (into->stress) {
        into->stress[3 * voxel + axis] += part * sampled[1];
    }
    if (into->energy) {
        into->energy[voxel] += 0.5 * sampled[2];
    }
}

/* Adds the samples of a vector to its voxels. present: a bit for each lane that has a bond. */
static void sample_bond_range(const sensed *of, sampled_vector *vector, uint32_t present,
                              const vxe_sensors *into)
{
    const vxe_model *model = &of->simulation->model;
    const vxe_sensors sensors = *into; /* a copy: writing samples cannot change these pointers */
    const bool yields = of->simulation->state.yields;
    const double by_area = yields ? 1 : 1 / (model->edge * model->edge);
    if (yields) {
        sample_yielding(of, vector, present);
    }
    for (uint32_t left = present; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const vxe_bond_place place = lane_of(vector, lane);
        const double sampled[3] = {vector->sample.strain[lane],
                                   by_area * vector->sample.tension[lane],
                                   vector->sample.energy[lane]};
        sample_at(&model->topology, &sensors, place.lower, place.axis, sampled);
        sample_at(&model->topology, &sensors, place.upper, place.axis, sampled);
    }
}

/* Corrects the means of voxels with a broken bond: the other bond along the axis counts in full. */
static void pass_over_broken(const sensed *of, const vxe_sensors *into)
{
    const uint32_t *order = of->simulation->model.topology.order;
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(&of->simulation->model, &place)) {
        const size_t slots[2] = {place.lower, place.upper};
        const bool broken = vxe_bond_is_broken(of->workspace, &place);
        for (int end = 0; end < 2 && broken; end++) {
            const size_t at = 3 * (size_t)order[slots[end]] + place.axis;
            if (into->strain) {
                into->strain[at] *= 2;
            }
            if (into->stress) {
                into->stress[at] *= 2;
            }
        }
    }
}

/* Sets strains and stresses to zero, and energies to those of Poisson coupling. */
static void begin_sums(const sensed *of, const vxe_sensors *into)
{
    const vxe_topology *topology = &of->simulation->model.topology;
    const size_t count = topology->voxel_count;
    vxe_workspace_poisson(of->workspace, 0, 1);
    if (into->strain) {
        memset(into->strain, 0, 3 * count * sizeof *into->strain);
    }
    if (into->stress) {
        memset(into->stress, 0, 3 * count * sizeof *into->stress);
    }
    for (uint32_t slot = 0; slot < count && into->energy; slot++) {
        into->energy[topology->order[slot]] = vxe_energy_across(of->workspace, slot);
    }
}

/* Strains, stresses and energies of all bonds. */
static void sample_all_bonds(const sensed *of, const vxe_sensors *into)
{
    const vxe_model *model = &of->simulation->model;
    begin_sums(of, into);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
        for (uint32_t v = 0; v < bonds->count; v++) {
            sampled_vector vector = {
                .place = {axis, (uint64_t)v * VXE_VECTOR, bonds->lower[v], bonds->upper[v]}};
            vxe_bond_kernels_of(model->kernels)
                ->sample(&of->workspace->arrays, (int)axis, v, model->bars, &vector.sample);
            sample_bond_range(of, &vector, bonds->present[v], into);
        }
    }
    if (of->simulation->state.yields && (into->strain || into->stress)) {
        pass_over_broken(of, into);
    }
}

/* The floor's springs; sets `floor` and starts the sums of `contact`. */
static void sample_floor(const sensed *of, const vxe_sensors *into)
{
    const vxe_model *model = &of->simulation->model;
    const bool floor = model->arrays.floor_stiffness != NULL;
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        const vxe_floor_contact floor_contact =
            floor ? vxe_floor_contact_measure(of->workspace, slot) : (vxe_floor_contact){0};
        const double push =
            floor_contact.depth > 0 ? floor_contact.stiffness * floor_contact.depth : 0;
        const uint32_t voxel = model->topology.order[slot];
        if (into->floor) {
            into->floor[voxel] = push;
        }
        if (into->contact) {
            into->contact[voxel] = push;
        }
    }
}

/* Contacts between voxels by the penalty law; adds to what sample_floor has set. */
static void sample_pairs(const sensed *of, const vxe_sensors *into)
{
    const vxe_topology *topology = &of->simulation->model.topology;
    const vxe_surface *surface = &of->simulation->model.surface;
    if (into->touched) {
        memset(into->touched, 0, topology->voxel_count);
    }
    if (of->workspace->voxelyze && of->simulation->model.voxelyze->steps) {
        if (into->touched) {
            vxe_voxelyze_touches(of->workspace, topology, into->touched);
        }
        return;
    }
    const double *pressed =
        surface->count > 0 ? vxe_workspace_contacts_sample(of->workspace) : NULL;
    for (uint32_t k = 0; k < surface->count; k++) {
        VXE_ASSERT(surface->slot[k] < topology->voxel_count && !(pressed[k] < 0));
        const uint32_t voxel = topology->order[surface->slot[k]];
        if (into->touched) {
            into->touched[voxel] = pressed[k] > 0;
        }
        if (into->contact) {
            into->contact[voxel] += pressed[k];
        }
    }
}

/* Contacts by contact models of the design; adds to what sample_floor and sample_pairs have set. */
static void sample_particles(const sensed *of, const vxe_sensors *into)
{
    const uint32_t *order = of->simulation->model.topology.order;
    vxe_contact_place pair = {.list = vxe_contact_lists(of->workspace)};
    vxe_particles_measure(of->workspace);
    while (vxe_contact_next(of->workspace, &pair)) {
        const vxe_contact_sample sample =
            vxe_contact_measure(of->workspace, &pair, &of->simulation->state, 1);
        const bool floor = pair.slot[1] == VXE_NONE;
        for (int end = 0; end < (floor ? 1 : 2) && pair.contact; end++) {
            const uint32_t voxel = order[pair.slot[end]];
            const double push = sqrt(vxe_dot3(sample.spring.force, sample.spring.force));
            if (into->contact) {
                into->contact[voxel] += push;
            }
            if (into->floor && floor) {
                into->floor[voxel] += push;
            }
            if (into->touched && !floor) {
                into->touched[voxel] = 1;
            }
        }
    }
}

void vxe_voxels_sense(const vxe_simulation *simulation, const vxe_workspace *workspace,
                      const vxe_sensors *into)
{
    const sensed robot = {simulation, workspace};
    const sensed *of = &robot;
    const vxe_model *model = &of->simulation->model;
    for (uint32_t slot = 0; slot < model->topology.voxel_count && into->edge; slot++) {
        into->edge[model->topology.order[slot]] =
            model->edge + vxe_real_at(model->precision, of->workspace->arrays.edge_growth, slot);
    }
    if (into->floor || into->contact) {
        sample_floor(of, into);
    }
    if (into->strain || into->stress || into->energy) {
        sample_all_bonds(of, into);
    }
    if (into->touched || into->contact) {
        sample_pairs(of, into);
    }
    if (of->workspace->particles && (into->touched || into->contact || into->floor)) {
        sample_particles(of, into);
    }
}
