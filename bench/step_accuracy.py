#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far the default step is off: displacements against an eighth of the step, over many robots.

    bench/step_accuracy.py DESIGN... or FOLDER... [--program PROGRAM] [--copies 4] [-o FILE.csv]

Each design runs as an ensemble at the default step and at an eighth of it, by `voxelastic compare
--native`. Robots that move less than a twentieth of a voxel, fail, or whose ensemble is chaotic at
an eighth of the step are listed, and left out of the quantiles at the end."""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

ENDINGS = (".vxa", ".vxd", ".json")


def designs_of(places):
    """Files as they are; of folders all designs below them, by name."""
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, _, names in sorted(os.walk(place)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(ENDINGS))


def compare(program, design, copies):
    """Rows of a comparison by their names, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.json")
        try:
            done = subprocess.run([program, "compare", design, "--native", "--copies", str(copies), "--quiet", "-o", path],
                                  capture_output=True, text=True, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            return None, "takes more than ten minutes"
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or ["no answer"])[0][-90:]
        with open(path, encoding="utf-8") as file:
            return {row["rules"]: row for row in json.load(file)[0]["rows"]}, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+")
    parser.add_argument("--program", default="build/release/bin/voxelastic")
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    table, errors = [], []
    for design in designs_of(options.places):
        rows, why = compare(options.program, design, options.copies)
        name = os.path.basename(design)[-48:]
        if not rows or any(row["done"] == 0 for row in rows.values()):
            print(f"{name:48} left out: {why or next(row['message'] for row in rows.values() if row['done'] == 0)}", flush=True)
            continue
        default, half, eighth = rows["native"], rows["native, half the step"], rows["native, an eighth of it"]
        way = [row["displacement_voxels"]["mean"] for row in (default, half, eighth)]
        off = [abs(w - way[2]) / max(way[2], 1e-9) for w in way[:2]]
        verdict = "failed" if default["done"] < default["copies"] else eighth["verdict"]
        counts = way[2] >= 0.05 and verdict not in ("chaotic", "failed")
        errors += [off] if counts else []
        table.append([design, *way, *off, default["verdict"], verdict, counts])
        print(f"{name:48} {way[0]:9.4g} {way[1]:9.4g} {way[2]:9.4g}  off {100 * off[0]:7.2f} % {100 * off[1]:7.2f} %  {default['verdict']}, {verdict}"
              f"{'' if counts else ' (does not count)'}", flush=True)
    for title, values in (("default step", [e[0] for e in errors]), ("half of it", [e[1] for e in errors])):
        if len(values) > 1:
            tenths = statistics.quantiles(values, n=10, method="inclusive")
            print(f"{title}: {len(values)} robots, off by {100 * statistics.median(values):.2f} % in the median, {100 * tenths[8]:.2f} % at the 90th percentile")
    if options.output:
        with open(options.output, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["design", "default", "half", "eighth", "default_off", "half_off", "default_verdict", "eighth_verdict", "counts"], *table])
    return 0 if errors else 1


if __name__ == "__main__":
    sys.exit(main())
