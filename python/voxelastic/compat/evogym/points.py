# SPDX-License-Identifier: MIT
"""Corners of cells as EvoGym's point masses: which corners are one point, in which order points come, and where they are in a frame."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.compat.evogym.world import WorldObject
from voxelastic.design import Design

__all__ = ["Points"]

# Corners of a cell, x to the right and y up, in the order in which EvoGym makes points of them: left above, right above, left below, right below.
CORNERS = ((0, 1), (1, 1), (0, 0), (1, 0))
Floats = NDArray[np.float64]
Cell = tuple[int, int]


class Points:
    """Points of a design that was made of EvoGym's objects, depth cells deep, or flat where depth is None.

    Cells that are bonded share corners, so that there are as many points as in EvoGym, and in its order: object by object, and in each of them row by row from the top.
    Behind the points of the front plane come those of the other planes, for each object."""

    def __init__(self, design: Design, objects: list["WorldObject"], depth: int | None) -> None:
        self.edge = design.voxel_size
        self.slices: dict[str, slice] = {}
        part = {(int(x), int(z)): int(number) for (x, y, z), number in zip(design.positions, design.layer("Part").values) if y == 0}
        planes = 1 if depth is None else depth + 1
        corner: dict[Cell, list[int]] = {}
        sizes: dict[Cell, int] = {}
        self.count = 0
        for obj in objects:
            number = _number(obj, part)
            own = 1 + max(max(points) for points in number.values())
            corner.update({cell: [self.count + point for point in points] for cell, points in number.items()})
            sizes.update(dict.fromkeys(number, own))
            self.slices[obj.name] = slice(self.count, self.count + own * planes)
            self.count += own * planes
        cells = [(int(x), int(z)) for x, _, z in design.positions]
        front = np.array([corner[cell] for cell in cells])  # (voxels, 4)
        offset = np.array([(x - 0.5, 0, y - 0.5) for x, y in CORNERS])
        if depth is None:
            self._index, self._offset, self._rows = front, offset, [0, 2]
        else:
            plane = design.positions[:, 1, None] * np.array([sizes[cell] for cell in cells])[:, None]
            behind = front + plane + np.array([sizes[cell] for cell in cells])[:, None]
            self._index = np.concatenate([front + plane, behind], axis=1)
            self._offset = np.concatenate([offset + (0, -0.5, 0), offset + (0, 0.5, 0)])
            self._rows = [0, 1, 2]
        self._shared = np.bincount(self._index.ravel(), minlength=self.count)

    def places(self, frame: _core.Frame) -> Floats:
        """(2, points) x and y, or (3, points) x, depth and y: places in voxel edges. A point is in the middle of the corners that it stands for."""
        edges = frame.edges[:, None, None] * self._offset  # (voxels, corners, 3)
        corners = frame.positions[:, None] + _turn(frame.orientations, edges)
        return np.array([np.bincount(self._index.ravel(), corners[..., c].ravel(), self.count) for c in self._rows]) / self._shared / self.edge


def _number(obj: WorldObject, part: dict[Cell, int]) -> dict[Cell, list[int]]:
    """Of each cell (x, y) of the grid that an object has: the numbers of its four points, from 0."""
    rows, columns = obj.grid.shape
    cells = [(obj.pos.x + x, obj.pos.y + y) for y in range(rows - 1, -1, -1) for x in range(columns) if obj.grid[y, x]]
    number: dict[Cell, list[int]] = {cell: [-1] * 4 for cell in cells}
    count = 0
    for cell in cells:
        for k, (dx, dy) in enumerate(CORNERS):
            if number[cell][k] < 0:
                at = cell[0] + dx, cell[1] + dy
                for x, y in _around(cell, at, part, number):
                    number[x, y][CORNERS.index((at[0] - x, at[1] - y))] = count
                count += 1
    return number


def _around(cell: Cell, at: Cell, part: dict[Cell, int], number: dict[Cell, Any]) -> set[Cell]:
    """Those of the four cells around a corner of the grid that share it with a cell: one can go from one to the other by sides of bonded cells."""
    found, ahead = {cell}, [cell]
    while ahead:
        x, y = ahead.pop()
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            near = 0 <= at[0] - other[0] <= 1 and 0 <= at[1] - other[1] <= 1
            if near and other not in found and other in number and part[other] == part[cell]:
                found.add(other)
                ahead.append(other)
    return found


def _turn(turns: Floats, vectors: Floats) -> Floats:
    """Vectors (voxels, n, 3), turned by quaternions (voxels, 4), w x y z."""
    w, axis = turns[:, None, :1], turns[:, None, 1:]
    across = 2 * np.cross(axis, vectors)
    turned: Floats = vectors + w * across + np.cross(axis, across)
    return turned
