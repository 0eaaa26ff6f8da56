/* SPDX-License-Identifier: MIT */
/* Writes the gallery of a search: replays champions into a page and puts a front with cards,
   curves and the map before them. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/gallery.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/shared/curves_picture.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/output_file.h"
#include "cli/shared/page_replay.h"
#include "cli/shared/studio_page.h"

#define FRAMES_PER_SECOND 30
#define LONGEST 4200
#define CARD_WIDTH 240
#define CARD_HEIGHT 170

/* A champion on the page. */
typedef struct champion {
    uint64_t id;
    char path[LONGEST];
    double fitness;
    vxe_unit unit; /* of the fitness */
} champion;

typedef struct gallery {
    const char *folder;
    json_t *config;
    champion *champions; /* (count) */
    uint32_t count;
    uint32_t found; /* number of champions of the search */
} gallery;

static vxe_status wrong(vxe_error *error, const char *file, const char *what)
{
    *error = (vxe_error){.status = VXE_ERROR_INPUT};
    snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, file);
    snprintf(error->message, sizeof error->message, "%s", what);
    return error->status;
}

bool gallery_is_search(const char *path)
{
    char name[LONGEST];
    snprintf(name, sizeof name, "%s/config.json", path);
    return access(name, R_OK) == 0;
}

static int by_id(const void *one, const void *two)
{
    const champion *a = one;
    const champion *b = two;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Finds all designs in best/ whose names are numbers. */
static vxe_status find_champions(gallery *g, vxe_error *error)
{
    char name[LONGEST];
    snprintf(name, sizeof name, "%s/best", g->folder);
    DIR *list = opendir(name);
    uint32_t capacity = 0;
    if (!list && errno == ENOMEM) {
        return command_no_memory(error);
    }
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list)) {
        const size_t digits = strspn(entry->d_name, "0123456789");
        const uint64_t id = digits < 19 ? strtoull(entry->d_name, NULL, 10) : 0;
        if (id == 0 || strcmp(entry->d_name + digits, ".json") != 0) {
            continue;
        }
        if (g->count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            champion *larger = realloc(g->champions, capacity * sizeof *larger);
            if (!larger) {
                closedir(list);
                return command_no_memory(error);
            }
            g->champions = larger;
        }
        champion *c = &g->champions[g->count++];
        *c = (champion){.id = id};
        snprintf(c->path, sizeof c->path, "%s/best/%s", g->folder, entry->d_name);
    }
    if (list) {
        closedir(list);
    }
    g->found = g->count;
    if (g->count == 0) {
        return wrong(error, g->folder, "this search has no champion yet");
    }
    qsort(g->champions, g->count, sizeof *g->champions, by_id);
    return VXE_OK;
}

/* Keeps at most `max` champions, evenly spaced from the first to the last. */
static void thin(gallery *g, uint32_t max)
{
    const uint32_t kept = g->count < max ? g->count : max;
    for (uint32_t k = 0; k < kept; k++) {
        const uint64_t last = g->count - 1;
        const uint64_t from = kept > 1 ? (k * last + (kept - 1) / 2) / (kept - 1) : last;
        g->champions[k] = g->champions[from];
    }
    g->count = kept;
}

/* Runs a champion as the command `run` does, and adds its frames to the page. */
static vxe_status replay(champion *c, const vxe_design *design, vxe_page *page, vxe_error *error)
{
    c->unit = vxe_design_fitness_unit(design);
    const vxe_world_def def = vxe_world_def_default();
    const page_replay_def how = {
        .end = design->stop.duration, .interval = 1.0 / FRAMES_PER_SECOND, .stop = interrupted};
    vxe_world *world = vxe_world_create(design, &def, error);
    const vxe_status status =
        world ? page_replay(page, design, world, &how, &c->fitness, error) : error->status;
    vxe_world_destroy(world);
    return status;
}

static const char *text_of(const json_t *object, const char *section, const char *key)
{
    const json_t *inner = section ? json_object_get(object, section) : object;
    const char *text = json_string_value(json_object_get(inner, key));
    return text ? text : "";
}

static long long number_of(const json_t *object, const char *section, const char *key)
{
    const json_t *inner = section ? json_object_get(object, section) : object;
    return json_integer_value(json_object_get(inner, key));
}

static void put_head(const gallery *g, FILE *out)
{
    fputs("<h1>", out);
    vxe_markup_put(out, text_of(g->config, NULL, "name"));
    fputs("</h1>\n<p>", out);
    vxe_markup_put(out, text_of(g->config, "task", "name"));
    fputs(", ", out);
    vxe_markup_put(out, text_of(g->config, "encoding", "name"));
    fputs(", ", out);
    vxe_markup_put(out, text_of(g->config, "algorithm", "name"));
    fprintf(out, " %lld x %lld, seed %lld</p>\n", number_of(g->config, "algorithm", "population"),
            number_of(g->config, "algorithm", "generations"), number_of(g->config, NULL, "seed"));
}

static vxe_status put_curves(const gallery *g, FILE *out, vxe_error *error)
{
    vxe_analysis *sets[2] = {vxe_analysis_open(&g->folder, 1, error), NULL};
    if (!sets[0]) {
        return error->status;
    }
    fputs("<h2>Fitness over generations</h2>\n<div class=\"wide\">", out);
    curves_picture_draw(out, sets);
    fputs("</div>\n", out);
    vxe_analysis_close(sets[0]);
    return VXE_OK;
}

/* Writes a cell of the map. Its colour shows where its fitness lies between the lowest and the
   highest one. */
static void put_cell(FILE *out, const vxe_elite *cell, double low, double high,
                     const vxe_unit *unit)
{
    if (cell->id == 0) {
        fputs("<td></td>", out);
        return;
    }
    const double part = high > low ? (cell->fitness - low) / (high - low) : 1;
    fprintf(out,
            "<td style=\"background:hsl(%.0f,55%%,%.0f%%)\" title=\"individual %" PRIu64
            ", fitness %.6g%s\">%.2g</td>",
            260 - 200 * part, 30 + 22 * part, cell->id, cell->fitness, unit->behind, cell->fitness);
}

static void put_map_of(const vxe_elites *e, const vxe_unit *unit, FILE *out)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    uint32_t filled = 0;
    const uint32_t cells = e->bins[0] * e->bins[1];
    for (uint32_t i = 0; i < cells; i++) {
        if (e->cells[i].id) {
            low = fmin(low, e->cells[i].fitness);
            high = fmax(high, e->cells[i].fitness);
            filled++;
        }
    }
    fprintf(
        out,
        "<h2>The best of each kind</h2>\n<p>Fitness%s%s%s; %s from left to right, %s upwards, as "
        "parts of their largest possible values; %u of %u kinds were found</p>\n<div "
        "class=\"scroll\"><table class=\"map\">\n",
        unit->name[0] ? " (" : "", unit->name, unit->name[0] ? ")" : "", e->descriptors[0],
        e->descriptors[1], filled, cells);
    for (uint32_t row = e->bins[1]; row-- > 0;) {
        fprintf(out, "<tr><th>%.2g</th>", (double)(row + 1) / e->bins[1]);
        for (uint32_t column = 0; column < e->bins[0]; column++) {
            put_cell(out, &e->cells[(size_t)row * e->bins[0] + column], low, high, unit);
        }
        fputs("</tr>\n", out);
    }
    fputs("<tr><th></th>", out);
    for (uint32_t column = 0; column < e->bins[0]; column++) {
        fprintf(out, "<th>%.2g</th>", (double)(column + 1) / e->bins[0]);
    }
    fputs("</tr>\n</table></div>\n", out);
}

/* Writes the map. Encodings of controllers have none, since their bodies are all alike. */
static vxe_status put_map(const gallery *g, FILE *out, vxe_error *error)
{
    vxe_elites *elites = vxe_elites_read(g->folder, error);
    if (!elites) {
        return error->status == VXE_ERROR_UNSUPPORTED ? VXE_OK : error->status;
    }
    put_map_of(elites, &g->champions[g->count - 1].unit, out);
    vxe_elites_destroy(elites);
    return VXE_OK;
}

static vxe_status put_card(const champion *c, uint32_t number, FILE *out, vxe_error *error)
{
    vxe_picture_def def = vxe_picture_def_default();
    const vxe_world_def world_def = vxe_world_def_default();
    vxe_design *design = vxe_design_read(c->path, error);
    if (!design) {
        return error->status;
    }
    vxe_world *world = vxe_world_create(design, &world_def, error);
    vxe_frame *frame =
        world ? vxe_frame_create(design->voxel_count, design->affine_count, error) : NULL;
    vxe_status status = frame ? VXE_OK : error->status;
    vxe_error_name_file(status ? error : NULL, c->path);
    def.width = CARD_WIDTH;
    def.height = CARD_HEIGHT;
    def.caption = false;
    if (!status) {
        vxe_frame_take(frame, world);
        fprintf(out, "<button class=\"card\" data-robot=\"%u\">", number);
        status = vxe_picture_put(design, frame, &def, out, error);
        fprintf(out,
                "<span>fitness %.6g%s</span><span class=\"small\">individual %" PRIu64
                ", %u voxels</span></button>\n",
                c->fitness, c->unit.behind, c->id, design->voxel_count);
    }
    vxe_frame_destroy(frame);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return status;
}

static vxe_status put_cards(const gallery *g, FILE *out, vxe_error *error)
{
    vxe_status status = VXE_OK;
    fprintf(out,
            "<h2>Champions</h2>\n<p>%u of %u, from the first to the last: choose one to see it "
            "move</p>\n<div class=\"cards\">\n",
            g->count, g->found);
    for (uint32_t i = 0; i < g->count && !status; i++) {
        status = put_card(&g->champions[i], i, out, error);
    }
    fputs("</div>\n", out);
    return status;
}

/* Writes the front of the page as text, which the caller frees. */
static vxe_status make_front(const gallery *g, char **text, vxe_error *error)
{
    size_t size = 0;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (!out) {
        return command_no_memory(error);
    }
    put_head(g, out);
    vxe_status status = put_cards(g, out, error);
    status = status ? status : put_curves(g, out, error);
    status = status ? status : put_map(g, out, error);
    const bool whole = text_end(out, text);
    return status ? status : whole ? VXE_OK : command_no_memory(error);
}

static vxe_status put_robots(gallery *g, vxe_page *page, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < g->count && !status && !interrupted(); i++) {
        vxe_design *design = vxe_design_read(g->champions[i].path, error);
        if (!design) {
            return error->status;
        }
        status = vxe_page_begin_robot(page, design, design->name, error);
        status = status ? status : replay(&g->champions[i], design, page, error);
        status = status ? status : vxe_page_end_robot(page, error);
        vxe_design_destroy(design);
    }
    return status;
}

static vxe_status fill_page(gallery *g, vxe_page *page, vxe_error *error)
{
    char *front = NULL;
    vxe_status status = put_robots(g, page, error);
    status = status ? status : interrupted_status(error);
    status = status ? status : make_front(g, &front, error);
    status = status ? status : vxe_page_put_front(page, front, error);
    free(front);
    return status;
}

vxe_status gallery_write(const char *folder, uint32_t champions, bool studio, const char *path,
                         vxe_error *error)
{
    gallery g = {.folder = folder};
    char name[LONGEST];
    json_error_t where;
    snprintf(name, sizeof name, "%s/config.json", folder);
    const uint64_t failures = vxe_json_watch();
    errno = 0;
    g.config = json_load_file(name, 0, &where);
    vxe_status status = !g.config && errno == ENOMEM ? command_no_memory(error) /* for the stream */
                                                     : vxe_memory_check(failures, error);
    status = status     ? status
             : g.config ? find_champions(&g, error)
                        : wrong(error, name, "is not an experiment");
    vxe_page *page = NULL;
    if (!status) {
        thin(&g, champions);
        page = vxe_page_create(path, text_of(g.config, NULL, "name"), error);
        status = page ? VXE_OK : error->status;
        status = status || !studio ? status : studio_page_give(page, error);
        status = status ? status : fill_page(&g, page, error);
        status = status ? status : vxe_memory_check(failures, error);
    }
    if (status) {
        vxe_page_abandon(page);
    } else {
        status = vxe_page_close(page, error);
    }
    free(g.champions);
    json_decref(g.config);
    return status;
}
