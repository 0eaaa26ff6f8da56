/* SPDX-License-Identifier: MIT */
/* The page of a tuning: the curve, both scores of the best few, and the design before and after
   side by side. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/output_file.h"
#include "cli/shared/page_replay.h"
#include "cli/shared/studio_page.h"
#include "cli/tune/tune.h"

/* Frames for each second of a replay, and the most of them. */
#define FRAME_RATE 30.0
#define MAX_FRAMES 450.0

/* Runs one of the designs for the longer time, as a robot of the page. */
static vxe_status replay(vxe_page *page, const tune_checks *checks, const vxe_tuner *tuner,
                         uint32_t check, const char *name, vxe_error *error)
{
    vxe_design *design = NULL;
    const vxe_world_def def = vxe_tuner_world(tuner);
    const double end = checks->seconds[1];
    const page_replay_def how = {
        .end = end, .interval = end / fmin(FRAME_RATE * end + 1, MAX_FRAMES), .stop = interrupted};
    vxe_status status = tune_check_design(tuner, check, &design, error);
    status = status ? status : vxe_page_begin_robot(page, design, name, error);
    vxe_world *world = status ? NULL : vxe_world_create(design, &def, error);
    status = status ? status : world ? VXE_OK : error->status;
    status = status ? status : page_replay(page, design, world, &how, NULL, error);
    if (vxe_status_is_failure(status)) {
        vxe_page_note(page, vxe_status_name(status));
        status = VXE_OK;
    }
    status = status ? status : vxe_page_end_robot(page, error);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return status;
}

static void put_score(FILE *out, double score, const char *unit)
{
    if (isnan(score)) {
        fputs("<td>diverged", out);
    } else {
        fprintf(out, "<td>%.4g%s", score, unit);
    }
}

/* Writes the table of both scores. Robot 0 of the page is the design before, robot 1 the chosen
   one. */
static void put_table(FILE *out, const tune_checks *checks)
{
    fprintf(out,
            "<div class=\"scroll\"><table class=\"rows\"><tr><th>design<th>iteration<th>score, %g "
            "s<th>score, %g s\n",
            checks->seconds[0], checks->seconds[1]);
    for (uint32_t k = 0; k < checks->count; k++) {
        const tune_check *check = &checks->list[k];
        const bool shown = k == 0 || k == checks->chosen;
        fputs("<tr><td>", out);
        if (shown) {
            fprintf(out, "<button data-robot=\"%d\">&#9654; %s</button>", k > 0,
                    k > 0 ? "after" : "before");
        } else {
            fputs(check->file, out);
        }
        fprintf(out, "<td>%u", check->iteration);
        put_score(out, check->score[0], checks->unit.behind);
        put_score(out, check->score[1], checks->unit.behind);
        fputs("\n", out);
    }
    fputs("</table></div>\n", out);
    if (checks->count > 1) {
        fputs("<p><button data-robot=\"0 1\">&#9654; before and after, side by side</button></p>\n",
              out);
    }
}

static vxe_status put_front(vxe_page *page, const tune_checks *checks, const vxe_tuner *tuner,
                            const char *name, vxe_error *error)
{
    char *text = NULL;
    size_t size = 0;
    const vxe_tuner_facts facts = vxe_tuner_describe(tuner);
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return command_no_memory(error);
    }
    fputs("<style>.rows{border-collapse:collapse}.rows td,.rows th{padding:.2em .7em;"
          "text-align:right;white-space:nowrap}.rows td:first-child,.rows th:first-child{"
          "text-align:left}.rows tr:nth-child(odd){background:#8881}#front svg{max-width:100%;"
          "height:auto}</style>\n<h1>",
          out);
    vxe_markup_put(out, name);
    fprintf(out, "</h1>\n<p>%u numbers, %u iterations that cost %.0f runs</p>\n", facts.numbers,
            facts.iterations, facts.runs);
    put_table(out, checks);
    fputs("<div class=\"wide\">", out);
    tune_picture_draw(out, tuner, checks->unit.name);
    fputs("</div>\n", out);
    const vxe_status status = text_end(out, &text) ? VXE_OK : command_no_memory(error);
    const vxe_status put = status ? status : vxe_page_put_front(page, text, error);
    free(text);
    return put;
}

vxe_status tune_page_write(const tune_checks *checks, const vxe_tuner *tuner,
                           const tune_folder *folder, vxe_error *error)
{
    char path[TUNE_PATH];
    char name[160];
    vxe_design *before = NULL;
    const uint64_t failures = vxe_memory_failures();
    vxe_status status = tune_check_design(tuner, 0, &before, error);
    snprintf(name, sizeof name, "%s", before ? before->name : "");
    vxe_design_destroy(before);
    vxe_page *page =
        status ? NULL : vxe_page_create(tune_folder_name(folder, "page.html", path), name, error);
    status = status ? status : page ? VXE_OK : error->status;
    status = status ? status : studio_page_give(page, error);
    status = status ? status : replay(page, checks, tuner, 0, "before", error);
    if (checks->count > 1) {
        status = status ? status : replay(page, checks, tuner, checks->chosen, "after", error);
    }
    status = status ? status : interrupted_status(error);
    status = status ? status : put_front(page, checks, tuner, name, error);
    status = status ? status : vxe_memory_check(failures, error);
    if (status) {
        vxe_page_abandon(page);
        return status;
    }
    return vxe_page_close(page, error);
}
