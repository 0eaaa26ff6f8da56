#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How fast is the studio? Its page in headless Chromium, from disk.

    bench/web_speed.py [--page studio.html] [--plain PAGE] [--program PROGRAM] [--seconds 2] [DESIGN...]

For each design, by one thread: million bond updates a second and simulated seconds a second, in the page after half a second of
warming up, and by the program with the instruction set x86-64, whose bits are the same. Then what a frame costs beside its steps:
the surface and its numbers, without and with the colours of strain; and how the studio plays it: pictures a second, and simulated
seconds a second of the wall. Last the time from opening the page until the studio is ready.
--plain: a page whose module was built without vectors (-DVOXELASTIC_SIMD=OFF), for comparison."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "web"))
from module_page import ModulePage, missing, packed  # noqa: E402

DESIGNS = ["quadruped.vxa", "benchmark/quad10.vxa", "benchmark/cube10.vxa", "gecko.json", "magnetic_crawler.json", "affine_crawler.json"]
MEASURE = """const binding = await bind();
const opened = binding.open(binding.read(arguments[0], unpack(arguments[1])).scene, 1);
const forTime = (ms, work) => {
  let count = 0;
  const begin = performance.now();
  while (performance.now() - begin < ms) { work(); count++; }
  return (performance.now() - begin) / 1000 / count;
};
const steps = () => binding.advance(64);
forTime(500, steps);
const step = forTime(1000 * arguments[2], steps) / 64;
const frame = (values) => 1000 * forTime(200, () => binding.frame(values, opened));
frame("none");
return { voxels: opened.voxels, bonds: opened.bonds, length: opened.step, step, plain: frame("none"), colored: frame("strain") };"""
# a design plays in the studio; what is counted begins a second later
PLAY = """await studio.files.open({ name: arguments[0], bytes: unpack(arguments[1]) });
await studio.toggle();
await new Promise((resolve) => setTimeout(resolve, 1500));
const { engine } = studio;
const show = engine.onFrame;
let pictures = 0;
let last = null;
engine.onFrame = (frame) => { pictures++; last = frame; show(frame); };
const picture = () => new Promise((resolve) => requestAnimationFrame(resolve));
await picture();
while (!last) { await picture(); }
const [begin, from, counted] = [performance.now(), last.time, pictures];
await new Promise((resolve) => setTimeout(resolve, 1000 * arguments[2]));
const wall = (performance.now() - begin) / 1000;
const played = { pictures: (pictures - counted) / wall, pace: (last.time - from) / wall };
engine.onFrame = show;
await studio.toggle();
return played;"""


def program_rate(program, path, steps):
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder, "result.json")
        subprocess.run([program, "run", str(path), "--steps", str(steps), "--threads", "1", "--quiet", "--no-step-error", "--result", str(result)],
                       check=True, env={**os.environ, "VOXELASTIC_ISA": "x86-64"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return steps / json.loads(result.read_text())["wall_s"]


def measure(page_path, designs, seconds):
    page = ModulePage(page_path)
    try:
        ready = page.wait_for("await studio.ready; return performance.now()") / 1000
        rows = [page.run(MEASURE, path.name, packed(path), seconds) for path in designs]
        for path, row in zip(designs, rows):
            row.update(page.run(PLAY, path.name, packed(path), max(seconds, 3)))
        return rows, ready
    finally:
        page.end()


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    words.add_argument("--page", default=ROOT / "build/release/studio.html")
    words.add_argument("--plain")
    words.add_argument("--program", default=ROOT / "build/release/bin/voxelastic")
    words.add_argument("--seconds", type=float, default=2)
    words.add_argument("designs", nargs="*", type=pathlib.Path, default=[ROOT / "assets" / name for name in DESIGNS])
    chosen = words.parse_args()
    if missing():
        sys.exit(missing())
    rows, ready = measure(chosen.page, chosen.designs, chosen.seconds)
    plain = measure(chosen.plain, chosen.designs, chosen.seconds)[0] if chosen.plain else [None] * len(rows)
    print(f"{'':24} voxels  step ms  page Mbond/s  real time  {'no vectors  ' if chosen.plain else ''}program Mbond/s  real time  frame ms  colours ms  pictures/s  pace")
    for path, row, without in zip(chosen.designs, rows, plain):
        rate = program_rate(chosen.program, path, max(100, int(chosen.seconds / row["step"])))
        slow = f"{row['length'] / without['step']:10.2f}  " if without else ""
        print(f"{path.name:24} {row['voxels']:6} {1000 * row['length']:8.3f} {1e-6 * row['bonds'] / row['step']:13.1f} {row['length'] / row['step']:10.2f}  {slow}"
              f"{1e-6 * row['bonds'] * rate:15.1f} {row['length'] * rate:10.2f} {row['plain']:9.2f} {row['colored']:11.2f}"
              f"{row['pictures']:12.1f} {row['pace']:5.2f}")
    print(f"the studio is ready {ready:.2f} s after its page was opened")


if __name__ == "__main__":
    main()
