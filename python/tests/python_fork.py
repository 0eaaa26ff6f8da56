# SPDX-License-Identifier: MIT
"""A child of a process that had started threads gets to its end, on one thread, with the same bits, and says so once."""
import multiprocessing
import os
import signal
import unittest
import warnings

from common import main, vx, walker


def run():
    return [int(hash) for hash in vx.evaluate([walker() for _ in range(8)], steps=200, threads=2)["hash"]]


def run_in_child(queue):
    signal.alarm(120)  # where it waits for ever
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        hashes = run()
        world = vx.World(walker(), threads=2)
        world.advance(200)
    queue.put((hashes, world.hash, [str(one.message) for one in told]))


class Fork(unittest.TestCase):
    def test_a_child_finishes(self):
        parents = run()
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            child = context.Process(target=run_in_child, args=(queue,))
            child.start()
            hashes, alone, told = queue.get(timeout=120)
            child.join()
            self.assertEqual((child.exitcode, hashes, alone), (0, parents, parents[0]))
            self.assertEqual(len(told), 1 if method == "fork" else 0, told)
        self.assertEqual(run(), parents)

    def test_the_environment_is_as_it_was(self):
        self.assertNotIn("GOMP_SPINCOUNT", os.environ)


if __name__ == "__main__":
    main()
