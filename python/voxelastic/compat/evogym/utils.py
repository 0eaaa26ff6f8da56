# SPDX-License-Identifier: MIT
"""EvoGym's helpers: numbers of materials, random robots, questions about bodies, pairs of whole numbers, a timer."""
from __future__ import annotations

import operator
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["VOXEL_TYPES", "BASELINE_ENV_NAMES", "get_uniform", "draw", "sample_robot", "is_connected", "has_actuator", "get_full_connectivity", "hashable", "Timer", "Pair"]

VOXEL_TYPES = {"EMPTY": 0, "RIGID": 1, "SOFT": 2, "H_ACT": 3, "V_ACT": 4, "FIXED": 5}
ACTUATORS = (VOXEL_TYPES["H_ACT"], VOXEL_TYPES["V_ACT"])
BASELINE_ENV_NAMES = ["Walker-v0", "BridgeWalker-v0", "BidirectionalWalker-v0", "Carrier-v0", "Carrier-v1", "Pusher-v0", "Pusher-v1", "Thrower-v0", "Catcher-v0",
                      "BeamToppler-v0", "BeamSlider-v0", "Lifter-v0", "Climber-v0", "Climber-v1", "Climber-v2", "UpStepper-v0", "DownStepper-v0", "ObstacleTraverser-v0",
                      "ObstacleTraverser-v1", "Hurdler-v0", "PlatformJumper-v0", "GapJumper-v0", "Traverser-v0", "CaveCrawler-v0", "AreaMaximizer-v0", "AreaMinimizer-v0",
                      "WingspanMazimizer-v0", "HeightMaximizer-v0", "Flipper-v0", "Jumper-v0", "Balancer-v0", "Balancer-v1"]
Cells = NDArray[Any]


def get_uniform(x: int) -> NDArray[np.float64]:
    """(x,): equal chances."""
    return np.full(x, 1 / x)


def draw(pd: ArrayLike) -> int:
    """An index, drawn by the weights pd (n,), by one number of Python's `random`."""
    weights = np.asarray(pd, float)
    if weights.ndim != 1 or not weights.size or not (weights >= 0).all() or not weights.sum() > 0:
        raise ValueError(f"pd: expected weights of 0 or more, one above 0, not {pd!r}")
    index = np.searchsorted(np.cumsum(weights / weights.sum()), random.random(), side="left")
    return int(min(index, weights.size - 1))


def sample_robot(robot_shape: tuple[int, int], pd: ArrayLike | None = None) -> tuple[Cells, NDArray[np.int64]]:
    """A random body (rows, columns), which is connected and has an actuator, and its connections (2, k). pd: (5,) weights of empty, rigid, soft, horizontal and
    vertical actuators; 3 to 1 for empty by default. The same seed of `random` gives the bodies that EvoGym draws."""
    weights = np.array([0.6, 0.2, 0.2, 0.2, 0.2]) if pd is None else np.asarray(pd, float)
    if weights.shape != (5,) or not weights[list(ACTUATORS)].sum() > 0:
        raise ValueError("pd: expected the weights of empty, rigid, soft, horizontal and vertical actuators, (5,), one of the last two above 0")
    rows, columns = (int(n) for n in robot_shape)
    if rows < 1 or columns < 1:
        raise ValueError(f"robot_shape: expected rows and columns, 1 or more, not {robot_shape!r}")
    while True:
        robot = np.array([[float(draw(weights)) for _ in range(columns)] for _ in range(rows)])
        if is_connected(robot) and has_actuator(robot):
            return robot, get_full_connectivity(robot)


def is_connected(robot: ArrayLike) -> bool:
    """Whether all cells (rows, columns) that are not empty hang together by their sides; False where all are empty."""
    left = {(int(y), int(x)) for y, x in np.argwhere(np.asarray(robot) != 0)}
    if not left:
        return False
    found = [left.pop()]
    while found:
        y, x = found.pop()
        beside = left & {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)}
        left -= beside
        found += beside
    return not left


def has_actuator(robot: ArrayLike) -> bool:
    """Whether a body (rows, columns) has a cell that moves."""
    return bool(np.isin(np.asarray(robot), ACTUATORS).any())


def get_full_connectivity(robot: ArrayLike) -> NDArray[np.int64]:
    """(2, k): all pairs of neighbours of a body (rows, columns), by their indices in the flattened array."""
    full = np.asarray(robot) != 0
    rows, columns = full.shape
    number = np.arange(rows * columns).reshape(rows, columns)
    pairs = [np.stack([number[:, :-1], number[:, 1:]])[:, full[:, :-1] & full[:, 1:]], np.stack([number[:-1], number[1:]])[:, full[:-1] & full[1:]]]
    both = np.concatenate(pairs, axis=1).astype(np.int64)
    return both[:, np.lexsort((both[1], both[0]))]


def hashable(robot: ArrayLike) -> str:
    """A body as a text, a digit for each cell."""
    return "".join(str(int(cell)) for cell in np.asarray(robot).ravel())


class Timer:
    """Keeps a pace: `should_step` says whether it is time for the next step, of which there are target_step_frequency a second; None: as many as may be."""

    def __init__(self, target_step_frequency: float | None = None) -> None:
        self._frequency = target_step_frequency
        self._begin, self._steps, self._told, self._told_steps = time.monotonic(), 0, time.monotonic(), 0

    def should_step(self) -> bool:
        """Whether the next step is due."""
        return self._frequency is None or self._steps < self._frequency * (time.monotonic() - self._begin)

    def step(self, verbose: bool = False) -> None:
        """Counts a step. verbose: writes the frequency of the last second to standard output, once a second."""
        self._steps += 1
        now = time.monotonic()
        if self._frequency is not None and self._steps < self._frequency * (now - self._begin) - 1:  # too slow: what is late is not made up for
            self._begin, self._steps = now, 0
            self._told_steps = min(self._told_steps, 0)
        if now - self._told > 1:
            if verbose:
                sys.stdout.write(f"{(self._steps - self._told_steps) / (now - self._told):.0f} steps a second\n")
            self._told, self._told_steps = now, self._steps


class Pair:
    """Two whole numbers, x and y, which are added, subtracted, multiplied, divided (downwards) and compared number by number, with another pair or a whole number."""

    def __init__(self, x: int, y: int) -> None:
        for value in (x, y):
            if not isinstance(value, (int, np.integer)):
                raise TypeError(f"a pair is of whole numbers, not {value!r}")
        self.x, self.y = int(x), int(y)

    def __getitem__(self, key: int) -> int:
        if key not in (0, 1):
            raise IndexError(f"a pair has the indices 0 and 1, not {key!r}")
        return self.y if key else self.x

    def _with(self, other: Pair | int, act: Callable[[int, int], int]) -> Pair:
        if isinstance(other, Pair):
            return Pair(act(self.x, other.x), act(self.y, other.y))
        if isinstance(other, (int, np.integer)):
            return Pair(act(self.x, int(other)), act(self.y, int(other)))
        raise TypeError(f"expected a pair or a whole number, not {other!r}")

    def __add__(self, other: Pair | int) -> Pair:
        return self._with(other, operator.add)

    def __sub__(self, other: Pair | int) -> Pair:
        return self._with(other, operator.sub)

    def __mul__(self, other: Pair | int) -> Pair:
        return self._with(other, operator.mul)

    def __floordiv__(self, other: Pair | int) -> Pair:
        return self._with(other, operator.floordiv)

    __truediv__ = __floordiv__

    def __mod__(self, other: Pair | int) -> Pair:
        return self._with(other, operator.mod)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Pair):
            return (self.x, self.y) == (other.x, other.y)
        return isinstance(other, (int, np.integer)) and self.x == other == self.y

    def __hash__(self) -> int:
        return hash((self.x, self.y))

    def abs(self) -> Pair:
        """Both without their signs."""
        return Pair(abs(self.x), abs(self.y))

    def each_max(self, other: Pair) -> Pair:
        """The larger x and the larger y of two pairs."""
        return self._with(other, max)

    def each_min(self, other: Pair) -> Pair:
        """The smaller x and the smaller y of two pairs."""
        return self._with(other, min)

    def copy(self) -> Pair:
        """A pair of the same numbers."""
        return Pair(self.x, self.y)

    __copy__ = copy

    def __repr__(self) -> str:
        return f"Pair({self.x}, {self.y})"

    def __str__(self) -> str:
        return f"({self.x}, {self.y})"
