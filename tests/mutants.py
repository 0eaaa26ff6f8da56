#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that asserts and physics tests find faults in the laws: makes one small fault after another, those of mutant_table.py.

Works on a copy of the sources in the build folder, built for one instruction set with VXE_ASSERT checked; the tree itself is not changed.
Each fault is looked for by the tests that the table names with it, and where these pass by all quick tests with the label physics. Prints
what survives; ends with 1 if something does, with 77 where AVX2 or a tool is missing.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # no files beside the sources
from mutant_table import MUTANTS  # noqa: E402  pylint: disable=wrong-import-position

TREE = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ("cmake", "ctest", "ninja")
TIMEOUT_S = 150  # of a test; the longest takes 30 s


class Mutant:
    """A fault: a text of a file, and what takes its place."""

    def __init__(self, file, finders, fault):
        self.name, self.text, self.replacement = fault[:3]
        self.file = file
        finders = fault[3] if len(fault) > 3 else finders
        self.run = finders.split()[1:] if finders.startswith("run ") else None
        self.finders = [] if self.run else finders.split()

    def __str__(self):
        return f"{self.file}: {self.name}"

    def wrong(self):
        """What is wrong with this row of the table; None if nothing is."""
        path = TREE / self.file
        if not path.is_file():
            return "no such file"
        count = path.read_text(encoding="utf-8").count(self.text)
        if count != 1:
            return f'"{self.text}" occurs {count} times'
        if self.replacement == self.text:
            return "changes nothing"
        missing = [finder for finder in self.finders if not finder.startswith("reference_") and not (TREE / "tests" / f"{finder}.c").is_file()]
        return f"no test {missing[0]}" if missing else None


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, errors="replace", **more)


def stop(why):
    print(why, file=sys.stderr)
    sys.exit(2)


def tracked_files():
    """Files of the tree, without what git ignores; without git all but the build folder."""
    told = run(["git", "-C", TREE, "ls-files", "-co", "--exclude-standard", "-z"]) if (TREE / ".git").exists() else None
    if told and not told.returncode:
        return [name for name in told.stdout.split("\0") if (TREE / name).is_file()]
    names = [path.relative_to(TREE) for path in TREE.rglob("*") if path.is_file()]
    return [str(name) for name in names if name.parts[0] not in ("build", ".git")]


class Copy:
    """A copy of the sources and a build of it."""

    def __init__(self, options):
        self.source = options.build.resolve() / "source"
        self.build = options.build.resolve() / "build"
        self.jobs = options.jobs
        self.named = options.named
        self.update()
        self.configure()
        self.tests = self.list_tests()

    def update(self):
        """Makes the copy equal to the tree; files that are equal keep their times, and are not built again."""
        if self.source.exists() and not (self.source / "tests" / "mutants.py").is_file():
            stop(f"{self.source} is no copy of these sources")
        names = set(tracked_files())
        for path in list(self.source.rglob("*")) if self.source.exists() else []:
            if path.is_file() and str(path.relative_to(self.source)) not in names:
                path.unlink()
        for name in names:
            path = self.source / name
            content = (TREE / name).read_bytes()
            if not path.is_file() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                shutil.copymode(TREE / name, path)

    def configure(self):
        # clang compiles the kernels three times as fast as gcc
        compiler = ["-DCMAKE_C_COMPILER=clang"] if shutil.which("clang") else []
        done = run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O1",
                    "-DVOXELASTIC_ASSERTS=ON", "-DVOXELASTIC_ISAS=x86_64_v3", *compiler])
        if done.returncode:
            stop(done.stdout[-2000:] + done.stderr[-2000:])

    def make(self, targets):
        """Builds targets; returns the first compile error, or None."""
        done = run(["ninja", "-C", self.build, "-j", self.jobs, *targets])
        if done.returncode == 0:
            return None
        error = re.search(r".*\berror: .*", done.stdout)
        return error.group() if error else done.stdout[-300:]

    def list_tests(self):
        """All tests by their names; those whose programs are not built yet have no command."""
        told = run(["ctest", "--show-only=json-v1"], cwd=self.build)
        return {test["name"]: test for test in json.loads(told.stdout)["tests"]}

    def quick_physics(self):
        """Names of the tests with the label physics that are not slow."""
        def labels(test):
            return next((p["value"] for p in test.get("properties", []) if p["name"] == "LABELS"), [])
        return [name for name, test in self.tests.items() if "physics" in labels(test) and "slow" not in labels(test)]

    def failure_of(self, name):
        """Runs a test; returns None, or what failed."""
        test = self.tests[name]
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        environment = dict(os.environ, OMP_WAIT_POLICY="passive")
        environment.update(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        try:
            done = run(test["command"], cwd=properties.get("WORKING_DIRECTORY", self.build), env=environment, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return f"{name}, which hangs"
        if done.returncode == 0:
            return None
        cases = re.findall(r"\[  FAILED  \] (\w+)", done.stdout + done.stderr)
        return f"{name}: {cases[0]}" if cases else name

    def failure_in(self, names):
        """Builds and runs tests, one after another: what failed first, or None; and a compile error, or None."""
        targets = sorted({"reference_replay" if name.startswith("reference_") else name for name in names})
        error = self.make(targets)
        if error:
            return None, error
        self.tests = self.list_tests()
        return next(filter(None, map(self.failure_of, names)), None), None

    def assert_in(self, design, options):
        """A failed assert in a short run of a design, or None; and a compile error, or None."""
        error = self.make(["voxelastic"])
        if error:
            return None, error
        done = run([self.build / "bin" / "voxelastic", "run", self.source / "assets" / design, "--duration", "0.2", "--quiet", *options])
        failed = re.search(r"\w+\.[ch]:\d+: assertion failed: .*", done.stdout + done.stderr)
        return failed.group() if failed else None, None

    def find(self, mutant):
        """Looks for a mutant: what found it, or None; and a compile error, or None."""
        path = self.source / mutant.file
        plain = path.read_text(encoding="utf-8")
        path.write_text(plain.replace(mutant.text, mutant.replacement), encoding="utf-8")
        try:
            if mutant.run:
                return self.assert_in(mutant.run[0], mutant.run[1:])
            found, error = self.failure_in(mutant.finders)
            if not found and not error and not self.named:
                found, error = self.failure_in([name for name in self.quick_physics() if name not in mutant.finders])
            return found, error
        finally:
            path.write_text(plain, encoding="utf-8")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="check the table and print the names of its mutants")
    parser.add_argument("--only", metavar="REGEX", default="", help='mutants whose "FILE: NAME" contains this')
    parser.add_argument("--skip", metavar="REGEX", default="", help='without mutants whose "FILE: NAME" contains this')
    parser.add_argument("--from", metavar="N", type=int, default=1, dest="first", help="begin with the Nth of them")
    parser.add_argument("--build", metavar="DIR", type=pathlib.Path, default=TREE / "build" / "mutants", help="default: build/mutants")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="of the compiler; default: all processors")
    parser.add_argument("--named", action="store_true", help="run the tests that the table names only: quicker, but others may find what is left")
    parser.add_argument("--skip-check", action="store_true", help="do not run the tests without a mutant first")
    return parser.parse_args()


def chosen(options):
    """Mutants of the table that the options ask for, with their numbers; stops where a row of the table is wrong."""
    mutants = [Mutant(file, finders, fault) for file, finders, faults in MUTANTS for fault in faults]
    wrong = [f"{mutant}: {mutant.wrong()}" for mutant in mutants if mutant.wrong()]
    names = [str(mutant) for mutant in mutants]
    wrong += [f"{name}: twice in the table" for name in sorted(set(names)) if names.count(name) > 1]
    if wrong:
        stop("\n".join(wrong))
    left = [m for m in mutants if re.search(options.only, str(m)) and not (options.skip and re.search(options.skip, str(m)))]
    return list(enumerate(left, 1))[options.first - 1:]


def hunt(copy, mutants):
    """Looks for mutants one by one; returns the number of those found, and the others."""
    found_count = 0
    others = []
    for number, mutant in mutants:
        start = time.monotonic()
        found, error = copy.find(mutant)
        told = "DOES NOT BUILD: " + error if error else "found by " + found if found else "SURVIVED"
        print(f"{number:4} {mutant}: {told} ({time.monotonic() - start:.0f} s)", flush=True)
        found_count += found is not None
        others += [] if found else [f"{mutant}: {told}"]
    return found_count, others


def main():
    options = arguments()
    mutants = chosen(options)
    if options.list:
        for number, mutant in mutants:
            print(f"{number:4} {mutant}")
        return
    with open("/proc/cpuinfo", encoding="utf-8") as told:
        if " avx2 " not in told.read() or not all(map(shutil.which, TOOLS)):
            print(f"skipped: needs AVX2, {', '.join(TOOLS)}")
            sys.exit(77)
    copy = Copy(options)
    if not options.skip_check:
        failed, error = copy.failure_in(copy.quick_physics())
        if failed or error:
            stop(f"without a mutant: {failed or error}")
    found, others = hunt(copy, mutants)
    print(f"{found} of {len(mutants)} mutants found")
    print("\n".join(others))
    sys.exit(1 if others else 0)


if __name__ == "__main__":
    main()
