#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py PROGRAM: gives the files of make.py to each command. A command ends within 2 s of a processor and 512 MB, with what was asked for or with one
line that says what is wrong with the file. Time is not measured: a process that needs more than these limits is ended by the system."""
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from make import FILES  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SECONDS, BYTES = 2, 512 << 20
# what is said of files that are refused, whatever the command is
REFUSED = {
    "zlib_layers.vxa": r"voxels from a file of \d+ bytes; at most 524288 are read \('voxelastic --limits voxels=N",
    "zlib_plane.vxa": "at most 67108864 are read .*--limits cells=N",
    "zlib_many_layers.vxa": "--limits cells=N",
    "wide_layer.vxa": "--limits numbers=N",
    "cilia_layers.vxa": "--limits (numbers|layers)=N",
    "regions.vxa": "--limits region_voxels=N",
    "entities.vxa": "declares an entity",
    "entity_repeated.vxa": "declares an entity",
    "materials_of_vxa.vxa": "--limits materials=N",
    "colorless.vox": "--limits cells=N",
    "copies.vox": "--limits voxels=N",
    "references.vox": "--limits references=N",
    "result_of_angles.xml": "not readable as XML",
    "layers.json": "88000 layers of numbers; at most 1024 are read .*--limits layers=N",
    "materials.json": "--limits materials=N",
    "scene_regions.json": "--limits region_voxels=N",
    "bodies.json": "--limits bodies=N",
    "contact_materials.json": "--limits contact_pairs=N",
    "npz_full.npz": "--limits (unpacked_bytes|voxels)=N",
    "npz_wide_numbers.npz": "--limits unpacked_bytes=N",
    "vxl.vxl.json": "--limits materials=N",
    "npy_most.npy": "--limits voxels=N",
    "header.vxr": "--limits unpacked_bytes=N",
    "replacements.vxd": "--limits replacements=N",
    "almost_colorless.vox": "two voxels share the cell",
    "materials_used.json": "--limits materials=N",
    "nested.json": "maximum parsing depth",
    "arrays.json": "not a scene",
    "npy_shape.npy": "cut short",
    "history_angles.history": "not a history",
}
# what is said by the commands that compile a design, or check it strictly, where others take it
REFUSED_BY = {("divisions.json", "info"): "dipoles act on each other", ("divisions.json", "check"): "dipoles act on each other",
              ("unknown_keys.json", "check"): "and more, not listed"}
# what is made of these is as large as the bounds allow, so that its physics may take longer than its reading
LARGE = {"zlib_most.vxa", "regions_most.json"}
failed = []


def limit(seconds):
    def in_child():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    return in_child


def commands(path):
    """The commands that take such a file, each as words."""
    if path.name.endswith(".xml"):
        return [["info", path], ["info", path, path]]
    if path.name.endswith(".history"):
        return [["info", path]]
    if path.name.endswith(".vxr"):
        return [["info", path], ["view", path, "-o", "out.png"]]
    looks = [["info", path], ["check", path], ["convert", path, "out.json"], ["convert", path, "out.vxa"], ["view", path, "-o", "out.png"], ["view", path, "-o", "out.html"]]
    return looks[:2] if path.name in LARGE else looks + [["run", path, "--steps", "2"]]


def try_one(words, said, seconds=SECONDS, may_refuse=False):
    """Runs the program; it must refuse with that said, or end well; what it can not write or run it may refuse."""
    done = subprocess.run([PROGRAM, *map(str, words)], preexec_fn=limit(seconds), capture_output=True, text=True, errors="replace",
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    ended = done.returncode == 3 if said else done.returncode == 0 or (may_refuse and done.returncode == 3)
    if not ended or (said and not re.search(said, done.stderr)):
        failed.append(f"{' '.join(map(str, words))}: status {done.returncode}, {done.stderr[-300:].strip() or 'nothing said'}; expected {said or 'that it is read'}")


def main():
    folder = Path(".")
    count = 0
    for name, make in FILES.items():
        made = make()
        path = folder / name
        path.write_bytes(made if isinstance(made, bytes) else made.encode())
        if path.stat().st_size > 1000000:
            failed.append(f"{name} has {path.stat().st_size} bytes: the bounds are for files below 10^6")
        for words in commands(path):
            said = REFUSED.get(name) or REFUSED_BY.get((name, words[0]))
            try_one(words, said, 20 if name in LARGE else SECONDS, words[0] not in ("info", "check"))
            count += 1
    # a bound that is raised lets a file pass, and one that is lowered does not
    try_one(["--limits", "materials=1e5", "info", "vxl.vxl.json"], None, 20)
    try_one(["--limits=voxels=1000", "check", "zlib_most.vxa"], "at most 1000 are read")
    print(f"{count} commands, {len(failed)} failed")
    print("\n".join(failed))
    return bool(failed)


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    status = main()
    os.chdir("/")
sys.exit(status)
