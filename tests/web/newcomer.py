#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""newcomer.py PAGE [PROGRAM]: from an empty page to a robot that crawls, by the mouse and keys alone: a box of muscle, a wave of phases along it, play; then it
is saved and run by the program, and shared by a link that another page opens."""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

from files import CATCH, save
from studio import check, drive

LENGTH = 12  # cells
# where a place of the scene (in cells) is in the window
SHOWN = """const at = new THREE.Vector3(...arguments[0]).project(studio.view.camera);
const box = studio.view.canvas.getBoundingClientRect();
return [Math.round(box.left + (1 + at.x) * box.width / 2), Math.round(box.top + (1 - at.y) * box.height / 2)];"""

CELLS = "const { voxels, layers } = JSON.parse(studio.text()); return JSON.stringify([voxels, layers])"


def mouse(studio, *actions):
    studio.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}]})


def drag(studio, start, end):
    """From one place of the scene to another; where they are is asked first, so that nothing moves meanwhile."""
    (x, y), (to_x, to_y) = studio.script(SHOWN, start), studio.script(SHOWN, end)
    ways = [{"type": "pointerMove", "duration": 100, "x": at[0], "y": at[1]} for at in (((x + to_x) // 2, (y + to_y) // 2), (to_x, to_y))]
    mouse(studio, {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, *ways, {"type": "pointerUp", "button": 0})


def draws(studio):
    """A box of 12 x 3 muscles, some voxels high, and phases that rise along it."""
    studio.script("studio.view.canvas.focus()")
    studio.key("3", "v")
    used = studio.script("const { material } = studio.tools; return studio.body.materials[material]")
    check(used.get("thermal_expansion_per_K", 0) != 0, f"the third material is a muscle: {used['name']}")
    drag(studio, [0.5, 0.5, 0], [LENGTH - 0.5, 2.5, 0])
    x, y = studio.script(SHOWN, [LENGTH - 0.5, 2.5, 2])
    mouse(studio, {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})
    facts = studio.script("const { low, high } = studio.body.bounds() ?? { low: [], high: [] }; return [studio.body.size, low, high]")
    check(facts[0] >= 60 and facts[2][0] - facts[1][0] == LENGTH - 1, f"a box is drawn: {facts}")
    studio.key("g")
    top = facts[2][2] + 1
    drag(studio, [facts[2][0] + 0.5, 1.5, top], [facts[1][0] + 0.5, 1.5, top])
    phases = studio.script("return [...studio.body.cells.values()].map((cell) => [cell.i, cell.PhaseOffset ?? 0])")
    check(len({round(phase, 3) for _, phase in phases}) >= LENGTH - 2, f"phases rise along it: {sorted(set(map(tuple, phases)))[:4]} ...")


def test(studio, program=None):
    check(studio.script("return studio.body.size") == 0, "the page is empty")
    draws(studio)
    studio.script("studio.view.canvas.focus()")
    check(studio.play(), f"space plays it: {studio.said()}")
    far = "Math.hypot(...[0, 1].map((c) => studio.play.frame.center[c] - studio.play.plots.start[c]))"
    check(studio.wait(far + " > 0.02", 60), "it crawls by two voxels and more: " + studio.script("studio.play.plots.describe(); return studio.play.plots.canvas.getAttribute('aria-label')"))
    studio.key(" ")
    studio.script(CATCH)
    name, data = save(studio, "design .vxa")
    check(name and name.endswith(".vxa"), f"it is saved: {name}; {studio.said()}")
    if program:
        with tempfile.TemporaryDirectory() as folder:
            path, result = pathlib.Path(folder) / name, pathlib.Path(folder) / "result.json"
            path.write_bytes(data)
            ran = subprocess.run([program, "run", str(path), "--duration", "5", "--result", str(result), "--quiet"], capture_output=True, text=True,
                                 check=False)
            check(ran.returncode == 0, f"the program runs it: {ran.stderr}")
            told = json.loads(result.read_text())
            way = told["center_of_mass_m"][0] - told["center_of_mass_start_m"][0]
            check(abs(way) > 0.05, f"and there it crawls {way:.3f} m in 5 s")
    cells = studio.script(CELLS)
    studio.script("[...document.querySelectorAll('#share button')].find((button) => button.textContent === 'share').click()")
    check(studio.wait("location.hash.startsWith('#v=')", 20), f"its link: {studio.said()}")
    link = studio.script("return location.hash")
    studio.script("localStorage.clear()")
    studio.load(link)
    check(studio.script(CELLS) == cells, f"another page opens the link of {len(link)} characters with the same cells and phases")


if __name__ == "__main__":
    sys.exit(drive(test))
