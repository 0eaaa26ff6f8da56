# SPDX-License-Identifier: MIT
"""The example of proximal policy optimisation: its advantages are those of their definition, over episodes that end by time and by the task; a seed gives the same numbers
again; without PyTorch it says so. That it learns is a test of its own: `python_ppo.py --learn`. Skipped where PyTorch is missing."""
import contextlib
import importlib.util
import io
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from common import ROOT, main

if importlib.util.find_spec("torch") is None:
    print("skipped: no PyTorch")
    sys.exit(77)
import torch

EXAMPLE = str(ROOT / "python/examples/train_ppo.py")


def run(*words):
    """What the example prints, without seconds."""
    done = subprocess.run([sys.executable, EXAMPLE, *words], check=True, capture_output=True, text=True)
    return re.sub(r"^\d+ s, ", "", done.stdout, flags=re.M)


def expected(rows, done, last, discount, trace):
    """(ticks,) advantages of one robot by their definition: sums of discounted errors up to the end of the episode."""
    ticks = len(rows["reward"])
    value = np.append(rows["value"], last)
    error = [rows["reward"][t] + discount * value[t + 1] * (not rows["terminated"][t]) - value[t] for t in range(ticks)]
    found = np.zeros(ticks)
    for t in range(ticks):
        if rows["valid"][t]:
            end = next((u for u in range(t, ticks) if done[u]), ticks - 1)
            found[t] = sum((discount * trace) ** (u - t) * error[u] for u in range(t, end + 1))
    return found


class Ppo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        words, sys.argv = sys.argv, [EXAMPLE, "--updates", "0", "--envs", "3"]
        with contextlib.redirect_stdout(io.StringIO()):
            cls.example = runpy.run_path(EXAMPLE)
        sys.argv = words

    def test_advantages_are_those_of_the_definition(self):
        """Robot 0 ends by time at tick 40, 1 by the task, 2 not at all. A tick behind an end begins anew."""
        ticks, random = self.example["TICKS"], np.random.default_rng(1)
        done, terminated = torch.zeros((2, ticks, 3), dtype=torch.bool)
        done[40, :2], terminated[40, 1] = True, True
        rows = {"terminated": terminated, "valid": ~torch.cat([torch.zeros((1, 3), dtype=torch.bool), done[:-1]])}
        rows |= {name: torch.from_numpy(random.normal(size=(ticks, 3)).astype(np.float32)) for name in ("reward", "value")}
        last = torch.from_numpy(random.normal(size=3).astype(np.float32))
        found = self.example["advantages"](rows, last).numpy()
        for robot in range(3):
            one = {name: column[:, robot].numpy() for name, column in rows.items()}
            np.testing.assert_allclose(found[:, robot], expected(one, done[:, robot], float(last[robot]), self.example["DISCOUNT"], self.example["LAMBDA"]), atol=1e-4)

    def test_ticks_that_begin_anew_are_left_out(self):
        """Episodes of 300 ticks over five collections of 128: the ticks behind ends have no reward and are not valid, all others are; returns are sums of an episode."""
        env = self.example["env"]
        obs, _ = env.reset(seed=1)
        fresh, total, valid, rewards, ends = np.zeros(3, bool), np.zeros(3), [], [], []
        for _ in range(5):
            rows, obs, fresh, total, ended = self.example["collect"](obs, fresh, total)
            self.assertTrue((rows["reward"][~rows["valid"]] == 0).all())
            valid, rewards, ends = valid + list(rows["valid"].all(1).numpy()), rewards + list(rows["reward"].numpy()), ends + ended
        self.assertEqual(np.flatnonzero(~np.array(valid)).tolist(), [300, 601])
        np.testing.assert_allclose(ends, [*np.sum(rewards[:300], 0), *np.sum(rewards[300:601], 0)], atol=1e-4)

    def test_observations_have_their_mean_and_nearly_their_variance(self):
        obs = np.random.default_rng(1).normal(3, 2, (500, 3, self.example["width"]))
        self.example["seen"] |= {"count": 1e-4, "mean": np.zeros(self.example["width"]), "square": np.ones(self.example["width"])}
        for part in obs:
            self.example["scaled"](part, learn=True)
        seen, flat = self.example["seen"], obs.reshape(1500, -1)
        np.testing.assert_allclose(seen["mean"], flat.mean(0), rtol=1e-4)
        np.testing.assert_allclose(seen["square"], flat.var(0), rtol=0.1)

    def test_a_seed_gives_the_same_numbers_again(self):
        first = run("--updates", "3", "--envs", "4", "--seed", "7")
        self.assertRegex(first, r"update 1: no episode ended\n.*\nupdate 3: mean return \S+ of 4 episodes\nuntrained \S+, trained \S+:")
        self.assertEqual(first, run("--updates", "3", "--envs", "4", "--seed", "7"))
        self.assertNotEqual(first, run("--updates", "3", "--envs", "4", "--seed", "8"))

    def test_it_writes_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "ppo.html")
            run("--updates", "0", "--envs", "1", "--page", str(page))
            self.assertIn("</html>", page.read_text())

    def test_without_pytorch_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "torch.py").write_text("raise ImportError\n")
            paths = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
            done = subprocess.run([sys.executable, EXAMPLE], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (77, "", "needs PyTorch: apt-get install python3-torch\n"))


class Learning(unittest.TestCase):
    def test_it_learns_to_walk(self):
        for seed in (1, 2, 3):
            untrained, trained = map(float, re.search(r"untrained (\S+), trained (\S+):", run("--seed", str(seed))).groups())
            print(f"seed {seed}: untrained {untrained}, trained {trained}", file=sys.stderr)
            self.assertGreater(trained, 3 * max(untrained, 1))


if __name__ == "__main__":
    if "--learn" in sys.argv:
        sys.argv[sys.argv.index("--learn")] = "Learning"
    elif len(sys.argv) == 1:
        sys.argv.append("Ppo")
    main()
