/* SPDX-License-Identifier: MIT */
/* The result file: a tag a line, six digits, the tags of all three simulators. Drivers list the
   folder and open what they find, so that the file must not be seen before it is whole: it is
   written in the folder above, and renamed. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/dropin/score.h"

/* Drivers call float() on it, and take these two for robots that have not been run. */
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

/* A burst robot has not moved. */
static void put_distances(FILE *out, const score *s, const score_view *view)
{
    const double held = s->diverged ? 0 : 1;
    put(out, "NormFinalDist", held * (view->task->by_volume ? s->by_volume : s->far));
    put(out, "NormRegimeDist", held * s->nearest);
    put(out, "NormFrozenDist", 0);
    put(out, "FinalDist", held * s->far);
    put(out, "finalDistY", held * s->moved[1]);
    put(out, "normAbsoluteDisplacement", held * s->whole);
    put(out, "normDistX", held * s->moved[0]);
    put(out, "normDistY", held * s->moved[1]);
    put(out, "normDistZ", held * s->moved[2]);
}

static void put_fitness(FILE *out, const score *s, const score_view *view)
{
    put_distances(out, s, view);
    put(out, "AnteriorDist", s->diverged ? 0 : s->farthest);
    put(out, "PosteriorDist", s->diverged ? 0 : s->nearest);
    put(out, "AnteriorY", s->diverged ? 0 : s->most_y);
    put(out, "PosteriorY", s->diverged ? 0 : s->least_y);
    put(out, "EndOfLifePosteriorY", s->diverged ? 0 : s->end_of_life_least_y);
    put(out, "FallAdjPostY", 0);
    put(out, "NumNonFeetTouchingFloor", 0);
    put(out, "NumTouchingFloor", s->touching);
    put(out, "Lifetime", s->lifetime);
    put(out, "FoundNeedleInHaystack", s->push > 0 && !s->diverged ? 1 : 0);
    put(out, "PushDist", s->diverged ? 0 : s->push);
    put(out, "VoxelNumber", s->voxels);
    put(out, "RobotVolumeStart", s->first_volume);
    put(out, "RobotVolumeEnd", s->diverged ? 0 : s->last_volume);
    fprintf(out, "        <Peer>%s</Peer>\n", s->peer);
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

/* A name beside the folder of the result, or in it, where a list of the folder hides it. */
static bool name_beside(const char *path, bool above, char *name, size_t room)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const char *base = slash ? slash + 1 : path;
    const int length = snprintf(name, room, "%.*s%s.%s.%ld", folder, path,
                                above && slash ? "../" : "", base, (long)getpid());
    return length > 0 && (size_t)length < room;
}

static bool cannot(const char *path, vxe_error *error)
{
    *error = (vxe_error){.status = VXE_ERROR_SYSTEM};
    snprintf(error->message, sizeof error->message, "cannot write: %s", strerror(errno));
    snprintf(error->file, sizeof error->file, "%s", path);
    return false;
}

/* Writes under a name, then moves it to its place; errno says why not. */
static bool write_as(const score *s, const score_view *view, const char *name, const char *path)
{
    FILE *out = fopen(name, "wb");
    if (!out) {
        return false;
    }
    fputs("<?xml version=\"1.0\" ?>\n<Voxelyze_Sim_Result Version=\"1.0\">\n    <Fitness>\n", out);
    put_fitness(out, s, view);
    if (view->task->traces) {
        put_trace(out, s, view);
    }
    fputs("    </Fitness>\n</Voxelyze_Sim_Result>\n", out);
    int failed = fflush(out) || ferror(out);
    failed = fclose(out) || failed;
    if (failed || rename(name, path)) {
        const int why = errno;
        remove(name);
        errno = why;
        return false;
    }
    return true;
}

bool score_write(const score *s, const score_view *view, const char *path, vxe_error *error)
{
    char name[2048];
    bool written = false;
    /* the folder above may be another's, or on another disk */
    for (int above = 1; above >= 0 && !written; above--) {
        errno = ENAMETOOLONG;
        written = name_beside(path, above, name, sizeof name) && write_as(s, view, name, path);
    }
    return written || cannot(path, error);
}
