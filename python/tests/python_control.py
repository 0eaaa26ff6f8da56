# SPDX-License-Identifier: MIT
"""Controllers of designs and networks of teams: the same bits in worlds, batches, teams and the program; hands; what does not fit is refused."""
import copy
import os
import pickle
import tempfile
import unittest

from common import main, np, program, vx

import subprocess

SENSORS = ("velocity", "up", "group_place")


def body(groups=3):
    cells = np.ones((4, 3, 2), int)
    return vx.Design.from_array(cells, vx.Material(youngs_modulus=1e6), group=np.indices(cells.shape)[0] % groups, voxel_size=0.1)


def weights(count, seed=1):
    return np.random.default_rng(seed).normal(0, 1, count).astype(np.float32)


def controlled(seed=1, **choices):
    design = body()
    layers = (3 + 3 + 9, 5, 3)
    design.controller = vx.Controller(SENSORS, layers, weights(vx.count_weights(layers), seed), **choices)
    design.stop(duration=0.3)
    design.formula(fitness="x")
    return design


class Designs(unittest.TestCase):
    def test_what_is_set_is_read(self):
        design = controlled(interval=0.01, targets=(0.8, 1.2), activation="relu")
        for other in (design, design.copy(), copy.deepcopy(design), pickle.loads(pickle.dumps(design)), vx.Design.read_text(design.text())):
            c = other.controller
            self.assertEqual((c.sensors, c.layers, c.interval, c.targets, c.activation), (SENSORS, (15, 5, 3), 0.01, (0.8, 1.2), "relu"))
            np.testing.assert_array_equal(c.weights, weights(len(c.weights)))
            self.assertEqual(other.hash, design.hash)
        without = body()
        self.assertIsNone(without.controller)
        design.controller = None
        self.assertIsNone(design.controller)

    def test_worlds_batches_and_the_program_run_it(self):
        designs = [controlled(seed) for seed in range(20)]
        rows = vx.evaluate(designs)
        self.assertTrue((rows["status"] == vx.DONE).all())
        self.assertEqual(len(np.unique(rows["hash"])), 20)
        for design, row in zip(designs[:3], rows[:3]):
            world = vx.World(design)
            world.advance(int(row["steps"]))
            self.assertEqual(world.hash, row["hash"])
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "robot.json")
                design.write(path)
                told = subprocess.run([program(), "run", path, "--no-step-error", "--quiet", "--result", os.path.join(folder, "r.json")], check=True, capture_output=True)
                self.assertEqual(told.returncode, 0)
                with open(os.path.join(folder, "r.json"), encoding="utf-8") as file:
                    self.assertIn(f"{row['hash']:016x}", file.read())

    def test_refusals(self):
        design = body()
        good = vx.Controller(SENSORS, (15, 3), weights(48))
        for wrong, error, words in ((good._replace(sensors=("velocity", "nose")), ValueError, "nose"), (good._replace(weights=weights(47)), ValueError, "weights"),
                                    (good._replace(activation="sine"), ValueError, "activation"), (good._replace(layers=(15,)), vx.InvalidInput, "layers"),
                                    (good._replace(layers=(15, -3)), (OverflowError, ValueError, TypeError), ""), (good._replace(targets=(1.2, 1.6)), vx.InvalidInput, "hold 1"),
                                    (good._replace(interval=0), vx.InvalidInput, "interval"), (good._replace(weights=np.full(48, np.nan, "f4")), vx.InvalidInput, "weight 0")):
            with self.assertRaisesRegex(error, words):
                design.controller = wrong
        self.assertIsNone(design.controller)
        design.controller = vx.Controller(SENSORS, (16, 3), weights(51))
        with self.assertRaisesRegex(vx.InvalidInput, "16 inputs"):
            vx.World(design)
        design.controller = good
        with vx.Team([design]), self.assertRaises(RuntimeError):
            design.controller = None
        with self.assertRaisesRegex(vx.InvalidInput, "controller"):
            vx.World(design).target(0, 1.1)


class Networks(unittest.TestCase):
    def test_a_team_has_the_bits_of_designs(self):
        designs = [controlled(seed) for seed in range(4)]
        with vx.Team(designs, observe=SENSORS, threads=1) as team:
            self.assertEqual(team.network_weights([5]), len(designs[0].controller.weights))
            team.networks(np.stack([design.controller.weights for design in designs]), [5])
            seen = team.run(10)
            self.assertEqual(seen.shape, (10, 4, 15))
            np.testing.assert_array_equal(seen[-1], team.obs)
            team.step(None)
            for robot, design in enumerate(designs):
                world = vx.World(design)
                world.advance(11 * team.robot(robot).steps)
                self.assertEqual(world.hash, team.hash(robot))

    def test_refusals(self):
        with vx.Team([body()] * 2, observe=SENSORS) as team:
            with self.assertRaises((TypeError, ValueError)):
                team.step(None)
            with self.assertRaises((TypeError, ValueError)):
                team.run(3)
            with self.assertRaisesRegex(ValueError, "weights"):
                team.networks(np.zeros((2, 7)))
            team.networks(np.zeros((2, team.network_weights())))
            team.run(2)
            with self.assertRaises((OverflowError, ValueError)):
                team.run(-1)
            team.networks(None)
            with self.assertRaises((TypeError, ValueError)):
                team.step(None)


class Hands(unittest.TestCase):
    def test_a_hand_lifts_a_body(self):
        design = vx.Design.from_array(np.ones((3, 3, 3), int), vx.Material(youngs_modulus=1e6, bond_damping=0.5))
        world = vx.World(design)
        low = world.center[2]
        middle = int(np.argmin(np.abs(world.positions() - world.center).sum(1)))
        world.pull(middle, world.center + (0, 0, 0.05))
        world.advance(until=2)
        self.assertGreater(world.center[2] - low, 0.03)
        held = world.hash
        world.let_go()
        self.assertNotEqual(world.hash, held)
        world.advance(until=4)
        self.assertLess(world.center[2] - low, 0.005)

    def test_refusals(self):
        world = vx.World(body())
        for wrong, words in (({"hand": 10}, "hand 10"), ({"stiffness": 1e12}, "stiff"), ({"max_force": -1.0}, "force")):
            with self.assertRaisesRegex(vx.InvalidInput, words):
                world.pull(0, (0, 0, 1), **wrong)
        with self.assertRaisesRegex(vx.InvalidInput, "voxel 99"):
            world.pull(99, (0, 0, 1))
        with self.assertRaises((TypeError, ValueError)):
            world.pull(0, (0, 1))
        with self.assertRaises(TypeError):
            world.pull(0, (0, 0, 1), damping="soft")

    def test_a_world_settles(self):
        design = vx.Design.from_array(np.ones((6, 1, 1), int), vx.Material(youngs_modulus=1e6))
        design.floor.enabled = False
        world = vx.World(design, precision="double")
        with self.assertRaisesRegex(vx.Unphysical, "equilibrium"):
            world.settle()
        for wrong in ({"tolerance": 0}, {"steps": 0}, {"time": np.inf}):
            with self.assertRaises(vx.InvalidInput):
                world.settle(**wrong)
        design.floor.enabled = True
        world = vx.World(design, precision="double")
        settled = world.settle()
        self.assertLess(settled.residual, 1e-9)
        self.assertGreater(settled.steps, 0)
        places = world.positions()
        world.advance(100)
        np.testing.assert_allclose(world.positions(), places, atol=1e-15)
        frequencies, shapes = world.modes(8)
        self.assertEqual((frequencies.shape, shapes.shape), ((8,), (8, 6, 6)))
        self.assertEqual(list(frequencies[:3]), [0, 0, 0])  # over the floor and about z
        self.assertGreater(frequencies[7], 0)
        self.assertEqual(np.abs(np.concatenate(world.reactions())).max(), 0)  # nothing is fixed
        with self.assertRaises(ValueError):
            world.modes(37)
        with self.assertRaises(vx.InvalidInput):
            world.modes(0)

    def test_a_world_is_tuned(self):
        design = vx.Design.from_array(np.ones((2, 2, 2), int), vx.Material(youngs_modulus=1e6))
        design.gravity = (0, 0, 0)
        world = vx.World(design)
        world.tune(gravity=(2, 0, 0))
        world.advance(until=0.5)
        self.assertAlmostEqual(world.velocity[0] / (2 * world.time), 1, places=5)
        world.tune(gravity=(0, 0, 0), drag=3)
        before, time = world.velocity[0], world.time
        world.advance(until=1)
        self.assertAlmostEqual(world.velocity[0] / (before * np.exp(-3 * (world.time - time))), 1, places=2)
        for wrong, words in (({"friction": -1}, "friction"), ({"drag": 1e9}, "drag"), ({"amplitude": np.nan}, "amplitude")):
            with self.assertRaisesRegex(vx.InvalidInput, words):
                world.tune(**wrong)
        with self.assertRaises((TypeError, ValueError)):
            world.tune(gravity=(0, 1))


if __name__ == "__main__":
    main()
