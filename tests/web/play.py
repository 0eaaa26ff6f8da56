#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""play.py PAGE FOLDER: a body plays in the studio: time, pace, colours, sliders, groups, what happens when it breaks, and a replay that is saved."""
import json
import pathlib
import sys
import tempfile

from studio import ASSETS, Studio, check, drive

GROUPS = {"version": 1, "name": "two groups", "materials": [{"name": "soft", "youngs_modulus_Pa": 1e6}],
          "voxels": [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 1, 0]], "layers": {"Group": [0, 0, 1, 1]}, "fitness": "peak/0.01"}
TORN = {"version": 1, "name": "torn apart", "materials": [{"name": "soft", "youngs_modulus_Pa": 1e5}], "force_field": {"x": "2000*t*x"},
        "voxels": [[-2, 0, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [-1, 0, 1, 0]]}
HEAVY = {"version": 1, "name": "heavy", "materials": [{"name": "stiff", "youngs_modulus_Pa": 1e9}],
         "voxels": [[i, j, k, 0] for i in range(20) for j in range(20) for k in range(20)]}
COLORS = "return studio.play.live.surface.colors.array.reduce((sum, part, at) => sum + part * (1 + at % 97), 0)"


def scene(folder, content):
    path = pathlib.Path(folder) / (content["name"].replace(" ", "-") + ".json")
    path.write_text(json.dumps(content))
    return path


def restart(studio, path):
    """Another body, played from rest."""
    if studio.script("return studio.play.started"):
        studio.key(" ")
        check(studio.wait("!studio.play.started", 10), "space goes back to drawing")
    check(studio.take(path), f"{path.name} is read: {studio.said()}")
    check(studio.play(), f"{path.name} plays: {studio.said()}")


def time_passes(studio):
    at = "return [studio.play.frame?.time, studio.play.frame?.step]"
    first = studio.script(at)
    check(studio.wait(f"studio.play.frame?.time > {first[0]} + 0.3", 30), "time goes on")
    studio.wait("studio.play.frame?.pace > 0", 20)
    check(studio.script("return studio.play.frame?.pace") > 0, "the pace is told")
    check(studio.wait("studio.play.status.textContent.includes('real time')", 10), "and stands in the status line")
    studio.key(".")
    check(studio.wait("!studio.play.playing", 10), "one step pauses")
    studio.frames()
    before = studio.script(at)
    studio.key(".")
    studio.wait(f"studio.play.frame?.step > {before[1]}", 10)
    after = studio.script(at)
    check(after[1] == before[1] + 1 and after[0] > before[0], f"and is one step: {before} {after}")
    studio.frames()
    check(studio.script(at) == after, "a pause is one")
    studio.key("0")
    check(studio.wait("studio.play.frame?.step === 0", 10), "0 goes back to rest")
    studio.script("studio.play.toggle()")
    check(studio.wait("studio.play.frame?.step > 100", 30), "and it plays again")


def colors_differ(studio):
    seen = {}
    for mode in ("material", "strain", "stress", "contact", "energy", "phase"):
        studio.script("const list = studio.play.controls.color; list.value = arguments[0]; list.dispatchEvent(new Event('change'))", mode)
        studio.frames(4)
        seen[mode] = studio.script(COLORS)
        unit = {"strain": "0.", "stress": "Pa", "contact": "N", "energy": "J", "phase": "cycles", "material": "muscle"}[mode]
        told = studio.wait(f"document.querySelector('.play-legend').textContent.includes('{unit}')", 10)
        bar = studio.script("return Boolean(document.querySelector('.play-legend .play-bar'))")
        words = studio.script("return document.querySelector('.play-legend').textContent")
        check(told and bar == (mode != "material"), f"{mode}: the legend tells {words!r}")
    check(len(set(seen.values())) == len(seen), f"each mode has colours of its own: {seen}")
    studio.script("const list = studio.play.controls.color; list.value = 'material'; list.dispatchEvent(new Event('change'))")
    studio.frames(4)


def view_follows(studio):
    far = "Math.hypot(studio.play.frame?.center[0], studio.play.frame?.center[1]) > 0.06"
    check(studio.wait(far + " && studio.play.live.trace.count > 3", 60), "it walks, and leaves a trace")
    far = studio.script("const c = studio.play.view.live.localToWorld(new THREE.Vector3(...studio.play.frame?.center));"
                        "const t = studio.view.controls.target; return Math.hypot(c.x - t.x, c.y - t.y) / studio.play.view.live.scale.x")
    check(far < 0.06, f"the view follows it: {far:.3f} m from its middle")
    words = studio.script("studio.play.plots.describe(); return studio.play.plots.canvas.getAttribute('aria-label')")
    check("way " in words and " mm" in words and "energy" in words, f"plots in words: {words}")
    drawn = studio.script("const c = studio.play.plots.canvas; const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                          "let n = 0; for (let i = 0; i < d.length; i += 4) { n += d[i + 3] > 0 && Math.abs(d[i] - d[i + 2]) > 60 }; return n")
    check(drawn > 50, f"and in lines: {drawn} pixels")


def slide(studio, name, value):
    studio.script("const s = studio.play.controls.sliders[arguments[0]]; s.input.value = String(s.place(arguments[1]));"
                  "s.input.dispatchEvent(new Event('input'))", name, value)


def sliders_act(studio):
    slide(studio, "gravity", -1)
    low = studio.script("return studio.play.frame?.center[2]")
    check(studio.wait(f"studio.play.frame?.center[2] > {low} + 0.1", 30), "gravity upwards lifts it")
    slide(studio, "drag", 15)
    time = studio.script("return studio.play.frame.time")
    check(studio.wait(f"studio.play.frame?.time > {time} + 0.6", 30) and studio.script("return studio.play.frame.kinetic") < 0.15,
          "drag holds it back: 0.65 m/s are 0.05 J")
    studio.script("studio.play.controls.reset()")
    check(studio.wait(f"studio.play.frame?.center[2] < {low} + 0.02", 60), "as designed, it falls again")
    studio.script("studio.play.controls.ball.canvas.focus()")
    before = studio.script("return studio.play.controls.ball.direction.toArray()")
    studio.key("\ue014", "\ue014", "\ue014")  # arrow right
    after = studio.script("return studio.play.controls.ball.direction.toArray()")
    check(before == [0, 0, -1] and sum((a - b) ** 2 for a, b in zip(before, after)) > 0.01, f"keys turn the ball: {after}")
    studio.script("studio.play.controls.reset(); studio.view.canvas.focus()")
    for name, value in (("friction", 2), ("frequency", 0.5), ("amplitude", 0.5)):
        slide(studio, name, value)
        step = studio.script("return studio.play.frame?.step")
        check(studio.wait(f"studio.play.frame?.step > {step} + 100 && !studio.play.failure", 30), f"it plays on with another {name}")
    studio.script("studio.play.controls.reset()")


def groups_act(studio, folder):
    restart(studio, scene(folder, GROUPS))
    high = "(() => { const [low, up] = studio.play.live.box(); return up[2] - low[2]; })()"
    check(studio.script("return studio.play.controls.targets.length") == 2, "a slider for each group")
    peer = dict(GROUPS, name="of another law", conventions="voxcraft")
    restart(studio, scene(folder, peer))
    check("own law" in studio.said(), f"a design for another law is told to play by ours: {studio.said()}")
    restart(studio, scene(folder, GROUPS))
    words = "studio.play.plots.describe(); return studio.play.plots.canvas.getAttribute('aria-label')"
    check("fitness" in studio.script(words), f"a design with a fitness has a plot of it: {studio.script(words)}")
    studio.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [{"type": "keyDown", "value": "q"}]}]})
    check(studio.wait(high + " > 0.022", 20), "q held makes the first group larger")
    studio.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [{"type": "keyUp", "value": "q"}]}]})
    check(studio.wait(high + " < 0.0205", 20), "let go, it has its size")
    studio.script("const t = studio.play.controls.targets[1]; t.input.value = '0.7'; t.input.dispatchEvent(new Event('input'))")
    check(studio.wait(high + " < 0.0185", 20), "a slider makes the second one smaller")


def breaks(studio, folder):
    restart(studio, scene(folder, TORN))
    check(studio.wait("studio.play.failure", 60), "what is torn apart stops")
    studio.wait("!studio.play.playing", 5)
    said = studio.said()
    check("painted" in said and "(" in said, f"and says where: {said}")
    painted = studio.script("const { info, failed, surface } = studio.play.live; const c = surface.colors.array; const f = Float32Array.from(FAILED);"
                            "return [...info.voxelOf].every((v, i) => failed.has(v) === (c[12 * i] === f[0] && c[12 * i + 1] === f[1]))")
    check(painted and studio.script("return studio.play.live.failed.size") == 2, "two voxels are painted, and no others")
    step = studio.script("return studio.play.info.step")
    studio.script("[...document.querySelectorAll('.play-trouble button')].find((b) => b.textContent === 'half the step').click()")
    check(studio.wait(f"studio.play.info.step < 0.51 * {step} && studio.play.frame", 20), "half the step is half of it")


def is_never_frozen(studio, folder):
    restart(studio, scene(folder, HEAVY))
    studio.script("studio.play.controls.speed.set(4); studio.play.setSpeed(4)")
    check(studio.wait("studio.play.frame?.pace > 0 && studio.play.frame?.pace < 3", 60), "8000 stiff voxels are slower than what was asked for")
    check(studio.frames(20), "and there are pictures all the same")
    words = "return studio.play.status.textContent"
    check(studio.wait("/[0-9] of real time/.test(studio.play.status.textContent)", 20), "the status line says so: " + studio.script(words))
    studio.script("studio.play.controls.speed.set(1); studio.play.setSpeed(1)")


def replay_is_saved(studio, folder):
    restart(studio, ASSETS / "quadruped.vxa")
    studio.script("document.querySelector('.play-record').click()")
    check(studio.wait("studio.play.recorder.frames.length > 20", 60), "it is recorded")
    studio.script("document.querySelector('.play-record').click()")
    page = pathlib.Path(folder) / "replay.html"
    page.write_text(studio.wait_for("return studio.play.recorder.page()"))
    last = studio.script("const f = studio.play.recorder.frames; return [f.length, Array.from(f[f.length - 1].corners.slice(0, 300))]")
    drawing = studio.page
    studio.open(page.as_uri())
    check(studio.wait("window.replay && replay.recording", 30), f"the saved page opens: {page.stat().st_size} bytes")
    check(studio.wait("replay.time > replay.begin", 20), "and plays")
    studio.script("replay.play(false); replay.seek(replay.end)")
    studio.wait("!replay.dirty", 10)
    shown = studio.script("return Array.from(replay.surface.positions.array.slice(0, 300))")
    off = max(abs(a - b) for a, b in zip(shown, last[1]))
    check(off < 2e-5, f"the body is where it was, within {off:.1e} m")
    check(studio.script("return replay.recording.times.length") == last[0], "frame by frame")
    studio.open(drawing)


def test(studio: Studio, folder=None):
    with tempfile.TemporaryDirectory() as own:
        folder = folder or own
        restart(studio, ASSETS / "quadruped.vxa")
        time_passes(studio)
        colors_differ(studio)
        view_follows(studio)
        sliders_act(studio)
        groups_act(studio, folder)
        breaks(studio, folder)
        is_never_frozen(studio, folder)
        replay_is_saved(studio, folder)


if __name__ == "__main__":
    sys.exit(drive(test))
