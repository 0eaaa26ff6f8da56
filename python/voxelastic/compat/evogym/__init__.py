# SPDX-License-Identifier: MIT
"""EvoGym's interface to worlds and their simulation. Where a program imports from evogym, it imports from here: `from voxelastic.compat.evogym import *`.

Modules have the names that they have there: envs, sim, utils, viewer, world. Positions are in voxel edges, x to the right and y up, as there. The physics is another
one: actuators of both kinds swell in all directions, and rewards can not be compared."""
from voxelastic.compat.evogym.envs import EvoGymBase
from voxelastic.compat.evogym.sim import EvoSim
from voxelastic.compat.evogym.utils import (BASELINE_ENV_NAMES, VOXEL_TYPES, Pair, Timer, draw, get_full_connectivity, get_uniform, has_actuator, hashable, is_connected,
                                            sample_robot)
from voxelastic.compat.evogym.viewer import EvoViewer
from voxelastic.compat.evogym.world import EvoWorld, WorldObject

__all__ = ["BASELINE_ENV_NAMES", "EvoGymBase", "EvoSim", "EvoViewer", "EvoWorld", "Pair", "Timer", "VOXEL_TYPES", "WorldObject", "draw", "get_full_connectivity",
           "get_uniform", "has_actuator", "hashable", "is_connected", "sample_robot"]
