/* SPDX-License-Identifier: MIT */
/* Axes of a picture: where numbers lie in it, and lines and labels, as SVG. */
#ifndef VXE_CLI_SHARED_PICTURE_AXES_H
#define VXE_CLI_SHARED_PICTURE_AXES_H

#include <stdio.h>

/* Widths in pixels, and what the axes span. */
typedef struct picture_axes {
    int width, height, left, right, top, bottom; /* of the picture, and of its margins */
    double most;                                 /* across: from 0 to this, which is above 0 */
    double low, high;                            /* upwards */
} picture_axes;

double picture_across(const picture_axes *axes, double x);
double picture_upwards(const picture_axes *axes, double y);

/* Makes room upwards where there is none: all values are the same, or there is none and the ends
   are infinite. */
void picture_make_room(picture_axes *axes);

/* Spacing of labels: 2, 5 or 10 times a power of ten, at most eight of which fit into the range. */
double picture_tick(double range);

/* Draws lines and labels. across, upwards: names of the axes; step: between labels across; unit:
   of what goes upwards, or empty. */
void picture_draw_axes(FILE *stream, const picture_axes *axes, const char *across, double step,
                       const char *upwards, const char *unit);

#endif
