#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""03_fitness.py: scores 256 random bodies in one call, and shows the best ones; with pandas where it is there."""
import numpy as np
import voxelastic as vx

palette = [vx.Material(youngs_modulus=2e5), vx.Material(youngs_modulus=1e5, thermal_expansion=0.02)]


def make(cells):
    design = vx.Design.from_array(cells, palette, phase=np.indices(cells.shape)[0] / cells.shape[0])
    design.actuation(period=0.25, amplitude=10)
    design.formula(fitness="x - abs(y)")
    return design


bodies = np.random.default_rng(1).integers(0, 3, (256, 5, 5, 4))
rows = vx.evaluate(map(make, bodies), duration=1)
done = rows[rows["status"] == vx.DONE]
print(f"{len(done)} of {len(rows)} got to the end; median {np.median(done['fitness']):.3f} m")
try:
    import pandas as pd
except ImportError:
    for robot in np.argsort(-np.nan_to_num(rows["fitness"], nan=-np.inf))[:5]:
        print(f"robot {robot}: {rows['fitness'][robot]:.3f} m, {rows['voxels'][robot]} voxels, {rows['speed'][robot]:.3f} m/s")
else:
    table = pd.DataFrame(rows)
    print(table[table.status == vx.DONE].nlargest(5, "fitness")[["fitness", "voxels", "speed", "in_lanes"]])
