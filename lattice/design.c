/* SPDX-License-Identifier: MIT */
#include "lattice/design.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/floor_internal.h"

vxe_design *vxe_design_create(void)
{
    vxe_design *design = vxe_memory_take(1, sizeof *design);
    if (!design) {
        return NULL;
    }
    design->notes = vxe_memory_take(1, sizeof *design->notes);
    if (!design->notes) {
        vxe_memory_release(design);
        return NULL;
    }
    snprintf(design->written_for, sizeof design->written_for, "native");
    design->voxel_size = 0.01;
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    design->time_step.fraction = 0.9;
    return design;
}

void vxe_design_destroy(vxe_design *design)
{
    if (!design) {
        return;
    }
    for (uint32_t i = 0; i < design->layer_count; i++) {
        vxe_memory_release(design->layers[i].values);
    }
    for (uint32_t i = 0; i < design->region_count; i++) {
        vxe_memory_release(design->regions[i].voxels);
        vxe_memory_release(design->regions[i].table);
    }
    vxe_messages_clear(design->notes);
    vxe_memory_release(design->notes);
    vxe_memory_release(design->floor.heights.heights);
    vxe_memory_release(design->materials);
    vxe_memory_release(design->voxels);
    vxe_memory_release(design->layers);
    vxe_memory_release(design->regions);
    vxe_memory_release(design->velocity);
    vxe_memory_release(design);
}

/* Makes room for one more item behind count, doubling the capacity where it is used up. */
static void *grown_by_one(void *items, uint32_t count, uint32_t *capacity, uint64_t size,
                          vxe_error *error)
{
    if (count < *capacity) {
        return items;
    }
    const uint64_t larger = count > 0 ? 2 * (uint64_t)count : 1;
    void *grown = larger < VXE_NONE ? vxe_memory_grow(items, count, larger, size) : NULL;
    if (!grown) {
        (void)vxe_error_memory(error, larger * size);
        return NULL;
    }
    *capacity = (uint32_t)larger;
    return grown;
}

vxe_status vxe_design_add_material(vxe_design *design, const vxe_material *material,
                                   uint32_t *index, vxe_error *error)
{
    vxe_material *items = grown_by_one(design->materials, design->material_count,
                                       &design->material_capacity, sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->materials = items;
    if (index) {
        *index = design->material_count;
    }
    items[design->material_count++] = *material;
    return VXE_OK;
}

vxe_status vxe_design_add_voxel(vxe_design *design, int32_t x, int32_t y, int32_t z,
                                uint32_t material, vxe_error *error)
{
    vxe_voxel *items = grown_by_one(design->voxels, design->voxel_count, &design->voxel_capacity,
                                    sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->voxels = items;
    items[design->voxel_count++] = (vxe_voxel){{x, y, z}, material};
    return VXE_OK;
}

/* Copies count items of size bytes into a new block; *copy stays null for none. */
static vxe_status copied(void **copy, const void *items, uint32_t count, uint64_t size,
                         vxe_error *error)
{
    *copy = NULL;
    if (count == 0) {
        return VXE_OK;
    }
    *copy = vxe_memory_take(count, size);
    if (!*copy) {
        return vxe_error_memory(error, count * size);
    }
    memcpy(*copy, items, (size_t)(count * size));
    return VXE_OK;
}

vxe_status vxe_design_add_region(vxe_design *design, const vxe_region *region, vxe_error *error)
{
    vxe_region *items = grown_by_one(design->regions, design->region_count,
                                     &design->region_capacity, sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->regions = items;
    vxe_region *added = &items[design->region_count];
    *added = *region;
    void *voxels = NULL;
    void *table = NULL;
    if (copied(&voxels, region->voxels, region->voxel_count, sizeof *region->voxels, error) ||
        copied(&table, region->table, region->table_count, 2 * sizeof *region->table, error)) {
        vxe_memory_release(voxels);
        return VXE_ERROR_MEMORY;
    }
    added->voxels = voxels;
    added->table = table;
    design->region_count++;
    return VXE_OK;
}

const vxe_layer *vxe_design_find_layer(const vxe_design *design, const char *name)
{
    for (uint32_t i = 0; i < design->layer_count; i++) {
        if (strcmp(design->layers[i].name, name) == 0) {
            return &design->layers[i];
        }
    }
    return NULL;
}

vxe_layer *vxe_design_layer(vxe_design *design, const char *name, uint32_t width)
{
    const vxe_layer *found = vxe_design_find_layer(design, name);
    if (found) {
        return found->width == width ? &design->layers[found - design->layers] : NULL;
    }
    vxe_layer *layers = grown_by_one(design->layers, design->layer_count, &design->layer_capacity,
                                     sizeof *layers, NULL);
    if (!layers) {
        return NULL;
    }
    design->layers = layers;
    vxe_layer *layer = &layers[design->layer_count];
    layer->width = width;
    layer->values = vxe_memory_take((uint64_t)design->voxel_count * width, sizeof *layer->values);
    if (!layer->values) {
        return NULL;
    }
    snprintf(layer->name, sizeof layer->name, "%s", name);
    design->layer_count++;
    return layer;
}

vxe_status vxe_design_set_velocity(vxe_design *design, uint32_t voxel, const double linear[3],
                                   const double angular[3], vxe_error *error)
{
    if (voxel >= design->voxel_count) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "initial velocity of voxel %u, but there are %u voxels", voxel,
                              design->voxel_count);
    }
    if (!design->velocity) {
        design->velocity = vxe_memory_take(design->voxel_count, 6 * sizeof *design->velocity);
        if (!design->velocity) {
            return vxe_error_memory(error, design->voxel_count * 6 * sizeof *design->velocity);
        }
    }
    for (int k = 0; k < 3; k++) {
        design->velocity[6 * (size_t)voxel + (size_t)k] = linear ? linear[k] : 0;
        design->velocity[6 * (size_t)voxel + 3 + (size_t)k] = angular ? angular[k] : 0;
    }
    return VXE_OK;
}

static bool all_finite(const double *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/* A region's list names voxels that are there, each once. */
static vxe_status check_list(const vxe_design *design, const vxe_region *region, uint32_t number,
                             vxe_error *error)
{
    uint8_t *seen = vxe_memory_take(design->voxel_count, 1);
    vxe_status status = seen ? VXE_OK : vxe_error_memory(error, design->voxel_count);
    for (uint32_t k = 0; k < region->voxel_count && !status; k++) {
        const uint32_t voxel = region->voxels[k];
        if (voxel >= design->voxel_count) {
            status =
                vxe_error_fill(error, VXE_ERROR_INPUT, "region %u names voxel %u, but there are %u",
                               number, voxel, design->voxel_count);
        } else if (seen[voxel]) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT, "region %u names voxel %u twice",
                                    number, voxel);
        } else {
            seen[voxel] = 1;
        }
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
        const vxe_status status = check_list(design, region, i + 1, error);
        if (status) {
            return status;
        }
    }
    return VXE_OK;
}

bool vxe_layer_acts(const char *name)
{
    static const char *const names[] = {"PhaseOffset", "Amplitude", "Stiffness"};
    bool acts = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        acts = acts || strcmp(name, names[i]) == 0;
    }
    return acts;
}

/* What the layers that act may hold. */
static vxe_status check_layer(const vxe_design *design, const vxe_layer *layer, vxe_error *error)
{
    const uint64_t count = (uint64_t)design->voxel_count * layer->width;
    if (!all_finite(layer->values, count)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "layer %s holds a number that is not finite",
                              layer->name);
    }
    const bool is_stiffness = strcmp(layer->name, "Stiffness") == 0;
    if (vxe_layer_acts(layer->name) && layer->width != 1) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "layer %s has %u numbers per voxel; it must have one", layer->name,
                              layer->width);
    }
    for (uint32_t v = 0; v < design->voxel_count && is_stiffness; v++) {
        const int32_t *at = design->voxels[v].position;
        if (!(layer->values[v] >= 0 && layer->values[v] <= VXE_STIFFEST)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "layer Stiffness holds %g at voxel (%d, %d, %d); it must be a "
                                  "Young's modulus, from 0 to 1e15 Pa",
                                  layer->values[v], at[0], at[1], at[2]);
        }
    }
    return VXE_OK;
}

static vxe_status check_times(const vxe_design *design, vxe_error *error)
{
    const vxe_actuation *heat = &design->actuation;
    const vxe_stop *stop = &design->stop;
    if (heat->enabled && !(isfinite(heat->base) && isfinite(heat->amplitude) && heat->period >= 0 &&
                           heat->period < 1e300)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "actuation: base %g, amplitude %g K, period %g s: finite, period 0 "
                              "(none) or at least 1e-9",
                              heat->base, heat->amplitude, heat->period);
    }
    if (!(stop->duration >= 0 && stop->duration < 1e300 && stop->periods >= 0 &&
          stop->periods < 1e300 && stop->settle_time >= 0 && stop->settle_time < 1e300)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "stop rule: duration %g s, periods %g, settling %g s: at least 0",
                              stop->duration, stop->periods, stop->settle_time);
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

vxe_status vxe_design_check(const vxe_design *design, vxe_error *error)
{
    if (!(design->voxel_size > 1e-12 && design->voxel_size < 1e12)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "voxel size is %g m; it must be above 0",
                              design->voxel_size);
    }
    if (design->voxel_count == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "no voxels: the design is empty");
    }
    for (uint32_t i = 0; i < design->material_count; i++) {
        if (vxe_material_check(&design->materials[i], error)) {
            return error ? error->status : VXE_ERROR_INPUT;
        }
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        if (voxel->material >= design->material_count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "voxel (%d, %d, %d) has material %u (from 0), but there are %u",
                                  voxel->position[0], voxel->position[1], voxel->position[2],
                                  voxel->material, design->material_count);
        }
    }
    for (uint32_t i = 0; i < design->layer_count; i++) {
        const vxe_status status = check_layer(design, &design->layers[i], error);
        if (status) {
            return status;
        }
    }
    if (!all_finite(design->gravity, 3) ||
        (design->velocity && !all_finite(design->velocity, 6 * (uint64_t)design->voxel_count))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "gravity or an initial velocity is not finite");
    }
    const vxe_fluid *fluid = &design->fluid;
    if (fluid->enabled && !(fluid->density > 0 && fluid->density <= VXE_DENSEST &&
                            fluid->drag_coefficient >= 0 && fluid->drag_coefficient <= 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "fluid: density %g kg/m^3, drag coefficient %g: the density must be "
                              "above 0 (to 1e15), the coefficient from 0 to 1e6",
                              fluid->density, fluid->drag_coefficient);
    }
    vxe_status status = vxe_floor_check(&design->floor, error);
    status = status ? status : check_times(design, error);
    return status ? status : check_regions(design, error);
}

uint32_t vxe_design_note_count(const vxe_design *design)
{
    return design->notes->count;
}

const char *vxe_design_note(const vxe_design *design, uint32_t index)
{
    return index < design->notes->count ? design->notes->items[index].text : "";
}
