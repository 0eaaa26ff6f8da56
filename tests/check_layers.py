#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house that includes and names can show. Run from anywhere; prints FILE:LINE: what is wrong, and exits with 1.

How it counts:
* A module is a folder: common, materials, lattice, each folder below engine/ (in the order of engine/CMakeLists.txt, bottom up), output, evolution,
  cli, and beside it web. An arrow is an include, or a call of a function that one .c file alone defines. Arrows point down that order only, so there is no circle
  between modules.
* The headers at the top of engine/ are public: all may include them. Below it, a module has one door: ROOM/ROOM.h (world/world_data.h, since
  engine/world.h is taken). Others may include the door, and the laws, *_law.h, which kernels of several modules share. core/ is the vocabulary of
  all and is open; model/ has a second door, workspace.h: what forces add their loads to.
* No folder of engine/ or output/ holds more than 20 .c and .h files. No function is longer than 60 lines. cli/, web/, bench/ and python/ see public headers only.
  Only common/parallel.c starts threads."""
import collections
import os
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
problems = []


def complain(path, line, text):
    problems.append(f"{path}:{line}: {text}")


engine = list(dict.fromkeys(re.findall(r"^\s*engine_(\w+)", open("engine/CMakeLists.txt").read(), re.M)))
order = ["common", "materials", "lattice", "engine"] + engine + ["output", "evolution", "cli", "web"]
rank = {room: i for i, room in enumerate(order)}
doors = {room: {f"engine/{room}/{room}.h"} for room in engine}
doors["world"] = {"engine/world/world_data.h"}
doors["model"].add("engine/model/workspace.h")
doors["lanes"].add("engine/lanes/lane_forces.h")


def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "engine" and len(parts) > 2 else parts[0]


listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"] + [d for d in ("common", "materials", "lattice", "engine", "output", "evolution", "cli", "web", "bench", "python", "tests")], text=True)
files = [f for f in listed.split() if f.endswith((".c", ".h")) and os.path.exists(f) and not f.startswith("tests/fuzz/corpus")]
text = {f: open(f).read() for f in files}
public = set(re.findall(r"^    ([\w/]+\.h)\)?$", open("cmake/library.cmake").read(), re.M))

# includes
for f in files:
    here = room_of(f)
    if here == "tests":
        continue
    for number, line in enumerate(text[f].split("\n"), 1):
        match = re.match(r'#include "([^"]+)"', line)
        if not match:
            continue
        target = match.group(1)
        there = room_of(target)
        if here in ("bench", "python"):
            if "/" in target and target not in public and target != "voxelastic/voxelastic.h":
                complain(f, number, f'{here} includes "{target}", which is not public')
            continue
        if there not in rank:
            complain(f, number, f'"{target}": include with the path from the root')
        elif target.startswith("engine/") and target.count("/") == 1:
            if here in rank and rank[here] < rank["engine"]:
                complain(f, number, f'{here} includes "{target}", which is above it')
        elif rank[there] > rank[here]:
            complain(f, number, f'{here} includes "{target}", which is above it')
        elif there in engine and there not in (here, "core") and target not in doors[there] and not target.endswith("_law.h"):
            complain(f, number, f'{here} includes "{target}", which is private to {there}: its door is {sorted(doors[there])[0]}')
        if here in ("cli", "web") and room_of(target) != here and target not in public:
            complain(f, number, f'{here} includes "{target}", which is not public')

# calls: a name that one file alone defines
code = {f: re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda m: re.sub(r"[^\n]", " ", m.group(0)), text[f], flags=re.S) for f in files if room_of(f) in rank}
definition = re.compile(r"^(?!static|typedef|extern|#|else|return)[A-Za-z][\w \*]*?\b\**(vxe_\w+)\([^;{}]*\)\s*\n\{", re.M)
homes = collections.defaultdict(set)
for f in code:
    if f.endswith(".c"):
        for match in definition.finditer(code[f]):
            homes[match.group(1)].add(f)
for f in code:
    if not f.endswith(".c"):
        continue
    for match in re.finditer(r"\bvxe_\w+\b", code[f]):
        home = homes.get(match.group(0))
        if home and len(home) == 1:
            (there,) = home
            if rank[room_of(there)] > rank[room_of(f)]:
                complain(f, code[f].count("\n", 0, match.start()) + 1, f"{room_of(f)} calls {match.group(0)} of {there}, which is above it")

# sizes
folders = collections.Counter(os.path.dirname(f) for f in files if f.startswith(("engine/", "output/")))
for folder, count in folders.items():
    if count > 20:
        complain(folder, 1, f"{count} files; at most 20")
for f in files:
    start = None
    for number, line in enumerate(text[f].split("\n"), 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            if number - start - 1 > 60:
                complain(f, start, f"a function of {number - start - 1} lines; at most 60")
            start = None
    if f != "common/parallel.c" and room_of(f) in rank and re.search(r"#pragma omp (parallel|critical|atomic|barrier)", text[f]):
        complain(f, 1, "starts threads or locks; only common/parallel.c may")

print("\n".join(problems) if problems else f"layers: ok ({len(engine)} modules in engine/, no include and no call points up)")
sys.exit(1 if problems else 0)
