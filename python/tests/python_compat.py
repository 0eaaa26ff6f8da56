# SPDX-License-Identifier: MIT
"""Programs for other simulators run with the lines changed that the documentation shows, and get the scores of the drop-in programs."""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree as ET
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from common import ASSETS, QUADRUPED, ROOT, main, np, program, vx
from voxelastic.compat import voxcraft

EXAMPLES = {"08_voxcraft.py": "from-voxcraft.md"}


@contextlib.contextmanager
def in_folder():
    """A folder to work in, in which assets/ is found."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ASSETS, f"{folder}/assets")
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def run_as(name, *words):
    """Runs the program under the name of another one."""
    os.symlink(program(), name)
    subprocess.run([f"./{name}", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.unlink(name)


class Examples(unittest.TestCase):
    def test_they_run_with_the_lines_of_the_documentation_changed(self):
        for name, page in EXAMPLES.items():
            with self.subTest(name), in_folder() as folder:
                text = (ROOT / "python/examples" / name).read_text()
                self.assertLessEqual(len(text.splitlines()), 40)
                told = (ROOT / "docs" / page).read_text()
                changed = re.findall(r"^(.*\S)  # was: (.*)$", text, re.MULTILINE)
                self.assertTrue(changed)
                for line in (line for lines in changed for line in lines):
                    self.assertIn(line, told)
                done = subprocess.run([sys.executable, ROOT / "python/examples" / name], capture_output=True, text=True, cwd=folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, r"[1-9]")


# Robots and a base as programs for voxcraft-sim write them.
SIZE = (5, 3, 2)
GOAL = "<FitnessFunction><mtSUB><mtVAR>x</mtVAR><mtABS><mtVAR>y</mtVAR></mtABS></mtSUB></FitnessFunction>"
STOPS = {"formula": "<StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtCONST>0.1</mtCONST></mtSUB></StopConditionFormula>",
         "by place": "<StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtADD><mtVAR>x</mtVAR><mtCONST>0.05</mtCONST></mtADD></mtSUB></StopConditionFormula>",
         "value": "<StopConditionType>2</StopConditionType><StopConditionValue>0.1</StopConditionValue>"}


def base(stop=STOPS["formula"], goal=GOAL):
    text = re.sub(r"<Voxelastic>.*</Voxelastic>", "", QUADRUPED.read_text())
    return re.sub(r"<StopConditionType>.*</StopConditionValue>", stop, text).replace("<Simulator>", "<Simulator>" + goal)


def phenotype(seed):
    random = np.random.default_rng(seed)
    material = random.integers(0, 3, SIZE)
    material[:, 0, 0] = 2
    layers = [("material", {"state": material}), ("PhaseOffset", {"state": random.random(SIZE)})]
    return SimpleNamespace(genotype=SimpleNamespace(orig_size_xyz=SIZE), get_phenotype=lambda: layers)


def evaluate_one(robot):
    """What a robot of voxcraft-evo does, in a process of a pool."""
    voxcraft.write_vxd(phenotype(robot), "run_1", robot)
    fitness = voxcraft.read_vxd("run_1", robot, "fitness_score")
    voxcraft.remove_vxd("run_1", robot)
    return fitness


class Voxcraft(unittest.TestCase):
    def setUp(self):
        self.enterContext(in_folder())
        os.mkdir("data_run_1")
        self.put_base()

    def put_base(self, *words, **named):
        Path("data_run_1/base.vxa").write_text(base(*words, **named))

    def report(self):
        """What the drop-in program says of the robots of the folder."""
        run_as("voxcraft-sim", "-i", "data_run_1", "-o", "report.xml", "-f")
        return ET.parse("report.xml").getroot()

    def test_fitness_is_that_of_the_drop_in_program(self):
        for stop in STOPS:
            with self.subTest(stop):
                self.put_base(STOPS[stop])
                for robot in range(4):
                    voxcraft.write_vxd(phenotype(robot), "run_1", robot)
                report = self.report()
                for robot in range(4):
                    told = report.find(f"detail/bot_{robot:04d}")
                    fitness = voxcraft.read_vxd("run_1", robot, "fitness_score")
                    self.assertEqual(f"{fitness:.17g}", told.find("fitness_score").text)
                    self.assertNotEqual(fitness, 0)
                    for tag in voxcraft.TAGS:
                        self.assertAlmostEqual(voxcraft.read_vxd("run_1", robot, tag), float(told.find(tag).text), delta=1e-12, msg=tag)
                    self.assertGreater(voxcraft.read_vxd("run_1", robot, "total_distance_of_all_voxels"), 1e-4)

    def test_the_first_call_simulates_the_folder(self):
        for robot in range(3):
            voxcraft.write_vxd(phenotype(robot), "run_1", robot)
        with mock.patch.object(voxcraft, "Batch", wraps=voxcraft.Batch) as batches, mock.patch.object(voxcraft, "_read", wraps=voxcraft._read) as read:
            first = [voxcraft.read_vxd("run_1", robot) for robot in range(3)]
            self.assertEqual((batches.call_count, read.call_count), (3, 3))
            voxcraft.write_vxd(phenotype(7), "run_1", 1)
            second = [voxcraft.read_vxd("run_1", robot) for robot in range(3)]
            self.assertEqual(read.call_count, 4)
        self.assertEqual((first[0], first[2]), (second[0], second[2]))
        self.assertNotEqual(first[1], second[1])
        voxcraft.remove_vxd("run_1", 1)
        self.assertEqual(len(os.listdir("data_run_1")), 3)

    def test_robots_of_a_pool_have_the_same_fitness(self):
        alone = [evaluate_one(robot) for robot in range(4)]
        with get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(evaluate_one, range(4)), alone)
        self.assertEqual(len(set(alone)), 4)

    def test_the_folder_of_the_published_script_is_found(self):
        os.rename("data_run_1", "data_run1")
        evaluate_one(1)

    def test_what_can_not_run_has_the_fitness_0_and_a_warning(self):
        voxcraft.write_vxd(phenotype(1), "run_1", 1)
        text = Path("data_run_1/bot_0001.vxd").read_text()
        Path("data_run_1/bot_0002.vxd").write_text(text.replace("</Layer></Data>", "1</Layer></Data>").replace("]]>1", "1]]>"))
        self.put_base(goal="")
        self.assertIsNotNone(self.report().find("detail/bot_0002/Refused"))
        for robot, why in ((1, "FitnessFunction"), (2, "bot_0002")):
            with self.assertWarnsRegex(vx.VoxelasticWarning, why):
                self.assertEqual(voxcraft.read_vxd("run_1", robot, "fitness_score"), 0)

    def test_mistakes_are_told(self):
        voxcraft.write_vxd(phenotype(1), "run_1", 1)
        wrong = phenotype(2)
        wrong.get_phenotype()[0][1]["state"][1, 1, 1] = 10
        short = phenotype(2)
        short.genotype.orig_size_xyz = (5, 3, 3)
        for expected, message, call in ((ValueError, "no tag 'fitness'; there are fitness_score", lambda: voxcraft.read_vxd("run_1", 1, "fitness")),
                                        (FileNotFoundError, "no file .*bot_0009.vxd", lambda: voxcraft.read_vxd("run_1", 9, "fitness_score")),
                                        (FileNotFoundError, "no folder data_run_9", lambda: voxcraft.write_vxd(phenotype(1), "run_9", 1)),
                                        (ValueError, "one digit .* not 10", lambda: voxcraft.write_vxd(wrong, "run_1", 2)),
                                        (ValueError, "expected 45 numbers", lambda: voxcraft.write_vxd(short, "run_1", 2))):
            with self.assertRaisesRegex(expected, message):
                call()
        self.assertEqual(sorted(os.listdir("data_run_1")), ["base.vxa", "bot_0001.vxd"])


if __name__ == "__main__":
    main()
