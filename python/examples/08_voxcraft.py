#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""08_voxcraft.py [SEED]: a search as programs for voxcraft-sim have it, whose robots are files in data_run_SEED. Against the original one line has changed, the import."""
import os
import sys
from pathlib import Path

import numpy as np
from voxelastic.compat.voxcraft import write_vxd, read_vxd, remove_vxd  # was: from read_write_vxd import write_vxd, read_vxd, remove_vxd

SIZE = (5, 3, 4)
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
random, run = np.random.default_rng(seed), f"run_{seed}"

os.makedirs(f"data_{run}", exist_ok=True)
goal = "<FitnessFunction><mtDIV><mtVAR>x</mtVAR><mtCONST>0.01</mtCONST></mtDIV></FitnessFunction>"  # voxels along x
base = Path("assets/quadruped.vxa").read_text().replace("<Simulator>", "<Simulator>" + goal).replace("<StopConditionValue>5<", "<StopConditionValue>1<")
Path(f"data_{run}/base.vxa").write_text(base)  # materials and actuation; robots bring their bodies


class Phenotype:
    """What the search varies: a material and a phase for each voxel."""

    def __init__(self):
        self.genotype = type("Genotype", (), {"orig_size_xyz": SIZE})
        self.layers = {"material": random.integers(1, 3, SIZE), "PhaseOffset": random.random(SIZE)}

    def get_phenotype(self):
        return [(name, {"state": state}) for name, state in self.layers.items()]


fitness = {}
for robot in range(8):
    write_vxd(Phenotype(), run, robot)
    fitness[robot] = read_vxd(run, robot, "fitness_score")
    remove_vxd(run, robot)
print(" ".join(f"{value:.3f}" for value in fitness.values()))
print(f"the best is robot {max(fitness, key=fitness.get)}: {max(fitness.values()):.3f} voxels along x")
