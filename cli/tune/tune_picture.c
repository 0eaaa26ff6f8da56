/* SPDX-License-Identifier: MIT */
/* Draws the scores of a tuning over their cost in runs as SVG: each iteration a point, the best so
   far a line. */
#include <math.h>
#include <stdio.h>

#include "cli/shared/picture_axes.h"
#include "cli/tune/tune.h"

/* Axes that span costs, and scores that are numbers. */
static picture_axes axes_of(const vxe_tuner *tuner)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(tuner);
    picture_axes axes = {760, 420, 86, 20, 20, 52, 1, HUGE_VAL, -HUGE_VAL};
    axes.most = facts.runs > 0 ? facts.runs : 1;
    for (uint32_t i = 1; i <= facts.iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        axes.low = fmin(axes.low, row.score); /* leaves out what is no number */
        axes.high = fmax(axes.high, row.score);
    }
    picture_make_room(&axes);
    return axes;
}

void tune_picture_draw(FILE *stream, const vxe_tuner *tuner, const char *unit)
{
    const picture_axes axes = axes_of(tuner);
    const uint32_t iterations = vxe_tuner_describe(tuner).iterations;
    fprintf(stream,
            "<svg class=\"tuning\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.tuning rect{fill:#fff}.tuning text{fill:#222}.tuning .grid{stroke:#ddd}"
            ".tuning .best{fill:none;stroke-width:2;stroke:#0b66c3}.tuning circle{fill:#c4501b}"
            "@media(prefers-color-scheme:dark){.tuning rect{fill:#16181c}.tuning text{fill:#ddd}"
            ".tuning .grid{stroke:#3a3d44}.tuning .best{stroke:#6ab0f3}"
            ".tuning circle{fill:#f0955f}}</style>\n<rect width=\"%d\" height=\"%d\"/>\n",
            axes.width, axes.height, axes.width, axes.height);
    picture_draw_axes(stream, &axes, "cost, in runs", picture_tick(axes.most), "score", unit);
    fputs("<polyline class=\"best\" points=\"", stream);
    for (uint32_t i = 1; i <= iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        if (!isnan(row.best)) {
            fprintf(stream, "%.1f,%.1f ", picture_across(&axes, row.runs),
                    picture_upwards(&axes, row.best));
        }
    }
    fputs("\"/>\n", stream);
    for (uint32_t i = 1; i <= iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        if (!isnan(row.score)) {
            fprintf(stream, "<circle r=\"2\" cx=\"%.1f\" cy=\"%.1f\"/>\n",
                    picture_across(&axes, row.runs), picture_upwards(&axes, row.score));
        }
    }
    fputs("</svg>\n", stream);
}
