# SPDX-License-Identifier: MIT
"""Robots in closed loop."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic import _core
from voxelastic.control import count_weights

__all__ = ["Team"]


class Team(_core.Team):
    """Robots in closed loop: arrays in, arrays out. In a tick every robot gets targets, factors on the edges of its groups of voxels (layer Group), moves on by an
    interval of time, and is observed. Robots run side by side in lanes where that is faster, and have the same bits either way, whatever their neighbours.

    designs: a Design for each robot; one Design may stand for several. They can not be changed until the team is closed. interval: s, of a tick. targets: the smallest
    and the largest one; time steps are planned for them. observe: names of sensors, whose numbers stand one behind another in each row; `sensors` says where. settle: s
    at targets of 1 before the start, to which resets lead. threads: 0 stands for all processors that this process may use. schedule: "auto", "lanes" or "alone". Other
    choices: those of World.

    Sensors (G groups, P parts, V voxels: the most that a robot of the team has; numbers that a robot lacks are 0): center (3) m, velocity (3) m/s, spin (3) rad/s,
    up (3) and heading (3), the directions of the voxels' own z and x axes, clock (3): s since the start, sine and cosine of the actuation's phase; targets (G),
    group_place (G, 3) m from the centre, group_velocity (G, 3) m/s less that of the robot, group_edge (G) in edges of the lattice, group_strain (G, 3), group_load (G) N,
    group_touch (G), the part of its voxels that touch something; voxel_place (V, 3) m from the centre and voxel_velocity (V, 3) m/s less that of the robot;
    floor_ahead (11) m: the floor's height less that of the centre, 5 edges behind to 5 ahead in x; part_center (P, 3) m, part_velocity (P, 3) m/s, part_up (P, 3),
    part_heading (P, 3) of the parts that bonds connect.

    A robot that diverges has a status other than 0, stands still until it is reset, and does not affect the others. One thread at a time may use a team."""

    __slots__ = {"sensors": "{name: slice} of what is observed: obs[:, sensors[\"velocity\"]] is (robots, 3)"}
    sensors: dict[str, slice]

    def __new__(cls, designs: Iterable[_core.Design], interval: float = 1 / 60, targets: Sequence[float] = (0.6, 1.6),
                observe: Sequence[str] = ("velocity", "up", "group_place"), settle: float = 0, threads: int = 0, schedule: str = "auto", **choices: Any) -> Self:
        if isinstance(observe, str):
            raise TypeError(f"observe must be a sequence of names, such as ({observe!r},)")
        least, most = targets
        team = super().__new__(cls, tuple(designs), tuple(observe), interval=interval, min_target=least, max_target=most, settle=settle, threads=threads,
                               schedule=schedule, **choices)
        widths, team.sensors, at = team.sensor_widths(), {}, 0
        for name in observe:
            team.sensors[name] = slice(at, at + widths[name])
            at += widths[name]
        return team

    def reset(self, mask: ArrayLike | None = None, shift: ArrayLike | None = None, turn: ArrayLike | None = None, push: ArrayLike | None = None) -> NDArray[np.float32]:
        """Leads robots back to their start, and returns obs. mask: (robots,) bool, those that are reset; all without one. shift (m), turn (rad, a rotation vector about
        the centre of mass, shorter than 1) and push (m/s, added to the velocity of free voxels): (robots, 3), or (3,) for all; how they start otherwise."""
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != np.bool_ or mask.shape != (len(self),):
                raise ValueError(f"mask: expected an array of bool and shape ({len(self)},), not {mask.dtype} of shape {mask.shape}")
            mask = np.ascontiguousarray(mask)
        return self.reset_robots(mask, self._each("shift", shift), self._each("turn", turn), self._each("push", push))

    def networks(self, weights: ArrayLike | None, hidden: Sequence[int] = (), activation: str = "tanh") -> None:
        """Gives each robot a network of its own, which makes its targets from obs in ticks without targets: step(None), run(ticks). weights: (robots, n) float32, n =
        network_weights(hidden), in the order of Controller; None takes the networks away. hidden: widths of hidden layers. Outputs of -1 to 1 become targets from the
        smallest to the largest."""
        if weights is not None:
            weights = np.ascontiguousarray(weights, np.float32)
        self.put_networks(self.layers_of(hidden), weights, activation)

    def layers_of(self, hidden: Sequence[int] = ()) -> tuple[int, ...]:
        """(int, ...): width of each layer of a network of this team: what is observed, hidden layers, groups."""
        facts = self.facts
        return (facts.width, *hidden, facts.groups)

    def network_weights(self, hidden: Sequence[int] = ()) -> int:
        """int: how many weights each robot has; see networks."""
        return count_weights(self.layers_of(hidden))

    def _each(self, name: str, vectors: ArrayLike | None) -> NDArray[np.float64] | None:
        """(robots, 3) float64 of vectors for each robot, or of one for all."""
        if vectors is None:
            return None
        given = np.asarray(vectors, float)
        if given.shape not in ((3,), (len(self), 3)):
            raise ValueError(f"{name}: expected shape ({len(self)}, 3) or (3,), not {given.shape}")
        return np.ascontiguousarray(np.broadcast_to(given, (len(self), 3)))

    @property
    def hashes(self) -> NDArray[np.uint64]:
        """(robots,) uint64: hash of each robot's state."""
        return np.array([self.hash(robot) for robot in range(len(self))], np.uint64)

    def __repr__(self) -> str:
        if self.closed:
            return "<voxelastic.Team, closed>"
        facts = self.facts
        return f"<voxelastic.Team of {facts.robots} robots, {facts.robots_in_lanes} in lanes, {facts.groups} groups, {facts.interval:g} s a tick>"
