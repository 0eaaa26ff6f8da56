# SPDX-License-Identifier: MIT
"""A robot learns to walk: the example in python/examples at least triples the way of the policy that it begins with, whatever its random numbers."""
import re
import subprocess
import sys
import unittest

from common import ROOT, main


class Walker(unittest.TestCase):
    def test_it_learns_to_walk(self):
        for seed in (1, 2, 3):
            done = subprocess.run([sys.executable, ROOT / "python/examples/05_walker.py", "--seed", str(seed), "--generations", "30"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            untrained, trained = map(float, re.search(r"untrained (\S+), trained (\S+):", done.stdout).groups())
            print(f"seed {seed}: untrained {untrained}, trained {trained}", file=sys.stderr)
            self.assertGreater(trained, 3 * max(untrained, 1))


if __name__ == "__main__":
    main()
