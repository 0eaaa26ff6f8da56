#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is a gradient through friction and contact worth, and for how long? Two tables, in Markdown, for docs/gradients.md.

    bench/gradient_worth.py [--draws 16] [--pairs 1500] [--threads N]

A quadruped of 28 voxels, 50 mm long, has a phase for each voxel, and walks at 5 Hz; the number is its mean speed along x. Each draw
has random phases of its own. The first table compares gradients by the phases with central differences of 0.01 cycles. The second
compares them with the slope of the smoothed speed, which a search sees: the mean over changes of all phases by 0.03 cycles, from
pairs of runs with opposite changes. That slope is known as well as two halves of its pairs agree, so that no cosine with it comes
to 1. Needs the Python package on the path; takes minutes on two cores."""
import argparse

import numpy as np
import voxelastic as vx

EDGE_M, MODULUS_PA, DENSITY_KG_PER_M3 = 0.01, 1e5, 1000
STRAIN, EXPANSION_PER_K, PERIOD_S = 0.15, 0.01, 0.2
BOND_DAMPING = 0.3
STEP_S = 2e-4
SAMPLE_EVERY = 5  # steps: 200 in a period
FLOORS = {"friction 0.8/0.5, damping 0.3": (0.8, 0.5, 0.3), "friction 0.5/0.5, damping 0.3": (0.5, 0.5, 0.3), "friction 0.5/0.5, damping 0": (0.5, 0.5, 0)}
TIMES_S, WALK_S = (0.2, 0.5, 1, 2), 1
DIFFERENCE = 0.01  # cycles
SPREAD = 0.03  # cycles, of copies and of the smoothed speed
COPIES, FORGET_S = 16, (0, 0.4, 0.2, 0.15, 0.1, 0.05)
FEW_PAIRS = 40


def quadruped(floor):
    """Four legs of two voxels under a trunk of 5 x 4."""
    static, dynamic, damping = FLOORS[floor]
    cells = np.zeros((5, 4, 3), int)
    cells[:, :, 2] = 1
    cells[::4, ::3, :2] = 1
    material = vx.Material(youngs_modulus=MODULUS_PA, density=DENSITY_KG_PER_M3, thermal_expansion=EXPANSION_PER_K, bond_damping=BOND_DAMPING, static_friction=static,
                           dynamic_friction=dynamic, collision_damping=damping)
    design = vx.Design.from_array(cells, material, voxel_size=EDGE_M)
    design.actuation(amplitude=STRAIN / EXPANSION_PER_K, period=PERIOD_S)
    design.floor(height=0)
    design.gravity = (0, 0, -9.81)
    return design


def with_phases(design, phases):
    changed = design.copy()
    changed.layer("PhaseOffset")[:] = phases
    return changed


class Walks:
    """Runs of one quadruped with many phases, all in lanes."""

    def __init__(self, floor, threads):
        self.design, self.threads = quadruped(floor), threads
        self.rules = {"step_rule": "seconds", "step_seconds": STEP_S, "damping": "explicit"}
        with vx.World(self.design, **self.rules) as world:
            self.start = world.center[0]

    def speeds(self, phases, seconds):
        """m/s along x, (rows of phases,)."""
        rows = vx.evaluate([with_phases(self.design, row) for row in phases], steps=round(seconds / STEP_S), threads=self.threads, schedule="lanes", **self.rules)
        failed = [row["message"] for row in rows if row["status"] != vx.DONE]
        if failed:
            raise SystemExit(f"gradient_worth.py: {len(failed)} of {len(rows)} runs: {failed[0]}")
        return (rows["x"] - self.start) / seconds

    def gradients(self, phases, seconds, forget=0):
        """Of the speed by the phases, (rows of phases, voxels), and how often adjoints grew by e in a period, (rows of phases,)."""
        with vx.Gradient(steps=round(seconds / STEP_S), by="phase", sample_every=SAMPLE_EVERY, forget=forget, threads=self.threads, **self.rules) as gradient:
            for row in phases:
                gradient.add(with_phases(self.design, row))
            gradient.run(vx.speed_along((1, 0, 0)))
            rows = range(len(phases))
            return np.array([gradient.by(row, "phase") for row in rows]), np.array([gradient.facts(row).growth for row in rows]) * PERIOD_S


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def middle(numbers, form=".2f"):
    """The median, and the quartiles."""
    low, median, high = np.quantile(numbers, (0.25, 0.5, 0.75))
    return f"{median:{form}} ({low:{form}} to {high:{form}})"


def print_table(head, rows):
    for row in (head, ["---"] * len(head), *rows):
        print("|" + "|".join(row if row[0] == "---" else (f" {cell} " for cell in row)) + "|")
    print(flush=True)


def compare_with_differences(options, draws):
    """Rows of the first table."""
    rows = []
    for floor in FLOORS:
        walks, cosines, lengths = Walks(floor, options.threads), [], []
        changes = DIFFERENCE * np.eye(draws.shape[1])
        for seconds in TIMES_S:
            exact, growth = walks.gradients(draws, seconds)
            around = np.concatenate([phases + np.concatenate((changes, -changes)) for phases in draws])
            up, down = np.moveaxis(walks.speeds(around, seconds).reshape(len(draws), 2, -1), 1, 0)
            slopes = (up - down) / (2 * DIFFERENCE)
            cosines.append(middle([cosine(a, b) for a, b in zip(exact, slopes)]))
            lengths.append(f"{np.median(np.linalg.norm(exact, axis=1) / np.linalg.norm(slopes, axis=1)):.2g}")
        rows += [[floor, "cosine", *cosines, ""], ["", "length", *lengths, f"{middle(growth, '.1f')}"]]
    return rows


def smoothed_slopes(walks, phases, changes):
    """What each pair of runs says of the slope of the smoothed speed, (pairs, voxels)."""
    up, down = walks.speeds(np.concatenate((phases + SPREAD * changes, phases - SPREAD * changes)), WALK_S).reshape(2, -1)
    return ((up - down) / (2 * SPREAD))[:, None] * changes


def compare_with_smoothed(options, draws, chance):
    """Rows of the second table."""
    rows = []
    for floor in FLOORS:
        walks = Walks(floor, options.threads)
        one, mean, few, halves = [[] for _ in FORGET_S], [[] for _ in FORGET_S], [], []
        for phases in draws:
            pairs = smoothed_slopes(walks, phases, chance.standard_normal((options.pairs, draws.shape[1])))
            slope = pairs.mean(0)
            halves.append(cosine(pairs[::2].mean(0), pairs[1::2].mean(0)))
            few.append(cosine(pairs[:FEW_PAIRS].mean(0), pairs[FEW_PAIRS:].mean(0)))
            copies = phases + SPREAD * chance.standard_normal((COPIES, draws.shape[1]))
            for index, forget in enumerate(FORGET_S):
                exact, _ = walks.gradients(copies, WALK_S, forget)
                one[index].append(np.mean([cosine(row, slope) for row in exact]))
                mean[index].append(cosine(exact.mean(0), slope))
        rows += [[floor, "one copy", *map(middle, one), middle(few), middle(halves)], ["", f"mean of {COPIES}", *map(middle, mean), "", ""]]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=16)
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    if options.draws < 1 or options.pairs < 2 * FEW_PAIRS:
        parser.error(f"needs a draw and {2 * FEW_PAIRS} pairs")
    chance = np.random.default_rng(1)
    draws = chance.random((options.draws, 28))
    print_table(["floor", "", *(f"{seconds:g} s" for seconds in TIMES_S), f"growth in {TIMES_S[-1]} s, e-folds in a period"], compare_with_differences(options, draws))
    heads = ["raw" if not forget else f"forget {forget:g} s" for forget in FORGET_S]
    print_table(["floor", "", *heads, f"{2 * FEW_PAIRS} runs of differences", "two halves of the slope"], compare_with_smoothed(options, draws, chance))


if __name__ == "__main__":
    main()
