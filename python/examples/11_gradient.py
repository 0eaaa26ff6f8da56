#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""11_gradient.py [--rounds N]: a worm that crawls backwards learns to crawl forwards: the phases of its voxels follow the gradient of its speed, by Adam (Kingma2015)."""
import argparse
import time

import numpy as np
import voxelastic as vx

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--rounds", type=int, default=60)
options = parser.parse_args()
worm = vx.Design.read("assets/worm.vxa")
step = {"step_seconds": 4e-5, "step_rule": "seconds"}


def speed_of(design):
    """mm/s over 4 s."""
    with vx.World(design, **step) as world:
        start = world.center[0]
        world.advance(until=4)
        return 1e3 * (world.center[0] - start) / world.time


before, start = speed_of(worm), time.time()
phase, mean, square = worm.layer("PhaseOffset").values, 0, 0
with vx.Gradient(steps=25000, sample_every=250, forget=0.1, **step) as gradient:  # 1 s; each step is judged by the 0.1 s behind it
    robot = gradient.add(worm)
    for turn in range(1, options.rounds + 1):
        speed = gradient.run(vx.speed_along((1, 0, 0)))[robot]
        by_phase = gradient.by(robot, "phase")
        mean, square = 0.9 * mean + 0.1 * by_phase, 0.99 * square + 0.01 * by_phase ** 2
        phase += 0.02 * mean / (1 - 0.9 ** turn) / (np.sqrt(square / (1 - 0.99 ** turn)) + 1e-9)  # cycles
        gradient.put(robot, "phase", phase)
        if turn % 10 == 0:
            print(f"{time.time() - start:.0f} s, round {turn}: {1e3 * speed:.1f} mm/s")
worm.layer("PhaseOffset")[:] = phase
print(f"{before:.1f} mm/s before, {speed_of(worm):.1f} mm/s after {options.rounds} rounds")
