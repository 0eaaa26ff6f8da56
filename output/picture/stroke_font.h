/* SPDX-License-Identifier: MIT */
/* A font for .png: each character is a list of lines, which png.c draws with a round pen. */
#ifndef VXE_OUTPUT_PICTURE_STROKE_FONT_H
#define VXE_OUTPUT_PICTURE_STROKE_FONT_H

#include <stdint.h>

/* Most lines of a character. */
enum { VXE_GLYPH_LINES = 24 };
/* Diameter of the pen, of the font's size. */
#define VXE_GLYPH_PEN 0.1f

/* Lengths are parts of the font's size; y is upwards from the baseline. */
typedef struct vxe_glyph {
    float line[VXE_GLYPH_LINES][4]; /* (count) x and y of both ends */
    uint32_t count;
    float advance; /* from here to the next character */
} vxe_glyph;

/* Takes the first character of a UTF-8 text that is not empty and returns where the next one
   begins. What is not ASCII is shown as an empty box. */
const char *vxe_glyph_take(const char *text, vxe_glyph *glyph);

/* Number of characters of a UTF-8 text. */
uint32_t vxe_glyph_count(const char *text);

#endif
