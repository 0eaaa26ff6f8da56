/* SPDX-License-Identifier: MIT */
/* Draws albums as vector graphics: of each panel the lines of the floor, then faces, the farthest
   first; then the legend. Pages color the background and the floor by their classes. */
#include <math.h>
#include <stdio.h>

#include "common/assert_internal.h"
#include "common/markup.h"
#include "common/number_internal.h"
#include "output/picture/legend.h"

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

static void put_floor(FILE *out, const vxe_projection *projection)
{
    fputs("<path class=\"floor\" fill=\"none\" stroke=\"", out);
    put_color(out, vxe_floor_line);
    fputs("\" stroke-width=\"1\" d=\"", out);
    for (uint32_t i = 0; i < projection->stroke_count; i++) {
        fputs("M", out);
        put_point(out, projection->strokes[i].end[0]);
        fputs("L", out);
        put_point(out, projection->strokes[i].end[1]);
    }
    fputs("\"/>\n", out);
}

/* Draws the sides of a patch that are not hidden. */
static void put_sides(FILE *out, const vxe_patch *patch)
{
    for (int k = 0; k < 4; k++) {
        if (!(patch->hidden >> k & 1)) {
            fputs("<polyline fill=\"none\" stroke=\"", out);
            put_color(out, vxe_edge_line);
            fputs("\" points=\"", out);
            put_point(out, patch->corner[k]);
            put_point(out, patch->corner[(k + 1) % 4]);
            fputs("\"/>\n", out);
        }
    }
}

static void put_patches(FILE *out, const vxe_projection *projection, bool edges)
{
    fputs("<g stroke-linejoin=\"round\" stroke-width=\"0.7\">\n", out);
    for (uint32_t i = 0; i < projection->patch_count; i++) {
        const vxe_patch *patch = &projection->patches[i];
        fputs("<polygon fill=\"", out);
        put_color(out, patch->color);
        fputs("\" stroke=\"", out);
        put_color(out, edges && !patch->hidden ? vxe_edge_line : patch->color);
        fputs("\" points=\"", out);
        for (int k = 0; k < 4; k++) {
            put_point(out, patch->corner[k]);
        }
        fputs("\"/>\n", out);
        if (edges && patch->hidden) {
            put_sides(out, patch);
        }
    }
    fputs("</g>\n", out);
}

static void put_text(FILE *out, float x, float y, const char *text)
{
    fputs("<text x=\"", out);
    put_number(out, (double)x, 1, "\" y=\"");
    put_number(out, (double)y, 1, "\">");
    vxe_markup_put(out, text);
    fputs("</text>\n", out);
}

static void put_panel(FILE *out, const vxe_album *album, uint32_t number)
{
    const vxe_picture_def *def = album->def;
    const float size = album->legend->size;
    char text[VXE_TIME_BYTES];
    fprintf(out, "<svg x=\"%u\" width=\"%u\" height=\"%u\">\n", number * def->width, def->width,
            def->height - album->legend->height);
    put_floor(out, &album->projections[number]);
    put_patches(out, &album->projections[number], def->edges);
    if (size > 0) {
        put_text(out, 0.75f * size, 1.5f * size, vxe_legend_time(album->frames[number], text));
    }
    fputs("</svg>\n", out);
}

static void put_legend(FILE *out, const vxe_legend *legend)
{
    for (uint32_t i = 0; i < legend->count; i++) {
        const vxe_mark *mark = &legend->marks[i];
        if (mark->text[0]) {
            put_text(out, mark->x, mark->y, mark->text);
            continue;
        }
        fputs("<rect x=\"", out);
        put_number(out, (double)mark->x, 2, "\" y=\"");
        put_number(out, (double)mark->y, 2, "\" width=\"");
        put_number(out, (double)mark->width, 2, "\" height=\"");
        put_number(out, (double)mark->height, 2, "\" fill=\"");
        put_color(out, mark->color);
        fputs("\"/>\n", out);
    }
}

void vxe_svg_put(const vxe_album *album, FILE *out)
{
    const uint32_t width = album->count * album->def->width;
    const uint32_t height = album->def->height;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u "
            "%u\" role=\"img\">\n<title>",
            width, height, width, height);
    vxe_markup_put(out, album->title);
    fputs("</title>\n<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"", out);
    put_color(out, vxe_paper);
    fputs("\"/>\n<g font-family=\"sans-serif\" font-size=\"", out);
    put_number(out, (double)album->legend->size, 1, "\" fill=\"");
    put_color(out, vxe_ink);
    fputs("\">\n", out);
    for (uint32_t i = 0; i < album->count; i++) {
        put_panel(out, album, i);
    }
    put_legend(out, album->legend);
    fputs("</g>\n", out);
    fputs("</svg>\n", out);
}
