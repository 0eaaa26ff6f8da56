#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pull.py PAGE: hands in the studio. The middle of the quadruped is pulled up by 60 mm with a real pointer; several fingers; a hand by keys."""
import sys

from studio import ASSETS, check, drive
from browser import emulate  # which studio finds

# where the middle of the back is in the window, and a place 60 mm above it; how high the centre is, and which voxel that is
MIDDLE = """const { live, view } = studio.play;
const [low, high] = live.box();
const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
let best = null;
for (let quad = 0; quad < live.info.quads; quad++) {
  const { middle: at, normal } = live.quad(quad);
  const off = Math.hypot(at.x - middle[0], at.y - middle[1]) + (normal.z > 0.9 ? 0 : 1);
  best = best && best.off < off ? best : { at, off, voxel: live.info.voxelOf[quad] };
}
const box = view.renderer.domElement.getBoundingClientRect();
const shown = (place) => { const p = view.live.localToWorld(place.clone()).project(view.camera);
  return [box.left + (1 + p.x) * box.width / 2, box.top + (1 - p.y) * box.height / 2]; };
const from = shown(best.at);
const up = new THREE.Vector3().setFromMatrixColumn(view.camera.matrixWorld, 1).multiplyScalar(0.06);
const to = shown(best.at.clone().add(up));
return [Math.round(from[0]), Math.round(from[1]), Math.round(to[0]), Math.round(to[1]), studio.play.frame.center[2], best.voxel]"""


def act(studio, *actions):
    studio.call("POST", "/actions", {"actions": [
        {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}]})


def pulled_up(studio):
    """By the mouse: the centre rises with it, and falls when it is let go."""
    studio.script("studio.view.orbit(0, -0.2)")  # from a low place: up in the picture is nearly up
    studio.script("studio.play.toggle()")  # it stands still until it is held
    studio.frames(4)
    x, y, to_x, to_y, height, voxel = studio.script(MIDDLE)
    act(studio, {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0})
    held = studio.script("return studio.play.hands.hands[0]?.voxel")
    check(held == voxel, f"voxel {voxel} is held: {held}")
    studio.script("studio.play.toggle()")
    for to in ((x + to_x) // 2, (y + to_y) // 2), (to_x, to_y):
        act(studio, {"type": "pointerMove", "duration": 400, "x": to[0], "y": to[1]})
    check(studio.script("return studio.play.hands.any && !studio.view.controls.enabled"),
          f"a voxel is held, and the view does not turn: from {(x, y)} to {(to_x, to_y)}")
    risen = studio.wait(f"studio.play.frame?.center[2] > {height} + 0.04", 30)
    check(risen, "the centre has risen by 40 mm or more: %.1f" % (1000 * (studio.script("return studio.play.frame?.center[2]") - height)) +
          ", the hand by %.1f" % (1000 * studio.script("const { at, held } = studio.play.hands.hands[0]; return at.z - held.z")))
    check(studio.script("return studio.play.hands.hands[0].line.parent === studio.view.live"), "with a line from the voxel to the pointer")
    check(not studio.script("return Boolean(studio.play.failure)"), "nothing has broken")
    act(studio, {"type": "pointerUp", "button": 0})
    check(studio.wait(f"!studio.play.hands.any && studio.play.frame?.center[2] < {height} + 0.01", 30), "let go, it falls back")
    check(studio.script("return studio.view.controls.enabled"), "and the view turns again")


def pulled_by_fingers(studio):
    """Two pointers of a touch screen, each with a hand of its own; an eleventh gets none."""
    made = """const canvas = studio.view.renderer.domElement;
const box = canvas.getBoundingClientRect();
window.touch = (name, id, x, y) => canvas.dispatchEvent(new PointerEvent(name, { pointerId: id, pointerType: "touch", clientX: x, clientY: y,
  button: 0, buttons: name === "pointerup" ? 0 : 1, bubbles: true, cancelable: true }));"""
    studio.script(made)
    hands = "const [x, y] = (() => {" + MIDDLE + "})(); for (let finger = 0; finger < 11; finger++) { touch('pointerdown', 50 + finger, x, y); }"
    check(studio.script(hands + "return studio.play.hands.holders.size") == 10, "ten fingers have ten hands, the eleventh none")
    x, y = studio.script(MIDDLE)[:2]
    for finger in range(11):
        studio.script("touch('pointerup', arguments[0], arguments[1], arguments[2])", 50 + finger, x, y)
    check(studio.script("return studio.play.hands.holders.size") == 0, "all let go")
    studio.script("touch('pointerdown', 70, 5, arguments[0])", y)
    check(studio.script("return studio.play.hands.holders.size") == 0, "beside the body there is nothing to hold")
    studio.script("studio.turns.click()")
    check(studio.script(hands + "return studio.play.hands.holders.size") == 0, "with the switch, pointers turn the view instead")
    studio.script("studio.turns.click()")
    studio.script("touch('pointerup', 70, 5, arguments[0])", y)


def pulled_on_a_phone(studio):
    """Two fingers of a touch screen, as the browser tells of them; then one beside the body, which turns the view."""
    emulate(studio, (390, 844), mobile=True)
    studio.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setTouchEmulationEnabled", "params": {"enabled": True, "maxTouchPoints": 5}})
    studio.load()
    check(studio.take(ASSETS / "quadruped.vxa"), "the quadruped is read on a phone")
    studio.wait_for("await studio.toggle()")
    studio.wait("studio.play.frame", 30)
    studio.script("studio.play.toggle()")
    studio.frames(2)
    x, y, _, to_y, height, _ = studio.script(MIDDLE)
    studio.script("window.most = [0, 0]; setInterval(() => { most[0] = Math.max(most[0], studio.play.hands.holders.size);"
                  "most[1] = Math.max(most[1], studio.play.frame.center[2]); }, 20); setTimeout(() => studio.play.toggle(), 500)")

    def finger(number, x, y, to_x, to_y, wait):
        return {"type": "pointer", "id": f"finger {number}", "parameters": {"pointerType": "touch"}, "actions": [
            {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerMove", "duration": 300, "x": to_x, "y": to_y},
            {"type": "pause", "duration": wait}, {"type": "pointerUp", "button": 0}]}

    studio.call("POST", "/actions", {"actions": [finger(1, x, y, x, to_y, 1500), finger(2, x + 30, y + 40, x + 30, to_y + 40, 1500)]})
    most = studio.script("return most")
    check(most[0] == 2 and most[1] > height + 0.03, f"two fingers lift it together: {most}")
    check(studio.wait("!studio.play.hands.any", 10), "and let go")
    seen = "return studio.view.camera.quaternion.toArray()"
    before = studio.script(seen)
    studio.call("POST", "/actions", {"actions": [finger(1, 30, 120, 110, 150, 0)]})
    check(sum((a - b) ** 2 for a, b in zip(before, studio.script(seen))) > 0.01, "a finger beside the body turns the view")


def pulled_by_keys(studio):
    studio.script("studio.play.toggle()")
    studio.key("0", "h")  # at rest, seen as at first
    check(studio.wait("studio.play.frame?.step === 0", 10), "it is at rest")
    studio.frames()
    studio.script("studio.view.renderer.domElement.focus()")
    height = studio.script("return studio.play.frame?.center[2]")
    studio.key("\ue007")  # enter
    check(studio.script("return studio.play.hands.any"), "enter holds what is in the middle of the picture")
    studio.key(*["\ue013"] * 6)  # arrow up
    far = studio.script("const { at, held } = studio.play.hands.hands[0]; return at.distanceTo(held)")
    check(abs(far - 0.06) < 1e-6, f"six arrows pull by six edges: {far}")
    studio.script("studio.play.toggle()")
    check(studio.wait(f"studio.play.frame?.center[2] > {height} + 0.008", 30), "and it rises by its side")
    studio.key("\ue00c")  # escape
    check(studio.wait("!studio.play.hands.any", 5), "escape lets go")


def test(studio):
    check(studio.take(ASSETS / "quadruped.vxa"), "the quadruped is read")
    check(studio.play(), f"and plays: {studio.said()}")
    studio.wait("studio.play.frame?.time > 0.5", 30)
    pulled_up(studio)
    pulled_by_fingers(studio)
    pulled_by_keys(studio)
    pulled_on_a_phone(studio)


if __name__ == "__main__":
    sys.exit(drive(test))
