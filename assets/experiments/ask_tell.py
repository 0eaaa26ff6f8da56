#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ask_tell.py PROGRAM [EVALUATIONS]: a hill climber in Python; one long-lived process `voxelastic batch --stdin` evaluates its bodies."""
import json, random, subprocess, sys

random.seed(1)
material = {"youngs_modulus_Pa": 1e4, "density_kg_per_m3": 1e3, "bond_damping": 1, "static_friction": 1, "dynamic_friction": 0.5}
world = {"format": "voxelastic scene", "version": 1, "voxel_size_m": 0.01, "fitness": "sqrt(x*x + y*y)", "stop": {"duration_s": 1.5, "settle_time_s": 0.5},
         "materials": [dict(material, thermal_expansion_per_K=0.01), dict(material, thermal_expansion_per_K=-0.01), material],
         "actuation": {"enabled": True, "amplitude_K": 14, "period_s": 0.25}}
cells = [(x, y, z) for z in range(6) for y in range(6) for x in range(6)]
worker = subprocess.Popen([sys.argv[1], "batch", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
best, best_fitness, left = [random.randrange(3) for _ in cells], -1.0, int(sys.argv[2]) if len(sys.argv) > 2 else 500
while left > 0:
    asked = [[random.randrange(3) if random.random() < 0.02 else m for m in best] for _ in range(min(left, 50))]
    for body in asked:
        worker.stdin.write(json.dumps(dict(world, voxels=[[*c, m] for c, m in zip(cells, body)])) + "\n")
    worker.stdin.flush()
    told = [json.loads(worker.stdout.readline()) for _ in asked]
    best_fitness, best = max([(best_fitness, best)] + [(row["fitness"], body) for row, body in zip(told, asked) if row["status"] == "done"])
    left -= len(asked)
worker.stdin.close()
print(f"best fitness {best_fitness:.6g} m")
