# SPDX-License-Identifier: MIT
"""Readers of traces, records and searches: what the program wrote comes back number by number, and a file that is wrong is refused with its line."""
import csv
import json
import shutil
import tempfile
import unittest
from pathlib import Path

from common import ASSETS, QUADRUPED, main, np, run_program, vx, walker

MUSCLE = {"youngs_modulus_Pa": 1e6, "thermal_expansion_per_K": 0.01}
EXPERIMENT = {"format": "voxelastic experiment", "version": 1, "name": "small", "seed": 1, "size": [3, 3, 3],
              "world": {"materials": [{"name": "muscle", **MUSCLE}, {"name": "antagonist", "phase_rad": 3.14159265, **MUSCLE}],
                        "actuation": {"enabled": True, "amplitude_K": 14, "period_s": 0.25}},
              "task": {"name": "walk", "duration_s": 0.5, "settle_time_s": 0.25}, "algorithm": {"name": "map-elites", "population": 8, "generations": 6},
              "evaluation": {"copies": 2, "vary": {"friction": 0.2}}}


def cells_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.made)
        run_program("run", QUADRUPED, "--duration", 0.2, "--quiet", "--trace", cls.made / "run.csv", "--record", cls.made / "run.vxr")
        (cls.made / "experiment.json").write_text(json.dumps(EXPERIMENT))
        run_program("evolve", cls.made / "experiment.json", "--out", cls.made / "search", "--quiet")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def refused(self, read, path, line, pattern, kind=vx.InvalidInput):
        with self.assertRaisesRegex(kind, pattern) as caught:
            read(path)
        self.assertEqual(caught.exception.line, line)
        self.assertIn(caught.exception.file, str(caught.exception))

    def test_a_trace(self):
        rows, cells = vx.read_trace(self.made / "run.csv"), cells_of(self.made / "run.csv")
        self.assertEqual(list(rows.dtype.names), list(cells[0]))
        self.assertEqual(rows.tolist(), [tuple(map(float, row.values())) for row in cells])
        self.assertGreater(len(rows), 10)
        world = vx.World(vx.Design.read(QUADRUPED))
        world.advance(until=rows["t"][-1])
        np.testing.assert_allclose([rows[name][-1] for name in "xyz"], world.center, rtol=1e-8)
        self.assertAlmostEqual(rows["kinetic_J"][-1] / world.energy().kinetic, 1, places=8)

    def trace(self, name, *options):
        run_program("run", QUADRUPED, "--duration", 0.05, "--quiet", "--trace", self.folder / name, *options)
        return vx.read_trace(self.folder / name)

    def test_traces_of_bodies_and_voxels(self):
        whole, table = self.trace("whole.npy"), self.trace("whole.csv")
        self.assertEqual(whole.dtype, table.dtype)
        for name in whole.dtype.names:  # a table has nine digits
            np.testing.assert_allclose(table[name], whole[name], rtol=1e-8, atol=1e-300)
        world = vx.World(vx.Design.read(QUADRUPED))
        voxels = self.trace("voxels.npy", "--trace-of", "voxels")
        self.assertEqual(voxels.shape, (len(whole), len(world.positions())))
        world.advance(until=voxels["t"][-1, 0])
        last = voxels[-1]
        for names, state in (("x y z", world.positions), ("qw qx qy qz", world.orientations), ("vx vy vz", world.velocities), ("wx wy wz", world.spins)):
            np.testing.assert_array_equal(np.stack([last[name] for name in names.split()], axis=1), state())  # to the last bit
        np.testing.assert_array_equal(last["edge_m"], world.sense("edge"))
        np.testing.assert_array_equal(np.stack([last[f"strain_{axis}"] for axis in "xyz"], axis=1), world.sense("strain"))
        some = self.trace("some.csv", "--trace-of", "7,0,7")
        self.assertEqual(some.shape, (len(whole), 3))
        self.assertEqual(some["voxel"].tolist(), [[7, 0, 7]] * len(whole))
        np.testing.assert_allclose(some["x"], voxels["x"][:, [7, 0, 7]], rtol=1e-8)
        bodies = self.trace("bodies.csv", "--trace-of", "bodies")
        self.assertEqual(bodies.shape, (len(whole), 1))
        for name in ("t", "x", "y", "z", "vx", "vy", "vz"):
            np.testing.assert_allclose(bodies[name][:, 0], whole[name], rtol=1e-6, atol=1e-9)
        lines = (self.folder / "some.csv").read_text().splitlines(keepends=True)
        (self.folder / "some.csv").write_text("".join(lines[:-1]))
        self.refused(vx.read_trace, self.folder / "some.csv", len(lines) - 1, "other rows than the first, which has 3")

    def test_damaged_arrays(self):
        self.trace("run.npy")
        path, data = self.folder / "run.npy", (self.folder / "run.npy").read_bytes()
        for damaged in (b"", data[:5], data[:300], data[:-3], b"x" * 1000):
            path.write_bytes(damaged)
            self.refused(vx.read_trace, path, 1, "is not a trace of a run")
        for found, put in ((b"'descr'", b"'descr\x00"), (b"[(", b"[[("), (b"{'", b"{''''"), (b"'shape': (", b"'shape': (9" * 3), (b"<f8", b"<U8")):
            path.write_bytes(data.replace(found, put))
            self.refused(vx.read_trace, path, 1, "is not a trace of a run")
        np.save(path, np.zeros(3))
        self.refused(vx.read_trace, path, 1, "no column t")
        self.refused(vx.read_trace, self.folder / "none.npy", None, "cannot open: No such file", vx.SystemFailure)

    def test_damaged_traces(self):
        text, path = (self.made / "run.csv").read_text(), self.folder / "trace.csv"
        lines = text.split("\n")
        head = lines[0] + "\n"
        damages = {"empty": ("", 1, "is not a trace of a run: it is empty"), "of one word": ("t", 1, "first line has no end"), "cut": (text[:-3], len(lines) - 1, "cut short"),
                   "another table": ("a,b\n1,2\n", 1, "is not a trace of a run: it has no column t"), "without a column": (head.replace(",vz", ""), 1, "no column vz"),
                   "two of one name": (head.replace("\n", ",t\n"), 1, "two columns"),
                   "a short row": (head + lines[1] + "\n1,2\n", 3, "a row of 2 cells; there are 10 columns"),
                   "a word": (head + lines[1] + "\n" + lines[2].replace(lines[2].split(",")[3], "high") + "\n", 3, 'column z holds "high": expected a number'),
                   "an odd number": (head + "1_0,0,0,0,0,0,0,0,0,0\n", 2, 'column t holds "1_0"')}
        for name, (damaged, line, pattern) in damages.items():
            with self.subTest(name):
                path.write_text(damaged)
                self.refused(vx.read_trace, path, line, pattern)
        self.refused(vx.read_trace, self.made / "run.vxr", 1, "no text")
        self.refused(vx.read_trace, self.folder / "none.csv", None, "cannot open: No such file", vx.SystemFailure)
        self.refused(vx.read_trace, self.folder, None, "cannot open: Is a directory", vx.SystemFailure)
        path.write_text(head)
        self.assertEqual(len(vx.read_trace(path)), 0)

    def test_a_record(self):
        rows, replay = vx.read_record(self.made / "run.vxr"), vx.Replay.read(self.made / "run.vxr")
        self.assertEqual(len(rows), len(replay))
        for row, frame in zip(rows, replay):
            self.assertEqual((row["time"], row["step"]), (frame.time, frame.step))
            for name in ("positions", "orientations", "edges", "strains", "stresses", "energies", "contacts"):
                np.testing.assert_array_equal(row[name], getattr(frame, name))
        self.assertNotIn("places", rows.dtype.names)
        some = vx.read_record(self.made / "run.vxr", fields=["time", "contacts"])
        self.assertEqual((some.dtype.names, some["contacts"].shape), (("time", "contacts"), (len(rows), replay.design.voxels)))
        vx.record(vx.Design.read(ASSETS / "affine_crawler.json"), 0.05).save(self.folder / "affine.vxr")
        self.assertEqual(vx.read_record(self.folder / "affine.vxr")["deformations"].shape[2:], (3, 3))

    def test_damaged_records(self):
        content, path = (self.made / "run.vxr").read_bytes(), self.folder / "cut.vxr"
        vx.record(walker(), duration=0.5, rate=100).save(path)
        whole = vx.read_record(path)
        path.write_bytes(path.read_bytes()[:-40])
        with self.assertWarnsRegex(vx.VoxelasticWarning, "cut.vxr: the end is missing"):
            cut = vx.read_record(path)
        np.testing.assert_array_equal(cut, whole[:len(cut)])
        for damaged in (b"", b"t,x\n", content[:40]):
            path.write_bytes(damaged)
            self.refused(vx.read_record, path, None, "cut.vxr")
        self.refused(vx.read_record, self.folder / "none.vxr", None, "No such file", vx.SystemFailure)
        with self.assertRaisesRegex(ValueError, "no 'position' in a record; there are time, step, positions"):
            vx.read_record(self.made / "run.vxr", fields=["position"])
        with self.assertRaisesRegex(TypeError, "sequence of names"):
            vx.read_record(self.made / "run.vxr", fields="time")

    def test_a_search(self):
        search = vx.read_search(self.made / "search")
        self.assertEqual(search.experiment, json.loads((self.made / "search/config.json").read_text()))
        self.assertEqual((search.fitness, len(search.individuals), len(search.generations)), ("fitness_m", 48, 6))
        for table, name in ((search.individuals, "individuals.csv"), (search.generations, "generations.csv")):
            cells = cells_of(self.made / "search" / name)
            self.assertEqual(list(table.dtype.names), list(cells[0]))
            for row, texts in zip(table, cells):
                for column, text in texts.items():
                    value = row[column]
                    expected = (text if table.dtype[column].kind == "U" else int(text, 16) if column == "body_hash" else
                                float(text or "nan") if table.dtype[column].kind == "f" else int(text or 0))
                    np.testing.assert_equal(value.item(), expected, column)
        self.assertEqual({name: search.individuals.dtype[name].kind for name in ("id", "operator", "fitness_m", "fitness_deviation_m", "voxels", "body_hash")},
                         {"id": "u", "operator": "U", "fitness_m": "f", "fitness_deviation_m": "f", "voxels": "i", "body_hash": "u"})
        best = search.individuals[search.individuals["id"] == search.generations["best"][-1]][0]
        self.assertEqual(search.champion.voxels, best["voxels"])
        self.assertEqual(set(search.designs("best")), {int(path.stem) for path in (self.made / "search/best").glob("0*.json")})
        self.assertIn("48 individuals, 6 generations", repr(search))
        with self.assertRaisesRegex(ValueError, '"archive" or "best"'):
            search.designs("elites")

    def test_elites_are_what_the_search_kept(self):
        search = vx.read_search(str(self.made / "search"))
        elites = search.elites()
        self.assertEqual((elites.shape, search.descriptors), ((10, 10), ("voxels", "actuated")))
        self.assertEqual(set(elites["id"][elites["id"] > 0].tolist()), set(search.designs()))
        self.assertEqual(np.count_nonzero(elites["id"]), search.generations["archive_cells"][-1])
        self.assertTrue((np.isnan(elites["fitness"]) == (elites["id"] == 0)).all())
        self.assertEqual(np.nanmax(elites["fitness"]), search.generations["best_fitness_m"][-1])

    def test_damaged_searches(self):
        folder = self.folder / "search"
        self.refused(vx.read_search, folder, None, "config.json: cannot open", vx.SystemFailure)
        shutil.copytree(self.made / "search", folder)
        table, config = (folder / "individuals.csv"), folder / "config.json"
        text, experiment = table.read_text(), config.read_text()
        lines = text.split("\n")
        for damaged, line, pattern in (("", 1, "is not a table of a search: it is empty"), ((self.made / "run.csv").read_text(), 1, "no column id"),
                                       (text.replace("\n2,", "\n-2,"), 3, 'column id holds "-2"'), (text.replace(lines[4].split(",")[12], "xyz"), 5, 'column body_hash holds "xyz": expected 16 hexadecimal digits'),
                                       ("\n".join(lines[:4] + ["1,2"] + lines[5:]), 5, "a row of 2 cells; there are 14 columns")):
            table.write_text(damaged)
            self.refused(vx.read_search, folder, line, pattern)
        table.write_text(text[:-5])
        with self.assertWarnsRegex(vx.VoxelasticWarning, "individuals.csv:49: the last row is cut short, and left out") as caught:
            search = vx.read_search(folder)
        self.assertEqual((len(search.individuals), caught.filename), (47, __file__))
        table.write_text(text)
        for damaged, line, pattern in (('{"format": "voxelastic experiment"}', 1, 'has no "algorithm"'), ('{\n"format": "vox', 2, "is not an experiment"), ("[]", 1, "is not an experiment"), ('{"format": "scene"}', 1, "its \"format\"")):
            config.write_text(damaged)
            self.refused(vx.read_search, folder, line, pattern)
        config.write_text(experiment.replace('"cppn"', '"controller"'))
        with self.assertRaisesRegex(ValueError, "controllers are searched"):
            vx.read_search(folder).elites()


if __name__ == "__main__":
    main()
