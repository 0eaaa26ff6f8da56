# SPDX-License-Identifier: MIT
"""The interface of EvoGym: its helpers, its worlds, what its simulation says of points and actuators, its environments, its viewer."""
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from common import main, np, vx
from voxelastic.compat import evogym
from voxelastic.compat.evogym import EvoGymBase, EvoSim, EvoViewer, EvoWorld, Pair, WorldObject
from voxelastic.envs.gym import Box

ROBOT = np.array([[3, 4, 0], [1, 0, 3], [2, 4, 2]])  # a ring with a gap


def ground(width=12):
    return {"indices": list(range(width)), "types": [5] * width, "neighbors": {str(i): [n for n in (i - 1, i + 1) if 0 <= n < width] for i in range(width)}}


def small_world(robot=ROBOT, width=12):
    world = EvoWorld()
    floor = WorldObject()
    floor.load_from_parsed_json("ground", ground(width), Pair(width, 1))
    world.add_object(floor)
    world.add_from_array("robot", robot, 3, 1)
    return world


class Helpers(unittest.TestCase):
    def test_random_robots_are_drawn_by_the_numbers_of_random(self):
        random.seed(7)
        robot, connections = evogym.sample_robot((4, 5))
        random.seed(7)
        edges = np.cumsum([0.6, 0.2, 0.2, 0.2, 0.2]) / 1.4
        while True:  # cell by cell, one number each
            cells = np.array([[next(i for i, edge in enumerate(edges) if number <= edge) for number in (random.uniform(0, 1) for _ in range(5))] for _ in range(4)])
            if evogym.is_connected(cells) and evogym.has_actuator(cells):
                break
        self.assertTrue((robot == cells).all())
        self.assertTrue((connections == evogym.get_full_connectivity(robot)).all())
        for weights in ([1, 0, 0, 0, 1], [0, 0, 0, 1, 0]):
            self.assertEqual(set(np.unique(evogym.sample_robot((2, 2), weights)[0])) - {0, 3, 4}, set())
        for weights in ([1, 1, 1, 0, 0], [1, 1, 1, 1]):
            with self.assertRaisesRegex(ValueError, "pd: expected"):
                evogym.sample_robot((2, 2), weights)

    def test_questions_about_bodies(self):
        self.assertEqual(evogym.get_full_connectivity(ROBOT).tolist(), [[0, 0, 3, 5, 6, 7], [1, 3, 6, 8, 7, 8]])
        self.assertEqual(evogym.get_full_connectivity(np.eye(3)).shape, (2, 0))
        self.assertTrue(evogym.is_connected(ROBOT))
        for cells in (np.eye(2), np.zeros((2, 2)), [[1, 0, 1]]):
            self.assertFalse(evogym.is_connected(cells))
        self.assertEqual([evogym.has_actuator(cells) for cells in (ROBOT, [[1, 2], [5, 0]])], [True, False])
        self.assertEqual(evogym.hashable(ROBOT.astype(float)), "340103242")
        self.assertEqual(evogym.get_uniform(4).tolist(), [0.25] * 4)
        self.assertEqual(evogym.draw([0, 0, 3]), 2)
        self.assertEqual((evogym.VOXEL_TYPES["H_ACT"], len(evogym.BASELINE_ENV_NAMES)), (3, 32))

    def test_pairs(self):
        pair = Pair(5, 2)
        self.assertEqual((pair + 1, pair - Pair(1, 2), pair * 2, pair / 2, pair // Pair(2, 2), pair % 2), (Pair(6, 3), Pair(4, 0), Pair(10, 4), Pair(2, 1), Pair(2, 1), Pair(1, 0)))
        self.assertEqual((pair.each_max(Pair(1, 9)), pair.each_min(Pair(1, 9)), Pair(-1, 2).abs()), (Pair(5, 9), Pair(1, 2), Pair(1, 2)))
        self.assertEqual((pair[0], pair[1], str(pair), repr(pair), pair == 5, Pair(3, 3) == 3, {pair: 1}[Pair(5, 2)]), (5, 2, "(5, 2)", "Pair(5, 2)", False, True, 1))
        for wrong, message in ((lambda: Pair(1.5, 2), "whole numbers, not 1.5"), (lambda: pair + 1.5, "not 1.5")):
            with self.assertRaisesRegex(TypeError, message):
                wrong()

    def test_a_timer_keeps_its_pace(self):
        self.assertTrue(evogym.Timer(None).should_step())
        timer = evogym.Timer(2)
        timer.step()
        self.assertFalse(timer.should_step())
        with unittest.mock.patch("time.monotonic", return_value=timer._begin + 0.6):
            self.assertTrue(timer.should_step())
            timer.step()
            self.assertFalse(timer.should_step())

    def test_modules_have_the_names_that_they_have_there(self):
        import voxelastic.compat.evogym.envs
        import voxelastic.compat.evogym.utils
        import voxelastic.compat.evogym.world
        names = {}
        exec("from voxelastic.compat.evogym import *", names)
        self.assertLessEqual(set(evogym.__all__), set(names))
        self.assertIs(names["EvoGymBase"], evogym.envs.EvoGymBase)
        for name in evogym.__all__:
            self.assertTrue(names[name].__doc__, name)


class Worlds(unittest.TestCase):
    def test_a_file_is_read_and_written(self):
        given = {"grid_width": 12, "grid_height": 4, "objects": {"ground": ground(), "pair": {"indices": [29, 30], "types": [2, 3], "neighbors": {"29": [30], "30": [29]}}}}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "world.json")
            path.write_text(json.dumps(given))
            world = EvoWorld.from_json(path)
            self.assertEqual(vx.Design.read(path).text(), vx.Design.read_text(json.dumps(world.to_json() | {"grid_height": 4}), "world").text().replace('"name":""', '"name":"world"'))
            with self.assertRaisesRegex(ValueError, "expected one object, found 2"):
                WorldObject.from_json(path)
            for objects, message in (({"a": {"indices": [1], "types": [1, 2], "neighbors": {}}}, "object 'a': expected indices, types and neighbors, as many of each"),
                                     ({"a": {"indices": [1], "types": [6], "neighbors": {"1": []}}}, "object 'a': types: expected .* 0 to 5"),
                                     ({"a": {"indices": [1], "types": [1], "neighbors": {"1": [2]}}}, "object 'a': cell 1 has the neighbour 2, which is not of the object")):
                path.write_text(json.dumps({"grid_width": 3, "grid_height": 1, "objects": objects}))
                with self.assertRaisesRegex(ValueError, message):
                    EvoWorld.from_json(path)
            path.write_text('{"objects": {}}')
            with self.assertRaisesRegex(ValueError, "world.json: no world of EvoGym"):
                EvoWorld.from_json(path)
            path.write_text(json.dumps({"grid_width": 3, "grid_height": 1, "objects": {"one": {"indices": [1], "types": [3], "neighbors": {"1": []}}}}))
            one = WorldObject()
            one.load_from_json(path)
            self.assertEqual((one.name, one.get_pos(), one.grid.tolist()), ("one", (1, 0), [[3]]))
        self.assertEqual(world.to_json()["objects"], given["objects"])
        self.assertEqual((world.grid_size, world.objects["pair"].pos), (Pair(12, 3), Pair(5, 2)))

    def test_objects_are_arrays_with_the_highest_row_first(self):
        made = WorldObject.from_array("robot", ROBOT)
        self.assertTrue((made.get_structure() == ROBOT).all())
        self.assertEqual(made.grid[0].tolist(), ROBOT[2].tolist())
        self.assertEqual(made.neighbors[Pair(1, 0)], [Pair(0, 0), Pair(2, 0)])
        self.assertEqual({tuple(sorted(pair)) for pair in made.get_connections().T.tolist()}, {tuple(pair) for pair in evogym.get_full_connectivity(ROBOT).T.tolist()})
        loose = WorldObject.from_array("loose", [[3, 3]], np.zeros((2, 0)))
        self.assertEqual((loose.neighbors[Pair(0, 0)], loose.get_connections().shape), ([], (2, 0)))
        other = made.copy()
        other.grid[0, 0] = 0
        other.rename("other")
        self.assertEqual((made.grid[0, 0], made.get_name(), other.get_name()), (2, "robot", "other"))

    def test_objects_move_and_do_not_overlap(self):
        world = small_world()
        world.translate_object("robot", 2, 1)
        self.assertEqual((world.objects["robot"].get_pos(), world.grid[2, 5], world.grid[1].any()), ((5, 2), 2, False))
        for wrong, message in ((lambda: world.move_object("robot", 5, 0), "'robot' at \\(5, 0\\) would overlap"),
                               (lambda: world.move_object("robot", -1, 0), "begins at"),
                               (lambda: world.add_from_array("robot", ROBOT, 9, 9), "there is an object 'robot'"),
                               (lambda: world.remove_object("box"), "no object 'box'; there are ground, robot"),
                               (lambda: world.add_from_array("box", [[7]], 0, 5), "structure: expected .* 0 to 5"),
                               (lambda: world.add_from_array("box", [1], 0, 5), "shape \\(1,\\)"),
                               (lambda: world.add_from_array("box", [[1, 0, 1]], 0, 5, [[0], [2]]), "cells 0 and 2 are not two neighbours")):
            before = world.to_json()
            with self.assertRaisesRegex(ValueError, message):
                wrong()
            self.assertEqual(world.to_json(), before)
        self.assertEqual(world.remove_object("robot").name, "robot")
        self.assertEqual((np.count_nonzero(world.grid), list(world.objects)), (12, ["ground"]))

    def test_a_world_is_printed(self):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            small_world(width=4).pretty_print(4)
        self.assertEqual(told.getvalue(), "\n3 | . . . H\n2 | . . . R\n1 | . . . S\n0 | F F F F\n   ---------\n    0 1 2 3\n\n3 | V .\n2 | . H\n1 | V S\n0 | . .\n   -----\n    4 5\n")


class Simulation(unittest.TestCase):
    def test_points_are_evogyms(self):
        """Cells that are bonded share corners; points come row by row from the top: left above, right above, left below, right below."""
        world = EvoWorld()
        world.add_from_array("b", [[3, 2], [2, 0]], 1, 2)
        world.add_from_array("a", [[1, 1]], 4, 0, np.zeros((2, 0)))
        sim = EvoSim(world)
        self.assertTrue(np.allclose(sim.object_pos_at_time(0, "b").T, [(1, 4), (2, 4), (1, 3), (2, 3), (3, 4), (3, 3), (1, 2), (2, 2)], atol=1e-12))
        self.assertTrue(np.allclose(sim.object_pos_at_time(0, "a").T, [(4, 1), (5, 1), (4, 0), (5, 0), (5, 1), (6, 1), (5, 0), (6, 0)], atol=1e-12))
        self.assertTrue((sim.pos_at_time(0) == np.concatenate([sim.object_pos_at_time(0, name) for name in "ba"], axis=1)).all())  # robots first
        self.assertFalse(sim.vel_at_time(0).any())
        ring = EvoSim(small_world())
        self.assertEqual(ring.object_pos_at_time(0, "robot").shape, (2, 16))  # 15 corners; at (5, 3) cells meet that share no side: two points
        self.assertEqual(ring.object_pos_at_time(0, "ground").shape, (2, 26))

    def test_actions_come_in_the_order_of_the_structure(self):
        sim = EvoSim(small_world(np.array([[2, 4, 2, 3], [3, 2, 4, 2]])))
        self.assertEqual(sim.get_actuator_indices("robot").tolist(), [1, 3, 4, 6])
        self.assertEqual(sim.get_dim_action_space("robot"), 4)
        for k, index in enumerate(sim.get_actuator_indices("robot")):
            sim.reset()
            sim.set_action("robot", [1.6 if n == k else 1 for n in range(4)])
            for _ in range(20):
                sim.step()
            frame, positions = sim.frame(), sim.team.design(0).positions
            grown = positions[frame.edges > 1.3 * sim.VOXEL_SIZE]
            self.assertEqual(grown.tolist(), [[3 + index % 4, 0, 2 - index // 4]])

    def test_points_follow_the_cells(self):
        world = EvoWorld()
        world.add_from_array("robot", [[3]], 2, 1)
        sim = EvoSim(world, rate=1)
        sim.set_action("robot", [1.5])
        sim.step()
        places = sim.object_pos_at_time(1, "robot")
        self.assertTrue(np.allclose(places.max(1) - places.min(1), 1.5, atol=1e-5))
        self.assertTrue(np.allclose(sim.object_vel_at_time(1, "robot"), (places - sim.object_pos_at_time(0, "robot")) * 60))
        sim.step()
        self.assertTrue(np.allclose(sim.object_vel_at_time(2, "robot"), (sim.object_pos_at_time(2, "robot") - places) * 60))
        self.assertAlmostEqual(sim.object_vel_at_time(1, "robot").mean(1)[1], -9.81 / 60 / 2 / 0.1, delta=0.02)  # it falls for the first sixtieth of a second

    def test_an_action_is_approached(self):
        world = EvoWorld()
        world.add_from_array("robot", [[4]], 0, 0)
        sim = EvoSim(world)
        sim.set_action("robot", [0.6])
        edges = []
        for _ in range(6):
            sim.step()
            edges.append(float(sim.frame().edges[0] / sim.VOXEL_SIZE))
        self.assertTrue(np.allclose(edges, [0.9, 0.8, 0.7, 0.6, 0.6, 0.6], atol=1e-6))

    def test_it_is_the_team_of_the_same_world(self):
        sim = EvoSim(small_world(), rate=1)
        design = vx.Design.read_text(json.dumps(small_world().to_json()))
        design.voxel_size = 0.1
        for material, modulus in zip(design.materials, (4e6, 1e6, 1e6, 1e6, 4e6)):
            material.youngs_modulus = modulus
        team = vx.Team([design], observe=("center",))
        targets = np.ones((1, team.facts.groups), np.float32)
        for tick in range(10):
            sim.set_action("robot", [0.9 + 0.05 * tick] * 4)
            sim.step()
            targets[:, 1:] = 0.9 + 0.05 * tick
            team.step(targets)
        self.assertEqual(sim.team.hash(0), team.hash(0))

    def test_a_reset_leads_back(self):
        sim = EvoSim(small_world())
        runs = []
        for _ in range(2):
            sim.reset()
            sim.set_action("robot", [1.4] * 4)
            self.assertEqual([sim.step() for _ in range(5)], [False] * 5)
            self.assertEqual(sim.get_time(), 5)
            runs.append(np.stack([sim.pos_at_time(time) for time in range(6)]))
        self.assertTrue((runs[0] == runs[1]).all())
        self.assertTrue((np.abs(np.diff(runs[0], axis=0)).max((1, 2)) > 0).all())

    def test_orientation_counts_counter_clockwise(self):
        sim = EvoSim(small_world())
        for angle in (0.3, 2, 4, 6):
            turned = (np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ sim.pos_at_time(0)) + 3
            sim._places.append(turned)
            self.assertAlmostEqual(sim.object_orientation_at_time(sim.get_time(), "robot"), angle)
        self.assertAlmostEqual(np.cos(sim.object_orientation_at_time(0, "robot")), 1)

    def test_what_is_unstable_says_so_and_can_be_reset(self):
        sim = EvoSim(small_world())
        sim.team.close()
        sim.team = vx.Team([sim_design(small_world())], 1 / 60, observe=("center",), step_seconds=1 / 60, damping="explicit")
        sim.set_action("robot", [1.6] * 4)
        ends = [sim.step() for _ in range(40)]
        self.assertTrue(ends[-1])
        self.assertEqual(sim.get_time(), ends.index(True))
        sim.reset()
        self.assertEqual((sim.get_time(), sim.team.status[0], sim.pos_at_time(0).shape), (0, 0, (2, 42)))

    def test_a_deep_world_moves_in_space(self):
        flat, deep = EvoSim(small_world()), EvoSim(small_world(), depth=2)
        count = flat.object_pos_at_time(0, "robot").shape[1]
        places = deep.object_pos_at_time(0, "robot")
        self.assertEqual(places.shape, (3, 3 * count))
        for plane in range(3):
            self.assertTrue(np.allclose(places[[0, 2], plane * count:(plane + 1) * count], flat.object_pos_at_time(0, "robot"), atol=1e-12))
            self.assertTrue(np.allclose(places[1, plane * count:(plane + 1) * count], plane, atol=1e-12))
        self.assertEqual([len(json.loads(sim.team.design(0).text())["regions"]) for sim in (flat, deep)], [2, 1])  # the ground is fixed; the flat world is held in its plane
        deep.set_action("robot", [1.5] * 4)
        for _ in range(10):
            deep.step()
        self.assertGreater(np.ptp(deep.object_pos_at_time(10, "robot")[1]), 2.1)
        self.assertEqual(deep.get_dim_action_space("robot"), 4)

    def test_mistakes_are_told(self):
        sim = EvoSim(small_world())
        for kind, message, wrong in ((ValueError, "no robot 'ground'; there are robot", lambda: sim.get_actuator_indices("ground")),
                                     (ValueError, "no object 'box'", lambda: sim.object_pos_at_time(0, "box")),
                                     (ValueError, "has 4 actuators, the action 3 values", lambda: sim.set_action("robot", [1, 1, 1])),
                                     (ValueError, "0.6 to 1.6, not 2", lambda: sim.set_action("robot", [1, 1, 2, 1])),
                                     (ValueError, "0.6 to 1.6, not nan", lambda: sim.set_action("robot", [1, 1, np.nan, 1])),
                                     (ValueError, "expected 0 to 0, not 1", lambda: sim.pos_at_time(1)),
                                     (TypeError, "whole number of steps, not 0.5", lambda: sim.vel_at_time(0.5)), (ValueError, "no objects", lambda: EvoSim(EvoWorld())),
                                     (ValueError, "depth", lambda: EvoSim(small_world(), depth=0))):
            with self.assertRaisesRegex(kind, message):
                wrong()


def sim_design(world):
    """The design of a world."""
    return evogym.sim._make_design(world, None)


class Walker(EvoGymBase):
    """An environment as EvoGym's tutorials have them: a robot is to go to the right."""

    def __init__(self, body):
        super().__init__(small_world(body))
        self.action_space = Box(0.6, 1.6, (self.get_actuator_indices("robot").size,), np.float64)
        self.observation_space = Box(-100, 100, (2 + self.object_pos_at_time(self.get_time(), "robot").size,), np.float64)
        self.default_viewer.track_objects("robot")

    def observe(self):
        return np.concatenate((self.get_vel_com_obs("robot"), self.get_relative_pos_obs("robot")))

    def step(self, action):
        before = self.get_pos_com_obs("robot")
        done = super().step({"robot": action})
        return self.observe(), (self.get_pos_com_obs("robot") - before)[0] - 3 * done, done, False, {}

    def reset(self, seed=None, options=None):
        super().reset(seed=seed, options=options)
        return self.observe(), {}


class Environments(unittest.TestCase):
    def test_an_environment_of_ones_own(self):
        env = Walker(ROBOT)
        obs, info = env.reset()
        self.assertEqual((obs.shape, env.action_space.shape), (env.observation_space.shape, (4,)))
        start, total = env.get_pos_com_obs("robot")[0], 0.0
        for tick in range(30):
            obs, reward, done, truncated, info = env.step(np.full(4, 1 + np.sin(tick)))  # beyond the bounds: clipped
            total += reward
        self.assertAlmostEqual(total, env.get_pos_com_obs("robot")[0] - start)
        self.assertTrue(np.allclose(obs[:2], env.object_vel_at_time(30, "robot").mean(1)))
        self.assertTrue(np.allclose(obs[2:].reshape(2, -1).mean(1), 0))
        self.assertEqual((env.get_ort_obs("robot").shape, env.get_dim_action_space("robot"), env.render()), ((1,), 4, None))
        self.assertEqual(env.render("img").shape, (600, 1200, 3))
        env.close()
        drawn = EvoGymBase(small_world(), render_mode="rgb_array", render_options={"hide_edges": True}, depth=2)
        self.assertTrue((drawn.render() != drawn.render(hide_edges=False)).any())

    def test_what_is_below_and_above(self):
        world = small_world(np.array([[3, 3], [3, 3]]))
        world.add_from_array("roof", [[5, 5, 5]], 4, 6)
        env = EvoGymBase(world)
        self.assertTrue(np.allclose(env.get_pos_com_obs("robot"), [4, 2]))
        self.assertTrue(np.allclose(env.get_floor_obs("robot", ["ground"], 2), 1))
        self.assertTrue(np.allclose(env.get_floor_obs("robot", ["ground"], 2, 0.5), 0.5))
        self.assertTrue(np.allclose(env.get_floor_obs("robot", ["roof"], 2), 5))
        self.assertTrue(np.allclose(env.get_ceil_obs("robot", ["ground", "roof"], 2), [5, 5, 4, 4, 4]))
        edge = EvoGymBase(small_world(np.array([[3, 3]]), width=4)).get_floor_obs("robot", ["ground"], 3)
        self.assertTrue(np.allclose(edge, [0.5, 0.5, 0.5, 0.5, 5, 5, 5]))
        with self.assertRaisesRegex(ValueError, "terrain_list"):
            env.get_floor_obs("robot", [], 2)


class Viewer(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_picture_shows_what_it_is_asked_for(self):
        world = EvoWorld()
        world.add_from_array("robot", [[3, 3], [3, 3]], 30, 7)
        sim = EvoSim(world)
        viewer = EvoViewer(sim, None, pos=(31, 8), view_size=(8, 4), resolution=(800, 400))
        picture = viewer.render("rgb_array", hide_edges=True)
        self.assertEqual((picture.shape, picture.dtype), ((400, 800, 3), np.uint8))
        y, x = np.nonzero(picture[..., 0] > 1.5 * picture[..., 2])  # an orange one, 100 pixels an edge, its front somewhat nearer
        self.assertTrue(200 <= np.ptp(x) <= 225 and 200 <= np.ptp(y) <= 225, (np.ptp(x), np.ptp(y)))
        self.assertTrue(abs(x.mean() - 400) < 3 and abs(y.mean() - 200) < 3)
        viewer.set_pos((32, 8))
        y, x = np.nonzero((moved := viewer.render("img"))[..., 0] > 1.5 * moved[..., 2])
        self.assertTrue(285 < x.mean() < 300)
        viewer.set_pos((0, 0))
        viewer.track_objects("robot")
        y, x = np.nonzero((tracked := viewer.render("img"))[..., 0] > 1.5 * tracked[..., 2])
        self.assertTrue(abs(x.mean() - 400) < 3 and abs(y.mean() - 200) < 3 and 80 < np.ptp(y) < 95)
        viewer.set_tracking_settings(padding=(1, 1), scale=(0, 0), lock_x=False, lock_y=9.0)
        y, x = np.nonzero((tracked := viewer.render("img"))[..., 0] > 1.5 * tracked[..., 2])
        self.assertTrue(290 < y.mean() < 310, y.mean())

    def test_the_screen_is_a_page(self):
        sim = EvoSim(small_world())
        viewer = EvoViewer(sim, None, page=self.folder / "page.html")
        for _ in range(3):
            sim.step()
            self.assertIsNone(viewer.render("human"))
        self.assertFalse((self.folder / "page.html").exists())
        viewer.close()
        viewer.close()
        self.assertIn("<html", (self.folder / "page.html").read_text()[:500])

    def test_a_program_that_is_interrupted_leaves_its_page(self):
        text = ("from voxelastic.compat.evogym import *\nworld = EvoWorld()\nworld.add_from_array('robot', [[3]], 0, 0)\nsim = EvoSim(world)\n"
                "viewer = EvoViewer(sim, None)\nwhile True:\n    sim.step()\n    viewer.render('screen')\n    if sim.get_time() == 3:\n        raise KeyboardInterrupt\n")
        done = subprocess.run([sys.executable, "-c", text], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("KeyboardInterrupt", done.stderr)
        self.assertEqual(os.listdir(self.folder), ["evogym.html"])

    def test_mistakes_are_told(self):
        viewer = EvoViewer(EvoSim(small_world()), None)
        for kind, message, wrong in ((ValueError, "mode: expected screen, human, img, rgb_array, not 'png'", lambda: viewer.render("png")),
                                     (TypeError, "pos: expected a tuple", lambda: viewer.set_pos(3)),
                                     (ValueError, "view_size: expected numbers above 0", lambda: viewer.set_view_size((0, 3))),
                                     (ValueError, "no object 'box'", lambda: viewer.track_objects("box")),
                                     (ValueError, "no setting 'zoom'; there are padding", lambda: viewer.set_tracking_settings(zoom=1)),
                                     (ValueError, "lock_x: expected", lambda: viewer.set_tracking_settings(lock_x=True)),
                                     (ValueError, "target_rps", lambda: viewer.set_target_rps(1)), (ValueError, "resolution", lambda: viewer.set_resolution((8, 8)))):
            with self.assertRaisesRegex(kind, message):
                wrong()
        replay = vx.record(sim_design(small_world()), duration=0.01)
        with self.assertRaisesRegex(vx.InvalidInput, "reach -1 m"):
            replay.save(self.folder / "picture.png", reach=-1)


if __name__ == "__main__":
    main()
