#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""engine.py PAGE PROGRAM: class Engine, in a Worker and in the page: a world plays, is pulled, tuned and driven; its session replays to the bit there and by
the program; what fails is told, and goes on."""
import json
import pathlib
import subprocess
import sys
import tempfile

from module_page import ASSETS, check, drive, packed

# an engine, the last frame, and frames until a condition holds, one a picture
BEGIN = """window.engine = await Engine.start();
engine.onFrame = (frame) => { window.last = frame; };
window.until = async (isDone) => {
  window.last = null;
  for (let tries = 0; tries < 3000 && !(last && isDone(last)); tries++) {
    engine.frame();
    await new Promise(requestAnimationFrame);
  }
  return !!last && isDone(last);
};
window.stepsTo = async (step) => {
  await until((frame) => {
    if (frame.step < step && !frame.failure) { engine.stepOnce(Math.min(256, step - frame.step)); }
    return frame.step >= step || frame.failure;
  });
  return last;
};
return engine.where;"""
PLAY = """engine.play(4);
const played = await until((frame) => frame.time > 0.4 && frame.pace > 0);
engine.pause();
await until((frame) => !frame.playing);
const { step, time, corners, center, lowest, kinetic, elastic, pace, failure, refused, values } = last;
await until(() => true);
return { played, step, time, center, lowest, kinetic, elastic, pace, failure, refused, values, corners: corners.length,
  stays: last.step === step, finite: corners.every(Number.isFinite) };"""
VALUES = """const found = {};
for (const values of ["strain", "stress", "contact", "energy", "phase", "none"]) {
  engine.look({ values });
  await until(() => true);
  found[values] = last.values && [last.values.length, last.values.every(Number.isFinite), Math.max(...last.values) > Math.min(...last.values)];
}
return found;"""
# pulls the highest voxel up by 80 mm, tunes and drives, lets go; heights of the centre
PULL = """await engine.rest();
engine.stepOnce(40);
await until((frame) => frame.step >= 40);
const highest = opened.voxelOf.reduce((best, voxel, quad) => (last.corners[12 * quad + 2] > last.corners[12 * best + 2] ? quad : best), 0);
const [voxel, at] = [opened.voxelOf[highest], last.corners.slice(12 * highest, 12 * highest + 3)];
const heights = [last.center[2]];
for (let part = 1; part <= 4; part++) {
  engine.pull(3, voxel, [at[0], at[1], at[2] + 0.02 * part]);
  await stepsTo(40 + 1000 * part);
  heights.push(last.center[2]);
}
engine.letGo(3);
engine.tune({ gravity: [0, 1, -12], friction: 0.5 });
engine.tune({ frequency: 1.5, amplitude: 0.7, drag: 0.1 });
engine.target(1, 1.05);
await stepsTo(8050);
heights.push(last.center[2]);
return { heights, refused: last.refused, failure: last.failure, session: await engine.session() };"""
REPLAY = """window.replayed = engine.replay(arguments[0]);
engine.pull(0, 3, [1, 1, 1]); // changes nothing: it is a replay
const same = await replayed;
const changed = JSON.parse(JSON.stringify(arguments[0]));
changed.inputs[0][4] += 1e-9;
const other = await engine.replay(changed);
const told = [];
for (const change of [{ format: "no" }, { version: 2 }, { scene: undefined }, { scene: {} }, { steps: -1 }, { steps: "many" }, { inputs: 3 }, { inputs: [[0, "jump", 1]] },
  { inputs: [[NaN, "let_go", 0]] }, { inputs: [[0, "pull", 0, 0, 0, 0]] }, { inputs: [null] }, { step_scale: 0 }]) {
  told.push(await engine.replay({ ...arguments[0], ...change }).then(String, (error) => error.constructor.name + ": " + error.message));
}
const odd = await engine.replay({ ...arguments[0], steps: 48, inputs: [[5, "target", 1, 1.01], [7, "tune", { drag: 1e9 }], [7, "pull", 12, 0, 0, 0, 0], [900, "let_go", 0]] });
window.replayed = engine.replay({ ...arguments[0], steps: 1e9 }).catch((error) => error.message);
engine.play(1);
return [same.equal, same.hash === arguments[0].hash, other.equal, told, odd.equal, await replayed];"""
# tears a body apart, begins again with half the step
TEAR = """window.opened = await engine.open(arguments[0]);
engine.play(4);
await until((frame) => frame.failure);
const { failure, playing } = last;
engine.play(1);
await until(() => true);
const stays = last.failure && last.step;
await engine.rest();
engine.stepOnce(16);
await until((frame) => frame.step > 0);
const again = last.failure;
const half = await engine.open(arguments[0], { stepScale: 0.5 });
return { failure, playing, stays: !!stays, again, ratio: half.step / opened.step };"""
REFUSE = """const told = [];
const fails = async (promise) => promise.then(() => told.push("nothing"), (error) => told.push(error.constructor.name + ": " + error.message));
await fails(engine.read("a.vxa", unpack("aGVsbG8=")));
await fails(engine.open("{"));
await fails(engine.session());
await fails(engine.rest());
window.last = null;
engine.pull(0, 0, [0, 0, 0]);
engine.play(1);
engine.frame();
await fails(engine.write('{"materials": [{}], "voxels": [[0, 0, 0, 0]]}', "a.png"));
const silent = last === null;
window.opened = await engine.open((await engine.read("crawler.json", unpack(arguments[0]))).scene);
engine.pull(0, 0, [0, 0, 0]);
engine.stepOnce(16);
let refused = null;
await until((frame) => { refused = refused || frame.refused; return refused; });
const { bytes, notes } = await engine.write('{"materials": [{}], "voxels": [[0, 0, 0, 0]], "force_field": {"x": "1"}}', "a.vxa");
return { told, silent, refused, bytes: new TextDecoder().decode(bytes.slice(0, 40)), notes };"""
# a design for a simulator whose law needs double precision
FOREIGN = """const opened = await engine.open(JSON.stringify({ version: 1, conventions: "evosoro", materials: [{}], voxels: [[0, 0, 1, 0], [0, 0, 2, 0]] }));
engine.stepOnce(160);
await stepsTo(160);
return { native: opened.native, warnings: opened.warnings, session: await engine.session() };"""
TORN = {"version": 1, "materials": [{"youngs_modulus_Pa": 1e5}], "force_field": {"x": "2000*t*x"}, "voxels": [[-2, 0, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 0]]}


def check_play(page):
    opened = page.run("const { scene, notes } = await engine.read('quadruped.vxa', unpack(arguments[0])); const robot = JSON.parse(scene);"
                      "robot.layers.Group = robot.voxels.map((voxel, i) => i % 2);"
                      "window.opened = await engine.open(JSON.stringify(robot)); const { voxelOf, corners, ...facts } = opened;"
                      "return { ...facts, notes, quadsOf: voxelOf.length, numbers: corners.length, most: Math.max(...voxelOf) };",
                      packed(ASSETS / "quadruped.vxa"))
    check((opened["voxels"], opened["bonds"], opened["bodies"], opened["groups"]) == (226, 515, 1, 2), f"the quadruped is opened: {opened}")
    check(opened["quadsOf"] == opened["quads"] and opened["numbers"] == 12 * opened["quads"] and opened["most"] == 225, "with its surface")
    check(abs(opened["mass"] - 0.226) < 1e-9 and opened["size"] == 0.01 and 1e-5 < opened["step"] < 1e-3, "and facts in SI units")
    played = page.run(PLAY)
    check(played["played"] and played["stays"] and played["finite"] and played["corners"] == opened["numbers"], f"it plays and pauses: {played}")
    check(abs(played["time"] - played["step"] * opened["step"]) < 1e-9 and played["failure"] is None and played["values"] is None, "step by step")
    check(-0.01 < played["lowest"] < 0.03 and played["kinetic"] > 0 and played["elastic"] > 0, "on the floor")
    values = page.run(VALUES)
    check(values.pop("none") is None and all(found[:2] == [226, True] for found in values.values()) and values["strain"][2] and values["phase"][2],
          f"colours have values: {values}")


def check_session(page, program):
    pulled = page.run(PULL)
    heights, session = pulled["heights"], pulled["session"]
    check(heights[4] > heights[0] + 0.03, f"a hand lifts it: {heights}")
    check(heights[5] < heights[4] - 0.01 and pulled["failure"] is None and pulled["refused"] is None, "and it falls when let go")
    inputs = session["inputs"]
    check(all(step % 16 == 0 for step, *_ in inputs) and [name for _, name, *_ in inputs] == 4 * ["pull"] + ["let_go", "tune", "target"],
          f"inputs act at multiples of 16 steps: {inputs}")
    check(inputs[5][2] == {"gravity": [0, 1, -12], "amplitude": 0.7, "frequency": 1.5, "friction": 0.5, "drag": 0.1}, "two tunings at once are one")
    check(session["format"] == "voxelastic session" and session["steps"] >= 8050 and len(session["hash"]) == 16, "a session says what was done")
    same, hash_, other, told, odd, stopped = page.run(REPLAY, session)
    check(same and hash_ and not other, "it replays to the bit, and another place of the hand has other bits")
    check(all(text.startswith("EngineError: ") and len(text) > 25 for text in told), f"what is no session is refused: {told}")
    check(odd is False and "interrupted" in stopped, "inputs at any step, and those that are refused, end; a replay can be interrupted")
    replay(program, session)


def replay(program, session):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "session.json")
        path.write_text(json.dumps(session))
        ran = subprocess.run([program, "run", "--session", str(path), "--no-step-error"], capture_output=True, text=True, check=False)
    check(ran.returncode == 0 and "same bits" in ran.stdout, f"the program replays it to the bit: {ran.stdout.strip().splitlines()[-1:]} {ran.stderr}")


def check_foreign(page, program):
    foreign = page.run(FOREIGN)
    check(foreign["native"] and any("evosoro" in text and "double precision" in text for text in foreign["warnings"]), f"a foreign law is replaced: {foreign}")
    check(foreign["session"]["scene"]["conventions"] == "native", "as its session says")
    replay(program, foreign["session"])


def check_trouble(page):
    torn = page.run(TEAR, json.dumps(TORN))
    check(torn["failure"] and not torn["playing"] and torn["stays"] and "bond" in torn["failure"]["message"], f"what breaks its bounds stops: {torn}")
    check(1 <= len(torn["failure"]["voxels"]) <= 2 and torn["again"] is None and torn["ratio"] == 0.5, "names its voxels, begins again, takes half the step")
    trouble = page.run(REFUSE, packed(ASSETS / "affine_crawler.json"))
    check(len(trouble["told"]) == 5 and all(text.startswith("EngineError: ") and len(text) > 25 for text in trouble["told"]), f"errors are sentences: {trouble}")
    check(trouble["silent"] and trouble["refused"], "nothing happens without a world; a refused hand is told by a frame")
    check(trouble["bytes"].startswith("<?xml") and len(trouble["notes"]) == 1, "a design is written, with what its format lost")


def test(page, program):
    for where in ("worker", "page"):
        if where == "page":
            page.script("window.Worker = undefined")
        print(f"in the {where}:")
        check(page.run(BEGIN) == where, f"the engine starts in the {where}")
        check_play(page)
        check_session(page, program)
        check_foreign(page, program)
        check_trouble(page)
    old = page.run("WebAssembly.validate = () => false; return Engine.start().catch((error) => error.message)")
    check("SIMD" in old and "Firefox 113" in old, f"an old browser is told what is needed: {old}")


if __name__ == "__main__":
    sys.exit(drive(test, compares=True))
