/* SPDX-License-Identifier: MIT */
/* Puts the body of one design beside that of another. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/design.h"

/* How much there was of a design before the other one was added. */
typedef struct counts {
    uint32_t materials, voxels, regions, contact_rules;
} counts;

/* Layers that say the same as no layer: by these numbers, where it is not 0. */
static const struct {
    const char *name;
    enum { ONE, MODULUS, DENSITY, MAGNETIZATION } is;
} neutral[] = {{"Amplitude", ONE},     {"Frequency", ONE},
               {"InitialSize", ONE},   {"FinalSize", ONE},
               {"Stiffness", MODULUS}, {"FinalStiffness", MODULUS},
               {"Density", DENSITY},   {"Magnetization", MAGNETIZATION}};

/* Fills a layer of some voxels with numbers that do nothing. */
static void fill_neutrally(const vxe_design *design, const vxe_layer *layer, uint32_t first,
                           uint32_t last)
{
    for (size_t n = 0; n < sizeof neutral / sizeof neutral[0]; n++) {
        for (uint32_t v = first; strcmp(neutral[n].name, layer->name) == 0 && v < last; v++) {
            const vxe_material *material = &design->materials[design->voxels[v].material];
            double *at = layer->values + (size_t)v * layer->width;
            if (neutral[n].is == MAGNETIZATION && layer->width == 3) {
                memcpy(at, material->magnetization, sizeof material->magnetization);
            } else {
                at[0] = neutral[n].is == MODULUS   ? material->youngs_modulus
                        : neutral[n].is == DENSITY ? material->density
                                                   : 1;
            }
        }
    }
}

static vxe_status check(const vxe_design *design, const vxe_design *other, const int32_t at[3],
                        vxe_error *error)
{
    if (design->voxel_size != other->voxel_size) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "voxels of %g m can not be added to a design with voxels of %g m",
                              other->voxel_size, design->voxel_size);
    }
    if (other->affine_count > 0 || other->wall_count > 0 || other->observation_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "affine bodies, their walls and observations can not be added to "
                              "another design");
    }
    for (uint32_t v = 0; v < other->voxel_count; v++) {
        const vxe_voxel *voxel = &other->voxels[v];
        for (int c = 0; c < 3; c++) {
            const int64_t to = (int64_t)voxel->position[c] + at[c];
            if (to < INT32_MIN || to > INT32_MAX) {
                return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                      "a voxel would be at lattice coordinate %lld, beyond 2^31",
                                      (long long)to);
            }
        }
        if (voxel->material >= other->material_count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "a voxel is of material %u; there are %u materials",
                                  voxel->material, other->material_count);
        }
    }
    for (uint32_t l = 0; l < other->layer_count; l++) {
        const vxe_layer *layer = &other->layers[l];
        const vxe_layer *mine = vxe_design_find_layer(design, layer->name);
        if (mine && mine->width != layer->width) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "layer %s has %u numbers per voxel, and %u in the other design",
                                  layer->name, mine->width, layer->width);
        }
    }
    return VXE_OK;
}

static vxe_status add_voxels(vxe_design *design, const vxe_design *other, const counts *before,
                             const counts *added, const int32_t at[3], vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < added->materials && !status; i++) {
        const vxe_material material = other->materials[i]; /* the other may be this one */
        status = vxe_design_add_material(design, &material, NULL, error);
    }
    for (uint32_t v = 0; v < added->voxels && !status; v++) {
        const vxe_voxel voxel = other->voxels[v];
        status = vxe_design_add_voxel(design, voxel.position[0] + at[0], voxel.position[1] + at[1],
                                      voxel.position[2] + at[2], before->materials + voxel.material,
                                      error);
    }
    for (uint32_t v = 0; v < added->voxels && other->velocity && !status; v++) {
        double rates[6];
        memcpy(rates, other->velocity + 6 * (size_t)v, sizeof rates);
        status = vxe_design_set_velocity(design, before->voxels + v, rates, rates + 3, error);
    }
    return status;
}

/* Layers of either design, filled neutrally where only the other one has them. */
static vxe_status add_layers(vxe_design *design, const vxe_design *other, const counts *before,
                             vxe_error *error)
{
    const uint32_t all = design->voxel_count;
    for (uint32_t l = 0; l < other->layer_count && design != other; l++) {
        const vxe_layer *from = &other->layers[l];
        const bool known = vxe_design_find_layer(design, from->name);
        const vxe_layer *layer = vxe_design_layer(design, from->name, from->width);
        if (!layer) {
            return vxe_error_memory(error, (uint64_t)all * from->width * sizeof *layer->values);
        }
        if (!known) {
            fill_neutrally(design, layer, 0, before->voxels);
        }
    }
    for (uint32_t l = 0; l < design->layer_count; l++) {
        const vxe_layer *layer = &design->layers[l];
        const vxe_layer *from = vxe_design_find_layer(other, layer->name);
        if (from) {
            const size_t size = layer->width * sizeof *layer->values;
            const size_t first = (size_t)before->voxels * layer->width;
            if (all > before->voxels) {
                memcpy(layer->values + first, from->values, (all - before->voxels) * size);
            }
        } else {
            fill_neutrally(design, layer, before->voxels, all);
        }
    }
    return VXE_OK;
}

static vxe_status add_regions(vxe_design *design, const vxe_design *other, const counts *before,
                              const counts *added, const int32_t at[3], vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < added->regions && !status; i++) {
        vxe_region region = other->regions[i];
        for (int c = 0; c < 3; c++) {
            region.low[c] += at[c] * design->voxel_size;
            region.high[c] += at[c] * design->voxel_size;
        }
        status = vxe_design_add_region(design, &region, error);
        for (uint32_t v = 0; v < region.voxel_count && !status; v++) {
            design->regions[design->region_count - 1].voxels[v] += before->voxels;
        }
    }
    for (uint32_t i = 0; i < added->contact_rules && !status; i++) {
        vxe_contact_rule rule = other->contact_rules[i];
        rule.first += rule.first < VXE_CONTACT_PIECE ? before->materials : 0;
        rule.second += rule.second < VXE_CONTACT_PIECE ? before->materials : 0;
        status = vxe_design_add_contact_rule(design, &rule, error);
    }
    return status;
}

/* Takes off what was added to a design. */
static void take_back(vxe_design *design, const counts *before)
{
    for (uint32_t l = 0; l < design->layer_count; l++) {
        const vxe_layer *layer = &design->layers[l];
        memset(layer->values + (size_t)before->voxels * layer->width, 0,
               (size_t)(design->voxel_count - before->voxels) * layer->width *
                   sizeof *layer->values);
    }
    for (uint32_t i = before->regions; i < design->region_count; i++) {
        vxe_memory_release(design->regions[i].voxels);
        vxe_memory_release(design->regions[i].table);
    }
    for (uint32_t v = before->voxels; v < design->voxel_count && design->velocity; v++) {
        memset(design->velocity + 6 * (size_t)v, 0, 6 * sizeof *design->velocity);
    }
    design->material_count = before->materials;
    design->voxel_count = before->voxels;
    design->region_count = before->regions;
    design->contact_rule_count = before->contact_rules;
}

static counts counts_of(const vxe_design *design)
{
    return (counts){design->material_count, design->voxel_count, design->region_count,
                    design->contact_rule_count};
}

vxe_status vxe_design_add_design(vxe_design *design, const vxe_design *other, const int32_t at[3],
                                 vxe_error *error)
{
    const counts before = counts_of(design);
    const counts added = counts_of(other);
    const uint64_t failures = vxe_memory_failures();
    vxe_status status = check(design, other, at, error);
    if (status) {
        return status;
    }
    status = add_voxels(design, other, &before, &added, at, error);
    status = status ? status : add_layers(design, other, &before, error);
    status = status ? status : add_regions(design, other, &before, &added, at, error);
    if (!status && design != other) {
        vxe_messages_join(design->notes, other->notes);
        status = vxe_memory_check(failures, error); /* a note was lost */
    }
    if (status) {
        take_back(design, &before);
    }
    VXE_ASSERT(status || design->voxel_count == before.voxels + added.voxels);
    return status;
}
