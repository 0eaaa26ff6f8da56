# SPDX-License-Identifier: MIT
"""Environments: every task runs, equal seeds give equal bits, all modes of resets give the same rewards, with Gymnasium's names and without."""
import re
import subprocess
import sys
import unittest
import warnings

from common import ROOT, main, np, vx
from voxelastic.envs.scenes import Scene

BODY = np.array([[3, 3, 3, 3], [4, 2, 2, 4], [4, 0, 0, 4]])
OTHER = np.array([[3, 3, 3], [2, 0, 4]])
# Says the rewards of all modes; the first argument says whether there are Gymnasium's names.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[2])
registry = {}
if sys.argv[1] == "with":
    import gymnasium_standin
    registry = gymnasium_standin.install()
else:
    sys.modules["gymnasium"] = None
from python_envs import BODY, drive
import importlib
import voxelastic as vx
try:
    vx.envs.make_vec("Walker-v0", BODY, rate=-1)  # what was not made is not closed
except ValueError:
    pass
for name, row in registry.items():  # as gymnasium.make_vec and gymnasium.make call them
    module, function = row["vector_entry_point"].split(":")
    assert getattr(importlib.import_module(module), function)(num_envs=2, **row["kwargs"], body=BODY, threads=1, settle=0).num_envs == 2
    module, function = row["entry_point"].split(":")
    assert getattr(importlib.import_module(module), function)(**row["kwargs"], body=BODY, threads=1, settle=0).observation_space.shape
print(vx.envs.gym.has_gymnasium, len(registry), [drive(vx.envs.make_vec("Walker-v0", BODY, num_envs=3, max_episode_steps=9, reset_noise=1, threads=1, autoreset_mode=mode)).tolist()
      for mode in ("NextStep", "SameStep", "Disabled")])
"""


def actions(env, tick):
    return 1.1 + 0.4 * np.sin(0.5 * tick + np.arange(env.action_space.shape[1]) + np.arange(env.num_envs)[:, None])


def drive(env, episodes=2):
    """(episodes, num_envs) sums of rewards, each episode by the same actions."""
    env.reset(seed=3)
    sums, episode, tick, over = np.zeros((episodes + 1, env.num_envs)), np.zeros(env.num_envs, int), np.zeros(env.num_envs, int), np.zeros(env.num_envs, bool)
    mode = env.metadata["autoreset_mode"].value
    while (episode < episodes).any():
        each = np.stack([actions(env, tick[i])[i] for i in range(env.num_envs)])
        if mode == "Disabled" and over.any():
            env.reset(options={"reset_mask": over})
            over[:] = False
        _, reward, terminated, truncated, _ = env.step(each)
        if mode == "NextStep":
            assert (reward[over] == 0).all() and not (terminated | truncated)[over].any()
        tick = np.where(over & (mode == "NextStep"), 0, tick + 1)
        sums[np.minimum(episode, episodes), np.arange(env.num_envs)] += reward
        over = terminated | truncated
        episode += over
        if mode != "NextStep":
            tick[over] = 0
    env.close()
    return sums[:episodes]


def quiet():
    """Without warnings of designs, which say that objects have layers."""
    warnings.simplefilter("ignore", vx.VoxelasticWarning)


class Tasks(unittest.TestCase):
    def test_the_page_names_every_task(self):
        ticks, base = {}, ""
        for cells in ([cell.strip() for cell in line.strip("|").split("|")] for line in (ROOT / "docs/environments.md").read_text().splitlines() if line.startswith("| `")):
            for name in re.findall(r"`([\w-]+-v\d|-v\d)`", cells[0]):  # `-v1` stands for another version of the task before it
                base = base if name[0] == "-" else name[:-3]
                ticks[base + name[-3:]] = cells[-1]
        self.assertEqual(set(ticks), set(vx.envs.tasks))
        for name, task in vx.envs.tasks.items():
            self.assertIn(str(task.steps), ticks[name].split(", "), name)

    def test_all_of_evogym(self):
        names = {name.split("-")[0] for name in vx.envs.tasks}
        self.assertEqual((len(vx.envs.tasks), len(names)), (32, 26))

    def test_every_task(self):
        for name, task in vx.envs.tasks.items():
            with self.subTest(name), warnings.catch_warnings():
                quiet()
                seen = []
                for threads in (1, 2):
                    env = vx.envs.make_vec(name, BODY, num_envs=3, threads=threads, reset_noise=1)
                    obs, info = env.reset(seed=5)
                    env.action_space.seed(5)
                    self.assertTrue(env.observation_space.contains(obs))
                    self.assertEqual((info, obs.dtype, env.max_episode_steps), ({}, np.float32, task.steps))
                    rewards = []
                    for _ in range(12):
                        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
                        self.assertTrue(env.observation_space.contains(obs))
                        self.assertEqual((reward.shape, reward.dtype, terminated.dtype, truncated.dtype), ((3,), np.float64, np.bool_, np.bool_))
                        self.assertTrue(np.isfinite(reward).all() and np.isfinite(obs).all())
                        rewards.append(reward)
                    seen.append((obs, np.array(rewards), env.team.hashes))
                    env.close()
                for one, other in zip(*seen):
                    np.testing.assert_array_equal(one, other)
                self.assertGreater(np.abs(seen[0][1]).sum(), 0)

    def test_robots_rest_where_they_start(self):
        """Without actions a robot stays where its world puts it: it is not thrown off, and nothing that it did not do is rewarded."""
        for name in vx.envs.tasks:
            with self.subTest(name), warnings.catch_warnings():
                quiet()
                env = vx.envs.make_vec(name, BODY, num_envs=1, threads=1)
                env.reset(seed=1)
                start = env._sight.center.copy()
                total = sum(env.step(np.ones(env.action_space.shape))[1][0] for _ in range(20))
                self.assertLess(np.abs(env._sight.center - start).max(), 0.06)
                if name not in ("Catcher-v0", "BidirectionalWalker-v0"):
                    self.assertLess(abs(total), 0.2)
                env.close()

    def test_rewards_are_metres(self):
        env = vx.envs.make_vec("Walker-v0", BODY, num_envs=2, threads=1)
        env.reset(seed=1)
        before = np.array([env.team.frame(i).positions[:, 0].mean() for i in range(2)])  # all voxels have one mass
        total = sum(env.step(actions(env, tick))[1] for tick in range(30))
        after = np.array([env.team.frame(i).positions[:, 0].mean() for i in range(2)])
        np.testing.assert_allclose(total, after - before, atol=1e-5)
        small = vx.Design.from_array(np.ones((4, 3, 3), int) * [[[1, 2, 2]]], [vx.Material(youngs_modulus=1e6), vx.Material(youngs_modulus=1e6, thermal_expansion=0.01)], voxel_size=0.01)
        env = vx.envs.make_vec("Walker-v0", small, threads=1)
        obs, _ = env.reset(seed=1)
        self.assertEqual(env.action_space.shape, (1, 24))
        np.testing.assert_allclose(obs[0, 6:9], [-0.15, -0.1, 0], atol=1e-6)  # lengths count a voxel's edge as 0.1
        env.close()

    def test_scenes_weigh_voxels(self):
        body = vx.Design.from_array(np.ones((2, 1, 1), int), vx.Material(), density=[[[1000.0]], [[3000.0]]])
        np.testing.assert_allclose(Scene(body).robot, [1.25, 0.5, 0.5])
        body = vx.Design.from_array(np.array([[[1]], [[2]]]), [vx.Material(), vx.Material(density=4000)])
        np.testing.assert_allclose(Scene(body).robot, [1.3, 0.5, 0.5])

    def test_the_first_row_is_on_top(self):
        env = vx.envs.make_vec("Walker-v0", np.array([[3, 2], [2, 4]]), depth=2, threads=1)
        design = env.team.design(0)
        seen = {tuple(at): (material + 1, group) for at, material, group in zip(design.positions.tolist(), design.material.tolist(), design.layer("Group").values.tolist())}
        self.assertEqual(seen, {(x, y, z): row for y in range(2) for (x, z), row in {(0, 1): (3, 1), (1, 1): (2, 0), (0, 0): (2, 0), (1, 0): (4, 2)}.items()})
        env.close()

    def test_objects_are_found(self):
        with warnings.catch_warnings():
            quiet()
            env = vx.envs.make_vec("Pusher-v0", [BODY, OTHER], threads=1)
            env.reset(seed=1)
            np.testing.assert_allclose(env._sight.center, [scene.robot * 0.1 for scene in env.scenes], atol=5e-3)
            np.testing.assert_allclose(env._sight.thing, [scene.thing * 0.1 for scene in env.scenes], atol=5e-3)
            self.assertEqual(env.observation_space.shape, (2, 6 + 3 * 8 + 9))
            env.close()


def sight(center, thing=(0, 0, 0), up=(0, 0, 1), heading=(1, 0, 0)):
    """What is seen of one robot."""
    from voxelastic.envs.sight import Sight
    seen = Sight()
    seen.center, seen.thing, seen.up, seen.heading = (np.array([row], float) for row in (center, thing, up, heading))
    seen.target = np.array([1.0])
    return seen


class Rewards(unittest.TestCase):
    """Numbers by hand: goal at x = 2, height 0.5."""

    def judge(self, name, was, now):
        from voxelastic.envs.tasks import Goals
        reward, over = vx.envs.tasks[name].judge(now, was, Goals(np.array([2.0]), np.array([0.5])))
        return round(float(reward[0]), 9), bool(over[0])

    def test_of_robots(self):
        turned = (0, 0, 1), (np.cos(0.25), 0, np.sin(0.25))
        for name, was, now, expected in (
                ("Walker-v0", sight((1, 0, 0)), sight((1.5, 0, 0)), (0.5, False)), ("Walker-v0", sight((1.75, 0, 0)), sight((2.25, 0, 0)), (1.5, True)),
                ("UpStepper-v0", sight((1.75, 0, 0)), sight((2.25, 0, 0)), (2.5, True)), ("UpStepper-v0", sight((1, 0, 0)), sight((1, 0, 0), up=(0.98, 0, 0.2)), (-3, True)),
                ("DownStepper-v0", sight((1, 0, 0)), sight((1, 0, 0), up=(0.98, 0, 0.2)), (0, False)), ("GapJumper-v0", sight((1, 0, 0)), sight((1.5, 0, -0.25)), (-2.5, True)),
                ("Climber-v0", sight((0, 0, 1)), sight((5, 0, 1.5)), (0.5, False)), ("Climber-v1", sight((0, 0, 1.75)), sight((0, 0, 2.25)), (1.5, True)),
                ("Climber-v2", sight((0, 0, 1)), sight((0.5, 0, 3)), (2.1, False)), ("Jumper-v0", sight((0, 0, 0)), sight((-0.1, 0, 0.2)), (1.5, False)),
                ("Flipper-v0", sight((0, 0, 0)), sight((0, 0, 0), (0, 0, 0), *turned), (0.25, False)), ("BidirectionalWalker-v0", sight((0.5, 0, 0)), sight((1.25, 0, 0)), (0.25, False)),
                ("Balancer-v0", sight((1, 0, 0.25)), sight((2.5, 0, 0.5)), (0.75, False))):
            with self.subTest(name):
                self.assertEqual(self.judge(name, was, now), expected)

    def test_of_robots_and_objects(self):
        for name, was, now, expected in (
                ("Carrier-v0", sight((1, 0, 0), (1, 0, 1)), sight((1.5, 0, 0), (2, 0, 0.75)), (0.75, False)), ("Carrier-v0", sight((1, 0, 0), (1, 0, 1)), sight((1, 0, 0), (1, 0, 0.25)), (-7.5, False)),
                ("Carrier-v1", sight((1, 0, 1), (1, 0, 1)), sight((1.5, 0, 1), (1.25, 0, 1)), (1, False)), ("Pusher-v0", sight((0, 0, 0), (1, 0, 0)), sight((0.5, 0, 0), (1, 0, 0)), (0.75, False)),
                ("Thrower-v0", sight((2, 0, 0), (2, 0, 1)), sight((2.5, 0, 0), (3, 0, 1)), (0.875, False)), ("Catcher-v0", sight((0, 0, 0), (1, 0, 1)), sight((0.5, 0, 0), (1, 0, 0.75)), (0.5, False)),
                ("Lifter-v0", sight((0, 0, 1), (2, 0, 0)), sight((0, 0, 0.75), (2.25, 0, 0.5)), (2.5, False)), ("Lifter-v0", sight((0, 0, 0.5), (2, 0, 0)), sight((0, 0, 0.25), (2, 0, 0)), (-5, False)),
                ("BeamToppler-v0", sight((0, 0, 0), (1, 0, 1)), sight((0.25, 0, 0), (1.25, 0, 0.75)), (3.5, False)),
                ("BeamToppler-v0", sight((0, 0, 0), (1, 0, 0.75)), sight((0, 0, 0), (1, 0, 0.25)), (7.5, True)), ("BeamSlider-v0", sight((0, 0, 0), (1, 0, 1)), sight((0.5, 0, 0), (1.25, 0, 1)), (0.5, False))):
            with self.subTest(name):
                self.assertEqual(self.judge(name, was, now), expected)


class Episodes(unittest.TestCase):
    def test_modes_give_the_same_rewards(self):
        sums = [drive(vx.envs.make_vec("Walker-v0", BODY, num_envs=4, max_episode_steps=11, reset_noise=1, autoreset_mode=mode, threads=1))
                for mode in ("NextStep", "SameStep", "Disabled")]
        for other in sums[1:]:
            np.testing.assert_array_equal(other, sums[0])
        self.assertEqual(len(np.unique(sums[0])), 8)  # noise: no two episodes are the same

    def test_modes_where_goals_are_drawn(self):
        sums = [drive(vx.envs.make_vec("BidirectionalWalker-v0", BODY, num_envs=3, max_episode_steps=15, autoreset_mode=mode, threads=1))
                for mode in ("NextStep", "SameStep", "Disabled")]
        for other in sums[1:]:
            np.testing.assert_array_equal(other, sums[0])

    def test_names_of_gymnasium_do_not_matter(self):
        said = []
        for how in ("with", "without"):
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM, how, sys.path[0]], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            said.append(done.stdout)
        self.assertTrue(said[0].startswith("True 32 "))
        self.assertTrue(said[1].startswith("False 0 "))
        self.assertEqual(said[0].split(" ", 2)[2], said[1].split(" ", 2)[2])

    def test_same_step_keeps_the_last_observation(self):
        env = vx.envs.make_vec("Walker-v0", BODY, num_envs=2, max_episode_steps=3, autoreset_mode="SameStep", threads=1)
        first, _ = env.reset(seed=1)
        plain = vx.envs.make_vec("Walker-v0", BODY, num_envs=2, max_episode_steps=9, threads=1)
        plain.reset(seed=1)
        for tick in range(3):
            obs, _, _, truncated, info = env.step(actions(env, tick))
            last = plain.step(actions(env, tick))[0]
        self.assertTrue(truncated.all())
        np.testing.assert_array_equal(obs, first)
        self.assertEqual((info["_final_obs"].tolist(), info["_final_info"].tolist()), ([True] * 2, [True] * 2))
        np.testing.assert_array_equal(np.stack(info["final_obs"]), last)

    def test_one_that_diverges_has_ended(self):
        for mode in ("NextStep", "SameStep", "Disabled"):
            env = vx.envs.make_vec("Walker-v0", [burst(), calm()], autoreset_mode=mode, threads=1)
            env.reset(seed=1)
            for _ in range(6):
                obs, reward, terminated, truncated, info = env.step(np.ones(env.action_space.shape))
                self.assertTrue(np.isfinite(obs).all())
                if terminated.any():
                    break
            self.assertEqual((terminated.tolist(), truncated.tolist(), reward[0]), ([True, False], [False, False], -3))
            self.assertEqual(info["diverged"].tolist(), [True, False])
            self.assertEqual("final_obs" in info, mode == "SameStep")
            env.close()

    def test_copy(self):
        env = vx.envs.make_vec("Walker-v0", BODY, copy=False, threads=1)
        obs, _ = env.reset(seed=1)
        self.assertIs(env.step(actions(env, 0))[0], obs)
        env = vx.envs.make_vec("Walker-v0", BODY, threads=1)
        obs, _ = env.reset(seed=1)
        self.assertIsNot(env.step(actions(env, 0))[0], obs)

    def test_one_robot(self):
        env, several = vx.envs.make("Jumper-v0", BODY, max_episode_steps=4, threads=1, render_mode="rgb_array", render={"width": 64, "height": 48}), \
            vx.envs.make_vec("Jumper-v0", BODY, max_episode_steps=4, threads=1)
        obs, _ = env.reset(seed=1)
        np.testing.assert_array_equal(obs, several.reset(seed=1)[0][0])
        self.assertTrue(env.observation_space.contains(obs))
        for tick in range(4):
            obs, reward, terminated, truncated, info = env.step(actions(several, tick)[0])
            self.assertEqual((type(reward), type(terminated), reward), (float, bool, several.step(actions(several, tick))[1][0]))
        self.assertTrue(truncated)
        self.assertEqual((env.render().shape, env.render().dtype), ((48, 64, 3), np.uint8))
        with self.assertRaises(vx.envs.ResetNeeded):
            env.step(actions(several, 0)[0])
        env.close()

    def test_returns(self):
        env = vx.envs.make_vec("Walker-v0", BODY, num_envs=2, max_episode_steps=5, threads=1)
        total = vx.envs.returns(env, lambda obs, tick: actions(env, tick), seed=3)
        np.testing.assert_array_equal(total, vx.envs.returns(env, lambda obs, tick: actions(env, tick), 50, seed=3))

    def test_pictures(self):
        env = vx.envs.make_vec("Walker-v0", BODY, num_envs=2, render_mode="rgb_array", render={"width": 64, "height": 48}, threads=1)
        self.assertEqual([picture.shape for picture in env.render()], [(48, 64, 3)] * 2)
        self.assertIsNone(vx.envs.make_vec("Walker-v0", BODY, threads=1).render())


def calm():
    return vx.Design.from_array(np.ones((2, 2, 2), int), vx.Material(youngs_modulus=1e6), group=1, voxel_size=0.1)


def burst():
    """Its halves fly at each other."""
    design = vx.Design.from_array(np.ones((2, 1, 1), int), vx.Material(youngs_modulus=1e6), group=1, voxel_size=0.1)
    design.set_velocity(0, linear=(150, 0, 0))
    design.set_velocity(1, linear=(-150, 0, 0))
    return design


class Refusals(unittest.TestCase):
    def test_of_making(self):
        make = vx.envs.make_vec
        for text, arguments, choices in (("no task 'Runner'", ("Runner", BODY), {}), ("no actuators", ("Walker-v0", np.ones((3, 3), int)), {}), ("0 .empty. to 4", ("Walker-v0", BODY + 3), {}),
                                         ("pieces", ("Walker-v0", np.array([[3, 0, 3]])), {}), ("2 bodies", ("Walker-v0", [BODY, BODY], 3), {}), ("whole numbers", ("Walker-v0", BODY + 0.5), {}),
                                         ("depth", ("Walker-v0", BODY), {"depth": 0}), ("rate", ("Walker-v0", BODY), {"rate": 0}), ("reset_noise", ("Walker-v0", BODY), {"reset_noise": -1}),
                                         ("render_mode", ("Walker-v0", BODY), {"render_mode": "human"}), ("AutoresetMode", ("Walker-v0", BODY), {"autoreset_mode": "Never"})):
            with self.assertRaisesRegex(ValueError, text):
                make(*arguments, **choices)

    def test_of_steps(self):
        env = vx.envs.make_vec("Walker-v0", BODY, num_envs=2, autoreset_mode="Disabled", max_episode_steps=2, threads=1)
        good = actions(env, 0)
        with self.assertRaisesRegex(vx.envs.ResetNeeded, "reset"):
            env.step(good)
        env.reset(seed=1)
        for wrong, text in ((good[:1], "shape"), (good * 2, "environment 0, actuator"), (good * np.nan, "actuator 0: the action is nan")):
            with self.assertRaisesRegex(ValueError, text):
                env.step(wrong)
        env.step(good)
        env.step(good)
        with self.assertRaisesRegex(vx.envs.ResetNeeded, "environment 0 is at its end"):
            env.step(good)
        for options in ({"reset_mask": np.ones(2)}, {"reset_mask": np.ones(3, bool)}, {"mask": None}):
            with self.assertRaises(ValueError):
                env.reset(options=options)
        env.close()
        env.close()
        for call in (env.reset, lambda: env.step(good), env.render):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()


class Spaces(unittest.TestCase):
    def test_box(self):
        box = vx.envs.Box(0.6, 1.6, (3,), np.float32, seed=1)
        one = box.sample()
        self.assertTrue(box.contains(one) and one.dtype == np.float32)
        box.seed(1)
        np.testing.assert_array_equal(box.sample(), one)
        for wrong in (np.full(3, 2, np.float32), np.ones(2, np.float32), one * np.nan, np.ones(3)):
            self.assertFalse(box.contains(wrong))
        self.assertEqual(vx.envs.gym.batch_space(box, 4), vx.envs.Box(0.6, 1.6, (4, 3)))
        self.assertTrue(np.isfinite(vx.envs.Box(-np.inf, np.inf, (2,)).sample()).all())


if __name__ == "__main__":
    main()
