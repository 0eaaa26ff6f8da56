/* SPDX-License-Identifier: MIT */
/* Writes voxcraft's report (XML). */
#include "cli/dropin/voxcraft_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dropin/whole_file.h"

typedef struct content {
    const char *folder;
    const simulation *robots;
    uint32_t count;
} content;

/* Sorting key: 0 with a fitness, 1 where it is not a number, 2 where the run failed. */
static int rank(const simulation *s)
{
    return !s->done ? 2 : isnan(s->fitness) ? 1 : 0;
}

static int by_fitness(const void *a, const void *b)
{
    const simulation *x = a;
    const simulation *y = b;
    if (rank(x) != rank(y)) {
        return rank(x) - rank(y);
    }
    if (rank(x) == 0 && x->fitness != y->fitness) {
        return x->fitness > y->fitness ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

void report_sort(simulation *robots, uint32_t count)
{
    qsort(robots, count, sizeof *robots, by_fitness);
}

static void put_number(FILE *out, const char *tag, double value)
{
    if (isnan(value)) { /* never -nan, which some programs cannot read */
        fprintf(out, "<%s>nan</%s>", tag, tag);
    } else {
        fprintf(out, "<%s>%.17g</%s>", tag, value, tag);
    }
}

static void put_point(FILE *out, const char *tag, const double at[3])
{
    fprintf(out, "<%s>", tag);
    put_number(out, "x", at[0]);
    put_number(out, "y", at[1]);
    put_number(out, "z", at[2]);
    fprintf(out, "</%s>", tag);
}

static void put_places(FILE *out, const char *tag, const double *places, uint32_t voxels)
{
    fprintf(out, "<%s>", tag);
    for (size_t v = 0; v < voxels; v++) {
        fprintf(out, "%.6f,%.6f,%.6f;", places[3 * v], places[3 * v + 1], places[3 * v + 2]);
    }
    fprintf(out, "</%s>", tag);
}

/* Writes the tag of a robot: the name of its file up to the first dot. As in voxcraft, it need not
   be a valid XML name; only characters that would end it early are replaced. */
static void put_tag(FILE *out, const char *before, const simulation *s)
{
    fputs(before, out);
    for (const char *c = s->name; *c && *c != '.';) {
        const size_t length = strchr("<>/&", *c) ? 0 : vxe_markup_character(c);
        fprintf(out, "%.*s", length ? (int)length : 1, length ? c : "_");
        c += length ? length : 1;
    }
    fputc('>', out);
}

static void put_robot(FILE *out, const simulation *s)
{
    const vxe_design *d = s->design;
    put_tag(out, "<", s);
    put_number(out, "currentTime", s->time);
    put_number(out, "fitness_score", s->done ? s->fitness : 0);
    fprintf(out, "<num_voxel>%" PRIu32 "</num_voxel>", d ? d->voxel_count : 0);
    fprintf(out, "<num_measured_voxel>%" PRIu32 "</num_measured_voxel>", s->facts.measured);
    put_number(out, "voxSize", d ? d->voxel_size : 0);
    put_number(out, "numClosePairs", s->facts.close_pairs);
    put_point(out, "initialCenterOfMass", s->facts.start);
    put_point(out, "currentCenterOfMass", s->facts.center);
    put_number(out, "total_distance_of_all_voxels", s->facts.distance);
    if (d && s->done && s->task.places) {
        put_places(out, "init_pos", s->starts, d->voxel_count);
        put_places(out, "pos", s->ends, d->voxel_count);
        fputs("<mats>", out);
        for (uint32_t v = 0; v < d->voxel_count; v++) {
            fprintf(out, "%" PRIu32 ";", d->voxels[v].material + 1);
        }
        fputs("</mats>", out);
    }
    fprintf(out, "<Peer>%s</Peer>", s->conventions);
    if (s->cut) {
        fprintf(out, "<CutAfterSteps>%u</CutAfterSteps>", VOXCRAFT_STEPS);
    }
    if (s->diverged) {
        fputs("<Diverged>1</Diverged>", out);
    } else if (!s->done) {
        fputs("<Refused>", out);
        vxe_markup_put(out, s->message);
        fputs("</Refused>", out);
    }
    put_tag(out, "</", s);
}

/* Last part of a path; "." where it ends in a slash, as in boost. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? path : slash[1] ? slash + 1 : ".";
}

static void put_report(FILE *out, const void *what)
{
    const content *c = what;
    const simulation *best = &c->robots[0];
    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<report><inputdir>", out);
    vxe_markup_put(out, last_part(c->folder));
    fputs("</inputdir><bestfit><filename>", out);
    vxe_markup_put(out, best->name);
    fputs("</filename>", out);
    put_number(out, "fitness_score", best->done ? best->fitness : 0);
    fputs("</bestfit><detail>", out);
    for (uint32_t i = 0; i < c->count; i++) {
        put_robot(out, &c->robots[i]);
    }
    fputs("</detail></report>\n", out);
}

bool report_write(const char *path, const char *folder, const simulation *robots, uint32_t count,
                  vxe_error *error)
{
    return whole_file_write(path, put_report, &(content){folder, robots, count}, error);
}
