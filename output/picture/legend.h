/* SPDX-License-Identifier: MIT */
/* The legend below the panels of a picture: a bar that shows how long things are, and what the
   colours mean. It is a list of marks, which png.c and svg.c draw. */
#ifndef VXE_OUTPUT_PICTURE_LEGEND_H
#define VXE_OUTPUT_PICTURE_LEGEND_H

#include "output/picture/projection.h"

enum { VXE_MARK_BYTES = 80 };

/* A filled box or, where there is a text, the text, whose line begins at x and y. */
typedef struct vxe_mark {
    float x, y, width, height; /* pixels from the left and the top of the picture */
    float color[3];            /* of a box */
    char text[VXE_MARK_BYTES];
} vxe_mark;

typedef struct vxe_legend {
    vxe_mark *marks; /* (count) */
    uint32_t count, capacity;
    uint32_t height; /* pixels below the panels; 0: no legend */
    float size;      /* pixels: size of the letters; 0: the picture is too small for any */
} vxe_legend;

/* Makes the legend of a picture of `panels` panels. Without a caption, or in a small picture, it
   has no marks. */
vxe_status vxe_legend_init(vxe_legend *legend, const vxe_design *design, const vxe_view *view,
                           const vxe_picture_def *def, uint32_t panels, vxe_error *error);
void vxe_legend_clear(vxe_legend *legend);

/* The time of a frame, as each panel shows it. */
enum { VXE_TIME_BYTES = 40 };
const char *vxe_legend_time(const vxe_frame *frame, char text[VXE_TIME_BYTES]);

/* Panels of a picture side by side, and its legend below them. */
typedef struct vxe_album {
    const vxe_projection *projections; /* (count), one per frame */
    uint32_t count;
    const vxe_frame *const *frames;
    const char *title;
    const vxe_legend *legend;
    const vxe_picture_def *def;
} vxe_album;

/* Write an album as .png, as pixels (height, width of all panels, 3), or as .svg. */
vxe_status vxe_png_write(const vxe_album *album, const char *path, vxe_error *error);
vxe_status vxe_pixels_put(const vxe_album *album, uint8_t *pixels, vxe_error *error);
void vxe_svg_put(const vxe_album *album, FILE *out);

#endif
