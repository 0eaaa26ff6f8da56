#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""link.py PAGE: links that hold a design. A link gives the same cells; a damaged one is refused with a sentence, and the drawing is kept."""
import json
import sys

from studio import ASSETS, check, drive

CELLS = "return JSON.stringify(JSON.parse(studio.text()).voxels)"
# 1000 links made of a good one by changing, dropping, doubling and cutting characters: how many were taken, refused with a sentence, or did neither
MUTATE = """const good = arguments[0];
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
let seed = 12345;
const random = (below) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return Math.floor((seed / 2 ** 32) * below); };
const counts = { taken: 0, refused: 0, silent: [] };
let said = "";
const host = { ...studio.link.host, engine: studio.engine, take: () => { counts.took = true; }, say: (text) => { said = text; } };
const link = Object.assign(Object.create(Object.getPrototypeOf(studio.link)), { host });
for (let number = 0; number < 1000; number++) {
  let hash = good;
  for (let times = 1 + random(3); times > 0; times--) {
    const at = 3 + random(hash.length - 3);
    const letter = letters[random(64)];
    hash = [() => hash.slice(0, at) + letter + hash.slice(at + 1), () => hash.slice(0, at) + hash.slice(at + 1), () => hash.slice(0, at) + letter + hash.slice(at),
      () => hash.slice(0, at), () => hash.slice(0, at) + "%20" + hash.slice(at)][random(number % 10 ? 3 : 5)]();
  }
  said = "";
  counts.took = false;
  try {
    const taken = await link.fromHash(hash);
    const isTold = /[A-Za-z].*[.!?]?$/.test(said);
    if (taken && counts.took) { counts.taken++; } else if (isTold && !counts.took) { counts.refused++; } else { counts.silent.push(hash.slice(0, 60)); }
  } catch (error) {
    counts.silent.push(String(error));
  }
}
return counts;"""


ADD = "studio.tools.edit([[arguments[0], 0, 9, {i: arguments[0], j: 0, k: 9, material: 0}]])"
SIZE = "return studio.body.size"


def keeps_drawings(studio, hash_):
    """What was drawn is there again when the page is opened anew, whatever link it had; looking at a link takes nobody's drawing."""
    studio.script("studio.takePreset(PRESETS.find(({name}) => name === 'Worm'))")
    studio.wait_for("await studio.link.share()")
    shared = studio.script("return location.hash")
    check(shared.startswith("#v="), "the worm is shared")
    studio.load(shared)
    studio.script(ADD, 0)
    check(studio.script("return location.hash") == "", "the first edit takes the link out of the address")
    studio.load(studio.script("return location.hash"))
    if studio.script("return studio.files.kept()") is None:
        print("     not tried: this browser keeps nothing for pages from disk")
        return
    check(studio.script(SIZE) == 97, f"and the edited body is there again: {studio.script(SIZE)} voxels")
    studio.load(hash_)
    check(studio.script(SIZE) == 226 and "Undo" in studio.said(), f"another link is shown: {studio.said()}")
    studio.load()
    check(studio.script(SIZE) == 97, f"and has not taken the drawing's place: {studio.script(SIZE)}")
    studio.load(hash_)
    studio.key("\ue00c")
    studio.script("studio.body.undo()")
    check(studio.script(SIZE) == 97, "undo goes back from a link to the drawing")
    studio.script("localStorage.setItem(KEPT_BODY, '{\"voxels\": 3}'); studio.files.opened = studio.body.version")
    studio.load()
    check("can not be drawn" in studio.said() and studio.script(SIZE) == 0, f"a body that can not be drawn is told: {studio.said()}")
    studio.load()
    check(studio.script("return studio.files.kept()") == '{"voxels": 3}', "and stays until something is drawn")
    studio.load(hash_)


def test(studio):
    check(studio.take(ASSETS / "quadruped.vxa"), f"the quadruped is read: {studio.said()}")
    cells = studio.script(CELLS)
    studio.wait_for("await studio.link.share()")
    hash_ = studio.script("return location.hash")
    check(hash_.startswith("#v=") and len(hash_) < 8000, f"its link has {len(hash_)} characters; {studio.said()}")
    check(studio.script("return studio.link.field.value.endsWith(location.hash) && !studio.link.field.hidden"), "and stands in a field to copy")

    studio.load(hash_)
    check(studio.script(CELLS) == cells, "the page opens it with the same cells")
    layered = json.dumps({"version": 1, "materials": [{"name": "a"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 0]], "layers": {"Frequency": [1, 2]},
                          "force_field": {"x": "0.001*x"}})
    again = studio.wait_for("return studio.link.read(await studio.link.of(arguments[0]))", layered)
    check(json.loads(again)["layers"] == {"Frequency": [1, 2]} and "force_field" in again, "what .vxa can not say is in a link all the same")
    dense = json.dumps({"version": 1, "materials": [{"name": "a"}, {"name": "b", "density_kg_per_m3": 700}], "voxels": [[0, 0, 0, 0]], "layers": {"Density": [2000]}})
    drawn = studio.script("const {scene, cells, base, sizes} = readScene(arguments[0]);"
                          "[0, 1].forEach((material) => cells.set(cellKey(base, 1 + material, 0, 0), {i: 1 + material, j: 0, k: 0, material}));"
                          "return writeScene(scene, cells, sizes)", dense)
    check(json.loads(drawn)["layers"] == {"Density": [2000, 1000, 700]}, f"a voxel that is drawn beside has its material's density: {json.loads(drawn)['layers']}")
    big = json.dumps({"version": 1, "materials": [{"name": "a"}], "voxels": [[i, j, k, 0] for i in range(20) for j in range(20) for k in range(20)],
                      "layers": {"PhaseOffset": [(i * 7919 % 10007) / 10007 for i in range(8000)]}})
    said = studio.wait_for("try { await studio.link.of(arguments[0]); return ''; } catch (error) { return error.message; }", big)
    check("too large for a link" in said, f"a large design is told to be one: {said}")

    empty = studio.wait_for("studio.takePreset(PRESETS.find(({name}) => name === 'Empty')); await studio.link.share(); return location.hash")
    check("nothing to share" in studio.said() and not empty, f"an empty design has no link: {studio.said()}")
    studio.script("studio.body.undo()")
    keeps_drawings(studio, hash_)

    body = studio.script("return studio.text()")
    bomb = studio.wait_for("const bytes = new Uint8Array(16 << 20).fill(32); bytes[0] = 123; return packLink(bytes)")
    check(not studio.wait_for("return studio.link.fromHash(arguments[0])", bomb) and "damaged" in studio.said(),
          f"{len(bomb)} characters that stand for 16 MiB are not unpacked: {studio.said()}")
    for bad in ("#v=", "#v=%", "#v=AAAA", "#v=" + "A" * 40000, "#v=" + hash_[3:40], studio.wait_for("return packLink(new TextEncoder().encode('{\"voxels\": 3}'))")):
        check(not studio.wait_for("return studio.link.fromHash(arguments[0])", bad) and studio.said().strip(), f"{bad[:24]}: {studio.said()}")
    counts = studio.wait_for(MUTATE, hash_)
    check(isinstance(counts, dict) and counts["taken"] + counts["refused"] == 1000 and counts["refused"] > 500, f"1000 damaged links: {counts}")
    check(studio.script("return studio.text()") == body, "the drawing is kept")


if __name__ == "__main__":
    sys.exit(drive(test))
