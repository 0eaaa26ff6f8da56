# SPDX-License-Identifier: MIT
"""Python computes what the program computes, to the last bit: evaluate as `voxelastic batch`, World as `voxelastic run`, for all designs in assets/."""
import json
import tempfile
import unittest
from pathlib import Path

from common import ASSETS, QUADRUPED, all_designs, main, np, run_program, vx, walker

STEPS = 150


class Bits(unittest.TestCase):
    def test_evaluate_is_batch(self):
        designs = all_designs()
        self.assertGreater(len(designs), 20)
        with tempfile.TemporaryDirectory() as folder:
            run_program("batch", *designs, "--steps", STEPS, "--quiet", "-o", f"{folder}/rows.json")
            rows = json.loads(Path(folder, "rows.json").read_text())["robots"]
        results = vx.evaluate([vx.Design.read(path) for path in designs], steps=STEPS)
        for path, row, result in zip(designs, rows, results):
            with self.subTest(path.name):
                self.assertEqual(vx.Status(result["status"]).name.lower(), row["status"])
                self.assertEqual(f"{result['hash']:016x}", row["state_hash"])
                self.assertEqual(result["steps"], row["steps"])

    def test_world_is_run(self):
        for path in all_designs():
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                run_program("run", path, "--steps", STEPS, "--quiet", "--result", f"{folder}/result.json")
                result = json.loads(Path(folder, "result.json").read_text())
                world = vx.World(vx.Design.read(path))
                world.advance(STEPS)
                self.assertEqual(f"{world.hash:016x}", result["state_hash"])
                self.assertEqual(list(world.center), result["center_of_mass_m"])

    def test_until_is_duration(self):
        with tempfile.TemporaryDirectory() as folder:
            run_program("run", QUADRUPED, "--duration", 0.5, "--quiet", "--result", f"{folder}/result.json")
            result = json.loads(Path(folder, "result.json").read_text())
        world = vx.World(vx.Design.read(QUADRUPED), threads=2)
        for until in (0.1, 0.1, 0.3000001, 0.5):
            world.advance(until=until)
        self.assertEqual(f"{world.hash:016x}", result["state_hash"])

    def test_choices_are_options(self):
        for choices, options in (({"precision": "double"}, ["--precision", "double"]), ({"conventions": "voxelyze"}, ["--conventions", "voxelyze"]),
                                 ({"step_seconds": 1e-4}, ["--timestep", "1e-4"]), ({"step_scale": 0.5, "torsion": "polar"}, ["--step-scale", "0.5", "--torsion", "polar"]),
                                 ({"damping": "explicit", "accuracy": "fast"}, ["--damping", "explicit", "--accuracy", "fast"])):
            with self.subTest(str(choices)), tempfile.TemporaryDirectory() as folder:
                run_program("run", QUADRUPED, "--steps", STEPS, "--quiet", "--result", f"{folder}/result.json", *options)
                result = json.loads(Path(folder, "result.json").read_text())
                world = vx.World(vx.Design.read(QUADRUPED), **choices)
                world.advance(STEPS)
                self.assertEqual(f"{world.hash:016x}", result["state_hash"])
                self.assertEqual(world.facts.conventions, result["conventions"])

    def test_copies_have_the_same_bits(self):
        import copy
        import pickle
        for path in all_designs():
            design = vx.Design.read(path)
            for other in (design.copy(), copy.deepcopy(design), pickle.loads(pickle.dumps(design)), vx.Design.read_text(design.text())):
                self.assertIs(type(other), vx.Design)
                self.assertEqual(other.hash, design.hash, path.name)

    def test_a_design_is_written_and_read(self):
        design = walker()
        with tempfile.TemporaryDirectory() as folder:
            design.write(Path(folder, "walker.json"))
            self.assertEqual(vx.Design.read(f"{folder}/walker.json").to_array().tolist(), design.to_array().tolist())

    def test_worlds_of_a_batch(self):
        batch = vx.Batch(steps=STEPS)
        batch.add(vx.Design.read(ASSETS / "worm.vxa"))
        batch.add(walker(), step=0.5, shift=(1, 0, 0), turn=(0, 0, 0.1))
        batch.run()
        for robot, row in enumerate(batch.results()):
            world = batch.world(robot)
            world.advance(int(row["steps"]))
            self.assertEqual(world.hash, row["hash"])
            self.assertEqual(list(world.center), [row["x"], row["y"], row["z"]])

    def test_schedules_and_threads(self):
        designs = [walker((n, 3, 3)) for n in (5, 6, 7)] * 4
        rows = [vx.evaluate(designs, steps=STEPS, schedule=schedule, threads=threads) for schedule, threads in (("lanes", 1), ("alone", 2), ("auto", 0))]
        for row in rows[1:]:
            np.testing.assert_array_equal(row["hash"], rows[0]["hash"])
            np.testing.assert_array_equal(row["displacement"], rows[0]["displacement"])


if __name__ == "__main__":
    main()
