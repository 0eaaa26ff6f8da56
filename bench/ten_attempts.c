/* SPDX-License-Identifier: MIT */
/* ten_attempts: how fast a random block becomes a walker. A block of 8 x 2 x 4 voxels has a random
   occupancy and a random phase in each, one draw for each start, and a tuner has ten iterations for
   all 128 numbers. An attempt is an iteration: one body of whole voxels is run and scored, and one
   gradient, the mean over copies, says what the next one is. Printed is a table of quartiles over
   starts: the best body so far, in lengths of the block per second, and seconds. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "engine/batch.h"
#include "evolution/tuning.h"
#include "numbers.h"
#include "words.h"

enum { ACROSS = 8, DEEP = 2, HIGH = 4, VOXELS = ACROSS * DEEP * HIGH };

#define EDGE 0.01              /* m */
#define LENGTH (ACROSS * EDGE) /* m */
#define PERIOD 0.2             /* s */
#define LONGER 4.0             /* s */
#define AIM 0.5                /* lengths/s */
#define MAX_STARTS 10000u
#define MAX_ATTEMPTS 100u
#define MAX_COPIES 1024u

typedef struct options {
    uint32_t starts, first, attempts, copies, threads;
    double seconds, forget; /* s */
    double rate[2];         /* of phases and occupancies */
    double kept[2];         /* of Adam */
    bool each, help;
} options;

/* What became of all starts: (starts) each. */
typedef struct results {
    double *best[MAX_ATTEMPTS]; /* lengths/s, so far, by attempt */
    double *random;             /* of as many random bodies as there are attempts */
    double *longer;             /* of the best, over LONGER */
    double *wall, *half;        /* s; half: of the process on all cores, by 2 */
} results;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The block with the numbers of a start. */
static vxe_design *make_block(uint32_t start, double seconds, vxe_error *error)
{
    uint64_t state = 1000003ull * start + 17;
    vxe_design *design = vxe_design_create();
    vxe_material material = vxe_material_default();
    uint32_t index;
    material.youngs_modulus = 1e5;
    material.density = 1000;
    material.static_friction = 0.8;
    material.dynamic_friction = 0.5;
    material.bond_damping = material.collision_damping = 0.3;
    material.thermal_expansion = 0.01;
    if (!design || vxe_design_add_material(design, &material, &index, error)) {
        vxe_design_destroy(design);
        return NULL;
    }
    design->voxel_size = EDGE;
    design->self_collision = false;
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 15, .period = PERIOD};
    design->stop = (vxe_stop){.duration = seconds};
    bool good = true;
    for (int v = 0; v < VOXELS && good; v++) {
        good = !vxe_design_add_voxel(design, v % ACROSS, v / ACROSS % DEEP, v / ACROSS / DEEP,
                                     index, error);
    }
    const char *const layers[] = {"Occupancy", "PhaseOffset"};
    for (int k = 0; k < 2 && good; k++) {
        const vxe_layer *layer = vxe_design_layer(design, layers[k], 1);
        good = layer != NULL;
        for (int v = 0; v < VOXELS && good; v++) {
            layer->values[v] = bench_random(&state);
        }
    }
    if (!good) {
        vxe_design_destroy(design);
        return NULL;
    }
    return design;
}

static vxe_tuner_def define(const options *o)
{
    vxe_tuner_def def = vxe_tuner_def_default();
    def.by = 1u << VXE_TUNED_PHASE | 1u << VXE_TUNED_OCCUPANCY;
    def.world.threads = o->threads;
    def.copies = o->copies;
    def.forget = o->forget;
    def.kind[VXE_TUNED_PHASE].rate = o->rate[0];
    def.kind[VXE_TUNED_OCCUPANCY].rate = o->rate[1];
    def.kept[0] = o->kept[0]; /* ten attempts have no time for long means */
    def.kept[1] = o->kept[1];
    return def;
}

/* The best design's speed over the longer time. */
static vxe_status run_longer(const vxe_tuner *tuner, double *speed, vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    vxe_design *design = NULL;
    vxe_status status = vxe_tuner_design(tuner, 0, &design, NULL, NULL, error);
    def.world = vxe_tuner_world(tuner);
    def.duration = LONGER;
    vxe_batch *batch = status ? NULL : vxe_batch_create(&def, error);
    status = status ? status : batch ? vxe_batch_add(batch, design, error) : VXE_ERROR_MEMORY;
    status = status ? status : vxe_batch_run(batch, NULL, NULL, error);
    if (!status) {
        const vxe_batch_result result = vxe_batch_result_of(batch, 0);
        *speed = result.status == VXE_ROBOT_DONE ? result.fitness / LENGTH : -HUGE_VAL;
    }
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
    return status;
}

/* All attempts of a start. A body that diverges, or that is none, has no speed. */
static vxe_status attempt(const options *o, uint32_t i, results *r, vxe_error *error)
{
    const double wall = bench_seconds();
    const double processor = processor_seconds();
    const vxe_tuner_def def = define(o);
    vxe_design *block = make_block(o->first + i, o->seconds, error);
    vxe_tuner *tuner = block ? vxe_tuner_create(block, &def, error) : NULL;
    vxe_status status = tuner ? VXE_OK : VXE_ERROR_MEMORY;
    for (uint32_t a = 0; a < o->attempts && !status; a++) {
        status = vxe_tuner_step(tuner, error);
        const double best = status ? 0 : vxe_tuner_describe(tuner).best;
        r->best[a][i] = isfinite(best) ? best / LENGTH : -HUGE_VAL;
    }
    r->wall[i] = bench_seconds() - wall;
    r->half[i] = 0.5 * (processor_seconds() - processor);
    r->longer[i] = -HUGE_VAL;
    if (!status && vxe_tuner_describe(tuner).kept > 0) {
        status = run_longer(tuner, &r->longer[i], error);
    }
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(block);
    return status;
}

/* What as many random bodies reach without a gradient: the first bodies of other starts. */
static void compare_random(const options *o, results *r)
{
    for (uint32_t i = 0; i < o->starts; i++) {
        r->random[i] = -HUGE_VAL;
        for (uint32_t k = 0; k < o->attempts; k++) {
            r->random[i] = fmax(r->random[i], r->best[0][(i + k) % o->starts]);
        }
    }
}

static void print_row(const char *name, double *values, int count)
{
    const double low = bench_quantile(values, count, 0.25);
    const double high = bench_quantile(values, count, 0.75);
    printf("| %s | %.2f | %.2f | %.2f |\n", name, bench_quantile(values, count, 0.5), low, high);
}

static void print(const options *o, results *r)
{
    const int count = (int)o->starts;
    int reached = 0;
    for (int i = 0; i < count; i++) {
        reached += r->best[o->attempts - 1][i] >= AIM;
    }
    printf("| %d starts, %" PRIu32 " attempts | median | lower quartile | upper quartile |\n"
           "|---|---|---|---|\n",
           count, o->attempts);
    compare_random(o, r);
    for (uint32_t a = 0; a < o->attempts; a++) {
        char name[64];
        snprintf(name, sizeof name, "best body of %" PRIu32 ", lengths/s", a + 1);
        if (a == 0 || (a + 1) % 5 == 0 || a + 1 == o->attempts) {
            print_row(name, r->best[a], count);
        }
    }
    print_row("the last of these, over 4 s", r->longer, count);
    print_row("best of as many random bodies, lengths/s", r->random, count);
    print_row("wall time, s", r->wall, count);
    print_row("processor time by 2, s", r->half, count);
    printf("\n%d of %d starts reached %g lengths/s.\n", reached, count, AIM);
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {{"starts", required_argument, NULL, 'n'},
                                          {"first", required_argument, NULL, 'f'},
                                          {"attempts", required_argument, NULL, 'a'},
                                          {"copies", required_argument, NULL, 'c'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"forget", required_argument, NULL, 'g'},
                                          {"phase-rate", required_argument, NULL, 'p'},
                                          {"occupancy-rate", required_argument, NULL, 'o'},
                                          {"kept", required_argument, NULL, 'k'},
                                          {"each", no_argument, NULL, 'e'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->each = o->each || option == 'e';
        o->help = o->help || option == 'h';
        good = option == 'n'   ? bench_whole(optarg, 1, MAX_STARTS, &o->starts)
               : option == 'f' ? bench_whole(optarg, 0, MAX_STARTS, &o->first)
               : option == 'a' ? bench_whole(optarg, 1, MAX_ATTEMPTS, &o->attempts)
               : option == 'c' ? bench_whole(optarg, 1, MAX_COPIES, &o->copies)
               : option == 't' ? bench_whole(optarg, 1, BENCH_MAX_THREADS, &o->threads)
               : option == 's' ? bench_number(optarg, 0.1, 100, &o->seconds)
               : option == 'g' ? bench_number(optarg, 0, 100, &o->forget)
               : option == 'p' ? bench_number(optarg, 1e-6, 1, &o->rate[0])
               : option == 'k' ? bench_number(optarg, 0, 0.99, &o->kept[0])
               : option == 'o' ? bench_number(optarg, 1e-6, 1, &o->rate[1])
                               : option != '?';
    }
    return good && optind == count;
}

static bool take(results *r, const options *o)
{
    double **const arrays[] = {&r->random, &r->longer, &r->wall, &r->half};
    bool complete = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = calloc(o->starts, sizeof(double));
        complete = complete && *arrays[k];
    }
    for (uint32_t a = 0; a < o->attempts; a++) {
        r->best[a] = calloc(o->starts, sizeof(double));
        complete = complete && r->best[a];
    }
    return complete;
}

static void release(results *r)
{
    for (uint32_t a = 0; a < MAX_ATTEMPTS; a++) {
        free(r->best[a]);
    }
    free(r->random);
    free(r->longer);
    free(r->wall);
    free(r->half);
}

static void print_usage(FILE *file)
{
    fprintf(file,
            "usage: ten_attempts [--starts N] [--first N] [--attempts N] [--copies N] [--threads "
            "N]\n"
            "                    [--seconds S] [--forget S] [--phase-rate R] [--occupancy-rate R] "
            "[--kept R] [--each]\n"
            "  --starts          random blocks (100); --first: number of the first (1)\n"
            "  --attempts        iterations of each (10)\n"
            "  --copies          of which a gradient is the mean (16)\n"
            "  --threads         (2)\n"
            "  --seconds         of a run (1); --forget: how far gradients look back (0.15)\n"
            "  --phase-rate      cycles in an attempt, about; --occupancy-rate: of 0 to 1\n"
            "  --kept            of Adam's mean from attempt to attempt\n"
            "  --each            a line for each start on the error stream\n");
}

int main(int count, char **words)
{
    options o = {.starts = 100, .first = 1, .attempts = 10, .copies = 16, .threads = 2};
    results r = {.random = NULL};
    vxe_error error = {0};
    o.seconds = 1;
    o.forget = 0.75 * PERIOD;
    o.rate[0] = 0.12;
    o.rate[1] = 0.25;
    o.kept[0] = 0.3;
    o.kept[1] = 0.9;
    const bool understood = read_options(count, words, &o);
    if (!understood || o.help) {
        print_usage(understood ? stdout : stderr);
        return understood ? 0 : 2;
    }
    bool good = take(&r, &o);
    for (uint32_t i = 0; i < o.starts && good; i++) {
        good = !attempt(&o, i, &r, &error);
        if (good && o.each) {
            fprintf(stderr, "start %" PRIu32 ": %.3f lengths/s, over 4 s %.3f; %.2f s, %.2f s\n",
                    o.first + i, r.best[o.attempts - 1][i], r.longer[i], r.wall[i], r.half[i]);
        }
    }
    if (good) {
        print(&o, &r);
    } else {
        fprintf(stderr, "ten_attempts: %s\n", error.message[0] ? error.message : "no memory");
    }
    release(&r);
    return good ? 0 : 1;
}
