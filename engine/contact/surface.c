/* SPDX-License-Identifier: MIT */
/* Finds the voxels of a model that can collide: those with a free face, or with one once a bond
   breaks. Particles are left out: they collide by contact models. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/contact/contact.h"

/* Whether the list of a surface has every voxel but particles: because any voxel may come to the
   surface, or because nearly all are there, and a list without gaps is read faster. */
static bool holds_all(const vxe_model *model, const vxe_design *design)
{
    const vxe_topology *topology = &model->topology;
    bool particles = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        particles = particles || vxe_design_is_particle(design, i);
    }
    const bool mostly = topology->voxel_count <= VXE_MAX_WITHOUT_GRID &&
                        4 * topology->surface_count >= 3 * topology->voxel_count;
    return vxe_model_breaks(model) || (mostly && !particles);
}

/* Finds which of the cells around each voxel hold a voxel that bonds do not join closely. */
static vxe_status find_apart(vxe_surface *surface, const vxe_topology *topology, vxe_error *error)
{
    uint32_t *linked = vxe_topology_neighbours(topology);
    surface->apart = vxe_memory_take(surface->count, sizeof *surface->apart);
    const bool complete = linked && surface->apart;
    for (uint32_t k = 0; k < surface->count && complete; k++) {
        vxe_bonded found;
        vxe_bonded_find(&found, linked, surface->slot[k], VXE_TOUCHING_BONDS);
        for (int bit = 0; bit < 27; bit++) {
            const bool joined =
                found.at[VXE_MAX_BONDS - 1 + bit % 3][VXE_MAX_BONDS - 1 + bit / 3 % 3]
                        [VXE_MAX_BONDS - 1 + bit / 9];
            surface->apart[k] |= joined ? 0 : 1u << bit;
        }
    }
    vxe_memory_release(linked);
    return complete
               ? VXE_OK
               : vxe_error_memory(error, 24ull * topology->voxel_count + 4ull * surface->count);
}

vxe_status vxe_model_fill_surface(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    vxe_surface *surface = &model->surface;
    if (!design->self_collision) {
        return VXE_OK;
    }
    const bool all = holds_all(model, design);
    const uint64_t count = all ? topology->voxel_count : topology->surface_count;
    surface->slot = vxe_memory_take(count, sizeof *surface->slot);
    surface->cell = vxe_memory_take(3 * count, sizeof *surface->cell);
    surface->faces = vxe_memory_take(count, sizeof *surface->faces);
    if (!surface->slot || !surface->cell || !surface->faces) {
        return vxe_error_memory(error, 17 * count);
    }
    memcpy(surface->axes, topology->axes, sizeof surface->axes);
    surface->spheres = model->conventions.contact_spheres;
    surface->breaks = vxe_model_breaks(model);
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        const uint32_t material = design->voxels[topology->order[slot]].material;
        if ((topology->faces[slot] || all) && !vxe_design_is_particle(design, material)) {
            const uint32_t k = surface->count++;
            surface->slot[k] = slot;
            surface->faces[k] = topology->faces[slot];
            surface->loose = surface->loose ||
                             (topology->faces[slot] == VXE_ALL_FACES && !design->magnetics.enabled);
            memcpy(surface->cell + 3ull * k, design->voxels[topology->order[slot]].position,
                   3 * sizeof *surface->cell);
        }
    }
    VXE_ASSERT(surface->count <= count);
    return surface->spheres || surface->breaks ? VXE_OK : find_apart(surface, topology, error);
}

void vxe_surface_clear(vxe_surface *surface)
{
    vxe_memory_release(surface->slot);
    vxe_memory_release(surface->cell);
    vxe_memory_release(surface->faces);
    vxe_memory_release(surface->apart);
    *surface = (vxe_surface){0};
}
