# SPDX-License-Identifier: MIT
"""EvoGym's base of environments of one's own: a simulation, its viewer, and observations. EvoGym's 32 tasks are in voxelastic.envs."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic.compat.evogym.sim import LEAST, MOST, EvoSim
from voxelastic.compat.evogym.viewer import EvoViewer
from voxelastic.compat.evogym.world import EvoWorld
from voxelastic.envs.gym import Env

__all__ = ["EvoGymBase"]

Floats = NDArray[np.float64]


class EvoGymBase(Env):  # type: ignore[misc]
    """An environment of one world, from which environments are derived; a gymnasium.Env where that is installed.

    world: EvoWorld. render_mode: None; "screen" or "human": each step draws into a page; "img" or "rgb_array": render() returns a picture. render_options: {name: bool},
    see EvoViewer.render. Other choices: those of EvoSim."""

    metadata = {"render_modes": ["screen", "human", "img", "rgb_array"]}

    def __init__(self, world: EvoWorld, render_mode: str | None = None, render_options: Mapping[str, Any] | None = None, **choices: Any) -> None:
        self._sim = EvoSim(world, **choices)
        self._default_viewer = EvoViewer(self._sim)
        self._render_mode, self._render_options = render_mode, dict(render_options or {})

    def step(self, action: Mapping[str, ArrayLike]) -> bool:
        """Goes on by a step. action: {robot's name: (n,) factors}, clipped to 0.6 to 1.6. Returns whether the simulation is unstable."""
        for name, factors in action.items():
            self._sim.set_action(name, np.clip(factors, LEAST, MOST))
        unstable = self._sim.step()
        if self._render_mode in ("screen", "human"):
            self.render()
        return unstable

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Leads the world back to time 0."""
        self._sim.reset()

    @property
    def sim(self) -> EvoSim:
        """EvoSim: the simulation."""
        return self._sim

    @property
    def default_viewer(self) -> EvoViewer:
        """EvoViewer: what render() draws by."""
        return self._default_viewer

    def render(self, mode: str | None = None, **options: bool) -> NDArray[np.uint8] | None:
        """A picture, (height, width, 3), or a frame of the page. mode, options: other than render_mode and render_options, as older programs have them."""
        mode = mode or self._render_mode
        return None if mode is None else self._default_viewer.render(mode, **self._render_options | options)

    def close(self) -> None:
        """Ends the simulation, and the page."""
        self._default_viewer.close()
        self._sim.close()

    def get_actuator_indices(self, robot_name: str) -> NDArray[np.int64]:
        """See EvoSim.get_actuator_indices."""
        return self._sim.get_actuator_indices(robot_name)

    def get_dim_action_space(self, robot_name: str) -> int:
        """How many actuators a robot has."""
        return self._sim.get_dim_action_space(robot_name)

    def get_time(self) -> int:
        """Steps since the last reset."""
        return self._sim.get_time()

    def pos_at_time(self, time: int) -> Floats:
        """(2, n): places of all points, edges."""
        return self._sim.pos_at_time(time)

    def vel_at_time(self, time: int) -> Floats:
        """(2, n): velocities of all points, edges a second."""
        return self._sim.vel_at_time(time)

    def object_pos_at_time(self, time: int, object_name: str) -> Floats:
        """(2, n): places of an object's points, edges."""
        return self._sim.object_pos_at_time(time, object_name)

    def object_vel_at_time(self, time: int, object_name: str) -> Floats:
        """(2, n): velocities of an object's points, edges a second."""
        return self._sim.object_vel_at_time(time, object_name)

    def object_orientation_at_time(self, time: int, object_name: str) -> float:
        """rad, 0 to 2 pi: by how much an object is turned, counter-clockwise."""
        return self._sim.object_orientation_at_time(time, object_name)

    def get_pos_com_obs(self, object_name: str) -> Floats:
        """(2,) edges: the mean place of an object's points."""
        return self.object_pos_at_time(self.get_time(), object_name).mean(1)

    def get_vel_com_obs(self, object_name: str) -> Floats:
        """(2,) edges a second: the mean velocity of an object's points."""
        return self.object_vel_at_time(self.get_time(), object_name).mean(1)

    def get_relative_pos_obs(self, object_name: str) -> Floats:
        """(2n,) edges: places of an object's points from their mean, first all x, then all y."""
        places = self.object_pos_at_time(self.get_time(), object_name)
        return (places - places.mean(1, keepdims=True)).ravel()

    def get_ort_obs(self, object_name: str) -> Floats:
        """(1,) rad: see object_orientation_at_time."""
        return np.array([self.object_orientation_at_time(self.get_time(), object_name)])

    def get_floor_obs(self, object_name: str, terrain_list: Sequence[str], sight_dist: int, sight_range: float = 5) -> Floats:
        """(2 sight_dist + 1,) edges: how far below the object's centre the terrain is, at most sight_range, in columns one edge wide, sight_dist of them to either side.
        terrain_list: names of the objects that are terrain."""
        return self._look(object_name, terrain_list, sight_dist, sight_range, -1)

    def get_ceil_obs(self, object_name: str, terrain_list: Sequence[str], sight_dist: int, sight_range: float = 5) -> Floats:
        """(2 sight_dist + 1,) edges: the same for what is above the object's centre."""
        return self._look(object_name, terrain_list, sight_dist, sight_range, 1)

    def _look(self, object_name: str, terrain_list: Sequence[str], sight_dist: int, sight_range: float, sense: int) -> Floats:
        """How far the nearest terrain is in each column; sense: 1 above the centre, -1 below."""
        if not terrain_list:
            raise ValueError("terrain_list: expected the name of an object, at least one")
        center = self.get_pos_com_obs(object_name)
        points = np.concatenate([self.object_pos_at_time(self.get_time(), name) for name in terrain_list], axis=1)
        x, away = points[0] - center[0], sense * (points[-1] - center[-1])
        seen = np.full(2 * sight_dist + 1, float(sight_range))
        for column in range(-sight_dist, sight_dist + 1):
            here = away[(x > column - 0.5) & (x < column + 0.5) & (away > 0)]
            seen[column + sight_dist] = min(here.min(initial=sight_range), sight_range)
        return seen
