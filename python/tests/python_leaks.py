# SPDX-License-Identifier: MIT
"""Objects that were made, failed and dropped leave nothing behind: ten thousand of each kind, and the resident set grows by less than 1 MB."""
import gc
import os
import tempfile
import unittest

from common import main, np, vx, walker

ROUNDS = int(os.environ.get("VOXELASTIC_LEAK_ROUNDS", 10000))
ALLOWED = 1 << 20  # bytes
EXPERIMENT = {"format": "voxelastic experiment", "version": 1, "size": [2, 2, 2], "world": {"materials": [{}, {"thermal_expansion_per_K": 0.01}]},
              "task": {"duration_s": 0.01, "settle_time_s": 0}, "algorithm": {"population": 4, "generations": 1000000}, "checkpoint_interval": 1000000}


def resident():
    """Bytes of memory that this process holds."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def attempt(call, *arguments, **keywords):
    """Calls what must fail."""
    try:
        call(*arguments, **keywords)
    except (vx.Error, ValueError, TypeError, RuntimeError, KeyError, IndexError):
        return
    raise AssertionError("it did not fail")


@unittest.skipUnless(os.path.exists("/proc/self/statm"), "no /proc")
class Leaks(unittest.TestCase):
    def grows_little(self, call, rounds=ROUNDS):
        for _ in range(max(rounds // 10, 1)):
            call()
        before = resident()
        for _ in range(rounds):
            call()
        self.assertLess(resident() - before, ALLOWED)

    def setUp(self):
        self.design = walker((3, 2, 2))
        self.big = np.ones((2, 2, 2), int)
        self.palette = [vx.Material(name="a"), vx.Material(name="b")]

    def test_materials(self):
        def make():
            vx.Material(density=5, name="x", curve=((0, 0), (1, 1)))
            attempt(vx.Material, density=-1)
            attempt(vx.Material, densty=1)
            attempt(vx.Material, name=5)
            view = self.design.materials[0]
            view.density = 5
            view.numbers()
            repr(view)
            attempt(setattr, view, "color", (1, 2, 3))
        self.grows_little(make)

    def test_designs(self):
        def make():
            design = vx.Design.from_array(self.big, self.palette, phase=0.5)
            design.layer("Group")[:] = 1
            design.formula(fitness="x")
            design.fix(((0, 0, 0), (1, 1, 1)), "all", table=[(0, 1), (1, 2)])
            design.copy().add(design, at=(5, 0, 0))
            attempt(design.put_layer, "Group", np.zeros(3), 1)
            attempt(vx.Design.from_array, self.big * 9, self.palette)
            attempt(design.formula, fitness="x +")
            attempt(design.layer_values, "Stiffness")
            attempt(design.add, self)
            design.hash, design.notes, design.positions, design.material, design.to_array(), design.formulas
        self.grows_little(make)

    def test_texts(self):
        text = self.design.text()

        def make():
            vx.Design.read_text(text).text()
            attempt(vx.Design.read_text, text[:-9])
        self.grows_little(make)

    def test_worlds(self):
        def make():
            with vx.World(self.design) as world:
                world.advance(2)
                world.positions(), world.center, world.facts, world.energy(), world.sense("floor", "strain")
                attempt(world.target, 9, 1)
                attempt(world.positions, np.zeros(3))
                attempt(world.sense, "floor", "nothing")
            attempt(world.advance)
            vx.World(self.design)
            attempt(vx.World, self.design, precision="half")
            attempt(vx.World, vx.Design())
        self.grows_little(make)

    def test_batches(self):
        def make():
            with vx.Batch(steps=2, samples=2, conventions="native") as batch:
                batch.add(self.design)
                batch.run()
                batch.results(), batch.path(0), batch.world(0)
                attempt(batch.result, 5)
            attempt(vx.evaluate, [self.design, 5], steps=2)
            attempt(vx.Batch, retries=99)
        self.grows_little(make)

    def test_teams(self):
        self.design.layer("Group")[:] = 0
        ones, states = np.ones((2, 1), np.float32), None

        def make():
            nonlocal states
            with vx.Team([self.design, self.design], threads=1, observe=("center", "group_edge")) as team:
                team.step(ones)
                team.run(ones[None])
                states = team.save()
                team.load(states)
                team.reset(np.array([True, False]), shift=(0, 0, 1)), team.facts, team.robot(0), team.message(1), team.frame(0).positions, team.hull_volumes(None)
                attempt(team.step, ones[:1])
                attempt(team.step, 0 * ones)
                attempt(team.load, states[1:])
                attempt(team.reset, None, (0, 0))
            attempt(team.step, ones)
            attempt(vx.Team, [self.design], observe=("nothing",))
            attempt(vx.Team, [self.design, 5])
            attempt(vx.Team, [vx.Design()])
            vx.Team([self.design], threads=1)
        self.grows_little(make, ROUNDS // 4)
        self.design.gravity = (0, 0, 0)  # none has kept it

    def test_teams_in_circles(self):
        class Circle(vx.Team):
            pass

        def make():
            team = Circle([self.design], threads=1)
            team.self = team
        for _ in range(800):  # as many as wait for the garbage collector
            make()
        self.grows_little(make, ROUNDS // 4)
        gc.collect()
        self.design.gravity = (0, 0, 0)

    def test_batches_in_circles(self):
        class Circle(vx.Batch):
            pass

        def make():
            batch = Circle(steps=2)
            batch.add(self.design)
            batch.self = batch
        self.grows_little(make)
        gc.collect()
        self.design.gravity = (0, 0, 0)  # they have let go of it

    def test_searches(self):
        with tempfile.TemporaryDirectory() as folder, vx.Search(EXPERIMENT, f"{folder}/a") as search:
            def make():
                search.ask(), search.facts, search.best, repr(search)
                attempt(search.ask)
                attempt(search.tell, "x")
                attempt(search.tell, np.ones(99))
                search.withdraw()
                attempt(search.tell, ())
                attempt(vx.Search, EXPERIMENT, f"{folder}/a")
                attempt(vx.Search, {**EXPERIMENT, "sed": 1}, f"{folder}/b")
                attempt(vx.Search, None, f"{folder}/a", resume=True)
            search.run(lambda designs: [1] * len(designs), generations=3)
            self.grows_little(make, ROUNDS // 4)

    def test_searches_that_go_on(self):
        with tempfile.TemporaryDirectory() as folder, vx.Search(EXPERIMENT, f"{folder}/a", threads=1) as search:
            search.run(lambda designs: [design.voxels for design in designs], generations=100)  # all bodies are known
            self.grows_little(lambda: (search.tell([1] * len(search.ask())), search.advance()), ROUNDS // 4)
            search.close()
            self.grows_little(lambda: vx.Search(EXPERIMENT, f"{folder}/a", resume=True).close(), ROUNDS // 100)

    def test_gradients(self):
        phase, out = self.design.layer("PhaseOffset").values, np.empty(self.design.voxels)

        def make():
            with vx.Gradient(step_seconds=1e-5, steps=3, sample_every=1, threads=1) as gradient:
                attempt(gradient.value, 0)
                for _ in range(2):
                    gradient.add(self.design)
                gradient.put(1, "phase", phase)
                gradient.run(vx.speed_along())
                gradient.value(0), gradient.facts(1), gradient.by(1, "start"), gradient.by(0, "phase", out=out), repr(gradient)
                attempt(gradient.run, lambda robot, *samples: [].index(robot) if robot else (0, None, None))
                attempt(gradient.set_policy, len, 5)
                gradient.set_policy(lambda *ticks: gradient, lambda *ticks: None)  # refers to what holds it
                attempt(gradient.run, lambda *samples: (0, samples[2][:1], None))
                attempt(gradient.run, lambda *samples: (0, samples[2], "x"))
                attempt(super(vx.Gradient, gradient).run_objective, lambda *samples: (0, samples[2], samples[2][1:]))
                attempt(gradient.put, 0, "phase", phase[1:])
                attempt(gradient.put, 0, "phase", np.nan * phase)
                attempt(gradient.put, 0, "load", np.zeros((len(phase), 3)))
                attempt(gradient.by, 0, "colour")
                attempt(gradient.by, 0, "load", out=out)
                attempt(gradient.by, 0, "phase", out=out)  # it has not run
                attempt(gradient.add, 5)
                attempt(gradient.add, vx.Design())
            attempt(gradient.run, vx.speed_along())
            attempt(vx.Gradient, step_seconds=1e-5, steps=0)
            vx.Gradient(step_seconds=1e-5, steps=3).add(self.design)
        self.grows_little(make, ROUNDS // 4)
        self.design.gravity = (0, 0, 0)  # none reads it

    def test_gradients_in_circles(self):
        class Circle(vx.Gradient):
            pass

        def make():
            gradient = Circle(step_seconds=1e-5, steps=3, threads=1)
            gradient.add(self.design)
            gradient.self = gradient
        for _ in range(800):  # as many as wait for the garbage collector
            make()
        self.grows_little(make, ROUNDS // 4)

    def test_frames_and_recorders(self):
        world = vx.World(self.design)
        with tempfile.TemporaryDirectory() as folder:
            def make():
                frame = vx.Frame(world)
                frame.positions, frame.strains
                vx.Recorder(self.design, f"{folder}/a.vxr").abandon()
                with vx.Recorder(self.design, f"{folder}/b.vxr") as recorder:
                    recorder.add(frame)
                    attempt(recorder.add, 5)
                attempt(recorder.add, frame)
                attempt(vx.Recorder, self.design, f"{folder}/c.txt")
            self.grows_little(make)


if __name__ == "__main__":
    main()
