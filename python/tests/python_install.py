# SPDX-License-Identifier: MIT
"""python_install.py [--sdist]: the package is installed by pip into a virtual environment, without an index, and imported from another folder. By default the module
of this build is taken; with --sdist a source distribution is made, and built, which takes some minutes."""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from common import QUADRUPED, ROOT, main

SDIST = "--sdist" in sys.argv
PROGRAM = """
import sys, voxelastic as vx
import voxelastic.compat.evogym, voxelastic.compat.evosoro, voxelastic.compat.voxcraft
assert sys.argv[2] in vx.__file__, vx.__file__
world = vx.World(vx.Design.read(sys.argv[1]))
world.advance(100)
print(vx.__version__, f"{world.hash:016x}")
"""


def run(*words, **keywords):
    """Runs a command and returns its output; the output is in the exception where it fails."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **keywords)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout[-6000:]}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="voxelastic-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VOXELASTIC_BUILD")}
        cls.environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        cls.source = cls.folder / "source"
        shutil.copytree(ROOT, cls.source, ignore=lambda folder, names: [name for name in names if Path(folder) == ROOT and name in ("build", ".git")])
        cls.venv = cls.folder / "venv"
        run(sys.executable, "-m", "venv", "--system-site-packages", cls.venv)

    def python(self, *words, **keywords):
        return run(self.venv / "bin/python", *words, env=self.environment, **keywords)

    def install(self, what, **more):
        environment = dict(self.environment, **more)
        run(self.venv / "bin/pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--force-reinstall", what, env=environment)

    def try_it(self):
        """Runs a world in a folder where nothing of the sources is in sight."""
        version, hash = self.python("-c", PROGRAM, QUADRUPED, self.venv, cwd=self.folder).split()
        self.assertEqual(version, re.search(r"project\(voxelastic VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1))
        import voxelastic as vx
        world = vx.World(vx.Design.read(QUADRUPED))
        world.advance(100)
        self.assertEqual(hash, f"{world.hash:016x}")

    def make_sdist(self):
        run(sys.executable, "-c", "import setuptools.build_meta as build; build.build_sdist('dist')", cwd=self.source, env=self.environment)
        made, = (self.source / "dist").iterdir()
        return made

    @unittest.skipIf(SDIST, "the other test")
    def test_a_wheel(self):
        wheels = self.folder / "wheels"
        build = os.environ["VOXELASTIC_BUILD"]
        run(self.venv / "bin/pip", "wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", wheels, self.source, env=dict(self.environment, VOXELASTIC_BUILD=build))
        wheel, = wheels.iterdir()
        self.assertRegex(wheel.name, r"^voxelastic-[\d.]+-cp311-abi3-\w+\.whl$")
        names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("voxelastic/")}
        package = ROOT / "python/voxelastic"
        files = {f"voxelastic/{path.relative_to(package)}" for path in package.rglob("*") if path.is_file() and path.parent.name != "__pycache__"}
        self.assertEqual(names, files | {"voxelastic/_core.abi3.so"})
        self.install(wheel)
        self.try_it()

    @unittest.skipIf(SDIST or not shutil.which("nm"), "the other test, or no nm")
    def test_the_module_shows_its_entry_only(self):
        from voxelastic import _core
        symbols = {line.split()[2] for line in run("nm", "-D", "--defined-only", _core.__file__).splitlines()}
        self.assertEqual({name for name in symbols if not name.startswith(("__asan", "__ubsan", "_edata", "_end", "__bss_start"))}, {"PyInit__core"})

    @unittest.skipIf(SDIST, "the other test")
    def test_the_clone_hides_nothing(self):
        with self.assertRaisesRegex(AssertionError, "No module named 'voxelastic'"):
            run(sys.executable, "-c", "import voxelastic", cwd=ROOT, env=self.environment)

    @unittest.skipIf(SDIST, "the other test")
    def test_a_source_distribution_can_be_configured(self):
        with tarfile.open(self.make_sdist()) as archive:
            archive.extractall(self.folder / "unpacked")
        unpacked, = (self.folder / "unpacked").iterdir()
        self.assertFalse((unpacked / "tests").exists())
        run("cmake", "-S", unpacked, "-B", self.folder / "configured", "-DVOXELASTIC_PYTHON=ON", "-DVOXELASTIC_TESTS=OFF", f"-DVOXELASTIC_PYTHON_EXECUTABLE={sys.executable}")

    @unittest.skipUnless(SDIST, "the other test")
    def test_a_source_distribution_is_built(self):
        made = self.make_sdist()
        shutil.move(made, self.folder)
        shutil.rmtree(self.source)
        self.install(self.folder / made.name, CMAKE_ARGS="-DCMAKE_C_FLAGS_RELEASE=-O0 -DVOXELASTIC_ISAS=x86_64_v3")
        self.try_it()


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--sdist"]
    main()
