# SPDX-License-Identifier: MIT
"""Scores of a robot as evosoro and its relatives have them: the numbers of the result file of the drop-in program voxelyze, to its six digits."""
from __future__ import annotations

import math
import os
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.design import Design
from voxelastic.errors import Diverged, InvalidInput, VoxelasticWarning

__all__ = ["Score", "score"]

Score = dict[str, float]
Floats = NDArray[np.float64]
OBSTACLE, NEEDLE = 4, 6  # indices of materials that the tags give a meaning
MAX_STEPS = 10 ** 15
WORST = 1e7  # what drivers give to robots that were not run: no robot may score it
MOVED = ("NormFinalDist", "NormRegimeDist", "FinalDist", "finalDistY", "normAbsoluteDisplacement", "normDistX", "normDistY", "normDistZ", "AnteriorDist", "PosteriorDist",
         "AnteriorY", "PosteriorY", "EndOfLifePosteriorY", "FoundNeedleInHaystack", "PushDist", "BlockPos", "RobotVolumeEnd", "ConvexHullVolumeEnd")

# evosoro's own palette, which its users did not choose
warnings.filterwarnings("ignore", 'material "Passive_Soft" has 1e\\+06 kg/m', VoxelasticWarning, r"voxelastic\.compat\.evosoro_score")


class _Task:
    """What a VXA asks of a run besides the design."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        self._simulator, self._environment = root.find("Simulator"), root.find("Environment")
        self.stop_value, self.afterlife = (self._number(self._simulator, f"StopCondition/{tag}") for tag in ("StopConditionValue", "AfterlifeTime"))
        self.by_volume, self.traces, self.needle = (self._flag(tag) for tag in ("NormDistByVol", "SaveTraces", "NeedleInHaystack"))
        self.exponent = self._number(self._environment, "NormalizationExponent", 1)
        self.trace_interval = self._number(self._environment, "TimeBetweenTraces")
        self.block = int(self._number(self._environment, "BlockMaterial")) if self._flag("BlockPushing") else 0

    @staticmethod
    def _number(where: Any, path: str, fallback: float = 0) -> float:
        text = where.findtext(path)
        return fallback if text is None or not text.strip() else float(text)

    def _flag(self, tag: str) -> bool:
        text = (self._environment.findtext(tag) or "0").strip()
        return text == "true" or (text != "false" and float(text) != 0)


def score(text: str, conventions: str | None = None) -> Score:
    """Scores of a robot, {tag: number}; text: of a VXA. See evaluate_all for conventions."""
    design, task = Design.read_text(text, "individual"), _Task(text)
    conventions = conventions or os.environ.get("VOXELASTIC_PEER") or ("land-water" if design.fluid.enabled else "evosoro")
    with _core.World(design, conventions=conventions) as world:
        life = _Life(design, world, task, conventions == "evosoro")
        try:
            life.run()
        except Diverged:
            life.diverged = True
            life.tags.update({tag: 0.0 for tag in MOVED}, VoxelNumber=design.voxels, Lifetime=world.time, Diverged=1.0)
    return {tag: _printed(value) for tag, value in life.tags.items()}


def _printed(value: float) -> float:
    """A number as it comes out of a result file."""
    number = float(f"{value if math.isfinite(value) else 0:.6g}")
    return math.copysign(1.00001e7, number) if abs(number) == WORST else number


def _step_past(time: float, time_step: float) -> int:
    """The first step past a time (s)."""
    return math.floor(time / time_step) + 1


class _Life:
    """A run from its start to its scores."""

    def __init__(self, design: Design, world: _core.World, task: _Task, has_afterlife: bool) -> None:
        self.design, self.world, self.task, self.diverged = design, world, task, False
        self.tags: Score = dict.fromkeys(("NormFinalDist", "NormRegimeDist", "NormFrozenDist", "FinalDist", "finalDistY", "normAbsoluteDisplacement", "normDistX", "normDistY",
                                          "normDistZ", "AnteriorDist", "PosteriorDist", "AnteriorY", "PosteriorY", "EndOfLifePosteriorY", "FallAdjPostY",
                                          "NumNonFeetTouchingFloor", "NumTouchingFloor", "Lifetime", "FoundNeedleInHaystack", "PushDist", "BlockPos", "VoxelNumber",
                                          "RobotVolumeStart", "ConvexHullVolumeStart", "RobotVolumeEnd", "ConvexHullVolumeEnd"), 0.0)
        self.material = design.material
        self.afterlife = task.afterlife if has_afterlife else 0.0
        step = world.facts.time_step
        self.start = _step_past(design.stop.settle_time, step)
        self.end = max(self._last_step(0 if has_afterlife else task.afterlife), self.start)
        self.end_of_life = _step_past(task.stop_value, step) if self.afterlife > 0 else 0
        steps = math.ceil(task.trace_interval / step - 1e-9)
        self.between = max(1, steps) if task.by_volume else 0
        self.samples: list[tuple[float, float]] = []  # y of the centre (m), volume (voxels)

    def _last_step(self, without: float) -> int:
        """The first step past the end that the stop rule sets; without: s, of it that this preset does not live."""
        stop, time_step = self.design.stop, self.world.facts.time_step
        period = self.design.actuation.period
        time, steps = math.inf, math.inf
        if stop.duration > 0:
            time = max(stop.duration - without, sys.float_info.min)
        else:
            time = stop.periods * period if stop.periods > 0 and period > 0 else math.inf
            steps = stop.steps + 1 if stop.steps > 0 else math.inf
        last = min(_step_past(time, time_step) if time < math.inf else math.inf, steps)
        if last > MAX_STEPS:
            raise InvalidInput("no stop condition ends this run: it would run for ever")
        return int(last)

    def run(self) -> None:
        due = {self.start, self.end} | ({self.end_of_life} if 0 < self.end_of_life < self.end else set())
        now = 0
        while now < self.end:
            next_sample = self.start + ((now - self.start) // self.between + 1) * self.between if self.between and now >= self.start else self.end
            next_step = min([step for step in due if step > now] + [next_sample])
            self.world.advance(next_step - now)
            now = next_step
            if now == self.start:
                self._begin()
            if self.between and now >= self.start and (now - self.start) % self.between == 0:
                self.samples.append((self.world.center[1], self._volume()))
            if now == self.end_of_life:
                self.tags["EndOfLifePosteriorY"] = self._extent_y()[0]
        self._finish()

    def _places(self) -> Floats:
        """(voxels, 3) m: in the frame of the file."""
        return self.world.positions() - self.design.file_origin

    def _volume(self) -> float:
        """Voxels."""
        return float(((self.world.sense("edge") / self.design.voxel_size) ** 3).sum())

    def _hull(self) -> float:
        """Voxels."""
        return self.world.hull_volume() / self.design.voxel_size ** 3

    def _extent_y(self) -> tuple[float, float]:
        """The smallest and the largest y of a voxel that is no obstacle, edges; infinite without any."""
        y = self._places()[self.material != OBSTACLE, 1] / self.design.voxel_size
        return float(np.min(y, initial=math.inf)), float(np.max(y, initial=-math.inf))

    def _needle(self) -> Floats | None:
        """(3,) m: the last voxel of the needle's material."""
        needles = np.flatnonzero(self.material == NEEDLE)
        return self._places()[needles[-1]] if len(needles) else None

    def _begin(self) -> None:
        self.center, self.needle = self.world.center, self._needle()
        self.tags.update(RobotVolumeStart=self._volume(), ConvexHullVolumeStart=self._hull())

    def _finish(self) -> None:
        edge, task = self.design.voxel_size, self.task
        moved = (self.world.center - self.center) / edge
        far = math.hypot(moved[0], moved[1])
        away = np.hypot(*((self.world.positions() - self.center)[:, :2] / edge).T)
        low, high = self._extent_y()
        block = np.maximum(self._places()[self.material + 1 == task.block].sum(1), 0)
        now = self._needle()
        push = math.hypot(*(now - self.needle)[:2]) / edge if task.needle and now is not None and self.needle is not None else 0.0
        self.tags.update(NormFinalDist=self._by_volume() if task.by_volume else far, NormRegimeDist=float(away.min()), FinalDist=far, finalDistY=moved[1],
                         normAbsoluteDisplacement=math.hypot(far, moved[2]), normDistX=moved[0], normDistY=moved[1], normDistZ=moved[2], AnteriorDist=float(away.max()),
                         PosteriorDist=float(away.min()), AnteriorY=high, PosteriorY=low, NumTouchingFloor=int((self.world.sense("floor") > 0).sum()),
                         Lifetime=self.world.time - self.afterlife, FoundNeedleInHaystack=float(push > 0), PushDist=push,
                         BlockPos=float(np.sqrt(block).mean()) if len(block) else 0.0, VoxelNumber=self.design.voxels, RobotVolumeEnd=self._volume(),
                         ConvexHullVolumeEnd=self._hull())

    def _by_volume(self) -> float:
        """The way along y, edges, each part of it divided by the mean volume then, to a power."""
        return sum((b - a) / self.design.voxel_size / (0.5 * (before + after)) ** self.task.exponent
                   for (a, before), (b, after) in zip(self.samples, self.samples[1:]))
