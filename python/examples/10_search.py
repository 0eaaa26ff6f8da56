#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""10_search.py: evolves bodies by a fitness in Python: they shall go far along x, straight, and be light. Writes the best as a page."""
import argparse
import tempfile

import numpy as np
import voxelastic as vx

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--generations", type=int, default=20)
options = parser.parse_args()
muscle = {"youngs_modulus_Pa": 1e6, "thermal_expansion_per_K": 0.01}
experiment = {
    "format": "voxelastic experiment", "version": 1, "name": "light walkers", "seed": 1, "size": [5, 4, 4],
    "world": {"materials": [{**muscle, "name": "muscle"}, {**muscle, "name": "antagonist", "phase_rad": np.pi}, {"name": "tissue", "youngs_modulus_Pa": 1e6}],
              "actuation": {"enabled": True, "amplitude_K": 14, "period_s": 0.25}},
    "algorithm": {"name": "afpo", "population": 16, "generations": options.generations}}


def fitness(designs):
    rows = vx.evaluate(designs, duration=1)
    return np.where(rows["status"] == vx.DONE, rows["x"] - abs(rows["y"]) - 1e-4 * rows["voxels"], np.nan)


with tempfile.TemporaryDirectory() as folder, vx.Search(experiment, f"{folder}/search") as search:
    search.run(fitness, progress=lambda facts: print(f"generation {facts.generation}: {facts.best_fitness:.4f}"))
    print(search, search.best)
    vx.record(search.best, duration=2).save("search.html")
