# SPDX-License-Identifier: MIT
"""Batches by workers: two processes of concurrent.futures, two workers of dask.distributed and two processes of MPI, where these are installed, give the rows that a batch here
gives, to the last bit and in order; a worker that dies, and an exception in a worker, are told plainly."""
import os
import shutil
import subprocess
import sys
import unittest
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

from common import ROOT, all_designs, main, np, vx, walker
from voxelastic import clients

try:
    import dask
    import distributed
except ImportError:
    distributed = None
SPAWN = get_context("spawn")


def random_designs(count):
    designs = []
    for cells in np.random.default_rng(3).integers(0, 3, (count, 3, 3, 3)):
        cells[0, 0, 0] = 1
        designs.append(vx.Design.from_array(cells, [vx.Material(youngs_modulus=2e5), vx.Material(youngs_modulus=1e5, thermal_expansion=0.02)]))
        designs[-1].actuation(period=0.25, amplitude=10)
        designs[-1].formula(fitness="x - abs(y)")
    return designs


def impossible():
    """A design that is refused."""
    design = walker()
    design.materials[0].youngs_modulus = -1
    return design


def die(*_, **__):
    """What a worker that is broken does with a piece."""
    os._exit(1)


def break_worker():
    """Makes the present process one."""
    clients.evaluate_here = die


def trip(*_, **__):
    """What a worker does in which something is wrong."""
    error = vx.Unsupported("tripped")
    error.status, error.line = "unsupported", 7
    raise error


def trip_worker():
    """Makes the present process one."""
    clients.evaluate_here = trip


class Counting:
    """An executor that keeps what it was given."""

    def __init__(self):
        self.pieces = []

    def map(self, function, pieces):
        self.pieces = list(pieces)
        return map(function, self.pieces)


class Clients(unittest.TestCase):
    def same(self, client, designs, **choices):
        """Rows of a client are those from here."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", vx.VoxelasticWarning)
            here = vx.evaluate(designs, **choices)
            there = vx.evaluate(iter(designs), client=client, piece=3, **choices)
        self.assertEqual(here.dtype, there.dtype)
        for name in set(here.dtype.names) - {"in_lanes"}:  # which robots run side by side follows from the piece
            if here.dtype[name].kind == "O":
                self.assertEqual(here[name].tolist(), there[name].tolist(), name)
            else:
                self.assertEqual(here[name].tobytes(), there[name].tobytes(), name)
        return there

    def told(self, client):
        """The loss of a worker is told."""
        with self.assertRaisesRegex(vx.SystemFailure, "a worker died while it evaluated designs") as caught:
            vx.evaluate([walker(), walker()], duration=0.1, client=client, piece=1)
        self.assertEqual(caught.exception.status, "system")
        self.assertIsNotNone(caught.exception.__cause__)

    def refuses(self, client):
        """An exception of a worker arrives as it is."""
        with self.assertRaisesRegex(vx.Unsupported, "tripped") as caught:
            vx.evaluate([walker(), walker()], duration=0.1, client=client, piece=1)
        self.assertEqual((caught.exception.status, caught.exception.line), ("unsupported", 7))

    def test_two_processes(self):
        with ProcessPoolExecutor(2, mp_context=SPAWN) as pool:
            rows = self.same(pool, random_designs(10), duration=0.1)
            self.assertTrue((rows["status"] == vx.DONE).all() and len(set(rows["hash"].tolist())) == 10)
            designs = [vx.Design.read(path) for path in all_designs() if path.stat().st_size < 100_000]
            self.assertGreater(len(designs), 10)
            self.same(pool, [impossible(), *designs, impossible()], steps=20, samples=4)
        with ProcessPoolExecutor(2, mp_context=SPAWN, initializer=trip_worker) as pool:
            self.refuses(pool)
        with ProcessPoolExecutor(2, mp_context=SPAWN, initializer=break_worker) as pool:
            self.told(pool)

    @unittest.skipUnless(distributed, "no dask.distributed")
    def test_dask(self):
        with dask.config.set({"distributed.scheduler.allowed-failures": 0}), \
                distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=60) as cluster, distributed.Client(cluster) as client:
            self.same(client, random_designs(10), duration=0.1, samples=3)
            client.run(trip_worker)
            self.refuses(client)
            client.run(break_worker)
            self.told(client)

    @unittest.skipUnless(shutil.which("mpiexec"), "no MPI")
    def test_mpi(self):
        try:
            import mpi4py  # noqa: F401
        except ImportError:
            self.skipTest("no mpi4py")
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
        done = subprocess.run(["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", ROOT / "python/examples/09_cluster.py", "mpi"], env=environment, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("64 of 64 got to the end", done.stdout)

    def test_pieces(self):
        designs, client = random_designs(10), Counting()
        with ThreadPoolExecutor(2) as pool:
            self.same(pool, designs, duration=0.05)
        for piece, sizes in ((4, [4, 4, 2]), (None, [10])):
            vx.evaluate(designs, steps=1, client=client, piece=piece)
            self.assertEqual([len(part) for part in client.pieces], sizes)
        client.nthreads = lambda: {"one": 1, "other": 2}
        vx.evaluate(designs * 5, steps=1, client=client)
        self.assertEqual([len(part) for part in client.pieces], [5] * 10)
        self.assertEqual(len(vx.evaluate([], client=client)), 0)

    def test_choices_that_are_wrong(self):
        design, client = [walker()], Counting()
        for exception, pattern, choices in ((TypeError, "expected a Client of dask.distributed or an executor", {"client": 5}), (ValueError, "piece must be 1 or more", {"piece": 0}),
                                            (TypeError, "progress is not told by workers", {"progress": print}), (ValueError, "duration must be above 0", {"duration": -1}),
                                            (TypeError, "treads.*did you mean", {"treads": 1}), (ValueError, "schedule", {"schedule": "nonsense"})):
            with self.assertRaisesRegex(exception, pattern):
                vx.evaluate(design, **{"client": client, **choices})
        with self.assertRaisesRegex(TypeError, "piece is of a client"):
            vx.evaluate(design, piece=3)

    def test_another_version_is_refused(self):
        with self.assertRaisesRegex(vx.Unsupported, "this worker has Voxelastic .*, and the program that called it 0.0.0"):
            clients.evaluate_piece([walker()], {}, "0.0.0")


if __name__ == "__main__":
    main()
