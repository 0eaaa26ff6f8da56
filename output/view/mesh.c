/* SPDX-License-Identifier: MIT */
/* Makes the surface mesh of a design: corners of bonded voxels are joined into vertices by
   union-find; vertices are the means of their corners in each frame. */
#include "output/view/mesh.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/cell_list_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "lattice/topology_internal.h"

const uint8_t vxe_face_corners[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                        {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};

/* Returns the smallest corner of the set of joined corners (union-find with path halving). */
static uint32_t root_of(uint32_t *parent, uint32_t corner)
{
    while (parent[corner] != corner) {
        parent[corner] = parent[parent[corner]];
        corner = parent[corner];
    }
    return corner;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    const uint32_t one = root_of(parent, a);
    const uint32_t two = root_of(parent, b);
    parent[one > two ? one : two] = one > two ? two : one;
}

/* Joins the corners that coincide because their voxels are bonded. */
static void join_corners(const vxe_topology *scan, uint32_t *parent)
{
    for (uint32_t i = 0; i < 8 * scan->voxel_count; i++) {
        parent[i] = i;
    }
    for (uint32_t place = 0; place < scan->voxel_count; place++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            const uint32_t up = scan->up[axis][place];
            for (uint32_t corner = 0; corner < 8 && up != VXE_NONE; corner++) {
                if (corner >> axis & 1) {
                    join(parent, 8 * scan->order[place] + corner,
                         8 * scan->order[up] + (corner ^ 1u << axis));
                }
            }
        }
    }
}

/* Makes a quadrilateral of each free face, and numbers the vertices in the order of their first
   use. Afterwards vertex_of holds the numbers at the roots of sets, VXE_NONE elsewhere. */
static void make_quads(vxe_mesh *mesh, const vxe_topology *scan, uint32_t *parent)
{
    uint32_t *number = mesh->vertex_of;
    for (uint32_t i = 0; i < 8 * scan->voxel_count; i++) {
        number[i] = VXE_NONE;
    }
    for (uint32_t v = 0; v < scan->voxel_count; v++) {
        for (uint32_t face = 0; face < 6; face++) {
            if (!(scan->faces[scan->place[v]] >> face & 1)) {
                continue;
            }
            vxe_quad *quad = &mesh->quads[mesh->quad_count++];
            quad->voxel = v;
            for (int k = 0; k < 4; k++) {
                const uint32_t root = root_of(parent, 8 * v + vxe_face_corners[face][k]);
                number[root] = number[root] == VXE_NONE ? mesh->vertex_count++ : number[root];
                quad->vertex[k] = number[root];
            }
        }
    }
}

/* Gives each corner the number of its root; with `whole`, corners inside the body get numbers too.
   A root is the smallest corner of its set, so it is numbered before the others. */
static void number_corners(vxe_mesh *mesh, uint32_t corners, bool whole, uint32_t *parent)
{
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t root = root_of(parent, i);
        if (root == i && whole && mesh->vertex_of[i] == VXE_NONE) {
            mesh->vertex_of[i] = mesh->vertex_count++;
        }
        VXE_ASSERT(root <= i);
        mesh->vertex_of[i] = mesh->vertex_of[root];
    }
}

static uint32_t count_faces(const vxe_topology *scan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scan->voxel_count; i++) {
        for (int face = 0; face < 6; face++) {
            count += scan->faces[i] >> face & 1;
        }
    }
    return count;
}

vxe_status vxe_mesh_init(vxe_mesh *mesh, const vxe_design *design, bool whole, vxe_error *error)
{
    const uint64_t corners = 8ull * design->voxel_count;
    vxe_topology scan;
    *mesh = (vxe_mesh){0};
    if (corners == 0) {
        mesh->first = vxe_memory_take(1, sizeof *mesh->first);
        return mesh->first ? VXE_OK : vxe_error_memory(error, sizeof *mesh->first);
    }
    if (corners > INT32_MAX) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "a surface of %u voxels: at most %d",
                              design->voxel_count, INT32_MAX / 8);
    }
    const vxe_status status = vxe_topology_init(&scan, design, error);
    if (status) {
        return status;
    }
    uint32_t *parent = vxe_memory_take(corners, sizeof *parent);
    mesh->vertex_of = vxe_memory_take(corners, sizeof *mesh->vertex_of);
    mesh->quads = vxe_memory_take(count_faces(&scan), sizeof *mesh->quads);
    mesh->corner = vxe_memory_take(corners, sizeof *mesh->corner);
    mesh->first = vxe_memory_take(corners + 1, sizeof *mesh->first);
    const bool there = parent && mesh->vertex_of && mesh->quads && mesh->corner && mesh->first;
    if (there) {
        join_corners(&scan, parent);
        make_quads(mesh, &scan, parent);
        VXE_ASSERT(mesh->quad_count == count_faces(&scan));
        number_corners(mesh, (uint32_t)corners, whole, parent);
        vxe_cell_list_sort(mesh->vertex_of, corners, mesh->vertex_count, mesh->first, mesh->corner,
                           NULL);
    } else {
        vxe_mesh_clear(mesh);
    }
    vxe_memory_release(parent);
    vxe_topology_clear(&scan);
    return there ? VXE_OK : vxe_error_memory(error, 5 * corners * sizeof *parent);
}

/* Reserves memory for so many more vertices and quadrilaterals. */
static vxe_status grow(vxe_mesh *mesh, uint64_t vertices, uint64_t quads, vxe_error *error)
{
    const uint64_t capacity[3] = {mesh->quad_count + quads, mesh->body_vertex_count + vertices,
                                  mesh->vertex_count + vertices + 1};
    vxe_quad *more = vxe_memory_grow(mesh->quads, mesh->quad_count, capacity[0], sizeof *more);
    mesh->quads = more ? more : mesh->quads;
    vxe_body_vertex *of_bodies = vxe_memory_grow(mesh->body_vertices, mesh->body_vertex_count,
                                                 capacity[1], sizeof *of_bodies);
    mesh->body_vertices = of_bodies ? of_bodies : mesh->body_vertices;
    uint32_t *first =
        vxe_memory_grow(mesh->first, mesh->vertex_count + 1ull, capacity[2], sizeof *first);
    mesh->first = first ? first : mesh->first;
    return more && of_bodies && first
               ? VXE_OK
               : vxe_error_memory(error,
                                  capacity[0] * sizeof *more + capacity[1] * sizeof *of_bodies);
}

/* Cuts a polygon (count corners, indices relative to base) into quadrilaterals that start at its
   first corner. A triangle that remains repeats its last corner. */
static void put_polygon(vxe_mesh *mesh, const uint32_t *corners, uint32_t count, uint32_t base,
                        uint32_t owner)
{
    VXE_ASSERT(count >= 3);
    for (uint32_t i = 1; i + 1 < count; i += 2) {
        const uint32_t last = i + 2 < count ? i + 2 : i + 1;
        const uint32_t from = i > 1 ? 1u : 0;            /* side from the first corner: a cut */
        const uint32_t none = last == i + 1 ? 1u : 0;    /* side without length */
        const uint32_t back = last + 1 < count ? 1u : 0; /* side back to it: a cut */
        mesh->quads[mesh->quad_count++] = (vxe_quad){
            .vertex = {base + corners[0], base + corners[i], base + corners[i + 1],
                       base + corners[last]},
            .voxel = owner,
            .hidden = from | none << 2 | back << 3,
        };
    }
}

/* Adds the faces of a body, for which there is memory. */
static void add_body(vxe_mesh *mesh, const vxe_affine_shape *faces, uint32_t body, uint32_t owner)
{
    const uint32_t base = mesh->vertex_count;
    uint32_t at = 0;
    for (uint32_t v = 0; v < faces->vertex_count; v++) {
        const double *arm = faces->vertices + 3 * (size_t)v;
        mesh->body_vertices[mesh->body_vertex_count++] =
            (vxe_body_vertex){body, {arm[0], arm[1], arm[2]}};
        mesh->vertex_count++;
        mesh->first[mesh->vertex_count] = mesh->first[base]; /* no voxel has a corner there */
    }
    for (uint32_t f = 0; f < faces->face_count; f++) {
        put_polygon(mesh, faces->corners + at, faces->face_sizes[f], base, owner);
        at += faces->face_sizes[f];
    }
    VXE_ASSERT(at == faces->corner_count);
}

vxe_status vxe_mesh_add_bodies(vxe_mesh *mesh, const vxe_design *design, vxe_error *error)
{
    VXE_ASSERT(mesh->body_vertex_count == 0); /* bodies are added once */
    vxe_status status = VXE_OK;
    uint64_t vertices = 0;
    uint64_t corners = 0;
    for (uint32_t b = 0; b < design->affine_count && !status; b++) {
        vxe_affine_shape faces = {.kind = VXE_AFFINE_BOX};
        status = vxe_affine_shape_faces(&design->affine[b].shape, &faces, error);
        vertices += faces.vertex_count;
        corners += faces.corner_count;
        vxe_affine_shape_release(&faces);
    }
    /* memory is taken once for all of them */
    if (!status && design->affine_count > 0) {
        status = grow(mesh, vertices, corners, error);
    }
    for (uint32_t b = 0; b < design->affine_count && !status; b++) {
        vxe_affine_shape faces = {.kind = VXE_AFFINE_BOX};
        status = vxe_affine_shape_faces(&design->affine[b].shape, &faces, error);
        if (!status) {
            add_body(mesh, &faces, b, design->voxel_count + b);
        }
        vxe_affine_shape_release(&faces);
    }
    return status;
}

void vxe_mesh_clear_faces(vxe_material_faces *faces)
{
    vxe_memory_release(faces->first);
    vxe_memory_release(faces->face);
    *faces = (vxe_material_faces){0};
}

vxe_status vxe_mesh_sort_faces(const vxe_mesh *mesh, const vxe_design *design,
                               vxe_material_faces *faces, vxe_error *error)
{
    const uint64_t count = mesh->quad_count;
    const uint32_t materials = design->material_count + design->affine_count;
    uint32_t *own = vxe_memory_take(count, sizeof *own);
    *faces = (vxe_material_faces){.materials = materials,
                                  .first = vxe_memory_take(materials + 1ull, sizeof *faces->first),
                                  .face = vxe_memory_take(count, sizeof *faces->face)};
    const bool there = own && faces->first && faces->face;
    for (uint64_t i = 0; i < count && there; i++) {
        const uint32_t owner = mesh->quads[i].voxel;
        own[i] = owner >= design->voxel_count ? design->material_count + owner - design->voxel_count
                                              : design->voxels[owner].material;
    }
    if (there) {
        vxe_cell_list_sort(own, count, materials, faces->first, faces->face, NULL);
    }
    vxe_memory_release(own);
    return there ? VXE_OK : vxe_error_memory(error, 8 * count + 4ull * materials);
}

void vxe_mesh_clear(vxe_mesh *mesh)
{
    vxe_memory_release(mesh->quads);
    vxe_memory_release(mesh->first);
    vxe_memory_release(mesh->corner);
    vxe_memory_release(mesh->vertex_of);
    vxe_memory_release(mesh->body_vertices);
    *mesh = (vxe_mesh){0};
}

void vxe_mesh_place_body(const vxe_body_vertex *vertex, const vxe_frame *frame, double place[3])
{
    VXE_ASSERT(vertex->body < frame->bodies);
    vxe_m3_apply(frame->deformation + 9 * (size_t)vertex->body, vertex->arm, place);
    for (size_t c = 0; c < 3; c++) {
        place[c] += frame->place[3 * (size_t)vertex->body + c];
    }
}

void vxe_mesh_place(const vxe_mesh *mesh, const vxe_frame *frame, double *places)
{
    const uint32_t of_voxels = mesh->vertex_count - mesh->body_vertex_count;
    for (uint32_t i = 0; i < mesh->body_vertex_count; i++) {
        vxe_mesh_place_body(&mesh->body_vertices[i], frame, places + 3 * (size_t)(of_voxels + i));
    }
    for (uint32_t i = 0; i < of_voxels; i++) {
        const uint32_t count = mesh->first[i + 1] - mesh->first[i];
        double sum[3] = {0, 0, 0};
        VXE_ASSERT(count > 0 && count <= 8);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t corner = mesh->corner[mesh->first[i] + k];
            const size_t voxel = corner / 8;
            const double half = 0.5 * frame->edge[voxel];
            double arm[3];
            for (int c = 0; c < 3; c++) {
                arm[c] = corner >> c & 1 ? half : -half;
            }
            vxe_rotate(frame->orientation + 4 * voxel, arm, arm);
            for (int c = 0; c < 3; c++) {
                sum[c] += frame->position[3 * voxel + (size_t)c] + arm[c];
            }
        }
        for (int c = 0; c < 3; c++) {
            places[3 * (size_t)i + (size_t)c] = sum[c] / count;
        }
    }
}
