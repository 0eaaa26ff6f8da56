#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""files.py PAGE [PROGRAM [CORPUS]]: files are opened and saved; what can not be read is refused with a sentence, and the drawing is kept."""
import base64
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

from studio import ASSETS, check, drive
from browser import pixels  # which studio finds

# what would be saved, instead of a download
CATCH = """window.saved = [];
window.offer = (bytes, name) => { saved.push({ name, bytes: bytes instanceof Blob ? bytes.arrayBuffer() : bytes }); };"""
SAVED = """const { name, bytes } = saved[saved.length - 1];
let data = await bytes;
data = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
let text = "";
for (let at = 0; at < data.length; at += 4096) { text += String.fromCharCode(...data.subarray(at, at + 4096)); }
return [name, btoa(text)];"""


def save(studio, choice):
    """Chooses in the menu; name and bytes of what is saved."""
    count = studio.script("return saved.length")
    studio.script("studio.files.menu.button.click(); studio.files.menu.items.find((item) => item.textContent.startsWith(arguments[0])).click()", choice)
    if not studio.wait(f"saved.length > {count}", 30):
        return None, studio.said()
    name, data = studio.wait_for(SAVED)
    return name, base64.b64decode(data)


def opens(studio):
    for design in ("quadruped.vxa", "worm.vxa", "hopper.vxa", "gecko.json", "magnetic_crawler.json"):
        check(studio.take(ASSETS / design), f"{design} opens: {studio.said()}")
    dropped = base64.b64encode((ASSETS / "worm.vxa").read_bytes()).decode()
    studio.script("const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0))], 'worm.vxa'));"
                  "document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))", dropped)
    check(studio.wait("JSON.parse(studio.text()).voxels.length === 96", 20), "a file that is dropped opens")
    evogym = json.dumps({"grid_width": 3, "grid_height": 2, "objects": {"robot": {"indices": [0, 1, 2, 3], "types": [1, 2, 3, 4],
                        "neighbors": {"0": [1], "1": [0, 2], "2": [1], "3": [0]}}}})
    opened = studio.take_bytes("walker.evogym.json", base64.b64encode(evogym.encode()).decode())
    check(opened or studio.said().strip(), f"an EvoGym world is read or refused with a sentence: {opened} {studio.said()}")


def saves(studio, program):
    studio.take(ASSETS / "quadruped.vxa")
    voxels = studio.script("return JSON.parse(studio.text()).voxels.length")
    with tempfile.TemporaryDirectory() as folder:
        for choice, ending in (("design .vxa", ".vxa"), ("scene .json", ".json")):
            name, data = save(studio, choice)
            check(name and name.endswith(ending), f"{choice} is saved: {name} {data if not name else ''}")
            path = pathlib.Path(folder) / ("saved" + ending)
            path.write_bytes(data)
            if program:
                told = subprocess.run([program, "info", str(path)], capture_output=True, text=True, check=False)
                check(told.returncode == 0 and str(voxels) in told.stdout, f"the program reads it: {told.stdout[:80]!r} {told.stderr}")
            check(studio.take(path), f"and so does the studio: {studio.said()}")
            check(studio.script("return JSON.parse(studio.text()).voxels.length") == voxels, "with all voxels")
    name, data = save(studio, "surface .stl")
    triangles = struct.unpack("<I", data[80:84])[0]
    check(name.endswith(".stl") and len(data) == 84 + 50 * triangles and triangles > 500, f"a surface of {triangles} triangles")
    corners = [struct.unpack("<9f", data[84 + 50 * i + 12:84 + 50 * i + 48]) for i in range(triangles)]
    volume = sum(a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) + a[2] * (a[3] * a[7] - a[4] * a[6]) for a in corners) / 6
    check(abs(volume / (voxels * 1000) - 1) < 1e-3, f"that encloses the body: {volume:.0f} mm^3 of {voxels} voxels of 10 mm")
    name, data = save(studio, "picture")
    rows, width, wide = pixels(data)
    red = sum(row[wide * x] > row[wide * x + 2] + 60 for row in rows[::4] for x in range(0, width, 4))
    check(name.endswith(".png") and red > 200, f"a picture that shows the legs: {red} red pixels of {width} x {len(rows)}, each fourth")
    lossy = json.dumps({"version": 1, "materials": [{"name": "a"}], "voxels": [[0, 0, 0, 0]], "force_field": {"x": "1"}})
    studio.take_bytes("field.json", base64.b64encode(lossy.encode()).decode())
    save(studio, "design .vxa")
    check("file differ" in studio.said(), f"what .vxa loses is told: {studio.said()}")


def refuses(studio, corpus):
    studio.script("studio.takePreset(PRESETS.find(({name}) => name === 'Empty'))")
    done = studio.wait_for("return studio.files.attempt(() => studio.files.saveDesign('.json'))")
    check(not done and "nothing to save" in studio.said(), f"an empty design is not saved: {studio.said()}")
    studio.script("studio.body.undo()")
    body = studio.script("return studio.text()")
    wide = json.dumps({"version": 1, "materials": [{}], "voxels": [[0, 0, 0, 0], [64, 0, 0, 0]]})
    many = json.dumps({"version": 1, "materials": [{}], "voxels": [[i % 100, i // 100 % 100, i // 10000, 0] for i in range(1000000)]})
    bad = {"empty.vxa": b"", "text.vxa": b"hello", "cut.vxa": (ASSETS / "quadruped.vxa").read_bytes()[:900], "list.json": b"[1, 2]", "none.json": b"{}",
           "picture.png": b"\x89PNG\r\n", "odd.vox": b"VOX \x96\0\0\0", "wide.json": wide.encode(), "many.json": many.encode()}
    for name, data in bad.items():
        check(not studio.take_bytes(name, base64.b64encode(data).decode()) and studio.said().strip(), f"{name}: {studio.said()}")
        check(studio.script("return studio.text()") == body, "the drawing is kept")
    files = sorted(path for path in pathlib.Path(corpus).rglob("*") if path.is_file() and path.stat().st_size < 200000)[:400] if corpus else []
    data = [[path.name, base64.b64encode(path.read_bytes()).decode()] for path in files]
    counts = studio.wait_for("""let [read, refused, silent] = [0, 0, []];
for (const [name, text] of arguments[0]) {
  try {
    await studio.engine.read(name, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    read++;
  } catch (error) {
    if (error.constructor.name === "EngineError" && error.message.length > 5) { refused++; } else { silent.push(name + ": " + error); }
  }
}
return { read, refused, silent };""", data)
    check(counts["silent"] == [] and counts["read"] + counts["refused"] == len(files), f"{len(files)} damaged files: {counts}")


def keeps(studio):
    """The last body is there when the page is opened again, where the browser keeps anything for pages from disk."""
    studio.take(ASSETS / "worm.vxa")
    text = studio.script("return studio.text()")
    if studio.script("return studio.files.keep(studio.text())"):
        check(studio.script("return studio.files.kept()") == text, "the body is kept")
        studio.load()
        check(studio.script("return studio.text()") == text, "and there when the page is opened again")
    refusing = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); }, configurable: true });"
    check(studio.script(refusing + "return [studio.files.keep('x'), studio.files.kept()]") == [False, None], "storage that refuses is gone without")


def test(studio, program=None, corpus=None):
    studio.script(CATCH)
    opens(studio)
    saves(studio, program)
    refuses(studio, corpus)
    keeps(studio)


if __name__ == "__main__":
    sys.exit(drive(test))
