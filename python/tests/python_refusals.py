# SPDX-License-Identifier: MIT
"""Bad input: the right exception each time, which says what was expected and what came; never a crash, and nothing is half done."""
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

from common import ASSETS, QUADRUPED, bursting, main, np, vx, walker


WITHOUT_MEMORY = """
import resource
import numpy as np
import voxelastic as vx
cells, palette = np.ones((200, 200, 200), int), vx.Material()
small = vx.Design.from_array(cells[:2, :2, :2], palette)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (96 << 20), -1))
hash = small.hash
for call in (lambda: vx.Design.from_array(cells, palette), lambda: small.add_array(cells, [palette], (9, 0, 0), {})):
    try:
        call()
    except MemoryError as error:
        assert not isinstance(error, vx.Error)
    else:
        raise AssertionError("it had the memory")
assert small.hash == hash
vx.World(small).advance(10)
"""


class Refusals(unittest.TestCase):
    def refuses(self, kind, pattern, call, *arguments, **keywords):
        with self.assertRaisesRegex(kind, pattern) as caught:
            call(*arguments, **keywords)
        return caught.exception

    def test_out_arrays(self):
        world = vx.World(walker())
        n = world.facts.voxels
        read_only = np.empty((n, 3))
        read_only.flags.writeable = False
        swapped = np.empty((n, 3)).astype(">f8")
        for out, pattern in ((np.empty((n, 3), np.float32), r"expected a writable array of float64 and shape \(\d+, 3\) in C order, not float32 of shape \(\d+, 3\)"),
                             (np.empty((n, 3), np.int64), "not int64"), (np.empty((n, 3), bool), "not bool"), (np.empty((n + 1, 3)), rf"not float64 of shape \({n + 1}, 3\)"),
                             (np.empty(3 * n), rf"not float64 of shape \({3 * n},\)"), (np.empty((n, 3), order="F"), "not in C order"), (np.empty((n, 6))[:, ::2], "not in C order"),
                             (read_only, "read-only"), (swapped, "not format"), (np.empty((n, 3), complex), "not format"), (np.empty((n, 3), object), "not format"),
                             (bytearray(24 * n), "not uint8")):
            before = out.copy() if isinstance(out, np.ndarray) else out
            self.refuses(ValueError, pattern, world.positions, out)
            if isinstance(out, np.ndarray) and out.dtype != object:
                self.assertEqual(before.tobytes(), out.tobytes())
        for out in ([0.0] * n, 5, "text"):
            self.refuses(TypeError, "expected an array of float64", world.positions, out)
        self.refuses(ValueError, "sense takes", world.sense)
        self.refuses(ValueError, "there is no sensor 'flor'", world.sense, "flor")
        self.refuses(ValueError, "tuple of as many", world.sense, "floor", "edge", out=np.empty(n))
        self.refuses(ValueError, "touched: expected a writable array of uint8", world.sense, "touched", out=np.empty(n))
        self.refuses(TypeError, "sense takes names", world.sense, "floor", into=3)
        self.refuses(ValueError, "which: expected an array of float64", world.hull_volume, np.ones(3))

    def test_cells(self):
        make, palette = vx.Design.from_array, [vx.Material()]
        self.refuses(ValueError, "float64 of shape", make, np.zeros((2, 2, 2)), palette)
        self.refuses(ValueError, r"shape \(2, 2\)", make, np.zeros((2, 2), int), palette)
        self.refuses(ValueError, r"cell \(1, 0, 1\) is 2: expected 0 \(empty\) to 1", make, [[[1, 1]], [[1, 2]]], palette)
        self.refuses(ValueError, "is -1: expected 0", make, [[[-1]]], palette)
        self.refuses(TypeError, "expected a Material, not 'soft'", make, [[[1]]], ["soft"])
        self.refuses(ValueError, r"PhaseOffset: expected a number, or an array of the shape of material, \(1, 1, 2\)", make, [[[1, 1]]], palette, phase=np.zeros((2, 1, 1)))
        self.refuses(ValueError, "lattice coordinates", make, [[[1]]], palette, origin=(2**31, 0, 0))
        self.refuses(ValueError, "", make, [[[1]]], palette, origin="abc")
        self.refuses(TypeError, "", make, [[[1]]], palette, origin=3)
        design = walker()
        hash = design.hash
        cells = np.ones((2, 2, 2), int)
        self.refuses(ValueError, "material: expected an array of int64", design.add_array, cells.astype(np.int32), palette, (0, 0, 0), {})
        self.refuses(ValueError, "Amplitude: expected an array of float64", design.add_array, cells, palette, (0, 0, 0), {"Amplitude": np.zeros(3)})
        self.refuses(ValueError, "a layer's name has 1 to 47 bytes", design.add_array, cells, palette, (0, 0, 0), {"x" * 48: np.zeros((2, 2, 2))})
        self.refuses(TypeError, "", design.add_array, cells, [vx.Material(), 5], (0, 0, 0), {})
        self.assertEqual(design.hash, hash)

    def test_numbers_of_designs(self):
        design = walker()
        hash = design.hash
        for name, value, kind in (("gravity", (0, 0), ValueError), ("gravity", "abc", TypeError), ("gravity", 3, TypeError), ("voxel_size", "wide", TypeError), ("name", 5, TypeError),
                                  ("name", "x" * 200, ValueError), ("name", "a\0b", ValueError), ("self_collision", "yes", TypeError), ("conventions", "voxlyze", vx.InvalidInput),
                                  ("conventions", 7, TypeError)):
            self.refuses(kind, name if kind is not vx.InvalidInput else "voxelyze", setattr, design, name, value)
        self.refuses(AttributeError, "", delattr, design, "gravity")
        self.refuses(AttributeError, "", setattr, design, "hash", 3)
        self.refuses(AttributeError, "", setattr, design, "gravty", 3)
        self.refuses(TypeError, "did you mean 'amplitude'", design.actuation, amplitud=3)
        self.refuses(TypeError, "Actuation: amplitude must be a number", design.actuation, period=2, amplitude="big")
        self.refuses(TypeError, "keyword arguments only", design.floor, 3)
        self.refuses(ValueError, "Magnetics: every must be from 0 to", setattr, design.magnetics, "every", -1)
        self.refuses(TypeError, "whole number", setattr, design.magnetics, "every", 1.5)
        self.refuses(ValueError, 'model must be one of "linear"', setattr, design.materials[0], "model", "viscous")
        self.refuses(ValueError, "color must be 4 numbers", setattr, design.materials[0], "color", (1, 0, 0))
        self.refuses(ValueError, "at most 32 pairs", setattr, design.materials[0], "curve", [(0, 0)] * 33)
        self.refuses(ValueError, "2 numbers", setattr, design.materials[0], "curve", [(0, 0, 0)])
        self.refuses(TypeError, "no formula 'fitnes'", design.formula, fitnes="x")
        self.refuses(vx.InvalidInput, "", design.formula, fitness="x +")
        self.refuses(vx.InvalidInput, "", design.formula, stop="nonsense > 1")
        self.refuses(ValueError, "no material 7", design.add_voxel, 0, 0, 9, 7)
        self.refuses(ValueError, "freedoms are x, y, z", design.fix, ((0, 0, 0), (1, 1, 1)), "xw")
        self.refuses(ValueError, "low must be 3 numbers", design.fix, ((0, 0), (1, 1, 1)))
        self.refuses(ValueError, r"table: expected an array of float64 and shape \(any, 2\)", design.schedule, 0, [1, 2])
        self.refuses(ValueError, "PhaseOffset: expected an array of float64", design.put_layer, "PhaseOffset", np.zeros(3), 1)
        self.refuses(ValueError, "another number of numbers", design.put_layer, "PhaseOffset", np.zeros((design.voxels, 2)), 2)
        self.refuses(ValueError, "at least one", design.put_layer, "PhaseOffset", np.zeros(3), 0)
        self.refuses(KeyError, "Stiffness", design.layer_values, "Stiffness")
        self.refuses(vx.InvalidInput, "voxels of 0.01 m", vx.Design(voxel_size=0.02).add, design)
        self.refuses(TypeError, "", design.add, "other")
        self.refuses(vx.InvalidInput, "deeper", design.extrude, 2)
        self.refuses(vx.InvalidInput, "", design.heights, np.zeros((1, 1)))
        self.refuses(vx.InvalidInput, "", design.set_velocity, 10**6)
        self.assertEqual(design.hash, hash)
        self.refuses(vx.InvalidInput, "density", vx.Material, density=-1)
        self.refuses(TypeError, "did you mean 'density'", vx.Material, densty=1)
        self.refuses(TypeError, "keyword arguments only", vx.Material, 5)
        self.refuses(TypeError, "cannot create", type(design.floor))
        design.materials[0].density = float("nan")
        for call in (design.check, design.text, lambda: vx.World(design), lambda: design.write(os.devnull + ".json")):
            self.refuses(vx.InvalidInput, "density", call)
        self.assertEqual(vx.evaluate([design], duration=1)["status"][0], vx.REFUSED)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.json")
            with open(path, "w") as file:
                file.write('{"voxels": [[0, 0, 0, 0]],\n "materials": [{"density_kg_per_m3": -1}]}')
            error = self.refuses(vx.InvalidInput, "bad.json", vx.Design.read, path)
            self.assertIsInstance(error, (vx.Error, ValueError))
            self.assertEqual((error.status, error.file), ("invalid", path))
            with open(path, "w") as file:
                file.write('{"voxels": [}')
            error = self.refuses(vx.InvalidInput, "bad.json:1:", vx.Design.read, path)
            self.assertEqual((error.line, type(error.column)), (1, int))
            error = self.refuses(vx.SystemFailure, "", vx.Design.read, os.path.join(folder, "none.vxa"))
            self.assertIsInstance(error, OSError)
            self.refuses(vx.SystemFailure, "", walker().write, os.path.join(folder, "no/such/folder.json"))
            self.refuses(vx.InvalidInput, "", walker().write, os.path.join(folder, "walker.txt"))
            self.refuses(ValueError, "recordings are .html", vx.Recorder, walker(), os.path.join(folder, "walk.avi"))
            self.refuses(vx.SystemFailure, "", vx.Recorder, walker(), os.path.join(folder, "no/such/walk.html"))
            with open(path, "w") as file:
                file.write('{"voxels": [[0, 0, 0, 0]], "materials": [{"densty": 1}]}')
            with self.assertWarnsRegex(vx.VoxelasticWarning, "densty"):
                vx.Design.read(path)
            self.refuses(vx.InvalidInput, "", vx.Replay.read, path)
            self.assertEqual(sorted(os.listdir(folder)), ["bad.json"])
        self.refuses(TypeError, "", vx.Design.read, 5)
        self.refuses(ValueError, "null", vx.Design.read, "a\0b")
        self.refuses(vx.Unsupported, "affine", walker().add, vx.Design.read(ASSETS / "affine_crawler.json"))

    def test_choices(self):
        design = walker()
        self.refuses(TypeError, "World has no keyword argument 'precison'; did you mean 'precision'", vx.World, design, precison="double")
        self.refuses(ValueError, 'precision must be one of "mixed", "double", not \'single\'', vx.World, design, precision="single")
        self.refuses(vx.InvalidInput, "", vx.World, design, conventions="voxlyze")
        self.refuses(vx.InvalidInput, "", vx.World, design, step_seconds=float("nan"), step_rule="seconds")
        self.refuses(vx.InvalidInput, "threads", vx.World, design, threads=5000)
        self.refuses(ValueError, "threads must be from 0", vx.World, design, threads=-1)
        self.refuses(TypeError, "", vx.World)
        self.refuses(TypeError, "", vx.World, "quadruped.vxa")
        self.refuses(TypeError, "Batch has no keyword argument 'retry'", vx.evaluate, [design], duration=1, retry=3)
        self.refuses(vx.InvalidInput, "", vx.evaluate, [design], duration=1, retries=21)
        self.refuses(ValueError, "duration must be above 0, not -1", vx.evaluate, [design], duration=-1)
        self.refuses(ValueError, "duration must be above 0, not nan", vx.evaluate, [design], duration=float("nan"))
        self.refuses(TypeError, "", vx.evaluate, ["quadruped.vxa"], duration=1)
        self.refuses(TypeError, "progress must be a function", vx.evaluate, [design], duration=1, progress=3)
        self.refuses(vx.InvalidInput, "", vx.evaluate, [design], duration=1, audit=True)
        row, = vx.evaluate([design])  # no stop rule
        self.assertEqual(row["status"], vx.REFUSED)
        self.assertIn("duration", row["message"])

    def test_targets_and_places(self):
        design = walker()
        design.layer("Group")[:] = 0
        world = vx.World(design)
        hash = world.hash
        nan = float("nan")
        for factor in (nan, 0, -1, 1e9, float("inf")):
            self.refuses(vx.InvalidInput, "target", world.target, 0, factor)
        self.refuses(vx.InvalidInput, "there is no group 7", world.target, 7, 1.1)
        self.refuses(TypeError, "", world.target, 0, "wide")
        self.refuses(ValueError, "whole number from 0 to", world.target, -1, 1)
        self.refuses(TypeError, "integer", world.target, 1.5, 1)
        self.refuses(vx.InvalidInput, "", world.place, 10**6)
        self.refuses(vx.InvalidInput, "", world.place, 0, orientation=(2, 0, 0, 0))
        self.refuses(ValueError, "position must be 3 numbers", world.place, 0, position=(1, 2))
        self.refuses(ValueError, "until=nan", world.advance, until=nan)
        self.refuses(ValueError, "until=inf", world.advance, until=float("inf"))
        self.refuses(ValueError, "steps must be", world.advance, -1)
        self.refuses(TypeError, "", world.advance, 1.5)
        self.refuses(TypeError, "not both", world.advance, 1, until=2)
        self.assertEqual(world.hash, hash)
        world.advance(until=-5)
        self.assertEqual(world.steps, 0)

    def test_divergence(self):
        world = bursting()
        error = self.refuses(vx.Diverged, "at step|before step", world.advance, 5000)
        self.assertIn(error.status, ("diverged", "unphysical"))
        self.assertIn(f"step {error.step}", str(error))
        self.assertLessEqual(abs(world.steps - error.step), 1)
        self.assertLessEqual(error.time, world.time)
        self.assertTrue(all(0 <= voxel < world.facts.voxels for voxel in error.voxels))
        again = self.refuses(vx.Diverged, "", world.advance, 1)  # it stays where it is
        self.assertEqual((again.step, again.voxels, str(again)), (error.step, error.voxels, str(error)))
        wild = walker()
        wild.conventions = "voxelyze"  # whose step is not chosen by stability
        rows = vx.evaluate([walker(), wild], duration=0.5, step_scale=30)
        self.assertEqual(rows["status"].tolist(), [vx.REFUSED, vx.DIVERGED])
        self.assertTrue(np.isnan(rows["displacement"]).all())
        self.assertTrue(all(rows["message"]))
        rows = vx.evaluate([wild], duration=0.5, step_scale=30, retries=10)
        self.assertEqual(rows["status"][0], vx.DONE)
        self.assertGreater(rows["retries"][0], 0)

    def test_warnings_can_be_errors(self):
        design = walker()
        design.layer("Amplitud")[:] = 3
        with self.assertWarns(vx.VoxelasticWarning):
            vx.World(design)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.refuses(vx.VoxelasticWarning, "Amplitud", vx.World, design)

    def test_closed_handles(self):
        design = walker()
        with vx.World(design) as world:
            pass
        self.assertTrue(world.closed)
        for call in (world.advance, world.positions, world.energy, lambda: world.time, lambda: world.hash, lambda: world.center, lambda: world.sense("floor"),
                     lambda: world.target(0, 1), lambda: world.place(0), lambda: vx.Frame(world), world.__enter__):
            self.refuses(ValueError, "the world is closed", call)
        world.close()
        self.assertIn("closed", repr(world))
        batch = vx.Batch(duration=1)
        batch.add(design)
        batch.close()
        batch.close()
        for call in (batch.run, lambda: len(batch), lambda: batch.add(design), lambda: batch.result(0), lambda: batch.world(0), lambda: batch.facts):
            self.refuses(ValueError, "the batch is closed", call)
        with tempfile.TemporaryDirectory() as folder:
            recorder = vx.Recorder(design, f"{folder}/walk.html")
            recorder.abandon()
            self.assertEqual(os.listdir(folder), [])
            for call in (lambda: recorder.add(vx.World(design)), lambda: recorder.note("x"), recorder.__enter__):
                self.refuses(ValueError, "the recorder is closed", call)
            recorder.close()

    def test_designs_in_use(self):
        design = walker()
        batch = vx.Batch(duration=1)
        batch.add(design)
        for call in (lambda: design.add_voxel(0, 0, 9, 0), lambda: setattr(design, "gravity", (0, 0, 0)), lambda: setattr(design.materials[0], "density", 5),
                     lambda: setattr(design.floor, "height", 1), lambda: design.actuation(period=1), lambda: design.layer("Group").__setitem__(0, 1),
                     lambda: design.formula(fitness="x"), lambda: design.add(walker()), lambda: design.add_material(vx.Material())):
            self.refuses(RuntimeError, "the design is in use", call)
        design.copy().gravity = (0, 0, 0)
        self.refuses(IndexError, "there is no robot 1", batch.result, 1)
        self.refuses(IndexError, "there is no robot -1", batch.result, -1)
        batch.close()
        design.gravity = (0, 0, 0)
        with tempfile.TemporaryDirectory() as folder:
            with vx.Recorder(design, f"{folder}/walk.vxr") as recorder:
                self.refuses(RuntimeError, "the design is in use", design.add_voxel, 0, 0, 9, 0)
                recorder.add(vx.World(design))
                self.refuses(vx.InvalidInput, "", recorder.add, vx.World(walker((7, 4, 3))))
                self.refuses(TypeError, "World or a Frame", recorder.add, design)
            self.refuses(ZeroDivisionError, "", self.fail_within, design, folder)
            self.assertEqual(os.listdir(folder), ["walk.vxr"])
        design.gravity = (0, 0, -1)

    @staticmethod
    def fail_within(design, folder):
        with vx.Recorder(design, f"{folder}/none.html") as recorder:
            recorder.add(vx.World(design))
            raise ZeroDivisionError

    def test_two_threads_on_one_world(self):
        world = vx.World(walker((10, 10, 10)))
        worker = threading.Thread(target=world.advance, args=(5000,))
        worker.start()
        refused = {}
        while worker.is_alive():
            for name, call in (("advance", world.advance), ("positions", world.positions), ("close", world.close), ("hash", lambda: world.hash)):
                try:
                    call()
                except RuntimeError as error:
                    refused[name] = str(error)
                except ValueError:
                    pass
            repr(world)
            if len(refused) == 4:
                break
        worker.join()
        self.assertEqual(set(refused), {"advance", "positions", "close", "hash"})
        self.assertIn("one thread at a time", refused["advance"])

    def test_worlds_in_threads(self):
        alone = vx.World(walker())
        alone.advance(2000)
        hashes = []

        def run():
            world = vx.World(walker())
            world.advance(2000)
            hashes.append(world.hash)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(hashes, [alone.hash] * 4)

    def test_two_threads_on_one_batch(self):
        batch = vx.Batch(duration=4, threads=1)
        designs = [walker((8, 8, 8)) for _ in range(8)]
        for design in designs:
            batch.add(design)
        seen = []

        def progress(row):
            for call in (batch.run, lambda: batch.result(0), batch.close, lambda: batch.add(designs[0])):
                try:
                    call()
                except RuntimeError as error:
                    seen.append(str(error))
            return False

        batch.run(progress)
        self.assertEqual(len(seen), 4)
        self.assertTrue(all("one thread at a time" in text for text in seen))

    def test_numbers_that_close_what_they_are_for(self):
        design = walker()
        design.layer("Group")[:] = 0

        class Number:
            def __init__(self, action):
                self.action = action

            def __float__(self):
                self.action()
                return 1.0

            def __index__(self):
                self.action()
                return 0

        for call in (lambda world, number: world.target(0, number), lambda world, number: world.place(0, (number, 0, 0)), lambda world, number: world.advance(until=number),
                     lambda world, number: world.advance(number)):
            world = vx.World(design)
            self.refuses(ValueError, "the world is closed", call, world, Number(world.close))
        batch = vx.Batch(duration=1)
        batch.add(design)
        self.refuses(ValueError, "the batch is closed", batch.result, Number(batch.close))
        for call in (lambda gradient, number: gradient.value(number), lambda gradient, number: gradient.by(number, "phase"), lambda gradient, number: gradient.facts(number),
                     lambda gradient, number: gradient.put(number, "phase", np.zeros(design.voxels))):
            gradient = vx.Gradient(step_seconds=1e-5, steps=1)
            gradient.add(walker())
            self.refuses(ValueError, "the gradient is closed", call, gradient, Number(gradient.close))
        view = design.materials[0]
        view.density = Number(lambda: [design.add_material(view) for _ in range(50)])  # the list moves
        self.assertEqual((view.density, len(design.materials)), (1, 52))
        design.heights(np.zeros((2, 2)), 1)
        design.floor.height = Number(lambda: design.heights(np.full((90, 90), -0.5), 1))  # the heights move
        design.floor(radius=Number(lambda: design.heights(np.full((30, 30), -0.25), 1)))
        plain = design.copy()
        plain.heights(np.full((30, 30), -0.25), 1)
        plain.floor(height=1, radius=1)
        self.assertEqual(design.hash, plain.hash)
        batch = vx.Batch(duration=1)
        self.refuses(RuntimeError, "the design is in use", setattr, view, "density", Number(lambda: batch.add(design)))
        self.assertEqual(view.density, 1)

    def test_warnings_that_close_the_world(self):
        design = walker()
        world = vx.World(design)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda *arguments, **keywords: world.close()
            design.layer("Amplitud")[:] = 3
            vx.World(design)  # closes the other one
        self.assertTrue(world.closed)

    @unittest.skipIf("libasan" in os.environ.get("LD_PRELOAD", ""), "the sanitizer needs all of the address space")
    def test_memory_that_ends(self):
        subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], check=True)

    def test_errors_in_progress(self):
        with self.assertRaises(ZeroDivisionError):
            vx.evaluate([walker((8, 8, 8)) for _ in range(8)], duration=10, threads=1, progress=lambda row: 1 / 0)


if __name__ == "__main__":
    main()
