#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a simulator keep the ranking of robots? All bodies of 2x2x2 cells, under several rules.

    bench/ranking.py [--program PROGRAM] [--all] [--seconds 8.5] [--threads N] [-o FILE.csv]

Each cell is empty, passive or a muscle; all muscles swell and shrink together. That is the design
space whose best hundred were built of silicone in S. Kriegman et al., "Scalable sim-to-real transfer
of soft robot designs", IEEE RoboSoft 2020, 359-366, arXiv:1911.10290. Bodies count that hang
together by their faces and have a muscle: one of each class under turns about z by 90 degrees,
mirror images and shifts within the box, or all of them with --all.

Each body runs by `voxelastic batch` under the rules of several simulators and under our own. How far
a ranking can be trusted at all is told by two checks on evosoro's and on ours: a quarter of the step,
and mirror images, which should go as far as the bodies themselves. Printed are, for each rule, the
median displacement and how many robots stand still or fail; and for each two rules, and each check
beside its own rule, Spearman's rho, Kendall's tau-b, and how many of the best robots of one are among
the best of the other. -o writes a row for each body: its code, a digit for each cell (0 empty,
1 passive, 2 muscle; x fastest, z slowest), and how far it went under each rule, in voxels.

It says how well simulators agree, not how well they agree with robots. Size, stiffness and actuation
are evosoro's usual ones and not those of the study, and the speeds of the robots that were built are
published as figures, not as numbers: nothing here is compared with them."""
import argparse
import bisect
import collections
import csv
import itertools
import math
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

EDGE_M = 0.01
MODULUS_PA = 1e7
DENSITY_KG_PER_M3 = 1e6
POISSONS_RATIO = 0.35
STATIC_FRICTION, DYNAMIC_FRICTION = 1, 0.5
GRAVITY_M_PER_S2 = -9.81
STRAIN = 0.14  # by which a muscle's edges grow and shrink
EXPANSION_PER_K, BASE_C = 0.01, 25
PERIOD_S = 0.25
SETTLE_S = 0.5
SECONDS = 8.5  # 32 periods behind settling
DT_FRACTION = 0.7  # of 1/(2 pi w0), the step of published rules; at 0.9 some of these bodies are above the limit of stability
STILL_VOXELS = 0.05  # what goes less far stands still, as for `voxelastic compare`
BEST = 100  # or a tenth, of fewer than ten times as many bodies

Rule = collections.namedtuple("Rule", "name conventions step_scale mirrored checks", defaults=(1, False, ""))
RULES = (*(Rule(name, name) for name in ("evosoro", "voxelyze", "voxcraft", "native")),
         *(Rule(f"{name}, {what}", name, scale, mirrored, name)
           for name in ("evosoro", "native") for what, scale, mirrored in (("quarter step", 0.25, False), ("mirror images", 1, True))))
FAILURES = ("diverged", "unphysical", "refused", "stopped")

# GA is a tag that only evosoro reads: by it a file is known as evosoro's.
EXPERIMENT = """<?xml version="1.0" encoding="ISO-8859-1"?>
<VXA Version="1.0">
  <Simulator>
    <Integration><DtFrac>{dt_fraction}</DtFrac></Integration>
    <Damping><BondDampingZ>1</BondDampingZ><ColDampingZ>0.8</ColDampingZ><SlowDampingZ>0.01</SlowDampingZ></Damping>
    <Collisions><SelfColEnabled>1</SelfColEnabled></Collisions>
    <StopCondition><StopConditionType>2</StopConditionType><StopConditionValue>{seconds}</StopConditionValue><InitCmTime>{settle}</InitCmTime></StopCondition>
    <GA><WriteFitnessFile>0</WriteFitnessFile></GA>
  </Simulator>
  <Environment>
    <Gravity><GravEnabled>1</GravEnabled><GravAcc>{gravity}</GravAcc><FloorEnabled>1</FloorEnabled></Gravity>
    <Thermal><TempEnabled>1</TempEnabled><TempAmp>{hot}</TempAmp><TempBase>{base}</TempBase>
      <VaryTempEnabled>1</VaryTempEnabled><TempPeriod>{period}</TempPeriod></Thermal>
  </Environment>
  <VXC Version="0.93">
    <Lattice><Lattice_Dim>{edge}</Lattice_Dim></Lattice>
    <Palette>{materials}
    </Palette>
    <Structure Compression="ASCII_READABLE">
      <X_Voxels>2</X_Voxels><Y_Voxels>2</Y_Voxels><Z_Voxels>2</Z_Voxels>
      <Data><Layer><![CDATA[{lower}]]></Layer><Layer><![CDATA[{upper}]]></Layer></Data>
    </Structure>
  </VXC>
</VXA>
"""
MATERIAL = """
      <Material ID="{number}"><MatType>0</MatType><Name>{name}</Name><Mechanical><MatModel>0</MatModel><Elastic_Mod>{modulus}</Elastic_Mod>
        <Density>{density}</Density><Poissons_Ratio>{poisson}</Poissons_Ratio><CTE>{expansion}</CTE>
        <uStatic>{static}</uStatic><uDynamic>{dynamic}</uDynamic></Mechanical></Material>"""

CELLS = tuple((x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1))
# (swap x and y, flip x, flip y): all that map the square onto itself; mirror images are those of an odd number
SYMMETRIES = tuple(itertools.product((0, 1), repeat=3))
MIRRORS = tuple(s for s in SYMMETRIES if sum(s) % 2)


def moved(code, symmetry):
    """A body turned or mirrored."""
    swap, flip_x, flip_y = symmetry
    cells = []
    for x, y, z in CELLS:
        from_x, from_y = (y, x) if swap else (x, y)
        cells.append(code[(from_x ^ flip_x) + 2 * (from_y ^ flip_y) + 4 * z])
    return "".join(cells)


def pushed(code):
    """A body pushed to the lowest x, y and z."""
    for axis in range(3):
        if all(code[i] == "0" for i, cell in enumerate(CELLS) if cell[axis] == 0):
            code = "".join("0" if cell[axis] else code[i | 1 << axis] for i, cell in enumerate(CELLS))
    return code


def hangs_together(code):
    """Whether there is a voxel, and all others are reached from it through faces."""
    filled = {i for i in range(8) if code[i] != "0"}
    reached = set(list(filled)[:1])
    for _ in filled:
        reached |= {i ^ 1 << axis for i in reached for axis in range(3)} & filled
    return bool(filled) and reached == filled


def bodies(every):
    """Codes of the bodies that count, in order."""
    codes = ["".join(cells) for cells in itertools.product("012", repeat=8)]
    codes = [code for code in codes if "2" in code and hangs_together(code)]
    return codes if every else sorted({max(pushed(moved(code, s)) for s in SYMMETRIES) for code in codes})


def mirror_image(code):
    """A mirror image that differs from the body, where there is one."""
    return next((image for image in (moved(code, mirror) for mirror in MIRRORS) if image != code), code)


def write_designs(folder, codes, image, seconds):
    """A file for each body, by its code; image makes of a code what is written."""
    os.mkdir(folder)
    materials = "".join(
        MATERIAL.format(number=number, name=name, expansion=expansion, modulus=MODULUS_PA, density=DENSITY_KG_PER_M3, poisson=POISSONS_RATIO,
                        static=STATIC_FRICTION, dynamic=DYNAMIC_FRICTION)
        for number, name, expansion in ((1, "passive", 0), (2, "muscle", EXPANSION_PER_K)))
    for code in codes:
        cells = image(code)
        with open(os.path.join(folder, code + ".vxa"), "w", encoding="ascii") as file:
            file.write(EXPERIMENT.format(dt_fraction=DT_FRACTION, seconds=seconds, settle=SETTLE_S, gravity=GRAVITY_M_PER_S2, period=PERIOD_S, edge=EDGE_M,
                                         hot=BASE_C + STRAIN / EXPANSION_PER_K, base=BASE_C, materials=materials, lower=cells[:4], upper=cells[4:]))


def run_rule(program, folder, rule, threads):
    """Rows of a batch by the code of the body, or none and why."""
    path = f"{folder}.csv"
    done = subprocess.run([program, "batch", folder, "--conventions", rule.conventions, "--step-scale", str(rule.step_scale), "--threads", threads,
                           "--quiet", "-o", path], capture_output=True, text=True, check=False)
    if done.returncode:
        return {}, (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[0]
    with open(path, newline="", encoding="utf-8") as file:
        rows = {os.path.basename(row["design"]).removesuffix(".vxa"): row for row in csv.DictReader(file)}
    if all(row["status"] == "refused" for row in rows.values()):
        return {}, next((row["message"] for row in rows.values()), "no rows")
    return rows, ""


def measure(options, codes):
    """Displacements in voxels by the name of the rule and the code; prints a line for each rule."""
    ways = {}
    print(f"{'rules':22}{'median, voxels':>15}{'stand still':>13}" + "".join(f"{failure:>12}" for failure in FAILURES) + f"{'time, s':>9}")
    with tempfile.TemporaryDirectory(prefix="ranking-") as place:
        folders = {False: os.path.join(place, "bodies"), True: os.path.join(place, "mirrored")}
        write_designs(folders[False], codes, str, options.seconds)
        write_designs(folders[True], codes, mirror_image, options.seconds)
        for rule in RULES:
            began = time.monotonic()
            rows, why = run_rule(options.program, folders[rule.mirrored], rule, options.threads)
            if not rows:
                print(f"{rule.name:22}left out: {why}", flush=True)
                continue
            way = {code: float(row["displacement_voxels"]) for code, row in rows.items() if row["status"] == "done"}
            counts = "".join(f"{sum(row['status'] == failure for row in rows.values()):12}" for failure in FAILURES)
            median = f"{statistics.median(way.values()):.3f}" if way else "-"
            print(f"{rule.name:22}{median:>15}{sum(w < STILL_VOXELS for w in way.values()):13}{counts}{time.monotonic() - began:9.1f}", flush=True)
            ways[rule.name] = way
    return ways


def ranks(values):
    """Ranks from 1; equals share the mean of theirs."""
    order = sorted(values)
    return [(bisect.bisect_left(order, v) + bisect.bisect_right(order, v) + 1) / 2 for v in values]


def spearman(a, b):
    """Spearman's rho: the correlation of ranks."""
    a, b = ranks(a), ranks(b)
    middle = (len(a) + 1) / 2
    cross = sum((x - middle) * (y - middle) for x, y in zip(a, b))
    spread = math.sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))
    return cross / spread if spread else math.nan


def tied_pairs(values):
    """How many pairs are equal."""
    return sum(n * (n - 1) // 2 for n in (len(list(group)) for _, group in itertools.groupby(sorted(values))))


def kendall(a, b):
    """Kendall's tau-b, in the way of W. R. Knight, Journal of the American Statistical Association 61 (1966), 436: sorted
    by a, pairs out of order in b are those on which both disagree."""
    seen, against = [], 0
    for _, y in sorted(zip(a, b)):
        against += len(seen) - bisect.bisect_right(seen, y)
        bisect.insort(seen, y)
    pairs, tied_a, tied_b = len(a) * (len(a) - 1) // 2, tied_pairs(a), tied_pairs(b)
    spread = math.sqrt((pairs - tied_a) * (pairs - tied_b))
    return (pairs - tied_a - tied_b + tied_pairs(zip(a, b)) - 2 * against) / spread if spread else math.nan


def best(way, codes, count):
    """The robots that go farthest."""
    return set(sorted(codes, key=lambda code: -way[code])[:count])


def print_agreement(ways):
    """A line for each two rules and each check beside its own rule, of the bodies that ran under both."""
    print(f"\n{'rules':46}{'bodies':>8}{'rho':>8}{'tau-b':>8}{'best':>7}{'in both':>9}{'by chance':>11}")
    plain = [rule.name for rule in RULES if not rule.checks]
    for one, other in (*itertools.combinations(plain, 2), *((rule.checks, rule.name) for rule in RULES if rule.checks)):
        if one not in ways or other not in ways:
            continue
        a, b = ways[one], ways[other]
        codes = sorted(a.keys() & b.keys())
        if len(codes) < 2:
            print(f"{one:22}  {other:22}{len(codes):8}")
            continue
        x, y = [a[code] for code in codes], [b[code] for code in codes]
        count = BEST if len(codes) >= 10 * BEST else max(1, len(codes) // 10)
        shared = len(best(a, codes, count) & best(b, codes, count))
        print(f"{one:22}  {other:22}{len(codes):8}{spearman(x, y):8.3f}{kendall(x, y):8.3f}{count:7}{shared:9}{count * count / len(codes):11.1f}")


def write_table(path, codes, ways):
    """A row for each body."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["code", *ways], *([code, *(way.get(code, "") for way in ways.values())] for code in codes)])


def options_of_call():
    """Options, checked before anything runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/voxelastic")
    parser.add_argument("--all", action="store_true", help="all bodies, not one of each class: some seven times as long")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"simulated, of which the first {SETTLE_S:g} s without muscles (default {SECONDS:g})")
    parser.add_argument("--threads", default="auto", help="as for `voxelastic batch` (default: all processors)")
    parser.add_argument("-o", "--output", help="a row for each body, as CSV")
    options = parser.parse_args()
    if not SETTLE_S < options.seconds < math.inf:
        parser.error(f"--seconds must be above {SETTLE_S:g}")
    if options.threads != "auto" and not (options.threads.isdecimal() and int(options.threads) > 0):
        parser.error("--threads must be auto, or 1 or more")
    if not shutil.which(options.program):
        parser.error(f"there is no program '{options.program}': build it, or name it by --program")
    if options.output and not os.access(os.path.dirname(os.path.abspath(options.output)), os.W_OK):
        parser.error(f"can not write '{options.output}'")
    return options


def main():
    options = options_of_call()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    codes = bodies(options.all)
    same = sum(mirror_image(code) == code for code in codes)
    print(f"{len(codes)} bodies of 2x2x2 cells, {options.seconds:g} s each; {same} of them are their own mirror images in every way\n", flush=True)
    try:
        ways = measure(options, codes)
        print_agreement(ways)
        print("\nFailed robots are left out pairwise. Speeds of the robots that were built are published as figures only, and not compared.")
        if options.output:
            write_table(options.output, codes, ways)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"ranking.py: {error}", file=sys.stderr)
        return 1
    return 0 if len(ways) > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
