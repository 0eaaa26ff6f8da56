/* SPDX-License-Identifier: MIT */
/* Checks the numbers of a design. A design may come from any file or caller, so that every range is
   checked here once; the engine relies on it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/design.h"
#include "lattice/floor_internal.h"

/* Maximum of groups and parts: arrays have an entry for each number up to the largest. */
#define MAX_GROUPS (1 << 20)

/* m/s or rad/s, of an initial velocity or spin: steps that follow it become ever shorter. */
#define FASTEST 1e9

/* Maximum of Poisson's ratio with volume effects: at 0.5 a body is incompressible. */
#define LARGEST_RATIO 0.499999

/* kg/m^3: no matter is as dense; osmium has 22 590. */
#define DENSEST_MATTER 25000.0

static bool all_finite(const double *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/* Checks that a region lists existing voxels, each once. seen, (voxel_count), holds the number of
   the last region that listed a voxel. */
static vxe_status check_list(const vxe_design *design, const vxe_region *region, uint32_t number,
                             uint32_t *seen, vxe_error *error)
{
    for (uint32_t k = 0; k < region->voxel_count; k++) {
        const uint32_t voxel = region->voxels[k];
        if (voxel >= design->voxel_count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "region %u names voxel %u, but there are %u", number, voxel,
                                  design->voxel_count);
        }
        if (seen[voxel] == number) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "region %u names voxel %u twice", number,
                                  voxel);
        }
        seen[voxel] = number;
    }
    return VXE_OK;
}

static vxe_status check_lists(const vxe_design *design, vxe_error *error)
{
    uint32_t *seen = vxe_memory_take(design->voxel_count, sizeof *seen);
    vxe_status status = seen ? VXE_OK : vxe_error_memory(error, 4ull * design->voxel_count);
    for (uint32_t i = 0; i < design->region_count && !status; i++) {
        status = check_list(design, &design->regions[i], i + 1, seen, error);
    }
    vxe_memory_release(seen);
    return status;
}

static vxe_status check_regions(const vxe_design *design, vxe_error *error)
{
    for (uint32_t i = 0; i < design->region_count; i++) {
        const vxe_region *region = &design->regions[i];
        if (!all_finite(region->low, 3) || !all_finite(region->high, 3) ||
            !all_finite(&region->radius, 1) || !all_finite(region->force, 3) ||
            !all_finite(region->moment, 3) || !all_finite(region->displacement, 3) ||
            !all_finite(region->rotation, 3) ||
            !all_finite(region->table, 2 * (uint64_t)region->table_count)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "region %u holds a number that is not finite", i + 1);
        }
        for (uint32_t k = 1; k < region->table_count; k++) {
            if (!(region->table[2 * (size_t)k] > region->table[2 * (size_t)k - 2])) {
                return vxe_error_fill(
                    error, VXE_ERROR_INPUT,
                    "times of the motion table of region %u do not increase at row %u", i + 1,
                    k + 1);
            }
        }
    }
    return design->region_count > 0 ? check_lists(design, error) : VXE_OK;
}

/* What numbers a layer may have. */
typedef struct layer_rule {
    const char *name;
    double min, max;
    bool whole;
    const char *what;
    uint32_t width; /* numbers of a voxel */
} layer_rule;

static const layer_rule rules[] = {
    {"PhaseOffset", -1e6, 1e6, false, "a phase in cycles, from -1e6 to 1e6", 1},
    {"Amplitude", -1e6, 1e6, false, "a factor from -1e6 to 1e6", 1},
    {"Frequency", 0, 1e6, false, "a factor from 0 to 1e6", 1},
    {"InitialSize", VXE_SMALLEST_SIZE, VXE_LARGEST_SIZE, false,
     "a factor on the edge, from 0.1 to 10", 1},
    {"FinalSize", VXE_SMALLEST_SIZE, VXE_LARGEST_SIZE, false,
     "a factor on the edge, from 0.1 to 10", 1},
    {"GrowthStart", 0, 1e300, false, "a time from 0 s", 1},
    {"GrowthTime", 0, 1e300, false, "a time from 0 s", 1},
    {"Part", 0, MAX_GROUPS - 1, true, "a whole number from 0 to 2^20 - 1", 1},
    {"Group", 0, MAX_GROUPS - 1, true, "a whole number from 0 to 2^20 - 1", 1},
    {"FinalStiffness", 0, VXE_STIFFEST, false, "a Young's modulus, from 0 to 1e15 Pa", 1},
    {"Stiffness", 0, VXE_STIFFEST, false, "a Young's modulus, from 0 to 1e15 Pa", 1},
    {"Density", VXE_THINNEST, VXE_DENSEST, false, "a density above 0 (1e-9 to 1e15) kg/m^3", 1},
    {"BodyForce", -1e100, 1e100, false, "a force, within 1e100 N", 3},
    {"Magnetization", -1e9, 1e9, false, "a magnetisation, within 1e9 A/m", 3}};

/* The rule for layers of that name; null if they have no effect. */
static const layer_rule *rule_of(const char *name)
{
    const layer_rule *found = NULL;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        found = strcmp(name, rules[i].name) == 0 ? &rules[i] : found;
    }
    return found;
}

bool vxe_layer_acts(const char *name)
{
    return rule_of(name) != NULL;
}

static vxe_status check_layer(const vxe_design *design, const vxe_layer *layer, vxe_error *error)
{
    const uint64_t count = (uint64_t)design->voxel_count * layer->width;
    const layer_rule *rule = rule_of(layer->name);
    if (!all_finite(layer->values, count)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "layer %s holds a number that is not finite",
                              layer->name);
    }
    if (rule && layer->width != rule->width) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "layer %s has %u numbers per voxel; it must have %u", layer->name,
                              layer->width, rule->width);
    }
    for (uint64_t i = 0; i < count && rule; i++) {
        const int32_t *at = design->voxels[i / layer->width].position;
        const double value = layer->values[i];
        if (!(value >= rule->min && value <= rule->max) || (rule->whole && value != floor(value))) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "layer %s holds %g at voxel (%d, %d, %d); it must be %s",
                                  layer->name, value, at[0], at[1], at[2], rule->what);
        }
    }
    return VXE_OK;
}

/* Checks that times increase and that factors on the edge are in their range. */
static vxe_status check_schedule(const vxe_design *design, uint32_t index, vxe_error *error)
{
    const vxe_group_schedule *schedule = &design->schedules[index];
    for (uint32_t k = 0; k < schedule->table_count; k++) {
        const double *row = schedule->table + 2 * (size_t)k;
        if (!isfinite(row[0]) || (k > 0 && !(row[0] > row[-2])) ||
            !(row[1] >= VXE_SMALLEST_SIZE && row[1] <= VXE_LARGEST_SIZE)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "schedule of group %u has %g at %g s in row %u: times must "
                                  "increase, and factors be from 0.1 to 10",
                                  schedule->group, row[1], row[0], k + 1);
        }
    }
    return schedule->table_count > 0 && schedule->group < MAX_GROUPS
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "schedule of group %u (below 2^20) has %u rows; at least 1",
                                schedule->group, schedule->table_count);
}

/* Checks each schedule, and that no group has two. */
static vxe_status check_schedules(const vxe_design *design, vxe_error *error)
{
    uint8_t *seen = design->schedule_count > 1 ? vxe_memory_take(MAX_GROUPS, 1) : NULL;
    vxe_status status =
        design->schedule_count > 1 && !seen ? vxe_error_memory(error, MAX_GROUPS) : VXE_OK;
    for (uint32_t i = 0; i < design->schedule_count && !status; i++) {
        const uint32_t group = design->schedules[i].group;
        status = check_schedule(design, i, error);
        if (!status && seen && seen[group]++) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                    "group %u has two schedules; give it one", group);
        }
    }
    vxe_memory_release(seen);
    return status;
}

/* Checks that times increase and that parts of the change are from 0 to 1. */
static vxe_status check_stiffening(const vxe_design *design, vxe_error *error)
{
    for (uint32_t k = 0; k < design->stiffening_count; k++) {
        const double *row = design->stiffening + 2 * (size_t)k;
        if (!isfinite(row[0]) || (k > 0 && !(row[0] > row[-2])) || !(row[1] >= 0 && row[1] <= 1)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "stiffening has %g at %g s in row %u: times must increase, and "
                                  "parts of the change be from 0 to 1",
                                  row[1], row[0], k + 1);
        }
    }
    return VXE_OK;
}

static vxe_status check_actuation(const vxe_actuation *heat, vxe_error *error)
{
    const bool timed = heat->period == 0 || (heat->period >= 1e-9 && heat->period < 1e300);
    if (heat->enabled && !(isfinite(heat->base) && isfinite(heat->amplitude) && timed)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "actuation: base %g, amplitude %g K, period %g s: finite, period 0 "
                              "(none) or at least 1e-9",
                              heat->base, heat->amplitude, heat->period);
    }
    const bool bounded = heat->min >= 0 && heat->min <= 1 &&
                         (heat->max == 0 || (heat->max >= 1 && heat->max <= VXE_LARGEST_SIZE));
    const bool room_in_range = heat->room >= 0 && heat->room <= VXE_LARGEST_SIZE;
    if (heat->enabled && !(bounded && room_in_range && heat->start >= 0 && heat->start < 1e300)) {
        return vxe_error_fill(
            error, VXE_ERROR_INPUT,
            "actuation: start %g s, least size %g, most size %g, growth room %g: start must be at "
            "least 0, least size from 0 (none) to 1, most size 0 (none) or from 1 to 10, and "
            "growth room from 0 to 10",
            heat->start, heat->min, heat->max, heat->room);
    }
    return VXE_OK;
}

static bool is_material(const vxe_design *design, uint32_t which)
{
    return which < design->material_count || which == VXE_CONTACT_ANY;
}

static vxe_status check_contact_rule(const vxe_design *design, uint32_t index, vxe_error *error)
{
    const vxe_contact_rule *rule = &design->contact_rules[index];
    const bool of_piece = rule->second == VXE_CONTACT_PIECE;
    vxe_error inner;
    if (!(is_material(design, rule->first) || (of_piece && rule->first == VXE_CONTACT_FLOOR)) ||
        !(is_material(design, rule->second) || rule->second == VXE_CONTACT_FLOOR || of_piece)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "contact rule %u (from 0): it must be between a material that there "
                              "is (%u), or any, and another or the floor, or for pieces of one of "
                              "them",
                              index, design->material_count);
    }
    if (of_piece && rule->law.kind != VXE_CONTACT_LINEAR) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "contact rule %u (from 0): pieces inherit the law linear alone; name "
                              "the two materials for %s",
                              index, vxe_contact_kind_name(rule->law.kind));
    }
    if (rule->law.kind == VXE_CONTACT_POWER && rule->second != VXE_CONTACT_FLOOR) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "contact rule %u (from 0): the power law acts between the faces of a "
                              "material and the floor only; name the floor",
                              index);
    }
    const vxe_status status = vxe_contact_law_check(&rule->law, &inner);
    return status
               ? vxe_error_fill(error, status, "contact rule %u (from 0): %s", index, inner.message)
               : VXE_OK;
}

/* Checks lengths and counts of the magnets. */
static vxe_status check_magnetics(const vxe_magnetics *m, vxe_error *error)
{
    const double lengths[3] = {m->dipole_cap, m->dipole_soften, m->dipole_d};
    for (int i = 0; i < 3; i++) {
        static const char *const names[3] = {"dipole_cap", "dipole_soften", "dipole_d"};
        if (!(lengths[i] >= 0 && lengths[i] < 1e6)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "magnetics: %s is %g m; it must be from 0 (none) to 1e6 m",
                                  names[i], lengths[i]);
        }
    }
    if (m->divisions > VXE_MAX_DIVISIONS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "magnetics: divisions are %u; at most %u",
                              m->divisions, VXE_MAX_DIVISIONS);
    }
    if (m->every > VXE_MAX_BLOCK_STEPS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "magnetics: every %u steps; at most every %u",
                              m->every, VXE_MAX_BLOCK_STEPS);
    }
    if (m->induces && m->every > 1) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "magnetics: induced moments follow every step, not every %uth",
                              m->every);
    }
    if (!all_finite(m->reference, 3)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "magnetics: the gradient's reference is not finite");
    }
    return VXE_OK;
}

static vxe_status check_times(const vxe_design *design, vxe_error *error)
{
    const vxe_stop *stop = &design->stop;
    const double times[] = {stop->duration, stop->periods, stop->settle_time, stop->reference_time};
    bool possible = true;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        possible = possible && times[i] >= 0 && times[i] < 1e300;
    }
    if (!possible) {
        return vxe_error_fill(
            error, VXE_ERROR_INPUT,
            "stop rule: duration %g s, periods %g, settling %g s, reference at %g "
            "s: each must be at least 0",
            stop->duration, stop->periods, stop->settle_time, stop->reference_time);
    }
    if (!(design->pair_distance >= 0 && design->pair_distance < 1e300)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the distance of pairs is %g voxels; it must be at least 0",
                              design->pair_distance);
    }
    if (!(design->time_step.seconds >= 0 && design->time_step.seconds < 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "time step is %g s; it must be at least 0",
                              design->time_step.seconds);
    }
    if (!(design->time_step.fraction > 0 && design->time_step.fraction < 1e3)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "time step fraction is %g; it must be above 0",
                              design->time_step.fraction);
    }
    return VXE_OK;
}

/* Checks affine bodies, observations and walls. */
static vxe_status check_affine(const vxe_design *design, vxe_error *error)
{
    for (uint32_t i = 0; i < design->affine_count; i++) {
        vxe_error inner;
        const vxe_affine_body *body = &design->affine[i];
        const vxe_status status = vxe_affine_body_check(body, &inner);
        if (status) {
            return vxe_error_fill(error, status, "affine body %u (from 0) '%s': %s", i, body->name,
                                  inner.message);
        }
    }
    for (uint32_t i = 0; i < design->observation_count; i++) {
        vxe_error inner;
        const vxe_observation *observation = &design->observations[i];
        const vxe_status status = vxe_observation_check(observation, design->affine_count, &inner);
        if (status) {
            return vxe_error_fill(error, status, "observation %u (from 0) '%s': %s", i,
                                  observation->name, inner.message);
        }
    }
    for (uint32_t i = 0; i < design->wall_count; i++) {
        const vxe_wall *wall = &design->walls[i];
        const double *n = wall->normal;
        const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if (!all_finite(wall->point, 3) || !(fabs(square - 1) < 1e-9)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "wall %u (from 0): a finite point and a unit normal are needed; "
                                  "the normal's square is %g",
                                  i, square);
        }
    }
    return VXE_OK;
}

static vxe_status check_voxels(const vxe_design *design, vxe_error *error)
{
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        if (voxel->material >= design->material_count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "voxel (%d, %d, %d) has material %u (from 0), but there are %u",
                                  voxel->position[0], voxel->position[1], voxel->position[2],
                                  voxel->material, design->material_count);
        }
    }
    return VXE_OK;
}

static vxe_status check_fluid(const vxe_fluid *fluid, vxe_error *error)
{
    if (fluid->enabled && !(fluid->density > 0 && fluid->density <= VXE_DENSEST &&
                            fluid->drag_coefficient >= 0 && fluid->drag_coefficient <= 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "fluid: density %g kg/m^3, drag coefficient %g: the density must be "
                              "above 0 (to 1e15), the coefficient from 0 to 1e6",
                              fluid->density, fluid->drag_coefficient);
    }
    return VXE_OK;
}

/* Refuses initial velocities that are no numbers, or so large that steps would be of no length. */
static vxe_status check_velocities(const vxe_design *design, vxe_error *error)
{
    for (uint64_t i = 0; i < 6 * (uint64_t)design->voxel_count && design->velocity; i++) {
        if (!(fabs(design->velocity[i]) < FASTEST)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "an initial %s of voxel %u is %g; it must be a number below %g",
                                  i % 6 < 3 ? "velocity" : "spin", (unsigned)(i / 6),
                                  design->velocity[i], FASTEST);
        }
    }
    return VXE_OK;
}

vxe_status vxe_design_check(const vxe_design *design, vxe_error *error)
{
    VXE_ASSERT(design->voxel_count <= design->voxel_capacity &&
               design->material_count <= design->material_capacity &&
               design->layer_count <= design->layer_capacity &&
               design->region_count <= design->region_capacity);
    VXE_ASSERT(design->affine_count <= design->affine_capacity &&
               design->contact_rule_count <= design->contact_rule_capacity &&
               design->schedule_count <= design->schedule_capacity);
    if (!(design->voxel_size > 1e-12 && design->voxel_size < 1e12)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "voxel size is %g m; it must be above 0",
                              design->voxel_size);
    }
    if (design->voxel_count == 0 && design->affine_count == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the design is empty: it has no voxels and no affine bodies");
    }
    for (uint32_t i = 0; i < design->material_count; i++) {
        if (vxe_material_check(&design->materials[i], error)) {
            return error ? error->status : VXE_ERROR_INPUT;
        }
    }
    for (uint32_t i = 0; i < design->material_count && design->volume_effects; i++) {
        if (design->materials[i].poissons_ratio > LARGEST_RATIO) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "Poisson's ratio of material '%s' is %g; where volume effects "
                                  "act it must be below 0.5",
                                  design->materials[i].name, design->materials[i].poissons_ratio);
        }
    }
    vxe_status status = check_voxels(design, error);
    for (uint32_t i = 0; i < design->layer_count && !status; i++) {
        status = check_layer(design, &design->layers[i], error);
    }
    if (status) {
        return status;
    }
    if (!all_finite(design->gravity, 3)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "gravity is not finite");
    }
    status = check_velocities(design, error);
    status = status ? status : check_fluid(&design->fluid, error);
    status = status ? status : vxe_floor_check(&design->floor, error);
    status = status ? status : check_actuation(&design->actuation, error);
    status = status ? status : check_magnetics(&design->magnetics, error);
    for (uint32_t i = 0; i < design->contact_rule_count && !status; i++) {
        status = check_contact_rule(design, i, error);
    }
    status = status ? status : check_schedules(design, error);
    status = status ? status : check_stiffening(design, error);
    if (!status && design->controller.interval != 0) {
        status = vxe_controller_check(&design->controller, error);
    }
    status = status ? status : check_affine(design, error);
    status = status ? status : check_times(design, error);
    return status ? status : check_regions(design, error);
}

bool vxe_design_doubt(const vxe_design *design, char *text, uint64_t size)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Density");
    const char *kind = NULL;
    const char *name = "";
    double density = DENSEST_MATTER;
    for (uint32_t v = 0; v < design->voxel_count && layer; v++) {
        if (layer->values[v] > density) {
            kind = "layer";
            name = layer->name;
            density = layer->values[v];
        }
    }
    for (uint32_t i = 0; i < design->material_count && !layer; i++) {
        const vxe_material *m = &design->materials[i];
        if (m->density > density) {
            kind = "material";
            name = m->name;
            density = m->density;
        }
    }
    for (uint32_t i = 0; i < design->affine_count; i++) {
        const vxe_affine_body *body = &design->affine[i];
        if (body->number[VXE_AFFINE_DENSITY] > density) {
            kind = "body";
            name = body->name;
            density = body->number[VXE_AFFINE_DENSITY];
        }
    }
    if (kind) {
        snprintf(text, size,
                 "%s \"%.40s\" has %.3g kg/m^3, more than any matter (osmium: 22 590); density and "
                 "moduli divided by the same number would move alike",
                 kind, name, density);
    }
    return kind;
}
