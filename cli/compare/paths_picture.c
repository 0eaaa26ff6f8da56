/* SPDX-License-Identifier: MIT */
/* Draws the paths of the copies of a comparison, seen from above, as SVG: published, native, and
   native at the shortest step, each from its own start. */
#include <math.h>

#include "cli/compare/compare_write.h"

enum { WIDTH = 720, MIN_HEIGHT = 200, MAX_HEIGHT = 480, MARGIN = 56, SHOWN = 3 };

typedef struct shown {
    const compare_row *row;
    const char *color; /* ColorBrewer, scheme Dark2: told apart by the color-blind */
} shown;

/* What the picture shows, in edges. */
typedef struct frame {
    double low[2], high[2];
    double scale; /* of the picture's units in an edge */
    int height;   /* of the picture */
} frame;

static uint32_t choose(const comparison *c, shown list[SHOWN])
{
    uint32_t count = 0;
    const shown all[SHOWN] = {{compare_find(c, COMPARE_PUBLISHED), "#d95f02"},
                              {compare_find(c, COMPARE_NATIVE), "#1b9e77"},
                              {compare_finest(c), "#7570b3"}};
    for (int i = 0; i < SHOWN; i++) {
        if (all[i].row && all[i].row->ensemble) {
            list[count++] = all[i];
        }
    }
    return count;
}

/* Sample k of a path, from its start, in edges. */
static void point(const comparison *c, const double *path, uint32_t k, double at[2])
{
    for (int d = 0; d < 2; d++) {
        at[d] = (path[3 * (size_t)k + (size_t)d] - path[d]) / c->design->voxel_size;
    }
}

static frame frame_of(const comparison *c, const shown *list, uint32_t count)
{
    frame f = {{-0.5, -0.5}, {0.5, 0.5}, 1, MAX_HEIGHT};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t n = 0; n < list[i].row->facts.copies; n++) {
            const double *path = vxe_ensemble_result(list[i].row->ensemble, n).path;
            for (uint32_t k = 0; path && k <= vxe_ensemble_samples(list[i].row->ensemble); k++) {
                double at[2];
                point(c, path, k, at);
                for (int d = 0; d < 2; d++) {
                    f.low[d] = fmin(f.low[d], at[d]);
                    f.high[d] = fmax(f.high[d], at[d]);
                }
            }
        }
    }
    f.scale = fmin((WIDTH - 2 * MARGIN) / (f.high[0] - f.low[0]),
                   (MAX_HEIGHT - 2 * MARGIN) / (f.high[1] - f.low[1]));
    f.height = (int)fmax(2 * MARGIN + f.scale * (f.high[1] - f.low[1]), MIN_HEIGHT);
    return f;
}

static double across(const frame *f, double x)
{
    return WIDTH / 2.0 + f->scale * (x - 0.5 * (f->low[0] + f->high[0]));
}

static double down(const frame *f, double y)
{
    return f->height / 2.0 - f->scale * (y - 0.5 * (f->low[1] + f->high[1]));
}

static void draw_paths(FILE *out, const comparison *c, const frame *f, const shown *s)
{
    for (uint32_t n = 0; n < s->row->facts.copies; n++) {
        const double *path = vxe_ensemble_result(s->row->ensemble, n).path;
        if (!path) {
            continue;
        }
        double at[2] = {0, 0};
        fprintf(out,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" "
                "stroke-opacity=\"0.5\" points=\"",
                s->color);
        for (uint32_t k = 0; k <= vxe_ensemble_samples(s->row->ensemble); k++) {
            point(c, path, k, at);
            fprintf(out, "%.1f,%.1f ", across(f, at[0]), down(f, at[1]));
        }
        fprintf(out, "\"/>\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                across(f, at[0]), down(f, at[1]), s->color);
    }
}

/* A bar whose length is a round number of voxels. */
static void draw_scale(FILE *out, const frame *f)
{
    double length = pow(10, floor(log10(150 / f->scale)));
    length *= 5 * length * f->scale <= 150 ? 5 : 2 * length * f->scale <= 150 ? 2 : 1;
    fprintf(out,
            "<path d=\"M%d %d h%.1f\" stroke=\"currentColor\" stroke-width=\"2\"/>\n"
            "<text x=\"%d\" y=\"%d\" fill=\"currentColor\">%g voxels</text>\n",
            MARGIN / 2, f->height - 20, length * f->scale, MARGIN / 2, f->height - 28, length);
}

void compare_draw(FILE *out, const comparison *c)
{
    shown list[SHOWN];
    const uint32_t count = choose(c, list);
    const frame f = frame_of(c, list, count);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"14\">\n"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"none\" stroke=\"currentColor\"/>\n",
            WIDTH, f.height, WIDTH, f.height, across(&f, 0), down(&f, 0));
    for (uint32_t i = 0; i < count; i++) {
        draw_paths(out, c, &f, &list[i]);
        fprintf(out, "<text x=\"%d\" y=\"%u\" fill=\"%s\">%s</text>\n", MARGIN / 2, 22 + 20 * i,
                list[i].color, list[i].row->what);
    }
    draw_scale(out, &f);
    fputs("</svg>\n", out);
}
