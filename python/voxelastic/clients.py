# SPDX-License-Identifier: MIT
"""Batches on other machines: designs are cut into pieces, which workers of a client of dask.distributed, of mpi4py.futures or of concurrent.futures evaluate."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.design import Design
from voxelastic.errors import InvalidInput, SystemFailure, Unsupported

__all__ = ["evaluate_by"]

PIECE = 32  # designs, where the number of workers is not known; a batch fills the lanes of the processor with robots that are alike
PIECES_A_WORKER = 4  # so that none waits long for the last one


def evaluate_by(client: Any, designs: Sequence[_core.Design], piece: int | None, choices: dict[str, Any]) -> NDArray[Any]:
    """What evaluate returns, computed by the workers of a client. piece: designs that go to a worker at once. choices: those of evaluate."""
    threads = sum(client.nthreads().values()) if hasattr(client, "nthreads") else 0  # dask.distributed runs so many pieces at once
    if piece is None:
        piece = max(1, min(PIECE, -(-len(designs) // (PIECES_A_WORKER * threads)))) if threads else PIECE
    if not piece >= 1:
        raise ValueError(f"piece must be 1 or more, not {piece!r}")
    workers = client.get_executor(pure=False) if hasattr(client, "get_executor") else client
    if not callable(getattr(workers, "map", None)):
        raise TypeError(f"client: expected a Client of dask.distributed or an executor, such as MPIPoolExecutor or ProcessPoolExecutor, not {client!r}")
    texts, stays = _write(designs)
    travels = [robot for robot in range(len(designs)) if robot not in stays]
    pieces = [travels[at:at + piece] for at in range(0, len(travels), piece)]
    refused = evaluate_here([designs[robot] for robot in sorted(stays)], choices)  # and choices that are wrong, before anything is sent
    run = functools.partial(evaluate_piece, choices=choices, version=_core.__version__)
    try:
        parts = list(workers.map(run, [[texts[robot] for robot in robots] for robots in pieces]))
    except BrokenExecutor as failure:
        raise _lost(failure) from failure
    except Exception as failure:
        if type(failure).__name__ == "KilledWorker":  # of dask.distributed, which need not be installed
            raise _lost(failure) from failure
        raise
    return _join([*pieces, sorted(stays)], [*parts, refused])


def _write(designs: Sequence[_core.Design]) -> tuple[list[str], set[int]]:
    """Designs as scenes, which hold all their bits; and which ones can not be written, because they are wrong: these are refused here."""
    texts, stays = [], set()
    for robot, design in enumerate(designs):
        try:
            texts.append(design.text())
        except InvalidInput:
            texts.append("")
            stays.add(robot)
    return texts, stays


def evaluate_here(designs: Sequence[_core.Design], choices: dict[str, Any]) -> NDArray[Any]:
    """What evaluate returns, computed by this process."""
    from voxelastic.batch import evaluate
    return evaluate(designs, **choices)


def evaluate_piece(texts: Sequence[str], choices: dict[str, Any], version: str) -> NDArray[Any]:
    """What a worker does: evaluates scenes."""
    if version != _core.__version__:
        raise Unsupported(f"this worker has Voxelastic {_core.__version__}, and the program that called it {version}: their results may differ")
    return evaluate_here([Design.read_text(text, "design of a client") for text in texts], choices)


def _lost(failure: Exception) -> SystemFailure:
    """The exception for a worker that is gone."""
    error = SystemFailure(f"a worker died while it evaluated designs ({type(failure).__name__}: {failure}). It was killed, ran out of memory, or could not start: a program "
                          "that starts processes by itself needs the line: if __name__ == \"__main__\":")
    error.status = "system"
    return error


def _join(robots: Sequence[Sequence[int]], parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """One array of several, whose rows are those of robots. A part in which nobody got anywhere has no paths: they are NaN."""
    kind = max((part.dtype for part in parts), key=lambda dtype: len(dtype.names or ()))
    rows = np.zeros(sum(map(len, parts)), kind)
    if "path" in (kind.names or ()):
        rows["path"] = np.nan
    for at, part in zip(robots, parts):
        for name in part.dtype.names or ():
            rows[name][list(at)] = part[name]
    return rows
