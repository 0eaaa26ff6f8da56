/* SPDX-License-Identifier: MIT */
/* bond_throughput: bond updates per second, with the machine's peaks measured in the same run for
   comparison. A bond update is one existing bond in one step. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "report.h"
#include "words.h"

enum { EXIT_USAGE = 2, EXIT_SYSTEM = 5 };

/* Damping ratios of bonds, see bench_choice. */
#define OWN_RATIO (-1)
#define EXPLICIT_RATIO 0.1
#define LARGEST_RATIO 1e6

typedef struct bench_options {
    const char *only; /* case, or null for all */
    const char *json;
    bench_choice choice;
    bool thread_sweep;
    bool help;
} bench_options;

static bool parse_precision(const char *word, vxe_precision *precision)
{
    *precision = strcmp(word, vxe_precision_name(VXE_PRECISION_DOUBLE)) == 0 ? VXE_PRECISION_DOUBLE
                                                                             : VXE_PRECISION_MIXED;
    return strcmp(word, vxe_precision_name(*precision)) == 0;
}

static bool parse_damping(const char *word, vxe_damping_scheme *damping)
{
    *damping = strcmp(word, "explicit") == 0 ? VXE_DAMPING_EXPLICIT
               : strcmp(word, "sweep") == 0  ? VXE_DAMPING_SWEEP
                                             : VXE_DAMPING_AUTO;
    return *damping != VXE_DAMPING_AUTO || strcmp(word, "auto") == 0;
}

static bool parse_case(const char *word, const char **only)
{
    *only = word;
    unsigned i = 0;
    while (bench_case_at(i) && strcmp(bench_case_at(i)->name, word) != 0) {
        i++;
    }
    return bench_case_at(i) != NULL;
}

static bool parse(bench_options *options, int count, char **words)
{
    static const struct option rows[] = {
        {"case", required_argument, NULL, 'c'},    {"threads", required_argument, NULL, 't'},
        {"seconds", required_argument, NULL, 's'}, {"precision", required_argument, NULL, 'p'},
        {"damping", required_argument, NULL, 'd'}, {"ratio", required_argument, NULL, 'r'},
        {"thread-sweep", no_argument, NULL, 'w'},  {"json", required_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", rows, NULL)) != -1;) {
        switch (option) {
        case 'c':
            good = parse_case(optarg, &options->only);
            break;
        case 't':
            good = bench_whole(optarg, 1, BENCH_MAX_THREADS, &options->choice.threads);
            break;
        case 's':
            good = bench_number(optarg, BENCH_SHORTEST, BENCH_LONGEST, &options->choice.seconds);
            break;
        case 'p':
            good = parse_precision(optarg, &options->choice.precision);
            break;
        case 'd':
            good = parse_damping(optarg, &options->choice.damping);
            break;
        case 'r':
            good = bench_number(optarg, 0, LARGEST_RATIO, &options->choice.ratio);
            break;
        case 'w':
            options->thread_sweep = true;
            break;
        case 'j':
            options->json = optarg;
            break;
        case 'h':
            options->help = true;
            break;
        default:
            good = false;
        }
    }
    return good && optind == count;
}

static void print_usage(FILE *out)
{
    fputs("usage: bond_throughput [--case NAME] [--threads N] [--seconds S]\n"
          "                       [--precision mixed|double] [--damping explicit|sweep|auto]\n"
          "                       [--ratio XI] [--thread-sweep] [--json FILE]\n"
          "  --seconds S       approximate duration of each case (2)\n"
          "  --damping D       explicit: dashpots as forces (the default); sweep: polynomial\n"
          "                    iteration; auto: what a run chooses\n"
          "  --ratio XI        damping ratio of all bonds; without it, 0.1 with explicit dashpots\n"
          "                    and else that of the design\n"
          "  --thread-sweep    measure with 1, 2, 4, ... threads up to those of --threads\n"
          "cases:",
          out);
    for (unsigned i = 0; bench_case_at(i); i++) {
        fprintf(out, "%s %s", i % 6 == 5 ? "\n      " : "", bench_case_at(i)->name);
    }
    fputc('\n', out);
}

/* Measures the peaks and the chosen cases with that many threads. The peak of multiply-adds is
   measured before and after the cases, since other programs may disturb one of them. */
static bool run_cases(const bench_options *options, const bench_choice *choice,
                      bench_report *report)
{
    bench_peaks *peaks = &report->peaks[report->peak_count++];
    peaks->threads = choice->threads;
    peaks->fma_flops_per_s = measure_fma_peak(choice->precision, choice->threads);
    peaks->bandwidth_bytes_per_s = measure_bandwidth(choice->threads);
    bool good = true;
    for (unsigned i = 0; good && bench_case_at(i); i++) {
        const bench_case *which = bench_case_at(i);
        bench_result *result = &report->results[report->result_count];
        vxe_error error = {0};
        if (options->only && strcmp(options->only, which->name) != 0) {
            continue;
        }
        good = bench_measure(which, choice, result, &error);
        if (good) {
            report->peaks_of[report->result_count++] = report->peak_count - 1;
            fprintf(stderr, "%s, %u thread%s: %.1f M bond/s\n", which->name, choice->threads,
                    choice->threads == 1 ? "" : "s", 1e-6 * result->best);
        } else {
            fprintf(stderr, "bond_throughput: %s: %s\n", which->name, error.message);
        }
    }
    const double again = measure_fma_peak(choice->precision, choice->threads);
    peaks->fma_flops_per_s = again > peaks->fma_flops_per_s ? again : peaks->fma_flops_per_s;
    return good;
}

static bool run_all(const bench_options *options, bench_report *report)
{
    bench_choice choice = options->choice;
    bool good = true;
    for (choice.threads = 1; options->thread_sweep && choice.threads < options->choice.threads;
         choice.threads *= 2) {
        good = run_cases(options, &choice, report) && good;
    }
    return run_cases(options, &options->choice, report) && good;
}

int main(int count, char **words)
{
    static bench_report report;
    bench_options options = {.choice = {.threads = 1,
                                        .seconds = 2,
                                        .precision = VXE_PRECISION_MIXED,
                                        .damping = VXE_DAMPING_EXPLICIT,
                                        .ratio = OWN_RATIO}};
    if (!parse(&options, count, words)) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (options.help) {
        print_usage(stdout);
        return 0;
    }
    if (options.choice.ratio < 0 && options.choice.damping == VXE_DAMPING_EXPLICIT) {
        options.choice.ratio = EXPLICIT_RATIO;
    }
    report.precision = options.choice.precision;
    report.ratio = options.choice.ratio;
    const bool good = run_all(&options, &report);
    report_table(stdout, &report);
    if (options.thread_sweep) {
        report_sweep(stdout, &report);
    }
    if (options.json && !report_json(options.json, &report)) {
        fprintf(stderr, "bond_throughput: cannot write %s\n", options.json);
        return EXIT_SYSTEM;
    }
    return good ? 0 : EXIT_SYSTEM;
}
