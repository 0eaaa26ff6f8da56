/* SPDX-License-Identifier: MIT */
/* The page of comparisons: a front with pictures and tables, behind it replays of the main rows
   with their copies as ghosts. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/compare/compare_write.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/output_file.h"
#include "cli/shared/page_replay.h"
#include "cli/shared/studio_page.h"

/* Ghosts of a robot, at most. */
#define MAX_GHOSTS 4u
/* Frames for each second of a replay, and bounds on their number in all. */
#define FRAME_RATE 30.0
#define MIN_FRAMES 150.0
#define MAX_FRAMES 450.0

/* A row has no replay, or so many robots from the first of them on. */
typedef struct replays {
    uint32_t first[COMPARE_MAX_ROWS]; /* number of the robot on the page */
    bool shown[COMPARE_MAX_ROWS];
} replays;

/* Runs a copy of a row again, as a robot of the page or a ghost. What ends a run early is noted. */
static vxe_status replay_copy(vxe_page *page, const comparison *c, const compare_row *row,
                              uint32_t copy, vxe_error *error)
{
    char name[VXE_CONVENTIONS_NAME + 300];
    snprintf(name, sizeof name, "%s: %s", c->design->name, row->what);
    const vxe_status status = copy == 0 ? vxe_page_begin_robot(page, c->design, name, error)
                                        : vxe_page_begin_ghost(page, c->design, name, error);
    vxe_world *world = status ? NULL : vxe_ensemble_world(row->ensemble, copy, error);
    if (!world) {
        return error->status;
    }
    const double frames = fmin(fmax(FRAME_RATE * row->facts.time, MIN_FRAMES), MAX_FRAMES);
    const page_replay_def how = {
        .end = row->facts.time, .interval = row->facts.time / frames, .stop = interrupted};
    const vxe_status ended = page_replay(page, c->design, world, &how, NULL, error);
    vxe_world_destroy(world);
    if (vxe_status_is_failure(ended)) {
        vxe_page_note(page, vxe_status_name(ended));
        return VXE_OK;
    }
    return ended;
}

/* Replays the main rows of a comparison: as published, native, and at the shortest step. voxels:
   what the page can still hold; robots: those on the page so far. */
static vxe_status put_replays(vxe_page *page, const comparison *c, replays *r, uint32_t *voxels,
                              uint32_t *robots, vxe_error *error)
{
    const compare_row *const rows[] = {compare_find(c, COMPARE_PUBLISHED),
                                       compare_find(c, COMPARE_NATIVE), compare_finest(c)};
    const uint32_t each = c->design->voxel_count > 0 ? c->design->voxel_count : 1;
    vxe_status status = VXE_OK;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0] && !status && !interrupted(); k++) {
        const compare_row *row = rows[k];
        if (!row || compare_failed(row) || each > *voxels) {
            continue;
        }
        const uint32_t others = row->facts.copies - 1;
        uint32_t ghosts = others < MAX_GHOSTS ? others : MAX_GHOSTS;
        ghosts = ghosts < *voxels / each - 1 ? ghosts : *voxels / each - 1;
        r->shown[row - c->rows] = true;
        r->first[row - c->rows] = *robots;
        for (uint32_t g = 0; g <= ghosts && !status && !interrupted(); g++) {
            status = replay_copy(page, c, row, g == 0 ? 0 : g * others / ghosts, error);
            *voxels -= each;
            ++*robots;
        }
    }
    return status;
}

static void put_row(FILE *out, const compare_row *row, const replays *r, ptrdiff_t index)
{
    const vxe_ensemble_facts *f = &row->facts;
    fputs("<tr><td>", out);
    if (r->shown[index]) {
        fprintf(out, "<button data-robot=\"%u\">&#9654; ", r->first[index]);
    }
    vxe_markup_put(out, row->what);
    fputs(r->shown[index] ? "</button>" : "", out);
    if (compare_failed(row)) {
        fputs("<td><td><td><td><td><td>", out);
        vxe_markup_put(out, row->ensemble ? f->message : row->error.message);
    } else {
        fprintf(out, "<td>%u of %u<td>%.4g &plusmn; %.2g<td>%.4g<td>%+.0f&deg;<td>%.3g<td>%s",
                f->done, f->copies, f->displacement.mean, f->displacement.deviation, f->way.mean,
                COMPARE_DEGREES * f->turned.mean, f->growth, vxe_trust_name(f->verdict));
    }
    fputs("\n", out);
}

static void put_comparison(FILE *out, const comparison *c, const replays *r)
{
    fputs("<h1>", out);
    vxe_markup_put(out, c->design->name);
    fputs("</h1>\n<div class=\"wide\">", out);
    compare_draw(out, c);
    fputs("</div>\n<div class=\"scroll\"><table class=\"rows\"><tr><th>rules<th>copies"
          "<th>displacement, voxels<th>path<th>turns<th>growth, 1/s<th>verdict\n",
          out);
    for (uint32_t k = 0; k < c->count; k++) {
        put_row(out, &c->rows[k], r, k);
    }
    fputs("</table></div><pre>", out);
    compare_print_words(out, c);
    fputs("</pre>\n", out);
}

static vxe_status put_front(vxe_page *page, const comparison *c, uint32_t count, const replays *all,
                            vxe_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return command_no_memory(error);
    }
    fputs("<style>.rows{border-collapse:collapse}.rows td,.rows th{padding:.2em .7em;"
          "text-align:right;white-space:nowrap}.rows td:first-child,.rows td:last-child,"
          ".rows th:first-child,.rows th:last-child{text-align:left}.rows "
          "tr:nth-child(odd){background:#8881}#front pre{white-space:pre-wrap}#front "
          "svg{max-width:100%;height:auto}</style>\n",
          out);
    for (uint32_t i = 0; i < count; i++) {
        put_comparison(out, &c[i], &all[i]);
    }
    const vxe_status status = text_end(out, &text) ? VXE_OK : command_no_memory(error);
    const vxe_status put = status ? status : vxe_page_put_front(page, text, error);
    free(text);
    return put;
}

bool compare_write_page(const comparison *c, uint32_t count, const char *path, vxe_error *error)
{
    uint32_t voxels = VXE_PAGE_VOXELS;
    uint32_t robots = 0;
    const uint64_t failures = vxe_memory_failures();
    replays *all = calloc(count, sizeof *all);
    vxe_page *page =
        all ? vxe_page_create(path, count == 1 ? c[0].design->name : "comparison", error) : NULL;
    vxe_status status = !all ? command_no_memory(error) : page ? VXE_OK : error->status;
    status = status ? status : studio_page_give(page, error);
    for (uint32_t i = 0; i < count && !status; i++) {
        status = put_replays(page, &c[i], &all[i], &voxels, &robots, error);
    }
    status = status ? status : put_front(page, c, count, all, error);
    status = status ? status : vxe_memory_check(failures, error);
    if (status) {
        vxe_page_abandon(page);
    } else {
        status = vxe_page_close(page, error);
    }
    free(all);
    return !status;
}
