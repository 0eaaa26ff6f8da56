#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""edits.py PAGE: what belongs together stays together in the studio, whatever is edited, undone or opened meanwhile: materials that are chosen, regions
that go with their voxels, strokes that are given up, changes that the library is still asked about. In headless Chromium, by a real pointer and keys."""
import sys
import time

from draw import ROOT, Drawing
from studio import ASSETS, Studio, check, drive


class Page(Studio, Drawing):
    """The packed page, with its engine, to draw on."""


def stay_in_palette(studio):
    """The material that is chosen is one that is there, whatever was undone; scenes without materials get one."""
    studio.preset("Empty")
    studio.script("studio.palette.add.value = '0'; studio.palette.addReady()")
    count = studio.script("return studio.body.materials.length")
    check(studio.script("return studio.tools.material") == count - 1, "a material that is added is chosen")
    studio.press("b", "ctrl+z")
    studio.click(3.5, 3.5, 0)
    check(studio.cells() == {(3, 3, 0): count - 2} and studio.script("return studio.body.facts().voxels") == 1, f"undone, another is: {studio.cells()}")
    answer = studio.script("try { studio.body.edit([[0, 0, 0, {i: 0, j: 0, k: 0, material: 99}]]) } catch (error) { return error.message }")
    check(answer == "There is no material 99 to draw with." and len(studio.cells()) == 1, f"one that is not there is refused: {answer}")
    studio.script("studio.take(arguments[0])", (ROOT / "assets" / "affine_dominoes.json").read_text(encoding="utf-8"))
    studio.click(3.5, 3.5, 0)
    scene = studio.scene()
    check(len(scene["voxels"]) == 1 and len(scene["materials"]) == 1 and len(scene["affine_bodies"]) > 1, "a voxel beside affine bodies brings a material along")
    studio.press("ctrl+z")
    check(not studio.scene().get("materials"), "which goes with it")


def region_cells(studio):
    """The cells of each region's box, as [low, high], with its force."""
    return studio.script("return studio.body.scene.regions.map(({low_m: low, high_m: high, force_N: force}) => "
                         "[low.map((at) => Math.floor(at / studio.body.edge)), high.map((at) => Math.floor(at / studio.body.edge)), force ?? null])")


def take_regions_along(studio):
    """What is held and pushed goes with its voxels: moved, turned, mirrored, of another size; what is beside the selection stays."""
    studio.preset("Empty")
    studio.script("studio.tools.set({name: 'box', material: 0}); studio.tools.box([0, 0, 0], [3, 1, 0], null)")
    studio.script("studio.tools.set({name: 'fix'}); studio.tools.box([0, 0, 0], [0, 1, 0], null);"
                  "studio.tools.set({name: 'push', force: [0.1, 0, 0]}); studio.tools.box([3, 0, 0], [3, 0, 0], null)")
    text = studio.script("return studio.body.text()")
    studio.press("d", "page up")
    check(region_cells(studio) == [[[0, 0, 1], [0, 1, 1], None], [[3, 0, 1], [3, 0, 1], [0.1, 0, 0]]], f"moved by a key: {region_cells(studio)}")
    studio.press("ctrl+z")
    check(studio.script("return studio.body.text()") == text, "undone together")
    studio.script("studio.tools.turn(2)")
    check(region_cells(studio) == [[[0, 0, 0], [1, 0, 0], None], [[1, 3, 0], [1, 3, 0], [0, 0.1, 0]]], f"turned about z: {region_cells(studio)}")
    at = studio.script("return studio.body.scene.regions.map(({low_m: [i, j, k]}) => Boolean(studio.body.cell(...[i, j, k].map((part) => "
                       "Math.floor(part / studio.body.edge)))))")
    check(at == [True, True], "there are voxels in them")
    studio.press("ctrl+z")
    studio.script("studio.tools.flip(0)")
    check(region_cells(studio) == [[[3, 0, 0], [3, 1, 0], None], [[0, 0, 0], [0, 0, 0], [-0.1, 0, 0]]], f"mirrored along x: {region_cells(studio)}")
    studio.press("ctrl+z")
    studio.script("studio.tools.select({low: [3, 0, 0], high: [3, 1, 0]}); studio.tools.nudge([2, 0, 0])")
    check(region_cells(studio) == [[[0, 0, 0], [0, 1, 0], None], [[5, 0, 0], [5, 0, 0], [0.1, 0, 0]]], f"of a selection alone: {region_cells(studio)}")
    studio.press("ctrl+z")
    studio.press("escape", "d")
    studio.drag((3.5, 0.5, 1), (3.5, 4.5, 1))
    check(region_cells(studio)[0][0] == [0, 4, 0] and (3, 4, 0) in studio.cells(), f"dragged: {region_cells(studio)}")
    studio.press("ctrl+z")
    fixed = "return movedRegion({low_m: [0, 0, 0], high_m: [1, 1, 1], fixed: ['x', 'ry'], moment_Nm: [1, 2, 3]}, arguments[0] ? "
    fixed += "turnWay({low: [0, 0, 0], high: [1, 1, 1]}, 2) : flipWay({low: [0, 0, 0], high: [1, 1, 1]}, 0), 1)"
    turned, flipped = studio.script(fixed, True), studio.script(fixed, False)
    check(turned["fixed"] == ["y", "rx"] and turned["moment_Nm"] == [-2, 1, 3], f"freedoms and moments turn, too: {turned}")
    check(flipped["fixed"] == ["x", "ry"] and flipped["moment_Nm"] == [1, -2, -3], f"and are mirrored: {flipped}")
    before = region_cells(studio)
    studio.script("studio.body.edit([], {scene: {floor: {heights_m: [[0, 0.01], [0, 0.01]], spacing_m: 0.02}}})")
    studio.wait_for("await studio.environment.edge.commit(5)")
    scene = studio.scene()
    check(scene["voxel_size_m"] == 0.005 and region_cells(studio) == before, f"another voxel size: {region_cells(studio)}")
    check(scene["floor"] == {"heights_m": [[0, 0.005], [0, 0.005]], "spacing_m": 0.01}, f"and the floor: {scene['floor']}")


def turn_magnets(studio):
    """The magnetisation of a material turns with a voxel, as a layer of its own."""
    studio.preset("Empty")
    studio.script("studio.body.edit([[0, 0, 0, {i: 0, j: 0, k: 0, material: 0}], [1, 0, 0, {i: 1, j: 0, k: 0, material: 1}]], {scene: {materials: "
                  "studio.body.materials.map((one, at) => at ? one : {...one, magnetization_A_per_m: [100, 0, 0]})}}); studio.tools.turn(2)")
    layer = studio.script("return [...studio.body.cells.values()].map((cell) => [cell.material, cell.Magnetization ?? null])")
    check(sorted(layer, key=lambda entry: entry[0]) == [[0, [0, 100, 0]], [1, None]], f"magnets turn: {layer}")
    studio.script("studio.tools.flip(1)")
    check(studio.script("return studio.body.cell(0, 1, 0)?.Magnetization ?? studio.body.cell(0, 0, 0).Magnetization") == [0, 100, 0],
          "a mirror across an axial vector leaves it")


def give_up_strokes(studio):
    """A box that waits for its height is not drawn into the next design; a stroke given up takes no redo with it."""
    studio.preset("Empty")
    studio.press("v")
    first, last = studio.at(1.5, 1.5, 0), studio.at(4.5, 4.5, 0)
    studio.mouse(first, "down", last, "up")
    check(studio.script("return Boolean(studio.tools.stroke?.base)"), "a box waits for its height")
    studio.preset("Worm")
    before = studio.cells()
    check(studio.script("return studio.tools.stroke") is None, "another design: it waits no more")
    studio.press("enter")
    studio.mouse([last[0], last[1] - 40])
    check(studio.cells() == before, "and nothing is drawn into it")


def keep_redo(studio):
    """A stroke that is given up leaves what could be done again."""
    studio.preset("Empty")
    studio.press("b")
    studio.click(6.5, 6.5, 0)
    studio.press("ctrl+z")
    studio.mouse(studio.at(2.5, 2.5, 0), "down", studio.at(4.5, 2.5, 0))
    check(len(studio.cells()) == 3, "a stroke is being drawn")
    studio.press("escape")
    studio.mouse("up")
    check(studio.cells() == {} and not studio.script("return studio.redo.disabled"), f"and given up: {studio.cells()}")
    studio.press("ctrl+y")
    check(studio.cells() == {(6, 6, 0): 0}, f"redo is there all the same: {studio.cells()}")


PRESS = "document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...arguments[0]}))"


def type_elsewhere(studio):
    """Brackets by AltGr, and the letters that a Mac writes with alt."""
    studio.preset("Worm")
    studio.script(PRESS, {"key": "[", "ctrlKey": True, "altKey": True, "modifierAltGraph": True})
    check(studio.script("return studio.tools.plane.axis") == 2, "[ by AltGr sets the plane of layers")
    studio.script("studio.tools.setPlane(null)")
    before = studio.cells()
    studio.script(PRESS, {"key": "†", "code": "KeyT", "altKey": True})
    check(studio.cells() != before and max(cell[2] for cell in studio.cells()) == 15, "alt t turns about y where it writes a dagger")


def tell(studio):
    """Sentences where something is left out or must be done otherwise."""
    studio.preset("Empty")
    studio.press("b", "3")
    studio.click(3.5, 3.5, 0)
    studio.press("ctrl+a", "ctrl+c")
    studio.script("studio.take(JSON.stringify({materials: [{}], voxels: [[0, 0, 0, 0]]})); studio.tools.choose('paste'); studio.tools.paste([5, 5, 0])")
    check("1 voxel is left out" in studio.said() and len(studio.cells()) == 1, f"pasted where its material is not: {studio.said()}")
    studio.script("studio.tools.choose('box'); studio.tools.down({cell: null, next: [1, 1, 0], face: [0, 0, 1], free: true}, 0, 0, true);"
                  "studio.tools.up(0, 0, true)")
    check("drag" in studio.said() and "click" not in studio.said(), f"a finger is told to drag: {studio.said()}")
    studio.script("studio.tools.cancel()")
    studio.wait_for("const begun = studio.begins(); studio.tools.choose('brush');"
                    "studio.tools.edit([[0, 0, 1, {i: 0, j: 0, k: 1, material: 0}]]); await begun")
    check("press play again" in studio.said() and studio.script("return studio.state") == "draw", f"edited while play began: {studio.said()}")


def show_floor(studio):
    """Fields of the floor say what the scene has."""
    studio.preset("Hopper")
    studio.wait_for("studio.environment.steps = {rise: 2, depth: 3}; await studio.environment.setFloor('steps')")
    studio.script("studio.environment.steps = {rise: 1, depth: 6}; studio.take(studio.text())")
    shown = studio.script("return studio.environment.stepFields.map(({value}) => value)")
    check(shown == [2, 3], f"steps of the scene: {shown}")
    studio.wait_for("await studio.environment.setFloor('level'); await studio.environment.height.commit(-30)")
    shown = studio.script("const { height } = studio.environment; return [height.value, height.element.hidden]")
    check(studio.scene()["floor"]["height_m"] == -0.03 and shown == [-30, False], f"and the height: {shown}")


FIELDS = (("10 m", "mm", None), ("10 mm", "mm", 10), ("10", "mm", 10), ("20 ms", "s", 0.02), ("20 m", "s", None), ("750 k", "Pa", 750e3),
          ("750 kPa", "Pa", 750e3), ("5 k", "", None), ("−1,5", "N", -1.5), ("2 kN", "N", 2000), ("5 km", "mm", None))


def read_numbers(studio):
    for text, unit, value in FIELDS:
        read = studio.script("const number = readNumber(...arguments[0]); return Number.isNaN(number) ? null : number", [text, unit])
        check(read == value or (read and value and abs(read / value - 1) < 1e-12), f"{text!r} in a field of {unit or 'no unit'}: {read}")


def ask_meanwhile(studio):
    """While the library is asked about a change, other changes may be made: both are there then."""
    studio.preset("Worm")
    studio.wait_for("const asked = studio.environment.period.commit(0.3); studio.body.edit([], {scene: {actuation: "
                    "{...studio.body.scene.actuation, amplitude_K: 7}}}); await asked")
    acts = studio.scene()["actuation"]
    check((acts["period_s"], acts["amplitude_K"]) == (0.3, 7), f"of the world: {acts}")
    studio.wait_for("const asked = studio.palette.set({density_kg_per_m3: 1234}); studio.palette.add.value = '1'; studio.palette.addReady(); await asked")
    materials = studio.scene()["materials"]
    check(len(materials) == 3 and materials[0]["density_kg_per_m3"] == 1234, f"of materials: {len(materials)}")


def ask_for_affine(studio):
    """The surroundings of a scene of affine bodies alone can be changed."""
    check(studio.take(ASSETS / "affine_dominoes.json"), f"a scene of affine bodies opens: {studio.said()}")
    answer = studio.wait_for("try { await studio.environment.gravity[2].commit(-1.6); return '' } catch (error) { return error.message }")
    scene = studio.scene()
    check(answer == "" and scene["gravity_m_per_s2"][2] == -1.6 and len(scene["affine_bodies"]) > 1, f"its gravity is changed {answer}")
    check(not scene.get("materials"), "and it is given no material for that")


def leave_fields(studio):
    """Escape leaves a field as it was; keys act again once a slider or a box was set by the mouse."""
    studio.preset("Worm")
    studio.script("studio.showTab('tab-world'); const { input } = studio.environment.period; input.scrollIntoView(); input.focus(); input.select()")
    studio.press("9", "escape")
    time.sleep(0.3)
    field = studio.script("const { input, error } = studio.environment.period; return [input.value, error.textContent, document.activeElement === input]")
    check(field == ["0.5 s", "", False] and studio.scene()["actuation"]["period_s"] == 0.5, f"escape commits nothing: {field}")
    where = """const box = arguments[0].getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round)"""
    for name, control in (("a box", "studio.environment.acts.input"), ("its label", "studio.environment.collision.input.parentElement"),
                          ("a tab", "document.getElementById('tab-materials')"), ("a slider", "studio.toolbar.size.input")):
        studio.script(f"const control = {control}; control.scrollIntoView(); studio.tools.choose('brush')")
        studio.mouse(studio.script(where.replace("arguments[0]", control)), "down", "up")
        check(studio.wait("document.activeElement === studio.view.canvas", 5), f"{name} that the mouse set gives the keyboard back")
    studio.script("studio.toolbar.size.input.focus()")
    studio.press("l")
    check(studio.script("return studio.tools.name") == "line", "keys that a slider has no use for act")
    studio.script("studio.tools.set({size: 3}); studio.tools.choose('brush'); studio.keys.show(null); studio.toolbar.size.input.focus()")
    studio.press("left")
    check(studio.script("return [studio.tools.size, studio.keys.cursor]") == [2, None], "arrows move the slider, and no cursor")


def test(studio):
    stay_in_palette(studio)
    take_regions_along(studio)
    turn_magnets(studio)
    give_up_strokes(studio)
    keep_redo(studio)
    type_elsewhere(studio)
    tell(studio)
    show_floor(studio)
    read_numbers(studio)
    ask_meanwhile(studio)
    ask_for_affine(studio)
    leave_fields(studio)


if __name__ == "__main__":
    sys.exit(drive(test, kind=Page))
