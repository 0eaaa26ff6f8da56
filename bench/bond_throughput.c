/* SPDX-License-Identifier: MIT */
/* bond_throughput: how many bond updates a second, beside what the machine can do, measured in the
   same run. One existing bond in one step is one update. */
#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "engine/record/result.h"
#include "engine/world.h"
#include "peaks.h"

enum { EXIT_USAGE = 2, EXIT_SYSTEM = 5, REPEATS = 7 };

/* Nominal flops of a bond update, fixed so that figures compare: a third of a voxel-step of 770. */
#define FLOPS_PER_BOND 257.0
/* Bytes that a voxel-step must move at least once, double precision: state 14 arrays read and
   written, 9 of the model read, 12 of pull read and written, 3 bonds of 9 coefficients and 3
   indices. */
#define BYTES_PER_VOXEL (8.0 * (14 * 2 + 9 + 12 * 2 + 3 * 9) + 4.0 * 9)

typedef struct bench_options {
    const char *only; /* case, or null for all */
    const char *json;
    const char *damping;
    unsigned threads;
    double seconds;
} bench_options;

typedef struct measurement {
    vxe_world_facts facts;
    double best; /* bond updates/s */
    double median;
    double steps_per_second; /* of the best */
} measurement;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times windows of equal steps behind a warm-up. */
static bool measure(vxe_world *world, double seconds, measurement *out, vxe_error *error)
{
    double rates[REPEATS];
    out->facts = vxe_world_describe(world);
    const double per_window = seconds / REPEATS;
    uint64_t steps = 1;
    double spent = 0;
    while (spent < 0.3 * per_window) { /* finds the window's length, and warms up */
        steps *= 2;
        const double start = bench_seconds();
        if (vxe_world_advance(world, steps, error)) {
            return false;
        }
        spent = bench_seconds() - start;
    }
    steps = (uint64_t)((double)steps * per_window / spent) + 1;
    for (int i = 0; i < REPEATS; i++) {
        const double start = bench_seconds();
        if (vxe_world_advance(world, steps, error)) {
            return false;
        }
        rates[i] = (double)steps / (bench_seconds() - start);
    }
    qsort(rates, REPEATS, sizeof rates[0], by_value);
    out->steps_per_second = rates[REPEATS - 1];
    out->best = rates[REPEATS - 1] * (double)out->facts.bonds;
    out->median = rates[REPEATS / 2] * (double)out->facts.bonds;
    return true;
}

static bool run_case(const bench_case *which, const bench_options *options, measurement *out,
                     vxe_error *error)
{
    const bool explicit_damping = strcmp(options->damping, "explicit") == 0;
    vxe_design *design = bench_case_design(which, explicit_damping ? 0.1 : -1, error);
    vxe_world_def def = vxe_world_def_default();
    def.threads = options->threads;
    def.damping = explicit_damping                         ? VXE_DAMPING_EXPLICIT
                  : strcmp(options->damping, "sweep") == 0 ? VXE_DAMPING_SWEEP
                                                           : VXE_DAMPING_AUTO;
    vxe_world *world = design ? vxe_world_create(design, &def, error) : NULL;
    const bool done = world && measure(world, options->seconds, out, error);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return done;
}

static json_t *case_object(const bench_case *which, const measurement *m, double fma_peak,
                           double bandwidth)
{
    const double voxel_steps = m->steps_per_second * m->facts.voxels;
    return json_pack(
        "{s:s, s:I, s:I, s:i, s:I, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:I, s:f, s:f}",
        "case", which->name, "voxels", (json_int_t)m->facts.voxels, "bonds",
        (json_int_t)m->facts.bonds, "robots", 1, "threads", (json_int_t)m->facts.threads,
        "precision", m->facts.precision, "isa", m->facts.isa, "bond_updates_per_s", m->best,
        "bond_updates_per_s_median", m->median, "voxel_steps_per_s", voxel_steps,
        "robot_steps_per_s", m->steps_per_second, "simulated_s_per_wall_s",
        m->steps_per_second * m->facts.time_step, "timestep_s", m->facts.time_step,
        "damping_scheme", vxe_damping_scheme_name(m->facts.damping), "damping_sweeps",
        (json_int_t)m->facts.damping_sweeps, "fraction_of_fma_peak",
        m->best * FLOPS_PER_BOND / fma_peak, "fraction_of_bandwidth",
        voxel_steps * BYTES_PER_VOXEL / bandwidth);
}

static int parse(bench_options *options, int count, char **words)
{
    static const struct option rows[] = {
        {"case", required_argument, NULL, 'c'},    {"threads", required_argument, NULL, 't'},
        {"seconds", required_argument, NULL, 's'}, {"precision", required_argument, NULL, 'p'},
        {"json", required_argument, NULL, 'j'},    {"damping", required_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", rows, NULL)) != -1;) {
        switch (option) {
        case 'c':
            options->only = optarg;
            break;
        case 't':
            options->threads = (unsigned)atoi(optarg);
            good = options->threads >= 1 && options->threads <= 1024;
            break;
        case 's':
            options->seconds = atof(optarg);
            good = options->seconds > 0;
            break;
        case 'p':
            good = strcmp(optarg, "double") == 0;
            break;
        case 'j':
            options->json = optarg;
            break;
        case 'd':
            options->damping = optarg;
            good = strcmp(optarg, "explicit") == 0 || strcmp(optarg, "sweep") == 0 ||
                   strcmp(optarg, "auto") == 0;
            break;
        default:
            good = false;
        }
    }
    if (!good || optind < count) {
        fputs("usage: bond_throughput [--case NAME] [--threads N] [--seconds S] [--precision "
              "double]\n"
              "                       [--damping explicit|sweep|auto] [--json FILE]\n"
              "explicit: dashpots as forces at xi 0.1; sweep, auto: the design's own xi.\ncases:",
              stderr);
        for (unsigned i = 0; bench_case_at(i); i++) {
            fprintf(stderr, " %s", bench_case_at(i)->name);
        }
        fputc('\n', stderr);
        return EXIT_USAGE;
    }
    return 0;
}

int main(int count, char **words)
{
    bench_options options = {.damping = "explicit", .threads = 1, .seconds = 2};
    if (parse(&options, count, words)) {
        return EXIT_USAGE;
    }
    const double fma_peak = measure_fma_peak(options.threads);
    const double bandwidth = measure_bandwidth(options.threads);
    json_t *root =
        json_pack("{s:f, s:f, s:i, s:[]}", "fma_peak_flops_per_s", fma_peak,
                  "bandwidth_bytes_per_s", bandwidth, "threads", (int)options.threads, "cases");
    printf("peaks on %u thread%s: %.1f GFlop/s of multiply-adds in double, %.1f GB/s\n",
           options.threads, options.threads == 1 ? "" : "s", 1e-9 * fma_peak, 1e-9 * bandwidth);
    printf("%-10s %8s %9s %-14s %8s %8s %6s %6s %10s\n", "case", "voxels", "bonds", "damping",
           "M bond/s", "median", "% fma", "% mem", "sim s/s");
    int status = EXIT_USAGE;
    for (unsigned i = 0; bench_case_at(i); i++) {
        const bench_case *which = bench_case_at(i);
        measurement m;
        vxe_error error = {0};
        if (options.only && strcmp(options.only, which->name) != 0) {
            continue;
        }
        status = 0;
        if (!run_case(which, &options, &m, &error)) {
            fprintf(stderr, "bond_throughput: %s: %s\n", which->name, error.message);
            status = EXIT_SYSTEM;
            break;
        }
        char damping[32];
        if (m.facts.damping_sweeps) {
            snprintf(damping, sizeof damping, "%u sweeps", m.facts.damping_sweeps);
        } else {
            snprintf(damping, sizeof damping, "explicit");
        }
        printf("%-10s %8u %9llu %-14s %8.1f %8.1f %6.1f %6.1f %10.4g\n", which->name,
               m.facts.voxels, (unsigned long long)m.facts.bonds, damping, 1e-6 * m.best,
               1e-6 * m.median, 100 * m.best * FLOPS_PER_BOND / fma_peak,
               100 * m.steps_per_second * m.facts.voxels * BYTES_PER_VOXEL / bandwidth,
               m.steps_per_second * m.facts.time_step);
        fflush(stdout);
        json_array_append_new(json_object_get(root, "cases"),
                              case_object(which, &m, fma_peak, bandwidth));
    }
    if (status == EXIT_USAGE) {
        fprintf(stderr, "bond_throughput: no case '%s'\n", options.only);
    } else if (options.json && json_dump_file(root, options.json, JSON_INDENT(1))) {
        fprintf(stderr, "bond_throughput: cannot write %s\n", options.json);
        status = EXIT_SYSTEM;
    }
    json_decref(root);
    return status;
}
