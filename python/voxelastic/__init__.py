# SPDX-License-Identifier: MIT
"""Voxelastic: soft robots made of voxels, simulated with the same answer every time.

    import voxelastic as vx
    world = vx.World(vx.Design.read("assets/quadruped.vxa"))
    world.advance(until=5)
    print(world.center, world.hash)

Numbers are in SI units and double precision; arrays are NumPy's, positions (voxels, 3), quaternions w x y z. Nothing prints. Names are those of the library in C."""
import os as _os
from typing import TYPE_CHECKING

# Between two parts of a run the threads of OpenMP wait in a loop, for several milliseconds by default, on cores that Python needs. Some microseconds are enough
# from one part to the next. OpenMP reads this when it is loaded, so the environment is as it was afterwards; what the user has set stays.
_chosen = any(_name in _os.environ for _name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"))
if not _chosen:
    _os.environ["GOMP_SPINCOUNT"] = "3000"
try:
    from voxelastic._core import (Actuation, BatchFacts, Energy, Floor, Fluid, Frame, GradientFacts, Magnetics, Material, Progress, Recorder, RobotResult, SearchFacts, Settled, Stop, TeamFacts, TeamRobot,
                                  TimeStep, World, WorldFacts, __version__, conventions, instruction_set)
finally:
    if not _chosen:
        del _os.environ["GOMP_SPINCOUNT"]
    del _os, _chosen
from voxelastic.batch import DIVERGED, DONE, REFUSED, UNPHYSICAL, WAITING, Batch, Status, evaluate
from voxelastic.control import Controller, count_weights
from voxelastic.design import Design, Layer
from voxelastic.errors import Diverged, Error, InvalidInput, SystemFailure, Unphysical, Unsupported, VoxelasticWarning
from voxelastic.gradient import Gradient, speed_along
from voxelastic.readers import SearchTables, read_record, read_search, read_trace
from voxelastic.replay import Replay, record
from voxelastic.search import Search
from voxelastic.team import Team

__all__ = ["Actuation", "Batch", "BatchFacts", "Controller", "DIVERGED", "DONE", "Design", "Diverged", "Energy", "Error", "Floor", "Fluid", "Frame", "Gradient", "GradientFacts", "InvalidInput", "Layer",
           "Magnetics", "Material", "Progress", "REFUSED", "Recorder", "Replay", "RobotResult", "Search", "SearchFacts", "SearchTables", "Settled", "Status", "Stop", "SystemFailure", "Team", "TeamFacts", "TeamRobot",
           "TimeStep", "UNPHYSICAL", "Unphysical", "Unsupported", "VoxelasticWarning", "WAITING", "World", "WorldFacts", "conventions", "count_weights", "evaluate", "instruction_set", "read_record", "read_search",
           "read_trace", "record", "speed_along"]

if TYPE_CHECKING:
    from voxelastic import envs as envs, plot as plot


def __getattr__(name: str) -> object:
    """Modules that not everybody needs are loaded where they are asked for: envs imports gymnasium, where it is installed."""
    if name not in ("envs", "plot"):
        raise AttributeError(f"module 'voxelastic' has no attribute {name!r}")
    import importlib
    return importlib.import_module(f"voxelastic.{name}")
