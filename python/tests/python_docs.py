# SPDX-License-Identifier: MIT
"""Every public name says what it is; the tables made from the headers are what the headers say; the stubs name what the module has."""
import ast
import inspect
import re
import subprocess
import sys
import unittest

from common import ROOT, main, vx

UNITS = re.compile(r"\b(m|s|kg|Pa|N|J|K|rad|Hz|T)\b")


def members(kind):
    """Public attributes of a class: {name: object}."""
    return {name: value for base in reversed(kind.__mro__[:-1]) if base.__module__.startswith("voxelastic") for name, value in vars(base).items() if not name.startswith("_")}


class Docs(unittest.TestCase):
    def test_all_public_names_say_what_they_are(self):
        silent = []
        for name in vx.__all__:
            value = getattr(vx, name)
            if isinstance(value, vx.Status):
                continue
            if not inspect.getdoc(value):
                silent.append(name)
            if inspect.isclass(value) and not issubclass(value, (Exception, vx.Status)):
                silent += [f"{name}.{member}" for member, what in members(value).items() if not (inspect.getdoc(what) or "").strip()]
        self.assertEqual(silent, [])

    def test_attributes_in_python_say_what_they_are(self):
        """Values of enumerations, and attributes of exceptions and replays, have a text behind them."""
        for file, classes in (("batch.py", ("Status",)), ("errors.py", ("Error", "Diverged"))):
            tree = ast.parse((ROOT / "python/voxelastic" / file).read_text())
            for kind in (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in classes):
                for this, following in zip(kind.body[1:], kind.body[2:] + [None]):
                    if isinstance(this, (ast.Assign, ast.AnnAssign)):
                        self.assertIsInstance(getattr(following, "value", None), ast.Constant, f"{file}:{this.lineno}")

    def test_numbers_have_units(self):
        for kind in (vx.World, vx.Frame):
            for name in ("time", "positions", "center", "velocity", "velocities", "spins", "edges", "stresses"):
                if hasattr(kind, name):
                    self.assertRegex(getattr(kind, name).__doc__, UNITS, f"{kind.__name__}.{name}")

    def test_tables_are_what_the_headers_say(self):
        done = subprocess.run([sys.executable, ROOT / "python/make_fields.py", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_stubs_name_what_there_is(self):
        from voxelastic import _core
        tree = ast.parse((ROOT / "python/voxelastic/_core.pyi").read_text())
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self.assertTrue(callable(getattr(_core, node.name)), node.name)
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                told = {getattr(item, "name", None) or item.target.id for item in node.body if isinstance(item, (ast.FunctionDef, ast.AnnAssign))}
                there = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")} - {"n_fields", "n_sequence_fields", "n_unnamed_fields", "index", "count"}
                self.assertEqual({name for name in told if not name.startswith("_")}, there, node.name)
        classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
        self.assertEqual(classes, {name for name in vars(_core) if inspect.isclass(getattr(_core, name))})

    def test_nothing_prints(self):
        for path in (ROOT / "python").glob("*.c"):
            self.assertNotRegex(path.read_text(), r"\b(printf|fprintf|puts|fputs)\(", path.name)
        for path in (ROOT / "python/voxelastic").rglob("*.py"):
            called = {node.func.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
            self.assertNotIn("print", called, path.name)


if __name__ == "__main__":
    main()
