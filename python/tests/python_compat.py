# SPDX-License-Identifier: MIT
"""Programs for other simulators run with the lines changed that the documentation shows, and get the scores of the drop-in programs."""
import contextlib
import functools
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from common import ASSETS, QUADRUPED, ROOT, main, np, program, vx
from voxelastic.compat import evosoro, voxcraft

EXAMPLES = {"06_evogym.py": "from-evogym.md", "07_evosoro.py": "from-voxelyze.md", "08_voxcraft.py": "from-voxcraft.md"}


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
LATER = ("<SecondaryExperiment>1</SecondaryExperiment><ReinitializeInitialPositionAfterThisManySeconds>{}</ReinitializeInitialPositionAfterThisManySeconds>"
         "<StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtCONST>0.1</mtCONST></mtSUB></StopConditionFormula>")
STOPS = {"later": LATER.format(0.04), "too late": LATER.format(0.4), "formula": "<StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtCONST>0.1</mtCONST></mtSUB></StopConditionFormula>",
         "by place": "<StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtADD><mtVAR>x</mtVAR><mtCONST>0.05</mtCONST></mtADD></mtSUB></StopConditionFormula>",
         "value": "<StopConditionType>2</StopConditionType><StopConditionValue>0.1</StopConditionValue>"}


def base(stop=STOPS["formula"], goal=GOAL):
    text = re.sub(r"<Voxelastic>.*</Voxelastic>", "", QUADRUPED.read_text())
    return re.sub(r"<StopConditionType>.*</StopConditionValue>", stop, text).replace("<Simulator>", "<Simulator>" + goal)


def phenotype(seed):
    chance = np.random.default_rng(seed)
    material = chance.integers(0, 3, SIZE)
    material[:, 0, 0] = 2
    layers = [("material", {"state": material}), ("PhaseOffset", {"state": chance.random(SIZE)})]
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


def evosoro_sim(**changes):
    """evosoro's Sim: its attributes, and parameters that were added."""
    given = dict(self_collisions_enabled=True, simulation_time=0.3, dt_frac=0.9, stop_condition=2, fitness_eval_init_time=0.1, equilibrium_mode=0, min_temp_fact=0.1,
                 max_temp_fact_change=1e-5, max_stiffness_change=1e4, min_elastic_mod=5e6, max_elastic_mod=5e8, afterlife_time=0, mid_life_freeze_time=0, new_param_tag_dict={})
    return SimpleNamespace(**given | changes)


def evosoro_env(added=None, **changes):
    """evosoro's Env. added: {tag: value}, as by add_param."""
    given = dict(frequency=4.0, gravity_enabled=1, temp_enabled=1, floor_enabled=1, floor_slope=0.0, lattice_dimension=0.01, fat_stiffness=5e6, bone_stiffness=5e8,
                 muscle_stiffness=5e6, sticky_floor=0, time_between_traces=0, actuation_variance=0, temp_amp=39)
    added = added or {}
    return SimpleNamespace(new_param_tag_dict={name.lower(): f"<{name}>" for name in added}, **given | {name.lower(): value for name, value in added.items()} | changes)


def evosoro_individual(seed, number=None, **layers):
    chance = np.random.default_rng(seed)
    size = (4, 3, 2)
    mapping = {"material": {"tag": "<Data>", "state": chance.integers(1, 8, size), "output_type": int, "params": None, "param_tags": None, "env_kws": None},
               "offset": {"tag": "<PhaseOffset>", "state": chance.random(size), "output_type": float, "params": None, "param_tags": None, "env_kws": None}}
    mapping["material"]["state"][1, 1, 1] = 0
    genotype = SimpleNamespace(orig_size_xyz=size, to_phenotype_mapping=mapping | layers)
    return SimpleNamespace(id=seed if number is None else number, genotype=genotype, phenotype=SimpleNamespace(is_valid=lambda: True), fitness=-10e6, num_voxels=10e6, age=0)


class Population(list):
    """evosoro's Population, as far as evaluations see it."""

    def __init__(self, individuals):
        super().__init__(individuals)
        self.gen, self.total_evaluations, self.best_fit_so_far, self.already_evaluated, self.all_evaluated_individuals_ids = 0, 0, -10e6, {}, []
        names = {"fitness": "<NormFinalDist>", "age": None, "num_voxels": None, "volume": "<RobotVolumeEnd>"}
        self.objective_dict = {rank: {"name": name, "tag": tag, "worst_value": -10e6 if rank == 0 else 10e6, "node_func": None, "output_node_name": None}
                               for rank, (name, tag) in enumerate(names.items())}
        self.objective_dict[2].update(node_func=np.count_nonzero, output_node_name="material")


class Optimizer:
    """evosoro's way to its evaluation."""

    def __init__(self, pop, env=None):
        self.sim, self.env, self.pop, self.log = evosoro_sim(), env or evosoro_env(), pop, []

    def run(self, save_vxa_every=0, save_lineages=False):
        self.evaluate(self.sim, self.env, self.pop, SimpleNamespace(message=self.log.append), save_vxa_every, "run_data", "Run", 60, 30, save_lineages)


def optimizer(individuals, evaluate=evosoro.evaluate_all, **words):
    made = Optimizer(Population(individuals), **words)
    made.evaluate = evaluate
    return made


class Evosoro(unittest.TestCase):
    def setUp(self):
        self.enterContext(in_folder())

    def result_of(self, text, preset):
        """{tag: text} of the result file that the drop-in program writes."""
        Path("robot.vxa").write_text(text)
        with mock.patch.dict(os.environ, VOXELASTIC_PEER=preset or ""):
            run_as("voxelyze", "-f", "robot.vxa")
        return dict(re.findall(r"<(\w+)>(.*)</\1>", Path("result.xml").read_text()))

    def test_scores_are_those_of_the_drop_in_program_digit_by_digit(self):
        for preset, sim, added in ((None, {}, {}), (None, {"fitness_eval_init_time": 0}, {}),
                                   (None, {"afterlife_time": 0.1, "simulation_time": 0.2}, {"StickyFloor": 1}), (None, {}, {"FluidEnvironment": 1}),
                                   ("evosoro", {"self_collisions_enabled": False}, {"NormDistByVol": 1, "NormalizationExponent": 0.5, "TimeBetweenTraces": 0.01}),
                                   ("evosoro", {}, {"NormDistByVol": True, "NeedleInHaystack": 1}),
                                   ("recorg", {"afterlife_time": 0.1}, {"BlockPushing": 1, "BlockMaterial": 2}),
                                   ("native", {}, {})):
            for seed in range(2):
                with self.subTest(f"{preset} {sim} {added} {seed}"):
                    words = evosoro_sim(**sim), evosoro_env(added), evosoro_individual(seed)
                    told = self.result_of(evosoro.write_vxa(*words, "result.xml"), preset)
                    self.assertEqual(evosoro.evaluate_one(*words, conventions=preset), {tag: float(value) for tag, value in told.items() if tag != "Peer"})
                    self.assertNotEqual(float(told["NormFinalDist"]), 0)

    def test_one_that_bursts_has_moved_by_0_as_there(self):
        words = evosoro_sim(dt_frac=12), evosoro_env(), evosoro_individual(1)
        told = self.result_of(evosoro.write_vxa(*words, "result.xml"), None)
        self.assertEqual(told["Diverged"], "1")
        self.assertEqual(evosoro.evaluate_one(*words), {tag: float(value) for tag, value in told.items() if tag != "Peer"})

    def test_a_generation_is_evaluated(self):
        several = optimizer([evosoro_individual(seed) for seed in range(5)])
        several.pop[3].phenotype.is_valid = lambda: False
        several.run()
        for individual in several.pop:
            if individual.id == 3:
                self.assertEqual((individual.fitness, individual.volume, individual.age), (-10e6, 10e6, 0))
                continue
            told = evosoro.evaluate_one(several.sim, several.env, individual)
            self.assertEqual((individual.fitness, individual.volume), (told["NormFinalDist"], told["RobotVolumeEnd"]))
            self.assertEqual(individual.num_voxels, 23)
            self.assertEqual(several.pop.already_evaluated[individual.md5], [individual.fitness, 0, 23, individual.volume])
        self.assertEqual((several.pop.total_evaluations, several.pop.all_evaluated_individuals_ids), (4, [0, 1, 2, 4]))
        self.assertEqual(several.pop.best_fit_so_far, max(individual.fitness for individual in several.pop))
        self.assertIn("Skipping invalid individual", several.log)
        self.assertEqual(os.listdir(), ["assets"])

    def test_equal_phenotypes_are_evaluated_once(self):
        first = optimizer([evosoro_individual(1), evosoro_individual(2)])
        first.run()
        first.pop += [evosoro_individual(1, 7), evosoro_individual(3)]
        with mock.patch.object(evosoro, "score", wraps=evosoro.score) as scored:
            first.run()
        self.assertEqual((scored.call_count, first.pop.total_evaluations), (1, 3))
        self.assertEqual((first.pop[2].fitness, first.pop[2].num_voxels), (first.pop[0].fitness, 23))
        vague = optimizer([evosoro_individual(1), evosoro_individual(1, 2)], env=evosoro_env(actuation_variance=0.5))
        vague.run()
        self.assertEqual(vague.pop.total_evaluations, 2)
        self.assertNotEqual(vague.pop[0].fitness, vague.pop[1].fitness)
        vague.run()
        self.assertEqual(vague.pop.total_evaluations, 4)

    def test_the_random_numbers_of_a_search_are_drawn_as_there(self):
        random.seed(5)
        optimizer([evosoro_individual(seed) for seed in range(4)]).run()
        following = random.random()
        random.seed(5)
        for _ in range(3 * 4):
            random.random()
        self.assertEqual(random.random(), following)

    def test_layers_set_the_environment(self):
        layer = {"tag": "<unused>", "state": np.full((4, 3, 2), 3.0), "output_type": float, "params": None, "param_tags": None, "env_kws": {"frequency": np.mean}}
        evolved = optimizer([evosoro_individual(1, frequency=layer)])
        evolved.run()
        self.assertEqual(evolved.env.frequency, 3)
        self.assertNotIn("unused", evosoro.write_vxa(evolved.sim, evolved.env, evolved.pop[0]))
        self.assertEqual(evolved.pop[0].fitness, evosoro.evaluate_one(evolved.sim, evosoro_env(frequency=3), evosoro_individual(1))["NormFinalDist"])

    def test_cells_stand_where_they_are_in_arrays(self):
        one = evosoro_individual(1)
        design = vx.Design.read_text(evosoro.write_vxa(evosoro_sim(), evosoro_env(), one))
        state, offset = (one.genotype.to_phenotype_mapping[name]["state"] for name in ("material", "offset"))
        self.assertTrue((design.to_array() == state).all())
        x, y, z = design.positions.T
        self.assertTrue((design.layer("PhaseOffset").values == offset[x, y, z]).all())

    def test_layers_have_parameters(self):
        layer = {"tag": "<Stiffness>", "state": np.full((4, 3, 2), 2e7), "output_type": float, "params": [5e6, 5e7], "param_tags": ["<MinElasticMod>", "<MaxElasticMod>"]}
        text = evosoro.write_vxa(evosoro_sim(), evosoro_env(), evosoro_individual(1, stiffness=layer))
        self.assertIn("<Stiffness>\n<MinElasticMod>5000000.0</MinElasticMod>\n<MaxElasticMod>50000000.0</MaxElasticMod>\n<Layer>", text)
        self.assertEqual(set(vx.Design.read_text(text).layer("Stiffness").values), {2e7})

    def test_without_a_layer_of_materials_all_is_muscle(self):
        only = evosoro_individual(1)
        del only.genotype.to_phenotype_mapping["material"]
        self.assertTrue((vx.Design.read_text(evosoro.write_vxa(evosoro_sim(), evosoro_env(), only)).to_array() == 3).all())

    def test_files_are_kept_where_evosoro_keeps_them(self):
        for folder in ("bestSoFar/fitOnly", "lineages", "Gen_0000"):
            os.makedirs(f"run_data/{folder}")
        kept = optimizer([evosoro_individual(seed) for seed in range(3)])
        kept.run(save_vxa_every=1, save_lineages=True)
        for folder in ("lineages", "Gen_0000"):
            self.assertEqual(len(os.listdir(f"run_data/{folder}")), 3)
        best = max(kept.pop, key=lambda individual: individual.fitness)
        name = f"Run--Gen_0000--fit_{best.fitness:.8f}--id_{best.id:05d}.vxa"
        self.assertIn(name, os.listdir("run_data/bestSoFar/fitOnly"))
        self.assertEqual(evosoro.score(Path("run_data/Gen_0000", name).read_text())["NormFinalDist"], best.fitness)

    def test_threads_do_not_matter(self):
        scores = []
        for threads in (1, 2):
            several = optimizer([evosoro_individual(seed) for seed in range(4)], functools.partial(evosoro.evaluate_all, threads=threads))
            several.run()
            scores.append([individual.fitness for individual in several.pop])
        self.assertEqual(*scores)

    def test_a_palette_of_ones_own(self):
        def softer(*words):
            return evosoro.write_vxa(*words).replace("<Elastic_Mod>5000000.0<", "<Elastic_Mod>1000000.0<")
        own, usual = optimizer([evosoro_individual(1)], functools.partial(evosoro.evaluate_all, write=softer)), optimizer([evosoro_individual(1)])
        own.run()
        usual.run()
        self.assertNotEqual(own.pop[0].fitness, usual.pop[0].fitness)

    def test_one_that_can_not_run_gets_the_worst_values(self):
        several = optimizer([evosoro_individual(1), evosoro_individual(2)])
        several.pop[1].genotype.to_phenotype_mapping["material"]["state"][:] = 8
        with self.assertWarnsRegex(vx.VoxelasticWarning, "individual 2: .* material 8"):
            several.run()
        self.assertEqual(several.pop[1].fitness, -10e6)
        self.assertGreater(several.pop[0].fitness, 0)

    def test_mistakes_are_told(self):
        wrong = optimizer([evosoro_individual(1)])
        wrong.pop.objective_dict[0]["tag"] = "<NormFinalDistance>"
        with self.assertRaisesRegex(ValueError, "objective 'fitness': no tag <NormFinalDistance>; there are NormFinalDist, "):
            wrong.run()
        flat = optimizer([evosoro_individual(1)])
        flat.pop[0].genotype.orig_size_xyz = (4, 2, 3)
        with self.assertRaisesRegex(ValueError, r"layer <Data> has the shape \(4, 3, 2\), not orig_size_xyz, \(4, 2, 3\)"):
            flat.run()
        for env, message in ((evosoro_env(lattice_dimension=-1), "voxel size is -1 m"), (evosoro_env(gravity_enabled=7), "GravEnabled")):
            with self.assertRaisesRegex(vx.InvalidInput, message):
                optimizer([evosoro_individual(1)], env=env).run()
        with self.assertRaisesRegex(vx.InvalidInput, "run for ever"):
            evosoro.evaluate_one(evosoro_sim(stop_condition=0), evosoro_env(), evosoro_individual(1))


if __name__ == "__main__":
    main()
