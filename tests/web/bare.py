#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bare.py PAGE: browsers that lack something. Without workers the page plays all the same; what can not be done is told in a sentence."""
import base64
import sys

from studio import ASSETS, check, drive

NO_WORKER = "delete window.Worker;"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } });"
NO_COMPRESSION = "delete window.CompressionStream;"
OLD_COMPRESSION = """for (const name of ["CompressionStream", "DecompressionStream"]) {
  const own = window[name];
  window[name] = function (format) { if (format === "deflate-raw") { throw new TypeError("Unsupported format"); } return new own(format); };
}"""
SLOW_ENGINE = "const own = WebAssembly.compile; WebAssembly.compile = (...words) => new Promise((go) => setTimeout(go, 2000)).then(() => own(...words));"
BREAK = """EngineHost.prototype.answer = async () => { throw new RangeError("too deep"); };
EngineHost.prototype.begin = async () => { throw new Error("no memory"); };
const late = new Promise((resolve, reject) => setTimeout(() => reject(new Error("no answer")), 3000));
try { await Promise.race([studio.engine.read("a.json", new Uint8Array(1)), late]); return ""; } catch (error) { return error.message; }"""
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

    world = studio.script("const live = new LiveWorld({ rest() { throw new EngineError('no room'); } }); live.facts = {};"
                          "try { live.rest(); } catch (error) { return [error.message, live.facts]; }")
    check(world == ["no room", None], f"a world that can not go back to rest is none: {world}")
    check(studio.wait_for(BREAK) == "no memory", "an engine that can not be started anew answers all the same")
    lost = studio.wait_for("const { engine } = studio; engine.post = () => {}; const asked = engine.read('a.json', new Uint8Array(1)); engine.lose('gone');"
                           "try { await asked; return ''; } catch (error) { return error.message; }")
    check(lost == "gone", f"and one that is gone refuses what was asked: {lost}")

    begin(studio, NO_WORKER, SLOW_ENGINE)
    studio.script("studio.tools.edit([[3, 3, 0, {i: 3, j: 3, k: 0, material: 0}]])")
    early = studio.script("return [Boolean(studio.engine), studio.body.size]")
    studio.wait_for("await studio.ready")
    now = studio.script("return [studio.body.size, studio.body.done.length]")
    check(not early[0] and now[0] == early[1] and now[1] == 1, f"what is drawn before the engine is there stays: {early} {now}")

    begin(studio, OLD_COMPRESSION, NO_CLIPBOARD)
    studio.wait_for("await studio.ready")
    studio.take(ASSETS / "quadruped.vxa")
    studio.wait_for("await studio.link.share()")
    check("too old" in studio.said(), f"an older compression makes no link: {studio.said()}")
    studio.wait_for("await studio.link.fromHash('#v=AAAA')")
    check("too old" in studio.said() and "damaged" not in studio.said(), f"and reads none: {studio.said()}")
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
