# SPDX-License-Identifier: MIT
"""Builds the Python package: the module in C is the target vxe_python of CMake. From the environment: CMAKE_GENERATOR and CMAKE_BUILD_PARALLEL_LEVEL, which CMake reads
itself; CMAKE_ARGS, more options of CMake; VOXELASTIC_BUILD, a folder that was configured already, with VOXELASTIC_PYTHON=ON and for this Python: its module is taken."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
MODULE = "python/voxelastic/_core.abi3.so"  # in the build folder


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("VOXELASTIC_BUILD")
        folder = Path(given or self.build_temp).resolve()
        if not given:
            self.configure(folder)
        jobs = [] if "CMAKE_BUILD_PARALLEL_LEVEL" in os.environ else ["--parallel", str(self.parallel or len(os.sched_getaffinity(0)))]
        subprocess.run(["cmake", "--build", folder, "--target", "vxe_python", *jobs], check=True)
        into = Path(self.get_ext_fullpath(extension.name))
        into.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / MODULE, into)

    @staticmethod
    def configure(folder):
        """Configures a folder; one that is configured keeps its generator."""
        generator = []
        if not (folder / "CMakeCache.txt").exists() and "CMAKE_GENERATOR" not in os.environ and shutil.which("ninja"):
            generator = ["-G", "Ninja"]
        options = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_C_FLAGS_RELEASE": "-O2", "CMAKE_MODULE_LINKER_FLAGS": "-s", "VOXELASTIC_PYTHON": "ON", "VOXELASTIC_TESTS": "OFF",
                   "VOXELASTIC_PYTHON_EXECUTABLE": sys.executable}
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, *(f"-D{name}={value}" for name, value in options.items()),
                        *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)


version = re.search(r"project\(voxelastic VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
(ROOT / "build").mkdir(exist_ok=True)  # all that comes of a build of the package lies there
setup(version=version, ext_modules=[Extension("voxelastic._core", [], py_limited_api=True)], cmdclass={"build_ext": BuildByCMake},
      options={"bdist_wheel": {"py_limited_api": "cp311"}, "egg_info": {"egg_base": "build"}})
