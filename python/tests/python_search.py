# SPDX-License-Identifier: MIT
"""Searches: told what the program would have found, they write the folder that it writes; a fitness in Python is improved by every kind of algorithm; wrong calls are
refused and change nothing; Ctrl-C and an exception give up one generation alone."""
import filecmp
import json
import os
import signal
import sys
import tempfile
import threading
import time
import unittest

from common import main, np, run_program, vx

MATERIALS = [{"name": "muscle", "youngs_modulus_Pa": 1e6, "thermal_expansion_per_K": 0.01}, {"name": "tissue", "youngs_modulus_Pa": 1e6}]


def experiment(algorithm="afpo", generations=5, population=8, **more):
    """A small experiment; cma-es searches the phases of a bar of muscles."""
    made = {"format": "voxelastic experiment", "version": 1, "name": "small", "seed": 3, "size": [4, 4, 3],
            "world": {"materials": MATERIALS, "actuation": {"enabled": True, "amplitude_K": 14, "period_s": 0.25}},
            "task": {"name": "walk", "duration_s": 0.2, "settle_time_s": 0.05},
            "algorithm": {"name": algorithm, "population": population, "generations": generations}, **more}
    if algorithm == "cma-es":
        del made["size"]
        made["encoding"] = {"name": "controller"}
        made["world"]["voxels"] = [[x, y, 0, 0] for x in range(4) for y in range(2)]
    return made


def same_folders(a, b):
    """Whether two folders have the same files with the same bytes."""
    compared = filecmp.dircmp(a, b)
    if compared.left_only or compared.right_only:
        return False
    files = [name for name in compared.common_files]
    return filecmp.cmpfiles(a, b, files, shallow=False)[0] == files and all(same_folders(f"{a}/{name}", f"{b}/{name}") for name in compared.common_dirs)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def search(self, name="search", *arguments, **keywords):
        return vx.Search(experiment(*arguments, **keywords), self.path(name))


class Told(Folder):
    def test_the_folder_of_the_program(self):
        for algorithm in ("afpo", "map-elites", "cma-es"):
            made = experiment(algorithm)
            file, program, told, ours = (self.path(f"{algorithm}{end}") for end in (".json", "-program", "-told", "-ours"))
            with open(file, "w") as stream:
                json.dump(made, stream)
            run_program("evolve", file, "--out", program, "--quiet")
            with vx.Search(file, told, threads=1) as search:
                while search.facts.generation < search.facts.generations:
                    search.tell(vx.evaluate(search.ask())["fitness"])
                self.assertEqual(search.facts.runs, 0)
            with vx.Search(made, ours) as search:
                self.assertGreater(search.run().runs, 0)
            self.assertTrue(same_folders(program, told), algorithm)
            self.assertTrue(same_folders(program, ours), algorithm)

    def test_parts_are_the_whole(self):
        def count(designs):
            return [design.voxels for design in designs]
        with self.search("whole") as search:
            search.run(count)
        with self.search("parts") as search:
            self.assertEqual(search.run(count, generations=2).generation, 2)
            search.ask()
        with vx.Search(None, self.path("parts"), resume=True) as search:
            self.assertEqual(search.facts.generation, 2)
            self.assertEqual(search.run(count).generation, 5)
            self.assertEqual(search.run(count).generation, 5)
        for table in ("individuals.csv", "generations.csv"):
            self.assertTrue(filecmp.cmp(self.path(f"whole/{table}"), self.path(f"parts/{table}"), shallow=False), table)

    def test_an_extended_search_is_the_longer_one(self):
        shorter = experiment()
        shorter["algorithm"] = dict(shorter["algorithm"], generations=2)
        with vx.Search(shorter, self.path("extended")) as search:
            search.run()
            search.extend(2)
            self.assertEqual(search.run().generation, 4)
        with vx.Search(None, self.path("extended"), resume=True) as search:
            for wrong, kind in ((-1, OverflowError), (1.5, TypeError), (10**9, ValueError)):
                with self.assertRaises(kind):
                    search.extend(wrong)
            search.extend(1)
            self.assertEqual((search.run().generation, search.facts.generations), (5, 5))
        with self.search("whole") as search:
            search.run()
        self.assertTrue(same_folders(self.path("whole"), self.path("extended")))

    def test_rare_checkpoints_lose_nothing_of_a_run(self):
        with self.search(checkpoint_interval=100) as search:
            search.run(generations=3)
        with vx.Search(experiment(checkpoint_interval=100), self.path("search"), resume=True) as search:
            self.assertEqual(search.facts.generation, 3)


class Outside(Folder):
    SCRIPT = "import json, sys, time\nfor line in sys.stdin:\n    {}print(len(json.loads(line)['voxels']), flush=True)\n"

    def program(self, before=""):
        return {"name": "program", "command": [sys.executable, "-c", self.SCRIPT.format(before)]}

    def test_a_program_is_a_function(self):
        with self.search("program", task=self.program()) as one, self.search("told", task={"name": "told"}) as other:
            one.run()
            with self.assertRaisesRegex(vx.InvalidInput, "fitness is told"):
                other.run()
            other.run(lambda designs: [design.voxels for design in designs])
            self.assertEqual((one.fitness_unit, one.facts.best_fitness), ("", other.facts.best_fitness))
        for table in ("individuals.csv", "generations.csv"):
            self.assertTrue(filecmp.cmp(self.path(f"program/{table}"), self.path(f"told/{table}"), shallow=False), table)

    def test_a_program_that_fails(self):
        with self.search(task=self.program("sys.exit(9); ")) as search:
            for _ in range(2):
                with self.assertRaisesRegex(vx.SystemFailure, "ended with status 9"):
                    search.advance()
            search.run(lambda designs: [design.voxels for design in designs])
        with self.assertRaisesRegex(vx.SystemFailure, "cannot start no-such-program"):
            self.search("x", task={"name": "program", "command": ["no-such-program"]})

    def test_ctrl_c_ends_a_program(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with self.search(task=self.program("time.sleep(100); ")) as search:
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                search.run()
            timer.join()
            self.assertEqual(search.facts.generation, 0)
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


class Improves(Folder):
    def improve(self, fitness, *arguments, **keywords):
        """The best fitness after the first generation, and after the last."""
        with self.search("search", *arguments, **keywords) as search:
            first = search.run(fitness, generations=1).best_fitness
            last = search.run(fitness).best_fitness
            self.assertEqual(fitness([search.best]), [last])
            return first, last

    def test_afpo(self):
        """Tissue below and muscles above: as many voxels as possible of the right material."""
        def fitness(designs):
            return [float(np.where(design.material == (design.positions[:, 2] < 0.01), 1, -1).sum()) for design in designs]
        first, last = self.improve(fitness, generations=40)
        self.assertGreater(last, first)

    def test_map_elites(self):
        first, last = self.improve(lambda designs: [-abs(design.voxels - 17.5) for design in designs], "map-elites", generations=20)
        self.assertGreater(last, first)

    def test_cma_es(self):
        """Phases (cycles) that rise along x by a quarter from voxel to voxel; the sum of squared differences falls by four orders."""
        def fitness(designs):
            off = [np.exp(2j * np.pi * design.layer("PhaseOffset")[:]) - np.exp(0.5j * np.pi * np.arange(8)) for design in designs]
            return [-float((abs(differences) ** 2).sum()) for differences in off]
        first, last = self.improve(fitness, "cma-es", generations=150, population=16, seed=1)
        self.assertGreater(last, 1e-4 * first)

    def test_nan_is_no_fitness(self):
        with self.search() as search:
            search.run(lambda designs: [np.nan] * len(designs))
            self.assertEqual((search.facts.best, search.best, search.facts.failed), (0, None, 8))
            self.assertTrue(np.isnan(search.facts.best_fitness))


class Refusals(Folder):
    def test_order(self):
        search = self.search()
        with self.assertRaisesRegex(vx.InvalidInput, "ask first"):
            search.tell([])
        designs = search.ask()
        self.assertEqual(search.facts.asked, len(designs))
        for call in (search.ask, search.advance):
            with self.assertRaisesRegex(vx.InvalidInput, "waits for the fitness"):
                call()
        search.withdraw()
        search.withdraw()
        self.assertEqual([design.hash for design in search.ask()], [design.hash for design in designs])
        designs[0].gravity = (0, 0, 0)  # a copy
        search.tell(np.ones(len(designs)))
        search.run()
        for call in (search.ask, search.advance):
            with self.assertRaisesRegex(vx.InvalidInput, "complete"):
                call()

    def test_numbers(self):
        search = self.search()
        count = len(search.ask())
        right = np.arange(count)
        wrong = ((right[1:], vx.InvalidInput, f"{count - 1} numbers for the {count} bodies"), (right[:, None], ValueError, r"shape \(bodies,\)"),
                 (["x"] * count, TypeError, "such as 'x'"), ([None] * count, TypeError, "such as None"), (5, TypeError, "not iterable"),
                 (right * 1j, TypeError, "complex128"), ([np.inf] * count, vx.InvalidInput, "infinite"), (3.5, TypeError, "iterable"))
        for numbers, kind, text in wrong:
            with self.assertRaisesRegex(kind, text):
                search.tell(numbers)
        with self.assertRaisesRegex(ValueError, "float64"):
            search.tell_numbers(right.astype(np.float32))
        search.tell(int(number) for number in right)
        self.assertEqual((search.facts.generation, search.facts.best_fitness), (1, count - 1))

    def test_experiments_and_folders(self):
        search = self.search()
        wrong = (lambda: vx.Search(experiment(), self.path("search")), vx.Error, "exists"), (lambda: vx.Search(None, self.path("x")), TypeError, "which experiment"), \
            (lambda: vx.Search(None, self.path("x"), resume=True), vx.SystemFailure, "no search"), (lambda: vx.Search(self.path("no.json"), self.path("x")), vx.SystemFailure, "no.json"), \
            (lambda: vx.Search({"format": "x"}, self.path("x")), vx.InvalidInput, "experiment: not an experiment"), (lambda: vx.Search([], self.path("x")), TypeError, "list"), \
            (lambda: vx.Search(experiment(sed=1), self.path("x")), vx.InvalidInput, "did you mean seed"), (lambda: vx.Search(experiment(), 5), TypeError, "int"), \
            (lambda: vx.Search(experiment(), self.path("x"), threads=-1), ValueError, "-1"), (lambda: vx.Search(None, self.path("search"), resume=True), vx.SystemFailure, "in use")
        for call, kind, text in wrong:
            with self.assertRaisesRegex(kind, text):
                call()
        search.close()
        with self.assertRaisesRegex(vx.InvalidInput, "differs"):
            vx.Search(experiment("ga"), self.path("search"), resume=True)
        for call in (search.ask, search.advance, lambda: search.facts, lambda: search.best, lambda: search.tell([1]), search.withdraw, search.checkpoint, search.__enter__):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        search.close()
        self.assertIn("closed", repr(search))
        with self.assertRaisesRegex(TypeError, "class of designs"):
            vx.Search(None, self.path("search"), resume=True).ask_bodies(int)

    def test_progress(self):
        with self.search(task={"duration_s": 5}) as search:
            with self.assertRaisesRegex(TypeError, "must be a function"):
                search.advance(5)
            self.assertFalse(search.advance(lambda facts: False))
            with self.assertRaises(ZeroDivisionError):
                search.advance(lambda facts: 1 / 0)
            self.assertEqual((search.facts.generation, search.facts.asked), (0, 0))
        with self.search("other") as search:
            seen = []
            search.run(lambda designs: [1] * len(designs), progress=lambda facts: seen.append(facts.generation) or facts.generation < 3)
            self.assertEqual(seen, [1, 2, 3])


class Interrupted(Folder):
    def test_an_exception_of_the_fitness(self):
        with self.search() as search, self.search("whole") as whole:
            search.run(generations=1)
            with self.assertRaises(ZeroDivisionError):
                search.run(lambda designs: 1 / 0)
            with self.assertRaises(vx.InvalidInput):
                search.run(lambda designs: [])
            self.assertEqual((search.facts.generation, search.facts.asked), (1, 0))
            self.assertEqual(search.run().best, whole.run().best)

    def test_ctrl_c(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with self.search(task={"duration_s": 1e5}) as search:
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                search.run()
            timer.join()
            self.assertEqual((search.facts.generation, search.facts.asked), (0, 0))
            self.assertEqual(len(search.ask()), search.facts.asked)

    def test_two_threads(self):
        with self.search(task={"duration_s": 1e5}) as search:
            end = threading.Event()
            thread = threading.Thread(target=search.advance, args=(lambda facts: not end.is_set(),))
            thread.start()
            met = False
            while not met:
                try:
                    search.facts
                    time.sleep(0.01)
                except RuntimeError as error:
                    met = "another thread" in str(error)
            with self.assertRaisesRegex(RuntimeError, "another thread"):
                search.close()
            end.set()
            thread.join()
            self.assertEqual(search.facts.generation, 0)


if __name__ == "__main__":
    main()
