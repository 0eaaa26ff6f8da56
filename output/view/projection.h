/* SPDX-License-Identifier: MIT */
/* A body seen by a camera: what there is to draw, in pixels, for every kind of picture. */
#ifndef VXE_OUTPUT_VIEW_PROJECTION_H
#define VXE_OUTPUT_VIEW_PROJECTION_H

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
    uint32_t hidden; /* sides that are not outlined, a bit each */
} vxe_patch;

typedef struct vxe_stroke {
    vxe_point end[2];
} vxe_stroke;

typedef struct vxe_projection {
    vxe_patch *patches; /* (patch_count) that face the camera, the farthest first */
    uint32_t patch_count;
    vxe_stroke *strokes; /* (stroke_count) of the floor's grid */
    uint32_t stroke_count;
    double spacing; /* m: of the grid's lines; 0 without a floor */
} vxe_projection;

/* What is the same in all panels of a picture: how far away the camera is, and colours' ranges. */
typedef struct vxe_view {
    double reach;                   /* m: half the height of what is seen */
    double strain, energy, contact; /* the ends of their colours */
} vxe_view;

/* Wide enough for all frames. */
vxe_view vxe_view_of(const vxe_mesh *mesh, const vxe_frame *const *frames, uint32_t count);

/* A panel of so many pixels. */
vxe_status vxe_projection_take(vxe_projection *projection, const vxe_design *design,
                               const vxe_mesh *mesh, const vxe_frame *frame, const vxe_view *view,
                               const vxe_picture_def *def, const uint32_t size[2],
                               vxe_error *error);
void vxe_projection_clear(vxe_projection *projection);

/* Writes projections side by side. */
vxe_status vxe_png_write(const vxe_projection *projections, uint32_t count,
                         const vxe_picture_def *def, const char *path, vxe_error *error);
/* What is told beside the projections of a picture. */
typedef struct vxe_album {
    const vxe_projection *projections; /* (count), and the frames that they are of */
    uint32_t count;
    const vxe_frame *const *frames;
    const char *title;
    const vxe_view *view;
    const vxe_picture_def *def;
} vxe_album;

void vxe_svg_put(const vxe_album *album, FILE *out);

/* Colours of paper, of the floor's lines and of edges. */
extern const float vxe_paper[3], vxe_floor_line[3], vxe_edge_line[3];

#endif
