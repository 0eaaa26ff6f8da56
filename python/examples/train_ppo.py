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
parser.add_argument("--updates", type=int, default=100)
parser.add_argument("--envs", type=int, default=64)
parser.add_argument("--page", help="replay of the trained robot, such as ppo.html")
choices = parser.parse_args()
TICKS, EPOCHS, MINIBATCHES, DISCOUNT, LAMBDA, CLIP = 128, 6, 8, 0.99, 0.95, 0.2
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
        seen["count"] += len(obs)
        part = len(obs) / seen["count"]
        seen["mean"] += part * (obs.mean(0) - seen["mean"])
        seen["square"] += part * (((obs - seen["mean"]) ** 2).mean(0) - seen["square"])  # nearly the variance: about the mean so far
    return torch.from_numpy(np.clip((obs - seen["mean"]) / np.sqrt(seen["square"] + 1e-8), -10, 10).astype(np.float32))


def to_env(action):
    return np.clip(1.1 + 0.5 * action.numpy(), 0.6, 1.6).astype(np.float32)


def trial():
    """Mean return of an episode of the mean policy."""
    with torch.no_grad():
        return float(np.mean(vx.envs.returns(env, lambda obs, tick: to_env(mean(scaled(obs))))))


def collect(obs, fresh, total):
    """TICKS ticks of all robots. fresh: robots whose episode begins with this tick, which ignores their action (autoreset_mode "NextStep"). total: returns so far."""
    rows, ended = [], []
    for tick in range(TICKS):
        with torch.no_grad():
            x = scaled(obs, learn=True)
            normal = torch.distributions.Normal(mean(x), log_deviation.exp())
            action = normal.sample()
            row = {"obs": x, "action": action, "log_prob": normal.log_prob(action).sum(1), "value": value(x)[:, 0], "valid": torch.from_numpy(~fresh)}
        obs, reward, terminated, truncated, info = env.step(to_env(action))
        fresh, total = terminated | truncated, total + reward
        ended, total = ended + list(total[fresh]), total * ~fresh
        rows.append(row | {"reward": torch.tensor(reward, dtype=torch.float32), "terminated": torch.from_numpy(terminated.copy())})
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}, obs, fresh, total, ended


def advantages(rows, last):
    """Generalised advantage estimates (Schulman2016). What ends by time alone counts what was still to come; what ends otherwise does not.
    The tick behind an end is not valid: nothing is carried over it."""
    found, carried, after = torch.zeros_like(rows["reward"]), torch.zeros(choices.envs), last
    for tick in reversed(range(TICKS)):
        error = rows["reward"][tick] + DISCOUNT * after * ~rows["terminated"][tick] - rows["value"][tick]
        carried = (error + DISCOUNT * LAMBDA * carried) * rows["valid"][tick]
        found[tick], after = carried, rows["value"][tick]
    return found


untrained, start = trial(), time.time()
obs, _ = env.reset(seed=choices.seed)
fresh, total = np.zeros(choices.envs, bool), np.zeros(choices.envs)
for update in range(choices.updates):
    rows, obs, fresh, total, ended = collect(obs, fresh, total)
    with torch.no_grad():
        advantage = advantages(rows, value(scaled(obs))[:, 0])
    keep = rows["valid"].flatten()
    flat = {name: rows[name].flatten(0, 1)[keep] for name in ("obs", "action", "log_prob", "value")}
    advantage = advantage.flatten()[keep]
    target, advantage = advantage + flat["value"], (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(advantage)).chunk(MINIBATCHES):
            normal = torch.distributions.Normal(mean(flat["obs"][batch]), log_deviation.exp())
            ratio = (normal.log_prob(flat["action"][batch]).sum(1) - flat["log_prob"][batch]).exp()
            surrogate = torch.min(ratio * advantage[batch], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[batch])
            loss = -surrogate.mean() + 0.5 * (value(flat["obs"][batch])[:, 0] - target[batch]).square().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 0.5)
            optimiser.step()
    came = f"mean return {np.mean(ended):.2f} of {len(ended)} episodes" if ended else "no episode ended"
    print(f"{time.time() - start:.0f} s, update {update + 1}: {came}", flush=True)
print(f"untrained {untrained:.2f}, trained {trial():.2f}: metres, and 1 more at the goal of 9.9 m")
if choices.page:
    with vx.Recorder(env.scenes[0].design, choices.page) as recorder, torch.no_grad():
        vx.envs.returns(env, lambda obs, tick: (recorder.add(env.team.frame(0)), to_env(mean(scaled(obs))))[1])
