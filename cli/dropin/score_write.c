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
#define WORST 1e7

static void put(FILE *out, const char *tag, double value)
{
    const double sane = isfinite(value) && fabs(value) != WORST ? value : 0;
    fprintf(out, "        <%s>%.6g</%s>\n", tag, sane, tag);
}

static void put_distances(FILE *out, const score *s, const score_view *view)
{
    const double size = view->design->voxel_size;
    double moved[3];
    double whole = 0;
    for (int c = 0; c < 3; c++) {
        moved[c] = s->diverged ? 0 : (s->end[c] - s->start[c]) / size;
        whole += moved[c] * moved[c];
    }
    const double far = hypot(moved[0], moved[1]);
    put(out, "NormFinalDist", view->task->by_volume && !s->diverged ? s->by_volume : far);
    put(out, "NormRegimeDist", s->diverged ? 0 : s->nearest);
    put(out, "NormFrozenDist", 0);
    put(out, "FinalDist", far);
    put(out, "finalDistY", moved[1]);
    put(out, "normAbsoluteDisplacement", sqrt(whole));
    put(out, "normDistX", moved[0]);
    put(out, "normDistY", moved[1]);
    put(out, "normDistZ", moved[2]);
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

/* A name beside the folder of the result, or in it, where it sorts last. */
static bool name_beside(const char *path, bool above, char *name, size_t room)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const char *base = slash ? slash + 1 : path;
    const int length = snprintf(name, room, "%.*s%s~%s.%ld", folder, path,
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

bool score_write(const score *s, const score_view *view, const char *path, vxe_error *error)
{
    char name[2048];
    FILE *out = NULL;
    for (int above = 1; above >= 0 && !out; above--) {
        errno = ENAMETOOLONG;
        out = name_beside(path, above, name, sizeof name) ? fopen(name, "wb") : NULL;
    }
    if (!out) {
        return cannot(path, error);
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
        cannot(path, error);
        remove(name);
        return false;
    }
    return true;
}
