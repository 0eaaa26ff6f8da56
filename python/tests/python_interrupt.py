# SPDX-License-Identifier: MIT
"""Ctrl-C ends a run between two steps, with KeyboardInterrupt; what ran can go on, and has the same bits."""
import os
import signal
import threading
import unittest

from common import main, np, vx, walker


def interrupt_soon():
    """Sends this process what Ctrl-C sends, in a moment."""
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class Interrupt(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def test_a_world(self):
        world = vx.World(walker((8, 8, 8)))
        timer = interrupt_soon()
        with self.assertRaises(KeyboardInterrupt):
            world.advance(10**9)
        timer.join()
        steps = world.steps
        self.assertTrue(0 < steps < 10**9)
        world.advance(100)
        other = vx.World(walker((8, 8, 8)))
        other.advance(steps + 100)
        self.assertEqual(world.hash, other.hash)

    def test_a_batch(self):
        for threads in (1, 2):
            batch = vx.Batch(duration=1e6, threads=threads)
            for _ in range(20):
                batch.add(walker((8, 8, 8)))
            timer = interrupt_soon()
            with self.assertRaises(KeyboardInterrupt):
                batch.run()
            timer.join()
            self.assertTrue((batch.results()["status"] == vx.WAITING).all())

    def test_a_team(self):
        cells = np.ones((8, 8, 8), int)
        design = vx.Design.from_array(cells, vx.Material(youngs_modulus=1e6), group=0, voxel_size=0.1)
        with vx.Team([design] * 4, threads=1) as team:
            targets = np.ones((100000, 4, 1), np.float32)
            timer = interrupt_soon()
            with self.assertRaises(KeyboardInterrupt):
                team.run(targets, out=np.empty((100000, 4, team.facts.width), np.float32))
            timer.join()
            ticks, now = round(team.frame(0).time / team.facts.interval), team.hashes
            self.assertTrue(0 < ticks < 100000)
            last = team.obs.copy()
            team.reset()
            np.testing.assert_array_equal(team.run(targets[:ticks])[-1], last)
            np.testing.assert_array_equal(team.hashes, now)

    def test_a_gradient(self):
        """Forwards, backwards, and in the objective; the next run has the bits of one that nobody stopped."""
        with vx.Gradient(step_seconds=1e-5, steps=200, threads=1) as short:
            short.add(walker())
            short.run(vx.speed_along())
            want = short.by(0, "phase")
        for threads, robots in ((1, 1), (2, 20)):
            with vx.Gradient(step_seconds=1e-5, steps=200000, sample_every=100000, threads=threads) as gradient:
                for _ in range(robots):
                    gradient.add(walker())
                timer = interrupt_soon()
                with self.assertRaises(KeyboardInterrupt):
                    gradient.run(vx.speed_along())
                timer.join()
                with self.assertRaisesRegex(vx.InvalidInput, "has not run"):
                    gradient.value(0)
        with vx.Gradient(step_seconds=1e-5, steps=200, threads=1) as gradient:
            gradient.add(walker())
            for _ in range(2):
                with self.assertRaises(KeyboardInterrupt):
                    gradient.run(lambda *samples: os.kill(os.getpid(), signal.SIGINT))
            gradient.run(vx.speed_along())
            np.testing.assert_array_equal(gradient.by(0, "phase"), want)

    def test_a_gradient_backwards(self):
        seen = []

        def objective(robot, time, center, velocity):
            seen.append(interrupt_soon())
            return vx.speed_along()(robot, time, center, velocity)
        with vx.Gradient(step_seconds=1e-5, steps=20000, threads=1) as gradient:
            gradient.add(walker((8, 8, 8)))
            with self.assertRaises(KeyboardInterrupt):
                gradient.run(objective)
            seen[0].join()
            with self.assertRaisesRegex(vx.InvalidInput, "has not run"):
                gradient.value(0)

    def test_a_handler_of_the_user(self):
        seen = []
        signal.signal(signal.SIGINT, lambda *arguments: seen.append(1))
        world = vx.World(walker((8, 8, 8)))
        timer = interrupt_soon()
        while not seen:
            world.advance(1000)  # it goes on
        timer.join()
        self.assertEqual(world.steps % 1000, 0)

    def test_a_handler_can_not_close_what_runs(self):
        world = vx.World(walker((8, 8, 8)))
        signal.signal(signal.SIGINT, lambda *arguments: world.close())
        timer = interrupt_soon()
        with self.assertRaisesRegex(RuntimeError, "in use"):
            world.advance(10**9)
        timer.join()
        self.assertGreater(world.steps, 0)


if __name__ == "__main__":
    main()
