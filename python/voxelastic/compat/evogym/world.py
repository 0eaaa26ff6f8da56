# SPDX-License-Identifier: MIT
"""EvoGym's worlds: objects of cells on a grid, from its files or from arrays. Nothing is simulated here; EvoSim does that."""
from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic.compat.evogym.utils import VOXEL_TYPES, Pair, get_full_connectivity

__all__ = ["EvoWorld", "WorldObject"]

LETTERS = ".RSHVF"  # empty, rigid, soft, horizontal and vertical actuator, fixed
Path = str | os.PathLike[str]
Cells = NDArray[Any]


class WorldObject:
    """A body of cells that are bonded as `neighbors` says.

    name: str. pos: Pair, the grid's cell of its lower left corner. grid_size: Pair, columns and rows. grid: (rows, columns) numbers of VOXEL_TYPES, the lowest row
    first. voxels: Pairs, its cells that are not empty, from its corner. neighbors: {Pair: [Pair, ...]}, of each of them those that it is bonded to."""

    def __init__(self) -> None:
        self.name, self.pos, self.grid_size = "", Pair(0, 0), Pair(0, 0)
        self.voxels: list[Pair] = []
        self.grid: Cells = np.zeros((0, 0))
        self.neighbors: dict[Pair, list[Pair]] = {}

    @classmethod
    def from_json(cls, file_path: Path) -> WorldObject:
        """The only object of an EvoGym world in JSON."""
        objects = list(EvoWorld.from_json(file_path).objects.values())
        if len(objects) != 1:
            raise ValueError(f"{os.fspath(file_path)}: expected one object, found {len(objects)}")
        return objects[0]

    def load_from_json(self, file_path: Path) -> None:
        """Becomes the only object of an EvoGym world in JSON."""
        vars(self).update(vars(WorldObject.from_json(file_path)))

    @classmethod
    def from_array(cls, name: str, structure: ArrayLike, connections: ArrayLike | None = None) -> WorldObject:
        """An object from an array; see EvoWorld.add_from_array."""
        made = cls()
        made.load_from_array(name, structure, connections)
        return made

    def load_from_array(self, name: str, structure: ArrayLike, connections: ArrayLike | None = None) -> None:
        """Becomes the object of an array; see EvoWorld.add_from_array."""
        structure = _cells(structure, f"object {name!r}: structure")
        pairs = get_full_connectivity(structure) if connections is None else np.asarray(connections)
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ValueError(f"object {name!r}: connections: expected shape (2, k), not {pairs.shape}")
        self._set(name, Pair(0, 0), np.flipud(structure))
        rows, columns = structure.shape
        for a, b in pairs.T.astype(int):
            ends = [Pair(int(end) % columns, rows - 1 - int(end) // columns) for end in (a, b)]
            if not all(0 <= end < structure.size and structure.flat[end] for end in (a, b)) or abs(ends[0].x - ends[1].x) + abs(ends[0].y - ends[1].y) != 1:
                raise ValueError(f"object {name!r}: connections: cells {a} and {b} are not two neighbours that are there")
            for one, other in (ends, ends[::-1]):
                if other not in self.neighbors[one]:
                    self.neighbors[one].append(other)

    def load_from_parsed_json(self, name: str, json_data: dict[str, Any], grid_size: Pair) -> None:
        """Becomes an object of a world in JSON that was read already. grid_size: of that world."""
        indices, types, neighbors = (json_data.get(key) or () for key in ("indices", "types", "neighbors"))
        if not len(indices) == len(types) == len(neighbors) > 0:
            raise ValueError(f"object {name!r}: expected indices, types and neighbors, as many of each and at least one")
        places = {int(index): Pair(int(index) % grid_size.x, int(index) // grid_size.x) for index in indices}
        low, high = (Pair(act(at.x for at in places.values()), act(at.y for at in places.values())) for act in (min, max))
        grid = np.zeros((high.y - low.y + 1, high.x - low.x + 1), int)
        for index, kind in zip(places, types):
            at = places[index] - low
            grid[at.y, at.x] = kind
        self._set(name, low, _cells(grid, f"object {name!r}: types"))
        for index, at in places.items():
            for other in neighbors.get(str(index), ()):
                if other not in places:
                    raise ValueError(f"object {name!r}: cell {index} has the neighbour {other}, which is not of the object")
                self.neighbors[at - low].append(places[other] - low)

    def _set(self, name: str, pos: Pair, grid: Cells) -> None:
        """Sets all but the neighbours."""
        self.name, self.pos, self.grid, self.grid_size = name, pos, grid, Pair(grid.shape[1], grid.shape[0])
        self.voxels = [Pair(int(x), int(y)) for y, x in np.argwhere(grid != VOXEL_TYPES["EMPTY"])]
        self.neighbors = {voxel: [] for voxel in self.voxels}

    def translate(self, dx: int, dy: int) -> None:
        """Moves it by so many cells. One that is in a world is moved by the world."""
        self.set_pos(self.pos.x + dx, self.pos.y + dy)

    def set_pos(self, x: int, y: int) -> None:
        """Moves its lower left corner to a cell of the grid."""
        if x < 0 or y < 0:
            raise ValueError(f"object {self.name!r}: its corner can not be at ({x}, {y}): the grid begins at (0, 0)")
        self.pos = Pair(x, y)

    def get_structure(self) -> Cells:
        """(rows, columns): its cells, the highest row first."""
        return np.flipud(self.grid)

    def get_connections(self) -> NDArray[np.int64]:
        """(2, k): all pairs of bonded cells in both orders, by their indices in the flattened structure."""
        rows, columns = self.grid.shape
        pairs = [[(rows - 1 - at.y) * columns + at.x for at in (one, other)] for one, others in self.neighbors.items() for other in others]
        return np.array(pairs, np.int64).reshape(-1, 2).T

    def get_pos(self) -> tuple[int, int]:
        """(x, y) of its lower left corner."""
        return self.pos.x, self.pos.y

    def rename(self, name: str) -> None:
        """Gives it another name."""
        self.name = name

    def get_name(self) -> str:
        """Its name."""
        return self.name

    def copy(self) -> WorldObject:
        """An equal object of its own."""
        other = WorldObject()
        other._set(self.name, self.pos.copy(), self.grid.copy())
        other.neighbors = {voxel.copy(): [beside.copy() for beside in others] for voxel, others in self.neighbors.items()}
        return other

    __copy__ = copy

    def __repr__(self) -> str:
        return f"<WorldObject {self.name!r} of {self.grid_size.x} x {self.grid_size.y} cells at {self.pos}>"


class EvoWorld:
    """Objects on a grid of cells.

    grid: (rows, columns) numbers of VOXEL_TYPES, the lowest row first; it grows with its objects. grid_size: Pair, columns and rows. objects: {name: WorldObject}."""

    def __init__(self) -> None:
        self.grid: Cells = np.zeros((1, 1), int)
        self.grid_size = Pair(1, 1)
        self.objects: dict[str, WorldObject] = {}

    @classmethod
    def from_json(cls, file_path: Path) -> EvoWorld:
        """A world from a file of EvoGym's design tool."""
        made = cls()
        made.add_from_json(file_path)
        return made

    def add_from_json(self, file_path: Path) -> None:
        """Adds all objects of a file of EvoGym's design tool."""
        with open(file_path, encoding="utf-8") as file:
            given = json.load(file)
        try:
            size = Pair(given["grid_width"], given["grid_height"])
            objects = given["objects"].items()
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{os.fspath(file_path)}: no world of EvoGym, with grid_width, grid_height and objects: {error!r}") from None
        for name, data in objects:
            made = WorldObject()
            made.load_from_parsed_json(name, data, size)
            self.add_object(made)

    def add_from_array(self, name: str, structure: ArrayLike, x: int, y: int, connections: ArrayLike | None = None) -> None:
        """Adds an object.

        structure: (rows, columns) numbers of VOXEL_TYPES, the highest row first. x, y: the grid's cell of its lower left corner, from 0. connections: (2, k) pairs of
        bonded cells, by their indices in the flattened structure; None: all that touch by their sides."""
        made = WorldObject.from_array(name, structure, connections)
        made.set_pos(x, y)
        self.add_object(made)

    def add_object(self, obj: WorldObject) -> None:
        """Adds an object at its place."""
        if obj.name in self.objects:
            raise ValueError(f"there is an object {obj.name!r} already")
        right, top = obj.pos.x + obj.grid_size.x, obj.pos.y + obj.grid_size.y
        grown = np.zeros((max(top, self.grid_size.y), max(right, self.grid_size.x)), int)
        grown[:self.grid_size.y, :self.grid_size.x] = self.grid
        window = grown[obj.pos.y:top, obj.pos.x:right]
        if ((window != 0) & (obj.grid != 0)).any():
            raise ValueError(f"object {obj.name!r} at {obj.pos} would overlap with what is there")
        window += obj.grid.astype(int)
        self.grid, self.grid_size = grown, Pair(grown.shape[1], grown.shape[0])
        self.objects[obj.name] = obj

    def _find(self, name: str) -> WorldObject:
        if name not in self.objects:
            raise ValueError(f"no object {name!r}; there are {', '.join(self.objects) or 'none'}")
        return self.objects[name]

    def remove_object(self, obj_name: str) -> WorldObject:
        """Takes an object away, and returns it."""
        removed = self._find(obj_name)
        window = self.grid[removed.pos.y:removed.pos.y + removed.grid_size.y, removed.pos.x:removed.pos.x + removed.grid_size.x]
        window[removed.grid != 0] = 0
        return self.objects.pop(obj_name)

    def translate_object(self, obj_name: str, dx: int, dy: int) -> None:
        """Moves an object by so many cells; where it would overlap with another it stays, and that is an error."""
        at = self._find(obj_name).pos
        self.move_object(obj_name, at.x + dx, at.y + dy)

    def move_object(self, obj_name: str, x: int, y: int) -> None:
        """Moves the lower left corner of an object to a cell; where it would overlap with another it stays, and that is an error."""
        before = self._find(obj_name).pos
        moved = self.remove_object(obj_name)
        try:
            moved.set_pos(x, y)
            self.add_object(moved)
        except ValueError:
            moved.pos = before
            self.add_object(moved)
            raise

    def pretty_print(self, voxels_per_line: int = 50) -> None:
        """Writes the world to standard output, a letter for each cell: R rigid, S soft, H and V actuators, F fixed."""
        for start in range(0, self.grid_size.x, voxels_per_line):
            part = self.grid[:, start:start + voxels_per_line]
            for y in range(self.grid_size.y - 1, -1, -1):
                sys.stdout.write(f"\n{y % 10} | " + " ".join(LETTERS[int(cell)] for cell in part[y]))
            columns = range(start, start + part.shape[1])
            sys.stdout.write("\n   -" + "--" * len(columns) + "\n    " + " ".join(str(x % 10) for x in columns) + "\n")

    def to_json(self) -> dict[str, Any]:
        """The world as EvoGym's design tool writes it, for json.dump; Design.read reads it, too."""
        width = self.grid_size.x
        objects = {}
        for obj in self.objects.values():
            def index(at: Pair, corner: Pair = obj.pos) -> int:
                return (corner.y + at.y) * width + corner.x + at.x
            objects[obj.name] = {"indices": [index(at) for at in obj.voxels], "types": [int(obj.grid[at.y, at.x]) for at in obj.voxels],
                             "neighbors": {str(index(at)): [index(beside) for beside in obj.neighbors[at]] for at in obj.voxels}}
        return {"grid_width": width, "grid_height": self.grid_size.y, "objects": objects}


def _cells(structure: Any, what: str) -> Cells:
    """(rows, columns) whole numbers of VOXEL_TYPES."""
    cells = np.asarray(structure)
    if cells.ndim != 2 or not cells.size or cells.dtype.kind not in "iufb" or not np.isin(cells, list(VOXEL_TYPES.values())).all():
        raise ValueError(f"{what}: expected (rows, columns) of the numbers 0 to {len(VOXEL_TYPES) - 1}, not {cells.dtype} of shape {cells.shape}")
    return cells
