# SPDX-License-Identifier: MIT
"""The tasks of environments: a row of the table each, with a builder of its world and a reward. Rewards follow EvoGym's, in its lengths: a voxel's edge is 0.1. A reward is a
function of what is seen now and what was a tick before, and says which robots are at an end; a fall or a turn too far costs 3, a goal reached gives 1 or 2."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic.envs import worlds, worlds_objects
from voxelastic.envs.scenes import EDGE, Scene
from voxelastic.envs.sight import Sight

__all__ = ["Task", "tasks"]

Floats = NDArray[np.float64]
Reward = Callable[[Sight, Sight, "Goals"], Any]  # (robots,) float64
FAILED = -3.0  # of robots that fall, turn over or diverge


@dataclass
class Goals:
    """What rewards know of the worlds of all robots, in EvoGym's lengths."""

    goal: Floats
    """(robots,): along x"""
    height: Floats
    """(robots,): a height that the reward asks for"""


def goals_of(scenes: list[Scene]) -> Goals:
    """The goals of scenes."""
    return Goals(np.array([scene.goal for scene in scenes]) * EDGE, np.array([scene.height for scene in scenes]) * EDGE)


@dataclass(frozen=True)
class Task:
    """A task: what its world is, what is observed, what a tick is worth, and when it ends."""

    name: str
    """str: such as "Walker-v0\""""
    steps: int
    """ticks of an episode, at most"""
    about: str
    """what is to be done"""
    reward: Reward
    """of a tick: (robots,) of Sight now, Sight before, Goals"""
    world: Callable[[Scene], None] = worlds.flat
    """builds the world around a robot"""
    observe: tuple[str, ...] = ()
    """what is observed beside velocity, up and the places of actuators: heading, floor, thing, target"""
    needs: tuple[str, ...] = ()
    """what the reward needs beside: extent, volume"""
    bonus: float = 0
    """for a robot that reaches the goal, which ends the episode"""
    climbs: bool = False
    """whether the goal is a height"""
    tilt: float | None = None
    """degrees: a robot that leans farther has failed"""
    fall: float | None = None
    """edges: a robot whose centre is lower has failed"""
    topples: bool = False
    """whether an object that falls below the height ends the episode, with the bonus"""
    settle: float = 0
    """s: robots and objects come to rest before the start"""
    draws: bool = field(default=False)
    """whether goals are drawn by the random numbers of the environment"""

    def judge(self, now: Sight, was: Sight, goals: Goals) -> tuple[Floats, NDArray[np.bool_]]:
        """(rewards, whether the episode is over) of all robots, (robots,)."""
        reward = self.reward(now, was, goals)
        over = np.zeros(len(reward), bool)
        if self.topples:
            assert now.thing is not None
            over = now.thing[:, 2] < goals.height
            reward = reward + self.bonus * over
        elif self.bonus:
            over = now.center[:, 2 if self.climbs else 0] > goals.goal
            reward = reward + self.bonus * over
        failed = np.zeros(len(reward), bool)
        if self.tilt is not None:
            failed |= now.up[:, 2] < np.cos(np.radians(self.tilt))
        if self.fall is not None:
            failed |= now.center[:, 2] < self.fall * EDGE
        return reward + FAILED * failed, over | failed


def gain(now: Any, was: Any, axis: int) -> Any:
    """How much a place has grown along an axis."""
    return now[:, axis] - was[:, axis]


def nearer(now: Any, was: Any) -> Any:
    """How much nearer to 0 a distance came."""
    return np.abs(was) - np.abs(now)


def forward(now: Sight, was: Sight, goals: Goals) -> Any:
    return gain(now.center, was.center, 0)


def upward(now: Sight, was: Sight, goals: Goals) -> Any:
    return gain(now.center, was.center, 2)


def up_and_along(now: Sight, was: Sight, goals: Goals) -> Any:
    return upward(now, was, goals) + 0.2 * forward(now, was, goals)


def to_target(now: Sight, was: Sight, goals: Goals) -> Any:
    assert now.target is not None
    return nearer(now.center[:, 0] - now.target, was.center[:, 0] - now.target)


def jump(now: Sight, was: Sight, goals: Goals) -> Any:
    return 10 * gain(now.center, was.center, 2) - 5 * np.abs(gain(now.center, was.center, 0))


def flip(now: Sight, was: Sight, goals: Goals) -> Any:
    """How far it has turned about y, from x towards z, rad."""
    angle = np.arctan2(now.heading[:, 2], now.heading[:, 0]) - np.arctan2(was.heading[:, 2], was.heading[:, 0])
    return (angle + np.pi) % (2 * np.pi) - np.pi


def larger(now: Sight, was: Sight, goals: Goals) -> Any:
    assert now.volume is not None and was.volume is not None
    return 10 * (now.volume - was.volume)


def smaller(now: Sight, was: Sight, goals: Goals) -> Any:
    return -larger(now, was, goals)


def wider(now: Sight, was: Sight, goals: Goals) -> Any:
    return gain(now.extent, was.extent, 0)


def higher(now: Sight, was: Sight, goals: Goals) -> Any:
    return gain(now.extent, was.extent, 2)


def onto_pole(now: Sight, was: Sight, goals: Goals) -> Any:
    return nearer(now.center[:, 0] - goals.goal, was.center[:, 0] - goals.goal) + nearer(now.center[:, 2] - goals.height, was.center[:, 2] - goals.height)


def lifted(now: Sight, was: Sight, goals: Goals) -> Any:
    """What the object has gained in height, where it is lower than it should be."""
    assert now.thing is not None
    return np.where(now.thing[:, 2] < goals.height, 10 * gain(now.thing, was.thing, 2), 0)


def carry(now: Sight, was: Sight, goals: Goals) -> Any:
    return 0.5 * gain(now.thing, was.thing, 0) + 0.5 * forward(now, was, goals) + lifted(now, was, goals)


def carry_to(now: Sight, was: Sight, goals: Goals) -> Any:
    assert now.thing is not None and was.thing is not None
    return (2 * nearer(now.thing[:, 0] - goals.goal, was.thing[:, 0] - goals.goal) + nearer(now.center[:, 0] - goals.goal, was.center[:, 0] - goals.goal)
            + lifted(now, was, goals))


def beside(now: Sight, was: Sight) -> Any:
    """How much nearer the robot came to the object along x."""
    assert now.thing is not None and was.thing is not None
    return nearer(now.thing[:, 0] - now.center[:, 0], was.thing[:, 0] - was.center[:, 0])


def push(now: Sight, was: Sight, goals: Goals) -> Any:
    return 0.5 * forward(now, was, goals) + 0.75 * gain(now.thing, was.thing, 0) + beside(now, was)


def throw(now: Sight, was: Sight, goals: Goals) -> Any:
    return gain(now.thing, was.thing, 0) + 0.25 * nearer(now.center[:, 0] - goals.goal, was.center[:, 0] - goals.goal)


def catch(now: Sight, was: Sight, goals: Goals) -> Any:
    return beside(now, was) + lifted(now, was, goals)


def lift(now: Sight, was: Sight, goals: Goals) -> Any:
    assert now.thing is not None and was.thing is not None
    sinks = np.where(now.center[:, 2] < goals.height, 20 * gain(now.center, was.center, 2), 0)
    return 10 * gain(now.thing, was.thing, 2) + 10 * nearer(now.thing[:, 0] - goals.goal, was.thing[:, 0] - goals.goal) + sinks


def topple(now: Sight, was: Sight, goals: Goals) -> Any:
    falls = gain(now.thing, was.thing, 2)
    return beside(now, was) + np.abs(gain(now.thing, was.thing, 0)) + 3 * np.abs(falls) - 10 * falls


def slide(now: Sight, was: Sight, goals: Goals) -> Any:
    return beside(now, was) + gain(now.thing, was.thing, 0)


THING = ("thing",)
TABLE = (
    Task("Walker-v0", 500, "goes far along x, on a flat floor", forward, bonus=1),
    Task("BidirectionalWalker-v0", 1000, "goes to goals on both sides, one after another", to_target, observe=("target",), draws=True),
    Task("Jumper-v0", 500, "jumps high on one spot", jump),
    Task("Flipper-v0", 600, "turns over as often as it can", flip, observe=("heading",)),
    Task("AreaMaximizer-v0", 600, "makes its convex hull large", larger, needs=("volume",)),
    Task("AreaMinimizer-v0", 600, "makes its convex hull small", smaller, needs=("volume",)),
    Task("WingspanMaximizer-v0", 600, "becomes long along x", wider, needs=("extent",)),
    Task("HeightMaximizer-v0", 500, "becomes high", higher, needs=("extent",)),
    Task("UpStepper-v0", 600, "goes up stairs of uneven steps", forward, worlds.stairs_up, ("floor",), bonus=2, tilt=75),
    Task("DownStepper-v0", 500, "goes down stairs of uneven steps", forward, worlds.stairs_down, ("floor",), bonus=2, tilt=90),
    Task("ObstacleTraverser-v0", 1000, "goes over uneven ground", forward, worlds.bumpy, ("floor",), bonus=2, tilt=90),
    Task("ObstacleTraverser-v1", 1000, "goes over very uneven ground", forward, worlds.very_bumpy, ("floor",), bonus=2),
    Task("Hurdler-v0", 1000, "goes over tall hurdles", forward, worlds.hurdles, ("floor",), tilt=90),
    Task("GapJumper-v0", 1000, "crosses gaps between platforms of one height", forward, worlds.gaps, ("floor",), fall=-2),
    Task("PlatformJumper-v0", 1000, "crosses gaps between platforms of many heights", forward, worlds.platforms, ("floor",), tilt=90, fall=-3),
    Task("Carrier-v0", 500, "carries a box on its back as far as it can", carry, worlds_objects.box_on_top, THING, bonus=1, settle=0.5),
    Task("Carrier-v1", 1000, "carries a box to a table, and puts it there", carry_to, worlds_objects.box_to_table, THING, settle=0.5),
    Task("Pusher-v0", 500, "pushes a box before it", push, worlds_objects.box_ahead, THING, bonus=1, settle=0.5),
    Task("Pusher-v1", 600, "drags a box that is behind it", push, worlds_objects.box_behind, THING, bonus=1, settle=0.5),
    Task("Thrower-v0", 300, "throws a box from its back", throw, worlds_objects.box_to_throw, THING, settle=0.5),
    Task("Catcher-v0", 400, "catches a box that flies towards it", catch, worlds_objects.box_that_falls, THING),
    Task("Lifter-v0", 300, "lifts a box out of a hole", lift, worlds_objects.box_in_hole, THING, settle=0.5),
    Task("BeamToppler-v0", 1000, "throws a beam off two pegs, from below", topple, worlds_objects.beam_to_topple, THING, bonus=1, topples=True, settle=0.5),
    Task("BeamSlider-v0", 1000, "slides a beam along a row of pegs, from below", slide, worlds_objects.beam_to_slide, THING, settle=0.5),
    Task("BridgeWalker-v0", 500, "walks over a soft bridge", forward, worlds_objects.bridge, bonus=1, fall=-10),
    Task("Traverser-v0", 600, "crosses a hole full of soft blocks", forward, worlds_objects.soft_ground, bonus=2),
    Task("CaveCrawler-v0", 1000, "crawls through a low cave", forward, worlds_objects.cave, bonus=1),
    Task("Climber-v0", 400, "climbs between two flat walls", upward, worlds_objects.channel, bonus=1, climbs=True),
    Task("Climber-v1", 600, "climbs between two rough walls", upward, worlds_objects.rough_channel, bonus=1, climbs=True),
    Task("Climber-v2", 1000, "climbs a channel that winds", up_and_along, worlds_objects.winding_channel),
    Task("Balancer-v0", 600, "stays on a pole that it starts on", onto_pole, worlds_objects.on_pole),
    Task("Balancer-v1", 600, "gets onto a pole, and stays there", onto_pole, worlds_objects.before_pole),
)

tasks: dict[str, Task] = {task.name: task for task in TABLE}
