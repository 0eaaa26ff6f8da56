/* SPDX-License-Identifier: MIT */
/* Draws projections as vector graphics: the lines of the floor, then faces, the farthest first. */
#include <math.h>
#include <stdio.h>

#include "common/assert_internal.h"
#include "common/markup.h"
#include "common/number_internal.h"
#include "output/view/projection.h"

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
    fputs("<path fill=\"none\" stroke=\"", out);
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

/* Writes the time, the spacing of the floor's grid, and the ends of the colour scale. */
static void put_caption(FILE *out, const vxe_album *album, uint32_t number)
{
    VXE_ASSERT(number < album->count && album->def->coloring < VXE_COLORINGS);
    const vxe_coloring coloring = album->def->coloring;
    const double ends[VXE_COLORINGS] = {[VXE_COLOR_STRAIN] = album->view->strain,
                                        [VXE_COLOR_CONTACT] = album->view->contact,
                                        [VXE_COLOR_ENERGY] = album->view->energy};
    static const char *const units[VXE_COLORINGS] = {
        [VXE_COLOR_STRAIN] = "", [VXE_COLOR_CONTACT] = " N", [VXE_COLOR_ENERGY] = " J"};
    char text[40];
    fputs("<text x=\"12\" y=\"24\" font-family=\"sans-serif\" font-size=\"16\" fill=\"#475467\">",
          out);
    put_number(out, album->frames[number]->time, 3, " s");
    if (album->projections[number].spacing > 0) {
        fprintf(out, ", grid %s m",
                vxe_number_print(text, sizeof text, album->projections[number].spacing, 3));
    }
    if (units[coloring]) {
        fprintf(out, ", %s to %s%s", vxe_coloring_name(coloring),
                vxe_number_print(text, sizeof text, ends[coloring], 3), units[coloring]);
    }
    fputs("</text>\n", out);
}

static void put_panel(FILE *out, const vxe_album *album, uint32_t number)
{
    const vxe_picture_def *def = album->def;
    fprintf(out, "<svg x=\"%u\" width=\"%u\" height=\"%u\">\n", number * def->width, def->width,
            def->height);
    put_floor(out, &album->projections[number]);
    put_patches(out, &album->projections[number], def->edges);
    if (def->caption) {
        put_caption(out, album, number);
    }
    fputs("</svg>\n", out);
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
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"", out);
    put_color(out, vxe_paper);
    fputs("\"/>\n", out);
    for (uint32_t i = 0; i < album->count; i++) {
        put_panel(out, album, i);
    }
    fputs("</svg>\n", out);
}
