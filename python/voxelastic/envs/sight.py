# SPDX-License-Identifier: MIT
"""What is known of all robots of an environment at one tick, in EvoGym's lengths: a voxel's edge is 0.1, and x = 0, z = 0 the robot's lowest corner at the start."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic.envs.scenes import EDGE, Scene
from voxelastic.team import Team

__all__ = ["Sight", "Eye"]

Floats = NDArray[np.float64]


class Sight:
    """Arrays with a row for each robot."""

    center: Floats
    """(robots, 3): centre of mass of the robot"""
    velocity: Floats
    """(robots, 3) a second"""
    up: Floats
    """(robots, 3): direction of the robot's own z axis"""
    heading: Floats
    """(robots, 3): direction of its x axis"""
    groups: Floats
    """(robots, actuators, 3): from the robot's centre to each actuator"""
    floor: Floats | None = None
    """(robots, 11): height of the floor less that of the centre, 5 edges behind to 5 ahead"""
    thing: Floats | None = None
    """(robots, 3): centre of the object"""
    thing_velocity: Floats | None = None
    """(robots, 3) a second"""
    thing_up: Floats | None = None
    """(robots, 3): direction of its z axis"""
    extent: Floats | None = None
    """(robots, 3): of the centres of voxels, along x, y and z"""
    volume: Floats | None = None
    """(robots,): of the convex hull"""
    target: Floats | None = None
    """(robots,): along x, where a task that draws goals wants the robot"""


class Eye:
    """Looks at a team: which numbers of its rows are the robot's, and which the object's."""

    def __init__(self, scenes: Sequence[Scene], extra: Sequence[str]) -> None:
        self.scenes = scenes
        self.things = scenes[0].thing is not None
        self.apart = scenes[0].parts > 1
        """whether the robot is not all there is"""
        self.wants_volume, self.wants_extent, self.wants_floor = "volume" in extra, "extent" in extra, "floor" in extra
        self.scale: Floats = np.array([scene.scale for scene in scenes])[:, None]
        self.origin: Floats = np.array([scene.low for scene in scenes]) * EDGE

    @property
    def senses(self) -> tuple[str, ...]:
        """Names of the team's sensors that are needed."""
        names = ["center", "group_place"]
        names += [f"part_{name}" for name in ("center", "velocity", "up", "heading")] if self.apart else ["velocity", "up", "heading"]
        return tuple(names + ["voxel_place"] * self.wants_extent + ["floor_ahead"] * self.wants_floor)

    def find(self, team: Team) -> None:
        """Finds the robot and the object among the bodies of each row, at the start."""
        self.rows = np.arange(len(team))
        groups = [team.robot(i).groups for i in range(len(team))]
        self.there: NDArray[Any] = np.arange(1, team.facts.groups)[None, :] < np.array(groups)[:, None]
        for i, scene in enumerate(self.scenes):
            if team.robot(i).parts != scene.parts:
                raise ValueError(f"robot {i}: the body is in {team.robot(i).parts - scene.parts + 1} pieces; voxels must touch by faces")
        if self.apart:
            centers = self._of(team, "part_center").reshape(len(team), -1, 3) * self.scale[:, None] - self.origin[:, None]
            here = np.arange(centers.shape[1])[None, :] < np.array([scene.parts for scene in self.scenes])[:, None]
            self.robot = self._nearest(centers, here, [scene.robot for scene in self.scenes])
            self.thing = self._nearest(centers, here, [scene.thing for scene in self.scenes if scene.thing is not None]) if self.things else None

    @staticmethod
    def _nearest(centers: Floats, here: Any, places: Any) -> Any:
        away = np.linalg.norm(centers - np.array(places)[:, None, :] * EDGE, axis=2)
        return np.where(here, away, np.inf).argmin(1)

    @staticmethod
    def _of(team: Team, name: str) -> Floats:
        return team.obs[:, team.sensors[name]].astype(float)

    def _part(self, team: Team, name: str, which: Any) -> Floats:
        numbers: Floats = self._of(team, f"part_{name}").reshape(len(team), -1, 3)[self.rows, which]
        return numbers

    def look(self, team: Team) -> Sight:
        """All that is to be known now."""
        sight = Sight()
        scale = self.scale
        whole = self._of(team, "center")
        if self.apart:
            center, velocity = self._part(team, "center", self.robot), self._part(team, "velocity", self.robot)
            sight.up, sight.heading = self._part(team, "up", self.robot), self._part(team, "heading", self.robot)
        else:
            center, velocity = whole, self._of(team, "velocity")
            sight.up, sight.heading = self._of(team, "up"), self._of(team, "heading")
        sight.center, sight.velocity = center * scale - self.origin, velocity * scale
        places = self._of(team, "group_place").reshape(len(team), -1, 3)[:, 1:]
        sight.groups = (places + (whole - center)[:, None]) * scale[:, None] * self.there[:, :, None]
        if self.things:
            sight.thing = self._part(team, "center", self.thing) * scale - self.origin
            sight.thing_velocity = self._part(team, "velocity", self.thing) * scale
            sight.thing_up = self._part(team, "up", self.thing)
        if self.wants_floor:
            sight.floor = self._of(team, "floor_ahead") * scale
        if self.wants_extent:
            voxels = self._of(team, "voxel_place").reshape(len(team), -1, 3)
            sight.extent = (voxels.max(1) - voxels.min(1)) * scale
        if self.wants_volume:
            sight.volume = team.hull_volumes(None) * scale[:, 0] ** 3
        return sight
