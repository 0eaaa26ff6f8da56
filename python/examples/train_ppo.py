#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""train_ppo.py [--seed N] [--updates N] [--envs N] [--page FILE]: a robot learns to walk by proximal policy optimisation (Schulman2017), with PyTorch. The policy is a normal
distribution whose mean a small network says; another network says what is still to come. Writes a page of the trained robot where one is asked for."""
import argparse
import sys
import time

import numpy as np
import voxelastic as vx

try:
    import torch
except ImportError:
    print("needs PyTorch: apt-get install python3-torch", file=sys.stderr)
    sys.exit(77)

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--updates", type=int, default=60)
parser.add_argument("--envs", type=int, default=64)
parser.add_argument("--page", help="replay of the trained robot, such as ppo.html")
choices = parser.parse_args()
TICKS, EPOCHS, PIECES, DISCOUNT, TRACE, CLIP = 128, 6, 8, 0.99, 0.95, 0.2
torch.manual_seed(choices.seed)
torch.set_num_threads(1)  # the team of robots takes the cores, and the networks are small
body = np.array([[3, 3, 3, 3, 3], [3, 3, 3, 3, 3], [4, 0, 0, 0, 4], [4, 0, 0, 0, 4]])
env = vx.envs.make_vec("Walker-v0", body, num_envs=choices.envs, max_episode_steps=300)
width, actions = env.single_observation_space.shape[0], env.single_action_space.shape[0]


def network(outputs, scale):
    layers = [torch.nn.Linear(width, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, outputs)]
    for layer in layers[::2]:
        torch.nn.init.orthogonal_(layer.weight, scale if layer is layers[-1] else 2 ** 0.5)
        torch.nn.init.zeros_(layer.bias)
    return torch.nn.Sequential(*layers)


mean, value = network(actions, 0.01), network(1, 1.0)
log_deviation = torch.nn.Parameter(torch.full((actions,), -0.7))
weights = [*mean.parameters(), *value.parameters(), log_deviation]
optimiser = torch.optim.Adam(weights, lr=3e-4, eps=1e-5)
seen = {"count": 1e-4, "mean": np.zeros(width), "square": np.ones(width)}  # of observations, for their scale


def scaled(obs, learn=False):
    """(robots, width) tensor of observations about 0, of about 1."""
    if learn:
        part = len(obs) / (seen["count"] + len(obs))
        seen["count"] += len(obs)
        seen["mean"] += part * (obs.mean(0) - seen["mean"])
        seen["square"] += part * (((obs - seen["mean"]) ** 2).mean(0) - seen["square"])
    return torch.from_numpy(np.clip((obs - seen["mean"]) / np.sqrt(seen["square"] + 1e-8), -10, 10).astype(np.float32))


def to_env(action):
    return np.clip(1.1 + 0.5 * action.numpy(), 0.6, 1.6).astype(np.float32)


def trial():
    """Mean return of an episode of the mean policy."""
    with torch.no_grad():
        return float(np.mean(vx.envs.returns(env, lambda obs, tick: to_env(mean(scaled(obs))))))


def collect(obs, fresh):
    """TICKS ticks of all robots. fresh: robots whose episode begins with this tick, which ignores their action (autoreset_mode "NextStep")."""
    rows = {name: [] for name in ("obs", "action", "chance", "value", "reward", "terminated", "done", "valid")}
    for tick in range(TICKS):
        with torch.no_grad():
            x = scaled(obs, learn=True)
            normal = torch.distributions.Normal(mean(x), log_deviation.exp())
            action = normal.sample()
            row = {"obs": x, "action": action, "chance": normal.log_prob(action).sum(1), "value": value(x)[:, 0], "valid": torch.from_numpy(~fresh)}
        obs, reward, terminated, truncated, info = env.step(to_env(action))
        fresh = terminated | truncated
        row |= {"reward": torch.tensor(reward, dtype=torch.float32), "terminated": torch.from_numpy(terminated.copy()), "done": torch.from_numpy(fresh.copy())}
        for name, column in row.items():
            rows[name].append(column)
    return {name: torch.stack(column) for name, column in rows.items()}, obs, fresh


def advantages(rows, last):
    """Generalised advantage estimates (Schulman2016). What ends by time alone counts what was still to come; what ends otherwise does not."""
    found, carried, after = torch.zeros_like(rows["reward"]), torch.zeros(choices.envs), last
    for tick in reversed(range(TICKS)):
        surprise = rows["reward"][tick] + DISCOUNT * after * ~rows["terminated"][tick] - rows["value"][tick]
        carried = (surprise + DISCOUNT * TRACE * carried * ~rows["done"][tick]) * rows["valid"][tick]
        found[tick], after = carried, rows["value"][tick]
    return found


untrained, start = trial(), time.time()
obs, _ = env.reset(seed=choices.seed)
fresh = np.zeros(choices.envs, bool)
for update in range(choices.updates):
    rows, obs, fresh = collect(obs, fresh)
    with torch.no_grad():
        gained = advantages(rows, value(scaled(obs))[:, 0])
    keep = rows["valid"].flatten()
    flat = {name: rows[name].flatten(0, 1)[keep] for name in ("obs", "action", "chance", "value")}
    gained = gained.flatten()[keep]
    wanted, gained = gained + flat["value"], (gained - gained.mean()) / (gained.std() + 1e-8)
    for _ in range(EPOCHS):
        for piece in torch.randperm(len(gained)).chunk(PIECES):
            normal = torch.distributions.Normal(mean(flat["obs"][piece]), log_deviation.exp())
            ratio = (normal.log_prob(flat["action"][piece]).sum(1) - flat["chance"][piece]).exp()
            better = torch.min(ratio * gained[piece], ratio.clamp(1 - CLIP, 1 + CLIP) * gained[piece])
            loss = -better.mean() + 0.5 * (value(flat["obs"][piece])[:, 0] - wanted[piece]).square().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 0.5)
            optimiser.step()
    print(f"{time.time() - start:.0f} s, update {update + 1}: {rows['reward'].sum(0).mean():.3f} in {TICKS} ticks", flush=True)
print(f"untrained {untrained:.2f}, trained {trial():.2f}: metres, and 1 more at the goal of 9.9 m")
if choices.page:
    with vx.Recorder(env.scenes[0].design, choices.page) as recorder, torch.no_grad():
        vx.envs.returns(env, lambda obs, tick: (recorder.add(env.team.frame(0)), to_env(mean(scaled(obs))))[1])
