#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""external_fitness.py PROGRAM ASSETS LIBRARY FAULTS...: searches whose fitness is a program or a shared object. They are the same for any number of threads, from any
folder, in parts and where the experiment was moved. Whatever the other side does wrong is a plain error, within moments, and no process of it is left."""
import csv
import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, counted_end

PATIENCE = 60  # s
PYTHON = sys.executable
COUNTS = "import json, sys\nfor line in sys.stdin:\n    print(len(json.loads(line)['voxels']), flush=True)\n"


def experiment(task, **more):
    made = {"format": "voxelastic experiment", "version": 1, "seed": 2, "size": [4, 4, 4], "world": {"materials": [{"thermal_expansion_per_K": 0.01}, {}]},
            "task": task, "algorithm": {"population": 8, "generations": 6}}
    return made | more


def write(name, made):
    pathlib.Path(name).write_text(json.dumps(made))
    return name


def evolve(program, *words, **more):
    """Runs to the end; None where that takes for ever."""
    try:
        return subprocess.run([program, "evolve", *map(str, words)], capture_output=True, text=True, errors="replace", timeout=PATIENCE, **more)
    except subprocess.TimeoutExpired:
        return None


def same(a, b):
    compared = filecmp.dircmp(a, b)
    files = compared.common_files
    return not compared.left_only and not compared.right_only and filecmp.cmpfiles(a, b, files, shallow=False)[0] == files \
        and all(same(f"{a}/{name}", f"{b}/{name}") for name in compared.common_dirs)


def left_over(mark):
    """Processes whose command has a mark, given a moment to go."""
    for _ in range(100):
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes()
                state = (entry.parent / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if mark.encode() in words and b"evolve" not in words or state == "Z" and int((entry.parent / "stat").read_text().rsplit(")", 1)[1].split()[1]) == os.getpid():
                found.append(entry.parent.name)
        if not found:
            return []
        time.sleep(0.05)
    return found


def rows(folder):
    with open(f"{folder}/individuals.csv") as stream:
        return list(csv.DictReader(stream))


def whole_searches(program, assets):
    """A program of the examples, by several numbers of threads, from elsewhere and in parts."""
    pathlib.Path("here").mkdir()
    for name in ("porous.py", "porous.json"):
        shutil.copy(assets / "experiments" / name, "here")
    check(evolve(program, "here/porous.json", "--out", "one", "--threads", 1).returncode == 0, "a program is the fitness")
    for threads in (2, 5):
        evolve(program, "here/porous.json", "--out", f"threads{threads}", "--threads", threads)
        check(same("one", f"threads{threads}"), f"the same with {threads} workers")
    evolve(program, "porous.json", "--out", "../inside", cwd="here")
    check(same("one", "inside"), "the same from the folder of the experiment")
    champion = json.loads(pathlib.Path("one/best/champion.json").read_text())
    answer = subprocess.run([PYTHON, "here/porous.py"], input=json.dumps(champion) + "\n", capture_output=True, text=True).stdout
    table = rows("one")
    check(float(answer) == max(float(row["fitness"]) for row in table if row["fitness"]), "its answer for the champion is the best fitness of the table")
    check(float(table[0]["fitness"] or 0) < float(answer), "which rises")
    check(evolve(program, "here/porous.json", "--out", "parts", "--generations", 5).returncode == 75, "a part")
    check(evolve(program, "--out", "parts", "--resume").returncode == 0 and same("one/best", "parts/best"), "resumed without the file, it finds the program")
    check(filecmp.cmp("one/individuals.csv", "parts/individuals.csv", shallow=False), "and writes the same")
    evolve(program, "here/porous.json", "--out", "moved", "--generations", 5)
    os.rename("here", "there")
    done = evolve(program, "--out", "moved", "--resume")
    check(done.returncode == 5 and "there is no folder" in done.stderr, "a folder that was moved away is told")
    check(evolve(program, "there/porous.json", "--out", "moved", "--resume").returncode == 0, "the experiment at its new place goes on")
    check(filecmp.cmp("one/individuals.csv", "moved/individuals.csv", shallow=False), "to the same rows")
    check(left_over("porous.py") == [], "no worker is left")


def large_bodies(program):
    """Lines that no pipe holds, answers late and early."""
    big = {"size": [16, 16, 16], "encoding": {"name": "direct", "phase": True, "filled": 1}, "algorithm": {"population": 5, "generations": 2}}
    pathlib.Path("counts.py").write_text(COUNTS)
    write("big.json", experiment({"name": "program", "command": [PYTHON, "counts.py"]}, **big))
    check(evolve(program, "big.json", "--out", "big", "--threads", 2).returncode == 0, "bodies of a hundred kilobytes")
    check(max(float(row["fitness"]) for row in rows("big")) > 4000, "arrive whole")
    write("hasty.json", experiment({"name": "program", "command": [PYTHON, "-c", "import time\nprint(1, flush=True)\ntime.sleep(100)"]}, **big))
    done = evolve(program, "hasty.json", "--out", "hasty", "--threads", 2)
    check(done and done.returncode == 3 and "answered before it had read its line" in done.stderr, "who answers without reading is told")
    write("deaf.json", experiment({"name": "program", "command": [PYTHON, "-c", "import os, time\nos.close(0)\ntime.sleep(100)"], "time_limit_s": 0.3}, **big))
    done = evolve(program, "deaf.json", "--out", "deaf", "--threads", 2)
    check(done and done.returncode == 5 and "has not answered within" in done.stderr, "who closes its input does not end us")
    write("nan.json", experiment({"name": "program", "command": [PYTHON, "-c", COUNTS.replace("len(json.loads(line)['voxels'])", "' NaN '")]}))
    done = evolve(program, "nan.json", "--out", "nan")
    check(done.returncode == 0 and "no individual has a fitness" in done.stdout, "nan is no fitness")
    check({row["status"] for row in rows("nan")} == {"undefined"}, "and the rows say so")


def wrong_programs(program):
    """What a program does wrong, the exit status, and words of the message."""
    loop = "import sys, os, time\nfor line in sys.stdin:\n    "
    late = "time.sleep(0.01)\n    "
    wrong = (("sys.exit(3)", 5, 'sys.exit(3) a-marked-worker" ended with status 3 before it had answered'),
             ("print('par', end='', flush=True); sys.exit(0)", 5, 'ended with status 0 before it had answered; it wrote "par"'),
             ("os.kill(os.getpid(), 9)", 5, "was ended by signal 9 before it had answered"),
             ("os.close(1); time.sleep(100)", 5, "closed its output before it had answered"),
             ("print('hello \\x1b[31m', flush=True)", 3, 'did not answer with a finite number, or nan; it wrote "hello  [31m"'),
             ("print(flush=True)", 3, 'did not answer with a finite number, or nan; it wrote "an empty line"'),
             ("print('inf', flush=True)", 3, "did not answer with a finite number"),
             ("print('1e999', flush=True)", 3, "did not answer with a finite number"),
             ("print('1 2', flush=True)", 3, "did not answer with a finite number"),
             ("print('x' * 100000, flush=True)", 3, "wrote more than a line with a number"),
             ("print('7' * 2000, flush=True)", 3, "wrote more than a line with a number"),
             ("print('1\\n2', flush=True)", 3, "wrote more than"),
             ("time.sleep(100)", 5, 'has not answered within "time_limit_s"'),
             ("print(1, flush=True)\n    sys.exit(4)", 5, "ended with status 4 before it had answered"))
    for number, (does, status, text) in enumerate(wrong):
        task = {"name": "program", "command": [PYTHON, "-c", loop + late + does, "a-marked-worker"]} | ({"time_limit_s": 0.5} if "limit" in text else {})
        write("wrong.json", experiment(task))
        done = evolve(program, "wrong.json", "--out", f"wrong{number}", "--threads", 2)
        check(done and done.returncode == status and text in done.stderr, f"{does!r}: {text}")
        if not done or text not in done.stderr:
            print(done)
    check(left_over("a-marked-worker") == [], "none of them is left")
    write("mute.json", experiment({"name": "program", "command": [PYTHON, "-c", "import sys\nsys.exit('my own words')"]}))
    check("my own words" in evolve(program, "mute.json", "--out", "mute").stderr, "what it says on standard error is seen")


def wrong_experiments(program, library, faults):
    pathlib.Path("a.txt").write_text("text")
    wrong = (({"name": "program", "command": ["./no-such-program"]}, 5, "cannot start ./no-such-program in .*: No such file"),
             ({"name": "program", "command": ["./a.txt"]}, 5, "cannot start ./a.txt in .*: Permission denied"),
             ({"name": "program", "command": [PYTHON], "folder": "nowhere"}, 3, "there is no folder ./nowhere"),
             ({"name": "program", "command": [PYTHON], "folder": "/nowhere"}, 5, "there is no folder /nowhere"),
             ({"name": "program"}, 3, '"program" needs a "command", such as'),
             ({"name": "program", "command": "python3"}, 3, '"command" must be a list of texts'),
             ({"name": "program", "command": ["a", ""]}, 3, '"command" must be a list of texts'),
             ({"name": "program", "command": ["a" * 2000]}, 3, "fewer than 2000 bytes"),
             ({"name": "program", "command": ["a"], "library": "b"}, 3, '"library" is for the task "library"'),
             ({"name": "program", "command": ["a"], "fitness": "x"}, 3, '"fitness" is for the task "formula"'),
             ({"name": "walk", "command": ["a"]}, 3, '"command" is for the task "program"'),
             ({"name": "walk", "time_limit_s": 1}, 3, '"time_limit_s" is for the task "program"'),
             ({"name": "walk", "folder": "."}, 3, '"folder" is for the tasks'),
             ({"name": "library"}, 3, '"library" needs a "library", such as'),
             ({"name": "library", "library": "none.so"}, 5, "cannot load the fitness: .*none.so: cannot open"),
             ({"name": "library", "library": "a.txt"}, 5, "cannot load the fitness: .*a.txt"),
             ({"name": "library", "library": faults[0]}, 3, "has no fitness: VXE_FITNESS"),
             ({"name": "library", "library": faults[1]}, 3, "by the headers of another release"))
    for task, status, text in wrong:
        write("wrong.json", experiment(task))
        done = evolve(program, "wrong.json", "--out", "refused")
        words = text.split(".*")
        check(done and done.returncode == status and all(word in done.stderr for word in words), f"{json.dumps(task)[:80]}: {text}")
        if not done or not all(word in done.stderr for word in words):
            print(done)
        check(not os.path.exists("refused"), "and there is no folder")
    for more, text in (({"audit": True}, '"audit" is about runs'), ({"evaluation": {"copies": 2, "vary": {"step": 0.01}}}, '"evaluation" is about runs')):
        write("wrong.json", experiment({"name": "library", "library": library}, **more))
        check(text in evolve(program, "wrong.json", "--out", "refused").stderr, text)
    write("told.json", experiment({"name": "told"}))
    done = evolve(program, "told.json", "--out", "told")
    check(done.returncode == 2 and "asked for, and their fitness is told" in done.stderr, "what is told is not evolved")
    write("infinite.json", experiment({"name": "library", "library": faults[2]}))
    done = evolve(program, "infinite.json", "--out", "infinite")
    check(done.returncode == 3 and "gave an infinite fitness" in done.stderr, "an infinite fitness of a library is refused")
    write("none.json", experiment({"name": "library", "library": faults[3]}))
    check("no individual has a fitness" in evolve(program, "none.json", "--out", "none").stdout, "and NaN is none")


def libraries(program, assets, library):
    made = json.loads((assets / "experiments/two_speeds.json").read_text())
    made["task"]["library"] = os.path.relpath(library)
    made["algorithm"] = {"population": 8, "generations": 5}
    write("library.json", made)
    for threads in (1, 3):
        check(evolve(program, "library.json", "--out", f"library{threads}", "--threads", threads).returncode == 0, f"a library with {threads} threads")
    check(same("library1", "library3"), "the same")
    evolve(program, "library.json", "--out", "library-parts", "--generations", 2)
    evolve(program, "--out", "library-parts", "--resume")
    check(filecmp.cmp("library1/individuals.csv", "library-parts/individuals.csv", shallow=False), "and in parts")
    design = json.loads(pathlib.Path("library1/best/champion.json").read_text())
    with open("library1/generations.csv") as stream:
        best = float(list(csv.DictReader(stream))[-1]["best_fitness"])
    ways = []
    for factor in (1, 2):
        slower = json.loads(json.dumps(design))
        slower["actuation"]["period_s"] *= factor
        slower["fitness"] = "x"
        write("slower.json", slower)
        subprocess.run([program, "run", "slower.json", "--quiet", "--no-step-error", "--result", "slower-result.json"], check=True)
        ways.append(json.loads(pathlib.Path("slower-result.json").read_text())["fitness"])
    check(abs(min(ways) - best) < 1e-4 * abs(best), f"the fitness is what two runs give: {ways}, {best}")


def interrupted(program):
    """Signals while workers compute: the search is suspended, they are gone, and it goes on to the same end."""
    slow = COUNTS.replace("    print", "    time.sleep(0.02)\n    print").replace("import json", "import json, time")
    task = {"name": "program", "command": [PYTHON, "-c", slow, "another-worker"]}
    write("slow.json", experiment(task, algorithm={"population": 8, "generations": 12}))
    write("endless.json", experiment({"name": "program", "command": [PYTHON, "-c", "import time\ntime.sleep(1000)", "another-worker"]}))
    evolve(program, "slow.json", "--out", "slow")
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([program, "evolve", "endless.json", "--out", f"endless{number}", "--quiet"], stderr=subprocess.DEVNULL)
        while not os.path.exists(f"endless{number}"):
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(number)
        try:
            check(process.wait(PATIENCE) == 75, f"{signal.Signals(number).name} suspends a search whose workers do not answer")
        except subprocess.TimeoutExpired:
            process.kill()
            check(False, f"{signal.Signals(number).name} suspends a search")
        check(left_over("another-worker") == [], "and ends its workers")
    process = subprocess.Popen([program, "evolve", "slow.json", "--out", "killed", "--quiet"], stderr=subprocess.DEVNULL)
    while process.poll() is None and not (os.path.exists("killed/generations.csv") and len(pathlib.Path("killed/generations.csv").read_text().splitlines()) > 3):
        time.sleep(0.005)
    process.kill()
    process.wait()
    check(left_over("another-worker") == [], "workers of a search that was killed end by themselves")
    check(evolve(program, "--out", "killed", "--resume").returncode == 0 and filecmp.cmp("slow/individuals.csv", "killed/individuals.csv", shallow=False), "and it goes on to the same end")


def main(program, assets, library, faults):
    whole_searches(program, assets)
    large_bodies(program)
    wrong_programs(program)
    wrong_experiments(program, library, faults)
    libraries(program, assets, library)
    interrupted(program)
    return counted_end()


if __name__ == "__main__":
    program, assets, library, *faults = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main(str(program), assets, str(library), [str(fault) for fault in faults]))
