/* SPDX-License-Identifier: MIT */
/* Draws curves of fitness as SVG. */
#include "cli/shared/curves_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/picture_axes.h"

enum { MAX_POINTS = 400 };

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

/* Axes that span generations and fitness. */
static picture_axes axes_of(vxe_analysis *const sets[2])
{
    picture_axes axes = {760, 460, 86, 20, 34, 52, 0.5, HUGE_VAL, -HUGE_VAL}; /* one: at 0 */
    for (int s = 0; s < 2 && sets[s]; s++) {
        const uint32_t generations = vxe_analysis_generations(sets[s]);
        axes.most = fmax(axes.most, generations - 1.0);
        for (uint32_t k = 0; k < point_count(sets[s]); k++) {
            for (int curve = VXE_CURVE_BEST; curve <= VXE_CURVE_MEDIAN; curve++) {
                const vxe_band band =
                    vxe_analysis_band(sets[s], (vxe_curve)curve, generation_of(sets[s], k));
                axes.low = fmin(axes.low, band.low);
                axes.high = fmax(axes.high, band.high);
            }
        }
    }
    picture_make_room(&axes);
    return axes;
}

static void draw_curve(FILE *stream, const picture_axes *axes, const vxe_analysis *set, int which,
                       vxe_curve curve)
{
    const uint32_t points = point_count(set);
    fprintf(stream, "<polygon class=\"band s%d\" points=\"", which);
    for (uint32_t k = 0; k < 2 * points; k++) {
        const uint32_t g = generation_of(set, k < points ? k : 2 * points - 1 - k);
        const vxe_band band = vxe_analysis_band(set, curve, g);
        const double edge = k < points ? band.high : band.low;
        if (isfinite(edge)) {
            fprintf(stream, "%.1f,%.1f ", picture_across(axes, g), picture_upwards(axes, edge));
        }
    }
    fprintf(stream, "\"/>\n<polyline class=\"line s%d%s\" points=\"", which,
            curve == VXE_CURVE_MEDIAN ? " dashed" : "");
    for (uint32_t k = 0; k < points; k++) {
        const uint32_t g = generation_of(set, k);
        const vxe_band band = vxe_analysis_band(set, curve, g);
        if (isfinite(band.median)) {
            fprintf(stream, "%.1f,%.1f ", picture_across(axes, g),
                    picture_upwards(axes, band.median));
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
    const picture_axes axes = axes_of(sets);
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
            axes.width, axes.height, axes.width, axes.height);
    picture_draw_axes(stream, &axes, "generation", fmax(1, picture_tick(axes.most + 1)), "fitness",
                      curves_unit(sets).name);
    for (int s = 0; s < 2 && sets[s]; s++) {
        draw_curve(stream, &axes, sets[s], s, VXE_CURVE_MEDIAN);
        draw_curve(stream, &axes, sets[s], s, VXE_CURVE_BEST);
        fprintf(stream,
                "<text x=\"%d\" y=\"20\"><tspan class=\"s%d\" font-weight=\"bold\">%s</tspan>: "
                "%" PRIu32 " search%s</text>\n",
                axes.left + s * 170, s, s ? "against" : "first", vxe_analysis_runs(sets[s]),
                vxe_analysis_runs(sets[s]) == 1 ? "" : "es");
    }
    fprintf(stream,
            "<text x=\"%d\" y=\"20\" text-anchor=\"end\">line: best, dashed: median; bands: 95 %% "
            "of medians</text>\n</svg>\n",
            axes.width - axes.right);
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
