# SPDX-License-Identifier: MIT
"""A module with the names of Gymnasium that environments use, and the members that its documentation gives them, for tests where it is not installed."""
import enum
import sys
import types

import numpy as np


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class ResetNeeded(Exception):
    pass


class Box:
    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        self.shape = shape if shape is not None else np.shape(low)
        self.dtype = np.dtype(dtype)
        self.low, self.high = np.broadcast_to(low, self.shape).astype(dtype), np.broadcast_to(high, self.shape).astype(dtype)
        self.random = np.random.default_rng(seed)

    def seed(self, seed=None):
        self.random = np.random.default_rng(seed)

    def sample(self):
        return self.random.uniform(self.low, self.high).astype(self.dtype)

    def contains(self, x):
        return x.shape == self.shape and bool((x >= self.low).all() and (x <= self.high).all())


def batch_space(space, n=1):
    return Box(np.repeat(space.low[None], n, 0), np.repeat(space.high[None], n, 0), (n, *space.shape), space.dtype)


class Env:
    metadata = {"render_modes": []}
    render_mode = spec = _np_random = _np_random_seed = None

    @property
    def unwrapped(self):
        return self

    @property
    def np_random(self):
        return self._np_random

    @property
    def np_random_seed(self):
        return self._np_random_seed


class VectorEnv(Env):
    closed = False

    def close(self, **keywords):
        if not self.closed:
            self.close_extras(**keywords)
            self.closed = True

    def __del__(self):
        if not self.closed:
            self.close()


def install():
    """Puts the module into sys.modules; returns its registry."""
    top = types.ModuleType("gymnasium")
    top.Env, top.registry = Env, {}
    top.register = lambda id, **keywords: top.registry.__setitem__(id, keywords)
    parts = {"error": {"ResetNeeded": ResetNeeded}, "spaces": {"Box": Box}, "vector": {"AutoresetMode": AutoresetMode, "VectorEnv": VectorEnv},
             "vector.utils": {"batch_space": batch_space}}
    sys.modules["gymnasium"] = top
    for name, members in parts.items():
        part = types.ModuleType(f"gymnasium.{name}")
        vars(part).update(members)
        sys.modules[f"gymnasium.{name}"] = part
        setattr(top, name.split(".")[0], sys.modules[f"gymnasium.{name.split('.')[0]}"])
    return top.registry
