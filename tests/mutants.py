#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutants.py SOURCE [NAME...]: checks that asserts and physics tests find faults.

Copies SOURCE into a temporary folder, builds it there for one instruction set with VXE_ASSERT checked, and makes one small fault after
another. Each must be stopped by the compiler, by a failed assert in a short run, or by one of the tests that are named with it; without
faults runs and tests must end well. Nothing is written to SOURCE. Prints what survives; ends with 1 if something does, with 77 without
AVX2 or tools. With names: only these mutants.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# name: (file, [(text that occurs there once, what takes its place), ...], what finds it). What finds it: names of tests, of which one must
# fail; or "run DESIGN OPTIONS", in which an assert must fail.
MUTANTS = {
    # asserts
    "a chunk ends one slot too late":
        ("engine/core/chunks.c", [("chunk_first[chunks->chunk_count] = voxels;", "chunk_first[chunks->chunk_count] = voxels + 1;")],
         "run quadruped.vxa"),
    "two kernel arrays swapped":
        ("engine/voxels/rotation_law.h", [("qw = from(s->q[0], first)", "qw = from(s->w[0], first)"),
                                          ("wx = from(s->w[0], first)", "wx = from(s->q[0], first)")], "run quadruped.vxa"),
    "a bond law without a kernel":
        ("engine/solver/step.c", [("return VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | by_rows(model);",
                                   "return (vxe_bond_parts)(VXE_BOND_LAWS - 1);")], "run quadruped.vxa --damping explicit"),
    # laws
    "static friction of the floor x 0.97":
        ("engine/floor/friction_law.h", [("holds = mu_s * normal;", "holds = R(0.97) * mu_s * normal;")],
         "physics_floor physics_terrain"),
    "static friction of bodies and voxels x 0.9":
        ("engine/affine/affine_voxels.c", [("voxel->face.static_friction) * normal;", "0.9 * voxel->face.static_friction) * normal;")],
         "physics_affine_voxels"),
    "dashpot of bodies and voxels x 0.9":
        ("engine/affine/affine_voxels.c", [("fmin(voxel->face.dashpot, STOPPING_PART", "fmin(0.9 * voxel->face.dashpot, STOPPING_PART")],
         "physics_affine_voxels"),
    "bending of sticky links x 1.2":
        ("engine/contact/sticky_links.c", [("bending = BENDING * a2", "bending = 1.2 * BENDING * a2")],
         "physics_stick"),
    "dashpot of sticky links x 0.5":
        ("engine/contact/sticky_links.c", [("now.dashpot = pair_dashpot(", "now.dashpot = 0.5 * pair_dashpot(")],
         "physics_stick"),
    "shear dashpot of the linear contact model x 0.95":
        ("engine/contact_models/spring_dashpot.c", [("2 * numbers[VXE_LINEAR_DP_SRATIO]", "1.9 * numbers[VXE_LINEAR_DP_SRATIO]")],
         "physics_spheres"),
    "reference point of a magnetic gradient x 0.9":
        ("engine/magnets/magnets_model.c", [("field.reference[c] = magnets->reference[c];", "field.reference[c] = 0.9 * magnets->reference[c];")],
         "physics_dipoles"),
    "global damping of spin x 0.8":
        ("engine/model/voxel_model.c", [("spin_drag[i] = 2 * m->global_damping", "spin_drag[i] = 1.6 * m->global_damping")],
         "physics_damping"),
    "neighbours across an edge never collide":
        ("engine/contact/surface.c", [("joined ? 0 : 1u << bit", "joined ? 0 : 0u << bit")],
         "physics_contact"),
    "bonds of fixed voxels kept":
        ("engine/core/conventions.c", [(".fixed_unbonded = true", ".fixed_unbonded = false")],
         "engine_voxelyze"),
}


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


class Copy:
    """A copy of the sources and a build of it."""

    def __init__(self, source, folder):
        self.source = pathlib.Path(folder) / "source"
        self.build = pathlib.Path(folder) / "build"
        shutil.copytree(source, self.source, ignore=shutil.ignore_patterns("build", ".git"))
        done = run(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.build), "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1", "-DVOXELASTIC_ASSERTS=ON", "-DVOXELASTIC_ISAS=x86_64_v3"])
        if done.returncode:
            sys.exit(done.stdout[-2000:] + done.stderr[-2000:])

    def stops(self, finder):
        """What stops the sources as they are: the compiler, an assert or a test; None if nothing does."""
        words = finder.split()
        by_assert = words[0] == "run"
        made = run(["ninja", "-C", str(self.build), *(["voxelastic"] if by_assert else words)])
        if made.returncode:
            error = re.search(r".*\berror: .*", made.stdout)
            if not error:
                sys.exit(f"the build fails without a compile error: {made.stdout[-2000:]}")
            return error.group()
        if by_assert:
            done = run([str(self.build / "bin" / "voxelastic"), "run", str(self.source / "assets" / words[1]), "--duration", "0.2",
                        "--quiet", *words[2:]])
            failed = re.search(r"\w+\.[ch]:\d+: assertion failed: .*", done.stdout + done.stderr)
            return failed.group() if failed else None
        for test in words:
            try:
                if run([str(self.build / "tests" / test)], timeout=900).returncode:
                    return test
            except subprocess.TimeoutExpired:
                return f"{test}, which hangs"
        return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    names = sys.argv[2:] or list(MUTANTS)
    unknown = [name for name in names if name not in MUTANTS]
    if unknown:
        sys.exit(f"no such mutant: {', '.join(unknown)}")
    with open("/proc/cpuinfo", encoding="utf-8") as told:
        if " avx2 " not in told.read() or not shutil.which("ninja"):
            print("skipped: needs AVX2, cmake and ninja")
            sys.exit(77)
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(os.path.realpath(sys.argv[1]), folder)
        for finder in sorted({MUTANTS[name][2] for name in names}):
            stopped = copy.stops(finder)
            if stopped:
                sys.exit(f"without a fault: {stopped}")
        for name in names:
            path, edits, finder = MUTANTS[name]
            file = copy.source / path
            whole = changed = file.read_text(encoding="utf-8")
            for text, fault in edits:
                if whole.count(text) != 1:
                    sys.exit(f"{name}: \"{text}\" occurs {whole.count(text)} times in {path}")
                changed = changed.replace(text, fault)
            file.write_text(changed, encoding="utf-8")
            stopped = copy.stops(finder)
            print(f"{name}: " + (f"stopped: {stopped}" if stopped else "SURVIVES"), flush=True)
            survivors += [] if stopped else [name]
            file.write_text(whole, encoding="utf-8")
    print(f"{len(names) - len(survivors)} of {len(names)} mutants stopped")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
