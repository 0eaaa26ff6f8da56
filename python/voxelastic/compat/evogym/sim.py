# SPDX-License-Identifier: MIT
"""EvoGym's simulation of a world, by a Team of one robot."""
from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic import _core
from voxelastic.envs.bodies import VOXEL_SIZE, palette
from voxelastic.compat.evogym.points import Points
from voxelastic.compat.evogym.utils import ACTUATORS, has_actuator
from voxelastic.compat.evogym.world import EvoWorld, WorldObject
from voxelastic.design import Design
from voxelastic.team import Team

__all__ = ["EvoSim"]

LEAST, MOST = 0.6, 1.6  # actions
Floats = NDArray[np.float64]


class EvoSim:
    """A world in motion. Lengths are voxel edges, x to the right and y up; arrays (2, n) are of the corners of cells, EvoGym's point masses, n of them. One step is
    1/60 s, a frame.

    world: EvoWorld. depth: cells; None: the world is flat, and moves in its plane; else it is so many cells deep and moves in space: arrays are (3, n), of x, depth and y.
    interval: s of a step. rate: by how much an actuator, which follows its action, can change in a step, of its edge. Other choices: those of Team."""

    VOXEL_SIZE = VOXEL_SIZE

    def __init__(self, world: EvoWorld, depth: int | None = None, *, interval: float = 1 / 60, rate: float = 0.1, **choices: Any) -> None:
        if depth is not None and depth < 1:
            raise ValueError(f"depth must be None or 1 or more, not {depth!r}")
        if not rate > 0:
            raise ValueError(f"rate must be above 0, not {rate!r}")
        if not world.objects:
            raise ValueError("the world has no objects")
        objects = sorted((obj.copy() for obj in world.objects.values()), key=lambda obj: (not has_actuator(obj.grid), obj.name))
        design = _make_design(world, depth)
        self.interval, self.rate, self.depth = interval, rate, depth or 1
        self.team = Team([design], interval, (LEAST, MOST), ("center",), **choices)
        """Team: of this one world; it may be looked at"""
        self._points = Points(design, objects, depth)
        self._indices = {obj.name: np.flatnonzero(np.isin(obj.get_structure(), ACTUATORS)) for obj in objects if has_actuator(obj.grid)}
        self._groups = {obj.name: _groups_of(design, obj) for obj in objects if has_actuator(obj.grid)}
        self._targets = np.ones((1, self.team.facts.groups), np.float32)
        self._actions = self._targets.copy()
        self._places: list[Any] = [self._points.places(self.frame())]

    def step(self) -> bool:
        """Goes on by a step. Returns whether the simulation is unstable, and can not go on; its time stands still then, until it is reset."""
        self._targets += np.clip(self._actions - self._targets, -self.rate, self.rate).astype(np.float32)
        self.team.step(np.clip(self._targets, LEAST, MOST, dtype=np.float32))
        if self.team.status[0]:
            return True
        self._places.append(self._points.places(self.frame()))
        return False

    def reset(self) -> None:
        """Leads the world back to time 0."""
        self.team.reset()
        self._targets[:] = self._actions[:] = 1
        del self._places[1:]

    def frame(self) -> _core.Frame:
        """Frame: the present state, for a Recorder or a Replay of `team.design(0)`."""
        return self.team.frame(0)

    def get_time(self) -> int:
        """Steps since time 0."""
        return len(self._places) - 1

    def _robot(self, robot_name: str) -> str:
        if robot_name not in self._indices:
            raise ValueError(f"no robot {robot_name!r}; there are {', '.join(self._indices) or 'none'}")
        return robot_name

    def get_actuator_indices(self, robot_name: str) -> NDArray[np.int64]:
        """(n,): where a robot's actuators are in its flattened structure, the highest row first; actions are in this order."""
        return self._indices[self._robot(robot_name)].copy()

    def get_dim_action_space(self, robot_name: str) -> int:
        """How many actuators a robot has."""
        return len(self._indices[self._robot(robot_name)])

    def set_action(self, robot_name: str, action: ArrayLike) -> None:
        """Sets what the actuators of a robot are led to from now on: (n,) factors on their edges, 0.6 to 1.6. They swell in all directions."""
        groups = self._groups[self._robot(robot_name)]
        given = np.asarray(action, float).ravel()
        if len(given) != len(groups):
            raise ValueError(f"robot {robot_name!r} has {len(groups)} actuators, the action {len(given)} values")
        if not ((given >= LEAST - 1e-6) & (given <= MOST + 1e-6)).all():
            raise ValueError(f"robot {robot_name!r}: actions are {LEAST} to {MOST}, not {given[~((given >= LEAST) & (given <= MOST))][0]:g}")
        self._actions[0, groups] = given

    def _at(self, time: int) -> int:
        if isinstance(time, bool) or not isinstance(time, (int, np.integer)):
            raise TypeError(f"time: expected a whole number of steps, not {time!r}")
        if not 0 <= time <= self.get_time():
            raise ValueError(f"time: expected 0 to {self.get_time()}, not {time}")
        return int(time)

    def _object(self, object_name: str) -> slice:
        if object_name not in self._points.slices:
            raise ValueError(f"no object {object_name!r}; there are {', '.join(self._points.slices)}")
        return self._points.slices[object_name]

    def pos_at_time(self, time: int) -> Floats:
        """(2, n): places of all points at a time of the past or now; robots first, then other objects, each sorted by name."""
        return self._places[self._at(time)].copy()

    def vel_at_time(self, time: int) -> Floats:
        """(2, n): velocities of all points in the step before a time, edges a second; 0 at time 0."""
        after = self._at(time)
        return (self._places[after] - self._places[max(after - 1, 0)]) / self.interval

    def object_pos_at_time(self, time: int, object_name: str) -> Floats:
        """(2, n): places of an object's points."""
        return self.pos_at_time(time)[:, self._object(object_name)]

    def object_vel_at_time(self, time: int, object_name: str) -> Floats:
        """(2, n): velocities of an object's points, edges a second."""
        return self.vel_at_time(time)[:, self._object(object_name)]

    def object_orientation_at_time(self, time: int, object_name: str) -> float:
        """rad, 0 to 2 pi: by how much an object is turned against time 0, counter-clockwise; the angle that fits its points best."""
        after, before = (places - places.mean(1, keepdims=True) for places in (self.object_pos_at_time(time, object_name), self.object_pos_at_time(0, object_name)))
        (x, y), (u, v) = before[[0, -1]], after[[0, -1]]
        angle = math.atan2(float((x * v - y * u).sum()), float((x * u + y * v).sum())) % (2 * math.pi)
        return angle if angle < 2 * math.pi else 0.0

    def close(self) -> None:
        """Ends the simulation."""
        self.team.close()


def _make_design(world: EvoWorld, depth: int | None) -> Design:
    """The design of a world: EvoGym's edges, with the materials of environments."""
    design = Design.read_text(json.dumps(world.to_json()), "world")
    if depth is not None:
        scene = json.loads(design.text())
        del scene["regions"][-1]  # it holds the flat world in its plane
        design = Design.read_text(json.dumps(scene), "world")
        design.extrude(depth)
    for material, usual in zip(design.materials, palette()):
        material.youngs_modulus = usual.youngs_modulus
    design.voxel_size = VOXEL_SIZE
    return design


def _groups_of(design: Design, obj: WorldObject) -> NDArray[np.int64]:
    """(n,): the groups of a robot's actuators, in the order of its actions."""
    group = {(int(x), int(z)): int(number) for (x, _, z), number in zip(design.positions, design.layer("Group").values)}
    return np.array([group[obj.pos.x + x, obj.pos.y + y] for y in range(obj.grid_size.y - 1, -1, -1) for x in range(obj.grid_size.x) if obj.grid[y, x] in ACTUATORS])
