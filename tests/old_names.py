#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches the tree for words that this project once had for things that the field has names for, and for references to texts that
readers do not have. Prints FILE:LINE: OLD -> NEW for each and exits with 1 if there is one; the last line is "old names: ok" otherwise.

Three tables: distinctive words, looked for everywhere, also as parts of identifiers; words that are distinctive in engine/ only; and
ordinary English words that were names, looked for as identifiers of the C code of engine/ only. ALLOWED lists places where a word
stays, with the reason."""
import os
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

# Distinctive words, everywhere: whole words, and parts of identifiers between underscores. Matched in any case.
WORDS = {
    r"woven|weft|weave[sr]?|weaving": "packed bonds, packing",
    r"scratch": "workspace",
    r"ledgers?": "energy audit",
    r"reckon(?:s|ed|ings?)?|readings": "fitness variables",
    r"likeness|likenesses": "grouping",
    r"freest": "maximum inverse mass",
    r"footings?": "floor contact query",
    r"grains?": "particles",
    r"haste": "rate ratio",
    r"notch|notches": "tick of the timing wheel",
    r"specimens?": "virtual experiment",
    r"kin|kinship": "bonded neighbours",
    r"askers?": "query",
    r"programmes?": "schedules",
    r"guests?": "external loads",
    r"glue[sd]?": "adhesive, sticky",
    r"body[ _]sweeps?": "single-body solver",
    r"damping[ _]sweeps?": "polynomial damping iteration",
    r"laws? of contact": "contact model",
    r"vxe_room": "vxe_module",
    r"lane[34]": "vec3, quat",
    r"vxe_scratch\w*": "vxe_workspace",
    r"vxe_fronts?|lane_fronts": "wavefront",
    r"vxe_ahead|ahead_(?:piece|line)|vxe_streams": "prefetch",
    r"vxe_meetings?|meeting_count": "affine-voxel coupling",
    r"vxe_shots?": "projection",
    r"vxe_tracks?": "frame codec",
    r"vxe_recordings?": "history reader",
    r"vxe_peers?": "vxe_voxelyze",
}
# Likewise, but case matters: parts of constants.
CASED = {r"MOST": "MAX", r"LEAST": "MIN"}
# Likewise, in engine/ only: elsewhere these are plain English.
ENGINE_WORDS = {r"slabs?": "partition", r"swells?|swelling": "edge growth"}
# Whole identifiers of the C code of engine/ (outside comments and texts).
NAMES = {
    r"own|own_(?:sum|first|block|at)|put_own": "lower force accumulator",
    r"pull_(?:first|block|reach|room|at|upper)": "upper force accumulator",
    r"bond_action|run_acts|VXE_ACT_\w+|\w+_ACTS": "bond force, stage",
    r"feels?|felt|vxe_\w*feel|feel_\w+|felt_\w+|senses": "sample",
    r"near|vxe_near\w*|near_part": "neighbour list",
    r"standing|\w+_standing|standing_\w+": "snapshot",
    r"spots?": "index",
    r"looks": "wake-up checks",
    r"sight|vxe_\w*sight": "gather map",
    r"bear": "scatter load",
    r"shots?|moments_open|glance": "projection, frame source, sample",
    r"tracks?": "frame codec",
    r"fronts?|front_\w+|\w+_fronts": "wavefront",
    r"held|held_\w+": "window of the wavefront",
    r"follow|vxe_parallel_follow|catch_up": "wavefront; synchronised velocities",
    r"ahead": "prefetch",
    r"streams?|add_streams|pieces?|pieces_log": "prefetch",
    r"piles?|\w+_pile": "deferred",
    r"company|run_company": "batch neighbours",
    r"invite|guest_\w+": "external loads",
    r"meetings?|step_meeting": "affine-voxel coupling, contact geometry",
    r"links?|link_(?:count|room|part)|links_full": "sticky links",
    r"twist": "pose correction",
    r"pace|vxe_pace\w*|pace_of": "motion bound",
    r"peers?|PEERS?|peer_\w+|\w+_peers?": "voxelyze",
    r"sleep": "wait",
    r"crossing|vxe_crossing|\w+_crossing|absorb": "halo bonds, add_halo",
    r"dip|thick": "one minus the axis component; say what it is",
    r"grip|floor_grip|VXE_GRIP_\w+": "friction coefficients",
    r"worn": "accumulated plastic strain",
    r"sweeps?|swept|swept_\w+|nested": "polynomial damping iteration, coefficients",
    r"room|\w+_room|ROOM": "capacity",
    r"most|most_\w+|least|least_\w+": "max, min",
}
# (start of a file's path, what stays, reason)
ALLOWED = (
    ("", r"--ledger", "option of the program, kept for users"),
    ("cli/", r"OPTION_LEDGER|\"ledger\", no_argument", "the option's constant"),
    ("", r"\"programmes?\"|`programmes?`|\\\"programmes\\\"", "earlier JSON key, still read"),
    ("CHANGELOG.md", r"`ledger`|`vxe_design_add_programme`|`vxe_recording`", "what names were"),
    ("tests/cli/read_earlier.sh", r"programmes", "earlier JSON key, still read"),
    ("", r"\"grains\"|`grains`", "earlier JSON key, still read"),
    ("", r"--damping[ =]sweeps?|VXE_DAMPING_SWEEP", "value of an option, kept for users"),
    ("", r"\bdamping_sweeps\b|damping_sweeps", "field of the public headers and of result files, kept for users"),
    ("", r"\"(?:least|most)_\w+\"", "JSON keys"),
    ("", r"LEAST_VOXELS|\bfrom scratch\b", "plain English"),
    ("engine/affine/affine_rigid.c", r"sweeps?", "sweeps of a Jacobi iteration"),
    # "own" in its plain sense: what is a body's, a dipole's or a voxel's own
    *((f"engine/{room}/", r"own", "plain sense") for room in
      ("affine", "magnets", "contact", "contact_models", "external", "world", "voxelyze", "timestep", "model", "voxels", "batch", "lanes")),
    ("engine/bonds/damping_kernels.c", r"own", "a lane's own value"),
    ("engine/bonds/bond_kernels.c", r"own", "a lane's own value"),
    # "held": clamped, kept, or what a spring holds
    *((f"engine/{room}/", r"held", "clamped, or kept") for room in ("affine", "batch", "contact_models", "floor", "lanes", "model", "voxels", "voxelyze", "world", "timestep")),
    ("engine/audit/", r"held|swept", "energy that bonds hold; with damping iterations or not"),
    ("engine/solver/step.", r"swept", "with damping iterations or not"),
    # "ahead": what lies before in space or time
    *((f"engine/{place}", r"ahead", "before in space or time") for place in ("batch/", "contact/", "lanes/", "solver/step.c", "solver/wavefront.c", "voxels/", "voxelyze/", "world/")),
    ("engine/contact_models/", r"near|pieces?|held", "the near end of a layer; pieces of the contact model `linear`"),
    ("engine/voxelyze/", r"near|twist|room", "points within a reach; torsion in the law of that family; what growth may add"),
    ("engine/model/actuation_model", r"room", "what growth may add"),
    ("engine/contact/", r"links?", "a sticky link in its own module"),
    ("engine/solver/measure", r"links?", "a sticky link that is measured"),
    ("engine/affine/", r"pace|link", "a rate squared"),
    ("engine/batch/batch_affine.c", r"pace", "keeps bodies in step"),
    ("engine/world/", r"standing|links?", "standing on the floor; sticky links"),
    ("engine/core/state.", r"links?", "sticky links of a state"),
    ("engine/", r"streams?", "streams of files and random numbers"),
)
REFERENCES = re.compile(r"\bsources? (?:text )?0\d\d\b|\b[Ss]ource texts?\b|\b[Rr]ows? \d+(?:'s|\b)|\b[Pp]hysics(?:\.md)? \d+\.\d|\bspec/|\bLM\b|\bspecification's\b|\b[Vv]erification's\b|\b[Vv]erification rows?\b")
REFERENCE_STAYS = re.compile(r"column \d+ of row \d|\"row \d|row 0\b|row 1\b|glTF|[Rr]ow \d+:")
KEY = re.compile(r"\b[A-Z][a-z]+[A-Za-z]*(?:18|19|20)\d\d[a-z]?\b|(?<=\[)[A-Z][a-z]+[A-Za-z]{4,}(?=\])")
CODE = (".c", ".h", ".sh", ".py", ".cmake", ".js", ".html")


def tracked():
    for f in subprocess.check_output(["git", "ls-files"], text=True).split("\n"):
        if f.endswith(CODE + (".md", ".txt", ".in", ".yml", ".cpp")) and os.path.isfile(f) \
                and not f.startswith(("tests/fuzz/corpus", "tests/scenes")) and f != "tests/old_names.py":
            yield f


def one_pattern(tables, before, after, flags=0):
    """All old words of the tables as one pattern, and a function from a match to the new word."""
    pairs = [(old, new) for table in tables for old, new in table.items()]
    return re.compile(before + "(?:" + "|".join(f"({old})" for old, _ in pairs) + ")" + after, flags), lambda match: pairs[match.lastindex - 1][1]


PART = (r"(?<![A-Za-z0-9])(?<!-)", r"(?![A-Za-z0-9])")  # a word, or a part of an identifier
everywhere = one_pattern((WORDS,), *PART, re.I)
in_engine = one_pattern((WORDS, ENGINE_WORDS), *PART, re.I)
cased = one_pattern((CASED,), r"(?<![A-Za-z])", r"(?=_[A-Z])")
names = one_pattern((NAMES,), r"\b", r"\b")
IS_C = (".c", ".h")
with open("docs/references.md") as page:
    keys = set(re.findall(r"^\| ([A-Z]\w+) \|", page.read(), re.M))
allowed = [(start, re.compile(pattern)) for start, pattern, _ in ALLOWED]
problems = []
known = {}  # by identifier or word: which of the patterns it can match
PHRASES = re.compile(r"laws? of contact|body sweep|damping sweep", re.I)


def suspicious(text, patterns):
    """The patterns of which the text can have a match: a quick look at each word once."""
    found = {0} if PHRASES.search(text) else set()
    for word in set(re.findall(r"\w+", text)):
        if word not in known:
            known[word] = [i for i, (pattern, _) in enumerate(patterns) if (pattern.fullmatch(word) if i == 2 else pattern.search(word))]
        found.update(known[word])
    return found


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def find(f, text, pattern, new):
    """Adds the places of a pattern in the text of a file, but for those that an entry of ALLOWED covers."""
    stays = [entry for start, entry in allowed if f.startswith(start) and entry.pattern != "own"]
    for match in pattern.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        line = text[begin:end if end >= 0 else len(text)]
        at = match.start() - begin
        if not any(hit.start() <= at < hit.end() for entry in stays for hit in entry.finditer(line)):
            problems.append((f, text.count("\n", 0, match.start()) + 1, f"{match.group(0)} -> {new(match)}"))


for f in tracked():
    with open(f, errors="replace") as source:
        text = source.read()
    found = suspicious(text, (in_engine, cased, names))
    if 0 in found:
        find(f, text, *(in_engine if f.startswith("engine/") else everywhere))
    if 1 in found and f.endswith(IS_C):
        find(f, text, *cased)
    if 2 in found and f.endswith(IS_C) and f.startswith("engine/"):
        code = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|#include[^\n]*', blank, text, flags=re.S)
        stays = [entry for start, entry in allowed if f.startswith(start)]
        for match in re.finditer(r"[A-Za-z_]\w*", code):
            if 2 in known.get(match.group(0), ()) and not any(entry.fullmatch(match.group(0)) for entry in stays):
                new = names[1](names[0].fullmatch(match.group(0)))
                problems.append((f, code.count("\n", 0, match.start()) + 1, f"name {match.group(0)} -> {new}"))
    for number, line in enumerate(text.split("\n"), 1) if REFERENCES.search(text) else ():
        match = REFERENCES.search(line)
        if match and not REFERENCE_STAYS.search(line):
            problems.append((f, number, f"{match.group(0)} -> a key of docs/references.md, or a case of docs/accuracy.md"))
    if f.endswith(CODE):
        for match in KEY.finditer(text):
            if match.group(0) not in keys:
                problems.append((f, text.count("\n", 0, match.start()) + 1, f"{match.group(0)} -> is no key of docs/references.md"))
for f, number, what in sorted(set(problems)):
    print(f"{f}:{number}: {what}")
print(f"old names: {len(set(problems))} places" if problems else "old names: ok")
sys.exit(1 if problems else 0)
