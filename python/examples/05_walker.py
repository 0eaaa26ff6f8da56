#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""05_walker.py [--seed N] [--generations N]: a robot learns to walk by an evolution strategy in NumPy: 64 robots try variations of one policy, and it moves towards the better ones."""
import argparse
import time

import numpy as np
import voxelastic as vx

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--generations", type=int, default=60)
choices = parser.parse_args()
body = np.array([[3, 3, 3, 3, 3], [3, 3, 3, 3, 3], [4, 0, 0, 0, 4], [4, 0, 0, 0, 4]])  # EvoGym's numbers: actuators, and nothing between the legs
env = vx.envs.make_vec("Walker-v0", body, num_envs=64, max_episode_steps=300)
random = np.random.default_rng(choices.seed)
size = (env.single_observation_space.shape[0] + 3, env.single_action_space.shape[0])


def rewards(weights):
    """Sums of rewards, metres and 1 at the goal, of robots that each have their own weights (64, features, actuators)."""
    def policy(obs, tick):
        clock = np.array([1, np.sin(0.3 * tick), np.cos(0.3 * tick)])
        features = np.concatenate([obs, np.broadcast_to(clock, (len(obs), 3))], 1)
        return 1.1 + 0.5 * np.tanh(np.einsum("rf,rfa->ra", features, weights))
    return vx.envs.returns(env, policy)


start = time.time()
mean = random.normal(0, 0.1, size)
untrained, speed = rewards(np.broadcast_to(mean, (64, *size)))[0], np.zeros(size)
for generation in range(choices.generations):
    noise = random.standard_normal((32, *size))
    came = rewards(mean + 0.1 * np.concatenate([noise, -noise]))
    ranks = came.argsort().argsort() / 63 - 0.5
    speed = 0.8 * speed + np.einsum("r,rfa->fa", ranks[:32] - ranks[32:], noise) / np.sqrt(64)
    mean = mean + 0.03 * speed
    if generation % 10 == 9:
        print(f"{time.time() - start:.0f} s, generation {generation + 1}: best {came.max():.2f}, median {np.median(came):.2f}")
print(f"untrained {untrained:.2f}, trained {rewards(np.broadcast_to(mean, (64, *size)))[0]:.2f}: metres, and 1 more at the goal of 9.9 m")
