# SPDX-License-Identifier: MIT
"""failing_memory.py PROGRAM LIBRARY [--numbers FIRST:LAST:STEP] [--only PATTERN] [--jobs N] [--all] [--no-limits]: makes allocation n of each command fail,
once or from then on (failing_memory.c), or limits its memory (ulimit -v). A command must then end with the status for memory, 5, a message, and each
of its files as it was before or whole; or, where nothing depended on that memory, do as it does undisturbed. A search that ended so is resumed, and must find
what an undisturbed one finds. Commands run on one processor and thus one thread: what OpenMP needs to start others is out of the program's hands."""
import argparse
import concurrent.futures
import io
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

MATERIALS = [{"name": "muscle", "youngs_modulus_Pa": 1e7, "density_kg_per_m3": 1e6, "bond_damping": 1, "thermal_expansion_per_K": 0.01,
              "static_friction": 1, "dynamic_friction": 0.5},
             {"name": "tissue", "youngs_modulus_Pa": 1e7, "density_kg_per_m3": 1e6, "bond_damping": 1, "static_friction": 1, "dynamic_friction": 0.5}]
WORLD = {"voxel_size_m": 0.01, "self_collision": True, "materials": MATERIALS,
         "actuation": {"enabled": True, "base_C": 0, "amplitude_K": 14, "period_s": 0.25}}
SCENE = {"format": "voxelastic scene", "version": 1, "name": "walker", **WORLD, "stop": {"duration_s": 0.01},
         "voxels": [[0, 0, 0, 0], [1, 0, 0, 1], [2, 0, 0, 0], [0, 0, 1, 1], [2, 0, 1, 1], [0, 1, 0, 1]]}
LARGE = {**SCENE, "stop": {"steps": 20}, "voxels": [[x, y, z, (x + y) % 2] for x in range(12) for y in range(12) for z in range(12)]}
FLAT = {**SCENE, "materials": [{**MATERIALS[0], "name": "soft"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]]}
CUBE = {**SCENE, "materials": [{**MATERIALS[1], "youngs_modulus_Pa": 1e4, "density_kg_per_m3": 1e3}],
        "voxels": [[x, y, z, 0] for x in range(2) for y in range(2) for z in range(2)]}
EXPERIMENT = {"format": "voxelastic experiment", "version": 1, "name": "walk", "seed": 1, "size": [3, 3, 2], "audit": True, "world": WORLD,
              "task": {"name": "walk", "duration_s": 0.02, "settle_time_s": 0.005}, "encoding": {"name": "cppn"},
              "algorithm": {"name": "afpo", "population": 3, "generations": 2},
              "constraints": {"pieces": "largest", "least_voxels": 4, "least_actuated": 0.1}}
VXA = """<?xml version="1.0"?><VXA Version="1.1"><Simulator><Integration><DtFrac>0.9</DtFrac></Integration>
<Damping><BondDampingZ>1</BondDampingZ><SlowDampingZ>0.01</SlowDampingZ></Damping>
<StopCondition><StopConditionType>2</StopConditionType><StopConditionValue>0.02</StopConditionValue><InitCmTime>0</InitCmTime>
<StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtCONST>0.02</mtCONST></mtSUB></StopConditionFormula></StopCondition>
<FitnessFunction><mtADD><mtVAR>x</mtVAR><mtVAR>y</mtVAR></mtADD></FitnessFunction>
<GA><WriteFitnessFile>1</WriteFitnessFile><FitnessFileName>score.xml</FitnessFileName></GA>
<AttachDetach><EnableCollision>1</EnableCollision></AttachDetach></Simulator>
<Environment><Gravity><GravEnabled>1</GravEnabled><GravAcc>-9.81</GravAcc><FloorEnabled>1</FloorEnabled></Gravity>
<Thermal><TempEnabled>1</TempEnabled><TempAmplitude>14.5</TempAmplitude><VaryTempEnabled>1</VaryTempEnabled><TempPeriod>0.2</TempPeriod></Thermal></Environment>
<VXC Version="0.94"><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice><Palette>
<Material ID="1"><Name>muscle</Name><Display><Red>1</Red><Green>0</Green><Blue>0</Blue><Alpha>1</Alpha></Display>
<Mechanical><Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density><CTE>0.01</CTE><uStatic>1</uStatic><uDynamic>0.8</uDynamic></Mechanical></Material></Palette>
<Structure Compression="ZLIB"><X_Voxels>2</X_Voxels><Y_Voxels>2</Y_Voxels><Z_Voxels>1</Z_Voxels><Data><Layer><![CDATA[%s]]></Layer></Data></Structure></VXC></VXA>
"""
VXD = """<VXD><Structure replace="VXA.VXC.Structure" Compression="ASCII_READABLE"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels>
<Data><Layer><![CDATA[11]]></Layer></Data></Structure></VXD>"""

# name, words ("voxelastic" or the name of a drop-in first), files that the command writes, what comes on standard input
COMMANDS = [
    ("check", "voxelastic check walker.json walker.vxa worm.vxa", [], None),
    ("info", "voxelastic info walker.json --json", [], None),
    ("info of a record", "voxelastic info walker.vxr", [], None),
    ("convert to a scene", "voxelastic convert worm.vxa new.json", ["new.json"], None),
    ("convert to .vxa", "voxelastic convert walker.json new.vxa", ["new.vxa"], None),
    ("convert to .vxl.json", "voxelastic convert walker.json new.vxl.json", ["new.vxl.json"], None),
    ("convert to .vox", "voxelastic convert walker.json new.vox", ["new.vox"], None),
    ("convert to .evogym.json", "voxelastic convert flat.json new.evogym.json", ["new.evogym.json"], None),
    ("convert from .vox", "voxelastic convert walker.vox new.json --materials materials.json", ["new.json"], None),
    ("convert from .npz", "voxelastic convert body.npz new.json", ["new.json"], None),
    ("run with its files", "voxelastic run walker.json --record new.vxr --trace new.csv --result new.result.json", ["new.vxr", "new.csv", "new.result.json"], None),
    ("run with actions", "voxelastic run walker.json --actions actions.csv --quiet --result new.result.json", ["new.result.json"], None),
    ("run to .html", "voxelastic run walker.json --record new.html", ["new.html"], None),
    ("run to .pvd", "voxelastic run walker.json --record new.pvd", ["new.pvd"], None),
    ("view .glb", "voxelastic view walker.vxr -o new.glb", ["new.glb"], None),
    ("view .png", "voxelastic view walker.vxr -o new.png --size 64x48", ["new.png"], None),
    ("view .html", "voxelastic view found -o new.html", ["new.html"], None),
    ("batch", "voxelastic batch walker.json flat.json worm.vxa -o new.csv", ["new.csv"], None),
    ("batch to .json", "voxelastic batch walker.json flat.json worm.vxa -o new.json --schedule alone", ["new.json"], None),
    ("batch of a large body", "voxelastic batch large.json walker.json -o new.csv", ["new.csv"], None),
    ("record of a large body", "voxelastic run large.json --record new.vxr", ["new.vxr"], None),
    ("batch --stdin", "voxelastic batch --stdin", [], json.dumps(SCENE) + "\n\"walker.json\"\n"),
    ("evolve", "voxelastic evolve walk.json --out new", [], None),
    ("evolve --resume", "voxelastic evolve --out found --resume", [], None),
    ("tune", "voxelastic tune walker.json --out new --no-self-collision --iterations 2 --copies 2 --by phase,amplitude", [], None),
    ("tune --resume", "voxelastic tune --out tuned --resume --iterations 3", [], None),
    ("analyze", "voxelastic analyze found -o new.csv --picture new.svg", ["new.csv", "new.svg"], None),
    ("compare", "voxelastic compare walker.json --copies 2 -o new.html", ["new.html"], None),
    ("compare to .json", "voxelastic compare walker.json --copies 2 -o new.json", ["new.json"], None),
    ("statics", "voxelastic statics large.json --modes 2 --result new.json --poses new.csv --record new.vxr", ["new.json", "new.csv", "new.vxr"], None),
    ("statics of a small body", "voxelastic statics walker.json --modes 2 --picture new.png", ["new.png"], None),
    ("surrogate", "voxelastic surrogate cube.json -o new.json", ["new.json"], None),
    ("conventions", "voxelastic conventions", [], None),
    ("examples", "voxelastic examples", [], None),
    ("studio", "voxelastic studio walker.json -o new.html", ["new.html"], None),
    ("voxelyze", "voxelyze -f worm.vxa", ["score.xml"], None),
    ("voxcraft-sim", "voxcraft-sim -i robots -o new.xml -f", ["new.xml"], None),
]
# How memory ends: an allocation fails, or all from one on, or there are no more than so many KiB.
AT, ON, LIMIT = "VXE_FAIL_AT", "VXE_FAIL_FROM", "limit"
NAMES = {AT: "once", ON: "on", LIMIT: "KiB"}
# The first so many allocations are those of a command itself, which differ most.
ALWAYS = 8
# Behind the last number: so many steps to the last allocation.
BEHIND = 4
# Limits begin with what the loader needs, by steps of so many KiB, up to what the large body needs.
LIMIT_STEP = 512
LIMITS = 32

# What differs from run to run: times of the wall, and rates by them.
CHANGING = [rb'"(wall_s|bond_updates_per_s|robots_per_s|wall_seconds|started|ended|finished|cpu|host)":\s*[^,}\n]*', rb"[0-9.e+-]+ s of wall time[^\n]*",
            rb"wall[^\n]*", rb"[0-9.e+-]+ [MG]? ?bond updates/s"]


def npz_of(cells):
    """A body as numpy stores it: shape (1, cells), in one deflated file."""
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, %d), }" % len(cells)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%dd" % len(cells), *cells)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(zipfile.ZipInfo("arr_0.npy"), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


class Workshop:
    """Inputs, and runs of commands on copies of them."""

    def __init__(self, program, library, folder):
        self.program, self.library, self.folder = program, library, folder
        self.inputs = os.path.join(folder, "inputs")
        self.bin = os.path.join(folder, "bin")
        os.makedirs(self.inputs)
        os.makedirs(self.bin)
        for name in ("voxelastic", "voxelyze", "voxcraft-sim"):
            os.symlink(program, os.path.join(self.bin, name))
        self.write_inputs()

    def write_inputs(self):
        import base64
        import zlib
        layer = base64.b64encode(zlib.compress(bytes([1, 1, 1, 0]))).decode()
        texts = {"walker.json": json.dumps(SCENE), "flat.json": json.dumps(FLAT), "large.json": json.dumps(LARGE), "cube.json": json.dumps(CUBE),
                 "walk.json": json.dumps(EXPERIMENT),
                 "materials.json": json.dumps({"materials": []}), "actions.csv": "t,0\n0,1\n0.004,1.1\n0.01,1\n", "studio.html": "<main>\n</main>\n" + 5000 * "<!-- -->",
                 "worm.vxa": VXA % layer, "robots/base.vxa": VXA % layer, "robots/a.vxd": VXD, "robots/b.vxd": VXD}
        os.makedirs(os.path.join(self.inputs, "robots"))
        for name, text in texts.items():
            with open(os.path.join(self.inputs, name), "w") as file:
                file.write(text)
        with open(os.path.join(self.inputs, "body.npz"), "wb") as file:
            file.write(npz_of([3, 1, 4]))
        for words in ("convert walker.json walker.vxa", "convert walker.json walker.vox", "run walker.json --record walker.vxr --quiet",
                      "evolve walk.json --out found --generations 1 --quiet", "tune walker.json --out tuned --no-self-collision --iterations 1 --quiet"):
            done = subprocess.run([os.path.join(self.bin, "voxelastic")] + words.split(), cwd=self.inputs, env=self.environment({}), capture_output=True)
            if done.returncode not in (0, 75):
                sys.exit(f"{words}: status {done.returncode}: {done.stderr.decode()}")

    def environment(self, more):
        return {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0:exitcode=99", "VOXELASTIC_ASSETS": os.environ.get("VOXELASTIC_ASSETS", ""),
                "VOXELASTIC_STUDIO": ".", **more}

    def run(self, words, outputs, given, failing):
        """Runs a command in a folder of its own. Returns its status, what it printed, its files, and the folder."""
        place = tempfile.mkdtemp(dir=self.folder)
        work = os.path.join(place, "work")
        shutil.copytree(self.inputs, work)
        for name in outputs:
            with open(os.path.join(work, name), "w") as file:
                file.write("old")
        words = words.split()
        words[0] = os.path.join(self.bin, words[0])
        if LIMIT in failing:
            words = ["sh", "-c", f'ulimit -v {failing[LIMIT]}; exec "$@"', "sh"] + words
        more = {"LD_PRELOAD": self.library, **failing} if failing and LIMIT not in failing else {}
        done = subprocess.run(words, cwd=work, env=self.environment(more), input=(given or "").encode(),
                              capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr, work

    def resume(self, work, command, name):
        more = ["--iterations", "3" if name == "tuned" else "2"] if command == "tune" else []
        done = subprocess.run([os.path.join(self.bin, "voxelastic"), command, "--out", name, "--resume", "--quiet", *more], cwd=work,
                              env=self.environment({}), capture_output=True, timeout=300)
        return done.returncode, done.stderr


def steady(data):
    for pattern in CHANGING:
        data = re.sub(pattern, b"", data)
    return data


def files_of(folder):
    """All files of a folder: their bytes, without what changes from run to run."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = steady(file.read())
    return found


def is_search(name):
    return re.match(r"(new|found|tuned)/(?!config|manifest)", name)


def limits_of(shop):
    """Limits of memory under which the program starts, KiB; below them the system does not load it."""
    for least in range(LIMIT_STEP, 1 << 20, LIMIT_STEP):
        if shop.run("voxelastic --version", [], None, {LIMIT: least})[0] == 0:
            return range(least, least + LIMITS * LIMIT_STEP, LIMIT_STEP)
    sys.exit("the program does not start in a GiB")


def judge(shop, command, whole, before, number, way):
    """Runs a command with a failing allocation. Returns "same", "told", or what is wrong."""
    name, words, outputs, given = command
    status, out, err, work = shop.run(words, outputs, given, {way: str(number)})
    try:
        files = files_of(work)
        text = err.decode(errors="replace")
        complaint = text.strip().splitlines()[-1:] or ["nothing printed"]
        if "Sanitizer" in text or "runtime error" in text or status < 0:
            return f"status {status}: {next((t for t in text.splitlines() if 'ERROR' in t or 'runtime' in t), complaint[0])[:200]}"
        left = [n for n in files if n.endswith(".partial") or ".partial/" in n]
        if left:
            return f"leaves {left[0]}"
        if status == whole[0] and status != 5:
            for n in sorted(set(files) | set(whole[3])):
                if files.get(n) != whole[3].get(n):
                    return f"status {status}, but {n} is not as it was"
            return "same" if steady(out) == steady(whole[1]) else f"status {status}, but other words on standard output"
        if way == LIMIT and (status == 127 or text.startswith("libgomp:")):
            return "told"  # the program has not begun
        if status != 5:
            return f"status {status}: {complaint[0][:150]}"
        if not re.search("memory|allocate", text):
            return f"status 5 without saying why: {complaint[0][:150]}"
        for n in sorted(set(files) | set(before)):
            if files.get(n) != before.get(n) and files.get(n) != whole[3].get(n) and not is_search(n):
                return f"status 5, and {n} is neither as before nor whole"
        command = words.split()[1]
        if command in ("evolve", "tune"):
            folder = "new" if "--resume" not in words else "found" if command == "evolve" else "tuned"
            if not os.path.exists(os.path.join(work, folder)):
                return "told"
            code, text = shop.resume(work, command, folder)
            again = files_of(work)
            wrong = [n for n in whole[3] if n.startswith(folder) and "checkpoint" not in n and again.get(n) != whole[3][n]]
            return f"resuming: status {code}, {text.decode()[:150]}" if code else f"resumed, {wrong[0]} is another one" if wrong else "told"
        return "told"
    finally:
        shutil.rmtree(os.path.dirname(work))


def count_of(shop, command):
    name, words, outputs, given = command
    path = os.path.join(shop.folder, "count")
    _, _, _, work = shop.run(words, outputs, given, {"VXE_FAIL_COUNT": path})
    shutil.rmtree(os.path.dirname(work))
    with open(path) as file:
        return int(file.read())


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("program")
    reader.add_argument("library")
    reader.add_argument("--numbers", default="1:400:1")
    reader.add_argument("--only", default="")
    reader.add_argument("--jobs", type=int, default=1)
    reader.add_argument("--all", action="store_true", help="print each wrong run")
    reader.add_argument("--no-limits", action="store_true", help="no runs of limited memory, which sanitizers do not bear")
    options = reader.parse_args()
    first, last, step = (int(part) for part in options.numbers.split(":"))
    wrong = 0
    total = 0
    processors = sorted(os.sched_getaffinity(0))
    turn = itertools.count()

    def settle():
        """One processor for each job: programs take as many threads as they have processors."""
        os.sched_setaffinity(0, {processors[next(turn) % len(processors)]})

    settle()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs, initializer=settle) as pool:
        shop = Workshop(os.path.realpath(options.program), os.path.realpath(options.library), folder)
        limits = [] if options.no_limits else limits_of(shop)
        print(f"{'command':26} {'allocations':>11}  way     told  same  wrong")
        for index, command in enumerate(COMMANDS):
            name, words, outputs, given = command
            if not re.search(options.only, name):
                continue
            status, out, err, work = shop.run(words, outputs, given, {})
            if status != 0 and not name.startswith("voxelyze"):
                sys.exit(f"{name}: status {status}: {err.decode()}")
            whole = (status, out, err, files_of(work))
            shutil.rmtree(os.path.dirname(work))
            before = files_of(shop.inputs) | {n: b"old" for n in outputs}
            taken = count_of(shop, command)
            if taken == 0:
                sys.exit(f"{name}: the library counts no allocations")
            for way in (AT, ON) if options.no_limits else (AT, ON, LIMIT):
                numbers = sorted(set(range(first, min(first + ALWAYS, taken + 1))) | set(range(first + index % step, min(last, taken) + 1, step))
                                 | set(range(last + 1, taken + 1, max((taken - last) // BEHIND, 1))))
                numbers = limits[:: 1 if step == 1 else 4] if way == LIMIT else numbers
                verdicts = list(pool.map(lambda n: (n, judge(shop, command, whole, before, n, way)), numbers))
                bad = [(n, v) for n, v in verdicts if v not in ("same", "told")]
                counts = [sum(v == kind for _, v in verdicts) for kind in ("told", "same")] + [len(bad)]
                print(f"{name:26} {taken:11}  {NAMES[way]:5}  {counts[0]:5} {counts[1]:5} {counts[2]:6}", flush=True)
                seen = set()
                for n, v in bad:
                    if options.all or v not in seen:
                        print(f"    n = {n}: {v}")
                    seen.add(v)
                wrong += len(bad)
                total += len(verdicts)
    print(f"{total} runs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
