#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""panels.py PAGE [FOLDER]: the palette and the world in the studio, with the engine. What is out of range is refused with the library's own sentence;
every preset and every kind of floor plays; an edit while it plays stops it at rest. FOLDER takes pictures."""
import json
import pathlib
import sys
import time

from studio import check, drive
from browser import emulate  # studio.py knows where it is

TYPE = """const field = arguments[0] === 'world' ? studio.environment[arguments[1]] : studio.palette.fields.get(arguments[1]);
const { input, error } = Array.isArray(field) ? field[2] : field;
input.value = arguments[2];
const answer = (Array.isArray(field) ? field[2] : field).take();
await answer;
return [error.textContent, input.getAttribute('aria-invalid')];"""


def enter(studio, panel, field, text):
    """Writes a number into a field. Returns what is said to it, and whether the field is marked."""
    return studio.wait_for(TYPE, panel, field, text)


def scene(studio):
    return json.loads(studio.script("return studio.body.text()"))


def preset(studio, name):
    studio.script("studio.takePreset(PRESETS.find((one) => one.name === arguments[0]))", name)


TAKEN = [("youngs_modulus_Pa", "750 kPa", 750e3), ("youngs_modulus_Pa", "2e5", 2e5), ("density_kg_per_m3", "1250", 1250),
         ("bond_damping", "0,4", 0.4), ("thermal_expansion_per_K", "-0.005", -0.005)]
REFUSED = [("youngs_modulus_Pa", "-5", "Young's modulus"), ("poissons_ratio", "0.7", "Poisson's ratio"), ("density_kg_per_m3", "0", "Density"),
           ("bond_damping", "-1", "Bond damping"), ("youngs_modulus_Pa", "soft", "no number"), ("youngs_modulus_Pa", "", "no number"),
           ("yield_stress_Pa", "1e99", "yield")]


def edit_materials(studio):
    """Numbers of a material are taken with units, or refused by the library."""
    preset(studio, "Worm")
    studio.script("studio.tools.set({material: 1})")
    for key, text, value in TAKEN:
        said = enter(studio, "material", key, text)
        now = scene(studio)["materials"][1][key]
        check(said == ["", "false"] and abs(now / value - 1) < 1e-12, f"{key} {text}: {now}")
    before = studio.script("return studio.body.text()")
    for field, text, says in REFUSED:
        said = enter(studio, "material", field, text)
        check(says in said[0] and said[1] == "true", f"{field} {text!r} is refused: {said[0]}")
    check(studio.script("return studio.body.text()") == before, "what is refused changes nothing")
    enter(studio, "material", "yield_stress_Pa", "20 kPa")
    check(scene(studio)["materials"][1]["model"] == 2, "a yield stress makes the material bilinear")
    enter(studio, "material", "yield_stress_Pa", "0")
    enter(studio, "material", "fail_stress_Pa", "50 kPa")
    check(scene(studio)["materials"][1]["model"] == 1, "a failure stress alone makes it break")
    studio.wait_for("await studio.palette.setMagnet(0, 1000)")
    check(scene(studio)["materials"][1]["magnetization_A_per_m"] == [1000, 0, 0] and scene(studio)["magnetics"]["enabled"],
        "magnetisation, which magnets act by")
    for number in range(5):
        studio.script("studio.palette.add.value = arguments[0]; studio.palette.addReady()", str(number))
    answer = studio.wait_for("try { await studio.check({}); return '' } catch (error) { return error.message }")
    check(answer == "" and len(scene(studio)["materials"]) == 7, f"the library takes all ready materials {answer}")
    studio.script("while (studio.body.undo()) {} ")


# whether the floor is below all voxels
BELOW = """const { floor } = studio.body.scene;
const isAbove = ({i, j, k}, x, y) => k + 1e-6 >= groundHeight(floor, studio.body.edge, i + x, j + y);
return [...studio.body.cells.values()].every((cell) => [0, 1].every((x) => [0, 1].every((y) => isAbove(cell, x, y))))"""


def edit_world(studio):
    """Gravity, floor, actuation: kinds of floors are taken by the library, and what is out of range is not."""
    preset(studio, "Hopper")
    check(enter(studio, "world", "gravity", "-3.7") == ["", "false"] and scene(studio)["gravity_m_per_s2"] == [0, 0, -3.7], "gravity of Mars")
    for field, text, says in (("edge", "0", "Voxel size"), ("period", "-1", "period"), ("edge", "far", "no number")):
        said = enter(studio, "world", field, text)
        check(says in said[0] and said[1] == "true", f"{field} {text}: {said[0]}")
    for kind in ("none", "slope", "steps", "level"):
        answer = studio.wait_for("try { await studio.environment.setFloor(arguments[0]); return '' } catch (error) { return error.message }", kind)
        shown = studio.script("return studio.environment.floorKind()")
        low = studio.script(BELOW)
        check(answer == "" and shown == kind and low, f"floor: {kind}, under the body {answer}")
        check(plays(studio), f"it plays on the floor {kind!r}: {studio.said()}")
    for field, key, text, value in (("period", "period_s", "0.2", 0.2), ("amplitude", "amplitude_K", "15 K", 15)):
        enter(studio, "world", field, text)
        check(scene(studio)["actuation"][key] == value, f"actuation: {key}")


def plays(studio):
    """Plays for a moment; back at rest."""
    studio.wait_for("await studio.toggle()")
    started = studio.script("return studio.state") == "play" and studio.wait("studio.play.frame && studio.play.frame.step > 0", 20)
    if studio.script("return studio.state") == "play":
        studio.wait_for("await studio.toggle()")
    return started and studio.script("return studio.state") == "draw"


def play_presets(studio):
    for name in studio.script("return PRESETS.map(({name}) => name)"):
        preset(studio, name)
        if studio.script("return studio.body.size"):
            check(plays(studio), f"{name} plays {studio.said()}")
        else:
            studio.wait_for("await studio.toggle()")
            check("nothing to play" in studio.said() and studio.script("return studio.state") == "draw", f"{name}: {studio.said()}")


def stop_by_edits(studio):
    """Editing while it plays stops it; space goes on."""
    preset(studio, "Quadruped")
    for how in ("studio.toolbar.buttons.get('erase').click()", "studio.body.undo()",
                "studio.tools.edit([[0, 0, 7, {i: 0, j: 0, k: 7, material: 1}]])"):
        studio.wait_for("await studio.toggle()")
        check(studio.script("return [studio.state, studio.pointer.enabled, studio.view.drawing.visible]") == ["play", False, False], "plays")
        studio.script(how)
        state = studio.script("return [studio.state, studio.play.started, studio.pointer.enabled, studio.view.drawing.visible]")
        check(state == ["draw", False, True, True], f"stopped at rest by {how[:40]}")
        preset(studio, "Quadruped")
    studio.script("document.activeElement.blur()")
    studio.key(" ")
    check(studio.wait("studio.state === 'play'", 20), "space plays")
    studio.key("p")
    check(studio.wait("!studio.play.playing"), "p pauses")
    step = studio.script("return studio.play.frame ? studio.play.frame.step : 0")
    studio.key(".")
    check(studio.wait(f"studio.play.frame && studio.play.frame.step > {step}", 10), ". makes a step")
    studio.key("0")
    check(studio.wait("studio.play.frame && studio.play.frame.step === 0", 10), "0 takes it back to rest")
    studio.key(" ")
    check(studio.wait("studio.state === 'draw'", 10), "space draws")


def look(studio, folder):
    """Pictures of both states, in windows of all kinds; nothing makes the page scroll."""
    for name, size, mobile in (("desk", (1280, 800), False), ("phone", (390, 844), True), ("phone-on-its-side", (844, 390), True),
                               ("small", (360, 640), True)):
        for dark in (False, True):
            emulate(studio, size, dark=dark, mobile=mobile)
            preset(studio, "Quadruped")
            studio.wait_for("await studio.toggle()")
            time.sleep(1)
            wide = studio.script("return [document.documentElement.scrollWidth, innerWidth, document.documentElement.scrollHeight, innerHeight]")
            check(wide[0] <= wide[1] and wide[2] <= wide[3], f"{name}{', dark' if dark else ''}: fits while it plays {wide}")
            if folder:
                studio.picture(pathlib.Path(folder) / f"play-{name}{'-dark' if dark else ''}.png")
            studio.wait_for("await studio.toggle()")


def test(studio, folder=None):
    edit_materials(studio)
    edit_world(studio)
    play_presets(studio)
    stop_by_edits(studio)
    look(studio, folder)


if __name__ == "__main__":
    sys.exit(drive(test))
