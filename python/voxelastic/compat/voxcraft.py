# SPDX-License-Identifier: MIT
"""voxcraft-evo's way to its simulator: write_vxd, read_vxd and remove_vxd, with the arguments that they have there.

    from voxelastic.compat.voxcraft import write_vxd, read_vxd, remove_vxd

Files are the same; what reads them is in this process, by the rules of the compatibility preset "voxcraft", as under the name voxcraft-sim."""
from __future__ import annotations

import hashlib
import math
import multiprocessing
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from voxelastic import _core
from voxelastic.batch import Batch, Status
from voxelastic.design import Design
from voxelastic.errors import Error, VoxelasticWarning

__all__ = ["write_vxd", "read_vxd", "remove_vxd"]

MAX_STEPS = 1_000_000  # no run of voxcraft-sim is longer
CENTERS = tuple(f"{which}CenterOfMass/{axis}" for which in ("initial", "current") for axis in "xyz")
WAYS = "total_distance_of_all_voxels"
TAGS = ("fitness_score", "currentTime", "num_voxel", "num_measured_voxel", "voxSize", WAYS, *CENTERS)


class _Outcome:
    """Numbers of a robot by their tags in the report, and what is to be told of it. run: its design, conventions and steps, where it came to its end."""

    def __init__(self, numbers: dict[str, float], message: str = "", run: tuple[Design, str, int] | None = None) -> None:
        self.numbers, self.message, self.run = numbers, message, run

    def number(self, tag: str) -> float:
        """The number of a tag. The way of all voxels is found when it is first asked for, by a second run."""
        if tag == WAYS and tag not in self.numbers:
            self.numbers[tag] = _ways(*self.run) if self.run else 0.0
        return self.numbers[tag]


def _ways(design: Design, conventions: str, steps: int) -> float:
    """m: how far the measured voxels have come since the reference time, summed."""
    measured = ~np.array([material.unmeasured for material in design.materials])[design.material]
    with _core.World(design, conventions=conventions) as world:
        start = max(design.stop.reference_time, design.stop.settle_time)
        if 0 < start <= steps * world.facts.time_step:
            world.advance(until=start)
        starts = world.positions()
        world.advance(steps - world.steps)
        return float(np.linalg.norm(world.positions() - starts, axis=1)[measured].sum())


_known: dict[Path, tuple[bytes, _Outcome]] = {}  # of each file: a hash of it and of its base, and what came of it


def _folder(name: str) -> Path:
    """The folder of a run: data_NAME. Published scripts make data_run0 and let their robots ask for run_0, so data_run0 is taken where there is no data_run_0."""
    for folder in (f"data_{name}", f"data_{name}".replace("_", ""), f"data_{str(name).replace('_', '')}"):
        if os.path.isdir(folder):
            return Path(folder)
    raise FileNotFoundError(f"no folder data_{name}, where robots and base.vxa should be")


def _path(data_folder_name: str, robot_id: int) -> Path:
    return _folder(data_folder_name) / f"bot_{int(robot_id):04d}.vxd"


def write_vxd(phenotype: Any, data_folder_name: str, robot_id: int) -> None:
    """Writes a robot, data_FOLDER/bot_ID.vxd.

    phenotype: genotype.orig_size_xyz is the size (x, y, z) of its body; get_phenotype() gives pairs of a layer's name and details, whose "state" is an array of that
    size. The layer material holds numbers of the base's materials, 0 for empty, at most 9; any other has the name of the layer, such as PhaseOffset. A genotype, whose
    layers are in to_phenotype_mapping, will do as well. As in voxcraft-evo, numbers go to the file in the order in which the array has them in memory (C order)."""
    genotype = getattr(phenotype, "genotype", phenotype)
    x, y, z = (int(n) for n in genotype.orig_size_xyz)
    layers = phenotype.get_phenotype() if hasattr(phenotype, "get_phenotype") else genotype.to_phenotype_mapping.items()
    lines = [f'<VXD><Structure replace="VXA.VXC.Structure" Compression="ASCII_READABLE"><X_Voxels>{x}</X_Voxels><Y_Voxels>{y}</Y_Voxels><Z_Voxels>{z}</Z_Voxels>']
    for name, details in layers:
        lines.append(_layer(name, np.asarray(details["state"]), (z, x * y)))
    path = _path(data_folder_name, robot_id)
    part = path.with_name(f".{path.name}.{os.getpid()}")  # other processes may read the folder at any time
    part.write_text("".join(lines) + "</Structure></VXD>")
    part.replace(path)


def _layer(name: str, state: Any, shape: tuple[int, int]) -> str:
    """A layer as XML."""
    if state.size != shape[0] * shape[1]:
        raise ValueError(f"layer {name!r}: expected {shape[0] * shape[1]} numbers, as many as orig_size_xyz has cells, not an array of shape {state.shape}")
    rows = [[str(number) for number in row] for row in state.reshape(shape).tolist()]
    tag, gap = (name, ", ") if name != "material" else ("Data", "")
    if tag == "Data":
        rows = [[str(int(number)) for number in row] for row in state.reshape(shape)]
        wrong = [number for row in rows for number in row if len(number) != 1]
        if wrong:
            raise ValueError(f"layer {name!r}: a material is one digit in a .vxd, 0 to 9, not {wrong[0]}")
    return f"<{tag}>" + "".join(f"<Layer><![CDATA[{''.join(number + gap for number in row)}]]></Layer>" for row in rows) + f"</{tag}>"


def remove_vxd(data_folder_name: str, robot_id: int) -> None:
    """Removes a robot's file, and forgets what came of it."""
    path = _path(data_folder_name, robot_id)
    path.unlink()
    _known.pop(path.absolute(), None)


def read_vxd(data_folder_name: str, robot_id: int, fitness_tag: str = "fitness_score") -> float:
    """What came of a robot: a number of voxcraft-sim's report, by its tag.

    The first call simulates all robots of the folder that are not known yet, side by side, and later calls read what is kept until a file changes. In a process of
    multiprocessing, which has others beside it that do the same, it simulates the one robot alone.

    fitness_tag: fitness_score, by the base's FitnessFunction; currentTime (s), num_voxel, num_measured_voxel, voxSize (m), total_distance_of_all_voxels (m);
    initialCenterOfMass/x, currentCenterOfMass/x (m), and y and z. A robot that burst or could not be read has the fitness 0, as in the report, and a warning says why."""
    path = _path(data_folder_name, robot_id)
    base = path.with_name("base.vxa")
    if fitness_tag not in TAGS:
        raise ValueError(f"no tag {fitness_tag!r}; there are {', '.join(TAGS)}")
    for needed in (base, path):
        if not needed.is_file():
            raise FileNotFoundError(f"no file {needed}")
    alone = multiprocessing.parent_process() is not None
    paths = [path] if alone else sorted(other for other in path.parent.glob("*.vxd") if other == path or not other.name.startswith("."))
    _simulate(base, paths, 1 if alone else 0)
    outcome = _known[path.absolute()][1]
    if outcome.message:
        warnings.warn(VoxelasticWarning(f"{path}: {outcome.message}"), stacklevel=2)
    return outcome.number(fitness_tag)


def _simulate(base: Path, paths: Iterable[Path], threads: int) -> None:
    """Simulates those robots whose files have changed since they were last simulated."""
    conventions = os.environ.get("VOXELASTIC_PEER") or "voxcraft"
    ground = hashlib.sha256(conventions.encode() + base.read_bytes()).digest()
    runs: list[tuple[Path, bytes, Design]] = []
    with Batch(conventions=conventions, threads=threads) as batch:
        for path in paths:
            try:
                digest = ground + hashlib.sha256(path.read_bytes()).digest()
            except FileNotFoundError:
                continue  # another process has removed it
            if _known.get(path.absolute(), (b"",))[0] == digest:
                continue
            try:
                design = Design.read(path, lenient=True)
                _set_end(design, conventions)
            except Error as error:
                _known[path.absolute()] = digest, _Outcome(dict.fromkeys(TAGS, 0.0), str(error))
                continue
            batch.add(design)
            runs.append((path, digest, design))
        batch.run()
        for (path, digest, design), result in zip(runs, map(batch.result, range(len(runs)))):
            _known[path.absolute()] = digest, _read(design, result, conventions)


def _set_end(design: Design, conventions: str) -> None:
    """Sets the end of a run, which is the first step past the time that the file says, and at most 10^6 steps."""
    with _core.World(design, conventions=conventions) as world:
        step = world.facts.time_step
    last = math.floor(design.stop.duration / step) + 1 if design.stop.duration > 0 else MAX_STEPS
    design.stop(duration=0, periods=0, steps=min(last, MAX_STEPS))


def _read(design: Design, result: _core.RobotResult, conventions: str) -> _Outcome:
    """What came of a robot of a batch."""
    unmeasured = np.array([material.unmeasured for material in design.materials])[design.material]
    numbers = {"currentTime": result.time, "num_voxel": float(design.voxels), "num_measured_voxel": float((~unmeasured).sum()), "voxSize": design.voxel_size}
    if result.status != Status.DONE:
        return _Outcome({**dict.fromkeys(TAGS, 0.0), **numbers}, result.message)
    places = np.array([result.start_center, result.center]) - design.file_origin
    numbers.update(zip(CENTERS, places.ravel().tolist()))
    told = "" if "fitness" in design.formulas else "the base has no FitnessFunction: fitness is 0"
    return _Outcome({"fitness_score": 0.0 if told else result.fitness, **numbers}, told, (design, conventions, result.steps))
