/* SPDX-License-Identifier: MIT */
/* affine_throughput: steps of affine bodies per second, in a batch of designs with one body each
   and no contact. The machine's peak of multiply-adds is measured in the same run for comparison.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "engine/batch.h"
#include "lattice/design.h"
#include "machine.h"
#include "numbers.h"
#include "peaks.h"
#include "words.h"

enum { EXIT_USAGE = 2, EXIT_SYSTEM = 5, WINDOWS = 5, MAX_BODIES = 1000000 };

/* What is measured. */
typedef struct affine_case {
    const char *name;
    bool rigid;
    double bulk;      /* Pa */
    double viscosity; /* Pa s */
    double flops;     /* multiplications, additions, divisions and roots of a step, counted by hand
                         in engine/affine/affine_motion.h, with the three iterations for the
                         volume; 0: not counted */
} affine_case;

static const affine_case cases[] = {
    {"elastic, volume kept exactly", false, 0, 0, 736},
    {"elastic, by penalty", false, 1e5, 0, 0},
    {"viscous, volume kept exactly", false, 0, 1, 0},
    {"rigid", true, 0, 0, 0},
};

typedef struct affine_choice {
    uint32_t bodies;
    uint32_t threads;
    double seconds; /* approximate duration of a window */
    bool help;
} affine_choice;

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * bench_random(seed);
}

/* A block of random size, stiffness, stretch and spin in free fall. */
static vxe_design *random_block(const affine_case *which, uint64_t *seed)
{
    vxe_design *design = vxe_design_create();
    vxe_affine_body body = vxe_affine_body_default();
    vxe_error error;
    const double stretch = between(seed, 1, 1.2);
    body.kind = which->rigid ? VXE_AFFINE_RIGID : VXE_AFFINE_ELASTIC;
    for (int c = 0; c < 3; c++) {
        body.shape.size[c] = between(seed, 0.05, 0.15);
        body.spin[c] = between(seed, -2, 2) * (which->rigid ? 10 : 1);
        body.deformation[4 * c] = which->rigid ? 1 : c == 2 ? stretch : 1 / sqrt(stretch);
    }
    body.number[VXE_AFFINE_C1] = between(seed, 4000, 9000);
    body.number[VXE_AFFINE_C2] = between(seed, 1000, 3000);
    body.number[VXE_AFFINE_BULK] = which->bulk;
    body.number[VXE_AFFINE_VISCOSITY] = which->viscosity;
    body.touches = false;
    if (design) {
        design->floor.enabled = false;
    }
    if (design && vxe_design_add_affine(design, &body, &error)) {
        vxe_design_destroy(design);
        design = NULL;
    }
    return design;
}

/* Time (s) of a batch of all designs with that many steps each; below 0 if it could not run. */
static double run_window(vxe_design *const *designs, const affine_choice *choice, uint64_t steps,
                         vxe_batch_schedule schedule, const char **isa)
{
    vxe_batch_def def = vxe_batch_def_default();
    vxe_error error;
    def.steps = steps;
    def.schedule = schedule;
    def.world.threads = choice->threads;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    bool good = batch != NULL;
    for (uint32_t i = 0; i < choice->bodies && good; i++) {
        good = !vxe_batch_add(batch, designs[i], &error);
    }
    const double start = bench_seconds();
    good = good && !vxe_batch_run(batch, NULL, NULL, &error);
    const double seconds = bench_seconds() - start;
    for (uint32_t i = 0; i < choice->bodies && good; i++) {
        good = vxe_batch_result_of(batch, i).status == VXE_ROBOT_DONE;
    }
    *isa = batch ? vxe_batch_describe(batch).isa : "";
    vxe_batch_destroy(batch);
    return good ? seconds : -1;
}

/* Body steps per second of each window, after finding the number of steps; false if a window could
   not run. */
static bool measure(vxe_design *const *designs, const affine_choice *choice,
                    vxe_batch_schedule schedule, double rates[WINDOWS], const char **isa)
{
    uint64_t steps = 250;
    double seconds = run_window(designs, choice, steps, schedule, isa);
    for (; seconds >= 0 && seconds < 0.5 * choice->seconds && steps < UINT64_MAX / 4;
         seconds = run_window(designs, choice, steps, schedule, isa)) {
        steps *= 2;
    }
    for (int w = 0; w < WINDOWS && seconds >= 0; w++) {
        seconds = run_window(designs, choice, steps, schedule, isa);
        rates[w] = choice->bodies * (double)steps / seconds;
    }
    return seconds >= 0;
}

/* Measures and prints one case: side by side in vectors, and one body alone. */
static bool run_case(const affine_case *which, const affine_choice *choice)
{
    uint64_t seed = 7;
    const char *isa = "";
    double rates[WINDOWS];
    double alone[WINDOWS];
    vxe_design **designs = calloc(choice->bodies, sizeof(vxe_design *));
    bool good = designs != NULL;
    for (uint32_t i = 0; i < choice->bodies && good; i++) {
        designs[i] = random_block(which, &seed);
        good = designs[i] != NULL;
    }
    const double before = measure_fma_peak(VXE_PRECISION_DOUBLE, choice->threads);
    good = good && measure(designs, choice, VXE_BATCH_AUTO, rates, &isa) &&
           measure(designs, choice, VXE_BATCH_ALONE, alone, &isa);
    const double behind = measure_fma_peak(VXE_PRECISION_DOUBLE, choice->threads);
    if (good) {
        const double peak = behind > before ? behind : before;
        const double best = bench_quantile(rates, WINDOWS, 1);
        printf("%-30s %8.2f %8.2f %8.2f   ", which->name, 1e-6 * best,
               1e-6 * bench_quantile(rates, WINDOWS, 0.5),
               1e-6 * bench_quantile(alone, WINDOWS, 1));
        if (which->flops > 0) {
            printf("%5.3f of %.1f", best * which->flops / peak, 1e-9 * peak);
        }
        printf("   %s\n", isa);
    } else {
        fprintf(stderr, "affine_throughput: %s: could not run\n", which->name);
    }
    for (uint32_t i = 0; i < choice->bodies && designs; i++) {
        vxe_design_destroy(designs[i]);
    }
    free(designs);
    return good;
}

static bool parse(affine_choice *choice, int count, char **words)
{
    static const struct option rows[] = {{"bodies", required_argument, NULL, 'b'},
                                         {"threads", required_argument, NULL, 't'},
                                         {"seconds", required_argument, NULL, 's'},
                                         {"help", no_argument, NULL, 'h'},
                                         {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", rows, NULL)) != -1;) {
        choice->help = choice->help || option == 'h';
        good = option == 's' ? bench_number(optarg, BENCH_SHORTEST, BENCH_LONGEST, &choice->seconds)
               : option == 'b' ? bench_whole(optarg, 1, MAX_BODIES, &choice->bodies)
               : option == 't' ? bench_whole(optarg, 1, BENCH_MAX_THREADS, &choice->threads)
                               : option == 'h';
    }
    return good && optind == count;
}

int main(int count, char **words)
{
    affine_choice choice = {.bodies = 1024, .threads = 1, .seconds = 1};
    const bool understood = parse(&choice, count, words);
    if (!understood || choice.help) {
        fputs("usage: affine_throughput [--bodies N] [--threads N] [--seconds S]\n"
              "  --bodies N   number of designs in the batch, with one body each (1024)\n"
              "  --threads N  threads of the batch (1)\n"
              "  --seconds S  approximate duration of each of five windows (1)\n",
              understood ? stdout : stderr);
        return understood ? 0 : EXIT_USAGE;
    }
    printf("%s, %s, %s, %" PRIu32 " thread%s, %" PRIu32 " designs of one body\n",
           machine_processor(), machine_compiler(), machine_date(), choice.threads,
           choice.threads == 1 ? "" : "s", choice.bodies);
    printf("%-30s %8s %8s %8s   %s\n", "M body-steps/s", "best", "median", "alone",
           "of the FMA peak (double), Gflop/s");
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        good = run_case(&cases[i], &choice) && good;
    }
    return good ? 0 : EXIT_SYSTEM;
}
