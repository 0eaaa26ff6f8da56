# SPDX-License-Identifier: MIT
"""Builders of the worlds of tasks. Lengths are voxel edges, from the robot's lowest corner; see Scene. Uneven floors are the same for every robot and every run."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voxelastic.envs.scenes import AHEAD, BEHIND, Scene

__all__ = ["flat", "stairs_up", "stairs_down", "bumpy", "very_bumpy", "hurdles", "gaps", "platforms", "uneven_blocks"]

LENGTH = 99  # of a way to the goal
RUN_UP = 2  # edges of flat floor before the robot


def flat(scene: Scene) -> None:
    scene.goal = LENGTH


def uneven_blocks(scene: Scene, widths: NDArray[np.int64], heights: NDArray[np.float64], goal: float = LENGTH) -> None:
    """A floor of level blocks behind a flat start, the last one as long as the rest of the way."""
    edges = int(scene.size[0]) + RUN_UP + np.concatenate([[0], np.cumsum(widths)])
    levels = np.concatenate([[0.0], heights])

    def level(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(levels[np.minimum(np.searchsorted(edges, x, "right"), len(levels) - 1)])
    scene.uneven(level)
    scene.goal = goal


def _random(task: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(task))


def stairs_up(scene: Scene) -> None:
    random = _random(1)
    uneven_blocks(scene, random.integers(2, 6, 30), np.cumsum(random.integers(1, 3, 30)).astype(float), 69)


def stairs_down(scene: Scene) -> None:
    random = _random(2)
    uneven_blocks(scene, random.integers(2, 6, 30), -np.cumsum(random.integers(1, 3, 30)).astype(float), 74)


def bumpy(scene: Scene) -> None:
    random = _random(3)
    uneven_blocks(scene, random.integers(1, 4, 60), random.integers(0, 3, 60).astype(float), 79)


def very_bumpy(scene: Scene) -> None:
    random = _random(4)
    uneven_blocks(scene, random.integers(1, 3, 80), random.integers(0, 4, 80).astype(float), 59)


def hurdles(scene: Scene) -> None:
    """Walls of one edge, and level floor between them."""
    random = _random(5)
    widths = np.stack([np.ones(20, int), random.integers(4, 8, 20)], 1).ravel()
    heights = np.stack([random.integers(2, 4, 20), np.zeros(20, int)], 1).ravel().astype(float)
    uneven_blocks(scene, widths, heights)


def _chasms(scene: Scene, random: np.random.Generator, level: NDArray[np.float64], depth: float) -> None:
    """Platforms and gaps in turns."""
    count = len(level)
    widths = np.stack([random.integers(1, 4, count), random.integers(4, 8, count)], 1).ravel()
    heights = np.stack([np.full(count, depth), level], 1).ravel()
    uneven_blocks(scene, widths, heights)


def gaps(scene: Scene) -> None:
    _chasms(scene, _random(6), np.zeros(20), -6)


def platforms(scene: Scene) -> None:
    random = _random(7)
    _chasms(scene, random, random.integers(-2, 3, 20).astype(float), -6)
