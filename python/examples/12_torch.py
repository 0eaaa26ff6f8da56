#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""12_torch.py [ROUNDS]: a run as a function of PyTorch. A network says the phase of each voxel from its place, and learns by the gradient through the whole run."""
import sys

import voxelastic as vx

try:
    import torch
except ImportError:
    print("needs PyTorch: apt-get install python3-torch", file=sys.stderr)
    sys.exit(77)  # which tests take for skipped


class Speed(torch.autograd.Function):  # m/s along x, by the phases (cycles)
    @staticmethod
    def forward(context, phases, gradient, robot):
        gradient.put(robot, "phase", phases.detach().cpu().numpy())
        speeds = gradient.run(vx.speed_along((1, 0, 0)))
        context.save_for_backward(phases.new_tensor(gradient.by(robot, "phase")))
        return phases.new_tensor(speeds[robot])

    @staticmethod
    def backward(context, by_speed):
        return by_speed * context.saved_tensors[0], None, None


torch.manual_seed(1)
worm = vx.Design.read("assets/worm.vxa")
places = torch.as_tensor(worm.positions / worm.positions.max(), dtype=torch.float64)  # 0 to 1
network = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1)).double()
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
gradient = vx.Gradient(step_seconds=4e-5, steps=25000, sample_every=250, forget=0.1)
robot = gradient.add(worm)
for turn in range(int(sys.argv[1]) if len(sys.argv) > 1 else 60):
    optimizer.zero_grad()
    speed = Speed.apply(network(places)[:, 0], gradient, robot)
    (-speed).backward()
    optimizer.step()
    print(f"round {turn + 1}: {1e3 * speed.item():.1f} mm/s")
