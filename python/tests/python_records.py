# SPDX-License-Identifier: MIT
"""Replays, recorders and pictures: files of every format, and what a record gives back."""
import os
import tempfile
import unittest
import warnings
import zlib
from pathlib import Path

from common import ASSETS, bursting, main, np, run_program, vx, walker


def pixels_of(path):
    """(height, width, 3) uint8 of a .png of eight bits a colour, as the format describes its filters."""
    data, at, packed = Path(path).read_bytes(), 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if kind == b"IHDR":
            width, height = (int.from_bytes(data[at + n:at + n + 4], "big") for n in (8, 12))
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    pixels = np.zeros((height + 1, 3 * width + 3), int)  # with a row above and a pixel before
    for y, (kind, *row) in enumerate(rows.tolist(), 1):
        for x, value in enumerate(row, 3):
            left, above, corner = (int(n) for n in (pixels[y, x - 3], pixels[y - 1, x], pixels[y - 1, x - 3]))
            nearest = min((left, above, corner), key=lambda n: abs(left + above - corner - n))
            pixels[y, x] = (value + (0, left, above, (left + above) // 2, nearest)[kind]) % 256
    return pixels[1:, 3:].reshape(height, width, 3)


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_every_format(self):
        replay = vx.record(walker(), duration=0.2, rate=20)
        self.assertEqual([round(frame.time, 2) for frame in replay.frames], [0, 0.05, 0.1, 0.15, 0.2])
        starts = {"walk.html": b"<!DOCTYPE html>", "walk.vxr": b"VXELREC1", "walk.pvd": b"<?xml", "walk.glb": b"glTF", "walk.history": b"", "walk.png": b"\x89PNG", "walk.svg": b"<"}
        for name, start in starts.items():
            replay.save(self.folder / name)
            content = (self.folder / name).read_bytes()
            self.assertTrue(content.lower().startswith(start.lower()) and len(content) > 1000 - 999 * name.endswith(".pvd"), name)
        replay.save(os.fsencode(self.folder / "bytes.svg"))
        self.assertEqual((self.folder / "bytes.svg").read_bytes(), (self.folder / "walk.svg").read_bytes())
        replay.save(self.folder / "one.png", panels=1, width=200, height=100, coloring="strain", caption=False)
        self.assertLess((self.folder / "one.png").stat().st_size, (self.folder / "walk.png").stat().st_size)
        for keywords in ({"panels": 0}, {"coloring": "mood"}):
            with self.assertRaises(ValueError):
                replay.save(self.folder / "no.png", **keywords)
        with self.assertRaisesRegex(TypeError, "did you mean 'width'"):
            replay.save(self.folder / "no.png", widht=5)
        with self.assertRaisesRegex(TypeError, "only pictures"):
            replay.save(self.folder / "no.html", width=5)
        with self.assertRaises(vx.InvalidInput):
            replay.save(self.folder / "no.png", width=5)
        self.assertFalse((self.folder / "no.png").exists() or (self.folder / "no.html").exists())

    def test_a_record_comes_back(self):
        replay = vx.record(walker(), duration=0.2)
        replay.save(self.folder / "walk.vxr")
        again = vx.Replay.read(self.folder / "walk.vxr")
        self.assertEqual((len(again), again.design.hash, type(again.design)), (7, replay.design.hash, vx.Design))
        for one, other in zip(replay, again):
            self.assertEqual(one.step, other.step)
            np.testing.assert_allclose(one.positions, other.positions, atol=1e-5)
            np.testing.assert_allclose(one.orientations, other.orientations, atol=1e-3)
            np.testing.assert_allclose(one.edges, other.edges, atol=1e-4)
        content = (self.folder / "walk.vxr").read_bytes()
        (self.folder / "cut.vxr").write_bytes(content[:-20])
        with self.assertWarnsRegex(vx.VoxelasticWarning, "cut.vxr: the end is missing"):
            vx.Replay.read(self.folder / "cut.vxr")

    def test_a_recorder_writes_what_the_program_does(self):
        design = vx.Design.read(ASSETS / "worm.vxa")
        run_program("run", ASSETS / "worm.vxa", "--duration", 0.5, "--quiet", "--no-step-error", "--record", self.folder / "program.vxr")
        with vx.Recorder(design, self.folder / "python.vxr") as recorder:
            world = vx.World(design)
            for k in range(16):
                world.advance(until=k / 30)
                recorder.add(world)
        self.assertEqual((recorder.frames, recorder.closed), (16, True))
        mine, theirs = (vx.Replay.read(self.folder / name) for name in ("python.vxr", "program.vxr"))
        for one, other in zip(mine, theirs):
            self.assertEqual(one.step, other.step)
            self.assertEqual(one.positions.tolist(), other.positions.tolist())

    def test_a_recorder_that_is_forgotten(self):
        design = walker()
        recorder = vx.Recorder(design, self.folder / "walk.vxr")
        recorder.add(vx.World(design))
        with self.assertWarnsRegex(ResourceWarning, "never closed"):
            del recorder
        self.assertEqual(os.listdir(self.folder), [])
        design.gravity = (0, 0, 0)

    def test_frames(self):
        world = vx.World(vx.Design.read(ASSETS / "affine_crawler.json"))
        frame = vx.Frame(world)
        places, deformations = world.affine_poses()
        np.testing.assert_array_equal(frame.places, places)
        np.testing.assert_array_equal(frame.deformations, deformations)
        world = vx.World(walker())
        world.advance(100)
        frame = vx.Frame(world)
        for name, sensor in (("strains", "strain"), ("stresses", "stress"), ("energies", "energy"), ("contacts", "contact"), ("edges", "edge")):
            np.testing.assert_array_equal(getattr(frame, name), world.sense(sensor), name)
        np.testing.assert_array_equal(frame.positions, world.positions())
        self.assertEqual((frame.time, frame.step), (world.time, 100))

    def test_a_run_that_diverges(self):
        with self.assertWarnsRegex(vx.VoxelasticWarning, "at step|before step"):
            replay = vx.record(walker(), duration=1, step_seconds=0.01, damping="explicit")
        self.assertIsInstance(replay.failure, vx.Diverged)
        self.assertGreater(len(replay), 0)
        replay.save(self.folder / "burst.html")
        self.assertIn(replay.failure.status, (self.folder / "burst.html").read_text())
        with self.assertRaises(vx.Diverged):
            bursting().advance(1000)

    def test_pixels_are_those_of_the_picture(self):
        design = walker()
        frame = vx.Frame(vx.World(design))
        for choices in ({"width": 80, "height": 60}, {"width": 200, "height": 160, "coloring": "strain", "azimuth": 20, "edges": False}):
            vx._core.picture(design, (frame,), self.folder / "frame.png", **choices)
            np.testing.assert_array_equal(vx._core.draw(design, frame, **choices), pixels_of(self.folder / "frame.png"))
        for exception, choices in ((vx.InvalidInput, {"width": 4}), (TypeError, {"wide": 5}), (vx.InvalidInput, {"elevation": 95, "width": 64, "height": 64})):
            with self.assertRaises(exception):
                vx._core.draw(design, frame, **choices)
        with self.assertRaises(vx.Error):
            vx._core.draw(walker((3, 3, 3)), frame)

    def test_durations(self):
        design = walker()
        with self.assertRaisesRegex(ValueError, "give a duration"):
            vx.record(design)
        design.stop(periods=2)
        self.assertAlmostEqual(vx.record(design, rate=10).frames[-1].time, 0.5, delta=0.01)
        for duration, rate in ((0, 30), (-1, 30), (float("nan"), 30), (1, 0), (float("inf"), 1)):
            with self.assertRaisesRegex(ValueError, "above 0"):
                vx.record(design, duration, rate=rate)
        with self.assertRaisesRegex(ValueError, "no frames"):
            vx.Replay(design).save(self.folder / "none.html")
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn("frames, 0 to 0.5", repr(vx.record(design, rate=10)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            vx.record(design, 0.1)


if __name__ == "__main__":
    main()
