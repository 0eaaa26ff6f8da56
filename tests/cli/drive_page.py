#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""drive_page.py PAGE FOLDER [ROBOTS [WIDTH,HEIGHT [CENTER]]]: tests a replay page in headless Chromium without network. The page must play, scrub and change its
colours, without messages on the console; pictures at three times must differ and show the robot; in windows of any size the robots, their names and the plot must
be in sight; if the page has a Pareto front, the last robot of the front is tested. CENTER: height of the centre of mass at the
start, m. Needs chromium and chromedriver; exits with 77 if they are missing."""
import pathlib
import sys
import time

from browser import Browser, emulate, missing, pixels
from checks import check, counted_end


def robots_part(png):
    """The picture above the controls; the controls change by themselves."""
    rows = pixels(png)[0]
    return b"".join(rows[:len(rows) // 2])


def colourful(png):
    """Number of coloured pixels: robots are coloured, floor and controls are nearly grey."""
    rows, width, wide = pixels(png)
    count = 0
    for row in rows[:2 * len(rows) // 3:2]:
        for x in range(0, width, 2):
            rgb = row[wide * x:wide * x + 3]
            count += max(rgb) - min(rgb) > 60
    return 4 * count


def go_to(browser, part):
    """Shows a moment: a part of the replay."""
    browser.script("replay.seek(replay.begin + arguments[0]*(replay.end - replay.begin)); replay.counted = replay.drawn", part)
    return browser.wait("replay.drawn > replay.counted + 1 || !replay.dirty && replay.drawn > replay.counted")


# of each robot: how far its corners are from the middle of the picture at most; 1 is the edge
EXTENTS = """return replay.stage.views.filter((view) => !view.robot.isGhost).map((view) => {
  let most = 0;
  for (let i = 0; i < view.places.length; i += 3) {
    const at = new THREE.Vector3(view.places[i], view.places[i + 1] + view.shift, view.places[i + 2]).project(replay.stage.camera);
    most = Math.max(most, Math.abs(at.x), Math.abs(at.y));
  }
  return most;
})"""
# of each name: whether it is within the picture, and near the robot of that name
LABELS = """const box = document.getElementById('view').getBoundingClientRect();
return [...document.querySelectorAll('#names span')].map((label) => {
  const it = label.getBoundingClientRect();
  let near = false;
  for (const view of replay.stage.views.filter((other) => !other.robot.isGhost && other.robot.name === label.textContent)) {
    for (let i = 0; i < view.places.length; i += 3) {
      const at = new THREE.Vector3(view.places[i], view.places[i + 1] + view.shift, view.places[i + 2]).project(replay.stage.camera);
      const [x, y] = [box.left + (1 + at.x) * box.width / 2, box.top + (1 - at.y) * box.height / 2];
      near = near || (x > it.left - 20 && x < it.right + 20 && y > it.top && y < it.bottom + 60);
    }
  }
  return it.left >= box.left && it.right <= box.right && it.top >= box.top && it.bottom <= box.bottom && near;
})"""
SIZES = {"a desk": ((1280, 800), False), "a telephone": ((390, 844), True), "a telephone on its side": ((844, 390), True),
         "a small telephone on its side": ((568, 320), True)}


def check_sizes(browser, folder):
    """What must be in sight in windows of any size, at any time."""
    shown = browser.script("return replay.robots.filter((robot) => !robot.isGhost).length")
    for name, (size, mobile) in SIZES.items():
        emulate(browser, size, mobile=mobile)
        time.sleep(0.3)  # until the page has its new size
        browser.script("document.getElementById('home').click()")
        for part in (0, 1, 0):
            go_to(browser, part)
            extents = browser.script(EXTENTS)
            check(len(extents) == shown and max(extents) < 1, f"on {name} all robots are in view at {part:g}: {extents}")
            labels = browser.script(LABELS)
            check(len(labels) == (shown if shown > 1 else 0) and all(labels), f"with their names: {labels}")
        box = browser.script("const b = document.getElementById('plot').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]")
        check(box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1] and box[3] - box[1] >= 60, f"the plot is in the window: {box}")
        check(browser.script("return document.getElementById('view').clientHeight") >= 170, "and there is place for the robots")
        check(browser.script("return document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the window")
        browser.picture(folder / f"size-{size[0]}.png")
    # what the user has turned and zoomed stays: the view follows without turning back
    emulate(browser, (1280, 800))
    time.sleep(0.3)
    browser.script("document.getElementById('home').click()")
    go_to(browser, 0)
    far = "const c = replay.stage.camera.position.clone().sub(replay.stage.controls.target); return [c.length(), c.normalize().toArray()]"
    before = browser.script("const s = replay.stage; s.controls.dispatchEvent({type: 'start'});"
                            "s.camera.position.sub(s.controls.target).multiplyScalar(2).add(s.controls.target);"
                            "s.controls.dispatchEvent({type: 'end'}); replay.dirty = true;" + far)
    go_to(browser, 0)
    go_to(browser, 0.01)
    go_to(browser, 0)
    after = browser.script(far)
    check(abs(after[0] / before[0] - 1) < 0.02 and all(abs(a - b) < 1e-3 for a, b in zip(after[1], before[1])), f"a zoom stays: {before} {after}")


def check_dark(browser, page):
    """Thumbnails are dark where the page is."""
    emulate(browser, (1280, 800), dark=True)
    browser.open(page.as_uri())
    fills = browser.script("return [...document.querySelectorAll('#front [data-robot] svg .paper')].map((rect) => getComputedStyle(rect).fill)")
    check(fills and all(sum(int(part) for part in fill[4:-1].split(",")) < 150 for fill in fills), f"thumbnails are dark in the dark: {fills[:1]}")


def main():
    page, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    robots = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if missing():
        print("skipped: " + missing())
        return 77
    browser = Browser(sys.argv[4] if len(sys.argv) > 4 else "1280,860")
    try:
        browser.open(page.as_uri())
        if browser.script("return !!document.getElementById('front')"):
            searched = browser.script("return !!document.querySelector('#front .curves')")  # the gallery of a search
            check(not searched or browser.script("return document.querySelectorAll('#front [data-robot] svg').length") > 0, "the front shows champions")
            check(not searched or browser.script("return document.querySelectorAll('#front .curves polyline').length") == 2, "and curves")
            check(browser.script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "and fits the window")
            browser.picture(folder / "front.png")
            if searched:
                check_dark(browser, page)
                emulate(browser, [int(side) for side in (sys.argv[4] if len(sys.argv) > 4 else "1280,860").split(",")])
                browser.open(page.as_uri())
            browser.script("[...document.querySelectorAll('[data-robot]')].pop().click()")
            browser.wait("window.replay && replay.playing")
            browser.script("replay.play(false)")
        if not browser.wait("window.replay && replay.drawn > 0"):
            check(False, "loads with the network off: " + browser.script("return document.getElementById('message').textContent"))
            print("\n".join(browser.console()))
            return 1
        check(True, "loads with the network off")
        check(browser.script("return replay.robots.length") == robots, f"holds {robots} robots")
        if len(sys.argv) > 5:
            center = browser.script("return replay.robots[0].series.z[0]")
            check(abs(center / float(sys.argv[5]) - 1) < 1e-3, f"the centre of mass is at {sys.argv[5]} m: {center}")
        end = browser.script("return replay.end")
        shots = []
        for part in (0, 0.5, 1):
            browser.script("replay.seek(replay.begin + arguments[0]*(replay.end - replay.begin)); replay.counted = replay.drawn", part)
            browser.wait("replay.drawn > replay.counted")
            shots.append(browser.picture(folder / f"page-{part:g}.png"))
            check(colourful(shots[-1]) > 1000, f"the robot is in sight at {part * end:.2f} s")
        check(len({robots_part(shot) for shot in shots}) == 3, "three times, three pictures")
        for colour in ("strain", "phase", "contact", "energy", "material"):
            browser.script("const s = document.getElementById('color'); s.value = arguments[0]; s.dispatchEvent(new Event('change'));"
                           "replay.seek(replay.begin + 0.37*(replay.end - replay.begin)); replay.counted = replay.drawn", colour)
            check(browser.wait("replay.drawn > replay.counted"), f"colour by {colour}")
            browser.picture(folder / f"page-{colour}.png")
        browser.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home'}))")
        for _ in range(3 if end < 5 else 0):  # a short run would end before the picture is taken
            browser.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: '-'}))")
        browser.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: ' '})); replay.counted = replay.drawn; replay.since = performance.now()")
        time.sleep(2)
        rate = browser.script("return 1000*(replay.drawn - replay.counted)/(performance.now() - replay.since)")
        check(browser.script("return replay.playing && replay.time > replay.begin"), "plays")
        print(f"     {rate:.1f} frames/s, {page.stat().st_size} bytes")
        browser.script("document.getElementById('play').click()")
        check(not browser.script("return replay.playing"), "pauses")
        check_sizes(browser, folder)
        serious = browser.console()
        check(not serious, "nothing on the console" + "".join("\n     " + text for text in serious))
    finally:
        browser.end()
    return counted_end()


if __name__ == "__main__":
    sys.exit(main())
