#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""batch.py LIBRARY DESIGN...: how far robots walk, all in one batch, from Python through ctypes."""
import ctypes as c, sys


def struct(text):  # "name:type ...": p text, i int, I uint32, Q uint64, d double, B bool, 3 three doubles
    kinds = {"p": c.c_char_p, "i": c.c_int, "I": c.c_uint32, "Q": c.c_uint64, "d": c.c_double, "B": c.c_bool, "3": c.c_double * 3}
    return [(name, kinds.get(kind) or globals()[kind]) for name, kind in (field.split(":") for field in text.split())]


class World(c.Structure):  # vxe_world_def
    _fields_ = struct("cookie:I conventions:p precision:i threads:I step_rule:i step_seconds:d step_scale:d accuracy:i damping:i torsion:i composite:i shear:i "
                      "damping_form:i bond_kind:i audit:B")


class Batch(c.Structure):  # vxe_batch_def
    _fields_ = struct("cookie:I world:World duration:d steps:Q max_duration:d max_steps:Q schedule:i samples:I retries:I")


class Result(c.Structure):  # vxe_batch_result
    _fields_ = struct("status:i reason:i message:p conventions:p in_lanes:B retries:I voxels:I bonds:Q mass:d steps:Q time:d time_step:d damping_iterations:I start_time:d "
                      "start_center:3 center:3 displacement:d body_lengths_per_second:d fitness:d path:p hash:Q")


lib, error = c.CDLL(sys.argv[1]), c.create_string_buffer(4096)
for name, kind in (("design_read", c.c_void_p), ("batch_def_default", Batch), ("batch_create", c.c_void_p), ("batch_result_of", Result)):
    getattr(lib, "vxe_" + name).restype = kind
choices = lib.vxe_batch_def_default()
choices.duration = 3
batch = c.c_void_p(lib.vxe_batch_create(c.byref(choices), error))
designs = [c.c_void_p(lib.vxe_design_read(path.encode(), error)) for path in sys.argv[2:]]
assert all(designs) and not any(lib.vxe_batch_add(batch, design, error) for design in designs)
assert lib.vxe_batch_run(batch, None, None, error) == 0
for path, result in ((path, lib.vxe_batch_result_of(batch, i)) for i, path in enumerate(sys.argv[2:])):
    print(f"{path}: {result.displacement:.4g} m in {result.time:.4g} s, {result.voxels} voxels, state {result.hash:016x}")
