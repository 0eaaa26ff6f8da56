#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""06_evogym.py [STEPS]: a random robot on a floor beside a box, with random actions, as programs for EvoGym have it; writes evogym.html, which replays it. Against the
original one line has changed, the import."""
import json
import random
import sys

import numpy as np
from voxelastic.compat.evogym import EvoWorld, EvoSim, EvoViewer, sample_robot  # was: from evogym import EvoWorld, EvoSim, EvoViewer, sample_robot

random.seed(1)
np.random.seed(1)
width = 20
floor = {"indices": list(range(width)), "types": [5] * width, "neighbors": {str(i): [n for n in (i - 1, i + 1) if 0 <= n < width] for i in range(width)}}
box = {"indices": [33, 34, 53, 54], "types": [1] * 4, "neighbors": {"33": [34, 53], "34": [33, 54], "53": [33, 54], "54": [34, 53]}}
with open("simple_environment.json", "w") as file:
    json.dump({"grid_width": width, "grid_height": 3, "objects": {"ground": floor, "box": box}}, file)

world = EvoWorld.from_json("simple_environment.json")
structure, connections = sample_robot((5, 5))
world.add_from_array(name="robot", structure=structure, x=3, y=1, connections=connections)
world.pretty_print()

sim = EvoSim(world)
sim.reset()
viewer = EvoViewer(sim, target_rps=None)
viewer.track_objects("robot", "box")
start = sim.object_pos_at_time(sim.get_time(), "robot").mean(1)
for step in range(int(sys.argv[1]) if len(sys.argv) > 1 else 120):
    sim.set_action("robot", np.random.uniform(low=0.6, high=1.6, size=(sim.get_dim_action_space("robot"),)))
    sim.step()
    viewer.render("screen")
print("the robot has come", np.round(sim.object_pos_at_time(sim.get_time(), "robot").mean(1) - start, 2), "voxels; its picture:", viewer.render("img").shape)
viewer.close()
