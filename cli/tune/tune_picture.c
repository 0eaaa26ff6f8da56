/* SPDX-License-Identifier: MIT */
/* Draws the scores of a tuning over their cost in runs as SVG: each iteration a point, the best so
   far a line. */
#include <math.h>
#include <stdio.h>

#include "cli/tune/tune.h"

enum { WIDTH = 760, HEIGHT = 420, LEFT = 86, RIGHT = 20, TOP = 20, BOTTOM = 52 };

typedef struct frame {
    double runs;
    double low, high;
} frame;

static double across(const frame *f, double runs)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * runs / f->runs;
}

static double upwards(const frame *f, double score)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score - f->low) / (f->high - f->low);
}

static frame frame_of(const vxe_tuner *tuner)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(tuner);
    frame f = {facts.runs > 0 ? facts.runs : 1, HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 1; i <= facts.iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        f.low = fmin(f.low, row.score); /* leaves out what is no number */
        f.high = fmax(f.high, row.score);
    }
    if (!(f.high - f.low > 1e-9 * fmax(fabs(f.high), fabs(f.low)))) { /* flat, or empty */
        f.low = isfinite(f.low) ? f.low - 1 : 0;
        f.high = f.low + 2;
    }
    return f;
}

/* Spacing of labels: 2, 5 or 10 times a power of ten, at most eight of which fit into the range. */
static double tick_of(double range)
{
    const double raw = range / 8;
    const double power = pow(10, floor(log10(raw)));
    return raw / power < 2 ? 2 * power : raw / power < 5 ? 5 * power : 10 * power;
}

static void draw_axes(FILE *stream, const frame *f, const char *unit)
{
    const double tick = tick_of(f->high - f->low);
    const double step = tick_of(f->runs);
    const double first = ceil(f->low / tick);
    for (int k = 0; (first + k) * tick <= f->high; k++) {
        const double y = (first + k) * tick;
        const double at = upwards(f, y);
        fprintf(stream,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" "
                "y=\"%.1f\" text-anchor=\"end\">%.5g</text>\n",
                LEFT, WIDTH - RIGHT, at, at, LEFT - 8, at + 4, fabs(y) < 1e-9 * tick ? 0 : y);
    }
    for (int k = 0; k * step <= f->runs; k++) {
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.5g</text>\n",
                across(f, k * step), HEIGHT - BOTTOM + 20, k * step);
    }
    fprintf(stream,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">cost, in runs</text><text "
            "transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">score%s%s%s"
            "</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, (TOP + HEIGHT - BOTTOM) / 2,
            unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
}

void tune_picture_draw(FILE *stream, const vxe_tuner *tuner, const char *unit)
{
    const frame f = frame_of(tuner);
    const uint32_t iterations = vxe_tuner_describe(tuner).iterations;
    fprintf(stream,
            "<svg class=\"tuning\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.tuning rect{fill:#fff}.tuning text{fill:#222}.tuning .grid{stroke:#ddd}"
            ".tuning .best{fill:none;stroke-width:2;stroke:#0b66c3}.tuning circle{fill:#c4501b}"
            "@media(prefers-color-scheme:dark){.tuning rect{fill:#16181c}.tuning text{fill:#ddd}"
            ".tuning .grid{stroke:#3a3d44}.tuning .best{stroke:#6ab0f3}"
            ".tuning circle{fill:#f0955f}}</style>\n<rect width=\"%d\" height=\"%d\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(stream, &f, unit);
    fputs("<polyline class=\"best\" points=\"", stream);
    for (uint32_t i = 1; i <= iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        if (!isnan(row.best)) {
            fprintf(stream, "%.1f,%.1f ", across(&f, row.runs), upwards(&f, row.best));
        }
    }
    fputs("\"/>\n", stream);
    for (uint32_t i = 1; i <= iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        if (!isnan(row.score)) {
            fprintf(stream, "<circle r=\"2\" cx=\"%.1f\" cy=\"%.1f\"/>\n", across(&f, row.runs),
                    upwards(&f, row.score));
        }
    }
    fputs("</svg>\n", stream);
}
