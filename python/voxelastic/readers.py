# SPDX-License-Identifier: MIT
"""What the program writes about runs and searches, as structured arrays: traces, records, folders of searches. Columns have the names that they have in the files."""
from __future__ import annotations

import csv
import json
import os
import re
import tokenize
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.design import Design
from voxelastic.errors import InvalidInput, SystemFailure, VoxelasticWarning

__all__ = ["SearchTables", "read_record", "read_search", "read_trace"]

MOTION = ("x", "y", "z", "vx", "vy", "vz")
TRACE = ("t", *MOTION, "kinetic_J", "elastic_J", "max_strain")
TRACES = {"body": ("t", "body", *MOTION),  # by the column of what has a row of its own
          "voxel": ("t", "voxel", *MOTION, "qw", "qx", "qy", "qz", "wx", "wy", "wz", "edge_m", "strain_x", "strain_y", "strain_z")}
INDIVIDUALS = ("id", "generation", "parent", "operator", "age", "status", "fitness", "voxels", "actuated", "length_cells", "width_cells", "height_cells", "body_hash")
GENERATIONS = ("generation", "evaluations", "best", "best_fitness", "living", "median_fitness", "failed")
FITNESS = ("fitness", "best_fitness", "median_fitness", "fitness_deviation", "fitness_before", "best_at_half_step")  # their names in a file end with a unit
TEXTS = ("operator", "status")
OF_VOXELS = ("positions", "orientations", "edges", "strains", "stresses", "energies", "contacts")
OF_BODIES = ("places", "deformations")


def read_trace(path: str | os.PathLike[str]) -> NDArray[Any]:
    """Reads the trace that `voxelastic run --trace FILE` writes, .csv or .npy: a structured array with a row for each moment.

    Columns: t (s); x, y, z (m: centre of mass); vx, vy, vz (m/s: its velocity); kinetic_J, elastic_J (J); max_strain (1: the largest of all bonds). A trace of bodies or
    voxels (`--trace-of`) has the shape (moments, bodies or voxels): t; body or voxel, the number; x, y, z, vx, vy, vz; of voxels also qw, qx, qy, qz (unit quaternion),
    wx, wy, wz (rad/s), edge_m (m), strain_x, strain_y, strain_z (along the voxel's own axes)."""
    if os.fsdecode(path).endswith(".npy"):
        return _trace_of_array(path)
    names, lines = _read_table(path, "a trace of a run")
    of = next((name for name in TRACES if name in names), None)
    _expect(path, names, TRACES[of] if of else TRACE, "a trace of a run")
    rows = _columns(path, names, lines, lambda name: "i8" if name == of else "f8")
    if not of or not len(rows):
        return rows
    each = int(np.argmax(rows["t"] != rows["t"][0])) or len(rows)
    if len(rows) % each or not (rows[of].reshape(-1, each) == rows[of][:each]).all():
        raise _refuse(path, len(rows) + 1, f"is not a trace of a run: a moment has other rows than the first, which has {each}")
    return rows.reshape(-1, each)


def _trace_of_array(path: str | os.PathLike[str]) -> NDArray[Any]:
    try:
        with open(path, "rb") as file:
            rows = np.lib.format.read_array(file, allow_pickle=False)
    except OSError as failure:
        raise _cannot_open(path, failure) from None
    except (ValueError, SyntaxError, TypeError, MemoryError, OverflowError, tokenize.TokenError) as error:  # a head may be anything
        raise _refuse(path, 1, f"is not a trace of a run: {error}") from None
    names = rows.dtype.names or ()
    if any(rows.dtype[name] not in (np.float64, np.int64) for name in names):
        raise _refuse(path, 1, "is not a trace of a run: it has columns of other types")
    of = next((name for name in TRACES if name in names), None)
    _expect(path, names, TRACES[of] if of else TRACE, "a trace of a run")
    return rows


def read_record(path: str | os.PathLike[str], fields: Sequence[str] | None = None) -> NDArray[Any]:
    """Reads a record (.vxr): a structured array with a row for each frame, in which each field is an array of its own.

    Fields: time (s), step; of V voxels positions (V, 3) m, orientations (V, 4): unit quaternions w x y z, edges (V,) m, strains (V, 3), stresses (V, 3) Pa, energies (V,)
    J, contacts (V,) N; of B affine bodies places (B, 3) m and deformations (B, 3, 3). So `read_record(path)["positions"]` is (frames, V, 3). fields: names of those
    that are wanted, which saves memory; all without it. Of a record that was cut short there are the frames before the damage, and a warning. Its design stands in
    `Replay.read(path)`."""
    if isinstance(fields, str):
        raise TypeError(f"fields must be a sequence of names, such as ({fields!r},)")
    design, frames, cut = _core.read_record(Design, path)
    if cut:
        warnings.warn(VoxelasticWarning(f"{os.fsdecode(path)}: the end is missing or damaged"), stacklevel=2)
    return frames_as_array(frames, fields)


def frames_as_array(frames: Sequence[_core.Frame], fields: Sequence[str] | None = None) -> NDArray[Any]:
    """A structured array with a row for each frame: see read_record."""
    known = ("time", "step", *OF_VOXELS, *OF_BODIES)
    wrong = [name for name in fields or () if name not in known]
    if wrong:
        raise ValueError(f"fields: no {wrong[0]!r} in a record; there are {', '.join(known)}")
    if not frames:
        raise ValueError("the record has no frames")
    first = frames[0]
    wanted = fields or [name for name in known if name not in OF_BODIES or len(first.places)]
    kinds: list[tuple[Any, ...]] = [(name, {"time": "f8", "step": "u8"}[name]) if name in ("time", "step") else (name, "f8", getattr(first, name).shape) for name in wanted]
    rows = np.empty(len(frames), kinds)
    for name in wanted:
        column = rows[name]
        for k, frame in enumerate(frames):
            column[k] = getattr(frame, name)
    return rows


class SearchTables:
    """What a search has found: the folder of `voxelastic evolve`. It is made by read_search."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(os.fsdecode(folder))
        """Path: the folder"""
        self.experiment: dict[str, Any] = _read_json(self.folder / "config.json", "an experiment")
        """dict: the experiment with all defaults written out, as in config.json"""
        if self.experiment.get("format") != "voxelastic experiment":
            raise _refuse(self.folder / "config.json", 1, 'is not an experiment: its "format" is not "voxelastic experiment"')
        for key in ("algorithm", "encoding", "task"):
            if not isinstance(self.experiment.get(key), dict):
                raise _refuse(self.folder / "config.json", 1, f'is not the experiment of a search: it has no "{key}"')
        self.individuals = _read_search_table(self.folder / "individuals.csv", INDIVIDUALS)
        """structured array with a row for each individual; see read_search"""
        self.generations = _read_search_table(self.folder / "generations.csv", GENERATIONS)
        """structured array with a row for each generation; see read_search"""

    @property
    def fitness(self) -> str:
        """str: the column of individuals that holds the fitness, whose name ends with its unit, such as "fitness_m"."""
        return next(name for name in self._names() if _stem(name) == "fitness")

    def _names(self) -> tuple[str, ...]:
        return self.individuals.dtype.names or ()

    @property
    def champion(self) -> Design:
        """Design: the best so far. A run plays it to the fitness in the table, unless the experiment evaluates several copies."""
        return Design.read(self.folder / "best/champion.json")

    def designs(self, which: str = "archive") -> dict[int, Design]:
        """{id: Design} of "archive", all that live on, which there is at the end of a search; or of "best", the champions before the present one."""
        if which not in ("archive", "best"):
            raise ValueError(f'which must be "archive" or "best", not {which!r}')
        paths = sorted(path for path in (self.folder / which).glob("*.json") if path.stem.isdigit())
        return {int(path.stem): Design.read(path) for path in paths}

    def elites(self) -> NDArray[Any]:
        """The map of a search of bodies: (first_bins, second_bins), a structured array with the best individual of each pair of bins: id (0 where there is none), fitness
        (NaN there). Its axes are `descriptors`, each from 0 to 1."""
        settings = self.experiment["algorithm"]
        bins = (int(settings["first_bins"]), int(settings["second_bins"]))
        first, second = self.descriptors
        cells = np.zeros(bins, [("id", "u8"), ("fitness", "f8")])
        cells["fitness"] = np.nan
        rows = self.individuals[np.isfinite(self.individuals[self.fitness]) & (self.individuals["voxels"] > 0)]
        at = tuple(np.minimum((self._describe(rows, name) * n).astype(int), n - 1) for name, n in zip((first, second), bins))
        order = np.lexsort((rows["id"], rows[self.fitness]))  # the best is put last and stays; of equal ones the youngest, as in a search by map-elites
        cells["id"][at[0][order], at[1][order]] = rows["id"][order]
        cells["fitness"][at[0][order], at[1][order]] = rows[self.fitness][order]
        return cells

    @property
    def descriptors(self) -> tuple[str, str]:
        """(str, str): names of the two descriptors of the map. "voxels" is a part of the cells of the box, "actuated" a part of the voxels, "length", "width" and
        "height" are parts of those of the box."""
        if self.experiment["encoding"]["name"] == "controller":
            raise ValueError(f"{self.folder}: controllers are searched, so that all bodies are of one kind")
        settings = self.experiment["algorithm"]
        return settings["first_descriptor"], settings["second_descriptor"]

    def _describe(self, rows: NDArray[Any], name: str) -> NDArray[np.float64]:
        """(rows,) 0 to 1: a descriptor of individuals."""
        length, width, height = self.experiment["size"]
        voxels = rows["voxels"].astype(float)
        parts: dict[str, Callable[[], Any]] = {
            "voxels": lambda: voxels / (length * width * height), "actuated": lambda: rows["actuated"] / voxels, "length": lambda: rows["length_cells"] / length,
            "width": lambda: rows["width_cells"] / width, "height": lambda: rows["height_cells"] / height}
        described: NDArray[np.float64] = parts[name]()
        return described

    def __repr__(self) -> str:
        return f"<voxelastic.SearchTables {str(self.folder)!r}: {len(self.individuals)} individuals, {len(self.generations)} generations>"


def read_search(folder: str | os.PathLike[str]) -> SearchTables:
    """Reads the folder that `voxelastic evolve` writes, of a search that is over or still runs: experiment (dict), individuals and generations (structured arrays),
    and, when they are asked for, champion, designs() and elites().

    Columns of individuals: id; generation; parent (0: none); operator; age (generations); status; fitness (by the task; NaN where status is not "done"); voxels;
    actuated; length_cells, width_cells, height_cells (cells); body_hash (uint64); fitness_deviation, where the experiment evaluates copies;
    fitness_before and learning_runs, where individuals learn. Of generations: generation; evaluations; best (id of the champion; 0: none); best_fitness; living;
    median_fitness; failed; archive_cells (0 without an archive); best_at_half_step (NaN where it was not run). Names of columns that hold a fitness end with its
    unit, such as fitness_m: `fitness` of the SearchTables is that of the individuals."""
    return SearchTables(folder)


def _refuse(path: str | os.PathLike[str], line: int, what: str) -> InvalidInput:
    """The exception for a file that is wrong, as the library words it."""
    error = InvalidInput(f"{os.fsdecode(path)}:{line}: {what}")
    error.status, error.file, error.line = "invalid", os.fsdecode(path), line
    return error


def _cannot_open(path: str | os.PathLike[str], failure: OSError) -> SystemFailure:
    error = SystemFailure(f"{os.fsdecode(path)}: cannot open: {failure.strerror}")
    error.status, error.file = "system", os.fsdecode(path)
    return error


def _read_text(path: str | os.PathLike[str], what: str) -> str:
    try:
        return Path(os.fsdecode(path)).read_bytes().decode()
    except UnicodeDecodeError:
        raise _refuse(path, 1, f"is not {what}: it is no text") from None
    except OSError as failure:
        raise _cannot_open(path, failure) from None


def _read_json(path: Path, what: str) -> dict[str, Any]:
    try:
        value = json.loads(_read_text(path, what))
    except json.JSONDecodeError as error:
        raise _refuse(path, error.lineno, f"is not {what}: {error.msg}") from None
    if not isinstance(value, dict):
        raise _refuse(path, 1, f"is not {what}")
    return value


def _stem(name: str) -> str:
    """The name of a column without the unit of a fitness."""
    return next((stem for stem in sorted(FITNESS, key=len, reverse=True) if name == stem or name.startswith(stem + "_")), name)


def _read_table(path: str | os.PathLike[str], what: str, grows: bool = False) -> tuple[list[str], list[list[str]]]:
    """Names of columns, and the cells of each row as text. grows: a row that has no end yet is left out with a warning; else it is an error."""
    text = _read_text(path, what)
    lines = text.split("\n")
    rest = lines.pop()
    if not lines:
        raise _refuse(path, 1, f"is not {what}: " + ("its first line has no end" if rest else "it is empty"))
    if rest and not grows:
        raise _refuse(path, len(lines) + 1, "the last row is cut short")
    if rest:
        warnings.warn(VoxelasticWarning(f"{os.fsdecode(path)}:{len(lines) + 1}: the last row is cut short, and left out"), stacklevel=5)
    names, *rows = csv.reader(lines)
    for k, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise _refuse(path, k, f"a row of {len(row)} cells; there are {len(names)} columns")
    return names, rows


def _expect(path: str | os.PathLike[str], names: Sequence[str], wanted: Sequence[str], what: str) -> None:
    """Refuses a table that lacks columns, or has two of one name."""
    stems = [_stem(name) for name in names]
    missing = [name for name in wanted if name not in stems]
    if missing:
        raise _refuse(path, 1, f"is not {what}: it has no column {missing[0]}")
    if len(set(names)) < len(names):
        raise _refuse(path, 1, f"is not {what}: two columns have one name")


def _columns(path: str | os.PathLike[str], names: Sequence[str], rows: list[list[str]], kind_of: Callable[[str], str]) -> NDArray[Any]:
    """A structured array of cells; kind_of a name: "f8", "i8", "u8" (an id), "x8" (hexadecimal) or "U"."""
    columns = dict(zip(names, zip(*rows))) if rows else {name: () for name in names}
    arrays = {name: _column(path, name, cells, kind_of(name)) for name, cells in columns.items()}
    table = np.empty(len(rows), [(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        table[name] = array
    return table


PARSERS: dict[str, tuple[str, str, Callable[[str], Any]]] = {
    # an empty cell of numbers is NaN, of whole numbers 0; Python would read 1_0 as 10
    "f8": ("a number", r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|nan|[-+]?inf|", lambda cell: float(cell or "nan")),
    "i8": ("a whole number", r"-?\d{1,18}|", lambda cell: int(cell or 0)),
    "u8": ("a whole number of 0 or more", r"\d{1,18}|", lambda cell: int(cell or 0)),
    "x8": ("16 hexadecimal digits", r"[0-9a-f]{1,16}", lambda cell: int(cell, 16)),
}


def _column(path: str | os.PathLike[str], name: str, cells: Sequence[str], kind: str) -> NDArray[Any]:
    if kind == "U":
        return np.array(cells or [""], str)[:len(cells)]
    what, pattern, parse = PARSERS[kind]
    fits = re.compile(pattern, re.ASCII).fullmatch
    for k, cell in enumerate(cells, 2):
        if not fits(cell):
            raise _refuse(path, k, f'column {name} holds "{cell[:40]}": expected {what}')
    return np.array([parse(cell) for cell in cells], "u8" if kind == "x8" else kind)


def _read_search_table(path: Path, wanted: Sequence[str]) -> NDArray[Any]:
    names, rows = _read_table(path, "a table of a search", grows=True)
    _expect(path, names, wanted, "a table of a search")
    kinds = dict.fromkeys(FITNESS, "f8") | dict.fromkeys(TEXTS, "U") | dict.fromkeys(("id", "parent", "best"), "u8") | {"body_hash": "x8", "learning_runs": "f8"}
    return _columns(path, names, rows, lambda name: kinds.get(_stem(name), "i8"))
