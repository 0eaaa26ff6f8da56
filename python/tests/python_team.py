# SPDX-License-Identifier: MIT
"""Teams compute what worlds compute: hashes of World with the same targets, over resets, saves and threads; and what they refuse."""
import gc
import os
import threading
import time
import unittest

from common import main, np, vx

WIDE = ("center", "velocity", "spin", "up", "heading", "clock", "targets", "group_place", "group_velocity", "group_edge", "group_strain", "group_load", "group_touch",
        "voxel_place", "voxel_velocity", "floor_ahead", "part_center", "part_velocity", "part_up", "part_heading")
TICKS = 12


def body(size=(4, 3, 2), groups=3):
    """A soft block, its groups by columns along x."""
    cells = np.ones(size, int)
    return vx.Design.from_array(cells, vx.Material(youngs_modulus=1e6), group=np.indices(size)[0] % groups, voxel_size=0.1)


def bodies():
    return [body((3 + n % 3, 3, 2), 2 + n % 3) for n in range(6)]


def targets(team, tick):
    rows = np.arange(team.facts.robots * team.facts.groups).reshape(team.facts.robots, team.facts.groups)
    return (1 + 0.2 * np.sin(0.4 * tick + rows)).astype(np.float32)


def play(team, ticks=TICKS, first=0):
    for tick in range(first, first + ticks):
        team.step(targets(team, tick))


class Bits(unittest.TestCase):
    def test_a_robot_is_a_world_with_the_same_step(self):
        designs = bodies()
        with vx.Team(designs, schedule="lanes", threads=1) as team:
            play(team)
            for robot, design in enumerate(designs):
                facts = team.robot(robot)
                world = vx.World(design, step_seconds=facts.time_step, damping=facts.damping)
                for group in range(facts.groups):  # plans as the team has planned, for the largest target
                    world.target(group, float(np.float32(1.6)))
                    world.target(group, 1)
                for tick in range(TICKS):
                    for group in range(facts.groups):
                        world.target(group, float(targets(team, tick)[robot, group]))
                    world.advance(facts.steps)
                self.assertEqual(world.hash, team.hash(robot))
                np.testing.assert_array_equal(world.positions(), team.frame(robot).positions)

    def test_schedules_and_threads(self):
        designs = bodies() * 3
        seen = []
        for schedule, threads in (("lanes", 1), ("alone", 2), ("auto", 0)):
            with vx.Team(designs, schedule=schedule, threads=threads, observe=WIDE) as team:
                play(team)
                seen.append((team.hashes, team.obs.copy()))
        for hashes, obs in seen[1:]:
            np.testing.assert_array_equal(hashes, seen[0][0])
            np.testing.assert_array_equal(obs, seen[0][1])

    @unittest.skipUnless(hasattr(os, "sched_setaffinity"), "no processors to choose from")
    def test_a_team_takes_the_processors_that_it_may_use(self):
        may = os.sched_getaffinity(0)
        try:
            for use in ({min(may)}, may):
                os.sched_setaffinity(0, use)
                with vx.Team(bodies()) as team:
                    self.assertEqual(team.facts.threads, len(use))
        finally:
            os.sched_setaffinity(0, may)

    def test_run_is_steps(self):
        with vx.Team(bodies(), threads=1) as team:
            play(team)
            one, last = team.hashes, team.obs.copy()
            team.reset()
            seen = team.run(np.stack([targets(team, tick) for tick in range(TICKS)]))
            self.assertEqual((seen.shape, seen.dtype), ((TICKS, 6, team.facts.width), np.float32))
            np.testing.assert_array_equal(team.hashes, one)
            np.testing.assert_array_equal(seen[-1], last)
            np.testing.assert_array_equal(team.obs, last)
            self.assertEqual(team.run(np.zeros((0, 6, team.facts.groups), np.float32)).shape[0], 0)

    def test_arrays_stay(self):
        with vx.Team(bodies(), threads=1) as team:
            obs, status = team.obs, team.status
            before = obs.copy()
            self.assertIs(team.step(targets(team, 1)), obs)
            self.assertIs(team.reset(), obs)
            np.testing.assert_array_equal(obs, before)
            self.assertIs(team.status, status)
            for array in (obs, status):
                with self.assertRaises(ValueError):  # the team writes to its memory
                    array.resize((1,), refcheck=False)
        self.assertEqual(obs.shape, before.shape)  # they outlive the team

    def test_reset_of_some(self):
        with vx.Team(bodies(), threads=1) as team:
            start = team.hashes
            play(team)
            moved = team.hashes
            mask = np.array([True, False] * 3)
            team.reset(mask)
            np.testing.assert_array_equal(team.hashes, np.where(mask, start, moved))
            with vx.Team(bodies(), threads=1, observe=("center", "velocity")) as other:
                at = other.obs.copy()
                other.reset(shift=(0.5, 0, 0.25), push=np.full((6, 3), 0.125))
                np.testing.assert_allclose(other.obs - at, np.broadcast_to([0.5, 0, 0.25, 0.125, 0.125, 0.125], (6, 6)), atol=1e-6)
                other.reset(mask)
                np.testing.assert_array_equal(other.obs[mask], at[mask])

    def test_states_are_saved(self):
        with vx.Team(bodies(), threads=1) as team:
            play(team, 4)
            states, obs = team.save(), team.obs.copy()
            play(team, 4, 4)
            after = team.hashes
            np.testing.assert_array_equal(team.load(states), obs)
            play(team, 4, 4)
            np.testing.assert_array_equal(team.hashes, after)
            with vx.Team(bodies(), threads=2) as other:
                other.load(states)
                play(other, 4, 4)
                np.testing.assert_array_equal(other.hashes, after)
            for wrong in (b"", states[:-1], states[:400] + bytes([states[400] ^ 1]) + states[401:], bytes(len(states))):
                with self.assertRaises(vx.InvalidInput):
                    team.load(wrong)
            np.testing.assert_array_equal(team.hashes, after)

    def test_sensors_say_where_numbers_stand(self):
        with vx.Team(bodies(), threads=1, observe=WIDE) as team:
            self.assertEqual(list(team.sensors), list(WIDE))
            self.assertEqual(max(place.stop for place in team.sensors.values()), team.facts.width)
            play(team, 3)
            for robot in range(6):
                frame = team.frame(robot)
                np.testing.assert_allclose(team.obs[robot, team.sensors["center"]], frame.positions.mean(0), atol=1e-6)
                places = team.obs[robot, team.sensors["voxel_place"]].reshape(-1, 3)[:team.robot(robot).voxels]
                np.testing.assert_allclose(places, frame.positions - frame.positions.mean(0), atol=1e-6)
            self.assertAlmostEqual(float(team.obs[0, team.sensors["clock"]][0]), 3 / 60, places=6)
            np.testing.assert_array_equal(team.obs[0, team.sensors["targets"]][:2], targets(team, 2)[0, :2])

    def test_a_recorder_takes_frames(self):
        import tempfile
        with vx.Team([body()], threads=1) as team, tempfile.TemporaryDirectory() as folder:
            frames = []
            for tick in range(3):
                team.step(targets(team, tick))
                frames.append(team.frame(0))
            vx.Replay(team.design(0), frames).save(f"{folder}/team.vxr")
            self.assertEqual([round(frame.time * 60) for frame in vx.Replay.read(f"{folder}/team.vxr").frames], [1, 2, 3])
            pixels = vx._core.draw(team.design(0), frames[0], width=64, height=48)
            self.assertEqual((pixels.shape, pixels.dtype), ((48, 64, 3), np.uint8))
            self.assertGreater(len(np.unique(pixels.reshape(-1, 3), axis=0)), 2)

    def test_hull_volumes_are_those_of_worlds(self):
        with vx.Team(bodies(), threads=1) as team:
            volumes = team.hull_volumes(None)
            for robot, design in enumerate(bodies()):
                self.assertAlmostEqual(volumes[robot], vx.World(design).hull_volume(), places=12)


class Divergence(unittest.TestCase):
    def test_one_that_diverges_stands_still(self):
        """Two masses on a bond that breaks its bounds by a push; the others go on as they would alone."""
        designs = [body() for _ in range(4)]
        designs[2] = vx.Design.from_array(np.ones((2, 1, 1), int), vx.Material(youngs_modulus=1e6), group=0, voxel_size=0.1)
        designs[2].set_velocity(0, linear=(150, 0, 0))
        designs[2].set_velocity(1, linear=(-150, 0, 0))
        with vx.Team(designs, threads=1, observe=WIDE) as team, vx.Team([body()], threads=1) as alone:
            for tick in range(8):
                team.step(np.ones((4, 3), np.float32))
                alone.step(np.ones((1, 3), np.float32))
                self.assertTrue(np.isfinite(team.obs).all())
            self.assertEqual(team.status.tolist(), [0, 0, 1, 0])
            self.assertTrue(team.message(2))
            self.assertEqual(team.message(0), "")
            self.assertEqual(team.hash(3), alone.hash(0))
            row, ignored = team.obs[2].copy(), np.ones((4, 3), np.float32)
            ignored[2] = np.nan
            team.step(ignored)
            np.testing.assert_array_equal(team.obs[2], row)
            states = team.save()
            team.reset(np.array([False, False, True, False]))
            self.assertEqual(team.status.tolist(), [0, 0, 0, 0])
            team.load(states)
            self.assertEqual(team.status.tolist(), [0, 0, 1, 0])
            self.assertTrue(np.isfinite(team.obs).all())


class Refusals(unittest.TestCase):
    def setUp(self):
        self.design = body()
        self.team = vx.Team([self.design, self.design], threads=1)
        self.addCleanup(self.team.close)
        self.good = np.ones((2, 3), np.float32)

    def test_targets(self):
        before = self.team.hashes
        for wrong, exception, text in ((np.ones((2, 3)), ValueError, "float64"), (np.ones((3, 2), np.float32), ValueError, r"\(3, 2\)"),
                                       (np.ones((3, 2), np.float32).T, ValueError, "C order"), ([[1, 1, 1]] * 2, TypeError, "array"), (None, TypeError, "array")):
            with self.assertRaisesRegex(exception, text):
                self.team.step(wrong)
        for number in (np.nan, 0.5, 1.7, np.inf):
            self.good[1, 2] = number
            with self.assertRaisesRegex(vx.InvalidInput, "robot 1, group 2"):
                self.team.step(self.good)
            with self.assertRaisesRegex(vx.InvalidInput, "robot 1, group 2"):
                self.team.run(self.good[None])
        np.testing.assert_array_equal(self.team.hashes, before)

    def test_designs_stay_as_they_are(self):
        with self.assertRaisesRegex(RuntimeError, "in use"):
            self.design.gravity = (0, 0, 0)
        self.team.close()
        self.design.gravity = (0, 0, 0)
        team = vx.Team([body()], threads=1)
        gc.collect()
        team.step(np.ones((1, 3), np.float32))  # the team holds what nobody else does
        team.close()

    def test_choices(self):
        for exception, choices in ((vx.InvalidInput, {"interval": 0}), (vx.InvalidInput, {"targets": (1.1, 1.2)}), (ValueError, {"observe": ("nothing",)}), (TypeError, {"observe": "up"}),
                                   (TypeError, {"intervall": 1}), (ValueError, {"schedule": "fast"}), (vx.InvalidInput, {"audit": True}), (ValueError, {"targets": (1,)})):
            with self.assertRaises(exception, msg=str(choices)):
                vx.Team([self.design], **choices)
        with self.assertRaises(vx.InvalidInput):
            vx.Team([])
        with self.assertRaisesRegex(TypeError, "robot 1"):
            vx.Team([self.design, 5])
        with self.assertRaisesRegex(vx.Error, "robot 0"):
            vx.Team([vx.Design()])

    def test_arguments(self):
        for exception, call, arguments in ((IndexError, self.team.hash, (2,)), (IndexError, self.team.frame, (-1,)), (ValueError, self.team.reset, (np.ones(3, bool),)),
                                           (ValueError, self.team.reset, (np.ones(2),)), (ValueError, self.team.reset, (None, np.zeros((3, 3)))),
                                           (vx.InvalidInput, self.team.reset, (None, None, (0, 0, 2))), (TypeError, self.team.load, (5,)),
                                           (ValueError, self.team.hull_volumes, (np.zeros(3),))):
            with self.assertRaises(exception, msg=str(arguments)):
                call(*arguments)
        with self.assertRaises(ValueError):
            self.team.run(np.ones((1, 2, 3), np.float32), out=np.zeros((1, 2, 3), np.float32))

    def test_closed(self):
        self.team.close()
        self.team.close()
        for call in (lambda: self.team.step(self.good), self.team.reset, self.team.save, lambda: self.team.hash(0), lambda: len(self.team), lambda: self.team.facts):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        self.assertIn("closed", repr(self.team))

    def test_two_threads_on_one_team(self):
        team = vx.Team([body((8, 8, 8), 8)], threads=1)
        errors, long = [], np.ones((2000, 1, 8), np.float32)
        go_on = threading.Event()

        def work():
            go_on.set()
            try:
                team.run(long)
            except BaseException as error:
                errors.append(error)
        thread = threading.Thread(target=work)
        thread.start()
        go_on.wait()
        refused = 0
        while thread.is_alive() and not refused:
            try:
                team.hash(0)
            except RuntimeError:
                refused += 1
            time.sleep(0.001)
        thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(refused, 1)
        team.close()

    def test_an_exception_of_a_policy_leaves_the_team_whole(self):
        def policy(obs):
            raise ZeroDivisionError
        with vx.Team([self.design], threads=1) as team:
            with self.assertRaises(ZeroDivisionError):
                team.step(policy(team.obs))
            team.step(np.ones((1, 3), np.float32))

    def test_a_team_without_groups(self):
        with vx.Team([vx.Design.from_array(np.ones((2, 2, 2), int), vx.Material(), voxel_size=0.1)], threads=1) as team:
            self.assertEqual(team.facts.groups, 0)
            team.step(None)
            team.step(np.zeros((1, 0), np.float32))


if __name__ == "__main__":
    main()
