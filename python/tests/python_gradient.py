# SPDX-License-Identifier: MIT
"""Gradients against formulas, differences of runs, and runs of worlds; what the objective is given and may return; and what is refused, with nothing half done."""
import copy
import pickle
import threading
import time
import unittest

from common import ASSETS, main, np, vx

STEP = 1e-5  # s
PLACE, VELOCITY = np.array([0.9, -0.7, 0.4]), np.array([0.01, 0.02, -0.03])
BYS = {"amplitude": (), "phase": (), "load": (3,), "start": (12,), "stiffness": (), "density": (), "friction": (), "bond_damping": (), "floor_damping": (), "frequency": ()}
NAMES = (*BYS, "weights")
FREE = ("amplitude", "phase", "load", "start")  # what gradients are by if nobody asks
LAYERS = {"phase": ("PhaseOffset", 1), "amplitude": ("Amplitude", 1), "frequency": ("Frequency", 1), "stiffness": ("Stiffness", 1e6), "density": ("Density", 1e3)}  # and how large their numbers are


def last(robot, time, center, velocity):
    """The place and the velocity at the end, weighed."""
    by_center, by_velocity = np.zeros_like(center), np.zeros_like(velocity)
    by_center[-1], by_velocity[-1] = PLACE, VELOCITY
    return PLACE @ center[-1] + VELOCITY @ velocity[-1], by_center, by_velocity


def crawler(speed=0.05, **numbers):
    """A body that is thrown, lands and crawls: at rest on the floor it would be on the border between two branches."""
    material = vx.Material(**{"youngs_modulus": 1e6, "density": 1e3, "thermal_expansion": 0.01, "bond_damping": 0.3, "collision_damping": 0.3, "global_damping": 0.02,
                              "static_friction": 0.5, "dynamic_friction": 0.5, **numbers})
    random = np.random.default_rng(7)
    design = vx.Design.from_array(np.ones((4, 2, 2), int), material, phase=0.5 * random.random((4, 2, 2)), amplitude=1 + 0.3 * random.random((4, 2, 2)))
    design.actuation(amplitude=12, period=0.05)
    design.floor(height=0)
    design.gravity = (0, 0, -9.81)
    for voxel in range(design.voxels):
        design.set_velocity(voxel, linear=(speed, 0.4 * speed, 0.02))
    return design


def wild():
    """A crawler that diverges."""
    design = crawler()
    design.set_velocity(0, linear=(300, 0, 0))
    return design


def gradient_of(*designs, steps=300, **choices):
    gradient = vx.Gradient(**{"step_seconds": STEP, "steps": steps, "precision": "double", "threads": 1, "by": tuple(BYS), **choices})
    for design in designs:
        gradient.add(design)
    return gradient


def numbers_of(gradient):
    """All that the last run gave, for comparisons to the bit."""
    return [(gradient.value(robot), gradient.facts(robot), *(gradient.by(robot, by).tobytes() for by in BYS)) for robot in range(len(gradient))]


class Physics(unittest.TestCase):
    def test_free_fall(self):
        """Symplectic Euler: of the place at the end, h^2 N (N + 1) / 2m by a load and N h by the velocity at the start."""
        material = vx.Material(density=1e3)
        design = vx.Design.from_array(np.ones((1, 1, 1), int), material, voxel_size=0.01)
        design.floor.enabled = False
        design.gravity = (0, 0, -9.81)
        h, n, mass = 1e-4, 300, 1e3 * 0.01 ** 3
        with gradient_of(design, steps=n, step_seconds=h) as gradient:
            value, = gradient.run(last)
            fall, speed = -9.81 * h * h * n * (n + 1) / 2, -9.81 * n * h
            self.assertAlmostEqual(value, PLACE @ (0.005, 0.005, 0.005 + fall) + VELOCITY @ (0, 0, speed), places=14)
            np.testing.assert_allclose(gradient.by(0, "load"), [(PLACE * h * h * n * (n + 1) / 2 + VELOCITY * n * h) / mass], rtol=1e-12)
            start, = gradient.by(0, "start")
            np.testing.assert_allclose(start, [*PLACE, 0, 0, 0, *(PLACE * n * h + VELOCITY), 0, 0, 0], rtol=0, atol=1e-14)
            np.testing.assert_array_equal(gradient.by(0, "phase"), [0])

    def test_differences_of_runs(self):
        """By what has layers, of four voxels, against central differences, whose rounding is 1e-6; numbers are put into the same robot."""
        design = crawler(0.3)
        random = np.random.default_rng(8)
        with gradient_of(design, steps=2000) as gradient:
            for by, (layer, size) in LAYERS.items():
                numbers = design.layer(layer).values if layer in design.layers else size * (1 + 0.1 * random.random(16))
                gradient.put(0, by, numbers)
                gradient.run(last)
                exact = gradient.by(0, by)
                for voxel in (0, 5, 10, 15):
                    side = []
                    for change in (2e-6 * size, -2e-6 * size):
                        changed = numbers.copy()
                        changed[voxel] += change
                        gradient.put(0, by, changed)
                        side.append(gradient.run(last)[0])
                    self.assertLess(abs((side[0] - side[1]) / (4e-6 * size) - exact[voxel]), 1e-6 * abs(exact).max(), f"{by} of voxel {voxel}")
                gradient.put(0, by, numbers)

    def test_differences_of_materials(self):
        """What the number of a material changes is the sum over its voxels; static friction stays above the dynamic one."""
        high = {"static_friction": 0.6}
        with gradient_of(crawler(0.3, **high), steps=2000) as gradient:
            gradient.run(last)
            for by, name, value in (("stiffness", "youngs_modulus", 1e6), ("density", "density", 1e3), ("friction", "dynamic_friction", 0.5), ("bond_damping", "bond_damping", 0.3),
                                    ("floor_damping", "collision_damping", 0.3)):
                exact, step = gradient.by(0, by), 1e-5 * value
                with gradient_of(*[crawler(0.3, **{**high, name: value + change}) for change in (step, -step)], steps=2000) as other:
                    up, down = other.run(last)
                self.assertGreater(abs(exact).max(), 0)
                self.assertLess(abs((up - down) / (2 * step) - exact.sum()), 1e-6 * abs(exact).sum(), by)

    def test_a_run_is_that_of_a_world(self):
        seen = []

        def keep(robot, time, center, velocity):
            seen.append((time, center, velocity))
            return 0, None, None
        design = crawler()
        with gradient_of(design, steps=250, sample_every=100) as gradient:
            gradient.run(keep)
        (time, center, velocity), = seen
        world = vx.World(design, step_seconds=STEP, precision="double", damping="explicit")
        for sample, steps in enumerate((0, 100, 100, 50)):
            if steps:
                world.advance(steps)
            self.assertEqual(time[sample], world.time)
            np.testing.assert_allclose(center[sample], world.center, rtol=1e-14)
            np.testing.assert_allclose(velocity[sample], world.velocity, rtol=1e-12, atol=1e-15)

    def test_speed_along(self):
        design = crawler()
        with gradient_of(design, steps=400, sample_every=10) as gradient:
            seen = []

            def keep(robot, time, center, velocity):
                seen.append(velocity)
                return last(robot, time, center, velocity)
            gradient.run(keep)
            for direction in ((1, 0, 0), (0, -3, 4)):
                value, = gradient.run(vx.speed_along(direction))
                self.assertAlmostEqual(value, seen[0][1:].mean(0) @ direction / np.linalg.norm(direction), places=15)
                by = gradient.by(0, "phase")
                gradient.run(lambda *given: (0, None, np.array([np.zeros(3)] + [np.array(direction) / np.linalg.norm(direction) / 40] * 40)))
                np.testing.assert_allclose(gradient.by(0, "phase"), by, rtol=1e-12)
        for wrong in ((0, 0, 0), (1, 0), (np.nan, 0, 0), (np.inf, 0, 0), "x"):
            with self.assertRaises(ValueError):
                vx.speed_along(wrong)

    def test_what_is_forgotten_is_small(self):
        design = vx.Design.from_array(np.ones((1, 1, 1), int), vx.Material())
        design.floor.enabled = False
        design.gravity = (0, 0, 0)
        with gradient_of(design, steps=300, step_seconds=1e-4, forget=0.01) as gradient:
            gradient.run(last)
            np.testing.assert_allclose(gradient.by(0, "start")[0, :3], np.exp(-299 * 1e-4 / 0.01) * PLACE, rtol=1e-12)
            gradient.run(lambda robot, time, center, velocity: (velocity[-1, 0], None, [[0, 0, 0], [1, 0, 0]]))
            self.assertAlmostEqual(gradient.facts(0).growth, -100, places=6)


class Runs(unittest.TestCase):
    def test_numbers_that_are_put(self):
        """They are those of a design that was made so, to the bit; so is a run that is repeated."""
        for by, (layer, size) in LAYERS.items():
            design, other = crawler(), crawler()
            if layer not in other.layers:
                other.layer(layer)[:] = size
            other.layer(layer)[3] = 0.7 * size
            with gradient_of(design) as gradient, gradient_of(other) as made:
                gradient.run(last)
                before = numbers_of(gradient)
                gradient.put(0, by, other.layer(layer))
                self.assertEqual(numbers_of(gradient), before)  # they act from the next run on
                gradient.run(last)
                made.run(last)
                self.assertEqual(numbers_of(gradient), numbers_of(made))
                gradient.run(last)
                self.assertEqual(numbers_of(gradient), numbers_of(made))
                self.assertNotEqual(numbers_of(gradient), before)

    def test_what_is_asked_for(self):
        """Names are in `names`; without any, gradients are by what costs nothing, to the same bits; what was not asked for is told, and may be put all the same."""
        self.assertEqual(vx.Gradient.names, NAMES)
        with gradient_of(crawler()) as gradient:
            gradient.run(last)
            want = {by: gradient.by(0, by).tobytes() for by in BYS}
        for by, asked in ((None, FREE), ("stiffness", ("stiffness",)), (["density", "phase", "phase"], ("density", "phase")), (vx.Gradient.names, tuple(BYS))):
            with gradient_of(crawler(), by=by) as gradient:
                gradient.run(last)
                self.assertEqual({name: gradient.by(0, name).tobytes() for name in asked}, {name: want[name] for name in asked})
                for name in set(BYS) - set(asked):
                    with self.assertRaisesRegex(vx.InvalidInput, "did not ask for this one"):
                        gradient.by(0, name)
                gradient.put(0, "stiffness", np.full(16, 2e6))
                value, = gradient.run(last)
            with gradient_of(crawler(youngs_modulus=2e6)) as other:
                self.assertEqual(other.run(last), value)

    def test_threads_and_company(self):
        designs = [crawler(0.02 + 0.01 * n) for n in range(19)]
        all_numbers = []
        for threads in (1, 2, 3):
            with gradient_of(*designs, threads=threads) as gradient:
                gradient.run(last)
                all_numbers.append(numbers_of(gradient))
        self.assertEqual(all_numbers[0], all_numbers[1])
        self.assertEqual(all_numbers[0], all_numbers[2])
        with gradient_of(designs[7]) as alone:
            alone.run(last)
            self.assertEqual(numbers_of(alone), all_numbers[0][7:8])

    def test_what_the_objective_is_given(self):
        asked = []

        def objective(robot, time, center, velocity):
            asked.append((robot, threading.get_ident(), time.shape, center.shape, velocity.shape))
            for array in (time, center, velocity):
                self.assertEqual(array.dtype, np.float64)
                array[:] = 7  # copies of the objective's own
            return np.float32(robot), None, None
        with gradient_of(*[crawler()] * 18, steps=25, sample_every=10, threads=2) as gradient:
            np.testing.assert_array_equal(gradient.run(objective), np.arange(18))
            self.assertEqual(asked, [(robot, threading.get_ident(), (4,), (4, 3), (4, 3)) for robot in range(18)])
            self.assertFalse(gradient.by(17, "phase").any())

    def test_what_the_objective_may_return(self):
        """Lists, single precision and whole numbers for arrays, and a list for the tuple."""
        with gradient_of(crawler()) as gradient:
            gradient.run(lambda robot, time, center, velocity: (center[-1, 0], np.array([[0, 0, 0], [1, 0, 0.]]), None))
            want = numbers_of(gradient)
            for answer in ([[0, 0, 0], [1, 0, 0]], np.array([[0, 0, 0], [1, 0, 0]], np.float32), np.array([[0, 1], [0, 0], [0, 0]]).T, np.array([[False] * 3, [True, False, False]])):
                gradient.run(lambda robot, time, center, velocity: [center[-1, 0], answer, None])
                self.assertEqual(numbers_of(gradient), want)

    def test_shapes(self):
        with gradient_of(crawler()) as gradient:
            gradient.run(last)
            for by, shape in BYS.items():
                array = gradient.by(0, by)
                self.assertEqual((array.shape, array.dtype), ((16, *shape), np.float64))
                out = np.empty((16, *shape))
                self.assertIs(gradient.by(0, by, out=out), out)
                np.testing.assert_array_equal(out, array)

    def test_weights(self):
        """Of a network that moves groups: its gradient climbs, the weights that are put are those of a design, and a robot without a network has none."""
        design = crawler()
        groups = np.array([voxel // 4 % 2 for voxel in range(16)])
        design.layer("Group")[:] = groups
        layers = (3 + 3 + 2 * 3, 4, 2)
        design.controller = vx.Controller(("velocity", "clock", "group_place"), layers, np.random.default_rng(3).normal(0, 0.5, vx.count_weights(layers)), interval=1e-3)
        choices = {"by": ("weights", "phase"), "steps": 2000}
        with gradient_of(design, crawler(), **choices) as gradient:
            before, _ = gradient.run(last)
            slopes = gradient.by(0, "weights")
            self.assertEqual((slopes.shape, gradient.by(1, "weights").shape), (design.controller.weights.shape, (0,)))
            self.assertGreater(np.abs(slopes).max(), 0)
            weights = (design.controller.weights + 1e-2 * slopes / np.linalg.norm(slopes)).astype(np.float32)
            gradient.put(0, "weights", weights)
            after, _ = gradient.run(last)
            self.assertAlmostEqual((after - before) / (1e-2 * np.linalg.norm(slopes)), 1, delta=0.05)  # a step of a hundredth curves little
            with self.assertRaisesRegex(vx.InvalidInput, "weight 2 of the network is inf"):
                gradient.put(0, "weights", np.where(np.arange(len(weights)) == 2, np.inf, weights))
        controller = design.controller
        design.controller = vx.Controller(controller.sensors, layers, weights, interval=1e-3)
        with gradient_of(design, **choices) as made:
            self.assertEqual(made.run(last)[0], after)

    def test_policies(self):
        """A policy in NumPy that does what the network of the design does has its value and its gradients, but for the rounding of floats; by parameters, what it adds up."""
        design = crawler()
        design.layer("Group")[:] = [voxel // 4 % 2 for voxel in range(16)]
        layers = (3 + 3 + 2 * 3, 2)
        weights = np.random.default_rng(3).normal(0, 0.5, vx.count_weights(layers))
        design.controller = vx.Controller(("velocity", "clock", "group_place"), layers, weights, interval=1e-3)
        bias, matrix = weights[:2], weights[2:].reshape(12, 2)
        slopes = [np.zeros(2), np.zeros((12, 2))]
        calls = []

        def act(robots, ticks, sensed):
            self.assertEqual((sensed.shape, sensed.dtype, list(robots)), ((2, 12), np.float32, [0, 1]))
            calls.append(ticks[0])
            return np.tanh(bias + sensed @ matrix)

        def back(robots, ticks, sensed, by_outputs):
            self.assertEqual((by_outputs.shape, by_outputs.dtype), ((2, 2), np.float64))
            calls.append(ticks[0])
            inner = by_outputs * (1 - np.tanh(bias + sensed @ matrix) ** 2)
            slopes[0] += inner[0]  # of the first of two equal robots
            slopes[1] += np.outer(sensed[0], inner[0])
            return inner @ matrix.T

        with gradient_of(design, design, by=("weights", "phase"), steps=2000) as gradient:
            value = gradient.run(last)
            by_phase, by_weights = gradient.by(0, "phase"), gradient.by(0, "weights")
            gradient.set_policy(act, back)
            np.testing.assert_allclose(gradient.run(last), value, rtol=1e-5)
            self.assertEqual(calls, [*range(len(calls) // 2), *reversed(range(len(calls) // 2))])
            np.testing.assert_allclose(gradient.by(0, "phase"), by_phase, atol=1e-4 * np.abs(by_phase).max())
            np.testing.assert_allclose(np.concatenate([slopes[0], slopes[1].ravel()]), by_weights, atol=1e-4 * np.abs(by_weights).max())
            self.assertFalse(gradient.by(0, "weights").any())
            gradient.set_policy(None, None)
            self.assertEqual(list(gradient.run(last)), list(value))
            self.assertEqual(list(gradient.by(0, "weights")), list(by_weights))
            for act_or, back_or, kind, pattern in ((lambda *_: 1 / 0, back, ZeroDivisionError, ""), (act, lambda *_: 1 / 0, ZeroDivisionError, ""),
                                                   (lambda *_: np.zeros((2, 3)), back, ValueError, "outputs"), (act, lambda *_: np.zeros((1, 12)), ValueError, "by_sensed")):
                gradient.set_policy(act_or, back_or)
                with self.assertRaisesRegex(kind, pattern):
                    gradient.run(last)
                with self.assertRaisesRegex(vx.InvalidInput, "has not run to its end"):
                    gradient.value(0)
            gradient.set_policy(lambda robots, *_: np.where(robots == 1, np.nan, 0)[:, None] * np.ones(2), lambda *_: None)
            self.assertTrue(np.isnan(gradient.run(last)[1]))
            with self.assertRaisesRegex(vx.InvalidInput, "robot 1: an output of the policy in tick 0 is no finite number"):
                gradient.value(1)
            for wrong in (None, 3):
                with self.assertRaisesRegex(TypeError, "a policy is two functions"):
                    gradient.set_policy(act, wrong)

    def test_facts(self):
        """A block that slides to rest: each of its voxels begins to stick once."""
        material = vx.Material(youngs_modulus=1e6, density=1e3, collision_damping=1, static_friction=0.5, dynamic_friction=0.5)
        design = vx.Design.from_array(np.ones((2, 2, 1), int), material)
        design.floor(height=0)
        design.gravity = (0, 0, -9.81)
        for voxel in range(4):
            design.set_velocity(voxel, linear=(0.01, 0, 0))
        with gradient_of(design, steps=4000) as gradient:
            gradient.run(last)
            facts = gradient.facts(0)
            self.assertEqual((type(facts), facts.branch_changes), (vx.GradientFacts, 4))
            self.assertTrue(np.isfinite(facts.growth))

    def test_none(self):
        with gradient_of() as gradient:
            self.assertEqual((len(gradient), gradient.run(last).shape), (0, (0,)))

    def test_designs_are_copied(self):
        design = crawler()
        with gradient_of(design) as gradient, gradient_of(crawler()) as other:
            design.gravity = (0, 0, 0)
            design.layer("PhaseOffset")[:] = 0
            self.assertEqual(gradient.run(last).tolist(), other.run(last).tolist())

    def test_a_file(self):
        """By the rules that it asks for, 0.25 s of settling and 50 ms of its wave; mixed precision agrees with double."""
        values = []
        for precision in ("mixed", "double"):
            with vx.Gradient(step_seconds=4e-5, steps=7500, sample_every=100, precision=precision, threads=1) as gradient:
                gradient.add(vx.Design.read(ASSETS / "worm.vxa"))
                gradient.run(vx.speed_along())
                values.append(gradient.by(0, "phase"))
        self.assertLess(abs(values[0] - values[1]).max(), 1e-4 * abs(values[1]).max())


class Robots(unittest.TestCase):
    """What befalls one robot leaves the others alone."""

    def check_others(self, gradient, kind, pattern, values):
        with gradient_of(crawler(0.02), crawler(0.04)) as others:
            others.run(last)
            self.assertEqual(np.isnan(values).tolist(), [False, True, False])
            for call in (gradient.value, gradient.facts, lambda robot: gradient.by(robot, "phase")):
                with self.assertRaisesRegex(kind, pattern):
                    call(1)
            out = np.full(16, 7.0)
            with self.assertRaisesRegex(kind, pattern):
                gradient.by(1, "phase", out=out)
            self.assertTrue((out == 7).all())
            for robot, other in ((0, 0), (2, 1)):
                self.assertEqual(gradient.value(robot), others.value(other))
                for by in BYS:
                    np.testing.assert_array_equal(gradient.by(robot, by), others.by(other, by))

    def test_one_that_diverges(self):
        with gradient_of(crawler(0.02), wild(), crawler(0.04)) as gradient:
            asked = []
            values = gradient.run(lambda robot, *samples: (asked.append(robot), last(robot, *samples))[1])
            self.assertEqual(asked, [0, 2])
            self.check_others(gradient, vx.Diverged, "diverged", values)

    def test_objectives_that_are_no_numbers(self):
        def once(answer):
            return lambda robot, *samples: answer(*last(robot, *samples)) if robot == 1 else last(robot, *samples)
        for answer, text in ((lambda value, *by: (np.nan, *by), "robot 1: the objective is nan, which is no finite number"), (lambda value, *by: (-np.inf, *by), "no finite number"),
                             (lambda value, *by: (value, np.nan * by[0], by[1]), "robot 1: a weight"), (lambda value, *by: (value, by[0], np.inf + by[1]), "robot 1: a weight")):
            with gradient_of(crawler(0.02), crawler(0.03), crawler(0.04)) as gradient:
                self.check_others(gradient, vx.InvalidInput, text, gradient.run(once(answer)))

    def test_gradients_that_are_no_numbers(self):
        with gradient_of(crawler(), steps=50, precision="mixed") as gradient:
            self.assertTrue(np.isnan(gradient.run(lambda robot, time, center, velocity: (0, None, np.full_like(velocity, 1e200)))).all())
            with self.assertRaisesRegex(vx.InvalidInput, "grew beyond all numbers"):
                gradient.value(0)


class Refusals(unittest.TestCase):
    def setUp(self):
        self.gradient = gradient_of(crawler())
        self.addCleanup(self.gradient.close)

    def refuses(self, kind, pattern, call, *arguments, **keywords):
        with self.assertRaisesRegex(kind, pattern) as caught:
            call(*arguments, **keywords)
        return caught.exception

    def test_before_a_run(self):
        for call in (self.gradient.value, self.gradient.facts, lambda robot: self.gradient.by(robot, "load")):
            self.refuses(vx.InvalidInput, "robot 0 has not run", call, 0)

    def test_exceptions_in_an_objective(self):
        """They reach the caller, nobody else is asked, and no robot has a value until the next run."""
        for threads in (1, 2):
            with gradient_of(*[crawler()] * 18, threads=threads) as gradient:
                gradient.run(last)
                want = numbers_of(gradient)
                for culprit in (0, 5, 17):
                    asked = []

                    def objective(robot, *samples):
                        asked.append(robot)
                        if robot == culprit:
                            raise ZeroDivisionError(f"of robot {robot}")
                        return last(robot, *samples)
                    self.refuses(ZeroDivisionError, f"of robot {culprit}", gradient.run, objective)
                    self.assertEqual(asked, list(range(culprit + 1)))
                    for robot in range(18):
                        self.refuses(vx.InvalidInput, f"robot {robot} has not run", gradient.value, robot)
                gradient.run(last)
                self.assertEqual(numbers_of(gradient), want)

    def test_answers(self):
        for kind, pattern, answer in ((TypeError, r"must return \(value, by_center, by_velocity\), not 3.5", 3.5), (TypeError, "not None", None), (TypeError, "not \\(1, None\\)", (1, None)),
                                      (TypeError, "real number", ("fast", None, None)), (TypeError, "real number", (None, None, None)),
                                      (ValueError, r"by_center: expected an array of float64 and shape \(2, 3\) in C order, not float64 of shape \(3,\)", (1, [1, 0, 0], None)),
                                      (ValueError, r"by_velocity: .* not float64 of shape \(3, 3\)", (1, None, np.zeros((3, 3)))), (ValueError, "by_center", (1, 5, None)),
                                      (TypeError, "by_velocity: expected an array of numbers, not complex128", (1, None, np.zeros((2, 3), complex))),
                                      (TypeError, "by_velocity: expected an array of numbers", (1, None, "x"))):
            self.refuses(kind, pattern, self.gradient.run, lambda *samples: answer)
            self.refuses(vx.InvalidInput, "has not run", self.gradient.value, 0)
        core = super(vx.Gradient, self.gradient)
        for answer in (5, (1, None), (1, None, np.zeros((2, 3), np.float32)), (1, [[0] * 3] * 2, None)):
            self.refuses((TypeError, ValueError), "", core.run_objective, lambda *samples: answer)
        for objective in (None, 5, "speed"):
            self.refuses(TypeError, "the objective must be a function", self.gradient.run, objective)
            self.refuses(TypeError, "the objective must be a function", core.run_objective, objective)

    def test_numbers_that_are_put(self):
        self.gradient.run(last)
        want = numbers_of(self.gradient)
        for kind, pattern, by, values in ((ValueError, r"phase: expected an array of float64 and shape \(16,\) in C order, not float64 of shape \(15,\)", "phase", np.zeros(15)),
                                          (ValueError, r"not float64 of shape \(16, 1\)", "phase", np.zeros((16, 1))), (ValueError, r"of shape \(\)", "phase", 0.5),
                                          (ValueError, f"there is no gradient by 'phas'; there are {', '.join(NAMES)}$", "phas", np.zeros(16)),
                                          (TypeError, "phase: expected an array of numbers, not complex", "phase", np.zeros(16, complex)), (TypeError, "not None", "phase", None),
                                          (TypeError, "expected an array of numbers", "phase", ["a"] * 16), (TypeError, "", 5, np.zeros(16)),
                                          (vx.InvalidInput, "PhaseOffset", "phase", np.full(16, np.nan)), (vx.InvalidInput, "Amplitude", "amplitude", np.full(16, 1e9)),
                                          (vx.InvalidInput, "Stiffness", "stiffness", np.full(16, -1.0)), (vx.InvalidInput, "Density", "density", np.zeros(16)),
                                          *[(vx.Unsupported, "only amplitudes, phases, frequencies, stiffness, density and weights can be put", by, np.zeros((16, *BYS[by]))) for by in BYS if by not in LAYERS]):
            self.refuses(kind, pattern, self.gradient.put, 0, by, values)
        self.gradient.run(last)
        self.assertEqual(numbers_of(self.gradient), want)
        self.refuses(ValueError, "float32", self.gradient.put_numbers, 0, "phase", np.zeros(16, np.float32))

    def test_robots_and_arrays(self):
        self.gradient.run(last)
        for call in (self.gradient.value, self.gradient.facts, lambda robot: self.gradient.by(robot, "phase"), lambda robot: self.gradient.put(robot, "phase", np.zeros(16))):
            self.refuses(IndexError, "there is no robot 1: the gradient has 1", call, 1)
            self.refuses(IndexError, "there is no robot -1", call, -1)
            self.refuses(TypeError, "", call, "first")
            self.refuses(TypeError, "", call, 0.5)
        self.refuses(ValueError, "there is no gradient by 'colour'", self.gradient.by, 0, "colour")
        read_only = np.empty(16)
        read_only.flags.writeable = False
        for out in (np.empty(15), np.empty(16, np.float32), np.empty((16, 2))[:, 0], read_only):
            self.refuses(ValueError, "out: expected a writable array of float64", self.gradient.by, 0, "phase", out=out)
        self.refuses(TypeError, "out: expected an array", self.gradient.by, 0, "phase", out=[0.0] * 16)

    def test_designs(self):
        refused = crawler()
        refused.volume_effects = True
        self.refuses(vx.Unsupported, "Poisson's ratio", self.gradient.add, refused)
        self.refuses(TypeError, "expected a Design, not 'worm.vxa'", self.gradient.add, "worm.vxa")
        self.refuses(vx.InvalidInput, "", self.gradient.add, vx.Design())
        refused.volume_effects = False  # nobody has kept it
        refused.self_collision = True  # as good as any
        self.assertEqual((len(self.gradient), self.gradient.add(refused)), (1, 1))

    def test_choices(self):
        good = {"step_seconds": STEP, "steps": 10}
        for kind, pattern, choices in ((vx.InvalidInput, "1 to 2.32 steps", {**good, "steps": 0}), (vx.InvalidInput, "VXE_STEP_SECONDS", {**good, "step_rule": "auto"}),
                                       (vx.InvalidInput, "energy audit", {**good, "audit": True}), (vx.InvalidInput, "forget", {**good, "forget": -1}),
                                       (vx.InvalidInput, "forget", {**good, "forget": np.nan}), (vx.InvalidInput, "", {**good, "step_seconds": 0}), (TypeError, "step_seconds", {"steps": 10}),
                                       (TypeError, "steps", {"step_seconds": STEP}), (TypeError, "did you mean 'memory'", {**good, "memroy": 5}), (ValueError, "threads", {**good, "threads": -1}),
                                       (ValueError, f"there is no gradient by 'colour'; there are {', '.join(NAMES)}$", {**good, "by": ("phase", "colour")}),
                                       (ValueError, "there is no gradient by 'colour'", {**good, "by": "colour"}), (ValueError, "by: expected a name or", {**good, "by": ()}),
                                       (ValueError, "null character", {**good, "by": "phase\0"}), (TypeError, "by: expected a name or a sequence of names, not 3", {**good, "by": 3}),
                                       (TypeError, "by: expected names, not 1", {**good, "by": ("phase", 1)}), (TypeError, "by: expected a name", {**good, "by": {"phase"}}),
                                       (ValueError, "precision must be one of", {**good, "precision": "half"}), (TypeError, "", {**good, "steps": 1.5})):
            self.refuses(kind, pattern, vx.Gradient, **choices)
        self.refuses(TypeError, "", vx.Gradient, STEP, 10)
        self.refuses(TypeError, "keyword arguments only", vx._core.Gradient, STEP, 10)

    def test_closed(self):
        self.gradient.run(last)
        self.gradient.close()
        self.gradient.close()
        self.assertTrue(self.gradient.closed)
        for call in (lambda: self.gradient.run(last), lambda: self.gradient.value(0), lambda: self.gradient.by(0, "phase"), lambda: self.gradient.facts(0), lambda: len(self.gradient),
                     lambda: self.gradient.put(0, "phase", np.zeros(16)), lambda: self.gradient.add(crawler()), self.gradient.__enter__):
            self.refuses(ValueError, "the gradient is closed", call)
        self.assertIn("closed", repr(self.gradient))

    def test_no_copies(self):
        for call in (pickle.dumps, copy.copy, copy.deepcopy):
            self.refuses(TypeError, "cannot pickle", call, self.gradient)

    def test_an_objective_that_uses_its_gradient(self):
        for call in (lambda: self.gradient.run(last), lambda: self.gradient.value(0), lambda: self.gradient.put(0, "phase", np.zeros(16)), lambda: self.gradient.add(crawler()), self.gradient.close):
            self.refuses(RuntimeError, "in use", self.gradient.run, lambda *samples: call())
        self.gradient.run(last)
        self.assertTrue(np.isfinite(self.gradient.value(0)))

    def test_two_threads_on_one_gradient(self):
        errors, refused, go_on = [], 0, threading.Event()

        def wait(robot, *samples):
            go_on.wait()
            return last(robot, *samples)

        def work():
            try:
                self.gradient.run(wait)
            except BaseException as error:
                errors.append(error)
        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and not refused:
            try:
                self.gradient.value(0)
            except vx.InvalidInput:  # it has not begun
                time.sleep(0.001)
            except RuntimeError as error:
                self.assertIn("one thread at a time", str(error))
                refused += 1
        go_on.set()
        thread.join()
        self.assertEqual((errors, refused), ([], 1))
        self.gradient.value(0)


if __name__ == "__main__":
    main()
