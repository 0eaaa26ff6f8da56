#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gallery.py PROGRAM STUDIO ASSETS OUT_FOLDER: a page with a card for each example design, OUT_FOLDER/gallery.html, beside a copy of the studio.

Which designs there are, and what to see in each, is said by the tables of ASSETS/README.md; numbers and pictures come from PROGRAM (voxelastic). A card's link
opens the studio with the design in its address. What the studio does not draw (affine bodies), or what is too large for an address, is run by PROGRAM, and
the card leads to a replay of that, in OUT_FOLDER/replays. Exits with 1 where a design has no row, a row no design or another number of voxels."""
import base64
import concurrent.futures
import hashlib
import html
import json
import pathlib
import re
import shutil
import string
import subprocess
import sys
import tempfile
import zlib

TEMPLATE = pathlib.Path(__file__).with_name("gallery.html")
MAX_LINK = 8000  # characters, as in web/studio/play/link.js
PICTURE = (320, 220)  # px
LEGEND = (1920, 720)  # px of a picture in which the legend is whole
INK = "#475466"  # of a picture's texts and of its bar of lengths
DESIGNS = (".vxa", ".json")
FRAMES = 200  # of a replay, at least: short runs are recorded at a higher rate
RATE = 30  # frames per simulated second, at least
DURATION = 5.0  # s, of a design without a stop rule
FOLDERS = ("", "benchmark")  # of ASSETS, with designs


class GalleryError(Exception):
    """A sentence about what is wrong."""


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise GalleryError(f"'{program} {' '.join(map(str, words))}' has failed: {done.stderr.strip()}")
    return done.stdout


def sections(assets):
    """[(heading, [(file, voxels or None, sentence)])] of the tables of README.md whose first column is `file`."""
    found, heading, columns = [], "", None
    for line in (assets / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:].strip()
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            columns = None
        elif columns is None:
            columns = cells
            if columns[0] == "file":
                found.append((heading, []))
        elif columns[0] == "file" and not set(line) <= set("|-: "):
            row = dict(zip(columns, cells))
            found[-1][1].append((cells[0], int(row["voxels"]) if "voxels" in row else None, cells[-1]))
    listed = [file for _, rows in found for file, _, _ in rows]
    present = {path.relative_to(assets).as_posix() for folder in FOLDERS for path in (assets / folder).glob("*") if path.suffix in DESIGNS}
    for file in sorted(present ^ set(listed)):
        what = f"no table has a row for {file}" if file in present else f"a table has a row for {file}, which is not there"
        raise GalleryError(f"{assets / 'README.md'}: {what}")
    return found


def link_of(path):
    """'#v=' and the text of a design, deflated and in base 64; None if it is too long for an address."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    code = base64.urlsafe_b64encode(squeeze.compress(path.read_bytes()) + squeeze.flush()).decode().rstrip("=")
    return "#v=" + code if len(code) + 3 <= MAX_LINK else None


def picture_of(program, path, folder, alt):
    """The design at rest as an <svg> element, without the lines of the floor that lie outside of the picture: they are most of the file."""
    file = folder / (hashlib.sha256(str(path).encode()).hexdigest()[:16] + ".svg")
    run(program, "view", path, "-o", file, "--no-caption", "--size", "{}x{}".format(*PICTURE))
    text = file.read_text(encoding="utf-8")

    def seen(lines):
        kept = ""
        for x, y, x2, y2 in re.findall(r"M(\S+),(\S+) L(\S+),(\S+)", lines.group(2)):
            if all(max(a, b) > 0 and min(a, b) < size for a, b, size in ((float(x), float(x2), PICTURE[0]), (float(y), float(y2), PICTURE[1]))):
                kept += f"M{x},{y}L{x2},{y2}"
        return lines.group(1) + kept

    text = re.sub(r'(<path class="floor"[^>]*? d=")([^"]*)', seen, text)
    text = re.sub(r"<title>.*?</title>\n?", "", text, flags=re.S)
    return text.replace('role="img"', f'role="img" aria-label="{html.escape(alt)}"', 1).strip()


def legend_of(program, path, folder):
    """[(name, colour)] of materials and affine bodies, as a picture's legend has them; greys that would look alike differ there."""
    file = folder / (hashlib.sha256(str(path).encode()).hexdigest()[:16] + ".legend.svg")
    run(program, "view", path, "-o", file, "--size", "{}x{}".format(*LEGEND))
    pairs = re.findall(r'<rect [^>]*fill="(#\w+)"/>\n<text [^>]*>(.*?)</text>', file.read_text(encoding="utf-8"))
    return [(html.unescape(name), color) for color, name in pairs if color != INK]


def share_scripts(page):
    """Moves the scripts of a replay page, which are the same in all, into files beside it; three.js alone is 0.8 MB."""
    def move(script):
        text = script.group(1)
        name = "script-" + hashlib.sha256(text.encode()).hexdigest()[:12] + ".js"
        (page.parent / name).write_text(text + "\n", encoding="utf-8")
        return f'<script src="{name}"></script>\n'

    page.write_text(re.sub(r"<script>\n(.*?)\n</script>\n", move, page.read_text(encoding="utf-8"), flags=re.S), encoding="utf-8")


def count(number, noun):
    return f"{number} {noun[:-1] + 'ie' if noun.endswith('y') and number != 1 else noun}{'' if number == 1 else 's'}"


def card_of(program, assets, row, out, folder):
    """What is known of a design: name, sentence, facts, materials, picture, and where its link leads."""
    file, voxels, sentence = row
    path = assets / file
    facts = json.loads(run(program, "info", path, "--json"))
    if voxels is not None and voxels != facts["voxels"]:
        raise GalleryError(f"{assets / 'README.md'}: {file} has {facts['voxels']} voxels, not {voxels}")
    legend = legend_of(program, path, folder)
    materials = len(legend) - facts["affine_bodies"]
    parts = [f"{count(facts['voxels'], 'voxel')} of {1000 * facts['voxel_size_m']:.4g} mm"] if facts["voxels"] else []
    parts += [count(facts["affine_bodies"], "affine body")] if facts["affine_bodies"] else []
    parts += [count(materials, "material")] if materials else []
    alt = f"{facts['name']} at rest, in three dimensions"
    card = {"file": file, "name": facts["name"], "sentence": sentence, "facts": ", ".join(parts), "legend": legend,
            "picture": picture_of(program, path, folder, alt)}
    link = None if facts["affine_bodies"] else link_of(path)
    if link:
        return card | {"address": "studio.html" + link, "verb": "play", "where": "in the studio"}
    duration = facts["stop_duration_s"] or DURATION
    replay = out / "replays" / (file.rpartition(".")[0].replace("/", "-") + ".html")
    replay.parent.mkdir(exist_ok=True)
    run(program, "run", path, "--quiet", "--no-step-error", "--no-studio", "--threads", 1, "--duration", duration, "--record", replay,
        "--record-rate", max(RATE, round(FRAMES / duration)))
    share_scripts(replay)
    return card | {"address": "replays/" + replay.name, "verb": "watch", "where": f"a replay of {duration:.4g} s"}


def anchor_of(heading):
    return re.sub(r"\W+", "-", heading.lower())


def html_of(card):
    told = {key: html.escape(value) for key, value in card.items() if isinstance(value, str) and key != "picture"}
    sentence = re.sub(r"`([^`]*)`", r"<code>\1</code>", told["sentence"][0].upper() + told["sentence"][1:])
    swatches = "".join(f'<li><span style="background: {color}"></span>{html.escape(name)}</li>' for name, color in card["legend"])
    return f"""<article class="card" data-file="{told['file']}">
{card['picture']}
<h3>{told['name'][0].upper() + told['name'][1:]}</h3>
<p>{sentence}.</p>
<p class="facts">{told['facts']}</p>
{f'<ul class="facts">{swatches}</ul>' if swatches else ''}
<p class="go"><a href="{told['address']}" aria-label="{told['verb']} {told['name']}: {told['where']}">{told['verb']}</a> <span>{told['where']}</span></p>
</article>"""


def build(program, studio, assets, out):
    if not studio.is_file():
        raise GalleryError(f"{studio}: no such file; it is the studio's page, which the build target `studio` makes")
    found = sections(assets)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        cards = [(heading, list(pool.map(lambda row: card_of(program, assets, row, out, pathlib.Path(folder)), rows))) for heading, rows in found]
    parts = []
    for heading, those in cards:
        parts += [f'<section>\n<h2 id="{anchor_of(heading)}">{html.escape(heading)}</h2>\n<div class="cards">', *map(html_of, those), "</div>\n</section>"]
    jumps = "".join(f'<a href="#{anchor_of(heading)}">{html.escape(heading)}</a>' for heading, _ in cards)
    home = '<a href="../index.html">documentation</a>' if (out.parent / "index.html").exists() else ""
    page = string.Template(TEMPLATE.read_text(encoding="utf-8")).substitute(cards="\n".join(parts), jumps=jumps, home=home)
    (out / "gallery.html").write_text(page, encoding="utf-8")
    if studio.resolve() != (out / "studio.html").resolve():
        shutil.copyfile(studio, out / "studio.html")
    return sum(len(those) for _, those in cards)


def main(words):
    if len(words) != 4:
        print(__doc__.split("\n", maxsplit=1)[0], file=sys.stderr)
        return 2
    try:
        number = build(words[0], *map(pathlib.Path, words[1:]))
    except (GalleryError, OSError) as error:
        print(f"gallery.py: {error}", file=sys.stderr)
        return 1
    print(f"{pathlib.Path(words[3]) / 'gallery.html'}: {number} designs")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
