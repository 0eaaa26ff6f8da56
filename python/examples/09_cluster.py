#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""09_cluster.py [SCHEDULER]: scores random bodies by two processes of this machine; with the address of a scheduler of dask.distributed, such as tcp://head:8786, by its
workers on any number of machines. By `mpiexec -n 9 python3 -m mpi4py.futures 09_cluster.py mpi` eight processes of MPI do it."""
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import voxelastic as vx


def make(cells):
    palette = [vx.Material(youngs_modulus=2e5), vx.Material(youngs_modulus=1e5, thermal_expansion=0.02)]
    design = vx.Design.from_array(cells, palette, phase=np.indices(cells.shape)[0] / cells.shape[0])
    design.actuation(period=0.25, amplitude=10)
    return design


def workers(where):
    if where == "mpi":
        from mpi4py.futures import MPIPoolExecutor
        return MPIPoolExecutor()
    if where:
        from distributed import Client
        return Client(where)
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


if __name__ == "__main__":  # processes that are started read this file, and are not to do what follows
    designs = [make(cells) for cells in np.random.default_rng(1).integers(0, 3, (64, 4, 4, 3))]
    with workers(sys.argv[1] if len(sys.argv) > 1 else "") as client:
        rows = vx.evaluate(designs, duration=0.5, client=client, piece=16)
    best = np.nanargmax(rows["displacement"])
    print(f"{np.count_nonzero(rows['status'] == vx.DONE)} of {len(rows)} got to the end; robot {best} came {100 * rows['displacement'][best]:.1f} cm far")
    assert rows["hash"][best] == vx.evaluate([designs[best]], duration=0.5)["hash"][0]  # the same bits as here
