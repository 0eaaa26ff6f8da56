#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Words that this project once had for things that the field has names for, and references to texts that nobody else has. Prints
FILE:LINE: old word -> new word, and exits with 1 if there is one. Ordinary English words are looked for as C names only, in engine/."""
import os
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

# distinctive words, everywhere
WORDS = {
    r"vxe_room\w*": "module", r"woven|weft|weave[sr]?": "packed bonds, packing", r"vxe_fronts?\w*|lane_fronts": "wavefront", r"vxe_scratch\w*|scratch": "workspace",
    r"vxe_ahead\w*": "prefetch", r"body sweeps?": "single-body solver", r"damping sweeps?(?! *:)": "damping iteration", r"vxe_robot_\w*(?<!_clear)": "vxe_simulation",
    r"vxe_lane[34]": "vxe_vec3, vxe_quat", r"likeness": "grouping", r"reckon\w*|readings": "fitness variables", r"ledger": "energy audit", r"footing": "floor contact query",
    r"freest": "maximum inverse mass", r"guests?|vxe_\w*invite\w*": "external loads", r"grains?": "particle", r"laws? of contact": "contact model", r"vxe_meetings?\w*": "affine-voxel coupling",
    r"askers?": "query", r"kinship|kin": "bonded neighbours", r"notch(?:es)?": "tick of the timing wheel", r"haste": "rate ratio", r"programmes?": "schedule",
    r"specimens?": "virtual experiment", r"vxe_shots?\w*": "projection", r"vxe_track\w*": "frame codec", r"vxe_recording\w*": "history reader", r"\w*(?:MOST|LEAST)_\w+": "MAX_, MIN_",
}
# likewise, in engine/ alone: elsewhere they are plain English
ENGINE_WORDS = {r"slabs?": "partition", r"swells?": "edge growth"}
# words that are English too: as C names in engine/, outside comments and texts
NAMES = {
    r"own": "lower force accumulator", r"pull": "upper force accumulator", r"felt|feels?": "sample", r"peers?": "voxelyze", r"sight": "gather map", r"bear": "scatter load", r"held": "window",
    r"pieces?|streams?": "prefetch", r"pile": "deferred", r"glue": "adhesive", r"twist": "pose correction", r"standing": "snapshot", r"spot": "index", r"worn": "accumulated plastic strain",
    r"links": "sticky links", r"dip": "one minus the axis component", r"pace": "motion bound", r"shot|moments_open": "projection", r"near": "neighbour list", r"sweeps?": "damping iteration",
}
# FILE: names that stay, and why
STAY = {
    # "own" in its plain sense: what is a body's, a dipole's, a voxel's own
    "own": ("engine/affine/", "engine/magnets/", "engine/contact", "engine/external/", "engine/world/", "engine/voxelyze/", "engine/timestep/", "engine/model/", "engine/batch/lane", "engine/bonds/damping_kernels.c", "engine/bonds/bond_kernels.c", "engine/voxels/"),
    "twist": ("engine/voxelyze/",),  # the torsion of a bond, in the law of that family
    "pace": ("engine/affine/", "engine/batch/batch_affine.c"),  # a rate squared; keeping bodies in step
    "near": ("engine/contact_models/", "engine/voxelyze/"),  # the near end of a layer; a kernel that lists points nearer than a reach
    "sweep": ("engine/affine/",), "sweeps": ("engine/affine/",),  # sweeps of a Jacobi iteration
    "held": ("engine/affine/", "engine/floor/", "engine/model/", "engine/voxels/", "engine/voxelyze/", "engine/world/", "engine/timestep/", "engine/solver/energy_audit.c", "engine/batch/batch_workers.c", "engine/batch/lanes.c"),  # clamped, or kept
    "standing": ("engine/world/",), "links": ("engine/core/state.c",), "pull": ("engine/contact/",), "stream": ("engine/",), "streams": ("engine/",), "piece": ("engine/contact_models/",), "pieces": ("engine/contact_models/",),
}
# whole lines that may have a distinctive word: what users type or files hold
ALLOWED = re.compile(r'--ledger|"ledger|def\.ledger|"programmes"|`programmes`|programmes|"grains"|`grains`|--damping|Brachiopod')
REFERENCES = re.compile(r"\bsources? 0\d\d\b|\b(?:tests? of |[Cc]ase of )?rows? \d{2,3}\b|\bphysics(?:\.md)? \d\.\d|\bspec/|\bsource text")

files = [f for f in subprocess.check_output(["git", "ls-files"], text=True).split()
         if f.endswith((".c", ".h", ".md", ".txt", ".cmake", ".sh", ".py", ".js", ".html")) and os.path.exists(f)
         and not f.startswith(("tests/fuzz/corpus", "tests/scenes")) and f not in ("CHANGELOG.md", "tests/old_names.py")]


def one_pattern(table, before, after):
    """All old words of a table as one pattern, and a function from a match to the new word."""
    new = list(table.values())
    return re.compile(before + "(?:" + "|".join(f"({re.sub(r'[(](?![?])', '(?:', old)})" for old in table) + ")" + after), lambda match: new[match.lastindex - 1]


words = one_pattern(WORDS, r"(?<![\w-])", r"(?![\w-])")
engine_words = one_pattern(WORDS | ENGINE_WORDS, r"(?<![\w-])", r"(?![\w-])")
names = one_pattern(NAMES, r"\b", r"\b")
problems = []
for f in files:
    text = open(f, errors="replace").read()
    lines = text.split("\n")
    code = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S).split("\n") if f.startswith("engine/") and f.endswith((".c", ".h")) else []
    hot = engine_words[0] if f.startswith("engine/") else words[0]
    if not hot.search(text) and not REFERENCES.search(text):
        lines = []
    for number, line in enumerate(lines, 1):
        if not ALLOWED.search(line):
            pattern, new = engine_words if f.startswith("engine/") else words
            for match in pattern.finditer(line):
                problems.append(f"{f}:{number}: {match.group(0)} -> {new(match)}")
        match = REFERENCES.search(line)
        if match and not f.startswith("docs/"):
            problems.append(f"{f}:{number}: {match.group(0)} -> a key of docs/references.md")
    for number, line in enumerate(code, 1):
        pattern, new = names
        for match in pattern.finditer(line):
            if not f.startswith(STAY.get(match.group(0), ("-",))):
                problems.append(f"{f}:{number}: name {match.group(0)} -> {new(match)}")
print("\n".join(problems) if problems else "old names: ok")
sys.exit(1 if problems else 0)
