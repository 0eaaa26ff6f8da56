# SPDX-License-Identifier: MIT
"""Gradients: what a number of a run changes with each number of its design."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic import _core

__all__ = ["Gradient", "speed_along"]

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]
Numbers = NDArray[np.uint32]
Objective = Callable[[int, Floats, Floats, Floats], tuple[float, ArrayLike | None, ArrayLike | None]]
Act = Callable[[Numbers, Numbers, Rows], ArrayLike]
Back = Callable[[Numbers, Numbers, Rows, Floats], ArrayLike | None]


class Gradient(_core.Gradient):
    """How a number that is told of a run changes with the numbers of its design, exactly, by one run and its reverse. Robots run side by side in lanes, and have the same bits
    in whatever company and for any number of threads. As many as a vector has lanes take as long as one: 16 with AVX-512, 8 with AVX2, in double precision half as many.

    step_seconds: s, of every robot. steps: of every robot. by: what gradients are by, a name or a sequence of names; None: "amplitude", "phase", "load" and "start", which
    cost next to nothing. `Gradient.names` has all; those of materials ("stiffness", "density", "friction", "bond_damping", "floor_damping") make a gradient cost five to six runs
    instead of four to five, whichever are asked for. sample_every: steps between samples of its motion; 0: at the start and the end alone. forget: s in which adjoints
    fall by e, so that the gradient looks back so far; 0: never. Then ask for velocities and not for places. threads: 0 stands for all processors that this process may use.
    Other choices: those of World.

    `add` takes designs, `run` asks an objective, `by` gives gradients, and `put` gives a robot other numbers for the next run. One thread at a time may use a gradient."""

    __slots__ = ()

    def __new__(cls, *, step_seconds: float, steps: int, by: str | Sequence[str] | None = None, sample_every: int = 0, forget: float = 0, threads: int = 0,
                **choices: Any) -> Self:
        if by is not None:
            choices["by"] = by
        return super().__new__(cls, step_seconds=step_seconds, steps=steps, sample_every=sample_every, forget=forget, threads=threads, **choices)

    def run(self, objective: Objective) -> Floats:
        """Runs all robots from their starts and backwards, and returns what the objective said, (robots,) float64; NaN of a robot without a gradient: `value` raises why.

        objective: a function of a robot's number, the times of its samples (samples,) s, its centre of mass (samples, 3) m and the velocity of that (samples, 3) m/s, copies
        all. It returns the number that the run is judged by, what that changes with each number of the centre, and of the velocity: arrays (samples, 3), or None for zeros.
        It is called for each robot that got to its end, one after another, on this thread. An exception in it, and Ctrl-C, end the run; then no robot has a value until
        the next one."""
        if not callable(objective):
            raise TypeError(f"the objective must be a function, not {objective!r}")

        def ask(robot: int, time: Floats, center: Floats, velocity: Floats) -> tuple[Any, Floats | None, Floats | None]:
            answer: Any = objective(robot, time, center, velocity)
            if not isinstance(answer, (tuple, list)) or len(answer) != 3:
                raise TypeError(f"the objective must return (value, by_center, by_velocity), not {answer!r}")
            return answer[0], _numbers("by_center", answer[1]), _numbers("by_velocity", answer[2])
        return self.run_objective(ask)

    def set_policy(self, act: Act | None, back: Back | None) -> None:
        """Gives the next runs a policy of your own, which makes what controllers put out in place of their networks; None and None: networks again. The network of a design
        says then how many numbers are sensed and put out, as `Controller(sensors, (inputs, outputs), zeros, ...)`, and its weights have zero gradients.

        act: a function of the numbers of robots whose ticks come together (robots,), the numbers of their ticks from 0 (robots,) and what they sense (robots, inputs) float32.
        It returns outputs (robots, outputs) from -1 to 1; beyond counts as these. back: on the way back, from the last tick to the first, a function of the same rows and
        of what the numbers of the runs change with these outputs (robots, outputs) float64: 0 at -1, 1 and beyond, and of a robot that has diverged since. Robots that do not
        run side by side, in one vector, or whose controllers differ in these numbers are asked for apart: find what you kept of a tick by `robots[0], ticks[0]`. It returns
        what they change with what was sensed (robots, inputs), or None for zeros, and may add up what they change with parameters of its own. Both are called on this thread,
        on which robots then run. An exception in one ends the run. What is no finite number leaves that robot without a gradient: `value` raises why."""
        if not callable(act) or not callable(back):
            self.put_policy(act, back)  # raises but of None and None
            return

        def outputs(robots: Numbers, ticks: Numbers, sensed: Rows) -> Rows:
            given = _numbers("outputs", act(robots, ticks, sensed))
            if given is None:
                raise TypeError("outputs: expected an array of numbers, not None")
            return given.astype(np.float32)

        def by_sensed(robots: Numbers, ticks: Numbers, sensed: Rows, by_outputs: Floats) -> Floats | None:
            return _numbers("by_sensed", back(robots, ticks, sensed, by_outputs))
        self.put_policy(outputs, by_sensed)

    def put(self, robot: int, by: str, values: ArrayLike) -> None:
        """Gives a robot other numbers for its next run, of the shape and the units of its gradient: "amplitude", "phase", "frequency", "stiffness", "density" or "weights", whether
        gradients are by them or not. Of the others a design has no layer: Unsupported. Numbers that a design may not have are refused, and the robot keeps those from before."""
        numbers = _numbers(by, values)
        if numbers is None:
            raise TypeError(f"{by}: expected an array of numbers, not None")
        self.put_numbers(robot, by, numbers)

    def __repr__(self) -> str:
        return "<voxelastic.Gradient, closed>" if self.closed else f"<voxelastic.Gradient of {len(self)} robots>"


def speed_along(direction: Sequence[float] = (1, 0, 0)) -> Objective:
    """An objective for Gradient.run: the mean speed along a direction, m/s, as the mean of the velocities of all samples but the first. Take samples many times in a period
    of the gait (sample_every)."""
    along = np.asarray(direction, float)
    length = float(np.linalg.norm(along))
    if along.shape != (3,) or not 0 < length < np.inf:
        raise ValueError(f"direction: expected three numbers that are not all 0, not {direction!r}")
    along = along / length

    def speed(robot: int, time: Floats, center: Floats, velocity: Floats) -> tuple[float, None, Floats]:
        weights = np.zeros_like(velocity)
        weights[1:] = along / (len(velocity) - 1)
        return float((weights * velocity).sum()), None, weights
    return speed


def _numbers(name: str, values: ArrayLike | None) -> Floats | None:
    """An array of float64 in C order."""
    if values is None:
        return None
    given = np.asarray(values)
    if given.dtype.kind not in "iufb":
        raise TypeError(f"{name}: expected an array of numbers, not {given.dtype} of shape {given.shape}")
    return np.asarray(given, np.float64, order="C")
