#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_fields.py [--check]: writes python/core_fields.h and the attributes in python/voxelastic/_core.pyi from the members of the public structures. The headers say
what a member is, in which unit; here it is only copied, so that Python and C can not come to differ. --check writes nothing, and exits with 1 where a file is not
what would be written."""
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE, STUBS = ROOT / "python/core_fields.h", ROOT / "python/voxelastic/_core.pyi"

# Words for the values of enumerations, in their order.
WORDS = {
    "vxe_material_model": ("linear", "linear_failing", "bilinear", "measured"),
    "vxe_precision": ("mixed", "double"),
    "vxe_step_rule": ("auto", "source", "seconds"),
    "vxe_accuracy": ("normal", "fast", "fine"),
    "vxe_damping_scheme": ("auto", "explicit", "sweep"),
    "vxe_composite": ("harmonic", "condensed"),
    "vxe_shear": ("beam", "bulk"),
    "vxe_damping_form": ("source", "pair", "voxelyze"),
    "vxe_bond_kind": ("beam", "bar"),
    "vxe_batch_schedule": ("auto", "lanes", "alone"),
    "vxe_coloring": ("material", "strain", "phase", "contact", "energy"),
}
TORSION = ("auto", "stvenant", "polar")  # an int from -1
INTEGERS = ("vxe_simulation_status", "vxe_status")  # enumerations that stay numbers

# header, structure, name in Python, how: "view" (attributes that are read and written), "facts" (a named tuple), "choices" (keyword arguments); members left out
STRUCTURES = (
    ("materials/material.h", "vxe_material", "Material", "view", ("cookie", "curve_count", "curve_strain", "curve_stress")),
    ("lattice/design.h", "vxe_floor", "Floor", "view", ("heights",)),
    ("lattice/design.h", "vxe_fluid", "Fluid", "view", ()),
    ("lattice/design.h", "vxe_magnetics", "Magnetics", "view", ()),
    ("lattice/design.h", "vxe_actuation", "Actuation", "view", ()),
    ("lattice/design.h", "vxe_stop", "Stop", "view", ()),
    ("lattice/design.h", "vxe_time_step", "TimeStep", "view", ()),
    ("engine/world.h", "vxe_world_facts", "WorldFacts", "facts", ("rules",)),
    ("engine/world.h", "vxe_energy", "Energy", "facts", ()),
    ("engine/statics.h", "vxe_settled", "Settled", "facts", ()),
    ("engine/batch.h", "vxe_batch_result", "RobotResult", "facts", ("path",)),
    ("engine/batch.h", "vxe_batch_facts", "BatchFacts", "facts", ()),
    ("engine/batch.h", "vxe_batch_progress", "Progress", "facts", ()),
    ("engine/world.h", "vxe_world_def", "world", "choices", ("cookie",)),
    ("engine/batch.h", "vxe_batch_def", "batch", "choices", ("cookie", "world")),
    ("engine/team.h", "vxe_team_facts", "TeamFacts", "facts", ()),
    ("engine/team.h", "vxe_team_robot", "TeamRobot", "facts", ()),
    ("evolution/search.h", "vxe_search_facts", "SearchFacts", "facts", ("unit",)),
    ("engine/team.h", "vxe_team_def", "team", "choices", ("cookie", "world")),
    ("engine/gradient.h", "vxe_gradient_facts", "GradientFacts", "facts", ()),
    ("engine/gradient.h", "vxe_gradient_def", "gradient", "choices", ("cookie", "world", "by")),
    ("output/view/picture.h", "vxe_picture_def", "picture", "choices", ()),
)
# What members are that have no comment of their own, since their names say it in C.
WITHOUT_COMMENT = {
    "voxels": "number of voxels", "bonds": "number of bonds", "bodies": "number of bodies", "surface_voxels": "voxels on the surface", "materials": "number of materials",
    "threads": "number of threads", "enabled": "whether it acts", "status": "what became of it, see Status", "damping": "how dashpots enter a step",
    "step_rule": "how the time step is chosen", "damping_sweeps": "damping iterations of a step", "steps": "number of steps", "composite": "bonds of two materials",
    "robots": "number of robots", "groups": "number of groups", "parts": "number of parts", "in_lanes": "whether it runs side by side with others in lanes",
    "robots_in_lanes": "robots that run side by side in lanes",
    "shear": "shear springs of bonds", "damping_form": "how dashpots follow from the damping ratio", "bond_kind": "beams or bars", "schedule": "robots in lanes or alone",
    "elastic_sync": "bonds", "floor_sync": "floor springs", "contact_sync": "contacts", "gravity_sync": "weight", "magnetic_sync": "magnets",
    "dissipated_bonds": "dashpots of bonds", "dissipated_global": "global damping", "dissipated_contact": "dashpots of contacts", "dissipated_friction": "friction",
    "work_actuation": "work of actuation", "buoyancy": "the weight of the fluid that a voxel displaces lifts it",
}
KINDS = {"double": "DOUBLE", "float": "FLOAT", "uint32_t": "U32", "uint64_t": "U64", "bool": "BOOL"}
STUB_TYPES = {"DOUBLE": "float", "FLOAT": "float", "U32": "int", "U64": "int", "BOOL": "bool", "TEXT": "str", "POINTER": "str", "CHOICE": "str", "SIGNED": "str", "INTEGER": "int"}


def plain(comment):
    """A comment as a sentence for users of Python: without line breaks, names of tags in brackets, and prefixes of constants."""
    text = re.sub(r"\s+", " ", comment).strip()
    text = re.sub(r"\s*\((?:[A-Z]\w+|isTarget|isMeasured 0|uStatic|uDynamic)\)$", "", text)
    text = re.sub(r"\bVXE_(?:[A-Z]+_)?([A-Z]+)\b", lambda word: word.group(1).lower(), text)
    text = re.sub(r"\b(AUTO|NORMAL|MIXED|MATERIAL|EXPLICIT|SWEEP)\b", lambda word: word.group(0).lower(), text)
    text = re.sub(r"[.;,]? [Ll]ives? as long as the (?:world|batch)\.?|; likewise", "", text)
    text = re.sub(r"[;,]? see vxe_world_energy", ", see World.energy", text)
    return text.replace("or null where", "or empty where").replace("null or \"auto\"", "\"auto\"").replace("a vxe_torsion, or -1", "auto").replace("vxe_", "")


class Member:
    def __init__(self, structure, kind, star, name, size, comment):
        self.structure, self.name, self.count, self.words = structure, name, size, ()
        self.doc = plain(comment or "") or WITHOUT_COMMENT.get(name, "")
        if kind in WORDS:
            self.kind, self.words = "CHOICE", WORDS[kind]
        elif kind == "int" and name == "torsion":
            self.kind, self.words = "SIGNED", TORSION
        elif kind in INTEGERS:
            self.kind = "INTEGER"
        elif kind == "char":
            self.kind = "POINTER" if star else "TEXT"
        else:
            self.kind = KINDS[kind]
        if self.kind == "TEXT":
            self.count = ""
        if self.words:
            self.doc = f"{self.doc} [{', '.join(self.words)}]"
        if structure == "vxe_energy" and not self.doc.startswith("s:"):
            self.doc = f"J: {self.doc}"

    @property
    def stub(self):
        kind = STUB_TYPES[self.kind]
        return f"tuple[{', '.join([kind] * int(self.count))}]" if self.count else kind

    def row(self):
        size = f"sizeof(({self.structure} *)0)->{self.name}" if self.kind == "TEXT" else self.count or "1"
        words = "{" + ", ".join(f'"{word}"' for word in self.words) + "}" if self.words else "{NULL}"
        return f"    {{{quoted(self.name)}, CORE_{self.kind}, offsetof({self.structure}, {self.name}), {size}, {words}}},"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def members_of(header, structure, left_out):
    text = (ROOT / header).read_text()
    body = re.search(r"typedef struct (?:\w+ )?\{((?:(?!typedef struct).)*?)\n\} " + structure + ";", text, re.S).group(1)
    pattern = re.compile(r"\s*(?:/\*.*?\*/\s*)*(?:const )?(?:struct )?(\w+)\s+(\*?)(\w+)((?:,\s*\w+)*)(?:\[(\w+)\])?;(?:\s*/\*(.*?)\*/)?", re.S)
    members, at = [], 0
    while found := pattern.match(body, at):
        at = found.end()
        kind, star, first, more, size, comment = found.groups()
        members += [Member(structure, kind, star, name, size or "", comment) for name in [first, *re.findall(r"\w+", more)] if name not in left_out]
    if body[at:].strip():
        sys.exit(f"make_fields.py: {structure}: can not read {body[at:].strip()[:60]!r}")
    return members


def table_of(structure, name, how, members):
    key = structure.removeprefix("vxe_")
    lines = [f"static const core_field core_{key}_fields[] = {{", *[member.row() for member in members], "};"]
    if how == "view":
        lines.append(f"static PyGetSetDef core_{key}_getset[] = {{")
        for index, member in enumerate(members):
            lines.append(f"    {{{quoted(member.name)}, core_view_value, core_view_assign, {quoted(member.doc)}, (void *){index}}},")
        if name == "Material":
            lines.append('    {"curve", core_material_curve, core_material_set_curve, "((strain, stress Pa), ...): the measured curve, from (0, 0) on; empty without one", NULL},')
        lines.append("    {NULL, NULL, NULL, NULL, NULL}};")
    if how == "facts":
        lines.append(f"static PyStructSequence_Field core_{key}_names[] = {{")
        lines += [f"    {{{quoted(member.name)}, {quoted(member.doc)}}}," for member in members]
        lines.append("    {NULL, NULL}};")
    return lines


def stub_of(how, members):
    lines, quote = [], '"'
    for member in members:
        if how == "choices":
            lines.append(f"    {member.name}: {member.stub}  # {member.doc}")
        else:
            lines.append(f"    {member.name}: {member.stub}")
            lines.append("\n".join(textwrap.wrap(f'"""{member.doc}{"." if member.doc.endswith(quote) else ""}"""', 158, initial_indent="    ", subsequent_indent="    ")))
    return lines


def files():
    """{path: what it should be}."""
    table = ["/* SPDX-License-Identifier: MIT */", "/* Members of the public structures, as tables. make_fields.py writes this file from the", "   headers: change those, and run it. */",
             "/* clang-format off */", "#ifndef VXE_PYTHON_CORE_FIELDS_H", "#define VXE_PYTHON_CORE_FIELDS_H", "", '#include "core.h"', ""]
    stubs = STUBS.read_text() if STUBS.exists() else ""
    for header, structure, name, how, left_out in STRUCTURES:
        members = members_of(header, structure, left_out)
        missing = [member.name for member in members if not member.doc]
        if missing:
            sys.exit(f"make_fields.py: {structure} has no comment on {', '.join(missing)}")
        table += table_of(structure, name, how, members) + [""]
        if stubs:
            begin, end = f"    # members of {structure}\n", "    # end of members\n"
            if begin in stubs:
                before, rest = stubs.split(begin)
                stubs = before + begin + "\n".join(stub_of(how, members)) + "\n" + end + rest.split(end, 1)[1]
    table += ["#endif", ""]
    return {TABLE: "\n".join(table), STUBS: stubs}


def main():
    wrong = [path for path, text in files().items() if text and (not path.exists() or path.read_text() != text)]
    if "--check" in sys.argv[1:]:
        for path in wrong:
            print(f"{path.relative_to(ROOT)}: not what the headers say; run python/make_fields.py")
        return 1 if wrong else 0
    for path in wrong:
        path.write_text(files()[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
