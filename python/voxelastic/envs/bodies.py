# SPDX-License-Identifier: MIT
"""Bodies of robots in environments: arrays of EvoGym's material numbers, or Designs."""
from __future__ import annotations

from typing import Any

import numpy as np

from voxelastic import _core
from voxelastic.design import Design

__all__ = ["EMPTY", "RIGID", "SOFT", "HORIZONTAL", "VERTICAL", "FIXED", "make_body", "palette"]

EMPTY, RIGID, SOFT, HORIZONTAL, VERTICAL, FIXED = range(6)
VOXEL_SIZE = 0.1  # m, as in EvoGym
SOFT_MODULUS, RIGID_MODULUS = 1e6, 4e6  # Pa
NAMES = ("rigid", "soft", "horizontal actuator", "vertical actuator", "fixed")
COLORS = ((0.15, 0.15, 0.15, 1), (0.75, 0.75, 0.75, 1), (0.99, 0.56, 0.24, 1), (0.43, 0.68, 0.84, 1), (0.35, 0.30, 0.25, 1))


def palette() -> list[_core.Material]:
    """EvoGym's five materials, in the order of their numbers from 1: rigid, soft, horizontal and vertical actuators, fixed. Actuators swell in all directions."""
    return [_core.Material(name=name, color=color, youngs_modulus=RIGID_MODULUS if name in ("rigid", "fixed") else SOFT_MODULUS) for name, color in zip(NAMES, COLORS)]


def make_body(body: Any, depth: int = 3) -> Design:
    """A Design with a layer Group: voxels of group 0 are passive, groups from 1 on are actuators.

    body: (x, y, z) EvoGym's numbers, z upwards, each actuator voxel a group of its own; or (rows, columns) as EvoGym has them, the first row on top, which are repeated
    depth times along y, the copies of an actuator in one group; or a Design, of which a copy is taken. A Design without a layer Group has an actuator for each voxel of a
    material that expands by heat or is named as EvoGym's actuators are."""
    if isinstance(body, Design):
        design = body.copy()
        if "Group" not in design.layer_names():
            moves = [material.thermal_expansion != 0 or material.name in NAMES[2:4] for material in design.materials]
            _number(design, np.array(moves, bool)[design.material] if design.voxels else np.zeros(0, bool))
    else:
        design = _from_numbers(np.asarray(body), depth)
    if not design.voxels or not design.layer("Group").values.max() >= 1:
        raise ValueError("the body has no actuators: voxels of EvoGym's materials 3 and 4, or of a group from 1 on")
    return design


def _number(design: Design, moves: Any) -> None:
    """Makes each voxel that moves a group of its own, from 1 on."""
    design.layer("Group")[:] = np.where(moves, np.cumsum(moves), 0)


def _from_numbers(cells: Any, depth: int) -> Design:
    flat = cells.ndim == 2
    if cells.ndim not in (2, 3) or cells.dtype.kind not in "iuf" or (cells.dtype.kind == "f" and not (cells == np.floor(cells)).all()):
        raise ValueError(f"a body is an array of whole numbers of shape (x, y, z) or (rows, columns), or a Design, not {cells.dtype} of shape {cells.shape}")
    if cells.size and not (cells.min() >= EMPTY and cells.max() <= VERTICAL):
        raise ValueError("cells of a body are 0 (empty) to 4: rigid, soft, horizontal actuator, vertical actuator")
    cells = cells.astype(np.int64)
    moves = cells >= HORIZONTAL
    if not flat:
        design = Design.from_array(cells, palette(), voxel_size=VOXEL_SIZE)
        if design.voxels:
            _number(design, design.material >= HORIZONTAL - 1)
        return design
    if depth < 1:
        raise ValueError(f"depth must be 1 or more, not {depth!r}")
    group = np.where(moves, np.cumsum(moves).reshape(cells.shape), 0)
    cells, group = (np.repeat(array[::-1].T[:, None, :], depth, axis=1) for array in (cells, group))
    return Design.from_array(cells, palette(), group=group, voxel_size=VOXEL_SIZE)
