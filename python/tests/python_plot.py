# SPDX-License-Identifier: MIT
"""Diagrams: what is drawn are the numbers that were given, axes have names and units, nothing that is written overlaps, and what can not be drawn is refused in words."""
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from common import ASSETS, QUADRUPED, main, np, run_program, vx, walker

try:
    import matplotlib
except ImportError:
    print("skipped: no matplotlib")
    sys.exit(77)
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

EXPERIMENT = {"format": "voxelastic experiment", "version": 1, "size": [3, 3, 3], "world": {"materials": [{"thermal_expansion_per_K": 0.01}, {}], "actuation": {"enabled": True}},
              "task": {"name": "walk", "duration_s": 0.2, "settle_time_s": 0.1}, "algorithm": {"population": 6, "generations": 4}}


def drawn(ax):
    """{label: (x, y)} of the curves."""
    return {line.get_label(): line.get_data() for line in ax.get_lines()}


def touching(contacts, positions, edge=0.01, rate=10):
    """A record of contact forces (frames, voxels) on voxels at positions (voxels, 3)."""
    frames, voxels = np.shape(contacts)
    rows = np.zeros(frames, [("time", "f8"), ("positions", "f8", (voxels, 3)), ("edges", "f8", (voxels,)), ("contacts", "f8", (voxels,))])
    rows["time"], rows["positions"], rows["edges"], rows["contacts"] = np.arange(frames) / rate, positions, edge, contacts
    return rows


def bars(ax):
    """Of each foot the (start, end) of its bars, rounded."""
    return [[(round(path.vertices[:, 0].min(), 9), round(path.vertices[:, 0].max(), 9)) for path in row.get_paths()] for row in ax.collections]


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run_program("run", QUADRUPED, "--duration", 0.4, "--quiet", "--trace", cls.folder / "run.csv")
        cls.trace = vx.read_trace(cls.folder / "run.csv")
        for seed in (1, 2):
            (cls.folder / "experiment.json").write_text(json.dumps(dict(EXPERIMENT, seed=seed)))
            run_program("evolve", cls.folder / "experiment.json", "--out", cls.folder / f"search{seed}", "--quiet")
        cls.searches = [vx.read_search(cls.folder / f"search{seed}") for seed in (1, 2)]
        cls.replay = vx.record(walker(), 0.5, rate=100)

    def tearDown(self):
        pyplot.close("all")

    def check(self, ax, x, y):
        """Names of the axes; that the figure can be saved; that no two texts overlap."""
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), (x, y))
        self.assertEqual(ax.figure.get_size_inches().tolist(), [6, 4])
        ax.figure.savefig(self.folder / "figure.pdf")
        ax.figure.savefig(self.folder / "figure.png")
        outline = ax.figure.get_tightbbox(ax.figure.canvas.get_renderer())
        self.assertTrue(outline.x0 >= -0.01 and outline.y0 >= -0.01 and outline.x1 <= 6.01 and outline.y1 <= 4.01, outline)
        boxes = [(text.get_text(), text.get_window_extent()) for axes in ax.figure.axes for text in self.texts_of(axes)]
        for k, (text, box) in enumerate(boxes):
            for other, beside in boxes[:k]:
                self.assertFalse(box.overlaps(beside), (text, other))

    @staticmethod
    def texts_of(ax):
        """All that is written in and around axes."""
        texts = [ax.xaxis.label, ax.yaxis.label, *ax.texts, *(ax.get_legend().get_texts() if ax.get_legend() else ())]
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            texts += [label for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high for label in (tick.label1, tick.label2) if label.get_visible()]
        return [text for text in texts if text.get_text()]

    def test_paths(self):
        ax = vx.plot.path(self.trace, label="run")
        np.testing.assert_array_equal(drawn(ax)["run"], [self.trace["x"], self.trace["y"]])
        self.assertEqual(ax.get_aspect(), 1)
        self.check(ax, "x (m)", "y (m)")
        rows = vx.evaluate([walker(), walker((4, 4, 4))], duration=0.2, samples=10)
        ax = vx.plot.path([*rows["path"], self.replay, self.trace], label=["a", "b", "replay", "run"], color="black")
        np.testing.assert_array_equal(drawn(ax)["b"], rows["path"][1].T[:2])
        np.testing.assert_allclose(drawn(ax)["replay"], np.array([frame.positions.mean(0)[:2] for frame in self.replay]).T)
        self.check(ax, "x (m)", "y (m)")
        affine = vx.record(vx.Design.read(ASSETS / "affine_crawler.json"), 0.05)
        np.testing.assert_allclose(vx.plot.path(affine).get_lines()[0].get_data(), np.array([frame.places.mean(0)[:2] for frame in affine]).T)
        figure, (mine, other) = pyplot.subplots(1, 2)
        self.assertIs(vx.plot.path(self.trace, other), other)
        self.assertEqual(len(mine.get_lines()), 0)

    def test_a_gait(self):
        positions = [[0, 0, 0], [0, 0.01, 0], [0.03, 0, 0], [0.03, 0.01, 0], [0.0, 0, 0.01], [0.03, 0, 0.01]]
        contacts = np.array([[1, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1, 1, 0, 3, 9, 9], [0, 0, 0, 3, 0, 0]])
        rows = touching(contacts, positions)
        ax = vx.plot.gait(rows)
        self.assertEqual(bars(ax), [[(0, 0.2), (0.3, 0.4)], [(0.3, 0.4)]])
        self.assertEqual([tick.get_text() for tick in ax.get_yticklabels()], ["x 0, y 5 mm", "x 30, y 5 mm"])
        self.assertEqual([text.get_text() for text in ax.texts], ["75 %", "25 %", "touches"])
        self.check(ax, "time (s)", "")
        self.assertEqual(bars(vx.plot.gait(rows, force=1)), [[(0.1, 0.2), (0.3, 0.4)], [(0.3, 0.4)]])
        ax = vx.plot.gait(rows, feet={"all": range(4), "up": np.array([False, False, False, False, True, False])})
        self.assertEqual(bars(ax), [[(0, 0.2), (0.3, 0.4)], [(0.3, 0.4)]])

    def test_a_gait_of_one_patch_is_cut_in_slices(self):
        positions = [[x / 100, y / 100, 0] for x in range(10) for y in range(2)]
        ax = vx.plot.gait(touching(np.ones((3, 20)), positions))
        self.assertEqual(bars(ax), 8 * [[(0, 0.2)]])
        self.assertEqual(ax.get_yticklabels()[0].get_text(), "x 5, y 5 mm")
        self.check(vx.plot.gait(self.replay), "time (s)", "")

    def test_energies(self):
        ax = vx.plot.energy(self.trace)
        np.testing.assert_array_equal(drawn(ax)["elastic"], [self.trace["t"], self.trace["elastic_J"]])
        np.testing.assert_array_equal(drawn(ax)["kinetic"][1], self.trace["kinetic_J"])
        self.check(ax, "time (s)", "energy")
        self.assertRegex(ax.yaxis.get_major_formatter()(0.002), "^2.* mJ$")
        ax = vx.plot.energy(self.replay)
        np.testing.assert_allclose(drawn(ax)["elastic"][1], [frame.energies.sum() for frame in self.replay])
        world, pairs = vx.World(walker()), []
        for k in range(5):
            world.advance(until=k / 20)
            pairs.append((world.time, world.energy()))
        ax = vx.plot.energy(pairs)
        self.assertEqual(set(drawn(ax)), {"kinetic", "elastic", "floor"})
        self.assertEqual(drawn(ax)["floor"][1].tolist(), [energy.floor for _, energy in pairs])

    def test_an_archive(self):
        search = self.searches[0]
        ax = vx.plot.archive(search, cmap="magma")
        mesh = ax.collections[0].get_array()
        np.testing.assert_array_equal(np.ma.filled(mesh, np.nan).reshape(10, 10), search.elites()["fitness"].T)
        at = np.argwhere(search.elites()["fitness"].T == np.nanmax(mesh))[0]
        np.testing.assert_allclose(np.ravel(ax.get_lines()[0].get_data()), (at[::-1] + 0.5) / 10)
        self.assertEqual([axes.get_ylabel() for axes in ax.figure.axes], ["muscles / voxels", "fitness (m)"])
        self.check(ax, "voxels / cells of the box", "muscles / voxels")

    def test_curves(self):
        ax = vx.plot.curves(self.searches[0], label="one")
        best, median = (self.searches[0].generations[name] for name in ("best_fitness_m", "median_fitness_m"))
        np.testing.assert_array_equal(drawn(ax)["one, best so far"], [range(4), best])
        np.testing.assert_array_equal(drawn(ax)["one, median"][1], median)
        self.check(ax, "generation", "fitness (m)")
        ax = vx.plot.curves(self.searches)
        both = np.array([search.generations["best_fitness_m"] for search in self.searches])
        np.testing.assert_array_equal(drawn(ax)["best so far"][1], both.mean(0))  # of two the median is the mean
        band = ax.collections[0].get_paths()[0].vertices[:, 1]
        self.assertEqual((band.min(), band.max()), (both.min(), both.max()))

    def test_what_can_not_be_drawn(self):
        """Before a figure is made."""
        plot, rows = vx.plot, vx.evaluate([walker()], duration=0.1)
        for draw, kind, pattern in ((lambda: plot.path(rows), TypeError, "not rows of status.*column path"), (lambda: plot.path([]), ValueError, "nothing to draw"),
                                    (lambda: plot.path(np.zeros(5)), ValueError, "moments, 2 or more"), (lambda: plot.path(self.trace, label=["a", "b"]), ValueError, "1 ways.*2 labels"),
                                    (lambda: plot.path(self.trace, "axes"), TypeError, "expected axes of matplotlib, not 'axes'"),
                                    (lambda: plot.gait(self.trace), TypeError, "with time, positions, edges, contacts, not ndarray"),
                                    (lambda: plot.gait(touching(np.ones((1, 1)), [[0, 0, 0]])), ValueError, "two frames or more"),
                                    (lambda: plot.gait(self.replay, feet={"left": [999]}), ValueError, "'left' is no list of voxels, whose indices are 0 to"),
                                    (lambda: plot.gait(self.replay, feet={"left": [0.5]}), ValueError, "'left' is no list"),
                                    (lambda: plot.energy([1, 2]), TypeError, r"pairs \(world.time, world.energy"), (lambda: plot.energy(self.trace[:0]), ValueError, "no moment"),
                                    (lambda: plot.energy(5), TypeError, "expected a trace"),
                                    (lambda: plot.archive("search"), TypeError, "which read_search returns, not 'search'"), (lambda: plot.curves([]), TypeError, "not 'none'"),
                                    (lambda: plot.curves("folder"), TypeError, "read_search returns, not 'f'")):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                draw()
        self.assertEqual(pyplot.get_fignums(), [])  # what was refused left no figure

    def test_without_matplotlib(self):
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.pyplot": None}):
            with self.assertRaisesRegex(ImportError, "voxelastic.plot draws by matplotlib.*python3-matplotlib"):
                vx.plot.path(self.trace)


if __name__ == "__main__":
    main()
