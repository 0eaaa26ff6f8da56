#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damaged.py PAGE CORPUS: the files that fuzzing has kept for each reader, and 1000 damaged ones of each, through the module: each is read or refused
with a sentence, and none stops it."""
import pathlib
import sys

from module_page import ASSETS, check, drive, packed

MUTATIONS = 1000
READERS = {"vxa": ["quadruped.vxa", "gripper.vxa"], "json": ["gecko.json", "affine_crawler.json"], "vox": [], "npy": [], "npz": []}
# reads all files, then damaged copies of them; what was read is opened now and then, and written
READ = """const [ending, texts, mutations] = arguments;
let binding = await bind();
let seed = 1;
const random = (below) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return Math.floor((seed / 2 ** 32) * below); };
const counts = { read: 0, refused: 0, wrong: [] };
const attempt = (bytes, what) => {
  try {
    const { scene, notes } = binding.read("file." + ending, bytes);
    if (!scene.includes("voxelastic scene") || !Array.isArray(notes)) { counts.wrong.push(what + ": read as " + scene.slice(0, 60)); }
    counts.read++;
    return scene;
  } catch (error) {
    if (error instanceof EngineError && /[a-z]{3}/.test(error.message)) { counts.refused++; } else { counts.wrong.push(what + ": " + error); }
    return null;
  }
};
const files = texts.map(unpack);
files.forEach((bytes, i) => attempt(bytes, "file " + i));
for (let number = 0; number < mutations; number++) {
  let bytes = files[random(files.length)].slice();
  for (let times = 1 + random(4); times > 0 && bytes.length > 1; times--) {
    const at = random(bytes.length);
    const way = random(3);
    if (way === 0) {
      bytes[at] = random(256);
    } else if (way === 1) {
      bytes = bytes.slice(0, at + 1);
    } else {
      bytes = new Uint8Array([...bytes.slice(0, at), ...bytes.slice(random(bytes.length), at + 50), ...bytes.slice(at)]);
    }
  }
  const scene = attempt(bytes, "mutation " + number);
  if (scene && number % 50 === 0) {
    try { binding.open(scene, 1); binding.advance(1); } catch (error) { if (!(error instanceof EngineError)) { counts.wrong.push("open: " + error); } }
  }
}
return counts;"""


def test(page, corpus):
    for ending, assets in READERS.items():
        files = sorted(path for path in pathlib.Path(corpus, ending).iterdir() if path.is_file() and path.stat().st_size < 50_000)
        files += [ASSETS / name for name in assets]
        counts = page.run(READ, ending, [packed(path) for path in files], MUTATIONS)
        check(isinstance(counts, dict) and not counts["wrong"] and counts["read"] + counts["refused"] == len(files) + MUTATIONS,
              f".{ending}: {len(files)} files and {MUTATIONS} damaged ones: {counts}")
    unknown = page.run("try { (await bind()).read('picture.png', new Uint8Array(8)); return ''; } catch (error) { return error.message; }")
    check(".vxa" in unknown or "png" in unknown, f"a file of another kind: {unknown}")


if __name__ == "__main__":
    sys.exit(drive(test))
