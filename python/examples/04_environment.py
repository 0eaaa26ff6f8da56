#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""04_environment.py [TASK]: 64 robots in an environment with the interface of Gymnasium, driven by a policy in NumPy; writes environment.png, a picture of the first one."""
import sys

import numpy as np
import voxelastic as vx

body = np.array([[3, 3, 3, 3], [4, 2, 2, 4], [4, 0, 0, 4]])  # EvoGym's numbers: 0 empty, 1 rigid, 2 soft, 3 and 4 actuators; the first row is on top
env = vx.envs.make_vec(sys.argv[1] if len(sys.argv) > 1 else "Walker-v0", body, num_envs=64, reset_noise=1)
print(env, "observations", env.observation_space.shape, "actions", env.action_space.shape)

obs, info = env.reset(seed=0)
weights = np.random.default_rng(0).normal(0, 0.2, (obs.shape[1], env.single_action_space.shape[0]))
total = np.zeros(env.num_envs)
for tick in range(200):
    wave = np.sin(0.3 * tick + np.arange(weights.shape[1]))
    obs, reward, terminated, truncated, info = env.step(1.1 + 0.4 * np.tanh(obs @ weights + wave))
    total += reward
print(f"rewards of {tick + 1} ticks: {total.mean():.2f} in the mean, {total.max():.2f} at best; {np.count_nonzero(env.team.status)} robots diverged")
vx.Replay(env.team.design(0), [env.team.frame(0)]).save("environment.png", panels=1)
env.close()
