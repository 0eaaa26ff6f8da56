#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""07_evosoro.py [GENERATIONS]: a search with the objects and the calls of evosoro's basic.py, in small. Against the original one line has changed: what evaluates."""
import sys
from types import SimpleNamespace as Object

import numpy as np
from voxelastic.compat.evosoro import evaluate_all  # was: from evosoro.tools.evaluation import evaluate_all

random, SIZE = np.random.default_rng(1), (4, 4, 3)
sim = Object(self_collisions_enabled=True, simulation_time=1.5, dt_frac=0.9, stop_condition=2, fitness_eval_init_time=0.5, equilibrium_mode=0, min_temp_fact=0.1,
             max_temp_fact_change=1e-5, max_stiffness_change=1e4, min_elastic_mod=5e6, max_elastic_mod=5e8, afterlife_time=0, mid_life_freeze_time=0)
env = Object(frequency=4.0, gravity_enabled=1, temp_enabled=1, floor_enabled=1, floor_slope=0.0, lattice_dimension=0.01, fat_stiffness=5e6, bone_stiffness=5e8,
             muscle_stiffness=5e6, sticky_floor=0, time_between_traces=0, actuation_variance=0, temp_amp=39)
goals = {0: {"name": "fitness", "tag": "<NormFinalDist>", "worst_value": -10e6},
         1: {"name": "num_voxels", "tag": None, "worst_value": 10e6, "node_func": np.count_nonzero, "output_node_name": "material"}}


class Population(list):
    gen, max_id, total_evaluations, best_fit_so_far, objective_dict = 0, 0, 0, -10e6, goals

    def grow(self, state):
        layers = {"material": {"tag": "<Data>", "state": state, "output_type": int, "params": None, "param_tags": None, "env_kws": None}}
        self.append(Object(id=self.max_id, genotype=Object(orig_size_xyz=SIZE, to_phenotype_mapping=layers), phenotype=Object(is_valid=lambda: True)))
        self.max_id += 1


pop = Population()
pop.already_evaluated, pop.all_evaluated_individuals_ids = {}, []
for _ in range(8):
    pop.grow(random.choice([1, 3, 4], SIZE))  # evosoro's materials: 1 is passive, 3 and 4 are muscles in counter-phase
for pop.gen in range(int(sys.argv[1]) if len(sys.argv) > 1 else 4):
    evaluate_all(sim, env, pop, Object(message=lambda text: None), 0, "basic_data", "Basic", max_eval_time=60, time_to_try_again=30, save_lineages=False)
    pop.sort(key=lambda individual: individual.fitness, reverse=True)
    print(f"generation {pop.gen}: best {pop[0].fitness:.3f} voxels, {pop.total_evaluations} evaluations")
    del pop[4:]
    for parent in pop[:]:
        pop.grow(np.where(random.random(SIZE) < 0.1, random.choice([1, 3, 4], SIZE), parent.genotype.to_phenotype_mapping["material"]["state"]))
