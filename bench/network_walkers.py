#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do robots learn to walk by gradients through their networks?

    bench/network_walkers.py [--robots 30] [--rounds 60] [--seconds 2] [--seed 1] [--rate 0.05] [--threads 0] [-o FILE.csv]

Random bodies of up to 6 x 3 x 3 voxels of 10 mm (7 of 10 cells filled, the largest piece that hangs together) are moved in six
groups by a network of their own, which senses the phase of a 5 Hz clock, its own velocity, direction and groups, every 10 ms; edges
become 0.85 to 1.15 of their length. The floor has static friction 0.8 and dynamic 0.5. Adam (Kingma2015) climbs the mean speed along
x over --seconds by its gradient by all weights, each step judged by the 0.15 s behind it. Printed are, over robots, the median and the
quartiles of the speed in body lengths/s (the body's extent along x) of the first weights, of the best met in a tenth, half and all
of the rounds, and of those over 4 s in a world, in mixed precision as everything here; and seconds of wall time. -o writes a row for
each robot. Needs the Python package."""
import argparse
import csv
import sys
import time

import numpy as np
import voxelastic as vx

EDGE, SIZE, PERIOD, STEP = 0.01, (6, 3, 3), 0.2, 4e-5  # m, voxels, s, s
SENSORS, HIDDEN, GROUPS = ("clock", "velocity", "up", "group_place", "group_velocity"), 16, 6
LAYERS = (3 + 3 + 3 + 3 * GROUPS + 3 * GROUPS, HIDDEN, GROUPS)
TIME = slice(HIDDEN, 2 * HIDDEN)  # weights of the clock's first number, which grows for ever: 0
MATERIAL = {"youngs_modulus": 1e5, "density": 1000, "bond_damping": 0.3, "collision_damping": 0.3, "static_friction": 0.8, "dynamic_friction": 0.5}


def largest_piece(cells):
    """The cells of the largest piece that faces connect."""
    left, best = {tuple(cell) for cell in np.argwhere(cells)}, set()
    while left:
        piece, edge = set(), [left.pop()]
        while edge:
            cell = edge.pop()
            piece.add(cell)
            for axis in range(3):
                for way in (-1, 1):
                    other = tuple(c + way * (axis == a) for a, c in enumerate(cell))
                    if other in left:
                        left.remove(other)
                        edge.append(other)
        best = max(best, piece, key=len)
    return np.array(sorted(best))


def robot_of(random):
    """A random body with a network of random weights, and its length, m."""
    at = largest_piece(random.random(SIZE) < 0.7)
    at -= at.min(axis=0)
    cells = np.zeros(at.max(axis=0) + 1, int)
    cells[tuple(at.T)] = 1
    group = np.minimum(np.indices(cells.shape)[0] // 2, 2) + 3 * (np.indices(cells.shape)[2] == 0)
    design = vx.Design.from_array(cells, vx.Material(**MATERIAL), voxel_size=EDGE, group=group)
    design.floor(height=0)
    design.gravity = (0, 0, -9.81)
    design.actuation(amplitude=0, period=PERIOD)
    weights = random.normal(0, 0.3, vx.count_weights(LAYERS)).astype(np.float32)
    weights[TIME] = 0
    design.controller = vx.Controller(SENSORS, LAYERS, weights, interval=PERIOD / 20, targets=(0.85, 1.15))
    return design, EDGE * cells.shape[0]


def learn(designs, args):
    """The values of all rounds, (rounds, robots) m/s, and the best weights of each robot."""
    weights = np.array([design.controller.weights for design in designs], float)
    best, mean, square, values = weights.copy(), np.zeros_like(weights), np.zeros_like(weights), []
    with vx.Gradient(step_seconds=STEP, steps=round(args.seconds / STEP), sample_every=125, forget=0.15, by="weights", threads=args.threads) as gradient:
        for design in designs:
            gradient.add(design)
        for turn in range(1, args.rounds + 1):
            values.append(gradient.run(vx.speed_along((1, 0, 0))))
            for robot, value in enumerate(values[-1]):
                if not np.isfinite(value):  # it diverged, or its adjoints did: on from the best
                    weights[robot] = best[robot] * 0.99
                elif value >= np.nanmax(np.array(values)[:, robot]):
                    best[robot] = weights[robot]
                if np.isfinite(value):
                    slopes = gradient.by(robot, "weights")
                    slopes[TIME] = 0
                    slopes /= np.linalg.norm(slopes) + 1e-30
                    mean[robot], square[robot] = 0.9 * mean[robot] + 0.1 * slopes, 0.99 * square[robot] + 0.01 * slopes ** 2
                    weights[robot] += args.rate * mean[robot] / (1 - 0.9 ** turn) / (np.sqrt(square[robot] / (1 - 0.99 ** turn)) + 1e-9)
                gradient.put(robot, "weights", weights[robot])
            if sys.stderr.isatty():
                print(f"\rround {turn}: median {1e3 * np.nanmedian(values[-1]):.1f} mm/s ", end="", file=sys.stderr)
    return np.array(values), best


def speed_of(design, seconds):
    """m/s along x in a world; NaN where it diverges."""
    try:
        with vx.World(design, step_seconds=STEP) as world:
            start = world.center[0]
            world.advance(until=seconds)
            return (world.center[0] - start) / world.time
    except vx.Diverged:
        return float("nan")


def quartiles(values):
    low, middle, high = np.nanpercentile(values, (25, 50, 75))
    return f"{middle:6.2f} ({low:.2f} to {high:.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("-o", metavar="FILE.csv")
    args = parser.parse_args()
    if args.robots < 1 or args.rounds < 1 or args.seed < 0 or not args.rate > 0 or args.threads < 0 or not 0.01 <= args.seconds <= 100:
        sys.exit("network_walkers.py: --robots and --rounds are 1 at least, --seconds 0.01 to 100, --rate above 0, --seed and --threads not below 0")
    random = np.random.default_rng(args.seed)
    designs, lengths = zip(*(robot_of(random) for _ in range(args.robots)))
    began = time.monotonic()
    values, best = learn(designs, args)
    wall = time.monotonic() - began
    lengths = np.array(lengths)
    longer = []
    for design, weights in zip(designs, best):
        design.controller = vx.Controller(SENSORS, LAYERS, weights.astype(np.float32), interval=PERIOD / 20, targets=(0.85, 1.15))
        longer.append(speed_of(design, 4))
    marks = [max(1, args.rounds // 10), max(1, args.rounds // 2), args.rounds]
    reached = [np.nanmax(values[:mark], axis=0) / lengths for mark in marks]
    print(f"{args.robots} robots of {min(d.voxels for d in designs)} to {max(d.voxels for d in designs)} voxels, {vx.count_weights(LAYERS)} weights each; body lengths/s:")
    print(f"first weights      {quartiles(values[0] / lengths)}")
    for mark, speeds in zip(marks, reached):
        print(f"best of {mark:3d} rounds {quartiles(speeds)}")
    print(f"the best over 4 s  {quartiles(np.array(longer) / lengths)}")
    print(f"{wall:.0f} s for {args.rounds} gradients of each, {np.isnan(values).sum()} without a number")
    if args.o:
        with open(args.o, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["robot", "voxels", "length_m", *(f"best_of_{mark}_lengths_per_s" for mark in marks), "over_4_s_lengths_per_s"])
            for robot, design in enumerate(designs):
                table.writerow([robot, design.voxels, lengths[robot], *(speeds[robot] for speeds in reached), longer[robot] / lengths[robot]])


if __name__ == "__main__":
    main()
