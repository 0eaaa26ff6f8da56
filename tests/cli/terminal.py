#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terminal.py PROGRAM ASSETS: what long commands draw on terminals of several widths, on one that cannot go back in a line, and where there is none. A line
that is drawn anew must be shorter than the terminal is wide, or each drawing leaves one behind."""
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

from checks import check, counted_end


def on_terminal(words, columns, kind="xterm"):
    """All that a command writes to a terminal of so many columns."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = kind
        os.execvp("sh", ["sh", "-c", "sleep 0.2; exec \"$@\"", "sh", *words])  # the width is set by then
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    text = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the command has ended
            break
        if not piece:
            break
        text += piece
    os.waitpid(child, 0)
    return text.decode()


def drawings(text):
    """Lines that were drawn anew: those that a carriage return alone begins."""
    return [line for line in re.split(r"\r(?!\n)", text)[1:] if line.strip() and "\n" not in line]


def main(program, assets):
    experiment = json.loads((assets / "experiments/walk.json").read_text())
    experiment["size"] = [4, 4, 4]
    generations = 12  # half a second also on a fast machine: a bar is drawn ten times a second
    experiment["algorithm"] |= {"population": 16, "generations": generations}
    pathlib.Path("walk.json").write_text(json.dumps(experiment))
    searches = 0
    for columns in (20, 40, 80, 200):
        searches += 1
        lines = drawings(on_terminal([program, "evolve", "walk.json", "--out", f"walk{searches}"], columns))
        check(lines and max(map(len, lines)) < columns, f"evolve draws within {columns} columns: {max(map(len, lines), default=0)}")
        check(all("generation" in line for line in lines), "and says its generation")
        lines = drawings(on_terminal([program, "run", assets / "quadruped.vxa", "--duration", "20"], columns))
        check(lines and max(map(len, lines)) < columns, f"run draws within {columns} columns: {max(map(len, lines), default=0)}")
        check(all("%" in line for line in lines), "and says how much is done")
    check(" left" in lines[-1] and "[#" in lines[-1], "and what is left, behind a bar, where there is room")
    sneaky = {"materials": [{"name": "\u009b31m"}], "voxels": [[0, 0, 0, 0]], "name": "a\x1b[31mred\rover\x07"}
    pathlib.Path("sneaky.json").write_text(json.dumps(sneaky))
    text = on_terminal([program, "info", "sneaky.json"], 80)
    check("a\\x1b[31mred\\x0dover\\x07:" in text and "\\x9b31m" in text, "names show their control characters as text")
    check(not re.search("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f]", text), "and none reaches the terminal")
    text = on_terminal([program, "info", "no\x1b[2Jfile.vxa"], 80)
    check("no\\x1b[2Jfile.vxa: cannot open" in text and "\x1b" not in text, "nor in a message")
    raw = subprocess.run([program, "info", "sneaky.json"], capture_output=True, check=True).stdout
    check(b"a\x1b[31mred\rover\x07:" in raw, "a file gets every byte")
    generations = 3
    experiment["algorithm"]["generations"] = generations
    pathlib.Path("walk.json").write_text(json.dumps(experiment))
    text = on_terminal([program, "evolve", "walk.json", "--out", "dumb"], 80, "dumb")
    check(not drawings(text) and f"generation 1 of {generations}" in text, "a terminal that cannot go back gets lines")
    done = subprocess.run([program, "evolve", "walk.json", "--out", "none"], capture_output=True, text=True, check=True)
    check("\r" not in done.stderr and re.match(rf"generation 1 of {generations}, best [0-9.]+ m, .* left, [0-9.]+ evaluations/s\n", done.stderr),
          "a log gets a line of the first generation")
    done = subprocess.run([program, "evolve", "walk.json", "--out", "quiet", "--quiet"], capture_output=True, text=True, check=True)
    check(done.stdout + done.stderr == "", "and nothing where it shall be quiet")
    return counted_end()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        words = [pathlib.Path(word).resolve() for word in sys.argv[1:3]]
        os.chdir(folder)
        sys.exit(main(*words))
