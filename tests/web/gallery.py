#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gallery.py STUDIO PROGRAM: the page of all example designs (web/gallery/gallery.py). Each design has a card with a picture; its link opens the studio with that
design, or a replay that plays. The page fits windows of any size, goes by keys, and is small. What is wrong with the designs' list is said."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from studio import ASSETS, SKIPPED, Studio, check, counted_end, missing
from browser import emulate  # studio.py knows where it is

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "web" / "gallery" / "gallery.py"
MAX_SIZE = 2 << 20  # bytes of all files but the studio
CARDS = """return [...document.querySelectorAll('.card')].map((card) => {
  const picture = card.querySelector('svg[role=img]');
  const link = card.querySelector('a');
  return { file: card.dataset.file, alt: picture.getAttribute('aria-label'), faces: picture.querySelectorAll('polygon').length,
    box: [picture.getBoundingClientRect().width, picture.getBoundingClientRect().height], name: card.querySelector('h3').textContent,
    sentence: card.querySelector('p').textContent, facts: card.querySelector('.facts').textContent,
    legend: [...card.querySelectorAll('li')].map((item) => item.textContent), verb: link.textContent, link: link.getAttribute('href') };
})"""
# what is wider than the window, or cut by its card
WIDE = """return [...document.querySelectorAll('main *')].filter((it) => !it.closest('svg') && it.getBoundingClientRect().right > innerWidth + 0.5)
  .map((it) => it.tagName + ' ' + it.textContent.slice(0, 30))"""
CONTRAST = """const part = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map((x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const card = document.querySelector('.card');
const paper = part(getComputedStyle(card).backgroundColor);
const link = getComputedStyle(card.querySelector('a'));
return Math.min(ratio(paper, part(getComputedStyle(card.querySelector('.facts')).color)), ratio(part(link.color), part(link.backgroundColor)))"""


def build(program, studio, assets, out):
    return subprocess.run([sys.executable, SCRIPT, program, studio, assets, out], capture_output=True, text=True, check=False)


def info(program, path):
    return json.loads(subprocess.run([program, "info", path, "--json"], capture_output=True, check=True).stdout)


def materials(program, path, folder):
    """Names of the materials that voxels have, from the design as a scene."""
    scene = pathlib.Path(folder) / "as_scene.json"
    subprocess.run([program, "convert", path, scene], capture_output=True, check=True)
    scene = json.loads(scene.read_text(encoding="utf-8"))
    used = {voxel[3] for voxel in scene.get("voxels", [])}
    return [material["name"] for number, material in enumerate(scene.get("materials", [])) if number in used]


def tells(studio, program, out):
    """All designs, by what the program and assets/README.md say of them. Returns the cards."""
    cards = studio.script(CARDS)
    designs = {path.relative_to(ASSETS).as_posix() for folder in ("", "benchmark") for path in (ASSETS / folder).glob("*") if path.suffix in (".vxa", ".json")}
    check({card["file"] for card in cards} == designs and len(cards) == len(designs), f"{len(cards)} cards for {len(designs)} designs")
    said = (ASSETS / "README.md").read_text(encoding="utf-8").lower()
    for card in cards:
        facts = info(program, ASSETS / card["file"])
        names = materials(program, ASSETS / card["file"], out)
        voxels = f"{facts['voxels']} voxel" in card["facts"] or facts["voxels"] == 0
        bodies = f"{facts['affine_bodies']} affine bod" in card["facts"] or facts["affine_bodies"] == 0
        counted = not names or f"{len(names)} material" in card["facts"]
        drawn = card["faces"] > 2 and min(card["box"]) > 100 and facts["name"] in card["alt"]
        check(voxels and bodies and counted and card["legend"][:len(names)] == names, f"{card['file']}: {card['facts']}: {card['legend']}")
        check(drawn and card["name"].lower() == facts["name"].lower() and card["sentence"].rstrip(".").lower() in said,
              f"{card['name']}, {card['faces']} faces: {card['sentence']}")
    return cards


def fits(studio):
    """Windows of any size, light and dark; keys."""
    for size, dark, mobile in (((1280, 860), False, False), ((390, 844), False, True), ((320, 640), True, True), ((844, 390), True, True)):
        emulate(studio, size, dark, mobile)
        studio.open(studio.gallery)
        wide, across = studio.script(WIDE), studio.script("return document.documentElement.scrollWidth - innerWidth")
        contrast = studio.script(CONTRAST)
        check(not wide and across <= 0 and contrast > 4.5, f"{size[0]} x {size[1]}: nothing too wide {wide}, contrast {contrast:.1f}")
        paper, floor = studio.script("return ['.paper', '.floor'].map((name) => getComputedStyle(document.querySelector('.card ' + name)))"
                                     ".map((style, at) => at ? style.stroke : style.fill)")
        check((sum(map(int, paper[4:-1].split(","))) < 200) == dark and paper != floor, f"pictures are {'dark' if dark else 'light'}: {paper}")
    emulate(studio, (1280, 860))
    studio.open(studio.gallery)
    links = studio.script("return document.querySelectorAll('a').length")
    reached = set()
    for _ in range(links):
        studio.key("\ue004")
        reached.add(studio.script("const at = document.activeElement; const card = at.closest('.card') ?? at;"
                                  "return getComputedStyle(card).outlineStyle === 'solid' ? at.href : ''"))
    check(len(reached) == links and "" not in reached, f"tab reaches {len(reached)} of {links} links, and shows where it is")
    lost = studio.script("return [...document.querySelectorAll('nav a[href^=\"#\"]')].filter((link) => !document.querySelector(link.hash)).length")
    check(lost == 0, "links to parts of the page lead there")


def opens(studio, cards, program, out):
    for card in cards:
        facts = info(program, ASSETS / card["file"])
        page, _, part = card["link"].partition("#")
        if facts["affine_bodies"]:
            check(card["verb"] == "watch" and page.startswith("replays/"), f"{card['file']} leads to {page}")
            replays(studio, out / page, facts)
            continue
        check(card["verb"] == "play" and page == "studio.html" and len(part) < 8000, f"{card['file']} leads to {page} with {len(part)} characters")
        studio.load("#" + part)
        drawn = studio.script("return studio.body.facts()")
        check((drawn["voxels"], drawn["bonds"]) == (facts["voxels"], facts["bonds"]) and abs(drawn["mass"] / facts["mass_kg"] - 1) < 1e-6,
              f"the studio has {drawn['voxels']} voxels of {facts['name']}")


def replays(studio, page, facts):
    studio.open(page.as_uri())
    ready = studio.wait("window.replay && replay.drawn > 0", 20)
    studio.script("if (window.replay) { replay.play(true); }")
    moved = ready and studio.wait("replay.time > replay.begin", 20)
    frames, duration = studio.script("return [Math.min(...replay.robots.map((robot) => robot.count)), replay.end - replay.begin]")
    check(moved and abs(duration / facts["stop_duration_s"] - 1) < 0.02, f"{page.name} plays {duration:.3g} s in {frames} frames")
    check(frames >= 100, "often enough to be smooth")


def says_what_is_wrong(program, page, folder):
    """A list that does not fit the designs, and a design that is too large for a link."""
    assets = folder / "assets"
    shutil.copytree(ASSETS, assets)
    readme = assets / "README.md"
    text = readme.read_text(encoding="utf-8")
    for change, expected in ((("| worm.vxa |", "| snail.vxa |"), "snail.vxa, which is not there"),
                             (("| worm.vxa | 96", "| worm.vxa | 97"), "has 96 voxels, not 97"),
                             (("| worm.vxa |", "worm.vxa |"), "no table has a row for")):
        readme.write_text(text.replace(*change), encoding="utf-8")
        done = build(program, page, assets, folder / "wrong")
        check(done.returncode == 1 and expected in done.stderr and "Traceback" not in done.stderr, done.stderr.strip()[-120:])
    done = build(program, folder / "none.html", ASSETS, folder / "wrong")
    check(done.returncode == 1 and "no such file" in done.stderr, done.stderr.strip()[-120:])
    done = subprocess.run([sys.executable, SCRIPT, program], capture_output=True, text=True, check=False)
    check(done.returncode == 2 and "OUT_FOLDER" in done.stderr, done.stderr.strip())

    large = folder / "large"
    (large / "benchmark").mkdir(parents=True)
    cells = [[i, j, k, 0] for i in range(12) for j in range(12) for k in range(12)]
    scene = {"version": 1, "name": "a large one", "materials": [{"name": "a & b"}], "voxels": cells, "stop": {"duration_s": 0.01},
             "layers": {"PhaseOffset": [(number * 7919 % 10007) / 10007 for number in range(len(cells))]}}
    (large / "large.json").write_text(json.dumps(scene), encoding="utf-8")
    (large / "README.md").write_text("## Large\n\n| file | voxels | what to see |\n|---|---|---|\n| large.json | 1728 | `layers` < 3 |\n", encoding="utf-8")
    done = build(program, page, large, folder / "site")
    text = (folder / "site" / "gallery.html").read_text(encoding="utf-8") if done.returncode == 0 else done.stderr
    marked = "<code>layers</code> &lt; 3." in text and "a &amp; b" in text
    check('href="replays/large.html"' in text and marked, "a design that is too large for a link is replayed")


def test(page, program, folder):
    out = folder / "gallery"
    done = build(program, page, ASSETS, out)
    check(done.returncode == 0, f"the gallery is made: {done.stdout.strip()} {done.stderr.strip()}")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file() and path.name != "studio.html")
    check(size < MAX_SIZE, f"it has {size} bytes, its page {(out / 'gallery.html').stat().st_size}, beside the studio")
    check((out / "studio.html").read_bytes() == pathlib.Path(page).read_bytes(), "the studio lies beside it")
    studio = Studio(out / "studio.html")
    try:
        studio.gallery = (out / "gallery.html").as_uri()
        studio.open(studio.gallery)
        cards = tells(studio, program, folder)
        fits(studio)
        opens(studio, cards, program, out)
        studio.quiet()
    finally:
        studio.end()
    says_what_is_wrong(program, page, folder)


def main(page="", program=""):
    lacks = missing() or (None if page and pathlib.Path(page).exists() else "the studio's page is not built")
    if lacks:
        print(lacks)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        test(page, program, pathlib.Path(folder))
    return counted_end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
