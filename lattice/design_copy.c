/* SPDX-License-Identifier: MIT */
/* Deep copies of designs, which evolution and batches change independently. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/design.h"

/* Copies everything that is no array. */
static void copy_plain(vxe_design *copy, const vxe_design *design)
{
    memcpy(copy->name, design->name, sizeof copy->name);
    memcpy(copy->written_for, design->written_for, sizeof copy->written_for);
    memcpy(copy->written_for_by, design->written_for_by, sizeof copy->written_for_by);
    copy->written_for_guessed = design->written_for_guessed;
    memcpy(copy->file_origin, design->file_origin, sizeof copy->file_origin);
    memcpy(copy->gravity, design->gravity, sizeof copy->gravity);
    copy->voxel_size = design->voxel_size;
    copy->floor = design->floor;
    copy->floor.heights = (vxe_heightfield){.columns = 0};
    copy->fluid = design->fluid;
    copy->magnetics = design->magnetics;
    copy->volume_effects = design->volume_effects;
    copy->self_collision = design->self_collision;
    copy->pair_distance = design->pair_distance;
    copy->actuation = design->actuation;
    copy->stop = design->stop;
    copy->time_step = design->time_step;
}

/* Copies the voxels with their layers and velocities. */
static vxe_status copy_body(vxe_design *copy, const vxe_design *design, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t v = 0; v < design->voxel_count && !status; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        status = vxe_design_add_voxel(copy, voxel->position[0], voxel->position[1],
                                      voxel->position[2], voxel->material, error);
    }
    for (uint32_t i = 0; i < design->layer_count && !status; i++) {
        const vxe_layer *layer = &design->layers[i];
        const uint64_t bytes = (uint64_t)design->voxel_count * layer->width * sizeof(double);
        const vxe_layer *made = vxe_design_layer(copy, layer->name, layer->width);
        status = made ? VXE_OK : vxe_error_memory(error, bytes);
        if (made && bytes) {
            memcpy(made->values, layer->values, (size_t)bytes);
        }
    }
    for (uint32_t v = 0; v < design->voxel_count && design->velocity && !status; v++) {
        const double *of = design->velocity + 6 * (size_t)v;
        status = vxe_design_set_velocity(copy, v, of, of + 3, error);
    }
    return status;
}

/* Copies the materials, and all that acts on the voxels. */
static vxe_status copy_world(vxe_design *copy, const vxe_design *design, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < design->material_count && !status; i++) {
        status = vxe_design_add_material(copy, &design->materials[i], NULL, error);
    }
    for (uint32_t i = 0; i < design->region_count && !status; i++) {
        status = vxe_design_add_region(copy, &design->regions[i], error);
    }
    for (uint32_t i = 0; i < design->schedule_count && !status; i++) {
        status = vxe_design_add_schedule(copy, &design->schedules[i], error);
    }
    for (uint32_t i = 0; i < design->contact_rule_count && !status; i++) {
        status = vxe_design_add_contact_rule(copy, &design->contact_rules[i], error);
    }
    for (uint32_t i = 0; i < design->affine_count && !status; i++) {
        status = vxe_design_add_affine(copy, &design->affine[i], error);
    }
    for (uint32_t i = 0; i < design->observation_count && !status; i++) {
        status = vxe_design_add_observation(copy, &design->observations[i], error);
    }
    for (uint32_t i = 0; i < design->wall_count && !status; i++) {
        status = vxe_design_add_wall(copy, &design->walls[i], error);
    }
    for (int i = 0; i < VXE_FORMULAS && !status; i++) {
        status = vxe_design_set_formula(copy, (vxe_formula)i, design->formulas[i], error);
    }
    if (!status && design->stiffening_count > 0) {
        status =
            vxe_design_set_stiffening(copy, design->stiffening, design->stiffening_count, error);
    }
    if (!status && design->controller.interval > 0) {
        status = vxe_design_set_controller(copy, &design->controller, error);
    }
    if (!status && design->floor.heights.columns > 0) {
        status = vxe_design_set_heights(copy, &design->floor.heights, error);
    }
    return status;
}

vxe_design *vxe_design_copy(const vxe_design *design, vxe_error *error)
{
    vxe_design *copy = vxe_design_create();
    if (!copy) {
        (void)vxe_error_memory(error, sizeof *copy);
        return NULL;
    }
    const uint64_t failures = vxe_memory_failures();
    copy_plain(copy, design);
    vxe_status status = copy_world(copy, design, error);
    status = status ? status : copy_body(copy, design, error);
    VXE_ASSERT(status || (copy->voxel_count == design->voxel_count &&
                          copy->layer_count == design->layer_count &&
                          copy->region_count == design->region_count));
    vxe_messages_join(copy->notes, design->notes);
    status = status ? status : vxe_memory_check(failures, error); /* a note was lost */
    if (status) {
        vxe_design_destroy(copy);
        return NULL;
    }
    return copy;
}
