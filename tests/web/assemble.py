# SPDX-License-Identifier: MIT
"""assemble.py PAGE [FOLDER...]: puts the studio's page together from its plain files, so that it can be tried where its module was not built.
Scripts that are not there (the engine) are left out: the studio says then that it can only draw. FOLDERs are looked into first."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = [ROOT / "web" / "studio", ROOT / "web" / "module", ROOT / "output" / "page",
           pathlib.Path("/usr/share/javascript/three"), pathlib.Path("/usr/share/javascript/three/examples/js/controls")]


def lacking():
    """What is not here of what the page is made of, or None."""
    return next((f"{name} is not here" for name in ("three.min.js", "OrbitControls.js") if not find(name, FOLDERS)), None)


def find(name, folders):
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def assemble(page, folders=()):
    """Writes the page; returns the names of scripts that were left out."""
    places = [*map(pathlib.Path, folders), *FOLDERS]
    left_out = []

    def script(match):
        path = find(match[1], places)
        if not path:
            left_out.append(match[1])
            return ""
        text = path.read_text(encoding="utf-8").replace("</script", "<\\/script")
        return f'<script data-file="{path.name}">\n{text}\n</script>'

    def style(match):
        path = find(match[1], places)
        return f"<style>\n{path.read_text(encoding='utf-8')}\n</style>" if path else ""

    text = find("studio.html", places).read_text(encoding="utf-8")
    text = re.sub(r'<link rel="stylesheet" href="([^"]+)">', style, text)
    text = re.sub(r'<script src="([^"]+)"></script>', script, text)
    pathlib.Path(page).write_text(text, encoding="utf-8")
    return left_out


if __name__ == "__main__":
    print("left out:", *assemble(sys.argv[1], sys.argv[2:]))
