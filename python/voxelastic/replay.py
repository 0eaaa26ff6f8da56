# SPDX-License-Identifier: MIT
"""Runs that are kept frame by frame, to be looked at."""
from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from voxelastic import _core, notebook
from voxelastic.design import Design
from voxelastic.errors import Diverged, VoxelasticWarning

__all__ = ["Replay", "record"]

PICTURES = (".png", ".svg")


class Replay:
    """A run: its design, its frames, and how it ended. It is made by record and by Replay.read."""

    def __init__(self, design: Design, frames: Iterable[_core.Frame] = (), failure: Diverged | None = None) -> None:
        self.design = design
        """Design: what was run, a copy"""
        self.frames = list(frames)
        """[Frame, ...] in the order of their times"""
        self.failure = failure
        """Diverged: why the run ended early, or None"""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Replay:
        """Reads a record (.vxr). Of one that was cut short there are the frames before the damage, and a warning."""
        design, frames, cut = _core.read_record(Design, path)
        if cut:
            warnings.warn(VoxelasticWarning(f"{os.fspath(path)}: the end is missing or damaged"), stacklevel=2)
        return cls(design, frames)

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, index: int) -> _core.Frame:
        return self.frames[index]

    def __repr__(self) -> str:
        end = f", 0 to {self.frames[-1].time:g} s" if self.frames else ""
        return f"<voxelastic.Replay of {self.design.name or 'a design'}: {len(self)} frames{end}>"

    def save(self, path: str | os.PathLike[str], *, panels: int = 4, **choices: Any) -> None:
        """Writes the run. path ends in .html (a page that replays it in any browser, without a network), .vxr (a record), .pvd (ParaView), .glb (animated glTF) or
        .history (voxcraft's viewer); or in .png or .svg: a picture of `panels` frames at equal distances, the first and the last among them, with choices of
        pictures: width, height (pixels of each panel), coloring ("material", "strain", "phase", "contact", "energy"), range, azimuth, elevation, middle and reach (m: what is in the middle, and
        half the height that is shown), edges, caption."""
        if not self.frames:
            raise ValueError("the replay has no frames")
        if os.fsdecode(path).lower().endswith(PICTURES):
            _core.picture(self.design, self._spread(panels), path, **choices)
            return
        if choices:
            raise TypeError(f"only pictures have choices: {', '.join(choices)}")
        with _core.Recorder(self.design, path) as recorder:
            for frame in self.frames:
                recorder.add(frame)
            if self.failure:
                recorder.note(self.failure.status or "failed")

    def show(self, *, rate: float = 30, frames: int = 300, height: int = 420, alone: bool = False) -> notebook.Shown:
        """What a notebook shows of the replay as the last value of a cell, with other choices: the page that save writes, in a frame of the notebook.

        rate: frames for each simulated second, at most. frames: of all, at most; both keep notebooks small, and leave frames out at equal distances. height: pixels.
        alone: whether the page brings its library, of 0.9 MB, itself. Otherwise the first replay of a notebook brings it for all, which needs a front end that has all
        outputs in one document, as Jupyter's do, or a page that is made of the notebook."""
        if not (0 < rate < 1e300 and frames >= 1):
            raise ValueError(f"rate (frames per s) must be above 0 and frames 1 or more, not {rate!r} and {frames!r}")
        return notebook.Shown(notebook.page_of(self._thinned(rate, frames), height, alone))

    def _repr_html_(self) -> str | None:
        return self.show()._repr_html_() if self.frames else None

    def _thinned(self, rate: float, frames: int) -> Replay:
        """A replay of some of the frames: the first and the last, and between them at most `rate` in a simulated second and `frames` in all."""
        last = len(self.frames) - 1
        span = self.frames[-1].time - self.frames[0].time if self.frames else 0
        count = min(last + 1, frames, int(span * rate * (1 + 1e-9)) + 2)
        if count > last:
            return self
        return Replay(self.design, self._spread(count), self.failure)

    def _spread(self, panels: int) -> tuple[_core.Frame, ...]:
        """So many frames at equal distances."""
        last = len(self.frames) - 1
        count = min(panels, last + 1)
        if count < 1:
            raise ValueError(f"panels must be 1 or more, not {panels!r}")
        return tuple(self.frames[round(i * last / (count - 1)) if count > 1 else last] for i in range(count))


def record(design: Design, duration: float | None = None, *, rate: float = 30, **choices: Any) -> Replay:
    """Runs a design and keeps its frames: `record(design, duration=5).save("walk.html")`.

    duration: s; without it as the design says, by its stop rule or its number of periods. rate: frames for each simulated second. choices: those of World. A run that
    diverges ends there, with a warning and the exception in `failure`."""
    duration = _duration(design) if duration is None else duration
    if not (0 < duration < 1e300 and 0 < rate < 1e300):
        raise ValueError(f"duration (s) and rate (frames per s) must be above 0, not {duration!r} and {rate!r}")
    design = design.copy()
    replay = Replay(design)
    with _core.World(design, **choices) as world:
        try:
            for k in range(int(duration * rate * (1 + 1e-9)) + 1):
                world.advance(until=k / rate)
                replay.frames.append(_core.Frame(world))
            if world.time < duration - 1e-6 * world.facts.time_step:
                world.advance(until=duration)
                replay.frames.append(_core.Frame(world))
        except Diverged as failure:
            replay.failure = failure
            warnings.warn(VoxelasticWarning(str(failure)), stacklevel=2)
    return replay


def _duration(design: Design) -> float:
    """How long a design runs by itself, s."""
    stop, period = design.stop, design.actuation.period
    duration = stop.duration or stop.periods * period
    if not duration > 0:
        raise ValueError("the design has no stop rule: give a duration (s)")
    return duration
