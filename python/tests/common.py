# SPDX-License-Identifier: MIT
"""What the tests of the package share. A test is a program: it exits with 77, which CTest takes for skipped, where NumPy is missing."""
import os
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)
import voxelastic as vx

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"
QUADRUPED = ASSETS / "quadruped.vxa"
SUFFIXES = (".vxa", ".vxc", ".vxd", ".json", ".vox", ".npy", ".npz")


def program():
    """The command-line program."""
    return os.environ["VOXELASTIC_PROGRAM"]


def run_program(*words):
    subprocess.run([program(), *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def all_designs():
    """Paths of the designs in assets/."""
    return sorted(path for path in ASSETS.iterdir() if path.suffix in SUFFIXES)


def walker(size=(6, 4, 3), voxel_size=0.01):
    """A small robot with legs, two materials and a wave of actuation."""
    cells = np.zeros(size, int)
    cells[:, :, 1:] = 1
    cells[[0, 1, -2, -1], :, 0] = 2
    soft, muscle = vx.Material(youngs_modulus=2e5), vx.Material(youngs_modulus=1e5, thermal_expansion=0.02)
    design = vx.Design.from_array(cells, [soft, muscle], phase=np.indices(size)[0] / size[0], voxel_size=voxel_size)
    design.actuation(period=0.25, amplitude=10)
    return design


def bursting():
    """A world that diverges: it takes many times the step that is stable."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", vx.VoxelasticWarning)
        return vx.World(walker(), step_seconds=0.01, damping="explicit")


def main():
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
