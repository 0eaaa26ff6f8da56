/* SPDX-License-Identifier: MIT */
/* The surface of a world in float: vertices by mesh.c, copied to the corners of each
   quadrilateral. */
#include "output/view/surface.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "output/view/mesh.h"

struct vxe_surface {
    vxe_mesh mesh;
    uint32_t *voxels; /* (quads) */
    vxe_frame *frame; /* poses and edges; its sensors are not filled */
    double *places;   /* (vertices, 3) m */
};

vxe_surface *vxe_surface_create(const vxe_design *design, vxe_error *error)
{
    vxe_surface *surface = vxe_memory_take(1, sizeof *surface);
    if (!surface) {
        vxe_error_memory(error, sizeof *surface);
        return NULL;
    }
    vxe_status status = vxe_mesh_init(&surface->mesh, design, false, error);
    status = status ? status : vxe_mesh_add_bodies(&surface->mesh, design, error);
    if (status) {
        vxe_surface_destroy(surface);
        return NULL;
    }
    const vxe_mesh *mesh = &surface->mesh;
    surface->frame = vxe_frame_create(design->voxel_count, design->affine_count, error);
    surface->voxels = vxe_memory_take(mesh->quad_count, sizeof *surface->voxels);
    surface->places = vxe_memory_take(mesh->vertex_count, 3 * sizeof *surface->places);
    if (!surface->frame || !surface->voxels || !surface->places) {
        vxe_error_memory(error, 4ull * mesh->quad_count + 24ull * mesh->vertex_count);
        vxe_surface_destroy(surface);
        return NULL;
    }
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        surface->voxels[q] = mesh->quads[q].voxel;
    }
    return surface;
}

void vxe_surface_destroy(vxe_surface *surface)
{
    if (surface) {
        vxe_mesh_clear(&surface->mesh);
        vxe_frame_destroy(surface->frame);
        vxe_memory_release(surface->voxels);
        vxe_memory_release(surface->places);
        vxe_memory_release(surface);
    }
}

uint32_t vxe_surface_quads(const vxe_surface *surface)
{
    return surface->mesh.quad_count;
}

const uint32_t *vxe_surface_voxels(const vxe_surface *surface)
{
    return surface->voxels;
}

void vxe_surface_place(vxe_surface *surface, const vxe_world *world, float *corners)
{
    vxe_frame *frame = surface->frame;
    const vxe_mesh *mesh = &surface->mesh;
    VXE_ASSERT(frame->voxels == vxe_world_describe(world).voxels &&
               frame->bodies == vxe_world_describe(world).affine);
    vxe_world_poses(world, frame->position, frame->orientation);
    vxe_world_affine_poses(world, frame->place, frame->deformation);
    vxe_world_sense(world, &(vxe_sensors){.edge = frame->edge});
    vxe_mesh_place(mesh, frame, surface->places);
    for (size_t q = 0; q < mesh->quad_count; q++) {
        for (size_t k = 0; k < 4; k++) {
            const double *place = surface->places + 3 * (size_t)mesh->quads[q].vertex[k];
            for (size_t c = 0; c < 3; c++) {
                corners[12 * q + 3 * k + c] = (float)place[c];
            }
        }
    }
}
