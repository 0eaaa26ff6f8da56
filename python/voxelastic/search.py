# SPDX-License-Identifier: MIT
"""Searches for designs: evolution by an experiment, with our fitness or with one of your own."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic import _core
from voxelastic.design import Design

__all__ = ["Search"]

Designs = list["Design"]
Fitness = Callable[["Designs"], ArrayLike]
Progress = Callable[[_core.SearchFacts], bool | None]


class Search(_core.Search):
    """A search carries out an experiment, generation by generation, into a folder. The same experiment gives the same folder, byte for byte, as `voxelastic evolve` does,
    whatever the number of threads and however often it was resumed.

    experiment: path of a JSON file, or the same as a dict; None for a search that is resumed. folder: path, made by this; it must not exist, unless resume is true: then
    the search goes on from its last checkpoint, and an experiment must say the same as the folder's config.json. threads: 0 stands for all processors that this process
    may use.

    `advance` carries out a generation with the experiment's own fitness; or `ask` gives its bodies and `tell` takes their fitness. One thread at a time may use a search."""

    __slots__ = {"folder": "str: path of the folder, as it was given"}
    folder: str

    def __new__(cls, experiment: str | os.PathLike[str] | Mapping[str, Any] | None, folder: str | os.PathLike[str], threads: int = 0, resume: bool = False) -> Self:
        text = None
        if isinstance(experiment, Mapping):
            text, experiment = json.dumps(dict(experiment)), None
        search = super().__new__(cls, experiment, text, folder, threads, resume)
        search.folder = os.fspath(folder)
        return search

    def ask(self) -> Designs:
        """Breeds a generation, and gives copies of its bodies: those that differ, and whose fitness is not known yet, always in the same order. There may be none."""
        return self.ask_bodies(Design)

    def tell(self, fitness: ArrayLike) -> None:
        """The fitness of the bodies that ask gave, (bodies,) numbers, the larger the better; NaN where a body has none. Writes the rows of the generation. Fitness must follow
        from the body alone: equal bodies are asked for once. What is refused, with an exception, changes nothing."""
        self.tell_numbers(_numbers(fitness))

    @property
    def best(self) -> Design | None:
        """Design: the best individual so far, a copy; None where none has a fitness."""
        return self.best_design(Design)

    def run(self, fitness: Fitness | None = None, generations: int | None = None, progress: Progress | None = None) -> _core.SearchFacts:
        """Carries out all generations that are left, or so many, and returns the facts. fitness: a function that takes a list of Designs and returns a number for each, see
        tell; without, the experiment's own. progress: called with SearchFacts, after each generation and now and then; where it returns False, the search stops. What is
        done is kept, however the run ends: the search goes on by another call, or is resumed."""
        facts = self.facts
        last = facts.generations if generations is None else min(facts.generation + generations, facts.generations)
        try:
            while facts.generation < last:
                if not (self.advance(progress) if fitness is None else self._generation(fitness)):
                    break
                facts = self.facts
                if progress and progress(facts) is False:
                    break
        finally:
            if not self.closed and self.facts.generation < self.facts.generations:
                self.checkpoint()
        return facts

    def _generation(self, fitness: Fitness) -> bool:
        """A generation by a function."""
        bodies = self.ask()
        try:
            self.tell(fitness(bodies) if bodies else ())
        except BaseException:
            if not self.closed:
                self.withdraw()
            raise
        return True

    def __repr__(self) -> str:
        if self.closed:
            return f"<voxelastic.Search in {self.folder}, closed>"
        facts = self.facts
        best = f", best fitness {facts.best_fitness:g}" if facts.best else ""
        return f"<voxelastic.Search in {self.folder}: {facts.generation} of {facts.generations} generations{best}>"


def _numbers(fitness: ArrayLike) -> NDArray[np.float64]:
    """An array of float64 in C order."""
    given = np.asarray(fitness if isinstance(fitness, (np.ndarray, Sequence)) else list(fitness))  # type: ignore[arg-type]
    if given.size and given.dtype.kind not in "iufb":
        raise TypeError(f"fitness: expected a number for each body, not {given.dtype} such as {given.flat[0]!r}; NaN stands for none")
    if given.ndim != 1:
        raise ValueError(f"fitness: expected an array of shape (bodies,), not {given.shape}")
    return np.ascontiguousarray(given, float)
