/* SPDX-License-Identifier: MIT */
/* Axes of a picture as SVG. */
#include "cli/shared/picture_axes.h"

#include <math.h>

double picture_across(const picture_axes *axes, double x)
{
    return axes->left + (axes->width - axes->left - axes->right) * (x / axes->most);
}

double picture_upwards(const picture_axes *axes, double y)
{
    return axes->height - axes->bottom -
           (axes->height - axes->top - axes->bottom) * (y - axes->low) / (axes->high - axes->low);
}

void picture_make_room(picture_axes *axes)
{
    const double size = fmax(fabs(axes->high), fabs(axes->low));
    if (!(axes->high - axes->low > 1e-9 * size)) {
        axes->low = isfinite(axes->low) ? axes->low - 1 : 0;
        axes->high = axes->low + 2;
    }
}

double picture_tick(double range)
{
    const double raw = range / 8;
    const double power = pow(10, floor(log10(raw)));
    return raw / power < 2 ? 2 * power : raw / power < 5 ? 5 * power : 10 * power;
}

void picture_draw_axes(FILE *stream, const picture_axes *axes, const char *across, double step,
                       const char *upwards, const char *unit)
{
    const double tick = picture_tick(axes->high - axes->low);
    const double first = ceil(axes->low / tick);
    const int right = axes->width - axes->right;
    const int low = axes->height - axes->bottom;
    for (int k = 0; (first + k) * tick <= axes->high; k++) {
        const double y = (first + k) * tick;
        const double at = picture_upwards(axes, y);
        fprintf(stream,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" "
                "y=\"%.1f\" text-anchor=\"end\">%.5g</text>\n",
                axes->left, right, at, at, axes->left - 8, at + 4, fabs(y) < 1e-9 * tick ? 0 : y);
    }
    for (int k = 0; k * step <= axes->most; k++) {
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.7g</text>\n",
                picture_across(axes, k * step), low + 20, k * step);
    }
    fprintf(stream,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text><text "
            "transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s%s%s%s"
            "</text>\n",
            (axes->left + right) / 2, axes->height - 10, across, (axes->top + low) / 2, upwards,
            unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
}
