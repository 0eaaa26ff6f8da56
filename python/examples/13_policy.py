#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""13_policy.py [ROUNDS]: one network of PyTorch moves eight bodies of different stiffness, by what each of them senses, and learns by the gradients through their runs."""
import sys

import numpy as np
import voxelastic as vx

try:
    import torch
except ImportError:
    print("needs PyTorch: apt-get install python3-torch", file=sys.stderr)
    sys.exit(77)  # which tests take for skipped

SENSORS = ("clock", "velocity", "up", "group_place")
GROUPS = 4  # of a body: tail and head, below and above
INPUTS = 3 + 3 + 3 + 3 * GROUPS


def body(stiffness):
    cells = np.ones((4, 2, 2), int)
    x, _, z = np.indices(cells.shape)
    design = vx.Design.from_array(cells, vx.Material(youngs_modulus=stiffness, density=1000, bond_damping=0.3, collision_damping=0.3, static_friction=0.8, dynamic_friction=0.5),
                                  group=x // 2 + 2 * z)
    design.floor(height=0)
    design.gravity = (0, 0, -9.81)
    design.actuation(amplitude=0, period=0.2)  # of the clock
    layers = (INPUTS, GROUPS)  # of a network that the policy stands for
    design.controller = vx.Controller(SENSORS, layers, np.zeros(vx.count_weights(layers)), interval=0.01, targets=(0.85, 1.15))
    return design


torch.manual_seed(1)
network = torch.nn.Sequential(torch.nn.Linear(INPUTS, 16), torch.nn.Tanh(), torch.nn.Linear(16, GROUPS), torch.nn.Tanh())
for weights in network.parameters():
    torch.nn.init.normal_(weights, std=0.5)  # large enough to break loose from the floor
optimizer = torch.optim.Adam(network.parameters(), lr=0.02, maximize=True)
steps = {}  # of the network: what went in and came out, by the first robot and its tick


def act(robots, ticks, sensed):
    inputs = torch.from_numpy(sensed)
    inputs[:, 0] = 0  # the clock's seconds grow for ever; its sine and cosine stay
    inputs.requires_grad_()
    outputs = network(inputs)
    steps[robots[0], ticks[0]] = inputs, outputs
    return outputs.detach().numpy()


def back(robots, ticks, sensed, by_outputs):
    inputs, outputs = steps.pop((robots[0], ticks[0]))
    outputs.backward(torch.from_numpy(by_outputs).float())  # adds to the network's own gradients
    return inputs.grad.numpy()


gradient = vx.Gradient(step_seconds=5e-5, steps=20000, sample_every=200, forget=0.15)
for stiffness in np.geomspace(1e5, 4e5, 8):
    gradient.add(body(stiffness))
gradient.set_policy(act, back)
for turn in range(int(sys.argv[1]) if len(sys.argv) > 1 else 60):
    optimizer.zero_grad()
    speeds = gradient.run(vx.speed_along((1, 0, 0)))
    optimizer.step()
    print(f"round {turn + 1}: {1e3 * speeds.mean():.1f} mm/s, {1e3 * speeds.min():.1f} to {1e3 * speeds.max():.1f}")
