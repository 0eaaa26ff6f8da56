#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bits.py PAGE PROGRAM: the module in Chromium against the program on x86-64 without fused multiply-add: equal hashes of the state, in mixed precision."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from module_page import ASSETS, check, drive, packed

STEPS = 2000
DESIGNS = ["quadruped.vxa", "worm.vxa", "gripper.vxa", "hopper.vxa", "cantilever.vxa", "gecko.json", "magnetic_crawler.json", "magnets.json",
           "bouncing_spheres.json", "rolling_spheres.json", "affine_crawler.json", "affine_spinning_top.json", "affine_gripped_block.json",
           "affine_remodelling_block.json", "benchmark/quad6.vxa", "benchmark/quad10.vxa", "benchmark/cube10.vxa"]
# voxels alone and a body that come to rest in a vacuum by drag: x86-64 takes denormal numbers for 0, the module does not, and no bit may depend on it
FADING = {"format": "voxelastic scene", "version": 1, "gravity_m_per_s2": [0, 0, 0], "floor": {"enabled": False},
          "materials": [{"youngs_modulus_Pa": 1e6, "global_damping": 0.02}], "voxels": [[0, 0, 0, 0], [3, 0, 0, 0], [5, 0, 0, 0], [6, 0, 0, 0], [7, 0, 0, 0]],
          "initial_velocities": [{"voxels": [0], "velocity_m_per_s": [0.1, 0.07, 0.03], "spin_rad_per_s": [0.1, 0.2, 0.3]},
                                 {"voxels": [2], "velocity_m_per_s": [0.1, 0, 0]}]}
FADING_STEPS = 100000
# in steps of different sizes, which must not matter
RUN = """const binding = await bind();
const read = binding.read(arguments[0], unpack(arguments[1]));
binding.open(read.scene, 1);
for (let left = arguments[2], size = 1; left > 0; size = size % 1000 * 3 + 1) {
  const steps = Math.min(size, left);
  binding.advance(steps);
  left -= steps;
}
return binding.hash();"""


def expected(program, path, steps):
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder, "result.json")
        subprocess.run([program, "run", str(path), "--steps", str(steps), "--quiet", "--no-step-error", "--result", str(result)], check=True,
                       env={**os.environ, "VOXELASTIC_ISA": "x86-64"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        facts = json.loads(result.read_text())
        return facts["state_hash"], facts["steps"]


def compare(page, program, path, name, steps):
    hash_, steps = expected(program, path, steps)
    found = page.run(RUN, path.name, packed(path), steps)
    check(found == hash_, f"{name}, {steps} steps: {found} in Chromium, {hash_} on x86-64")


def test(page, program):
    for name in DESIGNS:
        compare(page, program, ASSETS / name, name, STEPS)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "fading.json")
        path.write_text(json.dumps(FADING))
        compare(page, program, path, "what comes to rest", FADING_STEPS)


if __name__ == "__main__":
    sys.exit(drive(test, compares=True))
