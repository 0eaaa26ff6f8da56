/* SPDX-License-Identifier: MIT */
/* Prints results and writes them as JSON. See report.h. */
#include "report.h"

#include <jansson.h>

#include "bench_commit.h"
#include "machine.h"
#include "voxelastic/voxelastic.h"

/* Nominal operations of a bond update, a constant so that figures can be compared: a third of the
   770 of a voxel in a step. */
#define FLOPS_PER_BOND 257.0

/* Minimum of bytes that a step moves for each voxel if nothing stays in the caches. State: x (in
   mixed precision a high and a low part), q, v and w are read and written, stuck is read. The edge
   is read and written, from two waves. Mass, inverse mass and inverse inertia are read. Bonds: for
   each vector of 16 bonds along each of three axes, the lower and upper slot, the row of
   coefficients and a bit for each bond; the rows themselves are few and stay in a cache. */
#define BYTES_PER_VOXEL_BONDS (3 * (4 + 4 + 4 + 2) / 16.0)
#define BYTES_PER_VOXEL_MIXED                                                                      \
    (4.0 * ((3 + 3 + 4 + 3 + 3) * 2 + 1 + 2 + 2 + 3) + BYTES_PER_VOXEL_BONDS)
#define BYTES_PER_VOXEL_DOUBLE (8.0 * ((3 + 4 + 3 + 3) * 2 + 1 + 2 + 2 + 3) + BYTES_PER_VOXEL_BONDS)

static double part_of(double value, double whole)
{
    return whole > 0 ? value / whole : 0;
}

static double fma_part(const bench_report *report, unsigned index)
{
    const bench_peaks *peaks = &report->peaks[report->peaks_of[index]];
    return part_of(report->results[index].best * FLOPS_PER_BOND, peaks->fma_flops_per_s);
}

static double bandwidth_part(const bench_report *report, unsigned index)
{
    const bench_peaks *peaks = &report->peaks[report->peaks_of[index]];
    const double bytes =
        report->precision == VXE_PRECISION_DOUBLE ? BYTES_PER_VOXEL_DOUBLE : BYTES_PER_VOXEL_MIXED;
    return part_of(report->results[index].voxel_steps * bytes, peaks->bandwidth_bytes_per_s);
}

static const char *scheme_of(const bench_result *result)
{
    return vxe_damping_scheme_name(result->damping_sweeps > 0 ? VXE_DAMPING_SWEEP
                                                              : VXE_DAMPING_EXPLICIT);
}

void report_table(FILE *out, const bench_report *report)
{
    for (unsigned i = 0; i < report->peak_count; i++) {
        const bench_peaks *peaks = &report->peaks[i];
        fprintf(out, "peaks of %u thread%s: %.1f GFlop/s of multiply-adds in %s, %.1f GB/s\n",
                peaks->threads, peaks->threads == 1 ? "" : "s", 1e-9 * peaks->fma_flops_per_s,
                report->precision == VXE_PRECISION_DOUBLE ? "double" : "float",
                1e-9 * peaks->bandwidth_bytes_per_s);
    }
    fprintf(out, "%-18s %7s %7s %8s %6s %7s %6s %-11s %8s %8s %6s %6s %9s\n", "case", "threads",
            "voxels", "bonds", "robots", "steps", "setup", "damping", "M bond/s", "median", "% fma",
            "% mem", "sim s/s");
    for (unsigned i = 0; i < report->result_count; i++) {
        const bench_result *r = &report->results[i];
        char damping[32];
        char setup[16];
        snprintf(damping, sizeof damping, r->damping_sweeps > 0 ? "%.3g sweeps" : "explicit",
                 r->damping_sweeps);
        if (r->which->robots > 1) {
            snprintf(setup, sizeof setup, "%.0f %%", 100 * r->setup_share);
        } else {
            snprintf(setup, sizeof setup, "%.2g s", r->compile_seconds);
        }
        fprintf(out, "%-18s %7u %7.0f %8.0f %6u %7llu %6s %-11s %8.1f %8.1f %6.1f %6.1f %9.4g\n",
                r->which->name, r->threads, r->voxels, r->bonds, r->robots,
                (unsigned long long)r->steps, setup, damping, 1e-6 * r->best, 1e-6 * r->median,
                100 * fma_part(report, i), 100 * bandwidth_part(report, i), r->simulated);
        if (r->dipole_pairs > 0) {
            fprintf(out, "%-18s %.0f M pairs of dipoles/s\n", "", 1e-6 * r->dipole_pairs);
        }
    }
}

/* The result of a case that was measured with the peaks of that index, or null. */
static const bench_result *find_result(const bench_report *report, const bench_case *which,
                                       unsigned peaks)
{
    for (unsigned i = 0; i < report->result_count; i++) {
        if (report->results[i].which == which && report->peaks_of[i] == peaks) {
            return &report->results[i];
        }
    }
    return NULL;
}

void report_sweep(FILE *out, const bench_report *report)
{
    fprintf(out, "\nM bond/s (times that of one thread)\n%-18s", "threads");
    for (unsigned p = 0; p < report->peak_count; p++) {
        fprintf(out, " %16u", report->peaks[p].threads);
    }
    fputc('\n', out);
    for (unsigned i = 0; bench_case_at(i); i++) {
        const bench_result *one = find_result(report, bench_case_at(i), 0);
        if (!one) {
            continue;
        }
        fprintf(out, "%-18s", one->which->name);
        for (unsigned p = 0; p < report->peak_count; p++) {
            const bench_result *r = find_result(report, one->which, p);
            if (r) {
                fprintf(out, " %8.1f (%5.2f)", 1e-6 * r->best, r->best / one->best);
            }
        }
        fputc('\n', out);
    }
}

/* A JSON number, as an integer if it is one. */
static json_t *number(double value)
{
    const json_int_t whole = (json_int_t)value;
    return (double)whole == value ? json_integer(whole) : json_real(value);
}

static json_t *result_object(const bench_report *report, unsigned index)
{
    const bench_result *r = &report->results[index];
    return json_pack(
        "{s:s, s:o, s:o, s:I, s:I, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:o, s:f, s:f, "
        "s:I, s:f, s:f, s:I, s:f}",
        "case", r->which->name, "voxels", number(r->voxels), "bonds", number(r->bonds), "robots",
        (json_int_t)r->robots, "threads", (json_int_t)r->threads, "precision", r->precision, "isa",
        r->isa, "bond_updates_per_s", r->best, "bond_updates_per_s_median", r->median,
        "voxel_steps_per_s", r->voxel_steps, "robot_steps_per_s", r->robot_steps,
        "simulated_s_per_wall_s", r->simulated, "timestep_s", r->time_step, "damping_scheme",
        scheme_of(r), "damping_sweeps", number(r->damping_sweeps), "fraction_of_fma_peak",
        fma_part(report, index), "fraction_of_bandwidth", bandwidth_part(report, index),
        "steps_per_robot", (json_int_t)r->steps, "fraction_of_time_in_setup", r->setup_share,
        "compile_s", r->compile_seconds, "robots_in_lanes", (json_int_t)r->robots_in_lanes,
        "dipole_pairs_per_s", r->dipole_pairs);
}

static json_t *report_object(const bench_report *report)
{
    json_t *peaks = json_array();
    json_t *cases = json_array();
    unsigned threads = 0;
    for (unsigned i = 0; i < report->peak_count; i++) {
        const bench_peaks *p = &report->peaks[i];
        threads = p->threads;
        json_array_append_new(peaks, json_pack("{s:I, s:f, s:f}", "threads", (json_int_t)p->threads,
                                               "fma_peak_flops_per_s", p->fma_flops_per_s,
                                               "bandwidth_bytes_per_s", p->bandwidth_bytes_per_s));
    }
    for (unsigned i = 0; i < report->result_count; i++) {
        json_array_append_new(cases, result_object(report, i));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:I}, s:I, s:s, s:o, s:o, s:o}", "date",
                     machine_date(), "version", VXE_VERSION, "commit", BENCH_COMMIT, "compiler",
                     machine_compiler(), "machine", "processor", machine_processor(),
                     "logical_processors", (json_int_t)machine_logical_processors(), "threads",
                     (json_int_t)threads, "precision", vxe_precision_name(report->precision),
                     "bond_damping_ratio", report->ratio < 0 ? json_null() : number(report->ratio),
                     "peaks", peaks, "cases", cases);
}

bool report_json(const char *path, const bench_report *report)
{
    json_t *root = report_object(report);
    const bool written = root && json_dump_file(root, path, JSON_INDENT(1)) == 0;
    json_decref(root);
    return written;
}
