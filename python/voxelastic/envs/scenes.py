# SPDX-License-Identifier: MIT
"""Worlds of tasks, built around a robot: uneven floors, objects, fixed walls. All lengths here are in voxel edges, from the robot's lowest corner: x = 0 is its left side,
z = 0 its underside."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic.envs.bodies import RIGID, palette
from voxelastic.design import Design

__all__ = ["Scene"]

BEHIND, AHEAD = 30, 130  # edges of floor
EDGE = 0.1  # length of a voxel's edge in EvoGym, in which rewards count


class Scene:
    """A robot's design, to which a task adds its world; and what rewards need to know of that world."""

    def __init__(self, body: Design) -> None:
        self.design = body
        """Design: of the robot and all that was added"""
        self.low: NDArray[np.int64] = body.positions.min(0).astype(np.int64)
        """(3,) lattice coordinates of the robot's lowest corner"""
        self.size: NDArray[np.int64] = body.positions.max(0).astype(np.int64) + 1 - self.low
        """(3,) of the robot, edges"""
        self.robot = self._center(body)
        """(3,) where the robot's centre is at the start, edges"""
        self.thing: NDArray[np.float64] | None = None
        """(3,) where the centre of the task's object is at the start, edges; None without one"""
        self.goal: float = 0.0
        """edges: along x, where a task ends or should lead to"""
        self.height: float = 0.0
        """edges: a height that the task's reward asks for"""
        self.fixed = False
        """whether voxels are fixed, so that robots can not be shifted and turned at a reset"""
        self.parts = 1
        """bodies in the design"""
        self.design.floor.enabled = True
        self.design.floor.height = float(self.low[2]) * body.voxel_size

    def _center(self, design: Design) -> NDArray[np.float64]:
        """Centre of mass of a design at rest, edges."""
        mass = design.layer("Density").values
        center: NDArray[np.float64] = (mass @ (design.positions + 0.5)) / mass.sum() - self.low
        return center

    def uneven(self, height: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> None:
        """Makes the floor uneven: height (edges) at x (edges, whole numbers), for all y. Between these it is linear, so that a step is one edge wide."""
        x = np.arange(-BEHIND, AHEAD + 1, dtype=float)
        edge = self.design.voxel_size
        heights = np.broadcast_to(height(x) * edge, (2, len(x)))
        self.design.heights(heights, edge, (float(self.low[0] - BEHIND) * edge, float(self.low[1]) * edge))

    def lower_floor(self, by: float) -> None:
        """Puts the floor lower, by so many edges."""
        self.design.floor.height -= by * self.design.voxel_size

    def remove_floor(self) -> None:
        """Leaves nothing to stand on but what is added."""
        self.design.floor.enabled = False

    def add(self, size: Sequence[int], at: Sequence[int], material: int = RIGID, *, thing: bool = False, fixed: bool = False,
            velocity: Sequence[float] | None = None) -> None:
        """Adds a block of voxels, a body of its own: size and place of its lowest corner in edges, EvoGym's material. thing: it is the task's object. fixed: it is held in
        place. velocity: edges/s."""
        cells = np.full(tuple(int(n) for n in size), material)
        self._add(Design.from_array(cells, palette(), voxel_size=self.design.voxel_size), at, thing, fixed, velocity)

    def add_cells(self, cells: NDArray[np.int64], at: Sequence[int], *, thing: bool = False, fixed: bool = False) -> None:
        """The same for a body of any form: (x, y, z) EvoGym's numbers."""
        self._add(Design.from_array(cells, palette(), voxel_size=self.design.voxel_size), at, thing, fixed, None)

    def _add(self, block: Design, at: Sequence[int], thing: bool, fixed: bool, velocity: Sequence[float] | None) -> None:
        design, edge = self.design, self.design.voxel_size
        place = self.low + np.asarray(at, int)
        first = design.voxels
        taken = int(design.layer("Part").values.max()) + 1
        if "Part" not in design.layer_names():
            design.layer("Part")[:] = 0
        block.layer("Part")[:] = taken
        design.self_collision = True
        design.add(block, at=(int(place[0]), int(place[1]), int(place[2])))
        self.parts += 1
        if thing:
            self.thing = self._center(block) + place
        if fixed:
            self._fix_all(block, np.asarray(at, int))
        if velocity is not None:
            for voxel in range(first, design.voxels):
                design.set_velocity(voxel, linear=tuple(float(v) * edge for v in velocity))

    def fix(self, at: Sequence[int] | NDArray[Any], size: Sequence[int] | NDArray[Any]) -> None:
        """Holds all voxels in place whose centres are in a box: its lowest corner and its size, edges."""
        self.fixed = True
        edge = self.design.voxel_size
        low = (self.low + np.asarray(at)) * edge
        self.design.fix((tuple(low + 0.25 * edge), tuple(low + (np.asarray(size) - 0.25) * edge)), "all")

    def _fix_all(self, block: Design, at: NDArray[np.int64]) -> None:
        """Fixes a block by boxes of layers of one outline, so that nothing beside an outline that changes with height is fixed as well."""
        positions = block.positions.astype(int)
        boxes: list[tuple[NDArray[Any], NDArray[Any]]] = []
        for z in range(positions[:, 2].min(), positions[:, 2].max() + 1):
            layer = positions[positions[:, 2] == z]
            low, high = layer.min(0), layer.max(0) + 1
            if boxes and (boxes[-1][0][:2] == low[:2]).all() and (boxes[-1][1] == [high[0], high[1], z]).all():
                boxes[-1] = boxes[-1][0], high
            else:
                boxes.append((low, high))
        for low, high in boxes:
            self.fix(low + at, high - low)

    @property
    def scale(self) -> float:
        """EvoGym's metres in one of the design: rewards and observations count a voxel's edge as 0.1."""
        return EDGE / self.design.voxel_size
