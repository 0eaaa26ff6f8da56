/* SPDX-License-Identifier: MIT */
/* contact_cost: what self-collision adds to the time of a step of a design, with explicit dashpots
   and with the damping scheme that `auto` chooses. A run with contacts and one without alternate
   span by span, so that a change of the machine's speed affects both. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "clock.h"
#include "engine/world.h"
#include "lattice/formats/format.h"
#include "numbers.h"
#include "words.h"

#define MAX_SPANS 16
#define MAX_REPEATS 101u

typedef struct options {
    const char *path;
    uint32_t repeats;
    uint32_t threads;
    int spans;
    double ends[MAX_SPANS]; /* s */
    bool help;
} options;

/* Time of a step in a span, s, for each repeat, and the ratio of both. */
typedef struct span {
    double without[MAX_REPEATS];
    double with[MAX_REPEATS];
    double ratio[MAX_REPEATS];
} span;

/* Two worlds of one design, without contacts and with them. */
typedef struct pair {
    vxe_design *design[2];
    vxe_world *world[2];
} pair;

static void close_pair(pair *p)
{
    for (int i = 0; i < 2; i++) {
        vxe_world_destroy(p->world[i]);
        vxe_design_destroy(p->design[i]);
    }
    *p = (pair){{NULL}, {NULL}};
}

static bool open_pair(const options *o, vxe_damping_scheme damping, pair *p, vxe_error *error)
{
    vxe_world_def def = vxe_world_def_default();
    def.damping = damping;
    def.threads = o->threads;
    for (int i = 0; i < 2; i++) {
        p->design[i] = vxe_design_read(o->path, error);
        if (!p->design[i]) {
            return false;
        }
        p->design[i]->self_collision = i == 1;
        p->world[i] = vxe_world_create(p->design[i], &def, error);
        if (!p->world[i]) {
            return false;
        }
    }
    return true;
}

/* Measures the time of a step (s) until the end of a span; false on failure, or if the span has no
   step. */
static bool time_span(vxe_world *world, double end, double *per_step, vxe_error *error)
{
    const uint64_t steps = vxe_world_steps(world);
    const double start = bench_seconds();
    if (vxe_world_advance_to(world, end, error)) {
        return false;
    }
    const uint64_t done = vxe_world_steps(world) - steps;
    *per_step = (bench_seconds() - start) / (double)done;
    if (done == 0) {
        snprintf(error->message, sizeof error->message, "a span is too short: no step ends in it");
    }
    return done > 0;
}

/* Runs both worlds through all spans; they go first in turns. */
static bool run_once(const options *o, vxe_damping_scheme damping, int repeat, span *spans,
                     vxe_error *error)
{
    pair p = {{NULL}, {NULL}};
    bool good = open_pair(o, damping, &p, error);
    for (int s = 0; s < o->spans && good; s++) {
        double times[2] = {0, 0};
        for (int i = 0; i < 2 && good; i++) {
            const int which = (i + repeat + s) % 2;
            good = time_span(p.world[which], o->ends[s], &times[which], error);
        }
        spans[s].without[repeat] = times[0];
        spans[s].with[repeat] = times[1];
        spans[s].ratio[repeat] = times[1] / times[0];
    }
    close_pair(&p);
    return good;
}

static bool run(const options *o, vxe_damping_scheme damping, const char *name, vxe_error *error)
{
    span spans[MAX_SPANS] = {0};
    const int repeats = (int)o->repeats;
    for (int r = 0; r < repeats; r++) {
        if (!run_once(o, damping, r, spans, error)) {
            return false;
        }
    }
    double from = 0;
    for (int s = 0; s < o->spans; s++) {
        const double without = bench_quantile(spans[s].without, repeats, 0);
        const double with = bench_quantile(spans[s].with, repeats, 0);
        printf("%-8s  %4g to %4g s  %7.2f %7.2f  %+6.1f  %+6.1f (%+.1f to %+.1f)\n", name, from,
               o->ends[s], 1e6 * without, 1e6 * with, 100 * (with / without - 1),
               100 * (bench_quantile(spans[s].ratio, repeats, 0.5) - 1),
               100 * (bench_quantile(spans[s].ratio, repeats, 0.25) - 1),
               100 * (bench_quantile(spans[s].ratio, repeats, 0.75) - 1));
        from = o->ends[s];
    }
    return true;
}

static bool read_spans(int count, char **words, options *o)
{
    bool good = true;
    for (o->spans = 0; good && o->spans < count; o->spans++) {
        const double begin = o->spans ? o->ends[o->spans - 1] : 0;
        double *end = &o->ends[o->spans];
        good = bench_number(words[o->spans], begin, BENCH_LONGEST, end) && *end > begin;
    }
    return good;
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {{"repeats", required_argument, NULL, 'r'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->help = o->help || option == 'h';
        good = option == 'r'   ? bench_whole(optarg, 1, MAX_REPEATS, &o->repeats)
               : option == 't' ? bench_whole(optarg, 0, BENCH_MAX_THREADS, &o->threads)
                               : option == 'h';
    }
    if (!good || o->help) {
        return good;
    }
    if (optind == count || count - optind - 1 > MAX_SPANS) {
        return false;
    }
    o->path = words[optind++];
    return optind == count || read_spans(count - optind, words + optind, o);
}

int main(int count, char **words)
{
    options o = {.repeats = 7, .threads = 1, .spans = 3, .ends = {0.5, 1.5, 5}};
    const bool understood = read_options(count, words, &o);
    if (!understood || o.help) {
        fprintf(understood ? stdout : stderr,
                "usage: contact_cost [--repeats N] [--threads N] DESIGN [SECONDS ...]\n"
                "  SECONDS   ends of the spans that are measured (0.5 1.5 5), increasing from\n"
                "            above 0; at most %d\n"
                "  --repeats number of runs (7), at most %u\n"
                "  --threads threads of each run, 0: all (1)\n",
                MAX_SPANS, MAX_REPEATS);
        return understood ? 0 : 2;
    }
    vxe_error error = {0};
    printf("damping   span          us per step: without, with; contacts add %%: of the fastest, "
           "median (quartiles)\n");
    if (!run(&o, VXE_DAMPING_EXPLICIT, "explicit", &error) ||
        !run(&o, VXE_DAMPING_AUTO, "auto", &error)) {
        fprintf(stderr, "contact_cost: %s\n", error.message[0] ? error.message : "no memory");
        return 1;
    }
    return 0;
}
