/* SPDX-License-Identifier: MIT */
/* Draws albums as pixels: faces, lines and letters go into a grid twice as fine, with a depth
   buffer, and the mean of four points makes a pixel. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "output/picture/legend.h"
#include "output/picture/stroke_font.h"

#define FINE 2
/* Edges are drawn nearer to the camera by this depth, so that faces do not hide their own edges. */
#define NEARER 2e-4f
/* Opacity of the edges of voxels, and of the lines of the floor. */
#define EDGE_PART 0.55f
#define FLOOR_PART 1.0f
/* Depth of letters and of the legend, before everything else. */
#define NEAREST -2.0f

typedef struct canvas {
    uint32_t width, height; /* of the fine grid, all panels together */
    float *depth;           /* (height, width) */
    uint8_t *color;         /* (height, width, 3) */
    uint32_t left, right;   /* columns of the panel that is being drawn */
    uint32_t bottom;        /* row below it */
} canvas;

static void put_point(canvas *c, int x, int y, float depth, const float color[3], float part)
{
    if (x < (int)c->left || x >= (int)c->right || y < 0 || y >= (int)c->bottom) {
        return;
    }
    const size_t at = (size_t)y * c->width + (size_t)x;
    if (depth > c->depth[at]) {
        return;
    }
    c->depth[at] = part < 1 ? c->depth[at] : depth;
    for (int k = 0; k < 3; k++) {
        const float before = c->color[3 * at + (size_t)k];
        const float now = part * 255 * color[k] + (1 - part) * before;
        c->color[3 * at + (size_t)k] = (uint8_t)lrintf(fminf(fmaxf(now, 0), 255));
    }
}

/* Converts a point of a panel to the fine grid. */
static vxe_point fine(const canvas *c, vxe_point p)
{
    return (vxe_point){FINE * p.x + (float)c->left, FINE * p.y, p.depth};
}

static void draw_triangle(canvas *c, vxe_point a, vxe_point b, vxe_point d, const float color[3])
{
    const float area = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
    const int low[2] = {(int)fmaxf(floorf(fminf(fminf(a.x, b.x), d.x)), (float)c->left),
                        (int)fmaxf(floorf(fminf(fminf(a.y, b.y), d.y)), 0)};
    const int high[2] = {(int)fminf(ceilf(fmaxf(fmaxf(a.x, b.x), d.x)), (float)c->right - 1),
                         (int)fminf(ceilf(fmaxf(fmaxf(a.y, b.y), d.y)), (float)c->bottom - 1)};
    for (int y = low[1]; y <= high[1] && area != 0; y++) {
        for (int x = low[0]; x <= high[0]; x++) {
            const float px = (float)x + 0.5f;
            const float py = (float)y + 0.5f;
            const float u = ((px - a.x) * (d.y - a.y) - (py - a.y) * (d.x - a.x)) / area;
            const float v = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area;
            if (u >= 0 && v >= 0 && u + v <= 1) {
                put_point(c, x, y, a.depth + u * (b.depth - a.depth) + v * (d.depth - a.depth),
                          color, 1);
            }
        }
    }
}

static void draw_line(canvas *c, vxe_point a, vxe_point b, const float color[3], float part)
{
    const float steps = ceilf(fmaxf(fmaxf(fabsf(b.x - a.x), fabsf(b.y - a.y)), 1));
    for (float k = 0; k <= steps && steps < 1e5f; k++) {
        const float way = k / steps;
        put_point(c, (int)floorf(a.x + way * (b.x - a.x)), (int)floorf(a.y + way * (b.y - a.y)),
                  a.depth + way * (b.depth - a.depth), color, part);
    }
}

static void draw(canvas *c, const vxe_projection *projection, bool edges)
{
    for (uint32_t i = 0; i < projection->stroke_count; i++) {
        draw_line(c, fine(c, projection->strokes[i].end[0]), fine(c, projection->strokes[i].end[1]),
                  vxe_floor_line, FLOOR_PART);
    }
    for (uint32_t i = 0; i < projection->patch_count; i++) {
        const vxe_patch *patch = &projection->patches[i];
        vxe_point p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = fine(c, patch->corner[k]);
        }
        draw_triangle(c, p[0], p[1], p[2], patch->color);
        draw_triangle(c, p[0], p[2], p[3], patch->color);
    }
    for (uint32_t i = 0; i < projection->patch_count && edges; i++) {
        for (int k = 0; k < 4; k++) {
            if (projection->patches[i].hidden >> k & 1) {
                continue;
            }
            vxe_point from = fine(c, projection->patches[i].corner[k]);
            vxe_point to = fine(c, projection->patches[i].corner[(k + 1) % 4]);
            from.depth -= NEARER;
            to.depth -= NEARER;
            draw_line(c, from, to, vxe_edge_line, EDGE_PART);
        }
    }
}

/* Distance of a point from a line of a glyph. */
static float distance_from(const float line[4], float x, float y)
{
    const float way[2] = {line[2] - line[0], line[3] - line[1]};
    const float square = way[0] * way[0] + way[1] * way[1];
    const float along = (x - line[0]) * way[0] + (y - line[1]) * way[1];
    const float part = square > 0 ? fminf(fmaxf(along / square, 0), 1) : 0;
    return hypotf(x - line[0] - part * way[0], y - line[1] - part * way[1]);
}

/* Draws a character whose line begins at x and y of the fine grid. size: of the font, in points of
   the grid. */
static void draw_glyph(canvas *c, const vxe_glyph *glyph, float x, float y, float size)
{
    const int beyond = (int)ceilf(VXE_GLYPH_PEN * size) + 1;
    const int wide = (int)ceilf(glyph->advance * size) + beyond;
    for (int row = -(int)ceilf(size) - beyond; row <= (int)ceilf(0.3f * size) + beyond; row++) {
        for (int column = -beyond; column <= wide; column++) {
            const float at[2] = {floorf(x) + (float)column, floorf(y) + (float)row};
            float near = HUGE_VALF;
            for (uint32_t k = 0; k < glyph->count; k++) {
                near = fminf(near, distance_from(glyph->line[k], (at[0] + 0.5f - x) / size,
                                                 (y - at[1] - 0.5f) / size));
            }
            const float part = fminf(fmaxf(0.5f + (0.5f * VXE_GLYPH_PEN - near) * size, 0), 1);
            if (part > 0) {
                put_point(c, (int)at[0], (int)at[1], NEAREST, vxe_ink, part);
            }
        }
    }
}

/* Draws a text whose line begins at x and y, in pixels of the picture. */
static void draw_text(canvas *c, float x, float y, float size, const char *text)
{
    vxe_glyph glyph;
    for (float at = FINE * x; *text && at < (float)c->right; at += FINE * size * glyph.advance) {
        text = vxe_glyph_take(text, &glyph);
        draw_glyph(c, &glyph, at, FINE * y, FINE * size);
    }
}

static void draw_box(canvas *c, const vxe_mark *mark)
{
    const int low[2] = {(int)lrintf(FINE * mark->x), (int)lrintf(FINE * mark->y)};
    const int high[2] = {(int)lrintf(FINE * (mark->x + mark->width)),
                         (int)lrintf(FINE * (mark->y + mark->height))};
    for (int y = low[1]; y < high[1]; y++) {
        for (int x = low[0]; x < high[0]; x++) {
            put_point(c, x, y, NEAREST, mark->color, 1);
        }
    }
}

/* Draws all panels, then the legend. */
static void draw_album(canvas *c, const vxe_album *album)
{
    const vxe_picture_def *def = album->def;
    const vxe_legend *legend = album->legend;
    char text[VXE_TIME_BYTES];
    c->bottom = c->height - FINE * legend->height;
    for (uint32_t i = 0; i < album->count; i++) {
        c->left = FINE * def->width * i;
        c->right = c->left + FINE * def->width;
        draw(c, &album->projections[i], def->edges);
        if (legend->size > 0) {
            draw_text(c, (float)(def->width * i) + 0.75f * legend->size, 1.5f * legend->size,
                      legend->size, vxe_legend_time(album->frames[i], text));
        }
    }
    c->left = 0;
    c->right = c->width;
    c->bottom = c->height;
    for (uint32_t i = 0; i < legend->count; i++) {
        const vxe_mark *mark = &legend->marks[i];
        if (mark->text[0]) {
            draw_text(c, mark->x, mark->y, legend->size, mark->text);
        } else {
            draw_box(c, mark);
        }
    }
}

/* Computes a row of pixels, each the mean of its fine points. */
static void mix_row(const canvas *c, uint32_t row, uint8_t *into)
{
    VXE_ASSERT(FINE * (row + 1) <= c->height);
    for (uint32_t x = 0; x < c->width / FINE; x++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t sum = FINE * FINE / 2;
            for (uint32_t j = 0; j < FINE * FINE; j++) {
                const size_t at = (size_t)(FINE * row + j / FINE) * c->width + FINE * x + j % FINE;
                sum += c->color[3 * at + k];
            }
            into[3 * (size_t)x + k] = (uint8_t)(sum / (FINE * FINE));
        }
    }
}

/* What libpng, and zlib for it, takes comes from the C library, and is counted where it fails. */
static png_voidp take(png_structp png, png_alloc_size_t size)
{
    (void)png;
    return vxe_memory_counted(malloc(size));
}

static void release(png_structp png, png_voidp block)
{
    (void)png;
    free(block);
}

/* Error handlers for libpng, which would print messages otherwise. */
static void give_up(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void say_nothing(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Writes the picture. Returns false where libpng fails, for want of memory or disk space. */
static bool put_rows(const canvas *c, FILE *stream, uint8_t *row)
{
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, give_up, say_nothing,
                                                NULL, take, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, stream);
    png_set_IHDR(png, info, c->width / FINE, c->height / FINE, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < c->height / FINE; y++) {
        mix_row(c, y, row);
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

static vxe_status write_canvas(const canvas *c, const char *path, vxe_error *error)
{
    vxe_file_writer file;
    uint8_t *row = vxe_memory_take(3ull * c->width, 1);
    if (!row) {
        return vxe_error_memory(error, 3ull * c->width);
    }
    vxe_status status = vxe_file_begin(&file, path, error);
    const uint64_t failures = vxe_memory_failures();
    if (!status && !put_rows(c, file.stream, row)) {
        status = vxe_memory_check(failures, error);
        status = status ? status : vxe_file_cannot_write(path, error);
        vxe_file_abandon(&file);
    }
    status = status ? status : vxe_file_commit(&file, error);
    vxe_memory_release(row);
    return status;
}

/* Draws an album, and gives its pixels to a file or, where path is null, to an array. */
static vxe_status put(const vxe_album *album, const char *path, uint8_t *pixels, vxe_error *error)
{
    canvas c = {.width = FINE * album->def->width * album->count,
                .height = FINE * album->def->height};
    VXE_ASSERT(album->count > 0 && c.width > 0 && c.height > 0);
    const uint64_t points = (uint64_t)c.width * c.height;
    vxe_status status = VXE_OK;
    c.depth = vxe_memory_take(points, sizeof *c.depth);
    c.color = vxe_memory_take(points, 3);
    if (!c.depth || !c.color) {
        status = vxe_error_memory(error, points * (3 + sizeof *c.depth));
    }
    for (uint64_t i = 0; i < points && !status; i++) {
        c.depth[i] = HUGE_VALF;
        for (size_t k = 0; k < 3; k++) {
            c.color[3 * i + k] = (uint8_t)lrintf(255 * vxe_paper[k]);
        }
    }
    if (!status) {
        draw_album(&c, album);
    }
    if (path) {
        status = status ? status : write_canvas(&c, path, error);
    }
    for (uint32_t y = 0; y < c.height / FINE && !path && !status; y++) {
        mix_row(&c, y, pixels + (size_t)y * (c.width / FINE) * 3);
    }
    vxe_memory_release(c.depth);
    vxe_memory_release(c.color);
    return status;
}

vxe_status vxe_png_write(const vxe_album *album, const char *path, vxe_error *error)
{
    return put(album, path, NULL, error);
}

vxe_status vxe_pixels_put(const vxe_album *album, uint8_t *pixels, vxe_error *error)
{
    return put(album, NULL, pixels, error);
}
