# SPDX-License-Identifier: MIT
"""The names of Gymnasium that environments are made of: Gymnasium's own where it is installed (1.1 or later), else ones with the same members."""
from __future__ import annotations

import enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["AutoresetMode", "Box", "Env", "ResetNeeded", "VectorEnv", "batch_space", "has_gymnasium"]

try:
    from gymnasium import Env  # type: ignore[import]
    from gymnasium.error import ResetNeeded  # type: ignore[import]
    from gymnasium.spaces import Box  # type: ignore[import]
    from gymnasium.vector import AutoresetMode, VectorEnv  # type: ignore[import]
    from gymnasium.vector.utils import batch_space  # type: ignore[import]
    has_gymnasium = True
except ImportError:
    has_gymnasium = False

    class AutoresetMode(enum.Enum):  # type: ignore[no-redef]
        """When an environment of several resets what has ended: at the next step, which ignores its action, at once, or when it is told to."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"

    class ResetNeeded(RuntimeError):  # type: ignore[no-redef]
        """A step was asked of an environment that must be reset first."""

    class Box:  # type: ignore[no-redef]
        """Arrays of one shape and dtype, each number from low to high."""

        def __init__(self, low: Any, high: Any, shape: tuple[int, ...] | None = None, dtype: Any = np.float32, seed: int | np.random.Generator | None = None) -> None:
            self.dtype = np.dtype(dtype)
            self.shape = tuple(shape) if shape is not None else np.broadcast(np.asarray(low), np.asarray(high)).shape
            self.low = np.full(self.shape, low, self.dtype)
            self.high = np.full(self.shape, high, self.dtype)
            self._np_random = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)

        @property
        def np_random(self) -> np.random.Generator:
            """What sample draws from."""
            return self._np_random

        def seed(self, seed: int | None = None) -> int | None:
            """Begins the samples anew."""
            self._np_random = np.random.default_rng(seed)
            return seed

        def sample(self, mask: None = None, probability: None = None) -> NDArray[Any]:
            """A random array of the space; of numbers without bounds a normal one."""
            bounded = np.isfinite(self.low) & np.isfinite(self.high)
            between = self._np_random.uniform(np.where(bounded, self.low, 0), np.where(bounded, self.high, 1), self.shape)
            return np.where(bounded, between, self._np_random.normal(size=self.shape)).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            """Whether x is an array of the space."""
            x = np.asarray(x)
            return bool(np.can_cast(x.dtype, self.dtype) and x.shape == self.shape and np.all(x >= self.low) and np.all(x <= self.high))

        __contains__ = contains

        def __eq__(self, other: object) -> bool:
            return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype and np.array_equal(self.low, other.low)
                    and np.array_equal(self.high, other.high))

        def __repr__(self) -> str:
            return f"Box({self.low.min() if self.low.size else 0}, {self.high.max() if self.high.size else 0}, {self.shape}, {self.dtype})"

    def batch_space(space: Box, n: int = 1) -> Box:
        """The space of n arrays of a space, one behind another."""
        return Box(np.broadcast_to(space.low, (n, *space.shape)), np.broadcast_to(space.high, (n, *space.shape)), (n, *space.shape), space.dtype)

    class _Seeded:
        metadata: dict[str, Any] = {}
        spec: Any = None
        render_mode: str | None = None
        _np_random: np.random.Generator | None = None
        _np_random_seed: int | None = None

        @property
        def np_random(self) -> np.random.Generator:
            """The environment's own random numbers."""
            if self._np_random is None:
                self._np_random_seed = int(np.random.SeedSequence().generate_state(1)[0])
                self._np_random = np.random.default_rng(self._np_random_seed)
            return self._np_random

        @property
        def np_random_seed(self) -> int:
            """The seed that they began with."""
            _ = self.np_random
            return -1 if self._np_random_seed is None else self._np_random_seed

        @property
        def unwrapped(self) -> Any:
            """The environment itself."""
            return self

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *exception: object) -> None:
            self.close()

        def close(self) -> None:
            """Releases what the environment holds."""

    class Env(_Seeded):  # type: ignore[no-redef]
        """One environment."""

        observation_space: Box
        action_space: Box

    class VectorEnv(_Seeded):  # type: ignore[no-redef]
        """Environments side by side, stepped by one call."""

        closed = False
        num_envs: int
        observation_space: Box
        action_space: Box
        single_observation_space: Box
        single_action_space: Box

        def close(self, **keywords: Any) -> None:
            """Releases what the environments hold."""
            if not self.closed:
                self.close_extras(**keywords)
                self.closed = True

        def close_extras(self, **keywords: Any) -> None:
            """What a kind of environment releases."""
