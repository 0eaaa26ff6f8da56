#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A fitness as a program, for porous.json: each line is a body, a scene in JSON, and is answered by a line with a number. Here: free faces per voxel."""
import json
import sys

STEPS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))

for line in sys.stdin:
    cells = {tuple(voxel[:3]) for voxel in json.loads(line)["voxels"]}
    free = sum((x + dx, y + dy, z + dz) not in cells for x, y, z in cells for dx, dy, dz in STEPS)
    print(free / len(cells) if len(cells) > 10 else "nan", flush=True)  # nan: no fitness
