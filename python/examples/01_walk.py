#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""01_walk.py [DESIGN]: loads a robot, lets it walk for five seconds, and says how far it came."""
import sys

import numpy as np
import voxelastic as vx

design = vx.Design.read(sys.argv[1] if len(sys.argv) > 1 else "assets/quadruped.vxa")
with vx.World(design) as world:
    start = world.center
    for second in range(1, 6):
        world.advance(until=second)
        way = np.hypot(*(world.center - start)[:2])
        feet = np.count_nonzero(world.sense("floor"))
        print(f"{world.time:.2f} s: {100 * way:.1f} cm, {feet} of {world.facts.voxels} voxels on the floor")
    print(f"state {world.hash:016x}")
