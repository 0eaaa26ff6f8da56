#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do gradients find a gait sooner than a search does? `tune` against CMA-ES of `evolve`, at equal cost in runs.

    bench/tune_study.py [--program PROGRAM] [--seeds 8] [--runs 800] [--by phase] [--threads N] [-o FILE.csv]

A quadruped of 28 voxels, 50 mm long, has a phase for each voxel. From random phases, one draw for each seed, both look for the
mean speed along x in the first second: `tune` by gradients, each counted as docs/gradients.md says, CMA-ES by evaluations of
one run each. Printed are medians over seeds of the best speed after 100, 200, 400 and 800 runs, and of the speed over 4 s of the
best design, and of the best over 4 s among the best few (five of `tune`, the last five champions of CMA-ES). -o writes a row for
each seed and method. --by says what `tune` may change besides phases; CMA-ES of `evolve` has phases alone."""
import argparse
import csv
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

EDGE_M = 0.01
MODULUS_PA, DENSITY_KG_PER_M3 = 1e5, 1000
STRAIN, EXPANSION_PER_K, PERIOD_S = 0.15, 0.01, 0.2
STATIC_FRICTION, DYNAMIC_FRICTION = 0.8, 0.5
BOND_DAMPING = FLOOR_DAMPING = 0.3
SECONDS, LONGER = 1, 4
POPULATION = 14  # of CMA-ES: 4 + 3 ln 28, as its author says
MARKS = (100, 200, 400, 800)
FEW = 5

WORLD = {"voxel_size_m": EDGE_M,
         "materials": [{"name": "muscle", "youngs_modulus_Pa": MODULUS_PA, "density_kg_per_m3": DENSITY_KG_PER_M3, "poissons_ratio": 0.3,
                        "thermal_expansion_per_K": EXPANSION_PER_K, "static_friction": STATIC_FRICTION, "dynamic_friction": DYNAMIC_FRICTION,
                        "bond_damping": BOND_DAMPING, "collision_damping": FLOOR_DAMPING}],
         "actuation": {"enabled": True, "base_C": 0, "amplitude_K": STRAIN / EXPANSION_PER_K, "period_s": PERIOD_S}}
LEGS = [(x, y, z) for z in (0, 1) for y in (0, 3) for x in (0, 4)]
TRUNK = [(x, y, 2) for y in range(4) for x in range(5)]


def stop(text):
    sys.exit(f"tune_study.py: {text}")


def run(*words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        stop(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def quadruped(seed):
    """A scene of the quadruped with random phases."""
    chance = random.Random(seed)
    cells = LEGS + TRUNK
    return dict(WORLD, format="voxelastic scene", version=1, name=f"quadruped {seed}", stop={"duration_s": SECONDS},
                voxels=[[*cell, 0] for cell in cells], layers={"PhaseOffset": [round(chance.random(), 6) for _ in cells]})


def experiment(seed, generations):
    return {"format": "voxelastic experiment", "version": 1, "name": f"quadruped {seed}", "seed": seed,
            "world": dict(WORLD, voxels=[[*cell, 0] for cell in LEGS + TRUNK]),
            "task": {"name": "walk", "direction": "x", "duration_s": SECONDS, "settle_time_s": 0}, "encoding": {"name": "controller"},
            "algorithm": {"name": "cma-es", "population": POPULATION, "generations": generations}}


def best_at(curve, mark):
    """The last of (runs, best) that cost no more than a mark."""
    return max((best for runs, best in curve if runs <= mark), default=float("nan"))


def tuned(program, options, seed, folder):
    """The curve of `tune`, and speeds over the longer time: of the best, and the best of the few."""
    design = folder / "quadruped.json"
    design.write_text(json.dumps(quadruped(seed)), encoding="utf-8")
    out = folder / "tuned"
    run(program, "tune", design, "-o", out, "--by", options.by, "--iterations", 1, "--quiet", "--threads", options.threads)
    cost = float(rows_of(out / "curve.csv")[0]["runs"])
    run(program, "tune", "-o", out, "--resume", "--iterations", int(options.runs / cost), "--quiet", "--threads", options.threads)
    curve = [(float(row["runs"]), float(row["best_score_m_per_s"])) for row in rows_of(out / "curve.csv")]
    longer = [float(row["longer_score_m_per_s"] or "nan") for row in rows_of(out / "checks.csv")[1:]]
    return curve, longer[0], max(longer)


def searched(program, options, seed, folder):
    """The same of CMA-ES."""
    (folder / "experiment.json").write_text(json.dumps(experiment(seed, -(-options.runs // POPULATION))), encoding="utf-8")
    out = folder / "search"
    run(program, "evolve", folder / "experiment.json", "--out", out, "--quiet", "--threads", options.threads)
    curve = [(float(row["evaluations"]), float(row["best_fitness_m"]) / SECONDS) for row in rows_of(out / "generations.csv")]
    champions = sorted(path for path in (out / "best").glob("*.json") if path.stem.isdigit())[-FEW:]
    longer = [float(json.loads(run(program, "run", path, "--duration", LONGER, "--quiet", "--no-step-error", "--result", "-"))["fitness"]) / LONGER
              for path in champions]
    return curve, longer[-1], max(longer)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=shutil.which("voxelastic") or "build/release/bin/voxelastic")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--runs", type=int, default=800)
    parser.add_argument("--by", default="phase")
    parser.add_argument("--threads", default="auto")
    parser.add_argument("-o", "--output", help="a row for each seed and method, as CSV")
    return parser.parse_args()


def main():
    options = arguments()
    marks = [mark for mark in MARKS if mark <= options.runs]
    found = {"tune": [], "cma-es": []}
    for seed in range(1, options.seeds + 1):
        for name, method in (("tune", tuned), ("cma-es", searched)):
            with tempfile.TemporaryDirectory() as folder:
                curve, top, few = method(options.program, options, seed, pathlib.Path(folder))
            found[name].append([best_at(curve, mark) for mark in marks] + [top, few])
        print(f"seed {seed} of {options.seeds}", file=sys.stderr)
    heads = [f"{mark} runs" for mark in marks] + [f"best, {LONGER} s", f"of the few, {LONGER} s"]
    print(f"median of {options.seeds} seeds, cm/s")
    print(f"{'':8}" + "".join(f"{head:>20}" for head in heads))
    medians = {name: [100 * statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}
    for name, row in medians.items():
        print(f"{name:8}" + "".join(f"{number:20.2f}" for number in row))
    print(f"{'ratio':8}" + "".join(f"{a / b:20.2f}" for a, b in zip(medians["tune"], medians["cma-es"])))
    if options.output:
        with open(options.output, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["method", "seed"] + heads)
            for name, rows in found.items():
                out.writerows([name, seed, *row] for seed, row in enumerate(rows, 1))


if __name__ == "__main__":
    main()
