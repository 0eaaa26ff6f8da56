/* SPDX-License-Identifier: MIT */
/* Lays out legends: items from left to right in as few rows as they need, the bar of lengths
   first. */
#include "output/picture/legend.h"

#include <math.h>
#include <stdio.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "output/picture/stroke_font.h"
#include "output/view/colors.h"

/* Size of letters as a part of a panel's shorter side, and its bounds in pixels. */
#define SIZE_PART (1.0f / 40)
#define MIN_SIZE 12.0f
#define MAX_SIZE 32.0f
/* Panels that are lower or narrower than so many letters have no legend. */
#define MIN_LETTERS 10
/* All lengths below are parts of the size of letters: what a letter takes in the mean (also in the
   fonts of browsers), a row, the space around the legend and between two items, a swatch and its
   space, the bar of colours. */
#define LETTER 0.62f
#define ROW 1.6f
#define MARGIN 0.8f
#define BETWEEN 1.2f
#define SWATCH 0.9f
#define SPACE 0.45f
#define COLORS_WIDE 9.0f
#define BASE 1.15f /* from the top of a row to the line of its letters */
#define LAST_KEPT 13
/* Boxes of a bar of colours. */
enum { SLICES = 48 };
/* The legend takes at most this part of a panel's height. */
#define MAX_PART 0.25f

/* Where the next item goes. */
typedef struct pen {
    vxe_legend *legend;
    float x, width; /* pixels; width: of the picture */
    uint32_t row, max_rows;
    uint32_t left_out; /* items that had no place */
    float top;         /* y of the first row */
    bool failed;       /* without memory */
} pen;

static float width_of(const vxe_legend *legend, const char *text)
{
    return LETTER * legend->size * (float)vxe_glyph_count(text);
}

/* Adds a mark, or a text where there is one. */
static void put_mark(pen *p, float x, float y, float width, float height, const float color[3],
                     const char *text)
{
    vxe_legend *legend = p->legend;
    if (legend->count == legend->capacity) {
        const uint32_t larger = legend->capacity ? 2 * legend->capacity : 64;
        vxe_mark *marks =
            vxe_memory_grow(legend->marks, legend->count, larger, sizeof *legend->marks);
        if (!marks) {
            p->failed = true;
            return;
        }
        legend->marks = marks;
        legend->capacity = larger;
    }
    vxe_mark *mark = &legend->marks[legend->count++];
    *mark = (vxe_mark){.x = x, .y = y, .width = width, .height = height};
    for (int c = 0; c < 3 && color; c++) {
        mark->color[c] = color[c];
    }
    snprintf(mark->text, sizeof mark->text, "%s", text ? text : "");
}

/* Finds a place for an item of some width. Returns false where there is none. */
static bool place(pen *p, float width)
{
    const float size = p->legend->size;
    if (p->left_out > 0) {
        p->left_out++;
        return false;
    }
    /* the last row keeps space for "and 12 more" */
    const float kept = p->row + 1 < p->max_rows ? MARGIN * size : LAST_KEPT * LETTER * size;
    if (p->x > MARGIN * size && p->x + width > p->width - kept) {
        if (p->row + 1 >= p->max_rows) {
            p->left_out++;
            return false;
        }
        p->row++;
        p->x = MARGIN * size;
    }
    return true;
}

static float top_of(const pen *p)
{
    return p->top + ROW * p->legend->size * (float)p->row;
}

static void put_text(pen *p, const char *text)
{
    put_mark(p, p->x, top_of(p) + BASE * p->legend->size, 0, 0, NULL, text);
    p->x += width_of(p->legend, text);
}

static void put_swatch(pen *p, const float color[3], const char *text)
{
    const float size = p->legend->size;
    if (place(p, (SWATCH + SPACE) * size + width_of(p->legend, text))) {
        put_mark(p, p->x, top_of(p) + (BASE - SWATCH) * size + 0.1f * size, SWATCH * size,
                 SWATCH * size, color, NULL);
        p->x += (SWATCH + SPACE) * size;
        put_text(p, text);
        p->x += BETWEEN * size;
    }
}

/* A bar as long as the spacing of the floor's grid, where the middle of the body is. */
static void put_length(pen *p, double meters, double pixels_per_meter, bool grid)
{
    const float size = p->legend->size;
    const float wide = (float)(meters * pixels_per_meter);
    char number[40];
    char text[VXE_MARK_BYTES];
    snprintf(text, sizeof text, "%s m%s", vxe_number_print(number, sizeof number, meters, 3),
             grid ? ", as the grid" : "");
    if (place(p, wide + SPACE * size + width_of(p->legend, text))) {
        const float thick = 0.12f * size;
        const float middle = top_of(p) + (BASE - 0.35f) * size;
        for (int end = 0; end < 2; end++) {
            put_mark(p, p->x + (float)end * (wide - thick), middle - 0.3f * size, thick,
                     0.6f * size, vxe_ink, NULL);
        }
        put_mark(p, p->x, middle - 0.5f * thick, wide, thick, vxe_ink, NULL);
        p->x += wide + SPACE * size;
        put_text(p, text);
        p->x += BETWEEN * size;
    }
}

/* A bar of the colours of a scale between its ends. */
static void put_scale(pen *p, vxe_coloring coloring, double low, double high, const char *label)
{
    const float size = p->legend->size;
    char ends[2][40];
    (void)vxe_number_print(ends[0], sizeof ends[0], low, 3);
    (void)vxe_number_print(ends[1], sizeof ends[1], high, 3);
    if (!place(p, (COLORS_WIDE + 3 * SPACE) * size + width_of(p->legend, label) +
                      width_of(p->legend, ends[0]) + width_of(p->legend, ends[1]))) {
        return;
    }
    put_text(p, label);
    p->x += 1.5f * SPACE * size;
    put_text(p, ends[0]);
    p->x += SPACE * size;
    for (int k = 0; k < SLICES; k++) { /* each to the end, so that there are no seams */
        const float from = COLORS_WIDE * size * (float)k / SLICES;
        float color[3];
        vxe_scale_color(coloring, (k + 0.5) / SLICES, color);
        put_mark(p, p->x + from, top_of(p) + (BASE - SWATCH) * size + 0.1f * size,
                 COLORS_WIDE * size - from, SWATCH * size, color, NULL);
    }
    p->x += (COLORS_WIDE + SPACE) * size;
    put_text(p, ends[1]);
    p->x += BETWEEN * size;
}

/* The colours of materials that voxels have, and of affine bodies. */
static void put_materials(pen *p, const vxe_design *design, const vxe_view *view,
                          const bool *is_used)
{
    char text[VXE_MARK_BYTES];
    for (uint32_t i = 0; i < design->material_count; i++) {
        if (is_used[i]) {
            snprintf(text, sizeof text, "material %u", i + 1);
            put_swatch(p, view->materials + 3 * (size_t)i,
                       design->materials[i].name[0] ? design->materials[i].name : text);
        }
    }
    for (uint32_t b = 0; b < design->affine_count; b++) {
        snprintf(text, sizeof text, "body %u", b + 1);
        put_swatch(p, vxe_body_color(b), design->affine[b].name[0] ? design->affine[b].name : text);
    }
}

static void put_colors(pen *p, const vxe_design *design, const vxe_view *view,
                       vxe_coloring coloring, const bool *is_used)
{
    bool has_idle = design->affine_count > 0;
    switch (coloring) {
    case VXE_COLOR_STRAIN:
        put_scale(p, coloring, -view->strain, view->strain, "axial strain");
        break;
    case VXE_COLOR_PHASE:
        put_scale(p, coloring, 0, 1, "phase (cycles)");
        for (uint32_t i = 0; i < design->material_count; i++) {
            has_idle = has_idle || (is_used[i] && design->materials[i].thermal_expansion == 0);
        }
        break;
    case VXE_COLOR_CONTACT:
        put_scale(p, coloring, 0, view->contact, "contact (N)");
        break;
    case VXE_COLOR_ENERGY:
        put_scale(p, coloring, 0, view->energy, "elastic energy (J)");
        break;
    case VXE_COLOR_MATERIAL:
    case VXE_COLORINGS:
        put_materials(p, design, view, is_used);
        has_idle = false;
        break;
    }
    if (has_idle) {
        put_swatch(p, vxe_idle_color, "none");
    }
}

/* Puts all items. Called twice: the number of rows decides how high the panels are, and so how long
   the bar of lengths is. */
static void put_items(pen *p, const vxe_design *design, const vxe_view *view,
                      const vxe_picture_def *def, const bool *is_used)
{
    const uint32_t size[2] = {def->width, def->height - p->legend->height};
    put_length(p, vxe_view_spacing(view), vxe_view_pixels_per_meter(view, size),
               design->floor.enabled);
    put_colors(p, design, view, def->coloring, is_used);
    if (p->left_out > 0) {
        const uint32_t left_out = p->left_out;
        char text[40];
        snprintf(text, sizeof text, "and %u more", left_out);
        put_text(p, text);
    }
}

vxe_status vxe_legend_init(vxe_legend *legend, const vxe_design *design, const vxe_view *view,
                           const vxe_picture_def *def, uint32_t panels, vxe_error *error)
{
    const float side = (float)(def->width < def->height ? def->width : def->height);
    const float size = fminf(fmaxf(SIZE_PART * side, MIN_SIZE), MAX_SIZE);
    *legend = (vxe_legend){0};
    if (!def->caption || side < MIN_LETTERS * size) {
        return VXE_OK;
    }
    bool *is_used = vxe_memory_take(design->material_count + 1ull, sizeof *is_used);
    if (!is_used) {
        return vxe_error_memory(error, design->material_count + 1ull);
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        is_used[design->voxels[v].material] = true;
    }
    pen p = {.failed = false};
    legend->size = size;
    for (int pass = 0; pass < 2; pass++) {
        p = (pen){.legend = legend,
                  .x = MARGIN * size,
                  .width = (float)def->width * (float)panels,
                  .max_rows = (uint32_t)fmaxf(1, MAX_PART * (float)def->height / (ROW * size)),
                  .top = (float)(def->height - legend->height)};
        legend->count = 0;
        put_items(&p, design, view, def, is_used);
        if (pass == 0) { /* lower panels have a shorter bar, which needs no more rows */
            legend->height = (uint32_t)ceilf(ROW * size * (float)(p.row + 1) + 0.4f * size);
            VXE_ASSERT(legend->height < def->height);
        }
    }
    vxe_memory_release(is_used);
    return p.failed ? vxe_error_memory(error, 2ull * legend->capacity * sizeof *legend->marks)
                    : VXE_OK;
}

void vxe_legend_clear(vxe_legend *legend)
{
    vxe_memory_release(legend->marks);
    *legend = (vxe_legend){0};
}

const char *vxe_legend_time(const vxe_frame *frame, char text[VXE_TIME_BYTES])
{
    char number[400]; /* as vxe_number_fixed needs for any number */
    snprintf(text, VXE_TIME_BYTES, "%.30s s",
             vxe_number_fixed(number, sizeof number, frame->time, 3));
    return text;
}
