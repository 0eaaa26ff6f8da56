/* SPDX-License-Identifier: MIT */
/* Shots as vectors: the floor's lines, then faces, the farthest first. */
#include <math.h>
#include <stdio.h>

#include "common/markup.h"
#include "common/number_internal.h"
#include "engine/view/shot_internal.h"

static void put_number(FILE *out, double value, int decimals, const char *behind)
{
    char text[400];
    fprintf(out, "%s%s", vxe_number_fixed(text, sizeof text, value, decimals), behind);
}

static void put_color(FILE *out, const float color[3])
{
    fprintf(out, "#%02x%02x%02x", (unsigned)lrintf(255 * fminf(fmaxf(color[0], 0), 1)),
            (unsigned)lrintf(255 * fminf(fmaxf(color[1], 0), 1)),
            (unsigned)lrintf(255 * fminf(fmaxf(color[2], 0), 1)));
}

static void put_point(FILE *out, vxe_point p)
{
    put_number(out, (double)p.x, 2, ",");
    put_number(out, (double)p.y, 2, " ");
}

static void put_floor(FILE *out, const vxe_shot *shot)
{
    fputs("<path fill=\"none\" stroke=\"", out);
    put_color(out, vxe_floor_line);
    fputs("\" stroke-width=\"1\" d=\"", out);
    for (uint32_t i = 0; i < shot->stroke_count; i++) {
        fputs("M", out);
        put_point(out, shot->strokes[i].end[0]);
        fputs("L", out);
        put_point(out, shot->strokes[i].end[1]);
    }
    fputs("\"/>\n", out);
}

static void put_patches(FILE *out, const vxe_shot *shot, bool edges)
{
    fputs("<g stroke-linejoin=\"round\" stroke-width=\"0.7\">\n", out);
    for (uint32_t i = 0; i < shot->patch_count; i++) {
        const vxe_patch *patch = &shot->patches[i];
        fputs("<polygon fill=\"", out);
        put_color(out, patch->color);
        fputs("\" stroke=\"", out);
        put_color(out, edges ? vxe_edge_line : patch->color);
        fputs("\" points=\"", out);
        for (int k = 0; k < 4; k++) {
            put_point(out, patch->corner[k]);
        }
        fputs("\"/>\n", out);
    }
    fputs("</g>\n", out);
}

static void put_caption(FILE *out, const vxe_shot *shot, const vxe_frame *frame)
{
    fputs("<text x=\"12\" y=\"24\" font-family=\"sans-serif\" font-size=\"16\" fill=\"#475467\">",
          out);
    put_number(out, frame->time, 3, " s");
    if (shot->spacing > 0) {
        char text[40];
        fprintf(out, ", grid %s m", vxe_number_print(text, sizeof text, shot->spacing, 3));
    }
    fputs("</text>\n", out);
}

static void put_panel(FILE *out, const vxe_shot *shot, const vxe_frame *frame, uint32_t number,
                      const vxe_picture_def *def)
{
    fprintf(out, "<svg x=\"%u\" width=\"%u\" height=\"%u\">\n", number * def->width, def->width,
            def->height);
    put_floor(out, shot);
    put_patches(out, shot, def->edges);
    if (def->caption) {
        put_caption(out, shot, frame);
    }
    fputs("</svg>\n", out);
}

void vxe_svg_put(const vxe_shot *shots, uint32_t count, const vxe_frame *const *frames,
                 const char *title, const vxe_picture_def *def, FILE *out)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u "
            "%u\" role=\"img\">\n<title>",
            count * def->width, def->height, count * def->width, def->height);
    vxe_markup_put(out, title);
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"", out);
    put_color(out, vxe_paper);
    fputs("\"/>\n", out);
    for (uint32_t i = 0; i < count; i++) {
        put_panel(out, &shots[i], frames[i], i, def);
    }
    fputs("</svg>\n", out);
}
