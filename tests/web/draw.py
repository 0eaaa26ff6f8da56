#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""draw.py PROGRAM [FOLDER]: draws in the studio by a real pointer, by keys and by fingers, in headless Chromium from disk with the network off. Every
tool must do what it says, all of it can be undone and done again, and the scene is what the program reads. The page is put together from its plain
files, without the module: drawing needs no engine. FOLDER takes pictures. Exits with 77 where Chromium is missing."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from assemble import assemble, lacking  # noqa: E402
from browser import Browser, emulate, missing  # noqa: E402
from checks import check, counted_end  # noqa: E402

KEYS = {"left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015", "enter": "\ue007", "escape": "\ue00c", "delete": "\ue017",
        "ctrl": "\ue009", "page up": "\ue00e", "page down": "\ue00f"}
# where a point of the lattice (cells) is in the window
SEEN = """const box = studio.view.canvas.getBoundingClientRect();
const at = new THREE.Vector3(...arguments[0]).project(studio.view.camera);
return [box.left + (1 + at.x) * box.width / 2, box.top + (1 - at.y) * box.height / 2]"""


class Drawing(Browser):
    """The page of the studio, ready to draw on."""

    def begin(self, page):
        self.open(page.as_uri())
        if not self.wait("window.studio", 20):
            raise SystemExit("the page does not begin: " + "; ".join(self.console()))
        self.wait_for("await studio.ready")

    def at(self, *point):
        return [round(part) for part in self.script(SEEN, list(point))]

    def mouse(self, *moves):
        """Moves of the mouse: a place to go to, "down" or "up"."""
        actions = [{"type": "pointerDown", "button": 0} if move == "down" else {"type": "pointerUp", "button": 0} if move == "up" else
                   {"type": "pointerMove", "duration": 0, "x": move[0], "y": move[1]} for move in moves]
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})

    def click(self, *point):
        self.mouse(self.at(*point), "down", "up")

    def drag(self, *points):
        places = [self.at(*point) for point in points]
        self.mouse(places[0], "down", *places[1:], "up")

    def press(self, *keys):
        """Keys, one after the other; with "ctrl+" before them, or "shift+"."""
        actions = []
        for key in keys:
            held = [KEYS["ctrl"]] if key.startswith("ctrl+") else ["\ue008"] if key.startswith("shift+") else []
            value = key.split("+")[-1] if held else key
            actions += [{"type": "keyDown", "value": other} for other in held]
            actions += [{"type": kind, "value": KEYS.get(value, value)} for kind in ("keyDown", "keyUp")]
            actions += [{"type": "keyUp", "value": other} for other in held]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def cells(self):
        """The voxels of the scene: place -> material."""
        return {tuple(voxel[:3]): voxel[3] for voxel in self.scene()["voxels"]}

    def scene(self):
        return json.loads(self.script("return studio.body.text()"))

    def said(self):
        return self.script("const said = document.getElementById('message'); return said.hidden ? '' : said.textContent")

    def preset(self, name):
        self.script("studio.takePreset(PRESETS.find((preset) => preset.name === arguments[0]))", name)


def box(low, high, material=0):
    return {(i, j, k): material for i in range(low[0], high[0] + 1) for j in range(low[1], high[1] + 1) for k in range(low[2], high[2] + 1)}


def draw_by_pointer(studio):
    """Twelve edits, and what the body must be after each."""
    body = {}

    def is_now(what):
        cells = studio.cells()
        check(cells == body, f"{what}: {len(cells)} voxels" + ("" if cells == body else f", expected {len(body)}: "
                                                               f"{sorted(set(cells.items()) ^ set(body.items()))[:8]}"))

    studio.click(3.5, 3.5, 0)
    body[3, 3, 0] = 0
    is_now("brush on the floor")
    studio.click(3.5, 3.5, 1)
    body[3, 3, 1] = 0
    is_now("brush on a face")
    studio.drag((0.5, 0.5, 0), (6.5, 0.5, 0))
    body.update(box((0, 0, 0), (6, 0, 0)))
    is_now("a fast stroke leaves no gaps")
    studio.press("3", "v")
    places = [studio.at(*point) for point in ((0.5, 5.5, 0), (3.5, 7.5, 0), (3.5, 7.5, 2.5))]
    studio.mouse(places[0], "down", places[1], "up", places[2], "down", "up")
    body.update(box((0, 5, 0), (3, 7, 2), 2))
    is_now("box of two corners and a height")
    studio.press("1", "l")
    studio.drag((6.5, 2.5, 0), (9.5, 5.5, 0))
    line = [(6, 2), (7, 2), (7, 3), (8, 3), (8, 4), (9, 4), (9, 5)]
    cells = studio.cells()
    drawn = [cell for cell in cells if cell not in body]
    check(len(drawn) == 7 and (6, 2, 0) in cells and (9, 5, 0) in cells, f"line of cells that share faces: {sorted(drawn)} like {line}")
    body.update({cell: 0 for cell in drawn})
    studio.press("4", "f")
    studio.click(3.5, 0.5, 1)
    body.update(box((0, 0, 0), (6, 0, 0), 3))
    is_now("fill of what hangs together")
    studio.press("2", "r")
    studio.click(3.5, 3.5, 2)
    body[3, 3, 1] = 1
    is_now("repaint")
    studio.press("x")
    studio.click(3.5, 3.5, 2)
    del body[3, 3, 1]
    is_now("erase")
    studio.press("i")
    studio.click(1.5, 6.5, 3)
    check(studio.script("return [studio.tools.material, studio.tools.name]") == [2, "brush"], "pick takes the material, and goes back to the brush")
    studio.press("+", "+")
    studio.click(12.5, 2.5, 0)
    body.update(box((11, 1, 0), (13, 3, 0), 2))
    is_now("brush of 3 by 3")
    studio.press("-", "-", "m")
    studio.click(10.5, 7.5, 0)
    body.update({(10, 7, 0): 2, (3, 7, 0): 2})
    is_now("mirror in x")
    studio.press("m", "m", "m")
    return body


def paint(studio):
    """Values of voxels: phases by brush and gradient, a group by its digit."""
    studio.preset("Empty")
    studio.press("v")
    places = [studio.at(*point) for point in ((0.5, 2.5, 0), (8.5, 4.5, 0))]
    studio.mouse(places[0], "down", places[1], "up", places[1], "down", "up")
    studio.press("p")
    studio.script("studio.tools.set({values: {...studio.tools.values, PhaseOffset: 0.3}})")
    studio.click(4.5, 3.5, 1)
    scene = studio.scene()
    layers = dict(zip(map(tuple, scene["voxels"]), scene["layers"]["PhaseOffset"]))
    check({cell for cell, value in layers.items() if value} == {(4, 3, 0, 0)} and max(layers.values()) == 0.3, "a phase is painted on one voxel")
    studio.press("g")
    studio.drag((0.5, 3.5, 1), (8.5, 3.5, 1))
    scene = studio.scene()
    rising = all(abs(value - voxel[0] / 8) < 1e-3 for voxel, value in zip(scene["voxels"], scene["layers"]["PhaseOffset"]))
    check(rising, "a gradient along a drag: a wave from 0 to 1")
    studio.press("b", "u", "7")
    studio.click(0.5, 2.5, 1)
    scene = studio.scene()
    check([voxel for voxel, group in zip(scene["voxels"], scene["layers"]["Group"]) if group == 7] == [[0, 2, 0, 0]], "group 7 by its digit")
    studio.press("k")
    place = studio.at(0.5, 3.5, 1)
    studio.mouse(place, "down", "up", place, "down", "up")
    studio.press("n")
    place = studio.at(8.5, 3.5, 1)
    studio.mouse(place, "down", "up", place, "down", "up")
    regions = studio.scene()["regions"]
    check(len(regions) == 2 and len(regions[0]["fixed"]) == 6 and regions[1]["force_N"] == [0, 0, 0.1], "hold and push, by boxes")


def select(studio):
    """What is selected is copied, pasted, turned, mirrored and moved."""
    studio.preset("Empty")
    studio.press("b")
    studio.drag((2.5, 2.5, 0), (4.5, 2.5, 0))
    studio.press("2")
    studio.click(2.5, 1.5, 0)
    start = {(2, 2, 0): 0, (3, 2, 0): 0, (4, 2, 0): 0, (2, 1, 0): 1}
    check(studio.cells() == start, "an L of four voxels")
    studio.press("ctrl+a", "ctrl+c", "ctrl+v")
    studio.click(10.5, 6.5, 0)
    copy = {(9, 7, 0): 0, (10, 7, 0): 0, (11, 7, 0): 0, (9, 6, 0): 1}
    check(studio.cells() == {**start, **copy}, f"copied and pasted: {sorted(studio.cells())}")
    studio.press("ctrl+z", "d", "page up", "page down", "ctrl+a", "t")
    turned = {(2, 1, 0): 0, (2, 2, 0): 0, (2, 3, 0): 0, (3, 1, 0): 1}
    check(studio.cells() == turned, f"a quarter turn about z: {sorted(studio.cells().items())}")
    studio.press("ctrl+z")
    check(studio.cells() == start, "undone, also where cells moved over each other")
    studio.press("ctrl+y")
    check(studio.cells() == turned, "and done again")
    studio.script("studio.tools.flip(0)")
    check(studio.cells() == {(3, 1, 0): 0, (3, 2, 0): 0, (3, 3, 0): 0, (2, 1, 0): 1}, "mirrored along x")
    studio.press("d", "page up")
    check(studio.cells() == {(3, 1, 1): 0, (3, 2, 1): 0, (3, 3, 1): 0, (2, 1, 1): 1}, "moved up by a key")
    studio.press("delete")
    check(studio.cells() == {}, "deleted")


def draw_by_keys(studio):
    """All without a pointer."""
    studio.preset("Empty")
    studio.script("studio.view.canvas.focus()")
    studio.press("b", "up")
    start = studio.script("return studio.keys.cursor")
    right = studio.script("return studio.view.screenAxes().right")
    studio.press("enter", "right", "enter", "page up", "enter")
    cells = studio.cells()
    second = tuple(a + b for a, b in zip(start, right))
    check(set(cells) == {tuple(start), second, (second[0], second[1], second[2] + 1)}, f"arrows, page up and enter draw: {sorted(cells)}")
    studio.press("ctrl+z", "ctrl+z")
    check(len(studio.cells()) == 1, "undo by keys")
    studio.press("ctrl+y")
    check(len(studio.cells()) == 2, "redo by keys")
    studio.press("v", "enter", "page up", "page up", "right", "right", "enter")
    check(len(studio.cells()) == 11, f"a box between two cells of the cursor: {len(studio.cells())}")
    studio.press("x", "enter")
    check(len(studio.cells()) == 10, "erase at the cursor")
    studio.press("[", "[")
    plane = studio.script("return studio.tools.plane")
    check(plane["axis"] == 2 and plane["level"] >= 0, f"[ sets the plane of layers and moves it: {plane}")
    check(studio.script("return document.getElementById('spoken').textContent") != "", "what is at the cursor is told to those who do not see it")


def draw_in_layers(studio):
    """With a plane of layers only its layer is drawn on, also where voxels above would hide it; what is above stays."""
    studio.preset("Empty")
    studio.script("studio.tools.set({name: 'box', material: 0}); studio.tools.box([2, 2, 0], [5, 5, 2], null); studio.tools.choose('brush')")
    studio.press("2", "[", "[", "[")
    check(studio.script("return studio.tools.plane") == {"axis": 2, "level": 0}, "the plane goes down by keys")
    count = "return studio.view.cubes.mesh.count"
    check(studio.wait("!studio.view.isDirty") and studio.script(count) == 16, f"only what is below is shown: {studio.script(count)} voxels")
    studio.drag((2.5, 3.5, 1), (6.5, 3.5, 1))
    expected = box((2, 2, 0), (5, 5, 2))
    expected.update(box((2, 3, 0), (6, 3, 0), 1))
    check(studio.cells() == expected, f"a stroke in the layer: {sorted(set(studio.cells().items()) ^ set(expected.items()))}")
    studio.press("x")
    studio.click(5.5, 5.5, 1)
    del expected[5, 5, 0]
    check(studio.cells() == expected, "erased in the layer")
    studio.script("studio.tools.setPlane(0, 3)")
    studio.script("studio.tools.choose('erase'); studio.tools.edit(studio.tools.changes(boxCells([0, 0, 0], [9, 9, 9])))")
    check(set(studio.cells()) == {cell for cell in expected if cell[0] > 3}, "tools leave what is above a plane through x")
    studio.script("studio.tools.setPlane(null)")


def undo_all(studio, last):
    """From the last edit back to the first body, and forth again."""
    count = 0
    while studio.script("return studio.body.undo()"):
        count += 1
    check(studio.cells() == {}, f"{count} edits undone")
    while studio.script("return studio.body.redo()"):
        count -= 1
    check(count == 0 and studio.script("return studio.body.text()") == last, "and done again: the text is the same")


def read_by_program(studio, program, folder, name):
    """The program reads the scene, with the same cells, materials, bonds and mass."""
    text = studio.script("return studio.body.text()")
    path, other = folder / "drawn.json", folder / "read.json"
    path.write_text(text, encoding="utf-8")
    info = json.loads(subprocess.run([program, "info", str(path), "--json"], check=True, capture_output=True, text=True).stdout)
    subprocess.run([program, "convert", str(path), str(other)], check=True, capture_output=True)
    drawn, read = json.loads(text), json.loads(other.read_text(encoding="utf-8"))
    facts = studio.script("return studio.body.facts()")
    check(drawn["voxels"] == read["voxels"], f"{name}: the program reads the same {info['voxels']} cells")
    check([material["name"] for material in drawn["materials"]] == [material["name"] for material in read["materials"]],
          f"{name}: and the same palette")
    check(info["notes"] == [] and (facts["voxels"], facts["bonds"]) == (info["voxels"], info["bonds"]) and
          abs(facts["mass"] / info["mass_kg"] - 1) < 1e-6,
          f"{name}: {facts['bonds']} bonds, {1000 * facts['mass']:.4g} g")
    return read


PRESETS = {"Quadruped": "quadruped.vxa", "Worm": "worm.vxa", "Hopper": "hopper.vxa", "Gripper": "gripper.vxa", "Cantilever": "cantilever.vxa",
           "Magnetic crawler": "magnetic_crawler.json", "Gecko": "gecko.json", "Two magnets": "magnets.json",
           "Bouncing spheres": "bouncing_spheres.json", "Rolling spheres": "rolling_spheres.json"}
SAME = ("voxels", "layers", "voxel_size_m", "gravity_m_per_s2", "self_collision", "contacts", "initial_velocities", "floor")


def rounded(value):
    """Without what a file has of a float's digits, and of places of floors without an end."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items() if key != "center_m"}
    return [rounded(part) for part in value] if isinstance(value, list) else value


def compare_presets(studio, program, folder):
    """The presets are the example designs."""
    for name, file in PRESETS.items():
        studio.preset(name)
        drawn = read_by_program(studio, program, folder, name)
        subprocess.run([program, "convert", str(ROOT / "assets" / file), str(folder / "asset.json")], check=True, capture_output=True)
        asset = json.loads((folder / "asset.json").read_text(encoding="utf-8"))
        differs = [key for key in SAME if rounded(drawn[key]) != rounded(asset[key])]
        differs += [key for key in drawn["materials"][0] if key != "name" and
                    [rounded(one[key]) for one in drawn["materials"]] != [rounded(one[key]) for one in asset["materials"]]]
        differs += ["regions"] * ([(region["fixed"], region["force_N"], region.get("table")) for region in drawn["regions"]] !=
                                  [(region["fixed"], region["force_N"], region.get("table")) for region in asset["regions"]])
        check(not differs, f"{name} is {file}" + (f", but for {differs}" if differs else ""))
    for name in ("Empty", "Random body", "evosoro palette", "voxcraft palette"):
        studio.preset(name)
        check(len(studio.scene()["materials"]) >= 3, f"{name} opens")


def keep_files(studio):
    """What the studio does not know stays in a scene that it edits; numbers of voxels go with them."""
    scene = json.loads((ROOT / "assets" / "gecko.json").read_text(encoding="utf-8"))
    scene["note of mine"] = {"kept": [1, 2.5, "x"]}
    scene["materials"][0]["fibre"] = 3
    studio.script("studio.take(arguments[0])", json.dumps(scene))
    check(json.loads(studio.script("return studio.body.text()")) == scene, "a scene that is not edited stays as it is")
    studio.script("studio.body.edit([[0, 0, 0, null], [15, 3, 0, null], [0, 0, 1, {i: 0, j: 0, k: 1, material: 1}]])")
    edited = studio.scene()
    check(edited["note of mine"] == scene["note of mine"] and edited["contacts"] == scene["contacts"], "unknown keys and rules of contact stay")
    held = [edited["voxels"][number][:3] for number in edited["regions"][0]["voxels"]]
    check(held == [[15, 0, 0], [15, 1, 0], [15, 2, 0]], f"the voxels that were held are held: {held}")
    studio.script("studio.body.edit([], {scene: {materials: [...studio.body.materials, {name: 'third'}]}}); studio.body.removeMaterial(2)")
    answer = studio.script("try { studio.body.removeMaterial(0); return '' } catch (error) { return error.message }")
    check(answer.startswith("55 voxels are of this material"), "a material that is in use is not taken away")


DAMAGED = {
    "": "no scene", "{": "no scene", "[]": "no scene", "17": "no scene", "null": "no scene", "[" * 100000: "no scene",
    '{"voxels": 3}': "voxels", '{"materials": 3}': "materials", '{"materials": [3]}': "materials",
    '{"materials": [{}], "voxels": [[0, 0, 0]]}': "Voxel 0",
    '{"materials": [{}], "voxels": [[0, 0, 0.5, 0]]}': "Voxel 0", '{"materials": [{}], "voxels": [[0, 0, 0, 1]]}': "material 1",
    '{"materials": [{}], "voxels": [[0, 0, 0, 0], [0, 0, 0, 0]]}': "Two voxels",
    '{"materials": [{}], "voxels": [[0, 0, 0, 0], [64, 0, 0, 0]]}': "65 cells",
    '{"materials": [{}], "voxels": [[0, 0, 1e300, 0]]}': "Voxel 0", '{"materials": [{"color": "red"}], "voxels": []}': "color",
    '{"materials": [{"density_kg_per_m3": "heavy"}], "voxels": []}': "density_kg_per_m3",
    '{"materials": [{}], "voxels": [[0,0,0,0]], "layers": {"Group": []}}': "Group",
    '{"materials": [{}], "voxels": [[0,0,0,0]], "layers": {"Group": ["a"]}}': "Group",
    '{"materials": [{}], "voxels": [[0,0,0,0]], "layers": {"i": [3]}}': "called",
    '{"voxel_size_m": 0}': "voxel_size_m", '{"gravity_m_per_s2": [0, 0]}': "gravity", '{"floor": 3}': "floor",
    '{"floor": {"heights_m": [[0]]}}': "heights_m",
    '{"regions": [3]}': "regions", '{"regions": [{"low_m": 3}]}': "low_m", '{"name": 3}': "name", '{"actuation": []}': "actuation",
    '{"actuation": {"period_s": "x"}}': "period_s", '{"materials": [{"magnetization_A_per_m": 3}]}': "magnetization",
    '{"regions": [{"displacement_m": 3}]}': "displacement_m",
    '{"materials": [' + ", ".join(["{}"] * 255) + "]}": "254",
}


TAKE = "try { studio.take(arguments[0]); return null } catch (error) { return [error instanceof SceneError, error.message] }"


def refuse(studio):
    """Damaged and too large scenes give sentences, and the drawing stays."""
    studio.preset("Worm")
    before = studio.script("return studio.body.text()")
    for text, says in DAMAGED.items():
        answer = studio.script(TAKE, text)
        check(bool(answer) and answer[0] and says in answer[1] and answer[1].endswith("."), f"{text[:60]!r}: {answer and answer[1]}")
    check(studio.script("return studio.body.text()") == before, "the drawing stays")
    cube = {"materials": [{}], "voxels": [[i, j, k, 0] for i in range(65) for j in range(65) for k in (0, 64)]}
    answer = studio.script(TAKE, json.dumps(cube))
    check("65 cells" in answer[1], f"65 cells in each direction: {answer[1]}")
    studio.preset("Empty")
    for i in (0, 64):
        studio.script("const i = arguments[0]; studio.tools.edit([[i, 0, 0, {i, j: 0, k: 0, material: 0}]])", i)
    check("65 cells long along x" in studio.said() and len(studio.cells()) == 1, f"the 65th cell is refused while drawing: {studio.said()}")


MUTATE = """let seed = 7;
const chance = (most) => (seed = (seed * 48271) % 2147483647) % most;
const others = ['null', '-1', '1e999', '"x"', '[]', '{}', '0.5', ',', ':', 'true', '99999999999', '__proto__', '[[', ']'];
const faults = [];
for (let round = 0; round < arguments[1]; round++) {
  let text = arguments[0];
  for (let change = 0; change <= chance(3); change++) {
    const at = chance(text.length);
    text = text.slice(0, at) + others[chance(others.length)] + text.slice(at + chance(6));
  }
  try {
    studio.body.load(text);
    studio.view.draw();
    studio.body.text();
    studio.body.facts();
  } catch (error) {
    if (!(error instanceof SceneError)) {
      faults.push(error.message + ': ' + text.slice(0, 200));
    }
  }
}
return faults"""


def mutate(studio):
    """A thousand damaged scenes: each is drawn, or refused with a sentence."""
    scene = json.loads((ROOT / "assets" / "gecko.json").read_text(encoding="utf-8"))
    scene["layers"] = {"PhaseOffset": [0.5] * 8}
    scene["voxels"] = scene["voxels"][:8]
    scene["regions"] = [{"shape": "box", "low_m": [0, 0, 0], "high_m": [0.005, 0.005, 0.005], "fixed": ["x"], "force_N": [0, 0, 1]}]
    scene["floor"] = {"heights_m": [[0, 0], [0, 0.01]], "spacing_m": 0.02, "slope": [0, 0]}
    faults = studio.script(MUTATE, json.dumps(scene), 1000)
    check(not faults, f"1000 damaged scenes, no exception{': ' if faults else ''}{'; '.join(faults[:3])}")


def draw_many(studio):
    """20 000 voxels are drawn, and a stroke on them is not late."""
    studio.preset("Empty")
    cells = "const cells = []; for (let n = 0; n < 20000; n++) cells.push([n % 40, Math.floor(n / 40) % 25, Math.floor(n / 1000)]);"
    studio.script(cells + "studio.body.edit(cells.map(([i, j, k]) => [i, j, k, {i, j, k, material: (i + j + k) % 4}])); studio.view.home()")
    check(studio.wait("studio.view.cubes.mesh.count > 4000 && !studio.view.isDirty"), f"{studio.script('return studio.body.size')} voxels, of which "
          f"{studio.script('return studio.view.cubes.mesh.count')} can be seen, are drawn")
    spent = studio.script("const since = performance.now(); for (let i = 0; i < 10; i++) {"
                          "studio.tools.edit([[i, 0, 20, {i, j: 0, k: 20, material: 1}]]); studio.view.draw(); }"
                          "return (performance.now() - since) / 10")
    print(f"     {spent:.1f} ms for a voxel and a picture of it")
    studio.press("b")
    studio.drag((20.5, 10.5, 20), (24.5, 10.5, 20))
    check(set(box((20, 10, 20), (24, 10, 20))) <= set(studio.cells()), "a stroke on them")


def touch(studio):
    """One finger draws, two do not, a long press picks."""
    emulate(studio, (390, 844), mobile=True)
    studio.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setTouchEmulationEnabled", "params": {"enabled": True}})
    studio.preset("Empty")
    time.sleep(0.3)

    def fingers(kind, *places):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        studio.call("POST", "/goog/cdp/execute", {"cmd": "Input.dispatchTouchEvent", "params": {"type": kind, "touchPoints": points}})

    place = studio.at(3.5, 3.5, 0)
    fingers("touchStart", place)
    fingers("touchEnd")
    check(studio.cells() == {(3, 3, 0): 0}, f"a tap draws: {studio.cells()}")
    other = [place[0] + 60, place[1]]
    fingers("touchStart", place)
    fingers("touchStart", place, other)
    fingers("touchMove", [place[0] - 30, place[1]], [other[0] + 30, other[1]])
    fingers("touchEnd")
    check(studio.cells() == {(3, 3, 0): 0}, "two fingers draw nothing")
    studio.script("studio.tools.set({material: 3}); studio.home()")
    place = studio.at(3.5, 3.5, 1)
    fingers("touchStart", place)
    studio.wait("studio.tools.material === 0", 5)
    fingers("touchEnd")
    check(studio.script("return studio.tools.material") == 0 and len(studio.cells()) == 1, "a long press picks")
    fingers("touchStart", place)
    studio.script("studio.pointer.enabled = false")
    fingers("touchEnd")
    studio.script("studio.pointer.enabled = true; studio.takePreset(PRESETS.find(({name}) => name === 'Empty'))")
    time.sleep(0.3)
    fingers("touchStart", studio.at(3.5, 3.5, 0))
    fingers("touchEnd")
    check(len(studio.cells()) == 1, f"a finger that went up while the body played is forgotten: {studio.cells()}")
    small = studio.script("return [...document.querySelectorAll('button, select, [role=option]')].filter((part) => part.offsetParent && "
                          "(part.offsetWidth < 44 || part.offsetHeight < 44)).map((part) => part.title || part.textContent)")
    check(not small, f"targets of 44 pixels{': not ' if small else ''}{small or ''}")


def fits(studio, folder):
    """No window makes the page scroll, and all that can be pressed has a name."""
    for name, size, mobile in (("desk", (1280, 800), False), ("phone", (390, 844), True), ("phone on its side", (844, 390), True),
                               ("small", (360, 640), True)):
        for dark in (False, True):
            emulate(studio, size, dark=dark, mobile=mobile)
            studio.preset("Quadruped")
            time.sleep(0.3)
            wide = studio.script("return [document.documentElement.scrollWidth, innerWidth, document.documentElement.scrollHeight, innerHeight]")
            check(wide[0] <= wide[1] and wide[2] <= wide[3], f"{name}{', dark' if dark else ''}: fits {wide}")
            studio.picture(folder / f"draw-{name.replace(' ', '-')}{'-dark' if dark else ''}.png")
    nameless = studio.script("return [...document.querySelectorAll('button, input, select, canvas:not([aria-hidden])')].filter((part) => "
                             "!part.hidden && !part.closest('#plots') && "
                             "!(part.ariaLabel || part.textContent.trim() || part.labels?.length)).map((part) => part.outerHTML.slice(0, 90))")
    check(not nameless, f"all controls have names{': not ' if nameless else ''}{nameless or ''}")


def main():
    lacks = missing() or lacking()
    if lacks or len(sys.argv) < 2:
        print("skipped: " + (lacks or "no program is given"))
        return 77
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as kept:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else kept)
        page = pathlib.Path(kept) / "studio.html"
        assemble(page)
        studio = Drawing("1280,860")
        try:
            emulate(studio, (1280, 860))
            studio.begin(page)
            check("cannot start" in studio.said(), f"without an engine the studio says so: {studio.said()}")
            draw_by_pointer(studio)
            read_by_program(studio, program, pathlib.Path(kept), "what was drawn")
            undo_all(studio, studio.script("return studio.body.text()"))
            paint(studio)
            read_by_program(studio, program, pathlib.Path(kept), "what was painted")
            select(studio)
            undo_all(studio, studio.script("return studio.body.text()"))
            draw_by_keys(studio)
            draw_in_layers(studio)
            compare_presets(studio, program, pathlib.Path(kept))
            keep_files(studio)
            refuse(studio)
            mutate(studio)
            draw_many(studio)
            fits(studio, folder)
            touch(studio)
            said = studio.console()
            check(not said, "nothing on the console" + "".join("\n     " + text for text in said))
        finally:
            studio.end()
    return counted_end()


if __name__ == "__main__":
    sys.exit(main())
