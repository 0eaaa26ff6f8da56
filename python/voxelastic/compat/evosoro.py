# SPDX-License-Identifier: MIT
"""evosoro's evaluation of a generation, in this process: no files, no other programs, no waiting for results.

    from voxelastic.compat import evosoro
    my_optimization.evaluate = evosoro.evaluate_all

Robots run by the rules of the compatibility preset "evosoro", and score as under the name voxelyze, whose result file has the same numbers."""
from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from voxelastic.compat.evosoro_score import Score, score
from voxelastic.compat.evosoro_vxa import md5_of, read_environment, write_vxa
from voxelastic.errors import Error, VoxelasticWarning

__all__ = ["evaluate_all", "evaluate_one", "write_vxa"]


def evaluate_one(sim: Any, env: Any, individual: Any, *, conventions: str | None = None, write: Callable[..., str] = write_vxa) -> Score:
    """All numbers of an individual, {tag: number}, as "NormFinalDist", in the unit of evosoro's result file: distances in voxel edges. See evaluate_all."""
    read_environment(env, individual)
    return score(write(sim, env, individual, ""), conventions)


def evaluate_all(sim: Any, env: Any, pop: Any, print_log: Any, save_vxa_every: int, run_directory: str, run_name: str, max_eval_time: float = 60,
                 time_to_try_again: float = 10, save_lineages: bool = False, *, conventions: str | None = None, threads: int = 0, write: Callable[..., str] = write_vxa) -> None:
    """Evaluates all individuals of a population, side by side, and sets their objectives; with the arguments of evosoro's function of this name.

    sim, env: evosoro's Sim and Env, and pop its Population, or objects with their attributes. print_log: has message(text). max_eval_time, time_to_try_again: not
    needed, since nothing hangs. run_directory, run_name, save_vxa_every, save_lineages: VXA files of the best so far, of generations and of lineages are kept as there, in
    bestSoFar/fitOnly, Gen_0000 and lineages of run_directory, those of them that are there.

    Individuals that are not valid get the worst values; of those with a phenotype that was evaluated before, by its md5, the scores are kept in pop.already_evaluated,
    unless env.actuation_variance is above 0. One that bursts has moved by 0. One that can not run gets the worst values and a warning; where none of a generation can,
    its error is raised.

    conventions: "evosoro", or another compatibility preset; None: as VOXELASTIC_PEER of the environment says, else "land-water" with a FluidEnvironment, else "evosoro".
    threads: 0 stands for all processors that this process may use. write: a function (sim, env, individual, result) that returns the text of a VXA, for a palette of
    your own; see write_vxa."""
    begin = time.monotonic()
    ahead: list[tuple[Any, str]] = []
    known: list[tuple[Any, str]] = []
    for individual in pop:
        read_environment(env, individual)
        text = write(sim, env, individual, f"{run_directory}/fitnessFiles/softbotsOutput--id_{individual.id:05d}.xml")
        individual.md5 = md5_of(individual)
        if not individual.phenotype.is_valid():
            _set_worst(pop, individual)
            print_log.message("Skipping invalid individual")
        elif env.actuation_variance == 0 and individual.md5 in pop.already_evaluated:
            known.append((individual, text))
        else:
            ahead.append((individual, text))
    pop.total_evaluations += len(ahead)
    print_log.message(f"Simulating {len(ahead)} of {len(pop)} individuals")
    scores = _simulate([text for _, text in ahead], conventions, threads)
    for number, ((individual, text), result) in enumerate(zip(ahead, scores), 1):
        _take(pop, individual, result)
        print_log.message(f"{run_name}--id_{individual.id:05d} fit = {individual.fitness} ({number} / {len(ahead)})")
        _keep(pop, individual, text, save_vxa_every, Path(run_directory), run_name, save_lineages)
    for individual, text in known:
        for (rank, goal), value in zip(pop.objective_dict.items(), pop.already_evaluated[individual.md5]):
            if goal["tag"] is not None:
                setattr(individual, goal["name"], value)
        _count(pop, individual)
        if save_vxa_every > 0 and pop.gen % save_vxa_every == 0:
            _write(Path(run_directory, f"Gen_{pop.gen:04d}"), pop, individual, text, run_name)
    print_log.message(f"{len(ahead)} individuals took {time.monotonic() - begin:.1f} s; {pop.total_evaluations} evaluations in all")


def _simulate(texts: list[str], conventions: str | None, threads: int) -> list[Score | Error]:
    """Scores of robots, in their order; an Error for one that could not run."""
    def one(text: str) -> Score | Error:
        try:
            return score(text, conventions)
        except Error as error:
            return error
    with ThreadPoolExecutor(threads or len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(one, texts))
    errors = [result for result in results if isinstance(result, Error)]
    if errors and len(errors) == len(results):
        raise errors[0]
    return results


def _set_worst(pop: Any, individual: Any) -> None:
    for goal in pop.objective_dict.values():
        if goal["name"] != "age":
            setattr(individual, goal["name"], goal["worst_value"])


def _take(pop: Any, individual: Any, result: Score | Error) -> None:
    """Sets the objectives of an individual by its scores, and by the layers of its phenotype."""
    if isinstance(result, Error):
        warnings.warn(VoxelasticWarning(f"individual {individual.id}: {result}"), stacklevel=3)
        _set_worst(pop, individual)
        return
    for goal in pop.objective_dict.values():
        if goal["tag"] is not None:
            tag = goal["tag"].strip("<>")
            if tag not in result:
                raise ValueError(f"objective {goal['name']!r}: no tag <{tag}>; there are {', '.join(result)}")
            setattr(individual, goal["name"], result[tag])
    _count(pop, individual)
    pop.already_evaluated[individual.md5] = [getattr(individual, goal["name"]) for goal in pop.objective_dict.values()]
    pop.all_evaluated_individuals_ids += [individual.id]


def _count(pop: Any, individual: Any) -> None:
    """Sets the objectives that are found from layers of the phenotype, without a simulation."""
    mapping = dict(individual.genotype.to_phenotype_mapping.items())
    for goal in pop.objective_dict.values():
        if goal["tag"] is None and goal.get("output_node_name") in mapping:
            setattr(individual, goal["name"], goal["node_func"](mapping[goal["output_node_name"]]["state"]))


def _keep(pop: Any, individual: Any, text: str, every: int, folder: Path, run_name: str, lineages: bool) -> None:
    """Keeps the VXA of an individual where it is asked for."""
    if individual.fitness > pop.best_fit_so_far:
        pop.best_fit_so_far = individual.fitness
        _write(folder / "bestSoFar/fitOnly", pop, individual, text, run_name)
    if lineages:
        _write(folder / "lineages", pop, individual, text, run_name)
    if every > 0 and pop.gen % every == 0:
        _write(folder / f"Gen_{pop.gen:04d}", pop, individual, text, run_name)


def _write(folder: Path, pop: Any, individual: Any, text: str, run_name: str) -> None:
    if folder.is_dir():
        name = f"{run_name}--Gen_{pop.gen:04d}--fit_{individual.fitness:.8f}--id_{individual.id:05d}.vxa"
        (folder / name).write_text(text, encoding="utf-8")
