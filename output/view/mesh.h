/* SPDX-License-Identifier: MIT */
/* The deformed surface of a body: quadrilaterals whose corners are where the voxels that are bonded
   around them have theirs, in the mean; and those of affine bodies. */
#ifndef VXE_OUTPUT_VIEW_MESH_H
#define VXE_OUTPUT_VIEW_MESH_H

#include "lattice/design.h"
#include "output/record/frame.h"

/* Faces of a voxel: +x -x +y -y +z -z; corners: bit c is set where it is on the upper side of axis
   c. */
typedef struct vxe_quad {
    uint32_t vertex[4]; /* counter-clockwise from outside */
    uint32_t voxel;     /* whose face it is; behind the voxels affine bodies are counted */
    uint32_t hidden;    /* sides within a flat face, a bit each: from that vertex to the next */
} vxe_quad;

typedef struct vxe_mesh {
    vxe_quad *quads; /* (quad_count) in design order of their voxels */
    uint32_t quad_count;
    uint32_t vertex_count;
    uint32_t *first;     /* (vertex_count + 1) of each vertex's corners */
    uint32_t *corner;    /* 8 * voxel + corner of it: those that meet in a vertex, at most 8 */
    uint32_t *vertex_of; /* (8 * voxels) the vertex of each corner, or VXE_NONE */
    struct vxe_body_vertex *body_vertices; /* (body_vertex_count) the last of the vertices, where
                                              affine bodies are in it */
    uint32_t body_vertex_count;
} vxe_mesh;

/* A vertex of an affine body. */
typedef struct vxe_body_vertex {
    uint32_t body;
    double arm[3]; /* m, from its centroid, before all deformation */
} vxe_body_vertex;

/* Faces without a bonded neighbour, and their vertices; with whole also those inside. */
vxe_status vxe_mesh_init(vxe_mesh *mesh, const vxe_design *design, bool whole, vxe_error *error);
void vxe_mesh_clear(vxe_mesh *mesh);

/* Adds the faces of affine bodies, cut into quadrilaterals of two equal corners at most. */
vxe_status vxe_mesh_add_bodies(vxe_mesh *mesh, const vxe_design *design, vxe_error *error);

/* Where a vertex of an affine body is in a frame, m. */
void vxe_mesh_place_body(const vxe_body_vertex *vertex, const vxe_frame *frame, double place[3]);

/* Where the vertices are in a frame: (vertex_count, 3) m. */
void vxe_mesh_place(const vxe_mesh *mesh, const vxe_frame *frame, double *places);

/* The bits of a face's corners, counter-clockwise from outside. */
extern const uint8_t vxe_face_corners[6][4];

#endif
