#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all throughput programs on this machine and writes bench/RESULTS.md.

    bench/report.py [--programs build/release/bin] [--seconds S] [--quick] [--peers FOLDER] [-o FILE]

Run it on an idle machine, from a release build of a clean commit. S (2) is about what each of some 60 cases takes; the machine's peaks are measured with each
of them, which takes a few seconds more. --quick takes half a second for each of a few cases, and only shows that everything works. The report names no host
and no path."""
import argparse
import csv
import datetime
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SINGLE = ["cube_10", "cube_10_poisson", "cube_20", "cube_40", "cube_64", "cube_100", "cube_200", "quadruped", "quadruped_contacts", "sparse_10",
          "dipoles_4096"]
BATCH = ["batch_cube_6", "batch_cube_10", "batch_cube_10_poisson", "batch_mixed_10"]
DOUBLE = ["cube_10", "cube_64", "quadruped", "sparse_10", "batch_cube_10", "batch_mixed_10"]
THREADED = ["cube_20", "cube_40", "cube_64", "cube_100", "cube_200"] + BATCH
DAMPED = ["cube_10", "cube_20", "cube_40", "cube_64", "quadruped", "sparse_10", "batch_cube_6", "batch_cube_10"]
QUICK = {"cube_10", "cube_20", "quadruped", "sparse_10", "batch_cube_6", "batch_mixed_10"}
CUBE_200_BYTES = 4 << 30  # memory that cube_200 and the arrays of the memory peak need, with a margin
CONTACT_SPANS = ["0.5", "1.5", "5"]  # s: the benchmark quadruped walks, falls, and lies on its own legs
CONTACT_LINE = re.compile(r"^(\w+)\s+([\d.]+) to\s+([\d.]+) s\s+([\d.]+)\s+([\d.]+)\s+([-+][\d.]+)\s+([-+][\d.]+) \(([-+][\d.]+) to ([-+][\d.]+)\)$", re.M)
AFFINE_LINE = re.compile(r"^(\S.*?)\s{2,}([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(?:([\d.]+) of [\d.]+)?\s*\S+$", re.M)
GRADIENT_LINE = re.compile(r"^(\S+_\d+) +(\d+) +(\d+) +(\d+) +(\d+) +\d+ +([\d.]+) +([\d.]+) +([\d.]+) \(([\d.]+) to ([\d.]+)\) +([\d.]+) +([\d.]+) \(([\d.]+) to ([\d.]+)\)$", re.M)
REPLAY_LINE = re.compile(r"^(\S+)\s+(\d+) robots of 80 voxels or more: ([\d.]+) x [^,]*(?:, native at its own step ([\d.]+) x)?$", re.M)
SEARCH_LINE = re.compile(r"^(xenobot|walk|gait) +(\d+) +(\d+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +(-?\d+) % +(-?\d+) % +([\d.]+)$", re.M)
# The simulators of the Voxelyze family: their name in the index of published robots, the name of the program in the folder of --peers, and of ours.
PEERS = [("evosoro _voxcad", "evosoro", "voxelyze"), ("evosoro _voxcad_land_water", "land-water", "voxelyze-land-water"),
         ("reconfigurable_organisms _voxcad", "reconfigurable-organisms", "voxelyze-recorg")]
PEER_ROBOTS, PEER_VOXELS, PEER_PAIRS, PEER_SECONDS = 5, 80, 3, 120  # at most, at least, each, at most for one run


class Program:
    """The programs of one build; results are kept, so that no case is measured twice."""

    def __init__(self, folder, seconds):
        self.folder = folder
        self.seconds = seconds
        self.known = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, name, *words):
        """Standard output of a program, or None and the reason why there is none."""
        if not os.path.exists(self.path(name)):
            return None, "the program is not built"
        print(name, *[os.path.basename(word) for word in words], flush=True)
        done = subprocess.run([self.path(name), *words], capture_output=True, text=True, check=False)
        if done.returncode != 0 and not done.stdout:
            return None, f"exit status {done.returncode}"
        return done.stdout, None

    def bonds(self, case, threads=1, precision="mixed", damping="explicit", ratio=None):
        """(report, case) of bond_throughput."""
        key = (case, threads, precision, damping, ratio)
        if key not in self.known:
            words = ["--case", case, "--threads", str(threads), "--precision", precision, "--damping", damping]
            words += ["--seconds", str(self.seconds)]
            words += ["--ratio", ratio] if ratio else []
            with tempfile.NamedTemporaryFile(suffix=".json") as out:
                done = subprocess.run([self.path("bond_throughput"), *words, "--json", out.name], capture_output=True, text=True,
                                      check=False)
                if done.returncode != 0:
                    sys.exit(f"bench/report.py: bond_throughput {' '.join(words)}: exit status {done.returncode}\n{done.stderr}")
                with open(out.name, encoding="utf-8") as file:
                    report = json.load(file)
            self.known[key] = report, report["cases"][0]
            print(f"bond_throughput {' '.join(words)}: {million(report['cases'][0]['bond_updates_per_s'])} M/s", flush=True)
        return self.known[key]


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def cores():
    """Number of cores (not of logical processors), or "unknown"."""
    base = "/sys/devices/system/cpu"
    names = [name for name in os.listdir(base) if re.fullmatch(r"cpu\d+", name)] if os.path.isdir(base) else []
    found = {tuple(read(f"{base}/{name}/topology/{what}") for what in ("physical_package_id", "core_id")) for name in names} - {("", "")}
    return str(len(found)) if found else "unknown"


def caches():
    """Sizes of the caches of processor 0, and by how many logical processors each is shared."""
    found = []
    base = "/sys/devices/system/cpu/cpu0/cache"
    for index in sorted(name for name in os.listdir(base) if name.startswith("index")) if os.path.isdir(base) else []:
        if read(f"{base}/{index}/type") != "Instruction":
            ranges = re.findall(r"(\d+)(?:-(\d+))?", read(f"{base}/{index}/shared_cpu_list"))
            sharing = sum(int(last or first) - int(first) + 1 for first, last in ranges)
            shared = f" shared by {sharing}" if sharing > 1 else ""
            found.append(f"L{read(f'{base}/{index}/level')} {read(f'{base}/{index}/size')}{shared}")
    return ", ".join(found) or "unknown"


def memory_bytes():
    kilobytes = re.search(r"MemAvailable:\s+(\d+) kB", read("/proc/meminfo"))
    return 1024 * int(kilobytes[1]) if kilobytes else 0


def flags(folder):
    """Build type and flags of the build that the programs are from."""
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", read(os.path.join(folder, "../CMakeCache.txt")), re.M))
    kind = cache.get("CMAKE_BUILD_TYPE", "")
    words = f"{cache.get('CMAKE_C_FLAGS', '')} {cache.get('CMAKE_C_FLAGS_' + kind.upper(), '')}".split()
    # a flag with a path would name a folder of this machine
    return f"{kind}, {' '.join(word for word in words if '/' not in word) or 'no flags'}" if kind else "unknown"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def million(per_second):
    value = per_second / 1e6
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def throughput_rows(program, cases, **options):
    rows = []
    for name in cases:
        _, c = program.bonds(name, **options)
        setup = f"{100 * c['fraction_of_time_in_setup']:.0f} %" if c["robots"] > 1 else ""
        rates = [million(c["bond_updates_per_s"]), million(c["bond_updates_per_s_median"])]
        parts = [f"{c['fraction_of_fma_peak']:.2g}", f"{c['fraction_of_bandwidth']:.2g}", f"{c['simulated_s_per_wall_s']:.3g}"]
        rows.append([name, f"{c['voxels']:.0f}", f"{c['bonds']:.0f}", str(c["robots"]), *rates, *parts, setup])
    return rows


THROUGHPUT_HEAD = ["case", "voxels", "bonds", "robots", "best, M/s", "median, M/s", "of FMA peak", "of memory peak", "simulated s/s", "setup"]
FMA, MEMORY = ("fma_peak_flops_per_s", "GFlop/s"), ("bandwidth_bytes_per_s", "GB/s")


def machine_section(program, processors, begun, load):
    one, case = program.bonds("cube_10")
    double, _ = program.bonds("cube_10", precision="double")
    many, _ = program.bonds("cube_20", threads=processors)
    peaks = [("peak of multiply-adds, float, 1 thread", one, FMA), ("peak of multiply-adds, double, 1 thread", double, FMA),
             ("peak of memory, 1 thread", one, MEMORY)]
    if processors > 1:
        peaks += [(f"peak of multiply-adds, float, {processors} threads", many, FMA), (f"peak of memory, {processors} threads", many, MEMORY)]
    rows = [["date (UTC)", begun], ["version, commit", f"{one['version']}, {one['commit']}"], ["compiler", one["compiler"]],
            ["build", flags(program.folder)], ["processor", one["machine"]["processor"]], ["cores, logical processors", f"{cores()}, {processors}"],
            ["caches of a core", caches()], ["instruction set used", case["isa"]], ["other load at the start", load]]
    rows += [[name, f"{report['peaks'][-1][key] / 1e9:.0f} {unit}"] for name, report, (key, unit) in peaks]
    return table(["", ""], rows) + """

The peak of multiply-adds is what independent fused multiply-adds in registers reach, counted as two operations each. The peak of memory is that of
a = b + s c over arrays far larger than the caches. Both are measured again with each case, and fractions are of the peak measured with it."""


COLUMNS = """A bond update is one existing bond in one step. Gravity, floor, friction, damping, actuation and the divergence check are on.

* *robots*: how many are in the window that is timed; those of a `batch_` case run side by side in the lanes of vectors.
* *best* and *median*: bond updates per second, in millions, of the fastest and the median of several windows (seven, five for batches).
* *of FMA peak*: the best rate, at 257 operations for each bond update (a fixed figure, so that rates can be compared), divided by the peak of multiply-adds.
* *of memory peak*: the bytes that a step must move if nothing stays in a cache, divided by the peak of memory. Small bodies stay in caches, so that it may be
  above 1.
* *simulated s/s*: simulated time of all robots per second of the clock.
* *setup*: estimated part of a batch's time in which designs are compiled."""


def threads_section(program, cases, processors):
    if processors == 1:
        return "This machine has one logical processor."
    rows = []
    for name in cases:
        one = program.bonds(name)[1]["bond_updates_per_s"]
        many = program.bonds(name, threads=processors)[1]["bond_updates_per_s"]
        rows.append([name, million(one), million(many), f"{many / one:.2f}"])
    head = ["case", "1 thread", f"{processors} threads", "ratio"]
    return "Best rate in millions of bond updates per second, mixed precision, explicit damping.\n\n" + table(head, rows)


def damping_section(program, cases):
    rows = []
    for name in cases:
        row = [name]
        for ratio in ("1", "0.1"):
            explicit = program.bonds(name, damping="explicit", ratio=ratio)[1]
            iterated = program.bonds(name, damping="sweep", ratio=ratio)[1]
            speed = iterated["simulated_s_per_wall_s"] / explicit["simulated_s_per_wall_s"]
            row += [f"{speed:.2f}", f"{iterated['timestep_s'] / explicit['timestep_s']:.2f}", f"{iterated['damping_sweeps']:.2g}"]
        rows.append(row)
    head = ["case", "speed, xi = 1", "step", "iterations", "speed, xi = 0.1", "step", "iterations"]
    return """Damping of bonds by dashpots as explicit forces, or by the polynomial iteration, which is stable at any damping ratio xi and so takes longer steps.
*speed*: simulated time per second with the iteration, divided by that with explicit dashpots; above 1 the iteration is faster. *step*: ratio of the time
steps. *iterations*: of each step. One thread, mixed precision.

""" + table(head, rows)


def contacts_section(program, quick):
    spans = CONTACT_SPANS[:1] if quick else CONTACT_SPANS
    text, why = program.run("contact_cost", "--repeats", "1" if quick else "7", os.path.join(HERE, "../assets/benchmark/quad10.vxa"), *spans)
    found = CONTACT_LINE.findall(text or "")
    if not found:
        return f"Could not be measured: {why or 'no result'}."
    rows = [[damping, f"{begin} to {end} s", *times, f"{fastest} %", f"{median} % ({low} to {high})"]
            for damping, begin, end, *times, fastest, median, low, high in found]
    return """What self-collision adds to the time of a step of the benchmark quadruped (480 voxels), on one thread. It walks at first, and then falls and lies on
its own legs, where many voxels press on each other. A run with self-collision and one without alternate. *without*, *with*: microseconds per step of the
fastest run. *adds*: by the fastest runs, and the median of the runs with its quartiles. `auto` is the damping scheme that a run chooses.

""" + table(["damping", "simulated time", "without, us", "with, us", "adds, fastest", "adds, median"], rows)


def affine_section(program, processors, quick):
    measured = {}
    bodies = 256 if quick else 1024
    for threads in sorted({1, processors}):
        text, why = program.run("affine_throughput", "--threads", str(threads), "--seconds", str(program.seconds / 4), "--bodies", str(bodies))
        for name, best, median, alone, part in AFFINE_LINE.findall(text or ""):
            measured.setdefault(name, {})[threads] = best, median, alone, part
    if not measured:
        return f"Could not be measured: {why or 'no result'}."
    head = ["body", "best, M/s", "median, M/s", "of FMA peak", "alone, M/s", f"best on {processors} threads, M/s"]
    rows = []
    for name, row in measured.items():
        best, median, alone, part = row[1]
        rows.append([name, best, median, part, alone, row.get(processors, [""])[0]])
    return f"""Steps of affine bodies, in millions per second, in a batch of {bodies} designs with one body each in free fall, double precision. Bodies are side by
side in vectors; *alone* is the rate with one body at a time. *of FMA peak* is known for the first row only, whose operations were counted.

""" + table(head, rows)


def search_section(program, processors, quick):
    rows = []
    why = None
    for threads in [1] if quick or processors == 1 else [1, 2]:
        words = ["--generations", "2" if quick else "20", "--repeats", "1" if quick else "5", "--threads", str(threads)]
        text, why = program.run("search_throughput", *words)
        rows += [[name, str(threads), count, voxels, bonds, lanes, best, median, updates, f"{contacts} %", f"{damping} %", start]
                 for name, count, voxels, bonds, lanes, best, median, updates, _, contacts, damping, start in SEARCH_LINE.findall(text or "")]
    if not rows:
        return f"Could not be measured: {why or 'no result'}."
    head = ["search", "threads", "bodies", "voxels", "bonds", "in lanes", "evaluations/s, best", "median", "bond updates, M/s", "contacts take",
            "damping takes", "to first step, ms"]
    return """What a search waits for: the bodies of one generation of an experiment in `assets/experiments`, after some generations of evolution, from design to
fitness, all different and with the self-collision and damping of the experiment. *contacts take*, *damping takes*: of the time of a bond update, by runs
without them. *to first step*: from a design to its first step and result.

""" + table(head, rows)


def gradients_section(program, quick):
    text, why = program.run("gradient_cost", "--repeats", "1" if quick else "9", "--seconds", "0.05" if quick else "0.3")
    found = GRADIENT_LINE.findall(text or "")
    if not found:
        return f"Could not be measured: {why or 'no result'}."
    rows = [[name, voxels, bonds, lanes, rate, usual, f"{usual_median} ({usual_low} to {usual_high})", every, f"{every_median} ({every_low} to {every_high})"]
            for name, voxels, bonds, lanes, _, rate, usual, usual_median, usual_low, usual_high, every, every_median, every_low, every_high in found]
    return """What a gradient costs, in runs: sixteen robots of one body on one core, side by side in lanes, explicit dashpots, a floor with friction. A run of all of
them, a gradient by amplitude, phase, load and start (*usual*), and one by all numbers of materials too take turns. *fastest*: of either; the median of the turns with its
quartiles.

""" + table(["body", "voxels", "bonds", "in lanes", "bond updates of a run, M/s", "usual, fastest", "usual, median", "materials, fastest", "materials, median"], rows)


def seconds_of(words):
    """Processor seconds of a program in a folder of its own; None where it left no result or took too long. The exit status of these programs says nothing:
    the simulators end with 1 when all is well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PEER_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        wrote = any(os.path.getsize(os.path.join(folder, name)) > 0 for name in os.listdir(folder))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime if wrote else None


def robots_of(published, simulator):
    """Designs that a simulator has run, of so many voxels, spread over the index."""
    with open(os.path.join(published, "INDEX.csv"), encoding="utf-8", newline="") as file:
        found = sorted({row["folder"] for row in csv.DictReader(file) if row["simulator"] == simulator and int(row["voxels"]) >= PEER_VOXELS})
    found = found[::max(1, len(found) // PEER_ROBOTS)][:PEER_ROBOTS]
    return [os.path.abspath(os.path.join(published, folder, "design.vxa")) for folder in found]


def pairs_of(theirs, ours, designs):
    """How many times faster our program is on each design, from the same command line to the end: medians over pairs of runs that follow each other."""
    ratios = []
    for design in designs:
        pairs = []
        for _ in range(PEER_PAIRS):
            times = [seconds_of([program, "-f", design]) for program in (theirs, ours)]
            pairs += [times[0] / times[1]] if all(times) else []
        ratios += [statistics.median(pairs)] if pairs else []
        print("pairs", os.path.basename(theirs), f"{ratios[-1]:.1f} x" if pairs else "failed", flush=True)
    return ratios


def peers_section(program, folder, published, quick):
    if not folder or not os.path.isdir(published):
        return "Skipped: no folder of built simulators was given (`--peers`), or the published robots are not on this machine."
    rows = []
    for simulator, name, own in PEERS:
        theirs = os.path.abspath(os.path.join(folder, name))
        designs = robots_of(published, simulator)[:1 if quick else None]
        if not os.path.exists(theirs) or not designs:
            rows.append([name, "0", "not in the folder", ""])
            continue
        ratios = pairs_of(theirs, os.path.abspath(program.path(own)), designs)
        rows.append([name, str(len(ratios)), f"{statistics.median(ratios):.1f} x", f"{min(ratios):.1f} to {max(ratios):.1f} x"] if ratios
                    else [name, "0", "no run ended", ""])
    return f"""The same command line and the same robots of {PEER_VOXELS} voxels or more, with the simulator's program and with the one of this project that stands in for
it (its law, its time step), in turns on one core: processor time of the whole program, medians of {PEER_PAIRS} pairs for each robot.

""" + table(["simulator", "robots", "median", "from, to"], rows)


def simulators_section(program, folder, quick):
    if not os.path.isdir(folder):
        return "Skipped: the published robots with the results of their simulators are not on this machine."
    if quick:
        return "Skipped in a quick run."
    text, why = program.run("oracle_replay", folder, "--native")
    found = REPLAY_LINE.findall(text or "")
    passed = re.search(r"^(\d+) of (\d+) within tolerance", text or "", re.M)
    if not found or not passed:
        return f"Could not be measured: {why or 'no result'}."
    rows = [[name, count, f"{same} x", f"{own} x"] for name, count, same, own in found]
    return f"""Published robots of 80 voxels or more, run with the compatibility preset of their simulator at its time step, and with the law and step of this
program. The speed is relative to that simulator (compiled with `-O3 -march=native`, one thread), whose times were recorded with its results, possibly on
another machine; medians over robots. {passed[1]} of {passed[2]} robots, of any size, end within the simulators' own spread under changes of their step.

""" + table(["simulator", "robots", "same step, preset", "own law and step"], rows)


def main():
    parser = argparse.ArgumentParser(description="Runs all throughput programs on this machine and writes bench/RESULTS.md.")
    parser.add_argument("--programs", default=os.path.join(HERE, "../build/release/bin"), metavar="FOLDER",
                        help="folder of the programs (build/release/bin)")
    parser.add_argument("--seconds", type=float, default=None, metavar="S", help="about what each case takes (2, or 0.5 with --quick)")
    parser.add_argument("--quick", action="store_true", help="few cases, to see that everything works")
    parser.add_argument("--published", default=os.path.join(HERE, "../../shared/oracle"), metavar="FOLDER",
                        help="published robots with the results of their simulators, for oracle_replay")
    parser.add_argument("--peers", metavar="FOLDER",
                        help="folder of simulators that you have built, named " + ", ".join(name for _, name, _ in PEERS))
    parser.add_argument("-o", "--output", default=os.path.join(HERE, "RESULTS.md"), metavar="FILE", help="report to write (bench/RESULTS.md)")
    a = parser.parse_args()
    seconds = a.seconds if a.seconds is not None else 0.5 if a.quick else 2
    program = Program(a.programs, seconds)
    if not seconds > 0:
        sys.exit("bench/report.py: --seconds must be above 0")
    if not os.path.exists(program.path("bond_throughput")):
        sys.exit("bench/report.py: bond_throughput is not there; build the release preset, or name the folder of the programs with --programs")
    load = f"{os.getloadavg()[0]:.1f} processes in the last minute"
    start = time.monotonic()
    begun = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")
    processors = program.bonds("cube_10")[0]["machine"]["logical_processors"]
    large = memory_bytes() >= CUBE_200_BYTES

    def chosen(cases):
        return [name for name in cases if (not a.quick or name in QUICK) and (name != "cube_200" or large)]

    short = a.quick or seconds < 1
    sections = [
        ("Machine", machine_section(program, processors, begun, load)),
        ("Bond updates, one thread, mixed precision, explicit damping",
         COLUMNS + "\n\n" + table(THROUGHPUT_HEAD, throughput_rows(program, chosen(SINGLE + BATCH)))),
        ("Bond updates, one thread, double precision, explicit damping",
         table(THROUGHPUT_HEAD, throughput_rows(program, chosen(DOUBLE), precision="double"))),
        ("Threads", threads_section(program, chosen(THREADED), processors)),
        ("Explicit damping and polynomial damping iteration", damping_section(program, chosen(DAMPED))),
        ("Self-collision", contacts_section(program, a.quick)),
        ("Gradients", gradients_section(program, a.quick)),
        ("Searches", search_section(program, processors, a.quick)),
        ("Affine bodies", affine_section(program, processors, a.quick)),
        ("Other simulators", simulators_section(program, a.published, a.quick)),
        ("Other simulators, side by side", peers_section(program, a.peers, a.published, a.quick)),
    ]
    minutes = (time.monotonic() - start) / 60
    warning = "**A short run: the figures are rough and only show that the measurement works.**\n\n" if short else ""
    text = f"""# Throughput on one machine

{warning}Written by `bench/report.py` in {minutes:.0f} minutes, with {seconds:g} s for each case; do not edit. [performance](../docs/performance.md) explains what limits
these figures; those of earlier machines are in [HISTORY.md](HISTORY.md).
"""
    text += "".join(f"\n## {title}\n\n{body}\n" for title, body in sections)
    with open(a.output, "w", encoding="utf-8") as file:
        file.write(re.sub(r"[ \t]+\n", "\n", text))
    print(f"wrote {os.path.basename(a.output)}")


if __name__ == "__main__":
    main()
