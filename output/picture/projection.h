/* SPDX-License-Identifier: MIT */
/* A body seen by a camera: faces and floor lines in pixels, which png.c and svg.c draw. */
#ifndef VXE_OUTPUT_PICTURE_PROJECTION_H
#define VXE_OUTPUT_PICTURE_PROJECTION_H

#include <stdio.h>

#include "output/view/mesh.h"
#include "output/view/picture.h"

/* x to the right and y down, in pixels; depth grows away from the camera. */
typedef struct vxe_point {
    float x, y, depth;
} vxe_point;

typedef struct vxe_patch {
    vxe_point corner[4];
    float color[3];  /* shaded, 0 to 1 */
    float depth;     /* of its middle */
    uint32_t number; /* where it stands before they are sorted */
    uint32_t hidden; /* bit k: the side from corner k is not outlined */
} vxe_patch;

typedef struct vxe_stroke {
    vxe_point end[2];
} vxe_stroke;

typedef struct vxe_projection {
    vxe_patch *patches; /* (patch_count) patches that face the camera, the farthest first */
    uint32_t patch_count;
    vxe_stroke *strokes; /* (stroke_count) lines of the floor's grid */
    uint32_t stroke_count;
} vxe_projection;

/* What all panels of a picture share: the extent of what is seen, and the ends of the colour
   scales. */
typedef struct vxe_view {
    double reach;                   /* m: half the height of the picture */
    bool is_asked;                  /* reach is def->reach, and the camera looks at def->middle */
    double strain, energy, contact; /* ends of the colour scales */
    float *materials; /* (materials, 3) as of vxe_material_colors; owned by picture.c */
} vxe_view;

/* Chooses a view that fits all frames. */
vxe_view vxe_view_of(const vxe_mesh *mesh, const vxe_frame *const *frames, uint32_t count);

/* Raises the ends of colour scales to what a frame needs. */
void vxe_view_raise(vxe_view *view, const vxe_frame *frame);

/* m: the box around the centres of voxels and the corners of affine bodies of a frame; returns the
   largest edge of a voxel. */
double vxe_view_box(const vxe_mesh *mesh, const vxe_frame *frame, double low[3], double high[3]);

/* m: the reach that is asked of a view of so many pixels which must hold a sphere in its middle. */
double vxe_view_reach(double radius, double width, double height);

/* Makes the projection of a frame into a panel of `size` pixels. */
vxe_status vxe_projection_take(vxe_projection *projection, const vxe_design *design,
                               const vxe_mesh *mesh, const vxe_frame *frame, const vxe_view *view,
                               const vxe_picture_def *def, const uint32_t size[2],
                               vxe_error *error);
void vxe_projection_clear(vxe_projection *projection);

/* m: a round length that a panel shows well; the spacing of the floor's grid. */
double vxe_view_spacing(const vxe_view *view);

/* Pixels of a metre in the middle of the body, in a panel of `size` pixels. */
double vxe_view_pixels_per_meter(const vxe_view *view, const uint32_t size[2]);

/* Colours of the background, of the floor's lines, of edges, and of letters. */
extern const float vxe_paper[3], vxe_floor_line[3], vxe_edge_line[3], vxe_ink[3];

#endif
