#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does inner learning pay? `evolve` with and without it, at equal cost in runs.

    bench/learning_study.py [--program PROGRAM] [--seeds 5] [--runs 4000] [--iterations 5] [--threads N] [-o FILE.csv]

Bodies of up to 4 x 4 x 3 voxels, muscle or tissue, with a phase for each voxel, are searched for the way along x in half a second
(AFPO, 16 individuals a generation): without learning, with learning of phases whose result is not inherited (Baldwin), and with
learning that is (Lamarck). An individual costs its run and what individuals.csv says of its learning. Printed are, over seeds, the
median and the range of the best fitness after a quarter, half and all of the runs, and how many individuals that was; -o writes a
row for each seed and search."""
import argparse
import csv
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

POPULATION = 16
MATERIAL = {"youngs_modulus_Pa": 1e5, "density_kg_per_m3": 1000, "poissons_ratio": 0.3, "static_friction": 0.8, "dynamic_friction": 0.5,
            "bond_damping": 0.3, "collision_damping": 0.3}
WORLD = {"voxel_size_m": 0.01, "materials": [dict(MATERIAL, name="muscle", thermal_expansion_per_K=0.01), dict(MATERIAL, name="tissue")],
         "actuation": {"enabled": True, "base_C": 0, "amplitude_K": 15, "period_s": 0.2}}
SEARCHES = {"none": None, "baldwin": False, "lamarck": True}  # whether what is learned is inherited


def stop(text):
    sys.exit(f"learning_study.py: {text}")


def experiment(seed, generations, search, iterations):
    made = {"format": "voxelastic experiment", "version": 1, "name": f"{search} {seed}", "seed": seed, "size": [4, 4, 3], "world": WORLD,
            "checkpoint_interval": 1000000000, "task": {"name": "walk", "direction": "x", "duration_s": 0.5, "settle_time_s": 0},
            "encoding": {"name": "direct", "phase": True, "filled": 0.7}, "constraints": {"least_voxels": 12, "least_actuated": 0.3},
            "algorithm": {"name": "afpo", "population": POPULATION, "generations": generations}}
    return made if SEARCHES[search] is None else dict(made, learn={"iterations": iterations, "by": ["phase"], "inherit": SEARCHES[search]})


def curve_of(table):
    """(runs, best fitness in m, individuals) after each individual."""
    curve, runs, best = [], 0, float("-inf")
    with open(table, newline="", encoding="utf-8") as file:
        for count, row in enumerate(csv.DictReader(file), 1):
            runs += (row["status"] != "rejected") + float(row.get("learning_runs", 0))
            best = max(best, float(row["fitness_m"] or "-inf"))
            curve.append((runs, best, count))
    return curve


def searched(args, seed, search, folder):
    """The curve of a search that costs no less than what was asked for, and its wall time, s."""
    each = 1 if SEARCHES[search] is None else 5 * args.iterations + 2
    generations = -(-args.runs // (POPULATION * each)) + 1  # equal bodies learn once, which makes it cheaper
    (folder / "experiment.json").write_text(json.dumps(experiment(seed, generations, search, args.iterations)), encoding="utf-8")
    words = [args.program, "evolve", folder / "experiment.json", "--out", folder / "search", "--quiet", "--threads", args.threads]
    began = time.monotonic()
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        stop(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr.strip()}")
    return curve_of(folder / "search/individuals.csv"), time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="voxelastic")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--threads", default="auto")
    parser.add_argument("-o", metavar="FILE.csv")
    args = parser.parse_args()
    if args.seeds < 1 or args.runs < 1 or not 1 <= args.iterations <= 1000:
        stop("--seeds and --runs are 1 at least, --iterations 1 to 1000")
    if not shutil.which(args.program):
        stop(f"there is no program {args.program}")
    marks = (args.runs / 4, args.runs / 2, args.runs)
    rows = []
    for search in SEARCHES:
        for seed in range(1, args.seeds + 1):
            with tempfile.TemporaryDirectory() as name:
                curve, seconds = searched(args, seed, search, pathlib.Path(name))
            reached = [max((entry for entry in curve if entry[0] <= mark), default=(0, float("nan"), 0)) for mark in marks]
            rows.append([search, seed, *(best for _, best, _ in reached), reached[-1][2], seconds])
        own = [row for row in rows if row[0] == search]
        parts = [f"{100 * statistics.median(column):6.3f} ({100 * min(column):.3f} to {100 * max(column):.3f})" for column in list(zip(*own))[2:5]]
        print(f"{search:8} best way, cm, after {', '.join(f'{mark:g}' for mark in marks)} runs: {'; '.join(parts)}; "
              f"{statistics.median(row[5] for row in own):g} individuals, {statistics.median(row[6] for row in own):.1f} s", flush=True)
    if args.o:
        with open(args.o, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["search", "seed", *(f"best_m_after_{mark:g}" for mark in marks), "individuals", "seconds"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
