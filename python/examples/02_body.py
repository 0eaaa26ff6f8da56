#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""02_body.py: makes a body from an array, and writes walk.png, a picture of its gait, and walk.html, a page that replays it in any browser."""
import numpy as np
import voxelastic as vx

cells = np.zeros((6, 4, 4), int)  # x, y, z; 0 is empty
cells[:, :, 2:] = 1  # a back
cells[[0, 1, 4, 5], :, :2] = 2  # on legs,
cells[:, 1:3, :2] = 0  # of which there are four
back = vx.Material(name="back", youngs_modulus=2e5, thermal_expansion=0.01, color=(0.6, 0.7, 0.6, 1))
muscle = vx.Material(name="muscle", youngs_modulus=1e5, thermal_expansion=0.02, color=(0.9, 0.4, 0.3, 1))

x = np.indices(cells.shape)[0]
design = vx.Design.from_array(cells, [back, muscle], phase=x / 6)  # cycles: a wave from the head to the tail
design.actuation(period=0.2, amplitude=14)  # s, K
print(design)

replay = vx.record(design, duration=2.5)
replay.save("walk.png", coloring="strain")
replay.save("walk.html")
way = replay[-1].positions.mean(0) - replay[0].positions.mean(0)
print(f"walk.png, walk.html: {len(replay)} frames; it came {100 * np.hypot(*way[:2]):.1f} cm far")
