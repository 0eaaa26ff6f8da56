#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""long_lived.py PROGRAM ASSETS: commands that others start and end: a worker whose rows nobody reads, lines and runs that are too long, signals, and rows of
a run on standard output. A command that should have ended and has not within PATIENCE is a failure, whatever the speed of the machine."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, counted_end

PATIENCE = 60  # s
INTERRUPTED = 130
CUBE = {"materials": [{}], "voxels": [[0, 0, 0, 0]]}


def ends(process):
    """The exit status of a process, or None where it goes on."""
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def starts(words, **streams):
    return subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, **streams)


def blocked_worker(program, number):
    """Asks a worker for more rows than a pipe holds, reads one, and sends it a signal."""
    worker = starts([program, "batch", "--stdin", "--quiet", "--steps", "1"], stdout=subprocess.PIPE)
    rows = 2000  # of some 300 bytes; a pipe holds 65536 bytes
    worker.stdin.write((json.dumps(CUBE) + "\n").encode() * rows)
    worker.stdin.close()
    worker.stdout.read(1)
    worker.send_signal(number)
    status = ends(worker)
    worker.stdout.close()
    return status


def answers(program, lines, *options):
    """The rows of a worker to some lines."""
    text = b"".join(line + b"\n" for line in lines)
    done = subprocess.run([program, "batch", "--stdin", "--quiet", *options], input=text, capture_output=True, timeout=PATIENCE)
    return [json.loads(row) for row in done.stdout.splitlines()]


def too_much(program):
    """Lines and runs above a limit are refused, and what is behind them runs."""
    good = json.dumps(CUBE).encode()
    long = good[:-1] + b" " * 200000 + b"}"
    rows = answers(program, [good, long, good, b'"' + b"x" * 99999 + b'"', good], "--steps", "3", "--max-line", "1000")
    check([row["status"] for row in rows] == ["done", "refused", "done", "refused", "done"], "a line that is too long is refused, the next ones run")
    check(len(rows) == 5 and rows[1]["message"] == "line 2: is longer than 1000 bytes; --max-line allows more", "and the row says why")
    rows = answers(program, [good, long], "--steps", "3", "--max-line", str(len(good)))
    check([row["status"] for row in rows] == ["done", "refused"], "a line of just the limit runs")
    forever = json.dumps(CUBE | {"stop": {"duration_s": 1e9}}).encode()
    brief = json.dumps(CUBE | {"stop": {"duration_s": 0.01}}).encode()
    by_formula = json.dumps(CUBE | {"stop": {"when": "t > 0.01"}}).encode()
    for limit in (("--max-seconds", "1"), ("--max-steps", "100000")):
        rows = answers(program, [forever, brief, by_formula], *limit)
        check([row["status"] for row in rows] == ["refused", "done", "refused"], f"a run of 1e9 s is refused under {limit[0]}")
        check("1e+09 s" in rows[0]["message"] and rows[0]["message"].endswith("the limit"), "and the row says how long it would be")
        check("stop formula" in rows[2]["message"], "and so is a run of unknown length")
    rows = answers(program, [brief], "--max-seconds", "0.01")
    check([row["status"] for row in rows] == ["done"], "a run of just the limit is done")


def signals(program, quadruped):
    """SIGHUP ends a run as SIGTERM does, with its files; not where it is ignored, as under nohup."""
    def run(name, *before):
        return starts([*before, program, "run", quadruped, "--duration", "1e6", "--no-step-error", "--quiet", "--trace", f"{name}.csv"], stdout=subprocess.DEVNULL)

    def has_begun(process, name):
        late = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < late and not list(pathlib.Path(".").glob(f"{name}.csv.*.partial")):
            time.sleep(0.01)

    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        process = run("ended")
        has_begun(process, "ended")
        process.send_signal(number)
        check(ends(process) == INTERRUPTED, f"{number.name} ends a run in order")
        check(pathlib.Path("ended.csv").exists(), "with its trace")
        pathlib.Path("ended.csv").unlink(missing_ok=True)
    process = run("ignoring", "sh", "-c", "trap '' HUP; exec \"$@\"", "sh")
    has_begun(process, "ignoring")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    try:
        process.wait(1)
        check(False, "SIGHUP that is ignored stays ignored")
    except subprocess.TimeoutExpired:
        check(True, "SIGHUP that is ignored stays ignored")
    process.terminate()
    check(ends(process) == INTERRUPTED, "and SIGTERM ends the run")


def on_standard_output(program, quadruped):
    """Rows of a run, and nothing else, on standard output."""
    words = [program, "run", quadruped, "--duration", "0.2", "--no-step-error"]
    traced = subprocess.run([*words, "--trace", "-", "--result", "a.json"], capture_output=True)
    subprocess.run([*words, "--trace", "b.csv", "--quiet"], check=True)
    check(traced.returncode == 0 and traced.stdout == pathlib.Path("b.csv").read_bytes(), "--trace - has the bytes of --trace FILE")
    check(b"horizontal displacement" in traced.stderr, "and the rest goes to standard error")
    result = subprocess.run([*words, "--result", "-"], capture_output=True)
    times = {"wall_s", "bond_updates_per_s"}
    read = [{key: value for key, value in json.loads(text).items() if key not in times} for text in (result.stdout, pathlib.Path("a.json").read_text())]
    check(read[0] == read[1], "--result - is the result and nothing else")
    both = subprocess.run([*words, "--trace", "-", "--result", "-"], capture_output=True)
    check(both.returncode == 2 and b"only one of --trace and --result" in both.stderr, "not both")
    if pathlib.Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            check(subprocess.run([*words, "--trace", "-"], stdout=full, stderr=subprocess.DEVNULL).returncode == 5, "a full disk is an error")
    blocked = starts([*words[:3], "--steps", "1000000", "--trace", "-", "--trace-interval", "1e-6", "--quiet"], stdout=subprocess.PIPE)
    blocked.stdout.read(1)
    blocked.terminate()
    check(ends(blocked) == INTERRUPTED, "SIGTERM ends a run whose rows nobody reads")


def main(program, assets):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        check(blocked_worker(program, number) == INTERRUPTED, f"{number.name} ends a worker whose rows nobody reads")
    too_much(program)
    signals(program, str(assets / "quadruped.vxa"))
    on_standard_output(program, str(assets / "quadruped.vxa"))
    return counted_end()


if __name__ == "__main__":
    program, assets = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main(str(program), assets))
