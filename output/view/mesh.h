/* SPDX-License-Identifier: MIT */
/* The deformed surface as quadrilaterals: faces of voxels, and of affine bodies. A vertex is the
   mean of the corners of the voxels that are bonded around it. */
#ifndef VXE_OUTPUT_VIEW_MESH_H
#define VXE_OUTPUT_VIEW_MESH_H

#include "lattice/design.h"
#include "output/record/frame.h"

/* Faces of a voxel are counted +x -x +y -y +z -z. Bit c of a corner is set where the corner is on
   the upper side of axis c. */
typedef struct vxe_quad {
    uint32_t vertex[4]; /* counter-clockwise from outside */
    uint32_t voxel;     /* voxel of the face; affine bodies are counted behind the voxels */
    uint32_t hidden;    /* bit k: the side from vertex k to the next is a cut through a flat face,
                           and is not outlined */
} vxe_quad;

typedef struct vxe_mesh {
    vxe_quad *quads; /* (quad_count) in design order of the voxels */
    uint32_t quad_count;
    uint32_t vertex_count;
    uint32_t *first;     /* (vertex_count + 1) start of each vertex's list in corner */
    uint32_t *corner;    /* joined corners, as 8 * voxel + corner; at most 8 per vertex */
    uint32_t *vertex_of; /* (8 * voxels) the vertex of each corner, or VXE_NONE */
    struct vxe_body_vertex *body_vertices; /* (body_vertex_count) vertices of affine bodies; they
                                              are the last of the vertices */
    uint32_t body_vertex_count;
} vxe_mesh;

/* A vertex of an affine body. */
typedef struct vxe_body_vertex {
    uint32_t body;
    double arm[3]; /* m, from the centroid of the undeformed body */
} vxe_body_vertex;

/* Makes the mesh of free faces and their vertices; with `whole`, of all corners of voxels. */
vxe_status vxe_mesh_init(vxe_mesh *mesh, const vxe_design *design, bool whole, vxe_error *error);
void vxe_mesh_clear(vxe_mesh *mesh);

/* Adds the faces of affine bodies, cut into quadrilaterals; a triangle is one with two equal
   corners. */
vxe_status vxe_mesh_add_bodies(vxe_mesh *mesh, const vxe_design *design, vxe_error *error);

/* The faces of a mesh, sorted by material. Affine bodies count as materials behind those of voxels.
 */
typedef struct vxe_material_faces {
    uint32_t materials;
    uint32_t *first; /* (materials + 1) of the faces of each, in face */
    uint32_t *face;  /* (quad_count) */
} vxe_material_faces;

vxe_status vxe_mesh_sort_faces(const vxe_mesh *mesh, const vxe_design *design,
                               vxe_material_faces *faces, vxe_error *error);
void vxe_mesh_clear_faces(vxe_material_faces *faces);

/* Computes the position (m) of a vertex of an affine body in a frame. */
void vxe_mesh_place_body(const vxe_body_vertex *vertex, const vxe_frame *frame, double place[3]);

/* Computes the positions of all vertices in a frame: (vertex_count, 3) m. */
void vxe_mesh_place(const vxe_mesh *mesh, const vxe_frame *frame, double *places);

/* Corners of each face, counter-clockwise from outside. */
extern const uint8_t vxe_face_corners[6][4];

#endif
