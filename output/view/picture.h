/* SPDX-License-Identifier: MIT */
/* Pictures of bodies, without a screen: .png or .svg, one frame or several side by side. */
#ifndef VXE_OUTPUT_VIEW_PICTURE_H
#define VXE_OUTPUT_VIEW_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a voxel's colour tells. */
typedef enum vxe_coloring {
    VXE_COLOR_MATERIAL,
    VXE_COLOR_STRAIN, /* the largest along its axes, with its sign */
    VXE_COLOR_PHASE,  /* offset of the actuation; grey where nothing acts */
    VXE_COLOR_CONTACT,
    VXE_COLOR_ENERGY,
    VXE_COLORINGS
} vxe_coloring;

/* "material", "strain", ...; and back: VXE_COLORINGS where there is none of that name. */
VXE_API const char *vxe_coloring_name(vxe_coloring coloring);
VXE_API vxe_coloring vxe_coloring_find(const char *name);

/* Choices of a picture. Take one from vxe_picture_def_default and change what you need. */
typedef struct vxe_picture_def {
    uint32_t width, height; /* pixels of each panel; 960 x 720, 16 to 8192 */
    vxe_coloring coloring;  /* MATERIAL */
    double range;     /* where the colours of strain, contact (N) and energy (J) end; 0: at the
                         largest in the frames */
    double azimuth;   /* degrees about z, from where the camera looks: -50; 0 is from +x */
    double elevation; /* degrees above the horizon: 25 */
    bool edges;       /* voxels are outlined; true */
    bool caption;     /* .svg: the time, and how far the floor's lines are apart; true */
} vxe_picture_def;

VXE_API vxe_picture_def vxe_picture_def_default(void);

/* Whether a name ends as those of pictures do. */
VXE_API bool vxe_picture_is_one(const char *path);

/* Draws frames of a design from left to right, all at one scale: a film strip where there are
   several, 64 at most. The file appears whole or not at all. */
VXE_API vxe_status vxe_picture_write(const vxe_design *design, const vxe_frame *const *frames,
                                     uint32_t count, const vxe_picture_def *def, const char *path,
                                     vxe_error *error);

/* Puts the same of one frame into a stream, as an svg element that a page may hold. */
VXE_API vxe_status vxe_picture_put(const vxe_design *design, const vxe_frame *frame,
                                   const vxe_picture_def *def, FILE *stream, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
