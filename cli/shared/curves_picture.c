/* SPDX-License-Identifier: MIT */
/* Draws curves of fitness as SVG. */
#include "cli/shared/curves_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 460, LEFT = 86, RIGHT = 20, TOP = 34, BOTTOM = 52, MAX_POINTS = 400 };

/* Range of generations and fitness that the picture shows. */
typedef struct frame {
    uint32_t generations;
    double low, high;
} frame;

static double across(const frame *f, uint32_t generation)
{
    const double max = f->generations > 1 ? f->generations - 1 : 1;
    return LEFT + (WIDTH - LEFT - RIGHT) * (generation / max);
}

static double upwards(const frame *f, double fitness)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (fitness - f->low) / (f->high - f->low);
}

/* Number of generations that are drawn: all, or at most MAX_POINTS. */
static uint32_t point_count(const vxe_analysis *set)
{
    const uint32_t generations = vxe_analysis_generations(set);
    return generations < MAX_POINTS ? generations : MAX_POINTS;
}

static uint32_t generation_of(const vxe_analysis *set, uint32_t point)
{
    const uint32_t points = point_count(set);
    return points > 1
               ? (uint32_t)((uint64_t)(vxe_analysis_generations(set) - 1) * point / (points - 1))
               : 0;
}

static frame frame_of(vxe_analysis *const sets[2])
{
    frame f = {0, HUGE_VAL, -HUGE_VAL};
    for (int s = 0; s < 2 && sets[s]; s++) {
        const uint32_t generations = vxe_analysis_generations(sets[s]);
        f.generations = generations > f.generations ? generations : f.generations;
        for (uint32_t k = 0; k < point_count(sets[s]); k++) {
            for (int curve = VXE_CURVE_BEST; curve <= VXE_CURVE_MEDIAN; curve++) {
                const vxe_band band =
                    vxe_analysis_band(sets[s], (vxe_curve)curve, generation_of(sets[s], k));
                f.low = fmin(f.low, band.low);
                f.high = fmax(f.high, band.high);
            }
        }
    }
    if (!(f.high - f.low > 1e-9 * fmax(fabs(f.high), fabs(f.low)))) { /* flat, or without any
                                                                         value */
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
    const double first = ceil(f->low / tick);
    for (int k = 0; (first + k) * tick <= f->high; k++) {
        const double y = (first + k) * tick;
        const double at = upwards(f, y);
        fprintf(stream,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" "
                "y=\"%.1f\" text-anchor=\"end\">%.5g</text>\n",
                LEFT, WIDTH - RIGHT, at, at, LEFT - 8, at + 4, fabs(y) < 1e-9 * tick ? 0 : y);
    }
    const double step = fmax(1, tick_of(f->generations));
    for (uint32_t k = 0; k * step < f->generations; k++) {
        const double g = k * step;
        const double at = across(f, (uint32_t)g);
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", at,
                HEIGHT - BOTTOM + 20, g);
    }
    fprintf(stream,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">generation</text><text "
            "transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">fitness%s%s%s"
            "</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, (TOP + HEIGHT - BOTTOM) / 2,
            unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
}

static void draw_curve(FILE *stream, const frame *f, const vxe_analysis *set, int which,
                       vxe_curve curve)
{
    const uint32_t points = point_count(set);
    fprintf(stream, "<polygon class=\"band s%d\" points=\"", which);
    for (uint32_t k = 0; k < 2 * points; k++) {
        const uint32_t g = generation_of(set, k < points ? k : 2 * points - 1 - k);
        const vxe_band band = vxe_analysis_band(set, curve, g);
        const double edge = k < points ? band.high : band.low;
        if (isfinite(edge)) {
            fprintf(stream, "%.1f,%.1f ", across(f, g), upwards(f, edge));
        }
    }
    fprintf(stream, "\"/>\n<polyline class=\"line s%d%s\" points=\"", which,
            curve == VXE_CURVE_MEDIAN ? " dashed" : "");
    for (uint32_t k = 0; k < points; k++) {
        const uint32_t g = generation_of(set, k);
        const vxe_band band = vxe_analysis_band(set, curve, g);
        if (isfinite(band.median)) {
            fprintf(stream, "%.1f,%.1f ", across(f, g), upwards(f, band.median));
        }
    }
    fputs("\"/>\n", stream);
}

vxe_unit curves_unit(vxe_analysis *const sets[2])
{
    const vxe_unit unit = vxe_analysis_unit(sets[0]);
    return sets[1] ? vxe_unit_of_both(unit, vxe_analysis_unit(sets[1])) : unit;
}

void curves_picture_draw(FILE *stream, vxe_analysis *const sets[2])
{
    const frame f = frame_of(sets);
    fprintf(stream,
            "<svg class=\"curves\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.curves rect{fill:#fff}.curves text{fill:#222}.curves .grid{stroke:#ddd}"
            ".curves .line{fill:none;stroke-width:2}.curves tspan.s0{fill:#0b66c3}"
            ".curves tspan.s1{fill:#c4501b}.curves .dashed{stroke-dasharray:5 4}"
            ".curves .band{stroke:none;fill-opacity:.18}.curves .s0.line{stroke:#0b66c3}"
            ".curves .s0.band{fill:#0b66c3}.curves .s1.line{stroke:#c4501b}"
            ".curves .s1.band{fill:#c4501b}@media(prefers-color-scheme:dark){"
            ".curves rect{fill:#16181c}.curves text{fill:#ddd}.curves tspan.s0{fill:#6ab0f3}"
            ".curves tspan.s1{fill:#f0955f}.curves .grid{stroke:#3a3d44}"
            ".curves .s0.line{stroke:#6ab0f3}.curves .s1.line{stroke:#f0955f}}</style>\n"
            "<rect width=\"%d\" height=\"%d\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(stream, &f, curves_unit(sets).name);
    for (int s = 0; s < 2 && sets[s]; s++) {
        draw_curve(stream, &f, sets[s], s, VXE_CURVE_MEDIAN);
        draw_curve(stream, &f, sets[s], s, VXE_CURVE_BEST);
        fprintf(stream,
                "<text x=\"%d\" y=\"20\"><tspan class=\"s%d\" font-weight=\"bold\">%s</tspan>: "
                "%" PRIu32 " search%s</text>\n",
                LEFT + s * 170, s, s ? "against" : "first", vxe_analysis_runs(sets[s]),
                vxe_analysis_runs(sets[s]) == 1 ? "" : "es");
    }
    fprintf(stream,
            "<text x=\"%d\" y=\"20\" text-anchor=\"end\">line: best, dashed: median; bands: 95 %% "
            "of medians</text>\n</svg>\n",
            WIDTH - RIGHT);
}

bool curves_picture_write(const char *path, vxe_analysis *const sets[2], vxe_error *error)
{
    vxe_file_writer file;
    const uint64_t failures = vxe_memory_failures(); /* without memory a band is empty */
    if (vxe_file_begin(&file, path, error)) {
        return false;
    }
    curves_picture_draw(file.stream, sets);
    if (vxe_memory_check(failures, error)) {
        vxe_file_abandon(&file);
        return false;
    }
    return vxe_file_commit(&file, error) == VXE_OK;
}
