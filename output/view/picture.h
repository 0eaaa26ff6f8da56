/* SPDX-License-Identifier: MIT */
/* Pictures of designs in motion, drawn without a screen: .png or .svg, of one frame or of several
   side by side. */
#ifndef VXE_OUTPUT_VIEW_PICTURE_H
#define VXE_OUTPUT_VIEW_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the colour of a voxel shows. */
typedef enum vxe_coloring {
    VXE_COLOR_MATERIAL,
    VXE_COLOR_STRAIN, /* strain of largest magnitude along the voxel's axes, with its sign */
    VXE_COLOR_PHASE,  /* phase offset of the actuation; grey where a material does not actuate */
    VXE_COLOR_CONTACT,
    VXE_COLOR_ENERGY,
    VXE_COLORINGS
} vxe_coloring;

/* Name of a colouring ("material", "strain", ...), and the colouring of a name; VXE_COLORINGS where
   there is none. */
VXE_API const char *vxe_coloring_name(vxe_coloring coloring);
VXE_API vxe_coloring vxe_coloring_find(const char *name);

/* Settings of a picture. Take vxe_picture_def_default and change what you need; the comments give
   defaults and ranges. */
typedef struct vxe_picture_def {
    uint32_t width, height; /* pixels of each panel; 960 x 720, 16 to 8192 */
    vxe_coloring coloring;  /* default MATERIAL */
    double range;           /* end of the colour scale of strain, contact (N) or energy (J); 0: the
                               largest value in the frames */
    double azimuth;         /* degrees about z of the camera's place; 0 is on +x; default -50 */
    double elevation;       /* degrees above the horizon, -90 to 90; default 25 */
    double middle[3];       /* m: the place in the middle of the picture, where reach is above 0 */
    double reach; /* m: half the height of what is shown there; 0: the whole body, default */
    bool edges;   /* outlines voxels; default true */
    bool caption; /* writes the time into each panel, and a legend below them; not in pictures that
                     are too small for it; default true */
} vxe_picture_def;

VXE_API vxe_picture_def vxe_picture_def_default(void);

/* What a camera must see of a motion. Begins with all zero, and grows with each frame. */
typedef struct vxe_picture_bounds {
    uint64_t frames;
    double low[3], high[3];         /* m: the box around voxels and affine bodies */
    double strain, energy, contact; /* the largest, as of the colour scales */
} vxe_picture_bounds;

VXE_API vxe_status vxe_picture_look(const vxe_design *design, const vxe_frame *frame,
                                    vxe_picture_bounds *bounds, vxe_error *error);

/* m: half the diagonal of the box. */
VXE_API double vxe_picture_radius(const vxe_picture_bounds *bounds);

/* Turns the camera to the middle of the box, and back until it sees so far around (m). The colour
   scale, where def leaves it open, ends at the largest value of the bounds. */
VXE_API void vxe_picture_hold(const vxe_picture_bounds *bounds, double radius,
                              vxe_picture_def *def);

/* True where the name ends in .png or .svg. */
VXE_API bool vxe_picture_is_one(const char *path);

/* Draws up to 64 frames of a design from left to right, all at one scale. The file appears whole or
   not at all. */
VXE_API vxe_status vxe_picture_write(const vxe_design *design, const vxe_frame *const *frames,
                                     uint32_t count, const vxe_picture_def *def, const char *path,
                                     vxe_error *error);

/* Draws one frame into an array: pixels (def->height, def->width, 3), red, green and blue, from the
   top. */
VXE_API vxe_status vxe_picture_draw(const vxe_design *design, const vxe_frame *frame,
                                    const vxe_picture_def *def, uint8_t *pixels, vxe_error *error);

/* Writes a picture of one frame to a stream, as an svg element for a page. */
VXE_API vxe_status vxe_picture_put(const vxe_design *design, const vxe_frame *frame,
                                   const vxe_picture_def *def, FILE *stream, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
