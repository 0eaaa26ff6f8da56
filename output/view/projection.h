/* SPDX-License-Identifier: MIT */
/* A body seen by a camera: faces and floor lines in pixels, which png.c and svg.c draw. */
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
    double spacing; /* m between lines of the grid; 0 without a floor */
} vxe_projection;

/* What all panels of a picture share: the extent of what is seen, and the ends of the colour
   scales. */
typedef struct vxe_view {
    double reach;                   /* m: half the height of the picture */
    double strain, energy, contact; /* ends of the colour scales */
} vxe_view;

/* Chooses a view that fits all frames. */
vxe_view vxe_view_of(const vxe_mesh *mesh, const vxe_frame *const *frames, uint32_t count);

/* Makes the projection of a frame into a panel of `size` pixels. */
vxe_status vxe_projection_take(vxe_projection *projection, const vxe_design *design,
                               const vxe_mesh *mesh, const vxe_frame *frame, const vxe_view *view,
                               const vxe_picture_def *def, const uint32_t size[2],
                               vxe_error *error);
void vxe_projection_clear(vxe_projection *projection);

/* Writes projections side by side as .png. */
vxe_status vxe_png_write(const vxe_projection *projections, uint32_t count,
                         const vxe_picture_def *def, const char *path, vxe_error *error);
/* Panels of a picture, and what its caption needs. */
typedef struct vxe_album {
    const vxe_projection *projections; /* (count), one per frame */
    uint32_t count;
    const vxe_frame *const *frames;
    const char *title;
    const vxe_view *view;
    const vxe_picture_def *def;
} vxe_album;

void vxe_svg_put(const vxe_album *album, FILE *out);

/* Colours of the background, of the floor's lines and of edges. */
extern const float vxe_paper[3], vxe_floor_line[3], vxe_edge_line[3];

#endif
