#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""door.py PAGE PROGRAM: from a replay page to the studio: the button opens a robot's design in the studio that lies within the page, and it plays;
without a studio within, the button saves the design."""
import pathlib
import subprocess
import sys
import tempfile

from studio import ASSETS, SKIPPED, Browser, check, counted_end, missing


def recorded(program, folder, name, *options):
    page = pathlib.Path(folder) / name
    subprocess.run([program, "run", ASSETS / "quadruped.vxa", "--duration", "0.3", "--record", page, "--quiet", *options], check=True)
    return page


def show(browser, page):
    browser.open(page.as_uri())
    check(browser.wait("window.replay && replay.drawn > 0"), f"{page.name} shows its robot")
    return browser.script("const button = document.getElementById('design'); return button.hidden ? '' : button.textContent")


def through(browser, page):
    check(show(browser, page) == "open in studio", "a button opens the studio")
    before = browser.call("GET", "/window/handles")
    browser.script("document.getElementById('design').click()")
    for _ in range(100):
        new = [handle for handle in browser.call("GET", "/window/handles") if handle not in before]
        if new:
            break
        browser.script("return 0")
    check(len(new) == 1, "in a tab of its own")
    browser.call("POST", "/window", {"handle": new[0]})
    check(browser.wait("window.studio && studio.ready", 30), "the studio gets ready")
    browser.wait_for("await studio.ready")
    check(browser.script("return studio.body.cells.size") == 226, "with the robot of the page")
    browser.script("studio.toggle()")
    check(browser.wait("studio.play.started && studio.play.frame?.time > 0.05", 30), "which plays")


def test(browser, program, folder):
    small = recorded(program, folder, "small.html", "--no-studio")
    check(show(browser, small) == "save design", "without a studio within, the button saves the design")
    check(browser.wait_for("return (await designOf(0)).length > 1000 && JSON.parse(await designOf(0)).voxels.length") == 226, "which is whole")
    whole = recorded(program, folder, "whole.html")
    more = whole.stat().st_size - small.stat().st_size
    check(500_000 < more < 1_000_000, f"the studio adds {more} bytes")
    through(browser, whole)
    said = browser.console()
    check(not said, "nothing on the console" + "".join("\n     " + text for text in said))


def main(page, program):
    lacks = missing() or (None if pathlib.Path(page).exists() else "the studio's page is not built")
    if lacks:
        print(lacks)
        return SKIPPED
    browser = Browser("1280,860")
    with tempfile.TemporaryDirectory() as folder:
        try:
            test(browser, program, folder)
        finally:
            browser.end()
    return counted_end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
