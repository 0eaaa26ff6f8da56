/* SPDX-License-Identifier: MIT */
/* The characters, drawn for Voxelastic and under its licence. A stroke is a list of points, each a
   column, 0 to 9, and a row: a is the lowest of letters that reach below the line, e is the line
   on which letters stand, m the top of small letters, q that of capitals. A blank lifts the pen. */
#include "output/picture/stroke_font.h"

#include <stddef.h>

#include "common/assert_internal.h"

/* A column or row, of the font's size; columns between two characters, and of a blank. */
#define STEP 0.06f
enum { GAP = 4, BLANK = 2, BASELINE = 'e', FIRST = '!', LAST = '~' };

static const char *const strokes[LAST - FIRST + 1] = {
    /* ! " # $ % & ' */
    "0q0i 0f0e", "0q0n 3q3n", "2e4q 6e8q 0i8i 1m9m", "8n6o2o0n0l2k6k8j8h6g2g0h 4q4e",
    "0e8q 0q2q2n0n0q 6h8h8e6e6h", "8e2n2p3q5q6p6n1i0g0f1e4e8i", "0q0n",
    /* ( ) * + , - . / */
    "3q1o0l0h1e3c", "0q2o3l3h2e0c", "3n3h 0l6i 0i6l", "3m3g 0j6j", "1f1e0c", "0j5j", "0f0e", "0c6q",
    /* 0 to 9 */
    "2e0g0o2q5q7o7g5e2e", "0n2q2e 0e4e", "0o2q5q7o7m0e7e", "0o2q5q7o7m5k2k 5k7i7g5e2e0g",
    "5e5q0h7h", "7q1q0k2l5l7j7g5e2e0g", "7o5q2q0o0g2e5e7g7i5k2k0i", "0q7q2e",
    "2k0m0o2q5q7o7m5k2k0i0g2e5e7g7i5k", "0g2e5e7g7o5q2q0o0m2k5k7m",
    /* : ; < = > ? @ */
    "0l0k 0f0e", "1l1k 1f1e0c", "6m0j6g", "0k6k 0h6h", "0m6j0g", "0o2q5q7o7m4k4i 4f4e",
    "6h6l5m4m3l3h4g5g6h7g8g9i9l7o5p4p2o0l0h2e4d7d",
    /* A to M */
    "0e4q8e 1h7h", "0k5k7m7o5q0q0e5e7g7i5k", "8o6q2q0o0g2e6e8g", "0e0q4q7o7g4e0e", "7q0q0e7e 0k5k",
    "7q0q0e 0k5k", "8o6q2q0o0g2e6e8g8k5k", "0e0q 8e8q 0k8k", "0e0q", "5q5g3e1e0f", "0e0q 7q0j 2l7e",
    "0q0e7e", "0e0q4i8q8e",
    /* N to Z */
    "0e0q8e8q", "2e0g0o2q6q8o8g6e2e", "0e0q5q7o7l5j0j", "2e0g0o2q6q8o8g6e2e 5h8d",
    "0e0q5q7o7l5j0j 4j7e", "7o5q2q0o0m2k5k7i7g5e2e0g", "0q8q 4q4e", "0q0g2e6e8g8q", "0q4e8q",
    "0q2e4m6e8q", "0q8e 0e8q", "0q4j8q 4j4e", "0q8q0e8e",
    /* [ \ ] ^ _ ` */
    "3q0q0c3c", "0q6c", "0q3q3c0c", "0n3q6n", "0c7c", "0q2o",
    /* a to m */
    "6m6e 6k4m2m0k0g2e4e6g", "0q0e 0k2m4m6k6g4e2e0g", "6l4m2m0k0g2e4e6f", "6q6e 6k4m2m0k0g2e4e6g",
    "0i6i6k4m2m0k0g2e4e6f", "5q4q2o2e 0m5m", "6m6c4a2a0b 6k4m2m0k0g2e4e6g", "0q0e 0k2m4m6k6e",
    "0m0e 0p0q", "2m2c0a 2p2q", "0q0e 5m0h 2j6e", "0q0f1e2e", "0m0e 0k2m3m5k5e 5k7m8m9k9e",
    /* n to z */
    "0m0e 0k2m4m6k6e", "2m0k0g2e4e6g6k4m2m", "0m0a 0k2m4m6k6g4e2e0g", "6m6a 6k4m2m0k0g2e4e6g",
    "0m0e 0j2m4m", "6l4m2m0l0j2i4i6h6f4e2e0f", "2p2f3e5e 0m5m", "0m0g2e4e6g 6m6e", "0m3e6m",
    "0m2e4k6e8m", "0m6e 0e6m", "0m3e 6m3e1a0a", "0m6m0e6e",
    /* { | } ~ */
    "4q3q2o2l0j2h2e3c4c", "0q0c", "0q1q2o2l4j2h2e1c0c", "0i2k4i6k"};

static const char other[] = "0e0q6q6e0e";

/* Whether a byte goes on with a character of UTF-8. */
static int goes_on(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *vxe_glyph_take(const char *text, vxe_glyph *glyph)
{
    VXE_ASSERT(text[0]);
    const char *shape = text[0] == ' '                        ? ""
                        : text[0] >= FIRST && text[0] <= LAST ? strokes[text[0] - FIRST]
                                                              : other;
    int wide = shape[0] ? 0 : BLANK;
    glyph->count = 0;
    for (const char *at = shape; *at; at += at[0] == ' ' ? 1 : 2) {
        if (*at == ' ') {
            continue;
        }
        VXE_ASSERT(at[0] >= '0' && at[0] <= '9' && at[1] >= 'a' && at[1] <= 'q');
        wide = at[0] - '0' > wide ? at[0] - '0' : wide;
        if (at[2] && at[2] != ' ') {
            VXE_ASSERT(glyph->count < VXE_GLYPH_LINES);
            float *line = glyph->line[glyph->count++];
            for (int end = 0; end < 2; end++) {
                line[2 * end] = STEP * (float)(at[2 * end] - '0');
                line[2 * end + 1] = STEP * (float)(at[2 * end + 1] - BASELINE);
            }
        }
    }
    glyph->advance = STEP * (float)(wide + GAP);
    do {
        text++;
    } while (goes_on(*text));
    return text;
}

uint32_t vxe_glyph_count(const char *text)
{
    uint32_t count = 0;
    for (; *text; text++) {
        count += !goes_on(*text);
    }
    return count;
}
