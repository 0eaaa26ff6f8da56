/* SPDX-License-Identifier: MIT */
/* Creating, filling and destroying designs. Arrays grow by doubling, and arrays per voxel (layers,
   velocities) grow together with the voxels. */
#include "lattice/design.h"

#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"

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

void vxe_design_mark(vxe_design *design, const char *conventions, const char *why, bool guessed)
{
    VXE_ASSERT(strlen(conventions) < sizeof design->written_for);
    memmove(design->written_for, conventions,
            strlen(conventions) + 1); /* may be the design's own */
    snprintf(design->written_for_by, sizeof design->written_for_by, "%s", why);
    design->written_for_guessed = guessed;
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
    for (uint32_t i = 0; i < design->schedule_count; i++) {
        vxe_memory_release(design->schedules[i].table);
    }
    vxe_memory_release(design->schedules);
    vxe_memory_release(design->contact_rules);
    for (uint32_t i = 0; i < design->affine_count; i++) {
        vxe_affine_body_release(&design->affine[i]);
    }
    vxe_memory_release(design->affine);
    vxe_memory_release(design->walls);
    for (uint32_t i = 0; i < design->observation_count; i++) {
        vxe_memory_release(design->observations[i].of);
        vxe_memory_release(design->observations[i].when);
    }
    vxe_memory_release(design->observations);
    vxe_memory_release(design->stiffening);
    vxe_memory_release(design->controller.weights);
    for (int i = 0; i < VXE_FORMULAS; i++) {
        vxe_memory_release(design->formulas[i]);
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

/* The capacity that replaces one of count items. */
static uint64_t larger_than(uint32_t count)
{
    return count > 0 ? 2 * (uint64_t)count : 1;
}

/* Makes sure that one more item can be added behind count: the items, or a larger copy of them, or
   null without memory. */
static void *grown_by_one(void *items, uint32_t count, uint32_t *capacity, uint64_t size,
                          vxe_error *error)
{
    VXE_ASSERT(count <= *capacity);
    VXE_ASSERT(items || *capacity == 0);
    if (count < *capacity) {
        return items;
    }
    const uint64_t larger = larger_than(count);
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

/* Number of voxels that arrays per voxel have memory for. */
static uint64_t capacity_for_voxels(const vxe_design *design)
{
    return design->voxel_capacity > design->voxel_count ? design->voxel_capacity
                                                        : design->voxel_count;
}

/* Grows layers and velocities to the capacity that the voxels will have; the new numbers are 0. */
static vxe_status grow_voxel_arrays(vxe_design *design, vxe_error *error)
{
    const uint32_t count = design->voxel_count;
    const uint64_t larger = larger_than(count);
    VXE_ASSERT(design->voxel_count == design->voxel_capacity);
    for (uint32_t i = 0; i < design->layer_count; i++) {
        vxe_layer *layer = &design->layers[i];
        VXE_ASSERT(layer->width > 0 && layer->values);
        const uint64_t size = layer->width * sizeof *layer->values;
        double *values = vxe_memory_grow(layer->values, count, larger, size);
        if (!values) {
            return vxe_error_memory(error, larger * size);
        }
        layer->values = values;
    }
    if (design->velocity) {
        double *velocity =
            vxe_memory_grow(design->velocity, count, larger, 6 * sizeof *design->velocity);
        if (!velocity) {
            return vxe_error_memory(error, larger * 6 * sizeof *velocity);
        }
        design->velocity = velocity;
    }
    return VXE_OK;
}

vxe_status vxe_design_add_voxel(vxe_design *design, int32_t x, int32_t y, int32_t z,
                                uint32_t material, vxe_error *error)
{
    VXE_ASSERT(design->voxel_count <= design->voxel_capacity);
    if (design->voxel_count == design->voxel_capacity && grow_voxel_arrays(design, error)) {
        return VXE_ERROR_MEMORY;
    }
    vxe_voxel *items = grown_by_one(design->voxels, design->voxel_count, &design->voxel_capacity,
                                    sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->voxels = items;
    items[design->voxel_count++] = (vxe_voxel){{x, y, z}, material};
    return VXE_OK;
}

/* Copies count items of size bytes into a new block; *copy is null for none. */
static vxe_status copied(void **copy, const void *items, uint32_t count, uint64_t size,
                         vxe_error *error)
{
    *copy = NULL;
    VXE_ASSERT(items || count == 0);
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

vxe_status vxe_design_add_contact_rule(vxe_design *design, const vxe_contact_rule *rule,
                                       vxe_error *error)
{
    vxe_contact_rule *items = grown_by_one(design->contact_rules, design->contact_rule_count,
                                           &design->contact_rule_capacity, sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->contact_rules = items;
    items[design->contact_rule_count++] = *rule;
    return VXE_OK;
}

vxe_status vxe_design_add_affine(vxe_design *design, const vxe_affine_body *body, vxe_error *error)
{
    vxe_affine_body *items = grown_by_one(design->affine, design->affine_count,
                                          &design->affine_capacity, sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->affine = items;
    const vxe_status status = vxe_affine_body_copy(body, &items[design->affine_count], error);
    design->affine_count += !status;
    return status;
}

/* Bytes of a text and its end; 0 if there is none. */
static uint32_t text_size(const char *text)
{
    return text ? (uint32_t)strlen(text) + 1 : 0;
}

vxe_status vxe_design_add_observation(vxe_design *design, const vxe_observation *observation,
                                      vxe_error *error)
{
    vxe_observation *items = grown_by_one(design->observations, design->observation_count,
                                          &design->observation_capacity, sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->observations = items;
    vxe_observation *added = &items[design->observation_count];
    void *of = NULL;
    void *when = NULL;
    if (copied(&of, observation->of, text_size(observation->of), 1, error) ||
        copied(&when, observation->when, text_size(observation->when), 1, error)) {
        vxe_memory_release(of);
        return VXE_ERROR_MEMORY;
    }
    *added = *observation;
    added->of = of;
    added->when = when;
    design->observation_count++;
    return VXE_OK;
}

vxe_status vxe_design_add_wall(vxe_design *design, const vxe_wall *wall, vxe_error *error)
{
    vxe_wall *items = grown_by_one(design->walls, design->wall_count, &design->wall_capacity,
                                   sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->walls = items;
    items[design->wall_count++] = *wall;
    return VXE_OK;
}

vxe_status vxe_design_add_schedule(vxe_design *design, const vxe_group_schedule *schedule,
                                   vxe_error *error)
{
    vxe_group_schedule *items = grown_by_one(design->schedules, design->schedule_count,
                                             &design->schedule_capacity, sizeof *items, error);
    if (!items) {
        return VXE_ERROR_MEMORY;
    }
    design->schedules = items;
    void *table = NULL;
    if (copied(&table, schedule->table, schedule->table_count, 2 * sizeof *schedule->table,
               error)) {
        return VXE_ERROR_MEMORY;
    }
    items[design->schedule_count] = *schedule;
    items[design->schedule_count++].table = table;
    return VXE_OK;
}

vxe_status vxe_design_set_schedule(vxe_design *design, const vxe_group_schedule *schedule,
                                   vxe_error *error)
{
    for (uint32_t i = 0; i < design->schedule_count; i++) {
        vxe_group_schedule *item = &design->schedules[i];
        if (item->group == schedule->group) {
            void *table = NULL;
            if (copied(&table, schedule->table, schedule->table_count, 2 * sizeof *schedule->table,
                       error)) {
                return VXE_ERROR_MEMORY;
            }
            vxe_memory_release(item->table);
            *item = *schedule;
            item->table = table;
            return VXE_OK;
        }
    }
    return vxe_design_add_schedule(design, schedule, error);
}

vxe_status vxe_design_set_controller(vxe_design *design, const vxe_controller *controller,
                                     vxe_error *error)
{
    void *weights = NULL;
    if (controller && vxe_controller_check(controller, error)) {
        return VXE_ERROR_INPUT;
    }
    if (controller &&
        copied(&weights, controller->weights, (uint32_t)vxe_network_weights(&controller->network),
               sizeof *controller->weights, error)) {
        return VXE_ERROR_MEMORY;
    }
    vxe_memory_release(design->controller.weights);
    design->controller = controller ? *controller : (vxe_controller){.interval = 0};
    design->controller.weights = weights;
    return VXE_OK;
}

vxe_status vxe_design_set_stiffening(vxe_design *design, const double *table, uint32_t count,
                                     vxe_error *error)
{
    void *copy = NULL;
    if (copied(&copy, table, count, 2 * sizeof *table, error)) {
        return VXE_ERROR_MEMORY;
    }
    vxe_memory_release(design->stiffening);
    design->stiffening = copy;
    design->stiffening_count = count;
    return VXE_OK;
}

const char *vxe_formula_name(vxe_formula which)
{
    static const char *const names[VXE_FORMULAS] = {"force field along x",
                                                    "force field along y",
                                                    "force field along z",
                                                    "formula of the stop",
                                                    "fitness",
                                                    "magnetic field along x",
                                                    "magnetic field along y",
                                                    "magnetic field along z",
                                                    "magnetic gradient xx",
                                                    "magnetic gradient yy",
                                                    "magnetic gradient xy",
                                                    "magnetic gradient xz",
                                                    "magnetic gradient yz"};
    return (unsigned)which < VXE_FORMULAS ? names[which] : NULL;
}

vxe_status vxe_design_set_formula(vxe_design *design, vxe_formula which, const char *formula,
                                  vxe_error *error)
{
    if ((unsigned)which >= VXE_FORMULAS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "there is no formula %d; they are numbered from 0 to %d", (int)which,
                              VXE_FORMULAS - 1);
    }
    const size_t size = formula ? strlen(formula) + 1 : 0;
    char *copy = formula ? vxe_memory_take(size, 1) : NULL;
    if (formula && !copy) {
        return vxe_error_memory(error, size);
    }
    if (formula) {
        memcpy(copy, formula, size);
    }
    vxe_memory_release(design->formulas[which]);
    design->formulas[which] = copy;
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
    VXE_ASSERT(name && width > 0);
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
    layer->values = vxe_memory_take(capacity_for_voxels(design) * width, sizeof *layer->values);
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
        design->velocity =
            vxe_memory_take(capacity_for_voxels(design), 6 * sizeof *design->velocity);
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

uint32_t vxe_design_note_count(const vxe_design *design)
{
    return design->notes->count;
}

const char *vxe_design_note(const vxe_design *design, uint32_t index)
{
    return index < design->notes->count ? design->notes->items[index].text : "";
}

bool vxe_design_note_is_mistake(const vxe_design *design, uint32_t index)
{
    return index < design->notes->count && design->notes->items[index].mistake;
}
