# SPDX-License-Identifier: MIT
"""Environments for learning: robots that do one task side by side, with the interface of Gymnasium's vector environments, whether it is installed or not.

    env = vx.envs.make_vec("Walker-v0", body, num_envs=64)
    obs, info = env.reset(seed=1)
    obs, reward, terminated, truncated, info = env.step(actions)"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.envs import gym
from voxelastic.envs.bodies import make_body
from voxelastic.design import Design
from voxelastic.envs.gym import AutoresetMode, Box, Env, ResetNeeded, VectorEnv
from voxelastic.envs.scenes import EDGE, Scene
from voxelastic.envs.sight import Eye, Sight
from voxelastic.envs.tasks import FAILED, Task, goals_of, tasks
from voxelastic.team import Team

__all__ = ["RobotEnv", "RobotVectorEnv", "make", "make_vec", "returns", "tasks"]

LEAST, MOST = 0.6, 1.6  # actions
# What reset_noise = 1 stands for, standard deviations: turn about z (rad), shift along x and y (edges), push along x, y and z (edges/s).
TURN, SHIFT, PUSH = 0.1, 0.5, 2.0
TARGETS = 15.0  # edges: how far from the start goals are drawn, to either side
REACHED = 2 * EDGE  # of a goal


class RobotVectorEnv(VectorEnv):  # type: ignore[misc]
    """Robots that do one task, each an environment: num_envs of them, stepped by one call, side by side in lanes where their worlds allow it.

    Observations: (num_envs, n) float32: the robot's velocity (3), its up direction (3), the places of its actuators from its centre (actuators, 3), and what the task
    adds: heading (3), floor (11), thing (9: from the robot to the object, its velocity, its up direction), target (1: along x). Lengths are EvoGym's: a voxel's edge
    is 0.1. Actions: (num_envs, actuators) float, 0.6 to 1.6, factors on the edges of each actuator's voxels; others are refused. A robot that diverges has ended:
    terminated, reward -3, info["diverged"]. Rewards: (num_envs,) float64.

    task: a name of `tasks`, or a Task. bodies: one for all, or one for each; see make_body. max_episode_steps: of the task without one. reset_noise: how much the start of
    an episode varies; 1: turned by 0.1 rad about z, shifted by half an edge along x and y, pushed by 2 edges/s (standard deviations; where voxels are fixed pushed alone).
    autoreset_mode: "NextStep", "SameStep" or "Disabled". copy: whether each step gives a new array of observations. rate: by how much a target, which follows the
    action, can change in a tick. render: choices of pictures. interval: s of a tick.
    settle (s; of the task without one), threads, schedule and other choices: those of Team.

    The same seed gives the same bits for any number of threads, and in every mode of resets."""

    def __init__(self, task: str | Task, bodies: Any, num_envs: int | None = None, *, max_episode_steps: int | None = None, reset_noise: float = 0,
                 autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP, render_mode: str | None = None, render: dict[str, Any] | None = None, copy: bool = True,
                 depth: int = 3, rate: float = 0.1, interval: float = 1 / 60, **choices: Any) -> None:
        self.task = _task(task)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be None or \"rgb_array\", not {render_mode!r}")
        if not 0 <= reset_noise <= 4:
            raise ValueError(f"reset_noise must be 0 to 4, not {reset_noise!r}")
        if not 0 < rate <= MOST - LEAST:
            raise ValueError(f"rate must be above 0 and at most {MOST - LEAST:g}, not {rate!r}")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": round(1 / interval), "autoreset_mode": self.autoreset_mode}
        self.render_mode, self.reset_noise, self.copy, self.rate = render_mode, float(reset_noise), copy, np.float32(rate)
        self._render_choices: dict[str, Any] = {"width": 320, "height": 240, "caption": False, **(render or {})}
        self.scenes = self._build(bodies, num_envs, depth)
        self.num_envs = len(self.scenes)
        self.max_episode_steps = self.task.steps if max_episode_steps is None else int(max_episode_steps)
        self._goals = goals_of(self.scenes)
        self._eye = Eye(self.scenes, (*self.task.needs, *self.task.observe))
        choices.setdefault("settle", self.task.settle)
        self.team = Team([scene.design for scene in self.scenes], interval, (LEAST, MOST), self._eye.senses, **choices)
        """Team: of the robots; it may be looked at, and recorded by its frames"""
        self._eye.find(self.team)
        self._targets = np.ones((self.num_envs, self.team.facts.groups), np.float32)
        self._elapsed = np.zeros(self.num_envs, np.int64)
        self._over = np.zeros(self.num_envs, bool)
        self._random: list[np.random.Generator] | None = None
        self._target, self._start = np.zeros((2, self.num_envs))
        self._sight = self._look()
        self._obs = self._observe(self._sight)
        self.single_action_space = Box(LEAST, MOST, (self.team.facts.groups - 1,), np.float32)
        self.single_observation_space = Box(-np.inf, np.inf, (self._obs.shape[1],), np.float32)
        self.action_space = gym.batch_space(self.single_action_space, self.num_envs)
        self.observation_space = gym.batch_space(self.single_observation_space, self.num_envs)

    def _build(self, bodies: Any, num_envs: int | None, depth: int) -> list[Scene]:
        """The worlds of all robots; equal bodies share one."""
        several = isinstance(bodies, (list, tuple)) and len(bodies) > 0 and (isinstance(bodies[0], Design) or np.ndim(bodies[0]) > 1)
        given = list(bodies) if several else [bodies]
        count = (len(given) if several else 1) if num_envs is None else int(num_envs)
        if count < 1 or len(given) not in (1, count):
            raise ValueError(f"{len(given)} bodies for num_envs={num_envs!r}: give one for all, or one for each")
        made: dict[int, Scene] = {}
        for body in given:
            if id(body) not in made:
                made[id(body)] = Scene(make_body(body, depth))
                self.task.world(made[id(body)])
        scenes = [made[id(body)] for body in given]
        return scenes if len(scenes) == count else scenes * count

    def _look(self) -> Sight:
        sight = self._eye.look(self.team)
        sight.target = self._target.copy()
        return sight

    def _observe(self, sight: Sight) -> NDArray[np.float32]:
        blocks: list[Any] = [sight.velocity, sight.up, sight.groups.reshape(self.num_envs, -1)]
        for name in self.task.observe:
            if name == "thing":
                assert sight.thing is not None
                blocks += [sight.thing - sight.center, sight.thing_velocity, sight.thing_up]
            elif name == "target":
                assert sight.target is not None
                blocks.append((sight.target - sight.center[:, 0])[:, None])
            else:
                blocks.append(getattr(sight, name))
        return np.concatenate(blocks, 1, dtype=np.float32, casting="same_kind")

    def _show(self, sight: Sight) -> NDArray[np.float32]:
        """Observations for the caller: a new array, or always the same."""
        if self.copy:
            self._obs = self._observe(sight)
        else:
            self._obs[:] = self._observe(sight)
        return self._obs

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Resets robots. Each draws from random numbers of its own, so that its episodes do not depend on when others end."""
        assert self._random is not None
        turn, shift, push = np.zeros((3, self.num_envs, 3))
        for i in np.flatnonzero(which):
            if self.reset_noise:
                draw = self.reset_noise * self._random[i].standard_normal(6)
                edge = self.scenes[i].design.voxel_size
                push[i] = PUSH * edge * draw[3:]
                if not self.scenes[i].fixed:
                    turn[i, 2] = np.clip(TURN * draw[0], -0.9, 0.9)
                    shift[i, :2] = SHIFT * edge * draw[1:3]
        noise = (shift, turn, push) if self.reset_noise else ()
        self.team.reset(which, *noise)
        self._targets[which] = 1
        self._elapsed[which] = 0
        self._over[which] = False
        if self.task.draws:
            self._start[which] = self._look().center[which, 0]
            self._draw_targets(which)

    def _draw_targets(self, which: NDArray[np.bool_]) -> None:
        """Sets new goals, on both sides of where the robot started."""
        assert self._random is not None
        for i in np.flatnonzero(which):
            self._target[i] = self._start[i] + self._random[i].uniform(-TARGETS, TARGETS) * EDGE

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins new episodes, and returns (observations, info). seed: of all random numbers. options: {"reset_mask": (num_envs,) bool}, the robots that begin anew."""
        self._check_open()
        options = options or {}
        unknown = set(options) - {"reset_mask"}
        if unknown:
            raise ValueError(f"there is no option {sorted(unknown)[0]!r}: there is \"reset_mask\"")
        if seed is not None or self._random is None:
            sequence = np.random.SeedSequence(seed)
            self._np_random_seed = seed if seed is not None else int(sequence.generate_state(1)[0])
            if seed is None:
                sequence = np.random.SeedSequence(self._np_random_seed)
            self._np_random = np.random.Generator(np.random.PCG64(sequence))
            self._random = [np.random.Generator(np.random.PCG64(child)) for child in sequence.spawn(self.num_envs)]
        mask = options.get("reset_mask")
        which = np.ones(self.num_envs, bool) if mask is None else np.asarray(mask)
        if which.dtype != np.bool_ or which.shape != (self.num_envs,):
            raise ValueError(f"reset_mask: expected an array of bool and shape ({self.num_envs},), not {which.dtype} of shape {which.shape}")
        self._begin(which)
        self._sight = self._look()
        return self._show(self._sight), {}

    def step(self, actions: Any) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One tick: (observations, rewards, terminated, truncated, info). actions: (num_envs, actuators), 0.6 to 1.6. Those of robots that begin anew are ignored."""
        self._check_open()
        if self._random is None:
            raise ResetNeeded("call reset before step")
        beginning = self._over.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and beginning.any():
            raise ResetNeeded(f"environment {int(np.argmax(beginning))} is at its end: reset it by options={{\"reset_mask\": ...}}")
        actions = np.asarray(actions, np.float32)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions: expected shape {self.action_space.shape}, not {actions.shape}")
        self._approach(actions, beginning)
        self.team.step(self._targets)
        return self._judge(beginning)

    def _approach(self, actions: NDArray[np.float32], beginning: NDArray[np.bool_]) -> None:
        """Moves targets towards actions, by as much as muscles can in a tick."""
        if not ((actions >= self.single_action_space.low) & (actions <= self.single_action_space.high) | beginning[:, None]).all():
            robot, actuator = np.argwhere(~((actions >= self.single_action_space.low) & (actions <= self.single_action_space.high)) & ~beginning[:, None])[0]
            raise ValueError(f"environment {robot}, actuator {actuator}: the action is {actions[robot, actuator]:g}; it must be {LEAST} to {MOST}")
        now = self._targets[:, 1:]
        np.copyto(now, np.minimum(np.maximum(actions, now - self.rate), now + self.rate))
        self._targets[beginning] = 1

    def _judge(self, beginning: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """What a tick was worth, what it ended, and what begins anew."""
        now = self._look()
        diverged = (self.team.status != 0) & ~beginning
        reward, over = self.task.judge(now, self._sight, self._goals)
        reward = np.where(beginning, 0.0, np.where(diverged, FAILED, reward))
        self._elapsed += 1
        terminated = (over | diverged) & ~beginning
        truncated = (self._elapsed >= self.max_episode_steps) & ~terminated & ~beginning
        ended = terminated | truncated
        self._over = ended.copy()
        info: dict[str, Any] = {"diverged": diverged, "_diverged": diverged.copy()} if diverged.any() else {}
        if self.task.draws:
            assert now.target is not None
            self._draw_targets((np.abs(now.center[:, 0] - now.target) < REACHED) & ~ended & ~beginning)
            now.target = self._target.copy()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            info |= self._final(now, ended, diverged)
            self._begin(ended)
            now = self._look()
        elif beginning.any():
            self._begin(beginning)
            now = self._look()
        self._sight = now
        return self._show(now), reward, terminated, truncated, info

    def _final(self, now: Sight, ended: NDArray[np.bool_], diverged: NDArray[np.bool_]) -> dict[str, Any]:
        """What was last seen of episodes that begin anew in the same step."""
        seen = self._observe(now)
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            final[i] = seen[i].copy()
        last = {"diverged": diverged, "_diverged": ended.copy()}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": last, "_final_info": ended.copy()}

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the environment is closed")

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Pictures of all robots, (height, width, 3) uint8 each, where render_mode is "rgb_array"."""
        self._check_open()
        if self.render_mode is None:
            return None
        return tuple(self.picture(i) for i in range(self.num_envs))

    def picture(self, robot: int) -> NDArray[np.uint8]:
        """(height, width, 3) uint8: one robot."""
        return _core.draw(self.team.design(robot), self.team.frame(robot), **self._render_choices)

    def close_extras(self, **keywords: Any) -> None:
        """Closes the team, if there is one: environments are closed, too, that could not be made."""
        if hasattr(self, "team"):
            self.team.close()

    def __repr__(self) -> str:
        return f"<voxelastic.envs.RobotVectorEnv {self.task.name}: {self.num_envs} robots, {self.single_action_space.shape[0]} actuators>"


class RobotEnv(Env):  # type: ignore[misc]
    """One robot that does a task, with the interface of Gymnasium's Env. Arguments are those of RobotVectorEnv; it must be reset where an episode has ended."""

    def __init__(self, task: str | Task, body: Any, *, render_mode: str | None = None, **choices: Any) -> None:
        self.vector = RobotVectorEnv(task, body, 1, render_mode=render_mode, autoreset_mode=AutoresetMode.DISABLED, **choices)
        """RobotVectorEnv: of this one robot"""
        self.render_mode = render_mode
        self.metadata = {name: value for name, value in self.vector.metadata.items() if name != "autoreset_mode"}
        self.observation_space, self.action_space = self.vector.single_observation_space, self.vector.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins a new episode: (observation, info)."""
        obs, info = self.vector.reset(seed=seed, options=options)
        self._np_random, self._np_random_seed = self.vector.np_random, self.vector.np_random_seed
        return obs[0], info

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """One tick: (observation, reward, terminated, truncated, info)."""
        obs, reward, terminated, truncated, info = self.vector.step(np.asarray(action)[None])
        return obs[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {"diverged": True} if "diverged" in info else {}

    def render(self) -> NDArray[np.uint8] | None:
        """(height, width, 3) uint8, where render_mode is "rgb_array"."""
        return None if self.render_mode is None else self.vector.picture(0)

    def close(self) -> None:
        """Releases the robot."""
        self.vector.close()


def _task(task: str | Task) -> Task:
    if isinstance(task, Task):
        return task
    name = str(task).removeprefix("voxelastic/")
    if name not in tasks:
        raise ValueError(f"there is no task {task!r}: there are {', '.join(tasks)}")
    return tasks[name]


def make_vec(task: str | Task, body: Any, num_envs: int | None = None, **choices: Any) -> RobotVectorEnv:
    """A vector environment: `make_vec("Walker-v0", body, num_envs=64)`; see RobotVectorEnv. body: one for all robots, or a list with one for each."""
    return RobotVectorEnv(task, body, num_envs, **choices)


def make(task: str | Task, body: Any, **choices: Any) -> RobotEnv:
    """An environment of one robot: `make("Walker-v0", body)`; see RobotVectorEnv for its arguments."""
    return RobotEnv(task, body, **choices)


def returns(env: RobotVectorEnv, policy: Callable[[NDArray[np.float32], int], Any], steps: int | None = None, *, seed: int | None = None) -> NDArray[np.float64]:
    """(num_envs,) sums of rewards of one episode of each robot: resets env, and asks policy(observations, tick) for actions until all episodes have ended, or for so many
    steps."""
    obs, _ = env.reset(seed=seed)
    total, alive = np.zeros(env.num_envs), np.ones(env.num_envs, bool)
    for tick in range(env.max_episode_steps if steps is None else steps):
        obs, reward, terminated, truncated, _ = env.step(policy(obs, tick))
        total += reward * alive
        alive &= ~(terminated | truncated)
        if not alive.any():
            break
    return total


def _register() -> None:
    """Makes the tasks known to gymnasium.make and gymnasium.make_vec, as "voxelastic/Walker-v0"."""
    import gymnasium  # type: ignore[import]
    for name in tasks:
        if f"voxelastic/{name}" not in gymnasium.registry:
            gymnasium.register(id=f"voxelastic/{name}", entry_point="voxelastic.envs:make", vector_entry_point="voxelastic.envs:make_vec", kwargs={"task": name})


if gym.has_gymnasium:
    _register()
