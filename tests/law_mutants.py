#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""law_mutants.py SOURCE [NAME...]: checks that the physics tests find wrong constants and terms of the laws.

Copies SOURCE into a temporary folder, builds it there for one instruction set, and makes one small fault after another. For each, the
tests that are named with it must fail; without faults they must pass. Nothing is written to SOURCE. Prints what survives; ends with 1 if
something does, with 77 without AVX2 or tools. With names: only these mutants.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# name: (file, text that occurs there once, its replacement, tests of which one must fail)
MUTANTS = {
    "static friction of the floor x 0.97":
        ("engine/floor/friction_law.h", "holds = mu_s * normal;", "holds = R(0.97) * mu_s * normal;", "physics_floor physics_terrain"),
    "static friction of bodies and voxels x 0.9":
        ("engine/affine/affine_voxels.c", "voxel->face.static_friction) * normal;", "0.9 * voxel->face.static_friction) * normal;",
         "physics_affine_voxels"),
    "dashpot of bodies and voxels x 0.9":
        ("engine/affine/affine_voxels.c", "fmin(voxel->face.dashpot, STOPPING_PART", "fmin(0.9 * voxel->face.dashpot, STOPPING_PART",
         "physics_affine_voxels"),
    "bending of sticky links x 1.2":
        ("engine/contact/sticky_links.c", "bending = BENDING * a2", "bending = 1.2 * BENDING * a2", "physics_stick"),
    "dashpot of sticky links x 0.5":
        ("engine/contact/sticky_links.c", "now.dashpot = pair_dashpot(", "now.dashpot = 0.5 * pair_dashpot(", "physics_stick"),
    "shear dashpot of the linear contact model x 0.95":
        ("engine/contact_models/spring_dashpot.c", "2 * numbers[VXE_LINEAR_DP_SRATIO]", "1.9 * numbers[VXE_LINEAR_DP_SRATIO]",
         "physics_spheres"),
    "reference point of a magnetic gradient x 0.9":
        ("engine/magnets/magnets_model.c", "field.reference[c] = magnets->reference[c];",
         "field.reference[c] = 0.9 * magnets->reference[c];", "physics_dipoles"),
    "global damping of spin x 0.8":
        ("engine/model/voxel_model.c", "spin_drag[i] = 2 * m->global_damping", "spin_drag[i] = 1.6 * m->global_damping", "physics_damping"),
    "neighbours across an edge never collide":
        ("engine/contact/surface.c", "joined ? 0 : 1u << bit", "joined ? 0 : 0u << bit", "physics_contact"),
    "bonds of fixed voxels kept":
        ("engine/core/conventions.c", ".fixed_unbonded = true", ".fixed_unbonded = false", "engine_voxelyze"),
}


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


class Copy:
    """A copy of the sources and a build of it."""

    def __init__(self, source, folder):
        self.source = pathlib.Path(folder) / "source"
        self.build = pathlib.Path(folder) / "build"
        shutil.copytree(source, self.source, ignore=shutil.ignore_patterns("build", ".git"))
        self.must(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.build), "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                   "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1", "-DVOXELASTIC_ISAS=x86_64_v3"])

    @staticmethod
    def must(command):
        done = run(command)
        if done.returncode:
            sys.exit(f"{' '.join(command)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")

    def make(self, tests):
        self.must(["ninja", "-C", str(self.build), *tests])

    def passes(self, tests):
        """Whether all tests pass; a test that hangs fails."""
        for test in tests:
            try:
                if run([str(self.build / "tests" / test)], timeout=600).returncode:
                    return False
            except subprocess.TimeoutExpired:
                return False
        return True


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
        tests = sorted({test for name in names for test in MUTANTS[name][3].split()})
        copy.make(tests)
        if not copy.passes(tests):
            sys.exit("the tests fail without a fault")
        for name in names:
            path, text, fault, tests = MUTANTS[name]
            file = copy.source / path
            whole = file.read_text(encoding="utf-8")
            if whole.count(text) != 1:
                sys.exit(f"{name}: \"{text}\" occurs {whole.count(text)} times in {path}")
            file.write_text(whole.replace(text, fault), encoding="utf-8")
            copy.make(tests.split())
            survives = copy.passes(tests.split())
            print(f"{'SURVIVES' if survives else 'found   '}  {name}", flush=True)
            survivors += [name] if survives else []
            file.write_text(whole, encoding="utf-8")
    print(f"{len(names) - len(survivors)} of {len(names)} mutants found")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
