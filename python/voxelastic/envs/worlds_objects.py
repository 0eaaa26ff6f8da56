# SPDX-License-Identifier: MIT
"""Builders of worlds with objects, and with fixed walls. Lengths are voxel edges, from the robot's lowest corner; see Scene."""
from __future__ import annotations

import numpy as np

from voxelastic.envs.bodies import FIXED, SOFT
from voxelastic.envs.scenes import Scene
from voxelastic.envs.worlds import LENGTH, uneven_blocks

__all__ = ["box_on_top", "box_to_table", "box_ahead", "box_behind", "box_to_throw", "box_that_falls", "box_in_hole", "beam_to_topple", "beam_to_slide", "bridge", "soft_ground",
           "cave", "channel", "rough_channel", "winding_channel", "on_pole", "before_pole"]

SPAN, PIER = 8, 2  # edges: of a bridge
TALL = 24  # edges: of walls to climb


def _box(scene: Scene, x: int, z: int, width: int = 2, height: int = 2, velocity: tuple[float, float, float] | None = None) -> None:
    scene.add((width, int(scene.size[1]), height), (x, 0, z), thing=True, velocity=velocity)


def _middle(scene: Scene, width: int) -> int:
    """Where something of a width is above the middle of the robot."""
    return (int(scene.size[0]) - width) // 2


def box_on_top(scene: Scene) -> None:
    _box(scene, _middle(scene, 2), int(scene.size[2]))
    scene.goal, scene.height = LENGTH, 3.0


def box_to_table(scene: Scene) -> None:
    width, high = int(scene.size[0]), 2
    uneven_blocks(scene, np.array([12, 8]), np.array([0.0, high]), 0)
    box_on_top(scene)
    scene.goal, scene.height = width + 18, float(high)


def box_ahead(scene: Scene) -> None:
    _box(scene, int(scene.size[0]) + 1, 0)
    scene.goal = LENGTH


def box_behind(scene: Scene) -> None:
    _box(scene, -3, 0)
    scene.goal = 69


def box_to_throw(scene: Scene) -> None:
    box_on_top(scene)
    scene.goal = float(scene.robot[0])


def box_that_falls(scene: Scene) -> None:
    """It flies towards the robot from above."""
    _box(scene, int(scene.size[0]) + 4, int(scene.size[2]) + 8, velocity=(-8, 0, 0))
    scene.height = 5.0


def box_in_hole(scene: Scene) -> None:
    """It stands in a hole below the robot, and its top is one edge lower than the floor."""
    at = _middle(scene, 1)
    scene.uneven(lambda x: np.where((x >= at) & (x <= at + 1), -3.0, 0.0))
    _box(scene, at, -3, width=1)
    scene.goal, scene.height = at + 0.5, float(scene.robot[2])


def _pegs(scene: Scene, places: list[int]) -> None:
    for x in places:
        scene.add((1, int(scene.size[1]), int(scene.size[2]) + 1), (x, 0, 0), FIXED, fixed=True)


def _beam(scene: Scene) -> None:
    """It lies on two pegs, above the robot."""
    scene.add((int(scene.size[0]) + 4, int(scene.size[1]), 1), (-2, 0, int(scene.size[2]) + 1), thing=True)
    scene.height = float(scene.size[2])


def beam_to_topple(scene: Scene) -> None:
    _pegs(scene, [-2, int(scene.size[0]) + 1])
    _beam(scene)


def beam_to_slide(scene: Scene) -> None:
    _pegs(scene, [-2 + k * (int(scene.size[0]) + 3) for k in range(5)])
    _beam(scene)


def bridge(scene: Scene) -> None:
    """A soft plank on fixed piers, and nothing below it."""
    piers = [-4, *(int(scene.size[0]) + 2 + k * (SPAN + PIER) for k in range(4))]
    end = piers[-1] + PIER
    deep = int(scene.size[1]) + 2
    scene.remove_floor()
    scene.add((end + 4, deep, 1), (-4, -1, -1), SOFT)
    scene.fix((-4, -1, -1), (piers[1] + PIER + 4, deep, 1))
    for x in piers[2:]:
        scene.fix((x, -1, -1), (PIER, deep, 1))
    scene.goal = end - PIER


def soft_ground(scene: Scene) -> None:
    """A hole full of soft blocks, each four edges long."""
    first, deep = int(scene.size[0]) + 3, int(scene.size[1]) + 4
    scene.uneven(lambda x: np.where((x >= first) & (x <= first + 20), -3.0, 0.0))
    for k in range(5):
        scene.add((4, deep, 3), (first + 4 * k, -2, -3), SOFT)
    scene.goal = first + 22


def cave(scene: Scene) -> None:
    """Uneven ground below a ceiling that is not much higher than the robot."""
    random = np.random.Generator(np.random.PCG64(8))
    first, long, thick = int(scene.size[0]) + 2, 30, 3
    uneven_blocks(scene, random.integers(2, 5, 12), random.integers(0, 2, 12).astype(float))
    cells = np.full((long, int(scene.size[1]), thick), FIXED)
    for x, free in enumerate(np.repeat(random.integers(0, thick, long // 3), 3)):
        cells[x, :, :free] = 0
    scene.add_cells(cells, (first, 0, int(scene.size[2])), fixed=True)
    scene.goal = first + long + 2


def _walls(scene: Scene, shifts: list[int], rough: bool) -> None:
    """Walls on both sides of a channel as wide as the robot, of sections that are shifted along x; rough ones have niches."""
    random = np.random.Generator(np.random.PCG64(9))
    width, deep, thick = int(scene.size[0]), int(scene.size[1]) + 2, 2
    each = -(-TALL // len(shifts))
    for side in (-1, 1):
        cells = np.zeros((thick + 4, deep, TALL), int)
        for z in range(TALL):
            low = 2 + shifts[min(z // each, len(shifts) - 1)]
            cells[low:low + thick, :, z] = FIXED
            if rough and z > scene.size[2] and z % 3 == 0 and random.random() < 0.7:
                cells[low + (thick - 1 if side < 0 else 0), :, z] = 0
        scene.add_cells(cells, (-thick - 2 if side < 0 else width - 2, -1, 0), fixed=True)
    scene.goal = float(TALL)


def channel(scene: Scene) -> None:
    _walls(scene, [0], False)


def rough_channel(scene: Scene) -> None:
    _walls(scene, [0], True)


def winding_channel(scene: Scene) -> None:
    _walls(scene, [0, 0, 1, 0, -1, 0], False)


def _pole(scene: Scene, x: int, low: int, height: int) -> None:
    scene.add((1, int(scene.size[1]), height), (x, 0, low), FIXED, fixed=True)
    scene.goal, scene.height = x + 0.5, low + height + float(scene.robot[2])


def on_pole(scene: Scene) -> None:
    scene.lower_floor(6)
    x = _middle(scene, 1)
    above = scene.design.positions - scene.low
    under = above[above[:, 0] == x, 2]  # voxels above the pole, if the body has any there
    _pole(scene, x, -6, 6 + (int(under.min()) if len(under) else 0))
    scene.height = float(scene.robot[2])


def before_pole(scene: Scene) -> None:
    _pole(scene, int(scene.size[0]) + 2, 0, 3)
