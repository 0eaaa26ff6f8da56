# SPDX-License-Identifier: MIT
"""Many designs at once."""
from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.clients import evaluate_by

__all__ = ["Batch", "Status", "evaluate", "WAITING", "DONE", "DIVERGED", "REFUSED", "UNPHYSICAL"]


class Status(enum.IntEnum):
    """What became of a robot."""

    WAITING = 0
    """it has not run, or was stopped before its end"""
    DONE = 1
    """it is at its end"""
    DIVERGED = 2
    """a bond left its bounds, or a number is not finite"""
    REFUSED = 3
    """its design can not run; message says why"""
    UNPHYSICAL = 4
    """its energy rose by more than was put in"""


WAITING, DONE, DIVERGED, REFUSED, UNPHYSICAL = Status.WAITING, Status.DONE, Status.DIVERGED, Status.REFUSED, Status.UNPHYSICAL

COLUMNS: list[tuple[Any, ...]] = [("status", "u1"), ("message", object), ("displacement", "f8"), ("speed", "f8"), ("body_lengths_per_second", "f8"), ("fitness", "f8"), ("x", "f8"), ("y", "f8"),
           ("z", "f8"), ("time", "f8"), ("time_step", "f8"), ("steps", "u8"), ("start_time", "f8"), ("voxels", "u4"), ("bonds", "u8"), ("mass", "f8"), ("retries", "u4"),
           ("in_lanes", "?"), ("conventions", object), ("hash", "u8")]
NAN = float("nan")


class Batch(_core.Batch):
    __doc__ = _core.Batch.__doc__
    __slots__ = ()

    def results(self) -> NDArray[Any]:
        """A structured array with a row for each robot; see evaluate."""
        samples = next((path.shape for path in map(self.path, range(len(self))) if path is not None), None)
        rows = np.zeros(len(self), np.dtype(COLUMNS + ([("path", "f8", samples)] if samples else [])))
        for robot in range(len(self)):
            rows[robot] = self._row(robot, samples)
        return rows

    def _row(self, robot: int, samples: tuple[int, ...] | None) -> tuple[Any, ...]:
        r = self.result(robot)
        done = r.status == Status.DONE
        way, (x, y, z) = (r.displacement, r.center) if done else (NAN, (NAN, NAN, NAN))
        took = r.time - r.start_time
        row = (r.status, r.message, way, way / took if took > 0 else 0 * way, r.body_lengths_per_second if done else NAN, r.fitness if done else NAN, x, y, z, r.time,
               r.time_step, r.steps, r.start_time, r.voxels, r.bonds, r.mass, r.retries, r.in_lanes, r.conventions, r.hash)
        if not samples:
            return row
        path = self.path(robot)
        return (*row, NAN if path is None else path)


def evaluate(designs: Iterable[_core.Design], duration: float | None = None, steps: int | None = None, *, threads: int | None = None, retries: int = 0,
             conventions: str = "auto", schedule: str = "auto", samples: int = 0, progress: Callable[[_core.Progress], bool | None] | None = None, client: Any = None,
             piece: int | None = None, **choices: Any) -> NDArray[Any]:
    """Simulates designs side by side, and returns a structured array with a row for each, in their order.

    designs: Designs. duration: s, or steps; without either as each design says. threads: 0 stands for all processors that this process may use, which is the default, but
    for a client, where it is 1; results have the same bits for any number. retries: how often a robot that diverges is run again, each time with half the step. conventions: "auto", what each design says of itself, or
    the rules of a simulator, such as "native". schedule: "auto", "lanes" or "alone". samples: of each robot's path, a column (samples + 1, 3) of places at equal times.
    progress: a function that is called with a Progress now and then; where it returns False the batch stops. client: a Client of dask.distributed, or an executor, such as MPIPoolExecutor
    of mpi4py.futures or ProcessPoolExecutor, whose workers evaluate the designs, on other machines too; piece: designs that go to a worker at once. Other choices: those of
    World.

    Columns: status (see Status), message; displacement (m, horizontal, since the end of settling), speed (m/s, of it), body_lengths_per_second, fitness (by the design's
    formula; NaN without one), x, y, z (m: centre of mass at the end), all of them NaN unless status is DONE; time (s), time_step (s), steps, start_time (s: end of
    settling), voxels, bonds, mass (kg), retries, in_lanes, conventions, hash (of the state). What befalls one robot leaves the others alone."""
    for name, value in (("duration", duration), ("steps", steps)):
        if value is not None and not value > 0:
            raise ValueError(f"{name} must be above 0, not {value!r}")
    if client is None and piece is not None:
        raise TypeError("piece is of a client, and there is none")
    if client is not None:
        if progress:
            raise TypeError("progress is not told by workers of a client: watch them by its own means")
        designs = list(designs)
        given = dict(choices, duration=duration, steps=steps, threads=1 if threads is None else threads, retries=retries, conventions=conventions, schedule=schedule, samples=samples)
        if designs:
            return evaluate_by(client, designs, piece, given)
    with Batch(duration=duration or 0, steps=steps or 0, threads=threads or 0, retries=retries, conventions=conventions, schedule=schedule, samples=samples, **choices) as batch:
        for design in designs:
            batch.add(design)
        batch.run(progress)
        return batch.results()
