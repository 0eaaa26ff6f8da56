# SPDX-License-Identifier: MIT
"""Controllers: small networks that move groups of voxels by what a robot senses."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Controller", "count_weights"]


class Controller(NamedTuple):
    """The controller of a design: a dense network in closed loop. Ticks begin where settling ends; in each, the network takes the numbers of the sensors, and its outputs,
    the tanh of sums, become targets of the first groups (layer Group) until the next tick. Whatever runs the design runs it."""

    sensors: tuple[str, ...]
    """names, whose numbers are the inputs, one sensor behind another; those of Team"""
    layers: tuple[int, ...]
    """width of each layer: the inputs, hidden layers, and as many outputs as groups move"""
    weights: NDArray[np.float32]
    """(count_weights(layers),): layer by layer, the biases, then the weights of the first number of the layer before, of the second, and so on"""
    interval: float = 1 / 60
    """s: from tick to tick; time steps are shortened so that they divide it"""
    targets: tuple[float, float] = (0.6, 1.6)
    """factors on the edges of a group at outputs of -1 and 1"""
    activation: str = "tanh"
    """of hidden layers: "tanh" or "relu"."""


def count_weights(layers: Sequence[int]) -> int:
    """int: how many weights a network of such layers has: (inputs + 1) outputs of each layer but the first."""
    return sum((before + 1) * after for before, after in pairwise(layers))
