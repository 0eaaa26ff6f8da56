#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""session.py PAGE [FILE PROGRAM]: a session that is made in the browser replays with the same bits in the page, and by the program; it is left in FILE."""
import base64
import json
import pathlib
import subprocess
import sys

from studio import ASSETS, check, drive


def make(studio):
    """Plays, pulls, tunes and lets go; the session as text."""
    check(studio.take(ASSETS / "quadruped.vxa") and studio.play(), f"the quadruped plays: {studio.said()}")
    studio.wait("studio.play.frame?.time > 0.2", 30)
    studio.script("const { live, hands, view } = studio.play; const ray = hands.rayAt({x: 0, y: 0});"
                  "hands.take('test', live.hit(ray) || live.nearest(ray));")
    for _ in range(4):
        studio.script("const hand = studio.play.hands.hands[0]; hand.at.z += 0.01; hand.moved = true")
        studio.frames(2)
    studio.script("const s = studio.play.controls.sliders; s.gravity.set(0.63); s.frequency.set(1.7); studio.play.tuned = true")
    studio.frames(10)
    studio.script("studio.play.hands.letGo('test')")
    studio.frames(10)
    studio.script("studio.play.toggle()")
    return studio.wait_for("return studio.files.sessions.text()")


# Forty sessions with a character changed, left out or put in: how many were played, refused with a sentence, or did neither.
MUTATE = """const counts = { played: 0, refused: 0, silent: [] };
let seed = 4711;
const random = (below) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return Math.floor((seed / 2 ** 32) * below); };
for (let number = 0; number < 40; number++) {
  const at = random(arguments[0].length);
  const put = "0123456789.-[]{},\\"ae"[random(20)];
  const text = arguments[0].slice(0, at) + (number % 3 ? put : "") + arguments[0].slice(at + (number % 3 === 1 ? 0 : 1));
  studio.say("");
  const length = Number(/"steps": ?([0-9]+)/.exec(text)?.[1] ?? 0);
  if (length > 20000) { counts.refused++; continue; } // plays for long, and rightly so
  await studio.files.open({ name: "session.json", bytes: new TextEncoder().encode(text) });
  const said = document.getElementById("message").textContent;
  if (/^Replayed/.test(said)) { counts.played++; } else if (said.length > 10) { counts.refused++; } else { counts.silent.push([at, put, said]); }
}
return counts;"""


def open_text(studio, name, text):
    return studio.take_bytes(name, base64.b64encode(text.encode()).decode())


def replayed(program, file, session):
    """By the program, whose bits on x86-64 are those of a browser; one that says another hash is told to be different."""
    pathlib.Path(file).write_text(json.dumps(session))
    ran = subprocess.run([program, "run", "--session", str(file), "--quiet"], capture_output=True, text=True, check=False)
    if "not those of a browser" in ran.stderr:
        print("     not compared: this program was built without the instruction set x86-64")
        return
    check(ran.returncode == 0, f"the program comes to the same state: {ran.stdout}{ran.stderr}")
    other = pathlib.Path(file).with_suffix(".other.json")
    other.write_text(json.dumps(dict(session, hash="%016x" % (int(session["hash"], 16) ^ 1))))
    ran = subprocess.run([program, "run", "--session", str(other), "--quiet"], capture_output=True, text=True, check=False)
    check(ran.returncode == 3 and session["hash"] in ran.stdout + ran.stderr, f"and tells a difference: {ran.stderr}")


def with_targets(studio):
    """A session of half the step, with a target."""
    groups = {"version": 1, "name": "two groups", "materials": [{"name": "soft"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 1, 0]],
              "layers": {"Group": [0, 0, 1, 1]}}
    check(open_text(studio, "groups.json", json.dumps(groups)), "a design with groups opens")
    studio.wait_for("await studio.begins(); await studio.play.halfStep()")
    studio.frames(4)
    studio.script("studio.play.target(1, 1.4)")
    studio.frames(10)
    session = json.loads(studio.wait_for("studio.play.toggle(); return studio.files.sessions.text()"))
    check(session["step_scale"] == 0.5 and [entry[1:] for entry in session["inputs"]] == [["target", 1, 1.4]], f"half the step is in it: {session['inputs']}")
    check(open_text(studio, "groups.session.json", json.dumps(session)) and "equal to the last bit" in studio.said(), f"it is equal: {studio.said()}")
    return session


def test(studio, file=None, program=None):
    text = make(studio)
    session = json.loads(text)
    kinds = {entry[1] for entry in session["inputs"]}
    check(session["format"] == "voxelastic session" and session["steps"] > 0, f"a session of {session['steps']} steps")
    check({"pull", "let_go", "tune"} <= kinds, f"what was done is in it: {sorted(kinds)}")
    check(all(entry[0] % 16 == 0 for entry in session["inputs"]), "inputs act at multiples of 16 steps")
    if program:
        replayed(program, file, session)
        replayed(program, pathlib.Path(file).with_suffix(".groups.json"), with_targets(studio))
    studio.load()
    check(open_text(studio, "walk.session.json", text), f"it opens: {studio.said()}")
    said = studio.said()
    check("equal to the last bit" in said and session["hash"] in said, f"and is equal: {said}")
    other = dict(session, hash="%016x" % (int(session["hash"], 16) ^ 1))
    check(open_text(studio, "other.session.json", json.dumps(other)), "one with another hash opens")
    check("not equal" in studio.said(), f"and is not equal: {studio.said()}")
    studio.script("studio.say('')")
    long = json.dumps(dict(session, steps=10**9))
    studio.script("studio.files.open({name: 'long.session.json', bytes: new TextEncoder().encode(arguments[0])}).then(() => (window.isOver = true))", long)
    check(studio.wait("studio.play.watching", 20), "a long session replays")
    studio.script("studio.stop()")
    check(studio.wait("window.isOver", 20) and "interrupted" not in studio.said(), f"and is left without a complaint: {studio.said()}")
    body = studio.script("return studio.text()")
    for damaged, why in (({"version": 2}, "version 2"), ({"inputs": 3}, "inputs"), ({"steps": -1}, "steps"), ({"scene": []}, "scene"),
                         ({"hash": "12"}, "hash"), ({"inputs": [[32, "let_go", 0], [16, "let_go", 0]]}, "input 2"),
                         ({"inputs": [[0, "pull", 99, 5, 0, 0, 0]]}, "input 1"), ({"inputs": [[0, "pull", 0, 226, 0, 0, 0]]}, "input 1"),
                         ({"inputs": [[0, "jump"]]}, "input 1"), ({"inputs": [[8, "let_go", 0]]}, "multiples of 16")):
        open_text(studio, "damaged.session.json", json.dumps(dict(session, **damaged)))
        said = studio.said()
        check(said.strip() and why in said and "equal to the last bit" not in said, f"{damaged} is refused: {said}")
        check(studio.script("return studio.text()") == body, "and the drawing is kept")
    for scene in ({"actuation": {"period_s": "x"}}, {"floor": {"slope": [0, 1e9]}}):
        open_text(studio, "damaged.session.json", json.dumps(dict(session, scene=dict(session["scene"], **scene))))
        check(studio.script("return studio.text()") == body, f"a scene with {scene} takes no drawing's place: {studio.said()}")
    counts = studio.wait_for(MUTATE, text)
    check(counts["silent"] == [] and counts["played"] + counts["refused"] == 40, f"damaged at one place each: {counts}")


if __name__ == "__main__":
    sys.exit(drive(test))
