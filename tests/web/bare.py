#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bare.py PAGE: browsers that lack something. Without workers the page plays all the same; what can not be done is told in a sentence."""
import base64
import sys

from studio import ASSETS, check, drive

NO_WORKER = "delete window.Worker;"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } });"
NO_COMPRESSION = "delete window.CompressionStream;"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { get() { return undefined; } });"
NO_MODULE = "delete window.WebAssembly;"
NO_WEBGL = """const own = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return /webgl/.test(kind) ? null : own.call(this, kind, ...more); };"""


def begin(studio, *lacking):
    """Opens the page in a browser without these."""
    made = [studio.call("POST", "/goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": source}}) for source in lacking]
    studio.open("about:blank")
    studio.open(studio.page)
    is_there = studio.wait("window.studio && studio.ready || document.getElementById('refusal') && !document.getElementById('refusal').hidden", 30)
    for entry in made:
        studio.call("POST", "/goog/cdp/execute", {"cmd": "Page.removeScriptToEvaluateOnNewDocument", "params": {"identifier": entry["identifier"]}})
    return is_there


def test(studio):
    check(begin(studio, NO_WORKER, NO_STORAGE) and studio.wait_for("await studio.ready; return studio.engine.where") == "page", "the engine runs in the page")
    check(studio.take(ASSETS / "quadruped.vxa") and studio.play(), f"and plays: {studio.said()}")
    check(studio.wait("studio.play.frame?.time > 0.3", 30), "time goes on")
    studio.script("studio.play.toggle()")
    session = base64.b64encode(studio.wait_for("return studio.files.sessions.text()").encode()).decode()
    check(studio.take_bytes("here.session.json", session) and "equal to the last bit" in studio.said(), f"sessions replay there, too: {studio.said()}")

    begin(studio, NO_COMPRESSION, NO_CLIPBOARD)
    studio.wait_for("await studio.ready")
    studio.take(ASSETS / "quadruped.vxa")
    studio.wait_for("await studio.link.share()")
    check("too old" in studio.said(), f"without compression there is no link: {studio.said()}")
    begin(studio, NO_CLIPBOARD)
    studio.wait_for("await studio.ready")
    studio.take(ASSETS / "quadruped.vxa")
    studio.wait_for("await studio.link.share()")
    check("copy it" in studio.said() and studio.script("return studio.link.field.value.length") > 1000, f"without a clipboard it stands there: {studio.said()}")

    begin(studio, NO_WORKER, NO_MODULE)
    studio.wait_for("await studio.ready")
    check("can be drawn" in studio.said() or "cannot start" in studio.said(), f"without WebAssembly: {studio.said()}")
    studio.key(" ")
    check(not studio.script("return studio.play.started"), "then nothing plays")
    begin(studio, NO_WEBGL)
    check(studio.script("const said = document.getElementById('refusal'); return !said.hidden && said.textContent.includes('WebGL')"),
          "without WebGL a sentence says so")


if __name__ == "__main__":
    sys.exit(drive(test))
