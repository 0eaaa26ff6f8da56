#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all throughput cases on this machine and writes bench/RESULTS.md.

    bench/report.py [--programs build/release/bin] [--seconds S] [-o FILE]

S (2) is about what each case takes. Run it on an idle machine, from a release build of a clean commit; the whole takes about 60 times S."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

SINGLE = ["cube_10", "cube_10_poisson", "cube_20", "cube_40", "cube_64", "cube_100", "quadruped", "quadruped_contacts", "sparse_10", "dipoles_4096"]
BATCH = ["batch_cube_6", "batch_cube_10", "batch_cube_10_poisson", "batch_mixed_10"]
DAMPED = ["cube_10", "cube_64", "quadruped", "sparse_10", "batch_cube_10"]


def measure(program, seconds, case, *options):
    """The report of one case, and the case itself."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        done = subprocess.run([program, "--case", case, "--seconds", str(seconds), "--json", out.name, *options], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"bench/report.py: {program} --case {case}: exit status {done.returncode}\n{done.stderr}")
        report = json.load(open(out.name))
    print(f"{case} {' '.join(options)}: {million(report['cases'][0]['bond_updates_per_s'])} M bond updates/s", flush=True)
    return report, report["cases"][0]


def caches():
    """Sizes of the caches of processor 0, as the system tells them."""
    found = []
    base = "/sys/devices/system/cpu/cpu0/cache"
    for index in sorted(name for name in os.listdir(base) if name.startswith("index")) if os.path.isdir(base) else []:
        read = lambda name: open(f"{base}/{index}/{name}").read().strip()
        if read("type") != "Instruction":
            found.append(f"L{read('level')} {read('size')}")
    return ", ".join(found) or "not told by the system"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def million(per_second):
    value = per_second / 1e6
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def throughput_rows(program, seconds, cases, *options):
    rows = []
    for name in cases:
        _, c = measure(program, seconds, name, *options)
        rows.append([name, f"{c['voxels']:.0f}", str(c["robots"]), million(c['bond_updates_per_s']), million(c['bond_updates_per_s_median']), f"{c['fraction_of_fma_peak']:.2f}", f"{c['fraction_of_bandwidth']:.2f}", f"{c['simulated_s_per_wall_s']:.3g}"])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", default="build/release/bin", help="folder of the programs")
    parser.add_argument("--seconds", type=float, default=2, help="about what each case takes")
    parser.add_argument("-o", "--output", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "RESULTS.md"))
    a = parser.parse_args()
    program = os.path.join(a.programs, "bond_throughput")
    if not os.path.exists(program):
        sys.exit(f"bench/report.py: {program}: not there; build the release preset, or name the folder with --programs")
    one, _ = measure(program, a.seconds, "cube_10")
    double, _ = measure(program, a.seconds, "cube_10", "--precision", "double")
    cores = one["machine"]["logical_processors"]
    many, _ = measure(program, a.seconds, "cube_64", "--threads", str(cores))
    head = ["case", "voxels", "robots", "M bonds/s, best", "median", "of FMA peak", "of bandwidth", "simulated s/s"]
    text = f"""# Throughput on one machine

Written by `bench/report.py`. Do not edit.{'' if a.seconds >= 1 else ' **A short run: the figures are rough.**'}

| | |
|---|---|
| date | {one['date']} |
| version, commit | {one['version']}, {one['commit']} |
| compiler | {one['compiler']}, preset release |
| processor | {one['machine']['processor']}, {cores} logical processors |
| caches | {caches()} |
| instruction set | {one['cases'][0]['isa']} |
| peak of multiply-adds, 1 thread | {one['peaks'][0]['fma_peak_flops_per_s'] / 1e9:.0f} GFlop/s in float, {double['peaks'][0]['fma_peak_flops_per_s'] / 1e9:.0f} in double |
| peak of memory, 1 thread | {one['peaks'][0]['bandwidth_bytes_per_s'] / 1e9:.0f} GB/s |
| peaks, {cores} threads | {many['peaks'][-1]['fma_peak_flops_per_s'] / 1e9:.0f} GFlop/s, {many['peaks'][-1]['bandwidth_bytes_per_s'] / 1e9:.0f} GB/s |

A bond update is one bond in one step; only bonds that exist count. Gravity, floor, damping and actuation are on. "Best" is the fastest of several
windows, "median" their median. "Of FMA peak" counts 257 floating-point operations for a bond update. "Simulated s/s" is simulated time by time on the
clock, over all robots. Robots of a `batch_` case run side by side in the lanes of a vector.

## One thread, mixed precision, explicit damping

{table(head, throughput_rows(program, a.seconds, SINGLE + BATCH, '--threads', '1'))}

## One thread, double precision

{table(head, throughput_rows(program, a.seconds, ['cube_10', 'cube_64', 'sparse_10', 'batch_cube_10'], '--threads', '1', '--precision', 'double'))}

## All {cores} threads

{table(head, throughput_rows(program, a.seconds, ['cube_64', 'cube_100', 'batch_cube_6', 'batch_cube_10', 'batch_mixed_10'], '--threads', str(cores)))}

## Explicit dashpots against the polynomial damping iteration

Simulated time by time on the clock, iteration by explicit, at two damping ratios of the bonds. Above 1 the iteration, which `auto` then chooses, is faster.

"""
    rows = []
    for name in DAMPED:
        row = [name]
        for ratio in ("1", "0.1"):
            explicit = measure(program, a.seconds, name, "--damping", "explicit", "--ratio", ratio)[1]["simulated_s_per_wall_s"]
            iterated = measure(program, a.seconds, name, "--damping", "sweep", "--ratio", ratio)[1]["simulated_s_per_wall_s"]
            row.append(f"{iterated / explicit:.2f}")
        rows.append(row)
    text += table(["case", "xi = 1", "xi = 0.1"], rows) + "\n"
    affine = subprocess.run([os.path.join(a.programs, "affine_throughput"), "--seconds", str(a.seconds / 2)], capture_output=True, text=True)
    contacts = subprocess.run([os.path.join(a.programs, "contact_cost"), "--repeats", "5", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../assets/quadruped.vxa"), "0.5", "1.5"], capture_output=True, text=True)
    if affine.returncode == 0 and contacts.returncode == 0:
        text += f"\n## Affine bodies\n\n```text\n{affine.stdout.strip()}\n```\n\n## What self-collision adds to a step of the quadruped\n\n```text\n{contacts.stdout.strip()}\n```\n"
    open(a.output, "w").write(re.sub(r"[ \t]+\n", "\n", text))
    print(f"wrote {a.output}")


if __name__ == "__main__":
    main()
