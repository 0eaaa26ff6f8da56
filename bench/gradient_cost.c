/* SPDX-License-Identifier: MIT */
/* gradient_cost: what a gradient costs, in runs. Robots of one body run in the lanes of vectors, as
   a batch, and as gradients: by what costs next to nothing, and by all numbers of materials. The
   three take turns, so that a change of the machine's speed affects all. One thread. With damping
   iterations there is no gradient by materials. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "bodies.h"
#include "cases.h"
#include "clock.h"
#include "engine/batch.h"
#include "engine/gradient.h"
#include "numbers.h"
#include "words.h"

#define MAX_REPEATS 101u
/* Robots that fill the widest vectors. */
#define ROBOTS 16u
/* Steps that a run is planned from. */
#define FIRST_STEPS 500u
/* Steps between samples. */
#define SAMPLE_EVERY 50u

/* Which body all robots have: a cube of one material, whose waves differ, an irregular one of four
   materials with random phases, or a walker with random phases, without self-collision and with it.
 */
typedef struct row {
    const char *name;
    bench_body body;
    int edge;
    bench_law law;
} row;

static const row rows[] = {{"cube_4", BENCH_CUBE, 4, BENCH_PLAIN},
                           {"cube_6", BENCH_CUBE, 6, BENCH_PLAIN},
                           {"cube_10", BENCH_CUBE, 10, BENCH_PLAIN},
                           {"evolved_6", BENCH_EVOLVED, 6, BENCH_PLAIN},
                           {"evolved_10", BENCH_EVOLVED, 10, BENCH_PLAIN},
                           {"quadruped", BENCH_FILE, 0, BENCH_PLAIN},
                           {"quadruped_contacts", BENCH_FILE, 0, BENCH_COLLIDES}};

/* What is timed. */
typedef enum contender {
    FORWARDS, /* a run */
    USUAL,    /* a gradient by amplitude, phase, load and start */
    ALL,      /* by materials as well */
    CONTENDERS
} contender;

typedef struct options {
    uint32_t repeats;
    double seconds; /* that a run shall take */
    bool iterations, help;
} options;

/* The robots of a row, and times of all repeats. */
typedef struct contest {
    int contenders;      /* all, or those up to it */
    uint32_t iterations; /* of damping */
    vxe_design *designs[ROBOTS];
    vxe_gradient *gradient[CONTENDERS]; /* the first is null */
    vxe_world_def world;
    uint64_t steps;
    uint64_t bonds;
    uint32_t in_lanes;
    double seconds[CONTENDERS][MAX_REPEATS];
    double ratio[CONTENDERS][MAX_REPEATS];
} contest;

static vxe_design *design_of(const row *r, uint32_t robot, vxe_error *error)
{
    const bench_case of = {r->name, r->body, r->edge, ROBOTS, "benchmark/quad10.vxa", r->law};
    if (r->body == BENCH_CUBE) {
        return bench_case_design(&of, 1 + robot, -1, error);
    }
    vxe_design *design = r->body == BENCH_FILE ? bench_case_design(&of, 0, -1, error)
                                               : bench_evolved_body(r->edge, 1, error);
    vxe_layer *layer = design ? vxe_design_layer(design, "PhaseOffset", 1) : NULL;
    uint64_t state = robot;
    for (uint32_t v = 0; layer && v < design->voxel_count; v++) {
        layer->values[v] = bench_random(&state);
    }
    return design;
}

/* m/s: the mean speed along x. */
static double speed(void *user, uint32_t robot, const vxe_gradient_sample *samples, uint32_t count,
                    vxe_gradient_sample *weights)
{
    double sum = 0;
    (void)user;
    (void)robot;
    for (uint32_t i = 1; i < count; i++) {
        sum += samples[i].velocity[0] / (count - 1);
        weights[i].velocity[0] = 1.0 / (count - 1);
    }
    return sum;
}

/* Runs all robots as a batch for so many steps; *seconds: with the compilation of designs, *step:
   s, the shortest time step of a robot. */
static bool run_batch(contest *c, uint64_t steps, double *seconds, double *step, vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    def.world = c->world;
    def.steps = steps;
    def.schedule = VXE_BATCH_LANES;
    const double start = bench_seconds();
    vxe_batch *batch = vxe_batch_create(&def, error);
    bool good = batch != NULL;
    for (uint32_t i = 0; i < ROBOTS && good; i++) {
        good = !vxe_batch_add(batch, c->designs[i], error);
    }
    good = good && !vxe_batch_run(batch, NULL, NULL, error);
    *seconds = bench_seconds() - start;
    *step = 1;
    c->in_lanes = 0;
    for (uint32_t i = 0; i < ROBOTS && good; i++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, i);
        *step = result.time_step < *step ? result.time_step : *step;
        c->bonds = result.bonds;
        c->iterations = result.damping_sweeps;
        c->in_lanes += result.in_lanes;
        good = result.status == VXE_ROBOT_DONE;
        if (!good) {
            snprintf(error->message, sizeof error->message, "robot %u: %.700s", i, result.message);
        }
    }
    vxe_batch_destroy(batch);
    return good;
}

/* Chooses the time step of all robots, and how many steps take the time of a run. */
static bool plan(contest *c, const options *o, vxe_error *error)
{
    double step = 0;
    double compile = 0;
    double seconds = 0;
    if (!run_batch(c, 1, &seconds, &step, error)) {
        return false;
    }
    c->world.step_rule = VXE_STEP_SECONDS;
    c->world.step_seconds = step;
    if (!run_batch(c, 1, &compile, &step, error) ||
        !run_batch(c, FIRST_STEPS, &seconds, &step, error)) {
        return false;
    }
    const double stepping = seconds > 1.1 * compile ? seconds - compile : 0.1 * seconds;
    c->steps = (uint64_t)(FIRST_STEPS * o->seconds / stepping) + FIRST_STEPS;
    return true;
}

static bool open_gradients(contest *c, vxe_error *error)
{
    bool good = true;
    for (int which = USUAL; which < c->contenders && good; which++) {
        vxe_gradient_def def = vxe_gradient_def_default();
        def.world = c->world;
        def.steps = c->steps;
        def.sample_every = SAMPLE_EVERY;
        def.by = which == ALL ? (1u << VXE_GRADIENT_BYS) - 1 : def.by;
        c->gradient[which] = vxe_gradient_create(&def, error);
        good = c->gradient[which] != NULL;
        for (uint32_t i = 0; i < ROBOTS && good; i++) {
            uint32_t robot = 0;
            good = !vxe_gradient_add(c->gradient[which], c->designs[i], &robot, error);
        }
    }
    return good;
}

static bool run_gradient(const contest *c, contender which, double *seconds, vxe_error *error)
{
    const double start = bench_seconds();
    bool good = !vxe_gradient_run(c->gradient[which], speed, NULL, error);
    *seconds = bench_seconds() - start;
    for (uint32_t i = 0; i < ROBOTS && good; i++) {
        double value = 0;
        good = !vxe_gradient_value(c->gradient[which], i, &value, error);
    }
    return good;
}

/* Everyone once, after a turn that counts for nothing. */
static bool run_all(contest *c, const options *o, vxe_error *error)
{
    for (uint32_t repeat = 0; repeat <= o->repeats; repeat++) {
        const uint32_t at = repeat > 0 ? repeat - 1 : 0;
        double step = 0;
        double compile = 0;
        if (!run_batch(c, 1, &compile, &step, error) ||
            !run_batch(c, c->steps, &c->seconds[FORWARDS][at], &step, error)) {
            return false;
        }
        c->seconds[FORWARDS][at] -= compile;
        for (int which = USUAL; which < c->contenders; which++) {
            if (!run_gradient(c, (contender)which, &c->seconds[which][at], error)) {
                return false;
            }
            c->ratio[which][at] = c->seconds[which][at] / c->seconds[FORWARDS][at];
        }
    }
    return true;
}

static void print(const row *r, contest *c, const options *o)
{
    const int count = (int)o->repeats;
    const double forwards = bench_quantile(c->seconds[FORWARDS], count, 0);
    printf("%-18s  %6u %6u %6u %8u %10u  %8.1f", r->name, c->designs[0]->voxel_count,
           (unsigned)c->bonds, c->in_lanes, (unsigned)c->steps, c->iterations,
           1e-6 * (double)c->bonds * ROBOTS * (double)c->steps / forwards);
    for (int which = USUAL; which < c->contenders; which++) {
        printf("  %6.2f %6.2f (%.2f to %.2f)",
               bench_quantile(c->seconds[which], count, 0) / forwards,
               bench_quantile(c->ratio[which], count, 0.5),
               bench_quantile(c->ratio[which], count, 0.25),
               bench_quantile(c->ratio[which], count, 0.75));
    }
    printf("\n");
    fflush(stdout);
}

static bool run(const row *r, const options *o, vxe_error *error)
{
    contest *c = calloc(1, sizeof *c);
    bool good = c != NULL;
    for (uint32_t i = 0; i < ROBOTS && good; i++) {
        c->designs[i] = design_of(r, i, error);
        good = c->designs[i] != NULL;
    }
    if (good) {
        c->world = vxe_world_def_default();
        c->world.threads = 1;
        c->world.damping = o->iterations ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        c->contenders = o->iterations ? ALL : CONTENDERS;
    }
    good = good && plan(c, o, error) && open_gradients(c, error) && run_all(c, o, error);
    if (good) {
        print(r, c, o);
    }
    for (int which = USUAL; which < CONTENDERS && c; which++) {
        vxe_gradient_destroy(c->gradient[which]);
    }
    for (uint32_t i = 0; i < ROBOTS && c; i++) {
        vxe_design_destroy(c->designs[i]);
    }
    free(c);
    return good;
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {{"repeats", required_argument, NULL, 'r'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"iterations", no_argument, NULL, 'i'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->help = o->help || option == 'h';
        o->iterations = o->iterations || option == 'i';
        good = option == 'r'   ? bench_whole(optarg, 1, MAX_REPEATS, &o->repeats)
               : option == 's' ? bench_number(optarg, BENCH_SHORTEST, BENCH_LONGEST, &o->seconds)
                               : option == 'h' || option == 'i';
    }
    return good && optind == count;
}

int main(int count, char **words)
{
    options o = {.repeats = 7, .seconds = 0.3};
    const bool understood = read_options(count, words, &o);
    if (!understood || o.help) {
        fprintf(understood ? stdout : stderr,
                "usage: gradient_cost [--repeats N] [--seconds S] [--iterations]\n"
                "  --repeats times that each body runs, and has its gradients (7), at most %u\n"
                "  --seconds that one run of all its robots takes, about (0.3)\n"
                "  --iterations of damping, in place of explicit dashpots\n",
                MAX_REPEATS);
        return understood ? 0 : 2;
    }
    vxe_error error = {0};
    printf("body                voxels  bonds  lanes    steps iterations  M bond updates/s of a "
           "run; runs "
           "that a "
           "gradient takes: the usual, by materials too; of the fastest, median (quartiles)\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!run(&rows[i], &o, &error)) {
            fprintf(stderr, "gradient_cost: %s\n", error.message[0] ? error.message : "no memory");
            return 1;
        }
    }
    return 0;
}
