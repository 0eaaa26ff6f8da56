/* SPDX-License-Identifier: MIT */
/* Writes the result file: one tag per line, six digits, the tags of all three simulators. Drivers
   list the folder and open what they find, so the file must not be visible before it is
   complete. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/dropin/score.h"
#include "cli/dropin/whole_file.h"

/* True for the two numbers that drivers give to robots that were not run. Drivers call float() on
   the text. */
static bool is_worst(const char *number)
{
    return strcmp(number, "1e+07") == 0 || strcmp(number, "-1e+07") == 0;
}

static void put(FILE *out, const char *tag, double value)
{
    char number[32];
    snprintf(number, sizeof number, "%.6g", isfinite(value) ? value : 0);
    if (is_worst(number)) {
        snprintf(number, sizeof number, "%s", value < 0 ? "-1.00001e+07" : "1.00001e+07");
    }
    fprintf(out, "        <%s>%s</%s>\n", tag, number, tag);
}

/* Writes the distances. A robot that diverged has not moved. */
static void put_distances(FILE *out, const score *s, const score_view *view)
{
    const double factor = s->diverged ? 0 : 1;
    put(out, "NormFinalDist", factor * (view->task->by_volume ? s->by_volume : s->far));
    put(out, "NormRegimeDist", factor * s->nearest);
    put(out, "NormFrozenDist", 0);
    put(out, "FinalDist", factor * s->far);
    put(out, "finalDistY", factor * s->moved[1]);
    put(out, "normAbsoluteDisplacement", factor * s->whole);
    put(out, "normDistX", factor * s->moved[0]);
    put(out, "normDistY", factor * s->moved[1]);
    put(out, "normDistZ", factor * s->moved[2]);
}

static void put_fitness(FILE *out, const score *s, const score_view *view)
{
    put_distances(out, s, view);
    put(out, "AnteriorDist", s->diverged ? 0 : s->farthest);
    put(out, "PosteriorDist", s->diverged ? 0 : s->nearest);
    put(out, "AnteriorY", s->diverged ? 0 : s->max_y);
    put(out, "PosteriorY", s->diverged ? 0 : s->min_y);
    put(out, "EndOfLifePosteriorY", s->diverged ? 0 : s->end_of_life_min_y);
    put(out, "FallAdjPostY", 0);
    put(out, "NumNonFeetTouchingFloor", 0);
    put(out, "NumTouchingFloor", s->touching);
    put(out, "Lifetime", s->lifetime);
    put(out, "FoundNeedleInHaystack", s->push > 0 && !s->diverged ? 1 : 0);
    put(out, "PushDist", s->diverged ? 0 : s->push);
    put(out, "BlockPos", s->diverged ? 0 : s->block);
    put(out, "VoxelNumber", s->voxels);
    put(out, "RobotVolumeStart", s->first_volume);
    put(out, "ConvexHullVolumeStart", s->first_hull);
    put(out, "RobotVolumeEnd", s->diverged ? 0 : s->last_volume);
    put(out, "ConvexHullVolumeEnd", s->diverged ? 0 : s->last_hull);
    fprintf(out, "        <Peer>%s</Peer>\n", s->conventions);
    if (s->diverged) {
        fputs("        <Diverged>1</Diverged>\n", out);
    }
}

static void put_trace(FILE *out, const score *s, const score_view *view)
{
    static const char *const names[3] = {"TraceX", "TraceY", "TraceZ"};
    fputs("        <CMTrace>\n", out);
    for (uint32_t i = 0; i < s->sample_count; i++) {
        const score_sample *sample = &s->samples[i];
        fprintf(out, "            <TraceStep>\n                <Time>%.6g</Time>\n", sample->time);
        for (int c = 0; c < 3; c++) {
            fprintf(out, "                <%s>%.6g</%s>\n", names[c],
                    sample->center[c] - view->design->file_origin[c], names[c]);
        }
        fprintf(out,
                "                <NumTouchingGround>%" PRIu32 "</NumTouchingGround>\n"
                "            </TraceStep>\n",
                sample->touching);
    }
    fputs("        </CMTrace>\n        <VolumeTrace>\n", out);
    for (uint32_t i = 0; i < s->sample_count; i++) {
        fprintf(out,
                "            <TraceStep>\n                <Time>%.6g</Time>\n"
                "                <Volume>%.6g</Volume>\n            </TraceStep>\n",
                s->samples[i].time, s->samples[i].volume);
    }
    fputs("        </VolumeTrace>\n", out);
}

/* A score and the run that it is of. */
typedef struct sheet {
    const score *score;
    const score_view *view;
} sheet;

static void put_sheet(FILE *out, const void *what)
{
    const sheet *s = what;
    fputs("<?xml version=\"1.0\" ?>\n<Voxelyze_Sim_Result Version=\"1.0\">\n    <Fitness>\n", out);
    put_fitness(out, s->score, s->view);
    if (s->view->task->traces) {
        put_trace(out, s->score, s->view);
    }
    fputs("    </Fitness>\n</Voxelyze_Sim_Result>\n", out);
}

bool score_write(const score *s, const score_view *view, const char *path, vxe_error *error)
{
    return whole_file_write(path, put_sheet, &(sheet){s, view}, error);
}
